import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juggle_anim.diagrams.line_drawing import PaperProjection
from juggle_anim.scene import Camera

LENS = PaperProjection(Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0)), 400.0, 300.0)
PLACES = st.tuples(st.floats(-0.8, 0.8), st.floats(0.2, 1.8), st.floats(-1.0, 1.0))


def test_the_target_is_in_the_middle_and_lengths_shrink_with_distance() -> None:
    assert LENS.to_paper(LENS.to_camera(np.array([0.0, 1.0, 0.0]))) == pytest.approx([200.0, 150.0])
    near, far = (LENS.to_paper(LENS.to_camera(np.array([1.0, 1.0, z])))[0] - 200 for z in (0.0, -5.0))
    assert near == pytest.approx(2 * far)
    assert LENS.to_paper(LENS.to_camera(np.array([0.0, 2.0, 0.0])))[1] < 150.0


@given(PLACES, st.floats(0.01, 0.3))
def test_lines_of_sight_through_the_outline_of_a_ball_touch_it(
    place: tuple[float, float, float], radius: float
) -> None:
    centre = LENS.to_camera(np.array([place]))
    outline = (LENS.balls(centre, np.array([radius]))[0] - (200.0, 150.0)) / LENS.scale
    rays = np.column_stack([outline[:, 0], -outline[:, 1], -np.ones(len(outline))])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    distance = np.linalg.norm(centre - (rays @ centre[0])[:, None] * rays, axis=1)
    assert distance == pytest.approx(radius, rel=1e-6)


@settings(max_examples=40)
@given(PLACES, PLACES, st.floats(0.02, 0.2), st.floats(0.02, 0.2))
def test_the_outline_of_a_round_cone_is_that_of_all_its_balls(
    start: tuple[float, float, float], end: tuple[float, float, float], first: float, last: float
) -> None:
    ends = LENS.to_camera(np.array([start, end]))
    hull = LENS.round_cones(ends[:1], np.array([first]), ends[1:], np.array([last]))[0]
    share = np.linspace(0.0, 1.0, 9)[:, None]
    between = LENS.balls(ends[:1] * (1 - share) + ends[1:] * share, (first + (last - first) * share)[:, 0])
    normals = np.stack([np.cos(turn := np.linspace(0, 2 * np.pi, 90)), np.sin(turn)])
    reach = (hull @ normals).max(axis=0)
    widest = np.ptp(between, axis=1).max() / 2
    assert ((between @ normals).max(axis=(0, 1)) <= reach + 0.003 * widest).all()
    assert (reach <= (between[[0, -1]] @ normals).max(axis=(0, 1)) + 1e-9).all()
