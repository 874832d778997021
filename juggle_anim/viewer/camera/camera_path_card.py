"""The card of a camera path: its views, their times, and a preview."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.camera.camera_rig import CameraKeys
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
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.keymap import Action, term_tip

# Sizes at the usual scale, [pixels].
_ROW_PITCH = 26.0  # from one view to the next
_PASSING_TIME = 0.1  # s; the preview passes a view that is no farther
_TIME_COLUMN = 47.0  # width of the times


class CameraPathCard(Card):
    """The views that the camera goes through in a film."""

    name = "camera path"
    slot = Slot.PANEL

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: title, a hint while there is no path, the views, and keys at the foot.

        A camera path is a list of views, between which the camera of a film moves.

        Args:
            frame: gives the controller, on which clicks act.
            place: place of the card in the window, [pixels].
        """
        controller = frame.controller
        ui.begin_card(self.name, place)

        # The title, with a button that closes the card.
        views = controller.model.camera_keys
        inner = place.inset(px(10))
        left = inner.left
        width = inner.width
        y = inner.top
        if ui.draw_title(_("Camera path"), left, y, width):
            controller.perform(Action.CAMERA_PATH)
        y += px(ui.TITLE_HEIGHT)

        # The hint, above the list; the list takes what is left above the keys at the foot.
        keys = _keys(views)
        bottom = place.bottom - foot_height(keys, width)
        if not views.is_path:
            words = _(
                "Move the camera from view to view in a video: turn the camera, add the view, "
                "and repeat. When you save a video, you can choose to follow the path."
            )
            draw_text(left + px(2), y, words, ui.MUTED, wrap=width - px(4))
            y += measure(words, wrap=width - px(4)).height + px(8)
        _draw_rows(views, Rectangle(left, y, width, bottom - y - px(3)))
        draw_foot(keys, left, bottom, width, controller.perform)
        imgui.end()


def _draw_rows(views: CameraKeys, place: Rectangle) -> None:
    """Draw the views of a camera path as rows of a list that scrolls.

    Args:
        views: views of the path. `list_rows` scrolls to the chosen one if they ask for it, and
            clears that wish.
        place: place of the list in the window, [pixels].
    """
    times = views.times
    for number, row in ui.list_rows(
        "views", views, views.chosen, len(times), place, px(_ROW_PITCH), gap=1
    ):
        if number < len(views.keys):  # a click may just have removed one
            _draw_row(views, number, times[number], row)


def _draw_row(views: CameraKeys, number: int, time: float, row: Rectangle) -> None:
    """Draw a view of a camera path as a row: when the camera is there, and from where it looks.

    A click makes the camera of the window look from there.

    Args:
        views: views of the path; buttons and clicks change it.
        number: index of the view, from 0.
        time: when the camera is there, [s] of the film.
        row: row of the view in the window, [pixels].
    """
    is_chosen = number == views.chosen
    is_hovered = ui.is_mouse_over(row)
    if is_hovered:
        ui.fill_box(row, ui.TRACK_HOVERED, rounding=6)
    if is_chosen:
        ui.outline_box(row, ui.ACCENT, rounding=6, thickness=1)

    # Buttons to remove the view and to change its time, on the right.
    buttons = list[RowButton]()
    if is_hovered or is_chosen:
        buttons.append(RowButton("×", "view ×", partial(_change, views, number, views.remove)))
    if buttons and number:  # the first view is where the path begins
        buttons += [
            RowButton("+", "view +", partial(_change, views, number, partial(views.lengthen, 1))),
            RowButton("−", "view −", partial(_change, views, number, partial(views.lengthen, -1))),
        ]
    buttons_left, is_changed = draw_row_buttons(row, number, buttons)
    # The view may be gone, so the row is drawn with the next picture.
    if is_changed:
        return

    # The rest of the row is a button.
    key = views.keys[number]
    spot = replace(row, width=buttons_left - row.left)
    if ui.place_button(f"view {number}", spot, term_tip("view"), tab_stop=False):
        views.choose(number)

    draw_text(row.left + px(6), row.top + px(5), f"{time:.1f} s", ui.MUTED)
    # The angles, in words if there is room for these; in strong type while a preview passes here.
    preview_time = views.preview_time
    is_passing = preview_time is not None and abs(preview_time - time) < _PASSING_TIME
    words_left = row.left + px(_TIME_COLUMN)
    room = buttons_left - words_left
    words = _(
        "{azimuth:.0f}° around, {elevation:.0f}° up", azimuth=key.azimuth, elevation=key.elevation
    )
    words_width, _height = measure(words, ui.TEXT, strong=is_passing)
    if words_width > room:
        words = f"{key.azimuth:.0f}°, {key.elevation:.0f}°"
    fitted_words = ui.ellipsize(words, room, ui.TEXT, strong=is_passing)
    tint = ui.ACCENT if is_passing else ui.INK
    draw_text(words_left, row.top + px(4), fitted_words, tint, ui.TEXT, strong=is_passing)


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
        words = N_("Stop") if views.preview_time is not None else N_("Preview")
        shown += [(Action.TYPE_VALUE, words), (Action.SAVE_AS, N_("Save"))]
    return shown
