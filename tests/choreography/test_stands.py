"""Stands beside jugglers: how many props find room there, where, and which flights lie still."""

from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.choreography import Choreography
from juggle_anim.choreography.places import (
    STAND_HEIGHT,
    lying_places,
    on_stand,
    stand_places,
    stand_room,
)
from juggle_anim.choreography.score import FlightStyle
from juggle_anim.pattern import LEFT, RIGHT

DIAMETER = {"ball": 0.07, "club": 0.095}


@pytest.mark.parametrize("kind", ["ball", "club", "ring"])
def test_props_on_a_stand_lie_apart_at_one_height_and_mirrored_on_the_other_side(kind: str) -> None:
    room = stand_room(kind)
    left, right = (stand_places(kind, side, room) for side in (LEFT, RIGHT))
    assert np.array_equal(right, left * (-1, 1, 1))
    assert np.all(left[:, 0] > 0.3)
    assert np.all(left[:, 1] == STAND_HEIGHT)
    apart = np.linalg.norm(left[:, None] - left, axis=-1)[np.triu_indices(room, 1)]
    assert apart.min() > DIAMETER.get(kind, 0.01)
    # Evenly spaced in a row, without a gap: behind each other, or side by side.
    along = np.sort(left[:, 2] if kind == "ball" else left[:, 0])
    assert np.diff(along) == pytest.approx(np.diff(along)[0])
    assert np.ptp(left[:, 0] if kind == "ball" else left[:, 2]) == 0.0


def test_balls_fill_a_stand_from_its_middle_and_clubs_from_outside() -> None:
    for count in (1, 2, 5):
        balls, clubs = (stand_places(kind, LEFT, count) for kind in ("ball", "club"))
        middle = balls[0, 2]
        assert np.all(np.diff(np.abs(balls[:, 2] - middle).round(9)) >= 0)
        assert np.array_equal(balls, stand_places("ball", LEFT, 6)[:count])
        assert np.all(np.diff(clubs[:, 0]) < 0)
    two = stand_places("ball", LEFT, 3)[:, 2] - stand_places("ball", LEFT, 1)[0, 2]
    assert two[1] == pytest.approx(-two[2])


def test_a_prop_without_gravity_rests_and_others_fly() -> None:
    assert FlightStyle(gravity=0.0).rests is True
    assert FlightStyle(gravity=1.6).rests is False
    assert FlightStyle().rests is False


def with_one_at_rest(side: int, **moved: float) -> tuple[Choreography, int]:
    """A cascade of which one flight lies on a stand, but for what is said of its end [m]."""
    choreography = animate("3").choreography
    events, flights = choreography.events, choreography.flights
    place = stand_places("ball", side, 1)[0]
    position = events.position.copy()
    position[flights.throw[0]] = place
    position[flights.catch[0]] = place + [moved.get(axis, 0.0) for axis in "xyz"]
    style = (FlightStyle(gravity=0.0), *(FlightStyle() for _ in flights.throw[1:]))
    changed = replace(
        choreography,
        events=replace(events, position=position),
        flights=replace(flights, style=style),
    )
    return changed, int(events.hand[flights.throw[0]])


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_what_rests_at_one_place_of_a_stand_lies_on_it(side: int) -> None:
    choreography, hand = with_one_at_rest(side)
    assert on_stand(choreography).tolist() == [
        number == 0 for number in range(len(choreography.flights.throw))
    ]
    (found,) = lying_places(choreography).items()
    assert found[0] == hand
    assert found[1] == pytest.approx(stand_places("ball", side, 1))


def test_what_moves_or_flies_or_is_elsewhere_lies_on_no_stand() -> None:
    for axis in "xyz":
        assert not on_stand(with_one_at_rest(LEFT, **{axis: 0.05})[0]).any()
    resting, _hand = with_one_at_rest(LEFT)
    flying = replace(resting, flights=replace(resting.flights, style=()))
    assert not on_stand(flying).any()
    lower = replace(
        resting,
        events=replace(resting.events, position=resting.events.position - (0.0, 0.1, 0.0)),
    )
    inward = replace(
        resting,
        events=replace(resting.events, position=resting.events.position * (0.5, 1.0, 1.0)),
    )
    for other in (lower, inward, animate("3").choreography):
        assert not on_stand(other).any()
        assert lying_places(other) == {}
