from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.body.arms.natural import natural
from juggle_anim.body.arms.solvers import AT_EASE, Arm
from juggle_anim.body.clearance import CollisionVolume, arm_depths
from juggle_anim.body.planning.swivel_plan import ElbowPath, best_elbow_directions
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM

RATE, MOMENTS = 480.0, 150
SHOULDER = np.array([0.19, 0.42, 0.0])
MIRROR = np.array([-1.0, 1.0, 1.0])


def bulk() -> CollisionVolume:
    """Of a body that stands upright with its pelvis at the origin."""
    joints = np.zeros((3, MOMENTS, 3))
    joints[:, :, 1] = np.array([0.0, 0.5, 0.65])[:, None]
    return CollisionVolume(*joints, np.broadcast_to(np.eye(3), (MOMENTS, 3, 3)))


def course(side: int = 0, behind: float = 0.6, share: float = 1.0) -> ElbowPath:
    """A hand that rushes past its shoulder, by default behind and above, near where the solver's elbow turns fast."""
    along = np.linspace(-0.5, 0.5, MOMENTS)
    away = np.stack([0.3 * np.sin(6 * along) + 0.02, 0.2 + 0 * along, 0.3 - behind * np.cos(along)], axis=-1)
    wrist = SHOULDER + away
    shoulder, wrist = (each * MIRROR**side for each in (np.tile(SHOULDER, (MOMENTS, 1)), wrist))
    pose = natural(shoulder, wrist, Arm(UPPER_ARM, FOREARM), side, AT_EASE)
    speed = np.linalg.norm(np.diff(pose.wrist, axis=0), axis=-1) * RATE
    fingers = (pose.wrist - pose.elbow) / FOREARM
    shares = np.full(MOMENTS, share)
    return ElbowPath(shoulder, pose.elbow, pose.wrist, fingers, bulk(), 1.5 * speed + 1.0, shares, RATE)


def circle(course: ElbowPath) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middles, radii and directions of the solver's elbows."""
    line = course.wrist - course.shoulder
    axis = line / np.linalg.norm(line, axis=-1, keepdims=True)
    upper = course.elbow - course.shoulder
    along = (upper * axis).sum(axis=-1, keepdims=True) * axis
    radius = np.linalg.norm(upper - along, axis=-1, keepdims=True)
    return course.shoulder + along, radius, (upper - along) / radius


def excess(course: ElbowPath, ways: np.ndarray) -> float:
    middle, radius, _ = circle(course)
    speed = np.linalg.norm(np.diff(middle + radius * ways, axis=0), axis=-1) * RATE
    return float((speed - course.called_for).max())


def test_a_way_is_found_that_is_hardly_faster_than_is_called_for() -> None:
    racing = course()
    assert excess(racing, circle(racing)[2]) > 3.0
    assert excess(racing, best_elbow_directions(racing)) < 0.5


def test_a_way_begins_and_ends_where_the_solver_has_the_elbow_and_keeps_to_the_circle() -> None:
    racing = course()
    ways = best_elbow_directions(racing)
    assert ways[[0, -1]] == pytest.approx(circle(racing)[2][[0, -1]], abs=1e-9)
    assert np.linalg.norm(ways, axis=-1) == pytest.approx(1.0, abs=1e-9)
    assert (ways * (racing.wrist - racing.shoulder)).sum(axis=-1) == pytest.approx(0.0, abs=1e-9)


def test_the_other_arm_goes_the_mirrored_way() -> None:
    assert best_elbow_directions(course(side=1)) == pytest.approx(best_elbow_directions(course()) * MIRROR, abs=1e-6)


def test_where_there_is_no_haste_the_solver_is_followed() -> None:
    calm = course(behind=-0.1)
    assert (best_elbow_directions(calm) * circle(calm)[2]).sum(axis=-1).min() > np.cos(0.5)


def test_a_moment_that_belongs_to_the_solver_is_left_to_it() -> None:
    slow = [replace(course(behind=-0.1, share=share), called_for=np.full(MOMENTS - 1, 0.5)) for share in (1.0, 0.0)]
    free, bound = (1.0 - (best_elbow_directions(each) * circle(each)[2]).sum(axis=-1).min() for each in slow)
    assert bound < 0.5 * free


def test_a_way_around_the_body_is_rather_taken() -> None:
    racing = course()
    far = (5.0, 0.0, 0.0)
    nobody = CollisionVolume(
        racing.volume.pelvis + far, racing.volume.neck + far, racing.volume.head + far, racing.volume.axes
    )
    middle, radius, _ = circle(racing)
    elbows = [middle + radius * best_elbow_directions(each) for each in (racing, replace(racing, volume=nobody))]
    depths = [arm_depths(racing.volume, racing.shoulder, each[:, None], racing.wrist) for each in elbows]
    beside, through = (np.maximum(each, 0.0).sum() for each in depths)
    assert beside < through
