"""Body throws and catches: where the hand goes behind the back, under a leg or over the head, and what the body does.

`THROWS` and `CATCHES` are the tables; the events of a choreography name their rows by `Events.body_throw`, counted
from 1 in the order of `BODY_THROWS`, those of throws first.
"""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.choreography.choreography import Grasp
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT
from juggle_anim.choreography.score import Point

Way = tuple[tuple[float, Point], ...]
"""Points that a hand passes, each with its share of the time from the event before to the event after it."""


@dataclass(frozen=True)
class Posture:
    """What the body does at one moment of a body throw of the left hand; that of a right hand is its mirror image.

    Args:
        pelvis: how far it moves to the left, up and forward, [m].
        lean: how far the spine leans to the left and forward, [rad].
        twist: how far the shoulders turn to the left, [rad].
        lifts: how far the left and the right ankle move from where they stand, to the left, up and forward, [m].
        lead: how long before the event the body begins to move, [s]; it takes as long to come back.
    """

    pelvis: Point = (0.0, 0.0, 0.0)
    lean: tuple[float, float] = (0.0, 0.0)
    twist: float = 0.0
    lifts: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    lead: float = 0.5


@dataclass(frozen=True)
class BodyThrow:
    """A way to throw or catch around the body.

    Args:
        place: of the hand at the event, outward, up and forward of the middle between the hands as they usually are,
            [m].
        comes: on the way to the event, from the event before.
        goes: on the way to the event after.
        posture: of the body.
        grasp: how the hand is turned.
    """

    place: Point
    comes: Way = ()
    goes: Way = ()
    posture: Posture = Posture()
    grasp: Grasp = Grasp.PALM


def _at(outward: float, height: float, forward: float) -> Point:
    """A point of a hand by its height above the floor and how far it is ahead of the body, [m]."""
    return outward, height - HAND_HEIGHT, forward - HAND_FORWARD


THROWS = {
    # Behind the back and over the other shoulder.
    "backcross": BodyThrow(
        place=_at(-0.05, 1.05, -0.22),
        comes=((0.5, _at(0.34, 1.0, -0.05)),),
        goes=((0.4, _at(0.36, 1.05, 0.0)),),
        posture=Posture(twist=-0.3, lean=(0.0, 0.05)),
    ),
    # Under the thigh of the hand's own side, from outside.
    "underleg": BodyThrow(
        place=_at(0.05, 0.72, 0.30),
        comes=((0.5, _at(0.30, 0.80, 0.25)),),
        goes=((0.4, _at(0.30, 0.78, 0.25)),),
        posture=Posture(pelvis=(-0.06, 0.0, 0.0), lean=(0.0, 0.2), lifts=((0.0, 0.45, 0.30), (0.0, 0.0, 0.0))),
    ),
}
"""Throws by the words of the setting `throws`."""

CATCHES = {
    # Behind the back, without looking.
    "behind": BodyThrow(
        place=_at(0.10, 1.0, -0.22),
        comes=((0.6, _at(0.36, 1.05, -0.02)),),
        goes=((0.4, _at(0.36, 1.0, -0.02)),),
        posture=Posture(twist=-0.2),
    ),
}
"""Catches by those words of the setting `catches` that are no grasps."""

BODY_THROWS = (*THROWS.values(), *CATCHES.values())
"""All rows; `Events.body_throw` has 1 for the first."""
