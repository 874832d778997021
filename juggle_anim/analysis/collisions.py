"""Collisions of props with props and bodies, and the nearest misses.

Props in one hand do not collide, nor does a prop with the hand and forearm that hold, throw or
catch it, nor solids that have touched without a break since then.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

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
from juggle_anim.lazy_dataclass import dataclass

# How far the nearest miss is searched for.
_FIRST_REACH = 0.05  # m
_REACH_GROWTH_OF_SEARCHES = 4.0  # factor of the reach of the next search
_REACH_GROWTH_WITHIN_SEARCH = 1.5  # factor of the reach of the next part of one search
_MAX_REACH = 200.0  # m
_BEYOND_MISS = 1.001  # factor of a miss up to which a nearer one is searched for

_SAME_TIME = 1e-7  # s


class Participants(NamedTuple):
    """Who takes part in a collision or a miss, as of the first fields of `Collision`."""

    prop: int
    other: int
    juggler: int
    part: str


@dataclass(frozen=True)
class Collision:
    """A prop that hits another prop or a body.

    Args:
        prop: its number.
        other: the other prop's number; −1 where it is a body.
        juggler: whose body it is; −1 where it is a prop.
        part: which part of the body, as "left thigh"; empty where it is a prop.
        start: when it begins, [s], from 0 up to the loop's duration.
        end: when it ends, [s]; beyond the loop's duration if it goes on into later loops.
        time: when the overlap is deepest, [s], from start to end.
        overlap: depth of the deepest overlap, above 0, [m].
    """

    prop: int
    other: int
    juggler: int
    part: str
    start: float
    end: float
    time: float
    overlap: float

    @property
    def participants(self) -> Participants:
        """The prop, and the other prop or the part of a body that it hits."""
        return Participants(self.prop, self.other, self.juggler, self.part)


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
    """Find the collisions of one loop, and the nearest misses of two props and of prop and body.

    One loop is enough: in the next, each prop does what the one before it on its orbit does in
    this.

    Args:
        animation: which moves props and poses jugglers.

    Returns:
        The collisions, sorted by start, prop, other prop and juggler, and the misses.
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
    """Find the collisions and the nearest miss, searching farther and farther until there is one.

    Args:
        pairs: the solids.
        grid: the time grid.
        reach: the greatest gap of the first search, [m]; each further search has a greater one.

    Returns:
        The collisions, in no particular order, and the nearest miss; None if no pair misses each
        other by `_MAX_REACH` or less.
    """
    while True:
        collisions, miss = _search_among(pairs, pairs.nearness(reach, grid), grid)
        # All pairs within the reach were searched. A miss beyond the reach may be found by chance,
        # and a pair that was not searched may pass nearer: so the search is repeated up to it.
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

    Returns:
        The collisions, in no particular order, and the nearest miss among the candidates, if any.
    """
    # Candidates with the least bounds of their gaps are searched first; they contain all
    # collisions, and most often the nearest miss too.
    reach = _FIRST_REACH
    approaches, spans = find_encounters(pairs, candidates.within(reach), grid)
    collisions = [
        _collision_of(pairs, contact) for contact in join_contacts(pairs, spans, grid.loop)
    ]
    if isinstance(pairs, BodyPairs):
        # One part of a body consists of several limbs, each with collisions of its own.
        collisions = _merge_parts(collisions)
    miss = _nearest_miss(pairs, approaches, collisions)

    # The other candidates have gaps above `reach`, so they collide with nothing. They are searched
    # for nearer misses only, in order of their bounds, until the nearest miss is within the reach.
    farthest = float(candidates.bound.max(initial=reach))
    while not (miss and miss.gap <= reach) and reach < farthest:
        # A candidate with a bound above the nearest gap so far cannot pass nearer.
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
    """Return the closest approach that is a miss: without a touch, and not during a collision.

    A part of a body has several limbs, and to pass one of them while hitting another is no miss. So
    an approach is left out if at its time the same prop collides with the same part, or prop.

    Args:
        pairs: the solids.
        approaches: local minima of gaps, in any order.
        collisions: of the same pairs, all of one loop.

    Returns:
        None if no approach is a miss.
    """
    hits_of: dict[Participants, list[Collision]] = {}
    for hit in collisions:
        hits_of.setdefault(hit.participants, []).append(hit)
    # Approaches from the least gap on, so the first miss is the nearest; those of equal gaps stay
    # in the order of rows, so that the result is always the same.
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
        start=contact.start,
        end=contact.end,
        time=contact.time,
        overlap=contact.overlap,
    )


def _merge_parts(collisions: list[Collision]) -> list[Collision]:
    """Merge collisions of one prop with limbs of one part of a body that overlap in time.

    A prop that hits the trunk, for example, hits several of its limbs at once, or one after the
    other.

    Args:
        collisions: of props with bodies, in any order.

    Returns:
        Sorted by prop, juggler, part and start; each with the time and overlap of the deepest of
        the collisions that it is merged from.
    """
    merged: list[Collision] = []
    # Sorted by participants and start, a collision can only overlap the last one of the result.
    for hit in sorted(collisions, key=lambda hit: (hit.participants, hit.start)):
        last = merged[-1] if merged else None
        if last and last.participants == hit.participants and hit.start <= last.end:
            deepest = max(last, hit, key=lambda either: either.overlap)
            merged[-1] = replace(deepest, start=last.start, end=max(last.end, hit.end))
        else:
            merged.append(hit)
    return merged


def _participants(pairs: PropPairs | BodyPairs, pair: int) -> Participants:
    """Return who takes part in a pair, given by its number among the pairs."""
    if isinstance(pairs, PropPairs):
        prop, other_prop = pairs.props(np.array(pair))
        return Participants(int(prop), int(other_prop), juggler=-1, part="")
    prop, limb = pairs.members(np.array(pair))
    juggler, part = divmod(int(limb), len(PARTS))
    return Participants(int(prop), other=-1, juggler=juggler, part=PARTS[part])


@dataclass(frozen=True)
class Contact:
    """A span of time in which a pair overlaps.

    Args:
        pair: its number.
        start, end, time, overlap: as of `Collision`.
    """

    pair: int
    start: float
    end: float
    time: float
    overlap: float


def join_contacts(pairs: Pairs, spans: ContactSpans, loop: float) -> list[Contact]:
    """Return the contacts that begin in one loop and are not allowed, whole ones across its end.

    Args:
        pairs: which say what pair each pair becomes in the next loop.
        spans: spans of contact within the loop; no pair has two at its start.
        loop: duration of the loop, [s].

    Returns:
        Contacts with an overlap of more than `TOUCH`, in no particular order.
    """
    # A contact that goes on after the loop's end is two spans: one up to the end, and one from time
    # 0 on of the pair that has this pair's place one loop earlier. `next_span` leads from the row
    # of the former to the row of the latter.
    at_start = np.flatnonzero(spans.start <= _SAME_TIME)
    span_at_start = dict(zip(spans.pair[at_start].tolist(), at_start.tolist(), strict=True))
    at_end = np.flatnonzero(spans.end >= loop - _SAME_TIME)
    successors = pairs.next_loop(spans.pair)[at_end]
    next_span = {
        span: span_at_start[pair]
        for span, pair in zip(at_end.tolist(), successors.tolist(), strict=True)
        if pair in span_at_start
    }

    # Each contact is a chain of spans, followed from its first one, which continues no other: such
    # spans are sorted before the rest. What is left then are circles, of contacts that last for
    # ever, which are followed from any of their spans once around.
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
    """Return the contact of spans that follow each other from loop to loop; None if it is allowed.

    Args:
        spans: spans of contact of one loop.
        chain: rows in `spans`, one or more, of the contact's spans: the first as it is, the second
            one loop later, and so on.
        loop: duration of a loop, [s].

    Returns:
        The contact of the pair of the first span, with times from the start of that span's loop.
    """
    # A contact that is allowed at some time goes on from, or into, one of a hand and a prop that it
    # holds, throws or catches, or of two props in one hand: so all of it is allowed.
    if spans.contact_allowed[chain].any():
        return None
    # Each span is one loop later than the one before it in the chain.
    loops_to_deepest = int(spans.gap[chain].argmin())
    deepest = chain[loops_to_deepest]
    return Contact(
        pair=int(spans.pair[chain[0]]),
        start=float(spans.start[chain[0]]),
        end=float(spans.end[chain[-1]]) + (len(chain) - 1) * loop,
        time=float(spans.time[deepest]) + loops_to_deepest * loop,
        overlap=-float(spans.gap[deepest]),
    )
