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
    hands = [
        {"juggler": 0, "type": "right hand"},
        {"juggler": 1, "type": "right hand"},
        {"juggler": 2},
    ]
    document = {
        "limbs": hands,
        "throws": [throw(0, 2, 0, 2)],
        "repetition": {"period": 1, "limbPermutation": [1, 2, 0]},
    }
    pattern = pattern_of(document)
    assert (pattern.jugglers, pattern.period, pattern.props) == (3, 3, 2)
    assert [(made.juggler, made.to_juggler) for made in pattern.throws] == [(0, 2), (1, 0), (2, 1)]


def test_limbs_that_are_left_out_are_right_hands_first() -> None:
    document = {
        "throws": [throw(0, 2, limb, limb) for limb in range(4)],
        "repetition": {"period": 2},
    }
    throws = pattern_of(document).throws
    assert {(made.juggler, made.hand) for made in throws} == {
        (0, LEFT),
        (0, RIGHT),
        (1, LEFT),
        (1, RIGHT),
    }
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
    crossing = {
        "throws": [throw(0, 4, 0, 1), throw(0, 4, 1, 0), throw(2, 4, 0, 0), throw(2, 4, 1, 1)]
    }
    assert pattern_of(crossing).text == "(4x,4x)(4,4)"


TURNS = ({"duration": 10}, {"duration": 6}, {"duration": 6}, {"duration": 6}, {"duration": 7})


def test_throws_without_times_and_limbs_are_made_by_all_hands_in_turn() -> None:
    """As jif-web writes a siteswap that two jugglers share, with 10 for a pass of five beats."""
    pattern = pattern_of({"jugglers": [{"becomes": 1}, {"becomes": 0}], "throws": list(TURNS)})
    assert (pattern.text, pattern.props, pattern.division) == ("<5 3 3.5p 3 3|3 3 5 3 3.5p>", 7, 2)
    assert pattern_of({"jugglers": [{}, {}], "throws": list(TURNS)}) == pattern
    assert pattern_of({"throws": [{"duration": value} for value in (5, 3, 1)]}).text == "531"
    assert pattern_of({"throws": [{}]}).text == "3"


