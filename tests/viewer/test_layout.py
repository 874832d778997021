import pytest

from juggle_anim.viewer.layout import MIN_SIZE, Rectangle, arrange, scale_in_window


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1280, 800), (1920, 1080), MIN_SIZE])
def test_panel_and_bar_are_within_the_window_and_apart(size: tuple[int, int]) -> None:
    layout = arrange(*size, 1.0, shown=True)
    assert layout.panel
    assert layout.bar
    for place in (layout.panel, layout.bar):
        assert place.left > 0
        assert place.top > 0
        assert place.left + place.width < size[0]
        assert place.top + place.height < size[1]
    assert layout.panel.left + layout.panel.width < layout.bar.left


@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (1920, 1080)])
def test_most_of_the_window_is_left_to_the_picture(size: tuple[int, int]) -> None:
    free = arrange(*size, 1.0, shown=True).free
    assert free.width * free.height > 0.55 * size[0] * size[1]


def test_a_rectangle_on_pixels_is_as_near_as_whole_edges_can_be() -> None:
    assert Rectangle(8.4, 7.6, 100.3, 20.2).on_pixels() == Rectangle(8, 8, 101, 20)


def test_a_dense_screen_has_everything_larger() -> None:
    once, twice = arrange(1280, 800, 1.0, shown=True), arrange(2560, 1600, 2.0, shown=True)
    assert once.panel
    assert twice.panel
    assert twice.scale == 2 * once.scale
    assert twice.panel.width == 2 * once.panel.width
    assert twice.shift == pytest.approx(once.shift)


def test_a_large_window_has_larger_texts_and_more_room() -> None:
    assert scale_in_window(1.0, 1280, 800) == scale_in_window(1.0, 1920, 800) == 1.0
    assert scale_in_window(1.0, 640, 480) == 1.0
    assert scale_in_window(1.0, 1920, 1200) == pytest.approx(1.5**0.5)
    assert scale_in_window(2.0, 2560, 1600) == 2.0


def test_a_dense_screen_does_not_fill_a_small_window_with_the_panel() -> None:
    layout = arrange(800, 600, 2.0, shown=True)
    assert layout.panel
    assert layout.panel.width < 0.45 * 800


@pytest.mark.parametrize(
    ("width", "height", "shown"), [(640, 480, False), (200, 480, True), (640, 100, True)]
)
def test_without_the_panel_the_whole_window_is_free(width: int, height: int, shown: bool) -> None:
    layout = arrange(width, height, 1.0, shown=shown)
    assert layout.panel is None
    assert layout.bar is None
    assert (layout.free.width, layout.free.height) == (width, height)
    assert layout.shift == (0.0, 0.0)


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1280, 800), (1920, 1080), MIN_SIZE])
def test_plots_stand_above_the_bar_and_leave_the_picture_most_of_the_rest(
    size: tuple[int, int],
) -> None:
    layout = arrange(*size, 1.0, shown=True, plots=True)
    assert layout.strip
    assert layout.panel
    assert layout.bar
    assert layout.strip.left > layout.panel.left + layout.panel.width
    assert layout.strip.left + layout.strip.width < size[0]
    assert layout.strip.top + layout.strip.height < layout.bar.top
    assert layout.free.height == layout.strip.top
    assert layout.free.height > 0.42 * size[1]
    assert arrange(*size, 1.0, shown=False, plots=True).strip is None


def test_the_bar_is_as_wide_as_the_strip_unless_much_would_be_left_beside_it() -> None:
    for width in (640, 800, 960, 1000):
        layout = arrange(width, 600, 1.0, shown=True, plots=True, beats=True)
        assert layout.bar
        assert layout.strip
        assert layout.head
        assert layout.bar.left == layout.head.left == layout.strip.left
        assert layout.bar.width == layout.head.width == layout.strip.width
    wide = arrange(1280, 800, 1.0, shown=True, plots=True)
    assert wide.bar
    assert wide.strip
    assert wide.bar.width < wide.strip.width
