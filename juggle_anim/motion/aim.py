"""Aims: where clubs and rings point in a hand, and how they spin in flight.

An aim is a yaw and a pitch, [rad]: the turn about +y, 0 is +z, and the angle above the horizon. A
club points from its knob to its top; a ring points from where it is held to its middle, and stands
upright in the plane of its yaw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.choreography import Choreography, Flights
from juggle_anim.motion.bodies import Bodies, phasor_derivatives
from juggle_anim.motion.prop_shapes import CLUB_WIDTH
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
