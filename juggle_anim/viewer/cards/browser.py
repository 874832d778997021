"""The library browser's card: a search field, four filters, and the patterns found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from imgui_bundle import imgui

from juggle_anim.errors import counted
from juggle_anim.language import N_, _
from juggle_anim.notation.listing import ListedPattern
from juggle_anim.notation.search import tag_words
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.browser import Browser, Filter
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.terms import Tip, term_tip

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 40.0
_CHIP_HEIGHT = 26.0
_FIELD_HEIGHT = 34.0
_FOOT_HEIGHT = 117.0
# lines of a description, and the size of words that are too long at the usual one
_MAX_ABOUT_LINES = 3
_TINY_SIZE = 10.5
_MAX_DIFFICULTY = 10
_FILTER_KEYS = N_("Ctrl and 1 to 4 open the filters.")
_FILTERS = (
    ("shelf", Action.SHELF),
    ("props", Action.PROPS),
    ("level", Action.LEVEL),
    ("tag", Action.TAG),
)
"""Names of the filters as terms, and their keys."""


class BrowserCard(Card):
    """The library in the place of the panel."""

    name = "browser"
    slot = Slot.PANEL

    def __init__(self) -> None:
        self._hovered: ListedPattern | None = None

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card."""
        library = frame.controller.library
        widgets.begin_card(self.name, place)
        pad = look.size(10)
        browser = library.browser
        left = place.left + pad
        width = place.width - 2 * pad
        y = place.top + pad
        y = _draw_head(library, look, left, y, width)
        y = _draw_field(
            browser, look, Rectangle(left, y, width, look.size(_FIELD_HEIGHT))
        ) + look.size(6)
        y = _draw_filters(library, look, left, y, width) + look.size(4)
        if browser.suggestion:
            y = _draw_suggestion(library, look, left, y, width)
        bottom = place.bottom - look.size(_FOOT_HEIGHT)
        self._draw_rows(
            library,
            look,
            widgets.whole_rows(Rectangle(left, y, width, bottom - y), look.size(_ROW_HEIGHT)),
        )
        _draw_foot(
            browser.chosen if self._hovered is None else self._hovered, look, left, bottom, width
        )
        x = left
        below = bottom + look.size(88)
        for action, words in ((Action.LEARN, N_("Learn")), (Action.STAR, N_("Star"))):
            x += widgets.draw_key_button(
                look, action, words, x, below, theme.MUTED, frame.controller.perform
            ) + look.size(9)
        imgui.end()

    def _draw_rows(self, library: LibraryController, look: Theme, place: Rectangle) -> None:
        """Draw the visible rows of the results."""
        browser = library.browser
        tall = look.size(_ROW_HEIGHT)
        results = browser.results
        self._hovered = None
        imgui.set_cursor_screen_pos(place.low)
        imgui.begin_child("rows", (place.width, place.height), 0, imgui.WindowFlags_.no_nav)
        if browser.scroll_to_chosen:
            browser.scroll_to_chosen = False
            widgets.scroll_to_row(max(browser.index, 0), tall, place.height, by_rows=True)
        origin = imgui.get_cursor_screen_pos()
        first = round(imgui.get_scroll_y() / tall)
        for number in range(first, min(first + round(place.height / tall), len(results))):
            row = Rectangle(
                place.left, place.top + (number - first) * tall, place.width - look.size(10), tall
            )
            self._draw_row(library, look, number, results[number], row)
        imgui.set_cursor_screen_pos((place.left, origin.y))
        imgui.dummy((1, len(results) * tall))
        if not results:
            typed = bool(browser.query.strip())
            words = (
                _("Nothing fits. Enter opens what you typed.") if typed else _("Nothing here yet.")
            )
            look.text(
                place.left + look.size(6),
                place.top + look.size(8),
                words,
                theme.MUTED,
                theme.SMALL,
                wrap=place.width - look.size(12),
            )
        imgui.end_child()

    def _draw_row(
        self,
        library: LibraryController,
        look: Theme,
        number: int,
        listed: ListedPattern,
        row: Rectangle,
    ) -> None:
        """Draw a pattern with its star; a click plays it, or stars it."""
        browser = library.browser
        star = Rectangle(row.right - look.size(22), row.top, look.size(22), look.size(22))
        starring = widgets.place_button(f"star {number}", star, term_tip("star"), stop=False)
        on_star = imgui.is_item_hovered()
        imgui.set_next_item_allow_overlap()
        target = Rectangle(row.left, row.top, row.width - star.width, row.height - look.size(1))
        playing = widgets.place_button(f"row {number}", target, _row_tip(listed), stop=False)
        hovered = imgui.is_item_hovered() or on_star
        text = browser.text_of(listed)
        chosen = number == browser.index
        if chosen or hovered:
            back = Rectangle(row.left, row.top, row.width, row.height - look.size(1))
            widgets.fill_box(look, back, theme.FILL if chosen else theme.TRACK_HOVERED, 6)
        _draw_words(look, listed, row, chosen)
        if hovered or browser.is_favourite(text):
            filled = browser.is_favourite(text)
            widgets.draw_star(
                look, star, filled, theme.ACCENT if filled or on_star else theme.FAINT
            )
        if hovered:
            self._hovered = listed
        if starring:
            browser.star(text)
        elif playing:
            browser.index = number
            library.play(listed)


