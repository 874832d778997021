"""Small exports of each kind, for tests that read files."""

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
    `a` and that.
    """
    animation = ja.animate("531")
    return {
        ending: ja.export(animation, folder / ending[1:] / f"a{ending}", **SMALL)
        for ending in ENDINGS
    }
