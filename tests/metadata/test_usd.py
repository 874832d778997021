import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.metadata.documents import unpack_lz4


@pytest.mark.parametrize(
    ("block", "content"),
    [
        (b"\x30abc", b"abc"),
        (
            b"\x31abc\x03\0\x20de",
            b"abcabcabde"[:8] + b"de",
        ),  # three letters, five from three back, two more
        (
            b"\x1fa\x01\0\x01\0",
            b"a" * 21,
        ),  # a length in a byte of its own, and a match longer than its way back
        (b"\xf0\x05" + b"x" * 20, b"x" * 20),
        (b"", None),
    ],
)
def test_a_block_is_unpacked_as_the_format_has_it(block: bytes, content: bytes | None) -> None:
    assert unpack_lz4(block, 100) == content


@pytest.mark.parametrize(
    "block",
    [
        b"\x30ab",  # fewer letters than are told of
        b"\x10a\x02\0",  # a match before the beginning
        b"\x10a\0\0",  # a match of itself
        b"\x10a\x01",  # breaks off in a match
        b"\xf0",  # breaks off in a length
    ],
)
def test_a_block_that_breaks_the_rules_is_none(block: bytes) -> None:
    assert unpack_lz4(block, 100) is None


def test_no_more_is_unpacked_than_is_asked_for() -> None:
    bomb = b"\x1fa\x01\0" + b"\xff" * 1000 + b"\0\0"
    assert unpack_lz4(bomb, 1000) is None
    assert unpack_lz4(b"\x30abc", 2) is None


@given(block=st.binary(max_size=200))
def test_whatever_a_block_is_its_content_is_no_larger_than_asked_for(block: bytes) -> None:
    assert len(unpack_lz4(block, 50) or b"") <= 50
