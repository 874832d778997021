from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from drawn_scenes import CAMERA, PLAIN, scene, sphere

from juggle_anim.arrays import Bytes
from juggle_anim.render import Offscreen
from juggle_anim.render.backdrop import FilmLayer
from juggle_anim.render.gl_objects import RenderTarget
from juggle_anim.scene import Viewport

WIDTH, HEIGHT = 80, 60
AREA = Viewport(0, 0, WIDTH, HEIGHT)
BALL = scene([sphere(CAMERA.target, 0.3)], stage=PLAIN)
BLUE, CLEAR = (0, 0, 200, 255), (0, 0, 200, 0)


@pytest.fixture
def offscreen() -> Iterator[Offscreen]:
    with Offscreen(WIDTH, HEIGHT) as opened:
        yield opened


def drawn(
    offscreen: Offscreen, pixels: Bytes, place: Viewport, opacity: float = 1.0, before: bool = False
) -> Bytes:
    """The picture of a ball with a film behind it, or before it."""
    target = RenderTarget((WIDTH, HEIGHT), offscreen._canvases[0].framebuffer)
    with offscreen._context:
        layer = FilmLayer()
        if before:
            offscreen._renderer.draw(BALL, target)
            layer.draw(pixels, place, AREA, opacity)
        else:
            target = replace(target, behind=lambda area: layer.draw(pixels, place, area, opacity))
            offscreen._renderer.draw(BALL, target)
        layer.close()
        return offscreen.read()


def filled(colour: tuple[int, ...], size: tuple[int, int] = (8, 6)) -> Bytes:
    return np.full((size[1], size[0], 4), colour, dtype=np.uint8)


def test_a_film_behind_hides_the_stage_but_not_what_is_juggled(offscreen: Offscreen) -> None:
    picture = drawn(offscreen, filled(BLUE), Viewport(0, 0, WIDTH // 2, HEIGHT))
    assert (picture[5, 5] == BLUE[:3]).all()
    assert (picture[5, -5] > 240).all(), "beside it is the stage"
    red, green, _ = picture[HEIGHT // 2, WIDTH // 2 - 1].astype(int)
    assert red > 2 * green


def test_a_film_before_covers_all_by_its_opacity(offscreen: Offscreen) -> None:
    assert (drawn(offscreen, filled(BLUE), AREA, before=True) == BLUE[:3]).all()
    half = drawn(offscreen, filled(BLUE), AREA, 0.5, before=True).astype(int)
    plain = drawn(offscreen, filled(BLUE), AREA, 0.0, before=True).astype(int)
    assert half == pytest.approx((plain + BLUE[:3]) / 2, abs=1)


def test_transparent_parts_show_what_is_behind(offscreen: Offscreen) -> None:
    plain = drawn(offscreen, filled(BLUE), AREA, 0.0)
    assert (drawn(offscreen, filled(CLEAR), AREA) == plain).all()


def test_a_film_stands_upright_and_is_cut_at_the_area(offscreen: Offscreen) -> None:
    pixels = filled(BLUE)
    pixels[0] = 255, 0, 0, 255
    pixels[:, 0] = 0, 255, 0, 255
    picture = drawn(offscreen, pixels, Viewport(-20, -15, WIDTH + 20, HEIGHT + 15), before=True)
    assert (picture[2, WIDTH // 2] == (255, 0, 0)).all(), "its first row is above"
    assert (picture[-1, 2] == BLUE[:3]).all(), "its left and lower edges are outside"
    outside = drawn(offscreen, pixels, Viewport(WIDTH, 0, 20, 20), before=True)
    assert (outside == drawn(offscreen, pixels, AREA, 0.0, before=True)).all()


@pytest.mark.parametrize("texture_count", [1, 2, 5])
def test_pictures_that_take_turns_are_each_drawn_as_they_are(
    offscreen: Offscreen, texture_count: int
) -> None:
    """Also where fewer stay in textures than there are, and where sizes differ."""
    colours = [(40 * number, 255 - 40 * number, 7 * number) for number in range(5)]
    pictures = [filled((*colour, 255), (8, 6 + n % 2)) for n, colour in enumerate(colours)]
    order = [0, 1, 0, 2, 3, 4, 0, 0, 1, 4, 2, 3]
    with offscreen._context:
        target = RenderTarget((WIDTH, HEIGHT), offscreen._canvases[0].framebuffer)
        offscreen._renderer.draw(BALL, target)
        layer = FilmLayer(texture_count)
        for column, number in enumerate(order):
            layer.draw(pictures[number], Viewport(6 * column, 0, 6, HEIGHT), AREA, 1.0)
        layer.close()
        picture = offscreen.read()
    assert [tuple(picture[9, 6 * n + 3]) for n in range(len(order))] == [colours[n] for n in order]
