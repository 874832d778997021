"""Plan of trunks: pelvis, hips, spine and shoulders over a loop, by least squares.

A trunk turns toward the hands and follows them a little, is at ease otherwise, moves as slowly as a
mass on springs does, and brings hands and feet within reach and the centre of mass over the feet.
All of it is one problem, whose unknowns are the control values of a spline.

Tasks and limits of trunks: what each should do at every moment, as residuals of least squares.

Each is a class with `residuals`, whose values are squared and summed, and `slopes`. Those of a
task are 0 where it is met, and 1 at the deviation that its unit says. Those of a limit are 0 within
it, and 1 at an excess that its unit says. Arrays begin with the axes (T, J): moments, jugglers.

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
from juggle_anim.body.clearance import CollisionVolume, body_depth, leg_depth, until_before_trunk
from juggle_anim.body.planning.least_squares import (
    BANDS,
    SAMPLES,
    Mirror,
    Problem,
    Products,
    Residuals,
    Stage,
    Stretch,
    least_squares,
    mirrored_halves,
)
from juggle_anim.body.planning.steps import LEG_KNOT_RATE, Stances, Steps, lifted_legs, stances_at
from juggle_anim.body.skeleton import FOREARM, SHANK, THIGH, UPPER_ARM
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    GIRDLE,
    HIP_ROLL,
    HIP_TURN,
    LEAN,
    LEG_CHANNELS,
    LIFTS,
    MIDDLE_OF_FOOT,
    MOST_LEG_ANGLES,
    PELVIS,
    SHOULDER_TURN,
    TOES_AHEAD,
    TRUNK_CHANNELS,
    Legs,
    Trunk,
    TrunkSlopes,
    centre_over_floor,
    centre_slopes,
    leg_angles,
    lifted_ankles,
    pose_head,
    pose_legs,
    pose_trunk,
    trunk_slopes,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.palms import CHANNELS
from juggle_anim.motion.piecewise import PeriodicSpline, first_equal_in_all
from juggle_anim.motion.prop_shapes import CLUB_CENTRE, CLUB_WIDTH, RING_HOLE, PropShapes
from juggle_anim.vectors import dot, norm, rotate_about_y, smooth_step

ARM_LENGTH = UPPER_ARM + FOREARM
"""From a shoulder to the wrist of a straight arm, [m]."""

NEAREST_WRIST = 0.36
"""Share of the arm's length at which a wrist comes too near to its shoulder: the elbow would turn
fast."""

# Shares of the arm's length: at most to the wrist, as elbows of straighter arms open and close
# fast; the units of wrists too far and too near; and the excess from which residuals of far wrists
# grow with its square root only.
FARTHEST_WRIST = 0.918
WRIST_EXCESS = 0.005
_NEAR_WRIST_EXCESS = 0.02
_LARGE_WRIST_EXCESS = 0.05

# By how much hands around the body turn so that wrists are within reach, [rad]: those that hold
# balls or rings, and those that hold clubs, which are in line with them.
_YIELDING = (0.6, 0.2)

_FARTHEST_ANKLE = 0.992  # share of the leg's length, at which a knee is bent by 11°
_ANKLE_EXCESS = 0.0003  # share of the leg's length

EASE = np.array(
    [
        *(0.01, 0.012, 0.02, 0.06, 0.03, 0.06, 0.08, 0.08, 0.015, 0.015, 0.015, 0.015),
        *(0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.15, 0.15),
    ]
)
"""Unit of each channel of a trunk, then of lifted legs, [m] or [rad]."""

POSTURE_EASE = np.array([0.08, 0.02, 0.08, 0.06, 0.03, 0.04, 0.06, 0.06, 0.02, 0.02, 0.02, 0.02])
"""The same of a trunk in the posture of a throw around the body: the pelvis goes where the balance
asks for, and the spine leans as the throw does.
"""

MOST_AHEAD = np.array([0.22, 0.05, 0.2, 0.6, 0.2, 0.45, 0.55, 0.7, 0.10, 0.05, 0.10, 0.05])
MOST_BACK = np.array([0.22, 0.24, 0.2, 0.6, 0.2, 0.45, 0.14, 0.7, 0.03, 0.03, 0.03, 0.03])
"""How far a channel may be above and below its value at ease, [m] or [rad]. Shoulders move by 10 cm
forward, 5 up by themselves, 3 down and back; I. A. Kapandji, "The Physiology of the Joints", volume
1.
"""

_RANGE_EXCESS = 0.2 * EASE[:TRUNK_CHANNELS]

BALANCE = 0.018
"""Unit by which the centre of mass is off, [m]."""


class TrunkState(NamedTuple):
    """Trunks at T moments of J jugglers.

    Args:
        channels: shape (T, J, `TRUNK_CHANNELS`).
        trunk: their joints.
        to_wrists: from shoulders to wrists, shape (T, J, 2, 3), [m].
        legs: their joints.
        ankles: where feet should be, shape (T, J, 2, 3), [m].
    """

    channels: Floats
    trunk: Trunk
    to_wrists: Floats
    legs: Legs
    ankles: Floats

    @staticmethod
    def standing(channels: Floats, trunk: Trunk, to_wrists: Floats, ankles: Floats) -> TrunkState:
        """Build the state of a trunk over legs that stand.

        Knees are taken as half way between hips and ankles, as how far they bend changes the centre
        of mass little, and toes as at the ankles.

        Args:
            channels, trunk, to_wrists, ankles: as of `TrunkState`.
        """
        legs = Legs(trunk.hips, (trunk.hips + ankles) / 2, ankles, ankles)
        return TrunkState(channels, trunk, to_wrists, legs, ankles)


class Task(Protocol):
    """What a trunk should do, or may not do, at each of T moments of J jugglers."""

    def residuals(self, state: TrunkState) -> Floats:
        """Return R residuals of each moment and juggler, shape (T, J, R)."""

    def of_jugglers(self, jugglers: Integers) -> Self:
        """Return the task of some jugglers, by their indices, shape (K,)."""
        return self.part((slice(None), jugglers))

    def part(self, part: slice | tuple[slice, Integers]) -> Self:
        """Return the task at some moments, or of some jugglers.

        Args:
            part: index into the leading axes (T, J) of all arrays that the task has.
        """
        return type(self)(*(values[part] for values in vars(self).values()))


class SlopedTask(Task, Protocol):
    """A task that knows its derivatives."""

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Return the derivatives of the residuals by the channels.

        Args:
            state: the trunks, as of `residuals`.
            moved: derivatives of their joints by the channels.

        Returns:
            Shape (T, J, `TRUNK_CHANNELS`, R).
        """


