"""Paths of bodies over the floor, and conversion between the frames of bodies and the world."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import comb

import numpy as np

from juggle_anim.arrays import Complexes, Floats, Integers
from juggle_anim.choreography import BodyKeyframes
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.piecewise import PiecewisePolynomial, cubic, monotone, quintic, successors
from juggle_anim.vectors import inverse_permutation, rotate_about_y, wrap_angle

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
        paths: the paths of each body, with columns x, y, z of the place under its feet [m], and its
            turn about +y [rad].
    """

    paths: PiecewisePolynomial

    @cached_property
    def has_movement(self) -> bool:
        """Whether any body ever moves."""
        changes = self.paths.coefficients[:, 1:]
        return bool(changes.size and changes.any())

    def places(self, times: Floats, derivative: int = 0) -> Floats:
        """Places of all bodies at T times, or a time derivative of them, shape (T, J, 4).

        Columns are x, y, z of the place under the feet, [m], and the turn about +y, [rad].

        Args:
            times: T times, shape (T,), [s]; any value, as the paths repeat.
            derivative: order of the time derivative, 0 for places.
        """
        return self._along(np.arange(len(self.paths.periods)), times[:, None], derivative)

    def orders(self, derivative: int) -> Sequence[int]:
        """Orders of the derivatives in body frames that `to_world` needs for one in the world.

        For moving bodies these are all from 0 to `derivative`, ascending, by the product rule; for
        bodies that never move only `derivative` itself. The last one is `derivative` in both cases.
        """
        return range(derivative + 1) if self.has_movement else (derivative,)

    def to_world(
        self, derivatives: Sequence[Floats], body: Integers, times: Floats, derivative: int = 0
    ) -> Floats:
        """Transform points from body frames to the world, or a time derivative of moving points.

        With R the turn about +y as a complex number, which applies to the horizontal part z + ix,
        and b the place of the body, derivative n of b + R p is b^(n) plus, by the product rule, the
        sum over k of C(n, k) R^(k) p^(n − k); C is the binomial coefficient.

        Args:
            derivatives: p and its derivatives up to n, ascending, in the body frames, shape (…, 3)
                each, [m], [m/s] … If no body ever moves, derivative n alone is enough: `orders`
                tells which are needed.
            body: index of the body of each point, any shape that broadcasts with ….
            times: the time of each point, of any such shape, [s].
            derivative: n, order of the derivative to return, 0 for positions.

        Returns:
            Shape (…, 3), a new array.
        """
        if not self.has_movement:
            return self._still_to_world(derivatives[-1], body, derivative)
        places = [self._along(body, times, order) for order in range(derivative + 1)]
        rotations = phasor_derivatives([place[..., FACING] for place in places])
        # Adding zeros of the points' shape broadcasts the places of bodies to it.
        world = places[derivative][..., PLACE] + np.zeros_like(derivatives[derivative])
        # Rotations concern x and z only; heights are added as they are.
        for k in range(derivative + 1):
            _add_turned(world, derivatives[derivative - k], comb(derivative, k) * rotations[k])
        world[..., 1] += derivatives[derivative][..., 1]
        return world

    def _still_to_world(self, points: Floats, body: Integers, derivative: int) -> Floats:
        """Transform points of bodies that never move to the world.

        Args:
            points: the requested derivative in the body frames, shape (…, 3).
            body: index of the body of each point, any shape that broadcasts with ….
            derivative: order of the requested derivative. Only positions, 0, depend on where the
                bodies stand; all others are only turned.

        Returns:
            Shape (…, 3), a new array.
        """
        # Where the bodies stand, [m], and their turns as complex numbers exp(iθ); the latter are
        # None if all bodies face +z, so that there is nothing to turn.
        standing, rotation = self._still
        if rotation is None:
            world: Floats = (
                points + standing.take(body, axis=0) if derivative == 0 else points.copy()
            )
            return world
        # Adding zeros gives an array of the points' shape.
        world = (
            standing.take(body, axis=0) + np.zeros_like(points)
            if derivative == 0
            else np.zeros_like(points)
        )
        # The horizontal part is turned, the height added as it is.
        _add_turned(world, points, rotation.take(body))
        world[..., 1] += points[..., 1]
        return world

    def _still_to_body(self, velocity: Floats, body: Integers) -> Floats:
        """Transform velocities from the world to the frames of bodies that never move, (N, 3)."""
        _, rotation = self._still  # None if all bodies face +z
        if rotation is None:
            return velocity
        # Begin with the vertical part, which a turn about +y leaves as it is, and add the
        # horizontal part, turned by −θ: the complex conjugate of exp(iθ) does that.
        back = velocity * (0.0, 1.0, 0.0)
        _add_turned(back, velocity, rotation.conj().take(body))
        return back

    @cached_property
    def _standing(self) -> Floats:
        """Places and turns of bodies that never move, shape (J, 4), [m] and [rad]."""
        # One piece for each path: the pieces are in the order of the bodies already.
        if len(self.paths.coefficients) == len(self.paths.periods):
            return self.paths.coefficients[:, 0]
        return self.paths.coefficients[self.paths.first, 0]

    @cached_property
    def _still(self) -> tuple[Floats, Complexes | None]:
        """Places of bodies that never move, shape (J, 3), [m], and their rotations, shape (J,).

        A rotation by the angle θ is the complex number exp(iθ); None if all bodies face +z, θ = 0.
        """
        places = self._standing
        facing = places[:, FACING]
        rotation = np.exp(1j * facing) if facing.any() else None
        return np.ascontiguousarray(places[:, PLACE]), rotation

    def from_world(self, velocity: Floats, points: Floats, body: Integers, times: Floats) -> Floats:
        """Transform velocities of points from the world to the frames of moving bodies.

        In the frame of a body that turns at the rate ω and moves at v_body, and whose turn is R,
        the velocity of a point p of that frame is R⁻¹ (v − v_body) − ω × p.

        Args:
            velocity: v of N points, in the world, shape (N, 3), [m/s].
            points: p, in the body frames, shape (N, 3), [m].
            body: index of the body of each point, shape (N,).
            times: one time for each, shape (N,), [s].

        Returns:
            Velocities relative to the body frames, shape (N, 3), [m/s].
        """
        if not self.has_movement:
            return self._still_to_body(velocity, body)
        # Rates of change of the place (x, y, z) and the turn of each body.
        rates = self._along(body, times, 1)
        relative = velocity - rates[:, PLACE]
        # R⁻¹ turns the horizontal part only, so the vertical part is taken as it is.
        turned_back = relative * (0.0, 1.0, 0.0)
        _add_turned(turned_back, relative, np.exp(-1j * self.facing(body, times)))
        # ω × p, with ω along +y, is ω (z, 0, −x).
        return turned_back - rates[:, FACING, None] * points[:, ::-1] * (1.0, 0.0, -1.0)

    def vertical_acceleration(self, body: Integers, times: Floats) -> Floats:
        """Upward acceleration of a body at each of N times, shape (N,), [m/s²].

        Args:
            body: indices of bodies, shape (N,).
            times: the times of each, shape (N,), [s].
        """
        if not self.has_movement:
            return np.zeros(len(times))
        return self._along(body, times, 2)[..., 1]

    def facing(self, body: Integers, times: Floats, derivative: int = 0) -> Floats:
        """The turn of a body about +y at each time, [rad], or a time derivative of it.

        Args:
            body: indices of bodies, any shape that broadcasts with `times`.
            times: the times of each, [s].
            derivative: order of the derivative, 0 for the turn.
        """
        return self._along(body, times, derivative)[..., FACING]

    def _along(self, body: Integers, times: Floats, derivative: int) -> Floats:
        """Places of bodies, each at its own time, or a time derivative of them.

        Args:
            body: indices of bodies, of any shape that broadcasts with `times`.
            times: [s].
            derivative: order of the time derivative, 0 for places.

        Returns:
            Shape (…, 4), where … is that to which the arguments broadcast. Columns are x, y, z of
            the place under the feet, [m], and the turn about +y, [rad].
        """
        if not self.has_movement:
            constant = self._standing if derivative == 0 else np.zeros_like(self._standing)
            # Adding zeros of the shape of the times broadcasts the indices.
            return constant.take(body + np.zeros(times.shape, dtype=np.intp), axis=0)
        return self.paths.evaluate(*self.paths.locate(body, times), derivative)


