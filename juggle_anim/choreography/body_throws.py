"""Manners of throwing and catching: grasps, and where the hand goes behind the back, under a leg or
over the head.

`THROWS` and `CATCHES` are the tables of the words that `juggle_anim.parameters` lists: a row
says where the hand goes and what the body does.
docs/tricks.md describes each word.

The rows of the table of body throws: where a hand goes behind the back or under a leg, and what
the body does.

Variants of throws around the body: where they follow each other, and with clubs or rings.

Their names say which: `consecutive` before a word, `of clubs` after it, or both. Files in JML have
these names. A row with `replace` says only how it differs from that of balls.
"""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT
from juggle_anim.choreography.score import Grasp, Point
from juggle_anim.lazy_dataclass import dataclass

TimedPoints = tuple[tuple[float, Point], ...]
"""Points that a hand passes, each with its share of the time from one event to the next."""


@dataclass(frozen=True)
class Posture:
    """What the body does at one moment of a body throw of the left hand; that of a right hand is
    its mirror image.

    Args:
        rise: how far the pelvis moves up, [m]; to the left and forward it goes where the balance
            asks for.
        lean: how far the spine leans to the left and forward, [rad].
        twist: how far the shoulders turn to the left, [rad].
        lifts: how far the left and the right ankle move from where they stand, to the left, up and
            forward, [m].
        opens: how far the thigh of the left and of the right leg turns outward while a foot is
            lifted, about the line from the hip to the ankle, [rad].
        lead: how long before the event the body begins to move, [s]; it takes as long to come back.
        stance: how much farther out than usual both feet stand all the time, [m].
    """

    rise: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    twist: float = 0.0
    lifts: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    opens: tuple[float, float] = (0.0, 0.0)
    lead: float = 0.5
    stance: float = 0.0

    def standing_foot(self, side: int) -> int | None:
        """Return the foot on which a throw in this posture is made, 0 left or 1 right.

        None if both feet stand, or are lifted equally high.

        Args:
            side: side of the throwing hand, 0 left or 1 right.
        """
        # How high the ankle on the side of the throwing hand is lifted, and the other one: a
        # posture is that of a throw of the left hand, so the left ankle, on its side, is the first.
        own_up, other_up = (up for _left, up, _forward in self.lifts)
        if own_up == other_up:
            return None
        other_side = 1 - side
        return other_side if own_up > other_up else side

    @property
    def moves_legs(self) -> bool:
        """Whether a leg is lifted, or both stand wide."""
        return any(map(any, self.lifts)) or self.stance > 0.0


FEET_CHANGE = 0.75
"""The least time from a throw under one leg to one under the other, [s]."""

LONGEST_FLIGHT = 1.9
"""What a tempo slows down to for body throws, at most: a throw flies so long, [s], and is 4.4 m
high. In less, props of a 531 do not come over the shoulder or behind the back without a touch.
"""


@dataclass(frozen=True)
class BodyThrow:
    """A way to throw or catch around the body.

    Args:
        place: where the hand is at the event, outward, up and forward of the middle between the
            hands as they usually are, [m].
        comes: points that the hand passes on its way to the event; shares count from the start of
            that path.
        goes: points that it passes on its way from the event to the next one.
        posture: what the body does at the event.
        grasp: which way the palm faces.
        turn: the yaw, pitch and roll of the hand, as `juggle_anim.motion.palms` has them, [°]; None
            for those of its grasp.
        keeps: for how much of the path to the event, and of the path from it, the hand keeps this
            turn, as shares from 0 to 1; it turns during the remainder of these paths. None if it
            turns all the time from the event before, and until the one after.
        elbow: how far the elbow turns outward beyond where it is at ease, [°].
        aim: the direction of clubs and rings in the hand: a yaw outward from straight ahead, and a
            pitch up, [°]; those with a pitch beyond 90° swing up and over on their way there and
            back. None if they are in line with the hand, as before the body.
        other: points that the other hand passes if it does nothing else, each with how long after
            the event it does so, [beats]; before it if below 0.
        meanwhile: how far from its usual places the other hand throws and catches at the time of
            the event, outward, up and forward, [m]; a little before and after, less.
        lands: how far from the usual place the throw is caught, outward, up and forward, [m].
        tempo: tempo at which people juggle a pattern so, as a share of the usual one.
        takes: how long the hand needs at least from its event before to this one, and from this one
            to the event after, [s].
        flies: how long a prop that is thrown or caught so must fly at least, to come over the body:
            to the other hand, and to the same one, [s]; 0 for any time.
        ones: whether a 1 may be thrown or caught so; others are handed across before the body.
    """

    place: Point
    comes: TimedPoints = ()
    goes: TimedPoints = ()
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


