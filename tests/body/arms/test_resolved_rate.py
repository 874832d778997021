import numpy as np
import pytest
from arm_chain import ARM, LOWER, NEUTRAL, UPPER, WRIST, random_angles

from juggle_anim.arrays import Floats
from juggle_anim.body.chain import AT_REST, Chain, Frame, Goal, Revolute, SolverOptions, solve
from juggle_anim.body.chain.chain import palm, posture_at_ease, upper_body
from juggle_anim.errors import ChainError

REACH = UPPER + LOWER
ONE_WAY = np.array([0.1, -0.2, 0.95]) / np.linalg.norm([0.1, -0.2, 0.95])
FOLLOWING = SolverOptions(iterations=300, rest=AT_REST)


def assert_within_limits(chain: Chain, angles: Floats) -> None:
    lower, upper = chain.limits
    assert (angles >= lower).all()
    assert (angles <= upper).all()


def followed(targets: Floats, start: Floats) -> Floats:
    """Angles at each target, every one solved from those at the one before, shape (T, 4)."""
    angles = []
    for target in targets:
        outcome = solve(
            ARM, [Goal(WRIST, target)], angles[-1] if angles else start, NEUTRAL, FOLLOWING
        )
        angles.append(outcome.angles[0])
    return np.array(angles)


def test_of_a_thousand_targets_within_the_limits_all_but_five_are_met() -> None:
    targets = ARM.locate(random_angles(ARM, 1000), WRIST)[0]
    outcome = solve(ARM, [Goal(WRIST, targets)], NEUTRAL)
    errors = np.linalg.norm(ARM.locate(outcome.angles, WRIST)[0] - targets, axis=1)
    assert (errors < 1e-4).mean() >= 0.995
    assert_within_limits(ARM, outcome.angles)
    assert outcome.errors[:, 0] == pytest.approx(errors, abs=1e-12)
    assert (outcome.converged == (errors <= SolverOptions().tolerance)).all()


def test_most_targets_are_met_without_starting_anew() -> None:
    targets = ARM.locate(random_angles(ARM, 1000), WRIST)[0]
    outcome = solve(ARM, [Goal(WRIST, targets)], NEUTRAL, effort=SolverOptions(restarts=0))
    assert outcome.converged.mean() > 0.95
    assert not outcome.restarts.any()
    again = solve(ARM, [Goal(WRIST, targets)], NEUTRAL)
    assert ((again.restarts > 0) == ~outcome.converged).all()
    assert (again.angles[outcome.converged] == outcome.angles[outcome.converged]).all()


@pytest.mark.parametrize("oriented", [False, True])
def test_spine_and_arm_take_a_palm_anywhere(oriented: bool) -> None:
    chain = upper_body((1,))
    places, turns = chain.locate(random_angles(chain, 300), palm(chain, 1))
    goal = Goal(palm(chain, 1), places, turns if oriented else None)
    outcome = solve(chain, [goal], posture_at_ease(chain))
    assert outcome.converged.mean() >= 0.995
    assert_within_limits(chain, outcome.angles)
    if oriented:
        reached = chain.locate(outcome.angles, palm(chain, 1))[1]
        assert reached[outcome.converged] == pytest.approx(turns[outcome.converged], abs=2e-4)


def test_both_hands_share_the_spine() -> None:
    chain = upper_body()
    angles = random_angles(chain, 300)
    goals = [Goal(palm(chain, side), chain.locate(angles, palm(chain, side))[0]) for side in (0, 1)]
    outcome = solve(chain, goals, posture_at_ease(chain))
    assert outcome.errors.shape == (300, 2)
    assert outcome.converged.mean() >= 0.995
    assert_within_limits(chain, outcome.angles)
    spine = outcome.angles[:, :3]
    only_left = solve(chain, goals[:1], posture_at_ease(chain))
    assert np.abs(spine - only_left.angles[:, :3]).max() > 0.1


def test_a_goal_that_is_met_moves_nothing() -> None:
    angles = random_angles(ARM, 50)
    outcome = solve(ARM, [Goal(WRIST, ARM.locate(angles, WRIST)[0])], angles, NEUTRAL)
    assert (outcome.angles == angles).all()
    assert not outcome.iterations.any()
    assert outcome.converged.all()