def body_origins(places: Floats, back: Floats) -> Floats:
    """Points in the world under bodies that stand back from their places, shape (..., 3), [m].

    Args:
        places: place and turn of each juggler, shape (..., 4), as from `Bodies.places`.
        back: distance of bodies behind these places, against the direction in which they face, of a
            shape that broadcasts with (...), [m].
    """
    behind = back[..., None] * np.array([0.0, 0.0, 1.0])
    return places[..., PLACE] - rotate_about_y(behind, places[..., FACING])


def body_paths(
    keyframes: BodyKeyframes, juggler_count: int, loop: float, *, as_juggling_lab: bool = False
) -> Bodies:
    """Return smooth periodic paths of bodies through their keyframes (places at given times).

    Bodies turn from one keyframe to the next through the smaller angle; where that is half a turn,
    in the direction in which the facing changes from one to the other.

    Args:
        keyframes: sorted by juggler and time, one or more for each juggler.
        juggler_count: number of bodies, one for each juggler.
        loop: duration of the loop, [s].
        as_juggling_lab: whether bodies move along splines and turn at constant rates, as in
            Juggling Lab; otherwise they never go beyond their keyframes.
    """
    # A piece of a body's path begins with each keyframe. Here and in the path a place is x, y, z,
    # and the facing in column `FACING`.
    places = np.concatenate([keyframes.position, keyframes.facing[:, None]], axis=1)
    # As many keyframes as bodies means one for each, so that none moves: constant paths.
    if len(keyframes.time) == juggler_count:
        coefficients = places[:, None]
    else:
        # The next keyframe of the same body, around the loop, and the time until it, [s].
        next_keyframe, duration = successors(keyframes.juggler, keyframes.time, loop)
        # Turns of up to half a turn are kept. The tolerance is for those by π or −π except for
        # rounding: they must keep their direction, which `wrap_angle` could reverse.
        turns = keyframes.facing[next_keyframe] - keyframes.facing
        turns = np.where(np.abs(turns) <= np.pi + _HALF_TURN_TOLERANCE, turns, wrap_angle(turns))
        if as_juggling_lab:
            return Bodies(_juggling_lab_paths(keyframes, juggler_count, loop, turns))
        # `monotone` returns displacements from the keyframe with which a piece begins; with that
        # keyframe as the constant term they become places.
        displacements = places[next_keyframe] - places
        displacements[:, FACING] = turns
        coefficients = monotone(next_keyframe, duration, displacements)
        coefficients[:, 0] = places
    return Bodies(
        PiecewisePolynomial(
            periods=np.full(juggler_count, loop),
            path_of_piece=keyframes.juggler,
            start=keyframes.time,
            coefficients=coefficients,
        )
    )


