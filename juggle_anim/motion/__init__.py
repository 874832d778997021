"""Paths: where every hand and prop is, at any time."""

from juggle_anim.motion.motion import Frames, Motion, move
from juggle_anim.motion.prop_shapes import (
    CLUB_CENTRE,
    CLUB_LENGTH,
    CLUB_WIDTH,
    RING_HOLE,
    PropShapes,
)
from juggle_anim.motion.spin import aim_directions

__all__ = [
    "CLUB_CENTRE",
    "CLUB_LENGTH",
    "CLUB_WIDTH",
    "RING_HOLE",
    "Frames",
    "Motion",
    "PropShapes",
    "aim_directions",
    "move",
]
