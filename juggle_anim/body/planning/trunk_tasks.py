"""Tasks and limits of trunks: what each should do at every moment, as residuals of least squares.

Each is a class with one method, `residuals`, whose values are squared and summed. Those of a task
are 0 where it is met, and 1 at the deviation that its unit says. Those of a limit are 0 within it,
and 1 at an excess that its unit says. Arrays begin with the axes (K, T, J): alternatives of the
channels, moments, jugglers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.balance import centre_over_floor
from juggle_anim.body.skeleton import FOREARM, SHANK, THIGH, UPPER_ARM
from juggle_anim.body.trunk_and_legs import Legs, Trunk
from juggle_anim.vectors import norm

ARM_LENGTH = UPPER_ARM + FOREARM
"""From a shoulder to the wrist of a straight arm, [m]."""

NEAREST_WRIST = 0.36
"""Share of the arm's length at which a wrist comes too near to its shoulder: the elbow would turn
fast."""

_FARTHEST_WRIST = 0.918  # share of the arm's length; elbows of longer arms open and close fast
_WRIST_EXCESS = 0.005  # share of the arm's length, too far
_LARGE_WRIST_EXCESS = 0.05  # share of the arm's length, from which residuals grow with the root
_NEAR_WRIST_EXCESS = 0.02  # share of the arm's length, too near

_FARTHEST_ANKLE = 0.995  # share of the leg's length, at which a knee is bent by 11°
_ANKLE_EXCESS = 0.0003  # share of the leg's length

EASE = np.array([0.01, 0.012, 0.02, 0.06, 0.03, 0.06, 0.08, 0.08, 0.015, 0.015, 0.015, 0.015])
"""Unit of each channel of a trunk, [m] or [rad]."""

MOST_AHEAD = np.array([0.22, 0.05, 0.2, 0.6, 0.2, 0.45, 0.55, 0.7, 0.10, 0.05, 0.10, 0.05])
MOST_BACK = np.array([0.22, 0.24, 0.2, 0.6, 0.2, 0.45, 0.14, 0.7, 0.03, 0.03, 0.03, 0.03])
"""How far a channel may be above and below what it is at ease, softly, [m] or [rad]. Shoulders have
10 cm forward, 5 up by themselves, 3 down and back; I. A. Kapandji, "The Physiology of the Joints",
volume 1.
"""

_RANGE_EXCESS = 0.2 * EASE

BALANCE = 0.018
"""Unit by which the centre of mass is off, [m]."""


class TrunkState(NamedTuple):
    """Trunks in K ways: their channels, shape (K, T, J, `TRUNK_CHANNELS`), and their joints."""

    channels: Floats
    trunk: Trunk


class Task(Protocol):
    """What a trunk should do, or may not."""

    def residuals(self, state: TrunkState) -> Floats:
        """Residuals of each alternative, moment and juggler, shape (K, T, J, R)."""


@dataclass(frozen=True)
class BeAtEase(Task):
    """Every channel is what it is at ease.

    Args:
        at_ease: shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
    """

    at_ease: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Deviations of channels, in their units."""
        return (state.channels - self.at_ease) / EASE


@dataclass(frozen=True)
class StayInRange(Task):
    """No channel is farther from what it is at ease than a person's can be.

    Args:
        at_ease: shape (T, J, `TRUNK_CHANNELS`), [m] or [rad].
    """

    at_ease: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of channels over their ranges."""
        moved = state.channels - self.at_ease
        excess = np.maximum(moved - MOST_AHEAD, 0.0) + np.maximum(-moved - MOST_BACK, 0.0)
        return excess / _RANGE_EXCESS


@dataclass(frozen=True)
class Balance(Task):
    """The centre of mass is over what the body stands on.

    Args:
        hands: shape (T, J, 2, 3), [m].
        ankles: shape (T, J, 2, 3), [m].
        centre: shape (T, J, 2), where it should be over the floor, to the left and ahead, [m].
    """

    hands: Floats
    ankles: Floats
    centre: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """How far the centre of mass is off, in both directions."""
        trunk = state.trunk
        # Knees of legs that stand are about half way; how far they bend changes little.
        ankles = np.broadcast_to(self.ankles, trunk.hips.shape)
        legs = Legs(trunk.hips, (trunk.hips + ankles) / 2, ankles, ankles)
        return (centre_over_floor(trunk, self.hands, legs) - self.centre) / BALANCE


@dataclass(frozen=True)
class ReachHands(Task):
    """Every wrist is within reach of its shoulder, and not too near.

    What is out of all reach bends a body little farther than what is just so.

    Args:
        hands: shape (T, J, 2, 3), [m].
        turns: shape (T, J, 2, `CHANNELS`), how the palms are turned.
    """

    hands: Floats
    turns: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of far wrists, then of near ones."""
        # Wrists depend little on the trunk, so those of the first alternative serve all.
        shoulders = state.trunk.shoulders[0]
        wrists = shoulders + from_shoulders_to_wrists(self.hands, self.turns, shoulders)
        distance = norm(wrists - state.trunk.shoulders)[..., 0] / ARM_LENGTH
        too_far = np.maximum(distance - _FARTHEST_WRIST, 0.0) / _LARGE_WRIST_EXCESS
        softened = _LARGE_WRIST_EXCESS * (np.sqrt(1.0 + 2.0 * too_far) - 1.0)
        far = softened / _WRIST_EXCESS
        near = np.maximum(NEAREST_WRIST - distance, 0.0) / _NEAR_WRIST_EXCESS
        return np.concatenate([far, near], axis=-1)


@dataclass(frozen=True)
class ReachFeet(Task):
    """Every ankle is within reach of its hip.

    Args:
        ankles: shape (T, J, 2, 3), [m].
    """

    ankles: Floats

    def residuals(self, state: TrunkState) -> Floats:
        """Excess of far ankles."""
        distance = norm(self.ankles - state.trunk.hips)[..., 0] / (THIGH + SHANK)
        return np.asarray(np.maximum(distance - _FARTHEST_ANKLE, 0.0) / _ANKLE_EXCESS)
