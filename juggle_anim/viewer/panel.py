"""The panel: the pattern line, a few facts, and a slider for every knob, group by group."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.parameters import Group
from juggle_anim.viewer import ghost_gap, group_head, pattern_line, slider, theme, tools
from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.card import begin_card
from juggle_anim.viewer.fade import draw_fades
from juggle_anim.viewer.keycap import draw_key_button
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.listing import Line
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.slider import Sliders
from juggle_anim.viewer.theme import Theme


class Panel:
    """Draws the panel; it is as high as what it holds, and its knobs scroll where the window is too low for that."""

    def __init__(self) -> None:
        self._height = self._lines = self._foot = 0.0
        self._chosen: Line | None = None
        self._clear: Rectangle | None = None
        self._sliders = Sliders()
        self._gap = ghost_gap.GhostGap()

    def part_of(self, place: Rectangle) -> Rectangle:
        """What the panel covers of the place that the layout gives it, [pixels]."""
        return Rectangle(place.left, place.top, place.width, min(self._height or place.height, place.height))

    def draw(self, controller: Controller, look: Theme, place: Rectangle) -> None:
        """Draw the panel in the place that the layout gives it, [pixels]."""
        flags = imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse
        begin_card("panel", self.part_of(place), flags)
        pad = look.size(10)
        left, width = place.left + pad, place.width - 2 * pad
        y = self._draw_pattern(controller, look, left, place.top + pad, width)
        tools.draw_tools(controller, look, Rectangle(left, y, width, look.size(tools.HEIGHT)))
        y = round(y + look.size(tools.HEIGHT + 6))
        room = max(place.bottom - y - self._foot, look.size(slider.HEIGHT))
        low = place.height < look.size(_LOW)
        y += self._draw_knobs(controller, look, Rectangle(place.left, y, place.width, room), _MORE if low else ())
        foot = _draw_footer(controller, look, left, y, width, _FIRST if low else _FIRST + _MORE) + look.size(8)
        self._foot, self._height = foot - y, foot - place.top
        imgui.end()

    def _draw_knobs(self, controller: Controller, look: Theme, place: Rectangle, more: _Buttons) -> float:
        """Draw what scrolls; returns the height it takes, at most that of its place, [pixels]."""
        height = min(self._lines or place.height, place.height)
        imgui.set_cursor_screen_pos(place.low)
        imgui.begin_child("knobs", (place.width, height), window_flags=imgui.WindowFlags_.no_nav)
        origin, pad = imgui.get_cursor_screen_pos(), look.size(10)
        bar = look.size(8) if self._lines > place.height else 0.0
        left, width = origin.x + pad, place.width - 2 * pad - bar
        y = self._draw_lines(controller.model, look, left, origin.y, width)
        y = _draw_shortfall(controller.model, look, left, y)
        if more:
            y = _draw_footer(controller, look, left, y, width, more)
        imgui.set_cursor_screen_pos((left, y))
        imgui.dummy((0, 0))
        self._lines = y - origin.y
        seen = Rectangle(place.left, place.top, place.width - look.size(10), height)
        draw_fades(look, seen, self._clear)
        imgui.end_child()
        return height

    def _draw_pattern(self, controller: Controller, look: Theme, left: float, y: float, width: float) -> float:
        model = controller.model
        line = Rectangle(left, y, width, look.size(pattern_line.HEIGHT))
        editing = pattern_line.draw_pattern_line(controller, look, line)
        y += line.height + look.size(7)
        if model.pattern_error:
            return y + pattern_line.draw_pattern_error(model, look, left, y, width) + look.size(10)
        words = pattern_line.HINT if editing or model.line != model.shown else facts(model)
        look.text(left + look.size(2), y, words, theme.MUTED, theme.SMALL, wrap=width)
        return y + look.measure(words, theme.SMALL, wrap=width)[1] + look.size(10)

    def _draw_lines(self, model: Model, look: Theme, left: float, y: float, width: float) -> float:
        lines, self._clear = model.lines, None
        upper = imgui.get_window_pos().y
        lower = upper + imgui.get_window_height()
        for line in lines:
            top = y
            y += self._draw_line(model, look, line, left, round(y), width)
            if line is model.chosen:
                self._keep_in_view(line)
                y += _draw_trouble(model, look, left, y, width)
            if not isinstance(line, Group) and line.name == "ghost":
                y += self._draw_gap(model, look, left, y)
            whole = upper <= top and y <= lower + 1
            if whole or (line is model.chosen and top < lower and y > upper):
                first = self._clear.top if self._clear else top
                self._clear = Rectangle(left, first, width, y - first)
        return y if lines else y + _draw_nothing(look, left, y)

    def _draw_line(self, model: Model, look: Theme, line: Line, left: float, y: float, width: float) -> float:
        """Draw the head of a group, or a knob, if it can be seen; returns the height it takes, [pixels]."""
        if isinstance(line, Group):
            group_head.draw_group_head(model, look, line, Rectangle(left, y, width, look.size(group_head.HEIGHT)))
            return look.size(group_head.HEIGHT + 1)
        row = Rectangle(left, y, width, look.size(slider.HEIGHT))
        # The chosen one may be what is to be scrolled to.
        if line is model.chosen or imgui.is_rect_visible((left, y), (left + width, y + row.height)):
            self._sliders.draw(model, look, line, row)
        return look.size(slider.HEIGHT + 1)

    def _draw_gap(self, model: Model, look: Theme, left: float, y: float) -> float:
        words = self._gap_words(model)
        if not words:
            return 0.0
        look.text(left + look.size(10), y + look.size(1), words, theme.GHOST, theme.SMALL)
        return look.size(theme.SMALL + 7)

    def _gap_words(self, model: Model) -> str:
        if model.lab:
            now = model.lab.ghost_gap
            return "" if now is None else ghost_gap.words(now)
        gap = self._gap.at(model.animation, model.playback.time)
        return ghost_gap.words(*gap) if gap else ""

    def _keep_in_view(self, line: Line) -> None:
        if line is not self._chosen:
            first, self._chosen = self._chosen is None, line
            if not first and not _whole():
                imgui.set_scroll_here_y(0.5)


def _whole() -> bool:
    """Whether the last item can be seen from its upper to its lower edge."""
    top = imgui.get_window_pos().y
    return top <= imgui.get_item_rect_min().y and imgui.get_item_rect_max().y <= top + imgui.get_window_height()


def _draw_nothing(look: Theme, left: float, y: float) -> float:
    look.text(left + look.size(10), y + look.size(4), "None of that name", theme.MUTED, theme.SMALL)
    return look.size(theme.SMALL + 14)


def facts(model: Model) -> str:
    """One line about the pattern that is juggled."""
    score, pattern = model.animation.score, model.animation.pattern
    # Events that a file holds are on no beats.
    period = f"loop {model.animation.duration:.3g} s"
    if pattern:
        period = f"period {pattern.written_period / pattern.division:g}"
    words = ["1 prop" if score.props == 1 else f"{score.props} props", period]
    # A narrow panel has room for three facts, and the tempo stands at its slider too.
    if score.jugglers > 1:
        return "  ·  ".join([f"{score.jugglers} jugglers", *words])
    if pattern is None:
        return "  ·  ".join(words)
    return "  ·  ".join([*words, f"{model.animation.choreography.bps:.3g} beats/s"])


def shortfall(model: Model) -> str:
    """What hands cannot reach, where anybody could see it; otherwise nothing."""
    left, right = 100 * model.animation.gaps.max(axis=0)
    if max(left, right) <= _SEEN:
        return ""
    hands = "left hand" if right <= _SEEN else "right hand" if left <= _SEEN else "both hands"
    return f"Out of reach: {hands}, by {max(left, right):.0f} cm"


_SEEN = 1.5  # cm; less is hidden by the ball


def _draw_shortfall(model: Model, look: Theme, left: float, y: float) -> float:
    words = shortfall(model)
    if not words:
        return y
    # Below the sliders: the one that brings it about is not to move away under the mouse.
    look.text(left + look.size(10), y + look.size(2), words, theme.MUTED, theme.SMALL)
    return y + look.size(theme.SMALL + 5)


def _draw_trouble(model: Model, look: Theme, left: float, y: float, width: float) -> float:
    words = model.entry.error if model.entry else model.trouble
    if not words:
        return 0.0
    room = width - look.size(12)
    look.text(left + look.size(6), y, words, theme.ERROR, theme.SMALL, wrap=room)
    return look.measure(words, theme.SMALL, wrap=room)[1] + look.size(7)


_FIRST = ((Action.TOGGLE_HELP, "Keys"), (Action.BROWSE, "Library"), (Action.PLOTS, "Plots"))
_MORE = (
    (Action.PRESETS, "Presets"),
    (Action.COPY, "Copy settings"),
    (Action.GOAL, "Goal"),
    (Action.SPLIT, "Split"),
    (Action.DIAGRAM, "Diagram"),
    (Action.RECORD, "Film"),
    (Action.NUMBERS, "Numbers"),
    (Action.TOGGLE_PANEL, "Picture alone"),
)
_LOW = 560.0  # a panel that is lower has more to scroll, and less that stands below it

_Buttons = tuple[tuple[Action, str], ...]


def _draw_footer(controller: Controller, look: Theme, left: float, y: float, width: float, buttons: _Buttons) -> float:
    y += look.size(6)
    x = left
    for action, words in buttons:
        wide, _ = draw_key_button(look, action, words, x, y, draw=False)
        if x + wide > left + width:
            x, y = left, y + look.size(24)
        if draw_key_button(look, action, words, x, y, theme.MUTED)[1]:
            controller.perform(action)
        x += wide + look.size(14)
    return y + look.size(20)
