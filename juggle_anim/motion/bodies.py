"""Paths of bodies over the floor, and conversion between the frames of bodies and the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from juggle_anim.arrays import Complexes, Floats, Integers
from juggle_anim.choreography import BodyKeyframes
from juggle_anim.motion.piecewise import PiecewisePolynomial, cubic, successors
from juggle_anim.vectors import wrap_angle

PLACE, FACING = slice(0, 3), 3
"""Columns of a body's path: x, y, z of the place under its feet [m], and its turn about +y [rad]."""


@dataclass(frozen=True)
class Bodies:
    """The paths of J bodies.

    Args:
        paths: of each body, with columns x, y, z of the place under its feet [m], and its turn about +y [rad].
    """

    paths: PiecewisePolynomial

    @cached_property
    def has_movement(self) -> bool:
        """Whether any body ever moves."""
        return bool(self.paths.coefficients[:, 1:].any())

    def places(self, times: Floats, derivative: int = 0) -> Floats:
        """Places of all bodies at some times, shape (T, J, 4): x, y, z [m] and turn [rad], or a derivative of them."""
        return self._along(np.arange(len(self.paths.periods)), times[:, None], derivative)

    def orders(self, derivative: int) -> Sequence[int]:
        """The derivatives of points in body frames that `to_world` needs for one derivative in the world."""
        return range(derivative + 1) if self.has_movement else (derivative,)

    def to_world(self, seen: Sequence[Floats], body: Integers, times: Floats, derivative: int = 0) -> Floats:
        """Take points from the frames of bodies to the world, or a time derivative of moving points.

        Args:
            seen: in the body frames, shape (…, 3), the derivatives that `orders` names.
            body: of each point, any shape that broadcasts with …
            times: [s], likewise.
            derivative: the requested one.
        """
        if not self.has_movement:
            return self._still_to_world(seen[-1], body, derivative)
        places = [self._along(body, times, order) for order in range(derivative + 1)]
        turns = phasor_derivatives([place[..., FACING] for place in places])
        world = places[derivative][..., PLACE] + np.zeros_like(seen[derivative])
        for order in range(derivative + 1):
            _add_turned(world, seen[derivative - order], comb(derivative, order) * turns[order])
        world[..., 1] += seen[derivative][..., 1]
        return world

    def _still_to_world(self, seen: Floats, body: Integers, derivative: int) -> Floats:
        standing, turn = self._still
        if turn is None:
            world: Floats = seen + standing.take(body, axis=0) if derivative == 0 else seen.copy()
            return world
        world = standing.take(body, axis=0) + np.zeros_like(seen) if derivative == 0 else np.zeros_like(seen)
        _add_turned(world, seen, turn.take(body))
        world[..., 1] += seen[..., 1]
        return world

    @cached_property
    def _still(self) -> tuple[Floats, Complexes | None]:
        """Places of bodies that never move, shape (J, 3), and their turns, shape (J,), or None if all face +z."""
        places = self.paths.coefficients[self.paths.first, 0]
        turn = np.exp(1j * places[:, FACING]) if places[:, FACING].any() else None
        return np.ascontiguousarray(places[:, PLACE]), turn

    def from_world(self, velocity: Floats, seen: Floats, body: Integers, times: Floats) -> Floats:
        """Take velocities of points from the world to the frames of bodies.

        Args:
            velocity: in the world, shape (N, 3), [m/s].
            seen: the points in the body frames, shape (N, 3), [m].
            body: of each point, shape (N,).
            times: shape (N,), [s].
        """
        now, change = (self._along(body, times, derivative) for derivative in (0, 1))
        away = velocity - change[:, PLACE]
        back = away * (0.0, 1.0, 0.0)
        _add_turned(back, away, np.exp(-1j * now[:, FACING]))
        swept = change[:, FACING, None] * np.stack([seen[:, 2], 0 * seen[:, 1], -seen[:, 0]], axis=-1)
        return back - swept

    def vertical_acceleration(self, body: Integers, times: Floats) -> Floats:
        """Upward acceleration of each body, shape (N,), [m/s²]."""
        return self._along(body, times, 2)[..., 1]

    def facing(self, body: Integers, times: Floats, derivative: int = 0) -> Floats:
        """The turn of each body, shape (N,), [rad], or a derivative of it."""
        return self._along(body, times, derivative)[..., FACING]

    def _along(self, body: Integers, times: Floats, derivative: int) -> Floats:
        return self.paths.evaluate(*self.paths.locate(body, times), derivative)


def body_paths(keys: BodyKeyframes, bodies: int, loop: float) -> Bodies:
    """Return smooth periodic paths of bodies through their keyframes; turns go through the smaller angle.

    Args:
        keys: the keyframes.
        bodies: number of bodies.
        loop: [s].
    """
    following, duration = successors(keys.juggler, keys.time, loop)
    step = wrap_angle(keys.facing[following] - keys.facing)
    whole = np.zeros(bodies)
    np.add.at(whole, keys.juggler, step)
    # A body that keeps turning has a steady turn, plus a periodic swing about it.
    steady = (whole / loop)[keys.juggler]
    turned = np.cumsum(step) - step
    first = np.searchsorted(keys.juggler, keys.juggler, side="left")
    swing = keys.facing[first] + turned - turned[first] - steady * (keys.time - keys.time[first])
    coefficients = cubic(following, duration, np.concatenate([keys.position, swing[:, None]], axis=1))
    coefficients[:, 0, FACING] += steady * (keys.time - keys.time[first])
    coefficients[:, 1, FACING] += steady
    return Bodies(PiecewisePolynomial(np.full(bodies, loop), keys.juggler, keys.time, coefficients))


def phasor_derivatives(turn: list[Floats]) -> list[Complexes]:
    """Time derivatives of exp(i·turn), as many as there are of the turn."""
    derived = [np.exp(1j * turn[0])]
    for order in range(len(turn) - 1):
        terms = (comb(order, step) * 1j * turn[step + 1] * derived[order - step] for step in range(order + 1))
        derived.append(sum(terms, start=np.zeros_like(derived[0])))
    return derived


def _add_turned(total: Floats, points: Floats, turn: Complexes) -> None:
    """Add the horizontal part of points times complex numbers, with z real and x imaginary."""
    total[..., 2] += points[..., 2] * turn.real - points[..., 0] * turn.imag
    total[..., 0] += points[..., 0] * turn.real + points[..., 2] * turn.imag
