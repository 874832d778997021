from juggle_anim.viewer.pyglet_fixes import write_clipboard


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
