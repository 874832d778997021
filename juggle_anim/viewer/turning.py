"""Turning a quantity: by steps of the keyboard, or to a place on its slider."""

from __future__ import annotations

from juggle_anim.parameters import Quantity

FINE = 0.1
"""Share of a step that a fine turn makes."""


def turned(quantity: Quantity, value: float, steps: float) -> float:
    """The value some steps on, within the slider; a value typed beyond it may only come back.

    Args:
        quantity: the row of the table.
        value: the present one, in its unit.
        steps: how many, whole or `FINE`, negative for down.
    """
    low, high = min(quantity.slider[0], value), max(quantity.slider[1], value)
    return _rounded(quantity, min(max(value + steps * quantity.step, low), high))


def fraction(quantity: Quantity, value: float) -> float:
    """Where a value stands on the slider, 0 to 1."""
    low, high = quantity.slider
    return min(max((value - low) / (high - low), 0.0), 1.0)


def value_at(quantity: Quantity, place: float, fine: bool = False) -> float:
    """The value at a place on the slider, 0 to 1, on a whole step or, if fine, on a tenth of one."""
    low, high = quantity.slider
    step = quantity.step * (FINE if fine else 1.0)
    value = low + min(max(place, 0.0), 1.0) * (high - low)
    return _rounded(quantity, min(max(round(value / step) * step, low), high))


def _rounded(quantity: Quantity, value: float) -> float:
    # The sum of many tenths would otherwise show: 0.30000000000000004.
    return round(value, quantity.decimals) + 0.0
