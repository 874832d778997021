"""Handles in the picture as they are drawn: shapes, paths of hands, guides, numbers and hints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from imgui_bundle import imgui

from juggle_anim.arrays import Floats
from juggle_anim.choreography.choreography import THROW
from juggle_anim.errors import hand_in_words, sentence
from juggle_anim.language import N_, _, ngettext
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.registry import Card, Frame
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import (
    begin_card,
    draw_field,
    draw_tooltip_box,
    fill_box,
    outline_box,
)
from juggle_anim.viewer.editor.dragging import FORWARD, GRID, LEFT, UP, View
from juggle_anim.viewer.editor.handles import (
    HandlePoint,
    Mark,
    coordinates,
    numbers_of,
    ring,
    to_body,
)
from juggle_anim.viewer.editor.picture_editor import HandleEntry, PictureEditor, PictureKeys
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.picture_parts import picture_parts
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import term_tip

_MARK_SIZE = 5.5  # pixels at scale 1
_LIT_SCALE = 1.36  # of marks that are chosen, or that the mouse is on
_FULL_SIZE_METRE = 150.0  # pixels of a metre at scale 1, below which marks are smaller
_MIN_SCALE = 0.62  # of marks where people are small
_BEHIND = 0.05  # m farther away than the middle of the body
_OPACITY_BEHIND = 0.45  # of marks behind a body
_GUIDE = 0.6  # m, to each side of a hand
_DEPTH_GUIDE = 0.8  # m, to each side of a hand
_RING_SHARE = 0.62  # of the arrow of a heading, from the middle of the body to the ring
_HEADING_HEAD = 12.0  # length of the head of that arrow at scale 1, [pixels]
_GRID_LINES = 4  # of the floor to each side of a body that is dragged
_TIME_TOLERANCE = 1e-6  # s, between a throw and its own beat
_ENTRY_WIDTH = 200.0
_ENTRY_HEIGHT = 32.0
_NUMBER_LINE = N_("outward, up, forward in cm"), N_("turned to the left in °, right, forward in cm")

_TRIANGLE = (0.0, -1.05), (0.95, 0.75), (-0.95, 0.75)
_DIAMOND = (0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)
_WHITE = "FFFFFF"
_BLACK = "10161D"
_BODY = "7A5AF0"
_COLOURS = {
    Mark.THROW: "E8590C",
    Mark.CATCH: "0B8F6A",
    Mark.POINT: "2F6FDE",
    Mark.BODY: _BODY,
    Mark.HEADING: _BODY,
}
_PATHS = "2F6FDE", "B0107A"
"""Colours of left and right hands' paths."""


def picture_view(model: Model, layout: Layout, x: float) -> View:
    """Return the picture with handles; of two for both eyes, that at x, [pixels]."""
    part = picture_parts(model, layout)[0]
    views = [
        (
            camera,
            layout.place_of(area),
        )
        for camera, area in part.views
    ]
    under_mouse = (view for view in views if view[1].left <= x < view[1].right)
    camera, place = next(under_mouse, views[0])
    return View(camera, place, layout.scale)


class HandleMarks(Card):
    """Handles behind the cards, with words about the one that the mouse is on."""

    def draw(self, frame: Frame, look: Theme, place: Rectangle) -> None:
        """Draw all handles; a right click on one opens its menu."""
        picture = frame.controller.picture
        keys = frame.controller.picture_keys
        model = frame.model
        layout = frame.layout
        x, y = frame.mouse
        picture.view = picture_view(model, layout, x)
        picture.is_drawn = True
        over = layout.free.covers(x, y) and not imgui.get_io().want_capture_mouse
        picture.hover(x, y, over)
        if (
            over
            and picture.hovered is None
            and imgui.is_mouse_double_clicked(imgui.MouseButton_.left)
        ):
            picture.add_point_at(x, y)
        draw = imgui.get_background_draw_list()
        draw.push_clip_rect(layout.free.low, layout.free.high)
        _draw_paths(picture, look, draw)
        _draw_bodies(picture, look, draw)
        _draw_guides(picture, look, draw)
        _draw_points(picture, look, draw)
        if picture.band:
            (left, top), (right, bottom) = picture.band
            low = (min(left, right), min(top, bottom))
            high = (max(left, right), max(top, bottom))
            draw.add_rect_filled(low, high, theme.FILL_CHOSEN)
            draw.add_rect(low, high, theme.ACCENT, thickness=look.size(1))
        draw.pop_clip_rect()
        if keys.entry:
            _draw_entry(picture, keys, keys.entry, look, layout)
        elif picture.lit is not None:
            _draw_words(picture, model, picture.lit, look, layout)
        if picture.hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            picture.choose(picture.hovered.handle)
            frame.controller.ladder.spot = frame.mouse
            frame.controller.perform(Action.EDIT_MENU)


