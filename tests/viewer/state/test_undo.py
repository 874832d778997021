"""Steps of undo and history: two hundred, fewer of patterns that are large, never none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import ROWS, row_named
from juggle_anim.viewer.panel.controls import STAGING_CONTROLS
from juggle_anim.viewer.state import undo
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.undo import (
    MAX_STEPS,
    MAX_THROWS,
    History,
    Step,
    Undo,
    latest,
    step_of,
)

WING, DWELL = row_named("chicken_wing"), row_named("dwell")


PROP = next(row for row in STAGING_CONTROLS if row.name == "prop")


@pytest.fixture
def controller() -> Controller:
    return Controller(animate("531"))


@pytest.fixture
def model(controller: Controller) -> Model:
    return controller.model


def wing(model: Model) -> float:
    return model.animation.parameters.chicken_wing


def turn(model: Model, *values: float) -> None:
    """What a drag along some values does."""
    for value in values:
        model.set_value(WING, value)
    model.undo.end_step()


def test_a_whole_drag_is_one_step(model: Model, controller: Controller) -> None:
    turn(model, 40.0, 50.0, 60.0)
    turn(model, 70.0, 80.0)
    controller.perform(Action.UNDO)
    assert wing(model) == 60.0
    controller.perform(Action.UNDO)
    assert wing(model) == 30.0
    controller.perform(Action.UNDO)
    assert wing(model) == 30.0


def test_what_takes_a_step_further_is_undone_with_it(model: Model, controller: Controller) -> None:
    turn(model, 40.0)
    turn(model, 90.0)
    model.undo.reopen(WING.name)
    turn(model, 30.0)
    controller.perform(Action.UNDO)
    assert wing(model) == 40.0
    controller.perform(Action.REDO)
    assert wing(model) == 30.0


def test_another_quantity_is_another_step(model: Model, controller: Controller) -> None:
    model.set_value(WING, 50.0)
    model.set_value(DWELL, 1.0)
    controller.perform(Action.UNDO)
    assert (wing(model), model.animation.parameters.dwell) == (50.0, 1.3)


def test_what_was_undone_is_done_again_until_something_else_is_done(
    model: Model, controller: Controller
) -> None:
    turn(model, 40.0)
    turn(model, 50.0)
    for action in (Action.UNDO, Action.UNDO, Action.REDO):
        controller.perform(action)
    assert wing(model) == 40.0
    turn(model, 90.0)
    controller.perform(Action.REDO)
    assert wing(model) == 90.0


def test_a_drag_that_came_back_is_no_step(model: Model, controller: Controller) -> None:
    turn(model, 40.0)
    turn(model, 90.0, 40.0)
    assert model.undo.can_undo_and_redo(step_of(model.animation, model.text)) == (True, False)
    controller.perform(Action.UNDO)
    assert wing(model) == 30.0


def test_a_choice_that_came_back_is_no_step(model: Model, controller: Controller) -> None:
    turn(model, 40.0)
    for kind in ("club", "ball"):
        model.set_value(PROP, kind)
    model.undo.end_step()
    controller.perform(Action.UNDO)
    assert wing(model) == 30.0


def test_files_of_events_can_be_gone_back_to(
    model: Model, controller: Controller, tmp_path: Path
) -> None:
    for name in ("441", "box"):
        events, _ = with_events(open_patterns(name))
        write_file(events, tmp_path / f"{name}.jml")
        assert model.type_pattern(f"{tmp_path}/{name}.jml")
    controller.perform(Action.UNDO)
    assert model.line == f"{tmp_path}/441.jml"
    controller.perform(Action.UNDO)
    assert model.line == "531"
    controller.perform(Action.REDO)
    assert (model.line, model.animation.pattern) == (f"{tmp_path}/441.jml", None)


def test_patterns_are_undone_with_their_line_and_parameters(
    model: Model, controller: Controller
) -> None:
    model.live_change = False  # the ways between them take long
    turn(model, 40.0)
    model.type_pattern("Mills Mess")
    turn(model, 50.0)
    shown = model.text
    model.type_pattern("b97531")
    controller.perform(Action.UNDO)
    assert (model.animation.title, model.line, wing(model)) == ("Mills mess", shown, 50.0)
    controller.perform(Action.UNDO)
    controller.perform(Action.UNDO)
    assert (model.animation.text, model.line, wing(model)) == ("531", "531", 40.0)
    for _ in range(3):
        controller.perform(Action.REDO)
    assert (model.animation.text, wing(model)) == ("b97531", 50.0)


def test_undo_of_a_parameter_shares_the_motion_and_keeps_the_place_in_the_loop(
    model: Model, controller: Controller
) -> None:
    model.playback.time = 0.4
    turn(model, 90.0)
    motion = model.animation.motion
    controller.perform(Action.UNDO)
    assert model.animation.motion is motion
    assert model.playback.time == 0.4


def test_what_is_half_typed_stays_when_something_is_undone(
    model: Model, controller: Controller
) -> None:
    turn(model, 40.0)
    model.line = "44"
    controller.perform(Action.UNDO)
    assert model.line == "44"


def test_all_defaults_are_one_step(model: Model, controller: Controller) -> None:
    turn(model, 40.0)
    model.set_value(DWELL, 1.0)
    model.undo.end_step()
    controller.perform(Action.RESET_ALL)
    assert all(model.is_default(row) for row in ROWS)
    controller.perform(Action.UNDO)
    assert (wing(model), model.animation.parameters.dwell) == (40.0, 1.0)


def test_the_oldest_steps_are_forgotten() -> None:
    undo, steps = (
        Undo(),
        [step_of(animate("3", chicken_wing=number / 10), "") for number in range(MAX_STEPS + 5)],
    )
    for step in steps[:-1]:
        undo.record(step, "wing")
        undo.end_step()
    now, count = steps[-1], 0
    while step := undo.undo(now):
        now, count = step, count + 1
    assert count == MAX_STEPS
    assert now.parameters is steps[4].parameters


STEPS = [step_of(animate(text), text) for text in ("3", "441", "531", "b97531")]


def visited(*steps: Step) -> History:
    history = History()
    for step in steps:
        history.visit(step)
    return history


def test_one_goes_back_and_forward_but_not_beyond_the_ends() -> None:
    history = visited(*STEPS[:3])
    assert [history.back(), history.back(), history.back()] == [STEPS[1], STEPS[0], None]
    assert [history.forward(), history.forward(), history.forward()] == [STEPS[1], STEPS[2], None]
    assert History().back() is None


def test_a_visit_forgets_what_was_ahead() -> None:
    history = visited(*STEPS[:3])
    history.back()
    history.visit(STEPS[3])
    assert history.forward() is None
    assert history.back() == STEPS[1]


def test_what_was_turned_meanwhile_comes_back_with_its_pattern() -> None:
    history, turned = visited(*STEPS[:2]), step_of(animate("441", dwell=1.0), "441")
    history.keep(turned)
    history.back()
    assert history.forward() == turned


@given(st.lists(st.sampled_from(["visit", "back", "forward"]), max_size=60))
def test_back_undoes_forward_and_forward_undoes_back(ways: list[str]) -> None:
    history = visited(STEPS[0])
    for number, way in enumerate(ways):
        now = history.now
        if way == "visit":
            history.visit(STEPS[number % 4])
            continue
        went = history.back() if way == "back" else history.forward()
        if went:
            assert (history.forward() if way == "back" else history.back()) == now
            history.back() if way == "back" else history.forward()


def test_it_does_not_grow_without_end() -> None:
    history, count = visited(*(STEPS[number % 4] for number in range(MAX_STEPS + 50))), 0
    while history.back():
        count += 1
    assert count == MAX_STEPS - 1


def steps_of(text: str, count: int) -> list[Step]:
    """Steps of patterns that are alike, each opened anew."""
    return [step_of(animate(text), text) for _ in range(count)]


@pytest.fixture(scope="module")
def crowd() -> list[Step]:
    return steps_of("<" + "|".join(["531"] * 200) + ">", 36)


def test_of_small_patterns_the_last_two_hundred_are_kept() -> None:
    steps = steps_of("3", 3) * 100
    assert latest(steps) == steps[-MAX_STEPS:]


def test_of_crowds_as_many_are_kept_as_their_throws_allow(crowd: list[Step]) -> None:
    pattern = crowd[0].score.pattern
    assert pattern
    kept = latest(crowd)
    assert kept == crowd[-len(kept) :]
    assert len(kept) == MAX_THROWS // len(pattern.throws)


def test_steps_of_one_pattern_share_it(crowd: list[Step]) -> None:
    assert len(latest(crowd[:1] * 150)) == 150


def test_the_last_step_is_kept_whatever_it_is(
    crowd: list[Step], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo, "MAX_THROWS", 5)
    assert latest(crowd) == crowd[-1:]


def test_undo_and_redo_say_what_has_changed(controller: Controller, model: Model) -> None:
    model.set_value(row_named("stage"), "gym")
    model.undo.end_step()
    model.type_pattern("441")
    said = []
    for action in (Action.UNDO, Action.UNDO, Action.REDO):
        controller.perform(action)
        said.append(model.notice.text)
    assert said == ["Undone: Pattern 441", "Undone: Stage", "Redone: Stage"]


CHANGES = (("stage", "gym"), ("dwell", 1.1), ("figure", "solid"), ("width", 120.0))


def test_undoing_much_says_so_in_short(model: Model) -> None:
    for name, value in CHANGES:
        model.set_value(row_named(name), value)
        model.undo.end_step()
    model.set_value(WING, 60.0)
    model.undo_all()
    assert model.notice.text == "Undone: everything, back to the start"


def test_undo_all_leads_back_to_the_beginning(controller: Controller, model: Model) -> None:
    before = model.chosen_step
    model.set_value(WING, 60.0)
    model.undo.end_step()
    model.set_value(DWELL, 1.1)
    controller.palette.toggle()
    controller.palette.search("undo all")
    controller.palette.do(0)
    assert (model.animation.parameters, model.text) == (before.parameters, before.text)
    assert model.notice.text == "Undone: Elbow lift, Dwell"
    assert model.notice.offer
    model.notice.offer[1]()
    assert (model.value(WING), model.value(DWELL)) == (60.0, 1.1)
    model.undo_all()
    model.undo_all()
    assert model.notice.text == "Nothing to undo"


def test_a_reset_of_all_settings_offers_to_undo_it(controller: Controller, model: Model) -> None:
    controller.perform(Action.RESET_ALL)
    assert not model.notice.text, "nothing was changed"
    model.set_value(WING, 60.0)
    controller.perform(Action.RESET_ALL)
    assert model.value(WING) != 60.0
    assert model.notice.offer
    model.notice.offer[1]()
    assert model.value(WING) == 60.0


def test_a_search_for_a_setting_lists_no_pattern_with_a_similar_word(
    controller: Controller,
) -> None:
    controller.palette.toggle()
    controller.palette.search("solver")
    names = [command.name for command in controller.palette.found]
    assert {"Elbow method", "Compare with"} <= set(names)
    assert not {"201", "Reach over"} & set(names)
    for word in ("elbow", "ghost", "compare"):
        controller.palette.search(word)
        assert "Compare with" in [command.name for command in controller.palette.found]
    controller.palette.search("passing")
    assert len(controller.palette.found) > 5