def _row_tip(listed: ListedPattern) -> Tip:
    """Return what is said of a pattern, or why it cannot be juggled."""
    pattern = listed.pattern
    tip = term_tip("row", pattern.name)
    notes = ", ".join(map(tag_words, pattern.tags))
    return replace(tip, text=listed.reason or pattern.shown_description or tip.text, notes=notes)


def _draw_words(look: Theme, listed: ListedPattern, row: Rectangle, chosen: bool) -> None:
    """Draw the name; below it the throws, the number of props, and the difficulty."""
    pattern = listed.pattern
    left = row.left + look.size(8)
    room = row.width - look.size(32)
    ink = theme.ERROR if listed.reason else theme.ACCENT if chosen else theme.INK
    name = f"{listed.number}  {pattern.name}" if listed.number else pattern.name
    throws = listed.reason or (pattern.siteswap if pattern.siteswap != pattern.name else "")
    # A pattern without a name takes one line, in the middle.
    top = row.top + look.size(4 if throws else 12)
    y = row.top + look.size(22)
    right = row.right - look.size(8)
    if pattern.difficulty:
        right -= look.size(34)
        _draw_level(look, pattern.difficulty, right, y + look.size(6))
        right -= look.size(8)
    if pattern.props:
        words = counted(pattern.props, "prop")
        right = look.text_before(right, y, words, theme.MUTED, theme.SMALL)
    narrow = right - left - look.size(10)
    name = widgets.ellipsize(look, name, room if throws else narrow, strong=True)
    look.text(left, top, name, ink, strong=True)
    look.text(
        left, y, widgets.ellipsize(look, throws, narrow, theme.SMALL), theme.MUTED, theme.SMALL
    )


def _draw_level(look: Theme, difficulty: int, x: float, y: float) -> None:
    """Draw a bar that shows the difficulty."""
    draw = imgui.get_window_draw_list()
    wide = look.size(34)
    tall = look.size(4)
    draw.add_rect_filled((x, y), (x + wide, y + tall), theme.GROOVE, tall / 2)
    draw.add_rect_filled(
        (x, y), (x + wide * difficulty / _MAX_DIFFICULTY, y + tall), theme.MUTED, tall / 2
    )


def _draw_head(
    library: LibraryController, look: Theme, left: float, y: float, width: float
) -> float:
    """Draw the title with buttons for library and generator; return where it ends, [pixels]."""
    browser = library.browser
    name = Path(browser.file).name if browser.file else _("Library")
    count = len(browser.results)
    out = look.size(22)
    number = (
        _("{count} of {count2}", count=count, count2=len(browser.entries))
        if browser.is_filtered
        else f"{count}"
    )
    # From a file one goes back to the library, and from the library on to the generator.
    word = _("Library") if browser.file else _("Generate")
    back = look.measure(word, theme.SMALL)[0] + look.size(12)
    wide = look.measure(number, theme.SMALL)[0] + look.size(10)
    room = width - out - back - look.size(8)
    if not browser.file and look.measure(name, widgets.TITLE_SIZE, strong=True)[0] > room - wide:
        number = f"{count} / {len(browser.entries)}"  # as short as it can be said
        wide = look.measure(number, theme.SMALL)[0] + look.size(10)
    if not browser.file and look.measure(name, widgets.TITLE_SIZE, strong=True)[0] > room - wide:
        number = f"{count}"
        wide = look.measure(number, theme.SMALL)[0] + look.size(10)
    shown = widgets.ellipsize(look, name, room - wide, widgets.TITLE_SIZE, strong=True)
    look.text(left + look.size(2), y, shown, theme.INK, widgets.TITLE_SIZE, strong=True)
    x = left + look.size(10) + look.measure(shown, widgets.TITLE_SIZE, strong=True)[0]
    look.text(x, y + look.size(2), number, theme.MUTED, theme.SMALL)
    right = left + width - out
    tip = term_tip("library" if browser.file else "generate")
    if _word_button(look, word, right - back, y + look.size(1), tip):
        if browser.file:
            browser.list_library()
            browser.wants_focus = True
        else:
            library.generator.toggle()
    if widgets.draw_cross(look, right, y - look.size(1), out):
        library.close_browser()
    return y + look.size(widgets.TITLE_HEIGHT)


def _word_button(look: Theme, words: str, x: float, y: float, tip: Tip) -> bool:
    """Draw words as a button; return whether it was pressed."""
    pressed = widgets.place_button(words, Rectangle(x, y, *look.measure(words, theme.SMALL)), tip)
    look.text(x, y, words, theme.ACCENT, theme.SMALL, strong=imgui.is_item_hovered())
    return pressed


