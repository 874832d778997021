"""Runs the real viewer for a test, which asks for its state, or for its pixels, over standard
input.

Commands, one a line: `state` answers with a line of JSON; `grab FILE` writes the pixels as .npy,
`close` asks the window to close, `edit PATTERN` changes the throws as by hand, `afresh JSON` has it
begin anew, as if just opened, and `rest` pauses; all then answer likewise. `place` tells where the
window stands, and `focused` whether keys come to it, for which the X server is asked.

To save time, it shares plans of bodies with tests, paints few of its frames, skips most of those in
which only time passes, and its cameras fly faster than a user's. A window with a memory of its own,
which tests soon close, has no process beside it.
"""

import gc
import json
import os
import sys
from ctypes import byref, c_int, c_ulong
from functools import lru_cache
from math import inf
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np
from imgui_bundle import imgui
from pyglet.libs.x11.xlib import XPending
from viewer_more_state import Clock, Ear, Eye, more_state
from window_starter import started

sys.path.append(str(Path(__file__).resolve().parents[2] / "support"))

from shared_plans import share_plans

from juggle_anim.animation import Animation, animate
from juggle_anim.body import Joint
from juggle_anim.language import choose_language
from juggle_anim.parameters import QUANTITIES, Group
from juggle_anim.routine.change_process import ChangeProcess
from juggle_anim.viewer.arms import lab_card
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.cards import browser, key_help, labels, notice, slider, ui
from juggle_anim.viewer.cards.ui import focus
from juggle_anim.viewer.editor import ladder_drawing
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.panel.controls import PANEL_CONTROLS, Line
from juggle_anim.viewer.session.file import open_session_file
from juggle_anim.viewer.session.session import last_animation
from juggle_anim.viewer.state import live_change
from juggle_anim.viewer.state.keymap import CAMERA_PATH, GENERATOR, PLOTS, ROUTINE, Action
from juggle_anim.viewer.state.playback import Sound
from juggle_anim.viewer.window import Viewer

share_plans()

# Transitions are seen however slow the machine is.
live_change._MAX_PREPARATION_TIME = 60.0
live_change._SLOWEST_PACE = 0.0

_PAINTED_EVERY = 48
"""Of so many frames one is painted; so are all of a film, and each that a test asks for."""

_DRAWN_EVERY = 8
"""Of so many frames one is drawn while a pattern plays and nobody does anything; a film has all."""


