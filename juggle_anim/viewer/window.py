"""The viewer's window: it handles events and draws frames.

The desktop's own dialog for the path of a file, which lets the window go on.

Events of keyboard and mouse in a window, under the names by which pyglet finds them.
"""

from __future__ import annotations

import gc
import math
import shutil
import sys
from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import cache, partial
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Size
from juggle_anim.language import _, begin_language
from juggle_anim.scene import STAGES, Scene
from juggle_anim.viewer.cards.notice import save_window_picture
from juggle_anim.viewer.frame_pacing import MAX_STEP, FramePacing
from juggle_anim.viewer.keyboard import (
    Keyboard,
    WindowVisibility,
    ctrl_and_shift,
    fix_file_drops,
    on_window_destroyed,
    release_shifted_keys,
    set_full_screen,
    write_clipboard,
)
from juggle_anim.viewer.layout import Layout, Point
from juggle_anim.viewer.panel.controls import SCROLLING, TURN, ZOOM
from juggle_anim.viewer.picture import GROUP, Picture
from juggle_anim.viewer.picture_parts import PicturePart, half_at, place_at, sheet_place_at
from juggle_anim.viewer.recording import BackgroundExports, Recorder
from juggle_anim.viewer.screenshot import Screen
from juggle_anim.viewer.session.file import SessionFile
from juggle_anim.viewer.session.session import Session
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import VARIATIONS, Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Purpose
from juggle_anim.viewer.window_open import ScreenDpi, give_icon, open_window

if TYPE_CHECKING:
    from imgui_bundle import portable_file_dialogs

    from juggle_anim.routine.change_process import ChangeProcess
    from juggle_anim.viewer.cards.overlay import Overlay


_PROGRAMS = (
    "zenity",
    "matedialog",
    "qarma",
    "kdialog",
)  # that show dialogs where the system does not


class NativeDialog:
    """Opens one dialog at a time, and is asked in each frame whether there is an answer."""

    def __init__(self) -> None:
        self._shown: portable_file_dialogs.open_file | portable_file_dialogs.save_file | None = None

    def open(self, purpose: Purpose, suggested: str) -> bool:
        """Open the desktop's dialog for the path of a file; return whether this desktop has one.

        The dialog is a process of its own and does not block; `answer` says whether it is done.

        Args:
            purpose: what the path is for; its value begins with the title of the dialog.
            suggested: the path with which the dialog begins; empty for the current folder.
        """
        if not _has_dialogs():
            return False
        # Imported when first used: most windows open no file.
        from imgui_bundle import portable_file_dialogs as dialogs

        title = purpose.value[0]
        if purpose in (Purpose.SAVE, Purpose.SAVE_LIST):
            self._shown = dialogs.save_file(title, suggested)
        else:
            named = " ".join(f"*{ending}" for ending in purpose.endings)
            # The dialog takes a path that ends in a slash as the folder to list.
            folder = suggested or f"{Path.cwd()}/"
            self._shown = dialogs.open_file(
                title, folder, [_("Supported files"), named, _("All files"), "*"]
            )
        return True

    def answer(self) -> str | None:
        """Return the chosen path, empty if none was chosen; None while the dialog is open."""
        if self._shown is None or not self._shown.ready(0):
            return None
        result = self._shown.result()
        self._shown = None
        return result if isinstance(result, str) else next(iter(result), "")

    def close(self) -> None:
        """Close the dialog, if it is open."""
        if self._shown is not None:
            self._shown.kill()
            self._shown = None


@cache
def _has_dialogs() -> bool:
    return sys.platform in ("win32", "darwin") or any(map(shutil.which, _PROGRAMS))


_MAX_CLICK_MOVE = 4  # pixels that a mouse may move in a click
_TURN_PER_CLICK = 0.04  # heights of the window by which a click of two fingers turns the camera
_MAX_GESTURE_GAP = 0.4  # s between two scrolls of one gesture, at most


