import os
from pathlib import Path

import numpy as np
import pytest

from juggle_anim.animation import Animation
from juggle_anim.choreography.score import CATCH
from juggle_anim.notation import open_pattern, open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.editor.files import FileController, describe
from juggle_anim.viewer.panel.controls import CONTROLS, JUGGLERS
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Purpose


@pytest.fixture
def files(controller: Controller) -> FileController:
    return controller.library.files


def edit(controller: Controller, pattern: str = "441") -> None:
    """Change the throws by hand."""
    score = open_pattern(pattern).score
    controller.model.undo.end_step()
    controller.model.change(lambda animation: Animation(score, animation.parameters), "edit")
    controller.library.advance(0.1)


def move_event(controller: Controller, time: float = 0.05) -> None:
    """Make events of the pattern, if it is none yet, and move one of them."""
    if controller.model.animation.pattern:
        controller.perform(Action.EVENTS)
    controller.model.undo.end_step()
    assert controller.editor.apply(lambda edited: edited.move_event(0, time=time), "time")
    controller.library.advance(0.1)


def test_what_a_text_or_a_button_gives_is_not_asked_about(
    controller: Controller, model: Model, files: FileController
) -> None:
    edit(controller)
    assert not files.shown.needs_file
    controller.perform(Action.EVENTS)
    assert not files.shown.needs_file, "it goes back without a loss"
    move_event(controller)
    assert files.shown.needs_file
    controller.perform(Action.UNDO)
    controller.perform(Action.LEAVE)
    assert model.leaving


def turn(model: Model, value: float) -> None:
    model.set_value(next(row for row in CONTROLS if row.name == "chicken_wing"), value)


def choose(controller: Controller, label: str) -> None:
    question = controller.library.files.question
    assert question
    controller.library.files.answer(
        next(answer for answer in question.answers if answer.label == label)
    )


def open_file(
    controller: Controller, tmp_path: Path, text: str = "pattern=531;gravity=500"
) -> Path:
    path = tmp_path / "mine.jml"
    write_file(open_patterns(text), path)
    assert controller.library.open_text(str(path))
    controller.library.advance(0.1)
    return path


def test_more_jugglers_of_the_same_are_a_setting_and_no_edit(
    controller: Controller, model: Model, files: FileController, tmp_path: Path
) -> None:
    model.set_value(JUGGLERS, 2.0)
    assert model.animation.num_jugglers == 2
    assert not files.shown.is_edited
    open_file(controller, tmp_path)
    model.set_value(JUGGLERS, 2.0)
    assert files.shown.is_edited, "the file holds one juggler"
    assert not files.shown.is_unsaved


def test_hand_edits_are_unsaved_until_they_are_undone_or_saved(
    controller: Controller, model: Model, files: FileController, tmp_path: Path
) -> None:
    assert not files.shown.is_edited
    edit(controller)
    assert files.shown.is_edited
    assert describe(files.shown) == "edited, Ctrl+S to save"
    controller.perform(Action.UNDO)
    assert not files.shown.is_edited
    controller.perform(Action.REDO)
    assert files.shown.is_unsaved
    edit(controller, "531")  # made the same again by hand
    assert not files.shown.is_edited
    edit(controller, "423")
    controller.perform(Action.SAVE_FILE)
    controller.library.apply_prompt(str(tmp_path / "mine.jml"))
    assert not files.shown.is_edited
    assert describe(files.shown) == "mine.jml"
    controller.perform(Action.UNDO)
    assert files.shown.is_edited
    assert files.recent == [str(tmp_path / "mine.jml")]


def test_edits_are_one_pattern_of_the_history_that_another_pattern_leads_back_to(
    controller: Controller, model: Model, files: FileController
) -> None:
    for pattern in ("441", "423"):
        edit(controller, pattern)
    model.type_pattern("97531")
    controller.library.advance(0.1)
    assert model.notice.text == "", "it is in the history"
    controller.perform(Action.PATTERN_BEFORE)
    controller.library.advance(0.1)
    assert model.animation.text == "423"
    controller.perform(Action.PATTERN_BEFORE)
    assert model.notice.text == "This is the first pattern"
    assert "441" not in controller.library.browser.recent


