"""The table of all parameters; sliders, flags and settings are made from it.

Settings whose values are texts, and the words they accept.

Keys of settings strings and flags come from them.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from importlib import import_module
from importlib.util import find_spec
from inspect import CO_VARKEYWORDS
from numbers import Integral, Real
from operator import is_
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, ParamSpec, TypeVar

from juggle_anim.errors import ParameterError, did_you_mean, either, printable
from juggle_anim.language import _, translated

ARM_SOLVERS = {
    "natural": "natural.natural",
    "chicken-wing": "closed_form.chicken_wing",
    "two-link": "two_link.two_link",
    "two-link-polar": "two_link.two_link_polar",
    "resolved-rate": "resolved_rate.resolved_rate",
    "natural-place": "natural.natural_place",
}
"""Solvers of arms, the default first: the name that users type, and module and function in
`juggle_anim.body.arms`.
"""

BEAT_PARAMETERS = ("bps", "dwell", "squeeze_beats", "width", "throw_height", "catch_height")
"""Parameters of when and where throws on beats are made; patterns of events state this themselves.
"""

SIDED_PARAMETERS = {"chicken_wing": ("left_wing", "right_wing")}
"""Quantities that may be given as `left,right`, and the quantities of both sides."""

PEOPLE = 10
"""How many people there are to choose from, see `scene.people`."""


MAX_HIDDEN = 1_000
"""The highest number of a juggler who can be hidden; no pattern has more jugglers."""

_OF_SWITCHES = {"true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"}
"""What other programs say in place of the words of a switch."""

_OF_LISTS = {"true": "all", "yes": "all", "false": "none", "no": "none", "0": "none", "": "none"}
"""What they say in place of the words of a list of all, none or some."""


class Stage(IntEnum):
    """The stages of the pipeline in order; a parameter belongs to the first stage that reads it."""

    CHOREOGRAPHY = 1
    MOTION = 2
    PLAN = 3
    BODY = 4
    SCENE = 5
    CLOCK = 6


class Group(Enum):
    """Groups of parameters in the user interface, in order.

    First what everybody turns, and what is seen at once.
    """

    BASICS = "Basics"
    LOOK = "Look"
    PROPS = "Props"
    TIMING = "Timing"
    ARMS = "Arms"
    HAND_PATH = "Hand path"
    BODY = "Body"
    SOUND = "Sound"
    WINDOW = "Window"


@translated("label", "help")
@dataclass(frozen=True)
class Quantity:
    """A numeric parameter: a row of the table.

    Values from `low` to `high` are accepted, in `unit`; a slider spans `slider` and moves by
    `step`. `key` is the name in settings strings. With a `default` of None the value is that of the
    row named `follows`, or comes from the pattern. A `whole` one takes whole numbers only, and may
    be without a unit.
    """

    name: str
    key: str
    label: str
    unit: str
    low: float
    high: float
    slider: tuple[float, float]
    step: float
    default: float | None
    stage: Stage
    group: Group
    help: str
    follows: str = ""
    whole: bool = False

    choices: ClassVar[tuple[str, ...]] = ()

    @property
    def minimum(self) -> float:
        """The least value that is accepted."""
        return self.low

    @property
    def maximum(self) -> float:
        """The greatest value that is accepted."""
        return self.high

    min = minimum
    max = maximum

    def accepts(self, value: float) -> bool:
        """Whether a value is within the bounds, and whole if it must be."""
        return self.low <= value <= self.high and (not self.whole or value == round(value))

    @property
    def accepted(self) -> str:
        """Which values are accepted: `a number from 0 to 200 %`."""
        bounds = {"low": f"{self.low:g}", "high": f"{self.high:g} {_(self.unit)}".rstrip()}
        return (
            _("a whole number from {low} to {high}", **bounds)
            if self.whole
            else _("a number from {low} to {high}", **bounds)
        )

    @property
    def decimals(self) -> int:
        """Digits after the point that show a fine step, a tenth of `step`."""
        return max(0, math.ceil(-math.log10(self.step / 10) - 1e-9))


@translated("label", "help")
@dataclass(frozen=True)
class Choice:
    """A parameter that is a word: a row, like `Quantity`.

    With `several` it may be some numbers, too, each among its words or from 1 to `highest`.
    """

    name: str
    key: str
    label: str
    options: tuple[str, ...]
    default: str
    stage: Stage
    group: Group
    help: str
    several: bool = False
    highest: int = 0

    unit: ClassVar[str] = ""
    min: ClassVar[None] = None
    max: ClassVar[None] = None
    minimum: ClassVar[None] = None
    maximum: ClassVar[None] = None

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that are accepted."""
        return self.options

    def plain(self, text: str) -> str:
        """Return a typed word or list of numbers in the form in which `options` are written.

        Spaces and brackets are taken off, and words of other programs replaced, as `true` by `on`.
        Whether the result is one of the options is not checked.

        Args:
            text: as typed.
        """
        # A switch; "auto" leaves it at its default.
        if set(self.options) == {"on", "off"}:
            word = text.strip().casefold()
            return self.default if word == "auto" else _OF_SWITCHES.get(word, word)

        # One word, or, where several are accepted, a list of numbers such as `(1, 4)`.
        unbracketed = text.strip()
        if self.several and unbracketed.startswith("(") and unbracketed.endswith(")"):
            unbracketed = unbracketed[1:-1]
        words = ",".join(piece.strip() for piece in unbracketed.split(","))
        return _OF_LISTS.get(words.casefold(), words) if "all" in self.options else words

    def accepts(self, word: str) -> bool:
        """Whether a word is one of the options, or some of the numbers among them."""
        numbers = word.split(",") if self.several else ()
        return word in self.options or (bool(numbers) and all(map(self._accepts_number, numbers)))

    def _accepts_number(self, text: str) -> bool:
        if not re.fullmatch("[1-9][0-9]{0,5}", text):
            return False
        return text in self.options or int(text) <= self.highest

    def hint(self, word: str) -> str:
        """Return a hint at what is accepted in place of a word: a similar option, or all."""
        options = ", ".join(self.options)
        known = (
            _("use {options}, or several numbers such as 1,4,2", options=options)
            if self.several
            else ""
        )
        # Numbers are like no option.
        return known if known and not word.isalpha() else did_you_mean(word, self.options, known)

    @property
    def slider(self) -> tuple[float, float]:
        """The range of a slider over the options, counted from 0."""
        return 0.0, len(self.options) - 1.0

    @property
    def step(self) -> float:
        """From one option to the next."""
        return 1.0


