import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import ONE_SECOND, at_most

import juggle_anim as ja
from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, PropLook
from juggle_anim.motion.prop_shapes import (
    CLUB_WIDTH,
    HANDLE_RADIUS,
    RIM_HELD,
    RING_DIAMETER,
    RING_HELD,
    Stay,
    grip_offsets,
    prop_shapes,
)


def looking(*looks: PropLook) -> Choreography:
    return dataclasses.replace(ja.animate(str(len(looks))).choreography, looks=looks)


def test_balls_are_held_where_they_are() -> None:
    shapes = prop_shapes(
        looking(PropLook(), PropLook("square", diameter=0.1), PropLook("image")), 0.07
    )
    assert shapes.kind == ("ball",) * 3
    assert shapes.size == pytest.approx([0.07, 0.1, 0.07])
    assert not shapes.grip_to_centre.any()
    assert not shapes.has_oriented
    assert shapes.palm_distance == pytest.approx(0.05)


def test_clubs_and_rings_have_sizes_of_their_own() -> None:
    shapes = prop_shapes(
        looking(PropLook("club"), PropLook("ring"), PropLook("ring", diameter=0.4)), 0.07
    )
    assert shapes.size == pytest.approx([CLUB_WIDTH, RING_DIAMETER, 0.4])
    assert shapes.grip_to_palm == pytest.approx([HANDLE_RADIUS, RING_HELD, RING_HELD])
    assert shapes.grip_to_centre[2] == pytest.approx(0.2 - RIM_HELD)
    assert shapes.reach == pytest.approx([0.27, 0.16, 0.2])


def test_a_hand_that_also_catches_balls_has_handles_lower() -> None:
    shapes = prop_shapes(looking(PropLook(), PropLook("club"), PropLook("ring")), 0.07)
    assert shapes.grip_drop == pytest.approx([0.0, 0.035 - HANDLE_RADIUS, 0.035 - RING_HELD])


def test_props_that_fly_alike_are_of_one_sort() -> None:
    looks = (
        PropLook("club"),
        PropLook("ring"),
        PropLook("club", colour=(1, 0, 0)),
        PropLook("ring", diameter=0.4),
    )
    first, sort = prop_shapes(looking(*looks), 0.07).flight_kinds
    assert (first.tolist(), sort.tolist()) == ([0, 1, 3], [0, 1, 0, 2])
    first, sort = prop_shapes(
        looking(PropLook(diameter=0.1), PropLook(), PropLook()), 0.07
    ).flight_kinds
    assert (first.tolist(), sort.tolist()) == ([0], [0, 0, 0])
    assert np.array_equal(prop_shapes(looking(), 0.07).flight_kinds.kind_of_prop, [])


RADIUS = 0.03


THREE = animate("3", bps=1.0).choreography  # a loop of 2 s, two hands


stays = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 40), st.integers(1, 20)).map(
        # Tenths of a second, in this loop or the next, none longer than the loop.
        lambda stay: Stay(stay[0], stay[1] / 10, (stay[1] + stay[2]) / 10)
    ),
    max_size=12,
)


def places(stays: Sequence[tuple[int, float, float]], choreography: Choreography = THREE) -> Floats:
    return grip_offsets(choreography, [Stay(*stay) for stay in stays], RADIUS)


def present(stay: Stay, loop: float) -> Floats:
    """At which tenths of a second of the loop the prop is there, shape (20,); asked in their
    middles.
    """
    moments = np.arange(0.05, loop, 0.1)
    return (moments - stay.start) % loop < stay.end - stay.start


@given(stays)
def test_props_that_are_in_one_hand_at_once_do_not_overlap(carries: list[Stay]) -> None:
    offsets = places(carries)
    for one in range(len(carries)):
        for other in range(one):
            together = present(carries[one], THREE.duration) & present(
                carries[other], THREE.duration
            )
            if carries[one].hand == carries[other].hand and together.any():
                assert np.linalg.norm(offsets[one] - offsets[other]) >= 2 * RADIUS - 1e-12


def test_a_prop_alone_lies_in_the_middle() -> None:
    assert places([(0, 0.0, 0.5), (1, 0.2, 0.7), (0, 0.6, 1.9)]) == pytest.approx(np.zeros((3, 3)))


def test_two_props_at_once_share_the_middle_and_a_third_that_meets_neither_has_it_alone() -> None:
    offsets = places([(0, 0.0, 0.5), (0, 0.3, 0.8), (0, 1.0, 1.5)])
    assert offsets[0] == pytest.approx(-offsets[1])
    assert np.linalg.norm(offsets[0]) == pytest.approx(RADIUS)
    assert offsets[2] == pytest.approx(np.zeros(3))


def test_a_stay_into_the_next_loop_meets_what_comes_first_there() -> None:
    offsets = places([(0, 0.1, 0.6), (0, 1.7, 2.3), (0, 3.0, 3.4)])
    assert np.linalg.norm(offsets[0] - offsets[1]) == pytest.approx(2 * RADIUS)
    assert offsets[2] == pytest.approx(np.zeros(3))


def test_a_long_pattern_is_loaded_with_little_work() -> None:
    # Less than it takes to compare each stay with each other.
    with at_most(ONE_SECOND // 2):
        assert animate("([33333]^399)", dwell=1.9).motion.props.paths.periods.min() > 0
