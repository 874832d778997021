"""Arms: all methods to find an elbow and the joint rotations, behind one call."""

from juggle_anim.body.arms.natural import (
    NATURAL_RULES,
    OF_HAND,
    Elbows,
    elbow_direction,
    natural_place,
    outward_turn,
    resting_direction,
    toward_poles,
    turn_with_hand,
)
from juggle_anim.body.arms.solvers import (
    AT_EASE,
    BONE_RULES,
    DEFAULT_SOLVER,
    SOLVERS,
    Arm,
    ArmPose,
    HandDirections,
    Solver,
    solver_named,
)

__all__ = [
    "AT_EASE",
    "BONE_RULES",
    "DEFAULT_SOLVER",
    "NATURAL_RULES",
    "OF_HAND",
    "SOLVERS",
    "Arm",
    "ArmPose",
    "Elbows",
    "HandDirections",
    "Solver",
    "elbow_direction",
    "natural_place",
    "outward_turn",
    "resting_direction",
    "solver_named",
    "toward_poles",
    "turn_with_hand",
]
