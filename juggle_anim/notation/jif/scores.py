"""Reading and writing JIF: from a document to a score and back.

Props of a JIF document: which of them each prop of the pattern is, by first throws; their types
and colours.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np

from juggle_anim.choreography import (
    STYLES,
    BodyMoves,
    BodyPlace,
    Choreography,
    PropOrbit,
    PropStyle,
    Score,
    natural_tempo,
)
from juggle_anim.errors import FileError, JuggleError, joined_names, printable
from juggle_anim.language import _
from juggle_anim.notation.jif.document import (
    EXTENSION_KEY,
    Extension,
    Node,
    read_css_colour,
    read_document,
    read_extension,
    write_css_colour,
    write_extension,
    write_modifier,
)
from juggle_anim.notation.jif.throws import (
    Throws,
    ThrowSource,
    limb_of,
    read_places,
    read_throws,
    write_head,
)
from juggle_anim.notation.limits import MAX_PERIOD, MAX_PROPS, MAX_THROWS, MAX_VALUE
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.prechac.write import with_own_text
from juggle_anim.notation.rewriting import Powers, only_pattern
from juggle_anim.notation.settings import Colour, Settings, braced_text, read_settings
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.parameters import PROP_KINDS, Parameters, quantity_named
from juggle_anim.pattern import RIGHT, Pattern, Throw, grouped

PropLookup = Callable[[ThrowSource, int], int | None]
"""The prop of a document that makes the throw from a source in a loop, where the document says so.
"""

# Over all multiplexes, since the order of one may decide over that of another.
_REORDERING_PASSES = 4

T = TypeVar("T")


def identify_props(document: Node, throws: Throws) -> tuple[Pattern, list[int]]:
    """Find for each prop of the pattern its number in the document.

    A throw made by prop p is made by prop `repetition.propPermutation[p]` in the next repetition.
    Some files mean the inverse permutation, so this is tried as well. Without a permutation a throw
    has the same prop in all repetitions; if that leads to a contradiction, the props that throws
    name hold for the first repetition only. Props that no throw names get the free numbers, in the
    order of their first throws.

    Args:
        document: the root of the JIF document.
        throws: its throws, and the pattern that they make.

    Returns:
        The pattern, with the throws of each multiplex in the order in which hands throw the props
        that they caught; and for each prop, in the order of `PropOrder`, its number in the
        document.

    Raises:
        FileError: a prop does not exist or is at two places, or another prop is thrown than was
            caught.
    """
    # The first meaning without contradiction counts. If all contradict themselves, the error is
    # that of the first, which is the likeliest.
    first_error: FileError | None = None
    for lookup in _prop_lookups(document, throws):
        pattern, sources = _with_fitting_multiplexes(throws.pattern, throws.sources, lookup)
        order = PropOrder(pattern)
        try:
            return pattern, _numbers(throws, order, sources, lookup)
        except FileError as error:
            first_error = first_error or error
    assert first_error is not None, "there is always a meaning to try"
    raise first_error


def prop_nodes(document: Node) -> list[Node]:
    """Return the props of a document, which some call its objects."""
    return document.list_of("props", MAX_PROPS) or document.list_of("objects", MAX_PROPS)


def _prop_lookups(document: Node, throws: Throws) -> Iterator[PropLookup]:
    """Yield the two possible meanings of the props in a document, the likeliest first.

    A `propPermutation` says which prop makes a throw in the next repetition. It may be meant as it
    is or inversely. Without one, a throw has the same prop in all repetitions, or its prop is known
    in the first repetition only.

    Args:
        document: the root of the document.
        throws: its throws, and the prop that each names.

    Yields:
        A function of the source of a throw (where it is written) and the number of a loop, from 0.
        It returns the number in the document of the prop that makes the throw in this loop; None if
        the document does not say.

    Raises:
        FileError: a prop does not exist, or `propPermutation` is no permutation.
    """
    # Where no props are listed, throws may name any number.
    prop_count = len(prop_nodes(document)) or MAX_PROPS
    written_props = [
        node.index(prop_count, "prop") if (node := throw.node.get("prop")) else None
        for throw in throws.written
    ]
    permutation = _permutation(document, prop_count)
    if permutation is None:
        # An empty permutation leaves all numbers as they are.
        yield _prop_lookup(written_props, throws.repetitions, Powers(()), sign=1)
        yield _prop_lookup(written_props, throws.repetitions, None, sign=1)
    else:
        yield _prop_lookup(written_props, throws.repetitions, permutation, sign=1)
        yield _prop_lookup(written_props, throws.repetitions, permutation, sign=-1)


def _prop_lookup(
    written_props: list[int | None],
    repetitions_per_loop: int,
    permutation: Powers | None,
    *,
    sign: int,
) -> PropLookup:
    """Return the function that tells which prop makes a throw, for one meaning of the permutation.

    Args:
        written_props: for each throw of the document the prop that it names; None if it names none.
        repetitions_per_loop: how often a loop of the pattern repeats the throws of the document.
        permutation: permutation of props from one repetition to the next, as its powers; None if
            props are known in the first repetition only.
        sign: 1 for the permutation itself, −1 for its inverse.
    """

    def prop_of_throw(source: ThrowSource, loop: int) -> int | None:
        """Return the prop that makes a throw in a loop; None if the document does not say."""
        prop = written_props[source.throw]
        # Number of repetitions from the throw as it is written to the throw in this loop. In the
        # first loop it comes `source.repetition` later, but was moved `source.loop` loops earlier.
        repetitions = source.repetition + (loop - source.loop) * repetitions_per_loop
        if permutation is None:
            return None if repetitions else prop
        return None if prop is None else permutation.image(prop, sign * repetitions)

    return prop_of_throw


def _permutation(document: Node, count: int) -> Powers | None:
    """Read the `propPermutation` of a document, with all its powers; None if there is none.

    Args:
        document: the root of the document.
        count: number of props.

    Raises:
        FileError: the value is not a permutation of props.
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
) -> tuple[Pattern, tuple[ThrowSource, ...]]:
    """Reorder the throws of each multiplex so that each has the prop that the document names.

    A multiplex is several throws of a hand on one beat. The pattern gives the first of them to the
    caught prop whose flight into the hand began first, and so on. A multiplex is reordered only if
    the document names a prop for each of its throws, and the hand has caught exactly these props.
    The order of one multiplex decides which props another catches, so passes over all of them are
    made until nothing changes. After `_REORDERING_PASSES` the last order counts as it is; the
    caller finds any contradiction that is left.

    Args:
        pattern: the pattern with throws in the order of the document.
        sources: for each throw where it is written in the document.
        lookup: returns the prop that the document names for a throw in a loop; None if it names
            none.

    Returns:
        The pattern and the sources in the new order.
    """
    # Indices of throws by beat, juggler and hand.
    indices_by_turn = grouped((throw.turn, index) for index, throw in enumerate(pattern.throws))
    multiplexes = [indices for indices in indices_by_turn.values() if len(indices) > 1]
    for _pass in range(_REORDERING_PASSES):
        prop_of_throw = _caught_props(pattern, sources, lookup)
        # `order[index]` is the present index of the throw that is to stand at `index`.
        order = list(range(len(sources)))
        for indices in multiplexes:
            # The throw that the document wants each prop to make in loop 0, and the prop that the
            # pattern now has for each throw of the multiplex.
            throw_of_prop = {lookup(sources[index], 0): index for index in indices}
            props = [prop_of_throw.get(index) for index in indices]
            # If these are the same props, each gets the throw that the document wants.
            if (
                None not in throw_of_prop
                and len(throw_of_prop) == len(indices)
                and set(props) == set(throw_of_prop)
            ):
                for index, prop in zip(indices, props, strict=True):
                    order[index] = throw_of_prop[prop]
        if order == sorted(order):  # nothing changes
            break
        throws = tuple(pattern.throws[index] for index in order)
        pattern = dataclasses.replace(pattern, throws=throws)
        sources = tuple(sources[index] for index in order)
    return pattern, sources


