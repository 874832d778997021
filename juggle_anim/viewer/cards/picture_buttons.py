"""Buttons over the picture: back to the jugglers, scales of a split view, and hidden panels."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import Card, Frame, draw_text, measure, px
from juggle_anim.viewer.layout import Layout, Rectangle, project_points
from juggle_anim.viewer.panel.controls import OWN, SAME, SPLIT_SCALE
from juggle_anim.viewer.picture_parts import PicturePart, picture_parts
from juggle_anim.viewer.state.keymap import Action, caption, term_tip
from juggle_anim.viewer.state.model import Model

# Sizes of the card at scale 1, [pixels].
_BUTTON_HEIGHT = 30.0
_GAP = 10.0
_PAD = 10.0
# of the button that shows panels, and from the corner of the window
_PANELS_WIDTH = 112.0
_PANELS_HEIGHT = 36.0
_MARGIN = 14.0
_CORNER_SIZE = 150.0
_LETTER_WIDTH = 8.5  # about the width of one, before fonts are there
_FRAME_WORDS = N_("Fit")
_SCALES = {SAME: N_("Same scale"), OWN: N_("Fit each")}
_BODY_POINTS = np.array(
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

_MIN_BODY_SIZE = 24.0  # a juggler who is smaller at scale 1 is too far away, [pixels]


class FrameButton(Card):
    """Button that leads the camera back to the jugglers, where none is seen."""

    name = "frame"

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place of the button that frames the jugglers again, [pixels].

        It is at the bottom of the first picture, in its middle. None if there is no room, or if the
        button would be of no use: the camera frames the jugglers by itself, or one of them is seen.

        Args:
            frame: the controller, its model and the layout of the window.
        """
        layout = frame.layout
        if not _has_room(layout):
            return None
        part = picture_parts(frame.model, layout)[0]
        if not part.rig.is_manual or sees_juggler(frame.model, part, layout):
            return None
        # A picture may begin under the panel.
        left = max(part.area.left, layout.free.left)
        right = part.area.left + part.area.width
        return _button_place(
            layout, (left + right) / 2, f"{caption(Action.FRAME)}    {_(_FRAME_WORDS)}"
        )

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the button."""
        ui.begin_card(self.name, place)
        button_width = ui.key_button_width(Action.FRAME, _FRAME_WORDS)
        x = place.centre - button_width / 2
        y = place.middle - px(20) / 2
        ui.draw_key_button(
            Action.FRAME, _FRAME_WORDS, x, y, tint=ui.INK, perform=frame.controller.perform
        )
        imgui.end()


class ScaleButtons(Card):
    """Buttons that choose one scale for both halves of a split view, or one for each."""

    name = "scale"

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place in the middle between both halves, [pixels]."""
        if not _has_room(frame.layout):
            return None
        parts = picture_parts(frame.model, frame.layout)
        if len(parts) < 2:
            return None
        middle = max(part.area.left for part in parts)
        return _button_place(frame.layout, middle, "    ".join(map(_, _SCALES.values())))

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw both scales beside each other, the present one filled; a click chooses one.

        The scale says whether both halves of a split view show jugglers equally large ("Same
        scale") or each as large as it fits ("Fit each").

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        model = frame.model
        ui.begin_card(self.name, place)
        half = place.width / 2
        edge = px(3)
        for index, (scale, words) in enumerate(_SCALES.items()):
            left = place.left + index * half
            box = Rectangle(left + edge, place.top + edge, half - 2 * edge, place.height - 2 * edge)
            if ui.place_button(words, box, term_tip("split scale", words)):
                model.set_value(SPLIT_SCALE, scale)
            is_present = model.value(SPLIT_SCALE) == scale
            if is_present or imgui.is_item_hovered():
                ui.fill_box(box, ui.FILL if is_present else ui.TRACK_HOVERED)
            label = _(words)
            label_width = measure(label, strong=is_present).width
            x = left + (half - label_width) / 2
            y = ui.line_top(box)
            tint = ui.ACCENT if is_present else ui.MUTED
            draw_text(x, y, label, tint, strong=is_present)
        imgui.end()


class PanelsButton(Card):
    """Button that shows hidden panels again, while the mouse is near their corner."""

    name = "show panels"

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place in the lower left corner, [pixels]; None while the mouse is away."""
        layout = frame.layout
        side = _CORNER_SIZE * layout.scale
        corner = Rectangle(0.0, layout.height - side, side, side)
        if layout.panel or not corner.covers(*frame.mouse):
            return None
        margin = _MARGIN * layout.scale
        height = _PANELS_HEIGHT * layout.scale
        top = layout.height - margin - height
        return Rectangle(margin, top, _PANELS_WIDTH * layout.scale, height)

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the button."""
        ui.begin_card(self.name, place)
        x = place.left + px(10)
        y = place.top + px(8)
        ui.draw_key_button(
            Action.TOGGLE_PANEL, N_("Panels"), x, y, tint=None, perform=frame.controller.perform
        )
        imgui.end()


def _has_room(layout: Layout) -> bool:
    """Return whether the free part of the window is high enough for buttons over the picture."""
    return layout.free.height >= 3 * _BUTTON_HEIGHT * layout.scale


def sees_juggler(model: Model, part: PicturePart, layout: Layout) -> bool:
    """Return whether any juggler is in the free part of a picture, and large enough to be found.

    If not, a button is shown that frames the jugglers again.

    Args:
        model: the model with the present time.
        part: the picture; in stereo it has two views, of which one is enough.
        layout: layout of the window.
    """
    juggled, time, _ = part.live.moment(model.playback.clock)
    # Some points of each juggler, shape (jugglers, points, 3), [m], world frame: offsets from the
    # point of the floor below the body.
    bodies = juggled.motion.bodies.places(np.array([time]))[0]
    floor = bodies[:, :3] * (1.0, 0.0, 1.0)
    points = floor[:, None] + _BODY_POINTS
    free = layout.free
    for camera, area in part.views:
        place = layout.place_of(area)
        seen = project_points(points.reshape(-1, 3), camera, place)
        seen = seen.reshape(len(bodies), len(_BODY_POINTS), 2)

        # A juggler is seen if any of the points is in the part of the picture that no card covers,
        # and if the points are far enough apart in the picture.
        low = max(free.left, place.left), free.top
        high = min(free.right, place.right), free.bottom
        is_within = np.any(np.all((seen > low) & (seen < high), axis=2), axis=1)
        # [pixels]; NaN if any point is behind the camera, which compares as too small below.
        extent = np.ptp(seen, axis=1).max(axis=1)
        if np.any(is_within & (extent > _MIN_BODY_SIZE * layout.scale)):
            return True
    return False


def _button_place(layout: Layout, middle: float, words: str) -> Rectangle:
    """Return the place of a button at the lower edge of the free part of the window, [pixels].

    Args:
        layout: layout of the window: its scale, and `free`, the part that no card covers.
        middle: x of the button's middle, [pixels].
        words: words on the button; their width is estimated from their number of letters, as fonts
            are not loaded yet when cards are placed.
    """
    # At scale 1, [pixels]: the width of a letter, the room beside the words, and the gap between a
    # button and the lower edge.
    width = (len(words) * _LETTER_WIDTH + 2 * _PAD) * layout.scale
    height = _BUTTON_HEIGHT * layout.scale
    return Rectangle(
        round(middle - width / 2),
        round(layout.free.bottom - _GAP * layout.scale - height),
        round(width),
        height,
    )
