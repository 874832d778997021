"""Results of the optimiser for 40 patterns of the library: the room of props before and after, and
whether hands reach.

    .venv/bin/python -m juggle_anim.measure.optimiser [COUNT]

Ten of each kind (bounces, passing, clubs and moves of hands, balls), or COUNT in all, spread over
the library.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from juggle_anim.animation import animate
from juggle_anim.notation.library import LibraryPattern, library
from juggle_anim.optimiser import Room, optimise

KINDS: dict[str, Callable[[LibraryPattern], bool]] = {
    "bounces": lambda pattern: "B" in pattern.siteswap,
    "passing": lambda pattern: pattern.jugglers > 1,
    "clubs, rings, moves": lambda pattern: bool(pattern.settings),
    "balls": lambda _: True,
}


def main(count: int) -> None:
    """Optimise patterns of the library, and print how much room props have before and after.

    The program stops with an error if a pattern is worse than before. The last line gives the
    median gain of the clearance between props; a pattern without two props that pass each other
    counts as a gain of 0.

    Args:
        count: number of patterns, 1 or more; fewer if kinds have not enough.
    """
    gains = []
    print(f"{'pattern':<30}{'props, cm':>18}{'bodies, cm':>18}{'short, mm':>14}{'s':>7}")
    for pattern in chosen_patterns(count):
        start = time.process_time()
        optimised = optimise(animate(pattern.name))
        before = optimised.before
        after = optimised.after
        if not after.is_no_worse_than(before):
            raise SystemExit(f"{pattern.name} is worse than before")
        gains.append((after.clearance or 0.0) - (before.clearance or 0.0))
        print(
            f"{pattern.name[:29]:<30}{before_and_after(before, after, 'clearance', 100)}"
            f"{before_and_after(before, after, 'body_clearance', 100)}"
            f"{before_and_after(before, after, 'short', 1000, width=6)}"
            f"{time.process_time() - start:7.1f}",
            flush=True,
        )
    print(
        f"{len(gains)} patterns: never worse, in the median {100 * np.median(gains):.1f} cm "
        f"more room"
    )


def chosen_patterns(count: int) -> list[LibraryPattern]:
    """Choose patterns spread evenly over the library, about the same number of each of `KINDS`.

    Prints how many of each kind are chosen, and how many there are. A pattern belongs to the first
    kind of `KINDS` that fits, whether it is chosen or not.

    Args:
        count: number of patterns in all; fewer if kinds have not enough.

    Returns:
        The patterns kind by kind, in the order of the library within each.
    """
    unchosen = list(library())
    sample: list[LibraryPattern] = []
    for kind_index, (kind, belongs) in enumerate(KINDS.items()):
        of_kind = [pattern for pattern in unchosen if belongs(pattern)]
        unchosen = [pattern for pattern in unchosen if not belongs(pattern)]
        # Each of the kinds still to come, this one included, gets an equal part of the number still
        # to choose; so later kinds make up for an earlier one that has too few.
        wanted_count = (count - len(sample)) // (len(KINDS) - kind_index)
        spread = np.linspace(0, len(of_kind) - 1, min(wanted_count, len(of_kind)))
        indices = np.unique(spread.astype(int))
        sample += [of_kind[index] for index in indices]
        print(f"{len(indices)} of {len(of_kind)}: {kind}")
    return sample


def before_and_after(before: Room, after: Room, name: str, scale: float, width: int = 8) -> str:
    """Return a figure before and after an optimisation, as text: "1.2 → 3.4", with – for None.

    Args:
        before, after: measurements of one pattern, before and after.
        name: name of an attribute of `Room`.
        scale: factor from its unit to the printed one, such as 100 from m to cm.
        width: width of each number, in characters.
    """
    figures = [getattr(room, name) for room in (before, after)]
    return " →".join(
        f"{'–' if figure is None else format(scale * figure, '.1f'):>{width}}" for figure in figures
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
