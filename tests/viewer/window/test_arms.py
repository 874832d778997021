"""The window's tools for arms: choosing solvers, plots, and a goal that a hand follows."""

import shutil
import time
from collections.abc import Callable

import numpy as np
import pytest
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.render import Offscreen
from juggle_anim.viewer.keyboard import SLOW_TYPING

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def settled(state: State) -> bool:
    return bool(state["settled"])


def at_rest(state: State) -> bool:
    return settled(state) and state["lab"] is not None and not state["lab"]["busy"]


def test_a_ghost_is_chosen_by_keys_and_is_in_the_very_picture_of_an_export(
    open_window: Opener,
) -> None:
    window = open_window(at=0.4)
    window.keys(*("Down",) * 4, "Right")
    window.wait(lambda state: state["ghost"] == "chicken-wing")
    window.keys("Tab")
    window.wait(lambda state: settled(state) and not state["panel"])
    animation = animate("531", ghost="chicken-wing")
    camera = animation.camera(640 / 480)
    with Offscreen(640, 480) as offscreen:
        ghostly, alone = (
            offscreen.image(each.scene(0.4, camera)) for each in (animation, animate("531"))
        )
    np.testing.assert_array_equal(window.pixels(), ghostly)
    assert (ghostly != alone).any(axis=2).sum() > 300


def test_p_shows_plots_page_by_page_and_a_the_other_arm(open_window: Opener) -> None:
    window = open_window()
    window.wait(settled)
    pixels = window.pixels()
    window.keys("p")
    state = window.wait(lambda state: settled(state) and state["plots"] == [0, 1])
    left, top, width, height = (round(edge) for edge in state["strip"])
    shown = window.pixels()
    assert (shown != pixels)[top + 4 : top + height - 4, left + 4 : left + width - 4].any(
        axis=2
    ).mean() > 0.9
    time.sleep(SLOW_TYPING)  # as "pa" begins a name
    window.keys("a")
    window.wait(lambda state: state["arm"] == [0, 1])
    assert (window.pixels() != shown)[top : top + height, left : left + width].any(
        axis=2
    ).sum() > 200
    time.sleep(SLOW_TYPING)
    window.keys("p", "p", "p")
    window.wait(lambda state: state["plots"] == [6, 7])
    window.keys("p")
    window.wait(lambda state: settled(state) and not state["plots"])
    np.testing.assert_array_equal(window.pixels(), pixels)


def test_a_plot_is_held_to_go_to_a_time(open_window: Opener) -> None:
    window = open_window(paused=False)
    window.keys("p")
    state = window.wait(lambda state: settled(state) and state["plots"])
    left, top, width, height = state["strip"]
    window.drag((left + 0.9 * width, top + 0.7 * height), (left + 0.75 * width, top + 0.7 * height))
    state = window.wait(lambda state: state["paused"])
    window.wait(lambda later: later["time"] == pytest.approx(state["time"]))
    assert not state["held"], "the camera is not dragged along"


def test_the_mouse_drags_a_goal_and_the_drawn_arm_follows(open_window: Opener) -> None:
    window = open_window()
    window.keys("g")
    before, pixels = window.wait(at_rest), window.pixels()
    x, y = before["lab"]["place"]
    window.drag((x, y - 40), (x, y - 75))
    after = window.wait(lambda state: state["lab"]["goal"] != before["lab"]["goal"])
    moved = np.subtract(after["lab"]["goal"], before["lab"]["goal"])
    assert moved[1] > 0.1
    assert np.abs(moved[[0, 2]]).max() < 1e-3, "by its upright arrow, a goal moves up alone"
    assert np.linalg.norm(np.subtract(after["lab"]["elbow"], before["lab"]["elbow"])) > 0.02
    assert after["lab"]["missing"] < 1e-6
    assert not after["held"], "the camera is not dragged along"
    assert (window.pixels() != pixels)[:260, 250:].any(axis=2).sum() > 300
    window.keys("Escape")
    window.wait(lambda state: state["lab"] is None)


