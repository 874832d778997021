"""The beat line: what a pattern throws beat by beat, its state before each, and its orbits.

MERGED: The beat text: a pattern's throws as text, and which part of it is thrown on which beat.

MERGED: The values of throws as one writes them, and which of them are lit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import performed
from juggle_anim.choreography.dwell import holds
from juggle_anim.errors import NotationError
from juggle_anim.notation import orbit_values
from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.placement import place_throws
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Pattern, Throw
from juggle_anim.pattern.states import write_state

_MOST = 8  # throws of an orbit that are written

Span = tuple[int, int]
"""First character of a part of the text, and the one after its last."""

# A value, then flags and a modifier, as in the grammar; a pass may name its receiver.
_MODIFIER = r"(?:B+(?:H[FL]?|[FL]H?)?|[FHT])?"

_OF_ONE = re.compile(rf"(?:\{{\d+\}}|\S)x?{_MODIFIER}")

_OF_SEVERAL = re.compile(rf"(?:\{{\d+\}}|\S)(?:x|p\d*)*{_MODIFIER}")

MOST = 200
"""Of more numbers than this nobody could read any."""

_BEATS, _SHORTEST, _LONGEST = 2.0, 0.30, 1.2  # how long a number is seen, in beats, but at least and at most [s]

_FEW, _CROWDED = 2, 1.2  # so many jugglers have room for the numbers of both hands; else they are seen for less [beats]


@dataclass(frozen=True)
class ShownOrbit:
    """An orbit as it is shown.

    Args:
        colours: of its props, shape (props, 3), sRGB from 0 to 1.
        values: of its throws, `5 1`.
    """

    colours: Singles
    values: str


@dataclass
class _Beats:
    """What was found out of one animation; states as they are asked for."""

    animation: Animation
    text: BeatText
    orbits: tuple[ShownOrbit, ...]
    states: dict[int, str] = field(default_factory=dict)


class BeatLine:
    """Whether the beats are shown, and what there is to show."""

    def __init__(self) -> None:
        self.shown = True
        self._beats: _Beats | None = None

    def wanted(self, animation: Animation) -> bool:
        """Whether it is to be drawn: events of a file are on no beats."""
        return self.shown and animation.pattern is not None

    def text(self, animation: Animation) -> BeatText:
        """The throws of the pattern as text."""
        return self._of(animation).text

    def orbits(self, animation: Animation) -> tuple[ShownOrbit, ...]:
        """The orbits of the pattern."""
        return self._of(animation).orbits

    def state(self, animation: Animation, beat: int) -> str:
        """The state of the pattern just before the throws of a beat."""
        states = self._of(animation).states
        if beat not in states:
            states[beat] = write_state(_pattern(animation), beat)
        return states[beat]

    def beat(self, animation: Animation, time: float) -> int:
        """The beat of the period that was thrown last at a time, [s]."""
        return beat_at(_pattern(animation), time, animation.choreography.bps)

    def _of(self, animation: Animation) -> _Beats:
        if self._beats is None or self._beats.animation.score is not animation.score:
            text = beat_text(_pattern(animation))
            self._beats = _Beats(animation, text, _orbits(animation))
        return self._beats


def _pattern(animation: Animation) -> Pattern:
    assert animation.pattern is not None, "events are on no beats"
    return animation.pattern


def _orbits(animation: Animation) -> tuple[ShownOrbit, ...]:
    pattern, colours = _pattern(animation), animation.prop_colours
    found, first = [], 0
    for orbit in pattern.orbits:
        values = " ".join(f"{value:g}" for value in orbit_values(pattern, orbit)[: _MOST + 1])
        values = values.rpartition(" ")[0] + " …" if len(orbit.throws) > _MOST else values
        found.append(ShownOrbit(colours[first : first + orbit.props], values))
        first += orbit.props
    return tuple(found)


@dataclass(frozen=True)
class BeatText:
    """Throws as text.

    Args:
        text: as it was typed, or throw by throw where that says something else.
        spans: for each beat of the period, the parts that are thrown on it; as in a multiplex, there may be several.
    """

    text: str
    spans: tuple[tuple[Span, ...], ...]


def beat_text(pattern: Pattern) -> BeatText:
    """The text of a pattern with its beats."""
    return _as_typed(pattern) or _throw_by_throw(pattern)


def beat_at(pattern: Pattern, time: float, bps: float) -> int:
    """The beat of the period that was thrown last.

    Args:
        pattern: whose beats are counted, or their parts.
        time: [s] of the pattern's own time.
        bps: beats a second.
    """
    # A throw at the very moment is thrown, however the time was rounded.
    return int((time * bps * pattern.division + 1e-6) // 1) % pattern.period


def _as_typed(pattern: Pattern) -> BeatText | None:
    """Spans in what was typed; None where that is no siteswap that makes these throws."""
    try:
        placement = place_throws(pattern.text, parse(pattern.text))
    except NotationError:
        return None
    # Throws of hands that have a siteswap of their own go elsewhere, but have the values that were typed.
    site = _beat_and_value if pattern.hand_siteswap else _site
    laps = range(pattern.period // placement.written_period if pattern.hand_siteswap else 1)
    placed = [
        (throw._replace(beat=throw.beat + lap * placement.written_period), start)
        for lap in laps
        for throw, start in placement.throws
        if throw.beat < placement.written_period or len(laps) == 1
    ]
    if pattern.division > 1 or sorted(site(throw) for throw, _ in placed) != sorted(map(site, pattern.throws)):
        return None
    spans: list[set[Span]] = [set() for _ in range(pattern.period)]
    for throw, start in placed:
        spans[throw.beat].add((start, _end(pattern, start)))
    return BeatText(pattern.text, _lasting(pattern, [tuple(sorted(beat)) for beat in spans]))


def _lasting(pattern: Pattern, spans: list[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """Spans that stay on beats for which nothing is written, as after a pair."""
    turns = {turn[0] for turn in pattern.turns}
    for beat in range(1, len(spans)):
        if beat not in turns:
            spans[beat] = spans[beat - 1]
    return tuple(spans)


def _throw_by_throw(pattern: Pattern) -> BeatText:
    """The throws of all beats with any, one after another, up to where they repeat."""
    words = [_word(pattern, beat) for beat in range(pattern.period)]
    whole = len(words)
    repeat = next(n for n in range(1, whole + 1) if whole % n == 0 and words == words[:n] * (whole // n))
    text, spans = "", list[tuple[Span, ...]]()
    for word in words[:repeat]:
        text += f" {word}" if text and word else word
        spans.append(((len(text) - len(word), len(text)),) if word else ())
    return BeatText(text, _lasting(pattern, spans * (whole // repeat)))


def _word(pattern: Pattern, beat: int) -> str:
    """What is thrown on a beat: `5`, `[34]` from one hand, `3p|3` from several."""
    hands: dict[tuple[int, int], list[str]] = {}
    for throw in pattern.throws:
        if throw.beat == beat:
            hands.setdefault((throw.juggler, throw.hand), []).append(throw_text(throw, pattern.jugglers))
    return "|".join(f"[{' '.join(texts)}]" if len(texts) > 1 else texts[0] for texts in hands.values())


def _end(pattern: Pattern, start: int) -> int:
    match = (_OF_ONE if pattern.jugglers == 1 else _OF_SEVERAL).match(pattern.text, start)
    return match.end() if match else start + 1


def _beat_and_value(throw: Throw) -> tuple[int, int]:
    return throw.beat, throw.value


def _site(throw: Throw) -> tuple[int, int, int, int]:
    return throw.beat, throw.juggler, throw.hand, throw.value


@dataclass(frozen=True)
class LitThrow:
    """A throw that was made a moment ago.

    Args:
        text: its value as one writes it, `5` or `3p`; of a multiplex all of them, `[54]`.
        place: where it was made, in the world, [m].
        colour: of the first of its props, sRGB.
        glow: 1 at the throw, less and less, 0 when it is no longer shown.
    """

    text: str
    place: tuple[float, float, float]
    colour: tuple[float, float, float]
    glow: float


class ThrowValues:
    """Remembers the values of the animations that were asked for last."""

    def __init__(self) -> None:
        self._known: list[tuple[Score, tuple[str, ...]]] = []

    def of(self, score: Score) -> tuple[str, ...]:
        """As `throw_values`."""
        for known, values in self._known:
            if known is score:
                return values
        # Two are seen side by side at most.
        self._known = [(score, throw_values(score)), *self._known[:1]]
        return self._known[0][1]


def lit_throws(animation: Animation, values: tuple[str, ...], time: float) -> list[LitThrow]:
    """The throws that are shown at a time, the brightest last.

    Args:
        animation: what is juggled.
        values: of its flights, as `throw_values` gives them.
        time: [s].
    """
    events = animation.choreography.flights.throw
    if len(values) != len(events):
        return []
    beats = _BEATS if animation.jugglers <= _FEW else _CROWDED
    lasts = min(max(beats / animation.choreography.bps, _SHORTEST), _LONGEST)
    flight, ago, _ = (each[0] for each in animation.motion.thrown(np.array([time])))
    colours, start = animation.prop_colours, animation.motion.flying.start
    lit: dict[int, list[int]] = {}
    for prop in np.flatnonzero((flight >= 0) & (ago < lasts)).tolist():
        # Of each hand only what it threw last, which may be several props at once.
        lit.setdefault(int(animation.choreography.events.hand[events[flight[prop]]]), []).append(prop)
    shown = []
    for props in list(lit.values())[:MOST]:
        latest = min(ago[props])
        props = [prop for prop in props if ago[prop] < latest + 1e-6]
        words = sorted((values[flight[prop]] for prop in props), reverse=True)
        text = f"[{' '.join(words) if max(map(len, words)) > 1 else ''.join(words)}]" if len(words) > 1 else words[0]
        glow = 1.0 - float(latest / lasts) ** 3
        shown.append(LitThrow(text, _three(start[flight[props[0]]]), _three(colours[props[0]]), glow))
    return sorted(shown, key=lambda each: each.glow)


def throw_values(score: Score) -> tuple[str, ...]:
    """The value of each flight of a score as one writes it; none of events that are on no beats."""
    if score.pattern is None:
        return ()
    pattern = performed(score.pattern, score.staging)
    flown = (throw for throw, held in zip(pattern.throws, holds(pattern), strict=True) if not held)
    return tuple(_value(throw, pattern.jugglers, pattern.division) for throw in flown)


def _value(throw: Throw, jugglers: int, division: int) -> str:
    if division == 1:
        return throw_text(throw, jugglers)
    return f"{throw.value / division:.3g}{'p' if throw.to_juggler != throw.juggler else ''}"


def _three(values: Singles) -> tuple[float, float, float]:
    first, second, third = values.tolist()
    return first, second, third
