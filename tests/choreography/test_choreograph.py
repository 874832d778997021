import re
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from juggling_lab import LAYOUTS
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.animation import animate
from juggle_anim.choreography import Choreography, EventKind, Score, Staging, choreograph
from juggle_anim.choreography.choreograph import natural_tempo
from juggle_anim.choreography.dwell import time_throws
from juggle_anim.choreography.places import STYLES
from juggle_anim.errors import ChoreographyError
from juggle_anim.motion import move
from juggle_anim.notation import read_prechac, read_settings, read_siteswap
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


def choreography_of(text: str, **parameters: float) -> Choreography:
    return choreograph(Score(read_siteswap(text)), Parameters().replace(**parameters))


def choreograph_settings(text: str) -> Choreography:
    settings = read_settings(text)
    return choreograph(settings.score, settings.applied_to(Parameters()))


def table(choreography: Choreography) -> list[tuple[float, int, str, str, float]]:
    """Time [s], juggler from 1, hand, kind, and place to the juggler's right [cm] of each event."""
    events, juggler = choreography.events, choreography.events.hand // 2
    right = -100 * events.position[:, 0]
    rows = zip(events.time, juggler + 1, events.hand % 2, events.kind, right, strict=True)
    return [
        (time, int(who), "LR"[hand], EventKind(kind).name.lower(), x)
        for time, who, hand, kind, x in rows
    ]


def test_tempo_is_that_of_juggling_lab_for_most_patterns() -> None:
    free = [layout for layout in LAYOUTS if not re.search("bps|hss|B", layout["settings"])]
    tempi = [
        choreograph_settings(f"{layout['settings']};style=juggling-lab").bps for layout in free
    ]
    agree = [abs(bps - layout["bps"]) < 1e-4 for bps, layout in zip(tempi, free, strict=True)]
    assert np.mean(agree) > 0.5


def test_tempo_does_not_depend_on_where_the_pattern_starts() -> None:
    assert choreography_of("744").bps == pytest.approx(choreography_of("447").bps, rel=1e-12)


def test_a_very_high_throw_raises_the_tempo() -> None:
    choreography = choreography_of("z")
    assert choreography.flights.duration.max() == pytest.approx(2.6)


@given(valid_siteswaps(), st.floats(0.02, 1.98), st.floats(0.0, 1.0))
def test_props_fly_forward_in_time_and_hands_catch_before_they_throw(
    text: str, dwell: float, squeeze: float
) -> None:
    choreography = choreography_of(text, dwell=dwell, squeeze_beats=squeeze)
    events, flights = choreography.events, choreography.flights
    assert (flights.duration > 0).all()
    assert (flights.carry > 0).all()
    assert ((events.time >= 0) & (events.time < choreography.duration)).all()
    for hand in (0, 1):
        mine = np.sort(events.time[events.hand == hand])
        assert (np.diff(mine, append=mine[:1] + choreography.duration) > 1e-9).all()
    landing = (
        events.time[flights.throw] + flights.duration - events.time[flights.catch]
    ) / choreography.duration
    assert landing == pytest.approx(np.round(landing), abs=1e-6)


@given(valid_siteswaps())
def test_each_orbit_takes_as_many_loops_as_it_has_props(text: str) -> None:
    choreography = choreography_of(text)
    for orbit in choreography.orbits:
        if orbit.flights:
            chosen = list(orbit.flights)
            time = (
                choreography.flights.duration[chosen] + choreography.flights.carry[chosen]
            ).sum()
            assert time == pytest.approx(orbit.props * choreography.duration, abs=1e-6)


def test_no_tempo_is_faster_than_one_may_be_given() -> None:
    assert choreography_of("{1000}").bps == 200.0


def test_a_thrown_one_leaves_early() -> None:
    choreography = choreography_of("531", bps=1.0)
    leaves = [
        time for time, _, hand, kind, _ in table(choreography) if kind == "throw" and hand == "R"
    ]
    assert leaves == pytest.approx([0.0, 1.05, 4.0])


