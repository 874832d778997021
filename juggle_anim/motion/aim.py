"""Where props point: the way in which a hand holds them, and how they turn in flight.

An aim is a yaw and a pitch, [rad]: the turn about +y, 0 is +z, and the angle above the horizon. A club points from its
knob to its top; a ring from where it is held to its middle, and stands upright in the plane of its yaw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.choreography import Choreography
from juggle_anim.motion.bodies import Bodies, turning
from juggle_anim.motion.prop_shapes import CLUB_WIDTH
from juggle_anim.vectors import wrapped_angle

TURNS_A_SECOND, FEWER_TURNS = 1.9, 0.15
"""A club that flies for t seconds makes the whole number of turns nearest to the first · t − the second."""

FASTEST_TURN = 5.0
"""A throw that is too short for the turns that are asked for makes as many whole ones fewer, [turns/s]."""

CLUB_PITCH, RING_PITCH = np.radians(14.0), np.radians(50.0)
"""At a throw and a catch clubs point so far above the way the hand points, and rings above the horizon, [rad]."""

# The left shoulder and elbow at ease, and how hands that hold clubs lie, much as the body has them.
_SHOULDER, _ELBOW = np.array([0.189, 1.42, 0.065]), np.array([0.29, 1.12, 0.0])
_FLAT, _AHEAD = np.array([1.0, 0.45, 1.0]), np.array([0.0, 0.10, 0.12])
_ARM, _STRAIGHTENS = 0.686, (0.75, 1.15)
_PALM = 0.028
# No hand points farther to a side than one that is so far ahead of its elbow, [m].
_LEAST_AHEAD = 0.15
# From the grip to where a club is thickest, [m].
_GRIP_TO_BODY = 0.25


@dataclass(frozen=True)
class Aims:
    """The aims of one sort of prop at each of F flights; all of shape (F, 2), [rad] or [rad/s].

    Args:
        leaves, comes: at the throw and at the catch, seen from the bodies that throw and catch.
        parts, meets: how fast they change then, seen likewise.
        start: at the throw, in the world.
        change: until the catch.
        turned_over: whether each flight has half a turn more than whole ones, so that a prop that was held by one end
            is caught by the other. All the above is that of a prop whose knob is in the hand that throws it, and
            `comes` that of whichever end is caught; a prop whose top is in the hand points the other way.
    """

    leaves: Floats
    comes: Floats
    parts: Floats
    meets: Floats
    start: Floats
    change: Floats
    turned_over: bool = False


def pointing(aims: Sequence[Floats]) -> Floats:
    """The unit vectors of aims that move, or a derivative of them, shape (…, 3).

    Args:
        aims: shape (…, 2), and its derivatives by time up to the one that is wanted.
    """
    level = turning([aim.sum(axis=-1) for aim in aims])[-1] + turning([aim[..., 0] - aim[..., 1] for aim in aims])[-1]
    height = turning([aim[..., 1] for aim in aims])[-1]
    return np.stack([level.imag / 2, height.imag, level.real / 2], axis=-1)


def held_aims(kind: str, right: Booleans, position: Floats, grip: Floats, radius: float) -> Floats:
    """How hands hold props, shape (N, 2): in line with the hand from above, and apart from others beside them.

    Args:
        kind: "club" or "ring".
        right: shape (N,), whether it is a right hand.
        position: shape (N, 3), of the hand, seen from its body, [m].
        grip: shape (N, 3), where the prop lies in it, [m].
        radius: half the room that it has there, [m].
    """
    side = np.where(right, -1.0, 1.0)
    hand = _hand_direction(position * np.stack([side, 0 * side + 1, 0 * side + 1], axis=-1))
    yaw = side * np.arctan2(hand[:, 0], hand[:, 2])
    if kind != "club":
        return np.stack([yaw, np.full_like(yaw, RING_PITCH)], axis=-1)
    pitch = np.arctan2(hand[:, 1], np.hypot(hand[:, 0], hand[:, 2])) + CLUB_PITCH
    splay = max(0.0, CLUB_WIDTH / 2 / radius - 1) / _GRIP_TO_BODY
    return np.stack([yaw + splay * grip[:, 0], pitch + splay * grip[:, 1]], axis=-1)


def held_pitch(right: Booleans, position: Floats) -> Floats:
    """The slope of hands in line with a handle that they hold, shape (N,), [rad]; arguments as for `held_aims`."""
    side = np.where(right, -1.0, 1.0)
    hand = _hand_direction(position * np.stack([side, 0 * side + 1, 0 * side + 1], axis=-1))
    return np.arctan2(hand[:, 1], np.hypot(hand[:, 0], hand[:, 2]))


def _hand_direction(position: Floats) -> Floats:
    """About where left hands point, as the body will have them, shape (N, 3)."""
    palm = position - (0.0, _PALM, 0.0)
    level = (palm - _ELBOW) * _FLAT + _AHEAD
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    away = palm - _SHOULDER
    distance = np.linalg.norm(away, axis=1, keepdims=True)
    share = np.clip((distance / _ARM - _STRAIGHTENS[0]) / (_STRAIGHTENS[1] - _STRAIGHTENS[0]), 0.0, 1.0)
    direction: Floats = level + share * share * (3 - 2 * share) * (away / np.maximum(distance, 1e-9) - level)
    direction[:, 2] = np.maximum(direction[:, 2], _LEAST_AHEAD)
    return direction


def flight_aims(
    choreography: Choreography, bodies: Bodies, kind: str, leaves: Floats, comes: Floats, spins: float | None = None
) -> Aims:
    """How props turn in flight: steadily, about a level axis across the way they point, their top toward the thrower.

    Args:
        choreography: the flights.
        bodies: who throws and catches.
        kind: "club" or "ring"; rings turn as little as they can.
        leaves, comes: as in `Aims`.
        spins: how often a club turns, in halves; None for the whole number that suits the time it flies.
    """
    events, flights = choreography.events, choreography.flights
    throw, catch = flights.throw, flights.catch
    turns, turning_by = (
        [bodies.turns(events.hand[event] // 2, events.time[event], derivative) for event in (throw, catch)]
        for derivative in (0, 1)
    )
    yaw = wrapped_angle(comes[:, 0] + turns[1] - leaves[:, 0] - turns[0])
    # A prop that points backward and beyond the vertical points forward.
    over = np.abs(yaw) > np.pi / 2
    yaw = np.where(over, yaw - np.copysign(np.pi, yaw), yaw)
    pitch = np.where(over, np.pi - comes[:, 1], comes[:, 1]) - leaves[:, 1]
    if spins is None or kind != "club":
        wanted = TURNS_A_SECOND * flights.duration - FEWER_TURNS if kind == "club" else 0.0 * flights.duration
        halves = 2 * np.round(wanted - pitch / (2 * np.pi))
    else:
        too_many = np.ceil(np.maximum(0.0, round(2 * spins) / 2 - FASTEST_TURN * flights.duration))
        halves = np.maximum(round(2 * spins) - 2 * too_many, round(2 * spins) % 2)
    pitch += np.pi * halves
    change = np.stack([yaw, pitch], axis=-1)
    rate = change / flights.duration[:, None]
    parts, meets = rate.copy(), rate.copy()
    parts[:, 0] -= turning_by[0]
    meets[:, 0] -= turning_by[1]
    meets[over, 1] *= -1
    start = leaves + np.stack([turns[0], 0 * turns[0]], axis=-1)
    return Aims(leaves, comes, parts, meets, start, change, bool((halves % 2).any()))
