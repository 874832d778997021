"""JSON: what the numbers are, then every moment on a line of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.exporter.models.captured import Captured, captured
from juggle_anim.exporter.models.columns import AXES, UNITS, prop_looks
from juggle_anim.exporter.models.names import joint_name, juggler_name
from juggle_anim.exporter.shots import Shots


def write_json(shots: Shots, path: Path, words: str, progress: Callable[[int, int], None] | None) -> None:
    """Write all joints and props; arguments as for `write_glb`."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        # The words come first, where they are found without reading all of it.
        file.write(f'{{"made": {words},\n')
        for name, value in _about(shots).items():
            file.write(f"{json.dumps(name)}: {json.dumps(value)},\n")
        file.write('"moments": [')
        for some in captured(shots):
            for number in range(len(some)):
                file.write(",\n" if some.first + number else "\n")
                json.dump(_moment(some, number), file, separators=(",", ":"))
            if progress:
                progress(some.end, shots.frames)
        file.write("\n]}\n")


def _about(shots: Shots) -> dict[str, object]:
    return {
        "units": UNITS,
        "axes": AXES,
        "duration": shots.duration,
        "jugglers": [juggler_name(juggler) for juggler in range(shots.animation.jugglers)],
        "joints": [joint_name(joint) for joint in Joint],
        "props": prop_looks(shots),
    }


def _moment(some: Captured, number: int) -> dict[str, object]:
    frames = some.frames
    return {
        "time": round(float(some.times[number]), _DIGITS),
        "joints": _rounded(some.joints[number]),
        "props": _rounded(frames.props[number]),
        **({} if frames.aims is None else {"aims": _rounded(frames.aims[number])}),
        "holders": frames.holders[number].tolist(),
    }


def _rounded(values: Floats) -> list[object]:
    listed: list[object] = np.round(values, _DIGITS).tolist()
    return listed


_DIGITS = 6
