import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.scene import Camera
from juggle_anim.viewer.layout import arrange
from juggle_anim.viewer.prop_numbers import places


def test_numbers_stand_where_props_are_seen() -> None:
    animation, layout = animate("531"), arrange(640, 480, 1.0, False)
    prop = animation.sample(np.array([0.3])).props[0, 1]
    camera = Camera((prop[0], prop[1], 5.0), tuple(prop.tolist()))
    found = places(animation, 0.3, camera, layout)
    assert found.shape == (3, 2)
    assert found[1] == pytest.approx((320, 240), abs=1e-6)


def test_what_is_behind_the_camera_has_no_place() -> None:
    animation, layout = animate("531"), arrange(640, 480, 1.0, False)
    camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 9.0))
    assert np.isnan(places(animation, 0.3, camera, layout)).all()
