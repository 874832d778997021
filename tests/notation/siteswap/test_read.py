import csv
import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps
from work import ONE_SECOND, at_most

from juggle_anim.errors import NotationError
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.limits import MAX_LENGTH
from juggle_anim.notation.siteswap.read import check_average
from juggle_anim.notation.siteswap.syntax import parse, place_throws
from juggle_anim.pattern import LEFT, RIGHT, Throw


def _check(text: str) -> None:
    check_average(text, place_throws(text, parse(text)))


@pytest.mark.parametrize("text", ["3", "531", "0", "(6x,4)*", "[34]23", "(4,2)(2,4)"])
def test_a_whole_average_passes(text: str) -> None:
    _check(text)


@pytest.mark.parametrize(
    ("text", "index", "reason", "totals"),
    [
        (
            "431",
            0,
            "average 2⅔. It must be a whole number: the number of props",
            "6 or 9, not 8",
        ),
        (
            " 54",
            1,
            "average 4½. It must be a whole number: the number of props",
            "8 or 10, not 9",
        ),
        (
            "10",
            0,
            "average ½. It must be a whole number: the number of props",
            "to 2, not 1",
        ),
        ("54315", 0, "average 3 3/5. It must be a whole number: the number of props", "15 or 20"),
        ("[54]23", 0, "average 4⅔. It must be a whole number: the number of props", "12 or 15"),
        (
            "(6,6)(4,2)(2,3x)*",
            0,
            "average 3 5/6. It must be a whole number: the number of props",
            "18 or 24",
        ),
        (
            "33333333332333",
            0,
            "average 2 13/14. It must be a whole number: the number of props",
            "28 or 42",
        ),
    ],
)
def test_a_broken_average_is_told_with_the_nearest_totals(
    text: str, index: int, reason: str, totals: str
) -> None:
    with pytest.raises(NotationError) as caught:
        _check(text)
    assert caught.value.index == index
    assert reason in caught.value.reason
    assert totals in caught.value.accepted


def test_more_than_five_thousand_props_are_too_many() -> None:
    _check(f"[{'{1000}' * 5}]")
    with pytest.raises(NotationError, match="5001 props"):
        _check(f"[{'{1000}' * 5}1]")


def test_props_of_all_jugglers_are_added_up() -> None:
    _check("<3p|2p>")
    with pytest.raises(
        NotationError, match=r"average 5½\. It must be a whole number: the number of props"
    ):
        _check("<3p 2|3p 3>")


def test_hands_without_throws_are_refused() -> None:
    with pytest.raises(NotationError, match="no throws here"):
        _check("<R|L>")


def _rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(
            csv.DictReader(
                (line for line in file if line[0] != "#"), delimiter="\t", quoting=csv.QUOTE_NONE
            )
        )


def test_531_swaps_hands_and_lasts_six_beats() -> None:
    pattern = read_siteswap("531")
    assert pattern.text == "531"
    assert (pattern.props, pattern.period, pattern.written_period, pattern.jugglers) == (3, 6, 3, 1)
    assert pattern.throws == (
        Throw(0, 0, RIGHT, 5, 0, LEFT),
        Throw(1, 0, LEFT, 3, 0, RIGHT),
        Throw(2, 0, RIGHT, 1, 0, LEFT),
        Throw(3, 0, LEFT, 5, 0, RIGHT),
        Throw(4, 0, RIGHT, 3, 0, LEFT),
        Throw(5, 0, LEFT, 1, 0, RIGHT),
    )


