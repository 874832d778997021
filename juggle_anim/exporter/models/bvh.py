"""BVH: a file with skeleton and motion of each juggler, and a table of the props beside them.

The format is Biovision's, as in M. Meredith and S. Maddock, "Motion Capture File Formats Explained"
(2001). Lengths are metres where no scale says otherwise, +y is up, and people face +z; in the rest
pose all rotations are zero.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.atomic_file import atomic_file
from juggle_anim.body import Joint
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.quaternions import zxy_angles
from juggle_anim.exporter.models.skeleton import (
    END_OFFSETS,
    END_SEGMENTS,
    SEGMENTS,
    Rig,
    local_rotations,
    rig_of,
)
from juggle_anim.exporter.models.tables import CsvTable
from juggle_anim.exporter.models.tracks import motion_samples
from juggle_anim.exporter.options import Progress
from juggle_anim.metadata.documents import PROPS_TABLE_ENDING


def bvh_paths(request: FrameRequest, path: Path) -> list[Path]:
    """Return all files: one for each juggler, numbered if there are several, then that of props.

    Args:
        request: whose jugglers are counted.
        path: the file as it was asked for; the others are named after it, beside it.
    """
    jugglers = request.animation.jugglers
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
        request: the frames.
        paths: the files, in the order of `bvh_paths`: one for each juggler, then the props' table.
        metadata: text for the table of props to carry, in ASCII; BVH has no place for it.
        progress: called with the number of frames done and of all frames.
        replaces: whether files that are there by then are replaced.
    """
    *bodies, props = paths
    rig = rig_of(request.bones)
    order = list(_depth_first(rig))  # of segments, as BVH nests them, from that of `SEGMENTS`
    with contextlib.ExitStack() as stack:
        # The stack closes the files in reverse order of entry, and each takes its name as it is
        # closed. The table is entered first and so named last: where it exists, all files do.
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
        for samples in motion_samples(request):
            angles = zxy_angles(local_rotations(samples.joints, rig.parents))
            for juggler, file in enumerate(body_files):
                pelvis = request.scale * samples.joints[:, juggler, Joint.PELVIS]
                last_angles[juggler] = _write_rows(
                    file, pelvis, angles[:, juggler][:, order], previous=last_angles[juggler]
                )
            table.write(samples)
            if progress:
                progress(samples.end, request.frames)


def _write_rows(file: TextIO, pelvis: Floats, angles: Floats, previous: Floats | None) -> Floats:
    """Write some frames, whose angles continue those before without jumps of 360°.

    Args:
        file: the file.
        pelvis: position of the first segment, shape (T, 3), in the file's unit of length.
        angles: shape (T, S, 3), in the order of the file, [rad].
        previous: the angles of the frame before these, shape (S, 3), [rad]; None where these are
            the first.

    Returns:
        The unwrapped angles of the last of these frames, shape (S, 3), [rad].
    """
    # Unwrapped together with the frame before them, which is then dropped, as it is written.
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
    # The root's rows state its position, to which its offset would be added again: so it is 0.
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
