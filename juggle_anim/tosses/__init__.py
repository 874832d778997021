"""Tosses: rows of throws with times and places, and the choreography that they make as a loop."""

from juggle_anim.tosses.loop import (
    Length,
    Segment,
    closed_loop,
    enumerate_equal_throws,
    sampled_keyframes,
    with_prop_indices,
    wrapped_loop,
)
from juggle_anim.tosses.stands import (
    LYING_HEIGHT,
    TableMoves,
    TableRest,
    action_time,
    with_final_times,
)
from juggle_anim.tosses.toss_ring import (
    HURRIED_SHARE,
    UNKNOWN_PROP,
    Clock,
    FlightProps,
    Loop,
    Present,
    Toss,
    TossFlight,
    Waypoint,
    prop_of_held_orbit,
    states_before,
)

__all__ = [
    "HURRIED_SHARE",
    "LYING_HEIGHT",
    "UNKNOWN_PROP",
    "Clock",
    "FlightProps",
    "Length",
    "Loop",
    "Present",
    "Segment",
    "TableMoves",
    "TableRest",
    "Toss",
    "TossFlight",
    "Waypoint",
    "action_time",
    "closed_loop",
    "enumerate_equal_throws",
    "prop_of_held_orbit",
    "sampled_keyframes",
    "states_before",
    "with_final_times",
    "with_prop_indices",
    "wrapped_loop",
]
