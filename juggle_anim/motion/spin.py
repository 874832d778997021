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
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, Flights
from juggle_anim.choreography.around_body import BodyThrow
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.choreography.places import on_stand
from juggle_anim.motion.bodies import Bodies, phasor_derivatives
from juggle_anim.motion.flight import Centres, FlightPaths, solve_flights
from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate
from juggle_anim.motion.prop_paths import MIN_CARRY
from juggle_anim.motion.prop_shapes import CLUB_WIDTH, ORIENTED_KINDS, Grips, PropShapes
from juggle_anim.vectors import wrap_angle

TURNS_PER_SECOND = 2.5
FEWER_TURNS = 0.38
"""A club that flies for t seconds spins by the whole number of turns nearest to the first · t − the
second.
"""

BALL_TURNS_PER_SECOND = 0.9
"""About how fast balls turn in flight, in half turns: balls with eight panels in two tones look
alike after each.
"""

MAX_SPIN = 5.0
"""Fastest spin; a throw too short for its turns makes fewer whole ones, [turns/s]."""

CLUB_PITCH = np.radians(14.0)
RING_PITCH = np.radians(50.0)
"""At throws and catches, the pitch of clubs above the direction of the hand, and of rings above the
horizon, [rad].
"""

# The left arm at ease, close to what the body stage finds, and how hands hold clubs.
_SHOULDER = np.array([0.189, 1.42, 0.065])  # m
_ELBOW = np.array([0.29, 1.12, 0.0])  # m
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
        at_throw, at_catch: in the frames of the throwing and the catching body.
        throw_rate, catch_rate: their rates of change, likewise.
        start: at the throw, in the world.
        change: until the catch.
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
    """Unit vectors of moving aims, or a time derivative of them, shape (…, 3).

    The vector is (sin y cos p, sin p, cos y cos p), y the yaw and p the pitch. Its level part is
    the mean of exp(i(y + p)) and exp(i(y − p)), with x imaginary and z real.

    Args:
        aims: shape (…, 2), and its time derivatives up to the requested one.
    """
    level = (
        phasor_derivatives([aim.sum(axis=-1) for aim in aims])[-1]
        + phasor_derivatives([aim[..., 0] - aim[..., 1] for aim in aims])[-1]
    )
    height = phasor_derivatives([aim[..., 1] for aim in aims])[-1]
    return np.stack([level.imag / 2, height.imag, level.real / 2], axis=-1)


def steady_aims(aims: Floats) -> Floats:
    """Return aims of one ball at successive times without invisible jumps, shape (T, 2), [rad].

    A ball with eight panels looks the same after half a turn of its pitch, and also with its yaw
    half a turn on and its pitch reversed.
    """
    yaw = np.unwrap(aims[:, 0], period=np.pi)
    half_turned = np.rint((aims[:, 0] - yaw) / np.pi) % 2 == 1
    return np.stack(
        [yaw, np.unwrap(np.where(half_turned, -aims[:, 1], aims[:, 1]), period=np.pi)], axis=-1
    )


def held_aims(kind: str, right: Booleans, position: Floats, grip: Floats, radius: float) -> Floats:
    """Aims of props in hands, shape (N, 2), [rad].

    They are in line with the hand, and splayed from props beside them.

    Args:
        kind: "club", "ring" or "ball".
        right: shape (N,), whether it is a right hand.
        position: shape (N, 3), of the hand in the frame of its body, [m].
        grip: shape (N, 3), where the prop lies in the hand, [m].
        radius: half the space that it has there, [m].
    """
    side = np.where(right, -1.0, 1.0)
    hand = _hand_direction(_mirrored_to_left(position, side))
    yaw = side * np.arctan2(hand[:, 0], hand[:, 2])
    if kind == "ring":
        return np.stack([yaw, np.full_like(yaw, RING_PITCH)], axis=-1)
    pitch = np.arctan2(hand[:, 1], np.hypot(hand[:, 0], hand[:, 2]))
    if kind == "ball":
        return np.stack([yaw, pitch], axis=-1)
    pitch += CLUB_PITCH
    splay = max(0.0, CLUB_WIDTH / 2 / radius - 1) / _GRIP_TO_BODY
    return np.stack([yaw + splay * grip[:, 0], pitch + splay * grip[:, 1]], axis=-1)


