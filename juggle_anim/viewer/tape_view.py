"""The view of a tape: which part of it is seen while time runs along."""

from __future__ import annotations

from math import exp, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from juggle_anim.viewer.tape_fit import Fit

_WHERE = 1 / 3  # of the room, where the present stands in a loop that has no room
_EASE = 4.0  # 1/s; how fast it goes there


class TapeView:
    """Which part of a tape is seen."""

    def __init__(self) -> None:
        self.start = 0.0
        """Where the room begins, in loops."""
        self.scrolled = 0.0
        """How much is hidden above, [pixels]."""
        self._followed: int | None = None

    def follow(self, now: float, fit: Fit, elapsed: float, still: bool) -> None:
        """Show the present.

        Args:
            now: the present, in loops.
            fit: how much is seen.
            elapsed: since the last time, [s].
            still: whether it is not to move under the mouse, or because time stands still.
        """
        if fit.loops > 1 - 1e-6:
            pages = round(fit.loops)
            if not (still and self.start <= now <= self.start + pages and (self.start % pages) == 0):
                self.start = float(floor(now / pages) * pages)
            return
        ahead = now - self.start
        if not 0 <= ahead <= fit.loops:
            ahead = _WHERE * fit.loops
        elif not still:
            ahead += (_WHERE * fit.loops - ahead) * (1 - exp(-_EASE * elapsed))
        self.start = now - ahead

    def attend(self, juggler: int | None, middle: float, fit: Fit, height: float) -> None:
        """Bring the lines of a juggler to the middle as soon as somebody follows them.

        Args:
            juggler: who is followed; None for nobody.
            middle: of their lines, from the upper edge of the tape, [pixels].
            fit: how much is seen.
            height: of the room, [pixels].
        """
        if juggler != self._followed and juggler is not None:
            self.scroll(middle - height / 2 - self.scrolled, fit, height)
        self._followed = juggler

    def scroll(self, pixels: float, fit: Fit, height: float) -> None:
        """Move what is seen across the tape, as far as there is more."""
        self.scrolled = min(max(self.scrolled + pixels, 0.0), max(fit.deep - height, 0.0))
