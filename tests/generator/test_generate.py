"""Lists beside those of Juggling Lab 1.7.7 (`generator.tsv`), beside formulas, and beside brute
force.
"""

import csv
import hashlib
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.errors import JuggleError
from juggle_anim.generator import (
    Generated,
    GeneratorOptions,
    Search,
    find_with_passages,
    read_arguments,
)

DATA = Path(__file__).parents[1] / "data"


def table(name: str) -> list[dict[str, str]]:
    lines = (DATA / name).read_text().splitlines()
    return list(
        csv.DictReader(
            (line for line in lines if line[0] != "#"), delimiter="\t", quoting=csv.QUOTE_NONE
        )
    )


def patterns(arguments: str) -> list[str]:
    return sorted(ja.generate(arguments))


def digest(lines: list[str]) -> str:
    return hashlib.sha1("\n".join(sorted(lines)).encode()).hexdigest()


def line(found: Generated, arguments: str) -> str:
    """As Juggling Lab shows it."""
    if "-se" in arguments.split():
        return f"* {found.pattern} *" if found.entry or found.exit else found.pattern
    return f"{found.entry}  {found.pattern}  {found.exit}".strip()


ROWS = table("generator.tsv")

# Where jugglers change places, Juggling Lab lists some patterns twice and misses others
# (`generator_classes.tsv`).
SHARED = [
    row
    for row in ROWS
    if ("-j" not in row["arguments"] and row["arguments"] != "4 7 - -prime")  # the dual of 3 7
    or "-jp" in row["arguments"]
    or row["arguments"].startswith(("6 4 2 -j 2 -f", "5 3 4 -j 2", "7 5 3 -j 2 -cp -sym"))
]
# It tells throws of several props into a state in another order.
OTHER_ENTRIES = "6 5 3 -m 3", "6 5 3 -m 3 -mf -mt", "4 6 4 -s -m 2", "4 - 3 -f -rot -no"


@pytest.mark.parametrize("row", SHARED, ids=lambda row: row["arguments"])
def test_lists_are_those_of_juggling_lab(row: dict[str, str]) -> None:
    arguments = row["arguments"]
    found = list(find_with_passages(read_arguments(arguments)[0]))
    assert len(found) == int(row["count"])
    if "-no" not in arguments:
        assert digest([each.pattern for each in found]) == row["sha1_patterns"]
    if arguments not in OTHER_ENTRIES:
        assert digest([line(each, arguments) for each in found]) == row["sha1_display"]


@pytest.mark.parametrize("row", table("generator_classes.tsv"), ids=lambda row: row["arguments"])
def test_patterns_in_which_jugglers_change_places_are_listed_once(row: dict[str, str]) -> None:
    found = patterns(row["arguments"])
    assert len(found) == len(set(found)) == int(row["classes_of_-jp"])
    if len(found) < 1_000:
        assert set(found) <= set(patterns(row["arguments"] + " -jp"))


def test_two_jugglers_who_throw_several_props_at_once_change_places_once() -> None:
    def what_jugglers_throw(pattern: str) -> tuple[str, ...]:
        """In no order: `<[2p 2]|2p>` and `<2p|[22p]>` are alike."""
        throws = pattern.replace(" ", "").strip("<>").split("|")
        return tuple(sorted("".join(sorted(each)) for each in throws))

    found = patterns("6 4 1 -j 2 -m 2")
    every = patterns("6 4 1 -j 2 -m 2 -jp")
    assert "<3|3>" in found
    assert sorted(map(what_jugglers_throw, found)) == sorted(set(map(what_jugglers_throw, every)))


@pytest.mark.parametrize(("props", "period"), [(1, 6), (2, 5), (3, 4), (4, 4), (7, 3)])
def test_there_are_as_many_siteswaps_as_the_formula_says(props: int, period: int) -> None:
    """(b + 1)^n - b^n with every rotation: J. Buhler et al., Juggling drops and descents (1994)."""
    every = patterns(f"{props} - {period} -f -rot")
    assert len(every) == len(set(every)) == (props + 1) ** period - props**period
    necklaces = {min(each[turn:] + each[:turn] for turn in range(period)) for each in every}
    assert len(patterns(f"{props} - {period} -f")) == len(necklaces)


def test_ground_state_siteswaps_of_three_props_are_counted_as_known() -> None:
    assert [len(patterns(f"3 - {period} -g")) for period in range(1, 8)] == [
        1,
        1,
        3,
        13,
        47,
        173,
        639,
    ]


@pytest.mark.parametrize("row", table("prime_siteswaps.tsv"), ids=lambda row: row["n"])
def test_prime_siteswaps_are_counted_as_known(row: dict[str, str]) -> None:
    for props in (2, 3, 4):
        if int(row["n"]) * props <= 24:
            assert len(patterns(f"{props} - {row['n']} -prime")) == int(row[f"b={props}"])


@pytest.mark.parametrize(
    ("props", "highest", "period"), [(2, 4, 4), (3, 5, 4), (3, 6, 3), (4, 6, 3)]
)
def test_no_siteswap_is_missed(props: int, highest: int, period: int) -> None:
    made = [
        throws
        for throws in itertools.product(range(highest + 1), repeat=period)
        if sum(throws) == props * period
        and len({(at + throw) % period for at, throw in enumerate(throws)}) == period
    ]
    assert patterns(f"{props} {highest} {period} -f -rot") == sorted(
        "".join(map(str, throws)) for throws in made
    )