Row = Quantity | Choice

ParameterValue = float | str
"""A value of a row: a number in the unit of a quantity, or an option of a choice."""


def _quantity(
    default: float | None,
    label: str,
    unit: str,
    accepted: tuple[float, float],
    step: float,
    stage: Stage,
    group: Group,
    about: str,
    *,
    key: str = "",
    slider: tuple[float, float] | None = None,
    follows: str = "",
    whole: bool = False,
) -> Any:
    """Return a dataclass field of `Parameters` for a quantity, with its table row as metadata.

    Each quantity is a row of the parameter table. The metadata are the fields of `Quantity`, but
    for the name and the default value, which the dataclass field has. An empty `key` stands for the
    name.

    Args:
        default, label, unit, step, stage, group, key, follows, whole: fields of `Quantity`.
        accepted: `low` and `high`, the least and the greatest value that is accepted, in `unit`.
        about: the `help` of the quantity.
        slider: the least and the greatest value of its slider; None for those accepted.
    """
    low, high = accepted
    row = {
        "label": label,
        "unit": unit,
        "low": low,
        "high": high,
        "slider": slider or accepted,
        "step": step,
        "stage": stage,
        "group": group,
        "help": about,
        "key": key,
        "follows": follows,
        "whole": whole,
    }
    return field(default=default, metadata=row)


def _choice(
    label: str, options: tuple[str, ...], stage: Stage, group: Group, about: str, **more: object
) -> Any:
    """Return a dataclass field of `Parameters` for a choice, with its table row as metadata.

    Arguments are the fields of `Choice`; the first option is the default, and `about` the `help`.
    """
    row = {
        "label": label,
        "options": options,
        "stage": stage,
        "group": group,
        "help": about,
        "key": "",
        **more,
    }
    return field(default=options[0], metadata=row)


