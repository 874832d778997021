"""Plan of trunks: pelvis, hips, spine and shoulders over a loop, by least squares.

A trunk turns toward the hands and follows them a little, is at ease otherwise, moves as slowly as a
mass on springs does, and brings hands and feet within reach and the centre of mass over the feet.
All of it is one problem, whose unknowns are the control values of a spline.

Tasks and limits of trunks: what each should do at every moment, as residuals of least squares.

Each is a class with `residuals`, whose values are squared and summed, and `jacobian`. Residuals of
a task are 0 where it is met, and 1 at a deviation of one unit. Residuals of a limit are 0 within
it, and 1 at an excess of one unit. Arrays begin with the axes (T, J): moments, jugglers.

Bodies that throw around themselves: legs are unknown, too, and trunk, head and legs keep clear
of props and arms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import NamedTuple, Protocol, Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.clearance import (
    CollisionVolume,
    body_depth,
    cone_depths,
    distance_to_clear_trunk,
    leg_depth,
)
from juggle_anim.body.planning.least_squares import (
    BANDS,
    SAMPLES,
    Mirror,
    NormalTerms,
    Problem,
    Residuals,
    Stage,
    Stretch,
    least_squares,
    mirrored_halves,
    soften,
)
from juggle_anim.body.planning.steps import LEG_KNOT_RATE, Stances, Steps, lifted_legs, stances_at
from juggle_anim.body.skeleton import (
    FACE,
    FACE_ENDS,
    FACE_RADII,
    FOREARM,
    HAIR_ENDS,
    HAIR_RADII,
    HEAD,
    NOSE_ENDS,
    NOSE_RADII,
    SHANK,
    THIGH,
    UPPER_ARM,
    UPPER_ARM_RADII,
    YOKE_FROM_CHEST,
    YOKE_RADII,
)
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    GIRDLE,
    HIP_TURN,
    LEAN_FORWARD,
    LEAN_LEFT,
    LEFT_ANKLE_X,
    LEG_CHANNELS,
    MAX_LEG_ANGLES,
    MIDDLE_OF_FOOT,
    PELVIS,
    PELVIS_LEFT,
    PELVIS_UP,
    RIGHT_ANKLE_X,
    SHOULDER_TURN,
    SIDEWAYS,
    TOES_AHEAD,
    TRUNK_CHANNELS,
    Legs,
    Trunk,
    TrunkJacobian,
    centre_of_mass_jacobian,
    centre_of_mass_over_floor,
    leg_angles,
    lifted_ankles,
    pose_head,
    pose_legs,
    pose_trunk,
    trunk_jacobian,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import (
    CHANNELS,
    FACING,
    Motion,
    PeriodicSpline,
    PropSpheres,
    body_origins,
    first_equal_in_all,
)
from juggle_anim.vectors import dot, norm, smooth_step, unit

ARM_LENGTH = UPPER_ARM + FOREARM
"""From a shoulder to the wrist of a straight arm, [m]."""

NEAREST_WRIST = 0.36
"""Share of the arm's length at which a wrist comes too near to its shoulder: the elbow would turn
fast."""

# Shares of the arm's length: the largest distance of a wrist, as elbows of straighter arms open and
# close fast; the units of wrists too far and too near; and the excess from which residuals of far
# wrists grow with its square root only.
FARTHEST_WRIST = 0.918
WRIST_EXCESS = 0.005
_NEAR_WRIST_EXCESS = 0.02
_LARGE_WRIST_EXCESS = 0.05

# By how much hands around the body turn at most so that wrists are within reach, [rad]: those that
# hold balls or rings, and those that hold clubs, which are in line with them.
_MAX_YIELD = 0.6
_MAX_YIELD_WITH_CLUBS = 0.2

_FARTHEST_ANKLE = 0.992  # share of the leg's length, at which a knee is bent by 11°
_ANKLE_EXCESS = 0.0003  # share of the leg's length

CHANNEL_UNITS = np.array(
    [
        *(0.01, 0.012, 0.02, 0.06, 0.03, 0.06, 0.08, 0.08, 0.015, 0.015, 0.015, 0.015),
        *(0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.15, 0.15),
    ]
)
"""Deviation of each channel of a trunk, then of lifted legs, that counts as 1, [m] or [rad]."""

POSTURE_UNITS = np.array([0.08, 0.02, 0.08, 0.06, 0.03, 0.04, 0.06, 0.06, 0.02, 0.02, 0.02, 0.02])
"""The same of a trunk in the posture of a throw around the body: the pelvis is free to keep the
balance, and the spine leans as the throw demands.
"""

MAX_ABOVE_EASE = np.array([0.22, 0.05, 0.2, 0.6, 0.2, 0.45, 0.55, 0.7, 0.10, 0.05, 0.10, 0.05])
MAX_BELOW_EASE = np.array([0.22, 0.24, 0.2, 0.6, 0.2, 0.45, 0.14, 0.7, 0.03, 0.03, 0.03, 0.03])
"""Largest deviations of channels above and below their values at ease, [m] or [rad]. Shoulders move
by 10 cm forward, 5 up by themselves, 3 down and back; I. A. Kapandji, "The Physiology of the
Joints", volume 1.
"""

_RANGE_EXCESS = 0.2 * CHANNEL_UNITS[:TRUNK_CHANNELS]

BALANCE = 0.018
"""Deviation of the centre of mass that counts as 1, [m]."""


class TrunkState(NamedTuple):
    """Posed trunks and legs of J jugglers at T moments.

    Args:
        channels: channels of the trunks, shape (T, J, `TRUNK_CHANNELS`).
        trunk: joints of the trunks.
        to_wrists: vectors from shoulders to wrists, shape (T, J, 2, 3), [m].
        legs: joints of the legs.
        ankles: targets of the ankles, shape (T, J, 2, 3), [m].
    """

    channels: Floats
    trunk: Trunk
    to_wrists: Floats
    legs: Legs
    ankles: Floats

    @staticmethod
    def standing(channels: Floats, trunk: Trunk, to_wrists: Floats, ankles: Floats) -> TrunkState:
        """Build the state of trunks over standing legs, which are simplified.

        Knees are half way between hips and ankles, as their bend changes the centre of mass little,
        and toes are at the ankles.

        Args:
            channels, trunk, to_wrists, ankles: fields of `TrunkState`.
        """
        legs = Legs(trunk.hips, (trunk.hips + ankles) / 2, ankles, ankles)
        return TrunkState(channels, trunk, to_wrists, legs, ankles)

    def at(self, index: tuple[int | slice | Integers | None, ...]) -> TrunkState:
        """Select the state of some alternatives, moments or jugglers.

        Args:
            index: index into the leading axes of all fields.
        """
        trunk = Trunk(*(values[index] for values in vars(self.trunk).values()))
        legs = Legs(*(values[index] for values in self.legs))
        others = (self.channels[index], trunk, self.to_wrists[index], legs, self.ankles[index])
        return TrunkState(*others)


class Task(Protocol):
    """A task or a limit of the trunks of J jugglers at T moments."""

    def residuals(self, state: TrunkState) -> Floats:
        """Return R residuals for each moment and juggler, shape (T, J, R)."""

    def for_jugglers(self, jugglers: Integers) -> Self:
        """Select the task of K jugglers by their indices, shape (K,)."""
        return self.subset((slice(None), jugglers))

    def subset(self, index: slice | tuple[slice, Integers]) -> Self:
        """Select the task of some moments or jugglers.

        Args:
            index: index into the leading axes (T, J) of all fields of the task.
        """
        return type(self)(*(values[index] for values in vars(self).values()))


class DifferentiableTask(Task, Protocol):
    """A task with analytic derivatives."""

    def jacobian(self, state: TrunkState, joint_jacobian: TrunkJacobian) -> Floats:
        """Return the derivatives of the residuals by the channels.

        Args:
            state: the posed trunks.
            joint_jacobian: derivatives of their joints by the channels.

        Returns:
            Shape (T, J, `TRUNK_CHANNELS`, R).
        """


class ChannelwiseTask(DifferentiableTask, ABC):
    """A task with one residual for each channel, which depends on that channel only."""

    @abstractmethod
    def diagonal_jacobian(self, state: TrunkState) -> Floats:
        """Derivatives of residuals by their own channels, shape (T, J, `TRUNK_CHANNELS`)."""

    def jacobian(self, state: TrunkState, joint_jacobian: TrunkJacobian) -> Floats:
        """Diagonal matrices of derivatives, shape (T, J, `TRUNK_CHANNELS`, `TRUNK_CHANNELS`)."""
        return self.diagonal_jacobian(state)[..., None] * np.eye(TRUNK_CHANNELS)


@dataclass(frozen=True)
class StayAtEase(ChannelwiseTask):
    """Task: every channel has its value at ease.

    Args:
        at_ease: these values, shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
        units: deviations that count as 1, of the same shape and unit.
    """

    at_ease: Floats
    units: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Deviations of channels in their units, shape (T, J, `TRUNK_CHANNELS`)."""
        return (state.channels - self.at_ease) / self.units

    def diagonal_jacobian(self, state: TrunkState) -> Floats:
        """Derivatives of the deviations, 1 / unit, shape (T, J, `TRUNK_CHANNELS`)."""
        return 1.0 / self.units


