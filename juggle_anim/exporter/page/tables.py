"""Tables of numbers in a web page, two bytes each."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from juggle_anim.arrays import Floats

LEAST_ROWS = 8
"""A loop has at least so many rows."""

_MAX_16_BIT = 65_535

# Columns that change by less count as constant.
_CONSTANT_BELOW = 1e-9


def packed(table: Floats) -> dict[str, Any]:
    """A table as JSON values with 16 bits a number; each is exact to 1/131,070 of its column's range.

    Args:
        table: shape (N, C).

    Returns:
        The number of `rows`; for each column the value of 0 (`low`) and of a unit (`step`, 0 where the column is
        constant); and in `data` all other columns, one after the other, as little-endian 16-bit integers in base64.
    """
    low, high = table.min(axis=0), table.max(axis=0)
    varies = high - low > _CONSTANT_BELOW
    step = np.where(varies, (high - low) / _MAX_16_BIT, 0.0)
    numbers = np.rint((table[:, varies] - low[varies]) / step[varies]).astype("<u2")
    data = base64.b64encode(np.ascontiguousarray(numbers.T).tobytes()).decode("ascii")
    return {"rows": len(table), "low": low.tolist(), "step": step.tolist(), "data": data}