class DrivenViewer(Viewer):
    """A viewer that also listens to standard input."""

    def __init__(self, pattern: str, time: float, paused: bool, size: tuple[int, int]) -> None:
        path = os.environ.get("VIEWER_MEMORY")
        memory = open_session_file(Path(path)) if path else None
        resumed = pattern == "resumed"
        animation = last_animation(memory.state)[0] if memory and resumed else animate(pattern)
        super().__init__(
            animation,
            time,
            paused=paused,
            size=None if resumed else size,
            session=memory,
            resumed=resumed,
        )
        if not os.environ.get("VIEWER_DIALOGS"):
            self.controller.library.prompt.dialog = None  # whatever the machine has
        self.frames, self._undrawn_time = 0, 0.0
        self._scrolled = 0  # the frame in which the panel has come to where it begins
        self._alone = bool(path)
        self._grabbed: tuple[
            int, ...
        ] = ()  # the X window and its size, when it was last grabbed whole
        self.clock, self.ear, self.eye = Clock(), Ear(), Eye()
        self._posed: tuple[Animation, float, list[float]] | None = None

    def run(self) -> None:
        import pyglet

        pyglet.app.platform_event_loop.select_devices.add(Commands(self))
        super().run()

    def tick(self, elapsed: float) -> None:
        self.clock.tick(self.model, elapsed)
        super().tick(elapsed)
        self.eye.look(self.model)

    def start_helpers(self) -> ChangeProcess:
        return ChangeProcess() if self._alone else super().start_helpers()

    def draw(self, elapsed: float) -> None:
        self.frames += 1
        if self.frames == self._scrolled:
            ROWS.clear()
        elapsed += self._undrawn_time
        playing_alone = not (
            self._pacing.frames_due or self.model.playback.paused or self._recorder.recording
        )
        if playing_alone and self.frames % _DRAWN_EVERY:
            self._undrawn_time = elapsed
            return
        self._undrawn_time = 0.0
        NUMBERED.clear()
        # Which picture of a film is shown is known when it is painted.
        if (
            self._recorder.recording
            or self.controller.footage.film
            or self.frames % _PAINTED_EVERY == 0
        ):
            super().draw(elapsed)
            return
        # Cards and cameras do all that they do, but software OpenGL is slow: it paints what a test
        # looks at. Only now: it chooses how to load OpenGL by whether there is a window.
        from juggle_anim.render import gl
        from juggle_anim.render.gl_objects import ColourBuffer

        draw_scene, self._renderer.draw = self._renderer.draw, _draw_nothing
        show, ColourBuffer.show = ColourBuffer.show, _draw_nothing  # type: ignore[method-assign]
        gl.glEnable(gl.GL_RASTERIZER_DISCARD)
        self._render(elapsed)
        gl.glDisable(gl.GL_RASTERIZER_DISCARD)
        self._renderer.draw, ColourBuffer.show = draw_scene, show  # type: ignore[method-assign]

    def answer(self, command: str, path: str = "") -> None:
        """Do what a test asks for, after what its keys and its mouse have done, and tell the state
        then.
        """
        self.window.display.select()
        if command == "grab":
            np.save(path.strip(), self._grab_whole())
        elif command == "afresh":
            self._begin(**json.loads(path))
        elif command in ("place", "focused"):
            told = self.window.get_location() if command == "place" else self._focused()
            print(json.dumps({command: told}), flush=True)
            return
        elif command == "edit":
            score = animate(path.strip()).score
            self.controller.editor.apply(
                lambda editor: Animation(score, editor.draft.parameters), "edit"
            )
        elif command == "greet":
            self.greet()
        elif command == "rest":
            self.model.playback.paused = True
        elif command == "forget":
            forget(self.window)
        elif command == "close":
            self.window.dispatch_event("on_close")
        print(json.dumps(self.state()), flush=True)

    def _grab_whole(self) -> np.ndarray:
        """The pixels of the whole window.

        What the X server has not mapped, or made larger, yet is black, or whatever the memory held:
        a window of a new size is grabbed until it comes out twice alike.
        """
        pixels = self.grab()
        for _ in range(20):
            window = self.window._window, *pixels.shape
            if window == self._grabbed and pixels[0].any() and pixels[:, -1].any():
                break
            before = pixels
            sleep(0.1)
            self.window.dispatch_events()
            pixels = self.grab()
            if np.array_equal(pixels, before):
                self._grabbed = window
        return pixels

    def _begin(
        self,
        pattern: str,
        at: float,
        paused: bool,
        ear: bool,
        chosen: str,
        folded: bool,
        language: str,
    ) -> None:
        """Begin anew: nothing that was opened, turned, typed or copied is left."""
        choose_language(language)
        # A field gives its text back, and another takes the keyboard, in the frame after it is
        # left.
        for _ in range(2):
            imgui.internal.clear_active_id()
            self.draw(0.0)
        # A letter of the test before begins no name with one of this test.
        vars(self._keyboard).update(_letter="", _acted_letter="")
        model, desk = self.model, self.controller.library
        desk.write_clipboard("")
        self._recorder.finish()
        kept = desk.read_clipboard, desk.write_clipboard, model.playback.frame_time
        dialog = desk.prompt.dialog
        desk.prompt.close()  # its library waits without end for a dialog that it has to forget
        self.controller.footage.close()
        self.controller.__init__(_animate(pattern), at, paused=paused)  # type: ignore[misc]
        model, desk = self.model, self.controller.library
        desk.read_clipboard, desk.write_clipboard, model.playback.frame_time = kept
        desk.prompt.dialog = dialog
        model.live.in_background = True
        panel = self._overlay._cards.get("cards.panel:Panel")
        if panel:
            vars(panel)["_chosen"] = None  # it scrolls to what is chosen
        if not folded:
            model.listing.folded.clear()
        if chosen:
            model.choose(next(row for row in PANEL_CONTROLS if row.name == chosen))
        self.clock, self.ear, self.eye = Clock(), Ear(), Eye()
        if ear:
            model.sound = Sound(lambda: self.ear)
        imgui.internal.clear_active_id()
        for drawn in (ROWS, BUTTONS, CHIPS, ANSWERS, LADDER):
            drawn.clear()
        HELP.update(page=None, size=None, spots={})
        self._scrolled = self.frames + 2
        self._dpi.advance(inf)  # another test may have changed that of the screen for a while
        self._pacing.frames_due = 3

    def state(self) -> dict[str, Any]:
        model, layout = self.model, self.layout
        self._picture.aim(model, layout, 0.0)  # a camera may have got a goal since the last frame
        animation, error = model.animation, model.pattern_error
        return {
            "pattern": animation.text,
            "line": model.line,
            "error": str(error) if error else "",
            "chosen": name_of(model.chosen),
            "lines": [name_of(line) for line in model.lines],
            "sought": model.listing.query,
            "presets": model.preset_list.presets if model.preset_list.shown else None,
            "head": [layout.head.left, layout.head.top, layout.head.width, layout.head.height]
            if layout.head
            else None,
            "parameters": {row.name: getattr(animation.parameters, row.name) for row in QUANTITIES},
            "time": model.playback.time,
            "paused": model.playback.paused,
            "entry": [model.entry.typed.text, model.entry.typed.error]
            if model.entry.typed
            else None,
            "panel": model.cards.panel_shown,
            "arms": animation.parameters.arms,
            "ghost": animation.parameters.ghost,
            "plots": list(model.plots.indices) if model.cards.strip == PLOTS else [],
            "arm": [model.arm.juggler, model.arm.side],
            "strip": [layout.strip.left, layout.strip.top, layout.strip.width, layout.strip.height]
            if layout.strip
            else None,
            "lab": self._lab(),
            "desk": self._desk(),
            "standpoint": model.rig.view,
            "help": model.cards.help_shown,
            "held": model.rig.is_manual,
            "settled": model.rig.settled,
            "view": model.rig.view,
            "said": model.notice.text,
            "numbers": model.screen.numbers,
            "following": model.rig.following,
            "fullscreen": self.window.fullscreen,
            "eye": model.rig.camera.eye,
            "target": model.rig.camera.target,
            "elbow": self._elbow() if model.playback.paused else None,
            "size": [layout.width, layout.height],
            "xid": self.window._window,
            "typing": self._keyboard.typing,
            "caption": self.window.caption,
            "frames": self.frames,
            "shown": not self._visibility.hidden,
            "awake": max(
                self._pacing.frames_due,
                XPending(self.window._x_display),
                self.input_events.keyboard.waits,
                # While a pattern is laid out in a process beside, the view may change afterwards.
                model.playback.paused and not self._pacing.is_idle,
            ),
            "letter_waits": self.input_events.keyboard.waits,
            "rows": ROWS,
            "fastest": self.eye.fastest,
            "recording": self._recorder.recording.elapsed(perf_counter())
            if self._recorder.recording
            else None,
            "help_button": BUTTONS.get(Action.TOGGLE_HELP),
            "close_button": BUTTONS.get(Action.BACK),
            "drawn_help": HELP,
            "filter_places": CHIPS,
            "numbered": NUMBERED,
            "ladder": LADDER,
            "spots": self._spots(),
            "scale": layout.scale,
            "tip": [focus.tip.title, focus.tip.text, focus.tip.notes, focus.tip.keys],
            "controls": {each.name: [*each.place.low, *each.place.size] for each in focus.controls},
            "unexplained": [each.name for each in focus.controls if each.is_unexplained],
            "stops": [each.name for each in focus.controls if each.tab_stop],
            **more_state(self.controller, self.clock, self.ear),
        }

    def _elbow(self) -> list[float]:
        """Where the left elbow is; while a paused window is asked again and again, it is computed
        once.
        """
        animation, time = self.model.animation, self.model.playback.time
        if not self._posed or self._posed[0] is not animation or self._posed[1] != time:
            joints = animation.pose(np.array([time])).joints[0, 0]
            self._posed = animation, time, joints[Joint.LEFT_ELBOW].tolist()
        return self._posed[2]

    def _spots(self) -> dict[str, list[float]]:
        """Where things are to which the look around points, by their names."""
        return {
            str(getattr(name, "name", name)): [place.left, place.top, place.width, place.height]
            for name, place in ui.spots.items()
        }

    def _focused(self) -> bool:
        """Whether keys come here, and nothing is in the way of the mouse."""
        from pyglet.libs.x11 import xlib

        focus = c_ulong()
        xlib.XGetInputFocus(self.window.display._display, byref(focus), byref(c_int()))
        return bool(focus.value == self.window._window and not self._visibility.hidden)

    def _desk(self) -> dict[str, Any]:
        desk = self.controller.library
        if not (desk.files.question or desk.prompt.purpose):
            ANSWERS.clear()  # those of the next one come when it is drawn
        browser = desk.browser
        found = [listed.pattern.name for listed in browser.results] if desk.is_browsing else []
        return {
            "browsing": desk.is_browsing,
            "routine": self.model.cards.panel == ROUTINE,
            "routine_line": self.controller.routine.typed if self.controller.routine.typing else "",
            "routine_error": self.controller.routine.error,
            "camera_path": self.model.cards.panel == CAMERA_PATH,
            "views": self.model.camera_keys.text,
            "versions": len(self.controller.variations.versions),
            "generated": len(desk.generator.found) if self.model.cards.panel == GENERATOR else 0,
            "ready": self._overlay.input.typing
            and not (browser.wants_focus or desk.prompt.wants_focus),
            "file": browser.file,
            "words": browser.query,
            "found": found,
            "chosen": browser.chosen.pattern.name if desk.is_browsing and browser.chosen else "",
            "favourites": browser.favourites,
            "recent": browser.recent,
            "notice": self.model.notice.text,
            "prompt": desk.prompt.purpose.name if desk.prompt.purpose else "",
            "prompt_error": desk.prompt.error,
            "prompt_text": desk.prompt.text,
            "prompt_told": desk.prompt.hint,
            "question": desk.files.question.title if desk.files.question else "",
            "answer": desk.files.question.answers[desk.files.question.chosen].label
            if desk.files.question
            else "",
            "answers": ANSWERS,
            "edited": desk.files.shown.is_edited,
            "events": self.model.animation.pattern is None,
        }

    def _lab(self) -> dict[str, Any] | None:
        lab = self.model.lab
        if lab is None:
            return None
        return {
            "method": lab.method.name,
            "goal": lab.goal.tolist(),
            "turn": lab.goal_rotation.tolist(),
            "elbow": lab.joints[Joint.LEFT_ELBOW].tolist(),
            "chest": lab.joints[Joint.CHEST].tolist(),
            "missing": lab.error,
            "steps": lab.step_count,
            "busy": lab.is_moving,
            "held": lab.paused,
            "place": lab_card.on_screen(lab.goal, self.layout, self.model.rig.camera),
        }


