"""CSV: a row for each moment, under a row of names with units; the words stand before them, behind a #."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import numpy as np

from juggle_anim.exporter.models.captured import Captured, captured
from juggle_anim.exporter.models.columns import column_formats, column_names, column_values
from juggle_anim.exporter.shots import Shots


class CsvTable:
    """A table that is written some moments at a time."""

    def __init__(self, file: TextIO, shots: Shots, words: str, joints: bool = True) -> None:
        self._file, self._joints = file, joints
        self._formats = ",".join(column_formats(shots, joints))
        file.write(f"# {words}\n{','.join(column_names(shots, joints))}\n")

    def write(self, some: Captured) -> None:
        """Write their rows."""
        np.savetxt(self._file, column_values(some, self._joints), fmt=self._formats)


def write_csv(shots: Shots, path: Path, words: str, progress: Callable[[int, int], None] | None) -> None:
    """Write all joints and props as one table; arguments as for `write_glb`."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        table = CsvTable(file, shots, words)
        for some in captured(shots):
            table.write(some)
            if progress:
                progress(some.end, shots.frames)
