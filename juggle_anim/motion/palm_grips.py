"""How hands lie around what they hold: how far they close, and where their palms lie."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography
from juggle_anim.motion.event_means import mean_by_event
from juggle_anim.motion.flight import Flying
from juggle_anim.motion.prop_shapes import PropShapes

EMPTY_CLOSED = np.array([0.16, 0.1])
"""How far fingers and thumb of an empty hand are closed."""

# Clubs are held in a fist, a ring lies between flat fingers and the thumb. On balls fingers close by this length over
# the radius, [m].
_CLUB_CLOSED, _RING_CLOSED = np.array([1.0, 1.0]), np.array([0.02, 0.72])
_BALL_FINGERS, _BALL_THUMB = 0.0140, 0.5
# Share of their tilt that palms keep which hold several props, lest one of them rolls off.
_SEVERAL = 0.1


def held_at_events(choreography: Choreography, shapes: PropShapes, flying: Flying) -> tuple[Floats, Floats, Floats]:
    """What hands hold at each of E events.

    Args:
        choreography: what happens.
        shapes: of the props.
        flying: where props lie in the hands.

    Returns:
        The shares of clubs and of rings, shape (E, 2); the grip on it, shape (E, 4), as by `grips_on`; and the share of
        its tilt that is left to the palm, shape (E,).
    """
    flights, count = choreography.flights, len(choreography.events.time)
    each = np.concatenate([_sorts(shapes), grips_on(shapes)], axis=1)
    held, came = np.zeros((len(flights.throw), each.shape[1])), np.zeros(len(flights.throw), dtype=np.intp)
    prop = 0
    for orbit in choreography.orbits:
        held[list(orbit.flights)] = each[prop : prop + orbit.props].mean(axis=0)
        for flight, following in orbit.steps():
            came[following] = flight
        prop += orbit.props
    several = np.array([bool(np.any(places)) for places in flying.grips], dtype=bool)
    level = np.ones(count)
    level[flights.catch[several]] = _SEVERAL
    level[flights.throw[several[came]]] = _SEVERAL
    held = mean_by_event(np.concatenate([flights.throw, flights.catch]), np.tile(held, (2, 1)), count)
    return held[:, :2], held[:, 2:], level


def grips_on(shapes: PropShapes) -> Floats:
    """How hands lie around each prop, shape (P, 4).

    How far fingers and thumb are closed, from 0 flat to 1 a fist; and how far the prop's middle, or what of it is held,
    is from the palm's skin, and how far below the place of the hand, [m].
    """
    club, ring = _sorts(shapes).T[:, :, None] > 0
    fingers = np.minimum(1.0, _BALL_FINGERS / np.maximum(shapes.size / 2, 1e-9))
    ball = np.stack([fingers, np.full_like(fingers, _BALL_THUMB)], axis=1)
    closed = np.where(club, _CLUB_CLOSED, np.where(ring, _RING_CLOSED, ball))
    return np.concatenate([closed, shapes.held[:, None], shapes.lower[:, None]], axis=1)


def opened(grip: Floats, share: float) -> Floats:
    """Grips that are closed by a share only, the rest being as of an empty hand."""
    return np.concatenate([EMPTY_CLOSED + share * (grip[:, :2] - EMPTY_CLOSED), grip[:, 2:]], axis=1)


def _sorts(shapes: PropShapes) -> Floats:
    """Whether each prop is a club, and whether a ring, shape (P, 2)."""
    return np.array([[kind == "club", kind == "ring"] for kind in shapes.kind], dtype=float).reshape(-1, 2)
