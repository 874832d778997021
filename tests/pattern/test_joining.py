"""The shortest throws from what plays into another pattern, whatever their props."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from siteswap_strategies import valid_siteswaps

from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.states import state_at
from juggle_anim.pattern.transitions import Join, States, shortest_join


def states(pattern: Pattern, beats: int, deep: int) -> States:
    """What surrounds each of some beats of a pattern."""
    hands = 2 * pattern.jugglers
    due = np.zeros((beats, deep, hands), dtype=int)
    since = np.full((beats, hands), 1_000)
    for beat in range(beats):
        state = state_at(pattern, beat)
        due[beat, : len(state)] = np.array(state).reshape(-1, hands)
        for throw in pattern.throws:
            hand = 2 * throw.juggler + throw.hand
            since[beat, hand] = min(since[beat, hand], (beat - throw.beat - 1) % pattern.period + 1)
    return States(due, since)


def joined(one: str, other: str) -> tuple[States, States, Join]:
    start, end = read_siteswap(one), read_siteswap(other)
    deep = max(throw.value for pattern in (start, end) for throw in pattern.throws) + 1
    old, new = states(start, start.period, deep), states(end, end.period, deep)
    join = shortest_join(old, new, end, 1, 1)
    assert join is not None
    return old, new, join


def check(old: States, new: States, join: Join) -> None:
    """That each throw is of a prop that is due, and that after all of them the state is that of the
    second pattern.
    """
    due = Counter(
        {
            (int(beat), int(hand)): int(old.due[join.exit, beat, hand])
            for beat, hand in sites(old, join.exit)
        }
    )
    due += Counter(join.picked_up)
    due -= Counter(join.put_down)
    for throw in join.throws:
        assert due[throw.beat, 2 * throw.juggler + throw.hand] > 0
        due[throw.beat, 2 * throw.juggler + throw.hand] -= 1
        due[throw.beat + throw.value, 2 * throw.to_juggler + throw.to_hand] += 1
    wanted = {
        (int(beat) + join.length, int(hand)): int(new.due[join.entry, beat, hand])
        for beat, hand in sites(new, join.entry)
    }
    assert +due == Counter(wanted)
    assert not (join.picked_up and join.put_down)


def sites(states: States, beat: int) -> list[list[int]]:
    found: list[list[int]] = np.argwhere(states.due[beat] > 0).tolist()
    return found


@settings(max_examples=40)
@given(valid_siteswaps(5), valid_siteswaps(5))
def test_a_join_leads_from_the_one_pattern_into_the_other_whatever_their_props(
    one: str, other: str
) -> None:
    old, new, join = joined(one, other)
    check(old, new, join)
    assert len(join.picked_up) - len(join.put_down) == new.due[0].sum() - old.due[0].sum()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<4p 3|3 4p>", "<4|3>"),
        ("<R|L><4xp|3><3|4xp>", "<4|3>"),
        ("<(4p,4)|(4p,4)>", "<5|3>"),
        ("<([0 0],[4p2 2p])|([4xp1 4xp],[2x 2x])>", "<0 3 5p2BHF apBB dF|1 8T bpB 3p 1>"),
    ],
)
def test_so_does_one_of_two_jugglers(one: str, other: str) -> None:
    check(*joined(one, other))


@pytest.mark.parametrize(
    ("one", "other", "throws", "picked", "put_down"),
    [
        ("3", "51", [4], 0, 0),
        ("51", "3", [2], 0, 0),
        ("4", "71", [5, 6], 0, 0),
        ("3", "4", [], 1, 0),
        ("4", "3", [], 0, 1),
    ],
)
def test_the_shortest_is_found(
    one: str, other: str, throws: list[int], picked: int, put_down: int
) -> None:
    *_, join = joined(one, other)
    assert [throw.value for throw in join.throws] == throws
    assert (len(join.picked_up), len(join.put_down)) == (picked, put_down)