class InputEvents:
    """Passes what keys and mouse do to the cards, or else to the picture.

    Args:
        window: pyglet's.
        controller: returns that of the viewer.
        overlay: returns the cards over the picture.
        layout: returns the present layout of the window.
        pacing: is woken by each event.
        draw_soon: called when a key or a character was handled.
    """

    def __init__(
        self,
        window: Any,
        controller: Callable[[], Controller],
        overlay: Callable[[], Overlay],
        layout: Callable[[], Layout],
        pacing: FramePacing,
        draw_soon: Callable[[], None],
    ) -> None:
        """Create the keyboard and the mouse of a window.

        Args:
            window: pyglet's window.
            controller: returns the present controller of the viewer.
            overlay: returns the overlay that draws the cards over the picture.
            layout: returns the present layout of the window.
            pacing: decides when frames are drawn; each event makes it draw some.
            draw_soon: called after a key or a character was handled, to draw without delay.
        """
        self.keyboard = Keyboard(controller, lambda: overlay().input, layout)
        self._window = window
        self._controller = controller
        self._overlay = overlay
        self._layout = layout
        self._pacing = pacing
        self._draw_soon = draw_soon
        self._mouse = _PictureMouse(controller, layout)

    def _place(self, x: float, y: float) -> Point:
        """Convert a pyglet position, from the lower left, to one from the upper left, [pixels]."""
        ratio = self._window.get_framebuffer_size()[0] / max(self._window.width, 1)
        return x * ratio, (self._window.height - 1 - y) * ratio

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Take a key that goes down: a shortcut, or a key for the focused text field."""
        self._pacing.wake()
        kept = self.keyboard.deferred.keep(partial(self.on_key_press, symbol, modifiers))
        if not kept and self.keyboard.press(symbol, modifiers):
            self._draw_soon()
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """A key comes up."""
        self._pacing.wake()
        release_shifted_keys(self._window, symbol)
        if not self.keyboard.deferred.keep(partial(self.on_key_release, symbol, modifiers)):
            self.keyboard.release(symbol, modifiers)

    def on_text(self, text: str) -> None:
        """A character is typed: for the text field, or a shortcut."""
        self._pacing.wake()
        if not self.keyboard.deferred.keep(partial(self.on_text, text)):
            self.keyboard.text(text)
            self._draw_soon()

    def on_mouse_motion(self, x: int, y: int, across: int, up: int) -> None:
        """Handle a move of the mouse."""
        self._pacing.wake()
        self._overlay().input.point(*self._place(x, y))

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Handle a mouse button that goes down, over a card or over the picture.

        imgui, which handles cards, gets the press in any case. Over a card, a press may also end
        the tour of the program. Over the picture it begins a drag of the camera or of a handle.

        Args:
            x, y: position of the mouse, [pixels] from the lower left corner, as pyglet has it.
            button: pyglet's number of the button.
            modifiers: pyglet's flags of the modifiers that are held.
        """
        from pyglet.window import mouse

        self._pacing.wake()
        # A letter may wait for a second one, as some actions have two. A press of the mouse ends
        # the wait, and the action of the first letter is done.
        self.keyboard.settle()
        # [pixels] from the upper left corner.
        position = self._place(x, y)
        overlay = self._overlay()
        layout = self._layout()
        overlay.input.point(*position)
        overlay.input.button(button, down=True)
        controller = self._controller()
        if overlay.covers(controller, layout, *position):
            # The tour ends unless the position is on its own card.
            controller.welcome.click(*position)
        else:
            # The gizmo is the handle of the arm lab's goal, which imgui draws over the picture.
            on_gizmo = overlay.covers_gizmo(controller.model, layout, *position)
            _ctrl, shift = ctrl_and_shift(modifiers)
            self._mouse.press(*position, left=button == mouse.LEFT, shift=shift, on_gizmo=on_gizmo)

    def on_mouse_drag(
        self, x: int, y: int, across: int, up: int, buttons: int, modifiers: int
    ) -> None:
        """Handle a move of the mouse with a button down."""
        self._pacing.wake()
        place = self._place(x, y)
        height = max(self._window.height, 1)
        self._overlay().input.point(*place)
        ctrl, shift = ctrl_and_shift(modifiers)
        self._mouse.move(*place, across / height, -up / height, ctrl=ctrl, shift=shift)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """A button comes up."""
        self._pacing.wake()
        self._mouse.release(*self._place(x, y))
        self._overlay().input.button(button, down=False)

    def on_mouse_scroll(self, x: int, y: int, across: float, up: float) -> None:
        """Scroll a card, or zoom or turn the picture, by the wheel or two fingers."""
        self._pacing.wake()
        place = self._place(x, y)
        overlay = self._overlay()
        if overlay.covers(self._controller(), self._layout(), *place):
            overlay.input.wheel(across, up)
        else:
            in_picture = place_at(self._controller().model, self._layout(), *place)
            ctrl, shift = overlay.input.ctrl_and_shift
            self._mouse.scroll(across, up, in_picture, ctrl=ctrl, shift=shift)

    def on_mouse_leave(self, x: int, y: int) -> None:
        """Handle that the mouse leaves the window."""
        self._pacing.wake()
        if not self._mouse.dragging:
            self._overlay().input.leave()

    def on_activate(self) -> None:
        """Handle that the window gets the keyboard."""
        self._overlay().input.focus(gained=True)

    def on_deactivate(self) -> None:
        """Handle that the window loses the keyboard."""
        self.keyboard.repeat.release()
        self._overlay().input.focus(gained=False)


