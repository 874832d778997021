"""Card of plots: curves of one arm over the loop, with a choice of the arm and of the curves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from imgui_bundle import imgui, implot

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.language import _
from juggle_anim.viewer.arms.arm_curves import TITLES, Curve, LoopArms, arm_curves
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.registry import Card, Frame, Slot
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import begin_card, draw_key_button, place_button
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.panel.listing import ArmSelection, Pages
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.identity_cache import IdentityCache
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import term_tip

SHORT_TITLES = tuple(
    title.split(" ")[-1] if before.split(" ")[0] == title.split(" ")[0] else title
    for before, title in pairwise(("", *TITLES))
)
"""Titles of curves, each without the limb that the title before it names too."""

_MIN_PLOT_WIDTH = 160.0  # smallest width of a plot, at scale 1
# Sizes of the card at scale 1, [pixels].
_PAD = 12.0
_PLOT_GAP = 18.0
_HEAD_HEIGHT = 28.0
_TITLE_HEIGHT = 20.0
_TICK_SIZE = 10.5
_FLAGS = implot.Flags_.canvas_only | implot.Flags_.no_inputs | implot.Flags_.no_frame


class PlotsCard(Card):
    """Curves of one arm over the loop, computed once for each animation and arm."""

    name = "plots"
    slot = Slot.STRIP

    def __init__(self) -> None:
        self.plots = Plots()
        self._curves = _CurveCache()
        self._ghost_curves = _CurveCache()

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw the card: a head, and as many plots as there is room for.

        A drag in a plot goes to a time.

        Args:
            frame: gives the controller, and by it the model.
            look: sizes and colours.
            place: of the card in the window, [pixels].
        """
        controller = frame.controller
        begin_card(self.name, place)
        model = controller.model
        pad = look.size(_PAD)
        gap = look.size(_PLOT_GAP)
        inner = Rectangle(
            place.left + pad,
            place.top + look.size(8),
            place.width - 2 * pad,
            place.height - look.size(14),
        )

        # As many plots as fit beside each other, one at least.
        pages = model.plots
        fitting = int((inner.width + gap) / (look.size(_MIN_PLOT_WIDTH) + gap))
        pages.capacity = max(min(fitting, pages.count), 1)
        _draw_head(controller, look, inner)

        # Curves of the arm, and of the ghost's behind them.
        curves = self._curves.of(model.animation, model.arm)
        ghost = (
            self._ghost_curves.of(model.animation.ghost, model.arm)
            if model.animation.ghost
            else None
        )
        top = inner.top + look.size(_HEAD_HEIGHT)
        width = (inner.width + gap) / len(pages.indices) - gap
        phase = model.playback.phase(model.animation.duration)
        for column, number in enumerate(pages.indices):
            cell = Rectangle(inner.left + column * (width + gap), top, width, inner.bottom - top)
            curve = curves[number]
            # The sample nearest to the present time.
            count = curve.values.shape[1]
            now = round(phase * count) % count
            lines = self.plots.draw_curve(
                look, cell, curve, now=now, ghost=ghost[number] if ghost else None
            )
            _scrub(model, lines, curve.title)
        imgui.end()

    def close(self) -> None:
        """Release everything."""
        self.plots.close()


class _CurveCache:
    """Remembers the last curves."""

    def __init__(self) -> None:
        self._loop = IdentityCache(LoopArms.from_animation)
        self._last: tuple[Animation, ArmSelection, tuple[Curve, ...]] | None = None

    def of(self, animation: Animation, arm: ArmSelection) -> tuple[Curve, ...]:
        """Return the curves of an arm; those of the last animation and arm are cached."""
        if self._last is not None:
            known_animation, known_arm, known_curves = self._last
            if known_animation is animation and known_arm == arm:
                return known_curves
        curves = arm_curves(self._loop.of(animation), arm.juggler, arm.side)
        self._last = animation, arm, curves
        return curves


def _draw_head(controller: Controller, look: Theme, inner: Rectangle) -> None:
    """Draw the arm, and the titles of all curves if they do not fit together."""
    model = controller.model
    arm = model.arm.label(model.animation.jugglers)
    wide = draw_key_button(
        look, Action.OTHER_ARM, arm, inner.left, inner.top, tint=None, perform=controller.perform
    )
    x = inner.left + wide + look.size(16)
    pages = model.plots
    if pages.capacity < pages.count:
        _draw_pages(model.plots, look, x, inner.top, inner.right - x)


