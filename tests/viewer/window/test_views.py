import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from driven_window import DrivenWindow
from PIL import Image

from juggle_anim.animation import animate
from juggle_anim.viewer.state.playback import throw_times

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def test_v_follows_one_juggler_then_the_other_then_all(open_window: Opener) -> None:
    window = open_window(pattern="<3p|3p>")
    whole = window.wait(lambda state: state["settled"])
    seen = []
    for juggler in (0, 1, None):
        window.keys("v")
        state = window.wait(
            lambda state, juggler=juggler: state["following"] == juggler and state["settled"]
        )
        seen.append(state["target"])
    assert np.linalg.norm(np.subtract(seen[0], seen[1])) > 1.0
    assert seen[2] == pytest.approx(whole["target"])


def test_r_plays_backwards_and_arrows_with_ctrl_go_from_throw_to_throw(open_window: Opener) -> None:
    window = open_window(at=2.0)
    window.keys("r")
    window.wait(lambda state: not state["paused"] and state["time"] < 1.8)
    window.keys("r")
    low = window.state()["time"]
    window.wait(lambda state: state["time"] > low + 0.1)
    window.keys("space")
    before = window.wait(lambda state: state["paused"])["time"]
    animation = animate("531")
    phases = throw_times(animation) / animation.duration
    window.keys("ctrl+Right")
    after = window.wait(lambda state: state["time"] > before)["time"]
    # The end of a loop is its beginning.
    assert np.abs((phases - after / animation.duration + 0.5) % 1 - 0.5).min() < 1e-6
    window.keys("ctrl+Left")
    back = window.wait(lambda state: state["time"] < after)["time"]
    assert back <= before + 1e-9
    assert np.abs((phases - back / animation.duration + 0.5) % 1 - 0.5).min() < 1e-6


def test_f12_keeps_a_picture_of_the_window_that_opens_the_animation(
    open_window: Opener, pictures: Path
) -> None:
    window = open_window(at=0.4)
    window.wait(lambda state: state["settled"])
    pixels = window.pixels()
    window.keys("F12")
    kept = pictures / "juggling-531.png"
    window.wait(lambda state: kept.exists())
    picture = np.array(Image.open(kept))
    assert (picture != pixels).any(axis=2).mean() < 0.01
    assert animate(str(kept)).text == "531"


def test_f11_fills_the_screen_and_leaves_it(open_window: Opener) -> None:
    window = open_window(size=(640, 480))
    window.keys("F11")
    state = window.wait(lambda state: state["fullscreen"] and state["size"] != [640, 480])
    assert state["size"][0] > 1000
    assert window.pixels().shape[:2] == tuple(state["size"][::-1])
    window.find()  # it is another one for the X server
    window.keys("F11")
    window.wait(lambda state: not state["fullscreen"] and state["size"] == [640, 480])


def test_x_again_writes_the_values_of_throws_and_then_both(open_window: Opener) -> None:
    window = open_window()
    window.keys("Tab")
    window.wait(lambda state: not state["panel"] and state["settled"])
    pictures = {"": window.pixels()}
    for shown in ("props", "throws", "both"):
        window.keys("x")
        window.wait(lambda state, shown=shown: state["numbers"] == shown)
        pictures[shown] = window.pixels()
    changed = {shown: (picture != pictures[""]).any(axis=2) for shown, picture in pictures.items()}
    assert changed["throws"].sum() > 50
    # They stand beside each other.
    assert (changed["both"] & ~changed["throws"]).sum() > 3 * 50
    assert (changed["both"] & ~changed["props"]).sum() > 50
