"""Card of a routine: its lines with their times, and a field to type one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.notation import without_length
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    Keys,
    RowButton,
    Slot,
    draw_foot,
    draw_row_buttons,
    draw_text,
    foot_height,
    measure,
    px,
)
from juggle_anim.viewer.editor.routine_list import RoutineList, Row
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import NO_TIP, Action, Tip, action_tip, term_tip

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 26.0
_TIME_WIDTH = 47.0
_HELP = N_("For example: 531 2 loops, cascade 9 catches, 51 for 4 s, stop 2 s, transition 3 4")


class RoutineCard(Card):
    """The lines of a routine."""

    name = "routine"
    slot = Slot.PANEL

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: a head, the lines of the routine, and keys below them.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        controller = frame.controller
        ui.begin_card(self.name, place)
        routine = controller.routine
        inner = place.inset(px(10))
        left = inner.left
        width = inner.width
        y = inner.top
        y = _draw_head(controller, left, y, width)
        keys = _keys(controller)
        bottom = place.bottom - foot_height(keys, width)
        if not routine.is_listed:
            _draw_beginning(controller, Rectangle(left, y, width, bottom - y))
        else:
            # Below the lines are an error, and either the button that adds a line or, while one is
            # typed, patterns that it may mean. With few lines this is right below the last one.
            row_height = px(_ROW_HEIGHT)
            gap = px(4)
            offers = routine.suggestions if routine.typing else ()
            below_height = _error_height(routine, width) + row_height * max(len(offers), 1)
            row_count = len(_row_numbers(routine))
            rows_height = min(row_count * row_height + px(1), bottom - 2 * gap - below_height - y)
            below = Rectangle(left, y + rows_height + gap, width, below_height)
            keeps_typing = below.covers(*imgui.get_mouse_pos())
            _draw_rows(routine, Rectangle(left, y, width, rows_height), keeps_typing=keeps_typing)
            y = below.top + _draw_error(routine, left, below.top, width)
            if routine.typing:
                _draw_suggestions(routine, Rectangle(left, y, width, below.bottom - y))
            else:
                words = "+ " + _("Add a trick")
                tip = action_tip(Action.ADD_POINT)
                if _draw_button("add a trick", words, tip, left, y):
                    controller.perform(Action.ADD_POINT)
        draw_foot(keys, left, bottom, width, controller.perform)
        imgui.end()


def _draw_button(name: str, words: str, tip: Tip | None, left: float, top: float) -> bool:
    """Draw a button as wide as its words.

    Args:
        name: name of the button, unique in the card.
        words: words on the button.
        tip: its tooltip; None for none.
        left, top: upper left corner of the button, [pixels].

    Returns:
        Whether the button was pressed in this frame.
    """
    width = measure(words).width + px(20)
    box = Rectangle(left, top, width, px(_ROW_HEIGHT))
    pressed = ui.place_button(name, box, tip)
    ui.fill_box(box, ui.FILL if imgui.is_item_hovered() else ui.TRACK)
    draw_text(box.left + px(10), box.top + px(6), words, ui.ACCENT)
    return pressed


def _draw_head(controller: Controller, left: float, y: float, width: float) -> float:
    """Draw the title, the time in the routine, and a cross; return their lower edge, [pixels].

    Args:
        controller: controller of the viewer.
        left, y, width: left edge, top and width of the head, [pixels].
    """
    routine = controller.routine
    cross_side = px(22)
    animation = controller.model.animation
    right = left + width - cross_side
    if ui.draw_cross(right, y - px(1), cross_side):
        routine.toggle()

    # The title is cut where the time needs the room. `script` is None before a routine is begun.
    status = ""
    if routine.is_building and not routine.error:
        status = _("Building routine …")
    elif routine.is_working:
        status = _("Updating routine …")
    elif routine.script:
        status = f"{clock(routine.time)} / {clock(animation.duration)}"
    room = right - left - px(16) - measure(status).width
    name = animation.title if routine.script else _("Routine")
    title = ui.ellipsize(name, room, ui.TITLE_SIZE, strong=True)
    draw_text(left + px(2), y, title, ui.INK, ui.TITLE_SIZE, strong=True)
    x = left + px(10) + measure(title, ui.TITLE_SIZE, strong=True).width
    tint = ui.MUTED if routine.script and not routine.is_working else ui.ACCENT
    draw_text(x, y + px(2), status, tint)
    return y + px(ui.TITLE_HEIGHT)


def _draw_beginning(controller: Controller, place: Rectangle) -> None:
    """Draw words about routines, and a button that begins one with the shown pattern.

    Events of a file cannot begin one, so there is no button for them.

    Args:
        controller: holds the model, and performs actions.
        place: area to draw into, [pixels] in the window.
    """
    words = _("A routine is a list of tricks, juggled one after another.")
    words += " " + _("Type a trick and press Enter.")
    draw_text(place.left + px(2), place.top, words, ui.MUTED, wrap=place.width)
    y = place.top + measure(words, wrap=place.width).height + px(12)
    label = _("Start with this pattern")
    if controller.model.animation.pattern and _draw_button(
        "begin", label, term_tip("begin"), place.left, y
    ):
        controller.routine.begin()


def _draw_suggestions(routine: RoutineList, place: Rectangle) -> None:
    """Draw patterns that the typed line may mean, one a row; a click completes the line.

    Without any, an example of a line is in their place.

    Args:
        routine: the list, in which a line is typed.
        place: place of the rows, [pixels].
    """
    if not routine.suggestions:
        draw_text(place.left + px(2), place.top, _(_HELP), ui.MUTED, wrap=place.width)
    for index, name in enumerate(routine.suggestions):
        top = place.top + index * px(_ROW_HEIGHT)
        row = Rectangle(place.left, top, place.width, px(_ROW_HEIGHT - 2))
        if ui.place_button(f"suggestion {index}", row, NO_TIP, tab_stop=False):
            routine.complete(name)
        if imgui.is_item_hovered():
            ui.fill_box(row, ui.TRACK_HOVERED, rounding=6)
        # The first one is also taken by a key.
        y = row.top + px(4)
        right = row.right
        if index == 0:
            right -= ui.keycap_width(ui.COMPLETE_KEY) + px(6)
            ui.draw_keycap(ui.COMPLETE_KEY, right, row.top + px(1), tint=ui.MUTED)
        room = right - row.left - px(16)
        draw_text(row.left + px(10), y, ui.ellipsize(name, room, ui.TEXT), ui.ACCENT, ui.TEXT)


def _draw_rows(routine: RoutineList, place: Rectangle, *, keeps_typing: bool) -> None:
    """Draw the visible lines of a routine; a line that is typed is a field where it belongs.

    Args:
        routine: the lines of a routine.
        place: place of the list, [pixels].
        keeps_typing: whether a click now, as on a suggestion, leaves the field open.
    """
    playing = routine.playing
    numbers = _row_numbers(routine)
    # The list scrolls to the field if there is one, or else to the chosen line.
    shown = max(routine.chosen, routine.field_row)
    for index, row in ui.list_rows(
        "lines", routine, shown, len(numbers), place, px(_ROW_HEIGHT), gap=1
    ):
        number = numbers[index]
        if number is None or index == routine.field_row:
            _draw_field(routine, row, keeps_typing=keeps_typing)
        else:
            _draw_row(routine, number, routine.rows[number], row, playing=number == playing)


def _row_numbers(routine: RoutineList) -> list[int | None]:
    """Return the rows from the top down by the numbers of their lines; None for a new line.

    A new line is typed in a row of its own. Any other line is typed in the row where it is.
    """
    numbers: list[int | None] = [*range(len(routine.rows))]
    if routine.typing and routine.adds:
        numbers.insert(routine.field_row, None)
    return numbers


def _choose_and_change(routine: RoutineList, number: int, change: Callable[[], None]) -> None:
    """Choose a line, and change it."""
    routine.chosen = number
    change()


def _draw_row(
    routine: RoutineList, number: int, line: Row, row: Rectangle, *, playing: bool
) -> None:
    """Draw a line of a routine: when it begins, its text, and how much of it has been juggled.

    A click goes to the line's time, and a double click opens a field in which its text is changed.
    The chosen line, and that under the mouse, have buttons to remove, lengthen and shorten it.

    Args:
        routine: the lines of a routine, with the time in it.
        number: index of the line in the list.
        line: line to draw. `begins` and `ends` are its times, [s]; None for comments, and for lines
            whose times are not computed yet.
        row: rectangle in which the line is drawn, [pixels].
        playing: whether it is juggled now.
    """
    is_chosen = number == routine.chosen
    is_hovered = ui.is_mouse_over(row)
    ui.fill_row(row, chosen=playing, lit=is_hovered)
    if is_chosen:
        ui.outline_box(row, ui.ACCENT, rounding=6, thickness=1)

    # Buttons at the right: sign, and what it does to the chosen line. The last stop always stays.
    changes: tuple[tuple[str, Callable[[], None]], ...] = ()
    if (is_hovered or is_chosen) and not line.is_last_stop:
        changes = (
            ("×", routine.remove),
            ("+", partial(routine.lengthen, 1)),
            ("−", partial(routine.lengthen, -1)),
        )
    buttons = [
        RowButton(sign, term=sign, act=partial(_choose_and_change, routine, number, change))
        for sign, change in changes
    ]
    right, _is_clicked = draw_row_buttons(row, number, buttons)
    spot = replace(row, width=right - row.left)
    if ui.place_button(f"line {number}", spot, _line_tip(line), tab_stop=False):
        routine.go_to(number)
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        routine.type_line()

    # The time, the pattern, and at the right its length. What is not juggled is pale.
    y = row.top + px(5)
    # While lines are laid out, their times are not known.
    time = "…" if routine.is_working else ""
    if line.begins is not None:
        time = clock(line.begins)
    draw_text(row.left + px(6), y, time, ui.MUTED)
    text_left = row.left + px(_TIME_WIDTH)
    pattern, length = (" ".join(part.split()) for part in without_length(line.text))
    length_left = right - px(8) - measure(length).width
    draw_text(length_left, y, length, ui.MUTED)
    room = length_left - px(8) - text_left
    words = ui.ellipsize(pattern, room, ui.TEXT, strong=playing)
    tint = ui.MUTED
    if line.error:
        tint = ui.ERROR
    elif playing:
        tint = ui.ACCENT
    elif (line.begins is not None or routine.is_working) and not line.is_last_stop:
        tint = ui.INK
    draw_text(text_left, row.top + px(4), words, tint, ui.TEXT, strong=playing)

    # A bar at the bottom grows as the line is juggled. The lower limit of the duration avoids a
    # division by 0, as a line may last no time at all.
    if playing and line.begins is not None and line.ends is not None:
        share = (routine.time - line.begins) / max(line.ends - line.begins, 1e-6)
        bar = Rectangle(row.left, row.bottom - px(2), row.width * share, px(2))
        ui.fill_box(bar, ui.ACCENT, rounding=1)


def _line_tip(line: Row) -> Tip:
    """Return what is wrong with a line, or how it is reached."""
    tip = term_tip("line", " ".join(line.text.split()))
    if line.error:
        return replace(tip, text=line.error)
    return (
        replace(tip, notes=_("Transition: {way}", way=line.transition)) if line.transition else tip
    )


def _draw_field(routine: RoutineList, place: Rectangle, *, keeps_typing: bool) -> None:
    """Draw the field in which a line is typed; Enter takes it over, and leaving it drops it.

    Args:
        routine: the list; `typed` is the text in the field.
        place: place of the field, [pixels].
        keeps_typing: whether leaving the field now does not drop the line.
    """
    ui.fill_box(place, ui.FIELD, rounding=6)
    takes_focus = routine.wants_focus
    routine.wants_focus = False
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.callback_completion
    hint = N_("for example 531 2 loops")
    tip = Tip(_("Line"), _(_HELP))
    typed_before = routine.typed
    is_entered, routine.typed = ui.draw_field(
        "routine line",
        routine.typed,
        place,
        takes_focus=takes_focus,
        hint=hint,
        flags=flags,
        callback=partial(_complete, routine),
        tip=tip,
    )
    if imgui.is_item_activated() and routine.moves_caret:
        routine.moves_caret = False
        _put_caret_behind_text()
    if routine.typed != typed_before:
        routine.error = ""
    ui.outline_box(place, ui.ERROR if routine.error else ui.ACCENT, rounding=6)
    if is_entered:
        routine.apply(routine.typed)
    elif imgui.is_item_deactivated() and not keeps_typing:
        routine.typing = False


def _put_caret_behind_text() -> None:
    """Put the caret of the last item behind its text, of which imgui selects all."""
    state = imgui.internal.get_input_text_state(imgui.get_item_id())
    if state:
        state.reload_user_buf_and_move_to_end()


def _complete(routine: RoutineList, typed: imgui.InputTextCallbackData) -> int:
    """Complete the typed line to the first suggestion; imgui calls this on Tab.

    Args:
        routine: the list with the suggestions.
        typed: the text so far, which this changes.

    Returns:
        0, the value that imgui expects.
    """
    text: Any = typed.buf  # a string, whatever the library's annotations say
    for name in routine.suggestions[:1]:
        typed.delete_chars(0, typed.buf_text_len)
        typed.insert_chars(0, routine.completed(text, name))
    return 0


def _error_height(routine: RoutineList, width: float) -> float:
    """Return how high what is wrong is with the gap below it, [pixels]."""
    if not routine.error:
        return 0.0
    return measure(routine.error, wrap=width).height + px(8)


def _draw_error(routine: RoutineList, left: float, top: float, width: float) -> float:
    """Draw what is wrong; return how high that is, [pixels]."""
    draw_text(left + px(2), top, routine.error, ui.ERROR, wrap=width)
    return _error_height(routine, width)


def _keys(controller: Controller) -> Keys:
    """Return the actions whose keys are shown below the list, with words for them.

    Without a routine this is only the one that closes the card.

    Args:
        controller: holds the model, and performs actions.
    """
    if not controller.routine.is_listed:
        return ((Action.ROUTINE, N_("Close")),)
    return (
        # The keys of the editor of ladders, with what they do in this list.
        (Action.TYPE_VALUE, N_("Edit")),
        (Action.ADD_POINT, N_("Add")),
        (Action.REMOVE_POINT, N_("Remove")),
        (Action.SAVE_FILE, N_("Save")),
        # Last, so that one line has both.
        (Action.HANDLE_BEFORE, N_("Up")),
        (Action.HANDLE_AFTER, N_("Down")),
    )


def clock(seconds: float) -> str:
    """Return a time, [s], as `1:05.3`."""
    minutes, tenths = divmod(int(seconds * 10 + 1e-6), 600)
    return f"{minutes}:{tenths / 10:04.1f}"
