"""Numbers of props: each prop's own, beside it in the picture."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera
from juggle_anim.viewer import theme
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.theme import Theme

MOST = 200
"""Of more props than this nobody could read the numbers."""


def draw_prop_numbers(animation: Animation, time: float, camera: Camera, look: Theme, layout: Layout) -> None:
    """Write the numbers, from 1, in the order of the orbits, behind all cards."""
    draw, size = imgui.get_background_draw_list(), look.size(theme.SMALL)
    pad, away = look.size(3), look.size(9)
    for number, (x, y) in enumerate(places(animation, time, camera, layout)[:MOST].tolist(), 1):
        if not np.isfinite(x):
            continue
        words = str(number)
        wide, tall = look.measure(words, theme.SMALL, strong=True)
        left, top = round(x + away), round(y - away - tall)
        corners = (left - pad, top - 1), (left + wide + pad, top + tall + 1)
        draw.add_rect_filled(*corners, theme.SHEET, pad)
        draw.add_text(look.strong, size, (left, top), theme.INK, words)


def places(animation: Animation, time: float, camera: Camera, layout: Layout) -> Floats:
    """Where each prop is in the window, shape (P, 2), [pixels] from the upper left corner; NaN behind the camera."""
    props = animation.sample(np.array([time])).props[0]
    matrix = camera.projection(layout.width / layout.height) @ camera.view()
    clip = np.column_stack([props, np.ones(len(props))]) @ matrix.T
    depth = np.where(clip[:, 3:] > camera.near, clip[:, 3:], np.nan)
    across, up = (clip[:, :2] / depth).T
    return np.column_stack([(1 + across) / 2 * layout.width, (1 - up) / 2 * layout.height])
