"""Dwell in hand siteswaps: how long before each beat its props are caught, by the rules of Juggling Lab 1.7.7."""

from __future__ import annotations

from juggle_anim.choreography.leaving import SHORTEST_EMPTY, shortest_flight
from juggle_anim.pattern import Pattern

SHORTEST_DWELL = 0.3
"""Dwell of a hand that threw on the beat before, and what a catch is moved by that would meet another, [beats]."""


def hand_dwells(pattern: Pattern, dwell: float) -> dict[int, float]:
    """For each beat on which props land, how long before it they are caught, [beats].

    With `dwellmax`, props are caught 0.7 beats after the hand had its last turn; without, `dwell` before the beat, or
    0.3 before it if any hand has two turns running. What would then be caught before it is even thrown flies for 0.7
    beats. Of catches at the very same moment all but one are made earlier.

    Args:
        pattern: one with a hand siteswap.
        dwell: [beats].
    """
    assert pattern.hand_siteswap is not None, "only hands with a siteswap of their own have dwells of their own"
    lowest = _lowest_landing(pattern)
    since = _since_last_turn(pattern)
    if not pattern.hand_siteswap.dwellmax:
        steady = SHORTEST_DWELL if min(since.values()) == 1 else dwell
        dwells = dict.fromkeys(sorted(lowest), steady)
    else:
        dwells = {beat: since[beat] - _REST for beat in sorted(lowest)}
    for beat, value in lowest.items():
        if dwells[beat] >= value:
            dwells[beat] = value - _REST
    _part(dwells, pattern.period)
    return {
        beat: min(dwells[beat], since[beat] - SHORTEST_EMPTY, value - shortest_flight(value))
        for beat, value in lowest.items()
    }


# Not 0.7: which of the moments below are the very same hangs on the last bit, and this is how Juggling Lab has it.
_REST = 1 - SHORTEST_DWELL


def _lowest_landing(pattern: Pattern) -> dict[int, int]:
    lowest: dict[int, int] = {}
    for throw in pattern.throws:
        beat = (throw.beat + throw.value) % pattern.period
        lowest[beat] = min(throw.value, lowest.get(beat, throw.value))
    return lowest


def _since_last_turn(pattern: Pattern) -> dict[int, int]:
    """For each beat, how many beats ago the hand whose turn it is had its last."""
    last = {(juggler, hand): beat - pattern.period for beat, juggler, hand in pattern.turns}
    since = {}
    for beat, juggler, hand in pattern.turns:
        since[beat] = beat - last[juggler, hand]
        last[juggler, hand] = beat
    return since


def _part(dwells: dict[int, float], period: int) -> None:
    """Move catches that are made at the very same moment apart, as Juggling Lab does: a share of 0.3 beats each."""
    near: dict[float, set[int]] = {}
    for beat in dwells:
        near.setdefault(_moment(beat, dwells, period), set()).add(beat)
    for beat in dwells:
        together = near[_moment(beat, dwells, period)]
        clashing = sorted(other for other in together if other != beat and _same(beat, other, dwells, period))
        for place, other in enumerate(clashing):
            together.discard(other)
            dwells[other] += SHORTEST_DWELL / (len(clashing) - place)
            near.setdefault(_moment(other, dwells, period), set()).add(other)


def _moment(beat: int, dwells: dict[int, float], period: int) -> float:
    return round((beat - dwells[beat]) % period, 6) % period


def _same(beat: int, other: int, dwells: dict[int, float], period: int) -> bool:
    # To the last bit: rounded, other catches would be moved than in Juggling Lab.
    return (dwells[other] - dwells[beat] - (other - beat) % period) % period == 0.0
