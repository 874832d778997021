import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.cards.arm_lab import status, trace_curves
from juggle_anim.viewer.state.arm_lab import TRACE_LENGTH, ArmLab, FollowMethod
from juggle_anim.viewer.state.listing import ArmSelection


def lab(way: FollowMethod = FollowMethod.SOLVER) -> ArmLab:
    made = ArmLab(animate("531"), 0.3, ArmSelection())
    made.use_method(way)
    return made


def test_a_trace_is_plotted_and_does_not_grow_without_end() -> None:
    made = lab(way=FollowMethod.ARM)
    for _ in range(TRACE_LENGTH + 20):
        made.iterate()
    missing, moved = trace_curves(made)
    assert missing.values.shape == moved.values.shape == (1, TRACE_LENGTH)
    assert missing.values[0, -1] == 100 * made.error


def test_the_status_tells_what_is_missing_and_how_many_steps_it_took() -> None:
    made = lab()
    assert status(made)[0] == f"Reached, {100 * made.reach:.0f}% of the arm"
    made.place_goal(made.goal + (1.0, 0.0, 0.0))
    assert status(made)[0] == f"Out of reach by {100 * made.error:.1f} cm"
    chain = lab(FollowMethod.ARM)
    chain.paused = True
    chain.place_goal(chain.goal + (0.1, 0.2, 0.1))
    chain.iterate()
    assert status(chain)[0] == f"Step 1: {100 * chain.error:.1f} cm missing"
    for _ in range(30):
        chain.iterate()
    assert status(chain)[0].startswith("Reached in 31 steps, ")


def test_who_rests_out_of_reach_is_no_longer_on_the_way() -> None:
    chain = lab(FollowMethod.ARM)
    chain.place_goal(chain.goal + (1.5, 0.0, 0.0))
    for _ in range(80):
        chain.iterate()
    assert chain.error == pytest.approx(1.5, abs=0.6)
    assert status(chain)[0].startswith("Out of reach by ")
