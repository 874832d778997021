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

_TITLE = 20.0
_TEXT = 15.0
_WIDE = 300.0
_PAD = 18.0
_GAP = 22.0
_ROUND = 12.0
_AROUND = 5.0
_DOT = 3.5
_STEP = 14.0
_LEAVE = N_("Any key or a click ends this look around")
_GO_ON = N_("Enter goes on; any other key or a click ends this")


class WelcomeCard(Card):
    """The present stop of the welcome tour, over all cards."""

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the stop; nothing where that what it points at is not drawn."""
        welcome = frame.controller.welcome
        layout = frame.layout
        stop = STOPS[welcome.number]
        target = look.spots.get(stop.target)
        if target is None:
            return
        if welcome.number and welcome.is_moving and welcome.since < GLIDE:
            before = look.spots.get(STOPS[welcome.number - 1].target, target)
            target = _between(before, target, welcome.since / GLIDE)
        around = look.size(_AROUND)
        hole = Rectangle(
            target.left - around,
            target.top - around,
            target.width + 2 * around,
            target.height + 2 * around,
        )
        draw = imgui.get_foreground_draw_list()
        _dim(draw, hole, layout)
        outline_box(look, hole, theme.ACCENT, 3, 2.5, draw)
        _draw_words(welcome, look, draw, hole, layout)


def _between(one: Rectangle, other: Rectangle, share: float) -> Rectangle:
    """Return a rectangle on the way from one to another, slow at both ends."""
    eased = share * share * (3 - 2 * share)
    pairs = zip((*one.low, *one.size), (*other.low, *other.size), strict=True)
    left, top, width, height = (a + eased * (b - a) for a, b in pairs)
    return Rectangle(left, top, width, height)


def _dim(draw: Any, hole: Rectangle, layout: Layout) -> None:
    """Dim all but a place."""
    wide = float(layout.width)
    high = float(layout.height)
    draw.add_rect_filled((0.0, 0.0), (wide, hole.top), theme.VEIL)
    draw.add_rect_filled((0.0, hole.bottom), (wide, high), theme.VEIL)
    draw.add_rect_filled((0.0, hole.top), (hole.left, hole.bottom), theme.VEIL)
    draw.add_rect_filled((hole.right, hole.top), (wide, hole.bottom), theme.VEIL)


def _draw_words(welcome: Welcome, look: Theme, draw: Any, hole: Rectangle, layout: Layout) -> None:
    """Draw the box of words, pointing at a place beside or below it."""
    stop = STOPS[welcome.number]
    pad = look.size(_PAD)
    edge = layout.panel.right if layout.panel else hole.right
    gap = look.size(_GAP)
    margin = look.size(12)
    # Something that reaches the edge of the panel is explained beside it, anything else above it.
    beside = hole.right > edge - 2 * gap
    left = max(hole.right, edge) + gap if beside else max(hole.left, margin)
    wide = min(look.size(_WIDE), layout.width - left - margin)
    room = wide - 2 * pad
    hint = _(_GO_ON) if welcome.still else _(_LEAVE)
    title = look.measure(stop.title, _TITLE, strong=True)[1]
    text = look.measure(stop.text, _TEXT, wrap=room)[1]
    high = (
        2 * pad
        + title
        + text
        + look.measure(hint, theme.SMALL, wrap=room)[1]
        + look.size(8 + 16 + 22)
    )
    top = hole.middle - high / 2 if beside else hole.top - gap - high
    top = min(max(top, margin), layout.height - high - margin)
    box = Rectangle(round(left), round(top), wide, high)
    fill_box(look, box, theme.SHEET, _ROUND, draw)
    _draw_point(look, draw, hole, box, beside)
    x = round(box.left + pad)
    y = box.top + pad
    draw.add_text(look.strong, look.size(_TITLE), (x, round(y)), theme.INK, stop.title)
    y += title + look.size(8)
    draw.add_text(look.medium, look.size(_TEXT), (x, round(y)), theme.INK, stop.text, room)
    y += text + look.size(16)
    # A dot for each stop of the look around.
    for number in range(len(STOPS)):
        tint = theme.ACCENT if number == welcome.number else theme.GROOVE
        draw.add_circle_filled(
            (x + look.size(_DOT + number * _STEP), y + look.size(5)), look.size(_DOT), tint
        )
    draw.add_text(
        look.medium, look.size(theme.SMALL), (x, round(y + look.size(22))), theme.MUTED, hint, room
    )


def _draw_point(look: Theme, draw: Any, hole: Rectangle, box: Rectangle, beside: bool) -> None:
    """Draw what leads from a box to a place."""
    size = look.size(9)
    thick = look.size(2)
    if beside:
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
