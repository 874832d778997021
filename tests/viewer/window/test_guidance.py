"""What helps those who are new to the window: its order, tooltips, size of texts, and keys that go
everywhere.
"""

import shutil

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State
from long_cases import sampled
from small_films import write_film

from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


CARDS = {
    "panel": np.s_[:, :240],
    "transport": np.s_[432:, 250:],
    "beats": np.s_[:48, 250:],
}
"""Rows and columns of cards in a window of 640 × 480 pixels."""


def new(window: DrivenWindow, size: tuple[int, int] = (640, 480), pattern: str = "531") -> State:
    """A window as one opens it."""
    window.afresh(pattern, chosen="", folded=True, size=size)
    return window.wait(lambda state: state["rows"] and not state["awake"])


def place(state: State, name: str) -> tuple[float, float]:
    left, top, width, height = next(
        place for each, place in state["controls"].items() if each.endswith(name)
    )
    return left + width / 2, top + height / 2


def test_a_new_window_begins_with_the_basics_and_a_key_makes_clubs(window: DrivenWindow) -> None:
    state = new(window)
    assert list(state["rows"])[:6] == ["prop", "colors", "jugglers", "speed", "bps", "view"]
    assert state["chosen"] == "prop"
    window.keys("Right")
    window.wait(
        lambda state: (
            state["given"]["prop"] == "club" and state["pattern"] == "pattern=531;prop=club"
        )
    )


def test_the_view_is_chosen_in_the_panel_and_a_drag_makes_it_one_by_hand(
    window: DrivenWindow,
) -> None:
    new(window)
    window.keys("Up", "Up")
    window.afresh(chosen="view", folded=True)
    window.keys("Right")
    front = window.wait(lambda state: state["view"] == "front" and state["settled"])
    assert front["eye"][0] == pytest.approx(front["target"][0], abs=1e-3)
    window.drag((400, 200), (460, 200))
    window.wait(lambda state: state["given"]["view"] == "by hand")
    window.keys("Home")
    window.wait(lambda state: state["given"]["view"] == "default" and state["settled"])


def test_a_tooltip_comes_after_the_mouse_has_rested_and_goes_when_it_moves_on(
    window: DrivenWindow,
) -> None:
    state = new(window)
    before = window.pixels()
    left, top, _, _ = state["rows"]["bps"]
    window.mouse("move", left + 20, top + 10)
    state = window.wait(lambda state: state["tip"][0] == "Throwing tempo")
    assert state["tip"][2] == "Slider: 0.5 to 10 beats/s. Default: 3.63 beats/s"
    window.wait(lambda state: not state["awake"])
    changed = np.abs(window.pixels().astype(int) - before).max(axis=2) > 8
    assert changed[:, 240:].any(axis=1).sum() > 30, "it is drawn beside the panel"
    window.mouse("move", 500, 300)
    window.wait(lambda state: not state["tip"][0])


def test_a_key_ends_a_tooltip_until_the_mouse_moves(window: DrivenWindow) -> None:
    state = new(window)
    left, top, _, _ = state["rows"]["bps"]
    window.mouse("move", left + 20, top + 10)
    window.wait(lambda state: state["tip"][0] == "Throwing tempo")
    window.keys("X")
    window.wait(lambda state: not state["tip"][0])
    window.mouse("move", left + 30, top + 10)
    window.wait(lambda state: state["tip"][0] == "Throwing tempo")


@pytest.mark.parametrize(
    ("control", "title"),
    sampled(
        [("panel UNDO", "Undo"), ("transport scrub", "Time"), ("beats orbits", "Orbits")],
        ("beats orbits", "Orbits"),
        arguments=2,
    ),
)
def test_tooltips_hide_nothing_of_the_card_of_their_control(
    window: DrivenWindow, control: str, title: str
) -> None:
    state = new(window)
    before = window.pixels()
    window.mouse("move", *place(state, control))
    window.wait(lambda state: state["tip"][0].startswith(title) and not state["awake"])
    changed = np.abs(window.pixels().astype(int) - before).max(axis=2) > 8
    left, top, width, height = state["controls"][control]
    changed[round(top) - 4 : round(top + height) + 4, round(left) - 4 : round(left + width) + 4] = 0
    assert changed.any()
    assert not changed[CARDS[control.split()[0]]].any()


