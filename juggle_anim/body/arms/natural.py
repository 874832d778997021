"""The natural arm: elbows as people have them, fitted to measured human arms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from juggle_anim.arrays import Floats, Integers, Rule
from juggle_anim.body.arms.closed_form import carried_direction, pose_arms
from juggle_anim.body.arms.solvers import AT_EASE, Arm, ArmPose
from juggle_anim.vectors import column_units

# The elbow's direction is carried from here. Opposite, behind the shoulder and a third of the way up, is the one
# direction around which it turns fast: hands of people who stand upright were never measured within 72° of it.
_HOME = np.array([0.0, -0.6, 0.95]) / np.hypot(0.6, 0.95)

FITTED = (0.760, -1.019, 0.660, -0.305, 0.249, 0.100, 0.097, -0.539, 0.145)
"""What `scripts/fit_natural_elbow.py` finds, in the order of the terms in `outward_turn`, [rad].

Fitted to 10,238 poses from the CMU graphics lab motion capture database (http://mocap.cs.cmu.edu, free for all uses).
"""


def natural(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> ArmPose:
    """Pose arms as people at ease do; arguments as in `Solver`.

    The elbow's direction is `resting_direction`, turned outward by an angle that depends smoothly on the direction to
    the hand (`outward_turn`). So no elbow jumps, except for a hand that passes behind and above its shoulder, where
    people's hands cannot be. The swivel counts from `AT_EASE`, where the elbow is as people have it.
    """
    away = np.asarray(hand, dtype=float) - shoulder
    axis = column_units(np.ascontiguousarray(away.reshape(-1, 3).T), _HOME)[0]
    left, up, ahead = axis.reshape(3, *away.shape[:-1])
    turn = outward_turn(left * (1.0 - 2.0 * np.asarray(side)), up, ahead)
    return pose_arms(resting_direction, shoulder, hand, arm, side, turn + (swivel - AT_EASE))


def resting_direction(axis: Floats) -> Floats:
    """Where elbows lie before they are turned outward: unit columns (3, N) for unit columns toward the hands."""
    return carried_direction(axis, _HOME)


def outward_turn(out: Floats, up: Floats, ahead: Floats, numbers: Sequence[float] = FITTED) -> Floats:
    """How far people turn the elbow outward from the direction that the body carries, [rad].

    All polynomials of the second degree on the sphere of directions: with x out, y up and z ahead,
    n₀ + n₁x + n₂y + n₃z + n₄x² + n₅xy + n₆xz + n₇yz + n₈z².

    Args:
        out, up, ahead: parts of the unit direction from shoulder to hand; out is away from the other arm.
        numbers: n₀ to n₈.
    """
    n = numbers
    of_out = n[1] + n[4] * out + n[5] * up + n[6] * ahead
    of_ahead = n[3] + n[7] * up + n[8] * ahead
    return n[0] + n[2] * up + of_out * out + of_ahead * ahead


NATURAL_RULES: dict[str, Rule] = {
    "AT_EASE": AT_EASE, "HOME": _HOME, "FITTED": FITTED,
}  # fmt: skip
"""Constants for a web page, by the names in its scripts."""
