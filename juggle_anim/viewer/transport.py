"""The transport: play and pause, single frames, and where in the loop the picture is."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.card import begin_card, place_button
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.speed_button import draw_speed
from juggle_anim.viewer.theme import Theme
from juggle_anim.viewer.throws import snapped


def draw_transport(controller: Controller, look: Theme, place: Rectangle) -> None:
    """Draw the bar in the place that the layout gives it, [pixels]."""
    begin_card("transport", place)
    model, side = controller.model, look.size(30)
    x, y = place.left + look.size(8), place.top + (place.height - side) / 2
    for action in (Action.STEP_BACK, Action.PAUSE, Action.STEP_ON):
        if _button(look, action.name, x, y, side):
            controller.perform(action)
        _draw_sign(look, action, model.playback.paused, x + side / 2, y + side / 2)
        x += side + look.size(2)
    right = _draw_numbers(controller, look, place)
    left = x + look.size(10)
    _scrub(model, look, Rectangle(left, place.top, right - look.size(16) - left, place.height))
    imgui.end()


def _button(look: Theme, name: str, x: float, y: float, side: float) -> bool:
    imgui.set_cursor_screen_pos((x, y))
    pressed = imgui.invisible_button(name, (side, side))
    if imgui.is_item_hovered():
        tint = theme.FILL if imgui.is_item_active() else theme.TRACK_HOVERED
        imgui.get_window_draw_list().add_rect_filled((x, y), (x + side, y + side), tint, look.size(7))
    return pressed


def _draw_sign(look: Theme, action: Action, paused: bool, x: float, y: float) -> None:
    draw, unit = imgui.get_window_draw_list(), look.size(1)
    if action is Action.PAUSE and not paused:
        for left in (-5, 1.5):
            low, high = (x + left * unit, y - 6 * unit), (x + (left + 3.5) * unit, y + 6 * unit)
            draw.add_rect_filled(low, high, theme.ACCENT, unit)
    elif action is Action.PAUSE:
        corners = (x - 4 * unit, y - 6.5 * unit), (x + 7 * unit, y), (x - 4 * unit, y + 6.5 * unit)
        draw.add_triangle_filled(*corners, theme.ACCENT)
    else:
        way = unit if action is Action.STEP_ON else -unit
        # The library smooths only what is drawn clockwise: `unit` and `way` turn it around together.
        draw.add_triangle_filled(
            (x - 3 * way, y - 4.5 * way), (x + 3.5 * way, y), (x - 3 * way, y + 4.5 * way), theme.MUTED
        )
        edge = sorted((x - 5.5 * way, x - 4 * way))
        draw.add_rect_filled((edge[0], y - 4.5 * unit), (edge[1], y + 4.5 * unit), theme.MUTED)


def _draw_numbers(controller: Controller, look: Theme, place: Rectangle) -> float:
    """Draw time and speed at the right end; returns where they begin, [pixels]."""
    model, duration = controller.model, controller.model.animation.duration
    now = model.playback.phase(duration) * duration
    y = place.top + (place.height - look.size(theme.SMALL)) / 2 - look.size(1)
    x = draw_speed(controller, look, place)
    rest = f" / {duration:.2f} s" if place.width > look.size(_NARROW) else " s"
    x -= look.size(6) + look.measure(rest, theme.SMALL)[0]
    look.text(x, y, rest, theme.MUTED, theme.SMALL)
    digit = look.measure("0", theme.SMALL)[0]
    # Digits differ in width; in cells of one width they do not dance as time runs.
    for character in reversed(f"{now:.2f}"):
        x -= digit if character != "." else digit / 2
        look.text(
            x + (digit - look.measure(character, theme.SMALL)[0]) / 2 * (character != "."),
            y,
            character,
            theme.INK,
            theme.SMALL,
        )
    return x


def _scrub(model: Model, look: Theme, place: Rectangle) -> None:
    if place.width < look.size(30):
        return
    duration = model.animation.duration
    place_button("scrub", place)
    if imgui.is_item_active() or imgui.is_item_deactivated():  # the last way may come with the release
        model.playback.paused = True
        share = (imgui.get_io().mouse_pos.x - place.left) / place.width
        marks = model.throws.of(model.animation) / duration
        model.playback.seek(snapped(share, marks, look.size(_SNAP) / place.width), duration)
    draw, half = imgui.get_window_draw_list(), look.size(2)
    middle, at = place.top + place.height / 2, place.left + place.width * model.playback.phase(duration)
    draw.add_rect_filled((place.left, middle - half), (place.right, middle + half), theme.LINE, half)
    draw.add_rect_filled((place.left, middle - half), (at, middle + half), theme.ACCENT, half)
    _mark_throws(model, look, place)
    grown = imgui.is_item_hovered() or imgui.is_item_active()
    draw.add_circle_filled((at, middle), look.size(7 if grown else 6), theme.ACCENT)


def _mark_throws(model: Model, look: Theme, place: Rectangle) -> None:
    """A tick under the line for each throw, where there is room to tell them apart."""
    throws, duration = model.throws.of(model.animation), model.animation.duration
    if len(throws) * look.size(_ROOM) > place.width:
        return
    draw, wide = imgui.get_window_draw_list(), look.size(1.5)
    top = place.top + place.height / 2 + look.size(8)
    for share in (throws / duration).tolist():
        left = round(place.left + share * place.width)
        draw.add_rect_filled((left, top), (left + wide, top + look.size(6)), theme.MUTED)


_NARROW = 420.0  # a bar that has no room to tell how long the loop is
_ROOM = 5.0  # between two ticks at least, at scale 1
_SNAP = 2.5  # from a tick, where the mouse means it
