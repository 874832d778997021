"""Balls with panels in two tones, clubs as round cones from knob to top, rings, and the stands on
which props lie.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.choreography.places import STAND_HEIGHT, lying_places
from juggle_anim.motion import CLUB_CENTRE, CLUB_LENGTH, CLUB_WIDTH, RING_HOLE, Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.scene.palette import Colour
from juggle_anim.scene.scene import Ball, Cone, Ring, Sphere, cones, no_rows, spheres
from juggle_anim.vectors import rotate_about_y

_RUBBER = (0.16, 0.16, 0.18)
_TAPE = (0.93, 0.93, 0.91)
_CLUB_GLOSS = 0.55
_DULL = 0.15
_DULL_COLOURS = ("RUBBER", _RUBBER), ("TAPE", _TAPE)

# From the end of the knob, [m], and the radius there, [m].
_KNOB = ((0.0155, 0.0155), (0.022, 0.0145))

_HANDLE = ((0.026, 0.0115), (0.120, 0.0125), (0.200, 0.0145))
_BELLY = 0.350

_SWELLS = tuple(
    (
        0.195 + (_BELLY - 0.195) * share,
        0.0145 + (CLUB_WIDTH / 2 - 0.0145) * np.sin(np.pi / 2 * share) ** 2,
    )
    for share in np.linspace(0.0, 1.0, 6)
)

_TAPERS = tuple(
    (_BELLY + (0.487 - _BELLY) * share, CLUB_WIDTH / 2 - 0.0215 * (1 - np.cos(np.pi / 2 * share)))
    for share in np.linspace(0.2, 1.0, 5)
)
_BODY = (*_SWELLS, *_TAPERS)
_TOP = ((0.480, 0.0190), (CLUB_LENGTH - 0.0190, 0.0190))

PARTS = sum(len(profile) - 1 for profile in (_KNOB, _HANDLE, _BODY, _TOP))
"""Number of round cones of a club."""

_OF_BODY = slice(len(_KNOB) + len(_HANDLE) - 2, len(_KNOB) + len(_HANDLE) + len(_BODY) - 3)
_PROFILE = np.array(
    [(*start, *end) for part in (_KNOB, _HANDLE, _BODY, _TOP) for start, end in pairwise(part)]
)
_PAINT = np.array(
    [(*_RUBBER, _DULL)] * (len(_KNOB) - 1) + [(*_TAPE, _DULL)] * (PARTS - len(_KNOB) + 1)
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
_GLOSS = 0.1
_BOARD = 0.03  # from board to board, [m]
# radii of boards and legs, and how far in legs stand, [m]
_THICK = 0.016
_LEG = 0.012
_INSET = 0.03

# How far a stand goes beyond the places on it: toward the body and away from it, back and ahead,
# [m].
_INWARD = 0.06
_OUTWARD = 0.14
_BACK = 0.12
_AHEAD = 0.12
# for clubs and rings, which point ahead
_LONG_BACK = 0.16
_LONG_AHEAD = 0.42


def _bends() -> Singles:
    along, radius = np.array(_BODY).T
    slope = -np.gradient(radius, along)
    # It is level where it leaves the handle and at the belly.
    slope[[0, len(_SWELLS) - 1]] = 0.0
    rises = slope / np.sqrt(1 + slope**2)
    bends = np.zeros((PARTS, 4), dtype=np.float32)
    bends[:, 3] = _PROFILE[:, 0]
    bends[_OF_BODY, :3] = np.stack([rises[:-1], rises[1:], 1 + 0 * rises[1:]], axis=-1)
    bends.setflags(write=False)
    return bends


CLUB_BENDS = _bends()
"""For each part, by how much normals at its start and end point along the club, whether they go
from one to the other, so that the body looks like one smooth surface, and how far from the end of
the knob it starts [m]; shape (`PARTS`, 4).
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
_BALL_GLOSS = 0.6

RING_STRIPE = (0.32, 0.68)
RING_TONE = 0.45
"""Where the stripe of a ring begins and ends, from its inner edge to its outer one, and its tone,
as of `Ball`.
"""

BALL_TONE = -0.44
"""The tone of a ball's other panels: darker for all, so that balls that differ in lightness still
do so from afar.
"""


def ball_rows(centres: Floats, aims: Floats, diameters: Floats, colours: Singles) -> Singles:
    """Return rows of balls with eight panels.

    Args:
        centres: shape (T, B, 3), [m].
        aims: shape (T, B, 2), yaw and pitch, [rad].
        diameters: shape (B,), [m].
        colours: shape (B, 3), sRGB.

    Returns:
        Shape (T, B, 12), rows of `Ball`.
    """
    rows = np.zeros((*centres.shape[:2], Ball.WIDTH), dtype=np.float32)
    rows[..., : Sphere.WIDTH] = spheres(centres, diameters, colours, _BALL_GLOSS)
    rows[..., Ball.AIM], rows[..., Ball.TONE] = aims, BALL_TONE
    return rows


