"""Areas: where in a framebuffer a picture is drawn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Area:
    """A rectangle of a framebuffer, [pixels] from its lower left corner.

    Args:
        left, low: its lower left corner.
        width, height: what the camera sees fills these.
        before: how far to the left of that the picture goes on, to fill what would stay empty there.
    """

    left: int
    low: int
    width: int
    height: int
    before: int = 0

    @property
    def drawn(self) -> tuple[int, int, int, int]:
        """All that is drawn: left, low, width and height."""
        return self.left - self.before, self.low, self.width + self.before, self.height

    @property
    def halves(self) -> tuple[Area, Area]:
        """Two areas of the same size side by side, which together fill this one."""
        half = self.width // 2
        right = Area(self.left + self.width - half, self.low, half, self.height, self.width - 2 * half)
        return Area(self.left, self.low, half, self.height, self.before), right

    def overlaps(self, other: Area) -> bool:
        """Whether some pixel is drawn in both."""
        left, low, width, height = self.drawn
        x, y, across, up = other.drawn
        return left < x + across and x < left + width and low < y + up and y < low + height