@dataclass(frozen=True)
class Parameters:
    """Every adjustable quantity with its value, in the unit that users see.

    Raises:
        ParameterError: a value outside its range, or not a number.
    """

    chicken_wing: float = _quantity(
        30.0, "Elbow lift", "°", (-180.0, 180.0), 5.0, Stage.BODY, Group.ARMS,
        "How far both elbows are lifted outward, into a chicken wing; at 0° they hang down",
        key="chickenwing", slider=(-45.0, 120.0))  # fmt: skip
    left_wing: float | None = _quantity(
        None, "Left elbow", "°", (-180.0, 180.0), 5.0, Stage.BODY, Group.ARMS,
        "The same for the left elbow alone", key="leftwing", slider=(-45.0, 120.0),
        follows="chicken_wing")  # fmt: skip
    right_wing: float | None = _quantity(
        None, "Right elbow", "°", (-180.0, 180.0), 5.0, Stage.BODY, Group.ARMS,
        "The same for the right elbow alone", key="rightwing", slider=(-45.0, 120.0),
        follows="chicken_wing",
    )  # fmt: skip
    arms: str = _choice(
        "Elbow method", tuple(ARM_SOLVERS), Stage.BODY, Group.ARMS,
        "How elbows are placed; natural is where people hold them")  # fmt: skip
    ghost: str = _choice(
        "Compare with", ("none", *ARM_SOLVERS), Stage.SCENE, Group.ARMS,
        "Compare with another elbow method, whose arms are drawn in another colour"
    )  # fmt: skip
    bps: float | None = _quantity(
        None, "Throwing tempo", "beats/s", (0.05, 200.0), 0.1, Stage.CHOREOGRAPHY, Group.BASICS,
        "How often hands throw; faster makes throws lower. Playback speed leaves heights alone",
        slider=(0.5, 10.0))  # fmt: skip
    dwell: float = _quantity(
        1.3, "Dwell", "beats", (0.02, 1.98), 0.05, Stage.CHOREOGRAPHY, Group.TIMING,
        "Time from a catch to the same hand's next throw; more means longer holds, lower throws",
        slider=(0.1, 1.9))  # fmt: skip
    gravity: float = _quantity(
        980.0, "Gravity", "cm/s²", (0.1, 100_000.0), 20.0, Stage.CHOREOGRAPHY, Group.TIMING,
        "Pull on the props; less makes them rise and fall more slowly. The Moon has 162",
        slider=(100.0, 2500.0))  # fmt: skip
    squeeze_beats: float = _quantity(
        0.4, "Squeeze catches", "beats", (0.0, 1.0), 0.05, Stage.CHOREOGRAPHY, Group.TIMING,
        "Time between catches in one hand on one beat; 0 catches all at once",
        key="squeezebeats")  # fmt: skip
    human: float = _quantity(
        0.0, "Humanise", "%", (0.0, 200.0), 10.0, Stage.MOTION, Group.TIMING,
        "How much throws and catches vary; 0 like a machine, 100 like a real juggler")  # fmt: skip
    seed: float = _quantity(
        0.0, "Variation number", "", (0.0, 100_000.0), 10.0, Stage.MOTION, Group.TIMING,
        "Picks the variations of Humanise; the same number always gives the same ones",
        slider=(0.0, 100.0), whole=True,
    )  # fmt: skip
    human_loops: float | None = _quantity(
        None, "Varied loops", "loops", (1.0, 1000.0), 10.0, Stage.MOTION, Group.TIMING,
        "Loops before the variations of Humanise repeat; by default about 12 seconds",
        key="humanloops",
        slider=(1.0, 101.0), whole=True)  # fmt: skip
    width: float = _quantity(
        100.0, "Width", "%", (10.0, 400.0), 5.0, Stage.CHOREOGRAPHY, Group.HAND_PATH,
        "How far apart hands throw and catch, unless the pattern sets it",
        slider=(50.0, 200.0))  # fmt: skip
    throw_height: float = _quantity(
        0.0, "Throw height", "cm", (-80.0, 100.0), 2.0, Stage.CHOREOGRAPHY, Group.HAND_PATH,
        "How much higher than usual hands throw", key="throwheight",
        slider=(-30.0, 40.0))  # fmt: skip
    catch_height: float = _quantity(
        0.0, "Catch height", "cm", (-80.0, 100.0), 2.0, Stage.CHOREOGRAPHY, Group.HAND_PATH,
        "How much higher than usual hands catch", key="catchheight",
        slider=(-30.0, 40.0))  # fmt: skip
    bounce_fraction: float = _quantity(
        0.9, "Bounce", "of energy", (0.01, 10.0), 0.05, Stage.CHOREOGRAPHY, Group.PROPS,
        "Share of energy a prop keeps when it bounces", key="bouncefrac",
        slider=(0.5, 1.0))  # fmt: skip
    bounce_speed: str = _choice(
        "Bounce speed", ("usual", "slow"), Stage.CHOREOGRAPHY, Group.PROPS,
        "Which of two bounce throws of equal length: Juggling Lab's or the slower one",
        key="bouncespeed",
    )  # fmt: skip
    prop_diameter: float = _quantity(
        7.0, "Prop size", "cm", (1.0, 60.0), 0.5, Stage.MOTION, Group.PROPS,
        "Diameter of a ball", key="propdiam", slider=(3.0, 20.0))  # fmt: skip
    catch_softness: float = _quantity(
        70.0, "Catch softness", "%", (0.0, 100.0), 5.0, Stage.MOTION, Group.HAND_PATH,
        "How far the hand gives way when catching; 100 means no impact",
        key="softness")  # fmt: skip
    scoop: float = _quantity(
        100.0, "Hand dip", "%", (10.0, 300.0), 10.0, Stage.MOTION, Group.HAND_PATH,
        "How low hands scoop between catch and throw; less needs more force",
        slider=(20.0, 200.0))  # fmt: skip
    hand_path: str = _choice(
        "Empty hand", ("direct", "under", "over"), Stage.MOTION, Group.HAND_PATH,
        "How an empty hand moves from its throw to its next catch", key="handpath")  # fmt: skip
    spins: float | None = _quantity(
        None, "Spins of clubs", "turns", (0.0, 20.0), 0.5, Stage.MOTION, Group.PROPS,
        "Turns of each club in the air, in halves; by default, higher throws turn more",
        slider=(0.0, 5.0),
    )  # fmt: skip
    body_motion: float = _quantity(
        100.0, "Body motion", "%", (0.0, 300.0), 10.0, Stage.PLAN, Group.BODY,
        "How much knees, hips and spine move with the throws; 0 stands still",
        key="bodymotion")  # fmt: skip
    head_motion: float = _quantity(
        100.0, "Head motion", "%", (0.0, 300.0), 10.0, Stage.PLAN, Group.BODY,
        "How much heads follow the highest props; 0 looks straight ahead",
        key="headmotion")  # fmt: skip
    feet: str = _choice(
        "Feet", ("step", "glide"), Stage.PLAN, Group.BODY, "Whether feet step or glide when a "
                                                           "body moves",
    )  # fmt: skip
    trails: float = _quantity(
        0.0, "Trails", "s", (0.0, 10.0), 0.1, Stage.SCENE, Group.LOOK,
        "How long the trail behind each prop lasts", slider=(0.0, 2.0))  # fmt: skip
    paths: str = _choice(
        "Paths", ("none", "throws", "hands", "both", "flying", "arcs"), Stage.SCENE, Group.LOOK,
        "Show the paths of throws, hands or both, of props in the air, or only arcs behind "
        "those")  # fmt: skip
    aids: str = _choice(
        "Guides", ("none", "axes", "reach", "both"), Stage.SCENE, Group.LOOK,
        "Show arm joint axes, the reach of the wrists, or both")  # fmt: skip
    figure: str = _choice(
        "Figure", ("person", "solid", "mannequin", "stick", "see-through", "hidden"), Stage.SCENE,
        Group.LOOK,
        "How people are drawn")  # fmt: skip
    people: str = _choice(
        "People", ("varied", "same", *map(str, range(1, PEOPLE + 1))), Stage.SCENE, Group.LOOK,
        "Who juggles: all different, all the same, or chosen by number, such as 1,4,2",
        several=True)  # fmt: skip
    hide_jugglers: str = _choice(
        "Hide jugglers", ("none", "all"), Stage.SCENE, Group.LOOK,
        "Draw only the props of these jugglers: all, or by number, such as 1,3",
        key="hidejugglers",
        several=True, highest=MAX_HIDDEN)  # fmt: skip
    ground: str = _choice(
        "Ground", ("on", "off"), Stage.SCENE, Group.LOOK, "Draw floor, walls and shadows",
        key="showground")  # fmt: skip
    stage: str = _choice(
        "Stage", ("studio", "gym", "dark"), Stage.SCENE, Group.LOOK,
        "Where people juggle")  # fmt: skip
    theme: str = _choice(
        "Theme", ("standard", "projected", "colour-blind"), Stage.SCENE, Group.LOOK,
        "Colours and lines for a screen, a projector or colour-blind people")  # fmt: skip
    field_of_view: float = _quantity(
        30.0, "Field of view", "°", (1.0, 120.0), 5.0, Stage.SCENE, Group.LOOK,
        "Vertical angle of the camera; wider brings it closer and adds perspective",
        key="fov",
        slider=(1.0, 90.0))  # fmt: skip
    framing: str = _choice(
        "Framing", ("people", "whole"), Stage.SCENE, Group.LOOK,
        "Fit all throws, or show people larger; small props with seconds mark those above"
    )  # fmt: skip
    projection: str = _choice(
        "Projection", ("perspective", "orthographic"), Stage.SCENE, Group.LOOK,
        "Perspective makes distant things smaller; orthographic keeps lengths true")  # fmt: skip
    mirror: str = _choice(
        "Mirror", ("off", "on"), Stage.SCENE, Group.LOOK, "Swap left and right, as in a mirror",
    )  # fmt: skip
    stereo: str = _choice(
        "Stereo", ("off", "parallel", "crossed", "anaglyph"), Stage.SCENE, Group.LOOK,
        "One picture for each eye: side by side, eyes parallel or crossed, or for red-cyan "
        "glasses")  # fmt: skip
    speed: float = _quantity(
        1.0, "Playback speed", "×", (0.01, 100.0), 0.1, Stage.CLOCK, Group.BASICS,
        "Slow motion or fast forward; 1 is real time. Throws stay just as high",
        slider=(0.05, 3.0))  # fmt: skip
    volume: float = _quantity(
        100.0, "Volume", "%", (0.0, 100.0), 10.0, Stage.CLOCK, Group.SOUND,
        "Volume of catches and bounces",
    )  # fmt: skip
    pitch: str = _choice(
        "Pitch", ("even", "hand", "height"), Stage.CLOCK, Group.SOUND,
        "All catches sound the same, each hand has its own tone, "
        "or pitch rises with height")  # fmt: skip
    metronome: str = _choice(
        "Metronome", ("off", "on"), Stage.CLOCK, Group.SOUND, "Tick on every beat")  # fmt: skip

    def __post_init__(self) -> None:
        values = vars(self)
        if all(map(is_, values.values(), _DEFAULT_VALUES)):
            return  # there is nothing to check
        for row in ROWS:
            value = values[row.name]
            if value is not row.default:
                values[row.name] = _checked(row, value)

    @property
    def wings(self) -> tuple[float, float]:
        """The chicken wing of the left and of the right arm, [°]."""
        left = self.left_wing
        right = self.right_wing
        return (
            self.chicken_wing if left is None else left,
            self.chicken_wing if right is None else right,
        )

    @property
    def changed(self) -> dict[str, ParameterValue | None]:
        """The values that are not at their defaults, by name."""
        values = {row.name: getattr(self, row.name) for row in ROWS}
        return {name: value for name, value in values.items() if value != row_named(name).default}

    def replace(self, **changes: ParameterValue | None) -> Parameters:
        """These parameters with some of them changed.

        Raises:
            ParameterError: a name that is not in the table, or a value outside its range.
        """
        if not changes:
            return self
        # Those that do not change have been checked.
        checked = {name: _checked(row_named(name), value) for name, value in changes.items()}
        replaced = object.__new__(Parameters)
        vars(replaced).update(vars(self) | checked)
        return replaced


