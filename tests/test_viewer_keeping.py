import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.keeping import recall, remember, remembered_animation, share
from juggle_anim.viewer.key_choice import chosen_bindings
from juggle_anim.viewer.keys import BINDINGS
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.memory import Memory, View, read_memory, write_memory
from juggle_anim.viewer.model import Model

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["531", "front", "pause", "dwell", "x"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["dwell", "arms", "pause", "target", "distance", "azimuth"]), inner)
    ),
    max_leaves=10,
)


def reopened(model: Model) -> Model:
    """The viewer that opens after this one was closed."""
    memory = read_memory(write_memory(remember(model, Memory(), closing=True)))
    animation, trouble = remembered_animation(memory)
    assert trouble == ""
    again = Model(animation)
    recall(memory, again, resumed=True)
    return again


def test_pattern_parameters_time_and_what_was_typed_come_back() -> None:
    model = Model(animate("pattern=(6x,4)*;gravity=500;prop=club;title=Low"), 0.4, paused=True)
    model.line, model.panel_shown = "5a", False
    model.desk.browser.star("441")
    again = reopened(model)
    assert (again.animation.score, again.animation.parameters) == (model.animation.score, model.animation.parameters)
    assert again.playback.time == pytest.approx(0.4)
    assert again.playback.paused
    assert (again.line, again.panel_shown, again.desk.browser.favourites) == ("5a", False, ["441"])


def test_events_come_back_from_their_file_with_their_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    monkeypatch.chdir(tmp_path)
    model = Model(animate("3"))
    model.type_pattern("box.jml")
    model.set_value(next(row for row in model.lines if getattr(row, "name", "") == "chicken_wing"), 60.0)
    memory = remember(model, Memory(), closing=True)
    monkeypatch.chdir("/")
    animation, trouble = remembered_animation(memory)
    assert trouble == ""
    again = Model(animation)
    assert again.animation.title == "My box"
    assert again.animation.parameters.chicken_wing == 60


def test_a_camera_that_was_moved_comes_back() -> None:
    model, layout = Model(animate("531")), Layout(800, 600, 1.0)
    model.rig.aim(model.animation, layout, 0.0)
    model.rig.turn(0.2, 0.1)
    model.rig.aim(model.animation, layout, 9.0)
    again = reopened(model)
    again.rig.aim(again.animation, layout, 0.0)
    assert again.rig.held
    assert again.rig.camera.eye == pytest.approx(model.rig.camera.eye, abs=1e-3)


def test_a_pattern_that_is_gone_gives_way_to_the_cascade_with_a_word_about_it() -> None:
    animation, trouble = remembered_animation(Memory(pattern="/gone/tricks.jml#3"))
    assert animation.text == "Cascade"
    assert "tricks.jml" in trouble
    assert "\n" not in trouble


def test_parameters_that_this_version_does_not_know_are_left_out(tmp_path: Path) -> None:
    memory = Memory(pattern="531", parameters={"chicken_wing": 60.0, "hat_size": 7.0, "dwell": 99.0, "arms": "robot"})
    animation, trouble = remembered_animation(memory)
    assert trouble == ""
    assert animation.parameters.chicken_wing == 60
    assert animation.parameters.dwell == 1.3


def test_somebody_who_names_a_pattern_gets_it_as_it_is_and_keeps_favourites() -> None:
    model = Model(animate("441"))
    view = View((0.0, 1.0, 0.0), 4.0, 0.0, 0.1)
    recall(Memory(time=0.7, draft="5a", favourites=("3",), view=view), model, resumed=False)
    assert (model.playback.time, model.line, model.rig.held) == (0.0, "441", False)
    assert model.desk.browser.favourites == ["3"]


def test_time_that_runs_is_only_written_down_at_the_end() -> None:
    model = Model(animate("531"), 0.5)
    before = remember(model, Memory(), closing=False)
    model.playback.time = 0.9
    assert remember(model, before, closing=False) == before
    assert remember(model, before, closing=True).time == pytest.approx(0.9)


def test_what_belongs_to_others_is_kept() -> None:
    before = Memory(size=(800, 600), keys={"pause": ("x",)}, other={"hats": 3})
    after = remember(Model(animate("531")), before, closing=True)
    assert (after.size, after.keys, after.other) == (before.size, before.keys, before.other)


def test_any_camera_in_the_file_can_be_looked_through() -> None:
    model, layout = Model(animate("531")), Layout(800, 600, 1.0)
    recall(Memory(view=View((0.0, 1.0, 0.0), -3.0, 1e5, 40.0), standpoint="moon"), model, resumed=True)
    model.rig.aim(model.animation, layout, 0.1)
    assert 0.4 < model.rig.orbit.distance < 200
    assert abs(model.rig.orbit.elevation) < 1.6


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([*json.loads(write_memory(Memory())), "hats"]), anything, max_size=8))
def test_a_viewer_begins_with_whatever_stands_in_its_memory(data: dict[str, object]) -> None:
    memory = read_memory(json.dumps(data))
    animation, _ = remembered_animation(memory)
    model, layout = Model(animation), Layout(800, 600, 1.0)
    recall(memory, model, resumed=True)
    model.rig.aim(model.animation, layout, 0.1)
    chosen_bindings(BINDINGS, memory.keys)
    assert read_memory(write_memory(remember(model, memory, closing=True))).pattern


def test_favourites_of_another_window_appear_and_the_chosen_pattern_stays_chosen() -> None:
    model = Model(animate("3"))
    recall(Memory(favourites=("441", "531")), model, resumed=False)
    browser = model.desk.browser
    browser.open()
    browser.turn_filter(0)
    browser.find("531")
    share(Memory(favourites=("b97531", "441", "531"), recent=("3",)), model)
    assert (browser.favourites, browser.recent) == (["b97531", "441", "531"], ["3"])
    assert browser.chosen
    assert browser.text_of(browser.chosen) == "531"
