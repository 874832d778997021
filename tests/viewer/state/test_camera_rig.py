from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.body import Joint
from juggle_anim.exporter.frame_request import VIEWS
from juggle_anim.viewer.cards.layout import Layout, arrange
from juggle_anim.viewer.state.camera_rig import (
    EYE_PITCH,
    EYE_VIEW,
    FIELD_OF_VIEW,
    CameraRig,
    JugglerPlace,
    eye_orbit,
    frame_juggler,
    juggler_place,
    within_jugglers,
)

BARE, COVERED = arrange(640, 480, 1.0, False), arrange(640, 480, 1.0, True)


@pytest.fixture(scope="module")
def animation() -> Animation:
    return animate("531")


def rest(rig: CameraRig, animation: Animation, layout: Layout) -> None:
    for _ in range(200):
        rig.aim(animation, layout, 1 / 60)
    assert rig.settled


def test_a_bare_window_is_seen_by_the_very_camera_of_an_export(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    assert rig.camera == animation.camera(640 / 480)
    rest(rig, animation, COVERED)
    rest(rig, animation, BARE)
    assert rig.camera == animation.camera(640 / 480)


def test_the_whole_juggler_is_in_the_part_that_the_panel_leaves_free(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, COVERED, 0.0)
    joints = animation.pose(np.linspace(0.0, animation.duration, 9)).joints.reshape(-1, 3)
    corners = np.column_stack([joints, np.ones(len(joints))])
    clip = corners @ (rig.camera.projection(640 / 480) @ rig.camera.view()).T
    across, down = 320 * (1 + clip[:, 0] / clip[:, 3]), 240 * (1 - clip[:, 1] / clip[:, 3])
    free = COVERED.free
    assert free.left < across.min()
    assert across.max() < free.left + free.width
    assert down.min() > 0
    assert down.max() < free.height


def test_another_pattern_is_framed_smoothly(animation: Animation) -> None:
    rig, higher = CameraRig(), animate("b97531")
    rig.aim(animation, BARE, 0.0)
    before = np.array(rig.camera.eye)
    rig.aim(higher, BARE, 1 / 60)
    goal = np.array(higher.camera(640 / 480).eye)
    assert 0 < np.linalg.norm(rig.camera.eye - before) < 0.5 * np.linalg.norm(goal - before)
    rest(rig, higher, BARE)
    assert rig.camera.eye == pytest.approx(goal)


def test_another_size_of_the_window_is_framed_at_once(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    rig.aim(animation, arrange(300, 700, 1.0, False), 1 / 60)
    assert rig.camera == animation.camera(300 / 700)


def test_a_camera_in_a_hand_stays_until_it_is_released(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    rig.rotate(0.2, 0.1)
    rig.zoom(3)
    rest(rig, animation, BARE)
    held = rig.camera
    rest(rig, animate("b97531"), BARE)
    assert rig.camera == held
    rig.release()
    rest(rig, animation, BARE)
    assert rig.camera == animation.camera(640 / 480)


@pytest.mark.parametrize("view", ["front", "left", "right", "back", "top"])
def test_a_bare_window_flies_to_the_very_camera_of_each_named_view(animation: Animation, view: str) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    before = rig.camera
    rig.fly(view)
    rig.aim(animation, BARE, 1 / 60)
    named = next(each for each in VIEWS if each.name == view).camera(animation, 640 / 480)
    gone, whole = (np.linalg.norm(np.subtract(eye, before.eye)) for eye in (rig.camera.eye, named.eye))
    assert 0 < gone < 0.5 * whole
    rest(rig, animation, BARE)
    assert rig.camera == named


def test_the_view_of_a_juggler_is_left_by_a_hand_and_by_framing(animation: Animation) -> None:
    rig = CameraRig()
    rig.fly(EYE_VIEW)
    rig.aim(animation, BARE, 0.0, 0.3)
    assert rig.camera == eye_orbit(animation, 0, 0.3).camera()
    rig.rotate(0.1, 0.0)
    rig.aim(animation, COVERED, 1 / 60, 0.3)
    assert rig.camera.target == pytest.approx(eye_orbit(animation, 0, 0.3).target, abs=0.3)
    rig.release()
    rest(rig, animation, BARE)
    assert rig.camera == animation.camera(640 / 480)


def test_a_juggler_is_followed_one_after_the_other_and_then_all_are_seen() -> None:
    rig, pair = CameraRig(), animate("<3p|3p>")
    rig.aim(pair, BARE, 0.0)
    middles = []
    for _ in range(3):
        rig.follow(2)
        rest(rig, pair, BARE)
        middles.append(rig.camera.target)
    places = pair.motion.bodies.places(np.zeros(1))[0]
    for middle, place in zip(middles, places, strict=False):
        assert np.hypot(middle[0] - place[0], middle[2] - place[2]) < 0.4
    assert rig.camera == pair.camera(640 / 480)
    rig.follow(2)
    rig.aim(animate("3"), BARE, 0.0)
    assert rig.following == 0


def test_a_held_camera_goes_along_with_whom_it_follows() -> None:
    rig, walkers = CameraRig(), animate("531", body="(0,0,0).(0,0,100).")
    rig.follow(1)
    rig.aim(walkers, BARE, 0.0, 0.0)
    rig.rotate(0.1, 0.0)
    rig.aim(walkers, BARE, 0.0, 0.0)
    before, places = rig.camera, walkers.motion.bodies.places(np.array([0.0, 0.4]))[:, 0, :3]
    rig.aim(walkers, BARE, 1 / 60, 0.4)
    moved = places[1] - places[0]
    assert np.linalg.norm(moved) > 0.05
    assert np.subtract(rig.camera.eye, before.eye) == pytest.approx(moved, abs=1e-6)
    assert np.subtract(rig.camera.target, before.target) == pytest.approx(moved, abs=1e-6)


@pytest.mark.parametrize("angle", [1.0, 10.0, 90.0])
def test_a_held_camera_keeps_the_size_of_what_it_looks_at_as_its_angle_changes(
    animation: Animation, angle: float
) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    rig.rotate(0.1, 0.0)
    rest(rig, animation, BARE)

    def height() -> float:
        camera = rig.camera
        return float(np.linalg.norm(np.subtract(camera.eye, camera.target)) * np.tan(camera.field_of_view / 2))

    before, target = height(), rig.camera.target
    rest(rig, animation.replace(field_of_view=angle), BARE)
    assert rig.camera.field_of_view == pytest.approx(np.radians(angle))
    assert height() == pytest.approx(before)
    assert rig.camera.target == pytest.approx(target)


def test_a_mirrored_pattern_stays_in_the_free_part(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation.replace(mirror="on"), COVERED, 0.0)
    plain = CameraRig()
    plain.aim(animation, COVERED, 0.0)
    middle = animation.pose(np.zeros(1)).joints[0, 0].mean(axis=0)
    seen = [(each.camera.projection(640 / 480) @ each.camera.view() @ (*middle, 1.0)) for each in (rig, plain)]
    free = (COVERED.free.left + COVERED.free.width / 2) / 320 - 1
    assert seen[0][0] / seen[0][3] == pytest.approx(free, abs=0.1)
    assert seen[1][0] / seen[1][3] == pytest.approx(free, abs=0.1)


def test_a_held_camera_shows_what_it_turns_around_as_large_without_perspective(animation: Animation) -> None:
    flat, rig = animation.replace(projection="orthographic"), CameraRig()
    rig.aim(animation, COVERED, 0.0)
    rig.rotate(0.1, 0.05)
    rig.aim(animation, COVERED, 0.1)
    before = rig.camera
    rig.aim(flat, COVERED, 0.1)
    assert rig.camera.orthographic
    assert replace(rig.camera, orthographic=False) == before


def test_a_camera_without_perspective_frames_the_pattern_too(animation: Animation) -> None:
    flat, rig = animation.replace(projection="orthographic"), CameraRig()
    rest(rig, flat, BARE)
    assert rig.camera == flat.camera(640 / 480)
    assert rig.camera.orthographic
    rig.follow(1)
    rest(rig, flat, BARE)
    assert rig.camera.orthographic


def test_eyes_see_a_perspective_whatever_pictures_have(animation: Animation) -> None:
    flat, rig = animation.replace(projection="orthographic"), CameraRig()
    rig.fly(EYE_VIEW)
    rest(rig, flat, COVERED)
    assert not rig.camera.orthographic


FACING = animate("<3p|3p>")


@pytest.mark.parametrize("juggler", [0, 1])
def test_a_juggler_looks_where_their_head_points_and_not_at_the_inside_of_it(juggler: int) -> None:
    camera = eye_orbit(FACING, juggler, 0.3).camera()
    joints = FACING.pose(np.array([0.3])).joints[0, juggler]
    ahead = joints[Joint.FACE] - joints[Joint.HEAD]
    looks = np.subtract(camera.target, camera.eye)
    assert looks @ ahead == pytest.approx(np.linalg.norm(looks) * np.linalg.norm(ahead) * np.cos(EYE_PITCH), rel=1e-6)
    assert looks[1] / np.linalg.norm(looks) > ahead[1] / np.linalg.norm(ahead)
    assert (np.array(camera.eye) - joints[Joint.HEAD]) @ ahead / np.linalg.norm(ahead) > 0.12
    assert camera.field_of_view == pytest.approx(FIELD_OF_VIEW)


def test_who_faces_another_sees_them() -> None:
    camera = eye_orbit(FACING, 0, 0.3).camera()
    other = FACING.pose(np.array([0.3])).joints[0, 1, Joint.CHEST]
    clip = camera.projection(4 / 3) @ camera.view() @ (*other, 1.0)
    assert np.abs(clip[:2] / clip[3]).max() < 1.0
    assert clip[3] > 0.5


def test_a_camera_that_is_turned_aside_stands_in_the_same_eye() -> None:
    straight, aside = (eye_orbit(FACING, 0, 0.3, angle) for angle in (0.0, 0.4))
    assert aside.camera().eye == pytest.approx(straight.camera().eye)
    assert aside.azimuth == pytest.approx(straight.azimuth + 0.4)


def test_a_juggler_sees_where_their_throws_turn() -> None:
    alone = animate("531")
    camera = eye_orbit(alone, 0, 0.3).camera()
    tops = alone.motion.flight_paths.apexes()
    tops = tops[tops[:, 1] > 1.5]
    clip = np.column_stack([tops, np.ones(len(tops))]) @ (camera.projection(4 / 3) @ camera.view()).T
    assert len(tops) >= 2
    assert (clip[:, 3] > 0).all()
    assert np.abs(clip[:, :2] / clip[:, 3:]).max() < 1.0


RING = animate("<3p|3p|3p>")


def test_it_goes_from_juggler_to_juggler_and_then_sees_them_all() -> None:
    rig, seen = CameraRig(), []
    for _ in range(4):
        rig.follow(3)
        seen.append(rig.following)
    assert seen == [0, 1, 2, None]
    assert within_jugglers(2, 2) is None
    assert within_jugglers(1, 2) == 1


@pytest.mark.parametrize("juggler", range(3))
def test_the_camera_stands_before_whom_it_follows_and_sees_them_whole(juggler: int) -> None:
    place = juggler_place(RING, juggler, 0.0)
    camera = frame_juggler(RING, place, 4 / 3, 0.0, 0.1, np.radians(30.0))
    toward = np.array(camera.eye) - place.floor
    ahead = np.array([np.sin(place.facing), np.cos(place.facing)])
    assert toward[[0, 2]] / np.hypot(*toward[[0, 2]]) == pytest.approx(ahead, abs=0.02)
    joints = RING.pose(np.array([0.0])).joints[0, juggler]
    clip = np.column_stack([joints, np.ones(len(joints))]) @ (camera.projection(4 / 3) @ camera.view()).T
    assert np.abs(clip[:, :2] / clip[:, 3:]).max() < 1.0


def test_a_place_tells_how_far_it_moved() -> None:
    assert JugglerPlace((1.0, 0.0, 3.0), 0.5).moved_since(JugglerPlace((0.5, 0.0, 4.0), 0.0)) == (0.5, 0.0, -1.0)
