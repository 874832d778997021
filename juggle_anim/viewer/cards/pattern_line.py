"""The pattern line: a siteswap is typed in it, and its errors are shown below it."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from juggle_anim.errors import NotationError, printable, sentence
from juggle_anim.language import N_
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import (
    draw_field,
    draw_keycap,
    ellipsize,
    fill_box,
    outline_box,
    place_button,
)
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.learning.welcome import LINE
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import term_tip

HEIGHT = 38.0
"""The height of the line, at scale 1, [pixels]."""

HINT = N_("Enter juggles it – try 441, (6x,4)*, [34]23")
"""Shown under the line while something is typed."""

_ARROW = " → "
_WIDEST = 60  # characters of a wrong text on either side of its mark


def draw_pattern_line(controller: Controller, look: Theme, place: Rectangle) -> bool:
    """Draw the text field and use what is typed; return whether it is being edited."""
    model = controller.model
    look.spots[LINE] = place
    fill_box(look, place, theme.FIELD, 8)
    edited = (
        controller.library.files.shown.is_edited
        and model.line == model.text
        and not model.live.coming
    )
    if edited and place_button(
        "unsaved", _dot_place(model, look, place), term_tip("unsaved", action=Action.SAVE_FILE)
    ):
        controller.perform(Action.SAVE_FILE)
    editing = _edit(controller, look, place)
    tint = theme.ERROR if model.pattern_error else theme.ACCENT if editing else theme.LINE
    outline_box(look, place, tint, 8)
    transition = () if editing else model.live.transition_texts(model.playback.clock)
    if transition:
        _draw_transition(look, place, transition)
    elif not editing:
        _draw_marks(model, look, place, edited)
    return editing


def draw_pattern_error(model: Model, look: Theme, left: float, top: float, width: float) -> float:
    """Draw what is wrong with the line, with the place marked; return the height it takes,
    [pixels].
    """
    error = model.pattern_error
    inset = look.size(10)
    gap = look.size(5)
    draw = imgui.get_window_draw_list()
    draw.channels_split(2)
    draw.channels_set_current(1)
    room = width - 2 * inset
    y = top + look.size(8)
    if isinstance(error, NotationError):
        y += _write(look, left + inset, y, sentence(error.reason), theme.ERROR, room)
        if error.text:
            y += gap + _mark(look, error, left + inset, y + gap, room)
        if error.accepted:
            y += gap + _write(
                look, left + inset, y + gap, sentence(error.accepted), theme.MUTED, room
            )
    else:
        y += _write(look, left + inset, y, str(error), theme.ERROR, room)
    height = y + look.size(8) - top
    draw.channels_set_current(0)
    fill_box(look, Rectangle(left, top, width, height), theme.ERROR_FILL, 8)
    draw.channels_merge()
    return height


def excerpt(text: str, index: int, fits: Callable[[str], bool]) -> tuple[str, int]:
    """Return a part of a text that fits and holds the character at `index`, and where in the part
    that is.
    """
    # No line is wider, and pasted text may have any length.
    start = max(0, index - _WIDEST)
    end = min(len(text), index + _WIDEST)
    while end - start > 1 and not fits(_dotted(text, start, end)):
        if index - start > end - index:
            start += 1
        else:
            end -= 1
    return _dotted(text, start, end), index - start + (start > 0)


def _dotted(text: str, start: int, end: int) -> str:
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")


def _draw_transition(
    look: Theme, place: Rectangle, transition: tuple[tuple[str, bool], ...]
) -> None:
    """Draw a transition over the pattern: `3 → 4 → 51`, the present one lit."""
    draw = imgui.get_window_draw_list()
    gap = look.size(10)
    inner = Rectangle(
        place.left + look.size(2),
        place.top + look.size(2),
        place.width - look.size(4),
        place.height - look.size(4),
    )
    fill_box(look, inner, theme.FIELD, 6)
    arrow = look.measure(_ARROW, theme.LARGE)[0]
    room = (place.width - 2 * gap - arrow * (len(transition) - 1)) / len(transition)
    x = place.left + gap
    y = place.top + (place.height - look.size(theme.LARGE)) / 2 - look.size(2)
    draw.push_clip_rect(inner.low, inner.high, True)
    for number, (words, present) in enumerate(transition):
        if number:
            look.text(x, y, _ARROW, theme.MUTED, theme.LARGE)
            x += arrow
        fitted = ellipsize(look, words, room, theme.LARGE, strong=True)
        look.text(x, y, fitted, theme.ACCENT if present else theme.MUTED, theme.LARGE, strong=True)
        x += look.measure(fitted, theme.LARGE, strong=True)[0]
    draw.pop_clip_rect()


def _room(model: Model, look: Theme, place: Rectangle) -> float:
    """Return how much room the text leaves before the key that leads to the line, [pixels]."""
    left = place.right - look.size(28)
    return (
        left
        - place.left
        - 2 * look.size(10)
        - look.measure(model.line, theme.LARGE, strong=True)[0]
    )


def _dot_place(model: Model, look: Theme, place: Rectangle) -> Rectangle:
    """Return where the dot of unsaved changes is, with room for the mouse, [pixels]."""
    middle = place.right - look.size(8 if _room(model, look, place) <= 0 else 37)
    side = look.size(16)
    return Rectangle(middle - side / 2, place.middle - side / 2, side, side)


def _draw_marks(model: Model, look: Theme, place: Rectangle, edited: bool) -> None:
    """Draw a dot if there are unsaved changes, and the key that leads to the line, if the text
    leaves room.
    """
    left = place.right - look.size(28)
    room = _room(model, look, place)
    if edited:
        spot = _dot_place(model, look, place)
        draw = imgui.get_window_draw_list()
        dot = spot.left + spot.width / 2
        if room <= 0:
            # The text runs on below it.
            left = dot - look.size(7)
            fill_box(
                look, Rectangle(left, place.top, place.right - left, place.height), theme.FIELD, 8
            )
            outline_box(look, place, theme.ERROR if model.pattern_error else theme.LINE, 8)
        draw.add_circle_filled((dot, place.middle), look.size(3.5), theme.ACCENT)
    if room > 0:
        draw_keycap(
            look,
            caption(Action.EDIT_PATTERN),
            left,
            place.top + (place.height - look.size(20)) / 2,
            theme.MUTED,
        )


def _edit(controller: Controller, look: Theme, place: Rectangle) -> bool:
    model = controller.model
    flags = imgui.InputTextFlags_.enter_returns_true
    if model.pattern_error is None:
        # As in the address bar of a browser: typing replaces the pattern, but edits one that was
        # refused.
        flags |= imgui.InputTextFlags_.auto_select_all
    wanted = model.line_wants_focus
    model.line_wants_focus = False
    done, model.line = draw_field(
        look,
        "pattern",
        model.line,
        place,
        wanted,
        "a siteswap",
        int(flags),
        theme.LARGE,
        strong=True,
        tip=term_tip("pattern"),
    )
    editing = imgui.is_item_active()
    if done and not controller.library.open_text(model.line):
        model.line_wants_focus = True
    elif imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
        model.drop_pattern()
    return editing


def _mark(look: Theme, error: NotationError, left: float, top: float, room: float) -> float:
    """Write the text with a mark under the place of the error; return the height, [pixels]."""
    shown, at = excerpt(
        printable(error.text, None),
        error.index,
        lambda words: look.measure(words, strong=True)[0] <= room,
    )
    look.text(left, top, shown, strong=True)
    before = look.measure(shown[:at], strong=True)[0]
    wide = look.measure(shown[at : at + 1] or " ", strong=True)[0]
    low = top + look.size(theme.TEXT + 4)
    middle = left + before + wide / 2
    half = look.size(4)
    tall = look.size(6)
    draw = imgui.get_window_draw_list()
    draw.add_triangle_filled(
        (middle, low), (middle + half, low + tall), (middle - half, low + tall), theme.ERROR
    )
    return look.size(theme.TEXT + 11)


def _write(look: Theme, left: float, top: float, words: str, tint: int, room: float) -> float:
    look.text(left, top, words, tint, theme.SMALL, wrap=room)
    return look.measure(words, theme.SMALL, wrap=room)[1]
