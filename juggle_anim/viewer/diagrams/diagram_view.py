"""How a diagram fits into its card, and which part of it is in view."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, floor

from juggle_anim.diagrams.drawing import NODE_HEIGHT
from juggle_anim.viewer.diagrams.loop_diagram import LoopDiagram

_MIN_ACROSS = 1.6  # pixels; least size of a millimetre across time, at scale 1
_PRESENT_AT = 1 / 3  # of the width; where the present is shown if the loop does not fit
_EASE = 4.0  # 1/s; how fast the view scrolls there

DEFAULT_SCALE = 3.7
MIN_SCALE = 3.1
"""Default and least size of a millimetre of nodes and text, at scale 1, [pixels]."""

MARGIN_ABOVE = 1.4
MARGIN_BELOW = 5.0
"""Margins above the rows and, with room for the numbers of beats, below them, [mm]."""


@dataclass(frozen=True)
class DiagramFit:
    """The scale at which a diagram is drawn.

    Args:
        along, across: size of a millimetre along x and y, [pixels].
        unit: size of a millimetre of nodes, text and line widths, [pixels].
        loops: how many loops fit: a whole number, or less than 1.
        height: of the whole diagram, [pixels].
    """

    along: float
    across: float
    unit: float
    loops: float
    height: float

    @classmethod
    def of(cls, diagram: LoopDiagram, width: float, height: float, scale: float) -> DiagramFit:
        """Return the scale at which a diagram fits into an area.

        Args:
            diagram: to draw.
            width, height: of the area, [pixels].
            scale: of the user interface.
        """
        usual = DEFAULT_SCALE * scale
        least = MIN_SCALE * scale
        loops = max(round(width / (diagram.length * usual)), 1)
        while loops > 1 and width / (diagram.length * loops) < least:
            loops -= 1
        along = width / (diagram.length * loops)
        if along < least:
            along = usual
        narrow = diagram.min_spacing
        least_across = max(_MIN_ACROSS * scale, least * 1.05 * NODE_HEIGHT / narrow)
        across = min(
            max((height - (MARGIN_ABOVE + MARGIN_BELOW) * usual) / diagram.depth, least_across),
            usual,
        )
        unit = min(max(across * narrow / (1.05 * NODE_HEIGHT), least), usual, max(along, least))
        return cls(
            along,
            across,
            unit,
            width / (diagram.length * along),
            across * diagram.depth + (MARGIN_ABOVE + MARGIN_BELOW) * unit,
        )

    def y_of(self, diagram: LoopDiagram, across: float) -> float:
        """Return the distance from the upper edge, [pixels], at which a y in the diagram, [mm], is
        drawn.
        """
        return self.across * min(across, diagram.depth) + self.unit * (
            MARGIN_ABOVE + max(across - diagram.depth, 0.0)
        )


def preferred_height(diagram: LoopDiagram) -> float:
    """Return the height at which a diagram has its default size, at scale 1, [pixels]."""
    return DEFAULT_SCALE * (MARGIN_ABOVE + diagram.depth + MARGIN_BELOW)


class DiagramView:
    """The visible part of a diagram: its scroll positions."""

    def __init__(self) -> None:
        self.start = 0.0
        """The time at the left edge, [loops]."""
        self.scrolled = 0.0
        """The height that is scrolled off above, [pixels]."""
        self._followed: int | None = None

    def follow(self, now: float, fit: DiagramFit, elapsed: float, still: bool) -> None:
        """Scroll so that the present is visible.

        Args:
            now: the present, [loops].
            fit: the scale.
            elapsed: since the last call, [s].
            still: whether to scroll only if the present is outside, as while the mouse is held or
                time is paused.
        """
        if fit.loops > 1 - 1e-6:
            pages = round(fit.loops)
            if not (
                still and self.start <= now <= self.start + pages and (self.start % pages) == 0
            ):
                self.start = float(floor(now / pages) * pages)
            return
        ahead = now - self.start
        if not 0 <= ahead <= fit.loops:
            ahead = _PRESENT_AT * fit.loops
        elif not still:
            ahead += (_PRESENT_AT * fit.loops - ahead) * (1 - exp(-_EASE * elapsed))
        self.start = now - ahead

    def center_on(self, juggler: int | None, middle: float, fit: DiagramFit, height: float) -> None:
        """Scroll the lines of a juggler to the middle when the camera begins to follow that
        juggler.

        Args:
            juggler: whom the camera follows; None for all.
            middle: of the juggler's lines, from the upper edge of the diagram, [pixels].
            fit: the scale.
            height: of the visible area, [pixels].
        """
        if juggler != self._followed and juggler is not None:
            self.scroll(middle - height / 2 - self.scrolled, fit, height)
        self._followed = juggler

    def scroll(self, pixels: float, fit: DiagramFit, height: float) -> None:
        """Scroll vertically, within the diagram."""
        self.scrolled = min(max(self.scrolled + pixels, 0.0), max(fit.height - height, 0.0))
