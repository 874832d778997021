"""Operations on throws."""

from __future__ import annotations

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography.body_throws import THROWS
from juggle_anim.choreography.manners import throw_manner
from juggle_anim.choreography.score import CATCH
from juggle_anim.errors import EditError


@pytest.mark.parametrize(
    ("text", "first", "second", "expected"),
    [
        ("531", 0, 1, "441"),
        ("441", 0, 1, "531"),
        ("531", 0, 2, "3"),
        ("3", 0, 1, "42"),
        ("(6x,4)*", 0, 1, "(4x,6)*"),
        ("[54]24", 0, 2, "[34]44"),
        ("<3p 3|3p 3>", 0, 1, "<3|3>"),
        ("5B31", 0, 1, "4B41"),
    ],
)
def test_swapped_landings_change_all_repeats_and_the_shortest_text_is_written(
    text: str, first: int, second: int, expected: str
) -> None:
    assert ja.animate(text).edit().swap_landings(first, second).text == expected


def test_the_siteswap_of_objects_changes_where_hands_have_their_own() -> None:
    edited = ja.animate("726 for 2").edit().swap_landings(0, 1)
    assert edited.pattern is not None
    assert edited.pattern.hand_siteswap is not None
    assert (edited.pattern.text, edited.num_jugglers, edited.score.props) == ("366", 2, 5)


def test_one_repeat_alone_changes_on_demand() -> None:
    assert ja.animate("531").edit().swap_landings(0, 1, symmetric=False).text == "441531"


@pytest.mark.parametrize(
    "text", ["531", "501", "(6x,4)*", "[54]24", "<3p 3|3p 3>", "726 for 2", "4p 2 3", "5B31"]
)
def test_every_landing_offered_gives_the_siteswap_that_it_shows(text: str) -> None:
    animation = ja.animate(text)
    landings = animation.edit().landings_of(0)
    assert len(landings) >= 6
    for landing in landings:
        aimed = animation.edit().aim_throw(0, landing[:3])
        assert aimed.pattern is not None
        assert aimed.pattern.text == landing.siteswap
        assert aimed.score.props == animation.score.props
        assert any(
            _lands(
                aimed, landing.beat % aimed.pattern.period, landing.juggler, landing.hand, animation
            )
        )


def _lands(aimed: Animation, beat: int, juggler: int, hand: int, before: Animation) -> list[bool]:
    """Of each throw that is made where the first one was, whether it lands there."""
    assert aimed.pattern is not None
    assert before.pattern is not None
    slot, period = before.pattern.throws[0][:3], aimed.pattern.period
    return [
        ((throw.beat + throw.value) % period, throw.to_juggler, throw.to_hand)
        == (beat, juggler, hand)
        for throw in aimed.pattern.throws
        if throw[:3] == slot
    ]


def test_a_throw_can_land_where_a_hand_was_empty() -> None:
    assert ja.animate("501").edit().aim_throw(0, (4, 0, 1)).text == "411"


def test_a_throw_is_aimed_at_another_one() -> None:
    assert ja.animate("531").edit().aim_throw(0, 4).text == "441"


def test_a_prop_cannot_land_before_it_is_thrown() -> None:
    with pytest.raises(EditError, match="land before"):
        ja.animate("441").edit().swap_landings(2, 4)


def test_a_throw_where_no_hand_is_at_work_is_refused() -> None:
    with pytest.raises(EditError, match="landings_of"):
        ja.animate("(4,4)").edit().aim_throw(0, (3, 0, 1))


@pytest.mark.parametrize(
    ("text", "periods", "expected"),
    [("531", 1, "831"), ("531", -1, "231"), ("(6x,4)*", 1, "(8,4)*"), ("51", -2, "1")],
)
def test_a_period_more_is_a_prop_more(text: str, periods: int, expected: str) -> None:
    animation = ja.animate(text)
    edited = animation.edit().add_period(0, periods)
    assert edited.text == expected
    assert edited.score.props == animation.score.props + periods


def test_modifiers_of_a_throw_change() -> None:
    edit = ja.animate("531").edit()
    assert edit.set_throw(0, bounces=2, bounce_style="force").text == "5BBF31"
    assert ja.animate("5B31").edit().set_throw(0, bounces=0).text == "531"
    assert ja.animate("(4,4)").edit().set_throw(1, held=True).text == "(4,4H)"
    assert ja.animate("(4,4)").edit().set_throw(1, crosses=True).text == "(4x,4x)"
    with pytest.raises(EditError, match="hyper_force"):
        edit.set_throw(0, bounce_style="flat")


def test_paths_of_hands_stay_with_their_turns() -> None:
    said = "pattern=(6x,4)*;hands=(10)(20).(30)(20).(10)(25).(5)(30)."
    edited = ja.animate(said).edit().swap_landings(1, 2)
    # Without the star the second half no longer mirrors the first, so it is written out.
    assert edited.settings == "pattern=(6x,6x)(2x,6x);hands=(10)(20).(30)(20).(30)(20).(10)(20)."