def _draw_paths(picture: PictureEditor, look: Theme, draw: Any) -> None:
    """Draw the paths of hands, those of left and right hands in their colours."""
    for number, path in enumerate(picture.paths):
        seen = picture.view.seen(path)
        if np.isfinite(seen).all():
            corners = seen.tolist()
            draw.add_polyline(
                corners, theme.colour(_WHITE, 0.55), flags=0, thickness=look.size(3.6)
            )
            draw.add_polyline(
                corners, theme.colour(_PATHS[number % 2], 0.75), flags=0, thickness=look.size(1.6)
            )


def _draw_bodies(picture: PictureEditor, look: Theme, draw: Any) -> None:
    """Draw a ring around each body, and the arrow of its heading."""
    chosen = {point.handle for point in picture.chosen}
    points = picture.handles.points
    headings = {point.handle: point for point in points if point.mark is Mark.HEADING}
    bodies = [(point, headings[point.handle]) for point in points if point.mark is Mark.BODY]
    places = [
        np.concatenate([ring(point.place), [point.place, heading.place]])
        for point, heading in bodies
    ]
    drawn = picture.view.seen(np.concatenate(places)).reshape(len(bodies), -1, 2) if bodies else ()
    for (point, heading), seen in zip(bodies, drawn, strict=True):
        if not np.isfinite(seen).all():
            continue
        lit = picture.lit == point
        turned = picture.lit == heading
        width = 3.2 if lit or point.handle in chosen else 2.0
        _line(draw, look, seen[:-2].tolist(), _COLOURS[Mark.BODY], width, closed=True)
        start, tip = seen[-2:]
        tail = start + _RING_SHARE * (tip - start)
        head = look.size(_HEADING_HEAD)
        _arrow(draw, look, tail, tip, _COLOURS[Mark.HEADING], 3.2 if turned else width, head)


def _draw_points(picture: PictureEditor, look: Theme, draw: Any) -> None:
    """Draw the marks of hands, chosen and lit ones last, and the arrow of depth."""
    handles = picture.handles
    seen = picture.view.seen(handles.places)
    dim = _behind(picture, handles.places)
    size = _size_of_marks(picture, look)
    chosen = {point.handle for point in picture.chosen}
    if (arrow := picture.arrow()) is not None and np.isfinite(arrow).all():
        _arrow(
            draw,
            look,
            arrow[0],
            arrow[1],
            _COLOURS[Mark.POINT],
            3.4 if picture.arrow_hovered else 2.2,
        )
    order = sorted(
        (
            number
            for number, point in enumerate(handles.points)
            if point.hand >= 0 and np.isfinite(seen[number]).all()
        ),
        key=lambda number: (
            handles.points[number].handle in chosen,
            handles.points[number] == picture.lit,
        ),
    )
    for number in order:
        point = handles.points[number]
        is_chosen = point.handle in chosen
        is_lit = point == picture.lit
        opacity = 1.0 if is_chosen or is_lit or not dim[number] else _OPACITY_BEHIND
        _shape(draw, look, point.mark, seen[number], size, is_chosen, is_lit, opacity)


def _behind(picture: PictureEditor, places: Floats) -> Floats:
    """Return which handles are farther away than their body, shape (N,)."""
    forward = -picture.view.camera.view()[2, :3]
    points = picture.handles.points
    bodies = {body.juggler: body.place for body in points if body.mark is Mark.BODY}
    stands = np.array([bodies[point.juggler] for point in points]).reshape(-1, 3)
    level = forward * (1.0, 0.0, 1.0)
    return np.asarray((places - stands) @ level > _BEHIND)


