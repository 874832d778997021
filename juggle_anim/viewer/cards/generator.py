"""The generator's card: what is looked for, how far the search is, and the patterns found."""

from __future__ import annotations

import math
from dataclasses import replace

from imgui_bundle import imgui

from juggle_anim.generator import Generated
from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, draw_text_before, measure, px
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.generator import MAX_FOUND, Control, GeneratorView
from juggle_anim.viewer.state.keymap import Action, caption, term_tip
from juggle_anim.viewer.state.library import LibraryController

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 27.0
_CONTROL_HEIGHT = 25.0
_FOOT_HEIGHT = 32.0


class GeneratorCard(Card):
    """The search for patterns, and those found."""

    name = "generator"
    slot = Slot.PANEL

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: controls, progress, tabs, the patterns found or starred, and keys.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        library = frame.controller.library
        ui.begin_card(self.name, place)
        view = library.generator
        pad = px(10)
        left = place.left + pad
        width = place.width - 2 * pad
        # From the top down; each part returns where it ends.
        y = place.top + pad
        if ui.draw_title(_("Generate"), left, y, width):
            view.close()
        y += px(ui.TITLE_HEIGHT)
        y = _draw_controls(view, left, y, width) + px(7)
        y = _draw_progress(view, left, y, width)
        y = _draw_tabs(library, left, y, width) + px(3)
        bottom = place.bottom - px(_FOOT_HEIGHT)
        _draw_rows(library, Rectangle(left, y, width, bottom - y))
        _draw_foot(library, left, bottom, width)
        imgui.end()


def _draw_rows(library: LibraryController, place: Rectangle) -> None:
    """Draw the visible rows of the listed patterns, or why there are none.

    Args:
        library: opens, lists, plays and saves patterns.
        place: place of the list, [pixels].
    """
    view = library.generator
    listed = view.listed
    for number, row in ui.list_rows(
        "found", view, view.index, len(listed), place, px(_ROW_HEIGHT), gap=1
    ):
        _draw_row(library, number, listed[number], row)
    words = "" if len(listed) else _reason_for_none(view)
    if words:
        tint = ui.ERROR if view.error else ui.MUTED
        x = place.left + px(6)
        y = place.top + px(8)
        draw_text(x, y, words, tint, wrap=place.width - px(12))


def _reason_for_none(view: GeneratorView) -> str:
    """Return why no pattern is listed; empty while the search may still find some."""
    if view.only_stars:
        return _(
            "Press {key} to star a pattern. Starred patterns stay here while you keep searching.",
            key=caption(Action.STAR),
        )
    return view.error or ("" if view.search else _("No such pattern exists."))


def _draw_row(
    library: LibraryController, number: int, generated: Generated, row: Rectangle
) -> None:
    """Draw the row of a generated pattern; a click plays it, and one on its star stars it.

    Args:
        library: opens, lists, plays and saves patterns.
        number: index of the pattern in the list.
        generated: the pattern.
        row: place of the row, [pixels].
    """
    view = library.generator
    star = Rectangle(row.right - px(24), row.top, px(24), row.height)
    star_clicked = ui.place_button(f"star {number}", star, term_tip("star"), tab_stop=False)
    star_hovered = imgui.is_item_hovered()
    target = replace(row, width=row.width - star.width)
    row_clicked = ui.place_button(
        f"found {number}", target, term_tip("row", generated.pattern), tab_stop=False
    )
    row_hovered = imgui.is_item_hovered() or star_hovered
    is_chosen = number == view.index
    ui.fill_row(row, chosen=is_chosen, lit=row_hovered)

    # The pattern at the left, and the throws into it and out of it at the right, before the star.
    left = row.left + px(8)
    right = star.left - px(4)
    y = ui.line_top(row, ui.TEXT)
    right = _draw_entry_and_exit(generated, left, right, y)
    shown = ui.ellipsize(generated.pattern, right - left, ui.TEXT, strong=is_chosen)
    draw_text(left, y, shown, ui.ACCENT if is_chosen else ui.INK, ui.TEXT, strong=is_chosen)
    # The star is filled if the pattern is starred; otherwise an outline, only under the mouse.
    is_starred = generated.pattern in view.stars
    if row_hovered or is_starred:
        tint = ui.ACCENT if is_starred or star_hovered else ui.FAINT
        ui.draw_star(star, filled=is_starred, tint=tint)
    if star_clicked:
        view.star(generated)
    elif row_clicked:
        view.play(number)


