"""The camera path that a film can follow, made of views in the window."""

import math
from dataclasses import replace

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.exporter.view import MAX_KEYS, read_view
from juggle_anim.viewer.camera.camera_rig import CameraKeys, CameraRig
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.state.keymap import OpenCards


def turned(rig: CameraRig, azimuth: float, elevation: float = 8.0) -> None:
    rig.hold(replace(rig.orbit, azimuth=math.radians(azimuth), elevation=math.radians(elevation)))


def path_of(*azimuths: float) -> tuple[CameraKeys, CameraRig]:
    rig = CameraRig()
    views = CameraKeys(lambda: rig, OpenCards())
    for azimuth in azimuths:
        turned(rig, azimuth)
        views.add()
    return views, rig


def test_views_are_added_where_the_camera_is_and_exports_take_the_path() -> None:
    views, _rig = path_of(0, 90, 150)
    assert views.text == "0.0,8.0@0 90.0,8.0@2 150.0,8.0@4"
    path = read_view(views.text).path
    assert path
    assert (path.times, path.angles[1]) == ((0.0, 2.0, 4.0), (90.0, 8.0))


def test_the_camera_goes_to_the_next_view_by_the_shorter_way() -> None:
    views, _rig = path_of(170, -170, 160)
    assert [key.azimuth for key in views.keys] == [170, 190, 160]


def test_however_often_it_is_turned_around_exports_take_the_path() -> None:
    views, _rig = path_of(*(120 * number for number in range(40)))
    assert read_view(views.text).path


@pytest.mark.parametrize("elevation", [-89.0, 88.0])
def test_exports_take_a_view_from_straight_above_or_below(elevation: float) -> None:
    views, rig = path_of(0)
    turned(rig, 20, elevation)
    views.add()
    assert read_view(views.text).path


def test_views_are_removed_inserted_and_reached_later_or_sooner() -> None:
    views, rig = path_of(0, 90, 150)
    views.choose(1)
    assert math.degrees(rig.orbit.azimuth) == pytest.approx(90)
    views.lengthen(3)
    assert views.times == [0.0, 3.5, 5.5]
    views.lengthen(-99)
    assert views.times == [0.0, 0.5, 2.5]
    turned(rig, 45)
    views.add()
    assert [key.azimuth for key in views.keys] == [0, 90, 45, 150]
    views.choose(0)
    views.lengthen(1)
    assert views.times[0] == 0.0
    views.remove()
    assert [key.azimuth for key in views.keys] == [90, 45, 150]
    for _ in range(4):
        views.remove()
    assert (views.keys, views.times, views.is_path) == ([], [], False)


def test_there_are_no_more_views_than_a_path_can_have() -> None:
    views, _rig = path_of(*range(MAX_KEYS + 3))
    assert len(views.keys) == MAX_KEYS


def test_a_preview_shows_what_the_film_will_and_ends_at_the_last_view() -> None:
    views, rig = path_of(0, 90, 60)
    views.preview()
    assert views.advance(0.5)
    animation = ja.animate("531")
    path = read_view(views.text).path
    assert path
    (camera,) = path.cameras(animation, 4 / 3, np.array([0.5]), 4.0)
    (x, _, z), (tx, _, tz) = camera.eye, camera.target
    assert rig.orbit.azimuth == pytest.approx(math.atan2(x - tx, z - tz))
    while views.advance(0.25):
        pass
    assert views.preview_time is None
    assert math.degrees(rig.orbit.azimuth) == pytest.approx(60)


def test_a_view_shows_as_much_as_the_film_will_however_near_the_camera_was() -> None:
    views, rig = path_of(0, 90)
    animation, layout = ja.animate("531"), Layout(800, 600, 1.0)
    rig.aim(animation, layout, 1.0)
    rig.zoom(12.0)
    views.choose(0)
    rig.aim(animation, layout, 1.0)
    path = read_view(views.text).path
    assert path
    (camera,) = path.cameras(animation, 800 / 600, np.array([0.0]), 2.0)
    assert rig.camera.eye == pytest.approx(camera.eye, abs=0.1)
    assert rig.camera.target == pytest.approx(camera.target, abs=0.02)


def test_a_hand_that_turns_the_camera_ends_the_preview_and_so_does_its_key() -> None:
    views, rig = path_of(0, 90)
    views.preview()
    views.advance(0.5)
    turned(rig, 33)
    assert not views.advance(0.1)
    assert math.degrees(rig.orbit.azimuth) == pytest.approx(33)
    views.preview()
    views.preview()
    assert views.preview_time is None


def test_one_view_is_no_path() -> None:
    views, _rig = path_of(30)
    views.preview()
    assert (views.is_path, views.preview_time) == (False, None)
