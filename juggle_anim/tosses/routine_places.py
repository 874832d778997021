"""Where jugglers stand in a routine, and when its props lie in their hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography.choreography import BodyKeyframes
from juggle_anim.tosses.segment import Segment
from juggle_anim.tosses.toss import Clock


def rest_times(rests: Sequence[tuple[int, int]], clock: Clock) -> list[tuple[float, float]]:
    """When props lie in hands, [s]; the end of the routine goes on at its start.

    Args:
        rests: likewise in parts of a beat, that at the start first.
        clock: when these are.
    """
    (_, first), *others = rests
    *middle, (last, end) = others
    whole = clock.at(last), clock.at(end) + clock.at(first)
    return [(clock.at(start), clock.at(until)) for start, until in middle] + [whole]


def standing_places(
    segments: Sequence[Segment], spans: Sequence[tuple[int, int, int]], division: int, clock: Clock
) -> BodyKeyframes:
    """Where jugglers stand: as each pattern has it, while it is juggled.

    Args:
        segments: the patterns.
        spans: for each the first part of a beat, that after the last one, and that of its own first beat.
        division: parts of a beat.
        clock: when these are.
    """
    rows: list[tuple[int, float, Floats, float]] = []
    for segment, (enters, until, shift) in zip(segments, spans, strict=True):
        keys, rate = segment.choreography.bodies, segment.choreography.bps * division
        loop = round(segment.choreography.duration * rate)
        still = len(keys.time) == len(np.unique(keys.juggler))
        for row in range(len(keys.time)):
            first = float(keys.time[row]) * rate + shift
            beats = [enters] if still else np.arange(first, until, loop).tolist()
            rows += [
                (int(keys.juggler[row]), clock.at(beat), keys.position[row], float(keys.facing[row]))
                for beat in beats
                if enters <= beat
            ]
    rows.sort(key=lambda row: row[:2])
    begin = {row[0]: row for row in reversed(rows)}
    if all(np.array_equal(row[2], begin[row[0]][2]) and row[3] == begin[row[0]][3] for row in rows):
        rows = [(juggler, 0.0, *begin[juggler][2:]) for juggler in sorted(begin)]
    return BodyKeyframes(
        np.array([row[1] for row in rows]),
        np.array([row[0] for row in rows], dtype=np.intp),
        np.array([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
    )
