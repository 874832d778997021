"""Handles in the picture as they are drawn: shapes, paths of hands, guides, numbers and hints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from juggle_anim.arrays import Floats
from juggle_anim.choreography import THROW
from juggle_anim.errors import hand_in_words, sentence
from juggle_anim.language import N_, _, ngettext
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    begin_card,
    draw_field,
    draw_text,
    draw_tooltip_box,
    fill_box,
    measure,
    px,
)
from juggle_anim.viewer.editor.picture_editor import (
    FORWARD,
    GRID,
    LEFT,
    UP,
    HandleEntry,
    HandlePoint,
    Mark,
    PictureEditor,
    PictureKeys,
    View,
    coordinates,
    number_texts,
    ring,
    to_body,
)
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.picture_parts import picture_parts
from juggle_anim.viewer.state.keymap import Action, caption, term_tip
from juggle_anim.viewer.state.model import Model

_MARK_SIZE = 5.5  # pixels at scale 1
_LIT_SCALE = 1.36  # of marks that are chosen, or that the mouse is on
_HALO_SCALE = 1.7  # radius of a halo, in radii of its mark
_CHOSEN_HALO_OPACITY = 0.38
_LIT_HALO_OPACITY = 0.22
_OUTLINE_WIDTH = 1.4  # pixels at scale 1, around the halo of a chosen mark
_OUTLINE_OPACITY = 0.9
_CORNERED_SCALE = 1.15  # of marks with corners, which look smaller than discs
_DISC_EDGE = 1.6  # pixels at scale 1
_CORNER_EDGE = 2.2  # pixels at scale 1; beside its corners, a diamond's edge is as wide as a disc's
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
# Thickness of lines and of their white edge on each side, at scale 1, [pixels].
_THIN_LINE = 2.0
_THICK_LINE = 3.2  # of what is chosen, or under the mouse
_PATH_LINE = 1.6
_LINE_EDGE = 1.2
_PATH_EDGE = 1.0
_ENTRY_WIDTH = 200.0
_ENTRY_HEIGHT = 32.0
_HAND_NUMBERS = N_("outward, up, forward in cm")
_BODY_NUMBERS = N_("turned to the left in °, right, forward in cm")

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
    """Return the view (camera and place) of the picture in which handles are drawn.

    In stereo there is a picture for each eye, side by side: the one under the mouse is returned, or
    the first if the mouse is on none.

    Args:
        model: state of the viewer, whose active half of a split view is edited.
        layout: layout of the window.
        x: position of the mouse, [pixels] from the left edge of the window.

    Returns:
        The camera of that picture, its place in the window, and the scale of the window.
    """
    # The first part shows the active half of a split view; it has a picture, or one for each eye.
    part = picture_parts(model, layout)[0]
    pictures = [(camera, layout.place_of(area)) for camera, area in part.views]
    camera, place = pictures[0]
    for eye_camera, eye_place in pictures:
        if eye_place.left <= x < eye_place.right:
            camera, place = eye_camera, eye_place
            break
    return View(camera, place, layout.scale)


class HandleMarks(Card):
    """Handles behind the cards, with words about the one that the mouse is on."""

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw all handles over the picture, and react to the mouse.

        A handle is a mark that can be dragged: a throw, a catch or a point on the path of a hand,
        or the ring and arrow of a body. A double click beside handles adds a point to a path; a
        right click on one opens its menu.

        Args:
            frame: the frame of the window.
            place: unused.
        """
        picture = frame.controller.picture
        keys = frame.controller.picture_keys
        model = frame.model
        layout = frame.layout
        x, y = frame.mouse
        picture.view = picture_view(model, layout, x)
        picture.is_drawn = True

        # The mouse acts on the picture where no card covers it, and while imgui does not need the
        # mouse itself, as during a drag of a slider that has left its card.
        is_over_picture = layout.free.covers(x, y) and not imgui.get_io().want_capture_mouse
        picture.hover(x, y, is_over_picture=is_over_picture)
        if (
            is_over_picture
            and picture.hovered is None
            and imgui.is_mouse_double_clicked(imgui.MouseButton_.left)
        ):
            picture.add_point_at(x, y)

        # The background list of imgui is drawn below all cards; clipping it to the free part of
        # the window also keeps marks from showing through translucent cards.
        draw = imgui.get_background_draw_list()
        draw.push_clip_rect(layout.free.low, layout.free.high)
        _draw_paths(picture, draw)
        _draw_bodies(picture, draw)
        _draw_guides(picture, draw)
        _draw_points(picture, draw)
        if picture.band:
            # The frame that selects handles: the corner where the mouse went down, and the opposite
            # one where it is now.
            (press_x, press_y), (mouse_x, mouse_y) = picture.band
            low = (min(press_x, mouse_x), min(press_y, mouse_y))
            high = (max(press_x, mouse_x), max(press_y, mouse_y))
            draw.add_rect_filled(low, high, ui.FILL_CHOSEN)
            draw.add_rect(low, high, ui.ACCENT, thickness=px(1))
        draw.pop_clip_rect()

        # Typed numbers, or words about the handle at the mouse.
        if keys.entry:
            _draw_entry(picture, keys, keys.entry, layout)
        elif picture.lit is not None:
            _draw_words(picture, model, picture.lit, layout)
        if picture.hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            # The menu belongs to the ladder editor, and opens at its `menu_place`.
            picture.choose(picture.hovered.handle)
            frame.controller.ladder.menu_place = frame.mouse
            frame.controller.perform(Action.EDIT_MENU)


