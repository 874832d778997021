import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.viewer.camera_rig import CameraRig
from juggle_anim.viewer.layout import Layout, arrange

BARE, COVERED = arrange(640, 480, 1.0, False), arrange(640, 480, 1.0, True)


@pytest.fixture(scope="module")
def animation() -> Animation:
    return animate("531")


def rest(rig: CameraRig, animation: Animation, layout: Layout) -> None:
    for _ in range(200):
        rig.aim(animation, layout, 1 / 60)
    assert rig.settled


def test_a_bare_window_is_seen_by_the_very_camera_of_an_export(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    assert rig.camera == animation.camera(640 / 480)
    rest(rig, animation, COVERED)
    rest(rig, animation, BARE)
    assert rig.camera == animation.camera(640 / 480)


def test_the_whole_juggler_is_in_the_part_that_the_panel_leaves_free(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, COVERED, 0.0)
    joints = animation.pose(np.linspace(0.0, animation.duration, 9)).joints.reshape(-1, 3)
    corners = np.column_stack([joints, np.ones(len(joints))])
    clip = corners @ (rig.camera.projection(640 / 480) @ rig.camera.view()).T
    across, down = 320 * (1 + clip[:, 0] / clip[:, 3]), 240 * (1 - clip[:, 1] / clip[:, 3])
    free = COVERED.free
    assert free.left < across.min()
    assert across.max() < free.left + free.width
    assert down.min() > 0
    assert down.max() < free.height


def test_another_pattern_is_framed_smoothly(animation: Animation) -> None:
    rig, higher = CameraRig(), animate("b97531")
    rig.aim(animation, BARE, 0.0)
    before = np.array(rig.camera.eye)
    rig.aim(higher, BARE, 1 / 60)
    goal = np.array(higher.camera(640 / 480).eye)
    assert 0 < np.linalg.norm(rig.camera.eye - before) < 0.5 * np.linalg.norm(goal - before)
    rest(rig, higher, BARE)
    assert rig.camera.eye == pytest.approx(goal)


def test_another_size_of_the_window_is_framed_at_once(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    rig.aim(animation, arrange(300, 700, 1.0, False), 1 / 60)
    assert rig.camera == animation.camera(300 / 700)


def test_a_camera_in_a_hand_stays_until_it_is_released(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    rig.turn(0.2, 0.1)
    rig.zoom(3)
    rest(rig, animation, BARE)
    held = rig.camera
    rest(rig, animate("b97531"), BARE)
    assert rig.camera == held
    rig.release()
    rest(rig, animation, BARE)
    assert rig.camera == animation.camera(640 / 480)