def test_the_posture_is_taken_as_far_as_the_goal_lets_it() -> None:
    angles = random_angles(ARM, 100)
    targets = ARM.locate(angles, WRIST)[0]
    outcome = solve(
        ARM,
        [Goal(WRIST, targets)],
        angles,
        NEUTRAL,
        SolverOptions(iterations=500, restarts=0, rest=AT_REST),
    )
    assert outcome.converged.all()
    before, after = (np.linalg.norm(each - NEUTRAL, axis=1) for each in (angles, outcome.angles))
    assert (after <= before + 1e-4).all()
    inside = (
        (outcome.angles > ARM.limits[0] + 1e-6) & (outcome.angles < ARM.limits[1] - 1e-6)
    ).all(axis=1)
    bent = outcome.angles[:, 3] < -0.2
    # What is left of the pull has no part that would leave the hand where it is.
    jacobian = ARM.jacobian(outcome.angles, WRIST)[:, :3]
    left = (np.eye(4) - np.linalg.pinv(jacobian) @ jacobian) @ (NEUTRAL - outcome.angles)[..., None]
    assert (inside & bent).sum() > 30
    assert left[inside & bent, :, 0] == pytest.approx(0, abs=1e-6)


def test_limits_that_are_far_have_no_effect() -> None:
    def limited(by: float) -> Chain:
        joints = [
            Revolute(each.name, each.parent, each.offset, each.axis, -by, by) for each in ARM.joints
        ]
        return Chain(tuple(joints))

    targets = NEUTRAL + 0.2 * np.random.default_rng(3).normal(size=(50, 4))
    goal = Goal(WRIST, ARM.locate(targets, WRIST)[0])
    near, far = (
        solve(limited(by), [goal], NEUTRAL, effort=SolverOptions(restarts=0)) for by in (4.0, 400.0)
    )
    assert near.converged.all()
    assert (near.angles == far.angles).all()


def test_a_target_beyond_reach_is_pointed_at() -> None:
    outcome = solve(ARM, [Goal(WRIST, 0.75 * ONE_WAY)], NEUTRAL)
    assert not outcome.converged[0]
    assert outcome.errors[0, 0] == pytest.approx(0.75 - REACH, abs=1e-4)
    assert outcome.restarts[0] == 0
    assert ARM.locate(outcome.angles[0], WRIST)[0] == pytest.approx(REACH * ONE_WAY, abs=1e-4)


def test_a_hand_that_is_pulled_out_of_reach_comes_back_as_it_went() -> None:
    distances = 0.40 + 0.35 * (1 - np.cos(np.linspace(0, 2 * np.pi, 61))) / 2
    angles = followed(distances[:, None] * ONE_WAY, NEUTRAL)
    assert np.abs(angles[-1] - angles[0]).max() < 1e-6
    assert np.abs(np.diff(angles, axis=0)).max() < 0.5
    reached = np.linalg.norm(ARM.locate(angles, WRIST)[0], axis=1)
    assert reached == pytest.approx(np.minimum(distances, REACH), abs=2e-5)


def test_a_goal_that_goes_round_many_times_leaves_no_drift() -> None:
    turn = np.linspace(0, 2 * np.pi, 4, endpoint=False)
    loop = np.stack(
        [0.10 + 0.15 * np.cos(turn), -0.2 + 0.15 * np.sin(turn), np.full(4, 0.35)], axis=-1
    )
    angles = followed(np.tile(loop, (12, 1)), NEUTRAL).reshape(12, 4, 4)
    assert np.abs(angles - angles[0]).max() < 1e-6


def test_a_straight_arm_can_bend_again() -> None:
    straight = np.array([0.2, -1.3, 0.0, 0.0])
    way, _ = ARM.locate(straight, WRIST)
    outcome = solve(ARM, [Goal(WRIST, 0.8 * way)], straight, NEUTRAL, SolverOptions(restarts=0))
    assert outcome.converged[0]


def test_no_target_depends_on_the_others() -> None:
    targets = ARM.locate(random_angles(ARM, 40), WRIST)[0]
    together = solve(ARM, [Goal(WRIST, targets)], NEUTRAL)
    for index in range(40):
        alone = solve(ARM, [Goal(WRIST, targets[index])], NEUTRAL)
        assert alone.angles[0] == pytest.approx(together.angles[index], abs=1e-9)
        assert alone.iterations[0] == together.iterations[index]
    assert (solve(ARM, [Goal(WRIST, targets)], NEUTRAL).angles == together.angles).all()


def test_more_targets_than_are_worked_on_at_a_time_make_no_difference() -> None:
    targets = ARM.locate(random_angles(ARM, 2500), WRIST)[0]
    outcome = solve(ARM, [Goal(WRIST, targets)], NEUTRAL)
    last = solve(ARM, [Goal(WRIST, targets[2300:])], NEUTRAL)
    assert outcome.angles[2300:] == pytest.approx(last.angles, abs=1e-9)


