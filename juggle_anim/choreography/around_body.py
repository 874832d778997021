"""The rows of the table of body throws: where a hand goes behind the back or under a leg, and what
the body does.
"""

from __future__ import annotations

from juggle_anim.choreography.choreography import Grasp
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT
from juggle_anim.choreography.score import Point
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
        """Return the foot on which a throw in this posture is made, 0 left or 1 right.

        None if both feet stand, or are lifted equally high.

        Args:
            side: of the throwing hand, 0 left or 1 right.
        """
        # How high the ankle on the side of the hand is lifted, and the other one. If the own is
        # higher, the juggler stands on the other foot.
        own, other = (lift[1] for lift in self.lifts)
        return None if own == other else side ^ int(own > other)

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
        hangs: by how much more the fingers point down halfway on the way there and back, [°].
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
    hangs: float = 0.0
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
