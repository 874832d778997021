from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from juggling_lab import LAYOUTS

from juggle_anim import Animation, animate
from juggle_anim.body import BONES, Joint, pose
from juggle_anim.body.arms.natural import natural
from juggle_anim.body.arms.solvers import AT_EASE, Arm
from juggle_anim.body.clearance import CollisionVolume, arm_depths
from juggle_anim.body.planning.swivel_plan import (
    EXCESS_SPEED,
    ElbowPath,
    best_elbow_directions,
    plan_swivels,
)
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM

# The elbows of these would race: words by which to find them.
RACING = (
    "6xp2BB",
    "7;hss=441",
    "be00af00a0",
    "726;hss=3",
    "5;hss=22286;handspec=(2,1)(3,4)",
    "body=< (90,0",
)


STYLE = ";style=juggling-lab"


WRITTEN = {
    word: next(row["settings"] + STYLE for row in LAYOUTS if word in row["settings"])
    for word in RACING
}


# One hand passes behind its shoulder.
LED = "3;bps=3;hands=(-22,65,-45)(23).(10)(25).(10)(25).(10)(25).(10)(25).(10)(25)."


ELBOWS = slice(Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW + 1)


PALMS = slice(Joint.LEFT_PALM, Joint.RIGHT_PALM + 1)


@cache
def planned(text: str) -> Animation:
    animation = animate(text)
    assert animation.plan is not None
    return animation


def unled(animation: Animation, times: np.ndarray) -> np.ndarray:
    plan = replace(animation.plan, swivels=None)
    return pose(animation.sample(times), animation.motion, animation.parameters, plan).joints


def haste(joints: np.ndarray) -> float:
    speed = np.linalg.norm(np.diff(joints, axis=0), axis=-1) * 240
    return float((speed[..., ELBOWS] - 1.5 * speed[..., PALMS]).max())


@pytest.mark.parametrize(
    "word", [*RACING[::2], *(pytest.param(word, marks=pytest.mark.long) for word in RACING[1::2])]
)
def test_no_elbow_races_that_is_led(word: str) -> None:
    animation = planned(WRITTEN[word])
    assert haste(animation.pose(np.arange(0.0, animation.duration + 1 / 240, 1 / 240)).joints) < 2.0


def test_elbows_that_are_led_would_have_raced() -> None:
    animation = planned(LED)
    assert haste(unled(animation, np.arange(0, animation.duration, 1 / 240))) > EXCESS_SPEED + 2.0


@pytest.mark.parametrize("text", ["3", "531", "b97531", "(6x,4)*", "pattern=<3p 3|3p 3>"])
def test_nobody_is_led_who_has_no_need(text: str) -> None:
    assert animate(text).plan.swivels is None


def test_other_arms_stay_as_they_are_to_the_last_bit() -> None:
    animation = planned(WRITTEN["6xp2BB"])
    times = np.arange(0, animation.duration, 1 / 120)
    moved = (animation.pose(times).joints != unled(animation, times)).any(axis=(0, 3))
    led = np.zeros(2 * animation.jugglers, dtype=bool)
    led[animation.plan.swivels.arms] = True
    assert 0 < led.sum() < led.size
    assert (moved[:, ELBOWS].ravel() == led).all()
    assert not moved[:, Joint.PELVIS : Joint.LEFT_SHOULDER].any()


def test_an_elbow_is_led_only_around_the_moment() -> None:
    animation = planned(LED)
    times = np.arange(0, animation.duration, 1 / 240)
    differs = (animation.pose(times).joints != unled(animation, times)).any(axis=(1, 2, 3))
    assert 0.1 < differs.mean() < 0.5


