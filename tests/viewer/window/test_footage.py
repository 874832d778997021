"""A film of known beats in the real window: dropped, marked with real keys, and its tempo used."""

import shutil
from pathlib import Path

import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow
from small_films import write_film

from juggle_anim.animation import animate
from juggle_anim.api import export
from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

BPS = 4.0
BEAT = 15  # steps of a sixtieth of a second
MISSED = [1, -2, 0, 2, -1, -1, 1]
"""Steps by which a person misses throws: 20 ms on average."""


def test_a_film_of_known_beats_is_marked_with_the_key_and_gives_its_tempo(
    window: DrivenWindow, tmp_path: Path
) -> None:
    (film,) = export(
        animate("3").replace(bps=BPS), tmp_path / "film.gif", size=(48, 64), fps=20, seconds=2.0
    )
    window.afresh("3", at=0.0)
    window.keys(*keys_for(Action.FOOTAGE))
    window.wait(lambda state: state["film"]["card"])
    assert window.drop(film)
    window.wait(lambda state: state["film"]["name"] == "film.gif")
    steps = [BEAT * beat + missed for beat, missed in enumerate(MISSED, start=1)]
    step, mark = keys_for(Action.STEP_ON, Action.MARK_BEAT)
    for before, at in zip([0, *steps], steps, strict=False):
        window.burst(*[step] * (at - before))
        window.wait(lambda state, at=at: abs(state["film"]["time"] - at / 60) < 1e-3)
        # A mark is of the picture that is seen, which comes later on a busy machine.
        window.drawn()
        window.wait(lambda state: not state["film"]["late"])
        window.keys(mark)
    state = window.wait(lambda state: len(state["film"]["marks"]) == len(steps))
    assert [mark[0] for mark in state["film"]["marks"]] == pytest.approx(
        [at / 60 for at in steps], abs=1e-3
    )
    window.keys(*keys_for(Action.USE_MARKS))
    state = window.wait(lambda state: state["parameters"]["bps"])
    assert state["parameters"]["bps"] == pytest.approx(BPS, rel=0.02)
    window.keys(*keys_for(Action.UNDO))
    window.wait(lambda state: state["parameters"]["bps"] is None)
    window.keys(*keys_for(Action.REMOVE_FILM))
    assert window.wait(lambda state: not state["film"]["name"])["film"]["marks"] == []


def test_a_film_is_placed_and_its_time_chosen_by_mouse(
    window: DrivenWindow, tmp_path: Path
) -> None:
    window.afresh("3", at=0.0)
    window.drop(write_film(tmp_path / "film.gif", 20, rate=10))
    state = window.wait(lambda state: "film Size" in state["rows"] and not state["awake"])
    left, top, width, height = state["rows"]["film Size"]
    line = top + height - 9
    window.drag((left + width / 2, line), (left + width, line))
    state = window.wait(
        lambda state: state["film"]["controls"].get("film Size") == 300 and not state["awake"]
    )
    left, top, width, height = state["rows"]["film Video"]
    window.mouse("move", left + width - 20, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: state["drop_down"])
    window.keys("End", "Return")
    window.wait(lambda state: state["film"]["place"] == "in front" and not state["drop_down"])
    window.mouse(
        "move", left + width / 2, top - 30, "drawn", "click", 1
    )  # the middle of the line above
    state = window.wait(lambda state: abs(state["film"]["time"] - 1.0) < 0.05)
    window.keys(*keys_for(Action.BACK))
    state = window.wait(lambda state: not state["film"]["card"])
    assert state["film"]["place"] == "in front"


def test_a_key_that_is_held_over_some_pictures_marks_how_long(
    window: DrivenWindow, tmp_path: Path
) -> None:
    window.afresh("3", at=0.0)
    window.drop(write_film(tmp_path / "film.gif", 20, rate=10))
    before = window.wait(lambda state: state["film"]["name"])["film"]["time"]
    window.mouse("keydown", "b")
    window.burst(*keys_for(*[Action.STEP_ON] * 12))
    state = window.wait(lambda state: state["film"]["time"] > before + 0.19)
    assert state["film"]["marks"] == []
    window.mouse("keyup", "b")
    (mark,) = window.wait(lambda state: state["film"]["marks"])["film"]["marks"]
    assert mark == pytest.approx([before, before + 0.2], abs=1e-3)
