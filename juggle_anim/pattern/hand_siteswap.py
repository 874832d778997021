"""What a hand siteswap was written as."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HandSiteswap:
    """How the hands of a pattern take turns, where a siteswap of their own says so; each text as it was typed.

    Args:
        text: the siteswap of the hands.
        handspec: whose hands they are; None where the usual rule decides.
        hold: whether an object throw that is as long as its hand's own throw is held.
        dwellmax: whether props stay in the hand as long as they can, not for the dwell that is asked for.
    """

    text: str
    handspec: str | None = None
    hold: bool = False
    dwellmax: bool = True