def _draw_paths(picture: PictureEditor, draw: Any) -> None:
    """Draw the paths of hands, those of left and right hands in their colours.

    Each has a white edge, so that it stands out against any background. A path that is partly
    behind the camera, where its projection is NaN, is not drawn at all.

    Args:
        picture: the editor of handles in the picture.
        draw: imgui's draw list.
    """
    for index, path in enumerate(picture.paths):
        path_in_window = picture.view.to_window(path)  # shape (T, 2), [pixels]
        if np.isfinite(path_in_window).all():
            corners = path_in_window.tolist()
            edge = ui.colour(_WHITE, 0.55)
            # Paths alternate between the left and the right hand of each juggler.
            ink = ui.colour(_PATHS[index % 2], 0.75)
            draw.add_polyline(corners, edge, flags=0, thickness=px(_PATH_LINE + 2 * _PATH_EDGE))
            draw.add_polyline(corners, ink, flags=0, thickness=px(_PATH_LINE))


def _draw_bodies(picture: PictureEditor, draw: Any) -> None:
    """Draw a ring around each body, and the arrow of its heading.

    Args:
        picture: the editor of handles in the picture.
        draw: imgui's draw list.
    """
    # A keyframe of a body has two points with the same handle: one is marked BODY and drawn as a
    # ring on the floor, the other HEADING and drawn as the tip of an arrow. They are paired here.
    chosen = {point.handle for point in picture.chosen}
    points = picture.handles.points
    headings = {point.handle: point for point in points if point.mark is Mark.HEADING}
    bodies = [(point, headings[point.handle]) for point in points if point.mark is Mark.BODY]
    if not bodies:
        return

    # One projection for the points of all bodies, as each call has a fixed cost. For each body, in
    # this order: the corners of its ring, the middle of the ring, and the tip of its arrow. All
    # rings have equally many corners, so the result splits evenly into one row for each body.
    world_points = [
        np.concatenate([ring(point.place), [point.place, heading.place]])
        for point, heading in bodies
    ]
    window_points = picture.view.to_window(np.concatenate(world_points)).reshape(len(bodies), -1, 2)
    for (point, heading), body_points in zip(bodies, window_points, strict=True):
        if not np.isfinite(body_points).all():
            continue  # partly behind the camera
        is_heading_lit = picture.lit == heading
        is_ring_thick = picture.lit == point or point.handle in chosen
        ring_width = _THICK_LINE if is_ring_thick else _THIN_LINE
        corners = body_points[:-2].tolist()
        _line(draw, corners, colour=_COLOURS[Mark.BODY], width=ring_width, closed=True)

        # The arrow begins where it crosses the ring, whose radius is `_RING_SHARE` of the distance
        # from the middle of the body to the tip.
        middle, tip = body_points[-2:]
        tail = middle + _RING_SHARE * (tip - middle)
        head_length = px(_HEADING_HEAD)
        arrow_width = _THICK_LINE if is_heading_lit else ring_width
        colour = _COLOURS[Mark.HEADING]
        _arrow(draw, tail, tip, colour=colour, width=arrow_width, head_length=head_length)