def test_a_pattern_in_both_halves_of_a_split_view_is_edited_in_one_of_them(
    controller: Controller, model: Model, files: FileController
) -> None:
    controller.perform(Action.SPLIT)
    move_event(controller)
    controller.perform(Action.OTHER_HALF)
    controller.library.advance(0.1)
    assert not files.shown.is_edited
    controller.perform(Action.SPLIT)  # the edited one is not seen any more
    controller.perform(Action.LEAVE)
    assert files.question
    assert files.question.title == "Save 531?"


def test_a_slider_or_another_pattern_is_not_asked_about(
    controller: Controller, model: Model
) -> None:
    turn(model, 60.0)
    model.type_pattern("97531")
    controller.perform(Action.LEAVE)
    assert model.leaving


def test_a_slider_counts_as_a_change_of_a_file_that_save_writes_without_asking(
    controller: Controller, model: Model, files: FileController, tmp_path: Path
) -> None:
    path = open_file(controller, tmp_path)
    turn(model, 60.0)
    assert files.shown.is_edited
    assert not files.shown.is_unsaved
    controller.perform(Action.SAVE_FILE)
    assert controller.library.prompt.purpose is None
    assert open_pattern(str(path)).parameters == {"gravity": 500, "chicken_wing": 60}
    assert not files.shown.is_edited


def test_leaving_asks_about_every_pattern_that_was_edited_and_saves_each(
    controller: Controller, model: Model, files: FileController, tmp_path: Path
) -> None:
    path = open_file(controller, tmp_path)
    edit(controller)
    model.type_pattern("3")
    move_event(controller)
    controller.perform(Action.LEAVE)
    assert not model.leaving
    choose(controller, "Cancel")
    assert not model.leaving
    assert files.question is None
    controller.perform(Action.LEAVE)
    choose(controller, "Save")
    assert open_pattern(str(path)).score.pattern.text == "441"
    assert not model.leaving
    choose(controller, "Save")
    assert controller.library.prompt.purpose is Purpose.SAVE
    controller.library.apply_prompt(str(tmp_path / "new.jml"))
    assert open_pattern(str(tmp_path / "new.jml")).score.placed
    assert model.leaving


def test_work_that_need_not_be_saved_is_not_asked_about_again_until_it_changes(
    controller: Controller, model: Model, files: FileController
) -> None:
    move_event(controller)
    controller.perform(Action.OPEN_FILE)
    choose(controller, "Don't save")
    assert controller.library.prompt.purpose is Purpose.OPEN
    controller.perform(Action.BACK)
    move_event(controller, 0.1)
    controller.perform(Action.LEAVE)
    choose(controller, "Don't save")
    assert model.leaving


def test_a_file_that_another_program_has_written_is_not_replaced_without_asking(
    controller: Controller, files: FileController, tmp_path: Path
) -> None:
    path = open_file(controller, tmp_path)
    edit(controller)
    path.write_text("theirs")
    controller.perform(Action.SAVE_FILE)
    choose(controller, "Cancel")
    assert path.read_text() == "theirs"
    controller.perform(Action.SAVE_FILE)
    choose(controller, "Replace")
    assert open_pattern(str(path)).score.pattern.text == "441"
    path.unlink()
    controller.perform(Action.SAVE_FILE)
    assert path.exists()


def test_saving_never_replaces_a_list_by_one_of_its_patterns(
    controller: Controller, files: FileController, tmp_path: Path
) -> None:
    path = tmp_path / "tricks.txt"
    path.write_text("531\n441\n")
    for text in (f"{path}#2", str(path)):
        controller.library.open_text(text)
        edit(controller, "423")
        controller.perform(Action.SAVE_FILE)
        assert controller.library.prompt.purpose is Purpose.SAVE
        controller.perform(Action.BACK)
        controller.model.cards.panel = None
    assert path.read_text() == "531\n441\n"


