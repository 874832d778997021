"""The controls of a film: where it is, how large and how fast, and what is marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from juggle_anim.animation import Animation
from juggle_anim.language import replaced
from juggle_anim.parameters import Choice, Group, Quantity, Row, Stage
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.panel.value_entry import ValueEntry
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.undo import Undo

BEHIND, BESIDE, FRONT = "behind", "beside", "in front"
LOOP, IN_STEP, STAY = "loop", "in step", "stay"
THROWS, LEFT_HAND, RIGHT_HAND = "all throws", "left hand", "right hand"


def _row(
    label: str,
    unit: str,
    bounds: tuple[float, float],
    step: float,
    default: float,
    about: str,
    slider: tuple[float, float] | None = None,
) -> Quantity:
    name, (low, high) = f"film {label}", bounds
    return Quantity(name, name, label, unit, low, high, slider or bounds, step, default, Stage.CLOCK, Group.LOOK, about)


def _choice(label: str, options: tuple[str, ...], about: str) -> Choice:
    return Choice(f"film {label}", f"film {label}", label, options, options[0], Stage.CLOCK, Group.LOOK, about)


PLACE = _choice("Film", (BEHIND, BESIDE, FRONT), "Behind the animation, beside it, or over it")
SPEED = _row("Speed", "×", (0.01, 100.0), 0.05, 1.0, "Of the film over that of the animation", (0.1, 4.0))
START = _row("Start", "s", (0.0, 86_400.0), 0.1, 0.0, "Its time when the animation begins", (0.0, 10.0))
OPACITY = _row("Opacity", "%", (0.0, 100.0), 5.0, 100.0, "Lower, the stage or the animation is seen through it")
SIZE = _row("Size", "%", (5.0, 1000.0), 5.0, 100.0, "100 % fits the picture", (20.0, 300.0))
ACROSS = _row("Across", "%", (-200.0, 200.0), 1.0, 0.0, "How far right of the middle")
UP = _row("Up", "%", (-200.0, 200.0), 1.0, 0.0, "How far above the middle")
END = _choice("At its end", (LOOP, IN_STEP, STAY), "Begin again, begin again after whole loops, or stay")
MARKS = _choice("Marks", (THROWS, LEFT_HAND, RIGHT_HAND), "What is marked: each throw, or how long a hand holds")

ROWS: tuple[Row, ...] = (PLACE, START, SPEED, OPACITY, SIZE, ACROSS, UP, END, MARKS)
"""The controls of a film, in the order of its card."""

_FRONT_OPACITY = 50.0  # %; the default of a film over the animation


class FilmControls:
    """The values of the controls, as sliders and keys change them.

    Args:
        model: of the viewer.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.chosen: Row = PLACE
        """The control that keys change."""
        self.drop_downs = model.drop_downs
        self.entry = ValueEntry(self.drop_downs, self.set_value)
        self.undo = Undo()
        """Without steps: what is changed here is not undone."""
        self._rows = ROWS
        self._values: dict[str, float | str] = {}

    @property
    def animation(self) -> Animation:
        """The animation that the film is shown with."""
        return self._model.animation

    def begin(self, duration: float) -> None:
        """Reset all controls for a film of a duration, [s]."""
        start = replaced(START, slider=(0.0, duration), step=0.1 if duration < 60 else 1.0)
        self._rows = tuple(start if row is START else row for row in ROWS)
        self.chosen, self._values = PLACE, {}
        self.entry.cancel()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The controls, with the range of this film, and the defaults of its place."""
        faint = self.value(PLACE) == FRONT
        return tuple(replaced(row, default=_FRONT_OPACITY) if faint and row is OPACITY else row for row in self._rows)

    def value(self, row: Row) -> float | str:
        """The value of a control."""
        return self._values.get(row.name, self._default(row))

    def number(self, quantity: Quantity) -> float:
        """The value of a control that is a number."""
        return float(self.value(quantity))

    @property
    def changed(self) -> dict[str, float | str]:
        """The values of controls that were set, by name, as `restore` takes them."""
        return dict(self._values)

    def restore(self, changed: Mapping[str, float | str]) -> None:
        """Set controls as they were; names and values that there are not are passed over."""
        for row in self.rows:
            value, numeric = changed.get(row.name), isinstance(row, Quantity)
            if value is not None and isinstance(value, str) != numeric and row.accepts(value):  # type: ignore[arg-type]
                self._values[row.name] = value

    def is_default(self, quantity: Row) -> bool:
        """Whether a control is at its default."""
        return self.value(quantity) == self._default(quantity)

    def fixed(self, quantity: Row) -> str:
        """Why a control cannot be turned: of a film all can."""
        return ""

    def choose(self, line: Row) -> None:
        """Let keys change a control."""
        self.chosen = line

    def choose_next(self, steps: int) -> None:
        """Choose the control so many places further down, cyclically."""
        names = [row.name for row in self.rows]
        self.chosen = self.rows[(names.index(self.chosen.name) + steps) % len(names)]

    def set_value(self, row: Row, value: float | str | None) -> None:
        """Set a control."""
        if value is None:
            self._values.pop(row.name, None)
        else:
            self._values[row.name] = value

    def drag(self, quantity: Row, place: float, fine: bool = False) -> None:
        """Set a control to a position on its slider, 0 to 1."""
        self.set_value(quantity, values.value_at(quantity, place, fine))

    def step(self, steps: float) -> None:
        """Change the chosen control by some steps."""
        self.set_value(self.chosen, values.stepped(self.chosen, self.value(self.chosen), steps))

    def reset(self, quantity: Row) -> None:
        """Reset a control to its default."""
        self.set_value(quantity, None)

    def open_entry(self, quantity: Row) -> None:
        """Begin to type a value, or to choose one from the list of options."""
        self.chosen = quantity
        self.entry.open(quantity, self.value(quantity))

    @property
    def actions(self) -> dict[Action, Callable[[], None]]:
        """What keys do with the chosen control."""
        return {
            Action.CHOOSE_PREVIOUS: lambda: self.choose_next(-1),
            Action.CHOOSE_NEXT: lambda: self.choose_next(1),
            Action.TURN_DOWN: lambda: self.step(-1.0),
            Action.TURN_UP: lambda: self.step(1.0),
            Action.TURN_DOWN_FINE: lambda: self.step(-values.FINE),
            Action.TURN_UP_FINE: lambda: self.step(values.FINE),
            Action.TYPE_VALUE: lambda: self.open_entry(self.chosen),
            Action.RESET_VALUE: lambda: self.reset(self.chosen),
        }

    def placed(self, free: Rectangle, film: tuple[int, int]) -> Rectangle:
        """Return where the film is in a window, [pixels]: at a size of 100 % it fits a free part.

        Args:
            free: the free part, [pixels].
            film: width and height of the film, [pixels].
        """
        scale = min(free.width / film[0], free.height / film[1]) * self.number(SIZE) / 100.0
        wide, high = film[0] * scale, film[1] * scale
        left = free.left + (free.width - wide) / 2 + free.width * self.number(ACROSS) / 100.0
        top = free.top + (free.height - high) / 2 - free.height * self.number(UP) / 100.0
        return Rectangle(left, top, wide, high)

    def _default(self, row: Row) -> float | str:
        if row.name == OPACITY.name and self._values.get(PLACE.name) == FRONT:
            return _FRONT_OPACITY
        assert row.default is not None
        return row.default
