"""The laws of motion, over random patterns and parameters."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from motion_samples import around_the_joins_of_props, joins
from siteswap_strategies import flying_siteswaps

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind, PropLook
from juggle_anim.motion.flight import MAX_SINK
from juggle_anim.motion.hand_paths import RELEASE_SLOWING
from juggle_anim.motion.motion import MAX_CATCH_SPEED, move
from juggle_anim.parameters import HAND_STYLES, Parameters

moved = st.builds(
    lambda text, style, dwell, softness, gravity: animate(
        text, style=style, dwell=dwell, catch_softness=softness, gravity=gravity
    ),
    flying_siteswaps(),
    st.sampled_from(HAND_STYLES),
    st.floats(0.3, 1.8),
    st.floats(0.0, 100.0),
    st.floats(100.0, 2000.0),
)
laws = settings(max_examples=settings.default.max_examples // 2)


@given(moved)
@laws
def test_props_never_jump_and_never_change_speed_at_once(animation: Animation) -> None:
    for derivative in (0, 1):
        before, after, slack = around_the_joins_of_props(animation, derivative)
        assert np.abs(after - before).max(initial=0.0) <= slack


BOUNCES = ("7BL", "97BBL5", "5BF", "1BF", "3BHL", "(8xBL,6)*", "<7pBL|7pBL>")


@pytest.mark.parametrize("text", BOUNCES)
@pytest.mark.parametrize("style", HAND_STYLES)
def test_bouncing_balls_touch_the_floor_and_come_up_again_with_less_energy(
    text: str, style: str
) -> None:
    animation = animate(text, style=style)
    radius = animation.parameters.prop_diameter / 200
    flying = animation.motion.flight_paths
    legs = flying.parabolas
    for row in np.flatnonzero(legs.flight[1:] == legs.flight[:-1]).tolist():
        lasts, fall = (
            legs.duration[row],
            legs.gravity[row] * legs.duration[row] * np.array([0.0, 1.0, 0.0]),
        )
        assert legs.since[row] + lasts == pytest.approx(legs.since[row + 1])
        hit = legs.position[row] + legs.velocity[row] * lasts - fall * lasts / 2
        assert hit == pytest.approx(legs.position[row + 1], abs=1e-6)
        assert legs.position[row + 1, 1] == pytest.approx(radius, abs=1e-9)
        down = (legs.velocity[row] - fall)[1]
        assert legs.velocity[row + 1, 1] ** 2 == pytest.approx(0.9 * down**2, rel=1e-6)
    before, after, slack = around_the_joins_of_props(animation, 0)
    assert np.abs(after - before).max() <= slack
    frames = animation.sample(np.linspace(0, animation.duration, 500))
    assert frames.props[frames.holders < 0][:, 1].min() >= radius - 1e-9


@pytest.mark.parametrize("style", HAND_STYLES)
def test_balls_of_any_size_touch_the_floor_in_the_same_tempo(style: str) -> None:
    usual = animate("7BB5BF3", style=style)
    large = usual.replace(prop_diameter=25.0)
    assert large.choreography.duration == usual.choreography.duration
    lowest = [
        each.sample(np.linspace(0, each.duration, 20_000)).props[..., 1].min()
        for each in (usual, large)
    ]
    assert lowest == pytest.approx([0.035, 0.125], abs=1e-3)


def test_each_of_several_sizes_and_kinds_of_props_touches_the_plane_that_it_bounces_on() -> None:
    choreography = animate("7BL").choreography
    styles = tuple(replace(style, plane=0.4) for style in choreography.flights.style)
    looks = [PropLook(diameter=size) for size in (0.05, 0.2, 0.05, 0.1)]
    looks += [PropLook("ring"), PropLook("ring", diameter=0.2), PropLook("club")]
    changed = replace(
        choreography, flights=replace(choreography.flights, style=styles), looks=tuple(looks)
    )
    motion = move(changed, Parameters())
    frames = motion.sample(np.linspace(0, 7 * motion.duration, 40_000))
    lowest = np.where(frames.holders < 0, frames.props[..., 1], np.inf).min(axis=0)
    assert lowest == pytest.approx(0.4 + motion.shapes.size / 2, abs=1e-3)


@given(moved, st.integers(0, 2**32 - 1))
@laws
def test_flying_props_obey_gravity_exactly(animation: Animation, seed: int) -> None:
    times = np.random.default_rng(seed).uniform(-5, 50, 200)
    frames = animation.motion.sample(times, derivative=2)
    flying = frames.props[frames.holders < 0]
    assert np.abs(flying - (0.0, -animation.parameters.gravity / 100, 0.0)).max(initial=0.0) < 1e-9


@given(moved, st.integers(0, 2**32 - 1))
@laws
def test_carried_props_are_in_their_hand(animation: Animation, seed: int) -> None:
    times = np.random.default_rng(seed).uniform(0, animation.duration, 200)
    frames = animation.sample(times)
    hands = frames.hands.reshape(len(times), -1, 3)
    at, prop = np.nonzero(frames.holders >= 0)
    away = frames.props[at, prop] - hands[at, frames.holders[at, prop]]
    # Several props in one hand lie side by side, three to a layer.
    layers = animation.score.props // 3 + 1
    room = 0.0 if _holds_one_at_a_time(animation) else 2 * animation.motion.prop_radius * layers
    assert np.linalg.norm(away, axis=-1).max(initial=0.0) <= MAX_SINK * 1.01 + room


def _holds_one_at_a_time(animation: Animation) -> bool:
    frames = animation.sample(np.linspace(0, animation.duration, 2001))
    hands = range(2 * animation.num_jugglers)
    return all(((frames.holders == hand).sum(axis=1) <= 1).all() for hand in hands)


@given(moved)
@laws
def test_hands_have_continuous_position_velocity_and_acceleration(animation: Animation) -> None:
    paths = animation.motion.hands
    for derivative in (0, 1, 2):
        ends, starts = joins(paths, derivative)
        scale = np.abs(starts).max() + 1.0
        assert np.abs(ends - starts).max() <= 1e-7 * scale


@given(moved)
@laws
def test_hands_move_with_what_they_throw_and_then_slow_more_than_gravity(
    animation: Animation,
) -> None:
    choreography, motion = animation.choreography, animation.motion
    for event in np.flatnonzero(choreography.events.kind == EventKind.THROW):
        velocity, acceleration = (hand_at(animation, event, derivative) for derivative in (1, 2))
        launches = motion.flight_paths.grip_launch[choreography.flights.throw == event]
        assert velocity == pytest.approx(launches.mean(axis=0), rel=1e-6, abs=1e-6)
        assert acceleration[1] <= -RELEASE_SLOWING * choreography.gravity * (1 - 1e-6)


@given(moved)
@laws
def test_hands_meet_a_catch_by_the_catch_softness(animation: Animation) -> None:
    choreography = animation.choreography
    for event in np.flatnonzero(choreography.events.kind == EventKind.CATCH):
        arrivals = animation.motion.flight_paths.grip_arrival[choreography.flights.catch == event]
        wanted = animation.parameters.catch_softness / 100 * arrivals.mean(axis=0)
        wanted *= min(1.0, MAX_CATCH_SPEED / max(np.linalg.norm(wanted), 1e-9))
        assert hand_at(animation, event, 1) == pytest.approx(wanted, rel=1e-6, abs=1e-6)


@given(moved)
@laws
def test_props_leave_and_come_as_the_parabolas_say(animation: Animation) -> None:
    choreography, flying = animation.choreography, animation.motion.flight_paths
    times = choreography.events.time[choreography.flights.throw] + 1e-9
    places, velocities = (animation.motion.sample(times, derivative).props for derivative in (0, 1))
    for flight in range(len(times)):
        here = np.linalg.norm(places[flight] - flying.start[flight], axis=-1) < 1e-6
        same = np.linalg.norm(velocities[flight] - flying.launch[flight], axis=-1) < 1e-5
        assert (here & same).any()


def hand_at(animation: Animation, event: int, derivative: int) -> Floats:
    events, hands = animation.choreography.events, animation.motion.hands
    return hands.evaluate(*hands.locate(events.hand[event], events.time[event]), derivative)


@given(moved, st.integers(0, 2**32 - 1))
@laws
def test_a_loop_closes_when_each_prop_takes_the_place_of_the_next(
    animation: Animation, seed: int
) -> None:
    times = np.random.default_rng(seed).uniform(0, 3, 50)
    motion = animation.motion
    for derivative in (0, 1):
        now, later = (motion.sample(times + shift, derivative) for shift in (0.0, motion.duration))
        scale = 1 + np.abs(now.hands).max()
        assert np.abs(later.hands - now.hands).max() < 1e-6 * scale
        apart = np.abs(later.props - now.props[:, motion.successors()]).max(initial=0.0)
        assert apart < 1e-6 * (1 + np.abs(now.props).max(initial=0.0))


def test_velocity_and_acceleration_are_the_derivatives_of_position() -> None:
    motion = animate("[34]23").motion
    times = np.random.default_rng(1).uniform(0, motion.duration, 500)
    hair = 1e-6
    for derivative in (0, 1):
        low, high = (motion.sample(times + side, derivative) for side in (-hair, hair))
        exact = motion.sample(times, derivative + 1)
        assert (high.hands - low.hands) / (2 * hair) == pytest.approx(
            exact.hands, rel=1e-4, abs=1e-3
        )


def test_hands_with_time_to_spare_rest() -> None:
    motion = animate("40").motion
    frames = motion.sample(np.linspace(0, motion.duration, 100))
    assert np.ptp(frames.hands[:, 0, 0], axis=0) == pytest.approx([0, 0, 0])
    slow = animate("31", bps=0.5).motion
    heights = slow.sample(np.linspace(0, slow.duration, 2000)).hands[..., 1]
    assert np.ptp(heights) < 0.7


def test_hands_do_not_scoop_below_the_hips() -> None:
    for text in ("3", "5", "7", "9", "b", "531", "744", "97531", "b97531", "(6x,4)*", "[34]23"):
        motion = animate(text).motion
        heights = motion.sample(np.linspace(0, motion.duration, 2000)).hands[..., 1]
        assert heights.min() > 0.65, text


@pytest.mark.parametrize("text", ["(4,3x)!", "R3R3xL3L3x"])
def test_the_haste_of_a_short_gap_does_not_fling_a_hand_out_of_the_next(text: str) -> None:
    # Both throw and catch a moment later in another place; without a bound the hands go 5 and 15 m
    # out.
    motion = animate(text).motion
    hands = motion.sample(np.linspace(0, motion.duration, 2000)).hands
    assert np.abs(hands[..., 0]).max() < 0.95


def test_props_held_together_do_not_overlap() -> None:
    for text in ("[34]23", "24[54]", "[456][22]2", "[22]", "[333]", "[12]", "2[24]", "[32]1"):
        animation = animate(text)
        frames = animation.sample(np.linspace(0, animation.duration, 800))
        together = (frames.holders[:, :, None] == frames.holders[:, None, :]) & (
            frames.holders[:, :, None] >= 0
        )
        together &= ~np.eye(frames.props.shape[1], dtype=bool)
        apart = np.linalg.norm(frames.props[:, :, None] - frames.props[:, None, :], axis=-1)
        assert apart[together].min() > 2 * animation.motion.prop_radius - 0.015, text


def test_any_time_may_be_asked_for() -> None:
    motion = animate("531").motion
    far = motion.sample(np.array([-1e4, 0.0, 1e6]))
    assert np.isfinite(far.props).all()
    assert motion.sample(0.5).props.shape == (1, 3, 3)
    assert motion.sample(np.zeros(0)).hands.shape == (0, 1, 2, 3)


def test_very_high_throws_do_not_draw_hands_through_the_floor() -> None:
    motion = animate("z", bps=1.0, dwell=0.1, gravity=2500.0, catch_softness=100.0).motion
    heights = motion.sample(np.linspace(0, motion.duration, 4000)).hands[..., 1]
    assert heights.min() > 0.3
