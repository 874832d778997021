"""BVH: a file with skeleton and motion of each juggler, and a table of the props beside them.

The format is Biovision's, as in M. Meredith and S. Maddock, "Motion Capture File Formats Explained"
(2001). Lengths are metres where no scale says otherwise, +y is up, and people face +z; in the rest
pose all rotations are zero.

Tables: every joint and prop with its name and unit, as CSV, JSON or NPZ.
"""

from __future__ import annotations

import contextlib
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
from juggle_anim.atomic_file import atomic_file
from juggle_anim.body import JOINTS, Joint
from juggle_anim.exporter.models.skeleton import (
    END_OFFSETS,
    END_SEGMENTS,
    SEGMENTS,
    Rig,
    local_rotations,
    rig_of,
)
from juggle_anim.exporter.models.tracks import (
    MotionSamples,
    joint_name,
    juggler_name,
    motion_samples,
    prop_name,
    zxy_angles,
)
from juggle_anim.exporter.options import Progress
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.metadata.documents import PROPS_TABLE_ENDING
from juggle_anim.scene import drawn_kinds

UNITS = {
    "time": "s",
    "joints": "m",
    "props": "m",
    "aims": "rad",
    "holders": "2 * juggler + side from 0, side 0 is left; -1 in flight",
}
"""The units of a table's numbers.

Aims are yaw, the angle about +y from +z, and pitch above the horizon.
"""

AXES = "+y is up, jugglers who are not turned face +z, their left is +x"

_DIGITS = 6  # after the point in a JSON: micrometres and microradians

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')

# A sign that begins a formula, behind one at which spreadsheets cut a line into cells.
_FORMULA = re.compile(r"([\"',;|:\s])([=+@-])")

Numbers = NDArray[Any]


def column_names(request: FrameRequest, *, with_joints: bool = True) -> Iterator[str]:
    """Yield the names of the columns of `column_values`, each with its unit.

    The time comes first, then each juggler's joints, then each prop: its position, its aim where
    the motion spins props, and the number of the hand that holds it.

    Args:
        request: the request whose jugglers and props have columns.
        with_joints: whether there are columns for joints; if not, only for props.
    """
    yield "time [s]"
    if with_joints:
        for juggler in range(request.animation.num_jugglers):
            for joint in Joint:
                yield from (
                    f"{juggler_name(juggler)}_{joint_name(joint)}_{axis} [m]" for axis in "xyz"
                )
    has_aims = request.animation.motion.spin is not None
    for prop in range(request.animation.choreography.props):
        yield from (f"{prop_name(prop)}_{axis} [m]" for axis in "xyz")
        if has_aims:
            yield from (f"{prop_name(prop)}_{angle} [rad]" for angle in ("yaw", "pitch"))
        yield f"{prop_name(prop)}_holder"


def column_values(samples: MotionSamples, *, with_joints: bool = True) -> Floats:
    """Return a row for each of T samples, shape (T, columns), in the columns of `column_names`.

    Args:
        samples: times, joints and props.
        with_joints: whether there are columns for joints; if not, only for props.
    """
    frames = samples.frames
    count = len(samples)
    # The numbers of each prop side by side, shape (T, props, 4), or 6 with aims.
    prop_numbers: list[Numbers] = [frames.props]
    if frames.aims is not None:
        prop_numbers.append(frames.aims)
    prop_numbers.append(frames.holders[..., None])
    columns: list[Numbers] = [samples.times[:, None]]
    if with_joints:
        columns.append(samples.joints.reshape(count, -1))
    columns.append(np.concatenate(prop_numbers, axis=2).reshape(count, -1))
    return np.concatenate(columns, axis=1)


def prop_looks(request: FrameRequest) -> list[dict[str, object]]:
    """Return the name, kind, size [m] and colour (sRGB, 0 to 1) of each prop, as JSON values."""
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
    """Return JSON in which no sign begins a formula where a spreadsheet divides it into cells.

    Titles may contain anything, and spreadsheets evaluate cells that begin with =, +, - or @. Such
    signs are escaped, as \\u003d, which means the same, if they are within a JSON string and behind
    a separator of cells.
    """

    def escape_sign(formula: re.Match[str]) -> str:
        """Return the separator, and the sign as an escape of JSON."""
        separator, sign = formula.groups()
        return f"{separator}\\u{ord(sign):04x}"

    # Each string of JSON, with all such signs in it escaped.
    return _JSON_STRING.sub(lambda string: _FORMULA.sub(escape_sign, string[0]), metadata)


