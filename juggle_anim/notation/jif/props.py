"""Props of a JIF document: which of them each prop of the pattern is, by first throws; their types
and colours.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from juggle_anim.choreography import PropStyle
from juggle_anim.errors import FileError
from juggle_anim.language import _
from juggle_anim.notation.jif.document import Node, read_css_colour, write_css_colour
from juggle_anim.notation.jif.throws import Throws, ThrowSource
from juggle_anim.notation.limits import MAX_PROPS
from juggle_anim.notation.permutations import Powers
from juggle_anim.notation.settings.colours import Colour, braced_text
from juggle_anim.pattern import RIGHT, Pattern, Turn
from juggle_anim.text_settings import PROP_KINDS

PropLookup = Callable[[ThrowSource, int], int | None]
"""The prop of a document that makes the throw from a source in a loop, where the document says so.
"""

# Over all multiplexes, since the order of one may decide over that of another.
_REORDERING_PASSES = 4

T = TypeVar("T")


def identify_props(document: Node, throws: Throws) -> tuple[Pattern, list[int]]:
    """Return the pattern, multiplexes in the props' order, and each prop's number.

    After a repetition the prop p of a throw is `repetition.propPermutation[p]`; files are about
    that take p for what becomes of it, so this is tried as well. Without the permutation props stay
    with their throws where they can, or else the numbers are those of the first time that the
    throws are made. Props of which nothing is said are numbered as they are first thrown, in the
    order of the document.

    Args:
        document: its props, its throws' props and its repetition are read.
        throws: its throws.

    Returns:
        The pattern, and a list in the order of `PropOrder`.

    Raises:
        FileError: a prop is not there, or is at two places, or another one is thrown than was
            caught.
    """
    refused: FileError | None = None
    for lookup in _meanings(document, throws):
        pattern, sources = _fitting(throws.pattern, throws.sources, lookup)
        order = PropOrder(pattern)
        try:
            return pattern, _numbers(throws, order, sources, lookup)
        except FileError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def prop_nodes(document: Node) -> list[Node]:
    """The props of a document, which some call its objects."""
    return document.list_of("props", MAX_PROPS) or document.list_of("objects", MAX_PROPS)


def _meanings(document: Node, throws: Throws) -> Iterator[PropLookup]:
    """Yield the lookups that a document may mean, the likeliest first.

    The second applies `propPermutation` backwards, or, where there is none, only knows the props of
    the first repetition.
    """
    count = len(prop_nodes(document))
    written_props = [
        node.index(count or MAX_PROPS, "prop") if (node := throw.node.get("prop")) else None
        for throw in throws.written
    ]
    step = _permutation(document, count or MAX_PROPS)

    def meaning(step: Powers | None, sign: int) -> PropLookup:
        def lookup(source: ThrowSource, loop: int) -> int | None:
            prop = written_props[source.throw]
            times = source.repetition + (loop - source.loop) * throws.repetitions
            if prop is None or step is None:
                return None if step is None and times else prop
            return step.of(prop, sign * times)

        return lookup

    yield meaning(step or Powers(()), 1)
    yield meaning(step, -1 if step else 1)


def _permutation(document: Node, count: int) -> Powers | None:
    """Return the powers of `propPermutation`; None where the document has none."""
    node = document.find("repetition", "propPermutation")
    if node is None:
        return None
    step = [item.index(count, "prop") for item in node.items(MAX_PROPS)]
    if sorted(step) != list(range(len(step))):
        accepted = _(
            "the {count} numbers from 0 to {count2} in some order",
            count=len(step),
            count2=len(step) - 1,
        )
        raise node.error(_("this names not each prop once"), accepted)
    return Powers(tuple(step))


def _fitting(
    pattern: Pattern, sources: tuple[ThrowSource, ...], lookup: PropLookup
) -> tuple[Pattern, list[ThrowSource]]:
    """Reorder each multiplex so that its hand throws the props that it caught.

    Of props that land together, the one thrown first makes the throw written first. The order of
    one multiplex may decide over that of another, so they are gone through more than once.
    """
    indices_of_hand: dict[Turn, list[int]] = {}
    for index, throw in enumerate(pattern.throws):
        indices_of_hand.setdefault(throw[:3], []).append(index)
    # Only of throws that a hand makes at once is the order free.
    multiplexes = [indices for indices in indices_of_hand.values() if len(indices) > 1]
    base = pattern.throws
    order = list(range(len(sources)))
    for _round in range(_REORDERING_PASSES):
        before = list(order)
        # Props that the hand has caught, in the order in which they were thrown.
        arriving = _arriving(pattern, [sources[index] for index in order], lookup)
        for indices in multiplexes:
            throw_of_prop = {lookup(sources[before[index]], 0): before[index] for index in indices}
            caught = [arriving.get(index) for index in indices]
            if (
                None not in throw_of_prop
                and len(throw_of_prop) == len(indices)
                and set(caught) == set(throw_of_prop)
            ):
                for index, prop in zip(indices, caught, strict=True):
                    order[index] = throw_of_prop[prop]
        if order == before:
            break
        pattern = dataclasses.replace(pattern, throws=tuple(base[index] for index in order))
    return pattern, [sources[index] for index in order]


def _arriving(
    pattern: Pattern, sources: list[ThrowSource], lookup: PropLookup
) -> dict[int, int | None]:
    """For each throw, the prop that the hand has caught for it in loop 0."""
    arriving = {}
    for index, landing in enumerate(pattern.landings):
        throw = pattern.throws[index]
        # Loops from the throw to the throw of the same prop at its landing.
        later = (throw.beat + throw.value - pattern.throws[landing].beat) // pattern.period
        arriving[landing] = lookup(sources[index], -later)
    return arriving


def _numbers(
    throws: Throws, order: PropOrder, sources: list[ThrowSource], lookup: PropLookup
) -> list[int]:
    """The number of each prop in the document.

    Raises:
        FileError: the document contradicts itself.
    """
    stated = [lookup(sources[index], loop) for loop, index in order.firsts]
    _check(throws, order, sources, lookup, stated)
    # Numbers that the document gives, and the first ones that it does not.
    stated_numbers = {number for number in stated if number is not None}
    free_numbers = (
        number
        for number in range(len(stated) + len(stated_numbers))
        if number not in stated_numbers
    )
    # Those of which nothing is said are numbered as the document goes through its throws.
    first_throws = [
        (order.pattern.throws[index], loop, sources[index].throw) for loop, index in order.firsts
    ]
    order_of_first = [
        (throw.beat + loop * order.pattern.period, number) for throw, loop, number in first_throws
    ]
    props_by_first = sorted(range(len(stated)), key=order_of_first.__getitem__)
    numbers = {
        prop: next(free_numbers) if (number := stated[prop]) is None else number
        for prop in props_by_first
    }
    return [numbers[prop] for prop in range(len(stated))]


def _check(
    throws: Throws,
    order: PropOrder,
    sources: list[ThrowSource],
    lookup: PropLookup,
    props: list[int | None],
) -> None:
    """Refuse props that are in two places, or that are thrown by a hand that caught another one."""
    seen: set[int] = set()
    for prop, (_unused, index) in zip(props, order.firsts, strict=True):
        node = throws.written[sources[index].throw].node
        if prop is not None and prop in seen:
            raise node.error(
                _("prop {number} is at two places at once", number=prop),
                _("leave the props out, or number each throw's"),
            )
        seen |= set() if prop is None else {prop}
    counts = Counter(throw[:3] for throw in order.pattern.throws)
    for loop in (0, 1):
        for index, source in enumerate(sources):
            prop = lookup(source, loop)
            caught_prop = props[order.prop(index, loop)]
            # Which prop of those that land together is thrown how is left to the usual rule where
            # it must be.
            if (
                None not in (prop, caught_prop)
                and prop != caught_prop
                and counts[order.pattern.throws[index][:3]] == 1
            ):
                node = throws.written[source.throw].node.need("prop", "")
                accepted = _("the same prop is thrown, or none is named")
                raise node.error(
                    _("prop {expected} is caught for this throw", expected=caught_prop), accepted
                )


class PropOrder:
    """The props of a pattern, numbered by their first throw (or hold) at or after beat 0.

    Of throws on one beat those of the first juggler come first, then those of a right hand, then
    those written first. `PropStyle` gives its colours to the props in this order.

    A prop is known by its orbit and its place in it: n props share an orbit that takes n loops,
    each a loop behind the other. Let throw i of an orbit be made by a prop that makes its first
    throw in loop 0 after shift(i) loops; then in loop m it is made by the prop that is shift(i) − m
    loops behind, modulo n.

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
    for orbit_index, orbit in enumerate(pattern.orbits):
        beat = pattern.throws[orbit.throws[0]].beat
        for index in orbit.throws:
            throw = pattern.throws[index]
            # Loops by which this throw is ahead of the orbit's first prop.
            places[index] = orbit_index, (beat - throw.beat) // pattern.period
            beat += throw.value
    return places


