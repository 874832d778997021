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

# The fewest times of a loop, and the most places of hands and props over all times.
_FEWEST_SAMPLES = 512
_MOST_PLACES = 1_600_000

# Places of hands and props that are sampled at once; memory grows with it.
_PLACES_AT_ONCE = 100_000


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
    """Measure the motion and load of every hand over one loop, at evenly spaced times.

    Args:
        motion: of hands and props.

    Returns:
        In order of hand numbers, 2 · juggler + side.
    """
    times = sample_times(motion)
    hands = 2 * motion.choreography.jugglers
    heights = []
    carrying_samples = np.zeros(hands)
    speeds, accelerations, jerks, forces = (_Statistics(hands) for _ in range(4))

    # Part by part, since all times may not fit into memory. Values have shape (T, hands).
    for part_times in split_times(motion, times):
        frames = motion.sample(part_times, 2)  # second derivatives
        positions, velocity, jerk = motion.hand_derivatives(part_times, (0, 1, 3))
        heights.append(positions[..., 1].reshape(len(part_times), hands))
        for derivative, statistics in (
            (velocity, speeds),
            (frames.hands, accelerations),
            (jerk, jerks),
        ):
            statistics.add(np.linalg.norm(derivative, axis=-1).reshape(len(part_times), hands))
        force, props_carried = _forces(motion, frames)
        forces.add(force)
        carrying_samples += (props_carried > 0).sum(axis=0)

    lowest = np.min([height.min(axis=0) for height in heights], axis=0)
    highest = np.max([height.max(axis=0) for height in heights], axis=0)
    speed_extents, acceleration_extents, jerk_extents, force_extents = (
        statistics.extents() for statistics in (speeds, accelerations, jerks, forces)
    )
    return tuple(
        HandMeasures(
            hand=hand,
            lowest=float(lowest[hand]),
            highest=float(highest[hand]),
            speed=speed_extents[hand],
            acceleration=acceleration_extents[hand],
            jerk=jerk_extents[hand],
            force=force_extents[hand],
            carries=float(carrying_samples[hand] / len(times)),
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
    """The force F = m(a + g) of the props in each hand, [N], and their number, both of shape
    (T, 2J).

    Args:
        motion: of J jugglers.
        frames: second derivatives at T times.
    """
    hands = 2 * motion.choreography.jugglers
    gravity = (0.0, motion.choreography.gravity, 0.0)
    prop_forces = prop_masses(motion)[:, None] * (frames.props + gravity)  # shape (T, P, 3)

    # Add up the forces of the props that a hand holds, as vectors.
    force = np.zeros((len(frames.times), hands, 3))
    count = np.zeros((len(frames.times), hands))
    time, prop = np.nonzero(frames.holders >= 0)
    time_and_hand = time, frames.holders[time, prop]
    np.add.at(force, time_and_hand, prop_forces[time, prop])
    np.add.at(count, time_and_hand, 1.0)
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
    wanted = max(_FEWEST_SAMPLES, round(motion.duration / step))
    count = max(_FEWEST_SAMPLES, min(wanted, _MOST_PLACES // max(1, things)))
    return np.arange(float(count)) * (motion.duration / count)


def split_times(motion: Motion, times: Floats) -> Iterator[Floats]:
    """Yield times in parts that fit into memory for any number of jugglers."""
    things = 2 * motion.choreography.jugglers + motion.choreography.props
    size = max(1, _PLACES_AT_ONCE // max(1, things))
    for first in range(0, len(times), size):
        yield times[first : first + size]


REACH_TOLERANCE = 0.001
"""A hand nearer to its place than this has reached it, [m]."""

_REACH_STEP = 0.005


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
    """Measure every throw of the loop; sorted by time, hand and flight time."""
    events = motion.choreography.events
    flights = motion.choreography.flights
    # A flight with n bounces consists of n + 1 parabolas.
    bounces = np.bincount(motion.flight_paths.parabolas.flight) - 1
    highest_points = _highest_points(motion.flight_paths.parabolas)
    throws = []
    for flight, (throw, catch, duration, dwell) in enumerate(
        zip(flights.throw, flights.catch, flights.duration, flights.carry, strict=True)
    ):
        apex = float(highest_points[flight])
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
    return tuple(sorted(throws, key=lambda throw: (throw.time, throw.thrower, throw.flight)))


def _highest_points(parabolas: Parabolas) -> Floats:
    """The greatest height of each flight above the floor, bounces and both ends included, shape
    (F,), [m].

    Args:
        parabolas: those of each flight one after the other; a flight has one more than bounces.
    """
    if not len(parabolas.flight):
        return np.zeros(0)
    # Heights at both ends of each parabola, y + v·t − g·t²/2, and at its top.
    start = parabolas.position[:, 1]
    rise = parabolas.velocity[:, 1]
    half_gravity = parabolas.gravity / 2
    duration = parabolas.lasts
    end = start + rise * duration - half_gravity * duration**2
    tops = np.maximum.reduce([start, end, parabolas.apexes()[:, 1]])
    # `first` is the first parabola of each flight.
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
    """Find the time spans of one loop in which hands do not reach their places, sorted by start
    and hand.
    """
    times = sample_times(animation.motion, _REACH_STEP)
    # Distances of hands from their places, of each body that is posed, [m].
    gaps = np.concatenate(
        [
            animation.pose_bodies(part_times).gaps
            for part_times in split_times(animation.motion, times)
        ]
    )
    # Jugglers who do the same share a body.
    shared = animation.plan.shared
    if shared:
        gaps = gaps.take(shared.copied, axis=1)
    gaps = gaps.reshape(len(times), 2 * animation.jugglers)

    hands = np.flatnonzero(gaps.max(axis=0) > REACH_TOLERANCE).tolist()
    spans = [span for hand in hands for span in _out_of_reach_spans(animation, hand, gaps[:, hand])]
    return tuple(sorted(spans, key=lambda span: (span.start, span.hand)))


def _out_of_reach_spans(animation: Animation, hand: int, gap: Floats) -> list[OutOfReach]:
    """The time spans in which one hand does not reach its place.

    Args:
        animation: whose loop it is.
        hand: 2 · juggler + side.
        gap: shape (T,), distances from the place at evenly spaced times of the loop, [m]; some are
            beyond the tolerance.
    """
    loop = animation.duration
    count = len(gap)
    is_away = gap > REACH_TOLERANCE
    if is_away.all():
        return [OutOfReach(hand, 0.0, loop, float(gap.max()))]

    # First and last samples of each span, around the loop.
    first = np.flatnonzero(is_away & ~np.roll(is_away, 1))
    last = np.flatnonzero(is_away & ~np.roll(is_away, -1))
    # A span across the loop's end has its last sample at the beginning: in the next loop.
    if last[0] < first[0]:
        last = np.append(last[1:], last[0] + count)

    # Between two samples the distance is taken to change linearly.
    step = loop / count
    spans = []
    for first_sample, last_sample in zip(first.tolist(), last.tolist(), strict=True):
        start = (first_sample - _leaving_share(gap, first_sample, first_sample - 1)) * step
        end = (last_sample + _leaving_share(gap, last_sample, last_sample + 1)) * step
        shift = loop if start < 0 else 0.0  # so that it starts within the loop
        worst = gap[np.arange(first_sample, last_sample + 1) % count].max()
        spans.append(OutOfReach(hand, start + shift, end + shift, float(worst)))
    return spans


def _leaving_share(gap: Floats, away: int, near: int) -> float:
    """Return where between two samples the distance passes the tolerance, as a share of the time
    from the first to the second, 0 to 1.

    Args:
        gap: shape (T,), distances of a hand from its place, [m]; samples go on around the loop.
        away: number of a sample beyond the tolerance.
        near: number of the sample beside it that is not.
    """
    gap_away = gap[away % len(gap)]
    gap_near = gap[near % len(gap)]
    return float((gap_away - REACH_TOLERANCE) / max(gap_away - gap_near, 1e-12))


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
    """Return the intervals that begin in one loop, or also in loops before and after it.

    Args:
        motion: of the props.
        earlier: number of loops before.
        later: number of loops after.
    """
    one_loop = _intervals_of_a_loop(motion)

    # One loop later than a prop, the one before it on its orbit does the same.
    after = motion.successors()
    before = inverse_permutation(after)
    prop = one_loop.prop
    for _loop in range(earlier):
        prop = after[prop]
    props = []
    for _loop in range(earlier + 1 + later):
        props.append(prop)
        prop = before[prop]

    loop_number = np.repeat(np.arange(-earlier, later + 1), len(one_loop.prop))
    return PropIntervals(
        np.concatenate(props),
        np.tile(one_loop.start, len(props)) + loop_number * motion.duration,
        np.tile(one_loop.duration, len(props)),
        np.tile(one_loop.holder, len(props)),
    )


def _intervals_of_a_loop(motion: Motion) -> PropIntervals:
    """The time spans of holds and flights of all props that begin in one loop.

    Args:
        motion: whose props' paths consist of pieces; a path is once around an orbit.
    """
    paths = motion.props.paths
    loop = motion.duration
    sizes = np.array([orbit.props for orbit in motion.choreography.orbits], dtype=np.intp)
    orbit = paths.path % max(1, len(sizes))
    first_prop = np.cumsum(sizes) - sizes

    # The props of an orbit are one loop apart, so only one of them comes to a piece within this
    # loop. The limit is for a start that rounding has moved to the very end.
    loops_ahead = np.minimum((paths.start / loop).astype(np.intp), sizes[orbit] - 1)
    prop = first_prop[orbit] + loops_ahead

    # A piece ends where the next of its path begins, the last one after a whole period.
    next_start = np.roll(paths.start, -1)
    is_last = paths.last[paths.path] == np.arange(len(paths.path))
    end_of_path = paths.start[paths.first[paths.path]] + paths.periods[paths.path]
    end = np.where(is_last, end_of_path, next_start)

    # Each kind of prop has its own path through the orbit.
    is_own_path = motion.props.path[prop] == paths.path
    return PropIntervals(
        prop[is_own_path],
        (paths.start - loops_ahead * loop)[is_own_path],
        (end - paths.start)[is_own_path],
        motion.props.holder[is_own_path],
    )
