"""Arm solvers by name, and the arms and poses that they take and return."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from juggle_anim.arrays import Floats, Integers, Rule
from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import ARM_SOLVERS

AT_EASE = float(np.radians(30.0))
"""The chicken-wing angle of people at ease, [rad]: the same on every solver's scale."""

BONE_RULES: dict[str, Rule] = {
    "AT_EASE": AT_EASE,
}
"""Constants for a web page, by the names in its scripts."""


class Solver(Protocol):
    """A method to pose arms; it remembers nothing, and no arm of a batch depends on the others."""

    def __call__(
        self,
        shoulder: Floats,
        hand: Floats,
        arm: Arm,
        side: int | Integers,
        swivel: float | Floats,
        directions: HandDirections | None = None,
    ) -> ArmPose:
        """Pose arms of any leading shape.

        Jugglers face +z with +y up and the left at +x.

        Args:
            shoulder: shape (..., 3), [m].
            hand: shape (..., 3), where the wrist should be, [m].
            arm: lengths of the bones.
            side: 0 for left and 1 for right, or an array of these that broadcasts over the leading
                shape.
            swivel: the chicken-wing angle, a number or an array over the leading shape, [rad]; a
                positive one lifts the elbow outward, and `AT_EASE` is what people at ease have.
            directions: the directions of the hands; None if they are not known. A solver need not
                use them.

        Returns:
            Elbows, wrists and axes of the bones, and by how much wrists miss hands out of reach.
        """
        ...


def _imported_at_first_call(module: str, function: str) -> Solver:
    """Return an arm solver whose module is imported at its first call, which speeds up start-up.

    Args:
        module: name of the module in `juggle_anim.body.arms`.
        function: name of the solver in this module.

    Returns:
        A function that passes its arguments on to the solver as they are.
    """

    def solve(*arguments: Any, **options: Any) -> ArmPose:
        solver: Solver = getattr(import_module(f"juggle_anim.body.arms.{module}"), function)
        return solver(*arguments, **options)

    return solve


@dataclass(frozen=True)
class Arm:
    """Lengths of the bones of one or many arms.

    Args:
        upper: the length from shoulder to elbow, a number or an array over the leading shape of the
            targets, above 0, [m].
        lower: the length from elbow to wrist, of the same kind, [m].
    """

    upper: float | Floats
    lower: float | Floats


@dataclass(frozen=True)
class HandDirections:
    """Directions of hands, unit vectors that broadcast over the leading shape of the arms.

    Args:
        fingers: shape (..., 3), from the wrist to the roots of the fingers.
        palm: shape (..., 3), out of the palm, at right angles to `fingers`.
    """

    fingers: Floats
    palm: Floats


@dataclass(frozen=True)
class ArmPose:
    """Arms of any leading shape, seen like the targets from jugglers who face +z.

    Args:
        elbow: shape (..., 3), [m].
        wrist: shape (..., 3), where it got to: the target where that is in reach, [m].
        rotations: shape (..., 2, 3, 3), of the upper arm and the forearm. The columns of each are
            the bone's axes: x along it, away from the shoulder; z along the elbow's hinge, the same
            for both; y = z × x. The forearm is the upper arm turned about the hinge by φ − π, φ
            being the angle within the elbow.
        gap: shape (...), how far the wrist stays from its target, [m]; 0 within reach.
    """

    elbow: Floats
    wrist: Floats
    rotations: Floats
    gap: Floats


def with_changed_poses(
    solver: Solver, change: Callable[[ArmPose, Floats, int | Integers, float | Floats], ArmPose]
) -> Solver:
    """Return a solver that poses arms by another solver, and then changes these poses.

    Args:
        solver: the solver that finds the poses.
        change: function from a pose, and the shoulder, side and swivel for which it was found (as
            in `Solver`), to the changed pose.

    Returns:
        A solver with the usual arguments. It passes directions of hands on to the first solver, but
        not to the change.
    """

    def solve(
        shoulder: Floats,
        hand: Floats,
        arm: Arm,
        side: int | Integers,
        swivel: float | Floats,
        directions: HandDirections | None = None,
    ) -> ArmPose:
        pose = solver(shoulder, hand, arm, side, swivel, directions)
        return change(pose, shoulder, side, swivel)

    return solve


SOLVERS: dict[str, Solver] = {
    name: _imported_at_first_call(*path.split(".")) for name, path in ARM_SOLVERS.items()
}
"""Every solver, under the name that a user types; `register_solver` adds one's own."""


def solver_named(name: str) -> Solver:
    """Look up a solver by the name that a user types.

    Args:
        name: built in, or registered by `register_solver`.

    Raises:
        ParameterError: no solver of this name is registered in this program.
    """
    if name not in SOLVERS:
        raise ParameterError(
            _(
                "unknown elbow solver {name}; use {known}",
                name=name,
                known=", ".join(SOLVERS),
            )
        )
    return SOLVERS[name]


DEFAULT_SOLVER = next(iter(SOLVERS))