def test_synchronous_patterns_with_mirrored_halves_are_written_with_a_star() -> None:
    assert "(6x,4)*" in patterns("5 6 4 -s")
    assert "(6x,4)(4,6x)" in patterns("5 6 4 -s -nostar")


def test_long_searches_give_their_first_patterns_at_once() -> None:
    search = ja.generate("3 8 - -prime")
    assert len(set(itertools.islice(search, 1000))) == 1000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("5 7", "period are needed"),
        ("0 5 3", "number of props cannot be 0"),
        ("5 0 3", "highest throw cannot be 0"),
        ("5 7 -", "Only prime patterns"),
        ("5 - - -prime", "Neither the highest throw nor the longest period"),
        ("5 7 0", "period cannot be 0"),
        ("5 7 5-3", "shortest first"),
        ("5 7 3 -s", "must be even"),
        ("6 4 3 -j 2 -g", "add permutations"),
        ("5 7 5 -hsym", "add synchronous"),
        ("5 7 5 -q", "Unknown option -q"),
        (r"5 7 5 -x \[", "not a valid regular expression"),
        ("a 7 5", "number of props cannot be a"),
        ("5 zz 5", "highest throw cannot be zz"),
        ("5 7 x", "period cannot be x"),
        ("5 7 5 -m", "-m needs a number"),
        ("5 7 5 -x -f", "-x needs something to look for"),
        ("5 7 5 -l 2", "Juggler 2 cannot lead"),
    ],
)
def test_lines_that_say_nothing_clear_are_refused(arguments: str, said: str) -> None:
    with pytest.raises(JuggleError, match=said):
        read_arguments(arguments)


def test_letters_are_throws_and_brackets_stand_for_themselves() -> None:
    assert len(patterns("3 b 3")) == 11
    assert len(patterns("5 7 5 -x (")) == 22


def test_the_search_is_told_by_keywords_as_well() -> None:
    assert sorted(ja.generate(5, 7, 4, multiplex=2)) == patterns("5 7 4 -m 2")
    assert list(ja.generate(3, 7, kind="prime")) == list(ja.generate("3 7 - -prime"))
    assert list(ja.generate(3, 5, (1, 3))) == list(ja.generate("3 5 1-3"))
    with pytest.raises(JuggleError, match="Only prime patterns"):
        ja.generate(3, 7)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"props": 0}, "props is 0"),
        ({"max_throw": 0}, "max_throw is 0"),
        ({"period": 0}, "period is 0"),
        ({"period": (3, 1)}, "shortest"),
        ({"multiplex": 0}, "multiplex is 0"),
        ({"jugglers": 1.5}, "jugglers is 1.5"),
        ({"kind": "primes"}, "must be simple, prime, all"),
        ({"start": "rest"}, "must be any, ground, excited"),
        ({"exclude": ("(",)}, "not a valid regular expression"),
    ],
)
def test_values_that_are_not_possible_are_refused(keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(JuggleError, match=said):
        ja.generate(**{"props": 3, "max_throw": 5, "period": 3} | keywords)


def test_the_first_of_very_many_states_are_searched_at_once() -> None:
    assert len(list(itertools.islice(ja.generate(12, 35, 12), 3))) == 3


def test_a_search_says_how_much_is_done_and_can_be_left_at_any_step() -> None:
    search = Search(read_arguments("5 11 7-8")[0], at_once=1024)
    seen = [(search.period, search.done, len(found)) for found in search.steps()]
    assert sorted(seen, key=lambda each: each[:2]) == seen
    assert [seen[0][0], *seen[-1][:2]] == [7, 8, pytest.approx(1.0)]
    found = np.cumsum([count for *_, count in seen])
    half = found[
        next(place for place, (period, done, _) in enumerate(seen) if period == 8 and done > 0.5)
    ]
    assert 0.3 < half / found[-1] < 0.9
    first = next(found for found in Search(read_arguments("3 8 - -prime")[0]).steps() if found)
    assert first == ["3"]


@pytest.mark.parametrize(
    "arguments", ["6 3 2 -j 2 -m 2 -mf -g -jp", "6 2 1 -j 3 -m 2 -cp -mf", "5 6 4 -s -m 2", "4 a 3"]
)
def test_what_is_written_is_read_with_as_many_props(arguments: str) -> None:
    found = patterns(arguments)
    assert len(found) > 5
    for each in found[:: max(len(found) // 60, 1)]:
        assert ja.animate(each).pattern.props == int(arguments[0])


def test_a_single_expression_is_taken_too() -> None:
    with pytest.raises(JuggleError, match="tuple of strings"):
        GeneratorOptions(props=3, max_throw=5, periods=(3, 3), include="0")  # type: ignore[arg-type]
    patterns = list(ja.generate(3, 5, 3, include="0"))
    assert patterns
    assert patterns == list(ja.generate(3, 5, 3, include=("0",)))