@pytest.mark.parametrize(
    ("text", "props", "period", "written_period"),
    [
        ("51", 3, 2, 2),
        ("4", 4, 2, 1),
        ("z", 35, 2, 1),
        ("{40}", 40, 2, 1),
        ("b97531", 6, 6, 6),
        ("[34]23", 4, 6, 3),
        ("[504]", 9, 2, 1),
        ("(4,4)", 4, 2, 2),
        ("(6x,4)*", 5, 4, 2),
        ("(4x,2x)(2,4)", 3, 4, 4),
        ("([44x],2)*", 5, 4, 2),
        ("(4,3x)!", 7, 1, 1),
        ("4x1(4x,3x)*", 3, 8, 4),
        ("(51^3)", 3, 6, 6),
        ("R3R3xL3L3x", 3, 4, 4),
        ("2x0*", 1, 4, 2),
        ("[2x2x]0*", 2, 4, 2),
        ("<2x 0|2x 0>*", 2, 4, 2),
        ("L531", 3, 6, 3),
        ("5BHF 5BL5", 5, 6, 3),
        ("<3p 3 3|3p 3 3>", 6, 6, 3),
        ("<R|L><4xp 3|3 4xp>", 7, 2, 2),
        ("<(4xp,2)|(4xp,2)>*", 6, 4, 2),
        ("<3p3 3|3 3|3p1 3>", 9, 2, 2),
    ],
)
def test_periods_and_props_of_known_patterns(
    text: str, props: int, period: int, written_period: int
) -> None:
    pattern = read_siteswap(text)
    assert (pattern.props, pattern.period, pattern.written_period) == (
        props,
        period,
        written_period,
    )


def test_what_people_wrote_is_read_with_its_number_of_props() -> None:
    # 5,356 siteswaps of nine collections; strings and counts are facts.
    lines = gzip.decompress((DATA / "siteswaps.tsv.gz").read_bytes()).decode().splitlines()
    for source, text, _, props in (line.split("\t") for line in lines[1:]):
        assert read_siteswap(text).props == int(props), (source, text)


def test_passing_that_people_wrote_is_read_with_its_jugglers_props_and_period() -> None:
    for row in _rows("passing_siteswaps.tsv"):
        pattern = read_siteswap(row["siteswap"])
        found = pattern.jugglers, pattern.props, pattern.period
        assert found == (int(row["jugglers"]), int(row["props"]), int(row["period"])), row


@given(valid_passing_siteswaps(max_jugglers=4))
def test_a_valid_passing_siteswap_is_read(text: str) -> None:
    pattern = read_siteswap(text)
    assert pattern.jugglers == text.split("><")[-1].count("|") + 1
    assert pattern.period in (pattern.written_period, 2 * pattern.written_period)
    assert {throw.juggler for throw in pattern.throws} == {
        throw.to_juggler for throw in pattern.throws
    }


# Between the sides of several jugglers a p is a pass, not a throw of 25 beats.
@given(valid_siteswaps().filter(lambda text: "p" not in text))
def test_sides_that_never_pass_are_solo_patterns_side_by_side(text: str) -> None:
    if "*" in text:
        text = text.rstrip("*")
        both = f"<{text}|{text}>*"
        text += "*"
    else:
        both = f"<{text}|{text}>"
    solo, pair = read_siteswap(text), read_siteswap(both)
    assert (pair.props, pair.period) == (2 * solo.props, solo.period)
    for juggler in (0, 1):
        own = [throw for throw in pair.throws if throw.juggler == juggler]
        assert [throw._replace(juggler=0, to_juggler=0) for throw in own] == list(solo.throws)


@given(valid_siteswaps(max_props=9))
def test_a_valid_siteswap_is_read(text: str) -> None:
    pattern = read_siteswap(text)
    assert 1 <= pattern.props <= 9
    assert pattern.period in (pattern.written_period, 2 * pattern.written_period)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=7))
def test_a_string_of_digits_is_valid_exactly_when_its_landings_are_a_permutation(
    values: list[int],
) -> None:
    lands = {(beat + value) % len(values) for beat, value in enumerate(values)}
    text = "".join(map(str, values))
    if len(lands) == len(values):
        assert read_siteswap(text).props == sum(values) // len(values)
    else:
        with pytest.raises(NotationError):
            read_siteswap(text)


@given(valid_siteswaps())
def test_spaces_between_tokens_mean_nothing(text: str) -> None:
    spaced = text if "{" in text else "  ".join(f" {text} ")
    assert read_siteswap(spaced).throws == read_siteswap(text).throws


@given(valid_siteswaps())
def test_a_multiplication_sign_is_a_crossing_flag(text: str) -> None:
    assert read_siteswap(text.replace("x", "×")).throws == read_siteswap(text).throws


def test_a_collision_names_throws_beats_and_hand_and_points_at_the_second_throw() -> None:
    with pytest.raises(NotationError) as caught:
        read_siteswap("4 32")
    assert caught.value.index == 2
    expected = (
        "two props would land in the same hand at once: the 4 thrown on beat 1 and the 3 "
        "thrown on beat 2, in the right hand on beat 5"
    )
    assert caught.value.reason == expected