def _body_of(picture: PictureEditor, point: HandlePoint) -> Floats:
    """Return where the body of a handle stands, shape (3,), [m]."""
    return next(
        np.array(body.place)
        for body in picture.handles.points
        if body.mark is Mark.BODY and body.juggler == point.juggler
    )


def _size_of_marks(picture: PictureEditor, look: Theme) -> float:
    """Return the size of marks that are not chosen, [pixels]: smaller where people are small."""
    stands = np.array(
        next(point.place for point in picture.handles.points if point.mark is Mark.BODY)
    )
    (_unused, foot), (_unused, above) = picture.view.seen(
        np.array([stands, stands + (0.0, 1.0, 0.0)])
    )
    share = (foot - above) / look.size(_FULL_SIZE_METRE)
    return look.size(_MARK_SIZE) * (
        min(max(share, _MIN_SCALE), 1.0) if math.isfinite(share) else 1.0
    )


def _shape(
    draw: Any,
    look: Theme,
    mark: Mark,
    at: Floats,
    size: float,
    chosen: bool,
    lit: bool,
    opacity: float,
) -> None:
    """Draw a triangle for a throw, a disc for a catch, and a diamond for a point."""
    x, y = at.tolist()
    size *= _LIT_SCALE if chosen or lit else 1.0
    fill = theme.colour(_COLOURS[mark], opacity)
    edge = theme.colour(_WHITE, opacity)
    if chosen or lit:
        draw.add_circle_filled(
            (x, y), size + 0.7 * size, theme.colour(_COLOURS[mark], 0.38 if chosen else 0.22)
        )
    if chosen:
        draw.add_circle(
            (x, y), size + 0.7 * size, theme.colour(_BLACK, 0.9), thickness=look.size(1.4)
        )
    if mark is Mark.CATCH:
        draw.add_circle_filled((x, y), size + look.size(1.6), edge)
        draw.add_circle_filled((x, y), size, fill)
        return
    corners = _TRIANGLE if mark is Mark.THROW else _DIAMOND
    outer, inner = (
        [(x + reach * across, y + reach * down) for across, down in corners]
        for reach in (1.15 * size + look.size(2.2), 1.15 * size)
    )
    draw.add_convex_poly_filled(outer, edge)
    draw.add_convex_poly_filled(inner, fill)


def _draw_guides(picture: PictureEditor, look: Theme, draw: Any) -> None:
    """Draw what a drag snaps to, the line of depth, and the grid under a body."""
    drag = picture.dragged
    view = picture.view
    if drag is None or not drag.moved or (now := picture.now) is None:
        return
    if drag.point.event < 0:
        if drag.point.mark is Mark.BODY:
            _draw_grid(np.array(now.place), picture, look, draw)
        return
    place = np.array(now.place)
    axes = drag.frame.axes
    if drag.deep:
        reach = _DEPTH_GUIDE * axes[drag.normal]
        _world_line(draw, look, view, place - reach, place + reach, _COLOURS[Mark.POINT], 1.6)
        foot = place * (1.0, 0.0, 1.0)
        _world_line(draw, look, view, place, foot, _BLACK, 1.0)
    for axis, reason in picture.guides.items():
        # The guide lies in the plane of the drag, across the axis that snapped.
        across = UP
        if not drag.deep:
            in_plane = (other for other in (UP, LEFT, FORWARD) if other not in (axis, drag.normal))
            across = next(in_plane)
        reach = _GUIDE * axes[across]
        colour = _COLOURS[Mark.CATCH] if reason == "partner" else _COLOURS[Mark.THROW]
        _world_line(draw, look, view, place - reach, place + reach, colour, 1.4)
        if reason == "partner":
            outward_up_forward = coordinates(picture.animation, now.event)
            mirrored = to_body(picture.animation, now.hand ^ 1, outward_up_forward)
            _world_line(draw, look, view, place, drag.frame.to_world(mirrored), colour, 1.0)


