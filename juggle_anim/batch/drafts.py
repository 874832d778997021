"""Drafts that a killed process left behind, of one pattern of a batch."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from juggle_anim.exporter.template import read_template
from juggle_anim.whole_file import cannot_write, remove_left_drafts


def remove_drafts_of(path: Path) -> None:
    """Remove the drafts of a file or of a folder of frames, with those of several cameras; who lives keeps its own."""
    frames = path.parent if read_template(path) else path
    with cannot_write(path):
        if frames.is_dir():
            found = list(frames.rglob(".*"))
        else:
            found = [each for each in path.parent.glob(".*") if each.name.startswith(f".{path.stem}")]
    _remove(found)


def remove_drafts_in(folder: Path) -> None:
    """Remove all drafts in a folder whose writers have died."""
    with cannot_write(folder):
        found = list(folder.glob(".*"))
    _remove(found)


def _remove(found: Iterable[Path]) -> None:
    for draft in found:
        if of := _DRAFT.fullmatch(draft.name):
            remove_left_drafts(draft.with_name(of[1] + of[2]))


_DRAFT = re.compile(r"\.(.+)\.\d{1,9}\.part(\.[^.]+)(?:\.bare)?")
