"""Tosses as loops: what leads back to the start, and what lies on stands from the end of a loop to
the next.
"""

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.choreography.manners import USUAL
from juggle_anim.choreography.places import stand_places
from juggle_anim.choreography.score import BodyKeyframes
from juggle_anim.pattern import LEFT, RIGHT, Throw
from juggle_anim.tosses.loop import Segment, closed_loop, wrapped_loop
from juggle_anim.tosses.toss_ring import FOREVER, RESTING, Clock, Present, Toss, TossFlight

RATE = 3.0  # beats/s
CLOCK = Clock(0.0, 0.0, RATE, RATE)
STANDING = BodyKeyframes(np.zeros(1), np.zeros(1, dtype=np.intp), np.zeros((1, 3)), np.zeros(1))


def juggled() -> Animation:
    return animate("3", bps=RATE)


def tosses_of_a_cascade(first: int, beats: int) -> list[Toss]:
    """The throws of a cascade from a beat on, as they are juggled."""
    animation = juggled()
    found = []
    for toss in Segment(animation.score, animation.parameters).tosses(1, 0, beats, first):
        assert toss.flight is not None
        throw_time, catch_time = (
            CLOCK.time_at(beat) for beat in (toss.flight.throw_time, toss.flight.catch_time)
        )
        found.append(
            toss._replace(
                prop=toss.throw.beat % 3,
                flight=toss.flight._replace(throw_time=throw_time, catch_time=catch_time),
            )
        )
    return sorted(found, key=lambda toss: toss.throw.beat)


@pytest.mark.parametrize("first", [0, 5])
def test_throws_lead_back_to_the_start_once_all_has_landed_with_four_beats_of_room(
    first: int,
) -> None:
    tosses = tosses_of_a_cascade(first, 6)
    landed = max(toss.landing for toss in tosses)
    now = Present(first + 6, CLOCK.time_at(first + 6))
    loop = closed_loop(tosses, first, first + 6, 1, CLOCK, juggled(), STANDING, (), (), now=now)
    # Four beats pass after that of the last throw.
    assert loop.pattern.period == landed + 1 + 4 - first
    assert loop.choreography.duration == pytest.approx(loop.pattern.period / RATE)
    assert loop.start == pytest.approx(CLOCK.time_at(first))
    back = [throw.beat for throw in loop.pattern.throws[len(tosses) :]]
    assert [beat + first for beat in back] == [landed - 2, landed - 1, landed]
    assert loop.choreography.props == 3


def throw(beat: int, hand: int, value: int, to_hand: int, held: bool) -> Throw:
    return Throw(beat, 0, hand, value, 0, to_hand, held=held)


def test_what_lies_on_a_stand_at_the_end_is_what_is_picked_up_first_and_not_what_lay_there_in_between() -> (
    None
):
    on_left, on_right = (stand_places("ball", side, 1)[0] for side in (LEFT, RIGHT))
    in_left, in_right = np.array([0.2, 1.0, 0.3]), np.array([-0.2, 1.0, 0.3])
    manners = USUAL, USUAL
    tosses = [
        # A prop goes across, is put down, picked up again and thrown back.
        Toss(
            throw(0, RIGHT, 3, LEFT, held=False),
            0,
            TossFlight(0.0, 0.8, in_right, in_left, manners),
        ),
        Toss(
            throw(3, LEFT, 2, LEFT, held=False),
            0,
            TossFlight(1.2, 1.8, on_left, on_left, manners, RESTING),
        ),
        Toss(
            throw(5, LEFT, 3, LEFT, held=True),
            0,
            TossFlight(1.2, 1.8, on_left, on_left, manners, RESTING),
        ),
        Toss(
            throw(8, LEFT, 4, RIGHT, held=False),
            0,
            TossFlight(2.7, 3.8, in_left, in_right, manners),
        ),
        # Another stays in a hand.
        Toss(throw(1, LEFT, 12, LEFT, held=True), 2),
        # A third one, which has lain there from the start on, is picked up later than the first,
        # and put down.
        Toss(
            throw(6, RIGHT, 4, RIGHT, held=True),
            1,
            TossFlight(-1.0, 2.0, on_right, on_right, manners, RESTING),
        ),
        Toss(
            throw(10, RIGHT, 2 * FOREVER, RIGHT, held=False),
            1,
            TossFlight(3.3, 9.0, on_right, on_right, manners, RESTING),
        ),
    ]
    tosses.sort(key=lambda toss: toss.throw.beat)
    loop = wrapped_loop(tosses, 0, 12, 1, CLOCK, juggled(), STANDING, (), ())
    assert loop.choreography.props == 3
    flights, events = loop.choreography.flights, loop.choreography.events
    rests = {
        int(events.hand[flights.throw[flight]]): (
            float(events.time[flights.throw[flight]]),
            float(lasts),
        )
        for flight, (style, lasts) in enumerate(zip(flights.style, flights.duration, strict=True))
        if style.rests
    }
    assert rests[LEFT] == pytest.approx((1.2, 0.6))
    # From 3.3 s to 2.0 s in the next loop of 4 s.
    assert rests[RIGHT] == pytest.approx((3.3, 2.7))
