"""Catches as text: `claw`; `claw,palm` in turn; `palm|claw` by the left and by the right hand."""

from __future__ import annotations

from juggle_anim.choreography.staging import Catches
from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_CATCHES
from juggle_anim.suggestion import did_you_mean
from juggle_anim.text_settings import GRASP_WORDS


def read_catches(text: str) -> Catches:
    """Which way up left and right hands catch.

    Args:
        text: words of `GRASP_WORDS` after commas, which the catches of each hand take in turn; a `|` stands between
            those of left and of right hands.

    Raises:
        NotationError: it is nothing of that.
    """
    sides, at = [], 0
    for number, side in enumerate(text.split("|")):
        if number == 2:
            raise NotationError(text, at - 1, "there are two hands, so there is one |", "left and right as palm|claw")
        sides.append(_words(text, at, side))
        at += len(side) + 1
    return sides[0], sides[-1]


def write_catches(catches: Catches) -> str:
    """The text that `read_catches` reads as these."""
    left, right = (",".join(words) for words in catches)
    return left if left == right else f"{left}|{right}"


def _words(text: str, start: int, side: str) -> tuple[str, ...]:
    """The words of one side, no longer than they have to be."""
    words: list[str] = []
    at = start
    for part in side.split(","):
        if len(words) == MAX_CATCHES:
            raise NotationError(text, at - 1, f"these are more than {MAX_CATCHES} catches", "fewer of them")
        words.append(_word(text, at, part))
        at += len(part) + 1
    return (words[0],) if len(set(words)) == 1 else tuple(words)


def _word(text: str, start: int, part: str) -> str:
    word = part.strip().casefold()
    if word in GRASP_WORDS:
        return word
    index = start + len(part) - len(part.lstrip())
    reason = f"there is no catch called {part.strip()[:30]}" if word else "no catch is named"
    raise NotationError(text, index, reason, did_you_mean(word, GRASP_WORDS))
