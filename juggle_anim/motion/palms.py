"""Palms: how each hand is turned and how far it is closed, at any time.

A hand's turn is a yaw, a pitch and a roll. Fingers of a hand with none of them point level to where
its arm has them; the yaw turns them outward about the vertical, the pitch lifts them, and the roll
turns the hand about them: 0 has the palm up, a quarter turn toward the other hand, half a turn
down, as forearms turn. All channels pass knots at throws and catches and between them, as quintics
that stay within the range of their ends.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    BODY_THROWS,
    LONGEST_PATH,
    SLOWEST_BEAT,
    THROW,
    Choreography,
    Grasp,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.flight import FlightPaths, sink_depths
from juggle_anim.motion.piecewise import PiecewisePolynomial, monotone, successors, with_idle
from juggle_anim.motion.prop_shapes import CLUB_HELD, Grips, PropShapes
from juggle_anim.motion.spin import forearm_slope, held_pitch, outward_sign
from juggle_anim.vectors import dot, inverse_permutation, mean_by_event, unit_interval

CHANNELS = 8
"""Channels of a hand: yaw, pitch and roll, [rad]; how far fingers and thumb are closed, from 0 flat
to 1 a fist; the distance of the gripped point from the palm, how far it is below the place of the
hand, and how far behind the roots of the fingers, [m].
"""

TURN = slice(0, 3)
CLOSING = slice(3, 5)
HELD = slice(5, 8)
DISTANCE = 5
GRIP = slice(3, 8)
"""The channels that turn a hand, that close it, and that place what it holds, of which the first is
its distance; the grip both closes and places.
"""

# Columns of a turn.
_YAW = 0
_PITCH = 1
_ROLL = 2

# Columns of the shares of kinds of props.
_CLUB = 0
_RING = 1

# The last column of a grip: how far the gripped point is behind the roots of the fingers.
_BEHIND = 4

# In place of a share of a path around the body, of throws and catches without such a path.
_NO_PATH = -1.0

# Largest rate of change of each channel from knot to knot, per second.
MAX_RATES = np.array([22.0, 9.0, 22.0, 9.0, 9.0, 1.0, 0.5, 0.5])
_LONGEST_CHANGE = 0.7  # s, that any channel needs for its whole range
_MAX_DOUBLINGS = 16  # bound on the doublings of neighbourhoods that reach so far
# Time from throws and catches to inner knots, unless a share of the time between them is less, [s].
_KNOT_DISTANCE = 0.16
_MIN_SPEED = 1.5  # m/s, below which props do not decide where a palm faces
_MAX_FLICK = 0.2  # rad, by which the fingers of a hand go on up where it turns round
# By how much more fingers point down halfway through a turn of more than half a round: so far does
# no arm turn but with the hand below its elbow, [rad].
_HANGING = np.radians(60.0)
# A hand closes only by this share at catches and throws, and fully in between.
_CLOSED_AT_EVENTS = 0.75
# How far a palm draws back from a club or ring that it has thrown: the end of a handle, which turns
# toward the palm as the prop leaves, is as far from where it was held.
_WITHDRAWAL = CLUB_HELD  # m


@dataclass(frozen=True)
class Palms:
    """The turns of all hands, H of them.

    Args:
        paths: the paths of the `CHANNELS`.
        give_way: whether hands turn toward their forearms where wrists would bend sideways too
            far, by a rule that looks at one moment alone; False where some go around a body turned
            inward, or with no turn of their own, too fast for that rule.
        bend_by_plan: whether wrists of planned arms bend by their plan alone, and not by such a
            rule; True where somebody throws around a body, for which all arms are planned.
    """

    paths: PiecewisePolynomial
    give_way: bool = True
    bend_by_plan: bool = False

    def at(self, times: Floats, hands: Integers | None = None) -> Floats:
        """Return how hands are turned and closed at given times.

        Args:
            times: T times, shape (T,), [s]; any value, as the loop repeats.
            hands: shape (N,), indices 2 · juggler + side; None for all hands.

        Returns:
            Shape (T, N, `CHANNELS`): yaw, pitch and roll, [rad], and the other channels as
            `CHANNELS` has them; N is all hands if `hands` is None.
        """
        chosen = np.arange(len(self.paths.periods)) if hands is None else hands
        return self.paths.evaluate(*self.paths.locate(chosen, np.asarray(times)[:, None]))


def turn_palms(
    choreography: Choreography,
    shapes: PropShapes,
    hands: PiecewisePolynomial,
    flight_paths: FlightPaths,
) -> Palms:
    """Compute how hands turn and close over one loop, for the props they carry, throw and catch.

    How a hand is turned and closed is given by channels: yaw, pitch and roll, how far fingers and
    thumb are closed, and where the gripped point is in the hand.

    Args:
        choreography: the events, which repeat with the loop.
        shapes: kinds, sizes and grips of the props.
        hands: paths of the hands, in the frames of their bodies; a hand's index is
            2 · juggler + side, 0 left and 1 right.
        flight_paths: flight paths of the props.
    """
    # Turn and closing at throws and catches; then knots, the moments between which channels are
    # interpolated, which are these and two more in each gap: for each its hand, its time, [s], and
    # the values of all channels.
    points = _throws_and_catches(choreography, shapes, hands, flight_paths)
    hand, time, channels = _knots(points, choreography, hands)
    # Hands without throws and catches never turn or close.
    paths = with_idle(
        periods=np.full(len(choreography.rest), choreography.duration),
        path=hand,
        start=time,
        coefficients=_monotone_quintics(hand, time, channels, choreography.duration),
        idle_values=_idle_channels(choreography, shapes),
    )
    goes_around_body = choreography.events.body_throw is not None
    # The yaw is below 0 for hands turned inward.
    yaws_around_body = points.channels[points.body_throw > 0, _YAW]
    turns_outward = bool(yaws_around_body.size) and bool((yaws_around_body >= 0.0).all())
    return Palms(
        paths,
        give_way=turns_outward or not goes_around_body,
        bend_by_plan=goes_around_body,
    )


@dataclass(frozen=True)
class _ThrowsAndCatches:
    """Throws and catches by hand and time, N rows.

    Args:
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
        time: shape (N,), [s].
        is_throw: shape (N,), whether each is a throw.
        grasp: shape (N,), of `Grasp`.
        body_throw: shape (N,), row of `BODY_THROWS` counted from 1; 0 for usual throws and catches,
            and for rows that do not say how the hand is turned.
        kept_shares: shape (N, 2), for how much of the path to the event (column 0), and of that
            from it (column 1), the hand keeps its turn of the event, as shares from 0 to 1;
            `_NO_PATH` for an event that has no such paths.
        channels: shape (N, `CHANNELS`), of the hand at the event.
        grip: shape (N, 5), the channels `GRIP` when closed fully around the thrown or caught prop.
        give: shape (N,), how far the palm gives way at a catch, so that the prop can sink in, [m].
        withdrawal: shape (N,), how far the palm draws back after a throw, so that the prop can turn
            over as it leaves, [m].
        kind_shares: shape (N, 2), shares of clubs and of rings among the thrown or caught props, 0
            to 1.
        handle_pitch: shape (N,), `held_pitch` of the hand, [rad].
        slope: shape (N,), `forearm_slope` of the hand, [rad].
        tilt_share: shape (N,), the share of its tilt that a palm keeps: 1, or less with several
            props in the hand.
        style: the style of palms that carry balls, or nothing.
    """

    hand: Integers
    time: Floats
    is_throw: Booleans
    grasp: Integers
    body_throw: Integers
    kept_shares: Floats
    channels: Floats
    grip: Floats
    give: Floats
    withdrawal: Floats
    kind_shares: Floats
    handle_pitch: Floats
    slope: Floats
    tilt_share: Floats
    style: PalmStyle


def _throws_and_catches(
    choreography: Choreography,
    shapes: PropShapes,
    hands: PiecewisePolynomial,
    flight_paths: FlightPaths,
) -> _ThrowsAndCatches:
    """Compute how hands are turned and closed at all throws and catches.

    A turn is a yaw, a pitch and a roll. The closing is given by a grip: how far fingers and thumb
    are closed, and where the gripped point is in the hand.

    Args:
        choreography: E events, N of which throw or catch; and F flights between them.
        shapes: kinds, sizes and grips of the props.
        hands: paths of the hands, in the frames of their bodies; a hand's index is
            2 · juggler + side, 0 left and 1 right.
        flight_paths: flight paths of the props.

    Returns:
        The N throws and catches, sorted by hand, and by time within each hand.
    """
    events = choreography.events
    # All arrays have a row for each of the N throws and catches, and `event` is its row among the
    # E events.
    by_hand = events.by_hand
    event = by_hand[events.is_throw_or_catch[by_hand]]
    hand = events.hand[event]
    time = events.time[event]
    is_throw = events.kind[event] == THROW
    grasp = np.zeros(len(event), dtype=np.intp) if events.grasp is None else events.grasp[event]
    style = _palm_style(choreography)
    # What is thrown or caught: shares of clubs and of rings, the grip on it, and the share of its
    # tilt that the palm keeps.
    held = held_at_events(choreography, shapes, flight_paths, style)
    kind_shares = held.kind_shares[event]
    grip = held.grip[event]
    # Claws, which have the palm down, take props with the fingers: not behind their roots, clear of
    # props that pass the palm.
    grip[grasp == Grasp.CLAW, _BEHIND] = 0.0
    tilt_share = held.tilt_share[event]

    # Yaw, pitch and roll, shape (N, 3), [rad], by three rules, each of which overrides those before
    # where it applies: for hands that carry, for claws, and for throws and catches around the body.
    facing, approach = _facing_and_approach(choreography, event, hands, flight_paths)
    position = events.position[event]
    handle_pitch = held_pitch(hand, position)
    turn = carrying_turn(
        load_tilt=tilt_from_vertical(facing, hand, _MIN_SPEED),
        position=position,
        hand=hand,
        kind_shares=kind_shares,
        style=style,
        tilt_share=tilt_share,
        handle_pitch=handle_pitch,
    )
    turn = with_claws(turn, grasp, np.where(is_throw, AT_THROW, AT_CATCH), style)
    body_throw = np.zeros_like(grasp) if events.body_throw is None else events.body_throw[event]
    turn, body_throw, kept_shares = _with_body_turns(turn, body_throw)

    # A palm gives way at a catch so that the prop can sink in, and draws back from a club that it
    # throws, whose handle turns toward it; no other prop reaches the palm as it turns. Where
    # anybody goes around the body, hands have no room for either.
    give = np.zeros(len(event))
    withdrawal = np.zeros(len(event))
    if events.body_throw is None:
        give = np.where(is_throw, 0.0, _give_at_catches(approach, turn, hand))
        withdrawal = np.where(is_throw, _WITHDRAWAL * kind_shares[:, _CLUB], 0.0)
    # All channels of the hand: its turn; fingers and thumb, closed partly; and where the gripped
    # point is, whose `DISTANCE` from the palm grows as the palm gives way.
    channels = np.concatenate([turn, partly_closed(grip, _CLOSED_AT_EVENTS)], axis=1)
    channels[:, DISTANCE] += give
    return _ThrowsAndCatches(
        hand=hand,
        time=time,
        is_throw=is_throw,
        grasp=grasp,
        body_throw=body_throw,
        kept_shares=kept_shares,
        channels=channels,
        grip=grip,
        give=give,
        withdrawal=withdrawal,
        kind_shares=kind_shares,
        handle_pitch=handle_pitch,
        slope=forearm_slope(hand, position),
        tilt_share=tilt_share,
        style=style,
    )


def _facing_and_approach(
    choreography: Choreography,
    event: Integers,
    hands: PiecewisePolynomial,
    flight_paths: FlightPaths,
) -> tuple[Floats, Floats]:
    """Return where palms face at throws and catches, and how fast hands approach the props.

    A palm faces where its prop goes at a throw, along the velocity of the hand, and where it comes
    from at a catch, against the mean velocity of the props that arrive.

    Args:
        choreography: E events, and F flights between them.
        event: rows of N throws and catches among the events, shape (N,).
        hands: paths of the hands, in the frames of their bodies.
        flight_paths: velocities of the props as they arrive.

    Returns:
        Directions in which palms face, not of unit length; and velocities of the hands relative to
        the props that arrive, which at throws are not to be used: shape (N, 3) each, [m/s], in the
        frames of the bodies.
    """
    events = choreography.events
    arrival_by_event = mean_by_event(
        choreography.flights.catch, flight_paths.grip_arrival, len(events.time)
    )
    arrival = arrival_by_event[event]
    located = hands.locate(events.hand[event], events.time[event])
    hand_velocity = hands.evaluate(*located, derivative=1)
    is_throw = (events.kind[event] == THROW)[:, None]
    return np.where(is_throw, hand_velocity, -arrival), hand_velocity - arrival


def _give_at_catches(approach: Floats, turn: Floats, hand: Integers) -> Floats:
    """How far palms give way at catches, as far as the props sink in, shape (N,), [m].

    Args:
        approach: velocity of each hand relative to the props that arrive, shape (N, 3), [m/s]; only
            its part along the direction in which the palm faces counts.
        turn: yaw, pitch and roll of the hands, shape (N, 3), [rad].
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
    """
    toward_palm = dot(approach, _palm_directions(turn, hand))[:, 0]
    return sink_depths(np.maximum(0.0, toward_palm))


class _BodyTurns(NamedTuple):
    """Turns of hands at N throws and catches, some of them around the body.

    Args:
        turn: yaw, pitch and roll, shape (N, 3), [rad].
        body_throw, kept_shares: the fields of `_ThrowsAndCatches` with these names.
    """

    turn: Floats
    body_throw: Integers
    kept_shares: Floats


def _with_body_turns(turn: Floats, body_throw: Integers) -> _BodyTurns:
    """Turn hands that throw or catch around the body, as behind the back, as `BODY_THROWS` says.

    That table has a row for each way to throw or catch around the body: its `turn`, in [°], and the
    shares `keeps` of the hand's paths to and from it in which the hand keeps that turn. If a row
    names no turn, the hand stays as in `turn`, and the throw or catch counts as a usual one from
    here.

    Args:
        turn: yaw, pitch and roll by the grasps at N throws and catches, shape (N, 3), [rad].
        body_throw: row of `BODY_THROWS` of each, counted from 1, shape (N,); 0 for usual ones.

    Returns:
        The turns; `body_throw` with 0 also where a row names no turn; and, shape (N, 2), the shares
        of the hand's paths to and from each event in which it keeps its turn, or `_NO_PATH`.
    """
    kept_shares = np.full((len(turn), 2), _NO_PATH)
    is_turned = np.zeros(len(turn), dtype=bool)
    for row in sorted(set(body_throw[body_throw > 0].tolist())):
        entry = BODY_THROWS[row - 1]
        if entry.turn is not None:
            has_row = body_throw == row
            is_turned |= has_row
            turn = np.where(has_row[:, None], np.radians(entry.turn), turn)
            if entry.keeps is not None:
                kept_shares[has_row] = entry.keeps
    return _BodyTurns(turn, np.where(is_turned, body_throw, 0), kept_shares)


def _palm_style(choreography: Choreography) -> PalmStyle:
    """Rules for turning palms, by who juggles and whether anybody throws around the body."""
    if choreography.as_juggling_lab:
        return JUGGLING_LAB_PALMS
    return NATURAL_PALMS if choreography.events.body_throw is None else PALMS_AROUND_BODY


def _idle_channels(choreography: Choreography, shapes: PropShapes) -> Floats:
    """Turn and closing that each hand has if it neither throws nor catches in the loop.

    They are turned as empty hands at ease. They are closed as empty hands, too, or around a prop if
    they hold one all the time.

    Args:
        choreography: the orbits, each the path of one or more props; one without flights is a prop
            that stays in a hand.
        shapes: kinds, sizes and grips of the props, in the order of the orbits.

    Returns:
        Shape (number of hands, `CHANNELS`): yaw, pitch and roll, [rad]; how far fingers and thumb
        are closed, 0 to 1; and where the gripped point is in the hand, [m].
    """
    style = _palm_style(choreography)
    at_ease = np.concatenate([style.empty, EMPTY_CLOSED, (shapes.palm_distance, 0.0, 0.0)])
    channels = np.tile(at_ease, (len(choreography.rest), 1))
    # An orbit without flights is one prop that stays in one hand.
    grips = grips_on(shapes, style)
    for orbit, props in choreography.orbits_with_props:
        if not orbit.flights:
            # `props` is the range of the orbit's props, here of one.
            channels[orbit.hand, GRIP] = grips[props.start]
    return channels


class _Knots(NamedTuple):
    """Values of the channels of hands at K knots, sorted by hand and then by time.

    Attributes:
        hand: index of the hand, 2 · juggler + side, shape (K,).
        time: time in the loop, shape (K,), [s].
        channels: yaw, pitch and roll, [rad], how far fingers and thumb are closed, and where the
            gripped point is in the hand, [m], shape (K, `CHANNELS`).
    """

    hand: Integers
    time: Floats
    channels: Floats


def _knots(
    points: _ThrowsAndCatches, choreography: Choreography, hands: PiecewisePolynomial
) -> _Knots:
    """Place the knots of all channels: throws and catches, and two between each and the next.

    Knots are the times, with the values there, between which channels are interpolated. Channels
    are the turn of a hand, and how it is closed. At the knots in between, a carrying hand leans
    with its load, and an empty one is at ease. Finally the rates of change of all channels are
    limited.

    Args:
        points: N throws and catches, with the channels of their hands.
        choreography: the tempo, gravity and loop.
        hands: paths of the hands, in the frames of their bodies.

    Returns:
        3N knots.
    """
    # A gap is the time from a throw or catch to the next of the same hand. All arrays up to the
    # sorting below are by gap, which has the index of the point at its start; `gap_end` is the
    # index of the point at its end.
    loop = choreography.duration
    gap_end, gap = successors(points.hand, points.time, loop)
    gap_start = np.arange(len(gap_end))
    # In a gap from a throw to a catch the hand is taken as empty, in all others it carries.
    is_carry = ~points.is_throw | points.is_throw[gap_end]
    # How far the inner knots are from the ends of their gap, [s]: in a short gap a third of it, so
    # that they divide it evenly; an empty hand of some styles takes more of it to raise its
    # fingers.
    knot_distance = np.minimum(
        _KNOT_DISTANCE, np.where(is_carry, 1 / 3, points.style.raising) * gap
    )

    # Two inner knots in each gap, one near its start and one near its end, `elapsed` after its
    # start. Around the body a hand may begin to turn later than `knot_distance` after the start of
    # the gap, or have finished earlier before its end: then a knot is there.
    turn_begins, turn_ends = _hand_turning_times(points, gap_end, gap, choreography.bps)
    # The prop held within a gap is that of the catch at its start, or else of the throw at its end.
    # (It is not read for the gaps in which the hand is empty.)
    point_with_prop = np.where(points.is_throw, gap_end, gap_start)
    channels = [points.channels]
    times = [points.time]
    for elapsed, nearer_end in (
        (np.maximum(knot_distance, turn_begins), gap_start),
        (np.minimum(gap - knot_distance, turn_ends), gap_end),
    ):
        moment = _MomentInGap(
            points,
            gap_end=gap_end,
            prop_row=point_with_prop,
            turned_share=unit_interval((elapsed - turn_begins) / (turn_ends - turn_begins)),
        )
        # Mean force per mass on the carried props, [m/s²], and the hand's position, [m].
        force, position = _load_force(
            choreography, hands, points.hand, time=points.time + elapsed, duration=knot_distance
        )
        channels.append(
            np.where(
                is_carry[:, None],
                moment.carrying(nearer_end, force, position, choreography.gravity),
                moment.empty(nearer_end, force, position),
            )
        )
        times.append((points.time + elapsed) % loop)

    # Sorted, as a knot near the end of the loop may have wrapped to its beginning.
    hand = np.tile(points.hand, 3)
    time = np.concatenate(times)
    order = np.lexsort((time, hand))
    hand = hand[order]
    time = time[order]
    values = np.concatenate(channels)[order]
    return _Knots(hand, time, _with_limited_rates(hand, time, values, loop))


def _hand_turning_times(
    points: _ThrowsAndCatches, following: Integers, gap: Floats, bps: float
) -> tuple[Floats, Floats]:
    """Return when hands begin and finish turning between each throw or catch and the next.

    Usually a hand turns during the whole gap between the two. A throw or catch around the body may
    have a path from it and a path to it, which take a limited time. After such an event the hand
    first keeps its turn for a share of that path, then turns, and has finished at the end of the
    path even if the gap lasts longer. Before such an event it begins to turn with the path to it,
    and has finished when the last share of that path begins.

    Args:
        points: N throws and catches. `kept_shares`, shape (N, 2), has the shares of the path to
            each (column 0) and of that from it (column 1) in which the hand keeps its turn;
            `_NO_PATH`, which is below 0, for an event without such paths.
        following: shape (N,), row of the next throw or catch of the same hand.
        gap: shape (N,), time until that, [s].
        bps: the tempo, [beats/s].

    Returns:
        Begin and end of the turning, since the throw or catch of each row, shape (N,) each, [s].
    """
    # A path around the body takes up to `LONGEST_PATH` beats, and at slow tempos no longer than
    # with beats of `SLOWEST_BEAT`, [s].
    path_time = np.minimum(gap, LONGEST_PATH * min(1.0 / bps, SLOWEST_BEAT))
    # A share of 0 means that there is a path, but the hand turns all through it.
    kept_after = points.kept_shares[:, 1]
    kept_before_next = points.kept_shares[following, 0]
    has_path_after = kept_after >= 0.0
    has_path_before_next = kept_before_next >= 0.0
    # Each path limits the turning at both of its ends. Where there are two, the turning begins by
    # the path after the event, and ends by the path before the next one.
    begins = np.where(has_path_before_next, gap - path_time, 0.0)
    begins = np.where(has_path_after, kept_after * path_time, begins)
    ends = np.where(has_path_after, path_time, gap)
    ends = np.where(has_path_before_next, gap - kept_before_next * path_time, ends)
    return begins, ends


def _load_force(
    choreography: Choreography,
    hands: PiecewisePolynomial,
    hand: Integers,
    time: Floats,
    duration: Floats,
) -> tuple[Floats, Floats]:
    """Return the mean force per mass with which hands push their props, and the hands' positions.

    The force per mass is the acceleration of the hand plus gravity upward. All vectors are in the
    frames of the bodies, whose own motion is neglected.

    Args:
        choreography: the choreography, read for its gravity, [m/s²].
        hands: paths of the hands, in the frames of their bodies.
        hand: indices of hands for N intervals, shape (N,).
        time: shape (N,), middles of the intervals over which the mean is taken, [s]; any value, as
            the loop repeats.
        duration: shape (N,), lengths of these, [s].

    Returns:
        Forces per mass, [m/s²], and positions of the hands at `time`, [m], shape (N, 3) each.
    """
    velocity_before = hands.evaluate(*hands.locate(hand, time - duration / 2), derivative=1)
    velocity_after = hands.evaluate(*hands.locate(hand, time + duration / 2), derivative=1)
    # The mean over the interval, from the velocities at its ends.
    mean_acceleration = (velocity_after - velocity_before) / np.maximum(duration, 1e-9)[:, None]
    force = mean_acceleration + (0.0, choreography.gravity, 0.0)
    return force, hands.evaluate(*hands.locate(hand, time))


@dataclass(frozen=True)
class _MomentInGap:
    """One moment in each of N gaps, from a throw or catch to the next of the same hand.

    Args:
        points: the throws and catches at which the gaps begin, N rows.
        gap_end: shape (N,), row of the throw or catch at which each gap ends.
        prop_row: shape (N,), row of the throw or catch, at the start or the end of the gap, whose
            prop the hand holds during the gap; any row where the hand is empty.
        turned_share: shape (N,), how far the hand has turned from its turn at the start of the gap,
            0, to that at the end, 1.
    """

    points: _ThrowsAndCatches
    gap_end: Integers
    prop_row: Integers
    turned_share: Floats

    def carrying(
        self, nearer_end: Integers, force: Floats, position: Floats, gravity: float
    ) -> Floats:
        """Channels that hands have at this moment if they carry, shape (N, `CHANNELS`).

        Channels are yaw, pitch and roll, [rad], how far fingers and thumb are closed, and where the
        gripped point is in the hand, [m]. They are computed for all gaps, though in some the hand
        is empty; the caller leaves those out. A palm tilts with the force on its load, so that the
        load presses straight into it.

        Args:
            nearer_end: row of the nearer end of each of N gaps, shape (N,); if that is a
                catch, the palm still gives way.
            force: shape (N, 3), mean force per mass on the load, [m/s²].
            position: shape (N, 3), of the hands in the frames of their bodies, [m].
            gravity: [m/s²]; half of it is the least vertical force with which the lean is computed,
                so that a palm under a load that is nearly weightless leans only a little.
        """
        points = self.points
        # Hands with clubs or rings pitch as what they hold does: evenly from the pitch at the catch
        # to that at the throw, plus the difference between the slope of the forearm here and the
        # one that it would have here if it, too, changed evenly.
        even_pitch = self._evenly_changed(points.handle_pitch)
        even_slope = self._evenly_changed(points.slope)
        slope = forearm_slope(points.hand, position)
        # Yaw, pitch and roll of palms that lean with their load or follow a handle.
        turn = carrying_turn(
            load_tilt=tilt_from_vertical(force, points.hand, gravity / 2),
            position=position,
            hand=points.hand,
            kind_shares=points.kind_shares[self.prop_row],
            style=points.style,
            tilt_share=points.tilt_share[self.prop_row],
            handle_pitch=even_pitch + slope - even_slope,
        )
        # Claws have turns of their own in place of these. On ways around the body, also of claws,
        # the turn changes evenly from that at the one end of the gap to that at the other.
        turn = with_claws(turn, points.grasp[self.prop_row], CARRYING, points.style)
        turn = np.where(self._goes_around_body()[:, None], self._interpolated_turn(), turn)
        # Closed fully around the prop; the palm is farther from it where it still gives way.
        channels = np.concatenate([turn, points.grip[self.prop_row]], axis=1)
        channels[:, DISTANCE] += points.give[nearer_end]
        return channels

    def empty(self, nearer_end: Integers, force: Floats, position: Floats) -> Floats:
        """Channels that hands have at this moment if they are empty, shape (N, `CHANNELS`).

        Channels are yaw, pitch and roll, [rad], how far fingers and thumb are closed, and where the
        gripped point is in the hand, [m]. They are computed for all gaps, though in some the hand
        carries; the caller leaves those out.

        Args:
            nearer_end: row of the nearer end of each of N gaps, shape (N,). Its grasp decides
                whether the hand is at ease as a claw or palm up; its grip says where in the hand
                the gripped point is, and its withdrawal how much farther the palm is from that.
            force: shape (N, 3), mean acceleration of the hands plus gravity upward, [m/s²].
            position: shape (N, 3), of the hands in the frames of their bodies, [m].
        """
        points = self.points
        # At ease the fingers point up where the hand is high. A hand that turns round at the top of
        # its way accelerates down, so the upward part of `force` is negative there at high
        # accelerations: then the fingers go up a little more, by `flick` radians for each m/s².
        turn = np.tile(points.style.empty, (len(nearer_end), 1))
        turn[:, _PITCH] = resting_pitch(position, points.hand, points.style, points.tilt_share)
        upward_force = force[:, 1]
        turn[:, _PITCH] += np.clip(-points.style.flick * upward_force, 0.0, _MAX_FLICK)
        # A hand between a throw and a catch of rings keeps near to the yaw and the roll that it has
        # at these, palm upright, so that its thumb is never in the way of a ring.
        interpolated = self._interpolated_turn()
        ring_share = points.kind_shares[nearer_end, _RING]
        for column in (_YAW, _ROLL):
            turn[:, column] += ring_share * (interpolated - turn)[:, column]
        at_ease = with_claws(turn, points.grasp[nearer_end], AT_EASE, points.style)
        # A hand that changes its grasp, or goes around the body, has no time to be at ease: it
        # turns evenly during the whole gap. Fingers that hold nothing are closed as at ease: 0 is
        # the share of the grip.
        turns_over = (points.grasp != points.grasp[self.gap_end]) | self._goes_around_body()
        turn = np.where(turns_over[:, None], interpolated, at_ease)
        channels = np.concatenate([turn, partly_closed(points.grip[nearer_end], 0.0)], axis=1)
        channels[:, DISTANCE] += points.withdrawal[nearer_end]
        return channels

    def _goes_around_body(self) -> Booleans:
        """Whether hands come from or go to a body throw or catch, shape (N,)."""
        is_body_throw: Booleans = self.points.body_throw > 0
        return is_body_throw | is_body_throw[self.gap_end]

    def _evenly_changed(self, angle: Floats) -> Floats:
        """Angles that change with `turned_share`, from throw or catch to the next, (N,), [rad].

        Args:
            angle: shape (N,), at the throws and catches, [rad].
        """
        return angle + self.turned_share * (angle[self.gap_end] - angle)

    def _interpolated_turn(self) -> Floats:
        """Yaw, pitch and roll between the two ends of each gap, shape (N, 3), [rad].

        They change linearly with `turned_share`. Where the yaw changes by more than half a round,
        as on the way to a penguin, the fingers also hang down, by a parabola that is 0 at both ends
        and deepest halfway, `_HANGING`.
        """
        share = self.turned_share
        start = self.points.channels[:, TURN]
        end = self.points.channels[self.gap_end, TURN]
        turn = start + share[:, None] * (end - start)
        hangs = _HANGING * (np.abs(end - start)[:, _YAW] > np.pi)
        turn[:, _PITCH] -= 4.0 * share * (1.0 - share) * hangs
        return turn


def _with_limited_rates(hand: Integers, time: Floats, channels: Floats, loop: float) -> Floats:
    """Limit the rate of change between successive knots to `MAX_RATES` in each channel.

    Channels are angles of the hand, [rad], how far its fingers are closed, and lengths, [m]. The
    result is the mean of two envelopes that both keep to the rates: the greatest values that are
    nowhere above the given ones, and the least values that are nowhere below them. The first, at a
    knot, is the minimum over all knots of the same hand of their value plus rate times distance in
    time; the second, likewise, the maximum of value minus rate times distance. Both are found by
    pointer doubling: first each knot takes the minimum with its neighbour, then with the knot two
    away, which has done the same, then four away, and so on.

    Args:
        hand: index of the hand of each of N knots, ascending, shape (N,).
        time: shape (N,), [s], ascending within each hand.
        channels: shape (N, `CHANNELS`), values at the knots.
        loop: duration of the loop, [s], after which the knots repeat.

    Returns:
        Shape (N, `CHANNELS`), the limited channels.
    """
    following, gap = successors(hand, time, loop)  # the hand's next knot, and the time until it
    preceding = inverse_permutation(following)
    lowest = channels
    highest = channels
    # Limits from the knots ahead, then from those behind; `distance` is the time to `neighbour`.
    for neighbour, distance in ((following, gap), (preceding, gap[preceding])):
        lower_envelope = channels
        upper_envelope = channels
        for _ in range(_MAX_DOUBLINGS):
            step = MAX_RATES * distance[:, None]
            lower_envelope = np.minimum(lower_envelope, lower_envelope[neighbour] + step)
            upper_envelope = np.maximum(upper_envelope, upper_envelope[neighbour] - step)
            # Knots farther away limit nothing: there is time for the whole range of each channel.
            # (Without any knots the minimum is `_LONGEST_CHANGE`, which also ends the loop.)
            if distance.min(initial=_LONGEST_CHANGE) >= _LONGEST_CHANGE:
                break
            # Next, compare with knots twice as many steps away.
            distance = distance + distance[neighbour]
            neighbour = neighbour[neighbour]
        lowest = np.minimum(lowest, lower_envelope)
        highest = np.maximum(highest, upper_envelope)
    return (lowest + highest) / 2


def _monotone_quintics(hand: Integers, time: Floats, values: Floats, loop: float) -> Floats:
    """Interpolate knots of closed curves by monotone quintics, from each knot to the next.

    The curve stays between the values of its knots; its second derivative is 0 at them.

    Args:
        hand: the curve of each of N knots, one for each hand, ascending, shape (N,).
        time: shape (N,), [s], ascending within each hand.
        values: shape (N, C), of C channels.
        loop: duration of the loop, [s], after which the curves close.

    Returns:
        Shape (N, 6, C), coefficients by ascending powers of the time since each knot, [s].
    """
    following, gap = successors(hand, time, loop)
    # Two knots at the same time must not divide by 0.
    curves = monotone(following, np.maximum(gap, 1e-9), values[following] - values)
    curves[:, 0] = values
    return curves


@dataclass(frozen=True)
class PalmStyle:
    """The pose of palms that carry balls, or nothing.

    Args:
        inward: roll toward the other hand under a ball at rest, [rad].
        max_tilt: largest tilt of a palm that carries a ball: its roll, and its pitch, shape (2,),
            [rad].
        slope_share: share of the slope of a hand at ease that its palm follows; hands that dip less
            follow it less.
        empty: yaw, pitch and roll of an empty hand at ease, shape (3,), [rad].
        claw: roll of a claw, over half a turn.
        raising: share of a short time between throw and catch in which the fingers of an empty hand
            go up, and down.
        flick: how far they continue up while their hand turns round, for its downward acceleration,
            [rad·s²/m]; so its wrist turns round later and more gently.
        club: yaw, pitch and roll of hands under the handle of a club, shape (3,), [rad]: with
            `CLUB_PITCH` it lies across the palm at 50°, from the root of the index finger to the
            heel, so that all fingers go round it.
        ring: angle by which hands are turned outward of the ring that they hold, [rad]. As the
            thumb slopes out of the palm by as much, it lies flat on one side of the ring.
        behind: distance behind the roots of the fingers at which the held points of balls, clubs
            and rings are, shape (3,), [m]: a ball lies in the hollow of the palm, so that fingers
            go round it, and the rim of a ring in the fork of the thumb, so that they hook around
            its inner edge.
    """

    inward: float
    max_tilt: Floats
    slope_share: float
    empty: Floats
    claw: float = 1.0
    raising: float = 1 / 3
    flick: float = 0.0
    club: Floats = field(default_factory=lambda: np.radians([-13.0, -32.0, 60.0]))
    ring: float = np.radians(23.0)
    behind: Floats = field(default_factory=lambda: np.array([0.010, 0.018, 0.016]))


NATURAL_PALMS = PalmStyle(
    inward=np.radians(40.0),
    max_tilt=np.radians([45.0, 45.0]),
    slope_share=1.3,
    empty=np.radians([0.0, 4.0, 38.0]),
    claw=0.92,
    raising=0.44,
    flick=0.002,
)
"""As recorded jugglers tilt theirs inward, by 30 to 45°: so a forearm need not turn as far as it
can.
"""

PALMS_AROUND_BODY = replace(
    NATURAL_PALMS, club=np.radians([0.0, 0.0, 28.0]), behind=np.array([0.0, 0.0, 0.009])
)
"""Where hands throw around the body: balls and handles lie on the fingers, which reach farther, and
handles along them, so that they pass close by legs.
"""

JUGGLING_LAB_PALMS = PalmStyle(
    inward=0.0,
    max_tilt=np.radians([38.0, 55.0]),
    slope_share=0.65,
    empty=np.radians([0.0, 4.0, 24.0]),
)
"""For Juggling Lab's places, where hands dip less."""

