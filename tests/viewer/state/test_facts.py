import time

import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.facts import COLLISIONS, FactsView
from juggle_anim.viewer.state.keymap import Action


def present(animation: Animation, beat: float) -> int:
    return FactsView().state_index(animation, beat / animation.choreography.bps)


def test_states_are_numbers_in_rows_of_one_length() -> None:
    shown = FactsView().of(animate("51"))
    assert shown.states == (((1, 1, 0, 1, 0),), ((1, 0, 1, 0, 1),))
    assert (shown.head, shown.rows) == ("Facts  ·  needs throws first", ())
    pairs = FactsView().of(animate("(6x,4)*"))
    assert pairs.states[0] == ((1, 1, 1), (1, 1, 0))
    assert pairs.rows == ("L", "R")
    assert FactsView().of(animate("<3|3>")).rows == ("1 L", "1 R", "2 L", "2 R")


def test_the_present_state_is_that_before_the_last_throws() -> None:
    animation = animate("531")
    assert [present(animation, beat + 0.5) for beat in range(6)] == [0, 1, 2, 0, 1, 2]
    pairs = animate("(6x,4)*")
    assert [present(pairs, beat + 0.5) for beat in range(6)] == [0, 0, 1, 1, 0, 0]


def test_a_click_plays_what_is_another_pattern() -> None:
    assert FactsView().of(animate("531")).opens == {"dual": "420"}
    assert FactsView().of(animate("51")).opens == {"dual": "40", "mirror": "L51"}


def test_facts_are_found_once_for_a_pattern() -> None:
    view, animation = FactsView(), animate("531")
    assert view.of(animation) is view.of(animation.replace(dwell=1.1))


@pytest.mark.parametrize("text", ["0", "<0|0>"])
def test_a_pattern_without_props_has_few_facts(text: str) -> None:
    shown = FactsView().of(animate(text))
    assert ("entry", "not applicable: it has no props") in shown.lines
    assert present(animate(text), 1.5) >= 0


def test_a_line_says_how_low_bounces_are_made_at_the_present_tempo() -> None:
    view, animation = FactsView(), animate("31B")
    assert dict(view.of(animation).lines)["bounces"].startswith("1B: too low to bounce as")
    assert dict(view.of(animation.replace(bps=6.0)).lines)["bounces"].startswith(
        "1B: no time to bounce,"
    )
    assert "bounces" not in dict(view.of(animation.replace(bps=0.6)).lines)
    assert "bounces" not in dict(view.of(animate("3B")).lines)


def test_the_props_of_the_deepest_collision_are_known_for_their_colours() -> None:
    view, animation = FactsView(), animate("pattern=51;prop=club")
    view.with_collisions(animation)
    while not view.update():
        time.sleep(0.01)
    shown = view.with_collisions(animation)
    assert "prop 1 (orange) and prop 3 (yellow)" in dict(shown.lines)[COLLISIONS]
    assert shown.props == {COLLISIONS: (0, 2)}


def test_escape_closes_the_card_and_then_says_how_to_quit(controller: Controller) -> None:
    controller.perform(Action.FACTS)
    controller.perform(Action.BACK)
    assert controller.model.cards.strip is None
    assert not controller.model.notice.text
    controller.perform(Action.BACK)
    assert controller.model.notice.text


def test_the_pattern_goes_on_after_facts_that_stopped_it_at_a_collision() -> None:
    controller = Controller(animate("51"), paused=False)
    model = controller.model
    for moved, plays_on in ((0.0, True), (0.5, False)):
        controller.perform(Action.FACTS)
        model.playback.hold_at(1.0)
        model.playback.hold_at(2.0)
        assert (model.playback.paused, model.playback.time) == (True, 2.0)
        # Whoever goes elsewhere meanwhile stays there.
        model.playback.time += moved
        controller.perform(Action.FACTS)
        assert model.playback.paused is not plays_on
