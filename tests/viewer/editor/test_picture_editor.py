"""Handles in the picture, by mouse and by keys, on a model without a window."""

import math

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.editor.editor import PICTURE, BodyHandle, EventHandle
from juggle_anim.viewer.editor.picture_editor import HandlePoint, Mark, View, coordinates
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action

PASSING = "pattern=<3p|3p>;body=(90,-75).|(-90,75)."


class Hand:
    """A user's hand on mouse and keys, in a picture of 800 × 600.

    Args:
        text: what is edited.
        azimuth: of the camera, [°].
    """

    def __init__(self, text: str, azimuth: float = 10.0, elevation: float = 5.0) -> None:
        animation = animate(text)
        self.controller = Controller(animation, 0.0, paused=True)
        self.picture, self.keys, self.editor = (
            self.controller.picture,
            self.controller.picture_keys,
            self.controller.editor,
        )
        camera = animation.camera(4 / 3, math.radians(azimuth), math.radians(elevation))
        self.picture.view = View(camera, Rectangle(0.0, 0.0, 800.0, 600.0), 1.0)
        self.picture.is_drawn = True
        self.controller.perform(Action.EDIT)

    def point(self, mark: Mark, hand: int = 1, number: int = 0) -> HandlePoint:
        """A handle with a mark; of a body, that of the juggler `number`."""
        points = [each for each in self.picture.handles.points if each.mark is mark]
        return [each for each in points if mark >= Mark.BODY or each.hand == hand][number]

    def seen(self, place: object) -> tuple[float, float]:
        x, y = self.picture.view.to_window(np.array([place]))[0].tolist()
        return x, y

    def drag(self, start: object, end: object, deep: bool = False, snaps: bool = False) -> None:
        """Drag from one place of the world to where another is seen."""
        assert self.picture.press(*self.seen(start))
        x, y = self.seen(start)
        for share in (0.3, 1.0):
            to_x, to_y = self.seen(end)
            self.picture.aim(
                x + share * (to_x - x), y + share * (to_y - y), in_depth=deep, snaps=snaps
            )
            self.picture.update_drag()
        self.picture.release()

    def at(self, point: HandlePoint) -> tuple[float, float, float]:
        """The coordinates of a point of a hand now."""
        now = self.picture.find_again(point)
        assert now is not None
        return coordinates(self.picture.animation, now.event)


def test_a_drag_puts_a_throw_where_the_mouse_is_and_its_mirror_image_too_and_is_one_step_of_undo() -> (
    None
):
    user = Hand("3")
    point, other = user.point(Mark.THROW, 1), user.point(Mark.THROW, 0)
    x, y, z = point.place
    user.drag(point.place, (x - 0.2, y + 0.1, z))
    wanted = np.add(coordinates(animate("3"), point.event), (0.2, 0.1, 0.0))
    np.testing.assert_allclose(user.at(point), wanted, atol=1e-3)
    np.testing.assert_allclose(user.at(other), wanted, atol=1e-3)
    user.controller.perform(Action.UNDO)
    assert user.picture.animation.text == "3"


def test_without_symmetry_only_what_is_dragged_moves() -> None:
    user = Hand("3")
    user.controller.perform(Action.SYMMETRIC)
    point, other = user.point(Mark.CATCH, 1), user.point(Mark.CATCH, 0)
    before = user.at(other)
    x, y, z = point.place
    user.drag(point.place, (x - 0.2, y, z))
    np.testing.assert_allclose(user.at(other), before, atol=1e-6)
    assert user.at(point)[0] == pytest.approx(before[0] + 0.2, abs=1e-3)


def test_a_drag_snaps_and_says_to_what() -> None:
    user = Hand("3")
    point = user.point(Mark.THROW)
    x, y = user.seen(point.place)
    goal = np.array(point.place) * (0.0, 1.0, 1.0) + (0.012, 0.1234, 0.0)
    user.picture.press(x, y)
    user.picture.aim(*user.seen(goal))
    user.picture.update_drag()
    assert user.picture.guides == {0: "zero"}
    user.picture.release()
    outward, up, _ = user.at(point)
    assert outward == pytest.approx(0.0, abs=1e-6)
    assert up * 100 == pytest.approx(round(up * 100), abs=1e-3)