class _Drag(Enum):
    HANDLE = auto()
    TURN = auto()
    MOVE = auto()


class _PictureMouse:
    """What the mouse does where no card is.

    Args:
        controller: gives the one that acts now.
        layout: gives the places in the window.
    """

    def __init__(self, controller: Callable[[], Controller], layout: Callable[[], Layout]) -> None:
        self._controller = controller
        self._layout = layout
        self._click = ClickDetector()
        self._drag: _Drag | None = None
        self._fingers = _TwoFingers()

    @property
    def dragging(self) -> bool:
        """Whether it drags something."""
        return self._drag is not None

    def press(self, x: float, y: float, *, left: bool, shift: bool, on_gizmo: bool) -> None:
        """Begin a drag of a handle, or else of the camera, which turns or moves.

        Args:
            x, y: position of the mouse, [pixels] from the upper left corner.
            left: whether the left button went down, which turns the camera; others move it.
            shift: whether Shift is held: then the left button moves the camera, too. On a handle,
                Shift adds it to those that are selected.
            on_gizmo: whether the mouse is on the gizmo, the handle of the arm lab, which uses the
                left button without Shift itself.
        """
        turns = left and not shift
        # A camera that still glides from the last drag stops under the mouse.
        self._controller().model.rig.catch()
        if left and self._controller().picture.press(x, y, adds=shift):
            self._drag = _Drag.HANDLE
        elif not (turns and on_gizmo):
            self._drag = _Drag.TURN if turns else _Drag.MOVE
            self._click.press(x, y)

    def move(
        self, x: float, y: float, across: float, down: float, *, ctrl: bool, shift: bool
    ) -> None:
        """Continue a drag: turn or move the camera, or move the handle to where the mouse is.

        Args:
            x, y: position of the mouse, [pixels] from the upper left corner.
            across, down: motion since the last event, in heights of the window.
            ctrl: whether Ctrl is held, with which a handle moves in depth.
            shift: whether Shift is held, with which a handle does not snap.
        """
        self._click.move(x, y)
        controller = self._controller()
        if self._drag is _Drag.TURN:
            controller.model.rig.rotate(across, down)
        elif self._drag is _Drag.HANDLE:
            controller.picture.aim(x, y, in_depth=ctrl, snaps=not shift)
        elif self._drag is _Drag.MOVE:
            controller.model.rig.pan(across, down)

    def release(self, x: float, y: float) -> None:
        """End a drag; where the mouse has hardly moved, it was a click.

        Args:
            x, y: position of the mouse, [pixels] from the upper left corner.
        """
        controller = self._controller()
        turned_camera = self._drag is _Drag.TURN
        self._drag = None
        if turned_camera:
            # A camera that is let go while it turns may glide on.
            controller.model.rig.let_go(glides=controller.model.window_controls.glides)
        controller.picture.release()
        if self._click.release():
            self._choose_at(x, y)

    def _choose_at(self, x: float, y: float) -> None:
        """Handle a click on the picture.

        On the sheet of variations it chooses the variation there. Elsewhere it ends the selection
        of the editor, and chooses the half of a split view.

        Args:
            x, y: position of the mouse, [pixels] from the upper left corner.
        """
        controller = self._controller()
        if controller.model.cards.panel == VARIATIONS:
            variation = sheet_place_at(self._layout(), x, y)
            if variation is not None:
                controller.variations.choose(variation)
        else:
            controller.editor.selection = ()
            controller.split.choose(half_at(controller.model, self._layout(), x))

    def scroll(self, across: float, up: float, place: Point, *, ctrl: bool, shift: bool) -> None:
        """Zoom or rotate the camera by the wheel, or by two fingers on a touchpad.

        By default a wheel zooms and two fingers rotate; a setting may choose one action for both.

        Args:
            across, up: by how many clicks of a wheel, to the right and up; fractions on a touchpad.
            place: position of the mouse in the picture, in the unit of `CameraRig.zoom`.
            ctrl: whether Ctrl is down, which always zooms.
            shift: whether Shift is down, which rotates sideways.
        """
        model = self._controller().model
        chosen = model.window_controls.value(SCROLLING)
        self._fingers.note_scroll(across, up, monotonic())
        turns = chosen == TURN or shift or (chosen != ZOOM and self._fingers.are_two)
        if turns and not ctrl:
            sideways = across
            upward = up
            if shift:
                # A wheel has only one axis; with Shift it rotates sideways.
                sideways = across or up
                upward = 0.0
            # A click rotates the camera like a drag over `_TURN_PER_CLICK` of the window's height.
            model.rig.rotate(-_TURN_PER_CLICK * sideways, _TURN_PER_CLICK * upward)
        elif up:
            model.rig.zoom(up, place)


