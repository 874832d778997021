"""The help: all keys and what they do, over the whole window; a click on a line performs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from imgui_bundle import imgui

from juggle_anim.language import N_, _, language
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.panel.listing import pack_groups
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import (
    HELP,
    Action,
    Binding,
    FixedKey,
    HelpLine,
    chords,
    present_bindings,
)
from juggle_anim.viewer.state.terms import NO_TIP, help_tip

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
_HINT = N_("Click a line, or one of its keys, to do it")

GAP = 4.0
"""Between two keys, at scale 1, [pixels]."""


class KeyHelp(Card):
    """The help over the whole window; a click beside its sheet closes it."""

    name = "help"
    slot = Slot.WINDOW

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card."""
        controller = frame.controller
        layout = frame.layout
        imgui.set_next_window_focus()
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        widgets.begin_card(
            self.name, place, imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_background
        )
        widgets.fill_box(look, place, theme.VEIL, 0)
        sheet = _draw_sheet(controller, look, layout)
        # After the lines: if two buttons overlap, imgui gives the mouse to the first.
        widgets.place_button("sheet", sheet, NO_TIP, stop=False)
        if widgets.place_button("beside", place, NO_TIP, stop=False):
            controller.model.cards.help_shown = False
        imgui.end()
        imgui.pop_style_var()


def perform_from_help(controller: Controller, action: Action) -> None:
    """Perform the action of a line.

    The help is closed before, unless the action turns its pages.
    """
    if action is Action.TOGGLE_HELP:
        controller.perform(action)
        return
    controller.model.cards.help_shown = False
    if action is not Action.BACK:  # which has closed the help
        controller.perform(action)
        controller.model.undo.seal()


def clickable(controller: Controller, action: Action, name: str, place: Rectangle) -> bool:
    """Make a place, [pixels], a button for an action; return whether the mouse is over it."""
    if widgets.place_button(name, place, help_tip(action, name), stop=False):
        perform_from_help(controller, action)
    return imgui.is_item_hovered()


def _draw_sheet(controller: Controller, look: Theme, layout: Layout) -> Rectangle:
    """Draw a page of the help and return where it is."""
    across = min(max(int((layout.width / look.scale - _PAD) / COLUMN_WIDTH), 1), _MAX_COLUMNS)
    room = layout.height / look.scale - 2 * _PAD - _FOOT_HEIGHT - 8
    pages = _pages(look, room, across, language(), present_bindings())
    controller.model.help_pages.count = len(pages)
    columns = pages[min(controller.model.help_pages.first, len(pages) - 1)]
    tallest = max(_height(groups) for page in pages for groups in page)
    width = look.size(max(map(len, pages)) * COLUMN_WIDTH + 2 * _PAD)
    height = look.size(tallest + _FOOT_HEIGHT + 2 * _PAD)
    left = (layout.width - width) / 2
    top = (layout.height - height) / 2
    sheet = Rectangle(left, top, width, height)
    pad = look.size(_PAD)
    widgets.fill_box(look, sheet, theme.SHEET, 14)
    for number, column in enumerate(columns):
        _draw_column(
            controller, look, column, left + pad + look.size(number * COLUMN_WIDTH), top + pad
        )
    _draw_foot(
        controller,
        look,
        Rectangle(left + pad, top + height - look.size(34), width - 2 * pad, look.size(20)),
    )
    return sheet


@lru_cache(maxsize=8)
def _pages(
    look: Theme, room: float, across: int, _spoken: str, _bindings: tuple[Binding, ...]
) -> tuple[list[list[LineGroup]], ...]:
    """Return the columns of each page, with the present keys in the present language.

    Args:
        look: sizes.
        room: height of a column, at scale 1, [pixels].
        across: columns of a page.
    """
    groups = help_groups(lambda cap: key_width(look, cap) / look.scale, KEYS_WIDTH - LINE_MARGIN)
    return tuple(pack_groups(split_groups(groups, _height, room), _height, room, across))


