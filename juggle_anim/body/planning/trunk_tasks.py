"""Tasks and limits of trunks: what each should do at every moment, as residuals of least squares.

Each is a class with `residuals`, whose values are squared and summed, and `slopes`. Those of a
task are 0 where it is met, and 1 at the deviation that its unit says. Those of a limit are 0 within
it, and 1 at an excess that its unit says. Arrays begin with the axes (T, J): moments, jugglers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple, Protocol, Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.balance import centre_over_floor, centre_slopes
from juggle_anim.body.planning.least_squares import Problem, Products, Residuals
from juggle_anim.body.skeleton import FOREARM, SHANK, THIGH, UPPER_ARM
from juggle_anim.body.trunk_and_legs import (
    TRUNK_CHANNELS,
    Legs,
    Trunk,
    TrunkSlopes,
    pose_trunk,
    trunk_slopes,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import dot, norm

ARM_LENGTH = UPPER_ARM + FOREARM
"""From a shoulder to the wrist of a straight arm, [m]."""

NEAREST_WRIST = 0.36
"""Share of the arm's length at which a wrist comes too near to its shoulder: the elbow would turn
fast."""

# Shares of the arm's length: at most to the wrist, as elbows of straighter arms open and close
# fast; the units of wrists too far and too near; and the excess from which residuals of far wrists
# grow with its square root only.
_FARTHEST_WRIST = 0.918
_WRIST_EXCESS = 0.005
_NEAR_WRIST_EXCESS = 0.02
_LARGE_WRIST_EXCESS = 0.05

_FARTHEST_ANKLE = 0.992  # share of the leg's length, at which a knee is bent by 11°
_ANKLE_EXCESS = 0.0003  # share of the leg's length

_LEG_EASE = [0.05] * 6 + [0.15] * 2

EASE = np.array(
    [0.01, 0.012, 0.02, 0.06, 0.03, 0.06, 0.08, 0.08, 0.015, 0.015, 0.015, 0.015, *_LEG_EASE]
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
    """What a trunk should do, or may not."""

    def residuals(self, state: TrunkState) -> Floats:
        """Residuals of each moment and juggler, shape (T, J, R)."""

    def of_jugglers(self, jugglers: Integers) -> Self:
        """That of some jugglers, shape (K,)."""
        return self.part((slice(None), jugglers))

    def part(self, part: slice | tuple[slice, Integers]) -> Self:
        """That of an index; all that a task knows has the leading shape (T, J)."""
        return type(self)(*(values[part] for values in vars(self).values()))


class SlopedTask(Task, Protocol):
    """A task that knows its derivatives."""

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Their derivatives by the channels, shape (T, J, `TRUNK_CHANNELS`, R).

        Args:
            state: as of `residuals`.
            moved: derivatives of its joints.
        """


class TaskOfChannels(SlopedTask, ABC):
    """One of which each channel has a residual of its own."""

    @abstractmethod
    def own_slopes(self, state: TrunkState) -> Floats:
        """Derivatives of residuals by their channels, shape (T, J, `TRUNK_CHANNELS`)."""

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Those on the diagonal."""
        return self.own_slopes(state)[..., None] * np.eye(TRUNK_CHANNELS)


@dataclass(frozen=True)
class BeAtEase(TaskOfChannels):
    """Every channel is what it is at ease.

    Args:
        at_ease: shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
        units: of the channels, likewise.
    """

    at_ease: Floats
    units: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Deviations of channels, in their units."""
        return (state.channels - self.at_ease) / self.units

    def own_slopes(self, state: TrunkState) -> Floats:
        """The same everywhere."""
        return 1.0 / self.units


@dataclass(frozen=True)
class StayInRange(TaskOfChannels):
    """No channel is farther from what it is at ease than a person's can be.

    Args:
        at_ease: shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
    """

    at_ease: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of channels over their ranges."""
        moved = state.channels - self.at_ease
        return (moved - np.minimum(np.maximum(moved, -MOST_BACK), MOST_AHEAD)) / _RANGE_EXCESS

    def own_slopes(self, state: TrunkState) -> Floats:
        """Of the channels that are beyond."""
        return (self.residuals(state) != 0.0) / _RANGE_EXCESS


@dataclass(frozen=True)
class Balance(SlopedTask):
    """The centre of mass is over what the body stands on.

    Args:
        hands: shape (T, J, 2, 3), [m].
        centre: shape (T, J, 2), where it should be over the floor, to the left and ahead, [m].
    """

    hands: Floats
    centre: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """How far the centre of mass is off, in both directions."""
        return (centre_over_floor(state.trunk, self.hands, state.legs) - self.centre) / BALANCE

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Of the centre of mass."""
        return centre_slopes(moved) / BALANCE


