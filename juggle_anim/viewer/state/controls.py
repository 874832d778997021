"""Knobs: everything in the panel that can be turned, what each stands at, and the animation with one turned.

MERGED: Usual values: where each knob stands as long as nobody turns it.

MERGED: How the props of placed events look, as the knobs for props turn it: each prop has its own look there.
"""

from __future__ import annotations

import dataclasses
from dataclasses import replace

from juggle_anim.animation import Animation
from juggle_anim.choreography import Choreography, PropLook, Score, Staging
from juggle_anim.errors import JuggleError, ParameterError
from juggle_anim.motion.aim import FEWER_TURNS, TURNS_A_SECOND
from juggle_anim.notation import Settings, with_settings
from juggle_anim.notation.settings.colours import read_colours
from juggle_anim.notation.settings.staging import staging_texts
from juggle_anim.parameters import BEAT_PARAMETERS, ROWS, Choice, Group, Quantity, Row, Stage
from juggle_anim.text_settings import GRASP_KINDS, HAND_STYLES, PROP_KINDS

_STYLE = Choice(
    "style", "style", "Hand style", HAND_STYLES, HAND_STYLES[0], Stage.CHOREOGRAPHY, Group.HAND_PATH,
    "Places and times of hands where nothing is said of them",
)  # fmt: skip

_CATCHES = Choice(
    "catches", "catches", "Catches", GRASP_KINDS, GRASP_KINDS[0], Stage.CHOREOGRAPHY, Group.HAND_PATH,
    "Which way up hands catch",
)  # fmt: skip

_PROP = Choice(
    "prop", "prop", "Prop", tuple(kind for kind in PROP_KINDS if kind != "image"), PROP_KINDS[0],
    Stage.CHOREOGRAPHY, Group.PROPS, "What is juggled",
)  # fmt: skip

USUAL, OWN = "usual", "own"
"""The words for the colours that we choose, and for those that a file has."""

_COLOURS = Choice(
    "colors", "colors", "Colours", (USUAL, "mixed", "orbits"), USUAL, Stage.CHOREOGRAPHY, Group.PROPS,
    "Whether each prop has a colour of its own, or each orbit",
)  # fmt: skip

STAGED: tuple[Choice, ...] = (_STYLE, _CATCHES, _PROP, _COLOURS)
"""Settings in words that have a few usual ones. What else somebody wrote for them is kept until another is chosen."""

# By name: to compare two rows compares all that they say.
_IN_WORDS = frozenset(row.name for row in STAGED)

_ON_EVENTS = frozenset({_PROP.name, _COLOURS.name})  # those that events of a file have too

_TEMPO = "bps"

_TIMED = tuple(row.name for row in ROWS if row.stage is Stage.CHOREOGRAPHY and row.name != _TEMPO)

Colours = tuple[tuple[float, float, float] | None, ...]


def _listed() -> tuple[Row, ...]:
    order = list(Group)
    # What is juggled comes before what follows from it.
    rows = [_PROP, *ROWS, *(row for row in STAGED if row is not _PROP)]
    return tuple(sorted(rows, key=lambda row: order.index(row.group)))


CONTROLS: tuple[Row, ...] = _listed()
"""All of them, group by group, as the panel lists them."""

EVENT_CONTROLS: tuple[Row, ...] = tuple(
    row for row in CONTROLS if row.name not in BEAT_PARAMETERS and (row.name not in _IN_WORDS or row.name in _ON_EVENTS)
)
"""Those that can be turned on events of a file."""


def given(animation: Animation, row: Row) -> float | str | None:
    """What a knob was turned to; None where the value follows from another or from the pattern."""
    if row.name not in _IN_WORDS:
        value: float | str | None = getattr(animation.parameters, row.name)
        return value
    if row is _STYLE:
        return animation.score.staging.style
    if animation.score.placed and row.name in _ON_EVENTS:
        return kind_of(animation.score.placed) if row is _PROP else colours_of(animation.score.placed)
    return staging_texts(animation.score.staging).get(row.name, str(row.default))


def value_of(animation: Animation, row: Row) -> float | str:
    """What it stands at, also where that follows."""
    value = given(animation, row)
    if value is None and isinstance(row, Quantity) and row.follows:
        value = getattr(animation.parameters, row.follows)
    if value is None and row.name == "spins":
        return _most_turns(animation.choreography)
    return animation.choreography.bps if value is None else value


def _most_turns(choreography: Choreography) -> float:
    """About how often a club turns in the highest throw."""
    longest = choreography.flights.duration.max(initial=0.0)
    return float(max(round(TURNS_A_SECOND * longest - FEWER_TURNS), 0))