def _draw_points(picture: PictureEditor, draw: Any) -> None:
    """Draw the marks of hands, and below them the arrow for dragging in depth.

    A mark shows a throw, a catch or a point on the path of a hand. The arrow drags a single
    selected hand toward the camera or away from it. Selected marks and the one under the mouse are
    on top. Other marks behind the middle of their body are paler.

    Args:
        picture: the editor of handles in the picture.
        draw: imgui's draw list.
    """
    points = picture.handles.points
    places = picture.handles.places  # shape (N, 3), [m], world frame
    places_in_window = picture.view.to_window(places)  # shape (N, 2), [pixels]
    is_behind_body = _are_behind_bodies(picture, places)
    size = _size_of_marks(picture)
    chosen = {point.handle for point in picture.chosen}

    # The arrow that drags a chosen hand in depth, below all marks.
    arrow = picture.arrow()
    if arrow is not None and np.isfinite(arrow).all():
        tail, tip = arrow
        width = 3.4 if picture.arrow_hovered else 2.2
        _arrow(draw, tail, tip, colour=_COLOURS[Mark.POINT], width=width)

    # Marks of hands in front of the camera; chosen and lit ones last, so that they lie on top.
    visible_indices = [
        index
        for index, point in enumerate(points)
        if point.is_of_hand and np.isfinite(places_in_window[index]).all()
    ]
    visible_indices.sort(
        key=lambda index: (points[index].handle in chosen, points[index] == picture.lit)
    )
    for index in visible_indices:
        point = points[index]
        is_chosen = point.handle in chosen
        is_lit = point == picture.lit
        is_pale = is_behind_body[index] and not (is_chosen or is_lit)
        _draw_mark(
            draw,
            point.mark,
            at=places_in_window[index],
            size=size,
            chosen=is_chosen,
            lit=is_lit,
            opacity=_OPACITY_BEHIND if is_pale else 1.0,
        )


def _are_behind_bodies(picture: PictureEditor, places: Floats) -> NDArray[np.bool_]:
    """Return for each handle whether it is behind its body, as seen from the camera.

    It is behind if it is farther away than the place of the body by more than `_BEHIND`, [m],
    measured along the horizontal direction of view.

    Args:
        picture: the editor with the N handles.
        places: places of these handles, in their order, shape (N, 3), [m], world frame.

    Returns:
        Shape (N,).
    """
    # The camera looks along −z of its own frame, whose z axis is row 2 of the view matrix.
    sight = -picture.view.camera.view()[2, :3]
    # Only its horizontal part is used: as the place of a body is on the floor, all hands would be
    # in front of it for a camera that looks down.
    level_sight = sight * (1.0, 0.0, 1.0)
    points = picture.handles.points
    # A body that moves has a handle for each of its keys, and the last one is taken.
    place_by_juggler = {body.juggler: body.place for body in points if body.mark is Mark.BODY}
    body_places = np.array([place_by_juggler[point.juggler] for point in points]).reshape(-1, 3)
    return np.asarray((places - body_places) @ level_sight > _BEHIND)


def _body_of(picture: PictureEditor, point: HandlePoint) -> Floats:
    """Return where the juggler of a handle stands, shape (3,), [m], on the floor, world frame.

    Of a body with several keys, this is the place of the first.
    """
    return next(
        np.array(body.place)
        for body in picture.handles.points
        if body.mark is Mark.BODY and body.juggler == point.juggler
    )


def _size_of_marks(picture: PictureEditor) -> float:
    """Return the radius of marks that are not chosen, [pixels]; smaller where people are small.

    It is the same for all marks of the picture, and follows from how tall one metre is in the
    picture at the first body.

    Args:
        picture: the editor of handles in the picture.
    """
    # Every animation has a body, so there is a first one.
    foot = np.array(
        next(point.place for point in picture.handles.points if point.mark is Mark.BODY)
    )
    one_metre_up = foot + (0.0, 1.0, 0.0)
    (_x, foot_y), (_x, upper_y) = picture.view.to_window(np.array([foot, one_metre_up]))
    # y of the window points down, so that the foot has the larger one. Marks are smaller where a
    # metre has less than `_FULL_SIZE_METRE` pixels at scale 1, down to `_MIN_SCALE` of their size.
    share_of_full_size = (foot_y - upper_y) / px(_FULL_SIZE_METRE)
    # It is NaN if the body is behind the camera: then marks have their full size.
    if not math.isfinite(share_of_full_size):
        return px(_MARK_SIZE)
    return px(_MARK_SIZE) * min(max(share_of_full_size, _MIN_SCALE), 1.0)


