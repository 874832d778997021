"""Card of facts: what follows from the throws of the pattern, and its states as dots."""

from __future__ import annotations

import math
from dataclasses import replace

from imgui_bundle import imgui

from juggle_anim.errors import counted
from juggle_anim.language import _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, draw_text_before, measure, px
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.facts import COLLISIONS, ShownFacts
from juggle_anim.viewer.state.keymap import Action, Tip, action_tip, term_tip

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
_PROP_PITCH = 14.0  # at scale 1, [pixels], of dots in the colours of props
_PROP_RADIUS = 4.5
_MAX_TOOLTIP = 600  # characters
_BUTTON_WIDTH = 100.0  # with the gap after it, at scale 1, [pixels]
_HERE = 0.01  # s, within which a collision is the present one


class FactsCard(Card):
    """What follows from the throws of the pattern, and its states as dots."""

    name = "facts"
    slot = Slot.STRIP

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: a head, and below it facts and states that scroll.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        controller = frame.controller
        ui.begin_card(self.name, place)
        model = controller.model
        pad = px(_PAD)
        shown = model.facts.with_collisions(model.animation)
        # Go to the first collision if an action requested it and the search for collisions has
        # ended.
        if model.facts.goes_to_collision and not model.facts.is_waiting:
            model.facts.goes_to_collision = False
            _go_to(controller, shown.times.get(COLLISIONS))

        # The head: the key of the card, what the pattern is in a few words, and a cross.
        x = place.left + pad
        top = place.top + px(8)
        x += ui.draw_key_button(
            Action.FACTS, "", x, top, tint=None, perform=controller.perform
        ) + px(8)
        side = px(22)
        right = place.right - px(8) - side
        if ui.draw_cross(right, place.top + px(6), side):
            controller.perform(Action.FACTS)
        right = _draw_collision_buttons(controller, right, place.top + px(6), side)
        room = right - px(8) - x
        head = ui.ellipsize(shown.head, room, ui.TEXT, strong=True)
        draw_text(x, top + px(2), head, text_size=ui.TEXT, strong=True)

        body = Rectangle(
            place.left + pad,
            place.top + px(_HEAD_HEIGHT),
            place.width - pad,
            place.height - px(_HEAD_HEIGHT + _FOOT_HEIGHT),
        )
        imgui.set_cursor_screen_pos(body.low)
        imgui.begin_child("all facts", body.size)
        _draw_body(controller, shown, body)
        ui.draw_fades(replace(body, width=body.width - px(_BAR_WIDTH)))
        imgui.end_child()
        imgui.end()


def _draw_collision_buttons(
    controller: Controller, right: float, top: float, height: float
) -> float:
    """Draw buttons for the collisions of the loop, if it has any.

    One looks for more room between props, two go to the next and the previous collision. One
    collision alone needs no buttons to go to.

    Args:
        controller: controller of the viewer, which goes to the time.
        right, top: upper right corner of the buttons, [pixels].
        height: height of the buttons, [pixels].

    Returns:
        The left edge of the buttons, [pixels]; `right` without any.
    """
    model = controller.model
    words_by_time = {hit.time: hit.words for hit in model.facts.hits(model.animation)}
    times = sorted(words_by_time)
    if not times:
        return right
    more_room = _("More room")
    right -= measure(more_room, strong=True).width + px(26)
    place = Rectangle(right, top, measure(more_room, strong=True).width + px(20), height)
    if ui.draw_word_button("more room", more_room, place, action_tip(Action.OPTIMISE)):
        controller.perform(Action.OPTIMISE)
    if len(times) < 2:
        return right
    now = model.moment.time % model.animation.duration
    # A collision nearer than `_HERE` is the present one, which is neither before nor after. Beyond
    # an end of the loop the list starts again.
    later = [time for time in times if time > now + _HERE] or times
    earlier = [time for time in times if time < now - _HERE] or times
    for words, time in ((_("Collision →"), later[0]), (_("← Collision"), earlier[-1])):
        right -= px(_BUTTON_WIDTH)
        button = Rectangle(right, top, px(_BUTTON_WIDTH - 6), height)
        if ui.draw_word_button(words, words, button, term_tip("collisions")):
            _go_to(controller, time)
            model.notice.say(words_by_time[time])
    return right


