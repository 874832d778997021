"""Elbow solvers of one's own, from functions that say where elbows should be."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.closed_form import carried_direction, pose_arms, swing_elbows
from juggle_anim.body.arms.solvers import SOLVERS, Arm, ArmPose, HandDirections, Solver
from juggle_anim.errors import ParameterError, printable
from juggle_anim.language import _
from juggle_anim.parameters import ARM_SOLVERS, add_arm_solver
from juggle_anim.vectors import cross, dot, unit

ElbowFunction = Callable[[Floats, Floats, Arm, "int | Integers", "float | Floats"], Floats]
"""Where elbows should be, shape (..., 3), [m]; its arguments are the first five of `Solver`."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def register_solver(name: str, elbows: ElbowFunction) -> None:
    """Register an elbow solver, for the command line, the panel and the arm lab.

    Args:
        name: the name that users type: lower-case letters, digits and hyphens. A name that was
            registered before is replaced.
        elbows: called as `elbows(shoulder, hand, arm, side, swivel)`, with arrays of any leading
            shape; see `juggle_anim.body.arms.Solver`. It returns where elbows should be, shape
            (..., 3), [m]. Bones never stretch: an elbow is put on its circle about the line to
            the hand, in the direction of the position that is returned.

    Raises:
        ParameterError: the name is that of a built-in solver, or has other characters.
    """
    if name in ARM_SOLVERS or not _NAME.fullmatch(name):
        accepted = _(
            "a name of lower-case letters, digits and hyphens, other than {names}",
            names=", ".join(ARM_SOLVERS),
        )
        raise ParameterError.of("name", name, accepted)
    SOLVERS[name] = _solver_of(name, elbows)
    add_arm_solver(name)


def _solver_of(name: str, elbows: ElbowFunction) -> Solver:
    """Return a solver that places elbows by a user's function.

    Bones do not stretch: each elbow lies on its circle about the line from shoulder to wrist, where
    it is nearest in direction to the place that the function returns.

    Args:
        name: the name of the solver, for messages.
        elbows: returns wanted places of elbows, shape (..., 3), [m]. It is called with the wrists
            that arms reach, rather than with hands out of reach.

    Returns:
        The solver. It raises a `ParameterError` if the function returns values that are not finite
        or of another shape.
    """

    def solve(
        shoulder: Floats,
        hand: Floats,
        arm: Arm,
        side: int | Integers,
        swivel: float | Floats,
        directions: HandDirections | None = None,
    ) -> ArmPose:
        """Pose arms with elbows on the side where the user's function wants them.

        Args:
            shoulder, hand: shape (..., 3), shoulders and wanted wrists, [m].
            arm: lengths of upper arm and forearm, [m].
            side: 0 left and 1 right, a number or of shape (...).
            swivel: the chicken-wing angle, a number or of shape (...), [rad].
            directions: unused; the same signature as every `Solver`.

        Raises:
            ParameterError: the function returns values that are not finite or of another shape.
        """
        # Any pose with the wrist in its place will do: a turn about the line from shoulder to wrist
        # takes its elbow anywhere on the circle of possible ones.
        pose = pose_arms(carried_direction, shoulder, hand, arm, side, swivel)
        wanted = np.asarray(elbows(shoulder, pose.wrist, arm, side, swivel), dtype=float)
        _check_returned(wanted, pose.elbow.shape, name)
        root = np.broadcast_to(shoulder, pose.elbow.shape)
        line = unit(pose.wrist - root)
        # Right-handed angle from the elbow as posed to the one that is wanted, both seen along the
        # line to the wrist. An elbow wanted on the line has no direction; atan2(0, 0) = 0 leaves
        # the posed one.
        posed = _across(pose.elbow - root, line)
        aimed = _across(wanted - root, line)
        turns = np.arctan2(dot(cross(posed, aimed), line), dot(posed, aimed)).ravel()
        return swing_elbows(pose, root, np.arange(turns.size), turns)

    return solve


def _check_returned(elbows: Floats, shape: tuple[int, ...], name: str) -> None:
    """Check what a user's function returned.

    Args:
        elbows: the array that it returned.
        shape: the shape that this should have.
        name: the name of the solver, for messages.

    Raises:
        ParameterError: the shape is another, or a value is not finite.
    """
    returned: object
    if elbows.shape != shape:
        returned = elbows.shape
    elif not np.isfinite(elbows).all():
        # The first value that is not finite.
        returned = elbows[~np.isfinite(elbows)][0]
    else:
        return
    raise ParameterError(
        _(
            "the elbow solver {name} must return finite numbers of shape {shape}, but "
            "returned {returned}",
            name=printable(name, 40),
            shape=shape,
            returned=returned,
        )
    )


def _across(vectors: Floats, line: Floats) -> Floats:
    """The parts of vectors at right angles to unit vectors, both of shape (..., 3)."""
    across: Floats = vectors - dot(vectors, line) * line
    return across
