import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.errors import NotationError, ParameterError


def test_a_change_shares_every_stage_left_of_it() -> None:
    animation = animate("531")
    assert animation.motion
    lifted = animation.replace(chicken_wing=60.0)
    assert lifted.pattern is animation.pattern
    assert lifted.motion is animation.motion
    softer = animation.replace(catch_softness=80.0)
    assert softer.choreography is animation.choreography
    assert softer.motion is not animation.motion
    slower = animation.replace(bps=2.0)
    assert slower.choreography is not animation.choreography
    assert slower.choreography.bps == 2.0


def test_a_change_of_stage_is_seen_in_what_follows() -> None:
    times = np.array([0.3])
    animation = animate("531")
    assert not np.allclose(animation.pose(times).joints, animation.replace(chicken_wing=80.0).pose(times).joints)
    assert not np.allclose(animation.sample(times).hands, animation.replace(dwell=1.0).sample(times).hands)


def test_setting_a_parameter_to_what_it_is_shares_everything() -> None:
    animation = animate("531", dwell=1.1)
    assert animation.motion
    assert animation.replace(dwell=1.1).motion is animation.motion


def test_a_reset_tempo_follows_the_pattern_again() -> None:
    animation = animate("3", bps=5.0)
    assert animation.choreography.bps == 5.0
    assert animation.replace(bps=None).choreography.bps == pytest.approx(2.9)


def test_a_pattern_without_props_is_drawn_too() -> None:
    scene = animate("0").scene(0.4)
    assert len(scene.spheres) == 0
    assert len(scene.capsules) > 10
    assert animate("0").camera(1.5).eye[2] > 1


def test_scenes_of_many_times_are_those_of_each_time() -> None:
    animation = animate("(6x,4)*")
    camera = animation.camera(1.5)
    times = np.array([0.0, 0.31, 2.7])
    together = animation.scenes(times, camera)
    for time, scene in zip(times, together, strict=True):
        alone = animation.scene(time, camera)
        assert np.array_equal(alone.spheres, scene.spheres)
        assert np.array_equal(alone.capsules, scene.capsules)


def test_bad_input_is_refused_with_its_name() -> None:
    with pytest.raises(NotationError, match="average"):
        animate("532")
    with pytest.raises(ParameterError, match="did you mean chicken_wing"):
        animate("531", chiken_wing=3.0)
    with pytest.raises(ParameterError, match="dwell is nan"):
        animate("531", dwell=float("nan"))


def test_a_camera_follows_every_change_of_what_it_must_show() -> None:
    animation = animate("531")
    before = animation.camera(1.5)
    for change in ({"bps": 2.0}, {"prop_diameter": 60.0}, {"chicken_wing": 120.0}, {"gravity": 2000.0}):
        after = animation.replace(**change).camera(1.5)
        assert after == animate("531", **change).camera(1.5)
        assert after != before
    assert animation.replace(speed=2.0).camera(1.5) == before


def test_the_gaps_of_a_loop_are_the_widest_of_each_hand_and_follow_a_change() -> None:
    animation = animate("531")
    assert animation.gaps.shape == (1, 2)
    assert animation.gaps.max() < 0.015
    assert animation.replace(prop_diameter=60.0).gaps.min() > 0.1


def test_a_hand_that_is_out_of_reach_once_in_a_long_loop_is_found() -> None:
    animation = animate("(5^200)97531", bps=4.375)
    closely = animation.pose(np.linspace(0, animation.duration, 60_000)).gaps.max()
    assert closely > 0.005
    assert animation.gaps.max() == pytest.approx(closely, rel=0.05)


def test_a_ring_of_jugglers_is_seen_from_higher_up() -> None:
    heights = [animate(text).camera(1.5) for text in ("3", "<3p|3p>", "<3p|3p|3p>")]
    slopes = [
        (camera.eye[1] - camera.target[1])
        / np.hypot(camera.eye[0] - camera.target[0], camera.eye[2] - camera.target[2])
        for camera in heights
    ]
    assert slopes[0] == pytest.approx(slopes[1])
    assert slopes[2] > 2 * slopes[0]
