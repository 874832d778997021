"""Traces: the ways of props and hands as thin tubes in the air."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.motion import Motion
from juggle_anim.scene.arcs import Arcs, leg_points
from juggle_anim.scene.palette import STANDARD, Palette
from juggle_anim.scene.rows import Cone, no_rows
from juggle_anim.scene.tubes import THIN, tubes

_MOST = 8_192  # tubes that stand still; with more of them they are longer and fewer
_BENDS = 24  # tubes of a throw, at most
_BENDS_A_SECOND = 48  # of a hand
_FINE, _COARSE = 40, 6  # tubes of a trail, and how few they become where there are many props
_SHARE, _WIDEST = 0.45, 0.016  # of a prop's radius, where its trail begins, and that at most [m]


@dataclass(frozen=True)
class Traces:
    """The tubes of one motion.

    Args:
        motion: whose.
        trails: how long props leave a trail, [s]; 0 for none.
        paths: an option of that parameter.
        colours: of the props, shape (P, 3), sRGB.
        palette: of all else.
    """

    motion: Motion
    trails: float
    paths: str
    colours: Singles
    palette: Palette = STANDARD

    def rows(self, times: Floats) -> Singles:
        """Shape (T, N, 12), rows as in `Scene.traces`, at some times, shape (T,), [s]."""
        parts = [np.broadcast_to(self._still, (len(times), *self._still.shape))]
        if self.paths == "flying":
            parts.append(self._arcs.rows(times))
        if self.trails:
            parts.append(self._trails(times))
        return np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]

    def _trails(self, times: Floats) -> Singles:
        props = self.motion.choreography.props
        bends = max(_COARSE, min(_FINE, _MOST // max(props, 1)))
        ago = np.linspace(0.0, self.trails, bends + 1)
        points = self.motion.sample((times[:, None] - ago).ravel()).props
        points = points.reshape(len(times), bends + 1, props, 3)
        begin = np.minimum(_SHARE * self.motion.shapes.size / 2, _WIDEST)
        radii = begin * (1 - ago / self.trails)[:, None]
        rows = tubes(points[:, :-1], radii[:-1], points[:, 1:], radii[1:], self.colours)
        return rows.reshape(len(times), -1, Cone.WIDTH)

    @property
    def _thin(self) -> float:
        """Half the thickness of a way, [m]."""
        return THIN * self.palette.bold

    @cached_property
    def _arcs(self) -> Arcs:
        return Arcs(self.motion, self.colours, self.palette)

    @cached_property
    def _still(self) -> Singles:
        parts = [no_rows(0, Cone.WIDTH)]
        if self.paths in ("throws", "both"):
            parts.append(self._throws())
        if self.paths in ("hands", "both"):
            parts.append(self._hands())
        return np.concatenate(parts)

    def _throws(self) -> Singles:
        """The parabolas of every leg of every flight."""
        flying = self.motion.flying
        bends = max(4, min(_BENDS, _MOST // max(len(flying.lasts()), 1)))
        points = leg_points(flying, bends)
        return tubes(points[:-1], self._thin, points[1:], self._thin, self.palette.thrown).reshape(-1, Cone.WIDTH)

    def _hands(self) -> Singles:
        jugglers, duration = self.motion.choreography.jugglers, self.motion.duration
        bends = max(8, min(round(duration * _BENDS_A_SECOND), _MOST // (2 * jugglers)))
        points = self.motion.sample(np.linspace(0.0, duration, bends + 1)).hands
        sides = self.palette.left, self.palette.right
        return tubes(points[:-1], self._thin, points[1:], self._thin, sides).reshape(-1, Cone.WIDTH)
