"""Editing in the picture in the real window, by a real mouse and by real keys."""

import shutil
from collections.abc import Callable

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State

from juggle_anim.animation import animate
from juggle_anim.scene import Camera
from juggle_anim.viewer.layout import Rectangle, project_points
from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def editing(open_window: Opener, pattern: str, *keys: Action) -> tuple[DrivenWindow, State]:
    window = open_window(pattern=pattern, at=0.0, size=(1280, 720))
    window.keys(*keys_for(*(keys or (Action.HANDLE_PLACE,))))
    return window, window.wait(
        lambda state: state["picture"]["handles"] and state["settled"] and state["awake"] == 0
    )


def numbers(state: State) -> list[float]:
    return [float(each) for each in state["picture"]["chosen"].split(", ")]


def test_a_throw_is_dragged_in_the_picture_and_undone(open_window: Opener) -> None:
    window, state = editing(open_window, "3")
    x, y = state["picture"]["handles"]["throw 1 0"]
    window.drag((x, y), (x - 40, y - 40))
    state = window.wait(lambda state: state["pattern"] != "3" and not state["picture"]["dragging"])
    outward, up, _ = numbers(state)
    assert outward > 15
    assert up > 10
    window.keys(*keys_for(Action.UNDO))
    window.wait(lambda state: state["pattern"] == "3")


def test_a_drag_elsewhere_turns_the_camera_and_a_click_there_lets_go(open_window: Opener) -> None:
    window, state = editing(open_window, "3")
    x, y = state["picture"]["handles"]["throw 1 0"]
    window.mouse("move", x, y, "drawn", "click", 1)
    state = window.wait(lambda state: state["handles"])
    window.drag((x + 200, y), (x + 240, y))
    window.wait(lambda now: now["eye"] != state["eye"] and now["handles"])
    window.mouse("move", x + 200, y, "drawn", "click", 1)
    window.wait(lambda state: not state["handles"])


MILLS_MESS = ((-25, 0), (2.5, 0)), ((25, 0), (-2.5, 0)), ((-25, 0), (0, 0))
"""Outward and up, [cm], of the throw and the next catch of the hands in turn, right first."""


def seen(state: State, x: float, y: float, z: float) -> tuple[float, float]:
    """Where a place in the world is in the window, [pixels]."""
    camera = Camera(tuple(state["eye"]), tuple(state["target"]), np.radians(30.0))
    left, top = project_points(np.array([[x, y, z]]), camera, Rectangle(0.0, 0.0, *state["size"]))[
        0
    ]
    return float(left), float(top)


def hand_places(pattern: str) -> np.ndarray:
    events = animate(pattern).choreography.events
    return events.position[np.lexsort((events.time, events.hand))]


@pytest.mark.long
def test_mills_mess_is_made_of_a_cascade_by_dragging_six_points(open_window: Opener) -> None:
    window, state = editing(open_window, "333")
    for kind, mark in enumerate(("throw", "catch")):
        for beat, places in enumerate(MILLS_MESS):
            hand, (outward, up) = 1 - beat % 2, places[kind]
            start = state["picture"]["handles"][f"{mark} {hand} {beat // 2}"]
            end = seen(state, (1 - 2 * hand) * outward / 100, 1.2 + up / 100, 0.3)
            before = state["line"]
            window.mouse("move", *start, "drawn", "mousedown", 1, "keydown", "shift", "drawn")
            window.mouse("move", start[0] + 8, start[1] + 8, "drawn", "move", *end, "drawn")
            window.mouse("keyup", "shift", "mouseup", 1)
            state = window.wait(
                lambda now, before=before: (
                    now["line"] != before and not now["picture"]["dragging"] and now["settled"]
                )
            )
    np.testing.assert_allclose(
        hand_places(state["line"]),
        hand_places("pattern=3;hands=Mills mess;style=natural"),
        atol=0.0075,  # a pixel of the window
    )


