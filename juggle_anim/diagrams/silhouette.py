"""Silhouettes: the outlines of round things as a camera sees them, exact but for the number of their corners."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera

# With three directions to each corner of a ball none is left out, and outlines are exact to 3 ‰ of a radius, also
# where a wide lens stretches them.
_AROUND, _DIRECTIONS = 60, 180
_AT_ONCE = 256


class Lens:
    """A camera with a sheet of paper.

    Args:
        camera: where it stands.
        width, height: of the paper, [mm].
    """

    def __init__(self, camera: Camera, width: float, height: float) -> None:
        self._view = camera.view()
        self._middle = np.array([width / 2, height / 2])
        self.scale = height / 2 / float(np.tan(camera.field_of_view / 2))
        """How large something of 1 m is at 1 m, [mm]."""
        self.flat = camera.distance if camera.orthographic else 0.0
        """How far away things are that are drawn as large by parallel lines of sight, [m]; 0 where these meet."""

    def seen(self, points: Floats) -> Floats:
        """Points of the world [m] in the axes of the camera: right, up and back, same shape (…, 3)."""
        turned: Floats = points @ self._view[:3, :3].T + self._view[:3, 3]
        return turned

    def sight(self, seen: Floats) -> Floats:
        """Which way points are looked at that the camera sees, in its axes, same shape (…, 3)."""
        return np.broadcast_to((0.0, 0.0, -1.0), seen.shape) if self.flat else seen

    def on_paper(self, seen: Floats) -> Floats:
        """Where points that the camera sees lie on the paper, shape (…, 2), [mm]."""
        flat: Floats = self._middle + self.scale * seen[..., :2] * (1.0, -1.0) / (self.flat or -seen[..., 2:])
        return flat

    def balls(self, centres: Floats, radii: Floats) -> Floats:
        """Outlines of balls, shape (N, corners, 2), [mm].

        Lines of sight that touch a ball do so on a circle: seen from a distance d, it is nearer by r²/d, and its radius
        is r·√(1 − r²/d²).

        Args:
            centres: shape (N, 3), in the axes of the camera, [m].
            radii: shape (N,), [m].
        """
        turn = np.linspace(0.0, 2 * np.pi, _AROUND, endpoint=False)
        if self.flat:
            round_it = np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=-1)
            return self.on_paper(centres[:, None] + radii[:, None, None] * round_it)
        share = np.minimum(radii**2 / (centres**2).sum(axis=1), 1.0)[:, None]
        across = np.cross(centres, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        up = np.cross(across, centres)
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        rim = np.cos(turn)[:, None] * across[:, None] + np.sin(turn)[:, None] * up[:, None]
        reach = radii[:, None] * np.sqrt(1 - share)
        return self.on_paper((centres * (1 - share))[:, None] + reach[:, None] * rim)

    def round_cones(self, starts: Floats, start_radii: Floats, ends: Floats, end_radii: Floats) -> Floats:
        """Outlines of round cones, shape (N, corners, 2), [mm].

        A round cone is the hull of the balls at its ends, so its outline is the hull of theirs; the hull's corners are
        the farthest points in many directions.

        Args:
            starts, ends: shape (N, 3), in the axes of the camera, [m].
            start_radii, end_radii: shape (N,), [m].
        """
        both = np.concatenate([self.balls(starts, start_radii), self.balls(ends, end_radii)], axis=1)
        turn = np.linspace(0.0, 2 * np.pi, _DIRECTIONS, endpoint=False)
        normals = np.stack([np.cos(turn), np.sin(turn)])
        hull = np.empty((len(both), _DIRECTIONS, 2))
        for first in range(0, len(both), _AT_ONCE):  # so that a hundred people fit in memory
            some = slice(first, first + _AT_ONCE)
            farthest = (both[some] @ normals).argmax(axis=1)
            hull[some] = np.take_along_axis(both[some], farthest[..., None], axis=1)
        return hull
