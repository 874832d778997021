"""Labels in the picture: numbers of props, values of throws, and names of split halves.

Numbers that would cover each other are moved apart, by no more than they must.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.language import _
from juggle_anim.scene import Camera
from juggle_anim.viewer.arms.arm_lab import GhostGap, gap_text
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    draw_keycap,
    draw_text,
    ellipsize,
    focus,
    measure,
    px,
)
from juggle_anim.viewer.layout import Layout, Rectangle, project_points
from juggle_anim.viewer.panel.values import option_words
from juggle_anim.viewer.picture_parts import LABEL_HEIGHT, picture_parts
from juggle_anim.viewer.state.beats import LitThrow, lit_throws
from juggle_anim.viewer.state.keymap import Action, caption, term_tip
from juggle_anim.viewer.state.split import labels

if TYPE_CHECKING:
    from juggle_anim.routine import Routine

MAX_NUMBERS = 200
"""More numbers of props than this would be illegible."""

_OVER_HEAD = np.array([0.0, 0.22, 0.0])  # m from the joint, above all hair
_BELOW_FOOT = np.array([0.0, 0.3, 0.0])  # m from the ankle
_MAX_LARGE_JUGGLERS = 2  # more jugglers get smaller numbers
_LIGHT_LUMA = 0.36  # of colours on which black is easier to read than white
# Sizes of the card at scale 1, [pixels].
_LABEL_HEIGHT = 26.0
_PAD = 12.0
_GAP = 6.0
_KEYCAP_SPACE = 15.0  # around the name of a key
_DIVIDER_WIDTH = 2.0  # between the halves

_NOW = 0.08  # s before and after a collision in which its ring is thick
_RING_RADIUS = 16.0  # of a collision

# Around a prop above the picture, within which its mark stands at the picture's edge, at scale 1,
# [pixels].
_MARK_REACH = 90.0
_MARK_HEIGHT = 32.0

MAX_LABELS = 60
"""Among more labels than this there is no room to move them."""

_MAX_PASSES = 12  # over all pairs of labels


class JugglerLabels(Card):
    """The number of each juggler, as rows of the ladder have it."""

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the number of each juggler over the head, or at the feet if cards cover heads.

        A juggler alone has no number.

        Args:
            frame: the controller, its model and the layout of the window.
            place: not needed, as it follows from the places of jugglers.
        """
        model = frame.model
        top = frame.layout.free.top + px(ui.TEXT + 6)
        for part in picture_parts(model, frame.layout):
            # The animation at this moment, which is a transition during a change, and the time in
            # it, [s].
            juggled, time, _ = part.live.moment(model.playback.clock)
            if juggled.num_jugglers < 2:
                continue
            joints = juggled.pose(np.array([time])).joints[0]
            heads = joints[:, Joint.HEAD] + _OVER_HEAD
            feet = joints[:, (Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE)].mean(axis=1) - _BELOW_FOOT
            for camera, area in part.views:
                picture = frame.layout.place_of(area)
                over, below = (project_points(at, camera, picture) for at in (heads, feet))
                # All numbers go to the feet if one would lie under the card at the top (y points
                # down). NaN, where a point is behind the camera, is ignored.
                seen = over if np.nanmin(over[:, 1], initial=np.inf) > top else below
                for number, (x, y) in enumerate(seen.tolist(), start=1):
                    if np.isfinite(x):  # NaN behind the camera
                        _draw_juggler_number(str(number), x, y)


def _draw_juggler_number(words: str, x: float, y: float) -> None:
    """Write a number over a place, [pixels], behind all cards."""
    pad = px(5)
    width, height = measure(words, ui.TEXT, strong=True)
    left = round(x - width / 2)
    top = round(y - height)
    draw = imgui.get_background_draw_list()
    draw.add_rect_filled(
        (left - pad, top - 1), (left + width + pad, top + height + 1), ui.SHEET, pad
    )
    draw_text(left, top, words, text_size=ui.TEXT, strong=True, draw=draw)