class _TwoFingers:
    """Tells two fingers on a touchpad from a wheel, by what they scroll.

    A wheel turns by whole clicks along one axis. Fingers also go sideways, or by parts of clicks;
    what follows at once is theirs, too. Of touch and pinches pyglet 2.1 tells nothing.
    """

    def __init__(self) -> None:
        self.are_two = False
        """Whether the last scroll was of two fingers."""
        self._last_time = -math.inf

    def note_scroll(self, across: float, up: float, now: float) -> None:
        """Update `are_two`, whether two fingers on a touchpad scroll rather than a wheel.

        Only fingers scroll sideways or by fractions of a click. They may also scroll by whole
        clicks in between, so the events that follow soon count as theirs, too.

        Args:
            across, up: by how many clicks of a wheel, also fractions.
            now: time of the event, [s].
        """
        cannot_be_wheel = bool(across) or up != round(up)
        self.are_two = cannot_be_wheel or (
            self.are_two and now - self._last_time < _MAX_GESTURE_GAP
        )
        self._last_time = now


class ClickDetector:
    """Tells a click on the picture from the start of a drag."""

    def __init__(self) -> None:
        self._pressed_at: Point | None = None

    def press(self, x: float, y: float) -> None:
        """A button goes down on the picture, [pixels]."""
        self._pressed_at = x, y

    def move(self, x: float, y: float) -> None:
        """Handle a move of the mouse with the button down."""
        if self._pressed_at:
            pressed_x, pressed_y = self._pressed_at
            if max(abs(x - pressed_x), abs(y - pressed_y)) > _MAX_CLICK_MOVE:
                self._pressed_at = None

    def release(self) -> bool:
        """Take the button up; return whether that was a click."""
        clicked = self._pressed_at is not None
        self._pressed_at = None
        return clicked


# frames that are not painted before one that is; each takes a key, a click, or any length of text
_MAX_UNPAINTED_FRAMES = 100
_USUAL_REFRESH_RATE = 60  # Hz
_MIN_REFRESH_RATE = 30  # Hz
_MAX_REFRESH_RATE = 240  # Hz
_DEFERRED_START_DELAY = 1.0  # s after the first picture, when what may be needed later is started


