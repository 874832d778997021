from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.exporter.animated import palette_of, weighted_pixels
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.view import FrameRequest

SHOTS = FrameRequest(animate("531"), (120, 90), 12)


@pytest.mark.parametrize("transparent", [False, True])
def test_it_has_256_colours_one_of_them_clear(transparent: bool) -> None:
    colours = (
        palette_of(DrawnFrames(replace(SHOTS, transparent=transparent)))
        .to_ndarray(format="rgba")
        .reshape(-1, 4)
    )
    assert colours.shape == (256, 4)
    assert (colours[:, 3] == 0).sum() == 1
    assert len(np.unique(colours, axis=0)) > 200


def test_colours_are_near_ones_of_it_and_those_of_props_nearly_as_near() -> None:
    shots = replace(SHOTS, size=(400, 300), fps=4)
    colours = palette_of(DrawnFrames(shots)).to_ndarray(format="rgba").reshape(-1, 4)
    solid = colours[colours[:, 3] == 255][:, :3].astype(float)
    seen = np.concatenate([image.reshape(-1, 3) for image in DrawnFrames(shots).images()])
    each, counts = np.unique(seen, axis=0, return_counts=True)
    apart = np.square(each[:, None].astype(float) - solid).mean(axis=2).min(axis=1)
    vivid = np.ptp(each, axis=1) > 70
    assert np.average(apart, weights=counts) ** 0.5 < 1.5
    assert np.average(apart[vivid], weights=counts[vivid]) ** 0.5 < 4.5


def test_vivid_pixels_weigh_more() -> None:
    image = np.full((20, 1024, 3), 128, dtype=np.uint8)
    image[0, :100] = 255, 0, 0
    picture = weighted_pixels([image])
    assert picture.shape[1:] == (1024, 3)
    red = (picture == (255, 0, 0)).all(axis=2).sum()
    assert 1_000 < red < 3_000


def test_a_single_picture_has_one_too() -> None:
    assert palette_of(DrawnFrames(FrameRequest(animate("3"), (1, 1), 10, seconds=0.1))).width == 16
