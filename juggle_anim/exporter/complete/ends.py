"""Files whose last bytes stand nowhere else in them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import BinaryIO

_LONGEST = 64


def ends_with(mark: bytes) -> Callable[[BinaryIO], bool]:
    """What tells whether a file ends with a mark, a regular expression for at most 64 bytes."""
    last = re.compile(rb"(?:%s)\Z" % mark)

    def ends(file: BinaryIO) -> bool:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _LONGEST))
        return last.search(file.read()) is not None

    return ends
