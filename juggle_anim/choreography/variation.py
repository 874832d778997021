"""Variation: random deviations of throws and catches in time and place, as people make them."""

from __future__ import annotations

import dataclasses
from math import ceil, lcm, sqrt
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography.choreograph import MAX_THROWS
from juggle_anim.choreography.score import Choreography, EventKind, Flights
from juggle_anim.choreography.unroll import unroll
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Parameters
from juggle_anim.vectors import (
    inverse_permutation,
    mean_by_event,
    rotate_about_y,
    times_in_loop,
)

PLACE_SPREAD = (0.025, 0.020, 0.030)
"""Standard deviation of where a hand throws: to the side, up, fore and aft, [m].

These and the next two are from an optical capture of five balls (Project-DeepBlue-Juggling,
juggling-analyser).
"""

TIME_SPREAD = 0.012
ARRIVAL_DELAY_SHARE = 0.45
"""Standard deviation of a hand's own deviation in the time of a throw, [s]; and the share of the
delay of the prop that it catches next by which the throw is delayed, too. With both, beats of five
balls vary by 27 ms, as recorded.
"""

LANDING_SPREAD = 0.061
FLIGHT_SPREAD = 0.0247
"""Standard deviations, for five balls, of the place where a prop comes down, along each axis, [m],
as throws vary by 1°; and of the time of flight, [s], as apexes vary by 5 cm.
"""

FIVE_BALL_FLIGHT = 0.81
"""How long each of five balls flies, [s]. A shorter throw varies less; a longer one is aimed
better, or else nobody could catch it.
"""

CORRECTION = 1 / 3
"""Share of its deviation that the next throw of a hand takes back, which makes their lag-one
correlation −0.3.

Post, Daffertshofer and Beek, "Principal components in three-ball cascade juggling" (Biological
Cybernetics 82, 2000), found it markedly negative for the catches of a hand, which follow from
throws here. The share itself is chosen.
"""

ENOUGH_SECONDS = 12.0
ENOUGH_THROWS = 2_000
"""How long variations go on before they repeat, if no number of loops is asked for, [s]; less with
so many throws.
"""

# Random deviations are softly limited to this many standard deviations.
_MAX_STANDARD_DEVIATIONS = 3.0

# How far a prop may come down from its usual place, so that a hand can reach it, [m].
_MAX_CATCH_OFFSET = 0.16

# In flights shorter than this, [s], a hand passes a prop on rather than throws it. The variation of
# such a throw, in time and place, is reduced in proportion to the time of flight.
_SHORT_FLIGHT = 0.4

# By how much a throw may move in time: at most this share of the time to the hand's throws before
# and after, and this share of the flights that it begins and that arrive next to it.
_MAX_SHIFT_PER_THROW_GAP = 0.15
_MAX_SHIFT_PER_FLIGHT = 0.20

# Delays of throws and of arrivals depend on each other through `ARRIVAL_DELAY_SHARE`. Since that is
# below 0.5, each iteration more than halves the remaining error.
_DELAY_ITERATIONS = 32

# By how much a catch may move in time, in a gap of length t between two events of a hand: this
# share of t² / (t + the second number, [s]), which is nearly t in long gaps, and much less in short
# ones.
_MAX_SHIFT_PER_CATCH_GAP = 0.8
_SHORT_CATCH_GAP = 0.12


def vary(choreography: Choreography, parameters: Parameters) -> Choreography:
    """Return several loops of a choreography with varied throws, as one longer seamless loop.

    Hands throw at other times and places, and props fly higher or lower and to other places; hands
    catch them where and when they come down there. Where time is short they vary less, so the
    events of a hand keep their order. Props that bounce keep their times and heights, because a
    bounce with the given style does not exist for every flight time.

    Args:
        choreography: one loop as written, with F flights. Flight `f` of its repetition `n`, both
            counted from 0, becomes flight `n · F + f`. Without flights it is returned unchanged.
        parameters: human (amount of variation, per cent), seed and human_loops are read.

    Raises:
        ChoreographyError: there are too many throws in so many loops.
    """
    if not len(choreography.flights.throw):
        return choreography
    # The same motion as one longer loop, whose repetitions may then differ.
    unrolled = unroll(choreography, loop_count(choreography, parameters))
    # For each event how much later it is, [s], and its displacement in the body frame, [m].
    delays, offsets = _draw_deviations(unrolled, parameters.human / 100, int(parameters.seed))
    return _with_shifted_events(unrolled, delays, offsets)


