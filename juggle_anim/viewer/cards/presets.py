"""The card of presets beside the panel, and the button that shows hidden panels again."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.panel.presets import preset_of
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import term_tip

_WIDTH = 300.0
_ROW = 40.0
_PAD = 10.0
_FIELD = 32.0
_HEAD = 26.0
_NEAR = 150.0
_MARGIN = 14.0
_WIDE = 112.0
_TALL = 36.0


def preset_card_place(model: Model, layout: Layout) -> Rectangle:
    """Return where the card is, [pixels]: beside the panel, no larger than the free space there."""
    free = layout.free
    scale = layout.scale
    gap = layout.panel.left if layout.panel else 0.0
    rows = max(len(model.preset_list.presets), 1) * _ROW
    trouble = 40.0 if model.preset_list.error else 0.0
    height = (2 * _PAD + _HEAD + _FIELD + 6 + rows + trouble) * scale
    width = min(_WIDTH * scale, free.width - 2 * gap)
    return Rectangle(free.left + gap, free.top + gap, width, min(height, free.height - 2 * gap))


def draw_preset_card(model: Model, look: Theme, place: Rectangle) -> None:
    """Draw the card, and handle its keys and mouse."""
    presets = model.preset_list
    widgets.begin_card("presets", place, 0)
    pad = look.size(_PAD)
    origin = imgui.get_cursor_screen_pos()
    left = place.left + pad
    width = place.width - 2 * pad
    y = origin.y + pad
    look.text(left, y, _("Presets"), theme.INK, strong=True)
    look.text_before(left + width, y, _("Enter saves, or applies"), theme.MUTED, theme.SMALL)
    y += look.size(_HEAD)
    _draw_field(model, look, Rectangle(left, y, width, look.size(_FIELD)))
    y += look.size(_FIELD + 6)
    if presets.error:
        look.text(left, y, presets.error, theme.ERROR, theme.SMALL, wrap=width)
        y += look.measure(presets.error, theme.SMALL, wrap=width)[1] + look.size(6)
    if not presets.presets:
        look.text(
            left + look.size(4), y + look.size(4), _("None saved yet"), theme.MUTED, theme.SMALL
        )
    for name, preset in list(presets.presets.items()):
        _draw_preset(model, look, name, preset, Rectangle(left, y, width, look.size(_ROW - 2)))
        y += look.size(_ROW)
    imgui.set_cursor_screen_pos((left, y))
    imgui.dummy((0, 0))
    imgui.end()


def _draw_field(model: Model, look: Theme, place: Rectangle) -> None:
    presets = model.preset_list
    widgets.fill_box(look, place, theme.FIELD)
    wanted = presets.wants_focus
    presets.wants_focus = False
    flags = imgui.InputTextFlags_.enter_returns_true
    hint = _("A name to save, or ↑ ↓")
    done, presets.name = widgets.draw_field(
        look, "preset", presets.name, place, wanted, hint, flags, tip=term_tip("preset name")
    )
    active = imgui.is_item_active()
    widgets.outline_box(look, place, theme.ACCENT if active else theme.LINE)
    if done:
        _enter(model)
    elif imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
        presets.close()
    elif active:
        _keys(model)


def _enter(model: Model) -> None:
    presets = model.preset_list
    if presets.name.strip():
        presets.save(preset_of(model.animation))
    elif presets.chosen:
        model.apply_preset(presets.chosen)
    presets.wants_focus = presets.shown


def _keys(model: Model) -> None:
    presets = model.preset_list
    for key, steps in ((imgui.Key.up_arrow, -1), (imgui.Key.down_arrow, 1)):
        if imgui.is_key_pressed(key):
            presets.step(steps)
    if imgui.is_key_pressed(imgui.Key.delete) and not presets.name and presets.chosen:
        presets.delete(presets.chosen)


def _draw_preset(model: Model, look: Theme, name: str, preset: str, place: Rectangle) -> None:
    presets = model.preset_list
    draw = imgui.get_window_draw_list()
    side = look.size(24)
    left = place.left + look.size(10)
    right = place.right - side - look.size(4)
    cross = Rectangle(right, place.top + (place.height - side) / 2, side, side)
    deleted = widgets.place_button(f"delete {name}", cross, term_tip("delete preset"), stop=False)
    over_cross = imgui.is_item_hovered()
    pressed = widgets.place_button(f"preset {name}", place, term_tip("preset", name), stop=False)
    lit = imgui.is_item_hovered() or over_cross
    chosen = name == presets.chosen
    if lit or chosen:
        widgets.fill_box(look, place, theme.FILL_CHOSEN if chosen else theme.TRACK)
    if chosen:
        widgets.outline_box(look, place, theme.ACCENT)
    draw.push_clip_rect(place.low, (right, place.bottom), True)
    look.text(left, place.top + look.size(3), name, strong=True)
    words = preset.replace(";", "  ·  ").replace("=", " ") or _("everything as it comes")
    look.text(left, place.top + look.size(20), words, theme.MUTED, theme.SMALL)
    draw.pop_clip_rect()
    if lit or chosen:
        tint = theme.ERROR if over_cross else theme.MUTED
        look.text(
            right + look.size(7), place.top + (place.height - look.size(theme.TEXT)) / 2, "×", tint
        )
    if deleted:
        presets.delete(name)
    elif pressed:
        presets.chosen = name
        model.apply_preset(name)


def panels_button_place(model: Model, layout: Layout, x: float, y: float) -> Rectangle | None:
    """Return where the button is, [pixels]; None unless the panels are hidden and the mouse is near
    their corner.
    """
    if model.cards.panel_shown or layout.panel:
        return None
    near = _NEAR * layout.scale
    margin = _MARGIN * layout.scale
    wide = _WIDE * layout.scale
    tall = _TALL * layout.scale
    if not Rectangle(0.0, layout.height - near, near, near).covers(x, y):
        return None
    return Rectangle(margin, layout.height - margin - tall, wide, tall)


def draw_panels_button(controller: Controller, look: Theme, place: Rectangle) -> None:
    """Draw the button that shows the panels again."""
    widgets.begin_card("show panels", place)
    x = place.left + look.size(10)
    y = place.top + look.size(8)
    widgets.draw_key_button(look, Action.TOGGLE_PANEL, N_("Panels"), x, y, None, controller.perform)
    imgui.end()
