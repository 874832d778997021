from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import row_named
from juggle_anim.viewer.session.file import SessionState, read_session_state, write_session_state
from juggle_anim.viewer.session.session import capture_session, last_animation, restore_session
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.live_change import LEFT, RIGHT, Half
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.split import labels


def viewer(*patterns: str) -> Controller:
    """A viewer in which some patterns were opened, one after the other."""
    controller = Controller(animate(patterns[0]))
    controller.library.advance(0.0)
    for pattern in patterns[1:]:
        assert controller.model.type_pattern(pattern)
        controller.library.advance(0.0)
    return controller


def beside(model: Model) -> Half:
    assert model.other
    return model.other


def reopened(controller: Controller) -> Model:
    memory = read_session_state(
        write_session_state(capture_session(controller, SessionState(), closing=True))
    )
    again = Controller(last_animation(memory)[0])
    restore_session(memory, again, resumed=True)
    return again.model


def test_s_shows_the_pattern_before_this_one_beside_it_and_then_one_alone_again() -> None:
    controller = viewer("441", "531")
    model = controller.model
    controller.perform(Action.SPLIT)
    assert (model.text, beside(model).text, model.half) == ("531", "441", LEFT)
    assert labels(model) == ("531", "441")
    controller.perform(Action.SPLIT)
    assert model.other is None
    assert model.text == "531"


def test_without_a_pattern_before_it_the_next_solver_is_shown_beside() -> None:
    controller = viewer("531")
    model = controller.model
    for arms, following in (("natural", "chicken-wing"), ("natural-place", "natural")):
        model.set_value(row_named("arms"), arms)
        controller.perform(Action.SPLIT)
        assert beside(model).animation.parameters.arms == following
        assert labels(model) == (f"531 · {arms}", f"531 · {following}")
        controller.perform(Action.SPLIT)


def test_labels_of_one_pattern_tell_what_differs_but_not_the_clock() -> None:
    controller = viewer("531")
    model = controller.model
    controller.perform(Action.SPLIT)
    for name, value in (
        ("arms", "chicken-wing"),
        ("speed", 0.5),
        ("dwell", 1.0),
        ("bps", 4.0),
        ("stage", "gym"),
    ):
        model.set_value(row_named(name), value)
    assert labels(model) == (
        "531 · throwing tempo 4 · dwell 1 · …",
        "531 · throwing tempo default · dwell 1.3 · …",
    )


def test_d_lets_panel_and_pattern_line_act_on_the_other_half() -> None:
    controller = viewer("441", "531")
    model = controller.model
    controller.perform(Action.SPLIT)
    model.playback.time = 1.0
    model.line = "5a"
    controller.perform(Action.OTHER_HALF)
    assert (model.text, model.line, beside(model).text, model.half) == ("441", "441", "531", RIGHT)
    assert labels(model) == ("531", "441")
    assert model.playback.time == 1.0
    model.set_value(row_named("dwell"), 1.0)
    assert beside(model).animation.parameters.dwell == 1.3
    model.type_pattern("7531")
    assert labels(model) == ("531", "7531")
    controller.perform(Action.OTHER_HALF)
    assert (model.text, model.animation.parameters.dwell, model.half) == ("531", 1.3, LEFT)


def test_each_half_has_its_own_undo_and_history() -> None:
    controller = viewer("441", "531")
    model = controller.model
    model.set_value(row_named("dwell"), 1.0)
    controller.perform(Action.SPLIT)
    controller.perform(Action.OTHER_HALF)
    controller.perform(Action.UNDO)
    assert model.text == "441"
    model.set_value(row_named("gravity"), 500.0)
    controller.perform(Action.UNDO)
    assert model.animation.parameters.gravity == 980
    controller.library.advance(0.0)
    controller.perform(Action.PATTERN_BEFORE)
    assert model.text == "441"
    controller.perform(Action.OTHER_HALF)
    controller.library.advance(0.0)
    controller.perform(Action.UNDO)
    assert (model.text, model.animation.parameters.dwell) == ("531", 1.3)
    controller.perform(Action.PATTERN_BEFORE)
    assert (model.text, beside(model).text) == ("441", "441")
    controller.perform(Action.PATTERN_AFTER)
    assert model.text == "531"
    controller.perform(Action.PATTERN_AFTER)
    assert model.text == "531", "there is no other after it"


def test_speed_and_sound_are_the_same_for_both_halves() -> None:
    controller = viewer("531")
    model = controller.model
    controller.perform(Action.SPLIT)
    model.set_value(row_named("speed"), 0.25)
    controller.perform(Action.OTHER_HALF)
    assert model.animation.parameters.speed == 0.25
    assert model.animation.parameters.arms == "chicken-wing"


def test_choosing_the_half_that_is_chosen_changes_nothing() -> None:
    controller = viewer("441", "531")
    model = controller.model
    controller.split.choose(RIGHT)
    assert model.text == "531"
    controller.perform(Action.SPLIT)
    controller.split.choose(LEFT)
    assert model.text == "531"
    controller.split.choose(RIGHT)
    assert (model.text, model.half) == ("441", RIGHT)


def test_without_a_split_d_says_how_to_get_one() -> None:
    controller = viewer("531")
    model = controller.model
    controller.perform(Action.OTHER_HALF)
    assert model.notice.text.startswith("Press S ")


def test_a_goal_is_closed_when_the_view_is_split() -> None:
    controller = viewer("531")
    model = controller.model
    controller.perform(Action.GOAL)
    controller.perform(Action.SPLIT)
    assert model.lab is None
    controller.perform(Action.GOAL)
    controller.perform(Action.OTHER_HALF)
    assert model.lab is None


@pytest.mark.parametrize("exchanged", [False, True])
def test_a_split_stays_as_it_was_closed(exchanged: bool) -> None:
    controller = viewer("441", "531")
    model = controller.model
    controller.perform(Action.SPLIT)
    if exchanged:
        controller.perform(Action.OTHER_HALF)
    model.set_value(row_named("dwell"), 1.0)
    controller.perform(Action.OTHER_HALF)
    again = reopened(controller)
    assert labels(again) == labels(model) == ("531", "441")
    assert again.half == model.half
    assert beside(again).animation.parameters == beside(model).animation.parameters
    assert beside(again).animation.parameters.dwell == 1
    controller.perform(Action.SPLIT)
    assert reopened(controller).other is None


def test_events_beside_come_back_from_their_file(tmp_path: Path) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    controller = viewer("441", str(tmp_path / "box.jml"), "531")
    controller.perform(Action.SPLIT)
    again = reopened(controller)
    assert beside(again).animation.title == "My box"
    (tmp_path / "box.jml").unlink()
    assert reopened(controller).other is None
