"""The sketch of a figure: fewer limbs that look the same from far away, where fingers are finer than a pixel."""

from __future__ import annotations

import numpy as np

from juggle_anim.body.skeleton import FACE, HEAD
from juggle_anim.scene.limbs import UP, Limb, at, between, mix


def _sketch() -> tuple[Limb, ...]:
    return (*_trunk(), *_head(), *_side("LEFT"), *_side("RIGHT"))


def _trunk() -> list[Limb]:
    """Three columns are as wide, as thick and cast as dark a shadow as the figure's seven."""
    hips = at("LEFT_HIP"), at("RIGHT_HIP")
    shoulders = at("LEFT_SHOULDER"), at("RIGHT_SHOULDER")
    yoke = between("CHEST", "NECK", 0.35)
    trunk = [
        Limb(shoulders[0], 0.056, shoulders[1], 0.056, "shirt"),
        Limb(mix(*hips, 0.10), 0.103, mix(*hips, 0.90), 0.103, "trousers"),
        Limb(mix(yoke, shoulders[0], 0.45), 0.058, mix(yoke, shoulders[1], 0.45), 0.058, "shirt"),
    ]
    for place in np.linspace(0.0, 1.0, 3):
        across = mix(*shoulders, place) - at("CHEST")
        chest = between("PELVIS", "CHEST", 0.74) + 0.47 * across
        collar = between("PELVIS", "CHEST", 0.95) + 0.52 * across
        belt = between("PELVIS", "CHEST", 0.09) + 0.33 * across
        trunk += [Limb(collar, 0.084, chest, 0.108, "shirt"), Limb(chest, 0.108, belt, 0.094, "shirt")]
    return trunk


def _head() -> list[Limb]:
    """Neck and face are one."""
    head, up, ahead = at("HEAD"), (at("HEAD") - at("NECK")) / HEAD, (at("FACE") - at("HEAD")) / FACE
    crown = head + 0.034 * up
    return [
        Limb(head - 0.10 * up + 0.015 * ahead, 0.058, crown, 0.091, "skin"),
        Limb(head - 0.020 * up - 0.034 * ahead, 0.066, crown + 0.010 * up - 0.010 * ahead, 0.092, "hair"),
    ]


def _side(side: str) -> list[Limb]:
    """An arm with a mitten for a hand, and a leg with a foot of one piece."""
    shoulder, elbow, wrist, palm, tips, hip, knee, ankle, toes = (
        at(f"{side}_{joint}")
        for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM", "TIPS", "HIP", "KNEE", "ANKLE", "TOES")
    )
    return [
        Limb(shoulder, 0.060, elbow, 0.044, "shirt"),
        Limb(elbow, 0.037, wrist, 0.026, "skin"),
        Limb(mix(wrist, palm, 0.3), 0.032, mix(palm, tips, 0.6), 0.030, "skin"),
        Limb(hip, 0.096, knee, 0.060, "trousers"),
        Limb(knee, 0.060, ankle, 0.044, "trousers"),
        Limb(mix(ankle - 0.034 * UP, toes, -0.2) + 0.008 * UP, 0.045, toes, 0.034, "shoes"),
    ]


SKETCH = _sketch()
"""All of them, far fewer than `LIMBS`."""
