"""Whatever is typed, or stands in a file, is read or refused with a clear error, soon and in little
memory.

The same on many more inputs is `make fuzz`.
"""

from contextlib import nullcontext
from random import Random

import pytest
from fuzz_inputs import KINDS
from fuzz_targets import MOST_MEMORY, TARGETS, memory, try_out
from hypothesis import given
from hypothesis import strategies as st
from work import ONE_SECOND, at_most

_INPUTS = 20  # of each kind
_COUNTED = 5  # how many of them are read with their work counted


@pytest.mark.parametrize("kind", KINDS)
def test_random_inputs_are_read_or_refused_with_little_work(kind: str) -> None:
    least = memory()
    read = 0
    for number in range(_INPUTS):
        # To count takes longer than to read; by the last ones all modules are there.
        counted = number >= _INPUTS - _COUNTED
        with at_most(3 * ONE_SECOND) if counted else nullcontext():
            read += try_out(kind, Random(f"{kind} {number}")).read > 0
    assert 0 < read < _INPUTS, "both ways are gone"
    assert memory() - least < MOST_MEMORY


@given(
    st.text(max_size=60),
    st.sampled_from(
        ["siteswap", "prechac", "settings", "name", "jml", "jif", "joepass", "text_list"]
    ),
)
def test_any_text_is_read_or_refused(text: str, kind: str) -> None:
    TARGETS[kind](text)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    TARGETS["file"](data)
