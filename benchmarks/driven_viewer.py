"""Runs the real viewer for a benchmark, which reads lines of JSON from its standard output.

`frames TEXT COUNT` draws so many frames as fast as it can, after as many more that don't count, and tells how long each
took [s], by the clock and of the processor. `paused TEXT` stands still, and tells every second how much of the
processor that took. `keys TEXT` stands still, and tells when a frame that shows another animation than the one before
it had been handed to the screen, by the clock that all processes share.
"""

import json
import sys
import time
from typing import Any

import juggle_anim as ja
from juggle_anim.viewer.window import Viewer

SIZE = 640, 480
START = 0.3  # s


class WatchedViewer(Viewer):
    """Tells when it has shown a new animation, and what that took of the processor since the last key, [s]."""

    pressed = 0.0

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        self.pressed = time.process_time()
        return super().on_key_press(symbol, modifiers)

    def draw(self, elapsed: float) -> None:
        before = getattr(self, "drawn", None)
        super().draw(elapsed)
        self.drawn = self.model.animation
        if before is not self.drawn:
            tell(shown=time.monotonic(), processor=time.process_time() - self.pressed)


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def frames(text: str, count: str) -> None:
    viewer = Viewer(ja.animate(text), START, size=SIZE)
    for _ in range(int(count)):
        frame(viewer)
    times = [frame(viewer) for _ in range(int(count))]
    tell(clock=[clock for clock, _ in times], processor=[processor for _, processor in times])


def frame(viewer: Viewer) -> tuple[float, float]:
    """Let the viewer do all that it does from one frame to the next."""
    clock, processor = time.perf_counter(), time.process_time()
    viewer.window.dispatch_events()
    viewer.tick(viewer.model.playback.frame_time)
    return time.perf_counter() - clock, time.process_time() - processor


def paused(text: str) -> None:
    import pyglet

    viewer = Viewer(ja.animate(text), START, True, SIZE)
    pyglet.clock.schedule_interval(lambda _: tell(clock=time.perf_counter(), processor=time.process_time()), 1.0)
    viewer.run()


def keys(text: str) -> None:
    WatchedViewer(ja.animate(text), START, True, SIZE).run()


if __name__ == "__main__":
    mode, *given = sys.argv[1:]
    {"frames": frames, "paused": paused, "keys": keys}[mode](*given)
