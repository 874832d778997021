"""Drags something to a window as a file manager does, by the protocol XDND 5."""

import time
from ctypes import POINTER, byref, c_ubyte, c_ulong, cast
from typing import Any

from pyglet.libs.x11 import xlib

_PATIENCE = 90.0  # s
_IGNORE = xlib.XErrorHandler(
    lambda *_: 0
)  # of a window that is gone; by itself Xlib ends the process


class DragSource:
    """A window of another program, from which things are dragged.

    Args:
        name: of the display.
    """

    def __init__(self, name: str) -> None:
        xlib.XSetErrorHandler(_IGNORE)
        self._display = xlib.XOpenDisplay(name.encode())
        self._source = xlib.XCreateSimpleWindow(
            self._display, xlib.XDefaultRootWindow(self._display), 0, 0, 10, 10, 0, 0, 0
        )

    def close(self) -> None:
        """Leave the display."""
        xlib.XCloseDisplay(self._display)

    def drop(self, target: int, kind: str, data: bytes, listed: bool) -> bool:
        """Drop something, and return whether it was taken.

        Args:
            target: the number of a window.
            kind: of the data, such as "text/uri-list".
            data: what is dropped.
            listed: whether the kind is named in a list, and not at once.
        """
        xlib.XSetSelectionOwner(self._display, self._atom("XdndSelection"), self._source, 0)
        if listed:
            kinds = (c_ulong * 4)(
                *map(self._atom, ("text/x-one", "text/x-two", "text/x-three", kind))
            )
            numbers = cast(kinds, POINTER(c_ubyte))
            xlib.XChangeProperty(
                self._display, self._source, self._atom("XdndTypeList"), 4, 32, 0, numbers, 4
            )
        self._send(
            target, "XdndEnter", (5 << 24) | listed, *([] if listed else [self._atom(kind), 0, 0])
        )
        self._send(target, "XdndPosition", 0, (100 << 16) | 100, 0, self._atom("XdndActionCopy"))
        self._await("XdndStatus", data)
        self._send(target, "XdndDrop", 0, 0)
        return bool(self._await("XdndFinished", data)[1])

    def _atom(self, name: str) -> int:
        return int(xlib.XInternAtom(self._display, name.encode(), False))

    def _send(self, target: int, name: str, *numbers: int) -> None:
        event = xlib.XEvent()
        event.xclient.type, event.xclient.format = xlib.ClientMessage, 32
        event.xclient.message_type, event.xclient.window = self._atom(name), target
        event.xclient.display = cast(self._display, POINTER(xlib.Display))
        for at, number in enumerate((self._source, *numbers)):
            event.xclient.data.l[at] = number
        xlib.XSendEvent(self._display, target, False, 0, byref(event))
        xlib.XFlush(self._display)

    def _await(self, name: str, data: bytes) -> Any:
        """Wait for an answer, and return its numbers; the data are given as often as they are asked
        for.
        """
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if not xlib.XPending(self._display):
                time.sleep(0.005)
                continue
            event = xlib.XEvent()
            xlib.XNextEvent(self._display, byref(event))
            if event.type == xlib.SelectionRequest:
                self._give(event.xselectionrequest, data)
            elif event.type == xlib.ClientMessage and event.xclient.message_type == self._atom(
                name
            ):
                return list(event.xclient.data.l)
        raise AssertionError(f"{name} never came")

    def _give(self, request: Any, data: bytes) -> None:
        answer = xlib.XEvent()
        answer.xselection.type, answer.xselection.requestor = (
            xlib.SelectionNotify,
            request.requestor,
        )
        answer.xselection.selection, answer.xselection.target = request.selection, request.target
        answer.xselection.property = request.property
        bytes_ = (c_ubyte * len(data)).from_buffer_copy(data)
        xlib.XChangeProperty(
            self._display,
            request.requestor,
            request.property,
            request.target,
            8,
            0,
            bytes_,
            len(data),
        )
        xlib.XSendEvent(self._display, request.requestor, False, 0, byref(answer))
        xlib.XFlush(self._display)
