"""Arms by resolved rate: joint velocities move each hand from a home position to its target.

Arms are left arms of length 1 with a ball joint at the shoulder, which is the origin, and a hinge
at the elbow; arms are the last axis of all arrays. The three axes of the ball joint are chosen anew
in every step, so that no two of them ever coincide.
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.closed_form import HOME, ArmBatch
from juggle_anim.body.arms.solvers import Arm, ArmPose, HandDirections
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import column_cross, column_dot, column_norm, column_units

NEARLY_STRAIGHT = 1e-6
"""The share of its length by which an arm stays short of straight and of folded, where its Jacobian
would lose rank.
"""

_LOWEST_AT_HOME = np.array([0.0, -HOME[2], HOME[1]])

_OUTWARD = np.array([1.0, 0.0, 0.0])

_FLEX_AT_HOME = np.pi / 2

_STEPS = 24  # from home to the target
_POSTURE_SHARE = 0.12  # of the turn to the elbow's first posture, in each of these steps
_CORRECTIONS = 10  # steps at the target, without a posture

# Arms solved together: as many as fit in the processor's cache.
_BLOCK_SIZE = 2048

# λ² over the squared residual: large far from the goal and 0 at it (T. Sugihara,
# "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", 2011).
_DAMPING = 0.3


@np.errstate(over="ignore")
def resolved_rate(
    shoulder: Floats,
    hand: Floats,
    arm: Arm,
    side: int | Integers,
    swivel: float | Floats,
    directions: HandDirections | None = None,
) -> ArmPose:
    """Pose arms by resolved-rate inverse kinematics, dθ = J⁺ dX.

    Every arm starts at home, with its hand in the direction `HOME`, about ahead, and its elbow at a
    right angle and turned outward by the swivel. In a fixed number of steps the hand moves to the
    target: the elbow's angle changes linearly, and the hand's direction along the shortest arc. The
    null space, a turn about the line to the hand, moves the elbow toward its posture at home. As
    there is no state and no stopping test, the solution is a smooth function of the target alone.
    For a hand too far away the arm is almost straight, for one too near almost folded.

    Args:
        shoulder, hand: shape (..., 3), shoulders and wanted wrists, [m].
        arm: lengths of upper arm and forearm, numbers or of shape (...), [m].
        side: 0 left and 1 right, a number or of shape (...).
        swivel: the angle by which elbows turn outward from the lowest place, a number or of
            shape (...), [rad].
        directions: unused; the same signature as every `Solver`.
    """
    outward = 1.0 - 2.0 * np.asarray(side)
    batch = ArmBatch.flattened(shoulder, hand, (arm.upper, arm.lower, outward, swivel))
    uppers, lowers, outwards, swivels = (
        np.broadcast_to(scalar, batch.size) for scalar in batch.scalars
    )
    pose = batch.empty_pose()
    for start in range(0, batch.size, _BLOCK_SIZE):
        rows = slice(start, start + _BLOCK_SIZE)
        _solve_block(
            pose,
            rows,
            shoulder=np.ascontiguousarray(batch.shoulder[rows].T),
            target=np.ascontiguousarray(batch.hand[rows].T),
            upper=uppers[rows],
            lower=lowers[rows],
            outward=outwards[rows],
            swivel=swivels[rows],
        )
    return batch.unflattened(pose)


def _solve_block(
    pose: ArmPose,
    rows: slice,
    *,
    shoulder: Floats,
    target: Floats,
    upper: Floats,
    lower: Floats,
    outward: Floats,
    swivel: Floats,
) -> None:
    """Solve N arms, and write them into some rows of `pose`.

    Right arms are mirrored, solved as left ones of length 1, and mirrored and scaled back.

    Args:
        pose: the pose of all arms, flattened; changed in place.
        rows: the N rows to write.
        shoulder, target: shape (3, N), shoulders and hands, [m].
        upper, lower: lengths of the bones, shape (N,), [m].
        outward: shape (N,), 1 for left arms and −1 for right ones.
        swivel: the angle by which elbows turn outward, shape (N,), [rad].
    """
    length = upper + lower
    mirror = np.stack([outward, np.ones_like(outward), np.ones_like(outward)])
    axis, distance = column_units(target - shoulder, HOME)
    arms = _move_from_home(mirror * axis, distance / length, upper / length, swivel)
    upper_direction = mirror * arms.upper_direction
    forearm_direction = mirror * arms.forearm_direction
    # The hinge is an axis of rotation, and a reflection reverses the sense of rotations: a mirrored
    # hinge changes its sign on top of being mirrored.
    hinge = outward * mirror * arms.hinge
    elbow = upper * upper_direction
    forearm = lower * forearm_direction
    pose.elbow[rows] = (shoulder + elbow).T
    pose.wrist[rows] = (shoulder + elbow + forearm).T
    # Of the vector that is missing to the target only the length is needed, not the direction.
    _direction, pose.gap[rows] = column_units(axis * distance - elbow - forearm, HOME)
    for bone, direction in enumerate((upper_direction, forearm_direction)):
        pose.rotations[rows, bone] = np.stack(
            [direction, column_cross(hinge, direction), hinge]
        ).transpose(2, 1, 0)


def _move_from_home(axis: Floats, distance: Floats, upper: Floats, swivel: Floats) -> BallAndHinge:
    """Move left arms of length 1 by resolved rate from home to their targets.

    Args:
        axis: unit columns from the shoulders toward the targets, shape (3, N) for N arms.
        distance: the distance of the targets from the shoulders, over the arms' lengths, shape
            (N,).
        upper: lengths of the upper arms, over those of the arms, shape (N,).
        swivel: the angle by which the elbow is turned outward at home, shape (N,), [rad].

    Returns:
        The state of the arms at their targets.
    """
    # An arm reaches from |upper − lower|, folded, to 1, straight. Distances are kept a little
    # within, since at both ends the Jacobian loses rank.
    lower = 1.0 - upper
    inner = np.abs(upper - lower)
    reached = np.minimum(np.maximum(distance, inner + NEARLY_STRAIGHT), 1.0 - NEARLY_STRAIGHT)
    flex = _flexion_for_distance(reached, upper, lower)
    # The elbow may neither straighten nor fold beyond what these extreme distances need. A longer
    # distance is a smaller flexion, so the far one gives the least.
    arm = _home_pose(
        upper,
        lower,
        swivel,
        min_flex=_flexion_for_distance(np.full_like(inner, 1.0 - NEARLY_STRAIGHT), upper, lower),
        max_flex=_flexion_for_distance(inner + NEARLY_STRAIGHT, upper, lower),
    )
    # To the target along the arc from home, linearly in the elbow's flexion.
    angle, tangent = _arc_from_home(axis)
    for step in range(1, _STEPS + 1):
        share = step / _STEPS
        flex_now = _FLEX_AT_HOME + share * (flex - _FLEX_AT_HOME)
        toward = np.cos(share * angle) * HOME[:, None] + np.sin(share * angle) * tangent
        arm.step(toward, _flexed_distance(flex_now, upper, lower), posture_share=_POSTURE_SHARE)
    # Errors that the steps have left are corrected at the target, without a pull on the elbow.
    for _ in range(_CORRECTIONS):
        arm.step(axis, reached, posture_share=0.0)
    return arm


def _arc_from_home(axis: Floats) -> tuple[Floats, Floats]:
    """Return the shortest arcs on the unit sphere from `HOME` to directions.

    Args:
        axis: unit columns, the ends of the arcs, shape (3, N) for N arcs.

    Returns:
        The angles of the arcs, (N,), [rad], and their tangents at home, unit columns (3, N).
    """
    # The tangent is the part of the axis across home, made a unit vector. An axis at home, or
    # opposite it, has none; any direction across home will do, such as the lowest one.
    cosine = column_dot(HOME, axis)
    tangent = axis - cosine * HOME[:, None]
    sine = column_norm(tangent)
    defined = sine > 1e-300
    unit_tangent = np.where(
        defined, tangent / np.where(defined, sine, 1.0), _LOWEST_AT_HOME[:, None]
    )
    return np.arctan2(sine, cosine), unit_tangent


def _home_pose(
    upper: Floats, lower: Floats, swivel: Floats, min_flex: Floats, max_flex: Floats
) -> BallAndHinge:
    """Return the initial pose of left arms of length 1: hand toward `HOME`, elbow at a right angle.

    Args:
        upper, lower: lengths of the bones, together 1, shape (N,) for N arms.
        swivel: the angle by which elbows turn outward from their lowest place, shape (N,), [rad].
        min_flex, max_flex: limits of the flexion for later steps, shape (N,), [rad].
    """
    side = np.cos(swivel) * _LOWEST_AT_HOME[:, None] + np.sin(swivel) * _OUTWARD[:, None]
    flex = np.full_like(upper, _FLEX_AT_HOME)
    distance = _flexed_distance(flex, upper, lower)
    # Coordinates of the unit vector from shoulder to elbow along and across the line to the hand:
    # cosine and sine of the angle at the shoulder, in a triangle with a right angle at the elbow.
    along = upper / distance
    across = lower / distance
    hinge = column_cross(np.broadcast_to(HOME[:, None], side.shape), side)
    return BallAndHinge(
        upper=upper,
        lower=lower,
        upper_direction=along * HOME[:, None] + across * side,
        hinge=hinge,
        flex=flex,
        min_flex=min_flex,
        max_flex=max_flex,
    )


def _flexion_for_distance(distance: Floats, upper: Floats, lower: Floats) -> Floats:
    """Return the elbow's flexion for a distance of the hand, by the law of cosines, (N,), [rad].

    Args:
        distance: distance from shoulder to hand, up to 1, shape (N,) for N arms.
        upper, lower: lengths of the bones, together 1, shape (N,).
    """
    # tan² φ/2 = (1 − r²) / (r² − (l₁ − l₂)²), which is accurate where the arm is straight (φ = 0)
    # or folded. Rounding may take the divisor just below 0 for a folded arm, hence the bound; the
    # callers keep r below 1.
    return 2 * np.arctan2(
        np.sqrt(1.0 - distance**2), np.sqrt(np.maximum(distance**2 - (upper - lower) ** 2, 0.0))
    )


def _flexed_distance(flex: Floats, upper: Floats, lower: Floats) -> Floats:
    """Distance of the hand for an elbow flexion, shape (N,): r² = 1 − 4 l₁ l₂ sin² φ/2."""
    return np.sqrt(np.maximum(1.0 - 4 * upper * lower * np.sin(flex / 2) ** 2, 0.0))


@dataclass
class BallAndHinge:
    """State of N left arms of length 1, which `step` changes in place.

    The axes at construction are remembered as the posture that `step` pulls toward.

    Args:
        upper, lower: lengths of the bones, together 1, shape (N,).
        upper_direction: unit columns from shoulder to elbow, shape (3, N).
        hinge: unit columns along the elbow's axis, at right angles to these, shape (3, N).
        flex: flexion of each elbow, 0 where the arm is straight, shape (N,), [rad].
        min_flex, max_flex: limits of the flexion, both included, shape (N,), [rad].
    """

    upper: Floats
    lower: Floats
    upper_direction: Floats
    hinge: Floats
    flex: Floats
    min_flex: Floats
    max_flex: Floats

    def __post_init__(self) -> None:
        self._home_axes = self._axes()

    def _axes(self) -> tuple[Floats, Floats, Floats]:
        """Axes of the upper arm: along it, hinge × that, and the hinge, unit columns (3, N)."""
        return self.upper_direction, column_cross(self.hinge, self.upper_direction), self.hinge

    @property
    def forearm_direction(self) -> Floats:
        """Unit columns from elbow to wrist, shape (3, N)."""
        along, across, _ = self._axes()
        return np.cos(self.flex) * along - np.sin(self.flex) * across

    def step(self, toward: Floats, target_distance: Floats, *, posture_share: float) -> None:
        """Move the hands by one step toward their targets, and the elbows toward their posture.

        The step is dθ = Jᵀ (J Jᵀ + λ²)⁻¹ dX, damped least squares, plus a turn in the null space.
        With p the vector from shoulder to hand, a turn ω of the ball moves the hand by ω × p, and
        the elbow's flexion φ by c = dp/dφ, which lies in the arm's plane. So J Jᵀ + λ² is block
        diagonal, with one row for the hinge's direction and two for the plane (radial, along p, and
        tangential, at right angles to p), and is inverted in closed form. The null space is the
        turn about p.

        The residual is measured as a difference of distances and an arc, rather than as a vector,
        so that a turn of the arm along the arc leaves the distance as it is.

        Args:
            toward: unit columns from shoulder to target, shape (3, N) for N arms.
            target_distance: distance of the target from the shoulder, over the arm's length, (N,).
            posture_share: how much of the turn to the posture is made in this step, from 0 to 1.
        """
        # Bounds and terms of 1e-300 below only avoid divisions by 0, for a hand at its shoulder or
        # a residual of 0.
        axes = self._axes()
        along, across, hinge = axes
        sine = np.sin(self.flex)
        cosine = np.cos(self.flex)
        # The hand p, and unit directions along p and at right angles to it in the arm's plane.
        hand = (self.upper + self.lower * cosine) * along - self.lower * sine * across
        distance_squared = column_dot(hand, hand)
        distance = np.sqrt(distance_squared)
        axis = hand / np.maximum(distance, 1e-300)
        beside = column_cross(hinge, axis)
        # The elbow's column c of the Jacobian: its parts along p and at right angles to it.
        flex_radial = -self.upper * self.lower * sine / np.maximum(distance, 1e-300)
        flex_tangential = (
            -self.lower * (self.lower + self.upper * cosine) / np.maximum(distance, 1e-300)
        )
        # The residual dX: along p, at right angles to it in the arm's plane, and along the hinge.
        # Arcs, [rad], times the hand's distance are lengths.
        radial = target_distance - distance
        tangential, lateral = _arc_components(toward, axis, beside, hinge) * distance
        damping = (
            _DAMPING * (radial * radial + tangential * tangential + lateral * lateral) + 1e-300
        )
        # y = (J Jᵀ + λ²)⁻¹ dX. In the plane's block the ball adds |p|² to the tangential entry,
        # since its turn about the hinge moves the hand that way.
        solved_radial, solved_tangential = _solve_symmetric(
            flex_radial * flex_radial + damping,
            flex_radial * flex_tangential,
            flex_tangential * flex_tangential + distance_squared + damping,
            radial,
            tangential,
        )
        solved_lateral = lateral / (distance_squared + damping)
        # dθ = Jᵀ y: the turn of the ball, with the turn about p, which moves no hand; then the
        # elbow's flexion.
        turn = (
            distance * (solved_tangential * hinge - solved_lateral * beside)
            + posture_share * self._posture_turn(axis, axes) * axis
        )
        flex = self.flex + flex_radial * solved_radial + flex_tangential * solved_tangential
        self.flex = np.minimum(np.maximum(flex, self.min_flex), self.max_flex)
        self._rotate_arms(turn)

    def _posture_turn(self, axis: Floats, axes: tuple[Floats, Floats, Floats]) -> Floats:
        """Return the turn about the line to the hand that leads toward the posture at home, (N,).

        Such a turn leaves the hand where it is. With e the three axes of the upper arm now, and e⁰
        those at home, half the sum of e × e⁰ is the axis of the rotation from one to the other,
        times the sine of its angle. Its component along the line to the hand is returned, [rad];
        the sine in place of the angle makes it smooth everywhere.

        Args:
            axis: unit columns from shoulder to hand, shape (3, N) for N arms.
            axes: e, unit columns of shape (3, N): along the upper arm, across it and its hinge.
        """
        along_product, across_product, hinge_product = map(column_cross, axes, self._home_axes)
        return 0.5 * column_dot(axis, along_product + across_product + hinge_product)

    def _rotate_arms(self, turn: Floats) -> None:
        """Turn the arms about their shoulders by Rodrigues' formula, in place.

        The formula is written with the quotients sin φ / φ and sin ½φ / ½φ, which are 1 at φ = 0:
        so no axis is needed, and small turns are accurate.

        Args:
            turn: rotation vectors (axis times angle φ), columns (3, N), [rad].
        """
        # NumPy's sinc(x) is sin(π x) / (π x).
        square = column_dot(turn, turn)
        angle = np.sqrt(square)
        sine_quotient = np.sinc(angle / np.pi)
        half_quotient = np.sinc(angle / (2 * np.pi))
        direction = _rotated(self.upper_direction, turn, sine_quotient, half_quotient)
        hinge = _rotated(self.hinge, turn, sine_quotient, half_quotient)
        # Rounding errors would add up over the steps, so the axes are made orthonormal again.
        self.upper_direction = direction / column_norm(direction)
        hinge = hinge - column_dot(self.upper_direction, hinge) * self.upper_direction
        self.hinge = hinge / column_norm(hinge)


def _solve_symmetric(
    a: Floats, b: Floats, c: Floats, first: Floats, second: Floats
) -> tuple[Floats, Floats]:
    """Solve N systems of two equations, a x + b y = first and b x + c y = second, by Cramer's rule.

    All arguments, and the results x and y, are of shape (N,); no determinant a c − b² may be 0.
    """
    determinant = a * c - b * b
    x = (c * first - b * second) / determinant
    y = (a * second - b * first) / determinant
    return x, y


def _arc_components(toward: Floats, axis: Floats, beside: Floats, hinge: Floats) -> Floats:
    """Return the components of the shortest arcs from axes to target directions, (2, N), [rad].

    They are those of a vector that is tangent to the arc at the axis, and as long as the angle
    between axis and target.

    Args:
        toward: unit columns toward the targets, shape (3, N) for N arcs.
        axis: unit columns at which the arcs start, shape (3, N).
        beside, hinge: unit columns at right angles to the axis and each other, shape (3, N).

    Returns:
        The part along `beside`, then that along `hinge`; both 0 for a target straight opposite.
    """
    # The part of the target direction across the axis is as long as the sine of the angle; it is
    # scaled to the angle. The bound avoids a division by 0.
    parts = np.stack([column_dot(beside, toward), column_dot(hinge, toward)])
    sine = np.sqrt(parts[0] ** 2 + parts[1] ** 2)
    angle = np.arctan2(sine, column_dot(axis, toward))
    return parts * (angle / np.maximum(sine, 1e-300))


def _rotated(columns: Floats, turn: Floats, sine_quotient: Floats, half_quotient: Floats) -> Floats:
    """Columns v turned by Rodrigues' formula, v + s (ω × v) + ½ h² ω × (ω × v), shape (3, N).

    Args:
        columns: v, shape (3, N) for N vectors.
        turn: rotation vectors ω of the angles φ = |ω|, shape (3, N), [rad].
        sine_quotient: s = sin φ / φ, shape (N,).
        half_quotient: h = sin ½φ / ½φ, shape (N,).
    """
    beside = column_cross(turn, columns)
    beside_twice = column_cross(turn, beside)
    return columns + sine_quotient * beside + 0.5 * half_quotient * half_quotient * beside_twice
