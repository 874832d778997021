import json
from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.errors import ExportError, JuggleError, ViewerError
from juggle_anim.viewer.panel.controls import (
    MAX_NAME_LENGTH,
    PresetList,
    PresetStore,
    preset_of,
    with_preset,
)
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "presets.json"


@pytest.fixture
def controller(path: Path) -> Controller:
    controller = Controller(animate("531"))
    controller.model.preset_list = PresetList(lambda: path)
    return controller


@pytest.fixture
def model(controller: Controller) -> Model:
    return controller.model


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"dwell": 1.0},
        {"prop": "club", "catches": "claw"},
        {"dwell": 0.7, "style": "natural", "bps": 4.5},
    ],
)
def test_a_preset_turns_another_pattern_the_same_way(given: dict[str, float | str]) -> None:
    source = animate("531", **given)
    turned = with_preset(animate("97531", gravity=500, colors="orbits"), preset_of(source))
    assert turned.pattern is not None
    assert turned.pattern.text == "97531"
    assert turned.parameters == source.parameters
    assert turned.score.staging == source.score.staging


def test_ways_of_hands_stay_with_their_pattern() -> None:
    mess = animate("Mills Mess")
    assert "hands" not in preset_of(mess)
    assert with_preset(mess, "prop=club").score.staging.hands == mess.score.staging.hands


def test_a_preset_of_another_program_is_refused_with_its_reason() -> None:
    with pytest.raises(JuggleError, match="wobble"):
        with_preset(animate("3"), "wobble=3")


def test_presets_are_saved_replaced_and_deleted(path: Path) -> None:
    PresetStore(path).save(" slow\tclubs ", "prop=club")
    PresetStore(path).save("Moon", "gravity=162")
    assert PresetStore(path).all() == {"Moon": "gravity=162", "slow clubs": "prop=club"}
    PresetStore(path).save("Moon", "gravity=160")
    PresetStore(path).delete("slow clubs")
    PresetStore(path).delete("not there")
    assert PresetStore(path).all() == {"Moon": "gravity=160"}


@pytest.mark.parametrize("name", ["", " \n ", "x" * (MAX_NAME_LENGTH + 1)])
def test_a_preset_needs_a_name(path: Path, name: str) -> None:
    with pytest.raises(ViewerError, match="name of 1 to"):
        PresetStore(path).save(name, "")
    assert not path.exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"presets": 3}', '{"presets": {"a": 1}}', "[" * 9999, "\0"]
)
def test_a_broken_file_is_no_presets(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    store = PresetStore(path)
    assert store.all() == {}
    assert bool(store.error) == (text != '{"presets": {"a": 1}}')
    store.save("a", "dwell=1")
    assert store.all() == {"a": "dwell=1"}
    assert store.error == ""


def test_a_broken_file_is_kept_beside_the_new_one(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"presets": {"a": "dwell=1",')
    PresetStore(path).save("b", "")
    assert path.with_name("presets.old.json").read_text().startswith('{"presets": {"a"')


def test_what_a_newer_program_keeps_there_stays(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"presets": {"a": "dwell=1"}, "later": [1]}')
    PresetStore(path).save("b", "")
    assert json.loads(path.read_text()) == {"presets": {"a": "dwell=1", "b": ""}, "later": [1]}


def test_a_file_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="cannot save"):
        PresetStore(tmp_path / "file" / "presets.json").save("a", "")


def test_the_list_saves_applies_and_deletes_and_undo_takes_it_back(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.WING)
    controller.perform(Action.PRESETS)
    model.step_value(2)
    model.preset_list.name = "wings"
    model.preset_list.save(preset_of(model.animation))
    assert (model.preset_list.chosen, model.preset_list.name) == ("wings", "")
    controller.perform(Action.RESET_ALL)
    model.apply_preset("wings")
    assert model.animation.parameters.chicken_wing == 40.0
    controller.perform(Action.UNDO)
    assert model.animation.parameters.chicken_wing == 30.0
    model.preset_list.delete("wings")
    assert (model.preset_list.presets, model.preset_list.chosen) == ({}, None)


def test_what_goes_wrong_is_said_in_the_list(
    model: Model, controller: Controller, path: Path
) -> None:
    PresetStore(path).save("odd", "wobble=3")
    controller.perform(Action.PRESETS)
    model.apply_preset("odd")
    assert "wobble" in model.preset_list.error
    model.preset_list.save("")
    assert "name" in model.preset_list.error


def test_arrows_choose_around_the_ends(model: Model, controller: Controller, path: Path) -> None:
    for name in "abc":
        PresetStore(path).save(name, "")
    controller.perform(Action.PRESETS)
    chosen = []
    for ways in (1, 1, 1, 1, -1):
        model.preset_list.step(ways)
        chosen.append(model.preset_list.chosen)
    assert chosen == ["a", "b", "c", "a", "c"]


def test_escape_closes_the_list_before_it_leaves(model: Model, controller: Controller) -> None:
    controller.perform(Action.PRESETS)
    controller.perform(Action.BACK)
    assert not model.preset_list.shown
    assert not model.leaving