def test_a_resting_mouse_on_a_tooltip_costs_no_frames(window: DrivenWindow) -> None:
    state = new(window)
    window.mouse("move", *place(state, "panel UNDO"))
    window.wait(lambda state: state["tip"][0] == "Undo" and not state["awake"])
    frames = window.state()["frames"]
    window.mouse("sleep", 0.4)
    assert window.state()["frames"] == frames


FAR_CARDS: dict[str, tuple[str, tuple[Action, ...]]] = {
    "panel": ("531", ()),
    "group of the wing": ("531", (Action.WING, Action.TURN_UP)),
    "library": ("531", (Action.BROWSE,)),
    "list of a filter": ("531", (Action.TAG,)),
    "generator": ("531", (Action.GENERATE,)),
    "variations": ("531", (Action.VARY,)),
    "routine": ("cascade 9 catches\n441 9 catches", (Action.ROUTINE,)),
    "no routine": ("531", (Action.ROUTINE,)),
    "camera path": ("531", (Action.CAMERA_PATH, Action.ADD_POINT, Action.ADD_POINT)),
    "no film": ("531", (Action.FOOTAGE,)),
    "presets": ("531", (Action.PRESETS,)),
    "lesson": ("531", (Action.LEARN, Action.TYPE_VALUE)),
    "plots": ("531", (Action.PLOTS,)),
    "goal": ("531", (Action.GOAL, Action.METHOD)),
    "ladder": ("531", (Action.DIAGRAM,)),
    "diagram of passing": ("<3p 3|3p 3>", (Action.DIAGRAM,)),
    "state graph": ("531", (Action.STATE_GRAPH,)),
    "facts": ("51", (Action.FACTS,)),
    "editing": ("531", (Action.EDIT,)),
    "menu of editing": ("531", (Action.HANDLE_AFTER, Action.EDIT_MENU)),
    "path of a file": ("531", (Action.OPEN_FILE,)),
    "all commands": ("531", (Action.PALETTE,)),
    "all keys": ("531", (Action.TOGGLE_HELP,)),
    "value that is typed": ("531", (Action.WING, Action.TYPE_VALUE)),
    "options": ("531", (Action.TYPE_VALUE,)),
}
"""By what is open: a pattern, and the actions whose keys open it."""


@pytest.mark.parametrize("every", sampled([3, 1], 3))
def test_every_control_has_a_tooltip(window: DrivenWindow, every: int) -> None:
    lacking, seen = set[str](), set[str]()
    for card, (pattern, actions) in list(FAR_CARDS.items())[::every]:
        window.afresh(pattern, chosen="", folded=card != "panel", size=(1280, 800))
        for action in actions:
            window.keys(*keys_for(action))
            window.wait(lambda state: not state["awake"] and state["settled"])
        state = window.wait(lambda state: state["controls"] and not state["awake"])
        lacking |= {f"{card}: {name}" for name in state["unexplained"]}
        seen |= {name.split()[0] for name in state["controls"]}
    assert not lacking
    assert len(seen) > 15 / every


def test_the_controls_of_a_film_have_tooltips(
    window: DrivenWindow, tmp_path_factory: pytest.TempPathFactory
) -> None:
    new(window)
    assert window.drop(write_film(tmp_path_factory.mktemp("film") / "film.gif", 20, rate=10))
    state = window.wait(lambda state: state["film"]["name"] == "film.gif" and not state["awake"])
    assert state["unexplained"] == []