@dataclass(frozen=True)
class StayInRange(ChannelwiseTask):
    """Limit: no channel is farther from its value at ease than a person's can be.

    Args:
        at_ease: these values, shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
    """

    at_ease: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of channels over their ranges, in units of `_RANGE_EXCESS`.

        A range extends from `MAX_BELOW_EASE` below the value at ease to `MAX_ABOVE_EASE` above it.
        The excess has the shape (T, J, `TRUNK_CHANNELS`) and is negative below the range.
        """
        deviation = state.channels - self.at_ease
        in_range = np.minimum(np.maximum(deviation, -MAX_BELOW_EASE), MAX_ABOVE_EASE)
        return (deviation - in_range) / _RANGE_EXCESS

    def diagonal_jacobian(self, state: TrunkState) -> Floats:
        """Derivatives of the excess: 1 / unit for channels out of range, 0 for others."""
        return (self.residuals(state) != 0.0) / _RANGE_EXCESS


@dataclass(frozen=True)
class Balance(DifferentiableTask):
    """Task: the centre of mass is over its target on the floor.

    Args:
        hands: places of the hands, which stand for the mass of the arms, shape (T, J, 2, 3), [m].
        centre: target of the centre of mass, to the left and ahead, shape (T, J, 2), [m].
    """

    hands: Floats
    centre: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Deviations of the centre of mass to the left and ahead, in `BALANCE`, (T, J, 2)."""
        centre = centre_of_mass_over_floor(state.trunk, self.hands, state.legs)
        return (centre - self.centre) / BALANCE

    def jacobian(self, state: TrunkState, joint_jacobian: TrunkJacobian) -> Floats:
        """Derivatives of the centre of mass in units of `BALANCE`, (T, J, `TRUNK_CHANNELS`, 2)."""
        return centre_of_mass_jacobian(joint_jacobian) / BALANCE


@dataclass(frozen=True)
class ReachHands(DifferentiableTask):
    """Task: every wrist is within reach of its shoulder, and not too near to it.

    Residuals of wrists far out of reach grow with the square root of the excess only, so that they
    bend a body little farther than wrists that are just out of reach.
    """

    near_excess = _NEAR_WRIST_EXCESS

    def residuals(self, state: TrunkState) -> Floats:
        """Excess distances of wrists from their shoulders, then missing distances, shape (T, J, 4).

        Columns are the left and the right wrist too far, in units of `WRIST_EXCESS`, then both too
        near, in units of `near_excess`; 0 within reach.
        """
        distance = norm(state.to_wrists)[..., 0] / ARM_LENGTH
        far = _soft_excess(distance) / WRIST_EXCESS
        near = np.maximum(NEAREST_WRIST - distance, 0.0) / self.near_excess
        return np.concatenate([far, near], axis=-1)

    def jacobian(self, state: TrunkState, joint_jacobian: TrunkJacobian) -> Floats:
        """Derivatives of the residuals by the channels, shape (T, J, `TRUNK_CHANNELS`, 4).

        Columns are the left and the right wrist too far from its shoulder, then both too near, as
        in `residuals`. Only shoulders count as moved: wrists, whose places depend little on the
        trunk, are taken as fixed.

        Args:
            state: the trunks, with the vectors from shoulders to wrists.
            joint_jacobian: derivatives of their joints by the channels.
        """
        length = norm(state.to_wrists)
        distance = length[..., 0] / ARM_LENGTH
        # Derivatives of the residuals by the distances. Beyond `FARTHEST_WRIST` a residual is the
        # excess x softened to L (√(1 + 2x / L) − 1), whose derivative is 1 / √(1 + 2x / L), and the
        # root is 1 + the softened excess / L.
        root = 1.0 + _soft_excess(distance) / _LARGE_WRIST_EXCESS
        far_slope = (distance > FARTHEST_WRIST) / (root * WRIST_EXCESS)
        near_slope = (distance < NEAREST_WRIST) / -self.near_excess
        # Derivatives of the distances by the channels: those of the shoulders, along the direction
        # from shoulder to wrist, negative as a shoulder that moves toward its wrist makes the
        # distance smaller; as shares of the arm's length.
        distance_gradient = state.to_wrists / (-ARM_LENGTH * length)
        distance_jacobian = dot(joint_jacobian.shoulders, distance_gradient[..., None, :, :])[
            ..., 0
        ]
        far = far_slope[..., None, :] * distance_jacobian
        near = near_slope[..., None, :] * distance_jacobian
        return np.concatenate([far, near], axis=-1)


class ReachAroundBody(ReachHands):
    """The same where hands go around the body: too near is as bad as too far, since bodies that
    bend and turn bring shoulders to their hands.
    """

    near_excess = WRIST_EXCESS


def _to_wrists_after_yield(to_hands: Floats, to_wrists: Floats, max_yield: Floats) -> Floats:
    """Return vectors from shoulders to wrists after hands have turned to bring wrists into reach.

    A hand turns about the prop it holds, which stays, until its wrist is within reach, but by no
    more than `max_yield`. How far the wrist also moves to a side is neglected.

    Args:
        to_hands, to_wrists: from shoulders to held props and to wrists before the turn, shape
            (..., J, 2, 3), [m].
        max_yield: largest angle of the turn, shape (J, 1, 1), [rad].

    Returns:
        Vectors like `to_wrists`, of the same directions; those within reach stay.
    """
    # A triangle of the sides a from shoulder to prop, b from wrist to prop, and c from shoulder to
    # wrist. Its angle β at the prop has cos β = (a² + b² − c²) / 2ab; the turn makes β smaller.
    # `norm` keeps the last axis, so that each is of shape (..., J, 2, 1).
    a = norm(to_hands)
    b = norm(to_hands - to_wrists)
    c = norm(to_wrists)
    cosine = (a * a + b * b - c * c) / (2.0 * a * b)
    least_angle = np.maximum(np.arccos(np.clip(cosine, -1.0, 1.0)) - max_yield, 0.0)
    least_distance = np.sqrt(a * a + b * b - 2.0 * a * b * np.cos(least_angle))
    # A hand turns no further than its wrist needs: up to the reach, or not at all.
    needed_distance = np.minimum(c, FARTHEST_WRIST * ARM_LENGTH)
    return to_wrists * (np.maximum(least_distance, needed_distance) / c)


def _soft_excess(distance: Floats) -> Floats:
    """Softened excess L (√(1 + 2x / L) − 1) of distances over `FARTHEST_WRIST`, of any shape.

    It is nearly the excess x while x is far below L = `_LARGE_WRIST_EXCESS`, and grows with the
    square root of x beyond. All are shares of the arm's length.

    Args:
        distance: from shoulders to wrists.
    """
    return soften(np.maximum(distance - FARTHEST_WRIST, 0.0), _LARGE_WRIST_EXCESS)


@dataclass(frozen=True)
class ReachFeet(DifferentiableTask):
    """Limit: every ankle is within reach of its hip."""

    def residuals(self, state: TrunkState) -> Floats:
        """Excess distances of the left and the right ankle from their hips, shape (T, J, 2).

        They are shares of the leg's length in units of `_ANKLE_EXCESS`, 0 within reach.
        """
        distance = norm(state.ankles - state.trunk.hips)[..., 0] / (THIGH + SHANK)
        return np.asarray(np.maximum(distance - _FARTHEST_ANKLE, 0.0) / _ANKLE_EXCESS)

    def jacobian(self, state: TrunkState, joint_jacobian: TrunkJacobian) -> Floats:
        """Derivatives of the residuals by the channels, (T, J, `TRUNK_CHANNELS`, 2).

        Ankles count as fixed; derivatives are 0 within reach.
        """
        to_ankles = state.ankles - state.trunk.hips
        length = norm(to_ankles)
        is_too_far = length > _FARTHEST_ANKLE * (THIGH + SHANK)
        # Derivative of the residual by the place of the hip: against the direction to the ankle.
        gradient = is_too_far * to_ankles / (-_ANKLE_EXCESS * (THIGH + SHANK) * length)
        return dot(joint_jacobian.hips, gradient[..., None, :, :])[..., 0]