def _draw_foot(controller: Controller, look: Theme, place: Rectangle) -> None:
    """Draw the buttons that turn pages and close them, and a hint."""
    pages = controller.model.help_pages
    x = place.left
    turn = (
        _("page {page} of {count}", page=pages.first + 1, count=pages.count)
        if pages.count > 1
        else ""
    )
    for action, words in ((Action.TOGGLE_HELP, turn), (Action.BACK, N_("Close"))):
        if words:
            do = partial(perform_from_help, controller)
            x += widgets.draw_key_button(
                look, action, words, x, place.top, theme.MUTED, do
            ) + look.size(14)
    look.text_before(place.right, place.top + look.size(3), _HINT, theme.MUTED, theme.SMALL)


def _height(groups: Sequence[LineGroup]) -> float:
    """Return the height of groups below each other, at scale 1, [pixels]."""
    lines = sum(len(line.rows) or 1 for group in groups for line in group.lines)
    return _HEAD_HEIGHT * len(groups) + _LINE_HEIGHT * lines + _GROUP_GAP * (len(groups) - 1)


def _draw_column(
    controller: Controller, look: Theme, groups: Sequence[LineGroup], x: float, y: float
) -> None:
    """Draw groups below each other, with an upper left corner, [pixels]."""
    for group in groups:
        look.text(x, y, group.title, theme.ACCENT, strong=True)
        y += look.size(_HEAD_HEIGHT)
        for line in group.lines:
            height = look.size(_LINE_HEIGHT * (len(line.rows) or 1))
            _draw_line(
                controller,
                look,
                line,
                Rectangle(x, y, look.size(COLUMN_WIDTH - 2 * LINE_MARGIN), height),
            )
            y += height
        y += look.size(_GROUP_GAP)


def _draw_line(controller: Controller, look: Theme, line: Line, place: Rectangle) -> None:
    """Draw a line: its keys or mouse gesture, and what they do; a click performs its action."""
    margin = look.size(LINE_MARGIN)
    x = place.left
    y = place.top
    back = Rectangle(x - margin, y - look.size(1), place.width + margin, place.height)
    lit = line.action is not None and clickable(controller, line.action, line.words, back)
    if lit:
        widgets.fill_box(look, back, theme.FILL_CHOSEN, 6)
    look.text(x, y + look.size(3), line.mouse, theme.INK, theme.SMALL, strong=True)
    for number, row in enumerate(line.rows):
        at = y + look.size(number * _LINE_HEIGHT)
        if line.action:
            _draw_keys(look, row, x, at, lit)
        else:
            _draw_single_keys(
                controller, look, row, Rectangle(x, at, place.width, look.size(_LINE_HEIGHT))
            )
    look.text(
        x + look.size(KEYS_WIDTH),
        y + look.size(3),
        line.words,
        theme.INK if lit else theme.MUTED,
        theme.SMALL,
    )


def _draw_keys(look: Theme, row: Sequence[Cap], x: float, y: float, lit: bool) -> None:
    """Draw keys beside each other; `lit` tells whether they stand out."""
    for cap in row:
        _draw_cap(look, cap, x, y, theme.ACCENT if lit else None, lit)
        x += key_width(look, cap) + look.size(GAP)


def _draw_single_keys(
    controller: Controller, look: Theme, row: Sequence[Cap], place: Rectangle
) -> None:
    """Draw keys that are clicked one by one, in colour while the mouse is on their line."""
    x = place.left
    y = place.top
    half = look.size(GAP / 2)
    rise = look.size(1)
    near = imgui.is_mouse_hovering_rect((x, y), (x + place.width, y + place.height))
    for cap in row:
        wide = key_width(look, cap)
        over = False
        if cap.action:
            spot = Rectangle(x - half, y - rise, wide + 2 * half, place.height)
            over = clickable(controller, cap.action, f"{cap.action.name} {cap.words}", spot)
        _draw_cap(look, cap, x, y, theme.ACCENT if near and cap.action else None, over)
        x += wide + 2 * half