def test_catches_in_one_hand_are_squeezed_into_one_beat() -> None:
    rows = table(choreography_of("[33]", bps=1.0))
    assert sorted(
        time for time, _, hand, kind, _ in rows if kind == "catch" and hand == "R"
    ) == pytest.approx([0.7, 1.1])


def test_a_pattern_without_props_is_choreographed_too() -> None:
    choreography = choreography_of("0")
    assert choreography.props == 0
    assert len(choreography.events.time) == 0


def test_catches_that_would_hardly_be_apart_are_made_at_once() -> None:
    assert [
        sum(choreography_of("[33]", squeeze_beats=squeeze).events.kind) for squeeze in (0.02, 0.005)
    ] == [4, 2]


@pytest.mark.parametrize("text", ["[53][13]", "[75][13]"])
def test_of_several_props_for_one_throw_the_highest_comes_down_first(text: str) -> None:
    pattern = read_siteswap(text)
    timing = time_throws(pattern, 1.3, 0.4)
    caught = defaultdict(list)
    for index, landing in enumerate(pattern.landings):
        if not timing.is_hold[index]:
            throw, to = pattern.throws[index], pattern.throws[landing]
            caught[to[:3]].append((timing.catch[index] - throw.beat - throw.value, -throw.value))
    several = [
        sorted(catches) for catches in caught.values() if len({value for _, value in catches}) > 1
    ]
    assert several
    for catches in several:
        assert [value for _, value in catches] == sorted(value for _, value in catches)


def test_a_hand_that_throws_twice_in_a_row_catches_in_between_as_soon_as_it_can() -> None:
    rows = [
        (time, kind)
        for time, _, hand, kind, _ in table(choreography_of("R3R3xL3L3x", bps=1.0))
        if hand == "R"
    ]
    assert [(round(time, 9), kind) for time, kind in rows] == [
        (0, "throw"),
        (0.05, "catch"),
        (1, "throw"),
        (2.7, "catch"),
    ]


def test_the_shortest_dwell_is_kept() -> None:
    assert choreography_of("1", bps=1.0, dwell=0.02).flights.carry == pytest.approx([0.02, 0.02])


def test_a_hand_without_anything_to_do_rests_at_its_side() -> None:
    assert choreography_of("40").rest == pytest.approx(
        np.array([[0.25, 1.0, 0.3], [-0.25, 1.0, 0.3]])
    )


def test_a_throw_that_says_so_is_held_or_thrown() -> None:
    assert len(choreography_of("2T").flights.duration) == 2
    assert len(choreography_of("4H").flights.duration) == 0
    # A throw to the other hand cannot be held, whatever it says.
    assert len(choreography_of("3H").flights.duration) == 2


def test_a_bounce_that_needs_longer_than_its_beats_slows_the_tempo() -> None:
    in_time, usual = (
        choreograph_settings(f"{text};style=juggling-lab").bps for text in ("7BL", "7")
    )
    assert in_time == usual
    assert choreography_of("3BL").bps < choreography_of("3").bps


def test_a_bounce_that_does_not_fit_the_tempo_given_flies_as_it_can() -> None:
    for text, numbers in (
        ("3B", {"bps": 3.0}),
        ("3BBB", {"bps": 3.0}),
        ("zBHF", {"gravity": 100_000.0}),
    ):
        choreography = choreography_of(text, **numbers)
        assert choreography.bps == numbers.get("bps", choreography.bps)
        assert move(choreography, Parameters()).flight_paths.parabolas.duration.min() > 0.0


@given(valid_passing_siteswaps())
def test_passes_fly_forward_in_time_too(text: str) -> None:
    pattern = read_siteswap(text)
    choreography = choreograph(Score(pattern), Parameters())
    assert choreography.jugglers == pattern.jugglers
    assert choreography.props == pattern.props
    assert (choreography.flights.duration > 0).all()
    assert (choreography.flights.carry > 0).all()


