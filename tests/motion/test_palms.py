"""How hands are turned, seen in the motion and in the joints that follow from it."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from siteswap_strategies import flying_siteswaps
from staging_strategies import catches_texts

import juggle_anim as ja
from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import PALM, THUMB_BACK, THUMB_OUT
from juggle_anim.choreography import EventKind, Grasp
from juggle_anim.choreography.hand_points import LONGEST_PATH
from juggle_anim.motion.flight import MAX_SINK
from juggle_anim.motion.palms import MAX_RATES, NATURAL_PALMS, TURN

SKIN = 0.016
UP = np.array([0.0, 1.0, 0.0])
turned = st.builds(
    lambda text, catches, prop: ja.animate(text, catches=catches, prop=prop),
    flying_siteswaps(),
    catches_texts(),
    st.sampled_from(["ball", "club", "ring", "ball,club,ring"]),
)
laws = settings(max_examples=settings.default.max_examples // 2)


class Seen(NamedTuple):
    """Hands of a pose, each of shape (T, 2J, 3): directions, and joints [m]."""

    fingers: Floats
    palm: Floats
    thumb: Floats
    palms: Floats
    tips: Floats
    thumb_tips: Floats
    elbows: Floats
    wrists: Floats


def seen(animation: Animation, times: Floats) -> Seen:
    joints = animation.pose(times).joints

    def pair(name: str) -> Floats:
        found = joints[:, :, [Joint[f"LEFT_{name}"], Joint[f"RIGHT_{name}"]]]
        return found.reshape(len(times), -1, 3)

    palms, wrists = pair("PALM"), pair("WRIST")
    fingers = (palms - wrists) / PALM
    thumb = (pair("THUMB") - palms + THUMB_BACK * fingers) / THUMB_OUT
    side = np.where(np.arange(palms.shape[1]) % 2 == 0, 1.0, -1.0)[:, None]
    palm = side * np.cross(fingers, thumb)
    return Seen(fingers, palm, thumb, palms, pair("TIPS"), pair("THUMB_TIP"), pair("ELBOW"), wrists)


def events(animation: Animation, kind: EventKind) -> tuple[Floats, Floats, Floats]:
    """Times, hands and grasps of throws or catches."""
    found = animation.choreography.events
    rows = found.kind == kind
    grasp = np.zeros(rows.sum(), dtype=np.intp) if found.grasp is None else found.grasp[rows]
    return found.time[rows], found.hand[rows], grasp


@given(turned)
@laws
def test_hands_turn_with_continuous_speed_and_acceleration(animation: Animation) -> None:
    paths = animation.motion.palms.paths
    count = len(paths.path_of_piece)
    following = np.where(
        np.arange(count) == paths.last[paths.path_of_piece],
        paths.first[paths.path_of_piece],
        np.arange(count) + 1,
    )
    length = paths.start[following] - paths.start
    length = np.where(
        following <= np.arange(count), length + paths.periods[paths.path_of_piece], length
    )
    for derivative in (0, 1, 2):
        ends = paths.evaluate(np.arange(count), length, derivative)
        starts = paths.evaluate(following, np.zeros(count), derivative)
        scale = (
            1.0 + np.abs(paths.coefficients[:, derivative]).max() + 1.0 / length.min() ** derivative
        )
        assert np.abs(ends - starts).max() < 1e-9 * scale


@given(turned, st.integers(0, 2**32 - 1))
@laws
def test_no_hand_hurries_to_turn_nor_turns_farther_than_hands_can(
    animation: Animation, seed: int
) -> None:
    times = np.random.default_rng(seed).uniform(0, animation.duration, 400)
    paths = animation.motion.palms.paths
    at = paths.locate(np.arange(len(paths.periods)), times[:, None])
    # Between two knots a quintic is at most 15/8 as fast as on average.
    assert (np.abs(paths.evaluate(*at, 1)).max(axis=(0, 1)) < 2.05 * MAX_RATES + 1e-9).all()
    value = paths.evaluate(*at)
    assert np.degrees(value[..., 2].min()) > -40
    assert np.degrees(value[..., 2].max()) < 380
    assert value[..., 3:7].min() >= 0
    assert np.abs(value[..., 7]).max() < 0.03
    assert value[..., 3:5].max() <= 1


@given(turned, st.integers(0, 2**32 - 1))
@laws
def test_after_a_loop_hands_are_turned_as_before(animation: Animation, seed: int) -> None:
    times = np.random.default_rng(seed).uniform(0, animation.duration, 20)
    palms = animation.motion.palms
    assert palms.at(times + animation.duration) == pytest.approx(palms.at(times), abs=1e-7)


@given(turned, st.integers(0, 2**32 - 1))
@laws
def test_a_hand_is_turned_the_same_to_the_last_bit_alone_and_among_others(
    animation: Animation, seed: int
) -> None:
    times = np.random.default_rng(seed).uniform(0, animation.duration, 33)
    palms = animation.motion.palms
    together = palms.at(times)
    for row in (0, 7, 32):
        assert (palms.at(times[[row]])[0] == together[row]).all()
    assert (palms.at(times, np.array([1]))[:, 0] == together[:, 1]).all()


@pytest.mark.parametrize(
    "text",
    ["3", "531", "b97531", "(6x,4)*", "mills-mess", "3;catches=claw", "3;catches=penguin,palm"],
)
def test_a_palm_faces_what_it_carries_and_lies_against_it(text: str) -> None:
    animation = ja.animate(text if "=" not in text else f"pattern={text}")
    times = np.linspace(0, animation.duration, 300, endpoint=False)
    frames, hands = animation.sample(times), seen(animation, times)
    at, prop = np.nonzero(frames.holders >= 0)
    hand = frames.holders[at, prop]
    place = frames.hands.reshape(len(times), -1, 3)[at, hand]
    away = place - hands.palms[at, hand]
    reach = animation.motion.prop_radius + SKIN
    inside = animation.pose(times).gaps.reshape(len(times), -1)[at, hand] < 1e-6
    assert inside.mean() > 0.9
    # A palm gives way to what it catches, and has come back before it throws.
    distance = (away * hands.palm[at, hand]).sum(axis=1)
    behind = animation.motion.palms.at(times)[at, hand, -1:]
    in_hollow = distance[:, None] * hands.palm[at, hand] - behind * hands.fingers[at, hand]
    assert away[inside] == pytest.approx(in_hollow[inside], abs=1e-5)
    assert (distance[inside] > reach - 1e-5).all()
    assert (distance[inside] < reach + MAX_SINK + 1e-5).all()
    is_last = animation.sample(times + times[1]).holders[at, prop] != hand
    assert distance[inside & is_last] == pytest.approx(reach, abs=1e-5)


@pytest.mark.parametrize("text", ["3", "5", "7", "531", "97531", "mills-mess", "3;catches=claw"])
def test_a_caught_ball_sinks_toward_the_palm_but_not_into_it(text: str) -> None:
    animation = ja.animate(text if "=" not in text else f"pattern={text}")
    times = np.arange(0.0, animation.duration, 1 / 240)
    frames, hands = animation.sample(times), seen(animation, times)
    at, prop = np.nonzero(frames.holders >= 0)
    hand = frames.holders[at, prop]
    away = ((frames.props[at, prop] - hands.palms[at, hand]) * hands.palm[at, hand]).sum(axis=1)
    assert away.min() > animation.motion.prop_radius + SKIN - 0.001


def test_a_palm_that_carries_a_ball_is_never_steep() -> None:
    for text in ("3", "5", "531", "b97531", "(6x,4)*", "51", "1"):
        animation = ja.animate(text)
        times = np.linspace(0, animation.duration, 500, endpoint=False)
        frames, hands = animation.sample(times), seen(animation, times)
        at, prop = np.nonzero(frames.holders >= 0)
        upright = hands.palm[at, frames.holders[at, prop], 1]
        assert upright.min() > np.cos(NATURAL_PALMS.max_tilt.max() + np.radians(4))


def test_a_palm_turns_toward_where_it_throws_and_toward_what_comes() -> None:
    animation = ja.animate("3", style="juggling-lab")
    for kind, sign in ((EventKind.THROW, 1.0), (EventKind.CATCH, -1.0)):
        times, hand, _ = events(animation, kind)
        palm = seen(animation, times).palm[np.arange(len(times)), hand]
        flights, flying = animation.choreography.flights, animation.motion.flight_paths
        event = flights.throw if kind == EventKind.THROW else flights.catch
        order = np.searchsorted(np.flatnonzero(animation.choreography.events.kind == kind), event)
        velocity = (flying.launch if kind == EventKind.THROW else flying.arrival)[np.argsort(order)]
        way = sign * velocity / np.linalg.norm(velocity, axis=1, keepdims=True)
        assert ((palm * way).sum(axis=1) > way[:, 1]).all()
        assert (palm[:, 0] * way[:, 0] > 0).all()


def test_a_palm_leans_into_the_swing_of_what_it_carries() -> None:
    animation = ja.animate("3", style="juggling-lab")
    times = np.linspace(0, animation.duration, 800, endpoint=False)
    frames, hands = animation.sample(times), seen(animation, times)
    # What a hand feels, over the eighth of a second that it takes to turn.
    late, early = (animation.motion.sample(times + shift, 1).hands for shift in (0.06, -0.06))
    force = ((late - early) / 0.12).reshape(len(times), -1, 3) + 9.81 * UP
    at, prop = np.nonzero(frames.holders >= 0)
    hand = frames.holders[at, prop]
    lean, wanted = (
        hands.palm[at, hand, 0],
        force[at, hand, 0] / np.linalg.norm(force[at, hand], axis=-1),
    )
    assert np.corrcoef(lean, wanted)[0, 1] > 0.5


def test_both_hands_of_a_cascade_do_the_same_half_a_loop_apart() -> None:
    palms = ja.animate("3").motion
    times = np.linspace(0, palms.duration, 60)
    left, right = palms.palms.at(times)[:, 0], palms.palms.at(times + palms.duration / 2)[:, 1]
    assert left == pytest.approx(right, abs=1e-9)


@pytest.mark.parametrize("text", ["3", "5", "531", "51", "(4,4)", "<3p 3|3p 3>"])
def test_a_claw_is_over_its_prop_when_it_catches_and_while_it_carries(text: str) -> None:
    animation = ja.animate(f"pattern={text};catches=claw")
    times, hand, _ = events(animation, EventKind.CATCH)
    palm = seen(animation, times).palm[np.arange(len(times)), hand]
    assert palm[:, 1].max() < -0.5
    during = np.linspace(0, animation.duration, 400, endpoint=False)
    frames, hands = animation.sample(during), seen(animation, during)
    at, prop = np.nonzero(frames.holders >= 0)
    assert (hands.palm[at, frames.holders[at, prop], 1] < -0.2).all()


def test_a_claw_throws_out_of_a_palm_that_looks_forward_and_down() -> None:
    animation = ja.animate("pattern=3;catches=claw")
    times, hand, _ = events(animation, EventKind.THROW)
    palm = seen(animation, times).palm[np.arange(len(times)), hand]
    assert (palm[:, 2] > 0.5).all()
    assert (palm[:, 1] < -0.2).all()


def test_a_penguin_has_its_palm_up_and_its_fingers_back_and_gets_there_with_the_palm_never_down() -> (
    None
):
    animation = ja.animate("pattern=3;catches=penguin,palm|palm")
    found = animation.choreography.events
    times = found.time[found.manners[:, 1] > 0]
    hands = seen(animation, times)
    assert len(times) > 0
    assert (hands.palm[:, 0, 1] > 0.7).all()
    # Backward and outward: the arm is turned inward, as the thumb beside the hip tells.
    assert (hands.fingers[:, 0, 2] < -0.4).all()
    assert (hands.fingers[:, 0, 0] > 0.0).all()
    assert (hands.thumb[:, 0, 0] < -0.3).all()
    # The fingers sweep inward past the body, under the elbow, and the ball stays in the palm.
    times = np.linspace(0, animation.duration, 2000)
    yaw = np.degrees(animation.motion.palms.at(times)[:, 0, 0])
    assert yaw.max() < 40
    assert yaw.min() < -180
    assert seen(animation, times).palm[:, 0, 1].min() > 0.0


def test_hands_turn_over_between_catches_of_two_kinds() -> None:
    animation = ja.animate("pattern=3;catches=claw,palm")
    times, hand, grasp = events(animation, EventKind.CATCH)
    upright = seen(animation, times).palm[np.arange(len(times)), hand, 1]
    assert (upright[grasp == Grasp.CLAW] < -0.4).all()
    assert (upright[grasp == Grasp.PALM] > 0.7).all()


@pytest.mark.parametrize(
    "settings_text",
    ["3", "b97531", "(6x,4)*", "mills-mess", "overhead cascade", "pattern=5;prop=club",
        "pattern=3;prop=ring",
     "pattern=3;catches=claw", "pattern=3;catches=penguin,palm",
     "pattern=3;catches=palm|claw,penguin"],
)  # fmt: skip
def test_wrists_bend_no_farther_than_a_persons(settings_text: str) -> None:
    animation = ja.animate(settings_text)
    hands = seen(animation, np.linspace(0, animation.duration, 600, endpoint=False))
    forearm = hands.wrists - hands.elbows
    forearm /= np.linalg.norm(forearm, axis=-1, keepdims=True)
    assert np.degrees(np.arccos((forearm * hands.fingers).sum(axis=-1))).max() < 81


# Real palms tilt inward by 30 to 45°; with several balls ours tilt less, so that none rolls off.
@pytest.mark.parametrize(("style", "most"), [("natural", 27.0), ("juggling-lab", 15.0)])
def test_several_props_lie_on_a_more_level_palm(style: str, most: float) -> None:
    animation = ja.animate("[33]", style=style)
    times = np.linspace(0, animation.duration, 300, endpoint=False)
    frames, hands = animation.sample(times), seen(animation, times)
    for side in (0, 1):
        several = (frames.holders == side).sum(axis=1) > 1
        assert several.any()
        assert hands.palm[several, side, 1].min() > np.cos(np.radians(most))


def test_of_mixed_props_each_lies_against_the_palm() -> None:
    animation = ja.animate("pattern=(4,4);prop=ball,ring,ball,ring")
    shapes = animation.motion.shapes
    times = np.linspace(0, animation.duration, 400, endpoint=False)
    frames, hands = animation.sample(times), seen(animation, times)
    kinds = {
        orbit: {
            shapes.kind[prop]
            for prop in np.flatnonzero(animation.motion.props.orbit_of_prop == orbit)
        }
        for orbit in (0, 1)
    }
    assert sorted(map(tuple, kinds.values())) == [("ball",), ("ring",)]
    at, prop = np.nonzero(frames.holders >= 0)
    hand = frames.holders[at, prop]
    place = frames.hands.reshape(len(times), -1, 3)[at, hand] - shapes.grip_drop[prop, None] * UP
    away = ((place - hands.palms[at, hand]) * hands.palm[at, hand]).sum(axis=1)
    apart = away - shapes.grip_to_palm[prop] - SKIN
    is_last = animation.sample(times + times[1]).holders[at, prop] != hand
    assert np.abs(apart[is_last]).max() < 1e-6
    assert apart.min() > -1e-6
    assert apart.max() < MAX_SINK + 1e-6


@pytest.mark.parametrize("bps", [2.0, 3.0, 4.0])
def test_a_hand_turns_for_a_catch_on_the_neck_in_the_last_beats_before_it_at_every_tempo(
    bps: float,
) -> None:
    animation = ja.animate("pattern=300;catches=neck", bps=bps)
    found = animation.choreography.events
    (catch,) = found.time[(found.hand == 1) & (found.kind == EventKind.CATCH)]
    (throw,) = found.time[(found.hand == 1) & (found.kind == EventKind.THROW)]
    begins = catch - LONGEST_PATH / bps
    assert throw < begins
    before = animation.motion.palms.at(np.linspace(throw, begins, 30), np.array([1]))[:, 0, TURN]
    during = animation.motion.palms.at(np.linspace(begins, catch, 30), np.array([1]))[:, 0, TURN]
    assert np.degrees(np.ptp(before, axis=0)).max() < 1
    assert np.degrees(np.ptp(during, axis=0)).max() > 180
