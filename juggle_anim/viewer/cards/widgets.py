"""Widgets that all cards share: boxes, fields, buttons, keycaps, tabs, lists, text that fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from imgui_bundle import imgui

from juggle_anim.language import _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.focus import focus
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.terms import Tip, action_tip, term_tip

TITLE_SIZE = 16.0
"""Size of the letters of a card's title, at scale 1, [pixels]."""

TITLE_HEIGHT = 27.0
"""Height of a card's title with the gap below it, at scale 1, [pixels]."""

# Sizes at scale 1, [pixels].
_FADE_HEIGHT = 26.0
_RGB_MASK = 0xFFFFFF
_MAX_CHARACTERS = 400  # of a text in a line; no line is wider

_CARD_FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav
    # or a card that comes along takes the keyboard from a field
    | imgui.WindowFlags_.no_focus_on_appearing
)  # the layout places cards


def begin_card(name: str, place: Rectangle, flags: int = imgui.WindowFlags_.no_scrollbar) -> None:
    """Begin a card in a place, [pixels]; `imgui.end` ends it."""
    imgui.set_next_window_pos(place.low)
    imgui.set_next_window_size(place.size)
    imgui.begin(name, None, _CARD_FLAGS | flags)
    focus.begin_card(name)


def fill_box(
    look: Theme, place: Rectangle, tint: int, rounding: float = 7.0, draw: Any = None
) -> None:
    """Fill a box in a place, [pixels], with a corner radius at scale 1."""
    (draw or imgui.get_window_draw_list()).add_rect_filled(
        place.low, place.high, tint, look.size(rounding)
    )


def outline_box(
    look: Theme,
    place: Rectangle,
    tint: int,
    rounding: float = 7.0,
    thickness: float = 1.5,
    draw: Any = None,
) -> None:
    """Draw the edge of a box, [pixels], with corner radius and thickness at scale 1."""
    draw = draw or imgui.get_window_draw_list()
    radius = look.size(rounding)
    draw.add_rect(place.low, place.high, tint, rounding=radius, thickness=look.size(thickness))


def draw_tooltip_box(look: Theme, place: Rectangle) -> Any:
    """Draw the box of a tooltip over all cards, [pixels]; return the draw list for its content."""
    focus.is_explained = True
    draw = imgui.get_foreground_draw_list()
    fill_box(look, place, theme.SHEET, 6, draw)
    outline_box(look, place, theme.FAINT, 6, 1, draw)
    return draw


def draw_tooltip(
    look: Theme,
    lines: Sequence[tuple[str, str]],
    paper: Rectangle,
    mouse: tuple[float, float],
    above: bool = False,
) -> None:
    """Draw lines of strong and then muted words beside the mouse, or above it."""
    gap = look.measure("  ", theme.SMALL)[0]
    wide = max(
        look.measure(words, theme.SMALL, strong=True)[0]
        + gap * bool(words)
        + look.measure(times, theme.SMALL)[0]
        for words, times in lines
    )
    pad = look.size(8)
    tall = look.size(18) * len(lines)
    left = min(max(mouse[0] + look.size(12), paper.left), paper.right - wide - 2 * pad)
    below = mouse[1] + look.size(18)
    top = (
        below
        if below + tall + pad < paper.bottom and not above
        else mouse[1] - look.size(14) - tall - pad
    )
    top += look.size(10) * above
    draw = draw_tooltip_box(look, Rectangle(left, top, wide + 2 * pad, tall + pad))
    for number, (words, times) in enumerate(lines):
        y = top + pad / 2 + look.size(18) * number + look.size(2)
        small = look.size(theme.SMALL)
        draw.add_text(look.strong, small, (round(left + pad), round(y)), theme.INK, _(words))
        across = look.measure(words, theme.SMALL, strong=True)[0] + gap * bool(words)
        draw.add_text(
            look.medium, small, (round(left + pad + across), round(y)), theme.MUTED, _(times)
        )


