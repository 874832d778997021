import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.choreography import Choreography, EventKind, choreograph
from juggle_anim.choreography.geometry import place
from juggle_anim.choreography.timing import time_throws
from juggle_anim.errors import ChoreographyError
from juggle_anim.notation import read_siteswap
from juggle_anim.parameters import Parameters

LAYOUTS = json.loads((Path(__file__).parent / "data" / "layouts.json").read_text())["layouts"]


def choreography_of(text: str, **parameters: float) -> Choreography:
    return choreograph(read_siteswap(text), Parameters().replace(**parameters))


def table(choreography: Choreography) -> list[tuple[float, int, str, str, float]]:
    """Time [s], juggler from 1, hand, kind, and place to the juggler's right [cm] of each event."""
    events, juggler = choreography.events, choreography.events.hand // 2
    away, turn = events.position - choreography.standing[juggler], -choreography.facing[juggler]
    right = -100 * (away[:, 0] * np.cos(turn) + away[:, 2] * np.sin(turn))
    rows = zip(events.time, juggler + 1, events.hand % 2, events.kind, right, strict=True)
    return [(time, int(who), "LR"[hand], EventKind(kind).name.lower(), x) for time, who, hand, kind, x in rows]


def gap(one: float, other: float, loop: float) -> float:
    apart = (one - other) % loop
    return min(apart, loop - apart)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout["pattern"])
def test_events_stand_where_juggling_lab_puts_them(layout: dict) -> None:
    tempo = {"bps": layout["bps"]} if layout["given_bps"] else {}
    choreography = choreography_of(layout["pattern"], **tempo)
    if abs(choreography.bps - layout["bps"]) > 1e-4:
        # Its own tempo depends on where the string starts; ours does not.
        choreography = choreography_of(layout["pattern"], bps=layout["bps"])
    loop = choreography.duration
    repeats = round(loop / layout["loop"])
    theirs = [(t + k * layout["loop"], *rest) for k in range(repeats) for t, *rest in layout["events"]]
    ours = table(choreography)
    assert choreography.props == layout["props"]
    assert choreography.jugglers == layout["jugglers"]
    assert len(ours) == len(theirs)
    for time, *who, x in theirs:
        near = [row for row in ours if [*row[1:4]] == who and gap(row[0], time, loop) < 1e-3]
        assert [row for row in near if abs(row[4] - x) < 0.1], (time, who, x)


def test_tempo_is_that_of_juggling_lab_for_most_patterns() -> None:
    given = [layout for layout in LAYOUTS if not layout["given_bps"]]
    agree = [abs(choreography_of(layout["pattern"]).bps - layout["bps"]) < 1e-4 for layout in given]
    assert np.mean(agree) > 0.5


def test_tempo_does_not_depend_on_where_the_pattern_starts() -> None:
    assert choreography_of("744").bps == pytest.approx(choreography_of("447").bps, rel=1e-12)


def test_a_very_high_throw_raises_the_tempo() -> None:
    choreography = choreography_of("z")
    assert choreography.flights.duration.max() == pytest.approx(2.6)


@given(valid_siteswaps(), st.floats(0.02, 1.98), st.floats(0.0, 1.0))
@settings(deadline=None)
def test_props_fly_forward_in_time_and_hands_catch_before_they_throw(text: str, dwell: float, squeeze: float) -> None:
    choreography = choreography_of(text, dwell=dwell, squeeze_beats=squeeze)
    events, flights = choreography.events, choreography.flights
    assert (flights.duration > 0).all()
    assert (flights.carry > 0).all()
    assert ((events.time >= 0) & (events.time < choreography.duration)).all()
    for hand in (0, 1):
        mine = np.sort(events.time[events.hand == hand])
        assert (np.diff(mine, append=mine[:1] + choreography.duration) > 1e-9).all()
    landing = (events.time[flights.throw] + flights.duration - events.time[flights.catch]) / choreography.duration
    assert landing == pytest.approx(np.round(landing), abs=1e-6)


@given(valid_siteswaps())
@settings(deadline=None)
def test_each_orbit_takes_as_many_loops_as_it_has_props(text: str) -> None:
    choreography = choreography_of(text)
    for orbit in choreography.orbits:
        if orbit.flights:
            chosen = list(orbit.flights)
            time = (choreography.flights.duration[chosen] + choreography.flights.carry[chosen]).sum()
            assert time == pytest.approx(orbit.props * choreography.duration, abs=1e-6)


