"""The card of plots: curves of one arm over the loop, side by side, and a choice of the arm and of the curves."""

from __future__ import annotations

from itertools import pairwise

from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.viewer import theme
from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.arm_choice import ArmChoice
from juggle_anim.viewer.arm_curves import TITLES, Curve, arm_curves
from juggle_anim.viewer.card import begin_card, place_button
from juggle_anim.viewer.curve_plot import Plots
from juggle_anim.viewer.keycap import draw_key_button
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.loop_arms import LastLoop
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.pages import Pages
from juggle_anim.viewer.theme import Theme

SHORTER = tuple(
    title.split(" ")[-1] if before.split(" ")[0] == title.split(" ")[0] else title
    for before, title in pairwise(("", *TITLES))
)
"""Their titles, each without the limb that the one before it names too."""

_LEAST = 160.0  # width of a plot, at scale 1
_PAD, _GAP, _HEAD = 12.0, 18.0, 28.0


class PlotsCard:
    """Draws the card; looks at a loop once for each animation and arm."""

    def __init__(self) -> None:
        self.plots = Plots()
        self._own, self._other = _LastCurves(), _LastCurves()

    def draw(self, controller: Controller, look: Theme, place: Rectangle) -> None:
        """Draw the card in the place that the layout gives it, [pixels]."""
        begin_card("plots", place)
        model, pad, gap = controller.model, look.size(_PAD), look.size(_GAP)
        inner = Rectangle(
            place.left + pad, place.top + look.size(8), place.width - 2 * pad, place.height - look.size(14)
        )
        pages = model.plots
        pages.room = max(min(int((inner.width + gap) / (look.size(_LEAST) + gap)), pages.count), 1)
        _draw_head(controller, look, inner)
        own = self._own.of(model.animation, model.arm)
        ghost = self._other.of(model.animation.ghost, model.arm) if model.animation.ghost else None
        top, width = inner.top + look.size(_HEAD), (inner.width + gap) / len(pages.numbers) - gap
        phase = model.playback.phase(model.animation.duration)
        for column, number in enumerate(pages.numbers):
            cell = Rectangle(inner.left + column * (width + gap), top, width, inner.bottom - top)
            curve = own[number]
            count = curve.values.shape[1]
            now = round(phase * count) % count
            lines = self.plots.draw_curve(look, cell, curve, now, ghost[number] if ghost else None)
            _scrub(model, lines, curve.title)
        imgui.end()

    def close(self) -> None:
        """Give everything back."""
        self.plots.close()


class _LastCurves:
    """Remembers the curves that were asked for last."""

    def __init__(self) -> None:
        self._loop = LastLoop()
        self._known: tuple[Animation, ArmChoice, tuple[Curve, ...]] | None = None

    def of(self, animation: Animation, arm: ArmChoice) -> tuple[Curve, ...]:
        if self._known is None or self._known[0] is not animation or self._known[1] != arm:
            self._known = animation, arm, arm_curves(self._loop.of(animation), arm.juggler, arm.side)
        return self._known[2]


def _draw_head(controller: Controller, look: Theme, inner: Rectangle) -> None:
    """The arm, the curves that there are, and a cross."""
    model = controller.model
    arm = model.arm.words(model.animation.jugglers)
    wide, pressed = draw_key_button(look, Action.OTHER_ARM, arm, inner.left, inner.top)
    if pressed:
        controller.perform(Action.OTHER_ARM)
    x, pages = inner.left + wide + look.size(16), model.plots
    if pages.room < pages.count:
        _draw_pages(model.plots, look, x, inner.top, inner.right - x)


def _draw_pages(pages: Pages, look: Theme, x: float, top: float, room: float) -> None:
    """The titles of all curves to choose from, shorter where need be, or dots where there is no room for words."""
    words: tuple[str, ...] = TITLES
    gap = look.size(12)
    widths = [look.measure(title, theme.SMALL)[0] for title in words]
    if sum(widths) + gap * (len(widths) - 1) > room:
        gap, words = look.size(10), SHORTER
        widths = [look.measure(title, theme.SMALL)[0] for title in words]
    if sum(widths) + gap * (len(widths) - 1) > room:
        widths, gap = [look.size(10)] * len(widths), look.size(5)
        named = x + sum(widths) + gap * len(widths) + look.size(6)
    for number, (title, wide) in enumerate(zip(words, widths, strict=True)):
        imgui.set_cursor_screen_pos((x, top))
        if imgui.invisible_button(f"plot {TITLES[number]}", (wide, look.size(20))):
            pages.open(number)
        lit = number in pages.numbers or imgui.is_item_hovered()
        tint = theme.ACCENT if lit else theme.MUTED
        if wide > look.size(10):
            look.text(x, top + look.size(3), title, tint, theme.SMALL)
        else:
            place = (x + wide / 2, top + look.size(10))
            imgui.get_window_draw_list().add_circle_filled(place, look.size(3.5), tint if lit else theme.FAINT)
            if imgui.is_item_hovered():
                look.text(named, top + look.size(3), TITLES[number], theme.MUTED, theme.SMALL)
        x += wide + gap


def _scrub(model: Model, lines: Rectangle, title: str) -> None:
    """Go to the time at which the mouse holds a plot."""
    place_button(f"scrub {title}", lines)
    if imgui.is_item_active() or imgui.is_item_deactivated():  # the last way may come with the release
        model.playback.paused = True
        model.playback.seek((imgui.get_io().mouse_pos.x - lines.left) / lines.width, model.animation.duration)
