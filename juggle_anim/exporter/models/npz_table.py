"""NPZ: an array of NumPy for all joints, one for all props, and what they are."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.body import JOINTS, Joint
from juggle_anim.exporter.models.captured import Captured, captured
from juggle_anim.exporter.models.columns import AXES, UNITS, prop_looks
from juggle_anim.exporter.models.names import joint_name
from juggle_anim.exporter.shots import Shots

Numbers = NDArray[Any]


def write_npz(shots: Shots, path: Path, words: str, progress: Callable[[int, int], None] | None) -> None:
    """Write `times`, `joints` (T, J, joints, 3), `props` (T, P, 3), `holders` and `aims`; arguments as for `write_glb`.

    `comment` holds the words; `units`, `axes`, `looks` and `joint_names` say what the numbers are.
    """
    frames, props = shots.frames, shots.animation.choreography.props
    with zipfile.ZipFile(path, "w") as file:
        # The words come first, where they are found without reading all of it.
        _add(file, "comment", np.array(words))
        _add(file, "units", np.array(json.dumps(UNITS)))
        _add(file, "axes", np.array(AXES))
        _add(file, "joint_names", np.array([joint_name(joint) for joint in Joint]))
        _add(file, "looks", np.array(json.dumps(prop_looks(shots))))
        _stream(file, "times", (frames,), "<f8", (some.times for some in captured(shots)))
        _stream(file, "props", (frames, props, 3), "<f8", (some.frames.props for some in captured(shots)))
        _stream(file, "holders", (frames, props), "<i8", (some.frames.holders for some in captured(shots)))
        if shots.animation.motion.spin:
            _stream(file, "aims", (frames, props, 2), "<f8", (_aims(some) for some in captured(shots)))
        bodies = frames, shots.animation.jugglers, JOINTS, 3
        _stream(file, "joints", bodies, "<f8", _joints(shots, progress))


def _joints(shots: Shots, progress: Callable[[int, int], None] | None) -> Iterator[Numbers]:
    for some in captured(shots):
        yield some.joints
        if progress:
            progress(some.end, shots.frames)


def _aims(some: Captured) -> Numbers:
    assert some.frames.aims is not None
    return some.frames.aims


def _add(file: zipfile.ZipFile, name: str, array: Numbers) -> None:
    _stream(file, name, array.shape, array.dtype.str, iter([array]))


def _stream(file: zipfile.ZipFile, name: str, shape: tuple[int, ...], kind: str, parts: Iterator[Numbers]) -> None:
    """Write an array that comes in parts along its first axis."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": kind, "fortran_order": False, "shape": shape})
    # The date of a member would make two exports of one animation differ.
    with file.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
        member.write(head.getvalue())
        for part in parts:
            member.write(np.ascontiguousarray(part, dtype=kind).tobytes())
