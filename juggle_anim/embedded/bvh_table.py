"""The table beside a BVH: it carries the words for which a BVH has no room."""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from juggle_anim.embedded.table_comment import read_csv_comment

PROPS = "-props.csv"
"""How the name of the table of props ends, in place of .bvh."""


def read_table_beside(file: BinaryIO, most: int) -> str | None:
    """The words of the table beside a BVH: that of one juggler, or that of several whose files are numbered."""
    path = Path(file.name)
    for stem in dict.fromkeys([path.stem, re.sub(r"-\d+$", "", path.stem)]):
        table = path.with_name(f"{stem}{PROPS}")
        if table.is_file():
            with table.open("rb") as beside:
                return read_csv_comment(beside, most)
    return None
