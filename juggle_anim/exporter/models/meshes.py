"""Triangle meshes of the shapes that pictures draw without triangles: round cones, props, floor.

A prop is given in parts of one material: a ball as panels in two tones, a club as bands.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers, Singles
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import CLUB_CENTRE, CLUB_LENGTH, RING_HOLE
from juggle_anim.scene.props import (
    BALL_TONE,
    KNOB_END,
    PARTS,
    RING_STRIPE,
    RING_TONE,
    STRIPES,
    TAPE_END,
    TOP_START,
    club_capsules,
    toned,
)
from juggle_anim.scene.scene import STUDIO, Cone

CORNERS_AROUND = 20
"""Corners of a circle."""

CAP_RINGS = 4
"""Rings of corners from the pole of a round end to its side."""

RING_THICKNESS = 0.003
"""Of a juggling ring, [m]."""

_ANGLES = np.linspace(0.0, 2 * np.pi, CORNERS_AROUND, endpoint=False)  # rad, of a circle's corners

# Columns of x, y and z that turn an axis along +y onto +x, and onto +z.
_ONTO_X = [1, 2, 0]
_ONTO_Z = [2, 0, 1]

_FLOOR_MARGIN = 2.0  # m, of floor around people
_BAND_LENGTH = 0.012  # m, about, along a club from one circle of corners to the next
_BALLS_IN_CONE = 65  # balls whose envelope stands for a round cone
_SLOPE_STEP = 1e-4  # m, of the central difference that gives the slope of a profile
_POLE_RADIUS = 1e-6  # m; a narrower ring is a pole

_BALL_GLOSS = 0.6
_RING_GLOSS = 0.25
_CUBE_GLOSS = 0.2

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh.

    Args:
        points: shape (V, 3), [m].
        normals: shape (V, 3), unit vectors, one for each point.
        triangles: shape (F, 3), indices of points, counterclockwise as seen from outside.
    """

    points: Floats
    normals: Floats
    triangles: Integers


@dataclass(frozen=True)
class Part:
    """A mesh of one material.

    Args:
        mesh: the triangles.
        colour: sRGB, 0 to 1.
        gloss: from 0 (dull) to 1 (polished).
        name: of the material; may be empty.
    """

    mesh: Mesh
    colour: Colour
    gloss: float
    name: str = ""

    @property
    def light(self) -> Colour:
        """The colour in linear light (IEC 61966-2-1)."""
        red, green, blue = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in self.colour
        )
        return red, green, blue


def colour_of(row: Floats) -> Colour:
    """Convert the first three numbers of an array to a colour."""
    red, green, blue = row[:3].tolist()
    return red, green, blue


def ball(radius: float) -> Mesh:
    """Return a ball around the origin, with its poles on the y axis; radius in [m]."""
    # Rings of equal steps of latitude, of which the first and the last are the poles.
    slopes = np.linspace(-np.pi / 2, np.pi / 2, 3 * CAP_RINGS + 1)
    return surface_of_revolution(
        radius * np.cos(slopes),
        heights=radius * np.sin(slopes),
        slopes=slopes,
        triangles=_between_poles(len(slopes)),
    )


def cube(edge: float) -> Mesh:
    """Return an upright cube around the origin; edge in [m].

    Each face has corners of its own, since its normals differ from those of its neighbours.
    """
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    # Each face is spanned by two axes across its normal n: b and n × b. As b × (n × b) = n,
    # corners that are counterclockwise in these axes are so as seen from outside.
    beside = np.roll(normals, 1, axis=1)
    above = np.cross(normals, beside)
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    points = normals[:, None] + corners[:, :1] * beside[:, None] + corners[:, 1:] * above[:, None]
    faces = np.array([(0, 1, 2), (0, 2, 3)]) + 4 * np.arange(6)[:, None, None]
    return Mesh(
        points.reshape(-1, 3) * edge / 2, np.repeat(normals, 4, axis=0), faces.reshape(-1, 3)
    )


