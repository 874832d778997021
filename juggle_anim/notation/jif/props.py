"""Props of a JIF document: which of them each prop of the pattern is, by first throws; their types
and colours.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

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
    """Find which prop of the document each prop of the pattern is.

    After a repetition the prop p of a throw is `repetition.propPermutation[p]`. Some files mean the
    inverse permutation, so this is tried as well. Without the permutation props stay with their
    throws where they can, or else the numbers are those of the first time that the throws are made.
    Props that no throw names are numbered as they are first thrown, in the order of the document.

    Args:
        document: its props, its throws' props and its repetition are read.
        throws: its throws.

    Returns:
        The pattern, with throws of each multiplex ordered such that hands throw the props that they
        caught; and for each prop, in the order of `PropOrder`, its number in the document.

    Raises:
        FileError: a prop does not exist or is at two places, or another prop is thrown than was
            caught.
    """
    # The first reading without contradiction counts. If all contradict themselves, the error is
    # that of the first, which is the likeliest.
    refused: FileError | None = None
    for lookup in _prop_lookups(document, throws):
        pattern, sources = _with_fitting_multiplexes(throws.pattern, throws.sources, lookup)
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


def _prop_lookups(document: Node, throws: Throws) -> Iterator[PropLookup]:
    """Yield the two possible meanings of the props in a document, the likeliest first.

    The first applies `propPermutation` forwards, or has props stay with their throws if there is
    none. The second applies it backwards, or only knows the props of the first repetition.

    Args:
        document: its props and `propPermutation` are read.
        throws: its throws, whose props are read.

    Yields:
        A function of the source of a throw and the number of a loop, from 0. It returns the number
        in the document of the prop that makes the throw in this loop; None where the document does
        not say.

    Raises:
        FileError: a prop does not exist, or the permutation is none.
    """
    count = len(prop_nodes(document))
    # Where no props are listed, throws may name any number.
    written_props = [
        node.index(count or MAX_PROPS, "prop") if (node := throw.node.get("prop")) else None
        for throw in throws.written
    ]
    permutation = _permutation(document, count or MAX_PROPS)

    def meaning(permutation: Powers | None, *, sign: int) -> PropLookup:
        def lookup(source: ThrowSource, loop: int) -> int | None:
            prop = written_props[source.throw]
            # Repetitions between the throw as written and the throw in this loop: those before it
            # in its own loop, and those of all loops between.
            repetitions = source.repetition + (loop - source.loop) * throws.repetitions
            if permutation is None:
                return None if repetitions else prop
            return None if prop is None else permutation.image(prop, sign * repetitions)

        return lookup

    # The powers of an empty permutation leave all numbers as they are.
    yield meaning(permutation or Powers(()), sign=1)
    yield meaning(permutation, sign=-1)


def _permutation(document: Node, count: int) -> Powers | None:
    """Return the powers of `propPermutation`; None where the document has none.

    Args:
        document: to read.
        count: number of props.

    Raises:
        FileError: it is no permutation of props.
    """
    node = document.find("repetition", "propPermutation")
    if node is None:
        return None
    step = [item.index(count, "prop") for item in node.items(MAX_PROPS)]
    if sorted(step) != list(range(len(step))):
        accepted = _(
            "the {count} numbers from 0 to {count2} in any order",
            count=len(step),
            count2=len(step) - 1,
        )
        raise node.error(_("this does not name each prop once"), accepted)
    return Powers(tuple(step))


def _with_fitting_multiplexes(
    pattern: Pattern, sources: tuple[ThrowSource, ...], lookup: PropLookup
) -> tuple[Pattern, list[ThrowSource]]:
    """Reorder the throws of each multiplex so that its hand throws the props that it caught.

    Of props that land together, the pattern has the one thrown first make the throw that stands
    first. The order of one multiplex may decide over that of another, so several passes are made,
    up to `_REORDERING_PASSES`, until nothing changes. A multiplex stays as it is unless the
    document names a prop for each of its throws, and the hand has caught just these.

    Args:
        pattern: with throws in the order of the document.
        sources: of each throw.
        lookup: the prop that the document names for a throw in a loop, as `PropLookup` says.

    Returns:
        The pattern and the sources in the new order.
    """
    # Throws by beat, juggler and hand, the first three fields of each. Only of throws that a hand
    # makes at once is the order free.
    indices_by_turn: dict[Turn, list[int]] = {}
    for index, throw in enumerate(pattern.throws):
        indices_by_turn.setdefault(throw[:3], []).append(index)
    multiplexes = [indices for indices in indices_by_turn.values() if len(indices) > 1]
    original_throws = pattern.throws
    # `order[index]` is the original index of the throw that now stands at `index`.
    order = list(range(len(sources)))
    for _pass in range(_REORDERING_PASSES):
        before = list(order)
        # For each throw the prop that the hand has caught for it.
        arriving = _arriving_props(pattern, [sources[index] for index in order], lookup)
        for indices in multiplexes:
            # The throw that the document has each prop make, and the prop that has been caught for
            # each place in the order. Where both are the same props, their throws take these
            # places.
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
        throws = tuple(original_throws[index] for index in order)
        pattern = dataclasses.replace(pattern, throws=throws)
    return pattern, [sources[index] for index in order]


def _arriving_props(
    pattern: Pattern, sources: list[ThrowSource], lookup: PropLookup
) -> dict[int, int | None]:
    """Return for each throw, by index, the prop that the hand has caught for it in loop 0.

    Args:
        pattern: the throws.
        sources: of each throw.
        lookup: the prop that the document names for a throw in a loop, as `PropLookup` says.

    Returns:
        The number of the prop in the document; None where the document does not name it.
    """
    arriving = {}
    for index, landing in enumerate(pattern.landings):
        throw = pattern.throws[index]
        # Loops from a throw to the next throw of the same prop, at its landing.
        loops = (throw.beat + throw.value - pattern.throws[landing].beat) // pattern.period
        arriving[landing] = lookup(sources[index], -loops)
    return arriving


def _numbers(
    throws: Throws, order: PropOrder, sources: list[ThrowSource], lookup: PropLookup
) -> list[int]:
    """Return the number in the document of each prop, in the order of `PropOrder`.

    A prop that the document does not name gets the lowest number that is free; such props are taken
    in the order of their first throws.

    Args:
        throws: of the document.
        order: the props of the pattern.
        sources: of each throw of the pattern.
        lookup: the prop that the document names for a throw in a loop, as `PropLookup` says.

    Raises:
        FileError: the document contradicts itself.
    """
    # Numbers that the document names at the first throw of each prop; None where it does not.
    stated = [lookup(sources[index], loop) for loop, index in order.firsts]
    _check_consistency(throws, order, sources, lookup, stated)
    stated_numbers = {number for number in stated if number is not None}
    # Enough free numbers for all props, lowest first.
    free_numbers = (
        number
        for number in range(len(stated) + len(stated_numbers))
        if number not in stated_numbers
    )
    # Props that are not named get free numbers by the beat of their first throw, and at the same
    # beat by the place of this throw in the document.
    first_throw_keys = [
        (
            order.pattern.throws[index].beat + loop * order.pattern.period,
            sources[index].throw,
        )
        for loop, index in order.firsts
    ]
    props_by_first_throw = sorted(range(len(stated)), key=first_throw_keys.__getitem__)
    numbers = {
        prop: next(free_numbers) if (number := stated[prop]) is None else number
        for prop in props_by_first_throw
    }
    return [numbers[prop] for prop in range(len(stated))]


def _check_consistency(
    throws: Throws,
    order: PropOrder,
    sources: list[ThrowSource],
    lookup: PropLookup,
    props: list[int | None],
) -> None:
    """Check that no prop is at two places, and that hands throw the props that they caught.

    Throws for which the document names no prop contradict nothing.

    Args:
        throws: of the document.
        order: the props of the pattern.
        sources: of each throw of the pattern.
        lookup: the prop that the document names for a throw in a loop, as `PropLookup` says.
        props: for each prop of the pattern the number that the document names for it, or None.

    Raises:
        FileError: one of these does not hold.
    """
    # Two props of the pattern may not be the same prop of the document.
    seen: set[int] = set()
    for prop, (_loop, index) in zip(props, order.firsts, strict=True):
        node = throws.written[sources[index].throw].node
        if prop is not None and prop in seen:
            raise node.error(
                _("prop {number} is in two places at once", number=prop),
                _("leave the props out, or give one for each throw"),
            )
        if prop is not None:
            seen.add(prop)
    # Number of throws by beat, juggler and hand.
    counts = Counter(throw[:3] for throw in order.pattern.throws)
    # In the second loop permuted props must agree as well.
    for loop in (0, 1):
        for index, source in enumerate(sources):
            prop = lookup(source, loop)
            caught_prop = props[order.prop(index, loop)]
            # In a multiplex the pattern decides which prop makes which throw, so these are not
            # compared.
            if (
                None not in (prop, caught_prop)
                and prop != caught_prop
                and counts[order.pattern.throws[index][:3]] == 1
            ):
                node = throws.written[source.throw].node.need("prop", "")
                accepted = _("throw the same prop, or name none")
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
        first_throws = _first_throws(pattern, self._places)
        props = sorted(first_throws, key=first_throws.__getitem__)
        self._numbers = {prop: number for number, prop in enumerate(props)}
        self.firsts = [(first.loop, first.throw) for first in map(first_throws.__getitem__, props)]
        self.orbits = [orbit for orbit, _shift in props]

    def prop(self, index: int, loop: int) -> int:
        """The number of the prop that makes a throw in a loop."""
        orbit, shift = self._places[index]
        return self._numbers[orbit, (shift - loop) % self.pattern.orbits[orbit].props]

    def shifted(self) -> list[int]:
        """For each prop, the one that does a loop later what it does now."""
        return [self.prop(index, loop + 1) for loop, index in self.firsts]


def _places(pattern: Pattern) -> list[tuple[int, int]]:
    """For each throw its orbit and its shift, as `PropOrder` explains them."""
    places = [(0, 0)] * len(pattern.throws)
    for orbit_index, orbit in enumerate(pattern.orbits):
        beat = pattern.throws[orbit.throws[0]].beat
        for index in orbit.throws:
            throw = pattern.throws[index]
            # Loops by which this throw is ahead of the orbit's first prop.
            places[index] = orbit_index, (beat - throw.beat) // pattern.period
            beat += throw.value
    return places


class _FirstThrow(NamedTuple):
    """The first throw of a prop, such that these sort in the order of time.

    Attributes:
        loop: in which it is made, from 0.
        rank: among the throws of a loop, by beat and juggler, right hands first.
        throw: its index in the pattern.
    """

    loop: int
    rank: int
    throw: int


def _first_throws(
    pattern: Pattern, places: list[tuple[int, int]]
) -> dict[tuple[int, int], _FirstThrow]:
    """Return the first throw at or after beat 0 of each prop, by its orbit and its shift.

    Args:
        pattern: whose props.
        places: for each throw its orbit and its shift, as `PropOrder` explains them.
    """
    # For each orbit, by shift modulo its number of props: rank and index of the earliest throw of
    # that shift in a loop. Throws are ranked by beat and juggler, right hands first.
    earliest: list[dict[int, tuple[int, int]]] = [{} for _ in pattern.orbits]
    throws = pattern.throws
    ranked = sorted(
        range(len(throws)),
        key=lambda index: (
            throws[index].beat,
            throws[index].juggler,
            throws[index].hand != RIGHT,
            index,
        ),
    )
    for rank, index in enumerate(ranked):
        orbit_index, shift = places[index]
        earliest[orbit_index].setdefault(shift % pattern.orbits[orbit_index].props, (rank, index))
    firsts = {}
    for orbit_index, orbit in enumerate(pattern.orbits):
        # In loop m the prop of shift s makes the throws of shift s + m, so its first throw is of
        # its own shift, or else of the next greater one that has throws. Beyond the greatest shift
        # the least one follows, as many loops later as the orbit has props.
        shifts_with_throws = sorted(earliest[orbit_index])
        for shift in range(orbit.props):
            position = bisect_left(shifts_with_throws, shift)
            if position < len(shifts_with_throws):
                next_shift = shifts_with_throws[position]
            else:
                next_shift = shifts_with_throws[0] + orbit.props
            loop = next_shift - shift
            rank, index = earliest[orbit_index][next_shift % orbit.props]
            firsts[orbit_index, shift] = _FirstThrow(loop, rank, index)
    return firsts


def read_looks(
    document: Node, order: PropOrder, numbers: list[int], recorded: PropStyle
) -> tuple[PropStyle, list[str]]:
    """Read the kinds and colours of props.

    Args:
        document: its props are read.
        order: the props of its pattern.
        numbers: the number in the document of each of them, in the order of `order`.
        recorded: the style in our own extension; it is preferred as long as it looks the same.

    Returns:
        The style, with values in the order of `order`; and a note for the user on each property
        that cannot be shown.

    Raises:
        FileError: a value is of the wrong kind, or no colour.
    """
    props = prop_nodes(document)
    kinds, notes = _shown_kinds(props)
    if len(props) > len(numbers):
        notes.append(
            _(
                "The file has {count} props, but only {count2} are thrown.",
                count=len(props),
                count2=len(numbers),
            )
        )
    # The file may list more or fewer props than are thrown. One that is not listed has no colour,
    # and the kind of the last.
    colours = [read_css_colour(node) if (node := prop.get("color")) else None for prop in props]
    chosen_colours = [colours[number] if number < len(colours) else None for number in numbers]
    chosen_kinds = (
        tuple(kinds[number] if number < len(kinds) else kinds[-1] for number in numbers)
        or kinds[:1]
    )
    style = prop_style(chosen_kinds, chosen_colours)
    # Without any thrown prop there is one kind and no colour.
    looks = [
        (kind, write_css_colour(colour))
        for kind, colour in zip(chosen_kinds, chosen_colours, strict=False)
    ]
    return (recorded if _looks(recorded, order) == looks else style), notes


def prop_style(kinds: Sequence[str], colours: Sequence[Colour | None]) -> PropStyle:
    """Return the style of props that have these kinds and colours, in the order of `PropOrder`.

    Where only some props have a colour, the others get a fill colour: a style has colours for all
    or none.
    """
    all_kinds = tuple(kinds) or PropStyle.kinds
    if not any(colours):
        return PropStyle(kinds=_shortest(all_kinds))
    filled = _shortest(tuple(colour or _FILL_COLOUR for colour in colours))
    text = "".join(map(braced_text, filled))
    return PropStyle(text=text, kinds=_shortest(all_kinds), colours=filled)


def prop_looks(style: PropStyle, order: PropOrder) -> list[tuple[str, Colour | None]]:
    """Kind and colour of each prop, in the order of `PropOrder`; no colour is None."""
    # Values of a style are for props, or orbits, in turn.
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


def _shown_kinds(props: list[Node]) -> tuple[tuple[str, ...], list[str]]:
    """Return the kinds as which the props of a document are shown, and notes for the user.

    A prop without a kind, or of an unknown one, is shown as the first prop of a known kind, or as
    the default kind if there is none; a note names the unknown kinds.

    Args:
        props: of the document.

    Returns:
        A kind for each prop; if there are none, one kind, the default. At most one note.
    """
    types = [
        kind.text().strip().casefold() if (kind := prop.get("type")) else None for prop in props
    ]
    shown = next((kind for kind in types if kind in PROP_KINDS), PropStyle.kinds[0])
    # Texts of the file are cut for the message.
    unknown = sorted(
        {kind[:20] or "nothing" for kind in types if kind is not None and kind not in PROP_KINDS}
    )
    notes = []
    if unknown:
        notes.append(
            _(
                "Props of type {unknown} are shown as {shown}.",
                unknown=", ".join(unknown[:5]),
                shown=shown,
            )
        )
    kinds = tuple(kind if kind and kind in PROP_KINDS else shown for kind in types)
    return kinds or (shown,), notes


def _looks(style: PropStyle, order: PropOrder) -> list[tuple[str, str]]:
    """Return each prop's type and its colour as CSS writes it, empty for none."""
    return [(kind, write_css_colour(colour)) for kind, colour in prop_looks(style, order)]


def _shortest(values: tuple[T, ...]) -> tuple[T, ...]:
    """Values that props take in turn: one value if all are equal, else all."""
    return values if len(set(values)) > 1 else values[:1]


_FILL_COLOUR: Colour = (1.0, 0.0, 0.0)
"""The colour of a prop that has none while others have one."""
