"""Reach: when a hand cannot come to where the pattern wants it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.analysis.moments import in_parts, moments
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats

MISSED = 0.001
"""A hand that stays shorter of its place than this is there, [m]."""

_STEP = 0.005


@dataclass(frozen=True)
class OutOfReach:
    """A while in which a hand stays short of its place.

    Args:
        hand: 2 · juggler + side.
        start: [s]; from 0 up to the loop's duration.
        end: [s]; past the loop's duration where it goes on into the next.
        worst: by how much at most, [m].
    """

    hand: int
    start: float
    end: float
    worst: float


def find_out_of_reach(animation: Animation) -> tuple[OutOfReach, ...]:
    """Every such while of one loop, by time."""
    times = moments(animation.motion, _STEP)
    hands = 2 * animation.jugglers
    parts = [animation.pose(part).gaps.reshape(len(part), hands) for part in in_parts(animation.motion, times)]
    gaps = np.concatenate(parts)
    away = np.flatnonzero(gaps.max(axis=0) > MISSED).tolist()
    spans = [span for hand in away for span in _spans(animation, hand, gaps[:, hand])]
    return tuple(sorted(spans, key=lambda span: (span.start, span.hand)))


def _spans(animation: Animation, hand: int, gap: Floats) -> list[OutOfReach]:
    """The whiles of one hand, from how far it is short at even times of the loop."""
    loop, count = animation.duration, len(gap)
    away = gap > MISSED
    if away.all():
        return [OutOfReach(hand, 0.0, loop, float(gap.max()))]
    before, after = np.roll(away, 1), np.roll(away, -1)
    first, last = np.flatnonzero(away & ~before), np.flatnonzero(away & ~after)
    if last[0] < first[0]:
        last = np.append(last[1:], last[0] + count)
    step = loop / count
    spans = []
    for begin, end in zip(first.tolist(), last.tolist(), strict=True):
        start = (begin - _share(gap, begin, begin - 1)) * step
        until = (end + _share(gap, end, end + 1)) * step
        laps = loop if start < 0 else 0.0
        worst = gap[np.arange(begin, end + 1) % count].max()
        spans.append(OutOfReach(hand, start + laps, until + laps, float(worst)))
    return spans


def _share(gap: Floats, inside: int, outside: int) -> float:
    """How far from a time inside to the one outside the hand is still away, 0 to 1."""
    far, near = gap[inside % len(gap)], gap[outside % len(gap)]
    return float((far - MISSED) / max(far - near, 1e-12))