def test_hands_pass_the_places_of_their_way() -> None:
    # Thrown from 10 cm, then over 40 cm at the side and 20 up, caught at 30, and carried along 15
    # forward.
    choreography = choreograph_settings("pattern=3;bps=1;dwell=1;hands=(10)(40,20)c(30)(20,0,15).")
    events = choreography.events
    mine = events.hand == 1
    rows = [
        (round(time, 6), EventKind(kind).name, *np.round(100 * (place - (0, 1, 0.3)), 6).tolist())
        for time, kind, place in zip(
            events.time[mine], events.kind[mine], events.position[mine], strict=True
        )
    ]
    assert rows == [
        (0.0, "THROW", -10.0, 0.0, 0.0),
        (0.5, "MOVE", -40.0, 20.0, 0.0),
        (1.0, "CATCH", -30.0, 0.0, 0.0),
        (1.5, "HOLD", -20.0, 0.0, 15.0),
    ]


def test_ways_of_hands_are_given_to_the_turns_of_each_juggler_one_after_the_other() -> None:
    choreography = choreograph_settings("pattern=3;hands=(-25)(2.5).(25)(-2.5).(-25)(0).")
    assert choreography.duration == pytest.approx(
        3 * choreograph_settings("3;style=juggling-lab").duration
    )
    events = choreography.events
    throws = events.kind == EventKind.THROW
    outward = np.where(events.hand == 1, -1, 1) * events.position[:, 0]
    assert 100 * outward[throws] == pytest.approx([-25, 25, -25, -25, 25, -25])


def test_an_empty_hand_follows_its_way_too() -> None:
    choreography = choreograph_settings("pattern=50505;hands=(10)(32.5).")
    assert (choreography.events.kind == EventKind.MOVE).any()
    assert not (choreograph_settings("50505").events.kind == EventKind.MOVE).any()


def test_bodies_stand_where_they_are_said_to_and_else_in_the_circle() -> None:
    bodies = choreograph_settings("pattern=<3p|3p>;body=<(90,50,20,110).|.>").bodies
    assert bodies.position == pytest.approx(np.array([[-0.5, 0.1, 0.2], [0.7, 0.0, 0.0]]))
    assert np.degrees(bodies.facing) == pytest.approx([90.0, 270.0])


def test_a_body_that_moves_stretches_the_loop_until_all_come_together() -> None:
    still, moving = (
        choreograph_settings("531"),
        choreograph_settings("pattern=531;body=(0,0).(0,50)..(0,-50)."),
    )
    assert moving.duration == pytest.approx(2 * still.duration)
    assert 3 * moving.bodies.time * moving.bps == pytest.approx(
        3 * np.array([0, 1, 3, 4, 5, 7, 8, 9, 11.0])
    )


def test_a_performance_that_never_comes_together_in_reach_is_refused() -> None:
    ways = "|".join("(10)(32.5)." * length for length in (97, 89, 83))
    with pytest.raises(ChoreographyError, match="repeat together only after"):
        choreograph_settings(f"pattern=<3p|3p|3p>;hands=<{ways}>")


