"""From beats to events: gives every throw and catch of a pattern its time and place."""

from __future__ import annotations

import dataclasses

from juggle_anim.choreography.body_keys import body_keys
from juggle_anim.choreography.bounce_time import bounced_tempo, check_bounces
from juggle_anim.choreography.choreography import Choreography
from juggle_anim.choreography.event_table import EventTable
from juggle_anim.choreography.formation import SMALLEST_RADIUS
from juggle_anim.choreography.geometry import at_rest
from juggle_anim.choreography.hand_style import STYLES
from juggle_anim.choreography.looks import prop_looks
from juggle_anim.choreography.performed import performed
from juggle_anim.choreography.score import Score
from juggle_anim.choreography.tempo import natural_tempo
from juggle_anim.choreography.timing import time_throws
from juggle_anim.parameters import Parameters


def choreograph(score: Score, parameters: Parameters) -> Choreography:
    """The events of one loop of what is to be juggled.

    Events that a file holds stay as they are; of the parameters only gravity and bounce count for them.

    Args:
        score: what is juggled.
        parameters: tempo, dwell, squeeze, width, heights, gravity and bounce are read.

    Raises:
        ChoreographyError: a throw cannot bounce in its time, or the loop is too long.
    """
    gravity, kept = parameters.gravity / 100, parameters.bounce_fraction
    if score.placed is not None:
        return dataclasses.replace(score.placed, gravity=gravity, kept=kept)
    assert score.pattern is not None
    pattern = performed(score.pattern, score.staging)
    style = STYLES[score.staging.style].shaped(parameters)
    timing = time_throws(pattern, parameters.dwell, parameters.squeeze_beats, style.give)
    table = EventTable(pattern, timing, score.staging.hands, style, score.staging.catches, parameters.dwell)
    bps = parameters.bps
    if bps is None:
        bps = bounced_tempo(natural_tempo(pattern, parameters.dwell), table, score.staging.body, gravity, kept)
    check_bounces(bps, table, score.staging.body, gravity, kept)
    rate = bps * pattern.division
    rank, events = table.events(rate)
    return Choreography(
        duration=pattern.period / rate,
        bps=bps,
        gravity=gravity,
        kept=kept,
        # Who says where some stand, means the usual circle for the others.
        bodies=body_keys(pattern, score.staging.body, rate, SMALLEST_RADIUS if score.staging.body else style.circle),
        rest=at_rest(pattern.jugglers),
        events=events,
        flights=table.flights(rank, rate),
        orbits=table.orbits(),
        looks=prop_looks(pattern, score.staging.props, table.shifts()),
    )
