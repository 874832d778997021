import csv
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from siteswap_strategies import valid_siteswaps

from juggle_anim.errors import ParameterError, PatternError
from juggle_anim.notation import read_prechac, read_siteswap
from juggle_anim.pattern import Pattern, Throw
from juggle_anim.pattern.states import Landings, state_at
from juggle_anim.pattern.transitions import (
    ThrowSearch,
    Transition,
    TransitionRules,
    find_transitions,
    find_transitions_from,
)

_TABLE = Path(__file__).parents[1] / "data" / "transitions_vanilla.tsv"
"""An exhaustive search of all states: least lengths, counts, and the throws themselves."""


def written(transition: Transition) -> str:
    values = {throw.beat: throw.value for throw in transition.throws}
    return "".join(f"{values.get(beat, 0):x}" for beat in range(transition.length))


@pytest.mark.parametrize(
    "row",
    list(csv.DictReader(_TABLE.open(), delimiter="\t")),
    ids=lambda row: f"{row['from']}-{row['to']}",
)
def test_vanilla_transitions_are_those_of_an_exhaustive_search(row: dict[str, str]) -> None:
    start, end = read_siteswap(row["from"]), read_siteswap(row["to"])
    ends = {"exits": [0], "entries": [0]}
    free = list(find_transitions(start, end, **ends))
    assert {each.length for each in free} == {int(row["min_len_start_to_start"])}
    assert len(free) == int(row["shortest_uncapped_count"])
    capped = TransitionRules(max_throw=int(row["cap"]))
    assert (
        " ".join(map(written, find_transitions(start, end, capped, **ends)))
        == row["shortest_capped"]
    )
    best = [
        f"{each.exit}:{written(each)}:{each.entry}" for each in find_transitions(start, end, capped)
    ]
    assert sorted(best) == row["best_any_rotation(exit beat:throws:entry beat)"].split(" ")
    assert {each.length for each in find_transitions(start, end)} == {
        int(row["min_len_any_rotation"])
    }


def after(state: Landings, transition: Transition, hands: int) -> Landings:
    """The state after a transition, in which each throw must be of a prop that is due."""
    due = Counter(
        {
            (beat, hand): count
            for beat, counts in enumerate(state)
            for hand, count in enumerate(counts)
        }
    )
    thrown: Counter[tuple[int, int]] = Counter()
    for throw in transition.throws:
        thrown[throw.beat, 2 * throw.juggler + throw.hand] += 1
        due[throw.beat + throw.value, 2 * throw.to_juggler + throw.to_hand] += 1
    for beat in range(transition.length):
        for hand in range(hands):
            assert thrown.pop((beat, hand), 0) == due.pop((beat, hand), 0)
    assert not thrown
    last = max((beat for (beat, _), count in due.items() if count), default=-1)
    return tuple(
        tuple(due[beat, hand] for hand in range(hands))
        for beat in range(transition.length, last + 1)
    )


def check(start: Pattern, end: Pattern, transition: Transition) -> None:
    reached = after(state_at(start, transition.exit), transition, 2 * end.jugglers)
    if transition.mirrored:
        reached = tuple(
            tuple(counts[hand ^ 1] for hand in range(len(counts))) for counts in reached
        )
    assert reached == state_at(end, transition.entry)


