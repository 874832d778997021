import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.errors import NotationError, ParameterError
from juggle_anim.exporter.page.page import looks
from juggle_anim.render import Offscreen
from juggle_anim.scene.figure import LIMBS
from juggle_anim.scene.scene import Scene

THREE = "<3p 3|3p 3|3p 3>"


def scene_with(hidden: str, **changes: str) -> Scene:
    return ja.animate(THREE, hide_jugglers=hidden, **changes).scene(0.0)


def picture(**changes: str) -> Bytes:
    animation = ja.animate("3B", **changes)
    with Offscreen(120, 90) as offscreen:
        return offscreen.image(animation.scene(0.3, animation.camera(4 / 3)))


@pytest.mark.parametrize(
    ("hidden", "left"),
    [("2", [0, 2]), ("1,3", [1]), ("3,1", [1]), ("none", [0, 1, 2]), ("9", [0, 1, 2])],
)
def test_of_jugglers_who_are_hidden_only_the_props_are_drawn(hidden: str, left: list[int]) -> None:
    whole = scene_with("none", aids="both", ghost="two-link")
    scene = scene_with(hidden, aids="both", ghost="two-link")
    np.testing.assert_array_equal(scene.spheres, whole.spheres)
    for part in ("bodies", "paint", "gaze", "girths", "worn", "low_detail"):
        np.testing.assert_array_equal(getattr(scene, part), getattr(whole, part)[left], part)
    for part in ("ghosts", "axes", "bubbles"):
        rows = getattr(whole, part)
        each = len(rows) // 3
        kept = np.concatenate([rows[number * each : (number + 1) * each] for number in left])
        np.testing.assert_array_equal(getattr(scene, part), kept, part)
    assert (scene.limb_count, scene.limbs_each) == (len(left) * len(LIMBS), len(LIMBS))


@pytest.mark.parametrize("figure", ["person", "solid", "stick", "see-through"])
def test_where_all_jugglers_are_hidden_props_are_alone(figure: str) -> None:
    scene = scene_with("1,2,3", figure=figure)
    np.testing.assert_array_equal(scene.capsules, scene_with("all", figure=figure).capsules)
    alone = scene_with("none", figure="hidden")
    np.testing.assert_array_equal(scene.capsules, alone.capsules)
    assert len(scene.bodies) == len(scene.see_through) == len(scene.low_detail) == 0
    np.testing.assert_array_equal(scene.spheres, alone.spheres)


def test_a_camera_in_the_eyes_of_a_juggler_hides_the_head_of_the_same_one() -> None:
    animation = ja.animate(THREE, hide_jugglers="1")
    camera = animation.camera(4 / 3, azimuth=0.0)
    for inside, drawn in ((1, 0), (2, 1), (0, None)):
        seen = ja.animate(THREE, hide_jugglers="1").scene(
            0.0, type(camera)(**{**vars(camera), "inside": inside})
        )
        assert seen.camera.inside == drawn


def test_a_page_shows_the_same_jugglers() -> None:
    given = looks(ja.animate(THREE, hide_jugglers="1,3", people="4,5,6"))
    assert given["shown"] == [1]
    assert len(given["people"]) == 1


@pytest.mark.parametrize("text", ["(1,3)", "1,3", " ( 1 , 3 ) ", "(1, 3)"])
def test_numbers_may_stand_in_brackets(text: str) -> None:
    assert ja.animate(f"pattern={THREE};hidejugglers={text}").parameters.hide_jugglers == "1,3"
    assert ja.animate(THREE, hide_jugglers=text).settings == f"pattern={THREE};hidejugglers=1,3"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("true", "all"),
        ("all", "all"),
        ("yes", "all"),
        ("false", "none"),
        ("", "none"),
        ("()", "none"),
        ("0", "none"),
    ],
)
def test_all_or_none_may_be_meant(text: str, meant: str) -> None:
    assert ja.animate(f"pattern={THREE};hidejugglers={text}").parameters.hide_jugglers == meant


@pytest.mark.parametrize("text", ["(1,9999)", "1;3", "everyone", "(", "1,,3", "-1", "all,1"])
def test_what_is_no_number_of_a_juggler_is_refused(text: str) -> None:
    with pytest.raises((NotationError, ParameterError)):
        ja.animate(f"pattern={THREE};hidejugglers={text}")


def test_without_ground_there_is_neither_floor_nor_shadow_and_all_else_is_the_same() -> None:
    for stage in ("studio", "gym", "dark"):
        shown, hidden = picture(stage=stage), picture(stage=stage, ground="off")
        colours = len(np.unique(shown[-1], axis=0)), len(np.unique(hidden[-1], axis=0))
        assert colours[1] == 1 < colours[0], stage
        np.testing.assert_array_equal(shown, picture(stage=stage, ground="on"))


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("yes", "on"),
        ("true", "on"),
        ("on", "on"),
        ("auto", "on"),
        ("no", "off"),
        ("FALSE", "off"),
        ("off", "off"),
    ],
)
def test_the_ground_is_asked_for_in_the_words_of_other_programs(word: str, meant: str) -> None:
    assert ja.animate(f"pattern=3;showground={word}").parameters.ground == meant
    assert ja.animate("3", ground=word).parameters.ground == meant


def test_a_switch_that_is_neither_on_nor_off_is_refused() -> None:
    with pytest.raises(NotationError, match="showground cannot be 'maybe'"):
        ja.animate("pattern=3;showground=maybe")
