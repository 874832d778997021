"""Placement: from what is written to which hand throws on which beat."""

from __future__ import annotations

from typing import NamedTuple

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_BEATS, MAX_THROWS
from juggle_anim.notation.syntax import Group, HandThrows, Items, Pair, Single
from juggle_anim.pattern import LEFT, RIGHT, Throw


class PlacedThrow(NamedTuple):
    """A throw with its beat and hand, and the index in the text where it is written."""

    throw: Throw
    start: int


class Placement(NamedTuple):
    """All throws of one loop, ordered by beat and hand, then as written.

    Attributes:
        throws: those above 0, the swapped repetition included.
        period: beats after which every hand does the same again.
        written_period: beats that the text spells out.
    """

    throws: tuple[PlacedThrow, ...]
    period: int
    written_period: int


def place(text: str, tree: Group) -> Placement:
    """Give every written throw of one juggler its beat and its hand.

    Single throws alternate, the right hand on even beats, and a hand specifier turns this round from its beat on. Where
    there is nothing but single throws they alternate for ever: an odd number of beats swaps hands each time, and a `*`
    says no more than that.

    Raises:
        NotationError: the repeats make it longer than the limits allow.
    """
    placer = _Placer(text, alternates=all(isinstance(item, Single) and item.hand is None for item in _flat(tree)))
    written = placer.sequence(tree.items)
    if written % 2 == 1 if placer.alternates else tree.swaps:
        placer.swap(0, 0)
    # The sort is stable: a multiplex stays as written.
    throws = sorted(placer.throws, key=lambda placed: placed.throw[:3])
    return Placement(tuple(throws), placer.beat, written)


def _flat(group: Group) -> list[Single | Pair]:
    found: list[Single | Pair] = []
    for item in group.items:
        found.extend(_flat(item) if isinstance(item, Group) else [item])
    return found


class _Placer:
    """Walks the tree beat by beat."""

    def __init__(self, text: str, *, alternates: bool) -> None:
        self.text = text
        self.alternates = alternates
        self.beat = 0
        self.throws: list[PlacedThrow] = []
        self.right_is_odd = 0

    def sequence(self, items: Items) -> int:
        """Place items one after another from the present beat; the number of beats they take."""
        first = self.beat
        for item in items:
            if isinstance(item, Single):
                self._single(item)
            elif isinstance(item, Pair):
                self._pair(item)
            else:
                self._group(item)
        return self.beat - first

    def swap(self, first_beat: int, first_throw: int) -> None:
        """Append once more, with the hands swapped, all that was placed from that beat and throw on."""
        shift = self.beat - first_beat
        for (beat, juggler, hand, value, to_juggler, to_hand), start in self.throws[first_throw:]:
            throw = Throw(beat + shift, juggler, 1 - hand, value, to_juggler, 1 - to_hand)
            self.throws.append(PlacedThrow(throw, start))
        self.beat += shift

    def _single(self, item: Single) -> None:
        if item.hand is not None:
            self.right_is_odd = (self.beat + (item.hand == LEFT)) % 2
        hand = RIGHT if self.beat % 2 == self.right_is_odd else LEFT
        self._throw(hand, item.throws)
        self._advance(1)

    def _pair(self, item: Pair) -> None:
        self._throw(LEFT, item.left)
        self._throw(RIGHT, item.right)
        self._advance(item.beats)

    def _throw(self, hand: int, written: HandThrows) -> None:
        """An odd value goes to the other hand and an even one back to the same, in pairs too; x turns this round."""
        for value, crossing, start in written:
            if value:
                to_hand = (hand + value + crossing) % 2
                self.throws.append(PlacedThrow(Throw(self.beat, 0, hand, value, 0, to_hand), start))

    def _group(self, item: Group) -> None:
        for _ in range(item.times):
            first_beat, first_throw = self.beat, len(self.throws)
            self.sequence(item.items)
            if item.swaps and self.alternates:
                self.sequence(item.items)
            elif item.swaps:
                self.swap(first_beat, first_throw)
            self._check_length()

    def _advance(self, beats: int) -> None:
        self.beat += beats
        self._check_length()

    def _check_length(self) -> None:
        if self.beat > MAX_BEATS:
            raise NotationError(self.text, 0, f"this is more than {MAX_BEATS} beats long", "make it repeat less often")
        if len(self.throws) > MAX_THROWS:
            raise NotationError(self.text, 0, f"these are more than {MAX_THROWS} throws", "make it repeat less often")
