import shutil
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from driven_window import DrivenWindow

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def drawn(window: DrivenWindow, seconds: float) -> int:
    """How many frames are drawn in some time."""
    before = window.state()["frames"]
    time.sleep(seconds)
    return int(window.state()["frames"] - before)


def wait_for_frames(window: DrivenWindow, count: int) -> None:
    """Wait until so many more are drawn."""
    before = window.state()["frames"]
    window.wait(lambda state: state["frames"] >= before + count)


def at_rest(window: DrivenWindow) -> None:
    """Wait until nothing is drawn any more."""
    window.wait(lambda state: state["settled"])
    assert any(drawn(window, 0.3) <= 1 for _ in range(100))


def test_a_paused_window_draws_nothing_until_something_happens(open_window: Opener) -> None:
    window = open_window()
    at_rest(window)
    assert drawn(window, 0.6) == 0
    window.keys("period")
    window.wait(lambda state: state["time"] > 0.31)


def test_a_text_field_in_a_paused_window_is_drawn_a_few_times_a_second(open_window: Opener) -> None:
    window = open_window()
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    at_rest(window)
    began = time.monotonic()
    before = window.state()["frames"]
    state = window.wait(lambda state: state["frames"] >= before + 4)
    assert state["frames"] - before <= 3 * (time.monotonic() - began) + 2


def test_a_window_that_is_hidden_draws_nothing_and_goes_on_when_it_is_shown(
    open_window: Opener,
) -> None:
    window = open_window(paused=False)
    window.window_command("windowunmap")
    window.wait(lambda state: not state["shown"])
    assert drawn(window, 0.6) == 0
    window.window_command("windowmap")
    window.wait(lambda state: state["shown"])
    wait_for_frames(window, 3)


def test_a_window_that_another_covers_whole_draws_nothing(
    open_window: Opener, new_window: Opener
) -> None:
    window = open_window(paused=False)
    with new_window(size=(1600, 1000)):
        window.wait(lambda state: not state["shown"])
        assert drawn(window, 0.6) == 0
    window.wait(lambda state: state["shown"])
    wait_for_frames(window, 3)


AT_ONCE = """
import pyglet
from pyglet.window import key
from juggle_anim.animation import animate
from juggle_anim.viewer.window import Viewer

class Counting(Viewer):
    drawn = 0

    def draw(self, elapsed):
        self.drawn += 1
        super().draw(elapsed)

viewer = Counting(animate("531"), 0.3, paused=True, size=(320, 240))
for _ in range(40):
    viewer.tick(0.05)
counts = [viewer.drawn]
for _ in range(2):
    for symbol in (key.RIGHT, key.LEFT) * 4:
        viewer.input_events.on_key_press(symbol, 0)
        viewer.input_events.on_key_release(symbol, 0)
    pyglet.clock.tick()
    counts.append(viewer.drawn)
viewer.tick(0.01)
viewer.input_events.on_text("x")
pyglet.clock.tick()
counts.append(viewer.drawn)
print([after - before for before, after in zip(counts, counts[1:])])
"""


def test_what_keys_do_in_a_window_at_rest_is_drawn_as_soon_as_all_are_handled_and_once_until_the_clock_ticks(
    display: dict[str, str],
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE], env=display, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[1, 0, 2]"
