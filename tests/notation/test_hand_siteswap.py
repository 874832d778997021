import json
import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import TESTS
from siteswap_strategies import any_text, multiplex_siteswaps, vanilla_siteswaps
from work import ONE_SECOND, at_most

from juggle_anim.choreography.choreograph import natural_tempo
from juggle_anim.choreography.dwell import time_throws
from juggle_anim.choreography.places import STYLES
from juggle_anim.errors import NotationError
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.hand_siteswap import (
    HandOrder,
    hand_order,
    read_hand_siteswap,
    read_plain_siteswap,
)
from juggle_anim.pattern import LEFT, RIGHT, HandSiteswap, Pattern

LAYOUTS = json.loads((TESTS / "data" / "hand_siteswaps.json").read_text())["layouts"]


def _read(layout: dict) -> Pattern:
    return read_hand_siteswap(layout["pattern"], layout["hss"], layout["handspec"])


def _hand(juggler: int, hand: int) -> str:
    return f"{juggler + 1}{'LR'[hand]}"


def test_jugglers_props_and_period_are_those_of_juggling_lab() -> None:
    for layout in LAYOUTS:
        pattern = _read(layout)
        found = pattern.jugglers, pattern.props, pattern.period
        assert found == (layout["jugglers"], layout["props"], layout["beats"]), layout["name"]


def test_each_hand_throws_and_catches_within_a_millisecond_of_juggling_lab() -> None:
    for layout in LAYOUTS:
        pattern = _read(layout)
        timing = time_throws(pattern, 1.3, 0.4)
        rate, loop = layout["bps"], layout["loop"]
        flown = [index for index, held in enumerate(timing.is_hold) if not held]
        throws = [
            (timing.throw[index] / rate, _hand(*pattern.throws[index][1:3])) for index in flown
        ]
        catches = [
            (timing.catch[index] / rate, _hand(*pattern.throws[index][4:6])) for index in flown
        ]
        _assert_same(throws, layout["throws"], loop)
        _assert_same(catches, layout["catches"], loop)


def _assert_same(ours: list[tuple[float, str]], theirs: list[list], loop: float) -> None:
    rest = list(ours)
    for moment, hand in theirs:
        near = [
            each
            for each in rest
            if each[1] == hand and abs(math.remainder(each[0] - moment, loop)) < 1e-3
        ]
        assert near, f"nothing happens in {hand} at {moment} s"
        rest.remove(near[0])
    assert not rest


def test_the_tempo_is_that_of_juggling_lab_where_its_window_counts_all_throws_alike() -> None:
    given = [layout for layout in LAYOUTS if not layout["given_bps"]]
    agree = [
        abs(natural_tempo(_read(layout), 1.3, STYLES["juggling-lab"]) - layout["bps"]) < 1e-4
        for layout in given
    ]
    assert sum(agree) > len(given) / 2


def test_the_worked_example_of_the_documentation_is_right() -> None:
    text = (TESTS.parent / "docs" / "hand_siteswap.md").read_text(encoding="utf-8")
    rows = [re.findall(r"[^| ]+", line) for line in text.splitlines() if re.match(r"\| \d", line)]
    pattern = read_hand_siteswap("7", "423", "(2,1)(,3)")
    timing = time_throws(pattern, 1.3, 0.4)
    names = {LEFT: "left", RIGHT: "right"}
    expected = [
        [
            str(part)
            for part in (t.beat + 1, "423"[t.beat % 3], t.juggler + 1, names[t.hand], t.value)
        ]
        + [
            str(part)
            for part in (
                t.beat + t.value + 1,
                t.to_juggler + 1,
                names[t.to_hand],
                round(caught + 1, 9),
            )
        ]
        for t, caught in zip(pattern.throws, timing.catch, strict=True)
    ]
    assert rows == expected


def test_what_was_written_about_the_hands_is_kept() -> None:
    pattern = read_hand_siteswap(" 7", "4 2 3", "(2,1)(,3)", hold=True, dwellmax=False)
    assert (pattern.text, pattern.written_period) == (" 7", 1)
    assert pattern.hand_siteswap == HandSiteswap("4 2 3", "(2,1)(,3)", hold=True, dwellmax=False)


