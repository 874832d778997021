import contextlib
import json
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from long_cases import sampled
from paths import DATA, DOCS
from prechac_strategies import Drawn, almost_prechac, prechac_lines
from work import ONE_SECOND, at_most

from juggle_anim.errors import NotationError
from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.limits import MAX_LENGTH, MAX_MATCHING_STEPS
from juggle_anim.notation.prechac import is_prechac, read_prechac
from juggle_anim.notation.prechac.parser import SearchBudget, parse_prechac, resolve_feed
from juggle_anim.pattern import LEFT, RIGHT, Pattern

_DATA: dict[str, Any] = json.loads((DATA / "prechac.json").read_text(encoding="utf-8"))


_GUIDE = DOCS / "prechac.md"


_LISTED = [row for row in _DATA["patterns"] if row[0] not in _DATA["faults"]]


def _passes(pattern: Pattern) -> int:
    """Those that the first juggler makes in the beats that are written."""
    passes = sum(throw.juggler == 0 != throw.to_juggler for throw in pattern.throws)
    return passes * pattern.written_period // pattern.period


def _throws(pattern: Pattern, juggler: int) -> list[tuple[float, int, float, int, int]]:
    """Beat, hand, value, receiver and receiving hand of a juggler's throws, in beats."""
    own = [throw for throw in pattern.throws if throw.juggler == juggler]
    parts = pattern.division
    return [
        (throw.beat / parts, throw.hand, throw.value / parts, throw.to_juggler, throw.to_hand)
        for throw in own
    ]


def _error(text: str, jugglers: int | None = None) -> NotationError | None:
    try:
        read_prechac(text, jugglers)
    except NotationError as error:
        return error
    return None


def _refusal(text: str, jugglers: int | None = None) -> NotationError:
    error = _error(text, jugglers)
    assert error is not None
    return error


def test_the_list_has_207_patterns_and_four_faults() -> None:
    assert len(_DATA["patterns"]) == 207
    assert len(_DATA["patterns"]) - len(_LISTED) == 4


def test_what_passers_share_has_the_jugglers_objects_period_and_passes_that_they_state() -> None:
    for row in _LISTED:
        text, jugglers, objects, period, passes = row
        pattern = read_prechac(text, jugglers)
        assert (pattern.jugglers, pattern.props, _passes(pattern)) == (jugglers, objects, passes), (
            row
        )
        assert pattern.written_period == period * pattern.division, row


def test_most_of_what_passers_share_stands_for_as_many_jugglers_as_they_state() -> None:
    found = [(read_siteswap(text).jugglers, jugglers) for text, jugglers, *_ in _LISTED]
    assert sum(read == stated for read, stated in found) == 182
    assert all(read <= stated for read, stated in found)


def test_the_feed_of_the_list_has_two_throws_to_oneself_that_land_at_once() -> None:
    for jugglers in (3, 4):
        error = _refusal("4 0 2 0 3p 0 fed by 4 2 3p", jugglers)
        assert error.reason.startswith(
            ("the 4 that juggler 1 throws on beat 1 and the 2", "average 7½")
        )
    assert (
        "juggler 1 throws on beat 3 come to juggler 1 on beat 5"
        in _refusal("4 0 2 0 3p 0", 2).reason
    )
    pattern = read_prechac("4 0 3p 0 2 0 fed by 4 2 3p")
    assert (pattern.jugglers, pattern.props, pattern.period) == (3, 6, 6)


def test_the_pair_pattern_of_the_list_throws_to_the_empty_hand_unless_the_zero_changes_sides() -> (
    None
):
    error = _refusal("(4p, 2x) (2x, 4) (2x, 0) (2x, 4)")
    assert "the 2x that juggler 1 throws on beat 3 comes to juggler 1 on beat 5," in error.reason
    pattern = read_prechac("(4p, 2x) (2x, 4) (0, 2x) (2x, 4)")
    assert (pattern.jugglers, pattern.props, pattern.written_period, _passes(pattern)) == (
        2,
        5,
        8,
        1,
    )