def _draw_body(controller: Controller, shown: ShownFacts, body: Rectangle) -> None:
    """Draw facts of the pattern, and its states beside them; in a narrow card below each other.

    A state says in how many beats props are due in each hand.

    Args:
        controller: controller of the viewer.
        shown: the facts and states.
        body: the part of the card that scrolls, [pixels].
    """
    model = controller.model
    top = body.top - imgui.get_scroll_y()
    width = body.width - px(_BAR_WIDTH)  # beside the scroll bar
    # During a transition another animation is juggled, so no state of the pattern is marked: -1.
    present = -1
    if model.moment.animation.score is model.animation.score:
        present = model.facts.state_index(model.moment.animation, model.moment.time)
    if width >= px(_TWO_COLUMNS_WIDTH) and shown.states:
        # Two columns: facts at the left, states at the right.
        facts_width = (width - px(_COLUMN_GAP)) * _FACTS_SHARE
        states_left = body.left + facts_width + px(_COLUMN_GAP)
        states = Rectangle(states_left, top, body.left + width - states_left, body.height)
        facts = Rectangle(body.left, top, facts_width, body.height)
        bottom = max(
            _draw_states(shown, present, states, body),
            _draw_lines(controller, shown, facts),
        )
    else:
        # One column: states come first if even with the smallest dots, which a height of 0 asks
        # for, they are so low that facts are still seen below them.
        states = Rectangle(body.left, top, width, body.height)
        states_first = False
        if shown.states:
            smallest = _StateGrid(shown, width, 0.0)
            states_first = smallest.total_height <= px(_FEW_STATES_HEIGHT)
        if states_first:
            top = _draw_states(shown, present, states, body) + px(4)
        bottom = _draw_lines(controller, shown, Rectangle(body.left, top, width, body.height))
        if shown.states and not states_first:
            below = Rectangle(body.left, bottom + px(6), width, body.height)
            bottom = _draw_states(shown, present, below, body)
    ui.end_contents(body.left, bottom)


def _draw_lines(controller: Controller, shown: ShownFacts, place: Rectangle) -> float:
    """Draw the facts in words, each with its title; a click on a fact goes where it leads.

    Args:
        controller: controller of the viewer.
        shown: the facts: `lines`, each a name and words. By the names of lines, `opens` has the
            pattern that a click on the line plays, `times` the time to which it goes, [s], and
            `props` the indices of the props that the line names.
        place: place of the lines, [pixels]; they may end below it.

    Returns:
        Their lower edge, [pixels].
    """
    # The words stand in a column to the right of the widest title.
    titles_width = max(
        (measure(term_tip(name).title).width for name, _words in shown.lines),
        default=0.0,
    )
    words_left = place.left + max(px(_NAME_WIDTH), titles_width + px(8))
    line_height = px(_LINE_HEIGHT)
    top = place.top
    for name, words in shown.lines:
        is_link = name in shown.opens or name in shown.times
        props = shown.props.get(name, ())
        left = words_left + len(props) * px(_PROP_PITCH)
        wrapped = ui.wrap(words, place.right - left, _MAX_LINES)
        box = Rectangle(place.left, top, place.width, line_height * len(wrapped))
        title = ui.ellipsize(term_tip(name).title, words_left - place.left - px(4))
        draw_text(place.left, top, title, ui.MUTED)
        clicked = ui.place_button(f"fact {name}", box, _fact_tip(name, words), tab_stop=is_link)
        tint = ui.INK
        # Facts that do not apply to the pattern are pale. Lines to be clicked (`is_link`) are in
        # colour under the mouse.
        if words.startswith(_("not applicable: {missing}", missing="")):
            tint = ui.MUTED
        if is_link and imgui.is_item_hovered():
            tint = ui.ACCENT
        for index, line in enumerate(wrapped):
            draw_text(left, top + index * line_height, line, tint)
        # A dot in the colour of each prop that is named, in the order of the words.
        for index, prop in enumerate(props):
            centre = words_left + (index + 0.4) * px(_PROP_PITCH), top + line_height / 2
            red, green, blue = controller.model.animation.prop_colours[prop].tolist()
            colour = ui.pack_colour((red, green, blue))
            imgui.get_window_draw_list().add_circle_filled(centre, px(_PROP_RADIUS), colour)
        if clicked and name in shown.opens:
            controller.model.type_pattern(shown.opens[name])
        elif clicked:
            _go_to(controller, shown.times.get(name))
        top += box.height
    return top


def _go_to(controller: Controller, time: float | None) -> None:
    """Pause at a time in the loop, [s]; None does nothing."""
    if time is not None:
        playback = controller.model.playback
        moment = controller.model.moment
        into_loop = moment.time % moment.animation.duration
        playback.hold_at(playback.time + time - into_loop)


def _fact_tip(name: str, words: str) -> Tip:
    """Return the tooltip of a fact: what it is, and all that is wrapped of it."""
    return replace(
        term_tip(name), notes=words if len(words) < _MAX_TOOLTIP else words[:_MAX_TOOLTIP] + "…"
    )