class CollisionMarks(Card):
    """A ring where props collide, which is thick while they do."""

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw a ring around the place of each collision in the loop; thick while it happens.

        The rings lie over the picture, behind all cards.

        Args:
            frame: the controller, its model and the layout of the window.
            place: not needed, as it follows from the places of collisions.
        """
        model = frame.model
        draw = imgui.get_background_draw_list()
        for part in picture_parts(model, frame.layout):
            # The animation at this moment, which is a transition during a change, and the time in
            # it, [s].
            juggled, time, _ = part.live.moment(model.playback.clock)
            hits = model.facts.hits(juggled)
            if not hits:
                continue
            places = np.array([hit.place for hit in hits])
            duration = juggled.choreography.duration
            for camera, area in part.views:
                seen = project_points(places, camera, frame.layout.place_of(area))
                for hit, (x, y) in zip(hits, seen.tolist(), strict=True):
                    if not np.isfinite(x):
                        continue  # behind the camera
                    # Time to the nearest repetition of the collision in the loop, [s].
                    apart = abs((hit.time - time + duration / 2) % duration - duration / 2)
                    is_now = apart < _NOW
                    radius = px(_RING_RADIUS)
                    thickness = px(3.5 if is_now else 1.5)
                    if is_now:
                        # A wider ring below sets it off from the picture.
                        draw.add_circle((x, y), radius, ui.SHEET, thickness=thickness + 2)
                    draw.add_circle((x, y), radius, ui.ERROR, thickness=thickness)


class HighThrowTips(Card):
    """Explains the marks of props above a picture, which are drawn in the picture itself."""

    def __init__(self) -> None:
        self._has_offered = False  # whether a notice has offered to show all throws

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Register the tooltip of a mark if the mouse is on one.

        When throws leave the picture for the first time, also offer in a notice to show them all.

        Args:
            frame: the controller, its model and the layout of the window.
            place: not needed, as it follows from the places of props.
        """
        model = frame.model
        x, y = frame.mouse
        if not self._has_offered and not model.notice.text and _throws_leave(frame):
            self._has_offered = True
            offer = f"{_('Show all throws')}  {caption(Action.FRAMING)}"
            show = partial(frame.controller.perform, Action.FRAMING)
            model.notice.say(_("High throws leave the picture."), offer=(offer, show))
        for part in picture_parts(model, frame.layout):
            top = part.layout.free.top
            if not top <= y < top + px(_MARK_HEIGHT):
                continue
            time = part.live.drawn_time(model.playback.clock)
            for camera, area in part.views:
                picture = frame.layout.place_of(area)
                seen = prop_positions(part.live.drawn, time, camera, picture)
                is_marked = (seen[:, 1] < top) & (np.abs(seen[:, 0] - x) < px(_MARK_REACH))
                if is_marked.any():
                    mark = Rectangle(x - px(_MARK_HEIGHT), top, px(_MARK_REACH), px(_MARK_HEIGHT))
                    focus.explain("high throw", mark, term_tip("high throw", action=Action.FRAMING))


def _throws_leave(frame: Frame) -> bool:
    """Return whether throws rise above a picture, and another framing would show them."""
    if frame.model.animation.parameters.framing != "people":
        return False
    apexes = frame.model.animation.motion.flight_paths.parabolas.apexes()
    for part in picture_parts(frame.model, frame.layout):
        if part.rig.is_manual or part.rig.is_in_eyes or not part.rig.settled:
            continue
        for camera, area in part.views:
            seen = project_points(apexes, camera, frame.layout.place_of(area))
            if (seen[:, 1] < part.layout.free.top).any():
                return True
    return False


class NumberLabels(Card):
    """Numbers of props and values of throws, in every picture of the window."""

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the values of recent throws and the numbers of props, behind all cards.

        In each picture: a split view has two, and stereo one for each eye.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        model = frame.model
        layout = frame.layout
        for part in picture_parts(model, layout):
            for camera, area in part.views:
                picture = layout.place_of(area)
                # Values of throws are drawn first. `occupied` holds their labels, so that numbers
                # of props keep clear of them.
                occupied = np.zeros((0, 4))
                if model.screen.numbers.of_throws:
                    juggled, time, _ = part.live.moment(model.playback.clock)
                    lit = lit_throws(juggled, model.throw_values.of(juggled.score), time)
                    occupied = draw_throw_numbers(juggled, lit, camera, picture)
                if model.screen.numbers.of_props:
                    draw_prop_numbers(
                        part.live.drawn,
                        part.live.drawn_time(model.playback.clock),
                        camera,
                        picture,
                        occupied,
                    )


