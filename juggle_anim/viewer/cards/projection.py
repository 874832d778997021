"""Projection of points of the world onto the window."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera
from juggle_anim.viewer.cards.layout import Rectangle


def project_points(points: Floats, camera: Camera, place: Rectangle) -> Floats:
    """Return where points of the world, shape (N, 3), are in the window, for a picture in a place in it.

    Returns:
        Shape (N, 2), [pixels] from the window's upper left corner; NaN behind the camera.
    """
    matrix = camera.projection(place.width / place.height) @ camera.view()
    clip = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    depth = clip[:, 3:]
    if not camera.orthographic:
        depth = np.where(depth > camera.near, depth, np.nan)
    across, up = (clip[:, :2] / depth).T
    across, down = (1 + across) / 2 * place.width, (1 - up) / 2 * place.height
    return np.column_stack([place.left + across, place.top + down])
