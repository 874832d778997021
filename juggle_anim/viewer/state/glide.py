"""How a camera that is let go while it turns goes on turning, and comes to rest."""

from __future__ import annotations

import math

_MEMORY = 0.05  # s over which the speed of a drag is averaged; one that rested for longer does not glide
_SLOWING = 5.0  # rate at which it slows, [1/s]
_REST = 0.02  # heights of the window in a second; slower is at rest

Turn = tuple[float, float]
"""Right and down, in heights of the window."""

_NOWHERE: Turn = 0.0, 0.0


class Glide:
    """Follows the turns of a hand, and goes on with them once it lets go."""

    def __init__(self) -> None:
        self.is_moving = False
        """Whether it goes on by itself."""
        self._moved, self._speed, self._rested, self._held = _NOWHERE, _NOWHERE, math.inf, False

    def drag(self, across: float, down: float) -> None:
        """The hand turns the camera, in heights of the window."""
        self.is_moving, self._held = False, True
        self._moved = self._moved[0] + across, self._moved[1] + down

    def let_go(self) -> None:
        """The hand lets go: what it turned last goes on, unless it rested."""
        # How quick it was is known only after the frame in which it was let go.
        self.is_moving = self._held

    def stop(self) -> None:
        """Come to rest at once."""
        self.is_moving, self._held = False, False
        self._moved, self._speed, self._rested = _NOWHERE, _NOWHERE, math.inf

    def advance(self, elapsed: float) -> Turn:
        """Let time pass, [s], and return how far the camera turns by itself meanwhile."""
        if elapsed <= 0:
            return _NOWHERE
        if self._held:
            self._follow(elapsed)
            self._held = not self.is_moving
            self.is_moving = self.is_moving and self._rested < _MEMORY and math.hypot(*self._speed) > _REST
            return _NOWHERE
        if not self.is_moving:
            return _NOWHERE
        share = math.exp(-_SLOWING * elapsed)
        along = (1 - share) / _SLOWING
        turn = self._speed[0] * along, self._speed[1] * along
        self._speed = self._speed[0] * share, self._speed[1] * share
        self.is_moving = math.hypot(*self._speed) > _REST
        return turn

    def _follow(self, elapsed: float) -> None:
        """Learn from what the hand has turned meanwhile how quick it is."""
        fresh = 1.0 - math.exp(-elapsed / _MEMORY)
        self._rested = 0.0 if self._moved != _NOWHERE else self._rested + elapsed
        across, down = (
            speed + fresh * (moved / elapsed - speed) for speed, moved in zip(self._speed, self._moved, strict=True)
        )
        self._speed, self._moved = (across, down), _NOWHERE
