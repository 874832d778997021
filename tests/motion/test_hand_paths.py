"""The paths of hands between throws and catches, which stay as they are."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from motion_samples import joins
from siteswap_strategies import flying_siteswaps

from juggle_anim.animation import Animation, animate
from juggle_anim.body import Joint
from juggle_anim.choreography import EventKind
from juggle_anim.motion import hand_paths, move
from juggle_anim.motion.detours import MAX_DETOUR, MAX_DETOUR_ACCELERATION, MAX_LIFT_ACCELERATION
from juggle_anim.motion.hand_paths import (
    MAX_DOWN,
    MAX_UP,
    NATURAL_UP_AT_REST,
    NATURAL_UP_WITH_SPEED,
    limited_swings,
)
from juggle_anim.parameters import HAND_STYLES

ways = st.sampled_from(("over", "under"))


laws = settings(max_examples=settings.default.max_examples // 2)


def gaps(animation: Animation) -> list[tuple[int, float, float]]:
    """Hand, throw and next event [s] wherever a hand is empty in between."""
    events, found = animation.choreography.events, []
    for hand in range(2 * animation.num_jugglers):
        mine = np.flatnonzero(events.hand == hand)
        mine = mine[np.argsort(events.time[mine])]
        for number, event in enumerate(mine.tolist()):
            following = mine[(number + 1) % len(mine)]
            start = float(events.time[event])
            lasts = float(events.time[following] - start) % animation.duration or animation.duration
            free = animation.sample(np.array([start + lasts / 2])).holders[0] != hand
            said = events.kind[following] > EventKind.CATCH
            if events.kind[event] == EventKind.THROW and free.all() and not said:
                found.append((hand, start, start + lasts))
    return found


@given(flying_siteswaps(), ways, st.sampled_from(HAND_STYLES))
@laws
def test_hands_keep_position_velocity_and_acceleration_continuous(
    text: str, way: str, style: str
) -> None:
    paths = animate(text, hand_path=way, style=style).motion.hands
    for derivative in (0, 1, 2):
        ends, starts = joins(paths, derivative)
        assert np.abs(ends - starts).max() <= 1e-7 * (np.abs(starts).max() + 1.0)


@given(flying_siteswaps(), ways)
@laws
def test_at_events_hands_are_as_on_the_direct_way(text: str, way: str) -> None:
    direct, bent = animate(text), animate(text, hand_path=way)
    events = direct.choreography.events
    for order in (0, 1, 2):
        usual, other = (
            each.motion.hands.evaluate(*each.motion.hands.locate(events.hand, events.time), order)
            for each in (direct, bent)
        )
        assert np.abs(usual - other).max(initial=0.0) < 1e-6


@given(flying_siteswaps(), ways, st.sampled_from(HAND_STYLES))
@laws
def test_empty_hands_go_over_or_under_by_what_their_time_allows_and_others_do_not(
    text: str, way: str, style: str
) -> None:
    direct, bent = animate(text, style=style), animate(text, hand_path=way, style=style)
    loop, sign = direct.duration, 1.0 if way == "over" else -1.0
    times = np.linspace(0.0, loop, 200, endpoint=False)
    expected = np.zeros((len(times), 2 * direct.num_jugglers))
    for hand, start, end in gaps(direct):
        share = (times - start) % loop / (end - start)
        far = min(MAX_DETOUR, MAX_DETOUR_ACCELERATION / 24 * (end - start) ** 2)
        inside = share < 1
        expected[inside, hand] += sign * far * (4 * share[inside] * (1 - share[inside])) ** 3
    higher = bent.sample(times).hands - direct.sample(times).hands
    assert np.abs(higher[..., 0]).max() < 1e-9
    assert np.abs(higher[..., 1].reshape(len(times), -1) - expected).max() < 1e-6


@pytest.mark.parametrize("text", ["3", "5", "531", "40", "<3p|3p>"])
@pytest.mark.parametrize("style", HAND_STYLES)
def test_a_detour_takes_no_more_than_its_haste(text: str, style: str) -> None:
    for way in ("over", "under"):
        direct, bent = animate(text, style=style), animate(text, hand_path=way, style=style)
        times = np.linspace(0.0, direct.duration, 2000)
        more = bent.motion.sample(times, 2).hands - direct.motion.sample(times, 2).hands
        assert 0.1 * MAX_DETOUR_ACCELERATION < np.abs(more).max() < 1.001 * MAX_DETOUR_ACCELERATION


def test_a_hand_that_holds_on_to_something_goes_its_direct_way() -> None:
    for text in ("[32]", "2"):
        direct, bent = (
            animate(text, hand_path=way).sample(np.linspace(0, 2, 100))
            for way in ("direct", "over")
        )
        assert np.abs(direct.hands - bent.hands).max() < 1e-9


def test_a_way_that_is_said_is_kept() -> None:
    text = "pattern=3;hands=(10)(0,20)c(32).;handpath=over"
    over, direct = animate(text), animate(text.replace("over", "direct"))
    times = np.linspace(0.0, over.duration, 200)
    assert np.abs(over.sample(times).hands - direct.sample(times).hands).max() < 1e-9


speeds = st.floats(0.7, 60.0)


times = st.floats(0.03, 3.0)


@given(speeds, times, times, st.floats(-20.0, 40.0))
def test_a_swing_is_one_course_that_passes_the_throw_with_its_speed(
    speed: float, before: float, after: float, slowing: float
) -> None:
    found = limited_swings(*(np.array([value]) for value in (speed, before, after, slowing)))
    lowest, turn, highest = found.time[0]
    down, fall, up = found.height[0]
    gathers, _, slows = found.acceleration[0]
    fastest = found.velocity[0, 1]
    assert -0.99 * before < lowest < turn < 0 < highest < after
    assert found.release[0] == slows <= -max(slowing, 0.0) * (1 - 1e-9)
    assert -MAX_DOWN <= down < fall < 0 < up <= MAX_UP
    # Evenly from the lowest point to the turn, …
    rise = turn - lowest
    assert gathers * rise == pytest.approx(fastest)
    assert down + gathers * rise**2 / 2 == pytest.approx(fall, abs=1e-6)
    # … then with an acceleration that changes evenly until the throw, …
    assert fastest - (gathers + slows) / 2 * turn == pytest.approx(speed)
    assert fall - fastest * turn + (gathers / 3 + slows / 6) * turn**2 == pytest.approx(
        0.0, abs=1e-6
    )
    # … and evenly up to the highest point.
    assert speed + slows * highest == pytest.approx(0.0, abs=1e-6)
    assert speed * highest / 2 == pytest.approx(up)


def test_hands_stay_within_reach_however_slow_a_trick_is() -> None:
    # Their hands pass points on their way, or throw and catch around the body.
    for name in (
        "burke's barrage",
        "rubenstein's revenge",
        "factory",
        "infinity",
        "lazies",
        "blind catches",
        "chop shower",
    ):
        animation = animate(name)
        slow = animation.replace(bps=0.35 * animation.choreography.bps)
        heights = slow.sample(np.arange(0.0, slow.duration, 0.02)).hands[..., 1]
        assert heights.min() > 0.4, name
        assert heights.max() < 2.2, name
    assert slow.pose(np.arange(0.0, slow.duration, 0.1)).gaps.max() < 0.02


@pytest.mark.parametrize(
    "text", ["Five-club half shower", "Crossed-arm cascade", "Triple-singles", "b97531"]
)
def test_dips_that_are_too_low_are_less_deep_and_throws_and_catches_stay(text, monkeypatch):
    lifted = animate(text)
    times = np.linspace(0.0, lifted.duration, 500)
    after, pull = lifted.motion.hand_derivatives(times, (0, 2))
    monkeypatch.setattr(hand_paths, "with_shallower_dips", lambda curves, points, share: curves)
    motion = animate(text).motion
    before, usual = motion.hand_derivatives(times, (0, 2))
    up = (after - before)[..., 1]
    assert up.min() > -1e-9
    assert (text == "b97531") == (up.max() < 0.01)
    assert np.abs((pull - usual)[..., 1]).max() < MAX_LIFT_ACCELERATION + 1e-6
    events = lifted.choreography.events
    for moment in events.time:
        hand = events.hand[events.time == moment]
        places = [
            each.sample_hands([moment])[0].reshape(-1, 3)[hand] for each in (lifted.motion, motion)
        ]
        assert np.allclose(*places, atol=1e-9)


def test_dips_change_evenly_with_the_scoop():
    deep = [animate("Relf's Rubensteins", scoop=scoop).motion for scoop in (100.0, 100.01)]
    one, other = (motion.sample_hands(np.linspace(0.0, motion.duration, 300)) for motion in deep)
    assert np.abs(one - other).max() < 1e-3


def test_what_one_juggler_does_around_the_body_leaves_the_hands_of_others_as_they_were():
    hands = (
        "pattern=<3|3>;bps=2.2;hands=(-14,-20,22)(33,-25,1).(28,15,14)(-18,26,28).;style=natural"
    )
    alone, beside = animate(hands), animate(f"{hands};throws=-|overhead,-")
    times = np.linspace(0.0, 4.0, 300)
    assert np.allclose(
        alone.motion.sample_hands(times)[:, 0], beside.motion.sample_hands(times)[:, 0], atol=1e-9
    )
    knees = [
        each.pose(times).joints[:, 0, [Joint.LEFT_KNEE, Joint.PELVIS]] for each in (alone, beside)
    ]
    assert np.abs(knees[0] - knees[1]).max() < 0.025


@pytest.mark.parametrize(
    ("text", "least", "most"), [("3", 0.08, 0.12), ("4", 0.10, 0.14), ("5", 0.12, 0.15)]
)
def test_empty_hands_rise_after_a_throw_as_far_as_peoples_do(
    text: str, least: float, most: float
) -> None:
    animation = animate(text)
    for hand, start, end in gaps(animation):
        heights = animation.motion.sample_hands(np.linspace(start, end, 300))
        up = heights[:, 0, hand, 1] - heights[0, 0, hand, 1]
        assert least <= up.max() <= most


def test_hands_rise_no_farther_where_they_have_more_time() -> None:
    for animation in (
        animate("3", bps=1.5, style="natural"),
        animate("3", dwell=0.7, style="natural"),
        animate("330"),
    ):
        for hand, start, end in gaps(animation):
            height = animation.motion.sample_hands(np.linspace(start, end, 300))[:, 0, hand, 1]
            speed = animation.motion.sample_hands(np.array([start]), 1)[0, 0, hand, 1]
            usual = NATURAL_UP_AT_REST + NATURAL_UP_WITH_SPEED * speed
            assert height.max() - height[0] < 1.15 * usual


@pytest.mark.parametrize(
    "text",
    [
        "5;throws=lazy",
        "531;throws=penguin",
        "441;throws=backcross",
        "531;catches=behind",
    ],
)
def test_hands_on_their_way_around_the_body_do_not_hurry(text: str) -> None:
    motion = animate(text).motion
    times = np.arange(0.0, motion.duration, 1 / 480)
    accelerations = np.linalg.norm(motion.sample(times, derivative=2).hands, axis=-1)
    assert accelerations.max() < 310.0


def test_hands_that_throw_a_ring_high_between_the_legs_keep_it_off_the_floor() -> None:
    animation = animate("423", throws="albert,-", prop="ring")
    frames = animation.sample(np.arange(0.0, animation.duration, 0.005))
    lowest = frames.props[..., 1] - animation.motion.shapes.size / 2  # m
    assert lowest[frames.holders >= 0].min() > 0.01


def test_a_hand_that_carries_a_ball_makes_room_for_the_other_ones_around_the_body() -> None:
    animation = animate("531", throws="chop,-", prop="ball")
    frames = animation.sample(np.arange(0.0, animation.duration, 0.005))
    hands = frames.hands[:, 0]
    # From each hand to the ball that the other one holds; hands are apart by as much.
    carries = (frames.holders[..., None] == [0, 1]).any(axis=1).all(axis=-1)
    assert np.linalg.norm(hands[carries, 0] - hands[carries, 1], axis=-1).min() > 0.1


def test_a_hand_throws_and_catches_beside_a_ball_that_flies_past_it() -> None:
    animation = animate("531", throws="underleg-other,-")
    motion = animation.motion
    events = animation.choreography.events
    moves = np.linalg.norm(motion.choreography.events.position - events.position, axis=1)
    assert 0.03 < moves.max() < 0.15
    assert not moves[events.around_body].any()
    # At that throw the ball is as far from the hand as the hand holds its own one, and farther.
    event = moves.argmax()
    time = events.time[event]
    frames = animation.sample(np.array([time]))
    flies = (motion.holders(np.array([time - 0.07, time, time + 0.05])) < 0).all(axis=0)
    to_hand = frames.props[0, flies] - frames.hands[0].reshape(-1, 3)[events.hand[event]]
    assert np.linalg.norm(to_hand, axis=1).min() > 0.09 + motion.prop_radius


@pytest.mark.parametrize("throws", ["-", "backcross,-"])
def test_hands_that_nothing_flies_past_throw_and_catch_as_written(throws: str) -> None:
    animation = animate("3", throws=throws)
    assert animation.motion.choreography is animation.performance


def test_rounding_of_times_does_not_decide_how_hands_make_room() -> None:
    # Its throws and catches are exactly at moments at which hands are compared with props.
    edited = animate("11").edit().to_events().edit().set_body_throw(1, "backcross").edit().reverse()
    choreography = edited.choreography
    earlier, later = (
        replace(choreography.events, time=choreography.events.time + shift)
        for shift in (-1e-12, 1e-12)
    )
    times = np.linspace(0.0, edited.duration, 401)
    hands, other_hands = (
        move(replace(choreography, events=events), edited.parameters).sample(times).hands
        for events in (earlier, later)
    )
    np.testing.assert_allclose(hands, other_hands, atol=1e-9)
