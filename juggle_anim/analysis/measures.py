"""Measures of hands and throws: forces, speeds, heights, times in the air, and reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.motion import Frames, Motion
from juggle_anim.motion.flight import Parabolas
from juggle_anim.vectors import inverse_permutation

STANDARD_GRAVITY = 9.80665
"""One g, [m/s²]."""

MASS = {"ball": 0.12, "club": 0.22, "ring": 0.11}
"""Mass of a prop of each kind: a beanbag, a one-piece club, a ring of 32 cm, [kg]."""

STEP = 0.001
"""Time between two samples, [s]; a hand's jerk hardly changes in it."""

# The fewest times of a loop, and the most places of hands and props.
_FEWEST = 512
_MOST = 1_600_000

# Hands and props that are sampled at once; memory grows with it.
_AT_ONCE = 100_000


@dataclass(frozen=True)
class PeakAndRms:
    """The greatest value of a quantity over one loop, and its root mean square."""

    peak: float
    rms: float


@dataclass(frozen=True)
class HandMeasures:
    """Motion and load of one hand in a loop.

    Args:
        hand: 2 · juggler + side.
        lowest, highest: height above the floor, [m].
        speed: [m/s].
        acceleration: [m/s²].
        jerk: [m/s³].
        force: of the props it carries, their weight included, [N].
        carries: share of the time in which it carries anything.
    """

    hand: int
    lowest: float
    highest: float
    speed: PeakAndRms
    acceleration: PeakAndRms
    jerk: PeakAndRms
    force: PeakAndRms
    carries: float


def measure_hands(motion: Motion) -> tuple[HandMeasures, ...]:
    """Measure every hand, in order of their numbers."""
    times = sample_times(motion)
    hands = 2 * motion.choreography.jugglers
    heights = []
    carrying = np.zeros(hands)
    statistics = [_Statistics(hands) for _ in range(4)]
    for part in split_times(motion, times):
        accelerations = motion.sample(part, 2)
        places, velocities, jerks = motion.hand_derivatives(part, (0, 1, 3))
        heights.append(places[..., 1].reshape(len(part), hands))
        for move, statistic in zip(
            (velocities, accelerations.hands, jerks), statistics, strict=False
        ):
            statistic.add(np.linalg.norm(move, axis=-1).reshape(len(part), hands))
        borne, carried = _forces(motion, accelerations)
        statistics[3].add(borne)
        carrying += (carried > 0).sum(axis=0)
    lowest = np.min([height.min(axis=0) for height in heights], axis=0)
    highest = np.max([height.max(axis=0) for height in heights], axis=0)
    speed, acceleration, jerk, force = (statistic.extents() for statistic in statistics)
    return tuple(
        HandMeasures(
            hand=hand,
            lowest=float(lowest[hand]),
            highest=float(highest[hand]),
            speed=speed[hand],
            acceleration=acceleration[hand],
            jerk=jerk[hand],
            force=force[hand],
            carries=float(carrying[hand] / len(times)),
        )
        for hand in range(hands)
    )


def hand_forces(motion: Motion, times: Floats) -> tuple[Floats, Floats]:
    """Return the force F = m(a + g) of the props in each hand, and their number.

    Args:
        motion: of hands and props.
        times: shape (T,), [s].

    Returns:
        Both of shape (T, 2J): [N], and a number.
    """
    return _forces(motion, motion.sample(times, 2))


def _forces(motion: Motion, frames: Frames) -> tuple[Floats, Floats]:
    """The same, from the accelerations of props."""
    hands = 2 * motion.choreography.jugglers
    lift = prop_masses(motion)[:, None] * (frames.props + (0.0, motion.choreography.gravity, 0.0))
    force = np.zeros((len(frames.times), hands, 3))
    count = np.zeros((len(frames.times), hands))
    row, prop = np.nonzero(frames.holders >= 0)
    held = row, frames.holders[row, prop]
    np.add.at(force, held, lift[row, prop])
    np.add.at(count, held, 1.0)
    return np.linalg.norm(force, axis=-1), count


def prop_masses(motion: Motion) -> Floats:
    """Return the mass of each prop, shape (P,), [kg]."""
    return np.array([MASS[kind] for kind in motion.shapes.kind], dtype=float)


class _Statistics:
    """Peak and mean square of a quantity of many hands, accumulated part by part."""

    def __init__(self, hands: int) -> None:
        self._peak, self._squares, self._count = np.zeros(hands), np.zeros(hands), 0

    def add(self, values: Floats) -> None:
        """Add values at more times, shape (T, hands)."""
        self._peak = np.maximum(self._peak, values.max(axis=0))
        self._squares += (values**2).sum(axis=0)
        self._count += len(values)

    def extents(self) -> list[PeakAndRms]:
        """Return peak and root mean square of each hand."""
        rms = np.sqrt(self._squares / max(1, self._count))
        return [
            PeakAndRms(float(peak), float(mean)) for peak, mean in zip(self._peak, rms, strict=True)
        ]


def sample_times(motion: Motion, step: float = STEP) -> Floats:
    """Return evenly spaced times of one loop, shape (T,), [s]; fewer where there are very many
    hands and props.
    """
    things = 2 * motion.choreography.jugglers + motion.choreography.props
    wanted = max(_FEWEST, round(motion.duration / step))
    count = max(_FEWEST, min(wanted, _MOST // max(1, things)))
    return np.arange(float(count)) * (motion.duration / count)


def split_times(motion: Motion, times: Floats) -> Iterator[Floats]:
    """Yield times in parts that fit into memory for any number of jugglers."""
    things = 2 * motion.choreography.jugglers + motion.choreography.props
    size = max(1, _AT_ONCE // max(1, things))
    for first in range(0, len(times), size):
        yield times[first : first + size]


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