AT_CATCH, CARRYING, AT_THROW, AT_EASE = range(4)
"""Moments at which claws are turned differently."""

# Yaw, pitch and roll of claws by moment, shape (4, 3). A prop that passes their fingers needs these
# upright.
_CLAW_TURNS = np.radians(
    [[0.0, 48.0, 180.0], [0.0, 2.0, 180.0], [0.0, 60.0, 180.0], [0.0, 80.0, 176.0]]
)

EMPTY_CLOSED = np.array([0.16, 0.1])
"""How far the fingers and the thumb of an empty hand are closed."""

# How far fingers and thumb are closed, 0 to 1: clubs are held in a fist, a ring lies between flat
# fingers and the thumb.
_CLUB_CLOSED = np.array([1.0, 1.0])
_RING_CLOSED = np.array([0.02, 0.72])
_BALL_FINGERS = 0.0140  # m, over the radius of a ball: how far fingers close on it
_BALL_THUMB = 0.5

# Shares of its tilt that a palm with several props keeps, so that none rolls off.
_TILT_WITH_SEVERAL = 0.1  # of its lean with the load
_INWARD_WITH_SEVERAL = 0.6  # of its roll inward at rest
_SLOPE_WITH_SEVERAL = 0.5  # of its slope


def _palm_directions(turn: Floats, hand: Integers) -> Floats:
    """Unit vectors out of palms whose fingers point ahead, nearly, shape (N, 3).

    Args:
        turn: yaw, pitch and roll, shape (N, 3), [rad].
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
    """
    _, pitch, roll = turn.T
    inward = -outward_sign(hand)
    level = np.cos(roll)
    return np.stack([inward * np.sin(roll), level * np.cos(pitch), -level * np.sin(pitch)], axis=1)


