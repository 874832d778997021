"""Columns of tables: every joint and prop with its name and unit.

MERGED: CSV: a row for each moment, under a row of names with units; the words stand before them, behind a #.

MERGED: JSON: what the numbers are, then every moment on a line of its own.

MERGED: NPZ: an array of NumPy for all joints, one for all props, and what they are.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats
from juggle_anim.body import JOINTS, Joint
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.model import Captured, captured, joint_name, juggler_name, prop_name
from juggle_anim.scene.compose import drawn_kinds

UNITS = {
    "time": "s",
    "joints": "m",
    "props": "m",
    "aims": "rad",
    "holders": "2 * juggler + side from 0, side 0 is left; -1 in flight",
}
"""What the numbers of a table are counted in. Aims are yaw, the turn about +y from +z, and pitch above the horizon."""

AXES = "+y is up, jugglers who are not turned face +z, their left is +x"

_DIGITS = 6

Numbers = NDArray[Any]


def column_names(shots: FrameRequest, joints: bool = True) -> Iterator[str]:
    """The names of the columns of `column_values`, each with its unit."""
    yield "time [s]"
    if joints:
        for juggler in range(shots.animation.jugglers):
            for joint in Joint:
                yield from (f"{juggler_name(juggler)}_{joint_name(joint)}_{axis} [m]" for axis in "xyz")
    turning = shots.animation.motion.spin is not None
    for prop in range(shots.animation.choreography.props):
        yield from (f"{prop_name(prop)}_{axis} [m]" for axis in "xyz")
        if turning:
            yield from (f"{prop_name(prop)}_{angle} [rad]" for angle in ("yaw", "pitch"))
        yield f"{prop_name(prop)}_holder"


def column_values(some: Captured, joints: bool = True) -> Floats:
    """A row for each moment, shape (T, columns)."""
    frames, count = some.frames, len(some)
    aims = [] if frames.aims is None else [frames.aims]
    props = np.concatenate([frames.props, *aims, frames.holders[..., None]], axis=2)
    bodies = [some.joints.reshape(count, -1)] if joints else []
    return np.concatenate([some.times[:, None], *bodies, props.reshape(count, -1)], axis=1)


def column_formats(shots: FrameRequest, joints: bool = True) -> list[str]:
    """How many digits each column is worth: micrometres and microradians."""
    return ["%d" if name.endswith("holder") else "%.6f" for name in column_names(shots, joints)]


def prop_looks(shots: FrameRequest) -> list[dict[str, object]]:
    """What each prop looks like."""
    motion = shots.animation.motion
    kinds, colours = drawn_kinds(motion).tolist(), shots.animation.prop_colours.astype(float).round(4).tolist()
    return [
        {"name": prop_name(prop), "kind": kind, "diameter": float(size), "colour": colour}
        for prop, (kind, size, colour) in enumerate(zip(kinds, motion.shapes.size, colours, strict=True))
    ]


class CsvTable:
    """A table that is written some moments at a time."""

    def __init__(self, file: TextIO, shots: FrameRequest, words: str, joints: bool = True) -> None:
        self._file, self._joints = file, joints
        self._formats = ",".join(column_formats(shots, joints))
        file.write(f"# {words}\n{','.join(column_names(shots, joints))}\n")

    def write(self, some: Captured) -> None:
        """Write their rows."""
        np.savetxt(self._file, column_values(some, self._joints), fmt=self._formats)


def write_csv(shots: FrameRequest, path: Path, words: str, progress: Callable[[int, int], None] | None) -> None:
    """Write all joints and props as one table; arguments as for `write_glb`."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        table = CsvTable(file, shots, words)
        for some in captured(shots):
            table.write(some)
            if progress:
                progress(some.end, shots.frames)


def write_json(shots: FrameRequest, path: Path, words: str, progress: Callable[[int, int], None] | None) -> None:
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


def _about(shots: FrameRequest) -> dict[str, object]:
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


def write_npz(shots: FrameRequest, path: Path, words: str, progress: Callable[[int, int], None] | None) -> None:
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


def _joints(shots: FrameRequest, progress: Callable[[int, int], None] | None) -> Iterator[Numbers]:
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