class TaskOfChannels(SlopedTask, ABC):
    """A task in which each channel has one residual, which depends on that channel only."""

    @abstractmethod
    def own_slopes(self, state: TrunkState) -> Floats:
        """Derivative of each residual by its own channel, shape (T, J, `TRUNK_CHANNELS`)."""

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Diagonal matrices of the derivatives, since no residual depends on another channel."""
        return self.own_slopes(state)[..., None] * np.eye(TRUNK_CHANNELS)


@dataclass(frozen=True)
class BeAtEase(TaskOfChannels):
    """Every channel has its value at ease.

    Args:
        at_ease: these values, shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
        units: deviation of each channel that counts as 1, likewise.
    """

    at_ease: Floats
    units: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Deviations of channels, in their units."""
        return (state.channels - self.at_ease) / self.units

    def own_slopes(self, state: TrunkState) -> Floats:
        """Derivatives of the deviations: 1 over the units, whatever the channels are."""
        return 1.0 / self.units


@dataclass(frozen=True)
class StayInRange(TaskOfChannels):
    """No channel is farther from its value at ease than a person's can be.

    Args:
        at_ease: these values, shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
    """

    at_ease: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of channels over their ranges, from `MOST_BACK` below to `MOST_AHEAD` above ease.

        Negative below the range, 0 within it; in units of `_RANGE_EXCESS`.
        """
        moved = state.channels - self.at_ease
        return (moved - np.minimum(np.maximum(moved, -MOST_BACK), MOST_AHEAD)) / _RANGE_EXCESS

    def own_slopes(self, state: TrunkState) -> Floats:
        """Derivatives of the excess: 1 over the unit for channels out of range, 0 for others."""
        return (self.residuals(state) != 0.0) / _RANGE_EXCESS


@dataclass(frozen=True)
class Balance(SlopedTask):
    """The centre of mass is over what the body stands on.

    Args:
        hands: shape (T, J, 2, 3), [m]; arms weigh, too.
        centre: shape (T, J, 2), where the centre should be over the floor, to the left and ahead,
            [m].
    """

    hands: Floats
    centre: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """How far the centre of mass is off to the left and ahead, in units of `BALANCE`."""
        return (centre_over_floor(state.trunk, self.hands, state.legs) - self.centre) / BALANCE

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Derivatives of the place of the centre of mass, in the same unit."""
        return centre_slopes(moved) / BALANCE


@dataclass(frozen=True)
class ReachHands(SlopedTask):
    """Every wrist is within reach of its shoulder, and not too near to it.

    Residuals of wrists far out of reach grow with the square root only, so that these bend a body
    little farther than wrists that are just out of reach.
    """

    def residuals(self, state: TrunkState) -> Floats:
        """By how much wrists are too far, in units of `WRIST_EXCESS`, and too near, in others.

        Returns:
            Shape (T, J, 4): the left and the right wrist too far from the shoulder, then both too
            near, in units of `_NEAR_WRIST_EXCESS`; 0 where they are not.
        """
        distance = norm(state.to_wrists)[..., 0] / ARM_LENGTH
        far = _softened(distance) / WRIST_EXCESS
        near = np.maximum(NEAREST_WRIST - distance, 0.0) / _NEAR_WRIST_EXCESS
        return np.concatenate([far, near], axis=-1)

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Derivatives of the residuals by the channels, shape (T, J, `TRUNK_CHANNELS`, 4).

        Only shoulders count as moved: wrists, whose places depend little on the trunk, are taken as
        fixed.

        Args:
            state: the trunks, with the vectors from shoulders to wrists.
            moved: derivatives of their joints by the channels.
        """
        length = norm(state.to_wrists)
        distance = length[..., 0] / ARM_LENGTH
        # Derivatives of the residuals by the distances. That of L (√(1 + 2x / L) − 1) by x is
        # 1 / √(1 + 2x / L), and the root is `softness`.
        softness = 1.0 + _softened(distance) / _LARGE_WRIST_EXCESS
        far = (distance > FARTHEST_WRIST) / (softness * WRIST_EXCESS)
        near = (distance < NEAREST_WRIST) / -_NEAR_WRIST_EXCESS
        # Derivatives of the distances by the channels: those of the shoulders, along the direction
        # from shoulder to wrist, negative as a shoulder that moves toward its wrist makes the
        # distance smaller; as shares of the arm's length.
        distance_gradient = state.to_wrists / (-ARM_LENGTH * length)
        distance_slopes = dot(moved.shoulders, distance_gradient[..., None, :, :])[..., 0]
        return np.concatenate(
            [far[..., None, :] * distance_slopes, near[..., None, :] * distance_slopes], axis=-1
        )


def _to_yielding_wrists(to_hands: Floats, to_wrists: Floats, yielding: Floats) -> Floats:
    """Vectors from shoulders to wrists of hands that turn toward the line of the arm.

    They turn only so far that the wrist is within reach.

    Args:
        to_hands, to_wrists: from shoulders to hands and to wrists as they are turned, shape
            (..., 3), [m].
        yielding: by how much they turn at most, shape (J, 1, 1), [rad].

    Returns:
        Shape (..., 3), in the directions of `to_wrists`, as long as those of the turned hands.
    """
    length = norm(to_wrists)
    far = norm(to_hands)
    size = norm(to_hands - to_wrists)
    # In the triangle of shoulder, hand and wrist, of sides a to the hand, b from wrist to hand, and
    # c to the wrist, the angle β at the hand has cos β = (a² + b² − c²) / 2ab.
    cosine = (far * far + size * size - length * length) / (2.0 * far * size)
    angle = np.maximum(np.arccos(np.clip(cosine, -1.0, 1.0)) - yielding, 0.0)
    nearer = np.sqrt(far * far + size * size - 2.0 * far * size * np.cos(angle))
    within_reach = np.minimum(length, FARTHEST_WRIST * ARM_LENGTH)
    return to_wrists * (np.maximum(nearer, within_reach) / length)


def _softened(distance: Floats) -> Floats:
    """How much too far wrists are, growing with the square root only where that is much.

    Args:
        distance: from shoulders to wrists, as shares of the arm's length.

    Returns:
        Shares of the arm's length: L (√(1 + 2x / L) − 1) of the excess x, L = _LARGE_WRIST_EXCESS.
    """
    too_far = np.maximum(distance - FARTHEST_WRIST, 0.0) / _LARGE_WRIST_EXCESS
    return np.asarray(_LARGE_WRIST_EXCESS * (np.sqrt(1.0 + 2.0 * too_far) - 1.0))


@dataclass(frozen=True)
class ReachFeet(SlopedTask):
    """Every ankle is within reach of its hip."""

    def residuals(self, state: TrunkState) -> Floats:
        """By how much the left and the right ankle are too far from their hips, shape (T, J, 2).

        In units of `_ANKLE_EXCESS` of the leg's length; 0 within reach.
        """
        distance = norm(state.ankles - state.trunk.hips)[..., 0] / (THIGH + SHANK)
        return np.asarray(np.maximum(distance - _FARTHEST_ANKLE, 0.0) / _ANKLE_EXCESS)

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Derivatives of the residuals, as ankles stay: 0 for hips within reach of them."""
        to_ankles = state.ankles - state.trunk.hips
        length = norm(to_ankles)
        is_too_far = length > _FARTHEST_ANKLE * (THIGH + SHANK)
        # Derivative of the residual by the place of the hip: against the direction to the ankle.
        gradient = is_too_far * to_ankles / (-_ANKLE_EXCESS * (THIGH + SHANK) * length)
        return dot(moved.hips, gradient[..., None, :, :])[..., 0]


