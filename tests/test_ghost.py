import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import Joint
from juggle_anim.scene.aids import ghost_arms


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
    np.testing.assert_array_equal(alone.scene(0.3, camera).capsules, haunted.scene(0.3, camera).capsules)
    assert alone.scene(0.3, camera).ghosts.shape == (0, 12)


def test_a_ghost_shares_all_that_does_not_hang_on_the_solver() -> None:
    animation = animate("531", ghost="two-link")
    animation.scene(0.0)
    assert animation.ghost
    assert animation.ghost.motion is animation.motion
    assert animation.ghost.plan is animation.plan
    assert animation.ghost is animation.ghost
