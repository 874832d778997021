from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from viewer_more_state import Ear

from juggle_anim.animation import Animation, animate
from juggle_anim.errors import JuggleError
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import Group, quantity_named, row_named
from juggle_anim.viewer.cards.panel import changed_text
from juggle_anim.viewer.panel.controls import CONTROLS, VIEW
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import PLOTS, Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.playback import FRAME_TIME, Sound

PROP = next(row for row in CONTROLS if row.name == "prop")
WING, TEMPO = quantity_named("chicken_wing"), quantity_named("bps")


@pytest.fixture
def controller() -> Controller:
    """One whose chicken wing is chosen."""
    controller = Controller(animate("531"))
    controller.model.reach(WING)
    return controller


@pytest.fixture
def model(controller: Controller) -> Model:
    return controller.model


def wing(model: Model) -> float:
    return model.animation.parameters.chicken_wing


def test_what_a_pattern_of_the_library_sets_is_no_change_and_a_reset_goes_back_to_it(
    model: Model,
) -> None:
    assert model.type_pattern("Every others")
    assert (model.value(PROP), changed_text(model, Group.BASICS)) == ("club", "")
    model.set_value(PROP, "ring")
    assert changed_text(model, Group.BASICS) == "1 changed"
    model.reset(PROP)
    assert model.value(PROP) == "club"
    model.set_value(PROP, "ring")
    model.reset_all()
    assert (model.value(PROP), changed_text(model, Group.BASICS)) == ("club", "")
    assert model.notice.text == "All settings reset"
    model.notice.text = ""
    model.reset_all()
    assert not model.notice.text, "there was nothing to reset"


def silent(animation: Animation) -> Controller:
    """What needs no audio device."""
    controller = Controller(animation)
    controller.model.sound = Sound(Ear)
    return controller


def drawable(model: Model) -> bool:
    """Whether there is something to draw."""
    return bool(np.isfinite(model.animation.pose(np.array([model.playback.time])).joints).all())


def test_every_action_can_be_performed_and_only_one_leaves_at_once() -> None:
    animation = animate("531")
    leave = []
    for action in Action:
        controller = silent(animation)
        controller.model.reach(WING)
        controller.perform(action)
        assert drawable(controller.model), action
        assert controller.model.animation.text == "531", action
        leave += [action] * controller.model.leaving
    assert leave == [Action.LEAVE]


def test_a_new_window_chooses_the_prop_which_one_key_makes_a_club() -> None:
    model = Model(animate("531"))
    assert (model.chosen, model.lines[:2]) == (CONTROLS[0], [Group.BASICS, CONTROLS[0]])
    model.step_value(1)
    assert model.value(CONTROLS[0]) == "club"


def test_what_a_flag_asks_for_is_chosen_and_its_group_is_open() -> None:
    model = Model(animate("531", chicken_wing=60))
    assert model.chosen is WING
    assert WING in model.lines
    assert row_named("dwell") not in model.lines


def test_one_key_leads_to_the_chicken_wing_from_wherever_one_is() -> None:
    controller = Controller(animate("531"))
    controller.perform(Action.BROWSE)
    controller.perform(Action.WING)
    assert controller.model.chosen is WING
    assert WING in controller.model.lines
    assert controller.model.cards.panel is None


def test_the_chicken_wing_is_turned_by_keys(model: Model, controller: Controller) -> None:
    assert model.chosen is WING
    controller.perform(Action.TURN_UP)
    controller.perform(Action.TURN_DOWN_FINE)
    assert wing(model) == 34.5
    assert not model.is_default(WING)
    controller.perform(Action.RESET_VALUE)
    assert wing(model) == WING.default
    assert model.is_default(WING)


def test_choosing_goes_around_the_ends_of_the_listing(model: Model, controller: Controller) -> None:
    model.choose(CONTROLS[0])
    controller.perform(Action.CHOOSE_PREVIOUS)
    assert model.chosen is Group.BASICS
    controller.perform(Action.CHOOSE_PREVIOUS)
    assert model.chosen is model.lines[-1]
    controller.perform(Action.CHOOSE_NEXT)
    controller.perform(Action.CHOOSE_NEXT)
    assert model.chosen is CONTROLS[0]


