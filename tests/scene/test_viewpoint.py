"""Still pictures are taken when, and from where, most is seen."""

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.body import Joint
from juggle_anim.exporter.view import DEFAULT_VIEW, EYES, FREE_VIEW, compose, read_view
from juggle_anim.scene.framing import Framing

ASPECT = 4 / 3
ONE = ja.animate("531")


def seen(animation: ja.Animation, points: np.ndarray) -> np.ndarray:
    """Places of points in the composed picture, from −1 to 1 across and up, shape (N, 2)."""
    view, _time = compose(animation, FREE_VIEW, None, ASPECT)
    camera = view.camera(animation, ASPECT)
    place = camera.projection(ASPECT) @ camera.view() @ np.c_[points, np.ones(len(points))].T
    return (place[:2] / place[3]).T


@pytest.mark.parametrize("text", ["531", "5", "pattern=5;prop=club", "<3p|3p><3|3>", "Mills mess"])
def test_people_and_props_are_inside_and_people_are_large(text: str) -> None:
    animation = ja.animate(text)
    time = animation.viewpoint(ASPECT).time
    joints = animation.pose(np.array([time])).joints[0, 0]
    place = seen(animation, np.concatenate([joints, animation.sample(np.array([time])).props[0]]))
    assert np.abs(place).max() < 0.95
    assert np.ptp(place[: len(joints), 1]) / 2 > 0.4


@pytest.mark.parametrize("text", ["531", "3", "4", "5"])
def test_no_prop_is_before_the_face(text: str) -> None:
    animation = ja.animate(text)
    best = animation.viewpoint(ASPECT)
    right, up, back = Framing(ASPECT, best.azimuth, best.elevation, 0.5).axes()
    face = animation.pose(np.array([best.time])).joints[0, 0, Joint.FACE]
    offset = animation.sample(np.array([best.time])).props[0] - face
    distance = np.hypot(offset @ right, offset @ up)
    assert ((distance > 0.1) | (offset @ back < 0)).all()


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
    view, _time = compose(ONE, read_view("30,10"), None, ASPECT)
    assert view == read_view("30,10")
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
