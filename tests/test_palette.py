"""Colours are compared in CIELAB, seen by normal eyes and as colour-blind ones see them.

Colour blindness: G. Machado, M. Oliveira, L. Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency" (2009), severity 1.0, for linear sRGB.
"""

import numpy as np
import pytest

from juggle_anim.arrays import Floats
from juggle_anim.scene.figure import COVERS
from juggle_anim.scene.palette import prop_colours
from juggle_anim.scene.stage import STUDIO

EYES = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colours: Floats, eyes: Floats) -> Floats:
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.asarray(eyes).T, 0.0, 1.0)
    ratio = seen @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=-1)


def apart(one: Floats, other: Floats, eyes: Floats) -> Floats:
    return np.linalg.norm(lab(one, eyes)[:, None] - lab(other, eyes), axis=-1)


@pytest.mark.parametrize("eyes", EYES)
def test_seven_props_have_colours_that_every_eye_tells_apart(eyes: str) -> None:
    colours = prop_colours(7).astype(float)
    distance = apart(colours, colours, EYES[eyes]) + 1000 * np.eye(7)
    assert distance.min() > 10


@pytest.mark.parametrize("eyes", EYES)
def test_props_stand_out_from_the_shirt_and_from_the_backdrop(eyes: str) -> None:
    colours = prop_colours(7).astype(float)
    around = np.array([COVERS["shirt"], STUDIO.backdrop_top, STUDIO.backdrop_bottom])
    assert apart(colours, around, EYES[eyes]).min() > 20


def test_twenty_one_props_have_different_colours() -> None:
    assert len(np.unique(prop_colours(21), axis=0)) == 21


def test_a_prop_keeps_its_colour_whatever_else_is_juggled() -> None:
    np.testing.assert_array_equal(prop_colours(35)[:5], prop_colours(5))


def test_colours_that_are_shared_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        prop_colours(3)[0] = 0.0