def test_keys_go_to_every_button_and_press_it(window: DrivenWindow) -> None:
    state = new(window, (1280, 800))
    wanted, seen = set(state["stops"]), set[str]()
    for _ in range(len(wanted)):
        window.keys(*keys_for(Action.FOCUS_AFTER))
        seen.add(
            window.wait(lambda state, seen=seen: state["focus"] and state["focus"] not in seen)[
                "focus"
            ]
        )
    assert seen == wanted
    window.keys(*keys_for(Action.FOCUS_BEFORE))
    state = window.wait(lambda state: state["focus"] and not state["awake"])
    assert state["tip"][0], "its tooltip is shown at once"
    while "transport PAUSE" not in state["focus"]:
        before = state["focus"]
        window.keys(*keys_for(Action.FOCUS_AFTER))
        state = window.wait(lambda state, before=before: state["focus"] != before)
    window.keys("Return")
    window.wait(lambda state: not state["paused"])
    window.keys("Escape")
    window.wait(lambda state: not state["focus"] and not state["help"])


def test_the_chosen_button_is_seen(window: DrivenWindow) -> None:
    state = new(window)
    before = window.pixels().astype(int)
    window.keys(*keys_for(Action.FOCUS_AFTER) * 3)
    state = window.wait(lambda state: state["focus"].endswith("panel UNDO") and not state["awake"])
    left, top, width, _ = next(
        place for name, place in state["controls"].items() if name.endswith("panel UNDO")
    )
    edge = np.abs(window.pixels().astype(int) - before)[
        round(top) - 2, round(left) + 4 : round(left + width) - 4
    ]
    assert (edge.max(axis=1) > 60).all()


def test_texts_grow_and_shrink_by_keys(window: DrivenWindow) -> None:
    first = new(window, (1280, 960))
    assert first["scale"] == 1
    window.keys("ctrl+plus", "ctrl+plus")
    state = window.wait(lambda state: state["given"]["text_size"] == 120)
    assert state["scale"] == pytest.approx(1.2)
    window.wait(
        lambda state: state["rows"]["prop"][3] == pytest.approx(1.2 * first["rows"]["prop"][3])
    )
    window.keys("ctrl+minus", "ctrl+minus", "ctrl+minus", "ctrl+minus", "ctrl+minus")
    state = window.wait(lambda state: state["given"]["text_size"] == 80)
    assert state["scale"] == pytest.approx(0.8)
    window.keys("ctrl+0")
    window.wait(lambda state: state["given"]["text_size"] == 100 and state["scale"] == 1)


def test_a_small_window_has_room_for_texts_as_usual_only(window: DrivenWindow) -> None:
    new(window)
    window.keys(*["ctrl+plus"] * 12)
    assert window.wait(lambda state: state["given"]["text_size"] == 200)["scale"] == 1


def test_with_reduced_motion_cameras_do_not_fly(window: DrivenWindow) -> None:
    window.afresh(chosen="motion")
    window.keys("Right")
    before = window.wait(lambda state: state["given"]["motion"] == "reduced" and not state["awake"])
    window.keys("F2")
    state = window.wait(
        lambda state: state["view"] == "left" and state["frames"] > before["frames"]
    )
    assert state["settled"], "it is there with the first frame"
    assert state["eye"] != before["eye"]


@pytest.mark.parametrize("glide", sampled(["on", "off"], "on"))
def test_a_camera_that_is_let_go_turns_on_and_comes_to_rest(
    window: DrivenWindow, glide: str
) -> None:
    window.afresh(chosen="glide")
    if glide == "off":
        window.keys("Right")
        window.wait(lambda state: state["given"]["glide"] == "off")
    before = heading(window.state())
    window.mouse(
        "move",
        400,
        200,
        "mousedown",
        1,
        "move",
        420,
        200,
        "sleep",
        0.02,
        "move",
        440,
        200,
        "mouseup",
        1,
    )
    state = window.wait(lambda state: state["held"] and state["settled"] and not state["awake"])
    by_hand = np.pi * 40 / 480
    turned = before - heading(state)
    assert turned > 1.05 * by_hand if glide == "on" else turned == pytest.approx(by_hand)


