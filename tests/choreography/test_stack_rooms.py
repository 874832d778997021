"""Props of stacked multiplexes have room beside those of the next stack, and of the other hand."""

import numpy as np
import pytest

from juggle_anim.animation import animate

BALL = 0.07  # m


@pytest.mark.parametrize("text", ["[44]", "[66]", "[444]", "[66]2", "([44],[44])", "[88]"])
def test_a_column_moves_aside_by_a_ball_from_one_throw_of_its_hand_to_the_next(text: str) -> None:
    choreography = animate(text).choreography
    events, flights = choreography.events, choreography.flights
    way = events.position[flights.catch, 0] - events.position[flights.throw, 0]
    outward = way * np.where(events.hand[flights.throw] % 2, -1, 1)
    two_beats = 2 / choreography.bps
    # A flight of n beats passes the one that its hand began two beats later; of short ones, none.
    assert np.all(outward / flights.duration * two_beats >= BALL)


@pytest.mark.parametrize("text", ["([4x4x],[4x4x])", "([6x6x],[6x6x])"])
def test_stacks_that_cross_pass_with_those_of_the_right_hand_in_front(text: str) -> None:
    choreography = animate(text).choreography
    events, flights = choreography.events, choreography.flights
    for when in (flights.throw, flights.catch):
        right = events.hand[flights.throw] % 2 == 1
        forward = events.position[when, 2]
        assert forward[right].min() - forward[~right].max() >= BALL


@pytest.mark.parametrize("text", ["4", "44", "(4,4)", "[64]", "[42]", "<4|4>"])
def test_without_a_stack_nothing_moves_aside(text: str) -> None:
    choreography = animate(text).choreography
    events, flights = choreography.events, choreography.flights
    ahead = events.position[..., 2]
    assert np.ptp(ahead) == pytest.approx(0.0, abs=1e-12)
    same_hand = events.hand[flights.throw] == events.hand[flights.catch]
    way = np.abs(events.position[flights.catch, 0] - events.position[flights.throw, 0])[same_hand]
    assert np.ptp(way) == pytest.approx(0.0, abs=1e-12)