def place_button(name: str, place: Rectangle, tip: Tip | None = None, stop: bool = True) -> bool:
    """Make a place a button, imgui's last item.

    Args:
        name: of the button in its card.
        place: in the window, [pixels].
        tip: what explains it; `NO_TIP` for what needs no words.
        stop: whether keys that go from control to control go to it; those in lists have keys of
            their own.

    Returns:
        Whether it was clicked, or pressed by a key.
    """
    imgui.set_cursor_screen_pos(place.low)
    clicked = imgui.invisible_button(name, place.size)
    return focus.follow(name, place, tip, stop) or clicked


def place_opener(name: str, place: Rectangle, tip: Tip | None = None, stop: bool = True) -> bool:
    """Make a place a button that opens a list as it goes down.

    So the mouse can be drawn on to an option. The arguments are those of `place_button`.

    The arguments are those of `place_button`.
    """
    clicked = place_button(name, place, tip, stop)
    return imgui.is_item_activated() or (
        clicked and not imgui.is_mouse_released(imgui.MouseButton_.left)
    )


def fill_if_hovered(look: Theme, place: Rectangle) -> bool:
    """Fill a place, [pixels], if the mouse is over imgui's last item; return whether it is."""
    hovered = imgui.is_item_hovered()
    if hovered:
        fill_box(look, place, theme.FILL if imgui.is_item_active() else theme.TRACK_HOVERED)
    return hovered


def draw_field(
    look: Theme,
    name: str,
    text: str,
    place: Rectangle,
    wanted: bool = False,
    hint: str = "",
    flags: int = 0,
    points: float = theme.TEXT,
    strong: bool = False,
    inset: float = 10.0,
    callback: Callable[[imgui.InputTextCallbackData], int] | None = None,
    tip: Tip | None = None,
) -> tuple[bool, str]:
    """Draw a text field, imgui's last item, without a box.

    Args:
        look: fonts and sizes.
        name: of the item.
        text: in the field.
        place: of the field, [pixels].
        wanted: whether the field is to take the keyboard.
        hint: shown while the field is empty.
        flags: imgui's, of text fields.
        points: size of the text at scale 1, [pixels].
        strong: whether in the strong font.
        inset: from the left edge to the text, at scale 1, [pixels].
        callback: called by imgui as the flags say.
        tip: what explains it.

    Returns:
        Whether the text is done, as the flags say, and the text.
    """
    imgui.push_font(look.strong if strong else look.medium, look.size(points))
    padding = imgui.ImVec2(look.size(inset), (place.height - look.size(points)) / 2)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, padding)
    imgui.set_cursor_screen_pos(place.low)
    imgui.set_next_item_width(place.width)
    if wanted:
        imgui.set_keyboard_focus_here()
    hint = (
        ellipsize(look, hint, place.width - 2 * look.size(inset), points, strong)
        if hint and not text
        else hint
    )
    result = imgui.input_text_with_hint(f"##{name}", hint, text, flags, callback)
    if focus.follow(name, place, tip):
        imgui.set_keyboard_focus_here(-1)
    imgui.pop_style_var()
    imgui.pop_font()
    return result


def draw_key_button(
    look: Theme,
    action: Action,
    words: str,
    x: float,
    y: float,
    tint: int | None,
    do: Callable[[Action], None],
) -> float:
    """Draw an action's key with words beside it, as a button, and return its width, [pixels].

    Args:
        look: fonts and sizes.
        action: of the key.
        words: beside the key, or none.
        x, y: upper left corner, [pixels].
        tint: of key and words.
        do: called with the action when the button is clicked.
    """
    cap = caption(action)
    wide = key_button_width(look, action, words)
    place = look.spots[action] = Rectangle(x, y, wide, look.size(20))
    if not imgui.is_rect_visible(place.low, place.high):
        return wide  # scrolled away
    pressed = place_button(f"{action.name} {words}", place, action_tip(action, words))
    tint = theme.ACCENT if imgui.is_item_hovered() else tint
    key = draw_keycap(look, cap, x, y, tint)
    if words:
        look.text(x + key + look.size(6), y + look.size(3), words, tint, theme.SMALL)
    if pressed:
        do(action)
    return wide


