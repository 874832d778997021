"""The split view: a second picture beside the first, on the same clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.parameters import CHOICES, ROWS, Row, Stage
from juggle_anim.viewer.camera_rig import CameraRig
from juggle_anim.viewer.history import History
from juggle_anim.viewer.undo import Undo, step_of

if TYPE_CHECKING:
    from juggle_anim.viewer.model import Model

LEFT, RIGHT = 0, 1
"""The halves."""

_ARMS = next(row for row in CHOICES if row.name == "arms")


@dataclass
class Half:
    """What the half shows that panel and keys do not act on.

    Args:
        animation: what is juggled there.
        shown: the text that stands for it.
        undo, history: of that half.
        rig: its camera.
    """

    animation: Animation
    shown: str
    undo: Undo
    history: History
    rig: CameraRig


class Split:
    """Whether there are two pictures, and which of them is the model's own, on which panel and keys act.

    Both are shown at the same time in seconds, and played at the same speed.
    """

    def __init__(self) -> None:
        self.other: Half | None = None
        """The half beside the model's; None where there is one picture."""
        self.chosen = LEFT
        """Which half is the model's."""

    def toggle(self, model: Model) -> None:
        """Show two pictures, or one."""
        if self.other:
            self.other = None
        else:
            self.open(model, *_beside(model))

    def open(self, model: Model, animation: Animation, shown: str, chosen: int = LEFT) -> None:
        """Show an animation beside that of the model.

        Args:
            model: of the viewer.
            animation: its motion computed.
            shown: the text that stands for it.
            chosen: on which side the model's own is.
        """
        model.lab, rig = None, CameraRig()
        rig.view, rig.following = model.rig.view, model.rig.following
        if model.rig.held:
            rig.hold(model.rig.orbit)
        history = History()
        history.visit(step_of(animation, shown))
        self.other, self.chosen = Half(animation, shown, Undo(), history, rig), chosen

    def exchange(self, model: Model) -> None:
        """Let panel and keys act on the other half from now on."""
        other = self.other
        if other is None:
            return
        model.drop_pattern()
        model.undo.seal()
        model.lab = model.entry = None
        self.other = Half(model.animation, model.shown, model.undo, model.desk.history, model.rig)
        self.chosen = RIGHT - self.chosen
        # The clock is the same for both, and so is what is heard.
        clock = {row.name: getattr(model.animation.parameters, row.name) for row in ROWS if row.stage is Stage.CLOCK}
        model.undo, model.rig = other.undo, other.rig
        model.show(other.animation.replace(**clock), other.shown)
        model.desk.turn_to(other.history)

    def choose(self, model: Model, half: int) -> None:
        """Let panel and keys act on a half."""
        if self.other and half != self.chosen:
            self.exchange(model)

    def labels(self, model: Model) -> tuple[str, str]:
        """What stands over the left and the right half: its pattern, and what else differs where that is the same."""
        assert self.other
        own, other = model.animation, self.other.animation
        words = [model.shown, self.other.shown]
        if words[0] == words[1]:
            differing = [row for row in ROWS if row.stage is not Stage.CLOCK and _given(own, row) != _given(other, row)]
            words = [
                _told(text, [_said(one, row) for row in differing])
                for text, one in zip(words, (own, other), strict=True)
            ]
        left, right = words if self.chosen == LEFT else words[::-1]
        return left, right


_MOST = 2  # differences that are told


def _beside(model: Model) -> tuple[Animation, str]:
    """What was shown before this, and the text for it; where there was nothing, the same by the next solver."""
    step = model.desk.history.before
    if step and step.shown != model.shown:
        try:
            animation = step.restored(model.animation)
            animation.motion  # noqa: B018 - what cannot be juggled is found here
        except JuggleError:
            pass
        else:
            return animation, step.shown
    options = _ARMS.options
    arms = options[(options.index(model.animation.parameters.arms) + 1) % len(options)]
    return model.animation.replace(arms=arms), model.shown


def _given(animation: Animation, row: Row) -> float | str | None:
    value: float | str | None = getattr(animation.parameters, row.name)
    return value


def _said(animation: Animation, row: Row) -> str:
    value = _given(animation, row)
    if isinstance(value, str):
        return value if row is _ARMS else f"{row.label.lower()} {value}"
    return f"{row.label.lower()} {'as usual' if value is None else f'{value:g}'}"


def _told(text: str, said: list[str]) -> str:
    return " · ".join([text, *said[:_MOST], *(["…"] if len(said) > _MOST else [])])
