"""The toolkit of cards: theme, text, widgets, and what a card is.

The theme is fonts, sizes, and colours on a bright stage and on the dark one: constants of this
module, which `load_theme` replaces, so that nobody passes them on. Diagrams have their printed
colours on white paper, and brighter ones on the dark paper of a dark theme.

Widgets are boxes, fields, buttons, keycaps, tabs, lists, and text that fits. Every control tells
`focus` where it is drawn: the mouse gets its tooltip after a short rest; keys that go from control
to control get it at once.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np
from imgui_bundle import imgui

from juggle_anim.diagrams import drawing
from juggle_anim.diagrams.drawing import Colour
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.resources import resource
from juggle_anim.viewer.layout import Layout, Point, Rectangle
from juggle_anim.viewer.state.keymap import (
    NO_TIP,
    VARIATIONS,
    Action,
    FocusKeys,
    Tip,
    action_tip,
    caption,
    term_tip,
)

if TYPE_CHECKING:
    from juggle_anim.viewer.state.controller import Controller
    from juggle_anim.viewer.state.model import Model

NOWHERE = Rectangle(0.0, 0.0, 0.0, 0.0)
"""The place of cards that leave the mouse to the picture."""


class Slot(Enum):
    """A room of the layout that a card takes."""

    PANEL = auto()
    """At the left of the window; one card at a time."""
    STRIP = auto()
    """Above the transport; one card at a time."""
    BAR = auto()
    """Of the transport, below the picture."""
    HEAD = auto()
    """Of the beats, above the picture."""
    PICTURE = auto()
    """Over the picture, which keeps the mouse unless the card's `place_in` says otherwise."""
    WINDOW = auto()
    """The whole window, whose other cards do nothing meanwhile."""


@dataclass(frozen=True)
class Frame:
    """What cards are placed by and drawn from in one frame of the window.

    Args:
        controller: controller of the viewer.
        layout: the rooms for cards.
        mouse: its position, [pixels] from the upper left corner of the window.
        painted: whether the frame is seen; otherwise cards only take input.
        keeps_strip: whether the pixels of the strip stay as they were drawn last.
        has_lower_row: whether words or buttons stand in a row at the lower edge of the picture.
    """

    controller: Controller
    layout: Layout
    mouse: Point
    painted: bool = True
    keeps_strip: bool = False
    has_lower_row: bool = False

    @property
    def model(self) -> Model:
        """The model of the viewer."""
        return self.controller.model

    @property
    def has_sheet(self) -> bool:
        """Whether nine variations are shown in the place of the picture."""
        return self.model.cards.panel == VARIATIONS


class Card(ABC):
    """A card of the window; one object of each class lasts as long as the window.

    Attributes:
        name: name of its imgui window, and of its controls for keys that go from control to
            control.
        slot: the room that it takes.
        is_still: whether it stays the same while time passes and nobody touches anything.
    """

    name: ClassVar[str] = ""
    slot: ClassVar[Slot] = Slot.PICTURE
    is_still: ClassVar[bool] = False

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return where the card takes the mouse, [pixels]; None if there is no room for it now.

        The place of a card that lies over the picture is empty, so that the mouse turns the camera
        there.

        Args:
            frame: the controller, its model and the layout of the window.
        """
        layout = frame.layout
        places = {
            Slot.PANEL: layout.panel,
            Slot.STRIP: layout.strip,
            Slot.BAR: layout.bar,
            Slot.HEAD: layout.head,
            Slot.PICTURE: NOWHERE,
            Slot.WINDOW: layout.window,
        }
        return places[self.slot]

    @abstractmethod
    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card in a place, [pixels], and let the mouse and typed text act on it."""

    def close(self) -> None:  # noqa: B027 - most cards hold nothing to release
        """Release what lies outside Python's memory."""


SMALL = 13.0
TEXT = 14.0
LARGE = 20.0
"""Sizes of text at scale 1, [pixels]; functions that draw or measure words take the small one."""

THEME_SCALE = {"projected": 1.25}
"""By theme, how much larger everything is than usual."""

THEME_LINE_SCALE = {"projected": 1.6, "colour-blind": 1.2}
"""By theme, how much thicker lines are than usual."""

_MIN_LUMINANCE = 0.25
"""Least relative luminance on dark paper."""


@lru_cache(maxsize=1024)
def colour(code: str, alpha: float = 1.0) -> int:
    """Pack a colour `RRGGBB` as imgui's drawing functions take it."""
    red, green, blue = (int(code[place : place + 2], 16) for place in (0, 2, 4))
    return round(255 * alpha) << 24 | blue << 16 | green << 8 | red


def tint(code: str) -> int:
    """Pack a colour of `ThemeColours` as imgui's drawing functions take it."""
    return colour(code[:6], int(code[6:] or "FF", 16) / 255)


@dataclass(frozen=True)
class ThemeColours:
    """The colours of a theme: codes `RRGGBB`, or `RRGGBBAA` with an opacity.

    Args:
        ink: main text.
        muted: secondary text.
        faint: disabled parts, and marks.
        accent, second, third: chosen parts, and the lines of a plot.
        on_accent: text on the accent.
        ghost, error: a second solver, and errors.
        card, sheet, field: the background of cards, of sheets over them, and of text fields.
        fill, fill_chosen, selection, error_fill: over a card, parts that are on, chosen, selected,
            or wrong.
        groove, track, track_hovered, line: parts of sliders and buttons, and their edges.
        veil: over the picture, behind a sheet.
        veil_strong, on_veil, recording: behind a mark in the picture, its text, and its red dot.
        paper, paper_ink: behind diagrams, whose colours follow it, and text on it.
    """

    ink: str
    muted: str
    faint: str
    accent: str
    second: str
    third: str
    on_accent: str
    ghost: str
    error: str
    card: str
    sheet: str
    field: str
    fill: str
    fill_chosen: str
    selection: str
    error_fill: str
    groove: str
    track: str
    track_hovered: str
    line: str
    veil: str
    veil_strong: str = "17222ED9"
    on_veil: str = "FFFFFF"
    recording: str = "FF5A4D"
    paper: str = "FFFFFF"
    paper_ink: str = "17222E"


LIGHT = ThemeColours(
    ink="17222E", muted="4E5B69", faint="17222E4D", accent="005E96", second="8A4600",
    third="00664B",
    on_accent="FFFFFF", ghost="A80D74", error="AB231B", card="FCFDFEFA", sheet="FCFDFE",
    field="FFFFFF",
    fill="0072B229", fill_chosen="0072B217", selection="0072B240", error_fill="B3261E14",
    groove="17222E29",
    track="17222E0E", track_hovered="17222E17", line="17222E1F", veil="17222E66",
)  # fmt: skip

# The colours of the present theme: `use_colours` replaces them.
(
    INK, MUTED, FAINT, ACCENT, SECOND, THIRD, ON_ACCENT, GHOST, ERROR, CARD, SHEET, FIELD, FILL,
    FILL_CHOSEN, SELECTION,
    ERROR_FILL, GROOVE, TRACK, TRACK_HOVERED, LINE, VEIL, VEIL_STRONG, ON_VEIL, RECORDING, PAPER,
    PAPER_INK,
) = map(tint, astuple(LIGHT))  # fmt: skip


_MAX_EXTENTS = 4_000  # of words that are remembered; numbers among them change in each frame

SCALE = 1.0
"""Pixels of the screen for a pixel at scale 1; `load_theme` sets it."""

LINE_SCALE = 1.0
"""Thickness of the lines of plots and diagrams over the usual one; `load_theme` sets it."""

spots: dict[object, Rectangle] = {}
"""Where parts of cards are in the present frame to which something else points, [pixels], by
their names.
"""


class Extent(NamedTuple):
    """Width and height of a text, [pixels]."""

    width: float
    height: float


def px(length: float) -> float:
    """Convert a length at scale 1 to pixels of this screen."""
    return length * SCALE


def font_size(text_size: float) -> float:
    """Convert a size of text at scale 1 to pixels of this screen.

    They are whole ones: imgui measures at such sizes, and would draw larger than it measures.
    """
    return float(round(px(text_size)))


