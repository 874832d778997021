import numpy as np
import pytest
from arm_chain import ARM, WRIST, random_angles

from juggle_anim.body.chain import Chain, Frame, Goal, Revolute, SolverOptions, solve
from juggle_anim.body.chain.chain import palm, posture_at_ease, upper_body

BOTH_ARMS = upper_body()


@pytest.mark.parametrize(
    ("chain", "frame", "start"),
    [
        (ARM, WRIST, np.radians([15.0, -20.0, 0.0, -80.0])),
        (ARM, WRIST, np.zeros(4)),  # straight, where joints hinder each other
        (BOTH_ARMS, palm(BOTH_ARMS, 1), posture_at_ease(BOTH_ARMS)),
    ],
)
def test_a_target_by_itself_is_solved_as_in_a_batch(
    chain: Chain, frame: Frame, start: np.ndarray
) -> None:
    near = chain.locate(random_angles(chain, 60), frame)[0]
    # Some are out of reach, and some are behind the body, where attempts from other poses help.
    targets = np.concatenate([near, 3.0 * near[:5], near[:15] * (1.0, 1.0, -1.0)])
    effort = SolverOptions(iterations=30, restarts=4)
    posture = start + 0.2
    batch = solve(chain, [Goal(frame, targets)], start, posture, effort)
    assert batch.converged.sum() >= 60
    assert batch.restarts.max() > 0
    for number, target in enumerate(targets):
        alone = solve(chain, [Goal(frame, target)], start, posture, effort)
        np.testing.assert_allclose(alone.angles[0], batch.angles[number], atol=1e-7)
        np.testing.assert_allclose(alone.errors[0], batch.errors[number], atol=1e-9)
        assert alone.converged[0] == batch.converged[number]
        assert alone.restarts[0] == batch.restarts[number]


def test_a_joint_with_a_slanting_axis_is_no_hindrance() -> None:
    slanting = Revolute("slanting", -1, (0.0, 0.0, 0.0), (1.0, 1.0, 0.0))
    chain = Chain((slanting, Revolute("elbow", 0, (0.0, -0.3, 0.0), (1.0, 0.0, 0.0), -2.5, 0.0)))
    frame = Frame(1, (0.0, -0.3, 0.0))
    target = chain.locate(np.array([0.4, -1.0]), frame)[0]
    outcome = solve(chain, [Goal(frame, target)], np.array([0.1, -0.5]))
    assert outcome.converged.all()
