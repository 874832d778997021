"""Spin: where each prop points at any time, in hands and in flight.

An aim is a yaw and a pitch, [rad]: the turn about +y, 0 is +z, and the angle above the horizon. A
club points from its knob to its top; a ring points from where it is held to its middle, and stands
upright in the plane of its yaw.

A prop that a throw turns over is caught by its other end, and thrown from there. On an orbit where
that happens an odd number of times, the spin repeats after two rounds, while the centres, which are
as far from either grip, repeat after one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import BODY_THROWS, BodyThrow, Choreography, Flights, on_stand
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.bodies import Bodies, phasor_derivatives
from juggle_anim.motion.flight import MIN_CARRY, Centres, FlightPaths, solve_flights
from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate
from juggle_anim.motion.prop_shapes import CLUB_WIDTH, ORIENTED_KINDS, Grips, PropShapes
from juggle_anim.vectors import smooth_step, wrap_angle

TURNS_PER_SECOND = 2.5
FEWER_TURNS = 0.38
"""A club that flies for t seconds spins by the whole number of turns nearest to the straight line
`TURNS_PER_SECOND` · t − `FEWER_TURNS`.
"""

BALL_TURNS_PER_SECOND = 0.9
"""About how fast balls turn in flight, in half turns: balls with eight panels in two tones look
alike after each.
"""

MAX_SPIN = 5.0
"""Fastest spin; a throw too short for its turns makes fewer whole ones, [turns/s]."""

_PITCH = 1  # column of the pitch in aims; that of the yaw is 0

CLUB_PITCH = np.radians(20.0)
RING_PITCH = np.radians(12.0)
"""At throws and catches, the pitch of clubs above the direction in which an arm at ease has its
fingers, and of rings above the horizon, [rad].
"""

# The left arm at ease, close to the result of the body stage, and how hands hold clubs.
_SHOULDER = np.array([0.189, 1.42, 0.065])  # m
_RELAXED_ELBOW = np.array([0.29, 1.12, 0.0])  # m
_FLATTENING = np.array([1.0, 0.45, 1.0])  # factors of the way from elbow to palm
_HAND_AHEAD = np.array([0.0, 0.10, 0.12])  # m, added to it
_ARM_LENGTH = 0.686  # m
_STRAIGHTENS = (0.75, 1.15)  # arm lengths, between which a hand comes to point along its arm
_PALM_BELOW = 0.028  # m, of a palm below the place of its hand
_LEAST_AHEAD = 0.15  # m, of a hand ahead of its elbow, which bounds how far to a side it points
_GRIP_TO_BODY = 0.25  # m, from the grip to where a club is thickest


@dataclass(frozen=True)
class Aims:
    """The aims of one kind of prop at each of F flights; all of shape (F, 2), [rad] or [rad/s].

    Args:
        at_throw, at_catch: yaw and pitch in the frames of the throwing and the catching body.
        throw_rate, catch_rate: their rates of change, in the same frames.
        start: yaw and pitch at the throw, in the world.
        change: their change from throw to catch, in the world, whole turns included.
        turned_over: shape (F,), whether a flight has an extra half turn, so that a prop thrown from
            one end is caught by the other. The arrays are for a prop thrown from its knob, and
            `at_catch` for the end that is caught; one thrown from its top points the opposite way.
    """

    at_throw: Floats
    at_catch: Floats
    throw_rate: Floats
    catch_rate: Floats
    start: Floats
    change: Floats
    turned_over: Booleans


def aim_directions(aims: Sequence[Floats]) -> Floats:
    """Convert yaw and pitch to unit vectors, or to a time derivative of these, shape (…, 3).

    The vector is (x, y, z) = (sin ψ cos θ, sin θ, cos ψ cos θ), with ψ the yaw about +y and θ the
    pitch above the horizon. With complex numbers z + ix = (exp(i(ψ + θ)) + exp(i(ψ − θ))) / 2 and
    y = Im exp(iθ), so that the derivatives are those of phasors.

    Args:
        aims: [aim, first time derivative, …], each of shape (…, 2): yaw and pitch, [rad]. The
            length decides which derivative is returned: with n + 1 entries, the nth.
    """
    # `phasor_derivatives` gives exp(iφ) and its derivatives from an angle φ and its derivatives.
    # The sum of two phasors is twice the horizontal part.
    level = (
        phasor_derivatives([aim.sum(axis=-1) for aim in aims])[-1]
        + phasor_derivatives([aim[..., 0] - aim[..., 1] for aim in aims])[-1]
    )
    height = phasor_derivatives([aim[..., 1] for aim in aims])[-1]
    return np.stack([level.imag / 2, height.imag, level.real / 2], axis=-1)


def ring_axes(yaw: Floats) -> Floats:
    """Return the axes of upright rings: level unit vectors across their planes, (…) to (…, 3).

    Args:
        yaw: of the planes, about +y, 0 toward +z, shape (…), [rad].
    """
    return np.stack([np.cos(yaw), np.zeros_like(yaw), -np.sin(yaw)], axis=-1)


def steady_aims(aims: Floats) -> Floats:
    """Unwrap the aims of one ball over time, modulo the symmetries of its look.

    A ball with eight panels in two tones looks the same at (yaw, pitch + π), and also at
    (yaw + π, −pitch). So both angles are unwrapped with period π: successive samples then differ by
    π/2 at most, and an interpolation between two of them shows no jump.

    Args:
        aims: yaw and pitch at T successive times, shape (T, 2), [rad].

    Returns:
        Shape (T, 2), yaw and pitch with which the ball looks the same, without jumps, [rad].
    """
    yaw = np.unwrap(aims[:, 0], period=np.pi)
    # Unwrapping moved each yaw by a whole number of half turns. Where that number is odd, the ball
    # looks the same only if the pitch changes its sign.
    half_turned = np.rint((aims[:, 0] - yaw) / np.pi) % 2 == 1
    pitch = np.where(half_turned, -aims[:, 1], aims[:, 1])
    return np.stack([yaw, np.unwrap(pitch, period=np.pi)], axis=-1)


def held_aims(kind: str, hand: Integers, position: Floats, grip: Floats, radius: float) -> Floats:
    """Aims of N props held in hands: yaw and pitch in the frame of the body, shape (N, 2), [rad].

    A prop follows the direction of the fingers; a ring has a fixed pitch, and clubs held together
    are splayed, so that their thick bodies don't overlap.

    Args:
        kind: kind of all these props: "club", "ring" or "ball".
        hand: shape (N,), the hand that holds each, 2 · juggler + side (0 left, 1 right).
        position: shape (N, 3), of the hand in the frame of its body, [m].
        grip: shape (N, 3), offset of the prop from the middle of all props in the hand, in the
            frame of the body: x to its left, y up, z forward, [m]; read for clubs only.
        radius: half the distance between the grips of neighbouring props in one hand, above 0 for
            clubs, [m]; read for clubs only.
    """
    yaw, pitch = _finger_angles(hand, position)
    if kind == "ring":
        return np.stack([yaw, np.full_like(yaw, RING_PITCH)], axis=-1)
    if kind == "ball":
        return np.stack([yaw, pitch], axis=-1)
    pitch += CLUB_PITCH
    # The handles of two clubs lie `radius` from the middle of the hand, but their bodies touch
    # unless each is half a width from it. The missing distance over the distance from grip to body
    # is the (small) angle by which each must be splayed; dividing it by `radius` gives an angle per
    # metre of offset, which also serves clubs that lie farther out.
    splay = max(0.0, CLUB_WIDTH / 2 / radius - 1) / _GRIP_TO_BODY  # rad/m
    return np.stack([yaw + splay * grip[:, 0], pitch + splay * grip[:, 1]], axis=-1)


def held_pitch(hand: Integers, position: Floats) -> Floats:
    """Pitch above the horizon of the fingers of an arm at ease, shape (N,), [rad].

    Clubs and the hands that hold them are turned from there, by `CLUB_PITCH` and by the `club` of
    the `PalmStyle`, so that the handle lies across the palm.

    Args:
        hand: N hands, 2 · juggler + side (0 left, 1 right), shape (N,).
        position: shape (N, 3), of the hands in the frames of their bodies, [m].
    """
    _, pitch = _finger_angles(hand, position)
    return pitch


def forearm_slope(hand: Integers, position: Floats) -> Floats:
    """Pitch above the horizon of forearms at ease, with which carried props turn, (N,), [rad].

    Args:
        hand: N hands, 2 · juggler + side (0 left, 1 right), shape (N,).
        position: shape (N, 3), of the hands in the frames of their bodies, [m].
    """
    x, y, z = (_mirrored_to_left(position, hand) - _RELAXED_ELBOW).T
    return np.arctan2(y, np.sqrt(x * x + z * z + _LEAST_AHEAD**2))


def _finger_angles(hand: Integers, position: Floats) -> tuple[Floats, Floats]:
    """Yaw and pitch of the fingers of an arm at ease, in the frame of the body, (N,) each, [rad].

    Args:
        hand: N hands, 2 · juggler + side (0 left, 1 right), shape (N,).
        position: shape (N, 3), of the hands in the frames of their bodies, [m].
    """
    x, y, z = _hand_direction(_mirrored_to_left(position, hand)).T
    return outward_sign(hand) * np.arctan2(x, z), np.arctan2(y, np.hypot(x, z))


def _mirrored_to_left(position: Floats, hand: Integers) -> Floats:
    """Mirror positions of right hands to those of left hands, which are at +x, shape (N, 3), [m].

    Args:
        position: shape (N, 3), of the hands in the frames of their bodies, [m].
        hand: N hands, 2 · juggler + side (0 left, 1 right), shape (N,).
    """
    mirrored = position.copy()
    mirrored[:, 0] *= outward_sign(hand)
    return mirrored


def outward_sign(hand: Integers) -> Floats:
    """Return the sign of x outward of hands, which are 2 · juggler + side: 1 left, −1 right."""
    return np.where(hand % 2 == 0, 1.0, -1.0)


def _hand_direction(position: Floats) -> Floats:
    """Approximate direction in which the fingers of left hands point, without solving the arm.

    Args:
        position: positions of N hands in the frame of the body, shape (N, 3), [m].

    Returns:
        Shape (N, 3), in that frame; not of unit length.
    """
    palm = position - (0.0, _PALM_BELOW, 0.0)
    # A bent arm: fingers point along the forearm, from an elbow that hangs at ease to the palm; but
    # less steeply (`_FLATTENING` scales x, y and z) and farther forward, as the wrist bends.
    bent = (palm - _RELAXED_ELBOW) * _FLATTENING + _HAND_AHEAD
    bent /= np.linalg.norm(bent, axis=1, keepdims=True)
    # A straight arm: from the shoulder to the palm.
    from_shoulder = palm - _SHOULDER
    distance = np.linalg.norm(from_shoulder, axis=1, keepdims=True)
    straight = from_shoulder / np.maximum(distance, 1e-9)
    # As the arm straightens, the direction changes from that of the bent arm to that of the
    # straight one, by the smooth step 3s² − 2s³. `_STRAIGHTENS` are the two shares of the arm's
    # length between which it does so, and s is how far it has come on the way between them.
    first_share, last_share = _STRAIGHTENS
    straightened = (distance / _ARM_LENGTH - first_share) / (last_share - first_share)
    s = np.clip(straightened, 0.0, 1.0)
    direction: Floats = bent + s * s * (3 - 2 * s) * (straight - bent)
    # The forward part is kept above 0, so that hands never point straight sideways or backward:
    # there a small motion of a hand beside its elbow would turn its yaw far.
    direction[:, 2] = np.maximum(direction[:, 2], _LEAST_AHEAD)
    return direction


def flight_aims(
    choreography: Choreography,
    bodies: Bodies,
    kind: str,
    at_throw: Floats,
    at_catch: Floats,
    spins: float | None = None,
) -> Aims:
    """Find the steady spin with which props turn from their aims at throws to those at catches.

    An aim is the direction of a prop, as yaw and pitch. Props spin about a horizontal axis with the
    pitch increasing, so that their tops come up and back toward the thrower. The number of turns is
    the one that suits the duration of the flight, or the one requested.

    Args:
        choreography: the flights, F of them.
        bodies: places and facing of the jugglers at all times, for the headings of throwers and
            catchers.
        kind: "club", "ring" or "ball"; rings turn as little as possible.
        at_throw, at_catch: shape (F, 2), yaw and pitch in the frames of the throwing and the
            catching body, [rad].
        spins: turns of a club in each flight, in steps of a half; None for the whole number that
            suits its flight time. A number in the style of a flight prevails; not read for other
            kinds.

    Returns:
        These aims, the change of yaw and pitch in flight, its rates as seen from both bodies, and
        which flights turn clubs over.
    """
    events = choreography.events
    flights = choreography.flights

    def body_aims(event: Integers, derivative: int = 0) -> Floats:
        """Return the headings of bodies at F events, or their rates, as yaw and pitch, (F, 2)."""
        heading = bodies.facing(events.juggler[event], events.time[event], derivative)
        return heading[:, None] * (1.0, 0.0)

    # The aim at the throw in the world, and the change from there to the catch, without turns.
    throw_heading = body_aims(flights.throw)
    start = at_throw + throw_heading
    change = at_catch + body_aims(flights.catch) - at_throw - throw_heading
    # (yaw, pitch) and (yaw + π, π − pitch) are the same direction. Where the yaw would change by
    # more than a right angle, the prop comes to the catch in the second form, as the yaw then
    # changes by less.
    yaw_change = wrap_angle(change[:, 0])
    is_second_form = np.abs(yaw_change) > np.pi / 2
    change[:, 0] = yaw_change - np.where(is_second_form, np.copysign(np.pi, yaw_change), 0.0)
    change[is_second_form, 1] = (np.pi - at_catch[:, 1] - at_throw[:, 1])[is_second_form]
    half_turns = _half_turns(kind, flights, change[:, 1], spins)
    change[:, 1] += np.pi * half_turns

    # The rates are steady in the world. A body that turns sees the prop's yaw change more slowly by
    # its own rate.
    rate = change / flights.duration[:, None]
    throw_rate = rate - body_aims(flights.throw, derivative=1)
    catch_rate = rate - body_aims(flights.catch, derivative=1)
    # In the second form π − pitch takes the place of the pitch, so the pitch of `at_catch`
    # decreases as the prop's pitch increases.
    catch_rate[is_second_form, 1] *= -1
    return Aims(
        at_throw=at_throw,
        at_catch=at_catch,
        throw_rate=throw_rate,
        catch_rate=catch_rate,
        start=start,
        change=change,
        # After an odd number of half turns a club is caught by its other end. Balls have no ends,
        # and the number is even for rings.
        turned_over=(half_turns % 2 == 1) & (kind == "club"),
    )


def _half_turns(kind: str, flights: Flights, pitch_change: Floats, spins: float | None) -> Floats:
    """Return how many half turns are added to the pitch change of each flight, shape (F,).

    In a flight a prop turns by π · half turns + pitch change. The half turns bring this as near as
    possible to the turn that suits the flight's duration:

    - balls: `BALL_TURNS_PER_SECOND` · duration, by any number of half turns, as a ball looks alike
      after each;
    - clubs: `TURNS_PER_SECOND` · duration − `FEWER_TURNS`, by whole turns, so that they are caught
      by the end by which they were thrown;
    - rings: no turn, by whole turns.

    Turns that are requested for clubs, which may include a half turn, take the place of these. A
    prop that is put down between throw and catch does not spin.

    Args:
        kind: "club", "ring" or "ball".
        flights: F flights.
        pitch_change: change of pitch of the prop's axis from the throw to the catch, shape (F,),
            [rad].
        spins: turns of clubs that are requested for flights whose style requests none; None to
            request none.
    """
    turns_of_pitch_change = pitch_change / (2 * np.pi)
    if kind == "ball":
        turns = BALL_TURNS_PER_SECOND * flights.duration
        half_turns = np.round(2 * (turns - turns_of_pitch_change))
    elif kind == "club":
        turns = TURNS_PER_SECOND * flights.duration - FEWER_TURNS
        usual_half_turns = 2 * np.round(turns - turns_of_pitch_change)
        half_turns = _half_turns_of_clubs(usual_half_turns, flights, spins)
    else:
        half_turns = -2 * np.round(turns_of_pitch_change)
    is_put_down = np.array([style.rests for style in flights.styles], dtype=bool)
    return np.where(is_put_down, 0.0, half_turns)


def _half_turns_of_clubs(usual: Floats, flights: Flights, spins: float | None) -> Floats:
    """Return the half turns of clubs in F flights: those requested, or the usual ones, shape (F,).

    A flight too short for its requested turns loses whole turns until it stays at `MAX_SPIN` or
    below. An odd number of half turns stays odd, at least 1, as that decides by which end the club
    is caught.

    Args:
        usual: half turns of flights without a request, shape (F,).
        flights: the flights, whose styles may request a number of turns.
        spins: turns requested of flights whose style requests none; None if those turn as usual.
    """
    # In turns; None where neither the style nor `spins` requests any.
    requested_turns = [spins if style.spin is None else style.spin for style in flights.styles]
    is_requested = np.array([turns is not None for turns in requested_turns], dtype=bool)
    # The 0 in place of None is not used: those flights get the usual number in the end.
    turns = np.array([0.0 if turns is None else turns for turns in requested_turns])
    half_turns = np.round(2 * turns)
    excess_turns = np.ceil(np.maximum(0.0, half_turns / 2 - MAX_SPIN * flights.duration))
    # Whole turns are taken away, but an odd number keeps its one half turn.
    fast_enough = np.maximum(half_turns - 2 * excess_turns, half_turns % 2)
    return np.where(is_requested, fast_enough, usual)


MAX_SWING = 0.17
"""Longest time that a prop turns on in the hand after a catch, and swings before a throw, [s]."""

# How long a prop takes after a catch to turn as its hand does, and before a throw to leave it, [s];
# and into how many parts a carry is divided, in each of which a cubic follows the hand.
_MEETING_TIME = 0.08
_FOLLOWED_PARTS = 8

# Slopes are differences over this time to either side; shorter pieces last by rounding only, [s].
_INSTANT = 1e-6

# How long at most a prop turns in the hand to a throw around the body, or from a catch there, [s].
_MAX_TURNING_TIME = 0.7

# A club that points farther back than this yaw swings down past its hand on the way there, unless
# its pitch is beyond the other: then it swings up and over.
_BACKWARD_YAW = 60.0  # °
_OVERHEAD_PITCH = 90.0  # °


@dataclass(frozen=True)
class Spin:
    """The aims of props along all orbits, for each kind of prop.

    Args:
        paths: yaw and pitch, [rad], in the first round of each orbit: in the world while the prop
            is in flight, in the frame of the holding body while it is held. There is a path for
            each kind and orbit, as in `PropPaths`.
        by_top: shape (S,), whether the prop was last caught by its top, for each piece of the
            paths.
        turned_over: shape (K,), whether one round turns a prop over, for each path.
    """

    paths: PiecewisePolynomial
    by_top: Booleans
    turned_over: Booleans

    def along(
        self, path: Integers, times: Floats, derivative: int
    ) -> tuple[list[Floats], Booleans]:
        """Evaluate aims and their derivatives, and whether props were last caught by their tops.

        The aim of a prop is the yaw and pitch of its axis.

        Args:
            path: indices of paths, any shape that broadcasts with `times`.
            times: times on the path, [s]; any value, as paths repeat.
            derivative: order of the highest derivative that is returned, 0 for aims only.

        Returns:
            A list of aims, [rad], and their derivatives in ascending order, [rad/s^order], shape
            (…, 2) each; and shape (…), whether props were last caught by their tops.
        """
        piece, elapsed = self.paths.locate(path, times)
        aims = [self.paths.evaluate(piece, elapsed, order) for order in range(derivative + 1)]
        by_top = self.by_top.take(piece)
        # The path is stored for even rounds, counted from time 0; on an orbit that turns props over
        # they point the opposite way in odd rounds.
        if self.turned_over.any():
            # The start of the round in which the piece began: a whole number of periods, but for
            # rounding. The piece, not the time, decides: a piece may last into the next round.
            round_start = times - elapsed - self.paths.start.take(piece)
            is_turned = self.turned_over.take(path) & (
                np.rint(round_start / self.paths.periods.take(path)) % 2 == 1
            )
            aims[0][..., _PITCH] += np.pi * is_turned
            by_top ^= is_turned
        return aims, by_top


def spin_paths(
    choreography: Choreography, aims: Aims, held: Floats, hands: PiecewisePolynomial | None = None
) -> Spin:
    """Join the aims of flights and carries to periodic paths, one for each orbit.

    An orbit is the closed path that its props share; a round is the time in which a prop goes along
    it once. A path has the period of its orbit, also where the prop comes back turned over:
    `Spin.along` turns it over in every second round.

    Args:
        choreography: F flights and O orbits; one without flights is a prop that is always held.
        aims: aims of one kind of prop at each flight: yaw and pitch at throw and catch, and whether
            the flight turns the prop over, so that it is caught by its other end.
        held: shape (O, 2), yaw and pitch of props that are never thrown, in the frame of the
            holding body, [rad]; only read for orbits without flights.
        hands: paths of the hands in the frames of their bodies, with whose forearms props turn
            while they are carried; None for props that go evenly from the one aim to the other.

    Returns:
        Yaw and pitch along each orbit, as cubics of the time, for the first round of the prop,
        which begins with it held by its knob.
    """
    # A round with an odd number of extra half turns ends with the prop turned over.
    turns_over = np.array(
        [aims.turned_over[list(orbit.flights)].sum() % 2 == 1 for orbit in choreography.orbits],
        dtype=bool,
    )
    periods = choreography.periods_of_orbits
    # Cubics of yaw and pitch for each flight and carry (a carry lasts from a catch to the prop's
    # next throw), with their orbit, their start, and whether the prop was last caught by its top
    # and not by its knob.
    pieces = _flights_and_carries(choreography, aims, hands)

    # Props that are always held have constant aims: one piece each.
    held_orbits = choreography.held_orbits
    constants = np.zeros((len(held_orbits), 4, 2))
    constants[:, 0] = held[held_orbits]

    # Flights and carries may start after the first round of their orbit. They are moved back into
    # it by whole rounds. A piece gets an additional half turn of pitch, π, if an odd number of such
    # rounds turned the prop over; and another, as given aims are those of a prop held by its knob,
    # if it was caught by its top, which then points the opposite way.
    rounds, start_in_round = np.divmod(pieces.start, periods[pieces.orbit])
    in_odd_round = turns_over[pieces.orbit] & (rounds % 2 == 1)
    pieces.coefficients[:, 0, _PITCH] += np.pi * (pieces.by_top.astype(int) + in_odd_round)

    # First the pieces of props that are always held, then the others; then sorted by orbit and
    # start. Moved by a round that turns the prop over, a piece also has its other end in the hand.
    orbit = np.concatenate([held_orbits, pieces.orbit])
    start = np.concatenate([np.zeros(len(held_orbits)), start_in_round])
    by_top = np.concatenate([np.zeros(len(held_orbits), dtype=bool), pieces.by_top ^ in_odd_round])
    coefficients = np.concatenate([constants, pieces.coefficients])
    order = np.lexsort((start, orbit))
    return Spin(
        paths=PiecewisePolynomial(periods, orbit[order], start[order], coefficients[order]),
        by_top=by_top[order],
        turned_over=turns_over,
    )


def spin_of_balls(choreography: Choreography, bodies: Bodies, radius: float) -> Spin:
    """Return the spin of balls: steady in flight about a horizontal axis, with the hand in a hand.

    A round of an orbit may leave a ball turned by half turns, which the path, whose period is one
    round, does not show: a ball with panels in two tones looks the same after each.

    Args:
        choreography: its flights and orbits are read.
        bodies: places and facing of the jugglers at all times.
        radius: radius of the largest ball, [m].
    """
    events = choreography.events
    flights = choreography.flights

    # A ball in a hand points where its fingers do, whatever its offset there, so `held_aims` does
    # not read the grip for balls; 0 stands for it.
    def aims_in_hands(hand: Integers, position: Floats) -> Floats:
        """Aims of balls in hands, given by index, at given positions, shape (N, 2), [rad]."""
        return held_aims("ball", hand, position, np.zeros_like(position), radius)

    at_events = aims_in_hands(events.hand, events.position)
    aims = flight_aims(
        choreography, bodies, "ball", at_events[flights.throw], at_events[flights.catch]
    )
    # Balls that are never thrown stay in a hand at its place of rest.
    orbit_hands = choreography.hands_of_orbits
    resting = aims_in_hands(orbit_hands, choreography.rest[orbit_hands])
    return spin_paths(choreography, aims, resting)


def join_spins(spins: Sequence[Spin]) -> Spin | None:
    """Join the spins of several kinds of props to a table; None if there are none.

    An orbit is the closed path that some props share, one loop apart.

    Args:
        spins: the spin of each kind, with a path for each orbit. The paths of the second kind
            follow those of the first, and so on.
    """
    if not spins:
        return None
    return Spin(
        concatenate([spin.paths for spin in spins]),
        np.concatenate([spin.by_top for spin in spins]),
        np.concatenate([spin.turned_over for spin in spins]),
    )


class _AimAndRate(NamedTuple):
    """Yaw and pitch of N props, [rad], and their rates of change, [rad/s], shape (N, 2) each."""

    aim: Floats
    rate: Floats


@dataclass(frozen=True)
class _AimPieces:
    """Aims as N polynomials, one for each flight and some for each carry.

    Args:
        orbit: shape (N,), the orbit of each.
        start: shape (N,), when the prop that makes the orbit's first flight in this loop reaches
            each, [s]; may be later than the first round of the orbit.
        by_top: shape (N,), whether the prop was last caught by its top.
        coefficients: shape (N, 4, 2), of yaw and pitch by ascending powers of the time since the
            start, as if the prop were held by its knob.
    """

    orbit: Integers
    start: Floats
    by_top: Booleans
    coefficients: Floats


def _flights_and_carries(
    choreography: Choreography, aims: Aims, hands: PiecewisePolynomial | None
) -> _AimPieces:
    """Return the aims of props through all flights, and the carry after each.

    An aim is the direction in which a prop points, as yaw and pitch. An orbit is the closed path
    that its props share; a carry is the time from a catch to the prop's next throw.

    Args:
        choreography: its F flights, and their orbits.
        aims: aims of one kind of prop at all F flights: yaw and pitch at throw and catch, their
            rates, the change in flight, and whether the flight turns the prop over, shape (F,).
        hands: the paths of the hands, as `spin_paths` takes them.

    Returns:
        One piece for each flight, orbit by orbit; then the first piece of each carry, in the same
        order, then the second piece of each, and so on. So they are not sorted by time.
    """
    # Flights: one piece each, in the order of `flight`, their indices. From throw to catch the aim
    # changes at a steady rate, in the world: cubics, as those of carries, of which only the
    # coefficients of powers 0 and 1 are not 0.
    flights = choreography.flights
    flight_links = choreography.flight_links
    flights_by_orbit = [list(orbit.flights) for orbit in choreography.orbits if orbit.flights]
    flight = np.array([index for indices in flights_by_orbit for index in indices], dtype=np.intp)
    flight_coefficients = np.zeros((len(flight), 4, 2))
    flight_coefficients[:, 0] = aims.start[flight]
    flight_coefficients[:, 1] = aims.change[flight] / flights.duration[flight, None]
    # A prop is thrown by the end by which it was caught before: by its top after an odd number of
    # flights since the start of its orbit that turn it over. (`concatenate` needs at least one
    # array, hence the case of no orbits.)
    is_thrown_by_top = np.zeros(0, dtype=bool)
    if flights_by_orbit:
        is_thrown_by_top = np.concatenate(
            [_turned_before(aims.turned_over[indices]) for indices in flights_by_orbit]
        )

    # Carries: N of these flights are followed by one, `flight_before`; a prop that is hit on
    # without being held has none. All carries have equally many pieces, P, which start `since`
    # after the catch, shape (P, N). A prop is carried by the end by which it was caught: not the
    # one by which it was thrown, if the flight before turned it over.
    has_carry = flights.carry[flight] > MIN_CARRY
    flight_before = flight[has_carry]
    since, carry_coefficients = _carry_pieces(choreography, flight_before, aims, hands)
    is_held_by_top = is_thrown_by_top[has_carry] ^ aims.turned_over[flight_before]
    starts = flight_links.catch_time[flight_before] + since
    orbit_of_carry = flight_links.orbit[flight_before]
    return _AimPieces(
        orbit=np.concatenate(
            [flight_links.orbit[flight], *[orbit_of_carry] * len(carry_coefficients)]
        ),
        start=np.concatenate([flight_links.throw_time[flight], *starts]),
        by_top=np.concatenate([is_thrown_by_top, *[is_held_by_top] * len(carry_coefficients)]),
        coefficients=np.concatenate([flight_coefficients, *carry_coefficients]),
    )


def _carry_pieces(
    choreography: Choreography,
    flight: Integers,
    aims: Aims,
    hands: PiecewisePolynomial | None,
) -> tuple[Floats, Floats]:
    """Return the aims of props, in the frame of the body, in the carries after N given flights.

    The aim of a prop is the yaw and pitch of its axis.

    Args:
        choreography: its events and flights are read.
        flight: indices of the flights, each followed by a carry, shape (N,).
        aims: aims of one kind of prop at all flights.
        hands: the paths of the hands, as `spin_paths` takes them.

    Returns:
        Starts of pieces since the catch, shape (P, N) for P pieces, [s], and coefficients, shape
        (P, N, 4, 2), as `_aims_while_carried` has them.
    """
    # From the aim at the catch to the aim at the next throw of the same prop: in yaw the prop turns
    # the shorter way; in pitch as given, since an aim beyond ±90° means a swing over the top or
    # down past the hand.
    carries = _carries_after(choreography, flight, aims)
    change = carries.throw_aim.aim - carries.catch_aim.aim
    change[:, 0] = wrap_angle(change[:, 0])
    catch_event = choreography.flights.catch[flight]
    forearms = _Forearms(
        hands,
        hand=choreography.events.hand[catch_event],
        catch_time=choreography.events.time[catch_event],
        is_followed=carries.follows_forearm,
    )
    return _aims_while_carried(
        start=carries.catch_aim.aim,
        change=change,
        catch_rate=carries.catch_aim.rate,
        throw_rate=carries.throw_aim.rate,
        carry=choreography.flights.carry[flight],
        begins=carries.turn_begins,
        ends=carries.turn_ends,
        forearms=forearms.angles,
    )


class _Forearms(NamedTuple):
    """The forearms of arms at ease, with which props turn in N carries.

    Args:
        hands: paths of the hands, in the frames of their bodies; None if no prop turns with them.
        hand: shape (N,), the hand that carries, 2 · juggler + side, 0 left and 1 right.
        catch_time: shape (N,), at which each carry begins, [s].
        is_followed: shape (N,), whether the prop turns with the forearm.
    """

    hands: PiecewisePolynomial | None
    hand: Integers
    catch_time: Floats
    is_followed: Booleans

    def angles(self, since: Floats) -> Floats:
        """Return the yaw of the fingers and the slope of the forearm in N carries.

        Args:
            since: P times since the catch of each carry, shape (P, N), [s].

        Returns:
            Shape (P, N, 2), [rad]; 0 for carries in which the prop does not turn with the forearm.
        """
        if self.hands is None:  # no prop turns with a forearm
            return np.zeros((*since.shape, 2))
        # Positions of the hands at all P · N times, and the hand of each.
        piece, elapsed = self.hands.locate(self.hand, self.catch_time + since)
        positions = self.hands.evaluate(piece, elapsed).reshape(-1, 3)
        hand = np.tile(self.hand, len(since))
        yaw, _pitch = _finger_angles(hand, positions)
        yaw_and_slope = np.stack([yaw, forearm_slope(hand, positions)], axis=-1)
        return np.where(self.is_followed[:, None], yaw_and_slope.reshape(*since.shape, 2), 0.0)


class _Carries(NamedTuple):
    """N carries, each from a catch to the next throw of the same prop, in the frame of the body.

    Args:
        catch_aim, throw_aim: aims and rates at the catch and at the throw.
        turn_begins, turn_ends: times at which the prop begins and ends its turn from the one aim to
            the other, since the catch, shape (N,), [s].
        follows_forearm: shape (N,), whether the prop turns with the forearm: unless the catch or
            the throw is around the body.
    """

    catch_aim: _AimAndRate
    throw_aim: _AimAndRate
    turn_begins: Floats
    turn_ends: Floats
    follows_forearm: Booleans


def _carries_after(choreography: Choreography, flight: Integers, aims: Aims) -> _Carries:
    """Return how props are carried after N given flights, until their next throws.

    Usually a prop turns from its aim at the catch to that at the throw during the whole carry, and
    goes with the forearm. To and from throws and catches around the body, such as behind the back,
    arms are not at ease, and props have turns of their own. The aim of a prop is the yaw and pitch
    of its axis. A carry is the time from the catch of a prop to its next throw.

    Args:
        choreography: its flights and events are read.
        flight: indices of the flights, shape (N,).
        aims: aims of one kind of prop at all flights.
    """
    # Arrays have a row for each carry, which ends with the throw of `next_flight`.
    flights = choreography.flights
    next_flight = choreography.flight_links.next_flight[flight]
    duration = flights.carry[flight]
    catch_aim = _AimAndRate(aims.at_catch[flight], aims.catch_rate[flight])
    throw_aim = _AimAndRate(aims.at_throw[next_flight], aims.throw_rate[next_flight])
    body_throw = choreography.events.body_throw
    if body_throw is None:
        return _Carries(
            catch_aim,
            throw_aim,
            turn_begins=np.zeros(len(duration)),
            turn_ends=duration,
            follows_forearm=np.ones(len(duration), dtype=bool),
        )
    # A club that points backward at the catch, or at the throw, swings down past the hand in
    # between. If it does at both, it stays behind.
    catch_event = flights.catch[flight]
    throw_event = flights.throw[next_flight]
    catch_behind = _points_behind(choreography, catch_event)
    throw_behind = _points_behind(choreography, throw_event)
    begins, ends = _prop_turning_times(choreography, catch_event, throw_event, duration)
    return _Carries(
        catch_aim=_from_below(catch_aim, catch_behind & ~throw_behind),
        throw_aim=_from_below(throw_aim, throw_behind & ~catch_behind),
        turn_begins=begins,
        turn_ends=ends,
        follows_forearm=(body_throw[catch_event] == 0) & (body_throw[throw_event] == 0),
    )


def _turned_before(turned_over: Booleans) -> Booleans:
    """Whether a prop was turned over an odd number of times before each flight, shape (N,).

    Args:
        turned_over: shape (N,), whether each of the successive flights turns it over; that of the
            flight itself does not count.
    """
    return np.asarray((np.cumsum(turned_over) - turned_over) % 2 == 1)


def _prop_turning_times(
    choreography: Choreography, catch: Integers, throw: Integers, carry: Floats
) -> tuple[Floats, Floats]:
    """Return when N props in hands begin and finish turning from one aim to the next.

    Usually they turn all through a carry. Before a throw around the body a club that turned so
    slowly would swing through a leg on the way, so it turns in the last `_MAX_TURNING_TIME` of the
    carry only; after a catch around the body, in the first `_MAX_TURNING_TIME` only. If catch and
    throw are both around the body, it turns during the whole carry. The aim of a prop is the yaw
    and pitch of its axis.

    Args:
        choreography: the events, with throws or catches around the body.
        catch, throw: rows of events at the start and the end of each carry, shape (N,).
        carry: time from the catch to the throw, shape (N,), [s].

    Returns:
        Begin and end of the turns, since the catch, shape (N,) each, [s].
    """
    # A row of `BODY_THROWS` without an aim leaves the prop in line with the hand, as usual, so it
    # does not count here.
    catch_around, throw_around = (
        _body_throws_where(choreography, event, lambda row: row.aim is not None)
        for event in (catch, throw)
    )
    begins = np.where(throw_around & ~catch_around, np.maximum(carry - _MAX_TURNING_TIME, 0.0), 0.0)
    ends = np.where(catch_around & ~throw_around, np.minimum(carry, _MAX_TURNING_TIME), carry)
    return begins, ends


def _aims_while_carried(
    *,
    start: Floats,
    change: Floats,
    catch_rate: Floats,
    throw_rate: Floats,
    carry: Floats,
    begins: Floats,
    ends: Floats,
    forearms: Callable[[Floats], Floats],
) -> tuple[Floats, Floats]:
    """Aims of N props from catch to throw, as cubic pieces, in the frame of the body.

    Four motions add up. After the catch the prop's spin dies away, and before the throw it swings
    up to the rate of the throw. In between, the prop turns with the hand from the one aim to the
    other by the smooth step 3x² − 2x³. Where the forearm turns less evenly than that, the prop goes
    with it, from `_MEETING_TIME` after the catch until as long before the throw: so it stays in its
    grip.

    Args:
        start: yaw and pitch at the catch, shape (N, 2), [rad].
        change: change from there to the throw, shape (N, 2), [rad].
        catch_rate, throw_rate: rates at catch and throw, shape (N, 2), [rad/s].
        carry: duration, above 0, shape (N,), [s].
        begins, ends: start and end of the turn with the hand, since the catch, shape (N,), [s];
            either it begins with the carry, at 0, or it ends with the carry, or both.
        forearms: yaw and pitch of forearms at ease, shape (P, N, 2), [rad], from the time since the
            catch, shape (P, N), [s].

    Returns:
        When the P pieces of each carry start, since the catch, shape (P, N), [s], in ascending
        order along axis 0; and the coefficients of yaw and pitch by ascending powers of the time
        since each start, shape (P, N, 4, 2). A piece that starts with the next lasts no time.
    """
    # The spin that dies away and the swing to the throw, each of which takes τ, must not overlap in
    # a short carry: each takes a little less than half of it.
    settling_ends = np.minimum(MAX_SWING, 0.49 * carry)
    gathering_starts = carry - settling_ends

    # Each motion as cubics of the time u since it begins, shape (N, 4, 2), powers on axis 1.
    swing_time = settling_ends[:, None]  # τ
    turn_time = (ends - begins)[:, None]
    zero = np.zeros_like(change)
    # The turn with the hand, and the constant aims before and after it.
    turning = np.stack([start, zero, 3 * change / turn_time**2, -2 * change / turn_time**3], axis=1)
    before = np.stack([start, zero, zero, zero], axis=1)
    after = np.stack([start + change, zero, zero, zero], axis=1)
    settling = _settling(catch_rate, swing_time)
    gathering = _gathering(throw_rate, swing_time)

    # A piece starts wherever a motion begins or ends, except at the end of the carry: there the
    # flight's own piece starts, and a search must not find another one. So where the turn lasts
    # until the throw, the piece that would start at its end starts at 0 and lasts no time.
    turn_end_start = np.where(ends < carry, ends, 0.0)
    parts = np.arange(1, _FOLLOWED_PARTS)[:, None] / _FOLLOWED_PARTS * carry
    catch_start = np.zeros_like(carry)
    since = np.sort(
        [catch_start, settling_ends, begins, turn_end_start, gathering_starts, *parts], axis=0
    )

    # Each piece is the sum of the motions that go on at its start; none begins or ends within it. A
    # motion is rewritten as a cubic of the time since the start of the piece. Masks of pieces get
    # axes for powers and components, as coefficients have.
    pieces = np.where((since < begins)[..., None, None], before, after)
    is_turning = ((since >= begins) & (since < ends))[..., None, None]
    pieces = np.where(is_turning, _with_later_origin(turning, since - begins), pieces)
    is_settling = (since < settling_ends)[..., None, None]
    pieces += np.where(is_settling, _with_later_origin(settling, since), 0.0)
    since_gathering = since - gathering_starts
    is_gathering = (since_gathering >= 0.0)[..., None, None]
    pieces += np.where(is_gathering, _with_later_origin(gathering, since_gathering), 0.0)
    pieces += _uneven_turn_pieces(forearms, since, carry)
    return since, pieces


def _uneven_turn_pieces(
    forearms: Callable[[Floats], Floats], since: Floats, carry: Floats
) -> Floats:
    """Turns of forearms beyond an even turn, in N carries, as P cubics each.

    An even turn goes from the angles at the catch to those at the throw by the smooth step
    3x² − 2x³. What a forearm turns otherwise is faded in and out within `_MEETING_TIME` of both
    ends of the carry.

    Args:
        forearms: yaw and pitch of forearms at ease, shape (P, N, 2), [rad], from the time since the
            catch, shape (P, N), [s].
        since: when the pieces of each carry start, since the catch, ascending, shape (P, N), [s].
        carry: durations of the carries, above 0, shape (N,), [s].

    Returns:
        Coefficients of yaw and pitch by ascending powers of the time since each start, shape
        (P, N, 4, 2).
    """
    at_catch, at_throw = forearms(np.stack([np.zeros_like(carry), carry]))

    def uneven_turn(times: Floats) -> Floats:
        """The faded difference at times since the catch, shape (…, N, 2), [rad]."""
        even_turn = at_catch + smooth_step(times / carry)[..., None] * (at_throw - at_catch)
        fade = smooth_step(np.minimum(times, carry - times) / _MEETING_TIME)
        return fade[..., None] * (forearms(times) - even_turn)

    return _hermite_cubics(uneven_turn, np.concatenate([since, carry[None]]))


def _settling(rate: Floats, duration: Floats) -> Floats:
    """Aims of N props whose spin dies away, as cubics: w τ x(1 − x)², x = u / τ, u the time.

    The angle begins at 0 with the rate w, and ends at 0 with the rate 0.

    Args:
        rate: w, for yaw and pitch, shape (N, 2), [rad/s].
        duration: τ, shape (N, 1), above 0, [s].

    Returns:
        Coefficients by ascending powers of u, shape (N, 4, 2).
    """
    return np.stack([np.zeros_like(rate), rate, -2 * rate / duration, rate / duration**2], axis=1)


def _gathering(rate: Floats, duration: Floats) -> Floats:
    """Aims of N props that gain their spin: those of `_settling` in reversed time, −w τ (1 − x) x².

    Args:
        rate: w, reached in the end, for yaw and pitch, shape (N, 2), [rad/s].
        duration: τ, shape (N, 1), above 0, [s].

    Returns:
        Coefficients by ascending powers of the time u, shape (N, 4, 2).
    """
    zero = np.zeros_like(rate)
    return np.stack([zero, zero, -rate / duration, rate / duration**2], axis=1)


def _hermite_cubics(values_at: Callable[[Floats], Floats], times: Floats) -> Floats:
    """Cubics with the values and slopes of smooth functions at given times.

    Args:
        values_at: gives the values of N functions with 2 components, shape (P + 1, N, 2) for P
            cubics of each, at times of shape (P + 1, N), [s].
        times: shape (P + 1, N), ascending, [s].

    Returns:
        Coefficients from each time to the next by ascending powers of the time since, shape
        (P, N, 4, 2).
    """
    values = values_at(times)
    slopes = (values_at(times + _INSTANT) - values_at(times - _INSTANT)) / (2 * _INSTANT)
    # Pieces that last no time, or only by rounding, are lines: an infinite duration makes the
    # higher coefficients 0.
    duration = np.diff(times, axis=0)
    duration = np.where(duration > _INSTANT, duration, np.inf)[..., None]
    chord = np.diff(values, axis=0) / duration
    quadratic = (3 * chord - 2 * slopes[:-1] - slopes[1:]) / duration
    cubic = (slopes[:-1] + slopes[1:] - 2 * chord) / duration**2
    return np.stack([values[:-1], slopes[:-1], quadratic, cubic], axis=-2)


def _with_later_origin(cubics: Floats, delay: Floats) -> Floats:
    """Rewrite cubics of the time u as the same cubics of u − s, the time since later origins s.

    Args:
        cubics: shape (N, 4, 2) for N cubics, coefficients by ascending power of u on axis 1.
        delay: s, shape (P, N) for P later origins, [s].

    Returns:
        Shape (P, N, 4, 2), coefficients by ascending power of u − s on axis 2.
    """
    s = delay[..., None]
    a, b, c, d = np.moveaxis(cubics, 1, 0)
    return np.stack(
        [
            a + s * b + s**2 * c + s**3 * d,
            b + 2 * s * c + 3 * s**2 * d,
            c + 3 * s * d,
            np.broadcast_to(d, (len(s), *d.shape)),
        ],
        axis=2,
    )


@dataclass(frozen=True)
class PropKind:
    """The flight and rotation of props of one kind.

    Args:
        flight_paths: the flights.
        aims: aims at both ends of all flights; None if all props are balls.
        held: aims of props that are never thrown, as `spin_paths` takes them; all 0 for balls among
            clubs and rings.
    """

    flight_paths: FlightPaths
    aims: Aims | None = None
    held: Floats | None = None

    def spin(self, choreography: Choreography, hands: PiecewisePolynomial) -> Spin | None:
        """Aims along all orbits, of clubs and rings with the hands; None if all props are balls.

        Args:
            choreography, hands: the arguments of `spin_paths`.
        """
        if self.aims is None or self.held is None:
            return None
        return spin_paths(choreography, self.aims, self.held, hands if self.held.any() else None)


def solve_flights_by_kind(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: Grips,
    spins: float | None = None,
) -> list[PropKind]:
    """Return the flights of each kind of prop, and the aims of kinds that are not balls.

    The aim of a prop is the direction of its axis. The kinds are those of
    `PropShapes.flight_kinds`: props of one kind fly alike, with the same shape, grip and height of
    the centre at a bounce.

    Args:
        choreography: its flights are read.
        bodies: places and facing of the jugglers at all times.
        shapes: kinds, sizes and grips of the props.
        grips: places of props in hands.
        spins: turns of clubs in flight, in steps of a half; None for a number that suits the flight
            time.

    Returns:
        One entry for each kind, in their order. Without any props there are no kinds, but one entry
        all the same, with the flights of points.
    """
    first_prop = shapes.flight_kinds.first_prop
    # If all props are balls, their kinds differ only in the height of the centre at a bounce, and
    # no spin is solved here: it does not affect flights, and `spin_of_balls` gives it for drawing.
    # A ball touches the floor when its centre is at the height of its radius.
    if not shapes.has_oriented:
        heights = shapes.bounce_height[first_prop].tolist() or [0.0]
        return [
            PropKind(solve_flights(choreography, bodies, grips, radius=height))
            for height in heights
        ]
    return [
        _prop_kind(choreography, bodies, shapes, grips, prop, spins) for prop in first_prop.tolist()
    ]


def _prop_kind(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: Grips,
    prop: int,
    spins: float | None,
) -> PropKind:
    """Solve the flights and the spin of one kind of prop, given by a prop of that kind.

    It serves choreographies in which some prop is a club or a ring; the kind itself may be balls.

    Args:
        choreography: its flights and orbits are read.
        bodies: places and facing of the jugglers at all times.
        shapes: shapes of all props: kind, where they are gripped, height of the centre at a bounce,
            [m].
        grips: places of props in hands.
        prop: index of any prop of the kind.
        spins: turns of clubs in flight, in steps of a half; None for a number that suits the flight
            time.
    """
    radius = float(shapes.bounce_height[prop])
    # A ball is held at its centre, so its aims do not affect its flight, and they are all 0 here.
    # It has paths of aims all the same, as each kind has a spin for every orbit.
    if shapes.kind[prop] not in ORIENTED_KINDS:
        zero = np.zeros((len(choreography.flights.throw), 2))
        return PropKind(
            flight_paths=solve_flights(choreography, bodies, grips, radius),
            aims=Aims(zero, zero, zero, zero, zero, zero, turned_over=zero[:, 0] > 0),
            held=np.zeros((len(choreography.orbits), 2)),
        )
    # Yaw and pitch at throws and catches of all flights, and their rates of change.
    aims = _aims_of_kind(choreography, bodies, shapes, grips, prop, spins)

    # Flights are those of the centre of mass, whose offset from the hand has two parts: a lever
    # along the aim, [m], and a constant drop, [m], which has no rate of change.
    lever = shapes.grip_to_centre[prop]
    drop = np.array([0.0, -shapes.grip_drop[prop], 0.0])
    centres = Centres(
        at_throw=lever * aim_directions([aims.at_throw]) + drop,
        at_catch=lever * aim_directions([aims.at_catch]) + drop,
        throw_rate=lever * aim_directions([aims.at_throw, aims.throw_rate]),
        catch_rate=lever * aim_directions([aims.at_catch, aims.catch_rate]),
    )

    # Props that are never thrown stay in a hand, at its place of rest. Aims are computed for all
    # orbits, and read for those without flights.
    orbit_hands = choreography.hands_of_orbits
    held = held_aims(
        shapes.kind[prop],
        hand=orbit_hands,
        position=choreography.rest[orbit_hands],
        grip=grips.held,
        radius=shapes.palm_distance,
    )
    flight_paths = solve_flights(choreography, bodies, grips, radius, centres)
    return PropKind(flight_paths, aims, held)


def _aims_of_kind(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: Grips,
    prop: int,
    spins: float | None,
) -> Aims:
    """Return the aims of one kind of prop, clubs or rings, at the throw and catch of all flights.

    An aim is the direction of a prop: yaw and pitch in the frame of the body, [rad]. Usually props
    are in line with the hands that throw and catch. Throws and catches around the body, bounced and
    put-down props, and props on a stand have aims of their own.

    Args:
        choreography: E events and F flights, each with the index of its throw event and of its
            catch event.
        bodies: places and facing of the jugglers at all times.
        shapes: shapes of all props: kind, and where they are gripped.
        grips: places of props in hands after each flight, as offsets from the middle of all props
            in the hand.
        prop: index of any prop of the kind.
        spins: turns of clubs in flight, in steps of a half; None for a number that suits the flight
            time.

    Returns:
        Aims at throws and at catches, and the spin between them, as `flight_aims` finds it.
    """
    events = choreography.events
    flights = choreography.flights

    # Aims at throws and at catches, which the steps below overwrite for some flights.
    throw_aims, catch_aims = _aims_in_line_with_hands(choreography, shapes, grips, prop)
    if events.body_throw is not None:
        for aims, event in ((throw_aims, flights.throw), (catch_aims, flights.catch)):
            _aim_around_bodies(aims, events.body_throw[event], events.hand[event])

    # The tempo was chosen for props that leave and arrive at the height of the hand. A bounced prop
    # therefore points up from its grip by so much that its centre, `grip_to_centre` along the aim
    # from a grip that is `grip_drop` below the hand, [m], is at that height. The bound avoids a
    # division by 0.
    sine = min(1.0, shapes.grip_drop[prop] / max(shapes.grip_to_centre[prop], 1e-9))
    bounces = np.array([style.bounces > 0 for style in flights.styles], dtype=bool)
    for aims in (throw_aims, catch_aims):
        aims[bounces, _PITCH] = np.arcsin(sine)
    # A club that is put down lies flat.
    if shapes.kind[prop] == "club":
        lying = np.array([style.rests for style in flights.styles], dtype=bool)
        throw_aims[lying, _PITCH] = 0.0
        catch_aims[lying, _PITCH] = 0.0
    # Props on a stand point straight ahead, side by side.
    on_stands = on_stand(choreography)
    throw_aims[on_stands] = 0.0
    catch_aims[on_stands] = 0.0
    return flight_aims(choreography, bodies, shapes.kind[prop], throw_aims, catch_aims, spins)


def _aims_in_line_with_hands(
    choreography: Choreography, shapes: PropShapes, grips: Grips, prop: int
) -> tuple[Floats, Floats]:
    """Return the aims of props in line with the hands, but for the splay of clubs.

    The aim of a prop is the yaw and pitch of its axis.

    Args:
        choreography: E events and F flights, each with the index of its throw event and of its
            catch event.
        shapes: shapes of all props: kind, and where they are gripped.
        grips: places of props in hands after each flight.
        prop: index of any prop of the kind.

    Returns:
        Yaw and pitch at the throws, and at the catches, of F flights, shape (F, 2) each, [rad].
    """
    # A prop may change its place in the hand during a carry: it is caught in the first place, and
    # thrown from the last place that it reached in the carry before, which follows its previous
    # flight.
    events = choreography.events
    flights = choreography.flights
    place_at_throw = grips.last_place[choreography.flight_links.previous_flight]

    def aims_at(event: Integers, grip_place: Integers) -> Floats:
        """Return the aims of F props at events, each in a place in the hand, shape (F, 2)."""
        return held_aims(
            shapes.kind[prop],
            hand=events.hand[event],
            position=events.position[event],
            grip=grips.places[grip_place],
            radius=shapes.palm_distance,
        )

    return aims_at(flights.throw, place_at_throw), aims_at(flights.catch, grips.first_place)


def _aim_around_bodies(aims: Floats, body_throw: Integers, hand: Integers) -> None:
    """Overwrite the aims of throws and catches around the body, such as behind the back, in place.

    Args:
        aims: shape (F, 2) for F throws and catches, yaw and pitch in the frame of the body, [rad];
            changed in place.
        body_throw: shape (F,), row of `BODY_THROWS` counted from 1; 0 for usual throws and catches.
        hand: shape (F,), the hand, 2 · juggler + side (0 left, 1 right).
    """
    for row in sorted(set(body_throw[body_throw > 0].tolist())):
        aim = BODY_THROWS[row - 1].aim  # in [°]
        # Without an aim the prop stays in line with the hand.
        if aim is not None:
            yaw, pitch = np.radians(aim)
            flights = body_throw == row
            # The table has yaws outward, which is toward +x for left hands; right hands are their
            # mirror image. Pitches are the same.
            aims[flights, 0] = outward_sign(hand[flights]) * yaw
            aims[flights, 1] = pitch


def _points_behind(choreography: Choreography, event: Integers) -> Booleans:
    """Whether clubs point backward at throws or catches, below the vertical, shape (N,).

    On its way there such a club swings down past the hand. One whose pitch is beyond the vertical
    also points backward, but swings up and over instead.

    Args:
        choreography: the choreography whose events have `body_throw` (not None).
        event: rows of N throws and catches, shape (N,).
    """
    return _body_throws_where(
        choreography,
        event,
        lambda row: (
            row.aim is not None
            and abs(row.aim[0]) > _BACKWARD_YAW
            and row.aim[1] <= _OVERHEAD_PITCH
        ),
    )


def _body_throws_where(
    choreography: Choreography, event: Integers, condition: Callable[[BodyThrow], bool]
) -> Booleans:
    """Whether events are throws or catches around the body that meet a condition, shape (N,).

    Args:
        choreography: the choreography whose events have `body_throw` (not None).
        event: rows of N events, shape (N,).
        condition: tells for an entry of `BODY_THROWS` whether it meets the condition.
    """
    # `body_throw` counts the entries from 1; 0 stands for usual throws and catches, which never
    # meet the condition.
    row_meets = np.array([False, *map(condition, BODY_THROWS)])
    rows: Integers = np.asarray(choreography.events.body_throw)[event]
    return row_meets[rows]


def _from_below(aims: _AimAndRate, swings_through: Booleans) -> _AimAndRate:
    """Rewrite some aims and their rates so that interpolation passes below the vertical.

    (yaw, pitch) and (yaw + π, −π − pitch) are the same direction. The pitch of the second is beyond
    −π/2, straight down, so on the way there from an aim near the horizon the prop swings down and
    through. The yaw of the two forms changes at the same rate, the pitch at opposite ones.

    Args:
        aims: aims of N props.
        swings_through: shape (N,), which to rewrite.

    Returns:
        Aims and rates as in `aims`, new arrays.
    """
    aim, rate = aims
    rewritten = np.stack([aim[:, 0] + np.pi, -np.pi - aim[:, 1]], axis=1)
    is_rewritten = swings_through[:, None]
    return _AimAndRate(
        np.where(is_rewritten, rewritten, aim),
        np.where(is_rewritten, rate * (1.0, -1.0), rate),
    )
