"""Where points of the world are in the window."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera
from juggle_anim.viewer.cards.layout import Rectangle


def project_points(points: Floats, camera: Camera, place: Rectangle) -> Floats:
    """Where points of the world, shape (N, 3), are in the window, seen in a place in it.

    Returns:
        Shape (N, 2), [pixels] from the window's upper left corner; NaN behind the camera.
    """
    matrix = camera.projection(place.width / place.height) @ camera.view()
    clip = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    depth = np.where(clip[:, 3:] > camera.near, clip[:, 3:], np.nan)
    if camera.orthographic:
        depth = clip[:, 3:]
    across, up = (clip[:, :2] / depth).T
    across, down = (1 + across) / 2 * place.width, (1 - up) / 2 * place.height
    return np.column_stack([place.left + across, place.top + down])