def _draw_mark(
    draw: Any,
    mark: Mark,
    *,
    at: Floats,
    size: float,
    chosen: bool,
    lit: bool,
    opacity: float,
) -> None:
    """Draw the mark of a hand: a triangle for a throw, a disc for a catch, a diamond for a point.

    Args:
        draw: imgui's draw list.
        mark: kind of the handle.
        at: its place, shape (2,), [pixels].
        size: radius of the disc of a mark that is neither chosen nor lit, [pixels].
        chosen: whether the handle is chosen: then it is larger, with a strong halo and an outline.
        lit: whether the mouse is on it: then it is larger, with a faint halo.
        opacity: the opacity of the mark, 0 to 1; halos have their own.
    """
    x, y = at.tolist()
    disc_radius = size * (_LIT_SCALE if chosen or lit else 1.0)
    fill = ui.colour(_COLOURS[mark], opacity)
    edge = ui.colour(_WHITE, opacity)
    if chosen or lit:
        halo_radius = _HALO_SCALE * disc_radius
        opacity_of_halo = _CHOSEN_HALO_OPACITY if chosen else _LIT_HALO_OPACITY
        draw.add_circle_filled((x, y), halo_radius, ui.colour(_COLOURS[mark], opacity_of_halo))
        if chosen:
            outline = ui.colour(_BLACK, _OUTLINE_OPACITY)
            draw.add_circle((x, y), halo_radius, outline, thickness=px(_OUTLINE_WIDTH))

    # The shape with a white edge: first the whole in white, then the smaller fill on top.
    if mark is Mark.CATCH:
        draw.add_circle_filled((x, y), disc_radius + px(_DISC_EDGE), edge)
        draw.add_circle_filled((x, y), disc_radius, fill)
        return
    unit_corners = _TRIANGLE if mark is Mark.THROW else _DIAMOND
    shape_radius = _CORNERED_SCALE * disc_radius
    for radius, colour in ((shape_radius + px(_CORNER_EDGE), edge), (shape_radius, fill)):
        corners = [(x + radius * across, y + radius * down) for across, down in unit_corners]
        draw.add_convex_poly_filled(corners, colour)


def _draw_guides(picture: PictureEditor, draw: Any) -> None:
    """Draw the guides of a drag: lines of snapped coordinates, or the grid under a body.

    A hand is dragged in a plane of its body, or in depth, along the normal of that plane. Nothing
    is drawn without a drag, or before the mouse has moved far enough to begin one.

    Args:
        picture: the editor of handles in the picture.
        draw: imgui's draw list.
    """
    drag = picture.dragged
    view = picture.view
    point = picture.now  # the handle where the drag has put it
    if drag is None or not drag.has_moved or point is None:
        return
    place = np.array(point.place)
    if not drag.point.is_of_hand:  # a body has a grid; its heading has no guide
        if drag.point.mark is Mark.BODY:
            _draw_grid(place, picture, draw)
        return

    # Unit vectors to the left, up and forward of the body, in this order, world frame.
    directions = drag.frame.axes
    # In depth: the line along which the hand moves, and a vertical one from it to the floor.
    if drag.in_depth:
        reach = _DEPTH_GUIDE * directions[drag.normal]
        start = place - reach
        end = place + reach
        _world_line(draw, view, start, end, colour=_COLOURS[Mark.POINT], width=1.6)
        foot = place * (1.0, 0.0, 1.0)
        _world_line(draw, view, place, foot, colour=_BLACK, width=1.0)

    # A guide for each snapped coordinate: a line normal to its axis. In depth it is vertical, else
    # along the other axis of the plane of the drag, which leaves one of the three.
    for axis, reason in picture.guides.items():
        guide_axis = UP
        if not drag.in_depth:
            (guide_axis,) = {LEFT, UP, FORWARD} - {drag.normal, axis}
        reach = _GUIDE * directions[guide_axis]
        colour = _COLOURS[Mark.CATCH] if reason == "partner" else _COLOURS[Mark.THROW]
        _world_line(draw, view, place - reach, place + reach, colour=colour, width=1.4)
        if reason == "partner":
            # A line to the mirror image of the hand. Hands are numbered 2 · juggler + side, so that
            # `hand ^ 1` is the other hand of the juggler.
            other_hand = point.hand ^ 1
            outward_up_forward = coordinates(picture.animation, point.event)
            mirrored = to_body(picture.animation, other_hand, outward_up_forward)
            image = drag.frame.to_world(mirrored)
            _world_line(draw, view, place, image, colour=colour, width=1.0)


