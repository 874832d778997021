"""Texts in which a § marks where the caret of an error is to stand."""

from collections.abc import Callable

import pytest

from juggle_anim.errors import NotationError


def unmarked(marked: str) -> tuple[str, int]:
    """The text without its mark, and the index that it marked."""
    return marked.replace("§", ""), marked.index("§")


def assert_refused(read: Callable[[str], object], marked: str, words: str) -> None:
    """That reading a text is refused with some words, a pattern of `re`, and the caret under the
    mark.
    """
    text, index = unmarked(marked)
    with pytest.raises(NotationError, match=words) as caught:
        read(text)
    assert (caught.value.text, caught.value.index) == (text, index)
