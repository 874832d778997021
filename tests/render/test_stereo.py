from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.render import Offscreen, Renderer, gl
from juggle_anim.render.context import EglContext
from juggle_anim.render.gl_objects import Canvas, RenderTarget
from juggle_anim.scene import Camera, Scene, Viewport
from juggle_anim.scene.camera import stereo_cameras

WIDTH, HEIGHT = 320, 200


@pytest.fixture(scope="module")
def offscreen() -> Iterator[Offscreen]:
    with Offscreen(WIDTH, HEIGHT) as made:
        yield made


def scene(stereo: str = "off", **parameters: str | float) -> Scene:
    animation = animate("pattern=531;prop=ball,ring,club", paths="throws", **parameters)
    return replace(animation.scene(0.3, animation.camera(WIDTH / 2 / HEIGHT)), stereo=stereo)


class Window:
    """A framebuffer of which areas are drawn, as those of a window are; only within its context."""

    def __init__(self) -> None:
        self._renderer, self._canvas = Renderer(), Canvas(WIDTH, HEIGHT)

    def draw(self, shown: Scene, area: Viewport | None = None) -> Bytes:
        """A picture with a scene in an area of it, over what was drawn before."""
        self._renderer.draw(shown, RenderTarget((WIDTH, HEIGHT), self._canvas.framebuffer), area)
        picture = np.empty((HEIGHT, WIDTH, 3), dtype=np.uint8)
        self._canvas.read(picture)
        return picture


@pytest.fixture
def window() -> Iterator[Window]:
    context = EglContext()
    with context:
        yield Window()
    context.close()


def alone(
    camera: Camera, shown: Scene, width: int = WIDTH // 2, transparent: bool = False
) -> Bytes:
    """What one camera sees of a scene, in a picture of its own."""
    with Offscreen(width, HEIGHT, transparent) as made:
        return made.image(replace(shown, camera=camera, stereo="off"))


@pytest.mark.parametrize("projection", ["perspective", "orthographic"])
@pytest.mark.parametrize("stereo", ["parallel", "crossed"])
def test_each_half_is_the_picture_of_one_eye(
    offscreen: Offscreen, stereo: str, projection: str
) -> None:
    shown = scene(stereo, projection=projection, figure="see-through", ghost="two-link")
    picture, (left, right) = offscreen.image(shown), stereo_cameras(shown.camera)
    first, second = (left, right) if stereo == "parallel" else (right, left)
    middle = WIDTH // 2
    for half, camera in ((picture[:, :middle], first), (picture[:, middle:], second)):
        off = np.abs(half.astype(int) - alone(camera, shown)).max(axis=2)
        assert (off > 2).mean() < 1e-3
    assert (picture[:, :middle] != picture[:, middle:]).any(axis=2).mean() > 0.02


def test_a_pair_of_an_odd_width_leaves_no_column_empty() -> None:
    with Offscreen(WIDTH + 1, HEIGHT) as made:
        picture = made.image(scene("parallel"))
    middle = WIDTH // 2
    np.testing.assert_allclose(picture[:40, middle].astype(int), picture[:40, middle + 1], atol=3)
    assert (picture[:40, middle] > 150).all()


def test_an_anaglyph_has_the_left_eyes_brightness_in_red_and_the_right_eyes_green_and_blue(
    offscreen: Offscreen,
) -> None:
    shown = scene("anaglyph")
    picture = offscreen.image(shown)
    left, right = (
        alone(camera, shown, WIDTH).astype(float) for camera in stereo_cameras(shown.camera)
    )
    np.testing.assert_array_equal(picture[..., 1:], right[..., 1:])
    np.testing.assert_allclose(picture[..., 0], left @ (0.299, 0.587, 0.114), atol=1.01)
    assert np.abs(picture[..., 0] - right[..., 0]).max() > 50


@pytest.mark.parametrize("stereo", ["parallel", "anaglyph"])
def test_what_is_transparent_stays_so_for_two_eyes(stereo: str) -> None:
    shown = scene(stereo)
    with Offscreen(WIDTH, HEIGHT, transparent=True) as made:
        picture = made.image(shown)
    width = WIDTH // 2 if stereo == "parallel" else WIDTH
    left, right = (
        alone(camera, shown, width, transparent=True)[..., 3]
        for camera in stereo_cameras(shown.camera)
    )
    alpha = np.hstack([left, right]) if stereo == "parallel" else np.maximum(left, right)
    assert (np.abs(picture[..., 3].astype(int) - alpha) > 2).mean() < 1e-3
    assert 0 < (alpha > 0).mean() < 0.5


def test_a_picture_after_a_pair_is_as_before(offscreen: Offscreen) -> None:
    shown = scene()
    before = offscreen.image(shown)
    for stereo in ("parallel", "anaglyph", "crossed"):
        offscreen.image(replace(shown, stereo=stereo))
        np.testing.assert_array_equal(offscreen.image(shown), before)


def test_what_is_beside_an_area_stays(window: Window) -> None:
    before = window.draw(scene(stage="dark"))
    picture = window.draw(scene(), Viewport(100, 50, 120, 100))
    inside = np.zeros((HEIGHT, WIDTH), dtype=bool)
    inside[50:150, 100:220] = True
    np.testing.assert_array_equal(picture[~inside], before[~inside])
    assert (picture[inside] != before[inside]).any(axis=1).mean() > 0.9


def test_a_picture_that_goes_on_to_the_left_is_the_same_where_it_was(window: Window) -> None:
    shown, area = scene(stage="gym"), Viewport(120, 0, 200, HEIGHT)
    window.draw(scene(stage="dark"))
    narrow = window.draw(shown, area)
    wide = window.draw(shown, replace(area, overhang=120))
    off = np.abs(narrow[:, 120:].astype(int) - wide[:, 120:]).max(axis=2)
    assert (off > 2).mean() < 1e-3
    # The floor's lines go on there.
    np.testing.assert_allclose(wide[-1, 119].astype(int), wide[-1, 120], atol=40)
    assert (wide[:, :120] != narrow[:, :120]).any(axis=2).all()


def test_an_export_frames_each_eye_in_its_half() -> None:
    size = 480, 300
    one = next(
        DrawnFrames(
            FrameRequest(animate("531", stereo="parallel", stage="dark"), size, 10.0)
        ).images([0])
    )
    plain = next(
        DrawnFrames(FrameRequest(animate("531", stage="dark"), (240, 300), 10.0)).images([0])
    )
    for half in (one[:, :240], one[:, 240:]):
        bright = [np.argwhere(picture.max(axis=2) > 150) for picture in (half, plain)]
        low, high = ([places.min(axis=0), places.max(axis=0)] for places in bright)
        np.testing.assert_allclose(low, high, atol=8)


def framebuffers() -> int:
    """How many there are in the context."""
    return sum(bool(gl.glIsFramebuffer(name)) for name in range(1, 100))


def test_what_an_anaglyph_needs_is_given_back_when_none_has_come_for_a_while(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("juggle_anim.render.renderer._MAX_IDLE_PICTURES", 12)
    plain, anaglyph = scene(), scene("anaglyph")
    window.draw(plain)
    without, first = framebuffers(), window.draw(anaglyph)
    among = framebuffers()
    for _ in range(3):  # as the halves of a window take turns
        window.draw(plain)
        window.draw(anaglyph)
    assert framebuffers() == among > without
    for _ in range(15):
        window.draw(plain)
    assert framebuffers() == without
    assert (window.draw(anaglyph) == first).all()