def _draw_grid(place: Floats, picture: PictureEditor, look: Theme, draw: Any) -> None:
    """Draw the lines of the floor around a body that is dragged."""
    nearest = np.round(place / GRID) * GRID
    reach = _GRID_LINES * GRID
    for step in range(-_GRID_LINES, _GRID_LINES + 1):
        # along x, and along z
        for along, across in ((0, 2), (2, 0)):
            middle = np.array([nearest[0], 0.0, nearest[2]])
            middle[across] += step * GRID
            ahead = np.zeros(3)
            ahead[along] = reach
            on_it = abs(middle[across] - place[across]) < 1e-6
            colour, width = (_COLOURS[Mark.BODY], 2.0) if on_it else (_BLACK, 0.8)
            _world_line(
                draw,
                look,
                picture.view,
                middle - ahead,
                middle + ahead,
                colour,
                width,
                0.9 if on_it else 0.35,
            )


def _world_line(
    draw: Any,
    look: Theme,
    view: View,
    start: Floats,
    end: Floats,
    colour: str,
    width: float,
    opacity: float = 0.9,
) -> None:
    """Draw a line between two points of the world, if both are in front of the camera."""
    seen = view.seen(np.array([start, end]))
    if np.isfinite(seen).all():
        (x, y), (right, bottom) = seen.tolist()
        draw.add_line((x, y), (right, bottom), theme.colour(colour, opacity), look.size(width))


def _line(
    draw: Any,
    look: Theme,
    corners: list[list[float]],
    colour: str,
    width: float,
    closed: bool = False,
) -> None:
    """Draw a line with a white edge, which is seen on any ground."""
    flags = imgui.ImDrawFlags_.closed if closed else 0
    draw.add_polyline(
        corners, theme.colour(_WHITE, 0.7), flags=flags, thickness=look.size(width + 2.4)
    )
    draw.add_polyline(corners, theme.colour(colour), flags=flags, thickness=look.size(width))


def _arrow(
    draw: Any, look: Theme, start: Floats, tip: Floats, colour: str, width: float, head: float = 0.0
) -> None:
    """Draw an arrow with a white edge between two points of the window, [pixels]."""
    x, y = start.tolist()
    end_x, end_y = tip.tolist()
    length = math.hypot(end_x - x, end_y - y)
    if length < 1e-3:
        return
    along = (end_x - x) / length
    down = (end_y - y) / length
    head = max(head, look.size(4 + 2 * width))
    neck_x = end_x - head * along
    neck_y = end_y - head * down
    _line(draw, look, [[x, y], [neck_x, neck_y]], colour, width)
    for reach, tint in ((1.25, theme.colour(_WHITE, 0.8)), (1.0, theme.colour(colour))):
        over = (reach - 1) * head
        half = reach * 0.55 * head
        sides = [(neck_x - side * down, neck_y + side * along) for side in (half, -half)]
        draw.add_convex_poly_filled([(end_x + over * along, end_y + over * down), *sides], tint)


def _draw_words(
    picture: PictureEditor, model: Model, point: HandlePoint, look: Theme, layout: Layout
) -> None:
    """Write about the handle that the mouse is on, or that is dragged."""
    drags = picture.dragged is not None and picture.dragged.moved
    lines = drag_words(picture, point) if drags else hover_words(picture, point)
    if drags and model.error:
        lines.append(model.error)
    extents = [
        look.measure(line, theme.SMALL, strong=not number) for number, line in enumerate(lines)
    ]
    wide = max(width for width, _height in extents) + look.size(20)
    tall = len(lines) * look.size(18) + look.size(12)
    free = layout.free
    if not np.isfinite(picture.view.seen(np.array([point.place]))).all():
        return
    left, top = _words_place(picture, point, look, free, (wide, tall))
    draw = draw_tooltip_box(look, Rectangle(left, top, wide, tall))
    for number, line in enumerate(lines):
        font, ink = (look.medium, theme.MUTED) if number else (look.strong, theme.INK)
        ink = theme.ERROR if drags and model.error and number == len(lines) - 1 else ink
        at = round(left + look.size(10)), round(top + look.size(7) + number * look.size(18))
        draw.add_text(font, look.size(theme.SMALL), at, ink, line)