def _draw_grid(place: Floats, picture: PictureEditor, draw: Any) -> None:
    """Draw the grid to which a dragged body snaps, on the floor around the body.

    Grid lines are at multiples of `GRID` of the world's x and z, `_GRID_LINES` to each side of the
    body.

    Args:
        place: the place of the body, shape (3,), [m], world frame.
        picture: the editor of handles, whose `view` projects the world into the picture.
        draw: imgui's draw list.
    """
    nearest_x, _height, nearest_z = np.round(place / GRID) * GRID
    half_length = _GRID_LINES * GRID
    x_axis = 0
    z_axis = 2
    for step in range(-_GRID_LINES, _GRID_LINES + 1):
        # A line along one axis, at a step along the other.
        for line_axis, offset_axis in ((x_axis, z_axis), (z_axis, x_axis)):
            middle = np.array([nearest_x, 0.0, nearest_z])
            middle[offset_axis] += step * GRID
            half_line = np.zeros(3)
            half_line[line_axis] = half_length
            # Lines through a snapped body are emphasized. The tolerance, [m], is for its rounding
            # errors.
            is_through_body = abs(middle[offset_axis] - place[offset_axis]) < 1e-6
            colour = _COLOURS[Mark.BODY] if is_through_body else _BLACK
            width = 2.0 if is_through_body else 0.8  # pixels at scale 1
            opacity = 0.9 if is_through_body else 0.35
            start = middle - half_line
            end = middle + half_line
            _world_line(draw, picture.view, start, end, colour=colour, width=width, opacity=opacity)


def _world_line(
    draw: Any,
    view: View,
    start: Floats,
    end: Floats,
    *,
    colour: str,
    width: float,
    opacity: float = 0.9,
) -> None:
    """Draw a line between two points of the world, if both are in front of the camera.

    Args:
        draw: imgui's draw list.
        view: the picture.
        start, end: shape (3,), [m], world frame.
        colour: six hexadecimal digits, RGB.
        width: [pixels] at scale 1.
        opacity: 0 to 1.
    """
    ends = view.to_window(np.array([start, end]))  # NaN behind the camera
    if np.isfinite(ends).all():
        start_in_window, end_in_window = ends.tolist()
        draw.add_line(start_in_window, end_in_window, ui.colour(colour, opacity), px(width))


def _line(
    draw: Any,
    corners: list[list[float]],
    *,
    colour: str,
    width: float,
    closed: bool = False,
) -> None:
    """Draw a line with a white edge, which makes it visible on any background.

    Args:
        draw: imgui's draw list.
        corners: x and y of the corners of the line, [pixels].
        colour: six hexadecimal digits, RGB.
        width: [pixels] at scale 1, without the edge.
        closed: whether the last corner is joined to the first.
    """
    flags = imgui.ImDrawFlags_.closed if closed else 0
    draw.add_polyline(
        corners, ui.colour(_WHITE, 0.7), flags=flags, thickness=px(width + 2 * _LINE_EDGE)
    )
    draw.add_polyline(corners, ui.colour(colour), flags=flags, thickness=px(width))


def _arrow(
    draw: Any,
    start: Floats,
    tip: Floats,
    *,
    colour: str,
    width: float,
    head_length: float = 0.0,
) -> None:
    """Draw an arrow with a white edge between two points of the window.

    Args:
        draw: imgui's draw list.
        start, tip: shape (2,), [pixels].
        colour: six hexadecimal digits, RGB.
        width: the width of the shaft, [pixels] at scale 1.
        head_length: least length of the head, [pixels]; a wide shaft makes it longer.
    """
    x, y = start.tolist()
    tip_x, tip_y = tip.tolist()
    length = math.hypot(tip_x - x, tip_y - y)
    if length < 1e-3:  # pixels: start and tip coincide, so that the arrow has no direction
        return
    # The unit vector from start to tip is (across, down), and the one normal to it (−down, across).
    across = (tip_x - x) / length
    down = (tip_y - y) / length

    # The shaft ends at the neck, where the head begins, which sticks out beside a wide shaft.
    head = max(head_length, px(2 * width + 4))
    neck_x = tip_x - head * across
    neck_y = tip_y - head * down
    _line(draw, [[x, y], [neck_x, neck_y]], colour=colour, width=width)

    # The head: a white triangle 1.25 times as large, and one in colour on it. Both have the same
    # base line, at the neck; the larger one reaches beyond the tip and to the sides.
    for scale, tint in ((1.25, ui.colour(_WHITE, 0.8)), (1.0, ui.colour(colour))):
        beyond = (scale - 1) * head
        half_width = scale * 0.55 * head
        corners = [
            (tip_x + beyond * across, tip_y + beyond * down),
            (neck_x - half_width * down, neck_y + half_width * across),
            (neck_x + half_width * down, neck_y - half_width * across),
        ]
        draw.add_convex_poly_filled(corners, tint)