@pytest.mark.parametrize(
    "text", ["531", "(6x,4)*", "b97531", "7441", "[33]", "<3p 3|3p 3>", "<3|3>", "744"]
)
def test_colours_are_given_in_the_order_in_which_props_are_thrown(text: str) -> None:
    choreography = choreograph_settings(
        f"pattern={text};bps=1;colors={{255,0,0}}{{0,255,0}}{{0,0,255}}"
    )
    motion = move(choreography, Parameters())
    moments = np.arange(-0.01, 30, 0.01)
    holders = motion.sample(moments).holders
    thrown = []
    for prop, look in enumerate(choreography.looks):
        leaves = np.flatnonzero((holders[:-1, prop] >= 0) & (holders[1:, prop] < 0))[0]
        hand = int(holders[leaves, prop])
        # A 1 leaves before its beat.
        thrown.append((int(np.ceil(moments[leaves] - 0.02)), hand // 2, hand % 2 == 0, look.colour))
    assert len(thrown) == choreography.props
    colours = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    wanted = [colours[number % 3] for number in range(len(thrown))]
    found = [row[:3] for row in sorted(thrown)]
    # Of those that one hand throws at once, either may be the first.
    for number, row in enumerate(sorted(thrown)):
        assert row[3] in [wanted[other] for other, site in enumerate(found) if site == row[:3]], (
            number
        )


def test_an_orbit_has_one_colour() -> None:
    choreography = choreograph_settings("pattern=531;colors=orbits")
    colours = iter(choreography.looks)
    for orbit in choreography.orbits:
        assert len({next(colours).colour for _ in range(orbit.props)}) == 1
    assert len({look.colour for look in choreography.looks}) == len(choreography.orbits)


def test_no_looks_are_given_where_nothing_is_said() -> None:
    assert choreograph_settings("pattern=531").looks == ()
    assert [look.kind for look in choreograph_settings("pattern=531;prop=ring").looks] == [
        "ring"
    ] * 3


def test_bodies_are_placed_where_a_loop_is_shorter_than_a_beat_too() -> None:
    pattern = read_prechac("0.5p")
    moves = read_settings("pattern=3;body=(90,50).").score.staging.body
    assert moves
    still = choreograph(Score(pattern, staging=Staging(body=moves)), Parameters(bps=2.0))
    assert still.bodies.position == pytest.approx(np.array([[-0.5, 0, 0], [-0.5, 0, 0]]))
    moves = read_settings("pattern=3;body=(90,50).(90,-50).(90,0).").score.staging.body
    moving = choreograph(Score(pattern, staging=Staging(body=moves)), Parameters(bps=2.0))
    assert 2 * moving.duration % 3 == pytest.approx(0.0)
    assert 2 * moving.bodies.time[moving.bodies.juggler == 0][:3] == pytest.approx([0, 1, 2])


@pytest.mark.parametrize(
    ("text", "down", "falling"),
    [
        ("9B", False, False),
        ("9BL", False, False),
        ("9BHL", False, True),
        ("7BF", True, True),
        ("4BHF", True, False),
    ],
)
def test_bounces_are_thrown_and_caught_as_bouncers_name_them(
    text: str, down: bool, falling: bool
) -> None:
    choreography = choreography_of(text, bps=5.0)
    flying = move(choreography, Parameters()).flight_paths
    assert ((flying.launch[:, 1] < 0) == down).all()
    assert ((flying.arrival[:, 1] < 0) == falling).all()


def divided(parts: int, *values: int) -> Pattern:
    """One hand of one juggler that throws every so many parts of a beat as there are values, and
    once a beat.
    """
    throws = tuple(
        Throw(beat * parts, 0, RIGHT, value, 0, RIGHT) for beat, value in enumerate(values)
    )
    return Pattern("", throws, parts * len(values), parts * len(values), division=parts)


@pytest.mark.parametrize(
    ("text", "bps"),
    [
        ("3", 2.9),
        ("531", (4.1 + 2.9) / 2),
        ("2", 2.0),
        ("0", 2.0),
        ("744", (5.0 + 3.4 + 3.4) / 3),
        ("b", 5.5),
    ],
)
def test_the_tempo_is_the_mean_of_what_suits_the_throws_above_two(text: str, bps: float) -> None:
    assert natural_tempo(read_siteswap(text), 1.3, STYLES["juggling-lab"]) == pytest.approx(bps)


def test_a_throw_that_would_fly_too_long_raises_the_tempo() -> None:
    assert natural_tempo(read_siteswap("z"), 1.3, STYLES["juggling-lab"]) == pytest.approx(
        (35 - 1.3) / 2.6
    )


@pytest.mark.parametrize("text", ["3", "531", "z", "2"])
def test_dividing_the_beats_of_a_pattern_changes_nothing_about_its_tempo(text: str) -> None:
    pattern = read_siteswap(text)
    throws = tuple(
        throw._replace(beat=3 * throw.beat, value=3 * throw.value) for throw in pattern.throws
    )
    same = Pattern(text, throws, 3 * pattern.period, 3 * pattern.written_period, division=3)
    for style in STYLES.values():
        assert natural_tempo(same, 1.3, style) == pytest.approx(natural_tempo(pattern, 1.3, style))


def test_a_throw_of_broken_beats_stands_between_its_neighbours() -> None:
    # Thrown by one and caught by the other half a beat later than whole beats would have it.
    throws = (Throw(0, 0, RIGHT, 7, 1, LEFT), Throw(1, 1, LEFT, 7, 0, RIGHT))
    pattern = Pattern("3.5p", throws, 2, 2, jugglers=2, division=2)
    assert natural_tempo(pattern, 1.3, STYLES["juggling-lab"]) == pytest.approx((2.9 + 3.4) / 2)


def test_two_and_a_half_beats_count_as_a_throw_above_two() -> None:
    assert natural_tempo(divided(2, 4), 1.3, STYLES["juggling-lab"]) == 2.0
    throws = (Throw(0, 0, RIGHT, 5, 1, LEFT), Throw(1, 1, LEFT, 5, 0, RIGHT))
    pattern = Pattern("2.5p", throws, 2, 2, jugglers=2, division=2)
    assert natural_tempo(pattern, 1.3, STYLES["juggling-lab"]) == pytest.approx((2.0 + 2.9) / 2)


def test_a_two_that_bounces_is_thrown() -> None:
    for text in ("2B", "(2B,4B)"):
        choreography = choreography_of(text)
        assert len(choreography.flights.throw) == 2
        assert {style.bounces for style in choreography.flights.style} == {1}


def test_bounces_too_quick_for_what_is_asked_fly_as_they_can() -> None:
    for settings in (
        "(4xB,4xB);hands=(33)(33,0,12).(33,0,12)(33).;bps=4",
        "3BL;bps=1.6;hands=(20)(23,15)c(25)(23,-15).",
        "3BBHF;bps=4",
    ):
        choreography = choreograph_settings(settings)
        assert choreography.bps == pytest.approx(float(settings.split("bps=")[1][:3]))
        animate(settings).pose(0.1)


def test_a_tempo_that_is_not_given_leaves_bounces_the_time_they_need() -> None:
    for kind in ("B", "BB", "BF", "BHF", "BL", "BHL", "BBF", "BBBF", "BBHF", "BBH"):
        choreography = choreograph_settings(f"3{kind};style=juggling-lab")
        assert {style.bounces for style in choreography.flights.style} == {kind.count("B")}
        assert (
            choreograph_settings(f"3{kind};style=juggling-lab;gravity=1500").bps >= choreography.bps
        )


def test_under_a_star_the_second_half_has_the_hands_of_the_first_mirrored() -> None:
    # Juggling Lab 1.7.7 throws at 0.5 s from 10 cm to the left and from 15 cm to the right.
    events = animate("(6x,4)*;hands=(15)(9).(10)(-7).;bps=4;dwell=1").choreography.events
    places = {(round(float(time), 3), int(hand)): -100 * float(x) for time, hand, x in
              zip(events.time, events.hand, events.position[:, 0], strict=True)}  # fmt: skip
    assert [places[0.0, 0], places[0.0, 1], places[0.5, 0], places[0.5, 1]] == pytest.approx(
        [-15, 10, -10, 15]
    )
    assert [places[0.25, 0], places[0.25, 1], places[0.75, 0], places[0.75, 1]] == pytest.approx(
        [-9, -7, 7, 9]
    )


def test_beats_of_a_hand_siteswap_on_which_nothing_lands_move_catches_as_in_juggling_lab() -> None:
    events = animate("pattern=003;hss=288;style=juggling-lab;bps=3").choreography.events
    assert events.time[events.kind == EventKind.CATCH] == pytest.approx(
        np.arange(6) + 0.133, abs=1e-3
    )