def _words_place(
    picture: PictureEditor,
    point: HandlePoint,
    look: Theme,
    free: Rectangle,
    size: tuple[float, float],
) -> tuple[int, int]:
    """Return where words about a handle stand, given their width and height.

    They are beside the handles of its hands, or else above or below them.
    """
    wide, tall = size
    away = look.size(26)
    gap = look.size(10)
    (x, y), (middle, _unused) = picture.view.seen(np.array([point.place, _body_of(picture, point)]))
    hands = [
        handle.place
        for handle in picture.handles.points
        if handle.juggler == point.juggler and handle.hand >= 0
    ]
    # The box around all handles of the juggler's hands, which the words must not hide.
    low = high = x
    top = bottom = y
    if point.hand >= 0:
        around = picture.view.seen(np.array(hands))
        low, top = np.nanmin(around, axis=0)
        high, bottom = np.nanmax(around, axis=0)
    fits_left = low - away - wide >= free.left
    fits_right = high + away + wide <= free.right
    upper = y - tall - gap if y - tall - gap > free.top else y + look.size(18)
    if fits_left or fits_right:
        # On the side of the body that the handle is on, if there is room.
        on_right = fits_right if x >= middle else not fits_left
        left = high + away if on_right else low - away - wide
    else:
        left = x - wide / 2
        upper = top - tall - away if top - tall - away > free.top else bottom + away
    left = min(max(left, free.left + 2), max(free.right - wide - 2, free.left + 2))
    return round(left), round(min(upper, free.bottom - tall - 2))


def _draw_entry(
    picture: PictureEditor, keys: PictureKeys, entry: HandleEntry, look: Theme, layout: Layout
) -> None:
    """Draw the field in which the numbers of a handle are typed."""
    point = picture.handles.find(entry.handle)
    if point is None:
        keys.entry = None
        return
    x, y = picture.view.seen(np.array([point.place]))[0]
    free = layout.free
    pad = look.size(8)
    words = entry.error or _NUMBER_LINE[point.event < 0]
    room = min(look.size(320), free.width - 8) - 2 * pad
    below = look.measure(words, theme.SMALL, wrap=room)
    wide = max(look.size(_ENTRY_WIDTH), below[0] + 2 * pad)
    tall = look.size(_ENTRY_HEIGHT) + below[1] + 3 * pad
    left = min(max(x + look.size(16), free.left + 4), free.right - wide - 4)
    top = min(max(y - tall / 2, free.top + 4), free.bottom - tall - 4)
    place = Rectangle(round(left), round(top), wide, tall)
    begin_card("handle entry", place)
    field = Rectangle(place.left + pad, place.top + pad, wide - 2 * pad, look.size(_ENTRY_HEIGHT))
    fill_box(look, field, theme.FIELD, 6)
    outline_box(look, field, theme.ERROR if entry.error else theme.ACCENT, 6)
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
    wanted = entry.wants_focus
    entry.wants_focus = False
    done, entry.text = draw_field(
        look, "numbers", entry.text, field, wanted, flags=flags, tip=term_tip("numbers")
    )
    left_field = imgui.is_item_deactivated()
    tint = theme.ERROR if entry.error else theme.MUTED
    look.text(field.left, field.bottom + look.size(6), words, tint, theme.SMALL, wrap=room)
    imgui.end()
    if done:
        keys.apply_entry(entry.text)
    elif left_field:
        keys.entry = None


