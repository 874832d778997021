"""The beat line: what a pattern throws beat by beat, its state before each, and its orbits."""

from __future__ import annotations

from dataclasses import dataclass, field

from juggle_anim.animation import Animation
from juggle_anim.arrays import Singles
from juggle_anim.notation import orbit_values
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.states import write_state
from juggle_anim.viewer.beat_text import BeatText, beat_at, beat_text

_MOST = 8  # throws of an orbit that are written


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
