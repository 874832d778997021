import numpy as np
import pytest
from drawn_scenes import CAMERA, RED, WHITE, capsule, scene, seen, sphere

from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.render import Offscreen
from juggle_anim.render.backdrop import SHADOW_MAP_SIZE, horizon_row, shadow_box
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.scene import GYM, STUDIO, Scene, Stage, light_axes


def studio(camera: Camera) -> np.ndarray:
    with Offscreen(320, 240) as offscreen:
        return offscreen.image(scene(camera=camera)).astype(float)


@pytest.mark.parametrize("eye", [(0.0, 1.5, 6.0), (0.0, 0.4, 30.0)])
def test_the_horizon_is_no_hard_line(eye: tuple[float, float, float]) -> None:
    camera = Camera(eye=eye, target=(0.0, eye[1] - 0.1, 0.0))
    picture = studio(camera)
    row = 240 - horizon_row(camera, 240)
    assert 20 < row < 220
    assert np.abs(np.diff(picture[row - 12 : row + 12], axis=0)).max() <= 3


def test_the_floor_has_lines_near_by_and_none_at_the_horizon() -> None:
    camera = Camera(eye=(0.0, 1.5, 6.0), target=(0.0, 1.0, 0.0))
    picture = studio(camera)
    row = 240 - horizon_row(camera, 240)
    assert np.ptp(picture[-20:], axis=1).max() > 10
    assert np.abs(np.diff(picture[row : row + 4], axis=1)).max() <= 2


@pytest.mark.parametrize("height", [-2.0, 0.0, 0.001, 30.0])
def test_any_height_of_the_eye_gives_a_bright_studio(height: float) -> None:
    picture = studio(Camera(eye=(0.0, height, 6.0), target=(0.0, 1.0, 0.0)))
    assert picture.min() > 255 * 0.65


def test_the_horizon_is_the_first_row_whose_rays_do_not_sink() -> None:
    for target in (-3.0, 1.0, 1.6, 4.0):
        camera = Camera(eye=(0.0, 1.5, 6.0), target=(0.0, target, 0.0))
        _, up, back = camera.view()[:3, :3]
        middles = ((np.arange(240) + 0.5) / 120 - 1) * np.tan(camera.field_of_view / 2)
        sinking = middles * up[1] - back[1] < 0
        assert horizon_row(camera, 240) == sinking.sum()


def test_the_studio_follows_the_camera() -> None:
    here, there = Camera((0.0, 1.5, 6.0), (0.0, 1.0, 0.0)), Camera((2.0, 1.0, 4.0), (0.0, 1.0, 0.0))
    with Offscreen(160, 120) as offscreen:
        first, second, third = (
            offscreen.image(scene(camera=camera)) for camera in (here, there, here)
        )
    assert (first != second).any()
    assert (first == third).all()


SIZES = 320, 240


ABOVE = Camera(eye=(0.0, 6.0, 4.0), target=(0.0, 0.3, 0.0))


SLANTING = Stage(WHITE, WHITE, (0.8, 0.8, 0.8), (0.8, 0.8, 0.8), (1.0, 1.0, 0.0))


def darkness(drawn: Scene) -> Floats:
    """How much darker each pixel is than in the empty studio, grey levels."""
    empty = Scene(drawn.spheres[:0], drawn.capsules[:0], drawn.camera, drawn.stage)
    with Offscreen(*SIZES) as offscreen:
        return offscreen.image(empty).astype(float).mean(axis=2) - offscreen.image(drawn).mean(
            axis=2
        )


def test_a_shadow_falls_away_from_the_light() -> None:
    drawn = scene([sphere((0.8, 1.0, 0.0), 0.15)], camera=ABOVE, stage=SLANTING)
    dark = darkness(drawn)
    column, row = seen(ABOVE, *SIZES, (-0.2, 0.0, 0.0)).astype(int)
    assert dark[row, column] > 15
    beyond = seen(ABOVE, *SIZES, (-0.9, 0.0, 0.0)).astype(int)
    assert abs(dark[beyond[1], beyond[0]]) < 1
    toward = seen(ABOVE, *SIZES, (0.9, 0.0, 0.0)).astype(int)  # nearer than the ball's own picture
    assert abs(dark[toward[1], toward[0]]) < 1