def tilt_from_vertical(direction: Floats, hand: Integers, min_up: float) -> Floats:
    """Return the tilt of directions from the vertical, inward and forward, shape (N, 2), [rad].

    Args:
        direction: shape (N, 3) for N directions, in the frame of the body: x to its left, y up, z
            forward.
        hand: shape (N,), 2 · juggler + side; inward is toward the other hand, −x for left ones.
        min_up: lower bound of the vertical part, above 0, in the unit of `direction`; so a
            direction that is short tilts only a little, and one that points down tilts as if it
            were level.

    Returns:
        Shape (N, 2): angle inward, toward the other hand, and angle forward, each in −π/2 to π/2.
    """
    inward = -outward_sign(hand)
    horizontal = np.stack([inward * direction[:, 0], direction[:, 2]], axis=1)
    return np.arctan(horizontal / np.maximum(direction[:, 1:2], min_up))


def carrying_turn(
    load_tilt: Floats,
    position: Floats,
    hand: Integers,
    kind_shares: Floats,
    style: PalmStyle,
    tilt_share: float | Floats = 1.0,
    handle_pitch: Floats | None = None,
) -> Floats:
    """Yaw, pitch and roll of palms that carry, shape (N, 3), [rad].

    Palms under balls lean with their load; hands with clubs or rings follow the handle.

    Args:
        load_tilt: shape (N, 2) for N hands, angles of the force on the load from the vertical,
            inward and forward, [rad].
        position: shape (N, 3), of the hand in the frame of its body, [m].
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
        kind_shares: shape (N, 2), of clubs and of rings in the load, 0 to 1.
        style: rules of the hand style for turning palms.
        tilt_share: shape (N,), share of the load's tilt that each palm follows, below 1 with
            several props, so that none rolls off; or one number for all.
        handle_pitch: the pitch of fingers along a handle, shape (N,), [rad]; None for
            `held_pitch`.
    """
    # The share of props with a handle, clubs and rings, in the load. The other props are balls.
    handle_share = kind_shares.sum(axis=1)
    if handle_pitch is None:
        handle_pitch = held_pitch(hand, position)
    tilt = _carrying_tilt(load_tilt, position, hand, handle_share, style, tilt_share)

    # The tilt is blended with the turn for clubs and rings, in proportion to their share. Their
    # pitch is that of the handle. With clubs the roll is half of the tilt's, and the turn of the
    # style is added; rings stand upright however their load leans, so palms against them do, too.
    pitch = handle_share * handle_pitch + (1 - handle_share) * tilt[:, 1]
    club_share, ring_share = kind_shares.T
    roll = (1 - 0.5 * club_share - ring_share) * tilt[:, 0]
    turn = np.stack([np.zeros_like(pitch), pitch, roll], axis=1)
    turn += club_share[:, None] * style.club
    # The plane of a ring is upright, and a hand with one has the yaw `style.ring`, α, from there.
    # The fingers lie flat on the ring if the direction across them, about which they bend, is in
    # that plane. With the roll r and the pitch p it is off it by cos r cos α − sin r sin p sin α,
    # so cot r = sin p tan α.
    turn[:, _YAW] += ring_share * style.ring
    ring_roll = np.pi / 2 - np.arctan(np.sin(handle_pitch) * np.tan(style.ring))
    turn[:, _ROLL] += ring_share * ring_roll
    return turn


