"""How a quantity's value is written for a reader, and read back from what is typed."""

from __future__ import annotations

from juggle_anim.errors import ParameterError
from juggle_anim.parameters import Choice, Quantity, Row
from juggle_anim.suggestion import did_you_mean

AUTOMATIC = "auto"
"""What to type, and what is shown, where a value follows from the pattern."""

_CLOSE = ("°", "%", "×")  # units that stand next to their number


def written(row: Row, value: float | str) -> str:
    """A value with its unit, no longer than needed: `30°`, `2.85 beats/s`."""
    if isinstance(row, Choice):
        return str(value)
    number = plain(row, value).replace("-", "−")
    return number + row.unit if row.unit in _CLOSE else f"{number} {row.unit}"


def plain(row: Row, value: float | str) -> str:
    """A value as one would type it: `-12.5`."""
    if isinstance(row, Choice):
        return str(value)
    text = f"{float(value):.{row.decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def read(row: Row, text: str) -> float | str | None:
    """The value that was typed, its unit with it or not; None where it is to follow from the pattern.

    Raises:
        ParameterError: the text is no number, or outside the accepted range, or none of the words.
    """
    return _read_word(row, text.strip().casefold()) if isinstance(row, Choice) else _read_number(row, text)


def _read_word(choice: Choice, typed: str) -> str:
    begun = [option for option in choice.options if typed and option.startswith(typed)]
    if typed in choice.options or len(begun) == 1:
        return typed if typed in choice.options else begun[0]
    raise ParameterError(f"“{typed}” is none of the words: {did_you_mean(typed, choice.options)}")


def _read_number(quantity: Quantity, text: str) -> float | None:
    typed = text.strip().removesuffix(quantity.unit).strip().replace("−", "-").replace(",", ".")
    if quantity.default is None and typed.lower() in ("", AUTOMATIC):
        return None
    accepted = f"{written(quantity, quantity.low)} to {written(quantity, quantity.high)}"
    if quantity.default is None:
        accepted += f", or {AUTOMATIC}"
    try:
        value = float(typed if "_" not in typed else "")
    except ValueError:
        raise ParameterError(f"“{text.strip()}” is no number; type {accepted}") from None
    if not quantity.low <= value <= quantity.high:
        raise ParameterError(f"{plain(quantity, value)} is out of range; type {accepted}")
    return value
