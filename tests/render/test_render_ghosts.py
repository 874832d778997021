from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.arrays import Singles
from juggle_anim.render import Offscreen
from juggle_anim.render.renderer import GHOST_OPACITY
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.scene import NO_CONES, STUDIO

CAMERA = Camera((0.0, 1.0, 3.0), (0.0, 1.0, 0.0))
# Start, its radius, end, its radius, colour, gloss.
LEVEL = (-0.4, 1.0, 0.0, 0.1, 0.4, 1.0, 0.0, 0.1)
UPRIGHT = (0.0, 0.6, 0.0, 0.1, 0.0, 1.4, 0.0, 0.1)
RED, BLUE = (0.9, 0.1, 0.1, 0.0), (0.1, 0.1, 0.9, 0.0)


def rows(*limbs: tuple[float, ...]) -> Singles:
    return np.array(limbs, dtype=np.float32).reshape(-1, 12)


def scene(solids: Singles, ghosts: Singles = NO_CONES) -> Scene:
    return Scene(np.zeros((0, 8), dtype=np.float32), solids, CAMERA, STUDIO, ghosts=ghosts)


def test_a_ghost_mixes_with_what_is_behind_and_before_it() -> None:
    solid, ghost = rows((*LEVEL, *BLUE)), rows((*LEVEL[:3], 0.05, *LEVEL[4:7], 0.05, *RED))
    with Offscreen(120, 120) as offscreen:
        behind = offscreen.image(scene(solid)).astype(float)
        # A thin limb within a thick one is seen all the same.
        shown = offscreen.image(scene(solid, ghost)).astype(float)
        own = offscreen.image(scene(ghost)).astype(float)
    middle = 60, 60
    assert shown[middle] == pytest.approx(
        GHOST_OPACITY * own[middle] + (1 - GHOST_OPACITY) * behind[middle], abs=1.0
    )
    np.testing.assert_array_equal(shown[100:], behind[100:])


def test_where_two_ghosts_cross_only_the_nearer_one_is_mixed_in() -> None:
    nearer = rows((*LEVEL[:2], 0.3, 0.1, *LEVEL[4:6], 0.3, 0.1, *RED))
    both = np.concatenate([rows((*UPRIGHT, *BLUE)), nearer])
    with Offscreen(120, 120) as offscreen:
        one, two = (offscreen.image(scene(rows(), ghosts)) for ghosts in (nearer, both))
        turned = offscreen.image(scene(rows(), both[::-1]))
    np.testing.assert_array_equal(one[58:62, 58:62], two[58:62, 58:62])
    np.testing.assert_array_equal(two, turned)
    assert (one != two).any()


def test_of_two_ghosts_that_are_just_as_near_only_one_is_mixed_in() -> None:
    one, other = rows((*LEVEL, *RED)), rows((*LEVEL[4:], *LEVEL[:4], *RED))
    with Offscreen(120, 120) as offscreen:
        single, twice = (
            offscreen.image(scene(rows(), each)) for each in (one, np.concatenate([one, one]))
        )
        turned = offscreen.image(scene(rows(), np.concatenate([one, other])))
    inner = np.s_[55:65, 40:80]
    np.testing.assert_array_equal(twice[inner], single[inner])
    np.testing.assert_allclose(turned[inner].astype(int), single[inner].astype(int), atol=2)


def test_a_ghost_casts_no_shadow() -> None:
    high = rows((-0.4, 1.4, 0.0, 0.1, 0.4, 1.4, 0.0, 0.1, *RED))
    with Offscreen(160, 160) as offscreen:
        empty, ghost, solid = (
            offscreen.image(each) for each in (scene(rows()), scene(rows(), high), scene(high))
        )
    below = np.s_[100:]
    np.testing.assert_array_equal(ghost[below], empty[below])
    assert (solid[below] != empty[below]).any()


def test_pictures_after_a_ghost_are_as_before_it() -> None:
    plain = scene(rows((*UPRIGHT, *BLUE)))
    with Offscreen(100, 100) as offscreen:
        before = offscreen.image(plain)
        offscreen.image(replace(plain, ghosts=rows((*LEVEL, *RED))))
        np.testing.assert_array_equal(offscreen.image(plain), before)


def test_over_nothing_a_ghost_lets_through_what_it_does_not_cover() -> None:
    with Offscreen(100, 100, transparent=True) as offscreen:
        image = offscreen.image(scene(rows(), rows((*LEVEL, *RED))))
    assert image[50, 50, 3] == pytest.approx(255 * GHOST_OPACITY, abs=1.0)
    assert image[5, 5, 3] == 0