def _carrying_tilt(
    load_tilt: Floats,
    position: Floats,
    hand: Integers,
    handle_share: Floats,
    style: PalmStyle,
    tilt_share: float | Floats,
) -> Floats:
    """Tilt of palms with their load, before hands turn toward handles, shape (N, 2), [rad].

    It is a roll, positive inward, and a pitch, positive with the fingers up, and lies within the
    ellipse whose half axes are the largest roll and pitch of the style.

    Args:
        load_tilt: shape (N, 2) for N hands, angles of the force on the load, the props in the hand,
            from the vertical, inward and forward, [rad].
        position: shape (N, 3), of the hand in the frame of its body, [m].
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
        handle_share: shape (N,), share of clubs and rings, which have handles, in the load, 0 to 1.
            It only lessens the roll at rest, which palms have under balls.
        style: rules of the hand style for turning palms.
        tilt_share: shape (N,), share of the load's tilt that each palm follows, below 1 with
            several props, so that none rolls off; or one number for all.
    """
    # A `tilt_share` below 1 means several props, which need a palm that rolls inward less at rest,
    # too.
    inward = style.inward * np.where(np.asarray(tilt_share) < 1, _INWARD_WITH_SEVERAL, 1.0)
    roll = tilt_share * load_tilt[:, 0] + (1 - handle_share) * inward
    # A palm that leans forward has its fingers down, hence the minus; the pitch that the hand has
    # at ease at its height is added.
    pitch = resting_pitch(position, hand, style, tilt_share) - tilt_share * load_tilt[:, 1]
    tilt = np.stack([roll, pitch], axis=1)
    # Softly limited to an ellipse, whose half axes are the largest roll and pitch of the style: in
    # shares of these a tilt t becomes t tanh(|t|) / |t|. Where t is 0, so is tanh, and 1e-9 only
    # avoids 0 / 0.
    length = np.linalg.norm(tilt / style.max_tilt, axis=1, keepdims=True)
    tilt *= np.tanh(length) / np.maximum(length, 1e-9)
    return tilt


