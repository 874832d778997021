"""Tables of live changes: where props are put down and picked up, when, and which ones."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.choreography.manners import USUAL
from juggle_anim.choreography.score import PropLook
from juggle_anim.pattern import LEFT, RIGHT, Throw
from juggle_anim.pattern.transitions import Join
from juggle_anim.tosses.loop import (
    enumerate_equal_throws,
    sampled_keyframes,
    sorted_by_beat,
    with_prop_indices,
)
from juggle_anim.tosses.routine import state_of_held_props
from juggle_anim.tosses.stands import TableMoves, TableRest, action_time, with_final_times
from juggle_anim.tosses.toss_ring import RESTING, Clock, Toss, TossFlight

RATE = 2.0  # beats/s
CLOCK = Clock.steady(RATE)
NOW = 1.0  # s
MANNERS = USUAL, USUAL


def tables(rests: list[TableRest], looks: list[PropLook] | None = None) -> TableMoves:
    known = [PropLook(), PropLook(), PropLook()] if looks is None else looks
    return TableMoves(rests, known, animate("3", bps=RATE), 1, 0.5, NOW)


def join(put_down: list[tuple[int, int]], picked: list[tuple[int, int]]) -> Join:
    return Join(0, 0, 4, (), tuple(put_down), tuple(picked))


def flight(beat: int, hand: int, value: int, to: int, prop: int, caught: float) -> Toss:
    """A throw on its beat that is caught at a time [s]."""
    place = np.array([0.2, 1.0, 0.3])
    air = TossFlight(CLOCK.time_at(beat), caught, place, place, MANNERS)
    throw = Throw(beat, hand // 2, hand % 2, value, to // 2, to % 2, held=False)
    return Toss(throw, prop, air)


@pytest.mark.parametrize("hand", [LEFT, RIGHT])
def test_props_are_put_down_side_by_side_first_in_front_of_their_hand(hand: int) -> None:
    moves = tables([])
    moves.tosses([], join([(2 * beat, hand) for beat in range(6)], []), 4, CLOCK)
    places = np.array([rest.position for rest in moves.rests])
    assert len(np.unique(places, axis=0)) == 6
    side = 1 if hand == LEFT else -1
    # x is to the left. The first lies in front of the hand, none nearer to it than an earlier one.
    away = np.abs(places[:, 0] - side * 0.2) + places[:, 2]
    assert side * places[0, 0] > 0
    assert np.all(np.diff(away) >= -1e-12)
    assert np.ptp(places[:, 1]) == 0.0
    assert {rest.juggler for rest in moves.rests} == {0}


def test_each_juggler_has_a_table_and_a_mirror_swaps_its_sides() -> None:
    moves = tables([])
    moves.tosses([], join([(0, 2 * juggler + LEFT) for juggler in range(3)], []), 4, CLOCK)
    assert [rest.juggler for rest in moves.rests] == [0, 1, 2]
    assert np.ptp([rest.position for rest in moves.rests], axis=0) == pytest.approx(0.0)
    other = tables([])
    other.tosses([], join([(0, RIGHT)], []), 4, CLOCK)
    mirrored = moves.rests[0].position * (-1, 1, 1)
    assert other.rests[0].position == pytest.approx(mirrored)


def test_a_full_table_takes_more_props_where_others_lie() -> None:
    moves = tables([])
    moves.tosses([], join([(2 * beat, LEFT) for beat in range(60)], []), 4, CLOCK)
    places = {tuple(rest.position) for rest in moves.rests}
    assert len(places) < len(moves.rests) == 60


@pytest.mark.parametrize("next_catch", [3.3, 3.8, 9.0])
def test_a_prop_is_put_down_halfway_to_the_next_catch_but_soon(next_catch: float) -> None:
    # The left hand catches at 3.0 s what is put down, and then something else.
    others = [flight(3, RIGHT, 3, LEFT, 0, 3.0), flight(4, RIGHT, 9, LEFT, 1, next_catch)]
    (down,) = tables([]).tosses(others, join([(2, LEFT)], []), 4, CLOCK)
    assert down.flight is not None
    assert down.puts_down
    assert down.flight.throw_time == pytest.approx(min((3.0 + next_catch) / 2, 3.0 + 0.45))
    assert down.flight.catch_time == math.inf
    assert (down.throw.juggler, down.throw.hand) == (0, LEFT)


@pytest.mark.parametrize("last_catch", [2.9, 2.5, 0.0])
def test_a_prop_is_picked_up_halfway_before_the_throw_but_late(last_catch: float) -> None:
    others = [flight(-3, RIGHT, 3, LEFT, 0, last_catch), flight(6, LEFT, 3, RIGHT, 1, 4.0)]
    (up,) = tables([]).tosses(others, join([], [(2, LEFT)]), 4, CLOCK)
    assert up.flight is not None
    assert up.picks_up
    assert up.flight.catch_time == pytest.approx(max((3.0 + last_catch) / 2, 3.0 - 0.45))
    assert up.landing == 6


def test_what_lies_nearest_is_picked_up_and_what_is_not_there_appears() -> None:
    near, far = (
        TableRest(prop, 0, np.array([x, 0.9, 0.5]), 0.0, math.inf, 0.0)
        for prop, x in ((1, 0.2), (2, -0.2))
    )
    looks = [PropLook(), PropLook(), PropLook()]
    moves = tables([far, near], looks)
    hands = [(2, LEFT), (3, LEFT), (4, LEFT)]
    picked = moves.tosses([], join([], hands), 4, CLOCK)
    assert [toss.prop for toss in picked] == [1, 2, 3]
    # The last prop is new: it has always lain there, and is seen from when it was asked for.
    assert len(looks) == 4
    assert moves.rests[-1].since == -math.inf
    assert moves.rests[-1].appears == 0.5
    assert near.appears == 0.0
    ends = [toss.flight.catch_time for toss in picked if toss.flight]
    assert sorted(rest.until for rest in moves.rests) == sorted(ends)


def test_another_jugglers_prop_is_not_picked_up_nor_one_that_has_hardly_been_put_down() -> None:
    place = np.array([0.2, 0.9, 0.5])
    for rest in (
        TableRest(0, 1, place, 0.0, math.inf, 0.0),
        TableRest(0, 0, place, 0.0, 0.5, 0.0),
        TableRest(0, 0, place, 0.9, math.inf, 0.0),
    ):
        # Picked up 0.45 s before beat 3, at 1.05 s.
        (up,) = tables([rest]).tosses([], join([], [(0, LEFT)]), 3, CLOCK)
        assert up.prop == 3
    rest = TableRest(0, 0, place, 0.5, math.inf, 0.0)
    (up,) = tables([rest]).tosses([], join([], [(0, LEFT)]), 3, CLOCK)
    assert up.prop == 0


def test_what_was_only_planned_is_given_up_and_what_has_been_done_stays() -> None:
    place = np.array([0.2, 0.9, 0.5])

    def rest(prop: int, since: float, until: float) -> TableRest:
        return TableRest(prop, 0, place, since, until, 0.0)

    rests = [rest(0, 0.2, 0.8), rest(1, 0.2, 2.0), rest(2, 1.5, 3.0), rest(3, 1.7, math.inf)]
    planned = Toss(
        Throw(4, 0, LEFT, 9, 0, LEFT, held=False),
        3,
        TossFlight(1.7, math.inf, place, place, MANNERS, RESTING),
    )
    moves = tables(rests)
    moves.tosses([planned], join([], []), 4, CLOCK)
    assert [(each.prop, each.until) for each in moves.rests] == [
        (0, 0.8),
        (1, math.inf),
        (3, math.inf),
    ]


def test_a_rest_gets_the_prop_that_is_put_down_there() -> None:
    moves = tables([TableRest(2, 0, np.array([0.0, 0.9, 0.5]), 0.0, math.inf, 0.0)])
    down = moves.tosses([], join([(0, LEFT), (1, RIGHT)], []), 4, CLOCK)
    known = [toss._replace(prop=prop) for prop, toss in enumerate(down)]
    assert [rest.prop for rest in moves.rests] == [2, -1, -1]
    assert [rest.prop for rest in moves.rests_with_props(known)] == [2, 0, 1]


def test_rests_begin_and_end_with_their_tosses_when_these_are_moved() -> None:
    place = np.array([0.2, 0.9, 0.5])
    throw = Throw(4, 0, LEFT, 9, 0, LEFT, held=False)
    down = Toss(throw, 0, TossFlight(1.7, math.inf, place, place, MANNERS, RESTING))
    up = Toss(throw, 1, TossFlight(-math.inf, 2.5, place, place, MANNERS, RESTING))
    air = Toss(throw, 2, TossFlight(0.2, 1.0, place, place, MANNERS))
    assert [action_time(toss.flight) for toss in (down, up, air) if toss.flight] == [1.7, 2.5, 0.2]
    rests = [
        TableRest(0, 0, place, 1.7, math.inf, 0.0),
        TableRest(1, 0, place, 0.2, 2.5, 0.0),
    ]
    final = [
        toss._replace(
            flight=toss.flight._replace(
                throw_time=toss.flight.throw_time + 1, catch_time=toss.flight.catch_time + 1
            )
        )
        for toss in (down, up, air)
        if toss.flight
    ]
    settled = with_final_times(rests, [down, up, air], final)
    assert [(rest.since, rest.until) for rest in settled] == [(2.7, math.inf), (0.2, 3.5)]


@given(st.lists(st.sampled_from("3456"), min_size=1, max_size=12))
def test_tosses_with_equal_throws_are_told_apart_by_their_number(values: list[str]) -> None:
    tosses = [Toss(Throw(0, 0, LEFT, int(value), 0, RIGHT), 0, None) for value in values]
    found = list(enumerate_equal_throws(tosses))
    assert [toss for _number, toss in found] == tosses
    for value, times in Counter(values).items():
        numbers = [number for number, toss in found if toss.throw.value == int(value)]
        assert numbers == list(range(times))


def test_of_props_that_land_together_the_one_thrown_first_makes_the_throw_written_first() -> None:
    past = [flight(0, RIGHT, 5, LEFT, 0, 2.0), flight(2, RIGHT, 3, LEFT, 1, 2.2)]
    coming = [flight(5, LEFT, 4, LEFT, -1, 4.0), flight(5, LEFT, 2, RIGHT, -1, 3.0)]
    later = [flight(9, LEFT, 3, RIGHT, -1, 5.0), flight(7, RIGHT, 3, LEFT, -1, 5.0)]
    found = with_prop_indices([*past, *coming, *later], 2)
    assert [(toss.throw.beat, toss.throw.value, toss.prop) for toss in found] == [
        (0, 5, 0),
        (2, 3, 1),
        (5, 4, 0),
        (5, 2, 1),
        (7, 3, 1),
        (9, 3, 0),
    ]
    # Whatever makes a throw whose prop is known is no more there for the others.
    known = [*past, coming[0]._replace(prop=1)]
    assert [toss.prop for toss in with_prop_indices([*known, coming[1]], 3)] == [0, 1, 1, 0]


def test_a_prop_that_is_picked_up_is_the_one_that_lies_there() -> None:
    place = np.array([0.2, 0.9, 0.5])
    up = Toss(
        Throw(4, 0, LEFT, 1, 0, LEFT, held=True),
        0,
        TossFlight(-math.inf, 2.5, place, place, MANNERS, RESTING),
    )
    thrown = flight(5, LEFT, 3, RIGHT, -1, 4.0)
    assert [toss.prop for toss in with_prop_indices([thrown, up], 0)] == [0, 0]


def test_on_one_beat_tables_come_first_and_what_has_lain_longest() -> None:
    place = np.array([0.2, 0.9, 0.5])

    def at_table(beat: int, prop: int, thrown: float, caught: float, held: bool) -> Toss:
        return Toss(
            Throw(beat, 0, LEFT, 1 if held else 9, 0, LEFT, held=held),
            prop,
            TossFlight(thrown, caught, place, place, MANNERS, RESTING),
        )

    late, early = (at_table(beat, beat, 1.0, math.inf, held=False) for beat in (3, 1))
    ups = [at_table(6, prop, -math.inf, 3.0, held=True) for prop in (3, 1, 7)]
    thrown = flight(6, LEFT, 3, RIGHT, 5, 4.0)
    ordered = sorted_by_beat([thrown, *ups, late, early])
    assert [toss.throw.beat for toss in ordered] == [1, 3, 6, 6, 6, 6]
    # 7 was never put down; 1 was before 3; and the throw comes last.
    assert [toss.prop for toss in ordered[2:]] == [7, 1, 3, 5]


def test_keyframes_are_juggler_by_juggler_and_one_where_nobody_moves() -> None:
    times = np.array([0.0, 0.5, 1.0])
    places = np.arange(24.0).reshape(3, 2, 4)
    keys = sampled_keyframes(times, places)
    for row in range(6):
        sample = places[times.tolist().index(keys.time[row]), keys.juggler[row]]
        assert [*keys.position[row], keys.facing[row]] == sample.tolist()
    assert keys.juggler.tolist() == [0, 0, 0, 1, 1, 1]
    still = sampled_keyframes(times, np.repeat(places[:1], 3, axis=0))
    assert still.time.tolist() == [0.0, 0.0]
    assert still.facing.tolist() == places[0, :, 3].tolist()


@given(st.lists(st.integers(0, 4), min_size=2, max_size=6), st.integers(1, 3))
def test_held_props_are_due_on_every_second_beat_of_their_hand_right_hands_first(
    counts: list[int], division: int
) -> None:
    held = Counter({hand: count for hand, count in enumerate(counts) if count})
    if not held:
        return
    due = state_of_held_props(held, len(counts), division)
    assert due.sum(axis=0).tolist() == counts
    assert due.max() == 1
    for hand, count in held.items():
        ticks = np.flatnonzero(due[:, hand])
        assert ticks[0] == (0 if hand % 2 == RIGHT else division)
        assert np.all(np.diff(ticks) == 2 * division)
        assert len(ticks) == count


def test_a_clock_without_its_past_is_the_same_from_there_on() -> None:
    clock = CLOCK.changing(10, 3.0).changing(20, 2.5)
    change, time = 20, CLOCK.changing(10, 3.0).time_at(20)
    forgetful = clock.since(time)
    beats = np.linspace(change, 40, 50)
    assert [forgetful.time_at(beat) for beat in beats] == [clock.time_at(beat) for beat in beats]
    assert forgetful.earlier is None
    kept = clock.since(time - 0.1)
    assert kept.earlier is not None
    assert kept.earlier.earlier is None
    assert kept.time_at(15) == clock.time_at(15)


def test_a_toss_goes_around_the_body_if_its_throw_or_its_catch_does() -> None:
    usual = flight(0, LEFT, 3, RIGHT, 0, 1.0)
    assert usual.flight is not None
    assert not usual.is_around_body
    assert usual.plain is usual
    assert not usual._replace(flight=None).is_around_body
    for techniques in (((0, 3), USUAL), (USUAL, (1, 2)), ((0, 1), (0, 1))):
        around = usual._replace(flight=usual.flight._replace(techniques=techniques))
        assert around.is_around_body
        assert around.plain == usual._replace(flight=None)
    # A grasp of its own is none of these.
    assert not usual._replace(
        flight=usual.flight._replace(techniques=((1, 0), (2, 0)))
    ).is_around_body
