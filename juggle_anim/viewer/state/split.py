"""Several pictures on the same clock: the split view, and nine variations to choose from."""

from __future__ import annotations

from collections.abc import Iterator

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.language import N_, _, within_sentence
from juggle_anim.parameters import CHOICES, ROWS, ParameterValue, Row, Stage
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.panel.values import percent
from juggle_anim.viewer.state.generator import Control
from juggle_anim.viewer.state.keymap import VARIATIONS, Action, Handlers
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.live_change import LEFT, RIGHT, Half, LiveChange
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.undo import History, Undo, step_of

_ARMS = next(row for row in CHOICES if row.name == "arms")


class Split:
    """Shows one picture or two, and switches the active half.

    Both halves show the same time in seconds, and play at the same speed.

    Args:
        model, library: of the viewer.
    """

    def __init__(self, model: Model, library: LibraryController) -> None:
        self._model = model
        self._library = library

    def toggle(self) -> None:
        """Split the view, or show one picture again."""
        if self._model.other:
            self._model.other = None
        else:
            self.open(*self._beside())

    def open(self, animation: Animation, text: str, active_half: int = LEFT) -> None:
        """Split the view: show an animation beside that of the model, in the other half.

        Args:
            animation: the animation, with its motion already computed.
            text: the text that opens the animation.
            active_half: the half on which panel and keys act, that of the model: LEFT or RIGHT.
        """
        model = self._model
        model.lab = None  # an arm lab stops time, which both halves share

        # A camera of its own, which begins where that of the model is.
        rig = CameraRig()
        rig.view = model.rig.view
        rig.following = model.rig.following
        if model.rig.is_manual:
            rig.hold(model.rig.orbit)

        # The other half has an undo, a history and documents of its own, but the same clock.
        history = History()
        history.visit(step_of(animation, text))
        # The pattern's own time is 0 at the same time of the clock, [s], as that of the model.
        live = LiveChange(
            animation,
            text,
            model.playback.base,
            in_background=model.live.in_background,
            process=model.live.process,
        )
        model.other = Half(
            live, undo=Undo(), history=history, rig=rig, documents=model.documents.beside()
        )
        model.half = active_half

    def exchange(self) -> None:
        """Make the other half the active one; without a split view, do nothing.

        Panel and keys act on the model, so the parts of the other half are exchanged with those of
        the model, which are stored in `model.other`.
        """
        model = self._model
        inactive_half = model.other
        if inactive_half is None:
            return
        # End what goes on in the half that becomes inactive: typing, a step of undo, the arm lab.
        model.drop_pattern()
        model.undo.end_step()
        model.lab = None
        model.entry.cancel()
        model.other = Half(
            model.live,
            undo=model.undo,
            history=self._library.visited.history,
            rig=model.rig,
            documents=model.documents,
        )
        model.half = RIGHT if model.half == LEFT else LEFT
        # Both halves share the clock and the sound, so the parameters of these are copied.
        clock_values = {
            row.name: getattr(model.animation.parameters, row.name)
            for row in ROWS
            if row.stage is Stage.CLOCK
        }
        model.undo = inactive_half.undo
        model.rig = inactive_half.rig
        model.documents = inactive_half.documents
        inactive_half.live.look(clock_values)
        model.use_live(inactive_half.live)
        self._library.visited.use(inactive_half.history)

    def choose(self, half: int) -> None:
        """Make a half the active one."""
        if self._model.other and half != self._model.half:
            self.exchange()

    def _beside(self) -> tuple[Animation, str]:
        """Return an animation to compare the present one with, and the text that opens it.

        It is that of the previous pattern in the history; without a valid one, it is the present
        pattern with the next solver of arms.
        """
        model = self._model
        step = self._library.visited.history.before
        if step and step.text != model.text:
            try:
                animation = step.restored(model.animation)
                animation.motion  # noqa: B018 - raises here if it is impossible
            except JuggleError:
                pass
            else:
                return animation, step.text
        solvers = _ARMS.options
        next_index = (solvers.index(model.animation.parameters.arms) + 1) % len(solvers)
        return model.animation.replace(arms=solvers[next_index]), model.text


def labels(model: Model) -> tuple[str, str]:
    """Return the labels of the left and the right half of a split view.

    Each is the text of its pattern; if both have the same text, also the values of parameters in
    which they differ.
    """
    assert model.other
    active = model.animation
    other = model.other.animation
    active_label = model.text
    other_label = model.other.text
    if active_label == other_label:
        # The same pattern twice: name the parameters that differ, but for those of the clock, which
        # both halves share.
        differing = [
            row
            for row in ROWS
            if row.stage is not Stage.CLOCK and _set_value(active, row) != _set_value(other, row)
        ]
        active_label = _label(active_label, [_difference(active, row) for row in differing])
        other_label = _label(other_label, [_difference(other, row) for row in differing])
    # The active half may be on either side.
    return (active_label, other_label) if model.half == LEFT else (other_label, active_label)


_MAX_DIFFERENCES = 2  # in a label


