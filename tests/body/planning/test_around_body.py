"""Limits of bodies that throw around themselves: no effect where far, met by moving away."""

import numpy as np
import pytest

from juggle_anim import animate
from juggle_anim.arrays import Floats
from juggle_anim.body.planning.steps import Stances, stances_at
from juggle_anim.body.planning.trunk_plan import (
    AroundBodyProblem,
    FirmBalance,
    KeepClear,
    LimitBends,
    PropSpheres,
    ReachAroundBody,
    ReachHands,
    Task,
    ThrowUnderThighs,
)
from juggle_anim.body.trunk_and_legs import ANKLES, LEAN_LEFT, LEG_CHANNELS, TRUNK_CHANNELS
from juggle_anim.motion.palms import CHANNELS

HANDS = np.array([[[[0.45, 1.2, 0.2], [-0.45, 1.2, 0.2]]]])
KNEE_UP = np.array([0.0, 0.5, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0])
NOBODY_MOVES = np.zeros((1, 1, TRUNK_CHANNELS + LEG_CHANNELS))


def standing_on_the_right_foot() -> Stances:
    """The left ankle 0.5 m up and 0.4 m ahead of where it stands."""
    return Stances(
        legs=KNEE_UP.reshape(1, 1, LEG_CHANNELS),
        trunk_posture=np.zeros((1, 1, TRUNK_CHANNELS)),
        posture_share=np.ones((1, 1, 1)),
        weight=-np.ones((1, 1, 1)),
        lift_share=np.array([[[1.0, 0.0]]]),
    )


def limits_of(
    limit: Task, values: Floats, hands: Floats = HANDS, yielding: float | None = None
) -> Floats:
    stances = standing_on_the_right_foot()
    if yielding is not None:
        stances = stances._replace(legs=0.0 * stances.legs)
    problem = AroundBodyProblem(
        hands=hands,
        turns=np.zeros((1, 1, 2, CHANNELS)),
        ankles=np.broadcast_to(ANKLES, (1, 1, 2, 3)),
        stances=stances,
        tasks=[],
        limits=[limit],
        max_yield=yielding or 0.0,
    )
    return problem.residuals(values).limits[0, 0]


def ball_at(*place: float) -> KeepClear:
    return KeepClear(np.array([[[place]]]), np.array([0.035]), HANDS)


def moved(channel: int, by: float) -> Floats:
    values = NOBODY_MOVES.copy()
    values[..., channel] = by
    return values


def test_hands_that_may_turn_ask_less_of_a_body_where_they_are_out_of_reach() -> None:
    low = HANDS - (0.0, 0.5, 0.0)
    stiff, turning = (
        limits_of(ReachHands(), NOBODY_MOVES, low, yielding) for yielding in (0.0, 0.6)
    )
    assert (turning[:2] < stiff[:2] - 1.0).all()
    near = [limits_of(ReachHands(), NOBODY_MOVES, HANDS, yielding) for yielding in (0.0, 0.6)]
    assert near[0] == pytest.approx(near[1])


def test_a_body_that_throws_around_itself_stays_off_wrists_near_its_shoulders() -> None:
    near = np.array([[[[0.2, 1.45, 0.2], [-0.45, 1.2, 0.2]]]])
    before_body, around_body = (
        limits_of(limit, NOBODY_MOVES, near) for limit in (ReachHands(), ReachAroundBody())
    )
    assert around_body[2] > 2.0 * before_body[2] > 0.0
    assert limits_of(ReachAroundBody(), moved(1, -0.1), near)[2] < around_body[2]


def test_a_ball_that_is_far_from_a_body_asks_for_nothing() -> None:
    assert not limits_of(ball_at(0.0, 1.2, 0.6), NOBODY_MOVES).any()


def test_a_trunk_gets_out_of_the_way_of_a_ball_by_leaning_away() -> None:
    ball = ball_at(0.0, 1.2, 0.12)
    leaning_back = moved(6, -0.2)
    assert limits_of(ball, leaning_back).max() < limits_of(ball, NOBODY_MOVES).max() - 1.0


@pytest.mark.parametrize("place", [(0.0, 1.60, 0.145), (0.0, 1.62, -0.095)])
def test_a_ball_keeps_clear_of_nose_and_hair(place: tuple[float, float, float]) -> None:
    near, farther = (
        limits_of(ball_at(*place[:2], place[2] * by), NOBODY_MOVES).max() for by in (1.0, 1.5)
    )
    assert near > 1.0
    assert not farther


def test_a_ball_keeps_clear_of_a_lifted_foot() -> None:
    foot = ball_at(0.1, ANKLES[0, 1] + 0.45, ANKLES[0, 2] + 0.5)
    assert limits_of(foot, NOBODY_MOVES).max() > 1.0