def test_turning_a_tempo_that_follows_from_the_pattern_starts_there(model: Model) -> None:
    natural = model.value(TEMPO)
    model.choose(TEMPO)
    model.step_value(1)
    assert model.animation.parameters.bps == pytest.approx(natural + 0.1)
    model.reset(TEMPO)
    assert model.animation.parameters.bps is None
    assert model.value(TEMPO) == natural


def test_another_tempo_keeps_the_place_in_the_loop(model: Model) -> None:
    model.playback.time = 0.7
    phase = model.playback.phase(model.animation.duration)
    model.set_value(TEMPO, 1.7)
    assert model.playback.phase(model.animation.duration) == pytest.approx(phase)


def test_a_new_pattern_keeps_the_parameters(model: Model) -> None:
    model.step_value(2)
    assert model.type_pattern("(6x,4)*")
    assert model.animation.pattern.text == "(6x,4)*"
    assert wing(model) == 40.0
    assert model.pattern_error is None


def test_a_name_changes_only_what_it_names_and_takes_that_with_it(model: Model) -> None:
    model.set_value(row_named("speed"), 0.5)
    model.set_value(row_named("dwell"), 1.1)
    model.set_value(PROP, "club")
    assert model.type_pattern("Three-ring box")
    chosen = model.live.chosen.animation
    assert (chosen.parameters.speed, chosen.parameters.dwell, chosen.parameters.width) == (
        0.5,
        1.1,
        140.0,
    )
    assert chosen.score.staging.props.kinds == ("ring",)
    assert model.type_pattern("441")
    chosen = model.live.chosen.animation
    assert (chosen.parameters.speed, chosen.parameters.width) == (0.5, 100.0)
    assert chosen.score.staging.props.kinds == ("club",)


def test_what_a_person_set_comes_back_after_patterns_that_name_their_own(model: Model) -> None:
    model.set_value(PROP, "club")
    model.set_value(row_named("width"), 120.0)
    for name in ("Three-ring box", "Box", "Three-ring box"):
        assert model.type_pattern(name)
    model.type_pattern("531")
    assert (model.value(PROP), model.value(row_named("width"))) == ("club", 120.0)


def test_props_stay_as_they_were_chosen(model: Model) -> None:
    model.set_value(PROP, "club")
    assert model.type_pattern("441")
    assert model.live.chosen.animation.score.staging.props.kinds == ("club",)
    assert model.type_pattern("pattern=531")
    assert model.live.chosen.animation.score.staging.props.kinds == ("ball",)


def test_an_invalid_pattern_keeps_the_old_one_and_its_error_until_it_is_dropped(
    model: Model, controller: Controller
) -> None:
    before = model.animation
    assert not model.type_pattern("54")
    assert model.animation is before
    assert model.line == "54"
    assert "average" in str(model.pattern_error)
    controller.perform(Action.BACK)
    assert model.pattern_error is None
    assert model.line == "531"
    assert not model.leaving


def test_a_value_with_which_nothing_can_be_juggled_is_refused_with_its_reason(model: Model) -> None:
    before = model.animation
    with patch.object(
        Animation, "motion", property(lambda self: (_ for _ in ()).throw(JuggleError("too fast")))
    ):
        model.step_value(1)
    assert model.animation is before
    assert model.error == "too fast"
    model.step_value(1)
    assert model.error == ""
    assert wing(model) == 35.0


def test_a_typed_number_is_taken_and_a_wrong_one_asked_again(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.TYPE_VALUE)
    model.entry.apply("12.5")
    assert model.entry.typed is None
    assert wing(model) == 12.5
    controller.perform(Action.TYPE_VALUE)
    model.entry.apply("much")
    assert model.entry.typed
    assert "much" in model.entry.typed.error
    assert wing(model) == 12.5
    controller.perform(Action.BACK)
    assert model.entry.typed is None


def test_escape_closes_one_thing_at_a_time_and_never_the_window(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.TYPE_VALUE)
    controller.perform(Action.TOGGLE_HELP)
    for remaining in ("entry", "nothing"):
        controller.perform(Action.BACK)
        assert not model.cards.help_shown
        assert (model.entry.typed is not None) == (remaining == "entry")
        assert not model.notice.text
    controller.perform(Action.BACK)
    assert "Ctrl+Q quits" in model.notice.text
    assert not model.leaving