def _juggling_lab_paths(
    keyframes: BodyKeyframes, juggler_count: int, loop: float, turns: Floats
) -> PiecewisePolynomial:
    """Return the paths of bodies as Juggling Lab has them: splines, and turns at constant rates.

    Places follow closed cubic splines through the keyframes. The facing changes at a constant rate
    from keyframe to keyframe, and the rate for a short time around each keyframe.

    Args:
        keyframes: K keyframes, sorted by juggler and time.
        juggler_count: number of bodies, one for each juggler.
        loop: duration of the loop, [s].
        turns: turns from each keyframe to the next of the same body, shape (K,), [rad].
    """
    # By keyframe: the next one of the same body, around the loop, and the time until it, [s].
    following, duration = successors(keyframes.juggler, keyframes.time, loop)
    places = cubic(following, duration, keyframes.position)
    since, headings = _headings_at_constant_rates(following, duration, turns)
    headings[:, :, 0] += keyframes.facing[:, None]

    # The cubics of x, y, z are cut at the same times and filled up with zeros to quintics, of 6
    # coefficients. With the headings as a fourth column they are one table of pieces.
    places_by_piece = np.pad(
        _cubics_with_later_origin(places, since), ((0, 0), (0, 0), (0, 2), (0, 0))
    )
    coefficients = np.concatenate([places_by_piece, headings[..., None]], axis=-1)
    # One row for each piece, in place of an axis for keyframes and one for their three pieces.
    coefficients = coefficients.reshape(-1, *coefficients.shape[2:])
    # A piece after the last keyframe may start past the end of the loop, so in the next one: `%`
    # moves it to the start of this one, and the pieces are sorted again.
    start = (keyframes.time[:, None] + since).reshape(-1) % loop
    return PiecewisePolynomial(
        periods=np.full(juggler_count, loop),
        path_of_piece=np.repeat(keyframes.juggler, 3),
        start=start,
        coefficients=coefficients,
    ).sorted()