def test_a_lifted_thigh_makes_room_for_a_ball_below_it_and_a_standing_leg_does_not_move() -> None:
    below_the_thigh = ball_at(0.1, 0.88, 0.25)
    higher = moved(TRUNK_CHANNELS + 1, 0.1)
    before = limits_of(below_the_thigh, NOBODY_MOVES).max()
    assert before > 1.0
    assert limits_of(below_the_thigh, higher).max() < before - 1.0
    beside_the_standing_leg = ball_at(-0.13, 0.3, 0.05)
    before = limits_of(beside_the_standing_leg, NOBODY_MOVES)
    assert limits_of(beside_the_standing_leg, moved(TRUNK_CHANNELS + 3, -0.1)) == pytest.approx(
        before
    )


def with_left_wrist_at(*place: float) -> KeepClear:
    """Bodies keep clear of their arms: the right one at ease, the left one with its elbow out."""
    elbows = [[0.6, 1.2, 0.0], [-0.6, 1.2, 0.0]]
    arms = np.concatenate([HANDS, [[[*elbows, place, [-0.45, 1.2, 0.2]]]]], axis=2)
    return KeepClear(np.array([[[[0.0, 3.0, 0.0]]]]), np.array([0.035]), arms)


def test_a_lifted_leg_makes_room_for_a_forearm_at_its_knee() -> None:
    clear = with_left_wrist_at(0.1, 1.0, 0.4)
    before = limits_of(clear, NOBODY_MOVES)
    assert (before > 1.0).sum() == 1
    assert limits_of(clear, moved(TRUNK_CHANNELS + 1, -0.3)).max() < before.max() - 1.0


def test_an_arm_over_a_lifted_leg_moves_with_its_shoulder() -> None:
    clear = with_left_wrist_at(0.1, 0.95, 0.35)
    right, upright, left = (
        limits_of(clear, moved(LEAN_LEFT, lean)).max() for lean in (-0.1, 0.0, 0.1)
    )
    assert right + 0.5 < upright < left - 0.5


def test_hands_throw_under_the_middle_of_a_lifted_thigh_and_others_are_free() -> None:
    is_under = np.array([[[[True, False], [False, False]]]])
    near, farther = (np.array([[[[0.1, 0.8, ahead], [-0.45, 1.2, 0.2]]]]) for ahead in (0.1, 0.25))
    near_the_hip, under_the_thigh, of_nobody = (
        limits_of(ThrowUnderThighs(hands, under), NOBODY_MOVES)
        for hands, under in ((near, is_under), (farther, is_under), (near, np.zeros_like(is_under)))
    )
    assert near_the_hip[0] < -1.0
    assert not near_the_hip[1:].any()
    assert not under_the_thigh.any()
    assert not of_nobody.any()


def test_weight_beside_the_standing_foot_is_pulled_over_it() -> None:
    balance = FirmBalance(HANDS, np.array([[[-0.12, 0.03]]]))
    between_the_feet = np.abs(limits_of(balance, NOBODY_MOVES)).max()
    over_the_foot = np.abs(limits_of(balance, moved(0, -0.15))).max()
    assert over_the_foot < between_the_feet / 2


@pytest.mark.parametrize(("channel", "by"), [(5, 1.2), (6, 1.2), (TRUNK_CHANNELS + 6, 1.2)])
def test_bends_farther_than_peoples_are_pulled_back(channel: int, by: float) -> None:
    limit = LimitBends(standing_on_the_right_foot())
    assert not limits_of(limit, NOBODY_MOVES).any()
    far = limits_of(limit, moved(channel, by)).max()
    farther = limits_of(limit, moved(channel, 1.2 * by)).max()
    assert 0.0 < far < farther


@pytest.mark.parametrize("prop", ["ball", "club", "ring"])
def test_props_are_seen_as_balls_that_fill_them(prop: str) -> None:
    motion = animate("3", prop=prop).motion
    times = np.array([0.1, 0.4])
    balls = PropSpheres.from_bodies(motion, times, np.array([0]), np.array([0.1]))
    centres = motion.sample(times).props + (0.0, 0.0, 0.1)
    away = np.linalg.norm(balls.places[:, 0, :, None] - centres[:, None], axis=-1).min(axis=-1)
    assert (away + balls.radii).max() <= motion.shapes.reach.max() + 0.03


def test_a_mirrored_body_is_asked_for_the_mirror_image() -> None:
    animation = animate("3", throws="underleg")
    times = np.array([0.1, 0.3])
    half = animation.duration / 2
    stances = stances_at(animation.motion, times, np.array([0]))
    mirrored = stances_at(animation.motion, times + half, np.array([0]))
    assert stances
    assert mirrored
    assert mirrored.weight == pytest.approx(-stances.weight)
    assert mirrored.lift_share == pytest.approx(stances.lift_share[..., ::-1])
    other_side = [3, 4, 5, 0, 1, 2, 7, 6]
    signs = np.array([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
    assert mirrored.legs == pytest.approx(signs * stances.legs[..., other_side])
