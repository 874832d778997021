import pytest
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import vanilla_siteswaps

from juggle_anim.choreography.dwell import (
    early_throws,
    hand_dwells,
    holds,
    previous_throw,
    shortest_flight,
    time_throws,
    times_since_throw,
)
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


def dwells(pattern: str, hss: str, dwell: float = 1.3, *, dwellmax: bool = True) -> list[float]:
    found = hand_dwells(read_hand_siteswap(pattern, hss, dwellmax=dwellmax), dwell)
    return [round(found[beat], 9) for beat in sorted(found)]


def test_props_stay_until_seven_tenths_of_a_beat_after_the_last_turn_of_the_hand() -> None:
    assert dwells("7", "4") == [3.3] * 4
    assert dwells("7", "423", dwell=0.5) == [1.3, 3.3, 2.3, 1.3, 3.3, 2.3]


def test_a_low_throw_is_not_caught_before_it_has_flown() -> None:
    assert dwells("2", "4") == [1.3] * 4
    assert dwells("1", "3") == [0.3] * 3


def test_without_the_longest_dwell_it_is_the_one_asked_for() -> None:
    assert dwells("7", "4", dwell=1.1, dwellmax=False) == [1.1] * 4
    assert dwells("1", "4", dwell=1.1, dwellmax=False) == [0.3] * 4


def test_where_a_hand_throws_on_two_beats_running_it_is_short_for_all() -> None:
    assert set(dwells("7", "441", dwell=1.1, dwellmax=False)) == {0.3}


def test_catches_that_would_fall_together_are_moved_apart() -> None:
    # A 2 would stay for 1.3 beats, and just when it is caught so would be what is thrown two beats
    # later.
    pattern = read_hand_siteswap("852", "4")
    found = hand_dwells(pattern, 1.3)
    moments = [round((beat - dwell) % pattern.period, 6) for beat, dwell in found.items()]
    assert len(set(moments)) == len(moments)
    assert set(dwells("852", "4")) == {1.6, 3.3}


@given(
    vanilla_siteswaps(9),
    vanilla_siteswaps(6).filter(lambda t: "0" not in t),
    st.floats(0.02, 1.98),
    st.booleans(),
)
def test_a_hand_catches_after_its_last_turn_and_before_this_one(
    objects: str, hands: str, dwell: float, dwellmax: bool
) -> None:
    pattern = read_hand_siteswap(objects, hands, dwellmax=dwellmax)
    turns = {beat: (juggler, hand) for beat, juggler, hand in pattern.turns}
    for beat, found in hand_dwells(pattern, dwell).items():
        gap = next(
            gap
            for gap in range(1, pattern.period + 1)
            if turns[(beat - gap) % pattern.period] == turns[beat]
        )
        assert 0 < found <= gap - 0.05 + 1e-9


@pytest.mark.parametrize("dwellmax", [True, False])
def test_a_multiplex_waits_as_its_lowest_throw_allows(dwellmax: bool) -> None:
    pattern = read_hand_siteswap("[71]", "4", dwellmax=dwellmax)
    assert list(hand_dwells(pattern, 1.3).values()) == pytest.approx([0.3] * 4)


def gaps_of(pattern: Pattern) -> dict[tuple[int, int], float]:
    return times_since_throw(pattern, holds(pattern))


def test_a_gap_is_the_time_since_the_hand_last_let_go() -> None:
    # In 423 each hand throws a 4, a 3 two beats later, and then holds a 2.
    found = gaps_of(read_siteswap("423"))
    assert sorted(found.values()) == [2, 2, 2, 2, 4, 4]
    assert gaps_of(read_siteswap("R3R3xL3L3x")) == {
        (RIGHT, 0): 3,
        (RIGHT, 1): 1,
        (LEFT, 2): 3,
        (LEFT, 3): 1,
    }


def test_a_hand_that_only_holds_counts_as_one_that_threw_a_loop_ago() -> None:
    assert gaps_of(read_siteswap("2")) == {(RIGHT, 0): 2, (LEFT, 1): 2}


def test_gaps_are_in_whole_beats_where_a_pattern_counts_parts() -> None:
    throws = (Throw(0, 0, RIGHT, 10, 0, RIGHT), Throw(3, 0, RIGHT, 11, 0, RIGHT))
    pattern = Pattern("", throws, 7, 7, division=2)
    assert gaps_of(pattern) == {(RIGHT, 0): 2.0, (RIGHT, 3): 1.5}


def test_the_throw_before_is_found_in_the_loop_before_too() -> None:
    pattern = read_siteswap("R3R3xL3L3x")
    found = gaps_of(pattern)
    assert [previous_throw(pattern, site, found) for site in sorted(found)] == [
        (0, 3),
        (0, 2),
        (1, 1),
        (1, 0),
    ]


def held(pattern: Pattern) -> list[int]:
    """The values of the throws that are held, in the order written."""
    stays = holds(pattern)
    written = zip(pattern.throws, stays, strict=True)
    return [
        throw.value for throw, still in written if still and throw.beat < pattern.written_period
    ]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("423", [2]),
        ("522", [2, 2]),
        ("(2,4x)*", [2]),
        ("(2x,2x)", []),
        ("R2R2", []),
        ("R1x", [1]),
        ("1", []),
        ("2T", []),
        ("4H", [4]),
        ("3H", []),
    ],
)
def test_a_two_is_held_unless_its_hand_throws_in_between(text: str, values: list[int]) -> None:
    assert held(read_siteswap(text)) == values


def test_hands_with_a_siteswap_of_their_own_hold_by_the_same_rule() -> None:
    assert held(read_hand_siteswap("2", "2")) == [2]
    assert held(read_hand_siteswap("2", "4")) == []


def divided(*throws: tuple[int, int]) -> Pattern:
    """A right hand that throws on these halves of beats, to itself, so many halves high."""
    made = tuple(Throw(beat, 0, RIGHT, value, 0, RIGHT) for beat, value in throws)
    period = sum(value for _, value in throws)
    return Pattern("", made, period, period, division=2)


def test_in_parts_of_beats_too_two_beats_are_the_longest_hold() -> None:
    assert holds(divided((0, 4))) == (True,)
    assert holds(divided((0, 3))) == (True,)
    assert holds(divided((0, 5))) == (False,)


def test_whatever_a_hand_throws_within_those_two_beats_makes_the_first_a_throw() -> None:
    throws = (Throw(0, 0, RIGHT, 4, 0, RIGHT), Throw(1, 0, RIGHT, 4, 0, RIGHT))
    assert holds(Pattern("", throws, 4, 4, division=2)) == (False, False)


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
    # In quarters of beats: the right hand throws on two running, and the left hand passes on the
    # second prop at once.
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
    assert timing.is_hold == (True, False, False)
    assert timing.throw[1] == pytest.approx(1 - 2 * (0.6 + 0.3 - 0.5))
    assert 8 + timing.throw[1] - timing.catch[2] > 0.039


def test_the_least_flight_is_half_of_what_there_is_where_that_is_little() -> None:
    assert [shortest_flight(value) for value in (0.25, 0.5, 1.0, 5.0)] == [0.125, 0.25, 0.3, 0.3]