def test_a_shadow_is_darkest_and_sharpest_at_contact_and_faint_below_a_high_ball() -> None:
    peaks = []
    for height in (0.1, 1.0, 4.0):
        place = (
            height,
            height,
            0.0,
        )  # the light slants by 45 degrees: each shadow's middle is the origin
        dark = darkness(scene([sphere(place, 0.1)], camera=ABOVE, stage=SLANTING))
        column, row = seen(ABOVE, *SIZES, (-0.02, 0.0, 0.0)).astype(int)
        peaks.append(dark[row, column])
    assert peaks[0] > 60
    assert peaks[0] > peaks[1] > 2 * peaks[2] > 0


def test_what_touches_the_floor_darkens_it_on_the_side_of_the_light_too() -> None:
    for height, touches in ((0.05, True), (1.0, False)):
        lying = capsule((0.0, height, -0.2), 0.05, (0.0, height, 0.2), 0.05)
        dark = darkness(scene(capsules=[lying], camera=ABOVE, stage=SLANTING))
        column, row = seen(ABOVE, *SIZES, (0.065, 0.0, 0.0)).astype(int)
        assert (dark[row, column] > 3) == touches


@pytest.mark.parametrize("distance", [3.0, 12.0, 60.0, 400.0])
def test_the_hall_is_around_the_camera_at_any_distance(distance: float) -> None:
    camera = Camera(eye=(0.3 * distance, 0.2 * distance + 1.0, distance), target=(2.0, 1.0, 0.0))
    with Offscreen(320, 240) as offscreen:
        picture = offscreen.image(scene(camera=camera, stage=GYM)).astype(int)
    wooden = picture[..., 0] - picture[..., 2] > 30
    assert wooden[-40:].mean() > 0.9
    assert picture.min() > 100


def test_no_shadow_is_drawn_from_below_the_floor() -> None:
    below = Camera(eye=(0.0, -1.0, 4.0), target=(0.0, 1.0, 0.0))
    dark = darkness(scene([sphere((0.0, 3.9, 0.0), 0.1)], camera=below, stage=SLANTING))
    shown = np.abs(dark) > 1
    column, row = seen(below, *SIZES, (0.0, 3.9, 0.0)).astype(int)
    shown[max(row - 15, 0) : row + 15, column - 15 : column + 15] = False
    assert not shown.any()


def test_the_box_of_shadows_moves_by_whole_texels_and_never_shimmers() -> None:
    axes = light_axes(STUDIO)
    boxes = []
    for shift in np.linspace(0.0, 1.0, 23):
        drawn = scene([sphere((shift, 0.5, 0.3 * shift), 0.1, RED)], camera=CAMERA)
        boxes.append(shadow_box(drawn.spheres, drawn.capsules, axes, 0.07))
    assert len({box.texel for box in boxes}) == 1
    corners = np.array([box.origin for box in boxes]) / boxes[0].texel
    assert np.abs(corners - np.round(corners)).max() < 1e-6


def test_the_box_of_shadows_holds_a_scene_of_any_extent() -> None:
    axes = light_axes(STUDIO)
    for extent in (1.0, 10.0, 100.0, 1000.0):
        drawn = scene(
            [sphere((x, 0.2, z), 0.2) for x in (-extent, extent) for z in (-extent, extent)]
        )
        box = shadow_box(drawn.spheres, drawn.capsules, axes, 0.07)
        middles = drawn.spheres[:, :3] @ axes[:2].T
        assert max(box.texels) <= SHADOW_MAP_SIZE
        assert (middles - 0.2 >= box.origin).all()
        assert (middles + 0.2 <= box.end).all()


def test_shadows_of_an_earlier_picture_leave_nothing_behind() -> None:
    animation, larger = animate("531"), animate("441")
    shown = animation.scene(0.4, animation.camera(2 / 3))
    with Offscreen(320, 480) as offscreen:
        fresh = offscreen.image(shown)
    with Offscreen(320, 480) as offscreen:
        for time in np.linspace(0.0, 2.0, 15):
            offscreen.image(larger.scene(time, larger.camera(2 / 3)))
            np.testing.assert_array_equal(offscreen.image(shown), fresh)