def _draw_pages(pages: Pages, look: Theme, x: float, top: float, room: float) -> None:
    """Draw the titles of all curves to choose from: shorter, or as dots, where room is short.

    Args:
        pages: which curves are shown; a click turns to another.
        look: sizes and colours.
        x, top: upper left corner in the window, [pixels].
        room: width, [pixels].
    """
    # Whole titles, or else short ones, or else dots, with the title under the mouse behind them.
    titles: tuple[str, ...] = TITLES
    gap = look.size(12)
    widths = [look.measure(title, theme.SMALL).width for title in titles]
    if sum(widths) + gap * (len(widths) - 1) > room:
        gap = look.size(10)
        titles = SHORT_TITLES
        widths = [look.measure(title, theme.SMALL).width for title in titles]
    dot_width = look.size(10)
    if sum(widths) + gap * (len(widths) - 1) > room:
        widths = [dot_width] * len(widths)
        gap = look.size(5)
        hovered_title_x = x + sum(widths) + gap * len(widths) + look.size(6)

    for number, (title, width) in enumerate(zip(titles, widths, strict=True)):
        spot = Rectangle(x, top, width, look.size(20))
        if place_button(f"plot {TITLES[number]}", spot, term_tip("plots", TITLES[number])):
            pages.turn_to(number)
        is_lit = number in pages.indices or imgui.is_item_hovered()
        tint = theme.ACCENT if is_lit else theme.MUTED
        if width > dot_width:
            look.text(x, top + look.size(3), title, tint, theme.SMALL)
        else:
            centre = (x + width / 2, top + look.size(10))
            imgui.get_window_draw_list().add_circle_filled(
                centre, look.size(3.5), tint if is_lit else theme.FAINT
            )
            if imgui.is_item_hovered():
                look.text(
                    hovered_title_x, top + look.size(3), TITLES[number], theme.MUTED, theme.SMALL
                )
        x += width + gap


def _scrub(model: Model, lines: Rectangle, title: str) -> None:
    """Pause, and go to the time at which the mouse drags a plot.

    Args:
        model: whose playback goes there.
        lines: of the plot, from the start to the end of the loop, [pixels].
        title: of the plot.
    """
    place_button(f"scrub {title}", lines, term_tip("plot", title), tab_stop=False)
    # The last move may come with the release of the mouse.
    if imgui.is_item_active() or imgui.is_item_deactivated():
        model.playback.paused = True
        model.playback.seek(
            (imgui.get_io().mouse_pos.x - lines.left) / lines.width, model.animation.duration
        )


def curve_colours() -> tuple[int, int, int]:
    """Return the colours of the quantities in a plot."""
    return theme.ACCENT, theme.SECOND, theme.THIRD


_Line = tuple[Floats, int, float]  # values at even intervals, tint and thickness


