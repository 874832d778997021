import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.viewer.arms.arm_lab import (
    ELBOW_POINT,
    MAX_SAMPLES,
    MIN_SAMPLES,
    PALM_POINT,
    SHOULDER_POINT,
    TITLES,
    WRIST_POINT,
    Curve,
    GhostGap,
    LoopArms,
    arm_curves,
    elbow_gaps,
    gap_text,
    swivel,
)
from juggle_anim.viewer.arms.lab_card import SHORT_TITLES
from juggle_anim.viewer.state.undo import IdentityCache


def still(side: int, lifted: float) -> tuple[Floats, Floats, Floats]:
    """An arm that reaches straight ahead, its elbow lifted outward by an angle, [rad]."""
    out = 1.0 if side == 0 else -1.0
    shoulder, wrist = np.array([[0.2 * out, 1.4, 0.0]]), np.array([[0.2 * out, 1.4, 0.4]])
    elbow = shoulder + (0.2 * out * np.sin(lifted), -0.2 * np.cos(lifted), 0.2)
    return shoulder, elbow, wrist


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("degrees", [-60.0, 0.0, 30.0, 120.0])
def test_the_swivel_is_the_angle_that_an_elbow_is_lifted_outward_by(
    side: int, degrees: float
) -> None:
    assert np.degrees(swivel(*still(side, np.radians(degrees)), side)) == pytest.approx(
        [degrees], abs=1e-9
    )


@pytest.mark.parametrize("side", [0, 1])
def test_a_chicken_wing_lifted_by_some_degrees_lifts_the_swivel_by_as_many(side: int) -> None:
    lower, higher = (
        LoopArms.from_animation(animate("3", arms="natural", chicken_wing=wing))
        for wing in (30, 45)
    )
    raised = arm_curves(higher, 0, side)[6].values - arm_curves(lower, 0, side)[6].values
    assert np.median(raised) == pytest.approx(15.0, abs=0.5)


def test_a_swivel_does_not_jump_by_whole_turns() -> None:
    turns = np.linspace(0.0, 4 * np.pi, 200)
    arms = [still(0, turn) for turn in turns]
    shoulder, elbow, wrist = (np.concatenate(column) for column in zip(*arms, strict=True))
    assert np.diff(swivel(shoulder, elbow, wrist, 0)).max() < 0.1


def test_curves_are_in_the_units_they_name() -> None:
    arms = LoopArms.from_animation(animate("531"))
    _, _, _, angles, height, speed, _, reach = arm_curves(arms, 0, 0)
    joints = arms.joints[:, 0, 0]
    assert height.values[0] == pytest.approx(100 * joints[:, ELBOW_POINT, 1])
    velocity = np.gradient(joints[:, ELBOW_POINT], arms.step, axis=0)
    assert speed.values[0, 1:-1] == pytest.approx(np.linalg.norm(velocity, axis=-1)[1:-1])
    over_the_end = (joints[1, ELBOW_POINT] - joints[-1, ELBOW_POINT]) / (2 * arms.step)
    assert speed.values[0, 0] == pytest.approx(np.linalg.norm(over_the_end))
    distance = np.linalg.norm(joints[:, WRIST_POINT] - joints[:, SHOULDER_POINT], axis=-1)
    assert reach.values[0] == pytest.approx(100 * distance / (UPPER_ARM + FOREARM))
    # By the law of cosines.
    bent = np.radians(angles.values[1])
    cosines = UPPER_ARM**2 + FOREARM**2 + 2 * UPPER_ARM * FOREARM * np.cos(bent)
    assert distance == pytest.approx(np.sqrt(cosines), abs=1e-9)


def test_a_hand_is_as_high_fast_and_hasty_as_its_palm() -> None:
    arms = LoopArms.from_animation(animate("531"))
    height, speed, acceleration = arm_curves(arms, 0, 1)[:3]
    palm = arms.joints[:, 0, 1, PALM_POINT]
    assert height.values[0] == pytest.approx(100 * palm[:, 1])
    velocity = np.gradient(palm, arms.step, axis=0)
    assert speed.values[0, 1:-1] == pytest.approx(np.linalg.norm(velocity, axis=-1)[1:-1])
    hastes = np.linalg.norm(np.gradient(velocity, arms.step, axis=0), axis=-1)
    assert acceleration.values[0, 2:-2] == pytest.approx(hastes[2:-2])
    # A hand that throws slows by more than gravity, so that the prop leaves it.
    assert 1.25 * 9.8 < acceleration.values.max() < 400


def test_each_title_is_that_of_its_curve() -> None:
    assert (
        tuple(curve.title for curve in arm_curves(LoopArms.from_animation(animate("531")), 0, 1))
        == TITLES
    )


