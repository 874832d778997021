"""The viewer's window: it handles events and draws frames."""

from __future__ import annotations

import gc
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.language import begin_language
from juggle_anim.scene.scene import STAGES
from juggle_anim.viewer.background_export import BackgroundExports
from juggle_anim.viewer.cards.notice import save_window_picture
from juggle_anim.viewer.frame_pacing import MAX_STEP, FramePacing
from juggle_anim.viewer.input_events import InputEvents
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.native_dialog import NativeDialog
from juggle_anim.viewer.picture import Picture
from juggle_anim.viewer.pyglet_fixes import (
    WindowVisibility,
    fix_file_drops,
    on_window_destroyed,
    set_full_screen,
    write_clipboard,
)
from juggle_anim.viewer.recording import Recorder
from juggle_anim.viewer.screenshot import Screen
from juggle_anim.viewer.session.file import SessionFile
from juggle_anim.viewer.session.session import Session
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.open_cards import VARIATIONS
from juggle_anim.viewer.window_open import ScreenDpi, give_icon, open_window

if TYPE_CHECKING:
    from juggle_anim.routine.change_process import ChangeProcess

# frames that are not painted before one that is; each takes a key, a click, or any length of text
_MAX_UNPAINTED_FRAMES = 100
_DEFERRED_START_DELAY = 1.0  # s after the first picture, when what may be needed later is started


