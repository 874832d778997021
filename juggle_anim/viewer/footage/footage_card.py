"""The card of a film: its controls, its time line with marks, their tempo and dwell."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.parameters import Choice
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.slider import HEIGHT, Sliders
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, draw_text_before, measure, px
from juggle_anim.viewer.footage.footage import MARKS, THROWS, FootageView
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.panel.values import option_words
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, caption, term_tip

_TIME = 40.0
_FOOT = 32.0

_MOST_BEATS = 400  # a line with more is not ticked


class FootageCard(Card):
    """The card of a film, in the place of the panel."""

    name = "footage"
    slot = Slot.PANEL

    def __init__(self) -> None:
        self._sliders = Sliders()

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw title, time line, controls and marks of the film, or how to open one.

        Args:
            frame: the frame with the controller.
            place: place of the card in the window, [pixels].
        """
        controller = frame.controller
        ui.begin_card(self.name, place)
        footage = controller.footage
        inner = place.inset(px(10))
        left = inner.left
        width = inner.width
        y = inner.top
        if ui.draw_title(footage.path.name or _("Video"), left, y, width):
            footage.toggle()
        y += px(ui.TITLE_HEIGHT)
        bottom = place.bottom - px(_FOOT)
        if footage.film is None:
            _draw_empty(controller, left, y, width)
        else:
            y = _draw_time(footage, Rectangle(left, y, width, px(_TIME)))
            y = self._draw_controls(footage, left, y, width)
            _draw_marks(controller, Rectangle(left, y, width, bottom - y))
        keys = (
            (Action.OPEN_FILE, N_("Open")),
            (Action.REMOVE_FILM, N_("Remove")),
            (Action.BACK, N_("Close")),
        )
        tints = {} if footage.film else {Action.REMOVE_FILM: ui.FAINT}
        ui.draw_foot(keys, left, bottom, width, controller.perform, tints=tints, max_lines=1)
        imgui.end()

    def _draw_controls(self, footage: FootageView, left: float, y: float, width: float) -> float:
        """Draw the controls: choices over the whole width, and numbers two in a row.

        Args:
            footage: footage whose controls they are.
            left, y: upper left corner, [pixels].
            width: width of the rows, [pixels].

        Returns:
            The y where they end, [pixels].
        """
        gap = px(2)
        row_height = px(HEIGHT)
        row_top = y
        column = 0  # the next free one of the row: 0 or 1
        for control in footage.controls.rows:
            is_wide = isinstance(control, Choice)
            if is_wide and column == 1:  # begins a new row
                column = 0
                row_top += row_height
            cell_width = width if is_wide else (width - gap) / 2
            cell_left = left + column * (cell_width + gap)
            cell = Rectangle(cell_left, row_top, cell_width, row_height - px(1))
            self._sliders.draw(footage.controls, control, cell)
            if is_wide or column == 1:  # the row is full
                column = 0
                row_top += row_height
            else:
                column = 1
        if column == 1:  # the last number stands alone in its row
            row_top += row_height
        return row_top + px(4)


def _draw_empty(controller: Controller, left: float, y: float, width: float) -> None:
    """Say what a film is for, and how to open one."""
    words = _(
        "Show a video of a juggler behind or beside the animation: drop an MP4, WebM or GIF on "
        "the window. Mark the throws to match the tempo."
    )
    room = width - px(4)
    draw_text(left + px(2), y, words, ui.MUTED, wrap=room)
    y += measure(words, wrap=room).height + px(10)
    keys = ((Action.OPEN_FILE, N_("Open video")),)
    ui.draw_keys(keys, left, y, width, controller.perform, tints={Action.OPEN_FILE: ui.INK})


