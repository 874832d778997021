"""The draft: what operations of editing take and return."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Score
from juggle_anim.parameters import Parameters


class Draft(NamedTuple):
    """What operations change.

    Attributes:
        score: the pattern, or its events.
        parameters: all adjustable values.
        hand_place: returns where a hand, 2 · juggler + side, is at a time [s] before the change, seen from its body as
            events are, shape (3,), [m]; None where nobody can say.
    """

    score: Score
    parameters: Parameters
    hand_place: Callable[[int, float], Floats] | None = None
