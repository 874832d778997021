"""The chicken-wing arm: as printed, and generalised to any bones and hands without jumps."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from juggle_anim.arrays import Floats
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
    shoulder = np.asarray(S, dtype=float)
    to_hand = np.asarray(H, dtype=float) - np.asarray(S, dtype=float)
    x, y, z = np.moveaxis(to_hand, -1, 0)
    r = np.sqrt(x * x + y * y + z * z)
    theta = np.arctan2(z, x)
    # A hand at the shoulder (within 1e-12 m) has no direction; straight ahead, −z, is taken, which
    # is a heading of −π/2. The 1s avoid divisions by 0.
    at_shoulder = r < 1e-12
    r = np.where(at_shoulder, 1.0, r)
    level = np.where(at_shoulder, 1.0, np.sqrt(x * x + z * z))
    theta = np.where(at_shoulder, -np.pi / 2, theta)
    # The elbow of two equal bones is half way to the hand, at most a bone's length, and the height
    # h of an isosceles triangle across.
    half = np.where(at_shoulder, 0.0, np.minimum(r / 2, l))
    h = np.sqrt(np.maximum(l * l - half * half, 0.0))
    # Coordinates of E'': out of the plane of shoulder and hand (z), level in it (x) and up (y).
    # With û₁ = (y, −level) / r, `lift` is the part h cos ω' along û₁.
    signed_omega = np.where(np.asarray(hand) == 1, 1.0, -1.0) * np.asarray(omega, dtype=float)
    out_of_plane = h * np.sin(signed_omega)
    lift = h * np.cos(signed_omega)
    across = half * level / r + lift * y / r
    up = half * y / r - lift * level / r
    # Turned back by θ about y.
    elbow = np.stack(
        [
            across * np.cos(theta) - out_of_plane * np.sin(theta),
            up,
            across * np.sin(theta) + out_of_plane * np.cos(theta),
        ],
        axis=-1,
    )
    return shoulder + elbow
