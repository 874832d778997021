"""How much work something is, which is the same on every machine and however busy that is: calls,
counted.
"""

import contextlib
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

ONE_SECOND = 3_000_000
"""About what a quick machine does in a second where nobody counts."""

LITTLE = ONE_SECOND // 10
"""For what is a tenth as long as what people may write."""


class TooMuchWorkError(AssertionError):
    """More calls than were allowed."""


@contextlib.contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Whatever is done within may call so many functions, in Python or in C; one more and it is
    broken off.
    """
    left = calls

    def count(frame: FrameType, event: str, _: Any) -> None:
        nonlocal left
        if event in ("call", "c_call"):
            left -= 1
            if left < 0:
                raise TooMuchWorkError(f"more than {calls} calls, in {frame.f_code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
