"""Still pictures are taken when, and from where, most is seen."""

from dataclasses import replace

import numpy as np
import pytest
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import SHANK
from juggle_anim.exporter.view import DEFAULT_VIEW, EYES, FREE_VIEW, compose, read_view, steady
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.framing import Framing, is_face_covered

ASPECT = 4 / 3
ONE = ja.animate("531")


def composed(text: str, aspect: float, full_length: bool) -> tuple[np.ndarray, np.ndarray]:
    """Places of joints and of props in a still, from −1 to 1 across and up, and away from the eye,
    shape (N, 3).
    """
    animation = ja.animate(text)
    view, time = compose(animation, FREE_VIEW, None, aspect, full_length=full_length)
    camera = view.camera(animation, aspect)
    joints = animation.pose(np.array([time])).joints[0]
    points = np.concatenate([joints.reshape(-1, 3), animation.sample(np.array([time])).props[0]])
    x, y, _z, w = camera.projection(aspect) @ camera.view() @ np.c_[points, np.ones(len(points))].T
    places = np.stack([x / w, y / w, w], axis=-1)
    return places[: joints[..., 0].size], places[joints[..., 0].size :]


@pytest.mark.parametrize("text", ["531", "5", "pattern=5;prop=club", "<3p|3p><3|3>", "Mills mess"])
def test_people_and_props_are_inside_and_people_are_large(text: str) -> None:
    joints, props = composed(text, ASPECT, full_length=True)
    assert np.abs(np.concatenate([joints, props])[:, :2]).max() < 0.95
    assert np.ptp(joints[: len(Joint), 1]) / 2 > 0.4


@pytest.mark.parametrize(("text", "least"), [("97531", 0.4), ("b97531", 0.32), ("9", 0.39)])
def test_high_throws_are_whole_in_a_picture_of_full_length(text: str, least: float) -> None:
    joints, props = composed(text, ASPECT, full_length=True)
    assert np.abs(np.concatenate([joints, props])[:, :2]).max() < 0.95
    assert np.ptp(joints[:, 1]) / 2 > least


@pytest.mark.parametrize("text", sampled(["97531", "b97531", "9", "Alberts"], "97531"))
@pytest.mark.parametrize("aspect", sampled([ASPECT, 1.0], ASPECT))
def test_people_are_large_below_high_throws_of_which_some_are_in_the_picture(
    text: str, aspect: float
) -> None:
    joints, props = composed(text, aspect, full_length=False)
    # How large a person who stands would be, by the bone that is seen longest: no bone is seen
    # longer than it is.
    bones = [(Joint.PELVIS, Joint.HEAD, 0.65)]
    bones += [(Joint[f"{side}_KNEE"], Joint[f"{side}_ANKLE"], SHANK) for side in ("LEFT", "RIGHT")]
    shares = []
    for start, end, length in bones:
        across, up = joints[end, :2] - joints[start, :2]
        shares.append(np.hypot(across * aspect, up) / 2 / length)  # of the picture's height, 1/m
    assert 1.77 * max(shares) > 0.45
    assert np.abs(joints[:, 0]).max() < 0.95
    assert (np.abs(props[:, 1]) < 1.0).mean() >= 0.5


@pytest.mark.parametrize("text", ["7", "97531", "b97531", "9"])
def test_high_throws_are_seen_from_near_the_floor_with_the_whole_person_large(text: str) -> None:
    joints, props = composed(text, ASPECT, full_length=False)
    assert np.abs(joints[:, :2]).max() < 0.95
    assert np.ptp(joints[:, 1]) / 2 > 0.4
    assert (np.abs(props[:, 1]) < 1.0).mean() > 0.8


@pytest.mark.parametrize("text", ["7", "97531", "b97531"])
def test_below_high_throws_a_wide_picture_ends_at_the_thighs_and_people_fill_it(text: str) -> None:
    joints, props = composed(text, 16 / 9, full_length=False)
    height = joints[Joint.HEAD, 1] - joints[Joint.PELVIS, 1]
    assert 1.77 / 0.65 * height / 2 > 0.6
    assert (np.abs(props[:, 1]) < 1.0).mean() >= 0.5
    for side in ("LEFT", "RIGHT"):
        hip, knee = (joints[Joint[f"{side}_{joint}"], 1] for joint in ("HIP", "KNEE"))
        assert 0.2 < (hip + 1.0) / (hip - knee) < 0.9