def resting_pitch(
    position: Floats, hand: Integers, style: PalmStyle, tilt_share: float | Floats = 1.0
) -> Floats:
    """Pitch of palms with balls or nothing, shape (N,), [rad]: fingers up where hands are high.

    That is a share of the pitch of fingers along a handle, `held_pitch`, softly limited to the
    style's largest pitch p by p tanh(pitch / p). The share is smaller where `tilt_share` is below
    1, which stands for a hand with several props.

    Args:
        position: positions of N hands in the frames of their bodies, shape (N, 3), [m].
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
        style: rules of the hand style for turning palms: how much they follow the slope of the
            hand, and the largest pitch.
        tilt_share: shape (N,), share of the load's tilt that each palm follows, or one number for
            all; only whether it is below 1 counts.
    """
    share = style.slope_share * np.where(np.asarray(tilt_share) < 1, _SLOPE_WITH_SEVERAL, 1.0)
    pitch: Floats = share * held_pitch(hand, position)
    return style.max_tilt[1] * np.tanh(pitch / style.max_tilt[1])


def with_claws(
    turn: Floats, grasp: Integers, moment: int | Integers, style: PalmStyle = JUGGLING_LAB_PALMS
) -> Floats:
    """Replace the turns of claws, hands with the palm down, among the turns of N hands.

    Args:
        turn: shape (N, 3) for N hands, yaw, pitch and roll with the palm up, [rad].
        grasp: shape (N,), of `Grasp`; all except claws stay as in `turn`.
        moment: `AT_CATCH`, `CARRYING`, `AT_THROW` or `AT_EASE`, one for all or shape (N,).
        style: rules of the hand style for turning palms; its `claw` is how far claws are rolled
            over, 1 for half a turn.

    Returns:
        Turns of all hands, shape (N, 3), [rad].
    """
    # Only the roll depends on the style.
    claw_turn = _CLAW_TURNS[moment] * (1.0, 1.0, style.claw)
    return np.where((grasp == Grasp.CLAW)[:, None], claw_turn, turn)


