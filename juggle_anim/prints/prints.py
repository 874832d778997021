"""The registry of prints, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.errors import ParameterError
from juggle_anim.printable import printable
from juggle_anim.prints.line_drawing import print_lines
from juggle_anim.prints.printing import print_causal, print_ladder
from juggle_anim.prints.sheet import print_sheet
from juggle_anim.prints.strobe import print_strobe

PRINTS: dict[str, Callable[..., Path]] = {
    "ladder": print_ladder,
    "causal": print_causal,
    "lines": print_lines,
    "sheet": print_sheet,
    "strobe": print_strobe,
}
"""All of them. A new kind is a row here, and a file that draws it."""


def print_picture(kind: str, animation: Animation, path: Path, **given: Any) -> Path:
    """Write a picture of a kind of `PRINTS`, with what its own function takes; None leaves that as it is usual.

    Raises:
        ParameterError: there is no such kind, or it takes nothing of that name; or as its function has it.
        ExportError: something is there already, or it cannot be written.
    """
    if kind not in PRINTS:
        raise ParameterError(f"juggle-anim draws no {printable(kind, 40)!r}; it draws {', '.join(PRINTS)}")
    given = {name: value for name, value in given.items() if value is not None}
    taken = [name for name in inspect.signature(PRINTS[kind]).parameters if name not in ("animation", "path")]
    for name in given:
        if name not in taken:
            raise ParameterError(f"a {kind} takes no {_as_asked(name)}; it takes {', '.join(map(_as_asked, taken))}")
    return PRINTS[kind](animation, path, **given)


def _as_asked(name: str) -> str:
    return "camera" if name == "view" else name
