from juggle_anim.choreography.dwell import holds, previous_throw, times_since_throw
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


def gaps_of(pattern: Pattern) -> dict[tuple[int, int], float]:
    return times_since_throw(pattern, holds(pattern))


def test_a_gap_is_the_time_since_the_hand_last_let_go() -> None:
    # In 423 each hand throws a 4, a 3 two beats later, and then holds a 2.
    found = gaps_of(read_siteswap("423"))
    assert sorted(found.values()) == [2, 2, 2, 2, 4, 4]
    assert gaps_of(read_siteswap("R3R3xL3L3x")) == {(RIGHT, 0): 3, (RIGHT, 1): 1, (LEFT, 2): 3, (LEFT, 3): 1}


def test_a_hand_that_only_holds_counts_as_one_that_threw_a_loop_ago() -> None:
    assert gaps_of(read_siteswap("2")) == {(RIGHT, 0): 2, (LEFT, 1): 2}


def test_gaps_are_in_whole_beats_where_a_pattern_counts_parts() -> None:
    throws = (Throw(0, 0, RIGHT, 10, 0, RIGHT), Throw(3, 0, RIGHT, 11, 0, RIGHT))
    pattern = Pattern("", throws, 7, 7, division=2)
    assert gaps_of(pattern) == {(RIGHT, 0): 2.0, (RIGHT, 3): 1.5}


def test_the_throw_before_is_found_in_the_loop_before_too() -> None:
    pattern = read_siteswap("R3R3xL3L3x")
    found = gaps_of(pattern)
    assert [previous_throw(pattern, site, found) for site in sorted(found)] == [(0, 3), (0, 2), (1, 1), (1, 0)]
