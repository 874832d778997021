"""The mouse over the picture: it drags handles and the camera, and clicks choose."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum, auto
from time import monotonic

from juggle_anim.viewer.cards.layout import Layout
from juggle_anim.viewer.panel.window_controls import SCROLLING, TURN, ZOOM
from juggle_anim.viewer.picture_parts import half_at, sheet_place_at
from juggle_anim.viewer.state.controller import Controller

_STILL = 4  # pixels that a mouse may move in a click
_TURN = 0.04  # heights of the window by which a click of two fingers turns the camera
_ONE_GESTURE = 0.4  # s between two scrolls of one gesture, at most


class _Drag(Enum):
    HANDLE = auto()
    TURN = auto()
    MOVE = auto()


class PictureMouse:
    """What the mouse does where no card is.

    Args:
        controller: gives the one that acts now.
        layout: gives the places in the window.
    """

    def __init__(self, controller: Callable[[], Controller], layout: Callable[[], Layout]) -> None:
        self._controller, self._layout = controller, layout
        self._click = ClickDetector()
        self._drag: _Drag | None = None
        self._fingers = TwoFingers()

    @property
    def dragging(self) -> bool:
        """Whether it drags something."""
        return self._drag is not None

    def press(self, x: float, y: float, left: bool, shift: bool, on_gizmo: bool) -> None:
        """A button goes down.

        Args:
            x, y: where, [pixels].
            left: whether it is the left one.
            shift: whether Shift is held.
            on_gizmo: whether that is on a gizmo, which takes the left button for itself.
        """
        turns = left and not shift
        self._controller().model.rig.catch()
        if left and self._controller().picture.press(x, y, shift):
            self._drag = _Drag.HANDLE
        elif not (turns and on_gizmo):
            self._drag = _Drag.TURN if turns else _Drag.MOVE
            self._click.press(x, y)

    def move(self, x: float, y: float, across: float, down: float, ctrl: bool, shift: bool) -> None:
        """It moves with a button down.

        Args:
            x, y: to where, [pixels].
            across, down: how far, in heights of the window.
            ctrl, shift: whether these are held.
        """
        self._click.move(x, y)
        controller = self._controller()
        if self._drag is _Drag.TURN:
            controller.model.rig.rotate(across, down)
        elif self._drag is _Drag.HANDLE:
            controller.picture.aim(x, y, ctrl, shift)
        elif self._drag is _Drag.MOVE:
            controller.model.rig.pan(across, down)

    def release(self, x: float, y: float) -> None:
        """The button comes up at a place, [pixels]."""
        controller, turned, self._drag = self._controller(), self._drag is _Drag.TURN, None
        if turned:
            controller.model.rig.let_go(controller.model.window_controls.glides)
        controller.picture.release()
        clicked, sheet = self._click.release(), controller.variations
        if clicked and sheet.shown:
            if (number := sheet_place_at(self._layout(), x, y)) is not None:
                sheet.choose(number)
        elif clicked:
            controller.editor.selection = ()
            controller.split.choose(half_at(controller.model, self._layout(), x))

    def scroll(self, across: float, up: float, place: tuple[float, float], ctrl: bool, shift: bool) -> None:
        """The wheel turns, or two fingers scroll on a touchpad: nearer or farther, or around.

        Args:
            across, up: by how many clicks, or parts of them.
            place: of the mouse in the picture, as `CameraRig.zoom` takes it.
            ctrl, shift: whether these are held; Ctrl always zooms, and Shift turns.
        """
        model = self._controller().model
        chosen = model.window_controls.value(SCROLLING)
        self._fingers.follow(across, up, monotonic())
        turns = chosen == TURN or shift or (chosen != ZOOM and self._fingers.are_two)
        if turns and not ctrl:
            model.rig.rotate(-_TURN * (across or (up if shift else 0.0)), _TURN * (0.0 if shift else up))
        elif up:
            model.rig.zoom(up, place)


class TwoFingers:
    """Tells two fingers on a touchpad from a wheel, by what they scroll.

    A wheel turns by whole clicks along one axis. Fingers also go sideways, or by parts of clicks; what follows at once
    is theirs, too. Of touch and pinches pyglet 2.1 tells nothing.
    """

    def __init__(self) -> None:
        self.are_two = False
        """Whether the last scroll was of two fingers."""
        self._last = -math.inf

    def follow(self, across: float, up: float, now: float) -> None:
        """Something scrolls by so many clicks, at a time, [s]."""
        told = bool(across) or up != round(up)
        self.are_two = told or (self.are_two and now - self._last < _ONE_GESTURE)
        self._last = now


class ClickDetector:
    """Tells a click on the picture from the start of a drag."""

    def __init__(self) -> None:
        self._at: tuple[float, float] | None = None

    def press(self, x: float, y: float) -> None:
        """A button goes down on the picture, [pixels]."""
        self._at = x, y

    def move(self, x: float, y: float) -> None:
        """The mouse moves with the button down."""
        if self._at and max(abs(x - self._at[0]), abs(y - self._at[1])) > _STILL:
            self._at = None

    def release(self) -> bool:
        """The button comes up; return whether that was a click."""
        clicked, self._at = self._at is not None, None
        return clicked
