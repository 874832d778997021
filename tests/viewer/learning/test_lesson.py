"""The lesson of a viewer without its window: steps, undo, and the pattern as it was."""

from pathlib import Path

import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.lessons import all_advice, lesson
from juggle_anim.notation.library import library, name_key
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import row_named
from juggle_anim.viewer.session.file import SessionState
from juggle_anim.viewer.session.session import capture_session
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import LESSON, Action


def begun(pattern: str = "531") -> Controller:
    controller = Controller(animate(pattern))
    controller.library.advance(0.1)
    controller.perform(Action.LEARN)
    controller.lesson.update()
    return controller


def press(controller: Controller, *actions: Action) -> None:
    for action in actions:
        controller.perform(action)
        controller.model.advance()
        controller.lesson.update()
        controller.library.advance(2.0)


def test_keys_go_through_the_steps_and_back_to_the_pattern_as_it_was() -> None:
    controller = begun()
    model, view = controller.model, controller.lesson
    start = model.chosen_step
    assert view.row == 0
    assert model.animation.score is start.score
    seen = []
    while not view.is_last:
        press(controller, Action.TYPE_VALUE)
        assert view.step is not None
        seen.append((view.step.title, model.animation.score.props))
    assert seen == [(step.title, step.settings.score.props) for step in lesson("531").steps]
    press(controller, Action.CHOOSE_PREVIOUS, Action.CHOOSE_PREVIOUS)
    assert view.row == len(seen) - 2
    press(controller, Action.BACK)
    assert controller.model.cards.panel is None
    assert not view.is_running
    assert (model.animation.score, model.animation.parameters) == (start.score, start.parameters)


def test_a_lesson_left_before_a_step_begins_leaves_the_line_as_it_was() -> None:
    controller = begun("3")
    model = controller.model
    model.live.in_background = True
    controller.perform(Action.TYPE_VALUE)
    assert model.live.coming
    controller.perform(Action.BACK)
    assert model.live.coming is None
    assert model.line == model.text == "3"


def test_the_last_step_ends_the_lesson() -> None:
    controller = begun()
    press(controller, *[Action.TYPE_VALUE] * (len(controller.lesson.steps) + 1))
    assert not controller.lesson.is_running
    assert controller.model.animation.text == "531"


def test_undo_goes_through_steps_and_before_the_first_one_the_lesson_stays_with_the_pattern() -> (
    None
):
    controller = begun()
    press(controller, *[Action.TYPE_VALUE] * 3)
    rows = []
    for _ in range(3):
        press(controller, Action.UNDO)
        rows.append(controller.lesson.row)
    assert rows == [2, 1, 0]
    assert controller.model.animation.text == "531"
    press(controller, Action.REDO)
    assert controller.lesson.row == 1


def test_steps_of_a_lesson_that_has_ended_are_not_undone() -> None:
    controller = begun()
    press(controller, *[Action.TYPE_VALUE] * 3, Action.BACK)
    assert controller.model.undo.can_undo_and_redo(controller.model.chosen_step) == (False, False)


def test_another_pattern_ends_the_lesson_and_undo_leads_back_before_it() -> None:
    controller = begun()
    press(controller, Action.TYPE_VALUE)
    controller.model.type_pattern("441")
    press(controller)
    controller.lesson.update()
    assert not controller.lesson.is_running
    press(controller, Action.UNDO)
    assert controller.model.animation.title == "531"


def test_the_lesson_of_what_was_chosen_begins_when_the_library_closes() -> None:
    controller = begun()
    browser = controller.library.browser
    browser.search("passing")
    browser.choose_filter(1, 3)
    press(controller, Action.TYPE_VALUE)
    controller.lesson.choose()
    assert controller.library.is_browsing
    assert not browser.is_filtered, "all patterns can be learnt"
    controller.lesson.update()
    assert controller.lesson.row == 1
    controller.model.type_pattern("441")
    controller.lesson.update()
    assert not controller.lesson.is_running
    press(controller, Action.BACK)
    lesson_now = controller.lesson.lesson
    assert lesson_now is not None
    assert (lesson_now.title, controller.lesson.row) == ("441", 0)
    assert controller.model.cards.is_visible(LESSON)


def test_a_library_that_closes_without_a_choice_leaves_the_lesson_where_it_was() -> None:
    controller = begun()
    press(controller, Action.TYPE_VALUE)
    controller.lesson.choose()
    press(controller, Action.BACK)
    assert controller.model.cards.is_visible(LESSON)
    assert controller.lesson.row == 1
    controller.lesson.choose()
    press(controller, Action.GENERATE, Action.GENERATE)
    assert not controller.model.cards.is_visible(LESSON), "another card was opened instead"


def test_steps_are_no_patterns_of_the_history() -> None:
    controller = begun()
    press(controller, *[Action.TYPE_VALUE] * 3, Action.BACK)
    assert controller.library.browser.recent == ["531"]
    press(controller, Action.PATTERN_BEFORE)
    assert controller.model.animation.text == "531"


def test_arrows_go_from_step_to_step_in_either_direction() -> None:
    controller = begun()
    rows = []
    for action in (Action.TURN_UP, Action.CHOOSE_NEXT, Action.TURN_UP, Action.TURN_DOWN):
        press(controller, action)
        rows.append(controller.lesson.row)
    assert rows == [1, 2, 3, 2]


