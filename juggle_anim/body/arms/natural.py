"""The natural arm: elbows as people have them, fitted to measured human arms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from juggle_anim.arrays import Floats, Integers, Rule
from juggle_anim.body.arms.closed_form import (
    ElbowFrame,
    carried_direction,
    pose_arms,
    turned_toward_lowest,
)
from juggle_anim.body.arms.solvers import (
    AT_EASE,
    Arm,
    ArmPose,
    HandDirections,
    Solver,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import (
    broadcast,
    column_cross,
    column_dot,
    column_units,
    smooth_step,
    smoother_step,
    unit_interval,
)

# The elbow's direction is carried from here. Opposite, behind the shoulder and a third of the way
# up, is the one direction around which it turns fast: hands of people who stand upright were hardly
# measured within 60° of it.
_NATURAL_HOME = np.array([0.0, -0.6, 0.95]) / np.hypot(0.6, 0.95)

_FULL_HEADING = 0.75
"""How far in front of its shoulder a hand is, over its distance, where elbows hang fully."""

HANGING = 0.413
HANGING_POWER = 20
"""How far an elbow turns inward from there where the arm hangs, [rad], and how soon:
`scripts/fit_natural_elbow.py` finds the first.

Fitted to 22,238 poses of nine people: the CMU graphics lab motion capture database
(http://mocap.cs.cmu.edu, free for all uses), and clips of AnimatedDrawings
(https://github.com/facebookresearch/AnimatedDrawings, MIT).
"""

HANGS_FROM = -0.3
HANGS_FULLY = 0.1
"""How far outward of its shoulder a hand is, over its distance, where that begins and is all there:
an elbow stays outside of the trunk when its hand is before it.
"""

RAISED = 1.0
"""How far elbows turn outward for a hand straight over its shoulder, [rad]: judged for hands at the
head and behind it, where hardly anyone was measured.
"""


OF_HAND = (0.363, -0.576, 0.429)
"""What the script finds for `turn_with_hand`, fitted to 12,000 poses of the two people whose hands
were measured.
"""


def natural(
    shoulder: Floats,
    hand: Floats,
    arm: Arm,
    side: int | Integers,
    swivel: float | Floats,
    directions: HandDirections | None = None,
    poles: Floats | None = None,
) -> ArmPose:
    """Pose arms with elbows as people have them at ease, as a `Solver` with pole vectors.

    An elbow hangs in its lowest place, lifted outward by an angle, the swivel: `AT_EASE`, 30°, for
    people at ease. Where the whole arm hangs, the elbow is less outward and more behind, and it
    goes to the outside of a raised hand (`outward_turn`). The lowest direction jumps for hands that
    pass straight under or over their shoulder, so near there, and behind the shoulder, it is
    blended into `resting_direction`. So no elbow jumps, except for a hand that passes behind and
    above its shoulder, where people's hands cannot be. Last, where the hand's direction is known,
    the elbow turns with its hand (`turn_with_hand`).

    Args:
        shoulder: shape (..., 3), seen from jugglers who face +z, with +y up and the left at +x,
            [m].
        hand: shape (..., 3), where the wrists should be, [m].
        arm: lengths of upper arm and forearm, [m].
        side: 0 for left and 1 for right arms, a number or an array of shape (...).
        swivel: the angle by which elbows turn outward, a number or an array of shape (...), [rad].
        directions: directions of fingers and palms; None if they are not known: then elbows do not
            turn with their hands.
        poles: shape (..., 3), directions toward which elbows turn, as in `toward_poles`; None for
            no such turn. Without `directions` they are not used.
    """
    # How far elbows turn by the places of the hands alone, from the unit directions toward these.
    to_hand = np.asarray(hand, dtype=float) - shoulder
    axis, _lengths = column_units(np.ascontiguousarray(to_hand.reshape(-1, 3).T), _NATURAL_HOME)
    left = axis[0].reshape(to_hand.shape[:-1])
    up = axis[1].reshape(to_hand.shape[:-1])
    outward = 1.0 - 2.0 * np.asarray(side)  # 1 for left arms, −1 for right ones
    turn_by_place = outward_turn(left * outward, up)
    refinement = None
    if directions is not None:
        shape = np.broadcast_shapes(
            to_hand.shape[:-1], outward.shape, np.shape(swivel), np.shape(arm.upper)
        )
        # `turn_with_hand` was fitted to elbows with the swivel `AT_EASE`. So arms are posed with
        # this first; the difference of their swivel from it is among the further turns.
        further_turns = _FurtherTurns.flattened(shape, outward, swivel - AT_EASE, directions, poles)
        refinement = further_turns.of_arms
        swivel = AT_EASE
    return pose_arms(elbow_direction, shoulder, hand, arm, side, swivel + turn_by_place, refinement)


@dataclass(frozen=True)
class _FurtherTurns:
    """What turns the elbows of M arms further, after they were turned by the places of their hands.

    Args:
        outward: shape (M,), 1 for left arms and −1 for right ones.
        extra_swivel: outward turn beyond that of elbows at ease, shape (M,), [rad].
        fingers, palm: directions of the hands, unit columns of shape (3, M).
        poles: pole vectors of the elbows, with x to the left, columns of shape (3, M), or None.
    """

    outward: Floats
    extra_swivel: Floats
    fingers: Floats
    palm: Floats
    poles: Floats | None

    @staticmethod
    def flattened(
        shape: tuple[int, ...],
        outward: Floats,
        extra_swivel: float | Floats,
        directions: HandDirections,
        poles: Floats | None,
    ) -> _FurtherTurns:
        """Broadcast values of arms to one leading shape, and flatten it to one axis of M arms.

        Args:
            shape: common leading shape of the arms; the values below broadcast to it.
            outward: 1 for left arms and −1 for right ones.
            extra_swivel: outward turn beyond that of elbows at ease, [rad].
            directions: directions of fingers and palms, unit vectors in rows, shape (..., 3).
            poles: pole vectors, whose x is outward, in rows, shape (..., 3); None for none.

        Returns:
            The values with vectors in columns, shape (3, M).
        """
        flat_outward = np.broadcast_to(outward, shape).reshape(-1)
        pole_columns = None
        if poles is not None:
            # Poles have x outward; the frame of the arms has it to the left.
            pole_columns = _flat_columns(poles, shape).copy()
            pole_columns[0] *= flat_outward
        return _FurtherTurns(
            outward=flat_outward,
            extra_swivel=np.broadcast_to(extra_swivel, shape).reshape(-1),
            fingers=_flat_columns(directions.fingers, shape),
            palm=_flat_columns(directions.palm, shape),
            poles=pole_columns,
        )

    def of_arms(self, rows: slice, frame: ElbowFrame) -> Floats:
        """Return right-handed turns of N elbows about the lines to the hands, shape (N,), [rad].

        Elbows turn with the hand, by the rest of the swivel, and toward the poles.

        Args:
            rows: which N of the M arms.
            frame: directions at their elbows before these turns.
        """
        # Outward turns are right-handed for left arms, and left-handed for right ones.
        outward = self.outward[rows]
        elbows = Elbows(frame.hinge, frame.forearm, outward)
        turn_of_hand = turn_with_hand(elbows, self.fingers[:, rows], self.palm[:, rows])
        turn = outward * (turn_of_hand + self.extra_swivel[rows])
        if self.poles is None:
            return turn
        return turn + _turn_to_poles(self.poles[:, rows], frame, outward * turn_of_hand)


def _flat_columns(vectors: Floats, shape: tuple[int, ...]) -> Floats:
    """Vectors of shape (..., 3) broadcast to a leading shape, as columns of shape (3, M)."""
    return broadcast(vectors, (*shape, 3)).reshape(-1, 3).T


def natural_place(
    shoulder: Floats,
    hand: Floats,
    arm: Arm,
    side: int | Integers,
    swivel: float | Floats,
    directions: HandDirections | None = None,
) -> ArmPose:
    """Pose arms as people at ease do, whichever way their hands point; arguments as in `Solver`."""
    return natural(shoulder, hand, arm, side, swivel)


@dataclass(frozen=True)
class Elbows:
    """Elbows of N arms as the places of their hands have them, unit columns.

    Args:
        hinge: shape (3, N), outward for the left elbow of a hand ahead.
        forearm: shape (3, N), from elbow to wrist.
        outward: shape (N,), 1 for left arms and −1 for right ones.
    """

    hinge: Floats
    forearm: Floats
    outward: float | Floats


def turn_with_hand(
    elbows: Elbows, fingers: Floats, palm: Floats, coefficients: Sequence[float] = OF_HAND
) -> Floats:
    """Return the outward turn of elbows by the directions of their hands, shape (N,), [rad].

    It is m₀ + m₁ f·t + m₂ p·n. f points along the fingers, p out of the palm, t along the elbow's
    hinge, outward, and n is the hinge × the forearm: a hand that deviates outward from its forearm
    draws the elbow inward (m₁ < 0), and the direction of the palm lifts or lowers it (m₂). The law
    is linear, and fitted to measured people.

    Args:
        elbows: hinges and forearms of N arms before this turn.
        fingers, palm: f and p, shape (3, N), unit columns.
        coefficients: m₀ to m₂, [rad].
    """
    constant, per_deviation, per_palm = coefficients
    deviation = elbows.outward * column_dot(fingers, elbows.hinge)
    normal = column_cross(elbows.hinge, elbows.forearm)
    return constant + per_deviation * deviation + per_palm * column_dot(palm, normal)


def elbow_direction(axis: Floats) -> Floats:
    """Directions of elbows at swivel 0: unit columns (3, N) for unit columns toward the hands.

    With l the level part of the direction and z its part ahead, (l + z) / 2 is 0 for a hand
    straight under, over or behind its shoulder, where elbows are in `resting_direction`. From
    `_FULL_HEADING` on they are lowest.
    """
    level = np.sqrt(axis[0] * axis[0] + axis[2] * axis[2])
    return turned_toward_lowest(
        axis, resting_direction(axis), unit_interval((level + axis[2]) / (2.0 * _FULL_HEADING))
    )


def resting_direction(axis: Floats) -> Floats:
    """Elbow directions carried from `_NATURAL_HOME`: unit columns (3, N) for those toward hands."""
    return carried_direction(axis, _NATURAL_HOME)


def outward_turn(out: Floats, up: Floats, hanging: float = HANGING) -> Floats:
    """Return how far elbows of raised arms turn outward, and those of hanging arms inward, [rad].

    Args:
        out, up: parts o and u of the unit direction from shoulder to hand: outward, away from the
            other arm, and up; of the same shape.
        hanging: H, how far elbows of arms that hang straight down turn inward, [rad].

    Returns:
        Angles of the shape of `out` and `up`, positive outward.
    """
    # R u² (1 − 2o) for raised arms (u > 0, R = `RAISED`), and −H (−u)²⁰ for hanging ones (u < 0):
    # the high power restricts it to arms that hang nearly straight down, and the smooth step to
    # hands that are not across the body.
    raised = np.maximum(up, 0.0)
    hanging_share = np.maximum(-up, 0.0) ** HANGING_POWER * smooth_step(
        (out - HANGS_FROM) / (HANGS_FULLY - HANGS_FROM)
    )
    return RAISED * raised * raised * (1.0 - 2.0 * out) - hanging * hanging_share


def toward_poles(poles: Floats) -> Solver:
    """Return the natural solver with pole vectors toward which elbows turn.

    A pole vector is added to the unit direction e in which the elbow at ease lies from the line
    between shoulder and wrist; its part along that line does not count. So a pole of length 0
    changes nothing, one of length 1 across the line and across e turns the elbow by 45°, and a long
    one determines its direction.

    Args:
        poles: pole vectors, shape (..., 2, 3), both arms of each body: components outward, up and
            ahead, for a juggler who faces +z.

    Returns:
        A solver for arms of shape (..., 2).
    """
    return partial(natural, poles=poles)


def _turn_to_poles(poles: Floats, frame: ElbowFrame, turn_to_ease: Floats) -> Floats:
    """Return the angles by which pole vectors turn elbows from their places at ease, [rad].

    Elbows turn about the lines from shoulder to hand, right-handed. An elbow at ease is one that
    has turned with its hand. A pole is a vector that is added to the unit vector toward the elbow
    at ease: the longer it is, the further the elbow turns to its side.

    Args:
        poles: pole vectors as columns, in the body's frame (x to the left, y up, z forward), shape
            (3, N) for N arms.
        frame: unit vectors at each elbow before it turned with its hand: `axis` from shoulder to
            hand, `toward` from that line to the elbow, and `hinge` = `axis` × `toward`.
        turn_to_ease: φ, right-handed angle by which each elbow turned with its hand, shape (N,),
            [rad].

    Returns:
        Angles to be added to φ, shape (N,).
    """
    # In the plane of `toward` and `hinge`, the elbow at ease is in the direction e = (cos φ, sin φ)
    # and f = (−sin φ, cos φ) is at right angles to it. The result is the angle from e to
    # w e + pole, which is atan2(pole · f, w + pole · e), with the weight w of e.
    along = column_dot(poles, frame.toward)
    across = column_dot(poles, frame.hinge)
    cosine = np.cos(turn_to_ease)
    sine = np.sin(turn_to_ease)
    # The direction at ease is undefined for a hand in the direction −`_NATURAL_HOME` from its
    # shoulder, and e spins fast near it. Within 90° of it the weight is below 1, down to 0 at it,
    # so that there even a short pole determines the direction of the elbow.
    behind = frame.axis + _NATURAL_HOME[:, None]
    weight = smoother_step(np.sqrt(column_dot(behind, behind) / 2.0))
    toward = weight + cosine * along + sine * across
    return np.asarray(np.arctan2(cosine * across - sine * along, toward))


NATURAL_RULES: dict[str, Rule] = {
    "AT_EASE": AT_EASE,
    "HOME": _NATURAL_HOME,
    "FULL_HEADING": _FULL_HEADING,
    "HANGING": HANGING,
    "HANGING_POWER": HANGING_POWER,
    "HANGS_FROM": HANGS_FROM,
    "HANGS_FULLY": HANGS_FULLY,
    "RAISED": RAISED,
    "OF_HAND": OF_HAND,
}
"""Constants for a web page, by the names in its scripts."""
