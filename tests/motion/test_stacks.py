"""Stacked multiplexes: equal throws that leave one hand together never meet, nor do stacks that
pass each other.
"""

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.animation import Animation

BALL = 0.07  # m
CLUB_BODY = 0.095  # m
STEP = 0.002  # s


def least_gap(animation: Animation) -> float:
    """The smallest distance between centres of props over a loop, [m]."""
    props = animation.sample(np.arange(0.0, animation.duration, STEP)).props
    one, other = np.triu_indices(props.shape[1], 1)
    return float(np.linalg.norm(props[:, one] - props[:, other], axis=-1).min())


@pytest.mark.parametrize(
    "pattern",
    [
        "[44]",
        "[66]2",
        "([44],[44])",
        "[33]",
        "[55]",
        "[77]",
        "[333]",
        "[444]",
        "[666]",
        "[3333]",
        "[4444]",
        "[33]12",
        "[442]",
        "[44]4",
        "[88]",
        "([66],[66])",
        "([4x4x],[4x4x])",
        "([6x6x6x],[6x6x6x])",
        "pattern=[3p3p];jugglers=2",
    ],
)
def test_balls_of_stacks_keep_at_least_their_diameter_apart(pattern: str) -> None:
    assert least_gap(ja.animate(pattern)) >= BALL


@pytest.mark.parametrize("pattern", ["[44]", "[66]2", "[66]4"])
def test_bodies_of_clubs_in_stacked_columns_pass_each_other(pattern: str) -> None:
    assert least_gap(ja.animate(pattern, prop="club")) >= CLUB_BODY


def test_props_of_a_stack_leave_from_other_places_with_other_speeds_and_come_down_one_after_the_other() -> (
    None
):
    flights = ja.animate("[55]").choreography.flights
    paths = ja.animate("[55]").motion.flight_paths
    first, second = np.flatnonzero(flights.throw == flights.throw[0])
    assert np.linalg.norm(paths.start[second] - paths.start[first]) >= BALL
    assert paths.start[second, 1] > paths.start[first, 1]
    assert paths.launch[second, 1] > paths.launch[first, 1]
    assert flights.duration[second] > flights.duration[first]


@pytest.mark.parametrize("pattern", ["[54]", "[34]23", "[32]"])
def test_props_of_different_throws_lie_side_by_side_as_before(pattern: str) -> None:
    motion = ja.animate(pattern).motion
    assert not motion.flight_paths.grips.places[:, 1:].any()


def test_stacks_of_juggling_lab_stay_as_they_are_there() -> None:
    animation = ja.animate("[44]", style="juggling-lab")
    single = ja.animate("4", style="juggling-lab")
    assert not animation.motion.flight_paths.grips.places[:, 1:].any()
    assert np.unique(animation.choreography.events.position.round(9), axis=0) == pytest.approx(
        np.unique(single.choreography.events.position.round(9), axis=0)
    )