def test_a_goal_out_of_reach_says_how_far(open_window: Opener) -> None:
    window = open_window()
    window.keys("g")
    before = window.wait(at_rest)
    x, y = before["lab"]["place"]
    window.drag((x + 40, y), (x + 160, y))
    state = window.wait(lambda state: state["lab"]["missing"] > 0.05)
    assert np.linalg.norm(np.subtract(state["lab"]["goal"], before["lab"]["goal"])) > 0.3


def test_a_chain_iterates_when_it_is_asked_and_the_whole_body_leans_along(
    open_window: Opener,
) -> None:
    window = open_window()
    window.keys("g", "c", "c", "w")
    before = window.wait(
        lambda state: state["lab"] and state["lab"]["method"] == "BODY" and state["lab"]["held"]
    )
    window.keys(*["l"] * 15)
    waiting = window.wait(lambda state: state["lab"]["goal"][0] > before["lab"]["goal"][0] + 0.25)
    assert waiting["lab"]["elbow"] == before["lab"]["elbow"]
    window.keys("n")
    once = window.wait(lambda state: state["lab"]["steps"] == 1)
    assert once["lab"]["missing"] > 0.001
    window.keys("w")
    reached = window.wait(at_rest)
    assert reached["lab"]["missing"] < 1e-3
    assert np.linalg.norm(np.subtract(reached["lab"]["chest"], before["lab"]["chest"])) > 0.01


RING = 46
"""About the radius of the rings of a goal, [pixels]."""


def test_a_goal_can_be_turned_where_a_chain_follows(open_window: Opener) -> None:
    window = open_window(size=(1280, 800))
    window.keys("g", "c", "t")
    before = window.wait(lambda state: at_rest(state) and state["lab"]["method"] == "ARM")
    x, y = before["lab"]["place"]
    # The ring about the line of sight is a circle; halfway between two arrows it is alone.
    along = np.array([-np.sqrt(0.5), np.sqrt(0.5)])
    window.mouse("move", x - 30, y + 30)
    for radius in sorted(range(40, 70, 2), key=lambda radius: abs(radius - RING)):
        start = np.array([x, y]) + radius * along
        window.drag(tuple(start), tuple(start + 25 * np.array([1.0, 1.0])))
        if window.state()["lab"]["turn"] != before["lab"]["turn"]:
            break
    assert window.state()["lab"]["turn"] != before["lab"]["turn"]


def test_a_pattern_of_fewer_jugglers_takes_the_goal_to_one_who_is_there(
    open_window: Opener,
) -> None:
    window = open_window(pattern="<3p|3p>")
    window.keys("a", "a", "g")
    window.wait(lambda state: state["lab"] and state["arm"] == [1, 0])
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("441")
    window.keys("Return")
    window.wait(lambda state: state["pattern"] == "441" and state["arm"] == [0, 0] and state["lab"])


@pytest.mark.parametrize("size", sampled([(640, 480), (1280, 800)], (640, 480)), ids=str)
def test_the_picture_says_whose_arms_the_ghost_has(
    open_window: Opener, size: tuple[int, int]
) -> None:
    window = open_window(chosen="ghost", size=size)

    def swatch() -> int:
        """How many pixels above the bar have the colour of the ghost's words."""
        top = round(window.state()["controls"]["transport STEP_BACK"][1]) - 60
        colour = np.array([0xF5, 0x29, 0xA8])
        return int((np.abs(window.pixels()[top:].astype(int) - colour).max(axis=2) < 4).sum())

    assert swatch() == 0
    window.keys("Right")
    window.wait(lambda state: state["ghost"] != "none" and not state["awake"])
    assert swatch() > 40
    # A message lies above these words, not over them.
    before = swatch()
    window.keys("Escape")
    window.wait(lambda state: state["said"].startswith("Nothing to close"))
    assert swatch() == before