def test_in_depth_a_hand_moves_along_the_axis_across_its_plane() -> None:
    user = Hand("3", azimuth=30)
    point = user.point(Mark.THROW)
    before = user.at(point)
    user.drag(point.place, np.add(point.place, (0.0, 0.0, 0.15)), deep=True)
    np.testing.assert_allclose(user.at(point), np.add(before, (0.0, 0.0, 0.15)), atol=1e-3)


def test_the_arrow_of_a_chosen_handle_drags_in_depth() -> None:
    user = Hand("3", azimuth=30)
    point = user.point(Mark.CATCH)
    before = user.at(point)
    user.picture.choose(point.handle)
    arrow = user.picture.arrow()
    assert arrow is not None
    user.picture.press(*arrow[1])
    user.picture.aim(*(arrow[1] + 0.5 * (arrow[1] - arrow[0])), snaps=False)
    user.picture.release()
    after = user.at(point)
    assert after[2] > before[2] + 0.02
    np.testing.assert_allclose(after[:2], before[:2], atol=1e-6)


def test_where_no_handles_are_drawn_the_mouse_takes_none() -> None:
    user = Hand("3")
    place = user.seen(user.point(Mark.THROW).place)
    user.picture.is_drawn = False
    assert not user.picture.press(*place)
    user.picture.is_drawn = True
    user.picture.view = View(user.picture.view.camera, Rectangle(0.0, 0.0, 400.0, 600.0), 1.0)
    x, y = user.seen((-3.0, 1.2, 0.3))
    assert not user.picture.press(x, y)
    assert user.picture.press(*user.seen(user.point(Mark.THROW).place))


def test_several_that_are_chosen_move_together() -> None:
    user = Hand("531")
    user.controller.perform(Action.SYMMETRIC)
    one, other = user.point(Mark.THROW, 1, 0), user.point(Mark.CATCH, 1, 1)
    before = user.at(one), user.at(other)
    user.picture.press(*user.seen(other.place), adds=True)
    user.picture.release()
    user.picture.choose(one.handle, other.handle)
    x, y, z = one.place
    user.drag(one.place, (x - 0.1, y + 0.05, z))
    for point, was in zip((one, other), before, strict=True):
        np.testing.assert_allclose(user.at(point), np.add(was, (0.1, 0.05, 0.0)), atol=1e-3)
    assert len(user.editor.selection) == 2


def test_a_frame_chooses_the_handles_of_hands_in_it() -> None:
    user = Hand("531")
    user.picture.press(1.0, 1.0, adds=True)
    user.picture.aim(799.0, 599.0)
    user.picture.release()
    assert set(user.editor.selection) == {EventHandle(event) for event in range(12)}


def test_escape_takes_a_drag_back() -> None:
    user = Hand("3")
    point = user.point(Mark.THROW)
    user.picture.press(*user.seen(point.place))
    user.picture.drag(*user.seen(np.add(point.place, (0.2, 0.2, 0.0))))
    assert user.picture.animation.text != "3"
    user.controller.perform(Action.BACK)
    user.picture.drag(*user.seen(np.add(point.place, (0.3, 0.2, 0.0))))
    user.picture.release()
    assert user.picture.animation.text == "3"


def test_keys_choose_and_move_a_handle_as_the_camera_sees_it() -> None:
    user = Hand("3", azimuth=100)
    user.controller.perform(Action.HANDLE_PLACE)
    assert user.editor.place == PICTURE
    (point,) = user.picture.chosen
    before = user.at(point)
    for action in (Action.TURN_UP, Action.CHOOSE_PREVIOUS, Action.UP_FINE, Action.PAGE_UP):
        user.controller.perform(action)
    # From the left, what faces right is back, and what is away is to the right.
    moved = np.subtract(user.at(point), before)
    away = 1.0 if point.hand % 2 else -1.0
    np.testing.assert_allclose(moved, (0.01 * away, 0.011, -0.01), atol=1e-4)


def test_typed_numbers_move_a_hand_and_wrong_ones_are_explained() -> None:
    user = Hand("3")
    point = user.point(Mark.THROW)
    user.picture.choose(point.handle)
    user.controller.perform(Action.TYPE_VALUE)
    assert user.keys.entry is not None
    user.keys.apply_entry("12, 5")
    assert user.keys.entry is not None
    assert "three numbers" in user.keys.entry.error
    user.keys.apply_entry("12, 5, -3")
    assert user.keys.entry is None
    np.testing.assert_allclose(user.at(point), (0.12, 0.05, -0.03), atol=1e-4)


