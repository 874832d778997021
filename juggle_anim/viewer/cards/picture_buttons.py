"""Buttons over the lower edge of the picture: back to the juggler, and one scale for both halves of
a split view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Layout, Rectangle, project_points
from juggle_anim.viewer.panel.window_controls import OWN, SAME, SPLIT_SCALE
from juggle_anim.viewer.picture_parts import PicturePart, picture_parts
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import term_tip

_TALL = 30.0
_GAP = 10.0
_PAD = 10.0
_LETTER = 8.5  # about the width of one, before fonts are there
_FRAME = N_("Frame")
_SCALES = {SAME: N_("One scale"), OWN: N_("Own scales")}
_BODY = np.array(
    [
        (0.0, 0.2, 0.0),
        (0.0, 1.6, 0.0),
        (-0.3, 1.0, 0.0),
        (0.3, 1.0, 0.0),
        (0.0, 1.0, -0.3),
        (0.0, 1.0, 0.3),
    ]
)
"""Points of a juggler by which they are seen, from the floor under them, [m]."""

_LEAST = 24.0  # a juggler who is smaller at scale 1 is too far away, [pixels]


def place_buttons(
    controller: Controller, layout: Layout
) -> Iterator[tuple[Rectangle, Callable[[Theme, Rectangle], None]]]:
    """Yield the place, [pixels], and the drawing function of each button that has a use now."""
    model = controller.model
    if layout.free.height < 3 * _TALL * layout.scale:
        return
    parts = picture_parts(model, layout)
    left = max(parts[0].area.left, layout.free.left)
    right = parts[0].area.left + parts[0].area.width
    if parts[0].rig.is_manual and not sees_juggler(model, parts[0], layout):
        frame = _place(layout, (left + right) / 2, f"{caption(Action.FRAME)}    {_(_FRAME)}")
        yield frame, lambda look, place: _draw_frame_button(controller, look, place)
    if len(parts) > 1:
        middle = max(part.area.left for part in parts)
        scales = _place(layout, middle, "    ".join(map(_, _SCALES.values())))
        yield scales, lambda look, place: _draw_scale_buttons(model, look, place)


def sees_juggler(model: Model, part: PicturePart, layout: Layout) -> bool:
    """Whether any juggler is in the free part of a picture, and large enough to be found there."""
    juggled, time, _ = part.live.moment(model.playback.clock)
    bodies = juggled.motion.bodies.places(np.array([time]))[0]
    free = layout.free
    points = bodies[:, None, :3] * (1.0, 0.0, 1.0) + _BODY
    for camera, area in part.views:
        place = Rectangle(
            area.left, layout.height - area.bottom - area.height, area.width, area.height
        )
        seen = project_points(points.reshape(-1, 3), camera, place).reshape(
            len(bodies), len(_BODY), 2
        )
        low = max(free.left, place.left), free.top
        high = min(free.right, place.right), free.bottom
        within = np.any(np.all((seen > low) & (seen < high), axis=2), axis=1)
        if np.any(within & (np.ptp(seen, axis=1).max(axis=1) > _LEAST * layout.scale)):
            return True
    return False


def _place(layout: Layout, middle: float, words: str) -> Rectangle:
    """Return the place of a button around a middle, with room for its words, [pixels]."""
    wide = (len(words) * _LETTER + 2 * _PAD) * layout.scale
    tall = _TALL * layout.scale
    return Rectangle(
        round(middle - wide / 2),
        round(layout.free.bottom - _GAP * layout.scale - tall),
        round(wide),
        tall,
    )


def _draw_frame_button(controller: Controller, look: Theme, place: Rectangle) -> None:
    widgets.begin_card("frame", place)
    wide = widgets.key_button_width(look, Action.FRAME, _FRAME)
    x = place.left + (place.width - wide) / 2
    y = place.top + (place.height - look.size(20)) / 2
    widgets.draw_key_button(look, Action.FRAME, _FRAME, x, y, theme.INK, controller.perform)
    imgui.end()


def _draw_scale_buttons(model: Model, look: Theme, place: Rectangle) -> None:
    """Draw both scales beside each other, the present one filled; a click chooses one."""
    widgets.begin_card("scale", place)
    half = place.width / 2
    edge = look.size(3)
    for number, (scale, words) in enumerate(_SCALES.items()):
        left = place.left + number * half
        box = Rectangle(left + edge, place.top + edge, half - 2 * edge, place.height - 2 * edge)
        if widgets.place_button(words, box, term_tip("split scale", words)):
            model.set_value(SPLIT_SCALE, scale)
        on = model.value(SPLIT_SCALE) == scale
        if on or imgui.is_item_hovered():
            widgets.fill_box(look, box, theme.FILL if on else theme.TRACK_HOVERED)
        wide = look.measure(_(words), theme.SMALL, strong=on)[0]
        y = box.middle - look.size(theme.SMALL / 2 + 1)
        look.text(
            left + (half - wide) / 2,
            y,
            _(words),
            theme.ACCENT if on else theme.MUTED,
            theme.SMALL,
            strong=on,
        )
    imgui.end()