def key_button_width(look: Theme, action: Action, words: str) -> float:
    """Return how wide `draw_key_button` draws a button, [pixels]."""
    beside = look.size(6) + look.measure(words, theme.SMALL)[0] if words else 0.0
    return keycap_width(look, caption(action)) + beside


def keycap_width(look: Theme, words: str) -> float:
    """Return how wide a key with a name is drawn, [pixels]."""
    return look.measure(words, theme.SMALL, strong=True)[0] + look.size(10)


def draw_keycap(
    look: Theme,
    words: str,
    x: float,
    y: float,
    tint: int | None = None,
    draw: Any = None,
    lit: bool = False,
) -> float:
    """Draw a key with its name, 20 high at scale 1, and return its width, [pixels].

    Args:
        look: fonts and sizes.
        words: its name.
        x, y: upper left corner, [pixels].
        tint: of its name.
        draw: the draw list; by default that of the current card.
        lit: whether the key stands out, because a click would press it.
    """
    place = Rectangle(x, y, keycap_width(look, words), look.size(20))
    draw = draw or imgui.get_window_draw_list()
    fill_box(look, place, theme.FILL if lit else theme.TRACK, 5, draw)
    outline_box(look, place, theme.ACCENT if lit else theme.LINE, 5, 1, draw)
    corner = (round(x + look.size(5)), round(y + look.size(3)))
    ink = theme.INK if tint is None else tint
    draw.add_text(look.strong, look.size(theme.SMALL), corner, ink, words)
    return place.width


def draw_tabs(
    look: Theme, names: Sequence[str], words: Sequence[str], chosen: str, x: float, y: float
) -> str:
    """Draw tabs beside each other, the chosen one filled; their names are terms.

    Args:
        look: fonts and sizes.
        names: of the tabs.
        words: on each.
        chosen: the name of the chosen one.
        x, y: upper left corner, [pixels].

    Returns:
        The name of the tab that was clicked; empty if none was.
    """
    clicked = ""
    for name, shown in zip(names, words, strict=True):
        lit = name == chosen
        wide = look.measure(shown, theme.SMALL, strong=lit)[0] + look.size(12)
        place = Rectangle(x, y, wide, look.size(20))
        if place_button(name, place, term_tip(name)):
            clicked = name
        if lit:
            fill_box(look, place, theme.FILL, 5)
        tint = theme.ACCENT if lit or imgui.is_item_hovered() else theme.MUTED
        look.text(x + look.size(6), y + look.size(3), shown, tint, theme.SMALL, strong=lit)
        x += wide
    return clicked


def wrap(
    look: Theme, words: str, room: float, most: int, points: float = theme.SMALL
) -> tuple[str, ...]:
    """Break a text into lines that fit a width, with an ellipsis if some of it is missing.

    Args:
        look: fonts and sizes.
        words: the text.
        room: the width, [pixels].
        most: lines.
        points: size of the text at scale 1, [pixels].
    """
    return _wrapped(look, _(words), room, most, points)


@lru_cache(maxsize=500)
def _wrapped(look: Theme, words: str, room: float, most: int, points: float) -> tuple[str, ...]:
    """Break a text in the present language into lines, as `wrap` does."""
    lines: list[str] = []
    left = words.split()
    # Each line takes as many words as fit, but at least one.
    while left and len(lines) < most - 1:
        count = 1
        while count < len(left) and look.measure(" ".join(left[: count + 1]), points)[0] <= room:
            count += 1
        lines.append(" ".join(left[:count]))
        left = left[count:]
    if left:
        lines.append(_ellipsized(look, " ".join(left), room, points, False))
    return tuple(lines)


def draw_chevron(look: Theme, x: float, middle: float, tint: int) -> None:
    """Draw the sign of a list that opens, with its middle, [pixels]."""
    draw = imgui.get_window_draw_list()
    half = look.size(3.6)
    deep = look.size(1.8)
    thick = look.size(1.5)
    draw.add_line((x - half, middle - deep), (x, middle + deep), tint, thick)
    draw.add_line((x, middle + deep), (x + half, middle - deep), tint, thick)


