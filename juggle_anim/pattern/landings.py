"""Landings: which throw each prop makes next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from juggle_anim.errors import PatternError
from juggle_anim.pattern.throw import LEFT, Throw
from juggle_anim.printable import together

_Site = tuple[int, int, int]
"""Beat in the loop, juggler and hand: where throws are made and props land."""


def find_landings(throws: Sequence[Throw], period: int, jugglers: int = 1) -> tuple[int, ...]:
    """For each throw, the index of the throw that its prop makes next.

    Where several props land in one hand on one beat, the one thrown first makes the throw written first.

    Args:
        throws: all throws of one loop.
        period: length of the loop, in beats.
        jugglers: how many there are; errors name them if there are several.

    Raises:
        PatternError: more props land in a hand than it throws then; `throw` is the first that is too many.
    """
    made: dict[_Site, list[int]] = defaultdict(list)
    arriving: dict[_Site, list[int]] = defaultdict(list)
    for index, (beat, juggler, hand, value, to_juggler, to_hand, *_) in enumerate(throws):
        made[beat, juggler, hand].append(index)
        arriving[(beat + value) % period, to_juggler, to_hand].append(index)
    if any(len(made[site]) != len(found) for site, found in arriving.items()):
        _refuse(throws, period, jugglers, made, arriving)
    landings = [0] * len(throws)
    for site, found in arriving.items():
        found.sort(key=lambda index: -throws[index].value)
        for index, following in zip(found, made[site], strict=True):
            landings[index] = following
    return tuple(landings)


def _refuse(
    throws: Sequence[Throw], period: int, jugglers: int, made: dict[_Site, list[int]], arriving: dict[_Site, list[int]]
) -> None:
    """Blame the first throw, in the order written, that has no room where it lands.

    There is one whenever they do not fit one for one, since as many props land as are thrown.
    """
    room = {site: len(indices) for site, indices in made.items()}
    for index, throw in enumerate(throws):
        site = (throw.beat + throw.value) % period, throw.to_juggler, throw.to_hand
        if room.get(site, 0) == 0:
            found = [other for other in arriving[site] if other <= index]
            raise PatternError(_collision([throws[other] for other in found], jugglers > 1), throw=index)
        room[site] -= 1


def _collision(found: list[Throw], named: bool) -> str:
    """Say which throws land in one hand, each with the beat of the repetition that meets the others."""
    last = found[-1]
    beat = max(throw.beat + throw.value for throw in found)
    of_whom = f" of juggler {last.to_juggler + 1}" if named else ""
    where = f"in the {_hand(last.to_hand)} hand{of_whom} on beat {beat + 1}"
    names = [f"the {throw.value} thrown{_by(throw, named)} on beat {beat - throw.value + 1}" for throw in found]
    if len(found) == 1:
        return f"{names[0]} lands {where}, but that hand throws nothing then"
    if len(found) == 2:
        return f"{names[0]} and {names[1]} both land {where}"
    return f"{together(names)} land {where}, but it throws only {len(found) - 1} then"


def _by(throw: Throw, named: bool) -> str:
    return f" by juggler {throw.juggler + 1}" if named else ""


def _hand(hand: int) -> str:
    return "left" if hand == LEFT else "right"
