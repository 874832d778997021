import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.body.skeleton import FACE, HEAD
from juggle_anim.body.trunk_and_legs import pose_head

NECK = np.array([[[0.1, 1.5, 0.05]]])
yaws, pitches, leans = st.floats(-1.1, 1.1), st.floats(-0.5, 0.8), st.floats(-0.3, 0.3)


@given(yaws, pitches, leans, leans)
def test_a_head_is_rigid_and_its_face_looks_where_it_is_told(
    yaw: float, pitch: float, x: float, z: float
) -> None:
    upright = np.array([[[x, 1.0, z]]])
    head, face = pose_head(NECK, upright, np.array([[[yaw, pitch]]]))
    up, look = ((head - NECK) / HEAD)[0, 0], ((face - head) / FACE)[0, 0]
    assert np.linalg.norm(up) == pytest.approx(1.0, abs=1e-9)
    assert np.linalg.norm(look) == pytest.approx(1.0, abs=1e-9)
    assert up @ look == pytest.approx(np.sin(np.radians(6.0)), abs=1e-9)
    assert np.arctan2(look[0], look[2]) == pytest.approx(yaw, abs=1e-9)
    assert np.arcsin(look[1]) == pytest.approx(pitch, abs=1e-9)


def test_a_head_leans_to_a_side_with_the_trunk() -> None:
    head, _ = pose_head(NECK, np.array([[[0.2, 1.0, 0.0]]]), None)
    assert head[0, 0, 0] - NECK[0, 0, 0] == pytest.approx(0.2 * HEAD, rel=0.05)


def test_who_looks_up_leans_the_head_back() -> None:
    upright = np.array([[[0.0, 1.0, 0.0]]])
    level, up = (pose_head(NECK, upright, np.array([[[0.0, pitch]]]))[0] for pitch in (0.0, 0.5))
    assert up[0, 0, 2] < level[0, 0, 2] - 0.03
