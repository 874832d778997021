"""Films that fit into a number of bytes: with fewer frames a second, and then with fewer pixels."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.language import _

SMALLEST = 64
"""The shortest edge to which a picture is made smaller, [pixels]."""

_LOW_RATE = 20.0  # frames a second, at which motion is still even
_SPARE = 0.95  # of the bytes, since files do not shrink just as their pixels do
_TRIES = 8
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s*([kMG]?)B?", re.IGNORECASE | re.ASCII)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def read_file_size(text: str) -> int:
    """Read a file size, such as 2MB or 500kB, [bytes].

    Raises:
        ParameterError: it is none.
    """
    found = _SIZE.fullmatch(text.strip())
    size = round(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if not size:
        raise ParameterError.of("max_size", text, _("a file size such as 2MB or 500kB"))
    return size


def within_size(
    options: ExportOptions, rate: float, write: Callable[[ExportOptions, Path], int]
) -> ExportOptions:
    """Return options with which each file is no larger than `options.max_size`.

    Args:
        options: as they were asked for.
        rate: the frame rate that they mean, [frames/s].
        write: writes all files into a folder, and returns the size of the largest, [bytes].

    Raises:
        ExportError: even small pictures take more.
    """
    most = options.max_size or 0
    tried = replace(options, max_size=None, progress=None, resume=False, force=False)
    for _try in range(_TRIES):
        with tempfile.TemporaryDirectory() as folder:
            size = write(tried, Path(folder))
        if size <= most:
            return replace(options, max_size=None, size=tried.size, fps=tried.fps)
        share = _SPARE * most / size
        if rate > _LOW_RATE:
            # Half as many frames are a little more than half of the bytes.
            slower = max(_LOW_RATE, rate * share)
            share = share * rate / slower
            rate = slower
            tried = replace(tried, fps=slower)
        if share < _SPARE:
            edges = [_even(edge * math.sqrt(share)) for edge in tried.pixels]
            if min(edges) < SMALLEST:
                break
            tried = replace(tried, size=(edges[0], edges[1]))
    raise ExportError(
        _(
            "no picture of {edge} pixels or more fits into {most} bytes; allow more, or take "
            "fewer seconds "
            "or a lower fps",
            edge=SMALLEST,
            most=f"{most:,}",
        )
    )


def _even(edge: float) -> int:
    return 2 * math.floor(edge / 2)
