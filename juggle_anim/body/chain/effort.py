"""How hard a solver tries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

AT_REST = 1e-9
"""For `Effort.rest`, of what follows a goal in time: no joint drifts, [rad]."""


@dataclass(frozen=True)
class Effort:
    """How hard to try.

    Args:
        tolerance: a goal that is missed by no more counts as met, [m].
        iterations: steps of one attempt, at most.
        restarts: attempts from elsewhere, at most, where the first one failed.
        rest: with all goals met, go on until no joint moves farther than this in a step, [rad]. What is left free has
            then come as near to the posture as it can, and the answer no longer depends on the way to it.
    """

    tolerance: float = 1e-5
    iterations: int = 60
    restarts: int = 12
    rest: float = np.inf
