"""Pictures of patterns look as they did when somebody last looked at them.

When a picture should change, look at what `WRITE_GOLDEN=1 .venv/bin/python -m pytest
tests/render/test_golden.py` makes of `tests/golden/`.

Drivers round differently and may disagree about single pixels where limbs meet, so two things are
compared: the mean of all differences, which notices other light or colours, and the means over
tiles of 4×4 pixels, which a stray pixel hardly moves but a shape that shifts by a pixel does.
"""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from paths import TESTS
from PIL import Image

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.render import Offscreen
from juggle_anim.scene import Scene
from juggle_anim.scene.props import CLUB_PARTS

GOLDEN = TESTS / "golden"
PICTURES = {
    "531": ("531", 0.45, (640, 480)),
    "b97531": ("b97531", 1.6, (320, 240)),
    "box": ("(6x,4)*", 0.8, (320, 240)),
    "multiplex": ("[34]23", 0.5, (480, 270)),
    "35-props": ("pattern=z;framing=whole", 2.0, (240, 320)),
}
OTHER_PROPS = {
    "clubs": ("pattern=5;prop=club", 0.5, (320, 240)),
    "rings": ("pattern=7;prop=ring", 0.3, (320, 240)),
    "mixed-props": ("pattern=531;prop=ball,club,ring", 0.6, (320, 240)),
    "person": ("pattern=3;hands=Mills mess;style=natural;figure=person", 0.5, (300, 400)),
}
MEAN, TILE = 1.0, 12.0
"""Most that a picture may be off: on average, and on average over any tile and its worst colour, of
255.
"""


def scene_of(name: str, **parameters: float) -> Scene:
    pattern, time, size = (PICTURES | OTHER_PROPS)[name]
    animation = ja.animate(pattern, **parameters)
    return animation.scene(time, ja.animate(pattern).camera(size[0] / size[1]))


def drawn(name: str, scene: Scene) -> Bytes:
    with Offscreen(*(PICTURES | OTHER_PROPS)[name][2]) as offscreen:
        return offscreen.image(scene)


def golden(name: str) -> Bytes:
    with Image.open(GOLDEN / f"{name}.png") as picture:
        return np.asarray(picture.convert("RGB"))


def off(one: Bytes, other: Bytes) -> tuple[float, float]:
    """How far two pictures differ: on average, and in the worst tile."""
    difference = one.astype(float) - other
    height, width = difference.shape[0] // 4 * 4, difference.shape[1] // 4 * 4
    tiles = (
        np.abs(difference[:height, :width])
        .reshape(height // 4, 4, width // 4, 4, 3)
        .mean(axis=(1, 3))
    )
    return float(np.abs(difference).mean()), float(tiles.max())


def alike(one: Bytes, other: Bytes) -> bool:
    mean, tile = off(one, other)
    return mean <= MEAN and tile <= TILE


@pytest.mark.parametrize("name", PICTURES | OTHER_PROPS)
def test_pictures_look_as_they_did(name: str, tmp_path: Path) -> None:
    picture = drawn(name, scene_of(name))
    if os.environ.get("WRITE_GOLDEN"):
        Image.fromarray(picture).save(GOLDEN / f"{name}.png", optimize=True)
    Image.fromarray(picture).save(tmp_path / f"{name}.png")
    mean, tile = off(picture, golden(name))
    assert alike(picture, golden(name)), (
        f"{name}: off by {mean:.2f} on average, {tile:.1f} in the worst tile; compare "
        f"{tmp_path / name}.png"
    )


@pytest.mark.parametrize("name", ["531", "box", "multiplex"])
def test_an_elbow_that_moves_by_10_degrees_is_seen(name: str) -> None:
    assert not alike(drawn(name, scene_of(name, chicken_wing=40)), golden(name))


@pytest.mark.parametrize("name", ["531", "35-props"])
def test_one_ball_that_moves_by_3_cm_is_seen(name: str) -> None:
    scene = scene_of(name)
    spheres = scene.spheres.copy()
    spheres[0, 0] += 0.03
    assert not alike(drawn(name, replace(scene, spheres=spheres)), golden(name))


@pytest.mark.parametrize("name", ["clubs", "mixed-props"])
def test_a_club_that_moves_by_3_cm_is_seen(name: str) -> None:
    scene = scene_of(name)
    capsules = scene.capsules.copy()
    capsules[-CLUB_PARTS:, [0, 4]] += 0.03
    assert not alike(drawn(name, replace(scene, capsules=capsules)), golden(name))


@pytest.mark.parametrize("name", ["rings", "mixed-props"])
def test_a_ring_that_moves_by_3_cm_is_seen(name: str) -> None:
    scene = scene_of(name)
    rings = scene.rings.copy()
    rings[0, 0] += 0.03
    assert not alike(drawn(name, replace(scene, rings=rings)), golden(name))


@pytest.mark.parametrize("name", ["531", "35-props"])
def test_two_balls_that_swap_colours_are_seen(name: str) -> None:
    scene = scene_of(name)
    spheres = scene.spheres.copy()
    spheres[[0, 1], 4:7] = spheres[[1, 0], 4:7]
    assert not alike(drawn(name, replace(scene, spheres=spheres)), golden(name))


@pytest.mark.parametrize("name", ["531", "35-props"])
def test_a_darker_floor_is_seen(name: str) -> None:
    scene = scene_of(name)
    darker = tuple(0.97 * value for value in scene.stage.floor)
    stage = replace(
        scene.stage,
        floor=darker,
        backdrop_bottom=tuple(0.97 * v for v in scene.stage.backdrop_bottom),
    )
    assert not alike(drawn(name, replace(scene, stage=stage)), golden(name))


@pytest.mark.parametrize("name", ["531", "35-props"])
def test_rounding_and_stray_pixels_are_forgiven(name: str) -> None:
    stored = golden(name)
    random = np.random.default_rng(1)
    other = np.clip(stored + random.integers(-1, 2, stored.shape), 0, 255).astype(np.uint8)
    other[::50, ::50] = np.clip(other[::50, ::50].astype(int) + 100, 0, 255)
    assert alike(other, stored)
