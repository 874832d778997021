"""Manners of throwing and catching: grasps, and where the hand goes behind the back, under a leg or over the head.

`THROWS` and `CATCHES` are the tables of the words that `juggle_anim.text_settings` lists: a row says where the hand
goes and what the body does. The events of a choreography name their rows by `Events.body_throw`, counted from 1 in the
order of `BODY_THROWS`, those of throws first. docs/tricks.md describes each word.
"""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.choreography.choreography import Grasp
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT
from juggle_anim.choreography.score import Point

Way = tuple[tuple[float, Point], ...]
"""Points that a hand passes, each with its share of the time from one event to the next."""


@dataclass(frozen=True)
class Posture:
    """What the body does at one moment of a body throw of the left hand; that of a right hand is its mirror image.

    Args:
        rise: how far the pelvis moves up, [m]; to the left and forward it goes where the balance asks for.
        lean: how far the spine leans to the left and forward, [rad].
        twist: how far the shoulders turn to the left, [rad].
        lifts: how far the left and the right ankle move from where they stand, to the left, up and forward, [m].
        opens: how far the thigh of the left and of the right leg turns outward while a foot is lifted, about the line
            from the hip to the ankle, [rad].
        lead: how long before the event the body begins to move, [s]; it takes as long to come back.
        stance: how much farther out than usual both feet stand all the time, [m].
        held: for how long before and after the event a lifted leg is up, [s].
    """

    rise: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    twist: float = 0.0
    lifts: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    opens: tuple[float, float] = (0.0, 0.0)
    lead: float = 0.5
    stance: float = 0.0
    held: tuple[float, float] = (0.05, 0.08)

    def standing_foot(self, side: int) -> int | None:
        """The foot on which a throw of a left (0) or right hand (1) is made, 0 for the left one; None on both."""
        own, other = (lift[1] for lift in self.lifts)
        return None if own == other else side ^ int(own > other)

    @property
    def moves_legs(self) -> bool:
        """Whether a leg is lifted, or both stand wide."""
        return any(map(any, self.lifts)) or self.stance > 0.0


FEET_CHANGE = 0.75
"""The least time from a throw under one leg to one under the other, [s]."""

