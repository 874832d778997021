"""The fit of a tape: how large it is drawn in the room there is, so that it stays legible."""

from __future__ import annotations

from dataclasses import dataclass

from juggle_anim.diagrams.nodes import HEIGHT
from juggle_anim.viewer.tape import Tape

USUAL, LEAST = 3.7, 3.1
"""How large a millimetre of nodes and words is drawn, and at least, at scale 1, [pixels]."""

ABOVE, BELOW = 1.4, 5.0
"""Room above the rows, and for the numbers of beats below them, [mm]."""

_FLATTEST = 1.6  # pixels of a millimetre across, at least, at scale 1


@dataclass(frozen=True)
class Fit:
    """How large a tape is drawn.

    Args:
        along, across: pixels of a millimetre along time and across it.
        unit: pixels of a millimetre of nodes, words and thicknesses.
        loops: how many loops there is room for: a whole number, or less than 1.
        deep: how much of it there is across, [pixels].
    """

    along: float
    across: float
    unit: float
    loops: float
    deep: float

    @classmethod
    def of(cls, tape: Tape, width: float, height: float, scale: float) -> Fit:
        """That for some room, [pixels].

        Args:
            tape: to be drawn.
            width, height: of the room, [pixels].
            scale: of everything.
        """
        usual, least = USUAL * scale, LEAST * scale
        loops = max(round(width / (tape.length * usual)), 1)
        while loops > 1 and width / (tape.length * loops) < least:
            loops -= 1
        along = width / (tape.length * loops)
        if along < least:
            along = usual
        narrow = tape.narrowest
        flattest = max(_FLATTEST * scale, least * 1.05 * HEIGHT / narrow)
        across = min(max((height - (ABOVE + BELOW) * usual) / tape.depth, flattest), usual)
        unit = min(max(across * narrow / (1.05 * HEIGHT), least), usual, max(along, least))
        return cls(along, across, unit, width / (tape.length * along), across * tape.depth + (ABOVE + BELOW) * unit)

    def y_of(self, tape: Tape, across: float) -> float:
        """Where a place across the tape [mm] is drawn, from its upper edge, [pixels]."""
        return self.across * min(across, tape.depth) + self.unit * (ABOVE + max(across - tape.depth, 0.0))


def wanted_height(tape: Tape) -> float:
    """How much room a tape would like across, at scale 1, [pixels]."""
    return USUAL * (ABOVE + tape.depth + BELOW)