def test_catches_stay_where_they_are_made() -> None:
    edited = ja.animate("pattern=531;catches=palm,claw").edit().swap_landings(0, 1)
    assert edited.settings == "pattern=441;catches=palm,claw"


def test_a_throw_is_caught_with_the_palm_down_each_time_it_comes() -> None:
    edited = ja.animate("531").edit().set_throw(0, grasp="claw")
    assert edited.settings == "pattern=531;catches=palm,claw,palm|claw,palm,palm"
    assert edited.edit().set_throw(0, grasp="palm").settings == "pattern=531"
    with pytest.raises(EditError, match="held"):
        ja.animate("423").edit().set_throw(1, grasp="claw")
    with pytest.raises(EditError, match="penguin"):
        ja.animate("3").edit().set_throw(0, grasp="walrus")


def test_flights_of_events_exchange_where_they_land_and_so_do_their_images() -> None:
    animation = ja.animate("pattern=531;colors=mixed").edit().to_events()
    edited = animation.edit().swap_landings(0, 1)
    assert edited.score.base == ("siteswap", "pattern=441;bps=3.63;colors=mixed")
    assert edited.score.props == 3
    assert {look.colour for look in edited.choreography.looks} == {
        look.colour for look in animation.choreography.looks
    }
    assert edited.edit().back_to_settings().pattern == ja.animate("441").pattern
    aimed = animation.edit().aim_throw(0, 4)
    assert aimed.choreography.flights.catch.tolist() == edited.choreography.flights.catch.tolist()
    alone = animation.edit().swap_landings(0, 1, symmetric=False)
    assert sum(alone.choreography.flights.catch != animation.choreography.flights.catch) == 2
    with pytest.raises(EditError, match="land before"):
        animation.edit().swap_landings(2, 4)
    with pytest.raises(
        EditError, match="these events have no beats; give the number of the prop's next throw"
    ):
        animation.edit().aim_throw(0, (4, 0, 1))
    with pytest.raises(EditError, match="no throw 6"):
        animation.edit().swap_landings(0, 6)


def test_one_throw_of_clubs_spins_otherwise_and_keeps_that_when_beats_come() -> None:
    five = ja.animate("5", prop="club")
    assert five.edit().set_throw(0, spin=1.5).settings == "pattern=5;throwspins=1.5;prop=club"
    one = five.edit().set_throw(0, spin=1.5, symmetric=False)
    assert one.settings == "pattern=5;throwspins=1.5,-;prop=club"
    assert [style.spin for style in one.choreography.flights.style] == [1.5, None]
    assert one.edit().insert_beat(0).settings == "pattern=5;throwspins=-,1.5,-;prop=club"
    assert one.edit().mirror().choreography.flights.style[0].spin == 1.5
    assert one.edit().reverse().settings == "pattern=5;prop=club"


def test_a_body_throw_moves_with_its_throw_and_becomes_a_catch_backward() -> None:
    one = ja.animate("531").edit().set_body_throw(0, "backcross")
    assert one.settings == "pattern=531;throws=backcross,-,-"
    assert one.edit().insert_beat(0).settings == "pattern=3531;throws=-,backcross,-,-"
    assert one.edit().delete_beat(1).settings == "pattern=51;throws=backcross,-"
    assert one.edit().rotate(1).settings == "pattern=315;throws=-,-,backcross"
    assert one.edit().mirror().settings == "pattern=L531;throws=backcross,-,-"
    assert one.edit().reverse().settings == "pattern=153;catches=behind,palm,palm|palm,palm,behind"
    assert one.edit().reverse().edit().reverse().settings == one.settings
    assert one.edit().set_body_throw(0, "-").settings == "pattern=531"
    with pytest.raises(EditError, match="no throw is called 'lasy'; did you mean lazy"):
        one.edit().set_body_throw(0, "lasy")
    with pytest.raises(EditError, match="held"):
        ja.animate("423").edit().set_body_throw(1, "claw")
    with pytest.raises(EditError, match="a 1 has no time"):
        ja.animate("531").edit().set_body_throw(2, "lazy")


def test_body_throws_are_told_hand_by_hand_and_juggler_by_juggler() -> None:
    pairs, passing = ja.animate("(4,2x)*").edit(), ja.animate("<3p|3p>").edit()
    assert pairs.set_body_throw(1, "overhead").settings == "pattern=(4,2x)*;throws=-,overhead"
    assert (
        passing.set_body_throw(1, "lazy", symmetric=False).settings
        == "pattern=<3p|3p>;throws=-|lazy,-"
    )


def test_a_body_throw_may_make_the_loop_shorter() -> None:
    varied = ja.animate("pattern=3;throws=backcross,lazy,-,-")
    assert varied.edit().set_body_throw(3, "lazy").settings == "pattern=3;throws=lazy"


