"""Numbers of props: each prop's own, beside it in the picture."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera
from juggle_anim.viewer import theme
from juggle_anim.viewer.apart import moved_apart
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.picture import parts
from juggle_anim.viewer.seen_points import seen_points
from juggle_anim.viewer.theme import Theme
from juggle_anim.viewer.throw_numbers import draw_throw_numbers
from juggle_anim.viewer.throw_values import lit_throws

MOST = 200
"""Of more props than this nobody could read the numbers."""


def draw_all_numbers(model: Model, look: Theme, layout: Layout) -> None:
    """Write the numbers into every picture of the window."""
    for part in parts(model, layout):
        for camera, area in part.sights:
            place = Rectangle(area.left, layout.height - area.low - area.height, area.width, area.height)
            taken = np.zeros((0, 4))
            if model.screen.numbers.of_throws:
                lit = lit_throws(part.animation, model.throw_values.of(part.animation.score), model.playback.time)
                taken = draw_throw_numbers(part.animation, lit, camera, look, place)
            if model.screen.numbers.of_props:
                draw_prop_numbers(part.animation, model.playback.time, camera, look, place, taken)


def draw_prop_numbers(
    animation: Animation, time: float, camera: Camera, look: Theme, place: Rectangle, taken: Floats
) -> None:
    """Write the numbers, from 1, in the order of the orbits, behind all cards and beside what is `taken`.

    Args:
        animation: whose props they are.
        time: at which they are seen, [s].
        camera: from where.
        look: of the texts.
        place: of the picture in the window.
        taken: middles, widths and heights of what stands there already, shape (N, 4), [pixels].
    """
    draw, size = imgui.get_background_draw_list(), look.size(theme.SMALL)
    pad, away = look.size(3), look.size(9)
    seen = places(animation, time, camera, place)[:MOST]
    words = [str(number + 1) for number in range(len(seen))]
    extents = np.array([look.measure(each, theme.SMALL, strong=True) for each in words]).reshape(-1, 2)
    beside = seen + (away, -away) + extents * (0.5, -0.5)
    centres, boxes = np.concatenate([taken[:, :2], beside]), np.concatenate([taken[:, 2:], extents + (2 * pad, 2)])
    middles = moved_apart(centres, boxes, look.size(1), standing=len(taken))[len(taken) :]
    for each, (x, y), (wide, tall) in zip(words, middles.tolist(), extents.tolist(), strict=True):
        if not np.isfinite(x):
            continue
        left, top = round(x - wide / 2), round(y - tall / 2)
        corners = (left - pad, top - 1), (left + wide + pad, top + tall + 1)
        draw.add_rect_filled(*corners, theme.SHEET, pad)
        draw.add_text(look.strong, size, (left, top), theme.INK, each)


def places(animation: Animation, time: float, camera: Camera, place: Rectangle) -> Floats:
    """Where each prop is, seen in a place in the window, shape (P, 2), [pixels]; NaN behind the camera."""
    props = animation.sample(np.array([time])).props[0]
    return seen_points(props, camera, place)
