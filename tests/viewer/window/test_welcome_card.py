"""The first look around in the real window."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.viewer.learning.welcome import STOPS

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def at(stop: int | None) -> Callable[[State], bool]:
    return lambda state: bool(state["welcome"] == stop)


def test_the_very_first_window_shows_around_and_no_other_does(
    new_window: Opener, tmp_path: Path
) -> None:
    memory = tmp_path / "viewer.json"
    window = new_window(memory=memory, paused=False)
    assert window.state()["welcome"] is None
    window.greet()
    window.wait(at(0))
    window.keys("Return")
    window.wait(at(1))
    window.keys("ctrl+q")
    assert window.exit_code() == 0
    assert memory.exists()
    window = new_window(memory=memory)
    window.greet()
    assert window.state()["welcome"] is None


def test_each_stop_points_at_what_is_there_and_a_click_there_does_it(open_window: Opener) -> None:
    window = open_window(paused=False)
    window.keys("shift+F1")
    state = window.wait(at(0))
    assert {"pattern line", "slider", "BROWSE", "PALETTE"} <= state["spots"].keys()
    left, top, width, height = state["spots"]["pattern line"]
    window.mouse("move", left + width / 3, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: state["welcome"] is None and state["typing"])
    window.keys("Escape", "shift+F1", "Return", "Return")
    state = window.wait(at(2))
    left, top, width, height = state["spots"]["BROWSE"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: state["welcome"] is None and state["desk"]["browsing"])


@pytest.mark.parametrize("size", sampled([(640, 480), (1280, 800)], (640, 480)))
def test_every_stop_has_its_box_which_leaves_face_and_elbows_free(
    open_window: Opener, size: tuple[int, int]
) -> None:
    window = open_window(size=size)
    state = window.wait(lambda state: state["settled"])
    across = (state["head"][0] + state["head"][2] / 2) if size[0] > 640 else 442
    down = (0.33 * size[1], 0.54 * size[1])  # from hair to elbows
    window.keys("shift+F1")
    for stop in range(len(STOPS)):
        state = window.wait(
            lambda state, stop=stop: (
                state["welcome"] == stop and "welcome next" in state["controls"]
            )
        )
        state = window.drawn()
        left, top, width, height = state["welcome_box"]
        assert not (left < across < left + width and top < down[1] and top + height > down[0])
        window.keys("Return")
    window.wait(at(None))


def test_what_is_typed_meanwhile_is_typed(open_window: Opener) -> None:
    window = open_window(paused=False)
    window.keys("shift+F1")
    window.wait(at(0))
    window.type("441")
    window.keys("Return")
    window.wait(lambda state: state["welcome"] is None and state["pattern"] == "441")


def test_its_buttons_go_on_and_back_and_the_second_stop_lifts_the_elbows(
    open_window: Opener,
) -> None:
    window = open_window()

    def click(name: str, stop: int | None) -> State:
        left, top, width, height = window.wait(
            lambda state: f"welcome {name}" in state["controls"] and not state["awake"]
        )["controls"][f"welcome {name}"]
        window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
        return window.wait(at(stop))

    window.keys("shift+F1")
    window.wait(at(0))
    assert click("next", 1)["given"]["chicken_wing"] == 80
    assert click("next", 2)["given"]["chicken_wing"] == 30
    click("back", 1)
    state = click("skip", None)
    assert (state["given"]["chicken_wing"], state["paused"]) == (30, True)
    window.keys("ctrl+z")
    assert window.drawn()["given"]["chicken_wing"] == 30, "it is no step of undo"


def test_a_click_on_the_picture_does_not_end_it_and_its_end_tells_the_way_back(
    open_window: Opener,
) -> None:
    window = open_window(chosen="", size=(640, 480))
    listed = window.drawn()["spots"]
    window.keys("shift+F1")
    window.wait(at(0))
    window.mouse("move", 440, 250, "drawn", "click", 1)
    window.drawn()
    assert window.state()["welcome"] == 0
    window.keys("Return")
    assert window.wait(at(1))["chosen"] == "chicken_wing"
    window.mouse("move", 440, 120, "drawn", "click", 1)
    assert window.drawn()["welcome"] == 1
    window.keys("Escape")
    state = window.wait(at(None))
    assert "Shift+F1" in state["said"]
    assert (state["chosen"], window.drawn()["spots"]) == ("prop", listed)


def test_buttons_keep_their_places_from_stop_to_stop(open_window: Opener) -> None:
    window = open_window()
    window.keys("shift+F1")
    places: dict[str, set[tuple[float, ...]]] = {}
    for number in range(len(STOPS)):
        state = window.wait(
            lambda state, number=number: (
                state["welcome"] == number and "welcome next" in state["controls"]
            )
        )
        for name in ("skip", "back", "next"):
            if f"welcome {name}" in state["controls"]:
                places.setdefault(name, set()).add(tuple(state["controls"][f"welcome {name}"]))
        window.keys("Return")
    assert {name: len(seen) for name, seen in places.items()} == {"skip": 1, "back": 1, "next": 1}
    assert len(set.union(*places.values())) == 3