def test_escape_drops_a_pattern_that_was_typed_and_never_entered(
    model: Model, controller: Controller
) -> None:
    model.line = "441"  # and then the mouse clicked somewhere else
    controller.perform(Action.BACK)
    assert model.line == "531"


def test_speed_is_a_quantity_with_actions_of_its_own(model: Model, controller: Controller) -> None:
    controller.perform(Action.SLOWER)
    assert model.animation.parameters.speed == 0.75
    controller.perform(Action.FASTER)
    controller.perform(Action.FASTER)
    assert model.animation.parameters.speed == 1.5


def test_steps_move_single_frames(model: Model, controller: Controller) -> None:
    controller.perform(Action.STEP_ON)
    assert model.playback.time == pytest.approx(FRAME_TIME)
    assert model.playback.paused


def test_asking_for_the_pattern_line_shows_a_hidden_panel(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.TOGGLE_PANEL)
    assert not model.cards.panel_shown
    controller.perform(Action.EDIT_PATTERN)
    assert model.cards.panel_shown
    assert model.line_wants_focus


def test_first_person_folds_the_panels_until_it_is_left_by_the_list_as_by_the_key(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.FROM_EYES)
    by_key = model.rig.view, model.cards.panel_shown, model.notice.text
    controller.perform(Action.FRAME)
    assert model.cards.panel_shown
    model.notice.say("")
    model.set_value(VIEW, by_key[0])
    assert (model.rig.view, model.cards.panel_shown, model.notice.text) == by_key
    assert not model.cards.panel_shown
    model.set_value(VIEW, None)
    assert model.cards.panel_shown


@pytest.fixture
def box(tmp_path: Path) -> str:
    events, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(events, tmp_path / "box.jml")
    return f"{tmp_path}/box.jml"


def test_every_action_can_be_performed_on_events_whatever_is_chosen(box: str) -> None:
    animation = animate(box)
    turns = (Action.TURN_UP, Action.TURN_DOWN, Action.RESET_VALUE)
    for action, quantity in (*product(Action, CONTROLS[:1]), *product(turns, CONTROLS)):
        controller = silent(animation)
        controller.model.choose(quantity)
        controller.perform(action)
        # One action goes back to settings, whose beats are not as the file rounds them.
        duration = controller.model.animation.choreography.duration
        assert duration == pytest.approx(animation.duration, rel=1e-12), (action, quantity)


def test_what_was_said_of_a_pattern_is_gone_with_it(model: Model) -> None:
    model.notice.say("Saved as 531.jml")
    model.set_value(TEMPO, 3.0)
    assert model.notice.text
    model.type_pattern("441")
    assert model.notice.text == ""
    model.notice.say("Saved as 441.jml")
    model.restore(model.undo.undo(model.chosen_step))
    assert model.notice.text == "", "undo leads to another pattern, too"


def test_a_tempo_for_events_is_fixed_with_its_reason_and_not_turned_or_typed(box: str) -> None:
    model = Model(animate(box))
    assert {row.name for row in CONTROLS if model.fixed(row)} == {
        "jugglers",
        *(
            "bps",
            "dwell",
            "squeeze_beats",
            "width",
            "throw_height",
            "catch_height",
            "style",
            "catches",
            "throws",
        ),
    }
    assert "Set by the times of its events" in model.fixed(TEMPO)
    model.choose(TEMPO)
    model.step_value(1)
    model.open_entry(TEMPO)
    assert (model.error, model.entry.typed) == ("", None)
    assert model.is_default(TEMPO)
    model.type_pattern("531")
    assert not model.fixed(TEMPO)
    model.type_pattern(box)
    model.choose(WING)
    model.step_value(1)
    assert (model.error, wing(model)) == ("", 35.0)


