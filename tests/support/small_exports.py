"""Small exports of each kind, for tests that read files."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import juggle_anim as ja
from juggle_anim.formats import MODELS, PAGES, STILLS, VIDEOS

ENDINGS = list(dict.fromkeys([*VIDEOS, *STILLS, *PAGES, *MODELS]))
"""Of all kinds of files."""

SMALL: dict[str, Any] = {"size": (32, 24), "fps": 4}
"""What a small export is asked for."""


def small_exports(folder: Path) -> dict[str, list[Path]]:
    """Export 531 in each kind, as small as it goes; the files of each ending, the first of which is
    `a` and that. What another process has exported into the folder is taken as it is.
    """
    if not folder.exists():
        animation = ja.animate("531")
        own = folder.with_suffix(f".{os.getpid()}")
        for ending in ENDINGS:
            ja.export(animation, own / ending[1:] / f"a{ending}", **SMALL)
        with suppress(OSError):  # another was quicker
            own.rename(folder)
    return {ending: sorted((folder / ending[1:]).iterdir(), key=_is_beside) for ending in ENDINGS}


def _is_beside(path: Path) -> tuple[bool, str]:
    return path.stem != "a", path.name
