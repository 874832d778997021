"""Throws: height, flight and dwell of each; when hands are out of reach; and when props fly or are
held.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.analysis.hands import sample_times, split_times
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import Motion
from juggle_anim.motion.flight import Parabolas
from juggle_anim.vectors import inverse_permutation

REACH_TOLERANCE = 0.001
"""A hand nearer to its place than this has reached it, [m]."""

_STEP = 0.005


@dataclass(frozen=True)
class Flight:
    """One throw, from hand to hand.

    Args:
        time: of the throw, [s].
        thrower, catcher: hands, 2 · juggler + side.
        flight: from throw to catch, [s].
        dwell: from the catch until the prop is thrown again, [s].
        height: of the prop's highest point above where it leaves the hand, [m].
        apex: of that point above the floor, [m].
        speed: of the prop as it leaves, [m/s].
        bounces: how often it bounces.
    """

    time: float
    thrower: int
    catcher: int
    flight: float
    dwell: float
    height: float
    apex: float
    speed: float
    bounces: int


def measure_throws(motion: Motion) -> tuple[Flight, ...]:
    """Measure every throw of the loop, by time."""
    events = motion.choreography.events
    flights = motion.choreography.flights
    bounces = np.bincount(motion.flight_paths.parabolas.flight) - 1
    tops = _apexes(motion.flight_paths.parabolas)
    throws = []
    for flight, (throw, catch, duration, dwell) in enumerate(
        zip(flights.throw, flights.catch, flights.duration, flights.carry, strict=True)
    ):
        apex = float(tops[flight])
        throws.append(
            Flight(
                time=float(events.time[throw]),
                thrower=int(events.hand[throw]),
                catcher=int(events.hand[catch]),
                flight=float(duration),
                dwell=float(dwell),
                height=apex - float(motion.flight_paths.start[flight, 1]),
                apex=apex,
                speed=float(np.linalg.norm(motion.flight_paths.launch[flight])),
                bounces=int(bounces[flight]),
            )
        )
    return tuple(sorted(throws, key=lambda each: (each.time, each.thrower, each.flight)))


def _apexes(parabolas: Parabolas) -> Floats:
    """The greatest height of each flight above the floor, bounces and both ends included, shape
    (F,), [m].
    """
    if not len(parabolas.flight):
        return np.zeros(0)
    rise = parabolas.velocity[:, 1]
    half = parabolas.gravity / 2
    lasts = parabolas.lasts
    ends = parabolas.position[:, 1], parabolas.position[:, 1] + rise * lasts - half * lasts**2
    tops = np.maximum.reduce([*ends, parabolas.apexes()[:, 1]])
    return np.maximum.reduceat(tops, parabolas.first)


@dataclass(frozen=True)
class OutOfReach:
    """A time span in which a hand does not reach its place.

    Args:
        hand: 2 · juggler + side.
        start: [s]; from 0 up to the loop's duration.
        end: [s]; beyond the loop's duration if it goes on into the next.
        worst: the greatest distance, [m].
    """

    hand: int
    start: float
    end: float
    worst: float


def find_out_of_reach(animation: Animation) -> tuple[OutOfReach, ...]:
    """Find all such time spans of one loop, by time."""
    times = sample_times(animation.motion, _STEP)
    shared = animation.plan.shared
    gaps = np.concatenate(
        [animation.pose_bodies(part).gaps for part in split_times(animation.motion, times)]
    )
    gaps = (gaps.take(shared.copied, axis=1) if shared else gaps).reshape(
        len(times), 2 * animation.jugglers
    )
    away = np.flatnonzero(gaps.max(axis=0) > REACH_TOLERANCE).tolist()
    spans = [span for hand in away for span in _spans(animation, hand, gaps[:, hand])]
    return tuple(sorted(spans, key=lambda span: (span.start, span.hand)))


def _spans(animation: Animation, hand: int, gap: Floats) -> list[OutOfReach]:
    """The time spans of one hand, given its distances at evenly spaced times of the loop."""
    loop = animation.duration
    count = len(gap)
    away = gap > REACH_TOLERANCE
    if away.all():
        return [OutOfReach(hand, 0.0, loop, float(gap.max()))]
    before = np.roll(away, 1)
    after = np.roll(away, -1)
    first = np.flatnonzero(away & ~before)
    last = np.flatnonzero(away & ~after)
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
    """Return the fraction of the time from one inside to one outside at which the hand leaves the
    zone, 0 to 1.
    """
    far = gap[inside % len(gap)]
    near = gap[outside % len(gap)]
    return float((far - REACH_TOLERANCE) / max(far - near, 1e-12))


@dataclass(frozen=True)
class PropIntervals:
    """Time spans in which a prop flies or is held, N rows.

    Args:
        prop: shape (N,).
        start, duration: shape (N,), [s].
        holder: the hand that holds the prop, −1 in flight, shape (N,).
    """

    prop: Integers
    start: Floats
    duration: Floats
    holder: Integers


def prop_intervals(motion: Motion, earlier: int = 0, later: int = 0) -> PropIntervals:
    """Return the intervals that begin in one loop, or in some loops before and after it."""
    one = _intervals_of_a_loop(motion)
    after = motion.successors()
    before = inverse_permutation(after)
    prop = one.prop
    # One loop later than a prop, the one before it on its orbit does the same.
    for _ in range(earlier):
        prop = after[prop]
    props = []
    for _ in range(earlier + 1 + later):
        props.append(prop)
        prop = before[prop]
    laps = np.repeat(np.arange(-earlier, later + 1), len(one.prop))
    return PropIntervals(
        np.concatenate(props),
        np.tile(one.start, len(props)) + laps * motion.duration,
        np.tile(one.duration, len(props)),
        np.tile(one.holder, len(props)),
    )


def _intervals_of_a_loop(motion: Motion) -> PropIntervals:
    paths = motion.props.paths
    loop = motion.duration
    sizes = np.array([orbit.props for orbit in motion.choreography.orbits], dtype=np.intp)
    orbit = paths.path % max(1, len(sizes))
    first = np.cumsum(sizes) - sizes
    # The props of an orbit are one loop apart, so only one of them comes to a piece within this
    # loop.
    lap = np.minimum((paths.start / loop).astype(np.intp), sizes[orbit] - 1)
    prop = first[orbit] + lap
    following = np.roll(paths.start, -1)
    last = paths.last[paths.path] == np.arange(len(paths.path))
    end = np.where(
        last, paths.start[paths.first[paths.path]] + paths.periods[paths.path], following
    )
    # Each kind of prop has its own path through the orbit.
    own = motion.props.path[prop] == paths.path
    return PropIntervals(
        prop[own],
        (paths.start - lap * loop)[own],
        (end - paths.start)[own],
        motion.props.holder[own],
    )
