import numpy as np
import pytest
from drawn_scenes import seen

from juggle_anim.animation import Animation, animate
from juggle_anim.parameters import row_named
from juggle_anim.scene import Viewport
from juggle_anim.scene.camera import stereo_cameras
from juggle_anim.viewer.layout import Layout, arrange
from juggle_anim.viewer.panel.controls import OWN, SPLIT_SCALE
from juggle_anim.viewer.picture import BATCH_SIZE, Picture, ScenePrefetch
from juggle_anim.viewer.picture_parts import LABEL_HEIGHT, half_at, picture_parts, place_at
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model

BARE, COVERED = arrange(641, 480, 1.0, shown=False), arrange(1280, 720, 1.0, shown=True, beats=True)


def split(*patterns: str) -> Controller:
    controller = Controller(animate(patterns[0]))
    controller.split.open(animate(patterns[1]), patterns[1])
    return controller


def rest(picture: Picture, model: Model, layout: Layout) -> None:
    for _ in range(400):
        picture.aim(model, layout, 0.1)
        if picture.settled(model):
            return
    raise AssertionError("the cameras never came to rest")


def test_one_picture_fills_the_window() -> None:
    model = Model(animate("531"))
    (part,) = picture_parts(model, COVERED)
    assert (part.area, part.layout, part.rig) == (Viewport(0, 0, 1280, 720), COVERED, model.rig)
    assert half_at(model, COVERED, 1000) == model.half


@pytest.mark.parametrize("stereo", ["off", "parallel"])
def test_a_place_in_the_window_is_one_in_the_picture_that_is_there(stereo: str) -> None:
    controller = split("531", "3")
    model = controller.model
    model.change(lambda animation: animation.replace(stereo=stereo), "stereo")
    areas = [area for part in picture_parts(model, COVERED) for _, area in part.views]
    assert len(areas) == (3 if stereo == "parallel" else 2)
    for area in areas:
        x, y = area.left + area.width / 2, COVERED.height / 4
        assert place_at(model, COVERED, x, y) == pytest.approx((0.0, 0.5))
        assert place_at(model, COVERED, x + 90, y)[0] == pytest.approx(90 / (COVERED.height / 2))


@pytest.mark.parametrize("layout", [BARE, COVERED])
def test_two_pictures_stand_side_by_side_beside_the_panel(layout: Layout) -> None:
    controller = split("531", "b97531")
    model = controller.model
    own, other = picture_parts(model, layout)
    assert own.area.width == other.area.width
    assert own.area.rectangle[0] == 0
    assert own.area.left >= layout.free.left - 1
    assert other.area.left + other.area.width == layout.width
    assert (
        half_at(model, layout, other.area.left - 2),
        half_at(model, layout, other.area.left),
    ) == (0, 1)
    controller.perform(Action.OTHER_HALF)
    assert [part.area for part in picture_parts(model, layout)] == [other.area, own.area]
    assert half_at(model, layout, layout.width - 1) == model.half


@pytest.mark.parametrize("layout", [BARE, COVERED])
def test_each_half_frames_its_own_pattern_below_its_label(layout: Layout) -> None:
    controller = split(*(f"pattern={text};framing=whole" for text in ("531", "b97531")))
    picture = Picture()
    model = controller.model
    model.set_value(SPLIT_SCALE, OWN)
    rest(picture, model, layout)
    for part in picture_parts(model, layout):
        size = part.area.width, part.area.height
        across, down = np.transpose(
            [seen(part.rig.camera, *size, point) for point in extent(part.animation)]
        )
        assert 0 < across.min() < across.max() < part.area.width
        assert layout.free.top + LABEL_HEIGHT * layout.scale < down.min()
        assert down.max() < layout.free.top + layout.free.height
    assert picture_parts(model, layout)[1].rig.orbit.distance > 1.5 * model.rig.orbit.distance


