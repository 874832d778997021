"""Measures of hands and throws: forces, speeds, heights, times in the air, and reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, Parabolas
from juggle_anim.parameters import Guessed, Result, Table, no_such, plain_words
from juggle_anim.pattern import Throw, Turn, value_text
from juggle_anim.vectors import inverse_permutation

if TYPE_CHECKING:
    from juggle_anim.animation import Animation

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


SIDES = ("left", "right")
"""Names of hands, by their side."""


class LoopStatistics(Guessed, float):
    """A quantity over one loop, which as a number is its mean.

    Args:
        peak: the greatest value.
        rms: the root mean square.
        mean: the mean.
    """

    peak: float
    rms: float

    def __new__(cls, peak: float, rms: float, mean: float) -> LoopStatistics:
        """Return the mean, which also has the other two."""
        statistics = super().__new__(cls, mean)
        statistics.peak = peak
        statistics.rms = rms
        return statistics

    @property
    def mean(self) -> float:
        """The mean, as a plain number."""
        return float(self)

    def __getnewargs__(self) -> tuple[float, float, float]:  # type: ignore[override]
        """Return the arguments that make it, for copies."""
        return (self.peak, self.rms, self.mean)

    def __repr__(self) -> str:
        return f"LoopStatistics(peak={self.peak:.4g}, rms={self.rms:.4g}, mean={self.mean:.4g})"

    def to_dict(self) -> dict[str, float]:
        """Return the three as JSON data."""
        return {"peak": self.peak, "rms": self.rms, "mean": self.mean}


@dataclass(frozen=True)
class HandMeasures(Result):
    """Motion and load of one hand in a loop.

    Args:
        hand: 2 · juggler + side.
        lowest, highest: height above the floor, [m].
        speed: [m/s].
        acceleration: [m/s²].
        jerk: [m/s³].
        force: force of the carried props on the hand, their weight included, [N].
        dwell: durations from a catch until the prop is thrown again, [s].
        carries: share of the time in which it carries anything.
    """

    hand: int
    lowest: float
    highest: float
    speed: LoopStatistics
    acceleration: LoopStatistics
    jerk: LoopStatistics
    force: LoopStatistics
    dwell: LoopStatistics
    carries: float

    @property
    def side(self) -> str:
        """The side of its juggler, "left" or "right"."""
        return SIDES[self.hand % 2]

    name = side

    @property
    def juggler(self) -> int:
        """Index of its juggler."""
        return self.hand // 2

    @property
    def dwell_ratio(self) -> float:
        """Share of the time in which it carries anything, `carries`."""
        return self.carries

    def to_dict(self) -> dict[str, Any]:
        """Return its name, and all that it has."""
        return {"name": self.name, **super().to_dict()}

    def __getattr__(self, name: str) -> Any:
        """Return what a guessed name means: a quantity, or one of its statistics (`peak_speed`).

        Raises:
            AttributeError: the name means neither.
        """
        words = plain_words(name)
        for quantity, value in vars(self).items():
            if not (isinstance(value, LoopStatistics) and plain_words(quantity) <= words):
                continue
            statistic = words - plain_words(quantity)
            for known in ("peak", "rms", "mean"):
                if statistic == plain_words(known):
                    return getattr(value, known)
            if statistic:
                raise AttributeError(no_such("HandMeasures", name, vars(self)))
        return super().__getattr__(name)


def measure_hands(motion: Motion, throws: Sequence[Flight]) -> Table[HandMeasures]:
    """Measure the motion and load of every hand over one loop, at evenly spaced times.

    Args:
        motion: motion of hands and props.
        throws: all throws of the loop.

    Returns:
        One item for each hand, in order of its number, 2 · juggler + side (0 left, 1 right).
    """
    times = sample_times(motion)  # a millisecond apart, unless that would be too many
    hand_count = 2 * motion.choreography.jugglers
    lowest = np.full(hand_count, np.inf)
    highest = np.full(hand_count, -np.inf)
    carrying_sample_count = np.zeros(hand_count)
    quantities = ("speed", "acceleration", "jerk", "force")
    statistics = {quantity: _Statistics(hand_count) for quantity in quantities}

    # Part by part, since arrays for all times may not fit into memory.
    for part_times in split_times(motion, times):
        frames = motion.sample(part_times, derivative=2)  # accelerations
        # Derivatives 0, 1 and 3; the second is in the frames already.
        position, velocity, jerk_vector = motion.hand_derivatives(part_times, (0, 1, 3))
        height = position[..., 1].reshape(len(part_times), hand_count)
        lowest = np.minimum(lowest, height.min(axis=0))
        highest = np.maximum(highest, height.max(axis=0))
        statistics["speed"].add(_lengths_by_hand(velocity))
        statistics["acceleration"].add(_lengths_by_hand(frames.hands))
        statistics["jerk"].add(_lengths_by_hand(jerk_vector))
        # Both by time and hand; forces in [N].
        force_sizes, carried_prop_counts = hand_forces(motion, frames)
        statistics["force"].add(force_sizes)
        carrying_sample_count += (carried_prop_counts > 0).sum(axis=0)

    return Table(
        HandMeasures(
            hand=hand,
            lowest=float(lowest[hand]),
            highest=float(highest[hand]),
            **{quantity: totals.of_hand(hand) for quantity, totals in statistics.items()},
            dwell=_statistics([throw.dwell for throw in throws if throw.catcher == hand]),
            carries=float(carrying_sample_count[hand] / len(times)),
        )
        for hand in range(hand_count)
    )


def _statistics(values: Sequence[float]) -> LoopStatistics:
    """Return what `LoopStatistics` has of some values, each of which counts alike; 0 of none."""
    array = np.array(values or [0.0])
    return LoopStatistics(
        peak=float(array.max()), rms=float(np.sqrt(np.mean(array**2))), mean=float(array.mean())
    )


def _lengths_by_hand(vectors: Floats) -> Floats:
    """Lengths of vectors of hands, shape (T, J, 2, 3) to (T, 2J)."""
    lengths: Floats = np.linalg.norm(vectors, axis=-1)
    return lengths.reshape(len(vectors), 2 * vectors.shape[1])


def hand_forces(motion: Motion, frames: Frames) -> tuple[Floats, Floats]:
    """Return the force that each hand exerts on the props in it, from sampled accelerations.

    The force is F = m(a + g), summed over the props as vectors.

    Args:
        motion: motion of J jugglers.
        frames: second derivatives at T times, so that `props` are accelerations, [m/s²].

    Returns:
        Two arrays of shape (T, 2J), in order of hands (2 · juggler + side): the size of the force,
        [N], and the number of props in the hand.
    """
    hand_count = 2 * motion.choreography.jugglers
    gravity = (0.0, motion.choreography.gravity, 0.0)
    force_of_prop = prop_masses(motion)[:, None] * (frames.props + gravity)  # (T, P, 3), [N]

    # Add up the forces of the props that a hand holds. A hand may hold several props at once, and
    # `add.at` counts them all where indexed assignment would count the last only.
    force_of_hand = np.zeros((len(frames.times), hand_count, 3))
    prop_count = np.zeros((len(frames.times), hand_count))
    moment, prop = np.nonzero(frames.holders >= 0)  # −1 in flight
    moment_and_hand = moment, frames.holders[moment, prop]
    np.add.at(force_of_hand, moment_and_hand, force_of_prop[moment, prop])
    np.add.at(prop_count, moment_and_hand, 1.0)
    return np.linalg.norm(force_of_hand, axis=-1), prop_count


def prop_masses(motion: Motion) -> Floats:
    """Return the mass of each prop, shape (P,) for P props, [kg]."""
    return np.array([MASS[kind] for kind in motion.shapes.kind], dtype=float)


class _Statistics:
    """Peak, mean and mean square of a quantity of many hands, accumulated part by part."""

    def __init__(self, hands: int) -> None:
        self._peak = np.zeros(hands)
        self._sum = np.zeros(hands)
        self._sum_of_squares = np.zeros(hands)
        self._count = 0

    def add(self, values: Floats) -> None:
        """Add values at more times, shape (T, hands) for T times."""
        self._peak = np.maximum(self._peak, values.max(axis=0))
        self._sum += values.sum(axis=0)
        self._sum_of_squares += (values**2).sum(axis=0)
        self._count += len(values)

    def of_hand(self, hand: int) -> LoopStatistics:
        """Return the statistics of a hand."""
        count = max(1, self._count)
        return LoopStatistics(
            peak=float(self._peak[hand]),
            rms=float(np.sqrt(self._sum_of_squares[hand] / count)),
            mean=float(self._sum[hand] / count),
        )


def sample_times(motion: Motion, step: float = STEP) -> Floats:
    """Return evenly spaced times of one loop, from 0 on; the loop's end is not included.

    Args:
        motion: the motion of the loop. The more hands and props it has, the fewer times there may
            be, as the work grows with all their places.
        step: wanted time between two of them, [s]. Short loops have at least `_FEWEST_SAMPLES`.

    Returns:
        Shape (T,) for T times, [s].
    """
    hand_and_prop_count = 2 * motion.choreography.jugglers + motion.choreography.props
    wanted_count = max(_FEWEST_SAMPLES, round(motion.duration / step))
    most_samples = max(_FEWEST_SAMPLES, _MOST_PLACES // max(1, hand_and_prop_count))
    count = min(wanted_count, most_samples)
    return np.arange(float(count)) * (motion.duration / count)


def split_times(motion: Motion, times: Floats) -> Iterator[Floats]:
    """Yield consecutive parts of the times, so short that their samples fit into memory.

    Args:
        motion: the more hands and props it has, the shorter the parts.
        times: T times, shape (T,), [s].
    """
    hands_and_props = 2 * motion.choreography.jugglers + motion.choreography.props
    size = max(1, _PLACES_AT_ONCE // max(1, hands_and_props))
    for first in range(0, len(times), size):
        yield times[first : first + size]


REACH_TOLERANCE = 0.001
"""A hand nearer to its place than this has reached it, [m]."""

_REACH_STEP = 0.005


class Side(str):
    """A side, "left" or "right", which is equal to its text and to its number, 0 or 1."""

    def __index__(self) -> int:
        return SIDES.index(str(self))

    def __eq__(self, other: object) -> bool:
        return self.__index__() == other if isinstance(other, int) else super().__eq__(other)

    __hash__ = str.__hash__


@dataclass(frozen=True)
class Flight(Result):
    """One throw, from hand to hand.

    Args:
        value: of the throw, siteswap; 0 where there is no siteswap. Like `beat` it counts the
            parts of beats if a pattern divides these: 9 for a 4.5.
        time: time of the throw, [s].
        beat: the beat of the throw, counted on over the loop from 0; 0 where there is no siteswap.
        thrower, catcher: hands, 2 · juggler + side.
        flight: duration from throw to catch, [s].
        dwell: duration from the catch until the prop is thrown again, [s].
        height: height of the prop's highest point above the point where it leaves the hand, [m].
        apex: height of the highest point above the floor, [m].
        speed: speed of the prop as it leaves the hand, [m/s].
        bounces: number of bounces.
        kind: the word of the setting `throws` for a throw around the body, such as "backcross"; of
            another throw "bounce", "pass" or "self".
        prop: index of the prop, from 0, as of `prop_positions`.
    """

    time: float
    beat: int
    value: int
    thrower: int
    catcher: int
    flight: float
    dwell: float
    height: float
    apex: float
    speed: float
    bounces: int
    kind: str
    prop: int

    @property
    def hand(self) -> Side:
        """The hand that throws, "left" or "right", also equal to 0 or 1."""
        return Side(SIDES[self.thrower % 2])

    from_hand = hand

    @property
    def to_hand(self) -> Side:
        """The hand that catches."""
        return Side(SIDES[self.catcher % 2])

    @property
    def catch_time(self) -> float:
        """Time of the catch, [s]."""
        return self.time + self.flight

    end = catch_time

    @property
    def start(self) -> float:
        """Time of the throw, [s]."""
        return self.time

    @property
    def siteswap(self) -> str:
        """The value of the throw, as a siteswap writes it."""
        return value_text(self.value)

    @property
    def air_time(self) -> float:
        """Duration from throw to catch, [s]."""
        return self.flight

    flight_time = duration = air_time

    @property
    def from_juggler(self) -> int:
        """Index of the thrower."""
        return self.thrower // 2

    @property
    def to_juggler(self) -> int:
        """Index of the catcher."""
        return self.catcher // 2

    @property
    def is_pass(self) -> bool:
        """Whether another juggler catches; if not, the thrower does."""
        return self.from_juggler != self.to_juggler


def measure_throws(
    motion: Motion,
    throws: Sequence[Throw] = (),
    words: Mapping[Turn, str | None] | None = None,
    period: int | None = None,
) -> Table[Flight]:
    """Measure every throw of the loop: its times, hands, height, speed and bounces.

    Args:
        motion: motion of the props.
        throws: for each flight the throw of the pattern, which has its beat and value; empty if the
            motion comes from no pattern.
        words: word of the setting `throws`, such as "backcross", by turn (beat, juggler, hand);
            None, or no word, for throws that are not around the body.
        period: beats of the pattern's loop, as `throws` count them; None if their beats count on
            from loop to loop already.

    Returns:
        The throws, sorted by their time, the throwing hand and the flight time.
    """
    events = motion.choreography.events
    flights = motion.choreography.flights
    # `parabolas.flight` is the flight of each parabola; a flight with n bounces has n + 1.
    bounce_counts = np.bincount(motion.flight_paths.parabolas.flight) - 1
    highest_points = _highest_points(motion.flight_paths.parabolas)
    props = _props_of_flights(motion.choreography)
    measured = []
    for flight in range(len(flights.throw)):
        throw_event = flights.throw[flight]
        catch_event = flights.catch[flight]
        apex = float(highest_points[flight])
        thrower = int(events.hand[throw_event])
        catcher = int(events.hand[catch_event])
        bounce_count = int(bounce_counts[flight])
        usual_kind = "self" if thrower // 2 == catcher // 2 else "pass"
        if bounce_count:
            usual_kind = "bounce"
        time = float(events.time[throw_event])
        beat = 0
        value = 0
        word = None
        if throws:
            throw = throws[flight]
            value = throw.value
            word = (words or {}).get(throw.turn)
            # A throw on beat 0 may leave a little before it, at the end of the loop: then its beat
            # is the first of the next loop.
            beat = throw.beat
            if period:
                beat += period * round(time / motion.choreography.duration - beat / period)
        measured.append(
            Flight(
                time=time,
                beat=beat,
                value=value,
                thrower=thrower,
                catcher=catcher,
                flight=float(flights.duration[flight]),
                dwell=float(flights.carry[flight]),
                height=apex - float(motion.flight_paths.start[flight, 1]),
                apex=apex,
                speed=float(np.linalg.norm(motion.flight_paths.launch[flight])),
                bounces=bounce_count,
                kind=word or usual_kind,
                prop=int(props[flight]),
            )
        )
    return Table(sorted(measured, key=lambda throw: (throw.time, throw.thrower, throw.flight)))


def _props_of_flights(choreography: Choreography) -> Integers:
    """Return the index of the prop that makes each of F flights in the first loop, shape (F,).

    An orbit is the closed path that some props share, one loop apart.
    """
    links = choreography.flight_links
    time_in_loop = choreography.events.time[choreography.flights.throw]
    # How many loops after the first one prop 0 of the orbit makes each flight. Prop k makes it k
    # loops earlier than prop 0, so in the first loop it is made by prop `loops_later`.
    loops_later = np.rint((links.throw_time - time_in_loop) / choreography.duration).astype(int)
    props = np.zeros(len(time_in_loop), dtype=np.intp)
    for orbit, numbers in choreography.orbits_with_props:
        flights = [*orbit.flights]
        props[flights] = numbers.start + loops_later[flights] % orbit.props
    return props


def _highest_points(parabolas: Parabolas) -> Floats:
    """Return the greatest height of each of F flights above the floor, shape (F,), [m].

    A prop may be highest at a throw or catch, if it has no apex in between, so ends count too.

    Args:
        parabolas: the parabolas of all flights, in order of flights; a flight has one more of them
            than bounces.
    """
    if not len(parabolas.flight):  # `reduceat` would fail
        return np.zeros(0)
    # Heights at both ends of each parabola, y + v·t − g·t²/2, and at its top.
    start = parabolas.position[:, 1]
    rise = parabolas.velocity[:, 1]
    half_gravity = parabolas.gravity / 2
    duration = parabolas.duration
    end = start + rise * duration - half_gravity * duration**2
    tops = np.maximum.reduce([start, end, parabolas.apexes()[:, 1]])
    # The greatest of each flight; `first` is the row of its first parabola.
    return np.maximum.reduceat(tops, parabolas.first)


@dataclass(frozen=True)
class OutOfReach:
    """A time span in which a hand does not reach its place.

    Args:
        hand: 2 · juggler + side.
        start: [s]; from 0 up to the loop's duration.
        end: [s]; beyond the loop's duration if it continues into the next.
        worst: the greatest distance, [m].
    """

    hand: int
    start: float
    end: float
    worst: float


def find_out_of_reach(animation: Animation) -> tuple[OutOfReach, ...]:
    """Find the spans of time in which a hand does not reach the place where it should be.

    Args:
        animation: the animation, which poses jugglers, with the hands where arms reach.

    Returns:
        The time spans that begin in one loop, sorted by start and hand.
    """
    # Breath and sway have periods of their own; here they are fitted to the loop.
    animation = animation.closing_after(1)
    times = sample_times(animation.motion, _REACH_STEP)
    # Distances of hands from their places, of each body that is posed, (T, bodies, 2), [m]. They
    # are computed part by part, as poses at all times may not fit into memory.
    gaps = np.concatenate(
        [
            animation.pose_bodies(part_times).gaps
            for part_times in split_times(animation.motion, times)
        ]
    )
    # Jugglers who make the same movements share a posed body; `pose_index` says which one each has.
    shared = animation.plan.shared
    if shared:
        gaps = gaps.take(shared.pose_index, axis=1)
    gaps = gaps.reshape(len(times), 2 * animation.num_jugglers)

    hands = np.flatnonzero(gaps.max(axis=0) > REACH_TOLERANCE).tolist()
    spans = [span for hand in hands for span in _out_of_reach_spans(animation, hand, gaps[:, hand])]
    return tuple(sorted(spans, key=lambda span: (span.start, span.hand)))


def _out_of_reach_spans(animation: Animation, hand: int, gap: Floats) -> list[OutOfReach]:
    """Return time spans in which one hand does not reach its place, sorted by their first samples.

    Args:
        animation: the animation whose loop it is.
        hand: 2 · juggler + side (0 left, 1 right).
        gap: shape (T,) for T times, distances of the hand from its place at evenly spaced times of
            the loop, from 0 on, [m]; one or more are beyond the tolerance.
    """
    loop = animation.duration
    sample_count = len(gap)
    is_outside = gap > REACH_TOLERANCE
    if is_outside.all():
        return [OutOfReach(hand, start=0.0, end=loop, worst=float(gap.max()))]

    # The first and the last sample of each span, both ascending. The loop is closed, so the sample
    # before the first one is the last.
    first = np.flatnonzero(is_outside & ~np.roll(is_outside, 1))
    last = np.flatnonzero(is_outside & ~np.roll(is_outside, -1))
    # The last sample of a span across the loop's end is near the beginning, and so comes before all
    # others. It goes to the end of the list, where its first sample is, counted on to the next
    # loop: then `first` and `last` are parallel.
    if last[0] < first[0]:
        last = np.append(last[1:], last[0] + sample_count)

    # A span begins and ends where the distance passes the tolerance between two samples, if it
    # changes linearly there.
    step = loop / sample_count
    spans = []
    for first_sample, last_sample in zip(first.tolist(), last.tolist(), strict=True):
        start = (first_sample - _crossing_share(gap, first_sample, first_sample - 1)) * step
        end = (last_sample + _crossing_share(gap, last_sample, last_sample + 1)) * step
        shift = loop if start < 0 else 0.0  # so that it starts within the loop
        worst = gap[np.arange(first_sample, last_sample + 1) % sample_count].max()
        spans.append(OutOfReach(hand, start=start + shift, end=end + shift, worst=float(worst)))
    return spans


def _crossing_share(gap: Floats, outside: int, inside: int) -> float:
    """Return where between two neighbouring samples the distance passes the tolerance.

    Args:
        gap: shape (T,), distances of a hand from its place at T times of the loop, [m].
        outside: number of a sample beyond the tolerance.
        inside: number of the sample before or after it, which is within. Numbers of samples go on
            around the loop, so they may be below 0, or T and more.

    Returns:
        The share of the time from the sample `outside` to the sample `inside`, 0 to 1.
    """
    gap_outside = gap[outside % len(gap)]
    gap_inside = gap[inside % len(gap)]
    return float((gap_outside - REACH_TOLERANCE) / max(gap_outside - gap_inside, 1e-12))


@dataclass(frozen=True)
class PropIntervals:
    """Time spans in which a prop flies or is held, in N parallel rows.

    Args:
        prop: indices of props, shape (N,).
        start, duration: shape (N,), [s].
        holder: the hand that holds the prop, −1 in flight, shape (N,).
    """

    prop: Integers
    start: Floats
    duration: Floats
    holder: Integers


def prop_intervals(motion: Motion, *, loops_before: int = 0, loops_after: int = 0) -> PropIntervals:
    """Return the holds and flights of props that begin in one loop, or also in loops around it.

    An interval is the time of a hold or a flight of a prop.

    Args:
        motion: the motion of a pattern; its loop 0 begins at 0 s.
        loops_before, loops_after: numbers of loops before and after loop 0 whose intervals are
            included.

    Returns:
        The intervals, sorted by loop. Each loop has the same intervals in the same order, but of
        other props. Times in loops before loop 0 are negative.
    """
    one_loop = _intervals_of_a_loop(motion)

    # Props on an orbit, a closed path, are one loop apart: what a prop does in one loop, its
    # successor did in the loop before, and its predecessor does in the next loop. So go back to the
    # props of the earliest loop, then on from loop to loop.
    successors = motion.successors()
    predecessors = inverse_permutation(successors)
    props_of_loop = one_loop.prop
    for _loop in range(loops_before):
        props_of_loop = successors[props_of_loop]
    props_by_loop = []
    for _loop in range(loops_before + 1 + loops_after):
        props_by_loop.append(props_of_loop)
        props_of_loop = predecessors[props_of_loop]

    loop_count = len(props_by_loop)
    loop_number = np.repeat(np.arange(-loops_before, loops_after + 1), len(one_loop.prop))
    return PropIntervals(
        prop=np.concatenate(props_by_loop),
        start=np.tile(one_loop.start, loop_count) + loop_number * motion.duration,
        duration=np.tile(one_loop.duration, loop_count),
        holder=np.tile(one_loop.holder, loop_count),
    )


def _intervals_of_a_loop(motion: Motion) -> PropIntervals:
    """Return the time spans of holds and flights of all props that begin in one loop.

    An orbit is the closed path that some props share, one loop apart. A path is a prop's motion
    once around its orbit; it consists of pieces, the holds and flights. There is one path for each
    orbit and kind of prop, with the number kind · number of orbits + orbit.

    Args:
        motion: the motion of a pattern; its loop 0 begins at 0 s.
    """
    paths = motion.props.paths
    loop_duration = motion.duration
    orbits = motion.choreography.orbits
    prop_counts = np.array([orbit.props for orbit in orbits], dtype=np.intp)
    # Without props there are neither orbits nor pieces; `max` then avoids a division by 0.
    orbit_of_piece = paths.path_of_piece % max(1, len(orbits))
    first_prop = np.cumsum(prop_counts) - prop_counts  # of each orbit

    # The props of an orbit have successive numbers, and each is one loop ahead of the one before.
    # Pieces are timed for the orbit's first prop, in as many loops as the orbit has props. A piece
    # that the first prop begins in loop n, prop n of the orbit begins in loop 0. The minimum is for
    # starts that rounding has moved to the end of the last loop.
    loop_of_piece = (paths.start / loop_duration).astype(np.intp)
    loops_ahead = np.minimum(loop_of_piece, prop_counts[orbit_of_piece] - 1)
    prop = first_prop[orbit_of_piece] + loops_ahead

    # A piece ends where the next one of its path begins, and the last piece of a path a whole
    # period after the first piece has begun.
    next_start = np.roll(paths.start, -1)
    is_last = paths.last[paths.path_of_piece] == np.arange(len(paths.path_of_piece))
    end_of_path = paths.start[paths.first[paths.path_of_piece]] + paths.periods[paths.path_of_piece]
    end = np.where(is_last, end_of_path, next_start)

    # Of the paths of several kinds around one orbit, only the one that the prop follows counts.
    is_own_path = motion.props.path_of_prop[prop] == paths.path_of_piece
    return PropIntervals(
        prop=prop[is_own_path],
        start=(paths.start - loops_ahead * loop_duration)[is_own_path],
        duration=(end - paths.start)[is_own_path],
        holder=motion.props.holder_of_piece[is_own_path],
    )