LONGEST_FLIGHT = 1.9
"""What a tempo slows down to for body throws, at most: a throw flies so long, [s], and is 4.4 m high. In less, props of
a 531 do not come over the shoulder or behind the back without a touch."""


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
        turn: the yaw, pitch and roll of the hand, as `juggle_anim.motion.palms` has them, [°]; None as its grasp is
            turned.
        keeps: shares of the paths to and from the event in which the hand stays turned so, and it turns in the rest of
            them; None if it turns all the time from the event before and until the one after.
        elbow: how far the elbow turns outward beyond where it is at ease, [°].
        aim: the direction of clubs and rings in the hand: a yaw outward from straight ahead, and a pitch up, [°]; those
            with a pitch beyond 90° come from there up and over. None if they are in line with a hand before the body.
        other: points that the other hand passes if it does nothing else, each with how long after the event, [beats].
        meanwhile: how far from its usual places the other hand throws and catches at the time of the event, outward, up
            and forward, [m]; a little before and after, less.
        lands: how far from the usual place the throw is caught, outward, up and forward, [m].
        tempo: share of the tempo at which people usually juggle the same.
        takes: how long the hand needs at least from its event before, and until the one after, [s].
        flies: how long what is thrown or caught so flies at least, to come over the body, to the other hand and to the
            same one, [s].
        ones: whether a 1 may be thrown or caught so; others are handed across before the body.
    """

    place: Point
    comes: Way = ()
    goes: Way = ()
    posture: Posture = Posture()
    grasp: Grasp = Grasp.PALM
    turn: tuple[float, float, float] | None = None
    keeps: tuple[float, float] | None = None
    elbow: float = 0.0
    aim: tuple[float, float] | None = None
    other: tuple[tuple[float, Point], ...] = ()
    meanwhile: Point = (0.0, 0.0, 0.0)
    lands: Point = (0.0, 0.0, 0.0)
    tempo: float = 1.0
    takes: tuple[float, float] = (0.0, 0.0)
    flies: tuple[float, float] = (0.0, 0.0)
    ones: bool = False

    @property
    def from_behind(self) -> bool:
        """Whether the hand is behind the body then."""
        return self.place[2] + HAND_FORWARD < 0.0


def _at(outward: float, height: float, forward: float) -> Point:
    """A point of a hand by its height above the floor and how far it is ahead of the body, [m]."""
    return outward, height - HAND_HEIGHT, forward - HAND_FORWARD


THROWS = {
    # Behind the back and over the other shoulder.
    "backcross": BodyThrow(
        place=_at(-0.08, 0.92, -0.30),
        comes=((0.31, _at(0.31, 0.97, 0.06)), (0.85, _at(0.17, 0.90, -0.20))),
        goes=((0.31, _at(0.22, 0.98, -0.24)), (0.57, _at(0.27, 1.07, -0.03))),
        posture=Posture(lean=(0.01, 0.19), twist=0.10),
        turn=(-8.0, -51.0, -24.0),
        elbow=9.0,
        aim=(-108.0, -14.0),
        lands=(0.11, -0.01, -0.10),
        tempo=0.75,
        flies=(0.63, 0.63),
    ),
    # From behind over the shoulder of the hand's own side.
    "shoulder": BodyThrow(
        place=_at(0.21, 0.98, -0.27),
        comes=((0.27, _at(0.26, 1.01, 0.07)), (0.75, _at(0.26, 0.87, -0.17))),
        goes=((0.33, _at(0.30, 1.02, -0.15)), (0.51, _at(0.35, 1.05, -0.01))),
        posture=Posture(lean=(-0.04, 0.14), twist=-0.09),
        turn=(-74.0, -54.0, 28.0),
        elbow=1.0,
        aim=(-122.0, 27.0),
        lands=(-0.07, 0.08, 0.0),
        tempo=0.75,
        flies=(0.8, 0.8),
    ),
    # Behind the back, low, around the other side of the waist.
    "lazy": BodyThrow(
        place=_at(-0.14, 1.0, -0.29),
        comes=((0.30, _at(0.27, 0.99, 0.19)), (0.80, _at(0.13, 0.98, -0.24))),
        goes=((0.34, _at(0.08, 1.11, -0.24)), (0.56, _at(0.31, 1.03, -0.04))),
        posture=Posture(lean=(-0.11, 0.09), twist=0.24),
        turn=(-42.0, -54.0, 49.0),
        elbow=-27.0,
        aim=(-117.0, -28.0),
        lands=(0.14, 0.11, -0.04),
        tempo=0.85,
        flies=(0.65, 0.95),
    ),
    # Under the thigh of the hand's own side, from outside.
    "underleg": BodyThrow(
        place=_at(-0.14, 0.81, 0.23),
        comes=((0.44, _at(0.17, 0.89, 0.16)), (0.8, _at(0.15, 0.91, -0.12))),
        goes=((0.21, _at(0.01, 0.79, 0.11)), (0.53, _at(0.18, 1.1, 0.31))),
        posture=Posture(
            lean=(0.15, 0.29), twist=-0.12, lifts=((-0.141, 0.581, 0.474), (0.0, 0.0, 0.0)), opens=(0.05, 0.0)
        ),
        turn=(-34.0, -14.0, 7.0),
        elbow=34.0,
        aim=(-6.0, -33.0),
        other=((0.0, _at(0.27, 1.12, 0.39)), (0.54, _at(0.24, 1.04, 0.36))),
        lands=(0.0, -0.02, 0.02),
        tempo=0.85,
        ones=True,
    ),
    # Under the thigh of the hand's own side, from inside.
    "underleg-inside": BodyThrow(
        place=_at(0.216, 0.731, 0.135),
        comes=((0.41, _at(-0.079, 0.821, 0.424)), (0.73, _at(-0.06, 0.65, 0.33)), (0.93, _at(0.08, 0.66, 0.22))),
        goes=((0.15, _at(0.04, 0.67, 0.23)), (0.4, _at(-0.07, 0.68, 0.34)), (0.57, _at(0.003, 1.016, 0.517))),
        posture=Posture(
            rise=-0.06,
            lean=(-0.42, 0.5),
            twist=-0.15,
            lifts=((0.183, 0.629, 0.467), (0.0, 0.0, 0.0)),
            opens=(0.596, 0.0),
            lead=0.57,
        ),
        turn=(139.0, 9.0, 47.0),
        elbow=-69.0,
        aim=(87.0, -4.0),
        other=((-0.08, _at(0.25, 1.08, 0.4)), (0.5, _at(0.21, 1.03, 0.39))),
        lands=(-0.01, 0.01, 0.04),
        tempo=0.8,
        takes=(0.28, 0.28),
    ),
    # Under the other thigh, from inside.
    "underleg-other": BodyThrow(
        place=_at(-0.125, 0.79, 0.143),
        comes=((0.34, _at(0.08, 0.94, 0.41)), (0.82, _at(0.09, 0.74, 0.38)), (0.91, _at(-0.05, 0.7, 0.26))),
        goes=((0.14, _at(-0.02, 0.74, 0.19)), (0.25, _at(0.02, 0.7, 0.25)), (0.52, _at(0.2, 1.03, 0.47))),
        posture=Posture(
            rise=-0.05,
            lean=(-0.09, 0.57),
            twist=-0.32,
            lifts=((0.0, 0.0, 0.0), (-0.052, 0.592, 0.469)),
            opens=(0.0, 0.48),
            lead=0.46,
            held=(0.24, 0.03),
        ),
        turn=(-49.0, 11.0, -80.0),
        elbow=-9.0,
        aim=(-101.0, 1.0),
        meanwhile=(0.208, 0.18, -0.053),
        lands=(-0.095, 0.004, -0.005),
        tempo=0.85,
        ones=True,
    ),
    # Between the standing legs, from the front.
    "albert": BodyThrow(
        place=_at(0.084, 0.419, -0.47),
        comes=((0.374, _at(0.166, 0.728, 0.407)), (0.84, _at(0.087, 0.281, 0.046))),
        goes=((0.184, _at(-0.103, 0.342, -0.229)), (0.62, _at(0.241, 0.544, 0.507))),
        posture=Posture(rise=-0.244, lean=(-0.62, 1.795), twist=-1.085, lead=0.576, stance=0.25),
        turn=(-82.0, -8.0, 52.0),
        elbow=80.0,
        aim=(158.0, 4.0),
        other=((-0.69, _at(0.446, 0.952, 0.594)), (0.261, _at(0.392, 0.876, 0.697)), (0.579, _at(0.515, 1.085, 0.51))),
        meanwhile=(0.118, -0.152, 0.265),
        lands=(0.064, 0.023, 0.025),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    # Between the standing legs, from behind.
    "trebla": BodyThrow(
        place=_at(-0.257, 0.383, 0.137),
        comes=((0.43, _at(0.56, 0.997, 0.012)), (0.89, _at(-0.04, 0.37, -0.13))),
        goes=((0.244, _at(-0.0337, 0.3071, -0.0878)), (0.602, _at(0.5879, 0.6971, 0.1947))),
        posture=Posture(rise=-0.26, lean=(1.35, -0.13), twist=0.274, lead=0.35, stance=0.246),
        turn=(115.8, -26.3, 43.3),
        elbow=-86.6,
        aim=(-5.6, -35.6),
        lands=(-0.12, -0.075, 0.27),
        tempo=0.7,
        takes=(0.38, 0.29),
    ),
    # Under the other arm.
    "underarm": BodyThrow(
        place=_at(-0.31, 1.01, 0.34),
        comes=((0.67, _at(-0.05, 0.93, 0.24)),),
        goes=((0.25, _at(0.07, 0.99, 0.31)),),
        posture=Posture(lean=(0.12, 0.3), twist=-0.52),
        elbow=11.0,
        other=((0.14, _at(0.16, 1.27, 0.37)),),
        lands=(0.01, 0.04, -0.03),
        tempo=0.85,
    ),
    # Down from high beside the head and across, the back of the hand forward.
    "chop": BodyThrow(
        place=_at(-0.08, 1.11, 0.38),
        comes=((0.37, _at(0.32, 1.40, 0.30)),),
        posture=Posture(lean=(-0.02, 0.02), twist=0.13),
        elbow=-4.0,
        lands=(0.01, 0.08, 0.0),
        tempo=0.9,
        ones=True,
    ),
    # From above the head.
    "overhead": BodyThrow(
        place=_at(0.20, 1.82, 0.18),
        comes=((0.5, _at(0.36, 1.45, 0.30)),),
        goes=((0.5, _at(0.42, 1.60, 0.26)),),
        tempo=0.8,
        ones=True,
    ),
}
"""Throws by the words of the setting `throws` that are no grasps."""

CATCHES = {
    # Behind the back, without looking.
    "behind": BodyThrow(
        place=_at(0.09, 0.98, -0.32),
        comes=((0.41, _at(0.38, 0.97, 0.02)), (0.70, _at(0.25, 0.98, -0.24))),
        goes=((0.23, _at(0.27, 0.96, -0.19)), (0.71, _at(0.36, 0.93, 0.06))),
        posture=Posture(lean=(0.0, 0.24), twist=-0.26),
        turn=(-55.0, -40.0, 20.0),
        elbow=5.0,
        aim=(-120.0, 5.0),
        tempo=0.65,
        flies=(0.83, 0.83),
    ),
    # Above the head.
    "overhead": BodyThrow(place=_at(0.28, 1.78, 0.30), tempo=0.9, ones=True),
    # On the nape, over the hand's own shoulder, where the prop rests.
    "neck": BodyThrow(
        place=_at(0.04, 1.564, -0.13),
        comes=((0.345, _at(0.214, 1.363, 0.262)), (0.822, _at(0.154, 1.77, 0.033)), (0.911, _at(0.125, 1.719, -0.101))),
        goes=(
            (0.093, _at(0.022, 1.578, -0.141)),
            (0.263, _at(0.015, 1.548, -0.149)),
            (0.435, _at(0.227, 1.683, -0.018)),
            (0.666, _at(0.267, 1.409, 0.307)),
        ),
        posture=Posture(lean=(-0.15, 0.38), twist=0.036, lead=0.53),
        turn=(-68.0, -26.5, 254.5),
        keeps=(0.096, 0.316),
        elbow=37.5,
        aim=(70.0, 227.0),
        tempo=0.55,
    ),
}
"""Catches by those words of the setting `catches` that are no grasps."""

CONSECUTIVE = {
    "underleg": BodyThrow(
        place=_at(-0.14, 0.793, 0.215),
        comes=((0.445, _at(0.146, 0.844, 0.212)), (0.903, _at(0.133, 0.912, -0.09))),
        goes=((0.182, _at(0.013, 0.825, 0.123)), (0.46, _at(0.135, 1.136, 0.343))),
        posture=Posture(
            lean=(0.148, 0.369),
            twist=-0.124,
            lifts=((-0.124, 0.606, 0.461), (0.0, 0.0, 0.0)),
            opens=(-0.002, 0.0),
            lead=0.512,
            held=(0.082, 0.086),
        ),
        turn=(-34.898, -28.299, -8.911),
        elbow=30.974,
        aim=(-9.187, -36.004),
        other=((0.0, _at(0.266, 1.192, 0.24)), (0.534, _at(0.238, 1.01, 0.358))),
        lands=(0.0, -0.04, -0.0),
        tempo=0.85,
        ones=True,
    ),
    "underleg-inside": BodyThrow(
        place=_at(0.242, 0.728, 0.131),
        comes=((0.395, _at(0.017, 0.885, 0.438)), (0.771, _at(-0.11, 0.65, 0.312)), (0.93, _at(-0.015, 0.639, 0.231))),
        goes=((0.09, _at(0.117, 0.705, 0.166)), (0.365, _at(0.041, 0.677, 0.361)), (0.574, _at(0.006, 1.043, 0.547))),
        posture=Posture(
            lean=(-0.462, 0.469),
            twist=-0.17,
            lifts=((0.234, 0.634, 0.457), (0.0, 0.0, 0.0)),
            opens=(0.6, 0.0),
            lead=0.576,
            held=(0.049, 0.1),
        ),
        turn=(133.615, 0.354, 32.037),
        elbow=-70.945,
        aim=(81.667, -0.303),
        other=((-0.039, _at(0.274, 0.997, 0.426)), (0.455, _at(0.207, 0.896, 0.39))),
        lands=(0.065, -0.021, -0.031),
        tempo=0.8,
        takes=(0.28, 0.28),
    ),
    "underleg-other": BodyThrow(
        place=_at(-0.11, 0.793, 0.171),
        comes=((0.358, _at(0.032, 0.99, 0.388)), (0.702, _at(0.046, 0.764, 0.321)), (0.919, _at(-0.055, 0.686, 0.246))),
        goes=((0.14, _at(-0.021, 0.742, 0.175)), (0.187, _at(-0.003, 0.7, 0.246)), (0.476, _at(0.249, 1.054, 0.467))),
        posture=Posture(
            rise=-0.071,
            lean=(-0.046, 0.55),
            twist=-0.402,
            lifts=((0.0, 0.0, 0.0), (-0.048, 0.594, 0.499)),
            opens=(0.0, 0.523),
            lead=0.546,
            held=(0.239, 0.023),
        ),
        turn=(-48.156, 13.192, -65.673),
        elbow=-9.982,
        aim=(-88.716, 0.878),
        meanwhile=(0.165, 0.225, -0.043),
        lands=(-0.053, -0.0, -0.044),
        tempo=0.85,
        ones=True,
    ),
    "albert": BodyThrow(
        place=_at(0.083, 0.422, -0.474),
        comes=((0.381, _at(0.178, 0.706, 0.427)), (0.87, _at(0.082, 0.27, 0.065))),
        goes=((0.179, _at(-0.104, 0.342, -0.231)), (0.621, _at(0.242, 0.546, 0.508))),
        posture=Posture(rise=-0.195, lean=(-0.622, 1.801), twist=-1.081, lead=0.586, stance=0.258, held=(0.052, 0.084)),
        turn=(-83.139, -7.614, 52.179),
        elbow=79.861,
        aim=(157.705, 4.512),
        other=((-0.69, _at(0.444, 0.947, 0.594)), (0.262, _at(0.392, 0.877, 0.695))),
        meanwhile=(0.114, -0.152, 0.272),
        lands=(0.052, 0.025, 0.033),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    "trebla": BodyThrow(
        place=_at(-0.269, 0.389, 0.14),
        comes=((0.434, _at(0.557, 1.0, 0.039)), (0.885, _at(-0.044, 0.329, -0.125))),
        goes=((0.259, _at(-0.007, 0.245, -0.066)), (0.584, _at(0.489, 0.744, 0.17))),
        posture=Posture(rise=-0.266, lean=(1.332, -0.121), twist=0.331, lead=0.36, stance=0.257, held=(0.052, 0.079)),
        turn=(114.352, -39.274, 40.736),
        elbow=-87.499,
        aim=(-10.215, -41.057),
        lands=(-0.116, -0.163, 0.177),
        tempo=0.7,
        takes=(0.38, 0.29),
    ),
}
"""Throws under and between the legs that follow each other beat by beat: the body does not come up in between, props
fly higher, and hands have longer."""

BODY_THROWS = (*THROWS.values(), *CATCHES.values(), *CONSECUTIVE.values())
"""All rows; `Events.body_throw` has 1 for the first."""