@dataclass(frozen=True)
class TrunkProblem(Problem):
    """Least squares of the trunks of J jugglers over standing feet at T moments.

    Args:
        hands: places of the hands, shape (T, J, 2, 3), [m].
        turns: turns of the palms, shape (T, J, 2, `CHANNELS`).
        ankles: targets of the ankles, shape (T, J, 2, 3), [m].
        tasks, limits: the terms of the sum of squares.
        last_state: the trunks posed last, if any; a cache of one element.
    """

    hands: Floats
    turns: Floats
    ankles: Floats
    tasks: Sequence[DifferentiableTask]
    limits: Sequence[DifferentiableTask]
    last_state: list[TrunkState] = field(default_factory=list)

    def for_jugglers(self, jugglers: Integers) -> TrunkProblem:
        """Select the problem of K jugglers by their indices, shape (K,)."""
        return self._subset((slice(None), jugglers))

    def until(self, moment: int) -> TrunkProblem:
        """Select the problem of the moments from 0 to `moment` − 1."""
        return self._subset(slice(moment))

    def _subset(self, index: slice | tuple[slice, Integers]) -> TrunkProblem:
        """Select the problem of some moments or jugglers by an index into the axes (T, J)."""
        tasks, limits = (
            [task.subset(index) for task in group] for group in (self.tasks, self.limits)
        )
        return TrunkProblem(self.hands[index], self.turns[index], self.ankles[index], tasks, limits)

    def residuals(self, values: Floats) -> Residuals:
        """Pose trunks with channels, and return the residuals of all tasks and of all limits.

        Args:
            values: channels of the trunks, shape (T, J, `TRUNK_CHANNELS`).
        """
        state = self._posed_state(values)
        tasks = [task.residuals(state) for task in self.tasks]
        limits = [limit.residuals(state) for limit in self.limits]
        return Residuals(np.concatenate(tasks, axis=-1), np.concatenate(limits, axis=-1))

    def normal_terms(
        self, values: Floats, residuals: Residuals, limit_weight: float, over_accelerated: Booleans
    ) -> NormalTerms:
        """Return the terms of the normal equations.

        Args:
            values: channels of the trunks, shape (T, J, `TRUNK_CHANNELS`).
            residuals: residuals with these channels.
            limit_weight: factor of the residuals of limits.
            over_accelerated: not read, as trunks have no limit of accelerations.
        """
        state = self._posed_state(values)
        joint_jacobian = trunk_jacobian(state.trunk, values)
        gradient = np.zeros_like(values)
        hessian = np.zeros((*values.shape, TRUNK_CHANNELS))
        hessian_diagonal = np.einsum("...cc->...c", hessian)  # a view
        task_jacobians = []
        task_residuals = []
        for tasks, group_residuals, weight in (
            (self.tasks, residuals.tasks, 1.0),
            (self.limits, residuals.limits, limit_weight),
        ):
            # Residuals of a task, and so their derivatives, are weighted. In `group_residuals`
            # those of one task stand from column `first` to `last`, end excluded.
            first = 0
            for task in tasks:
                if isinstance(task, ChannelwiseTask):
                    # The Jacobian is diagonal, so D Dᵀ and D r are elementwise products.
                    last = first + TRUNK_CHANNELS
                    derivatives = weight * task.diagonal_jacobian(state)
                    hessian_diagonal += derivatives * derivatives
                    gradient += derivatives * weight * group_residuals[..., first:last]
                else:
                    task_jacobians.append(weight * task.jacobian(state, joint_jacobian))
                    last = first + task_jacobians[-1].shape[-1]
                    task_residuals.append(weight * group_residuals[..., first:last])
                first = last
        jacobian = np.concatenate(task_jacobians, axis=-1)
        gradient += (jacobian @ np.concatenate(task_residuals, axis=-1)[..., None])[..., 0]
        hessian += jacobian @ jacobian.swapaxes(-1, -2)
        return NormalTerms(hessian, gradient)

    def _posed_state(self, values: Floats) -> TrunkState:
        """Pose trunks with channels, or return the trunks posed last if they had the same channels.

        Most normal equations are set up at the channels whose residuals were computed last.

        Args:
            values: channels of the trunks, shape (T, J, `TRUNK_CHANNELS`).
        """
        if not self.last_state or not np.array_equal(self.last_state[0].channels, values):
            trunk = pose_trunk(self.hands, values)
            to_wrists = from_shoulders_to_wrists(self.hands, self.turns, trunk.shoulders)
            self.last_state[:] = [TrunkState.standing(values, trunk, to_wrists, self.ankles)]
        return self.last_state[0]


_OFF_CENTRE = 0.005  # m, by which the centre of mass may be off
_BALANCE_EXCESS = 0.002  # m

_MIN_GAP = 0.0275  # m, between props and bodies as they are drawn, whose volumes are slimmer
_GAP_EXCESS = 0.005  # m
# Round cones that stand out of the volumes of trunk and head, [m]. Ends of face, nose and hair,
# along the axes of the head, up and ahead, shape (2, 3, 2). Radii at both ends of the left yoke,
# the right yoke, face, nose and hair, and of the upper arms of a draft, shape (7, 2).
_HEAD_ENDS = np.array([FACE_ENDS, NOSE_ENDS, HAIR_ENDS]).swapaxes(0, 1)
_CONE_RADII = np.array(
    [YOKE_RADII[:1] * 2] * 2 + [FACE_RADII, NOSE_RADII, HAIR_RADII] + [UPPER_ARM_RADII] * 2
)
# Points along an arm, as weights of its shoulder, elbow and wrist, of which legs keep clear: two of
# the upper arm and three of the forearm. Radii of both hands, of the left arm's points and of the
# right arm's, less by how much nearer to legs than props arms may come, [m].
_ARM_POINTS = np.array(
    [(0.4, 0.6, 0.0), (0.0, 1.0, 0.0), (0.0, 0.8, 0.2), (0.0, 0.5, 0.5), (0.0, 0.2, 0.8)]
)
_ARM_RADII = np.array([0.055] * 2 + [0.050, 0.044, 0.035, 0.035, 0.035] * 2) - 0.006

# Where hands throw under thighs, as shares of the way from hip to knee; the excess over these that
# counts as 1; and that from which residuals grow with its square root only.
_THIGH_SHARES = 0.42, 0.98
_SHARE_EXCESS = 0.01
_LARGE_SHARE_EXCESS = 0.03

# How far spines lean from upright, at most, with feet wide apart and otherwise, [rad].
_MAX_LEAN_ON_WIDE_FEET = np.radians(105.0)
_MAX_LEAN = np.radians(60.0)
ANGLE_MARGIN = np.radians(3.0)
ANGLE_EXCESS = np.radians(2.0)
_BEND_EXCESS = np.radians(1.0)  # of hips, knees and trunk, which yield less to props than wrists

_DIFFERENCE_STEP = 1e-4  # of values, from which derivatives are taken

# Channels that change sign in a mirror: their derivatives are taken from both sides, so that the
# plan of a mirrored body is the mirrored plan.
_SIGN_CHANGING = np.isin(
    np.arange(TRUNK_CHANNELS + LEG_CHANNELS),
    [*SIDEWAYS, TRUNK_CHANNELS + LEFT_ANKLE_X, TRUNK_CHANNELS + RIGHT_ANKLE_X],
)


