"""The chicken-wing arm: as printed, and generalised to any bones and hands without jumps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.closed_form import lowest_where, solver_from_field

PRINTED_FROM = 0.06
PRINTED_FULLY = 0.50
"""How far ahead of its shoulder a hand is, over its distance, where the printed rule begins and is
all there.
"""


def _elbow_field(axis: Floats) -> Floats:
    """Unit directions of elbows at swivel 0, columns (3, N), for unit columns toward the hands."""
    return lowest_where(axis, (axis[2] - PRINTED_FROM) / (PRINTED_FULLY - PRINTED_FROM))


chicken_wing = solver_from_field(_elbow_field)
"""Pose arms by the chicken-wing rule, as a `Solver`.

For hands in front of the shoulder this is the printed rule (`get_elbow_position`): swivel 0 puts
the elbow lowest, in the vertical plane of shoulder and hand, and a positive one lifts it outward.
That rule turns the elbow once around with a hand that circles the vertical through the shoulder, so
it jumps for a hand that passes straight under or over it. As the hand leaves the space in front,
the rule therefore gives way to `carried_direction`, which does not jump there.
"""

AT_SHOULDER = 1e-12
"""A hand that is nearer to its shoulder has no direction, [m]."""

_BLOCK_SIZE = 8192  # arms whose arrays fit into the cache of a core


def original_axes(points: ArrayLike) -> Floats:
    """Convert points to the axes of `get_elbow_position`, or back: (x, y, z) → (−x, y, −z).

    In animations +y is up, too, but a juggler faces +z and has the left hand at +x: half a turn
    about y.

    Args:
        points: shape (..., 3).

    Returns:
        Shape (..., 3).
    """
    turned: Floats = np.asarray(points, dtype=float) * (-1.0, 1.0, -1.0)
    return turned


def get_elbow_position(
    S: ArrayLike,  # noqa: N803
    H: ArrayLike,  # noqa: N803
    l: float,  # noqa: E741
    omega: ArrayLike,
    hand: ArrayLike,
) -> Floats:
    """Elbow of an arm of two equal bones, swivelled out of the plane of shoulder and hand.

    At omega 0 the elbow is in the vertical plane through shoulder and hand, at its lower place.
    Names of the arguments are those of the original, as printed.

    The axes are those of the original: +y up, the juggler faces −z and has the right hand at +x;
    `original_axes` converts from those of animations and back. With H' = H − S, r = |H'| and θ =
    atan2(H'z, H'x), H'' is H' turned by θ about y into the plane z = 0. There E'' = H''/2 +
    h·û₁·cos ω' + h·û₂·sin ω', with h = √(l² − r²/4), û₁ across H'' and down in this plane, û₂ along
    z, and ω' = ω for the right hand and −ω for the left. The elbow is E'' turned back by θ, plus S.

    Where the original divides by zero (the hand at the shoulder) the arm is folded straight ahead;
    where it stretches the arm (r > 2l) the elbow stays at its distance l from the shoulder, on the
    line to the hand.

    Args:
        S: shape (..., 3), shoulder, [m].
        H: shape (..., 3), hand, [m].
        l: length of each bone, [m].
        omega: shape (...), chicken-wing angle, [rad]; positive lifts the elbow outward.
        hand: shape (...), 0 for the left and 1 for the right.

    Returns:
        Elbows, shape (..., 3), [m].
    """
    try:
        return _one_elbow(
            S.tolist() if isinstance(S, np.ndarray) and S.ndim == 1 else S,
            H.tolist() if isinstance(H, np.ndarray) and H.ndim == 1 else H,
            l,
            omega,
            hand,
        )
    except (TypeError, ValueError, ZeroDivisionError):
        # Several arms, or a hand at its shoulder or straight above or below it.
        return _elbows(
            np.asarray(S, dtype=float),
            np.asarray(H, dtype=float),
            l,
            np.asarray(omega, dtype=float),
            np.asarray(hand),
        )


def _one_elbow(shoulder: Any, wrist: Any, length: float, omega: Any, hand: Any) -> Floats:
    """Return the elbow of one arm, computed with plain numbers: arrays of three take 20 times as
    long.

    The arguments are those of `get_elbow_position`.

    Raises:
        TypeError, ValueError: they are of several arms.
        ZeroDivisionError: the hand is at its shoulder, or straight above or below it.
    """
    shoulder_x, shoulder_y, shoulder_z = shoulder
    wrist_x, wrist_y, wrist_z = wrist
    x = wrist_x - shoulder_x
    y = wrist_y - shoulder_y
    z = wrist_z - shoulder_z
    level_square = x * x + z * z
    level = math.sqrt(level_square)
    r = math.sqrt(level_square + y * y)
    if r < AT_SHOULDER or level == 0.0:
        raise ZeroDivisionError
    half = min(r / 2, length)
    h = math.sqrt(length * length - half * half)
    signed_omega = omega if hand == 1 else -omega
    # As in `_elbows`, with the sine and cosine of the heading, z / level and x / level, put in.
    half_share = half / r
    lift_share = h * math.cos(signed_omega) / r
    across_share = half_share + lift_share * y / level
    out_of_plane_share = h * math.sin(signed_omega) / level
    return np.array(
        (
            shoulder_x + across_share * x - out_of_plane_share * z,
            shoulder_y + half_share * y - lift_share * level,
            shoulder_z + across_share * z + out_of_plane_share * x,
        )
    )


def _elbows(
    shoulder: Floats, wrist: Floats, length: float, omega: Floats, hand: Integers
) -> Floats:
    """Return the elbows of any arms; the arguments are those of `get_elbow_position`."""
    to_hand = wrist - shoulder
    if to_hand.size > 3 * _BLOCK_SIZE:
        return _elbows_in_blocks(shoulder, wrist, length, omega, hand)
    x = to_hand[..., 0]
    y = to_hand[..., 1]
    z = to_hand[..., 2]
    level_square = x * x + z * z
    level = np.sqrt(level_square)
    r = np.sqrt(level_square + y * y)
    # The elbow of two equal bones is half way to the hand, at most a bone's length, and the height
    # h of an isosceles triangle across.
    half = np.minimum(r / 2, length)
    # A hand at the shoulder has no direction; straight ahead, −z, is taken.
    at_shoulder = r < AT_SHOULDER
    if at_shoulder.any():
        x = np.where(at_shoulder, 0.0, x)
        y = np.where(at_shoulder, 0.0, y)
        z = np.where(at_shoulder, -1.0, z)
        level = np.where(at_shoulder, 1.0, level)
        r = np.where(at_shoulder, 1.0, r)
        half = np.where(at_shoulder, 0.0, half)
    # The heading θ of a hand straight above or below is 0.
    vertical = level == 0.0
    divisor = level + vertical
    cosine = x / divisor + vertical
    sine = z / divisor
    h = np.sqrt(length * length - half * half)
    # Coordinates of E'': out of the plane of shoulder and hand (z), level in it (x) and up (y).
    # With û₁ = (y, −level) / r, `lift` is the part h cos ω' along û₁.
    signed_omega = np.where(hand == 1, omega, -omega)
    out_of_plane = h * np.sin(signed_omega)
    lift = h * np.cos(signed_omega) / r
    half /= r
    across = half * level + lift * y
    up = half * y - lift * level
    # Turned back by θ about y.
    elbow = np.empty((*up.shape, 3))
    elbow[..., 0] = across * cosine - out_of_plane * sine
    elbow[..., 1] = up
    elbow[..., 2] = across * sine + out_of_plane * cosine
    elbow += shoulder
    return elbow


def _elbows_in_blocks(
    shoulder: Floats, wrist: Floats, length: float, omega: Floats, hand: Integers
) -> Floats:
    """Return the elbows of many arms, computed by blocks that fit into the processor's cache."""
    shape = np.broadcast_shapes(shoulder.shape[:-1], wrist.shape[:-1], omega.shape, hand.shape)
    shoulders = np.broadcast_to(shoulder, (*shape, 3)).reshape(-1, 3)
    wrists = np.broadcast_to(wrist, (*shape, 3)).reshape(-1, 3)
    omegas = np.broadcast_to(omega, shape).ravel()
    hands = np.broadcast_to(hand, shape).ravel()
    elbows = np.empty_like(shoulders)
    for start in range(0, len(elbows), _BLOCK_SIZE):
        block = slice(start, start + _BLOCK_SIZE)
        elbows[block] = _elbows(
            shoulders[block], wrists[block], length, omegas[block], hands[block]
        )
    return elbows.reshape(*shape, 3)
