"""Numbers in texts: whole numbers of any length, mixed fractions such as 2⅔, and decimals without
needless digits.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

_GLYPHS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}

NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
"""Numbers that are written out, in order from 0."""


class Digits(NamedTuple):
    """How many decimals numbers are written with.

    Attributes:
        time: of times, [s].
        loop: of the duration of a loop, [s]; a long flight spans many loops.
        place: of positions, [cm].
        angle: of angles, [degrees].
    """

    time: int
    loop: int
    place: int
    angle: int


USUAL = Digits(time=7, loop=9, place=5, angle=7)
"""Decimals for files that all programs read: a tenth of a microsecond, a tenth of a micrometre."""

EXACT = Digits(time=13, loop=14, place=12, angle=12)
"""Decimals where joints are to be the same again: elbows amplify what is rounded, here and there a
million times.
"""


def whole_number(digits: str, limit: int) -> int | None:
    """Return the number that digits stand for; None where it is above the limit.

    Args:
        digits: one or more of 0 to 9.
        limit: the greatest number that is returned.
    """
    significant = digits.lstrip("0") or "0"  # leading zeros do not count
    # By its length first, since Python does not turn thousands of digits into an int.
    if len(significant) > len(str(limit)) or int(significant) > limit:
        return None
    return int(significant)


def mixed_number(number: Fraction) -> str:
    """A number that is not negative, such as 3, 2⅔ or 3 4/11."""
    whole, remainder = divmod(number.numerator, number.denominator)
    if not remainder:
        return str(whole)
    if glyph := _GLYPHS.get((remainder, number.denominator)):
        return f"{whole or ''}{glyph}"
    return f"{whole or ''} {remainder}/{number.denominator}".strip()


def decimals(value: float, digits: int) -> str:
    """A number with at most so many digits after the point, and no zeros at their end."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