def held_pitch(right: Booleans, position: Floats) -> Floats:
    """Pitch of hands in line with a handle that they hold, shape (N,), [rad].

    Args:
        right, position: as for `held_aims`.
    """
    side = np.where(right, -1.0, 1.0)
    hand = _hand_direction(_mirrored_to_left(position, side))
    return np.arctan2(hand[:, 1], np.hypot(hand[:, 0], hand[:, 2]))


def _mirrored_to_left(position: Floats, side: Floats) -> Floats:
    """Positions of hands, those of right ones (side −1) mirrored to the left, (N, 3), [m]."""
    return position * np.stack([side, 0 * side + 1, 0 * side + 1], axis=-1)


def _hand_direction(position: Floats) -> Floats:
    """Approximate direction of left hands in the pose, shape (N, 3)."""
    palm = position - (0.0, _PALM_BELOW, 0.0)
    relaxed = (palm - _ELBOW) * _FLATTENING + _HAND_AHEAD
    relaxed /= np.linalg.norm(relaxed, axis=1, keepdims=True)
    away = palm - _SHOULDER
    distance = np.linalg.norm(away, axis=1, keepdims=True)
    straight_share = np.clip(
        (distance / _ARM_LENGTH - _STRAIGHTENS[0]) / (_STRAIGHTENS[1] - _STRAIGHTENS[0]), 0.0, 1.0
    )
    # Away from a relaxed elbow; a far hand along its arm instead, by a smooth step.
    direction: Floats = relaxed + straight_share * straight_share * (3 - 2 * straight_share) * (
        away / np.maximum(distance, 1e-9) - relaxed
    )
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
    """Return the aims of props that spin steadily in flight about a level axis.

    Their tops go toward the thrower.

    Args:
        choreography: the flights.
        bodies: of the jugglers.
        kind: "club", "ring" or "ball"; rings turn as little as possible.
        at_throw, at_catch: as in `Aims`.
        spins: turns of a club, in steps of a half; None for the whole number that suits its flight
            time.
    """
    events = choreography.events
    flights = choreography.flights
    throw = flights.throw
    catch = flights.catch
    # Headings of the throwing and of the catching bodies, and how fast they turn.
    throw_heading, catch_heading = (
        bodies.facing(events.hand[event] // 2, events.time[event]) for event in (throw, catch)
    )
    throw_turning, catch_turning = (
        bodies.facing(events.hand[event] // 2, events.time[event], 1) for event in (throw, catch)
    )
    yaw = wrap_angle(at_catch[:, 0] + catch_heading - at_throw[:, 0] - throw_heading)
    # A prop that points backward and beyond the vertical points forward.
    turned_round = np.abs(yaw) > np.pi / 2
    yaw = np.where(turned_round, yaw - np.copysign(np.pi, yaw), yaw)
    pitch = np.where(turned_round, np.pi - at_catch[:, 1], at_catch[:, 1]) - at_throw[:, 1]
    # The whole number of (half) turns that is nearest to what suits the flight time.
    if kind == "ball":
        half_turns = np.round(2 * BALL_TURNS_PER_SECOND * flights.duration - pitch / np.pi)
    else:
        turns_wanted = (
            TURNS_PER_SECOND * flights.duration - FEWER_TURNS
            if kind == "club"
            else 0.0 * flights.duration
        )
        half_turns = 2 * np.round(turns_wanted - pitch / (2 * np.pi))
    if kind == "club":
        half_turns = _with_spins(half_turns, flights, spins)
    if any(style.rests for style in flights.style):
        half_turns = np.where([style.rests for style in flights.style], 0.0, half_turns)
    pitch += np.pi * half_turns
    change = np.stack([yaw, pitch], axis=-1)
    rate = change / flights.duration[:, None]
    throw_rate = rate.copy()
    catch_rate = rate.copy()
    throw_rate[:, 0] -= throw_turning
    catch_rate[:, 0] -= catch_turning
    catch_rate[turned_round, 1] *= -1
    start = at_throw + np.stack([throw_heading, 0 * throw_heading], axis=-1)
    return Aims(
        at_throw,
        at_catch,
        throw_rate,
        catch_rate,
        start,
        change,
        (half_turns % 2 == 1) & (kind == "club"),
    )


def _with_spins(usual: Floats, flights: Flights, spins: float | None) -> Floats:
    """Return the half turns of clubs in flights, shape (F,).

    A flight too short for its turns has fewer whole ones.

    Args:
        usual: half turns without a request, shape (F,).
        flights: whose styles may request a number of turns.
        spins: turns that are requested of all others; None for the usual.
    """
    requested = [spins if style.spin is None else style.spin for style in flights.style]
    if not requested:
        requested = [spins] * len(usual)
    is_requested = np.array([turns is not None for turns in requested], dtype=bool)
    half_turns = np.round(2 * np.array([turns or 0.0 for turns in requested]))
    excess = np.ceil(np.maximum(0.0, half_turns / 2 - MAX_SPIN * flights.duration))
    return np.where(is_requested, np.maximum(half_turns - 2 * excess, half_turns % 2), usual)


MAX_SWING = 0.17
"""Longest time that a prop turns on in the hand after a catch, and swings before a throw, [s]."""

# How long at most a prop turns in the hand to a throw around the body, or from a catch there, [s].
_MAX_TURNING_TIME = 0.7

# A club that points farther back than this yaw swings down past its hand on the way there, unless
# its pitch is beyond the other: then it swings up and over.
_BACKWARD_YAW = 60.0  # °
_OVERHEAD_PITCH = 90.0  # °


@dataclass(frozen=True)
class Spin:
    """The aims of all orbits, for each kind of prop.

    Args:
        paths: yaw and pitch in the first round; in the world in flight, otherwise in the frame of
            the holding body.
        by_top: for each piece, whether the prop was last caught by its top.
        turned_over: for each path, whether one round turns a prop over.
    """

    paths: PiecewisePolynomial
    by_top: Booleans
    turned_over: Booleans

    def along(
        self, path: Integers, times: Floats, derivative: int
    ) -> tuple[list[Floats], Booleans]:
        """Evaluate aims and their derivatives, and whether props were last caught by their tops.

        Args:
            path: which path, any shape that broadcasts with `times`.
            times: on the path, [s], any value.
            derivative: the highest.

        Returns:
            The aims, [rad], and each derivative, shape (…, 2); and of shape (…) the ends.
        """
        piece, elapsed = self.paths.locate(path, times)
        aims = [self.paths.evaluate(piece, elapsed, order) for order in range(derivative + 1)]
        by_top = self.by_top.take(piece)
        if self.turned_over.any():
            round_start = times - elapsed - self.paths.start.take(piece)
            is_turned = self.turned_over.take(path) & (
                np.rint(round_start / self.paths.periods.take(path)) % 2 == 1
            )
            aims[0][..., 1] += np.pi * is_turned
            by_top ^= is_turned
        return aims, by_top


def spin_paths(choreography: Choreography, aims: Aims, held: Floats) -> Spin:
    """Return the spin of one kind of prop.

    Args:
        choreography: flights and orbits.
        aims: at each flight.
        held: shape (O, 2), the aims on each held orbit, [rad].
    """
    orbits = choreography.orbits
    flying_orbits = [index for index, orbit in enumerate(choreography.orbits) if orbit.flights]
    turns_over = np.array(
        [aims.turned_over[list(orbit.flights)].sum() % 2 == 1 for orbit in orbits], dtype=bool
    )
    periods = np.array([orbit.props * choreography.duration for orbit in orbits])
    legs = _legs(choreography, flying_orbits, aims)
    held_orbits = np.setdiff1d(np.arange(len(orbits)), flying_orbits)
    constants = np.zeros((len(held_orbits), 4, 2))
    constants[:, 0] = held[held_orbits]
    path = np.concatenate([held_orbits, legs.path])
    rounds, starts = np.divmod(legs.start, periods[legs.path])
    # A piece in the second round belongs to the first as seen turned over.
    in_second_round = turns_over[legs.path] & (rounds % 2 == 1)
    legs.coefficients[:, 0, 1] += np.pi * (legs.by_top.astype(int) + in_second_round)
    start = np.concatenate([np.zeros(len(held_orbits)), starts])
    order = np.lexsort((start, path))
    by_top = np.concatenate([np.zeros(len(held_orbits), dtype=bool), legs.by_top ^ in_second_round])
    coefficients = np.concatenate([constants, legs.coefficients])
    return Spin(
        PiecewisePolynomial(periods, path[order], start[order], coefficients[order]),
        by_top[order],
        turns_over,
    )


def spin_of_balls(choreography: Choreography, bodies: Bodies, radius: float) -> Spin:
    """Return the spin of balls, steady in flight about an axis to the side.

    In a hand a ball turns with it. The spin repeats with the orbit, but for half turns, after which
    a ball with panels in two tones looks the same.

    Args:
        choreography: flights and orbits.
        bodies: of the jugglers.
        radius: of the largest ball, [m].
    """
    events = choreography.events
    flights = choreography.flights
    hands = np.array([orbit.hand for orbit in choreography.orbits], dtype=np.intp)

    def held(hand: Integers, position: Floats) -> Floats:
        return held_aims("ball", hand % 2 == 1, position, 0 * position, radius)

    thrown, caught = (
        held(events.hand[event], events.position[event]) for event in (flights.throw, flights.catch)
    )
    aims = flight_aims(choreography, bodies, "ball", thrown, caught)
    return spin_paths(choreography, aims, held(hands, choreography.rest[hands]))


def join_spins(spins: Sequence[Spin]) -> Spin | None:
    """Join the spins of several kinds of props, in their order; None if there is none."""
    if not spins:
        return None
    return Spin(
        concatenate([spin.paths for spin in spins]),
        np.concatenate([spin.by_top for spin in spins]),
        np.concatenate([spin.turned_over for spin in spins]),
    )


@dataclass(frozen=True)
class _Legs:
    """Aims as polynomials, one for each flight and some for each carry.

    Args:
        path: shape (N,), the orbit of each.
        start: shape (N,), since the loop in which the first flight of the orbit began, [s].
        by_top: shape (N,), whether the prop was last caught by its top.
        coefficients: shape (N, 4, 2), of a prop held by its knob.
    """

    path: Integers
    start: Floats
    by_top: Booleans
    coefficients: Floats


def _legs(choreography: Choreography, orbits: Sequence[int], aims: Aims) -> _Legs:
    """The legs of some orbits, all of which have flights."""
    flights_by_orbit = [list(choreography.orbits[orbit].flights) for orbit in orbits]
    flight = np.array([index for indices in flights_by_orbit for index in indices], dtype=np.intp)
    by_top = np.zeros(0, dtype=bool)
    if flights_by_orbit:
        by_top = np.concatenate(
            [_turned_before(aims.turned_over[indices]) for indices in flights_by_orbit]
        )
    rounds = choreography.rounds
    flights = choreography.flights
    path = rounds.orbit[flight]
    following = rounds.following[flight]
    thrown = rounds.thrown[flight]
    caught_at = rounds.caught[flight]
    duration = flights.duration[flight]
    carry = flights.carry[flight]
    flying = np.zeros((len(flight), 4, 2))
    flying[:, 0] = aims.start[flight]
    flying[:, 1] = aims.change[flight] / duration[:, None]
    # Between a catch and the next throw the aim moves from the one to the other.
    held = np.flatnonzero(carry > MIN_CARRY)
    held_flight = flight[held]
    next_flight = following[held]
    caught = caught_at[held]
    catch_aim = (aims.at_catch[held_flight], aims.catch_rate[held_flight])
    throw_aim = (aims.at_throw[next_flight], aims.throw_rate[next_flight])
    if choreography.events.body_throw is not None:
        catch_behind = _behind(choreography, flights.catch[held_flight])
        throw_behind = _behind(choreography, flights.throw[next_flight])
        catch_aim = _from_below(catch_aim, catch_behind & ~throw_behind)
        throw_aim = _from_below(throw_aim, throw_behind & ~catch_behind)
    change = throw_aim[0] - catch_aim[0]
    change[:, 0] = wrap_angle(change[:, 0])
    turning_times = np.zeros(len(held)), carry[held]
    if choreography.events.body_throw is not None:
        turning_times = _turning_times(
            choreography, flights.catch[held_flight], flights.throw[next_flight], carry[held]
        )
    since, pieces = _carried(
        catch_aim[0], change, catch_aim[1], throw_aim[1], carry[held], *turning_times
    )
    return _Legs(
        path=np.concatenate([path, *[path[held]] * len(pieces)]),
        start=np.concatenate([thrown, *(caught + time for time in since)]),
        by_top=np.concatenate(
            [by_top, *[by_top[held] ^ aims.turned_over[held_flight]] * len(pieces)]
        ),
        coefficients=np.concatenate([flying, *pieces]),
    )


def _turned_before(turned_over: Booleans) -> Booleans:
    """Whether a prop was turned over an odd number of times before each flight, shape (N,)."""
    return np.asarray((np.cumsum(turned_over) - turned_over) % 2 == 1)


def _turning_times(
    choreography: Choreography, catch: Integers, throw: Integers, carry: Floats
) -> tuple[Floats, Floats]:
    """When props in hands begin and end to turn from one aim to the next, (N,) each, [s].

    Times count from the catch. A club that turned toward a throw around the body all through a long
    carry would swing through a leg on the way.

    Args:
        choreography: the events.
        catch, throw: events, shape (N,).
        carry: time between them, shape (N,), [s].
    """
    catch_around, throw_around = (
        _rows_where(choreography, event, lambda row: row.aim is not None)
        for event in (catch, throw)
    )
    begins = np.where(throw_around & ~catch_around, np.maximum(carry - _MAX_TURNING_TIME, 0.0), 0.0)
    return begins, np.where(
        catch_around & ~throw_around, np.minimum(carry, _MAX_TURNING_TIME), carry
    )


def _carried(
    start: Floats,
    change: Floats,
    catch_rate: Floats,
    throw_rate: Floats,
    carry: Floats,
    begins: Floats,
    ends: Floats,
) -> tuple[Floats, Floats]:
    """The aims of N props in hands.

    Each turns on a little, turns with the hand, and swings up to its throw. The swings are
    w·τ·x(1 − x)², x = u / τ, and its time reversal. With the hand the prop turns between two times,
    of which the first is 0 or the second is the whole carry, by the smooth step 3x² − 2x³.

    Args:
        start: aims at the catch, shape (N, 2), [rad].
        change: from there to the throw, likewise.
        catch_rate, throw_rate: rates at catch and throw, likewise, [rad/s].
        carry: duration, shape (N,), [s].
        begins, ends: when the turn with the hand begins and ends, shape (N,), [s].

    Returns:
        When P pieces start, since the catch, (P, N), and their coefficients, (P, N, 4, 2).
    """
    swing = np.minimum(MAX_SWING, 0.49 * carry)
    swing_time = swing[:, None]
    turn_time = (ends - begins)[:, None]
    zero = 0 * change
    turning_cubic = np.stack(
        [start, zero, 3 * change / turn_time**2, -2 * change / turn_time**3], axis=1
    )
    before, after = (np.stack([aim, zero, zero, zero], axis=1) for aim in (start, start + change))
    settles = np.stack(
        [zero, catch_rate, -2 * catch_rate / swing_time, catch_rate / swing_time**2], axis=1
    )
    gathers = np.stack([zero, zero, -throw_rate / swing_time, throw_rate / swing_time**2], axis=1)
    last = carry - swing
    # A piece that began with the throw would hide the flight.
    since = np.sort([0 * carry, swing, begins, np.where(ends < carry, ends, 0.0), last], axis=0)
    pieces = np.where((since < begins)[..., None, None], before, after)
    for index, times in enumerate(since):
        turning = (times >= begins) & (times < ends)
        pieces[index, turning] = _shifted(turning_cubic, times - begins)[turning]
        pieces[index] += np.where((times < swing)[:, None, None], _shifted(settles, times), 0.0)
        pieces[index] += np.where(
            (times >= last)[:, None, None], _shifted(gathers, times - last), 0.0
        )
    return since, pieces


def _shifted(cubics: Floats, by: Floats) -> Floats:
    """Cubics in u, shape (N, 4, 2), as cubics in u − s: the time since s, shape (N,), [s]."""
    s = by[:, None]
    a, b, c, d = np.moveaxis(cubics, 1, 0)
    return np.stack(
        [a + s * b + s**2 * c + s**3 * d, b + 2 * s * c + 3 * s**2 * d, c + 3 * s * d, d],
        axis=1,
    )


@dataclass(frozen=True)
class PropKind:
    """The flight and rotation of props of one kind.

    Args:
        flight_paths: the flights.
        spin: their aims, as from `spin_paths`; None if all props are balls.
    """

    flight_paths: FlightPaths
    spin: Spin | None


def solve_flights_by_kind(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: Grips,
    spins: float | None = None,
) -> list[PropKind]:
    """Return the flights of each kind of prop, in the order of `PropShapes.flight_kinds`.

    Args:
        choreography: the flights.
        bodies: of the jugglers.
        shapes: of the props.
        grips: where they lie in hands.
        spins: turns of clubs, as for `flight_aims`.
    """
    if not shapes.has_oriented:
        heights = shapes.bounce_height[shapes.flight_kinds[0]].tolist() or [0.0]
        return [
            PropKind(solve_flights(choreography, bodies, grips, height), None) for height in heights
        ]
    return [
        _prop_kind(choreography, bodies, shapes, grips, prop, spins)
        for prop in shapes.flight_kinds[0].tolist()
    ]


def _prop_kind(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: Grips,
    prop: int,
    spins: float | None,
) -> PropKind:
    """Return the flights and the spin of props like one of them.

    Args:
        choreography, bodies, shapes, grips, spins: as of `solve_flights_by_kind`.
        prop: its index.
    """
    bounce_height = float(shapes.bounce_height[prop])
    if shapes.kind[prop] not in ORIENTED_KINDS:
        zero = np.zeros((len(choreography.flights.throw), 2))
        no_aims = Aims(zero, zero, zero, zero, zero, zero, zero[:, 0] > 0)
        return PropKind(
            solve_flights(choreography, bodies, grips, bounce_height),
            spin_paths(choreography, no_aims, np.zeros((len(choreography.orbits), 2))),
        )
    aims = _aims(choreography, bodies, shapes, grips, prop, spins)
    lever = shapes.grip_to_centre[prop]
    drop = np.array([0.0, -shapes.grip_drop[prop], 0.0])
    centres = Centres(
        at_throw=lever * aim_directions([aims.at_throw]) + drop,
        at_catch=lever * aim_directions([aims.at_catch]) + drop,
        throw_rate=lever * aim_directions([aims.at_throw, aims.throw_rate]),
        catch_rate=lever * aim_directions([aims.at_catch, aims.catch_rate]),
    )
    hands = np.array([orbit.hand for orbit in choreography.orbits], dtype=np.intp)
    held = held_aims(
        shapes.kind[prop],
        hands % 2 == 1,
        choreography.rest[hands],
        grips.held,
        shapes.palm_distance,
    )
    return PropKind(
        solve_flights(choreography, bodies, grips, bounce_height, centres),
        spin_paths(choreography, aims, held),
    )


def _aims(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: Grips,
    prop: int,
    spins: float | None,
) -> Aims:
    """Return the aims of props like one of them at all flights.

    Args:
        choreography, bodies, shapes, grips, spins: as of `solve_flights_by_kind`.
        prop: its index.
    """
    events = choreography.events
    flights = choreography.flights
    last_places = grips.places[grips.last[choreography.rounds.before]]
    first_places = grips.places[grips.first]
    throw_aims, catch_aims = (
        held_aims(
            shapes.kind[prop],
            events.hand[event] % 2 == 1,
            events.position[event],
            grip,
            shapes.palm_distance,
        )
        for event, grip in ((flights.throw, last_places), (flights.catch, first_places))
    )
    if events.body_throw is not None:
        for aims, event in ((throw_aims, flights.throw), (catch_aims, flights.catch)):
            _aim_around_bodies(aims, events.body_throw[event], events.hand[event] % 2 == 1)
    # A bounced prop leaves and arrives with its centre at the height of the hand, for which the
    # tempo was chosen.
    bounces = np.array(
        [style.bounces > 0 for style in flights.style] or [False] * len(flights.throw), dtype=bool
    )
    throw_aims[bounces, 1] = catch_aims[bounces, 1] = np.arcsin(
        min(1.0, shapes.grip_drop[prop] / max(shapes.grip_to_centre[prop], 1e-9))
    )
    if shapes.kind[prop] == "club":
        lying = np.array(
            [style.rests for style in flights.style] or [False] * len(flights.throw), dtype=bool
        )
        throw_aims[lying, 1] = catch_aims[lying, 1] = 0.0
    # Beside each other they point straight ahead.
    on_stands = on_stand(choreography)
    throw_aims[on_stands] = catch_aims[on_stands] = 0.0
    return flight_aims(choreography, bodies, shapes.kind[prop], throw_aims, catch_aims, spins)


def _aim_around_bodies(aims: Floats, rows: Integers, right: Booleans) -> None:
    """Put the aims of throws and catches around a body into `aims`.

    Args:
        aims: shape (F, 2), [rad].
        rows: shape (F,), of `BODY_THROWS`, counted from 1; 0 for usual throws and catches.
        right: shape (F,), whether it is a right hand.
    """
    for row in np.unique(rows[rows > 0]):
        aim = BODY_THROWS[row - 1].aim
        if aim:
            flights = rows == row
            aims[flights, 0] = np.where(right[flights], -1.0, 1.0) * np.radians(aim[0])
            aims[flights, 1] = np.radians(aim[1])


def _behind(choreography: Choreography, event: Integers) -> Booleans:
    """Whether clubs at some events point behind a hand that they pass below."""
    return _rows_where(
        choreography,
        event,
        lambda row: (
            row.aim is not None
            and abs(row.aim[0]) > _BACKWARD_YAW
            and row.aim[1] <= _OVERHEAD_PITCH
        ),
    )


def _rows_where(
    choreography: Choreography, event: Integers, holds: Callable[[BodyThrow], bool]
) -> Booleans:
    """Whether something holds of what is done around the body at some events."""
    known = np.array([False, *map(holds, BODY_THROWS)])
    rows: Integers = np.asarray(choreography.events.body_throw)[event]
    return known[rows]


def _from_below(aims: tuple[Floats, Floats], which: Booleans) -> tuple[Floats, Floats]:
    """Aims and rates, some as reached by swinging down and through, shape (N, 2) each.

    (yaw, pitch) and (yaw + π, −π − pitch) are the same direction.
    """
    aim, rate = aims
    through = np.stack([aim[:, 0] + np.pi, -np.pi - aim[:, 1]], axis=1)
    return np.where(which[:, None], through, aim), np.where(
        which[:, None], rate * (1.0, -1.0), rate
    )
