"""Low bounces, which do not fit the tempo, are made as people make them, and no throw goes through
the ceiling.
"""

import itertools

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.choreography import FlightStyle
from juggle_anim.choreography.bounce import min_bounce_time, solve_bounce
from juggle_anim.notation.facts import check

CEILING = 6.0  # m
SLOWEST = 1.0  # beats/s
HARDEST = 6.01  # m/s, down


def highest(animation: ja.Animation) -> float:
    """The highest point of any throw, [m]."""
    return float(animation.motion.flight_paths.parabolas.apexes()[:, 1].max(initial=0.0))


@pytest.mark.parametrize(
    "pattern",
    [
        "31B",
        "42B3",
        "12B345",
        "1B",
        "2B",
        "51B",
        "71B",
        "91B",
        "53B",
        "93B",
        "8B01B",
        "42BB3",
        "3BB",
        "(4,2xB)(2xB,4)",
    ],
)
def test_low_bounces_let_no_throw_go_above_6_m_and_slow_no_pattern_below_a_beat_a_second(
    pattern: str,
) -> None:
    animation = ja.animate(pattern)
    assert highest(animation) < CEILING
    assert animation.choreography.bps >= SLOWEST


def test_so_it_is_in_all_patterns_of_two_throws() -> None:
    for first, second in itertools.product(range(1, 10), range(10)):
        if (first + second) % 2:
            continue  # props are no whole number
        for text in (f"{first}B{second}", f"{first}BF{second}", f"{first}BB{second}"):
            animation = ja.animate(text)
            assert highest(animation) < CEILING, text
            assert animation.choreography.bps >= SLOWEST, text


def test_a_bounce_that_does_not_fit_is_thrown_early_and_down_and_caught_late() -> None:
    animation = ja.animate("31B")
    usual = ja.animate("31")
    assert animation.choreography.bps == pytest.approx(usual.choreography.bps)
    flights, paths = animation.choreography.flights, animation.motion.flight_paths
    (bounce,) = (number for number, style in enumerate(flights.style) if style.bounces)
    assert -HARDEST < paths.launch[bounce, 1] < 0
    assert flights.duration[bounce] > 2 * usual.choreography.flights.duration.min()


def test_a_bounce_that_fits_if_it_is_caught_late_is_made_as_written() -> None:
    animation = ja.animate("2B")
    assert (animation.motion.flight_paths.launch[:, 1] > 0).all()
    assert animation.choreography.bps > 2 * ja.animate("2B", style="juggling-lab").choreography.bps


def test_several_bounces_become_as_many_as_there_is_time_for() -> None:
    counts = {style.bounces for style in ja.animate("(4BBB,4BB)*").choreography.flights.style}
    assert counts == {2}


def test_a_bounce_for_which_no_hand_has_time_goes_through_the_air() -> None:
    animation = ja.animate("91B")
    assert all(style.bounces == 0 for style in animation.choreography.flights.style)
    assert animation.choreography.bps == pytest.approx(ja.animate("91").choreography.bps)


@pytest.mark.parametrize(
    ("pattern", "slowed"),
    [("3B", 1.55), ("5B", 3.04), ("4B2", 2.32), ("33B", 1.55), ("3BHL", 1.49), ("5BB", 1.53)],
)
def test_where_throws_stay_low_bounces_are_as_written_and_slow_the_tempo_as_before(
    pattern: str, slowed: float
) -> None:
    assert ja.animate(pattern).choreography.bps == pytest.approx(slowed, abs=0.005)
    assert not check(pattern).advice


@pytest.mark.parametrize(("pattern", "slowed"), [("31B", 0.33), ("42B3", 0.64)])
def test_juggling_lab_slows_down_as_far_as_a_bounce_needs(pattern: str, slowed: float) -> None:
    assert ja.animate(pattern, style="juggling-lab").choreography.bps == pytest.approx(
        slowed, abs=0.05
    )
    assert not check(f"pattern={pattern};style=juggling-lab").advice


def test_a_tempo_that_is_given_stays_and_no_bounce_is_thrown_harder_than_people_can() -> None:
    animation = ja.animate("31B", bps=2.5)
    assert animation.choreography.bps == 2.5
    assert animation.motion.flight_paths.launch[:, 1].min() > -HARDEST
    quick = ja.animate("31B", bps=6.0)
    assert not any(style.bounces for style in quick.choreography.flights.style)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("31B", "1B: too low to bounce as written"),
        ("2B", "2B: caught late"),
        ("91B", "1B: no time to bounce"),
    ],
)
def test_check_says_how_low_bounces_are_made(pattern: str, words: str) -> None:
    assert words in check(pattern).advice


@pytest.mark.parametrize("pattern", ["31B", "42B3", "91B"])
def test_the_throws_of_a_pattern_with_low_bounces_stay_in_its_text(pattern: str) -> None:
    animation = ja.animate(pattern)
    assert animation.settings == f"pattern={pattern}"
    again = ja.animate(animation.settings)
    assert np.array_equal(again.choreography.events.time, animation.choreography.events.time)


def test_a_slow_bounce_is_the_slower_of_two_that_last_as_long() -> None:
    usual, slow = (ja.animate("3B", bounce_speed=speed) for speed in ("usual", "slow"))
    assert slow.choreography.bps == usual.choreography.bps
    launches = [animation.motion.flight_paths.launch[:, 1] for animation in (usual, slow)]
    assert (launches[1] > 0).all()
    assert (launches[1] < launches[0] - 0.5).all()


@pytest.mark.parametrize("bounces", [1, 2, 3])
def test_the_slower_throw_is_never_the_faster_one(bounces: int) -> None:
    style = FlightStyle(bounces=bounces)
    for share in (1.0005, 1.002, 1.1, 1.5):
        duration = share * min_bounce_time(1.0, 1.0, 9.8, 0.9, style)
        usual, slow = (
            solve_bounce(1.0, 1.0, duration, 9.8, 0.9, style, slow=slow) for slow in (False, True)
        )
        assert usual is not None
        assert slow is not None
        assert abs(slow.launch) <= abs(usual.launch)
