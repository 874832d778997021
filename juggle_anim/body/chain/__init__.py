"""Chains of joints, and a solver that brings their frames to goals: spine and both arms, or any other."""

from juggle_anim.body.chain.chain import Chain, Frame, Revolute
from juggle_anim.body.chain.effort import AT_REST, Effort
from juggle_anim.body.chain.goal import Goal
from juggle_anim.body.chain.outcome import Outcome, Trace
from juggle_anim.body.chain.resolved_rate import solve

__all__ = ["AT_REST", "Chain", "Effort", "Frame", "Goal", "Outcome", "Revolute", "Trace", "solve"]