def _draw_field(browser: Browser, look: Theme, place: Rectangle) -> float:
    """Draw the search field; return where it ends, [pixels]."""
    widgets.fill_box(look, place, theme.FIELD, 8)
    name = f"seek {browser.query_resets}"
    wanted = browser.wants_focus
    browser.wants_focus = False
    hint = _("Name, tag, props or throws")
    tip = term_tip("search")
    _unused, words = widgets.draw_field(
        look, name, browser.query, place, wanted, hint, points=15, tip=tip
    )
    browser.search(words)
    widgets.outline_box(look, place, theme.ACCENT if imgui.is_item_active() else theme.LINE, 8)
    return place.bottom


def _draw_filters(
    library: LibraryController, look: Theme, left: float, y: float, width: float
) -> float:
    """Draw the filters, two by two; return where they end, [pixels]."""
    gap = look.size(5)
    tall = look.size(_CHIP_HEIGHT)
    wide = (width - gap) / 2
    for number, shelf in enumerate(library.browser.filters):
        x = left + number % 2 * (wide + gap)
        top = y + number // 2 * (tall + gap)
        place = Rectangle(x, top, wide, tall)
        library.place_drop_down(f"filter {number}", place)
        clicked = draw_filter_chip(look, shelf, number, place)
        if clicked == imgui.MouseButton_.left:
            library.open_filter(number)
        elif clicked == imgui.MouseButton_.right:
            library.browser.choose_filter(number, 0)
    return y + 2 * tall + gap


def _draw_suggestion(
    library: LibraryController, look: Theme, left: float, y: float, width: float
) -> float:
    """Draw the name that was meant, which a click plays; return where it ends, [pixels]."""
    room = width - look.size(16)
    words = widgets.ellipsize(
        look,
        _("Did you mean {suggestion}?", suggestion=library.browser.suggestion),
        room,
        theme.SMALL,
        strong=True,
    )
    if _word_button(look, words, left + look.size(8), y + look.size(2), term_tip("suggestion")):
        library.play(library.browser.take_suggestion())
    return y + look.size(26)


def draw_filter_chip(look: Theme, shelf: Filter, number: int, place: Rectangle) -> int | None:
    """Draw a filter; return by which button of the mouse it was clicked."""
    name, action = _FILTERS[number]
    pressed = widgets.place_opener(f"filter {number}", place, term_tip(name, action=action))
    clicked = imgui.MouseButton_.left if pressed else None
    hovered = imgui.is_item_hovered()
    if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
        clicked = imgui.MouseButton_.right
    widgets.fill_box(
        look, place, theme.FILL if shelf.index else theme.TRACK_HOVERED if hovered else theme.TRACK
    )
    ink = theme.ACCENT if shelf.index else theme.INK
    room = place.width - look.size(30)
    strong = bool(shelf.index)
    label = shelf.words(shelf.option)
    points = theme.SMALL if look.measure(label, theme.SMALL, strong)[0] <= room else _TINY_SIZE
    words = widgets.ellipsize(look, label, room, points, strong)
    y = place.top + (place.height - look.size(points)) / 2 - look.size(1)
    look.text(place.left + look.size(9), y, words, ink, points, strong)
    widgets.draw_chevron(
        look, place.right - look.size(13), place.middle, ink if hovered else theme.MUTED
    )
    return clicked


def _draw_foot(
    listed: ListedPattern | None, look: Theme, left: float, y: float, width: float
) -> None:
    """Draw the description of the chosen pattern, and the keys."""
    draw = imgui.get_window_draw_list()
    draw.add_line((left, y), (left + width, y), theme.LINE, look.size(1))
    words = (listed.reason or listed.pattern.shown_description) if listed else _FILTER_KEYS
    room = width - look.size(4)
    points = theme.SMALL
    tall = 17.0
    if len(widgets.wrap(look, words, room, _MAX_ABOUT_LINES + 1)) > _MAX_ABOUT_LINES:
        points = _TINY_SIZE
        tall = 13.0
    for line, part in enumerate(
        widgets.wrap(look, words, room, int(_MAX_ABOUT_LINES * 17 / tall) + 1, points)
    ):
        look.text(left + look.size(2), y + look.size(6 + tall * line), part, theme.MUTED, points)
    x = left
    y = y + look.size(62)
    for caps, label in (
        ((caption(Action.CHOOSE_PREVIOUS), caption(Action.CHOOSE_NEXT)), _("Play")),
        ((caption(Action.TYPE_VALUE),), _("Done")),
        ((caption(Action.BACK),), _("Close")),
    ):
        wide = (
            sum(widgets.keycap_width(look, cap) + look.size(3) for cap in caps)
            + look.measure(label, theme.SMALL)[0]
        )
        if x + wide + look.size(3) > left + width:
            break  # a cross above closes it, too
        for cap in caps:
            x += widgets.draw_keycap(look, cap, x, y, theme.MUTED) + look.size(3)
        look.text(x + look.size(3), y + look.size(3), label, theme.MUTED, theme.SMALL)
        x += look.measure(label, theme.SMALL)[0] + look.size(9)