def hover_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return what a handle is and how it is moved, in plain words, line by line."""
    who = (
        _("Juggler {juggler}", juggler=point.juggler + 1) if picture.animation.jugglers > 1 else ""
    )
    if point.mark is Mark.HEADING:
        does = _("Drag it to turn; it snaps to quarter turns, not with Shift")
        return [
            _("{who} faces this way", who=who or _("The juggler")),
            _numbers(picture, point),
            does,
        ]
    if point.mark is Mark.BODY:
        does = _("Drag it over the floor, or its arrow to turn; Enter types")
        return [_("{who} stands here", who=who or _("The juggler")), _numbers(picture, point), does]
    hand = sentence(hand_in_words(point.hand))
    hand += _(" of juggler {juggler}", juggler=point.juggler + 1) if who else ""
    does = {Mark.THROW: _("throws here"), Mark.CATCH: _("catches here")}.get(
        point.mark, _("passes this point")
    )
    count = len(picture.stack_of(point))
    beat = _beat_words(picture, point)
    lines = [f"{hand} {does}{beat}", _numbers(picture, point)]
    lines += [
        _("Drag it; Ctrl in depth, Shift without snapping; Enter types"),
        _("Right click: all else"),
    ]
    if count > 1:
        lines.append(_("{count} handles are here: click again for the next", count=count))
    return lines


def _beat_words(picture: PictureEditor, point: HandlePoint) -> str:
    """Return the beat of a throw, or the beat before which a prop is caught, in words.

    Empty for events, which have no beats.
    """
    choreography = picture.animation.choreography
    events = picture.animation.choreography.events
    if picture.animation.pattern is None or point.mark not in (Mark.THROW, Mark.CATCH):
        return ""
    thrown = events.time[(events.hand == point.hand) & (events.kind == THROW)]
    if not len(thrown):
        return ""
    # From a moment before its own time on, so that a throw is on its own beat.
    later = (thrown - point.time + _TIME_TOLERANCE) % choreography.duration
    beat = 1 + round(float(thrown[later.argmin()]) * choreography.bps, 2)
    return (
        _(" on beat {beat:g}", beat=beat)
        if point.mark is Mark.THROW
        else _(" before beat {beat:g}", beat=beat)
    )


def picture_hints(picture: PictureEditor) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return what is chosen in the picture, and what keys do with it, as they are shown."""
    chosen = picture.chosen
    if not chosen:
        words = _("Drag a mark in the picture; double click on a path adds a point")
        keys = (
            (caption(Action.HANDLE_AFTER), _("choose")),
            (_("Wheel"), _("nearer")),
            (caption(Action.HANDLE_PLACE), _("ladder")),
        )
        return words, (*keys, (caption(Action.BACK), _("end")))
    words = (
        _("{count} handles", count=len(chosen))
        if len(chosen) > 1
        else hover_words(picture, chosen[0])[0]
    )
    turns = _("turn") if chosen[-1].event < 0 else _("in depth")
    return words, (
        ("← → ↑ ↓", _("move")),
        (caption(Action.PAGE_UP), turns),
        (caption(Action.TYPE_VALUE), _("numbers")),
        (_("Shift"), _("finely")),
        (caption(Action.HANDLE_PLACE), _("ladder")),
        (caption(Action.BACK), _("let go")),
    )


def drag_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return the numbers of a handle that is dragged, and to what it snaps, line by line."""
    reasons = []
    for axis, reason in picture.guides.items():
        name = {LEFT: _("outward"), UP: _("up"), FORWARD: _("forward")}[axis]
        zero = {
            LEFT: _("middle of the body"),
            UP: _("default height"),
            FORWARD: _("default depth"),
        }[axis]
        reasons.append(_("{name} as the other hand", name=name) if reason == "partner" else zero)
    lines = [_numbers(picture, point), *([", ".join(reasons)] if reasons else [])]
    if (count := picture.moved_along) > 0:
        key = caption(Action.SYMMETRIC)
        lines.append(
            ngettext(
                "its mirror image moves along; {key}: alone",
                "{number} mirror images move along; {key}: alone",
                count,
                key=key,
            )
        )
    return lines


def _numbers(picture: PictureEditor, point: HandlePoint) -> str:
    """Return the numbers of a handle with their names and units."""
    first, second, third = numbers_of(picture.animation, point).split(", ")
    if point.event < 0:
        return _(
            "turned {first}°, right {second} cm, forward {third} cm",
            first=first,
            second=second,
            third=third,
        )
    return _(
        "outward {first}, up {second}, forward {third} cm, at {time:.2f} s",
        first=first,
        second=second,
        third=third,
        time=point.time,
    )