def feed(**members: Any) -> dict[str, Any]:
    """Of three jugglers each takes over the throws of the next after six beats, as jif-web's limbs
    and throws are.
    """
    lines = ("3B 3 3C 3 3B 3", "3A 3 3 3 3A 3", "3 3 3A 3 3 3")
    throws = [
        throw(
            time,
            3,
            2 * juggler + time % 2,
            2 * ("ABC".index(word[1:] or "ABC"[juggler])) + (time + 3) % 2,
        )
        for juggler, line in enumerate(lines)
        for time, word in enumerate(line.split())
    ]
    limbs = [
        {"juggler": limb // 2, "kind": ("right_hand", "left_hand")[limb % 2]} for limb in range(6)
    ]
    jugglers = [{"label": name, "becomes": (number + 1) % 3} for number, name in enumerate("ABC")]
    return {
        "jugglers": jugglers,
        "limbs": limbs,
        "throws": throws,
        "objects": [{"type": "club"}] * 9,
        **members,
    }


def test_jugglers_take_over_the_throws_of_those_whom_they_become() -> None:
    score = read(feed()).score
    assert score.staging.props.kinds == ("club",)
    assert score.pattern is not None
    # The feeder, A, then throws as B did: to the new A, who was C.
    first = [made.to_juggler for made in score.pattern.throws if made.juggler == 0]
    assert first == [1, 0, 2, 0, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]
    assert (score.pattern.period, score.props, score.about) == (18, 9, "")


def test_limbs_follow_the_jugglers_where_a_file_says_both() -> None:
    """jif-web writes which limb's throws a limb takes over; passist, who takes over a limb's
    throws.
    """
    both = feed(repetition={"period": 6, "limbPermutation": [2, 3, 4, 5, 0, 1]})
    assert pattern_of(both) == pattern_of(feed())
    alone = {**both, "jugglers": [{}, {}, {}]}
    assert pattern_of(alone) != pattern_of(both)
    inverse = {**alone, "repetition": {"period": 6, "limbPermutation": [4, 5, 0, 1, 2, 3]}}
    assert pattern_of(inverse) == pattern_of(both)


def test_hands_are_exchanged_after_an_odd_number_of_beats_where_jugglers_are_relabelled() -> None:
    three_count = [
        throw(time, 3, 2 * who + time % 2, 2 * (who ^ (time == 0)) + 1 - time % 2)
        for time in range(3)
        for who in (0, 1)
    ]
    limbs = feed()["limbs"][:4]
    others = {"limbs": limbs, "jugglers": [{"becomes": 1}, {"becomes": 0}]}
    assert pattern_of({"throws": three_count, **others}).text == "<3p 3 3|3p 3 3>"
    assert pattern_of({"throws": three_count, "limbs": limbs}).text == "<3p 3 3|3p 3 3>"


def test_what_is_not_shown_is_named() -> None:
    document = cascade(
        movement=3,
        jugglers=[{"name": "A", "walks": True}],
        throws=[{**throw(0, 3, 0, 1), "height": 2}],
    )
    assert read(document).score.about == (
        "The file's movement, jugglers[].walks and throws[].height is not shown."
    )
    many = cascade(**{f"x{number}": number for number in range(9)})
    assert "The file's x0, x1, x2, x3, x4 and 4 more is not shown." in read(many).score.about


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
    document = {
        "limbs": hands,
        "throws": throws,
        "repetition": {"period": 4},
        "timeStretchFactor": 2,
    }
    pattern = pattern_of(document)
    assert (pattern.division, pattern.period, pattern.props) == (2, 4, 7)
    assert [made.value for made in pattern.throws] == [7, 7, 7, 7]
    halves = {
        **document,
        "throws": [throw(time / 2, 3.5, time, (time + 7) % 4) for time in range(4)],
    }
    halves |= {"timeStretchFactor": 1, "repetition": {"period": 2}}
    assert pattern_of(halves) == pattern


def test_a_stretch_that_is_no_simple_fraction_is_a_tempo() -> None:
    assert read(cascade(timeStretchFactor=0.5)).parameters["bps"] == pytest.approx(2.73 / 2)
    assert read(cascade()).parameters == {}


@pytest.mark.parametrize(
    ("third", "division"), [(1 / 3, 3), (0.333, 3), (0.25, 4), (0.0137, 68), (0.123, 1000)]
)
def test_times_between_beats_are_put_on_a_grid(third: float, division: int) -> None:
    document = {"throws": [throw(0, 3, 0, 0), throw(third, 3, 1, 1)], "repetition": {"period": 1}}
    pattern = pattern_of(document)
    assert pattern.division == division
    assert pattern.props == 6


def test_a_dwell_that_all_throws_share_is_that_of_the_settings() -> None:
    assert read(cascade(throws=[throw(0, 3, 0, 1, dwell=1.5)])).parameters == {"dwell": 1.5}
    odd = read({"throws": [throw(0, 2, 0, 0, dwell=1), throw(1, 2, 1, 1, dwell=0.5)]})
    assert odd.parameters == {}
    assert "Props are held as long as usual, not as in the file." in odd.score.about


def test_multiplexes_are_caught_throw_for_throw() -> None:
    throws = [throw(0, 3, 0, 1), throw(0, 4, 0, 0), throw(1, 2, 1, 1)]
    document = {"throws": throws, "repetition": {"period": 2, "limbPermutation": [1, 0]}}
    assert "lands in the" in refusal(document)
    document["throws"] = [
        throw(0, 5, 0, 1),
        throw(0, 4, 0, 0),
        throw(1, 2, 1, 1),
        throw(1, 2, 1, 1),
        throw(2, 2, 0, 0),
    ]
    document["repetition"] = {"period": 3, "limbPermutation": [1, 0]}
    assert pattern_of(document).text == "[54][22]2"


def test_comments_and_commas_too_many_are_forgiven() -> None:
    text = (
        '\ufeff{ // a cascade\n "throws": [ {"time":0, /* , */ "duration":3, "from":0, "to":1, '
        '"label":"a,] // b",}, ],'
    )
    assert (
        read(text + '"repetition": {"period":1, "limbPermutation":[1,0,],},}').score.pattern
        == read(cascade()).score.pattern
    )


def test_a_text_that_says_the_same_is_kept() -> None:
    assert (
        pattern_of(
            cascade(highLevelDescription={"type": "vanillaSiteswap", "description": "333"})
        ).text
        == "3"
    )
    assert pattern_of(cascade(meta={"name": "(3)^1"})).text == "3"
    assert pattern_of(cascade(meta={"name": " 3 "})).text == " 3 "
