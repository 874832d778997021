"""Choosing, for each open throw, one of its values, so that together they fill a room: the nearest choice first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from juggle_anim.errors import PatternError
from juggle_anim.notation.limits import MAX_STEPS


class Option(NamedTuple):
    """A value that an open throw may take.

    Attributes:
        value: in beats.
        cost: how far it is from what is wished.
        weight: what it adds to the sum of all throws of a loop.
        takes: the room that it fills, packed as in `Room`.
    """

    value: int
    cost: int
    weight: int
    takes: int


class Room(NamedTuple):
    """How many props are still missing at each landing site, packed into one number with a field for each site.

    Attributes:
        missing: the counts.
        guards: the highest bit of every field. It is no part of a count, so taking too much from a field shows there.
    """

    missing: int
    guards: int

    def without(self, takes: int) -> Room | None:
        """What is left when some of it is filled; None where there is not so much."""
        left = (self.missing | self.guards) - takes
        return Room(left ^ self.guards, self.guards) if left & self.guards == self.guards else None


def nearest_choices(options: Sequence[Sequence[Option]], room: Room, most: int) -> Iterator[tuple[int, ...]]:
    """Every choice of values that fills the room, by least cost, then least weight, then least values.

    A best-first search that knows, for every choice begun, the least that is still to come; so it never turns back.

    Args:
        options: for each open throw, what it may be.
        room: filled by all of them together.
        most: total weight that no choice may go beyond.

    Raises:
        PatternError: it takes too many steps to find out; this comes at once, not while the choices are taken.
    """
    least = _Least(options)
    rest = least.of(0, room)
    return _choices(least, room, rest, most) if rest is not None else iter(())


def _choices(least: _Least, room: Room, rest: tuple[int, int], most: int) -> Iterator[tuple[int, ...]]:
    # What is compared comes first: the cost and weight in the end, then the values chosen so far.
    heap: list[tuple[int, int, tuple[int, ...], int, int, Room]] = [(*rest, (), 0, 0, room)]
    while heap:
        _, _, values, cost, weight, room = heapq.heappop(heap)
        if len(values) == len(least.options):
            yield values
            continue
        for option, left, (more_cost, more_weight) in least.following(len(values), room):
            so_far = cost + option.cost, weight + option.weight
            if so_far[1] <= most:
                total = so_far[0] + more_cost, so_far[1] + more_weight
                heapq.heappush(heap, (*total, (*values, option.value), *so_far, left))


class _Least:
    """The least cost, and then weight, at which the open throws from one on fill a room, remembered for each room."""

    def __init__(self, options: Sequence[Sequence[Option]]) -> None:
        self.options = options
        self.steps = 0
        self.known: dict[tuple[int, int], tuple[int, int] | None] = {}
        self.cheapest = [_cheapest(each) for each in options]

    def of(self, index: int, room: Room) -> tuple[int, int] | None:
        """None where they cannot fill it. After the last throw nothing is left to fill, as counts match."""
        if index == len(self.options):
            return 0, 0
        key = index, room.missing
        if key not in self.known:
            self.steps += len(self.cheapest[index])
            if self.steps > MAX_STEPS:
                raise PatternError("it takes too long to find out what these could be")
            self.known[key] = min(
                (
                    (option.cost + rest[0], option.weight + rest[1])
                    for option, _, rest in self._following(self.cheapest[index], index, room)
                ),
                default=None,
            )
        return self.known[key]

    def following(self, index: int, room: Room) -> Iterator[tuple[Option, Room, tuple[int, int]]]:
        """The options of a throw that leave something the others can fill, with what is left and the least for it."""
        return self._following(self.options[index], index, room)

    def _following(
        self, options: Sequence[Option], index: int, room: Room
    ) -> Iterator[tuple[Option, Room, tuple[int, int]]]:
        for option in options:
            left = room.without(option.takes)
            if left is not None and (rest := self.of(index + 1, left)) is not None:
                yield option, left, rest


def _cheapest(options: Sequence[Option]) -> list[Option]:
    """Of the options that fill the same room, the one at least cost."""
    found: dict[int, Option] = {}
    for option in options:
        known = found.get(option.takes)
        if known is None or (option.cost, option.weight) < (known.cost, known.weight):
            found[option.takes] = option
    return list(found.values())