def test_a_point_is_added_on_the_path_and_removed_again() -> None:
    user = Hand("3")
    path = user.picture.paths[1]
    shown = user.picture.view.to_window(path[int(0.45 * len(path))][None])[0]
    assert user.picture.add_point_at(*shown)
    (added,) = user.picture.chosen
    assert added.mark is Mark.POINT
    np.testing.assert_allclose(added.place, path[int(0.45 * len(path))], atol=0.02)
    user.controller.perform(Action.REMOVE_POINT)
    assert not [each for each in user.picture.handles.points if each.mark is Mark.POINT]
    assert not user.editor.selection


def test_a_throw_is_not_removed_and_the_reason_is_said() -> None:
    user = Hand("3")
    user.picture.choose(user.point(Mark.THROW).handle)
    user.controller.perform(Action.REMOVE_POINT)
    assert "is a throw or catch; only points" in user.controller.model.error


def test_a_path_is_pasted_to_the_other_hand() -> None:
    user = Hand("3")
    user.controller.perform(Action.SYMMETRIC)
    mine, other = user.point(Mark.THROW, 1), user.point(Mark.THROW, 0)
    x, y, z = mine.place
    user.drag(mine.place, (x - 0.2, y + 0.1, z))
    for action, point in ((Action.COPY_PATH, mine), (Action.PASTE_PATH, other)):
        now = user.picture.find_again(point)
        assert now is not None
        user.picture.choose(now.handle)
        user.controller.perform(action)
    np.testing.assert_allclose(user.at(other), user.at(mine), atol=1e-3)


def test_a_body_is_dragged_over_the_floor_and_snaps_to_the_grid() -> None:
    user = Hand(PASSING, elevation=30)
    ring = user.point(Mark.BODY, number=1)
    edge = np.array(ring.place) + (0.0, 0.0, 0.3)
    user.drag(edge, edge + (0.16, 0.0, -0.39), snaps=True)
    moved = user.point(Mark.BODY, number=1)
    np.testing.assert_allclose(
        moved.place, np.round(np.add(ring.place, (0.16, 0, -0.39)) / 0.2) * 0.2, atol=1e-4
    )
    assert user.controller.model.animation.pattern


def test_the_arrow_of_a_body_turns_it_by_quarter_turns() -> None:
    user = Hand(PASSING, elevation=40)
    arrow, ring = user.point(Mark.HEADING, number=0), user.point(Mark.BODY, number=0)
    user.drag(arrow.place, np.add(ring.place, (0.05, 0.0, 0.6)), snaps=True)
    _, _, _, facing = user.picture.animation.motion.bodies.places(np.zeros(1))[0, 0]
    assert facing == pytest.approx(0.0, abs=1e-6)
    assert user.picture.animation.text.startswith("pattern=<3p|3p>")


def test_keys_and_typed_numbers_move_and_turn_a_body() -> None:
    user = Hand(PASSING, azimuth=0)
    user.picture.choose(BodyHandle(1, 0))
    x, _, z = user.point(Mark.BODY, number=1).place
    user.controller.perform(Action.TURN_UP)
    np.testing.assert_allclose(user.point(Mark.BODY, number=1).place, (x + 0.2, 0.0, z), atol=1e-6)
    user.controller.perform(Action.TYPE_VALUE)
    user.keys.apply_entry("-45, 100, 20")
    place = user.picture.animation.motion.bodies.places(np.zeros(1))[0, 1]
    np.testing.assert_allclose(place, (-1.0, 0.0, 0.2, -math.pi / 4), atol=1e-6)


def test_of_many_jugglers_the_chosen_one_has_handles_at_its_hands() -> None:
    user = Hand("<3p|3p|3p|3p>")
    assert user.picture.jugglers == (0,)
    user.picture.choose(BodyHandle(2, 0))
    assert {each.juggler for each in user.picture.handles.points if each.hand >= 0} == {2}
    assert len({each.juggler for each in user.picture.handles.points if each.hand < 0}) == 4
