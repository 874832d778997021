"""Figures that are small in a picture are drawn as sketches, which nobody can tell from the
whole.
"""

from dataclasses import replace

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.arrays import Bytes, Singles
from juggle_anim.render import Offscreen
from juggle_anim.render.renderer import (
    DETAILED_SHADOWS_FROM,
    FULL_DETAIL_FROM,
    bodies_to_draw,
    limbs_to_draw,
)
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.figure import DRESSED_LIMBS, LIMBS, LOW_DETAIL_LIMBS, Limb
from juggle_anim.scene.skin import LEVELS

HEIGHT = 480
PAIR = "<3p|3p>"


def scene_at(size: float, text: str = "531", figure: str = "solid") -> Scene:
    """A scene of which a metre at the juggler is so many pixels large."""
    camera = Camera((0.0, 1.0, 1.0), (0.0, 1.0, 0.0))
    distance = 0.5 * HEIGHT * camera.scales(1.0)[1] / size
    return ja.animate(text, figure=figure).scene(0.3, replace(camera, eye=(0.0, 1.0, distance)))


def drawn(scene: Scene, height: int = HEIGHT) -> tuple[Singles, Singles]:
    return limbs_to_draw(scene, scene.camera, scene.camera.view(), height)


def picture(scene: Scene, width: int = 160, height: int = 120) -> Bytes:
    with Offscreen(width, height) as offscreen:
        return offscreen.image(scene)


def test_who_is_near_has_all_limbs_and_so_has_the_shadow() -> None:
    scene = scene_at(2 * DETAILED_SHADOWS_FROM)
    limbs, shading = drawn(scene)
    assert limbs is scene.capsules
    assert shading is scene.capsules


@pytest.mark.parametrize(
    ("size", "limbs", "shading"),
    [(50.0, LIMBS, LOW_DETAIL_LIMBS), (10.0, LOW_DETAIL_LIMBS, LOW_DETAIL_LIMBS)],
)
def test_the_smaller_a_figure_the_fewer_its_limbs(
    size: float, limbs: tuple[Limb, ...], shading: tuple[Limb, ...]
) -> None:
    assert [len(rows) for rows in drawn(scene_at(size))] == [len(limbs), len(shading)]


def test_a_draft_is_the_same_picture_but_for_outlines_and_the_rims_of_shadows() -> None:
    scene = scene_at(90.0, figure="person")
    with Offscreen(320, 240) as offscreen:
        whole, draw = offscreen.image(scene).astype(int), offscreen._renderer.draw
        offscreen._renderer.draw = (  # type: ignore[method-assign]
            lambda scene, target: draw(scene, replace(target, draft=True))
        )
        draft = offscreen.image(scene).astype(int)
        offscreen._renderer.draw = draw  # type: ignore[method-assign]
        again = offscreen.image(scene)
    differing = (np.abs(whole - draft).max(axis=2) > 12).mean()
    assert 0.0 < differing < 0.02
    assert np.abs(whole - draft).mean() < 0.4
    assert (again == whole).all()


def test_the_smaller_a_smooth_body_the_fewer_its_triangles() -> None:
    for size, shown in ((700.0, 0), (200.0, 1), (50.0, 2), (10.0, None)):
        scene = scene_at(size, "pattern=3;prop=club", "person")
        levels = bodies_to_draw(scene, scene.camera, scene.camera.view(), HEIGHT)
        assert [len(level) for level in levels] == [int(level == shown) for level in range(LEVELS)]
        sketch = [] if shown is not None else DRESSED_LIMBS
        assert len(drawn(scene)[0]) == len(sketch) + len(scene.capsules) - scene.limb_count


def test_a_larger_picture_shows_more() -> None:
    scene = scene_at(0.8 * FULL_DETAIL_FROM)
    assert len(drawn(scene)[0]) == len(LOW_DETAIL_LIMBS)
    assert len(drawn(scene, 2 * HEIGHT)[0]) == len(LIMBS)