def test_a_low_panel_shows_what_is_needed_most_without_scrolling(window: DrivenWindow) -> None:
    state = new(window)
    for name in (
        "BROWSE",
        "LEARN",
        "DIAGRAM",
        "EDIT",
        "SAVE_FILE",
        "PALETTE",
    ):
        left, top, width, height = state["controls"][f"panel {name}"]
        assert 0 < left < left + width < 240
        assert 400 < top < top + height < 472
    for row in ("prop", "colors", "jugglers", "speed", "bps", "view"):
        assert state["rows"][row][1] + state["rows"][row][3] < 390


def test_the_clock_says_beat_and_seconds_of_a_loop_that_is_repeated(window: DrivenWindow) -> None:
    state = new(window)
    window.mouse("move", *place(state, "transport clock"))
    state = window.wait(lambda state: state["tip"][0] == "Time")
    assert state["tip"][2] == "Beat 2 of 6, 0.30 s of a 1.65 s loop"


@pytest.mark.parametrize(
    ("away", "size"),
    sampled([("pan", (640, 480)), ("zoom", (1920, 1080))], ("pan", (640, 480)), arguments=2),
)
def test_a_button_leads_back_to_a_juggler_who_is_out_of_sight(
    window: DrivenWindow, away: str, size: tuple[int, int]
) -> None:
    new(window, size)
    middle = size[0] * 0.7, size[1] / 2
    if away == "pan":
        for _ in range(3):
            window.drag(middle, (size[0] - 1, size[1] / 2), 3)
    else:
        window.keys(*keys_for(Action.ZOOM_OUT) * 25)
    state = window.wait(lambda state: "frame FRAME Fit" in state["controls"] and not state["awake"])
    assert state["held"]
    assert not state["unexplained"]
    window.mouse("move", *place(state, "FRAME Fit"), "drawn", "click", 1)
    state = window.wait(lambda state: not state["held"] and state["settled"] and not state["awake"])
    assert "frame FRAME Fit" not in state["controls"]


def heading(state: State) -> float:
    """From where the camera looks, around the vertical, [rad]."""
    x, _, z = np.subtract(state["eye"], state["target"])
    return float(np.arctan2(x, z))


def test_two_fingers_turn_the_camera_and_a_wheel_zooms(window: DrivenWindow) -> None:
    before = new(window)

    def distance(state: State) -> float:
        return float(np.linalg.norm(np.subtract(state["eye"], state["target"])))

    window.mouse("move", 450, 200, "click", 7)
    turned = window.wait(lambda state: state["eye"] != before["eye"] and not state["awake"])
    assert distance(turned) == pytest.approx(distance(before))
    window.mouse("sleep", 0.6, "click", 4)
    nearer = window.wait(
        lambda state: distance(state) < 0.95 * distance(before) and not state["awake"]
    )
    window.mouse("sleep", 0.6, "keydown", "ctrl", "click", 7, "click", 4, "keyup", "ctrl")
    window.wait(lambda state: distance(state) < 0.95 * distance(nearer))


def test_each_name_that_an_error_mentions_has_a_button(window: DrivenWindow) -> None:
    new(window)
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("ls mess")
    window.keys("Return")
    state = window.wait(lambda state: any("offer" in name for name in state["controls"]))
    names = [name.split("offer ")[1] for name in state["controls"] if "offer " in name]
    assert names[:3] == ["Flo's mess", "Mills mess", "Half-mess"]
    window.keys("Escape")


def test_an_error_moves_nothing_and_a_near_pattern_is_a_click_away(
    window: DrivenWindow,
) -> None:
    before = new(window)
    window.keys("slash")
    window.type("532")
    window.keys("Return")
    window.wait(lambda state: state["error"])
    state = window.drawn()
    assert state["rows"]["prop"] == before["rows"]["prop"]
    offered = [each for each in state["controls"] if "offer" in each]
    assert [each.split()[-1] for each in offered] == ["522", "531", "534"]
    window.mouse("move", *place(state, "offer 534"), "click", 1)
    window.wait(lambda state: state["line"] == "534" and not state["error"])
    assert window.drawn()["rows"]["prop"] == before["rows"]["prop"]


