"""A diagram that scrolls by as a tape: its marks, the present time, props and tooltips."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor

import numpy as np
from imgui_bundle import imgui

from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.diagrams.drawing import Point, node_width
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.theme import Theme, pack_colour
from juggle_anim.viewer.diagrams.diagram_view import DEFAULT_SCALE, DiagramFit, DiagramView
from juggle_anim.viewer.diagrams.loop_diagram import LoopDiagram
from juggle_anim.viewer.diagrams.mark_pen import MarkPen
from juggle_anim.viewer.editor.ladder_drawing import LadderDrawing, Tip
from juggle_anim.viewer.editor.ladder_editor import LadderEditor
from juggle_anim.viewer.editor.ladder_handles import TapeView
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import term_tip

_HEAD = 30.0
_NAME = 13.0  # of names of lines
_PROP = 4.6  # radius
_NEAR = 40.0  # pixels from the mouse along the tape, within which it may point at a throw
_BAR = 11.0  # wide
_WHEEL = 40.0  # pixels for each click of the wheel


class TapeDrawing:
    """Draws a tape on its paper, for one frame."""

    def __init__(
        self,
        model: Model,
        look: Theme,
        tape: LoopDiagram,
        paper: Rectangle,
        pen: MarkPen | None,
        ladder: LadderEditor | None,
    ) -> None:
        self._model = model
        self._look = look
        self._tape = tape
        self._paper = paper
        self._ladder = ladder
        self._view: DiagramView = model.diagrams.view
        self._moment = model.moment
        self._names = self._names_width()
        self._bar = 0.0
        # The throws at the start of this loop and of the next one are seen whole.
        self._edge = look.size(DEFAULT_SCALE) * tape.reach + look.size(3)
        if not self._beats:
            self._edge = max(self._edge, look.measure("0 s", theme.SMALL)[0] / 2 + look.size(2))
        # While a handle is dragged, the mouse stays on it.
        held = ladder.held.view if ladder and ladder.held and ladder.held.moved else None
        self._edge = held.start - held.left if held else self._edge
        self._along = held.loop_length(self._duration, self._beats) / tape.length if held else None
        self._fit_tape()
        if self._fit.height > paper.height + 1:
            self._bar = look.size(_BAR)
            self._fit_tape()
        same = pen is not None and pen.tape is tape and pen.fit == self._fit and pen.look is look
        self.pen = pen if pen is not None and same else MarkPen(look, tape, self._fit)
        self._now = self._moment.time / self._duration
        self._tip: tuple[Tip, float] = [], 0.0

    @property
    def _duration(self) -> float:
        """The duration of the loop of the tape, [s]."""
        return self._moment.animation.choreography.duration

    def _fit_tape(self) -> None:
        paper = self._paper
        left = self._paper.left + self._names + self._edge
        wide = paper.right - self._bar - self._edge - left
        self._room = Rectangle(left, paper.top, wide, paper.height)
        self._fit = DiagramFit.of(self._tape, wide, paper.height, self._look.scale)
        if self._along:
            self._fit = replace(
                self._fit, along=self._along, loops=wide / (self._along * self._tape.length)
            )

    def draw(self, painted: bool) -> None:
        """Draw the tape and let the mouse act on it; if it is not `painted`, only the latter."""
        room = self._room
        fit = self._fit
        edge = self._edge
        self.place_tape()
        held = imgui.is_item_active()
        hovered = imgui.is_item_hovered()
        io = imgui.get_io()
        still = held or self._model.playback.paused or (self._ladder is not None and hovered)
        self._view.follow(self._now, fit, io.delta_time, still)
        self._view.scroll(
            -io.mouse_wheel * self._look.size(_WHEEL) if hovered else 0.0, fit, room.height
        )
        self._scroll_to_followed()
        mouse = (io.mouse_pos.x, io.mouse_pos.y)
        handles = (
            LadderDrawing(self._ladder, self._model, self._look, self._tape_view())
            if self._ladder
            else None
        )
        on_handle = handles is not None and handles.use_mouse(mouse, hovered, held)
        node = self._node_at(mouse) if (hovered or held) and not on_handle else None
        if not on_handle and imgui.is_item_activated():
            self._go(mouse, node)
        elif not on_handle and (held or imgui.is_item_deactivated()) and self._dragged:
            self._go(mouse, None)
        if not painted:
            self._draw_bar()
            return
        draw = imgui.get_window_draw_list()
        paper = self._paper
        low = (room.left - edge, paper.top)
        draw.push_clip_rect(low, (paper.right - self._bar, paper.bottom), True)
        self._draw_tape()
        self._draw_props()
        if handles:
            handles.draw()
        draw.pop_clip_rect()
        self._draw_names()
        self._draw_bar()
        self._tip = handles.tip() if handles else [], mouse[0]
        if self._tip[0]:
            self.draw_tip()
        elif node is not None and not held:
            self._draw_tooltip(node, mouse)

    def place_tape(self) -> None:
        """Make the tape a button, imgui's last item."""
        room = self._room
        edge = self._edge
        imgui.set_next_item_allow_overlap()
        place = Rectangle(room.left - edge, room.top, room.width + 2 * edge, room.height)
        widgets.place_button("tape", place, term_tip(self._model.diagrams.kind), stop=False)

    def draw_tip(self) -> None:
        """Draw the words about a handle above the ladder, of which they hide nothing; in a drag,
        above the card.
        """
        lines, x = self._tip
        y = self._paper.top - (self._look.size(_HEAD) if self._along else 0.0)
        if lines:
            widgets.draw_tooltip(self._look, lines, self._paper, (x, y), above=True)

    @property
    def _beats(self) -> int:
        """The beats of the loop of the tape; 0 for events."""
        score = self._moment.animation.score
        return repeat_to_full_loop(score.pattern, score.staging).period if score.pattern else 0

    def _tape_view(self) -> TapeView:
        lefts = {lap: self._left(lap) for lap in self._laps()}
        start = self._room.left
        return TapeView(
            self._tape,
            self._fit,
            self._top,
            lefts,
            self._duration,
            self._beats,
            start - self._edge,
            start,
        )

    def _scroll_to_followed(self) -> None:
        """Scroll to the lines of the juggler whom the camera follows."""
        juggler = self._model.rig.following
        lines = self._tape.lines
        each = len(lines) // self._model.animation.jugglers
        own = lines[(juggler or 0) * each : ((juggler or 0) + 1) * each] or lines[:1]
        middle = sum(self._fit.y_of(self._tape, across) for across, _ in own) / len(own)
        self._view.center_on(juggler, middle, self._fit, self._room.height)

    @property
    def _dragged(self) -> bool:
        """Whether the mouse moved since the press, even if it was released within the same
        frame.
        """
        moved = imgui.get_mouse_drag_delta(imgui.MouseButton_.left, self._look.size(3))
        return bool(moved.x or moved.y)

    @property
    def _top(self) -> float:
        spare = max(self._room.height - self._fit.height, 0.0)
        return self._room.top + spare / 2 - self._view.scrolled

    def _left(self, lap: int) -> float:
        """Return where a loop begins, [pixels]."""
        return self._room.left + (lap - self._view.start) * self._fit.along * self._tape.length

    def _place(self, point: Point, lap: int) -> Point:
        x, y = self.pen.place(point)
        return self._left(lap) + x, self._top + y

    def _laps(self) -> range:
        edge = self._edge / (self._fit.along * self._tape.length)
        return range(
            floor(self._view.start - edge - _EPSILON),
            ceil(self._view.start + self._fit.loops + edge + _EPSILON),
        )

    def _draw_tape(self) -> None:
        """Draw all marks, throws over the line of the present."""
        current = floor(self._now)
        tape = self._tape
        # A throw later in this loop is lit in the loop before, where it was made.
        phase = self._now - current
        nodes = tape.lit(phase)
        before = tape.nodes[nodes, 0] > (phase + _EPSILON) * tape.length
        lit = dict(zip(nodes.tolist(), (current - before).tolist(), strict=True))
        draw = imgui.get_window_draw_list()
        lefts = {lap: self._left(lap) for lap in self._laps()}
        top = self._top
        marks = self._seen(lefts)
        now_drawn = False
        for index, lap in marks:
            if not now_drawn and tape.above_present[index]:
                self._draw_now()
                now_drawn = True
            node = tape.node_of[index]
            self.pen.draw(draw, index, lefts[lap], top, node >= 0 and lit.get(node) == lap, lap)
        if not now_drawn:
            self._draw_now()

    def _seen(self, lefts: dict[int, float]) -> list[tuple[int, int]]:
        """Return the visible marks with their loops, in drawing order."""
        room = self._room
        fit = self._fit
        found = []
        upper, lower = self._across()
        for lap, left in lefts.items():
            first = (room.left - self._edge - left) / fit.along
            last = first + (room.width + 2 * self._edge) / fit.along
            found += [
                (index, lap)
                for index in self._tape.marks_within(first, last, upper, lower).tolist()
            ]
        # All loops together, so that no line of the next loop covers a throw of this one.
        found.sort()
        return found

    def _draw_now(self) -> None:
        draw = imgui.get_window_draw_list()
        look = self._look
        tape = self._tape
        lap = floor(self._now)
        x, top = self._place(((self._now - lap) * tape.length, 0.0), lap)
        half = look.size(0.9)
        side = look.size(4.5)
        bottom = top + self._fit.across * tape.depth
        draw.add_rect_filled((x - half, top), (x + half, bottom), theme.ACCENT)
        draw.add_triangle_filled(
            (x - side, top - side), (x + side, top - side), (x, top + side / 2), theme.ACCENT
        )

    def _draw_props(self) -> None:
        """Draw the props on the lines of a ladder."""
        if not self._tape.prop_curves:
            return
        draw = imgui.get_window_draw_list()
        look = self._look
        lap = floor(self._now)
        places, colours = self._tape.prop_curves.at((self._now - lap) * self._tape.length, lap)
        upper, lower = self._across()
        shown = (places[:, 1] > upper) & (places[:, 1] < lower)
        for (along, across), (red, green, blue) in zip(
            places[shown].tolist(), colours[shown].tolist(), strict=True
        ):
            at = self._place((along, across), lap)
            draw.add_circle_filled(at, look.size(_PROP), pack_colour((red, green, blue)))
            draw.add_circle(at, look.size(_PROP), theme.PAPER_INK, 0, look.size(1.2))

    def _across(self) -> tuple[float, float]:
        """Return the visible range across the tape, and a bit more on either side, [mm]."""
        upper = (self._room.top - self._top - self.pen.place((0.0, 0.0))[1]) / self._fit.across
        over = self._look.size(_NEAR) / 2 / self._fit.across
        return upper - over, upper + self._room.height / self._fit.across + over

    def _names_width(self) -> float:
        name = max((name for _, name in self._tape.lines), key=len)
        look = self._look
        return look.measure(name, _NAME)[0] + look.size(14) if name else look.size(4)

    def _draw_names(self) -> None:
        draw = imgui.get_window_draw_list()
        look = self._look
        paper = self._paper
        draw.push_clip_rect(paper.low, paper.high, True)
        upper, lower = self._across()
        for across, name in self._tape.lines:
            if name and upper < across < lower:
                y = self._top + self._fit.y_of(self._tape, across)
                right = paper.left + self._names - look.size(4)
                look.text_before(right, y - look.size(_NAME) / 2, name, theme.PAPER_INK, _NAME)
        draw.pop_clip_rect()

    def _draw_bar(self) -> None:
        """Draw a scrollbar if there are more lines than room."""
        look = self._look
        paper = self._paper
        fit = self._fit
        view = self._view
        wide = self._bar
        if not wide:
            return
        x = paper.right - wide
        widgets.place_button(
            "bar", Rectangle(x, paper.top, wide, paper.height), term_tip("scrollbar"), stop=False
        )
        tall = max(paper.height * paper.height / fit.height, look.size(16))
        travel = paper.height - tall
        more = fit.height - paper.height
        if imgui.is_item_active():
            share = (imgui.get_io().mouse_pos.y - paper.top - tall / 2) / travel
            view.scroll(share * more - view.scrolled, fit, paper.height)
        lit = imgui.is_item_active() or imgui.is_item_hovered()
        y = paper.top + travel * view.scrolled / more
        side = look.size(2)
        low = (x + side, y)
        high = (x + wide - side, y + tall)
        tint = theme.ACCENT if lit else theme.MUTED
        imgui.get_window_draw_list().add_rect_filled(low, high, tint, wide / 2)

    def _node_at(self, mouse: Point) -> tuple[int, int] | None:
        """Return the throw under the mouse, and its loop."""
        best = None
        reach = self._look.size(10.0)
        for lap in self._laps():
            for number in self._near(lap, mouse):
                x, y = self._place((self._tape.nodes[number, 0], self._tape.nodes[number, 1]), lap)
                half = self._fit.unit * node_width(self._tape.texts[number]) / 2
                apart = max(abs(mouse[0] - x) - half + reach / 2, abs(mouse[1] - y))
                if apart < reach:
                    best = (number, lap)
                    reach = apart
        return best

    def _near(self, lap: int, mouse: Point) -> list[int]:
        along = (mouse[0] - self._left(lap)) / self._fit.along
        apart = np.abs(self._tape.nodes[:, 0] - along)
        return np.flatnonzero(apart < self._look.size(_NEAR) / self._fit.along).tolist()

    def _go(self, mouse: Point, node: tuple[int, int] | None) -> None:
        """Go to the time under the mouse, or to that of a throw."""
        playback = self._model.playback
        share = min(max((mouse[0] - self._room.left) / self._room.width, 0.0), 1.0 - 1e-9)
        at = self._view.start + share * self._fit.loops
        if node is not None:
            at = node[1] + float(self._tape.nodes[node[0], 0]) / self._tape.length
        playback.pause_at(playback.time + (at - self._now) * self._duration)
        self._now = at

    def _draw_tooltip(self, node: tuple[int, int], mouse: Point) -> None:
        tape = self._tape
        number = node[0]
        x, y = tape.nodes[number].tolist()
        time = x / tape.length * tape.throws.loop
        if told := tape.throws.near(time, tape.line_near(y), len(tape.lines), tape.texts[number]):
            widgets.draw_tooltip(
                self._look, [(each.description, each.times) for each in told], self._paper, mouse
            )


_EPSILON = 1e-6