def font(*, strong: bool = False) -> imgui.ImFont:
    """Return the font of text, or of what stands out, in the current imgui context."""
    return imgui.get_io().fonts.fonts[1 if strong else 0]


def draw_text(
    x: float,
    y: float,
    words: str,
    tint: int | None = None,
    text_size: float = SMALL,
    *,
    strong: bool = False,
    wrap: float = 0.0,
    draw: imgui.ImDrawList | None = None,
) -> None:
    """Draw words on the current card.

    Args:
        x, y: upper left corner, [pixels]; rounded, so that letters are sharp.
        words: words in the present language, or an English constant, which is translated.
        tint: colour as imgui packs it; by default that of text.
        text_size: text size at scale 1, [pixels].
        strong: whether in the strong font.
        wrap: width at which lines are broken, [pixels]; 0 for one line.
        draw: the draw list; by default that of the current card.
    """
    draw = draw or imgui.get_window_draw_list()
    ink = INK if tint is None else tint
    corner = (round(x), round(y))
    draw.add_text(font(strong=strong), font_size(text_size), corner, ink, _(words), wrap)


def draw_text_before(
    x: float,
    y: float,
    words: str,
    tint: int | None = None,
    text_size: float = SMALL,
    *,
    strong: bool = False,
) -> float:
    """Draw words that end at x, and return where they begin, [pixels].

    Args:
        x: right edge of the words, [pixels].
        y: upper edge, [pixels].
        words: words in the present language, or an English constant, which is translated.
        tint: colour as imgui packs it; by default that of text.
        text_size: text size at scale 1, [pixels].
        strong: whether in the strong font.
    """
    left = x - measure(words, text_size, strong=strong).width
    draw_text(left, y, words, tint, text_size, strong=strong)
    return left


def line_top(place: Rectangle, text_size: float = SMALL) -> float:
    """Return the upper edge of a line of text that is in the middle of a place, [pixels]."""
    # Letters lie a little below the middle of their line.
    return place.middle - px(text_size / 2 + 1)


def level_with(top: float, beside: float, text_size: float) -> float:
    """Return the upper edge of text that has the same baseline as text beside it, [pixels].

    Args:
        top: upper edge of the text beside it, [pixels].
        beside: size of that text at scale 1, [pixels].
        text_size: size of the text at scale 1, [pixels].
    """
    ascent_beside = font().get_font_baked(font_size(beside)).ascent
    ascent = font().get_font_baked(font_size(text_size)).ascent
    return round(top) + ascent_beside - ascent


def measure(
    words: str, text_size: float = SMALL, *, strong: bool = False, wrap: float = 0.0
) -> Extent:
    """Return the width and height of words, [pixels].

    Args:
        words: words in the present language, or an English constant, which is translated.
        text_size: text size at scale 1, [pixels].
        strong: whether in the strong font.
        wrap: width at which lines are broken, [pixels]; 0 for one line.
    """
    return _extent(_(words), font_size(text_size), strong, wrap or -1.0)


@lru_cache(maxsize=_MAX_EXTENTS)
def _extent(words: str, size: float, strong: bool, wrap: float) -> Extent:
    """Return width and height of words, [pixels]; cached, as cards measure them in every frame.

    Args:
        words: words as they are drawn.
        size: size of the font, [pixels].
        strong: whether in the strong font.
        wrap: width at which lines are broken, [pixels]; negative for one line.
    """
    imgui.push_font(font(strong=strong), size)
    extent = imgui.calc_text_size(words, wrap_width=wrap)
    imgui.pop_font()
    return Extent(extent.x, extent.y)


loaded: tuple[float, float, ThemeColours] | None = None
"""What `load_theme` used last: scale, line scale and colours."""


def load_theme(scale: float, line_scale: float, tints: ThemeColours) -> None:
    """Use a scale, colours and fonts from now on, in the current imgui context.

    Replaces SCALE, LINE_SCALE and the colours of this module (INK, ACCENT, …), which all cards read
    as they draw. Does nothing if these are in use already.

    Args:
        scale: pixels of the screen for a pixel at scale 1.
        line_scale: ratio of the thickness of lines to the usual one.
        tints: colours of a theme.
    """
    global SCALE, LINE_SCALE, loaded
    is_new_context = load_fonts()
    if loaded == (scale, line_scale, tints) and not is_new_context:
        return
    loaded = (scale, line_scale, tints)
    SCALE = scale
    LINE_SCALE = line_scale
    # INK, ACCENT, … of this module are the colours `ink`, `accent`, … of the theme as imgui packs
    # them.
    globals().update({name.upper(): tint(code) for name, code in vars(tints).items()})
    _style(scale)


def load_fonts() -> bool:
    """Give the current imgui context its fonts; return whether it had none."""
    atlas = imgui.get_io().fonts
    if len(atlas.fonts) > 0:
        return False
    for name in ("Inter-Medium.ttf", "Inter-SemiBold.ttf"):
        atlas.add_font_from_file_ttf(str(resource("assets", f"fonts/{name}")), TEXT)
    return True


def _style(scale: float) -> None:
    """Set the sizes and colours of imgui's own parts: windows, fields and scroll bars.

    Args:
        scale: pixels of the screen for a pixel at scale 1.
    """
    style = imgui.get_style()
    style.font_size_base = TEXT * scale
    style.window_padding = imgui.ImVec2(0, 0)
    style.item_spacing = imgui.ImVec2(0, 0)
    style.window_border_size = 1.0
    style.frame_rounding = 6 * scale
    style.frame_border_size = 0.0
    style.scrollbar_size = 8 * scale
    style.scrollbar_rounding = 4 * scale
    style.window_rounding = 12 * scale
    style.window_min_size = imgui.ImVec2(1, 1)
    clear = colour("FFFFFF", 0.0)
    colours = {
        "text": INK, "text_disabled": MUTED, "window_bg": CARD, "child_bg": clear,
        "frame_bg": clear, "border": LINE,
        "input_text_cursor": ACCENT, "text_selected_bg": SELECTION, "nav_cursor": clear,
        "scrollbar_bg": clear,
        "scrollbar_grab": FAINT, "scrollbar_grab_hovered": MUTED, "scrollbar_grab_active": ACCENT,
    }  # fmt: skip
    # Colours of this module are packed as 0xAABBGGRR; imgui's style has four numbers from 0 to 1.
    for name, packed in colours.items():
        style.set_color_(getattr(imgui.Col_, name), imgui.color_convert_u32_to_float4(packed))


DARK = ThemeColours(
    ink="EEF2F6", muted="B9C5D1", faint="EEF2F64D", accent="88CBFF", second="FFB454",
    third="5ADDB0",
    on_accent="0E151D", ghost="FFABDD", error="FFB0A9", card="1A212BFA", sheet="1A212B",
    field="0F151C",
    paper="10161D", paper_ink="E9EFF5",
    fill="5CB8FF33", fill_chosen="5CB8FF1F", selection="5CB8FF55", error_fill="FF8A801F",
    groove="EEF2F633",
    track="EEF2F612", track_hovered="EEF2F621", line="EEF2F629", veil="00000080",
)  # fmt: skip

_PROJECTED = replace(
    LIGHT, ink="000000", muted="1F2730", faint="4A525B", accent="003C78", second="5E2C00",
    third="00452D",
    ghost="80004F", error="8A0000", card="FFFFFF", sheet="FFFFFF", fill="CFE6F8",
    fill_chosen="E6F2FB",
    selection="D6EBFC", error_fill="FDE9E7", groove="7A848F", track="EEF0F2",
    track_hovered="DFE4E9", line="56606B",
    veil="000000B3", veil_strong="000000", recording="FF8A7A",
)  # fmt: skip

_PROJECTED_DARK = replace(
    DARK, ink="FFFFFF", muted="E1E8EF", faint="A9B4BF", accent="8CCBFF", second="FFC46B",
    third="7BE8C0",
    on_accent="000000", ghost="FFB0E0", error="FFB3AB", card="0A0E13", sheet="0A0E13",
    field="000000",
    fill="0E2C47", fill_chosen="0C1F31", selection="123450", error_fill="33100C", groove="7C8894",
    track="1A222B",
    track_hovered="222C36", line="8E9AA6", veil="000000B3", veil_strong="000000",
    recording="FF8A7A",
)  # fmt: skip