def _draw_words(picture: PictureEditor, model: Model, point: HandlePoint, layout: Layout) -> None:
    """Draw a box of words about the handle that the mouse is on, or that is dragged.

    The first line is in strong type. If a drag is refused, a last line in red says why. Nothing is
    drawn for a handle behind the camera.

    Args:
        picture: the editor of handles in the picture.
        model: its `error` says why a drag is refused; empty if it is not.
        point: the handle.
        layout: the layout of the window.
    """
    if not np.isfinite(picture.view.to_window(np.array([point.place]))).all():
        return  # behind the camera
    is_dragged = picture.dragged is not None and picture.dragged.has_moved
    lines = drag_words(picture, point) if is_dragged else hover_words(picture, point)
    is_refused = is_dragged and bool(model.error)
    if is_refused:
        lines.append(model.error)

    # The box around the lines.
    extents = [measure(line, strong=index == 0) for index, line in enumerate(lines)]
    line_height = px(18)
    width = max(line_width for line_width, _height in extents) + px(20)
    height = len(lines) * line_height + px(12)
    left, top = _words_place(picture, point, layout.free, (width, height))
    draw = draw_tooltip_box(Rectangle(left, top, width, height))

    for index, line in enumerate(lines):
        ink = ui.MUTED if index else ui.INK
        if is_refused and index == len(lines) - 1:
            ink = ui.ERROR
        y = top + px(7) + index * line_height
        draw_text(left + px(10), y, line, ink, strong=index == 0, draw=draw)


def _words_place(
    picture: PictureEditor,
    point: HandlePoint,
    free: Rectangle,
    size: tuple[float, float],
) -> tuple[int, int]:
    """Return the place of the box of words about a handle.

    It must not hide the handles of the juggler's hands (throws, catches and points of their paths):
    it is to the left or right of all of them, or, where neither side has room, above them, or else
    below them.

    Args:
        picture: the editor of handles in the picture.
        point: the handle, which is in front of the camera.
        free: the part of the window that no card covers.
        size: width and height of the box, [pixels].

    Returns:
        Left and top of the box, whole [pixels].
    """
    width, height = size
    distance = px(26)  # from the handles
    gap = px(10)  # above the handle itself
    (x, y), (body_x, _y) = picture.view.to_window(np.array([point.place, _body_of(picture, point)]))

    # The bounding box of the handles of the juggler's hands. The handle of a body lies on the
    # floor, away from them, so only that handle itself is to be kept free.
    hands_left = hands_right = x
    hands_top = hands_bottom = y
    if point.is_of_hand:
        hand_places = [
            handle.place
            for handle in picture.handles.points
            if handle.juggler == point.juggler and handle.is_of_hand
        ]
        # NaN for those behind the camera, but not for all of them, as `point` is in front of it.
        places_in_window = picture.view.to_window(np.array(hand_places))
        hands_left, hands_top = np.nanmin(places_in_window, axis=0)
        hands_right, hands_bottom = np.nanmax(places_in_window, axis=0)

    fits_left = hands_left - distance - width >= free.left
    fits_right = hands_right + distance + width <= free.right
    if fits_left or fits_right:
        # Beside the hands, on the side of the body that the handle is on if the box fits there,
        # else on the other. Vertically just above the handle, or below it at the top of the window.
        is_handle_on_right = x >= body_x
        is_box_on_right = fits_right if is_handle_on_right else not fits_left
        left = hands_right + distance if is_box_on_right else hands_left - distance - width
        top = y - height - gap
        if top <= free.top:
            top = y + px(18)
    else:
        # Neither side has room: above the hands, centred on the handle, or else below them.
        left = x - width / 2
        top = hands_top - height - distance
        if top <= free.top:
            top = hands_bottom + distance

    # Moved into the free part, 2 pixels from its edges. A box that is wider than that part begins
    # at its left edge, so that the beginnings of lines can be read.
    left = min(max(left, free.left + 2), max(free.right - width - 2, free.left + 2))
    return round(left), round(min(top, free.bottom - height - 2))


