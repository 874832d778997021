"""Which control the mouse is over or the keyboard has chosen, and the tooltip that explains it.

Every control tells `follow` where it is drawn. The mouse gets the tooltip after a short rest; keys
that go from control to control get it at once.
"""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.state.keymap import FocusKeys
from juggle_anim.viewer.state.terms import NO_TIP, Tip

DELAY = 0.4
"""Time for which the mouse rests on a control before its tooltip comes, [s]."""

# at scale 1, [pixels]
_TIP_WIDTH = 250.0
_PAD = 9.0
_GAP = 6.0
_ROW_WIDTH = 150.0  # a wider control is a row of a list, with others below it
_RING_WIDTH = 2.0  # thickness of the ring around the chosen control


@dataclass(frozen=True)
class DrawnControl:
    """A control as it was drawn.

    Args:
        name: of the control, after that of its card.
        place: in the window, [pixels].
        tip: what explains it.
        tab_stop: whether keys go to it; controls in lists have keys of their own.
        is_unexplained: whether it lacks a tooltip that it should have.
    """

    name: str
    place: Rectangle
    tip: Tip
    tab_stop: bool
    is_unexplained: bool = False


class ControlFocus:
    """Follows the controls of one frame after another."""

    def __init__(self) -> None:
        self.keys = FocusKeys()
        """Which control keys have chosen."""
        self.controls: list[DrawnControl] = []
        """The controls that were drawn in the last frame."""
        self._drawn: list[DrawnControl] = []  # in this frame so far
        self._card = ""  # name of the card that is being drawn
        self._hovered: DrawnControl | None = None
        self._rested = 0.0  # time for which the mouse has rested on a control, s
        self._shown_name = ""
        self._pressed_name = ""  # of the control that was pressed since the mouse came to it
        self.is_explained = False
        """Whether a card shows a tooltip of its own in this frame."""

    def begin_frame(self, keys: FocusKeys) -> None:
        """Begin a frame, with what keys have chosen."""
        self.keys = keys
        self._drawn = []
        self._hovered = None
        self.is_explained = False

    def begin_card(self, name: str) -> None:
        """Let the next controls be those of a card."""
        self._card = name

    def follow(
        self, name: str, place: Rectangle, tip: Tip | None = None, *, tab_stop: bool = True
    ) -> bool:
        """Register imgui's last item as a control, for tooltips and for keys that go to it.

        Args:
            name: of the control, unique in its card.
            place: of the control, [pixels].
            tip: explains it; `NO_TIP` for a control that needs no words, None if one is missing.
            tab_stop: whether keys go to it.

        Returns:
            Whether keys press it now.
        """
        if not imgui.is_item_visible():
            return False
        control = DrawnControl(
            name=f"{self._card} {name}",
            place=place,
            tip=tip or NO_TIP,
            tab_stop=tab_stop,
            is_unexplained=tip is None,
        )
        self._drawn.append(control)
        if imgui.is_item_hovered():
            self._hovered = control
        if imgui.is_item_activated():
            self._pressed_name = control.name
        return self.keys.takes_press(control.name)

    def explain(self, name: str, place: Rectangle, tip: Tip) -> None:
        """Explain what the mouse is over, and what is no item of imgui's, in a place, [pixels]."""
        self._hovered = DrawnControl(name, place, tip, tab_stop=False)
        self._drawn.append(self._hovered)

    def end_frame(self, look: Theme, layout: Layout, elapsed: float) -> None:
        """Draw the ring around the control that keys have chosen, and the tooltip that is due.

        Args:
            look: fonts and sizes.
            layout: of the window.
            elapsed: time since the last frame, [s].
        """
        self.controls = self._drawn
        self.keys.names = [control.name for control in self.controls if control.tab_stop]
        chosen = self._chosen
        if chosen:
            draw = imgui.get_foreground_draw_list()
            ring = _grown(chosen.place, look.size(2))
            draw.add_rect(
                ring.low,
                ring.high,
                theme.ACCENT,
                rounding=look.size(7),
                thickness=look.size(_RING_WIDTH),
            )
        # The tooltip of the control that keys have chosen, or else of that on which the mouse has
        # rested long enough. Controls that need no words have no title.
        self._rest(elapsed)
        explained = chosen
        if not chosen and self._is_due:
            explained = self._hovered
        if explained and explained.tip.title:
            draw_tip(look, explained.tip, explained.place, layout)

    @property
    def is_waiting(self) -> bool:
        """Whether the mouse rests on a control whose tooltip is still to come."""
        hovered = self._hovered
        if hovered is None or not hovered.tip.title or hovered.name == self._pressed_name:
            return False
        return self._rested < DELAY

    @property
    def tip(self) -> Tip:
        """The tooltip that is shown; without words if there is none."""
        shown = self._chosen or (self._hovered if self._is_due else None)
        return shown.tip if shown else NO_TIP

    @property
    def _chosen(self) -> DrawnControl | None:
        """The control that keys have chosen."""
        return next((known for known in self.controls if known.name == self.keys.chosen), None)

    @property
    def _is_due(self) -> bool:
        return self._hovered is not None and self._rested >= DELAY

    def _rest(self, elapsed: float) -> None:
        """Add to the time for which the mouse has rested on the same control.

        The time begins anew on another control, and while the mouse scrolls, or a card shows a
        tooltip of its own. A control that is pressed is known: it has no tooltip until the mouse
        comes to it again.

        Args:
            elapsed: time since the last frame, [s].
        """
        name = self._hovered.name if self._hovered else ""
        if name != self._pressed_name:
            self._pressed_name = ""
        busy = (
            any(imgui.is_mouse_down(button) for button in (0, 1, 2)) or imgui.get_io().mouse_wheel
        )
        busy = busy or self.is_explained or bool(self._pressed_name)
        self._rested = self._rested + elapsed if name == self._shown_name and not busy else 0.0
        self._shown_name = name


