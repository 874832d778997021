"""The handles in the picture: where they are, and which one the mouse takes."""

import math

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.viewer.editor.editor import BodyHandle, EventHandle
from juggle_anim.viewer.editor.picture_editor import (
    HEADING_LENGTH,
    BodyFrame,
    Mark,
    coordinates,
    hand_paths,
    numbers_of,
    partners,
    picture_handles,
    read_numbers,
    to_body,
)

TURNED = "pattern=<3p|3p>;body=(30,-80).(50,-60,20).|(200,90)."


@pytest.mark.parametrize("text", ["531", "pattern=3;hands=Mills mess", TURNED])
def test_handles_are_where_hands_and_bodies_are_at_their_times(text: str) -> None:
    animation = animate(text)
    found = picture_handles(animation, range(animation.num_jugglers))
    assert [point.handle for point in found.points if point.hand >= 0] == [
        EventHandle(event) for event in range(len(animation.choreography.events.time))
    ]
    for point in found.points:
        frames = animation.sample(np.array([point.time]))
        if point.hand >= 0:
            np.testing.assert_allclose(
                point.place, frames.hands[0, point.juggler, point.hand % 2], atol=1e-9
            )
        elif point.mark is Mark.BODY:
            frame = BodyFrame.from_animation(animation, point.juggler, point.time)
            np.testing.assert_allclose(point.place, frame.origin, atol=1e-9)
        else:
            tip = BodyFrame.from_animation(animation, point.juggler, point.time).to_world(
                np.array([0.0, 0.0, HEADING_LENGTH])
            )
            np.testing.assert_allclose(point.place, tip, atol=1e-9)


def test_only_the_hands_of_some_jugglers_are_shown_but_all_bodies() -> None:
    found = picture_handles(animate(TURNED), [1])
    assert {point.juggler for point in found.points if point.hand >= 0} == {1}
    assert {point.handle for point in found.points if point.hand < 0} == {
        BodyHandle(0, 0),
        BodyHandle(0, 1),
        BodyHandle(1, 0),
    }


def test_a_body_frame_takes_places_there_and_back() -> None:
    frame = BodyFrame(np.array([1.0, 0.0, -2.0]), math.radians(30))
    point = np.array([0.2, 1.1, 0.3])
    np.testing.assert_allclose(frame.to_body(frame.to_world(point)), point)


def test_coordinates_are_those_of_settings_in_the_style_of_juggling_lab() -> None:
    animation = animate("pattern=3;hands=(10,5,-3)(32.5).(10,5,-3)(32.5).")
    events = animation.choreography.events
    thrown = [event for event in range(len(events.time)) if events.kind[event] == Mark.THROW]
    for event in thrown:
        assert coordinates(animation, event) == pytest.approx((0.10, 0.05, -0.03))
    for event in range(len(events.time)):
        back = to_body(animation, int(events.hand[event]), coordinates(animation, event))
        np.testing.assert_allclose(back, events.position[event])
    np.testing.assert_allclose(partners(animation, thrown[0]), [(0.10, 0.05, -0.03)])


def test_the_mouse_takes_the_nearest_handle_and_of_a_stack_the_next_in_time_or_the_chosen_one() -> (
    None
):
    animation = animate("333")
    found = picture_handles(animation, [0])

    def project(places: Floats) -> Floats:
        return places[:, :2] * (1000.0, -1000.0)

    seen = project(found.places)
    thrown = [
        number
        for number, point in enumerate(found.points)
        if point.mark is Mark.THROW and point.hand == 1
    ]
    assert found.stack(thrown[0], seen, 1.0) == thrown
    x, y = seen[thrown[1]] + (4.0, 3.0)
    later = found.points[thrown[1]].time
    assert found.at(x, y, project, 1.0, [], later + 0.01) == thrown[1]
    assert found.at(x, y, project, 1.0, [found.points[thrown[2]].handle], later) == thrown[2]
    assert found.at(x + 200.0, y + 200.0, project, 1.0, [], 0.0) is None


def test_the_path_of_a_hand_is_closed() -> None:
    for path in hand_paths(animate("531"), [0]):
        np.testing.assert_allclose(path[0], path[-1], atol=1e-9)


def test_the_ring_of_a_body_is_taken_where_it_is_drawn() -> None:
    found = picture_handles(animate("3"), [0])

    def project(places: Floats) -> Floats:
        return places[:, [0, 2]] * (300.0, 300.0)

    taken = found.at(0.0, -90.0, project, 1.0, [], 0.0)
    assert taken is not None
    assert found.points[taken].mark is Mark.BODY
    assert found.at(0.0, -60.0, project, 1.0, [], 0.0) is None


def test_typed_numbers_are_read_as_they_are_written() -> None:
    animation = animate("pattern=<3p|3p>;body=(30,-80,20).|(200,90).")
    found = picture_handles(animation, [0, 1])
    hand = found.find(EventHandle(0))
    body = found.find(BodyHandle(0, 0))
    assert hand is not None
    assert body is not None
    arrow = found.find(BodyHandle(0, 0), Mark.HEADING)
    assert arrow is not None
    assert numbers_of(animation, body) == numbers_of(animation, arrow) == "30, -80, 20"
    assert read_numbers("30, -80, 20", body) == pytest.approx((math.radians(30), -0.8, 0.2))
    read = read_numbers(numbers_of(animation, hand), hand)
    np.testing.assert_allclose(read, coordinates(animation, 0), atol=0.0006)
    assert read_numbers("12, 5, −3, 0.42", hand) == pytest.approx((0.12, 0.05, -0.03, 0.42))
    for text in ("12, 5", "a, b, c", "1, 2, inf", "1, 2, 3, 4, 5", ""):
        assert isinstance(read_numbers(text, hand), str)
