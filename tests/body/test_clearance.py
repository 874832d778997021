from importlib import import_module
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from drawn_depth import forearm_depth
from hypothesis import given
from hypothesis import strategies as st
from long_cases import sampled
from refined_steps import lasting_step

from juggle_anim.analysis.collisions import PARTS
from juggle_anim.analysis.encounters import RoundCones, round_cone_distance
from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.body.arms import AT_EASE, DEFAULT_SOLVER, SOLVERS, Arm, ArmPose
from juggle_anim.body.clearance import (
    CollisionVolume,
    clear_of,
    head_depth,
    keep_clear,
    leg_depth,
    trunk_depth,
)
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.body.trunk_and_legs import TRUNK_CHANNELS, Trunk, pose_head, pose_trunk
from juggle_anim.scene.figure import limb_shapes

PERSON = Arm(UPPER_ARM, FOREARM)
SIDES = np.array([0, 1])
MIRROR = np.array([-1.0, 1.0, 1.0])
EXACT = ("natural", "chicken-wing", "two-link")
DEEPEST = 0.04

HANDS = {
    "Mills mess": "Mills mess",
    "reverse windmill": "Reverse windmill",
    "cascade": "3",
    "behind the back": "pattern=3;hands=(-15,5,-50)(-10,10,-55).",
    "from front to back": "pattern=3;hands=(-5,5,-60)(25,0,0).",
    "over the head": "pattern=3;hands=(0,90,-25)(20,85,-25).",
    "across the chest": "pattern=3;hands=(-20,30,-10)(-15,10,-10).",
    "under the leg": "pattern=3;hands=(0,-45,-15)(25,-20,0).",
    "in the lap": "pattern=3;hands=(0,-25,-20)(15,-15,-15).",
}

solvers = st.sampled_from(EXACT)
wings = st.floats(np.radians(-45.0), np.radians(120.0))
seeds = st.integers(0, 2**32 - 1)


def bodies(seed: int, count: int = 8) -> tuple[CollisionVolume, Trunk, Floats]:
    """Some bodies that lean, and wrists around them, of shapes (count,) and (count, 2, 3)."""
    random = np.random.default_rng(seed)
    hands = random.uniform((-0.6, 0.7, -0.5), (0.6, 2.0, 0.6), (count, 1, 2, 3))
    trunk = pose_trunk(hands, random.uniform(-0.1, 0.1, (count, 1, TRUNK_CHANNELS)))
    return bulk_of(trunk), trunk, hands


def bulk_of(trunk: Trunk) -> CollisionVolume:
    head, _ = pose_head(trunk, None)
    return CollisionVolume.from_joints(trunk.pelvis, trunk.across, trunk.spine, trunk.neck, head)


def parts(volume: CollisionVolume) -> tuple[Floats, Floats, Floats, Floats]:
    return volume.pelvis, volume.neck, volume.head, volume.axes


def at_ease(away: Floats) -> Floats:
    """These ways from a shoulder, brought in front of it and to where wrists are neither far nor
    near.
    """
    ahead = np.maximum(away, (-1.0, -1.0, 0.06))
    distance = np.linalg.norm(ahead, axis=-1, keepdims=True)
    eased: Floats = ahead / distance * np.clip(distance, 0.3, 0.5)
    return eased


def depths(pose: ArmPose, volume: CollisionVolume) -> Floats:
    """How deep the surfaces of elbows and of the middles of forearms are in their bodies, shape (T,
    J, 2), [m].
    """
    middle = 0.65 * pose.elbow + 0.35 * pose.wrist
    return np.maximum(depth(pose.elbow, volume) + 0.040, depth(middle, volume) + 0.034)


def depth(points: Floats, volume: CollisionVolume) -> Floats:
    """How deep points (T, J, 2, 3) are in their bodies, [m]."""
    seen = np.moveaxis(volume.to_local(points), -1, 0)
    heads = volume.heads(np.arange(len(points))).reshape(2, 3, -1, 1, 1)
    return np.maximum(trunk_depth(seen), head_depth(seen, heads))


@given(seeds, solvers, wings)
def test_bones_keep_their_length_and_rotations_lead_to_elbow_and_wrist(
    seed: int, name: str, wing: float
) -> None:
    bulk, trunk, hands = bodies(seed)
    plain = SOLVERS[name](trunk.shoulders, hands, PERSON, SIDES, wing)
    pose = clear_of(bulk, SOLVERS[name])(trunk.shoulders, hands, PERSON, SIDES, wing)
    assert np.array_equal(pose.wrist, plain.wrist)
    assert np.array_equal(pose.gap, plain.gap)
    elbow = trunk.shoulders + UPPER_ARM * pose.rotations[..., 0, :, 0]
    assert elbow == pytest.approx(pose.elbow, abs=1e-9)
    assert elbow + FOREARM * pose.rotations[..., 1, :, 0] == pytest.approx(pose.wrist, abs=1e-9)
    assert np.linalg.norm(pose.elbow - trunk.shoulders, axis=-1) == pytest.approx(
        UPPER_ARM, abs=1e-9
    )
    assert np.linalg.norm(pose.wrist - pose.elbow, axis=-1) == pytest.approx(FOREARM, abs=1e-9)
    identity = pose.rotations.swapaxes(-1, -2) @ pose.rotations
    assert identity == pytest.approx(np.broadcast_to(np.eye(3), identity.shape), abs=1e-9)
    turn = pose.rotations[..., 0, :, :].swapaxes(-1, -2) @ pose.rotations[..., 1, :, :]
    assert turn[..., 2] == pytest.approx(
        np.broadcast_to([0.0, 0.0, 1.0], turn.shape[:-1]), abs=1e-9
    )


