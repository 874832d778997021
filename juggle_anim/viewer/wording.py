"""How a quantity's value is written for a reader, and read back from what is typed."""

from __future__ import annotations

from juggle_anim.errors import ParameterError
from juggle_anim.parameters import Quantity

AUTOMATIC = "auto"
"""What to type, and what is shown, where a value follows from the pattern."""

_CLOSE = ("°", "%", "×")  # units that stand next to their number


def written(quantity: Quantity, value: float) -> str:
    """A value with its unit, no longer than needed: `30°`, `2.85 beats/s`."""
    number = plain(quantity, value).replace("-", "−")
    return number + quantity.unit if quantity.unit in _CLOSE else f"{number} {quantity.unit}"


def plain(quantity: Quantity, value: float) -> str:
    """A value as one would type it: `-12.5`."""
    text = f"{value:.{quantity.decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def read(quantity: Quantity, text: str) -> float | None:
    """The value that was typed, its unit with it or not; None where it is to follow from the pattern.

    Raises:
        ParameterError: the text is no number, or outside the accepted range.
    """
    typed = text.strip().removesuffix(quantity.unit).strip().replace("−", "-").replace(",", ".")
    if quantity.default is None and typed.lower() in ("", AUTOMATIC):
        return None
    accepted = f"{written(quantity, quantity.low)} to {written(quantity, quantity.high)}"
    if quantity.default is None:
        accepted += f", or {AUTOMATIC}"
    try:
        value = float(typed)
    except ValueError:
        raise ParameterError(f"“{text.strip()}” is no number; type {accepted}") from None
    if not quantity.low <= value <= quantity.high:
        raise ParameterError(f"{plain(quantity, value)} is out of range; type {accepted}")
    return value
