"""The split view: a second picture beside the first, on the same clock."""

from __future__ import annotations

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.parameters import CHOICES, ROWS, Row, Stage
from juggle_anim.viewer.state.camera_rig import CameraRig
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import LEFT, RIGHT, Half, Model
from juggle_anim.viewer.state.undo import History, Undo, step_of

_ARMS = next(row for row in CHOICES if row.name == "arms")


class Split:
    """Shows two pictures or one, and lets panel and keys act on either.

    Both are shown at the same time in seconds, and played at the same speed.

    Args:
        model, desk: of the viewer.
    """

    def __init__(self, model: Model, desk: LibraryController) -> None:
        self._model, self._desk = model, desk

    def toggle(self) -> None:
        """Show two pictures, or one."""
        if self._model.other:
            self._model.other = None
        else:
            self.open(*self._beside())

    def open(self, animation: Animation, shown: str, chosen: int = LEFT) -> None:
        """Show an animation beside that of the model.

        Args:
            animation: its motion computed.
            shown: the text that stands for it.
            chosen: on which side the model's own is.
        """
        model, rig = self._model, CameraRig()
        model.lab = None
        rig.view, rig.following = model.rig.view, model.rig.following
        if model.rig.held:
            rig.hold(model.rig.orbit)
        history = History()
        history.visit(step_of(animation, shown))
        model.other, model.half = Half(animation, shown, Undo(), history, rig), chosen

    def exchange(self) -> None:
        """Let panel and keys act on the other half from now on."""
        model, other = self._model, self._model.other
        if other is None:
            return
        model.drop_pattern()
        model.undo.seal()
        model.lab = model.entry = None
        model.other = Half(model.animation, model.shown, model.undo, self._desk.history, model.rig)
        model.half = RIGHT - model.half
        # The clock is the same for both, and so is what is heard.
        clock = {row.name: getattr(model.animation.parameters, row.name) for row in ROWS if row.stage is Stage.CLOCK}
        model.undo, model.rig = other.undo, other.rig
        model.show(other.animation.replace(**clock), other.shown)
        self._desk.turn_to(other.history)

    def choose(self, half: int) -> None:
        """Let panel and keys act on a half."""
        if self._model.other and half != self._model.half:
            self.exchange()

    def _beside(self) -> tuple[Animation, str]:
        """What was shown before this, and the text for it; where there was nothing, the same by the next solver."""
        model, step = self._model, self._desk.history.before
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


def labels(model: Model) -> tuple[str, str]:
    """What stands over the left and the right half: its pattern, and what else differs where that is the same."""
    assert model.other
    own, other = model.animation, model.other.animation
    words = [model.shown, model.other.shown]
    if words[0] == words[1]:
        differing = [row for row in ROWS if row.stage is not Stage.CLOCK and _given(own, row) != _given(other, row)]
        words = [
            _told(text, [_said(one, row) for row in differing]) for text, one in zip(words, (own, other), strict=True)
        ]
    left, right = words if model.half == LEFT else words[::-1]
    return left, right


_MOST = 2  # differences that are told


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
