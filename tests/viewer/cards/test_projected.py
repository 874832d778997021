from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import Joint
from juggle_anim.scene import Camera
from juggle_anim.viewer.arms.arm_lab import LocalFigure
from juggle_anim.viewer.layout import Rectangle, project_points

TIME = 0.3


def test_a_figure_is_seen_from_itself_whichever_way_it_faces() -> None:
    animation = animate("<3p|3p>")
    for juggler in (0, 1):
        figure = LocalFigure.from_animation(animation, TIME, juggler)
        joints = animation.pose(np.array([TIME])).joints[0, juggler]
        assert figure.to_world(figure.joints) == pytest.approx(joints, abs=1e-12)
        assert figure.at("SHOULDER", 0)[0] > 0.1 > -0.1 > figure.at("SHOULDER", 1)[0]
        assert figure.joints[Joint.FACE][2] > figure.joints[Joint.HEAD][2]


CAMERA = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))


PLACE = Rectangle(100.0, 50.0, 400.0, 300.0)


def test_the_target_is_in_the_middle_of_the_place() -> None:
    assert project_points(np.array([[0.0, 1.0, 0.0]]), CAMERA, PLACE)[0] == pytest.approx(
        (300.0, 200.0)
    )


def test_what_is_behind_the_eye_has_no_place_unless_sight_is_parallel() -> None:
    points = np.array([[0.2, 1.3, 0.0], [0.2, 1.3, 7.0]])
    assert np.isnan(project_points(points, CAMERA, PLACE)[1]).all()
    near, far = project_points(points, replace(CAMERA, orthographic=True), PLACE)
    assert near == pytest.approx(far)
    assert near == pytest.approx(project_points(points[:1], CAMERA, PLACE)[0])
