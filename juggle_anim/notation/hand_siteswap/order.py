"""The order of hands: on which beats the hands of a hand siteswap throw."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from juggle_anim.errors import NotationError
from juggle_anim.notation.hand_siteswap.plain import Plain
from juggle_anim.notation.placement import PlacedThrow


@dataclass(frozen=True)
class HandOrder:
    """When hands throw.

    Args:
        values: for each beat of a loop, how many beats later the hand that throws then throws again; 0 where none does.
    """

    values: tuple[int, ...]

    @property
    def hands(self) -> int:
        """How many hands there are: as many as there would be props."""
        return sum(self.values) // len(self.values)

    @property
    def beats(self) -> int:
        """Beats after which each hand throws when it does now: what all orbits of hands have in common."""
        return math.lcm(*_orbits(self.values))

    def numbers(self, loop: int) -> list[int | None]:
        """The number of the hand that throws on each beat, counted from 0 in the order of their first throws.

        Args:
            loop: how many beats, a multiple of `beats`.
        """
        numbers: list[int | None] = [None] * loop
        count = 0
        for first in range(loop):
            beat = first
            while (value := self.values[beat % len(self.values)]) and numbers[beat] is None:
                numbers[beat] = count
                beat = (beat + value) % loop
            count += numbers[first] == count
        return numbers


def hand_order(plain: Plain) -> HandOrder:
    """The order that a siteswap of hands stands for.

    Raises:
        NotationError: the average is not whole, there is no hand, or not just one hand is to throw on a beat.
    """
    text, throws, beats = plain
    _check_average(text, sum(each.throw.value for each in throws), beats)
    values = [0] * beats
    lands: dict[int, PlacedThrow] = {}
    for each in throws:
        values[each.throw.beat] = each.throw.value
        other = lands.setdefault((each.throw.beat + each.throw.value) % beats, each)
        if other is not each:
            raise NotationError(text, each.start, _clash(other, each), _ACCEPTED)
    _check_landings(text, lands, values)
    return HandOrder(tuple(values))


def _check_landings(text: str, lands: Mapping[int, PlacedThrow], values: Sequence[int]) -> None:
    """Each hand throws again on a beat on which something is thrown at all."""
    for beat, (throw, start) in lands.items():
        if not values[beat]:
            next_beat = throw.beat + throw.value + 1
            reason = f"the hand that throws on beat {throw.beat + 1}, a {throw.value}, would throw next on beat "
            raise NotationError(text, start, f"{reason}{next_beat}, on which no hand throws", _ACCEPTED)


def _check_average(text: str, total: int, beats: int) -> None:
    if total % beats:
        reason = f"the throws add up to {total} over {beats} beats, and their average is the number of hands"
        raise NotationError(text, 0, reason, f"it must be whole: not {total}, but a multiple of {beats}")
    if not total:
        raise NotationError(text, 0, "this is a siteswap of no hands", "one of as many hands as throw, such as 4")


def _clash(one: PlacedThrow, other: PlacedThrow) -> str:
    """Say which hands would throw together, each on the beat of the repetition that meets the other."""
    values = one.throw.value, other.throw.value
    late = max(each.throw.beat + each.throw.value for each in (one, other))
    first, second = (late - value + 1 for value in values)
    return (
        f"the hands that throw on beats {first} and {second}, a {values[0]} and a {values[1]}, "
        f"would both throw next on beat {late + 1}"
    )


def _orbits(values: Sequence[int]) -> list[int]:
    """For each orbit, the beats that a hand takes to go round it."""
    seen: set[int] = set()
    orbits = []
    for first in range(len(values)):
        length, beat = 0, first
        while beat not in seen:
            seen.add(beat)
            length += values[beat]
            beat = (beat + values[beat]) % len(values)
        if length:
            orbits.append(length)
    return orbits


_ACCEPTED = "one hand at most throws on each beat, as with 4 or 423"
