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
        # Shadows are no part of it, so they are left out on both sides: from below, there are none.
        from_below = scene(*SOLIDS, stage=PLAIN)
        picture = clear.image(from_below).astype(float)
        drawn = opaque.image(from_below).astype(float)
        empty = opaque.image(scene(stage=PLAIN)).astype(float)
    laid = picture[..., :3] + (1 - picture[..., 3:] / 255) * empty
    above_the_floor = slice(0, 60)
    assert np.abs(laid - drawn)[above_the_floor].max() <= 2


def test_solid_parts_have_the_very_colours_of_an_opaque_picture() -> None:
    with Offscreen(*SIZE, transparent=True) as clear, Offscreen(*SIZE) as opaque:
        picture, drawn = clear.image(scene(*SOLIDS)), opaque.image(scene(*SOLIDS))
    solid = picture[..., 3] == 255
    assert (picture[solid][:, :3] == drawn[solid]).mean() > 0.99
    assert np.abs(picture[solid][:, :3].astype(int) - drawn[solid]).max() <= 3