def _headings_at_constant_rates(
    following: Integers, duration: Floats, turns: Floats
) -> tuple[Floats, Floats]:
    """Return the headings of bodies that turn at a constant rate between K keyframes.

    Around each keyframe, for `_TURN_BLEND` or less before and after it, the rate changes steadily
    from that of the gap before to that of the gap after.

    Args:
        following: index of the next keyframe of the same body, around the loop, shape (K,).
        duration: time until it, shape (K,), above 0, [s].
        turns: turn until it, shape (K,), [rad].

    Returns:
        Three pieces after each keyframe: when they start, as times since the keyframe, shape
        (K, 3), [s]; and the turn since the keyframe, as coefficients by ascending powers of the
        time since the start of the piece, shape (K, 3, 6), [rad], [rad/s] …
    """
    previous = inverse_permutation(following)
    # The constant rate after each keyframe, [rad/s].
    rate = turns / duration
    # `blend` is at most a quarter of the shorter gap beside the keyframe: blends do not overlap.
    blend = np.minimum(_TURN_BLEND, np.minimum(duration, duration[previous]) / 4)
    # Rate and acceleration at the keyframe itself, [rad/s] and [rad/s²].
    mean_rate = (rate + rate[previous]) / 2
    acceleration = (rate - rate[previous]) / (2 * blend)

    # Three pieces follow each keyframe, and start at `since` after it, shape (K, 3): `leave` goes
    # from the keyframe's rate to the constant one, `steady` keeps that, and `arrive` goes on to the
    # rate at the next keyframe. Each piece begins and ends at the heading that a turn at the
    # constant rate all the way from keyframe to keyframe would have at that time.
    since = np.stack([np.zeros_like(blend), blend, duration - blend[following]], axis=1)
    zero = np.zeros_like(rate)
    leave = _quintic_turn(blend, rate * blend, (mean_rate, rate), (acceleration, zero))
    steady = np.zeros_like(leave)
    steady[:, 1] = rate
    arrive = _quintic_turn(
        blend[following],
        rate * blend[following],
        (rate, mean_rate[following]),
        (zero, acceleration[following]),
    )
    headings = np.stack([leave, steady, arrive], axis=1)
    headings[:, :, 0] = rate[:, None] * since
    return since, headings


def _quintic_turn(
    duration: Floats,
    step: Floats,
    rates: tuple[Floats, Floats],
    accelerations: tuple[Floats, Floats],
) -> Floats:
    """Return headings of K bodies while they change the rate at which they turn, as quintics.

    All begin with the heading 0.

    Args:
        duration: shape (K,), above 0, [s].
        step: angle by which they turn from start to end, shape (K,), [rad].
        rates, accelerations: a pair each, at start and end, shape (K,), [rad/s] and [rad/s²].

    Returns:
        Coefficients by ascending powers of the time since the start, [s], shape (K, 6), [rad] …
    """
    # `quintic` wants and returns columns; here there is one.
    columns = [(start[:, None], end[:, None]) for start, end in (rates, accelerations)]
    return quintic(duration, step[:, None], *columns)[..., 0]


def _cubics_with_later_origin(coefficients: Floats, since: Floats) -> Floats:
    """Rewrite each of K cubics as S cubics, each of the time since a later origin.

    Args:
        coefficients: coefficients by ascending powers of the time since a first origin, for C
            coordinates, shape (K, 4, C).
        since: the later origins, as times since the first, shape (K, S), [s].

    Returns:
        Coefficients by ascending powers of the time since the later origins, shape (K, S, 4, C).
    """
    # Taylor's formula: coefficient n is derivative n at the later origin, over n!. The last one
    # stays d; `0 * u` only gives it the shape of the others.
    a, b, c, d = (coefficients[:, None, term] for term in range(4))
    u = since[..., None]
    return np.stack(
        [a + u * (b + u * (c + u * d)), b + u * (2 * c + 3 * u * d), c + 3 * u * d, d + 0 * u],
        axis=2,
    )


def phasor_derivatives(angles: list[Floats]) -> list[Complexes]:
    """Compute the phasor z = exp(iθ) and its time derivatives, up to the highest known of θ.

    z' = iθ'z, so by the product rule z^(n + 1) is the sum of C(n, k) iθ^(k + 1) z^(n − k) over k
    from 0 to n; numbers in brackets are orders of derivatives, C is the binomial coefficient.

    Args:
        angles: θ and its derivatives in ascending order, [rad], [rad/s] …, of the same shape each;
            one or more.

    Returns:
        z and its derivatives in ascending order, as long as `angles`.
    """
    derivatives = [np.exp(1j * angles[0])]
    for n in range(len(angles) - 1):
        terms = (comb(n, k) * 1j * angles[k + 1] * derivatives[n - k] for k in range(n + 1))
        derivatives.append(sum(terms, start=np.zeros_like(derivatives[0])))
    return derivatives


def _add_turned(total: Floats, points: Floats, rotation: Complexes) -> None:
    """Add the horizontal part of points, turned and scaled by complex numbers, in place.

    Args:
        total: shape (…, 3), to whose x and z is added; changed in place.
        points: shape (…, 3), of which x and z are read, as the complex number z + ix.
        rotation: complex factors, shape …; exp(iθ) turns by θ about +y.
    """
    total[..., 2] += points[..., 2] * rotation.real - points[..., 0] * rotation.imag
    total[..., 0] += points[..., 0] * rotation.real + points[..., 2] * rotation.imag
