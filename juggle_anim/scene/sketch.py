"""The sketch of a figure: fewer limbs that look the same from far away, where fingers are finer than a pixel."""

from __future__ import annotations

from juggle_anim.body.skeleton import FACE, HEAD
from juggle_anim.scene.limbs import UP, Limb, at, between, mix, trunk_columns


def _sketch() -> tuple[Limb, ...]:
    return (*_trunk(), *_head(), *_side("LEFT"), *_side("RIGHT"))


def _trunk() -> list[Limb]:
    """Three columns are as wide, as thick and cast as dark a shadow as the figure's seven."""
    yoke, shoulders = between("CHEST", "NECK", 0.35), (at("LEFT_SHOULDER"), at("RIGHT_SHOULDER"))
    ends = [mix(yoke, shoulder, 0.45) for shoulder in shoulders]
    return [Limb(ends[0], 0.058, ends[1], 0.058, "shirt"), *trunk_columns(3, 0.084)]


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
