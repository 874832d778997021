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
    DIGITS,
    FINGER_LENGTH_RATIOS,
    FINGER_RADII,
    FINGER_ROOTS_ACROSS,
    FINGERS,
    FINGERTIP_RADIUS_LOSS,
    FIST_EXTRA_BENDS,
    FLAT_HAND_BENDS,
    KNUCKLE_RADIUS_GAIN,
    MIDDLE_ACROSS,
    OUTER_JOINT_OUT,
    RESTING_SPREAD,
    SPREAD,
    THUMB,
    THUMB_BACK,
    THUMB_JOINT_BACK,
    THUMB_OUT,
    THUMB_RADII,
    TIPS,
    bend_channels,
    spread_channels,
    thumb_direction,
)
from juggle_anim.motion import (
    CLUB_BODY,
    CLUB_CENTRE,
    CLUB_HANDLE,
    CLUB_KNOB,
    EMPTY_CLOSED,
    FACING,
    RING_HOLE,
    RING_THICKNESS,
    Motion,
    PeriodicSpline,
    PropShapes,
    aim_directions,
    body_origins,
    ring_axes,
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

_TIME_OFFSET = 1e-6  # s, by which moments are late, so that throws and catches at them are past
_DIGIT_REACH = 0.11  # m, from a palm to its farthest fingertip, and a little more
_CLEARANCE = 0.0003  # m, between a finger and what it touches; thumbs press

# Fingers of who throws around the body keep this clear of props that their hand does not throw or
# catch within so long, [m], [s].
_PASSING_CLEARANCE = 0.015
_HANDLING = 0.1

# Digits close before catches at the first rate, and open before props at the second, [rad/s]: half
# as fast as, and about as fast as, fingers that tap or snap, which reach 20 to 25 rad/s.
_CLOSING_RATE = 12.0
_OPENING_RATE = 25.0

# Flexion of the proximal and of the distal bone at which a finger begins to close, and at which it
# is closed; and how much farther than the proximal one the distal bone then bends by itself, [rad].
_OPEN_BENDS = np.radians([-20.0, -20.0])
_CLOSED_BENDS = np.radians([85.0, 128.0])
_MAX_DISTAL_BEND = np.radians(115.0)
_RESTING_SHARE = 0.4  # of the way of a bone, about where an empty hand has it at rest

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

# Values of the thumb's channels: how far closed it faces the fingers, or lies along a handle, and
# may then close; and from which, raised out of the palm, up to which it is laid down.
_THUMB_FACING = 0.5
_THUMB_ALONG = 0.25
_FULLY_ACROSS = 0.6  # component across the palm of a handle along which the thumb lies
_THUMB_CLOSED = 1.1
_THUMB_RAISED = -1.9
_THUMB_LAID = 1.4

_BALL_SPREAD = 2.0  # spread of fingers around a ball, over that at rest

_SAMPLES = 10  # even places on its way at which a digit is tested, to bracket the first touch
_REGULA_FALSI_STEPS = 3  # by which the touch is found within its bracket
_NEARER_BY = 0.003  # m, by which a digit must come nearer over its whole way for it to go on
_ROWS_AT_ONCE = 512  # intermediate values stay in the processor's cache

# Props whose places in a palm, and parts of axes, differ by less are held alike. Carries lie at
# round numbers, which are in the middle of a step.
_GROUPING_TOLERANCE = 0.0001  # m, or parts of a unit vector over 10

# Points along a finger bone, and along the thumb, at which distances to props are measured, as
# fractions of its length.
_PHALANX_FRACTIONS = np.linspace(1 / 6, 1.0, 6)
_THUMB_FRACTIONS = np.linspace(0.2, 1.0, 9)

# Roots and radii of middle, index, ring and little finger; radii at the measured points of proximal
# bones, then of distal bones, shape (12, 4). [m]
_FINGER_ROOTS_ACROSS = np.array([MIDDLE_ACROSS, *FINGER_ROOTS_ACROSS])
_MIDDLE_JOINT_RADII = np.array(
    [FINGER_RADII[name] for name in ("MIDDLE", "INDEX", "RING", "LITTLE")]
)
_FINGER_POINT_RADII = np.concatenate(
    [
        _MIDDLE_JOINT_RADII + KNUCKLE_RADIUS_GAIN * (1.0 - _PHALANX_FRACTIONS[:, None]),
        _MIDDLE_JOINT_RADII - FINGERTIP_RADIUS_LOSS * _PHALANX_FRACTIONS[:, None],
    ]
)
_THUMB_POINT_RADII = THUMB_RADII[0] + _THUMB_FRACTIONS * (THUMB_RADII[1] - THUMB_RADII[0])


def _tent(fractions: Floats) -> Floats:
    """How far points of a bone lie out of line, relative to the outer joint in its middle.

    Args:
        fractions: of the length of the bone, 0 to 1, of any shape.

    Returns:
        Of the same shape: 1 in the middle of the bone, 0 at both ends, and linear between.
    """
    return 1.0 - np.abs(2.0 * fractions - 1.0)


def _line_through(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """Intercept and slope of the line through two points (x, y)."""
    slope = (end[1] - start[1]) / (end[0] - start[0])
    return start[1] - slope * start[0], slope


# A club as fingers meet it: how its radius grows along its handle, then to the belly, and to the
# top; each a line through two places of its profile.
_CLUB_LINES = (
    _line_through(CLUB_KNOB[0], CLUB_HANDLE[0]),
    _line_through(CLUB_HANDLE[0], CLUB_HANDLE[-1]),
    _line_through(CLUB_HANDLE[-1], CLUB_BODY[0]),
    _line_through(*CLUB_BODY),
)


def plan_digits(
    motion: Motion, plan: BodyPlan, stretch: Stretch | None = None
) -> PeriodicSpline | None:
    """Plan the flexion and spread of all fingers and thumbs over a loop.

    Digits of a hand that holds props close until they touch a prop; those of an empty hand are at
    rest. Between the two they move at limited rates, and never into a prop that comes or goes.

    Args:
        motion: paths of hands and props.
        plan: plan of the bodies, complete but for digits: which jugglers are posed (others share
            the pose of one of them), and by which arms.
        stretch: the span of time that is planned; None for the whole loop.

    Returns:
        Spline of the channels of digits, numbers that say how each finger and thumb is bent and
        spread: control values of shape (N, J, 2, `DIGITS`) at N even times, for J jugglers and
        both hands. None for loops beyond `MAX_MOMENTS`, whose digits close as their hands do.
    """
    if stretch is None:
        # An even number of moments, so that mirrored halves of a loop have mirrored digits.
        even_count = 2 * max(8, round(motion.duration * digit_sampling_rate(motion) / 2))
        stretch = Stretch(even_count, motion.duration)
    moment_count = stretch.knots
    posed_count = len(np.arange(motion.choreography.jugglers)[plan.posed])
    if moment_count * posed_count > MAX_MOMENTS:
        return None
    # A little after even times: throws and catches at these are past then, whatever the rounding.
    times = stretch.times(1) + _TIME_OFFSET
    near = _props_near_hands(motion, plan, times)

    # For each moment and hand: the spreads of three fingers, and the ten angles of digits (columns
    # `_BENDS` and `_THUMB`) to which they should close, and up to which they can. To begin with,
    # all hands are empty, so a little closed, with no prop near.
    hand_count = 2 * posed_count
    spread = np.tile(RESTING_SPREAD, (moment_count, hand_count, 1))
    empty_bends = FLAT_HAND_BENDS + EMPTY_CLOSED[0] * FIST_EXTRA_BENDS  # proximal, distal bones
    empty_thumb = (_THUMB_FACING, 0.0)  # flexion, opposition
    target = np.tile([*np.repeat(empty_bends, 4), *empty_thumb], (moment_count, hand_count, 1))
    upper_limit = np.full_like(target, np.inf)

    # The largest changes from one moment to the next, [rad].
    closing_step = _CLOSING_RATE * (stretch.duration / moment_count)
    opening_step = _OPENING_RATE * (stretch.duration / moment_count)
    if near.hand.size:
        held = np.flatnonzero(near.is_held)
        holding_hands = (near.moment[held], near.hand[held])
        # Spreads change at a limited rate, too. Fingers spread to either side, so the mean of the
        # envelopes below and above is taken; that above is minus the one below the negative values.
        spread[holding_hands] = _spread_to_handles(near, motion.shapes)[held]
        below = _rate_limited_envelope(spread, closing_step)
        minus_above = _rate_limited_envelope(-spread, closing_step)
        spread = (below - minus_above) / 2
        # A hand with several props closes until it meets the first of them: the minimum over its
        # props, which begins with infinity.
        closure = _close_around(near, motion.shapes, spread[near.moment, near.hand])
        np.minimum.at(upper_limit, (near.moment, near.hand), closure.limit)
        target[holding_hands] = np.inf
        np.minimum.at(target, holding_hands, closure.grip[held])

    # Digits close before they hold and open afterwards, so the first envelope lies above the
    # target. They give way before and after props that limit them, so the second envelope lies
    # below the limits.
    target = -_rate_limited_envelope(-target, closing_step)
    angles = _rate_limited_envelope(np.minimum(target, upper_limit), opening_step)
    digits = np.empty((moment_count, hand_count, DIGITS))
    digits[..., : SPREAD.start] = bend_channels(angles[..., _BENDS])
    digits[..., SPREAD] = spread_channels(spread)
    digits[..., SPREAD.stop :] = angles[..., _THUMB]
    # From the jugglers who are posed to all jugglers, each of whom has the pose of one of them.
    controls = digits.reshape(moment_count, posed_count, 2, DIGITS)[:, plan.pose_index]
    return PeriodicSpline(controls, stretch.duration, stretch.start)


def digit_sampling_rate(motion: Motion) -> float:
    """Rate at which digits are planned, in moments a second, [Hz]."""
    return ORIENTED_RATE if motion.shapes.has_oriented else RATE


def _rate_limited_envelope(values: Floats, step: float) -> Floats:
    """Return the greatest function of time that is nowhere above `values` and changes slowly.

    Args:
        values: values at N even moments around a loop, shape (N, ...).
        step: largest change from one moment to the next, above 0, in the unit of the values.

    Returns:
        Shape (N, ...): in row i the minimum over all rows j of values[j] + step · the distance of
        rows i and j around the loop.
    """
    # By pointer doubling: the minimum with rows 1 away, then with the minima 2, 4, 8 … rows away,
    # until the rise over that distance exceeds the range of the values, beyond which no row can
    # lower another.
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


class _NearProps(NamedTuple):
    """N rows of a prop that is near a hand at a moment, in the frame of the palm.

    The axes of that frame go along the fingers, across them toward the thumb, and out of the palm,
    as those of `digit_points`.

    Args:
        moment, hand, prop: indices, shape (N,); that of a hand is 2 · juggler + side, among the
            jugglers who are posed.
        is_held: whether the hand holds the prop, shape (N,).
        clearance: by how much fingers keep away from the prop, shape (N,), [m].
        centre: of the prop, shape (N, 3), [m].
        axis: unit vector along a club from knob to top, or normal to a ring; 0 for a ball, shape
            (N, 3).
    """

    moment: Integers
    hand: Integers
    prop: Integers
    is_held: Booleans
    clearance: Floats
    centre: Floats
    axis: Floats


def _props_near_hands(motion: Motion, plan: BodyPlan, times: Floats) -> _NearProps:
    """Find the props that fingers and thumbs could touch at T times.

    Args:
        motion: paths of hands and props.
        plan: plan of the bodies, complete but for digits, which poses the arms.
        times: T times, shape (T,), [s].

    Returns:
        N rows of a moment, a hand and a prop near it, with the prop's place and direction in the
        frame of the palm, and the clearance, [m], that fingers keep from it.
    """
    # The pose of the arms gives the frames of the palms. Jugglers who share a pose are posed once:
    # `posed` has the indices of those who are.
    arms = ArmTargets.from_plan(motion, plan, times).pose_arms()
    frames = motion.sample(times)
    posed = np.arange(motion.choreography.jugglers)[plan.posed]
    # The origin of each body's frame: bodies stand `back` behind their places, against the
    # direction in which they face.
    places = motion.bodies.places(times)[:, posed]
    facing = places[..., FACING]
    standing = body_origins(places, plan.trunk.back[posed])

    # Palms in the world, shape (T, hands, 3), and the pairs of a palm and a prop near it.
    palms = rotate_about_y(arms.palms, facing[..., None]) + standing[:, :, None]
    palms = palms.reshape(len(times), -1, 3)
    moment, hand, prop = _pairs_within(palms, frames.props, motion.shapes.reach + _DIGIT_REACH)
    juggler, side = np.divmod(hand, 2)
    world_to_body = -facing[moment, juggler]  # rad, about +y
    axes = np.zeros((len(moment), 3))  # balls have none
    if frames.aims is not None:
        kinds = np.array(motion.shapes.kind)[prop]
        axes = _axes_of_props(frames.aims[moment, prop], kinds == "club", kinds == "ring")
    # The axes of each row's palm in the frame of the body, shape (N, 3, 3).
    hands = arms.hands
    palm_axes = np.stack([hands.fingers, hands.thumb, hands.palm], axis=-2)[moment, juggler, side]

    def in_palm(vectors: Floats) -> Floats:
        """Components of N vectors of the world along the axes of their palms, shape (N, 3)."""
        return dot(palm_axes, rotate_about_y(vectors, world_to_body)[:, None])[..., 0]

    # A hand handles a prop if it holds it at any of some moments before and after. Fingers of
    # jugglers who throw around the body keep clear of props that their hand does not handle.
    hand_number = 2 * posed[juggler] + side  # among all jugglers, as holders are counted
    is_held = frames.holders[moment, prop] == hand_number
    is_handled = is_held.copy()
    for shift in (-_HANDLING, -_HANDLING / 2, _HANDLING / 2, _HANDLING):
        is_handled |= motion.holders(times + shift)[moment, prop] == hand_number
    goes_around = motion.choreography.throws_around_body[posed[juggler]]
    return _NearProps(
        moment=moment,
        hand=hand,
        prop=prop,
        is_held=is_held,
        clearance=np.where(is_handled | ~goes_around, 0.0, _PASSING_CLEARANCE),
        centre=in_palm(frames.props[moment, prop] - palms[moment, hand]),
        axis=in_palm(axes),
    )


def _axes_of_props(aims: Floats, is_club: Booleans, is_ring: Booleans) -> Floats:
    """Return unit vectors along clubs and normal to rings, in the world, (N, 3); 0 for balls.

    Args:
        aims: yaw about +y, from +z toward +x, and pitch above the horizon of N props,
            shape (N, 2), [rad]; rings stand upright, and have a yaw alone.
        is_club, is_ring: whether each prop is a club or a ring, shape (N,); a ball is neither.
    """
    # `aim_directions` takes the aims and any of their derivatives, and without derivatives returns
    # the directions themselves.
    along_clubs = np.where(is_club[:, None], aim_directions([aims]), 0.0)
    return np.where(is_ring[:, None], ring_axes(aims[:, 0]), along_clubs)


class _Pairs(NamedTuple):
    """N pairs of a palm and a prop at a moment, by their indices, of shape (N,) each."""

    moment: Integers
    palm: Integers
    prop: Integers


def _pairs_within(palms: Floats, props: Floats, distances: Floats) -> _Pairs:
    """Find all pairs of a palm and a prop that are near each other at the same moment.

    Args:
        palms, props: places of M palms and of K props at T moments, shape (T, M, 3) and (T, K, 3),
            [m].
        distances: for each prop the distance from a palm within which both are near, shape (K,),
            [m].

    Returns:
        The pairs, sorted by moment, palm and prop.
    """
    if not palms.size or not props.size:
        none = np.zeros(0, dtype=np.intp)
        return _Pairs(none, none, none)
    # Points are sorted into square cells of a grid on the floor, as wide as the largest distance.
    # So the props near a palm are in its cell or in the eight cells around it. Cells are numbered
    # moment by moment and row by row, so that these nine are three runs of three successive
    # numbers. An empty cell on every side of the grid keeps runs from reaching into other rows or
    # moments.
    width = distances.max()
    low = np.minimum(palms.min(axis=(0, 1)), props.min(axis=(0, 1)))

    def cells(points: Floats) -> Integers:
        """Row (along x) and column (along z) of the cell of each point, from 1 on."""
        return np.floor((points - low)[..., ::2] / width).astype(np.int64) + 1

    palm_cells = cells(palms)
    prop_cells = cells(props)
    row_count, column_count = (
        np.maximum(palm_cells.max(axis=(0, 1)), prop_cells.max(axis=(0, 1))) + 2
    )
    first_row = np.arange(len(palms))[:, None] * row_count  # of each moment

    def cell_numbers(point_cells: Integers) -> Integers:
        """Number of the cell of each point, moment by moment, shape (T · points,)."""
        return ((first_row + point_cells[..., 0]) * column_count + point_cells[..., 1]).ravel()

    # From here on, `palm_row` is a row of the T · M palms of all moments, and `prop_row` one of the
    # T · K props.
    number_of_palm = cell_numbers(palm_cells)
    number_of_prop = cell_numbers(prop_cells)
    order = np.argsort(number_of_prop)
    sorted_numbers = number_of_prop[order]
    near_pairs = []
    for shift in (-column_count, 0, column_count):
        # For each palm the first prop, in the order of cells, in the run of three cells, and the
        # number of props there; then all pairs of the palm and one of these.
        middle = number_of_palm + shift
        first = np.searchsorted(sorted_numbers, middle - 1, side="left")
        counts = np.searchsorted(sorted_numbers, middle + 1, side="right") - first
        palm_row = np.repeat(np.arange(len(number_of_palm)), counts)
        # The position among the props of one palm: that among all pairs, less the pairs before.
        since_first = np.arange(len(palm_row)) - np.repeat(np.cumsum(counts) - counts, counts)
        prop_row = order[first[palm_row] + since_first]
        prop = prop_row % props.shape[1]
        between = palms.reshape(-1, 3)[palm_row] - props.reshape(-1, 3)[prop_row]
        is_near = dot(between, between)[..., 0] < distances[prop] ** 2
        near_pairs.append(np.stack([palm_row[is_near], prop[is_near]]))
    palm_row, prop = np.concatenate(near_pairs, axis=1)
    by_palm = np.lexsort((prop, palm_row))
    moment, palm = np.divmod(palm_row[by_palm], palms.shape[1])
    return _Pairs(moment, palm, prop[by_palm])


Columns = tuple[Floats, ...]
"""Coordinates x, y and z of points, or of vectors, beside F digits of N hands: shape (..., N, F)
each, or (N, 1) for one that all digits of a hand share, [m]. Points along a digit are on the first
axis, over which the minimum of distances is taken quickly.
"""

DistanceFunction = Callable[[Columns], Floats]
"""Function from points to their distances from the surfaces of N props, shape (..., N, F), [m]."""

_BENDS = slice(0, 8)
_THUMB = slice(8, 10)
# Columns of angles of digits: flexion of the four proximal bones, then of the distal ones, of
# middle, index, ring and little finger, [rad]; then the channels of the thumb, flexion and
# opposition.


class _DigitClosure(NamedTuple):
    """How far the digits of N hands close around one prop each, shape (N, 10).

    Args:
        limit: angles up to which digits can close: until they touch the prop, or wholly if they do
            not meet it.
        grip: angles at which digits hold the prop: where they touch it or are nearest to it.
    """

    limit: Floats
    grip: Floats


def _spread_to_handles(near: _NearProps, shapes: PropShapes) -> Floats:
    """Return the spreads of the fingers around each prop, positive toward the thumb, [rad].

    A spread is the angle by which a finger is turned in the plane of the palm. A finger that passes
    beside a club's handle spreads toward the handle until it just meets it, within
    `_SPREAD_LIMITS`. Fingers on a ring lie side by side, and are spread around a ball.

    Args:
        near: N props near hands, in the frames of the palms: x along the fingers, y across them
            toward the thumb, z out of the palm. Clubs point along the fingers (x > 0); where their
            axis has an x below `_LEAST_PART_ALONG`, this counts instead.
        shapes: shapes of all props.

    Returns:
        Shape (N, 3): index, ring and little finger. The middle finger is not spread.
    """
    kinds = np.array(shapes.kind)[near.prop, None]
    # Where the handle is across the palm, at the distance `_SPREAD_AT` along the fingers from their
    # roots, (N, 1), [m]: on the line through the centre of the club along its axis.
    slope = near.axis[:, 1:2] / np.maximum(near.axis[:, :1], _LEAST_PART_ALONG)
    handle_across = near.centre[:, 1:2] + slope * (_SPREAD_AT - near.centre[:, :1])
    # Distance from the axis of the resting finger to that of the handle there, and its excess over
    # the distance at which the two touch, (N, 3), [m]. Row 0 of the radii is the middle finger's.
    offset = handle_across - FINGER_ROOTS_ACROSS - _SPREAD_AT * np.sin(RESTING_SPREAD)
    gap = np.abs(offset) - _GRAZING_SHARE * (_MIDDLE_JOINT_RADII[1:] + CLUB_HANDLE[1][1])
    # A small turn of a finger moves its axis there by turn · `_SPREAD_AT`.
    turn = np.sign(offset) * np.maximum(gap, 0.0) / _SPREAD_AT
    club_spread = np.clip(RESTING_SPREAD + turn, *_SPREAD_LIMITS)
    other_spread = np.where(kinds == "ring", 0.0, _BALL_SPREAD * RESTING_SPREAD)
    return np.where(kinds == "club", club_spread, other_spread)


def _close_around(near: _NearProps, shapes: PropShapes, spread: Floats) -> _DigitClosure:
    """Close the fingers and thumbs of N hands around one prop each.

    Args:
        near: N props near hands, in the frames of the palms.
        shapes: kinds and sizes of all props.
        spread: angles by which index, ring and little finger are spread, shape (N, 3), [rad].

    Returns:
        Angles up to which digits can close, and at which they grip the prop, shape (N, 10) each.
    """
    limit = np.zeros((len(near.prop), _THUMB.stop))
    grip = np.zeros_like(limit)
    kinds = np.array(shapes.kind)[near.prop]
    distance_by_kind = {"ball": _ball_distance, "club": _club_distance, "ring": _ring_distance}
    # A prop that is carried lies in its palm as at the moment before. Of rows that are nearly equal
    # only the first is computed, and serves all of them.
    first, group = _equal_rows(near, shapes, spread)
    for kind, distance_function in distance_by_kind.items():
        rows = first[kinds[first] == kind]
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            block = rows[start : start + _ROWS_AT_ONCE]
            size = shapes.size[near.prop[block], None]
            # Coordinates as three columns, (N, 1) each, which broadcast with those of digits.
            centre: Columns = tuple(near.centre[block].T[..., None])
            axis: Columns = tuple(near.axis[block].T[..., None])
            distance = distance_function(centre, axis, size)
            # Fingers keep a clearance from the prop, thumbs do not.
            distance_less_clearance = _less(distance, near.clearance[block, None])
            limit[block, _BENDS], grip[block, _BENDS] = _close_fingers(
                distance_less_clearance, spread[block]
            )
            handle_across = near.axis[block, 1:2] if kind == "club" else np.zeros((len(block), 1))
            limit[block, _THUMB], grip[block, _THUMB] = _close_thumb(distance, handle_across)
    first_of_row = first[group]
    return _DigitClosure(limit[first_of_row], grip[first_of_row])


def _equal_rows(near: _NearProps, shapes: PropShapes, spread: Floats) -> tuple[Integers, Integers]:
    """Group rows around whose props digits close alike, within `_GROUPING_TOLERANCE`.

    They have the same kind and size of prop, in the same place and direction in the palm, beside
    fingers of the same spread.

    Args:
        near: N props near hands, in the frames of the palms.
        shapes: kinds and sizes of all props.
        spread: angles by which index, ring and little finger are spread, shape (N, 3), [rad].

    Returns:
        The first row of each of G groups, shape (G,), and the group of each row, shape (N,).
    """
    # All as lengths, [m]: components of unit vectors, and angles, are multiplied by 0.1 m, about
    # the distance at which they matter for fingers.
    lengths = np.column_stack([near.centre, near.axis / 10.0, spread / 10.0, near.clearance])
    _kinds, kind_of_prop = np.unique(shapes.kind, return_inverse=True)
    steps = np.rint(lengths / _GROUPING_TOLERANCE)
    traits = np.column_stack([steps, shapes.size[near.prop], kind_of_prop[near.prop]])
    # Rows are compared as bytes, which is many times as fast as by columns. Adding 0 makes −0 a 0,
    # which has other bytes.
    traits = traits + 0.0
    row_bytes = traits.view(np.dtype((np.void, traits.strides[0]))).ravel()
    _values, first, group = np.unique(row_bytes, return_index=True, return_inverse=True)
    return first, group


def _less(distance: DistanceFunction, clearance: Floats) -> DistanceFunction:
    """Return the function from points to their distances, less a clearance, shape (N, 1), [m]."""
    return lambda points: distance(points) - clearance


def _ball_distance(centre: Columns, _axis: Columns, size: Floats) -> DistanceFunction:
    """Return the function from points to their distances from balls, negative inside.

    Args:
        centre: of the ball beside each of N hands, [m].
        size: diameters, shape (N, 1), [m].
    """
    return lambda points: _length(_difference(points, centre)) - size / 2


def _club_distance(centre: Columns, axis: Columns, _size: Floats) -> DistanceFunction:
    """Return the function from points to their distances from clubs, negative inside.

    A distance is that from the nearest point of the club's axis, less the radius there. This is a
    little more than the distance from the slanted surface.

    Args:
        centre: balance point of the club beside each of N hands, three coordinates of shape (N, 1),
            [m].
        axis: unit vectors from knob to top, three components of shape (N, 1).
        _size: unused, as all clubs are equally large; the signature is that of other props.
    """

    def distance(points: Columns) -> Floats:
        """Return distances of points from the surface of the club beside their hand, [m].

        They are negative inside. `centre` is where the club balances, and `axis` its direction.
        """
        from_centre = _difference(points, centre)
        # The nearest point of the axis, as its distance from the end of the knob, [m].
        along = np.clip(_dot(from_centre, axis) + CLUB_CENTRE, CLUB_KNOB[0][0], CLUB_BODY[1][0])
        # The profile of a club is made of four straight parts: the knob narrows to the handle,
        # which widens evenly; from its end on the body swells, and tapers from the belly on. The
        # radius is that of the highest line, of which swell and taper count as the lower one.
        knob, handle, swell, taper = (start + slope * along for start, slope in _CLUB_LINES)
        radius = np.maximum(np.maximum(knob, handle), np.minimum(swell, taper))
        nearest = tuple((along - CLUB_CENTRE) * component for component in axis)
        return _length(_difference(from_centre, nearest)) - radius

    return distance


def _ring_distance(centre: Columns, axis: Columns, size: Floats) -> DistanceFunction:
    """Return the function from points to their distances from flat rings, 0 inside.

    The cross-section of a ring is a rectangle, whose long side points to the middle of the ring.

    Args:
        centre: middle of the ring beside each of N hands, three coordinates of shape (N, 1), [m].
        axis: unit vectors normal to the rings, three components of shape (N, 1).
        size: outer diameters, shape (N, 1), [m].
    """
    # `RING_HOLE` is the diameter of the hole as a share of the outer diameter.
    outer = size / 2
    half_width = outer * (1 - RING_HOLE) / 2

    def distance(points: Columns) -> Floats:
        """Distances of points from the ring beside their hand, [m]."""
        from_centre = _difference(points, centre)
        # Height and radius in cylindrical coordinates about the normal, and by how much each is
        # outside of the rectangle, [m].
        height = _dot(from_centre, axis)
        in_plane = _difference(from_centre, tuple(height * component for component in axis))
        radius = _length(in_plane)
        radial_excess = np.maximum(np.abs(radius - outer + half_width) - half_width, 0.0)
        axial_excess = np.maximum(np.abs(height) - RING_THICKNESS / 2, 0.0)
        return np.hypot(radial_excess, axial_excess)

    return distance


def _difference(points: Columns, origin: Columns) -> Columns:
    return tuple(place - start for place, start in zip(points, origin, strict=True))


def _dot(first: Columns, second: Columns) -> Floats:
    return first[0] * second[0] + first[1] * second[1] + first[2] * second[2]


def _length(vectors: Columns) -> Floats:
    return np.sqrt(_dot(vectors, vectors))


def _close_fingers(distance: DistanceFunction, spread: Floats) -> tuple[Floats, Floats]:
    """Bend the fingers of N hands around one prop each, until they touch it or are nearest to it.

    A finger has two bones. Both bend together until one of them touches the prop; then the distal
    bone goes on alone. A bone that would close wholly without a touch stops where it is nearest to
    the prop.

    Args:
        distance: function from points to their distances from the prop near each hand, [m].
        spread: angles by which index, ring and little finger are spread, shape (N, 3), [rad].

    Returns:
        Two arrays of flexions, shape (N, 8), [rad]: those of the four proximal bones, of middle,
        index, ring and little finger, then of the distal ones. The first array says how far each
        bone can close: until it touches, or wholly. The second says where it stops to grip the
        prop.
    """
    spread_of_all = np.zeros((len(spread), 4))  # the middle finger comes first, and has no spread
    spread_of_all[:, 1:] = spread
    heading = np.cos(spread_of_all), np.sin(spread_of_all)

    def gaps(proximal: Floats, distal: Floats, distal_bone_only: bool = False) -> Floats:
        """Gaps between fingers, or their distal bones, and the prop, shape (..., N, 4), [m].

        Args:
            proximal, distal: flexion of both bones, shape (..., N, 4) for N hands, [rad].
            distal_bone_only: whether the proximal bones are left out.
        """
        distances = distance(_finger_points(proximal, distal, heading, distal_bone_only))
        # Points are on the first axis, those of the distal bones last; fingers on the last axis.
        # Radii get axes of length 1 between these two. The gap of a finger is that of its nearest
        # point.
        radii = _FINGER_POINT_RADII[-len(distances) :]
        middle_axes = tuple(range(1, distances.ndim - 1))
        return (distances - np.expand_dims(radii, middle_axes)).min(axis=0) - _CLEARANCE

    def bends(share: Floats) -> Floats:
        """Return the flexions of both bones at a share of their way, on a first axis, [rad].

        Args:
            share: from 0, open, to 1, closed, any shape.
        """
        shape = (2, *(1,) * np.ndim(share))
        start = _OPEN_BENDS.reshape(shape)
        return start + share * (_CLOSED_BENDS.reshape(shape) - start)

    both_bones = _close_until_touch(lambda share: gaps(*bends(share)), _RESTING_SHARE)
    proximal, distal_start = bends(both_bones.share)
    # From there the distal bone goes on alone, by up to `distal_range`: its flexion is at most
    # `_MAX_DISTAL_BEND` beyond that of the proximal bone.
    distal_range = proximal + _MAX_DISTAL_BEND - distal_start
    distal_bone = _close_until_touch(
        lambda share: gaps(proximal, distal_start + share * distal_range, distal_bone_only=True)
    )
    distal = distal_start + distal_bone.share * distal_range
    # Bones that never touch grip where they are nearest to the prop, but could close wholly.
    proximal_limit = np.where(both_bones.touched, proximal, _CLOSED_BENDS[0])
    distal_limit = np.where(distal_bone.touched, distal, proximal_limit + _MAX_DISTAL_BEND)
    limit = np.concatenate([proximal_limit, distal_limit], axis=1)
    grip = np.concatenate([proximal, distal], axis=1)
    return limit, grip


def _close_thumb(distance: DistanceFunction, handle_across: Floats) -> tuple[Floats, Floats]:
    """Close the thumbs of N hands around one prop each, until they touch it or are nearest to it.

    A thumb has two channels, numbers without a unit: by opposition it is laid down from where it is
    raised out of the palm, and by flexion it bends toward the fingers. It opposes first, from
    outside and facing the fingers, so that the prop lies between the two; then it flexes. The
    farther a handle goes across the palm, the flatter the thumb is from the start, so that it comes
    to lie along the handle.

    Args:
        distance: function from points to their distances from the prop near each hand, [m].
        handle_across: component of the unit vector along a handle, from its end on, across the palm
            toward the thumb; 0 without a handle, shape (N, 1).

    Returns:
        Two arrays of flexion and opposition, shape (N, 2) each:

        - Limits, how far thumbs can close: the values at which they touch the prop; fully closed
          if they never do.
        - Grips, where thumbs stop to grip the prop: the same values where they touch it; else those
          at which they are nearest to it.
    """

    def gaps(flexion: Floats, opposition: Floats) -> Floats:
        """Gaps between thumbs and the prop, shape (..., N, 1), [m].

        Args:
            flexion, opposition: channels of thumbs, shape (..., N, 1) for N hands.
        """
        # K points along the thumb from its root, and the radii there, on a new first axis. The
        # directions of thumbs have shape (..., N, 3); their components along the fingers, toward
        # the thumb and out of the palm have shape (..., N, 1) each. So the coordinates of the
        # points have shape (K, ..., N, 1).
        direction = thumb_direction(flexion, opposition)
        along_x, along_y, along_z = np.moveaxis(direction, -1, 0)[..., None]
        along = _on_first_axis(THUMB * _THUMB_FRACTIONS, direction.ndim)
        points_back = THUMB_JOINT_BACK * _tent(_THUMB_FRACTIONS)
        x = along * along_x - THUMB_BACK - _on_first_axis(points_back, direction.ndim)
        y = THUMB_OUT + along * along_y
        z = along * along_z
        radii = _on_first_axis(_THUMB_POINT_RADII, direction.ndim)
        return (distance((x, y, z)) - radii).min(axis=0)

    # Each step searches for the share of the range of one channel at which thumbs touch; where they
    # do not touch, the share is that at which they are nearest.
    across_share = np.clip(handle_across / _FULLY_ACROSS, 0.0, 1.0)
    start = _THUMB_FACING + across_share * (_THUMB_ALONG - _THUMB_FACING)
    opposition_range = _THUMB_LAID - _THUMB_RAISED
    opposing = _close_until_touch(
        lambda share: gaps(start, _THUMB_RAISED + share * opposition_range)
    )
    opposition = _THUMB_RAISED + opposing.share * opposition_range
    # Between even places the thumb may have passed a thin handle, a little inside. So beside one it
    # flexes from flat on.
    flattest = np.where(across_share > 0.0, 0.0, start)
    flexion_range = _THUMB_CLOSED - flattest
    flexing = _close_until_touch(lambda share: gaps(flattest + share * flexion_range, opposition))
    flexion = flattest + flexing.share * flexion_range
    flexion_limit = np.where(flexing.touched, flexion, _THUMB_CLOSED)
    opposition_limit = np.where(opposing.touched, opposition, _THUMB_LAID)
    return (
        np.concatenate([flexion_limit, opposition_limit], axis=1),
        np.concatenate([flexion, opposition], axis=1),
    )


class _Closing(NamedTuple):
    """How far F digits of N hands go on a way toward a prop, shape (N, F) each.

    Args:
        touched: whether they touch the prop.
        share: share of the way, from 0 to 1, at which they first touch the prop; for digits that do
            not touch it, at which they are nearest to it.
    """

    touched: Booleans
    share: Floats


def _close_until_touch(gaps_at: Callable[[Floats], Floats], escape: float = 0.0) -> _Closing:
    """Find how far digits close until they touch a prop, or are nearest to it.

    Args:
        gaps_at: function from shares of the way on which digits close, 0 to 1, to the gaps between
            the digits and the prop, shape (..., N, F) for F digits of N hands, [m]; a gap is
            negative where a digit is inside the prop. The shares broadcast with this shape.
        escape: a digit that is inside the prop from the start goes to where it is least deep
            inside, among the shares up to this one.

    Returns:
        Whether each digit touches the prop, and the share of its way at which it stops, shape
        (N, F) each.
    """
    shares = np.linspace(0.0, 1.0, _SAMPLES)
    gaps = gaps_at(shares[:, None, None])
    touched: Booleans = np.asarray((gaps < 0.0).any(axis=0))
    touch = _touch_share(gaps_at, shares, gaps)
    # A bias that grows along the way makes the first of several shares win whose gaps are about
    # equal. A digit that is inside from the start goes to where its gap is greatest; one that never
    # touches stops where it is nearest.
    bias = _NEARER_BY * shares[:, None, None]
    escape_row = (gaps - bias)[shares <= escape].argmax(axis=0)
    is_inside_at_start = gaps[0] < 0.0
    share = np.where(is_inside_at_start, shares[escape_row], touch)
    return _Closing(touched, np.where(touched, share, _nearest_share(gaps + bias)))


def _touch_share(gaps_at: Callable[[Floats], Floats], shares: Floats, gaps: Floats) -> Floats:
    """Return the share of its way at which each digit first touches a prop, shape (N, F).

    The result has a meaning only for digits that are outside the prop at the first share and inside
    at a later one.

    Args:
        gaps_at: as for `_close_until_touch`.
        shares: S increasing shares of the way, shape (S,).
        gaps: gaps at these shares between F digits of N hands and the prop, shape (S, N, F), [m];
            negative where a digit is inside.
    """
    # The first share at which a digit is inside, and the share before it, bracket the touch.
    after = np.maximum((gaps < 0.0).argmax(axis=0), 1)
    low = shares[after - 1]
    high = shares[after]
    gap_low, gap_high = (
        np.take_along_axis(gaps, (after + offset)[None], axis=0)[0] for offset in (-1, 0)
    )
    # Regula falsi: each step replaces one end by the zero of the line through both ends.
    for _step in range(_REGULA_FALSI_STEPS):
        middle = low + (high - low) * _zero_of_line(gap_low, gap_high)
        gap = gaps_at(middle)
        is_inside = gap < 0.0
        low = np.where(is_inside, low, middle)
        gap_low = np.where(is_inside, gap_low, gap)
        high = np.where(is_inside, middle, high)
        gap_high = np.where(is_inside, gap, gap_high)
    return low + (high - low) * _zero_of_line(gap_low, gap_high)


def _nearest_share(gaps: Floats) -> Floats:
    """Return the share of its way at which the gap of each digit is least, shape (N, F).

    Args:
        gaps: gaps of F digits of N hands at `_SAMPLES` even shares of the way from 0 to 1, shape
            (`_SAMPLES`, N, F), [m].
    """
    # The vertex of the parabola through the share of least gap and its neighbours, which is at
    # (g₋ − g₊) / (2 (g₋ − 2g + g₊)) steps from the middle one.
    row = np.clip(gaps.argmin(axis=0), 1, _SAMPLES - 2)
    gap_before, gap_there, gap_after = (
        np.take_along_axis(gaps, (row + offset)[None], axis=0)[0] for offset in (-1, 0, 1)
    )
    # At an end of the way the least gap is beside the middle row, and the line may be straight.
    second_difference = np.maximum(gap_before - 2.0 * gap_there + gap_after, 1e-9)
    shift = np.clip((gap_before - gap_after) / (2.0 * second_difference), -1.0, 1.0)
    nearest: Floats = (row + shift) / (_SAMPLES - 1)
    return nearest


def _zero_of_line(before: Floats, after: Floats) -> Floats:
    """Place x in [0, 1] at which the line through (0, `before`) and (1, `after`) is 0."""
    return np.clip(before / np.maximum(before - after, 1e-12), 0.0, 1.0)


def _finger_points(
    proximal: Floats, distal: Floats, heading: tuple[Floats, Floats], distal_bone_only: bool
) -> Columns:
    """Return points along the bones of all four fingers of N hands, in the frames of the palms.

    A finger bends in the plane that is normal to the palm and turned by the finger's spread.

    Args:
        proximal, distal: flexion of both bones from the plane of the palm, shape (..., N, 4),
            [rad].
        heading: cosine and sine of the spread of each finger, shape (N, 4).
        distal_bone_only: whether points of the proximal bones are left out.

    Returns:
        Coordinates along the palm, across it and out of it, shape (K, ..., N, 4) each, [m]: K
        points, at `_PHALANX_FRACTIONS` of the proximal bone, if wanted, and of the distal bone.
    """
    cosine, sine = heading
    fractions = _on_first_axis(_PHALANX_FRACTIONS, distal.ndim)
    points_out = _on_first_axis(OUTER_JOINT_OUT * _tent(_PHALANX_FRACTIONS), distal.ndim)
    # In the plane of the finger, distances along the palm from the root are Σ length ·
    # cos(flexion), and heights out of the palm Σ length · sin(flexion). Bones have the lengths
    # `FINGERS` and `TIPS` in a middle finger, and shares of these in the other fingers.
    coordinates = []
    for component in (np.cos, np.sin):
        middle_joint = FINGERS * FINGER_LENGTH_RATIOS * component(proximal)
        bone = component(distal) * fractions + component(proximal) * points_out
        points = middle_joint + TIPS * FINGER_LENGTH_RATIOS * bone
        if not distal_bone_only:
            points = np.concatenate([middle_joint * fractions, points])
        coordinates.append(points)
    along, height = coordinates
    return along * cosine, _FINGER_ROOTS_ACROSS + along * sine, height


def _on_first_axis(values: Floats, axes: int) -> Floats:
    """Reshape values of K points along a digit to (K, 1, ..., 1), with `axes` axes of length 1."""
    return values.reshape(-1, *(1,) * axes)
