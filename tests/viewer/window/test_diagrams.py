"""The window's diagrams: they are shown, run along, and a click in them goes to a time."""

import shutil
import time
from collections.abc import Callable

import numpy as np
import pytest
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.animation import animate

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def shown(kind: str) -> Callable[[State], bool]:
    return lambda state: state["settled"] and state["diagram"] == kind and state["awake"] == 0


def paper(window: DrivenWindow, state: State) -> np.ndarray:
    """The diagram, shape (height, width, 3), without the head of its card."""
    left, top, width, height = (round(edge) for edge in state["strip"])
    return window.pixels()[top + 30 : top + height - 8, left + 12 : left + width - 12].astype(int)


def line_at(window: DrivenWindow, state: State) -> float:
    """Where the line of the present stands, from the left edge of the window, [pixels]."""
    accent = np.abs(paper(window, state) - (0x00, 0x5E, 0x96)).max(axis=2) < 40
    columns = accent[8:-20].sum(axis=0)
    assert columns.max() > 0.5 * (len(accent) - 28), "there is no line"
    most = np.flatnonzero(columns > 0.8 * columns.max())
    return float(state["strip"][0]) + 12 + float(most.mean())


def click(window: DrivenWindow, control: str) -> None:
    state = window.wait(lambda state: control in state["controls"])
    left, top, width, height = state["controls"][control]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)


def test_y_shows_and_closes_the_diagram_that_was_shown_last(open_window: Opener) -> None:
    window = open_window()
    window.wait(lambda state: state["settled"])
    before = window.pixels()
    papers = []
    before_kind = "ladder"
    for kind in ("ladder", "who to whom", "causal"):
        window.keys("y")
        window.wait(shown(before_kind))
        before_kind = kind
        click(window, f"diagram {kind}")
        window.park_pointer()
        state = window.wait(shown(kind))
        papers.append(paper(window, state))
        white = (papers[-1] > 250).all(axis=2).mean()
        assert 0.6 < white < 0.97, "lines on white paper"
        window.keys("y")
        window.wait(lambda state: not state["diagram"])
    assert (papers[0] != papers[1]).any()
    assert (papers[1] != papers[2]).any()
    window.keys("y")
    window.wait(shown("causal"))
    click(window, "diagram close")
    window.park_pointer()
    window.wait(lambda state: state["settled"] and not state["diagram"] and state["strip"] is None)
    np.testing.assert_array_equal(window.pixels(), before)


@pytest.mark.parametrize("kind", sampled(["ladder", "causal"], "ladder"))
def test_a_click_goes_to_the_time_that_stands_there_and_a_drag_along(
    open_window: Opener, kind: str
) -> None:
    window = open_window(at=0.3, size=(1280, 720))
    window.keys("y")
    click(window, f"diagram {kind}")
    window.park_pointer()
    state = window.wait(shown(kind))
    places = {state["time"]: line_at(window, state)}
    window.keys(*["period"] * 40)
    state = window.wait(lambda later: later["time"] > 0.3 + 39.5 / 60 and shown(kind)(later))
    places[state["time"]] = line_at(window, state)
    (first, x), (last, end) = places.items()
    a_second = (end - x) / (last - first)
    # Where no throw is that would be meant, above the words below the diagram.
    middle = state["strip"][1] + state["strip"][3] - 40
    for moment in (0.1, 2.4):
        window.mouse("move", x + (moment - first) * a_second, middle, "drawn", "click", 1)
        state = window.wait(lambda later, moment=moment: abs(later["time"] - moment) < 3 / a_second)
        assert state["paused"]
    window.drag((x + (0.1 - first) * a_second, middle), (x + (1.6 - first) * a_second, middle))
    state = window.wait(
        lambda later: abs(later["time"] - 1.6) < 3 / a_second and shown(kind)(later)
    )
    assert line_at(window, state) == pytest.approx(x + (1.6 - first) * a_second, abs=2)
    assert not state["held"], "the camera is not dragged along"


