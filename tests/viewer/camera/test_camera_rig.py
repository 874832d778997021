import math
from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.body import Joint
from juggle_anim.exporter.view import VIEWS
from juggle_anim.scene import Camera
from juggle_anim.scene.camera import EYE_FIELDS_OF_VIEW, EYE_VIEW, LOWEST
from juggle_anim.viewer.camera.camera_rig import (
    CameraRig,
    FreeView,
    JugglerPlace,
    frame_juggler,
    juggler_place,
    within_jugglers,
)
from juggle_anim.viewer.layout import Layout, arrange, project_points

BARE, COVERED = arrange(640, 480, 1.0, shown=False), arrange(640, 480, 1.0, shown=True)


@pytest.fixture(scope="module")
def animation() -> Animation:
    return animate("531")


def eyes(animation: Animation, juggler: int, time: float) -> Camera:
    return animation.eyes(np.array([time]), juggler)[0]


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


@pytest.mark.parametrize("mirror", ["off", "on"])
@pytest.mark.parametrize("view", ["default", "left", "back", "top"])
def test_every_prop_is_whole_in_the_free_part_from_every_view(view: str, mirror: str) -> None:
    """Also high above the head, near a camera that looks down."""
    animation = animate(f"97531;mirror={mirror};framing=whole")
    rig = CameraRig()
    rig.fly(view)
    rig.aim(animation, COVERED, 0.0)
    places = animation.motion.sample(np.linspace(0.0, animation.duration, 200)).props.reshape(-1, 3)
    corners = np.column_stack([places, np.ones(len(places))]) @ rig.camera.view().T
    clip = corners @ rig.camera.projection(640 / 480).T
    large = 240 / math.tan(rig.camera.field_of_view / 2) * 0.035 / -corners[:, 2]
    across, down = 320 * (1 + clip[:, 0] / clip[:, 3]), 240 * (1 - clip[:, 1] / clip[:, 3])
    free = COVERED.free
    assert free.left < (across - large).min()
    assert (across + large).max() < free.right
    assert free.top < (down - large).min()
    assert (down + large).max() < free.bottom


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
    rig.aim(animation, arrange(300, 700, 1.0, shown=False), 1 / 60)
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
def test_a_bare_window_flies_to_the_very_camera_of_each_named_view(
    animation: Animation, view: str
) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    before = rig.camera
    rig.fly(view)
    rig.aim(animation, BARE, 1 / 60)
    named = next(each for each in VIEWS if each.name == view).camera(animation, 640 / 480)
    gone, whole = (
        np.linalg.norm(np.subtract(eye, before.eye)) for eye in (rig.camera.eye, named.eye)
    )
    assert 0 < gone < 0.5 * whole
    rest(rig, animation, BARE)
    assert rig.camera == named


def test_the_view_of_a_juggler_is_left_by_a_hand_and_by_framing(animation: Animation) -> None:
    rig = CameraRig()
    rig.fly(EYE_VIEW)
    rig.aim(animation, BARE, 0.0, 0.3)
    assert rig.camera == eyes(animation, 0, 0.3)
    rig.rotate(0.1, 0.0)
    rig.aim(animation, COVERED, 1 / 60, 0.3)
    assert np.linalg.norm(np.subtract(rig.camera.eye, eyes(animation, 0, 0.3).eye)) < 3.5
    assert rig.camera.inside is None
    rig.release()
    rest(rig, animation, BARE)
    assert rig.camera == animation.camera(640 / 480)


def test_a_juggler_is_followed_one_after_the_other_and_then_all_are_seen() -> None:
    rig, pair = CameraRig(), animate("<3p|3p>")
    rig.aim(pair, BARE, 0.0)
    middles = []
    for _ in range(3):
        rig.follow_next_juggler(2)
        rest(rig, pair, BARE)
        middles.append(rig.camera.target)
    places = pair.motion.bodies.places(np.zeros(1))[0]
    for middle, place in zip(middles, places, strict=False):
        assert np.hypot(middle[0] - place[0], middle[2] - place[2]) < 0.4
    assert rig.camera == pair.camera(640 / 480)
    rig.follow_next_juggler(2)
    rig.aim(animate("3"), BARE, 0.0)
    assert rig.following == 0


