from dataclasses import replace

import numpy as np
from drawn_scenes import BLUE, GREEN, PLAIN, RED, capsule, scene, sphere

import juggle_anim as ja
from juggle_anim.body import Joint
from juggle_anim.render import Offscreen

SOLIDS = (
    [sphere((0.2, 1.5, 0.4), 0.1, RED), sphere((0.24, 1.5, 0.2), 0.15, BLUE)],
    [capsule((0.0, 0.1, 0.0), 0.1, (0.1, 1.4, 0.0), 0.15, GREEN)],
)
SIZE = (160, 120)


def test_nothing_is_behind_people_and_props() -> None:
    with Offscreen(*SIZE, transparent=True) as offscreen:
        assert not offscreen.image(scene()).any()
        picture = offscreen.image(scene(*SOLIDS))
    assert picture.shape == (120, 160, 4)
    alpha = picture[..., 3]
    assert (alpha == 255).any()
    assert (alpha == 0).mean() > 0.5
    assert ((alpha > 0) & (alpha < 255)).any()


def test_laid_over_a_white_studio_it_is_the_picture_drawn_there() -> None:
    with Offscreen(*SIZE, transparent=True) as clear, Offscreen(*SIZE) as opaque:
        shown = scene(*SOLIDS, stage=PLAIN)
        picture = clear.image(shown).astype(float)
        drawn = opaque.image(shown).astype(float)
    laid = picture[..., :3] + (1 - picture[..., 3:] / 255) * 255
    above_the_floor = slice(0, 60)
    assert np.abs(laid - drawn)[above_the_floor].max() <= 2
    # Shadows are alpha, and black; ours are a little warmer than that.
    assert np.abs(laid - drawn).max() <= 12
    assert (drawn[60:].max(axis=2) < 240).mean() > 0.01


def test_shadows_are_soft_black_alpha_and_can_be_left_out() -> None:
    with (
        Offscreen(*SIZE, transparent=True) as soft,
        Offscreen(*SIZE, transparent=True, shadows=False) as without,
    ):
        picture, bare = soft.image(scene(*SOLIDS)), without.image(scene(*SOLIDS))
    shadow = (picture[..., 3] > 0) & (bare[..., 3] == 0)
    assert shadow.sum() > 100
    assert not picture[shadow][:, :3].any()
    assert 60 < picture[shadow][:, 3].max() < 200
    assert len(np.unique(picture[shadow][:, 3])) > 30


def test_solid_parts_have_the_very_colours_of_an_opaque_picture() -> None:
    with Offscreen(*SIZE, transparent=True) as clear, Offscreen(*SIZE) as opaque:
        picture, drawn = clear.image(scene(*SOLIDS)), opaque.image(scene(*SOLIDS))
    solid = picture[..., 3] == 255
    assert (picture[solid][:, :3] == drawn[solid]).mean() > 0.99
    assert np.abs(picture[solid][:, :3].astype(int) - drawn[solid]).max() <= 3


def test_the_forearms_of_a_juggler_through_whose_eyes_one_sees_fade_out_toward_the_elbow() -> None:
    animation = ja.animate("3")
    left, right = (Joint.LEFT_ELBOW, Joint.LEFT_WRIST), (Joint.RIGHT_ELBOW, Joint.RIGHT_WRIST)
    joints = animation.pose(np.array([0.0])).joints[0, 0]
    # From above, where forearms are seen at full length and no prop is before them.
    camera = replace(animation.camera(4 / 3, elevation=60.0), inside=0)
    with Offscreen(640, 480, transparent=True, shadows=False) as offscreen:
        opacity = offscreen.image(animation.scene(0.0, camera))[..., 3].astype(int)
    to_clip = camera.projection(4 / 3) @ camera.view()
    for elbow, wrist in (left, right):
        shares = np.linspace(0.0, 1.0, 21)[:, None]
        points = joints[elbow] + shares * (joints[wrist] - joints[elbow])
        clip = to_clip @ np.column_stack([points, np.ones(len(points))]).T
        x, y = (clip[:2] / clip[3] * [[320], [-240]] + [[320], [240]]).astype(int)
        along = opacity[y, x]
        assert along[0] == 0
        assert (along[-3:] == 255).all()
        assert (np.diff(along) >= 0).all()
        assert np.diff(along).max() < 80