@dataclass(frozen=True)
class TrunkProblem(Problem):
    """What trunks over feet that stand are asked to do, at T moments of J jugglers.

    Args:
        hands: shape (T, J, 2, 3), [m].
        turns: shape (T, J, 2, `CHANNELS`), how the palms are turned.
        ankles: shape (T, J, 2, 3), [m].
        tasks, limits: what trunks should do, and what they may not do.
        last: the trunks posed last, if any; a cache of one element.
    """

    hands: Floats
    turns: Floats
    ankles: Floats
    tasks: Sequence[SlopedTask]
    limits: Sequence[SlopedTask]
    last: list[TrunkState] = field(default_factory=list)

    def of_jugglers(self, jugglers: Integers) -> TrunkProblem:
        """The problem of some jugglers, by their indices, shape (K,)."""
        return self._part((slice(None), jugglers))

    def until(self, moment: int) -> TrunkProblem:
        """The problem of the moments before one of a given index."""
        return self._part(slice(moment))

    def _part(self, part: slice | tuple[slice, Integers]) -> TrunkProblem:
        """The problem of some moments or jugglers: an index into the axes (T, J)."""
        tasks, limits = ([task.part(part) for task in group] for group in (self.tasks, self.limits))
        return TrunkProblem(self.hands[part], self.turns[part], self.ankles[part], tasks, limits)

    def residuals(self, values: Floats) -> Residuals:
        """Pose trunks with some channels, shape (T, J, `TRUNK_CHANNELS`), and return the residuals.

        Those of all tasks stand one after another along the last axis, and so do those of limits.
        """
        state = self._state(values)
        tasks, limits = (
            np.concatenate([task.residuals(state) for task in group], axis=-1)
            for group in (self.tasks, self.limits)
        )
        return Residuals(tasks, limits)

    def products(
        self, values: Floats, missed: Residuals, firmness: float, hurried: Booleans
    ) -> Products:
        """Return the products of slopes and residuals that Gauss–Newton steps need.

        Args:
            values: channels of the trunks, shape (T, J, `TRUNK_CHANNELS`).
            missed: residuals with these channels.
            firmness: factor of the residuals of limits.
            hurried: not read, as trunks have no limit of accelerations.
        """
        state = self._state(values)
        moved = trunk_slopes(state.trunk, values)
        pull = np.zeros_like(values)
        squares = np.zeros((*values.shape, TRUNK_CHANNELS))
        diagonal = np.einsum("...cc->...c", squares)  # a view
        slopes_of_tasks = []
        residuals_of_tasks = []
        for tasks, residuals, factor in (
            (self.tasks, missed.tasks, 1.0),
            (self.limits, missed.limits, firmness),
        ):
            # Residuals of a task, and so their derivatives, count `factor` times. They stand one
            # after another: those of one task from `first` to `last`, end excluded.
            first = 0
            for task in tasks:
                if isinstance(task, TaskOfChannels):
                    # A residual for each channel alone: products are on the diagonal.
                    last = first + TRUNK_CHANNELS
                    own_slopes = factor * task.own_slopes(state)
                    diagonal += own_slopes * own_slopes
                    pull += own_slopes * factor * residuals[..., first:last]
                else:
                    slopes_of_tasks.append(factor * task.slopes(state, moved))
                    last = first + slopes_of_tasks[-1].shape[-1]
                    residuals_of_tasks.append(factor * residuals[..., first:last])
                first = last
        slopes = np.concatenate(slopes_of_tasks, axis=-1)
        pull += (slopes @ np.concatenate(residuals_of_tasks, axis=-1)[..., None])[..., 0]
        squares += slopes @ slopes.swapaxes(-1, -2)
        return Products(squares, pull)

    def _state(self, values: Floats) -> TrunkState:
        """Pose trunks with some channels, or return those posed last if they had the same.

        Products are mostly asked for with the values of the last residuals.
        """
        if not self.last or not np.array_equal(self.last[0].channels, values):
            trunk = pose_trunk(self.hands, values)
            to_wrists = from_shoulders_to_wrists(self.hands, self.turns, trunk.shoulders)
            self.last[:] = [TrunkState.standing(values, trunk, to_wrists, self.ankles)]
        return self.last[0]


_OFF_CENTRE = 0.005  # m, by which the centre of mass may be off
_BALANCE_EXCESS = 0.002  # m

_GAP = 0.02  # m, between props and bodies as they are drawn, whose volumes are slimmer
_GAP_EXCESS = 0.005  # m
_SHOULDER_RADIUS = 0.065  # m
_HAND_RADIUS = 0.055  # m, of a hand
_FOREARM_RADIUS = 0.035  # m

# How far spines lean from upright, at most, with feet wide apart and otherwise, [rad].
_MOST_LEAN = np.radians([105.0, 60.0])
ANGLE_MARGIN = np.radians(3.0)
ANGLE_EXCESS = np.radians(2.0)

# A club as balls: their distances from the end of the knob, and radii, [m]; and where on a ring its
# balls are, [rad].
_CLUB_BALLS = ((0.02, 0.0175), (0.14, 0.013), (0.25, 0.03), (0.35, CLUB_WIDTH / 2), (0.45, 0.035))
_RIM_ANGLES = np.arange(8) * (2.0 * np.pi / 8)

_STEP = 1e-4  # of values, from which derivatives are taken

# Channels that change sign in a mirror: their derivatives are taken from both sides, so that the
# plan of a mirrored body is the mirrored plan.
_MIRRORED = np.isin(
    np.arange(TRUNK_CHANNELS + LEG_CHANNELS),
    [
        PELVIS.start,
        HIP_TURN,
        HIP_ROLL,
        LEAN.start,
        SHOULDER_TURN,
        TRUNK_CHANNELS + LIFTS.start,
        TRUNK_CHANNELS + LIFTS.start + 3,
    ],
)


@dataclass(frozen=True)
class FirmBalance(Task):
    """The centre of mass is nowhere far from where it should be.

    Args:
        hands, centre: as of `Balance`.
    """

    hands: Floats
    centre: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """How far the centre is beyond `_OFF_CENTRE` to the left and ahead, shape (..., T, J, 2).

        In units of `_BALANCE_EXCESS`; negative for right and behind, 0 within the bound.
        """
        off = centre_over_floor(state.trunk, self.hands, state.legs) - self.centre
        return (off - np.clip(off, -_OFF_CENTRE, _OFF_CENTRE)) / _BALANCE_EXCESS


