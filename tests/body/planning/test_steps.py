import numpy as np
import pytest
from body_moves import moving_jugglers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shared_plans import plan_without_arms

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Booleans, Floats
from juggle_anim.body import BONES, Joint
from juggle_anim.body.planning.steps import (
    MAX_STEP_TIME,
    MIN_STEP_TIME,
    Cadence,
    Steps,
    plan_cadence,
)
from juggle_anim.body.skeleton import ANKLE_HEIGHT

FEET = slice(Joint.LEFT_ANKLE, Joint.RIGHT_TOES + 1)


ROUND = "pattern=3;body=(0,0,0)....(90,0,150)....(180,150,150)....(270,150,0)...."


THERE_AND_BACK = "pattern=3;body=(0,0,0).......(0,0,100)......."


STROLLS = (
    ROUND,
    THERE_AND_BACK,
    "pattern=531;body=(0)......(180)......",
    "pattern=5;body=(0,0,0).....(0,90,0).....",
)


laws = settings(max_examples=settings.default.max_examples // 4)


def walking(text: str) -> Animation:
    """An animation whose plan says nothing of arms, on which no foot depends."""
    animation = animate(text)
    plan = plan_without_arms(animation.motion, animation.parameters)
    animation.__dict__["plan"] = plan
    return animation


def steps_of(animation: Animation) -> Steps:
    steps = animation.plan.steps
    assert steps is not None
    return steps


def planted(steps: Steps, times: Floats) -> Booleans:
    """Which feet stand at each time, shape (T, J, 2)."""
    piece, _ = steps.paths.locate(np.arange(len(steps.paths.periods)), times[:, None])
    moves = steps.paths.coefficients[:, 1:].any(axis=(1, 2))
    return ~moves[piece].reshape(len(times), -1, 2)


def seen(points: Floats, places: Floats) -> Floats:
    """Points in the world, shape (T, N, 3), as seen from a body, whose places have shape (T, 4)."""
    away = points - places[:, None, :3]
    sine, cosine = np.sin(places[:, 3, None]), np.cos(places[:, 3, None])
    return np.stack(
        [
            away[..., 0] * cosine - away[..., 2] * sine,
            away[..., 1],
            away[..., 2] * cosine + away[..., 0] * sine,
        ],
        axis=-1,
    )


@laws
@given(moving_jugglers())
def test_a_foot_on_the_floor_stays_where_it_is(text: str) -> None:
    animation = walking(text)
    if animation.plan.steps is None:
        return
    times = np.arange(0, animation.duration, 0.01)
    feet = animation.pose(times).joints[:, 0, FEET].reshape(-1, 2, 2, 3)
    stands = planted(animation.plan.steps, times)[:, 0]
    stays = stands[1:] & stands[:-1]
    speed = np.linalg.norm(np.diff(feet, axis=0), axis=-1) / 0.01
    # Between two times may lie a whole step; then the piece is another.
    piece = animation.plan.steps.paths.locate(np.arange(2), times[:, None])[0]
    stays &= piece[1:] == piece[:-1]
    assert stays.mean() > 0.4
    assert np.where(stays[:, None], speed, 0.0).max() < 1e-9
    assert (feet[:, 0, :, 1] - ANKLE_HEIGHT).min(axis=1).max() < 1e-9, (
        "one foot is always on the floor"
    )


@laws
@given(moving_jugglers(least_beats=1, farthest=300))
def test_no_leg_is_stretched_and_no_foot_is_below_the_floor(text: str) -> None:
    animation = walking(text)
    joints = animation.pose(np.linspace(0, animation.duration, 200)).joints
    for (start, end), length in BONES.items():
        lengths = np.linalg.norm(joints[..., end, :] - joints[..., start, :], axis=-1)
        assert np.abs(lengths - length).max() < 1e-9
    heights = joints[..., FEET, 1].reshape(-1, 2, 2)
    assert heights[:, 0].min() > ANKLE_HEIGHT - 1e-9
    assert heights[:, 1].min() > 0.03 - 1e-9


@laws
@given(moving_jugglers())
def test_legs_reach_every_place_that_is_planned(text: str) -> None:
    animation = walking(text)
    if animation.plan.steps is None:
        return
    times = np.arange(0, animation.duration, 0.02)
    joints = animation.pose(times).joints[:, 0]
    wanted = animation.plan.steps.at(times)[:, 0, :, :3]
    assert joints[:, Joint.LEFT_ANKLE : Joint.RIGHT_ANKLE + 1] == pytest.approx(wanted, abs=1e-9)


@laws
@given(moving_jugglers())
@example("pattern=3;body=(270,-65,0).......(0,1,-31)......")
@example("pattern=3;body=(180,100,-3).........(0,12,-26)....")
def test_feet_never_come_too_near_to_each_other(text: str) -> None:
    steps = walking(text).plan.steps
    if steps is None:
        return
    feet = steps.at(np.arange(0, steps.paths.periods[0], 0.02))[:, 0]
    apart = np.hypot(*(feet[:, 0] - feet[:, 1]).T[[0, 2]])
    # A shoe is 7 cm wide.
    assert apart.min() > 0.10


@laws
@given(moving_jugglers(least_beats=1), st.integers(0, 2**32 - 1))
def test_no_joint_of_who_moves_jumps_and_a_loop_closes(text: str, seed: int) -> None:
    animation = animate(text).closing_after(1)
    times = np.sort(np.random.default_rng(seed).uniform(0, animation.duration, 300))
    before, after = animation.pose(times).joints, animation.pose(times + 1e-6).joints
    assert np.linalg.norm(after - before, axis=-1).max() < 1e-4
    later = animation.pose(times + animation.duration).joints
    assert later == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize("text", STROLLS)
def test_a_foot_is_off_the_floor_before_it_goes_on(text: str) -> None:
    steps = steps_of(walking(text))
    feet = steps.at(np.arange(0, steps.paths.periods[0], 0.002))[:, 0]
    speed = np.hypot(*np.diff(feet, axis=0).T[[0, 2]]).T / 0.002
    assert speed[feet[1:, :, 1] < ANKLE_HEIGHT + 0.0005].max() < 0.12


@laws
@given(moving_jugglers() | moving_jugglers(farthest=25))
def test_feet_move_with_continuous_velocity_and_acceleration(text: str) -> None:
    steps = walking(text).plan.steps
    if steps is None:
        return
    paths = steps.paths
    for derivative, bound in ((0, 1e-7), (1, 1e-5), (2, 1e-3)):
        before, after = (
            paths.evaluate(*paths.locate(paths.path_of_piece, paths.start + hair), derivative)
            for hair in (-1e-9, 1e-9)
        )
        change = after - before
        # A foot that has turned once around is where it was.
        change[:, 3] = np.remainder(change[:, 3] + 1, 2 * np.pi) - 1
        assert np.abs(change).max() < bound


def test_feet_are_as_far_ahead_of_a_body_as_behind_it() -> None:
    animation = walking(THERE_AND_BACK)
    times = np.arange(0, animation.duration, 0.01)
    steps, bodies = steps_of(animation), animation.motion.bodies
    speed = bodies.places(times, 1)[:, 0, 2, None]
    ahead = np.sign(speed) * (
        steps.at(times)[:, 0, :, 2] + 0.035 - bodies.places(times)[:, 0, 2, None]
    )
    walks = planted(steps, times)[:, 0] & (np.abs(speed) > 0.5)
    assert walks.sum() > 50
    assert abs(ahead[walks].mean()) < 0.03


@pytest.mark.parametrize("text", STROLLS)
def test_feet_take_turns_and_stay_near_their_body(text: str) -> None:
    animation = walking(text)
    times = np.arange(0, animation.duration, 0.01)
    steps = steps_of(animation)
    places = animation.motion.bodies.places(times)[:, 0]
    feet = steps.at(times)[:, 0]
    from_body = seen(feet[..., :3], places)
    assert np.hypot(from_body[..., 0], from_body[..., 2]).max() < 0.5
    assert np.degrees(np.abs(np.angle(np.exp(1j * (feet[..., 3] - places[:, 3, None]))))).max() < 60
    lifted = feet[..., 1] - ANKLE_HEIGHT
    assert 0.02 < lifted.max() < 0.13
    assert (lifted > 1e-3).sum(axis=1).max() == 1
    lasts = np.diff(steps.paths.start)[steps.paths.coefficients[:-1, 3].any(axis=1)]
    assert lasts.min() > 0.15
    assert lasts.max() < 0.55


def test_who_stands_still_never_steps() -> None:
    assert animate("531").plan.steps is None
    assert animate("<3p|3p>").plan.steps is None
    one_walks = animate("pattern=<3p|3p>;body=<(90,75,0).......(90,75,80).......|(270,-75,0).>")
    feet = one_walks.pose(np.linspace(0, one_walks.duration, 200)).joints[:, :, FEET]
    assert np.ptp(feet[:, 1], axis=0) == pytest.approx(0.0, abs=1e-9)
    assert np.ptp(feet[:, 0], axis=0).max() > 0.5


def test_who_sways_a_little_keeps_the_feet_where_they_are() -> None:
    animation = animate("pattern=3;body=(0,0,0)....(10,8,6)....")
    joints = animation.pose(np.linspace(0, animation.duration, 200)).joints[:, 0]
    assert np.ptp(joints[:, FEET], axis=0) == pytest.approx(0.0, abs=1e-9)
    assert np.ptp(joints[:, Joint.PELVIS, 0]) > 0.04


def test_who_comes_to_rest_stands_at_ease() -> None:
    animation = animate("pattern=3;body=" + "(0,0,0).." * 9 + "(0,0,90).." * 9)
    bodies = animation.motion.bodies
    times = np.arange(0, animation.duration, 0.02)
    places, speeds = bodies.places(times)[:, 0], bodies.places(times, 1)[:, 0]
    rests = np.hypot(speeds[:, 0], speeds[:, 2]) < 0.02
    long = np.convolve(rests, np.ones(50), "full")[: len(rests)] >= 50
    long &= np.roll(rests, -10)  # a foot may lift a little before the body moves on
    assert long.any()
    feet = seen(steps_of(animation).at(times)[:, 0, :, :3], places)[long]
    assert feet[..., [0, 2]] == pytest.approx(
        np.broadcast_to([[0.125, -0.035], [-0.125, -0.035]], (len(feet), 2, 2)), abs=0.04
    )


def test_who_turns_round_and_round_steps_on_in_the_same_direction() -> None:
    animation = animate("pattern=3;body=(0)...(90)...(180)...(270)...")
    times = np.linspace(0, animation.duration, 500)
    turns = steps_of(animation).at(times)[:, 0, :, 3]
    assert np.diff(np.unwrap(turns, axis=0), axis=0).min() > -1e-9
    assert np.degrees(np.unwrap(turns, axis=0)[-1] - turns[0]) == pytest.approx([360.0, 360.0])


@pytest.mark.parametrize(
    "body", ["(0,0,0).(0,300,0).", "(0).(120).(240).", "(0,0,0,100)....(0,0,60,150)...."]
)
def test_who_is_too_fast_or_flies_glides(body: str) -> None:
    times = np.linspace(0, 1, 50)
    step, glide = (
        animate(f"pattern=3;body={body}", feet=feet).pose(times).joints
        for feet in ("step", "glide")
    )
    assert step == pytest.approx(glide, abs=1e-12)


def test_feet_that_glide_stay_under_their_body() -> None:
    animation = animate(ROUND, feet="glide")
    assert animation.plan.steps is None
    times = np.linspace(0, animation.duration, 100)
    feet = seen(
        animation.pose(times).joints[:, 0, FEET], animation.motion.bodies.places(times)[:, 0]
    )
    assert np.ptp(feet, axis=0) == pytest.approx(0.0, abs=1e-9)


def test_who_walks_on_a_platform_steps_on_it() -> None:
    usual, higher = (
        animate(f"pattern=3;body=(0,0,0,{height})......(0,0,90,{height})......")
        for height in (100, 150)
    )
    times = np.linspace(0, usual.duration, 100)
    lifted = higher.pose(times).joints - usual.pose(times).joints
    assert lifted == pytest.approx(np.broadcast_to([0.0, 0.5, 0.0], lifted.shape), abs=1e-9)


def test_a_crowd_that_strolls_is_planned_as_each_would_be_alone() -> None:
    ways = [
        "(0,0,0)....(0,0,90)....",
        "(0,0,0)....(90,40,0)....",
        "(0,300,0)....(0,304,0)....",
        "(0,0,0).(0,900,0).......",
    ]
    alone = [walking(f"pattern=3;body={way}") for way in ways]
    crowd = walking(f"pattern=<{'|'.join('3' * len(ways))}>;body=<{'|'.join(ways)}>")
    assert crowd.duration == pytest.approx(alone[0].duration)
    times = np.linspace(0, crowd.duration, 80)
    together = crowd.pose(times).joints[..., FEET, :]
    for juggler, animation in enumerate(alone):
        assert together[:, juggler] == pytest.approx(
            animation.pose(times).joints[:, 0, FEET], abs=1e-6
        )


def test_no_times_give_no_feet() -> None:
    assert steps_of(animate(ROUND)).at(np.zeros(0)).shape == (0, 1, 2, 4)


def cadence_of(text: str) -> Cadence:
    animation = animate(text)
    return plan_cadence(animation.motion.bodies, animation.duration)


@laws
@given(moving_jugglers())
def test_steps_follow_each_other_round_the_loop(text: str) -> None:
    cadence = cadence_of(text)
    juggler, count = np.array([0]), 2 * int(cadence.pairs[0])
    begins = cadence.time(juggler, np.arange(count + 1))
    assert begins[0] == 0
    assert begins[-1] == cadence.duration
    assert cadence.time(juggler, np.arange(count + 1) + count) == pytest.approx(
        begins + cadence.duration
    )
    if not (cadence.stay[0] or cadence.glide[0]):
        lasts = np.diff(begins)
        assert lasts.mean() > 0.999 * MIN_STEP_TIME
        assert lasts.min() > 0.8 * MIN_STEP_TIME
        assert lasts.max() < 1.3 * MAX_STEP_TIME


def test_steps_are_quicker_while_a_body_is_faster() -> None:
    text = "pattern=3;body=(0,0,0)....(0,0,250)..(0,0,250)..(0,0,250)..(0,0,250)....(0,0,0)..(0,0,0)..(0,0,0).."
    cadence = cadence_of(text)
    begins = cadence.time(np.array([0]), np.arange(2 * cadence.pairs[0] + 1))
    speeds = animate(text).motion.bodies.places((begins[1:] + begins[:-1]) / 2, 1)[:, 0]
    speed, lasts = np.hypot(speeds[:, 0], speeds[:, 2]), np.diff(begins)
    assert lasts[speed > 1.5].max() < 0.7 * lasts[speed < 0.5].max()


def test_who_goes_sideways_steps_quicker_than_who_goes_ahead() -> None:
    ahead, aside = (
        cadence_of(f"pattern=3;body=(0,0,0)......({way})......").pairs[0]
        for way in ("0,0,120", "0,120,0")
    )
    assert aside > ahead


@pytest.mark.parametrize(
    ("body", "stays", "glides"),
    [
        ("(0,0,0)....(0,3,0)....", True, False),
        ("(0,0,0)....(15,0,3)....", True, False),
        ("(0,0,0)....(0,0,60)....", False, False),
        ("(0,0,0).(0,300,0).", False, True),
        ("(0).(120).(240).", False, True),
        ("(0,0,0,100)....(0,0,0,150)....", True, True),
        ("(0,0,0,100)....(0,0,60,150)....", False, True),
    ],
)
def test_who_sways_stays_and_who_flies_or_races_glides(
    body: str, stays: bool, glides: bool
) -> None:
    cadence = cadence_of(f"pattern=3;body={body}")
    assert cadence.stay.tolist() == [stays]
    assert cadence.glide.tolist() == [glides]
