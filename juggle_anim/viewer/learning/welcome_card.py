"""The card of the welcome tour: one thing is lit and explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import imgui

from juggle_anim.language import N_
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    NOWHERE,
    Card,
    Frame,
    draw_text,
    fill_box,
    measure,
    outline_box,
    px,
)
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.learning.welcome import STOPS, Welcome
from juggle_anim.viewer.state.keymap import NO_TIP

_TITLE_SIZE = 20.0
_TEXT_SIZE = 15.0
_BOX_WIDTH = 300.0
_BOX_PADDING = 18.0
_POINTER_LENGTH = 22.0
_CORNER_RADIUS = 12.0
_RISE = 3.0  # of the line above a target that it leaves at the top
_FRAME_MARGIN = 5.0
_DOT_RADIUS = 3.5
_DOT_DISTANCE = 14.0
_BUTTON_HEIGHT = 28.0
_BUTTON_WIDTH = 74.0
_BUTTON_GAP = 6.0
_GAP_BELOW_TITLE = 8.0
_GAP_BELOW_TEXT = 14.0  # above the buttons


class WelcomeCard(Card):
    """The present stop of the welcome tour, over all cards."""

    name = "welcome"

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place of its words, [pixels], where it takes the mouse."""
        return frame.controller.welcome.box or NOWHERE

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw a frame around the target of the present stop of the tour, and its words.

        The target is a part of the window that the words explain. Nothing is drawn if it is not
        shown now: then no card has noted its place in `ui.spots` in this frame.

        Args:
            frame: the frame with the controller and the layout.
            place: not needed, as it follows from the place of the target.
        """
        welcome = frame.controller.welcome
        target = ui.spots.get(STOPS[welcome.number].target)
        if target is None:
            return
        lit = target.inset(-px(_FRAME_MARGIN))
        draw = imgui.get_foreground_draw_list()
        outline_box(lit, ui.ACCENT, rounding=3, thickness=2.5, draw=draw)
        _draw_words(welcome, draw, lit, frame.layout)


def _draw_words(welcome: Welcome, draw: Any, lit: Rectangle, layout: Layout) -> None:
    """Draw the box with the words of the present stop of the tour, and a line to its target.

    The box is right of the panel, in one place and of one size for all stops, so that its buttons
    stay under the mouse. It is at the bottom of the picture, where it hides least of the jugglers.

    Args:
        welcome: the tour with the present stop; its `box` is set to the place of the box.
        draw: imgui's draw list, for the line.
        lit: the target with a margin, [pixels].
        layout: layout of the window, which the box does not leave.
    """
    stop = STOPS[welcome.number]
    pad = px(_BOX_PADDING)
    panel_right = layout.panel.right if layout.panel else lit.right
    margin = px(12)
    left = panel_right + px(_POINTER_LENGTH)
    box_width = min(px(_BOX_WIDTH), layout.width - left - margin)
    text_width = box_width - 2 * pad
    title_height = measure(stop.title, _TITLE_SIZE, strong=True).height
    # The text of any stop fits.
    text_height = max(
        measure(any_stop.text, _TEXT_SIZE, wrap=text_width).height for any_stop in STOPS
    )
    words_height = title_height + px(_GAP_BELOW_TITLE) + text_height + px(_GAP_BELOW_TEXT)
    box_height = words_height + px(_BUTTON_HEIGHT) + 2 * pad
    top = max(layout.free.bottom - box_height - margin, margin)
    # Text on whole pixels is sharp.
    box = Rectangle(round(left), round(top), round(box_width), round(box_height))
    welcome.box = box
    ui.begin_cover("welcome", box)
    fill_box(box, ui.SHEET, edge=ui.ACCENT, rounding=_CORNER_RADIUS)
    x = box.left + pad
    y = box.top + pad
    draw_text(x, y, stop.title, ui.INK, _TITLE_SIZE, strong=True)
    y += title_height + px(_GAP_BELOW_TITLE)
    draw_text(x, y, stop.text, ui.INK, _TEXT_SIZE, wrap=text_width)
    y += text_height + px(_GAP_BELOW_TEXT)
    _draw_buttons(welcome, Rectangle(x, y, text_width, px(_BUTTON_HEIGHT)))
    ui.end_cover()
    _draw_pointer(draw, lit, box, panel_right)


def _draw_buttons(welcome: Welcome, place: Rectangle) -> None:
    """Draw a dot for each stop, and the buttons: Skip, Back, Next, or Done at the last stop.

    Each has the same place at all stops; the first stop has no Back, and the last one no Skip.

    Args:
        welcome: the tour; `number` is the index of its present stop in `STOPS`, and `go_on` moves
            on by one stop or by a given number of them.
        place: row for dots, from its left edge, and buttons, from its right edge, [pixels].
    """
    draw = imgui.get_window_draw_list()
    radius = px(_DOT_RADIUS)
    for stop_index in range(len(STOPS)):
        is_present = stop_index == welcome.number
        tint = ui.ACCENT if is_present else ui.GROOVE
        x = place.left + radius + px(stop_index * _DOT_DISTANCE)
        draw.add_circle_filled((x, place.middle), radius, tint)
    is_first = welcome.number == 0
    is_last = welcome.number == len(STOPS) - 1
    # Name for imgui, words, handler, and whether there is such a button, from right to left.
    buttons: list[tuple[str, str, Callable[[], object], bool]] = [
        ("next", N_("Done") if is_last else N_("Next"), welcome.go_on, True),
        ("back", N_("Back"), lambda: welcome.go_on(-1), not is_first),
        ("skip", N_("Skip"), welcome.leave, not is_last),
    ]
    gap = px(_BUTTON_GAP)
    # Buttons share what dots and gaps leave, where that is less than their usual width.
    room = place.width - px(len(STOPS) * _DOT_DISTANCE) - (len(buttons) - 1) * gap
    width = min(px(_BUTTON_WIDTH), room / len(buttons))
    right = place.right
    for name, words, act, is_there in buttons:
        button = Rectangle(round(right - width), place.top, round(width), place.height)
        if is_there and ui.draw_word_button(name, words, button, NO_TIP, lit=name == "next"):
            act()
        right -= width + gap


def _draw_pointer(draw: Any, lit: Rectangle, box: Rectangle, panel_right: float) -> None:
    """Draw a line from a target in the panel to a box beside the panel, with a triangle at the box.

    The line runs up or down in the gap between panel and box. It leaves the target at the right, or
    at the top if the panel has other things to the right of the target.

    Args:
        draw: imgui's draw list.
        lit: place of the target with a margin, [pixels].
        box: place of the box, [pixels].
        panel_right: right edge of the panel, [pixels].
    """
    size = px(9)  # of the triangle: its length, and half its height
    gap = px(_POINTER_LENGTH)
    # From the target, the line goes to the gap at the height `start_y`.
    if lit.right > panel_right - 2 * gap:  # nothing is beside the target
        start_y = lit.middle
        corners = [(lit.right, start_y)]
    else:
        start_y = lit.top - px(_RISE)
        middle_x = lit.centre
        corners = [(middle_x, lit.top), (middle_x, start_y)]
    # In the gap it goes to the height of the triangle, which keeps away from corners of the box.
    gap_x = panel_right + (gap - size) / 2
    tip_y = min(max(start_y, box.top + 2 * size), box.bottom - 2 * size)
    corners += [(gap_x, start_y), (gap_x, tip_y), (box.left - size + 1, tip_y)]
    points = [imgui.ImVec2(*corner) for corner in corners]
    draw.add_polyline(points, ui.ACCENT, flags=0, thickness=px(2))
    tip = (box.left - size, tip_y)
    upper = (box.left + 1, tip_y - size)
    lower = (box.left + 1, tip_y + size)
    draw.add_triangle_filled(tip, upper, lower, ui.ACCENT)