# Found by search: no two colours of accents, errors, ghosts and text are closer than 17 in
# CIEDE2000 for eyes that lack any one kind of cones, and words have a contrast of 4.5 or more on
# whatever they stand on (WCAG AA).
_COLOUR_BLIND = replace(
    LIGHT, accent="615473", second="9F25F5", third="501108", ghost="0D8161", error="AC3B00",
    fill="61547329",
    fill_chosen="61547317", selection="61547340", error_fill="AC3B0014",
)  # fmt: skip

_COLOUR_BLIND_DARK = replace(
    DARK, accent="E5C100", second="1E9C97", third="A8FFB8", ghost="DB6A53", error="CE7EFD",
    fill="E5C10033",
    fill_chosen="E5C1001F", selection="E5C1004D", error_fill="CE7EFD1F",
)  # fmt: skip

THEME_COLOURS = {
    "standard": (LIGHT, DARK),
    "projected": (_PROJECTED, _PROJECTED_DARK),
    "colour-blind": (_COLOUR_BLIND, _COLOUR_BLIND_DARK),
}
"""By theme: the colours on a bright stage, and on the dark one."""


def theme_colours(theme: str, stage: str) -> ThemeColours:
    """Return the colours of a theme on a stage."""
    return THEME_COLOURS[theme][stage == "dark"]


def paper_colour(colour: Colour) -> int:
    """Pack a colour of a diagram as imgui's drawing functions take it."""
    if not is_paper_dark():
        return pack_colour(colour)
    names = {
        drawing.WHITE: PAPER,
        drawing.PRINT_INK: PAPER_INK,
        drawing.GREY: MUTED,
        drawing.FAINT: LINE,
    }
    return names[colour] if colour in names else pack_colour(brightened_for_dark(colour))


def brightened_for_dark(colour: Colour) -> Colour:
    """Return a colour, brighter if it is too dark for a line on dark paper.

    Luminance as in the Web Content Accessibility Guidelines 2.2 (W3C, 2023).

    Args:
        colour: sRGB, 0 to 1.
    """
    linear = np.asarray(colour, dtype=float) ** 2.2  # gamma 2.2 is close enough to sRGB
    luminance = float(linear @ (0.2126, 0.7152, 0.0722))
    if luminance >= _MIN_LUMINANCE:
        return colour
    # To scale the colour would fail where a channel is at 1 already, so white is mixed in, which
    # has luminance 1: (1 − w) · luminance + w · 1 is to be the least luminance.
    white_share = (_MIN_LUMINANCE - luminance) / (1 - luminance)
    red, green, blue = (linear + white_share * (1 - linear)) ** (1 / 2.2)
    return float(red), float(green), float(blue)


def is_paper_dark() -> bool:
    """Return whether the paper of this theme is dark."""
    return sum(PAPER >> shift & 0xFF for shift in (0, 8, 16)) < 3 * 128


def pack_colour(colour: Colour, alpha: float = 1.0) -> int:
    """Pack a colour, sRGB from 0 to 1, as imgui's drawing functions take it."""
    return imgui.color_convert_float4_to_u32(imgui.ImVec4(*colour, alpha))


DELAY = 0.4
"""Time for which the mouse rests on a control before its tooltip comes, [s]."""

# at scale 1, [pixels]
_TIP_WIDTH = 250.0
_PAD = 9.0
_GAP = 6.0
_LINE_WIDTH = 330.0  # of a line at the mouse
_STILL = 4.0  # as far as a hand moves a mouse that it only holds
_RING_WIDTH = 2.0  # thickness of the ring around the chosen control

_MAX_TIP_LINES = 3  # into which words at the mouse are broken


@dataclass(frozen=True)
class DrawnControl:
    """A control as it was drawn.

    Args:
        name: name of the control, after that of its card.
        place: place in the window, [pixels].
        card: place of its card, [pixels].
        tip: what explains it.
        tab_stop: whether keys go to it; controls in lists have keys of their own.
        is_unexplained: whether it lacks a tooltip that it should have.
    """

    name: str
    place: Rectangle
    card: Rectangle
    tip: Tip
    tab_stop: bool
    is_unexplained: bool = False


class ControlFocus:
    """Follows the controls of one frame after another."""

    def __init__(self) -> None:
        """Initialise before the first frame, with nothing drawn and nothing chosen."""
        self.keys = FocusKeys()
        """Which control keys have chosen."""
        self.controls: list[DrawnControl] = []
        """The controls that were drawn in the last frame."""
        self._drawn: list[DrawnControl] = []  # in this frame so far
        self._card = ""  # name of the card that is being drawn
        self._card_place = NOWHERE
        self._hovered: DrawnControl | None = None
        self._rested = 0.0  # time for which the mouse has rested on a control, s
        self._shown_name = ""
        self._pressed_name = ""  # of what lies under the mouse since the last click
        # Position of the mouse at the last click or key, until it moves away, and whether that was
        # a click. Until then there are no tooltips.
        self._ended_at: Point | None = None
        self._is_clicked = False
        self.is_explained = False
        """Whether a card shows a tooltip of its own in this frame."""

    def begin_frame(self, keys: FocusKeys) -> None:
        """Begin a frame, with what keys have chosen."""
        self.keys = keys
        self._drawn = []
        self._hovered = None
        self.is_explained = False
        # Noted here, as a click may come and go in frames that only take input.
        if _is_button_down():
            self._ended_at = _mouse_place()
            self._is_clicked = True

    def begin_card(self, name: str, place: Rectangle) -> None:
        """Let the next controls be those of a card in a place, [pixels]."""
        self._card = name
        self._card_place = place

    def keep_card(self, name: str) -> None:
        """Let the controls of a card stay where they were in the last frame."""
        self._drawn += [known for known in self.controls if known.name.startswith(f"{name} ")]

    def register(
        self, name: str, place: Rectangle, tip: Tip | None = None, *, tab_stop: bool = True
    ) -> bool:
        """Register the item that imgui has just placed as a control of the current card.

        A control can have a tooltip, and keys can go from control to control.

        Args:
            name: name of the control, unique in its card.
            place: place of the control, [pixels].
            tip: explains it; `NO_TIP` for a control that needs no words, None if one is missing.
            tab_stop: whether keys go to it.

        Returns:
            Whether a key presses the control in this frame.
        """
        if not imgui.is_item_visible():
            return False
        control = DrawnControl(
            name=f"{self._card} {name}",
            place=place,
            card=self._card_place,
            tip=tip or NO_TIP,
            tab_stop=tab_stop,
            is_unexplained=tip is None,
        )
        self._drawn.append(control)
        if imgui.is_item_hovered():
            self._hovered = control
        return self.keys.takes_press(control.name)

    def explain(self, name: str, place: Rectangle, tip: Tip) -> None:
        """Register a part under the mouse that is no item of imgui's, so that its tooltip is shown.

        Args:
            name: name of the part, unique in the window.
            place: place of the part, [pixels].
            tip: the tooltip.
        """
        self._hovered = DrawnControl(name, place, place, tip, tab_stop=False)
        self._drawn.append(self._hovered)

    def end_frame(self, layout: Layout, elapsed: float) -> None:
        """Draw the ring around the control that keys have chosen, and the tooltip that is due.

        Args:
            layout: layout of the window.
            elapsed: time since the last frame, [s].
        """
        self.controls = self._drawn
        self.keys.names = [control.name for control in self.controls if control.tab_stop]
        chosen = self._chosen
        if chosen:
            draw = imgui.get_foreground_draw_list()
            ring = chosen.place.inset(-px(2))
            draw.add_rect(
                ring.low,
                ring.high,
                ACCENT,
                rounding=px(7),
                thickness=px(_RING_WIDTH),
            )
        # The tooltip of the control that keys have chosen, or else of that on which the mouse has
        # rested long enough. Controls that need no words have no title.
        self._rest(elapsed, px(_STILL))
        explained = chosen
        if not chosen and self._is_due:
            explained = self._hovered
        if explained and explained.tip.title:
            draw_tip(explained, layout)

    @property
    def is_quiet(self) -> bool:
        """Whether the mouse has not moved since the last click or key, so that tooltips wait."""
        return self._ended_at is not None and not _is_button_down()

    @property
    def is_waiting(self) -> bool:
        """Whether the mouse rests on a control whose tooltip is still to come."""
        hovered = self._hovered
        if hovered is None or not hovered.tip.title or hovered.name == self._pressed_name:
            return False
        if self._ended_at or self.is_explained:
            return False
        return self._rested < DELAY

    @property
    def is_active(self) -> bool:
        """Whether something is chosen by keys, or a tooltip is shown or about to come."""
        return self._chosen is not None or self._is_due or self.is_waiting

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

    def _rest(self, elapsed: float, still: float) -> None:
        """Update `_rested`, the time for which the mouse has rested on the same control, [s].

        It restarts at 0 on another control, and stays 0

        - while the mouse wheel turns, or a card shows a tooltip of its own;
        - after a key or a click, until the mouse moves;
        - after a click, on the control that then lies under the mouse, until the mouse leaves it.

        Args:
            elapsed: time since the last frame, [s].
            still: the mouse counts as moved if it moves farther than this, [pixels].
        """
        name = self._hovered.name if self._hovered else ""
        mouse = _mouse_place()
        if self.keys.key_came:
            self._ended_at = mouse
        elif self._ended_at and math.dist(mouse, self._ended_at) > still:
            self._ended_at = None
            self._is_clicked = False
        self.keys.key_came = False
        # A click may open or close a card, so that something else comes under the mouse.
        if self._is_clicked:
            self._pressed_name = name
        elif name != self._pressed_name:
            self._pressed_name = ""
        is_resting = (
            name == self._shown_name
            and not self._pressed_name
            and self._ended_at is None
            and imgui.get_io().mouse_wheel == 0.0
            and not self.is_explained
        )
        self._rested = self._rested + elapsed if is_resting else 0.0
        self._shown_name = name


