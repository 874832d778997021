"""The transport: play and pause, single frames, the position in the loop, and the speed.

A click on the speed opens a field there to type a number; a right click resets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.errors import sentence
from juggle_anim.language import _
from juggle_anim.parameters import quantity_named
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.slider import draw_entry
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, draw_text_before, measure, px
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, action_tip, row_tip, term_tip
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.playback import Playback, snap

# at scale 1, [pixels]
_LENGTH_WIDTH = 420.0  # a narrower bar does not show the length of the loop
_TICK_DISTANCE = 5.0  # least mean distance of ticks
_SNAP_DISTANCE = 2.5  # from a tick within which the mouse snaps to it
_PAD = 8.0
_GAP = 6.0
_SPEED_HEIGHT = 28.0
_WIDEST_SPEED = "0.75×"


class TransportBar(Card):
    """Play and pause, single frames, the position in the loop, and the speed."""

    name = "transport"
    slot = Slot.BAR

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the bar: buttons for steps, pause and reverse, the time line, and numbers.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        controller = frame.controller
        ui.begin_card(self.name, place)
        model = controller.model
        side = px(30)
        x = place.left + px(8)
        y = place.middle - side / 2
        for action in (Action.STEP_BACK, Action.PAUSE, Action.STEP_ON):
            if _button(action, x, y, side):
                controller.perform(action)
            _draw_sign(action, model.playback, x + side / 2, y + side / 2)
            x += side + px(2)
        # The time line takes the room between that sign and the numbers.
        left = _draw_reverse_sign(controller, Rectangle(x, y, side, side)) + px(10)
        right = _draw_numbers(controller, place)
        _scrub(model, Rectangle(left, place.top, right - px(16) - left, place.height))
        imgui.end()


def _button(action: Action, x: float, y: float, side: float) -> bool:
    """Make a place the button of an action; return whether it was pressed."""
    place = Rectangle(x, y, side, side)
    pressed = ui.place_button(action.name, place, action_tip(action))
    ui.fill_if_hovered(place)
    return pressed


def _draw_sign(action: Action, playback: Playback, x: float, y: float) -> None:
    """Draw the sign of a button.

    Two bars while time runs; a triangle while it is paused; for a step a triangle at a bar.

    Args:
        action: action of the button, `PAUSE`, `STEP_BACK` or `STEP_ON`.
        playback: the clock.
        x, y: middle of the sign, [pixels].
    """
    draw = imgui.get_window_draw_list()
    # Sizes are multiples of a pixel at scale 1. `ahead` is this unit, negative where the triangle
    # points left.
    unit = px(1)
    if action is Action.PAUSE and not playback.paused:
        bar_width = 3.5 * unit
        for bar_left in (x - 5 * unit, x + 1.5 * unit):
            low = (bar_left, y - 6 * unit)
            high = (bar_left + bar_width, y + 6 * unit)
            draw.add_rect_filled(low, high, ui.ACCENT, unit)
    elif action is Action.PAUSE:
        ahead = -unit if playback.backwards else unit  # to where time runs
        corners = (
            (x - 4 * ahead, y - 6.5 * ahead),
            (x + 7 * ahead, y),
            (x - 4 * ahead, y + 6.5 * ahead),
        )
        draw.add_triangle_filled(*corners, ui.ACCENT)
    else:
        ahead = unit if action is Action.STEP_ON else -unit
        # Both coordinates change sign with the direction, as imgui smooths only what is drawn
        # clockwise.
        draw.add_triangle_filled(
            (x - 3 * ahead, y - 4.5 * ahead),
            (x + 3.5 * ahead, y),
            (x - 3 * ahead, y + 4.5 * ahead),
            ui.MUTED,
        )
        bar_left, bar_right = sorted((x - 5.5 * ahead, x - 4 * ahead))
        draw.add_rect_filled((bar_left, y - 4.5 * unit), (bar_right, y + 4.5 * unit), ui.MUTED)


def _draw_numbers(controller: Controller, place: Rectangle) -> float:
    """Draw beat, time in the loop, and speed at the right end; return their left edge, [pixels].

    Args:
        controller: controller of the viewer.
        place: place of the whole bar, [pixels].
    """
    model = controller.model
    duration = controller.model.animation.duration  # s, of the loop
    now = model.playback.phase(duration) * duration
    y = ui.line_top(place)

    # From right to left, so that each part ends where the one before begins: speed, length of the
    # loop, time, beat.
    x = draw_speed(controller, place)
    is_wide = place.width > px(_LENGTH_WIDTH)
    unit = _(" of {duration:.2f} s loop", duration=duration) if is_wide else " s"
    clock_right = x - px(6)
    x_of_unit = draw_text_before(clock_right, y, unit, ui.MUTED)

    # Time and beat have as much room as the last time and beat of the loop need, so that nothing
    # moves as they grow.
    _draw_counted(x_of_unit, y, f"{now:.2f}", ui.INK)
    x = x_of_unit - _counted_width(f"{duration:.2f}")
    beat = beat_words(model.animation, model.beat_line.time_on_beat(model.animation, now))
    if is_wide and beat:
        x -= px(12)
        _draw_counted(x, y, beat, ui.MUTED)
        last_beat = duration - 0.5 / model.animation.choreography.bps  # s, within it
        x -= _counted_width(beat_words(model.animation, last_beat))
    clock_place = Rectangle(x, place.top, clock_right - x, place.height)
    seconds = _("{now:.2f} s of a {duration:.2f} s loop", now=now, duration=duration)
    notes = f"{sentence(beat)}, {seconds}" if beat else seconds
    ui.place_button("clock", clock_place, replace(term_tip("clock"), notes=notes), tab_stop=False)
    return x


def _counted_runs(words: str) -> Iterator[tuple[str, float]]:
    """Yield the digits of words, and the parts between them, each with its width, [pixels].

    Digits, whose widths differ in the font, are all as wide as a zero.
    """
    zero_width = measure("0").width
    for run in re.findall(r"\d|\D+", words):
        yield run, zero_width if run.isdecimal() else measure(run).width


def _counted_width(words: str) -> float:
    """Return the width of words as `_draw_counted` draws them, [pixels]."""
    return sum(width for _run, width in _counted_runs(words))


def _draw_counted(right: float, y: float, words: str, tint: int) -> None:
    """Draw a text with numbers that change, right-aligned, so that nothing in it jitters.

    Each run of characters is drawn in the middle of a width that does not depend on its digits.

    Args:
        right: right edge of the text, [pixels].
        y: upper edge of the text, [pixels].
        words: a text with numbers.
        tint: colour of the text as imgui packs it.
    """
    x = right - _counted_width(words)
    for run, width in _counted_runs(words):
        draw_text(x + (width - measure(run).width) / 2, y, run, tint)
        x += width


def _draw_reverse_sign(controller: Controller, place: Rectangle) -> float:
    """Draw a triangle that points left, and reverse time when it is clicked.

    It is filled while time runs backwards, and an outline otherwise. Its tooltip tells the duration
    of the loop, and whether it is played backwards or paused.

    Args:
        controller: holds the model, and performs actions.
        place: place of the button, [pixels].

    Returns:
        The right edge of the button, [pixels].
    """
    playback = controller.model.playback
    states = [
        _("Repeats every {duration:.2f} s", duration=controller.model.animation.duration),
        _("Backwards") if playback.backwards else "",
        _("paused") if playback.paused else "",
    ]
    notes = "  ·  ".join(filter(None, states))
    tip = replace(term_tip("loop", action=Action.BACKWARDS), notes=notes)
    if ui.place_button("loop", place, tip):
        controller.perform(Action.BACKWARDS)
    # imgui answers for the item drawn last, here the button.
    hovered = imgui.is_item_hovered()
    ui.fill_row(place, chosen=playback.backwards, lit=hovered)
    tint = ui.ACCENT if hovered or playback.backwards else ui.MUTED
    x = place.centre
    half = px(5.5)
    corners = (x + half, place.middle - half), (x + half, place.middle + half)
    tip_of_sign = x - half, place.middle
    draw = imgui.get_window_draw_list()
    if playback.backwards:
        draw.add_triangle_filled(*corners, tip_of_sign, tint)
    else:
        draw.add_triangle(*corners, tip_of_sign, tint, px(1.6))
    return place.right


def beat_words(animation: Animation, time: float) -> str:
    """Return the beat of the loop at a time, [s]: `beat 2 of 6`; empty for events without beats."""
    if animation.pattern is None:
        return ""
    beats = max(round(animation.duration * animation.choreography.bps), 1)
    beat = int(time / animation.duration * beats + 1e-6) % beats + 1
    return _("beat {beat} of {beats}", beat=beat, beats=beats)


def _scrub(model: Model, place: Rectangle) -> None:
    """Draw the time line of the loop; a drag on it pauses, goes to a time, and snaps to throws.

    Nothing is drawn where the place is too short to be dragged.

    Args:
        model: the model with the playback, whose time is set.
        place: area to draw into, [pixels] in the window.
    """
    if place.width < px(30):
        return  # too short to be dragged
    duration = model.animation.duration
    ui.place_button("scrub", place, term_tip("time line"), tab_stop=False)
    # The mouse may have moved once more in the frame in which it is released.
    if imgui.is_item_active() or imgui.is_item_deactivated():
        model.playback.paused = True
        # A phase is a time as a share of the loop, from 0 to 1.
        phase = ui.mouse_share(place)
        throw_phases = model.throws.of(model.animation) / duration
        snap_distance = px(_SNAP_DISTANCE) / place.width
        model.playback.seek(snap(phase, throw_phases, snap_distance), duration)

    # The groove, the part that has passed, ticks of throws, and the knob.
    draw = imgui.get_window_draw_list()
    phase = model.playback.phase(duration)
    knob_x = ui.draw_groove(place.left, place.right, place.middle, phase, thickness=4, tint=ui.LINE)
    _mark_throws(model, place)
    _mark_collisions(model, place)
    is_lit = imgui.is_item_hovered() or imgui.is_item_active()
    draw.add_circle_filled((knob_x, place.middle), px(7 if is_lit else 6), ui.ACCENT)


def _mark_throws(model: Model, place: Rectangle) -> None:
    """Draw a tick under the time line for each throw, if there is room to tell them apart.

    Args:
        model: the model with the throws of the loop.
        place: area to draw into, [pixels] in the window.
    """
    throw_times = model.throws.of(model.animation)  # s, in the loop
    duration = model.animation.duration
    if len(throw_times) * px(_TICK_DISTANCE) > place.width:
        return
    draw = imgui.get_window_draw_list()
    tick_width = px(1.5)
    top = place.middle + px(8)
    for phase in (throw_times / duration).tolist():
        left = round(place.left + phase * place.width)
        draw.add_rect_filled((left, top), (left + tick_width, top + px(6)), ui.MUTED)


def _mark_collisions(model: Model, place: Rectangle) -> None:
    """Draw a red mark above the time line for each collision that is known, clear of the knob.

    Args:
        model: the model with the collisions of the loop.
        place: area to draw into, [pixels] in the window.
    """
    draw = imgui.get_window_draw_list()
    half_width = px(3.5)
    bottom = place.middle - px(9)
    top = bottom - px(6)
    for hit in model.facts.hits(model.animation):
        x = place.left + place.width * hit.time / model.animation.duration
        draw.add_triangle_filled(
            (x - half_width, top), (x + half_width, top), (x, bottom), ui.ERROR
        )


def draw_speed(controller: Controller, bar: Rectangle) -> float:
    """Draw the speed at the right end of the bar; return where it begins, [pixels].

    A click opens a field there to type another speed; a right click resets it.

    Args:
        controller: controller of the viewer.
        bar: place of the whole bar, [pixels].
    """
    model = controller.model
    speed = quantity_named("speed")
    backwards = model.playback.backwards
    label = _("Backwards") if backwards else _("Speed")

    # The box is wide enough for the widest of the usual speeds, so that it does not move when the
    # speed changes.
    pad = px(_PAD)
    label_width = measure(label, strong=backwards).width
    value_width = measure(_WIDEST_SPEED, strong=True).width
    width = 2 * pad + label_width + px(_GAP) + value_width
    height = px(_SPEED_HEIGHT)
    place = Rectangle(bar.right - px(8) - width, bar.middle - height / 2, width, height)
    if model.entry.typed and model.entry.in_bar:
        draw_entry(model.entry, place, size=ui.SMALL, name=label)
        return place.left
    if ui.place_button("speed", place, row_tip(speed)):
        model.open_entry(speed, in_bar=True)
    hovered = ui.fill_if_hovered(place)
    if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
        model.reset(speed)
    value = values.format_value(speed, model.animation.parameters.speed)
    y = place.top + px(7)
    tint = ui.INK if model.is_default(speed) and not hovered else ui.ACCENT
    x = draw_text_before(place.right - pad, y, value, tint, strong=True)
    tint = ui.ACCENT if hovered or backwards else ui.MUTED
    draw_text_before(x - px(_GAP), y, label, tint, strong=backwards)
    return place.left