def test_the_speed_of_playback_is_that_of_the_step_and_the_others_keep_their_ratios() -> None:
    controller = begun()
    model, view = controller.model, controller.lesson
    speed = row_named("speed")
    assert [round(speed, 2) for speed in view.speeds] == [0.63, 0.71, 0.77, 0.84, 0.89, 0.95, 1]
    press(controller, Action.TYPE_VALUE)
    assert model.animation.parameters.speed == view.speeds[0]
    assert model.animation.choreography.bps == animate("531").choreography.bps
    model.set_value(speed, view.speeds[0] / 2)
    press(controller, Action.TYPE_VALUE)
    assert model.animation.parameters.speed == pytest.approx(0.707 / 2, abs=0.001)
    assert view.speeds[-1] == pytest.approx(0.5)
    press(controller, Action.RESET_VALUE)
    assert model.animation.parameters.speed == 1.0
    assert max(view.speeds) == 1.0, "no step is faster than the pattern"
    press(controller, *[Action.SLOWER] * 2)
    assert model.animation.parameters.speed == 0.5
    press(controller, Action.UNDO)
    assert (view.row, model.animation.parameters.speed) == (2, pytest.approx(0.707 / 2, abs=0.001))
    assert controller.library.files.question is None
    assert model.documents.unsaved == ()


def test_what_is_turned_in_a_step_stays_for_the_next_ones_and_the_pattern_has_its_own_again() -> (
    None
):
    controller = begun()
    press(controller, Action.TYPE_VALUE)
    controller.model.set_value(row_named("theme"), "projected")
    press(controller, Action.TYPE_VALUE)
    assert controller.model.animation.parameters.theme == "projected"
    press(controller, Action.BACK)
    assert controller.model.animation.parameters == animate("531").parameters


def test_a_step_has_the_metronome_and_the_pattern_has_not() -> None:
    controller = begun()
    assert controller.model.animation.parameters.metronome == "off"
    press(controller, Action.TYPE_VALUE)
    assert controller.model.animation.parameters.metronome == "on"


def test_edited_throws_are_as_unsaved_after_a_lesson_as_before() -> None:
    controller = Controller(animate("531"))
    score = animate("441").score
    controller.library.advance(0.1)
    controller.editor.apply(lambda editor: Animation(score, editor.draft.parameters), "edit")
    before = controller.library.files.shown
    assert before.is_unsaved
    press(controller, Action.LEARN, Action.TYPE_VALUE)
    assert [each.latest.score for each in controller.model.documents.unsaved] == [score]
    press(controller, Action.BACK)
    assert controller.library.files.shown is before
    assert before.is_unsaved


def test_a_window_that_closes_in_a_lesson_opens_with_the_pattern_as_it_was() -> None:
    controller = begun("pattern=531;dwell=0.8")
    press(controller, Action.TYPE_VALUE, Action.TYPE_VALUE)
    state = capture_session(controller, SessionState(), closing=True)
    assert state.pattern == "pattern=531;dwell=0.8"
    assert state.recent == ("pattern=531;dwell=0.8",)


def test_events_have_no_lesson_and_the_card_says_so(tmp_path: Path) -> None:
    path = tmp_path / "events.jml"
    write_file(with_events(open_patterns("531"))[0], path)
    controller = begun(str(path))
    assert "Lessons need beats" in controller.lesson.problem
    press(controller, Action.TYPE_VALUE)
    assert not controller.lesson.is_running


def test_a_routine_offers_its_patterns_to_learn() -> None:
    controller = begun("531 2 loops\nmills mess 1 loop\n531 2 loops\nstop")
    assert controller.lesson.problem.startswith("This is a routine.")
    assert controller.lesson.offers == ("531", "mills mess")
    controller.lesson.learn("mills mess")
    press(controller)
    assert controller.lesson.offers == ()
    assert controller.lesson.lesson is not None
    assert controller.lesson.lesson.title == "Mills mess"


def test_passing_is_shown_slowly_with_its_own_words() -> None:
    controller = begun("Six-count")
    assert [step.title for step in controller.lesson.steps] == [
        "In slow motion",
        "Faster",
        "Keep going",
    ]
    assert controller.lesson.lesson is not None
    assert controller.lesson.lesson.words == all_advice()[name_key("Six-count")]


def test_sliders_come_over_the_card_and_the_lesson_goes_on_below() -> None:
    controller = begun()
    press(controller, Action.TYPE_VALUE, Action.FIND)
    assert controller.model.cards.panel != LESSON
    assert controller.lesson.is_running
    press(controller, Action.LEARN)
    assert controller.model.cards.panel == LESSON
    assert controller.lesson.row == 1


def test_each_starter_can_be_learnt_step_by_step() -> None:
    controller = Controller(animate("3"), paused=True)
    for pattern in [each for each in library() if "starter" in each.tags]:
        controller.model.type_pattern(pattern.name)
        press(controller, Action.LEARN)
        assert controller.lesson.problem == ""
        assert controller.lesson.lesson is not None
        assert controller.lesson.lesson.words == all_advice()[name_key(pattern.name)]
        press(controller, Action.BACK)
