from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.scene import Camera
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.cards.projection import project_points

CAMERA = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))
PLACE = Rectangle(100.0, 50.0, 400.0, 300.0)


def test_the_target_is_in_the_middle_of_the_place() -> None:
    assert project_points(np.array([[0.0, 1.0, 0.0]]), CAMERA, PLACE)[0] == pytest.approx((300.0, 200.0))


def test_what_is_behind_the_eye_has_no_place_unless_sight_is_parallel() -> None:
    points = np.array([[0.2, 1.3, 0.0], [0.2, 1.3, 7.0]])
    assert np.isnan(project_points(points, CAMERA, PLACE)[1]).all()
    near, far = project_points(points, replace(CAMERA, orthographic=True), PLACE)
    assert near == pytest.approx(far)
    assert near == pytest.approx(project_points(points[:1], CAMERA, PLACE)[0])
