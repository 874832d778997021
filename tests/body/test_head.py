import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import FACE, HEAD
from juggle_anim.body.trunk_and_legs import (
    LEAN,
    SHOULDER_TURN,
    TRUNK_CHANNELS,
    Trunk,
    pose_head,
    pose_trunk,
)

HANDS = np.array([[[[0.2, 1.0, 0.3], [-0.2, 1.0, 0.3]]]])
yaws, pitches, leans = st.floats(-0.8, 0.8), st.floats(-0.5, 0.7), st.floats(-0.15, 0.15)


def trunk_with(left: float = 0.0, forward: float = 0.0, turn: float = 0.0) -> Trunk:
    """A trunk that leans to the left and forward, its shoulders turned to the left, [rad]."""
    channels = np.zeros((1, 1, TRUNK_CHANNELS))
    channels[..., LEAN] = left, forward
    channels[..., SHOULDER_TURN] = turn
    return pose_trunk(HANDS, channels)


def directions(trunk: Trunk, yaw: float, pitch: float) -> tuple[Floats, Floats]:
    """Unit vectors up along the head and in which it faces."""
    head, face = pose_head(trunk, np.array([[[yaw, pitch]]]))
    return ((head - trunk.neck) / HEAD)[0, 0], ((face - head) / FACE)[0, 0]


@given(yaws, pitches, leans, leans)
def test_a_head_is_rigid_and_its_face_looks_where_it_is_told(
    yaw: float, pitch: float, left: float, forward: float
) -> None:
    up, look = directions(trunk_with(left, forward), yaw, pitch)
    assert np.linalg.norm(up) == pytest.approx(1.0, abs=1e-9)
    assert np.linalg.norm(look) == pytest.approx(1.0, abs=1e-9)
    assert up @ look == pytest.approx(np.sin(np.radians(6.0)), abs=1e-9)
    assert np.arctan2(look[0], look[2]) == pytest.approx(yaw, abs=1e-9)
    assert np.arcsin(look[1]) == pytest.approx(pitch, abs=1e-9)


def test_a_head_leans_to_a_side_with_the_trunk() -> None:
    up, _ = directions(trunk_with(left=0.4), 0.0, 0.0)
    assert up[0] == pytest.approx(0.2, abs=0.02)


def test_who_looks_up_leans_the_head_back() -> None:
    level, up = (directions(trunk_with(), 0.0, pitch)[0] for pitch in (0.0, 0.5))
    assert up[2] * HEAD < level[2] * HEAD - 0.03


@given(st.floats(-1.1, 1.1), st.floats(-0.5, 0.8), st.floats(-0.6, 0.6), st.floats(-0.3, 1.8))
def test_a_neck_bends_and_turns_no_farther_than_a_persons(
    yaw: float, pitch: float, left: float, forward: float
) -> None:
    trunk = trunk_with(left, forward, turn=-0.6)
    _, look = directions(trunk, yaw, pitch)
    spine = trunk.spine[0, 0]
    front = np.cross(trunk.across[0, 0], spine)
    assert np.linalg.norm(look) == pytest.approx(1.0, abs=1e-9)
    assert np.degrees(np.arctan2(look @ spine, look @ front)) < 75.5
    assert abs(np.degrees(np.arcsin(look @ trunk.across[0, 0]))) < 80.5


def test_who_is_bent_down_looks_down() -> None:
    looks = [directions(trunk_with(forward=lean), 0.0, 0.4)[1][1] for lean in (0.0, 0.6, 1.2, 1.8)]
    assert looks == sorted(looks, reverse=True)
    assert looks[0] == pytest.approx(np.sin(0.4), abs=1e-9)
    assert looks[-1] < -0.4
