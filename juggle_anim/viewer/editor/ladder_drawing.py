"""Drawing of editing on the ladder: handles, limits, targets of throws, tooltips and hints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from imgui_bundle import imgui

from juggle_anim.diagrams.drawing import NODE_HEIGHT, Colour, Point
from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import draw_text, measure, paper_colour, px
from juggle_anim.viewer.editor.editor import LADDER, EventHandle, ThrowHandle
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
_CATCH_RADIUS = 1.15  # mm; of a catch as the ladder draws it
_DISC_RADIUS = _CATCH_RADIUS + 0.25  # mm; of the handle that covers it
_HEAD_SIZE = 1.9  # mm; half the length of the head of an arrow
_HALO = 0.9  # mm, from a catch to the ring around a chosen one
_MARGIN = 12.0  # pixels beyond the edge of the ladder from where no part of a handle is seen
_BRACKET_HALF_HEIGHT = 3.6  # mm
_MAX_TEXT_WIDTH = 200.0  # of a siteswap in a tooltip, at scale 1, [pixels]
_UNCHOSEN = N_("Drag an arrowhead to change a throw, or any mark to move it")

Tip = list[tuple[str, str]]
"""Lines of a tooltip: strong and muted words."""

Keys = tuple[tuple[str, str], ...]
"""Keys as they are shown, each with what it does."""


class LadderDrawing:
    """Draws handles over a ladder, and lets the mouse act on them, for one frame.

    Args:
        ladder: what mouse and keys do.
        model: the model with the pattern.
        view: where the ladder is.
    """

    def __init__(self, ladder: LadderEditor, model: Model, view: TapeView) -> None:
        self._ladder = ladder
        self._model = model
        self._view = view
        self._handles: LadderHandles = ladder.handles(view.tape)
        ladder.view = view
        self._hovered: tuple[int, int] | None = None
        self._inks: dict[Colour, int] = {}

    def use_mouse(self, mouse: Point, *, hovered: bool, pressed: bool) -> bool:
        """React to the mouse: it selects, drags and releases handles, and opens their menu.

        The ladder must be imgui's last item, as `is_item_activated` and the like refer to that.

        Args:
            mouse: position of the mouse, [pixels].
            hovered: whether the mouse is on the ladder.
            pressed: whether the mouse button is down since a press on the ladder.

        Returns:
            Whether the mouse is on a handle or drags one. If not, the caller may use the press to
            seek in time.
        """
        ladder = self._ladder
        adds_to_selection = imgui.get_io().key_shift
        self._hovered = self._view.handle_at(self._handles, *mouse) if hovered or pressed else None
        if imgui.is_item_activated():  # pressed in this frame
            if self._hovered:
                index, loop_number = self._hovered
                ladder.press(self._view, index, loop_number, mouse, adds=adds_to_selection)
            elif not adds_to_selection:
                ladder.editor.selection = ()
        # Read before the release: the frame in which the button comes up still belongs to the drag,
        # so that the caller does not seek.
        was_dragging = ladder.active_drag is not None
        # `not pressed` makes sure that no drag outlasts its press.
        if imgui.is_item_deactivated() or not pressed:
            ladder.release()
        if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            self._open_menu(mouse)
        return was_dragging or (self._hovered is not None and not pressed)

    def _open_menu(self, mouse: Point) -> None:
        """Open the context menu of the handle under the mouse.

        Without a handle there, open the menu of the hand whose line is nearest to the mouse, at the
        time at the x of the mouse.

        Args:
            mouse: position of the mouse, [pixels].
        """
        if self._hovered:
            index, _loop_number = self._hovered
            handle = self._handles.handles[index]
            self._ladder.editor.choose(handle.handle, LADDER)
            self._ladder.open_menu(handle, mouse)
            return
        x, y = mouse
        view = self._view
        # `loop_lefts` maps the number of each visible loop to the x at which it begins. The mouse
        # is in the last loop that begins to the left of it.
        loop_number = max(
            (loop_number for loop_number, left in view.loop_lefts.items() if left <= x), default=0
        )
        # `lines` has the y of a line for each hand, so the index of a line is the number of a hand.
        distances = [abs(view.y_of(line_y) - y) for line_y in self._handles.lines]
        nearest_hand = distances.index(min(distances))
        seconds = (x - view.loop_lefts.get(loop_number, 0.0)) / view.pixels_per_second
        self._ladder.open_menu(None, mouse, hand=nearest_hand, time=seconds % view.duration)

    def draw(self) -> None:
        """Draw all handles; during a drag also the allowed range or targets of the dragged handle.

        The ladder shows several loops, so that a handle has a copy in each of them. Outside a drag,
        also sets `menu_place` of the ladder editor, where a key opens the menu: beside the leftmost
        visible copy of the handle that was chosen last.
        """
        draw = imgui.get_window_draw_list()
        drag = self._ladder.active_drag
        if drag and drag.has_moved:
            self._draw_range(draw, drag)
            self._draw_targets(draw, drag)

        chosen = set(self._ladder.editor.selection)
        last_chosen = self._ladder.chosen
        menu_places: list[Point] = []  # beside each copy of the handle that was chosen last
        menu_offset = px(10)
        # Handles whose centre is outside the clip rectangle by more than the margin are left out,
        # as no part of them is visible.
        margin = px(_MARGIN)
        low = draw.get_clip_rect_min()
        high = draw.get_clip_rect_max()
        for loop_number in self._view.loop_lefts:  # each visible loop
            places = self._view.to_window(self._handles.places, loop_number)
            is_visible = (places > (low.x - margin, low.y - margin)) & (
                places < (high.x + margin, high.y + margin)
            )
            for index in np.flatnonzero(is_visible.all(axis=1)).tolist():
                handle = self._handles.handles[index]
                x, y = places[index].tolist()
                if handle is last_chosen:
                    menu_places.append((x + menu_offset, y + menu_offset))
                is_chosen = handle.handle in chosen
                is_lit = is_chosen or (self._hovered == (index, loop_number) and not drag)
                self._draw_handle(draw, handle, (x, y), loop_number, chosen=is_chosen, lit=is_lit)
        if not drag:
            # If no copy is visible, the menu opens at the upper left corner of the ladder.
            view = self._view
            self._ladder.menu_place = min(
                ((x, y) for x, y in menu_places if x > view.left), default=(view.left, view.top)
            )

    def _draw_handle(
        self,
        draw: Any,
        handle: LadderHandle,
        place: Point,
        loop_number: int,
        *,
        chosen: bool,
        lit: bool,
    ) -> None:
        """Draw one copy of a handle in the shape of its kind.

        Args:
            draw: imgui's draw list.
            handle: the handle: a throw, its landing, a catch, a hold, a point that a hand passes,
                or a key of a body, which says where it stands at a time.
            place: centre of the drawn shape, [pixels].
            loop_number: the loop in which this copy is drawn. Props exchange their flights from
                loop to loop, so it decides on the colour.
            chosen: whether the handle is selected.
            lit: whether the handle is selected or under the mouse.
        """
        unit = self._view.fit.mark_scale  # pixels for 1 mm of the ladder
        # The colour is that of the prop in the loop of its throw, which may be an earlier one than
        # this. It is converted to imgui's format once, and cached.
        colour = self._view.tape.ink(handle.prop, loop_number - handle.loops_after_throw)
        if colour not in self._inks:
            self._inks[colour] = paper_colour(colour)
        ink = self._inks[colour]
        fill = ui.ACCENT if lit else ui.PAPER
        edge = ui.ACCENT if chosen else ui.PAPER_INK

        # A landing without a curve is a prop that a hand keeps for a beat.
        stays_in_hand = handle.kind == HandleKind.LANDING and not handle.curve
        if handle.kind == HandleKind.THROW or stays_in_hand:
            self._draw_throw(draw, handle, place, ink, chosen=chosen, lit=lit)
        elif handle.kind == HandleKind.LANDING:
            self._draw_head(draw, handle, loop_number, ink, chosen=chosen, lit=lit)
        elif handle.kind == HandleKind.CATCH:
            # A disc with an edge in the colour of the prop, and a ring around it if it is chosen.
            draw.add_circle_filled(place, _DISC_RADIUS * unit, ink)
            draw.add_circle_filled(place, (_CATCH_RADIUS - 0.2) * unit, fill)
            if chosen:
                ring_radius = (_CATCH_RADIUS + _HALO) * unit
                draw.add_circle(place, ring_radius, ui.ACCENT, thickness=px(1.5))
        elif handle.kind == HandleKind.HOLD:
            self._draw_grip(draw, place, chosen=chosen, lit=lit)
        elif handle.kind == HandleKind.BODY:  # a rounded square
            x, y = place
            half_side = (_CATCH_RADIUS + 0.2) * unit
            low = (x - half_side, y - half_side)
            high = (x + half_side, y + half_side)
            draw.add_rect_filled(low, high, fill, half_side / 3)
            draw.add_rect(low, high, edge, rounding=half_side / 3, thickness=px(1.5))
        else:  # a point that a hand passes: a diamond
            x, y = place
            reach = (_CATCH_RADIUS + 0.35) * unit
            corners = (x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)
            draw.add_quad_filled(*corners, fill)
            draw.add_quad(*corners, edge, px(1.5))

    def _draw_throw(
        self,
        draw: Any,
        handle: LadderHandle,
        place: Point,
        ink: int,
        *,
        chosen: bool,
        lit: bool,
    ) -> None:
        """Draw the mark of a throw, or of a prop that a hand keeps for a beat.

        The ladder itself writes the value of the throw, its number in siteswap, there, and that
        text is the mark. Throws of timed events have no value: they get a dot.

        Args:
            draw: imgui's draw list.
            handle: the handle.
            place: centre of the mark, [pixels].
            ink: packed colour of the prop.
            chosen: whether the handle is selected.
            lit: whether the handle is selected or under the mouse: then a frame is around it.
        """
        unit = self._view.fit.mark_scale  # pixels for 1 mm of the ladder
        if not handle.text:
            draw.add_circle_filled(place, (_CATCH_RADIUS + 0.6) * unit, ui.PAPER)
            draw.add_circle_filled(place, _DISC_RADIUS * unit, ui.ACCENT if lit else ink)
        if lit:
            half_width = self._handles.half_width(handle) * unit
            self._draw_halo(draw, place, half_width, chosen=chosen)

    def _draw_halo(self, draw: Any, place: Point, half_width: float, *, chosen: bool) -> None:
        """Draw a rounded frame around a node of the ladder, the box with the number of a throw.

        Args:
            draw: imgui's draw list.
            place: the middle of the node, [pixels].
            half_width: half the width of the node, [pixels].
            chosen: whether the handle is chosen, and not only under the mouse: then the frame is
                wider and thicker.
        """
        unit = self._view.fit.mark_scale  # pixels for 1 mm of the ladder
        x, y = place
        gap = (0.7 if chosen else 0.45) * unit
        half_height = NODE_HEIGHT / 2 * unit + gap
        low = (x - half_width - gap, y - half_height)
        high = (x + half_width + gap, y + half_height)
        thickness = px(2.2 if chosen else 1.4)
        draw.add_rect(low, high, ui.ACCENT, rounding=half_height, thickness=thickness)

    def _draw_head(
        self,
        draw: Any,
        handle: LadderHandle,
        loop_number: int,
        ink: int,
        *,
        chosen: bool,
        lit: bool,
    ) -> None:
        """Draw the head of the arrow of a throw: a triangle that points along its curve.

        Args:
            draw: imgui's draw list.
            handle: a handle of the kind LANDING with a curve.
            loop_number: the loop in which this copy is drawn.
            ink: packed colour of the prop.
            chosen: whether the handle is selected.
            lit: whether the handle is selected or under the mouse.
        """
        unit = self._view.fit.mark_scale  # pixels for 1 mm of the ladder
        size = _HEAD_SIZE * unit * (1.25 if lit else 1.0)
        x, y = self._view.place(*handle.on_curve(0.0), loop_number)

        # The chord of the curve's last 0.4 mm, [pixels]. If both ends coincide in the picture, the
        # guard against a division by 0 shrinks the triangle to a point.
        back_x, back_y = self._view.place(*handle.on_curve(0.4), loop_number)
        length = max(math.hypot(x - back_x, y - back_y), 1e-6)

        def corner(ahead: float, right: float) -> Point:
            """Return the point so far along the chord and to the right of it, in sizes."""
            x_ahead = (x - back_x) / length * size
            y_ahead = (y - back_y) / length * size
            return x + ahead * x_ahead - right * y_ahead, y + ahead * y_ahead + right * x_ahead

        corners = corner(1.0, 0.0), corner(-0.7, 0.8), corner(-0.7, -0.8)
        draw.add_triangle_filled(*corners, ui.ACCENT if lit else ink)
        draw.add_triangle(*corners, ui.PAPER, px(1))
        if chosen:
            draw.add_circle((x, y), size * 1.5, ui.ACCENT, thickness=px(1.5))

    def _draw_grip(self, draw: Any, place: Point, *, chosen: bool, lit: bool) -> None:
        """Draw the grip on the bar of a hold: two short lines across it, around a place, [pixels].

        Args:
            draw: imgui's draw list.
            place: the place of the middle of the grip, [pixels].
            chosen: whether it is chosen: then a circle is around it.
            lit: whether it is chosen or the mouse is on it.
        """
        unit = self._view.fit.mark_scale  # pixels for 1 mm of the ladder
        x, y = place
        half_height = (1.5 if lit else 1.15) * unit
        half_gap = 0.5 * unit
        thickness = px(1.6)
        tint = ui.ACCENT if lit else ui.PAPER_INK
        for line_x in (x - half_gap, x + half_gap):
            draw.add_line((line_x, y - half_height), (line_x, y + half_height), tint, thickness)
        if chosen:
            draw.add_circle(place, 2.2 * unit, ui.ACCENT, thickness=px(1.5))

    def _draw_range(self, draw: Any, drag: LadderDrag) -> None:
        """Draw the range of times that are allowed for the dragged event.

        An event is a throw, a catch or a point that a hand passes. The range is a band between
        square brackets. Times in it that other events of the same hand occupy are red. Nothing is
        drawn for handles that move no event.

        Args:
            draw: imgui's draw list.
            drag: the drag, with the handle and the pattern as they were when it began.
        """
        handle = drag.handle.handle
        if not isinstance(handle, EventHandle) or not drag.limits:
            return
        limits = drag.limits.get(handle.event)
        if limits is None:  # the handle was pressed, but deselected
            return
        unit = self._view.fit.mark_scale  # pixels for 1 mm of the ladder
        # Place and time of the event when the drag began. Limits refer to the pattern of that time,
        # so the brackets do not move with the handle.
        x, y = self._view.place(
            drag.handle.x, drag.handle.y, drag.loop_number + drag.handle.loops_after_throw
        )
        event_time = float(drag.before.choreography.events.time[handle.event])

        def x_at(time: float) -> float:
            """Return the x, [pixels], of a time, [s]."""
            return x + (time - event_time) * self._view.pixels_per_second

        half_height = _BRACKET_HALF_HEIGHT * unit
        top = y - half_height
        bottom = y + half_height
        left = x_at(limits.earliest)
        right = x_at(limits.latest)
        draw.add_rect_filled((left, top), (right, bottom), _wash(ui.ACCENT))
        for start, end in limits.taken:
            draw.add_rect_filled((x_at(start), top), (x_at(end), bottom), _wash(ui.ERROR))

        # Square brackets: a vertical line, and two short ones that point inward.
        width = px(1.6)
        for edge, inward in ((left, 1), (right, -1)):
            draw.add_line((edge, top), (edge, bottom), ui.ACCENT, width)
            for end_y in (top, bottom):
                inner_x = edge + inward * 1.2 * unit
                draw.add_line((edge, end_y), (inner_x, end_y), ui.ACCENT, width)

    def _draw_targets(self, draw: Any, drag: LadderDrag) -> None:
        """Draw a box for each place where the dragged throw may land; the present one is bolder.

        A box surrounds the hold that would follow, from the catch at its left end to the next throw
        at its right. Nothing is drawn while another kind of handle is dragged.

        Args:
            draw: imgui's draw list.
            drag: the drag, with its targets.
        """
        if not isinstance(drag.handle.handle, ThrowHandle):
            return
        radius_in_mm = NODE_HEIGHT / 2 + 0.9  # a little larger than a node
        radius = radius_in_mm * self._view.fit.mark_scale
        for target in drag.targets:
            left, right, y = target_place(target, drag, self._handles, self._view)
            is_present = target == drag.target
            low = (left - radius, y - radius)
            high = (right + radius, y + radius)
            wash = _wash(ui.ACCENT, 0.3 if is_present else 0.15)
            draw.add_rect_filled(low, high, wash, radius)
            thickness = px(2.4 if is_present else 1.2)
            draw.add_rect(low, high, ui.ACCENT, rounding=radius, thickness=thickness)

    def tip(self) -> Tip:
        """Return the lines of the tooltip at the mouse.

        Returns:
            For each line a text in strong and a text in muted type; either may be empty. No lines
            if the mouse is on no handle, or has pressed one and not moved it yet.
        """
        drag = self._ladder.active_drag
        if drag and drag.has_moved:
            return self._drag_tip(drag)
        if self._hovered is None or drag:
            return []
        index, _loop_number = self._hovered
        handle = self._handles.handles[index]
        more_words = _(
            "Right-click: more actions  ·  {key}: next", key=caption(Action.HANDLE_AFTER)
        )
        return [
            (self._handles.describe(handle), ""),
            ("", drag_words(handle.kind)),
            ("", more_words),
        ]

    def _drag_tip(self, drag: LadderDrag) -> Tip:
        """Return the tooltip of a drag: the result, the allowed times, and the error if refused.

        Args:
            drag: the drag of a throw's landing, with its target; or of events (throws, catches and
                points of hands), with their limits and their shift in time; or of another handle.

        Returns:
            For each line a text in strong and a text in muted type; either may be empty. If the
            drag is refused, the last line says why.
        """
        error_lines = [("", self._model.error)] if self._model.error else []
        if drag.target:  # where a throw would land: the siteswap that this makes
            text = ui.ellipsize(
                drag.target.text or self._model.animation.title,
                px(_MAX_TEXT_WIDTH),
                strong=True,
            )
            return [(text, drag.target.words), *error_lines]
        handle = drag.handle.handle
        if drag.limits and isinstance(handle, EventHandle):
            start_time = float(drag.before.choreography.events.time[handle.event])
            limits = drag.limits[handle.event]
            # Times before the start of the loop are negative. Number formats write a hyphen, which
            # is replaced by a true minus sign.
            earliest = f"{limits.earliest:.2f} s".replace("-", "−")
            latest = f"{limits.latest:.2f} s".replace("-", "−")
            span = _("possible: {earliest} – {latest}", earliest=earliest, latest=latest)
            shift = f"{drag.seconds:+.3f} s".replace("-", "−")
            return [(f"{start_time + drag.seconds:.3f} s", shift), ("", span), *error_lines]
        # Holds and bodies have no limits: the handle is described as the drag has changed it.
        chosen = self._ladder.chosen
        described = [(self._handles.describe(chosen), "")] if chosen else []
        return [*described, *error_lines]


def draw_hints(
    ladder: LadderEditor,
    model: Model,
    place: Rectangle,
    in_picture: tuple[str, Keys] | None = None,
) -> None:
    """Draw the line of hints: what is chosen and what keys do, or why a change was refused.

    Args:
        ladder: the editor of handles on the ladder.
        model: its `error` says why the last change was refused.
        place: the place of the line, [pixels].
        in_picture: words and keys of `picture_hints`, if keys act on handles in the picture; None
            if they act on those of the ladder.
    """
    # What is written: an error, which leaves no room for keys; else hints for the picture; else
    # those for the chosen handle of the ladder, or how to choose one.
    chosen = ladder.chosen
    tint = ui.INK
    keys: Keys = ()
    if model.error:
        words = model.error
        tint = ui.ERROR
    elif in_picture:
        words, keys = in_picture
    elif chosen:
        words = ladder.handles().describe(chosen)
        keys = hints(chosen.kind)
    else:
        words = _UNCHOSEN
        tint = ui.MUTED
        keys = _hints_unchosen(model)

    # Keys that do not fit beside the words are left out, the last ones first.
    words_width = measure(words, strong=True).width + px(9)
    while keys and _hints_width(keys) > place.width - words_width:
        keys = keys[:-1]
    keys_width = _hints_width(keys)

    # Words at the left, keys at the right.
    text_top = ui.line_top(place)
    fitted = ui.ellipsize(words, place.width - keys_width - px(8), strong=True)
    draw_text(place.left, text_top, fitted, tint, strong=True)
    x = place.right - keys_width
    for key, effect in keys:
        cap_width = ui.draw_keycap(key, x, place.top + px(2), tint=ui.MUTED)
        draw_text(x + cap_width + px(5), text_top, effect, ui.MUTED)
        x += _hint_width(key, effect)


def _wash(tint: int, opacity: float = 0.15) -> int:
    """Return a colour with another opacity, 0 to 1, so that what is below it shows through."""
    return tint & _RGB_MASK | round(255 * opacity) << 24


def _hints_width(keys: Keys) -> float:
    """Return the width of some keys and their words, [pixels]."""
    return sum(_hint_width(key, effect) for key, effect in keys)


def _hint_width(key: str, effect: str) -> float:
    """Return the width of a key and its words with the gap after them, [pixels]."""
    return ui.keycap_width(key) + px(17) + measure(effect).width


def _hints_unchosen(model: Model) -> Keys:
    """Return what keys do while no handle is chosen, the most important first."""
    # The key of framing switches between a camera that sees all throws and one nearer to people.
    framing = (
        _("show all throws")
        if model.animation.parameters.framing == "people"
        else _("show people larger")
    )
    return (
        (caption(Action.HANDLE_AFTER), _("select next")),
        (caption(Action.BACK), _("stop editing")),
        (caption(Action.EDIT_MENU), _("change the whole pattern")),
        (caption(Action.FRAMING), framing),
    )


def hints(kind: HandleKind) -> Keys:
    """Return what keys do with a handle of a kind: pairs of the name of a key and what it does.

    The most important key comes first, as those that do not fit the line are left out from the end.

    Args:
        kind: what the handle moves: a throw, its landing, a catch, a hold, a point that a hand
            passes, or the time at which a body is at a place.
    """
    menu = (caption(Action.EDIT_MENU), _("more actions"))
    let_go = (caption(Action.BACK), _("deselect"))
    if kind == HandleKind.LANDING:
        return (
            ("← →", _("land earlier, later")),
            ("↑ ↓", _("one period longer, shorter")),
            menu,
            let_go,
        )
    if kind == HandleKind.HOLD:
        return ("← →", _("all hands hold longer, shorter")), (_("Shift"), _("finely")), menu, let_go
    # Throws and catches cannot be deleted alone.
    remove: Keys = ()
    if kind in (HandleKind.POINT, HandleKind.BODY):
        remove = ((caption(Action.REMOVE_POINT), _("delete")),)
    return ("← →", _("earlier, later")), (_("Shift"), _("finely")), *remove, menu, let_go


def drag_words(kind: HandleKind) -> str:
    """Return what dragging a handle does, in words for a hint.

    Args:
        kind: what the handle moves: a throw, its landing, a catch, a hold, a point that a hand
            passes, or the time at which a body is at a place.
    """
    return {
        HandleKind.THROW: _(
            "Drag to throw earlier or later; drag the mark in the picture to throw elsewhere"
        ),
        HandleKind.LANDING: _("Drag to where another throw lands to swap the two"),
        HandleKind.CATCH: _(
            "Drag to catch earlier or later; drag the mark in the picture to catch elsewhere"
        ),
        HandleKind.HOLD: _("Drag to hold longer or shorter in all hands"),
        HandleKind.POINT: _("Drag to pass through earlier or later"),
        HandleKind.BODY: _("Drag to arrive earlier or later"),
    }[kind]
