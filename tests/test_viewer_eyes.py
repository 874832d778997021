import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import Joint
from juggle_anim.viewer.state.camera_rig import EYE_PITCH, FIELD_OF_VIEW, eye_orbit

FACING = animate("<3p|3p>")


@pytest.mark.parametrize("juggler", [0, 1])
def test_a_juggler_looks_where_their_head_points_and_not_at_the_inside_of_it(juggler: int) -> None:
    camera = eye_orbit(FACING, juggler, 0.3).camera()
    joints = FACING.pose(np.array([0.3])).joints[0, juggler]
    ahead = joints[Joint.FACE] - joints[Joint.HEAD]
    looks = np.subtract(camera.target, camera.eye)
    assert looks @ ahead == pytest.approx(np.linalg.norm(looks) * np.linalg.norm(ahead) * np.cos(EYE_PITCH), rel=1e-6)
    assert looks[1] / np.linalg.norm(looks) > ahead[1] / np.linalg.norm(ahead)
    assert (np.array(camera.eye) - joints[Joint.HEAD]) @ ahead / np.linalg.norm(ahead) > 0.12
    assert camera.field_of_view == pytest.approx(FIELD_OF_VIEW)


def test_who_faces_another_sees_them() -> None:
    camera = eye_orbit(FACING, 0, 0.3).camera()
    other = FACING.pose(np.array([0.3])).joints[0, 1, Joint.CHEST]
    clip = camera.projection(4 / 3) @ camera.view() @ (*other, 1.0)
    assert np.abs(clip[:2] / clip[3]).max() < 1.0
    assert clip[3] > 0.5


def test_a_camera_that_is_turned_aside_stands_in_the_same_eye() -> None:
    straight, aside = (eye_orbit(FACING, 0, 0.3, angle) for angle in (0.0, 0.4))
    assert aside.camera().eye == pytest.approx(straight.camera().eye)
    assert aside.azimuth == pytest.approx(straight.azimuth + 0.4)


def test_a_juggler_sees_where_their_throws_turn() -> None:
    alone = animate("531")
    camera = eye_orbit(alone, 0, 0.3).camera()
    tops = alone.motion.flight_paths.apexes()
    tops = tops[tops[:, 1] > 1.5]
    clip = np.column_stack([tops, np.ones(len(tops))]) @ (camera.projection(4 / 3) @ camera.view()).T
    assert len(tops) >= 2
    assert (clip[:, 3] > 0).all()
    assert np.abs(clip[:, :2] / clip[:, 3:]).max() < 1.0