def test_the_multiplex_of_the_list_does_not_come_out_whole_with_five_objects() -> None:
    assert _refusal("[3 3p] 1 2 1p", 2).accepted == "3p would work here"
    assert read_prechac("[3 3p] 1 2 3p", 2).props == 6


def test_the_examples_in_the_guide_are_what_it_says() -> None:
    rows = re.findall(
        r"^\| `(.*)` \| (\d+) \| (\d+) \|", _GUIDE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) >= 14
    for text, jugglers, props in rows:
        pattern = read_settings(text.replace("\\|", "|")).score.pattern
        assert (pattern.jugglers, pattern.props) == (int(jugglers), int(props))


def test_the_second_juggler_begins_half_the_line_later_with_the_right_hand() -> None:
    pattern = read_prechac("3 3 3 1p")
    assert (pattern.division, pattern.period, pattern.props) == (1, 4, 5)
    assert _throws(pattern, 0) == [
        (0, RIGHT, 3, 0, LEFT),
        (1, LEFT, 3, 0, RIGHT),
        (2, RIGHT, 3, 0, LEFT),
        (3, LEFT, 1, 1, RIGHT),
    ]
    assert _throws(pattern, 1)[:2] == [(0, RIGHT, 3, 1, LEFT), (1, LEFT, 1, 0, RIGHT)]


def test_a_pass_between_beats_is_caught_by_the_hand_whose_turn_it_is() -> None:
    """Seven clubs: one passes straight, right to left, and the other across, right to right."""
    pattern = read_prechac("3.5p")
    assert (pattern.division, pattern.period, pattern.written_period) == (2, 4, 2)
    assert _throws(pattern, 0) == [(0, RIGHT, 3.5, 1, LEFT), (1, LEFT, 3.5, 1, RIGHT)]
    assert _throws(pattern, 1) == [(0.5, RIGHT, 3.5, 0, RIGHT), (1.5, LEFT, 3.5, 0, LEFT)]


def test_where_nobody_is_late_all_throw_together() -> None:
    pattern = read_prechac("3p 3 3")
    assert pattern.throws == read_siteswap("<3p 3 3|3p 3 3>").throws


def test_thirds_are_read_however_they_are_rounded() -> None:
    patterns = [read_prechac(f"{value}p 3", 3) for value in ("3.6", "3.66", "3.67", "3.7", "3.667")]
    assert all(pattern.throws == patterns[0].throws for pattern in patterns)
    assert (patterns[0].division, patterns[0].throws[0].value) == (3, 11)


@pytest.mark.parametrize(
    ("text", "number"), [("2.5p", 2), ("3 2p 2", 3), ("3 3 3.6p", 5), ("3.5p 3 3 3", 7)]
)
def test_without_a_number_there_are_as_few_jugglers_as_can_be(text: str, number: int) -> None:
    assert read_prechac(text).jugglers == number


def test_the_number_of_jugglers_may_stand_in_the_text() -> None:
    assert read_prechac("4 2p 1 1p for 6 jugglers").props == 12
    assert read_prechac("4 2p 1 1p for 6").jugglers == 6


def test_a_number_that_the_text_does_not_say_is_added_to_it_and_only_then() -> None:
    assert read_prechac("4 2p 1 1p", 2).text == "4 2p 1 1p"
    assert read_prechac("4 2p 1 1p", 6).text == "4 2p 1 1p for 6 jugglers"
    assert read_prechac("4 2p 1 1p for 6 jugglers") == read_prechac("4 2p 1 1p", 6)


def test_a_p_may_say_how_many_places_on_its_receiver_is() -> None:
    pattern = read_prechac("3p2 3p1 3", 3)
    assert [throw[3] for throw in _throws(pattern, 0)] == [2, 1, 0, 2, 1, 0]


def test_passes_go_to_different_jugglers_where_nothing_else_fits() -> None:
    pattern = read_prechac("3 2p 2p 3p 1 1p", 3)
    assert Counter(throw.to_juggler for throw in pattern.throws if throw.juggler == 0) == {
        0: 2,
        1: 2,
        2: 2,
    }


