"""Every error that juggle_anim raises on purpose: one base, a subclass for each stage that can fail."""

from juggle_anim.printable import columns, printable


class JuggleError(Exception):
    """Base of all errors that a user can cause and mend; its text is meant to be shown as it stands."""


class ParameterError(JuggleError):
    """A parameter that does not exist, or a value outside its range."""


class PatternError(JuggleError):
    """Throws that no juggler can juggle.

    `throw` is the index, in the order written, of the throw to blame, or None where the whole is at fault.
    """

    def __init__(self, message: str, throw: int | None = None) -> None:
        super().__init__(message)
        self.throw = throw


class NotationError(JuggleError):
    """Text that is not a pattern: the text, a caret under the place, the reason, and what would be accepted.

    Args:
        text: the text as it was typed.
        index: where in it the trouble starts, 0 to len(text).
        reason: what is wrong, as one sentence without a full stop.
        accepted: what would be accepted instead, likewise.

    `key` is the setting that holds the text, where a pattern is made of several; empty where it is made of one.
    """

    def __init__(self, text: str, index: int, reason: str, accepted: str = "") -> None:
        # Both may quote the text, and no sign in it may steer a terminal.
        self.reason = printable(reason, None)
        self.accepted = "\n".join(printable(line, None) for line in accepted.split("\n"))
        self.text, self.index = text, index
        self.key = ""
        line, caret = _window(text, index)
        message = f"{self.reason}\n  {line}\n  {' ' * columns(line[:caret])}^"
        super().__init__(f"{message}\n{self.accepted}" if accepted else message)


class FileError(JuggleError):
    """A file of patterns that cannot be read; its text begins with the file, and the line where that is known."""


class LibraryError(JuggleError):
    """A pattern file that cannot be read."""


class ChoreographyError(JuggleError):
    """A pattern that can be read, but not yet be juggled."""


class ChainError(JuggleError):
    """Joints that do not make a chain, or goals that do not fit one."""


class RenderError(JuggleError):
    """A picture that cannot be drawn: no OpenGL, or a size that it refuses."""


class ViewerError(JuggleError):
    """A window that cannot be opened."""


class ExportError(JuggleError):
    """A file that cannot be written."""


# A caret is only of use when it stands under its character, so a long text is shown in part.
_SHOWN = 100


def _window(text: str, index: int) -> tuple[str, int]:
    shown = printable(text, None)
    if len(shown) <= _SHOWN:
        return shown, index
    start = max(0, min(index - _SHOWN // 2, len(shown) - _SHOWN))
    piece = shown[start : start + _SHOWN]
    head = "…" if start else ""
    tail = "…" if start + _SHOWN < len(shown) else ""
    return f"{head}{piece}{tail}", index - start + len(head)