def test_a_file_is_typed_and_its_name_stays_in_the_line(
    model: Model, controller: Controller, box: str
) -> None:
    assert model.type_pattern(box)
    assert (model.line, model.animation.title, model.animation.pattern) == (box, "My box", None)
    model.line = "half typed"
    controller.perform(Action.BACK)
    assert model.line == box
    assert not model.type_pattern(f"{box}#2")
    assert str(model.pattern_error).endswith("has no pattern #2; there are #1 to #1")
    assert model.type_pattern("441")
    assert model.line == "441"


def test_the_name_of_events_may_be_entered_again(box: str) -> None:
    model = Model(animate(box))
    animation = model.animation
    assert model.type_pattern(model.line)
    assert (model.line, model.animation, model.pattern_error) == ("My box", animation, None)


def test_a_goal_pauses_and_escape_puts_it_away_before_it_leaves(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.GOAL)
    assert model.lab
    assert model.playback.paused
    controller.perform(Action.TOGGLE_HELP)
    controller.perform(Action.BACK)
    assert model.lab
    controller.perform(Action.BACK)
    assert model.lab is None
    assert not model.leaving


def test_keys_of_a_goal_do_nothing_where_there_is_none(
    model: Model, controller: Controller
) -> None:
    for action in (
        Action.METHOD,
        Action.ITERATE,
        Action.HOLD,
        Action.TURN_GOAL,
        Action.GOAL_UP,
        Action.GOAL_AWAY,
    ):
        controller.perform(action)
    assert model.lab is None


def test_keys_move_the_goal_and_choose_how_it_is_followed(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.GOAL)
    assert model.lab
    before = model.lab.goal
    controller.perform(Action.GOAL_UP)
    controller.perform(Action.GOAL_UP)
    controller.perform(Action.GOAL_DOWN)
    assert model.lab.goal[1] - before[1] == pytest.approx(0.02, abs=1e-3)
    methods = []
    for _ in range(4):
        methods.append(model.lab.method.name)
        controller.perform(Action.METHOD)
    assert methods == ["SOLVER", "ARM", "BODY", "SOLVER"]
    controller.perform(Action.ITERATE)
    controller.perform(Action.TURN_GOAL)
    assert model.lab.paused
    assert model.lab.orients_hand
    controller.perform(Action.HOLD)
    assert not model.lab.paused


def test_the_other_arm_is_taken_by_plots_and_goal_alike(
    model: Model, controller: Controller
) -> None:
    controller.perform(Action.OTHER_ARM)
    controller.perform(Action.GOAL)
    assert model.lab
    assert (model.arm.side, model.lab.arm.side) == (1, 1)
    controller.perform(Action.OTHER_ARM)
    assert (model.arm.side, model.lab.arm.side) == (0, 0)
    controller.perform(Action.OTHER_ARM)
    assert model.type_pattern("<3p|3p>")
    assert (model.arm.juggler, model.arm.side) == (0, 1)


def test_plots_show_a_hidden_panel(model: Model, controller: Controller) -> None:
    controller.perform(Action.TOGGLE_PANEL)
    controller.perform(Action.PLOTS)
    assert model.cards.panel_shown
    assert model.cards.strip == PLOTS


@pytest.mark.parametrize("name", ["Mills mess", "531"])
def test_a_line_that_nobody_changed_loses_nothing_when_it_is_entered(name: str) -> None:
    model = Model(animate(name))
    prop = next(row for row in CONTROLS if row.name == "prop")
    model.set_value(prop, "club")
    model.set_value(row_named("chicken_wing"), 70.0)
    assert model.type_pattern(model.line)
    assert (model.value(prop), model.animation.parameters.chicken_wing) == ("club", 70.0)
    assert model.type_pattern(name if name != model.line else "441")
    assert model.value(prop) == "club"


def test_a_method_for_elbows_is_not_compared_with_itself() -> None:
    model = Controller(animate("531", arms="chicken-wing")).model
    model.chosen = row_named("ghost")
    ghosts = []
    for steps in (1, 1, -1, -1):
        model.step_value(steps)
        ghosts.append(model.animation.parameters.ghost)
    assert ghosts == ["natural", "two-link", "natural", "none"]
    model.set_value(row_named("ghost"), "none")
    model.set_value(row_named("arms"), "natural-place")
    model.set_value(row_named("ghost"), "resolved-rate")
    model.step_value(1)
    assert model.animation.parameters.ghost == "resolved-rate"