class Viewer:
    """A window that shows an animation. `run` it, then `close` it.

    Args:
        animation: shown first.
        start_time: of the picture, [s].
        paused: whether it begins paused.
        size: of the window, width and height, [pixels]; by default the remembered size, or one that
            suits the screen.
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
        size: tuple[int, int] | None = None,
        session: SessionFile | None = None,
        resumed: bool = False,
    ) -> None:
        """Open the window and make all that draws in it.

        Args:
            animation: shown first.
            start_time: of the picture, [s].
            paused: whether it begins paused.
            size: of the window, width and height, [pixels]; None for the remembered size, or one
                that suits the screen.
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
            self._load_opengl()
        except Exception:
            self.window.close()
            raise
        # Input; the functions give what is there at the time of an event.
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
        self._has_unshown_frame = False
        self.controller.library.read_clipboard = self.window.get_clipboard_text
        self.controller.library.write_clipboard = partial(write_clipboard, self.window)
        self.controller.library.prompt.dialog = NativeDialog()
        # Pyglet calls methods of both by the names of its events.
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
        import pyglet

        # The screen's refresh rate; 60 Hz if it is unknown, and bounds for wrong ones.
        rate = min(max(getattr(self.window.screen.get_mode(), "rate", None) or 60, 30), 240)
        self.model.playback.frame_time = 1 / rate
        self.draw(0.0)

        def start_helpers(_: float) -> None:
            self.start_helpers()

        pyglet.clock.schedule_once(start_helpers, _DEFERRED_START_DELAY)
        pyglet.clock.schedule_interval(self.tick, 1 / rate)
        try:
            pyglet.app.run(interval=None)
        finally:
            pyglet.clock.unschedule(self.tick)
            pyglet.clock.unschedule(start_helpers)
            pyglet.clock.unschedule(self._draw_due)
            self._recorder.finish()
            self._session.end()

    def greet(self, *, asked: bool = False) -> None:
        """Show what one can do first, at the very first start or where that is asked for."""
        if (asked or self._session.is_first) and not self.controller.library.files.question:
            self.controller.perform(Action.WELCOME)

    def start_helpers(self) -> ChangeProcess:
        """Set the icon and start the process for live changes, which the first frame need not have.

        Also exempts all objects that there are now from garbage collection, which would look
        through them again and again.

        Returns:
            The process that prepares live changes.
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
        """Let time pass for everything in the viewer, and draw if there is something new to see.

        Args:
            elapsed: since the last tick, [s].
        """
        model = self.model
        passed = self._pacing.begin_tick(elapsed)
        if self._session.window_lost or passed is None:
            return
        # Actions of a key that is held.
        for action in self._keyboard.repeat.due(elapsed):
            self.controller.perform(action)
        if self._keyboard.advance(passed):
            self._pacing.wake()
        # Not what passed at rest: a pattern that has just been started would jump.
        model.playback.advance(min(elapsed, MAX_STEP), model.animation.parameters.speed)
        model.advance()
        self.controller.footage.follow()
        self.controller.lesson.update()
        model.play_sound()
        # A list, as all of these have to be called, whatever the first ones return.
        changes = [
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
        if self._recorder.advance(model, self.window.get_framebuffer_size()):
            self._pacing.wake(1)
        if self._exports.advance(model, self.window.get_framebuffer_size()):
            self._pacing.wake()
        # Draw a new frame, or only show a draft that was drawn in the last tick.
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
        """Draw a frame and show it.

        A draft is shown when the next frame begins to draw, so that none waits for it.
        """
        self._pacing.due_soon = False
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
        gc.unfreeze()
        if self.model.live.process:
            self.model.live.process.close()
        # With the window its OpenGL context has gone, and all that was in it.
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
        for _ in range(_MAX_UNPAINTED_FRAMES):
            if not (self._overlay.input.crowded or self._keyboard.deferred.waiting):
                break
            self._keyboard.expect_typing()
            self._overlay.take_input(self.controller, self.layout)
            self._keyboard.frame_drawn()

    def _render(self, elapsed: float) -> None:
        """Draw a frame: the picture, or the sheet of variations, and the cards over it.

        Also handles waiting input first, and updates the window's caption.

        Args:
            elapsed: that cameras and cards advance, [s].
        """
        self.window.switch_to()
        self._take_input()
        model = self.model
        layout = self.layout
        self._pacing.begin_frame()
        self.controller.picture.follow()
        self._picture.follow_drag(
            dragging=self.controller.editor.is_dragging, took=self._pacing.drawing_time
        )
        self._picture.kept = self._overlay.keep(
            self.controller, layout, is_late=self._picture.is_draft
        )
        # A draft that was drawn in the frame before is shown only now, after this one is solved,
        # so that neither waits for it.
        sheet = self.controller.variations
        if model.cards.panel == VARIATIONS:
            self._show()
            self._picture.aim_at_sheet(model, sheet.versions, layout, elapsed)
            self._picture.draw_sheet(self._renderer, model, sheet.versions, layout)
        else:
            self._picture.aim(model, layout, elapsed)
            self._picture.solve(model, layout)
            self._show()
            optimiser = self.controller.optimiser
            footage = self.controller.footage
            self._picture.draw(
                self._renderer, model, layout, traces=optimiser.ghost, footage=footage
            )
        self._keyboard.expect_typing()
        self._overlay.draw(self.controller, layout, elapsed)
        self._keyboard.frame_drawn()
        caption = _caption(model.animation, edited=self.controller.library.files.shown.is_edited)
        if caption != self._shown_caption:
            self._shown_caption = caption
            self.window.set_caption(caption)

    def _longest_step_due(self, elapsed: float) -> float:
        """Decide whether a frame is due, and how far it may advance at most, [s]; 0 if none is due.

        Frames are due while something moves or is awaited, for a few frames after input, and for a
        blinking caret. Also notes whether the window is idle.

        Args:
            elapsed: since the last tick, [s].
        """
        self._pacing.is_idle = False
        if self._visibility.hidden:
            return 0.0
        resting = self.model.playback.paused and self._picture.settled(self.model)
        # Parts that move, or whose results are awaited.
        following = (
            self.model.diagrams.is_waiting
            or self.model.facts.is_waiting
            or self.controller.optimiser.is_working
            or self.controller.routine.is_working
            or (
                self.controller.footage.is_waiting
                and not (self.model.lab or self.model.cards.panel == VARIATIONS)
            )
            or self.controller.editor.is_settling
            or self._keyboard.waits
            or (self.model.lab is not None and self.model.lab.is_moving)
            or self._overlay.is_waiting
        )
        self._pacing.is_idle = resting and not following and not self._keyboard.repeat.active
        if (
            not self._pacing.is_idle
            or self._pacing.frames_due > 0
            or self._keyboard.deferred.waiting
        ):
            self._overlay.input.caret.reset()
            return MAX_STEP
        return self._overlay.input.blink(elapsed)

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
        """The window can be seen."""
        self._pacing.wake()
        self._visibility.shown = True

    def on_hide(self) -> None:
        """The window is minimised."""
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
