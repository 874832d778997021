import numpy as np
from bvh_reader import about
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.arrays import Floats
from juggle_anim.exporter.models.tracks import zxy_angles

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