def _caught_props(
    pattern: Pattern, sources: Sequence[ThrowSource], lookup: PropLookup
) -> dict[int, int | None]:
    """Return for each throw of loop 0 the prop that the hand has caught for it.

    This prop made another throw before, at which the document may name it.

    Args:
        pattern: the throws.
        sources: for each throw where it is written in the document.
        lookup: returns the prop that the document names for a throw in a loop; None if it names
            none.

    Returns:
        The number of the prop in the document, by the index of the throw; None if the document does
        not name it.
    """
    caught_props = {}
    # A prop makes the throw `index`, lands, and makes the throw `next_index`.
    for index, next_index in enumerate(pattern.landings):
        throw = pattern.throws[index]
        # The next throw comes `loops` loops later. So the prop that makes it in loop 0 made this
        # one in loop −loops.
        loops = (throw.beat + throw.value - pattern.throws[next_index].beat) // pattern.period
        caught_props[next_index] = lookup(sources[index], -loops)
    return caught_props


def _numbers(
    throws: Throws, order: PropOrder, sources: Sequence[ThrowSource], lookup: PropLookup
) -> list[int]:
    """Return the number in the document of each prop, in the order of `PropOrder`.

    A prop that the document does not name gets the lowest number that is free; such props are taken
    in the order of their first throws.

    Args:
        throws: the throws of the document.
        order: the props of a pattern, numbered by their first throws.
        sources: the sources of each throw of the pattern.
        lookup: returns the prop that the document names for a throw in a loop; None if it names
            none.

    Raises:
        FileError: the document contradicts itself.
    """
    # The number that the document names at the first throw of each prop; None if it names none.
    stated = [lookup(sources[index], loop) for loop, index in order.firsts]
    _check_consistency(throws, order, sources, lookup, stated)
    stated_numbers = {number for number in stated if number is not None}
    free_numbers = (number for number in itertools.count() if number not in stated_numbers)

    def first_throw(prop: int) -> tuple[int, int]:
        """Return the beat of the first throw of a prop, and this throw's index in the document."""
        loop, index = order.firsts[prop]
        beat = order.pattern.throws[index].beat + loop * order.pattern.period
        return beat, sources[index].throw

    numbers = {
        prop: next(free_numbers) if (number := stated[prop]) is None else number
        for prop in sorted(range(len(stated)), key=first_throw)
    }
    return [numbers[prop] for prop in range(len(stated))]


