"""The size of a picture, as it is typed."""

from __future__ import annotations

import re

from juggle_anim.errors import ParameterError


def picture_size(text: str) -> tuple[int, int]:
    """Width and height [pixels] from a text such as 1280x720."""
    edges = re.fullmatch(r"([0-9]{1,9}) *[x×] *([0-9]{1,9})", text.strip().lower())
    if not edges:
        raise ParameterError(f"--size is {text!r}, but must be width x height in pixels, as 1280x720")
    return int(edges[1]), int(edges[2])
