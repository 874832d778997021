import dataclasses

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.choreography import Choreography, PropLook
from juggle_anim.motion.prop_shapes import CLUB_WIDTH, HANDLE_RADIUS, RIM_HELD, RING_DIAMETER, prop_shapes


def looking(*looks: PropLook) -> Choreography:
    return dataclasses.replace(ja.animate(str(len(looks))).choreography, looks=looks)


def test_balls_are_held_where_they_are() -> None:
    shapes = prop_shapes(looking(PropLook(), PropLook("square", diameter=0.1), PropLook("image")), 0.07)
    assert shapes.kind == ("ball",) * 3
    assert shapes.size == pytest.approx([0.07, 0.1, 0.07])
    assert not shapes.grip_to_centre.any()
    assert not shapes.has_oriented
    assert shapes.palm_distance == pytest.approx(0.05)


def test_clubs_and_rings_have_sizes_of_their_own() -> None:
    shapes = prop_shapes(looking(PropLook("club"), PropLook("ring"), PropLook("ring", diameter=0.4)), 0.07)
    assert shapes.size == pytest.approx([CLUB_WIDTH, RING_DIAMETER, 0.4])
    assert shapes.grip_to_palm == pytest.approx([HANDLE_RADIUS, RIM_HELD, RIM_HELD])
    assert shapes.grip_to_centre[2] == pytest.approx(0.2 - RIM_HELD)
    assert shapes.reach == pytest.approx([0.27, 0.16, 0.2])


def test_a_hand_that_also_catches_balls_has_handles_lower() -> None:
    shapes = prop_shapes(looking(PropLook(), PropLook("club"), PropLook("ring")), 0.07)
    assert shapes.grip_drop == pytest.approx([0.0, 0.035 - HANDLE_RADIUS, 0.035 - RIM_HELD])


def test_props_that_fly_alike_are_of_one_sort() -> None:
    looks = PropLook("club"), PropLook("ring"), PropLook("club", colour=(1, 0, 0)), PropLook("ring", diameter=0.4)
    first, sort = prop_shapes(looking(*looks), 0.07).flight_kinds
    assert (first.tolist(), sort.tolist()) == ([0, 1, 3], [0, 1, 0, 2])
    first, sort = prop_shapes(looking(PropLook(diameter=0.1), PropLook(), PropLook()), 0.07).flight_kinds
    assert (first.tolist(), sort.tolist()) == ([0], [0, 0, 0])
    assert np.array_equal(prop_shapes(looking(), 0.07).flight_kinds[1], [])
