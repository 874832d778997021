"""The camera: where the picture is taken from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats


@dataclass(frozen=True)
class Camera:
    """A camera, +y up: of a perspective, or, if orthographic, one whose lines of sight are parallel.

    An orthographic camera shows everything as large as a perspective one shows what is as far away as its target, and
    also what lies behind its eye.

    Args:
        eye: where it stands, [m].
        target: the point in the middle of the picture, not straight above or below the eye, [m].
        field_of_view: vertical angle of view, [rad].
        near, far: depths between which things are drawn, [m].
        mirrored: whether left and right are exchanged in the picture.
        orthographic: whether what is farther looks no smaller.
        aside: how far to the right of `eye` it stands, [m], as one of two eyes does. What is as far as the target stays
            where it is in the picture.
    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    field_of_view: float = np.radians(30.0)
    near: float = 0.1
    far: float = 200.0
    mirrored: bool = False
    orthographic: bool = False
    aside: float = 0.0

    def view(self) -> Floats:
        """Matrix from world to camera, shape (4, 4), for column vectors; the camera looks along −z."""
        eye = np.asarray(self.eye)
        back = eye - np.asarray(self.target)
        back = back / np.linalg.norm(back)
        right = np.cross((0.0, 1.0, 0.0), back)
        right = right / np.linalg.norm(right)
        turn = np.array([right, np.cross(back, right), back])
        matrix = np.eye(4)
        matrix[:3, :3] = turn
        matrix[:3, 3] = -turn @ eye
        return self._moved_aside(matrix) if self.aside else matrix

    @property
    def stand(self) -> tuple[float, float, float]:
        """Where it stands, [m]: at the eye, or aside of it."""
        if not self.aside:
            return self.eye
        view = self.view()
        x, y, z = (-view[:3, :3].T @ view[:3, 3]).tolist()
        return x, y, z

    @property
    def slant(self) -> float:
        """How far the middle of the picture is to the right of where it looks straight ahead, as a tangent.

        Two eyes look the same way and not at each other's target, which would tilt what is left and right: the frusta
        are cut off the middle instead. Parallel sight has no frustum, and comes from another side.
        """
        return 0.0 if self.orthographic else -self.aside / self.distance

    @property
    def distance(self) -> float:
        """From the eye to the target, [m]."""
        return math.dist(self.eye, self.target)

    @property
    def looks_down(self) -> bool:
        """Whether some line of sight may reach the floor from above."""
        return self.eye[1] > (self.target[1] if self.orthographic else 0.0)

    def scales(self, aspect: float) -> tuple[float, float]:
        """How large something of 1 m is at a distance of 1 m, across and up, [half pictures].

        The first is negative in a mirrored picture, which is `aspect` times as wide as high.
        """
        scale = 1.0 / float(np.tan(self.field_of_view / 2))
        return -scale / aspect if self.mirrored else scale / aspect, scale

    def projection(self, aspect: float) -> Floats:
        """Matrix from camera to clip space of OpenGL, shape (4, 4), for a picture `aspect` times as wide as high."""
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = self.scales(aspect)
        if self.orthographic:
            matrix[2, 2], matrix[3, 3] = -self.distance / self.far, self.distance
            return matrix
        depth = self.near - self.far
        matrix[2, 2:] = (self.far + self.near) / depth, 2 * self.far * self.near / depth
        matrix[3, 2] = -1.0
        matrix[0, 2] = matrix[0, 0] * self.slant
        return matrix

    def _moved_aside(self, view: Floats) -> Floats:
        """The view from aside, of that from the eye."""
        turn = np.eye(4)
        if not self.orthographic:
            turn[0, 3] = -self.aside
            return turn @ view
        # About the picture's own upright axis through the target, so that nothing moves up or down.
        angle = np.arctan(self.aside / self.distance)
        turn[0, 0] = turn[2, 2] = np.cos(angle)
        turn[2, 0] = np.sin(angle)
        turn[0, 2] = -turn[2, 0]
        turn[:3, 3] = (turn[:3, :3] - np.eye(3)) @ (0.0, 0.0, self.distance)
        return turn @ view
