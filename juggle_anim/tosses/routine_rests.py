"""Rests of routines: what hands do with their props between catches and throws, and where jugglers stand meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography.choreography import BodyKeyframes
from juggle_anim.pattern.pattern import Throw
from juggle_anim.tosses.segment import Segment
from juggle_anim.tosses.stands import pick_up, put_down
from juggle_anim.tosses.toss import Clock, Toss


class Held(NamedTuple):
    """A prop that a hand has from a beat on, or up to one; or on its stand then."""

    beat: int
    hand: int
    on_stand: bool = False


class Pause(NamedTuple):
    """When props lie in hands, in parts of a beat.

    Attributes:
        starts: once all are caught.
        until: when the next throw may be made.
        crossing: how long a throw from hand to hand takes.
        still: how long nothing moves before `until`, if there is time.
    """

    starts: int
    until: int
    crossing: int
    still: int


def with_stands(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """What hands have at the start and at the end of a rest, with what they pick up and put down, as much in both.

    Args:
        sources, sinks: what hands have, and what they need.
        pause: between.
        lying: how many more props than in the beginning lie beside each hand; these are taken first.
    """
    more = len(sinks) - len(sources)
    have, need = (Counter(each.hand for each in ends) for ends in (sources, sinks))
    missing = sorted((need - have).elements(), key=lambda hand: -lying[hand])
    over = sorted((have - need).elements(), key=lambda hand: lying[hand])
    taken = [Held(pause.starts, hand, True) for hand in missing[: max(more, 0)]]
    left = [Held(pause.until, hand, True) for hand in over[: max(-more, 0)]]
    return [*sources, *taken], [*sinks, *left]


def with_all_back(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """The same for the end of a routine: as many props lie beside each hand as in the beginning; arguments alike."""
    taken = [Held(pause.starts, hand, True) for hand in (+lying).elements()]
    left = [Held(pause.until, hand, True) for hand in (-lying).elements()]
    return [*sources, *taken], [*sinks, *left]


def hold(sources: Sequence[Held], sinks: Sequence[Held], pause: Pause) -> list[Toss]:
    """Hold what hands have until they need it; what another hand needs is thrown across in the middle of the pause.

    Args:
        sources, sinks: as many.
        pause: between.
    """
    found, over, left = list[Toss](), list[Held](), sorted(sinks)
    for source in sorted(sources):
        sink = next((each for each in left if each.hand == source.hand), None)
        if sink is None:
            over.append(source)
            continue
        left.remove(sink)
        found += _kept(source, sink.beat, pause, sink)
    for source, sink in zip(over, left, strict=True):
        middle = (source.beat + sink.beat - pause.crossing) // 2
        thrown = max(source.beat, min(middle, pause.until - pause.crossing - pause.still))
        lands = min(thrown + pause.crossing, sink.beat)
        found += _kept(source, thrown, pause)
        found.append(Toss(_throw(thrown, source.hand, lands, sink.hand), -1, None))
        found += _kept(Held(lands, sink.hand), sink.beat, pause, sink)
    return found


def _kept(source: Held, until: int, pause: Pause, sink: Held | None = None) -> list[Toss]:
    """What a hand does with a prop until a beat: it holds it, picks it up before that in the pause, or puts it down."""
    if source.on_stand:
        there = min(until, pause.until - 1)
        return [pick_up(source.beat, source.hand, there), *_kept(Held(there, source.hand), until, pause)]
    if sink and sink.on_stand:
        return [put_down(source.beat, source.hand)]
    if source.beat == until:
        return []
    return [Toss(_throw(source.beat, source.hand, until, source.hand, held=True), -1, None)]


def _throw(beat: int, hand: int, lands: int, to: int, held: bool | None = None) -> Throw:
    return Throw(beat, hand // 2, hand % 2, lands - beat, to // 2, to % 2, held=held)


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
