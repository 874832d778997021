"""A viewer that tells when it has shown what the mouse pointed at, for a benchmark; it takes what
would end it lightly.

Run it with the width and height of its window. It writes its number for the X server, and then, for
each move of the mouse along the top edge of the window, where that was and when a frame that shows
it was handed to the screen, by the clock that all processes share.
"""

from __future__ import annotations

import sys
import time

from juggle_anim.animation import animate
from juggle_anim.viewer.window import Viewer

_DRAWN = 40  # frames after which everything is there


class WatchedViewer(Viewer):
    """Tells what it has shown."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(animate("531"), size=size)
        self._frames = 0
        self._marks: list[int] = []
        self.window.push_handlers(on_mouse_motion=self._note_motion)

    def _note_motion(self, x: int, y: int, across: int, up: int) -> None:
        if y == self.window.height - 1:
            self._marks.append(x)

    def draw(self, elapsed: float) -> None:
        super().draw(elapsed)
        self._frames += 1
        if self._frames == _DRAWN:
            print(self.window._window, flush=True)
        if not (
            self._keyboard.deferred.waiting
            or self._overlay.input.pending
            or self._has_unshown_frame
        ):
            for mark in self._marks:
                print(mark, time.monotonic(), flush=True)
            self._marks.clear()

    def exit(self) -> None:
        """Go on: among random keys are those that quit."""
        self.model.leaving = False


if __name__ == "__main__":
    viewer = WatchedViewer((int(sys.argv[1]), int(sys.argv[2])))
    viewer.start_helpers()
    viewer.run()
