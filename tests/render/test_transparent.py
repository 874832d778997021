import numpy as np
from drawn_scenes import BLUE, GREEN, PLAIN, RED, capsule, scene, sphere

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
