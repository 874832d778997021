import csv
from hashlib import sha1
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from siteswap_strategies import valid_siteswaps

import juggle_anim as ja
from juggle_anim.errors import JuggleError, NotationError
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.transitions import (
    JoinedPatterns,
    join_line,
    join_patterns,
    read_transition_line,
)
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.states import Landings, state_at

_TABLE = Path(__file__).parents[1] / "data" / "transitions_jugglinglab.tsv"
"""Juggling Lab's lists: argument lines with the number of lines and the sha1 of the sorted ones."""

_LISTS = list(csv.reader(_TABLE.read_text(encoding="utf-8").splitlines()[2:], delimiter="\t"))
_SAID = {
    "(6x,4)* (8x,2x)(4,2)": "two props would land in the same hand at once: the 2 thrown on "
    "beat 5 and the 4 thrown on beat 3, in the left hand on beat 7",
    "5 b97531": "the first pattern has 5 props and the second 6 props",
    "7 b6": "average 8½. It must be a whole",
    "4 24[54] -m 2": "the first pattern has 4 props and the second 5 props",
    "<4xp|3><3|4xp> <4p|3><3|4p>": "the 4 thrown by juggler 1 on beat 1 lands in the left hand of "
    "juggler 2 on beat 5",
    "501 3": "the first pattern has 2 props and the second 3 props",
}


@pytest.mark.parametrize(("line", "count", "digest"), [row[:3] for row in _LISTS])
def test_an_argument_line_gives_what_juggling_lab_lists(line: str, count: str, digest: str) -> None:
    if count == "ERROR":
        with pytest.raises(JuggleError) as error:
            list(ja.transitions(line))
        assert str(error.value).startswith(_SAID[line])
        return
    found = [each.pattern for each in ja.transitions(line)]
    if count == "HANG":  # and so do we find transitions where Juggling Lab finds none
        assert found[0] == "(R3R3x3L3x^2)R3x(R33^2)R3x3x"
        return
    assert len(found) == int(count)
    assert sha1("\n".join(sorted(found)).encode()).hexdigest() == digest


@pytest.mark.parametrize(
    ("start", "end", "joined"),
    [
        ("3", "51", ["(3^2)4(51^2)2"]),
        ("531", "51", ["(315^2)2(51^2)25", "(531^2)4(51^2)2"]),
        ("51", "441", ["(51^2)(414^2)"]),
        ("(4,4)", "(6,2)", ["((4,4)^2)(6x,4)((2,6)^2)(2,4x)"]),
        ("<3|3>", "<42|33>", ["(<3|3>^2)(<42|33>^2)"]),
        ("[32]22", "3", ["(22[32]^2)(3^2)"]),
    ],
)
def test_the_shortest_transitions_go_from_any_beat_to_any(
    start: str, end: str, joined: list[str]
) -> None:
    assert [each.pattern for each in ja.transitions(start, end)][: len(joined)] == joined


def either(state: Landings) -> set[Landings]:
    """A state, and the one with left and right hands swapped."""
    return {
        state,
        tuple(tuple(counts[hand ^ 1] for hand in range(len(counts))) for counts in state),
    }


def passes(joined: JoinedPatterns, start: Pattern, end: Pattern) -> None:
    whole = read_siteswap(joined.pattern)
    assert either(state_at(whole)) == either(state_at(start, joined.exit))
    first = read_siteswap(f"({joined.start}^2)").written_period
    assert either(state_at(whole, first + joined.length)) == either(state_at(end, joined.entry))


@settings(max_examples=20)
@given(valid_siteswaps(4), valid_siteswaps(4))
def test_a_line_is_one_siteswap_that_passes_both_patterns(one: str, other: str) -> None:
    start, end = read_siteswap(one), read_siteswap(other)
    assume(start.props == end.props)
    for joined in islice(ja.transitions(one, other), 3):
        passes(joined, start, end)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<4p 3|3 4p>", "<4|3>"),
        ("<R|L><4xp|3><3|4xp>", "<4|3>"),
        ("<(4p,4)|(4p,4)>", "<4p 4|4p 4>"),
        ("R3R3xL3L3x", "3"),
        ("(4,4)!040", "3"),
    ],
)
def test_so_does_one_of_any_rhythm(one: str, other: str) -> None:
    for start, end in ((one, other), (other, one)):
        for joined in islice(ja.transitions(start, end), 3):
            passes(joined, read_siteswap(start), read_siteswap(end))


def test_caps_and_fixed_beats_are_kept() -> None:
    assert [each.throws for each in ja.transitions("5", "91", max_throw=9, exits=[0])] == [
        "678",
        "696",
        "858",
        "894",
    ]
    longer = [each.length for each in ja.transitions("5", "771", longest=3, exits=[0], entries=[0])]
    assert sorted(set(longer)) == [2, 3]
    assert longer == sorted(longer)
    assert len(next(iter(join_patterns("3", "51", repeats=3))).pattern) == len("(3^3)4(51^3)2")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("5", "Give two patterns\n  5\n   ^"),
        ("- 5", "Give two patterns\n  - 5\n  ^"),
        ("5 771 -q", "Unknown option -q\n  5 771 -q\n        ^"),
        ("5 771 -mff", "Unknown option -mff\n  5 771 -mff\n        ^\ndid you mean -mf?"),
        (
            "5 771 -m",
            (
                "-m sets how many props a hand may throw at once\n  5 771 -m\n        ^\na "
                "number from 1 to 10"
            ),
        ),
        ("5 771 -m 99 -mf", "-m sets how many props a hand may throw at once"),
        ('5 "771', "Cannot read the line: No closing quotation"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused(line: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_transition_line(line)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        (["3", "51"], {"exits": [2]}, "3 has no beat 2; its beats are 0 to 1"),
        (["3", "51"], {"multiplex": 0}, "multiplex is 0, but must be at least 1"),
        (["3 51"], {"longest": 4}, "a line such as '531 441 -m 2' already has its options"),
        (["<3.5p|2.5p>", "<3|3>"], {}, "throws on parts of beats have no siteswap"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    texts: list[str], options: dict[str, object], message: str
) -> None:
    with pytest.raises(JuggleError) as error:
        next(ja.transitions(*texts, **options))
    assert str(error.value).startswith(message)
    with pytest.raises(JuggleError, match="repeats is 0; it must be at least 1"):
        next(join_patterns("3", "51", repeats=0))


def test_options_of_the_line_are_read() -> None:
    line = read_transition_line('"<3p 3|3 3p>" <3|3> -m 3 -mf -mc -limits')
    rules = line.rules
    assert (line.start, line.end, line.limited) == ("<3p 3|3 3p>", "<3|3>", False)
    assert (rules.multiplex, rules.squeezes, rules.clusters, rules.any_hand) == (
        3,
        True,
        False,
        True,
    )
    few, many = (
        len(list(join_line(read_transition_line(f"4 [43]23 -m 2 {more}"))))
        for more in ("-mc", "-mf")
    )
    assert few < 32 < many
