"""Broken numbers as people write them."""

from fractions import Fraction


def mixed_number(number: Fraction) -> str:
    """A number that is not negative, such as 3, 2⅔ or 3 4/11."""
    whole, rest = divmod(number.numerator, number.denominator)
    if not rest:
        return str(whole)
    if glyph := _GLYPHS.get((rest, number.denominator)):
        return f"{whole or ''}{glyph}"
    return f"{whole or ''} {rest}/{number.denominator}".strip()


_GLYPHS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}
