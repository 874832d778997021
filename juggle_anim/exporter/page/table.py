"""Tables of numbers in few letters: two bytes for each, which a page unpacks."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from juggle_anim.arrays import Floats

_FINEST = 65_535
# Columns that change by less stay as they begin.
_STILL = 1e-9


def packed(table: Floats) -> dict[str, Any]:
    """A table as JSON can hold it; each number is exact to 1/131,070 of what its column spans.

    Args:
        table: shape (N, C).

    Returns:
        How many `rows`; for each column the number that 0 stands for (`low`) and that one more adds (`step`, 0 where
        the column never changes); and in `data` all columns that change, one after the other, as whole numbers of 16
        bits with the low byte first, in base64.
    """
    low, high = table.min(axis=0), table.max(axis=0)
    varies = high - low > _STILL
    step = np.where(varies, (high - low) / _FINEST, 0.0)
    numbers = np.rint((table[:, varies] - low[varies]) / step[varies]).astype("<u2")
    data = base64.b64encode(np.ascontiguousarray(numbers.T).tobytes()).decode("ascii")
    return {"rows": len(table), "low": low.tolist(), "step": step.tolist(), "data": data}
