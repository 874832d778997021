from collections import Counter
from dataclasses import replace
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from life import without_life
from siteswap_strategies import flying_siteswaps, valid_siteswaps

from juggle_anim.animation import Animation, animate
from juggle_anim.body import BONES, JOINTS, Joint, Pose, pose
from juggle_anim.body.skeleton import ANKLE_HEIGHT, HEIGHT, PALM
from juggle_anim.choreography import BodyKeyframes
from juggle_anim.motion import Frames
from juggle_anim.motion.bodies import body_paths
from juggle_anim.motion.palms import NATURAL_PALMS

posed = st.builds(
    lambda text, wing, body, gravity, human: animate(
        text, chicken_wing=wing, body_motion=body, gravity=gravity, human=human
    ),
    flying_siteswaps(),
    st.floats(-45.0, 120.0),
    st.floats(0.0, 300.0),
    st.floats(300.0, 1500.0),
    st.sampled_from([0.0, 0.0, 100.0, 200.0]),
)
laws = settings(max_examples=settings.default.max_examples // 4)
WATCHED = ("1", "3", "531", "744", "b97531", "(6x,4)*", "[34]23", "(4x,2x)(2,4)", "40", "z")


# One plan, which takes longest, serves all three.
@given(posed, st.integers(0, 2**32 - 1))
@laws
def test_bones_keep_their_length_no_joint_jumps_and_a_body_is_back_after_a_loop(
    animation: Animation, seed: int
) -> None:
    check_that_bones_keep_their_length(animation, seed)
    check_that_no_joint_jumps(animation)
    check_that_it_is_back_after_a_loop(animation)


def check_that_bones_keep_their_length(animation: Animation, seed: int) -> None:
    times = np.random.default_rng(seed).uniform(0, animation.duration, 100)
    joints = animation.pose(times).joints
    for (start, end), length in BONES.items():
        lengths = np.linalg.norm(joints[..., end, :] - joints[..., start, :], axis=-1)
        assert np.abs(lengths - length).max() < 1e-9


def check_that_no_joint_jumps(animation: Animation) -> None:
    times = np.linspace(0, animation.duration, 601)
    steps = np.linalg.norm(np.diff(animation.pose(times).joints, axis=0), axis=-1)
    worst = int(steps.max(axis=(1, 2)).argmax())
    closer = np.linspace(times[worst], times[worst + 1], 401)
    small = np.linalg.norm(np.diff(animation.pose(closer).joints, axis=0), axis=-1)
    # A jump stays as large however close one looks; a fast movement shrinks with the time.
    assert small.max() < 0.15 * steps.max() + 1e-9


def check_that_it_is_back_after_a_loop(animation: Animation) -> None:
    animation = animation.closing_after(1)
    times = np.linspace(0, animation.duration, 20)
    now, later = animation.pose(times), animation.pose(times + animation.duration)
    assert later.joints == pytest.approx(now.joints, abs=1e-6)


def has_mirrored_halves(animation: Animation) -> bool:
    """Whether the right hand throws what the left one threw half a loop before, and the other way
    round.

    In the order written, which says which prop is thrown where several land together, as do equal
    throws of both hands. A prop that stays in a hand beside others keeps its place there, so that
    these leave from the other place in turn. Stacks that cross at one moment pass each other with
    that of the right hand in front.
    """
    pattern = animation.score.pattern
    half, odd = divmod(pattern.period, 2)
    throws = [(throw.beat, throw.value, throw.hand, throw.to_hand) for throw in pattern.throws]
    swapped = [
        ((beat + half) % pattern.period, value, 1 - hand, 1 - to)
        for beat, value, hand, to in throws
    ]
    together = any((beat, value, 1 - hand, to) in throws for beat, value, hand, to in throws)
    now, later = (sorted(rows, key=itemgetter(0, 2)) for rows in (throws, swapped))
    several = Counter((beat, hand) for beat, _, hand, _ in throws)
    stays = any(
        several[beat, hand] > 1 and value == 2 and hand == to for beat, value, hand, to in throws
    )
    crossing = {(beat, hand) for beat, _, hand, to in throws if hand != to}
    stacks_cross = any(
        several[beat, hand] > 1 and (beat, 1 - hand) in crossing for beat, hand in crossing
    )
    return not (odd or together or stays or stacks_cross) and now == later


@given(valid_siteswaps().map(animate).filter(has_mirrored_halves))
@laws
def test_a_pattern_that_is_mirrored_after_half_a_loop_is_so_in_every_joint(
    animation: Animation,
) -> None:
    animation = without_life(animation)
    half = animation.duration / 2
    times = np.linspace(0.0, half, 60)
    now, later = animation.pose(times).joints[:, 0], animation.pose(times + half).joints[:, 0]
    pairs = np.arange(Joint.LEFT_SHOULDER, JOINTS).reshape(-1, 2)
    swapped = np.concatenate([np.arange(Joint.LEFT_SHOULDER), pairs[:, ::-1].ravel()])
    assert later[:, swapped] * (-1.0, 1.0, 1.0) == pytest.approx(now, abs=1e-6)


@pytest.mark.parametrize("text", WATCHED)
def test_every_hand_gets_where_the_pattern_wants_it(text: str) -> None:
    animation = animate(text)
    assert animation.pose(np.linspace(0, animation.duration, 400)).gaps.max() < 0.015


@pytest.mark.parametrize("text", WATCHED)
def test_elbows_move_no_faster_than_hands_call_for(text: str) -> None:
    animation = animate(text)
    times = np.arange(0, animation.duration, 1 / 240)
    joints = animation.pose(times).joints
    speed = np.linalg.norm(np.diff(joints, axis=0), axis=-1) * 240
    elbows = speed[..., Joint.LEFT_ELBOW : Joint.RIGHT_ELBOW + 1]
    palms = speed[..., Joint.LEFT_PALM : Joint.RIGHT_PALM + 1]
    assert (elbows <= 1.5 * palms + 2.0).all()


@pytest.mark.parametrize("text", WATCHED)
def test_a_juggler_stands_on_the_floor_with_bent_knees(text: str) -> None:
    animation = animate(text)
    joints = animation.pose(np.linspace(0, animation.duration, 200)).joints
    toes = joints[..., Joint.LEFT_TOES : Joint.RIGHT_TOES + 1, :]
    assert np.ptp(toes, axis=0) == pytest.approx(0.0, abs=1e-9)
    assert (joints[..., 1] > 0).all()
    assert joints[..., Joint.HEAD, 1].max() < HEIGHT
    knees = joints[..., Joint.LEFT_KNEE, 2]
    assert (knees > joints[..., Joint.LEFT_ANKLE, 2]).all()


def test_the_body_gives_with_the_throws_and_stands_still_when_told() -> None:
    times = np.linspace(0, animate("3").duration, 200)
    alive, still = (animate("3", body_motion=amount).pose(times).joints for amount in (100.0, 0.0))
    assert 0.005 < np.ptp(alive[:, 0, Joint.PELVIS], axis=0).max() < 0.08
    assert np.ptp(still[:, 0, Joint.PELVIS], axis=0).max() < 0.002
    assert np.ptp(alive[:, 0, Joint.LEFT_KNEE], axis=0).max() > 0.002


@pytest.mark.parametrize("diameter", [3.0, 7.0, 20.0])
def test_a_palm_lies_right_against_its_prop_and_below_it(diameter: float) -> None:
    animation = animate("3", prop_diameter=diameter)
    times = np.linspace(0, animation.duration, 100)
    frames, joints = animation.sample(times), animation.pose(times).joints
    at, prop = np.nonzero(frames.holders >= 0)
    roots, wrists = (
        joints[at, 0, joint + frames.holders[at, prop]]
        for joint in (Joint.LEFT_PALM, Joint.LEFT_WRIST)
    )
    # Props lie in the hollow of the palm, behind the roots of the fingers.
    palms = roots - NATURAL_PALMS.behind[0] * (roots - wrists) / PALM
    away = frames.props[at, prop] - palms
    # The skin is half a palm from its joint; a prop may press in as it is caught.
    assert (
        np.abs(np.linalg.norm(away, axis=-1) - animation.motion.prop_radius - 0.016).max() < 0.016
    )
    # Palms tilt inward by 30 to 45°, as people's do.
    assert (away[:, 1] > 0.6 * np.linalg.norm(away, axis=-1)).all()


def pose_of(animation: Animation, frames: Frames) -> Pose:
    return pose(frames, animation.motion, animation.parameters, animation.plan)


def test_a_hand_far_out_of_reach_leaves_a_gap_and_no_stretched_arm() -> None:
    animation = animate("3")
    frames = animation.sample(np.array([0.1]))
    far = frames.hands + np.array([[[[1.5, 0.0, 0.0], [0.0, 0.0, 0.0]]]])
    solved = pose_of(animation, Frames(frames.times, far, frames.props, frames.holders))
    assert solved.gaps[0, 0, 0] > 0.5
    arm = solved.joints[0, 0, Joint.LEFT_SHOULDER : Joint.LEFT_WRIST + 1 : 2]
    assert np.linalg.norm(np.diff(arm, axis=0), axis=-1) == pytest.approx(
        [BONES[Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW], BONES[Joint.LEFT_ELBOW, Joint.LEFT_WRIST]],
        abs=1e-9,
    )


def test_the_trunk_leans_toward_a_hand_that_is_just_out_of_reach() -> None:
    usual, far = animate("3"), animate("pattern=3;hands=(10,0,35)(32,0,35).")
    before, after = (each.pose(np.array([0.1])) for each in (usual, far))
    chests = (each.joints[0, 0, Joint.CHEST, 2] for each in (before, after))
    assert after.gaps.max() < 0.001
    assert -np.subtract(*chests) > 0.05


@pytest.mark.parametrize("text", ["531", "b97531", "pattern=4;body=(0).(180)."])
def test_a_pose_is_the_same_to_the_last_bit_alone_and_among_others(text: str) -> None:
    animation = animate(text)
    times = np.random.default_rng(1).uniform(0, animation.duration, 67)
    together = animation.pose(times).joints
    assert all(
        (animation.pose(times[[at]]).joints[0] == together[at]).all() for at in range(0, 67, 3)
    )


def test_no_times_give_no_poses() -> None:
    nothing = animate("3").pose(np.zeros(0))
    assert nothing.joints.shape == (0, 1, JOINTS, 3)
    assert nothing.gaps.shape == (0, 1, 2)


@pytest.mark.parametrize("text", ["600", "[mmm]", "(6x,4)*"])
def test_feet_stay_on_the_floor_however_much_the_body_gives(text: str) -> None:
    animation = animate(text, body_motion=300.0)
    joints = animation.pose(np.linspace(0, animation.duration, 400)).joints
    toes = joints[..., Joint.LEFT_TOES : Joint.RIGHT_TOES + 1, :]
    assert np.ptp(toes, axis=0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("text", ["3", "5", "531", "mills mess", "box"])
def test_the_weight_goes_with_the_hands_and_the_heel_that_bears_less_rises(text: str) -> None:
    animation = animate(text)
    times = np.linspace(0, animation.duration, 400)
    joints = animation.pose(times).joints[:, 0]
    middle = animation.sample(times).hands[:, 0, :, 0].mean(axis=1)
    assert np.corrcoef(joints[:, Joint.PELVIS, 0], middle)[0, 1] > 0.8
    assert 0.01 < np.ptp(joints[:, Joint.PELVIS, 0]) < 0.06
    heels = joints[:, [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE], 1] - ANKLE_HEIGHT
    assert heels.min() > -1e-9
    assert heels.max() < 0.02
    assert heels.min(axis=1).max() < 1e-9  # one foot bears at least half
    to_the_left = joints[:, Joint.PELVIS, 0] > 0.01
    assert heels[to_the_left, 0].max(initial=0.0) < 1e-9


def test_a_juggler_who_stands_elsewhere_and_has_turned_is_the_same_person() -> None:
    animation = animate("531")
    sine, cosine = np.sin(0.7), np.cos(0.7)
    turn, place = (
        np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]]),
        np.array([1.0, 0.0, 2.0]),
    )
    frames = animation.sample(np.linspace(0, animation.duration, 20))
    keys = BodyKeyframes(np.zeros(1), np.zeros(1, dtype=np.intp), place[None], np.array([0.7]))
    moved = replace(frames, hands=frames.hands @ turn.T + place)
    elsewhere = replace(animation.motion, bodies=body_paths(keys, 1, animation.duration))
    joints = pose(moved, elsewhere, animation.parameters, animation.plan).joints
    assert joints == pytest.approx(pose_of(animation, frames).joints @ turn.T + place, abs=1e-9)


