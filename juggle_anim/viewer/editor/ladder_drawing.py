"""Drawing of editing on the ladder: handles, limits, targets of throws, tooltips and hints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from imgui_bundle import imgui

from juggle_anim.diagrams.drawing import NODE_HEIGHT, Colour, Point
from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.theme import Theme, paper_colour
from juggle_anim.viewer.editor.editor import LADDER, ThrowHandle
from juggle_anim.viewer.editor.ladder_editor import (
    HandleKind,
    LadderDrag,
    LadderEditor,
    LadderHandle,
    LadderHandles,
    TapeView,
    target_place,
)
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model

_RGB_MASK = 0xFFFFFF
_CATCH_RADIUS = 1.15  # mm
_HEAD_SIZE = 1.9  # mm; half the length of the head of an arrow
_HALO = 0.9  # mm, from a catch to the ring around a chosen one
_MARGIN = 12.0  # pixels beyond the edge of the ladder from where no part of a handle is seen
_BRACKET_HALF_HEIGHT = 3.6  # mm
_MAX_TEXT_WIDTH = 200.0  # of a siteswap in a tooltip, at scale 1, [pixels]
_UNCHOSEN = N_("Drag throws, catches, heads of arrows, or marks in the picture")

Tip = list[tuple[str, str]]
"""Lines of a tooltip: strong and muted words."""

Keys = tuple[tuple[str, str], ...]
"""Keys as they are shown, each with what it does."""


class LadderDrawing:
    """Draws handles over a ladder, and lets the mouse act on them, for one frame.

    Args:
        ladder: what mouse and keys do.
        model: with the pattern.
        look: fonts and sizes.
        view: where the ladder is.
    """

    def __init__(self, ladder: LadderEditor, model: Model, look: Theme, view: TapeView) -> None:
        self._ladder = ladder
        self._model = model
        self._look = look
        self._view = view
        self._handles: LadderHandles = ladder.handles(view.tape)
        ladder.view = view
        self._hovered: tuple[int, int] | None = None
        self._inks: dict[Colour, int] = {}

    def use_mouse(self, mouse: Point, hovered: bool, held: bool) -> bool:
        """Let the mouse act on handles.

        Args:
            mouse: its place, [pixels].
            hovered, held: whether the ladder is pointed at, or held; it is imgui's last item.

        Returns:
            Whether the mouse is on a handle or holds one.
        """
        ladder = self._ladder
        io = imgui.get_io()
        self._hovered = self._view.handle_at(self._handles, *mouse) if hovered or held else None
        if imgui.is_item_activated():
            if self._hovered:
                ladder.press(self._view, *self._hovered, mouse, io.key_shift)
            elif not io.key_shift:
                ladder.editor.selection = ()
        was_held = ladder.held is not None
        if imgui.is_item_deactivated() or not held:
            ladder.release()
        if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            self._ask(mouse)
        return was_held or (self._hovered is not None and not held)

    def _ask(self, mouse: Point) -> None:
        """Open the menu of the handle at the mouse, or of the time there."""
        if self._hovered:
            handle = self._handles.handles[self._hovered[0]]
            self._ladder.editor.choose(handle.handle, LADDER)
            self._ladder.ask(handle, mouse)
            return
        view = self._view
        lines = self._handles.lines
        lap = max((lap for lap, left in view.lefts.items() if left <= mouse[0]), default=0)
        distances = [abs(view.place(0.0, across, lap)[1] - mouse[1]) for across in lines]
        nearest_hand = distances.index(min(distances))
        time = (mouse[0] - view.lefts.get(lap, 0.0)) / view.second % view.duration
        self._ladder.ask(None, mouse, nearest_hand, time)

    def draw(self) -> None:
        """Draw all handles, and what belongs to a drag."""
        draw = imgui.get_window_draw_list()
        held = self._ladder.held
        if held and held.moved:
            self._draw_range(draw, held)
            self._draw_targets(draw, held)
        chosen = set(self._ladder.editor.selection)
        last = self._ladder.chosen
        spots: list[Point] = []
        margin = self._look.size(_MARGIN)
        low = draw.get_clip_rect_min()
        high = draw.get_clip_rect_max()
        for lap in self._view.lefts:
            places = self._view.seen(self._handles.places, lap)
            inside = (places > (low.x - margin, low.y - margin)) & (
                places < (high.x + margin, high.y + margin)
            )
            for number in np.flatnonzero(inside.all(axis=1)).tolist():
                handle = self._handles.handles[number]
                place = tuple(places[number].tolist())
                if handle is last:
                    spots.append((place[0] + self._look.size(10), place[1] + self._look.size(10)))
                lit = handle.handle in chosen or (self._hovered == (number, lap) and not held)
                self._draw_handle(draw, handle, place, lap, handle.handle in chosen, lit)
        if not held:
            view = self._view
            self._ladder.spot = min(
                (spot for spot in spots if spot[0] > view.left), default=(view.left, view.top)
            )

    def _draw_handle(
        self, draw: Any, handle: LadderHandle, place: Point, lap: int, chosen: bool, lit: bool
    ) -> None:
        """Draw a handle at a place, [pixels], in the shape of its kind, lit or not."""
        unit = self._view.fit.unit
        colour = self._view.tape.ink(handle.prop, lap - handle.laps)
        ink = self._inks.setdefault(colour, 0) or paper_colour(colour)
        fill = theme.ACCENT if lit else theme.PAPER
        self._inks[colour] = ink
        if handle.kind == HandleKind.THROW or (
            handle.kind == HandleKind.LANDING and not handle.curve
        ):
            if not handle.text:
                draw.add_circle_filled(place, (_CATCH_RADIUS + 0.6) * unit, theme.PAPER)
                draw.add_circle_filled(
                    place, (_CATCH_RADIUS + 0.25) * unit, theme.ACCENT if lit else ink
                )
            if lit:
                self._draw_halo(draw, place, self._handles.half_width(handle) * unit, chosen)
        elif handle.kind == HandleKind.LANDING:
            self._draw_head(draw, handle, lap, ink, chosen, lit)
        elif handle.kind == HandleKind.CATCH:
            draw.add_circle_filled(place, (_CATCH_RADIUS + 0.25) * unit, ink)
            draw.add_circle_filled(place, (_CATCH_RADIUS - 0.2) * unit, fill)
            if chosen:
                draw.add_circle(
                    place, (_CATCH_RADIUS + _HALO) * unit, theme.ACCENT, 0, self._look.size(1.5)
                )
        elif handle.kind == HandleKind.HOLD:
            self._draw_grip(draw, place, lit, chosen)
        elif handle.kind == HandleKind.BODY:
            x, y = place
            side = (_CATCH_RADIUS + 0.2) * unit
            low = (x - side, y - side)
            high = (x + side, y + side)
            draw.add_rect_filled(low, high, theme.ACCENT if lit else theme.PAPER, side / 3)
            draw.add_rect(
                low,
                high,
                theme.ACCENT if chosen else theme.PAPER_INK,
                side / 3,
                thickness=self._look.size(1.5),
            )
        else:
            x, y = place
            side = (_CATCH_RADIUS + 0.35) * unit
            corners = (x, y - side), (x + side, y), (x, y + side), (x - side, y)
            draw.add_quad_filled(*corners, theme.ACCENT if lit else theme.PAPER)
            draw.add_quad(
                *corners, theme.ACCENT if chosen else theme.PAPER_INK, self._look.size(1.5)
            )

    def _draw_halo(self, draw: Any, place: Point, half: float, chosen: bool) -> None:
        """Draw a frame around a node."""
        unit = self._view.fit.unit
        x, y = place
        around = (0.7 if chosen else 0.45) * unit
        tall = NODE_HEIGHT / 2 * unit + around
        low = (x - half - around, y - tall)
        high = (x + half + around, y + tall)
        draw.add_rect(
            low, high, theme.ACCENT, tall, thickness=self._look.size(2.2 if chosen else 1.4)
        )

    def _draw_head(
        self, draw: Any, handle: LadderHandle, lap: int, ink: int, chosen: bool, lit: bool
    ) -> None:
        """Draw the head of an arrow on its curve."""
        unit = self._view.fit.unit
        size = _HEAD_SIZE * unit * (1.25 if lit else 1.0)
        x, y = self._view.place(*handle.on_curve(0.0), lap)
        # Direction of the arrow there, of length 1, from a place a little before.
        back_x, back_y = self._view.place(*handle.on_curve(0.4), lap)
        length = max(math.hypot(x - back_x, y - back_y), 1e-6)
        along = (x - back_x) / length
        down = (y - back_y) / length
        tip = (x + along * size, y + down * size)
        tail = (x - along * 0.7 * size, y - down * 0.7 * size)
        left = tail[0] - down * 0.8 * size, tail[1] + along * 0.8 * size
        right = tail[0] + down * 0.8 * size, tail[1] - along * 0.8 * size
        draw.add_triangle_filled(tip, left, right, theme.ACCENT if lit else ink)
        draw.add_triangle(tip, left, right, theme.PAPER, self._look.size(1))
        if chosen:
            draw.add_circle((x, y), size * 1.5, theme.ACCENT, 0, self._look.size(1.5))

    def _draw_grip(self, draw: Any, place: Point, lit: bool, chosen: bool) -> None:
        """Draw the grip of a bar: two lines across it."""
        unit = self._view.fit.unit
        x, y = place
        tall = (1.5 if lit else 1.15) * unit
        apart = 0.5 * unit
        tint = theme.ACCENT if lit else theme.PAPER_INK
        for side in (-apart, apart):
            draw.add_line((x + side, y - tall), (x + side, y + tall), tint, self._look.size(1.6))
        if chosen:
            draw.add_circle(place, 2.2 * unit, theme.ACCENT, 0, self._look.size(1.5))

    def _draw_range(self, draw: Any, held: LadderDrag) -> None:
        """Draw the span of time in which the dragged event may be, and what is taken of it."""
        event = getattr(held.handle.handle, "event", None)
        limits = (held.limits or {}).get(event) if event is not None else None
        if limits is None:
            return
        unit = self._view.fit.unit
        x, y = self._view.place(held.handle.along, held.handle.across, held.lap + held.handle.laps)
        time = float(held.before.choreography.events.time[event])
        tall = _BRACKET_HALF_HEIGHT * unit
        left = x + (limits.earliest - time) * self._view.second
        right = x + (limits.latest - time) * self._view.second
        draw.add_rect_filled((left, y - tall), (right, y + tall), _wash(theme.ACCENT))
        for start, end in limits.taken:
            low = x + (start - time) * self._view.second
            high = x + (end - time) * self._view.second
            draw.add_rect_filled((low, y - tall), (high, y + tall), _wash(theme.ERROR))
        for edge, inward in ((left, 1), (right, -1)):
            draw.add_line((edge, y - tall), (edge, y + tall), theme.ACCENT, self._look.size(1.6))
            for side in (-tall, tall):
                ends = (edge, y + side), (edge + inward * 1.2 * unit, y + side)
                draw.add_line(*ends, theme.ACCENT, self._look.size(1.6))

    def _draw_targets(self, draw: Any, held: LadderDrag) -> None:
        """Draw the places where the dragged throw may land."""
        if not isinstance(held.handle.handle, ThrowHandle):
            return
        look = self._look
        radius = (NODE_HEIGHT / 2 + 0.9) * self._view.fit.unit
        for target in held.targets:
            place = target_place(target, held, self._handles, self._view)
            now = target == held.target
            draw.add_circle_filled(place, radius, _wash(theme.ACCENT, 0.3 if now else 0.15))
            draw.add_circle(place, radius, theme.ACCENT, 0, look.size(2.4 if now else 1.2))

    def tip(self) -> Tip:
        """Return the lines of the tooltip at the mouse; none if it is on no handle."""
        held = self._ladder.held
        if held and held.moved:
            return self._drag_tip(held)
        if self._hovered is None or held:
            return []
        handle = self._handles.handles[self._hovered[0]]
        more = _(
            "Right click: all else  ·  {key} chooses the next", key=caption(Action.HANDLE_AFTER)
        )
        return [(self._handles.describe(handle), ""), ("", drag_words(handle.kind)), ("", more)]

    def _drag_tip(self, held: LadderDrag) -> Tip:
        """Return the lines about a drag: its result or time, its limits, and why it is refused."""
        refused = [("", self._model.error)] if self._model.error else []
        if held.target:
            text = widgets.ellipsize(
                self._look,
                held.target.text or self._model.animation.title,
                self._look.size(_MAX_TEXT_WIDTH),
                theme.SMALL,
                strong=True,
            )
            return [(text, held.target.words), *refused]
        event = getattr(held.handle.handle, "event", None)
        if held.limits and event is not None:
            time = float(held.before.choreography.events.time[event])
            limits = held.limits[event]
            span = f"possible: {limits.earliest:.2f} s – {limits.latest:.2f} s".replace("-", "−")
            return [
                (f"{time + held.seconds:.3f} s", f"{held.seconds:+.3f} s".replace("-", "−")),
                ("", span),
                *refused,
            ]
        chosen = self._ladder.chosen
        described = [(self._handles.describe(chosen), "")] if chosen else []
        return [*described, *refused]


def draw_hints(
    ladder: LadderEditor,
    model: Model,
    look: Theme,
    place: Rectangle,
    in_picture: tuple[str, Keys] | None = None,
) -> None:
    """Draw the line of hints: what is chosen and what keys do, or why a change was refused.

    Args:
        ladder: with the handles.
        model: with the reason.
        look: fonts and sizes.
        place: of the line, [pixels].
        in_picture: the same of the handles in the picture, if keys act on these.
    """
    chosen = ladder.chosen
    middle = place.top + (place.height - look.size(theme.SMALL)) / 2 - look.size(1)
    words = ladder.handles().describe(chosen) if chosen else _UNCHOSEN
    tint = theme.INK if chosen else theme.MUTED
    keys: Keys = hints(chosen.kind) if chosen else (
        (caption(Action.HANDLE_AFTER), _("choose")),
        (caption(Action.HANDLE_PLACE), _("in the picture")),
        (caption(Action.EDIT_MENU), _("whole pattern")),
        (caption(Action.BACK), _("end")),
        (caption(Action.FRAMING), _("all throws") if model.frames_people else _("people")),
    )  # fmt: skip
    if in_picture:
        words, keys = in_picture
        tint = theme.INK
    if model.error:
        words = model.error
        tint = theme.ERROR
        keys = ()
    # Keys that do not fit beside the words are left out.
    widths = [_hint_width(look, key, what) for key, what in keys]
    words_width = look.measure(words, theme.SMALL, strong=True)[0] + look.size(9)
    while keys and sum(widths[: len(keys)]) > place.width - words_width:
        keys = keys[:-1]
    room = place.width - sum(widths[: len(keys)]) - look.size(8)
    fitted = widgets.ellipsize(look, words, room, theme.SMALL, strong=True)
    look.text(place.left, middle, fitted, tint, theme.SMALL, strong=True)
    x = place.right - sum(widths[: len(keys)])
    for (key, what), wide in zip(keys, widths, strict=False):
        cap = widgets.draw_keycap(look, key, x, place.top + look.size(2), theme.MUTED)
        look.text(x + cap + look.size(5), middle, what, theme.MUTED, theme.SMALL)
        x += wide


def _wash(tint: int, opacity: float = 0.15) -> int:
    """Return a colour that what is below it shows through, in every theme."""
    return tint & _RGB_MASK | round(255 * opacity) << 24


def _hint_width(look: Theme, key: str, what: str) -> float:
    """Return the width of a key and its words with the gap after them, [pixels]."""
    return widgets.keycap_width(look, key) + look.size(17) + look.measure(what, theme.SMALL)[0]


def hints(kind: HandleKind) -> tuple[tuple[str, str], ...]:
    """Return what keys do with a handle: names of keys, and words."""
    menu = (caption(Action.EDIT_MENU), _("all else"))
    away = (caption(Action.BACK), _("let go"))
    if kind == HandleKind.LANDING:
        return ("← →", _("lands earlier, later")), ("↑ ↓", _("a period more, less")), menu, away
    if kind == HandleKind.HOLD:
        return ("← →", _("all hold longer, shorter")), (_("Shift"), _("finely")), menu, away
    remove = ((caption(Action.REMOVE_POINT), _("remove")),) if kind >= HandleKind.POINT else ()
    return ("← →", _("earlier, later")), (_("Shift"), _("finely")), *remove, menu, away


def drag_words(kind: HandleKind) -> str:
    """Return what dragging a handle does."""
    return {
        HandleKind.THROW: _("Drag: throw earlier or later; its mark in the picture: elsewhere"),
        HandleKind.LANDING: _("Drag it to where another throw lands: the two swap"),
        HandleKind.CATCH: _("Drag: catch earlier or later; its mark in the picture: elsewhere"),
        HandleKind.HOLD: _("Drag: all hold longer or shorter"),
        HandleKind.POINT: _("Drag: pass it earlier or later"),
        HandleKind.BODY: _("Drag: be there earlier or later"),
    }[kind]