focus = ControlFocus()
"""That of the window: a program shows one at a time."""


def _mouse_place() -> Point:
    """Return where the mouse is, [pixels]."""
    x, y = imgui.get_mouse_pos()
    return x, y


def _is_button_down() -> bool:
    """Return whether a button of the mouse is held."""
    return any(imgui.is_mouse_down(button) for button in (0, 1, 2))


def draw_tip(control: DrawnControl, layout: Layout) -> None:
    """Draw the tooltip of a control, over all else and within the window.

    Its title, text, and notes with keys stand one below the other; at least one is not empty.

    Args:
        control: the control.
        layout: layout of the window.
    """
    tip = control.tip
    pad = px(_PAD)
    paragraph_gap = px(3)
    wrap_width = min(px(_TIP_WIDTH), layout.width - 4 * pad)

    # Paragraphs: words, colour, and whether they are strong.
    keys = _("Press {keys}", keys=tip.keys) if tip.keys else ""
    notes = "   ".join(part for part in (tip.notes, keys) if part)
    possible = (tip.title, INK, True), (tip.text, INK, False), (notes, MUTED, False)
    paragraphs = [paragraph for paragraph in possible if paragraph[0]]
    extents = [
        measure(words, strong=strong, wrap=wrap_width) for words, _tint, strong in paragraphs
    ]
    box_width = max(extent.width for extent in extents) + 2 * pad
    box_height = (
        sum(extent.height for extent in extents)
        + paragraph_gap * (len(paragraphs) - 1)
        + 2 * pad
        - px(3)  # fonts have some space below the last line
    )
    box = _beside(control, box_width, box_height, layout)
    draw = imgui.get_foreground_draw_list()
    fill_box(box, SHEET, edge=FAINT, thickness=1, draw=draw)
    y = box.top + pad - px(2)
    for (words, tint, strong), extent in zip(paragraphs, extents, strict=True):
        draw_text(box.left + pad, y, words, tint, strong=strong, wrap=wrap_width, draw=draw)
        y += extent.height + paragraph_gap


def _beside(control: DrawnControl, width: float, height: float, layout: Layout) -> Rectangle:
    """Return the place of a tooltip, [pixels]: beside the card of its control, not over it.

    Of the four sides of the card, those at which the tooltip is within the window are considered.
    The best is the one at which it covers the fewest other cards, and of these the nearest to the
    control. If no side has room, as with a card that fills the window, the tooltip is beside the
    control itself.

    Args:
        control: the control.
        width, height: size of the tooltip, [pixels].
        layout: layout of the window.
    """
    gap = px(_GAP)
    place = control.place
    window = layout.window.inset(gap)
    # At the left or right of a card, the tooltip is level with the control, but clear of the line
    # of beats at the top and the bar at the bottom. Above or below a card, it is centred at the
    # mouse, which may be anywhere on a wide control.
    highest = layout.head.bottom + gap if layout.head else window.top
    lowest = (layout.bar.top - gap if layout.bar else window.bottom) - height
    top = max(min(max(place.top, highest), lowest), window.top)
    left = max(min(_mouse_place()[0] - width / 2, place.right - width), place.left)
    left = max(min(left, window.right - width), window.left)
    cards = [card for card in (layout.panel, layout.strip, layout.head, layout.bar) if card]

    for outer in (control.card, place):
        # To the right, below, above and to the left: how far that side is from the control, and the
        # tooltip's left and upper edge there, [pixels].
        sides = (
            (outer.right - place.right, outer.right + gap, top),
            (outer.bottom - place.bottom, left, outer.bottom + gap),
            (place.top - outer.top, left, outer.top - gap - height),
            (place.left - outer.left, outer.left - gap - width, top),
        )
        # Sorted by cards that are covered, then by distance, then by the order above.
        boxes = [
            (sum(box.overlaps(card) for card in cards), distance, index, box)
            for index, (distance, x, y) in enumerate(sides)
            if window.contains(box := Rectangle(round(x), round(y), width, height))
        ]
        if boxes:
            return min(boxes)[-1]
    return Rectangle(round(left), round(top), width, height)


TITLE_SIZE = 16.0
"""Size of the letters of a card's title, at scale 1, [pixels]."""

TITLE_HEIGHT = 27.0
"""Height of a card's title with the gap below it, at scale 1, [pixels]."""

# Sizes at scale 1, [pixels].
_FADE_HEIGHT = 26.0
_RGB_MASK = 0xFFFFFF
_MAX_CHARACTERS = 400  # of a text in a line; no line is wider

_CARD_FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav
    # or a card that comes along takes the keyboard from a field
    | imgui.WindowFlags_.no_focus_on_appearing
)  # the layout places cards


def begin_card(name: str, place: Rectangle, flags: int = imgui.WindowFlags_.no_scrollbar) -> None:
    """Begin a card in a place, [pixels]; `imgui.end` ends it."""
    imgui.set_next_window_pos(place.low)
    imgui.set_next_window_size(place.size)
    imgui.begin(name, None, _CARD_FLAGS | flags)
    focus.begin_card(name, place)


def begin_cover(name: str, place: Rectangle) -> None:
    """Begin a card in front of all others, which draws its own background; `end_cover` ends it.

    Args:
        name: name of the card.
        place: place in the window, [pixels].
    """
    imgui.set_next_window_focus()
    begin_bare(name, place)


def begin_bare(name: str, place: Rectangle) -> None:
    """Begin a card that draws its own background up to its edges; `end_cover` ends it.

    Args:
        name: name of the card.
        place: place in the window, [pixels].
    """
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
    begin_card(name, place, imgui.WindowFlags_.no_background | imgui.WindowFlags_.no_scrollbar)


def end_cover() -> None:
    """End the card of `begin_cover` or `begin_bare`."""
    imgui.end()
    imgui.pop_style_var()


def end_contents(left: float, bottom: float) -> None:
    """Tell imgui how far the current list scrolls: as far as its last item, here an empty one.

    Args:
        left, bottom: lower left corner of the contents in the window, [pixels].
    """
    imgui.set_cursor_screen_pos((left, bottom))
    imgui.dummy((0, 0))


