"""Figures: pictures of plots of one style, and the files that they are written to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.embedded.figure_words import figure_words
from juggle_anim.errors import ParameterError
from juggle_anim.whole_file import make_room, refuse_existing, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")
"""What a picture of plots can be, by how its path ends."""

SMALLEST, LARGEST = (320, 320), (8000, 8000)
"""Widths and heights that are accepted, [pixels]."""

_INCH, _WIDEST_TEXT = 100.0, 1280
_INK, _FAINT = "#26282c", "#d9dce0"


@contextmanager
def new_figure(size: tuple[int, int]) -> Iterator[Figure]:
    """An empty figure; what is drawn while it is open is in our style.

    Args:
        size: width and height, [pixels]; of a hundredth of an inch each where the picture has none.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # A wide picture gets larger letters and lines, up to a point, rather than more room between them.
    scale = float(np.clip(size[0] / _WIDEST_TEXT, 0.55, 1.4))
    with mpl.rc_context(_style(scale)):
        yield Figure(figsize=(size[0] / _INCH, size[1] / _INCH), dpi=_INCH, layout="constrained")


def check_plots(path: Path, size: tuple[int, int], force: bool) -> None:
    """See that plots can be written there, before any work is done.

    Args:
        path: ends in one of `KINDS`.
        size: width and height, [pixels].
        force: whether a file that is there already may be replaced.

    Raises:
        ParameterError: another kind of file, or a size that cannot be.
        ExportError: something is there already, or it cannot be written.
    """
    if path.suffix.lower() not in KINDS:
        raise ParameterError(f"{path}: plots are written as {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if not all(low <= edge <= high for low, edge, high in zip(SMALLEST, size, LARGEST, strict=True)):
        raise ParameterError(
            f"plots cannot be {size[0]}x{size[1]}: each edge must be from {SMALLEST[0]} to {LARGEST[0]}"
        )
    refuse_existing(path, force)


def write_figure(figure: Figure, path: Path, words: str) -> Path:
    """Write a figure to a file that `check_plots` let pass, whole or not at all; the same figure is the same bytes.

    Args:
        figure: what is drawn.
        path: where to.
        words: what the file is to carry of what was measured, in ASCII.

    Raises:
        ExportError: it cannot be written.
    """
    make_room(path)
    import matplotlib as mpl

    about = figure_words(path.suffix.lower(), words)
    # Names inside the file come from a fixed salt.
    with mpl.rc_context({"svg.hashsalt": "juggle-anim"}), whole_file(path) as draft:
        figure.savefig(draft, format=path.suffix[1:].lower(), metadata=about)
    return path


def cut_text(text: str, most: int) -> str:
    """A text that fits into a title; one of more letters than these ends in …"""
    return text if len(text) <= most else text[: most - 1] + "…"


def _style(scale: float) -> Any:
    return {
        "font.size": 10.5 * scale, "axes.titlesize": 10.5 * scale, "figure.titlesize": 14 * scale,
        "axes.titlelocation": "left", "axes.titlepad": 5 * scale, "lines.linewidth": 1.6 * scale,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": _INK, "axes.linewidth": 0.8 * scale,
        "axes.labelcolor": _INK, "text.color": _INK, "xtick.color": _INK, "ytick.color": _INK,
        "axes.grid": True, "axes.axisbelow": True, "grid.color": _FAINT, "grid.linewidth": 0.7 * scale,
        "legend.frameon": False, "legend.handlelength": 1.2, "legend.columnspacing": 1.2, "legend.borderpad": 0.0,
        "figure.constrained_layout.h_pad": 0.06 * scale, "text.parse_math": False,
        "axes.ymargin": 0.08,
    }  # fmt: skip
