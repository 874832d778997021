"""The look of the panel: fonts, colours and sizes."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from juggle_anim.resources import resource
from juggle_anim.viewer.tints import LIGHT, Tints


def colour(code: str, alpha: float = 1.0) -> int:
    """A colour as the panel's drawing functions want it, from `RRGGBB`."""
    red, green, blue = (int(code[place : place + 2], 16) for place in (0, 2, 4))
    return round(255 * alpha) << 24 | blue << 16 | green << 8 | red


def tint(code: str) -> int:
    """A colour of `Tints` as the panel's drawing functions want it."""
    return colour(code[:6], int(code[6:] or "FF", 16) / 255)


# Those of the theme that counts now: `wear` gives them others.
INK = tint(LIGHT.ink)
MUTED = tint(LIGHT.muted)
FAINT = tint(LIGHT.faint)
ACCENT = tint(LIGHT.accent)
SECOND = tint(LIGHT.second)
THIRD = tint(LIGHT.third)
ON_ACCENT = tint(LIGHT.on_accent)
GHOST = tint(LIGHT.ghost)
ERROR = tint(LIGHT.error)
CARD = tint(LIGHT.card)
SHEET = tint(LIGHT.sheet)
FIELD = tint(LIGHT.field)
FILL = tint(LIGHT.fill)
FILL_CHOSEN = tint(LIGHT.fill_chosen)
SELECTION = tint(LIGHT.selection)
ERROR_FILL = tint(LIGHT.error_fill)
GROOVE = tint(LIGHT.groove)
TRACK = tint(LIGHT.track)
TRACK_HOVERED = tint(LIGHT.track_hovered)
LINE = tint(LIGHT.line)
VEIL = tint(LIGHT.veil)
VEIL_STRONG = tint(LIGHT.veil_strong)
ON_VEIL = tint(LIGHT.on_veil)
RECORDING = tint(LIGHT.recording)
PAPER = tint(LIGHT.paper)
PAPER_INK = tint(LIGHT.paper_ink)

SMALL, TEXT, LARGE = 13.0, 14.0, 20.0
"""Sizes of text at scale 1, [pixels]."""


@dataclass(frozen=True)
class Theme:
    """Fonts, and how large everything is.

    Args:
        medium: for text.
        strong: for what stands out.
        scale: of all sizes.
        bold: thickness of the lines of plots, over what is usual.
    """

    medium: imgui.ImFont
    strong: imgui.ImFont
    scale: float
    bold: float = 1.0

    def size(self, points: float) -> float:
        """A length at scale 1, in pixels of this screen."""
        return points * self.scale

    def text(
        self,
        x: float,
        y: float,
        words: str,
        tint: int | None = None,
        points: float = TEXT,
        strong: bool = False,
        wrap: float = 0.0,
    ) -> None:
        """Write words into the current card, their upper left corner at (x, y), [pixels]."""
        font, ink = self.strong if strong else self.medium, INK if tint is None else tint
        place = (round(x), round(y))
        imgui.get_window_draw_list().add_text(font, self.size(points), place, ink, words, wrap)

    def measure(self, words: str, points: float = TEXT, strong: bool = False, wrap: float = 0.0) -> tuple[float, float]:
        """Width and height of words, [pixels]."""
        imgui.push_font(self.strong if strong else self.medium, self.size(points))
        extent = imgui.calc_text_size(words, wrap_width=wrap if wrap else -1.0)
        imgui.pop_font()
        return extent.x, extent.y


def wear(tints: Tints) -> None:
    """Give all colours of this file those of a theme."""
    globals().update({name.upper(): tint(code) for name, code in vars(tints).items()})


def load_theme(scale: float, bold: float = 1.0) -> Theme:
    """The theme at a scale, in the colours that count now.

    Sets the style of the current imgui context, which keeps the fonts of an earlier one.
    """
    atlas = imgui.get_io().fonts
    if len(atlas.fonts) == 0:
        for name in ("Inter-Medium.ttf", "Inter-SemiBold.ttf"):
            atlas.add_font_from_file_ttf(str(resource("assets", f"fonts/{name}")), TEXT)
    _style(scale)
    return Theme(atlas.fonts[0], atlas.fonts[1], scale, bold)


def _style(scale: float) -> None:
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
    for name, code in _colours().items():
        style.set_color_(getattr(imgui.Col_, name), imgui.color_convert_u32_to_float4(code))


def _colours() -> dict[str, int]:
    return {
        "text": INK,
        "text_disabled": MUTED,
        "window_bg": CARD,
        "child_bg": colour("FFFFFF", 0.0),
        "frame_bg": colour("FFFFFF", 0.0),
        "border": LINE,
        "input_text_cursor": ACCENT,
        "text_selected_bg": SELECTION,
        "scrollbar_bg": colour("FFFFFF", 0.0),
        "scrollbar_grab": FAINT,
        "scrollbar_grab_hovered": MUTED,
        "scrollbar_grab_active": ACCENT,
        "nav_cursor": colour("FFFFFF", 0.0),
    }
