"""Walks through the state graph, of siteswaps and of all vanilla ones."""

from __future__ import annotations

from itertools import product

from juggle_anim.notation import read_siteswap
from juggle_anim.pattern.cycle import Cycle, state_cycle


def cycle(text: str) -> Cycle:
    return state_cycle(read_siteswap(text))


def vanilla(props: int, highest: int, period: int) -> list[str]:
    """All vanilla siteswaps, one of the rotations of each, by trying all throws."""
    found = set()
    for throws in product(range(highest + 1), repeat=period):
        landings = {(beat + throw) % period for beat, throw in enumerate(throws)}
        rotations = [throws[first:] + throws[:first] for first in range(period)]
        if (
            sum(throws) == props * period
            and len(landings) == period
            and len(set(rotations)) == period
        ):
            found.add(max(rotations))
    return ["".join(f"{{{throw}}}" for throw in throws) for throws in sorted(found)]
