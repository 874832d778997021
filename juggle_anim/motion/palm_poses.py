"""Poses of palms: tilted with their load, along a handle, or turned over in a grasp; and grips on
props.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, Grasp
from juggle_anim.motion.aim import held_pitch
from juggle_anim.motion.flight import FlightPaths, mean_by_event
from juggle_anim.motion.prop_shapes import PropShapes


@dataclass(frozen=True)
class PalmStyle:
    """How palms lie that carry balls, or nothing.

    Args:
        inward: roll toward the other hand under a ball at rest, [rad].
        max_tilt: largest tilt of a palm that carries a ball: its roll, and its pitch, shape (2,),
            [rad].
        slope_share: how much palms follow the slope of their hand at ease; hands that dip less
            follow it less.
        empty: yaw, pitch and roll of an empty hand at ease, shape (3,), [rad].
        claw: roll of a claw, over half a turn.
        raising: share of a short time between throw and catch in which the fingers of an empty hand
            go up, and down.
        flick: how far they go on up while their hand turns round, for its downward acceleration,
            [rad·s²/m]; so its wrist turns round later and more gently.
    """

    inward: float
    max_tilt: Floats
    slope_share: float
    empty: Floats
    claw: float = 1.0
    raising: float = 1 / 3
    flick: float = 0.0


NATURAL_PALMS = PalmStyle(
    np.radians(40.0),
    np.radians([45.0, 45.0]),
    1.3,
    np.radians([0.0, 4.0, 38.0]),
    claw=0.92,
    raising=0.44,
    flick=0.002,
)
"""As recorded jugglers tilt theirs inward, by 30 to 45°: so a forearm need not turn as far as it
can.
"""

JUGGLING_LAB_PALMS = PalmStyle(0.0, np.radians([38.0, 55.0]), 0.65, np.radians([0.0, 4.0, 24.0]))
"""For Juggling Lab's places, where hands dip less."""

AT_CATCH, CARRYING, AT_THROW, AT_EASE = range(4)
"""Moments for which grasps have different turns."""

# The roll of hands that hold clubs by their handle and rings by their rim.
_CLUB_ROLL = np.radians(28.0)
_RING_ROLL = np.radians(82.0)


# Yaw, pitch and roll by grasp and moment. A prop that passes the fingers of a claw needs them
# upright.
_GRASP_TURNS = {
    Grasp.CLAW: np.radians(
        [[0.0, 48.0, 180.0], [0.0, 2.0, 180.0], [0.0, 60.0, 180.0], [0.0, 80.0, 176.0]]
    ),
}

EMPTY_CLOSED = np.array([0.16, 0.1])
"""How far the fingers and the thumb of an empty hand are closed."""

# Clubs are held in a fist, a ring lies between flat fingers and the thumb. On balls fingers close
# by this length over the radius, [m].
_CLUB_CLOSED = np.array([1.0, 1.0])
_RING_CLOSED = np.array([0.02, 0.72])

_BALL_FINGERS = 0.0140
_BALL_THUMB = 0.5

# The shares of its lean, of its inward roll and of its slope that a palm with several props keeps,
# so that none rolls off.
_TILT_WITH_SEVERAL = 0.1
_INWARD_WITH_SEVERAL = 0.6
_SLOPE_WITH_SEVERAL = 0.5


def lean(direction: Floats, hand: Integers, least: float) -> Floats:
    """Return the tilt of directions from the vertical, inward and forward, shape (N, 2), [rad].

    Args:
        direction: shape (N, 3).
        hand: shape (N,), which decides what is inward.
        least: lower bound of the vertical part.
    """
    inward = np.where(hand % 2 == 0, -1.0, 1.0)
    level = np.stack([inward * direction[:, 0], direction[:, 2]], axis=1)
    return np.arctan(level / np.maximum(direction[:, 1:2], least))


def palm_up(
    leaning: Floats,
    position: Floats,
    hand: Integers,
    kind: Floats,
    style: PalmStyle,
    level: float | Floats = 1.0,
) -> Floats:
    """Yaw, pitch and roll of palms that carry, (N, 3), [rad]: they lean with their load, or follow
    a handle.

    Args:
        leaning: shape (N, 2), of the load, as from `lean`.
        position: shape (N, 3), of the hand in the frame of its body, [m].
        hand: shape (N,).
        kind: shape (N, 2), the shares of clubs and of rings in the load.
        style: of the palms.
        level: shape (N,), the share of its tilt that each keeps.
    """
    pointed = kind.sum(axis=1)
    slope = held_pitch(hand % 2 == 1, position)
    # A palm that leans forward has its fingers down; it leans with the slope of the hand at ease,
    # too.
    inward = style.inward * np.where(np.asarray(level) < 1, _INWARD_WITH_SEVERAL, 1.0)
    rolled = level * leaning[:, 0] + (1 - pointed) * inward
    tilt = np.stack([rolled, sloping(position, hand, style, level) - level * leaning[:, 1]], axis=1)
    length = np.linalg.norm(tilt / style.max_tilt, axis=1, keepdims=True)
    tilt *= np.tanh(length) / np.maximum(length, 1e-9)
    pitch = pointed * slope + (1 - pointed) * tilt[:, 1]
    roll = (1 - 0.5 * pointed) * tilt[:, 0] + kind[:, 0] * _CLUB_ROLL + kind[:, 1] * _RING_ROLL
    return np.stack([0 * pitch, pitch, roll], axis=1)


