"""Breath, sway, blinks and nods."""

from dataclasses import replace

import numpy as np
import pytest
from life import without_life

from juggle_anim import Animation, animate
from juggle_anim.body import Joint, pose
from juggle_anim.body.pose import (
    MAX_BLINK_INTERVAL,
    MIN_BLINK_INTERVAL,
    OWN_PERIOD,
    SHORTEST_PERIOD,
    plan_life,
)
from juggle_anim.body.trunk_and_legs import support_margin
from juggle_anim.exporter.view import FrameRequest

PATTERNS = "3", "5", "531", "97531", "Mills mess", "(6x,4)*", "<3p|3p>"
TIMES = np.arange(0.0, OWN_PERIOD, 1 / 60)


def moved_by_life(animation: Animation, times: np.ndarray = TIMES) -> np.ndarray:
    """How far life moves joints, shape (T, J, joints, 3), in mm."""
    return 1e3 * (animation.pose(times).joints - without_life(animation).pose(times).joints)


def begins(lids: np.ndarray, times: np.ndarray) -> np.ndarray:
    """When lids have half closed."""
    return times[1:][(lids[1:] > 0.5) & (lids[:-1] <= 0.5)]


@pytest.mark.parametrize("text", PATTERNS)
def test_a_body_breathes_and_sways_by_millimetres_and_its_hands_stay(text: str) -> None:
    animation = animate(text)
    moved = moved_by_life(animation)
    up = np.ptp(moved[:, :, Joint.LEFT_SHOULDER, 1], axis=0)
    assert (up > 3.0).all()
    assert (up < 5.0).all()
    level = np.ptp(moved[:, :, Joint.PELVIS], axis=0)[:, ::2]
    assert (level > 2.0).all()
    assert (level < 4.0).all()
    hands = moved[:, :, Joint.LEFT_PALM : Joint.LEFT_HIP]
    assert np.abs(hands).max() < 1.0  # the place of the prop in the hand does not move at all
    assert np.abs(moved[:, :, Joint.LEFT_ANKLE : Joint.LEFT_INDEX]).max() < 1e-9
    assert support_margin(animation.pose(TIMES).joints).min() > 0.02


def test_a_chest_goes_to_and_fro_at_the_rate_of_a_breath() -> None:
    moved = moved_by_life(animate("3"))
    chest = moved[:, 0, Joint.CHEST, 2] - moved[:, 0, Joint.PELVIS, 2]
    strength = np.abs(np.fft.rfft(chest))
    assert strength.argmax() / OWN_PERIOD == pytest.approx(0.25)
    assert 3.0 < np.ptp(chest) < 5.0


@pytest.mark.parametrize("period", [3.0, 4.4, 5.999, 6.0, 9.9, 10.1, 14.0, OWN_PERIOD, 61.7])
def test_eyes_blink_every_three_to_six_seconds_all_around_a_loop(period: float) -> None:
    life = plan_life(1.0, period)
    assert life is not None
    times = np.arange(0.0, 2 * period, 1 / 960)
    lids = life.lids(times, 3)
    for juggler in range(3):
        gaps = np.diff(begins(lids[:, juggler], times))
        assert gaps.min() > MIN_BLINK_INTERVAL - 2 / 960
        assert gaps.max() < MAX_BLINK_INTERVAL + 2 / 960
    shut = (lids > 0.5).sum(axis=0) / 960 / len(life.blinks) / 2
    assert shut == pytest.approx(0.15, abs=0.02)
    assert lids.min() == 0.0
    assert lids.max() == pytest.approx(1.0)
    assert np.abs(np.diff(lids, axis=0)).max() < 0.03  # nothing jumps
    assert lids[0, 0] == 0.0


def test_a_picture_of_the_start_has_no_closed_eyes() -> None:
    assert not animate("pattern=<3|3|3|3|3>").pose(np.zeros(1)).lids.any()


@pytest.mark.parametrize(("text", "loops"), [("3", 6), ("531", 2), ("97531", 3), ("<3p|3p>", 40)])
def test_what_closes_after_some_loops_has_no_seam(text: str, loops: int) -> None:
    animation = animate(text).closing_after(loops)
    whole = loops * animation.duration
    times = np.linspace(0.0, whole, 200)
    now = animation.pose(times)
    later = animation.pose(times + whole)
    assert later.joints == pytest.approx(now.joints, abs=1e-6)
    assert later.lids == pytest.approx(now.lids, abs=1e-6)
    assert now.lids.any() or animation.plan.life is not None
    assert np.ptp(moved_by_life(animation, times)[..., 1]) > 3.0


