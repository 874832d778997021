"""Throws of a document: completed, repeated, put on beats, and each caught once."""

from typing import Any

import pytest
from jif_documents import cascade, read, refusal, throw

from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


def pattern_of(document: dict[str, Any]) -> Pattern:
    pattern = read(document).score.pattern
    assert pattern is not None
    return pattern


def test_throws_repeat_with_limbs_permuted_until_all_begins_anew() -> None:
    pattern = pattern_of(cascade())
    assert (pattern.text, pattern.period, pattern.props) == ("3", 2, 3)
    assert pattern.throws == (Throw(0, 0, RIGHT, 3, 0, LEFT), Throw(1, 0, LEFT, 3, 0, RIGHT))


def test_a_permutation_that_is_no_swap_takes_as_many_repetitions_as_it_needs() -> None:
    hands = [{"juggler": 0, "type": "right hand"}, {"juggler": 1, "type": "right hand"}, {"juggler": 2}]
    document = {
        "limbs": hands,
        "throws": [throw(0, 2, 0, 2)],
        "repetition": {"period": 1, "limbPermutation": [1, 2, 0]},
    }
    pattern = pattern_of(document)
    assert (pattern.jugglers, pattern.period, pattern.props) == (3, 3, 2)
    assert [(made.juggler, made.to_juggler) for made in pattern.throws] == [(0, 2), (1, 0), (2, 1)]


def test_limbs_that_are_left_out_are_right_hands_first() -> None:
    document = {"throws": [throw(0, 2, limb, limb) for limb in range(4)], "repetition": {"period": 2}}
    throws = pattern_of(document).throws
    assert {(made.juggler, made.hand) for made in throws} == {(0, LEFT), (0, RIGHT), (1, LEFT), (1, RIGHT)}
    alone = {**document, "jugglers": [{}, {}], "throws": [throw(0, 2, 1, 1)]}
    assert pattern_of(alone).throws == (Throw(0, 1, RIGHT, 2, 1, RIGHT),)


def test_a_limb_without_a_type_is_the_hand_that_its_juggler_has_left() -> None:
    document = cascade(limbs=[{"juggler": 0}, {"juggler": 0, "type": "Right_Hand"}])
    assert pattern_of(document).throws[0] == Throw(0, 0, LEFT, 3, 0, RIGHT)


def test_a_period_may_stand_at_the_top_or_be_left_out() -> None:
    throws = [throw(0, 4, 0, 0), throw(1, 4, 1, 1)]
    for document in ({"throws": throws, "period": 2}, {"throws": throws}):
        assert pattern_of(document).text == "4"
    sync = {"throws": [throw(0, 4, 0, 0), throw(0, 4, 1, 1)]}
    assert pattern_of(sync).text == "(4,4)"
    crossing = {"throws": [throw(0, 4, 0, 1), throw(0, 4, 1, 0), throw(2, 4, 0, 0), throw(2, 4, 1, 1)]}
    assert pattern_of(crossing).text == "(4x,4x)(4,4)"


def test_throws_after_the_period_belong_to_its_beginning() -> None:
    late = {"throws": [throw(0, 4, 0, 0), throw(3, 4, 1, 1)], "repetition": {"period": 2}}
    assert pattern_of(late).text == "4"


def test_a_throw_of_no_duration_is_an_empty_hand_whose_turn_it_is() -> None:
    document = {"throws": [throw(0, 4, 0, 0), throw(1, 0, 1, 1)], "repetition": {"period": 2}}
    pattern = pattern_of(document)
    assert pattern.text == "40"
    assert pattern.turns == ((0, 0, RIGHT), (1, 0, LEFT))


def test_a_stretch_of_time_divides_the_beats_of_jugglers() -> None:
    hands = [{"juggler": 0}, {"juggler": 1}, {"juggler": 0}, {"juggler": 1}]
    throws = [throw(time, 7, time, (time + 7) % 4) for time in range(4)]
    document = {"limbs": hands, "throws": throws, "repetition": {"period": 4}, "timeStretchFactor": 2}
    pattern = pattern_of(document)
    assert (pattern.division, pattern.period, pattern.props) == (2, 4, 7)
    assert [made.value for made in pattern.throws] == [7, 7, 7, 7]
    halves = {**document, "throws": [throw(time / 2, 3.5, time, (time + 7) % 4) for time in range(4)]}
    halves |= {"timeStretchFactor": 1, "repetition": {"period": 2}}
    assert pattern_of(halves) == pattern


def test_a_stretch_that_is_no_simple_fraction_is_a_tempo() -> None:
    assert read(cascade(timeStretchFactor=0.5)).parameters["bps"] == pytest.approx(1.45)
    assert read(cascade()).parameters == {}


@pytest.mark.parametrize(("third", "division"), [(1 / 3, 3), (0.333, 3), (0.25, 4), (0.0137, 68), (0.123, 1000)])
def test_times_between_beats_are_put_on_a_grid(third: float, division: int) -> None:
    document = {"throws": [throw(0, 3, 0, 0), throw(third, 3, 1, 1)], "repetition": {"period": 1}}
    pattern = pattern_of(document)
    assert pattern.division == division
    assert pattern.props == 6


def test_a_dwell_that_all_throws_share_is_that_of_the_settings() -> None:
    assert read(cascade(throws=[throw(0, 3, 0, 1, dwell=1.5)])).parameters == {"dwell": 1.5}
    odd = read({"throws": [throw(0, 2, 0, 0, dwell=1), throw(1, 2, 1, 1, dwell=0.5)]})
    assert odd.parameters == {}
    assert "held as long as they usually are" in odd.score.about


def test_multiplexes_are_caught_throw_for_throw() -> None:
    throws = [throw(0, 3, 0, 1), throw(0, 4, 0, 0), throw(1, 2, 1, 1)]
    document = {"throws": throws, "repetition": {"period": 2, "limbPermutation": [1, 0]}}
    assert "lands in the" in refusal(document)
    document["throws"] = [throw(0, 5, 0, 1), throw(0, 4, 0, 0), throw(1, 2, 1, 1), throw(1, 2, 1, 1), throw(2, 2, 0, 0)]
    document["repetition"] = {"period": 3, "limbPermutation": [1, 0]}
    assert pattern_of(document).text == "[54][22]2"


def test_comments_and_commas_too_many_are_forgiven() -> None:
    text = (
        '\ufeff{ // a cascade\n "throws": [ {"time":0, /* , */ "duration":3, "from":0, "to":1, "label":"a,] // b",}, ],'
    )
    assert (
        read(text + '"repetition": {"period":1, "limbPermutation":[1,0,],},}').score.pattern
        == read(cascade()).score.pattern
    )


def test_a_text_that_says_the_same_is_kept() -> None:
    assert pattern_of(cascade(highLevelDescription={"type": "vanillaSiteswap", "description": "333"})).text == "3"
    assert pattern_of(cascade(meta={"name": "(3)^1"})).text == "3"
    assert pattern_of(cascade(meta={"name": " 3 "})).text == " 3 "
