"""The values of throws as one writes them, and which of them are lit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.choreography import Score
from juggle_anim.choreography.holds import holds
from juggle_anim.choreography.performed import performed
from juggle_anim.notation.write_siteswap import throw_text
from juggle_anim.pattern import Throw

MOST = 200
"""Of more numbers than this nobody could read any."""

_BEATS, _SHORTEST, _LONGEST = 2.0, 0.30, 1.2  # how long a number is seen, in beats, but at least and at most [s]
_FEW, _CROWDED = 2, 1.2  # so many jugglers have room for the numbers of both hands; else they are seen for less [beats]


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
