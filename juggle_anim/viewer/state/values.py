"""How a quantity's value is written for a reader, and read back from what is typed.

MERGED: Turning a quantity: by steps of the keyboard, or to a place on its slider.
"""

from __future__ import annotations

import math

from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.parameters import Choice, Quantity, Row

AUTOMATIC = "auto"
"""What to type, and what is shown, where a value follows from the pattern."""

_CLOSE = ("°", "%", "×")  # units that stand next to their number

FINE = 0.1
"""Share of a step that a fine turn makes."""


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


def place_of(row: Row, value: float | str) -> float:
    """Where a value is among those of its slider: itself, or the number of the option from 0, -1 for another word."""
    if isinstance(row, Choice):
        return row.options.index(str(value)) if value in row.options else -1
    return float(value)


def value_of(row: Row, place: float) -> float | str:
    """The value at a place, the other way round."""
    return row.options[round(place)] if isinstance(row, Choice) else place


def turned(row: Row, value: float | str, steps: float) -> float | str:
    """The value some steps on, within the slider; a value typed beyond it may only come back.

    Args:
        row: of the table.
        value: the present one, in its unit.
        steps: how many, whole or `FINE`, negative for down.
    """
    if isinstance(row, Choice):
        steps = math.copysign(math.ceil(abs(steps)), steps)
        return value_of(row, min(max(place_of(row, value) + steps, 0.0), row.slider[1]))
    return _turned(row, float(value), steps)


def _turned(quantity: Quantity, value: float, steps: float) -> float:
    low, high = min(quantity.slider[0], value), max(quantity.slider[1], value)
    return _rounded(quantity, min(max(value + steps * quantity.step, low), high))


def fraction(row: Row, value: float | str) -> float:
    """Where a value stands on the slider, 0 to 1; an option in the middle of its share."""
    if isinstance(row, Choice):
        return (place_of(row, value) + 0.5) / len(row.options)
    low, high = row.slider
    return min(max((place_of(row, value) - low) / (high - low), 0.0), 1.0)


def value_at(row: Row, place: float, fine: bool = False) -> float | str:
    """The value at a place on the slider, 0 to 1, on a whole step or, if fine, on a tenth of one."""
    place = min(max(place, 0.0), 1.0)
    if isinstance(row, Choice):
        return row.options[min(int(place * len(row.options)), len(row.options) - 1)]
    low, high = row.slider
    value = low + place * (high - low)
    step = row.step * (FINE if fine else 1.0)
    return _rounded(row, min(max(round(value / step) * step, low), high))


def _rounded(quantity: Quantity, value: float) -> float:
    # The sum of many tenths would otherwise show: 0.30000000000000004.
    return round(value, quantity.decimals) + 0.0
