from pathlib import Path

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.errors import NotationError, ParameterError
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import BEAT_PARAMETERS, QUANTITIES, quantity_named


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
    assert not np.allclose(
        animation.pose(times).joints, animation.replace(chicken_wing=80.0).pose(times).joints
    )
    assert not np.allclose(
        animation.sample(times).hands, animation.replace(dwell=1.0).sample(times).hands
    )


def test_setting_a_parameter_to_what_it_is_shares_everything() -> None:
    animation = animate("531", dwell=1.1)
    assert animation.motion
    assert animation.replace(dwell=1.1).motion is animation.motion


def test_a_reset_tempo_follows_the_pattern_again() -> None:
    animation = animate("3", bps=5.0)
    assert animation.choreography.bps == 5.0
    assert animation.replace(bps=None).choreography.bps == pytest.approx(2.73)


def test_a_pattern_without_props_is_drawn_too() -> None:
    scene = animate("0").scene(0.4)
    assert len(scene.spheres) == 0
    assert len(scene.capsules) > 10
    assert animate("0").camera(1.5).eye[2] > 1


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
    for change in (
        {"bps": 2.0},
        {"prop_diameter": 60.0},
        {"chicken_wing": 120.0},
        {"gravity": 2000.0},
    ):
        after = animation.replace(**change).camera(1.5)
        assert after == animate("531", **change).camera(1.5)
        assert after != before
    assert animation.replace(speed=2.0).camera(1.5) == before


def test_the_gaps_of_a_loop_are_the_widest_of_each_hand_and_follow_a_change() -> None:
    animation = animate("531")
    assert animation.gaps.shape == (1, 2)
    assert animation.gaps.max() < 0.015
    assert animate("pattern=531;hands=(150)(200).").gaps.min() > 0.1


def test_a_hand_that_is_out_of_reach_once_in_a_long_loop_is_found() -> None:
    animation = animate("(6^200)b97531", bps=4.6, scoop=200, dwell=0.5)
    closely = animation.pose(np.linspace(0, animation.duration, 15_000)).gaps.max()
    assert closely > 0.01
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


@pytest.fixture
def moon(tmp_path: Path) -> str:
    events, _ = with_events(open_patterns("pattern=531;gravity=162;bps=2;title=Moon"))
    write_file(events, tmp_path / "moon.jml")
    return f"{tmp_path}/moon.jml"


def test_the_gravity_of_a_file_holds_until_it_is_turned(moon: str) -> None:
    animation = animate(moon)
    assert (animation.title, animation.choreography.gravity) == ("Moon", pytest.approx(1.62))
    assert animation.sample(np.array([0.1])).props.shape == (1, 3, 3)
    assert animation.replace(gravity=980.0).choreography.gravity == pytest.approx(9.8)
    assert animate(moon, gravity=400.0).choreography.gravity == pytest.approx(4.0)


@pytest.mark.parametrize("name", BEAT_PARAMETERS)
def test_what_moves_throws_on_beats_is_refused_for_events(moon: str, name: str) -> None:
    said = f"{name} cannot be changed: Moon consists of timed events"
    with pytest.raises(ParameterError, match=said):
        animate(moon, **{name: quantity_named(name).high})
    animation = animate(moon)
    with pytest.raises(ParameterError, match=said):
        animation.replace(**{name: quantity_named(name).high})
    same = {name: getattr(animation.parameters, name)}
    assert animation.replace(**same).parameters == animation.parameters


def test_every_other_quantity_is_taken_for_events_as_well(moon: str) -> None:
    for quantity in QUANTITIES:
        if quantity.name not in BEAT_PARAMETERS:
            changed = animate(moon, **{quantity.name: quantity.slider[0]})
            assert changed.pose(np.array([0.0, 0.4])).joints.shape[:2] == (2, 1)


def test_events_have_no_settings(moon: str) -> None:
    with pytest.raises(NotationError, match="settings cannot store timed events"):
        print(animate(moon).settings)


def test_a_quantity_is_given_by_its_name_or_its_key() -> None:
    assert animate("531", propdiam=9.0, softness=20.0) == animate(
        "531", prop_diameter=9.0, catch_softness=20.0
    )
    with pytest.raises(
        ParameterError, match="propdiam, prop_diameter: two of these set the same parameter"
    ):
        animate("531", propdiam=9.0, prop_diameter=9.0)


def test_a_dwell_that_is_given_means_the_same_as_in_settings() -> None:
    for given in (animate("531", dwell=1.1), animate("pattern=531;dwell=1.1")):
        assert given.score.staging.style == "juggling-lab"
    assert animate("531", dwell=1.1, style="natural").score.staging.style == "natural"
    # Who turns the slider goes on in the style there is.
    assert animate("531").replace(dwell=1.1).score.staging.style == "natural"


@pytest.mark.parametrize(
    "text",
    [
        "531",
        "Mills mess",
        "pattern=531;hands=(10)(32.5).;colors=mixed",
        "pattern=7;hss=423",
        "4 2p 1 1p for 6",
    ],
)
def test_an_animation_knows_what_to_type_for_it(text: str) -> None:
    animation = animate(text)
    assert animation.text.casefold() == text.casefold()
    again = animate(animation.text).score
    assert (again.pattern, again.staging) == (animation.score.pattern, animation.score.staging)
