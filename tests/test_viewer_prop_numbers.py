import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.scene import Camera
from juggle_anim.viewer.cards.labels import prop_positions
from juggle_anim.viewer.cards.layout import Rectangle


def test_numbers_stand_where_props_are_seen() -> None:
    animation, place = animate("531"), Rectangle(0, 0, 640, 480)
    prop = animation.sample(np.array([0.3])).props[0, 1]
    camera = Camera((prop[0], prop[1], 5.0), tuple(prop.tolist()))
    found = prop_positions(animation, 0.3, camera, place)
    assert found.shape == (3, 2)
    assert found[1] == pytest.approx((320, 240), abs=1e-6)


def test_what_is_behind_the_camera_has_no_place() -> None:
    animation, place = animate("531"), Rectangle(0, 0, 640, 480)
    camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 9.0))
    assert np.isnan(prop_positions(animation, 0.3, camera, place)).all()
