"""The moments of pictures that are taken on each beat, throw or catch."""

from __future__ import annotations

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind
from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.language import _

MOMENTS = ("beats", "throws", "catches")
"""What pictures can be taken at."""

_KINDS = {"throws": EventKind.THROW, "catches": EventKind.CATCH}
_SAME = 1e-6  # events of several hands at one time are one moment, [s]


def moments(animation: Animation, name: str, first: float, lasts: float) -> Floats:
    """Return the times of all beats, throws or catches in a span, ascending, [s] of the pattern.

    Args:
        animation: what is juggled.
        name: one of `MOMENTS`.
        first: when the span begins, [s].
        lasts: how long it is, [s]; what is at its end belongs to the next.

    Raises:
        ParameterError: there is no such moment, or none in the span.
    """
    if name not in MOMENTS:
        near = did_you_mean(name, MOMENTS)
        raise ParameterError(_("at is {name!r}: {near}", name=name, near=near), "at")
    performance = animation.performance
    if name == "beats":
        period, times = 1 / performance.bps, np.zeros(1)
    else:
        period = performance.duration
        times = performance.events.time[performance.events.kind == _KINDS[name]]
    rounds = np.arange(np.floor(first / period) - 1, np.ceil((first + lasts) / period) + 1)
    every = np.sort((rounds[:, None] * period + times).ravel())
    every = every[(every > first - _SAME) & (every < first + lasts - _SAME)]
    if not len(every):
        raise ParameterError(_("there are no {moments} in these {seconds:.2f} s", moments=name, seconds=lasts))
    found: Floats = every[np.diff(every, prepend=-np.inf) > _SAME]
    return found