def row_named(name: str) -> Row:
    """Return the row of the parameter table with this name.

    Args:
        name: name of a parameter in Python, such as `throw_height`.

    Raises:
        ParameterError: there is no such row; the nearest name is suggested.
    """
    if name in _BY_NAME:
        return _BY_NAME[name]
    hint = did_you_mean(DECIDED_BY.get(name, name), [*_BY_NAME, *TEXT_KEYS], alike=0.5)
    raise ParameterError(
        _("there is no parameter {name!r}: {hint}", name=printable(name, 40), hint=hint)
    )


def add_arm_solver(name: str) -> None:
    """Accept one more name of a solver wherever one is chosen."""
    for chooser in ("arms", "ghost"):
        row = _BY_NAME[chooser]
        assert isinstance(row, Choice)
        if name not in row.options:
            # The row stays the same object, since all that lists rows holds it.
            object.__setattr__(row, "options", (*row.options, name))


def quantity_named(name: str) -> Quantity:
    """Return the row of the parameter table with this name, which must be a quantity (a number).

    Args:
        name: name of a parameter in Python, such as `throw_height`.

    Raises:
        ParameterError: there is no such row, or it is a choice of words.
    """
    row = row_named(name)
    if isinstance(row, Choice):
        options = ", ".join(row.options)
        raise ParameterError(
            _("{name} is not a number; use one of {options}", name=name, options=options)
        )
    return row


def _checked(row: Row, value: Any) -> ParameterValue | None:
    """Return a value in the form of its row: a word for a choice, or a float for a quantity.

    None is accepted if it is the default, which stands for a value that follows from the pattern or
    from another parameter.

    Args:
        row: row of the parameter table.
        value: the value as given, of any type.

    Raises:
        ParameterError: the row does not accept the value.
    """
    if isinstance(row, Choice):
        word = row.plain(str(value)) if isinstance(value, (str, Integral)) else value  # 3 is "3"
        if not isinstance(word, str) or not row.accepts(word):
            raise ParameterError.none_of(row.name, str(value), row.hint(str(value)))
        return word
    if value is None and row.default is None:
        return None
    # Real, since numpy's numbers are neither int nor float.
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    # NaN fails both comparisons, so it is refused here too.
    if not (is_number and row.accepts(value)):
        raise ParameterError.of(row.name, value if is_number else repr(value), row.accepted)
    return float(value)


def _row(entry: dataclasses.Field[Any]) -> Row:
    """The row of the table that a field of `Parameters` describes."""
    row: Any = {**entry.metadata, "name": entry.name, "default": entry.default}
    row["key"] = row["key"] or entry.name
    return Choice(**row) if "options" in row else Quantity(**row)


ROWS: tuple[Row, ...] = tuple(_row(entry) for entry in dataclasses.fields(Parameters))
"""The table, in the order in which settings are written; the viewer lists it by its groups."""

QUANTITIES: tuple[Quantity, ...] = tuple(row for row in ROWS if isinstance(row, Quantity))
"""Its rows that are numbers."""

CHOICES: tuple[Choice, ...] = tuple(row for row in ROWS if isinstance(row, Choice))
"""Its rows that are words."""

_BY_NAME = {row.name: row for row in ROWS}

_DEFAULT_VALUES = tuple(row.default for row in ROWS)

DEFAULTS = Parameters()
"""All parameters as they are by default."""


PROP_KINDS = ("ball", "club", "ring", "square", "image")
"""Values of `prop`."""

HAND_STYLES = ("natural", "juggling-lab")
"""Values of `style`; the first is the default."""

IMPLIED_HAND_STYLE = "juggling-lab"
"""The style that applies where a dwell or hands are given without a style."""

GRASP_KINDS = ("palm", "claw")
"""The words of `catches` that say how a hand is turned; the first is the default."""

BODY_THROW_NAMES = {
    "backcross": "Behind the back, over the other shoulder",
    "shoulder": "Behind the back, over the same shoulder",
    "lazy": "Behind the back, around the other side",
    "underleg": "Under the leg from outside",
    "underleg-inside": "Under the leg from inside",
    "underleg-other": "Under the other leg from inside",
    "albert": "Between the legs from the front",
    "trebla": "Between the legs from behind",
    "underarm": "Under the other arm",
    "chop": "Chop, down and across",
    "overhead": "From above the head",
    "penguin": "Penguin, beside the body",
}
"""The words of `throws` beside grasps, and what they mean; `juggle_anim.choreography.body_throws`
has how they go.
"""

OTHER_TRICK_NAMES = {
    "around the back": "lazy", "behind the back": "backcross", "over the shoulder": "shoulder",
    "under leg": "underleg", "under the arm": "underarm", "under the leg": "underleg",
}  # fmt: skip
"""What people call throws around the body, with blanks between the words."""