def test_the_name_of_an_action_in_place_of_a_pattern_is_a_click_away(
    window: DrivenWindow,
) -> None:
    new(window)
    window.keys("slash")
    window.type("routine")
    window.keys("Return")
    window.wait(lambda state: state["error"])
    window.mouse("move", *place(window.drawn(), "offer Routine"), "click", 1)
    state = window.wait(lambda state: any("routine" in name for name in state["controls"]))
    assert not state["error"]


def test_nothing_moves_for_a_search(window: DrivenWindow) -> None:
    names = ("panel find", "panel BROWSE", "panel PALETTE", "panel UNDO")

    def places(state: State) -> list[list[float]]:
        return [state["controls"][name] for name in names]

    before = places(new(window))
    window.keys("q")
    for words in ("elbow", "zzz"):
        window.wait(lambda state: state["typing"])
        window.keys("ctrl+a")
        window.type(words)
        window.wait(lambda state, words=words: state["sought"] == words)
        assert places(window.drawn()) == before
    window.mouse("move", *place(window.drawn(), "panel clear"), "click", 1)
    window.wait(lambda state: not state["sought"])
    window.keys("q")
    window.type("elbow")
    window.wait(lambda state: state["sought"] == "elbow")
    window.keys("ctrl+s")
    window.wait(lambda state: not state["sought"] and "prop" in state["lines"])
    window.keys("Escape")


def test_a_tooltip_ends_with_the_click_until_the_mouse_comes_again(window: DrivenWindow) -> None:
    state = new(window)
    spot = place(state, "transport STEP_ON")
    window.mouse("move", *spot)
    window.wait(lambda state: state["tip"][0])
    time = state["time"]
    window.mouse("click", 1)
    window.wait(lambda state: state["time"] > time and not state["awake"])
    assert not window.drawn()["tip"][0]
    window.mouse("move", spot[0] + 6, spot[1], "sleep", 0.6)
    assert not window.drawn()["tip"][0], "it is still the same button"
    window.mouse("move", 400, 200, "drawn", "move", *spot)
    window.wait(lambda state: state["tip"][0])
    window.mouse("move", *place(state, "panel SAVE_FILE"), "click", 1)
    window.wait(lambda state: any("prompt" in name for name in state["controls"]))
    window.mouse("sleep", 0.6)
    assert not window.drawn()["tip"][0], "the card that opened explains itself"
    window.mouse("move", *place(window.drawn(), "kind 2"), "sleep", 0.6)
    assert not window.drawn()["tip"][0], "its words say all"
    window.keys("Escape")


def test_an_unknown_name_leads_to_the_library(window: DrivenWindow) -> None:
    new(window)
    window.keys("slash")
    window.type("nosuchname")
    window.keys("Return")
    window.wait(lambda state: state["error"])
    window.mouse("move", *place(window.drawn(), "offer Browse library"), "click", 1)
    window.wait(lambda state: state["desk"]["browsing"] and not state["error"])


def test_the_mark_of_a_prop_above_the_picture_says_what_it_is_and_which_key_shows_all(
    window: DrivenWindow,
) -> None:
    left, top, width, height = window.afresh("97531", 0.5, size=(1280, 800))["head"]
    window.mouse("move", left + width / 2, top + height + 24)
    state = window.wait(lambda state: state["tip"][0])
    assert (state["tip"][0], state["tip"][3]) == ("Above the picture", "F8")
    window.keys(*keys_for(Action.FRAMING))
    window.wait(lambda state: state["given"]["framing"] == "whole" and state["settled"])
    window.mouse("move", left + width / 2 + 4, top + height + 24)
    assert not window.wait(lambda state: not state["awake"])["tip"][0]
