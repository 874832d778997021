import numpy as np
from bvh_reader import about
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from juggle_anim.arrays import Floats
from juggle_anim.exporter.models.tracks import (
    aim_quaternions,
    continuous,
    nearest_looks,
    quaternions,
    zxy_angles,
)
from juggle_anim.motion import aim_directions
from juggle_anim.motion.spin import steady_aims

TURN = st.floats(-3.1, 3.1)


def turned(angles: Floats) -> Floats:
    z, x, y = (np.array([angle]) for angle in angles)
    return (about(2, z) @ about(0, x) @ about(1, y))[0]


@given(z=TURN, x=st.floats(-1.57, 1.57), y=TURN)
def test_the_angles_turn_as_the_rotation_does(z: float, x: float, y: float) -> None:
    angles = np.array([z, x, y])
    np.testing.assert_allclose(turned(zxy_angles(turned(angles))), turned(angles), atol=1e-9)
    if abs(x) < 1.5:
        np.testing.assert_allclose(zxy_angles(turned(angles)), angles, atol=1e-9)


@given(z=TURN, y=TURN, up=st.sampled_from([-1.0, 1.0]))
def test_they_do_so_where_two_of_them_turn_about_one_axis(z: float, y: float, up: float) -> None:
    rotation = turned(np.array([z, up * np.pi / 2, y]))
    np.testing.assert_allclose(turned(zxy_angles(rotation)), rotation, atol=1e-8)


NUMBERS = st.floats(-1.0, 1.0, allow_subnormal=False)


ANGLES = st.floats(-10.0, 10.0)


def unit_quaternions(count: int) -> st.SearchStrategy[Floats]:
    some = arrays(float, (count, 4), elements=NUMBERS).filter(
        lambda q: np.linalg.norm(q, axis=1).min() > 0.1
    )
    return some.map(lambda q: q / np.linalg.norm(q, axis=1, keepdims=True))


def matrices(q: Floats) -> Floats:
    """v + 2w(q × v) + 2q × (q × v) of each axis."""
    axes, vector, scalar = np.eye(3), q[..., None, :3], q[..., None, 3:]
    once = np.cross(vector, axes)
    return np.swapaxes(axes + 2 * scalar * once + 2 * np.cross(vector, once), -1, -2)


@given(unit_quaternions(5))
def test_a_quaternion_turns_as_its_rotation_does(q: Floats) -> None:
    found = quaternions(matrices(q))
    np.testing.assert_allclose(np.abs(np.einsum("nk,nk->n", found, q)), 1.0, atol=1e-12)


def test_half_turns_have_quaternions_too() -> None:
    for axis in range(3):
        rotation = -np.eye(3)
        rotation[axis, axis] = 1.0
        np.testing.assert_allclose(np.abs(quaternions(rotation)), np.eye(4)[axis], atol=1e-15)


@given(unit_quaternions(6), arrays(bool, 6))
def test_a_steady_track_turns_the_same_and_never_the_long_way_round(
    q: Floats, flipped: Floats
) -> None:
    track = np.where(flipped[:, None], -q, q)[None]
    found = continuous(track.copy())
    np.testing.assert_allclose(np.abs(np.einsum("ntk,ntk->nt", found, track)), 1.0, atol=1e-12)
    assert np.einsum("ntk,ntk->nt", found[:, 1:], found[:, :-1]).min() >= 0


@given(ANGLES, ANGLES)
def test_a_prop_points_as_its_aim_says_and_has_its_side_level(yaw: float, pitch: float) -> None:
    turned = matrices(aim_quaternions(np.array([yaw, pitch])))
    np.testing.assert_allclose(turned[:, 2], aim_directions([np.array([yaw, pitch])]), atol=1e-12)
    np.testing.assert_allclose(turned[:, 0], (np.cos(yaw), 0.0, -np.sin(yaw)), atol=1e-12)


def test_a_prop_told_to_lie_the_other_way_round_is_rolled_and_does_not_turn() -> None:
    # Pitch goes on over the vertical, and from one moment to the next the same way is told from the
    # other side.
    pitch = np.linspace(1.0, 2.2, 9)
    aims = np.stack([0.3 + 0 * pitch, pitch], axis=-1)
    aims[5:, 0] += np.pi
    aims[5:, 1] = np.pi - aims[5:, 1]
    track = nearest_looks(aim_quaternions(aims[None]), np.array([False]))
    step = np.abs(np.einsum("ntk,ntk->nt", track[:, 1:], track[:, :-1]))
    np.testing.assert_allclose(2 * np.arccos(np.minimum(step, 1.0)), 0.15, atol=1e-6)
    np.testing.assert_allclose(matrices(track[0])[..., 2], aim_directions([aims]), atol=1e-12)


def test_a_ball_that_jumps_to_where_it_looks_the_same_does_not_turn() -> None:
    aims = np.stack([np.linspace(0.2, 0.6, 12), np.linspace(-0.5, 1.5, 12)], axis=-1)
    steady = aim_quaternions(aims[None])
    aims[3:, 1] += np.pi
    aims[7:, 0] -= np.pi
    aims[7:, 1] = np.pi - aims[7:, 1]
    track = nearest_looks(aim_quaternions(aims[None]), np.array([True]))
    np.testing.assert_allclose(np.abs(np.einsum("ntk,ntk->nt", track, steady)), 1.0, atol=1e-12)
    np.testing.assert_allclose(
        np.abs(np.einsum("tk,tk->t", aim_quaternions(steady_aims(aims)), steady[0])), 1.0
    )
