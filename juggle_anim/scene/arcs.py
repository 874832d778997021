"""Arcs: the ways that props fly, from throw to catch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.motion import Motion
from juggle_anim.motion.flight import Flying
from juggle_anim.scene.palette import STANDARD, Palette
from juggle_anim.scene.rows import Cone, no_rows
from juggle_anim.scene.tubes import THIN, tubes

_BENDS, _FEWEST, _MOST = 24, 6, 8_192  # tubes of an arc, how few they become, and of all arcs
_BEHIND = 0.62  # share of a palette's `thrown` in the colour of what is flown already


@dataclass(frozen=True)
class Arcs:
    """The arcs of what is in the air.

    Args:
        motion: whose.
        colours: of the props, shape (P, 3), sRGB.
        palette: of all else.
    """

    motion: Motion
    colours: Singles
    palette: Palette = STANDARD

    def rows(self, times: Floats) -> Singles:
        """Whole arcs in the colours of the props, paler behind them.

        Args:
            times: shape (T,), [s].

        Returns:
            Shape (T, N, 12), rows as in `Scene.traces`; those of props that are held have no width.
        """
        flight, ago, share = self.motion.thrown(times)
        if not len(self._numbers):
            return no_rows(len(times), 0, Cone.WIDTH)
        leg = np.where(((flight >= 0) & (share < 1.0))[..., None], self._numbers[flight], -1)
        points, begun = self._points[leg], self._begun[leg]
        behind = np.where(begun < ago[..., None, None], _BEHIND, 0.0)[..., None]
        paint = (1 - behind) * self.colours[:, None, None] + behind * np.array(self.palette.thrown)
        width = np.where(leg >= 0, THIN * self.palette.bold, 0.0)[..., None]
        rows = tubes(points[..., :-1, :], width, points[..., 1:, :], width, paint).reshape(len(times), -1, Cone.WIDTH)
        return rows[:, rows[0, :, Cone.START_RADIUS] > 0] if len(times) == 1 else rows

    @cached_property
    def _numbers(self) -> Integers:
        """The legs of each flight by their numbers, shape (flights, most legs), −1 for none."""
        flights = self.motion.flying.legs
        numbers = np.full((len(flights), max((len(legs) for legs in flights), default=1)), -1)
        first = 0
        for flight, legs in enumerate(flights):
            numbers[flight, : len(legs)] = np.arange(first, first + len(legs))
            first += len(legs)
        return numbers

    @cached_property
    def _bends(self) -> int:
        return max(_FEWEST, min(_BENDS, _MOST // max(self.motion.choreography.props * self._numbers.shape[1], 1)))

    @cached_property
    def _points(self) -> Floats:
        """Along each leg, shape (legs, bends + 1, 3), [m]."""
        return np.moveaxis(leg_points(self.motion.flying, self._bends), 0, 1)

    @cached_property
    def _begun(self) -> Floats:
        """When after its throw a prop comes to each tube, shape (legs, bends), [s]."""
        flying = self.motion.flying
        since = np.array([leg.since for legs in flying.legs for leg in legs])
        return since[:, None] + flying.lasts()[:, None] * (np.arange(self._bends) / self._bends)


def leg_points(flying: Flying, bends: int) -> Floats:
    """Points along every leg of every flight, shape (bends + 1, legs, 3), [m]."""
    legs = [leg for flight in flying.legs for leg in flight]
    time = np.linspace(0.0, flying.lasts(), bends + 1)[..., None]
    position, velocity = (
        np.array([getattr(leg, name) for leg in legs]).reshape(-1, 3) for name in ("position", "velocity")
    )
    fall = np.array([leg.gravity for leg in legs])[:, None] * (0.0, 0.5, 0.0)
    points: Floats = position + velocity * time - fall * time**2
    return points