@pytest.mark.parametrize("layout", [BARE, COVERED])
@pytest.mark.parametrize(
    ("pattern", "view"), [("b97531", "default"), ("<3p|3p|3p>", "left"), ("3", "top")]
)
def test_both_halves_have_one_scale_and_floor_and_show_all_that_is_juggled(
    layout: Layout, pattern: str, view: str
) -> None:
    controller = split(*(f"pattern={text};framing=whole" for text in ("531", pattern)))
    picture = Picture()
    model = controller.model
    model.rig.fly(view)
    rest(picture, model, layout)
    wide, floor = [], []
    for part in picture_parts(model, layout):
        size = part.area.width, part.area.height
        across, down = np.transpose(
            [seen(part.rig.camera, *size, point) for point in extent(part.animation)]
        )
        assert 0 < across.min() < across.max() < part.area.width
        assert layout.free.top + LABEL_HEIGHT * layout.scale < down.min()
        assert down.max() < layout.free.top + layout.free.height
        orbit = part.rig.orbit
        ends = [
            seen(part.rig.camera, *size, np.array(orbit.point_in_view(metres, 0.0)))[0]
            for metres in (-0.5, 0.5)
        ]
        wide.append(ends[1] - ends[0])
        x, _, z = orbit.target
        floor.append(seen(part.rig.camera, *size, np.array([x, 0.0, z]))[1])
    assert wide[0] == pytest.approx(wide[1])
    assert pattern != "b97531" or floor[0] == pytest.approx(floor[1], abs=2.0)


def extent(animation: Animation) -> np.ndarray:
    return animation.sample(np.linspace(0, animation.duration, 50)).props.reshape(-1, 3)


def test_both_cameras_go_the_same_way() -> None:
    controller, picture = split("531", "b97531"), Picture()
    model = controller.model
    rest(picture, model, COVERED)
    other = picture_parts(model, COVERED)[1].rig
    own_before, other_before = model.rig.orbit, other.orbit
    model.rig.rotate(0.2, 0.1)
    model.rig.zoom(3)
    rest(picture, model, COVERED)
    assert (other.orbit.azimuth, other.orbit.elevation) == (
        model.rig.orbit.azimuth,
        model.rig.orbit.elevation,
    )
    nearer = model.rig.orbit.distance / own_before.distance
    assert nearer == pytest.approx(0.9**3)
    assert other.orbit.distance == pytest.approx(nearer * other_before.distance)
    before = other.orbit.target
    model.rig.pan(0.1, 0.0)
    rest(picture, model, COVERED)
    assert np.subtract(other.orbit.target, before) == pytest.approx(
        np.subtract(model.rig.orbit.target, own_before.target)
    )
    model.rig.fly("back")
    rest(picture, model, COVERED)
    assert not other.is_manual
    assert np.cos(other.orbit.azimuth - model.rig.orbit.azimuth) > 0.999
    controller.perform(Action.OTHER_HALF)
    model.rig.rotate(-0.1, 0.0)
    rest(picture, model, COVERED)
    assert {part.rig.orbit.azimuth for part in picture_parts(model, COVERED)} == {
        model.rig.orbit.azimuth
    }


def test_exchanging_moves_no_camera() -> None:
    controller, picture = split("531", "b97531"), Picture()
    model = controller.model
    rest(picture, model, COVERED)
    model.rig.rotate(0.2, 0.1)
    rest(picture, model, COVERED)
    before = {part.area: part.rig.camera for part in picture_parts(model, COVERED)}
    controller.perform(Action.OTHER_HALF)
    rest(picture, model, COVERED)
    assert {part.area: part.rig.camera for part in picture_parts(model, COVERED)} == before


def test_a_pair_for_two_eyes_stands_beside_the_panel_and_is_framed_for_half_the_room() -> None:
    model, picture = Model(animate("531")), Picture()
    model.set_value(row_named("stereo"), "parallel")
    rest(picture, model, COVERED)
    (part,) = picture_parts(model, COVERED)
    assert part.area == Viewport(
        int(COVERED.free.left), 0, 1280 - int(COVERED.free.left), 720, int(COVERED.free.left)
    )
    views = part.views
    assert [camera for camera, _ in views] == list(stereo_cameras(model.rig.camera))
    assert [area for _, area in views] == list(part.area.halves)
    for camera, area in views:
        across, _ = np.transpose(
            [seen(camera, area.width, 720, point) for point in extent(model.animation)]
        )
        assert 0 < across.min() < across.max() < area.width


