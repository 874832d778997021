"""Card of facts: what follows from the throws of the pattern, and its states as dots."""

from __future__ import annotations

from dataclasses import replace

from imgui_bundle import imgui

from juggle_anim.errors import counted
from juggle_anim.language import _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.facts import ShownFacts
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.terms import Tip, term_tip

# Sizes of the card at scale 1, [pixels].
_PAD = 12.0
_HEAD_HEIGHT = 36.0
_FOOT_HEIGHT = 8.0
_BAR_WIDTH = 11.0
_LINE_HEIGHT = 18.0
_NAME_WIDTH = 74.0
_COLUMN_GAP = 22.0
# at scale 1, [pixels]
_TWO_COLUMNS_WIDTH = 600.0  # from which on states stand beside the facts
_FACTS_SHARE = 0.46  # of that width
_DOT_PITCHES = (17.0, 14.0, 11.0)  # the first one is taken for which there is room
_STATE_GAP = 4.0
_ROW_NAME_WIDTH = 28.0
_ROW_NAME_SIZE = 10.5
_FEW_STATES_HEIGHT = 50.0  # of states that are low enough to stand above the facts
_MAX_LINES = 2  # of a fact
_MAX_TOOLTIP = 600  # characters


class FactsCard(Card):
    """What follows from the throws of the pattern, and its states as dots."""

    name = "facts"
    slot = Slot.STRIP

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card."""
        controller = frame.controller
        widgets.begin_card(self.name, place)
        model = controller.model
        pad = look.size(_PAD)
        shown = model.facts.of(model.animation)
        x = place.left + pad
        top = place.top + look.size(8)
        x += widgets.draw_key_button(
            look, Action.FACTS, "", x, top, None, controller.perform
        ) + look.size(8)
        head = widgets.ellipsize(look, shown.head, place.right - pad - x, theme.TEXT, strong=True)
        look.text(x, top + look.size(2), head, strong=True)
        body = Rectangle(
            place.left + pad,
            place.top + look.size(_HEAD_HEIGHT),
            place.width - pad,
            place.height - look.size(_HEAD_HEIGHT + _FOOT_HEIGHT),
        )
        imgui.set_cursor_screen_pos(body.low)
        imgui.begin_child("all facts", body.size)
        _draw_body(controller, look, shown, body)
        widgets.draw_fades(
            look, Rectangle(body.left, body.top, body.width - look.size(_BAR_WIDTH), body.height)
        )
        imgui.end_child()
        imgui.end()


def _draw_body(controller: Controller, look: Theme, shown: ShownFacts, body: Rectangle) -> None:
    """Draw facts, and states beside them; without room for both, the fewer lines come first."""
    model = controller.model
    top = body.top - imgui.get_scroll_y()
    wide = body.width - look.size(_BAR_WIDTH)
    # On the way to a pattern, its states are still to come.
    present = -1
    if model.moment.animation.score is model.animation.score:
        present = model.facts.present(model.moment.animation, model.moment.time)
    if wide >= look.size(_TWO_COLUMNS_WIDTH) and shown.states:
        room = (wide - look.size(_COLUMN_GAP)) * _FACTS_SHARE
        left = body.left + room + look.size(_COLUMN_GAP)
        states = Rectangle(left, top, body.left + wide - left, body.height)
        bottom = _draw_states(look, shown, present, states, body)
        bottom = max(
            bottom,
            _draw_lines(controller, look, shown, Rectangle(body.left, top, room, body.height)),
        )
    else:
        states = Rectangle(body.left, top, wide, body.height)
        states_first = bool(shown.states) and (
            _StateGrid(look, shown, wide, 0.0).high_all <= look.size(_FEW_STATES_HEIGHT)
        )
        if states_first:
            top = _draw_states(look, shown, present, states, body) + look.size(4)
        bottom = _draw_lines(controller, look, shown, Rectangle(body.left, top, wide, body.height))
        if shown.states and not states_first:
            below = Rectangle(body.left, bottom + look.size(6), wide, body.height)
            bottom = _draw_states(look, shown, present, below, body)
    imgui.set_cursor_screen_pos((body.left, bottom))
    imgui.dummy((0, 0))


def _draw_lines(controller: Controller, look: Theme, shown: ShownFacts, place: Rectangle) -> float:
    """Draw the facts in words; return where they end, [pixels]."""
    names = max(
        (look.measure(term_tip(name).title, theme.SMALL)[0] for name, _words in shown.lines),
        default=0.0,
    )
    left = place.left + max(look.size(_NAME_WIDTH), names + look.size(8))
    top = place.top
    for name, words in shown.lines:
        wrapped = widgets.wrap(look, words, place.right - left, _MAX_LINES)
        line = Rectangle(place.left, top, place.width, look.size(_LINE_HEIGHT) * len(wrapped))
        title = widgets.ellipsize(
            look, term_tip(name).title, left - place.left - look.size(4), theme.SMALL
        )
        look.text(place.left, top, title, theme.MUTED, theme.SMALL)
        clicked = widgets.place_button(
            f"fact {name}", line, _fact_tip(name, words), name in shown.opens
        )
        hovered = imgui.is_item_hovered()
        tint = theme.INK
        if words.startswith(_("not applicable: {missing}", missing="")):
            tint = theme.MUTED
        if name in shown.opens and hovered:
            tint = theme.ACCENT
        for number, part in enumerate(wrapped):
            look.text(left, top + number * look.size(_LINE_HEIGHT), part, tint, theme.SMALL)
        if clicked and name in shown.opens:
            controller.model.type_pattern(shown.opens[name])
        top += line.height
    return top


def _fact_tip(name: str, words: str) -> Tip:
    """Return the tooltip of a fact: what it is, and all that is wrapped of it."""
    return replace(
        term_tip(name), notes=words if len(words) < _MAX_TOOLTIP else words[:_MAX_TOOLTIP] + "…"
    )


class _StateGrid:
    """Grid of states, row by row, with dots as large as there is room for.

    Args:
        look: fonts and sizes.
        shown: with the states.
        width, height: that they have, [pixels].
    """

    def __init__(self, look: Theme, shown: ShownFacts, width: float, height: float) -> None:
        """Find the largest dots with which all states fit, or else the smallest."""
        rows = len(shown.states[0])
        longest = len(shown.states[0][0])
        self.label = look.size(_ROW_NAME_WIDTH) if shown.rows else 0.0
        self.gap = look.size(_STATE_GAP)
        for pitch in _DOT_PITCHES:
            self.pitch = look.size(pitch)
            self.pad = look.size(pitch / 2)
            self.dots = max(min(longest, int((width - self.label - 2 * self.pad) / self.pitch)), 1)
            self.wide = self.dots * self.pitch + 2 * self.pad
            self.high = rows * self.pitch + self.pad
            self.columns = max(int((width - self.label + self.gap) / (self.wide + self.gap)), 1)
            self.high_all = -(-len(shown.states) // self.columns) * (self.high + self.gap)
            self.cut = self.dots < longest
            if not self.cut and self.high_all <= height:
                break

    def cell(self, number: int, left: float, top: float) -> Rectangle:
        """Return the place of a state, [pixels], in a grid with an upper left corner."""
        line, column = divmod(number, self.columns)
        x = left + self.label + column * (self.wide + self.gap)
        return Rectangle(x, top + line * (self.high + self.gap), self.wide, self.high)


def _draw_states(
    look: Theme, shown: ShownFacts, present: int, place: Rectangle, clip: Rectangle
) -> float:
    """Draw states as dots; return where they end, [pixels]."""
    look.text(place.left, place.top, counted(len(shown.states), "state"), theme.MUTED, theme.SMALL)
    top = place.top + look.size(_LINE_HEIGHT)
    grid = _StateGrid(look, shown, place.width, place.height - look.size(_LINE_HEIGHT))
    for number, state in enumerate(shown.states):
        cell = grid.cell(number, place.left, top)
        if cell.bottom < clip.top or cell.top > clip.bottom:
            continue
        if number % grid.columns == 0:
            _draw_row_names(look, shown.rows, place.left, cell, grid)
        if number == present:
            widgets.fill_box(look, cell, theme.FILL, 5)
            widgets.outline_box(look, cell, theme.ACCENT, 5)
        # The last dot makes room for an ellipsis where a state is cut.
        dots = grid.dots - 1 if grid.cut else grid.dots
        _draw_dots(look, [row[:dots] for row in state], cell, grid, number == present)
        if grid.cut:
            look.text_before(cell.right - grid.pad / 2, cell.top, "…", theme.MUTED, theme.SMALL)
    return top + grid.high_all


def _draw_row_names(
    look: Theme, names: tuple[str, ...], left: float, cell: Rectangle, grid: _StateGrid
) -> None:
    """Draw the names of the rows of a state before it."""
    for number, name in enumerate(names):
        high = look.measure(name, _ROW_NAME_SIZE)[1]
        middle = cell.top + grid.pad / 2 + (number + 0.5) * grid.pitch
        look.text(left, middle - high / 2, name, theme.MUTED, _ROW_NAME_SIZE)


def _draw_dots(
    look: Theme, rows: list[tuple[int, ...]], cell: Rectangle, grid: _StateGrid, present: bool
) -> None:
    """Draw a disc for each prop that is due, a ring where none is, and the number of several."""
    draw = imgui.get_window_draw_list()
    radius = grid.pitch / 3
    tint = theme.ACCENT if present else theme.INK
    for number, row in enumerate(rows):
        y = cell.top + grid.pad / 2 + (number + 0.5) * grid.pitch
        for later, count in enumerate(row):
            x = cell.left + grid.pad + (later + 0.5) * grid.pitch
            if count == 0:
                draw.add_circle(
                    (x, y), radius - look.size(0.5), theme.FAINT, thickness=look.size(1.2)
                )
            elif count == 1:
                draw.add_circle_filled((x, y), radius, tint)
            else:
                width, height = look.measure(str(count), theme.SMALL, strong=True)
                look.text(x - width / 2, y - height / 2, str(count), tint, theme.SMALL, strong=True)
