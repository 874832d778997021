import numpy as np
import pytest

from juggle_anim import animate
from juggle_anim.choreography.places import circle


def test_a_single_juggler_stands_in_the_middle() -> None:
    standing, facing = circle(1)
    assert standing.tolist() == [[0, 0, 0]]
    assert facing.tolist() == [0]


@pytest.mark.parametrize("jugglers", [2, 3, 4, 8, 50, 825])
def test_several_face_the_middle_and_have_room(jugglers: int) -> None:
    standing, facing = circle(jugglers)
    ahead = np.stack([np.sin(facing), np.zeros(jugglers), np.cos(facing)], axis=-1)
    radius = np.linalg.norm(standing, axis=1)
    assert standing + radius[:, None] * ahead == pytest.approx(0.0, abs=1e-9)
    neighbour = np.linalg.norm(standing - np.roll(standing, 1, axis=0), axis=1)
    assert (neighbour >= 1.3 - 1e-9).all()
    assert (radius >= 0.70).all()


def test_two_stand_across_from_each_other() -> None:
    standing, _ = circle(2)
    assert standing == pytest.approx(np.array([[-0.7, 0, 0], [0.7, 0, 0]]))


def test_passers_have_room_for_clubs_unless_they_are_to_stand_as_in_juggling_lab() -> None:
    apart = [
        np.linalg.norm(np.subtract(*animate("<3p 3|3p 3>", style=style).choreography.bodies.position))
        for style in ("natural", "juggling-lab")
    ]
    assert apart == pytest.approx([2.0, 1.4])