OTHER_PROP_NAMES = {
    "beanbag": "ball", "bean bag": "ball", "cube": "square", "hoop": "ring", "knives": "club",
    "knife": "club", "pin": "club", "torch": "club", "torche": "club",
}  # fmt: skip
"""What people call props, in the singular, or in the plural without its s."""

BODY_CATCH_NAMES = {
    "penguin": "Penguin, beside the body",
    "behind": "Behind the back",
    "overhead": "Above the head",
    "neck": "On the neck",
}
"""The words of `catches` beside grasps, likewise."""


@translated("help")
@dataclass(frozen=True)
class TextSetting:
    """A setting whose value is a text.

    Args:
        name: in settings strings, in Python and, as `--name`, on the command line.
        form: the form of its value, in a word; empty for a switch, which is on or off.
        help: what it does.
        choices: the words that are accepted; empty if others are, too.
    """

    name: str
    form: str
    help: str
    default: str = ""
    choices: tuple[str, ...] = ()

    unit: ClassVar[str] = ""
    min: ClassVar[None] = None
    max: ClassVar[None] = None
    minimum: ClassVar[None] = None
    maximum: ClassVar[None] = None


TEXT_SETTINGS = (
    TextSetting("hss", "SITESWAP", "Hand siteswap; the pattern is then that of the props"),
    TextSetting("handspec", "(L,R)(L,R)", "With --hss: numbers of each juggler's hands"),
    TextSetting("hold", "", "With --hss: hold props thrown as far as the hand's own throw"),
    TextSetting("dwellmax", "", "With --hss: hold props as long as possible, ignoring dwell"),
    TextSetting(
        "jugglers", "N", "How many jugglers share a line of passing notation such as 4p 2 3"
    ),
    TextSetting("hands", "MOVES", "Where hands throw and catch, in cm: (10)(32.5). or inside"),
    TextSetting(
        "style",
        "STYLE",
        "natural, or Juggling Lab's positions and times (juggling-lab, the default with hands or "
        "dwell)",
        choices=HAND_STYLES,
    ),
    TextSetting(
        "catches",
        "WORDS",
        "palm, claw, penguin, behind …; claw,palm alternates; left|right sets each hand",
    ),
    TextSetting(
        "throws",
        "WORDS",
        "Body throw of each throw, such as underleg,-; - is the default",
    ),
    TextSetting(
        "throwspins", "TURNS", "Turns of clubs for each throw, such as 1,-,1.5; - is the default"
    ),
    TextSetting(
        "body", "MOVES", "Where jugglers stand and face, in degrees and cm: (90,75).|(270,-75)."
    ),
    TextSetting(
        "prop",
        "KINDS",
        "ball, club, ring, square or image; club,ring for alternating props",
        choices=PROP_KINDS,
    ),
    TextSetting("colors", "COLOURS", "mixed, orbits, or a list such as {red}{0,0,255}"),
    TextSetting("title", "TEXT", "Name of the pattern"),
)
"""All text settings, in the order in which they are written."""

TEXT_KEYS = tuple(setting.name for setting in TEXT_SETTINGS)
"""Their names."""


class SettingsTable(dict[str, Quantity | Choice | TextSetting]):
    """All settings by name, also by the names that people guess, and as attributes."""

    def __getattr__(self, name: str) -> Quantity | Choice | TextSetting:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(*error.args) from None

    def __missing__(self, guess: str) -> Quantity | Choice | TextSetting:
        name = {row.key: row.name for row in ROWS}.get(guess) or setting_named(guess)
        if name in self:
            return self[name]
        hint = did_you_mean(guess, list(self))
        raise KeyError(_("there is no parameter {name!r}: {hint}", name=guess, hint=hint))


SETTINGS = SettingsTable({row.name: row for row in (*ROWS, *TEXT_SETTINGS)})
"""Each has its `default`, `unit`, `min`, `max` and `choices`, and says as `help` what it does."""

OTHER_NAMES = {
    "arm_solver": "arms", "ball_color": "colors", "ball_radius": "prop_diameter",
    "ball_size": "prop_diameter", "beat": "bps",
    "body_throw": "throws", "bpm": "bps",
    "elbow_solver": "arms", "other_solver": "ghost", "second_solver": "ghost",
    "solver": "arms", "color": "colors", "colour": "colors", "colours": "colors",
    "distance": "body",
    "elbow": "chicken_wing", "elbow_angle": "chicken_wing", "hand_width": "width",
    "prop_color": "colors",
    "props": "prop", "slow": "speed", "slow_motion": "speed", "slowdown": "speed",
    "tempo": "bps", "throw": "throws", "trick": "throws", "wing": "chicken_wing",
}  # fmt: skip
"""What people call settings in Python and on the command line, and the setting that each means."""

DECIDED_BY = {
    "age": "people", "ball_mass": "prop", "ball_weight": "prop", "body_height": "people",
    "body_size": "people", "hair": "people", "juggler_height": "people", "juggler_size": "people",
    "mass": "prop", "person_height": "people", "person_size": "people", "prop_mass": "prop",
    "prop_weight": "prop", "skin": "people", "weight": "prop",
}  # fmt: skip
"""What cannot be set by itself, and the setting that decides it with others."""

MIN_GRAVITY = 30.0
"""A smaller gravity that somebody types is in m/s², as even that of Jupiter is, 24.8 m/s²; in cm/s²
it would be that of an asteroid.
"""


