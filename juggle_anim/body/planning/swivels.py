"""Guided elbows: a few arms whose elbows follow a plan while their solver would move them too fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.closed_form import swing_elbows
from juggle_anim.body.arms.solvers import AT_EASE, ArmPose, Solver, adjusted
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import cross, dot, unit

SWIVEL_CHANNELS = 4
"""Values of each arm: the direction from the line between shoulder and wrist to the elbow, scaled by the weight of the
plan, and that weight."""

TOWARD, SHARE = slice(0, 3), 3
"""Indices of the direction and of the weight among these values."""


@dataclass(frozen=True)
class Swivels:
    """The planned elbow directions of A arms over a loop; `juggle_anim.body.planning.swivel_plan` makes them.

    Args:
        arms: shape (A,), 2 · juggler + side.
        track: shape (T, A, `SWIVEL_CHANNELS`), in the frame of a juggler facing +z, at the default swivel `AT_EASE`.
    """

    arms: Integers
    track: PeriodicSpline


def guide(solver: Solver, arms: Integers, planned: Floats, lift: float | Floats = 0.0) -> Solver:
    """A solver whose elbows follow a plan.

    Args:
        solver: any; its solution is kept for arms and times without a plan.
        arms: shape (A,), as in `Swivels`.
        planned: shape (T, A, `SWIVEL_CHANNELS`), the track at T times; the returned solver takes arms of shape
            (T, J, 2).
        lift: the part of the swivels that the plan has already, [rad].
    """

    def follow(pose: ArmPose, shoulder: Floats, side: int | Integers, swivel: float | Floats) -> ArmPose:
        guided = planned[..., SHARE] > 0.0
        rows = (np.arange(len(planned))[:, None] * pose.gap[0].size + arms)[guided]
        if not rows.size:
            return pose
        outward = (1.0 - 2.0 * np.asarray(side)) * (swivel - lift - AT_EASE)
        swivels = np.broadcast_to(outward, pose.gap.shape).reshape(-1)[rows]
        return swing_elbows(pose, shoulder, rows, _turns(pose, shoulder, rows, planned[guided], swivels))

    return adjusted(solver, follow)


def _turns(pose: ArmPose, shoulder: Floats, rows: Integers, planned: Floats, outward: Floats) -> Floats:
    """The angles from the solver's elbows to the planned ones about the lines to the wrists, shape (N,), [rad]."""
    root, elbow, wrist = (each.reshape(-1, 3)[rows] for each in (shoulder, pose.elbow, pose.wrist))
    axis = unit(wrist - root)
    solved, target = (across - dot(across, axis) * axis for across in (elbow - root, planned[:, TOWARD]))
    target = np.cos(outward)[:, None] * target + np.sin(outward)[:, None] * cross(axis, target)
    target += (1.0 - planned[:, SHARE, None]) * unit(solved)
    return np.arctan2(dot(cross(solved, target), axis), dot(solved, target))[:, 0]