@dataclass(frozen=True)
class FirmBalance(Task):
    """Limit: the centre of mass is within `_OFF_CENTRE` of its target, in x and in z.

    Args:
        hands, centre: fields of `Balance`.
    """

    hands: Floats
    centre: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Deviations of the centre of mass beyond `_OFF_CENTRE`, shape (..., T, J, 2).

        They are to the left and ahead, in units of `_BALANCE_EXCESS`; negative to the right and
        behind, 0 within the bound.
        """
        deviation = centre_of_mass_over_floor(state.trunk, self.hands, state.legs) - self.centre
        return (deviation - np.clip(deviation, -_OFF_CENTRE, _OFF_CENTRE)) / _BALANCE_EXCESS


@dataclass(frozen=True)
class KeepClear(Task):
    """Limit: trunk, head and upper arms stay clear of props, and legs of props and arms.

    Props and arms are approximated by spheres. As props may fly far from one moment to the next,
    they may be seen at S times about each moment, of which the one that is nearest counts.

    Args:
        props: centres of the K spheres of props at the first time, then at the next one, shape
            (T, J, S · K, 3), [m].
        radii: radii of these spheres, shape (S, K), or (K,) for a single time, [m].
        arms: places of both hands; if the arms are drafted, then those of both elbows, which bend
            as shoulders move, and of both wrists; shape (T, J, 2 or 6, 3), [m].
        looks: yaw and pitch of the heads, shape (T, J, 2 or more), [rad]; None to face ahead.
    """

    props: Floats
    radii: Floats
    arms: Floats
    looks: Floats | None = None

    def residuals(self, state: TrunkState) -> Floats:
        """What gaps lack to `_MIN_GAP`, in units of `_GAP_EXCESS`, shape (..., T, J, 2K + 2 + F).

        Columns are the gaps of each of the K spheres of props to trunk, head, yokes and, if the
        arms are drafted, upper arms; then the gaps of these spheres, of both hands and of F points
        of the arms to the legs. F is 0 without a draft of the arms, else 10. Wide gaps have 0.

        Args:
            state: trunks and legs. A leading axis is for alternatives, which differ from the first
                one by `_DIFFERENCE_STEP`: where that is well clear of everything, all are.
        """
        if state.trunk.pelvis.ndim == 3:
            return np.maximum(self._depths(state) + _MIN_GAP, 0.0) / _GAP_EXCESS
        depths = self._depths(state.at((0,)))
        lacks = np.zeros((len(state.trunk.pelvis), *depths.shape))
        # No step of a difference, of metres or radians, moves a limb by 20 times as much.
        well_clear = _MIN_GAP + 20.0 * _DIFFERENCE_STEP
        moments, jugglers = np.nonzero(depths.max(axis=-1) > -well_clear)
        if not moments.size:
            return lacks
        # The moments near something, M rows of as many times and one juggler.
        near = moments, jugglers, None
        looks = None if self.looks is None else self.looks[near]
        rows = KeepClear(self.props[near], self.radii, self.arms[near], looks)
        depths = rows._depths(state.at((slice(None), *near)))
        lacks[:, moments, jugglers] = np.maximum(depths[:, :, 0] + _MIN_GAP, 0.0) / _GAP_EXCESS
        return lacks

    def _depths(self, state: TrunkState) -> Floats:
        """Penetration depths of all spheres, negative for gaps, [m].

        Args:
            state: posed trunks and legs.

        Returns:
            Shape (..., T, J, 2K + 2 + F): depths of the K spheres of props in trunk, head, yokes
            and upper arms; then of these spheres, both hands and the F points of arms
            (`_arm_spheres`) in the legs.
        """
        trunk = state.trunk
        shape = trunk.pelvis.shape[:-1]  # (..., T, J)
        head, nose = pose_head(trunk, self.looks)
        elbows = self._drafted_elbows(trunk.shoulders)
        in_volumes = self._depths_in_trunk_and_head(trunk, head)
        in_cones = self._depths_in_cones(trunk, head, nose, elbows)
        in_body = np.maximum(in_volumes, in_cones)
        arm_points, arm_radii = self._arm_spheres(trunk.shoulders, elbows)
        props = np.broadcast_to(self.props, (*shape, *self.props.shape[-2:]))
        points = np.concatenate([props, arm_points], axis=-2)
        in_legs = leg_depth(points, np.stack(state.legs, axis=-2))
        # Surfaces are deeper than centres by the radii. Depths of props in body and legs at S times
        # have the shape (..., T, J, 2, S, K), of which the deepest time counts.
        radii = np.atleast_2d(self.radii)
        of_props = np.stack([in_body, in_legs[..., : radii.size]], axis=-2)
        deepest = (of_props.reshape(*shape, 2, *radii.shape) + radii).max(axis=-2)
        of_arms = in_legs[..., radii.size :] + arm_radii
        return np.concatenate([deepest.reshape(*shape, -1), of_arms], axis=-1)

    def _drafted_elbows(self, shoulders: Floats) -> Floats | None:
        """Elbows of the draft, which bend as shoulders move; None if the arms are not drafted.

        Args:
            shoulders: shape (..., T, J, 2, 3), [m], as that of the elbows.
        """
        _hands, elbows, wrists = self._sides_of_arms()
        if not elbows.size:
            return None
        return _bent_elbows(shoulders, np.broadcast_to(wrists, shoulders.shape), elbows)

    def _sides_of_arms(self) -> list[Floats]:
        """Hands, elbows and wrists, left and right of each, of shape (T, J, 2, 3), [m].

        Without a draft of the arms there are no elbows and wrists: their shape is (T, J, 0, 3).
        """
        return np.split(self.arms, (2, 4), axis=-2)

    def _depths_in_trunk_and_head(self, trunk: Trunk, head: Floats) -> Floats:
        """Depths of centres of props in the volumes of trunk and head, (..., T, J, S·K), [m]."""
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        # All N bodies in one row, where `body_depth` expects coordinates first and bodies last.
        props = volume.to_local(self.props).reshape(-1, *self.props.shape[-2:])  # (N, S·K, 3)
        all_bodies = np.arange(len(props))
        depths = body_depth(props.transpose(2, 1, 0), volume.heads(all_bodies)).T  # (N, S·K)
        return depths.reshape(*trunk.pelvis.shape[:-1], -1)

    def _depths_in_cones(
        self, trunk: Trunk, head: Floats, nose: Floats, elbows: Floats | None
    ) -> Floats:
        """Depths of the centres of props in the deepest of all cones, (..., T, J, S·K), [m].

        These round cones stand out of the volumes of trunk and head. In the order of `_CONE_RADII`
        they are the left and the right yoke, from shoulder to collar; face, nose and hair; and the
        upper arms of a draft.

        Args:
            trunk: posed trunks.
            head, nose: middle of the head and tip of the nose, shape (..., T, J, 3), [m].
            elbows: shape (..., T, J, 2, 3), [m]; None without a draft of the arms.
        """
        collar = trunk.chest + YOKE_FROM_CHEST * (trunk.neck - trunk.chest)
        # Axes of the head, up and ahead; ends of its cones, shape (..., T, J, 2, 3, 3).
        head_axes = np.stack([(head - trunk.neck) / HEAD, (nose - head) / FACE], axis=-2)
        head_ends = head[..., None, None, :] + _HEAD_ENDS @ head_axes[..., None, :, :]
        starts = [trunk.shoulders, head_ends[..., 0, :, :]]
        ends = [np.stack([collar, collar], axis=-2), head_ends[..., 1, :, :]]
        if elbows is not None:
            starts.append(trunk.shoulders)
            ends.append(elbows)
        start = np.concatenate(starts, axis=-2)
        line = np.concatenate(ends, axis=-2) - start
        depths = cone_depths(self.props, start, line, _CONE_RADII[: start.shape[-2]])
        return np.asarray(depths.max(axis=-1))

    def _arm_spheres(self, shoulders: Floats, elbows: Floats | None) -> tuple[Floats, Floats]:
        """Spheres that fill both hands and, if there is a draft of the arms, points along these.

        Args:
            shoulders: shape (..., T, J, 2, 3), [m].
            elbows: likewise; None without a draft.

        Returns:
            Centres, shape (..., T, J, 2 + F, 3), and radii, shape (2 + F,), [m]. F is 0 without a
            draft, else 10: five points of the left arm, then five of the right one.
        """
        hands, _elbows, wrists = self._sides_of_arms()
        hands = np.broadcast_to(hands, shoulders.shape)
        if elbows is None:
            return hands, _ARM_RADII[:2]
        joints = np.stack([shoulders, elbows, np.broadcast_to(wrists, shoulders.shape)], axis=-2)
        on_arms = (_ARM_POINTS @ joints).reshape(*shoulders.shape[:-2], -1, 3)
        return np.concatenate([hands, on_arms], axis=-2), _ARM_RADII

    @classmethod
    def from_bodies(
        cls,
        motion: Motion,
        times: Floats,
        jugglers: Integers,
        back: Floats,
        arms: Floats,
        looks: Floats | None = None,
    ) -> KeepClear:
        """Return the limit for the bodies of some jugglers, with spheres that fill all props.

        Args:
            motion: paths of props and bodies.
            times: T times, shape (T,), [s].
            jugglers: indices of the J jugglers, shape (J,).
            back: how far each body stands behind the juggler's place, shape (J,), [m].
            arms: points of the arms that legs avoid, shape (T, J, 2 or 6, 3), [m], as in
                `KeepClear`.
            looks: yaw and pitch of the heads, shape (T, J, 2 or more), [rad]; None to face ahead.
        """
        # Two times about each moment halve the time in which props fly unseen.
        step = (times[1] - times[0]) * np.array([-0.25, 0.25])
        props = PropSpheres.from_bodies(
            motion, (times[:, None] + step).ravel() % motion.duration, jugglers, back
        )
        places = props.places.reshape(len(times), 2, *props.places.shape[1:])
        both = np.concatenate([places[:, 0], places[:, 1]], axis=-2)
        return cls(both, np.stack([props.radii, props.radii]), arms, looks)

    def for_jugglers(self, jugglers: Integers) -> KeepClear:
        """Select the task of some jugglers by their indices; radii are the same for all."""
        looks = None if self.looks is None else self.looks[:, jugglers]
        return KeepClear(self.props[:, jugglers], self.radii, self.arms[:, jugglers], looks)


def _bent_elbows(shoulders: Floats, wrists: Floats, near: Floats) -> Floats:
    """Return the elbows of arms that are nearest to given places, shape (..., 3), [m].

    Args:
        shoulders, wrists, near: of the same shape, [m]; wrists may be out of reach.
    """
    # An elbow is on a circle around the line from shoulder to wrist, of length d: on the line it is
    # at a = (u² − f² + d²) / 2d, with the lengths u and f of both bones, and √(u² − a²) off it.
    distance = norm(wrists - shoulders)
    axis = (wrists - shoulders) / distance
    along = (UPPER_ARM**2 - FOREARM**2 + distance**2) / (2.0 * distance)
    off_line = np.sqrt(np.maximum(UPPER_ARM**2 - along**2, 0.0))
    across = near - shoulders
    across = across - dot(across, axis) * axis
    return shoulders + along * axis + off_line * unit(across)


@dataclass(frozen=True)
class LimitBends(Task):
    """Limit: hips, knees and trunk bend no farther than a person's.

    Args:
        stances: lifts of the legs; with feet wide apart the trunk may bend farther.
    """

    stances: Stances

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of joint angles over their limits less a margin, in units of `_BEND_EXCESS`.

        Args:
            state: trunks and legs at T moments of J jugglers; leading axes are for alternatives.

        Returns:
            Shape (..., T, J, 11): four angles of the left leg and four of the right leg, as in
            `leg_angles`, how far each thigh is ahead of straight down, seen from the side, and the
            lean of the spine from upright; 0 within the limits.
        """
        # Feet are put wide apart by the same distance to both sides, so the left one tells: they
        # are if it is farther out than at ease at every moment.
        is_wide = self.stances.legs[..., LEFT_ANKLE_X].min(axis=0) > 0.0
        max_lean = np.where(is_wide, _MAX_LEAN_ON_WIDE_FEET, _MAX_LEAN)
        # The height of the spine's unit vector is the cosine of its angle from upright.
        lean = np.arccos(np.clip(state.trunk.spine[..., 1], -1.0, 1.0))
        leg_excess = np.abs(leg_angles(state.legs)) - MAX_LEG_ANGLES
        both_legs_excess = leg_excess.reshape(*leg_excess.shape[:-2], -1)
        thigh = state.legs.knees - state.legs.hips
        flexion_excess = np.arctan2(thigh[..., 2], -thigh[..., 1]) - MAX_LEG_ANGLES[0]
        lean_excess = (lean - max_lean)[..., None]
        excess = np.concatenate([both_legs_excess, flexion_excess, lean_excess], axis=-1)
        return np.maximum(excess + ANGLE_MARGIN, 0.0) / _BEND_EXCESS

    def for_jugglers(self, jugglers: Integers) -> LimitBends:
        """Select the task of K jugglers by their indices, shape (K,)."""
        return LimitBends(self.stances.for_jugglers(jugglers))


