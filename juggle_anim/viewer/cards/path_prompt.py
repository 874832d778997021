"""The prompt over the upper edge of the picture, in which the path of a file is typed."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from juggle_anim.errors import sentence
from juggle_anim.language import _
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.layout import Layout, Rectangle
from juggle_anim.viewer.cards.notice import MARGIN, WIDEST, place_above
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import (
    begin_card,
    draw_field,
    ellipsize,
    fill_box,
    outline_box,
    place_button,
    wrap,
)
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.prompt import PathPrompt
from juggle_anim.viewer.state.terms import term_tip

_HEIGHT = 92.0
_ROW, _ROWS = 24.0, 6  # of recent files
_LINE, _LINES, _HINT_LINES = 17.0, 8, 2  # of what is said below the field


def prompt_place(layout: Layout, prompt: PathPrompt) -> Rectangle:
    """Return where the prompt is drawn, with as many recent files as there is room for, [pixels]."""
    height = _height(prompt)
    room = (layout.free.height / layout.scale - height - 2 * MARGIN - 8) / _ROW
    rows = max(min(len(prompt.recent), _ROWS, int(room)), 0)
    return place_above(layout, height + rows * _ROW + 8 * bool(rows), WIDEST * layout.scale)


def _height(prompt: PathPrompt) -> float:
    """Its height without recent files, at scale 1, [pixels]."""
    return _HEIGHT + (prompt.lines - 1) * _LINE


def draw_prompt(library: LibraryController, look: Theme, place: Rectangle) -> None:
    """Draw the field in which a path is typed, and use the path once it is entered."""
    prompt, inset = library.prompt, look.size(12)
    assert prompt.purpose
    title, accepted = prompt.purpose.value
    begin_card("prompt", place)
    look.text(place.left + inset, place.top + look.size(8), title, theme.INK, strong=True)
    field = Rectangle(place.left + inset, place.top + look.size(30), place.width - 2 * inset, look.size(32))
    fill_box(look, field, theme.FIELD, 8)
    flags = imgui.InputTextFlags_
    done, prompt.text = draw_field(
        look, "path", prompt.text, field, prompt.wants_focus,
        flags=flags.enter_returns_true | flags.callback_completion | flags.callback_history,
        callback=partial(_complete, prompt), tip=term_tip("path"),
    )  # fmt: skip
    prompt.wants_focus = False
    outline_box(look, field, theme.ERROR if prompt.error else theme.ACCENT, 8)
    usual = (
        _("Tab completes; ↑ ↓ or a click for a recent file")
        if prompt.recent
        else _("{accepted}; Tab completes", accepted=sentence(_(accepted)))
    )
    words = prompt.error or prompt.hint or usual
    tint = theme.ERROR if prompt.error else theme.MUTED
    room = place.width - 2 * inset
    # Long lists of names are cut, an error is not: it says what to do.
    most = _LINES if prompt.error else _HINT_LINES
    lines = [part for line in words.split("\n") for part in wrap(look, line, room, most)]
    prompt.lines = min(len(lines), _LINES)
    for row, line in enumerate(lines[:_LINES]):
        look.text(place.left + inset, place.top + look.size(67 + row * _LINE), line, tint, theme.SMALL)
    clicked = _draw_recent(prompt, look, place)
    imgui.end()
    if done or clicked:
        library.apply_prompt(clicked or prompt.text)


def _draw_recent(prompt: PathPrompt, look: Theme, place: Rectangle) -> str:
    """Draw the recent files that fit, the chosen one among them; return the one that was clicked, or nothing."""
    top = _height(prompt)
    rows, clicked = int((place.height / look.scale - top) / _ROW), ""
    first = max(prompt.chosen - rows + 1, 0)
    for row, path in enumerate(prompt.recent[first : first + rows]):
        box = Rectangle(
            place.left + look.size(6), place.top + look.size(top + row * _ROW), place.width - look.size(12),
            look.size(_ROW - 2),
        )  # fmt: skip
        if place_button(f"recent {row}", box, term_tip("recent file", path), stop=False):
            clicked = path
        if first + row == prompt.chosen or imgui.is_item_hovered():
            fill_box(look, box, theme.FILL_CHOSEN if first + row == prompt.chosen else theme.TRACK)
        name, folder = Path(path).name, str(Path(path).parent)
        x, y, room = box.left + look.size(8), box.top + look.size(4), box.width - look.size(16)
        shown = ellipsize(look, name, room, theme.SMALL, strong=True)
        look.text(x, y, shown, theme.INK, theme.SMALL, strong=True)
        wide = look.measure(shown, theme.SMALL, strong=True)[0] + look.size(12)
        if room - wide > look.size(40):
            look.text(x + wide, y, ellipsize(look, folder, room - wide, theme.SMALL), theme.MUTED, theme.SMALL)
    return clicked


def _complete(prompt: PathPrompt, typed: imgui.InputTextCallbackData) -> int:
    """Complete the path, as Tab was pressed, or replace it by a recent one, as an arrow was."""
    text: Any = typed.buf  # a string, whatever the library's annotations say
    if typed.event_flag == imgui.InputTextFlags_.callback_history:
        longer = prompt.choose(-1 if typed.event_key == imgui.Key.up_arrow else 1) if prompt.recent else text
    else:
        longer = prompt.complete(text)
    if longer != text:
        typed.delete_chars(0, typed.buf_text_len)
        typed.insert_chars(0, longer)
    return 0
