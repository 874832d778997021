"""A session: from the opening of a window to its end, and what of it is remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.keeping import recall, remember, share
from juggle_anim.viewer.key_choice import chosen_bindings
from juggle_anim.viewer.keys import BINDINGS, use_bindings
from juggle_anim.viewer.memory import Memory
from juggle_anim.viewer.memory_file import MemoryFile
from juggle_anim.viewer.window_place import WindowPlace, fitting_place, screens_of

_SAVED = 2.0  # s; whatever ends the program, no more than this is lost


class Session:
    """Brings a viewer to where it was closed, and writes down where it is.

    Args:
        controller: of the viewer.
        window: pyglet's.
        file: of the memory; None where nothing is to be remembered.
        resumed: whether the pattern of the last time is shown.
    """

    def __init__(self, controller: Controller, window: Any, file: MemoryFile | None, resumed: bool) -> None:
        self.lost = False
        """Whether somebody else has destroyed the window."""
        self._controller, self._window, self._file = controller, window, file
        memory = file.memory if file else Memory()
        screens = screens_of(window.display) if memory.place else []
        size = window.get_size()
        self._place = WindowPlace(window, fitting_place(memory.place, size, screens) if memory.place else None)
        self._size, self._since = size, 0.0
        bindings, complaints = chosen_bindings(BINDINGS, memory.keys)
        use_bindings(bindings)
        recall(memory, controller, resumed)
        said = [file.trouble if file else "", *complaints]
        if trouble := "; ".join(filter(None, said)):
            controller.model.notice.say(trouble, bad=True)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s], and write down from time to time; returns whether something is to be drawn anew."""
        self._place.advance(elapsed)
        self._since += elapsed
        if self._since > _SAVED:
            self._since = 0.0
            self._write(closing=False)
        return self._controller.desk.advance(elapsed)

    def lose(self) -> None:
        """The window is gone."""
        self.lost = True

    def end(self) -> None:
        """Write down how it ends."""
        self._write(closing=True)

    def _write(self, closing: bool) -> None:
        if self._file is None:
            return
        memory = remember(self._controller, self._file.memory, closing)
        # A full screen is no size to open with.
        if not self.lost and not self._window.fullscreen:
            self._size = self._window.get_size()
            memory = replace(memory, place=self._place.now)
        before = self._file.trouble
        if self._file.write(replace(memory, size=self._size), last=closing):
            share(self._file.memory, self._controller.desk.browser)
        if self._file.trouble != before:
            self._controller.model.notice.say(self._file.trouble, bad=True)
