"""Traces: the ways of props and hands as thin tubes in the air."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.motion import Motion

PATHS = ("none", "throws", "hands", "both")
"""Which ways are shown whole: of what is thrown, of hands, or both."""

LEFT, RIGHT, THROWN = (0.0, 0.62, 0.45), (0.80, 0.42, 0.63), (0.42, 0.53, 0.66)
"""Colours of the left hands' ways, of the right ones' and of throws, sRGB."""

_THIN, _GLOSS = 0.0055, 0.1  # radius [m]
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
        paths: one of `PATHS`.
        colours: of the props, shape (P, 3), sRGB.
    """

    motion: Motion
    trails: float
    paths: str
    colours: Singles

    def rows(self, times: Floats) -> Singles:
        """Shape (T, N, 12), rows as in `Scene.traces`, at some times, shape (T,), [s]."""
        still = np.broadcast_to(self._still, (len(times), *self._still.shape))
        return np.concatenate([still, self._trails(times)], axis=1) if self.trails else still

    def _trails(self, times: Floats) -> Singles:
        props = self.motion.choreography.props
        bends = max(_COARSE, min(_FINE, _MOST // max(props, 1)))
        ago = np.linspace(0.0, self.trails, bends + 1)
        points = self.motion.sample((times[:, None] - ago).ravel()).props
        points = points.reshape(len(times), bends + 1, props, 3)
        begin = np.minimum(_SHARE * self.motion.shapes.size / 2, _WIDEST)
        radii = begin * (1 - ago / self.trails)[:, None]
        rows = _tubes(points[:, :-1], radii[:-1], points[:, 1:], radii[1:], self.colours)
        return rows.reshape(len(times), -1, 12)

    @cached_property
    def _still(self) -> Singles:
        parts = [np.zeros((0, 12), dtype=np.float32)]
        if self.paths in ("throws", "both"):
            parts.append(self._throws())
        if self.paths in ("hands", "both"):
            parts.append(self._hands())
        return np.concatenate(parts)

    def _throws(self) -> Singles:
        """The parabolas of every leg of every flight."""
        flying = self.motion.flying
        legs = [leg for flight in flying.legs for leg in flight]
        lasts = flying.lasts()
        bends = max(4, min(_BENDS, _MOST // max(len(legs), 1)))
        time = np.linspace(0.0, lasts, bends + 1)[..., None]
        position, velocity = (
            np.array([getattr(leg, name) for leg in legs]).reshape(-1, 3) for name in ("position", "velocity")
        )
        fall = np.array([leg.gravity for leg in legs])[:, None] * (0.0, 0.5, 0.0)
        points = position + velocity * time - fall * time**2
        return _tubes(points[:-1], _THIN, points[1:], _THIN, THROWN).reshape(-1, 12)

    def _hands(self) -> Singles:
        jugglers, duration = self.motion.choreography.jugglers, self.motion.duration
        bends = max(8, min(round(duration * _BENDS_A_SECOND), _MOST // (2 * jugglers)))
        points = self.motion.sample(np.linspace(0.0, duration, bends + 1)).hands
        return _tubes(points[:-1], _THIN, points[1:], _THIN, (LEFT, RIGHT)).reshape(-1, 12)


def _tubes(start: Floats, first: Floats | float, end: Floats, last: Floats | float, colour: object) -> Singles:
    """Rows of tubes between points of shape (…, 3), their radii and colours of what broadcasts with these."""
    rows = np.empty((*start.shape[:-1], 12), dtype=np.float32)
    rows[..., 0:3], rows[..., 3] = start, first
    rows[..., 4:7], rows[..., 7] = end, last
    rows[..., 8:11], rows[..., 11] = np.asarray(colour), _GLOSS
    return rows