@pytest.mark.parametrize("text", [LED, LED.replace("(-22,65,-45)(23)", "(-22,34,-10)(7)")])
def test_the_way_of_an_elbow_closes_and_never_jumps(text: str) -> None:
    animation = planned(text)
    ends = animation.pose(np.array([0.0, animation.duration])).joints
    assert ends[1] == pytest.approx(ends[0], abs=1e-6)
    times = np.linspace(0, animation.duration, round(480 * animation.duration) + 1)
    steps = np.linalg.norm(np.diff(animation.pose(times).joints[..., ELBOWS, :], axis=0), axis=-1)
    worst = int(steps.max(axis=(1, 2)).argmax())
    closer = np.linspace(times[worst], times[worst + 1], 101)
    assert (
        np.linalg.norm(
            np.diff(animation.pose(closer).joints[..., ELBOWS, :], axis=0), axis=-1
        ).max()
        < 0.04 * steps.max()
    )


def test_bones_keep_their_length_while_led() -> None:
    animation = planned(LED)
    joints = animation.pose(np.linspace(0, animation.duration, 500)).joints
    for (start, end), length in BONES.items():
        assert (
            np.abs(
                np.linalg.norm(joints[..., end, :] - joints[..., start, :], axis=-1) - length
            ).max()
            < 1e-9
        )


def test_the_chicken_wing_turns_an_elbow_that_is_led() -> None:
    animation = planned(LED)
    higher = animation.replace(right_wing=60.0)
    assert higher.plan is animation.plan
    juggler, side = divmod(int(animation.plan.swivels.arms[0]), 2)
    track = animation.plan.swivels.track
    led = np.linspace(0, animation.duration, 400)
    led = led[track.at(led)[:, 0, 3] == 1.0]
    one, other = (each.pose(led).joints[:, juggler] for each in (animation, higher))
    assert side == 1
    root, elbow, wrist = (Joint.RIGHT_SHOULDER, Joint.RIGHT_ELBOW, Joint.RIGHT_WRIST)
    same = np.linalg.norm(one[:, wrist] - other[:, wrist], axis=-1) < 1e-9
    assert same.sum() > 10
    axis = one[same, wrist] - one[same, root]
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    across = [each[same, elbow] - each[same, root] for each in (one, other)]
    across = [each - (each * axis).sum(axis=-1, keepdims=True) * axis for each in across]
    cosines = (across[0] * across[1]).sum(axis=-1) / np.prod(
        np.linalg.norm(across, axis=-1), axis=0
    )
    assert np.degrees(np.arccos(cosines)) == pytest.approx(30.0, abs=1e-4)


def test_other_solvers_show_what_they_are() -> None:
    animation = planned(LED).replace(arms="two-link")
    times = np.linspace(0, animation.duration, 100)
    assert (animation.pose(times).joints == unled(animation, times)).all()


def test_the_plan_is_the_same_whatever_wing_and_arms_it_is_made_with() -> None:
    usual = planned(LED)
    other = animate(LED, chicken_wing=70.0, arms="two-link")
    assert (usual.plan.swivels.track.controls == other.plan.swivels.track.controls).all()


def test_a_crowd_is_led_nowhere() -> None:
    motion = planned(LED).motion
    many = replace(motion, choreography=replace(motion.choreography, duration=1e4))
    assert plan_swivels(many, planned(LED).parameters, planned(LED).plan) is None


RATE, MOMENTS = 480.0, 150


SHOULDER = np.array([0.19, 0.42, 0.0])


MIRROR = np.array([-1.0, 1.0, 1.0])


def bulk() -> CollisionVolume:
    """Of a body that stands upright with its pelvis at the origin."""
    joints = np.zeros((3, MOMENTS, 3))
    joints[:, :, 1] = np.array([0.0, 0.5, 0.65])[:, None]
    return CollisionVolume(*joints, np.broadcast_to(np.eye(3), (MOMENTS, 3, 3)))


