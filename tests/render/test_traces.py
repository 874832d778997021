from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.arrays import Singles
from juggle_anim.render import Offscreen
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.figure import SEE_THROUGH_OPACITY
from juggle_anim.scene.scene import STAGES, STUDIO

CAMERA = Camera((0.0, 1.0, 3.0), (0.0, 1.0, 0.0))
NOBODY: Singles = np.zeros((0, 12), dtype=np.float32)
PLAIN = Scene(np.zeros((0, 8), dtype=np.float32), NOBODY, CAMERA, STUDIO)


def tube(
    x: float, z: float, radius: float, colour: tuple[float, float, float], y: float = 1.0
) -> Singles:
    return np.array(
        [[x - 0.3, y, z, radius, x + 0.3, y, z, radius, *colour, 0.0]], dtype=np.float32
    )


RED, BLUE = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9)


def test_a_trace_is_hidden_by_what_is_before_it_and_casts_no_shadow() -> None:
    low, floor = (
        tube(0.0, 0.0, 0.05, RED, 0.3),
        replace(PLAIN, camera=Camera((0.0, 1.5, 3.0), (0.0, 0.2, 0.0))),
    )
    with Offscreen(120, 120) as offscreen:
        empty, traced, solid = (
            offscreen.image(scene).astype(int)
            for scene in (floor, replace(floor, traces=low), replace(floor, capsules=low))
        )
        hidden = offscreen.image(
            replace(PLAIN, traces=tube(0, 0, 0.05, RED), capsules=tube(0, 0.3, 0.2, BLUE))
        )
        alone = offscreen.image(replace(PLAIN, capsules=tube(0, 0.3, 0.2, BLUE)))
    changed, shaded = ((picture != empty).any(axis=2) for picture in (traced, solid))
    assert 0 < changed.sum() < shaded.sum()
    assert not (changed & ~shaded).any()
    np.testing.assert_array_equal(hidden, alone)


def test_through_a_veil_one_sees_what_is_behind_and_nothing_of_it_where_things_are_before_it() -> (
    None
):
    veil, behind = tube(0, 0.0, 0.1, RED), tube(0, -0.5, 0.05, BLUE)
    with Offscreen(120, 120) as offscreen:
        bare = offscreen.image(replace(PLAIN, capsules=behind)).astype(float)
        seen = offscreen.image(replace(PLAIN, capsules=behind, see_through=veil)).astype(float)
        own = offscreen.image(replace(PLAIN, capsules=veil)).astype(float)
        before = tube(0, 0.5, 0.2, BLUE)
        covered = offscreen.image(replace(PLAIN, capsules=before, see_through=veil))
        covering = offscreen.image(replace(PLAIN, capsules=before))
    middle = 60, 60
    assert seen[middle] == pytest.approx(
        SEE_THROUGH_OPACITY * own[middle] + (1 - SEE_THROUGH_OPACITY) * bare[middle], abs=1.0
    )
    np.testing.assert_array_equal(covered, covering)


def test_a_mirrored_picture_is_the_picture_turned_around() -> None:
    scene = replace(
        PLAIN,
        capsules=tube(0.4, 0, 0.1, RED),
        spheres=np.array([[-0.5, 1.2, 0, 0.1, 0, 1, 0, 0]], "f4"),
    )
    with Offscreen(120, 100) as offscreen:
        plain = offscreen.image(scene).astype(int)
        mirrored = offscreen.image(replace(scene, camera=replace(CAMERA, mirrored=True))).astype(
            int
        )
    apart = np.abs(plain - mirrored[:, ::-1])
    assert np.abs(plain - mirrored).mean() > 2
    assert apart.mean() < 0.05


def test_from_far_away_with_a_narrow_view_things_behind_stay_as_large() -> None:
    distance = 300.0
    camera = Camera(
        (0.0, 1.0, distance), (0.0, 1.0, 0.0), np.radians(1.0), distance - 60, distance + 60
    )
    near, far = (
        np.array([[x, 1.0, z, 0.3, *colour, 0.0]], "f4")
        for x, z, colour in ((-1, 1, RED), (1, -1, BLUE))
    )
    with Offscreen(200, 200) as offscreen:
        picture = offscreen.image(
            replace(PLAIN, camera=camera, spheres=np.concatenate([near, far]))
        ).astype(int)
    red, blue = (
        (picture[..., 0] > picture[..., 2] + 60).sum(),
        (picture[..., 2] > picture[..., 0] + 60).sum(),
    )
    assert red > 200
    assert red == pytest.approx(blue, rel=0.08)


@pytest.mark.parametrize("name", ["gym", "dark"])
def test_stages_differ_in_what_is_behind_the_jugglers(name: str) -> None:
    with Offscreen(60, 60) as offscreen:
        studio, other = (
            offscreen.image(replace(PLAIN, stage=stage)).astype(int)
            for stage in (STUDIO, STAGES[name])
        )
    assert np.quantile(np.abs(studio - other).max(axis=2), 0.05) > 8
