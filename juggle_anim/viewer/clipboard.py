"""The clipboard: words given away whole."""

from __future__ import annotations

from typing import Any


def write_clipboard(window: Any, text: str) -> None:
    """Put a text into the clipboard of a window's display."""
    window.set_clipboard_text(_Bytewise(text))


class _Bytewise(str):
    """A text that is as long as its bytes: under X, pyglet 2.1 gives away so many bytes as there are characters."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.encode())
