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

# How far the nearest miss is searched for.
_FIRST_REACH = 0.05  # m
_REACH_GROWTH_OF_SEARCHES = 4.0  # factor of the reach of the next search
_REACH_GROWTH_WITHIN_SEARCH = 1.5  # factor of the reach of the next part of one search
_MAX_REACH = 200.0  # m
_BEYOND_MISS = 1.001  # factor of a miss up to which a nearer one is searched for

_SAME_TIME = 1e-7  # s


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
    """All collisions of one loop by time, and the nearest misses of props and of bodies."""

    collisions: tuple[Collision, ...]
    miss: NearMiss | None
    body_miss: NearMiss | None


def find_collisions(animation: Animation) -> Collisions:
    """Find the collisions of one loop, and the nearest misses.

    In the next loop, each prop does what the one before it on its orbit does in this.
    """
    grid = time_grid(animation.duration)
    between_props, miss = _search_until_miss(PropPairs(animation.motion), grid, _FIRST_REACH)
    # Most props pass bodies somewhat farther away; with twice the reach one search is enough.
    with_bodies, body_miss = _search_until_miss(BodyPairs(animation), grid, 2 * _FIRST_REACH)
    collisions = sorted(
        between_props + with_bodies,
        key=lambda hit: (hit.start, hit.prop, hit.other, hit.juggler),
    )
    return Collisions(tuple(collisions), miss, body_miss)


def _search_until_miss(
    pairs: PropPairs | BodyPairs, grid: TimeGrid, reach: float
) -> tuple[list[Collision], NearMiss | None]:
    """Find the collisions and the nearest miss, if there is one within `_MAX_REACH`.

    Args:
        pairs: the solids.
        grid: the time grid.
        reach: up to which gap the first search goes, [m]; it grows until the miss is within it.
    """
    while True:
        collisions, miss = _search_among(pairs, pairs.nearness(reach, grid), grid)
        # Beyond the reach another pair may be nearer than the miss that was found.
        if (miss and miss.gap <= reach) or reach > _MAX_REACH:
            return collisions, miss
        reach = miss.gap * _BEYOND_MISS if miss else reach * _REACH_GROWTH_OF_SEARCHES


def _search_among(
    pairs: PropPairs | BodyPairs, candidates: Candidates, grid: TimeGrid
) -> tuple[list[Collision], NearMiss | None]:
    """Find the collisions of candidates and their nearest miss.

    Args:
        pairs: the solids.
        candidates: pairs and blocks, with lower bounds of their gaps.
        grid: the time grid.
    """
    # Those that may come nearest are searched first; most often no others have to be.
    reach = _FIRST_REACH
    approaches, spans = find_encounters(pairs, candidates.within(reach), grid)
    collisions = [
        _collision_of(pairs, contact) for contact in join_contacts(pairs, spans, grid.loop)
    ]
    if isinstance(pairs, BodyPairs):
        collisions = _merge_parts(collisions)
    miss = _nearest_miss(pairs, approaches, collisions)

    # The others collide with nothing, and may only pass nearer than the nearest so far.
    farthest = float(candidates.bound.max(initial=reach))
    while not (miss and miss.gap <= reach) and reach < farthest:
        to_nearer_miss = miss.gap * _BEYOND_MISS if miss else math.inf
        next_reach = min(reach * _REACH_GROWTH_WITHIN_SEARCH, to_nearer_miss)
        next_candidates = candidates.within(next_reach, beyond=reach)
        approaches, _spans = find_encounters(pairs, next_candidates, grid)
        new_miss = _nearest_miss(pairs, approaches, collisions)
        if new_miss and (not miss or new_miss.gap <= miss.gap):
            miss = new_miss
        reach = next_reach
    return collisions, miss


def _nearest_miss(
    pairs: PropPairs | BodyPairs, approaches: ClosestApproaches, collisions: list[Collision]
) -> NearMiss | None:
    """The closest approach that is a miss: without a touch, and not during a collision.

    Only a collision of the same prop with the same prop or part of a body counts: a part has
    several limbs, and to pass one while hitting another is no miss.

    Args:
        pairs: the solids.
        approaches: local minima of gaps, in any order.
        collisions: of the same pairs.
    """
    hits_of: dict[tuple[int, int, int, str], list[Collision]] = {}
    for hit in collisions:
        hits_of.setdefault((hit.prop, hit.other, hit.juggler, hit.part), []).append(hit)
    # From the least gap on; of equal ones, in their order.
    for row in np.argsort(approaches.gap, kind="stable").tolist():
        participants = _participants(pairs, int(approaches.pair[row]))
        time = float(approaches.time[row])
        gap = float(approaches.gap[row])
        collides = any(hit.start <= time <= hit.end for hit in hits_of.get(participants, []))
        if gap > TOUCH and not collides:
            return NearMiss(*participants, time=time, gap=gap)
    return None