def test_a_click_on_the_ground_state_juggles_the_pattern_that_stays_there(
    open_window: Opener,
) -> None:
    window = open_window(at=0.3, size=(1280, 720))
    window.keys("ctrl+y")
    state = window.wait(shown("states"))
    dark = np.zeros((1, 2))
    for _ in range(500):
        dark = np.argwhere(np.abs(paper(window, state) - (0x17, 0x22, 0x2E)).max(axis=2) < 10)
        if len(dark) > 300:
            break
        time.sleep(0.02)
    y, x = np.median(dark, axis=0)
    window.mouse(
        "move", state["strip"][0] + 12 + x, state["strip"][1] + 30 + y, "drawn", "click", 1
    )
    window.wait(lambda later: later["pattern"] == "3")


def test_a_click_on_a_throw_goes_to_its_very_time_and_hovering_tells_of_it(
    open_window: Opener,
) -> None:
    window = open_window(at=0.0, size=(1280, 720))
    window.keys("y")
    state = window.wait(shown("ladder"))
    # Beside its middle, but within its frame.
    x, (_, top, _, height) = line_at(window, state) + 4, state["strip"]
    still = paper(window, state)
    animation = animate("531")
    thrown = np.sort(animation.choreography.events.time[animation.choreography.flights.throw])
    window.keys("period")
    window.wait(lambda later: later["time"] > 0.01 and shown("ladder")(later))
    # The right hand's line is the lower one; the first throw of the loop stands on it, at the
    # loop's start.
    for below in range(int(0.55 * height), int(0.9 * height), 4):
        window.mouse("move", x, top + below, "drawn", "click", 1, "drawn")
        state = window.wait(shown("ladder"))
        if np.abs(thrown - state["time"]).min() < 1e-6:
            break
    assert np.abs(thrown - state["time"]).min() < 1e-6
    # What was clicked is told of once the mouse comes again.
    window.mouse("move", x, top - 60, "drawn", "move", x, top + below, "sleep", 0.6, "drawn")
    told = paper(window, window.wait(shown("ladder")))
    assert (told != still).any(axis=2).sum() > 1500, "a throw is told of"


def test_the_diagram_runs_along_and_a_long_loop_scrolls(open_window: Opener) -> None:
    window = open_window(pattern="(534^30)", at=2.5, paused=False)
    window.keys("y")
    window.wait(lambda state: state["diagram"] == "ladder")
    window.wait(lambda state: state["time"] > 3.0)
    window.keys("space")
    state = window.wait(shown("ladder"))
    first = line_at(window, state)
    before = paper(window, state)
    left, _, width, _ = state["strip"]
    assert left + 0.2 * width < first < left + 0.7 * width, "the present stays in the middle part"
    window.keys("space")
    window.wait(lambda later: later["time"] > state["time"] + 1.0)
    window.keys("space")
    state = window.wait(shown("ladder"))
    assert (paper(window, state) != before).any(axis=2).mean() > 0.05
    assert left + 0.2 * width < line_at(window, state) < left + 0.7 * width


@pytest.mark.long
def test_what_is_too_large_is_said_and_the_window_goes_on(open_window: Opener) -> None:
    window = open_window(pattern="<" + "|".join(["3"] * 120) + ">", size=(1280, 720))
    window.keys("y")
    click(window, "diagram causal")
    state = window.wait(shown("causal"))
    assert 0.9 < (paper(window, state) > 250).all(axis=2).mean() < 0.999
    window.keys("y")
    window.wait(lambda state: not state["diagram"])


def test_buttons_of_a_diagram_stay_when_fewer_people_juggle(open_window: Opener) -> None:
    window = open_window(pattern="<3p 3|3p 3>", size=(1280, 800))
    window.keys("y")
    many = window.wait(
        lambda state: shown("ladder")(state) and "diagram ladder" in state["controls"]
    )
    window.edit("531")
    few = window.wait(lambda state: state["pattern"] == "531" and state["settled"])
    assert few["strip"] == many["strip"]
    assert few["controls"]["diagram ladder"] == many["controls"]["diagram ladder"]
    window.keys("y", "y")
    again = window.wait(lambda state: state["strip"] and state["strip"] != many["strip"])
    assert again["strip"][3] < many["strip"][3], "one juggler needs less room"