def is_mouse_moving() -> bool:
    """Return whether the mouse has moved since the last frame."""
    delta = imgui.get_io().mouse_delta
    return bool(delta.x or delta.y)


def mouse_share(place: Rectangle) -> float:
    """Return where the mouse is along a place: 0 at its left edge, 1 at its right; not limited."""
    return (imgui.get_io().mouse_pos.x - place.left) / place.width


def is_mouse_over(row: Rectangle) -> bool:
    """Return whether the mouse is on a row of the current card, also on buttons within the row."""
    return row.covers(*imgui.get_mouse_pos()) and imgui.is_window_hovered()


def is_mouse_pressed() -> bool:
    """Return whether the left or the right button of the mouse has gone down in this frame."""
    buttons = imgui.MouseButton_.left, imgui.MouseButton_.right
    return any(map(imgui.is_mouse_clicked, buttons))


def mark_row(row: Rectangle, *, chosen: bool, lit: bool) -> None:
    """Draw the background of a row that is chosen or lit, and an outline around a chosen one.

    Args:
        row: place of the row, [pixels].
        chosen: whether keys act on the row.
        lit: whether the mouse is on it.
    """
    if chosen or lit:
        fill_box(row, FILL_CHOSEN if chosen else TRACK)
    if chosen:
        outline_box(row, ACCENT)


def fill_row(row: Rectangle, *, chosen: bool, lit: bool) -> None:
    """Draw the background of a row that is chosen or lit, in the terms of `mark_row`."""
    if chosen or lit:
        fill_box(row, FILL if chosen else TRACK_HOVERED, rounding=6)


def fill_box(
    place: Rectangle,
    tint: int,
    *,
    edge: int | None = None,
    rounding: float = 7.0,
    thickness: float = 1.5,
    draw: imgui.ImDrawList | None = None,
) -> None:
    """Fill a box, and draw its edge if that has a colour.

    Args:
        place: place of the box, [pixels].
        tint: colour as imgui packs it.
        edge: colour of the edge; None for a box without one.
        rounding: radius of the corners at scale 1, [pixels].
        thickness: thickness of the edge at scale 1, [pixels].
        draw: the draw list; by default that of the current card.
    """
    draw = draw or imgui.get_window_draw_list()
    draw.add_rect_filled(place.low, place.high, tint, px(rounding))
    if edge is not None:
        outline_box(place, edge, rounding=rounding, thickness=thickness, draw=draw)


def outline_box(
    place: Rectangle,
    tint: int,
    *,
    rounding: float = 7.0,
    thickness: float = 1.5,
    draw: imgui.ImDrawList | None = None,
) -> None:
    """Draw the edge of a box, in the terms of `fill_box`, all of it inside the box.

    A box may fill its card, beyond which nothing is drawn.
    """
    draw = draw or imgui.get_window_draw_list()
    # Between whole pixels, straight lines would be paler than round corners.
    width = max(math.ceil(px(thickness) - 0.5), 1)
    # imgui draws a line of one pixel inside the box, and a thicker one on both sides of that.
    outside = (width - 1) / 2
    inner = place.inset(outside)
    corner = max(px(rounding) - outside, 0.0)
    draw.add_rect(inner.low, inner.high, tint, rounding=corner, thickness=width)


def draw_rule(left: float, y: float, width: float) -> None:
    """Draw a thin line from left to right, which parts of a card lie above and below, [pixels]."""
    imgui.get_window_draw_list().add_line((left, y), (left + width, y), LINE, px(1))


def draw_tooltip_box(place: Rectangle) -> Any:
    """Draw the box of a tooltip over all cards, [pixels]; return the draw list for its content."""
    focus.is_explained = True
    draw = imgui.get_foreground_draw_list()
    fill_box(place, SHEET, edge=FAINT, rounding=6, thickness=1, draw=draw)
    return draw


def _tooltip_rows(lines: Sequence[tuple[str, str]], room: float) -> list[tuple[str, float, str]]:
    """Break the lines of a tooltip into rows that fit its width.

    Args:
        lines: strong words, which may be empty, and muted words of each line.
        room: width of a row, [pixels].

    Returns:
        For each row its strong words, the distance from the left edge to its muted words, [pixels],
        and these. Muted words that do not fit beside strong ones follow in rows of their own.
    """
    gap = measure("  ").width
    rows = list[tuple[str, float, str]]()
    for strong_words, muted_words in lines:
        indent = measure(strong_words, strong=True).width + (gap if strong_words else 0.0)
        if indent + measure(muted_words).width <= room:
            rows.append((strong_words, indent, muted_words))
            continue
        if strong_words:
            rows.append((strong_words, indent, ""))
        rows += [("", 0.0, part) for part in wrap(muted_words, room, _MAX_TIP_LINES)]
    return rows


def draw_tooltip(
    lines: Sequence[tuple[str, str]],
    paper: Rectangle,
    mouse: Point,
    *,
    above: bool = False,
) -> None:
    """Draw a tooltip beside the mouse: below it, or above it where there is no room.

    Nothing is drawn after a click or a key until the mouse moves.

    Args:
        lines: for each line its strong words, which may be empty, and the muted words after them,
            which are broken into rows of their own if they are too long.
        paper: the place within which the tooltip stays, [pixels].
        mouse: position of the mouse, [pixels].
        above: whether it is above the mouse in any case, and 10 pixels nearer to it, at scale 1.
    """
    if focus.is_quiet:
        return
    mouse_x, mouse_y = mouse
    pad = px(8)
    rows = _tooltip_rows(lines, min(paper.width - 2 * pad, px(_LINE_WIDTH)))
    words_width = max(indent + measure(words).width for _strong, indent, words in rows)
    line_height = px(18)
    words_height = line_height * len(rows)

    left = min(max(mouse_x + px(12), paper.left), paper.right - words_width - 2 * pad)
    top = mouse_y + px(18)
    if above or top + words_height + pad >= paper.bottom:
        top = mouse_y - px(14) - words_height - pad
    if above:
        top += px(10)

    draw = draw_tooltip_box(Rectangle(left, top, words_width + 2 * pad, words_height + pad))
    x = left + pad
    for index, (strong_words, indent, muted_words) in enumerate(rows):
        y = top + pad / 2 + line_height * index + px(2)
        draw_text(x, y, strong_words, strong=True, draw=draw)
        draw_text(x + indent, y, muted_words, MUTED, draw=draw)


def place_button(
    name: str, place: Rectangle, tip: Tip | None = None, *, tab_stop: bool = True
) -> bool:
    """Make a place of the current card an invisible button; the caller draws what is seen of it.

    It is imgui's last item then, so that `imgui.is_item_hovered()` and the like refer to it.

    Args:
        name: name of the button, unique in its card.
        place: place of the button in the window, [pixels].
        tip: explains it; `NO_TIP` for a button that needs no words, None if a tip is missing.
        tab_stop: whether the keys that go from control to control stop at it; rows of lists have
            keys of their own.

    Returns:
        Whether it was clicked, or pressed by a key.
    """
    imgui.set_cursor_screen_pos(place.low)
    clicked = imgui.invisible_button(name, place.size)
    return focus.register(name, place, tip, tab_stop=tab_stop) or clicked


def place_opener(
    name: str, place: Rectangle, tip: Tip | None = None, *, tab_stop: bool = True
) -> bool:
    """Make a place an invisible button that opens a list as soon as the mouse goes down on it.

    The mouse can then be dragged on to an option.

    Args:
        name, place, tip, tab_stop: as for `place_button`.

    Returns:
        Whether the list is to be opened.
    """
    clicked = place_button(name, place, tip, tab_stop=tab_stop)
    # imgui reports a click when the mouse is released; that must not open the list once more. A
    # click in a frame without a release was made by a key.
    return imgui.is_item_activated() or (
        clicked and not imgui.is_mouse_released(imgui.MouseButton_.left)
    )


def fill_if_hovered(place: Rectangle) -> bool:
    """Fill a place, [pixels], if the mouse is over imgui's last item; return whether it is."""
    hovered = imgui.is_item_hovered()
    if hovered:
        fill_box(place, FILL if imgui.is_item_active() else TRACK_HOVERED)
    return hovered