def in_halves(pattern: Pattern, half_beat: int) -> Landings:
    """The state before a half of a beat of a pattern whose hands throw on whole beats."""
    nothing = (0,) * (2 * pattern.jugglers)
    later = [
        each for counts in state_at(pattern, (half_beat + 1) // 2) for each in (counts, nothing)
    ]
    return tuple([nothing, *later] if half_beat % 2 else later)


def test_patterns_whose_hands_throw_on_whole_and_on_half_beats_lead_into_each_other() -> None:
    whole, halves = read_siteswap("<4|3>"), read_prechac("4.5p 3 3")
    assert (whole.division, halves.division) == (1, 2)
    for found in itertools.islice(find_transitions(whole, halves, mirrored=False), 5):
        assert after(in_halves(whole, found.exit), found, 4) == state_at(halves, found.entry)
    back = next(find_transitions(halves, whole, mirrored=False))
    reached = after(state_at(halves, back.exit), back, 4)
    wanted = in_halves(whole, back.entry)
    assert [each for each in reached if any(each)] == [each for each in wanted if any(each)]


@settings(max_examples=40)
@given(st.lists(valid_siteswaps(5), min_size=4, max_size=4))
def test_a_transition_leads_from_the_one_pattern_into_the_other(texts: list[str]) -> None:
    for start, end in itertools.pairwise(
        sorted(map(read_siteswap, texts), key=lambda pattern: pattern.props)
    ):
        if start.props == end.props:
            for found in itertools.islice(find_transitions(start, end), 3):
                check(start, end, found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<4p 3|3 4p>", "<3|4>"),
        ("<R|L><4xp|3><3|4xp>", "<4|3>"),
        ("<(4p,4)|(4p,4)>", "<5|3>"),
        ("<42|33>", "<3p|3p>"),
    ],
)
def test_so_do_those_of_two_jugglers(one: str, other: str) -> None:
    start, end = read_siteswap(one), read_siteswap(other)
    check(start, end, next(find_transitions(start, end)))


_ALIKE = [
    *(
        ["3", "531", "423", "51", "441", "7131", "42"],
        ["4", "53", "552", "71", "534"],
        ["2", "31", "40", "312"],
    ),
    *(["(4,2x)(2x,4)", "(4x,2x)", "(4,4)(2,2)", "(6,4)(2,0)"], ["[32]22", "3", "[33]03"]),
    ["<3p|3p>", "<3|3>", "<4p|4p><2|2>", "<42|33>"],
]
"""Patterns that go over into one another without a change of rhythm."""


def by_trying_all(start: Pattern, end: Pattern) -> set[tuple[int, frozenset[Throw], int]]:
    """The shortest transitions, from all throws that hands can make on their turns."""
    turns = {(beat % end.period, 2 * juggler + hand) for beat, juggler, hand in end.turns}
    for length in itertools.count():
        found = set()
        for first, entry in itertools.product(range(start.period), range(end.period)):
            state, goal = state_at(start, first), state_at(end, entry)
            due = Counter(
                {
                    (beat, hand): n
                    for beat, counts in enumerate(state)
                    for hand, n in enumerate(counts)
                    if n
                }
            )
            if not all(((entry - length + beat) % end.period, hand) in turns for beat, hand in due):
                continue
            highest = length + len(goal)
            sites = [
                site
                for site in itertools.product(range(highest), range(2 * end.jugglers))
                if ((entry - length + site[0]) % end.period, site[1]) in turns
            ]
            wanted = Counter(
                {
                    (length + beat, hand): n
                    for beat, counts in enumerate(goal)
                    for hand, n in enumerate(counts)
                    if n
                }
            )
            found |= {(first, throws, entry) for throws in _all_throws(due, wanted, length, sites)}
        if found:
            return found
    raise AssertionError


def _all_throws(
    due: Counter[tuple[int, int]],
    wanted: Counter[tuple[int, int]],
    length: int,
    sites: list[tuple[int, int]],
) -> Iterator[frozenset[Throw]]:
    now = min((site for site, count in due.items() if count), default=(length, 0))
    if now[0] >= length:
        if +due == wanted:
            yield frozenset()
        return
    for site in sites:
        if site[0] > now[0] and (site[0] >= length or not due[site]):
            left = due + Counter([site]) - Counter([now])
            throw = Throw(now[0], *divmod(now[1], 2), site[0] - now[0], *divmod(site[1], 2))
            for others in _all_throws(left, wanted, length, sites):
                yield others | {throw}


def random_pairs(count: int) -> list[tuple[str, str]]:
    choose = random.Random(5)
    return [tuple(choose.sample(choose.choice(_ALIKE), 2)) for _ in range(count)]


@pytest.mark.parametrize(("one", "other"), random_pairs(12))
def test_no_transition_is_shorter_or_left_out(one: str, other: str) -> None:
    start, end = read_siteswap(one), read_siteswap(other)
    everywhere = {"exits": range(start.period), "entries": range(end.period), "mirrored": False}
    found = {
        (each.exit, frozenset(each.throws), each.entry)
        for each in find_transitions(start, end, **everywhere)
    }
    assert found == by_trying_all(start, end)


