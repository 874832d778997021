from types import SimpleNamespace

from juggle_anim.viewer.keyboard import release_shifted_keys, write_clipboard


class Window:
    """Gives away a text as pyglet does under X."""

    given = b""

    def set_clipboard_text(self, text: str) -> None:
        self.given = text.encode("utf-8")[: len(text)]


def test_a_text_is_given_away_whole_whatever_signs_are_in_it() -> None:
    window = Window()
    for text in ("pattern=531", "pattern=531;title=Mills’ café – 3×"):
        write_clipboard(window, text)
        assert window.given.decode() == text


def test_a_key_that_shift_changes_can_be_pressed_again_once_it_has_come_up() -> None:
    window = SimpleNamespace(pressed_keys={ord("+"), 65507})
    release_shifted_keys(window, ord("="))
    assert window.pressed_keys == {65507}
    window.pressed_keys.add(ord("a"))
    release_shifted_keys(window, ord("a"))
    assert window.pressed_keys == {65507, ord("a")}, "pyglet itself takes this one away"