def _collision_of(pairs: PropPairs | BodyPairs, contact: Contact) -> Collision:
    return Collision(
        *_participants(pairs, contact.pair),
        contact.start,
        contact.end,
        contact.time,
        contact.overlap,
    )


def _merge_parts(collisions: list[Collision]) -> list[Collision]:
    """Merge collisions of a prop with limbs of one part of a body that overlap in time; a trunk has
    many limbs.
    """
    merged: list[Collision] = []

    def participants(hit: Collision) -> tuple[int, int, str]:
        """What a collision is between."""
        return hit.prop, hit.juggler, hit.part

    # In this order, only the last merged collision can overlap the next one.
    for hit in sorted(collisions, key=lambda hit: (participants(hit), hit.start)):
        last = merged[-1] if merged else None
        if last and participants(last) == participants(hit) and hit.start <= last.end:
            deepest = max(last, hit, key=lambda either: either.overlap)
            merged[-1] = replace(deepest, start=last.start, end=max(last.end, hit.end))
        else:
            merged.append(hit)
    return merged


def _participants(pairs: PropPairs | BodyPairs, pair: int) -> tuple[int, int, int, str]:
    """The prop, the other prop, the juggler, the part of the body."""
    if isinstance(pairs, PropPairs):
        prop, other_prop = pairs.props(np.array(pair))
        return int(prop), int(other_prop), -1, ""
    prop, limb = pairs.members(np.array(pair))
    juggler, part = divmod(int(limb), len(PARTS))
    return int(prop), -1, juggler, PARTS[part]


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
    """Return the contacts of one loop that are not allowed, joined if they go on into the next.

    Args:
        pairs: for the pair that each becomes in the next loop.
        spans: spans of contact within the loop.
        loop: duration of the loop, [s].
    """
    # A span that lasts up to the loop's end goes on in that of the pair's successor at time 0.
    at_start = np.flatnonzero(spans.start <= _SAME_TIME)
    span_at_start = dict(zip(spans.pair[at_start].tolist(), at_start.tolist(), strict=True))
    at_end = np.flatnonzero(spans.end >= loop - _SAME_TIME)
    successors = pairs.next_loop(spans.pair)[at_end]
    next_span = {
        span: span_at_start[pair]
        for span, pair in zip(at_end.tolist(), successors.tolist(), strict=True)
        if pair in span_at_start
    }

    # Chains of spans, from their first on. Contacts without a beginning last for ever; they come
    # last, after all others were followed.
    continues_another = set(next_span.values())
    seen: set[int] = set()
    contacts = []
    for head in sorted(range(len(spans.pair)), key=lambda span: span in continues_another):
        chain = []
        span: int | None = head
        while span is not None and span not in seen:
            seen.add(span)
            chain.append(span)
            span = next_span.get(span)
        if chain:
            contacts.append(_joined_contact(spans, chain, loop))
    return [contact for contact in contacts if contact and contact.overlap > TOUCH]


def _joined_contact(spans: ContactSpans, chain: list[int], loop: float) -> Contact | None:
    """The contact of spans that follow each other from loop to loop; None if it is allowed.

    Args:
        spans: N of them.
        chain: rows of the spans, each in the loop after the one before.
        loop: duration of a loop, [s].
    """
    # Allowed at any time, it goes on from a contact of a hand and what it holds.
    if spans.contact_allowed[chain].any():
        return None
    loops_to_deepest = int(spans.gap[chain].argmin())
    deepest = chain[loops_to_deepest]
    return Contact(
        pair=int(spans.pair[chain[0]]),
        start=float(spans.start[chain[0]]),
        end=float(spans.end[chain[-1]]) + (len(chain) - 1) * loop,
        time=float(spans.time[deepest]) + loops_to_deepest * loop,
        overlap=-float(spans.gap[deepest]),
    )