def test_a_throw_into_a_hand_that_does_not_throw_is_refused() -> None:
    with pytest.raises(
        NotationError, match="the 5 thrown on beat 1 lands in the right hand on beat 6"
    ) as caught:
        read_siteswap("5x")
    assert caught.value.index == 0


def test_a_collision_among_jugglers_names_them() -> None:
    with pytest.raises(NotationError) as caught:
        read_siteswap("<3p 4p 2|3p 3 3>")
    assert caught.value.index == 14
    assert caught.value.reason == (
        "two props would land in the same hand at once: the 4 thrown by juggler 1 on beat 2 "
        "and the 3 thrown by juggler 2 on beat 3, in the left hand of juggler 2 on beat 6"
    )


def test_a_pass_into_an_empty_hand_names_who_throws_and_who_should_catch() -> None:
    with pytest.raises(NotationError) as caught:
        read_siteswap("<R|L><4p 3|3 4xp>")
    assert caught.value.index == 5 + 1
    assert caught.value.reason == (
        "the 4 thrown by juggler 1 on beat 1 lands in the right hand of juggler 2 on beat 5, "
        "but that hand throws nothing then"
    )


def test_odd_throws_in_pairs_are_told_from_other_collisions() -> None:
    with pytest.raises(
        NotationError, match="the 3 thrown on beat 3 lands in the right hand on beat 6, but that"
    ) as caught:
        read_siteswap("(4,4)(3,5)")
    assert caught.value.index == 6


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "[" * 10_000,
        "(" * (MAX_LENGTH - 1),
        "{99999999999999999999}",
        "{" + "0" * 4_500 + "9" * 400 + "}",
        "{" + "9" * 4_900,
        "((((3^99)^99)^99)^99)",
        "([" + "z" * 4_900 + "]^99)",
        "9" * MAX_LENGTH,
        "1*" * 2_000,
        "<" * 5_000,
        "<" + "|" * 4_000 + ">",
        "<3p" + "9" * 4_000 + "|3>",
        "<" + "|".join(["(5^999)"] * 600) + ">",
        "(<" + "|".join(["[zz]"] * 900) + ">^999)",
        "5" + "B" * 4_000,
        "5" + "BH" * 2_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_hostile_text_ends_in_a_message_with_little_work(text: str) -> None:
    with at_most(ONE_SECOND), pytest.raises(NotationError):
        read_siteswap(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<3px|3px>", "<R|L>(<3px|3px>^2)"),
        ("<3p2x|3p1x>", "<R|L>(<3p2x|3p1x>^2)"),
        ("<3px 3|3px 3>", "<R|L><3px 3|3px 3>"),
        ("<4px 3|3 4px>", "<R|L><4px 3|3 4px>"),
        ("<4xp 3|3 4xp>", "<R|L><4xp 3|3 4xp>"),
        ("4xp 3|3 4xp", "<R|L><4xp 3|3 4xp>"),
        ("<3×p|3×p>", "<R|L>(<3×p|3×p>^2)"),
    ],
)
def test_an_x_behind_a_p_is_a_crossing_pass_for_which_jugglers_begin_as_they_must(
    text: str, written: str
) -> None:
    pattern = read_siteswap(text)
    assert pattern.text == written
    passes = [throw for throw in pattern.throws if throw.juggler != throw.to_juggler]
    assert passes
    # Hands turn round by the x: an odd pass comes to the hand of the same name, an even one to the
    # other.
    assert all((throw.hand == throw.to_hand) == bool(throw.value % 2) for throw in passes)
    assert not any(throw.value == 33 for throw in pattern.throws)


def test_first_hands_are_sought_for_up_to_four_jugglers() -> None:
    four, six = (read_siteswap(f"<{'|'.join(['3px'] * jugglers)}>") for jugglers in (4, 6))
    assert four.text.startswith("<R|L|R|L>")
    assert six.text.startswith("<3px|")


def test_in_parts_an_x_before_a_p_keeps_the_first_hands() -> None:
    with pytest.raises(NotationError):
        read_siteswap("<4xp|3><3|4xp>")


