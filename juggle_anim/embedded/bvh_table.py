"""The table beside a BVH: it carries the words for which a BVH has no room."""

from __future__ import annotations

import re
from pathlib import Path

BVH = b"HIERARCHY"
"""How a BVH begins."""

PROPS = "-props.csv"
"""How the name of the table of props ends, in place of .bvh."""


def tables_of(path: Path) -> tuple[Path, ...]:
    """Where the table of a BVH may be: that of one juggler, and that of several whose files are numbered."""
    stems = dict.fromkeys([path.stem, re.sub(r"-\d+$", "", path.stem)])
    return tuple(path.with_name(f"{stem}{PROPS}") for stem in stems)
