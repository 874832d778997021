"""Tables: every joint and prop with its name and unit, as CSV, JSON or NPZ."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats
from juggle_anim.body import JOINTS, Joint
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.tracks import (
    MotionSamples,
    joint_name,
    juggler_name,
    motion_samples,
    prop_name,
)
from juggle_anim.exporter.options import Progress
from juggle_anim.scene.compose import drawn_kinds

UNITS = {
    "time": "s",
    "joints": "m",
    "props": "m",
    "aims": "rad",
    "holders": "2 * juggler + side from 0, side 0 is left; -1 in flight",
}
"""The units of a table's numbers. Aims are yaw, the turn about +y from +z, and pitch above the
horizon.
"""

AXES = "+y is up, jugglers who are not turned face +z, their left is +x"

_DIGITS = 6

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_FORMULA = re.compile(r"([\"',;|:\s])([=+@-])")

Numbers = NDArray[Any]


def column_names(request: FrameRequest, joints: bool = True) -> Iterator[str]:
    """Names of the columns of `column_values`, each with its unit."""
    yield "time [s]"
    if joints:
        for juggler in range(request.animation.jugglers):
            for joint in Joint:
                yield from (
                    f"{juggler_name(juggler)}_{joint_name(joint)}_{axis} [m]" for axis in "xyz"
                )
    turning = request.animation.motion.spin is not None
    for prop in range(request.animation.choreography.props):
        yield from (f"{prop_name(prop)}_{axis} [m]" for axis in "xyz")
        if turning:
            yield from (f"{prop_name(prop)}_{angle} [rad]" for angle in ("yaw", "pitch"))
        yield f"{prop_name(prop)}_holder"


def column_values(some: MotionSamples, joints: bool = True) -> Floats:
    """A row for each sample, shape (T, columns)."""
    frames = some.frames
    count = len(some)
    aims = [] if frames.aims is None else [frames.aims]
    props = np.concatenate([frames.props, *aims, frames.holders[..., None]], axis=2)
    bodies = [some.joints.reshape(count, -1)] if joints else []
    return np.concatenate([some.times[:, None], *bodies, props.reshape(count, -1)], axis=1)


def column_formats(request: FrameRequest, joints: bool = True) -> list[str]:
    """The number format of each column: micrometres and microradians."""
    return ["%d" if name.endswith("holder") else "%.6f" for name in column_names(request, joints)]


def prop_looks(request: FrameRequest) -> list[dict[str, object]]:
    """The name, kind, size and colour of each prop."""
    motion = request.animation.motion
    kinds = drawn_kinds(motion).tolist()
    colours = request.animation.prop_colours.astype(float).round(4).tolist()
    return [
        {"name": prop_name(prop), "kind": kind, "diameter": float(size), "colour": colour}
        for prop, (kind, size, colour) in enumerate(
            zip(kinds, motion.shapes.size, colours, strict=True)
        )
    ]


def without_formulas(metadata: str) -> str:
    """Return JSON that says the same, and of which no cell is a formula where a spreadsheet cuts it
    at a separator.

    Titles may hold anything, and spreadsheets compute what begins with =, +, - or @.
    """

    def told(string: re.Match[str]) -> str:
        return _FORMULA.sub(lambda found: f"{found[1]}\\u{ord(found[2]):04x}", string[0])

    return _STRING.sub(told, metadata)


class CsvTable:
    """A CSV table, written in parts: metadata behind a #, then names with units, then a row for
    each frame.
    """

    def __init__(
        self, file: TextIO, request: FrameRequest, metadata: str, joints: bool = True
    ) -> None:
        self._file = file
        self._joints = joints
        self._formats = ",".join(column_formats(request, joints))
        file.write(f"# {without_formulas(metadata)}\n{','.join(column_names(request, joints))}\n")

    def write(self, some: MotionSamples) -> None:
        """Write the rows of some samples."""
        np.savetxt(self._file, column_values(some, self._joints), fmt=self._formats)


def write_csv(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write all joints and props as one table; arguments as for `write_glb`."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        table = CsvTable(file, request, metadata)
        for some in motion_samples(request):
            table.write(some)
            if progress:
                progress(some.end, request.frames)


def write_json(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write all joints and props, each frame on a line of its own; arguments as for `write_glb`."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        # The metadata comes first, so it is found without reading the whole file.
        file.write(f'{{"made": {metadata},\n')
        for name, value in _about(request).items():
            file.write(f"{json.dumps(name)}: {json.dumps(value)},\n")
        file.write('"moments": [')
        for some in motion_samples(request):
            for number in range(len(some)):
                file.write(",\n" if some.first + number else "\n")
                json.dump(_sample(some, number), file, separators=(",", ":"))
            if progress:
                progress(some.end, request.frames)
        file.write("\n]}\n")


def _about(request: FrameRequest) -> dict[str, object]:
    return {
        "units": UNITS,
        "axes": AXES,
        "duration": request.duration,
        "jugglers": [juggler_name(juggler) for juggler in range(request.animation.jugglers)],
        "joints": [joint_name(joint) for joint in Joint],
        "props": prop_looks(request),
    }


def _sample(some: MotionSamples, number: int) -> dict[str, object]:
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


def write_npz(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write `times`, `joints` (T, J, joints, 3), `props` (T, P, 3), `holders` and `aims`; arguments
    as for `write_glb`.

    `comment` holds the metadata; `units`, `axes`, `looks` and `joint_names` describe the numbers.
    """
    frames = request.frames
    props = request.animation.choreography.props
    with zipfile.ZipFile(path, "w") as file:
        # The metadata comes first, so it is found without reading the whole file.
        _add(file, "comment", np.array(metadata))
        _add(file, "units", np.array(json.dumps(UNITS)))
        _add(file, "axes", np.array(AXES))
        _add(file, "joint_names", np.array([joint_name(joint) for joint in Joint]))
        _add(file, "looks", np.array(json.dumps(prop_looks(request))))
        _stream(file, "times", (frames,), "<f8", (some.times for some in motion_samples(request)))
        _stream(
            file,
            "props",
            (frames, props, 3),
            "<f8",
            (some.frames.props for some in motion_samples(request)),
        )
        _stream(
            file,
            "holders",
            (frames, props),
            "<i8",
            (some.frames.holders for some in motion_samples(request)),
        )
        if request.animation.motion.spin:
            _stream(
                file,
                "aims",
                (frames, props, 2),
                "<f8",
                (_aims(some) for some in motion_samples(request)),
            )
        bodies = frames, request.animation.jugglers, JOINTS, 3
        _stream(file, "joints", bodies, "<f8", _joints(request, progress))


def _joints(request: FrameRequest, progress: Progress | None) -> Iterator[Numbers]:
    for some in motion_samples(request):
        yield some.joints
        if progress:
            progress(some.end, request.frames)


def _aims(some: MotionSamples) -> Numbers:
    assert some.frames.aims is not None
    return some.frames.aims


def _add(file: zipfile.ZipFile, name: str, array: Numbers) -> None:
    _stream(file, name, array.shape, array.dtype.str, iter([array]))


def _stream(
    file: zipfile.ZipFile, name: str, shape: tuple[int, ...], kind: str, parts: Iterator[Numbers]
) -> None:
    """Write an array from its parts along the first axis."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": kind, "fortran_order": False, "shape": shape}
    )
    # A member with a date would make two exports of one animation differ.
    with file.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
        member.write(head.getvalue())
        for part in parts:
            member.write(np.ascontiguousarray(part, dtype=kind).tobytes())
