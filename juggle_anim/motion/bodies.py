"""The way of each body over the floor, and the view from it: events are seen from a body, pictures from the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from juggle_anim.arrays import Complexes, Floats, Integers
from juggle_anim.choreography import BodyKeys
from juggle_anim.motion.piecewise import PiecewisePolynomial, cubic, ring
from juggle_anim.vectors import wrapped_angle

PLACE, FACING = slice(0, 3), 3
"""Columns of what a body's path holds: x, y, z of the place under its feet [m], and its turn about +y [rad]."""


@dataclass(frozen=True)
class Bodies:
    """The ways of J bodies.

    Args:
        paths: of each body: x, y, z of the place under its feet [m], and its turn about +y [rad].
    """

    paths: PiecewisePolynomial

    @cached_property
    def move(self) -> bool:
        """Whether any body ever leaves its place."""
        return bool(self.paths.coefficients[:, 1:].any())

    def places(self, times: Floats, derivative: int = 0) -> Floats:
        """Of all bodies at some times, shape (T, J, 4): x, y, z [m] and turn [rad], or a derivative of them."""
        return self._along(np.arange(len(self.paths.periods)), times[:, None], derivative)

    def orders(self, derivative: int) -> Sequence[int]:
        """Which derivatives of points seen from bodies `to_world` needs to tell one of theirs in the world."""
        return range(derivative + 1) if self.move else (derivative,)

    def to_world(self, seen: Sequence[Floats], body: Integers, times: Floats, derivative: int = 0) -> Floats:
        """Points seen from bodies, as they are in the world; or, of points that move, a derivative by time.

        Args:
            seen: of the points, shape (…, 3), those derivatives that `orders` names.
            body: whose view it is, any shape that broadcasts with …
            times: [s], likewise.
            derivative: which is wanted.
        """
        if not self.move:
            return self._still_to_world(seen[-1], body, derivative)
        places = [self._along(body, times, order) for order in range(derivative + 1)]
        turns = turning([place[..., FACING] for place in places])
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
        """Where bodies stand for ever, shape (J, 3), and how they are turned there, shape (J,), if any is."""
        places = self.paths.coefficients[self.paths.first, 0]
        turn = np.exp(1j * places[:, FACING]) if places[:, FACING].any() else None
        return np.ascontiguousarray(places[:, PLACE]), turn

    def from_world(self, velocity: Floats, seen: Floats, body: Integers, times: Floats) -> Floats:
        """The velocity of points seen from bodies, from that in the world.

        Args:
            velocity: in the world, shape (N, 3), [m/s].
            seen: the points, seen from the bodies, shape (N, 3), [m].
            body: whose view it is, shape (N,).
            times: shape (N,), [s].
        """
        now, change = (self._along(body, times, derivative) for derivative in (0, 1))
        away = velocity - change[:, PLACE]
        back = away * (0.0, 1.0, 0.0)
        _add_turned(back, away, np.exp(-1j * now[:, FACING]))
        swept = change[:, FACING, None] * np.stack([seen[:, 2], 0 * seen[:, 1], -seen[:, 0]], axis=-1)
        return back - swept

    def rise(self, body: Integers, times: Floats) -> Floats:
        """How fast each body's way upward quickens, shape (N,), [m/s²]."""
        return self._along(body, times, 2)[..., 1]

    def turns(self, body: Integers, times: Floats, derivative: int = 0) -> Floats:
        """The turn of each body, shape (N,), [rad], or a derivative of it."""
        return self._along(body, times, derivative)[..., FACING]

    def _along(self, body: Integers, times: Floats, derivative: int) -> Floats:
        return self.paths.evaluate(*self.paths.locate(body, times), derivative)


def body_paths(keys: BodyKeys, bodies: int, loop: float) -> Bodies:
    """The smooth ways of bodies through their keys, repeated after each loop.

    A turn goes the shorter way round from each key to the next.

    Args:
        keys: where bodies are at some times.
        bodies: how many there are.
        loop: [s].
    """
    following, duration = ring(keys.juggler, keys.time, loop)
    step = wrapped_angle(keys.facing[following] - keys.facing)
    whole = np.zeros(bodies)
    np.add.at(whole, keys.juggler, step)
    # What turns round and round is a steady turn, and a swing about it that comes back.
    steady = (whole / loop)[keys.juggler]
    turned = np.cumsum(step) - step
    first = np.searchsorted(keys.juggler, keys.juggler, side="left")
    swing = keys.facing[first] + turned - turned[first] - steady * (keys.time - keys.time[first])
    coefficients = cubic(following, duration, np.concatenate([keys.position, swing[:, None]], axis=1))
    coefficients[:, 0, FACING] += steady * (keys.time - keys.time[first])
    coefficients[:, 1, FACING] += steady
    return Bodies(PiecewisePolynomial(np.full(bodies, loop), keys.juggler, keys.time, coefficients))


def turning(turn: list[Floats]) -> list[Complexes]:
    """Derivatives of exp(i·turn) by time, as many as there are of the turn."""
    derived = [np.exp(1j * turn[0])]
    for order in range(len(turn) - 1):
        terms = (comb(order, step) * 1j * turn[step + 1] * derived[order - step] for step in range(order + 1))
        derived.append(sum(terms, start=np.zeros_like(derived[0])))
    return derived


def _add_turned(total: Floats, points: Floats, turn: Complexes) -> None:
    """Add the horizontal part of points times complex numbers, z being real and x imaginary."""
    total[..., 2] += points[..., 2] * turn.real - points[..., 0] * turn.imag
    total[..., 0] += points[..., 0] * turn.real + points[..., 2] * turn.imag