def draw_field(
    name: str,
    text: str,
    place: Rectangle,
    *,
    takes_focus: bool = False,
    hint: str = "",
    flags: int = 0,
    text_size: float = TEXT,
    strong: bool = False,
    inset: float = 10.0,
    callback: Callable[[imgui.InputTextCallbackData], int] | None = None,
    tip: Tip | None = None,
) -> tuple[bool, str]:
    """Draw a text field without a box around it; it is imgui's last item then.

    Args:
        name: name of the item.
        text: text in the field.
        place: place of the field, [pixels].
        takes_focus: whether the field is to take the keyboard.
        hint: shown while the field is empty.
        flags: sum of `imgui.InputTextFlags_`.
        text_size: size of the text at scale 1, [pixels].
        strong: whether in the strong font.
        inset: from the left edge to the text, at scale 1, [pixels].
        callback: called by imgui as the flags say.
        tip: what explains it.

    Returns:
        Whether the text was entered in this frame (with the flag `enter_returns_true`) or changed
        (without it), and the text as it is now.
    """
    imgui.push_font(font(strong=strong), px(text_size))
    # The height of imgui's field is that of its text and the padding above and below: this padding
    # makes it fill the place.
    padding = imgui.ImVec2(px(inset), (place.height - px(text_size)) / 2)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, padding)
    imgui.set_cursor_screen_pos(place.low)
    imgui.set_next_item_width(place.width)
    if takes_focus:
        imgui.set_keyboard_focus_here()
    if hint and not text:
        hint = ellipsize(hint, place.width - 2 * px(inset), text_size, strong=strong)
    result = imgui.input_text_with_hint(f"##{name}", hint, text, flags, callback)
    if focus.register(name, place, tip):
        imgui.set_keyboard_focus_here(-1)  # the last item, which is the field
    imgui.pop_style_var()
    imgui.pop_font()
    return result


def draw_word_button(
    name: str, words: str, place: Rectangle, tip: Tip | None, *, lit: bool = False
) -> bool:
    """Draw a button with words in its middle; return whether it was pressed.

    Args:
        name: name of the button, unique in its card.
        words: words on the button; cut if they do not fit.
        place: place of the button, [pixels].
        tip: its tooltip; None if one is missing.
        lit: whether it stands out, as what it stands for is on, chosen or the usual answer.
    """
    label = ellipsize(words, place.width - px(3), strong=lit)
    # A tooltip with nothing but a title says no more than the button, as long as that is not cut.
    is_known = label == _(words) and tip is not None and tip == Tip(tip.title)
    pressed = place_button(name, place, NO_TIP if is_known else tip)
    fill = FILL if lit else TRACK
    fill_box(place, TRACK_HOVERED if imgui.is_item_hovered() else fill, rounding=6)
    size = measure(label, strong=lit)
    x = place.centre - size.width / 2
    y = line_top(place)
    draw_text(x, y, label, ACCENT if lit else INK, strong=lit)
    return pressed


def draw_link(name: str, words: str, x: float, y: float, tip: Tip) -> bool:
    """Draw words as a button without a box; return whether it was pressed.

    Args:
        name: name of the button, unique in its card.
        words: words of the button.
        x, y: upper left corner of the words, [pixels].
        tip: its tooltip.
    """
    pressed = place_button(name, Rectangle(x, y, *measure(words)), tip)
    draw_text(x, y, words, ACCENT, strong=imgui.is_item_hovered())
    return pressed


COMPLETE_KEY = "Tab"
"""The key that completes a typed text to a suggestion."""

# Of the buttons of `draw_offers`: their height at scale 1, [pixels], and the most rows.
_OFFER_HEIGHT = 24.0
_MAX_OFFER_ROWS = 3


def draw_offers(texts: Sequence[str], left: float, top: float, width: float) -> tuple[str, float]:
    """Draw suggestions, texts that the user may have meant, as buttons in a few rows.

    Args:
        texts: the texts; one that is wider than a row is cut.
        left, top, width: left end, top and width of the rows, [pixels].

    Returns:
        pressed: the text whose button was pressed; empty if none was.
        bottom: the lower edge of the last row, [pixels].
    """
    pressed = ""
    x = left
    y = top
    height = px(_OFFER_HEIGHT)
    row_step = height + px(_GAP)
    for text in texts:
        button_width = min(measure(text).width + px(20), width)
        if x > left and x + button_width > left + width:
            x = left
            y += row_step
            if y >= top + _MAX_OFFER_ROWS * row_step:
                return pressed, y - px(_GAP)
        place = Rectangle(x, y, button_width, height)
        if draw_word_button(f"offer {text}", text, place, NO_TIP, lit=True):
            pressed = text
        x = place.right + px(_GAP)
    return pressed, y + height


def draw_key_button(
    action: Action,
    words: str,
    x: float,
    y: float,
    *,
    tint: int | None,
    perform: Callable[[Action], None],
) -> float:
    """Draw an action's key with words beside it, as a button, and return its width, [pixels].

    Also notes its place in `spots`, where others point at it.

    Args:
        action: action of the key.
        words: beside the key; may be empty.
        x, y: upper left corner, [pixels].
        tint: tint of key and words; None for that of text.
        perform: called with the action when the button is clicked.
    """
    width = key_button_width(action, words)
    place = Rectangle(x, y, width, px(20))
    spots[action] = place
    if not imgui.is_rect_visible(place.low, place.high):
        return width  # scrolled away
    clicked = place_button(f"{action.name} {words}", place, action_tip(action, words))
    tint = ACCENT if imgui.is_item_hovered() else tint
    key_width = draw_keycap(caption(action), x, y, tint=tint)
    if words:
        draw_text(x + key_width + px(6), y + px(3), words, tint)
    if clicked:
        perform(action)
    return width


def key_button_width(action: Action, words: str) -> float:
    """Return how wide `draw_key_button` draws a button, [pixels]."""
    beside = px(6) + measure(words).width if words else 0.0
    return keycap_width(caption(action)) + beside


def keycap_width(words: str) -> float:
    """Return how wide a key with a name is drawn, [pixels]."""
    return measure(words, strong=True).width + px(10)


def draw_keycap(
    words: str,
    x: float,
    y: float,
    *,
    tint: int | None = None,
    draw: Any = None,
    lit: bool = False,
) -> float:
    """Draw a key of the keyboard with its name, and return its width, [pixels].

    Args:
        words: name of the key.
        x, y: upper left corner, [pixels]; the key is 20 pixels high at scale 1.
        tint: colour of the name; None for that of text.
        draw: the draw list; by default that of the current card.
        lit: whether the key stands out, because a click would press it.
    """
    place = Rectangle(x, y, keycap_width(words), px(20))
    draw = draw or imgui.get_window_draw_list()
    fill_box(
        place,
        FILL if lit else TRACK,
        edge=ACCENT if lit else LINE,
        rounding=5,
        thickness=1,
        draw=draw,
    )
    draw_text(x + px(5), y + px(3), words, tint, strong=True, draw=draw)
    return place.width


def draw_tabs(names: Sequence[str], words: Sequence[str], chosen: str, x: float, y: float) -> str:
    """Draw tabs beside each other, the chosen one filled.

    Args:
        names: names of the tabs, for which `term_tip` has tooltips.
        words: words on each tab.
        chosen: name of the chosen tab.
        x, y: upper left corner, [pixels].

    Returns:
        The name of the tab that was clicked; empty if none was.
    """
    clicked = ""
    for name, label in zip(names, words, strict=True):
        is_chosen = name == chosen
        width = measure(label, strong=is_chosen).width + px(12)
        place = Rectangle(x, y, width, px(20))
        if place_button(name, place, term_tip(name)):
            clicked = name
        if is_chosen:
            fill_box(place, FILL, rounding=5)
        tint = ACCENT if is_chosen or imgui.is_item_hovered() else MUTED
        draw_text(x + px(6), y + px(3), label, tint, strong=is_chosen)
        x += width
    return clicked