def ring(
    diameter: float, hole: float, thickness: float, dividing_radii: Sequence[float] = ()
) -> Mesh:
    """Return a flat ring around the origin, in the plane x = 0.

    Args:
        diameter: outer, [m].
        hole: inner diameter, [m].
        thickness: along x, [m].
        dividing_radii: of further circles of corners on both faces, ascending, above 0 (the inner
            edge) and below 1 (the outer edge).
    """
    half = thickness / 2
    circles = (hole + (diameter - hole) * np.array([0.0, *dividing_radii, 1.0])) / 2
    # The profile is made about +y and turned at the end. It goes outward on the lower face, up the
    # outer rim, inward on the upper face, and down the inner rim. Each of its segments has two
    # rings of corners of its own, since a corner has one normal and edges are sharp.
    across = np.repeat(circles, 2)[1:-1]
    radii = np.concatenate([across, across[[-1, -1]], across[::-1], across[[0, 0]]])
    levels = np.full(len(across), half)
    heights = np.concatenate([-levels, [-half, half], levels, [half, -half]])
    up = np.full(len(across), np.pi / 2)
    slopes = np.concatenate([-up, [0.0, 0.0], up, [np.pi, np.pi]])
    # Rings come in pairs, one for each segment: bands are within pairs only.
    triangles = np.concatenate(bands(np.arange(0, len(radii), 2)))
    upright = surface_of_revolution(radii, heights=heights, slopes=slopes, triangles=triangles)
    return Mesh(upright.points[:, _ONTO_X], upright.normals[:, _ONTO_X], upright.triangles)


def floor(half_edge: float) -> Mesh:
    """Return a square of the floor around the origin, at y = 0 and facing +y; half edge in [m]."""
    corners = np.array([(-1.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 0.0, -1.0), (-1.0, 0.0, -1.0)])
    return Mesh(
        half_edge * corners, np.tile((0.0, 1.0, 0.0), (4, 1)), np.array([(0, 1, 2), (0, 2, 3)])
    )


def floor_part(pelvises: Singles) -> Part:
    """Return a floor large enough for people who move.

    Args:
        pelvises: where they are at all times, shape (..., 3), not empty, [m].
    """
    # The floor is centred on the origin, so the farthest coordinate on the ground decides.
    farthest = float(np.abs(pelvises[..., [0, 2]]).max())
    return Part(floor(farthest + _FLOOR_MARGIN), colour=STUDIO.floor, gloss=0.0, name="floor")


def round_cones(cones: Floats) -> tuple[Mesh, Integers]:
    """Return a mesh of round cones, each the convex hull of two balls.

    Args:
        cones: shape (N, 8), their `Cone.SHAPE` [m]: start and end points and a radius at each. The
            radii differ by less than the distance of the points, so no ball contains the other.

    Returns:
        One mesh of all cones, with V corners.
        The end that each corner belongs to, shape (V,): 2 · cone at the start of a cone, and
        2 · cone + 1 at its end.
    """
    starts = cones[:, Cone.START]
    ends = cones[:, Cone.END]
    lengths = np.linalg.norm(ends - starts, axis=1)

    # The side is tangent to both balls where normals rise from the plane across the axis by β,
    # with sin β = (r₀ − r₁) / length. Rounding may take the ratio just beyond ±1: so it is clipped.
    radius_drop = cones[:, Cone.START_RADIUS] - cones[:, Cone.END_RADIUS]
    side = np.arcsin(np.clip(radius_drop / lengths, -1.0, 1.0))[:, None]

    # Rings go from the pole of the start ball to β, and from β to the pole of the end ball. The two
    # rings at β, one on each ball, bound the side.
    fraction = np.linspace(0.0, 1.0, CAP_RINGS + 1)
    slopes = np.concatenate(
        [-np.pi / 2 + fraction * (side + np.pi / 2), side + fraction * (np.pi / 2 - side)], axis=1
    )
    to_axis = _rotations_from_y((ends - starts) / lengths[:, None])
    # Rows of normals times the transpose: the same as the rotation times each normal.
    normals = _ring_normals(slopes) @ np.swapaxes(to_axis, -1, -2)[:, None]
    radii = np.repeat(cones[:, Cone.RADII], CAP_RINGS + 1, axis=1)
    centres = np.repeat(np.stack([starts, ends], axis=1), CAP_RINGS + 1, axis=1)
    points = centres[:, :, None] + radii[:, :, None, None] * normals

    # All cones have the same number of rings, so their corners follow each other at equal steps.
    cone_index = np.arange(len(cones))
    ring_count = slopes.shape[1]
    first_corners = (cone_index * ring_count * CORNERS_AROUND)[:, None, None]
    triangles = _between_poles(ring_count) + first_corners
    end_index = 2 * cone_index[:, None] + np.arange(2)
    ends_of_corners = np.repeat(end_index, (CAP_RINGS + 1) * CORNERS_AROUND, axis=1)
    mesh = Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles.reshape(-1, 3))
    return mesh, ends_of_corners.ravel()


