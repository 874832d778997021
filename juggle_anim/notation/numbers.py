"""Numbers in texts: whole numbers of any length, mixed fractions such as 2⅔, and decimals without needless digits."""

from __future__ import annotations

from fractions import Fraction

_GLYPHS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}

TIME_DIGITS = 7
"""Decimals of times, [s]: a tenth of a microsecond."""

LOOP_DIGITS = 9
"""Decimals of the duration of a loop, [s]: a long flight spans many loops."""

PLACE_DIGITS = 5
"""Decimals of positions, [cm]: a tenth of a micrometre."""

ANGLE_DIGITS = 7
"""Decimals of angles, [degrees]: a thousandth of a micrometre at arm's length."""


def whole_number(digits: str, limit: int) -> int | None:
    """The number that digits stand for; None where it is greater than it may be.

    Args:
        digits: one or more of 0 to 9.
        most: the greatest that it may be.
    """
    significant = digits.lstrip("0") or "0"
    # By its length first, since Python does not turn thousands of digits into an int.
    if len(significant) > len(str(limit)) or int(significant) > limit:
        return None
    return int(significant)


def mixed_number(number: Fraction) -> str:
    """A number that is not negative, such as 3, 2⅔ or 3 4/11."""
    whole, rest = divmod(number.numerator, number.denominator)
    if not rest:
        return str(whole)
    if glyph := _GLYPHS.get((rest, number.denominator)):
        return f"{whole or ''}{glyph}"
    return f"{whole or ''} {rest}/{number.denominator}".strip()


def decimals(value: float, digits: int) -> str:
    """A number with at most so many digits after the point, and no zeros at their end."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
