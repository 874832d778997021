"""The long run: `python tests/long/soak_run.py` uses the viewer at random for half an hour and
tells how it bore it.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from soak import MOST_GROWTH, soak

_SETTLED = 300.0  # s after which memory may grow no more


def main() -> int:
    """Soak; 1 where anything went wrong."""
    options = _options()
    seconds = options.minutes * 60
    soaked = soak(options.seed, seconds, min(60.0, seconds / 3), _tell)
    soaked.judge(min(_SETTLED, seconds / 2), MOST_GROWTH)
    print("inputs:", ", ".join(f"{count} {kind}" for kind, count in sorted(soaked.made.items())))
    for fault in soaked.faults:
        print(f"FAILED {fault}")
    print(
        f"seed {options.seed}: "
        f"{'all is well' if not soaked.faults else f'{len(soaked.faults)} faults'}"
    )
    return min(len(soaked.faults), 1)


def _tell(rest: dict[str, Any]) -> None:
    print(
        f"{rest['seconds'] / 60:5.1f} min: {rest['inputs']:6} inputs, {rest['frames']:6} frames, "
        f"{rest['memory']:6.1f} MB of {rest['whole']:.0f} MB, {rest['beside']:.1f} MB beside, "
        f"{rest['files']} files, "
        f"{rest['threads']} threads, {rest['objects']} objects, {rest['changes']} live changes",
        flush=True,
    )


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("minutes", type=float, nargs="?", default=30.0)
    options.add_argument("--seed", default="0", help="other seeds give other inputs")
    return options.parse_args()


if __name__ == "__main__":
    sys.exit(main())