@pytest.mark.parametrize("text", ["3", "531", "pattern=5;prop=club", "Mills mess"])
def test_a_wide_picture_of_one_person_ends_in_the_middle_of_the_thighs(text: str) -> None:
    joints, props = composed(text, ASPECT, full_length=False)
    assert np.abs(props[:, :2]).max() < 0.95
    assert np.abs(joints[[Joint.HEAD, Joint.LEFT_PALM, Joint.RIGHT_PALM], :2]).max() < 0.95
    for side in ("LEFT", "RIGHT"):
        hip, knee = (joints[Joint[f"{side}_{joint}"], 1] for joint in ("HIP", "KNEE"))
        assert 0.2 < (hip + 1.0) / (hip - knee) < 0.9


def test_a_high_picture_a_leg_that_is_lifted_and_a_dark_stage_show_the_feet() -> None:
    for text, aspect in (
        ("3", 9 / 16),
        ("pattern=3;throws=underleg,-,-", ASPECT),
        ("pattern=3;stage=dark", ASPECT),
    ):
        joints, _props = composed(text, aspect, full_length=False)
        assert np.abs(joints[:, :2]).max() < 0.95


@pytest.mark.parametrize(
    "text", ["531", "3", "4", "5", "97531", "(4,4)", "<3p|3p|3p|3p|3p|3p><3|3|3|3|3|3>"]
)
def test_no_prop_is_before_a_face_that_is_seen(text: str) -> None:
    joints, props = composed(text, ASPECT, full_length=False)
    for person in joints.reshape(-1, len(Joint), 3):
        face = person[Joint.FACE]
        size = abs(person[Joint.HEAD, 1] - person[Joint.PELVIS, 1]) / 0.65  # of a metre
        distance = np.hypot((props[:, 0] - face[0]) * ASPECT, props[:, 1] - face[1]) / size
        is_before = (distance < 0.1) & (props[:, 2] < face[2])
        assert face[2] > person[Joint.HEAD, 2] or not is_before.any()


@pytest.mark.parametrize("text", ["3", "531", "5"])
def test_paths_of_props_of_many_moments_are_apart(text: str) -> None:
    animation = ja.animate(text)
    times = np.linspace(0.0, animation.duration, 16, endpoint=False)
    right = steady(animation, FREE_VIEW, times, 1.0).camera(animation, 1.0).view()[0, :3]
    across = np.ptp(animation.sample(times).props @ right)
    assert across > 0.6 * np.ptp(animation.sample(times).props[..., 0])


def test_a_prop_covers_a_face_that_it_is_before() -> None:
    camera = Camera((0.0, 1.5, 4.0), (0.0, 1.5, 0.0), np.radians(30), 0.1, 20.0)
    face = np.array([[0.0, 1.5, 0.0]])
    assert is_face_covered(camera, face, np.array([[0.05, 1.5, 0.4]]), 0.035)
    assert not is_face_covered(camera, face, np.array([[0.05, 1.5, -0.4]]), 0.035)
    assert not is_face_covered(camera, face, np.array([[0.2, 1.5, 0.4]]), 0.035)


def test_a_throw_behind_the_back_is_taken_as_it_happens_with_its_hand_in_sight() -> None:
    animation = ja.animate("3", throws="backcross,-")
    best = animation.viewpoint(ASPECT)
    events = animation.choreography.events
    (throws,) = np.nonzero(events.manners[:, 1])
    late = (best.time - events.time[throws]) % animation.duration
    assert late.min() < 0.15
    assert abs(np.degrees(best.azimuth)) > 30
    hand = events.hand[throws[late.argmin()]]
    joints = animation.pose(np.array([best.time])).joints[0, 0]
    right = Framing(ASPECT, best.azimuth, best.elevation, 0.5).axes()[0]
    palm = joints[[Joint.LEFT_PALM, Joint.RIGHT_PALM][hand]]
    assert abs((palm - joints[Joint.PELVIS]) @ right) > 0.12


def test_what_is_given_is_obeyed() -> None:
    view, time = compose(ONE, read_view("30,10"), 0.4, ASPECT)
    assert (view, time) == (read_view("30,10"), 0.4)
    view, time = compose(ONE, read_view("30,10"), None, ASPECT)
    assert view == replace(read_view("30,10"), moments=(time,))
    _view, time = compose(ONE, FREE_VIEW, 0.4, ASPECT)
    assert time == 0.4
    assert compose(ONE, DEFAULT_VIEW, 0.4, ASPECT)[0] == DEFAULT_VIEW
    assert compose(ONE, EYES, None, ASPECT) == (EYES, 0.0)


def test_the_same_is_chosen_again() -> None:
    assert ONE.viewpoint(ASPECT) == ja.animate("531").viewpoint(ASPECT)


def test_a_crowd_has_its_usual_view() -> None:
    crowd = ja.animate("<" + "|".join(["3"] * 40) + ">")
    best = crowd.viewpoint(ASPECT)
    assert best.time == 0.0
    assert best.elevation == crowd.elevation
