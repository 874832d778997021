import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from driven_window import DrivenWindow
from long_cases import sampled

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

BROKEN = {
    "of wrong types": json.dumps(
        {
            "size": "wide",
            "place": [None, {}],
            "pattern": ["531"],
            "parameters": {"dwell": "lots", "arms": 3},
            "time": "noon",
            "panel": 0,
            "standpoint": 5,
            "juggler": "left",
            "beats": "no",
            "plots": [1],
            "numbers": 5,
            "sound": "loud",
            "folded": {"Look": 1},
            "view": {"target": [1, 2]},
            "draft": 1,
            "recent": {"3": 1},
            "favourites": "441",
            "keys": {"pause": [1, "no such key"], "hat": "x"},
        }
    ),
    "of a newer version with wild numbers": '{"version": 99, "pattern": "new:cascade@3d", '
    '"numbers": "roman", '
    '"folded": ["Hats"], "plots": 99, "juggler": 9, "diagram": "cube", "size": [1e5, 1e5], '
    '"place": [-99999, 99999], '
    '"time": -1e5, "view": {"target": [1e5, 0, 0], "distance": 0, "azimuth": 1e5, "elevation": '
    "-40}, "
    '"parameters": {"speed": 1e5, "hat": 7}}',
}


@pytest.mark.parametrize("kind", sampled(BROKEN, "of wrong types"))
def test_no_settings_stand_in_the_way_of_a_start(
    new_window: Opener, tmp_path: Path, kind: str
) -> None:
    memory = tmp_path / "viewer.json"
    memory.write_text(BROKEN[kind])
    window = new_window(memory, pattern="resumed", paused=False)
    window.wait(lambda state: state["frames"] > 3)
    window.keys("ctrl+q")
    assert window.exit_code() == 0
    assert json.loads(memory.read_text())["pattern"]


def test_a_picture_comes_back_after_opengl_has_forgotten_it(
    new_window: Opener, tmp_path: Path
) -> None:
    window = new_window(
        tmp_path / "viewer.json"
    )  # new: where others had scrolled the panel to is forgotten, too
    window.keys("p")
    window.wait(lambda state: state["settled"] and state["plots"] and not state["awake"])
    before = window.pixels()
    window.forget()
    window.wait(lambda _: np.abs(window.pixels().astype(int) - before).max() <= 2)
    assert len(np.unique(before)) > 50
    window.keys("Tab")
    window.wait(lambda state: not state["panel"])


def test_controls_of_the_panel_stay_where_they_are_while_one_edits_types_and_folds(
    open_window: Opener,
) -> None:
    window = open_window(folded=True, chosen="")

    def places() -> dict[str, list[float]]:
        state = window.wait(lambda state: not state["awake"])
        return {name: place for name, place in state["controls"].items() if "panel" in name}

    before = places()
    window.edit("441")
    window.wait(lambda state: state["pattern"] == "441" and "panel unsaved" in state["controls"])
    edited = places()
    # The star stands right of the name, whose width is that of its characters.
    moved = {name: edited[name] for name in ("panel unsaved", "panel favourite")}
    assert edited == before | moved
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    typing = places()
    assert typing == {name: edited[name] for name in typing}
    window.keys("Escape")
    window.wait(lambda state: not state["typing"])
    left, top, width, height = before["panel group Basics"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    after = window.wait(lambda state: "panel slider prop" not in state["controls"])["controls"]
    for name in ("panel pattern", "panel find", "panel group Basics", "panel BROWSE", "panel EDIT"):
        assert after[name][:2] == before[name][:2]
