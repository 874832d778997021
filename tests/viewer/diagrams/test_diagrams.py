import gc
import time
import weakref

from juggle_anim.animation import Animation, animate
from juggle_anim.viewer.diagrams.diagrams import DRAWING, Diagrams, LoopDiagram
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import FACTS, PLOTS, Action, OpenCards


def done(diagrams: Diagrams, animation: Animation) -> LoopDiagram | str:
    """What there is once nothing is in the making."""
    found = diagrams.of(animation)
    for _ in range(2000):
        if not diagrams.is_waiting:
            break
        time.sleep(0.005)
        found = diagrams.of(animation)
    return found


def test_the_key_shows_the_diagram_that_was_shown_last_and_closes_it() -> None:
    controller = Controller(animate("531"))
    diagrams = controller.model.diagrams
    kinds = []
    for shown in ("ladder", "causal", "states"):
        controller.perform(Action.DIAGRAM)
        kinds.append(diagrams.kind)
        diagrams.show(shown)
        controller.perform(Action.DIAGRAM)
        kinds.append(diagrams.kind)
    assert kinds == ["ladder", "", "ladder", "", "causal", "causal"]


def test_diagram_plots_facts_and_goal_share_one_place() -> None:
    controller = Controller(animate("531"))
    model = controller.model
    model.cards.panel_shown = False
    controller.perform(Action.PLOTS)
    controller.perform(Action.GOAL)
    controller.perform(Action.DIAGRAM)
    assert (model.cards.strip, model.lab, model.cards.panel_shown) == ("ladder", None, True)
    controller.perform(Action.PLOTS)
    assert (model.cards.strip, model.diagrams.kind) == (PLOTS, "")
    controller.perform(Action.FACTS)
    assert model.cards.strip == FACTS
    controller.perform(Action.DIAGRAM)
    assert (model.cards.strip, model.diagrams.kind) == ("ladder", "ladder")
    controller.perform(Action.GOAL)
    controller.perform(Action.FACTS)
    assert (model.cards.strip, model.diagrams.kind, model.lab) == (FACTS, "", None)
    controller.perform(Action.FACTS)
    assert model.cards.strip is None


def test_nothing_is_drawn_once_the_card_shows_no_diagram_of_throws() -> None:
    cards = OpenCards()
    diagrams, animation = Diagrams(cards), animate("531")
    diagrams.show("ladder")
    for strip in (FACTS, None, "states"):
        cards.strip = strip
        # With `at_once` a drawing in this thread would raise what one in its own thread writes.
        assert diagrams.of(animation, at_once=True) == DRAWING
        assert diagrams.of(animation) == DRAWING
        assert not diagrams.is_waiting


def test_a_tape_is_made_once_and_told_of_meanwhile() -> None:
    diagrams, animation = Diagrams(OpenCards()), animate("531")
    diagrams.show("causal")
    assert diagrams.of(animation) == DRAWING
    tape = done(diagrams, animation)
    assert isinstance(tape, LoopDiagram)
    assert tape.kind == "causal"
    assert diagrams.of(animation) is tape
    assert diagrams.of(animation.replace(chicken_wing=60)) is tape, "nothing in it has changed"


def test_another_theme_brings_other_colours_while_the_tape_stays_to_be_seen() -> None:
    diagrams, animation = Diagrams(OpenCards()), animate("531")
    diagrams.show("ladder")
    tape = done(diagrams, animation)
    for_all_eyes = animation.replace(theme="colour-blind")
    assert diagrams.of(for_all_eyes) is tape
    other = done(diagrams, for_all_eyes)
    assert isinstance(tape, LoopDiagram)
    assert isinstance(other, LoopDiagram)
    assert tape.prop_curves
    assert other.prop_curves
    assert (other.prop_curves.colours == for_all_eyes.prop_colours).all()
    assert (other.prop_curves.colours != tape.prop_curves.colours).any()
    one, two = ({getattr(mark, "colour", None) for mark in each.marks} for each in (tape, other))
    assert one != two


def test_another_tempo_keeps_the_old_one_until_its_own_is_there_and_another_pattern_does_not() -> (
    None
):
    diagrams, animation = Diagrams(OpenCards()), animate("531")
    diagrams.show("ladder")
    tape, slower = done(diagrams, animation), animation.replace(bps=2.0)
    assert diagrams.of(slower) is tape
    assert done(diagrams, slower) is not tape
    assert diagrams.of(animate("441")) == DRAWING


def test_what_is_too_large_says_so_with_the_limit() -> None:
    diagrams = Diagrams(OpenCards())
    diagrams.show("causal")
    words = done(diagrams, animate("<" + "|".join(["3"] * 120) + ">"))
    assert isinstance(words, str)
    assert words.startswith("This diagram is too large")
    assert "the limit for 120 jugglers is 83" in words
    assert not diagrams.is_waiting


def test_a_card_is_as_high_for_all_patterns_of_as_many_jugglers() -> None:
    diagrams = Diagrams(OpenCards())
    assert diagrams.card_height == 0
    diagrams.show("ladder")
    heights = set()
    for pattern in ("3", "441", "[43]23"):
        done(diagrams, animate(pattern))
        heights.add(diagrams.card_height)
    diagrams.show("causal")
    heights.add(diagrams.card_height)
    assert len(heights) == 1
    done(diagrams, animate("<3p 3|3p 3>"))
    assert diagrams.card_height > heights.pop() + 80


def test_a_diagram_that_is_closed_holds_nothing_of_what_was_juggled() -> None:
    diagrams, animation = Diagrams(OpenCards()), animate("531")
    diagrams.show("ladder")
    assert isinstance(done(diagrams, animation), LoopDiagram)
    held = weakref.ref(animation)
    del animation
    diagrams.show("")
    gc.collect()
    assert held() is None
