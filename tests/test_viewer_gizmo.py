import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.cards.arm_lab import GIZMO_SIZE, gizmo_covers, on_screen
from juggle_anim.viewer.cards.layout import arrange
from juggle_anim.viewer.state.arm_lab import ArmLab
from juggle_anim.viewer.state.listing import ArmSelection

LAYOUT = arrange(640, 480, 1.0, True, True)
ANIMATION = animate("531")
CAMERA = ANIMATION.camera(640 / 480)


def test_what_the_camera_looks_at_is_in_the_middle_of_the_window() -> None:
    assert on_screen(np.array(CAMERA.target), LAYOUT, CAMERA) == pytest.approx((320, 240))


def test_what_is_higher_is_higher_in_the_window() -> None:
    low, high = (on_screen(np.array(CAMERA.target) + (0, up, 0), LAYOUT, CAMERA) for up in (0.0, 0.3))
    assert high[0] == pytest.approx(low[0])
    assert high[1] < low[1] - 20


def test_around_its_goal_the_gizmo_has_the_mouse() -> None:
    lab = ArmLab(ANIMATION, 0.3, ArmSelection())
    x, y = on_screen(lab.goal, LAYOUT, CAMERA)
    assert gizmo_covers(lab, LAYOUT, CAMERA, x + GIZMO_SIZE, y)
    assert not gizmo_covers(lab, LAYOUT, CAMERA, x + 2 * GIZMO_SIZE, y)