class PointsNearBodies(NamedTuple):
    """Balls of props.

    Args:
        places: in the frames of J bodies, shape (T, J, K, 3), [m].
        radii: shape (K,), [m].
        prop: shape (K,), of which prop each is.
    """

    places: Floats
    radii: Floats
    prop: Integers

    @staticmethod
    def of_props(
        motion: Motion, times: Floats, jugglers: Integers, back: Floats
    ) -> PointsNearBodies:
        """Balls that fill all props, in the frames of the bodies of some jugglers.

        Args:
            motion: of the props and bodies.
            times: shape (T,), [s].
            jugglers: indices, shape (J,).
            back: how far each of them stands back from its place, shape (J,), [m].
        """
        props, radii, prop = _balls_of_props(motion.shapes, motion.sample(times))
        places = motion.bodies.places(times)[:, jugglers, None]
        from_bodies = rotate_about_y(props[:, None] - places[..., PLACE], -places[..., FACING])
        # Props are farther ahead of a body that stands back.
        return PointsNearBodies(from_bodies + back[:, None, None] * (0.0, 0.0, 1.0), radii, prop)


def _balls_of_props(shapes: PropShapes, frames: Frames) -> tuple[Floats, Floats, Integers]:
    """Return balls that fill the props: one for a ball, several along a club or the rim of a ring.

    Args:
        shapes: of the props.
        frames: the props at T times; without aims if all are balls.

    Returns:
        Centres, in the world, shape (T, N, 3), [m]; radii, shape (N,), [m]; and props, (N,).
    """
    up = np.array([0.0, 1.0, 0.0])
    places = []
    radii: list[float] = []
    prop_of_ball: list[int] = []
    for prop, kind in enumerate(shapes.kind):
        centre = frames.props[:, prop]
        size = float(shapes.size[prop])
        if frames.aims is None or kind == "ball":
            places.append(centre)
            radii.append(size / 2)
        elif kind == "club":
            axis = aim_directions([frames.aims[:, prop]])
            places += [centre + (along - CLUB_CENTRE) * axis for along, _ in _CLUB_BALLS]
            radii += [radius for _, radius in _CLUB_BALLS]
        else:
            # A ring stands upright in the plane of its yaw. The middle of its rim is half way
            # between the outer and the inner radius, and its half width is the radius of balls.
            yaw = frames.aims[:, prop, 0]
            level = np.stack([np.sin(yaw), 0.0 * yaw, np.cos(yaw)], axis=-1)
            rim_radius = size / 4 * (1.0 + RING_HOLE)
            for angle in _RIM_ANGLES:
                places.append(centre + rim_radius * (np.cos(angle) * level + np.sin(angle) * up))
                radii.append(size / 4 * (1.0 - RING_HOLE))
        prop_of_ball += [prop] * (len(radii) - len(prop_of_ball))
    return np.stack(places, axis=1), np.array(radii), np.array(prop_of_ball)


@dataclass(frozen=True)
class KeepClear(Task):
    """Trunk and head stay clear of props, and legs of props and arms.

    Props and arms are seen as spheres. T are moments, J jugglers.

    Args:
        props: centres of the spheres of props, shape (T, J, K, 3), [m].
        radii: theirs, shape (K,), [m].
        arms: places of both hands, then of F points of forearms, shape (T, J, 2 + F, 3), [m].
    """

    props: Floats
    radii: Floats
    arms: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """How much gaps fall short of `_GAP`, in units of `_GAP_EXCESS`.

        Args:
            state: trunks and legs at T moments of J jugglers; leading axes are for alternatives.

        Returns:
            Shape (..., T, J, 2K + 2 + F): of each sphere of a prop to trunk, head and shoulders;
            then of each of them, of each hand and of each point of a forearm to the legs. 0 where
            the gap is wide enough.
        """
        trunk = state.trunk
        shape = trunk.pelvis.shape[:-1]  # (..., T, J)
        head, _ = pose_head(trunk, None)  # as it is held, wherever it looks
        volume = CollisionVolume.from_joints(
            trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head
        )
        local = volume.to_local(self.props).reshape(-1, *self.props.shape[-2:])  # (… T J, K, 3)
        heads = volume.heads(np.arange(len(local)))
        # Depths of the centres in trunk and head, negative outside, shape (..., T, J, K).
        in_body = body_depth(local.transpose(2, 1, 0), heads).T.reshape(*shape, -1)
        from_shoulders = self.props[..., None, :] - trunk.shoulders[..., None, :, :]
        in_shoulders = _SHOULDER_RADIUS - norm(from_shoulders)[..., 0].min(axis=-1)
        in_body = np.maximum(in_body, in_shoulders)
        # Depths of all centres in the legs, shape (..., T, J, K + 2 + F).
        legs = np.stack([state.legs.hips, state.legs.knees, state.legs.ankles], axis=-2)
        points = np.concatenate([self.props, self.arms], axis=-2)
        in_legs = leg_depth(np.broadcast_to(points, (*shape, *points.shape[-2:])), legs)
        forearm_points = self.arms.shape[-2] - 2
        arm_radii = np.array([_HAND_RADIUS] * 2 + [_FOREARM_RADIUS] * forearm_points)
        # Surfaces are deeper than centres by the radii.
        radii = np.concatenate([self.radii, self.radii, arm_radii])
        depths = np.concatenate([in_body, in_legs], axis=-1) + radii
        return np.maximum(depths + _GAP, 0.0) / _GAP_EXCESS

    def of_jugglers(self, jugglers: Integers) -> KeepClear:
        """The same task for some jugglers, by their indices, shape (K,)."""
        return KeepClear(self.props[:, jugglers], self.radii, self.arms[:, jugglers])


@dataclass(frozen=True)
class LimitBends(Task):
    """Hips, knees and trunk bend no farther than people's.

    Args:
        stances: those with feet wide apart bend trunks farther.
    """

    stances: Stances

    def residuals(self, state: TrunkState) -> Floats:
        """How far angles are beyond their limits less a margin, in units of `ANGLE_EXCESS`.

        Args:
            state: trunks and legs at T moments of J jugglers; leading axes are for alternatives.

        Returns:
            Shape (..., T, J, 9): of four angles of the left leg, four of the right leg, and the
            lean of the spine from upright; 0 within the limits.
        """
        # Feet stand wide apart all the time if the left one, whose x is the first of `LIFTS`, is
        # farther out than at ease at every moment. Then the spine may lean farther: `_MOST_LEAN`
        # has the limit with wide feet, then the usual one.
        is_wide = self.stances.legs[..., LIFTS.start].min(axis=0) > 0.0
        # The height of the spine's unit vector is the cosine of its angle from upright.
        lean = np.arccos(np.clip(state.trunk.spine[..., 1], -1.0, 1.0))
        leg_excess = np.abs(leg_angles(state.legs)) - MOST_LEG_ANGLES
        beyond = np.concatenate(
            [
                leg_excess.reshape(*leg_excess.shape[:-2], -1),
                (lean - np.where(is_wide, *_MOST_LEAN))[..., None],
            ],
            axis=-1,
        )
        return np.maximum(beyond + ANGLE_MARGIN, 0.0) / ANGLE_EXCESS

    def of_jugglers(self, jugglers: Integers) -> LimitBends:
        """The same task for some jugglers, by their indices, shape (K,)."""
        return LimitBends(self.stances.of_jugglers(jugglers))


