"""What every arm solver keeps, whichever way it finds its elbows."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from long_cases import sampled
from refined_steps import lasting_step

from juggle_anim.arrays import Floats
from juggle_anim.body.arms import DEFAULT_SOLVER, SOLVERS, Arm, ArmPose
from juggle_anim.body.arms.closed_form import HOME
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM

PERSON = Arm(UPPER_ARM, FOREARM)
REACH = UPPER_ARM + FOREARM
MIRROR = np.array([-1.0, 1.0, 1.0])
# The other one stops where the arm is all but straight, and comes near its target only step by
# step.
EXACT = [name for name in SOLVERS if name != "resolved-rate"]
SINGULAR = {
    "under": (0.0, -1.0, 0.0),
    "over": (0.0, 1.0, 0.0),
    "behind": (0.0, 0.0, -1.0),
    "opposite home": tuple(-HOME),
    "behind and above": (0.0, 0.534, -0.8455),
    "outward": (1.0, 0.0, 0.0),
    "inward": (-1.0, 0.0, 0.0),
    "ahead": (0.0, 0.0, 1.0),
}

every_solver = pytest.mark.parametrize("name", list(SOLVERS))
few = settings(max_examples=settings.default.max_examples // 4)

lengths = st.floats(0.05, 1.0)
arms = st.builds(Arm, lengths, lengths)
swivels = st.floats(-np.pi / 4, 2 * np.pi / 3)
# The smallest numbers of all lose digits when they are scaled.
coordinates = st.floats(-1.5, 1.5).map(lambda value: value if abs(value) > 1e-290 else 0.0)
targets = arrays.arrays(float, (12, 3), elements=coordinates)
shoulders = arrays.arrays(float, (3,), elements=coordinates)
directions = arrays.arrays(float, (3,), elements=st.floats(-1.0, 1.0)).filter(
    lambda v: np.linalg.norm(v) > 0.1
)
SIDES = np.arange(12) % 2


def length(vectors: Floats) -> Floats:
    return np.linalg.norm(vectors, axis=-1)


def assert_lawful(pose: ArmPose, shoulder: Floats, hand: Floats, arm: Arm) -> None:
    """Bones, rotations and gap agree with each other, and all is finite."""
    for values in (pose.elbow, pose.wrist, pose.rotations, pose.gap):
        assert np.isfinite(values).all()
    elbow = shoulder + np.asarray(arm.upper)[..., None] * pose.rotations[..., 0, :, 0]
    assert elbow == pytest.approx(pose.elbow, abs=1e-9)
    assert elbow + np.asarray(arm.lower)[..., None] * pose.rotations[..., 1, :, 0] == pytest.approx(
        pose.wrist, abs=1e-9
    )
    assert length(pose.elbow - shoulder) == pytest.approx(
        np.broadcast_to(arm.upper, pose.gap.shape), abs=1e-9
    )
    assert length(pose.wrist - pose.elbow) == pytest.approx(
        np.broadcast_to(arm.lower, pose.gap.shape), abs=1e-9
    )
    assert length(hand - pose.wrist) == pytest.approx(pose.gap, abs=1e-9)


@every_solver
@given(shoulders, targets, arms, swivels)
@few
def test_bones_keep_their_length_and_rotations_lead_to_elbow_and_wrist(
    name: str, shoulder: Floats, hands: Floats, arm: Arm, swivel: float
) -> None:
    assert_lawful(SOLVERS[name](shoulder, hands, arm, SIDES, swivel), shoulder, hands, arm)


def degenerate_targets(arm: Arm) -> Floats:
    """At the root, folded, within what a folded arm leaves free, just straight, and beyond, in all
    singular ways.
    """
    whole, folded = arm.upper + arm.lower, abs(arm.upper - arm.lower)
    distances = [
        0.0,
        1e-300,
        1e-12,
        folded / 2,
        folded,
        whole / 2,
        whole,
        np.nextafter(whole, 0),
        2 * whole,
        1e9,
    ]
    aside = [np.zeros(3), (1e-15, 0, 0), (1e-8, 0, 1e-9), (1e-5, 1e-6, 0)]
    ways = np.array([np.array(way) + miss for way in SINGULAR.values() for miss in aside])
    return (ways[:, None] * np.array(distances)[:, None]).reshape(-1, 3)


@every_solver
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("upper", "lower"), [(0.3, 0.3), (UPPER_ARM, FOREARM), (0.2, 0.5)])
def test_a_hand_where_directions_have_no_meaning_is_reached_as_far_as_can_be(
    name: str, side: int, upper: float, lower: float
) -> None:
    arm = Arm(upper, lower)
    hands = degenerate_targets(arm)
    pose = SOLVERS[name](np.zeros(3), hands, arm, side, 0.5)
    near = length(hands) < 10.0
    assert_lawful(
        ArmPose(pose.elbow[near], pose.wrist[near], pose.rotations[near], pose.gap[near]),
        np.zeros(3),
        hands[near],
        arm,
    )
    assert np.isfinite(pose.rotations).all()
    assert length(pose.elbow) == pytest.approx(upper, abs=1e-9)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("size", [1e-305, 1e-160, 1e160, 1e305])
def test_hands_too_near_or_far_for_squares_still_have_an_arm_toward_them(
    name: str, size: float
) -> None:
    hand = size * np.array([1.0, -2.0, 2.0])
    pose = SOLVERS[name](np.zeros(3), hand, PERSON, 0, 0.5)
    assert length(pose.elbow) == pytest.approx(UPPER_ARM, abs=1e-9)
    reached = np.clip(size, UPPER_ARM - FOREARM, REACH)
    assert pose.wrist == pytest.approx(reached * np.array([1, -2, 2]) / 3, abs=1e-9)


@pytest.mark.parametrize("name", EXACT)
@given(shoulders, targets, arms, swivels)
@few
def test_the_wrist_is_at_its_target_or_at_the_nearest_place_in_reach(
    name: str, shoulder: Floats, hands: Floats, arm: Arm, swivel: float
) -> None:
    pose = SOLVERS[name](shoulder, hands, arm, SIDES, swivel)
    distance = length(hands - shoulder)
    in_reach = np.clip(distance, abs(arm.upper - arm.lower), arm.upper + arm.lower)
    assert pose.gap == pytest.approx(np.abs(distance - in_reach), abs=1e-9)
    assert length(pose.wrist - hands) == pytest.approx(pose.gap, abs=1e-9)


@every_solver
@given(shoulders, targets, arms, swivels)
@few
def test_the_forearm_is_the_upper_arm_turned_about_the_hinge(
    name: str, shoulder: Floats, hands: Floats, arm: Arm, swivel: float
) -> None:
    pose = SOLVERS[name](shoulder, hands, arm, SIDES, swivel)
    rotations = pose.rotations
    assert rotations.swapaxes(-1, -2) @ rotations == pytest.approx(
        np.broadcast_to(np.eye(3), rotations.shape), abs=1e-9
    )
    assert np.linalg.det(rotations) == pytest.approx(np.ones(rotations.shape[:-2]), abs=1e-9)
    turn = rotations[:, 0].swapaxes(-1, -2) @ rotations[:, 1]
    assert turn[:, 2] == pytest.approx(np.broadcast_to([0.0, 0.0, 1.0], (12, 3)), abs=1e-9)
    inner = (arm.upper**2 + arm.lower**2 - length(pose.wrist - shoulder) ** 2) / (
        2 * arm.upper * arm.lower
    )
    assert turn[:, 0, 0] == pytest.approx(-inner, abs=1e-9)
    assert (turn[:, 1, 0] <= 1e-9).all()


@every_solver
@given(shoulders, targets, arms, swivels)
@few
def test_left_and_right_are_mirror_images(
    name: str, shoulder: Floats, hands: Floats, arm: Arm, swivel: float
) -> None:
    here = SOLVERS[name](shoulder, hands, arm, SIDES, swivel)
    there = SOLVERS[name](shoulder * MIRROR, hands * MIRROR, arm, 1 - SIDES, swivel)
    assert there.elbow * MIRROR == pytest.approx(here.elbow, abs=1e-9)
    assert there.wrist * MIRROR == pytest.approx(here.wrist, abs=1e-9)
    # A mirror makes of a hinge's direction the opposite one, beside turning it.
    hinge = np.diag(MIRROR) @ there.rotations @ np.diag([1.0, 1.0, -1.0])
    assert hinge[..., 0] == pytest.approx(here.rotations[..., 0], abs=1e-9)


@every_solver
@given(targets, arms, swivels, st.integers(-6, 6))
@few
def test_an_arm_of_another_size_is_the_same_arm(
    name: str, hands: Floats, arm: Arm, swivel: float, doublings: int
) -> None:
    # Powers of 2 leave all digits as they are, so that this holds for a straight arm too, whose
    # elbow is touchy.
    scale = 2.0**doublings
    here = SOLVERS[name](np.zeros(3), hands, arm, SIDES, swivel)
    there = SOLVERS[name](
        np.zeros(3), scale * hands, Arm(scale * arm.upper, scale * arm.lower), SIDES, swivel
    )
    assert there.elbow / scale == pytest.approx(here.elbow, abs=1e-9)
    assert there.rotations == pytest.approx(here.rotations, abs=1e-9)
    assert there.gap / scale == pytest.approx(here.gap, abs=1e-9)


@every_solver
@given(st.floats(0.3, 3.0), shoulders, swivels)
@few
def test_size_and_place_do_not_matter_in_comfortable_reach(
    name: str, scale: float, shoulder: Floats, swivel: float
) -> None:
    hands = np.array(
        [[0.1, -0.3, 0.3], [-0.2, -0.1, 0.3], [0.0, 0.3, 0.25], [0.2, -0.4, 0.0], [0.05, 0.05, 0.2]]
    )
    sides = np.array([0, 1, 0, 1, 0])
    here = SOLVERS[name](np.zeros(3), hands, PERSON, sides, swivel)
    there = SOLVERS[name](
        shoulder, shoulder + scale * hands, Arm(scale * UPPER_ARM, scale * FOREARM), sides, swivel
    )
    assert (there.elbow - shoulder) / scale == pytest.approx(here.elbow, abs=1e-9)
    assert there.rotations == pytest.approx(here.rotations, abs=1e-9)


@every_solver
@given(targets, swivels)
@few
def test_an_arm_does_not_depend_on_the_others_of_its_batch_nor_on_what_came_before(
    name: str, hands: Floats, swivel: float
) -> None:
    together = SOLVERS[name](np.zeros(3), hands, PERSON, SIDES, swivel)
    backward = SOLVERS[name](np.zeros(3), hands[::-1], PERSON, SIDES[::-1], swivel)
    again = SOLVERS[name](np.zeros(3), hands, PERSON, SIDES, swivel)
    alone = SOLVERS[name](np.zeros(3), hands[4], PERSON, 0, swivel)
    assert np.array_equal(again.elbow, together.elbow)
    assert np.array_equal(again.rotations, together.rotations)
    assert backward.elbow[::-1] == pytest.approx(together.elbow, abs=1e-9)
    assert alone.elbow == pytest.approx(together.elbow[4], abs=1e-9)
    assert alone.rotations == pytest.approx(together.rotations[4], abs=1e-9)


@every_solver
def test_shapes_broadcast(name: str) -> None:
    # Times, jugglers, sides: one swivel for each side, bones for each juggler.
    hands = np.array([[0.25, 1.0, 0.3], [-0.25, 1.0, 0.3]]) + np.linspace(0, 0.1, 15).reshape(
        5, 3, 1, 1
    )
    shoulder = np.array([[0.18, 1.4, 0.0], [-0.18, 1.4, 0.0]])
    arm = Arm(np.array([[0.30], [0.32], [0.34]]), 0.25)
    swivel = np.array([0.3, 0.6])
    pose = SOLVERS[name](shoulder, hands, arm, np.array([0, 1]), swivel)
    assert pose.elbow.shape == pose.wrist.shape == (5, 3, 2, 3)
    assert pose.rotations.shape == (5, 3, 2, 2, 3, 3)
    assert pose.gap.shape == (5, 3, 2)
    one = SOLVERS[name](shoulder[1], hands[3, 2, 1], Arm(0.34, 0.25), 1, 0.6)
    assert one.elbow == pytest.approx(pose.elbow[3, 2, 1], abs=1e-9)
    assert SOLVERS[name](shoulder, hands[:0], arm, np.array([0, 1]), swivel).elbow.shape == (
        0,
        3,
        2,
        3,
    )


@pytest.mark.parametrize("name", EXACT)
@given(targets, st.floats(-0.5, 1.0), st.floats(-1.0, 1.0))
@few
def test_the_swivel_turns_elbows_outward_about_the_line_to_the_hand(
    name: str, hands: Floats, swivel: float, more: float
) -> None:
    before = SOLVERS[name](np.zeros(3), hands, PERSON, SIDES, swivel)
    after = SOLVERS[name](np.zeros(3), hands, PERSON, SIDES, swivel + more)
    distance = np.maximum(length(before.wrist), 1e-9)[:, None]
    axis = before.wrist / distance
    turn = np.where(SIDES == 0, more, -more)[:, None]
    along = (before.elbow * axis).sum(-1, keepdims=True) * axis
    beside = np.cross(axis, before.elbow - along)
    turned = along + np.cos(turn) * (before.elbow - along) + np.sin(turn) * beside
    folded = length(before.wrist) < 1e-6
    assert after.elbow[~folded] == pytest.approx(turned[~folded], abs=1e-8)


@every_solver
def test_a_wider_wing_lifts_both_elbows_outward(name: str) -> None:
    hands = np.array([[0.05, -0.30, 0.30], [-0.05, -0.30, 0.30]])
    eased, lifted = (
        SOLVERS[name](np.zeros(3), hands, PERSON, np.array([0, 1]), np.radians(degrees)).elbow
        for degrees in (30, 60)
    )
    outward = (lifted - eased)[:, 0] * (1, -1)
    assert (outward > 0.03).all()
    assert (lifted[:, 1] > eased[:, 1]).all()


# A path that was sampled at steps of 1e-9 moves at most this far in one, [m]; at the edge of reach
# an elbow's speed has no bound, but what is left of a step grows only with its root.
STILL = 1e-4


def lasting_elbow_step(name: str, path, side: int, swivel: float, samples: int = 257) -> float:
    return lasting_step(
        lambda times: SOLVERS[name](np.zeros(3), path(times[:, None]), PERSON, side, swivel).elbow,
        samples,
    )


# Every rule for elbows is tried at three lines, and at all of them the one that people have unless
# they choose another.
NEAR_LINES = [
    (name, line)
    for name, line in product(SOLVERS, SINGULAR)
    if name == DEFAULT_SOLVER or line in ("opposite home", "behind and above", "over")
]


@pytest.mark.parametrize(
    ("name", "line"), sampled(product(SOLVERS, SINGULAR), *NEAR_LINES, arguments=2)
)
def test_elbows_do_not_jump_when_a_hand_passes_a_singular_line(name: str, line: str) -> None:
    along = np.array(SINGULAR[line])
    first = np.cross(along, (0.6, 0.64, 0.48))
    first /= np.linalg.norm(first)
    second = np.cross(along, first)
    # No rule for elbows is smooth in all directions, and each has one left, there: a hand passes
    # near it.
    misses = (0.001,) if line in ("opposite home", "behind and above") else (0.001, 0.0)
    angles = (0.0, 3.9) if name in EXACT else (3.9,)
    # 35 cm away, and farther away than can be reached.
    for angle, distance, miss in product(angles, (0.35, 1.1 * REACH), misses):
        across, beside = (
            np.cos(angle + turn) * first + np.sin(angle + turn) * second
            for turn in (0.0, np.pi / 2)
        )
        start = distance * along + miss * beside
        step = lasting_elbow_step(
            name, lambda times, s=start, a=across: s + (times - 0.4) * a, 0, np.radians(15.0)
        )
        assert step < STILL


@every_solver
@given(st.lists(directions, min_size=10, max_size=10), directions, st.floats(0.5, 0.9), swivels)
@few
def test_no_elbow_is_much_faster_than_its_hand(
    name: str, away: list[Floats], onward: Floats, share: float, swivel: float
) -> None:
    ways = np.array(away) / length(np.array(away))[:, None]
    ways = ways[ways @ HOME > -0.75]
    # A millionth of a second of a hand at 1 m/s.
    moved = 1e-6 * onward / np.linalg.norm(onward)
    before, after = (
        SOLVERS[name](np.zeros(3), share * REACH * ways + move, PERSON, 1, swivel).elbow
        for move in (0.0, moved)
    )
    assert (length(after - before) < 4.5e-6).all()


@every_solver
@given(directions, directions, st.sampled_from([0, 1]), swivels)
@few
def test_elbows_do_not_jump_when_a_hand_leaves_the_reach_and_comes_back(
    name: str, away: Floats, sideways: Floats, side: int, swivel: float
) -> None:
    away = away / np.linalg.norm(away)

    def path(times: Floats) -> Floats:
        return away * REACH * (1.0 - 0.5 * np.cos(2 * np.pi * times)) + 0.1 * times * sideways

    assert lasting_elbow_step(name, path, side, swivel) < STILL


@every_solver
@given(
    arrays.arrays(float, (6, 3), elements=st.floats(-0.4, 0.4)), st.sampled_from([0, 1]), swivels
)
@few
def test_elbows_do_not_jump_wherever_a_hand_goes(
    name: str, waves: Floats, side: int, swivel: float
) -> None:
    # It starts ahead, swings about, stops halfway for a while, and goes on.
    def path(times: Floats) -> Floats:
        moving = np.clip(times * 1.25, 0.0, 0.5) + np.clip(times * 1.25 - 0.75, 0.0, 0.5)
        angles = 2 * np.pi * moving * np.arange(1, 4)
        return (
            np.array([0.02, -0.2, 0.25])
            + (1 - np.cos(angles)) @ waves[:3]
            + np.sin(angles) @ waves[3:]
        )

    assert lasting_elbow_step(name, path, side, swivel) < STILL


def test_a_jump_would_be_seen() -> None:
    def printed(times: Floats) -> Floats:
        # The printed form's elbow for a hand that passes straight under its shoulder: hanging back,
        # then ahead.
        return np.where(times[:, None] < 0.4, (0.0, -0.2, -0.2), (0.0, -0.2, 0.2))

    assert lasting_step(printed) == pytest.approx(0.4)


def test_the_default_is_among_the_solvers() -> None:
    assert DEFAULT_SOLVER in SOLVERS
