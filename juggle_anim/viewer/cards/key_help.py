"""The help: all keys and what they do, over the whole window; a click on a line performs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from imgui_bundle import imgui

from juggle_anim.language import N_, _, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, draw_text_before, measure, px
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.panel.controls import pack_groups
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import (
    HELP,
    NO_TIP,
    Action,
    Binding,
    FixedKey,
    HelpLine,
    chords,
    help_tip,
    present_bindings,
)

COLUMN_WIDTH = 292.0
KEYS_WIDTH = 118.0
LINE_MARGIN = 6.0
"""Of a column, of the keys in its lines, and around a line within its highlight, at scale 1,
[pixels].
"""

# Sizes of the card at scale 1, [pixels].
_LINE_HEIGHT = 22.0
_HEAD_HEIGHT = 24.0
_GROUP_GAP = 9.0
_PAD = 18.0
_FOOT_HEIGHT = 27.0
_MAX_COLUMNS = 4  # a wider sheet is slower to read
_HINT = N_("Click a line or key to use it")

GAP = 4.0
"""Between two keys, at scale 1, [pixels]."""


class KeyHelp(Card):
    """The help over the whole window; a click beside its sheet closes it."""

    name = "help"
    slot = Slot.WINDOW

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw a page of the help over the darkened window; a click beside it closes it.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        controller = frame.controller
        ui.begin_cover(self.name, place)
        ui.fill_box(place, ui.VEIL, rounding=0)
        sheet = _draw_sheet(controller, frame.layout)
        # These come after the buttons of the lines: of buttons that overlap, imgui gives the mouse
        # to the first. The sheet is a button that does nothing, so that only a click beside it
        # closes the help.
        ui.place_button("sheet", sheet, NO_TIP, tab_stop=False)
        if ui.place_button("beside", place, NO_TIP, tab_stop=False):
            controller.model.cards.help_shown = False
        ui.end_cover()


def perform_from_help(controller: Controller, action: Action) -> None:
    """Close the help, and perform the action of one of its lines.

    The action that turns pages leaves the help open.

    Args:
        controller: holds the model, and performs actions.
        action: action of the line that was clicked.
    """
    if action is Action.TOGGLE_HELP:
        controller.perform(action)
        return
    controller.model.cards.help_shown = False
    if action is not Action.BACK:  # which would close the help, as has just been done
        controller.perform(action)
        # With keys, a step of undo ends as the key comes up. A click has no such end, so the step
        # ends here.
        controller.model.undo.end_step()


def place_action_button(
    controller: Controller, action: Action, name: str, place: Rectangle
) -> bool:
    """Make a place, [pixels], a button for an action; return whether the mouse is over it."""
    if ui.place_button(name, place, help_tip(action, name), tab_stop=False):
        perform_from_help(controller, action)
    return imgui.is_item_hovered()


def _draw_sheet(controller: Controller, layout: Layout) -> Rectangle:
    """Draw a page of the help in the middle of the window.

    Also sets `help_pages.count`, the number of pages, which depends on the size of the window.

    Args:
        controller: holds the model, and performs actions.
        layout: places in the window, [pixels].

    Returns:
        The place of the sheet, [pixels].
    """
    # As many columns as fit side by side, and the groups of lines packed into them; at scale 1.
    column_count = min(max(int((layout.width / ui.SCALE - _PAD) / COLUMN_WIDTH), 1), _MAX_COLUMNS)
    column_height = layout.height / ui.SCALE - 2 * _PAD - _FOOT_HEIGHT - 8
    pages = _pages(column_height, column_count, ui.SCALE, language(), present_bindings())
    controller.model.help_pages.count = len(pages)
    columns = pages[min(controller.model.help_pages.first, len(pages) - 1)]

    # The sheet has the size that the largest page needs, on all pages, so that its buttons stay in
    # place as one turns pages.
    tallest = max(_height(groups) for page in pages for groups in page)
    width = px(max(map(len, pages)) * COLUMN_WIDTH + 2 * _PAD)
    height = px(tallest + _FOOT_HEIGHT + 2 * _PAD)
    left = (layout.width - width) / 2
    top = (layout.height - height) / 2
    sheet = Rectangle(left, top, width, height)
    pad = px(_PAD)
    ui.fill_box(sheet, ui.SHEET, rounding=14)
    for number, column in enumerate(columns):
        _draw_column(controller, column, left + pad + px(number * COLUMN_WIDTH), top + pad)
    _draw_foot(
        controller,
        Rectangle(left + pad, top + height - px(34), width - 2 * pad, px(20)),
    )
    return sheet


@lru_cache(maxsize=8)
def _pages(
    room: float, max_columns: int, scale: float, _language: str, _bindings: tuple[Binding, ...]
) -> tuple[list[list[LineGroup]], ...]:
    """Return the groups of lines in each column of each page of the help.

    A line tells what a key does. The result is cached, as the help is drawn in every frame.

    Args:
        room: height of a column, at scale 1, [pixels].
        max_columns: columns of a page, at most.
        scale: pixels of the screen for a pixel at scale 1.
        _language: the present language; part of the cache key only.
        _bindings: the present keys; part of the cache key only.
    """
    groups = help_groups(lambda cap: key_width(cap) / scale, KEYS_WIDTH - LINE_MARGIN)
    fitting_groups = split_groups(groups, _height, room)
    return tuple(pack_groups(fitting_groups, _height, room, max_columns))


def _draw_foot(controller: Controller, place: Rectangle) -> None:
    """Draw the buttons that turn pages and close the help, and a hint at the right.

    Args:
        controller: holds the model, and performs actions.
        place: place of the row of buttons, [pixels].
    """
    pages = controller.model.help_pages
    buttons = [(Action.BACK, N_("Close")), (Action.PALETTE, N_("Search"))]
    if pages.count > 1:
        page_words = _("page {page} of {count}", page=pages.first + 1, count=pages.count)
        buttons.insert(0, (Action.TOGGLE_HELP, page_words))
    x = place.left
    perform = partial(perform_from_help, controller)
    for action, words in buttons:
        x += ui.draw_key_button(action, words, x, place.top, tint=ui.MUTED, perform=perform) + px(
            14
        )
    if x + measure(_HINT).width < place.right:
        draw_text_before(place.right, place.top + px(3), _HINT, ui.MUTED)


def _height(groups: Sequence[LineGroup]) -> float:
    """Return the height of groups below each other, at scale 1, [pixels]."""
    lines = sum(len(line.rows) or 1 for group in groups for line in group.lines)
    return _HEAD_HEIGHT * len(groups) + _LINE_HEIGHT * lines + _GROUP_GAP * (len(groups) - 1)


def _draw_column(controller: Controller, groups: Sequence[LineGroup], x: float, y: float) -> None:
    """Draw groups of lines below each other, each under its title.

    Args:
        controller: performs the actions of lines.
        groups: groups of the column.
        x, y: upper left corner, [pixels].
    """
    for group in groups:
        draw_text(x, y, group.title, ui.ACCENT, ui.TEXT, strong=True)
        y += px(_HEAD_HEIGHT)
        for line in group.lines:
            # Keys may need several rows; a gesture of the mouse has none, and takes one.
            height = px(_LINE_HEIGHT * max(len(line.rows), 1))
            place = Rectangle(x, y, px(COLUMN_WIDTH - 2 * LINE_MARGIN), height)
            _draw_line(controller, line, place)
            y += height
        y += px(_GROUP_GAP)


def _draw_line(controller: Controller, line: Line, place: Rectangle) -> None:
    """Draw a line: its keys or mouse gesture, and what they do.

    A click on the line performs its action. A line whose keys have different actions has none
    itself: then a click on one of these keys performs that key's action.

    Args:
        controller: performs actions.
        line: line to draw.
        place: place of the line, [pixels].
    """
    margin = px(LINE_MARGIN)
    x = place.left
    y = place.top
    background = Rectangle(x - margin, y - px(1), place.width + margin, place.height)
    is_lit = line.action is not None and place_action_button(
        controller, line.action, line.words, background
    )
    if is_lit:
        ui.fill_box(background, ui.FILL_CHOSEN, rounding=6)
    draw_text(x, y + px(3), line.mouse, strong=True)
    row_height = px(_LINE_HEIGHT)
    for index, row in enumerate(line.rows):
        row_top = y + px(index * _LINE_HEIGHT)
        # A line without an action of its own has keys that do different things.
        if line.action:
            _draw_keys(row, x, row_top, lit=is_lit)
        else:
            row_place = Rectangle(x, row_top, place.width, row_height)
            _draw_single_keys(controller, row, row_place)
    tint = ui.INK if is_lit else ui.MUTED
    draw_text(x + px(KEYS_WIDTH), y + px(3), line.words, tint)


def _draw_keys(row: Sequence[Cap], x: float, y: float, *, lit: bool) -> None:
    """Draw keys beside each other; `lit` tells whether they stand out."""
    for cap in row:
        _draw_cap(cap, x, y, ui.ACCENT if lit else None, lit=lit)
        x += key_width(cap) + px(GAP)


def _draw_single_keys(controller: Controller, row: Sequence[Cap], place: Rectangle) -> None:
    """Draw keys that are clicked one by one, in colour while the mouse is on their line.

    Args:
        controller: performs their actions.
        row: the keys; those without an action are words between others.
        place: place of the whole line, [pixels].
    """
    x = place.left
    y = place.top
    half_gap = px(GAP / 2)
    is_line_hovered = imgui.is_mouse_hovering_rect((x, y), (x + place.width, y + place.height))
    for cap in row:
        cap_width = key_width(cap)
        is_hovered = False
        if cap.action:
            # The buttons of neighbouring keys touch, so that no click falls between two keys.
            spot = Rectangle(x - half_gap, y - px(1), cap_width + 2 * half_gap, place.height)
            name = f"{cap.action.name} {cap.words}"
            is_hovered = place_action_button(controller, cap.action, name, spot)
        tint = ui.ACCENT if is_line_hovered and cap.action else None
        _draw_cap(cap, x, y, tint, lit=is_hovered)
        x += cap_width + 2 * half_gap


def _draw_cap(cap: Cap, x: float, y: float, tint: int | None, *, lit: bool) -> None:
    """Draw a key, or a word between two keys."""
    if cap.is_key:
        ui.draw_keycap(cap.words, x, y, tint=tint, lit=lit)
    else:
        draw_text(x, y + px(3), cap.words, ui.MUTED)


def key_width(cap: Cap) -> float:
    """Return the width of a key, or of a word between two keys, [pixels]."""
    return ui.keycap_width(cap.words) if cap.is_key else measure(cap.words).width


@dataclass(frozen=True)
class Cap:
    """A key in a line, or a word between two keys.

    Args:
        words: on it.
        action: what a click on it does; None if that is up to its line or to other keys of the
            line.
        is_key: whether it is a key, and not a word.
    """

    words: str
    action: Action | None = None
    is_key: bool = True


@dataclass(frozen=True)
class Line:
    """A line of the help.

    Args:
        rows: rows of its keys, one below the other; none if it is about the mouse.
        words: what the keys do.
        mouse: what to do with the mouse, or nothing.
        action: what a click anywhere on it does; None if its keys do different things, or none.
    """

    rows: tuple[tuple[Cap, ...], ...]
    words: str
    mouse: str = ""
    action: Action | None = None


@dataclass(frozen=True)
class LineGroup:
    """A group of lines under their title."""

    title: str
    lines: tuple[Line, ...]


Width = Callable[[Cap], float]
"""Returns the width of a key or word, at scale 1, [pixels]."""


def help_groups(width_of: Width, room: float) -> list[LineGroup]:
    """Return all groups, with the present keys.

    Args:
        width_of: returns the width of a key or word, at scale 1, [pixels].
        room: width for the keys of a line, at scale 1, [pixels].
    """
    return [
        LineGroup(title, tuple(_line(line, width_of, room) for line in lines))
        for title, lines in HELP.items()
    ]


def split_groups(
    groups: Sequence[LineGroup], height: Callable[[Sequence[LineGroup]], float], room: float
) -> list[LineGroup]:
    """Split each group that is higher than a column into several, each under the same title.

    Args:
        groups: groups to split.
        height: returns the height of some groups below each other.
        room: height of a column, in the same unit.
    """
    parts = []
    for group in groups:
        part: tuple[Line, ...] = ()
        for line in group.lines:
            if part and height([LineGroup(group.title, (*part, line))]) > room:
                parts.append(LineGroup(group.title, part))
                part = ()
            part = (*part, line)
        parts.append(LineGroup(group.title, part))
    return parts


def _line(line: HelpLine, width_of: Width, room: float) -> Line:
    """Return a line of the help as it is drawn."""
    keys, words = line
    if isinstance(keys, str):
        return Line((), words, mouse=keys)
    if isinstance(keys, FixedKey):
        return Line(((Cap(_(keys.name)),),), words)
    return Line(
        tuple(key_rows(keys, width_of, room)), words, action=keys[0] if len(keys) == 1 else None
    )


def key_rows(actions: tuple[Action, ...], width_of: Width, room: float) -> list[tuple[Cap, ...]]:
    """Return the keys of some actions in rows, as a line of the help shows them.

    Args:
        actions: actions of a line of the help.
        width_of: returns the width of a key.
        room: width of a row, in the same unit; a single chord may be wider.
    """
    # A chord is the names of its keys, modifiers first: Ctrl, Shift, Z. Each action has at least
    # one.
    first_chords = [chords(action)[0] for action in actions]
    # If any action has several chords, each action gets rows of its own, so that it is clear which
    # keys do the same.
    if any(len(chords(action)) > 1 for action in actions):
        return [
            row for action in actions for row in _wrapped(_alternatives(action), width_of, room)
        ]

    # Modifiers that all have in common are drawn once.
    modifiers = first_chords[0][:-1]
    if len(actions) > 1 and modifiers and all(names[:-1] == modifiers for names in first_chords):
        return _wrapped(_with_shared_modifiers(actions, modifiers), width_of, room)
    whole_chords = [
        [Cap(name, action) for name in names]
        for action, names in zip(actions, first_chords, strict=True)
    ]
    return _wrapped(whole_chords, width_of, room)


def _alternatives(action: Action) -> list[list[Cap]]:
    """Return all chords of an action: `/` or `Ctrl L`."""
    first, *others = ([Cap(name, action) for name in names] for names in chords(action))
    return [first, *([Cap(_("or"), is_key=False), *names] for names in others)]


def _with_shared_modifiers(actions: tuple[Action, ...], modifiers: list[str]) -> list[list[Cap]]:
    """Return chords whose common modifiers are named once: `Shift` `←` `→`."""
    first, *others = (Cap(chords(action)[0][-1], action) for action in actions)
    return [[*map(Cap, modifiers), first], *([other] for other in others)]


def _wrapped(chunks: list[list[Cap]], width_of: Width, room: float) -> list[tuple[Cap, ...]]:
    """Break keys into rows; keys of one chunk stay together unless they are wider than a row.

    Args:
        chunks: keys that belong together, such as those of a chord.
        width_of: returns the width of a key.
        room: width of a row, in the same unit.

    Returns:
        The keys of each row.
    """
    rows: list[tuple[Cap, ...]] = [()]

    def begin_row_unless_fitting(caps: Sequence[Cap]) -> None:
        """Begin a new row if keys do not fit into the last one, which has some already."""
        row = [*rows[-1], *caps]
        if rows[-1] and sum(map(width_of, row)) + GAP * (len(row) - 1) > room:
            rows.append(())

    for chunk in chunks:
        begin_row_unless_fitting(chunk)
        for cap in chunk:
            begin_row_unless_fitting([cap])  # within a chunk that is too wide
            rows[-1] = (*rows[-1], cap)
    return rows