def test_a_held_camera_goes_along_with_whom_it_follows() -> None:
    rig, walkers = CameraRig(), animate("531", body="(0,0,0).(0,0,100).")
    rig.follow_next_juggler(1)
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
        return float(
            np.linalg.norm(np.subtract(camera.eye, camera.target))
            * np.tan(camera.field_of_view / 2)
        )

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
    seen = [
        (each.camera.projection(640 / 480) @ each.camera.view() @ (*middle, 1.0))
        for each in (rig, plain)
    ]
    free = (COVERED.free.left + COVERED.free.width / 2) / 320 - 1
    assert seen[0][0] / seen[0][3] == pytest.approx(free, abs=0.1)
    assert seen[1][0] / seen[1][3] == pytest.approx(free, abs=0.1)


def test_a_held_camera_shows_what_it_turns_around_as_large_without_perspective(
    animation: Animation,
) -> None:
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
    rig.follow_next_juggler(1)
    rest(rig, flat, BARE)
    assert rig.camera.orthographic


def test_eyes_see_a_perspective_whatever_pictures_have(animation: Animation) -> None:
    flat, rig = animation.replace(projection="orthographic"), CameraRig()
    rig.fly(EYE_VIEW)
    rest(rig, flat, COVERED)
    assert not rig.camera.orthographic


FACING = animate("<3p|3p>")


def in_picture(camera: Camera, points: np.ndarray) -> np.ndarray:
    """Which points are in a picture 4 : 3."""
    clip = (
        np.column_stack([points, np.ones(len(points))])
        @ (camera.projection(4 / 3) @ camera.view()).T
    )
    return (clip[:, 3] > 0) & (np.abs(clip[:, :2]) < clip[:, 3:]).all(axis=1)


@pytest.mark.parametrize("juggler", [0, 1])
def test_a_juggler_looks_to_the_side_to_which_the_head_is_turned(juggler: int) -> None:
    camera = eyes(FACING, juggler, 0.3)
    joints = FACING.pose(np.array([0.3])).joints[0, juggler]
    ahead, looks = joints[Joint.FACE] - joints[Joint.HEAD], np.subtract(camera.target, camera.eye)
    assert np.arctan2(looks[0], looks[2]) == pytest.approx(np.arctan2(ahead[0], ahead[2]))
    assert camera.inside == juggler
    assert EYE_FIELDS_OF_VIEW[0] <= camera.field_of_view <= EYE_FIELDS_OF_VIEW[1]


@pytest.mark.parametrize(
    ("pattern", "least", "least_of_both"),
    [
        *(("3", 0.95, 0.95), ("5", 0.55, 0.7), ("531", 0.6, 0.7), ("97531", 0.35, 0.55)),
        ("1", 0.9, 0.95),
    ],
)
def test_a_juggler_sees_both_hands_and_the_props_above_them(
    pattern: str, least: float, least_of_both: float
) -> None:
    """Throws that are too high for what a lens shows without distortion leave it above."""
    alone = animate(pattern)
    times = np.linspace(0.0, alone.duration, 24, endpoint=False)
    frames, cameras = alone.sample(times), alone.eyes(times)
    seen = [
        in_picture(camera, props).mean()
        for camera, props in zip(cameras, frames.props, strict=True)
    ]
    assert np.mean(seen) > least
    hands = np.array(
        [in_picture(camera, pair[0]) for camera, pair in zip(cameras, frames.hands, strict=True)]
    )
    assert hands.any(axis=1).mean() > 0.8
    assert hands.all(axis=1).mean() > least_of_both
    below = [
        ((pair[0] - camera.eye) @ camera.view()[1, :3] < 0.0).all()
        for camera, pair in zip(cameras, frames.hands, strict=True)
    ]
    assert np.mean(below) > 0.8, "they are in the lower half"


