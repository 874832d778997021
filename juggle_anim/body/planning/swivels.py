"""Guided elbows: arms that reach around their body, and a few whose elbows follow a plan while their solver would move
them too fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.closed_form import swing_elbows
from juggle_anim.body.arms.solvers import AT_EASE, ArmPose, Solver, adjusted
from juggle_anim.choreography.body_throws import BODY_THROWS
from juggle_anim.choreography.choreography import CATCH
from juggle_anim.motion import Motion
from juggle_anim.motion.piecewise import PeriodicSpline, successors
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


def elbows_around_bodies(motion: Motion, knots: int) -> PeriodicSpline | None:
    """By how much elbows turn outward for throws and catches around bodies, shape (T, J, 2), [rad]; None without any.

    Each turns from the event before on, and back until the event after.

    Args:
        motion: its choreography says which throws and catches go around bodies.
        knots: number of control values of the spline.
    """
    choreography = motion.choreography
    events, loop = choreography.events, choreography.duration
    if events.body_throw is None:
        return None
    thrown = np.flatnonzero(events.kind <= CATCH)
    thrown = thrown[np.lexsort((events.time[thrown], events.hand[thrown]))]
    hand, rows = events.hand[thrown], events.body_throw[thrown]
    to, gap = successors(hand, events.time[thrown], loop)
    before = np.empty_like(gap)
    before[to] = gap
    times = np.arange(knots) * (loop / knots)
    controls = np.zeros((knots, 2 * choreography.jugglers))
    for number in np.flatnonzero(rows):
        since = (times - events.time[thrown[number]] + loop / 2) % loop - loop / 2
        share = np.abs(since) / np.where(since < 0, before[number], gap[number])
        bell = np.cos(np.minimum(share, 1.0) * (np.pi / 2)) ** 2
        controls[:, hand[number]] += np.radians(BODY_THROWS[rows[number] - 1].elbow) * bell
    return PeriodicSpline(controls.reshape(knots, -1, 2), loop) if controls.any() else None