class Plots:
    """Draws plots with ImPlot."""

    def __init__(self) -> None:
        self._context: implot.internal.Context | None = None

    def draw_curve(
        self, look: Theme, place: Rectangle, curve: Curve, now: int, ghost: Curve | None = None
    ) -> Rectangle:
        """Draw a curve, and behind it that of a second solver.

        Args:
            look: fonts and sizes.
            place: of text and plot, [pixels].
            curve: what is plotted.
            now: index of the present time among the samples.
            ghost: the curve of the second solver.

        Returns:
            Where the lines are, from the first time to the last, [pixels].
        """
        text_lines = _draw_captions(look, place, curve, now)
        # Lines of the ghost come first, behind the others, and are thinner.
        lines: list[_Line] = [(row, theme.GHOST, 1.2) for row in ghost.values] if ghost else []
        lines += [
            (row, tint, 1.8) for row, tint in zip(curve.values, curve_colours(), strict=False)
        ]
        text_height = look.size(_TITLE_HEIGHT * text_lines)
        below_text = Rectangle(
            place.left, place.top + text_height, place.width, place.height - text_height
        )
        limits = curve.limits(ghost) if ghost else curve.limits()
        return self._draw_lines(
            look, below_text, name=curve.title, lines=lines, limits=limits, now=now
        )

    def _draw_lines(
        self,
        look: Theme,
        place: Rectangle,
        name: str,
        lines: list[_Line],
        limits: tuple[float, float],
        now: int,
    ) -> Rectangle:
        """Draw lines with a mark at the present time.

        Args:
            look: fonts and sizes.
            place: of the plot with its axis, [pixels].
            name: of the plot, different for each in a card.
            lines: from back to front.
            limits: lower and upper end of the vertical axis.
            now: index of the present time.

        Returns:
            Where the lines are, without the axis, [pixels].
        """
        # ImPlot's context is made for the first plot.
        if self._context is None:
            self._context = implot.create_context()
        implot.set_current_context(self._context)
        _set_plot_style(look)
        imgui.set_cursor_screen_pos(place.low)
        imgui.push_font(look.medium, look.size(_TICK_SIZE))
        inner = place
        # Out of sight, the library draws no plot.
        if implot.begin_plot(f"##{name}", (place.width, place.height), _FLAGS):
            last = max(len(values) for values, _, _ in lines) - 1.0
            implot.setup_axes("", "", implot.AxisFlags_.no_decorations, implot.AxisFlags_.no_label)
            implot.setup_axes_limits(0.0, max(last, 1.0), *limits, imgui.Cond_.always)

            # A vertical line at the present time, the curves, and dots where they meet.
            mark = implot.Spec(line_color=_imgui_colour(theme.FAINT), line_weight=look.size(1.2))
            implot.plot_inf_lines("##now", np.array([float(now)]), mark)
            for number, (values, tint, weight) in enumerate(lines):
                spec = implot.Spec(
                    line_color=_imgui_colour(tint), line_weight=look.size(weight * look.bold)
                )
                implot.plot_line(
                    f"##{number}", np.ascontiguousarray(values, dtype=float), spec=spec
                )
            draw = implot.get_plot_draw_list()
            for values, tint, _ in lines:
                dot = implot.plot_to_pixels(float(now), float(values[min(now, len(values) - 1)]))
                draw.add_circle_filled((dot.x, dot.y), look.size(3.2), tint)

            # Where the library has put the lines beside the axis.
            corner = implot.get_plot_pos()
            size = implot.get_plot_size()
            inner = Rectangle(corner.x, corner.y, size.x, size.y)
            implot.end_plot()
        imgui.pop_font()
        return inner

    def close(self) -> None:
        """Release everything."""
        if self._context is not None:
            implot.destroy_context(self._context)
            self._context = None


def _draw_captions(look: Theme, place: Rectangle, curve: Curve, now: int) -> int:
    """Draw the title and value, or the names and values of several quantities.

    Args:
        look: fonts and sizes.
        place: of text and plot, [pixels].
        curve: what is plotted.
        now: index of the present time.

    Returns:
        How many lines of text there are.
    """
    if len(curve.names) == 1:
        look.text(place.left, place.top, curve.title, theme.MUTED, theme.SMALL)
        value = curve.value_text(quantity=0, sample=now)
        look.text_before(
            place.right, place.top, value, curve_colours()[0], theme.SMALL, strong=True
        )
        return 1
    # Each name with its value in the colour of its line; below each other where room is short.
    words = [f"{_(name)} {curve.value_text(row, now)}" for row, name in enumerate(curve.names)]
    if sum(look.measure(word, theme.SMALL).width + look.size(10) for word in words) > place.width:
        words = [f"{_(name)}\n{curve.value_text(row, now)}" for row, name in enumerate(curve.names)]
    x = place.left
    for word, tint in zip(words, curve_colours(), strict=False):
        look.text(x, place.top, word, tint, theme.SMALL)
        x += look.measure(word, theme.SMALL).width + look.size(10)
    return 1 + words[0].count("\n")


def _imgui_colour(tint: int) -> imgui.ImVec4:
    """Return a packed colour as ImPlot's."""
    return imgui.color_convert_u32_to_float4(tint)


def _set_plot_style(look: Theme) -> None:
    """Set ImPlot's colours and margins."""
    style = implot.get_style()
    style.plot_padding = imgui.ImVec2(look.size(2), look.size(4))
    style.label_padding = imgui.ImVec2(look.size(4), look.size(2))
    style.plot_min_size = imgui.ImVec2(look.size(40), look.size(24))
    style.plot_border_size = 0.0
    # Colours by ImPlot's names; 0 is transparent.
    colours = {
        "plot_bg": theme.TRACK,
        "frame_bg": 0,
        "axis_text": theme.MUTED,
        "axis_grid": theme.LINE,
    }
    for name, tint in colours.items():
        style.set_color_(getattr(implot.Col_, name), _imgui_colour(tint))
