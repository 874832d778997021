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

# The left shoulder and elbow at ease, and how hands hold clubs, close to what the body stage finds.
_SHOULDER = np.array([0.189, 1.42, 0.065])
_ELBOW = np.array([0.29, 1.12, 0.0])
_FLAT = np.array([1.0, 0.45, 1.0])
_AHEAD = np.array([0.0, 0.10, 0.12])
_ARM = 0.686
_STRAIGHTENS = (0.75, 1.15)
_PALM = 0.028
# Least distance of a hand ahead of its elbow, which bounds how far to a side it points, [m].
_LEAST_AHEAD = 0.15
# From the grip to where a club is thickest, [m].
_GRIP_TO_BODY = 0.25


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
    """Unit vectors of moving aims, or a derivative of them, shape (…, 3).

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
    """Return aims of one ball at successive times, shape (T, 2), without jumps by half turns, which
    are invisible.

    A ball with eight panels looks the same after half a turn of its pitch, and also with its yaw
    half a turn on and its pitch reversed.
    """
    yaw = np.unwrap(aims[:, 0], period=np.pi)
    odd = np.rint((aims[:, 0] - yaw) / np.pi) % 2 == 1
    return np.stack([yaw, np.unwrap(np.where(odd, -aims[:, 1], aims[:, 1]), period=np.pi)], axis=-1)


def held_aims(kind: str, right: Booleans, position: Floats, grip: Floats, radius: float) -> Floats:
    """Aims of props in hands, shape (N, 2): in line with the hand, and splayed from props beside
    them.

    Args:
        kind: "club", "ring" or "ball".
        right: shape (N,), whether it is a right hand.
        position: shape (N, 3), of the hand in the frame of its body, [m].
        grip: shape (N, 3), where the prop lies in the hand, [m].
        radius: half the space that it has there, [m].
    """
    side = np.where(right, -1.0, 1.0)
    hand = _hand_direction(position * np.stack([side, 0 * side + 1, 0 * side + 1], axis=-1))
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
    """Pitch of hands in line with a handle that they hold, shape (N,), [rad]; arguments as for
    `held_aims`.
    """
    side = np.where(right, -1.0, 1.0)
    hand = _hand_direction(position * np.stack([side, 0 * side + 1, 0 * side + 1], axis=-1))
    return np.arctan2(hand[:, 1], np.hypot(hand[:, 0], hand[:, 2]))


def _hand_direction(position: Floats) -> Floats:
    """Approximate direction of left hands in the pose, shape (N, 3)."""
    palm = position - (0.0, _PALM, 0.0)
    level = (palm - _ELBOW) * _FLAT + _AHEAD
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    away = palm - _SHOULDER
    distance = np.linalg.norm(away, axis=1, keepdims=True)
    share = np.clip(
        (distance / _ARM - _STRAIGHTENS[0]) / (_STRAIGHTENS[1] - _STRAIGHTENS[0]), 0.0, 1.0
    )
    direction: Floats = level + share * share * (3 - 2 * share) * (
        away / np.maximum(distance, 1e-9) - level
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
    """Return the aims of props that spin steadily in flight, about a level axis, their top toward
    the thrower.

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
    turns, turning_by = (
        [
            bodies.facing(events.hand[event] // 2, events.time[event], derivative)
            for event in (throw, catch)
        ]
        for derivative in (0, 1)
    )
    yaw = wrap_angle(at_catch[:, 0] + turns[1] - at_throw[:, 0] - turns[0])
    # A prop that points backward and beyond the vertical points forward.
    over = np.abs(yaw) > np.pi / 2
    yaw = np.where(over, yaw - np.copysign(np.pi, yaw), yaw)
    pitch = np.where(over, np.pi - at_catch[:, 1], at_catch[:, 1]) - at_throw[:, 1]
    if kind == "ball":
        halves = np.round(2 * BALL_TURNS_PER_SECOND * flights.duration - pitch / np.pi)
    else:
        turns_wanted = (
            TURNS_PER_SECOND * flights.duration - FEWER_TURNS
            if kind == "club"
            else 0.0 * flights.duration
        )
        halves = 2 * np.round(turns_wanted - pitch / (2 * np.pi))
    if kind == "club":
        halves = _with_spins(halves, flights, spins)
    if any(style.rests for style in flights.style):
        halves = np.where([style.rests for style in flights.style], 0.0, halves)
    pitch += np.pi * halves
    change = np.stack([yaw, pitch], axis=-1)
    rate = change / flights.duration[:, None]
    parts = rate.copy()
    meets = rate.copy()
    parts[:, 0] -= turning_by[0]
    meets[:, 0] -= turning_by[1]
    meets[over, 1] *= -1
    start = at_throw + np.stack([turns[0], 0 * turns[0]], axis=-1)
    return Aims(
        at_throw, at_catch, parts, meets, start, change, (halves % 2 == 1) & (kind == "club")
    )


def _with_spins(halves: Floats, flights: Flights, spins: float | None) -> Floats:
    """Return the half turns of clubs, shape (F,): the usual ones, but for what is said of all and
    of single flights.

    A flight too short for its turns has fewer whole ones.
    """
    given = [style.spin if style.spin is not None else spins for style in flights.style] or [
        spins
    ] * len(halves)
    said = np.array([each is not None for each in given], dtype=bool)
    wanted = np.round(2 * np.array([each or 0.0 for each in given]))
    too_many = np.ceil(np.maximum(0.0, wanted / 2 - MAX_SPIN * flights.duration))
    return np.where(said, np.maximum(wanted - 2 * too_many, wanted % 2), halves)


MAX_SWING = 0.17
"""Longest time that a prop turns on in the hand after a catch, and swings before a throw, [s]."""

# For how long at most a prop turns in the hand to a throw around the body, or from a catch there,
# [s].
_TURNING = 0.7

# A club with a yaw beyond the first swings down past its hand on the way there, unless its pitch is
# beyond the second: then it swings up and over, [°].
_ASIDE = 60.0
_OVER = 90.0


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
        """Evaluate aims, [rad], and their derivatives; and whether props were last caught by their
        top.

        Args:
            path: which path, any shape that broadcasts with `times`.
            times: on the path, [s], any value.
            derivative: the highest.
        """
        piece, elapsed = self.paths.locate(path, times)
        aims = [self.paths.evaluate(piece, elapsed, order) for order in range(derivative + 1)]
        by_top = self.by_top.take(piece)
        if self.turned_over.any():
            began = times - elapsed - self.paths.start.take(piece)
            odd = self.turned_over.take(path) & (
                np.rint(began / self.paths.periods.take(path)) % 2 == 1
            )
            aims[0][..., 1] += np.pi * odd
            by_top ^= odd
        return aims, by_top


def spin_paths(choreography: Choreography, aims: Aims, held: Floats) -> Spin:
    """Return the spin of one kind of prop.

    Args:
        choreography: flights and orbits.
        aims: at each flight.
        held: shape (O, 2), the aims on each held orbit, [rad].
    """
    orbits = choreography.orbits
    some = [number for number, orbit in enumerate(choreography.orbits) if orbit.flights]
    over = np.array(
        [aims.turned_over[list(orbit.flights)].sum() % 2 == 1 for orbit in orbits], dtype=bool
    )
    periods = np.array([orbit.props * choreography.duration for orbit in orbits])
    legs = _legs(choreography, some, aims)
    still = np.setdiff1d(np.arange(len(orbits)), some)
    resting = np.zeros((len(still), 4, 2))
    resting[:, 0] = held[still]
    path = np.concatenate([still, legs.path])
    rounds, starts = np.divmod(legs.start, periods[legs.path])
    # A piece in the second round belongs to the first as seen turned over.
    again = over[legs.path] & (rounds % 2 == 1)
    legs.coefficients[:, 0, 1] += np.pi * (legs.by_top.astype(int) + again)
    start = np.concatenate([np.zeros(len(still)), starts])
    order = np.lexsort((start, path))
    by_top = np.concatenate([np.zeros(len(still), dtype=bool), legs.by_top ^ again])
    coefficients = np.concatenate([resting, legs.coefficients])
    return Spin(
        PiecewisePolynomial(periods, path[order], start[order], coefficients[order]),
        by_top[order],
        over,
    )


def spin_of_balls(choreography: Choreography, bodies: Bodies, radius: float) -> Spin:
    """Return the spin of balls: steady in flight, about an axis to the side, and with the hand that
    carries them.

    It repeats with the orbit, but for half turns, after which a ball with panels in two tones looks
    the same.

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
    numbers = [choreography.orbits[number].flights for number in orbits]
    flight = np.array([each for mine in numbers for each in mine], dtype=np.intp)
    by_top = np.zeros(0, dtype=bool)
    if numbers:
        by_top = np.concatenate([_turned_before(aims.turned_over[list(mine)]) for mine in numbers])
    rounds = choreography.rounds
    flights = choreography.flights
    path, following, thrown, came = (
        each[flight] for each in (rounds.orbit, rounds.following, *rounds[3:])
    )
    duration = flights.duration[flight]
    carry = flights.carry[flight]
    flying = np.zeros((len(flight), 4, 2))
    flying[:, 0], flying[:, 1] = aims.start[flight], aims.change[flight] / duration[:, None]
    held = np.flatnonzero(carry > MIN_CARRY)
    mine = flight[held]
    after = following[held]
    caught = came[held]
    begins = (aims.at_catch[mine], aims.catch_rate[mine])
    ends = (aims.at_throw[after], aims.throw_rate[after])
    if choreography.events.body_throw is not None:
        behind = _behind(choreography, flights.catch[mine])
        later = _behind(choreography, flights.throw[after])
        begins = _from_below(begins, behind & ~later)
        ends = _from_below(ends, later & ~behind)
    change = ends[0] - begins[0]
    change[:, 0] = wrap_angle(change[:, 0])
    turns_for = np.zeros(len(held)), carry[held]
    if choreography.events.body_throw is not None:
        turns_for = _turning_times(
            choreography, flights.catch[mine], flights.throw[after], carry[held]
        )
    since, pieces = _carried(begins[0], change, begins[1], ends[1], carry[held], *turns_for)
    return _Legs(
        path=np.concatenate([path, *[path[held]] * len(pieces)]),
        start=np.concatenate([thrown, *(caught + time for time in since)]),
        by_top=np.concatenate([by_top, *[by_top[held] ^ aims.turned_over[mine]] * len(pieces)]),
        coefficients=np.concatenate([flying, *pieces]),
    )


def _turned_before(turned_over: Booleans) -> Booleans:
    """Whether a prop has been turned over an odd number of times before each of some flights, shape
    (N,).
    """
    return np.asarray((np.cumsum(turned_over) - turned_over) % 2 == 1)


def _turning_times(
    choreography: Choreography, catch: Integers, throw: Integers, carry: Floats
) -> tuple[Floats, Floats]:
    """When props in hands begin and end to turn from the aim of a catch to that of a throw, (N,)
    each, [s] since it.

    A club that turned toward a throw around the body all through a long carry would swing through a
    leg on the way.
    """
    around, later = (
        _rows_where(choreography, event, lambda row: row.aim is not None)
        for event in (catch, throw)
    )
    begins = np.where(later & ~around, np.maximum(carry - _TURNING, 0.0), 0.0)
    return begins, np.where(around & ~later, np.minimum(carry, _TURNING), carry)


def _carried(
    start: Floats,
    change: Floats,
    catch_rate: Floats,
    throw_rate: Floats,
    carry: Floats,
    begins: Floats,
    ends: Floats,
) -> tuple[Floats, Floats]:
    """The aims of N props in hands: each turns on a little, turns with the hand, and swings up to
    its throw.

    The swings are w·τ·x(1 − x)², x = u / τ, and its time reversal. With the hand it turns between
    two times, of which the first is 0 or the second is the whole carry.

    Returns:
        When P pieces start, since the catch, (P, N), and their coefficients, (P, N, 4, 2).
    """
    swing = np.minimum(MAX_SWING, 0.49 * carry)
    by = swing[:, None]
    whole = (ends - begins)[:, None]
    none = 0 * change
    turned = np.stack([start, none, 3 * change / whole**2, -2 * change / whole**3], axis=1)
    before, after = (
        np.stack([place, none, none, none], axis=1) for place in (start, start + change)
    )
    settles = np.stack([none, catch_rate, -2 * catch_rate / by, catch_rate / by**2], axis=1)
    gathers = np.stack([none, none, -throw_rate / by, throw_rate / by**2], axis=1)
    last = carry - swing
    # A piece that began with the throw would hide the flight.
    since = np.sort([0 * carry, swing, begins, np.where(ends < carry, ends, 0.0), last], axis=0)
    pieces = np.where((since < begins)[..., None, None], before, after)
    for number, times in enumerate(since):
        turning = (times >= begins) & (times < ends)
        pieces[number, turning] = _shifted(turned, times - begins)[turning]
        pieces[number] += np.where((times < swing)[:, None, None], _shifted(settles, times), 0.0)
        pieces[number] += np.where(
            (times >= last)[:, None, None], _shifted(gathers, times - last), 0.0
        )
    return since, pieces


def _shifted(cubics: Floats, by: Floats) -> Floats:
    """Cubics (N, 4, 2) in the time since `by`, shape (N,)."""
    one = by[:, None]
    two = by[:, None] ** 2
    three = by[:, None] ** 3
    a, b, c, d = np.moveaxis(cubics, 1, 0)
    return np.stack(
        [a + one * b + two * c + three * d, b + 2 * one * c + 3 * two * d, c + 3 * one * d, d],
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
    bounce_height = float(shapes.bounce_height[prop])
    if shapes.kind[prop] not in ORIENTED_KINDS:
        still = np.zeros((len(choreography.flights.throw), 2))
        never = Aims(still, still, still, still, still, still, still[:, 0] > 0)
        return PropKind(
            solve_flights(choreography, bodies, grips, bounce_height),
            spin_paths(choreography, never, np.zeros((len(choreography.orbits), 2))),
        )
    aims = _aims(choreography, bodies, shapes, grips, prop, spins)
    arm = shapes.grip_to_centre[prop]
    low = np.array([0.0, -shapes.grip_drop[prop], 0.0])
    centres = Centres(
        at_throw=arm * aim_directions([aims.at_throw]) + low,
        at_catch=arm * aim_directions([aims.at_catch]) + low,
        throw_rate=arm * aim_directions([aims.at_throw, aims.throw_rate]),
        catch_rate=arm * aim_directions([aims.at_catch, aims.catch_rate]),
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
    events = choreography.events
    flights = choreography.flights
    last = grips.places[grips.last[choreography.rounds.before]]
    first = grips.places[grips.first]
    leaves, comes = (
        held_aims(
            shapes.kind[prop],
            events.hand[event] % 2 == 1,
            events.position[event],
            grip,
            shapes.palm_distance,
        )
        for event, grip in ((flights.throw, last), (flights.catch, first))
    )
    if events.body_throw is not None:
        for aims, event in ((leaves, flights.throw), (comes, flights.catch)):
            _aim_around_bodies(aims, events.body_throw[event], events.hand[event] % 2 == 1)
    # A bounced prop leaves and arrives with its centre at the height of the hand, for which the
    # tempo was chosen.
    bounces = np.array(
        [style.bounces > 0 for style in flights.style] or [False] * len(flights.throw), dtype=bool
    )
    leaves[bounces, 1] = comes[bounces, 1] = np.arcsin(
        min(1.0, shapes.grip_drop[prop] / max(shapes.grip_to_centre[prop], 1e-9))
    )
    if shapes.kind[prop] == "club":
        lying = np.array(
            [style.rests for style in flights.style] or [False] * len(flights.throw), dtype=bool
        )
        leaves[lying, 1] = comes[lying, 1] = 0.0
    # Beside each other they point straight ahead.
    beside = on_stand(choreography)
    leaves[beside] = comes[beside] = 0.0
    return flight_aims(choreography, bodies, shapes.kind[prop], leaves, comes, spins)


def _aim_around_bodies(aims: Floats, rows: Integers, right: Booleans) -> None:
    """Put in the aims of props that are thrown or caught around a body, as their rows of
    `BODY_THROWS` have them.

    Args:
        aims: shape (F, 2), [rad].
        rows: shape (F,), counted from 1, 0 for usual throws and catches.
        right: shape (F,), whether it is a right hand.
    """
    for row in np.unique(rows[rows > 0]):
        aim = BODY_THROWS[row - 1].aim
        if aim:
            mine = rows == row
            aims[mine, 0] = np.where(right[mine], -1.0, 1.0) * np.radians(aim[0])
            aims[mine, 1] = np.radians(aim[1])


def _behind(choreography: Choreography, event: Integers) -> Booleans:
    """Whether clubs at some events point behind a hand that they pass below."""
    return _rows_where(
        choreography,
        event,
        lambda row: row.aim is not None and abs(row.aim[0]) > _ASIDE and row.aim[1] <= _OVER,
    )


def _rows_where(
    choreography: Choreography, event: Integers, holds: Callable[[BodyThrow], bool]
) -> Booleans:
    """Whether something holds of what is done around the body at some events."""
    known = np.array([False, *map(holds, BODY_THROWS)])
    rows: Integers = np.asarray(choreography.events.body_throw)[event]
    return known[rows]


def _from_below(aims: tuple[Floats, Floats], which: Booleans) -> tuple[Floats, Floats]:
    """Aims and their rates, with some of the same directions as reached by swinging down and
    through, (N, 2) each.
    """
    aim, rate = aims
    through = np.stack([aim[:, 0] + np.pi, -np.pi - aim[:, 1]], axis=1)
    return np.where(which[:, None], through, aim), np.where(
        which[:, None], rate * (1.0, -1.0), rate
    )
