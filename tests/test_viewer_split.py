from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import row_named
from juggle_anim.viewer.keeping import recall, remember, remembered_animation
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.memory import Memory, read_memory, write_memory
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.split import LEFT, RIGHT, Half


def viewer(*patterns: str) -> Model:
    """A viewer in which some patterns were opened, one after the other."""
    model = Model(animate(patterns[0]))
    model.desk.advance(0.0)
    for pattern in patterns[1:]:
        assert model.type_pattern(pattern)
        model.desk.advance(0.0)
    return model


def beside(model: Model) -> Half:
    assert model.split.other
    return model.split.other


def reopened(model: Model) -> Model:
    memory = read_memory(write_memory(remember(model, Memory(), closing=True)))
    again = Model(remembered_animation(memory)[0])
    recall(memory, again, resumed=True)
    return again


def test_s_shows_the_pattern_before_this_one_beside_it_and_then_one_alone_again() -> None:
    model = viewer("441", "531")
    model.perform(Action.SPLIT)
    assert (model.shown, beside(model).shown, model.split.chosen) == ("531", "441", LEFT)
    assert model.split.labels(model) == ("531", "441")
    model.perform(Action.SPLIT)
    assert model.split.other is None
    assert model.shown == "531"


def test_without_a_pattern_before_it_the_next_solver_is_shown_beside() -> None:
    model = viewer("531")
    for arms, following in (("natural", "chicken-wing"), ("resolved-rate", "natural")):
        model.set_value(row_named("arms"), arms)
        model.perform(Action.SPLIT)
        assert beside(model).animation.parameters.arms == following
        assert model.split.labels(model) == (f"531 · {arms}", f"531 · {following}")
        model.perform(Action.SPLIT)


def test_labels_of_one_pattern_tell_what_differs_but_not_the_clock() -> None:
    model = viewer("531")
    model.perform(Action.SPLIT)
    for name, value in (("arms", "chicken-wing"), ("speed", 0.5), ("dwell", 1.0), ("bps", 4.0), ("stage", "gym")):
        model.set_value(row_named(name), value)
    assert model.split.labels(model) == ("531 · tempo 4 · dwell 1 · …", "531 · tempo as usual · dwell 1.3 · …")


def test_d_lets_panel_and_pattern_line_act_on_the_other_half() -> None:
    model = viewer("441", "531")
    model.perform(Action.SPLIT)
    model.playback.time = 1.0
    model.line = "5a"
    model.perform(Action.OTHER_HALF)
    assert (model.shown, model.line, beside(model).shown, model.split.chosen) == ("441", "441", "531", RIGHT)
    assert model.split.labels(model) == ("531", "441")
    assert model.playback.time == 1.0
    model.set_value(row_named("dwell"), 1.0)
    assert beside(model).animation.parameters.dwell == 1.3
    model.type_pattern("7531")
    assert model.split.labels(model) == ("531", "7531")
    model.perform(Action.OTHER_HALF)
    assert (model.shown, model.animation.parameters.dwell, model.split.chosen) == ("531", 1.3, LEFT)


def test_each_half_has_its_own_undo_and_history() -> None:
    model = viewer("441", "531")
    model.set_value(row_named("dwell"), 1.0)
    model.perform(Action.SPLIT)
    model.perform(Action.OTHER_HALF)
    model.perform(Action.UNDO)
    assert model.shown == "441"
    model.set_value(row_named("gravity"), 500.0)
    model.perform(Action.UNDO)
    assert model.animation.parameters.gravity == 980
    model.desk.advance(0.0)
    model.perform(Action.PATTERN_BEFORE)
    assert model.shown == "441"
    model.perform(Action.OTHER_HALF)
    model.desk.advance(0.0)
    model.perform(Action.UNDO)
    assert (model.shown, model.animation.parameters.dwell) == ("531", 1.3)
    model.perform(Action.PATTERN_BEFORE)
    assert (model.shown, beside(model).shown) == ("441", "441")
    assert [step.shown for step in model.desk.history._steps] == ["441", "531"]


def test_speed_and_sound_are_the_same_for_both_halves() -> None:
    model = viewer("531")
    model.perform(Action.SPLIT)
    model.set_value(row_named("speed"), 0.25)
    model.perform(Action.OTHER_HALF)
    assert model.animation.parameters.speed == 0.25
    assert model.animation.parameters.arms == "chicken-wing"


def test_choosing_the_half_that_is_chosen_changes_nothing() -> None:
    model = viewer("441", "531")
    model.split.choose(model, RIGHT)
    assert model.shown == "531"
    model.perform(Action.SPLIT)
    model.split.choose(model, LEFT)
    assert model.shown == "531"
    model.split.choose(model, RIGHT)
    assert (model.shown, model.split.chosen) == ("441", RIGHT)


def test_without_a_split_d_says_how_to_get_one() -> None:
    model = viewer("531")
    model.perform(Action.OTHER_HALF)
    assert model.desk.notice.words.startswith("S ")


def test_a_goal_is_closed_when_the_view_is_split() -> None:
    model = viewer("531")
    model.perform(Action.GOAL)
    model.perform(Action.SPLIT)
    assert model.lab is None
    model.perform(Action.GOAL)
    model.perform(Action.OTHER_HALF)
    assert model.lab is None


@pytest.mark.parametrize("exchanged", [False, True])
def test_a_split_stays_as_it_was_closed(exchanged: bool) -> None:
    model = viewer("441", "531")
    model.perform(Action.SPLIT)
    if exchanged:
        model.perform(Action.OTHER_HALF)
    model.set_value(row_named("dwell"), 1.0)
    model.perform(Action.OTHER_HALF)
    again = reopened(model)
    assert again.split.labels(again) == model.split.labels(model) == ("531", "441")
    assert again.split.chosen == model.split.chosen
    assert beside(again).animation.parameters == beside(model).animation.parameters
    assert beside(again).animation.parameters.dwell == 1
    model.perform(Action.SPLIT)
    assert reopened(model).split.other is None


def test_events_beside_come_back_from_their_file(tmp_path: Path) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    model = viewer("441", str(tmp_path / "box.jml"), "531")
    model.perform(Action.SPLIT)
    again = reopened(model)
    assert beside(again).animation.title == "My box"
    (tmp_path / "box.jml").unlink()
    assert reopened(model).split.other is None
