"""Elbow solvers of one's own, from functions that say where elbows should be."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.closed_form import carried_direction, pose_arms, swing_elbows
from juggle_anim.body.arms.solvers import SOLVERS, Arm, ArmPose, HandDirections, Solver
from juggle_anim.errors import ParameterError, printable
from juggle_anim.language import _
from juggle_anim.parameters import ARM_SOLVERS, add_arm_solver
from juggle_anim.vectors import cross, dot, unit, y_up, z_up

ElbowFunction = Callable[[Floats, Floats, Arm, "int | Integers", "float | Floats"], Floats]
"""Where elbows should be, shape (..., 3), [m]; its arguments are the first five of `Solver`."""

_LENGTHS = {
    "upper": "upper", "upper_arm": "upper", "fore": "lower", "forearm": "lower", "lower": "lower",
    "lower_arm": "lower",
}  # fmt: skip
"""What people call the lengths of an arm's bones, and those of `Arm`."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def register_solver(name: str, elbows: ElbowFunction | None = None) -> Any:
    """Register an elbow solver: a user's function that says where elbows should be.

    It can then be chosen by its name on the command line, in the panel and in the arm lab. With the
    name alone it is a decorator, `@register_solver("mine")`.

    Args:
        name: the name that users type: lower-case letters, digits and hyphens. A solver that was
            registered under this name before is replaced.
        elbows: called as `elbows(shoulder, hand, arm, side, swivel)`, with arrays of any leading
            shape; see `juggle_anim.body.arms.Solver`. It returns where elbows should be, shape
            (..., 3), [m]. Points are seen from jugglers who face −y, with x to their left and z
            up. If arguments are named `upper_arm` and `forearm` (or `upper`, `fore`, `lower`), it
            is called for one arm at a time, with these lengths, [m], and others of its names.
            Bones never stretch: an elbow is put on its circle about the line to the hand, in the
            direction of the position that is returned.

    Returns:
        The function; without one, what registers the function that it decorates.

    Raises:
        ParameterError: the name is that of a built-in solver, or has other characters.
    """
    if name in ARM_SOLVERS or not _NAME.fullmatch(name):
        accepted = _(
            "a name of lower-case letters, digits and hyphens, other than {names}",
            names=", ".join(ARM_SOLVERS),
        )
        raise ParameterError.of("name", name, accepted)
    if elbows is None:
        return partial(register_solver, name)
    SOLVERS[name] = _solver_of(name, elbows)
    add_arm_solver(name)
    return elbows


def _solver_of(name: str, elbows: ElbowFunction) -> Solver:
    """Return an elbow solver, which poses arms, that places elbows by a user's function.

    Bones do not stretch: with shoulder and wrist given, an elbow can only lie on a circle about the
    line between them. It is put where the circle is nearest in direction to the place that the
    function returns.

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
        # then takes its elbow anywhere on the circle of possible ones. Users' functions have z up.
        pose = pose_arms(carried_direction, shoulder, hand, arm, side, swivel)
        returned = _call_elbow_function(elbows, z_up(shoulder), z_up(pose.wrist), arm, side, swivel)
        user_elbow = np.asarray(returned, dtype=float)
        _check_returned(user_elbow, pose.elbow.shape, name)
        root = np.broadcast_to(shoulder, pose.elbow.shape)
        line = unit(pose.wrist - root)
        # Right-handed angle from the elbow as posed to the user's, both seen along the line to the
        # wrist. A user's elbow on the line has no direction; atan2(0, 0) = 0 leaves the posed one.
        posed = _across(pose.elbow - root, line)
        aimed = _across(y_up(user_elbow) - root, line)
        turns = np.arctan2(dot(cross(posed, aimed), line), dot(posed, aimed)).ravel()
        every_arm = np.arange(turns.size)
        return swing_elbows(pose, root, every_arm, turns)

    return solve


def _call_elbow_function(elbows: Callable[..., Any], *given: Any) -> Any:
    """Call a user's function with the arguments that it takes, and return what it returns.

    Args:
        elbows: the function. If it has a parameter for the length of a bone, such as `forearm`, it
            takes one arm at a time, and its other parameters by name; otherwise it takes the given
            arguments as they are, for all arms at once, or one at a time if it cannot.
        given: shoulder and hand, shape (..., 3), [m]; the `Arm`; the side; and the swivel, [rad].
    """
    names = [*inspect.signature(elbows).parameters]
    shoulder, hand, arm, side, swivel = given
    if not _LENGTHS.keys() & names:
        try:
            return elbows(*given)
        except ValueError:
            # The function may be for one arm, as with `if side == 0`, which no array answers.
            return np.vectorize(
                lambda root, wrist, arm_side, angle: elbows(root, wrist, arm, arm_side, angle),
                signature="(n),(n),(),()->(n)",
            )(shoulder, hand, side, swivel)
    number_by_name = {"side": side, "swivel": swivel}
    number_by_name |= {name: getattr(arm, bone) for name, bone in _LENGTHS.items()}
    # Parameters of other names are the two points, shoulder and hand, in this order.
    points = iter((shoulder, hand))
    arguments = [number_by_name[name] if name in number_by_name else next(points) for name in names]
    # A signature of NumPy, such as "(n),(n),()->(n)": vectors are (n), and numbers are ().
    forms = ",".join("()" if name in number_by_name else "(n)" for name in names)
    return np.vectorize(elbows, signature=f"{forms}->(n)")(*arguments)


def _check_returned(elbows: Floats, shape: tuple[int, ...], name: str) -> None:
    """Check that a user's elbow function returned finite numbers of the right shape.

    Args:
        elbows: the array that it returned.
        shape: the shape that the array should have.
        name: the name of the solver, for messages.

    Raises:
        ParameterError: the shape is another, or a value is not finite.
    """
    returned: object  # what is wrong, for the message
    if elbows.shape != shape:
        returned = elbows.shape
    elif not np.isfinite(elbows).all():
        returned = elbows[~np.isfinite(elbows)][0]  # the first value that is not finite
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
