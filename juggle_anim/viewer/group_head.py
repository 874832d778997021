"""The head of a group in the panel: folds and unfolds it, and tells how many of its knobs were turned."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.parameters import Group
from juggle_anim.viewer import theme
from juggle_anim.viewer.card import place_button
from juggle_anim.viewer.knobs import KNOBS
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.theme import Theme

HEIGHT = 26.0
"""Of a head, at scale 1, [pixels]."""


def draw_group_head(model: Model, look: Theme, group: Group, place: Rectangle) -> None:
    """Draw a head and fold or unfold its group where it is clicked."""
    if place_button(f"group {group.value}", place):
        model.choose(group)
        model.listing.toggle(group)
    draw, low, high = imgui.get_window_draw_list(), place.low, place.high
    if imgui.is_item_hovered():
        draw.add_rect_filled(low, high, theme.TRACK, look.size(7))
    if model.chosen is group:
        draw.add_rect(low, high, theme.ACCENT, rounding=look.size(7), thickness=look.size(1.5))
    middle = place.top + place.height / 2
    _draw_arrow(look, place.left + look.size(10), middle, group in model.listing.folded and not model.listing.sought)
    top = middle - look.size(theme.SMALL / 2 + 1)
    look.text(place.left + look.size(20), top, group.value, theme.MUTED, theme.SMALL, strong=True)
    words = turned(model, group)
    right = place.right - look.size(10) - look.measure(words, theme.SMALL, strong=True)[0]
    look.text(right, top, words, theme.ACCENT, theme.SMALL, strong=True)


def turned(model: Model, group: Group) -> str:
    """How many knobs of a group are not at their defaults: `2 changed`, or nothing."""
    count = sum(not model.is_default(row) for row in KNOBS if row.group is group)
    return f"{count} changed" if count else ""


def _draw_arrow(look: Theme, x: float, y: float, folded: bool) -> None:
    draw, long, half = imgui.get_window_draw_list(), look.size(4), look.size(4)
    if folded:
        draw.add_triangle_filled((x - long / 2, y - half), (x + long, y), (x - long / 2, y + half), theme.MUTED)
    else:
        draw.add_triangle_filled((x - half, y - long / 2), (x + half, y - long / 2), (x, y + long), theme.MUTED)