focus = ControlFocus()
"""That of the window: a program shows one at a time."""


def draw_tip(look: Theme, tip: Tip, place: Rectangle, layout: Layout) -> None:
    """Draw a tooltip beside a control, over all else and within the window.

    Args:
        look: fonts and sizes.
        tip: title, text, and notes with keys, one below the other; at least one is not empty.
        place: of the control, [pixels].
        layout: of the window.
    """
    pad = look.size(_PAD)
    gap = look.size(_GAP)
    paragraph_gap = look.size(3)
    wrap_width = min(look.size(_TIP_WIDTH), layout.width - 4 * pad)

    # Paragraphs: words, colour, whether they are strong, and their width and height.
    notes = "   ".join(part for part in (tip.notes, tip.keys) if part)
    paragraphs = [
        (words, tint, strong, look.measure(words, theme.SMALL, strong=strong, wrap=wrap_width))
        for words, tint, strong in (
            (tip.title, theme.INK, True),
            (tip.text, theme.INK, False),
            (notes, theme.MUTED, False),
        )
        if words
    ]
    box_width = max(width for *_, (width, _height) in paragraphs) + 2 * pad
    box_height = (
        sum(height for *_, (_width, height) in paragraphs)
        + paragraph_gap * (len(paragraphs) - 1)
        + 2 * pad
        - look.size(3)  # fonts have some space below the last line
    )
    box = _beside(place, box_width, box_height, gap, layout)
    draw = imgui.get_foreground_draw_list()
    draw.add_rect_filled(box.low, box.high, theme.SHEET, look.size(7))
    draw.add_rect(box.low, box.high, theme.FAINT, rounding=look.size(7), thickness=look.size(1))
    y = box.top + pad - look.size(2)
    for words, tint, strong, (_width, height) in paragraphs:
        font = look.strong if strong else look.medium
        at = (round(box.left + pad), round(y))
        draw.add_text(font, look.size(theme.SMALL), at, tint, words, wrap_width)
        y += height + paragraph_gap


def _beside(place: Rectangle, width: float, height: float, gap: float, layout: Layout) -> Rectangle:
    """Return the place of a tooltip beside a control, within the window.

    The first of these for which there is room: if the control is a row of a list, to the right of
    it, so that no row below it is hidden; below it; above it; to its right; to its left. If none of
    them has room, it is moved into the window and may cover the control.

    Args:
        place: of the control, [pixels].
        width, height: of the tooltip, [pixels].
        gap: between them, and from the edges of the window, [pixels].
        layout: of the window.
    """
    # To the right or left, the upper edges of both are level, unless the tooltip would leave the
    # window.
    top_beside = min(max(place.top, gap), max(layout.height - height - gap, gap))
    is_row = place.width > _ROW_WIDTH * layout.scale
    if is_row and place.right + 2 * gap + width <= layout.width - gap:
        return Rectangle(round(place.right + 2 * gap), round(top_beside), width, height)

    left = min(max(place.left, gap), layout.width - width - gap)
    if place.bottom + gap + height <= layout.height - gap:
        return Rectangle(round(left), round(place.bottom + gap), width, height)
    if place.top - gap - height >= gap:
        return Rectangle(round(left), round(place.top - gap - height), width, height)

    left = place.right + gap
    if left + width > layout.width - gap:
        left = place.left - gap - width
    left = min(max(left, gap), layout.width - width - gap)
    return Rectangle(round(left), round(top_beside), width, height)


def _grown(place: Rectangle, by: float) -> Rectangle:
    return Rectangle(place.left - by, place.top - by, place.width + 2 * by, place.height + 2 * by)
