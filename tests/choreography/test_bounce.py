import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from paths import DATA

from juggle_anim.choreography import FlightStyle
from juggle_anim.choreography.bounce import Bounce, min_bounce_time, solve_bounce

GRAVITY = 9.8

styles = st.builds(
    FlightStyle, bounces=st.integers(1, 4), forced=st.booleans(), falling=st.booleans()
)
heights = st.floats(0.3, 2.0)


def fall(height: float, speed: float, time: float) -> tuple[float, float]:
    return height + speed * time - GRAVITY * time**2 / 2, speed - GRAVITY * time


@given(heights, heights, st.floats(0.5, 1.0), st.floats(1.0, 3.0), styles)
def test_a_bounce_comes_back_in_time_and_loses_the_energy_it_should(
    start: float, end: float, bounce_fraction: float, longer: float, style: FlightStyle
) -> None:
    duration = longer * min_bounce_time(start, end, GRAVITY, bounce_fraction, style)
    bounce = solve_bounce(start, end, duration, GRAVITY, bounce_fraction, style)
    assume(bounce is not None)
    assert isinstance(bounce, Bounce)
    assert len(bounce.hits) == style.bounces
    height, speed, time = start, bounce.launch, 0.0
    for hit, rise in zip(bounce.hits, bounce.rises, strict=True):
        height, speed = fall(height, speed, hit - time)
        assert height == pytest.approx(0.0, abs=1e-6)
        assert rise**2 == pytest.approx(bounce_fraction * speed**2)
        height, speed, time = 0.0, rise, hit
    height, speed = fall(height, speed, duration - time)
    assert height == pytest.approx(end, abs=1e-5)
    assert speed == pytest.approx(bounce.arrival, abs=1e-6)


@given(heights, st.floats(1.02, 2.0), styles)
def test_a_bounce_is_thrown_and_caught_as_its_style_says(
    height: float, longer: float, style: FlightStyle
) -> None:
    duration = longer * min_bounce_time(height, height, GRAVITY, 0.9, style)
    bounce = solve_bounce(height, height, duration, GRAVITY, 0.9, style)
    assume(bounce is not None)
    assert isinstance(bounce, Bounce)
    assert (bounce.launch <= 0) == style.forced


def test_a_bounce_that_may_be_caught_either_way_is_caught_as_its_style_says() -> None:
    least = min_bounce_time(1.0, 1.0, GRAVITY, 0.9, FlightStyle(bounces=1))
    for hyper in (True, False):
        bounce = solve_bounce(
            1.0, 1.0, 1.2 * least, GRAVITY, 0.9, FlightStyle(bounces=1, falling=hyper)
        )
        assert bounce
        assert (bounce.arrival < 0) == hyper


def test_what_is_thrown_down_can_come_back_in_any_time() -> None:
    for duration in (0.2, 0.5, 0.7, 0.9, 1.5):
        assert solve_bounce(1.0, 1.0, duration, GRAVITY, 0.9, FlightStyle(bounces=1, forced=True))


def test_an_ordinary_lift_is_one_if_it_has_the_time_and_else_is_thrown_down() -> None:
    for height in (0.8, 1.0, 1.3):
        shortest = min_bounce_time(height, height, GRAVITY, 0.9, FlightStyle(bounces=1))
        for longer in (0.5, 0.99, 1.0001, 1.01, 1.5, 3.0, 10.0):
            bounce = solve_bounce(
                height, height, longer * shortest, GRAVITY, 0.9, FlightStyle(bounces=1)
            )
            assert bounce
            assert (bounce.launch > 0) == (longer > 1)


def test_a_bounce_that_does_not_fit_is_caught_otherwise_or_bounces_less() -> None:
    force = FlightStyle(bounces=1, forced=True, falling=True)
    shortest = min_bounce_time(1.0, 1.0, GRAVITY, 0.9, force)
    bounce = solve_bounce(1.0, 1.0, 0.9 * shortest, GRAVITY, 0.9, force)
    assert bounce
    assert bounce.launch < 0 < bounce.arrival
    thrice = solve_bounce(1.0, 1.0, 0.6, GRAVITY, 0.9, FlightStyle(bounces=3))
    assert thrice
    assert len(thrice.hits) == 1


def test_of_two_lifts_of_one_bounce_the_higher_is_thrown_and_of_more_bounces_the_lower() -> None:
    for bounces, higher in ((1, True), (2, False), (3, False)):
        style = FlightStyle(bounces=bounces)
        launches = []
        for share in (1.0005, 1.002):
            duration = share * min_bounce_time(1.0, 1.0, GRAVITY, 0.9, style)
            bounce = solve_bounce(1.0, 1.0, duration, GRAVITY, 0.9, style)
            assert bounce
            launches.append(bounce.launch)
        assert (launches[1] > launches[0]) == higher


def test_bounces_fly_as_in_juggling_lab_also_those_that_do_not_fit_as_asked() -> None:
    # Single bounces of 50 patterns in version 1.7.7: heights of throw and catch [cm], duration [s],
    # whether forced and whether to be caught falling, and times since the throw [s] with heights
    # [cm].
    rows = json.loads((DATA / "juggling_lab_bounces.json").read_text())
    assert len(rows) == 52
    for start, end, duration, forced, falling, heights in rows:
        style = FlightStyle(bounces=1, forced=forced, falling=falling)
        bounce = solve_bounce(start / 100, end / 100, duration, GRAVITY, 0.9, style)
        assert bounce
        for time, height in heights:
            (hit,), (rise,) = bounce.hits, bounce.rises
            now, _ = (
                fall(start / 100, bounce.launch, time)
                if time < hit
                else fall(0.0, rise, time - hit)
            )
            assert 100 * now == pytest.approx(height, abs=0.2)


def test_bounces_on_a_table_are_quicker() -> None:
    table = FlightStyle(bounces=1, plane=0.7)
    assert min_bounce_time(1.0, 1.0, GRAVITY, 0.9, table) < min_bounce_time(
        1.0, 1.0, GRAVITY, 0.9, FlightStyle(bounces=1)
    )


def test_a_prop_that_is_caught_below_the_floor_has_bounced_before() -> None:
    duration = 1.1 * min_bounce_time(0.5, -0.2, GRAVITY, 0.9, FlightStyle(bounces=2))
    bounce = solve_bounce(0.5, -0.2, duration, GRAVITY, 0.9, FlightStyle(bounces=2))
    assert bounce
    assert bounce.hits[-1] < duration
    assert bounce.arrival < 0


def test_a_prop_thrown_down_on_a_table_and_caught_below_it_needs_time_to_fall() -> None:
    style = FlightStyle(bounces=1, forced=True, plane=1.0)
    shortest = min_bounce_time(1.2, 0.5, GRAVITY, 0.9, style)
    assert solve_bounce(1.2, 0.5, 1.01 * shortest, GRAVITY, 0.9, style)
    assert solve_bounce(1.2, 0.5, 0.99 * shortest, GRAVITY, 0.9, style) is None


def test_a_ball_bounces_at_its_radius_unless_a_hand_is_lower() -> None:
    style = FlightStyle(bounces=1, plane=0.1)
    bounce = solve_bounce(1.0, 1.0, 1.2, GRAVITY, 0.9, style, radius=0.05)
    assert bounce
    assert (bounce.height, fall(1.0, bounce.launch, bounce.hits[0])[0]) == pytest.approx(
        (0.15, 0.15)
    )
    low = solve_bounce(0.2, 0.12, 0.3, GRAVITY, 0.9, style, radius=0.05)
    assert low
    assert low.height == 0.1
