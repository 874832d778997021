"""The look of the panel: fonts, colours and sizes."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from juggle_anim.resources import resource


def colour(code: str, alpha: float = 1.0) -> int:
    """A colour as the panel's drawing functions want it, from `RRGGBB`."""
    red, green, blue = (int(code[place : place + 2], 16) for place in (0, 2, 4))
    return round(255 * alpha) << 24 | blue << 16 | green << 8 | red


INK = colour("17222E")
MUTED = colour("566372")
FAINT = colour("17222E", 0.30)
ACCENT = colour("0067A3")
ON_ACCENT = colour("FFFFFF")
GHOST = colour("B0107A")
FILL = colour("0072B2", 0.16)
FILL_CHOSEN = colour("0072B2", 0.09)
SELECTION = colour("0072B2", 0.25)
GROOVE = colour("17222E", 0.16)
TRACK = colour("17222E", 0.055)
TRACK_HOVERED = colour("17222E", 0.09)
LINE = colour("17222E", 0.12)
CARD = colour("FCFDFE", 0.92)
ERROR = colour("B3261E")
ERROR_FILL = colour("B3261E", 0.08)
VEIL = colour("17222E", 0.40)
SHEET = colour("FCFDFE", 0.98)

SMALL, TEXT, LARGE = 13.0, 14.0, 20.0
"""Sizes of text at scale 1, [pixels]."""


@dataclass(frozen=True)
class Theme:
    """Fonts, and how large everything is.

    Args:
        medium: for text.
        strong: for what stands out.
        scale: of all sizes.
    """

    medium: imgui.ImFont
    strong: imgui.ImFont
    scale: float

    def size(self, points: float) -> float:
        """A length at scale 1, in pixels of this screen."""
        return points * self.scale

    def text(
        self,
        x: float,
        y: float,
        words: str,
        tint: int = INK,
        points: float = TEXT,
        strong: bool = False,
        wrap: float = 0.0,
    ) -> None:
        """Write words into the current card, their upper left corner at (x, y), [pixels]."""
        font = self.strong if strong else self.medium
        place = (round(x), round(y))
        imgui.get_window_draw_list().add_text(font, self.size(points), place, tint, words, wrap)

    def measure(self, words: str, points: float = TEXT, strong: bool = False, wrap: float = 0.0) -> tuple[float, float]:
        """Width and height of words, [pixels]."""
        imgui.push_font(self.strong if strong else self.medium, self.size(points))
        extent = imgui.calc_text_size(words, wrap_width=wrap if wrap else -1.0)
        imgui.pop_font()
        return extent.x, extent.y


def load_theme(scale: float) -> Theme:
    """The theme at a scale; sets the style of the current imgui context, which keeps the fonts of an earlier one."""
    atlas = imgui.get_io().fonts
    if len(atlas.fonts) == 0:
        for name in ("Inter-Medium.ttf", "Inter-SemiBold.ttf"):
            atlas.add_font_from_file_ttf(str(resource("assets", f"fonts/{name}")), TEXT)
    _style(scale)
    return Theme(atlas.fonts[0], atlas.fonts[1], scale)


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
    for name, tint in _COLOURS.items():
        style.set_color_(getattr(imgui.Col_, name), imgui.color_convert_u32_to_float4(tint))


_COLOURS = {
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