class CsvTable:
    """A CSV table that is written in parts.

    Metadata are after a #, then come names with units, then a row for each frame.

    Args:
        file: open for text in ASCII; the caller closes it.
        request: the frames: their animation, times [s], size [pixels] and camera.
        metadata: JSON in one line, in ASCII.
        with_joints: whether there are columns for joints; if not, only for props.
    """

    def __init__(
        self, file: TextIO, request: FrameRequest, metadata: str, *, with_joints: bool = True
    ) -> None:
        self._file = file
        self._with_joints = with_joints
        names = list(column_names(request, with_joints=with_joints))
        # Holders are whole numbers; six decimals are micrometres and microradians.
        self._formats = ",".join("%d" if name.endswith("holder") else "%.6f" for name in names)
        file.write(f"# {without_formulas(metadata)}\n{','.join(names)}\n")

    def write(self, samples: MotionSamples) -> None:
        """Write the rows of given samples."""
        np.savetxt(
            self._file, column_values(samples, with_joints=self._with_joints), fmt=self._formats
        )


def write_csv(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write all joints and props as one table, a row for each frame.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        path: the file.
        metadata: text for the file to carry, in ASCII.
        progress: called with the number of frames done and of all frames; None to report nothing.
    """
    with path.open("w", encoding="ascii", newline="\n") as file:
        table = CsvTable(file, request, metadata)
        for samples in motion_samples(request, progress):
            table.write(samples)


def write_json(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write all joints and props as JSON, each frame on a line of its own.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        path: the file.
        metadata: JSON for the file to carry, in ASCII, which becomes a value of it.
        progress: called with the number of frames done and of all frames; None to report nothing.
    """
    with path.open("w", encoding="ascii", newline="\n") as file:
        # The metadata comes first, so it is found without reading the whole file.
        file.write(f'{{"made": {metadata},\n')
        for name, value in _about(request).items():
            file.write(f"{json.dumps(name)}: {json.dumps(value)},\n")
        file.write('"moments": [')
        for samples in motion_samples(request, progress):
            for index in range(len(samples)):
                # JSON allows no comma after the last sample, so commas stand before each but the
                # first.
                file.write(",\n" if samples.first + index else "\n")
                json.dump(_json_sample(samples, index), file, separators=(",", ":"))
        file.write("\n]}\n")


def _about(request: FrameRequest) -> dict[str, object]:
    """Return the head of a JSON file: units, axes, duration [s], and names in order."""
    return {
        "units": UNITS,
        "axes": AXES,
        "duration": request.duration,
        "jugglers": [juggler_name(juggler) for juggler in range(request.animation.num_jugglers)],
        "joints": [joint_name(joint) for joint in Joint],
        "props": prop_looks(request),
    }


def _json_sample(samples: MotionSamples, index: int) -> dict[str, object]:
    """Return one sample of a motion as an object of JSON.

    Args:
        samples: successive samples.
        index: the index of the sample, from 0 in these.

    Returns:
        Values by the keys of `UNITS`; "aims" is missing where the motion does not spin props.
    """
    frames = samples.frames
    values: dict[str, object] = {
        "time": round(float(samples.times[index]), _DIGITS),
        "joints": _rounded(samples.joints[index]),
        "props": _rounded(frames.props[index]),
    }
    if frames.aims is not None:
        values["aims"] = _rounded(frames.aims[index])
    values["holders"] = frames.holders[index].tolist()
    return values


def _rounded(values: Floats) -> list[object]:
    listed: list[object] = np.round(values, _DIGITS).tolist()
    return listed


def write_npz(request: FrameRequest, path: Path, metadata: str, progress: Progress | None) -> None:
    """Write all joints and props as arrays of NumPy in a ZIP.

    For T frames, J jugglers and P props, the arrays are `times` (T,), `joints` (T, J, `JOINTS`, 3),
    `props` (T, P, 3), their centres; `holders` (T, P), the hand that holds each prop, 2 · juggler +
    side (0 left, 1 right), or −1 in flight; and, where the motion spins props, `aims` (T, P, 2),
    the yaw about +y from +z and the pitch above the horizon of each prop, [rad].
    `comment` holds the metadata; `units`, `axes`, `looks` and `joint_names` describe the numbers.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        path: the file.
        metadata: text for the file to carry, in ASCII.
        progress: called with the number of frames done and of all frames; None to report nothing.
    """
    frames = request.frames
    props = request.animation.choreography.props
    with zipfile.ZipFile(path, "w") as archive:
        # The metadata comes first, so it is found without reading the whole file.
        descriptions: dict[str, str | list[str]] = {
            "comment": metadata,
            "units": json.dumps(UNITS),
            "axes": AXES,
            "joint_names": [joint_name(joint) for joint in Joint],
            "looks": json.dumps(prop_looks(request)),
        }
        for name, texts in descriptions.items():
            array = np.array(texts)
            parts = iter([array])
            _stream_member(archive, name, shape=array.shape, dtype=array.dtype.str, parts=parts)
        # Members of a ZIP are written one after another. So the motion is sampled again for each
        # array rather than kept in memory. The joints, which take longest, are last, and report
        # progress.
        times = (samples.times for samples in motion_samples(request))
        _stream_member(archive, "times", shape=(frames,), dtype="<f8", parts=times)
        centres = (samples.frames.props for samples in motion_samples(request))
        _stream_member(archive, "props", shape=(frames, props, 3), dtype="<f8", parts=centres)
        holders = (samples.frames.holders for samples in motion_samples(request))
        _stream_member(archive, "holders", shape=(frames, props), dtype="<i8", parts=holders)
        if request.animation.motion.spin:
            aims = (_aims(samples) for samples in motion_samples(request))
            _stream_member(archive, "aims", shape=(frames, props, 2), dtype="<f8", parts=aims)
        joints_shape = frames, request.animation.num_jugglers, JOINTS, 3
        joints = (samples.joints for samples in motion_samples(request, progress))
        _stream_member(archive, "joints", shape=joints_shape, dtype="<f8", parts=joints)


def _aims(samples: MotionSamples) -> Numbers:
    assert samples.frames.aims is not None
    return samples.frames.aims


def _stream_member(
    file: zipfile.ZipFile, name: str, shape: tuple[int, ...], dtype: str, parts: Iterator[Numbers]
) -> None:
    """Write an array to a ZIP, as a member in NumPy's format, without having it whole in memory.

    Args:
        file: the ZIP.
        name: the name of the array, to which ".npy" is added for the member.
        shape: the shape of the whole array.
        dtype: its type as NumPy writes it, such as "<f8".
        parts: successive stretches of its first axis, which add up to `shape`.
    """
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": dtype, "fortran_order": False, "shape": shape}
    )
    # `ZipInfo` has a fixed date; with the present time two exports of one animation would differ.
    # The size of the member is not stated in advance, so it must allow for more than 4 GB.
    with file.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
        member.write(header.getvalue())
        for part in parts:
            member.write(np.ascontiguousarray(part, dtype=dtype).tobytes())