def _first_throws(
    pattern: Pattern, places: list[tuple[int, int]]
) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Return each prop's first throw: its loop, its rank within the loop, and the throw.

    Props are keyed by orbit and place in it.
    """
    earliest: list[dict[int, tuple[int, int]]] = [{} for _ in pattern.orbits]
    throws = pattern.throws
    turns = sorted(
        range(len(throws)),
        key=lambda index: (
            throws[index].beat,
            throws[index].juggler,
            throws[index].hand != RIGHT,
            index,
        ),
    )
    for turn, index in enumerate(turns):
        orbit_index, shift = places[index]
        earliest[orbit_index].setdefault(shift % pattern.orbits[orbit_index].props, (turn, index))
    firsts = {}
    for orbit_index, orbit in enumerate(pattern.orbits):
        # A prop makes the throws of its own place first, or else of the next place that has any.
        ahead = sorted(earliest[orbit_index])
        for shift in range(orbit.props):
            position = bisect_left(ahead, shift)
            nearest = ahead[position] if position < len(ahead) else ahead[0] + orbit.props
            firsts[orbit_index, shift] = (
                nearest - shift,
                *earliest[orbit_index][nearest % orbit.props],
            )
    return firsts


def read_looks(
    document: Node, order: PropOrder, numbers: list[int], recorded: PropStyle
) -> tuple[PropStyle, list[str]]:
    """Return the appearance of props, and a note on each property that cannot be shown.

    Colours are listed in the order of `PropOrder`, so that each prop gets its own.

    Args:
        document: its props are read.
        order: the props of its pattern.
        numbers: the number in the document of each of them.
        recorded: what our own member says in other words; it counts as long as it agrees with the
            document.

    Raises:
        FileError: something is of the wrong kind, or a colour is none.
    """
    props = prop_nodes(document)
    kinds, notes = _kinds(props)
    if len(props) > len(numbers):
        notes.append(
            _(
                "The file has {count} props, but only {count2} are thrown.",
                count=len(props),
                count2=len(numbers),
            )
        )
    colours = [read_css_colour(node) if (node := prop.get("color")) else None for prop in props]
    chosen_colours = [colours[number] if number < len(colours) else None for number in numbers]
    chosen_kinds = (
        tuple(kinds[number] if number < len(kinds) else kinds[-1] for number in numbers)
        or kinds[:1]
    )
    style = prop_style(chosen_kinds, chosen_colours)
    written = [
        (kind, write_css_colour(colour))
        for kind, colour in zip(chosen_kinds, chosen_colours, strict=False)
    ]
    return (recorded if _looks(recorded, order) == written else style), notes


def prop_style(kinds: Sequence[str], colours: Sequence[Colour | None]) -> PropStyle:
    """Return the style of props in the order of `PropOrder`, a kind and a colour for each."""
    each_kind = tuple(kinds) or PropStyle.kinds
    if not any(colours):
        return PropStyle(kinds=_shortest(each_kind))
    filled = _shortest(tuple(colour or _FILL_COLOUR for colour in colours))
    return PropStyle("".join(map(braced_text, filled)), _shortest(each_kind), filled)


def prop_looks(style: PropStyle, order: PropOrder) -> list[tuple[str, Colour | None]]:
    """Return kind and colour of each prop in the order of `PropOrder`; no colour is None."""
    indices = order.orbits if style.by_orbit else list(range(len(order.firsts)))
    chosen = style.colours
    return [
        (style.kinds[index % len(style.kinds)], chosen[index % len(chosen)] if chosen else None)
        for index in indices
    ]


def write_looks(style: PropStyle, order: PropOrder) -> list[dict[str, Any]]:
    """The props of a document, in the order of `PropOrder`."""
    return [
        {"type": kind, "color": colour} if colour else {"type": kind}
        for kind, colour in _looks(style, order)
    ]


def _kinds(props: list[Node]) -> tuple[tuple[str, ...], list[str]]:
    """Return the type of each prop; the first known one stands for the unknown."""
    written = [
        kind.text().strip().casefold() if (kind := prop.get("type")) else None for prop in props
    ]
    shown = next((kind for kind in written if kind in PROP_KINDS), PropStyle.kinds[0])
    unknown = sorted(
        {kind[:20] or "nothing" for kind in written if kind is not None and kind not in PROP_KINDS}
    )
    notes = (
        [
            _(
                "Props of type {unknown} are shown as {shown}.",
                unknown=", ".join(unknown[:5]),
                shown=shown,
            )
        ]
        if unknown
        else []
    )
    return tuple(kind if kind and kind in PROP_KINDS else shown for kind in written) or (
        shown,
    ), notes


def _looks(style: PropStyle, order: PropOrder) -> list[tuple[str, str]]:
    """Return each prop's type and its colour as CSS writes it, empty for none."""
    return [(kind, write_css_colour(colour)) for kind, colour in prop_looks(style, order)]


def _shortest(values: tuple[T, ...]) -> tuple[T, ...]:
    """Values for props in turn; one that all share stands once."""
    return values if len(set(values)) > 1 else values[:1]


_FILL_COLOUR: Colour = (1.0, 0.0, 0.0)
"""The colour of a prop that has none while others have one."""
