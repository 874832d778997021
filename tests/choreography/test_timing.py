import itertools
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.choreography import choreograph
from juggle_anim.choreography.dwell import RecordedTiming, Timing, time_throws
from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw

DWELLS = st.floats(0.02, 1.98)
SQUEEZES = st.floats(0.0, 1.0)


def times(text: str, dwell: float = 1.3, squeeze: float = 0.4) -> Timing:
    return time_throws(read_siteswap(text), dwell, squeeze)


def parted(pattern: Pattern, parts: int) -> Pattern:
    """The same pattern with each beat divided."""
    throws = tuple(
        throw._replace(beat=parts * throw.beat, value=parts * throw.value)
        for throw in pattern.throws
    )
    period, written = parts * pattern.period, parts * pattern.written_period
    return Pattern(pattern.text, throws, period, written, pattern.jugglers, division=parts)


def test_throws_are_on_the_beat_and_catches_a_dwell_before_the_next_one() -> None:
    timing = times("3")
    assert timing.throw == (0.0, 1.0)
    assert timing.catch == pytest.approx((1.7, 2.7))


def test_a_one_leaves_early_and_flies_as_long_as_it_must() -> None:
    timing = times("31")
    assert timing.throw == pytest.approx((0.0, 0.4))
    assert timing.catch == pytest.approx((1.7, 0.7))


def test_a_short_dwell_leaves_a_one_on_the_beat() -> None:
    assert times("31", dwell=0.6).throw == (0.0, 1.0)


def test_a_hand_that_threw_on_the_beat_before_catches_soon_after() -> None:
    timing = times("R3R3xL3L3x")
    assert timing.catch == pytest.approx((2.05, 2.7, 4.05, 4.7))


def test_ones_that_a_hand_throws_on_every_beat_leave_alike() -> None:
    timing = times("(1,1)!")
    assert timing.throw == pytest.approx((-0.6, -0.6))
    assert timing.catch == pytest.approx((-0.3, -0.3))


def test_hands_with_a_siteswap_of_their_own_throw_ones_on_the_beat() -> None:
    timing = time_throws(read_hand_siteswap("1", "2"), 1.3, 0.4)
    assert timing.throw == (0.0, 1.0)
    assert timing.catch == pytest.approx((0.7, 1.7))


def test_several_props_in_a_hand_are_caught_one_after_the_other() -> None:
    assert times("[33]").catch == pytest.approx((1.7, 2.1, 2.7, 3.1))
    assert times("[33]", squeeze=0.0).catch == pytest.approx((1.7, 1.7, 2.7, 2.7))


def test_of_props_thrown_together_those_from_afar_are_caught_first() -> None:
    pattern = read_siteswap("<[3p 3]|[3p 3]>")
    timing = time_throws(pattern, 1.3, 0.4)
    caught = {
        throw.to_juggler != throw.juggler: at
        for throw, at in zip(pattern.throws, timing.catch, strict=True)
    }
    assert caught[True] < caught[False]


@given(valid_siteswaps() | valid_passing_siteswaps(), DWELLS, SQUEEZES, st.integers(2, 5))
def test_dividing_the_beats_of_a_pattern_changes_no_moment(
    text: str, dwell: float, squeeze: float, parts: int
) -> None:
    pattern = read_siteswap(text)
    whole, divided = (
        time_throws(pattern, dwell, squeeze),
        time_throws(parted(pattern, parts), dwell, squeeze),
    )
    assert divided.is_hold == whole.is_hold
    assert divided.throw == pytest.approx([parts * moment for moment in whole.throw], abs=1e-6)
    assert divided.catch == pytest.approx([parts * moment for moment in whole.catch], abs=1e-6)


def test_jugglers_half_a_beat_apart_dwell_as_long_as_others() -> None:
    # Both pass 3.5 beats, one from whole beats and one from half ones; each hand throws every two
    # beats.
    throws = tuple(
        Throw(
            2 * beat + juggler,
            juggler,
            (beat + 1) % 2,
            7,
            1 - juggler,
            beat % 2 if juggler == 0 else (beat + 1) % 2,
        )
        for beat in range(2)
        for juggler in range(2)
    )
    pattern = Pattern("3.5p", throws, 4, 4, jugglers=2, division=2)
    timing = time_throws(pattern, 1.3, 0.4)
    assert timing.throw == (0, 1, 2, 3)
    flown = [caught - leaves for caught, leaves in zip(timing.catch, timing.throw, strict=True)]
    assert flown == pytest.approx([2 * (3.5 - 1.3)] * 4)


@st.composite
def _divided_patterns(draw: st.DrawFn) -> Pattern:
    """Hands that throw every so many parts of a beat, each from its own part on, whatever lands one
    for one.
    """
    parts, jugglers, rounds = (
        draw(st.integers(1, 4)),
        draw(st.integers(1, 2)),
        draw(st.integers(1, 3)),
    )
    step = draw(st.integers(1, 2 * parts))
    period = step * rounds
    sites = [
        (first + step * turn, juggler, hand)
        for juggler in range(jugglers)
        for hand in (LEFT, RIGHT)
        for first in [draw(st.integers(0, step - 1))]
        for turn in range(rounds)
    ]
    targets = draw(st.permutations(sites))
    throws = []
    for (beat, juggler, hand), (lands, to_juggler, to_hand) in zip(sites, targets, strict=True):
        value = (lands - beat) % period or period
        value += period * draw(st.integers(0, 2))
        throws.append(
            Throw(
                beat,
                juggler,
                hand,
                value,
                to_juggler,
                to_hand,
                held=draw(st.sampled_from([None, False, True])),
            )
        )
    return Pattern("", tuple(sorted(throws)), period, period, jugglers, division=parts)


