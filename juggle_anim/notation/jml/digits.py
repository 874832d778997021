"""Numbers as JML writes them: as many digits as matter."""

from __future__ import annotations

TIME_DIGITS = 7
"""Of a second: a tenth of a microsecond."""

LOOP_DIGITS = 9
"""Of a second; a long flight goes through many loops, so their duration is written more exactly."""

PLACE_DIGITS = 5
"""Of a centimetre: a tenth of a micrometre."""

ANGLE_DIGITS = 7
"""Of a degree: at arm's length a thousandth of a micrometre."""


def written(value: float, digits: int) -> str:
    """A number with at most so many digits after the point."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
