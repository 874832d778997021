from pathlib import Path

import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import Row
from juggle_anim.scene.compose import drawn_colours, drawn_kinds
from juggle_anim.viewer.state.actions import Controller
from juggle_anim.viewer.state.controls import CONTROLS, chosen_value, is_changed, with_defaults, with_value
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.library import LibraryController


def knob(name: str) -> Row:
    return next(row for row in CONTROLS if row.name == name)


@pytest.fixture
def path(tmp_path: Path) -> str:
    write_file(with_events(open_patterns("pattern=51;title=Mine"))[0], tmp_path / "mine.jml")
    return f"{tmp_path}/mine.jml"


@pytest.fixture
def events(path: str) -> Animation:
    return animate(path)


def test_props_of_events_become_what_the_knob_says(events: Animation) -> None:
    assert chosen_value(events, knob("prop")) == "ball"
    clubs = with_value(events, knob("prop"), "club")
    assert chosen_value(clubs, knob("prop")) == "club"
    assert set(drawn_kinds(clubs.motion)) == {"club"}
    assert clubs.score.placed is not None
    assert clubs.score.placed.events is events.score.placed.events  # type: ignore[union-attr]


def test_colours_of_events_are_ours_mixed_or_by_orbit(events: Animation) -> None:
    ours = drawn_colours(events.choreography).tolist()
    mixed = with_value(events, knob("colors"), "mixed")
    assert chosen_value(mixed, knob("colors")) == "mixed"
    assert len({tuple(colour) for colour in drawn_colours(mixed.choreography).tolist()}) == 3
    orbits = with_value(mixed, knob("colors"), "orbits")
    assert chosen_value(orbits, knob("colors")) == "orbits"
    shared = len({tuple(colour) for colour in drawn_colours(orbits.choreography).tolist()})
    assert shared == len(orbits.choreography.orbits) < 3
    back = with_value(orbits, knob("colors"), "usual")
    assert drawn_colours(back.choreography).tolist() == ours


def test_what_a_file_says_of_its_props_is_named_and_kept_until_it_is_turned(tmp_path: Path) -> None:
    patterns = with_events(open_patterns("pattern=531;prop=ring;colors={red}{red}{blue}"))[0]
    write_file(patterns, tmp_path / "rings.jml")
    animation = animate(f"{tmp_path}/rings.jml")
    assert (chosen_value(animation, knob("prop")), chosen_value(animation, knob("colors"))) == ("ring", "own")
    clubs = with_value(animation, knob("prop"), "club")
    assert chosen_value(clubs, knob("colors")) == "own"
    usual = with_defaults(clubs)
    assert not any(is_changed(usual, knob(name)) for name in ("prop", "colors"))


def test_it_is_undone_and_no_other_pattern_for_the_history(path: str) -> None:
    controller = Controller(animate(path))
    model = controller.model
    desk: LibraryController = controller.library
    desk.advance(0.0)
    model.set_value(knob("prop"), "club")
    desk.advance(0.0)
    assert model.error == ""
    desk.go_back()
    assert "no pattern before" in model.notice.text
    controller.perform(Action.UNDO)
    assert chosen_value(model.animation, knob("prop")) == "ball"


def test_it_is_saved_with_the_events(events: Animation, tmp_path: Path) -> None:
    controller = Controller(with_value(events, knob("prop"), "club"))
    controller.perform(Action.SAVE_FILE)
    controller.library.apply_prompt(f"{tmp_path}/clubs.jml")
    assert chosen_value(animate(f"{tmp_path}/clubs.jml"), knob("prop")) == "club"