def test_without_panels_a_pair_has_the_very_camera_of_an_export() -> None:
    model, picture = Model(animate("531")), Picture()
    model.set_value(row_named("stereo"), "crossed")
    rest(picture, model, BARE)
    assert model.rig.camera == model.animation.camera(641 / 480 / 2)


def test_a_goal_is_shown_in_one_picture() -> None:
    controller = split("531", "441")
    model = controller.model
    model.set_value(row_named("stereo"), "parallel")
    controller.perform(Action.GOAL)
    (part,) = picture_parts(model, COVERED)
    assert part.area == Viewport(0, 0, 1280, 720)


@pytest.mark.parametrize("width", [1, 7, 8])
def test_a_window_of_a_few_pixels_is_drawn_all_the_same(width: int) -> None:
    controller, picture = split("531", "441"), Picture()
    model = controller.model
    model.set_value(row_named("stereo"), "parallel")
    layout = arrange(width, 1, 1.0, shown=False)
    rest(picture, model, layout)
    assert all(part.area.width > 0 for part in picture_parts(model, layout))


STEP = 1 / 60


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures were solved at each turn."""
    counts: list[int] = []
    scenes = Animation.scenes

    def counting(self: Animation, times: np.ndarray, camera: object) -> object:
        counts.append(len(times))
        return scenes(self, times, camera)  # type: ignore[arg-type]

    monkeypatch.setattr(Animation, "scenes", counting)
    return counts


def test_scenes_are_those_of_their_time_however_time_goes() -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    evenly = list(np.arange(40) * STEP)
    for time in (*evenly, 0.2, 5.0, 5.0 + STEP, 5.0 + 3 * STEP, 4.9, 4.9 + STEP / 2, -1.0):
        scene, exact = ahead.scene(animation, time, STEP, camera), animation.scene(time, camera)
        # Times that differ in their last bit give places that do.
        assert scene.spheres == pytest.approx(exact.spheres, abs=1e-6)
        assert scene.capsules == pytest.approx(exact.capsules, abs=1e-6)


def test_playing_solves_many_pictures_at_once(solved: list[int]) -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    solved.clear()
    time = 0.0
    for _ in range(1 + 3 * BATCH_SIZE):
        ahead.scene(animation, time, STEP, camera)
        time += STEP
    assert solved == [1, BATCH_SIZE, BATCH_SIZE, BATCH_SIZE]


def test_a_still_picture_is_solved_once(solved: list[int]) -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    solved.clear()
    for _ in range(10):
        ahead.scene(animation, 0.3, STEP, camera)
    assert solved == [1]


def test_another_animation_or_camera_is_seen_at_once() -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    for number in range(5):
        ahead.scene(animation, number * STEP, STEP, camera)
    lifted = animation.replace(chicken_wing=80.0)
    elsewhere = lifted.camera(1.3, azimuth=1.0)
    scene = ahead.scene(lifted, 5 * STEP, STEP, elsewhere)
    assert scene.camera is elsewhere
    assert scene.capsules == pytest.approx(lifted.scene(5 * STEP, elsewhere).capsules, abs=1e-6)


def test_scenes_are_solved_ahead_backwards_too(solved: list[int]) -> None:
    animation, ahead = animate("531"), ScenePrefetch()
    camera = animation.camera(1.3)
    solved.clear()
    for number in range(BATCH_SIZE):
        scene = ahead.scene(animation, 1.0 - number * STEP, -STEP, camera)
    assert len(solved) <= 3
    assert scene.spheres == pytest.approx(
        animation.scene(1.0 - (BATCH_SIZE - 1) * STEP, camera).spheres, abs=1e-6
    )


def test_a_group_that_plays_on_a_slow_computer_is_drawn_more_simply_until_it_rests() -> None:
    picture = Picture()

    def is_draft(took: float, *, group_plays: bool) -> bool:
        for _frame in range(30):
            picture.note_motion(dragging=False, group_plays=group_plays, took=took)
        return picture.is_draft

    assert not is_draft(0.005, group_plays=True)
    assert is_draft(0.05, group_plays=True)
    # Outlines do not come and go where simpler pictures are quick enough.
    assert is_draft(0.005, group_plays=True)
    assert not is_draft(0.05, group_plays=False)
