"""Routines as lines: continuous from props at rest to props at rest, with each line as long as it
says.
"""

from itertools import pairwise

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.choreography.places import on_stand
from juggle_anim.tosses.routine import pause_times
from juggle_anim.tosses.toss_ring import Clock

STEP = 5e-4


def lines(*written: str) -> Animation:
    return animate("\n".join(written) + "\n")


@pytest.mark.parametrize(
    "written",
    [
        (
            "3 4 catches",
            "531 2 loops",
            "mills mess 2 loops",
            "transition 34",
            "51 for 1 s",
            "(4,2x)(2x,4) 4 beats",
        ),
        ("prop=club", "645 2 loops", "5 5 beats", "stop", "(6x,4)* 3 beats"),
        ("<3p 3|3p 3> 2 loops", "<3p|3p> 4 beats", "stop 0.5 s", "<3 3|3 3> 1 beats"),
        ("throws=underleg,-;pattern=3 2 loops", "3 4 beats", "423 5 catches"),
        ("3 4 catches", "5 6 catches", "(4,4) 2 beats", "stop", "51 1 beats"),
        ("prop=club", "<3p|3p> 3 beats", "<4p 3|3 4p> 1 loop", "<3|3> 1 beats"),
    ],
)
def test_laws_hold_from_rest_to_rest(written: tuple[str, ...]) -> None:
    routine = lines(*written)
    times = np.arange(-0.2, routine.duration + 0.2, STEP)
    for of in ("hands", "props"):
        place, speed = (getattr(routine.motion.sample(times, order), of) for order in (0, 1))
        steady = (speed[1:] + speed[:-1]) / 2 * STEP
        assert np.abs(place[1:] - place[:-1] - steady).max() < 2e-4
        assert np.abs(np.diff(speed, axis=0)).max() < 0.6
    rest = np.array([0.0, routine.duration - 0.1])
    flying = (routine.sample(rest).holders < 0).sum(axis=1)
    assert (flying == on_stand(routine.choreography).any() * flying[0]).all()
    for still in (routine.motion.sample(rest, 1).hands, routine.motion.sample(rest, 1).props):
        assert np.linalg.norm(still, axis=-1).max() < 0.3
    flights = routine.choreography.flights
    assert flights.duration.min() > 0.05
    assert flights.carry.min() > 0.02


def test_each_line_is_as_long_as_it_says() -> None:
    routine = lines("3 7 catches", "531 2 loops", "441 5 beats", "51 3 s", "stop 2 s")
    script = routine.score.routine
    assert script is not None
    cascade, trick, other, shower, stop = script.lines
    events = routine.choreography.events
    thrown = np.sort(events.time[routine.choreography.flights.throw])
    made = [
        int(((thrown > line.enters - 0.05) & (thrown < line.ends - 0.05)).sum())
        for line in (cascade, trick)
    ]
    assert made == [7, 6]
    assert shower.ends - shower.enters == pytest.approx(3.0, abs=0.2)
    assert stop.ends == pytest.approx(routine.duration)
    assert all(before.ends == after.begins for before, after in pairwise(script.lines))
    assert other.throws == ()


def test_props_are_collected_in_the_hands_in_which_they_began() -> None:
    for number in range(3, 8):
        routine = lines(f"3 {number} catches", "531 1 loops")
        ends = routine.sample(np.array([0.0, routine.duration - 1e-6])).holders
        assert sorted(ends[0].tolist()) == sorted(ends[1].tolist()) == [0, 1, 1]


def test_throws_of_a_transition_may_be_named() -> None:
    for throws in ("34",):
        script = lines("3 4 beats", f"transition {throws}", "51 1 loops").score.routine
        assert script is not None
        assert script.lines[1].throws == tuple(throws.replace(" ", "")), script.lines


def test_a_word_for_a_throw_or_catch_is_done_once_in_the_pattern_before() -> None:
    routine = lines(
        "3 4 catches",
        "underleg right",
        "3 3 catches",
        "backcross left",
        "441 2 loops",
        "behind",
        "stop",
    )
    events = routine.choreography.events
    assert events.body_throw is not None
    made = [
        (int(events.hand[row]), int(events.kind[row])) for row in np.flatnonzero(events.body_throw)
    ]
    assert made == [(1, 0), (0, 0), *made[2:]]
    assert sorted(made[2:]) == [(0, 1), (1, 1)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "40 7 beats",
            "3;throws=underleg-inside,- 4 s",
        ),  # a quicker tempo, which slows down once all has landed
        ("552 1 loops", "3;throws=albert,- 4 s"),
        ("", "3;throws=albert,- 4 s"),  # from props that rest in the hands
        ("312 7 beats", "53;throws=shoulder,- 4 s"),  # props are picked up first
        ("441 2 loops", "5;throws=chop,- 4 s"),
    ],
)
def test_no_hand_hurries_to_what_it_does_around_its_body(before: str, after: str) -> None:
    alone = animate(after.removesuffix(" 4 s"))
    routine = lines(*filter(None, (before, after)), "stop")
    assert _fastest_hand(routine) < 1.1 * _fastest_hand(alone)


@pytest.mark.parametrize("before", ["4", "(4,4)", "(6,2x)(6x,2)*"])
def test_a_hand_that_throws_on_two_beats_in_a_row_at_a_join_has_time_between(before: str) -> None:
    routine, alone = (
        lines(f"{before} 2 loops", "galloping fountain 2 loops"),
        animate("galloping fountain"),
    )
    assert _fastest_hand(routine) < 1.25 * _fastest_hand(alone)


def test_plain_loops_lead_to_a_single_trick_that_needs_a_slower_tempo() -> None:
    routine = lines("55550 1 loops", "underleg right", "55550 1 loops")
    script, events = routine.score.routine, routine.choreography.events
    assert script is not None
    assert events.body_throw is not None
    (made,) = np.flatnonzero(events.body_throw)
    trick = script.lines[1]
    assert trick.enters + 1.0 < events.time[made] < trick.ends
    assert _fastest_hand(routine) < 1.1 * _fastest_hand(
        animate("55550;throws=underleg,-,-,-,-,-,-,-,-,-")
    )


def _fastest_hand(animation: Animation) -> float:
    hands = animation.motion.sample(np.arange(0.0, animation.duration, 0.005), 1).hands
    return float(np.linalg.norm(hands, axis=-1).max())


def test_nothing_is_thrown_higher_than_its_own_pattern_has_it() -> None:
    routine = lines("3 4 beats", "531 2 loops", "3 4 beats", "531 2 loops")
    own = [
        np.abs(each.motion.sample(np.linspace(0, 2, 400), 1).props).max()
        for each in map(animate, ("3", "531"))
    ]
    times = np.arange(0.0, routine.duration, 0.01)
    speeds = routine.motion.sample(times, 1).props[routine.sample(times).holders < 0]
    assert np.abs(speeds).max() < 1.05 * max(own)


def test_the_last_pause_goes_on_to_the_first_throw_of_the_next_loop() -> None:
    pauses = [(0, 2), (10, 14), (30, 33)]
    assert pause_times(pauses, Clock.steady(2.0)) == [(5.0, 7.0), (15.0, 17.5)]