def test_no_tempo_is_faster_than_one_may_be_given() -> None:
    assert choreography_of("{1000}").bps == 200.0


def test_a_two_is_held_unless_its_hand_throws_in_between() -> None:
    assert len(choreography_of("2").flights.duration) == 0
    assert len(choreography_of("(2x,2x)").flights.duration) == 2
    assert len(choreography_of("423").flights.duration) == 4


def test_a_thrown_one_leaves_early() -> None:
    choreography = choreography_of("531", bps=1.0)
    leaves = [time for time, _, hand, kind, _ in table(choreography) if kind == "throw" and hand == "R"]
    assert leaves == pytest.approx([0.0, 1.4, 4.0])


def test_catches_in_one_hand_are_squeezed_into_one_beat() -> None:
    rows = table(choreography_of("[33]", bps=1.0))
    assert sorted(time for time, _, hand, kind, _ in rows if kind == "catch" and hand == "R") == pytest.approx(
        [0.7, 1.1]
    )


def test_a_pattern_without_props_is_choreographed_too() -> None:
    choreography = choreography_of("0")
    assert choreography.props == 0
    assert len(choreography.events.time) == 0


def test_catches_that_would_hardly_be_apart_are_made_at_once() -> None:
    assert [sum(choreography_of("[33]", squeeze_beats=squeeze).events.kind) for squeeze in (0.02, 0.005)] == [4, 2]


@pytest.mark.parametrize("text", ["[53][13]", "[75][13]"])
def test_of_several_props_for_one_throw_the_highest_comes_down_first(text: str) -> None:
    pattern = read_siteswap(text)
    timing = time_throws(pattern, 1.3, 0.4)
    caught = defaultdict(list)
    for index, landing in enumerate(pattern.landings):
        if not timing.held[index]:
            throw, to = pattern.throws[index], pattern.throws[landing]
            caught[to[:3]].append((timing.catch[index] - throw.beat - throw.value, -throw.value))
    several = [sorted(catches) for catches in caught.values() if len({value for _, value in catches}) > 1]
    assert several
    for catches in several:
        assert [value for _, value in catches] == sorted(value for _, value in catches)


def test_a_hand_that_throws_twice_in_a_row_catches_in_between_as_soon_as_it_can() -> None:
    rows = [(time, kind) for time, _, hand, kind, _ in table(choreography_of("R3R3xL3L3x", bps=1.0)) if hand == "R"]
    assert [(round(time, 9), kind) for time, kind in rows] == [
        (0, "throw"),
        (0.05, "catch"),
        (1, "throw"),
        (2.7, "catch"),
    ]


def test_the_shortest_dwell_is_kept() -> None:
    assert choreography_of("1", bps=1.0, dwell=0.02).flights.carry == pytest.approx([0.02, 0.02])


def test_a_hand_without_anything_to_do_rests_at_its_side() -> None:
    assert choreography_of("40").rest == pytest.approx(np.array([[0.25, 1.0, 0.3], [-0.25, 1.0, 0.3]]))


def test_a_juggler_who_has_turned_throws_where_they_face() -> None:
    # Turned by a quarter they face +x, and their left is at −z.
    places = place(np.array([0.2, 0.2]), np.array([0, 1]), np.array([[1.0, 0.0, 2.0]]), np.array([np.pi / 2]))
    assert places == pytest.approx(np.array([[1.3, 1.0, 1.8], [1.3, 1.0, 2.2]]))


def test_a_throw_that_says_so_is_held_or_thrown() -> None:
    assert len(choreography_of("2T").flights.duration) == 2
    assert len(choreography_of("4H").flights.duration) == 0
    # A throw to the other hand cannot be held, whatever it says.
    assert len(choreography_of("3H").flights.duration) == 2


def test_bounces_are_refused_with_their_beat() -> None:
    with pytest.raises(ChoreographyError, match="the 4 on beat 2 bounces"):
        choreography_of("4 4B 1")


@given(valid_passing_siteswaps())
@settings(deadline=None, max_examples=50)
def test_passes_fly_forward_in_time_too(text: str) -> None:
    pattern = read_siteswap(text)
    if any(throw.bounces for throw in pattern.throws):
        return
    choreography = choreograph(pattern, Parameters())
    assert choreography.jugglers == pattern.jugglers
    assert choreography.props == pattern.props
    assert (choreography.flights.duration > 0).all()
    assert (choreography.flights.carry > 0).all()
