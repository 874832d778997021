"""The props of a pattern in the order of their first throws, which is the order in which they are given their looks."""

from __future__ import annotations

from bisect import bisect_left

from juggle_anim.pattern import RIGHT, Pattern


class PropOrder:
    """The props of a pattern, numbered by their first throw (or hold) at or after beat 0.

    Of throws on one beat those of the first juggler come first, then those of a right hand, then those written first.
    `PropStyle` gives its colours to the props in this order.

    A prop is known by its orbit and its place in it: n props share an orbit that takes n loops, each a loop behind the
    other. Let throw i of an orbit be made by a prop that makes its first throw in loop 0 after shift(i) loops; then in
    loop m it is made by the prop that is shift(i) − m loops behind, modulo n.

    Args:
        pattern: any.

    Attributes:
        firsts: for each prop its first throw: the loop, counted from 0, and the index of the throw.
        orbits: for each prop the number of its orbit.
    """

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._places = _places(pattern)
        first_of = _first_throws(pattern, self._places)
        props = sorted(first_of, key=lambda prop: first_of[prop])
        self._numbers = {prop: number for number, prop in enumerate(props)}
        self.firsts = [(first_of[prop][0], first_of[prop][2]) for prop in props]
        self.orbits = [orbit for orbit, _ in props]

    def prop(self, index: int, loop: int) -> int:
        """The number of the prop that makes a throw in a loop."""
        return self._numbers[self._key(index, loop)]

    def shifted(self) -> list[int]:
        """For each prop, the one that does a loop later what it does now."""
        return [self.prop(index, loop + 1) for loop, index in self.firsts]

    def _key(self, index: int, loop: int) -> tuple[int, int]:
        orbit, shift = self._places[index]
        return orbit, (shift - loop) % self.pattern.orbits[orbit].props


def _places(pattern: Pattern) -> list[tuple[int, int]]:
    """For each throw its orbit, and its shift."""
    places = [(0, 0)] * len(pattern.throws)
    for number, orbit in enumerate(pattern.orbits):
        beat = pattern.throws[orbit.throws[0]].beat
        for index in orbit.throws:
            throw = pattern.throws[index]
            places[index] = number, (beat - throw.beat) // pattern.period
            beat += throw.value
    return places


def _first_throws(pattern: Pattern, places: list[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int, int]]:
    """For each prop, as orbit and place in it, the loop of its first throw, the turn within the loop, and the throw."""
    earliest: list[dict[int, tuple[int, int]]] = [{} for _ in pattern.orbits]
    throws = pattern.throws
    turns = sorted(
        range(len(throws)),
        key=lambda index: (throws[index].beat, throws[index].juggler, throws[index].hand != RIGHT, index),
    )
    for turn, index in enumerate(turns):
        number, shift = places[index]
        earliest[number].setdefault(shift % pattern.orbits[number].props, (turn, index))
    found = {}
    for number, orbit in enumerate(pattern.orbits):
        # A prop makes the throws of its own place first, or else of the next place that has any.
        ahead = sorted(earliest[number])
        for place in range(orbit.props):
            at = bisect_left(ahead, place)
            nearest = ahead[at] if at < len(ahead) else ahead[0] + orbit.props
            found[number, place] = nearest - place, *earliest[number][nearest % orbit.props]
    return found