def wrap(words: str, room: float, max_lines: int, text_size: float = SMALL) -> tuple[str, ...]:
    """Break a text into lines that fit a width, with an ellipsis if some of it is missing.

    Args:
        words: the text.
        room: width of a line, [pixels].
        max_lines: greatest number of lines.
        text_size: size of the text at scale 1, [pixels].
    """
    # The text is translated before the cached function is called, so that the cache has an entry
    # for each language.
    return _wrapped(_(words), room, max_lines, text_size, SCALE)


@lru_cache(maxsize=500)
def _wrapped(
    words: str, room: float, max_lines: int, text_size: float, _scale: float
) -> tuple[str, ...]:
    """Break a translated text into lines; cached, as cards do so in every frame.

    Args:
        words: the text.
        room: width of a line, [pixels].
        max_lines: number of lines at most; the last one is cut with an ellipsis.
        text_size: text size at scale 1, [pixels].
        _scale: scale of sizes; part of the cache key only.
    """
    lines: list[str] = []
    remaining = words.split()
    # All lines but the last take as many words as fit, and at least one, even if that is too long.
    while remaining and len(lines) < max_lines - 1:
        count = 1
        while (
            count < len(remaining)
            and measure(" ".join(remaining[: count + 1]), text_size).width <= room
        ):
            count += 1
        lines.append(" ".join(remaining[:count]))
        remaining = remaining[count:]
    # The last line takes all words that are left, and is cut if they do not fit.
    if remaining:
        lines.append(_ellipsized(" ".join(remaining), room, text_size, _scale, strong=False))
    return tuple(lines)


def draw_chevron(x: float, middle: float, tint: int) -> None:
    """Draw the sign of a list that opens, with its middle, [pixels]."""
    draw = imgui.get_window_draw_list()
    half_width = px(3.6)
    half_height = px(1.8)
    thickness = px(1.5)
    top = middle - half_height
    bottom = middle + half_height
    draw.add_line((x - half_width, top), (x, bottom), tint, thickness)
    draw.add_line((x, bottom), (x + half_width, top), tint, thickness)


def draw_star(place: Rectangle, *, filled: bool, tint: int) -> None:
    """Draw a star in the middle of a place, [pixels], filled or as an outline.

    Args:
        place: place in whose middle it stands, [pixels].
        filled: whether it is filled, rather than an outline.
        tint: colour as imgui packs it.
    """
    x = place.centre
    y = place.middle
    size = px(6)
    # Ten corners clockwise from the top, alternately outer ones and inner ones; y points down.
    corners: list[imgui.ImVec2 | tuple[float, float] | list[float]] = []
    for index in range(10):
        is_outer = index % 2 == 0
        radius = size * (1.0 if is_outer else 0.45)
        angle = math.pi * (index / 5 - 0.5)
        corners.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    draw = imgui.get_window_draw_list()
    if filled:
        draw.add_concave_poly_filled(corners, tint)
    else:
        draw.add_polyline(corners, tint, flags=imgui.ImDrawFlags_.closed, thickness=px(1.2))


def draw_cross(x: float, y: float, side: float, term: str = "close") -> bool:
    """Draw a cross that closes a card, or empties a field.

    Args:
        x, y: upper left corner, [pixels].
        side: side of the square that takes clicks, [pixels].
        term: term that its tooltip explains.

    Returns:
        Whether it was clicked.
    """
    pressed = place_button(term, Rectangle(x, y, side, side), term_tip(term))
    tint = ACCENT if imgui.is_item_hovered() else MUTED
    inset = px(7)
    left = x + inset
    right = x + side - inset
    top = y + inset
    bottom = y + side - inset
    draw = imgui.get_window_draw_list()
    draw.add_line((left, top), (right, bottom), tint, px(1.6))
    draw.add_line((right, top), (left, bottom), tint, px(1.6))
    return pressed


def draw_title(words: str, left: float, y: float, width: float) -> bool:
    """Draw the title of a card and a cross, `TITLE_HEIGHT` high; return whether it is closed.

    Args:
        words: the title; what does not fit is cut.
        left, y: upper left corner, [pixels].
        width: width of title and cross, [pixels].
    """
    side = px(22)
    room = width - side - px(6)
    title = ellipsize(words, room, TITLE_SIZE, strong=True)
    draw_text(left + px(2), y, title, INK, TITLE_SIZE, strong=True)
    return draw_cross(left + width - side, y - px(1), side)


def draw_groove(
    left: float,
    right: float,
    middle: float,
    share: float,
    *,
    thickness: float = 3.0,
    tint: int | None = None,
) -> float:
    """Draw the groove of a slider, filled from the left end as far as its knob.

    Args:
        left, right: ends of the groove, [pixels].
        middle: height of its middle, [pixels].
        share: where the knob is, from 0 at the left end to 1.
        thickness: thickness at scale 1, [pixels].
        tint: colour of the empty part as imgui packs it; by default that of sliders.

    Returns:
        The x of the knob, which is not drawn, [pixels].
    """
    draw = imgui.get_window_draw_list()
    half = px(thickness / 2)
    top = middle - half
    bottom = middle + half
    knob_x = left + (right - left) * share
    empty_tint = GROOVE if tint is None else tint
    draw.add_rect_filled((left, top), (right, bottom), empty_tint, half)
    draw.add_rect_filled((left, top), (knob_x, bottom), ACCENT, half)
    return knob_x


def draw_default_mark(x: float, middle: float) -> None:
    """Mark the default value across a groove at a height, [pixels]; a knob may hide it."""
    half_width = px(0.75)
    half_height = px(4.5)
    imgui.get_window_draw_list().add_rect_filled(
        (x - half_width, middle - half_height), (x + half_width, middle + half_height), MUTED
    )


def draw_fades(place: Rectangle, clear_of: Rectangle | None = None) -> None:
    """Fade the contents of a list toward the edges beyond which there is more of it.

    Called at the end of the list, an imgui child window, over whose contents it draws.

    Args:
        place: place of the list in the window, without its scrollbar, [pixels].
        clear_of: a place in it that is not faded, [pixels].
    """
    # Where the upper fade ends and the lower one begins. A fade is no higher than what is scrolled
    # away beyond its edge, so that it vanishes at that end of the list.
    scrolled = imgui.get_scroll_y()
    max_scrolled = imgui.get_scroll_max_y()
    fade_height = px(_FADE_HEIGHT)
    upper_end = place.top + min(fade_height, scrolled)
    lower_start = place.bottom - min(fade_height, max_scrolled - scrolled)
    if clear_of:
        upper_end = min(upper_end, clear_of.top)
        lower_start = max(lower_start, clear_of.bottom)

    # A fade goes from the colour of the card at the edge to nothing. imgui takes the colours of its
    # corners in the order upper left, upper right, lower right, lower left.
    solid = CARD
    clear = solid & _RGB_MASK  # the same with opacity 0
    right = place.right
    draw = imgui.get_window_draw_list()
    if upper_end > place.top:
        draw.add_rect_filled_multi_color(place.low, (right, upper_end), solid, solid, clear, clear)
    if lower_start < place.bottom:
        draw.add_rect_filled_multi_color(
            (place.left, lower_start), (right, place.bottom), clear, clear, solid, solid
        )


def ellipsize(words: str, room: float, text_size: float = SMALL, *, strong: bool = False) -> str:
    """Return as much of a text as fits a width, with an ellipsis if something is missing.

    Args:
        words: the text, one line.
        room: greatest width, [pixels].
        text_size: size of the text at scale 1, [pixels].
        strong: whether in the strong font.
    """
    # The text is translated before the cached function is called, so that the cache has an entry
    # for each language.
    return _ellipsized(_(words), room, text_size, SCALE, strong=strong)


