import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.state.camera_rig import Following, JugglerPlace, frame_juggler

RING = animate("<3p|3p|3p>")


def test_it_goes_from_juggler_to_juggler_and_then_sees_them_all() -> None:
    following, seen = Following(), []
    for _ in range(4):
        following = following.next(3)
        seen.append(following.juggler)
    assert seen == [0, 1, 2, None]
    assert Following(2).within(2).juggler is None
    assert Following(1).within(2).juggler == 1


@pytest.mark.parametrize("juggler", range(3))
def test_the_camera_stands_before_whom_it_follows_and_sees_them_whole(juggler: int) -> None:
    place = Following(juggler).place(RING, 0.0)
    camera = frame_juggler(RING, place, 4 / 3, 0.0, 0.1, np.radians(30.0))
    toward = np.array(camera.eye) - place.floor
    ahead = np.array([np.sin(place.facing), np.cos(place.facing)])
    assert toward[[0, 2]] / np.hypot(*toward[[0, 2]]) == pytest.approx(ahead, abs=0.02)
    joints = RING.pose(np.array([0.0])).joints[0, juggler]
    clip = np.column_stack([joints, np.ones(len(joints))]) @ (camera.projection(4 / 3) @ camera.view()).T
    assert np.abs(clip[:, :2] / clip[:, 3:]).max() < 1.0


def test_a_place_tells_how_far_it_moved() -> None:
    assert JugglerPlace((1.0, 0.0, 3.0), 0.5).moved_since(JugglerPlace((0.5, 0.0, 4.0), 0.0)) == (0.5, 0.0, -1.0)