@pytest.mark.parametrize("text", ["3p33", "3p3 3", "[43.5p]21", "L3p33", "2.5p11", "(4x,4xp)"])
def test_texts_without_spaces_are_read_too(text: str) -> None:
    spaced = {
        "3p33": "3p 3 3",
        "3p3 3": "3p3 3",
        "[43.5p]21": "[4 3.5p] 2 1",
        "L3p33": "L 3p 3 3",
        "2.5p11": "2.5p 1 1",
    }
    assert read_siteswap(text).throws == read_prechac(spaced.get(text, text)).throws


def test_a_bounce_is_a_small_b() -> None:
    throw = read_prechac("5pb 3 3 3").throws[0]
    assert (throw.bounces, throw.bounce_style) == (1, "lift")
    assert read_prechac("5pBHF 3 3 3").throws[0].bounce_style == "hyper_force"


@pytest.mark.parametrize(
    "text", ["<3p 3|3p 3>", "<3p2 3|3p 3>", "<(4xp,2)|(4xp,2)>*", "3p", "pop", "5 p", "97531"]
)
def test_what_is_a_siteswap_stays_one(text: str) -> None:
    assert not is_prechac(text)


@pytest.mark.parametrize(
    "text", ["3p 3 3", "1.5p", "<4.5 3 3 | 3 4 3.5>", "3p33", "<(3p, 4)* | (3xp, 4)*>", "3p for 2"]
)
def test_a_pattern_is_read_from_prechac_notation(text: str) -> None:
    pattern = read_settings(text).score.pattern
    assert (pattern.text, pattern.jugglers) == (text, 2)


def test_a_pass_left_open_is_no_siteswap_which_its_completion_would_not_be() -> None:
    with pytest.raises(NotationError, match=r"\? only works in siteswaps"):
        read_siteswap("uu ?p p")


@given(prechac_lines())
def test_a_valid_line_has_the_average_times_the_jugglers_in_props(drawn: Drawn) -> None:
    pattern = read_prechac(drawn.text, drawn.jugglers)
    assert pattern.jugglers == drawn.jugglers
    assert pattern.props == sum(drawn.values) / drawn.beats * drawn.jugglers
    assert pattern.written_period == drawn.beats * pattern.division


