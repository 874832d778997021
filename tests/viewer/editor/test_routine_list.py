"""The list of a routine: lines are changed, and it goes on where it was, in the same line."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.body import unplanned_blocks
from juggle_anim.parameters import DEFAULTS, row_named
from juggle_anim.viewer.editor import routine_list
from juggle_anim.viewer.panel.controls import CONTROLS
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action

PROP = next(row for row in CONTROLS if row.name == "prop")
TEXT = "title=Short\n\n3 6 catches\n# words\n531 2 loops\nstop\n"


class AtOnce:
    """Lays out at once what a process would."""

    def __init__(self, *task: object) -> None:
        *told, _time_in = task
        self._found = routine_list.laid_out(*told)  # type: ignore[arg-type]

    def result(self) -> object:
        return self._found

    def stop(self) -> None:
        pass


@pytest.fixture
def controller() -> Controller:
    found = Controller(animate(TEXT), time=2.2, paused=True)
    found.perform(Action.ROUTINE)
    return found


def written(controller: Controller) -> list[str]:
    assert controller.routine.script is not None
    return controller.routine.script.text.splitlines()[2:]


def perform(controller: Controller, *actions: Action) -> None:
    with patch.object(routine_list, "_Layout", AtOnce):
        for action in actions:
            controller.perform(action)
            controller.routine.update()


def test_the_line_that_is_juggled_is_chosen_and_a_choice_goes_there(controller: Controller) -> None:
    routine = controller.routine
    assert (routine.playing, routine.chosen) == (0, 0)
    perform(controller, Action.CHOOSE_NEXT, Action.CHOOSE_NEXT)
    assert routine.playing == routine.chosen == 2
    assert controller.model.playback.time == pytest.approx(routine.rows[2].begins)


def test_keys_lengthen_move_and_remove_lines(controller: Controller) -> None:
    perform(controller, Action.TURN_UP, Action.HANDLE_AFTER)
    assert written(controller) == ["# words", "3 7 catches", "531 2 loops", "stop"]
    perform(controller, Action.REMOVE_POINT)
    assert written(controller) == ["# words", "531 2 loops", "stop"]
    perform(controller, Action.UNDO)
    assert written(controller) == ["# words", "3 7 catches", "531 2 loops", "stop"]
    assert controller.library.files.shown.is_unsaved


def test_it_goes_on_in_the_same_line(controller: Controller) -> None:
    routine, model = controller.routine, controller.model
    routine.go_to(2)
    model.playback.time += 0.5
    routine.chosen = 0
    perform(controller, Action.TURN_UP)
    assert routine.playing == 2
    assert model.playback.time - routine.rows[2].begins == pytest.approx(0.5)


def test_what_is_typed_wrong_is_told_and_the_old_routine_goes_on(controller: Controller) -> None:
    routine, before = controller.routine, controller.model.animation
    perform(controller, Action.TYPE_VALUE)
    assert routine.typed == "3 6 catches"
    with patch.object(routine_list, "_Layout", AtOnce):
        routine.apply("3 6 cathces")
        routine.update()
    assert "did you mean catches?" in routine.error
    assert routine.typing, "it can be mended where it was typed"
    assert routine.rows[0].text == "3 6 catches"
    assert controller.model.animation is before
    perform(controller, Action.BACK)
    assert not routine.error


def test_lines_that_do_not_go_together_are_told_at_the_line(controller: Controller) -> None:
    routine, before = controller.routine, controller.model.animation
    perform(controller, Action.TYPE_VALUE)
    with patch.object(routine_list, "_Layout", AtOnce):
        routine.apply("<3p|3p> 6 catches")
        routine.update()
    assert routine.error
    assert any(row.error for row in routine.rows)
    assert controller.model.animation is before


def test_names_with_the_props_of_the_routine_are_suggested_and_completed(
    controller: Controller,
) -> None:
    routine = controller.routine
    perform(controller, Action.ADD_POINT)
    assert routine.suggestions == ()
    routine.typed = "mil 2 loops"
    assert routine.suggestions[0] == "Mills mess"
    assert "Two-ball Mills mess" not in routine.suggestions
    routine.typed = routine.completed(routine.typed, routine.suggestions[0])
    assert routine.typed == "Mills mess 2 loops"
    assert routine.suggestions == ()
    assert routine.completed("mil", "Mills mess") == "Mills mess "


def test_a_changed_routine_is_summed_up(controller: Controller) -> None:
    perform(controller, Action.TURN_UP)
    seconds = controller.model.animation.duration
    assert controller.model.notice.text == f"Routine ready: 2 patterns, {seconds:.0f} s"


def begin_routine(controller: Controller) -> None:
    controller.perform(Action.ROUTINE)
    with patch.object(routine_list, "_Layout", AtOnce):
        controller.routine.begin()
        assert controller.routine.is_beginning
        controller.routine.update()
    assert not controller.routine.is_beginning


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("pattern=441;prop=club;colors={red}{blue}", "441 10 s"),
        ("pattern=Cascade;prop=ring,club", "Cascade 10 s"),
        ("pattern=531;style=juggling-lab;bps=4;prop=club", "pattern=531;style=juggling-lab 10 s"),
        ("pattern=Mills mess;catches=claw", None),
    ],
)
def test_a_routine_keeps_props_staging_and_tempo_of_its_first_pattern(
    pattern: str, line: str | None
) -> None:
    before = animate(pattern)
    controller = Controller(before, paused=True)
    begin_routine(controller)
    after = controller.model.animation
    kinds = {look.kind for look in before.choreography.looks}
    assert {look.kind for look in after.choreography.looks} == kinds
    assert controller.routine.chosen == 0
    first = controller.routine.rows[0].text
    assert line is None or first == line
    again = animate(first.removesuffix(" 10 s")).score.staging
    assert replace(again, props=before.score.staging.props) == before.score.staging
    assert after.parameters.bps == before.parameters.bps


def test_a_pattern_after_a_routine_has_the_props_and_settings_from_before_it() -> None:
    controller = Controller(animate("Cascade"), paused=True)
    model = controller.model
    model.set_value(PROP, "club")
    model.set_value(row_named("chicken_wing"), 60.0)
    begin_routine(controller)
    controller.perform(Action.ROUTINE)
    for typed in ("441", "531"):
        assert model.type_pattern(typed)
        assert model.value(PROP) == "club"
        assert model.animation.parameters.chicken_wing == 60.0


def test_another_pattern_meanwhile_is_not_replaced_by_the_routine(controller: Controller) -> None:
    controller = Controller(animate("531"), paused=True)
    with patch.object(routine_list, "_Layout", AtOnce):
        controller.routine.begin()
        controller.model.go_to(animate("441"), "441")
        controller.routine.update()
    assert controller.model.animation.text == "441"


@pytest.mark.parametrize("adds", [True, False])
def test_a_typed_pattern_without_a_length_lasts_as_long_as_the_first_one(
    controller: Controller, adds: bool
) -> None:
    with patch.object(routine_list, "_Layout", AtOnce):
        for typed, line in (
            ("441", "441 10 s"),
            ("51 2 loops", "51 2 loops"),
            ("mills mess", "Mills mess 10 s"),
            ("stop", "stop"),
        ):
            controller.routine.type_line(adds=adds)
            controller.routine.apply(typed)
            assert controller.routine.rows[controller.routine.chosen].text == line


def test_a_new_line_is_above_the_stop_that_ends_the_routine(controller: Controller) -> None:
    routine = controller.routine
    routine.chosen = len(routine.rows) - 1
    assert routine.rows[-1].is_last_stop
    with patch.object(routine_list, "_Layout", AtOnce):
        routine.type_line(adds=True)
        assert routine.field_row == len(routine.rows) - 1
        routine.apply("441")
        assert [row.text for row in routine.rows][-2:] == ["441 10 s", "stop"]
        assert routine.rows[routine.chosen].text == "441 10 s"


def test_lines_of_a_routine_that_is_being_built_can_be_changed() -> None:
    controller = Controller(animate("531"), paused=True)
    controller.perform(Action.ROUTINE)
    routine = controller.routine
    with patch.object(routine_list, "_Layout", AtOnce):
        routine.begin()
        controller.perform(Action.ADD_POINT)
        assert routine.typing
        # What is typed on meanwhile stays, and what is wrong can be mended.
        routine.apply("441 2 lopps")
        assert routine.error
        assert routine.typing
        assert routine.is_beginning
        routine.apply("441 2 loops")
        while routine.is_working:
            routine.update()
    assert written(controller)[-3:] == ["531 10 s", "441 2 loops", "stop"]


def test_a_routine_begins_with_the_pattern_and_is_saved_as_lines(tmp_path: Path) -> None:
    controller = Controller(animate("531", theme="projected", bps=4.0), paused=True)
    begin_routine(controller)
    path = tmp_path / "a.routine"
    controller.library.files.save_to(path, str(path))
    lines = path.read_text().splitlines()
    assert lines[-2:] == ["531 10 s", "stop"]
    assert {"title=My routine", "bps=4", "theme=projected"} <= set(lines)
    again = animate(str(path))
    assert again.duration == controller.model.animation.duration
    assert again.parameters.theme == "projected"


@pytest.mark.long
def test_a_process_lays_out_what_is_changed(controller: Controller) -> None:
    controller.perform(Action.TURN_UP)
    job = controller.routine._job
    assert job is not None
    job.join()
    assert controller.routine.update()
    assert written(controller)[0] == "3 7 catches"


def test_no_picture_waits_for_the_bodies_of_a_long_routine() -> None:
    """Blocks of 4 s are planned, each in a second with clubs."""
    shown = Controller(animate("title=Long\nprop=club\n\n3 12 s\n441 12 s\nstop\n"), paused=True)
    shown.model.playback.time = 9.0
    shown.perform(Action.ROUTINE)
    routine = shown.routine
    routine.chosen = 1
    routine.lengthen(1)
    job = routine._job
    assert job is not None
    job.join(timeout=300.0)
    assert routine.update()
    times = shown.model.playback.time + np.linspace(0.0, 3.0, 4)
    assert unplanned_blocks(shown.model.animation.plan, times) is None


def test_a_name_that_is_not_known_sends_to_the_library_and_not_to_a_command() -> None:
    first, problems = routine_list.laid_out("3 7 catches\nzzz top 3 loops\n", "", DEFAULTS)  # type: ignore[misc]
    assert problems[2] == first
    assert "search the library" in first
    assert "juggle-anim" not in first


def test_a_new_routine_waits_in_its_list_while_another_pattern_is_juggled() -> None:
    controller = Controller(animate("531"), paused=True)
    routine, model = controller.routine, controller.model
    controller.perform(Action.ROUTINE)
    with patch.object(routine_list, "_Layout", AtOnce):
        routine.begin()
        controller.perform(Action.ROUTINE)
        model.go_to(animate("97531"), "97531")
        routine.update()
        assert model.animation.text == "97531"
        assert model.notice.offer
        assert [row.text for row in routine.rows] == ["531 10 s", "stop"]
        _words, play = model.notice.offer
        play()
        routine.update()
    assert model.cards.panel == "routine"
    assert written(controller)[-2:] == ["531 10 s", "stop"]


class Unfinished(AtOnce):
    """Lays out for ever."""

    def result(self) -> object:
        return None


def test_a_routine_that_is_being_built_can_be_cancelled() -> None:
    controller = Controller(animate("531"), paused=True)
    with patch.object(routine_list, "_Layout", Unfinished):
        controller.routine.begin()
        controller.routine.update()
        (building,) = controller.model.screen.under_way
        assert building.words == "Building routine … 0 s"
        building.cancelled = True
        controller.routine.update()
    assert not controller.model.screen.under_way
    assert not controller.routine.is_listed


def test_typing_in_the_empty_list_begins_a_routine_with_what_is_typed() -> None:
    controller = Controller(animate("531"), paused=True)
    routine = controller.routine
    controller.perform(Action.ROUTINE)
    with patch.object(routine_list, "_Layout", AtOnce):
        controller.begin_typing()
        assert routine.typing
        routine.apply("441")
        controller.begin_typing()
        routine.apply("mills mess")
        while routine.is_working:
            routine.update()
    assert written(controller)[-3:] == ["441 10 s", "Mills mess 10 s", "stop"]


def test_a_first_line_that_is_not_typed_to_its_end_begins_no_routine() -> None:
    controller = Controller(animate("531"), paused=True)
    controller.perform(Action.ROUTINE)
    controller.begin_typing()
    controller.perform(Action.BACK)
    controller.routine.update()
    assert not controller.routine.is_listed
    assert controller.model.animation.text == "531"
