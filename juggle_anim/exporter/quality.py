"""Quality: one word for what each format has numbers for."""

from __future__ import annotations

from enum import StrEnum

from juggle_anim.errors import ParameterError
from juggle_anim.printable import printable
from juggle_anim.suggestion import did_you_mean


class Quality(StrEnum):
    """How much is lost where a format loses anything, and how much time is taken to lose little."""

    DRAFT = "draft"
    GOOD = "good"
    BEST = "best"


def read_quality(text: str) -> Quality:
    """A quality from its word.

    Raises:
        ParameterError: it is none.
    """
    word = text.strip().casefold()
    if word not in list(Quality):
        raise ParameterError(f"there is no quality {printable(text, 40)!r}: {did_you_mean(word, list(Quality))}")
    return Quality(word)
