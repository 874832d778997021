"""The arm by resolved rate: the joints' velocities bring the hand from where it is at ease to its target."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.arm import Arm
from juggle_anim.body.arms.arm_pose import ArmPose
from juggle_anim.body.arms.ball_and_hinge import BallAndHinge
from juggle_anim.body.arms.carried import HOME
from juggle_anim.vectors import column_cross, column_dot, column_norm, column_units

NEARLY_STRAIGHT = 1e-6
"""By this share of its length an arm stays bent, and open: a straight one knows no way back."""

_LOWEST_AT_HOME = np.array([0.0, -HOME[2], HOME[1]])
_OUTWARD = np.array([1.0, 0.0, 0.0])
_FLEX_AT_HOME = np.pi / 2
# Steps on the way, the share of the way to the elbow's posture that each goes, and steps that only set the hand right.
_STEPS, _PULL, _CORRECTIONS = 24, 0.12, 10
# Arms that are worked on together: as many as stay in the processor's cache.
_BLOCK = 2048


@np.errstate(over="ignore")
def resolved_rate(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> ArmPose:
    """Pose arms by resolved rate, dθ = J⁺ dX; arguments as in `Solver`.

    Every arm starts at ease, its elbow lifted outward by the swivel, and its hand goes in so many steps along a fixed
    way to the target: straight in the elbow's angle, by the shortest arc in direction. What the hand leaves free, the
    turn about the line to it, goes toward the posture at ease. The answer thus depends on the target alone, and
    smoothly. A hand out of reach is brought to where the arm is all but straight.
    """
    shoulder, hand = np.asarray(shoulder, dtype=float), np.asarray(hand, dtype=float)
    numbers = [np.asarray(each, dtype=float) for each in (arm.upper, arm.lower, 1.0 - 2.0 * np.asarray(side), swivel)]
    shape = np.broadcast_shapes(shoulder.shape[:-1], hand.shape[:-1], *(each.shape for each in numbers))
    points = [np.broadcast_to(each, (*shape, 3)).reshape(-1, 3) for each in (shoulder, hand)]
    spread = [np.broadcast_to(each, shape).reshape(-1) for each in numbers]
    size = len(points[0])
    pose = ArmPose(np.empty((size, 3)), np.empty((size, 3)), np.empty((size, 2, 3, 3)), np.empty(size))
    for first in range(0, size, _BLOCK):
        here = slice(first, first + _BLOCK)
        origin, target = (np.ascontiguousarray(each[here].T) for each in points)
        _fill(pose, here, origin, target, *(each[here] for each in spread))
    return ArmPose(
        pose.elbow.reshape(*shape, 3),
        pose.wrist.reshape(*shape, 3),
        pose.rotations.reshape(*shape, 2, 3, 3),
        pose.gap.reshape(shape),
    )


def _fill(
    pose: ArmPose,
    here: slice,
    origin: Floats,
    target: Floats,
    upper: Floats,
    lower: Floats,
    out: Floats,
    swivel: Floats,
) -> None:
    """Write the arms of a block; `out` is 1 for left arms and −1 for right ones, which are solved in a mirror."""
    whole, mirror = upper + lower, np.stack([out, np.ones_like(out), np.ones_like(out)])
    axis, distance = column_units(target - origin, HOME)
    arms = _led(mirror * axis, distance / whole, upper / whole, swivel)
    bones = mirror * arms.along, mirror * arms.forearm
    # A turn goes the other way round in a mirror.
    hinge = out * mirror * arms.hinge
    elbow, forearm = upper * bones[0], lower * bones[1]
    pose.elbow[here] = (origin + elbow).T
    pose.wrist[here] = (origin + elbow + forearm).T
    pose.gap[here] = column_units(axis * distance - elbow - forearm, HOME)[1]
    for bone, along in enumerate(bones):
        pose.rotations[here, bone] = np.stack([along, column_cross(hinge, along), hinge]).transpose(2, 1, 0)


def _led(axis: Floats, distance: Floats, upper: Floats, swivel: Floats) -> BallAndHinge:
    """Left arms of length 1, led from home to where their hands should be."""
    lower = 1.0 - upper
    inner = np.abs(upper - lower)
    reached = np.minimum(np.maximum(distance, inner + NEARLY_STRAIGHT), 1.0 - NEARLY_STRAIGHT)
    flex = _flex(reached, upper, lower)
    arm = _at_home(upper, lower, swivel)
    arm.least = _flex(np.full_like(inner, 1.0 - NEARLY_STRAIGHT), upper, lower)
    arm.most = _flex(inner + NEARLY_STRAIGHT, upper, lower)
    angle, onward = _arc(axis)
    for step in range(1, _STEPS + 1):
        share = step / _STEPS
        bent = _FLEX_AT_HOME + share * (flex - _FLEX_AT_HOME)
        toward = np.cos(share * angle) * HOME[:, None] + np.sin(share * angle) * onward
        arm.step(toward, _distance(bent, upper, lower), _PULL)
    for _ in range(_CORRECTIONS):
        arm.step(axis, reached, 0.0)
    return arm


def _arc(axis: Floats) -> tuple[Floats, Floats]:
    """From home to each axis: the angle, (N,), and the unit direction in which to set out, (3, N)."""
    cosine = column_dot(HOME, axis)
    onward = axis - cosine * HOME[:, None]
    sine = column_norm(onward)
    somewhere = sine > 1e-300
    direction = np.where(somewhere, onward / np.where(somewhere, sine, 1.0), _LOWEST_AT_HOME[:, None])
    return np.arctan2(sine, cosine), direction


def _at_home(upper: Floats, lower: Floats, swivel: Floats) -> BallAndHinge:
    """Arms whose hands are at home, their elbows as far from the lowest place as the swivel says."""
    side = np.cos(swivel) * _LOWEST_AT_HOME[:, None] + np.sin(swivel) * _OUTWARD[:, None]
    distance = _distance(np.full_like(upper, _FLEX_AT_HOME), upper, lower)
    # A right angle at the elbow: its height over the line, and where along the line it stands.
    along, across = upper / distance, lower / distance
    hinge = column_cross(np.broadcast_to(HOME[:, None], side.shape), side)
    flex = np.full_like(upper, _FLEX_AT_HOME)
    return BallAndHinge(upper, lower, along * HOME[:, None] + across * side, hinge, flex, flex, flex)


def _flex(distance: Floats, upper: Floats, lower: Floats) -> Floats:
    """How far an elbow is bent for a hand at that distance, by the law of cosines, [rad]."""
    # tan² φ/2 keeps its digits where the arm is straight or folded.
    return 2 * np.arctan2(np.sqrt(1.0 - distance**2), np.sqrt(np.maximum(distance**2 - (upper - lower) ** 2, 0.0)))


def _distance(flex: Floats, upper: Floats, lower: Floats) -> Floats:
    return np.sqrt(np.maximum(1.0 - 4 * upper * lower * np.sin(flex / 2) ** 2, 0.0))
