"""The library browser's card: a search field, four filters, and the patterns found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from imgui_bundle import imgui

from juggle_anim.errors import counted
from juggle_anim.language import N_, _
from juggle_anim.notation import ListedPattern, tag_words
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, draw_text_before, measure, px
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.browser import Browser, Filter, level_words
from juggle_anim.viewer.state.keymap import NO_TIP, Action, Tip, caption, term_tip
from juggle_anim.viewer.state.library import LibraryController

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 40.0
_CHIP_HEIGHT = 26.0
_FIELD_HEIGHT = 34.0
_FOOT_HEIGHT = 117.0
# lines of a description, and the size of words that are too long at the usual one
_MAX_ABOUT_LINES = 3
_TINY_SIZE = 10.5
_CHIP_PADDING = 9.0  # left of the words of a filter chip
_CHEVRON_OFFSET = 13.0  # from the right edge of a chip to the middle of its chevron
_CHIP_MARGINS = 30.0  # beside the words: the padding and the chevron with its gaps
_FILTER_KEYS = N_("Narrow the list with the menus above it (Ctrl+1 to Ctrl+4).")
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

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: title, search field, filters, results, and the chosen pattern below.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        library = frame.controller.library
        model = frame.controller.model
        # Whether a transition to the chosen pattern is under way: its row then has an arrow. The
        # pattern line shows transitions as well, but this card covers it.
        self._awaits_chosen = bool(model.live.transition_texts(model.playback.clock))
        ui.begin_card(self.name, place)
        pad = px(10)
        browser = library.browser
        left = place.left + pad
        width = place.width - 2 * pad

        # From the top down; each part returns its lower edge.
        y = place.top + pad
        lesson = frame.controller.lesson
        title = _("Choose a lesson") if lesson.awaits_pattern else _("Library")
        y = _draw_head(library, left, y, width, title)
        y = _draw_field(browser, Rectangle(left, y, width, px(_FIELD_HEIGHT))) + px(6)
        y = _draw_filters(library, left, y, width) + px(4)
        if browser.suggestion:
            y = _draw_suggestion(library, left, y, width)

        # The results take the space down to the foot. The foot describes the pattern under the
        # mouse, which `_draw_rows` sets as `_hovered`, or else the chosen one.
        bottom = place.bottom - px(_FOOT_HEIGHT)
        results = Rectangle(left, y, width, bottom - y)
        if self._draw_rows(library, results) and lesson.awaits_pattern:
            library.close_browser()
        described = browser.chosen if self._hovered is None else self._hovered
        _draw_foot(described, left, bottom, width, clears=browser.is_filtered)
        # Buttons at the end of the foot.
        keys = ((Action.LEARN, N_("Learn")), (Action.STAR, N_("Star")))
        ui.draw_keys(keys, left, bottom + px(88), width, frame.controller.perform)
        imgui.end()

    def _draw_rows(self, library: LibraryController, place: Rectangle) -> bool:
        """Draw the visible rows of the results, in a list that scrolls by whole rows.

        Args:
            library: opens, lists, plays and saves patterns.
            place: place of the list, [pixels].

        Returns:
            Whether a click has chosen a pattern.
        """
        browser = library.browser
        results = browser.results
        self._hovered = None
        is_clicked = False
        for index, row in ui.list_rows(
            "rows", browser, browser.index, len(results), place, px(_ROW_HEIGHT), by_rows=True
        ):
            is_clicked |= self._draw_row(library, index, results[index], row)
        if not results:
            has_query = bool(browser.query.strip())
            words = (
                _("No matches. Press Enter to open what you typed.")
                if has_query
                else _("Nothing here yet. Star a pattern to keep it.")
            )
            draw_text(
                place.left + px(6),
                place.top + px(8),
                words,
                ui.MUTED,
                wrap=place.width - px(12),
            )
        return is_clicked

    def _draw_row(
        self,
        library: LibraryController,
        number: int,
        listed: ListedPattern,
        row: Rectangle,
    ) -> bool:
        """Draw the row of a pattern; a click plays it, and one on its star marks a favourite.

        Also sets `_hovered` if the mouse is on the row, for the foot to describe the pattern.

        Args:
            library: opens, lists, plays and saves patterns.
            number: index of the pattern in the results.
            listed: the pattern.
            row: place of the row, [pixels].

        Returns:
            Whether a click has played the pattern, which fails if the pattern is not valid.
        """
        browser = library.browser

        # The star lies on the row, so its button comes first: of two buttons that overlap, imgui
        # gives the mouse to the first.
        star = Rectangle(row.right - px(22), row.top, px(22), px(22))
        star_clicked = ui.place_button(f"star {number}", star, term_tip("star"), tab_stop=False)
        star_hovered = imgui.is_item_hovered()
        imgui.set_next_item_allow_overlap()
        background = replace(row, height=row.height - px(1))
        beside_star = replace(background, width=row.width - star.width)
        row_clicked = ui.place_button(
            f"row {number}", beside_star, _row_tip(listed), tab_stop=False
        )
        row_hovered = imgui.is_item_hovered() or star_hovered

        text = browser.text_of(listed)
        is_chosen = number == browser.index
        ui.fill_row(background, chosen=is_chosen, lit=row_hovered)
        _draw_words(listed, row, chosen=is_chosen, awaited=is_chosen and self._awaits_chosen)
        is_favourite = browser.is_favourite(text)
        tint = ui.ACCENT if is_favourite or star_hovered else ui.FAINT
        ui.draw_star(star, filled=is_favourite, tint=tint)
        if row_hovered:
            self._hovered = listed
        if star_clicked:
            library.star_text(text)
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


def _draw_words(listed: ListedPattern, row: Rectangle, *, chosen: bool, awaited: bool) -> None:
    """Draw the text of a row: the name of a pattern, and its throws and other facts below.

    The facts are the numbers of people and props, and the level of difficulty.

    Args:
        listed: the pattern; if it is not valid, the reason stands in place of its throws.
        row: place of the row, [pixels].
        chosen: whether it is the chosen pattern.
        awaited: whether it is about to be juggled, after a transition; an arrow marks it.
    """
    pattern = listed.pattern
    left = row.left + px(8)
    name_room = row.width - px(32)  # up to the star
    ink = ui.ACCENT if chosen else ui.INK
    if listed.reason:
        ink = ui.ERROR
    name = f"{listed.number}  {pattern.name}" if listed.number else pattern.name
    if awaited:
        name = f"→ {name}"
    # Many a pattern is named after its throws, which then need not be repeated.
    throws = listed.reason or (pattern.siteswap if pattern.siteswap != pattern.name else "")
    # Below the name, number of props and level at the right end, as far as they are known, and the
    # throws in the room that is left.
    top = row.top + px(4)
    y = row.top + px(22)
    count_words = counted(pattern.props, "prop") if pattern.props else ""
    people_words = counted(pattern.jugglers, "juggler") if pattern.jugglers > 1 else ""
    known_words = filter(None, (people_words, count_words, level_words(pattern.difficulty)))
    right = draw_text_before(row.right - px(8), y, "  ·  ".join(known_words), ui.MUTED)
    name = ui.ellipsize(name, name_room, ui.TEXT, strong=True)
    throws = ui.ellipsize(throws, right - left - px(10))
    draw_text(left, top, name, ink, ui.TEXT, strong=True)
    draw_text(left, y, throws, ui.MUTED)


def _draw_head(
    library: LibraryController, left: float, y: float, width: float, title: str
) -> float:
    """Draw the title, the number of results, a button to another list, and a cross.

    From a file the button leads back to the library, and from the library on to the generator.

    Args:
        library: opens, lists, plays and saves patterns.
        left, y, width: left edge, top and width of the head, [pixels].
        title: title of the library; a file has its name instead.

    Returns:
        The lower edge of the head, [pixels].
    """
    browser = library.browser
    title = Path(browser.file).name if browser.file else title
    title_width = measure(title, ui.TITLE_SIZE, strong=True).width
    cross_side = px(22)
    button_text = _("Library") if browser.file else _("Generate")
    button_width = measure(button_text).width + px(12)
    room = width - cross_side - button_width - px(8)  # for title and number of results
    count_text = _count_text(browser, room - title_width - px(10))
    count_width = measure(count_text).width + px(10)
    title = ui.ellipsize(title, room - count_width, ui.TITLE_SIZE, strong=True)
    draw_text(left + px(2), y, title, ui.INK, ui.TITLE_SIZE, strong=True)
    x = left + px(10) + measure(title, ui.TITLE_SIZE, strong=True).width
    draw_text(x, y + px(2), count_text, ui.MUTED)

    right = left + width - cross_side
    tip = term_tip("library" if browser.file else "generate")
    if ui.draw_link(button_text, button_text, right - button_width, y + px(1), tip):
        if browser.file:
            browser.list_library()
            browser.wants_focus = True
        else:
            library.generator.toggle()
    if ui.draw_cross(right, y - px(1), cross_side):
        library.close_browser()
    return y + px(ui.TITLE_HEIGHT)


def _count_text(browser: Browser, room: float) -> str:
    """Return the number of results as the longest text that fits, or else as the shortest.

    Args:
        browser: the library, or a file of patterns, with the results of a search.
        room: width beside the whole title, [pixels]. Beside the name of a file, which may be cut,
            the longest text is returned in any case.
    """
    result_count = len(browser.results)
    shortest = f"{result_count}"
    if not browser.is_filtered:
        return shortest
    total = len(browser.entries)
    longest = _("{count} of {count2}", count=result_count, count2=total)
    if browser.file:
        return longest
    texts = (longest, f"{result_count} / {total}")
    return next((text for text in texts if measure(text).width <= room), shortest)


def _draw_field(browser: Browser, place: Rectangle) -> float:
    """Draw the search field, and search for what is typed; return its lower edge, [pixels].

    Args:
        place: area to draw into, [pixels] in the window.
    """
    ui.fill_box(place, ui.FIELD, rounding=8)
    # While one types in a field, imgui keeps the text itself and ignores that passed to it. A field
    # with another name is a new one to imgui, and starts with the text passed. So the name changes
    # whenever the query is cleared.
    name = f"seek {browser.query_resets}"
    takes_focus = browser.wants_focus
    browser.wants_focus = False
    hint = _("Name, tag, props or throws")
    tip = term_tip("search")
    _entered, query = ui.draw_field(
        name, browser.query, place, takes_focus=takes_focus, hint=hint, text_size=15, tip=tip
    )
    browser.search(query)
    ui.outline_box(place, ui.ACCENT if imgui.is_item_active() else ui.LINE, rounding=8)
    return place.bottom


def _draw_filters(library: LibraryController, left: float, y: float, width: float) -> float:
    """Draw the four filters in two rows; return their lower edge, [pixels].

    A left click opens the options of a filter, a right click resets it.

    Args:
        library: opens, lists, plays and saves patterns.
        left, y, width: left edge, top and width of the rows, [pixels].
    """
    gap = px(5)
    chip_height = px(_CHIP_HEIGHT)
    chip_width = (width - gap) / 2
    for number, chip_filter in enumerate(library.browser.filters):
        row, column = divmod(number, 2)
        x = left + column * (chip_width + gap)
        top = y + row * (chip_height + gap)
        place = Rectangle(x, top, chip_width, chip_height)
        library.place_drop_down(f"filter {number}", place)
        clicked = draw_filter_chip(chip_filter, number, place)
        if clicked == imgui.MouseButton_.left:
            library.open_filter(number)
        elif clicked == imgui.MouseButton_.right:
            library.browser.choose_filter(number, 0)  # option 0 lets everything through
    return y + 2 * chip_height + gap


def _draw_suggestion(library: LibraryController, left: float, y: float, width: float) -> float:
    """Draw the name that a mistyped query probably means; return its lower edge, [pixels].

    A click plays that pattern.

    Args:
        library: opens, lists, plays and saves patterns.
        left, y, width: left edge, top and width of the line, [pixels].
    """
    room = width - px(16)
    words = ui.ellipsize(
        _("Did you mean {suggestion}?", suggestion=library.browser.suggestion),
        room,
        strong=True,
    )
    if ui.draw_link(words, words, left + px(8), y + px(2), term_tip("suggestion")):
        library.play(library.browser.take_suggestion())
    return y + px(26)


def draw_filter_chip(chip_filter: Filter, number: int, place: Rectangle) -> int | None:
    """Draw a filter as a chip with its chosen option, and return the button that clicked it.

    The chip has the accent colour if the filter hides some patterns.

    Args:
        chip_filter: the filter.
        number: index of the filter in `_FILTERS`, which has its name and its key.
        place: place of the chip, [pixels].

    Returns:
        The mouse button, left or right, that clicked the chip; None if none did.
    """
    name, action = _FILTERS[number]
    pressed = ui.place_opener(f"filter {number}", place, term_tip(name, action=action))
    clicked = imgui.MouseButton_.left if pressed else None
    hovered = imgui.is_item_hovered()
    if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
        clicked = imgui.MouseButton_.right
    is_set = bool(chip_filter.index)  # option 0 lets all patterns through
    fill = ui.TRACK_HOVERED if hovered else ui.TRACK
    ui.fill_box(place, ui.FILL if is_set else fill)
    ink = ui.ACCENT if is_set else ui.INK

    # An option that is too long is written smaller, and cut if it still is too long.
    room = place.width - px(_CHIP_MARGINS)
    label = chip_filter.words(chip_filter.option)
    fits = measure(label, strong=is_set).width <= room
    text_size = ui.SMALL if fits else _TINY_SIZE
    words = ui.ellipsize(label, room, text_size, strong=is_set)
    y = ui.line_top(place, text_size)
    draw_text(place.left + px(_CHIP_PADDING), y, words, ink, text_size, strong=is_set)
    ui.draw_chevron(place.right - px(_CHEVRON_OFFSET), place.middle, ink if hovered else ui.MUTED)
    return clicked


def _draw_foot(
    listed: ListedPattern | None, left: float, y: float, width: float, *, clears: bool
) -> None:
    """Draw a rule, below it the description of a pattern, and below that what some keys do.

    Args:
        listed: the pattern; None for a hint about keys of the filters.
        left, y, width: left edge, top and width of the foot, [pixels].
        clears: whether Escape clears the search, and does not close the card yet.
    """
    ui.draw_rule(left, y, width)
    words = (listed.reason or listed.pattern.shown_description) if listed else _FILTER_KEYS
    _draw_description(words, left, y, width)

    # Keys with what they do, as many as fit the width.
    x = left
    y += px(62)
    for caps, label in (
        ((caption(Action.CHOOSE_PREVIOUS), caption(Action.CHOOSE_NEXT)), _("Play")),
        ((caption(Action.TYPE_VALUE),), _("Done")),
        ((caption(Action.BACK),), _("Clear") if clears else _("Close")),
    ):
        label_width = measure(label).width
        hint_width = sum(ui.keycap_width(cap) + px(3) for cap in caps) + label_width
        if x + hint_width + px(3) > left + width:
            break  # the last hint, on closing the card, can be missed: there is a cross as well
        for cap in caps:
            x += ui.draw_keycap(cap, x, y, tint=ui.MUTED) + px(3)
        draw_text(x + px(3), y + px(3), label, ui.MUTED)
        x += label_width + px(9)


def _draw_description(words: str, left: float, y: float, width: float) -> None:
    """Draw a description in the few lines of the foot, in a smaller font if it is long.

    Args:
        words: the description.
        left, y, width: left edge, top and width of the foot, [pixels].
    """
    # A description of too many lines is written in a smaller font, of which more lines have room in
    # the same height; it is cut if it still has too many. To detect that, `wrap` is called with one
    # line more than has room.
    room = width - px(4)
    text_size = ui.SMALL
    usual_height = 17.0
    line_height = usual_height
    max_lines = _MAX_ABOUT_LINES + 1
    if len(ui.wrap(words, room, max_lines)) > _MAX_ABOUT_LINES:
        text_size = _TINY_SIZE
        line_height = 13.0
        max_lines = int(_MAX_ABOUT_LINES * usual_height / line_height) + 1
    for index, line in enumerate(ui.wrap(words, room, max_lines, text_size)):
        top = y + px(6 + line_height * index)
        draw_text(left + px(2), top, line, ui.MUTED, text_size)
