import pytest

from juggle_anim.choreography.dwell import early_throws, holds, shortest_flight, times_since_throw
from juggle_anim.choreography.timing import time_throws
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


def early_of(pattern: Pattern, dwell: float) -> dict[tuple[int, int], float]:
    held = holds(pattern)
    return early_throws(pattern, held, dwell, times_since_throw(pattern, held))


def test_a_one_leaves_as_early_as_it_needs_to_be_caught_in_time() -> None:
    assert early_of(read_siteswap("31"), 1.3) == pytest.approx({(LEFT, 1): 0.6})
    assert early_of(read_siteswap("31"), 0.9) == pytest.approx({(LEFT, 1): 0.2})
    assert early_of(read_siteswap("31"), 0.7) == {}


def test_a_held_one_is_no_throw_and_a_thrown_two_has_time_enough() -> None:
    assert early_of(read_siteswap("R1x"), 1.3) == {}
    assert early_of(read_siteswap("2T"), 1.7) == {}


def test_nothing_leaves_before_its_hand_threw_last_or_before_it_has_come() -> None:
    # In quarters of beats: the right hand throws on two running, and the left hand passes on the second prop at once.
    throws = (
        Throw(0, 0, RIGHT, 40, 0, RIGHT, held=False),
        Throw(1, 0, RIGHT, 1, 0, LEFT),
        Throw(2, 0, LEFT, 1, 1, RIGHT),
        Throw(3, 1, RIGHT, 38, 0, RIGHT),
    )
    found = early_of(Pattern("", throws, 40, 40, jugglers=2, division=4), 1.3)
    after_last_throw = 0.25 - 0.05 - 0.02
    after_flight = after_last_throw + 0.25 - 0.125 - 0.02
    assert found == pytest.approx({(RIGHT, 1): after_last_throw, (LEFT, 2): after_flight})


def test_in_parts_of_beats_whatever_is_below_two_beats_leaves_early() -> None:
    throws = (Throw(0, 0, RIGHT, 3, 1, LEFT), Throw(3, 1, LEFT, 5, 0, RIGHT))
    pattern = Pattern("1.5p 2.5p", throws, 8, 8, jugglers=2, division=2)
    assert early_of(pattern, 1.3) == pytest.approx({(RIGHT, 0): 1.3 + 0.3 - 1.5})


def test_what_is_held_for_less_than_it_leaves_early_is_caught_before_that() -> None:
    # The left hand holds for half a beat what it throws half a beat high then, and so at once.
    throws = (
        Throw(0, 0, LEFT, 1, 0, LEFT, held=True),
        Throw(1, 0, LEFT, 1, 0, RIGHT),
        Throw(2, 0, RIGHT, 6, 0, LEFT),
    )
    pattern = Pattern("", throws, 8, 8, division=2)
    timing = time_throws(pattern, 0.6, 0.4)
    assert timing.held == (True, False, False)
    assert timing.throw[1] == pytest.approx(1 - 2 * (0.6 + 0.3 - 0.5))
    assert 8 + timing.throw[1] - timing.catch[2] > 0.039


def test_the_least_flight_is_half_of_what_there_is_where_that_is_little() -> None:
    assert [shortest_flight(value) for value in (0.25, 0.5, 1.0, 5.0)] == [0.125, 0.25, 0.3, 0.3]