def draw_star(look: Theme, place: Rectangle, filled: bool, tint: int) -> None:
    """Draw a star in the middle of a place, [pixels], filled or as an outline."""
    x = place.left + place.width / 2
    y = place.top + place.height / 2
    size = look.size(6)
    corners: list[imgui.ImVec2 | tuple[float, float] | list[float]] = []
    for number in range(10):
        reach = size * (1.0 if number % 2 == 0 else 0.45)
        angle = math.pi * (number / 5 - 0.5)
        corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    draw = imgui.get_window_draw_list()
    if filled:
        draw.add_concave_poly_filled(corners, tint)
    else:
        draw.add_polyline(corners, tint, flags=imgui.ImDrawFlags_.closed, thickness=look.size(1.2))


def draw_cross(look: Theme, x: float, y: float, side: float) -> bool:
    """Draw a cross that closes a card, from a corner, [pixels]; return whether it was clicked."""
    pressed = place_button("close", Rectangle(x, y, side, side), term_tip("close"))
    tint = theme.ACCENT if imgui.is_item_hovered() else theme.MUTED
    inset = look.size(7)
    draw = imgui.get_window_draw_list()
    draw.add_line(
        (x + inset, y + inset), (x + side - inset, y + side - inset), tint, look.size(1.6)
    )
    draw.add_line(
        (x + side - inset, y + inset), (x + inset, y + side - inset), tint, look.size(1.6)
    )
    return pressed


def draw_title(look: Theme, words: str, left: float, y: float, width: float) -> bool:
    """Draw the title of a card, `TITLE_HEIGHT` high, and a cross; return whether that was clicked.

    Args:
        look: fonts and sizes.
        words: the title; what does not fit is cut.
        left, y: upper left corner, [pixels].
        width: of title and cross, [pixels].
    """
    side = look.size(22)
    room = width - side - look.size(6)
    title = ellipsize(look, words, room, TITLE_SIZE, strong=True)
    look.text(left + look.size(2), y, title, theme.INK, TITLE_SIZE, strong=True)
    return draw_cross(look, left + width - side, y - look.size(1), side)


def draw_default_mark(look: Theme, x: float, middle: float) -> None:
    """Mark the default value across a groove at a height, [pixels]; a knob may hide it."""
    half = look.size(0.75)
    tall = look.size(4.5)
    imgui.get_window_draw_list().add_rect_filled(
        (x - half, middle - tall), (x + half, middle + tall), theme.MUTED
    )


def whole_rows(place: Rectangle, tall: float) -> Rectangle:
    """Return the part of a place that holds whole rows, at least one, [pixels].

    A cut row would look like a fault.
    """
    return Rectangle(
        place.left, place.top, place.width, max(int(place.height / tall + 1e-6), 1) * tall
    )


def draw_fades(look: Theme, place: Rectangle, clear_of: Rectangle | None = None) -> None:
    """Fade what the current child has drawn toward the edges to which it can be scrolled.

    Args:
        look: fonts and sizes.
        place: of the child in the window, without its scrollbar, [pixels].
        clear_of: a place in it that stays clear, [pixels].
    """
    at = imgui.get_scroll_y()
    last = imgui.get_scroll_max_y()
    bottom = place.bottom
    deep = look.size(_FADE_HEIGHT)
    solid = theme.CARD
    clear = solid & _RGB_MASK
    right = place.right
    upper = place.top + min(deep, at)
    lower = bottom - min(deep, last - at)
    if clear_of:
        upper = min(upper, clear_of.top)
        lower = max(lower, clear_of.bottom)
    draw = imgui.get_window_draw_list()
    if upper > place.top:
        draw.add_rect_filled_multi_color(place.low, (right, upper), solid, solid, clear, clear)
    if lower < bottom:
        draw.add_rect_filled_multi_color(
            (place.left, lower), (right, bottom), clear, clear, solid, solid
        )


def ellipsize(
    look: Theme, words: str, room: float, points: float = theme.TEXT, strong: bool = False
) -> str:
    """Return as much of a text as fits a width, with an ellipsis if something is missing.

    Args:
        look: fonts and sizes.
        words: the text, one line.
        room: the width, [pixels].
        points: size of the text at scale 1, [pixels].
        strong: whether in the strong font.
    """
    return _ellipsized(look, _(words), room, points, strong)


