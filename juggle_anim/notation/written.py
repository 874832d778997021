"""What writing gives: a text, and what it could not hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Written:
    """A text in some format.

    Args:
        text: the whole of it.
        left_out: what the format cannot hold, a sentence for each.
    """

    text: str
    left_out: tuple[str, ...] = ()
