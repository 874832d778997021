"""Axes of joints and spheres of reach, as rows and as pictures."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from drawn_scenes import CAMERA, PLAIN, capsule, reddish, scene, seen

import juggle_anim as ja
from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.body import Joint
from juggle_anim.body.arm import arm_axes
from juggle_anim.parameters import row_named
from juggle_anim.render import Offscreen
from juggle_anim.scene import Scene
from juggle_anim.scene.scene import (
    BLUE,
    GREEN,
    REACH,
    RED,
    STAGES,
    FlightArcs,
    axis_arrows,
    ghost_arms,
    reach_bubbles,
)

TIMES = np.linspace(0.0, 1.0, 25)
FAR = "pattern=4;hands=(100)(200)."


SIZE = 320, 240


def draw(shown: Scene, transparent: bool = False) -> Bytes:
    with Offscreen(*SIZE, transparent) as offscreen:
        return offscreen.image(shown).copy()


def apart(one: Bytes, other: Bytes) -> np.ndarray:
    return np.abs(one.astype(int) - other).max(axis=2)


def test_arrows_start_at_the_joints_and_point_along_the_axes() -> None:
    joints = ja.animate("<3p|3p>").pose(TIMES).joints
    rows = axis_arrows(joints).reshape(25, 2, 2, 3, 3, 2, 12)
    places = joints[:, :, [[Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW, Joint.LEFT_WRIST]]]
    np.testing.assert_allclose(rows[:, :, :1, :, 0, 0, :3], places, atol=1e-6)
    way = rows[..., 1, 4:7] - rows[..., 0, :3]
    lengths = np.linalg.norm(way, axis=-1, keepdims=True)
    np.testing.assert_allclose(way / lengths, np.swapaxes(arm_axes(joints), -1, -2), atol=1e-5)
    assert 0.1 < lengths.min() < lengths.max() < 0.2
    np.testing.assert_allclose(rows[0, 0, 0, 0, :, 0, 8:11], [RED, GREEN, BLUE], atol=1e-6)
    np.testing.assert_array_equal(rows[..., 0, 4:7], rows[..., 1, :3])


def test_spheres_are_around_shoulders_and_hold_every_wrist() -> None:
    pose = ja.animate("<3p|3p>").pose(TIMES)
    rows = reach_bubbles(pose).reshape(25, 2, 2, 12)
    shoulders = pose.joints[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]]
    np.testing.assert_allclose(rows[..., :3], shoulders, atol=1e-6)
    assert rows[..., 3] == pytest.approx(REACH)
    wrists = pose.joints[:, :, [Joint.LEFT_WRIST, Joint.RIGHT_WRIST]]
    np.testing.assert_allclose(rows[..., 4:7], wrists, atol=1e-6)
    assert (np.linalg.norm(wrists - shoulders, axis=-1) < REACH).all()


def test_they_warn_where_a_hand_comes_near_the_limit_and_where_it_should_be_beyond() -> None:
    easy, far = (ja.animate(text).pose(TIMES) for text in ("4", FAR))
    calm, strained = reach_bubbles(easy), reach_bubbles(far)
    assert calm[..., 7].max() < 0.7
    assert calm[..., 11].max() < 1e-6
    assert strained[..., 7].max() == strained[..., 11].max() == 1.0
    # It tells the arm: the wrist of one that is at the limit is nearly as far away as the sphere.
    rows = strained[strained[..., 7] == 1.0]
    assert (np.linalg.norm(rows[:, 4:7] - rows[:, :3], axis=1) > 0.97 * REACH).all()
    assert far.gaps.max() > 0.01


def test_each_choice_shows_what_it_names() -> None:
    shown = {aids: ja.animate("3", aids=aids).scene(0.2) for aids in row_named("aids").options}
    arms = {aids: (len(each.axes), len(each.bubbles)) for aids, each in shown.items()}
    assert arms == {"none": (0, 0), "axes": (36, 0), "reach": (0, 2), "both": (36, 2)}
    assert "aids=reach" in ja.animate("3", aids="reach").settings


@pytest.mark.parametrize(
    ("figure", "stage"), list(product(row_named("figure").options, STAGES))[::2]
)
def test_axes_are_seen_over_every_figure_on_every_stage(figure: str, stage: str) -> None:
    animation = ja.animate("531", figure=figure, stage=stage)
    plain, shown = (draw(animation.replace(aids=aids).scene(0.0)) for aids in ("none", "axes"))
    changed = apart(plain, shown) > 60
    assert changed.sum() > 100
    rows = animation.replace(aids="axes").scene(0.0).axes
    camera = animation.camera(4 / 3)
    for row in rows[1::2]:  # the heads of the arrows
        column, line = seen(camera, *SIZE, (row[:3] + row[4:7]) / 2).astype(int)
        assert changed[line - 1 : line + 2, column - 1 : column + 2].any()


def test_axes_are_drawn_over_what_is_nearer() -> None:
    arrow = np.array([capsule((0.0, 1.1, 0.0), 0.02, (0.3, 1.1, 0.0), 0.02)], dtype=np.float32)
    wall = capsule((-0.2, 1.1, 1.0), 0.3, (0.5, 1.1, 1.0), 0.3, (0.2, 0.2, 0.2, 0.0))
    shown = draw(replace(scene(capsules=[wall], stage=PLAIN), axes=arrow))
    column, line = seen(CAMERA, *SIZE, (0.15, 1.1, 0.0)).astype(int)
    assert reddish(shown)[line, column] > 0.9


def bubble(near: float, beyond: float = 0.0) -> Scene:
    row = [0.0, 1.1, 0.0, 0.5, 0.0, 1.1, 0.45, near, 0.2, 0.4, 0.9, beyond]
    return replace(scene(stage=PLAIN), bubbles=np.array([row], dtype=np.float32))


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_bubble_is_seen_through_and_has_an_edge(orthographic: bool) -> None:
    camera = replace(CAMERA, orthographic=orthographic)
    shown = draw(replace(bubble(0.0), camera=camera)).astype(int)
    column, line = seen(camera, *SIZE, (0.0, 1.1, 0.0)).astype(int)
    radius = 0.5 / camera.distance / np.tan(camera.field_of_view / 2) * 120
    middle, edge = (255 - shown[line, column + round(far * radius)].min() for far in (0.3, 0.97))
    assert 5 < middle < 25
    assert 45 < edge < 130
    assert (shown[line, round(column + 1.06 * radius)] == 255).all()


def test_a_bubble_is_tinted_where_the_hand_is_near_its_limit() -> None:
    calm, near, beyond = (
        draw(bubble(*each)).astype(int) for each in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    )
    column, line = seen(CAMERA, *SIZE, (0.0, 1.1, 0.5)).astype(int)
    red, green, blue = near[line, column]
    assert red > green > blue + 40
    assert beyond[line, column][1] < green - 60
    away = line - 50, column
    np.testing.assert_array_equal(calm[away], near[away])


def test_a_bubble_hides_nothing_and_is_hidden_by_what_is_before_it() -> None:
    for depth, through in ((-1.0, True), (1.5, False)):
        ball = capsule((0.0, 1.1, depth), 0.15, (0.0, 1.1, depth), 0.15)
        with_ball = scene(capsules=[ball], stage=PLAIN)
        plain, covered = (
            draw(each) for each in (with_ball, replace(with_ball, bubbles=bubble(1.0, 1.0).bubbles))
        )
        column, line = seen(CAMERA, *SIZE, (0.0, 1.1, depth)).astype(int)
        assert reddish(covered)[line, column] > 0.5
        assert (apart(plain, covered)[line, column] > 2) == through


def test_aids_are_seen_before_nothing_too() -> None:
    shown = draw(replace(bubble(0.0), axes=bubble(0.0).axes), transparent=True)
    alpha = shown[..., 3]
    assert 0 < alpha[120, 160] < 60
    assert alpha.max() < 160
    assert alpha[5, 5] == 0


def test_spheres_of_reach_are_framed() -> None:
    animation = ja.animate("<3p|3p|3p|3p|3p>", aids="reach")
    camera = animation.camera(4 / 3)
    rows = animation.scene(0.3).bubbles
    places = np.array(
        [
            seen(camera, *SIZE, row[:3] + REACH * way)
            for row in rows
            for way in (*np.eye(3), *-np.eye(3))
        ]
    )
    assert (places > 0).all()
    assert (places < SIZE).all()


def test_a_ghost_has_the_arms_of_the_other_solver() -> None:
    times = np.array([0.2, 0.5])
    animation = animate("<3p|3p>", arms="natural", ghost="two-link")
    scenes = animation.scenes(times, animation.camera(1.0))
    other = animate("<3p|3p>", arms="two-link").pose(times).joints
    np.testing.assert_array_equal(scenes.ghosts, ghost_arms(other))
    left = scenes.ghosts[:, :4].reshape(2, 2, 2, 12)[:, 0]
    assert left[:, 0, :3] == pytest.approx(other[:, 0, Joint.LEFT_SHOULDER], abs=1e-6)
    assert left[:, 0, 4:7] == pytest.approx(other[:, 0, Joint.LEFT_ELBOW], abs=1e-6)
    assert left[:, 1, 4:7] == pytest.approx(other[:, 0, Joint.LEFT_WRIST], abs=1e-6)


def test_the_figure_is_the_same_with_a_ghost_and_without() -> None:
    alone, haunted = animate("531"), animate("531", ghost="resolved-rate")
    camera = alone.camera(1.0)
    np.testing.assert_array_equal(
        alone.scene(0.3, camera).capsules, haunted.scene(0.3, camera).capsules
    )
    assert alone.scene(0.3, camera).ghosts.shape == (0, 12)


def test_a_ghost_shares_all_that_does_not_hang_on_the_solver() -> None:
    animation = animate("531", ghost="two-link")
    animation.scene(0.0)
    assert animation.ghost
    assert animation.ghost.motion is animation.motion
    assert animation.ghost.plan is animation.plan
    assert animation.ghost is animation.ghost


@pytest.mark.parametrize("text", ["5", "5B", "33B", "53B4", "2", "7BB"])
def test_each_parabola_is_a_leg_of_its_flight_in_turn(text: str) -> None:
    motion = animate(text).motion
    indices = FlightArcs(motion, np.zeros((motion.choreography.props, 3)))._legs_of_flights
    legs = motion.flight_paths.parabolas.flight
    for flight, row in enumerate(indices):
        assert row[row >= 0].tolist() == np.flatnonzero(legs == flight).tolist()
        # What a flight has fewer than the one with most is at the end, and is none.
        assert (row[(legs == flight).sum() :] == -1).all()