def test_a_hand_has_its_turn_also_when_it_throws_nothing() -> None:
    pattern = read_hand_siteswap("720", "3")
    assert [throw.beat for throw in pattern.throws] == [0, 1]
    assert pattern.turns == ((0, 0, RIGHT), (1, 1, RIGHT), (2, 0, LEFT))


def test_on_a_beat_without_a_hand_nobody_has_a_turn() -> None:
    pattern = read_hand_siteswap("7b06", "8404", "(4,1)(3,2)")
    assert {beat % 4 for beat, _, _ in pattern.turns} == {0, 1, 3}


def test_repeats_multiplexes_and_modifiers_are_read() -> None:
    pattern = read_hand_siteswap("([43B]2T3^2)", "(4^3)")
    assert (pattern.jugglers, pattern.props, pattern.period, pattern.written_period) == (
        2,
        4,
        12,
        6,
    )
    four, three, two = pattern.throws[:3]
    assert (four.value, three.value, three.bounces, two.held) == (4, 3, 1, False)


def test_an_open_throw_is_completed() -> None:
    assert read_hand_siteswap("5?1", "4").text == "531"


@pytest.mark.parametrize(
    ("text", "held"),
    [("4", True), ("4T", False), ("4B", None), ("5", None), ("3H", True)],
)
def test_hold_keeps_what_is_thrown_as_far_as_its_hand_is(text: str, held: bool | None) -> None:
    assert {throw.held for throw in read_hand_siteswap(text, "4", hold=True).throws} == {held}
    assert read_hand_siteswap("4", "4").throws[0].held is None


def test_a_period_is_that_of_objects_and_orbits_together() -> None:
    assert read_hand_siteswap("5", "22286").period == 10
    assert read_hand_siteswap("ab9b9a3", "6").period == 42


@st.composite
def _objects_and_hands(draw: st.DrawFn) -> tuple[str, str]:
    objects = draw(vanilla_siteswaps(9) | multiplex_siteswaps(8))
    hands = draw(vanilla_siteswaps(6).filter(lambda text: "0" not in text))
    return objects, hands


@given(_objects_and_hands(), st.floats(0.02, 1.98), st.floats(0.0, 1.0), st.booleans())
def test_valid_objects_fly_forward_in_time_between_hands_that_follow_a_valid_siteswap(
    texts: tuple[str, str], dwell: float, squeeze: float, dwellmax: bool
) -> None:
    pattern = read_hand_siteswap(*texts, dwellmax=dwellmax)
    timing = time_throws(pattern, dwell, squeeze)
    for throw, leaves, caught, held in zip(
        pattern.throws, timing.throw, timing.catch, timing.is_hold, strict=True
    ):
        assert leaves == throw.beat
        assert held or leaves < caught <= throw.beat + throw.value - 0.02 + 1e-9
    assert all(value == 1 for value in _landing_counts(pattern).values())


def _landing_counts(pattern: Pattern) -> dict[int, int]:
    counts: dict[int, int] = {}
    for landing in pattern.landings:
        counts[landing] = counts.get(landing, 0) + 1
    return counts


@settings(max_examples=2 * settings.default.max_examples)
@given(any_text(), any_text(), st.none() | st.text("()12,3 x", max_size=12))
def test_any_texts_give_a_pattern_or_say_which_of_them_is_wrong_and_where(
    pattern: str, hss: str, handspec: str | None
) -> None:
    error = _refusal(pattern, hss, handspec)
    if error is not None:
        # An open throw is completed before it is known to be wrong.
        assert (
            error.text == {"pattern": pattern, "hss": hss, "handspec": handspec}[error.key]
            or "?" in pattern + hss
        )
        assert 0 <= error.index <= len(error.text)
        assert error.reason
        assert error.accepted