@dataclass(frozen=True)
class ThrowUnderThighs(Task):
    """Limit: hands that throw under a lifted thigh are between hip and knee, seen from above.

    Args:
        hands: places of the hands, shape (T, J, 2, 3), [m].
        is_under: whether each leg has each hand under its thigh, shape (T, J, 2, 2).
    """

    hands: Floats
    is_under: Booleans

    def residuals(self, state: TrunkState) -> Floats:
        """Shares of the way from hip to knee beyond `_THIGH_SHARES`, softened, in `_SHARE_EXCESS`.

        Args:
            state: trunks and legs at T moments of J jugglers; leading axes are for alternatives.

        Returns:
            Shape (..., T, J, 4): both hands at the left leg, then at the right one, negative too
            near the hip; 0 within the limits, or where the hand does not throw under the thigh.
        """
        level = [0, 2]
        hips = state.legs.hips[..., level]
        thighs = state.legs.knees[..., level] - hips
        to_hands = self.hands[..., None, :, level] - hips[..., None, :]
        # The thigh of a leg that stands may be vertical, but no hand throws under it.
        squares = np.maximum((thighs * thighs).sum(axis=-1, keepdims=True), 1e-6)
        share = (to_hands @ thighs[..., None])[..., 0] / squares
        excess = soften(share - np.clip(share, *_THIGH_SHARES), _LARGE_SHARE_EXCESS)
        excess = excess * self.is_under / _SHARE_EXCESS
        return np.asarray(excess.reshape(*excess.shape[:-2], 4))

    @staticmethod
    def in_plan(
        hands: Floats, motion: Motion, times: Floats, jugglers: Integers, stances: Stances
    ) -> ThrowUnderThighs:
        """Find the moments nearest to throws under thighs: their legs are lifted.

        Args:
            hands: the field.
            motion, times, jugglers: as in `stances_at`, with even times.
            stances: from there.
        """
        events = motion.unhurried.events
        loop = motion.duration
        rows = np.flatnonzero(events.around_body)
        since = np.abs((times[:, None] - events.time[rows] + loop / 2) % loop - loop / 2)
        is_near = since <= (times[1] - times[0]) / 2
        hand_numbers = 2 * jugglers[:, None] + np.arange(2)
        is_at_event = events.hand[rows] == hand_numbers[..., None]
        has_hand = (is_near[:, None, None] & is_at_event).any(axis=-1)
        # The leg that is lifted farther.
        is_lifted = stances.lift_share > stances.lift_share[..., ::-1]
        return ThrowUnderThighs(hands, is_lifted[..., None] & has_hand[..., None, :])


@dataclass(frozen=True)
class AroundBodyProblem(Problem):
    """Least squares of trunks and legs for throws around bodies, with numerical derivatives.

    Args:
        hands, turns, ankles, tasks, limits: fields of `TrunkProblem`.
        stances: which feet are lifted, and how far.
        max_yield: by how much hands turn at most so that wrists are within reach, [rad].
        gives_way: whether hands whose wrists deviate (bend sideways) too far turn toward their
            forearms; False where hands that are turned inward go around a body, as that turn would
            be too fast.
    """

    hands: Floats
    turns: Floats
    ankles: Floats
    stances: Stances
    tasks: Sequence[Task]
    limits: Sequence[Task]
    max_yield: float
    gives_way: bool = True

    def for_jugglers(self, jugglers: Integers) -> AroundBodyProblem:
        """Select the problem of K jugglers by their indices, shape (K,)."""
        return AroundBodyProblem(
            hands=self.hands[:, jugglers],
            turns=self.turns[:, jugglers],
            ankles=self.ankles[:, jugglers],
            stances=self.stances.for_jugglers(jugglers),
            tasks=[task.for_jugglers(jugglers) for task in self.tasks],
            limits=[limit.for_jugglers(jugglers) for limit in self.limits],
            max_yield=self.max_yield,
            gives_way=self.gives_way,
        )

    def residuals(self, values: Floats) -> Residuals:
        """Pose trunks and legs, and return the residuals of all tasks and of all limits.

        The offsets of lifted legs are tasks, too: each should be 0, in its unit.

        Args:
            values: channels of trunks, then offsets of lifted legs, shape (..., T, J, C); leading
                axes are for alternatives, as `normal_terms` needs them.
        """
        trunk_values = values[..., :TRUNK_CHANNELS]
        leg_offsets = values[..., TRUNK_CHANNELS:]
        trunk = pose_trunk(self.hands, trunk_values)
        leg_values = self.stances.with_offsets(leg_offsets)
        ankles = lifted_ankles(self.ankles, leg_values)
        legs = pose_legs(trunk.hips, ankles, channels=leg_values)
        state = TrunkState(trunk_values, trunk, self._to_wrists(trunk.shoulders), legs, ankles)
        tasks = [task.residuals(state) for task in self.tasks]
        tasks.append(leg_offsets / CHANNEL_UNITS[TRUNK_CHANNELS:])
        limits = [limit.residuals(state) for limit in self.limits]
        return Residuals(np.concatenate(tasks, axis=-1), np.concatenate(limits, axis=-1))

    def _to_wrists(self, shoulders: Floats) -> Floats:
        """Vectors from shoulders to wrists; hands turn so that wrists out of reach come nearer.

        Args:
            shoulders: shape (..., T, J, 2, 3), [m]; leading axes are for alternatives.

        Returns:
            Vectors of the same shape, [m].
        """
        # Wrists depend little on the trunk, so those of the first alternative serve all.
        first_shoulders = shoulders.reshape(-1, *self.hands.shape)[0]
        wrists = first_shoulders + from_shoulders_to_wrists(
            self.hands, self.turns, first_shoulders, self.gives_way
        )
        # A juggler who lifts a leg or stands wide throws under or between the legs, where hands
        # have no room to turn.
        legs_stay = (self.stances.legs == 0.0).all(axis=(0, 2))[:, None, None]
        max_yield: Floats = np.where(legs_stay, self.max_yield, 0.0)
        return _to_wrists_after_yield(self.hands - shoulders, wrists - shoulders, max_yield)

    def normal_terms(
        self, values: Floats, residuals: Residuals, limit_weight: float, over_accelerated: Booleans
    ) -> NormalTerms:
        """Return the terms of the normal equations, with numerical derivatives.

        Differences over a small step of each channel are forward ones, or central ones for channels
        that change sign in a mirror image, so that the derivatives of a mirrored body are mirrored.

        Args:
            values: channels of trunks, then offsets of lifted legs, shape (T, J, C).
            residuals: not read, as the residuals are computed again with those of the steps.
            limit_weight: factor of the residuals of limits.
            over_accelerated: not read, as trunks have no limit of accelerations.
        """
        # Alternatives along a new first axis: no step (at index 0), a step up in each of the C
        # channels (at 1 to C), and steps down in the channels that change sign (after C).
        channels = values.shape[-1]
        unit_steps = np.eye(channels)
        steps = np.concatenate([np.zeros((1, channels)), unit_steps, -unit_steps[_SIGN_CHANGING]])
        widths = np.where(_SIGN_CHANGING, 2.0 * _DIFFERENCE_STEP, _DIFFERENCE_STEP)
        tasks, limits, _ = self.residuals(values + (_DIFFERENCE_STEP * steps)[:, None, None])
        weighted = np.concatenate([tasks, limit_weight * limits], axis=-1)
        upper = weighted[1 : 1 + channels]
        lower = np.repeat(weighted[:1], channels, axis=0)
        lower[_SIGN_CHANGING] = weighted[1 + channels :]
        jacobian = (upper - lower) / widths[:, None, None, None]
        jacobian = jacobian.transpose(1, 2, 0, 3)  # (C, T, J, R) to (T, J, C, R)
        gradient = (jacobian @ weighted[0][..., None])[..., 0]
        return NormalTerms(jacobian @ jacobian.swapaxes(-1, -2), gradient)


MAX_BACK = 0.2
"""The farthest that a juggler stands back from its place to make room for the arms, [m]."""

