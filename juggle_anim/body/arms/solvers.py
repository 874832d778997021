"""The solvers by name: one call for every way to pose an arm."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body.arms.arm import Arm, ArmPose
from juggle_anim.parameters import ARM_SOLVERS


class Solver(Protocol):
    """A way to pose arms; it remembers nothing, and no arm of a batch depends on the others."""

    def __call__(
        self, shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats
    ) -> ArmPose:
        """Pose arms of any leading shape, seen from jugglers who face +z with +y up and the left at +x.

        Args:
            shoulder: shape (..., 3), [m].
            hand: shape (..., 3), where the wrist should be, [m].
            arm: lengths of the bones.
            side: 0 for left and 1 for right, or an array of these that broadcasts over the leading shape.
            swivel: the chicken-wing angle, a number or an array over the leading shape, [rad]; a positive one lifts
                the elbow outward, and `arm.AT_EASE` is what people at ease have.
        """
        ...


def _first_needed(module: str, function: str) -> Solver:
    """A solver whose module is imported when it is first called, so that a program starts with none of them."""

    def solve(shoulder: Floats, hand: Floats, arm: Arm, side: int | Integers, swivel: float | Floats) -> ArmPose:
        solver: Solver = getattr(import_module(f"juggle_anim.body.arms.{module}"), function)
        return solver(shoulder, hand, arm, side, swivel)

    return solve


SOLVERS = {name: _first_needed(*place.split(".")) for name, place in ARM_SOLVERS.items()}
"""Every solver, under the name that a user types."""

DEFAULT_SOLVER = next(iter(SOLVERS))
