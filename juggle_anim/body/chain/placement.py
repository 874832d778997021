"""Where all joints of a chain are, and how they move: forward kinematics of many poses at once, the batch last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats


@dataclass(frozen=True)
class Placement:
    """Joints of B poses in the world: origins and axes, shape (n, 3, B), [m] and unit; rotations, (n, 3, 3, B)."""

    origins: Floats
    axes: Floats
    turns: Floats

    @classmethod
    def of(cls, angles: Floats, turning: Floats, parents: Sequence[int], offsets: Floats, axes: Floats) -> Placement:
        """Place joints one by one, each by the one that carries it.

        Args:
            angles: shape (n, B), [rad].
            turning: shape (n, 9, 3), of each joint's rotation the shares of 1, sin θ and 1 − cos θ (Rodrigues).
            parents: the joint that carries each, or −1.
            offsets: shape (n, 3), in the parent's frame, [m].
            axes: shape (n, 3), unit, in the parent's frame.
        """
        count, batch = angles.shape
        own = turning @ np.stack([np.ones_like(angles), np.sin(angles), 1 - np.cos(angles)], axis=1)
        own = own.reshape(count, 3, 3, batch)
        placed = cls(np.empty((count, 3, batch)), np.empty((count, 3, batch)), np.empty_like(own))
        for joint, parent in enumerate(parents):
            if parent < 0:
                placed.turns[joint] = own[joint]
                placed.origins[joint] = offsets[joint][:, None]
            else:
                np.einsum("ikb,kjb->ijb", placed.turns[parent], own[joint], out=placed.turns[joint])
                placed.origins[joint] = placed.point(parent, offsets[joint])
            np.einsum("ikb,k->ib", placed.turns[joint], axes[joint], out=placed.axes[joint])
        return placed

    def point(self, joint: int, point: Floats) -> Floats:
        """Where a point in a joint's frame is, shape (3, B), [m]."""
        if not point.any():
            return self.origins[joint]
        return self.origins[joint] + np.einsum("ikb,k->ib", self.turns[joint], point)

    def velocities(self, carrying: Booleans, joint: int, point: Floats) -> tuple[Floats, Floats]:
        """How fast a point moves and its joint turns, over the velocity of each joint.

        Args:
            carrying: shape (n,), the joints that carry it.
            joint: in whose frame the point is given.
            point: shape (3,), [m].

        Returns:
            Velocity a × (p − o), [m/rad], and angular velocity a, each of shape (n, 3, B); 0 for the other joints.
        """
        angular = self.axes * carrying[:, None, None]
        x, y, z = np.moveaxis(self.point(joint, point) - self.origins, 1, 0)
        along, up, ahead = np.moveaxis(angular, 1, 0)
        linear = np.empty_like(angular)
        linear[:, 0] = up * z - ahead * y
        linear[:, 1] = ahead * x - along * z
        linear[:, 2] = along * y - up * x
        return linear, angular

    def taken(self, columns: Booleans) -> Placement:
        """Those poses alone."""
        return Placement(self.origins[..., columns], self.axes[..., columns], self.turns[..., columns])

    def put(self, columns: Booleans, other: Placement) -> None:
        """Set some poses to others, one for each True."""
        self.origins[..., columns] = other.origins
        self.axes[..., columns] = other.axes
        self.turns[..., columns] = other.turns
