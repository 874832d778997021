import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.arms.arm_lab import TRACE_LENGTH, ArmLab, FollowMethod
from juggle_anim.viewer.arms.lab_card import (
    GIZMO_SIZE,
    gizmo_covers,
    moved_words,
    on_screen,
    status,
    trace_curves,
)
from juggle_anim.viewer.layout import arrange
from juggle_anim.viewer.panel.controls import ArmSelection

LAYOUT = arrange(640, 480, 1.0, shown=True, plots=True)


ANIMATION = animate("531")


CAMERA = ANIMATION.camera(640 / 480)


def test_what_the_camera_looks_at_is_in_the_middle_of_the_window() -> None:
    assert on_screen(np.array(CAMERA.target), LAYOUT, CAMERA) == pytest.approx((320, 240))


def test_what_is_higher_is_higher_in_the_window() -> None:
    low, high = (
        on_screen(np.array(CAMERA.target) + (0, up, 0), LAYOUT, CAMERA) for up in (0.0, 0.3)
    )
    assert high[0] == pytest.approx(low[0])
    assert high[1] < low[1] - 20


def test_around_its_goal_the_gizmo_has_the_mouse() -> None:
    lab = ArmLab(ANIMATION, 0.3, ArmSelection())
    x, y = on_screen(lab.goal, LAYOUT, CAMERA)
    assert gizmo_covers(lab, LAYOUT, CAMERA, x + GIZMO_SIZE, y)
    assert not gizmo_covers(lab, LAYOUT, CAMERA, x + 2 * GIZMO_SIZE, y)


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
    assert status(chain)[0] == f"Step 1: {100 * chain.error:.1f} cm to go"
    for _ in range(30):
        chain.iterate()
    assert status(chain)[0].startswith("Reached in 31 steps, ")


def test_who_rests_out_of_reach_is_no_longer_on_the_way() -> None:
    chain = lab(FollowMethod.ARM)
    chain.place_goal(chain.goal + (1.5, 0.0, 0.0))
    for _ in range(80):
        chain.iterate()
    assert chain.error == pytest.approx(1.2, abs=0.6)
    assert status(chain)[0].startswith("Out of reach by ")


def test_how_far_the_goal_is_dragged_is_told_with_names_and_units() -> None:
    made = lab()
    assert moved_words(made) == "not moved yet"
    made.held_from = made.place, made.goal_rotation
    made.place_goal(made.goal + (-0.052, 0.1, 0.0))
    assert moved_words(made) == "right 5.2 cm, up 10.0 cm"
