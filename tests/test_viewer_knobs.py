from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.errors import ParameterError
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import ROWS, Choice, Group, Row, row_named
from juggle_anim.viewer.state.controls import (
    CONTROLS,
    STAGING_CONTROLS,
    chosen_value,
    is_changed,
    value_of,
    with_defaults,
    with_value,
)


def knob(name: str) -> Row:
    return next(row for row in CONTROLS if row.name == name)


def test_every_parameter_is_a_knob_and_groups_stand_together_in_their_order() -> None:
    assert {row.name for row in ROWS} < {row.name for row in CONTROLS}
    assert len(CONTROLS) == len(ROWS) + len(STAGING_CONTROLS)
    groups = [row.group for row in CONTROLS]
    assert groups == sorted(groups, key=list(Group).index)
    assert CONTROLS[0] is row_named("chicken_wing")


@pytest.mark.parametrize("row", STAGING_CONTROLS, ids=lambda row: row.name)
def test_each_word_of_a_setting_can_be_chosen_and_the_first_is_what_nobody_said(row: Choice) -> None:
    plain = animate("531")
    assert chosen_value(plain, row) == row.default == row.options[0]
    for word in row.options:
        chosen = with_value(plain, row, word)
        assert value_of(chosen, row) == word
        assert is_changed(chosen, row) == (word != row.default)
        assert chosen.pattern is plain.pattern
        assert with_value(chosen, row, row.default).score == plain.score


def test_clubs_are_juggled_once_they_are_chosen() -> None:
    assert with_value(animate("531"), knob("prop"), "club").choreography.looks[0].kind == "club"


def test_what_is_no_usual_word_is_shown_as_it_is_and_changes_for_one() -> None:
    mixed = animate("531", prop="club,ring")
    assert value_of(mixed, knob("prop")) == "club,ring"
    assert value_of(with_value(mixed, knob("prop"), "ring"), knob("prop")) == "ring"


def test_a_wing_that_follows_stands_where_the_other_does() -> None:
    animation = animate("531", chicken_wing=50)
    assert chosen_value(animation, knob("left_wing")) is None
    assert value_of(animation, knob("left_wing")) == 50.0
    assert value_of(animation, knob("bps")) == animation.choreography.bps


@pytest.mark.parametrize(("pattern", "turns"), [("3", 1.0), ("b97531", 4.0), ("2", 0.0)])
def test_spins_that_follow_are_those_of_the_highest_throw(pattern: str, turns: float) -> None:
    assert value_of(animate(pattern, prop="club"), knob("spins")) == turns


def test_defaults_leave_the_pattern_and_the_ways_of_its_hands() -> None:
    turned = animate("pattern=531;hands=(10)(32.5).;prop=club;dwell=1;gravity=500;catches=claw")
    usual = with_defaults(turned)
    assert not [row.name for row in CONTROLS if is_changed(usual, row)]
    assert usual.pattern is turned.pattern
    assert usual.score.staging.hands == turned.score.staging.hands


def test_events_of_a_file_refuse_what_only_throws_can_have(tmp_path: Path) -> None:
    events, _ = with_events(open_patterns("pattern=531;title=Mine"))
    write_file(events, tmp_path / "mine.jml")
    animation = animate(f"{tmp_path}/mine.jml")
    with pytest.raises(ParameterError, match="Catches changes throws on beats, but Mine is made of events"):
        with_value(animation, knob("catches"), "claw")
    assert with_value(animation, knob("gravity"), 500.0).parameters.gravity == 500.0