def test_each_elbow_has_its_own_wing() -> None:
    times = np.linspace(0, 1, 30)
    usual, changed = (animate("3", left_wing=wing).pose(times).joints for wing in (None, 80.0))
    moved = np.linalg.norm(usual - changed, axis=-1).max(axis=(0, 1))
    assert moved[Joint.LEFT_ELBOW] > 0.05
    assert moved[Joint.RIGHT_ELBOW] == 0
    assert moved[Joint.LEFT_PALM] < 1e-9


@pytest.mark.parametrize(
    ("text", "posed"),
    [
        ("<3p 3 3|3p 3 3|3p 3 3>", [0]),
        ("<4p 3|3 4p>", [0, 1]),
        ("pattern=<3|3>;hands=(-30)(2.5).(30)(-2.5).(-30)(0).", [0]),
        ("pattern=<3|3|3>;hands=<(25)(10).|(32)(10).|(25)(10).>", [0, 1]),
        (
            "pattern=<3|3|3>;body=<(0,-100,0).|(90,100,0)...(90,120,0)...|(0,300,0).>;feet=glide",
            [0, 1],
        ),
    ],
)
def test_jugglers_who_do_the_same_are_posed_once_and_as_they_would_be_alone(
    text: str, posed: list[int]
) -> None:
    animation = without_life(animate(text))
    plan, times = animation.plan, np.linspace(0, animation.duration, 100)
    assert (
        plan.shared.posed.tolist() if plan.shared else [*range(animation.num_jugglers)]
    ) == posed
    alone = pose(
        animation.sample(times), animation.motion, animation.parameters, replace(plan, shared=None)
    )
    assert animation.pose(times).joints == pytest.approx(alone.joints, abs=1e-10)
    assert animation.pose(times).gaps == pytest.approx(alone.gaps, abs=1e-10)