def draw_prop_numbers(
    juggled: Animation | Routine,
    time: float,
    camera: Camera,
    place: Rectangle,
    occupied: Floats,
) -> None:
    """Write the number of each prop behind all cards, from 1 in the order of orbits.

    Args:
        juggled: the animation or routine with the P props.
        time: time of the picture, [s].
        camera: camera of the picture.
        place: place of the picture in the window, [pixels].
        occupied: labels that are already drawn, from which the numbers keep clear: x and y of the
            centre, width and height, shape (N, 4) for N labels, of which there may be none,
            [pixels].
    """
    draw = imgui.get_background_draw_list()
    pad = px(3)
    distance = px(9)  # from the prop

    # The number of each prop as text, and the widths and heights of these, shape (P, 2), [pixels].
    seen = prop_positions(juggled, time, camera, place)[:MAX_NUMBERS]
    texts = [str(number + 1) for number in range(len(seen))]
    extents = np.array([measure(text, strong=True) for text in texts])
    extents = extents.reshape(-1, 2)  # without props the array has shape (0,) at first

    # The centre of each number is to the upper right of its prop, where y points down: by the
    # distance and half of the number's own extent.
    beside = seen + (distance, -distance) + extents * (0.5, -0.5)
    # All labels in one array, first those that stay, of which `standing` is the number.
    centres = np.concatenate([occupied[:, :2], beside])
    boxes = np.concatenate([occupied[:, 2:], extents + (2 * pad, 2)])
    separated = separate_labels(centres, boxes, px(1), standing=len(occupied))
    own_centres = separated[len(occupied) :]

    for text, (x, y), (width, height) in zip(
        texts, own_centres.tolist(), extents.tolist(), strict=True
    ):
        if not np.isfinite(x):
            continue  # the prop is behind the camera
        left = round(x - width / 2)
        top = round(y - height / 2)
        corners = (left - pad, top - 1), (left + width + pad, top + height + 1)
        draw.add_rect_filled(*corners, ui.SHEET, pad)
        draw_text(left, top, text, strong=True, draw=draw)


def prop_positions(
    juggled: Animation | Routine, time: float, camera: Camera, place: Rectangle
) -> Floats:
    """Return where each prop is in the window, shape (P, 2), [pixels]; NaN behind the camera."""
    props = juggled.sample(np.array([time])).props[0]
    return project_points(props, camera, place)


def draw_throw_numbers(
    animation: Animation, lit: list[LitThrow], camera: Camera, place: Rectangle
) -> Floats:
    """Write values of throws below the places where they are made, behind all cards.

    Args:
        animation: the animation with the throws.
        lit: recent throws, with the text, the place of release in the world [m], the colour of the
            prop, and the glow, which falls from 1 at the throw to 0 and is used as opacity.
        camera: camera of the picture.
        place: place of the picture in the window, [pixels].

    Returns:
        x and y of the centre, width and height of each label that is drawn, shape (N, 4) for N
        labels, [pixels].
    """
    if not lit:
        return np.zeros((0, 4))
    draw = imgui.get_background_draw_list()
    text_size = ui.LARGE if animation.num_jugglers <= _MAX_LARGE_JUGGLERS else ui.TEXT
    pad = px(5)
    distance = px(12)  # below the release

    # Where the boxes of labels overlap, they are moved apart, but only sideways, so that each stays
    # at the height of its own hand. A box is at least as wide as it is high.
    seen = project_points(np.array([throw.place for throw in lit]), camera, place)
    extents = [measure(throw.text, text_size, strong=True) for throw in lit]
    boxes = np.array([(max(width, height) + 2 * pad, height + px(2)) for width, height in extents])
    separated = separate_labels(seen, boxes, px(2), across_only=True)

    drawn = []
    for throw, (width, height), (x, y) in zip(lit, extents, separated.tolist(), strict=True):
        if not place.covers(x, y):  # also false for NaN, behind the camera
            continue
        left = round(x - width / 2)
        top = round(y + distance)
        half_width = max(width, height) / 2 + pad
        low = (x - half_width, top - px(1))
        high = (x + half_width, top + height + px(1))
        # Black or white, whichever is read more easily on the colour of the prop.
        ink = ui.colour("000000" if is_light(throw.colour) else "FFFFFF", throw.glow)
        fill = ui.pack_colour(throw.colour, throw.glow)
        draw.add_rect_filled(low, high, fill, px(7))
        draw_text(left, top, throw.text, ink, text_size, strong=True, draw=draw)
        # The centre of the box itself, which lies below the point of the throw.
        drawn.append((x, top + height / 2, high[0] - low[0], high[1] - low[1]))
    return np.array(drawn).reshape(-1, 4)


