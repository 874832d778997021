from juggle_anim.viewer.window_open import WindowPlace, fitting_place, fitting_size

SCREENS = [(0, 0, 1920, 1080), (1920, 0, 1280, 1024)]


class FramedWindow:
    """A window that a window manager has given a frame: it stands lower than it was told."""

    def __init__(self) -> None:
        self.place = (60, 90)

    def set_location(self, x: int, y: int) -> None:
        self.place = (x + 2, y + 28)

    def get_location(self) -> tuple[int, int]:
        return self.place


def test_a_window_does_not_creep_from_one_time_to_the_next() -> None:
    wanted: tuple[int, int] | None = (300, 200)
    for _ in range(5):
        place = WindowPlace(FramedWindow(), wanted)
        place.advance(2.0)
        wanted = place.now
    assert wanted == (300, 200)


def test_a_window_that_was_moved_comes_back_where_it_was_left() -> None:
    window = FramedWindow()
    place = WindowPlace(window, (300, 200))
    place.advance(2.0)
    window.place = (window.place[0] + 50, window.place[1] - 20)
    assert place.now == (350, 180)


def test_a_window_that_was_never_placed_is_remembered_where_it_is() -> None:
    place = WindowPlace(FramedWindow(), None)
    assert place.now is None
    place.advance(2.0)
    assert place.now == (60, 90)


def test_a_place_on_a_screen_that_is_gone_is_not_used() -> None:
    assert fitting_place((2000, 100), (800, 600), SCREENS) == (2000, 100)
    assert fitting_place((2000, 100), (800, 600), SCREENS[:1]) is None
    assert fitting_place((100, 1060), (800, 600), SCREENS) is None
    assert fitting_place((100, -500), (800, 600), SCREENS) is None
    assert fitting_place(None, (800, 600), SCREENS) is None


def test_a_size_is_cut_to_the_screen_and_nonsense_is_not_used() -> None:
    assert fitting_size((4000, 3000), SCREENS) == (1920, 1080)
    assert fitting_size((800, 600), SCREENS) == (800, 600)
    assert fitting_size((10, 600), SCREENS) is None
    assert fitting_size(None, SCREENS) is None