def plain_value(name: str, value: Any) -> Any:
    """Convert the value given under another program's name to the unit of this program's setting.

    Args:
        name: as typed, maybe one of `OTHER_NAMES`: `bpm` is beats a minute, `beat` the time of one,
            [s], `slow` how many times slower, or a speed up to 1; `ball_radius` and `ball_size`
            are in [m], from 1 on in [cm], and `distance` is that of two jugglers who face each
            other, [m]; a `tempo` from 20 on is in beats a minute.
        value: as given, perhaps with its unit; several words may be a list, which commas join.

    Returns:
        The value of the setting; `value` itself if it cannot be converted, so that the check of the
        setting refuses it in its own words.
    """
    try:
        match name:
            case "bpm":
                return in_unit(value, "bpm") / 60
            case "beat":
                return 1 / in_unit(value, "s")
            case "slow" | "slow_motion" | "slowdown" if value is not True:
                return min(float(value), 1 / float(value))
            case "radius" | "ball_radius" | "prop_radius":
                return 2 * _centimetres(value, in_metres_below=1.0)
            case "ball_size" | "prop_size":
                return _centimetres(value, in_metres_below=1.0)
            case "distance":
                half = _centimetres(value) / 2
                return f"(90,{half:g}).|(270,{-half:g})."
            # So little gravity in cm/s² is meant in m/s².
            case "gravity" if not isinstance(value, str) and 0 <= value < MIN_GRAVITY:
                return 100 * value
            # A number of beats a minute: no hand throws so often in a second.
            case "tempo" if in_unit(value, "beats/s") >= _MIN_BPM:
                return in_unit(value, "beats/s") / 60
            # A value may have its unit, and a number may be a text.
            case _ if isinstance(value, str):
                row = SETTINGS.get(setting_named(name))
                return in_unit(value, row.unit) if isinstance(row, Quantity) else value
    except (TypeError, ValueError, ZeroDivisionError):
        return value
    if not isinstance(value, list | tuple):
        return value
    return ",".join(map(_item_text, value))


def _item_text(item: Any) -> str:
    """Return one of several values as a text; a colour of parts from 0 to 1 in 256 steps."""
    if isinstance(item, list | tuple) and all(isinstance(part, Real) for part in item):
        scale = 255 if all(0 <= part <= 1 for part in item) else 1
        return f"{{{','.join(str(round(float(part) * scale)) for part in item[:3])}}}"
    return str(item)


_MIN_BPM = 20.0  # a tempo from here on is in beats a minute

_UNITS: dict[str, dict[str, float]] = {
    "cm": {"mm": 0.1, "cm": 1.0, "in": 2.54, "m": 100.0},
    "beats/s": {"/s": 1.0, "bps": 1.0, "hz": 1.0, "beats/s": 1.0, "bpm": 1 / 60, "/min": 1 / 60},
    "cm/s²": {
        "cm/s²": 1.0, "cm/s2": 1.0, "m/s²": 100.0, "m/s2": 100.0, "g": 980.665,
        "earth": 980.665, "jupiter": 2479.0, "mars": 371.0, "moon": 162.0,
    },
    "×": {"×": 1.0, "x": 1.0, "%": 0.01},
    "°": {"°": 1.0, "deg": 1.0, "degrees": 1.0},
    "%": {"%": 1.0},
    "of energy": {"%": 0.01},
    "s": {"ms": 0.001, "s": 1.0, "sec": 1.0, "seconds": 1.0, "min": 60.0},
}  # fmt: skip
"""How large the units are in which people type values, in the unit of each key; the gravity of a
planet is one.
"""


def in_unit(value: Any, unit: str) -> float:
    """Return a number in a unit, which may be typed in another one: "8 cm", "90bpm", "moon".

    Args:
        value: a number, or a text of one, perhaps with a unit.
        unit: in which the result is, and a number without a unit.

    Raises:
        ValueError: this is no number, or has another unit.
    """
    number, typed_unit = re.findall(r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)|)\s*(.*)", str(value))[0]
    sizes = {"": 1.0, unit: 1.0} | _UNITS.get(unit, {})
    typed_unit = typed_unit.strip().casefold()
    # Only a gravity has names of its own.
    if typed_unit not in sizes or not (number or unit == SETTINGS["gravity"].unit):
        return float(value)
    return float(number or 1) * sizes[typed_unit]


def _centimetres(value: Any, in_metres_below: float = math.inf) -> float:
    """Return a length in [cm]; a number without a unit is in [m] if below a limit, else in [cm]."""
    is_number = re.fullmatch(r"[-+.\d]+", str(value).strip())
    number = in_unit(value, "cm")
    return 100 * number if is_number and number < in_metres_below else number


def throw_terms(text: str) -> tuple[str, ...]:
    """Return the throws that a text lists: 0 and 2 for "02", "0 2" and "0,2".

    Pairs as 4x, passes as 3p and regular expressions stay whole, between commas.
    """
    if re.fullmatch(r"[0-9a-o]([\s,]*[0-9a-o])*", text):
        return tuple(re.findall(r"\w", text))
    return tuple(text.split(","))


Given = ParamSpec("Given")
Returned = TypeVar("Returned")

_SAME_WORDS = {
    "add": "append insert register",
    "analyse": "analyze analysis measure measurements metrics stats statistics explain describe",
    "angle": "degrees",
    "animate": "animation juggle simulate pattern highlight siteswap parse load open",
    "color": "colour",
    "collision": "crash clash contact hit",
    "csv": "table",
    "dataframe": "df pandas",
    "drawing": "diagram chart",
    "duration": "length",
    "elbow": "arm",
    "folder": "dir directory out output outdir",
    "exclude": "avoid without",
    "facts": "info information properties",
    "force": "overwrite",
    "generate": "generator generation gen siteswaps",
    "include": "contain containing require",
    "joint": "bone skeleton",
    "juggler": "people person",
    "limit": "most results",
    "lesson": "learn teach tutorial",
    "library": "browse catalog catalogue filter find list ls names patterns search tricks",
    "message": "explanation reason why",
    "mirror": "flip",
    "max": "greatest highest largest maximum peak",
    "mean": "average avg",
    "num": "amount count n number",
    "optimise": "optimize optimizer optimiser optimisation optimization improve",
    "picture": "frame image photo",
    "position": "at coordinate location path place pos trajectory xyz",
    "prop": "ball object",
    "replace": "change copy modify set update with",
    "routine": "medley sequence",
    "save": "imsave savefig",
    "show": "display gui play preview run start view viewer watch window",
    "catch": "caught land landing",
    "repeat": "loop multiply round",
    "reverse": "backwards",
    "rotate": "shift",
    "side": "hand",
    "state": "node",
    "strobe": "exposure multi multiexposure stroboscopic",
    "sync": "synchronous synchronised synchronized",
    "throw": "height toss",
    "time": "moment t",
    "title": "name",
    "to": "destination receiver target",
    "transition": "bridge connect",
    "valid": "check validate validity verify",
    "worker": "core cpu job parallel process thread",
    "variations": "mutate variant variation vary",
}
"""What people call the things that functions, attributes, arguments and commands are named after:
each word, and others for it.
"""

_USUAL_WORDS = {other: word for word, others in _SAME_WORDS.items() for other in others.split()}

