"""A still: one picture in one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from juggle_anim.exporter.claim import claim
from juggle_anim.exporter.making import frame_words, making
from juggle_anim.exporter.manner import PLAIN, Manner
from juggle_anim.exporter.shots import Shots
from juggle_anim.exporter.stills import check_still, encoded
from juggle_anim.whole_file import whole_file


def write_still(
    shots: Shots,
    path: Path,
    force: bool,
    progress: Callable[[int, int], None] | None,
    manner: Manner = PLAIN,
) -> Path:
    """Write the first picture as a file of the kind that its ending names; all else is as for `write_video`."""
    check_still(path.suffix, shots.size, shots.transparent)
    words = frame_words(making(shots, manner), 0)
    if claim(path, words, force, manner.resume):
        (image,) = shots.images([0])
        with whole_file(path) as draft:
            draft.write_bytes(encoded(image, path.suffix, manner.quality, words))
        if progress:
            progress(1, 1)
    return path
