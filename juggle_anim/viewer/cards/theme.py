"""Themes of the cards: fonts, sizes, and colours on a bright stage and on the dark one.

Diagrams have their printed colours on white paper, and brighter ones on the dark paper of a dark
theme.
"""

from __future__ import annotations

from dataclasses import astuple, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from imgui_bundle import imgui

from juggle_anim.diagrams import drawing
from juggle_anim.diagrams.drawing import Colour
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.resources import resource
from juggle_anim.viewer.layout import Rectangle

SMALL = 13.0
TEXT = 14.0
LARGE = 20.0
"""Sizes of text at scale 1, [pixels]."""

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
    on_accent="FFFFFF", ghost="A80D74", error="AB231B", card="FCFDFEEB", sheet="FCFDFE",
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
    text_size: float = TEXT,
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
    text_size: float = TEXT,
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


def measure(
    words: str, text_size: float = TEXT, *, strong: bool = False, wrap: float = 0.0
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
    """Width and height of words; cached, as cards measure the same words in every frame.

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

    The constants of this module are replaced. Nothing happens if they are in use already.

    Args:
        scale: pixels of the screen for a pixel at scale 1.
        line_scale: thickness of lines over the usual one.
        tints: colours of everything.
    """
    global SCALE, LINE_SCALE, loaded
    is_new_context = load_fonts()
    if loaded == (scale, line_scale, tints) and not is_new_context:
        return
    loaded = (scale, line_scale, tints)
    SCALE = scale
    LINE_SCALE = line_scale
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
        scale: scale of the window; sizes are in pixels at scale 1.
    """
    style = imgui.get_style()
    style.font_size_base = TEXT * scale
    style.window_padding = style.item_spacing = imgui.ImVec2(0, 0)
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
    # `code` is packed as 0xAABBGGRR; imgui keeps four numbers from 0 to 1.
    for name, code in colours.items():
        style.set_color_(getattr(imgui.Col_, name), imgui.color_convert_u32_to_float4(code))


DARK = ThemeColours(
    ink="EEF2F6", muted="B9C5D1", faint="EEF2F64D", accent="88CBFF", second="FFB454",
    third="5ADDB0",
    on_accent="0E151D", ghost="FFABDD", error="FFB0A9", card="1A212BEB", sheet="1A212B",
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
    # A full channel cannot get brighter, so white is mixed in, which has luminance 1.
    white_share = (_MIN_LUMINANCE - luminance) / (1 - luminance)
    red, green, blue = (linear + white_share * (1 - linear)) ** (1 / 2.2)
    return float(red), float(green), float(blue)


def is_paper_dark() -> bool:
    """Return whether the paper of this theme is dark."""
    return sum(PAPER >> shift & 0xFF for shift in (0, 8, 16)) < 3 * 128


def pack_colour(colour: Colour) -> int:
    """Pack a colour as imgui's drawing functions take it."""
    return imgui.color_convert_float4_to_u32(imgui.ImVec4(*colour, 1.0))