def _draw_nothing(*_: object, **__: object) -> None:
    """A renderer's `draw` where nobody looks."""


class Commands:
    """Standard input, as pyglet's loop of events listens to it."""

    def __init__(self, viewer: DrivenViewer) -> None:
        self._viewer = viewer

    def fileno(self) -> int:
        return sys.stdin.fileno()

    def poll(self) -> bool:
        return False

    def select(self) -> None:
        """Answer a command; a test sends no other before that."""
        line = os.read(self.fileno(), 65_536).decode()
        if line:
            self._viewer.answer(*line.split(maxsplit=1))
        else:  # the test is gone
            self._viewer.exit()


def name_of(line: Line) -> str:
    """By what a line is known: the name of its knob, or of its group."""
    return line.value if isinstance(line, Group) else line.name


def forget(window: Any) -> None:
    """Lose all that OpenGL holds for a window, as after a reset of the graphics card."""
    window.context.destroy()
    window._context = window.config.create_context(None)
    window._context.attach(window.canvas)
    window.switch_to()
    window.dispatch_event("on_context_lost")


_animate = lru_cache(maxsize=16)(animate)

_SWIFT = 6
"""So many times as fast as otherwise cameras fly here."""
_aim = CameraRig.aim


def _aim_swiftly(
    self: CameraRig, animation: Animation, layout: Layout, elapsed: float, *how: Any, **more: Any
) -> None:
    _aim(self, animation, layout, _SWIFT * elapsed, *how, **more)


