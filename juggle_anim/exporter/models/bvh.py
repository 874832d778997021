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
    ENDS,
    NAMES,
    REST,
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
    """All files: one for each juggler, numbered if there are several, then the table of props."""
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
    replaces: bool = False,
) -> None:
    """Write the files that `bvh_paths` names, each atomically.

    Args:
        request: the frames.
        paths: the files.
        metadata: text for the table of props to carry, in ASCII; BVH has no place for it.
        progress: called with the number of frames done and of all frames.
        replaces: whether files that are there by then are replaced.
    """
    *bodies, props = paths
    rig = rig_of(request.bones)
    order = list(_in_order(rig))
    with contextlib.ExitStack() as stack:
        # The files take their names in reverse order: the table is last, so where it exists, all
        # do.
        drafts = [
            stack.enter_context(atomic_file(path, replaces=replaces)) for path in (props, *bodies)
        ]
        table, *files = (
            stack.enter_context(draft.open("w", encoding="ascii", newline="\n" if number else ""))
            for number, draft in enumerate(drafts)
        )
        rows = CsvTable(table, request, metadata, joints=False)
        for file in files:
            file.write(_head(request, rig))
        turned: list[Floats | None] = [None] * len(files)
        for some in motion_samples(request):
            angles = zxy_angles(local_rotations(some.joints, rig.parents))
            for juggler, file in enumerate(files):
                places = request.scale * some.joints[:, juggler, Joint.PELVIS]
                turned[juggler] = _write_rows(
                    file, places, angles[:, juggler][:, order], turned[juggler]
                )
            rows.write(some)
            if progress:
                progress(some.end, request.frames)


def _write_rows(file: TextIO, places: Floats, angles: Floats, before: Floats | None) -> Floats:
    """Write some frames; return the last angles, from which the next frames continue without jumps
    of 360°.

    Args:
        file: the file.
        places: of the first segment, shape (T, 3), as the file has lengths.
        angles: shape (T, S, 3), in the order of the file, [rad].
        before: the last angles so far, None where there are none.
    """
    steady = np.unwrap(
        angles if before is None else np.concatenate([before[None], angles]), axis=0
    )[-len(angles) :]
    values = np.empty((len(angles), 3 + 3 * len(SEGMENTS)))
    values[:, :3] = places
    values[:, 3:] = np.degrees(steady).reshape(len(angles), -1)
    np.savetxt(file, values, fmt="%.6f")
    last: Floats = steady[-1]
    return last


def _head(request: FrameRequest, rig: Rig) -> str:
    lines = ["HIERARCHY", *_joint(0, "", rig, request.scale), "MOTION", f"Frames: {request.frames}"]
    return "\n".join([*lines, f"Frame Time: {request.duration / request.frames:.9g}", ""])


def _joint(number: int, indent: str, rig: Rig, scale: float) -> Iterator[str]:
    """The lines of a segment and of its descendants."""
    name = rig.segments[number]
    inner = f"{indent}\t"
    yield f"{indent}{'JOINT' if number else 'ROOT'} {name}"
    yield f"{indent}{{"
    yield inner + _offset(scale * rig.offsets[number] if number else np.zeros(3))
    places = "" if number else "Xposition Yposition Zposition "
    yield f"{inner}CHANNELS {3 if number else 6} {places}Zrotation Xrotation Yrotation"
    for child in _children(rig, number):
        yield from _joint(child, inner, rig, scale)
    for joint, carrier in ENDS.items():
        if carrier == NAMES[number]:
            yield from _end(scale * (REST[joint] - REST[SEGMENTS[number].joint]), inner)
    yield f"{indent}}}"


def _children(rig: Rig, number: int) -> list[int]:
    children: list[int] = np.flatnonzero(rig.parents == number).tolist()
    return children


def _in_order(rig: Rig, number: int = 0) -> Iterator[int]:
    """Numbers of segments in the order of the file, depth first."""
    yield number
    for child in _children(rig, number):
        yield from _in_order(rig, child)


def _end(away: Floats, indent: str) -> Iterator[str]:
    yield f"{indent}End Site"
    yield f"{indent}{{"
    yield f"{indent}\t{_offset(away)}"
    yield f"{indent}}}"


def _offset(away: Floats) -> str:
    return "OFFSET " + " ".join(f"{each:.9f}" for each in away)