KNOT_RATE = 10.0
"""Knots of the plan a second; the arms alone make faster movements."""

LEG_KNOTS = round(LEG_KNOT_RATE / KNOT_RATE)
"""Knots of lifted legs for one of the trunk, where a stretch of a loop is planned."""

MAX_KNOTS = 20_000
"""Limit of knots times jugglers; beyond it knots lie farther apart."""

# Legs that are nearly straight are so steep a limit that its weight grows in stages: a search that
# began with the full weight would get stuck beside it.
_STAGES = (
    Stage(limit_weight=0.01, steps=3, min_gain=0.05),
    Stage(limit_weight=0.1, steps=3, min_gain=0.05),
    Stage(limit_weight=1.0, steps=20, min_gain=0.005),
)

# Around the body some gaps cannot be kept, whose cost hides what else is gained. Limits are firm
# once it is known where arms are.
_FIRST_STAGES_AROUND_BODY = (
    Stage(limit_weight=0.1, steps=8, min_gain=0.005),
    Stage(limit_weight=1.0, steps=8, min_gain=0.005),
)
_LAST_STAGES_AROUND_BODY = (
    Stage(limit_weight=1.0, steps=15, min_gain=0.0005),
    Stage(limit_weight=2.0, steps=15, min_gain=0.0005),
)

_DAMPING_AROUND_BODY = 0.02  # Marquardt's, of the first steps

BLOCK = 6_000  # moments times jugglers planned together: operations on fewer take nearly as long

# Kinds of jugglers; those planned together are of one kind.
_MIRRORED, _PLAIN, _AROUND_BODY = range(3)

# Channels of a trunk in a mirror: shoulders change sides, and what is to one side changes its sign.
_MIRROR = Mirror(
    np.array([*range(GIRDLE.start), *np.roll(range(GIRDLE.start, GIRDLE.stop), 2)]),
    np.where(_SIGN_CHANGING[:TRUNK_CHANNELS], -1.0, 1.0),
)

_FREQUENCY = 1.5  # Hz, up to which a trunk follows what it should do, as a mass on springs does

# The same of each channel of who stands: knees and hips give faster than shoulders turn, so far
# as no pelvis of the library is accelerated by more than 6 m/s².
_FREQUENCIES = np.full(TRUNK_CHANNELS + LEG_CHANNELS, _FREQUENCY)
_FREQUENCIES[PELVIS] = 2.0, 2.2, 1.5

# The same of who throws around the body: they come down, bend and lift legs faster.
_FREQUENCIES_AROUND_BODY = np.full(TRUNK_CHANNELS + LEG_CHANNELS, _FREQUENCY)
_FREQUENCIES_AROUND_BODY[PELVIS_UP] = 2.5
_FREQUENCIES_AROUND_BODY[[LEAN_LEFT, LEAN_FORWARD, SHOULDER_TURN]] = 2.0
_FREQUENCIES_AROUND_BODY[TRUNK_CHANNELS:] = 2.0

# Shares of the bearing of the hands' mean by which shoulders and hips turn, and how much later the
# hips do. Slow bodies make less of it: people's shoulders turn by ±2 to ±8° in cascades and by ±10°
# and more in Mills mess, hips by about 30 % of that.
_SHOULDERS_TURN = 0.75
_HIPS_TURN = 0.225
_HIPS_LATER = 0.06  # s

_CHEST_HEIGHT = 1.35  # m, from which the bearing of the hands is seen
_FACE_ABOVE_CHEST = 0.15  # m: hands at this height above the chest are in front of the face
_SOFTENING_DISTANCE = 0.2  # m: hands count as at least so far away, so that the bearing never jumps

# Mean place of the hands at which the pelvis is at ease, [m], and the share by which it follows.
_NEUTRAL_HANDS = np.array([0.0, 1.0, 0.3])
_FOLLOW_SHARE = np.array([0.16, 0.13, 0.06])
_WEIGHT_SHARE = 0.22  # by which it goes to a side, and the weight with it, while both feet stand
_SOFT_KNEES = 0.011  # m, by which they lower the pelvis: people who juggle bend them by 13 to 19°

_WRIST_CLEARANCE = 0.04  # m: half the thickness of a wrist, and as much again as the trunk moves


@dataclass(frozen=True)
class TrunkPlan:
    """How J jugglers stand and move their trunks over a loop, from `plan_trunks`.

    Args:
        track: spline of the channels of `pose_trunk`, control values of shape (N, J,
            `TRUNK_CHANNELS`).
        back: how far each body stands behind the juggler's place, shape (J,), [m].
        leg_offsets: spline of what is added to the channels of legs that throws around bodies lift,
            control values of shape (N, J, `LEG_CHANNELS`); None without such throws.
        legs: spline of the resulting channels of `pose_legs`, likewise.
    """

    track: PeriodicSpline
    back: Floats
    leg_offsets: PeriodicSpline | None = None
    legs: PeriodicSpline | None = None

    def is_same(self, first: int, second: int) -> bool:
        """Whether two jugglers, by their indices, have the same trunk at all times."""
        controls = self.track.controls
        return bool(self.back[first] == self.back[second]) and np.array_equal(
            controls[:, first], controls[:, second]
        )


