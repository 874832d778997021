"""Collisions of props with props and bodies, and the nearest misses.

Props in one hand do not collide, nor does a prop with the hand and forearm that hold, throw or
catch it, nor solids that have touched without a break since then.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.analysis.body_pairs import PARTS, BodyPairs
from juggle_anim.analysis.encounters import (
    TOUCH,
    Candidates,
    ClosestApproaches,
    ContactSpans,
    Pairs,
    TimeGrid,
    find_encounters,
    time_grid,
)
from juggle_anim.analysis.prop_solids import PropPairs
from juggle_anim.animation import Animation

# The gap up to which the nearest miss is searched first [m], the factors for each next search and
# for each next part of one, and the limit [m].
_REACH = 0.05
_FARTHER = 4.0
_BIT_FARTHER = 1.5
_FARTHEST = 200.0

_SAME = 1e-7


@dataclass(frozen=True)
class Collision:
    """A prop that hits another prop or a body.

    Args:
        prop: its number.
        other: the other prop's number; −1 where it is a body.
        juggler: whose body it is; −1 where it is a prop.
        part: which part of the body, as "left thigh"; empty where it is a prop.
        start: [s], from 0 up to the loop's duration.
        end: [s]; beyond the loop's duration if it goes on into the next loop.
        time: of the deepest overlap, [s].
        overlap: the deepest, [m].
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
    """Two solids that pass each other without a touch.

    Args:
        prop, other, juggler, part: as of `Collision`.
        time: of the least gap, [s].
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
    """All collisions of one loop by time, and the nearest miss of two props, and of a prop and a
    body.
    """

    collisions: tuple[Collision, ...]
    miss: NearMiss | None
    body_miss: NearMiss | None


def find_collisions(animation: Animation) -> Collisions:
    """Find the collisions of one loop; in the next, each prop does what the one before it on its
    orbit does in this.
    """
    ticks = time_grid(animation.duration)
    between_props, miss = _search(PropPairs(animation.motion), ticks, _REACH)
    # Bodies are gone through once where props pass them somewhat farther away.
    with_bodies, body_miss = _search(BodyPairs(animation), ticks, 2 * _REACH)
    order = sorted(
        between_props + with_bodies,
        key=lambda each: (each.start, each.prop, each.other, each.juggler),
    )
    return Collisions(tuple(order), miss, body_miss)


def _search(
    pairs: PropPairs | BodyPairs, ticks: TimeGrid, reach: float
) -> tuple[list[Collision], NearMiss | None]:
    """The collisions and the nearest miss, if there is one; the reach grows until the miss is
    within it.
    """
    while True:
        collisions, miss = _search_among(pairs, pairs.nearness(reach, ticks), ticks)
        if (miss and miss.gap <= reach) or reach > _FARTHEST:
            return collisions, miss
        reach = miss.gap * 1.001 if miss else reach * _FARTHER


def _search_among(
    pairs: PropPairs | BodyPairs, candidates: Candidates, ticks: TimeGrid
) -> tuple[list[Collision], NearMiss | None]:
    """The collisions of candidates and their nearest miss; those that may come nearest are gone
    through first.
    """
    reach = _REACH
    near = candidates.within(_REACH)
    approaches, spans = find_encounters(pairs, near, ticks)
    collisions = [_collision(pairs, contact) for contact in join_contacts(pairs, spans, ticks.loop)]
    if isinstance(pairs, BodyPairs):
        collisions = _merge_parts(collisions)
    miss = _narrowest(pairs, approaches, collisions)
    most = float(candidates.bound.max(initial=reach))
    while not (miss and miss.gap <= reach) and reach < most:
        # The others collide with nothing, and may only pass nearer than the nearest so far.
        farther = min(reach * _BIT_FARTHER, miss.gap * 1.001 if miss else math.inf)
        others, _ = find_encounters(pairs, candidates.within(farther, beyond=reach), ticks)
        found = [_narrowest(pairs, others, collisions), miss]
        miss = min((each for each in found if each), key=lambda each: each.gap, default=None)
        reach = farther
    return collisions, miss


def _narrowest(
    pairs: PropPairs | BodyPairs, approaches: ClosestApproaches, collisions: list[Collision]
) -> NearMiss | None:
    """The nearest miss; passing one limb of a part during a collision with another limb of it is
    none.
    """
    hits: dict[tuple[int, int, int, str], list[Collision]] = {}
    for each in collisions:
        hits.setdefault((each.prop, each.other, each.juggler, each.part), []).append(each)
    for row in np.argsort(approaches.gap, kind="stable").tolist():
        who = _participants(pairs, int(approaches.pair[row]))
        time = float(approaches.time[row])
        gap = float(approaches.gap[row])
        if gap > TOUCH and not any(hit.start <= time <= hit.end for hit in hits.get(who, [])):
            return NearMiss(*who, time=time, gap=gap)
    return None


def _collision(pairs: PropPairs | BodyPairs, contact: Contact) -> Collision:
    return Collision(
        *_participants(pairs, contact.pair),
        contact.start,
        contact.end,
        contact.time,
        contact.overlap,
    )


def _merge_parts(collisions: list[Collision]) -> list[Collision]:
    """Merge simultaneous collisions with limbs of one part: a trunk has many limbs."""
    merged: list[Collision] = []
    for each in sorted(
        collisions, key=lambda each: (each.prop, each.juggler, each.part, each.start)
    ):
        last = merged[-1] if merged else None
        same = last and (last.prop, last.juggler, last.part) == (each.prop, each.juggler, each.part)
        if last and same and each.start <= last.end:
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
    """A span of time in which a pair overlaps.

    Args:
        pair: its number.
        start: [s], from 0 up to the loop's duration.
        end: [s], beyond the loop's duration if it goes on into the next.
        time: of the deepest overlap, [s].
        overlap: the deepest, [m].
    """

    pair: int
    start: float
    end: float
    time: float
    overlap: float


def join_contacts(pairs: Pairs, spans: ContactSpans, loop: float) -> list[Contact]:
    """Return the contacts of one loop, joined where they go on into the next loop, without allowed
    ones.

    Args:
        pairs: for the pair that each becomes in the next loop.
        spans: spans of contact within the loop.
        loop: [s].
    """
    following = pairs.next_loop(spans.pair)
    begins = np.flatnonzero(spans.start <= _SAME)
    goes_on = dict(zip(spans.pair[begins].tolist(), begins.tolist(), strict=True))
    lasts = np.flatnonzero(spans.end >= loop - _SAME)
    after = {
        run: goes_on[pair]
        for run, pair in zip(lasts.tolist(), following[lasts].tolist(), strict=True)
        if pair in goes_on
    }
    continued = set(after.values())
    seen: set[int] = set()
    contacts = []
    # Contacts without a beginning last for ever; they come last, after all others were followed.
    for head in sorted(range(len(spans.pair)), key=lambda run: run in continued):
        chain = []
        run: int | None = head
        while run is not None and run not in seen:
            seen.add(run)
            chain.append(run)
            run = after.get(run)
        if chain:
            contacts.append(_contact(spans, chain, loop))
    return [contact for contact in contacts if contact and contact.overlap > TOUCH]


def _contact(spans: ContactSpans, chain: list[int], loop: float) -> Contact | None:
    if spans.contact_allowed[chain].any():
        return None
    lap = int(spans.gap[chain].argmin())
    deepest = chain[lap]
    return Contact(
        pair=int(spans.pair[chain[0]]),
        start=float(spans.start[chain[0]]),
        end=float(spans.end[chain[-1]]) + (len(chain) - 1) * loop,
        time=float(spans.time[deepest]) + lap * loop,
        overlap=-float(spans.gap[deepest]),
    )