def _draw_entry_and_exit(generated: Generated, left: float, right: float, y: float) -> float:
    """Draw the throws that lead into an excited pattern and out of it again.

    An excited pattern does not begin in the ground state. Others need no such throws.

    Args:
        generated: the pattern.
        left, right: ends of the room for these throws and the pattern, [pixels].
        y: upper edge of the text, [pixels].

    Returns:
        The right end of the room that is left for the pattern itself, [pixels].
    """
    ways = []
    if generated.entry:
        ways.append(_("in {throws}", throws=generated.entry))
    if generated.exit:
        ways.append(_("out {throws}", throws=generated.exit))
    if not ways:
        return right
    # They take half of the room at most.
    words = ui.ellipsize("  ".join(ways), (right - left) * 0.5)
    return draw_text_before(right, y, words, ui.MUTED) - px(8)


def _draw_controls(view: GeneratorView, left: float, y: float, width: float) -> float:
    """Draw the controls, two in a row; a click on one changes its value and searches again.

    Args:
        view: the generator.
        left, y, width: left edge, top and width of the rows, [pixels].

    Returns:
        Their lower edge, [pixels].
    """
    gap = px(4)
    control_height = px(_CONTROL_HEIGHT)
    control_width = (width - gap) / 2
    controls = view.active_controls
    for number, control in enumerate(controls):
        row, column = divmod(number, 2)
        x = left + column * (control_width + gap)
        top = y + row * (control_height + gap)
        place = Rectangle(x, top, control_width, control_height)
        steps = draw_control(control, place, chosen=number == view.line)
        if steps:
            view.step(control, steps)
    row_count = math.ceil(len(controls) / 2)
    return y + row_count * (control_height + gap) - gap


def draw_control(control: Control, place: Rectangle, *, chosen: bool) -> int:
    """Draw a control: its label at the left, and its value at the right.

    While the mouse is on it or keys act on it (`is_lit`), the value is between two arrows.

    Args:
        control: control to draw.
        place: place of the control, [pixels].
        chosen: whether keys act on it.

    Returns:
        By how many values a click moves the control: −1 or 1 on an arrow; 1 on the label, except
        for numbers, which have too many values to go through; 0 without a click.
    """
    # Arrows and gaps are narrower if label, value and arrows would not fit otherwise.
    pad = px(8)
    arrow_width = px(20)
    label_width = measure(control.label).width
    value_width = measure(control.shown, strong=True).width
    value_room = max(value_width, px(14))
    if label_width + pad + 2 * arrow_width + value_room > place.width:
        pad = px(6)
        arrow_width = px(14)
    # From left to right: the label, the left arrow, the value, and the right arrow.
    right_arrow_left = place.right - arrow_width
    arrows_left = right_arrow_left - value_room - arrow_width

    # Buttons: both arrows, and the label, which has all of the room to the left of them.
    steps = 0
    hovered_arrow = 0
    tip = term_tip(control.name)
    for direction, x in ((-1, arrows_left), (1, right_arrow_left)):
        spot = Rectangle(x, place.top, arrow_width, place.height)
        if ui.place_button(f"{control.name} {direction}", spot, tip, tab_stop=False):
            steps = direction
        if imgui.is_item_hovered():
            hovered_arrow = direction
    label_box = replace(place, width=arrows_left - place.left)
    is_label_clicked = ui.place_button(control.name, label_box, tip, tab_stop=False)
    is_lit = chosen or imgui.is_item_hovered() or bool(hovered_arrow)

    fill = ui.TRACK_HOVERED if is_lit else ui.TRACK
    ui.fill_box(place, ui.FILL if chosen else fill)
    y = ui.line_top(place)
    ink = ui.ACCENT if chosen or control.value != control.default else ui.INK
    if is_lit:
        middle = (arrows_left + place.right) / 2
        draw_text(middle - value_width / 2, y, control.shown, ink, strong=True)
        for direction, x in ((-1, arrows_left), (1, right_arrow_left)):
            tint = ui.ACCENT if hovered_arrow == direction else ui.MUTED
            _draw_arrow(x + arrow_width / 2, place.middle, direction, tint)
        label_right = arrows_left
    else:
        right = place.right - pad
        draw_text_before(right, y, control.shown, ink, strong=True)
        label_right = right - value_width - px(4)
    room = label_right - place.left - pad
    label = ui.ellipsize(control.label, room)
    draw_text(place.left + pad, y, label, ui.MUTED)
    if is_label_clicked and not control.is_number:
        return 1
    return steps