ROWS: dict[str, list[float]] = {}
_draw = slider.Sliders.draw


def _record(self: slider.Sliders, model: Any, quantity: Any, row: Any) -> None:
    ROWS[quantity.name] = [row.left, row.top, row.width, row.height]
    _draw(self, model, quantity, row)


LADDER: dict[str, list[float]] = {}
"""The handles on the ladder as they were drawn last, each by its kind and number: where, [pixels].
"""
_draw_handles = ladder_drawing.LadderDrawing.draw


def _record_handles(self: ladder_drawing.LadderDrawing) -> None:
    _draw_handles(self)
    handles, view = self._handles, self._view
    LADDER.clear()
    for lap in sorted(view.loop_lefts, reverse=True):
        for each, (x, y) in zip(
            handles.handles, view.to_window(handles.places, lap).tolist(), strict=True
        ):
            if x >= view.left:
                LADDER[f"{each.kind.name.lower()} {next(iter(vars(each.handle).values()))}"] = [
                    x,
                    y,
                ]


BUTTONS: dict[Action, tuple[float, float]] = {}
_draw_button = ui.draw_key_button


def _record_button(action: Action, words: str, x: float, y: float, *more: Any, **how: Any) -> Any:
    BUTTONS[action] = x + 4, y + 4
    return _draw_button(action, words, x, y, *more, **how)


