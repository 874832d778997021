"""Gaps: how long ago each hand last threw."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from juggle_anim.choreography.holds import hand_of
from juggle_anim.pattern import Pattern, Throw

Site = tuple[int, int]
"""A hand, 2 · juggler + side, and a beat of the loop."""


def site_of(throw: Throw) -> Site:
    """The hand and the beat of a throw."""
    return hand_of(throw), throw.beat


def gaps(pattern: Pattern, held: Sequence[bool]) -> dict[Site, float]:
    """For each hand and beat with something to throw or hold, how long ago that hand last let go of a prop, [beats].

    A hand that never does counts as one that did a whole loop ago.

    Args:
        pattern: what is juggled.
        held: which of its throws are held.
    """
    thrown: dict[int, set[int]] = {}
    for throw, stays in zip(pattern.throws, held, strict=True):
        if not stays:
            thrown.setdefault(hand_of(throw), set()).add(throw.beat)
    beats = {hand: sorted(found) for hand, found in thrown.items()}
    sites = {site_of(throw) for throw in pattern.throws}
    return {(hand, beat): _gap(beats.get(hand, [beat]), beat, pattern) for hand, beat in sites}


def previous(pattern: Pattern, site: Site, gaps: dict[Site, float]) -> Site:
    """The hand and the beat of the loop on which that hand last threw."""
    hand, beat = site
    return hand, (beat - round(gaps[site] * pattern.division)) % pattern.period


def _gap(beats: Sequence[int], beat: int, pattern: Pattern) -> float:
    place = bisect_left(beats, beat)
    parts = beat - beats[place - 1] + (pattern.period if place == 0 else 0)
    return parts / pattern.division
