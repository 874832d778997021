import hashlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from long_cases import sampled
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps
from state_walks import cycle, vanilla
from work import ONE_SECOND, at_most

from juggle_anim.notation import check, open_pattern, read_siteswap
from juggle_anim.notation.facts import (
    Facts,
    GroundPassage,
    HandLoad,
    Part,
    Relative,
    fact_lines,
    find_facts,
)
from juggle_anim.pattern.cycle import CycleThrow
from juggle_anim.pattern.pattern import repeated


def facts(text: str) -> Facts:
    pattern = open_pattern(text).score.pattern
    assert pattern is not None
    return find_facts(pattern)


def test_the_facts_of_an_excited_prime_pattern() -> None:
    assert facts("51") == Facts(
        states=("1101", "10101"),
        beats=(0, 1),
        round=2,
        prime=True,
        parts=(Part("51", 1),),
        ground=False,
        entry=GroundPassage("4", "51"),
        exit=GroundPassage("2", "51"),
        inverse=Relative("51", 3, True),
        dual=Relative("40", 2, False, 5),
        mirror=Relative("L51", 3, False),
        hand_load=HandLoad(0.5, 2.5, 1),
        prop_period=6,
        hand_period=2,
    )


def test_the_facts_of_a_composite_pattern() -> None:
    found = facts("45141")
    assert (found.prime, found.parts, found.ground) == (
        False,
        (Part("51", 1), Part("441", 1)),
        True,
    )
    assert facts("(3^20)441").parts == (Part("441", 1), Part("3", 20))


@pytest.mark.parametrize(
    ("text", "states", "entry", "exit_", "dual", "mirror"),
    [
        (
            "(6x,4)*",
            ("111,11", "11,111"),
            ("", "(6x,4)*"),
            ("", "(6x,4)*"),
            "(4,2x)*",
            ("(4,6x)*", True),
        ),
        (
            "(8x,2)(4,2x)",
            ("11,101", "1,1101"),
            ("(4,6)", "(8x,2)(4,2x)"),
            None,
            "(6,8x)(2x,8)",
            None,
        ),
        (
            "[33]33",
            ("211", "112", "121"),
            ("1", "[33]33"),
            ("[34]", "[33]33"),
            None,
            ("L[33]33", True),
        ),
        (
            "<5 1|3 3>",
            None,
            ("<4|3>", "<5 1|3 3>"),
            ("<2|3>", "<5 1|3 3>"),
            "<4 0|2 2>",
            ("<L5 1|L3 3>", False),
        ),
        (
            "<4p 3|3 4p>",
            None,
            ("", "<4p 3|3 4p>"),
            ("", "<4p 3|3 4p>"),
            "<2 1p|1p 2>",
            ("<L4p 3|L3 4p>", False),
        ),
    ],
)
def test_facts_of_all_kinds_of_siteswaps(
    text: str,
    states: tuple[str, ...] | None,
    entry: tuple[str, str] | None,
    exit_: tuple[str, str] | None,
    dual: str | None,
    mirror: tuple[str, bool] | None,
) -> None:
    found = facts(text)
    assert found.dual is not None or "several props" in found.missing["dual"]
    known = [
        (states, found.states),
        (entry, found.entry),
        (exit_, found.exit),
        (dual, found.dual and found.dual.siteswap),
    ]
    assert found.mirror is not None
    known += [(mirror, (found.mirror.siteswap, found.mirror.same))]
    assert [got for wanted, got in known if wanted] == [wanted for wanted, _ in known if wanted]


# Juggling Lab 1.7.7's generator: how many patterns do not come back to where they begin before they
# end, and the SHA-1 of these, sorted and joined by newlines.
@pytest.mark.parametrize(
    ("props", "highest", "period", "count", "sha1"),
    [
        (3, 5, 3, 4, "7ae3a470e2d32fa5ab03d78f68d60c69b2d4705b"),
        (3, 7, 5, 64, "0c12510f0a7bd3e5809cb96eb113e2a2c8643843"),
        (4, 7, 5, 64, "d94f4e230e9e24e8cc47ea897c4d1d8942bfb791"),
    ],
)
def test_patterns_begin_where_juggling_lab_lets_them_begin(
    props: int, highest: int, period: int, count: int, sha1: str
) -> None:
    walks = (cycle(text).standard() for text in vanilla(props, highest, period))
    texts = sorted(
        "".join(
            str(throw.value)
            for throws in walk.beats
            for throw in throws or (CycleThrow(0, 0, 0, 0),)
        )
        for walk in walks
        if walk.states.count(walk.states[0]) == 1
    )
    assert (len(texts), hashlib.sha1("\n".join(texts).encode()).hexdigest()) == (count, sha1)


@pytest.mark.parametrize(
    "line", ["6 66670 4", "6 75670 4", "6 67570 4", "6 77272 4", "6 77470 4", "4 51 2"]
)
def test_excited_patterns_are_entered_and_left_as_juggling_lab_lists_them(line: str) -> None:
    into, text, out = line.split()
    found = facts(text)
    assert (found.entry, found.exit) == (GroundPassage(into, text), GroundPassage(out, text))


