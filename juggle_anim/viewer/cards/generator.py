"""The generator's card: what is looked for, how far the search is, and the patterns found."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.generator import Generated
from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.generator import MOST, Control, GeneratorView
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.terms import term_tip

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 27.0
_CONTROL_HEIGHT = 25.0
_FOOT_HEIGHT = 32.0


class GeneratorCard(Card):
    """The search for patterns, and those found."""

    name = "generator"
    slot = Slot.PANEL

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card."""
        library = frame.controller.library
        widgets.begin_card(self.name, place)
        view = library.generator
        pad = look.size(10)
        left = place.left + pad
        width = place.width - 2 * pad
        y = place.top + pad
        if widgets.draw_title(look, _("Generate"), left, y, width):
            view.close()
        y += look.size(widgets.TITLE_HEIGHT)
        y = _draw_controls(view, look, left, y, width) + look.size(7)
        y = _draw_progress(view, look, left, y, width)
        y = _draw_tabs(library, look, left, y, width) + look.size(3)
        bottom = place.bottom - look.size(_FOOT_HEIGHT)
        _draw_rows(library, look, Rectangle(left, y, width, bottom - y))
        _draw_foot(library, look, left, bottom, width)
        imgui.end()


def _draw_rows(library: LibraryController, look: Theme, place: Rectangle) -> None:
    """Draw the visible ones of the patterns listed."""
    view = library.generator
    tall = look.size(_ROW_HEIGHT)
    listed = view.listed
    bar = look.size(10)
    imgui.set_cursor_screen_pos(place.low)
    imgui.begin_child("found", (place.width, place.height), 0, imgui.WindowFlags_.no_nav)
    if view.scroll_to_chosen:
        view.scroll_to_chosen = False
        widgets.scroll_to_row(max(view.index, 0), tall, place.height)
    origin = imgui.get_cursor_screen_pos()
    scrolled = imgui.get_scroll_y()
    first = int(scrolled // tall)
    for number in range(first, min(first + int(place.height / tall) + 2, len(listed))):
        row = Rectangle(
            place.left, origin.y + number * tall, place.width - bar, tall - look.size(1)
        )
        _draw_row(library, look, number, listed[number], row)
    imgui.set_cursor_screen_pos((place.left, origin.y))
    imgui.dummy((1, len(listed) * tall))
    if words := "" if len(listed) else _nothing(view):
        tint = theme.ERROR if view.error else theme.MUTED
        room = place.width - look.size(12)
        look.text(
            place.left + look.size(6), place.top + look.size(8), words, tint, theme.SMALL, wrap=room
        )
    imgui.end_child()


def _nothing(view: GeneratorView) -> str:
    """Return why no pattern is listed."""
    if view.only_stars:
        return _(
            "{key} stars a pattern. Starred ones stay here while you search on.",
            key=caption(Action.STAR),
        )
    return view.error or ("" if view.search else _("There is no such pattern."))


def _draw_row(
    library: LibraryController, look: Theme, number: int, generated: Generated, row: Rectangle
) -> None:
    """Draw a pattern, with the throws into it and out of it if it is no ground state one."""
    view = library.generator
    star = Rectangle(row.right - look.size(24), row.top, look.size(24), row.height)
    starring = widgets.place_button(f"star {number}", star, term_tip("star"), stop=False)
    on_star = imgui.is_item_hovered()
    target = Rectangle(row.left, row.top, row.width - star.width, row.height)
    playing = widgets.place_button(
        f"found {number}", target, term_tip("row", generated.pattern), stop=False
    )
    hovered = imgui.is_item_hovered() or on_star
    chosen = number == view.index
    if chosen or hovered:
        widgets.fill_box(look, row, theme.FILL if chosen else theme.TRACK_HOVERED, 6)
    left = row.left + look.size(8)
    y = row.top + (row.height - look.size(theme.TEXT)) / 2 - look.size(1)
    passage = f"{generated.entry} … {generated.exit}" if generated.entry or generated.exit else ""
    right = star.left - look.size(4)
    if passage:
        room = (right - left) * 0.4
        words = widgets.ellipsize(look, passage, room, theme.SMALL)
        right = look.text_before(right, y, words, theme.MUTED, theme.SMALL) - look.size(8)
    shown = widgets.ellipsize(look, generated.pattern, right - left, strong=chosen)
    look.text(left, y, shown, theme.ACCENT if chosen else theme.INK, strong=chosen)
    if hovered or generated.pattern in view.stars:
        filled = generated.pattern in view.stars
        widgets.draw_star(look, star, filled, theme.ACCENT if filled or on_star else theme.FAINT)
    if starring:
        view.star(generated)
    elif playing:
        view.play(number)


def _draw_controls(view: GeneratorView, look: Theme, left: float, y: float, width: float) -> float:
    """Draw the controls, two in a row; return where they end, [pixels]."""
    gap = look.size(4)
    tall = look.size(_CONTROL_HEIGHT)
    controls = view.active_controls
    wide = (width - gap) / 2
    for number, control in enumerate(controls):
        x = left + number % 2 * (wide + gap)
        top = y + number // 2 * (tall + gap)
        if steps := draw_control(look, control, Rectangle(x, top, wide, tall), number == view.line):
            view.step(control, steps)
    return y + -(-len(controls) // 2) * (tall + gap) - gap


def draw_control(look: Theme, control: Control, place: Rectangle, chosen: bool) -> int:
    """Draw a control; return by how many values a click on it, or on its arrows, moves it."""
    pad = look.size(8)
    arrow = look.size(20)
    wide = look.measure(control.shown, theme.SMALL, strong=True)[0]
    if (
        look.measure(control.label, theme.SMALL)[0] + pad + 2 * arrow + max(wide, look.size(14))
        > place.width
    ):
        pad = look.size(6)
        arrow = look.size(14)
    back = place.right - 2 * arrow - max(wide, look.size(14))
    steps = 0
    on_arrow = 0
    tip = term_tip(control.name)
    for direction, x in ((-1, back), (1, place.right - arrow)):
        spot = Rectangle(x, place.top, arrow, place.height)
        if widgets.place_button(f"{control.name} {direction}", spot, tip, stop=False):
            steps = direction
        on_arrow = direction if imgui.is_item_hovered() else on_arrow
    words = Rectangle(place.left, place.top, back - place.left, place.height)
    pressed = widgets.place_button(control.name, words, tip, stop=False)
    lit = chosen or imgui.is_item_hovered() or bool(on_arrow)
    widgets.fill_box(
        look, place, theme.FILL if chosen else theme.TRACK_HOVERED if lit else theme.TRACK
    )
    y = place.top + (place.height - look.size(theme.SMALL)) / 2 - look.size(1)
    right = place.right - arrow if lit else place.right - pad
    ink = theme.ACCENT if chosen or control.value != control.usual else theme.INK
    if lit:
        x = (back + arrow + place.right - arrow - wide) / 2
        look.text(x, y, control.shown, ink, theme.SMALL, strong=True)
        for direction, x in ((-1, back + arrow / 2), (1, place.right - arrow / 2)):
            _draw_arrow(
                look,
                x,
                place.middle,
                direction,
                theme.ACCENT if on_arrow == direction else theme.MUTED,
            )
    else:
        look.text_before(right, y, control.shown, ink, theme.SMALL, strong=True)
    room = (back if lit else right - wide - look.size(4)) - place.left - pad
    label = widgets.ellipsize(look, control.label, room, theme.SMALL)
    look.text(place.left + pad, y, label, theme.MUTED, theme.SMALL)
    # A click beside the arrows turns what has few values on.
    return steps or int(pressed and not control.is_number)


def _draw_arrow(look: Theme, x: float, y: float, direction: int, tint: int) -> None:
    """Draw an arrow that points to the left, −1, or to the right, 1."""
    unit = look.size(3.2) * direction
    draw = imgui.get_window_draw_list()
    corners = (x - unit / 2, y - unit), (x + unit / 2, y), (x - unit / 2, y + unit)
    draw.add_line(corners[0], corners[1], tint, look.size(1.4))
    draw.add_line(corners[1], corners[2], tint, look.size(1.4))


def _draw_progress(view: GeneratorView, look: Theme, left: float, y: float, width: float) -> float:
    """Draw how much of the period is searched; return where it ends, [pixels]."""
    draw = imgui.get_window_draw_list()
    tall = look.size(2)
    draw.add_rect_filled((left, y), (left + width, y + tall), theme.GROOVE, tall / 2)
    if view.search:
        draw.add_rect_filled(
            (left, y), (left + width * view.search.done, y + tall), theme.ACCENT, tall / 2
        )
    return y + look.size(8)


def _draw_tabs(
    library: LibraryController, look: Theme, left: float, y: float, width: float
) -> float:
    """Draw how many patterns are found and starred, as tabs; return where they end, [pixels]."""
    view = library.generator
    words = (
        _("{count:,} found", count=len(view.found)),
        _("{count:,} starred", count=len(view.stars)),
    )
    clicked = widgets.draw_tabs(
        look, ("found", "starred"), words, ("found", "starred")[view.only_stars], left, y
    )
    if clicked:
        view.show_stars(clicked == "starred")
    status = ""
    if view.search and view.search.last_period != view.search.options.periods[0]:
        status = _("period {period}", period=view.search.period)
    elif view.stopped:
        status = _("first {most:,}", most=MOST) if len(view.found) >= MOST else _("stopped")
    if status:
        look.text_before(
            left + width - look.size(4), y + look.size(3), status, theme.MUTED, theme.SMALL
        )
    return y + look.size(22)


def _draw_foot(
    library: LibraryController, look: Theme, left: float, y: float, width: float
) -> None:
    """Draw the keys, as buttons."""
    imgui.get_window_draw_list().add_line((left, y), (left + width, y), theme.LINE, look.size(1))
    x = left
    y = y + look.size(7)
    view = library.generator

    def perform(action: Action) -> None:
        view.card_actions.get(action, library.ask_to_save)()

    for action, words in (
        (Action.STAR, N_("Star")),
        (Action.SAVE_FILE, N_("Save")),
        (Action.BACK, N_("Stop") if view.search else N_("Close")),
    ):
        tint = theme.MUTED if action is not Action.STAR or view.chosen else theme.FAINT
        if x + widgets.key_button_width(look, action, words) > left + width:
            break  # a cross above closes it, too
        x += widgets.draw_key_button(look, action, words, x, y, tint, perform) + look.size(9)
