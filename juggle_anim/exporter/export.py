"""Export: the path decides what is written."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frames import write_frames
from juggle_anim.exporter.shots import Shots, loops_until_props_return
from juggle_anim.exporter.video import write_video


def export(
    animation: Animation,
    path: Path,
    *,
    size: tuple[int, int],
    fps: float,
    loops: int | None,
    force: bool,
    progress: Callable[[int, int], None] | None,
) -> list[Path]:
    """Write an animation to a folder of frames or to a video; see `juggle_anim.public.export`, which hands them on."""
    kind = path.suffix.lower()
    if kind == ".mp4":
        loops = loops_until_props_return(animation) if loops is None else loops
        return [write_video(Shots(animation, size, fps, loops), path, force, progress)]
    if kind and not os.path.isdir(path):  # Path.is_dir raises where a folder above is forbidden
        raise ParameterError(
            f"{path}: juggle-anim does not write {kind} files; it writes .mp4 videos and folders of PNG frames"
        )
    return write_frames(Shots(animation, size, fps, 1 if loops is None else loops), path, force, progress)
