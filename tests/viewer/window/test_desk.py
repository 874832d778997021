import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import PATIENCE, DrivenWindow, State
from long_cases import sampled

from juggle_anim.notation import open_pattern, open_patterns, write_file
from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def desk(name: str, wanted: object) -> Callable[[State], bool]:
    return lambda state: bool(state["desk"][name] == wanted)


def juggles(text: str) -> Callable[[State], bool]:
    return lambda state: bool(state["pattern"] == text)


def test_the_library_is_searched_while_one_types_and_arrows_play_what_is_found(
    open_window: Opener,
) -> None:
    window = open_window()
    window.keys("e")
    state = window.wait(lambda state: state["desk"]["browsing"] and state["desk"]["ready"])
    assert len(state["desk"]["found"]) > 400
    assert state["desk"]["chosen"] == "531"
    window.type("mills mess")
    state = window.wait(desk("words", "mills mess"))
    assert state["desk"]["found"][0] == "Mills mess"
    assert state["pattern"] == "531"
    window.keys("Down")
    window.wait(juggles("Mills mess"))
    window.keys("Down", "Down", "Up")
    state = window.wait(juggles(state["desk"]["found"][1]))
    window.keys("Return")
    window.wait(lambda state: not state["desk"]["browsing"] and not state["typing"])


def test_nothing_is_lost_of_what_somebody_types_in_haste(open_window: Opener) -> None:
    window = open_window()
    window.keys("e")
    window.type("mills mess")
    window.wait(desk("words", "mills mess"))
    window.keys("Escape", "Escape")
    window.type("/b97531")
    window.keys("Return")
    state = window.wait(juggles("b97531"))
    assert not state["help"]
    assert state["lab"] is None


def test_keys_faster_than_frames_all_arrive_where_they_are_for(open_window: Opener) -> None:
    window = open_window()
    sounding = window.state()["sound"]
    for pattern in ("b97531", "441", "423"):
        window.keys("e")
        window.wait(desk("ready", True))
        window.burst("Escape", "slash", *pattern, "Return", "F1", "m", "m")
        window.wait(juggles(pattern))
        state = window.wait(lambda state: not state["awake"])
        assert state["sound"] == sounding
        assert state["entry"] is None


def test_a_digit_or_a_bracket_begins_a_pattern_wherever_nobody_types(open_window: Opener) -> None:
    window = open_window()
    window.type("97531")
    window.keys("Return")
    window.wait(juggles("97531"))
    window.type("53")
    window.keys("Escape")
    window.wait(lambda state: state["line"] == "97531" and not state["typing"])
    window.keys("h")
    window.wait(lambda state: state["help"])
    window.burst("4", "4", "1", "Return")
    window.wait(lambda state: juggles("441")(state) and not state["help"])
    for pattern in ("(6x,4)*", "[34]1", "<3p|3p>", "b97531"):
        window.type(pattern)
        window.keys("Return")
        window.wait(juggles(pattern))
    window.keys("KP_5", "KP_1", "KP_Enter")
    window.wait(juggles("51"))


def test_what_is_typed_at_once_after_the_key_of_a_search_is_sought(open_window: Opener) -> None:
    window = open_window()
    window.burst("q", *"solver")
    window.wait(lambda state: state["sought"] == "solver" and state["typing"])
    window.burst("Escape", "Escape", "e", *"441")
    state = window.wait(desk("words", "441"))
    assert (state["sought"], state["pattern"]) == ("", "531")


def test_filters_are_turned_by_keys_and_escape_empties_the_search_before_it_closes(
    open_window: Opener,
) -> None:
    window = open_window()
    window.keys("ctrl+3")
    state = window.wait(lambda state: state["desk"]["browsing"] and state["drop_down"])
    options = state["drop_down"]["options"]
    assert list(options) == ["Any level", "Easy", "Medium", "Hard"]
    window.type("ha")
    window.keys("Return")
    state = window.wait(
        lambda state: state["desk"]["ready"] and 0 < len(state["desk"]["found"]) < 200
    )
    assert options["Hard"] == str(len(state["desk"]["found"])), "its number is that of the patterns"
    window.type("shower")
    state = window.wait(desk("words", "shower"))
    assert "Five-ball shower" in state["desk"]["found"]
    assert "Three-ball shower" not in state["desk"]["found"]
    window.keys("Escape")
    window.wait(lambda state: state["desk"]["words"] == "" and len(state["desk"]["found"]) > 400)
    window.keys("Escape")
    window.wait(desk("browsing", False))


