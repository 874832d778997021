"""The card of presets beside the panel."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.language import _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import Card, Frame, draw_text, draw_text_before, measure, px
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.panel.controls import preset_of
from juggle_anim.viewer.state.keymap import term_tip
from juggle_anim.viewer.state.model import Model

# Sizes of the card at scale 1, [pixels].
_WIDTH = 300.0
_ROW_HEIGHT = 40.0
_PAD = 10.0
_FIELD_HEIGHT = 32.0
_HEAD_HEIGHT = 26.0
_FIELD_GAP = 6.0
_ERROR_HEIGHT = 40.0


class PresetCard(Card):
    """The list of presets beside the panel."""

    name = "presets"

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place of the list of presets, beside the panel, [pixels].

        It is as high as its contents, but no larger than the free space there.

        Args:
            frame: the controller, its model and the layout of the window.

        Returns:
            The place in the window; None if the panel is hidden, and so the list.
        """
        layout = frame.layout
        if layout.panel is None:
            return None
        presets = frame.model.preset_list
        free = layout.free
        scale = layout.scale
        gap = layout.panel.left
        rows = max(len(presets.presets), 1) * _ROW_HEIGHT
        error = _ERROR_HEIGHT if presets.error else 0.0
        height = (2 * _PAD + _HEAD_HEIGHT + _FIELD_HEIGHT + _FIELD_GAP + rows + error) * scale
        width = min(_WIDTH * scale, free.width - 2 * gap)
        return Rectangle(free.left + gap, free.top + gap, width, min(height, free.height - 2 * gap))

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: title, field for a name, error, and the saved presets.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        model = frame.model
        presets = model.preset_list
        ui.begin_card(self.name, place, 0)
        pad = px(_PAD)
        # The cursor begins at the top of the contents, which scroll with the card.
        origin = imgui.get_cursor_screen_pos()
        left = place.left + pad
        width = place.width - 2 * pad
        y = origin.y + pad
        draw_text(left, y, _("Presets"), ui.INK, ui.TEXT, strong=True)
        draw_text_before(left + width, y, _("Enter to save or apply"), ui.MUTED)
        y += px(_HEAD_HEIGHT)
        _draw_field(model, Rectangle(left, y, width, px(_FIELD_HEIGHT)))
        y += px(_FIELD_HEIGHT + _FIELD_GAP)
        if presets.error:
            draw_text(left, y, presets.error, ui.ERROR, wrap=width)
            y += measure(presets.error, wrap=width).height + px(6)
        if not presets.presets:
            draw_text(
                left + px(4),
                y + px(4),
                _("No presets saved yet"),
                ui.MUTED,
            )
        # The loop goes over a copy, as a click on a cross deletes a preset meanwhile.
        for name, preset in list(presets.presets.items()):
            _draw_preset(model, name, preset, Rectangle(left, y, width, px(_ROW_HEIGHT - 2)))
            y += px(_ROW_HEIGHT)
        ui.end_contents(left, y)
        imgui.end()


def _draw_field(model: Model, place: Rectangle) -> None:
    """Draw the field for a name, and handle its keys.

    Args:
        place: area to draw into, [pixels] in the window.
    """
    presets = model.preset_list
    ui.fill_box(place, ui.FIELD)
    takes_focus = presets.wants_focus
    presets.wants_focus = False
    flags = imgui.InputTextFlags_.enter_returns_true
    hint = _("Name to save, or ↑ ↓")
    is_entered, presets.name = ui.draw_field(
        "preset",
        presets.name,
        place,
        takes_focus=takes_focus,
        hint=hint,
        flags=flags,
        tip=term_tip("preset name"),
    )
    is_active = imgui.is_item_active()
    ui.outline_box(place, ui.ACCENT if is_active else ui.LINE)
    if is_entered:
        _enter(model)
    elif imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
        # imgui takes Escape itself while one types, and ends that. One press is to close the card,
        # too.
        presets.close()
    elif is_active:
        _take_keys(model)


def _enter(model: Model) -> None:
    """Save a preset of the typed name, or without a name apply the chosen one.

    If the card stays open, the field takes the keyboard again.
    """
    presets = model.preset_list
    if presets.name.strip():
        presets.save(preset_of(model.animation))
    elif presets.chosen:
        model.apply_preset(presets.chosen)
    presets.wants_focus = presets.shown


def _take_keys(model: Model) -> None:
    """Choose presets by arrow keys, or delete the chosen one by Delete, while the field is active.

    Delete acts on presets only if no name is typed, as it otherwise edits the name.
    """
    presets = model.preset_list
    for key, steps in ((imgui.Key.up_arrow, -1), (imgui.Key.down_arrow, 1)):
        if imgui.is_key_pressed(key):
            presets.step(steps)
    if imgui.is_key_pressed(imgui.Key.delete) and not presets.name and presets.chosen:
        presets.delete(presets.chosen)


def _draw_preset(model: Model, name: str, preset: str, place: Rectangle) -> None:
    """Draw a preset with a cross that deletes it; a click applies it.

    Args:
        model: model of the viewer.
        name: name of the preset.
        preset: its parameters as text, `bps=3;dwell=1.2`.
        place: place of its row, [pixels].
    """
    presets = model.preset_list
    draw = imgui.get_window_draw_list()
    side = px(24)
    left = place.left + px(10)
    right = place.right - side - px(4)

    # The cross lies on the row, so its button comes first: of two buttons that overlap, imgui gives
    # the mouse to the first.
    cross = Rectangle(right, place.middle - side / 2, side, side)
    is_deleted = ui.place_button(f"delete {name}", cross, term_tip("delete preset"), tab_stop=False)
    is_cross_hovered = imgui.is_item_hovered()
    is_clicked = ui.place_button(f"preset {name}", place, term_tip("preset", name), tab_stop=False)
    is_lit = imgui.is_item_hovered() or is_cross_hovered
    is_chosen = name == presets.chosen
    ui.mark_row(place, chosen=is_chosen, lit=is_lit)

    # The name, and below it the parameters: `bps 3  ·  dwell 1.2`.
    draw.push_clip_rect(place.low, (right, place.bottom), True)
    draw_text(left, place.top + px(3), name, text_size=ui.TEXT, strong=True)
    words = preset.replace(";", "  ·  ").replace("=", " ") or _("all defaults")
    draw_text(left, place.top + px(20), words, ui.MUTED)
    draw.pop_clip_rect()
    if is_lit or is_chosen:
        tint = ui.ERROR if is_cross_hovered else ui.MUTED
        y = place.middle - px(ui.TEXT) / 2
        draw_text(right + px(7), y, "×", tint, ui.TEXT)
    if is_deleted:
        presets.delete(name)
    elif is_clicked:
        presets.chosen = name
        model.apply_preset(name)
