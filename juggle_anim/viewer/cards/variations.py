"""Nine variations: the card that says what varies, and numbers in the pictures."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.generator import draw_control
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.picture_parts import sheet_areas
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.split import VariationSheet
from juggle_anim.viewer.state.terms import term_tip

# Sizes of the card at scale 1, [pixels].
_ROW_HEIGHT = 40.0
_CONTROL_HEIGHT = 25.0
_FOOT_HEIGHT = 32.0
_CORNER_GAP = 6.0  # of the pictures


class VariationsCard(Card):
    """What varies in nine variations and how much, and what each has of its own."""

    name = "variations"
    slot = Slot.PANEL

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card: two controls, nine versions, and keys.

        The versions are variations of the present pattern, which is the middle one. The controls
        say how they vary.

        Args:
            frame: the controller, its model and the layout of the window.
            look: fonts; `look.size` converts a length at scale 1 to pixels.
            place: area to draw into, [pixels] in the window.
        """
        controller = frame.controller
        # Imported when first used: the program starts sooner.
        from juggle_anim.variants import COUNT, MIDDLE, difference

        widgets.begin_card(self.name, place)
        sheet = controller.variations
        pad = look.size(10)
        left = place.left + pad
        width = place.width - 2 * pad
        y = place.top + pad
        if widgets.draw_title(look, _("Variations"), left, y, width):
            sheet.toggle()
        y += look.size(widgets.TITLE_HEIGHT)
        for index, control in enumerate(sheet.controls):
            row = Rectangle(left, y, width, look.size(_CONTROL_HEIGHT))
            steps = draw_control(look, control, row, chosen=index == sheet.line)
            if steps:
                sheet.step(control, steps)
            y += look.size(_CONTROL_HEIGHT + 4)

        # There is room for nine rows, which are lower if the card is low. Versions are made one by
        # one. Each says how it differs from the middle one, the present pattern; until that is
        # made, and for it itself, the row has the text of the version.
        bottom = place.bottom - look.size(_FOOT_HEIGHT)
        row_height = min(look.size(_ROW_HEIGHT), (bottom - y - look.size(6)) / 9)
        y += look.size(4)
        for index, version in enumerate(sheet.versions):
            words = version.text
            if index != MIDDLE and len(sheet.versions) > MIDDLE:
                words = difference(version, sheet.versions[MIDDLE])
            row = Rectangle(left, y + index * row_height, width, row_height - look.size(1))
            _draw_row(sheet, look, index, words, row, present=index == MIDDLE)
        version_count = len(sheet.versions)
        if version_count < COUNT:
            row_top = y + version_count * row_height + row_height / 2 - look.size(8)
            words = _("Making {number} of {count} …", number=version_count + 1, count=COUNT)
            look.text(left + look.size(6), row_top, words, theme.MUTED, theme.SMALL)
        _draw_foot(controller, look, left, bottom, width)
        imgui.end()


def _draw_row(
    sheet: VariationSheet, look: Theme, number: int, words: str, row: Rectangle, *, present: bool
) -> None:
    """Draw a version of the pattern in words, with its key; a click chooses it.

    Also notes which version the mouse is on.

    Args:
        sheet: sheet of the versions.
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        number: index of the version, from 0; its key is one more.
        words: how it differs from the present pattern, parts separated by " · ".
        row: its place, [pixels].
        present: whether it is the present pattern itself.
    """
    if widgets.place_button(f"version {number}", row, term_tip("version", words), tab_stop=False):
        sheet.choose(number)
    if imgui.is_item_hovered():
        sheet.hovered = number
    lit = sheet.hovered == number
    if present or lit:
        widgets.fill_box(look, row, theme.FILL if present else theme.TRACK_HOVERED, rounding=6)
    x = row.left + look.size(6)
    y = row.middle - look.size(10)
    x += widgets.draw_keycap(
        look, str(number + 1), x, y, tint=theme.MUTED, lit=lit and not present
    ) + look.size(8)
    tint = theme.ACCENT if present else theme.INK
    room = row.right - look.size(6) - x
    first, second = _lines(look, words, room)
    if second and row.height >= look.size(34):
        look.text(x, row.middle - look.size(16), first, tint, theme.SMALL, strong=present)
        look.text(x, row.middle, second, theme.MUTED, theme.SMALL)
    else:
        shown = widgets.ellipsize(look, words, room, theme.SMALL, strong=present)
        look.text(x, row.middle - look.size(8), shown, tint, theme.SMALL, strong=present)


def _lines(look: Theme, words: str, room: float) -> tuple[str, str]:
    """Break words into at most two lines, between two of their parts.

    Args:
        look: fonts and sizes.
        words: parts separated by " · ".
        room: width of a line, [pixels].

    Returns:
        first, second: the lines; the second is empty if one line is enough, or the words have one
        part, which may then be too long.
    """
    if look.measure(words, theme.SMALL).width <= room or " · " not in words:
        return words, ""
    parts = words.split(" · ")
    # The first line takes as many parts as fit, but at least one and not all; the second takes the
    # others. Both are cut if they are too long.
    fitting_counts = [
        count
        for count in range(1, len(parts))
        if look.measure(" · ".join(parts[:count]), theme.SMALL).width <= room
    ]
    first_count = max(fitting_counts, default=1)
    first = widgets.ellipsize(look, " · ".join(parts[:first_count]), room, theme.SMALL)
    second = widgets.ellipsize(look, " · ".join(parts[first_count:]), room, theme.SMALL)
    return first, second


def _draw_foot(controller: Controller, look: Theme, left: float, y: float, width: float) -> None:
    """Draw a line, and below it buttons for keys, as far as they fit.

    Args:
        controller: holds the model, and performs actions.
        look: fonts; `look.size` converts a length at scale 1 to pixels.
        left, y: left end of the line, [pixels].
        width: width of the line, [pixels].
    """
    imgui.get_window_draw_list().add_line((left, y), (left + width, y), theme.LINE, look.size(1))
    x = left
    y = y + look.size(7)
    for action, words in (
        (Action.TYPE_VALUE, N_("Shuffle")),
        (Action.UNDO, N_("Undo")),
        (Action.BACK, N_("Close")),
    ):
        if x + widgets.key_button_width(look, action, words) <= left + width:
            x += widgets.draw_key_button(
                look, action, words, x, y, tint=theme.MUTED, perform=controller.perform
            ) + look.size(7)


class SheetNumbers(Card):
    """Numbers of nine variations in their pictures, and edges around two of them."""

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the key of each picture in its corner, behind all cards.

        Also notes which picture the mouse is on.

        Args:
            frame: frame of the window.
            look: fonts; `look.size` converts a length at scale 1 to pixels.
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
            if number >= len(sheet.versions):  # it is not made yet
                widgets.fill_box(look, picture, theme.TRACK, rounding=0, draw=draw)
                x = picture.left + look.size(_CORNER_GAP)
                y = picture.top + look.size(_CORNER_GAP)
                widgets.draw_keycap(look, str(number + 1), x, y, tint=theme.MUTED, draw=draw)
                continue
            if picture.covers(*frame.mouse):
                sheet.hovered = number
            if number == MIDDLE or sheet.hovered == number:
                tint = theme.ACCENT if number == MIDDLE else theme.MUTED
                widgets.outline_box(look, picture, tint, rounding=0, thickness=2, draw=draw)
            x = picture.left + look.size(_CORNER_GAP)
            y = picture.top + look.size(_CORNER_GAP)
            widgets.draw_keycap(
                look,
                str(number + 1),
                x,
                y,
                tint=theme.ACCENT if number == MIDDLE else None,
                draw=draw,
            )
