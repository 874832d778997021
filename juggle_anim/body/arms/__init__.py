"""Arms: all methods to find an elbow and the joint rotations, behind one call."""

from juggle_anim.body.arms.solvers import DEFAULT_SOLVER, SOLVERS, Arm, ArmPose, Solver

__all__ = ["DEFAULT_SOLVER", "SOLVERS", "Arm", "ArmPose", "Solver"]