def surface_of_revolution(
    radii: Floats, heights: Floats, slopes: Floats, triangles: Integers
) -> Mesh:
    """Return a profile revolved about +y, with `CORNERS_AROUND` corners in each ring.

    Args:
        radii: of each ring of corners, shape (R,), [m].
        heights: y of each ring, shape (R,), [m].
        slopes: elevation of each ring's normals above the plane across +y, shape (R,), [rad].
        triangles: that join the rings, shape (F, 3); corner c of ring r has index
            r · `CORNERS_AROUND` + c.
    """
    normals = _ring_normals(slopes)
    angles = _ANGLES[None, :]
    points = np.stack(
        [
            radii[:, None] * np.cos(angles),
            heights[:, None] + 0 * angles,  # the same height for all corners of a ring
            -radii[:, None] * np.sin(angles),
        ],
        axis=-1,
    )
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles)


def _ring_normals(slopes: Floats) -> Floats:
    """Return unit normals of rings about +y, shape (..., `CORNERS_AROUND`, 3).

    Args:
        slopes: elevation of a ring's normals above the plane across +y, shape (...), [rad].
    """
    level = np.cos(slopes)[..., None]
    rise = np.sin(slopes)[..., None]
    return np.stack(
        [level * np.cos(_ANGLES), rise + 0 * _ANGLES, -level * np.sin(_ANGLES)], axis=-1
    )


def _between_poles(rings: int) -> Integers:
    """Return the triangles between successive rings from pole to pole, shape (F, 3).

    Args:
        rings: their number, with both poles, each of which is a ring whose corners coincide.
    """
    lower, upper = bands(np.arange(rings - 1))
    # Two corners of a lower triangle are on its lower ring, so those of the first band have no
    # area at the pole; likewise the upper triangles of the last band. Both are left out.
    return np.concatenate([lower[CORNERS_AROUND:], upper[:-CORNERS_AROUND]])


def bands(rings: Integers) -> tuple[Integers, Integers]:
    """Return the triangles of the bands between rings and the rings that follow them.

    Each quadrilateral of a band is divided into two triangles, counterclockwise as seen from
    outside where the rings ascend along +y.

    Args:
        rings: index of the lower ring of each band, shape (B,).

    Returns:
        Triangles with two corners on the lower ring, shape (B · `CORNERS_AROUND`, 3).
        Triangles with two corners on the upper ring, same shape. Both go band by band.
    """
    corner = np.arange(CORNERS_AROUND)
    first = rings[:, None] * CORNERS_AROUND
    low = (first + corner).ravel()
    low_next = (first + (corner + 1) % CORNERS_AROUND).ravel()
    high = low + CORNERS_AROUND
    high_next = low_next + CORNERS_AROUND
    return np.stack([low, low_next, high_next], axis=-1), np.stack([low, high_next, high], axis=-1)


def _rotations_from_y(axes: Floats) -> Floats:
    """Return rotations of +y onto unit vectors, shape (N, 3, 3), for column vectors.

    The turn about the axis itself is arbitrary, which a body of revolution does not show.

    Args:
        axes: unit vectors, shape (N, 3).
    """
    # A cross product is ill conditioned where its vectors are nearly parallel: so it is taken with
    # the coordinate axis of the smallest component, which is the one nearest to a right angle.
    across = np.eye(3)[np.abs(axes).argmin(axis=1)]
    x = np.cross(axes, across)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, axes, np.cross(x, axes)], axis=-1)


