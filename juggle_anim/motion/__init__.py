"""Paths: where every hand and prop is, at any time."""

from juggle_anim.motion.motion import Frames, Motion, move

__all__ = ["Frames", "Motion", "move"]