@given(
    _divided_patterns() | (valid_siteswaps() | valid_passing_siteswaps()).map(read_siteswap),
    DWELLS,
    SQUEEZES,
)
def test_props_fly_forward_in_time_and_leave_after_they_were_caught(
    pattern: Pattern, dwell: float, squeeze: float
) -> None:
    timing = time_throws(pattern, dwell, squeeze)
    for index, throw in enumerate(pattern.throws):
        if timing.is_hold[index]:
            continue
        following, beat = pattern.landings[index], throw.beat + throw.value
        while timing.is_hold[following]:
            beat, following = beat + pattern.throws[following].value, pattern.landings[following]
        leaves = beat + timing.throw[following] - pattern.throws[following].beat
        assert timing.throw[index] <= throw.beat
        assert timing.throw[index] + 1e-6 < timing.catch[index] < leaves - 1e-6


@given(
    _divided_patterns() | (valid_siteswaps() | valid_passing_siteswaps()).map(read_siteswap),
    DWELLS,
    SQUEEZES,
)
def test_a_hand_throws_on_after_what_it_threw_before_and_catches_between(
    pattern: Pattern, dwell: float, squeeze: float
) -> None:
    timing = time_throws(pattern, dwell, squeeze)
    leaves: dict[tuple[int, int], dict[int, float]] = {}
    for throw, at, held in zip(pattern.throws, timing.throw, timing.is_hold, strict=True):
        if not held:
            leaves.setdefault(throw[1:3], {})[throw.beat] = at
    for hand in leaves.values():
        in_turn = [hand[beat] for beat in sorted(hand)]
        assert all(
            later > sooner + 0.05
            for sooner, later in itertools.pairwise([*in_turn, in_turn[0] + pattern.period])
        )
    for index, throw in enumerate(pattern.throws):
        if not timing.is_hold[index]:
            lands = throw.beat + throw.value
            hand = leaves.get((throw.to_juggler, throw.to_hand), {})
            ago = [
                ((lands - beat - 1) % pattern.period + 1, at - beat) for beat, at in hand.items()
            ]
            last = max((lands - since + early for since, early in ago), default=-math.inf)
            assert timing.catch[index] > last + 1e-6


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize(
    "text",
    ["pattern=40;hands=(10)(30).(25)(5).", "pattern=600;hands=(10)(20,5).", "40;throws=underleg"],
)
def test_dividing_the_beats_moves_no_hand_that_catches_nothing_on_its_turn(
    text: str, parts: int
) -> None:
    score = read_settings(text).score
    assert score.pattern is not None
    turns = tuple((parts * beat, *who) for beat, *who in score.pattern.turns)
    divided = replace(score, pattern=replace(parted(score.pattern, parts), turns=turns))
    whole, same = (choreograph(each, Parameters()) for each in (score, divided))
    assert same.duration == pytest.approx(whole.duration)
    assert same.events.time == pytest.approx(whole.events.time, abs=1e-6)
    assert same.events.position == pytest.approx(whole.events.position)
    assert same.events.hand.tolist() == whole.events.hand.tolist()


FILMED = Path(__file__).parents[1] / "data" / "film_releases.tsv"
FURTHEST_FROM_FILM = 0.12  # beats; about a frame of the films


@pytest.mark.parametrize("text", ["441", "531", "51", "31", "423", "525"])
def test_natural_throws_leave_when_people_throw_them(text: str) -> None:
    rows = [line.split("\t") for line in FILMED.read_text().splitlines()]
    filmed = {int(row[1]): float(row[3]) for row in rows if row[0] == text}
    timing = time_throws(read_siteswap(text), 1.3, 0.4, 0.036, recorded_timing=RecordedTiming.ALL)
    early = [timing.throw[beat] - beat - release for beat, release in filmed.items()]
    # All of a pattern may leave earlier or later by as much: only differences count.
    assert (max(early) - min(early)) / 2 < FURTHEST_FROM_FILM


def test_a_natural_one_leaves_after_the_other_hand_and_is_carried_before_and_after() -> None:
    timing = time_throws(read_siteswap("97531"), 1.3, 0.4, recorded_timing=RecordedTiming.ALL)
    three, one = timing.throw[3:5]
    assert three < one < three + 0.1
    assert one - (timing.catch[0] - 5) == pytest.approx(0.5)  # it came as a 9, in that hand
    assert 5 - timing.catch[4] > 1.2


@given(valid_siteswaps(), DWELLS)
def test_natural_throws_leave_in_the_order_of_their_beats_and_are_caught_before(
    text: str, dwell: float
) -> None:
    pattern = read_siteswap(text)
    timing = time_throws(pattern, dwell, 0.4, 0.036, recorded_timing=RecordedTiming.ALL)
    for throw, leaves, caught, held in zip(
        pattern.throws, timing.throw, timing.catch, timing.is_hold, strict=True
    ):
        assert held or throw.beat - 1 < leaves <= throw.beat
        assert held or leaves < caught < throw.beat + throw.value
