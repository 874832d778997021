"""A juggler's joints in the juggler's own frame: they stand at the origin and face +z, as solvers want it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint

HAND = ("WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP")
"""Joints that go with a hand."""

_NAMES = ("LEFT", "RIGHT")


@dataclass(frozen=True)
class LocalFigure:
    """One juggler at one time.

    Args:
        joints: shape (`JOINTS`, 3), seen from the juggler, [m].
        place: shape (3,), where they stand, [m].
        facing: turn about +y, [rad].
    """

    joints: Floats
    place: Floats
    facing: float

    @classmethod
    def of(cls, animation: Animation, time: float, juggler: int) -> LocalFigure:
        """A juggler of an animation."""
        times = np.array([time])
        place = animation.motion.bodies.places(times)[0, juggler]
        frame = cls(np.zeros((0, 3)), place[:3], float(place[3]))
        return cls(frame.to_local(animation.pose(times).joints[0, juggler]), frame.place, frame.facing)

    def to_local(self, points: Floats) -> Floats:
        """Points of the world, shape (..., 3), as the juggler sees them, [m]."""
        return (points - self.place) @ self.rotation

    def to_world(self, points: Floats) -> Floats:
        """Points that the juggler sees, shape (..., 3), in the world, [m]."""
        return points @ self.rotation.T + self.place

    @property
    def rotation(self) -> Floats:
        """The rotation of the juggler in the world, shape (3, 3)."""
        sine, cosine = np.sin(self.facing), np.cos(self.facing)
        return np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])

    def at(self, joint: str, side: int) -> Floats:
        """A joint of one side, shape (3,): `ELBOW`, [m]."""
        return np.asarray(self.joints[joint_of(joint, side)])

    def hand(self, side: int) -> Floats:
        """The joints of a hand from its wrist, shape (6, 3), [m]."""
        return np.asarray(self.joints[hand_of(side)])


def joint_of(joint: str, side: int) -> Joint:
    """The joint of one side, 0 for left and 1 for right."""
    return Joint[f"{_NAMES[side]}_{joint}"]


def hand_of(side: int) -> list[Joint]:
    """Joints of a hand, the wrist first."""
    return [joint_of(joint, side) for joint in HAND]
