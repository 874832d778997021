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
    """Shows one picture or two, and switches the active half.

    Both halves show the same time in seconds, and play at the same speed.

    Args:
        model, library: of the viewer.
    """

    def __init__(self, model: Model, library: LibraryController) -> None:
        self._model, self._library = model, library

    def toggle(self) -> None:
        """Split the view, or show one picture again."""
        if self._model.other:
            self._model.other = None
        else:
            self.open(*self._beside())

    def open(self, animation: Animation, shown: str, chosen: int = LEFT) -> None:
        """Show an animation beside that of the model.

        Args:
            animation: its motion computed.
            shown: the text that opens it.
            chosen: the active half.
        """
        model, rig = self._model, CameraRig()
        model.lab = None
        rig.view, rig.following = model.rig.view, model.rig.following
        if model.rig.is_manual:
            rig.hold(model.rig.orbit)
        history = History()
        history.visit(step_of(animation, shown))
        model.other, model.half = Half(animation, shown, Undo(), history, rig), chosen

    def exchange(self) -> None:
        """Switch the active half."""
        model, other = self._model, self._model.other
        if other is None:
            return
        model.drop_pattern()
        model.undo.seal()
        model.lab = model.entry = None
        model.other = Half(model.animation, model.text, model.undo, self._library.history, model.rig)
        model.half = RIGHT - model.half
        # Both halves share the clock and the sound.
        clock = {row.name: getattr(model.animation.parameters, row.name) for row in ROWS if row.stage is Stage.CLOCK}
        model.undo, model.rig = other.undo, other.rig
        model.show(other.animation.replace(**clock), other.text)
        self._library.use_history(other.history)

    def choose(self, half: int) -> None:
        """Make a half the active one."""
        if self._model.other and half != self._model.half:
            self.exchange()

    def _beside(self) -> tuple[Animation, str]:
        """The previous pattern of the history and its text; without one, the same pattern with the next solver."""
        model, step = self._model, self._library.history.before
        if step and step.text != model.text:
            try:
                animation = step.restored(model.animation)
                animation.motion  # noqa: B018 - raises here if it is impossible
            except JuggleError:
                pass
            else:
                return animation, step.text
        options = _ARMS.options
        arms = options[(options.index(model.animation.parameters.arms) + 1) % len(options)]
        return model.animation.replace(arms=arms), model.text


def labels(model: Model) -> tuple[str, str]:
    """Labels of the left and right half: the patterns, or their differences if the patterns are the same."""
    assert model.other
    own, other = model.animation, model.other.animation
    words = [model.text, model.other.text]
    if words[0] == words[1]:
        differing = [row for row in ROWS if row.stage is not Stage.CLOCK and _given(own, row) != _given(other, row)]
        words = [
            _label(text, [_difference(one, row) for row in differing])
            for text, one in zip(words, (own, other), strict=True)
        ]
    left, right = words if model.half == LEFT else words[::-1]
    return left, right


_MAX_DIFFERENCES = 2  # in a label


def _given(animation: Animation, row: Row) -> float | str | None:
    value: float | str | None = getattr(animation.parameters, row.name)
    return value


def _difference(animation: Animation, row: Row) -> str:
    value = _given(animation, row)
    if isinstance(value, str):
        return value if row is _ARMS else f"{row.label.lower()} {value}"
    return f"{row.label.lower()} {'as usual' if value is None else f'{value:g}'}"


def _label(text: str, differences: list[str]) -> str:
    return " · ".join([text, *differences[:_MAX_DIFFERENCES], *(["…"] if len(differences) > _MAX_DIFFERENCES else [])])