def test_a_plot_shows_all_of_its_curves_and_makes_no_hill_of_a_grain() -> None:
    flat = Curve("Height", "cm", ("Height",), np.array([[100.0, 101.0]]), 10.0)
    assert flat.limits() == (95.5, 105.5)
    high = Curve("Height", "cm", ("Height",), np.array([[150.0, 140.0]]), 10.0)
    low, top = flat.limits(high)
    assert low < 100.0 < 150.0 < top
    speed = Curve("Speed", "m/s", ("Speed",), np.array([[0.1, 2.0]]), 0.5, from_zero=True)
    assert speed.limits() == pytest.approx((-0.0864, 2.16))


def test_a_value_is_written_with_its_unit() -> None:
    curve = Curve("Swivel", "°", ("Swivel",), np.array([[-12.4, 1.0]]), 10.0)
    assert curve.value_text(0, 0) == "−12°"
    assert (
        Curve("Speed", "m/s", ("Speed",), np.array([[1.234]]), 1.0, 2).value_text(0, 0)
        == "1.23 m/s"
    )


def test_shorter_titles_leave_out_the_limb_that_the_one_before_names() -> None:
    assert SHORT_TITLES[:5] == ("Hand height", "speed", "acceleration", "Joints", "Elbow height")
    assert len(SHORT_TITLES) == len(TITLES)


def test_a_ghost_of_the_same_solver_is_nowhere_else_and_another_is() -> None:
    gap = GhostGap()
    assert gap.at(animate("531"), 0.3) is None
    assert gap.at(animate("531", arms="two-link", ghost="two-link"), 0.3) == (0.0, 0.0)
    other = animate("531", arms="natural", ghost="two-link")
    now = gap.at(other, 0.3)
    assert now
    assert 0.005 < now[1] < 0.5
    assert now[0] == pytest.approx(
        elbow_gaps(
            LoopArms.from_animation(other), LoopArms.from_animation(animate("531", arms="two-link"))
        )[36],
        abs=5e-3,
    )
    assert max(gap.at(other, time)[0] for time in np.linspace(0, other.duration, 400)) == now[1]  # type: ignore[index]


def test_a_gap_is_told_in_centimetres() -> None:
    assert gap_text(0.0321, 0.06) == "Elbows 3.2 cm apart, at most 6.0 cm"
    assert gap_text(0.0321) == "Elbows 3.2 cm apart"


def test_a_loop_has_the_joints_of_every_arm_at_even_times() -> None:
    animation = animate("<3p|3p>")
    arms = LoopArms.from_animation(animation)
    number = arms.index_at(0.3 * animation.duration)
    joints = animation.pose(arms.times[number : number + 1]).joints[0, 1]
    assert arms.joints[number, 1, 1, ELBOW_POINT] == pytest.approx(
        joints[Joint.RIGHT_ELBOW], abs=1e-12
    )
    assert arms.joints[number, 1, 0, WRIST_POINT] == pytest.approx(
        joints[Joint.LEFT_WRIST], abs=1e-12
    )


def test_short_and_long_loops_are_looked_at_often_enough_but_not_without_end() -> None:
    short, long = (
        LoopArms.from_animation(animate("1", bps=20)),
        LoopArms.from_animation(animate("3", bps=0.06)),
    )
    assert MIN_SAMPLES <= len(short.joints) < len(long.joints) <= MAX_SAMPLES


@pytest.mark.parametrize("rounds", [-2, 0, 5])
def test_the_time_nearest_is_found_in_any_round(rounds: int) -> None:
    arms = LoopArms.from_animation(animate("531"))
    assert arms.index_at(arms.times[7] + 0.4 * arms.step + rounds * arms.duration) == 7
    assert arms.index_at(arms.duration - 0.1 * arms.step) == 0


def test_the_gap_is_that_of_the_worst_elbow() -> None:
    first, second = (
        LoopArms.from_animation(animate("531", arms=name)) for name in ("natural", "two-link")
    )
    each = np.linalg.norm(
        first.joints[:, 0, :, ELBOW_POINT] - second.joints[:, 0, :, ELBOW_POINT], axis=-1
    )
    assert elbow_gaps(first, second) == pytest.approx(each.max(axis=1))
    assert elbow_gaps(first, first).max() == 0.0


def test_the_loop_of_an_animation_is_looked_at_once() -> None:
    last, animation = IdentityCache(LoopArms.from_animation), animate("531")
    assert last.of(animation) is last.of(animation)
    assert last.of(animate("531")) is not last.of(animation)
