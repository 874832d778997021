"""Long loops are planned in blocks: as the whole plan has it, smooth at their bounds, and the same
whatever was asked for before.
"""

import pickle
from copy import copy

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint, unplanned_blocks
from juggle_anim.body.planning import plan
from juggle_anim.body.planning.plan import BLEND, MAX_WHOLE_DURATION, SplineOfBlocks

LOOP = "64 5 97531 744 66661 5 744 97531 64 66661 97531 5 744 64 66661 97531 97531 744 66661"
RATE = 120.0

TOLERANCE = 0.025
"""How far any joint may be from where the plan of a whole loop has it, [m]: both stop where steps
gain little.
"""


@pytest.fixture(scope="module")
def in_blocks() -> Animation:
    return fresh(animate(LOOP))


@pytest.fixture(scope="module")
def as_a_whole() -> Animation:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "MAX_WHOLE_DURATION", np.inf)
        animation = fresh(animate(LOOP))
        assert not isinstance(animation.plan.trunk.track, SplineOfBlocks)
    return animation


@pytest.fixture(scope="module")
def times(in_blocks: Animation) -> Floats:
    return np.arange(0.0, in_blocks.duration, 1.0 / RATE)


def blocks(animation: Animation) -> plan.BlockPlans:
    track = animation.plan.trunk.track
    assert isinstance(track, SplineOfBlocks)
    return track.blocks


def fresh(animation: Animation) -> Animation:
    """The same animation, with a plan of its own."""
    other = copy(animation)
    for name in ("_outermost_points", "gaps"):
        other.__dict__.pop(name, None)
    other.__dict__["plan"] = plan.plan_bodies(animation.motion, animation.parameters)
    return other


def test_a_pose_of_a_long_loop_plans_its_own_block_and_one_at_a_bound_both(
    in_blocks: Animation,
) -> None:
    animation = fresh(in_blocks)
    assert animation.duration > MAX_WHOLE_DURATION
    animation.camera(4 / 3)
    assert not blocks(animation).planned
    animation.pose(0.0)
    assert set(blocks(animation).planned) == {0}
    # Splines never come to what is not planned yet, however near the other block is.
    for before_bound in np.arange(BLEND + 0.5, BLEND / 2, -0.001):
        time = np.array([blocks(animation).block_duration / 2 - before_bound])
        own = animation.plan
        for spline in (own.trunk.track, own.arms, own.digits):
            assert spline
            assert np.isfinite(spline.at(time)).all()
    assert set(blocks(animation).planned) == {0, 1}


def test_bodies_are_as_in_the_plan_of_the_whole_loop(
    in_blocks: Animation, as_a_whole: Animation, times: Floats
) -> None:
    joints = in_blocks.pose(times).joints
    off = np.linalg.norm(joints - as_a_whole.pose(times).joints, axis=-1)
    assert off.max() < TOLERANCE
    assert np.quantile(off, 0.99) < TOLERANCE / 3
    assert in_blocks.gaps.max() < as_a_whole.gaps.max() + 0.002


def test_joints_go_from_block_to_block_as_smoothly_as_within(
    in_blocks: Animation, as_a_whole: Animation, times: Floats
) -> None:
    joints = [Joint.PELVIS, Joint.CHEST, Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]
    since_bound = (times[1:-1] - blocks(in_blocks).start) % blocks(in_blocks).block_duration
    near_bound = (
        np.minimum(since_bound, blocks(in_blocks).block_duration - since_bound) < BLEND + 0.1
    )
    fastest = [
        np.linalg.norm(np.diff(animation.pose(times).joints[:, 0, joints], 2, axis=0), axis=-1)
        * RATE**2
        for animation in (in_blocks, as_a_whole)
    ]
    assert (fastest[0][near_bound].max(axis=0) < 1.1 * fastest[1].max(axis=0)).all()


def test_a_pose_is_the_same_whatever_was_asked_for_before(
    in_blocks: Animation, times: Floats
) -> None:
    all_joints = in_blocks.pose(times).joints
    alone = fresh(in_blocks)
    backward = fresh(in_blocks)
    some = np.arange(0, len(times) // 2, len(times) // 9)
    for moment in some[::-1]:
        assert (backward.pose(times[moment]).joints == all_joints[moment]).all()
    assert (alone.pose(times[some[2]]).joints == all_joints[some[2]]).all()


def test_a_plan_in_blocks_can_be_sent_to_another_process(in_blocks: Animation) -> None:
    sent = pickle.loads(pickle.dumps(in_blocks.plan))
    assert (sent.arms.at(np.array([0.3])) == in_blocks.plan.arms.at(np.array([0.3]))).all()


def test_jugglers_who_do_the_same_share_the_plans_of_blocks() -> None:
    pair = animate(f"<{LOOP}|{LOOP}|{'5' * 66}>")
    shared = pair.plan.shared
    assert shared
    assert shared.pose_index.tolist() == [0, 0, 1]
    joints = pair.pose_bodies(np.array([0.0])).joints
    assert joints.shape[1] == 2


@pytest.mark.long
def test_a_long_loop_with_throws_around_the_body_is_planned_in_blocks_with_its_legs() -> None:
    around = animate("3 " * 60, throws="underleg,-,-")
    assert around.duration > MAX_WHOLE_DURATION
    times = np.arange(0.0, blocks(around).block_duration / 2 - BLEND - 0.5, 0.05)
    joints = around.pose(times).joints[:, 0]
    assert set(blocks(around).planned) == {0}
    # A leg is lifted for throws under it, and no palm is farther from its prop than the prop needs.
    assert joints[:, [Joint.LEFT_KNEE, Joint.RIGHT_KNEE], 1].max() > 0.8
    palms = joints[:, [Joint.LEFT_PALM, Joint.RIGHT_PALM]]
    held = around.motion.sample_hands(times)[:, 0]
    assert np.linalg.norm(palms - held, axis=-1).max() < 0.06


def test_what_poses_wait_for_can_be_planned_before(in_blocks: Animation) -> None:
    animation = fresh(in_blocks)
    times = np.array([0.0, blocks(animation).block_duration])
    work = unplanned_blocks(animation.plan, times)
    assert work
    work()
    assert set(blocks(animation).planned) == {0, 1}
    assert unplanned_blocks(animation.plan, times) is None
    assert unplanned_blocks(animate("3").plan, times) is None
