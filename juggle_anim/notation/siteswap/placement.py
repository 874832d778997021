"""Placement: from the syntax tree to the beat and hand of every throw."""

from __future__ import annotations

from typing import NamedTuple

from juggle_anim.errors import NotationError
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_BEATS, MAX_THROWS
from juggle_anim.notation.siteswap.syntax import (
    Group,
    HandThrows,
    Items,
    Pair,
    Passing,
    Single,
    Start,
    leaves_of,
    receiver_of,
)
from juggle_anim.pattern import LEFT, RIGHT, Throw, Turn


class PlacedThrow(NamedTuple):
    """A throw with its beat and hand, and the index in the text where it is written."""

    throw: Throw
    start: int


class Placement(NamedTuple):
    """All throws of one loop, ordered by beat and hand, then as written.

    Attributes:
        throws: those above 0 and those left open, the swapped repetition included.
        period: beats after which every hand does the same again.
        written_period: beats that the text spells out.
        jugglers: how many people throw and catch.
        turns: the beats and hands for which anything is written, also if that is 0; sorted.
    """

    throws: tuple[PlacedThrow, ...]
    period: int
    written_period: int
    jugglers: int
    turns: tuple[Turn, ...] = ()


def place_throws(text: str, tree: Group) -> Placement:
    """Give every written throw its beat and its hand.

    Single throws alternate, the right hand of every juggler on even beats, and a hand specifier turns this round from
    its beat on. Where there is nothing but single throws they alternate for ever: an odd number of beats swaps hands
    each time, and a `*` says no more than that. Specifiers of the first hands change nothing about this, unless an `x`
    shows that one hand is meant to throw twice running, as in `R3x`.

    Raises:
        NotationError: the repeats make it longer than the limits allow.
    """
    leaves = leaves_of(tree.items)
    singles = [leaf for leaf in leaves if isinstance(leaf, Single)]
    single_only = not any(isinstance(leaf, Pair) for leaf in leaves)
    specified = len(singles) < len(leaves) or any(single.hand is not None for single in singles)
    placer = _Placer(text, _jugglers(tree.items), alternates=single_only and not specified)
    written = placer.sequence(tree.items)
    crossing = specified and any(throw.crossing for single in singles for throw in single.throws)
    if single_only and specified and not crossing and not placer.turned:
        placer = _Placer(text, placer.jugglers, alternates=True)
        written = placer.sequence(tree.items)
    if written % 2 == 1 if placer.alternates else tree.swaps:
        placer.swap(0, 0, 0)
    # The sort is stable: a multiplex stays as written.
    throws = sorted(placer.throws, key=lambda placed: placed.throw[:3])
    return Placement(tuple(throws), placer.beat, written, placer.jugglers, tuple(sorted(placer.turns)))


def _jugglers(items: Items) -> int:
    """The parser has made sure that all parts have as many."""
    first = items[0]
    if isinstance(first, Group):
        return _jugglers(first.items)
    return len(first.sides) if isinstance(first, Passing) else 1


class _Placer:
    """Walks the tree beat by beat."""

    def __init__(self, text: str, jugglers: int, *, alternates: bool) -> None:
        self.text = text
        self.jugglers = jugglers
        self.alternates = alternates
        self.beat = 0
        self.juggler = 0
        self.throws: list[PlacedThrow] = []
        self.turns: list[Turn] = []
        self.right_is_odd = [0] * jugglers
        self.turned = False

    def sequence(self, items: Items) -> int:
        """Place items one after another from the present beat; the number of beats they take."""
        first = self.beat
        for item in items:
            if isinstance(item, Single):
                self._single(item)
            elif isinstance(item, Pair):
                self._throw(LEFT, item.left)
                self._throw(RIGHT, item.right)
                self._advance(item.beats)
            elif isinstance(item, Passing):
                self._passing(item)
            elif isinstance(item, Start):
                self._start(item.hand)
            else:
                self._group(item)
        return self.beat - first

    def swap(self, first_beat: int, first_throw: int, first_turn: int) -> None:
        """Append once more, with the hands swapped, all that was placed from that beat, throw and turn on."""
        shift = self.beat - first_beat
        for throw, start in self.throws[first_throw:]:
            swapped = throw._replace(beat=throw.beat + shift, hand=1 - throw.hand, to_hand=1 - throw.to_hand)
            self.throws.append(PlacedThrow(swapped, start))
        self.turns += [(beat + shift, juggler, 1 - hand) for beat, juggler, hand in self.turns[first_turn:]]
        self.beat += shift

    def _single(self, item: Single) -> None:
        if item.hand is not None:
            self._start(item.hand)
        hand = RIGHT if self.beat % 2 == self.right_is_odd[self.juggler] else LEFT
        self._throw(hand, item.throws)
        self._advance(1)

    def _start(self, hand: int) -> None:
        self.right_is_odd[self.juggler] = (self.beat + (hand == LEFT)) % 2
        self.turned = self.turned or self.beat > 0

    def _passing(self, item: Passing) -> None:
        first = self.beat
        for self.juggler, side in enumerate(item.sides):
            self.beat = first
            self.sequence(side)
        self.juggler = 0

    def _throw(self, hand: int, written: HandThrows) -> None:
        """An odd value goes to the other hand and an even one back to the same, in pairs too; x turns this round."""
        beat, juggler = self.beat, self.juggler
        self.turns.append((beat, juggler, hand))
        for value, crossing, start, receiver, modifier in written:
            if value:
                to_hand = (hand + value + crossing) % 2
                to_juggler = juggler if receiver is None else receiver_of(receiver, juggler, self.jugglers)
                throw = Throw(beat, juggler, hand, value, to_juggler, to_hand, *modifier)
                self.throws.append(PlacedThrow(throw, start))

    def _group(self, item: Group) -> None:
        for _round in range(item.times):
            first = self.beat, len(self.throws), len(self.turns)
            self.sequence(item.items)
            if item.swaps and self.alternates:
                self.sequence(item.items)
            elif item.swaps:
                self.swap(*first)
            self._check_length()

    def _advance(self, beats: int) -> None:
        self.beat += beats
        self._check_length()

    def _check_length(self) -> None:
        if self.beat > MAX_BEATS:
            raise NotationError(
                self.text,
                0,
                _("this is more than {max_beats} beats long", max_beats=MAX_BEATS),
                _("make it repeat less often"),
            )
        if len(self.throws) > MAX_THROWS:
            raise NotationError(
                self.text,
                0,
                _("these are more than {max_throws} throws", max_throws=MAX_THROWS),
                _("make it repeat less often"),
            )