def prop_parts(kind: str, size: float, colour: Colour) -> tuple[Part, ...]:
    """Return a prop around its centre of mass, pointing to +z as in `juggle_anim.motion.spin`.

    Args:
        kind: "ball", "square", "ring" or "club".
        size: diameter of a ball or ring, edge of a square (a cube), or diameter of a club's body,
            [m].
        colour: sRGB, 0 to 1.
    """
    match kind:
        case "club":
            return _club(size, colour)
        case "ring":
            flat, stripe = _striped_ring(size, RING_HOLE * size, RING_THICKNESS)
            return (
                Part(flat, colour=colour, gloss=_RING_GLOSS),
                Part(stripe, colour=toned(colour, RING_TONE), gloss=_RING_GLOSS),
            )
        case "square":
            return (Part(cube(size), colour=colour, gloss=_CUBE_GLOSS),)
    # A ball.
    coloured, toned_panels = _panels(ball(size / 2))
    return (
        Part(coloured, colour=colour, gloss=_BALL_GLOSS),
        Part(toned_panels, colour=toned(colour, BALL_TONE), gloss=_BALL_GLOSS),
    )


def stand_parts(rows: Singles) -> tuple[Part, ...]:
    """Return the stands on which props lie, one part for each colour.

    Args:
        rows: the round cones of all stands in the world, rows of `Cone`; may be empty.
    """
    # For each row the index of its colour; some versions of NumPy return it as a column.
    colours, colour_index = np.unique(rows[:, Cone.COLOUR], axis=0, return_inverse=True)
    parts = []
    for index in range(len(colours)):
        cones = rows[colour_index.ravel() == index].astype(float)
        mesh, _ends = round_cones(cones[:, Cone.SHAPE])
        colour = colour_of(cones[0, Cone.COLOUR])
        parts.append(Part(mesh, colour=colour, gloss=float(cones[0, Cone.GLOSS]), name="stand"))
    return tuple(parts)


def _panels(mesh: Mesh) -> tuple[Mesh, Mesh]:
    """Divide a ball into the panels in its colour, where x·y·z < 0, and those in the other tone."""
    middles = mesh.points[mesh.triangles].mean(axis=1)
    coloured = middles.prod(axis=1) < 0
    return _submesh(mesh, coloured), _submesh(mesh, ~coloured)


def _submesh(mesh: Mesh, chosen: Booleans) -> Mesh:
    """Return the chosen triangles of a mesh, shape (F,), with only the points that they use."""
    used, triangles = np.unique(mesh.triangles[chosen], return_inverse=True)
    return Mesh(mesh.points[used], mesh.normals[used], triangles.reshape(-1, 3))


def _striped_ring(diameter: float, hole: float, thickness: float) -> tuple[Mesh, Mesh]:
    """Return a ring without its stripe, and the stripe, on both faces.

    Args:
        diameter, hole, thickness: as for `ring`, [m].
    """
    # The ring has circles of corners at both edges of the stripe, so each triangle of its faces is
    # either in the stripe or beside it.
    whole = ring(diameter, hole, thickness, dividing_radii=RING_STRIPE)
    corners = whole.points[whole.triangles]
    middles = corners.mean(axis=1)
    across = np.hypot(middles[:, 1], middles[:, 2])  # distance from the axis, [m]
    share = (across - hole / 2) / (diameter - hole) * 2  # 0 at the inner edge, 1 at the outer
    on_face = np.ptp(corners[..., 0], axis=1) == 0  # x is the same at all corners, unlike on rims
    stripe = on_face & (share > RING_STRIPE[0]) & (share < RING_STRIPE[1])
    return _submesh(whole, ~stripe), _submesh(whole, stripe)


