"""Large arrays: given back to the system as soon as they are done with, so that a window can stay open for days."""

from __future__ import annotations

import ctypes
import sys

_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # of mallopt, see malloc.h of the GNU C library
_LARGE, _FREE = 256 << 10, 1 << 20  # bytes


def give_back_large_arrays() -> None:
    """Have what is large lie apart from the heap, where the C library is GNU's; others do what they do.

    That library puts ever larger arrays into the heap once some have been given back, up to 32 MB. Between them lies
    what stays, and the holes add up: in half an hour of random use, with crowds that come and go, to 40 MB.
    """
    if not sys.platform.startswith("linux"):
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_TRIM_THRESHOLD, _FREE)
