"""The browser's card: a field to search in, four filters, and the patterns that fit."""

from __future__ import annotations

import math
from pathlib import Path

from imgui_bundle import imgui

from juggle_anim.notation.listing import ListedPattern
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import begin_card, begin_field, draw_keycap, ellipsize, place_button
from juggle_anim.viewer.state.browser import Browser, Shelf
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController

_ROW, _CHIP, _FIELD, _FOOT = 40.0, 26.0, 34.0, 74.0
_HARDEST = 10


class BrowserCard:
    """Draws the browser where the panel stands otherwise."""

    def __init__(self) -> None:
        self._hovered: ListedPattern | None = None

    def draw(self, desk: LibraryController, look: Theme, place: Rectangle) -> None:
        """Draw it in the place that the layout gives the panel, [pixels]."""
        begin_card("browser", place)
        pad, browser = look.size(10), desk.browser
        left, width, y = place.left + pad, place.width - 2 * pad, place.top + pad
        y = _draw_head(desk, look, left, y, width)
        y = _draw_field(browser, look, Rectangle(left, y, width, look.size(_FIELD))) + look.size(6)
        y = _draw_filters(browser, look, left, y, width) + look.size(4)
        bottom = place.bottom - look.size(_FOOT)
        self._draw_rows(desk, look, Rectangle(left, y, width, bottom - y))
        _draw_foot(browser.chosen if self._hovered is None else self._hovered, look, left, bottom, width)
        imgui.end()

    def _draw_rows(self, desk: LibraryController, look: Theme, place: Rectangle) -> None:
        """Draw the found patterns that can be seen."""
        browser, tall = desk.browser, look.size(_ROW)
        found, self._hovered = browser.found, None
        imgui.set_cursor_screen_pos(place.low)
        imgui.begin_child("rows", (place.width, place.height), 0, imgui.WindowFlags_.no_nav)
        self._follow(browser, tall, place.height)
        origin, scrolled = imgui.get_cursor_screen_pos(), imgui.get_scroll_y()
        first = int(scrolled // tall)
        for number in range(first, min(first + int(place.height / tall) + 2, len(found))):
            row = Rectangle(place.left, origin.y + number * tall, place.width - look.size(10), tall)
            self._draw_row(desk, look, number, found[number], row)
        imgui.set_cursor_screen_pos((place.left, origin.y))
        imgui.dummy((1, len(found) * tall))
        if not found:
            words = "Nothing fits. Enter opens what you typed." if browser.words.strip() else "Nothing here yet."
            look.text(
                place.left + look.size(6), place.top + look.size(8), words, theme.MUTED, theme.SMALL, wrap=place.width
            )
        imgui.end_child()

    def _follow(self, browser: Browser, tall: float, height: float) -> None:
        """Scroll to the chosen pattern after keys have moved there."""
        if not browser.follow:
            return
        browser.follow = False
        top, scrolled = max(browser.at, 0) * tall, imgui.get_scroll_y()
        if not scrolled <= top <= scrolled + height - tall:
            imgui.set_scroll_y(max(top - (height - tall) / 2, 0.0))

    def _draw_row(
        self, desk: LibraryController, look: Theme, number: int, listed: ListedPattern, row: Rectangle
    ) -> None:
        browser, draw = desk.browser, imgui.get_window_draw_list()
        star = Rectangle(row.right - look.size(22), row.top, look.size(22), look.size(22))
        starring = place_button(f"star {number}", star)
        on_star = imgui.is_item_hovered()
        imgui.set_cursor_screen_pos(row.low)
        imgui.set_next_item_allow_overlap()
        playing = imgui.invisible_button(f"row {number}", (row.width - star.width, row.height - look.size(1)))
        hovered = imgui.is_item_hovered() or on_star
        text, chosen = browser.text_of(listed), number == browser.at
        if chosen or hovered:
            tint = theme.FILL if chosen else theme.TRACK_HOVERED
            corner = row.right, row.bottom - look.size(1)
            draw.add_rect_filled(row.low, corner, tint, look.size(6))
        _draw_words(look, listed, row, chosen)
        if hovered or browser.is_favourite(text):
            filled = browser.is_favourite(text)
            _draw_star(look, star, filled, theme.ACCENT if filled or on_star else theme.FAINT_INK)
        if hovered:
            self._hovered = listed
        if starring:
            browser.star(text)
        elif playing:
            browser.at = number
            desk.play(listed)


def _draw_words(look: Theme, listed: ListedPattern, row: Rectangle, chosen: bool) -> None:
    """The name; below it throws, the number of props, and how difficult it is."""
    pattern, left = listed.pattern, row.left + look.size(8)
    room = row.width - look.size(32)
    ink = theme.ERROR if listed.reason else theme.ACCENT if chosen else theme.INK
    name = f"{listed.number}  {pattern.name}" if listed.number else pattern.name
    throws = listed.reason or (pattern.siteswap if pattern.siteswap != pattern.name else "")
    # What has no name but its throws takes one line, in the middle.
    top, y = row.top + look.size(4 if throws else 12), row.top + look.size(22)
    right = row.right - look.size(8)
    if pattern.difficulty:
        right -= look.size(34)
        _draw_level(look, pattern.difficulty, right, y + look.size(6))
        right -= look.size(8)
    if pattern.props:
        words = f"{pattern.props} prop{'s' * (pattern.props != 1)}"
        right -= look.measure(words, theme.SMALL)[0]
        look.text(right, y, words, theme.MUTED, theme.SMALL)
    room = room if throws else right - left - look.size(10)
    look.text(left, top, ellipsize(look, name, room, strong=True), ink, strong=True)
    look.text(left, y, ellipsize(look, throws, right - left - look.size(10), theme.SMALL), theme.MUTED, theme.SMALL)


def _draw_level(look: Theme, difficulty: int, x: float, y: float) -> None:
    """A bar that is the fuller the harder a pattern is."""
    draw, wide, tall = imgui.get_window_draw_list(), look.size(34), look.size(4)
    draw.add_rect_filled((x, y), (x + wide, y + tall), theme.GROOVE, tall / 2)
    draw.add_rect_filled((x, y), (x + wide * difficulty / _HARDEST, y + tall), theme.MUTED, tall / 2)


def _draw_star(look: Theme, place: Rectangle, filled: bool, tint: int) -> None:
    x, y, size = place.left + place.width / 2, place.top + place.height / 2, look.size(6)
    corners: list[imgui.ImVec2 | tuple[float, float] | list[float]] = []
    for number in range(10):
        reach, angle = size * (1.0 if number % 2 == 0 else 0.45), math.pi * (number / 5 - 0.5)
        corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    draw = imgui.get_window_draw_list()
    if filled:
        draw.add_concave_poly_filled(corners, tint)
    else:
        draw.add_polyline(corners, tint, flags=imgui.ImDrawFlags_.closed, thickness=look.size(1.2))


def _draw_head(desk: LibraryController, look: Theme, left: float, y: float, width: float) -> float:
    """What is listed, and ways to the library and out of here."""
    browser = desk.browser
    name, count = Path(browser.file).name if browser.file else "Library", len(browser.found)
    out = look.size(22)
    number = f"{count} of {len(browser.among)}" if browser.narrowed else f"{count}"
    back = look.measure("Library", theme.SMALL)[0] + look.size(12) if browser.file else 0.0
    wide = look.measure(number, theme.SMALL)[0] + look.size(10)
    shown = ellipsize(look, name, width - out - back - wide - look.size(8), 16.0, strong=True)
    look.text(left + look.size(2), y, shown, theme.INK, 16.0, strong=True)
    x = left + look.size(10) + look.measure(shown, 16.0, strong=True)[0]
    look.text(x, y + look.size(2), number, theme.MUTED, theme.SMALL)
    right = left + width - out
    if browser.file and _word_button(look, "Library", right - back, y + look.size(1)):
        browser.list_library()
        browser.wanted = True
    if _cross(look, right, y - look.size(1), out):
        browser.shown = False
    return y + look.size(27)


def _word_button(look: Theme, words: str, x: float, y: float) -> bool:
    imgui.set_cursor_screen_pos((x, y))
    extent = look.measure(words, theme.SMALL)
    pressed = imgui.invisible_button(words, extent)
    look.text(x, y, words, theme.ACCENT, theme.SMALL, strong=imgui.is_item_hovered())
    return pressed


def _cross(look: Theme, x: float, y: float, side: float) -> bool:
    imgui.set_cursor_screen_pos((x, y))
    pressed = imgui.invisible_button("close", (side, side))
    tint, inset = theme.ACCENT if imgui.is_item_hovered() else theme.MUTED, look.size(7)
    draw = imgui.get_window_draw_list()
    draw.add_line((x + inset, y + inset), (x + side - inset, y + side - inset), tint, look.size(1.6))
    draw.add_line((x + side - inset, y + inset), (x + inset, y + side - inset), tint, look.size(1.6))
    return pressed


def _draw_field(browser: Browser, look: Theme, place: Rectangle) -> float:
    """The field that is searched in; returns where it ends."""
    draw, corner = imgui.get_window_draw_list(), place.high
    draw.add_rect_filled(place.low, corner, theme.FIELD, look.size(8))
    imgui.push_font(look.medium, look.size(15))
    begin_field(look, place, browser.wanted, 15)
    browser.wanted = False
    _, words = imgui.input_text_with_hint(f"##seek {browser.emptied}", "Name, tag, props or throws", browser.words)
    browser.seek(words)
    tint = theme.ACCENT if imgui.is_item_active() else theme.LINE
    imgui.pop_style_var()
    imgui.pop_font()
    draw.add_rect(place.low, corner, tint, rounding=look.size(8), thickness=look.size(1.5))
    return place.bottom


def _draw_filters(browser: Browser, look: Theme, left: float, y: float, width: float) -> float:
    """The filters, two by two; returns where they end."""
    gap, tall = look.size(5), look.size(_CHIP)
    wide = (width - gap) / 2
    for number, shelf in enumerate(browser.filters):
        x, top = left + number % 2 * (wide + gap), y + number // 2 * (tall + gap)
        ways = _chip(look, shelf, number, Rectangle(x, top, wide, tall))
        if ways:
            browser.turn_filter(number, ways)
    return y + 2 * tall + gap


def _chip(look: Theme, shelf: Shelf, number: int, place: Rectangle) -> int:
    """A filter; returns how many options further it was clicked."""
    pressed = place_button(f"filter {number}", place)
    hovered, ways = imgui.is_item_hovered(), int(pressed)
    if hovered and imgui.is_mouse_clicked(1):
        ways = -1
    draw, corner = imgui.get_window_draw_list(), place.high
    fill = theme.FILL if shelf.at else theme.TRACK_HOVERED if hovered else theme.TRACK
    draw.add_rect_filled(place.low, corner, fill, look.size(7))
    ink = theme.ACCENT if shelf.at else theme.INK
    y = place.top + (place.height - look.size(theme.SMALL)) / 2 - look.size(1)
    word = shelf.word[:1].upper() + shelf.word[1:]
    words = ellipsize(look, word, place.width - look.size(28), theme.SMALL, strong=bool(shelf.at))
    look.text(place.left + look.size(9), y, words, ink, theme.SMALL, strong=bool(shelf.at))
    look.text(place.right - look.size(16), y, f"{number + 1}", theme.MUTED, theme.SMALL)
    return ways


def _draw_foot(listed: ListedPattern | None, look: Theme, left: float, y: float, width: float) -> None:
    """What the chosen pattern is, and the keys."""
    draw = imgui.get_window_draw_list()
    draw.add_line((left, y), (left + width, y), theme.LINE, look.size(1))
    words = (listed.reason or listed.pattern.description) if listed else "Ctrl and 1 to 4 turn the filters."
    room = width - look.size(4)
    for line, part in enumerate(_lines(look, words, room)):
        look.text(left + look.size(2), y + look.size(6 + 17 * line), part, theme.MUTED, theme.SMALL)
    x, y = left, y + look.size(45)
    for caps, said in (((caption(Action.CHOOSE_PREVIOUS), caption(Action.CHOOSE_NEXT)), "Play"),
                       ((caption(Action.TYPE_VALUE),), "Done"), ((caption(Action.BACK),), "Close")):  # fmt: skip
        for cap in caps:
            x += draw_keycap(look, cap, x, y, theme.MUTED) + look.size(3)
        look.text(x + look.size(3), y + look.size(3), said, theme.MUTED, theme.SMALL)
        x += look.measure(said, theme.SMALL)[0] + look.size(9)


def _lines(look: Theme, words: str, room: float) -> tuple[str, str]:
    """Words in two lines, the second one cut where they are longer."""
    first = ellipsize(look, words, room, theme.SMALL)
    if not first.endswith("…"):
        return first, ""
    head = first.removesuffix("…").rsplit(" ", 1)[0] or first
    return head, ellipsize(look, words[len(head) :].lstrip(), room, theme.SMALL)
