import numpy as np
import pytest
from drawn_scenes import scene

from juggle_anim.render import Offscreen
from juggle_anim.render.backdrop import horizon_row
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.scene import STUDIO


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
    assert np.ptp(picture[row : row + 4], axis=1).max() <= 2


@pytest.mark.parametrize("height", [-2.0, 0.0, 0.001, 30.0])
def test_any_height_of_the_eye_gives_a_bright_studio(height: float) -> None:
    picture = studio(Camera(eye=(0.0, height, 6.0), target=(0.0, 1.0, 0.0)))
    assert picture.min() > 255 * min(STUDIO.line) - 3


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
        first, second, third = (offscreen.image(scene(camera=camera)) for camera in (here, there, here))
    assert (first != second).any()
    assert (first == third).all()