@dataclass(frozen=True)
class AroundBodyProblem(Problem):
    """What trunks and legs are asked to do; derivatives are differences.

    Args:
        hands, turns, ankles, tasks, limits: as of `TrunkProblem`.
        stances: which feet are lifted.
        yielding: by how much hands turn at most so that wrists are within reach, [rad].
    """

    hands: Floats
    turns: Floats
    ankles: Floats
    stances: Stances
    tasks: Sequence[Task]
    limits: Sequence[Task]
    yielding: float

    def of_jugglers(self, jugglers: Integers) -> AroundBodyProblem:
        """The problem of some jugglers, by their indices, shape (K,)."""
        return AroundBodyProblem(
            hands=self.hands[:, jugglers],
            turns=self.turns[:, jugglers],
            ankles=self.ankles[:, jugglers],
            stances=self.stances.of_jugglers(jugglers),
            tasks=[task.of_jugglers(jugglers) for task in self.tasks],
            limits=[limit.of_jugglers(jugglers) for limit in self.limits],
            yielding=self.yielding,
        )

    def residuals(self, values: Floats) -> Residuals:
        """Pose trunks and legs, and return the residuals of all tasks and of all limits.

        The offsets of lifted legs are tasks, too: each should be 0, in its unit.

        Args:
            values: channels of trunks, then how far lifted legs are moved, shape (..., T, J, C);
                leading axes are for alternatives, as `products` needs them.
        """
        trunk = pose_trunk(self.hands, values[..., :TRUNK_CHANNELS])
        # Wrists depend little on the trunk, so those of the first alternative serve all.
        shoulders = trunk.shoulders.reshape(-1, *self.hands.shape)[0]
        wrists = shoulders + from_shoulders_to_wrists(self.hands, self.turns, shoulders)
        to_wrists = _to_yielding_wrists(
            self.hands - trunk.shoulders,
            wrists - trunk.shoulders,
            # Under and between legs, which are not where they usually are, hands have no room.
            self.yielding * ~self.stances.legs.any(axis=(0, 2))[:, None, None],
        )
        lifts = self.stances.moved_legs(values[..., TRUNK_CHANNELS:])
        ankles = lifted_ankles(self.ankles, lifts)
        legs = pose_legs(trunk.hips, ankles, channels=lifts)
        state = TrunkState(values[..., :TRUNK_CHANNELS], trunk, to_wrists, legs, ankles)
        tasks = [task.residuals(state) for task in self.tasks]
        eased_legs = values[..., TRUNK_CHANNELS:] / EASE[TRUNK_CHANNELS:]
        limits = [limit.residuals(state) for limit in self.limits]
        return Residuals(
            np.concatenate([*tasks, eased_legs], axis=-1), np.concatenate(limits, axis=-1)
        )

    def products(
        self, values: Floats, missed: Residuals, firmness: float, hurried: Booleans
    ) -> Products:
        """Return the products of derivatives and residuals that Gauss–Newton steps need.

        Derivatives are differences over a small step of each channel: forward ones, or, of channels
        that change sign in a mirror, central ones.

        Args:
            values: shape (T, J, C), as of `residuals`.
            missed: not read, as the residuals are computed again with those of the steps.
            firmness: factor of the residuals of limits.
            hurried: not read, as trunks have no limit of accelerations.
        """
        # Alternatives along a new first axis: no step, a step up in each channel, and a step down
        # in mirrored ones.
        channels = values.shape[-1]
        unit_steps = np.eye(channels)
        steps = np.concatenate([np.zeros((1, channels)), unit_steps, -unit_steps[_MIRRORED]])
        widths = np.where(_MIRRORED, 2.0 * _STEP, _STEP)
        tasks, limits, _ = self.residuals(values + (_STEP * steps)[:, None, None])
        residuals = np.concatenate([tasks, firmness * limits], axis=-1)
        # Index 0 is without a step, 1 to C a step up in channel 0 to C − 1, then steps down.
        lower = np.repeat(residuals[:1], channels, axis=0)
        lower[_MIRRORED] = residuals[1 + channels :]
        slopes = (residuals[1 : 1 + channels] - lower) / widths[:, None, None, None]
        slopes = slopes.transpose(1, 2, 0, 3)  # (C, T, J, R) to (T, J, C, R)
        pull = (slopes @ residuals[0][..., None])[..., 0]
        return Products(slopes @ slopes.swapaxes(-1, -2), pull)


MAX_BACK = 0.2
"""The farthest that a juggler stands back from its place to make room for the arms, [m]."""

KNOT_RATE = 10.0
"""Knots of the plan a second; the arms alone make faster movements."""

LEG_KNOTS = round(LEG_KNOT_RATE / KNOT_RATE)
"""Knots of lifted legs for one of the trunk, where a stretch of a loop is planned."""

MAX_KNOTS = 20_000
"""Limit of knots times jugglers; beyond it knots lie farther apart."""

# Legs that are nearly straight are a limit so firm that it takes effect by and by: a body that
# stands at ease would else be caught beside it.
_STAGES = (
    Stage(firmness=0.01, steps=3, least_gain=0.05),
    Stage(firmness=0.1, steps=3, least_gain=0.05),
    Stage(firmness=1.0, steps=20, least_gain=0.005),
)

# Around the body some gaps cannot be kept, whose cost hides what else is gained.
_STAGES_AROUND_BODY = (
    Stage(firmness=0.1, steps=8, least_gain=0.005),
    Stage(firmness=1.0, steps=20, least_gain=0.001),
)

_DAMPING_AROUND_BODY = 0.02  # Marquardt's, of the first steps

BLOCK = 6_000  # moments times jugglers planned together: operations on fewer take nearly as long

# Channels of a trunk in a mirror: shoulders change sides, and what is to one side changes its sign.
_ODD = [PELVIS.start, HIP_TURN, HIP_ROLL, LEAN.start, SHOULDER_TURN]
_MIRROR = Mirror(
    np.array([*range(GIRDLE.start), *np.roll(range(GIRDLE.start, GIRDLE.stop), 2)]),
    np.where(np.isin(np.arange(TRUNK_CHANNELS), _ODD), -1.0, 1.0),
)

_FREQUENCY = 1.5  # Hz, up to which a trunk follows what it should do, as a mass on springs does