@lru_cache(maxsize=4_000)
def _ellipsized(words: str, room: float, text_size: float, _scale: float, *, strong: bool) -> str:
    """Cut a translated text with an ellipsis so that it fits.

    Results are cached, as cards cut the same texts in every frame.

    Args:
        words: the text.
        room: width that it may take, [pixels].
        text_size: text size at scale 1, [pixels].
        _scale: scale of sizes; part of the cache key only.
        strong: whether in the strong font.
    """
    words = words[:_MAX_CHARACTERS]
    if measure(words, text_size, strong=strong).width <= room:
        return words
    # Bisection for the greatest number of characters that fit with an ellipsis. `fitting` of them
    # fit, or are 0, which is taken if even one does not fit; `too_many` do not fit.
    fitting = 0
    too_many = len(words)
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if measure(words[:middle].rstrip() + "…", text_size, strong=strong).width <= room:
            fitting = middle
        else:
            too_many = middle
    return words[:fitting].rstrip() + "…"


_SCROLL_BAR_ROOM = 10.0  # beside the rows of a list
_ROW_BUTTON_SIZE = 18.0
# of the keys below a list
_FOOT_PAD = 7.0
_FOOT_LINE_HEIGHT = 25.0
_FOOT_GAP = 7.0

Keys = Sequence[tuple[Action, str]]
"""Actions, and what is said beside the key of each."""


class RowButton(NamedTuple):
    """A small button in a row of a list.

    Attributes:
        sign: written on it.
        term: term that its tooltip explains.
        act: called when it is clicked.
    """

    sign: str
    term: str
    act: Callable[[], None]


class ScrolledList(Protocol):
    """What a list shows that can be asked to scroll to its chosen row."""

    scroll_to_chosen: bool


def list_rows(
    name: str,
    shown: ScrolledList,
    chosen: int,
    count: int,
    place: Rectangle,
    row_height: float,
    *,
    by_rows: bool = False,
    gap: float = 0.0,
) -> Iterator[tuple[int, Rectangle]]:
    """Yield the rows of a scrolling list that are seen; the caller draws each as it comes.

    The list begins, as an imgui child window, before the first row and ends after the last one, so
    the loop over the rows must not be left early. Rows leave room for a scroll bar at their right.

    Args:
        name: name of the list, unique in its card.
        shown: state of the list; if its `scroll_to_chosen` is set, the list scrolls to the chosen
            row, and unsets it.
        chosen: index of the chosen row.
        count: number of rows.
        place: place of the list, [pixels].
        row_height: height of a row with the gap below it, [pixels].
        by_rows: whether the list scrolls by whole rows and is as high as some of them, as a row
            that is cut off would look like a fault.
        gap: gap below each row, at scale 1, [pixels].

    Yields:
        The index of a row, and its place, [pixels].
    """
    visible_count = max(int(place.height / row_height + 1e-6), 1)
    if by_rows:
        place = replace(place, height=visible_count * row_height)
    imgui.set_cursor_screen_pos(place.low)
    imgui.begin_child(name, place.size, window_flags=imgui.WindowFlags_.no_nav)
    if shown.scroll_to_chosen:
        shown.scroll_to_chosen = False
        _scroll_to_row(chosen, row_height, place.height, by_rows=by_rows)
    # The cursor begins at the top of all rows, which lies above the place once one has scrolled.
    origin = imgui.get_cursor_screen_pos()
    scrolled_rows = imgui.get_scroll_y() / row_height
    if by_rows:
        first = round(scrolled_rows)
        end = first + visible_count
        top = place.top - first * row_height
    else:
        # One row more than fits, as rows at both ends may be cut, and one for rounding down.
        first = int(scrolled_rows)
        end = first + visible_count + 2
        top = origin.y
    width = place.width - px(_SCROLL_BAR_ROOM)
    height = row_height - px(gap)
    for index in range(first, min(end, count)):
        yield index, Rectangle(place.left, top + index * row_height, width, height)
    # An empty item as high as all rows tells imgui how far the list scrolls.
    imgui.set_cursor_screen_pos((place.left, origin.y))
    imgui.dummy((1, count * row_height))
    imgui.end_child()


def _scroll_to_row(index: int, row_height: float, room: float, *, by_rows: bool) -> None:
    """Scroll the current list so that a row is in its middle, unless the whole row is seen already.

    Args:
        index: index of the row; the first one if negative.
        row_height: height of a row, [pixels].
        room: height of the list, [pixels].
        by_rows: whether the list scrolls by whole rows.
    """
    scrolled = imgui.get_scroll_y()
    top = max(index, 0) * row_height
    if scrolled <= top <= scrolled + room - row_height:
        return  # it is seen whole
    above = (room - row_height) / 2  # height of the list above the row, when that is in the middle
    if by_rows:
        above = row_height * round(above / row_height)
    imgui.set_scroll_y(max(top - above, 0.0))


def draw_row_buttons(
    row: Rectangle, number: int, buttons: Sequence[RowButton]
) -> tuple[float, bool]:
    """Draw small buttons at the right end of a row, and do what a clicked one does.

    Args:
        row: its place, [pixels].
        number: number of the row, which tells its buttons from those of others.
        buttons: the rightmost first.

    Returns:
        Where the buttons begin, [pixels], and whether one was clicked.
    """
    side = px(_ROW_BUTTON_SIZE)
    left = row.right - px(4)
    is_any_clicked = False
    for sign, term, act in buttons:
        left -= side
        spot = Rectangle(left, row.top, side, row.height)
        clicked = place_button(f"{sign} {number}", spot, term_tip(term), tab_stop=False)
        tint = ACCENT if imgui.is_item_hovered() else MUTED
        draw_text(left + px(5), row.top + px(4), sign, tint, TEXT)
        if clicked:
            act()
            is_any_clicked = True
    return left, is_any_clicked


def foot_height(keys: Keys, width: float) -> float:
    """Return how high the keys below a list are, at least two lines, [pixels].

    Args:
        keys: actions, each with its words.
        width: width of a line, [pixels].
    """
    lines = max((line for line, _across in _key_places(keys, width)), default=0) + 1
    return px(max(lines, 2) * _FOOT_LINE_HEIGHT + _FOOT_PAD + 3)


def draw_foot(
    keys: Keys,
    left: float,
    top: float,
    width: float,
    perform: Callable[[Action], None],
    *,
    tints: Mapping[Action, int] | None = None,
    max_lines: int | None = None,
) -> float:
    """Draw the foot of a card: a rule, and below it actions as buttons with their keys.

    Args:
        keys: the action of each button, and words for it.
        left, top: left end of the rule, [pixels].
        width: width of the rule and of a line of buttons, [pixels].
        perform: does the action of a button that is clicked.
        tints: colours of buttons by their actions; all others are muted.
        max_lines: greatest number of lines; buttons that need more are left out. None for no limit.

    Returns:
        The lower edge of the foot, [pixels].
    """
    draw_rule(left, top, width)
    first_line = top + px(_FOOT_PAD)
    return px(3) + draw_keys(
        keys, left, first_line, width, perform, tints=tints, max_lines=max_lines
    )


def draw_keys(
    keys: Keys,
    left: float,
    top: float,
    width: float,
    perform: Callable[[Action], None],
    *,
    tints: Mapping[Action, int] | None = None,
    max_lines: int | None = None,
) -> float:
    """Draw actions as buttons with their keys, in as many lines as they need.

    Args:
        keys, left, width, perform, tints, max_lines: as for `draw_foot`.
        top: top of the first line, [pixels].

    Returns:
        The lower edge of the last line, [pixels].
    """
    y = top
    for (action, words), (line, across) in zip(keys, _key_places(keys, width), strict=True):
        if line == max_lines:
            break
        y = top + px(line * _FOOT_LINE_HEIGHT)
        tint = (tints or {}).get(action, MUTED)
        draw_key_button(action, words, left + across, y, tint=tint, perform=perform)
    return y + px(_FOOT_LINE_HEIGHT)


def _key_places(keys: Keys, width: float) -> list[tuple[int, float]]:
    """Break the buttons for keys into lines.

    Args:
        keys: actions, each with its words.
        width: width of a line, [pixels].

    Returns:
        For each key the index of its line, and its distance from the left, [pixels].
    """
    places = list[tuple[int, float]]()
    line = 0
    x = 0.0
    for action, words in keys:
        button_width = key_button_width(action, words)
        if x and x + button_width > width:
            line += 1
            x = 0.0
        places.append((line, x))
        x += button_width + px(_FOOT_GAP)
    return places
