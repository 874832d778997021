"""Collisions: what hits what and when, and what just misses.

Props that lie in one hand do not collide, nor does a prop with the hand and forearm that hold, throw or catch it, nor
whatever has touched without a break since it was so.

MERGED: Contacts: whiles of touch, put together where they go on from one loop into the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.analysis.body_pairs import PARTS, BodyPairs
from juggle_anim.analysis.encounters import (
    TOUCH,
    ClosestApproaches,
    ContactSpans,
    Pairs,
    TimeGrid,
    find_encounters,
    time_grid,
)
from juggle_anim.analysis.prop_solids import PropPairs
from juggle_anim.animation import Animation

# Where the narrowest miss is looked for first, [m], and by how much farther each time it is not found.
_REACH, _FARTHER, _FARTHEST = 0.05, 4.0, 200.0

_SAME = 1e-7


@dataclass(frozen=True)
class Collision:
    """A prop that hits another prop or a body.

    Args:
        prop: its number.
        other: the other prop's number; −1 where it is a body.
        juggler: whose body it is; −1 where it is a prop.
        part: which part of the body, as "left thigh"; empty where it is a prop.
        start: when it begins, [s], from 0 up to the loop's duration.
        end: [s]; past the loop's duration where it goes on into the next loop.
        time: when they are deepest in each other, [s].
        overlap: how deep, [m].
    """

    prop: int
    other: int
    juggler: int
    part: str
    start: float
    end: float
    time: float
    overlap: float


@dataclass(frozen=True)
class NearMiss:
    """A pass without a touch.

    Args:
        prop, other, juggler, part: as in `Collision`.
        time: when they are nearest, [s].
        gap: between their surfaces, [m].
    """

    prop: int
    other: int
    juggler: int
    part: str
    time: float
    gap: float


@dataclass(frozen=True)
class Collisions:
    """All collisions of one loop by time, and the narrowest miss of props, and of a prop and a body."""

    collisions: tuple[Collision, ...]
    miss: NearMiss | None
    body_miss: NearMiss | None


def find_collisions(animation: Animation) -> Collisions:
    """Look for them through one loop; in the next, each prop does what the one before it on its orbit did in this."""
    ticks = time_grid(animation.duration)
    between_props, miss = _search(PropPairs(animation.motion), ticks)
    with_bodies, body_miss = _search(BodyPairs(animation), ticks)
    order = sorted(between_props + with_bodies, key=lambda each: (each.start, each.prop, each.other, each.juggler))
    return Collisions(tuple(order), miss, body_miss)


def _search(pairs: PropPairs | BodyPairs, ticks: TimeGrid) -> tuple[list[Collision], NearMiss | None]:
    """The collisions, and the narrowest miss if there is one; the reach grows until it surely holds that."""
    reach = _REACH
    while True:
        passes, runs = find_encounters(pairs, pairs.nearness(reach, ticks), ticks)
        collisions = [_collision(pairs, contact) for contact in join_contacts(pairs, runs, ticks.loop)]
        if isinstance(pairs, BodyPairs):
            collisions = _merge_parts(collisions)
        miss = _narrowest(pairs, passes, collisions)
        if (miss and miss.gap <= reach) or reach > _FARTHEST:
            return collisions, miss
        reach = miss.gap * 1.001 if miss else reach * _FARTHER


def _narrowest(pairs: PropPairs | BodyPairs, passes: ClosestApproaches, collisions: list[Collision]) -> NearMiss | None:
    """Who goes past one limb of a part while in another does not miss it."""
    hits: dict[tuple[int, int, int, str], list[Collision]] = {}
    for each in collisions:
        hits.setdefault((each.prop, each.other, each.juggler, each.part), []).append(each)
    for row in np.argsort(passes.gap, kind="stable").tolist():
        who, time, gap = _participants(pairs, int(passes.pair[row])), float(passes.time[row]), float(passes.gap[row])
        if gap > TOUCH and not any(hit.start <= time <= hit.end for hit in hits.get(who, [])):
            return NearMiss(*who, time=time, gap=gap)
    return None


def _collision(pairs: PropPairs | BodyPairs, contact: Contact) -> Collision:
    return Collision(*_participants(pairs, contact.pair), contact.start, contact.end, contact.time, contact.overlap)


def _merge_parts(collisions: list[Collision]) -> list[Collision]:
    """Collisions with limbs of one part at one time are one: a trunk is made of many limbs."""
    merged: list[Collision] = []
    for each in sorted(collisions, key=lambda each: (each.prop, each.juggler, each.part, each.start)):
        last = merged[-1] if merged else None
        if (
            last
            and (last.prop, last.juggler, last.part) == (each.prop, each.juggler, each.part)
            and each.start <= last.end
        ):
            deepest = max(last, each, key=lambda either: either.overlap)
            merged[-1] = replace(deepest, start=last.start, end=max(last.end, each.end))
        else:
            merged.append(each)
    return merged


def _participants(pairs: PropPairs | BodyPairs, pair: int) -> tuple[int, int, int, str]:
    """The prop, the other prop, the juggler, the part of the body."""
    number = np.array(pair)
    if isinstance(pairs, PropPairs):
        prop, other = pairs.props(number)
        return int(prop), int(other), -1, ""
    prop, limb = pairs.members(number)
    return int(prop), -1, int(limb) // len(PARTS), PARTS[int(limb) % len(PARTS)]


@dataclass(frozen=True)
class Contact:
    """Two things in each other for a while.

    Args:
        pair: which.
        start: [s], from 0 up to the loop's duration.
        end: [s], past the loop's duration where it goes on into the next.
        time: when they are deepest, [s].
        overlap: how deep that is, [m].
    """

    pair: int
    start: float
    end: float
    time: float
    overlap: float


def join_contacts(pairs: Pairs, runs: ContactSpans, loop: float) -> list[Contact]:
    """The contacts of one loop; whiles in which the two are together at any moment are none.

    Args:
        pairs: knows as which pair each goes on.
        runs: whiles of touch within the loop.
        loop: [s].
    """
    following = pairs.next_loop(runs.pair)
    begins = np.flatnonzero(runs.start <= _SAME)
    goes_on = dict(zip(runs.pair[begins].tolist(), begins.tolist(), strict=True))
    lasts = np.flatnonzero(runs.end >= loop - _SAME)
    after = {
        run: goes_on[pair]
        for run, pair in zip(lasts.tolist(), following[lasts].tolist(), strict=True)
        if pair in goes_on
    }
    continued = set(after.values())
    seen: set[int] = set()
    contacts = []
    # Those without a beginning last for ever; they come last, when all others have been gone through.
    for head in sorted(range(len(runs.pair)), key=lambda run: run in continued):
        chain = []
        run: int | None = head
        while run is not None and run not in seen:
            seen.add(run)
            chain.append(run)
            run = after.get(run)
        if chain:
            contacts.append(_contact(runs, chain, loop))
    return [contact for contact in contacts if contact and contact.overlap > TOUCH]


def _contact(runs: ContactSpans, chain: list[int], loop: float) -> Contact | None:
    if runs.contact_allowed[chain].any():
        return None
    lap = int(runs.gap[chain].argmin())
    deepest = chain[lap]
    return Contact(
        pair=int(runs.pair[chain[0]]),
        start=float(runs.start[chain[0]]),
        end=float(runs.end[chain[-1]]) + (len(chain) - 1) * loop,
        time=float(runs.time[deepest]) + lap * loop,
        overlap=-float(runs.gap[deepest]),
    )
