"""The viewer's window: events come in, frames go out."""

from __future__ import annotations

from functools import partial

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.viewer.cards.layout import Layout, arrange
from juggle_anim.viewer.cards.notice import keep_picture
from juggle_anim.viewer.cards.theme import LARGER
from juggle_anim.viewer.input import Click, DeferredKeys, Repeat
from juggle_anim.viewer.picture import Picture, half_at, read_pixels
from juggle_anim.viewer.pyglet_fixes import WindowVisibility, mend_dropping, when_destroyed, write_clipboard
from juggle_anim.viewer.recording import Recorder
from juggle_anim.viewer.screenshot import Screen
from juggle_anim.viewer.session.file import SessionFile
from juggle_anim.viewer.session.session import Session
from juggle_anim.viewer.state.actions import Controller
from juggle_anim.viewer.state.keymap import Action, begins_pattern, binding_for
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.window_open import ScreenDpi, open_window

_AWAKE = 8  # frames drawn after the last event: the panel spreads quick typing over several
_FOCUS = 4  # frames at most until a field that wants the keyboard has it
_LONGEST = 0.1  # s; a stall is not made up for


class Viewer:
    """A window that shows an animation. `run` it, then `close` it.

    Args:
        animation: what is shown first.
        start_time: of the picture, [s].
        paused: whether it stands still.
        size: of the window, width and height, [pixels]; by default what was remembered, or what suits the screen.
        memory: the file from which it remembers the last time, and for the next one; by default there is none.
        resumed: whether it goes on where it was closed, and not with another pattern.

    Raises:
        ViewerError: no window can be opened.
    """

    def __init__(
        self,
        animation: Animation,
        start_time: float = 0.0,
        paused: bool = False,
        size: tuple[int, int] | None = None,
        memory: SessionFile | None = None,
        resumed: bool = False,
    ) -> None:
        self.controller = Controller(animation, start_time, paused)
        self.window = open_window(_caption(animation), size or (memory.memory.size if memory else None))
        try:
            self._load()
        except Exception:
            self.window.close()
            raise
        self._repeat, self._picture, self._haste = Repeat(), Picture(), DeferredKeys()
        self._recorder, self._dots = Recorder(self._read), ScreenDpi(self.window)
        self._session = Session(self.controller, self.window, memory, resumed)
        self._titled = animation.score
        self._awake = _AWAKE
        self._dragging: str | None = None
        self._click = Click()
        self._character, self._undrawn, self._idle = "", 0.0, False
        self._expected = 0
        self.controller.desk.read_clipboard = self.window.get_clipboard_text
        self.controller.desk.write_clipboard = partial(write_clipboard, self.window)
        self.window.push_handlers(self)
        when_destroyed(self.window, self._lose)
        self._sight = WindowVisibility(self.window)
        self._taken = mend_dropping(self.window)

    @property
    def model(self) -> Model:
        """What is shown, and what can be done to it."""
        return self.controller.model

    def _load(self) -> None:
        # Only now: they choose how to load OpenGL by whether there is a window.
        from juggle_anim.render import Renderer
        from juggle_anim.viewer.cards.overlay import Overlay

        self._renderer, self._overlay = Renderer(), Overlay(self.window)

    def run(self) -> None:
        """Show the window until it is closed."""
        import pyglet

        rate = min(max(getattr(self.window.screen.get_mode(), "rate", None) or 60, 30), 240)
        self.model.playback.beat = 1 / rate
        self.draw(0.0)
        pyglet.clock.schedule_interval(self.tick, 1 / rate)
        try:
            pyglet.app.run(interval=None)
        finally:
            pyglet.clock.unschedule(self.tick)
            self._recorder.finish()
            self._session.end()

    def tick(self, elapsed: float) -> None:
        """Let time pass, [s], and draw where there is something new to see."""
        model = self.model
        if self._session.lost:
            return
        for action in self._repeat.due(elapsed):
            self.controller.perform(action)
        elapsed = min(elapsed, _LONGEST)
        model.playback.advance(elapsed, model.animation.parameters.speed)
        model.hear()
        if self._session.advance(elapsed) | self._dots.advance(elapsed):
            self._awake = _AWAKE
        if self._recorder.advance(model, self.window.get_framebuffer_size()):
            self._awake = max(self._awake, 1)
        self._undrawn += elapsed
        if longest := self._due(elapsed):
            self.draw(min(self._undrawn, longest))
            self._undrawn = 0.0
        self._heed(model.screen)
        if model.leaving:
            self._exit()

    def draw(self, elapsed: float) -> None:
        """Draw a frame and show it."""
        self._render(elapsed)
        self._recorder.take(self.layout)
        self.window.flip()

    def _show_at_once(self) -> None:
        """Show what a key did at once where nothing moves by itself; but once, and again after the clock ticked."""
        if self._idle:
            self._idle = False
            self.draw(min(self._undrawn, _LONGEST))
            self._undrawn = 0.0

    def grab(self) -> Bytes:
        """What the window shows, drawn anew: shape (height, width, 3), sRGB, top row first."""
        self._render(0.0)
        pixels = self._read()
        self.window.flip()
        return pixels

    def _read(self) -> Bytes:
        return read_pixels(*self.window.get_framebuffer_size())

    def _heed(self, screen: Screen) -> None:
        """Do what is wanted of the screen."""
        if screen.full != self.window.fullscreen:
            self.window.set_fullscreen(screen.full)
            # It is another window for X, and a key that was down never comes up for it; pyglet would take the next
            # press for a repeat.
            getattr(self.window, "pressed_keys", set()).clear()
            self._awake = _AWAKE
        if screen.picture_wanted:
            screen.picture_wanted = False
            self.model.notice.words = ""
            keep_picture(self.model, self.grab())
            self._awake = _AWAKE

    def close(self) -> None:
        """Close the window and give everything back."""
        if self._session.lost:
            return
        self.window.switch_to()
        self._recorder.close()
        self._overlay.close()
        self._renderer.close()
        self.window.close()

    @property
    def layout(self) -> Layout:
        """Where everything stands now."""
        width, height = self.window.get_framebuffer_size()
        dots = self._dots.scale * LARGER.get(self.model.animation.parameters.theme, 1.0)
        beats = self.model.beat_line.wanted(self.model.animation)
        lab, diagrams = self.model.lab is not None, self.model.diagrams
        strip, deep = self.model.plots.shown or lab or bool(diagrams.kind), 0.0 if lab else diagrams.deep
        return arrange(max(width, 1), max(height, 1), dots, self.model.panel_shown, strip, beats, deep)

    def _render(self, elapsed: float) -> None:
        model, layout = self.model, self.layout
        self._awake = max(self._awake - 1, 0)
        self.window.switch_to()
        self._picture.aim(model, layout, elapsed)
        self._picture.draw(self._renderer, model, layout)
        self._expect_typing()
        self._overlay.draw(self.controller, layout, elapsed)
        self._haste.drawn(self._typing)
        if model.animation.score is not self._titled:
            self._titled = model.animation.score
            self.window.set_caption(_caption(model.animation))

    def _due(self, elapsed: float) -> float:
        """How long the picture that is due now may stand for, [s]; 0 where none is."""
        self._idle = False
        if self._sight.hidden:
            return 0.0
        resting = self.model.playback.paused and self._picture.settled(self.model)
        following = self.model.diagrams.waiting or (self.model.lab is not None and self.model.lab.busy)
        self._idle = resting and not following and not self._repeat.active
        if not self._idle or self._awake > 0 or self._haste.waiting:
            self._overlay.input.caret.stir()
            return _LONGEST
        return self._overlay.input.blink(elapsed)

    def _lose(self) -> None:
        """The window is gone, and its OpenGL with it."""
        self._session.lose()
        self._exit()

    def _exit(self) -> None:
        import pyglet

        pyglet.app.exit()

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """A place that pyglet reports, from the lower left, in pixels from the upper left corner."""
        ratio = self.window.get_framebuffer_size()[0] / max(self.window.width, 1)
        return x * ratio, (self.window.height - 1 - y) * ratio

    @property
    def _typing(self) -> bool:
        return self._overlay.input.typing or self._expected > 0 or self._field_wanted

    @property
    def _field_wanted(self) -> bool:
        model, desk = self.model, self.controller.desk
        if self.layout.panel is None:
            return desk.prompt.wanted  # a window that is too small shows no other field
        fields = model.listing, model.preset_list, desk.browser, desk.prompt
        return model.line_wanted or model.entry_wanted or any(field.wanted for field in fields)

    def _expect_typing(self) -> None:
        """Keep what is typed for a field that is about to have the keyboard."""
        if self._field_wanted:
            self._expected = _FOCUS
        elif self._overlay.input.typing:
            self._expected = 0
        else:
            self._expected = max(self._expected - 1, 0)
        self._overlay.input.held = self._expected > 0

    # pyglet's events: it finds them by these names.

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """A key goes down: a shortcut, or a key for the text field that is being edited."""
        from juggle_anim.viewer.input import chord, closes, takes

        self._awake = _AWAKE
        if self._haste.keep(partial(self.on_key_press, symbol, modifiers)):
            return True
        name, typing = chord(symbol, modifiers), self._typing
        # Characters come as text, whatever keys make them on this keyboard.
        binding = binding_for(name) if len(name) > 1 else None
        if binding and (not (typing and takes(name)) or self.controller.desk.takes(binding.action)):
            self.controller.perform(binding.action)
            if binding.action.repeats:
                self._repeat.press(binding.action)
            elif typing:
                self._haste.wait()
        else:
            self._overlay.input.key(symbol, modifiers, True)
            if typing and closes(symbol):
                self._haste.wait()
        if binding or (typing and len(name) > 1):  # characters come as text
            self._show_at_once()
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """A key comes up."""
        self._awake = _AWAKE
        if self._haste.keep(partial(self.on_key_release, symbol, modifiers)):
            return
        self._repeat.release()
        self.model.undo.seal()
        self._character = ""
        self._overlay.input.key(symbol, modifiers, False)

    def on_text(self, text: str) -> None:
        """A character is typed: for the text field, or a shortcut."""
        self._awake = _AWAKE
        if self._haste.keep(partial(self.on_text, text)):
            return
        binding = binding_for(text.lower()) if len(text) == 1 else None
        if self._typing:
            self._overlay.input.text(text)
        elif begins_pattern(text):
            self.controller.perform(Action.EDIT_PATTERN)
            self._overlay.input.text(text)
        else:
            if binding and (binding.action.repeats or text != self._character):
                self.controller.perform(binding.action)
            self._character = text
        self._show_at_once()

    def on_mouse_motion(self, x: int, y: int, across: int, up: int) -> None:
        """The mouse moves."""
        self._awake = _AWAKE
        self._overlay.input.point(*self._place(x, y))

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """A button goes down: on a card, or to take the camera."""
        from pyglet.window import key, mouse

        self._awake = _AWAKE
        place = self._place(x, y)
        self._overlay.input.point(*place)
        self._overlay.input.button(button, True)
        turns = button == mouse.LEFT and not modifiers & key.MOD_SHIFT
        covered = self._overlay.covers(self.controller, self.layout, *place)
        if not covered and not (turns and self._overlay.grips(self.model, self.layout, *place)):
            self._dragging = "turn" if turns else "move"
            self._click.press(x, y)

    def on_mouse_drag(self, x: int, y: int, across: int, up: int, buttons: int, modifiers: int) -> None:
        """The mouse moves with a button down."""
        self._awake = _AWAKE
        self._overlay.input.point(*self._place(x, y))
        self._click.move(x, y)
        height = max(self.window.height, 1)
        if self._dragging == "turn":
            self.model.rig.turn(across / height, -up / height)
        elif self._dragging == "move":
            self.model.rig.move(across / height, -up / height)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """A button comes up."""
        self._awake, self._dragging = _AWAKE, None
        if self._click.release():
            self.controller.split.choose(half_at(self.model, self.layout, self._place(x, y)[0]))
        self._overlay.input.button(button, False)

    def on_mouse_scroll(self, x: int, y: int, across: float, up: float) -> None:
        """The wheel turns: over a card it scrolls, over the picture it zooms."""
        self._awake = _AWAKE
        if self._overlay.covers(self.controller, self.layout, *self._place(x, y)):
            self._overlay.input.wheel(across, up)
        else:
            self.model.rig.zoom(up)

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        """Files are dropped on the window."""
        self._awake = _AWAKE
        self._taken()
        self.controller.desk.take_files(paths)

    def on_mouse_leave(self, x: int, y: int) -> None:
        """The mouse leaves the window."""
        self._awake = _AWAKE
        if self._dragging is None:
            self._overlay.input.leave()

    def on_activate(self) -> None:
        """The window gets the keyboard."""
        self._overlay.input.focus(True)

    def on_deactivate(self) -> None:
        """The window loses the keyboard."""
        self._repeat.release()
        self._overlay.input.focus(False)

    def on_show(self) -> None:
        """The window can be seen."""
        self._awake, self._sight.shown = _AWAKE, True

    def on_hide(self) -> None:
        """The window is minimised."""
        self._sight.shown = False

    def on_resize(self, width: int, height: int) -> bool:
        """The window has another size."""
        self._awake = _AWAKE
        return True

    def on_expose(self) -> None:
        """A part of the window was covered and is not any more."""
        self._awake = _AWAKE

    def on_context_lost(self) -> None:
        """OpenGL has forgotten all that it was given."""
        self._awake = _AWAKE
        self._recorder.close()
        self._overlay.lose()
        self._load()

    def on_close(self) -> bool:
        """The window is asked to close."""
        self._exit()
        return True


def _caption(animation: Animation) -> str:
    return f"{animation.title} – juggle-anim"
