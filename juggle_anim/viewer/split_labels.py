"""Labels of a split view: what each half shows, and which of them panel and keys act on."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.fitting import fitted
from juggle_anim.viewer.keycap import draw_keycap
from juggle_anim.viewer.keys import Action, caption
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.picture import LABEL, parts
from juggle_anim.viewer.split import labels
from juggle_anim.viewer.theme import Theme

_TALL, _PAD, _GAP = 26.0, 12.0, 6.0
_CAP = 15.0  # what stands about the name of the key
_LINE = 2.0  # between the halves


def draw_split_labels(model: Model, look: Theme, layout: Layout) -> None:
    """Draw a label over each half, and a line between them, behind all cards; over a single picture, nothing."""
    halves = sorted(part.area.left for part in parts(model, layout))
    if len(halves) < 2:
        return
    _draw_line(look, layout, halves[1])
    ends = halves[1], layout.width
    for half, (left, right, words) in enumerate(zip(halves, ends, labels(model), strict=True)):
        room = Rectangle(left, layout.free.top, right - left, look.size(LABEL))
        _draw_label(look, room, words, half == model.half)


def _draw_line(look: Theme, layout: Layout, middle: int) -> None:
    half = look.size(_LINE) / 2
    draw = imgui.get_background_draw_list()
    top, bottom = layout.free.top, layout.free.bottom
    draw.add_rect_filled((middle - half, top), (middle + half, bottom), theme.MUTED)


def _draw_label(look: Theme, room: Rectangle, words: str, chosen: bool) -> None:
    """The one that is chosen is filled; on the other stands the key that goes there."""
    draw, pad = imgui.get_background_draw_list(), look.size(_PAD)
    key = "" if chosen else caption(Action.OTHER_HALF)
    beside = look.measure(key, theme.SMALL, strong=True)[0] + look.size(_CAP) if key else 0.0
    words = fitted(look, words, room.width - 2 * look.size(_GAP) - 2 * pad - beside, strong=True)
    wide, tall = look.measure(words, theme.TEXT, strong=True)
    left = round(room.left + (room.width - wide - 2 * pad - beside) / 2)
    top, high = round(room.top + look.size(_GAP)), look.size(_TALL)
    low, corner = (left, top), (left + wide + 2 * pad + beside, top + high)
    draw.add_rect_filled(low, corner, theme.ACCENT if chosen else theme.SHEET, high / 2)
    if not chosen:
        draw.add_rect(low, corner, theme.LINE, rounding=high / 2, thickness=look.size(1))
    tint, at = theme.ON_ACCENT if chosen else theme.INK, (left + pad, round(top + (high - tall) / 2))
    draw.add_text(look.strong, look.size(theme.TEXT), at, tint, words)
    if key:
        draw_keycap(look, key, round(corner[0] - beside), top + look.size(3), theme.MUTED, draw)