def test_each_figure_is_drawn_as_its_own_place_wants() -> None:
    scene = scene_at(30.0, PAIR)
    ahead = 0.5 * HEIGHT * scene.camera.scales(1.0)[1] / FULL_DETAIL_FROM
    depths = scene.camera.eye[2] - scene.low_detail[:, 0, 2]
    moved = replace(
        scene.camera, eye=(0.0, 1.0, float(scene.camera.eye[2] - depths.mean() + ahead))
    )
    assert len(drawn(replace(scene, camera=moved))[0]) == len(LIMBS) + len(LOW_DETAIL_LIMBS)


def test_clubs_are_drawn_whole_behind_the_figures() -> None:
    scene = scene_at(10.0, "pattern=3;prop=club")
    limbs, _ = drawn(scene)
    assert np.array_equal(limbs[len(LOW_DETAIL_LIMBS) :], scene.capsules[len(LIMBS) :])


def test_who_stands_behind_the_eye_is_not_drawn_but_casts_a_shadow() -> None:
    scene = scene_at(100.0)
    x, y, z = scene.camera.eye
    away = replace(scene, camera=replace(scene.camera, target=(x, y, 2 * z)))
    limbs, shading = drawn(away)
    assert len(limbs) == 0
    assert len(shading) > 0


def test_parallel_sight_shows_all_alike() -> None:
    scene = scene_at(20.0, PAIR)
    flat = replace(scene, camera=replace(scene.camera, orthographic=True))
    assert len(drawn(flat)[0]) == 2 * len(LOW_DETAIL_LIMBS)


@pytest.mark.parametrize("figure", ["stick", "see-through", "hidden"])
def test_other_figures_stay_as_they_are(figure: str) -> None:
    scene = scene_at(5.0, figure=figure)
    assert drawn(scene)[0] is scene.capsules


@pytest.mark.parametrize(
    ("text", "azimuth", "figure"),
    [
        ("531", 3.0, "mannequin"),
        ("531", 3.0, "solid"),
        ("pattern=5;prop=club", 1.6, "solid"),
        ("<a|a|a|a|a|a>", 0.3, "mannequin"),
        ("<a|a|a|a|a|a>", 1.6, "solid"),
        ("531", 3.0, "person"),
        ("pattern=5;prop=club", 1.6, "person"),
        ("<a|a|a|a|a|a>", 1.6, "person"),
    ],
)
def test_a_sketch_looks_like_the_figure_and_so_does_its_shadow(
    text: str, azimuth: float, figure: str
) -> None:
    width, height = 100, 75
    animation = ja.animate(text, figure=figure)
    scene = animation.scene(0.3, animation.camera(width / height, azimuth))
    assert len(drawn(scene, height)[0]) < len(scene.capsules)
    scene = replace(
        scene,
        spheres=scene.spheres[:0],
        capsules=scene.capsules[: scene.limb_count],
        club_parts=0,
        flying=scene.flying[:0],
    )
    # A few pixels cannot show triangles as they are: a larger picture does.
    finer = 1 if figure == "solid" else 4
    larger = picture(
        replace(scene, low_detail=scene.low_detail[:0]), finer * width, finer * height
    ).astype(float)
    whole = larger.reshape(height, finer, width, finer, -1).mean(axis=(1, 3))
    sketched = picture(scene, width, height).astype(float)
    nothing = replace(
        scene, capsules=scene.capsules[:0], low_detail=scene.low_detail[:0], bodies=scene.bodies[:0]
    )
    nobody = picture(nothing, width, height)
    off = np.mean((whole - sketched) ** 2)
    assert off > 0
    # Next to what a figure adds to the picture, what its sketch changes is little: of six people
    # also the stripes, which it has not.
    assert off < (0.05 if animation.num_jugglers > 1 else 0.035) * np.mean((whole - nobody) ** 2)