_FILLERS = (
    "a all anim animation as at build calculate compute count create data diagram do draw each "
    "find for get in is iter juggling kind list make n num number of pattern plot render siteswap "
    "siteswaps the to type"
)
"""Words that may be missing in a name, or be too many."""


def synonyms(word: str) -> list[str]:
    """Return a word, and all others for it."""
    return [word, *_SAME_WORDS.get(word, "").split()]


def plain_words(name: str, *, filled: bool = True) -> frozenset[str]:
    """Return the words of a name, each replaced by the one that the library uses.

    `get_ball_pos` has the words get, prop and position.

    Args:
        name: a name whose words are joined by underscores, hyphens or capitals.
        filled: whether words are kept that say little, and may be missing in a name, such as get.
    """
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)
    fillers = [] if filled else _FILLERS.split()
    plain = set()
    for word in map(str.lower, words):
        if word not in fillers:
            # A word that is known as it is, or else its singular, which may be known too.
            single = _USUAL_WORDS.get(word) or re.sub("ies$", "y", word).removesuffix("s")
            plain.add(_USUAL_WORDS.get(single, single))
    return frozenset(plain)


def same_name(name: str, known: Iterable[str]) -> str:
    """Return the known name that means the same as a name that somebody guessed; "" for none.

    Two names mean the same if they have the same words, in any order. Of several such names, one is
    returned that is in the plural if the guess is, and in the singular if not.

    Args:
        name: the guess.
        known: the names to choose from.
    """
    # First with all words, then without those that may be missing.
    for filled in (True, False):
        words = plain_words(name, filled=filled)
        same = [entry for entry in known if words and plain_words(entry, filled=filled) == words]
        if same:
            plural = is_plural(name)
            return min(same, key=lambda entry: is_plural(entry) != plural)
    return ""


def named_like(guess: str, known: Iterable[str], *, longer: bool = True) -> str:
    """Return the known name that means the same as a guess, or the only one that is like it.

    Args:
        guess: the name that somebody guessed. A known name is like it if it has all words of the
            guess and more.
        known: the names to choose from.
        longer: whether a known name is also like the guess if all its words are in the guess.

    Returns:
        The name; "" if none means the same, and none or several are like it.
    """
    words = plain_words(guess)
    like = [
        name
        for name in known
        if words < plain_words(name) or (plain_words(name) < words and longer)
    ]
    return same_name(guess, known) or (like[0] if len(like) == 1 else "")


def setting_named(guess: str) -> str:
    """Return the name of the setting that somebody means; a name that means none stays."""
    known = [*_BY_NAME, *(row.key for row in ROWS), *TEXT_KEYS, *DECIDED_BY]
    same = guess if guess in known else same_name(guess, [*OTHER_NAMES, *known])
    return OTHER_NAMES.get(same, same) or guess


def is_plural(name: str) -> bool:
    """Return whether a word of a name is in the plural."""
    return re.search(r"[^s]s(_|$)", name) is not None