def plan_trunks(
    motion: Motion,
    amount: float,
    steps: Steps | None,
    gaze: PeriodicSpline | None = None,
    start: TrunkPlan | None = None,
    drafted_arms: PeriodicSpline | None = None,
    stretch: Stretch | None = None,
    standing: Standing | None = None,
) -> TrunkPlan:
    """Plan the trunks of all jugglers over a loop, and the legs of those who throw around the body.

    Each block of jugglers of one kind is a problem of least squares: those who throw around the
    body, those whose second half of the loop mirrors the first, and the rest. Of jugglers with the
    same motion only one is planned.

    Args:
        motion: paths of hands.
        amount: amplitude of the motion that follows the hands, 1 is natural.
        steps: where feet are; None if they stay under the bodies.
        gaze: yaw and pitch of heads, as in `plan_gaze`; None to face straight ahead.
        start: an earlier plan. That of jugglers who throw around the body is improved, and the
            others keep theirs. None to begin with trunks at ease.
        drafted_arms: elbows and wrists of a draft of the arms, of which legs keep clear, from
            `elbows_and_wrists`; None if they are not known yet.
        stretch: the part of the loop that is planned; None for all.
        standing: how jugglers stand over the whole loop; None to plan that, too.
    """
    stretch = stretch or whole_loop(motion)
    loop = stretch.duration
    times = stretch.times(SAMPLES)
    walks = _moving_jugglers(motion)
    around = motion.choreography.throws_around_body
    # Indices of the jugglers who are planned, and for each juggler the row of the one with the same
    # plan.
    planned, plan_index = np.unique(first_with_same_trunk(motion, steps), return_inverse=True)
    controls = _initial_controls(start, planned, stretch.knots)
    # How far bodies stand behind the jugglers' places.
    back = standing.back[planned] if standing else np.zeros(len(planned))
    all_hands, all_turns = _sample_hands(motion, times, planned)
    # Half a loop is solved only if all of it is planned and no feet step: steps are not mirrored.
    mirrored = mirrored_halves(all_hands, all_turns) & ~around[planned]
    if steps or stretch.closing:
        mirrored[:] = False
    kinds = np.where(around[planned], _AROUND_BODY, np.where(mirrored, _MIRRORED, _PLAIN))
    block_size = max(1, BLOCK // len(times))
    for rows in _blocks_by_kind(kinds, block_size):
        members = planned[rows]
        hands = all_hands[:, rows]
        turns = all_turns[:, rows]
        stances = stances_at(motion, times, members) if around[members[0]] else None
        # Jugglers stand back to make room for hands before the body, but not those who walk, nor
        # those who throw around the body, whose hands also go behind it.
        if stances is None:
            if standing is None:
                back[rows] = np.where(walks[members], 0.0, _stand_back_distances(hands, turns))
            if start:
                continue  # Arms matter only for throws around the body.
            hands[..., 2] += back[rows, None]
        ankles = _standing_ankles(motion, times, members, back[rows], steps)
        resting_hands = standing.hands[members] if standing else hands.mean(axis=0)
        terms = _trunk_tasks(hands, resting_hands, ankles, amount, loop, stances)
        problem = TrunkProblem(hands, turns, ankles, terms.tasks, terms.limits)
        if stances is None:
            mirror = _MIRROR if mirrored[rows[0]] else Mirror.none(TRUNK_CHANNELS)
            trunk_controls = controls[:, rows, :TRUNK_CHANNELS]
            controls[:, rows, :TRUNK_CHANNELS] = _controls_of_trunks(
                problem, trunk_controls, stretch, mirror
            )
            continue
        # Throws around the body: legs are unknown, too, and limits concern props and arms.
        if start is None:
            # The search begins with the demanded postures, which are far from the usual ones.
            controls[:, rows, :TRUNK_CHANNELS] = terms.ease.at_ease[::SAMPLES]
        arms = hands
        if drafted_arms:
            arms = np.concatenate([hands, drafted_arms.at(times)[:, members]], axis=2)
        looks = gaze.at(times)[:, members] if gaze else None
        keep_clear = KeepClear.from_bodies(motion, times, members, back[rows], arms, looks)
        under = ThrowUnderThighs.in_plan(hands, motion, times, members, stances)
        controls[:, rows] = _controls_around_body(
            _around_body_problem(problem, stances, terms.balance, (keep_clear, under), motion),
            controls[:, rows],
            stretch,
            _LAST_STAGES_AROUND_BODY if start else _FIRST_STAGES_AROUND_BODY,
        )
    # From rows of planned jugglers to all jugglers. Offsets of legs are 0 for those who do not
    # throw around the body.
    controls = controls[:, plan_index]
    track = PeriodicSpline(controls[..., :TRUNK_CHANNELS], loop, stretch.start)
    if not around.any():
        return TrunkPlan(track, back[plan_index])
    leg_offsets = PeriodicSpline(controls[..., TRUNK_CHANNELS:], loop, stretch.start)
    legs = lifted_legs(motion, leg_offsets, stretch.finer(LEG_KNOTS) if stretch.closing else None)
    return TrunkPlan(track, back[plan_index], leg_offsets, legs)


def _initial_controls(start: TrunkPlan | None, planned: Integers, knots: int) -> Floats:
    """Control values to begin with: channels of trunks, then offsets of lifted legs.

    Args:
        start: an earlier plan of all jugglers; None for trunks at ease.
        planned: indices of the P jugglers who are planned, shape (P,).
        knots: number of knots.

    Returns:
        Shape (knots, P, `TRUNK_CHANNELS` + `LEG_CHANNELS`).
    """
    controls = np.zeros((knots, len(planned), TRUNK_CHANNELS + LEG_CHANNELS))
    if start:
        controls[..., :TRUNK_CHANNELS] = start.track.controls[:, planned]
        if start.leg_offsets:
            controls[..., TRUNK_CHANNELS:] = start.leg_offsets.controls[:, planned]
    return controls


def _around_body_problem(
    problem: TrunkProblem,
    stances: Stances,
    balance: Balance,
    limits: tuple[Task, ...],
    motion: Motion,
) -> AroundBodyProblem:
    """Extend a problem of trunks to throws around the body, with legs that are unknown, too.

    Args:
        problem: the problem of the trunks alone.
        stances: how the jugglers stand for their throws.
        balance: its task to keep the balance, which becomes a limit, too.
        limits: those of the gaps to props and arms, and of throws under thighs.
        motion: its props and palms tell how hands turn so that wrists are within reach.
    """
    firm_balance = FirmBalance(balance.hands, balance.centre)
    return AroundBodyProblem(
        problem.hands,
        problem.turns,
        problem.ankles,
        stances,
        problem.tasks,
        limits=(*problem.limits, firm_balance, *limits, LimitBends(stances)),
        max_yield=_MAX_YIELD_WITH_CLUBS if motion.shapes.has_clubs else _MAX_YIELD,
        gives_way=motion.palms.give_way,
    )


def _controls_around_body(
    problem: AroundBodyProblem, start: Floats, stretch: Stretch, stages: Sequence[Stage]
) -> Floats:
    """Solve for trunks and lifted legs of J jugglers who throw around the body.

    Args:
        problem: the least squares, at `SAMPLES` moments in each interval of the stretch.
        start: initial control values, shape (N, J, `TRUNK_CHANNELS` + `LEG_CHANNELS`).
        stretch: the time span of the plan.
        stages: weights of the limits and numbers of steps.

    Returns:
        Control values, of the shape of `start`.
    """
    return least_squares(
        problem,
        start,
        stretch.duration,
        _acceleration_costs(_FREQUENCIES_AROUND_BODY),
        stages,
        damping=_DAMPING_AROUND_BODY,
        counted=stretch.counted(SAMPLES),
    ).controls


def _controls_of_trunks(
    problem: TrunkProblem, start: Floats, stretch: Stretch, mirror: Mirror
) -> Floats:
    """Solve for the trunks of J jugglers who do not throw around the body.

    Of a loop whose second half mirrors the first, only the first half is solved.

    Args:
        problem: the least squares, at `SAMPLES` moments in each interval of the stretch.
        start: initial control values, shape (N, J, `TRUNK_CHANNELS`).
        stretch: the time span of the plan.
        mirror: the mirror image that the second half is; the identity to solve the loop as a whole.

    Returns:
        Control values of the whole stretch, shape (N, J, `TRUNK_CHANNELS`).
    """
    parts = 2 if mirror.is_mirror else 1
    moments = stretch.knots * SAMPLES // parts
    solution = least_squares(
        problem.until(moments),
        start[: stretch.knots // parts],
        stretch.duration / parts,
        _acceleration_costs(_FREQUENCIES)[:TRUNK_CHANNELS],
        _STAGES,
        mirror=mirror,
        counted=stretch.counted(SAMPLES)[:moments],
    )
    return mirror.whole(solution.controls)


def whole_loop(motion: Motion) -> Stretch:
    """The whole loop of a motion, as the time span of a plan of trunks."""
    # A multiple of `BANDS` for each half of the loop, in case these are mirror images.
    group = 2 * BANDS
    most = MAX_KNOTS // (group * motion.choreography.jugglers)
    return Stretch(
        group * max(1, min(round(motion.duration * KNOT_RATE / group), most)), motion.duration
    )


def first_with_same_trunk(motion: Motion, steps: Steps | None) -> Integers:
    """For each juggler the index of the first one with the same plan of the trunk, shape (J,).

    Two jugglers have the same plan if they have the same motion of the hands, both walk or both do
    not, and neither throws around the body. With steps no two jugglers have the same plan.

    Args:
        motion: paths of hands and bodies.
        steps: where feet are; None if they stay under the bodies.
    """
    everybody = np.arange(motion.choreography.jugglers)
    around = motion.choreography.throws_around_body
    traits = [
        motion.first_with_same_hands,
        _moving_jugglers(motion),
        np.where(around, everybody, -1),
    ]
    if steps:
        traits.append(everybody)
    return first_equal_in_all(traits)


def _moving_jugglers(motion: Motion) -> Booleans:
    """Which jugglers move from place to place: those whose path is not constant, shape (J,)."""
    walks = np.zeros(motion.choreography.jugglers, dtype=bool)
    paths = motion.bodies.paths
    # Columns from 1 on are the coefficients of positive powers of the time.
    walks[paths.path_of_piece[paths.coefficients[:, 1:].any(axis=(1, 2))]] = True
    return walks


class Standing(NamedTuple):
    """How J jugglers stand over a whole loop, for plans of a part of it.

    Args:
        back: how far each body stands behind the juggler's place, shape (J,), [m].
        hands: mean places of the hands, seen from the bodies, shape (J, 2, 3), [m].
    """

    back: Floats
    hands: Floats

    @staticmethod
    def over_loop(motion: Motion, steps: Steps | None) -> Standing:
        """Measure how all jugglers stand over a loop.

        Args:
            motion: paths of hands and bodies.
            steps: where feet are; None if they stay under the bodies.
        """
        # Jugglers with the same trunk are taken once. Half as many moments as for a plan are
        # enough.
        planned, index = np.unique(first_with_same_trunk(motion, steps), return_inverse=True)
        hands, turns = _sample_hands(motion, whole_loop(motion).times(SAMPLES // 2), planned)
        stays = _moving_jugglers(motion) | motion.choreography.throws_around_body
        back = np.where(stays[planned], 0.0, _stand_back_distances(hands, turns))
        # Seen from a body that stands farther back, its hands are farther ahead.
        hands[..., 2] += back[:, None]
        return Standing(back[index], hands.mean(axis=0)[index])


def _blocks_by_kind(kinds: Integers, size: int) -> Iterator[Integers]:
    """Divide jugglers into blocks of one kind that are planned together.

    Args:
        kinds: a number for the kind of each juggler, shape (J,).
        size: largest number of jugglers in a block.

    Yields:
        Indices of the jugglers of each block.
    """
    for kind in sorted(set(kinds.tolist())):
        rows = np.flatnonzero(kinds == kind)
        for first in range(0, len(rows), size):
            yield rows[first : first + size]


def _acceleration_costs(frequency: Floats) -> Floats:
    """Weights of squared accelerations of the channels of trunks and legs, shape (C,).

    A channel follows its targets up to its frequency, as a mass on a spring of the natural
    frequency ω does: deviations cost (x / unit)², so accelerations cost (x″ / (unit · ω²))².

    Args:
        frequency: natural frequency of each channel, shape (C,), [Hz].
    """
    return 1.0 / (CHANNEL_UNITS * (2 * np.pi * frequency) ** 2) ** 2


def _sample_hands(motion: Motion, times: Floats, jugglers: Integers) -> tuple[Floats, Floats]:
    """Sample places of hands and turns of palms of some jugglers.

    Args:
        motion: paths of hands and turns of palms.
        times: T times, shape (T,), [s].
        jugglers: indices of the J jugglers, shape (J,).

    Returns:
        Places, in frames with their origins at the jugglers' places, shape (T, J, 2, 3), [m]; and
        the channels of palms, shape (T, J, 2, `CHANNELS`).
    """
    hand = (2 * jugglers[:, None] + np.arange(2)).ravel()
    hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None]))
    turns = motion.palms.at(times, hand)
    shape = (len(times), len(jugglers), 2)
    return hands.reshape(*shape, 3), turns.reshape(*shape, CHANNELS)


def _standing_ankles(
    motion: Motion, times: Floats, jugglers: Integers, back: Floats, steps: Steps | None
) -> Floats:
    """Ankles of standing feet in the frames of the bodies, shape (T, J, 2, 3), [m].

    Args:
        motion: paths of the bodies.
        times: T times, shape (T,), [s].
        jugglers: indices of the J jugglers, shape (J,).
        back: how far each body stands behind the juggler's place, shape (J,), [m].
        steps: where feet are in the world; None if they stay under the bodies.
    """
    if not steps:
        return np.broadcast_to(ANKLES, (len(times), len(jugglers), 2, 3))
    places = motion.bodies.places(times)[:, jugglers, None]
    standing = body_origins(places, back[:, None])
    return steps.seen_from_bodies(times, standing, places[..., FACING], jugglers)[0]


class _TrunkTasks(NamedTuple):
    """Tasks and limits of trunks, the terms of their least squares, from `_trunk_tasks`.

    Args:
        ease: the task to be at ease.
        balance: the task to keep the balance.
        tasks: all tasks, these two among them.
        limits: all limits.
    """

    ease: StayAtEase
    balance: Balance
    tasks: tuple[DifferentiableTask, ...]
    limits: tuple[DifferentiableTask, ...]


def _trunk_tasks(
    hands: Floats,
    resting_hands: Floats,
    ankles: Floats,
    amount: float,
    loop: float,
    stances: Stances | None,
) -> _TrunkTasks:
    """Set up tasks and limits of the trunks of J jugglers at T even moments of a loop.

    Tasks are to stay near a posture, to keep the balance, and to bring hands within reach; limits
    are ranges of the channels, and feet within reach. The posture is the one at ease, or that of a
    throw around the body. The target of the centre of mass is over the feet, or over the foot that
    stands.

    Args:
        hands, ankles: places in the frames of the bodies, shape (T, J, 2, 3), [m].
        resting_hands: mean places of the hands, shape (J, 2, 3), [m].
        amount: amplitude of the motion that follows the hands, 1 is natural.
        loop: duration of the loop, [s].
        stances: how jugglers stand for throws around their bodies; None without such throws.
    """
    at_ease = _trunk_at_ease(hands, amount, loop)
    # The balance takes account of the motion of the hands by the same amount.
    weighing_hands = resting_hands + amount * (hands - resting_hands)
    # The weight is near the middle between both feet, or over one of them. On the floor, columns x
    # and z, a foot's middle is from its ankle toward the toes.
    feet = ankles[..., ::2] + MIDDLE_OF_FOOT * TOES_AHEAD[:, ::2]
    centre = feet.mean(axis=-2)
    units = np.broadcast_to(CHANNEL_UNITS[:TRUNK_CHANNELS], at_ease.shape)
    if stances:
        # `weight` goes from 1, over the left foot, to −1, over the right one: half the vector from
        # right foot to left foot leads from the middle to either. `share` goes from 0, at ease, to
        # 1, in the posture of a throw.
        centre = centre + stances.weight * (feet[..., 0, :] - feet[..., 1, :]) / 2
        at_ease = at_ease + stances.posture_share * (stances.trunk_posture - at_ease)
        units = units + stances.posture_share * (POSTURE_UNITS - units)
    else:
        # On both feet the pelvis goes to a side toward the hands, and the weight goes with it.
        at_ease[..., PELVIS_LEFT] = amount * _WEIGHT_SHARE * hands.mean(axis=2)[..., 0]
        centre = centre + at_ease[..., PELVIS][..., ::2]
    balance = Balance(weighing_hands, centre)
    ease = StayAtEase(at_ease, units)
    return _TrunkTasks(
        ease=ease,
        balance=balance,
        tasks=(ease, balance, ReachAroundBody() if stances else ReachHands()),
        limits=(StayInRange(at_ease), ReachFeet()),
    )


def _trunk_at_ease(hands: Floats, amount: float, loop: float) -> Floats:
    """Channels of trunks at ease, which follow the hands, shape (T, J, `TRUNK_CHANNELS`).

    The pelvis follows the mean of both hands a little, and shoulders and hips turn toward it.

    Args:
        hands: places in the frames of the bodies at even moments, shape (T, J, 2, 3), [m].
        amount: amplitude of the motion, 1 is natural.
        loop: duration of the loop, [s].
    """
    bearing = _bearing_of_hands(hands)
    # Hips turn as the bearing was so many moments before.
    hip_lag = round(_HIPS_LATER / loop * len(hands))
    at_ease = np.zeros((*hands.shape[:2], TRUNK_CHANNELS))
    at_ease[..., PELVIS] = amount * _FOLLOW_SHARE * (hands.mean(axis=2) - _NEUTRAL_HANDS)
    at_ease[..., PELVIS_UP] -= _SOFT_KNEES
    at_ease[..., SHOULDER_TURN] = amount * _SHOULDERS_TURN * bearing
    at_ease[..., HIP_TURN] = amount * _HIPS_TURN * np.roll(bearing, hip_lag, axis=0)
    return at_ease


def _bearing_of_hands(hands: Floats) -> Floats:
    """Angles by which the mean of both hands is to the left, seen from the chest, (T, J), [rad].

    The angle fades out as the higher hand rises from the chest, and is 0 from the height of the
    face, `_FACE_ABOVE_CHEST`, upward: bodies do not turn for hands that high.

    Args:
        hands: places in the frames of the bodies, to the left, up and ahead, shape (T, J, 2, 3),
            [m].
    """
    mean_hand = hands.mean(axis=2)
    left = mean_hand[..., 0]
    above_chest = mean_hand[..., 1] - _CHEST_HEIGHT
    ahead = np.maximum(mean_hand[..., 2], 0.0)  # hands behind the body count as level with it
    # The distance from the chest, seen from the side: upward and ahead. The constant keeps it from
    # 0, near which the bearing would jump from side to side.
    away = np.sqrt(ahead * ahead + above_chest * above_chest + _SOFTENING_DISTANCE**2)
    higher_share = smooth_step((hands[..., 1] - _CHEST_HEIGHT) / _FACE_ABOVE_CHEST).max(axis=-1)
    return (1.0 - higher_share) * np.arctan2(left, away)


def _stand_back_distances(hands: Floats, turns: Floats) -> Floats:
    """How far jugglers stand back to make room for their hands, shape (J,), [m].

    That is the least distance, from 0 to `MAX_BACK`, at which no wrist comes near its shoulder, nor
    a hand or wrist into the trunk, at any moment. Hands that would need more are meant to be behind
    the body, and are ignored.

    Args:
        hands: places of the hands from the jugglers' places, shape (T, J, 2, 3), [m].
        turns: turns of the palms, shape (T, J, 2, `CHANNELS`).
    """
    trunk = pose_trunk(hands, np.zeros((*hands.shape[:2], TRUNK_CHANNELS)))
    to_wrists = from_shoulders_to_wrists(hands, turns, trunk.shoulders)
    nearest = NEAREST_WRIST * ARM_LENGTH
    from_shoulders = _distance_to_leave(to_wrists, nearest)[..., 0]
    # The head does not matter here, so the neck stands in for it.
    volume = CollisionVolume.from_joints(
        trunk.pelvis, trunk.across, trunk.spine, trunk.neck, trunk.neck
    )
    points = volume.to_local(np.concatenate([trunk.shoulders + to_wrists, hands], axis=-2))
    from_trunk = distance_to_clear_trunk(np.moveaxis(points, -1, 0), _WRIST_CLEARANCE)
    # Distances above a limit are ignored. A wrist leaves the sphere around its shoulder at the far
    # side, so one that is less than `MAX_BACK` behind the shoulder needs up to `nearest` more.
    from_shoulders = np.where(from_shoulders < MAX_BACK + nearest, from_shoulders, 0.0)
    from_trunk = np.where(from_trunk < MAX_BACK, from_trunk, 0.0)
    # The largest over all moments, hands and wrists.
    needed = np.maximum(from_shoulders.max(axis=(0, 2)), from_trunk.max(axis=(0, 2)))
    return np.minimum(needed, MAX_BACK)


def _distance_to_leave(to_wrists: Floats, nearest: float) -> Floats:
    """Distance ahead (along z) to the surface of a sphere around each shoulder, (..., 1), [m].

    It is 0 for wrists whose line along z misses the sphere, and for those in front of it.

    Args:
        to_wrists: vectors from shoulders to wrists, shape (..., 3), [m].
        nearest: radius r of the spheres, [m].
    """
    # On the sphere z² = r² − x² − y², below 0 where the line along z misses it.
    sphere_z_square = nearest**2 - (norm(to_wrists) ** 2 - to_wrists[..., 2:] ** 2)
    return np.where(
        sphere_z_square > 0.0,
        np.maximum(np.sqrt(np.maximum(sphere_z_square, 0.0)) - to_wrists[..., 2:], 0.0),
        0.0,
    )
