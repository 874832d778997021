"""The long run: `make fuzz INPUTS=1000000` tries so many inputs of all kinds and says what came of
it.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from random import Random
from types import FrameType

from fuzz_inputs import KINDS
from fuzz_targets import MOST_MEMORY, Tried, memory, try_out

_LONGEST = 1.0
"""What reading may take of the processor, [s]."""

_HOPELESS = 20.0
"""After so long an input is given up, [s]."""

_MOST_TOLD = 20


def main() -> int:
    """Try out inputs; how many kinds of failures there are."""
    options = _options()
    # Numbers that overflow or are none are mistakes, too.
    warnings.simplefilter("error")
    signal.signal(signal.SIGVTALRM, _give_up)
    counts: Counter[str] = Counter()
    read: Counter[str] = Counter()
    slowest: dict[str, tuple[float, str]] = {}
    failed: set[str] = set()
    begun, least = time.monotonic(), 0
    for number in range(options.count):
        kind = options.kinds[number % len(options.kinds)]
        tried = _try(kind, Random(f"{options.seed} {number}"), failed)
        counts[kind] += 1
        read[kind] += tried.read > 0
        slowest[kind] = max(slowest.get(kind, (0.0, "")), (tried.took, repr(tried.made)[:200]))
        least = least or (memory() if number >= 1_000 else 0)
    for kind, (took, made) in slowest.items():
        print(
            f"{kind}: {counts[kind]} inputs, {read[kind]} of them read, the slowest in {took:.3f} "
            f"s: {made}"
        )
    grown = memory() - least
    print(
        f"{options.count} inputs in {time.monotonic() - begun:.0f} s, {len(failed)} kinds of "
        f"failures,",
        end=" ",
    )
    print(f"at most {memory() / 1e6:.0f} MB held, {grown / 1e6:.0f} MB more than at first")
    return len(failed) + (grown > MOST_MEMORY)


def _try(kind: str, rng: Random, failed: set[str]) -> Tried:
    signal.setitimer(signal.ITIMER_VIRTUAL, _HOPELESS)
    try:
        tried = try_out(kind, rng)
        assert tried.took < _LONGEST, f"{kind} took {tried.took:.2f} s: {tried.made!r}"
        return tried
    except AssertionError as error:
        where = _where(error)
        if where not in failed and len(failed) < _MOST_TOLD:
            print(f"FAILED {where}\n  {str(error)[:2_000]}", flush=True)
            traceback.print_exception(error.__cause__, limit=-4)
        failed.add(where)
        return Tried("", 0, 0.0)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _where(error: BaseException) -> str:
    """The place in the code, and what kind of failure it is, so that each is told once."""
    cause = error.__cause__ or error
    (frame,) = traceback.extract_tb(cause.__traceback__)[-1:]
    return f"{type(cause).__name__} {str(cause)[:30]!r} in {frame.filename}:{frame.lineno}"


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"given up after {_HOPELESS} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--seed", default="0", help="other seeds give other inputs")
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
