"""Throws that vary as people's do: by how much, how the next ones correct them, and that nothing
else changes.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jml_performances import choreographies

import juggle_anim as ja
from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, EventKind, FlightStyle
from juggle_anim.choreography.variation import ENOUGH_SECONDS, ENOUGH_THROWS, _soft_limit, vary
from juggle_anim.errors import ParameterError
from juggle_anim.parameters import Parameters

SIDE, UP, FORE, APEX, ANGLE, BEAT = 0.025, 0.020, 0.030, 0.05, 1.0, 0.027
"""Standard deviations as recorded with five balls, [m], [°] and [s]."""


def juggled(text: str = "5", **given: float | str) -> Animation:
    return animate(text, **{"human": 100, "human_loops": 200, **given})


@pytest.fixture(scope="module")
def five() -> Animation:
    return juggled()


def throws_of(performance: Choreography, hand: int) -> Floats:
    """Flights of a hand in the order in which they are thrown."""
    events, flights = performance.events, performance.flights
    mine = np.flatnonzero(events.hand[flights.throw] == hand)
    ordered: Floats = mine[np.argsort(events.time[flights.throw[mine]])]
    return ordered


def intervals(times: Floats, loop: float) -> Floats:
    found: Floats = np.diff(np.append(np.sort(times), times.min() + loop))
    return found


def lag_one(values: Floats) -> float:
    return float(np.corrcoef(values, np.roll(values, -1))[0, 1])


def apexes_and_angles(animation: Animation) -> tuple[Floats, Floats]:
    paths = animation.motion.flight_paths
    along = np.linalg.norm(paths.launch[:, ::2], axis=1)
    return paths.parabolas.apexes()[:, 1], np.degrees(np.arctan2(along, paths.launch[:, 1]))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_five_balls_spread_as_recorded(seed: int) -> None:
    animation = juggled(seed=seed)
    events, flights = animation.performance.events, animation.performance.flights
    places = [
        events.position[flights.throw[throws_of(animation.performance, hand)]].std(axis=0)
        for hand in (0, 1)
    ]
    apexes, angles = apexes_and_angles(animation)
    beats = intervals(events.time[flights.throw], animation.duration)
    found = [*np.mean(places, axis=0).tolist(), apexes.std(), angles.std(), beats.std()]
    assert found == pytest.approx([SIDE, UP, FORE, APEX, ANGLE, BEAT], rel=0.2)


def test_the_mean_throw_is_as_written(five: Animation) -> None:
    written, performed = five.choreography, five.performance
    assert five.duration == pytest.approx(200 * written.duration)
    assert performed.flights.duration.mean() == pytest.approx(
        written.flights.duration.mean(), rel=0.01
    )
    for hand in (0, 1):
        throws = throws_of(performed, hand)
        place = performed.events.position[performed.flights.throw[throws]].mean(axis=0)
        usual = written.events.position[written.flights.throw[throws_of(written, hand)]].mean(
            axis=0
        )
        assert place == pytest.approx(usual, abs=0.005)


def test_the_next_throw_corrects_each_deviation(five: Animation) -> None:
    apexes, _ = apexes_and_angles(five)
    events, flights = five.performance.events, five.performance.flights
    for hand in (0, 1):
        throws = throws_of(five.performance, hand)
        caught = events.time[(events.hand == hand) & (events.kind == EventKind.CATCH)]
        places = events.position[flights.throw[throws]]
        for values in (*places.T, apexes[throws], intervals(caught, five.duration)):
            assert lag_one(values) < -0.1


def test_an_empty_hand_has_nearly_as_much_time_as_usual(five: Animation) -> None:
    """A hand whose next catch comes early throws earlier."""
    events = five.performance.events
    for hand in (0, 1):
        times, kinds = events.time[events.hand == hand], events.kind[events.hand == hand]
        empty = np.diff(times)[(kinds[:-1] == EventKind.THROW) & (kinds[1:] == EventKind.CATCH)]
        assert empty.min() > 0.6 * empty.mean()


def test_a_machine_is_as_written() -> None:
    animation = animate("531", seed=3, human_loops=20)
    assert animation.performance is animation.choreography


def test_the_same_seed_gives_the_same_and_another_something_else() -> None:
    one, same, other = (
        juggled("531", human_loops=5, seed=seed).performance.events for seed in (1, 1, 2)
    )
    assert (one.time == same.time).all()
    assert (one.position == same.position).all()
    assert np.abs(one.time - other.time).max() > 0.01
    assert np.abs(one.position - other.position).max() > 0.01


def test_exports_repeat_exactly(tmp_path: Path) -> None:
    for name in ("one.csv", "other.csv"):
        ja.export(juggled("3", human_loops=2), tmp_path / name, fps=20)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


def test_half_as_human_deviates_half_as_much_the_same_way() -> None:
    whole, half = (
        juggled("531", human_loops=5, human=human).performance.events.position
        for human in (50.0, 25.0)
    )
    written = np.tile(animate("531").choreography.events.position, (5, 1))
    assert np.abs(2 * (half - written) - (whole - written)).max() < 0.001


@given(
    choreographies(), st.sampled_from([50.0, 100.0, 200.0]), st.integers(1, 7), st.integers(0, 100)
)
@settings(max_examples=3 * settings.default.max_examples)
def test_hands_keep_the_order_of_their_events_and_props_their_ways(
    written: Choreography, human: float, loops: int, seed: int
) -> None:
    performed = vary(written, Parameters(human=human, human_loops=loops, seed=seed))
    assert performed.props == written.props
    if not len(written.flights.throw):
        return
    events, flights, loop = performed.events, performed.flights, performed.duration
    assert ((events.time >= 0) & (events.time < loop)).all()
    assert np.array_equal(
        np.lexsort((events.kind, events.hand, events.time)), np.arange(len(events.time))
    )
    for hand in np.unique(events.hand).tolist():
        kinds = written.events.kind[written.events.hand == hand].tolist() * loops
        mine = events.kind[events.hand == hand].tolist()
        # The first may have moved back over the seam, or the last on over it, and so may two of a
        # hurried hand.
        assert any(mine[shift:] + mine[:shift] == kinds for shift in range(-2, 3)), hand
        assert (intervals(events.time[events.hand == hand], loop) > 0).all()
    usual = np.tile(written.flights.duration, loops)
    assert (flights.duration > 0.55 * usual).all()
    assert (flights.carry >= 0).all()
    # Each prop is where it is thrown when it is thrown, and comes round in as many loops as there
    # are props.
    arrives = events.time[flights.throw] + flights.duration
    assert np.abs(distance(arrives, events.time[flights.catch], loop)).max() < 1e-9 * loop
    seen = sorted(flight for orbit in performed.orbits for flight in orbit.flights)
    assert seen == list(range(len(usual)))
    for orbit in performed.orbits:
        steps = list(orbit.flights)
        lasts = (flights.duration[steps] + flights.carry[steps]).sum()
        assert not steps or lasts == pytest.approx(orbit.props * loop)
        for flight, following in orbit.steps():
            leaves = arrives[flight] + flights.carry[flight]
            assert abs(distance(leaves, events.time[flights.throw[following]], loop)) < 1e-9 * loop
            assert events.hand[flights.catch[flight]] == events.hand[flights.throw[following]]


def distance(one: Floats, other: Floats, loop: float) -> Floats:
    apart: Floats = (one - other + loop / 2) % loop - loop / 2
    return apart


@pytest.mark.parametrize(
    "text", ["5", "744", "(6x,4)*", "<3p 3 3|3p 3 3>", "423", "pattern=3;body=(0)(90)."]
)
@pytest.mark.parametrize("loops", [1, 2, 3, 4, 7, 10])
def test_each_prop_goes_on_as_it_was(text: str, loops: int) -> None:
    """With next to no variation, every prop of a colour of its own is where it is without any."""
    props = animate(text).score.props
    colours = " ".join(f"{{{10 * number},0,0}}" for number in range(props))
    written = animate(text, colors=colours)
    performed = written.replace(human=1e-7, human_loops=loops)
    times = np.random.default_rng(1).uniform(0, 3 * performed.duration, 50)
    places = [
        animation.sample(times).props[
            :, np.argsort([look.colour for look in animation.performance.looks], axis=0)[:, 0]
        ]
        for animation in (written, performed)
    ]
    assert np.abs(places[0] - places[1]).max() < 1e-6
    assert np.abs(written.sample(times).hands - performed.sample(times).hands).max() < 1e-6


def test_bounces_keep_their_times() -> None:
    performed = juggled("pattern=5BB;bouncefrac=0.7", human_loops=10).performance
    assert np.ptp(performed.flights.duration) < 1e-12
    assert performed.events.position[:, 0].std() > 0.01


def test_props_are_caught_where_hands_are() -> None:
    animation = juggled("<3p 3 3|3p 3 3>", human=200, human_loops=10)
    motion, events = animation.motion, animation.performance.events
    arrives = events.time[animation.performance.flights.catch]
    frames = motion.sample(arrives + 1e-7)
    hands = frames.hands.reshape(len(arrives), -1, 3)
    for number, event in enumerate(animation.performance.flights.catch):
        hand = events.hand[event]
        held = np.flatnonzero(frames.holders[number] == hand)
        assert np.linalg.norm(frames.props[number, held] - hands[number, hand], axis=1).min() < 1e-4


def test_enough_loops_are_chosen_for_a_pattern() -> None:
    assert animate("5", human=100).duration == pytest.approx(ENOUGH_SECONDS, rel=0.2)
    # Each prop is then in its own place again, so a film of one loop has no seam.
    assert (animate("5", human=100).motion.laps() == 1).all()
    many = animate("<" + "|".join(["3p 3"] * 300) + ">", human=100)
    assert len(many.performance.flights.throw) <= ENOUGH_THROWS
    held = animate("2", human=100)
    assert held.performance is held.choreography


def test_whole_numbers_are_asked_for() -> None:
    for name in ("seed", "human_loops"):
        with pytest.raises(ParameterError, match=f"{name} is 1.5, but must be a whole number"):
            animate("3", **{name: 1.5})


def test_a_style_of_flight_stays_with_its_flight() -> None:
    slow = FlightStyle(gravity=3.0)
    written = animate("51").choreography
    styled = vary(
        Choreography(**{**vars(written), "flights": _with_style(written, slow)}),
        Parameters(human=100, human_loops=3),
    )
    assert [style is slow for style in styled.flights.style] == [
        True,
        *[False] * (len(written.flights.throw) - 1),
    ] * 3


def _with_style(written: Choreography, style: FlightStyle) -> object:
    flights = written.flights
    others = [FlightStyle()] * (len(flights.throw) - 1)
    return type(flights)(
        flights.throw, flights.catch, flights.duration, flights.carry, (style, *others)
    )


def test_a_soft_limit_leaves_what_is_small_and_is_never_passed() -> None:
    values = np.array([0.1, -0.1, 2.0, 1e6])
    assert _soft_limit(values, np.array(2.0)) == pytest.approx(
        [0.1, -0.1, 2.0 / 2.0 ** (1 / 6), 2.0], rel=1e-6
    )
