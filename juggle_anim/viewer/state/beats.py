"""Beats of a pattern in the viewer: text, states, orbits, and values of recent throws."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.choreography import Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import holds
from juggle_anim.notation import orbit_values
from juggle_anim.notation.beat_text import BeatText, beat_at, beat_text
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.states import write_state

_MAX_ORBIT_THROWS = 8  # throws of an orbit that are written

MAX_VALUES = 200
"""Values that are shown at once; more would be illegible."""

_GLOW_BEATS = 2.0  # beats for which the value of a throw is shown
_MIN_GLOW_TIME = 0.30  # s, however fast the beats follow
_MAX_GLOW_TIME = 1.2  # s, however slowly the beats follow
_MAX_JUGGLERS_UNCROWDED = 2  # with more of them, values are shown for fewer beats
_CROWDED_GLOW_BEATS = 1.2  # beats for which a value is shown among more jugglers


@dataclass(frozen=True)
class ShownOrbit:
    """An orbit as the card shows it.

    Args:
        colours: of its props, shape (props, 3), sRGB from 0 to 1.
        values: of its throws, `5 1`.
    """

    colours: Singles
    values: str


@dataclass
class _Beats:
    """Cached results for one animation; states are added when needed."""

    animation: Animation
    text: BeatText
    orbits: tuple[ShownOrbit, ...]
    states: dict[int, str] = field(default_factory=dict)


class BeatLine:
    """Whether the beats are shown, and the text, states and orbits to show."""

    def __init__(self) -> None:
        self.shown = True
        self._beats: _Beats | None = None

    def is_visible(self, animation: Animation) -> bool:
        """Return whether to draw it; events of a file have no beats."""
        return self.shown and animation.pattern is not None

    def text(self, animation: Animation) -> BeatText:
        """Return the throws of the pattern as text."""
        return self._of(animation).text

    def orbits(self, animation: Animation) -> tuple[ShownOrbit, ...]:
        """Return the orbits of the pattern."""
        return self._of(animation).orbits

    def state(self, animation: Animation, beat: int) -> str:
        """Return the state of the pattern just before the throws of a beat."""
        states = self._of(animation).states
        if beat not in states:
            states[beat] = write_state(_pattern(animation), beat)
        return states[beat]

    def beat(self, animation: Animation, time: float, uneven: bool = False) -> int:
        """Return the beat of the period that was thrown last.

        Args:
            animation: with the beats.
            time: [s].
            uneven: whether the tempo changes meanwhile.
        """
        if not uneven:
            return beat_at(_pattern(animation), time, animation.choreography.bps)
        pattern = _pattern(animation)
        performance = animation.choreography
        beats = [
            throw.beat
            for throw, held in zip(pattern.throws, holds(pattern), strict=True)
            if not held
        ]
        times = performance.events.time[performance.flights.throw]
        order = np.argsort(times)
        latest = int(np.searchsorted(times[order], time % animation.duration, side="right")) - 1
        return beats[order[latest]]

    def _of(self, animation: Animation) -> _Beats:
        if self._beats is None or self._beats.animation.score is not animation.score:
            text = beat_text(_pattern(animation))
            self._beats = _Beats(animation, text, _orbits(animation))
        return self._beats


def _pattern(animation: Animation) -> Pattern:
    assert animation.pattern is not None, "events are on no beats"
    return animation.pattern


def _orbits(animation: Animation) -> tuple[ShownOrbit, ...]:
    """Return the orbits of a pattern with the colours of their props and their first throws."""
    pattern = _pattern(animation)
    colours = animation.prop_colours
    orbits = []
    first = 0
    for orbit in pattern.orbits:
        values = " ".join(
            f"{value:g}" for value in orbit_values(pattern, orbit)[: _MAX_ORBIT_THROWS + 1]
        )
        values = (
            values.rpartition(" ")[0] + " …" if len(orbit.throws) > _MAX_ORBIT_THROWS else values
        )
        orbits.append(ShownOrbit(colours[first : first + orbit.props], values))
        first += orbit.props
    return tuple(orbits)


@dataclass(frozen=True)
class LitThrow:
    """A recent throw.

    Args:
        text: its value, `5` or `3p`; all values of a multiplex, `[54]`.
        place: of its release, in the world, [m].
        colour: of the first of its props, sRGB.
        glow: from 1 at the throw down to 0.
    """

    text: str
    place: tuple[float, float, float]
    colour: tuple[float, float, float]
    glow: float


def lit_throws(animation: Animation, values: tuple[str, ...], time: float) -> list[LitThrow]:
    """Return the throws to show at a time, the brightest last.

    Args:
        animation: with the throws.
        values: of its flights, as `throw_values` gives them.
        time: [s].
    """
    performance = animation.performance
    events = performance.flights.throw
    # A performance repeats the flights as written some times.
    if not values or len(events) % len(values):
        return []
    beats = _GLOW_BEATS if animation.jugglers <= _MAX_JUGGLERS_UNCROWDED else _CROWDED_GLOW_BEATS
    lasts = min(max(beats / animation.choreography.bps, _MIN_GLOW_TIME), _MAX_GLOW_TIME)
    flight, ago, _ = (row[0] for row in animation.motion.thrown(np.array([time])))
    colours = animation.prop_colours
    start = animation.motion.flight_paths.start
    lit: dict[int, list[int]] = {}
    for prop in np.flatnonzero((flight >= 0) & (ago < lasts)).tolist():
        if not values[flight[prop] % len(values)]:
            continue  # it is put down
        # Only the last throw of each hand, which may be a multiplex.
        lit.setdefault(int(performance.events.hand[events[flight[prop]]]), []).append(prop)
    shown = []
    for props in list(lit.values())[:MAX_VALUES]:
        latest = min(ago[props])
        props = [prop for prop in props if ago[prop] < latest + 1e-6]
        words = sorted((values[flight[prop] % len(values)] for prop in props), reverse=True)
        text = (
            f"[{' '.join(words) if max(map(len, words)) > 1 else ''.join(words)}]"
            if len(words) > 1
            else words[0]
        )
        glow = 1.0 - float(latest / lasts) ** 3
        shown.append(
            LitThrow(text, _triple(start[flight[props[0]]]), _triple(colours[props[0]]), glow)
        )
    return sorted(shown, key=lambda throw: throw.glow)


def throw_values(score: Score) -> tuple[str, ...]:
    """Return the value of each flight of a score, as text; empty for events without beats."""
    if score.pattern is None:
        return score.routine.values if score.routine else ()
    pattern = repeat_to_full_loop(score.pattern, score.staging)
    flown = (throw for throw, held in zip(pattern.throws, holds(pattern), strict=True) if not held)
    return tuple(throw_text(throw, pattern.jugglers, pattern.division) for throw in flown)


def _triple(values: Singles) -> tuple[float, float, float]:
    first, second, third = values.tolist()
    return first, second, third
