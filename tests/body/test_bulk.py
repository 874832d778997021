import numpy as np
from drawn_depth import body_depth

from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.clearance import (
    CollisionVolume,
    head_depth,
    may_touch_trunk_or_head,
    trunk_depth,
)
from juggle_anim.scene.figure import figure_capsules
from juggle_anim.vectors import unit

ABOVE_PELVIS, TO_SHOULDERS, ABOVE_SHOULDERS, TO_CROWN = 0.0, 0.40, 0.60, 0.95
LOWEST_NOSE, NOSE_BEGINS = 0.64, 0.11
HEADS = np.zeros(5000, dtype=np.intp)


def bulk_of(joints: Floats) -> CollisionVolume:
    pelvis, chest, neck, head = joints[[Joint.PELVIS, Joint.CHEST, Joint.NECK, Joint.HEAD]]
    up = unit(chest - pelvis)
    across = joints[Joint.LEFT_SHOULDER] - joints[Joint.RIGHT_SHOULDER]
    return CollisionVolume.from_joints(pelvis, unit(across - (across @ up) * up), up, neck, head)


def points_around(seed: int, low: float, high: float) -> Floats:
    return np.random.default_rng(seed).uniform((-0.3, low, -0.25), (0.3, high, 0.25), (5000, 3)).T


def drawn_depth(joints: Floats, volume: CollisionVolume, points: Floats) -> Floats:
    world = volume.pelvis + points.T @ volume.axes.T
    return body_depth(figure_capsules(joints[None, None]), world[None])[0]


def depth(volume: CollisionVolume, points: Floats) -> Floats:
    return np.maximum(trunk_depth(points), head_depth(points, volume.heads(HEADS)))


def test_trunk_and_head_are_as_thick_as_those_that_are_drawn() -> None:
    joints = animate("3").pose(np.array([0.1])).joints[0, 0]
    bulk = bulk_of(joints)
    for low, high in ((ABOVE_PELVIS, TO_SHOULDERS), (ABOVE_SHOULDERS, TO_CROWN)):
        points = points_around(1, low, high)
        drawn, found = drawn_depth(joints, bulk, points), depth(bulk, points)
        skin = (np.abs(drawn) < 0.02) & ~((points[1] > LOWEST_NOSE) & (points[2] > NOSE_BEGINS))
        assert skin.sum() > 200
        assert np.abs(found - drawn)[skin].max() < 0.026


def test_depths_are_distances() -> None:
    bulk = bulk_of(animate("3").pose(np.array([0.1])).joints[0, 0])
    points, others = points_around(2, -0.3, 1.1), points_around(3, -0.3, 1.1)
    apart = np.linalg.norm(points - others, axis=0)
    # Cones that widen are a little less than distances to them.
    assert (np.abs(depth(bulk, points) - depth(bulk, others)) < 1.12 * apart).all()


def test_whatever_touches_is_near() -> None:
    bulk = bulk_of(animate("531").pose(np.array([0.3])).joints[0, 0])
    points = points_around(4, -0.3, 1.1)
    near = may_touch_trunk_or_head(points, np.array(0.04))
    assert near[depth(bulk, points) > -0.04].all()
    assert not near.all()


def test_points_are_seen_from_the_pelvis_along_the_spine() -> None:
    joints = animate("3").pose(np.array([0.1])).joints[0, 0]
    bulk = bulk_of(joints)
    chest, left = bulk.to_local(joints[[Joint.CHEST, Joint.LEFT_SHOULDER]])
    assert np.abs(chest[[0, 2]]).max() < 1e-9
    assert chest[1] > 0.4
    assert left[0] > 0.15
    neck, head = bulk.heads(np.array([0]))[..., 0]
    assert neck[1] > chest[1]
    assert head[2] > neck[2]