def test_a_trace_tells_every_step() -> None:
    targets = ARM.locate(random_angles(ARM, 5), WRIST)[0]
    outcome = solve(
        ARM, [Goal(WRIST, targets)], NEUTRAL, effort=SolverOptions(restarts=0), trace=True
    )
    assert outcome.trace is not None
    steps = outcome.iterations.max() + 1
    assert outcome.trace.angles.shape == (steps, 5, 4)
    assert outcome.trace.errors.shape == (steps, 5, 1)
    assert (outcome.trace.angles[0] == NEUTRAL).all()
    assert (outcome.trace.angles[-1] == outcome.angles).all()
    assert (outcome.trace.errors[-1] == outcome.errors).all()
    for target, count in enumerate(outcome.iterations):
        moved = np.abs(np.diff(outcome.trace.angles[:, target], axis=0)).max(axis=1) > 0
        assert moved.tolist() == [True] * count + [False] * (steps - 1 - count)
    assert solve(ARM, [Goal(WRIST, targets)], NEUTRAL).trace is None


def test_no_step_leads_far_from_where_its_jacobian_says() -> None:
    places = ARM.locate(random_angles(ARM, 300), WRIST)[0]
    starts = random_angles(ARM, 300, seed=2)
    outcome = solve(
        ARM, [Goal(WRIST, places)], starts, NEUTRAL, SolverOptions(restarts=0), trace=True
    )
    assert outcome.trace is not None
    before, after = outcome.trace.angles[:-1], outcome.trace.angles[1:]
    said = np.einsum("...in,...n->...i", ARM.jacobian(before, WRIST)[..., :3, :], after - before)
    done = ARM.locate(after, WRIST)[0] - ARM.locate(before, WRIST)[0]
    off, told = np.linalg.norm(done - said, axis=-1), np.linalg.norm(said, axis=-1)
    assert (off <= np.maximum(0.5 * told, 0.02 * REACH) + 1e-9).all()
    # Some would, were they not halved.
    assert (off > 0.4 * told).any()


def test_of_two_goals_that_cannot_both_be_met_the_heavier_comes_nearer() -> None:
    apart = [np.array([0.1, -0.2, 0.3]), np.array([0.1, -0.2, 0.4])]
    goals = [
        Goal(WRIST, place, weight=weight) for place, weight in zip(apart, (3.0, 1.0), strict=True)
    ]
    outcome = solve(ARM, goals, NEUTRAL, effort=SolverOptions(restarts=0))
    assert not outcome.converged[0]
    # Least squares: 9 a = b and a + b = 0.1 m.
    assert outcome.errors[0] == pytest.approx([0.01, 0.09], abs=2e-3)


def test_none_of_no_targets_is_met() -> None:
    outcome = solve(ARM, [Goal(WRIST, np.zeros((0, 3)))], NEUTRAL)
    assert outcome.angles.shape == (0, 4)
    assert outcome.errors.shape == (0, 1)


@pytest.mark.parametrize(
    ("goals", "start", "told"),
    [
        ([], NEUTRAL, "nothing to solve"),
        ([Goal(Frame(4), np.zeros(3))], NEUTRAL, "at joint 4, but joints are numbered 0 to 3"),
        ([Goal(WRIST, np.zeros(2))], NEUTRAL, r"position of goal 0 has shape \(2,\)"),
        (
            [Goal(WRIST, np.zeros((5, 3))), Goal(WRIST, np.zeros((4, 3)))],
            NEUTRAL,
            "position of goal 1 has shape",
        ),
        ([Goal(WRIST, np.full(3, np.nan))], NEUTRAL, "must be finite numbers"),
        ([Goal(WRIST, np.zeros(3), np.eye(2))], NEUTRAL, "orientation of goal 0 has shape"),
        ([Goal(WRIST, np.zeros(3), weight=0.0)], NEUTRAL, "weight 0"),
        (
            [Goal(WRIST, np.zeros(3))],
            np.zeros(3),
            r"start has shape \(3,\), but needs \(4,\) or \(1, 4\)",
        ),
        ([Goal(WRIST, np.zeros(3))], np.full(4, np.inf), "start must be finite angles"),
    ],
)
def test_what_does_not_fit_is_told(goals: list[Goal], start: Floats, told: str) -> None:
    with pytest.raises(ChainError, match=told):
        solve(ARM, goals, start)
