import numpy as np

import juggle_anim as ja
from juggle_anim.scene import STUDIO, Camera
from juggle_anim.scene.figure import LIMBS
from juggle_anim.scene.people import prop_colours

CAMERA = Camera((0.0, 1.5, 6.0), (0.0, 1.2, 0.0))
TIMES = np.linspace(0, 2, 9)


def test_each_prop_is_a_sphere_at_its_place_of_its_size_and_colour() -> None:
    animation = ja.animate("(6x,4)*", prop_diameter=9)
    scenes = animation.scenes(TIMES, CAMERA)
    np.testing.assert_allclose(scenes.spheres[..., :3], animation.sample(TIMES).props, atol=1e-6)
    np.testing.assert_allclose(scenes.spheres[..., 3], 0.045)
    np.testing.assert_array_equal(
        scenes.spheres[..., 4:7], np.broadcast_to(prop_colours(5), (len(TIMES), 5, 3))
    )
    assert ((scenes.spheres[..., 7] >= 0) & (scenes.spheres[..., 7] <= 1)).all()


def test_rows_are_ready_for_the_graphics_card() -> None:
    scene = ja.animate("531").scene(0.3, CAMERA)
    assert scene.spheres.shape == (3, 12)
    assert scene.capsules.shape == (len(LIMBS), 12)
    for rows in (scene.spheres, scene.capsules):
        assert rows.dtype == np.float32
        assert rows.flags.c_contiguous
        assert np.isfinite(rows).all()


def test_scenes_are_those_of_each_time() -> None:
    animation = ja.animate("744")
    scenes = animation.scenes(TIMES, CAMERA)
    assert len(scenes) == len(TIMES)
    for time, scene in zip(TIMES, scenes, strict=True):
        alone = animation.scene(time, CAMERA)
        np.testing.assert_allclose(scene.spheres, alone.spheres, atol=1e-6)
        np.testing.assert_allclose(scene.capsules, alone.capsules, atol=1e-6)
        assert (scene.camera, scene.stage) == (CAMERA, STUDIO)


def test_colours_and_gloss_are_shares_of_one() -> None:
    capsules = ja.animate("1").scene(0.0, CAMERA).capsules
    assert ((capsules[:, 8:] >= 0) & (capsules[:, 8:] <= 1)).all()