def _draw_arrow(x: float, y: float, direction: int, tint: int) -> None:
    """Draw an arrow that points to the left, −1, or to the right, 1."""
    unit = px(3.2) * direction
    draw = imgui.get_window_draw_list()
    tip = (x + unit / 2, y)
    for end_y in (y - unit, y + unit):
        draw.add_line((x - unit / 2, end_y), tip, tint, px(1.4))


def _draw_progress(view: GeneratorView, left: float, y: float, width: float) -> float:
    """Draw how much of the period is searched; return its lower edge, [pixels]."""
    draw = imgui.get_window_draw_list()
    height = px(2)
    draw.add_rect_filled((left, y), (left + width, y + height), ui.GROOVE, height / 2)
    if view.search:
        right = left + width * view.search.done
        draw.add_rect_filled((left, y), (right, y + height), ui.ACCENT, height / 2)
    return y + px(8)


def _draw_tabs(library: LibraryController, left: float, y: float, width: float) -> float:
    """Draw tabs with the numbers of patterns found and starred, and the state of the search.

    Args:
        library: opens, lists, plays and saves patterns.
        left, y, width: left edge, top and width of the tabs, [pixels].

    Returns:
        Their lower edge, [pixels].
    """
    view = library.generator
    words = (
        _("{count:,} found", count=len(view.found)),
        _("{count:,} starred", count=len(view.stars)),
    )
    chosen = "starred" if view.only_stars else "found"
    clicked = ui.draw_tabs(("found", "starred"), words, chosen, left, y)
    if clicked:
        view.show_stars(only=clicked == "starred")

    # The state of the search at the right: the period that is searched, if there are several; or
    # why the search ended early.
    status = ""
    if view.search and view.search.last_period != view.search.options.periods[0]:
        status = _("period {period}", period=view.search.period)
    elif view.search:
        status = _("Searching …")
    elif view.stopped and len(view.found) >= MAX_FOUND:
        status = _("first {most:,}", most=MAX_FOUND)
    elif view.stopped:
        status = _("stopped")
    if status:
        draw_text_before(left + width - px(4), y + px(3), status, ui.MUTED)
    return y + px(22)


def _draw_foot(library: LibraryController, left: float, y: float, width: float) -> None:
    """Draw a rule, and below it buttons for keys: star, save, and stop or close.

    Args:
        library: opens, lists, plays and saves patterns.
        left, y, width: left edge, top and width of the foot, [pixels].
    """
    view = library.generator

    def perform(action: Action) -> None:
        """Perform the action of a button: saving is done by the library, all else by the view."""
        view.card_actions.get(action, library.ask_to_save)()

    keys = (
        (Action.STAR, N_("Star")),
        (Action.SAVE_FILE, N_("Save")),
        (Action.BACK, N_("Stop") if view.search else N_("Close")),
    )
    tints = {Action.STAR: ui.MUTED if view.chosen is not None else ui.FAINT}
    # The last button, which closes the card, may be left out: a cross does so, too.
    ui.draw_foot(keys, left, y, width, perform, tints=tints, max_lines=1)
