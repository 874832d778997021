"""Paths of bodies over the floor, and conversion between the frames of bodies and the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from juggle_anim.arrays import Complexes, Floats, Integers
from juggle_anim.choreography import BodyKeyframes
from juggle_anim.motion.piecewise import PiecewisePolynomial, cubic, monotone, quintic, successors
from juggle_anim.vectors import inverse_permutation, wrap_angle

PLACE = slice(0, 3)
FACING = 3
"""Columns of a body's path: x, y, z of the place under its feet [m], and its turn about +y [rad].
"""

# How long before and after a keyframe a steady turn of Juggling Lab changes its rate, [s].
_TURN_BLEND = 0.05
_HALF_TURN_TOLERANCE = 1e-9  # rad


@dataclass(frozen=True)
class Bodies:
    """The paths of J bodies.

    Args:
        paths: of each body, with columns x, y, z of the place under its feet [m], and its turn
            about +y [rad].
    """

    paths: PiecewisePolynomial

    @cached_property
    def has_movement(self) -> bool:
        """Whether any body ever moves."""
        return bool(self.paths.coefficients[:, 1:].any())

    def places(self, times: Floats, derivative: int = 0) -> Floats:
        """Places of all bodies at some times, or a time derivative of them, shape (T, J, 4).

        Columns are x, y, z, [m], and the turn, [rad].
        """
        return self._along(np.arange(len(self.paths.periods)), times[:, None], derivative)

    def orders(self, derivative: int) -> Sequence[int]:
        """The derivatives in body frames that `to_world` needs for one derivative in the world."""
        return range(derivative + 1) if self.has_movement else (derivative,)

    def to_world(
        self, points: Sequence[Floats], body: Integers, times: Floats, derivative: int = 0
    ) -> Floats:
        """Transform points from body frames to the world, or a time derivative of moving points.

        With R the turn about +y, a complex number, and b the place of the body, derivative n of
        b + R p is b^(n) plus, by the product rule, the sum of C(n, k) R^(k) p^(n − k).

        Args:
            points: p in the body frames, shape (…, 3), [m], or the derivatives of it that `orders`
                names.
            body: index of the body of each point, any shape that broadcasts with ….
            times: [s], likewise.
            derivative: n, order of the derivative to return, 0 for positions.
        """
        if not self.has_movement:
            return self._still_to_world(points[-1], body, derivative)
        places = [self._along(body, times, order) for order in range(derivative + 1)]
        turns = phasor_derivatives([place[..., FACING] for place in places])
        world = places[derivative][..., PLACE] + np.zeros_like(points[derivative])
        # Turns concern x and z only; heights are added as they are.
        for order in range(derivative + 1):
            _add_turned(world, points[derivative - order], comb(derivative, order) * turns[order])
        world[..., 1] += points[derivative][..., 1]
        return world

    def _still_to_world(self, points: Floats, body: Integers, derivative: int) -> Floats:
        """Transform points of bodies that never move to the world.

        Args:
            points: the requested derivative in the body frames, shape (…, 3).
            body: as of `to_world`.
            derivative: 0 for positions; derivatives do not depend on where the bodies stand.
        """
        standing, turn = self._still
        # All bodies face +z: nothing to turn.
        if turn is None:
            world: Floats = (
                points + standing.take(body, axis=0) if derivative == 0 else points.copy()
            )
            return world
        world = (
            standing.take(body, axis=0) + np.zeros_like(points)
            if derivative == 0
            else np.zeros_like(points)
        )
        _add_turned(world, points, turn.take(body))
        world[..., 1] += points[..., 1]
        return world

    def _still_to_body(self, velocity: Floats, body: Integers) -> Floats:
        """As `from_world`, for bodies that never move."""
        _, turn = self._still
        if turn is None:
            return velocity
        back = velocity * (0.0, 1.0, 0.0)
        _add_turned(back, velocity, turn.conj().take(body))
        return back

    @cached_property
    def _standing(self) -> Floats:
        """Places and turns of bodies that never move, shape (J, 4)."""
        return self.paths.coefficients[self.paths.first, 0]

    @cached_property
    def _still(self) -> tuple[Floats, Complexes | None]:
        """Places and turns of bodies that never move, shape (J, 3) and (J,).

        Turns are complex numbers, or None if all face +z.
        """
        places = self._standing
        turn = np.exp(1j * places[:, FACING]) if places[:, FACING].any() else None
        return np.ascontiguousarray(places[:, PLACE]), turn

    def from_world(self, velocity: Floats, points: Floats, body: Integers, times: Floats) -> Floats:
        """Transform velocities of points from the world to the frames of moving bodies.

        In a frame that turns with rate ω, v' = R⁻¹ (v − v_body) − ω × p'.

        Args:
            velocity: v, in the world, shape (N, 3), [m/s].
            points: p', the points in the body frames, shape (N, 3), [m].
            body: index of the body of each point, shape (N,).
            times: shape (N,), [s].

        Returns:
            v', shape (N, 3), [m/s].
        """
        if not self.has_movement:
            return self._still_to_body(velocity, body)
        place, place_rate = (self._along(body, times, derivative) for derivative in (0, 1))
        relative = velocity - place_rate[:, PLACE]
        turned_back = relative * (0.0, 1.0, 0.0)
        _add_turned(turned_back, relative, np.exp(-1j * place[:, FACING]))
        # ω × p', with ω along +y.
        swept_velocity = place_rate[:, FACING, None] * np.stack(
            [points[:, 2], 0 * points[:, 1], -points[:, 0]], axis=-1
        )
        return turned_back - swept_velocity

    def vertical_acceleration(self, body: Integers, times: Floats) -> Floats:
        """Upward acceleration of each body, shape (N,), [m/s²]."""
        return self._along(body, times, 2)[..., 1]

    def facing(self, body: Integers, times: Floats, derivative: int = 0) -> Floats:
        """The turn of each body, shape (N,), [rad], or a derivative of it."""
        return self._along(body, times, derivative)[..., FACING]

    def _along(self, body: Integers, times: Floats, derivative: int) -> Floats:
        """Places of bodies as of `places`, each at its own time, shape (…, 4)."""
        if not self.has_movement:
            still = self._standing if derivative == 0 else np.zeros_like(self._standing)
            return still.take(body + np.zeros(times.shape, dtype=np.intp), axis=0)
        return self.paths.evaluate(*self.paths.locate(body, times), derivative)


def body_paths(
    keys: BodyKeyframes, bodies: int, loop: float, as_juggling_lab: bool = False
) -> Bodies:
    """Return smooth periodic paths of bodies through their keyframes.

    Between keyframes that differ by more than half a turn, bodies turn through the smaller angle.

    Args:
        keys: the keyframes, sorted by juggler and time.
        bodies: number of bodies.
        loop: duration of the loop, [s].
        as_juggling_lab: along splines and turning steadily, as in Juggling Lab; otherwise they
            never overshoot.
    """
    # One keyframe for each body: none moves.
    if len(keys.time) == bodies:
        still = np.concatenate([keys.position, keys.facing[:, None]], axis=1)[:, None]
        return Bodies(PiecewisePolynomial(np.full(bodies, loop), keys.juggler, keys.time, still))
    following, duration = successors(keys.juggler, keys.time, loop)
    turns = keys.facing[following] - keys.facing
    # Half a turn keeps its direction, whatever rounding makes of it.
    turns = np.where(np.abs(turns) <= np.pi + _HALF_TURN_TOLERANCE, turns, wrap_angle(turns))
    if as_juggling_lab:
        return Bodies(_juggling_lab_paths(keys, bodies, loop, turns))
    # The curves are of steps from keyframe to keyframe; the keyframes themselves are added.
    steps = np.concatenate([keys.position[following] - keys.position, turns[:, None]], axis=1)
    coefficients = monotone(following, duration, steps)
    coefficients[:, 0] = np.concatenate([keys.position, keys.facing[:, None]], axis=1)
    return Bodies(PiecewisePolynomial(np.full(bodies, loop), keys.juggler, keys.time, coefficients))


def _juggling_lab_paths(
    keys: BodyKeyframes, bodies: int, loop: float, turns: Floats
) -> PiecewisePolynomial:
    """Return splines of places, and headings that turn at constant rates.

    For a short time around each keyframe the heading changes from one rate to the next.

    Args:
        keys: the keyframes, K rows.
        bodies: number of bodies.
        loop: duration of the loop, [s].
        turns: from each keyframe to the next, shape (K,), [rad].
    """
    following, duration = successors(keys.juggler, keys.time, loop)
    before = inverse_permutation(following)
    places = cubic(following, duration, keys.position)

    # Rates between keyframes, [rad/s]; the rate at each keyframe is the mean of both, and the
    # acceleration there takes half of the change within half of the blend.
    rate = turns / duration
    # A quarter of the shorter gap at most, so that blends do not overlap.
    blend = np.minimum(_TURN_BLEND, np.minimum(duration, duration[before]) / 4)
    mean_rate = (rate + rate[before]) / 2
    acceleration = (rate - rate[before]) / (2 * blend)

    # Three pieces: from each keyframe to a steady rate, at that rate, and from it to the next
    # keyframe.
    since = np.stack([np.zeros_like(blend), blend, duration - blend[following]], axis=1)
    zero = np.zeros_like(rate)
    leave = _quintic_turn(blend, rate * blend, (mean_rate, rate), (acceleration, zero))
    steady = np.pad(rate[:, None], ((0, 0), (1, 4)))
    arrive = _quintic_turn(
        blend[following],
        rate * blend[following],
        (rate, mean_rate[following]),
        (zero, acceleration[following]),
    )
    headings = np.stack([leave, steady, arrive], axis=1)
    headings[:, :, 0] += keys.facing[:, None] + rate[:, None] * since

    # Places in the same pieces, as columns beside the headings; cubics filled up to quintics.
    places_by_piece = np.pad(
        _cubics_with_later_origin(places, since), ((0, 0), (0, 0), (0, 2), (0, 0))
    )
    coefficients = np.concatenate([places_by_piece, headings[..., None]], axis=-1).reshape(-1, 6, 4)
    times = (keys.time[:, None] + since).reshape(-1) % loop
    path = np.repeat(keys.juggler, 3)
    order = np.lexsort((times, path))
    return PiecewisePolynomial(
        np.full(bodies, loop), path[order], times[order], coefficients[order]
    )


def _quintic_turn(
    duration: Floats,
    step: Floats,
    rates: tuple[Floats, Floats],
    accelerations: tuple[Floats, Floats],
) -> Floats:
    """Headings that change their rates, as quintics from 0, shape (K, 6), [rad].

    Args:
        duration: shape (K,), [s].
        step: angle by which they turn, shape (K,), [rad].
        rates, accelerations: at start and end, shape (K,) each, [rad/s] and [rad/s²].
    """
    # As polynomials with one column.
    columns = [(start[:, None], end[:, None]) for start, end in (rates, accelerations)]
    return quintic(duration, step[:, None], *columns)[..., 0]


def _cubics_with_later_origin(coefficients: Floats, since: Floats) -> Floats:
    """Rewrite each cubic as cubics of the time since S later times, shape (K, S, 4, C).

    Args:
        coefficients: by ascending powers of time, shape (K, 4, C).
        since: the later times, shape (K, S), [s].
    """
    a, b, c, d = (coefficients[:, None, term] for term in range(4))
    u = since[..., None]
    return np.stack(
        [a + u * (b + u * (c + u * d)), b + u * (2 * c + 3 * u * d), c + 3 * u * d, d + 0 * u],
        axis=2,
    )


def phasor_derivatives(turn: list[Floats]) -> list[Complexes]:
    """Compute the phasor z = exp(iθ) and as many of its time derivatives as are known of θ.

    z' = iθ'z, so by the product rule z^(n + 1) is the sum of C(n, k) iθ^(k + 1) z^(n − k) over k.

    Args:
        turn: θ and its derivatives, [rad], [rad/s] …, of the same shape each.
    """
    derivatives = [np.exp(1j * turn[0])]
    for order in range(len(turn) - 1):
        terms = (
            comb(order, step) * 1j * turn[step + 1] * derivatives[order - step]
            for step in range(order + 1)
        )
        derivatives.append(sum(terms, start=np.zeros_like(derivatives[0])))
    return derivatives


def _add_turned(total: Floats, points: Floats, turn: Complexes) -> None:
    """Add the horizontal part of points times complex numbers, with z real and x imaginary."""
    total[..., 2] += points[..., 2] * turn.real - points[..., 0] * turn.imag
    total[..., 0] += points[..., 0] * turn.real + points[..., 2] * turn.imag