def bvh_paths(request: FrameRequest, path: Path) -> list[Path]:
    """Return all files: one for each juggler, numbered if there are several, then that of props.

    Args:
        request: the request whose jugglers are counted.
        path: the file as it was requested; the others are named after it, beside it.
    """
    jugglers = request.animation.num_jugglers
    numbered = [
        path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, jugglers + 1)
    ]
    return [
        *(numbered if jugglers > 1 else [path]),
        path.with_name(f"{path.stem}{PROPS_TABLE_ENDING}"),
    ]


def write_bvh(
    request: FrameRequest,
    paths: list[Path],
    metadata: str,
    progress: Progress | None,
    *,
    replaces: bool = False,
) -> None:
    """Write the files that `bvh_paths` names, each atomically.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        paths: the files, in the order of `bvh_paths`: one for each juggler, then the props' table.
        metadata: text for the table of props to carry, in ASCII; BVH has no place for it.
        progress: called with the number of frames done and of all frames.
        replaces: whether files that exist by then are replaced; if not, they are an error.
    """
    *bodies, props = paths
    rig = rig_of(request.bones)
    order = list(_depth_first(rig))  # indices in `SEGMENTS`, in the order of the file
    with contextlib.ExitStack() as stack:
        # Files are closed in reverse order, and each gets its final name when it is closed. The
        # table is opened first, so it is named last, and if it exists, all files exist.
        table_draft, *body_drafts = [
            stack.enter_context(atomic_file(path, replaces=replaces)) for path in (props, *bodies)
        ]
        table_file = stack.enter_context(table_draft.open("w", encoding="ascii", newline=""))
        body_files = [
            stack.enter_context(draft.open("w", encoding="ascii", newline="\n"))
            for draft in body_drafts
        ]
        table = CsvTable(table_file, request, metadata, with_joints=False)
        for file in body_files:
            file.write(_header(request, rig))
        # Angles of each juggler's last frame so far, with which those of the next part continue.
        last_angles: list[Floats | None] = [None] * len(body_files)
        for samples in motion_samples(request, progress):
            # Shape (T, jugglers, S, 3), [rad].
            angles = zxy_angles(local_rotations(samples.joints, rig.parents))[:, :, order]
            for juggler, file in enumerate(body_files):
                pelvis = request.scale * samples.joints[:, juggler, Joint.PELVIS]
                last_angles[juggler] = _write_rows(
                    file, pelvis, angles[:, juggler], previous=last_angles[juggler]
                )
            table.write(samples)