class HeldAtEvents(NamedTuple):
    """The props that hands throw or catch at E events, and the other props they hold.

    `kind_shares` and `grip` are 0 at events that neither throw nor catch.

    Args:
        kind_shares: shape (E, 2), shares of clubs and of rings among the props, 0 to 1.
        grip: shape (E, 5), the mean of the grips on the props, as from `grips_on`.
        tilt_share: shape (E,), the share of its tilt that the palm keeps: 1, or less if the hand
            also holds another prop.
    """

    kind_shares: Floats
    grip: Floats
    tilt_share: Floats


def held_at_events(
    choreography: Choreography, shapes: PropShapes, flight_paths: FlightPaths, style: PalmStyle
) -> HeldAtEvents:
    """Return the props that hands throw or catch at each event.

    Args:
        choreography: E events, and flights, whose `throw` and `catch` are rows of events.
        shapes: kinds, sizes and grips of the props, which are in the order of the orbits.
        flight_paths: its `grips` say where props lie in the hands.
        style: rules of the hand style for turning palms.

    Returns:
        For each event the shares of clubs and of rings, the mean grip on the props, and the share
        of its tilt that the palm keeps: 1, or less if the hand also holds another prop.
    """
    flights = choreography.flights
    # Of each prop, and then of each flight, whether it is a club and whether a ring (2 columns),
    # and the grip on it (5 columns). The props of an orbit take turns in making its flights, which
    # get their mean.
    held_of_prop = np.concatenate([_kind_flags(shapes), grips_on(shapes, style)], axis=1)
    held_of_flight = np.zeros((len(flights.throw), held_of_prop.shape[1]))
    for orbit, props in choreography.orbits_with_props:
        held_of_flight[list(orbit.flights)] = held_of_prop[props].mean(axis=0)

    # From flights to events: the mean of all props that are thrown or caught at once. Each flight
    # counts twice, once at its throw and once at its catch.
    held_at_event = mean_by_event(
        np.concatenate([flights.throw, flights.catch]),
        np.tile(held_of_flight, (2, 1)),
        len(choreography.events.time),
    )
    kind_shares, grip = np.split(held_at_event, [2], axis=1)
    return HeldAtEvents(kind_shares, grip, _tilt_shares(choreography, flight_paths.grips))


