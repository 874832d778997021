"""Stereo: a scene as the left and the right eye see it."""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.scene.camera import Camera

OFF, PARALLEL, CROSSED, ANAGLYPH = "off", "parallel", "crossed", "anaglyph"
"""Ways to show both: not at all; side by side, to be looked at with parallel or with crossed eyes; in red and cyan."""

APART = 1 / 30
"""How far the eyes are apart, in distances from the camera to what it looks at: more is tiring to look at."""


def eyes(camera: Camera) -> tuple[Camera, Camera]:
    """The cameras of the left and of the right eye; what is as far as the target lies in the plane of the picture."""
    aside = camera.distance * APART / 2
    # Before a mirror, left and right change places for the eyes too.
    left = aside if camera.mirrored else -aside
    return replace(camera, aside=left), replace(camera, aside=-left)


def side_by_side(camera: Camera, stereo: str) -> tuple[Camera, Camera]:
    """The cameras of the left and of the right half of a picture that shows the eyes side by side."""
    left, right = eyes(camera)
    return (right, left) if stereo == CROSSED else (left, right)


def is_pair(stereo: str) -> bool:
    """Whether two pictures stand side by side."""
    return stereo in (PARALLEL, CROSSED)


def aspect_of_one(stereo: str, aspect: float) -> float:
    """Width over height of what one eye sees, of that of the whole picture."""
    return aspect / 2 if is_pair(stereo) else aspect
