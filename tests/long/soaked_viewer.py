"""Runs the real viewer for a soak: `python soaked_viewer.py SEED SECONDS REST FOLDER`.

Random inputs come every 50 ms through the window's own event handlers, as pyglet calls them, and
not through the X server: so each seed gives the same inputs however busy the machine is, text can
hold any character, and no program has to be started for each. What changes the window itself – its
size, full screen, hiding, the clipboard – does go through the server, and comes back from it.

Each REST seconds the inputs stop, and everything is put back to the same small pattern, before the
memory is measured: so what differs from rest to rest is what has leaked. Each rest, and the end, is
a line of JSON on standard output.

Nothing outside FOLDER can be written: whoever tries – random paths are typed, too – gets an error.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pyglet
from held_memory import held_memory, whole_memory
from pyglet.libs.x11 import xlib
from pyglet.window import key, mouse
from soak_inputs import VALID, Files, Input, inputs, write_files

from juggle_anim.animation import animate
from juggle_anim.parameters import row_named
from juggle_anim.routine.change_process import ChangeProcess
from juggle_anim.viewer.session.file import open_session_file, session_path
from juggle_anim.viewer.window import Viewer

INTERVAL = 0.05
"""Between inputs, [s]."""

_SPEED = 20.0
_CALM = 3.0  # s of rest before the memory is measured
_MOST_AT_ONCE = 8  # inputs that are made up for after a slow frame
_STILL = 60  # inputs after which a paused picture goes on
_INPUTS_TO_CHANGE = 40  # after which another pattern follows live
_TOLD = 60  # inputs that are told of when something has gone wrong

_SYMBOLS = {"enter": key.RETURN, "pageup": key.PAGEUP, "pagedown": key.PAGEDOWN}
_MODIFIERS = {"ctrl": key.MOD_CTRL, "shift": key.MOD_SHIFT, "alt": key.MOD_ALT}
_HELD = {"ctrl": key.LCTRL, "shift": key.LSHIFT, "alt": key.LALT}
_SIGNS = {",": key.COMMA, ".": key.PERIOD, "[": key.BRACKETLEFT, "]": key.BRACKETRIGHT,
    "/": key.SLASH,
          "<": key.LESS, ">": key.GREATER, "?": key.QUESTION, "-": key.MINUS, "=": key.EQUAL,
          "+": key.PLUS}  # fmt: skip
_BUTTONS = {1: mouse.LEFT, 2: mouse.MIDDLE, 3: mouse.RIGHT}


class SoakedViewer(Viewer):
    """A viewer that cannot be left before its time."""

    ended = False

    def __init__(self, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self.controller.library.prompt.dialog = None  # whatever the machine has

    def exit(self) -> None:
        if self.ended:
            super().exit()
        self.model.leaving = False


class Hand:
    """Makes inputs to a window, as pyglet would report them.

    Args:
        viewer: whose window it is.
    """

    def __init__(self, viewer: Viewer) -> None:
        self._viewer, self._window = viewer, viewer.window
        self._down: dict[int, bool] = {}
        self._chord = ""

    def make(self, given: Input) -> None:
        """Make one input."""
        word, *rest = given
        getattr(self, "_" + str(word).replace(" ", "_"))(*rest)

    def let_all_go(self) -> None:
        """Nothing is held any more."""
        self._let_go()
        for button in list(self._down):
            self._release(0.5, 0.5, button)
        self._show()

    def _key(self, chord: str) -> None:
        self._hold(chord)
        self._let_go()

    def _hold(self, chord: str) -> None:
        self._let_go()
        *held, name = chord.split("+") if len(chord) > 1 else [chord]
        modifiers = sum(_MODIFIERS[each] for each in held)
        for each in held:
            self._window.dispatch_event("on_key_press", _HELD[each], modifiers)
        self._window.dispatch_event("on_key_press", _symbol(name), modifiers)
        if len(name) == 1 and not held:
            self._window.dispatch_event("on_text", name)
        self._chord = chord

    def _let_go(self) -> None:
        if not self._chord:
            return
        *held, name = self._chord.split("+") if len(self._chord) > 1 else [self._chord]
        self._chord = ""
        self._window.dispatch_event(
            "on_key_release", _symbol(name), sum(_MODIFIERS[each] for each in held)
        )
        for each in held:
            self._window.dispatch_event("on_key_release", _HELD[each], 0)

    def _type(self, text: str) -> None:
        for character in text[:200]:
            self._window.dispatch_event("on_text", character)
        if text[200:]:
            self._window.dispatch_event("on_text", text[200:])

    def _move(self, x: float, y: float) -> None:
        across, up = self._pixels(x, y)
        if self._down:
            self._window.dispatch_event("on_mouse_drag", across, up, 7, -3, _mask(self._down), 0)
        else:
            self._window.dispatch_event("on_mouse_motion", across, up, 7, -3)

    def _press(self, x: float, y: float, button: int, held: str = "") -> None:
        self._down[button] = True
        place = self._pixels(x, y)
        self._window.dispatch_event(
            "on_mouse_press", *place, _BUTTONS[button], _MODIFIERS.get(held, 0)
        )

    def _release(self, x: float, y: float, button: int) -> None:
        self._down.pop(button, None)
        self._window.dispatch_event("on_mouse_release", *self._pixels(x, y), _BUTTONS[button], 0)

    def _wheel(self, x: float, y: float, clicks: float) -> None:
        self._window.dispatch_event("on_mouse_scroll", *self._pixels(x, y), 0.0, clicks)

    def _size(self, width: int, height: int) -> None:
        if not self._window.fullscreen:
            self._window.set_size(width, height)

    def _drop(self, path: str) -> None:
        self._window.dispatch_event(
            "on_file_drop", *self._pixels(0.5, 0.5), [os.path.abspath(path)]
        )

    def _clip(self, text: str) -> None:
        self._viewer.controller.library.write_clipboard(text)

    def _leave(self) -> None:
        self._window.dispatch_event("on_mouse_leave", *self._pixels(0.0, 0.0))

    def _hide(self) -> None:
        if not self._window.fullscreen:
            xlib.XUnmapWindow(self._window._x_display, self._window._window)

    def _show(self) -> None:
        xlib.XMapWindow(self._window._x_display, self._window._window)

    def _blur(self) -> None:
        self._window.dispatch_event("on_deactivate")

    def _focus(self) -> None:
        self._window.dispatch_event("on_activate")

    def _close(self) -> None:
        self._window.dispatch_event("on_close")

    def _wait(self) -> None:
        pass

    def _pixels(self, x: float, y: float) -> tuple[int, int]:
        return round(x * self._window.width), round(y * self._window.height)


class Soak:
    """Makes random inputs, rests now and then, and tells what it costs.

    Args:
        viewer: that is soaked.
        given: its inputs.
        length: of the whole, [s].
        rest: from one rest to the next, [s].
    """

    def __init__(self, viewer: SoakedViewer, given: Any, length: float, rest: float) -> None:
        self._viewer, self._given, self._hand = viewer, given, Hand(viewer)
        self._length, self._rest, self._begun = length, rest, time.monotonic()
        self._next = self._begun
        self._until: float | None = None
        self._samples: list[tuple[float, float]] = []
        self._rests, self._paused, self._changed_after = 0, 0, 0
        self.made, self.kinds = 0, Counter[str]()
        self.last: deque[Input] = deque(maxlen=_TOLD)

    def go_on(self, _: float) -> None:
        """Do what is due."""
        now = time.monotonic()
        if self._until is not None:
            self._calm(now)
        elif now - self._begun > self._rest * (self._rests + 1) - _CALM:
            self._settle()
            self._until = now + _CALM
        else:
            self._play(now)

    def _play(self, now: float) -> None:
        self._next = max(self._next, now - _MOST_AT_ONCE * INTERVAL)
        while self._next <= now:
            self._next += INTERVAL
            given = next(self._given)
            self.made += 1
            self.kinds[str(given[0])] += 1
            self.last.append(given)
            self._hand.make(given)
        self._keep_going()

    def _keep_going(self) -> None:
        """Keep the picture moving at its speed: a soak of one that stands still proves little."""
        model = self._viewer.model
        self._paused = self._paused + 1 if model.playback.paused else 0
        if self._paused > _STILL and model.lab is None:
            model.playback.paused = False
        if model.animation.parameters.speed != _SPEED and self.made % 40 == 0:
            model.set_value(row_named("speed"), _SPEED)
        if self.made - self._changed_after >= _INPUTS_TO_CHANGE:
            self._changed_after = self.made
            self._change_live()

    def _change_live(self) -> None:
        """Let another pattern follow by a transition, which random inputs rarely bring about."""
        model = self._viewer.model
        model.live_change, model.playback.paused, model.playback.backwards = True, False, False
        model.type_pattern(VALID[self.made % len(VALID)])

    def _settle(self) -> None:
        """Put everything back to the small pattern."""
        self._hand.let_all_go()
        model, window = self._viewer.model, self._viewer.window
        desk = self._viewer.controller.library
        desk.browser.list_library()
        model.cards.panel = None
        model.cards.help_shown = model.screen.full = False
        model.lab = model.other = None
        model.entry.cancel()
        model.screen.recording_wanted = False
        model.cards.strip = None
        desk.prompt.close()
        model.preset_list.close()
        model.cards.panel_shown = True
        model.reset_all()
        model.type_pattern("pattern=3;speed=20")
        model.drop_pattern()
        model.playback.paused = False
        if window.fullscreen:
            window.set_fullscreen(False)
        window.set_size(640, 480)

    def _calm(self, now: float) -> None:
        assert self._until is not None
        left = self._until - now
        if left < 1.0:
            if not self._samples:
                gc.collect()
            self._samples.append((held_memory(), self._held_beside()))
        if left < 0:
            self._rests += 1
            self._tell(now - self._begun)
            self._until, self._next = None, now
            self._samples.clear()
            if now - self._begun > self._length - _CALM:
                self._viewer.ended = True
                self._viewer.exit()

    def _held_beside(self) -> float:
        """What the process that prepares changes holds, [MB]; 0 as long as there is none."""
        changes = self._viewer.model.live.process
        process = changes and changes._process
        return held_memory(process.pid) if process and process.poll() is None else 0.0

    def _tell(self, passed: float) -> None:
        memory, beside = (median(held) for held in zip(*self._samples, strict=True))
        told = {
            "seconds": round(passed, 1),
            "inputs": self.made,
            "memory": round(memory, 2),
            "beside": round(beside, 2),
            "whole": round(whole_memory(), 2),
            "files": len(os.listdir("/proc/self/fd")),
            "threads": threading.active_count(),
            "objects": len(gc.get_objects()),
            "pattern": self._viewer.model.animation.text,
            "frames": FRAMES[0],
            "changes": CHANGES[0],
        }
        print(json.dumps(told), flush=True)


FRAMES, CHANGES = [0], [0]
"""How many pictures were drawn, and how many live changes the process beside the window was asked
for.
"""


def _symbol(name: str) -> int:
    if name in _SIGNS:
        return _SIGNS[name]
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    return getattr(key, ("_" if name.isdigit() else "") + name.upper())


def _mask(down: dict[int, bool]) -> int:
    mask = 0
    for button in down:
        mask |= _BUTTONS[button]
    return mask


def _keep_within(folder: Path) -> None:
    """Refuse to write outside a folder."""
    allowed = (f"{folder}/", "/dev/")

    def watch(event: str, details: tuple[Any, ...]) -> None:
        if event == "open":
            path, _mode, flags = details
            writes = isinstance(flags, int) and flags & (
                os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
            )
            paths = [path] if writes and isinstance(path, str | bytes | os.PathLike) else []
        elif event in ("os.rename", "os.link", "os.symlink"):
            paths = list(details[:2])
        elif event in (
            "os.remove",
            "os.mkdir",
            "os.rmdir",
            "os.truncate",
            "os.chmod",
            "os.utime",
            "shutil.rmtree",
        ):
            paths = [details[0]]
        else:
            return
        for path in paths:
            whole = os.path.abspath(os.fsdecode(path))
            if not whole.startswith(allowed) and whole != str(folder):
                raise PermissionError(13, "outside the soak's folder", whole)

    sys.addaudithook(watch)


def main() -> None:
    """Soak."""
    seed, seconds, rest, folder = (
        sys.argv[1],
        float(sys.argv[2]),
        float(sys.argv[3]),
        Path(sys.argv[4]),
    )
    faults: list[str] = []
    files: Files = write_files(folder / "files")
    _keep_within(folder)
    _catch_everywhere(faults.append)
    viewer = SoakedViewer(
        animate("pattern=531;speed=20"), size=(640, 480), session=open_session_file(session_path())
    )
    _count_frames(viewer)
    _count_changes()
    soak = Soak(viewer, inputs(Random(seed), files), seconds, rest)
    pyglet.clock.schedule_interval(soak.go_on, INTERVAL / 2)
    try:
        viewer.run()
        viewer.close()
    except Exception:
        faults.append(traceback.format_exc())
    told = {
        "made": soak.made,
        "kinds": soak.kinds,
        "faults": faults,
        "last": list(soak.last) if faults else [],
    }
    print(json.dumps({"end": told}), flush=True)


def _count_frames(viewer: SoakedViewer) -> None:
    draw = viewer.draw

    def counted(elapsed: float) -> None:
        FRAMES[0] += 1
        draw(elapsed)

    viewer.draw = counted  # type: ignore[method-assign]


def _count_changes() -> None:
    change = ChangeProcess.change

    def counted(process: ChangeProcess, *asked: Any) -> Any:
        CHANGES[0] += 1
        return change(process, *asked)

    ChangeProcess.change = counted  # type: ignore[method-assign, assignment]


def _catch_everywhere(tell: Callable[[str], None]) -> None:
    """Have it told what goes wrong in other threads, in callbacks of C, and where nobody can catch
    it.
    """

    def in_thread(caught: threading.ExceptHookArgs) -> None:
        tell(
            f"in a thread: {''.join(traceback.format_exception(caught.exc_value))}"
            if caught.exc_value
            else "thread"
        )

    def unraisable(caught: Any) -> None:
        tell(
            f"{caught.err_msg or 'not raised'}: "
            f"{''.join(traceback.format_exception(caught.exc_value))}"
        )

    threading.excepthook, sys.unraisablehook = in_thread, unraisable


if __name__ == "__main__":
    main()
