"""The mouse over the picture: it drags handles and the camera, and clicks choose."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from juggle_anim.viewer.cards.layout import Layout
from juggle_anim.viewer.picture import half_at, sheet_place_at
from juggle_anim.viewer.state.actions import Controller

_STILL = 4  # pixels that a mouse may move in a click


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
        controller, self._drag = self._controller(), None
        controller.picture.release()
        clicked, sheet = self._click.release(), controller.variations
        if clicked and sheet.shown:
            if (number := sheet_place_at(self._layout(), x, y)) is not None:
                sheet.choose(number)
        elif clicked:
            controller.editor.selection = ()
            controller.split.choose(half_at(controller.model, self._layout(), x))


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
