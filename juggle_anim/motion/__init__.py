"""Paths: where every hand and prop is, at any time."""

from juggle_anim.motion.bodies import FACING, PLACE, Bodies, body_origins
from juggle_anim.motion.flight import FlightPaths, Parabolas
from juggle_anim.motion.motion import Frames, Motion, PropSpheres, move
from juggle_anim.motion.palms import CHANNELS, CLOSING, EMPTY_CLOSED, HELD, TURN
from juggle_anim.motion.piecewise import (
    PeriodicSpline,
    PiecewisePolynomial,
    first_equal_in_all,
    first_equal_rows,
    successors,
)
from juggle_anim.motion.prop_shapes import (
    CLUB_BODY,
    CLUB_CENTRE,
    CLUB_HANDLE,
    CLUB_KNOB,
    CLUB_LENGTH,
    CLUB_WIDTH,
    ORIENTED_KINDS,
    RING_HOLE,
    RING_THICKNESS,
    PropShapes,
    prop_shapes,
)
from juggle_anim.motion.spin import (
    FEWER_TURNS,
    TURNS_PER_SECOND,
    aim_directions,
    ring_axes,
    steady_aims,
)

__all__ = [
    "CHANNELS",
    "CLOSING",
    "CLUB_BODY",
    "CLUB_CENTRE",
    "CLUB_HANDLE",
    "CLUB_KNOB",
    "CLUB_LENGTH",
    "CLUB_WIDTH",
    "EMPTY_CLOSED",
    "FACING",
    "FEWER_TURNS",
    "HELD",
    "ORIENTED_KINDS",
    "PLACE",
    "RING_HOLE",
    "RING_THICKNESS",
    "TURN",
    "TURNS_PER_SECOND",
    "Bodies",
    "FlightPaths",
    "Frames",
    "Motion",
    "Parabolas",
    "PeriodicSpline",
    "PiecewisePolynomial",
    "PropShapes",
    "PropSpheres",
    "aim_directions",
    "body_origins",
    "first_equal_in_all",
    "first_equal_rows",
    "move",
    "prop_shapes",
    "ring_axes",
    "steady_aims",
    "successors",
]