def _club(width: float, colour: Colour) -> tuple[Part, ...]:
    """Return a club as one surface around its centre of mass, in bands of rubber, tape and colour.

    Args:
        width: diameter of its body, [m].
        colour: sRGB, 0 to 1.

    Returns:
        A part for each material, which holds all of its bands.
    """
    # Round cones of a club that points to +z and whose knob is at z = 0.
    ahead = np.array([[[0.0, 0.0, 1.0]]])
    colours: Singles = np.array([colour], dtype=np.float32)
    cones = club_capsules(CLUB_CENTRE * ahead, ahead, np.array([width]), colours)[0].astype(float)
    # The knob, the tape of the handle and the middle of the body have these materials.
    rubber = _material(cones[0])
    tape = _material(cones[2])
    body = _material(cones[PARTS // 2])
    # Heights from the knob, ascending, [m]: between two of them lies the band of each material.
    stripe_edges = (edge for stripe in STRIPES for edge in stripe)
    edges = [0.0, KNOB_END, TAPE_END, *stripe_edges, TOP_START, CLUB_LENGTH]
    materials = rubber, tape, body, tape, body, tape, body, rubber

    meshes: dict[tuple[Colour, float], list[Mesh]] = {}
    for (low, high), material in zip(pairwise(edges), materials, strict=True):
        meshes.setdefault(material, []).append(_club_band(cones, low, high))
    return tuple(Part(_joined(bands_of), *material) for material, bands_of in meshes.items())


def _material(row: Floats) -> tuple[Colour, float]:
    """Return colour and gloss of a row of `Cone`."""
    return colour_of(row[Cone.COLOUR]), float(row[Cone.GLOSS])


def _club_band(cones: Floats, low: float, high: float) -> Mesh:
    """Return the outer surface of round cones along +z between two heights, [m].

    The surface is centred on the club's centre of mass.

    Args:
        cones: rows of `Cone`, on the z axis, with z measured from the knob.
        low: where the band begins, from the knob, [m].
        high: where it ends, from the knob, [m].
    """
    # Steps of a cosine make rings denser at both ends of the band, where a profile bends most.
    phases = np.linspace(0.0, np.pi, max(3, round((high - low) / _BAND_LENGTH)))
    heights = low + (high - low) * (1 - np.cos(phases)) / 2

    # Each round cone is the envelope of a row of balls: centres and radii, shape (cones, balls).
    fractions = np.linspace(0.0, 1.0, _BALLS_IN_CONE)
    centre_ends = cones[:, [2, 6]]  # columns of z of both ends
    radius_ends = cones[:, Cone.RADII]
    centres = centre_ends[:, :1] + fractions * (centre_ends[:, 1:] - centre_ends[:, :1])
    radii = radius_ends[:, :1] + fractions * (radius_ends[:, 1:] - radius_ends[:, :1])

    def profile(at: Floats) -> Floats:
        """Return the radius of the surface at some heights, shape (H,), [m].

        A ball of radius r around z₀ is √(r² − (z − z₀)²) wide, 0 where it does not reach; the
        widest ball makes the surface.
        """
        distance = at[:, None, None] - centres
        widest: Floats = np.sqrt(np.maximum(radii**2 - distance**2, 0.0)).max(axis=(1, 2))
        return widest

    widths = profile(heights)
    rise = profile(heights + _SLOPE_STEP) - profile(heights - _SLOPE_STEP)
    slopes = -np.arctan2(rise, 2 * _SLOPE_STEP)
    # At a pole the profile is vertical, where a central difference fails: its normals are set.
    poles = widths < _POLE_RADIUS
    slopes[poles] = np.where(heights[poles] < CLUB_CENTRE, -np.pi / 2, np.pi / 2)

    # As in `_between_poles`, but a band has a pole only where it is an end of the club.
    lower, upper = bands(np.arange(len(heights) - 1))
    first_lower = CORNERS_AROUND if poles[0] else 0
    end_upper = len(upper) - (CORNERS_AROUND if poles[-1] else 0)
    triangles = np.concatenate([lower[first_lower:], upper[:end_upper]])
    upright = surface_of_revolution(
        widths, heights=heights - CLUB_CENTRE, slopes=slopes, triangles=triangles
    )
    return Mesh(upright.points[:, _ONTO_Z], upright.normals[:, _ONTO_Z], upright.triangles)


def _joined(meshes: Sequence[Mesh]) -> Mesh:
    """Return one mesh with the points and triangles of all, in their order; at least one mesh."""
    # The index of each mesh's first point in the joined one.
    firsts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])[:-1]
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + first for mesh, first in zip(meshes, firsts, strict=True)]
        ),
    )
