"""Kinematic chains and their inverse kinematics, for spine and both arms or any other chain."""

from juggle_anim.body.chain.chain import Chain, Frame, Revolute
from juggle_anim.body.chain.solve import AT_REST, Goal, Outcome, SolverOptions, Trace, solve

__all__ = [
    "AT_REST",
    "Chain",
    "Frame",
    "Goal",
    "Outcome",
    "Revolute",
    "SolverOptions",
    "Trace",
    "solve",
]