def at(outward: float, height: float, forward: float) -> Point:
    """A point of a hand by its height above the floor and how far it is ahead of the body, [m]."""
    return outward, height - HAND_HEIGHT, forward - HAND_FORWARD


THROWS = {
    # From beside the hip, the arm turned inward until the palm is up and the fingers point back. It
    # swings out as it throws, so that the elbow stays inside of the prop.
    "penguin": BodyThrow(
        place=at(0.52, 1.01, -0.2),
        comes=((0.45, at(0.42, 0.98, 0.05)), (0.87, at(0.45, 0.93, -0.15))),
        goes=((0.35, at(0.47, 1.0, 0.03)),),
        turn=(-281.0, 0.0, -10.0),
        aim=(150.0, 0.0),
        tempo=0.8,
        takes=(0.3, 0.24),
        flies=(0.744, 0.75),
    ),
    # Behind the back and over the other shoulder.
    "backcross": BodyThrow(
        place=at(-0.088, 0.931, -0.314),
        comes=((0.326, at(0.322, 0.952, 0.065)), (0.845, at(0.174, 0.922, -0.216))),
        goes=((0.308, at(0.199, 0.975, -0.221)), (0.586, at(0.27, 1.069, 0.0))),
        posture=Posture(lean=(0.01, 0.19), twist=0.1),
        turn=(-8.951, -48.023, -24.592),
        elbow=9.0,
        aim=(-108.0, -14.0),
        lands=(0.127, -0.007, -0.1),
        tempo=0.75,
        flies=(0.631, 0.616),
    ),
    # From behind over the shoulder of the hand's own side.
    "shoulder": BodyThrow(
        place=at(0.217, 0.989, -0.276),
        comes=((0.262, at(0.265, 1.025, 0.069)), (0.763, at(0.255, 0.871, -0.171))),
        goes=((0.331, at(0.307, 1.035, -0.149)), (0.51, at(0.336, 1.054, 0.002))),
        posture=Posture(lean=(-0.04, 0.14), twist=-0.09),
        turn=(-73.246, -52.73, 26.983),
        elbow=1.0,
        aim=(-122.0, 27.0),
        lands=(-0.073, 0.094, -0.013),
        tempo=0.75,
        flies=(0.795, 0.806),
    ),
    # Behind the back, low, around the other side of the waist.
    "lazy": BodyThrow(
        place=at(-0.14, 1.0, -0.29),
        comes=((0.3, at(0.27, 0.99, 0.19)), (0.8, at(0.13, 0.98, -0.24))),
        goes=((0.34, at(0.08, 1.11, -0.24)), (0.56, at(0.31, 1.03, -0.04))),
        posture=Posture(lean=(-0.11, 0.09), twist=0.24),
        turn=(-42.0, -54.0, 49.0),
        aim=(-117.0, -28.0),
        lands=(0.14, 0.11, -0.04),
        tempo=0.85,
        flies=(0.65, 0.95),
    ),
    # Under the thigh of the hand's own side, from outside.
    "underleg": BodyThrow(
        place=at(-0.14, 0.81, 0.23),
        comes=((0.44, at(0.17, 0.89, 0.16)), (0.8, at(0.15, 0.91, -0.12))),
        goes=((0.21, at(0.026, 0.803, 0.097)), (0.49, at(0.197, 1.092, 0.294))),
        posture=Posture(
            lean=(0.15, 0.29),
            twist=-0.12,
            lifts=((-0.141, 0.581, 0.474), (0.0, 0.0, 0.0)),
            opens=(0.05, 0.0),
        ),
        turn=(-41.419, -18.203, 7.409),
        elbow=24.992,
        aim=(-9.993, -32.698),
        other=((0.0, at(0.271, 1.137, 0.367)), (0.6, at(0.269, 1.025, 0.294))),
        meanwhile=(0.009, 0.029, 0.028),
        lands=(-0.024, 0.045, 0.033),
        tempo=0.85,
    ),
    # Under the thigh of the hand's own side, from inside.
    "underleg-inside": BodyThrow(
        place=at(0.216, 0.731, 0.135),
        comes=(
            (0.41, at(-0.079, 0.821, 0.424)),
            (0.73, at(-0.06, 0.65, 0.33)),
            (0.93, at(0.08, 0.66, 0.22)),
        ),
        goes=(
            (0.167, at(0.041, 0.664, 0.264)),
            (0.414, at(-0.084, 0.705, 0.327)),
            (0.576, at(-0.003, 1.009, 0.523)),
        ),
        posture=Posture(
            rise=-0.06,
            lean=(-0.42, 0.5),
            twist=-0.15,
            lifts=((0.183, 0.629, 0.467), (0.0, 0.0, 0.0)),
            opens=(0.596, 0.0),
            lead=0.57,
        ),
        turn=(138.046, 4.181, 43.748),
        elbow=-65.005,
        aim=(87.0, -4.0),
        other=((-0.105, at(0.259, 1.088, 0.4)), (0.51, at(0.223, 1.04, 0.4))),
        meanwhile=(0.041, -0.018, 0.035),
        lands=(-0.012, 0.033, 0.026),
        tempo=0.8,
        takes=(0.28, 0.28),
    ),
    # Under the other thigh, from inside.
    "underleg-other": BodyThrow(
        place=at(-0.122, 0.801, 0.146),
        comes=(
            (0.351, at(0.083, 0.939, 0.414)),
            (0.832, at(0.093, 0.746, 0.387)),
            (0.903, at(-0.062, 0.683, 0.256)),
        ),
        goes=(
            (0.118, at(-0.133, 0.741, 0.177)),
            (0.26, at(-0.001, 0.702, 0.245)),
            (0.528, at(0.151, 0.963, 0.501)),
        ),
        posture=Posture(
            rise=-0.05,
            lean=(-0.085, 0.605),
            twist=-0.32,
            lifts=((0.0, 0.0, 0.0), (-0.052, 0.602, 0.469)),
            opens=(0.0, 0.48),
            lead=0.46,
        ),
        turn=(-38.918, 6.136, -81.36),
        elbow=-8.652,
        aim=(-101.0, 1.0),
        other=((0.124, at(0.264, 1.116, 0.304)),),
        meanwhile=(0.088, 0.085, -0.085),
        lands=(-0.118, 0.071, 0.062),
        tempo=0.85,
    ),
    # Between the standing legs, from the front.
    "albert": BodyThrow(
        place=at(0.084, 0.419, -0.47),
        comes=((0.374, at(0.166, 0.728, 0.407)), (0.84, at(0.087, 0.281, 0.046))),
        goes=((0.184, at(-0.103, 0.342, -0.229)), (0.62, at(0.241, 0.544, 0.507))),
        posture=Posture(rise=-0.22, lean=(-0.3, 1.5), twist=-0.9, lead=0.7, stance=0.25),
        turn=(-82.0, -8.0, 52.0),
        elbow=80.0,
        aim=(158.0, 4.0),
        other=(
            (-0.69, at(0.446, 0.952, 0.594)),
            (0.261, at(0.392, 0.876, 0.697)),
            (0.579, at(0.515, 1.085, 0.51)),
        ),
        meanwhile=(0.118, -0.152, 0.265),
        lands=(0.064, 0.023, 0.025),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    # Between the standing legs, from behind.
    "trebla": BodyThrow(
        place=at(-0.232, 0.383, 0.177),
        comes=((0.404, at(0.55, 0.916, 0.032)), (0.881, at(-0.088, 0.344, -0.129))),
        goes=((0.197, at(-0.023, 0.375, -0.067)), (0.539, at(0.591, 0.72, 0.257))),
        posture=Posture(rise=-0.26, lean=(1.41, -0.13), twist=0.274, lead=0.395, stance=0.228),
        turn=(106.516, -21.621, 38.975),
        elbow=-88.407,
        aim=(-5.762, -36.128),
        meanwhile=(-0.008, 0.015, 0.058),
        lands=(-0.068, -0.069, 0.285),
        tempo=0.7,
        takes=(0.4, 0.31),
    ),
    # Under the other arm.
    "underarm": BodyThrow(
        place=at(-0.308, 0.995, 0.348),
        comes=((0.67, at(-0.055, 0.933, 0.208)),),
        goes=((0.287, at(0.048, 1.0, 0.322)),),
        posture=Posture(lean=(0.12, 0.3), twist=-0.52),
        elbow=11.0,
        other=((0.161, at(0.152, 1.271, 0.37)),),
        meanwhile=(-0.003, 0.039, -0.049),
        lands=(-0.001, 0.05, -0.037),
        tempo=0.85,
    ),
    # Down from high beside the head and across, the back of the hand forward.
    "chop": BodyThrow(
        place=at(-0.091, 1.128, 0.358),
        comes=((0.411, at(0.342, 1.381, 0.3)),),
        goes=((0.299, at(0.099, 0.98, 0.362)),),
        posture=Posture(lean=(-0.02, 0.02), twist=0.13),
        elbow=-5.794,
        other=((0.112, at(0.299, 1.102, 0.352)),),
        lands=(0.023, 0.109, -0.027),
        tempo=0.9,
        ones=True,
    ),
    # From above the head.
    "overhead": BodyThrow(
        place=at(0.192, 1.8, 0.229),
        comes=((0.522, at(0.367, 1.448, 0.3)),),
        goes=((0.492, at(0.417, 1.583, 0.244)),),
        meanwhile=(0.009, 0.016, -0.014),
        lands=(-0.024, -0.023, 0.046),
        tempo=0.8,
        ones=True,
    ),
}
"""Throws by the words of the setting `throws` that are no grasps."""

CATCHES = {
    # Beside the hip and behind it, past the elbow, turned as for such a throw.
    "penguin": BodyThrow(
        place=at(0.44, 0.975, -0.285),
        comes=((0.55, at(0.44, 0.965, -0.125)),),
        goes=((0.28, at(0.44, 0.93, -0.245)), (0.62, at(0.4, 0.975, -0.04))),
        turn=(-210.0, -15.0, 4.0),
        elbow=28.0,
        aim=(165.0, 28.0),
        tempo=0.8,
        takes=(0.257, 0.232),
    ),
    # Behind the back, without looking.
    "behind": BodyThrow(
        place=at(0.081, 0.982, -0.336),
        comes=((0.403, at(0.385, 0.966, 0.023)), (0.696, at(0.246, 0.979, -0.232))),
        goes=((0.233, at(0.264, 0.961, -0.187)), (0.733, at(0.368, 0.92, 0.056))),
        posture=Posture(lean=(0.0, 0.24), twist=-0.26),
        turn=(-54.518, -40.739, 22.478),
        elbow=5.0,
        aim=(-120.0, 5.0),
        meanwhile=(0.005, -0.007, 0.016),
        tempo=0.65,
        flies=(0.825, 0.836),
    ),
    # Above the head.
    "overhead": BodyThrow(
        place=at(0.28, 1.78, 0.3),
        comes=((0.6, at(0.3, 1.45, 0.32)),),
        goes=((0.4, at(0.3, 1.45, 0.32)),),
        tempo=0.9,
        ones=True,
    ),
    # On the nape, over the hand's own shoulder, where the prop rests.
    "neck": BodyThrow(
        place=at(0.04, 1.564, -0.13),
        comes=(
            (0.345, at(0.214, 1.363, 0.262)),
            (0.822, at(0.154, 1.77, 0.033)),
            (0.911, at(0.125, 1.719, -0.101)),
        ),
        goes=(
            (0.093, at(0.022, 1.578, -0.141)),
            (0.263, at(0.015, 1.548, -0.149)),
            (0.435, at(0.227, 1.683, -0.018)),
            (0.666, at(0.267, 1.409, 0.307)),
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


_UNDER_OTHER_LEG = Posture(
    rise=-0.05,
    lean=(-0.09, 0.57),
    twist=-0.32,
    lifts=((0.0, 0.0, 0.0), (-0.052, 0.592, 0.469)),
    opens=(0.0, 0.48),
    lead=0.46,
)

_OTHER_LEGS_IN_TURN = Posture(
    rise=-0.086,
    lean=(-0.032, 0.585),
    twist=-0.4,
    lifts=((0.0, 0.0, 0.0), (-0.04, 0.644, 0.499)),
    opens=(0.0, 0.521),
    lead=0.517,
)

THROW_VARIANTS = {
    "consecutive underleg": BodyThrow(
        place=at(-0.144, 0.785, 0.22),
        comes=((0.461, at(0.137, 0.851, 0.203)), (0.9, at(0.136, 0.906, -0.071))),
        goes=((0.171, at(0.017, 0.826, 0.119)), (0.453, at(0.13, 1.14, 0.337))),
        posture=Posture(
            lean=(0.152, 0.376),
            twist=-0.127,
            lifts=((-0.111, 0.595, 0.462), (0.0, 0.0, 0.0)),
            opens=(0.002, 0.0),
            lead=0.512,
        ),
        turn=(-35.331, -29.264, -10.611),
        elbow=30.308,
        aim=(-8.416, -34.749),
        other=((0.0, at(0.277, 1.193, 0.24)), (0.541, at(0.241, 1.009, 0.351))),
        lands=(0.0, -0.036, 0.0),
        tempo=0.85,
    ),
    "consecutive underleg-inside": BodyThrow(
        place=at(0.238, 0.72, 0.139),
        comes=(
            (0.391, at(0.011, 0.89, 0.433)),
            (0.767, at(-0.11, 0.655, 0.315)),
            (0.935, at(-0.018, 0.647, 0.238)),
        ),
        goes=(
            (0.085, at(0.11, 0.709, 0.172)),
            (0.367, at(0.045, 0.673, 0.364)),
            (0.578, at(0.001, 1.048, 0.541)),
        ),
        posture=Posture(
            lean=(-0.468, 0.47),
            twist=-0.176,
            lifts=((0.234, 0.624, 0.455), (0.0, 0.0, 0.0)),
            opens=(0.602, 0.0),
            lead=0.57,
        ),
        turn=(134.246, -0.246, 32.403),
        elbow=-70.777,
        aim=(79.653, -2.129),
        other=((-0.035, at(0.265, 0.993, 0.426)), (0.452, at(0.204, 0.896, 0.393))),
        lands=(0.068, -0.023, -0.031),
        tempo=0.8,
        takes=(0.28, 0.28),
    ),
    "consecutive underleg-other": BodyThrow(
        place=at(-0.103, 0.809, 0.161),
        comes=(
            (0.391, at(0.036, 0.98, 0.379)),
            (0.701, at(0.044, 0.793, 0.33)),
            (0.935, at(-0.032, 0.692, 0.235)),
        ),
        goes=(
            (0.11, at(0.005, 0.735, 0.173)),
            (0.182, at(0.032, 0.713, 0.236)),
            (0.478, at(0.267, 1.038, 0.467)),
        ),
        posture=_OTHER_LEGS_IN_TURN,
        turn=(-52.95, 16.336, -63.846),
        elbow=-7.588,
        aim=(-84.941, -4.758),
        meanwhile=(0.167, 0.227, -0.027),
        lands=(-0.015, 0.0, -0.041),
        tempo=0.85,
    ),
    "consecutive albert": BodyThrow(
        place=at(0.085, 0.402, -0.481),
        comes=((0.407, at(0.18, 0.719, 0.428)), (0.835, at(0.078, 0.292, 0.066))),
        goes=((0.188, at(-0.098, 0.348, -0.233)), (0.621, at(0.245, 0.548, 0.509))),
        posture=Posture(
            rise=-0.21,
            lean=(-0.3, 1.42),
            twist=-0.9,
            lead=0.585,
            stance=0.262,
        ),
        turn=(-83.614, -7.699, 52.198),
        elbow=80.413,
        aim=(158.34, 7.632),
        other=((-0.688, at(0.445, 0.947, 0.591)), (0.263, at(0.392, 0.882, 0.7))),
        meanwhile=(0.115, -0.161, 0.277),
        lands=(0.052, 0.013, 0.04),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    "consecutive trebla": BodyThrow(
        place=at(-0.191, 0.419, 0.143),
        comes=((0.396, at(0.567, 1.0, 0.023)), (0.889, at(-0.023, 0.354, -0.087))),
        goes=((0.252, at(0.0, 0.245, -0.054)), (0.597, at(0.461, 0.76, 0.207))),
        posture=Posture(
            rise=-0.256,
            lean=(1.37, -0.141),
            twist=0.327,
            lead=0.4,
            stance=0.228,
        ),
        turn=(108.75, -39.021, 38.16),
        elbow=-86.897,
        aim=(-18.532, -23.112),
        lands=(-0.084, -0.145, 0.233),
        tempo=0.7,
        takes=(0.4, 0.31),
    ),
    "underleg-other of clubs": BodyThrow(
        place=at(-0.125, 0.79, 0.143),
        comes=(
            (0.371, at(0.157, 0.977, 0.381)),
            (0.787, at(0.095, 0.733, 0.354)),
            (0.887, at(-0.056, 0.71, 0.277)),
        ),
        goes=(
            (0.117, at(-0.061, 0.76, 0.211)),
            (0.207, at(0.021, 0.697, 0.264)),
            (0.544, at(0.164, 1.071, 0.557)),
        ),
        posture=_UNDER_OTHER_LEG,
        turn=(-55.868, 5.517, -83.779),
        elbow=-9.0,
        aim=(-107.674, 13.274),
        other=((0.1, at(0.15, 1.12, 0.35)),),
        meanwhile=(-0.106, 0.097, -0.052),
        lands=(0.0, -0.035, 0.029),
        tempo=0.85,
    ),
    "trebla of clubs": BodyThrow(
        place=at(-0.235, 0.395, 0.169),
        comes=((0.47, at(0.564, 0.976, 0.009)), (0.909, at(-0.048, 0.363, -0.106))),
        goes=((0.176, at(-0.075, 0.277, -0.158)), (0.574, at(0.579, 0.735, 0.15))),
        posture=Posture(
            rise=-0.291,
            lean=(1.411, -0.161),
            twist=0.289,
            lead=0.379,
            stance=0.246,
        ),
        turn=(116.317, -44.878, 36.228),
        elbow=-85.447,
        aim=(-19.431, -27.264),
        meanwhile=(0.021, 0.004, -0.029),
        lands=(0.027, -0.016, 0.273),
        tempo=0.7,
        takes=(0.4, 0.31),
    ),
    "underleg-other of rings": BodyThrow(
        place=at(-0.125, 0.79, 0.143),
        comes=(
            (0.268, at(0.215, 1.071, 0.303)),
            (0.77, at(0.204, 0.718, 0.502)),
            (0.874, at(0.161, 0.671, 0.332)),
        ),
        goes=(
            (0.103, at(-0.031, 0.651, 0.099)),
            (0.213, at(0.056, 0.651, 0.187)),
            (0.396, at(0.128, 0.954, 0.504)),
        ),
        posture=_UNDER_OTHER_LEG,
        turn=(-36.92, 7.863, -62.522),
        elbow=-9.0,
        aim=(-89.783, -30.926),
        other=((-0.037, at(0.374, 1.173, 0.109)),),
        meanwhile=(0.173, 0.209, -0.019),
        lands=(-0.013, 0.178, 0.084),
        tempo=0.85,
    ),
    "trebla of rings": replace(
        THROWS["trebla"],
        comes=((0.415, at(0.523, 0.896, 0.028)), (0.897, at(-0.113, 0.353, -0.131))),
        goes=((0.191, at(-0.022, 0.374, -0.049)), (0.554, at(0.597, 0.697, 0.24))),
        turn=(105.242, -24.663, 39.307),
        elbow=-87.968,
        aim=(-13.006, -33.879),
        meanwhile=(0.016, 0.002, 0.057),
        lands=(-0.023, -0.025, 0.286),
    ),
    "consecutive underleg-other of clubs": BodyThrow(
        place=at(-0.143, 0.887, 0.134),
        comes=(
            (0.615, at(0.205, 1.053, 0.303)),
            (0.856, at(-0.075, 0.841, 0.476)),
            (0.923, at(-0.019, 0.628, 0.274)),
        ),
        goes=(
            (0.081, at(-0.088, 0.836, 0.191)),
            (0.179, at(0.006, 0.718, 0.27)),
            (0.463, at(0.136, 0.977, 0.506)),
        ),
        posture=_OTHER_LEGS_IN_TURN,
        turn=(-63.849, 1.16, -27.259),
        elbow=13.204,
        aim=(-104.322, 5.236),
        other=((0.08, at(0.316, 1.084, 0.243)),),
        meanwhile=(0.23, 0.16, 0.026),
        lands=(-0.036, -0.021, 0.034),
        tempo=0.85,
    ),
}
"""Throws: where those under and between the legs follow each other beat by beat, the body does not
come up in between, props fly higher, and hands have longer. Some clubs and rings, thrown as balls
are, would go through a leg, a hand or the floor.
"""
