"""The long run: `python tests/long/kill_run.py` stops each kind of export 20 times at random
moments and resumes it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from kills import KINDS, WAYS, can_mount, stop_and_resume, undisturbed


def main() -> int:
    """Stop exports; how many of them went wrong."""
    options = _options()
    begun, failed = time.monotonic(), 0
    print(
        "a full disk is", "a small file system" if can_mount() else "a limit on the size of files"
    )
    for kind in options.kinds or KINDS:
        failed += _of_kind(kind, options.count, options.seed)
    print(
        f"{options.count} kills of each kind in {time.monotonic() - begun:.0f} s, {failed} went "
        f"wrong"
    )
    return min(failed, 1)


def _of_kind(kind: str, count: int, seed: int) -> int:
    said: Counter[str] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = undisturbed(kind, Path(folder, "whole"))
        for number in range(count):
            rng = Random(f"{seed} {kind} {number}")
            try:
                said[
                    stop_and_resume(whole, WAYS[number % len(WAYS)], rng, Path(folder, str(number)))
                ] += 1
            except AssertionError:
                failed += 1
                print(f"FAILED {kind}, number {number} of seed {seed}", flush=True)
                traceback.print_exc()
    print(f"{kind}: {count - failed} of {count} good", flush=True)
    for each, times in sorted(said.items()):
        print(f"  {times} × {each}")
    return failed


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("count", type=int, nargs="?", default=20, help="kills of each kind")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--kinds", nargs="*", choices=list(KINDS), help="by default all")
    return options.parse_args()


if __name__ == "__main__":
    sys.exit(main())