# The same of each channel of who stands: knees and hips give faster than shoulders turn, so far
# as no pelvis of the library is accelerated by more than 6 m/s².
_FREQUENCIES = np.full(TRUNK_CHANNELS + LEG_CHANNELS, _FREQUENCY)
_FREQUENCIES[PELVIS] = 2.0, 2.2, 1.5

# The same of who throws around the body: they come down, bend and lift legs faster.
_FREQUENCIES_AROUND_BODY = np.full(TRUNK_CHANNELS + LEG_CHANNELS, _FREQUENCY)
_FREQUENCIES_AROUND_BODY[PELVIS.start + 1] = 2.5
_FREQUENCIES_AROUND_BODY[[LEAN.start, LEAN.start + 1, SHOULDER_TURN]] = 2.0
_FREQUENCIES_AROUND_BODY[TRUNK_CHANNELS:] = 2.0

# Shares of the bearing of the hands' mean by which shoulders and hips turn, and how much later the
# hips do. Slow bodies make less of it: people's shoulders turn by ±2 to ±8° in cascades and by ±10°
# and more in Mills mess, hips by about 30 % of that.
_SHOULDERS_TURN = 0.75
_HIPS_TURN = 0.225
_HIPS_LATER = 0.06  # s

_CHEST_HEIGHT = 1.35  # m, from which the bearing is seen
_RAISED = 0.15  # m above it, of a hand that is before the face
_NEAREST_BEARING = 0.2  # m: nearer hands count as farther, so that the bearing never jumps

# Mean place of the hands at which the pelvis is at ease, [m], and the share by which it follows.
_NEUTRAL_HANDS = np.array([0.0, 1.0, 0.3])
_FOLLOW_SHARE = np.array([0.16, 0.13, 0.06])
_WEIGHT_SHARE = 0.22  # by which it goes to a side, and the weight with it, while both feet stand
_SOFT_KNEES = 0.011  # m, by which they lower the pelvis: people who juggle bend them by 13 to 19°

_WRIST = 0.04  # m: half the thickness of a wrist, and as much for what the trunk moves


@dataclass(frozen=True)
class TrunkPlan:
    """How J jugglers stand and move their trunks over a loop; `plan_trunks` makes it.

    Args:
        track: channels of the trunks, those of `pose_trunk`; control values of shape (T, J,
            `TRUNK_CHANNELS`).
        back: shape (J,), how far each juggler stands back from its place, [m].
        moved: how far lifted legs are from where throws around bodies lift them, control values of
            shape (T, J, `LEG_CHANNELS`); None without such throws.
        legs: how legs are lifted in the end, those of `pose_legs`, likewise.
    """

    track: PeriodicSpline
    back: Floats
    moved: PeriodicSpline | None = None
    legs: PeriodicSpline | None = None

    def is_same(self, first: int, second: int) -> bool:
        """Whether two jugglers stand and move alike."""
        controls = self.track.controls
        return bool(self.back[first] == self.back[second]) and np.array_equal(
            controls[:, first], controls[:, second]
        )


