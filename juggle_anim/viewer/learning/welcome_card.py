"""The card of the first look around: one thing is lit and explained."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.registry import Card, Frame
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import fill_box, outline_box
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.learning.welcome import GLIDE, STOPS, Welcome

_TITLE_SIZE = 20.0
_TEXT_SIZE = 15.0
_BOX_WIDTH = 300.0
_BOX_PADDING = 18.0
_POINTER_LENGTH = 22.0
_CORNER_RADIUS = 12.0
_FRAME_MARGIN = 5.0
_DOT_RADIUS = 3.5
_DOT_DISTANCE = 14.0
_LEAVE = N_("Press any key or click to close the tour")
_GO_ON = N_("Press Enter to continue, any other key to close")


class WelcomeCard(Card):
    """The present stop of the welcome tour, over all cards."""

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Dim the window except for what the present stop points at, and draw its words.

        Nothing is drawn if the target is not in the window now.

        Args:
            frame: with the controller and the layout.
            look: fonts and colours, and the places of targets in this frame.
            place: not needed, as the stop is drawn over the whole window.
        """
        welcome = frame.controller.welcome
        layout = frame.layout
        stop = STOPS[welcome.number]
        target = look.spots.get(stop.target)
        if target is None:
            return
        # Glide over from the target of the stop before.
        if welcome.number and welcome.is_moving and welcome.since < GLIDE:
            before = look.spots.get(STOPS[welcome.number - 1].target, target)
            target = _eased_rectangle(before, target, welcome.since / GLIDE)
        margin = look.size(_FRAME_MARGIN)
        hole = Rectangle(
            target.left - margin,
            target.top - margin,
            target.width + 2 * margin,
            target.height + 2 * margin,
        )
        draw = imgui.get_foreground_draw_list()
        _dim_around(draw, hole, layout)
        outline_box(look, hole, theme.ACCENT, rounding=3, thickness=2.5, draw=draw)
        _draw_words(welcome, look, draw, hole, layout)


def _eased_rectangle(start: Rectangle, end: Rectangle, share: float) -> Rectangle:
    """Interpolate between two rectangles, slowly at both ends (smoothstep); `share` is 0 to 1."""
    eased = share * share * (3 - 2 * share)
    pairs = zip((*start.low, *start.size), (*end.low, *end.size), strict=True)
    left, top, width, height = (first + eased * (last - first) for first, last in pairs)
    return Rectangle(left, top, width, height)


def _dim_around(draw: Any, hole: Rectangle, layout: Layout) -> None:
    """Dim the window around a hole."""
    width = float(layout.width)
    height = float(layout.height)
    draw.add_rect_filled((0.0, 0.0), (width, hole.top), theme.VEIL)
    draw.add_rect_filled((0.0, hole.bottom), (width, height), theme.VEIL)
    draw.add_rect_filled((0.0, hole.top), (hole.left, hole.bottom), theme.VEIL)
    draw.add_rect_filled((hole.right, hole.top), (width, hole.bottom), theme.VEIL)


def _draw_words(welcome: Welcome, look: Theme, draw: Any, hole: Rectangle, layout: Layout) -> None:
    """Draw the box of words of the present stop, pointing at its target beside or below it.

    Args:
        welcome: with the present stop.
        look: fonts, colours and sizes.
        draw: imgui's draw list.
        hole: the target with a margin, [pixels].
        layout: of the window, which the box does not leave.
    """
    stop = STOPS[welcome.number]
    pad = look.size(_BOX_PADDING)
    panel_right = layout.panel.right if layout.panel else hole.right
    gap = look.size(_POINTER_LENGTH)
    margin = look.size(12)
    # Something that reaches the edge of the panel is explained beside it, anything else above it.
    is_beside = hole.right > panel_right - 2 * gap
    left = max(hole.right, panel_right) + gap if is_beside else max(hole.left, margin)
    box_width = min(look.size(_BOX_WIDTH), layout.width - left - margin)
    text_width = box_width - 2 * pad
    hint = _(_GO_ON) if welcome.waits_for_keys else _(_LEAVE)
    title_height = look.measure(stop.title, _TITLE_SIZE, strong=True).height
    text_height = look.measure(stop.text, _TEXT_SIZE, wrap=text_width).height
    # As high as title, text, dots and hint need, with gaps between them.
    box_height = (
        2 * pad
        + title_height
        + text_height
        + look.measure(hint, theme.SMALL, wrap=text_width).height
        + look.size(8 + 16 + 22)
    )
    top = hole.middle - box_height / 2 if is_beside else hole.top - gap - box_height
    top = min(max(top, margin), layout.height - box_height - margin)
    # Text on whole pixels is sharp.
    box = Rectangle(round(left), round(top), box_width, box_height)
    fill_box(look, box, theme.SHEET, rounding=_CORNER_RADIUS, draw=draw)
    _draw_pointer(look, draw, hole, box, is_beside=is_beside)
    x = round(box.left + pad)
    y = box.top + pad
    draw.add_text(look.strong, look.size(_TITLE_SIZE), (x, round(y)), theme.INK, stop.title)
    y += title_height + look.size(8)
    draw.add_text(
        look.medium, look.size(_TEXT_SIZE), (x, round(y)), theme.INK, stop.text, text_width
    )
    y += text_height + look.size(16)
    # A dot for each stop of the look around.
    for number in range(len(STOPS)):
        tint = theme.ACCENT if number == welcome.number else theme.GROOVE
        draw.add_circle_filled(
            (x + look.size(_DOT_RADIUS + number * _DOT_DISTANCE), y + look.size(5)),
            look.size(_DOT_RADIUS),
            tint,
        )
    draw.add_text(
        look.medium,
        look.size(theme.SMALL),
        (x, round(y + look.size(22))),
        theme.MUTED,
        hint,
        text_width,
    )


def _draw_pointer(
    look: Theme, draw: Any, hole: Rectangle, box: Rectangle, *, is_beside: bool
) -> None:
    """Draw a triangle at the edge of a box, and a line from it to a target.

    Args:
        look: sizes.
        draw: imgui's draw list.
        hole: the target, [pixels].
        box: the box of words, [pixels].
        is_beside: whether the target is at the left of the box, rather than below it.
    """
    size = look.size(9)
    thick = look.size(2)
    if is_beside:
        y = min(max(hole.middle, box.top + 2 * size), box.bottom - 2 * size)
        draw.add_triangle_filled(
            (box.left - size, y), (box.left + 1, y - size), (box.left + 1, y + size), theme.SHEET
        )
        draw.add_line((hole.right, hole.middle), (box.left - size + 1, y), theme.SHEET, thick)
    else:
        x = min(max(hole.left + hole.width / 2, box.left + 2 * size), box.right - 2 * size)
        low = box.bottom - 1
        draw.add_triangle_filled((x - size, low), (x, low + size), (x + size, low), theme.SHEET)
        draw.add_line((x, low + size), (x, hole.top), theme.SHEET, thick)