def _refusal(pattern: str, hss: str, handspec: str | None) -> NotationError | None:
    try:
        read_hand_siteswap(pattern, hss, handspec)
    except NotationError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("pattern", "hss", "key", "index", "reason"),
    [
        ("7 b 1 5", "8404", "pattern", 4, "there is no hand to throw the 1 on beat 3"),
        ("5", "40", "pattern", 0, "there is no hand for the 5 thrown on beat 1 on beat 6"),
        (
            "543",
            "4",
            "pattern",
            1,
            "two props would land in the same hand at once: the 5 thrown by juggler 1 on beat 1 and the",
        ),
        ("54", "4", "pattern", 0, "average 4½. It must be a whole"),
        ("", "4", "pattern", 0, "no pattern"),
        ("3", "", "hss", 0, "no pattern"),
        (
            "3",
            "4 9",
            "hss",
            0,
            (
                "the throws add up to 13 over 2 beats. The average must be a whole number: the "
                "number of hands"
            ),
        ),
        ("3", "{997}{991}{983}{1029}", "hss", 15, "this throw is too high"),
        ("3", "(1^997)(2^991)", "hss", 0, "the throws add up to 2979 over 1988 beats"),
        (
            "(5^101)",
            "{100}",
            "hss",
            0,
            "the pattern and these hands come back together only after 10100 beats",
        ),
    ],
)
def test_an_error_names_the_text_the_place_and_the_reason(
    pattern: str, hss: str, key: str, index: int, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        read_hand_siteswap(pattern, hss)
    assert (caught.value.key, caught.value.index) == (key, index)
    assert caught.value.reason.startswith(reason)


def test_a_long_loop_is_read() -> None:
    assert read_hand_siteswap("(5^101)", "{99}").period == 9_999


@pytest.mark.parametrize(
    ("pattern", "hss", "handspec"),
    [
        ("(5^1999)", "(7{29}{83}{97}{89}^300)", None),
        ("(" * 5_000, "4", None),
        ("4", "{99999999999999999999}", None),
        ("[" + "z" * 4_000 + "]", "{997}", None),
        ("4", "4", "(" * 20_000),
        ("4", "4", "(1,2)" * 4_000),
        ("4", "4", "(" + "9" * 19_000 + ",1)"),
        ("4", "4", "9" * 1_000_000),
    ],
    ids=lambda text: text[:12] if text else "-",
)
def test_hostile_texts_end_in_a_message_with_little_work(
    pattern: str, hss: str, handspec: str | None
) -> None:
    with at_most(ONE_SECOND), pytest.raises(NotationError):
        read_hand_siteswap(pattern, hss, handspec)


def order_of(text: str) -> HandOrder:
    return hand_order(read_plain_siteswap(text, hands=True))


def test_hands_are_numbered_in_the_order_of_their_first_throws() -> None:
    assert order_of("423").hand_indices(6) == [0, 1, 2, 1, 0, 2]
    assert order_of("8404").hand_indices(8) == [0, 1, None, 2, 3, 1, None, 2]


def test_hands_are_where_they_were_when_all_orbits_are_through() -> None:
    assert [order_of(text).beats for text in ("4", "423", "22286", "51")] == [4, 6, 10, 6]


@given(vanilla_siteswaps())
def test_there_are_as_many_hands_as_there_would_be_props(text: str) -> None:
    order = order_of(text)
    assert order.hands == read_siteswap(text).props


@given(vanilla_siteswaps())
def test_a_hand_throws_again_when_its_throw_says(text: str) -> None:
    order = order_of(text)
    numbers = order.hand_indices(2 * order.beats)
    assert {number for number in numbers if number is not None} == set(range(order.hands))
    for beat, number in enumerate(numbers):
        value = order.values[beat % len(order.values)]
        later = [number, *numbers[beat + 1 :], *numbers[:beat], number]
        assert (later[1:].index(number) + 1 == value) if value else number is None


@pytest.mark.parametrize(
    ("text", "index", "reason"),
    [
        (
            "4 5",
            0,
            (
                "the throws add up to 9 over 2 beats. The average must be a whole number: "
                "the number of hands"
            ),
        ),
        ("0", 0, "this siteswap has no hands"),
        (
            "00ae00",
            2,
            "the hand that throws on beat 3, a 10, would throw next on beat 13, on which no hand "
            "throws",
        ),
        (
            "5 4 3",
            2,
            "the hands that throw on beats 1 and 2, a 5 and a 4, would both throw next on beat 6",
        ),
        (
            "3 5 1",
            2,
            "the hands that throw on beats 4 and 2, a 3 and a 5, would both throw next on beat 7",
        ),
    ],
)
def test_what_no_hands_can_do_is_refused(text: str, index: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        order_of(text)
    assert (caught.value.index, caught.value.reason) == (index, reason)
    assert caught.value.accepted