def toned(colour: Colour, tone: float) -> Colour:
    """Return a colour in a tone, as of `Ball`; both sRGB."""
    red, green, blue = (
        each * (1 + tone) if tone < 0 else each + (1 - each) * tone for each in colour
    )
    return red, green, blue


def club_capsules(centres: Floats, axes: Floats, widths: Floats, colours: Singles) -> Singles:
    """Return the round cones of clubs.

    Args:
        centres: shape (T, C, 3), balance points, [m].
        axes: shape (T, C, 3), unit vectors from knob to top.
        widths: shape (C,), diameters of the bodies, [m].
        colours: shape (C, 3), of the bodies, sRGB.

    Returns:
        Shape (T, C · `PARTS`, 12), rows of `Cone`.
    """
    times, clubs = centres.shape[:2]
    capsules = np.empty((times, clubs, PARTS, Cone.WIDTH), dtype=np.float32)
    for end, along in ((Cone.START, _PROFILE[:, 0]), (Cone.END, _PROFILE[:, 2])):
        away = (along - CLUB_CENTRE)[:, None] * axes[:, :, None]
        capsules[..., end] = centres[:, :, None] + away
    capsules[..., Cone.RADII] = _PROFILE[:, [1, 3]]
    capsules[:, :, _OF_BODY, Cone.RADII] *= (widths / CLUB_WIDTH).astype(np.float32)[:, None, None]
    capsules[..., Cone.PAINT] = _PAINT
    capsules[:, :, _OF_BODY, Cone.COLOUR] = colours[:, None]
    capsules[:, :, _OF_BODY, Cone.GLOSS] = _CLUB_GLOSS
    return capsules.reshape(times, -1, Cone.WIDTH)


def ring_rows(centres: Floats, yaws: Floats, diameters: Floats, colours: Singles) -> Singles:
    """Return rows of upright rings.

    Args:
        centres: shape (T, R, 3), [m].
        yaws: shape (T, R), rotations of their planes about +y, [rad]; 0 is the plane of +y and +z.
        diameters: shape (R,), outer, [m].
        colours: shape (R, 3), sRGB.

    Returns:
        Shape (T, R, 16), rows of `Ring`.
    """
    rows = np.zeros((*centres.shape[:2], Ring.WIDTH), dtype=np.float32)
    rows[..., Ring.CENTRE], rows[..., Ring.RADIUS] = centres, diameters / 2
    rows[..., Ring.AXIS] = np.stack([np.cos(yaws), np.zeros_like(yaws), -np.sin(yaws)], axis=-1)
    rows[..., Ring.HOLE] = RING_HOLE * diameters / 2
    rows[..., Ring.COLOUR], rows[..., Ring.GLOSS], rows[..., Ring.TONE] = (
        colours,
        _RING_GLOSS,
        RING_TONE,
    )
    return rows


def board_table(
    sides: tuple[float, float], ahead: tuple[float, float], height: float, body: Floats
) -> Singles:
    """Return round cones of a table.

    Args:
        sides: from where to where it goes to the left of a body, [m].
        ahead: likewise ahead.
        height: of its surface, [m].
        body: shape (4,), where the juggler stands, as `Bodies.places` has it.

    Returns:
        Shape (N, 12), rows of `Cone`.
    """
    rows = np.arange(ahead[0], ahead[1], _BOARD).tolist()
    boards = [
        ((sides[0], height - _THICK, z), (sides[1], height - _THICK, z), _THICK) for z in rows
    ]
    feet = [(x, z) for x in (sides[0] + _INSET, sides[1] - _INSET) for z in (rows[0], rows[-1])]
    legs = [((x, _LEG, z), (x, max(height - 2 * _THICK, _LEG + 1e-3), z), _LEG) for x, z in feet]
    start, end = (np.array([row[side] for row in boards + legs], dtype=float) for side in (0, 1))
    start, end = (
        rotate_about_y(each, body[FACING : FACING + 1]) + body[PLACE] for each in (start, end)
    )
    radii = np.array([row[2] for row in boards + legs])
    colours = np.array([_WOOD] * len(boards) + [_METAL] * len(legs))
    return cones(start, radii, end, radii, colours, _GLOSS)


def prop_stands(motion: Motion) -> Singles:
    """Return the stands of all jugglers who put props down or pick some up, as rows of `Cone`,
    shape (N, 12).
    """
    bodies = motion.bodies.places(np.zeros(1))[0]
    found = [no_rows(0, Cone.WIDTH)]
    back, ahead = (_LONG_BACK, _LONG_AHEAD) if motion.shapes.has_oriented else (_BACK, _AHEAD)
    height = STAND_HEIGHT - float(motion.shapes.size.max(initial=0.0)) / 2
    for hand, places in lying_places(motion.choreography).items():
        out = places[:, 0] * (1 - 2 * (hand % 2))
        across = sorted(
            (1 - 2 * (hand % 2)) * np.array([out.min() - _INWARD, out.max() + _OUTWARD])
        )
        along = places[:, 2].min() - back, places[:, 2].max() + ahead
        found.append(board_table((across[0], across[1]), along, height, bodies[hand // 2]))
    return np.concatenate(found)