def test_a_list_shows_whole_rows_and_all_patterns_again_after_enter(open_window: Opener) -> None:
    window = open_window()
    window.keys("e")
    window.wait(lambda state: state["desk"]["browsing"] and state["desk"]["ready"])
    window.mouse("move", 100, 250, "click", 5, "click", 5, "click", 5)
    window.wait(lambda state: not state["awake"])
    state = window.wait(lambda state: any("browser row" in name for name in state["controls"]))
    rows = [place for name, place in state["controls"].items() if name.startswith("browser row")]
    tops = [place[1] for place in rows]
    assert len(rows) >= 4
    assert {below - above for above, below in itertools.pairwise(tops)} == {40}
    assert 140 < tops[0] < 170
    assert tops[-1] + 40 < 480 - 100
    window.keys("ctrl+3")
    window.wait(lambda state: state["drop_down"])
    window.type("ha")
    window.keys("Return")
    window.wait(lambda state: state["desk"]["ready"] and len(state["desk"]["found"]) < 400)
    window.type("mills")
    window.wait(desk("words", "mills"))
    window.keys("Return")
    window.wait(desk("browsing", False))
    window.keys("e")
    state = window.wait(lambda state: state["desk"]["browsing"] and state["desk"]["ready"])
    assert state["desk"]["words"] == ""
    assert len(state["desk"]["found"]) > 400