FACING = "pattern=<3p|3p>;body=(90,-75).|(-90,75)."


def facings(state: State) -> list[float]:
    bodies = animate(state["line"]).choreography.bodies
    return np.degrees(bodies.facing).round(3).tolist()


@pytest.mark.long
def test_two_passers_are_turned_by_their_arrows(open_window: Opener) -> None:
    window, state = editing(open_window, FACING)
    window.keys(*keys_for(Action.SYMMETRIC))
    for juggler in (0, 1):
        arrow, before = state["picture"]["handles"][f"heading {juggler} 0"], state["line"]
        x, _, z = animate(before).choreography.bodies.position[juggler]
        window.drag(tuple(arrow), seen(state, x, 0.0, z + 0.6))
        state = window.wait(
            lambda now, before=before: (
                now["line"] != before and not now["picture"]["dragging"] and now["settled"]
            )
        )
    assert facings(state) == [0.0, 0.0]
    assert state["pattern"].startswith("pattern=<3p|3p>")


def test_keys_alone_turn_two_passers(open_window: Opener) -> None:
    window, state = editing(open_window, FACING)
    window.keys(*keys_for(Action.SYMMETRIC))
    window.wait(lambda state: state["handles"])
    for juggler, turn in ((1, Action.PAGE_UP), (0, Action.PAGE_DOWN)):
        wanted = f"BodyHandle(juggler={juggler}, key=0)"
        while window.state()["handles"] != [wanted]:
            now = window.state()["handles"]
            window.keys(*keys_for(Action.HANDLE_BEFORE))
            window.wait(lambda state, now=now: state["handles"] != now)
        before = window.state()["line"]
        window.keys(*keys_for(turn))
        state = window.wait(lambda now, before=before: now["line"] != before)
    assert facings(state) == [0.0, 0.0]


def test_keys_alone_give_one_throw_half_a_spin(open_window: Opener) -> None:
    window, _ = editing(open_window, "55;prop=club", Action.EDIT)
    window.keys(*keys_for(Action.HANDLE_AFTER, Action.HANDLE_AFTER))
    window.wait(lambda state: state["handles"] and state["handles"][0].startswith("ThrowHandle"))
    window.keys(*keys_for(Action.EDIT_MENU))
    state = window.wait(lambda state: "Spins of the club" in state["menu"])
    window.keys(*["Down"] * state["menu"].index("Spins of the club"), "Return")
    window.wait(lambda state: "1.5 turns" in state["menu"])
    window.keys("Up", "Return")  # from the present two
    window.wait(lambda state: "throwspins=1.5" in state["line"] and not state["menu"])


def test_handles_lie_in_the_picture_only_where_one_edits_there(open_window: Opener) -> None:
    window = open_window(pattern="3", at=0.0, size=(1280, 720))
    window.keys(*keys_for(Action.EDIT))
    state = window.wait(lambda state: state["settled"] and not state["awake"])
    clear = window.pixels().astype(int)
    button = next(name for name in state["controls"] if name.endswith("HANDLE_PLACE Picture"))
    left, top, width, height = state["controls"][button]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    state = window.wait(lambda state: state["handles"] and not state["awake"])
    marked = window.pixels().astype(int)
    x, y = map(round, state["picture"]["handles"]["throw 1 0"])
    around = np.s_[y - 8 : y + 8, x - 8 : x + 8]
    assert (np.abs(marked[around] - clear[around]).max(axis=2) > 30).mean() > 0.2
    window.drag((x, y), (x - 40, y - 34))
    window.wait(lambda state: state["pattern"] != "3")


def test_a_right_click_on_a_handle_opens_its_menu(open_window: Opener) -> None:
    window, state = editing(open_window, "3")
    window.mouse("move", *state["picture"]["handles"]["catch 1 0"], "drawn", "click", 3)
    window.wait(lambda state: "Grab" in state["menu"])
