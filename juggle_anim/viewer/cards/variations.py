"""Nine variations: the card that says what varies, and numbers in the pictures."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.generator import draw_control
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, measure, px
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.picture_parts import sheet_areas
from juggle_anim.viewer.state.keymap import Action, term_tip
from juggle_anim.viewer.state.split import VariationSheet

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 40.0
_CONTROL_HEIGHT = 25.0
_FOOT_HEIGHT = 32.0
_CORNER_GAP = 6.0  # of the pictures


class VariationsCard(Card):
    """What varies in nine variations and how much, and what each has of its own."""

    name = "variations"
    slot = Slot.PANEL

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card: two controls, nine versions, and keys.

        The versions are variations of the present pattern, which is the middle one. The controls
        say how they vary.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        controller = frame.controller
        # Imported when first used: the program starts sooner.
        from juggle_anim.variants import COUNT, MIDDLE, difference

        ui.begin_card(self.name, place)
        sheet = controller.variations
        inner = place.inset(px(10))
        left = inner.left
        width = inner.width
        y = inner.top
        if ui.draw_title(_("Variations"), left, y, width):
            sheet.toggle()
        y += px(ui.TITLE_HEIGHT)
        for index, control in enumerate(sheet.controls):
            row = Rectangle(left, y, width, px(_CONTROL_HEIGHT))
            steps = draw_control(control, row, chosen=index == sheet.line)
            if steps:
                sheet.step(control, steps)
            y += px(_CONTROL_HEIGHT + 4)

        # All rows fit, as they get lower with the card. Versions are made one after another, so at
        # first there are fewer. The words of a row say how the version differs from the middle one,
        # the present pattern. The middle row, and rows drawn before that version is made, have the
        # text of the version instead.
        bottom = place.bottom - px(_FOOT_HEIGHT)
        row_height = min(px(_ROW_HEIGHT), (bottom - y - px(6)) / COUNT)
        y += px(4)
        for index, version in enumerate(sheet.versions):
            words = version.text
            if index != MIDDLE and len(sheet.versions) > MIDDLE:
                words = difference(version, sheet.versions[MIDDLE])
            row = Rectangle(left, y + index * row_height, width, row_height - px(1))
            _draw_row(sheet, index, words, row, present=index == MIDDLE)
        version_count = len(sheet.versions)
        if version_count < COUNT:
            row_top = y + version_count * row_height + row_height / 2 - px(8)
            words = _("Making {number} of {count} …", number=version_count + 1, count=COUNT)
            draw_text(left + px(6), row_top, words, ui.MUTED)
        keys = (
            (Action.TYPE_VALUE, N_("Shuffle")),
            (Action.UNDO, N_("Undo")),
            (Action.BACK, N_("Close")),
        )
        ui.draw_foot(keys, left, bottom, width, controller.perform, max_lines=1)
        imgui.end()


def _draw_row(
    sheet: VariationSheet, number: int, words: str, row: Rectangle, *, present: bool
) -> None:
    """Draw the row of a version of the pattern: its key and words; a click chooses the version.

    Sets `sheet.hovered` if the mouse is on the row. That version is highlighted (`lit`), also where
    the mouse is on its picture.

    Args:
        sheet: sheet of the versions.
        number: index of the version, from 0; its key is one more.
        words: how it differs from the present pattern, parts separated by " · ".
        row: its place, [pixels].
        present: whether it is the present pattern itself.
    """
    if ui.place_button(f"version {number}", row, term_tip("version", words), tab_stop=False):
        sheet.choose(number)
    if imgui.is_item_hovered():
        sheet.hovered = number
    lit = sheet.hovered == number
    ui.fill_row(row, chosen=present, lit=lit)
    x = row.left + px(6)
    y = row.middle - px(10)
    x += ui.draw_keycap(str(number + 1), x, y, tint=ui.MUTED, lit=lit and not present) + px(8)
    tint = ui.ACCENT if present else ui.INK
    room = row.right - px(6) - x
    first, second = _lines(words, room)
    if second and row.height >= px(34):
        draw_text(x, row.middle - px(16), first, tint, strong=present)
        draw_text(x, row.middle, second, ui.MUTED)
    else:
        shown = ui.ellipsize(words, room, strong=present)
        draw_text(x, row.middle - px(8), shown, tint, strong=present)


def _lines(words: str, room: float) -> tuple[str, str]:
    """Break words into at most two lines, between two of their parts.

    Args:
        words: parts separated by " · ".
        room: width of a line, [pixels].

    Returns:
        first, second: the lines; the second is empty if one line is enough, or the words have one
        part, which may then be too long.
    """
    if measure(words).width <= room or " · " not in words:
        return words, ""
    parts = words.split(" · ")
    # The first line takes as many parts as fit, but at least one and not all; the second takes the
    # others. Both are cut if they are too long.
    fitting_counts = [
        count for count in range(1, len(parts)) if measure(" · ".join(parts[:count])).width <= room
    ]
    first_count = max(fitting_counts, default=1)
    first = ui.ellipsize(" · ".join(parts[:first_count]), room)
    second = ui.ellipsize(" · ".join(parts[first_count:]), room)
    return first, second


class SheetNumbers(Card):
    """Numbers of nine variations in their pictures, and edges around two of them."""

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the key of each picture of the sheet in its corner, behind all cards.

        Sets `sheet.hovered` to the number of the picture under the mouse, or None.

        Args:
            frame: frame of the window.
            place: unused, as the sheet takes the whole picture; all cards have the same signature.
        """
        sheet = frame.controller.variations
        layout = frame.layout
        # Imported when first used: the program starts sooner.
        from juggle_anim.variants import MIDDLE

        draw = imgui.get_background_draw_list()
        sheet.hovered = None
        for number, area in enumerate(sheet_areas(layout)):
            picture = layout.place_of(area)
            is_made = number < len(sheet.versions)
            if is_made and picture.covers(*frame.mouse):
                sheet.hovered = number
            # The key of the middle picture, the present pattern, is in colour.
            key_tint = ui.ACCENT if number == MIDDLE else None
            if not is_made:
                ui.fill_box(picture, ui.TRACK, rounding=0, draw=draw)
                key_tint = ui.MUTED
            elif number == MIDDLE or sheet.hovered == number:
                edge = key_tint or ui.MUTED
                ui.outline_box(picture, edge, rounding=0, thickness=2, draw=draw)
            x = picture.left + px(_CORNER_GAP)
            y = picture.top + px(_CORNER_GAP)
            ui.draw_keycap(str(number + 1), x, y, tint=key_tint, draw=draw)