def loop_count(choreography: Choreography, parameters: Parameters) -> int:
    """Return the number of loops after which variations repeat, 1 or more.

    By default that is enough loops for `ENOUGH_SECONDS` (12 s), but no more than hold
    `ENOUGH_THROWS` (2,000) throws. This is rounded up to a number after which each prop is back in
    its own place, unless that would be more than twice as many loops, or too many throws.

    Args:
        choreography: one loop, as written.
        parameters: human_loops is read, the number that is asked for; None for the default.

    Raises:
        ChoreographyError: there are too many throws in so many loops.
    """
    throws = len(choreography.flights.throw)
    if parameters.human_loops is not None:
        loops = int(parameters.human_loops)
        # One loop is always allowed: it is no longer than what is written.
        if loops > 1 and loops * throws > MAX_THROWS:
            raise ChoreographyError(
                _(
                    "{loops} loops of {throws} throws are too many to vary (the limit is "
                    "{max_throws} throws); set human_loops to {value} or less",
                    loops=loops,
                    throws=throws,
                    max_throws=MAX_THROWS,
                    value=max(1, MAX_THROWS // throws),
                )
            )
        return loops

    max_loops = max(1, ENOUGH_THROWS // max(1, throws))
    loops = min(ceil(ENOUGH_SECONDS / choreography.duration), max_loops)

    # The props of an orbit are back in their own places after as many loops as it has props.
    cycle = lcm(*(orbit.props for orbit in choreography.orbits if orbit.flights))
    whole_cycles = cycle * ceil(loops / cycle)
    return whole_cycles if whole_cycles <= min(2 * loops, max_loops) else loops


@dataclass(frozen=True)
class _NeighbouringAnchors:
    """For each of E events the last and the next anchor of its hand, around the loop.

    Anchors are chosen events, between which values are interpolated in time.

    Args:
        before: shape (E,), the row of the last anchor at or before each event; an anchor is its
            own. For an event of a hand without anchors, the row of the event itself.
        after: shape (E,), the row of the next anchor after `before`; `before` again if the hand
            has only one. For a hand without anchors, the row of the event itself.
        since: shape (E,), time from `before` to the event, 0 or more, [s].
        gap: shape (E,), time from `before` to `after`, above 0, [s].
    """

    before: Integers
    after: Integers
    since: Floats
    gap: Floats

    @classmethod
    def from_choreography(
        cls, choreography: Choreography, anchors: Booleans
    ) -> _NeighbouringAnchors:
        """Find for each event the anchors of its hand before and after it, around the loop.

        Anchors are chosen events, between which values of the other events are interpolated in
        time.

        Args:
            choreography: E events, which need not be sorted.
            anchors: shape (E,), which events are anchors.

        Returns:
            For each event the rows of the last anchor at or before it and of the next one after
            that, the time since the former and the time between both, [s].
        """
        events = choreography.events
        loop = choreography.duration

        # Sort events by hand, then time. `event_of_anchor` has the rows of the anchors in this
        # order, so each hand's are successive. Arrays below are by sorted event, and have indices
        # into `event_of_anchor`: its hand's anchors are from `first` up to but without `end`.
        order = events.by_hand
        event_of_anchor = order[anchors[order]]
        hand_of_anchor = events.hand[event_of_anchor]
        first, end = (
            np.searchsorted(hand_of_anchor, events.hand[order], side=side)
            for side in ("left", "right")
        )

        # The last anchor at or before each sorted event, and the one after that. An event before
        # its hand's first anchor would get one of another hand, or −1: it gets the hand's last
        # anchor instead, around the loop. The last anchor is followed by the first.
        latest_anchor = np.cumsum(anchors[order]) - 1
        anchor_before = np.where(latest_anchor < first, end - 1, latest_anchor)
        anchor_after = np.where(anchor_before == end - 1, first, anchor_before + 1)

        # Events of hands without anchors get their own row. They look up anchor 0 and then ignore
        # it; so that this works without any anchor at all, an entry is appended.
        no_anchor = first == end
        event_of_anchor = np.append(event_of_anchor, 0)
        anchor_before[no_anchor] = 0
        anchor_after[no_anchor] = 0
        before_in_order = np.where(no_anchor, order, event_of_anchor[anchor_before])
        after_in_order = np.where(no_anchor, order, event_of_anchor[anchor_after])
        # Back to the given order of the events.
        rank = inverse_permutation(order)
        before = before_in_order[rank]
        after = after_in_order[rank]

        # From a hand's only anchor to itself the remainder is 0, but the time is a whole loop.
        gap = (events.time[after] - events.time[before]) % loop
        return cls(
            before=before,
            after=after,
            since=(events.time - events.time[before]) % loop,
            gap=np.where(gap > 0.0, gap, loop),
        )

    def interpolated(self, values: Floats) -> Floats:
        """Interpolate values of anchors linearly in time.

        Anchors are chosen events; `before` and `after` are the rows of those around each event.

        Args:
            values: shape (E,) for E events, or (E, C) with C coordinates; only those of anchors are
                used. Events of a hand without anchors keep their own.

        Returns:
            Values of all events, of the same shape.
        """
        # Shape (E,) or (E, 1), to be multiplied with the values.
        share = (self.since / self.gap).reshape(-1, *[1] * (values.ndim - 1))
        mixed: Floats = (1 - share) * values[self.before] + share * values[self.after]
        return mixed


@dataclass(frozen=True)
class _EventRoles:
    """Masks of E events by how they may vary, shape (E,) each.

    Args:
        throws: events that throw.
        catches: events that catch, and do not throw at the same time.
        fixed: events that keep their time and height, since a prop bounces on the way to or from
            them.
    """

    throws: Booleans
    catches: Booleans
    fixed: Booleans

    @classmethod
    def from_choreography(cls, choreography: Choreography) -> _EventRoles:
        """Return the masks of the events of a choreography, in the order of their rows."""
        events = choreography.events
        flights = choreography.flights  # `throw` and `catch` are rows of events
        ends_flight = np.zeros(len(events.time), dtype=bool)
        ends_flight[flights.catch] = True

        # Events at either end of a flight that bounces keep their time and height.
        bounces = np.array([style.bounces > 0 for style in flights.styles])  # shape (F,)
        fixed = np.zeros(len(events.time), dtype=bool)
        fixed[flights.throw[bounces]] = True
        fixed[flights.catch[bounces]] = True
        return cls(
            throws=events.kind == EventKind.THROW,
            # An event that also throws ends a flight too, but has the kind of a throw.
            catches=ends_flight & (events.kind == EventKind.CATCH),
            fixed=fixed,
        )

    @property
    def movable_catches(self) -> Booleans:
        """Catches whose time may vary, shape (E,)."""
        return self.catches & ~self.fixed


def _draw_deviations(choreography: Choreography, amount: float, seed: int) -> tuple[Floats, Floats]:
    """Draw random delays and displacements of all events, reproducible by their seed.

    A waypoint is a point that a hand passes between throws and catches. Hands throw with random
    errors of time and place, and flights have random errors of duration and landing. Catches follow
    from both, and waypoints between throws and catches are interpolated.

    Args:
        choreography: E events and F flights, whose `throw` and `catch` are rows of events.
        amount: factor of all random deviations before they are limited, 1 for those that were
            recorded, 0 for none.
        seed: seed of the random numbers.

    Returns:
        The delay of each event, shape (E,), [s], below 0 for earlier; and its displacement in the
        frame of its body, left, up and forward, shape (E, 3), [m].
    """
    events = choreography.events
    flights = choreography.flights
    # Masks of events: which throw, which only catch, and which keep their time and height.
    roles = _EventRoles.from_choreography(choreography)
    noise = _draw_noise(choreography, roles, amount, seed)

    # Times: how much longer each flight is, then how much later events are; throws come first, as
    # catches depend on them. The `…_SPREAD` constants are recorded standard deviations, [s] and
    # [m], of five balls; shorter flights vary less. Soft limits are approached smoothly and never
    # passed.
    flight_scale = np.minimum(flights.duration / FIVE_BALL_FLIGHT, 1.0)
    flight_delays = _soft_limit(
        FLIGHT_SPREAD * flight_scale * noise.flight_time, _MAX_SHIFT_PER_FLIGHT * flights.duration
    )
    delays, arrival_delays = _throw_delays(
        choreography, roles, TIME_SPREAD * noise.throw_time, flight_delays
    )
    delays = _catch_delays(choreography, roles, delays, arrival_delays)

    # Places: a prop lands off by as much as its throw was, and by the error of aim, which grows
    # with the square of the flight time, up to that of five balls. An event that catches several
    # props is at the mean of their landings.
    offsets = noise.throw_place * PLACE_SPREAD
    landings = _in_catcher_frame(choreography, offsets[flights.throw])
    left_and_forward = [0, 2]  # axes
    landings[:, left_and_forward] += LANDING_SPREAD * (flight_scale**2)[:, None] * noise.landing
    landings = _soft_limit(landings, np.array(_MAX_CATCH_OFFSET))
    mean_landings = mean_by_event(flights.catch, landings, len(events.time))
    offsets[roles.catches] = mean_landings[roles.catches]

    # Only throws and catches have deviations so far. Waypoints between them get interpolated ones.
    anchors = _NeighbouringAnchors.from_choreography(choreography, roles.throws | roles.catches)
    return anchors.interpolated(delays), anchors.interpolated(offsets)


class _Noise(NamedTuple):
    """Normally distributed random numbers for E events and F flights, in standard deviations.

    Attributes:
        throw_place: shape (E, 3), left, up and forward, for each throw; 0 for other events.
        throw_time: shape (E,), for each throw; 0 for other events.
        landing: shape (F, 2), left and forward.
        flight_time: shape (F,).
    """

    throw_place: Floats
    throw_time: Floats
    landing: Floats
    flight_time: Floats


def _draw_noise(choreography: Choreography, roles: _EventRoles, amount: float, seed: int) -> _Noise:
    """Draw random numbers for throws and flights, correlated from one of a hand to its next one.

    Args:
        choreography: E events and F flights, whose `throw` and `catch` are rows of events.
        roles: roles of the events: which throw, and which keep their time and height.
        amount: factor of all numbers. With 1 their variance is 1, and less for throws of short
            flights.
        seed: seed of the random numbers.
    """
    events = choreography.events
    flights = choreography.flights
    random = np.random.Generator(np.random.PCG64(seed))
    # Columns: left, up, forward, time.
    throw_noise = _lag_one_correlated(
        random.standard_normal((len(events.time), 4)), events.hand, events.time, roles.throws
    )
    # Columns: left and forward where it lands, time.
    flight_count = len(flights.throw)
    flight_noise = amount * _lag_one_correlated(
        random.standard_normal((flight_count, 3)),
        events.hand[flights.throw],
        events.time[flights.throw],
        np.ones(flight_count, dtype=bool),
    )

    # The throws of an event vary in proportion to its shortest flight, if that is a short one.
    shortest = np.full(len(events.time), _SHORT_FLIGHT)
    np.minimum.at(shortest, flights.throw, flights.duration)
    throw_noise *= amount * (shortest / _SHORT_FLIGHT)[:, None]
    # Events at either end of a bouncing flight do not vary up and in time.
    throw_noise[roles.fixed] *= (1.0, 0.0, 1.0, 0.0)
    return _Noise(
        throw_place=throw_noise[:, :3],
        throw_time=throw_noise[:, 3],
        landing=flight_noise[:, :2],
        flight_time=flight_noise[:, 2],
    )


def _lag_one_correlated(values: Floats, hand: Integers, time: Floats, chosen: Booleans) -> Floats:
    """Give the random numbers of each hand a negative lag-one autocorrelation.

    Of each hand's numbers x in the order of time, y[i] = (x[i] − c·x[i−1]) / √(1 + c²) with c =
    `CORRECTION` has variance 1 again. Before the first comes the last, around the loop. The result
    is softly limited to ±`_MAX_STANDARD_DEVIATIONS`, one limit for each of the C numbers.

    Args:
        values: x, N rows of C separate numbers, shape (N, C), independent, of variance 1.
        hand: shape (N,), whose number each row is.
        time: shape (N,), which gives the order of a hand's rows, [s].
        chosen: shape (N,), which rows count. The others become 0, and are skipped where x[i−1] is
            looked for.

    Returns:
        y, shape (N, C), in the order of `values`.
    """
    # Chosen rows sorted by hand, then time. At each position in this order the rows of the same
    # hand are at the positions from `first` up to but without `end`.
    by_hand_and_time = np.lexsort((time, hand))
    rows = by_hand_and_time[chosen[by_hand_and_time]]
    first, end = (np.searchsorted(hand[rows], hand[rows], side=side) for side in ("left", "right"))
    position = np.arange(len(rows))
    previous_position = np.where(position == first, end - 1, position - 1)
    previous = values[rows[previous_position]]

    correlated = np.zeros_like(values)
    correlated[rows] = (values[rows] - CORRECTION * previous) / sqrt(1 + CORRECTION**2)
    return _soft_limit(correlated, np.array(_MAX_STANDARD_DEVIATIONS))


def _soft_limit(values: Floats, limit: Floats) -> Floats:
    """Limit values x smoothly to ±limit: x / (1 + |x/limit|⁶)^(1/6), of the shape of x.

    That is nearly x up to half of the limit, and then approaches the limit smoothly.

    Args:
        values: x, of any shape.
        limit: 0 or more, of a shape that broadcasts to it; may be infinite, which changes nothing.
    """
    # A limit of 0 would divide by 0; the tiny one instead of it leaves almost nothing of x.
    limited: Floats = values / (1 + np.abs(values / np.maximum(limit, 1e-12)) ** 6) ** (1 / 6)
    return limited


def _throw_delays(
    choreography: Choreography, roles: _EventRoles, own_delay: Floats, flight_delays: Floats
) -> tuple[Floats, Floats]:
    """Return the delays of throws, softly limited so that the throws of a hand keep their order.

    A throw is delayed by its own random delay, and by `ARRIVAL_DELAY_SHARE` (0.45) of the delay of
    the prop that the hand catches next.

    Args:
        choreography: E events and F flights, whose `throw` and `catch` are rows of events.
        roles: masks of events, shape (E,) each: `throws`, `catches`, and those whose time is
            `fixed`, as a prop bounces on the way to or from them.
        own_delay: shape (E,), random delay of each throw by itself, [s]; 0 for other events and for
            those at the ends of bouncing flights.
        flight_delays: shape (F,), how much longer each flight is, [s].

    Returns:
        Delays of events, interpolated between throws; and mean delays of the props that arrive at
        them, 0 without any. Both of shape (E,), [s]; below 0 for earlier.
    """
    flights = choreography.flights
    anchors = roles.throws | roles.fixed
    around = _NeighbouringAnchors.from_choreography(choreography, anchors)
    limit = _limits_of_throw_delays(flights, anchors, around)

    # Throws adapt to the delay of the hand's next throw or catch if that is a catch that may move.
    next_event = _NeighbouringAnchors.from_choreography(choreography, anchors | roles.catches).after
    adapts = roles.throws & ~roles.fixed & roles.movable_catches[next_event]
    arrival_share = np.where(adapts, ARRIVAL_DELAY_SHARE, 0.0)

    # Fixed-point iteration, as delays of throws and of arrivals depend on each other. Events that
    # are no anchors are not delayed here; they get interpolated ones at the end.
    arrival_delays = np.zeros_like(own_delay)
    for _iteration in range(_DELAY_ITERATIONS):
        unlimited = own_delay + arrival_share * arrival_delays[next_event]
        delays = np.where(anchors, _soft_limit(unlimited, limit), 0.0)
        arrival_delays = mean_by_event(
            flights.catch, delays[flights.throw] + flight_delays, len(own_delay)
        )
    return around.interpolated(delays), arrival_delays


def _limits_of_throw_delays(
    flights: Flights, anchors: Booleans, around: _NeighbouringAnchors
) -> Floats:
    """Return how far throws may be moved in time, by event, shape (E,), [s], above 0.

    Args:
        flights: `throw` and `catch` are rows of events.
        anchors: shape (E,) for E events, which events throw, or have a fixed time (at bouncing
            flights).
        around: for each event the last anchor of its hand at or before it (`before`), the next
            after that (`after`), and the time between the two (`gap`).
    """
    limit = np.full(len(anchors), np.inf)
    # Where several limits apply to one event, `np.minimum.at` keeps the least.
    limit_by_flight = _MAX_SHIFT_PER_FLIGHT * flights.duration
    np.minimum.at(limit, flights.throw, limit_by_flight)
    # If a throw moves, the hand's catches before and after it move too, which may shorten the
    # flights that end with these.
    np.minimum.at(limit, around.before[flights.catch], limit_by_flight)
    np.minimum.at(limit, around.after[flights.catch], limit_by_flight)
    # The gap from an anchor to the next limits both.
    limit_by_gap = _MAX_SHIFT_PER_THROW_GAP * around.gap[anchors]
    np.minimum.at(limit, around.before[anchors], limit_by_gap)
    np.minimum.at(limit, around.after[anchors], limit_by_gap)
    return limit


def _catch_delays(
    choreography: Choreography, roles: _EventRoles, delays: Floats, arrival_delays: Floats
) -> Floats:
    """Delay catches until their props arrive, as far as the gaps to neighbouring events allow.

    Args:
        choreography: its E events are read.
        roles: roles of the events: which throw, which catch, and which catches may move in time.
        delays: shape (E,), delays of events; those of catches are interpolated between throws, [s].
        arrival_delays: shape (E,), delays of the props that arrive at an event, [s].

    Returns:
        Delays of events, shape (E,), [s]; only those of catches that may move are changed.
    """
    anchors = roles.throws | roles.catches
    movable = roles.movable_catches
    # For a throw or catch, `after` is the row of its hand's next one, and `gap` the time until that
    # without delays, [s].
    around = _NeighbouringAnchors.from_choreography(choreography, anchors)

    # How far each throw or catch can move toward the next one of its hand, [s]: a share of the gap
    # t between them that grows with t, 0.8·t / (t + 0.12 s). If both may move, each has half of
    # that. The delays of throws keep the order of events, so t is above 0 at anchors; the values at
    # other events are not used.
    gap = around.gap + delays[around.after] - delays
    room = _MAX_SHIFT_PER_CATCH_GAP * gap**2 / (gap + _SHORT_CATCH_GAP)
    both_move = movable & movable[around.after]
    room_after = room / np.where(both_move, 2.0, 1.0)
    # The room before an event is the room after the one before it.
    room_before = np.zeros_like(room_after)
    room_before[around.after[anchors]] = room_after[anchors]

    # A shift is limited smoothly by the room in its direction, and is never larger.
    shift = arrival_delays - delays
    shifted = delays + _soft_limit(shift, np.where(shift > 0, room_after, room_before))
    return np.where(movable, shifted, delays)


def _in_catcher_frame(choreography: Choreography, offsets: Floats) -> Floats:
    """Turn displacements of throws from the throwing body's frame to the catching body's.

    Args:
        choreography: its F flights are read.
        offsets: displacement of each flight's throw, shape (F, 3), left, up and forward as seen
            from the throwing body, [m].

    Returns:
        Shape (F, 3), left, up and forward as seen from the catching body, [m]. Up is 0: how high a
        prop was thrown does not change the place where it comes down.
    """
    flights = choreography.flights
    facing = _facing_at_events(choreography)
    level_offsets = offsets * (1.0, 0.0, 1.0)
    return rotate_about_y(level_offsets, facing[flights.throw] - facing[flights.catch])


def _facing_at_events(choreography: Choreography) -> Floats:
    """Return which way the body of each event faces: its turn about +y, shape (E,), [rad].

    A keyframe is where a body stands and faces at one time. The turn is that of the body's last
    keyframe up to the event, or of its first if all are later. Between keyframes it is not
    interpolated, which is close enough for random displacements.

    Args:
        choreography: E events, and keyframes of bodies, which are sorted by juggler, then time.
    """
    events = choreography.events
    bodies = choreography.bodies
    juggler = events.juggler
    # Each juggler gets a time line that begins later than that of the juggler before has ended, so
    # one binary search finds the keyframes of all.
    timeline_length = 2 * choreography.duration
    keyframe_times = bodies.juggler * timeline_length + bodies.time
    event_times = juggler * timeline_length + events.time
    last = np.searchsorted(keyframe_times, event_times, side="right") - 1
    first = np.searchsorted(bodies.juggler, juggler)
    return bodies.facing[np.maximum(last, first)]


def _with_shifted_events(
    choreography: Choreography, delays: Floats, offsets: Floats
) -> Choreography:
    """Return the choreography with its events moved in time and place, and sorted by time again.

    Args:
        choreography: E events, and flights, whose `throw` and `catch` are rows of events.
        delays: shape (E,), how much later each event is, [s]; the events of a hand keep their
            order around the loop.
        offsets: shape (E, 3), displacement in the frame of the event's body: left, up and forward,
            [m].
    """
    events = choreography.events
    flights = choreography.flights

    # Times within the loop, and the new order of events.
    time, loops_later = times_in_loop(events.time + delays, choreography.duration)
    order = np.lexsort((events.kind, events.hand, time))
    rank = inverse_permutation(order)

    # The looks of props in their new order. Slices of an empty list of looks stay empty.
    looks = list(choreography.looks)
    for orbit, props in choreography.orbits_with_props:
        if orbit.flights:
            # The first prop of an orbit makes the orbit's first throw in this loop; the second has
            # made it in the loop before, and so on. If that throw moves to the next loop, this
            # loop's is made by the prop that has made the one before, the second: the looks rotate
            # by one, and likewise by any other number of loops.
            first_throw = flights.throw[orbit.flights[0]]
            shift = int(loops_later[first_throw]) % orbit.props
            orbit_looks = looks[props]
            looks[props] = orbit_looks[shift:] + orbit_looks[:shift]

    # The throw event that ends the carry after each flight.
    next_throw = flights.throw[choreography.flight_links.next_flight]
    moved = dataclasses.replace(events, time=time, position=events.position + offsets)
    return dataclasses.replace(
        choreography,
        events=moved.taken(order),
        flights=Flights(
            throw=rank[flights.throw],
            catch=rank[flights.catch],
            duration=flights.duration + (delays[flights.catch] - delays[flights.throw]),
            carry=flights.carry + (delays[next_throw] - delays[flights.catch]),
            style=flights.style,
        ),
        looks=tuple(looks),
    )