def is_changed(animation: Animation, row: Row) -> bool:
    """Whether somebody turned it away from its default."""
    return given(animation, row) != row.default


def with_value(animation: Animation, row: Row, value: float | str | None) -> Animation:
    """The animation with a knob turned.

    Raises:
        JuggleError: a value outside its range, or one that this pattern cannot have.
    """
    if row.name not in _IN_WORDS:
        return animation.replace(**{row.name: value})
    score = animation.score
    if score.placed and row.name in _ON_EVENTS:
        turn = with_kind if row is _PROP else with_colours
        return Animation(turn(score, str(value)), animation.parameters)
    if score.placed:
        reason = f"{row.label} changes throws on beats, but {score.name} is made of events that say it themselves"
        raise ParameterError(reason)
    if row is _COLOURS and value == USUAL:
        props = dataclasses.replace(score.staging.props, text="", colours=(), by_orbit=False)
        score = dataclasses.replace(score, staging=dataclasses.replace(score.staging, props=props))
    else:
        score = with_settings(Settings(score), **{row.name: str(value)}).score
    return Animation(score, animation.parameters)


def with_defaults(animation: Animation) -> Animation:
    """The animation with all knobs as they are in a new one; ways of hands and bodies belong to the pattern."""
    staging, usual = animation.score.staging, Staging()
    staging = dataclasses.replace(staging, props=usual.props, style=usual.style, catches=usual.catches)
    changes = {row.name: row.default for row in ROWS}
    score = animation.score
    if score.placed and any(is_changed(animation, row) for row in (_PROP, _COLOURS)):
        score = with_colours(with_kind(score, _PROP.default), USUAL)
        return Animation(score, animation.parameters).replace(**changes)
    if score.placed or score.staging == staging:
        return animation.replace(**changes)
    return Animation(dataclasses.replace(score, staging=staging), animation.parameters.replace(**changes))


class UsualValues:
    """Finds them; remembers the one that takes long to find."""

    def __init__(self) -> None:
        self._score: Score | None = None
        self._timed: tuple[object, ...] = ()
        self._tempo: float | str | None = None

    def of(self, animation: Animation, row: Row) -> float | str | None:
        """A knob's default or, where it has none, what it would follow; None where nobody could juggle with that."""
        if row.default is not None:
            return row.default
        if given(animation, row) is None:
            return value_of(animation, row)
        return self._usual_tempo(animation, row) if row.name == _TEMPO else _without(animation, row)

    def _usual_tempo(self, animation: Animation, row: Row) -> float | str | None:
        # A tempo times all throws anew, which is too much for each frame in which its slider is dragged.
        timed = tuple(getattr(animation.parameters, name) for name in _TIMED)
        if animation.score is not self._score or timed != self._timed:
            self._score, self._timed, self._tempo = animation.score, timed, _without(animation, row)
        return self._tempo


def _without(animation: Animation, row: Row) -> float | str | None:
    try:
        return value_of(with_value(animation, row, None), row)
    except JuggleError:
        return None


def kind_of(placed: Choreography) -> str:
    """What is juggled: `club`, or `club,ring` where there are several kinds."""
    return ",".join(dict.fromkeys(look.kind for look in _looks(placed)))


def colours_of(placed: Choreography) -> str:
    """The word that stands for the colours: `usual`, `mixed`, `orbits` or `own`."""
    given = tuple(look.colour for look in _looks(placed))
    return next((word for word in (USUAL, "mixed", "orbits") if given == _colours(placed, word)), OWN)


def with_kind(score: Score, kind: str) -> Score:
    """The score with all props of one kind."""
    placed = _placed(score)
    return _with(score, tuple(replace(look, kind=kind) for look in _looks(placed)))


def with_colours(score: Score, word: str) -> Score:
    """The score with props of the colours that `usual`, `mixed` or `orbits` stands for."""
    looks = zip(_looks(_placed(score)), _colours(_placed(score), word), strict=True)
    return _with(score, tuple(replace(look, colour=colour) for look, colour in looks))


def _with(score: Score, looks: tuple[PropLook, ...]) -> Score:
    return replace(score, placed=replace(_placed(score), looks=looks))


def _placed(score: Score) -> Choreography:
    assert score.placed is not None, "throws on beats have a staging"
    return score.placed


def _looks(placed: Choreography) -> tuple[PropLook, ...]:
    return placed.looks or (PropLook(),) * placed.props


def _colours(placed: Choreography, word: str) -> Colours:
    if word == USUAL:
        return (None,) * placed.props
    colours, by_orbit = read_colours(word)
    orbits = [number for number, orbit in enumerate(placed.orbits) for _ in range(orbit.props)]
    return tuple(colours[place % len(colours)] for place in (orbits if by_orbit else range(placed.props)))