@pytest.mark.parametrize(
    ("one", "other", "rules", "message"),
    [
        (
            "5",
            "b97531",
            {},
            "the first pattern has 5 props and the second 6 props: a transition cannot add or drop props",
        ),
        (
            "6",
            "<3|3>",
            {},
            (
                "the first pattern has 1 juggler and the second 2 jugglers: they must have the "
                "same number"
            ),
        ),
        (
            "3",
            "900",
            {"max_throw": 5},
            "no transition of up to 8 beats exists with throws up to 5",
        ),
    ],
)
def test_what_cannot_be_joined_is_refused(
    one: str, other: str, rules: dict[str, int], message: str
) -> None:
    with pytest.raises(PatternError) as error:
        next(find_transitions(read_siteswap(one), read_siteswap(other), TransitionRules(**rules)))
    assert str(error.value).startswith(message)


def test_rules_that_are_impossible_are_refused() -> None:
    with pytest.raises(ParameterError, match="max_throw is 0, but must be at least 1"):
        TransitionRules(max_throw=0)
    with pytest.raises(ParameterError, match="multiplex is 0, but must be at least 1"):
        TransitionRules(multiplex=0)


def test_a_state_alone_goes_into_a_pattern_too() -> None:
    state = ((0, 1), (1, 0), (0, 0), (1, 0))
    found = next(find_transitions_from(state, read_siteswap("3")))
    assert written(found) == "2"
    assert after(state, found, 2) == ((1, 0), (0, 1), (1, 0))
    with pytest.raises(PatternError, match="the first pattern has 3 props and the second 5 props"):
        find_transitions_from(state, read_siteswap("5"))
    with pytest.raises(
        PatternError, match="the state has 1 juggler, but the pattern has 2 jugglers"
    ):
        find_transitions_from(state, read_siteswap("<2|1>"))


def test_a_search_can_be_cancelled() -> None:
    endless = find_transitions(
        read_siteswap("4"), read_siteswap("(6,2)"), longest=9, cancelled=lambda: True
    )
    assert list(endless) == []


@pytest.mark.parametrize(
    ("start", "end", "rules", "longest"),
    [
        ("6231", "3", TransitionRules(max_throw=5, multiplex=2), 4),
        ("[32]", "24[54]", TransitionRules(max_throw=6, multiplex=3), 3),
        ("[32]", "24[54]", TransitionRules(max_throw=5, multiplex=2, squeezes=True), 3),
    ],
)
def test_no_transition_with_multiplexes_is_lost_with_states_that_led_nowhere(
    start: str, end: str, rules: TransitionRules, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def throws_of_transitions() -> list[tuple[Throw, ...]]:
        patterns = read_siteswap(start), read_siteswap(end)
        return [one.throws for one in find_transitions(*patterns, rules, longest=longest)]

    transitions = throws_of_transitions()
    # The plain search, which remembers no state.
    monkeypatch.setattr(ThrowSearch, "_search_key", lambda *_: None)
    assert transitions == throws_of_transitions()
    assert len(transitions) > 100


@pytest.mark.parametrize(
    ("start", "end", "longest"), [("4", "53", 4), ("5", "(6x,4)*", None), ("3", "(4,2x)*", 4)]
)
def test_a_hand_throws_again_after_a_beat_only_what_it_has_held_for_it(
    start: str, end: str, longest: int | None
) -> None:
    patterns = read_siteswap(start), read_siteswap(end)
    transitions = list(
        itertools.islice(
            find_transitions(*patterns, TransitionRules(any_hand=True), longest=longest), 200
        )
    )
    assert transitions
    for transition in transitions:
        times_of_hands = {(throw.beat, throw.hand) for throw in transition.throws}
        for throw in transition.throws:
            if (throw.beat + 1, throw.hand) in times_of_hands:
                assert (throw.value, throw.to_hand) == (1, throw.hand)
