"""The strobe: many exposures in one picture, of which the last stands before the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Floats, Singles
from juggle_anim.atomic_file import atomic_file, make_room
from juggle_anim.exporter.png import encode_png
from juggle_anim.exporter.view import USUAL, View
from juggle_anim.notation import record_of
from juggle_anim.prints.printing import check_destination, spread_times
from juggle_anim.render import Offscreen
from juggle_anim.scene import Scene
from juggle_anim.scene.camera import OFF

LONGEST_EXPOSURE = 2.0
"""For how long light falls in if nobody says, [s]: a loop, but no longer than this."""


def print_strobe(
    animation: Animation,
    path: Path,
    *,
    frames: int = 16,
    start: float = 0.0,
    seconds: float | None = None,
    view: View = USUAL,
    size: tuple[int, int] = (1280, 960),
    force: bool = False,
) -> Path:
    """Write a multi-exposure still.

    Args:
        animation: what is juggled.
        path: ends in `.png`; folders are made.
        frames: how many exposures.
        start: of the first, [s] of the pattern.
        seconds: over how long they are spread, [s] of the pattern; None for a loop, or `LONGEST`.
        view: from where.
        size: of the picture, [pixels].
        force: whether a file that is there may be replaced.

    Raises:
        ParameterError: another kind of file, or a size, number or time that cannot be.
        ExportError: something is there already, or it cannot be written.
        RenderError: no picture can be drawn on this machine.
    """
    lasts = min(LONGEST_EXPOSURE, animation.duration) if seconds is None else seconds
    times = spread_times(animation, frames, start, lasts)
    check_destination(path, size, force, (".png",))
    picture = expose(animation, times, view, size)
    made = {
        "picture": "strobe", "frames": frames, "start": start, "seconds": lasts, "camera": view.name,
        "size": list(size),
    }  # fmt: skip
    words = record_of(animation.score, animation.parameters, made).text
    make_room(path)
    with atomic_file(path) as draft:
        draft.write_bytes(encode_png(picture, words))
    return path


def expose(animation: Animation, times: Floats, view: View, size: tuple[int, int]) -> Bytes:
    """What all exposures give together, shape (height, width, 3).

    The last is as in any picture, with its shadows; of those before it props show strongly, also in front of its
    people, and people faintly.
    """
    scenes = list(_for_one_eye(animation).scenes(times, view.camera(animation, size[0] / size[1])))
    with Offscreen(*size) as offscreen:
        picture = offscreen.image(_without_aids(scenes[-1])).astype(np.float32)
    with Offscreen(*size, transparent=True) as offscreen:
        before = [_without_aids(scene) for scene in scenes[:-1]]
        weights = _PALE + (1 - _PALE) * (np.arange(len(before)) + 1) / len(scenes)
        for scene, weight in zip(before, weights, strict=True):
            _lay_over(picture, offscreen.image(_people(scene)), _FAINT)
            _lay_over(picture, offscreen.image(_props(scene)), weight)
        last = offscreen.image(scenes[-1])
        _lay_over(picture, last, 1.0)
        for scene, weight in zip(before, weights, strict=True):
            _lay_before(picture, last, offscreen.image(_with_props_of(scenes[-1], scene)), weight)
    return np.rint(picture).astype(np.uint8)


def _for_one_eye(animation: Animation) -> Animation:
    """Exposures are laid over each other, which mixes what is meant for two eyes."""
    return animation.replace(stereo=OFF) if animation.parameters.stereo != OFF else animation


def _without_aids(scene: Scene) -> Scene:
    """Many of them would hide what they explain."""
    return replace(scene, axes=scene.axes[:0], bubbles=scene.bubbles[:0])


def _lay_over(picture: Singles, layer: Bytes, weight: float) -> None:
    """Put a premultiplied layer on a picture, so strong."""
    alpha = layer[..., 3:].astype(np.float32) * np.float32(weight / 255)
    picture *= 1 - alpha
    picture += layer[..., :3] * np.float32(weight)


def _lay_before(picture: Singles, last: Bytes, layer: Bytes, weight: float) -> None:
    """Put on a picture, so strong, what of a layer is in front of the last exposure."""
    nearer = (layer != last).any(axis=2) & (last[..., 3] > 0)
    share = last[nearer, 3:] * np.float32(weight / 255)
    picture[nearer] = picture[nearer] * (1 - share) + layer[nearer, :3] * share


def _with_props_of(scene: Scene, other: Scene) -> Scene:
    """A scene with the props of another beside its own."""
    more = _props(other)
    return replace(
        scene,
        spheres=np.concatenate([scene.spheres, more.spheres]),
        capsules=np.concatenate([scene.capsules, more.capsules]),
        rings=np.concatenate([scene.rings, more.rings]),
        boxes=np.concatenate([scene.boxes, more.boxes]),
    )


def _people(scene: Scene) -> Scene:
    return replace(
        scene,
        spheres=scene.spheres[:0],
        capsules=scene.capsules[: scene.limb_count],
        rings=scene.rings[:0],
        boxes=scene.boxes[:0],
        traces=scene.traces[:0],
    )


def _props(scene: Scene) -> Scene:
    return replace(
        scene,
        capsules=scene.capsules[scene.limb_count :],
        ghosts=scene.ghosts[:0],
        see_through=scene.see_through[:0],
        traces=scene.traces[:0],
        low_detail=scene.low_detail[:0],
        limb_count=0,
    )


_FAINT, _PALE = 0.16, 0.55
