"""Events: when and where hands throw and catch."""

from juggle_anim.choreography.choreograph import choreograph
from juggle_anim.choreography.choreography import Choreography, EventKind, Events, Flights, PropOrbit

__all__ = ["Choreography", "EventKind", "Events", "Flights", "PropOrbit", "choreograph"]