@given(prechac_lines())
def test_every_juggler_throws_the_line_with_alternating_hands(drawn: Drawn) -> None:
    pattern = read_prechac(drawn.text, drawn.jugglers)
    rounds = pattern.period // pattern.written_period
    expected = [
        (float(value), place)
        for value, place in zip(drawn.values, drawn.places, strict=True)
        if value
    ] * rounds
    for juggler in range(drawn.jugglers):
        begins = juggler * pattern.written_period // drawn.jugglers if any(drawn.places) else 0
        own = sorted(
            (
                (throw.beat - begins) % pattern.period,
                throw.hand,
                throw.value / pattern.division,
                throw.to_juggler,
            )
            for throw in pattern.throws
            if throw.juggler == juggler
        )
        if juggler and [value for _, _, value, _ in own] != [value for value, _ in expected]:
            pytest.fail(f"juggler {juggler} does not throw {drawn.text}")
        assert [
            (value, (receiver - juggler) % drawn.jugglers) for _, _, value, receiver in own
        ] == expected
        assert all(hand == (beat // pattern.division + 1) % 2 for beat, hand, _, _ in own)


@given(prechac_lines())
def test_who_passes_to_whom_need_not_be_written(drawn: Drawn) -> None:
    bare = " ".join(throw.partition("p")[0] + "p" * ("p" in throw) for throw in drawn.text.split())
    assert (
        read_prechac(bare, drawn.jugglers).props == read_prechac(drawn.text, drawn.jugglers).props
    )


@settings(max_examples=2 * settings.default.max_examples)
@given(almost_prechac())
def test_any_text_gives_a_pattern_or_an_error_that_points_into_it(text: str) -> None:
    error = _error(text)
    if error is None:
        pattern = read_prechac(text)
        assert read_prechac(pattern.text) == pattern
    else:
        assert error.text == text
        assert 0 <= error.index <= len(text)
        assert error.reason
        assert error.accepted


@settings(max_examples=2 * settings.default.max_examples)
@given(almost_prechac())
def test_a_throw_that_is_said_to_fit_does(text: str) -> None:
    error = _error(text, 2)
    if error and error.accepted.startswith("with "):
        # Without spaces each digit is a throw of its own.
        value = r"\w[.\d]*" if re.search(r"\s", text) else r"\w(\.\d+)?"
        rest = re.sub(rf"^(\{{[.\d]+\}}|{value})(x|p\d*)*", "", text[error.index :])
        read_prechac(text[: error.index] + error.accepted.split()[1] + rest, 2)


def test_a_collision_names_jugglers_beats_and_what_would_fit() -> None:
    error = _refusal("[3 3p] 1 2 1p", 2)
    assert error.index == 11
    assert error.reason == (
        "the 1 that juggler 2 throws on beat 4 and the 1p that juggler 1 throws on beat 4 "
        "come to juggler 2 on beat 5, who only throws 1 then"
    )
    assert error.accepted == "3p would work here"


def test_a_number_of_jugglers_is_said_once() -> None:
    assert _refusal("3p 3 for 2", 3).reason == "this is for 2 jugglers, not for 3"
    assert _refusal("3p 3", 1).reason == "too many or too few jugglers to pass"


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            "3p " * 500,
            "3p " * 500 + "4p",
            "4p 3p " * 250 + "5p",
            "3p " * 400 + "fed by " + "3p " * 300,
            "0.123456p " * 490,
            "<" + "|".join(["3.123457p"] * 490) + ">",
            "3p 3p for 1000",
            "3.001p for 1000",
            "[" + "3p " * 500 + "]",
            "(4p,4x) (6x,4xp) " * 100 + "*",
            "(" * MAX_LENGTH,
            "3p " * MAX_LENGTH,
            "3p " + "9" * 4_000,
            "{" + "9" * 4_000 + "}p 3",
            "3p" + "9" * 4_000 + " 3",
            "3.5p for " + "9" * 4_000,
            " ".join(f"{(7 * number) % 97}p" for number in range(500)) + " for 8",
        ],
        *("4p 3p " * 250 + "5p", "3p " * 400 + "fed by " + "3p " * 300, "3p 3p for 1000"),
        *("(4p,4x) (6x,4xp) " * 100 + "*", "(" * MAX_LENGTH, "3p " + "9" * 4_000),
    ),
    ids=lambda text: text[:12],
)
def test_a_hostile_text_takes_little_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A tenth of what is allowed, so that the test takes a tenth of the time.
    monkeypatch.setattr(
        "juggle_anim.notation.prechac.read.MAX_MATCHING_STEPS", MAX_MATCHING_STEPS // 10
    )
    with at_most(ONE_SECOND // 3), contextlib.suppress(NotationError):
        read_prechac(text)


def test_the_feeder_is_the_last_juggler_and_passes_to_all_by_turns() -> None:
    pattern = read_prechac("3p 3 3 3 fed by 3p 3")
    assert (pattern.jugglers, pattern.props, pattern.period, pattern.division) == (3, 9, 4, 1)
    assert [throw.to_juggler for throw in pattern.throws if throw.juggler == 2] == [0, 2, 1, 2]
    assert {throw.to_juggler for throw in pattern.throws if throw.juggler == 0} == {0, 2}


def test_those_who_are_fed_share_out_their_line_and_the_feeder_begins_where_passes_fit() -> None:
    fed, feeder = parse_prechac("4 0 3p 0 2 0 fed by 4 2 3p").lines
    cast = resolve_feed(fed, feeder, 3, SearchBudget(1_000))
    assert cast is not None
    assert [part.start for part in cast.juggler_lines[:2]] == [0, 3]
    assert cast.juggler_lines[2].start == Fraction(0)


def test_three_can_be_fed() -> None:
    pattern = read_prechac("3p 3 3 3 3 3 fed by 3p 3", 4)
    assert (pattern.jugglers, pattern.props) == (4, 12)
    assert read_prechac("3p 3 3 3 3 3 fed by 3p 3").jugglers == 4


def test_a_feeder_may_say_whom_a_pass_is_for() -> None:
    pattern = read_prechac("3p 3 3 3 fed by 3p2 3 3p1 3")
    assert sorted({throw.to_juggler for throw in pattern.throws if throw.juggler == 2}) == [0, 1, 2]


@pytest.mark.parametrize(
    "text", ["3p 3 3 3 fed by 3p 4", "3 3 fed by 3p 3", "3p 3 fed by 3 3", "2.5p 3 fed by 3p 3"]
)
def test_a_feed_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_prechac(text)
    assert caught.value.accepted


def test_a_long_feeder_that_fits_nowhere_is_refused_at_once() -> None:
    with at_most(ONE_SECOND), pytest.raises(NotationError):
        read_prechac(
            "92 0 4 03p 0 fed "
            + "by 4 2 3pd " * 3
            + "xy 4 2 3pd "
            + "by 4 2 3pd " * 16
            + "by 4 2 3p"
        )


def test_a_starred_line_may_be_shared_out_without_its_star() -> None:
    pattern = read_siteswap("([3p 3xp], 2)*")
    assert (pattern.jugglers, pattern.props, pattern.period) == (2, 8, 4)
    assert {throw.beat % 2 for throw in pattern.throws if throw.juggler == 1} == {1}


def test_pairs_may_be_passed_to_who_throws_a_beat_later() -> None:
    pattern = read_siteswap("<(3p, 3p) | (3pb, 3pb)>")
    assert (pattern.jugglers, pattern.props) == (2, 6)
    assert [(throw.beat, throw.bounces) for throw in pattern.throws] == [
        (0, 0),
        (0, 0),
        (1, 1),
        (1, 1),
    ]


@pytest.mark.parametrize(
    ("text", "begins", "values"),
    [
        ("{0,0.5}<3p 3|3p 3>", [0, 0.5], [[3.5, 3], [2.5, 3]]),
        ("{0,0.5}⟨3p 3|3p 3⟩", [0, 0.5], [[3.5, 3], [2.5, 3]]),
        ("{0,0.5} <3.5p|3.5px>", [0, 0.5], [[3.5], [3.5]]),
        ("{0,1}<4p3|4p3>", [0, 1], [[4, 3], [4, 3]]),
        ("{0, 0.25}<4|3>", [0, 0.25], [[4], [3]]),
        ("{0,0.5}<3.5p|^2>", [0, 0.5], [[3.5], [3.5]]),
    ],
)
def test_delays_say_when_each_juggler_begins(
    text: str, begins: list[float], values: list[list[float]]
) -> None:
    pattern = read_siteswap(text)
    beats, period = len(values[0]), pattern.period // pattern.division
    for juggler, own in enumerate(values):
        thrown = sorted(
            _throws(pattern, juggler), key=lambda throw: throw[0] - begins[juggler] < 0
        )[:beats]
        assert [throw[0] for throw in thrown] == [
            (begins[juggler] + beat) % period for beat in range(beats)
        ]
        assert [throw[2] for throw in thrown] == own
    assert read_siteswap(pattern.text) == pattern


def test_delays_in_thirds_are_read_however_they_are_rounded() -> None:
    texts = (
        "{0,0.3,0.6}<3.3p3|3.3p3|4.3p3>",
        "{0,0.33,0.67}<3.33p 3|3.33p 3|4.33p 3>",
        "<3.3p3|3.3p3|4.3p3>",
    )
    assert len({read_siteswap(text).throws for text in texts}) == 1


def test_where_hands_take_turns_an_x_behind_a_p_changes_nothing() -> None:
    assert read_prechac("<3.5p|3.5px>").throws == read_prechac("<3.5p|3.5p>").throws