def _tilt_shares(choreography: Choreography, grips: Grips) -> Floats:
    """Return the share of its tilt that the palm keeps at each of E events, shape (E,).

    That is 1, but `_TILT_WITH_SEVERAL` at the catch and the throw of a prop that shares the hand
    with others in between: an almost level palm lets none roll off.

    Args:
        choreography: E events, and flights, whose `throw` and `catch` are rows of events.
        grips: where props lie in the hands after each flight, one or more places in a carry.
    """
    flights = choreography.flights
    tilt_share = np.ones(len(choreography.events.time))
    # Without flights there are no places, and `reduceat` needs at least one.
    if len(flights.throw) == 0:
        return tilt_share
    # A prop is carried from the catch that ends a flight to the throw of its next flight. Alone in
    # the hand it lies in the middle, (0, 0, 0): one with any other place in a carry shares the
    # hand. `first_place` is where the places in the carry after each flight begin.
    is_off_middle = grips.places.any(axis=1)
    shares_hand_after = np.logical_or.reduceat(is_off_middle, grips.first_place)
    # The carry before a flight is the one after the prop's previous flight.
    shares_hand_before = shares_hand_after[choreography.flight_links.previous_flight]
    tilt_share[flights.catch[shares_hand_after]] = _TILT_WITH_SEVERAL
    tilt_share[flights.throw[shares_hand_before]] = _TILT_WITH_SEVERAL
    return tilt_share