@lru_cache(maxsize=4_000)
def _ellipsized(look: Theme, words: str, room: float, points: float, strong: bool) -> str:
    words = words[:_MAX_CHARACTERS]
    if look.measure(words, points, strong)[0] <= room:
        return words
    # Bisection for the number of characters that fit.
    low = 0
    high = len(words)
    while high - low > 1:
        middle = (low + high) // 2
        fits = look.measure(words[:middle].rstrip() + "…", points, strong)[0] <= room
        low, high = (middle, high) if fits else (low, middle)
    return words[:low].rstrip() + "…"


_ROW_BUTTON_SIZE = 18.0
# of the keys below a list
_FOOT_PAD = 7.0
_FOOT_LINE_HEIGHT = 25.0
_FOOT_GAP = 7.0

Keys = Sequence[tuple[Action, str]]
"""Actions, and what is said beside the key of each."""

RowButton = tuple[str, str, Callable[[], None]]
"""What a button says, the term that its tooltip explains, and what it does."""


def scroll_to_row(index: int, tall: float, room: float, by_rows: bool = False) -> None:
    """Scroll the current list so that a row that is out of sight comes to the middle.

    Args:
        index: of the row.
        tall: height of a row, [pixels].
        room: height of the list, [pixels].
        by_rows: whether the list scrolls by whole rows.
    """
    scrolled = imgui.get_scroll_y()
    top = index * tall
    if scrolled <= top <= scrolled + room - tall:
        return
    above = (room - tall) / 2
    if by_rows:
        above = tall * round(above / tall)
    imgui.set_scroll_y(max(top - above, 0.0))


def draw_row_buttons(
    look: Theme, row: Rectangle, number: int, buttons: Sequence[RowButton]
) -> tuple[float, bool]:
    """Draw buttons of a row from the right; return where they begin, and whether one acted.

    Args:
        look: of the cards.
        row: in the window, [pixels].
        number: of the row, which tells its buttons from those of others.
        buttons: the rightmost first.
    """
    side = look.size(_ROW_BUTTON_SIZE)
    right = row.right - look.size(4)
    acted = False
    for words, term, do in buttons:
        right -= side
        spot = Rectangle(right, row.top, side, row.height)
        pressed = widgets.place_button(f"{words} {number}", spot, term_tip(term), stop=False)
        tint = theme.ACCENT if imgui.is_item_hovered() else theme.MUTED
        look.text(right + look.size(5), row.top + look.size(4), words, tint)
        if pressed:
            do()
            acted = True
    return right, acted


def foot_height(look: Theme, keys: Keys, width: float) -> float:
    """Return how high the keys below a list are, at least two lines, [pixels]."""
    lines = max((line for line, _across in _key_places(look, keys, width)), default=0) + 1
    return look.size(max(lines, 2) * _FOOT_LINE_HEIGHT + _FOOT_PAD + 3)


def draw_foot(
    look: Theme, keys: Keys, left: float, top: float, width: float, do: Callable[[Action], None]
) -> None:
    """Draw a line and keys below a list, as buttons in as many lines as they need, [pixels]."""
    imgui.get_window_draw_list().add_line(
        (left, top), (left + width, top), theme.LINE, look.size(1)
    )
    for (action, words), (line, across) in zip(keys, _key_places(look, keys, width), strict=True):
        y = top + look.size(_FOOT_PAD + line * _FOOT_LINE_HEIGHT)
        widgets.draw_key_button(look, action, words, left + across, y, theme.MUTED, do)


def _key_places(look: Theme, keys: Keys, width: float) -> list[tuple[int, float]]:
    """Return the line of each key, and its distance from the left, [pixels]."""
    places = list[tuple[int, float]]()
    line = 0
    across = 0.0
    for action, words in keys:
        wide = widgets.key_button_width(look, action, words)
        if across and across + wide > width:
            line = line + 1
            across = 0.0
        places.append((line, across))
        across += wide + look.size(_FOOT_GAP)
    return places
