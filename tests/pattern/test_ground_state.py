from itertools import combinations

import pytest
from hypothesis import given
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps
from state_walks import cycle, vanilla

from juggle_anim.pattern.cycle import Cycle
from juggle_anim.pattern.state_graph import Passage, entry_of, exit_of, ground_state, is_ground
from juggle_anim.pattern.states import Landings


def values(passage: Passage) -> list[int]:
    sums = [0] * passage.length
    for throw in passage.throws:
        sums[throw.beat] += throw.value
    return sums


# Shortest transitions, of which the lowest is taken: an exhaustive search, published with Juggling
# Lab's.
@pytest.mark.parametrize(
    ("text", "into", "out"),
    [
        ("51", [4], [2]),
        ("71", [5, 6], [2, 3]),
        ("771", [6, 6], [3]),
        ("91", [6, 7, 8], [2, 3, 4]),
        ("801", [4, 6], [1, 2, 2]),
        ("531", [], []),
        ("97531", [], []),
        ("423", [], []),
    ],
)
def test_ways_in_and_out_that_are_known(text: str, into: list[int], out: list[int]) -> None:
    assert values(entry_of(cycle(text))) == into
    assert values(exit_of(cycle(text))) == out


def distances(props: int, height: int) -> dict[frozenset[int], tuple[int, int]]:
    """How far each vanilla state is from the ground state and back, by trying all throws from all
    states.
    """
    states = [frozenset(chosen) for chosen in combinations(range(height), props)]
    following = {state: [] for state in states}
    for state in states:
        later = frozenset(landing - 1 for landing in state if landing)
        nexts = (
            [later | {landing} for landing in range(height) if landing not in later]
            if 0 in state
            else [later]
        )
        following[state] = [each for each in nexts if len(each) == props]
    before = {state: [other for other in states if state in following[other]] for state in states}
    ground = frozenset(range(props))
    found = []
    for links in (following, before):
        far, reached = {ground: 0}, [ground]
        for state in reached:
            for other in links[state]:
                if other not in far:
                    far[other] = far[state] + 1
                    reached.append(other)
        found.append(far)
    return {state: (found[0][state], found[1][state]) for state in states}


def landings(state: Landings) -> frozenset[int]:
    return frozenset(later for later, (count,) in enumerate(state) if count)


@pytest.mark.parametrize(("props", "highest"), [(3, 7), (2, 6)])
def test_no_way_in_or_out_is_shorter(props: int, highest: int) -> None:
    far = distances(props, highest + 1)
    for period in (1, 2, 3, 4):
        for text in vanilla(props, highest, period):
            walk = cycle(text)
            ways = [far[landings(state)] for state in walk.states]
            assert entry_of(walk).length == min(into for into, _ in ways), text
            assert exit_of(walk).length == min(out for _, out in ways), text
            assert any(is_ground(walk, turn) for turn in walk.turn_beats) == (
                min(ways) == (0, 0)
            ), text


def after(walk: Cycle, state: Landings, passage: Passage) -> Landings:
    """The state after throws, of which each must be of a prop that is due."""
    due = {
        (later, row): count
        for later, counts in enumerate(state)
        for row, count in enumerate(counts)
        if count
    }
    for throw in passage.throws:
        assert due.get(throw.slot, 0) > 0
        due[throw.slot] -= 1
        due[throw.lands] = due.get(throw.lands, 0) + 1
    due = {(later - passage.length, row): count for (later, row), count in due.items() if count}
    assert not due or min(later for later, _ in due) >= 0
    last = max((later for later, _ in due), default=-1)
    rows = range(len(walk.rows))
    return tuple(tuple(due.get((later, row), 0) for row in rows) for later in range(last + 1))


def check_ways(walk: Cycle) -> None:
    into, out = entry_of(walk), exit_of(walk)
    start, end = into.turn_beat - into.length, out.turn_beat + out.length
    near = ((0,) * len(walk.rows),) * into.length + walk.states[into.turn_beat]
    ground = ground_state(walk.rows, walk.props, start, near)
    assert after(walk, ground, into) == walk.states[into.turn_beat]
    reached = after(walk, walk.states[out.turn_beat], out)
    assert reached == ground_state(walk.rows, walk.props, end, reached)


@given(valid_siteswaps())
def test_the_way_in_leads_from_the_ground_state_and_the_way_out_back(text: str) -> None:
    check_ways(cycle(text))


@given(valid_passing_siteswaps())
def test_so_do_those_of_several_jugglers(text: str) -> None:
    check_ways(cycle(text))


def test_a_ground_state_is_a_prop_for_each_turn() -> None:
    assert ground_state(cycle("3").rows, 3) == ((1,),) * 3
    pairs = cycle("(6x,4)*")
    assert ground_state(pairs.rows, 5) == ((1, 1), (0, 0), (1, 1), (0, 0), (1, 0))
    assert ground_state(pairs.rows, 5, near=((1, 1), (0, 0), (1, 1), (0, 0), (0, 1)))[-1] == (0, 1)


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *(
            ("3", True),
            ("441", True),
            ("450", False),
            ("51", False),
            ("60", False),
            ("(4,4)", True),
        ),
        *(
            ("(6x,4)*", True),
            ("(8x,2)(4,2x)", False),
            ("[34]23", True),
            ("[33]33", False),
            ("<4p 3|3 4p>", True),
        ),
    ],
)
def test_a_pattern_is_ground_if_it_passes_a_ground_state(text: str, ground: bool) -> None:
    walk = cycle(text)
    assert any(is_ground(walk, turn) for turn in walk.turn_beats) is ground