@dataclass(frozen=True)
class ReachHands(SlopedTask):
    """Every wrist is within reach of its shoulder, and not too near.

    What is out of all reach bends a body little farther than what is just so.
    """

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of far wrists, then of near ones."""
        distance = norm(state.to_wrists)[..., 0] / ARM_LENGTH
        far = _softened(distance) / _WRIST_EXCESS
        near = np.maximum(NEAREST_WRIST - distance, 0.0) / _NEAR_WRIST_EXCESS
        return np.concatenate([far, near], axis=-1)

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Derivatives of the residuals, as if wrists stayed: they depend little on the trunk."""
        length = norm(state.to_wrists)
        distance = length[..., 0] / ARM_LENGTH
        # Derivatives of the residuals by the distances. That of L (√(1 + 2x / L) − 1) by x is
        # 1 / √(1 + 2x / L), and the root is `softness`.
        softness = 1.0 + _softened(distance) / _LARGE_WRIST_EXCESS
        far = (distance > _FARTHEST_WRIST) / (softness * _WRIST_EXCESS)
        near = (distance < NEAREST_WRIST) / -_NEAR_WRIST_EXCESS
        # Derivatives of the distances by the channels: a shoulder that moves toward its wrist makes
        # the distance smaller.
        distance_gradient = state.to_wrists / (-ARM_LENGTH * length)
        distance_slopes = dot(moved.shoulders, distance_gradient[..., None, :, :])[..., 0]
        return np.concatenate(
            [far[..., None, :] * distance_slopes, near[..., None, :] * distance_slopes], axis=-1
        )


def _softened(distance: Floats) -> Floats:
    """How much too far wrists are, growing with the square root only where that is much.

    Args:
        distance: from shoulders to wrists, as shares of the arm's length.

    Returns:
        Shares of the arm's length: L (√(1 + 2x / L) − 1) of the excess x, L = _LARGE_WRIST_EXCESS.
    """
    too_far = np.maximum(distance - _FARTHEST_WRIST, 0.0) / _LARGE_WRIST_EXCESS
    return np.asarray(_LARGE_WRIST_EXCESS * (np.sqrt(1.0 + 2.0 * too_far) - 1.0))


@dataclass(frozen=True)
class ReachFeet(SlopedTask):
    """Every ankle is within reach of its hip."""

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of far ankles."""
        distance = norm(state.ankles - state.trunk.hips)[..., 0] / (THIGH + SHANK)
        return np.asarray(np.maximum(distance - _FARTHEST_ANKLE, 0.0) / _ANKLE_EXCESS)

    def slopes(self, state: TrunkState, moved: TrunkSlopes) -> Floats:
        """Of the hips that are too far."""
        to_ankles = state.ankles - state.trunk.hips
        length = norm(to_ankles)
        is_too_far = length > _FARTHEST_ANKLE * (THIGH + SHANK)
        # Derivative of the residual by the place of the hip: against the direction to the ankle.
        gradient = is_too_far * to_ankles / (-_ANKLE_EXCESS * (THIGH + SHANK) * length)
        return dot(moved.hips, gradient[..., None, :, :])[..., 0]


@dataclass(frozen=True)
class TrunkProblem(Problem):
    """What trunks are asked to do.

    Args:
        hands: shape (T, J, 2, 3), [m].
        turns: shape (T, J, 2, `CHANNELS`), how the palms are turned.
        ankles: of feet that stand, shape (T, J, 2, 3), [m].
        tasks, limits: what they are asked for.
        last: the trunks posed last, if any.
    """

    hands: Floats
    turns: Floats
    ankles: Floats
    tasks: Sequence[SlopedTask]
    limits: Sequence[SlopedTask]
    last: list[TrunkState] = field(default_factory=list)

    def of_jugglers(self, jugglers: Integers) -> TrunkProblem:
        """That of some jugglers, shape (K,)."""
        return self._part((slice(None), jugglers))

    def until(self, moment: int) -> TrunkProblem:
        """That of the first moments."""
        return self._part(slice(moment))

    def _part(self, part: slice | tuple[slice, Integers]) -> TrunkProblem:
        """That of an index of moments and jugglers."""
        tasks, limits = ([task.part(part) for task in group] for group in (self.tasks, self.limits))
        return TrunkProblem(self.hands[part], self.turns[part], self.ankles[part], tasks, limits)

    def residuals(self, values: Floats) -> Residuals:
        """Of all tasks, one after another, and of all limits."""
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
            # Residuals of the tasks stand one after another: `first` to `last` are those of one.
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
