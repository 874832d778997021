"""Events of keyboard and mouse in a window, under the names by which pyglet finds them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from juggle_anim.viewer.frame_pacing import FramePacing
from juggle_anim.viewer.keyboard import Keyboard, ctrl_and_shift
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.picture_parts import place_at
from juggle_anim.viewer.pyglet_fixes import release_shifted_keys
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.open_cards import VARIATIONS

if TYPE_CHECKING:
    from juggle_anim.viewer.cards.overlay import Overlay


import math
from enum import Enum, auto
from time import monotonic

from juggle_anim.viewer.panel.window_controls import SCROLLING, TURN, ZOOM
from juggle_anim.viewer.picture_parts import half_at, sheet_place_at

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
        """Make the keyboard and the mouse of a window.

        Args:
            window: pyglet's.
            controller: returns the present controller of the viewer.
            overlay: returns the cards over the picture.
            layout: returns the present layout of the window.
            pacing: is woken by each event.
            draw_soon: called when a key or a character was handled.
        """
        self.keyboard = Keyboard(controller, lambda: overlay().input, layout)
        self._window = window
        self._controller = controller
        self._overlay = overlay
        self._layout = layout
        self._pacing = pacing
        self._draw_soon = draw_soon
        self._mouse = _PictureMouse(controller, layout)

    def _place(self, x: float, y: float) -> tuple[float, float]:
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
        """The mouse moves."""
        self._pacing.wake()
        self._overlay().input.point(*self._place(x, y))

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Handle a mouse button that goes down: on a card, or to drag the camera or a handle.

        Args:
            x, y: of the mouse, from the lower left corner, as pyglet has them.
            button: pyglet's number of the button.
            modifiers: pyglet's flags of the modifiers that are held.
        """
        from pyglet.window import mouse

        self._pacing.wake()
        self.keyboard.settle()
        position = self._place(x, y)
        overlay = self._overlay()
        layout = self._layout
        self._controller().welcome.click(*position)
        overlay.input.point(*position)
        overlay.input.button(button, down=True)
        if not overlay.covers(self._controller(), layout(), *position):
            on_gizmo = overlay.covers_gizmo(self._controller().model, layout(), *position)
            _ctrl, shift = ctrl_and_shift(modifiers)
            self._mouse.press(*position, left=button == mouse.LEFT, shift=shift, on_gizmo=on_gizmo)

    def on_mouse_drag(
        self, x: int, y: int, across: int, up: int, buttons: int, modifiers: int
    ) -> None:
        """The mouse moves with a button down."""
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
        """The mouse leaves the window."""
        self._pacing.wake()
        if not self._mouse.dragging:
            self._overlay().input.leave()

    def on_activate(self) -> None:
        """The window gets the keyboard."""
        self._overlay().input.focus(gained=True)

    def on_deactivate(self) -> None:
        """The window loses the keyboard."""
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
        """Begin a drag: of a handle, or of the camera, which turns or, else, moves.

        Args:
            x, y: of the mouse, [pixels] from the upper left corner.
            left: whether the left button went down; it turns the camera, the others move it.
            shift: whether Shift is held, with which the left button moves it too.
            on_gizmo: whether the mouse is on a gizmo, which takes the left button for itself.
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
        """Go on with a drag: turn or move the camera, or aim the handle.

        Args:
            x, y: of the mouse, [pixels] from the upper left corner.
            across, down: motion since the last event, in heights of the window.
            ctrl, shift: whether these keys are held.
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

        A click chooses a variation on the sheet, or else ends the selection and chooses a half of a
        split view.

        Args:
            x, y: of the mouse, [pixels] from the upper left corner.
        """
        controller = self._controller()
        turned_camera = self._drag is _Drag.TURN
        self._drag = None
        if turned_camera:
            controller.model.rig.let_go(glides=controller.model.window_controls.glides)
        controller.picture.release()
        clicked = self._click.release()
        sheet = controller.variations
        if clicked and controller.model.cards.panel == VARIATIONS:
            variation = sheet_place_at(self._layout(), x, y)
            if variation is not None:
                sheet.choose(variation)
        elif clicked:
            controller.editor.selection = ()
            controller.split.choose(half_at(controller.model, self._layout(), x))

    def scroll(
        self, across: float, up: float, place: tuple[float, float], *, ctrl: bool, shift: bool
    ) -> None:
        """Zoom or turn the camera by the wheel, or by two fingers on a touchpad.

        By default a wheel zooms and two fingers turn; a setting may choose one for both.

        Args:
            across, up: by how many clicks, or parts of them.
            place: of the mouse in the picture, as `CameraRig.zoom` takes it.
            ctrl, shift: whether these are held; Ctrl always zooms, and Shift turns sideways.
        """
        model = self._controller().model
        chosen = model.window_controls.value(SCROLLING)
        self._fingers.follow(across, up, monotonic())
        turns = chosen == TURN or shift or (chosen != ZOOM and self._fingers.are_two)
        if turns and not ctrl:
            # With Shift a wheel, which has only one axis, turns sideways.
            sideways = across or (up if shift else 0.0)
            upward = 0.0 if shift else up
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

    def follow(self, across: float, up: float, now: float) -> None:
        """Something scrolls by so many clicks, at a time, [s]."""
        cannot_be_wheel = bool(across) or up != round(up)
        self.are_two = cannot_be_wheel or (
            self.are_two and now - self._last_time < _MAX_GESTURE_GAP
        )
        self._last_time = now


class ClickDetector:
    """Tells a click on the picture from the start of a drag."""

    def __init__(self) -> None:
        self._pressed_at: tuple[float, float] | None = None

    def press(self, x: float, y: float) -> None:
        """A button goes down on the picture, [pixels]."""
        self._pressed_at = x, y

    def move(self, x: float, y: float) -> None:
        """The mouse moves with the button down."""
        if self._pressed_at:
            pressed_x, pressed_y = self._pressed_at
            if max(abs(x - pressed_x), abs(y - pressed_y)) > _MAX_CLICK_MOVE:
                self._pressed_at = None

    def release(self) -> bool:
        """Take the button up; return whether that was a click."""
        clicked = self._pressed_at is not None
        self._pressed_at = None
        return clicked
