"""BVH: the skeleton of one juggler and how it moves; a file for each, and the paths of props in a table beside them.

The format is Biovision's, as in M. Meredith and S. Maddock, "Motion Capture File Formats Explained" (2001).
Lengths are metres, +y is up, and people face +z; at rest no joint is turned.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.atomic_file import atomic_file
from juggle_anim.body import Joint
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.models.model import Captured, captured
from juggle_anim.exporter.models.skeleton import ENDS, NAMES, OFFSETS, REST, SEGMENTS, local_rotations
from juggle_anim.exporter.models.tables import CsvTable
from juggle_anim.exporter.models.tracks import zxy_angles
from juggle_anim.metadata.documents import PROPS


def bvh_paths(shots: FrameRequest, path: Path) -> list[Path]:
    """Every file: one for each juggler, with a number where there are several, and the table last."""
    jugglers = shots.animation.jugglers
    numbered = [path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, jugglers + 1)]
    return [*(numbered if jugglers > 1 else [path]), path.with_name(f"{path.stem}{PROPS}")]


def write_bvh(shots: FrameRequest, paths: list[Path], words: str, progress: Callable[[int, int], None] | None) -> None:
    """Write the files that `bvh_paths` names, each whole or not at all.

    Args:
        shots: what.
        paths: where.
        words: what the table of props is to carry, in ASCII: BVH has no room for words.
        progress: called with the number of moments done, and of all.
    """
    *bodies, props = paths
    with contextlib.ExitStack() as stack:
        # They take their names in reverse: where the table is, all are.
        table = stack.enter_context(stack.enter_context(atomic_file(props)).open("w", encoding="ascii", newline=""))
        files = [
            stack.enter_context(stack.enter_context(atomic_file(path)).open("w", encoding="ascii", newline="\n"))
            for path in bodies
        ]
        rows = CsvTable(table, shots, words, joints=False)
        for file in files:
            file.write(_head(shots))
        turned: list[Floats | None] = [None] * len(files)
        for some in captured(shots):
            angles = zxy_angles(local_rotations(some.joints))
            for juggler, file in enumerate(files):
                turned[juggler] = _write_rows(file, some, juggler, angles[:, juggler], turned[juggler])
            rows.write(some)
            if progress:
                progress(some.end, shots.frames)


def _write_rows(file: TextIO, some: Captured, juggler: int, angles: Floats, before: Floats | None) -> Floats:
    """Write some moments, and give the last angles back: later ones go on from them without whole turns between."""
    steady = np.unwrap(angles if before is None else np.concatenate([before[None], angles]), axis=0)[-len(angles) :]
    values = np.empty((len(angles), 3 + 3 * len(SEGMENTS)))
    values[:, :3] = some.joints[:, juggler, Joint.PELVIS]
    values[:, 3:] = np.degrees(steady[:, _ORDER]).reshape(len(angles), -1)
    np.savetxt(file, values, fmt="%.6f")
    last: Floats = steady[-1]
    return last


def _head(shots: FrameRequest) -> str:
    lines = ["HIERARCHY", *_joint(0, ""), "MOTION", f"Frames: {shots.frames}"]
    return "\n".join([*lines, f"Frame Time: {shots.duration / shots.frames:.9g}", ""])


def _joint(number: int, indent: str) -> Iterator[str]:
    """The lines of a segment, and of all that it carries."""
    name, inner = NAMES[number], f"{indent}\t"
    yield f"{indent}{'JOINT' if number else 'ROOT'} {name}"
    yield f"{indent}{{"
    yield inner + _offset(OFFSETS[number] if number else np.zeros(3))
    places = "" if number else "Xposition Yposition Zposition "
    yield f"{inner}CHANNELS {3 if number else 6} {places}Zrotation Xrotation Yrotation"
    for child in _carried(number):
        yield from _joint(child, inner)
    for joint, carrier in ENDS.items():
        if carrier == name:
            yield from _end(REST[joint] - REST[SEGMENTS[number].joint], inner)
    yield f"{indent}}}"


def _carried(number: int) -> Iterator[int]:
    return (child for child, segment in enumerate(SEGMENTS) if segment.parent == NAMES[number])


def _in_order(number: int = 0) -> Iterator[int]:
    """Segments as they follow each other in the file, each with all that it carries."""
    yield number
    for child in _carried(number):
        yield from _in_order(child)


def _end(away: Floats, indent: str) -> Iterator[str]:
    yield f"{indent}End Site"
    yield f"{indent}{{"
    yield f"{indent}\t{_offset(away)}"
    yield f"{indent}}}"


def _offset(away: Floats) -> str:
    return "OFFSET " + " ".join(f"{each:.9f}" for each in away)


_ORDER = list(_in_order())