def _set_value(animation: Animation, row: Row) -> ParameterValue | None:
    value: ParameterValue | None = getattr(animation.parameters, row.name)
    return value


def _difference(animation: Animation, row: Row) -> str:
    value = _set_value(animation, row)
    if isinstance(value, str):
        return value if row is _ARMS else f"{within_sentence(row.label)} {value}"
    return f"{within_sentence(row.label)} {_('default') if value is None else f'{value:g}'}"


def _label(text: str, differences: list[str]) -> str:
    return " · ".join(
        [
            text,
            *differences[:_MAX_DIFFERENCES],
            *(["…"] if len(differences) > _MAX_DIFFERENCES else []),
        ]
    )


_AMOUNTS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0)
_KINDS = "mixed", "throws", "times", "places"


class VariationSheet:
    """Nine variations of the present pattern, the fifth of them itself.

    Args:
        model: model of the viewer.
    """

    def __init__(self, model: Model) -> None:
        """Begin with the default values of both controls, and no versions.

        Args:
            model: state of the viewer, whose pattern is varied.
        """
        self._model = model
        # What is varied, and how much, as a share of the most that is possible.
        self.controls = (
            Control("what varies", N_("What"), [(kind, kind) for kind in _KINDS], default="mixed"),
            Control(
                "amount",
                N_("How much"),
                [(percent(f"{100 * amount:.0f}"), amount) for amount in _AMOUNTS],
                default=0.5,
            ),
        )
        self.line = 0
        """The chosen control."""
        self.seed = 0
        self.versions: list[Animation] = []
        """The variations that are made already."""
        self.hovered: int | None = None
        """Index of the version that the mouse points at; None if it points at none."""
        self._making: Iterator[Animation] = iter(())
        self._unplanned: Animation | None = None  # its bodies are planned in the next frame
        # What the versions are made of: score, parameters, kind, amount and seed.
        self._made_of: tuple[object, ...] = (None,) * 5

    def toggle(self) -> None:
        """Open the sheet of variations, or close it.

        It does not open for timed events: a notice says why.
        """
        model = self._model
        is_open = model.cards.panel == VARIATIONS
        if not is_open and model.animation.pattern is None:
            model.notice.say(
                _("Timed events cannot be varied; choose a pattern of throws"),
                bad=True,
            )
            return
        self.hovered = None
        if is_open:
            model.cards.close(VARIATIONS)
        else:
            # The arm lab takes the picture, too.
            model.lab = None
            model.cards.open(VARIATIONS)

    def advance(self) -> bool:
        """Create the next missing version, or plan its bodies; returns whether to redraw.

        Called in every frame. The work on a version is split over two frames, to keep them short.
        """
        if self._model.cards.panel != VARIATIONS:
            return False
        animation = self._model.live.chosen.animation
        if animation.pattern is None:
            self._model.cards.close(VARIATIONS)
            return True

        # Restart if the pattern, a control or the seed has changed. Tuples compare the identity of
        # members first, which is faster than equality.
        kind, amount = (control.value for control in self.controls)
        sources = animation.score, animation.parameters, kind, amount, self.seed
        if sources != self._made_of:
            from juggle_anim.variants import each_version

            self._made_of = sources
            self.versions = []
            self._unplanned = None
            self._making = each_version(animation, kind, amount, seed=self.seed)

        # In one frame a version is made. In the next its bodies are planned (their postures found),
        # which takes longest; the plan is cached.
        version = self._unplanned
        if version is None:
            self._unplanned = next(self._making, None)
            return self._unplanned is not None
        self._unplanned = None
        version.plan  # noqa: B018 - cached
        self.versions.append(version)
        return True

    def choose(self, number: int) -> None:
        """Play one of the nine versions of the variation sheet, and compute variations of it.

        Args:
            number: index of `versions`; one that is not made yet is ignored.
        """
        model = self._model
        present = model.live.chosen.animation
        if not 0 <= number < len(self.versions) or self.versions[number] is present:
            return
        version = self.versions[number]
        if version.pattern != present.pattern:
            model.go_to(version, version.text)
        else:
            # The same throws with other values are a change of the present pattern.
            with model.undo.own_step():
                model.change(lambda _: version, "variation")
        self.seed += 1

    def step(self, control: Control, steps: int) -> None:
        """Change what varies."""
        self.line = self.controls.index(control)
        control.step(steps)

    def make_others(self) -> None:
        """Make nine other versions."""
        self.seed += 1

    @property
    def card_actions(self) -> Handlers:
        """What keys do while its card takes them."""
        return {
            Action.CHOOSE_PREVIOUS: lambda: self._move(-1),
            Action.CHOOSE_NEXT: lambda: self._move(1),
            Action.TURN_DOWN: lambda: self.step(self.controls[self.line], -1),
            Action.TURN_UP: lambda: self.step(self.controls[self.line], 1),
            Action.TYPE_VALUE: self.make_others,
            Action.BACK: self.toggle,
        }

    def _move(self, steps: int) -> None:
        self.line = (self.line + steps) % len(self.controls)