@pytest.mark.parametrize(("pattern", "most"), [("3", 1.3), ("531", 1.7), ("97531", 1.7)])
def test_a_juggler_sees_balls_nearly_round(pattern: str, most: float) -> None:
    """A ball that is an angle off the axis is stretched by one over the cosine."""
    alone = animate(pattern)
    times = np.linspace(0.0, alone.duration, 24, endpoint=False)
    for camera, props in zip(alone.eyes(times), alone.sample(times).props, strict=True):
        places = props[in_picture(camera, props)] - camera.eye
        ahead = np.subtract(camera.target, camera.eye) / camera.distance
        assert (np.linalg.norm(places, axis=1) < most * (places @ ahead)).all()


def test_eyes_move_smoothly_and_without_delay(animation: Animation) -> None:
    rig = CameraRig()
    rig.aim(animation, BARE, 0.0)
    rig.fly(EYE_VIEW)
    for frame in range(120):
        rig.aim(animation, BARE, 1 / 60, frame / 60)
        far = np.linalg.norm(np.subtract(rig.camera.eye, eyes(animation, 0, frame / 60).eye))
        assert (rig.camera.inside == 0) == (far < 0.3)
    assert rig.camera == eyes(animation, 0, 119 / 60)


@pytest.mark.parametrize("mirror", ["off", "on"])
def test_eyes_look_straight_ahead_in_the_free_part_and_see_hands_above_its_lower_edge(
    mirror: str,
) -> None:
    animation = animate("531", mirror=mirror)
    times = np.linspace(0.0, animation.duration, 24, endpoint=False)

    def shares_seen(layout: Layout) -> float:
        """The share of times at which both hands are above the lower edge of the free part."""
        free = layout.free
        rig = CameraRig()
        rig.is_still = True
        rig.fly(EYE_VIEW)
        seen = []
        for time in times:
            rig.aim(animation, layout, 1 / 60, time)
            points = np.concatenate([[rig.camera.target], animation.sample([time]).hands[0, 0]])
            clip = (
                np.column_stack([points, np.ones(3)])
                @ (rig.camera.projection(640 / 480) @ rig.camera.view()).T
            )
            across, up = (clip[:, :2] / clip[:, 3:]).T
            assert 320 * (1 + across[0]) == pytest.approx(free.left + free.width / 2, abs=0.01)
            seen.append((240 * (1 - up[1:]) < free.bottom).all())
        return float(np.mean(seen))

    assert shares_seen(COVERED) >= shares_seen(BARE) > 0.5


def test_who_faces_another_sees_them() -> None:
    camera = eyes(FACING, 0, 0.3)
    other = FACING.pose(np.array([0.3])).joints[0, 1, Joint.CHEST]
    clip = camera.projection(4 / 3) @ camera.view() @ (*other, 1.0)
    assert np.abs(clip[:2] / clip[3]).max() < 1.0
    assert clip[3] > 0.5


@pytest.mark.parametrize("flat", ["perspective", "orthographic"])
def test_no_hand_takes_the_camera_below_the_floor(animation: Animation, flat: str) -> None:
    rig, shown = CameraRig(), animation.replace(projection=flat)
    rig.aim(shown, COVERED, 0.0)
    for move in (
        lambda: rig.rotate(0.1, -0.3),
        lambda: rig.pan(0.0, -0.6),
        lambda: rig.zoom(-8),
        lambda: rig.zoom(30),
    ):
        move()
        rig.aim(shown, COVERED, 1 / 60)
        assert rig.camera.eye[1] >= LOWEST - 1e-9
        assert (
            rig.camera.looks_down
            or flat == "perspective"
            or rig.camera.eye[1] == rig.camera.target[1]
        )


