import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.state.arm_curves import GhostGap, LoopArms, elbow_gaps, gap_text


def test_a_ghost_of_the_same_solver_is_nowhere_else_and_another_is() -> None:
    gap = GhostGap()
    assert gap.at(animate("531"), 0.3) is None
    assert gap.at(animate("531", arms="two-link", ghost="two-link"), 0.3) == (0.0, 0.0)
    other = animate("531", arms="natural", ghost="two-link")
    now = gap.at(other, 0.3)
    assert now
    assert 0.005 < now[1] < 0.5
    assert now[0] == pytest.approx(
        elbow_gaps(LoopArms.of(other), LoopArms.of(animate("531", arms="two-link")))[36], abs=5e-3
    )
    assert max(gap.at(other, time)[0] for time in np.linspace(0, other.duration, 400)) == now[1]  # type: ignore[index]


def test_a_gap_is_told_in_centimetres() -> None:
    assert gap_text(0.0321, 0.06) == "Elbows 3.2 cm apart, at most 6.0"
    assert gap_text(0.0321) == "Elbows 3.2 cm apart"