def sloping(
    position: Floats, hand: Integers, style: PalmStyle, level: float | Floats = 1.0
) -> Floats:
    """Pitch of palms with balls or nothing, shape (N,), [rad]: fingers point up where hands are
    high.

    Args:
        position, hand, style, level: as for `palm_up`.
    """
    share = style.slope_share * np.where(np.asarray(level) < 1, _SLOPE_WITH_SEVERAL, 1.0)
    pitch: Floats = share * held_pitch(hand % 2 == 1, position)
    return style.max_tilt[1] * np.tanh(pitch / style.max_tilt[1])


def grasped(
    turn: Floats, grasp: Integers, moment: int | Integers, style: PalmStyle = JUGGLING_LAB_PALMS
) -> Floats:
    """Yaw, pitch and roll in any grasp, shape (N, 3), [rad].

    Args:
        turn: shape (N, 3), those of `Grasp.PALM`.
        grasp: shape (N,), of `Grasp`.
        moment: `AT_CATCH` and so on, one for all or one for each.
        style: of the palms.
    """
    for kind, turned in _GRASP_TURNS.items():
        share = (1.0, 1.0, style.claw if kind == Grasp.CLAW else 1.0)
        turn = np.where((grasp == kind)[:, None], turned[moment] * share, turn)
    return turn


def held_at_events(
    choreography: Choreography, shapes: PropShapes, flight_paths: FlightPaths
) -> tuple[Floats, Floats, Floats]:
    """Return what hands hold at each of E events.

    Args:
        choreography: the events.
        shapes: of the props.
        flight_paths: where props lie in the hands.

    Returns:
        The shares of clubs and of rings, shape (E, 2); the grip on it, shape (E, 4), as from
        `grips_on`; and the share of its tilt that the palm keeps, shape (E,).
    """
    flights = choreography.flights
    count = len(choreography.events.time)
    each = np.concatenate([_kind_flags(shapes), grips_on(shapes)], axis=1)
    held = np.zeros((len(flights.throw), each.shape[1]))
    prop = 0
    for orbit in choreography.orbits:
        held[list(orbit.flights)] = each[prop : prop + orbit.props].mean(axis=0)
        prop += orbit.props
    grips = flight_paths.grips
    several = np.zeros(len(held), dtype=bool)
    if several.size:
        several = np.logical_or.reduceat(grips.places.any(axis=1), grips.first)
    level = np.ones(count)
    level[flights.catch[several]] = _TILT_WITH_SEVERAL
    level[flights.throw[several[choreography.rounds.before]]] = _TILT_WITH_SEVERAL
    held = mean_by_event(
        np.concatenate([flights.throw, flights.catch]), np.tile(held, (2, 1)), count
    )
    return held[:, :2], held[:, 2:], level


def grips_on(shapes: PropShapes) -> Floats:
    """Grips of hands on each prop, shape (P, 4).

    How far fingers and thumb are closed, from 0 flat to 1 a fist; the distance of the gripped point
    from the palm, and how far it is below the place of the hand, [m].
    """
    club, ring = _kind_flags(shapes).T[:, :, None] > 0
    fingers = np.minimum(1.0, _BALL_FINGERS / np.maximum(shapes.size / 2, 1e-9))
    ball = np.stack([fingers, np.full_like(fingers, _BALL_THUMB)], axis=1)
    closed = np.where(club, _CLUB_CLOSED, np.where(ring, _RING_CLOSED, ball))
    return np.concatenate([closed, shapes.grip_to_palm[:, None], shapes.grip_drop[:, None]], axis=1)


def opened(grip: Floats, share: float) -> Floats:
    """Grips closed by a share only, from those of an empty hand."""
    return np.concatenate(
        [EMPTY_CLOSED + share * (grip[:, :2] - EMPTY_CLOSED), grip[:, 2:]], axis=1
    )


def _kind_flags(shapes: PropShapes) -> Floats:
    """Whether each prop is a club, and whether a ring, shape (P, 2)."""
    return np.array(
        [[kind == "club", kind == "ring"] for kind in shapes.kind], dtype=float
    ).reshape(-1, 2)