def _draw_entry(
    picture: PictureEditor, keys: PictureKeys, entry: HandleEntry, layout: Layout
) -> None:
    """Draw the field in which the numbers of a handle are typed, and apply them on Enter.

    A handle is a mark that can be dragged; its numbers are its coordinates. The field closes
    without a change when it loses the keyboard focus, or if its handle no longer exists because the
    pattern has changed.

    Args:
        picture: the editor of handles in the picture.
        keys: holds the entry, and applies it.
        entry: the handle, and the text typed so far.
        layout: the layout of the window.
    """
    point = picture.handles.find(entry.handle)
    if point is None:
        keys.entry = None
        return
    ((x, y),) = picture.view.to_window(np.array([point.place]))
    free = layout.free
    pad = px(8)

    # Below the field: why the numbers are refused, or else what they mean.
    words = entry.error or (_HAND_NUMBERS if point.is_of_hand else _BODY_NUMBERS)
    wrap_width = min(px(320), free.width - 8) - 2 * pad
    words_width, words_height = measure(words, wrap=wrap_width)

    # To the right of the handle, but moved so far that all of it is in the free part of the window.
    width = max(px(_ENTRY_WIDTH), words_width + 2 * pad)
    height = px(_ENTRY_HEIGHT) + words_height + 3 * pad
    left = min(max(x + px(16), free.left + 4), free.right - width - 4)
    top = min(max(y - height / 2, free.top + 4), free.bottom - height - 4)
    place = Rectangle(round(left), round(top), width, height)
    begin_card("handle entry", place)
    field = Rectangle(place.left + pad, place.top + pad, width - 2 * pad, px(_ENTRY_HEIGHT))
    fill_box(field, ui.FIELD, edge=ui.ERROR if entry.error else ui.ACCENT, rounding=6)
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
    takes_focus = entry.wants_focus
    entry.wants_focus = False
    is_entered, entry.text = draw_field(
        "numbers",
        entry.text,
        field,
        takes_focus=takes_focus,
        flags=flags,
        tip=term_tip("numbers"),
    )
    has_lost_focus = imgui.is_item_deactivated()
    tint = ui.ERROR if entry.error else ui.MUTED
    draw_text(field.left, field.bottom + px(6), words, tint, wrap=wrap_width)
    imgui.end()
    if is_entered:
        keys.apply_entry(entry.text)
    elif has_lost_focus:
        keys.entry = None


