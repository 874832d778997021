"""How many steps are kept: as many as a person goes back, unless they are of patterns that would fill the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from juggle_anim.choreography import Score
    from juggle_anim.viewer.undo import Step

MOST = 200
"""Steps that are kept."""

MOST_THROWS = 20_000
"""Throws of all kept patterns together, or events of a file: some 12 MB. The last step stays, whatever it is."""


def latest(steps: list[Step]) -> list[Step]:
    """The last of some steps, as many as are kept; those of one pattern share it."""
    throws, known = 0, set[int]()
    for number, step in enumerate(reversed(steps[-MOST:])):
        if id(step.score) not in known:
            known.add(id(step.score))
            throws += _throws(step.score)
        if throws > MOST_THROWS and number:
            return steps[-number:]
    return steps[-MOST:]


def _throws(score: Score) -> int:
    if score.pattern:
        return len(score.pattern.throws)
    return len(score.placed.events.time) if score.placed else 0