def test_what_closes_after_less_than_a_breath_has_none() -> None:
    animation = animate("3")
    assert animation.duration < SHORTEST_PERIOD
    assert not moved_by_life(animation.closing_after(1)).any()
    assert not animation.closing_after(1).pose(TIMES).lids.any()
    assert animation.pose(TIMES).lids.any()


def test_an_export_of_loops_closes_and_one_of_seconds_goes_on() -> None:
    animation = animate("3")
    loops = FrameRequest(animation, (32, 32), 30.0, loops=5)
    assert loops.closing_animation.plan.life.period == pytest.approx(5 * animation.duration)
    seconds = FrameRequest(animation, (32, 32), 30.0, seconds=10.0)
    assert seconds.closing_animation.plan.life.period == OWN_PERIOD


def test_without_body_motion_nobody_breathes_blinks_or_nods() -> None:
    animation = animate("5", body_motion=0.0)
    assert animation.plan.life is None
    assert not animation.pose(TIMES).lids.any()
    assert np.ptp(head_angles(animation)[:, 1]) < 0.6  # while the head follows to and fro
    assert np.ptp(head_angles(animate("5", head_motion=0.0)), axis=0).max() == pytest.approx(0.0)


def test_life_is_the_same_each_time() -> None:
    first = animate("531").pose(TIMES)
    second = animate("531").pose(TIMES)
    np.testing.assert_array_equal(first.joints, second.joints)
    np.testing.assert_array_equal(first.lids, second.lids)


def test_who_shares_a_pose_blinks_at_another_time() -> None:
    animation = animate("<3p|3p>")
    assert animation.plan.shared is not None
    lids = animation.pose(TIMES).lids
    assert (lids > 0.0).any(axis=0).all()
    assert not (lids > 0.5).all(axis=1).any()


def head_angles(animation: Animation) -> np.ndarray:
    """Yaw and pitch of the first juggler's head over a loop as bodies see it, [°]."""
    times = np.arange(240.0) / 240 * animation.duration
    plan = replace(animation.plan, life=None)
    posed = pose(animation.sample(times), animation.motion, animation.parameters, plan)
    ahead = posed.joints[:, 0, Joint.FACE] - posed.joints[:, 0, Joint.HEAD]
    level = np.hypot(ahead[:, 0], ahead[:, 2])
    return np.degrees(
        np.stack([np.arctan2(ahead[:, 0], ahead[:, 2]), np.arctan2(ahead[:, 1], level)], axis=1)
    )


@pytest.mark.parametrize("text", ["3", "5", "531", "97531", "(6x,4)*"])
def test_a_head_nods_as_props_peak(text: str) -> None:
    with_nods = head_angles(animate(text))
    without = head_angles(animate(text, body_motion=0.0))
    yaw, pitch = np.ptp(with_nods - without, axis=0)
    assert 2.0 < pitch < 3.6
    assert yaw < 3.6


def test_a_head_nods_up_as_often_as_props_peak_and_to_their_side() -> None:
    animation = animate("5")
    yaw, pitch = (head_angles(animation) - head_angles(animate("5", body_motion=0.0))).T
    strengths = [np.abs(np.fft.rfft(angle - angle.mean())) for angle in (yaw, pitch)]
    peaks = len(animation.choreography.flights.throw)  # of both hands, in a loop
    assert strengths[1].argmax() == peaks
    assert strengths[0].argmax() == peaks / 2
    parabolas = animation.motion.flight_paths.parabolas
    events, flights = animation.choreography.events, animation.choreography.flights
    for row, apex in enumerate(parabolas.apexes()):
        rise = parabolas.velocity[row, 1] / parabolas.gravity[row]
        time = events.time[flights.throw[parabolas.flight[row]]] + rise
        now = round(time / animation.duration * 240) % 240
        assert pitch[now] > 1.0
        assert np.sign(yaw[now]) == np.sign(apex[0])
