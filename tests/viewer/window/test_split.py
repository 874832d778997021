"""Two pictures side by side, of two patterns or for two eyes, in the real window with real keys and
a real mouse.
"""

import shutil

import numpy as np
import pytest
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.render import Offscreen
from juggle_anim.scene.camera import aspect_per_eye
from juggle_anim.viewer.cards import ui

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

ACCENT = ui.ACCENT & 255, ui.ACCENT >> 8 & 255, ui.ACCENT >> 16 & 255


def calm(state: State) -> bool:
    return bool(
        state["settled"]
        and not state["typing"]
        and (not state["beside"] or state["beside"]["settled"])
    )


def split(window: DrivenWindow, *keys: str) -> State:
    window.afresh("531")
    window.type("/441")
    window.wait(lambda state: state["line"] == "441")
    window.keys("Return")
    window.wait(lambda state: state["pattern"] == "441" and calm(state))
    window.keys("s", *keys)
    return window.wait(lambda state: state["beside"] and calm(state))


def marked(pixels: Bytes) -> float:
    """Where across the window the label of the chosen half is, 0 to 1."""
    columns = (pixels[:100] == ACCENT).all(axis=2)[:, 300:].any(axis=0)
    return float((np.flatnonzero(columns).mean() + 300) / pixels.shape[1])


def test_two_patterns_are_seen_side_by_side_and_the_chosen_one_is_marked(
    window: DrivenWindow,
) -> None:
    state = split(window)
    assert (state["pattern"], state["beside"]["pattern"], state["half"]) == ("441", "531", 0)
    pixels = window.pixels()
    middle = (pixels[100:380, 300:] < 130).all(axis=(0, 2)).nonzero()[0] + 300
    assert len(middle) in (2, 3), "a line between the halves"
    assert marked(pixels) * 640 < middle.min()
    window.keys("d")
    state = window.wait(lambda state: state["half"] == 1 and calm(state))
    assert (state["pattern"], state["line"], state["beside"]["pattern"]) == ("531", "531", "441")
    after = window.pixels()
    assert marked(after) * 640 > middle.max()
    # The jugglers stay where they are.
    assert (after[110:380, 250:] == pixels[110:380, 250:]).all(axis=2).mean() > 0.999
    window.keys("s")
    window.wait(lambda state: not state["beside"])


def test_a_click_chooses_a_half_and_a_drag_turns_both_and_chooses_none(
    window: DrivenWindow,
) -> None:
    before = split(window)
    window.mouse("move", 600, 200, "drawn", "click", 1)
    window.wait(lambda state: state["half"] == 1 and state["pattern"] == "531")
    window.mouse("move", 300, 200, "drawn", "click", 1)
    state = window.wait(lambda state: state["half"] == 0 and state["pattern"] == "441")
    assert not state["held"]
    assert state["eye"] == pytest.approx(before["eye"])
    window.drag((560, 200), (620, 220))
    state = window.wait(
        lambda state: (
            state["held"] and calm(state) and state["beside"]["eye"] != before["beside"]["eye"]
        )
    )
    assert state["half"] == 0
    own, other = (np.subtract(of["eye"], of["target"]) for of in (state, state["beside"]))
    assert own / np.linalg.norm(own) == pytest.approx(other / np.linalg.norm(other), abs=1e-6)
    assert own != pytest.approx(np.subtract(before["eye"], before["target"]), abs=0.1)


def test_the_panel_turns_the_chosen_half_and_a_typed_pattern_goes_there(
    window: DrivenWindow,
) -> None:
    split(window, "d")
    before = window.pixels()
    window.keys("Home", "Right", "Right")
    window.wait(lambda state: state["given"]["chicken_wing"] == 40)
    window.type("/(6x,4)*")
    window.wait(lambda state: state["line"] == "(6x,4)*")
    window.keys("Return")
    state = window.wait(lambda state: state["pattern"] == "(6x,4)*" and calm(state))
    assert state["beside"]["pattern"] == "441"
    changed = (window.pixels() != before)[120:380].any(axis=(0, 2))
    assert changed[460:].mean() > 0.2


@pytest.mark.parametrize("size", sampled([(640, 480), (1920, 1080)], (640, 480)))
def test_both_halves_have_one_scale_until_a_button_gives_each_its_own(
    window: DrivenWindow, size: tuple[int, int]
) -> None:
    def away(state: State) -> list[float]:
        return [
            np.linalg.norm(np.subtract(of["eye"], of["target"])) for of in (state, state["beside"])
        ]

    window.afresh("pattern=3;framing=whole", size=size)
    window.type("/b97531")
    window.wait(lambda state: state["line"] == "b97531")
    window.keys("Return")
    window.wait(lambda state: "b97531" in state["pattern"] and calm(state))
    window.keys("s")
    state = window.wait(lambda state: state["beside"] and calm(state) and not state["awake"])
    assert away(state)[0] == pytest.approx(away(state)[1])
    left, top, width, height = state["controls"]["scale Fit each"]
    assert top + height < size[1] - 40
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(
        lambda state: (
            state["given"]["split_scale"] == "own" and away(state)[0] > 1.5 * away(state)[1]
        )
    )


def test_both_halves_play_on_one_clock(window: DrivenWindow) -> None:
    split(window)
    before = window.pixels()
    window.keys("space")
    window.wait(lambda state: not state["paused"] and state["played"] > 0.3)
    window.keys("space")
    window.wait(lambda state: state["paused"])
    changed = (window.pixels() != before)[120:380].any(axis=(0, 2))
    assert changed[250:430].any()
    assert changed[450:].any()


@pytest.mark.parametrize("stereo", sampled(["parallel", "anaglyph"], "anaglyph"))
def test_without_its_panel_the_window_shows_two_eyes_exactly_what_an_export_writes(
    window: DrivenWindow, stereo: str
) -> None:
    window.afresh(f"pattern=531;stereo={stereo}", 0.4)
    covered = window.pixels()
    window.keys("Tab")
    state = window.wait(lambda state: calm(state) and not state["panel"])
    animation = animate("531", stereo=stereo)
    width, height = state["size"]
    camera = animation.camera(aspect_per_eye(stereo, width / height))
    with Offscreen(width, height) as offscreen:
        image = offscreen.image(animation.scene(state["time"], camera))
    np.testing.assert_array_equal(window.pixels(), image)
    assert (covered != image).any()