def test_a_cascade_can_go_through_a_pattern_and_on() -> None:
    for period in (1, 2, 3):
        for text in vanilla(3, 7, period):
            found = facts(text)
            assert found.entry
            assert found.exit
            if found.entry.pattern == found.exit.pattern:
                whole = f"333{found.entry.throws}({found.entry.pattern}^2){found.exit.throws}3"
                assert read_siteswap(whole).props == 3


@given(st.one_of(valid_siteswaps(), valid_passing_siteswaps()))
def test_everything_that_is_written_can_be_read(text: str) -> None:
    pattern, found = read_siteswap(text), facts(text)
    assert json.loads(json.dumps(found.as_data())) == found.as_data()
    assert set(found.missing.values()) <= {
        "a hand throws several props at once",
        "it has no props",
        "props bounce",
    }
    for part in found.parts or ():
        assert read_siteswap(part.siteswap).props == pattern.props
    for way in (found.entry, found.exit):
        assert way is None or read_siteswap(way.pattern).props == pattern.props
    for relative in (found.inverse, found.mirror, found.dual):
        assert relative is None or read_siteswap(relative.siteswap).props == relative.props
    assert found.inverse
    assert found.mirror
    assert all(words for _, words in fact_lines(found))


@given(valid_siteswaps())
def test_the_mirror_is_the_pattern_of_the_other_hands(text: str) -> None:
    pattern, found = read_siteswap(text), facts(text)
    assert found.mirror is not None
    mirrored = read_siteswap(found.mirror.siteswap)
    mirrored = repeated(mirrored, pattern.period // mirrored.period)
    swapped = sorted(
        throw._replace(hand=1 - throw.hand, to_hand=1 - throw.to_hand)[:6]
        for throw in pattern.throws
    )
    assert sorted(throw[:6] for throw in mirrored.throws) == swapped


@given(st.one_of(valid_siteswaps(max_props=6), valid_passing_siteswaps(max_jugglers=2)))
def test_props_are_back_after_their_period_and_no_sooner(text: str) -> None:
    pattern, found = read_siteswap(text), facts(text)
    assert pattern.period % (found.hand_period or 1) == 0
    if found.hand_period != pattern.period:
        return  # the text repeats itself
    # After each loop a prop has taken the place of the next one on its orbit.
    laps = math.lcm(*(orbit.props for orbit in pattern.orbits))
    assert found.prop_period == (laps * pattern.period if pattern.props else None)


@given(st.one_of(valid_siteswaps(), valid_passing_siteswaps()))
def test_all_hands_together_keep_all_props_going(text: str) -> None:
    pattern, found = read_siteswap(text), facts(text)
    assert found.hand_load is not None
    hands = len({turn[1:] for turn in pattern.turns})
    assert (
        found.hand_load.smallest * hands - 0.01
        <= pattern.props
        <= found.hand_load.largest * hands + 0.01
    )


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            "{1000}",
            "(531^600)",
            "(51^900)",
            "[" + "{1000}" * 5 + "]",
            "<" + "|".join(["3p 3 3"] * 300) + ">",
            "<" + "|".join(["5 1"] * 200) + ">",
            "{1000}" + "0" * 999,
        ],
        *("(531^600)", "{1000}" + "0" * 999),
    ),
)
def test_facts_of_the_largest_patterns_are_found_soon(text: str) -> None:
    pattern = open_pattern(text).score.pattern
    assert pattern is not None
    with at_most(ONE_SECOND):
        find_facts(pattern)


def test_what_is_not_applicable_has_a_reason() -> None:
    assert facts("[34]23").missing == {"dual": "a hand throws several props at once"}
    assert facts("5B55").missing == {"dual": "props bounce"}
    assert set(facts("R3R3xL3L3x").missing) == {"ground", "entry", "exit", "dual"}
    assert facts("0").missing["prime"] == "it has no props"


def test_what_is_written_several_times_is_the_same_pattern() -> None:
    for once, often in (
        ("3", "(3^10)"),
        ("531", "531531"),
        ("(4,2x)*", "(4,2x)(2x,4)(4,2x)(2x,4)"),
    ):
        assert facts(once) == facts(often)


def test_the_mirror_image_of_a_gallop_has_no_siteswap_of_whole_beats() -> None:
    assert facts("3.5 2.5").mirror is None


def test_facts_are_told_in_words() -> None:
    found = check("4413").facts
    assert found is not None
    assert dict(fact_lines(found)) == {
        "parts": "composite: 441, 3",
        "entry": "none needed, start with 4413",
        "exit": "none needed, end after 4413",
        "inverse": "4413 (itself)",
        "dual": "3001: 1 prop, height 4",
        "mirror": "L4413",
        "hand load": "1.25 to 1.75 props a hand, 1 at once",
        "repeats": "hands after 4 beats, props after 4",
    }
    excited = dict(fact_lines(facts("51")))
    assert (excited["parts"], excited["entry"]) == (
        "prime: not made of shorter patterns",
        "4, then 51",
    )
