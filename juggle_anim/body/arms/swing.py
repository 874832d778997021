"""Swinging an arm: shoulder and wrist stay, and the elbow turns about the line between them."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.arm_pose import ArmPose
from juggle_anim.vectors import column_norm

LEAST_LINE = 1e-6
"""An arm whose wrist is so near to its shoulder turns about no line, [m]."""


def swung(pose: ArmPose, shoulder: Floats, rows: Integers, turns: Floats) -> ArmPose:
    """The pose with some arms turned rigidly about the lines to their wrists.

    Args:
        pose: arms of any shape.
        shoulder: shape (..., 3), [m].
        rows: shape (N,), which arms, counted through the shape.
        turns: shape (N,), right-handed about the direction from shoulder to wrist, [rad].
    """
    root, elbow, wrist = (each.reshape(-1, 3)[rows] for each in (shoulder, pose.elbow, pose.wrist))
    turn = _rotations((wrist - root).T, turns)
    elbows, rotations = pose.elbow.reshape(-1, 3).copy(), pose.rotations.reshape(-1, 2, 3, 3).copy()
    elbows[rows] = root + (turn @ (elbow - root)[..., None])[..., 0]
    rotations[rows] = turn[:, None] @ rotations[rows]
    return ArmPose(elbows.reshape(pose.elbow.shape), pose.wrist, rotations.reshape(pose.rotations.shape), pose.gap)


def _rotations(lines: Floats, turns: Floats) -> Floats:
    """Matrices that turn about lines (3, N); shape (N, 3, 3); Rodrigues' formula."""
    length = column_norm(lines)
    turns = np.where(length > LEAST_LINE, turns, 0.0)
    x, y, z = axis = lines / np.maximum(length, LEAST_LINE)
    sine, rest = np.sin(turns), 1.0 - np.cos(turns)
    matrix = axis[:, None] * axis[None] * rest
    matrix[0, 0] += 1.0 - rest
    matrix[1, 1] += 1.0 - rest
    matrix[2, 2] += 1.0 - rest
    for (row, column), part in zip(((2, 1), (0, 2), (1, 0)), (x, y, z), strict=True):
        matrix[row, column] += sine * part
        matrix[column, row] -= sine * part
    return np.ascontiguousarray(matrix.transpose(2, 0, 1))