def grips_on(shapes: PropShapes, style: PalmStyle) -> Floats:
    """Return grips of hands on each of P props.

    Args:
        shapes: shapes of the props: kinds, diameters (`size`, [m]), and where each is gripped.
        style: rules of the hand style for turning palms, which says how far behind the roots of the
            fingers balls, clubs and rings are held.

    Returns:
        Shape (P, 5), with the channels `GRIP` in columns: how far fingers and thumb are closed,
        from 0 (flat) to 1 (a fist); then, of the gripped point, the distance from the palm, how far
        it is below the place of the hand, and how far behind the roots of the fingers, [m].
    """
    # Shape (P, 1), which broadcasts along the columns of a row.
    is_club = np.array([kind == "club" for kind in shapes.kind], dtype=bool)[:, None]
    is_ring = np.array([kind == "ring" for kind in shapes.kind], dtype=bool)[:, None]
    # The larger a ball, the less fingers close: in inverse proportion to its radius, and at most to
    # a fist. The thumb closes equally far on all balls.
    ball_fingers = np.minimum(1.0, _BALL_FINGERS / np.maximum(shapes.size / 2, 1e-9))
    ball_closed = np.stack([ball_fingers, np.full_like(ball_fingers, _BALL_THUMB)], axis=1)
    closed = np.where(is_ring, _RING_CLOSED, ball_closed)
    closed = np.where(is_club, _CLUB_CLOSED, closed)
    behind_of_balls, behind_of_clubs, behind_of_rings = style.behind
    behind = np.where(is_ring, behind_of_rings, behind_of_balls)
    behind = np.where(is_club, behind_of_clubs, behind)
    return np.concatenate(
        [closed, shapes.grip_to_palm[:, None], shapes.grip_drop[:, None], behind], axis=1
    )


def partly_closed(grip: Floats, share: float) -> Floats:
    """Return grips whose fingers and thumb are closed by a share only.

    Args:
        grip: shape (N, 5), as from `grips_on`; the columns behind the first two stay.
        share: 0 for closed as an empty hand, 1 for closed as in `grip`.
    """
    closed = EMPTY_CLOSED + share * (grip[:, :2] - EMPTY_CLOSED)
    return np.concatenate([closed, grip[:, 2:]], axis=1)


def _kind_flags(shapes: PropShapes) -> Floats:
    """Whether each prop is a club, and whether a ring, shape (P, 2)."""
    return np.array(
        [[kind == "club", kind == "ring"] for kind in shapes.kind], dtype=float
    ).reshape(-1, 2)
