"""Drags something to a window as a file manager does, by the protocol XDND 5.

Arguments: the window's number, the kind of data, the data, and whether to name the kind in a list ("list") or at once
("short"). Prints what the window answers: "taken" or "refused".
"""

import sys
import time
from ctypes import POINTER, byref, c_ubyte, c_ulong, cast

from pyglet.libs.x11 import xlib

target, kind, data, manner = int(sys.argv[1]), sys.argv[2], sys.argv[3].encode(), sys.argv[4]
display = xlib.XOpenDisplay(None)


def atom(name: str) -> int:
    return xlib.XInternAtom(display, name.encode(), False)


root = xlib.XDefaultRootWindow(display)
source = xlib.XCreateSimpleWindow(display, root, 0, 0, 10, 10, 0, 0, 0)
xlib.XSetSelectionOwner(display, atom("XdndSelection"), source, 0)
kinds = (c_ulong * 4)(atom("text/x-one"), atom("text/x-two"), atom("text/x-three"), atom(kind))
if manner == "list":
    xlib.XChangeProperty(display, source, atom("XdndTypeList"), 4, 32, 0, cast(kinds, POINTER(c_ubyte)), 4)


def send(name: str, *numbers: int) -> None:
    event = xlib.XEvent()
    event.xclient.type, event.xclient.format = xlib.ClientMessage, 32
    event.xclient.message_type, event.xclient.window = atom(name), target
    event.xclient.display = cast(display, POINTER(xlib.Display))
    for at, number in enumerate((source, *numbers)):
        event.xclient.data.l[at] = number
    xlib.XSendEvent(display, target, False, 0, byref(event))
    xlib.XFlush(display)


def give(request: object) -> None:
    answer = xlib.XEvent()
    answer.xselection.type, answer.xselection.requestor = xlib.SelectionNotify, request.requestor
    answer.xselection.selection, answer.xselection.target = request.selection, request.target
    answer.xselection.property = request.property
    bytes_ = (c_ubyte * len(data)).from_buffer_copy(data)
    xlib.XChangeProperty(display, request.requestor, request.property, request.target, 8, 0, bytes_, len(data))
    xlib.XSendEvent(display, request.requestor, False, 0, byref(answer))
    xlib.XFlush(display)


send("XdndEnter", (5 << 24) | (manner == "list"), *([] if manner == "list" else [atom(kind), 0, 0]))
send("XdndPosition", 0, (100 << 16) | 100, 0, atom("XdndActionCopy"))
time.sleep(0.2)
send("XdndDrop", 0, 0)
end = time.monotonic() + 10
while time.monotonic() < end:
    event = xlib.XEvent()
    if not xlib.XPending(display):
        time.sleep(0.01)
        continue
    xlib.XNextEvent(display, byref(event))
    if event.type == xlib.SelectionRequest:
        give(event.xselectionrequest)
    elif event.type == xlib.ClientMessage and event.xclient.message_type == atom("XdndFinished"):
        print("taken" if event.xclient.data.l[1] else "refused")
        break