def _draw_cap(look: Theme, cap: Cap, x: float, y: float, tint: int | None, lit: bool) -> None:
    """Draw a key, or a word between two keys."""
    if cap.key:
        widgets.draw_keycap(look, cap.words, x, y, tint, lit=lit)
    else:
        look.text(x, y + look.size(3), cap.words, theme.MUTED, theme.SMALL)


def key_width(look: Theme, cap: Cap) -> float:
    """Return the width of a key, or of a word between two keys, [pixels]."""
    return (
        widgets.keycap_width(look, cap.words)
        if cap.key
        else look.measure(cap.words, theme.SMALL)[0]
    )


@dataclass(frozen=True)
class Cap:
    """A key in a line, or a word between two keys.

    Args:
        words: on it.
        action: what a click on it does; None if that is up to its line or to other keys of the
            line.
        key: whether it is a key.
    """

    words: str
    action: Action | None = None
    key: bool = True


@dataclass(frozen=True)
class Line:
    """A line of the help.

    Args:
        rows: of its keys, one below the other; none if it is about the mouse.
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


def help_groups(wide: Width, room: float) -> list[LineGroup]:
    """Return all groups, with the present keys.

    Args:
        wide: gives the width of a key or word, at scale 1, [pixels].
        room: width for the keys of a line, at scale 1, [pixels].
    """
    return [
        LineGroup(title, tuple(_line(line, wide, room) for line in lines))
        for title, lines in HELP.items()
    ]


def split_groups(
    groups: Sequence[LineGroup], height: Callable[[Sequence[LineGroup]], float], room: float
) -> list[LineGroup]:
    """Split each group that is higher than `room` into several parts, each under its title."""
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


def _line(line: HelpLine, wide: Width, room: float) -> Line:
    """Return a line of the help as it is drawn."""
    keys, words = line
    if isinstance(keys, str):
        return Line((), words, mouse=keys)
    if isinstance(keys, FixedKey):
        return Line(((Cap(_(keys.name)),),), words)
    return Line(
        tuple(key_rows(keys, wide, room)), words, action=keys[0] if len(keys) == 1 else None
    )


def key_rows(actions: tuple[Action, ...], wide: Width, room: float) -> list[tuple[Cap, ...]]:
    """Return the keys of some actions, in rows no wider than `room` if possible."""
    firsts = [chords(action)[0] for action in actions]
    if any(len(chords(action)) > 1 for action in actions):
        # One below the other, so that it is clear which keys do the same.
        return [row for action in actions for row in _wrapped(_alternatives(action), wide, room)]
    held = firsts[0][:-1]
    if len(actions) > 1 and held and all(names[:-1] == held for names in firsts):
        return _wrapped(_with_shared_modifiers(actions, held), wide, room)
    return _wrapped(
        [[Cap(name, action) for name in chords(action)[0]] for action in actions], wide, room
    )


def _alternatives(action: Action) -> list[list[Cap]]:
    """Return all chords of an action: `/` or `Ctrl L`."""
    first, *others = ([Cap(name, action) for name in names] for names in chords(action))
    return [first, *([Cap(_("or"), key=False), *names] for names in others)]


def _with_shared_modifiers(actions: tuple[Action, ...], held: list[str]) -> list[list[Cap]]:
    """Return chords whose common modifiers are named once: `Shift` `←` `→`."""
    first, *others = (Cap(chords(action)[0][-1], action) for action in actions)
    return [[*map(Cap, held), first], *([other] for other in others)]


def _wrapped(chunks: list[list[Cap]], wide: Width, room: float) -> list[tuple[Cap, ...]]:
    """Return chunks in rows; only a chunk that is wider than a row is broken."""
    rows: list[tuple[Cap, ...]] = [()]

    def break_before(caps: Sequence[Cap]) -> None:
        row = [*rows[-1], *caps]
        if rows[-1] and sum(map(wide, row)) + GAP * (len(row) - 1) > room:
            rows.append(())

    for chunk in chunks:
        break_before(chunk)
        for cap in chunk:
            break_before([cap])
            rows[-1] = (*rows[-1], cap)
    return rows