def test_where_a_file_cannot_be_written_the_reason_is_shown_and_another_path_asked_for(
    controller: Controller,
    model: Model,
    files: FileController,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = open_file(controller, tmp_path)
    before = path.read_bytes()
    edit(controller)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        controller.perform(Action.LEAVE)
        choose(controller, "Save")
    assert "No space left on device" in controller.library.prompt.error
    assert path.read_bytes() == before
    assert files.shown.is_unsaved
    assert not model.leaving
    controller.library.apply_prompt(str(tmp_path / "folder" / "that is made" / "other.jml"))
    assert not files.shown.is_edited
    assert model.leaving


def test_edited_events_are_saved_to_their_file_and_open_again(
    controller: Controller, model: Model, files: FileController, tmp_path: Path
) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4)"))
    path = tmp_path / "box.jml"
    write_file(patterns, path)
    controller.library.open_text(str(path))
    events = open_pattern(str(path)).score
    assert events.placed
    events.placed.events.position[0] += 0.1
    model.change(lambda animation: Animation(events, animation.parameters), "edit")
    assert describe(files.shown) == "Events (JML) from (4,2x)(2x,4)  ·  box.jml  ·  edited"
    controller.perform(Action.STAR)
    assert controller.library.browser.favourites == []  # the file holds something else yet
    controller.perform(Action.SAVE_FILE)
    saved = open_pattern(str(path)).score.placed
    assert saved
    assert np.allclose(saved.events.position, events.placed.events.position, atol=1e-4)
    controller.perform(Action.STAR)
    assert controller.library.browser.favourites == [str(path)]


def test_the_panel_tells_what_going_back_from_events_to_settings_would_lose(
    controller: Controller, model: Model, files: FileController
) -> None:
    controller.perform(Action.EVENTS)
    score = model.animation.score
    assert describe(files.shown) == "Events (JML) from 531  ·  edited, Ctrl+S to save"
    assert files.way_back.of(score) == "Going back to 531 loses nothing"
    controller.perform(Action.EVENTS)
    assert not files.shown.is_edited
    controller.perform(Action.EVENTS)
    assert score.placed
    caught = int(np.flatnonzero(score.placed.events.kind == CATCH)[0])
    assert controller.editor.apply(lambda edited: edited.move_event(caught, time=0.2), "time")
    assert files.way_back.of(model.animation.score) == "Going back to 531 loses times of 2 catches"
    controller.perform(Action.EVENTS)
    assert model.notice.text == "Back to settings, without times of 2 catches; Ctrl+Z to undo"
    assert model.animation.pattern
    assert model.animation.pattern.text == "531"


@pytest.mark.parametrize("ending", ["txt", "pass"])
def test_a_format_that_cannot_hold_the_edits_gets_a_copy_at_most(
    controller: Controller, model: Model, files: FileController, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"mine.{ending}"
    for text in ("531", "events"):
        controller.perform(Action.SAVE_AS)
        controller.library.apply_prompt(str(path))
        if text == "531":
            before = path.read_text()
            controller.perform(Action.EVENTS)
            assert controller.editor.apply(lambda edited: edited.move_event(0, time=0.05), "time")
            controller.perform(Action.LEAVE)
            choose(controller, "Save")
            assert f".{ending} files cannot store all of this" in controller.library.prompt.error
            assert controller.library.prompt.text == str(tmp_path / "mine.jml")
            assert path.read_text() == before
            controller.perform(Action.BACK)
    controller.library.apply_prompt(str(path))  # once more, to replace it
    assert model.notice.text.startswith("Saved a copy to")
    assert files.shown.is_unsaved
    assert not model.leaving
    controller.perform(Action.SAVE_AS)
    controller.library.apply_prompt(str(tmp_path / "mine.jml"))
    assert not files.shown.is_edited


def test_what_is_saved_begins_with_the_kind_of_the_last_file_but_edits_as_a_pattern(
    controller: Controller, model: Model, files: FileController, tmp_path: Path
) -> None:
    prompt = controller.library.prompt
    kinds = []
    for name in ("a.gif", "b.jml", "c.mp4"):
        controller.perform(Action.SAVE_AS)
        assert prompt.kind
        kinds.append((prompt.kind.name, Path(prompt.text).suffix))
        controller.library.apply_prompt(str(tmp_path / name))
    assert kinds == [("GIF", ".gif"), ("GIF", ".gif"), ("Pattern", ".jml")]
    assert files.last_kind.name == "Video"
    model.set_value(JUGGLERS, 2)
    controller.perform(Action.SAVE_AS)
    assert prompt.kind
    assert (prompt.kind.name, Path(prompt.text).name) == ("Pattern", "b.jml")
