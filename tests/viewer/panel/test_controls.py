from pathlib import Path

import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.errors import ParameterError
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import ROWS, Choice, Group, Row, row_named
from juggle_anim.scene.compose import drawn_colours, drawn_kinds
from juggle_anim.viewer.panel.controls import (
    CONTROLS,
    JUGGLERS,
    STAGING_CONTROLS,
    DefaultValues,
    chosen_value,
    is_changed,
    value_of,
    with_defaults,
    with_value,
)
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.library import LibraryController


def knob(name: str) -> Row:
    return next(row for row in CONTROLS if row.name == name)


def test_every_parameter_is_a_knob_and_groups_stand_together_in_their_order() -> None:
    assert {row.name for row in ROWS} < {row.name for row in CONTROLS}
    assert len(CONTROLS) == len(ROWS) + len(STAGING_CONTROLS) + len([JUGGLERS])
    groups = [row.group for row in CONTROLS]
    assert groups == sorted(groups, key=list(Group).index)
    assert [row.name for row in CONTROLS if row.group is Group.BASICS] == [
        "prop",
        "colors",
        "jugglers",
        "speed",
        "bps",
    ]
    assert [row.label for row in CONTROLS if row.group is Group.ARMS] == [
        "Elbow lift",
        "Left elbow",
        "Right elbow",
        "Elbow method",
        "Compare with",
    ]


@pytest.mark.parametrize(
    ("pattern", "three"),
    [
        ("531", "<531|531|531>"),
        ("(6x,4)*", "<(6x,4)|(6x,4)|(6x,4)>*"),
        ("<441|441>", "<441|441|441>"),
    ],
)
def test_more_people_juggle_the_same_beside_each_other(pattern: str, three: str) -> None:
    before = animate(pattern)
    several = with_value(before, JUGGLERS, 3.0)
    assert (several.text, several.num_jugglers) == (three, 3)
    assert several.score.props == 3 * with_value(several, JUGGLERS, 1.0).score.props
    assert is_changed(several, JUGGLERS)
    assert not is_changed(with_defaults(several), JUGGLERS)


def test_the_paths_of_hands_are_those_of_each_of_several_people() -> None:
    one = animate("Mills mess")
    two = with_value(one, JUGGLERS, 2.0)
    assert two.score.staging.hands == one.score.staging.hands
    assert with_value(two, JUGGLERS, 1.0).text == "Mills mess"


def test_people_who_pass_are_as_many_as_the_pattern_says() -> None:
    passing = animate("<3p 3|3p 3>")
    assert (value_of(passing, JUGGLERS), is_changed(passing, JUGGLERS)) == (2.0, False)
    with pytest.raises(ParameterError, match="sets the number of jugglers"):
        with_value(passing, JUGGLERS, 3.0)


@pytest.mark.parametrize("row", STAGING_CONTROLS, ids=lambda row: row.name)
def test_each_word_of_a_setting_can_be_chosen_and_the_first_is_what_nobody_said(
    row: Choice,
) -> None:
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


def test_throws_under_and_between_legs_come_now_and_then_and_others_each_time() -> None:
    legs = with_value(animate("3"), knob("throws"), "albert")
    assert legs.score.staging.throws == (("albert", None, None, None, None),)
    assert chosen_value(legs, knob("throws")) == "albert"
    arms = with_value(legs, knob("throws"), "backcross")
    assert (arms.score.staging.throws, chosen_value(arms, knob("throws"))) == (
        (("backcross",),),
        "backcross",
    )
    assert with_value(legs, knob("throws"), "-").score.staging.throws == ()


def test_events_of_a_file_refuse_what_only_throws_can_have(tmp_path: Path) -> None:
    events, _ = with_events(open_patterns("pattern=531;title=Mine"))
    write_file(events, tmp_path / "mine.jml")
    animation = animate(f"{tmp_path}/mine.jml")
    with pytest.raises(
        ParameterError, match="Catches cannot be changed: Mine consists of timed events"
    ):
        with_value(animation, knob("catches"), "claw")
    assert with_value(animation, knob("gravity"), 500.0).parameters.gravity == 500.0


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
    back = with_value(orbits, knob("colors"), "default")
    assert drawn_colours(back.choreography).tolist() == ours


