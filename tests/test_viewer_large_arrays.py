"""Large arrays are given back, in the viewer's process."""

import ctypes
import subprocess
import sys

import pytest

SCRIPT = """
import numpy as np
from juggle_anim.viewer.window_open import release_large_arrays

def held():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

give_back_large_arrays()
del (larger := [np.ones(2_000_000)])[:]  # from then on the C library itself would put as much into the heap
before, come, stay = held(), [], []
for _ in range(40):
    come.append(np.ones(500_000))
    stay.append(bytearray(100_000))
del come[:]
print(held() - before)
"""


@pytest.mark.skipif(
    not (sys.platform.startswith("linux") and hasattr(ctypes.CDLL(None), "gnu_get_libc_version")),
    reason="other C libraries keep large arrays apart of themselves",
)
def test_of_large_arrays_among_small_ones_nothing_is_held_once_they_are_gone() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20_000_000, "160 MB came and went, 4 MB stay"