def hover_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return what a handle is, its numbers, and how it is moved, in plain words.

    Args:
        picture: the editor of handles in the picture.
        point: the handle: a throw, a catch or a point on the path of a hand, or the ring or arrow
            of a body.

    Returns:
        Lines in this order. The first says what the handle is, and is shown as a title.
    """
    # Jugglers are numbered from 1, and only if there are several.
    are_numbered = picture.animation.num_jugglers > 1
    number = point.juggler + 1
    numbers = _numbers(picture, point)
    who = _("Juggler {juggler}", juggler=number) if are_numbered else _("The juggler")
    if point.mark is Mark.HEADING:
        return [
            _("{who} faces this way", who=who),
            numbers,
            _("Drag to turn in quarter turns; hold Shift to turn freely"),
        ]
    if point.mark is Mark.BODY:
        return [
            _("{who} stands here", who=who),
            numbers,
            _("Drag to move, drag the arrow to turn, or press Enter to type"),
        ]

    # All other marks are of hands: throws, catches and points that hands pass.
    hand = sentence(hand_in_words(point.hand))
    if are_numbered:
        hand += _(" of juggler {juggler}", juggler=number)
    does = _("passes through here")
    if point.mark is Mark.THROW:
        does = _("throws here")
    elif point.mark is Mark.CATCH:
        does = _("catches here")
    beat = _beat_words(picture, point)
    lines = [
        f"{hand} {does}{beat}",
        numbers,
        _("Drag to move (Ctrl: in depth, Shift: without snapping), or press Enter to type"),
        _("Right-click for more actions"),
    ]
    # Handles that cover each other in the picture: another click chooses the next of them.
    stacked_count = len(picture.stack_of(point))
    if stacked_count > 1:
        lines.append(_("{count} handles here: click again for the next", count=stacked_count))
    return lines


def _beat_words(picture: PictureEditor, point: HandlePoint) -> str:
    """Return the beat of a throw, or of the hand's next throw after a catch, in words.

    The words begin with a space, to follow other words: ` on beat 3` or ` before beat 3`. Beats are
    counted from 1 at the start of the loop. Empty for points that hands pass, for hands that never
    throw, and where the choreography comes from events of a file, which are on no beats.

    Args:
        picture: the editor of handles in the picture.
        point: the handle.
    """
    if picture.animation.pattern is None or point.mark not in (Mark.THROW, Mark.CATCH):
        return ""
    choreography = picture.animation.choreography
    events = choreography.events
    throw_times = events.time[(events.hand == point.hand) & (events.kind == THROW)]
    if not len(throw_times):
        return ""
    # How long after the handle each throw of the hand comes, cyclically, so that the next throw may
    # be in the next loop. The tolerance is for throw handles: their own throw comes after 0 s,
    # which rounding could turn into almost a whole loop.
    waits = (throw_times - point.time + _TIME_TOLERANCE) % choreography.duration
    next_throw_time = float(throw_times[waits.argmin()])
    beat = 1 + round(next_throw_time * choreography.bps, 2)
    return (
        _(" on beat {beat:g}", beat=beat)
        if point.mark is Mark.THROW
        else _(" before beat {beat:g}", beat=beat)
    )


def picture_hints(picture: PictureEditor) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the line of hints for the picture: what is chosen, and what keys do with it.

    Args:
        picture: the editor of handles in the picture.

    Returns:
        words: what is chosen; if nothing is, how to choose.
        keys: pairs of the name of a key and what it does, the most important first, as those that
            do not fit the line are left out from the end.
    """
    chosen = picture.chosen
    if not chosen:
        words = _("Drag a triangle (throw), a disc (catch) or a diamond (point between)")
        return words, (
            (caption(Action.BACK), _("stop editing")),
            (caption(Action.HANDLE_PLACE), _("ladder")),
            (caption(Action.HANDLE_AFTER), _("choose")),
            (_("Wheel"), _("zoom")),
        )
    if len(chosen) > 1:
        words = _("{count} handles", count=len(chosen))
    else:
        words, *_other_lines = hover_words(picture, chosen[0])
    # Page up moves a hand away from the camera, but turns a body, which stays on the floor. The
    # handle that was chosen last decides.
    page_up_does = _("in depth") if chosen[-1].is_of_hand else _("turn")
    return words, (
        ("← → ↑ ↓", _("move")),
        (caption(Action.PAGE_UP), page_up_does),
        (caption(Action.TYPE_VALUE), _("numbers")),
        (_("Shift"), _("fine")),
        (caption(Action.HANDLE_PLACE), _("ladder")),
        (caption(Action.BACK), _("deselect")),
    )


def drag_words(picture: PictureEditor, point: HandlePoint) -> list[str]:
    """Return the lines about a handle that is dragged.

    Args:
        picture: the editor of handles in the picture.
        point: the handle.

    Returns:
        Its numbers; what its coordinates have snapped to, if any have; and how many mirror images
        move along, if any do.
    """
    lines = [_numbers(picture, point)]

    # A guide is "partner" if the coordinate has become that of the other hand, else "zero": then
    # its words name what that zero is.
    snapped_to = []
    for axis, reason in picture.guides.items():
        coordinate = {LEFT: _("outward"), UP: _("up"), FORWARD: _("forward")}[axis]
        zero = {
            LEFT: _("centre of the body"),
            UP: _("default height"),
            FORWARD: _("default depth"),
        }[axis]
        snapped_to.append(
            _("{name} like the other hand", name=coordinate) if reason == "partner" else zero
        )
    if snapped_to:
        lines.append(", ".join(snapped_to))

    image_count = picture.moved_along
    if image_count > 0:
        key = caption(Action.SYMMETRIC)
        lines.append(
            ngettext(
                "its mirror image moves too; {key} to move it alone",
                "{number} mirror images move too; {key} to move it alone",
                image_count,
                key=key,
            )
        )
    return lines


def _numbers(picture: PictureEditor, point: HandlePoint) -> str:
    """Return the numbers of a handle with their names and units, as a text for users.

    For a body these are its turn to the left, [°], and its place on the floor, [cm]; for a hand its
    place relative to its body, [cm], and the time in the loop, [s].

    Args:
        picture: the editor of handles in the picture.
        point: the handle.
    """
    first, second, third = number_texts(picture.animation, point)
    if not point.is_of_hand:
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
