"""The library browser's card: a search field, four filters, and the patterns found."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import imgui

from juggle_anim.errors import counted
from juggle_anim.language import N_, _
from juggle_anim.notation import ListedPattern
from juggle_anim.notation.search import tag_words
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.browser import Browser, Filter, level_words
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.terms import NO_TIP, Tip, term_tip

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 40.0
_CHIP_HEIGHT = 26.0
_FIELD_HEIGHT = 34.0
_FOOT_HEIGHT = 117.0
# lines of a description, and the size of words that are too long at the usual one
_MAX_ABOUT_LINES = 3
_TINY_SIZE = 10.5
_FILTER_KEYS = N_("To filter the list, click a menu above it or press Ctrl+1 to Ctrl+4.")
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
        self._awaits_chosen = False  # whether the chosen pattern is chosen, but not yet juggled

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card: title, search field, filters, results, and the chosen pattern below.

        Args:
            frame: the controller, its model and the layout of the window.
            look: fonts; `look.size` converts a length at scale 1 to pixels.
            place: area to draw into, [pixels] in the window.
        """
        library = frame.controller.library
        model = frame.controller.model
        # Whether the chosen pattern is about to begin after a transition. The pattern line shows
        # that, too, but the library covers it.
        self._awaits_chosen = bool(model.live.transition_texts(model.playback.clock))
        widgets.begin_card(self.name, place)
        pad = look.size(10)
        browser = library.browser
        left = place.left + pad
        width = place.width - 2 * pad

        # From the top down; each part returns its lower edge.
        y = place.top + pad
        lesson = frame.controller.lesson
        title = _("Choose a lesson") if lesson.awaits_pattern else _("Library")
        y = _draw_head(library, look, left, y, width, title)
        y = _draw_field(
            browser, look, Rectangle(left, y, width, look.size(_FIELD_HEIGHT))
        ) + look.size(6)
        y = _draw_filters(library, look, left, y, width) + look.size(4)
        if browser.suggestion:
            y = _draw_suggestion(library, look, left, y, width)

        # The results take the space down to the foot. The foot describes the pattern under the
        # mouse, which `_draw_rows` sets as `_hovered`, or else the chosen one.
        bottom = place.bottom - look.size(_FOOT_HEIGHT)
        results = Rectangle(left, y, width, bottom - y)
        rows = widgets.whole_rows(results, look.size(_ROW_HEIGHT))
        if self._draw_rows(library, look, rows) and lesson.awaits_pattern:
            library.close_browser()
        described = browser.chosen if self._hovered is None else self._hovered
        _draw_foot(described, look, left, bottom, width)
        x = left
        buttons_top = bottom + look.size(88)
        for action, words in ((Action.LEARN, N_("Learn")), (Action.STAR, N_("Star"))):
            x += widgets.draw_key_button(
                look,
                action,
                words,
                x,
                buttons_top,
                tint=theme.MUTED,
                perform=frame.controller.perform,
            ) + look.size(9)
        imgui.end()

    def _draw_rows(self, library: LibraryController, look: Theme, place: Rectangle) -> bool:
        """Draw the visible rows of the results, in a list that scrolls by whole rows.

        Args:
            library: opens, lists, plays and saves patterns.
            look: fonts; `look.size` converts a length at scale 1 to pixels.
            place: place of the list, a whole number of rows high, [pixels].

        Returns:
            Whether a click has chosen a pattern.
        """
        browser = library.browser
        row_height = look.size(_ROW_HEIGHT)
        results = browser.results
        self._hovered = None
        imgui.set_cursor_screen_pos(place.low)
        imgui.begin_child(
            "rows", (place.width, place.height), window_flags=imgui.WindowFlags_.no_nav
        )
        if browser.scroll_to_chosen:
            browser.scroll_to_chosen = False
            widgets.scroll_to_row(max(browser.index, 0), row_height, place.height, by_rows=True)

        # Only rows that are seen are drawn. An empty item as high as all rows tells imgui how far
        # the list scrolls. The list scrolls by whole rows, so the first one is at its upper edge.
        origin = imgui.get_cursor_screen_pos()
        first = round(imgui.get_scroll_y() / row_height)
        visible_count = round(place.height / row_height)
        row_width = place.width - look.size(10)  # beside the scroll bar
        is_clicked = False
        for index in range(first, min(first + visible_count, len(results))):
            top = place.top + (index - first) * row_height
            row = Rectangle(place.left, top, row_width, row_height)
            is_clicked |= self._draw_row(library, look, index, results[index], row)
        imgui.set_cursor_screen_pos((place.left, origin.y))
        imgui.dummy((1, len(results) * row_height))

        if not results:
            has_query = bool(browser.query.strip())
            words = (
                _("No matches. Press Enter to open what you typed.")
                if has_query
                else _("Nothing here yet. Star a pattern to keep it.")
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
        return is_clicked

    def _draw_row(
        self,
        library: LibraryController,
        look: Theme,
        number: int,
        listed: ListedPattern,
        row: Rectangle,
    ) -> bool:
        """Draw a pattern with its star; a click plays it, or stars it.

        Args:
            library: opens, lists, plays and saves patterns.
            look: fonts; `look.size` converts a length at scale 1 to pixels.
            number: index of the results.
            listed: the pattern.
            row: its place, [pixels].

        Returns:
            Whether a click plays it.
        """
        browser = library.browser

        # The star lies on the row, so its button comes first: of two buttons that overlap, imgui
        # gives the mouse to the first.
        star = Rectangle(row.right - look.size(22), row.top, look.size(22), look.size(22))
        star_clicked = widgets.place_button(
            f"star {number}", star, term_tip("star"), tab_stop=False
        )
        star_hovered = imgui.is_item_hovered()
        imgui.set_next_item_allow_overlap()
        target = Rectangle(row.left, row.top, row.width - star.width, row.height - look.size(1))
        row_clicked = widgets.place_button(
            f"row {number}", target, _row_tip(listed), tab_stop=False
        )
        row_hovered = imgui.is_item_hovered() or star_hovered

        text = browser.text_of(listed)
        is_chosen = number == browser.index
        if is_chosen or row_hovered:
            background = Rectangle(row.left, row.top, row.width, row.height - look.size(1))
            fill = theme.FILL if is_chosen else theme.TRACK_HOVERED
            widgets.fill_box(look, background, fill, rounding=6)
        _draw_words(look, listed, row, chosen=is_chosen, awaited=is_chosen and self._awaits_chosen)
        is_favourite = browser.is_favourite(text)
        tint = theme.ACCENT if is_favourite or star_hovered else theme.FAINT
        widgets.draw_star(look, star, filled=is_favourite, tint=tint)
        if row_hovered:
            self._hovered = listed
        if star_clicked:
            browser.star(text)
            return False
        if row_clicked:
            browser.index = number
        return row_clicked and library.play(listed)


def _row_tip(listed: ListedPattern) -> Tip:
    """Return the tags of a pattern; the foot of the card describes it."""
    pattern = listed.pattern
    return (
        Tip(pattern.name, notes=", ".join(map(tag_words, pattern.tags))) if pattern.tags else NO_TIP
    )


def _draw_words(
    look: Theme, listed: ListedPattern, row: Rectangle, *, chosen: bool, awaited: bool
) -> None:
    """Draw the name; below it the throws, the number of props, and the level.

    Args:
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        listed: the pattern; if it is not valid, the reason stands in place of its throws.
        row: its place, [pixels].
        chosen: whether it is the chosen one.
        awaited: whether it will be juggled soon, but is not yet.
    """
    pattern = listed.pattern
    left = row.left + look.size(8)
    name_room = row.width - look.size(32)  # up to the star
    ink = theme.ERROR if listed.reason else theme.ACCENT if chosen else theme.INK
    name = f"{listed.number}  {pattern.name}" if listed.number else pattern.name
    if awaited:
        name = f"→ {name}"
    throws = listed.reason or (pattern.siteswap if pattern.siteswap != pattern.name else "")
    # Below it number and level at the right end, as far as they are known, and in the room that is
    # left the throws.
    top = row.top + look.size(4)
    y = row.top + look.size(22)
    words = counted(pattern.props, "prop") if pattern.props else ""
    words = "  ·  ".join(filter(None, (words, level_words(pattern.difficulty))))
    right = look.text_before(row.right - look.size(8), y, words, theme.MUTED, theme.SMALL)
    name = widgets.ellipsize(look, name, name_room, strong=True)
    throws = widgets.ellipsize(look, throws, right - left - look.size(10), theme.SMALL)
    look.text(left, top, name, ink, strong=True)
    look.text(left, y, throws, theme.MUTED, theme.SMALL)


def _draw_head(
    library: LibraryController, look: Theme, left: float, y: float, width: float, title: str
) -> float:
    """Draw the title, the number of results, a button to another list, and a cross.

    From a file the button leads back to the library, and from the library on to the generator.

    Args:
        library: opens, lists, plays and saves patterns.
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        left, y, width: left edge, top and width of the head, [pixels].
        title: title of the library; a file has its name instead.

    Returns:
        The lower edge of the head, [pixels].
    """
    browser = library.browser
    title = Path(browser.file).name if browser.file else title
    title_width = look.measure(title, widgets.TITLE_SIZE, strong=True).width
    cross_side = look.size(22)
    button_text = _("Library") if browser.file else _("Generate")
    button_width = look.measure(button_text, theme.SMALL).width + look.size(12)
    room = width - cross_side - button_width - look.size(8)  # of title and count

    # The number of results, from the longest text to the shortest. The first one beside which the
    # title fits whole is taken, or else the last. A title that is a file name may be cut, so that
    # it always takes the first.
    result_count = len(browser.results)
    total = len(browser.entries)
    count_texts = [f"{result_count}"]
    if browser.is_filtered:
        words = _("{count} of {count2}", count=result_count, count2=total)
        count_texts = [words, f"{result_count} / {total}", *count_texts]
    count_text = count_texts[0]
    count_width = 0.0
    for count_text in count_texts:
        count_width = look.measure(count_text, theme.SMALL).width + look.size(10)
        if browser.file or title_width <= room - count_width:
            break

    title = widgets.ellipsize(look, title, room - count_width, widgets.TITLE_SIZE, strong=True)
    look.text(left + look.size(2), y, title, theme.INK, widgets.TITLE_SIZE, strong=True)
    x = left + look.size(10) + look.measure(title, widgets.TITLE_SIZE, strong=True).width
    look.text(x, y + look.size(2), count_text, theme.MUTED, theme.SMALL)

    right = left + width - cross_side
    tip = term_tip("library" if browser.file else "generate")
    if _word_button(look, button_text, right - button_width, y + look.size(1), tip):
        if browser.file:
            browser.list_library()
            browser.wants_focus = True
        else:
            library.generator.toggle()
    if widgets.draw_cross(look, right, y - look.size(1), cross_side):
        library.close_browser()
    return y + look.size(widgets.TITLE_HEIGHT)


def _word_button(look: Theme, words: str, x: float, y: float, tip: Tip) -> bool:
    """Draw words as a button; return whether it was pressed."""
    pressed = widgets.place_button(words, Rectangle(x, y, *look.measure(words, theme.SMALL)), tip)
    look.text(x, y, words, theme.ACCENT, theme.SMALL, strong=imgui.is_item_hovered())
    return pressed


def _draw_field(browser: Browser, look: Theme, place: Rectangle) -> float:
    """Draw the search field, and search for what is typed; return its lower edge, [pixels].

    Args:
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        place: area to draw into, [pixels] in the window.
    """
    widgets.fill_box(look, place, theme.FIELD, rounding=8)
    # imgui owns the text of a field while one types in it, and ignores changes from outside. A
    # field of another name is a new one, which takes our text: so a cleared query gets a new name.
    name = f"seek {browser.query_resets}"
    takes_focus = browser.wants_focus
    browser.wants_focus = False
    hint = _("Name, tag, props or throws")
    tip = term_tip("search")
    _entered, query = widgets.draw_field(
        look, name, browser.query, place, takes_focus=takes_focus, hint=hint, text_size=15, tip=tip
    )
    browser.search(query)
    widgets.outline_box(
        look, place, theme.ACCENT if imgui.is_item_active() else theme.LINE, rounding=8
    )
    return place.bottom


def _draw_filters(
    library: LibraryController, look: Theme, left: float, y: float, width: float
) -> float:
    """Draw the four filters in two rows; return their lower edge, [pixels].

    A left click opens the options of a filter, a right click resets it.

    Args:
        library: opens, lists, plays and saves patterns.
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        left, y, width: left edge, top and width of the rows, [pixels].
    """
    gap = look.size(5)
    chip_height = look.size(_CHIP_HEIGHT)
    chip_width = (width - gap) / 2
    for number, chip_filter in enumerate(library.browser.filters):
        row, column = divmod(number, 2)
        x = left + column * (chip_width + gap)
        top = y + row * (chip_height + gap)
        place = Rectangle(x, top, chip_width, chip_height)
        library.place_drop_down(f"filter {number}", place)
        clicked = draw_filter_chip(look, chip_filter, number, place)
        if clicked == imgui.MouseButton_.left:
            library.open_filter(number)
        elif clicked == imgui.MouseButton_.right:
            library.browser.choose_filter(number, 0)  # option 0 lets everything through
    return y + 2 * chip_height + gap


def _draw_suggestion(
    library: LibraryController, look: Theme, left: float, y: float, width: float
) -> float:
    """Draw the name that a mistyped query probably means; return its lower edge, [pixels].

    A click plays that pattern.

    Args:
        library: opens, lists, plays and saves patterns.
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        left, y, width: left edge, top and width of the line, [pixels].
    """
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


def draw_filter_chip(look: Theme, chip_filter: Filter, number: int, place: Rectangle) -> int | None:
    """Draw a filter with its chosen option, in colour if it does not let everything through.

    Args:
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        chip_filter: the filter.
        number: index of the browser's filters.
        place: place of the chip, [pixels].

    Returns:
        The mouse button by which it was clicked; None if it was not.
    """
    name, action = _FILTERS[number]
    pressed = widgets.place_opener(f"filter {number}", place, term_tip(name, action=action))
    clicked = imgui.MouseButton_.left if pressed else None
    hovered = imgui.is_item_hovered()
    if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
        clicked = imgui.MouseButton_.right
    is_set = bool(chip_filter.index)
    fill = theme.TRACK_HOVERED if hovered else theme.TRACK
    widgets.fill_box(look, place, theme.FILL if is_set else fill)
    ink = theme.ACCENT if is_set else theme.INK

    # An option that is too long is written smaller, and cut if it still is too long.
    room = place.width - look.size(30)
    label = chip_filter.words(chip_filter.option)
    text_size = (
        theme.SMALL if look.measure(label, theme.SMALL, strong=is_set).width <= room else _TINY_SIZE
    )
    words = widgets.ellipsize(look, label, room, text_size, strong=is_set)
    y = place.top + (place.height - look.size(text_size)) / 2 - look.size(1)
    look.text(place.left + look.size(9), y, words, ink, text_size, strong=is_set)
    widgets.draw_chevron(
        look, place.right - look.size(13), place.middle, ink if hovered else theme.MUTED
    )
    return clicked


def _draw_foot(
    listed: ListedPattern | None, look: Theme, left: float, y: float, width: float
) -> None:
    """Draw the description of a pattern, and what keys do.

    Args:
        listed: the pattern; None for a hint about keys of the filters.
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        left, y, width: left edge, top and width of the foot, [pixels].
    """
    draw = imgui.get_window_draw_list()
    draw.add_line((left, y), (left + width, y), theme.LINE, look.size(1))

    # A description of too many lines is written in a smaller font, of which more lines have room in
    # the same height; it is cut if it still has too many. To detect that, `wrap` is called with one
    # line more than has room.
    words = (listed.reason or listed.pattern.shown_description) if listed else _FILTER_KEYS
    room = width - look.size(4)
    text_size = theme.SMALL
    line_height = 17.0
    max_lines = _MAX_ABOUT_LINES + 1
    if len(widgets.wrap(look, words, room, max_lines)) > _MAX_ABOUT_LINES:
        text_size = _TINY_SIZE
        line_height = 13.0
        max_lines = int(_MAX_ABOUT_LINES * 17 / line_height) + 1
    for index, line in enumerate(widgets.wrap(look, words, room, max_lines, text_size)):
        top = y + look.size(6 + line_height * index)
        look.text(left + look.size(2), top, line, theme.MUTED, text_size)

    # Keys with what they do, as many as fit the width.
    x = left
    y = y + look.size(62)
    for caps, label in (
        ((caption(Action.CHOOSE_PREVIOUS), caption(Action.CHOOSE_NEXT)), _("Play")),
        ((caption(Action.TYPE_VALUE),), _("Done")),
        ((caption(Action.BACK),), _("Close")),
    ):
        label_width = look.measure(label, theme.SMALL).width
        hint_width = (
            sum(widgets.keycap_width(look, cap) + look.size(3) for cap in caps) + label_width
        )
        if x + hint_width + look.size(3) > left + width:
            break  # the last one, which closes the card, can be missed: a cross does so, too
        for cap in caps:
            x += widgets.draw_keycap(look, cap, x, y, tint=theme.MUTED) + look.size(3)
        look.text(x + look.size(3), y + look.size(3), label, theme.MUTED, theme.SMALL)
        x += label_width + look.size(9)