NUMBERED: list[tuple[str, float, float]] = []
_number_juggler = labels._draw_juggler_number


def _record_number(words: str, x: float, y: float) -> None:
    NUMBERED.append((words, x, y))
    _number_juggler(words, x, y)


ANSWERS: dict[str, list[float]] = {}
_button = notice.place_button


def _record_answer(name: str, place: Any, *more: Any, **how: Any) -> bool:
    ANSWERS[name] = [place.left, place.top, place.width, place.height]
    return _button(name, place, *more, **how)


CHIPS: list[list[float]] = []
_chip = browser.draw_filter_chip


def _record_chip(shelf: Any, number: int, place: Any) -> Any:
    CHIPS[number:] = [[place.left, place.top, place.width, place.height]]
    return _chip(shelf, number, place)


HELP: dict[str, Any] = {"page": None, "size": None, "spots": {}}
"""The page of the help that was drawn last: in a window of which size, and where a click on it does
which action.
"""
_draw_help, _clickable = key_help.KeyHelp.draw, key_help.place_action_button


def _record_help(card: Any, frame: Any, place: Any) -> None:
    size = [frame.layout.width, frame.layout.height]
    HELP.update(page=frame.model.help_pages.first, size=size, spots={})
    _draw_help(card, frame, place)


def _record_spot(controller: Any, action: Action, name: str, place: Any) -> bool:
    HELP["spots"].setdefault(action.name, [place.left, place.top, place.width, place.height])
    return _clickable(controller, action, name, place)


if __name__ == "__main__":
    CameraRig.aim = _aim_swiftly
    slider.Sliders.draw = _record
    ui.draw_key_button = _record_button
    ladder_drawing.LadderDrawing.draw = _record_handles  # type: ignore[method-assign]
    browser.draw_filter_chip, notice.place_button = _record_chip, _record_answer
    labels._draw_juggler_number = _record_number
    key_help.KeyHelp.draw = _record_help  # type: ignore[method-assign]
    key_help.place_action_button = _record_spot
    words = sys.argv[1:]
    if words[0] == "start":
        words = started(int(words[1]))
    pattern, time, paused, width, height = words
    viewer = DrivenViewer(pattern, float(time), paused == "paused", (int(width), int(height)))
    print(json.dumps(viewer.state()), flush=True)
    gc.freeze()  # modules stay; to look for garbage among them takes time from frames
    try:
        viewer.run()
    finally:
        viewer.close()