@given(seeds, solvers, wings)
def test_an_arm_that_is_clear_stays_as_it_is_to_the_last_bit(
    seed: int, name: str, wing: float
) -> None:
    bulk, trunk, hands = bodies(seed)
    plain = SOLVERS[name](trunk.shoulders, hands, PERSON, SIDES, wing)
    pose = keep_clear(plain, trunk.shoulders, SIDES, bulk)
    far = trunk.shoulders + (0.0, 0.0, 5.0)
    moved = ArmPose(
        plain.elbow + (0.0, 0.0, 5.0), plain.wrist + (0.0, 0.0, 5.0), plain.rotations, plain.gap
    )
    assert keep_clear(moved, far, SIDES, bulk) is moved
    turned = (pose.elbow != plain.elbow).any(axis=-1)
    assert np.array_equal(pose.rotations[~turned], plain.rotations[~turned])


@pytest.mark.parametrize("text", ["3", "531", "744", "b97531", "(6x,4)*"])
def test_arms_of_common_patterns_are_clear_as_they_are(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = np.arange(0.0, animate(text).duration, 1 / 60)
    joints = animate(text).pose(times).joints
    monkeypatch.setattr(
        import_module("juggle_anim.body.pose"),
        "clear_of",
        lambda volume, solver, is_planned=False: solver,
    )
    assert np.abs(animate(text).pose(times).joints - joints).max() < 1e-4


@pytest.mark.parametrize(
    ("arms", "name"),
    sampled(
        product(EXACT, HANDS),
        *product(EXACT, ("Mills mess", "behind the back", "in the lap")),
        *product((DEFAULT_SOLVER,), HANDS),
        arguments=2,
    ),
)
def test_no_forearm_passes_through_the_body_that_is_drawn(name: str, arms: str) -> None:
    animation = animate(HANDS[name], arms=arms)
    joints = animation.pose(np.arange(0.0, animation.duration, 1 / 60)).joints
    assert forearm_depth(joints) < DEEPEST


@pytest.mark.parametrize("arms", EXACT)
@pytest.mark.parametrize(
    ("name", "wing"), [("cascade", -30.0), ("Mills mess", -30.0), ("behind the back", 90.0)]
)
def test_elbows_that_are_told_to_lie_within_the_body_are_kept_out_of_it(
    name: str, wing: float, arms: str
) -> None:
    animation = animate(HANDS[name], arms=arms, chicken_wing=wing)
    joints = animation.pose(np.arange(0.0, animation.duration, 1 / 60)).joints
    assert forearm_depth(joints) < DEEPEST


@given(seeds, wings)
def test_planned_elbows_are_where_their_plan_has_them_and_lifted_ones_between_there_and_their_wing(
    seed: int, wing: float
) -> None:
    bulk, trunk, hands = bodies(seed)
    natural = SOLVERS[DEFAULT_SOLVER]
    planned = clear_of(bulk, natural, is_planned=True)
    kept, lifted, plan, asked = (
        solve(trunk.shoulders, hands, PERSON, SIDES, swivel).elbow
        for solve, swivel in product((planned, natural), (AT_EASE, wing))
    )
    assert np.array_equal(kept, plan)
    # Up to half a turn, what is between two places on a circle is no farther from either.
    way = np.linalg.norm(asked - plan, axis=-1) + 1e-9
    assert (np.linalg.norm(lifted - plan, axis=-1) <= way).all()
    assert (np.linalg.norm(lifted - asked, axis=-1) <= way).all()


@pytest.mark.parametrize("wing", [0.0, 60.0, 90.0, 120.0])
def test_no_wing_lifts_a_planned_elbow_into_the_body_or_through_it(wing: float) -> None:
    animation = animate("531;throws=trebla,-,-", chicken_wing=wing)
    joints = animation.pose(np.arange(0.0, animation.duration, 1 / 60)).joints
    assert forearm_depth(joints) < DEEPEST


@pytest.mark.parametrize("wing", [-30.0, 30.0, 90.0])
@pytest.mark.parametrize("name", EXACT)
def test_arms_lie_less_deep_wherever_hands_are(name: str, wing: float) -> None:
    bulk, trunk, hands = bodies(1, 2000)
    plain = SOLVERS[name](trunk.shoulders, hands, PERSON, SIDES, np.radians(wing))
    pose = keep_clear(plain, trunk.shoulders, SIDES, bulk, np.radians(wing))
    could = (depth(pose.wrist, bulk) < -0.026) & (pose.gap == 0.0)
    before, after = (np.maximum(depths(each, bulk), 0.0)[could] for each in (plain, pose))
    assert after.mean() < 0.5 * before.mean()
    assert (after > DEEPEST).mean() < 0.04


@given(seeds, solvers, wings)
def test_left_and_right_are_mirror_images(seed: int, name: str, wing: float) -> None:
    bulk, trunk, hands = bodies(seed)
    here = clear_of(bulk, SOLVERS[name])(trunk.shoulders, hands, PERSON, SIDES, wing)
    other = SimpleNamespace(
        **{part: getattr(trunk, part) * MIRROR for part in ("pelvis", "neck", "upright", "spine")},
        across=-trunk.across * MIRROR,
    )
    shoulders = trunk.shoulders[..., ::-1, :] * MIRROR
    there = clear_of(bulk_of(other), SOLVERS[name])(
        shoulders, hands[..., ::-1, :] * MIRROR, PERSON, SIDES, wing
    )
    assert there.elbow[..., ::-1, :] * MIRROR == pytest.approx(here.elbow, abs=1e-9)
    hinge = np.diag(MIRROR) @ there.rotations[..., ::-1, :, :, :] @ np.diag([1.0, 1.0, -1.0])
    assert hinge == pytest.approx(here.rotations, abs=1e-9)


@given(seeds, solvers, wings)
def test_an_arm_does_not_depend_on_the_others_of_its_batch(
    seed: int, name: str, wing: float
) -> None:
    bulk, trunk, hands = bodies(seed)
    together = clear_of(bulk, SOLVERS[name])(trunk.shoulders, hands, PERSON, SIDES, wing)
    one = CollisionVolume(*(part[3:4] for part in parts(bulk)))
    alone = clear_of(one, SOLVERS[name])(trunk.shoulders[3:4], hands[3:4], PERSON, SIDES, wing)
    assert np.array_equal(alone.elbow, together.elbow[3:4])
    assert np.array_equal(alone.rotations, together.rotations[3:4])


@given(seeds, st.floats(np.radians(-30.0), np.radians(90.0)))
def test_no_elbow_jumps_however_close_one_looks(seed: int, wing: float) -> None:
    bulk, trunk, hands = bodies(seed, 2)
    shoulder = trunk.shoulders[0, 0, 0]
    start, end = hands[:, 0, 0] - shoulder

    def elbow(times: Floats) -> Floats:
        # In front and in easy reach, where the solver is smooth itself.
        wrists = shoulder + at_ease(start + times[:, None] * (end - start))
        body = CollisionVolume(
            *(np.repeat(part[:1, 0], len(times), axis=0) for part in parts(bulk))
        )
        solve = clear_of(body, SOLVERS["natural"])
        return solve(shoulder, wrists[:, None], PERSON, 0, wing).elbow[:, 0]

    assert lasting_step(elbow) < 1e-6


def test_an_arm_whose_wrist_is_at_its_shoulder_is_left_alone() -> None:
    bulk, trunk, _ = bodies(1, 1)
    even = Arm(0.3, 0.3)
    plain = SOLVERS["two-link"](trunk.shoulders, trunk.shoulders, even, SIDES, -1.0)
    pose = keep_clear(plain, trunk.shoulders, SIDES, bulk)
    assert np.isfinite(pose.elbow).all()
    assert np.linalg.norm(pose.elbow - trunk.shoulders, axis=-1) == pytest.approx(0.3, abs=1e-9)


def test_no_arms_are_no_trouble() -> None:
    bulk, trunk, hands = bodies(1, 2)
    none = CollisionVolume(*(part[:0] for part in parts(bulk)))
    pose = clear_of(none, SOLVERS["natural"])(trunk.shoulders[:0], hands[:0], PERSON, SIDES, 0.5)
    assert pose.elbow.shape == (0, 1, 2, 3)


@given(seeds)
def test_points_are_as_deep_in_legs_as_in_the_round_cones_that_are_drawn(seed: int) -> None:
    joints = animate("3").pose(np.zeros(1)).joints
    legs = joints[0, :, 21:29].reshape(1, 4, 2, 3).swapaxes(1, 2)
    ankles, toes = np.moveaxis(legs[:, :, 2:], 2, 0)
    assert leg_depth(toes, legs) == pytest.approx(0.034, abs=0.001)
    assert (leg_depth((ankles + toes) / 2, legs) > 0.035).all()
    # Feet are drawn with a sole and an instep: here they end at their ankles.
    legs[:, :, 3] = ankles + (0.0, 0.0, 0.001)
    points = legs.mean(axis=(1, 2)) + np.random.default_rng(seed).normal(0.0, 0.2, (1, 30, 3))
    cones = limb_shapes(joints)[0, 0][[part.endswith(("thigh", "shin")) for part in PARTS]]
    rows = np.tile(cones, (30, 1))
    drawn = RoundCones(rows[:, :3], rows[:, 3], rows[:, 4:7], rows[:, 7])
    gaps = (
        round_cone_distance(np.repeat(points[0], len(cones), axis=0), drawn)
        .reshape(30, -1)
        .min(axis=1)
    )
    assert leg_depth(points, legs)[0] == pytest.approx(-gaps, abs=0.003)
