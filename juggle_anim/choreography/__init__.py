"""Events: when and where hands throw and catch."""

from juggle_anim.choreography.choreograph import choreograph
from juggle_anim.choreography.places import STYLES
from juggle_anim.choreography.score import (
    AIR,
    BodyKeyframes,
    BodyMoves,
    BodyPlace,
    CatchStyle,
    Choreography,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    Grasp,
    HandBeat,
    HandMoves,
    PropLook,
    PropOrbit,
    PropStyle,
    Score,
    Staging,
)

__all__ = [
    "AIR",
    "STYLES",
    "BodyKeyframes",
    "BodyMoves",
    "BodyPlace",
    "CatchStyle",
    "Choreography",
    "EventKind",
    "Events",
    "FlightStyle",
    "Flights",
    "Grasp",
    "HandBeat",
    "HandMoves",
    "PropLook",
    "PropOrbit",
    "PropStyle",
    "Score",
    "Staging",
    "choreograph",
]