def test_an_x_behind_a_space_is_a_throw() -> None:
    assert {throw.value for throw in read_siteswap("<3p x|3p x>").throws} == {3, 33}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<3p|^10>", f"<{'|'.join(['3p'] * 10)}>"),
        ("<3p 3|3p 3|^2>", "<3p 3|3p 3|3p 3|3p 3>"),
        ("⟨3p 3|3p 3⟩", "<3p 3|3p 3>"),
        ("\u2329R|L\u232a\u23294px 3|3 4px\u232a", "<R|L><4px 3|3 4px>"),
    ],
)
def test_passing_is_read_as_others_write_it(text: str, written: str) -> None:
    pattern = read_siteswap(text)
    assert (pattern.throws, pattern.jugglers) == (
        read_siteswap(written).throws,
        read_siteswap(written).jugglers,
    )
    assert read_siteswap(pattern.text) == pattern


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("66666B55555", "66666b55555"),
        ("1 x", "1 {33}"),
        ("66666 B55555", "66666 b55555"),
        ("XVTRPNLJHFDB9753", "XVTRPNLJHFDB9753"),
    ],
)
def test_letters_that_can_be_no_flags_are_throws(text: str, written: str) -> None:
    assert read_siteswap(text).text == written


@pytest.mark.parametrize(("text", "props"), [("1X", 17), ("3X", 18), ("XX1X", 25), ("[1X]", 34)])
def test_a_capital_x_that_makes_no_sense_as_a_flag_is_the_throw_of_33(
    text: str, props: int
) -> None:
    assert read_siteswap(text).props == props


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(2×,2×)**", "(2x,2x)(2x,2x)(2x,2x)(2x,2x)"),
        ("([642],[642])**([642],[642])", "(([642],[642])^5)"),
        ("(Y,Y)****(Y,Y)", "((Y,Y)^17)"),
        ("531**", "531531"),
        ("53**", "5353"),
        ("(2,4x)*(2,4)", "(2,4x)(4x,2)(2,4)"),
        ("44(4*4^2)", "44(444^2)"),
        ("<3p 3|3p 3>*<3 3|3 3>", "<3p 3 3p 3 3 3|3p 3 3p 3 3 3>"),
    ],
)
def test_a_star_before_other_throws_repeats_all_before_it(text: str, written: str) -> None:
    assert read_siteswap(text).throws == read_siteswap(written).throws


def test_stars_that_make_no_pattern_are_refused_where_more_follows() -> None:
    for text in ("(4x,6)*(6,4x)", "3" + "*" * 30, "(6x,4)*(4,6x)"):
        with pytest.raises(NotationError, match=r"the \* ends a pattern") as caught:
            read_siteswap(text)
        assert caught.value.index == text.index("*") + 1


def test_letters_that_may_be_flags_stay_flags() -> None:
    assert read_siteswap("3B").throws[0].bounces == 1
    for text in ("5BT", "L3R3L3", "5x"):
        with pytest.raises(NotationError):
            read_siteswap(text)


def test_a_word_beside_throws_is_no_throw() -> None:
    for text in ("531 BEL", "BALL", "531 B Fl"):
        with pytest.raises(NotationError):
            read_siteswap(text)


@pytest.mark.parametrize(
    ("text", "written"), [("5,3,1", "531"), ("12, 3, 0", "{12}30"), ("11,1", "{11}1")]
)
def test_values_between_commas_are_throws(text: str, written: str) -> None:
    assert read_siteswap(text).text == written


def test_commas_in_a_wrong_siteswap_are_told() -> None:
    with pytest.raises(
        NotationError, match="a comma is only allowed between the two hands of a pair"
    ):
        read_siteswap("5,3,2")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("531.", "531"),
        ("(6x,4)*,", "(6x,4)*"),
        ("[43]23 . ", "[43]23"),
        ("(3p, 4x).", "(3p, 4x)"),
        ("<3p 3|3p 3>.", "<3p 3|3p 3>"),
        ("3.5p 3.", "3.5p 3"),
        ("5,3,1,", "531"),
    ],
)
def test_a_full_stop_or_comma_may_follow_a_pattern(text: str, pattern: str) -> None:
    assert read_siteswap(text) == read_siteswap(pattern)
