"""Stands beside jugglers: where props of a routine lie until they are picked up, and after they are
put down.

Each hand has a stand of its own. Places on it fill from the first one on, and the last one to be
put there is the first to be taken, so as many props lie in the same places again once as many were
put down as were picked up.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Grasp
from juggle_anim.choreography.places import stand_places, stand_room
from juggle_anim.errors import ChoreographyError, hand_in_words
from juggle_anim.language import _
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.tosses.toss import FOREVER, RESTING, Flown, Toss
from juggle_anim.tosses.toss_ring import TossRing

REACHING = 0.5
"""How long a hand takes to its stand or back at most, [s]."""

_APART = 1e-6  # s
_CLAWED = ((int(Grasp.CLAW), 0),) * 2


def put_down(beat: int, hand: int) -> Toss:
    """What is put down in place of a throw on a beat."""
    return _resting(Throw(beat, hand // 2, hand % 2, FOREVER, hand // 2, hand % 2))


def pick_up(beat: int, hand: int, until: int) -> Toss:
    """What is picked up after some beat, to be thrown on another one."""
    return _resting(Throw(beat, hand // 2, hand % 2, until - beat, hand // 2, hand % 2, held=True))


def _resting(throw: Throw) -> Toss:
    nowhere: Floats = np.full(3, math.nan)
    return Toss(throw, -1, Flown(math.nan, math.nan, nowhere, nowhere, _CLAWED, RESTING))


class _Move(NamedTuple):
    """What is put down or picked up: in order of beats, and its place among tosses."""

    beat: int
    place: int
    down: bool


def lying_more(tosses: Iterable[Toss]) -> Counter[int]:
    """How many more props lie beside each hand than in the beginning; below 0, fewer."""
    found = Counter[int]()
    for toss in tosses:
        if toss.rests:
            found[hand_of(toss.throw)] += 1 if toss.puts_down else -1
    return found


def unevenness(lying: Counter[int]) -> int:
    """Twice how many of the props that lie more beside some hands than in the beginning lie less
    beside others.
    """
    return sum(map(abs, lying.values())) - abs(lying.total())


def with_landings(tosses: Sequence[Toss], period: int, lasts: float, kind: str) -> list[Toss]:
    """Tosses on beats in halves; what is put down lands where it is picked up again, perhaps in the
    next loop.

    Args:
        tosses: of one loop, in order; for each hand as many are put down as are picked up.
        period: of the loop, in the beats of these.
        lasts: the loop, [s].
        kind: of the props.

    Raises:
        ChoreographyError: there is no room for so many beside a hand.
    """
    found = [toss.scaled(2) for toss in tosses]
    moves: dict[int, list[_Move]] = defaultdict(list)
    for place, toss in enumerate(found):
        if toss.picks_up:
            # A hand has something else to do on whole beats alone.
            laps, beat = divmod(toss.landing - 1, 2 * period)
            flown = toss.flown and toss.flown._replace(caught=toss.flown.caught - laps * lasts)
            found[place] = toss = toss._replace(
                throw=toss.throw._replace(beat=beat, value=1), flown=flown
            )
        if toss.rests:
            moves[hand_of(toss.throw)].append(_Move(toss.throw.beat, place, toss.puts_down))
    for hand, each in moves.items():
        stacked = list(_stacked(sorted(each)))
        count = 1 + max(slot for slot, _, _ in stacked)
        room = stand_room(kind)
        if count > room:
            reason = _(
                "{count} props would lie beside the {hand} of juggler {juggler}",
                count=count,
                hand=hand_in_words(hand),
                juggler=hand // 2 + 1,
            )
            raise ChoreographyError(
                _("{reason}, and there is room for {room}", reason=reason, room=room)
            )
        places = stand_places(kind, hand % 2, count)
        for slot, down, up in stacked:
            start = found[down.place]
            end = found[up.place]
            assert start.flown, "it lies"
            assert end.flown, "it lies"
            later = up.beat < down.beat
            caught = end.flown.caught + later * lasts
            throw = start.throw._replace(value=up.beat - down.beat + later * 2 * period)
            flown = start.flown._replace(caught=caught, start=places[slot], end=places[slot])
            found[down.place] = start._replace(throw=throw, flown=flown)
            found[up.place] = end._replace(flown=flown._replace(caught=end.flown.caught))
    return found


def _stacked(moves: Sequence[_Move]) -> Iterable[tuple[int, _Move, _Move]]:
    """The place on the stand of each prop, when it is put there and when it is taken, in this loop
    or the next.
    """
    lying: dict[int, _Move] = {}
    depth = least = 0
    for move in moves:
        depth += 1 if move.down else -1
        least = min(least, depth)
    assert depth == 0, "as many are put down as are picked up"
    count = -least
    for move in (*moves, *moves):
        if move.down:
            lying[count] = move
            count += 1
        else:
            count -= 1
            if count in lying:
                yield count, lying.pop(count), move


def settle_stands(ring: TossRing) -> None:
    """Put down and pick up between what else the hands do: in the middle, or soon after and shortly
    before.

    Args:
        ring: in which the times of these are some time between.
    """
    busy: dict[int, list[float]] = defaultdict(list)
    for index, toss in enumerate(ring.tosses):
        if ring.flies(index) and not toss.rests:
            flown = ring.flown(index)
            busy[hand_of(toss.throw)].append(flown.thrown % ring.lasts)
            busy[catching_hand(toss.throw)].append(flown.caught % ring.lasts)
    for times in busy.values():
        times.sort()
    gaps: dict[tuple[int, int], list[tuple[float, int, float]]] = defaultdict(list)
    for index, toss in enumerate(ring.tosses):
        if not toss.rests:
            continue
        hand = hand_of(toss.throw)
        time = _about(ring, index)
        place = bisect_left(busy[hand], time % ring.lasts) % len(busy[hand])
        gaps[hand, place].append(((time - busy[hand][place - 1]) % ring.lasts, index, time))
    for (hand, place), moves in gaps.items():
        last = busy[hand][place - 1]
        following = busy[hand][place]
        span = (following - last) % ring.lasts or ring.lasts
        step = min(span / (len(moves) + 1), REACHING)
        soon = True
        for number, (since, index, time) in enumerate(sorted(moves)):
            # What is put down before all else is so at once.
            soon = soon and ring.tosses[index].puts_down
            then = (number + 1) * step if soon else span - (len(moves) - number) * step
            _move(ring, index, time - since + then)


def _about(ring: TossRing, index: int) -> float:
    """A time between what a hand does before it puts down or picks up and what it does after that,
    [s].
    """
    toss = ring.tosses[index]
    assert toss.flown is not None, "it lies"
    if toss.puts_down:
        return toss.flown.thrown
    leaves, laps = ring.following(index)
    return min(toss.flown.caught, ring.flown(leaves).thrown + laps * ring.lasts - _APART)


def _move(ring: TossRing, index: int, time: float) -> None:
    """Let what is put down or picked up be so at a time, [s]."""
    toss = ring.tosses[index]
    if toss.puts_down:
        ring.retime(index, thrown=time)
        return
    assert toss.flown is not None, "it lies before"
    ring.tosses[index] = toss._replace(flown=toss.flown._replace(caught=time))
    for source, landing in enumerate(ring.pattern.landings):
        if landing == index and ring.flies(source):
            before = ring.tosses[source]
            laps = (before.landing - toss.throw.beat) // ring.pattern.period
            ring.retime(source, caught=time + laps * ring.lasts)