def course(side: int = 0, behind: float = 0.6, share: float = 1.0) -> ElbowPath:
    """A hand that rushes past its shoulder, by default behind and above, near where the solver's
    elbow turns fast.
    """
    along = np.linspace(-0.5, 0.5, MOMENTS)
    away = np.stack(
        [0.3 * np.sin(6 * along) + 0.02, 0.2 + 0 * along, 0.3 - behind * np.cos(along)], axis=-1
    )
    wrist = SHOULDER + away
    shoulder, wrist = (each * MIRROR**side for each in (np.tile(SHOULDER, (MOMENTS, 1)), wrist))
    pose = natural(shoulder, wrist, Arm(UPPER_ARM, FOREARM), side, AT_EASE)
    speed = np.linalg.norm(np.diff(pose.wrist, axis=0), axis=-1) * RATE
    fingers = (pose.wrist - pose.elbow) / FOREARM
    shares = np.full(MOMENTS, share)
    return ElbowPath(
        shoulder, pose.elbow, pose.wrist, fingers, bulk(), 1.5 * speed + 1.0, shares, RATE
    )


def circle(course: ElbowPath) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middles, radii and directions of the solver's elbows."""
    line = course.wrist - course.shoulder
    axis = line / np.linalg.norm(line, axis=-1, keepdims=True)
    upper = course.elbow - course.shoulder
    along = (upper * axis).sum(axis=-1, keepdims=True) * axis
    radius = np.linalg.norm(upper - along, axis=-1, keepdims=True)
    return course.shoulder + along, radius, (upper - along) / radius


def excess(course: ElbowPath, ways: np.ndarray) -> float:
    middle, radius, _ = circle(course)
    speed = np.linalg.norm(np.diff(middle + radius * ways, axis=0), axis=-1) * RATE
    return float((speed - course.allowed_speed).max())


def test_a_way_is_found_that_is_hardly_faster_than_allowed() -> None:
    racing = course()
    assert excess(racing, circle(racing)[2]) > 3.0
    assert excess(racing, best_elbow_directions(racing)) < 0.5


def test_a_way_begins_and_ends_where_the_solver_has_the_elbow_and_keeps_to_the_circle() -> None:
    racing = course()
    ways = best_elbow_directions(racing)
    assert ways[[0, -1]] == pytest.approx(circle(racing)[2][[0, -1]], abs=1e-9)
    assert np.linalg.norm(ways, axis=-1) == pytest.approx(1.0, abs=1e-9)
    assert (ways * (racing.wrist - racing.shoulder)).sum(axis=-1) == pytest.approx(0.0, abs=1e-9)


def test_the_other_arm_goes_the_mirrored_way() -> None:
    assert best_elbow_directions(course(side=1)) == pytest.approx(
        best_elbow_directions(course()) * MIRROR, abs=1e-6
    )


def test_where_there_is_no_haste_the_solver_is_followed() -> None:
    calm = course(behind=-0.1)
    assert (best_elbow_directions(calm) * circle(calm)[2]).sum(axis=-1).min() > np.cos(0.5)


def test_a_moment_that_belongs_to_the_solver_is_left_to_it() -> None:
    slow = [
        replace(course(behind=-0.1, share=share), allowed_speed=np.full(MOMENTS - 1, 0.5))
        for share in (1.0, 0.0)
    ]
    free, bound = (
        1.0 - (best_elbow_directions(each) * circle(each)[2]).sum(axis=-1).min() for each in slow
    )
    assert bound < 0.5 * free


def test_a_way_around_the_body_is_rather_taken() -> None:
    racing = course()
    far = (5.0, 0.0, 0.0)
    nobody = CollisionVolume(
        racing.volume.pelvis + far,
        racing.volume.neck + far,
        racing.volume.head + far,
        racing.volume.axes,
    )
    middle, radius, _ = circle(racing)
    elbows = [
        middle + radius * best_elbow_directions(each)
        for each in (racing, replace(racing, volume=nobody))
    ]
    depths = [
        arm_depths(racing.volume, racing.shoulder, each[:, None], racing.wrist) for each in elbows
    ]
    beside, through = (np.maximum(each, 0.0).sum() for each in depths)
    assert beside < through