@pytest.mark.parametrize("prop", ["ball", "club"])
def test_a_body_throw_of_events_is_that_of_settings_with_its_landing_and_the_other_hand(
    prop: str,
) -> None:
    events = ja.animate("534", prop=prop, bps=3.5).edit().to_events()
    clubs = ";prop=club" if prop == "club" else ""
    for word in THROWS:
        plain = events.edit().set_body_throw(0, word)
        assert (
            plain.edit().back_to_settings().settings
            == f"pattern=534;bps=3.5;throws={word},-,-{clubs}"
        ), word
        assert plain.edit().losses() == (), word


def test_events_keep_the_times_of_1s_which_settings_throw_later_for_a_body_throw() -> None:
    events = ja.animate("531").edit().to_events()
    for word in ("backcross", "chop"):
        losses = events.edit().set_body_throw(0, word).edit().losses()
        assert losses[:2] == ("times of 2 throws", "times of 2 catches")


def test_throws_under_legs_of_events_that_follow_each_other_are_made_as_those_of_settings() -> None:
    events = ja.animate("3", bps=1.25).edit().to_events()
    every = events.edit().set_body_throw(0, "underleg")
    assert every.edit().back_to_settings().settings == "pattern=3;bps=1.25;throws=underleg"
    assert every.edit().losses() == ()
    single = ja.animate("3", throws="underleg,-", bps=1.25).edit().to_events()
    other = int(
        np.flatnonzero(
            single.choreography.events.manners[single.choreography.flights.throw, 1] == 0
        )[0]
    )
    both = single.edit().set_body_throw(other, "underleg")
    assert set(both.choreography.events.manners[:, 1]) == {
        0,
        throw_manner("consecutive underleg").row,
    }


@pytest.mark.parametrize("tempo", ["", ";bps=1.1"])
def test_a_body_throw_that_is_taken_away_and_given_again_passes_the_points_that_it_passed(
    tempo: str,
) -> None:
    typed = ja.animate(f"pattern=3;throws=underleg-inside,-,-,-,-{tempo}").edit().to_events()
    throw = int(np.flatnonzero(typed.choreography.events.manners[:, 1])[0])
    away = typed.edit().set_body_throw(throw, "-", symmetric=False)
    same = (away.choreography.events.time == typed.choreography.events.time[throw]) & (
        away.choreography.events.hand == typed.choreography.events.hand[throw]
    )
    again = away.edit().set_body_throw(
        int(np.flatnonzero(same)[0]), "underleg-inside", symmetric=False
    )
    assert len(away.choreography.events.time) < len(typed.choreography.events.time)
    one, other = (
        np.column_stack([each.hand, each.time, each.position])[
            np.lexsort((each.time.round(6), each.hand))
        ]
        for each in (typed.choreography.events, again.choreography.events)
    )
    assert np.allclose(one, other, atol=1e-6)


def test_a_catch_is_back_where_it_was_once_the_throw_is_usual_and_stays_where_it_is_behind_the_back() -> (
    None
):
    usual = ja.animate("pattern=531;bps=3")
    around = ja.animate("pattern=531;bps=3;throws=backcross,-,-").edit().to_events()
    assert np.allclose(_catches(around.edit().set_body_throw(0, "-")), _catches(usual), atol=1e-9)
    flights = around.choreography.flights
    behind = around.edit().set_catch(int(flights.catch[0]), "behind")
    assert not np.allclose(_catches(behind), _catches(around))
    assert np.allclose(
        _catches(behind.edit().set_body_throw(0, "shoulder")), _catches(behind), atol=1e-9
    )


def _catches(animation: Animation) -> Floats:
    """Where hands catch, in order of time."""
    return animation.choreography.events.position[animation.choreography.events.kind == CATCH]


def test_events_keep_body_throws_and_can_get_others() -> None:
    text = "pattern=531;throws=underleg,-,-;catches=palm,behind,palm|palm"
    events = ja.animate(text).edit().to_events()
    assert events.edit().losses() == ()
    assert events.edit().back_to_settings().settings == ja.animate(text).settings
    plain = ja.animate("531").edit().to_events().edit().set_body_throw(0, "underleg")
    catch = int(np.flatnonzero(plain.choreography.events.kind == CATCH)[0])
    caught = plain.edit().set_catch(catch, "overhead", symmetric=False)
    assert sorted(caught.choreography.events.position[:, 1])[-1] > 1.7
    assert (
        caught.edit().set_body_throw(0, "-").choreography.events.body_throw.tolist().count(0) > 10
    )


@pytest.mark.parametrize("spin", [0.3, -1.0, 21.0])
def test_a_club_turns_in_halves(spin: float) -> None:
    with pytest.raises(EditError, match="0 to 20 turns, in halves"):
        ja.animate("5", prop="club").edit().set_throw(0, spin=spin)


def test_a_title_of_ones_own_stays_and_that_of_the_library_goes() -> None:
    assert (
        ja.animate("pattern=531;title=Ours").edit().swap_landings(0, 1).settings
        == "pattern=441;title=Ours"
    )
    assert ja.animate("Mills mess").edit().swap_landings(0, 1).title == "42"