def _check_consistency(
    throws: Throws,
    order: PropOrder,
    sources: Sequence[ThrowSource],
    lookup: PropLookup,
    props: list[int | None],
) -> None:
    """Check that no prop is at two places at once, and that hands throw the props they caught.

    Throws for which the document names no prop are not checked.

    Args:
        throws: the throws of the document.
        order: the props of a pattern, numbered by their first throws.
        sources: the sources of each throw of the pattern.
        lookup: returns the prop that the document names for a throw in a loop; None if it names
            none.
        props: for each prop of the pattern the number that the document names for it, or None.

    Raises:
        FileError: a prop is at two places, or another prop is thrown than was caught.
    """
    # Two props of the pattern must not be the same prop of the document.
    used_props: set[int] = set()
    for prop, (_loop, index) in zip(props, order.firsts, strict=True):
        node = throws.written[sources[index].throw].node
        if prop is not None and prop in used_props:
            raise node.error(
                _("prop {number} is in two places at once", number=prop),
                _("leave the props out, or give one for each throw"),
            )
        if prop is not None:
            used_props.add(prop)
    # Number of throws by beat, juggler and hand.
    throw_counts = Counter(throw.turn for throw in order.pattern.throws)
    # The second loop is checked as well, since a permutation takes effect only there.
    for loop in (0, 1):
        for index, source in enumerate(sources):
            prop = lookup(source, loop)
            # `order.prop` is the prop of the pattern that makes the throw in this loop.
            caught_prop = props[order.prop(index, loop)]
            # In a multiplex (several throws of a hand at once) the pattern decides which prop makes
            # which throw, so only single throws are compared.
            if (
                None not in (prop, caught_prop)
                and prop != caught_prop
                and throw_counts[order.pattern.throws[index].turn] == 1
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
        pattern: throws on beats.

    Attributes:
        firsts: for each prop its first throw: the loop, counted from 0, and the index of the throw.
        orbits: for each prop the number of its orbit.
    """

    def __init__(self, pattern: Pattern) -> None:
        """Find the first throw of each prop of a pattern, and number the props by these."""
        self.pattern = pattern
        self._places = _places(pattern)

        def rank_key(index: int) -> tuple[int, int, bool, int]:
            """Sort key of throws: beat, juggler, right hand first, place in the pattern."""
            throw = pattern.throws[index]
            return throw.beat, throw.juggler, throw.hand != RIGHT, index

        ranked = sorted(range(len(pattern.throws)), key=rank_key)
        # For each prop, by orbit and shift, its first throw: loop, rank in the loop, and index.
        first_throws: dict[tuple[int, int], tuple[int, int, int]] = {}
        for rank, index in enumerate(ranked):
            first_throws.setdefault(self._orbit_and_shift(index, 0), (0, rank, index))
        for orbit_index, orbit in enumerate(pattern.orbits):
            # A prop that throws nothing in loop 0 does in each loop what the prop of the next shift
            # did in the loop before. The prop of shift 0 makes the orbit's first throw in loop 0.
            for shift in range(orbit.props - 1, 0, -1):
                loop, rank, index = first_throws[orbit_index, (shift + 1) % orbit.props]
                first_throws.setdefault((orbit_index, shift), (loop + 1, rank, index))
        props = sorted(first_throws, key=first_throws.__getitem__)
        self._numbers = {prop: number for number, prop in enumerate(props)}
        self.firsts = [(loop, index) for loop, _rank, index in map(first_throws.__getitem__, props)]
        self.orbits = [orbit for orbit, _shift in props]

    def _orbit_and_shift(self, index: int, loop: int) -> tuple[int, int]:
        """Return the orbit and the shift of the prop that makes a throw in a loop."""
        orbit, shift = self._places[index]
        return orbit, (shift - loop) % self.pattern.orbits[orbit].props

    def prop(self, index: int, loop: int) -> int:
        """Return the number of the prop that makes a throw in a loop."""
        return self._numbers[self._orbit_and_shift(index, loop)]

    def shifted(self) -> list[int]:
        """Return, for each prop, the prop that is in its place one loop later."""
        return [self.prop(index, loop + 1) for loop, index in self.firsts]


def _places(pattern: Pattern) -> list[tuple[int, int]]:
    """Return for each throw the index of its orbit, and its shift.

    An orbit is the closed path of throws that some props share, each a loop behind another. The
    shift of a throw is the number of loops that the orbit's first prop takes to come to it.
    """
    places = [(0, 0)] * len(pattern.throws)
    for orbit_index, orbit in enumerate(pattern.orbits):
        beat = pattern.throws[orbit.throws[0]].beat
        for index in orbit.throws:
            throw = pattern.throws[index]
            # The orbit's first prop makes this throw on `beat`, which runs on over several loops.
            places[index] = orbit_index, (beat - throw.beat) // pattern.period
            beat += throw.value
    return places


def read_looks(
    document: Node, order: PropOrder, numbers: list[int], recorded: PropStyle
) -> tuple[PropStyle, list[str]]:
    """Read the kinds and colours of the props of a document.

    Args:
        document: the root of the document.
        order: the props of a pattern, numbered by their first throws.
        numbers: the number in the document of each of them, in the order of `order`.
        recorded: the style in our own extension; it is returned if it looks the same as the
            document's props, since it keeps how the user wrote it.

    Returns:
        The style, with values in the order of `order`; and a note for the user on each property
        that cannot be shown.

    Raises:
        FileError: a value has the wrong type, or is not a colour.
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
    chosen_kinds = [kinds[number] if number < len(kinds) else kinds[-1] for number in numbers]
    looks = [
        (kind, write_css_colour(colour))
        for kind, colour in zip(chosen_kinds, chosen_colours, strict=True)
    ]
    if _types_and_colours(recorded, order) == looks:
        return recorded, notes
    return prop_style(chosen_kinds, chosen_colours), notes


def prop_style(kinds: Sequence[str], colours: Sequence[Colour | None]) -> PropStyle:
    """Return the style of props with the given kinds and colours, in its shortest form.

    A style has colours for all props or for none. So if only some props have a colour, the others
    get `_FILL_COLOUR`.

    Args:
        kinds, colours: kind and colour of each prop, in the order of their first throws
            (`PropOrder`); None for a prop without a colour.
    """
    all_kinds = tuple(kinds) or PropStyle.kinds
    if not any(colours):
        return PropStyle(kinds=_shortest(all_kinds))
    filled = _shortest(tuple(colour or _FILL_COLOUR for colour in colours))
    text = "".join(map(braced_text, filled))
    return PropStyle(text=text, kinds=_shortest(all_kinds), colours=filled)


def prop_looks(style: PropStyle, order: PropOrder) -> list[tuple[str, Colour | None]]:
    """Return kind and colour of each prop, in the order of `PropOrder`; no colour is None."""
    # Values of a style are for props, or orbits, in turn.
    indices = order.orbits if style.by_orbit else list(range(len(order.firsts)))
    chosen = style.colours
    return [
        (style.kinds[index % len(style.kinds)], chosen[index % len(chosen)] if chosen else None)
        for index in indices
    ]


def write_looks(style: PropStyle, order: PropOrder) -> list[dict[str, Any]]:
    """Return the props of a document, in the order of `PropOrder`."""
    return [
        {"type": kind, "color": colour} if colour else {"type": kind}
        for kind, colour in _types_and_colours(style, order)
    ]


def _shown_kinds(props: list[Node]) -> tuple[tuple[str, ...], list[str]]:
    """Return the kind as which each prop of a document is shown, and notes for the user.

    A prop of no kind, or of an unknown one, is shown as the first known kind in the document, or as
    the default kind if there is none; a note names the unknown kinds.

    Args:
        props: the props of the document.

    Returns:
        A kind for each prop (the default kind alone if there are no props), and at most one note.
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


def _types_and_colours(style: PropStyle, order: PropOrder) -> list[tuple[str, str]]:
    """Return each prop's `type`, and its `color` as CSS writes it, empty for none."""
    return [(kind, write_css_colour(colour)) for kind, colour in prop_looks(style, order)]


def _shortest(values: tuple[T, ...]) -> tuple[T, ...]:
    """Return values that props take in turn: one value if all are equal, else all."""
    return values if len(set(values)) > 1 else values[:1]


_FILL_COLOUR: Colour = (1.0, 0.0, 0.0)
"""The colour of a prop that has none while others have one."""


def read_jif(text: str, name: str = "JIF") -> PatternList:
    """Read a JIF file (https://passist.org): JSON with timed throws from limb to limb.

    A limb is a hand, and times are in beats. Jugglers, limbs and props that are left out are
    completed, and throws repeat with limbs and props permuted. A throw of no duration is an empty
    hand. The description of the pattern gets a note on everything that cannot be shown.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Returns:
        A list of one pattern.

    Raises:
        FileError: the text is not JIF, or holds no pattern; the message tells the place in the
            document and the reason.
    """
    document = read_document(text, name)
    # Our own files may hold events, which say more than throws.
    settings = read_placed(document) or _settings_of_throws(document)
    return PatternList((Entry(settings.score.name, settings, line=1),), single=True)


def _settings_of_throws(document: Node) -> Settings:
    """Read the settings of a document from its throws: pattern, props, places and parameters.

    Notes at the end of the score's description name what else the document has.

    Args:
        document: the root of the document.

    Raises:
        FileError: a part of the document cannot be read.
    """
    throws = read_throws(document)
    extension = read_extension(document)
    pattern, numbers = identify_props(document, throws)
    pattern = _with_text(document, extension, pattern)
    props, notes = read_looks(document, PropOrder(pattern), numbers, extension.staging.props)
    body = read_places(document, pattern.jugglers, extension.staging.body)
    # The operator | prefers its right side: parameters that our extension states override those
    # that follow from the throws.
    parameters = _tempo(throws, pattern) | _dwell(throws, notes) | dict(extension.parameters)
    if any(throw.node.get("spins") for throw in throws.written):
        notes.append(_("Props spin as usual, not as in the file."))
    if unknown := _unknown_members(document.value):
        notes.append(_("The file's {unknown} is not shown.", unknown=joined_names(unknown)))
    score = Score(
        pattern,
        staging=dataclasses.replace(extension.staging, body=body, props=props),
        title=document.text_of("meta", "name"),
        about="\n".join(filter(None, [document.text_of("meta", "description"), *notes])),
        tags=extension.tags,
        base=extension.base,
    )
    return Settings(score, parameters, complete=True)


def _unknown_members(document: dict[str, Any]) -> list[str]:
    """List the members of a document that `_MEMBERS` doesn't name, as paths such as `limbs[].x`.

    These are members of the root, and of the objects or lists of objects directly below it. At most
    `_MOST_LISTED` are listed, and then how many more there are.

    Args:
        document: the root of the document as JSON values.
    """
    # A dict as an ordered set, since the items of a list share a path.
    paths = {key: None for key in document if key not in _MEMBERS}
    for name, known_keys in _MEMBERS.items():
        # Where no keys are listed as known, all are allowed.
        if not known_keys:
            continue
        value = document.get(name)
        item_path = name
        items = [value]
        if isinstance(value, list):
            item_path = f"{name}[]"
            items = value
        for item in items:
            if isinstance(item, dict):
                paths |= {f"{item_path}.{key}": None for key in item if key not in known_keys}
    listed = [printable(path, _PATH_LENGTH) for path in paths]
    if len(listed) <= _MOST_LISTED:
        return listed
    return [*listed[:_MOST_LISTED], _("{count} more", count=len(listed) - _MOST_LISTED)]


def _with_text(document: Node, extension: Extension, pattern: Pattern) -> Pattern:
    """Return the pattern with a text in some notation for its throws.

    The text is one of the document if it means these throws, or else a new one.

    Args:
        document: a JIF document, whose description or name may be such a text.
        extension: the document's members beyond JIF: perhaps such a text, and the beats on which
            hands throw nothing, which a new text needs.
        pattern: the pattern, whose text is replaced.
    """
    description = document.text_of("highLevelDescription", "description")
    for text in filter(None, [extension.notation, description, document.text_of("meta", "name")]):
        # Most names and descriptions are not patterns.
        with suppress(JuggleError):
            described = read_settings(text).score.pattern
            # The throws must be the same, whatever the texts are.
            if described and _without_text(described) == _without_text(pattern):
                return described
    # Otherwise write a new text. Our extension states on which beats hands throw nothing: the text
    # has a zero for each of these within the pattern.
    empty = {
        (beat, juggler, hand)
        for beat, juggler, hand in extension.empty
        if beat < pattern.period and juggler < pattern.jugglers
    }
    pattern = dataclasses.replace(pattern, turns=tuple(sorted({*pattern.turns, *empty})))
    return with_own_text(pattern)


def _without_text(pattern: Pattern) -> tuple[object, ...]:
    """Return all of a pattern that a file must reproduce; its text may differ."""
    return pattern.throws, pattern.period, pattern.jugglers, pattern.division


def _tempo(throws: Throws, pattern: Pattern) -> dict[str, float | None]:
    """Return the parameter `bps`, [beats/s], if a document changes the usual tempo; else empty."""
    if throws.tempo == 1:
        return {}
    bps = quantity_named("bps")
    usual = natural_tempo(pattern, Parameters().dwell, next(iter(STYLES.values())))
    return {"bps": min(max(usual * throws.tempo, bps.low), bps.high)}


def _dwell(throws: Throws, notes: list[str]) -> dict[str, float]:
    """Return the parameter `dwell`, [beats of a juggler], if all throws have the same one.

    The dwell of a throw is the time for which the hand holds the prop before it.

    Args:
        throws: the throws of the document.
        notes: a note for the user is appended if throws differ, only some of them have a dwell, or
            it is out of range.

    Returns:
        The parameter by its name; empty if one parameter cannot stand for all throws, as then the
        usual dwell is used.
    """
    # Throws of no duration are empty hands.
    nodes = [
        node for throw in throws.written if throw.duration and (node := throw.node.get("dwell"))
    ]
    if not nodes:
        return {}
    quantity = quantity_named("dwell")
    # All distinct dwells in beats of a juggler, each of which is `stretch` beats of the document.
    dwells = {node.number(0, 1_000_000) / throws.stretch for node in nodes}
    throws_with_prop = sum(throw.duration > 0 for throw in throws.written)
    dwell = min(dwells)
    if (
        len(dwells) > 1
        or len(nodes) < throws_with_prop
        or not quantity.low <= dwell <= quantity.high
    ):
        notes.append(_("Props are held as long as usual, not as in the file."))
        return {}
    return {"dwell": dwell}


_MEMBERS: dict[str, tuple[str, ...]] = {
    "jugglers": ("name", "label", "position", "lookAt", "becomes"),
    "limbs": ("juggler", "type", "kind", "label"),
    "props": ("color", "type"),
    "objects": ("color", "type"),
    "throws": (
        *("time", "duration", "from", "to", "prop", "label", "dwell", "spins", "isManipulated"),
        EXTENSION_KEY,
    ),
    "repetition": ("period", "limbPermutation", "propPermutation"),
    **dict.fromkeys(
        (
            "$schema",
            "version",
            "meta",
            "highLevelDescription",
            "period",
            "timeStretchFactor",
            "valid",
        ),
        (),
    ),
    EXTENSION_KEY: (),
}
"""Members of a document that are read, or that change nothing that is shown; for each, the known
keys of its objects, none where any key is allowed.
"""

_MOST_LISTED = 5  # paths of members in a note
_PATH_LENGTH = 40  # characters of a path in a note


def write_jif(patterns: PatternList) -> str:
    """Write one pattern as a JIF file, which `read_jif` reads as the same pattern.

    All members of JIF are as its schema wants them, so places of jugglers are in whole metres.
    Members of our own, named `juggleAnim`, hold all that JIF has no place for: bounces and holds,
    moves of hands and bodies, parameters, exact places.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read.
    """
    _, settings = only_pattern(patterns, "JIF")
    return _formatted(_document(settings))


def _document(settings: Settings) -> dict[str, Any]:
    """Return the JIF document of settings as JSON values, without empty members except `throws`."""
    score = settings.score
    if score.pattern is None:
        return placed_document(settings)
    pattern = score.pattern
    order = PropOrder(pattern)
    document = {
        **write_head(score, score.staging.body),
        "highLevelDescription": {"type": "siteswap", "description": pattern.text},
        "props": write_looks(score.staging.props, order),
        "timeStretchFactor": pattern.division,
        "repetition": {
            "period": pattern.period,
            # The identity. The format's own page ignores a repetition without it.
            "limbPermutation": list(range(2 * pattern.jugglers)),
            # For each prop the one that makes its throws a loop later.
            "propPermutation": order.shifted(),
        },
        "throws": [_throw(pattern, order, index) for index in range(len(pattern.throws))],
        EXTENSION_KEY: write_extension(settings),
    }
    return {key: value for key, value in document.items() if value or key == "throws"}


def _throw(pattern: Pattern, order: PropOrder, index: int) -> dict[str, Any]:
    throw = pattern.throws[index]
    return {
        "time": throw.beat,
        "duration": throw.value,
        "from": limb_of(throw.juggler, throw.hand),
        "to": limb_of(throw.to_juggler, throw.to_hand),
        "label": _label(throw, pattern),
        "prop": order.prop(index, 0),
        **write_modifier(throw),
    }


def _label(throw: Throw, pattern: Pattern) -> str:
    """Return a throw as in a siteswap; on divided beats its value in beats, with a p for a pass."""
    if pattern.division == 1:
        return throw_text(throw, pattern.jugglers)
    pass_flag = "p" if throw.juggler != throw.to_juggler else ""
    return f"{throw.value / pattern.division:.4g}{pass_flag}"


def _formatted(document: dict[str, Any]) -> str:
    """Return JSON text with a line for each member, and for each item of members that are lists."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            json_text = "[\n    " + ",\n    ".join(map(_json, value)) + "\n  ]"
        else:
            json_text = _json(value)
        lines.append(f"  {_json(key)}: {json_text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    """Return a value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


HELD = "held"
"""The label of a throw that is none, but a prop that stays in its hand."""


def placed_document(settings: Settings) -> dict[str, Any]:
    """Return the JIF document of a score with timed events, as JSON values.

    Our own member holds the events as JML, from which `read_placed` reads them; other programs see
    throws. A throw lasts until the prop is thrown again, as in a siteswap; its dwell is the time in
    a hand before that. The beat is chosen so that the loop has a whole number of beats, as near to
    the tempo of the events as possible.

    Args:
        settings: the settings whose score has placed events rather than a pattern.
    """
    # Imported here, since only documents of placed events need it.
    from juggle_anim.notation.jml import write_jml

    choreography = settings.score.placed
    assert choreography is not None
    score = settings.score
    alone = PatternList((Entry(score.name, settings),), single=True)
    return {
        **write_head(score, _first_places(choreography)),
        "props": _placed_props(choreography),
        "timeStretchFactor": 1,
        **_placed_throws(choreography, max(1, round(choreography.duration * choreography.bps))),
        # JML has no word for the tempo.
        EXTENSION_KEY: {
            **write_extension(settings),
            "bps": choreography.bps,
            "jml": write_jml(alone),
        },
    }


def read_placed(document: Node) -> Settings | None:
    """Read the events that a document of ours holds as JML.

    Returns:
        The settings with these events. None if there are none, or if the throws of the document
        were changed since, so that they do not belong to these events any more.

    Raises:
        FileError: the events cannot be read.
    """
    from juggle_anim.notation.jml import read_jml

    node = document.find(EXTENSION_KEY, "jml")
    if node is None:
        return None
    entries = read_jml(node.text(), f"{document.name}: {node.where}").patterns
    settings = entries[0].settings if len(entries) == 1 else None
    if settings is None or settings.score.placed is None:
        raise node.error(_("has no events"), _("a JML document with one pattern"))
    period = document.find("repetition", "period")
    bps = document.find(EXTENSION_KEY, "bps")
    # The throws that follow from the events must be those of the document.
    if not period or not _has_throws(
        _placed_throws(settings.score.placed, period.whole(1, MAX_PERIOD)), document
    ):
        return None
    placed = settings.score.placed
    if bps:
        placed = dataclasses.replace(placed, bps=bps.number(1 / MAX_PERIOD, MAX_PERIOD))
    extension = read_extension(document)
    score = dataclasses.replace(
        settings.score,
        placed=placed,
        title=document.text_of("meta", "name"),
        about=document.text_of("meta", "description"),
        tags=extension.tags,
        base=extension.base,
    )
    return dataclasses.replace(
        settings, score=score, parameters={**settings.parameters, **extension.parameters}
    )


def _has_throws(expected_members: dict[str, Any], document: Node) -> bool:
    """Return whether a document still has the throws that follow from its events.

    Their order does not matter, and times may differ by `_TIME_TOLERANCE` [beats], since JML rounds
    them.

    Args:
        expected_members: members of a document that has these throws, from `_placed_throws`.
        document: the root of the document.
    """
    nodes = document.list_of("throws", MAX_THROWS)
    if len(nodes) != len(expected_members["throws"]):
        return False
    # A row of numbers for each throw: whether the prop is only held, both limbs, time and duration.
    document_throws = sorted(
        (node.text_of("label") == HELD, *map(node.number_of, _COMPARED_KEYS)) for node in nodes
    )
    expected = sorted(
        (throw.get("label") == HELD, *(float(throw[key]) for key in _COMPARED_KEYS))
        for throw in expected_members["throws"]
    )
    return bool(
        np.allclose(
            np.array(document_throws, dtype=float),
            np.array(expected, dtype=float),
            rtol=0,
            atol=_TIME_TOLERANCE,
        )
    )


def _placed_throws(choreography: Choreography, period: int) -> dict[str, Any]:
    """Return the members `repetition` and `throws` of a document, as JSON values.

    Args:
        choreography: events with times and places, flights, and orbits of props.
        period: the number of beats into which the loop is divided.
    """

    def in_beats(time: float) -> float:
        """Return a time or duration [s] in beats; as an int if it is whole, to be without ".0"."""
        beats = round(time * period / choreography.duration, _BEAT_DIGITS)
        return int(beats) if beats == int(beats) else beats

    throws: list[dict[str, Any]] = []
    permutation: list[int] = []
    for orbit in choreography.orbits:
        # An orbit is the closed sequence of flights that some props share; these have successive
        # numbers.
        first_prop = len(permutation)
        if orbit.flights:
            throws += _throws_of_orbit(choreography, orbit, in_beats, first_prop)
            # One loop later, the same throw is made by the prop before, cyclically.
            permutation += [first_prop + (prop - 1) % orbit.props for prop in range(orbit.props)]
        else:
            throws += _holds(orbit, period, first_prop)
            # Held props keep their place.
            permutation += range(first_prop, first_prop + orbit.props)
    throws.sort(key=lambda throw: (throw["time"], throw["from"]))
    limbs = list(range(2 * choreography.jugglers))
    repetition = {"period": period, "limbPermutation": limbs, "propPermutation": permutation}
    return {"repetition": repetition, "throws": throws}


def _throws_of_orbit(
    choreography: Choreography,
    orbit: PropOrbit,
    in_beats: Callable[[float], float],
    first_prop: int,
) -> list[dict[str, Any]]:
    """Return the throws of an orbit as JSON values, in the order in which a prop makes them.

    An orbit is the closed sequence of flights that some props share. A throw lasts until the prop
    is thrown again; its dwell is how long the prop is in a hand before that.

    Args:
        choreography: events with times and places, flights, and orbits of props.
        orbit: an orbit of it with flights.
        in_beats: converts a time or duration [s] to beats.
        first_prop: number of the first prop of the orbit.
    """
    events = choreography.events
    flights = choreography.flights
    throws = []
    # The loop in which the orbit's first prop makes the throw. Each prop of the orbit is one loop
    # ahead of the one before it, so in loop 0 the throw is made by the prop that comes this many
    # after the first, cyclically.
    loops_ahead = 0
    for flight, next_flight in orbit.steps():
        # Times of this throw and the next one within the loop, [s].
        start = float(events.time[flights.throw[flight]])
        next_start = float(events.time[flights.throw[next_flight]])
        lasts = float(flights.duration[flight] + flights.carry[flight])
        # The prop is thrown next at `next_start` in a loop that is `loops` later. The quotient is a
        # whole number except for rounding errors.
        loops = round((start + lasts - next_start) / choreography.duration)
        throws.append(
            {
                "time": in_beats(start),
                "duration": in_beats(next_start + loops * choreography.duration - start),
                "from": limb_of(*divmod(int(events.hand[flights.throw[flight]]), 2)),
                "to": limb_of(*divmod(int(events.hand[flights.catch[flight]]), 2)),
                "dwell": in_beats(float(flights.carry[flight])),
                "prop": first_prop + loops_ahead % orbit.props,
            }
        )
        loops_ahead += loops
    return throws


def _holds(orbit: PropOrbit, period: int, first_prop: int) -> list[dict[str, Any]]:
    """Return throws for props that a hand never throws: from it to itself, and marked as held.

    Args:
        orbit: an orbit without flights: props that stay in the hand `orbit.hand`.
        period: duration of the loop, [beats].
        first_prop: number of the first prop of the orbit.
    """
    # A hand is 2·juggler + side.
    limb = limb_of(*divmod(orbit.hand, 2))
    # The longest duration of a throw that divides the loop, [beats].
    lasts = next(beats for beats in range(min(MAX_VALUE, period), 0, -1) if period % beats == 0)
    held = {
        "duration": lasts,
        "from": limb,
        "to": limb,
        "label": HELD,
        EXTENSION_KEY: {"held": True},
    }
    times = range(0, period, lasts)
    return [
        {"time": time, **held, "prop": first_prop + prop}
        for time in times
        for prop in range(orbit.props)
    ]


def _placed_props(choreography: Choreography) -> list[dict[str, Any]]:
    """Return the looks of the props of placed events as JSON values, empty for default looks."""
    if not choreography.looks:
        return [{}] * choreography.props
    looks = [
        {"type": look.kind, "color": write_css_colour(look.colour)} for look in choreography.looks
    ]
    return [{key: text for key, text in look.items() if text} for look in looks]


def _first_places(choreography: Choreography) -> BodyMoves:
    """Return the first place of each juggler of a choreography, as moves without any motion."""
    keys = choreography.bodies
    places: dict[int, BodyPlace] = {}
    # Keyframes are sorted by juggler and time; the first one counts.
    for juggler, facing, position in zip(keys.juggler, keys.facing, keys.position, strict=True):
        x, y, z = map(float, position)
        places.setdefault(int(juggler), BodyPlace(float(facing), (x, y, z)))
    return BodyMoves("", tuple(((places[juggler],),) for juggler in range(choreography.jugglers)))


_BEAT_DIGITS = 6  # decimals of beats that are written
# beats; JML keeps times of events in seconds with fewer digits.
_TIME_TOLERANCE = 1e-4
_COMPARED_KEYS = ("from", "to", "time", "duration")