def _write_rows(file: TextIO, pelvis: Floats, angles: Floats, previous: Floats | None) -> Floats:
    """Write some frames, whose angles continue those before without jumps of 360°.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        file: the file.
        pelvis: position of the first segment, shape (T, 3) for T frames, in the file's unit of
            length.
        angles: shape (T, S, 3) for S segments, in the order of the file, [rad].
        previous: the angles of the frame before these, shape (S, 3), [rad]; None where these are
            the first.

    Returns:
        The unwrapped angles of the last of these frames, shape (S, 3), [rad].
    """
    # Angles are unwrapped together with those of the frame before, which is written already and
    # dropped.
    joined = angles if previous is None else np.concatenate([previous[None], angles])
    unwrapped = np.unwrap(joined, axis=0)[-len(angles) :]
    rows = np.empty((len(angles), 3 + 3 * len(SEGMENTS)))
    rows[:, :3] = pelvis
    rows[:, 3:] = np.degrees(unwrapped).reshape(len(angles), -1)
    np.savetxt(file, rows, fmt="%.6f")
    last: Floats = unwrapped[-1]
    return last


def _header(request: FrameRequest, rig: Rig) -> str:
    """Return the text of a file before its rows of frames: the skeleton, and how many rows follow.

    Args:
        request: number of frames, their duration, and units to a metre (`scale`).
        rig: names and parents of the bones.
    """
    lines = [
        "HIERARCHY",
        *_joint(0, rig, request.scale, indent=""),
        "MOTION",
        f"Frames: {request.frames}",
    ]
    return "\n".join([*lines, f"Frame Time: {request.duration / request.frames:.9g}", ""])


def _joint(segment: int, rig: Rig, scale: float, indent: str) -> Iterator[str]:
    """Yield the lines of the hierarchy for a segment and its descendants.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        segment: index in `SEGMENTS`; 0 is the root.
        rig: names and parents of the bones.
        scale: units of the file to a metre.
        indent: tabs in front of its lines.
    """
    inner = f"{indent}\t"
    is_root = segment == 0
    yield f"{indent}{'ROOT' if is_root else 'JOINT'} {rig.segments[segment]}"
    yield f"{indent}{{"
    # Rows of the root state its position, to which its offset would be added again, so it is 0.
    yield inner + _offset(np.zeros(3) if is_root else scale * rig.offsets[segment])
    if is_root:
        position = "Xposition Yposition Zposition"
        yield f"{inner}CHANNELS 6 {position} Zrotation Xrotation Yrotation"
    else:
        yield f"{inner}CHANNELS 3 Zrotation Xrotation Yrotation"
    for child in _children(rig, segment):
        yield from _joint(child, rig, scale, indent=inner)
    # Tips of the head, hands and feet have no rotation, only a place where the bone ends.
    for carrier, end in zip(END_SEGMENTS, END_OFFSETS, strict=True):
        if carrier == segment:
            yield f"{inner}End Site"
            yield f"{inner}{{"
            yield f"{inner}\t{_offset(scale * end)}"
            yield f"{inner}}}"
    yield f"{indent}}}"


def _children(rig: Rig, segment: int) -> list[int]:
    """Return the segments that hang on a segment."""
    children: list[int] = np.flatnonzero(rig.parents == segment).tolist()
    return children


def _depth_first(rig: Rig, segment: int = 0) -> Iterator[int]:
    """Yield a segment and its descendants in the order of the file."""
    yield segment
    for child in _children(rig, segment):
        yield from _depth_first(rig, child)


def _offset(vector: Floats) -> str:
    """Return the line of a joint's position relative to its parent."""
    return "OFFSET " + " ".join(f"{coordinate:.9f}" for coordinate in vector)
