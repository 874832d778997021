"""The help: every key and what it does, over the whole window."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.help_pages import packed
from juggle_anim.viewer.keycap import draw_keycap
from juggle_anim.viewer.keys import HELP, Action, caption
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.panel import CARD_FLAGS
from juggle_anim.viewer.theme import Theme

_WIDTH, _LINE, _HEAD, _GAP, _PAD, _FOOT = 292.0, 22.0, 25.0, 11.0, 18.0, 24.0
_MOST = 4  # columns; a wider sheet is slower to read
_KEYS = 118.0  # room for the keys of a line


def draw_key_help(model: Model, look: Theme, layout: Layout) -> None:
    """Draw the help in the middle of the window; a click anywhere closes it."""
    imgui.set_next_window_pos((0, 0))
    imgui.set_next_window_size((layout.width, layout.height))
    imgui.set_next_window_focus()
    flags = CARD_FLAGS | imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_background
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
    imgui.begin("help", None, flags)
    imgui.set_cursor_screen_pos((0, 0))
    if imgui.invisible_button("close", (layout.width, layout.height)):
        model.help_shown = False
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((0, 0), (layout.width, layout.height), theme.VEIL)
    _draw_sheet(model, look, layout)
    imgui.end()
    imgui.pop_style_var()


def _draw_sheet(model: Model, look: Theme, layout: Layout) -> None:
    """A page of the help; a foot tells where there are more."""
    across = min(max(int((layout.width / look.scale - _PAD) / _WIDTH), 1), _MOST)
    room = layout.height / look.scale - 2 * _PAD - _FOOT - 8
    pages = packed(HELP, _height, room, across)
    model.help_pages.count = len(pages)
    columns = pages[min(model.help_pages.page, len(pages) - 1)]
    tallest = max(_height(groups) for page in pages for groups in page)
    foot = _FOOT if len(pages) > 1 else 0.0
    width = look.size(max(map(len, pages)) * _WIDTH + 2 * _PAD)
    height = look.size(tallest + foot + 2 * _PAD)
    left, top = (layout.width - width) / 2, (layout.height - height) / 2
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((left, top), (left + width, top + height), theme.SHEET, look.size(14))
    for number, groups in enumerate(columns):
        _draw_column(look, groups, left + look.size(_PAD + number * _WIDTH), top + look.size(_PAD))
    if foot:
        words = f"{caption(Action.TOGGLE_HELP)}  page {model.help_pages.page + 1} of {len(pages)}"
        look.text(left + look.size(_PAD), top + height - look.size(_PAD + theme.SMALL), words, theme.MUTED, theme.SMALL)


Groups = Sequence[tuple[str, tuple[tuple[tuple[Action, ...] | str, str], ...]]]


def _height(groups: Groups) -> float:
    return sum(_HEAD + _LINE * len(lines) for _, lines in groups) + _GAP * (len(groups) - 1)


def _draw_column(look: Theme, groups: Groups, x: float, y: float) -> None:
    for title, lines in groups:
        look.text(x, y, title, theme.ACCENT, strong=True)
        y += look.size(_HEAD)
        for keys, words in lines:
            _draw_line(look, keys, words, x, y)
            y += look.size(_LINE)
        y += look.size(_GAP)


def _draw_line(look: Theme, keys: tuple[Action, ...] | str, words: str, x: float, y: float) -> None:
    at = x
    if isinstance(keys, str):
        look.text(at, y + look.size(3), keys, theme.INK, theme.SMALL, strong=True)
    else:
        for cap in caps(keys):
            at += draw_keycap(look, cap, at, y) + look.size(4)
    look.text(x + look.size(_KEYS), y + look.size(3), words, theme.MUTED, theme.SMALL)


def caps(actions: tuple[Action, ...]) -> list[str]:
    """Names of the keys of some actions; what all hold down is named once: `Shift ←` and `→`."""
    names = [caption(action).split(" ") for action in actions]
    held = names[0][:-1]
    return [*held, *(name[-1] for name in names)]
