"""Guided elbows: a few arms whose elbows follow a plan while their solver would move them too fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.closed_form import swing_elbows
from juggle_anim.body.arms.solvers import AT_EASE, Arm, ArmPose, Solver
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.vectors import cross, dot, unit

SWIVEL_CHANNELS = 4
"""Numbers for each arm: the direction from the line between shoulder and wrist to the elbow, as long as the share that
the plan has in it, and that share."""

TOWARD, SHARE = slice(0, 3), 3
"""Which of them is which."""


@dataclass(frozen=True)
class Swivels:
    """Where the elbows of A arms are led over a loop; `juggle_anim.body.planning.swivel_plan` makes it.

    Args:
        arms: shape (A,), 2 · juggler + side.
        track: shape (T, A, `SWIVEL_CHANNELS`), seen from jugglers who face +z, for elbows at ease.
    """

    arms: Integers
    track: PeriodicSpline

    def lead(self, solver: Solver, times: Floats) -> Solver:
        """A solver whose arms are led.

        Args:
            solver: any; what it makes of other arms, and of these when no plan is for them, stays as it is.
            times: shape (T,), [s]; the solver is then called for arms of shape (T, J, 2).
        """

        def solve(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> ArmPose:
            pose = solver(shoulder, hand, arm, side, swivel)
            led = self.track.at(times)
            rows = (np.arange(len(times))[:, None] * pose.gap[0].size + self.arms)[led[..., SHARE] > 0.0]
            if not rows.size:
                return pose
            outward = (1.0 - 2.0 * np.asarray(side)) * (swivel - AT_EASE)
            turned = np.broadcast_to(outward, pose.gap.shape).reshape(-1)[rows]
            return swing_elbows(pose, shoulder, rows, _turns(pose, shoulder, rows, led[led[..., SHARE] > 0.0], turned))

        return solve


def _turns(pose: ArmPose, shoulder: Floats, rows: Integers, led: Floats, outward: Floats) -> Floats:
    """By how much elbows have to turn about the lines to their wrists, shape (N,), [rad]."""
    root, elbow, wrist = (each.reshape(-1, 3)[rows] for each in (shoulder, pose.elbow, pose.wrist))
    axis = unit(wrist - root)
    here, there = (across - dot(across, axis) * axis for across in (elbow - root, led[:, TOWARD]))
    there = np.cos(outward)[:, None] * there + np.sin(outward)[:, None] * cross(axis, there)
    there += (1.0 - led[:, SHARE, None]) * unit(here)
    return np.arctan2(dot(cross(here, there), axis), dot(here, there))[:, 0]
