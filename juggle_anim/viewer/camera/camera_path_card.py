"""The card of a camera path: its views, their times, and a preview."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.camera.camera_keys import CameraKeys
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import (
    Keys,
    RowButton,
    draw_foot,
    draw_row_buttons,
    foot_height,
    scroll_to_row,
)
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.terms import term_tip

_ROW = 26.0
_TIME = 47.0


class CameraPathCard(Card):
    """The views that the camera goes through in a film."""

    name = "camera path"
    slot = Slot.PANEL

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card."""
        controller = frame.controller
        widgets.begin_card(self.name, place)
        views = controller.model.camera_keys
        pad = look.size(10)
        left = place.left + pad
        width = place.width - 2 * pad
        y = place.top + pad
        if widgets.draw_title(look, _("Camera path"), left, y, width):
            controller.perform(Action.CAMERA_PATH)
        y += look.size(widgets.TITLE_HEIGHT)
        keys = _keys(views)
        bottom = place.bottom - foot_height(look, keys, width)
        if not views.is_path:
            words = _(
                "A film can go from view to view. Turn the camera and add where it is, as often as "
                "you like. Saving a film "
                "asks whether it goes along."
            )
            look.text(
                left + look.size(2), y, words, theme.MUTED, theme.SMALL, wrap=width - look.size(4)
            )
            y += look.measure(words, theme.SMALL, wrap=width - look.size(4))[1] + look.size(8)
        _draw_rows(views, look, Rectangle(left, y, width, bottom - y - look.size(3)))
        draw_foot(look, keys, left, bottom, width, controller.perform)
        imgui.end()


def _draw_rows(views: CameraKeys, look: Theme, place: Rectangle) -> None:
    """Draw the views, which scroll."""
    tall = look.size(_ROW)
    imgui.set_cursor_screen_pos(place.low)
    imgui.begin_child("views", (place.width, place.height), 0, imgui.WindowFlags_.no_nav)
    if views.scroll_to_chosen:
        views.scroll_to_chosen = False
        scroll_to_row(views.chosen, tall, place.height)
    origin = imgui.get_cursor_screen_pos()
    wide = place.width - look.size(10)
    for number, time in enumerate(views.times):
        row = Rectangle(place.left, origin.y + number * tall, wide, tall - look.size(1))
        if number < len(views.keys):  # a click may just have removed one
            _draw_row(views, look, number, time, row)
    imgui.set_cursor_screen_pos((place.left, origin.y))
    imgui.dummy((1, len(views.keys) * tall))
    imgui.end_child()


def _draw_row(views: CameraKeys, look: Theme, number: int, time: float, row: Rectangle) -> None:
    """Draw a view: when the camera is there, and from where it looks; a click looks from there."""
    chosen = number == views.chosen
    over = row.covers(*imgui.get_mouse_pos()) and imgui.is_window_hovered()
    if over:
        widgets.fill_box(look, row, theme.TRACK_HOVERED, 6)
    if chosen:
        widgets.outline_box(look, row, theme.ACCENT, 6, 1)
    buttons = list[RowButton]()
    if over or chosen:
        buttons.append(("×", "view ×", partial(_change, views, number, views.remove)))
    if buttons and number:  # the first view is where the path begins
        buttons += [
            ("+", "view +", partial(_change, views, number, partial(views.lengthen, 1))),
            ("−", "view −", partial(_change, views, number, partial(views.lengthen, -1))),
        ]
    right, changed = draw_row_buttons(look, row, number, buttons)
    if changed:
        return
    key = views.keys[number]
    spot = Rectangle(row.left, row.top, right - row.left, row.height)
    if widgets.place_button(f"view {number}", spot, term_tip("view"), stop=False):
        views.choose(number)
    played = views.played
    y = row.top + look.size(5)
    there = played is not None and abs(played - time) < 0.1
    look.text(row.left + look.size(6), y, f"{time:.1f} s", theme.MUTED, theme.SMALL)
    words = _(
        "{azimuth:.0f}° around, {elevation:.0f}° up", azimuth=key.azimuth, elevation=key.elevation
    )
    if look.measure(words, theme.TEXT, strong=there)[0] > right - row.left - look.size(_TIME):
        words = f"{key.azimuth:.0f}°, {key.elevation:.0f}°"
    words = widgets.ellipsize(look, words, right - row.left - look.size(_TIME), theme.TEXT, there)
    tint = theme.ACCENT if there else theme.INK
    look.text(row.left + look.size(_TIME), row.top + look.size(4), words, tint, strong=there)


def _change(views: CameraKeys, number: int, change: Callable[[], None]) -> None:
    """Choose a view, and change the path there."""
    views.chosen = number
    change()


def _keys(views: CameraKeys) -> Keys:
    """Return the keys below the list."""
    shown: list[tuple[Action, str]] = [(Action.ADD_POINT, N_("Add"))]
    if views.keys:
        shown.append((Action.REMOVE_POINT, N_("Remove")))
    if views.is_path:
        words = N_("Stop") if views.played is not None else N_("Preview")
        shown += [(Action.TYPE_VALUE, words), (Action.SAVE_AS, N_("Save"))]
    return shown