def test_a_row_is_clicked_and_starred(open_window: Opener) -> None:
    window = open_window()
    window.keys("e")
    window.wait(lambda state: state["desk"]["browsing"] and state["desk"]["ready"])
    window.type("box")
    found = window.wait(lambda state: desk("words", "box")(state) and not state["awake"])["desk"][
        "found"
    ]
    left, top, width, height = map(round, window.state()["controls"]["browser star 1"])
    star = window.pixels()[top : top + height, left : left + width]
    assert np.ptp(star) > 10, "also where the mouse is not"
    window.mouse("move", 80, 210, "drawn", "click", 1)
    state = window.wait(lambda state: state["desk"]["chosen"] in found)
    window.keys("ctrl+d")
    window.wait(desk("favourites", [state["desk"]["chosen"]]))
    left, top, width, height = window.state()["controls"]["browser star 2"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    starred = window.wait(lambda state: len(state["desk"]["favourites"]) == 2)["desk"]["favourites"]
    window.keys("ctrl+d")
    state = window.wait(
        lambda state: len(state["desk"]["favourites"]) == 1 and "notice offer" in state["controls"]
    )
    left, top, width, height = state["controls"]["notice offer"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(desk("favourites", starred))


def test_a_pattern_is_saved_and_opened_by_its_path(open_window: Opener, tmp_path: Path) -> None:
    window, path = open_window(), tmp_path / "my own.txt"
    window.keys("Right", "ctrl+s")
    state = window.wait(lambda state: state["desk"]["prompt"] == "SAVE" and state["desk"]["ready"])
    assert state["desk"]["prompt_text"].endswith("531.gif")
    window.keys("ctrl+a")
    window.type(str(path))
    window.keys("Return")
    window.wait(
        lambda state: state["desk"]["notice"].startswith("Saved to") and not state["desk"]["prompt"]
    )
    assert open_pattern(str(path)).parameters == {"chicken_wing": 35}
    window.keys("Right")
    window.wait(desk("edited", True))
    window.keys("ctrl+shift+s")
    window.wait(lambda state: state["desk"]["prompt"] == "SAVE" and state["desk"]["ready"])
    window.keys("Return")
    window.wait(
        lambda state: "already exists" in state["desk"]["prompt_error"] and state["desk"]["ready"]
    )
    assert open_pattern(str(path)).parameters == {"chicken_wing": 35}
    window.keys("Return")
    window.wait(desk("prompt", ""))
    assert open_pattern(str(path)).parameters == {"chicken_wing": 40}
    window.keys("Right")
    window.wait(desk("edited", True))
    window.keys("ctrl+s")
    window.wait(desk("edited", False))
    assert open_pattern(str(path)).parameters == {"chicken_wing": 45}
    window.keys("Home", "ctrl+o")
    window.wait(lambda state: state["desk"]["prompt"] == "OPEN" and state["desk"]["ready"])
    window.type(f"{tmp_path}/nothing.jml")
    window.keys("Return")
    window.wait(
        lambda state: (
            "nothing.jml does not exist" in state["desk"]["prompt_error"] and state["desk"]["ready"]
        )
    )
    window.keys("Down")
    window.wait(desk("prompt_text", str(path)))
    window.keys("Return")
    window.wait(lambda state: state["parameters"]["chicken_wing"] == 45)
    window.keys("Home", "ctrl+o")
    left, top, width, height = window.wait(lambda state: "recent 0" in state["desk"]["answers"])[
        "desk"
    ]["answers"]["recent 0"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(
        lambda state: state["parameters"]["chicken_wing"] == 45 and not state["desk"]["prompt"]
    )
    window.keys("ctrl+o", "Escape")
    window.wait(desk("prompt", ""))


def test_unsaved_work_is_asked_about_before_the_window_closes(
    open_window: Opener, tmp_path: Path
) -> None:
    window = open_window()
    path = tmp_path / "mine.jml"
    write_file(open_patterns("51"), path)
    assert window.drop(path)
    window.wait(juggles("51"))
    window.edit("441")
    window.wait(lambda state: state["caption"].startswith("• 441"))
    window.keys("ctrl+q")
    window.wait(lambda state: "mine.jml" in state["desk"]["question"])
    window.keys("Right", "Right")
    window.wait(desk("answer", "Cancel"))
    window.keys("Return")
    window.wait(desk("question", ""))
    window.ask_to_close()
    left, top, width, height = window.wait(lambda state: state["desk"]["answers"])["desk"][
        "answers"
    ]["Cancel"]
    window.mouse("move", 100, 200, "click", 1)  # what is behind does nothing
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    assert window.wait(desk("question", ""))["chosen"] == "chicken_wing"
    window.ask_to_close()
    window.type("s")
    assert window.process.wait(PATIENCE) == 0
    assert open_pattern(str(path)).score.pattern.text == "441"


def test_throws_that_the_history_holds_are_not_asked_about(open_window: Opener) -> None:
    window = open_window()
    window.edit("441")
    window.wait(lambda state: state["pattern"] == "441")
    window.ask_to_close()
    assert window.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("listed", sampled([False, True], True))
def test_a_list_that_is_dropped_shows_all_its_patterns(
    open_window: Opener, tmp_path: Path, listed: bool
) -> None:
    path = tmp_path / "my tricks.txt"
    path.write_text("999x9\n441  # four four one\nb97531\n")
    window = open_window()
    assert window.drop(path, listed=listed)
    state = window.wait(desk("file", str(path)))
    assert state["desk"]["found"] == ["999x9", "four four one", "b97531"]
    window.wait(lambda state: juggles("441")(state) and state["desk"]["ready"])
    window.keys("Down")
    window.wait(juggles("b97531"))
    window.keys("Home", "Up", "Up")
    window.wait(
        lambda state: state["desk"]["notice"].startswith("Invalid") and juggles("441")(state)
    )


def test_several_files_that_are_dropped_are_listed_with_all_their_patterns(
    open_window: Opener, tmp_path: Path
) -> None:
    paths = [tmp_path / "first.txt", tmp_path / "second.txt"]
    for path, text in zip(paths, ("441\nb97531\n", "97531\n"), strict=True):
        path.write_text(text)
    window = open_window()
    window.keys("h")
    assert window.drop(*paths)
    state = window.wait(
        lambda state: (
            desk("file", "2 files")(state) and juggles("441")(state) and state["desk"]["ready"]
        )
    )
    assert (state["desk"]["found"], state["help"]) == (["441", "b97531", "97531"], False)
    window.keys("Down", "Down")
    window.wait(juggles("97531"))


def test_tab_completes_a_path(open_window: Opener, tmp_path: Path) -> None:
    (tmp_path / "of mine").mkdir()
    for name, text in (("trick-a.txt", "441"), ("trick-b.txt", "b97531")):
        (tmp_path / "of mine" / name).write_text(text)
    window = open_window()
    window.keys("ctrl+o")
    window.wait(lambda state: state["desk"]["prompt"] == "OPEN" and state["desk"]["ready"])
    window.type(f"{tmp_path}/of")
    window.keys("Tab", "Tab")
    state = window.wait(lambda state: state["desk"]["prompt_text"] == f"{tmp_path}/of mine/trick-")
    assert state["panel"]
    assert state["desk"]["prompt_told"] == "trick-a.txt  ·  trick-b.txt"
    window.type("b")
    window.keys("Tab", "Return")
    window.wait(lambda state: juggles("b97531")(state) and not state["desk"]["prompt"])


def test_what_is_no_file_is_refused_and_a_foreign_file_says_why(
    open_window: Opener, tmp_path: Path
) -> None:
    window = open_window()
    assert not window.drop_data("text/plain", "531")
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\nnothing here is a pattern.\n")
    assert window.drop(path)
    state = window.wait(lambda state: state["desk"]["notice"])
    assert state["pattern"] == "531"
    path = tmp_path / "empty.bin"
    path.write_bytes(bytes(range(256)))
    assert window.drop(path)
    window.wait(lambda state: "empty.bin" in state["desk"]["notice"])


def test_it_opens_where_it_was_closed(new_window: Opener, tmp_path: Path) -> None:
    memory = tmp_path / "settings" / "viewer.json"
    window = new_window(memory, at=0.7)
    window.keys("ctrl+w", "Right", "ctrl+d", "y")
    state = window.wait(lambda state: "diagram causal" in state["controls"])
    left, top, width, height = state["controls"]["diagram causal"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.resize(800, 600)
    window.wait(lambda state: state["size"] == [800, 600])
    window.drag((500, 200), (560, 220))
    eye = window.wait(lambda state: state["held"] and state["settled"])["eye"]
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("5a")
    window.wait(lambda state: state["line"] == "5a")
    window.ask_to_close()
    assert window.exit_code() == 0
    again = new_window(memory, pattern="resumed", paused=False)
    state = again.wait(lambda state: state["settled"] and state["strip"])
    assert state["size"] == [800, 600]
    assert state["diagram"] == "causal"
    assert (state["pattern"], state["line"]) == ("531", "531"), "the line names what is juggled"
    assert state["parameters"]["chicken_wing"] == 35
    assert not state["paused"]
    assert state["eye"] == pytest.approx(eye, abs=0.01)
    assert state["desk"]["favourites"] == ["pattern=531;chickenwing=35"]


def test_a_viewer_that_is_killed_or_whose_window_is_destroyed_has_lost_next_to_nothing(
    new_window: Opener, tmp_path: Path
) -> None:
    memory = tmp_path / "viewer.json"
    window = new_window(memory)
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("7531")
    window.keys("Return", "ctrl+w", "Right")
    window.wait(lambda _state: memory.exists() and "chickenwing=35" in memory.read_text())
    window.process.kill()
    window.process.wait()
    again = new_window(memory, pattern="resumed")
    state = again.state()
    assert (state["line"], state["parameters"]["chicken_wing"]) == ("7531", 35)
    again.keys("ctrl+w", "Right")
    again.wait(lambda state: state["parameters"]["chicken_wing"] == 40)
    again.window_command("windowclose")  # by another program
    assert again.exit_code() == 0
    assert "chickenwing=40" in memory.read_text()


def test_another_key_may_be_chosen_in_the_file(new_window: Opener, tmp_path: Path) -> None:
    memory = tmp_path / "viewer.json"
    memory.write_text(
        '{"keys": {"pause": ["f7", "shift+space"], "browse": "ctrl+k", "fly to moon": "f8"}}'
    )
    window = new_window(memory)
    window.wait(lambda state: "fly to moon" in state["desk"]["notice"])
    window.keys("space")
    assert window.state()["paused"]
    window.keys("F7")
    window.wait(lambda state: not state["paused"])
    window.keys("ctrl+k")
    window.wait(desk("browsing", True))


@pytest.mark.long
def test_a_trick_is_added_to_a_routine_by_the_mouse_where_it_will_be_juggled(
    open_window: Opener,
) -> None:
    window = open_window(pattern="pattern=3;prop=club")
    window.keys(*keys_for(Action.ROUTINE))

    def click(button: str) -> None:
        state = window.wait(lambda state: f"routine {button}" in state["controls"])
        left, top, width, height = state["controls"][f"routine {button}"]
        window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1, "drawn")

    click("begin")
    window.wait(lambda state: "routine line 1" in state["controls"])
    click("add a trick")
    state = window.wait(lambda state: state["typing"])
    lines = {name: place[1] for name, place in state["controls"].items() if "line" in name}
    assert lines["routine line 0"] < lines["routine routine line"] < lines["routine line 1"], (
        "the field is below the chosen line"
    )
    window.type("441")
    window.keys("Return")
    state = window.wait(lambda state: "routine line 2" in state["controls"] and state["loop"] > 20)
    assert state["given"]["prop"] == "club"


def test_a_line_of_a_routine_is_completed_mended_and_the_routine_comes_back(
    open_window: Opener,
) -> None:
    window = open_window(pattern="531 2 loops\nstop", size=(1280, 800))
    window.keys(*keys_for(Action.ROUTINE), "Insert")
    window.wait(lambda state: state["typing"])
    window.type("mil")
    state = window.wait(lambda state: "routine suggestion 0" in state["controls"])
    window.keys("Tab")
    window.wait(desk("routine_line", "Mills mess "))
    window.type("2 lops")
    window.wait(desk("routine_line", "Mills mess 2 lops"))
    window.keys("Return")
    state = window.wait(lambda state: state["desk"]["routine_error"])
    assert "did you mean loop" in state["desk"]["routine_error"]
    window.keys("BackSpace", "BackSpace", "BackSpace")
    window.type("oops")
    state = window.wait(desk("routine_line", "Mills mess 2 loops"))
    assert not state["desk"]["routine_error"]
    window.keys("Return")
    window.wait(lambda state: state["said"].startswith("Routine ready: 2 patterns"))
    loop = window.state()["loop"]
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("441")
    window.keys("Return")
    state = window.wait(
        lambda state: "notice offer" in state["controls"] and state["pattern"] == "441"
    )
    left, top, width, height = state["controls"]["notice offer"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: state["loop"] == loop)


def test_what_one_types_beside_a_routine_is_its_next_line_and_escape_leads_back_to_it(
    open_window: Opener,
) -> None:
    window = open_window(pattern="531 2 loops\nstop", size=(1280, 800))
    window.keys(*keys_for(Action.ROUTINE))
    window.wait(lambda state: "routine line 0" in state["controls"])
    window.type("441")
    state = window.wait(desk("routine_line", "441"))
    assert state["desk"]["routine"]
    window.keys("Escape")
    state = window.wait(lambda state: not state["typing"])
    assert state["desk"]["routine"]
    line = state["line"]

    window.keys("slash")
    window.wait(lambda state: state["typing"] and not state["desk"]["routine"])
    window.type("97531")
    window.keys("Escape")
    state = window.wait(desk("routine", True))
    assert state["line"] == line
    window.keys("Escape")
    window.wait(desk("routine", False))
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.keys("Escape")
    state = window.wait(lambda state: not state["typing"])
    assert not state["desk"]["routine"], "it was closed before"


def test_the_pattern_line_suggests_names_that_keys_and_clicks_take(open_window: Opener) -> None:
    window = open_window(pattern="3", size=(1280, 800))
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("mil")
    window.wait(
        lambda state: state["line"] == "mil" and "suggestions suggestion 0" in state["controls"]
    )
    window.keys("Tab")
    window.wait(lambda state: state["line"] == "Mills mess")
    # A whole name is not suggested any more.
    window.wait(lambda state: "suggestions suggestion 0" not in state["controls"])
    window.keys("Return")
    window.wait(lambda state: state["pattern"] == "Mills mess")

    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("bos")
    window.wait(
        lambda state: state["line"] == "bos" and "suggestions suggestion 2" in state["controls"]
    )
    window.keys("Down", "Down", "Up", "Down", "Return")
    window.wait(lambda state: state["pattern"] == "Boston shuffle")

    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("fount")
    state = window.wait(lambda state: "suggestions suggestion 0" in state["controls"])
    left, top, width, height = state["controls"]["suggestions suggestion 0"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: "ountain" in state["pattern"])


def test_the_star_beside_the_name_makes_a_favourite_and_shows_it(open_window: Opener) -> None:
    window = open_window(pattern="441")
    state = window.wait(lambda state: "panel favourite" in state["controls"] and state["settled"])
    left, top, width, height = (round(each) for each in state["controls"]["panel favourite"])
    star = np.s_[top + 4 : top + height - 4, left + 4 : left + width - 4]

    def dark_share() -> float:
        """How much of the star's place has the dark blue of what is chosen."""
        return float((window.pixels()[star][..., 0] < 90).mean())

    window.park_pointer()
    assert dark_share() < 0.1
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(desk("favourites", ["441"]))
    window.park_pointer()
    window.wait(lambda state: not state["awake"])
    assert dark_share() > 0.15
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(desk("favourites", []))
