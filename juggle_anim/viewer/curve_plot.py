"""A plot of curves: their names and present values above, lines over the loop, and where the loop is now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui, implot

from juggle_anim.arrays import Floats
from juggle_anim.viewer import theme
from juggle_anim.viewer.arm_curves import Curve
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.theme import Theme

_TITLE = 20.0
_TICKS = 10.5
_FLAGS = implot.Flags_.canvas_only | implot.Flags_.no_inputs | implot.Flags_.no_frame


def tints() -> tuple[int, int, int]:
    """Of the quantities in a plot."""
    return theme.ACCENT, theme.SECOND, theme.THIRD


@dataclass(frozen=True)
class _Line:
    """A line of a plot: values at even places along it, and how it looks."""

    values: Floats
    tint: int
    weight: float = 1.8


class Plots:
    """Draws plots, with the library for them."""

    def __init__(self) -> None:
        self._context: implot.internal.Context | None = None

    def draw_curve(
        self, look: Theme, place: Rectangle, curve: Curve, now: int, ghost: Curve | None = None
    ) -> Rectangle:
        """Draw a curve, and that of a ghost behind it.

        Args:
            look: fonts and sizes.
            place: of words and plot, [pixels].
            curve: what is plotted.
            now: number of the present time.
            ghost: the same of another solver.

        Returns:
            Where the lines are, from the first time to the last, [pixels].
        """
        tall = _draw_words(look, place, curve, now)
        lines = [_Line(row, theme.GHOST, 1.2) for row in ghost.values] if ghost else []
        lines += [_Line(row, tint) for row, tint in zip(curve.values, tints(), strict=False)]
        top = look.size(_TITLE * tall)
        under = Rectangle(place.left, place.top + top, place.width, place.height - top)
        limits = curve.limits(ghost) if ghost else curve.limits()
        return self._draw_lines(look, under, curve.title, lines, limits, now)

    def _draw_lines(
        self, look: Theme, place: Rectangle, name: str, lines: list[_Line], limits: tuple[float, float], now: int
    ) -> Rectangle:
        if self._context is None:
            self._context = implot.create_context()
        implot.set_current_context(self._context)
        _style(look)
        imgui.set_cursor_screen_pos(place.low)
        imgui.push_font(look.medium, look.size(_TICKS))
        inner = place
        if implot.begin_plot(f"##{name}", (place.width, place.height), _FLAGS):
            last = max(len(line.values) for line in lines) - 1.0
            implot.setup_axes("", "", implot.AxisFlags_.no_decorations, implot.AxisFlags_.no_label)
            implot.setup_axes_limits(0.0, max(last, 1.0), *limits, imgui.Cond_.always)
            mark = implot.Spec(line_color=_vector(theme.FAINT), line_weight=look.size(1.2))
            implot.plot_inf_lines("##now", np.array([float(now)]), mark)
            for number, line in enumerate(lines):
                spec = implot.Spec(line_color=_vector(line.tint), line_weight=look.size(line.weight * look.bold))
                implot.plot_line(f"##{number}", np.ascontiguousarray(line.values, dtype=float), spec=spec)
            _draw_dots(look, lines, now)
            corner, size = implot.get_plot_pos(), implot.get_plot_size()
            inner = Rectangle(corner.x, corner.y, size.x, size.y)
            implot.end_plot()
        imgui.pop_font()
        return inner

    def close(self) -> None:
        """Give everything back."""
        if self._context is not None:
            implot.destroy_context(self._context)
            self._context = None


def _draw_dots(look: Theme, lines: list[_Line], now: int) -> None:
    draw = implot.get_plot_draw_list()
    for line in lines:
        at = implot.plot_to_pixels(float(now), float(line.values[min(now, len(line.values) - 1)]))
        draw.add_circle_filled((at.x, at.y), look.size(3.2), line.tint)


def _draw_words(look: Theme, place: Rectangle, curve: Curve, now: int) -> int:
    """Title and value, or the names of several with their values, below them if need be; returns how many lines."""
    if len(curve.names) == 1:
        look.text(place.left, place.top, curve.title, theme.MUTED, theme.SMALL)
        value = curve.written(0, now)
        width = look.measure(value, theme.SMALL, strong=True)[0]
        look.text(place.right - width, place.top, value, tints()[0], theme.SMALL, strong=True)
        return 1
    words = [f"{name} {curve.written(row, now)}" for row, name in enumerate(curve.names)]
    if sum(look.measure(word, theme.SMALL)[0] + look.size(10) for word in words) > place.width:
        words = [f"{name}\n{curve.written(row, now)}" for row, name in enumerate(curve.names)]
    x = place.left
    for word, tint in zip(words, tints(), strict=False):
        look.text(x, place.top, word, tint, theme.SMALL)
        x += look.measure(word, theme.SMALL)[0] + look.size(10)
    return 1 + words[0].count("\n")


def _vector(tint: int) -> imgui.ImVec4:
    return imgui.color_convert_u32_to_float4(tint)


def _style(look: Theme) -> None:
    style = implot.get_style()
    style.plot_padding = imgui.ImVec2(look.size(2), look.size(4))
    style.label_padding = imgui.ImVec2(look.size(4), look.size(2))
    style.plot_min_size = imgui.ImVec2(look.size(40), look.size(24))
    style.plot_border_size = 0.0
    colours = {"plot_bg": theme.TRACK, "frame_bg": 0, "axis_text": theme.MUTED, "axis_grid": theme.LINE}
    for name, tint in colours.items():
        style.set_color_(getattr(implot.Col_, name), _vector(tint))