class Viewer:
    """A window that shows an animation. `run` it, then `close` it.

    Args:
        animation: shown first.
        start_time: start time of the picture, [s].
        paused: whether it begins paused.
        size: size of the window, width and height, [pixels]; by default the remembered size, or one
            that suits the screen.
        session: the session file to restore and to update; by default none.
        resumed: whether to restore the pattern of the last session, too.

    Raises:
        ViewerError: no window can be opened.
    """

    def __init__(
        self,
        animation: Animation,
        start_time: float = 0.0,
        *,
        paused: bool = False,
        size: Size | None = None,
        session: SessionFile | None = None,
        resumed: bool = False,
    ) -> None:
        """Open the window, and create what draws in it and what handles its input.

        Args:
            animation: the animation that is shown first.
            start_time: time of the animation with which playback begins, [s].
            paused: whether playback begins paused.
            size: size of the window, width and height, [pixels]; None for the remembered size, or
                one that suits the screen.
            session: the session file to restore and to update; None for none.
            resumed: whether to restore the pattern of the last session, too.

        Raises:
            ViewerError: no window can be opened.
        """
        self.controller = Controller(animation, start_time, paused=paused)
        self.model.live.in_background = True
        # The window is filled with the colour of the stage until the first frame.
        colour = STAGES[animation.parameters.stage].floor
        begin_language()
        self.window = open_window(
            _caption(animation), size or (session.state.size if session else None), colour
        )
        try:
            # Makes the renderer and the overlay of cards in the context of the window.
            self._load_opengl()
        except Exception:
            self.window.close()
            raise
        # Input. It gets functions, as the overlay and the layout are replaced while the window is
        # open.
        self._pacing = FramePacing()
        self.input_events = InputEvents(
            self.window,
            controller=lambda: self.controller,
            overlay=lambda: self._overlay,
            layout=lambda: self.layout,
            pacing=self._pacing,
            draw_soon=self._draw_soon,
        )
        self._keyboard = self.input_events.keyboard
        # What draws and records, and what keeps the state of the window.
        self._picture = Picture()
        self._dpi = ScreenDpi(self.window)
        self._recorder = Recorder(self._picture.read)
        self._exports = BackgroundExports()
        self._session = Session(self.controller, self.window, session, resumed=resumed)
        self._shown_caption = _caption(animation)
        # Whether a draft, a picture of less detail, is drawn but not yet shown in the window.
        self._has_unshown_frame = False
        self.controller.library.read_clipboard = self.window.get_clipboard_text
        self.controller.library.write_clipboard = partial(write_clipboard, self.window)
        self.controller.library.prompt.dialog = NativeDialog()
        # Pyglet calls the methods of both that have the names of its events, such as `on_resize`.
        self.window.push_handlers(self)
        self.window.push_handlers(self.input_events)
        on_window_destroyed(self.window, self._exit_without_window)
        self._visibility = WindowVisibility(self.window)
        self._finish_drop = fix_file_drops(self.window)

    @property
    def model(self) -> Model:
        """The model of the viewer."""
        return self.controller.model

    def _load_opengl(self) -> None:
        # Only now: they choose how to load OpenGL by whether there is a window.
        from juggle_anim.render import Renderer
        from juggle_anim.viewer.cards.overlay import Overlay

        self._renderer = Renderer()
        self._overlay = Overlay(self.window)

    def run(self) -> None:
        """Run the event loop until the window is closed, then finish recording and session."""
        # Imported when first used: most programs open no window.
        import pyglet

        # The screen's refresh rate, [Hz]. Drivers state none, or a wrong one, at times.
        stated_rate = getattr(self.window.screen.get_mode(), "rate", None) or _USUAL_REFRESH_RATE
        rate = min(max(stated_rate, _MIN_REFRESH_RATE), _MAX_REFRESH_RATE)
        # A single step of playback is one frame of the screen, [s].
        self.model.playback.frame_time = 1 / rate
        self.draw(0.0)

        def start_helpers(_elapsed: float) -> None:
            """Start the helpers. pyglet hands the elapsed time to what it calls, [s]."""
            self.start_helpers()

        pyglet.clock.schedule_once(start_helpers, _DEFERRED_START_DELAY)
        pyglet.clock.schedule_interval(self.tick, 1 / rate)
        try:
            # Without an interval pyglet does not redraw by itself; `tick` decides when to draw.
            pyglet.app.run(interval=None)
        finally:
            pyglet.clock.unschedule(self.tick)
            pyglet.clock.unschedule(start_helpers)
            pyglet.clock.unschedule(self._draw_due)  # scheduled by events of the window
            self._recorder.finish()
            self._session.end()

    def greet(self, *, asked: bool = False) -> None:
        """Show what one can do first, at the very first start or where that is requested."""
        if (asked or self._session.is_first) and not self.controller.library.files.question:
            self.controller.perform(Action.WELCOME)

    def start_helpers(self) -> ChangeProcess:
        """Start what the first frame can do without: the icon, and the process for live changes.

        Also exempts all objects that exist now from garbage collection: they stay as long as the
        window, and to look through them again and again would take time.

        Returns:
            The helper process, which computes changed animations while the present one plays.
        """
        give_icon(self.window)
        # Imported when first used: the program starts sooner.
        from juggle_anim.routine.change_process import ChangeProcess

        process = self.model.live.process or ChangeProcess()
        self.model.live.process = process
        if self.model.other:
            self.model.other.live.process = process
        process.start()
        gc.freeze()
        return process

    def tick(self, elapsed: float) -> None:
        """Advance everything in the viewer by the elapsed time, and draw if anything has changed.

        Args:
            elapsed: time since the last tick, [s].
        """
        model = self.model
        # `passed` is the time by which cameras and cards advance, [s]: that since the last tick
        # that was used, but not more than `MAX_STEP`. None if this tick is skipped to save power.
        passed = self._pacing.begin_tick(elapsed)
        if self._session.window_lost or passed is None:
            return
        # Actions of a key that is held.
        for action in self._keyboard.repeat.due(elapsed):
            self.controller.perform(action)
        if self._keyboard.advance(passed):
            self._pacing.wake()
        # After a rest, `elapsed` is long; the limit prevents that a pattern jumps as it starts.
        model.playback.advance(min(elapsed, MAX_STEP), model.animation.parameters.speed)
        has_planned = model.advance(elapsed)
        self.controller.footage.synchronize()
        self.controller.lesson.update()
        model.play_sound()
        # Advance all parts; each returns whether to redraw. In a list, as `or` would leave out the
        # calls behind the first that returns true.
        changes = [
            has_planned,
            self._session.advance(passed),
            self._dpi.advance(passed),
            self.controller.variations.advance(),
            self.controller.optimiser.update(),
            model.facts.update(),
            self.controller.routine.update(),
            self.controller.editor.update(),
            model.camera_keys.advance(passed),
        ]
        if any(changes):
            self._pacing.wake()
        # A recording or an export has begun or ended, or its mark changes.
        if self._recorder.advance(model, self.window.get_framebuffer_size()):
            self._pacing.wake(1)
        if self._exports.advance(model, self.window.get_framebuffer_size()):
            self._pacing.wake()
        # Draw a frame if one is due; otherwise show the draft that was drawn in the last tick, if
        # there is one.
        longest = self._longest_step_due(passed)
        if longest:
            began = perf_counter()
            self.draw(self._pacing.take_time_since_frame(longest))
            self._pacing.drawing_time = perf_counter() - began
        else:
            self._show()
        self._apply(model.screen)
        if model.leaving:
            self.exit()

    def draw(self, elapsed: float) -> None:
        """Draw a frame and show it; but a draft is shown only when the next frame is drawn.

        So nothing waits until the graphics hardware has finished the draft.

        Args:
            elapsed: time by which cameras and cards advance, [s].
        """
        self._pacing.due_soon = False
        self.controller.editor.update()  # so that no picture waits for a long plan
        self._render(elapsed)
        self._recorder.take(self.layout)
        self._has_unshown_frame = True
        if not self._picture.is_draft:
            self._show()

    def _show(self) -> None:
        """Show what was drawn, if that is not shown yet."""
        if self._has_unshown_frame:
            self._has_unshown_frame = False
            self._picture.copy()
            self.window.flip()

    def _draw_soon(self) -> None:
        """Draw what a key did as soon as all that waits is handled, if nothing moves.

        But once between two ticks.
        """
        if self._pacing.is_idle:
            import pyglet

            self._pacing.is_idle = False
            self._pacing.due_soon = True
            pyglet.clock.schedule_once(self._draw_due, 0)

    def _draw_due(self, _: float) -> None:
        if self._pacing.due_soon and not self._session.window_lost:
            self.draw(self._pacing.take_time_since_frame())

    def grab(self) -> Bytes:
        """Draw and return what the window shows, shape (height, width, 3), sRGB, top row first."""
        self._render(0.0)
        pixels = self._picture.read()
        self._has_unshown_frame = True
        self._show()
        return pixels

    def _apply(self, screen: Screen) -> None:
        """Switch full screen and save a picture, as requested."""
        if screen.full != self.window.fullscreen:
            set_full_screen(self.window, full=screen.full)
            self._pacing.wake()
        if screen.picture_wanted:
            screen.picture_wanted = False
            self.model.notice.text = ""
            save_window_picture(self.model, self.grab())
            self._pacing.wake()

    def close(self) -> None:
        """End the helper process, release everything of OpenGL, and close the window."""
        # The objects that `start_helpers` has exempted from garbage collection may be freed now.
        gc.unfreeze()
        if self.model.live.process:
            self.model.live.process.close()
        # A lost window has taken with it its OpenGL context and all that would be released below.
        if self._session.window_lost:
            return
        self.window.switch_to()
        self.controller.library.prompt.close()
        self._recorder.close()
        self.controller.optimiser.close()
        self.controller.routine.close()
        self.controller.footage.close()
        self._overlay.close()
        self._renderer.close()
        self.window.close()

    @property
    def layout(self) -> Layout:
        """The layout of the window now."""
        return self._overlay.layout(
            self.controller, self.window.get_framebuffer_size(), self._dpi.scale
        )

    def _take_input(self) -> None:
        """Let cards act on waiting input before a frame is painted, but for its own share."""
        for _frame in range(_MAX_UNPAINTED_FRAMES):
            if not (self._overlay.input.crowded or self._keyboard.deferred.waiting):
                break
            self._keyboard.expect_typing()
            self._overlay.take_input(self.controller, self.layout)
            self._keyboard.frame_drawn()

    def _render(self, elapsed: float) -> None:
        """Draw a frame: the picture, or the sheet of variations, and the cards over it.

        Also handles waiting input first, and updates the window's caption.

        Args:
            elapsed: time by which cameras and cards advance, [s].
        """
        self.window.switch_to()
        self._take_input()
        model = self.model
        layout = self.layout
        self._pacing.begin_frame()
        # Handles follow the mouse. If drawing is slow during a drag, or while a group of many
        # jugglers plays, pictures are drafts of less detail, and parts of the window that have not
        # changed keep their pixels. While the window is recorded, a playing group is drawn in full.
        self.controller.picture.update_drag()
        plays = not (model.playback.paused or self._recorder.recording)
        self._picture.note_motion(
            dragging=self.controller.editor.is_dragging,
            group_plays=plays and model.animation.num_jugglers >= GROUP,
            took=self._pacing.drawing_time,
        )
        # `_show` shows a draft of the last frame. It is called after the bodies of this frame are
        # solved, which takes long, so that the graphics hardware has finished the draft by then.
        sheet = self.controller.variations
        if model.cards.panel == VARIATIONS:
            self._show()
            self._picture.kept = self._kept_pixels(layout, [])
            self._picture.aim_at_sheet(model, sheet.versions, layout, elapsed)
            self._picture.draw_sheet(self._renderer, model, sheet.versions, layout)
        else:
            self._picture.aim(model, layout, elapsed)
            self._picture.kept = self._kept_pixels(layout, self._picture.solve(model, layout))
            self._show()
            self._picture.draw(
                self._renderer,
                model,
                layout,
                traces=self.controller.optimiser.ghost,
                footage=self.controller.footage,
            )
        self._keyboard.expect_typing()
        self._overlay.draw(self.controller, layout, elapsed)
        self._keyboard.frame_drawn()
        caption = _caption(model.animation, edited=self.controller.library.files.shown.is_edited)
        if caption != self._shown_caption:
            self._shown_caption = caption
            self.window.set_caption(caption)

    def _kept_pixels(
        self, layout: Layout, pictures: Sequence[tuple[PicturePart, Scene]]
    ) -> tuple[int, int]:
        """Decide how much of the window keeps its pixels in the next frame.

        To keep pixels of cards is faster than to draw the cards again. The overlay stores the
        decision: it leaves these cards out when it draws; see `Overlay.keep`.

        Args:
            layout: layout of the window.
            pictures: the parts of the next picture, and what is drawn in each.

        Returns:
            Number of columns from the left edge, and of rows from the lower edge.
        """
        # No input came lately and none waits. While playback is paused, frames are drawn for input
        # only, so a paused window counts as touched.
        is_untouched = not (
            self.model.playback.paused
            or self._pacing.frames_due
            or self._keyboard.repeat.active
            or self._keyboard.deferred.waiting
        )
        return self._overlay.keep(
            self.controller,
            layout,
            pictures,
            # Pictures are drawn as drafts when frames take too long.
            is_late=self._picture.is_draft,
            is_untouched=is_untouched,
        )

    def _longest_step_due(self, elapsed: float) -> float:
        """Return by how much time the next frame may advance at most, [s]; 0 if no frame is due.

        Frames are due

        - while something moves or is awaited;
        - for a few frames after input;
        - when the caret of a text field is to blink: with frames due for other reasons, it stays
          visible.

        Args:
            elapsed: time since the last tick, [s].
        """
        self._pacing.is_idle = self._is_idle()
        if self._visibility.hidden:
            return 0.0
        # Keys are held back until it is clear whether a text field takes them; the next frame
        # handles them.
        has_keys_to_handle = self._keyboard.deferred.waiting
        if not self._pacing.is_idle or self._pacing.frames_due > 0 or has_keys_to_handle:
            self._overlay.input.caret.reset()
            return MAX_STEP
        return self._overlay.input.blink(elapsed)

    def _is_idle(self) -> bool:
        """Return whether the window can rest until the next input: nothing moves or is awaited.

        A hidden window does not count as idle, so that its time, which has no frames, goes on in
        ticks as usual.
        """
        model = self.model
        controller = self.controller
        if self._visibility.hidden:
            return False
        is_moving = (
            not (model.playback.paused and self._picture.settled(model))
            or controller.editor.is_settling
            or (model.lab is not None and model.lab.is_moving)
            or self._keyboard.repeat.active
        )
        # The arm lab and the sheet of variations hide the film, so that nobody waits for it.
        shows_film = model.lab is None and model.cards.panel != VARIATIONS
        is_awaiting = (
            model.live.coming is not None
            or model.diagrams.is_waiting
            or model.facts.is_waiting
            or controller.optimiser.is_working
            or controller.routine.is_working
            or (shows_film and controller.footage.is_waiting)
            or self._keyboard.waits
            or self._overlay.is_waiting
        )
        return not (is_moving or is_awaiting)

    def _exit_without_window(self) -> None:
        """Exit because the window is gone, and its OpenGL with it."""
        self._session.window_lost = True
        self.exit()

    def exit(self) -> None:
        """End `run` after the current event."""
        import pyglet

        pyglet.app.exit()

    # Events: pyglet finds these methods by their names.

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        """Files are dropped on the window."""
        self._pacing.wake()
        self._finish_drop()
        self.controller.take_files(paths)

    def on_show(self) -> None:
        """Handle that the window can be seen."""
        self._pacing.wake()
        self._visibility.shown = True

    def on_hide(self) -> None:
        """Handle that the window is minimised."""
        self._visibility.shown = False

    def on_resize(self, width: int, height: int) -> bool:
        """Note another size of the window."""
        self._pacing.wake()
        return True

    def on_expose(self) -> None:
        """A part of the window was covered and is not any more."""
        self._pacing.wake()

    def on_context_lost(self) -> None:
        """OpenGL has lost everything that was loaded into it."""
        self._pacing.wake()
        self._recorder.close()
        self._overlay.close_lost()
        self._picture.forget_canvas()
        self.controller.footage.forget_layer()
        self._load_opengl()

    def on_close(self) -> bool:
        """Close the window where nothing is unsaved, or ask."""
        self._pacing.wake()
        self.controller.library.files.leave()
        if self.model.leaving:
            self.exit()
        return True


def _caption(animation: Animation, *, edited: bool = False) -> str:
    return f"{'• ' * edited}{animation.title} – juggle-anim"