def guessed_keywords(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Let a function take its keyword arguments by the names that people guess.

    A guess may also be a part of the name, as `max` or `throw` for `max_throw`, or contain it. A
    guess that is like no name raises a `ParameterError` with a hint to the names.

    Args:
        function: whose own names are tried first; one that takes `**` gets others unchanged.
    """
    code = function.__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    def own_name(guess: str) -> str:
        """Return the name of the argument that somebody means; others of `**` stay as they are."""
        takes_others = bool(code.co_flags & CO_VARKEYWORDS)
        same = named_like(guess, known, longer=not takes_others)
        if same:
            return same
        if takes_others:
            return guess
        hint = did_you_mean(guess, [name for name in known if name != "self"])
        raise ParameterError(
            _("{thing} has no {name!r}; {hint}", thing=f"{code.co_name}()", name=guess, hint=hint)
        )

    @functools.wraps(function)
    def called(*positional: Given.args, **keywords: Given.kwargs) -> Returned:
        own: Any = {name if name in known else own_name(name): keywords[name] for name in keywords}
        return function(*positional, **own)

    return called


_THINGS = {
    "at", "ball", "flight", "from", "hand", "juggler", "of", "pattern", "prop", "side", "step",
    "throw",
}  # fmt: skip
"""Words that a name may have besides, for the thing that has the attribute or for its argument."""


class Guessed:
    """What has its attributes also by the names that people guess, or by a part of their names."""

    def __getattr__(self, name: str) -> Any:
        known = [] if name.startswith("_") else [own for own in dir(self) if own[0] != "_"]
        # Few words may be too many: `throw_height` is a throw's, but `peak_time` not its time.
        without_thing = "_".join(plain_words(name) - _THINGS)
        same = named_like(name, known, longer=False) or named_like(
            without_thing, known, longer=False
        )
        if same:
            return getattr(self, same)
        raise AttributeError(no_such(type(self).__name__, name, known))


def no_such(thing: str, name: str, known: Iterable[str] = (), hint: str = "") -> str:
    """Return a sentence on a name that does not exist, with a hint or the nearest known ones."""
    hint = hint or did_you_mean(name, [*known])
    return _("{thing} has no {name!r}; {hint}", thing=thing, name=name, hint=hint)


_WIDEST = 120  # characters of a line of a printed table


class Result(Guessed):
    """A result of the library: printed it is a table, and it is saved as one or as JSON.

    All its values are in SI units. A class says what it has by the method `to_dict`, and by the
    property `rows` if its table has several.
    """

    _WRITERS: ClassVar[dict[str, str]] = {".csv": "to_csv", ".json": "to_json", ".txt": "to_text"}
    """Methods that write files, by their endings."""

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON data, by the names of its fields."""
        return {name: plain_data(getattr(self, name)) for name in _fields(self)}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of its table; each is a dict of the values by the names of the columns."""
        return [flat_row(self.to_dict())]

    def to_json(self, path: str | Path | None = None) -> str:
        """Return it as JSON; also write that to a file, or replace it."""
        import json

        return written(json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n", path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return its table as CSV; also write it to a file, or replace it."""
        import csv
        import io

        rows = self.rows
        text = io.StringIO()
        names = dict.fromkeys(name for row in rows for name in row)
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return written(text.getvalue(), path)

    def to_dataframe(self) -> Any:
        """Return its table as a data frame of pandas.

        Raises:
            ParameterError: pandas is not installed.
        """
        if find_spec("pandas") is None:
            raise ParameterError(_("data frames need the library pandas: pip install pandas"))
        return import_module("pandas").DataFrame(self.rows)

    def to_text(self, path: str | Path | None = None) -> str:
        """Return it as it is printed; also write that to a file, or replace it."""
        return written(f"{self}\n", path)

    def save(self, path: str | Path) -> Path:
        """Write it to a file, whose ending is .csv, .json or .txt, or replace that.

        Raises:
            ParameterError: the file has another ending.
            ExportError: the file cannot be written.
        """
        path = Path(path)
        ending = path.suffix.casefold()
        if ending not in self._WRITERS:
            accepted = either([*self._WRITERS])
            raise ParameterError(
                _("{path}: this is saved as {accepted}", path=path, accepted=accepted)
            )
        getattr(self, self._WRITERS[ending])(path)
        return path

    def __str__(self) -> str:
        """Return its table: a line for each row, or for each column if such lines are too long."""
        rows = self.rows
        names = dict.fromkeys(name for row in rows for name in row)
        lines = [[*names], *([cell(row.get(name)) for name in names] for row in rows)]
        text = aligned(lines)
        fits = len(rows) > 1 and max(map(len, text.splitlines())) <= _WIDEST
        return text if fits else aligned(zip(*lines, strict=True))


Item = TypeVar("Item")


class Table(Result, tuple[Item, ...]):
    """Several results of one kind, a row for each; those with a name are found by it, too."""

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            items = super().__getitem__(key)
            return Table(items) if isinstance(key, slice) else items
        names = [str(getattr(item, "name", "")) for item in self]
        for item, name in zip(self, names, strict=True):
            if name.casefold() == key.casefold():
                return item
        if column := self._column(key):
            return tuple(getattr(item, column) for item in self)
        raise KeyError(no_such("Table", key, [*filter(None, names), *self.columns]))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, of which `table["height"]` has the values."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row))

    def _column(self, guess: str) -> str:
        """Return the attribute of all items that a guess names, as `heights`; "" for none."""
        kind = type(self[0]) if self else None
        fields = [name for name in dir(self[0]) if name[0] != "_"] if self else []
        known = [name for name in fields if not callable(getattr(kind, name, None))]
        single = guess.removesuffix("s")
        return single if single in known else named_like(guess, known, longer=False)

    def to_list(self) -> list[Item]:
        """Return the items as a list."""
        return [*self]

    def __eq__(self, other: object) -> bool:
        return super().__eq__(tuple(other) if isinstance(other, list) else other)

    __hash__ = tuple.__hash__

    def __getattr__(self, name: str) -> Any:
        """Return the item with a name, as `hands.left`; see `Guessed`."""
        named = [] if name.startswith("_") else self
        items = (item for item in named if getattr(item, "name", "") == name)
        item = next(items, None)
        if item is None and named and self._column(name):
            return self[name]
        return item or super().__getattr__(name)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each."""
        return [row for item in self for row in _rows_of(item)]

    def to_dict(self) -> Any:
        """Return a list of what each has."""
        return plain_data(tuple(self))


class HasTable:
    """A result with a table of its parts in order, which it passes on: `lesson[0]`, `len(lesson)`.

    A class names the attribute with its table in `_TABLE`.
    """

    _TABLE: ClassVar[str]

    @property
    def _table(self) -> Table[Any]:
        table: Table[Any] = getattr(self, self._TABLE)
        return table

    def __iter__(self) -> Iterator[Any]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, key: Any) -> Any:
        return self._table[key]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each part."""
        return self._table.rows


def _rows_of(item: Any) -> list[dict[str, Any]]:
    """Return the rows of a result; of anything else its values, as one row."""
    return item.rows if isinstance(item, Result) else [flat_row(plain_data(item))]


def _fields(item: Any) -> Iterable[str]:
    """Return the names of the fields of a data class, a named tuple or a namespace; else none."""
    names = getattr(type(item), "__dataclass_fields__", None) or getattr(item, "_fields", None)
    return names or (vars(item) if isinstance(item, SimpleNamespace) else ())


def plain_data(value: Any) -> Any:
    """Return a value as JSON has it: results as dicts, several as lists, all else as texts."""
    if hasattr(type(value), "to_dict") and not isinstance(value, Table):
        return value.to_dict()
    if isinstance(value, dict):
        return {str(name): plain_data(item) for name, item in value.items()}
    if names := _fields(value):
        return {name: plain_data(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [plain_data(item) for item in value]
    if hasattr(type(value), "tolist"):  # an array or a number of numpy
        return value.tolist()
    return value if value is None or isinstance(value, str | int | float) else str(value)


def flat_row(data: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Return JSON data as one row, in which a value of `speed` may be called "speed peak".

    Lists of numbers stand with blanks between them; others, which are tables of their own, as the
    number of their items.

    Args:
        data: the data.
        before: what stands before all names.
    """
    row: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            row |= flat_row(value, f"{before}{name} ")
        else:
            row[before + name] = _listed(value) if isinstance(value, list) else value
    return row


def _listed(values: list[Any]) -> str | int:
    """Return numbers with blanks between them; of other values or none how many there are."""
    is_plain = values and not any(isinstance(value, list | dict) for value in values)
    return " ".join(map(str, values)) if is_plain else len(values)


def cell(value: Any) -> str:
    """Return a value as it stands in a printed table."""
    return "" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def aligned(rows: Iterable[Iterable[str]]) -> str:
    """Return rows of cells as lines with aligned columns, two spaces apart."""
    cells = [[*row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def written(text: str, path: str | Path | None) -> str:
    """Return a text; also write it to a file, or replace that."""
    if path is not None:
        from juggle_anim.atomic_file import atomic_file

        with atomic_file(Path(path)) as draft:
            draft.write_text(text, encoding="utf-8")
    return text


FOREIGN_KEYS = (
    "avatar", "border", "bouncesound", "camangle", "catchsound", "fps", "height", "mousepause",
    "redirect", "scale",
    "slowdown", "startpause", "startpaused", "view",
)  # fmt: skip
"""What other programs, Juggling Lab first, say of their own windows and pictures, and nothing of a
pattern.
"""


def left_out_note(key: str) -> str:
    """What is told of a setting that is not read, as a sentence without a full stop."""
    return _("unknown setting {key} is ignored", key=printable(key, 40))
