"""Numbers of throws: the value of each throw where it is made, lit when it is, and fading."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera
from juggle_anim.viewer import theme
from juggle_anim.viewer.apart import moved_apart
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.seen_points import seen_points
from juggle_anim.viewer.theme import Theme
from juggle_anim.viewer.throw_values import LitThrow

_FEW = 2  # jugglers that have room for large numbers
_BRIGHT = 0.36


def draw_throw_numbers(
    animation: Animation, lit: list[LitThrow], camera: Camera, look: Theme, place: Rectangle
) -> Floats:
    """Write the numbers below the places where throws are made, behind all cards.

    Returns:
        Middle, width and height of each that is seen, shape (N, 4), [pixels].
    """
    if not lit:
        return np.zeros((0, 4))
    draw = imgui.get_background_draw_list()
    points = theme.LARGE if animation.jugglers <= _FEW else theme.TEXT
    pad, away = look.size(5), look.size(12)
    seen = seen_points(np.array([throw.place for throw in lit]), camera, place)
    extents = [look.measure(throw.text, points, strong=True) for throw in lit]
    boxes = np.array([(max(extent) + 2 * pad, extent[1] + look.size(2)) for extent in extents])
    apart = moved_apart(seen, boxes, look.size(2), across_only=True)
    written = []
    for throw, (wide, tall), (x, y) in zip(lit, extents, apart.tolist(), strict=True):
        if not place.covers(x, y):
            continue
        left, top = round(x - wide / 2), round(y + away)
        wider = max(wide, tall) / 2 + pad
        low, high = (x - wider, top - look.size(1)), (x + wider, top + tall + look.size(1))
        ink = theme.colour("000000" if _light(throw.colour) else "FFFFFF", throw.glow)
        draw.add_rect_filled(low, high, theme.colour(_code(throw.colour), throw.glow), look.size(7))
        draw.add_text(look.strong, look.size(points), (left, top), ink, throw.text)
        written.append((x, top + tall / 2, high[0] - low[0], high[1] - low[1]))
    return np.array(written).reshape(-1, 4)


def _light(colour: tuple[float, float, float]) -> bool:
    red, green, blue = colour
    return 0.30 * red + 0.59 * green + 0.11 * blue > _BRIGHT


def _code(colour: tuple[float, float, float]) -> str:
    return "".join(f"{round(255 * part):02X}" for part in colour)
