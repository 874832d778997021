"""Turning a quantity: by steps of the keyboard, or to a place on its slider."""

from __future__ import annotations

import math

from juggle_anim.parameters import Choice, Quantity, Row

FINE = 0.1
"""Share of a step that a fine turn makes."""


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
