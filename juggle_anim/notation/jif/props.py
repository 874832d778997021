"""Prop numbers: which prop of a JIF document each prop of the pattern is, in the order of their first throws."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator

from juggle_anim.errors import FileError
from juggle_anim.notation.jif.document import Node
from juggle_anim.notation.jif.throws import Throws, ThrowSource
from juggle_anim.notation.limits import MAX_PROPS
from juggle_anim.notation.permutations import Powers
from juggle_anim.pattern import RIGHT, Pattern, Turn

PropLookup = Callable[[ThrowSource, int], int | None]
"""The prop of a document that makes the throw from a source in a loop, where the document says so."""

_PASSES = 4


def identify_props(document: Node, throws: Throws) -> tuple[Pattern, list[int]]:
    """The pattern, its multiplexes in an order that fits the props, and the number in the document of each prop.

    After a repetition the prop p of a throw is `repetition.propPermutation[p]`; files are about that take p for
    what becomes of it, so this is tried as well. Without the permutation props stay with their throws where they can,
    or else the numbers are those of the first time that the throws are made. Props of which nothing is said are
    numbered as they are first thrown, in the order of the document.

    Args:
        document: its props, its throws' props and its repetition are read.
        throws: its throws.

    Returns:
        The pattern, and a list in the order of `PropOrder`.

    Raises:
        FileError: a prop is not there, or is at two places, or another one is thrown than was caught.
    """
    refused: FileError | None = None
    for known in _meanings(document, throws):
        pattern, sources = _fitting(throws.pattern, throws.sources, known)
        order = PropOrder(pattern)
        try:
            return pattern, _numbers(throws, order, sources, known)
        except FileError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def prop_nodes(document: Node) -> list[Node]:
    """The props of a document, which some call its objects."""
    return document.list_of("props", MAX_PROPS) or document.list_of("objects", MAX_PROPS)


def _meanings(document: Node, throws: Throws) -> Iterator[PropLookup]:
    count = len(prop_nodes(document))
    said = [
        node.index(count or MAX_PROPS, "prop") if (node := throw.node.get("prop")) else None for throw in throws.written
    ]
    step = _permutation(document, count or MAX_PROPS)

    def meaning(step: Powers | None, sign: int) -> PropLookup:
        def known(source: ThrowSource, loop: int) -> int | None:
            prop = said[source.throw]
            times = source.repetition + (loop - source.loop) * throws.repetitions
            if prop is None or step is None:
                return None if step is None and times else prop
            return step.of(prop, sign * times)

        return known

    yield meaning(step or Powers(()), 1)
    yield meaning(step, -1 if step else 1)


def _permutation(document: Node, count: int) -> Powers | None:
    node = document.find("repetition", "propPermutation")
    if node is None:
        return None
    step = [item.index(count, "prop") for item in node.items(MAX_PROPS)]
    if sorted(step) != list(range(len(step))):
        accepted = f"the {len(step)} numbers from 0 to {len(step) - 1} in some order"
        raise node.error("this names not each prop once", accepted)
    return Powers(tuple(step))


def _fitting(
    pattern: Pattern, sources: tuple[ThrowSource, ...], known: PropLookup
) -> tuple[Pattern, list[ThrowSource]]:
    """The pattern with each multiplex in the order in which its hand throws the props that it caught.

    Of props that land together, the one thrown first makes the throw written first. The order of one multiplex may
    decide over that of another, so they are gone through more than once.
    """
    together: dict[Turn, list[int]] = {}
    for place, throw in enumerate(pattern.throws):
        together.setdefault(throw[:3], []).append(place)
    several = [places for places in together.values() if len(places) > 1]
    base, order = pattern.throws, list(range(len(sources)))
    for _ in range(_PASSES):
        before = list(order)
        arriving = _arriving(pattern, [sources[index] for index in order], known)
        for places in several:
            made = {known(sources[before[place]], 0): before[place] for place in places}
            wanted = [arriving.get(place) for place in places]
            if None not in made and len(made) == len(places) and set(wanted) == set(made):
                for place, prop in zip(places, wanted, strict=True):
                    order[place] = made[prop]
        if order == before:
            break
        pattern = dataclasses.replace(pattern, throws=tuple(base[index] for index in order))
    return pattern, [sources[index] for index in order]


def _arriving(pattern: Pattern, sources: list[ThrowSource], known: PropLookup) -> dict[int, int | None]:
    """For each throw, the prop that the hand has caught for it in loop 0."""
    arriving = {}
    for index, landing in enumerate(pattern.landings):
        throw = pattern.throws[index]
        later = (throw.beat + throw.value - pattern.throws[landing].beat) // pattern.period
        arriving[landing] = known(sources[index], -later)
    return arriving


def _numbers(throws: Throws, order: PropOrder, sources: list[ThrowSource], known: PropLookup) -> list[int]:
    """The number of each prop in the document.

    Raises:
        FileError: the document contradicts itself.
    """
    said = [known(sources[index], loop) for loop, index in order.firsts]
    _check(throws, order, sources, known, said)
    given = {number for number in said if number is not None}
    free = (number for number in range(len(said) + len(given)) if number not in given)
    # Those of which nothing is said are numbered as the document goes through its throws.
    made = [(order.pattern.throws[index], loop, sources[index].throw) for loop, index in order.firsts]
    when = [(throw.beat + loop * order.pattern.period, number) for throw, loop, number in made]
    turns = sorted(range(len(said)), key=when.__getitem__)
    numbers = {prop: next(free) if (number := said[prop]) is None else number for prop in turns}
    return [numbers[prop] for prop in range(len(said))]


def _check(
    throws: Throws, order: PropOrder, sources: list[ThrowSource], known: PropLookup, said: list[int | None]
) -> None:
    taken: set[int] = set()
    for number, (_, index) in zip(said, order.firsts, strict=True):
        node = throws.written[sources[index].throw].node
        if number is not None and number in taken:
            raise node.error(f"prop {number} is at two places at once", "leave the props out, or number each throw's")
        taken |= set() if number is None else {number}
    counts = Counter(throw[:3] for throw in order.pattern.throws)
    for loop in (0, 1):
        for index, source in enumerate(sources):
            number, expected = known(source, loop), said[order.prop(index, loop)]
            # Which prop of those that land together is thrown how is left to the usual rule where it must be.
            if None not in (number, expected) and number != expected and counts[order.pattern.throws[index][:3]] == 1:
                node = throws.written[source.throw].node.need("prop", "")
                accepted = "the same prop is thrown, or none is named"
                raise node.error(f"prop {expected} is caught for this throw", accepted)


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
        orbit, shift = self._places[index]
        return self._numbers[orbit, (shift - loop) % self.pattern.orbits[orbit].props]

    def shifted(self) -> list[int]:
        """For each prop, the one that does a loop later what it does now."""
        return [self.prop(index, loop + 1) for loop, index in self.firsts]


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