def test_what_a_file_says_of_its_props_is_named_and_kept_until_it_is_turned(tmp_path: Path) -> None:
    patterns = with_events(open_patterns("pattern=531;prop=ring;colors={red}{red}{blue}"))[0]
    write_file(patterns, tmp_path / "rings.jml")
    animation = animate(f"{tmp_path}/rings.jml")
    assert (chosen_value(animation, knob("prop")), chosen_value(animation, knob("colors"))) == (
        "ring",
        "own",
    )
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
    desk.visited.go_back()
    assert "first pattern" in model.notice.text
    controller.perform(Action.UNDO)
    assert chosen_value(model.animation, knob("prop")) == "ball"


def test_it_is_saved_with_the_events(events: Animation, tmp_path: Path) -> None:
    controller = Controller(with_value(events, knob("prop"), "club"))
    controller.perform(Action.SAVE_FILE)
    controller.library.apply_prompt(f"{tmp_path}/clubs.jml")
    assert chosen_value(animate(f"{tmp_path}/clubs.jml"), knob("prop")) == "club"


@pytest.fixture
def usual() -> DefaultValues:
    return DefaultValues()


def test_a_default_is_usual_whatever_was_turned(usual: DefaultValues) -> None:
    turned = animate("531", dwell=1.0, arms="two-link", prop="club")
    values = {row.name: usual.of(turned, row) for row in CONTROLS}
    assert (values["dwell"], values["arms"], values["prop"]) == (1.3, "natural", "ball")


@pytest.mark.parametrize(
    "row", [row for row in CONTROLS if row.default is None], ids=lambda row: row.name
)
def test_what_follows_is_where_it_would_stand_if_nobody_had_turned_it(
    usual: DefaultValues, row: Row
) -> None:
    follows = animate("b97531", chicken_wing=50, prop="club", dwell=1.1)
    turned = follows.replace(**{row.name: row.slider[1]})
    assert usual.of(follows, row) == usual.of(turned, row) == value_of(follows, row)
    assert value_of(turned, row) == row.slider[1]


def test_the_usual_tempo_is_that_of_the_present_pattern_and_dwell(usual: DefaultValues) -> None:
    tempo = row_named("bps")
    for text, dwell in (("531", 1.3), ("b97531", 1.3), ("b", 1.3), ("b", 0.2), ("531", 1.3)):
        animation = animate(text, dwell=dwell)
        assert usual.of(animation.replace(bps=7.0), tempo) == animation.choreography.bps


def test_the_usual_tempo_is_not_found_again_for_each_place_of_a_drag(
    usual: DefaultValues, monkeypatch: pytest.MonkeyPatch
) -> None:
    tempo, animation = row_named("bps"), animate("531", bps=2.0)
    wanted, found = usual.of(animation, tempo), []
    monkeypatch.setattr(Animation, "choreography", property(found.append))
    assert usual.of(animation.replace(bps=5.0, chicken_wing=80.0), tempo) == wanted == 3.63
    assert not found


def test_the_default_of_a_tempo_that_was_given_is_the_one_that_follows_from_the_pattern(
    usual: DefaultValues,
) -> None:
    assert usual.of(animate("531", bps=3.0), row_named("bps")) == 3.63


def test_events_of_a_file_have_their_own_tempo(usual: DefaultValues, tmp_path: Path) -> None:
    patterns, _ = with_events(open_patterns("pattern=531;bps=2"))
    write_file(patterns, tmp_path / "events.jml")
    animation = animate(str(tmp_path / "events.jml"))
    assert usual.of(animation, row_named("bps")) == animation.choreography.bps