def is_light(colour: tuple[float, float, float]) -> bool:
    """Return whether black is easier to read than white on a colour, sRGB from 0 to 1."""
    red, green, blue = colour
    return 0.30 * red + 0.59 * green + 0.11 * blue > _LIGHT_LUMA


class GhostLabel(Card):
    """Whose arms those of the ghost are, and how far its elbows are from the others."""

    def __init__(self) -> None:
        self._gap = GhostGap()

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the label of the ghost in the lower left corner of the picture.

        The ghost is a second pair of arms in another colour, posed by another arm solver. The label
        names both solvers, and says how far the elbows of both are apart at present.

        Args:
            frame: the controller, its model and the layout of the window.
            place: not needed, as the layout says where the picture is.
        """
        model = frame.model
        free = frame.layout.free
        # The distance of the elbows as text; empty if it is not known at present.
        if model.lab:  # the arm lab, in which time stands still, has computed its own gap
            lab_gap = model.lab.ghost_gap
            gap = "" if lab_gap is None else gap_text(lab_gap)
        else:
            gaps = self._gap.at(model.animation, model.playback.time)
            gap = gap_text(*gaps) if gaps else ""
        parameters = model.animation.parameters
        name = f"{option_words(parameters.ghost)}  ↔  {option_words(parameters.arms)}"
        full_words = f"{name}  ·  {gap}" if gap else name

        # From left to right: a swatch (a small box) in the colour of the ghost, and the words.
        pad = px(_PAD)
        swatch = px(10)
        room = free.width - 2 * px(_GAP) - 3 * pad - swatch
        words = ellipsize(full_words, room)
        words_width, words_height = measure(words)
        height = px(_LABEL_HEIGHT)
        left = round(free.left + px(_GAP) + pad)
        top = round(free.bottom - px(_GAP) - height)
        swatch_left = left + pad
        words_left = swatch_left + swatch + px(_GAP)
        middle = top + height / 2
        draw = imgui.get_background_draw_list()
        draw.add_rect_filled(
            (left, top), (words_left + words_width + pad, top + height), ui.SHEET, height / 2
        )
        draw.add_rect_filled(
            (swatch_left, middle - swatch / 2),
            (swatch_left + swatch, middle + swatch / 2),
            ui.pack_colour(model.animation.look.palette.ghost),
            swatch / 4,
        )
        draw_text(words_left, middle - words_height / 2, words, draw=draw)


class SplitLabels(Card):
    """A label over each half of a split view, and a line between them."""

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw what each half of a split view shows; nothing over a single picture.

        The labels lie behind all cards.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        model = frame.model
        layout = frame.layout
        left_edges = sorted(part.area.left for part in picture_parts(model, layout))
        if len(left_edges) < 2:
            return
        # The left half ends where the right one begins.
        boundary = left_edges[1]
        _draw_line(layout, boundary)
        right_edges = boundary, layout.width
        for half, (left, right, words) in enumerate(
            zip(left_edges, right_edges, labels(model), strict=True)
        ):
            room = Rectangle(left, layout.free.top, right - left, px(LABEL_HEIGHT))
            _draw_label(room, words, chosen=half == model.half)


def _draw_line(layout: Layout, middle: int) -> None:
    """Draw the line between two halves."""
    half = px(_DIVIDER_WIDTH) / 2
    draw = imgui.get_background_draw_list()
    top = layout.free.top
    bottom = layout.free.bottom
    draw.add_rect_filled((middle - half, top), (middle + half, bottom), ui.MUTED)


def _draw_label(room: Rectangle, words: str, *, chosen: bool) -> None:
    """Draw the label of a half of a split view: its pattern, and how the half is chosen.

    The label of the active half is filled; that of the other one has the key that chooses it.

    Args:
        room: room for the label, which stands in its middle, [pixels].
        words: words of the label; cut if they are too long.
        chosen: whether the half is the active one.
    """
    draw = imgui.get_background_draw_list()
    pad = px(_PAD)
    key = "" if chosen else caption(Action.OTHER_HALF)
    key_width = 0.0
    if key:
        key_width = measure(key, strong=True).width + px(_KEYCAP_SPACE)
    words_room = room.width - 2 * px(_GAP) - 2 * pad - key_width
    words = ellipsize(words, words_room, ui.TEXT, strong=True)
    words_width, words_height = measure(words, ui.TEXT, strong=True)

    # A box with round ends.
    height = px(_LABEL_HEIGHT)
    left = round(room.left + (room.width - words_width - 2 * pad - key_width) / 2)
    top = round(room.top + px(_GAP))
    right = left + words_width + 2 * pad + key_width
    low = (left, top)
    high = (right, top + height)
    draw.add_rect_filled(low, high, ui.ACCENT if chosen else ui.SHEET, height / 2)
    if not chosen:
        draw.add_rect(low, high, ui.LINE, rounding=height / 2, thickness=px(1))
    tint = ui.ON_ACCENT if chosen else ui.INK
    draw_text(
        left + pad, top + (height - words_height) / 2, words, tint, ui.TEXT, strong=True, draw=draw
    )
    if key:
        draw_keycap(key, round(right - key_width), top + px(3), tint=ui.MUTED, draw=draw)


def separate_labels(
    centres: Floats, sizes: Floats, gap: float = 0.0, across_only: bool = False, standing: int = 0
) -> Floats:
    """Move labels apart where they overlap; those that overlap nothing stay.

    In each of a few passes, all overlapping pairs are parted at once; a label in several pairs
    moves by the sum. Overlaps that are left after the last pass remain. More than `MAX_LABELS` are
    all left where they are, as there is no room for them anyway.

    Args:
        centres: preferred centres, shape (N, 2), [pixels]; NaN where there is none.
        sizes: widths and heights, shape (N, 2), [pixels].
        gap: least distance between labels, [pixels].
        across_only: whether they move only sideways.
        standing: how many labels, from the first on, stay where they are.

    Returns:
        The new centres in the same order, shape (N, 2), [pixels].
    """
    places = np.array(centres, dtype=float)
    if not 2 <= len(places) <= MAX_LABELS:
        return places

    # Arrays over pairs have shape (N, N, …); item [i, j] is how label i moves because of label j.
    # Two that can both move share the overlap equally; if j stays, i moves by all of it. Two that
    # stay do not move at all.
    stays = np.arange(len(places)) < standing
    move_share = np.where(stays[:, None], 0.0, np.where(stays, 1.0, 0.5))
    min_distance = (sizes[:, None] + sizes) / 2 + gap  # of centres, along each axis
    # Two labels at the same place have no direction in which to part: they part by their order, the
    # later one to positive x and y. The sign is 0 for a label and itself.
    order = np.arange(len(places))
    order_sign = np.sign(order[:, None] - order)
    for _pass in range(_MAX_PASSES):
        # A pair overlaps if it is too near along both axes. Without the small tolerance, pairs that
        # were just parted would overlap again by rounding. NaN compares as no overlap.
        offset = places[:, None] - places
        overlap = min_distance - np.abs(offset)
        overlaps = (overlap > 1e-3).all(axis=2) & (order_sign != 0)
        if not overlaps.any():
            break
        # Each pair is parted along the axis on which it overlaps less.
        parts_in_x = (
            np.full(overlaps.shape, True) if across_only else overlap[..., 0] <= overlap[..., 1]
        )
        is_parted = np.stack([parts_in_x, ~parts_in_x], axis=2) & overlaps[..., None]
        direction = np.where(offset == 0, order_sign[..., None], np.sign(offset))
        steps = direction * overlap * move_share[..., None]
        places += np.where(is_parted, steps, 0.0).sum(axis=1)
    return places
