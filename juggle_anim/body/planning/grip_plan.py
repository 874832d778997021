"""The plan of digits over a loop: fingers and thumbs close around props until they touch them.

Each finger bends at its root until either of its bones touches a prop, then at its middle joint
until the outer bone does; a finger beside a prop bends until it is nearest to it, and then spreads
toward it. So no finger enters what its hand holds. Around that, hands close before catches and open
after throws at an even rate, but only as far as props that come and go let them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body.planning.least_squares import Stretch
from juggle_anim.body.pose import ArmTargets, BodyPlan
from juggle_anim.body.skeleton import (
    ACROSS,
    CLOSES,
    DIGITS,
    FINGER_RADII,
    FINGERS,
    FINGERTIP_RADIUS_LOSS,
    KNUCKLE_RADIUS_GAIN,
    MIDDLE_ACROSS,
    OPEN,
    RESTING_SPREAD,
    SHARES,
    SPREAD,
    THUMB,
    THUMB_BACK,
    THUMB_OUT,
    THUMB_RADII,
    TIPS,
    bend_channels,
    spread_channels,
    thumb_direction,
)
from juggle_anim.motion import Motion, aim_directions
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.motion.palms import EMPTY_CLOSED
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.motion.prop_shapes import (
    CLUB_CENTRE,
    CLUB_HANDLE,
    CLUB_KNOB,
    CLUB_WIDTH,
    RING_HOLE,
    RING_THICKNESS,
    PropShapes,
)
from juggle_anim.vectors import dot, rotate_about_y

RATE = 120.0
"""Moments a second at which digits are planned; a ball that is thrown moves less than 1 mm away
from its hand within one.
"""

ORIENTED_RATE = 240.0
"""The same with clubs or rings, which turn in hands: what is caught at 1 m/s, relative to the hand,
moves 4 mm from one to the next.
"""

MAX_MOMENTS = 60_000
"""Moments times jugglers beyond which digits close by their hands alone."""

_AFTER = 1e-6  # s, by which moments are late
_NEAR = 0.11  # m, from a palm, that its digits reach
_CLEARANCE = 0.0003  # m, between a finger and what it touches; thumbs press

# Digits close before catches at the first rate, and open before props at the second, [rad/s]: half
# as fast as, and about as fast as, fingers that tap or snap, which reach 20 to 25 rad/s.
_CLOSING_RATE = 12.0
_OPENING_RATE = 25.0

# Bends of the first and the second bone from which and up to which a finger closes; the outer one
# goes on by itself until it is bent by so much more than the first, [rad].
_OPEN_BENDS = np.radians([-20.0, -20.0])
_CLOSED_BENDS = np.radians([85.0, 128.0])
_OUTER_BEND = np.radians(115.0)

# A finger beside a handle spreads so that it meets it, at this distance from its root. Their axes
# pass each other there at this share of the sum of their radii. Limits of the spreads of index,
# ring and little finger. A handle leaves the hand in front of the index, which would lie along it;
# beside the middle finger, as near as both are thick, it bends around the handle.
_SPREAD_AT = 0.035  # m
_GRAZING_SHARE = 0.95
# The least component of a handle's unit vector along the fingers that counts, so that the slope of
# one that lies nearly across them (at over 72°) is limited.
_LEAST_PART_ALONG = 0.3
_SPREAD_LIMITS = np.radians([[-4.5, -12.0, -15.0], [-4.5, 12.0, 20.0]])  # rad

# Values of the thumb's channels: how far closed it faces the fingers, and may then close; and from
# which, raised out of the palm, up to which it is laid down.
_THUMB_FACING = 0.5
_THUMB_CLOSED = 1.1
_THUMB_RAISED = -1.0
_THUMB_LAID = 1.4

_SCANNED = 10  # shares of its way at which a digit is looked at, to find the first touch
_SECANTS = 3  # steps of regula falsi by which the touch is found between two of them
_NEARER_BY = 0.003  # m, by which a digit must come nearer over its whole way for it to go on
_ROWS_AT_ONCE = 512  # intermediate values stay in the processor's cache

# Props whose places in a palm, and parts of axes, differ by less are held alike. Carries lie at
# round numbers, which are in the middle of a step.
_ALIKE = 0.0001  # m, or parts of a unit vector over 10

_BONE_SHARES = np.linspace(0.25, 1.0, 4)  # points of a bone at which its distance is taken
_OUTER = slice(len(_BONE_SHARES), None)  # of the points of a finger, those of its outer bone
_THUMB_SHARES = np.linspace(0.2, 1.0, 9)

_ROOTS = np.array([MIDDLE_ACROSS, *ACROSS])
_RADII = np.array([FINGER_RADII[name] for name in ("MIDDLE", "INDEX", "RING", "LITTLE")])
_BONE_RADII = np.concatenate(
    [
        _RADII + KNUCKLE_RADIUS_GAIN * (1.0 - _BONE_SHARES[:, None]),
        _RADII - FINGERTIP_RADIUS_LOSS * _BONE_SHARES[:, None],
    ]
)
_THUMB_POINT_RADII = THUMB_RADII[0] + _THUMB_SHARES * (THUMB_RADII[1] - THUMB_RADII[0])

# A club as fingers meet it: how its radius grows along its handle, then to the belly, and to the
# top; each a line through two places of its profile.
_HANDLE_RADIUS = CLUB_HANDLE[1][1]
_BELLY = (0.350, CLUB_WIDTH / 2)
_TOP = (0.501, 0.019)
_CLUB_ENDS = (CLUB_KNOB[0][0], _TOP[0])


def _line(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """Height at 0, and slope, of the line through two points."""
    slope = (end[1] - start[1]) / (end[0] - start[0])
    return start[1] - slope * start[0], slope


_CLUB_LINES = (
    _line(CLUB_KNOB[0], CLUB_HANDLE[0]),
    _line(CLUB_HANDLE[0], CLUB_HANDLE[-1]),
    _line(CLUB_HANDLE[-1], _BELLY),
    _line(_BELLY, _TOP),
)


def plan_digits(
    motion: Motion, plan: BodyPlan, stretch: Stretch | None = None
) -> PeriodicSpline | None:
    """Plan how all digits are bent over a loop.

    Digits of a hand that holds props close until they touch them; those of an empty one are at
    rest. Between the two they move at limited rates, and never into a prop that comes or goes.

    Args:
        motion: paths of hands and props.
        plan: of the bodies, complete but for digits; it tells who does the same, and is planned
            once.
        stretch: of the loop, which alone is planned; None for all.

    Returns:
        Control values of shape (N, J, 2, `DIGITS`) at N even times. None for loops beyond
        `MAX_MOMENTS`, whose digits close as their hands do.
    """
    if stretch is None:
        count = 2 * max(8, round(motion.duration * digit_rate(motion) / 2))
        stretch = Stretch(count, motion.duration)
    loop = stretch.duration
    count = stretch.knots
    everybody = np.arange(motion.choreography.jugglers)
    jugglers = len(plan.shared.posed) if plan.shared else len(everybody)
    if count * jugglers > MAX_MOMENTS:
        return None
    # A little after even times: throws and catches at these are past then, whatever the rounding.
    times = stretch.times(1) + _AFTER
    hands = 2 * jugglers
    # What digits do at each moment if no prop is near: `wanted` is how far they should close,
    # `limits` how far they can.
    spread = np.tile(RESTING_SPREAD, (count, hands, 1))
    # Bends of the first and the second bones, then how far thumbs are closed and laid down.
    bends = np.repeat(OPEN + EMPTY_CLOSED[0] * CLOSES, 4)
    wanted = np.tile([*bends, _THUMB_FACING, 0.0], (count, hands, 1))
    limits = np.full_like(wanted, np.inf)
    near = _props_near_hands(motion, plan, times)
    # Largest changes from one moment to the next.
    closing_step = _CLOSING_RATE * (loop / count)
    opening_step = _OPENING_RATE * (loop / count)
    if near.hand.size:
        held = np.flatnonzero(near.held)
        holding_hands = (near.moment[held], near.hand[held])
        # Spreads change at a limited rate, too. Fingers spread to either side, so the mean of the
        # envelopes below and above is taken.
        spread[holding_hands] = _spread_to_handles(near, motion.shapes)[held]
        below = _limited_envelope(spread, closing_step)
        spread = (below - _limited_envelope(-spread, closing_step)) / 2
        # A hand with several props closes as far as the first that it meets lets it.
        free, holding = _close_around(near, motion.shapes, spread[near.moment, near.hand])
        np.minimum.at(limits, (near.moment, near.hand), free)
        # Infinity is what the minimum over the props of a hand begins with.
        wanted[holding_hands] = np.inf
        np.minimum.at(wanted, holding_hands, holding[held])
    # Digits close before and open after they hold, so the envelope lies above what is wanted (an
    # envelope from above is that of the negative values from below); and they give way before and
    # after props that limit them, so it lies below the limits.
    wanted = -_limited_envelope(-wanted, closing_step)
    bent = _limited_envelope(np.minimum(wanted, limits), opening_step)
    digits = np.empty((count, hands, DIGITS))
    digits[..., : SPREAD.start] = bend_channels(bent[..., :8])
    digits[..., SPREAD] = spread_channels(spread)
    digits[..., SPREAD.stop :] = bent[..., 8:]
    whose = plan.shared.pose_index if plan.shared else everybody
    controls = digits.reshape(count, jugglers, 2, DIGITS)[:, whose]
    return PeriodicSpline(controls, stretch.duration, stretch.start)


def digit_rate(motion: Motion) -> float:
    """Moments a second at which digits are planned."""
    return ORIENTED_RATE if motion.shapes.has_oriented else RATE


def _limited_envelope(values: Floats, step: float) -> Floats:
    """Return the greatest values that are nowhere above given ones and change slowly enough.

    Args:
        values: around a loop, shape (N, ...).
        step: largest change from one row to the next, above 0.

    Returns:
        Shape (N, ...): at each row the minimum over all rows of their value plus `step` times their
        distance.
    """
    # By pointer doubling: with neighbours 1 row away, then, as these have got theirs, 2, 4 …, until
    # the rise over that distance is more than all values differ by.
    shift = 1
    span = np.ptp(values, axis=0).max(initial=0.0)
    while shift < len(values) and shift * step < span:
        rise = shift * step
        values = np.minimum(
            values,
            np.minimum(np.roll(values, shift, axis=0), np.roll(values, -shift, axis=0)) + rise,
        )
        shift *= 2
    return values


class _Near(NamedTuple):
    """Props near hands, N rows of a prop, a hand and a moment, in the frames of the palms.

    Args:
        moment, hand, prop: shape (N,), indices; a hand's is 2 · juggler + side, of those who are
            posed.
        held: shape (N,), whether the hand holds the prop.
        centre: of the prop, shape (N, 3), in the frame of `digit_points`, [m].
        axis: of a club along it, of a ring across it, unit vectors, shape (N, 3); 0 for balls.
    """

    moment: Integers
    hand: Integers
    prop: Integers
    held: Booleans
    centre: Floats
    axis: Floats


def _props_near_hands(motion: Motion, plan: BodyPlan, times: Floats) -> _Near:
    """Find the props that are near enough to hands for digits to touch them.

    Args:
        motion, plan: as of `plan_digits`.
        times: shape (T,), [s].
    """
    # Hands are turned and placed by the pose of the arms, so that is found first.
    arms = ArmTargets.from_plan(motion, plan, times).pose_arms()
    frames = motion.sample(times)
    posed = plan.shared.posed if plan.shared else np.arange(motion.choreography.jugglers)
    # Bodies stand `back` behind their places, against the direction in which they face.
    places = motion.bodies.places(times)[:, posed]
    facing = places[..., FACING]
    back = plan.trunk.back[posed, None] * np.array([0.0, 0.0, 1.0])
    standing = places[..., PLACE] - rotate_about_y(
        np.broadcast_to(back, places[..., PLACE].shape), facing
    )

    # Palms in the world, shape (T, hands, 3), and the props near each.
    palms = rotate_about_y(arms.palms, facing[..., None]) + standing[:, :, None]
    palms = palms.reshape(len(times), -1, 3)
    moment, hand, prop = _pairs_within(palms, frames.props, motion.shapes.reach + _NEAR)
    juggler, side = np.divmod(hand, 2)
    turn = -facing[moment, juggler]
    axes = np.zeros((len(moment), 3))
    if frames.aims is not None:
        kinds = np.array(motion.shapes.kind)[prop]
        axes = _axes_of_props(frames.aims[moment, prop], kinds == "club", kinds == "ring")
    hands = arms.hands
    frame = np.stack([hands.fingers, hands.thumb, hands.palm], axis=-2)[moment, juggler, side]

    def in_palm(vectors: Floats) -> Floats:
        """Turn one vector for each row from the world into the frame of its palm, shape (N, 3).

        From the world to the body by `turn`, then to components along the axes of the hand: toward
        the fingers, toward the side of the thumb, and out of the palm.
        """
        return dot(frame, rotate_about_y(vectors, turn)[:, None])[..., 0]

    return _Near(
        moment=moment,
        hand=hand,
        prop=prop,
        held=frames.holders[moment, prop] == 2 * posed[juggler] + side,
        centre=in_palm(frames.props[moment, prop] - palms[moment, hand]),
        axis=in_palm(axes),
    )


def _axes_of_props(aims: Floats, is_club: Booleans, is_ring: Booleans) -> Floats:
    """Return unit vectors along clubs and normal to rings, in the world; 0 for balls, shape (N, 3).

    Args:
        aims: yaw and pitch of the props, shape (N, 2), [rad]; rings stand upright, and have a yaw
            alone.
        is_club, is_ring: of which kind each is, shape (N,); a ball is neither.
    """
    yaw = aims[:, 0]
    normal = np.stack([np.cos(yaw), 0.0 * yaw, -np.sin(yaw)], axis=-1)
    along_clubs = np.where(is_club[:, None], aim_directions([aims]), 0.0)
    return np.where(is_ring[:, None], normal, along_clubs)


class _Pairs(NamedTuple):
    """N pairs of a palm and a prop: indices of the moment, the palm and the prop, shape (N,)."""

    moment: Integers
    palm: Integers
    prop: Integers


def _pairs_within(palms: Floats, props: Floats, distances: Floats) -> _Pairs:
    """Find the palms and props that are near each other at the same moment.

    Args:
        palms, props: places at T moments, shape (T, M, 3) and (T, K, 3), [m].
        distances: within which a palm is near each prop, shape (K,), [m].

    Returns:
        The pairs, in order of moment, palm and prop.
    """
    if not palms.size or not props.size:
        none = np.zeros(0, dtype=np.intp)
        return _Pairs(none, none, none)
    # Points are sorted into square cells of a grid on the floor, as wide as the largest distance.
    # What is near a palm is in its cell or in one of the eight around it. Cells are numbered moment
    # by moment and row by row, so these nine are three runs of three successive numbers. An empty
    # cell on every side of the grid keeps runs from reaching into other rows or moments.
    width = distances.max()
    low = np.minimum(palms.min(axis=(0, 1)), props.min(axis=(0, 1)))
    palm_cell, prop_cell = (
        np.floor((points - low)[..., ::2] / width).astype(np.int64) + 1 for points in (palms, props)
    )
    rows, columns = np.maximum(palm_cell.max(axis=(0, 1)), prop_cell.max(axis=(0, 1))) + 2
    row_of_moment = np.arange(len(palms))[:, None] * rows
    palm_number, prop_number = (
        ((row_of_moment + cells[..., 0]) * columns + cells[..., 1]).ravel()
        for cells in (palm_cell, prop_cell)
    )
    # From here on a palm is a row of T · M, and a prop one of T · K.
    order = np.argsort(prop_number)
    sorted_numbers = prop_number[order]
    palms_and_props = []
    for row_shift in (-columns, 0, columns):
        # For each palm the first prop in the three cells of a row, in the order of cells, and how
        # many there are; then all pairs of the palm and one of these.
        first = np.searchsorted(sorted_numbers, palm_number + row_shift - 1, side="left")
        counts = np.searchsorted(sorted_numbers, palm_number + row_shift + 1, side="right") - first
        palm = np.repeat(np.arange(len(palm_number)), counts)
        # The position among the props of one palm: that among all pairs, less the pairs before.
        since_first = np.arange(len(palm)) - np.repeat(np.cumsum(counts) - counts, counts)
        prop_row = order[first[palm] + since_first]
        prop = prop_row % props.shape[1]
        between = palms.reshape(-1, 3)[palm] - props.reshape(-1, 3)[prop_row]
        is_near = dot(between, between)[..., 0] < distances[prop] ** 2
        palms_and_props.append(np.stack([palm[is_near], prop[is_near]]))
    palm, prop = np.concatenate(palms_and_props, axis=1)
    by_palm = np.lexsort((prop, palm))
    moment, palm = np.divmod(palm[by_palm], palms.shape[1])
    return _Pairs(moment, palm, prop[by_palm])


Columns = tuple[Floats, ...]
"""Coordinates of points, or of vectors, of F digits of N rows: x, y and z, shape (..., N, F) each,
or (N, 1) for all digits alike, [m]. Points along a digit are on the first axis, so that the least
of their distances is found quickly.
"""

Distance = Callable[[Columns], Floats]
"""Of points near N props from their surfaces, shape (..., N, F), [m]."""


def _spread_to_handles(near: _Near, shapes: PropShapes) -> Floats:
    """Return the spreads with which fingers meet the handles of clubs and the rims of rings.

    A finger whose plane passes beside a handle spreads toward it until it just meets it. Fingers on
    a ring lie side by side, and with balls they are spread as at rest.

    Args:
        near: N props near hands.
        shapes: of all props.

    Returns:
        Spreads of index, ring and little finger, shape (N, 3), [rad].
    """
    # Coordinates in palms are along the fingers, across them and out of the palm.
    kinds = np.array(shapes.kind)[near.prop, None]
    # Where the handle is across the palm, beside the middle joints of the fingers: on the line
    # through its centre along its axis.
    slope = near.axis[:, 1:2] / np.maximum(near.axis[:, :1], _LEAST_PART_ALONG)
    handle_across = near.centre[:, 1:2] + slope * (_SPREAD_AT - near.centre[:, :1])
    # How far the finger's axis at rest passes beside it, and how much farther than it may. Row 0 of
    # the radii is that of the middle finger, which does not spread. A small turn moves the axis
    # there by turn · `_SPREAD_AT`.
    beside = handle_across - ACROSS - _SPREAD_AT * np.sin(RESTING_SPREAD)
    missing = np.abs(beside) - _GRAZING_SHARE * (_RADII[1:] + _HANDLE_RADIUS)
    turn = np.sign(beside) * np.maximum(missing, 0.0) / _SPREAD_AT
    spread = np.clip(RESTING_SPREAD + turn, *_SPREAD_LIMITS)
    beside_each_other = np.where(kinds == "ring", 0.0, RESTING_SPREAD)
    return np.where(kinds == "club", spread, beside_each_other)


def _close_around(near: _Near, shapes: PropShapes, spread: Floats) -> tuple[Floats, Floats]:
    """Close the digits of hands around props, one prop at a time.

    Args:
        near: N props near hands.
        shapes: of all props.
        spread: of the fingers, shape (N, 3), [rad].

    Returns:
        How far digits can close, and how far they are closed as they hold the prop, shape (N, 10)
        each. Columns are bends of the four first bones, then of the second ones, [rad], and how far
        the thumb is closed and laid down. A digit that does not touch the prop on its way can close
        wholly, and holds the prop where it is nearest to it.
    """
    free = np.zeros((len(near.prop), 10))
    holding = np.zeros_like(free)
    kind_of_prop = np.array(shapes.kind)
    kinds = kind_of_prop[near.prop]
    distances = {"ball": _from_balls, "club": _from_clubs, "ring": _from_rings}
    # A prop that is carried lies in its palm as at the moment before. Of rows that are alike, but
    # for `_ALIKE`, only the first is computed, and serves all of its group. Parts of unit vectors
    # and angles count a tenth, as they move what is 0.1 m away by as much.
    places = np.column_stack([near.centre, near.axis / 10.0, spread / 10.0])
    kind_index = np.unique(kind_of_prop, return_inverse=True)[1][near.prop]
    # Rows are compared as bytes, which is many times as quick; adding 0 makes −0 a 0.
    traits = np.column_stack([np.rint(places / _ALIKE), shapes.size[near.prop], kind_index]) + 0.0
    _, first, group = np.unique(
        traits.view(np.dtype((np.void, traits.strides[0]))).ravel(),
        return_index=True,
        return_inverse=True,
    )
    for kind, distance_of in distances.items():
        rows = first[kinds[first] == kind]
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            block = rows[start : start + _ROWS_AT_ONCE]
            size = shapes.size[near.prop[block], None]
            centre, axis = (
                tuple(vectors[block].T[..., None]) for vectors in (near.centre, near.axis)
            )
            distance = distance_of(centre, axis, size)
            free[block, :8], holding[block, :8] = _close_fingers(distance, spread[block])
            free[block, 8:], holding[block, 8:] = _close_thumb(distance)
    source = first[group]
    return free[source], holding[source]


def _from_balls(centre: Columns, _axis: Columns, size: Floats) -> Distance:
    """Return the function that gives distances of points from balls, negative inside.

    Args:
        centre: of the ball of each row, [m].
        size: diameters, [m], of a shape that broadcasts with the points.
    """
    return lambda points: _length(_difference(points, centre)) - size / 2


def _from_clubs(centre: Columns, axis: Columns, _size: Floats) -> Distance:
    """Return the function that gives distances of points from clubs, negative inside.

    They are taken from the nearest point of a club's axis, less the radius there, which is a little
    more than the distance from the slanted surface.

    Args:
        centre: where the club of each row balances, [m].
        axis: unit vectors from knob to top.
    """

    def distance(points: Columns) -> Floats:
        """From a point for each row to its club, [m]."""
        from_centre = _difference(points, centre)
        # The nearest point of the axis, as the distance from the end of the knob.
        place = np.clip(_dot(from_centre, axis) + CLUB_CENTRE, *_CLUB_ENDS)
        # The knob narrows to the handle, which widens evenly; from its end on the body swells, and
        # tapers from the belly on.
        knob, handle, swell, taper = (start + slope * place for start, slope in _CLUB_LINES)
        radius = np.maximum(np.maximum(knob, handle), np.minimum(swell, taper))
        nearest = tuple((place - CLUB_CENTRE) * part for part in axis)
        return _length(_difference(from_centre, nearest)) - radius

    return distance


def _from_rings(centre: Columns, axis: Columns, size: Floats) -> Distance:
    """Return the function that gives distances of points from flat rings, 0 inside.

    The cross-section of a ring is a rectangle.

    Args:
        centre: middle of the ring of each row, [m].
        axis: unit vectors normal to the rings.
        size: outer diameters, [m].
    """
    outer = size / 2
    half_width = outer * (1 - RING_HOLE) / 2

    def distance(points: Columns) -> Floats:
        """From a point for each row to its ring, [m]."""
        from_centre = _difference(points, centre)
        height = _dot(from_centre, axis)
        radius = _length(_difference(from_centre, tuple(height * part for part in axis)))
        # How far beside the rectangle, in the plane of the ring and along its normal.
        beside = np.maximum(np.abs(radius - outer + half_width) - half_width, 0.0)
        above = np.maximum(np.abs(height) - RING_THICKNESS / 2, 0.0)
        return np.hypot(beside, above)

    return distance


def _difference(points: Columns, origin: Columns) -> Columns:
    return tuple(place - start for place, start in zip(points, origin, strict=True))


def _dot(first: Columns, second: Columns) -> Floats:
    return first[0] * second[0] + first[1] * second[1] + first[2] * second[2]


def _length(vectors: Columns) -> Floats:
    return np.sqrt(_dot(vectors, vectors))


def _close_fingers(distance: Distance, spread: Floats) -> tuple[Floats, Floats]:
    """Bend the fingers of N hands: both bones at once, until one touches; then the outer one.

    Args:
        distance: gives distances of points from the prop near each hand.
        spread: of index, ring and little finger, shape (N, 3), [rad].

    Returns:
        How far fingers can bend, and how they hold the prop, as of `_close_around`: bends of the
        four first bones, then of the second ones, shape (N, 8) each, [rad].
    """
    turn = np.zeros((len(spread), 4))
    turn[:, 1:] = spread
    heading = np.cos(turn), np.sin(turn)

    def gaps(first: Floats, second: Floats, bones: slice = slice(None)) -> Floats:
        """Distances of fingers, or of their outer bones, from the prop, shape (..., N, 4), [m].

        Args:
            first, second: bends of the first and the second bones, shape (..., N, 4), [rad].
            bones: `_OUTER` for the outer bones only.
        """
        distances = distance(_finger_points(first, second, heading, bones))
        radii = _BONE_RADII[bones]
        radii = radii.reshape(len(radii), *(1,) * (distances.ndim - 2), -1)
        return (distances - radii).min(axis=0) - _CLEARANCE

    def bends(share: Floats) -> tuple[Floats, Floats]:
        """Bends of both bones at a share of their way."""
        way = _CLOSED_BENDS - _OPEN_BENDS
        return _OPEN_BENDS[0] + share * way[0], _OPEN_BENDS[1] + share * way[1]

    # Shares are of the way from the open finger, 0, to the closed one, 1.
    both_bones = _close(lambda share: gaps(*bends(share)))
    first, second_start = bends(both_bones.nearest)
    # The outer bone goes on from there, by up to `outer_way`.
    outer_way = first + _OUTER_BEND - second_start
    outer_bone = _close(lambda share: gaps(first, second_start + share * outer_way, _OUTER))
    second = second_start + outer_bone.nearest * outer_way
    free_first = np.where(both_bones.touched, first, _CLOSED_BENDS[0])
    free_second = np.where(outer_bone.touched, second, free_first + _OUTER_BEND)
    return (
        np.concatenate([free_first, free_second], axis=1),
        np.concatenate([first, second], axis=1),
    )


def _close_thumb(distance: Distance) -> tuple[Floats, Floats]:
    """Lay the thumbs of N hands down until they touch or are nearest, and then close them likewise.

    They come from outside, raised and facing the fingers, so that the prop lies between the two.

    Args:
        distance: gives distances of points from the prop near each hand.

    Returns:
        How far thumbs can go, and how they hold the prop, as of `_close_around`: how far they are
        closed and laid down, shape (N, 2) each.
    """

    def gaps(closed: Floats, laid: Floats) -> Floats:
        """Distances of thumbs from the prop, shape (..., N, 1), [m].

        They are those of points along the thumb, from its root, less the radii there.

        Args:
            closed, laid: the channels of thumbs, shape (..., N, 1).
        """
        direction = thumb_direction(closed, laid)
        along = _on_first_axis(THUMB * _THUMB_SHARES, direction.ndim)
        x, y, z = (
            root + along * direction[..., axis, None]
            for axis, root in enumerate((-THUMB_BACK, THUMB_OUT, 0.0))
        )
        radii = _on_first_axis(_THUMB_POINT_RADII, direction.ndim)
        return (distance((x, y, z)) - radii).min(axis=0)

    # First the thumb is laid down, facing the fingers, and then closed; shares are of either way.
    way_down = _THUMB_LAID - _THUMB_RAISED
    laying = _close(
        lambda share: gaps(_THUMB_FACING + 0.0 * share, _THUMB_RAISED + share * way_down)
    )
    laid = _THUMB_RAISED + laying.nearest * way_down
    way = _THUMB_CLOSED - _THUMB_FACING
    closing = _close(lambda share: gaps(_THUMB_FACING + share * way, laid))
    closed = _THUMB_FACING + closing.nearest * way
    free_closed = np.where(closing.touched, closed, _THUMB_CLOSED)
    free_laid = np.where(laying.touched, laid, _THUMB_LAID)
    return (
        np.concatenate([free_closed, free_laid], axis=1),
        np.concatenate([closed, laid], axis=1),
    )


class _Closed(NamedTuple):
    """How far F digits of N hands close, shape (N, F) each.

    Args:
        touched: whether they touch the prop on their way.
        nearest: share of the way, 0 to 1, at which they first touch it; or else at which they are
            nearest.
    """

    touched: Booleans
    nearest: Floats


def _close(gaps_at: Callable[[Floats], Floats]) -> _Closed:
    """Close digits until they touch a prop, or are nearest to it.

    Args:
        gaps_at: returns distances for shares of the way, shape (..., N, F), [m]; the shares
            broadcast with this shape.
    """
    # The first of some even shares at which a digit is inside the prop, and the one before it,
    # enclose the touch, which regula falsi then narrows down. (Where no share is inside, the result
    # is not used.)
    shares = np.linspace(0.0, 1.0, _SCANNED)
    gaps = gaps_at(shares[:, None, None])
    inside = gaps < 0.0
    touched: Booleans = np.asarray(inside.any(axis=0))
    after = np.maximum(inside.argmax(axis=0), 1)
    low = shares[after - 1]
    high = shares[after]
    gap_low, gap_high = (
        np.take_along_axis(gaps, (after + offset)[None], axis=0)[0] for offset in (-1, 0)
    )
    for _ in range(_SECANTS):
        tried = low + (high - low) * _crossing(gap_low, gap_high)
        gap_tried = gaps_at(tried)
        is_inside = gap_tried < 0.0
        low = np.where(is_inside, low, tried)
        gap_low = np.where(is_inside, gap_low, gap_tried)
        high = np.where(is_inside, tried, high)
        gap_high = np.where(is_inside, gap_tried, gap_high)
    touch = low + (high - low) * _crossing(gap_low, gap_high)
    # A digit that never touches stops at the lowest point of the parabola through the nearest of
    # the shares and its neighbours: (before − beyond) / 2 second difference from the middle. What
    # is added grows along the way, so that of several that are about as near the first is taken.
    gaps += _NEARER_BY * shares[:, None, None]
    middle_row = np.clip(gaps.argmin(axis=0), 1, _SCANNED - 2)
    before, middle, beyond = (
        np.take_along_axis(gaps, (middle_row + offset)[None], axis=0)[0] for offset in (-1, 0, 1)
    )
    second_difference = np.maximum(before - 2.0 * middle + beyond, 1e-9)
    shift = np.clip((before - beyond) / (2.0 * second_difference), -1.0, 1.0)
    nearest = (middle_row + shift) / (_SCANNED - 1)
    return _Closed(touched, np.where(touched, touch, nearest))


def _crossing(before: Floats, after: Floats) -> Floats:
    """Where a line from `before`, at 0, to `after`, at 1, is 0; within these."""
    return np.clip(before / np.maximum(before - after, 1e-12), 0.0, 1.0)


def _finger_points(
    first: Floats, second: Floats, heading: tuple[Floats, Floats], bones: slice
) -> Columns:
    """Points along the bones of all four fingers, in the frames of the palms.

    A finger bends in the plane that is normal to the palm and turned by the finger's spread.

    Args:
        first, second: bends of the two bones from the palm, shape (..., N, 4), [rad].
        heading: cosine and sine of the spread of each finger, shape (N, 4).
        bones: `_OUTER` for points of the outer bones only; any other slice for both bones.

    Returns:
        Coordinates along the palm, across it and out of it, shape (K, ..., N, 4) each, [m]; K is 8
        for both bones and 4 for the outer one.
    """
    cosine, sine = heading
    shares = _on_first_axis(_BONE_SHARES, second.ndim)
    # In the plane of the finger, the distance along the palm goes with the cosines of the bends,
    # and the height out of the palm with their sines.
    coordinates = []
    for component in (np.cos, np.sin):
        middle_joint = FINGERS * SHARES * component(first)
        points = middle_joint + TIPS * SHARES * component(second) * shares
        if bones is not _OUTER:
            points = np.concatenate([middle_joint * shares, points])
        coordinates.append(points)
    along, height = coordinates
    return along * cosine, _ROOTS + along * sine, height


def _on_first_axis(values: Floats, axes: int) -> Floats:
    """Values of points along a digit, shape (K,) to (K, 1, ...), with as many axes behind."""
    return values.reshape(-1, *(1,) * axes)