def plan_trunks(
    motion: Motion,
    amount: float,
    steps: Steps | None,
    start: TrunkPlan | None = None,
    forearms: PeriodicSpline | None = None,
    stretch: Stretch | None = None,
    standing: Standing | None = None,
) -> TrunkPlan:
    """Plan the trunks of all jugglers over a loop, and the legs of who throws around the body.

    Jugglers who do the same are planned once. Those who are left are planned in blocks, each of one
    kind: some throw around the body, others do not; and of these some have a loop whose second half
    mirrors the first.

    Args:
        motion: paths of hands.
        amount: of the motion that follows the hands, 1 is natural.
        steps: where feet are; None if they stay under the bodies.
        start: an earlier plan, from which that of jugglers who throw around the body goes on, and
            which the others keep; None to begin with trunks at ease.
        forearms: points of both forearms that legs keep clear of, control values of shape (T, J, 2,
            K, 3), [m]; None if they are not known yet.
        stretch: of the loop, which alone is planned; None for all.
        standing: how jugglers stand over the whole loop; None where that is planned.
    """
    stretch = stretch or whole_loop(motion)
    loop = stretch.duration
    knots = stretch.knots
    times = stretch.times(SAMPLES)
    walks = _walks(motion)
    around = motion.choreography.throws_around_body
    # The jugglers who are planned, and for each juggler the index of the plan that serves it.
    planned, plan_index = np.unique(trunks_alike(motion, steps), return_inverse=True)
    controls = np.zeros((knots, len(planned), TRUNK_CHANNELS + LEG_CHANNELS))
    if start:
        controls[..., :TRUNK_CHANNELS] = start.track.controls[:, planned]
        if start.moved:
            controls[..., TRUNK_CHANNELS:] = start.moved.controls[:, planned]
    back = standing.back[planned] if standing else np.zeros(len(planned))
    all_hands, all_turns = _hands(motion, times, planned)
    mirrored = mirrored_halves(all_hands, all_turns) & ~around[planned] & (steps is None)
    mirrored &= not stretch.closing
    # Blocks of one of three kinds: around the body (1), mirrored halves (−1) and neither (0).
    block_size = max(1, BLOCK // len(times))
    for rows in _blocks(around[planned] - 1.0 * mirrored, block_size):
        members = planned[rows]
        hands = all_hands[:, rows]
        turns = all_turns[:, rows]
        stances = stances_at(motion, times, members) if around[members[0]] else None
        # Those who stand back make room for hands before the body. A juggler who walks stays where
        # the pattern says; one whose hands belong behind the body, too, needs no such room.
        if stances is None:
            if standing is None:
                back[rows] = np.where(walks[members], 0.0, _step_back(hands, turns))
            if start:
                continue  # What `forearms` adds changes nothing without throws around the body.
            hands[..., 2] += back[rows, None]
        ankles = _ankles(motion, times, members, back[rows], steps)
        resting_hands = standing.hands[members] if standing else hands.mean(axis=0)
        ease, balance, tasks, limits = _tasks(hands, resting_hands, ankles, amount, loop, stances)
        problem = TrunkProblem(hands, turns, ankles, tasks, limits)
        if stances is None:
            mirror = _MIRROR if mirrored[rows[0]] else Mirror.none(TRUNK_CHANNELS)
            trunk_controls = controls[:, rows, :TRUNK_CHANNELS]
            controls[:, rows, :TRUNK_CHANNELS] = _controls_of_trunks(
                problem, trunk_controls, stretch, mirror
            )
            continue
        # Throws around the body: legs are unknown, too, and limits concern props and arms.
        if start is None:
            # Postures are far from where bodies are at ease otherwise.
            controls[:, rows, :TRUNK_CHANNELS] = ease.at_ease[::SAMPLES]
        props = PointsNearBodies.of_props(motion, times, members, back[rows])
        arms = hands
        if forearms:
            points = forearms.at(times)[:, members]
            arms = np.concatenate([hands, points.reshape(*hands.shape[:2], -1, 3)], axis=2)
        firm_limits = (
            FirmBalance(balance.hands, balance.centre),
            KeepClear(props.places, props.radii, arms),
            LimitBends(stances),
        )
        controls[:, rows] = least_squares(
            AroundBodyProblem(
                hands,
                turns,
                ankles,
                stances,
                tasks,
                limits=(*limits, *firm_limits),
                yielding=_YIELDING[motion.shapes.has_clubs],
            ),
            controls[:, rows],
            loop,
            _acceleration_costs(_FREQUENCIES_AROUND_BODY),
            _STAGES_AROUND_BODY,
            damping=_DAMPING_AROUND_BODY,
            asked=stretch.asked(SAMPLES),
        ).controls
    # Each juggler gets the plan that serves it. Legs are planned only if somebody throws around the
    # body; all others keep theirs at 0.
    controls = controls[:, plan_index]
    track = PeriodicSpline(controls[..., :TRUNK_CHANNELS], loop, stretch.start)
    if not around.any():
        return TrunkPlan(track, back[plan_index])
    moved = PeriodicSpline(controls[..., TRUNK_CHANNELS:], loop, stretch.start)
    legs = lifted_legs(motion, moved, stretch.finer(LEG_KNOTS) if stretch.closing else None)
    return TrunkPlan(track, back[plan_index], moved, legs)


def _controls_of_trunks(
    problem: TrunkProblem, start: Floats, stretch: Stretch, mirror: Mirror
) -> Floats:
    """Solve for the trunks of jugglers who do not throw around the body.

    Of a loop whose second half mirrors the first, only the first half is solved.

    Args:
        problem: of J jugglers, at `SAMPLES` moments in each interval of the stretch.
        start: control values from which the search begins, shape (N, J, `TRUNK_CHANNELS`).
        stretch: of the loop that is planned.
        mirror: how the second half follows from the first; none for a loop that is solved whole.

    Returns:
        Control values of the whole stretch, shape (N, J, `TRUNK_CHANNELS`).
    """
    parts = 2 if mirror.mirrors else 1
    moments = stretch.knots * SAMPLES // parts
    solution = least_squares(
        problem.until(moments),
        start[: stretch.knots // parts],
        stretch.duration / parts,
        _acceleration_costs(_FREQUENCIES)[:TRUNK_CHANNELS],
        _STAGES,
        mirror=mirror,
        asked=stretch.asked(SAMPLES)[:moments],
    )
    return mirror.whole(solution.controls)


def whole_loop(motion: Motion) -> Stretch:
    """The loop of a motion, with the knots of trunks."""
    # Even, so that of a loop whose halves are mirror images both get plans that are.
    group = 2 * BANDS
    most = MAX_KNOTS // (group * motion.choreography.jugglers)
    return Stretch(
        group * max(1, min(round(motion.duration * KNOT_RATE / group), most)), motion.duration
    )


def trunks_alike(motion: Motion, steps: Steps | None) -> Integers:
    """For each juggler the first one with the same plan of the trunk, shape (J,).

    Jugglers who do the same are planned once: same hands, both walking or both not, and nothing
    around the body. Those with steps of their own are all different.

    Args:
        motion, steps: as of `plan_trunks`.
    """
    everybody = np.arange(motion.choreography.jugglers)
    around = motion.choreography.throws_around_body
    traits = [motion.first_with_same_hands, _walks(motion), np.where(around, everybody, -1)]
    if steps:
        traits.append(everybody)
    return first_equal_in_all(traits)


def _walks(motion: Motion) -> Booleans:
    """Who moves from place to place, shape (J,): whose path has a piece that is not constant."""
    walks = np.zeros(motion.choreography.jugglers, dtype=bool)
    paths = motion.bodies.paths
    # Any coefficient of a power of the time above 0.
    walks[paths.path[paths.coefficients[:, 1:].any(axis=(1, 2))]] = True
    return walks


class Standing(NamedTuple):
    """How J jugglers stand all the time, of whom a stretch of a loop does not tell.

    Args:
        back: as of `TrunkPlan`, shape (J,), [m].
        hands: their mean places, seen from the bodies, shape (J, 2, 3), [m].
    """

    back: Floats
    hands: Floats

    @staticmethod
    def over_loop(motion: Motion, steps: Steps | None) -> Standing:
        """Return how all jugglers stand over a loop.

        Args:
            motion, steps: as of `plan_trunks`.
        """
        # Jugglers who do the same are taken once. Half as many moments as for a plan are enough.
        planned, index = np.unique(trunks_alike(motion, steps), return_inverse=True)
        hands, turns = _hands(motion, whole_loop(motion).times(SAMPLES // 2), planned)
        stays = _walks(motion) | motion.choreography.throws_around_body
        back = np.where(stays[planned], 0.0, _step_back(hands, turns))
        # From a body that stands farther back its hands are farther ahead.
        hands[..., 2] += back[:, None]
        return Standing(back[index], hands.mean(axis=0)[index])


def _blocks(kinds: Floats, size: int) -> Iterator[Integers]:
    """Divide jugglers into blocks that are planned together.

    Args:
        kinds: shape (J,); all jugglers of a block are of the same kind.
        size: largest number of jugglers in a block.

    Yields:
        Indices of the jugglers of each block.
    """
    for kind in sorted(set(kinds.tolist())):
        rows = np.flatnonzero(kinds == kind)
        for first in range(0, len(rows), size):
            yield rows[first : first + size]


def _acceleration_costs(frequency: Floats) -> Floats:
    """Costs of the accelerations of channels of trunks and legs, one for each channel.

    A channel follows what it should do up to its frequency, as a mass on a spring of that natural
    frequency does: deviations cost (x / ease)², so accelerations cost (x″ / (ease · ω²))².

    Args:
        frequency: of each channel, [Hz].
    """
    return 1.0 / (EASE * (2 * np.pi * frequency) ** 2) ** 2


def _hands(motion: Motion, times: Floats, jugglers: Integers) -> tuple[Floats, Floats]:
    """Sample places of hands and turns of palms of some jugglers.

    Args:
        motion: of the hands.
        times: shape (T,), [s].
        jugglers: their indices, shape (J,).

    Returns:
        Places, seen from the jugglers' places, shape (T, J, 2, 3), [m]; and the channels of palms,
        shape (T, J, 2, `CHANNELS`).
    """
    hand = (2 * jugglers[:, None] + np.arange(2)).ravel()
    hands = motion.hands.evaluate(*motion.hands.locate(hand, times[:, None]))
    turns = motion.palms.at(times, hand)
    shape = (len(times), len(jugglers), 2)
    return hands.reshape(*shape, 3), turns.reshape(*shape, CHANNELS)


def _ankles(
    motion: Motion, times: Floats, jugglers: Integers, back: Floats, steps: Steps | None
) -> Floats:
    """Where ankles of feet that stand are, seen from the bodies, shape (T, J, 2, 3), [m].

    Args:
        motion: paths of the bodies.
        times: shape (T,), [s].
        jugglers: their indices, shape (J,).
        back: how far each of them stands back from its place, shape (J,), [m].
        steps: where feet are in the world; None if they stay under the bodies.
    """
    if not steps:
        return np.broadcast_to(ANKLES, (len(times), len(jugglers), 2, 3))
    places = motion.bodies.places(times)[:, jugglers, None]
    facing = places[..., FACING]
    # A body stands `back` behind its place, against the direction in which it faces.
    behind = 0.0 * places[..., PLACE] + back[:, None, None] * (0.0, 0.0, 1.0)
    standing = places[..., PLACE] - rotate_about_y(behind, facing)
    return steps.seen_from_bodies(times, standing, facing, jugglers)[0]


class _TrunkTasks(NamedTuple):
    """What trunks should do, as `_tasks` returns it.

    Args:
        ease: the task to be at ease.
        balance: the task to keep the balance.
        tasks: all tasks, these two among them.
        limits: all limits.
    """

    ease: BeAtEase
    balance: Balance
    tasks: tuple[SlopedTask, ...]
    limits: tuple[SlopedTask, ...]


def _tasks(
    hands: Floats,
    resting_hands: Floats,
    ankles: Floats,
    amount: float,
    loop: float,
    stances: Stances | None,
) -> _TrunkTasks:
    """Return what the trunks of J jugglers should do at T even moments of a loop.

    At ease the pelvis follows the mean of the hands a little, and shoulders and hips turn toward
    it; a throw around the body has a posture of its own, which is blended in. The centre of mass
    should be over the feet, or over the foot that stands.

    Args:
        hands, ankles: shape (T, J, 2, 3), as from `_hands` and `_ankles`, [m].
        resting_hands: where hands are in the mean, shape (J, 2, 3), [m].
        amount: of the motion that follows the hands, 1 is natural.
        loop: its duration, [s].
        stances: how jugglers stand for throws around their bodies; None without such throws.
    """
    mean_hand = hands.mean(axis=2)
    # The bearing: the angle between the direction from the chest to the mean of the hands and the
    # plane between left and right. A body with a hand before its face or higher does not turn.
    ahead = np.maximum(mean_hand[..., 2], 0.0)
    above_chest = mean_hand[..., 1] - _CHEST_HEIGHT
    away = np.sqrt(ahead * ahead + above_chest * above_chest + _NEAREST_BEARING**2)
    raised = smooth_step((hands[..., 1] - _CHEST_HEIGHT) / _RAISED).max(axis=-1)
    bearing = (1.0 - raised) * np.arctan2(mean_hand[..., 0], away)
    hip_lag = round(_HIPS_LATER / loop * len(hands))  # in moments
    # Channels at ease: the pelvis to the left, up and ahead, [m], then turns, [rad]. Hips turn as
    # the bearing was `hip_lag` moments before.
    at_ease = np.zeros((*hands.shape[:2], TRUNK_CHANNELS))
    at_ease[..., PELVIS] = amount * _FOLLOW_SHARE * (mean_hand - _NEUTRAL_HANDS)
    at_ease[..., PELVIS.start + 1] -= _SOFT_KNEES
    at_ease[..., SHOULDER_TURN] = amount * _SHOULDERS_TURN * bearing
    at_ease[..., HIP_TURN] = amount * _HIPS_TURN * np.roll(bearing, hip_lag, axis=0)
    # Of hands that do not move the body (amount 0) the balance knows only where they are in the
    # mean; otherwise where they are at each moment.
    weighing_hands = resting_hands + amount * (hands - resting_hands)
    # The weight is near the middle between both feet, or over one of them. On the floor, columns x
    # and z, a foot's middle is from its ankle toward the toes.
    feet = ankles[..., ::2] + MIDDLE_OF_FOOT * TOES_AHEAD[:, ::2]
    centre = feet.mean(axis=-2)
    units = np.broadcast_to(EASE[:TRUNK_CHANNELS], at_ease.shape)
    if stances:
        # `weight` goes from 1, over the left foot, to −1, over the right one: half the vector from
        # right foot to left foot leads from the middle to either. `share` goes from 0, at ease, to
        # 1, in the posture of a throw.
        centre = centre + stances.weight * (feet[..., 0, :] - feet[..., 1, :]) / 2
        at_ease = at_ease + stances.share * (stances.bent - at_ease)
        units = units + stances.share * (POSTURE_EASE - units)
    else:
        # On both feet the weight goes to a side and forward with the pelvis, toward the hands.
        at_ease[..., PELVIS.start] = amount * _WEIGHT_SHARE * mean_hand[..., 0]
        centre = centre + at_ease[..., PELVIS][..., ::2]
    balance = Balance(weighing_hands, centre)
    ease = BeAtEase(at_ease, units)
    return _TrunkTasks(
        ease=ease,
        balance=balance,
        tasks=(ease, balance, ReachHands()),
        limits=(StayInRange(at_ease), ReachFeet()),
    )


def _step_back(hands: Floats, turns: Floats) -> Floats:
    """Return how far jugglers stand back so that their hands have room before them.

    They do so until no wrist comes near its shoulder, nor a hand or wrist into the trunk, at any
    moment; hands that are so far behind that they belong there do not count.

    Args:
        hands: shape (T, J, 2, 3), as from `_hands`, [m].
        turns: of the palms, shape (T, J, 2, `CHANNELS`).

    Returns:
        Shape (J,), from 0 to `MAX_BACK`, [m].
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
    from_trunk = until_before_trunk(np.moveaxis(points, -1, 0), _WRIST)
    # Hands that would need more belong behind the shoulders or the body. A wrist leaves the sphere
    # around its shoulder at the far side, so one that is less than `MAX_BACK` behind the shoulder
    # needs up to `nearest` more.
    needed = [
        np.where(distance < limit, distance, 0.0)
        for distance, limit in ((from_shoulders, MAX_BACK + nearest), (from_trunk, MAX_BACK))
    ]
    return np.minimum(np.maximum(*(distance.max(axis=(0, 2)) for distance in needed)), MAX_BACK)


def _distance_to_leave(to_wrists: Floats, nearest: float) -> Floats:
    """How far ahead (along z) wrists must move to come out of spheres around their shoulders.

    Args:
        to_wrists: from shoulders to wrists, shape (..., 3), [m].
        nearest: radius of the spheres, [m].

    Returns:
        Shape (..., 1), [m]; 0 for wrists beside the sphere, or in front of it.
    """
    # On the sphere z² is r² − x² − y²; it is below 0 where the line along z passes beside it.
    sphere_z_square = nearest**2 - (norm(to_wrists) ** 2 - to_wrists[..., 2:] ** 2)
    return np.where(
        sphere_z_square > 0.0,
        np.maximum(np.sqrt(np.maximum(sphere_z_square, 0.0)) - to_wrists[..., 2:], 0.0),
        0.0,
    )
