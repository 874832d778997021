"""What a solver says of its work: the angles it found, and for each target how near it came and at what cost."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.arrays import Booleans, Floats, Integers


@dataclass(frozen=True)
class Trace:
    """How it went: angles (K + 1, B, n), [rad], and errors (K + 1, B, goals), [m], at the start and after each step."""

    angles: Floats
    errors: Floats


@dataclass(frozen=True)
class Outcome:
    """What came out for B targets.

    Args:
        angles: shape (B, n), [rad], all within the limits.
        errors: shape (B, goals), by which each frame misses its goal, [m]; an orientation's counts times its lever.
        converged: shape (B,), whether no goal is missed by more than the tolerance.
        iterations: shape (B,), steps that were tried, those of restarts included.
        restarts: shape (B,), how often it began anew.
        trace: how the first attempt went, if that was asked for.
    """

    angles: Floats
    errors: Floats
    converged: Booleans
    iterations: Integers
    restarts: Integers
    trace: Trace | None = None