def _draw_time(footage: FootageView, place: Rectangle) -> float:
    """Draw a time line of the film, with its marks and the beats that are fitted through them.

    Marks are times of throws that the user has set. A click or drag pauses, and goes to the time at
    the mouse.

    Args:
        footage: the footage with a film.
        place: place of the time line, [pixels].

    Returns:
        Its lower edge, [pixels].
    """
    film = footage.film
    assert film is not None
    draw = imgui.get_window_draw_list()
    # Inset by the radius of the handle, which stays within the card.
    line = Rectangle(place.left + px(6), place.top, place.width - px(12), place.height)
    ui.place_button("film time", place, term_tip("film time"), tab_stop=False)
    is_lit = imgui.is_item_hovered() or imgui.is_item_active()
    if imgui.is_item_active():
        footage.model.playback.paused = True
        footage.go_to(ui.mouse_share(line) * film.duration)
    now = footage.time
    middle = place.top + px(10)
    # The line with its part that has passed, the marks below it, and the handle.
    share_passed = now / film.duration
    handle_x = ui.draw_groove(
        line.left, line.right, middle, share_passed, thickness=4, tint=ui.LINE
    )
    _draw_ticks(footage, line, middle + px(5))
    draw.add_circle_filled((handle_x, middle), px(7 if is_lit else 6), ui.ACCENT)
    top = place.top + px(23)
    draw_text(line.left, top, f"{now:.2f} s")
    draw_text_before(line.right, top, f"{film.duration:.2f} s", ui.MUTED)
    if film.is_waiting:
        draw_text(line.left + px(60), top, "…", ui.MUTED)
    return place.bottom


def _draw_ticks(footage: FootageView, line: Rectangle, top: float) -> None:
    """Draw the marks of a film as ticks, and fainter the beats that are fitted through them.

    Marks are times of throws that the user has set by a key. If they say how long props are held,
    ticks are as wide as the key was held.

    Args:
        footage: the footage with a film.
        line: the time line, [pixels]; its width is the film's duration.
        top: upper edge of the ticks, [pixels].
    """
    draw = imgui.get_window_draw_list()
    tick_width = px(1.5)
    rhythm = footage.rhythm
    assert footage.film is not None
    duration = footage.film.duration
    scale = line.width / duration  # pixels/s
    # Beats closer than 4 pixels would be a grey line.
    max_beat_count = min(_MOST_BEATS, line.width / px(4))
    if rhythm and duration / rhythm.period < max_beat_count:
        for time in np.arange(rhythm.beat % rhythm.period, duration, rhythm.period).tolist():
            x = round(line.left + scale * time)
            draw.add_rect_filled((x, top + px(6)), (x + px(1), top + px(10)), ui.FAINT)
    # Where marks are throws alone, how long the key was held says nothing.
    shows_holds = footage.controls.value(MARKS) != THROWS
    for mark in footage.marks.made:
        left = line.left + scale * mark.pressed
        right = left + tick_width
        # If the film began again while the key was held, it came up at an earlier time of the film.
        if shows_holds and mark.released > mark.pressed:
            right = max(right, line.left + scale * mark.released)
        draw.add_rect_filled((left, top), (right, top + px(5)), ui.INK)


def _draw_marks(controller: Controller, place: Rectangle) -> None:
    """Draw how to mark a film, what the marks give, and buttons to use them.

    Args:
        controller: performs what the buttons are for.
        place: place of these lines, [pixels].
    """
    footage = controller.footage
    y = place.top + px(2)
    # Marks are either taps, one at each throw, or keys held while one hand holds a prop.
    marks_holds = footage.controls.value(MARKS) != THROWS
    key = caption(Action.MARK_BEAT)
    room = place.width - px(4)
    words = _("Tap {key} at each throw of either hand", key=key)
    if marks_holds:
        hand = option_words(str(footage.controls.value(MARKS)))
        words = _("Hold {key} while the {value} holds a prop", key=key, value=hand)
    words += _(" as the video plays; {key} slows it down.", key=caption(Action.SLOWER))
    y += _draw_text(place.left, y, words, room, ui.MUTED)
    # The result of the marks, in strong ink as soon as they give a tempo.
    has_pace = footage.pace is not None
    tint = ui.INK if has_pace else ui.MUTED
    y += _draw_text(place.left, y, footage.rhythm_text, room, tint) + px(4)
    keys = (
        (Action.USE_MARKS, N_("Apply")),
        (Action.UNMARK, N_("Unmark")),
        (Action.SHIFT_BEAT, N_("Other hand")),
    )
    # Actions that can do something now are in ink, others faint.
    tints = {
        Action.USE_MARKS: ui.INK if has_pace else ui.FAINT,
        Action.UNMARK: ui.INK if footage.marks.made else ui.FAINT,
        Action.SHIFT_BEAT: ui.INK,
    }
    ui.draw_keys(keys, place.left, y, place.width, controller.perform, tints=tints)


def _draw_text(left: float, y: float, words: str, room: float, tint: int) -> float:
    """Draw a text, and return how tall it is, [pixels]."""
    draw_text(left + px(2), y, words, tint, wrap=room)
    return measure(words, wrap=room).height + px(3)
