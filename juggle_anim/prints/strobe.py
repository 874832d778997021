"""The strobe: many exposures in one picture, the last one in full strength."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Floats, Singles
from juggle_anim.atomic_file import atomic_file, prepare_folder
from juggle_anim.exporter.stills import encode_png
from juggle_anim.exporter.view import DEFAULT_VIEW, View
from juggle_anim.notation import record_of
from juggle_anim.prints.paper import check_destination, spread_times
from juggle_anim.render import Offscreen
from juggle_anim.scene import Scene
from juggle_anim.scene.camera import OFF

LONGEST_EXPOSURE = 2.0
"""The longest default time of exposure, [s]; a shorter loop is exposed once."""

EXPOSURES = 16
FEWER_EXPOSURES = 5
"""By default; the latter of clubs and rings."""

# strength of people, and of the props of the first exposure
_FAINT = 0.16
_PALE = 0.55


def print_strobe(
    animation: Animation,
    path: Path,
    *,
    frames: int | None = None,
    start: float = 0.0,
    seconds: float | None = None,
    view: View = DEFAULT_VIEW,
    size: tuple[int, int] = (1280, 960),
    force: bool = False,
) -> Path:
    """Write a picture of many exposures.

    Args:
        animation, start, view, size, force: as of `print_sheet`, like the errors.
        path: a file that ends in `.png`; its folders are made.
        frames: the number of exposures; None for `EXPOSURES`, or fewer of clubs and rings, which
            hide each other.
        seconds: the time over which they are spread, [s] of the pattern; None for a loop,
            `LONGEST_EXPOSURE` at most.
    """
    if frames is None:
        frames = FEWER_EXPOSURES if animation.motion.shapes.has_oriented else EXPOSURES
    duration = min(LONGEST_EXPOSURE, animation.duration) if seconds is None else seconds
    times = spread_times(animation, frames, start, duration)
    check_destination(path, size, force, (".png",))
    picture = expose(animation, times, view, size)
    span = {"frames": frames, "start": start, "seconds": duration}
    made = {"picture": "strobe", **span, "camera": view.name, "size": list(size)}
    words = record_of(animation.score, animation.parameters, made).text
    prepare_folder(path)
    with atomic_file(path) as draft:
        draft.write_bytes(encode_png(picture, words))
    return path


def expose(animation: Animation, times: Floats, view: View, size: tuple[int, int]) -> Bytes:
    """Return all exposures laid over each other, shape (height, width, 3).

    The last is drawn as usual, with its shadows. Earlier exposures show their props strongly, also
    in front of the last one's people, and their people faintly.
    """
    scenes = list(_for_one_eye(animation).scenes(times, view.camera(animation, size[0] / size[1])))
    # Axes and bubbles of many exposures would hide what they explain.
    before = [_without(scene, "axes", "bubbles") for scene in scenes]
    with Offscreen(*size) as offscreen:
        picture = offscreen.image(before.pop()).astype(np.float32)
    with Offscreen(*size, transparent=True, shadows=False) as offscreen:
        weights = _PALE + (1 - _PALE) * (np.arange(len(before)) + 1) / len(scenes)
        for scene, weight in zip(before, weights, strict=True):
            _blend(picture, offscreen.image(_people(scene)), _FAINT)
            _blend(picture, offscreen.image(_props(scene)), weight)
        last = offscreen.image(scenes[-1])
        _blend(picture, last, 1.0)
        for scene, weight in zip(before, weights, strict=True):
            _blend_in_front(
                picture, last, offscreen.image(_with_props_of(scenes[-1], scene)), weight
            )
    return np.rint(picture).astype(np.uint8)


def _for_one_eye(animation: Animation) -> Animation:
    """Without stereo: laid over each other, pictures for two eyes would mix."""
    return animation.replace(stereo=OFF) if animation.parameters.stereo != OFF else animation


def _without(scene: Scene, *names: str, **changes: Any) -> Scene:
    """A scene in which some arrays are empty, and some others changed."""
    return replace(scene, **{name: getattr(scene, name)[:0] for name in names}, **changes)


def _blend(picture: Singles, layer: Bytes, weight: float) -> None:
    """Blend a premultiplied layer over a picture, with a weight from 0 to 1."""
    alpha = layer[..., 3:].astype(np.float32) * np.float32(weight / 255)
    picture *= 1 - alpha
    picture += layer[..., :3] * np.float32(weight)


def _blend_in_front(picture: Singles, last: Bytes, layer: Bytes, weight: float) -> None:
    """Blend the part of a layer that is in front of the last exposure over a picture, with a weight
    from 0 to 1.
    """
    nearer = (layer != last).any(axis=2) & (last[..., 3] > 0)
    share = last[nearer, 3:] * np.float32(weight / 255)
    picture[nearer] = picture[nearer] * (1 - share) + layer[nearer, :3] * share


def _with_props_of(scene: Scene, other: Scene) -> Scene:
    """Add the props of another scene to a scene."""
    names = ("spheres", "capsules", "rings", "boxes")
    both = (scene, _props(other))
    joined = {name: np.concatenate([getattr(each, name) for each in both]) for name in names}
    return _without(scene, **joined, club_parts=sum(each.club_parts for each in both))


def _people(scene: Scene) -> Scene:
    return _without(
        scene,
        "spheres",
        "rings",
        "boxes",
        "traces",
        capsules=scene.capsules[: len(scene.capsules) - scene.club_parts],
        club_parts=0,
    )


def _props(scene: Scene) -> Scene:
    clubs = scene.capsules[len(scene.capsules) - scene.club_parts :]
    names = (
        "ghosts",
        "see_through",
        "traces",
        "low_detail",
        "bodies",
        "paint",
        "gaze",
        "girths",
        "hair",
    )
    return _without(scene, *names, capsules=clubs, limb_count=0)