@pytest.mark.parametrize("options", [{}, {"projection": "orthographic"}, {"mirror": "on"}])
@pytest.mark.parametrize("place", [(0.4, 0.3), (0.5, -0.8)])
def test_what_the_mouse_points_at_stays_there_as_the_wheel_turns(
    animation: Animation, options: dict[str, str], place: tuple[float, float]
) -> None:
    rig, shown = CameraRig(), animation.replace(**options)
    rest(rig, shown, COVERED)
    point = rig._point_at(*place)
    for clicks in (3.0, 0.25, -1.5):
        rig.zoom(clicks, place)
        rig.aim(shown, COVERED, 1 / 60)
        clip = rig.camera.projection(640 / 480) @ rig.camera.view() @ (*point, 1.0)
        assert (clip[0] / clip[3] * 640 / 480, clip[1] / clip[3]) == pytest.approx(place, abs=1e-6)


@pytest.mark.parametrize("text", ["531;prop=club", "441;prop=club", "5"])
def test_throws_are_seen_between_the_beats_and_a_diagram(text: str) -> None:
    rig, shown = CameraRig(), animate(text)
    layout = arrange(1280, 800, 1.0, shown=True, plots=True, beats=True, diagram_height=194.0)
    for size in (layout, arrange(640, 480, 1.0, shown=True, plots=True, beats=True)):
        rest(rig, shown, size)
        props = shown.sample(np.linspace(0.0, shown.duration, 50)).props.reshape(-1, 3)
        seen = project_points(props, rig.camera, size.window)
        assert seen[:, 1].min() > size.free.top
        assert seen[:, 1].max() < size.free.bottom


def test_people_are_framed_large_while_high_throws_leave_the_picture() -> None:
    high, tall = animate("b97531"), []
    for framing in ("whole", "people"):
        shown = high.replace(framing=framing)
        joints = shown.pose(np.linspace(0.0, shown.duration, 9)).joints.reshape(-1, 3)
        camera = shown.camera(1280 / 800)
        assert (in_picture(replace(camera, mirrored=False), joints)).all()
        clip = (
            np.column_stack([joints, np.ones(len(joints))])
            @ (camera.projection(1.6) @ camera.view()).T
        )
        tall.append(np.ptp(clip[:, 1] / clip[:, 3]) / 2)
    assert tall[1] > max(0.4, 1.4 * tall[0])
    low = animate("3")
    assert low.replace(framing="people").camera(1.6) == low.camera(1.6)


RING = animate("<3p|3p|3p>")


def test_it_goes_from_juggler_to_juggler_and_then_sees_them_all() -> None:
    rig, seen = CameraRig(), []
    for _ in range(4):
        rig.follow_next_juggler(3)
        seen.append(rig.following)
    assert seen == [0, 1, 2, None]
    assert within_jugglers(2, 2) is None
    assert within_jugglers(1, 2) == 1


@pytest.mark.parametrize("juggler", range(3))
def test_the_camera_stands_before_whom_it_follows_and_sees_them_whole(juggler: int) -> None:
    place = juggler_place(RING, juggler, 0.0)
    camera = frame_juggler(RING, place, FreeView(4 / 3, np.radians(30.0)), 0.0, 0.1)
    toward = np.array(camera.eye) - place.floor
    ahead = np.array([np.sin(place.facing), np.cos(place.facing)])
    assert toward[[0, 2]] / np.hypot(*toward[[0, 2]]) == pytest.approx(ahead, abs=0.02)
    joints = RING.pose(np.array([0.0])).joints[0, juggler]
    clip = (
        np.column_stack([joints, np.ones(len(joints))])
        @ (camera.projection(4 / 3) @ camera.view()).T
    )
    assert np.abs(clip[:, :2] / clip[:, 3:]).max() < 1.0


def test_a_place_tells_how_far_it_moved() -> None:
    assert JugglerPlace((1.0, 0.0, 3.0), 0.5).moved_since(JugglerPlace((0.5, 0.0, 4.0), 0.0)) == (
        0.5,
        0.0,
        -1.0,
    )
