"""Props as they are drawn: balls with panels, clubs of round cones, rings, and stands."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.choreography import STAND_HEIGHT, lying_places
from juggle_anim.motion import (
    CLUB_CENTRE,
    CLUB_HANDLE,
    CLUB_KNOB,
    CLUB_LENGTH,
    CLUB_WIDTH,
    FACING,
    PLACE,
    RING_HOLE,
    Motion,
    ring_axes,
)
from juggle_anim.scene.people import Colour
from juggle_anim.scene.scene import Ball, Cone, Ring, Sphere, cones, no_rows, spheres
from juggle_anim.vectors import rotate_about_y

_RUBBER = (0.16, 0.16, 0.18)  # sRGB
_TAPE = (0.93, 0.93, 0.91)  # sRGB
_CLUB_GLOSS = 0.55
_DULL = 0.15  # gloss of rubber and tape
_DULL_COLOURS = ("RUBBER", _RUBBER), ("TAPE", _TAPE)

# Profiles of a club: distance from the end of the knob, and the radius there, [m].
_BELLY = 0.350  # m, where the body is thickest
_BODY_START = 0.195  # m
_BODY_END = 0.487  # m
_NECK_RADIUS = 0.0145  # m, where the body begins

_SWELLS = tuple(
    (
        _BODY_START + (_BELLY - _BODY_START) * share,
        _NECK_RADIUS + (CLUB_WIDTH / 2 - _NECK_RADIUS) * np.sin(np.pi / 2 * share) ** 2,
    )
    for share in np.linspace(0.0, 1.0, 8)
)

_TAPERS = tuple(
    (
        _BELLY + (_BODY_END - _BELLY) * share,
        CLUB_WIDTH / 2 - 0.0215 * (1 - np.cos(np.pi / 2 * share)),
    )
    for share in np.linspace(0.2, 1.0, 5)
)
_BODY = (*_SWELLS, *_TAPERS)
_TOP = ((0.480, 0.0190), (CLUB_LENGTH - 0.0190, 0.0190))

CLUB_PARTS = sum(len(profile) - 1 for profile in (CLUB_KNOB, CLUB_HANDLE, _BODY, _TOP))
"""Number of round cones of a club."""

_BODY_PARTS = slice(
    len(CLUB_KNOB) + len(CLUB_HANDLE) - 2, len(CLUB_KNOB) + len(CLUB_HANDLE) + len(_BODY) - 3
)
# Of each part, where it starts and ends, from the end of the knob, and the radii there, [m].
_STARTS, _START_RADII, _ENDS, _END_RADII = np.array(
    [
        (*start, *end)
        for part in (CLUB_KNOB, CLUB_HANDLE, _BODY, _TOP)
        for start, end in pairwise(part)
    ]
).T
_PAINT = np.array(
    [(*_RUBBER, _DULL)] * (len(CLUB_KNOB) - 1)
    + [(*_TAPE, _DULL)] * (CLUB_PARTS - len(CLUB_KNOB) + 1)
)
_PAINT[-1] = (*_RUBBER, _DULL)

# From the end of the knob: where the rubber of knob and top ends, the tape of the handle, and
# stripes of tape, [m].
KNOB_END = 0.034
TAPE_END = 0.208
TOP_START = 0.5025
STRIPES = (0.373, 0.384), (0.406, 0.417)

_WOOD = (0.66, 0.52, 0.38)
_METAL = (0.42, 0.43, 0.45)
_STAND_GLOSS = 0.1
_BOARD_DISTANCE = 0.03  # m, from board to board
_BOARD_RADIUS = 0.016  # m
_LEG_RADIUS = 0.012  # m
_LEG_INSET = 0.03  # m, from the edges of the boards

# How far a stand goes beyond the places on it, [m].
_STAND_INWARD = 0.06  # toward the body
_STAND_OUTWARD = 0.14
_STAND_BACK = 0.12
_STAND_AHEAD = 0.12
_LONG_STAND_BACK = 0.16  # for clubs and rings, which point ahead
_LONG_STAND_AHEAD = 0.42


def _bends() -> Singles:
    """Compute `CLUB_BENDS`: how normals bend along the body of a club, shape (`CLUB_PARTS`, 4).

    With the normals of the cones themselves, the body would look faceted. So the shaders
    interpolate between the normals of a smooth profile at both ends of each cone.

    Returns:
        A row for each round cone: the component along the club of the unit normal at its start, and
        at its end; 1 where normals are interpolated, in the body, else 0; and how far the cone
        starts from the end of the knob, [m].
    """
    # The profile of the body: distance along the club and radius at each end of a cone, [m].
    along, radius = np.array(_BODY).T
    slope = np.gradient(radius, along)
    # The normal of a surface whose radius grows points backward, so against the slope.
    normal_along = -slope / np.sqrt(1 + slope**2)
    # The surface is parallel to the club's axis where the body leaves the handle and at the belly,
    # where it is thickest; the estimated slopes there are not quite 0.
    belly = len(_SWELLS) - 1
    normal_along[[0, belly]] = 0.0
    bends = np.zeros((CLUB_PARTS, 4), dtype=np.float32)
    bends[:, 3] = _STARTS
    bends[_BODY_PARTS, 0] = normal_along[:-1]
    bends[_BODY_PARTS, 1] = normal_along[1:]
    bends[_BODY_PARTS, 2] = 1.0
    # One array is shared by all clubs, so nobody may change it.
    bends.setflags(write=False)
    return bends


CLUB_BENDS = _bends()
"""For each part, by how much normals at its start and end point along the club, whether they go
from one to the other, so that the body looks like one smooth surface, and how far from the end of
the knob it starts [m]; shape (`CLUB_PARTS`, 4).
"""

CLUB_DEFINES = (
    "CLUB",
    *(
        f"{name} vec4({','.join(f'{value:.3f}' for value in (*colour, _DULL))})"
        for name, colour in _DULL_COLOURS
    ),
    *(
        f"{name} {place}"
        for name, place in (
            ("KNOB_END", KNOB_END),
            ("TAPE_END", TAPE_END),
            ("TOP_START", TOP_START),
        )
    ),
    f"STRIPES vec4({','.join(str(place) for stripe in STRIPES for place in stripe)})",
)
"""What is defined for the shaders of capsules so that they draw clubs."""

_RING_GLOSS = 0.25
_BALL_GLOSS = 0.35

RING_STRIPE = (0.40, 0.60)
RING_TONE = 0.8
"""Where the stripe of a ring begins and ends, from its inner edge to its outer one, and its tone,
as of `Ball`.
"""

BALL_TONE = -0.20
"""The tone of a ball's other panels: darker for all, so that balls that differ in lightness still
do so from afar.
"""


def ball_rows(centres: Floats, aims: Floats, diameters: Floats, colours: Singles) -> Singles:
    """Return rows of balls with eight panels in two tones.

    Args:
        centres: centres of B balls at T times, shape (T, B, 3), [m].
        aims: shape (T, B, 2), yaw about +y and pitch above the horizon, [rad]: how they are turned.
        diameters: diameter of each ball, shape (B,), [m].
        colours: shape (B, 3), sRGB.

    Returns:
        Shape (T, B, `Ball.WIDTH`), rows of `Ball`.
    """
    rows = np.zeros((*centres.shape[:2], Ball.WIDTH), dtype=np.float32)
    rows[..., : Sphere.WIDTH] = spheres(centres, diameters, colours, _BALL_GLOSS)
    rows[..., Ball.AIM] = aims
    rows[..., Ball.TONE] = BALL_TONE
    return rows


def toned(colour: Colour, tone: float) -> Colour:
    """Return a colour in a tone: −1 for black, 0 for the colour itself, 1 for white; both sRGB."""
    red, green, blue = (
        channel * (1 + tone) if tone < 0 else channel + (1 - channel) * tone for channel in colour
    )
    return red, green, blue


def club_capsules(centres: Floats, axes: Floats, widths: Floats, colours: Singles) -> Singles:
    """Return the round cones of clubs.

    Args:
        centres: balance points of C clubs at T times, shape (T, C, 3), [m].
        axes: shape (T, C, 3), unit vectors from knob to top.
        widths: shape (C,), diameters of the bodies, [m].
        colours: shape (C, 3), of the bodies, sRGB.

    Returns:
        Shape (T, C · `CLUB_PARTS`, `Cone.WIDTH`), rows of `Cone`, club by club and from knob to
        top in each.
    """
    # A club is drawn as `CLUB_PARTS` round cones along a profile. `Cone` names the columns of a
    # row: both ends and the radii there, colour and gloss.
    time_count, club_count = centres.shape[:2]
    capsules = np.empty((time_count, club_count, CLUB_PARTS, Cone.WIDTH), dtype=np.float32)
    # The profile is measured along the club from the end of the knob, and a club is placed by its
    # balance point, `CLUB_CENTRE` from there.
    for columns, along in ((Cone.START, _STARTS), (Cone.END, _ENDS)):
        from_centre = (along - CLUB_CENTRE)[:, None] * axes[:, :, None]
        capsules[..., columns] = centres[:, :, None] + from_centre
    # Only the body is as wide as each club is: knob, handle and top are the same for all.
    capsules[..., Cone.START_RADIUS] = _START_RADII
    capsules[..., Cone.END_RADIUS] = _END_RADII
    capsules[:, :, _BODY_PARTS, Cone.RADII] *= (widths / CLUB_WIDTH).astype(np.float32)[
        :, None, None
    ]
    # Knob, handle and top are rubber and tape; only the body has the club's colour.
    capsules[..., Cone.PAINT] = _PAINT
    capsules[:, :, _BODY_PARTS, Cone.COLOUR] = colours[:, None]
    capsules[:, :, _BODY_PARTS, Cone.GLOSS] = _CLUB_GLOSS
    return capsules.reshape(time_count, -1, Cone.WIDTH)


def ring_rows(centres: Floats, yaws: Floats, diameters: Floats, colours: Singles) -> Singles:
    """Return rows of upright rings.

    Args:
        centres: centres of R rings at T times, shape (T, R, 3), [m].
        yaws: shape (T, R), rotations of their planes about +y, [rad]; at 0 a ring is in the plane
            of +y and +z, and its axis along +x.
        diameters: shape (R,), outer, [m].
        colours: shape (R, 3), sRGB.

    Returns:
        Shape (T, R, `Ring.WIDTH`), rows of `Ring`.
    """
    # `Ring` names the columns of a row; its hole is a radius, its tone that of a stripe.
    rows = np.zeros((*centres.shape[:2], Ring.WIDTH), dtype=np.float32)
    rows[..., Ring.CENTRE] = centres
    rows[..., Ring.RADIUS] = diameters / 2
    rows[..., Ring.AXIS] = ring_axes(yaws)
    rows[..., Ring.HOLE] = RING_HOLE * diameters / 2
    rows[..., Ring.COLOUR] = colours
    rows[..., Ring.GLOSS] = _RING_GLOSS
    rows[..., Ring.TONE] = RING_TONE
    return rows


def board_table(
    sides: tuple[float, float], ahead: tuple[float, float], height: float, body: Floats
) -> Singles:
    """Return round cones of a table: boards across, one behind the other, and four legs.

    Args:
        sides: positions of its right edge and its left edge, measured to the left from the middle
            of the body, [m]; the right one is less.
        ahead: positions of its near edge and its far edge, measured ahead of the body, [m].
        height: height of its surface above the floor, [m].
        body: shape (4,), where the juggler stands in the world: x, y, z, [m], and the turn about
            +y, [rad].

    Returns:
        Shape (N, `Cone.WIDTH`), rows of `Cone`.
    """
    # Each round cone is (start, end, radius), [m], in the frame of the body: x to its left, y up,
    # z ahead. A board lies across, from side to side, with its top at the height of the table.
    right, left = sides
    board_places = np.arange(*ahead, _BOARD_DISTANCE).tolist()
    board_height = height - _BOARD_RADIUS
    boards = [
        ((right, board_height, z), (left, board_height, z), _BOARD_RADIUS) for z in board_places
    ]
    feet = [
        (x, z)
        for x in (right + _LEG_INSET, left - _LEG_INSET)
        for z in (board_places[0], board_places[-1])
    ]
    # Legs go from the floor up to below the boards. They are round at their ends, so their axes
    # begin a radius above the floor. Under a very low table a leg is as good as a ball: its top is
    # never below its foot.
    leg_top = max(height - 2 * _BOARD_RADIUS, _LEG_RADIUS + 1e-3)
    legs = [((x, _LEG_RADIUS, z), (x, leg_top, z), _LEG_RADIUS) for x, z in feet]

    parts = boards + legs
    ends = np.array([(start, end) for start, end, _radius in parts])  # (N, 2, 3)
    radii = np.array([radius for _start, _end, radius in parts])
    colours = np.array([_WOOD] * len(boards) + [_METAL] * len(legs))
    # From the frame of the body into the world: turned about +y, and moved to where it stands.
    ends = rotate_about_y(ends, body[FACING]) + body[PLACE]
    return cones(ends[:, 0], radii, ends[:, 1], radii, colours, _STAND_GLOSS)


def prop_stands(motion: Motion) -> Singles:
    """Return the stands on which jugglers put props down, shape (N, `Cone.WIDTH`), rows of `Cone`.

    There is a stand for each hand that puts props down, as large as the places on it need.

    Args:
        motion: motion of props and jugglers; jugglers who move about leave their stands where they
            are.
    """
    # Where jugglers stand, and face, at the start of the loop, shape (J, 4).
    bodies = motion.bodies.places(np.zeros(1))[0]
    rows_of_stands = [no_rows(0, Cone.WIDTH)]  # for a result without stands
    # How far a stand goes behind and ahead of its places: more for clubs and rings, [m].
    back = _LONG_STAND_BACK if motion.shapes.has_oriented else _STAND_BACK
    ahead = _LONG_STAND_AHEAD if motion.shapes.has_oriented else _STAND_AHEAD
    # Hands put props down with the centres at `STAND_HEIGHT`, so the surface is lower by a radius,
    # that of the largest prop.
    height = STAND_HEIGHT - float(motion.shapes.size.max(initial=0.0)) / 2
    for hand, places in lying_places(motion.choreography).items():
        # Places are in the frame of the body, with x to its left. Outward, away from its middle, is
        # +x for a left hand, of even number, and −x for a right one.
        outward_sign = 1 if hand % 2 == 0 else -1
        outward = places[:, 0] * outward_sign
        inner_edge = outward.min() - _STAND_INWARD
        outer_edge = outward.max() + _STAND_OUTWARD
        # Back to x, by which the right edge is the lesser one.
        edges = outward_sign * inner_edge, outward_sign * outer_edge
        right_and_left = min(edges), max(edges)
        near_and_far = places[:, 2].min() - back, places[:, 2].max() + ahead
        rows_of_stands.append(
            board_table(
                sides=right_and_left, ahead=near_and_far, height=height, body=bodies[hand // 2]
            )
        )
    return np.concatenate(rows_of_stands)
