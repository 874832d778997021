"""The camera: where the picture is taken from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats


@dataclass(frozen=True)
class Camera:
    """A perspective camera, +y up.

    Args:
        eye: where it stands, [m].
        target: the point in the middle of the picture, not straight above or below the eye, [m].
        field_of_view: vertical angle of view, [rad].
        near, far: depths between which things are drawn, [m].
        mirrored: whether left and right are exchanged in the picture.
    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    field_of_view: float = np.radians(30.0)
    near: float = 0.1
    far: float = 200.0
    mirrored: bool = False

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
        return matrix

    def projection(self, aspect: float) -> Floats:
        """Matrix from camera to clip space of OpenGL, shape (4, 4), for a picture `aspect` times as wide as high."""
        scale = 1.0 / np.tan(self.field_of_view / 2)
        depth = self.near - self.far
        matrix = np.zeros((4, 4))
        matrix[0, 0] = -scale / aspect if self.mirrored else scale / aspect
        matrix[1, 1] = scale
        matrix[2, 2:] = (self.far + self.near) / depth, 2 * self.far * self.near / depth
        matrix[3, 2] = -1.0
        return matrix