class _StateGrid:
    """Grid of states, row by row, with dots as large as there is room for.

    Args:
        shown: with the states.
        width, height: that they have, [pixels].
    """

    def __init__(self, shown: ShownFacts, width: float, height: float) -> None:
        """Find the largest dots with which all states fit, or else the smallest.

        Args:
            shown: the states, at least one: rows of dots, a row for each hand and a dot for each
                coming beat, of the same size in all states.
            width, height: size of the space for all states, [pixels].
        """
        row_count = len(shown.states[0])
        row_length = len(shown.states[0][0])
        self.names_width = px(_ROW_NAME_WIDTH) if shown.rows else 0.0
        self.gap = px(_STATE_GAP)
        room = width - self.names_width
        for pitch in _DOT_PITCHES:
            # From one dot to the next, and the margin of a cell, which holds the dots of a state.
            self.pitch = px(pitch)
            self.pad = px(pitch / 2)
            # Dots of a row: all of them, or if not even one cell of the whole width has room for
            # all, as many as fit; then states are cut.
            fitting = int((room - 2 * self.pad) / self.pitch)
            self.dots_in_row = max(min(row_length, fitting), 1)
            self.is_cut = self.dots_in_row < row_length
            self.cell_width = self.dots_in_row * self.pitch + 2 * self.pad
            self.cell_height = row_count * self.pitch + self.pad
            self.columns = max(int((room + self.gap) / (self.cell_width + self.gap)), 1)
            line_count = math.ceil(len(shown.states) / self.columns)
            self.total_height = line_count * (self.cell_height + self.gap)
            if not self.is_cut and self.total_height <= height:
                break

    def cell(self, number: int, left: float, top: float) -> Rectangle:
        """Return the place of a state, [pixels], in a grid with an upper left corner."""
        line, column = divmod(number, self.columns)
        x = left + self.names_width + column * (self.cell_width + self.gap)
        return Rectangle(
            x, top + line * (self.cell_height + self.gap), self.cell_width, self.cell_height
        )


def _draw_states(shown: ShownFacts, present: int, place: Rectangle, clip: Rectangle) -> float:
    """Draw the states as cells of dots, below their number.

    Args:
        shown: the states.
        present: index of the state that is marked as the present one; -1 for none.
        place: place of the states, [pixels]; as far as possible, dots are so small that all fit.
        clip: the part of the window that is seen; cells outside it are not drawn.

    Returns:
        Their lower edge, [pixels].
    """
    # The key of the dots stands beside the number, where there is room.
    count = counted(len(shown.states), "state")
    key = f"{count}  ·  {_('each dot is a coming beat, filled if a prop lands on it')}"
    words = key if measure(key).width <= place.width else count
    draw_text(place.left, place.top, words, ui.MUTED)
    top = place.top + px(_LINE_HEIGHT)
    grid = _StateGrid(shown, place.width, place.height - px(_LINE_HEIGHT))
    for number, state in enumerate(shown.states):
        cell = grid.cell(number, place.left, top)
        if cell.bottom < clip.top or cell.top > clip.bottom:
            continue
        if number % grid.columns == 0:
            _draw_row_names(shown.rows, place.left, cell, grid)
        if number == present:
            ui.fill_box(cell, ui.FILL, edge=ui.ACCENT, rounding=5)
        # If states are cut, an ellipsis takes the place of the last dot that would fit.
        dots_in_row = grid.dots_in_row - 1 if grid.is_cut else grid.dots_in_row
        rows = [row[:dots_in_row] for row in state]
        _draw_dots(rows, cell, grid, present=number == present)
        if grid.is_cut:
            draw_text_before(cell.right - grid.pad / 2, cell.top, "…", ui.MUTED)
    return top + grid.total_height


def _draw_row_names(names: tuple[str, ...], left: float, cell: Rectangle, grid: _StateGrid) -> None:
    """Draw the names of the rows of a state before it."""
    for number, name in enumerate(names):
        text_height = measure(name, _ROW_NAME_SIZE).height
        middle = cell.top + grid.pad / 2 + (number + 0.5) * grid.pitch
        draw_text(left, middle - text_height / 2, name, ui.MUTED, _ROW_NAME_SIZE)


def _draw_dots(
    rows: list[tuple[int, ...]], cell: Rectangle, grid: _StateGrid, *, present: bool
) -> None:
    """Draw a state: a disc for each beat on which a hand gets a prop, and a ring for each other.

    Where it gets several, as from a multiplex, their number takes the place of the disc.

    Args:
        rows: for each hand the number of props that it gets on each coming beat.
        cell: place of the state, [pixels].
        grid: sizes of dots and gaps, [pixels].
        present: whether it is the present state, which is in colour.
    """
    draw = imgui.get_window_draw_list()
    radius = grid.pitch / 3
    tint = ui.ACCENT if present else ui.INK
    for row_index, row in enumerate(rows):
        y = cell.top + grid.pad / 2 + (row_index + 0.5) * grid.pitch
        for beats_ahead, count in enumerate(row):
            x = cell.left + grid.pad + (beats_ahead + 0.5) * grid.pitch
            if count == 0:
                draw.add_circle((x, y), radius - px(0.5), ui.FAINT, thickness=px(1.2))
            elif count == 1:
                draw.add_circle_filled((x, y), radius, tint)
            else:
                width, height = measure(str(count), strong=True)
                draw_text(x - width / 2, y - height / 2, str(count), tint, strong=True)
