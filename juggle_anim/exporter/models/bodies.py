"""Bodies in models: people as skinned meshes, and the joints of the model's skeleton that carry
them.

Solid figures are limbs, round cones whose ends are weighted sums of joints; those of a trunk or a
finger belong to no single segment. Skin weights therefore come from sample poses with random
rotations within each segment's range: a limb that moves rigidly with one segment is bound to it;
otherwise each of its ends is bound to the two segments that bring it nearest to its place.

The smooth body has bones of its own, those of `scene.skin`. A bone that moves with a segment of the
skeleton as one piece is that segment. The others, such as those of a bent elbow, are helper joints,
which hang on the segment that begins where they do.

Triangle meshes of the shapes that pictures draw without triangles: round cones, props, floor.

A prop is given in parts of one material: a ball as panels in two tones, a club as bands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Booleans, Floats, Integers, Singles
from juggle_anim.body import JOINTS
from juggle_anim.exporter.models.skeleton import (
    END_OFFSETS,
    END_SEGMENTS,
    ENDS,
    NAMES,
    OFFSETS,
    PARENTS,
    REST,
    SEGMENTS,
    world_rotations,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import CLUB_CENTRE, CLUB_LENGTH, RING_HOLE
from juggle_anim.scene import (
    BALL_TONE,
    CLUB_PARTS,
    KNOB_END,
    LIMBS,
    PERSON,
    RING_STRIPE,
    RING_TONE,
    STRIPES,
    STUDIO,
    TAPE_END,
    TOP_START,
    Cone,
    club_capsules,
    figure_capsules,
    people_girths,
    people_indices,
    people_worn,
    toned,
)
from juggle_anim.scene.skin import BONES, COVERS, SkinLevel, load_skin, parts_worn
from juggle_anim.vectors import cross_product_matrices, unit

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
        points: shape (V, 3) for V points, [m].
        normals: shape (V, 3), unit vectors, one for each point.
        triangles: shape (F, 3) for F triangles, indices of points, counterclockwise as seen from
            outside.
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
        name: the name of the material; may be empty.
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


def colour_of(row: Floats | Singles) -> Colour:
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
        triangles=_closed_bands(len(slopes)),
    )


def cube(edge: float) -> Mesh:
    """Return an upright cube around the origin; edge in [m].

    Each face has corners of its own, since its normals differ from those of its neighbours.
    """
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    # Each face is spanned by two axes at right angles to its normal n: b and n × b. As
    # b × (n × b) = n, corners that are counterclockwise in these axes are so as seen from outside.
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
        dividing_radii: where further circles of corners divide both faces: shares of the way from
            the inner edge, 0, to the outer edge, 1; ascending, between these.
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
    # Rings come in pairs, one for each segment of the profile, and bands join only those of a pair.
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
        pelvises: their positions at all times, shape (..., 3), not empty, [m].
    """
    # The floor is centred on the origin, so the farthest coordinate on the ground decides.
    farthest = float(np.abs(pelvises[..., [0, 2]]).max())
    return Part(floor(farthest + _FLOOR_MARGIN), colour=STUDIO.floor, gloss=0.0, name="floor")


def round_cones(cones: Floats) -> tuple[Mesh, Integers]:
    """Return a mesh of round cones; a round cone is the convex hull of two balls.

    Args:
        cones: shape (N, 8) for N cones, their `Cone.SHAPE` [m]: start and end points and a radius
            at each. The radii differ by less than the distance of the points, so no ball contains
            the other.

    Returns:
        One mesh of all cones, with V corners.
        The end that each corner belongs to, shape (V,): 2 · cone at the start of a cone, and
        2 · cone + 1 at its end.
    """
    starts = cones[:, Cone.START]
    ends = cones[:, Cone.END]
    lengths = np.linalg.norm(ends - starts, axis=1)

    # The side is tangent to both balls where normals are at an angle β to the plane across the
    # axis, with sin β = (r₀ − r₁) / length. The ratio is clipped, as rounding may take it beyond
    # ±1.
    radius_drop = cones[:, Cone.START_RADIUS] - cones[:, Cone.END_RADIUS]
    side = np.arcsin(np.clip(radius_drop / lengths, -1.0, 1.0))

    # Rings go from the pole of the start ball to β, and from β to the pole of the end ball. The two
    # rings at β, one on each ball, bound the side.
    start_cap = np.linspace(-np.pi / 2, side, CAP_RINGS + 1, axis=1)
    end_cap = np.linspace(side, np.pi / 2, CAP_RINGS + 1, axis=1)
    slopes = np.concatenate([start_cap, end_cap], axis=1)
    to_axis = _rotations_from_y((ends - starts) / lengths[:, None])
    # Normals are rows, so they are multiplied by the transpose of the rotation from the right.
    normals = _circles(np.cos(slopes), np.sin(slopes)) @ to_axis.swapaxes(-1, -2)[:, None]
    radii = np.repeat(cones[:, Cone.RADII], CAP_RINGS + 1, axis=1)
    centres = np.repeat(np.stack([starts, ends], axis=1), CAP_RINGS + 1, axis=1)
    points = centres[:, :, None] + radii[:, :, None, None] * normals

    # All cones have the same number of rings, so their corners follow each other at equal steps.
    cone_index = np.arange(len(cones))
    ring_count = slopes.shape[1]
    first_corners = (cone_index * ring_count * CORNERS_AROUND)[:, None, None]
    triangles = _closed_bands(ring_count) + first_corners
    end_index = 2 * cone_index[:, None] + np.arange(2)
    ends_of_corners = np.repeat(end_index, (CAP_RINGS + 1) * CORNERS_AROUND, axis=1)
    mesh = Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles.reshape(-1, 3))
    return mesh, ends_of_corners.ravel()


def surface_of_revolution(
    radii: Floats, heights: Floats, slopes: Floats, triangles: Integers
) -> Mesh:
    """Return a profile revolved about +y, with `CORNERS_AROUND` corners in each ring.

    Args:
        radii: radius of each of R rings of corners, shape (R,), [m].
        heights: y of each ring, shape (R,), [m].
        slopes: angle of each ring's normals above the horizontal plane, shape (R,), [rad].
        triangles: the triangles that join the rings, shape (F, 3) for F triangles; corner c of ring
            r has index r · `CORNERS_AROUND` + c.
    """
    points = _circles(radii, heights)
    normals = _circles(np.cos(slopes), np.sin(slopes))
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles)


def _circles(radii: Floats, heights: Floats) -> Floats:
    """Return the corners of circles about +y, shape (..., `CORNERS_AROUND`, 3).

    Args:
        radii, heights: radius and y of each circle, shape (...).
    """
    return np.stack(
        np.broadcast_arrays(
            radii[..., None] * np.cos(_ANGLES),
            heights[..., None],
            -radii[..., None] * np.sin(_ANGLES),
        ),
        axis=-1,
    )


def _closed_bands(
    rings: int, *, begins_at_pole: bool = True, ends_at_pole: bool = True
) -> Integers:
    """Return the triangles between successive rings, shape (F, 3) for F triangles.

    Args:
        rings: number of rings.
        begins_at_pole, ends_at_pole: whether the first ring, or the last one, is a pole: a ring
            whose corners coincide.
    """
    lower, upper = bands(np.arange(rings - 1))
    # Two corners of a lower triangle are on its lower ring, so those of the first band have no
    # area at the pole; likewise the upper triangles of the last band. Both are left out.
    first_lower = CORNERS_AROUND if begins_at_pole else 0
    end_upper = len(upper) - (CORNERS_AROUND if ends_at_pole else 0)
    return np.concatenate([lower[first_lower:], upper[:end_upper]])


def bands(rings: Integers) -> tuple[Integers, Integers]:
    """Return the triangles of the bands between rings and the rings that follow them.

    A ring is a circle of `CORNERS_AROUND` corners, numbered ring by ring; a band lies between two
    successive rings. Each quadrilateral of a band is divided into two triangles. They are
    counterclockwise as seen from outside if the rings ascend along +y and the corners of a ring go
    counterclockwise as seen from above.

    Args:
        rings: index of the lower ring of each band, shape (B,) for B bands.

    Returns:
        Corner indices of the triangles with two corners on the lower ring, shape
        (B · `CORNERS_AROUND`, 3).
        Corner indices of those with two corners on the upper ring, same shape. Both go band by
        band.
    """
    # For each quadrilateral: a corner of the lower ring, the next one around the ring, and the two
    # corners above them.
    corner = np.arange(CORNERS_AROUND)
    first = rings[:, None] * CORNERS_AROUND
    low = (first + corner).ravel()
    low_next = (first + (corner + 1) % CORNERS_AROUND).ravel()
    high = low + CORNERS_AROUND
    high_next = low_next + CORNERS_AROUND
    lower = np.stack([low, low_next, high_next], axis=-1)
    upper = np.stack([low, high_next, high], axis=-1)
    return lower, upper


def _rotations_from_y(axes: Floats) -> Floats:
    """Return rotations of +y onto unit vectors, shape (N, 3, 3) for N vectors, for column vectors.

    The turn about the axis itself is arbitrary, which a body of revolution does not show.

    Args:
        axes: unit vectors, shape (N, 3).
    """
    # A cross product is ill conditioned if its vectors are nearly parallel. So it is taken with the
    # coordinate axis of the smallest component, which is nearest to a right angle.
    across = np.eye(3)[np.abs(axes).argmin(axis=1)]
    x = np.cross(axes, across)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, axes, np.cross(x, axes)], axis=-1)


def prop_parts(kind: str, size: float, colour: Colour) -> tuple[Part, ...]:
    """Return the surfaces of a prop around its centre of mass; a club points to +z.

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
    """Return the drawable parts of the stands on which props lie, one part for each colour.

    Args:
        rows: the round cones of all stands in the world, rows of `Cone`; may be empty.
    """
    # `colour_index` has the colour of each row; some versions of NumPy return it as a column.
    colours, colour_index = np.unique(rows[:, Cone.COLOUR], axis=0, return_inverse=True)
    parts = []
    for index, colour_row in enumerate(colours.astype(float)):
        cones = rows[colour_index.ravel() == index].astype(float)
        mesh, _ends = round_cones(cones[:, Cone.SHAPE])
        colour = colour_of(colour_row)
        # Stands of one colour have one gloss, so that of the first cone is that of all.
        parts.append(Part(mesh, colour=colour, gloss=float(cones[0, Cone.GLOSS]), name="stand"))
    return tuple(parts)


def _panels(mesh: Mesh) -> tuple[Mesh, Mesh]:
    """Divide a ball into the panels in its colour, where x·y·z < 0, and those in the other tone."""
    middles = mesh.points[mesh.triangles].mean(axis=1)
    coloured = middles.prod(axis=1) < 0
    return _submesh(mesh, coloured), _submesh(mesh, ~coloured)


def _submesh(mesh: Mesh, chosen: Booleans) -> Mesh:
    """Return the chosen triangles of a mesh, shape (F,) for F triangles, with only the points that
    they use.
    """
    used, triangles = np.unique(mesh.triangles[chosen], return_inverse=True)
    return Mesh(mesh.points[used], mesh.normals[used], triangles.reshape(-1, 3))


def _striped_ring(diameter: float, hole: float, thickness: float) -> tuple[Mesh, Mesh]:
    """Return a ring without its stripe, and the stripe, on both faces.

    Args:
        diameter: the diameter of the outer edge, [m].
        hole: diameter of the hole, [m].
        thickness: [m].
    """
    # The ring has circles of corners at both edges of the stripe, so each triangle of its faces is
    # either inside the stripe or outside.
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
    # The round cones of a club that points to +z, with its knob at z = 0.
    ahead = np.array([[[0.0, 0.0, 1.0]]])
    colours: Singles = np.array([colour], dtype=np.float32)
    cones = club_capsules(CLUB_CENTRE * ahead, ahead, np.array([width]), colours)[0].astype(float)
    # The knob, the tape of the handle and the middle of the body have these materials.
    rubber = _material(cones[0])
    tape = _material(cones[2])
    body = _material(cones[CLUB_PARTS // 2])
    # Heights from the knob, ascending, [m]; between successive ones lies a band of one material.
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
    """Return the surface of a club along +z between two distances from its knob (a band).

    A club consists of round cones in a row: each is the envelope of balls whose centres and radii
    go evenly from one end to the other. Their outer surface is a surface of revolution. The club's
    centre of mass is the origin.

    Args:
        cones: rows of `Cone`, on the z axis, with z measured from the knob, [m].
        low: distance of the band's start from the knob, [m].
        high: distance of its end from the knob, [m].
    """
    # By cosine steps rings are denser at both ends of the band, where the profile bends most.
    phases = np.linspace(0.0, np.pi, max(3, round((high - low) / _BAND_LENGTH)))
    heights = low + (high - low) * (1 - np.cos(phases)) / 2

    # Each round cone is the envelope of a row of balls: centres and radii, shape (cones, balls).
    start_heights, start_radii = cones[:, Cone.START_BALL][:, 2:].T
    end_heights, end_radii = cones[:, Cone.END_BALL][:, 2:].T
    centres = np.linspace(start_heights, end_heights, _BALLS_IN_CONE, axis=1)
    radii = np.linspace(start_radii, end_radii, _BALLS_IN_CONE, axis=1)

    def profile(at: Floats) -> Floats:
        """Return the radius of the surface at given heights, shape (H,) for H heights, [m].

        A ball of radius r around z₀ is √(r² − (z − z₀)²) wide, 0 if it does not reach; the
        widest ball makes the surface.
        """
        distance = at[:, None, None] - centres
        widest: Floats = np.sqrt(np.maximum(radii**2 - distance**2, 0.0)).max(axis=(1, 2))
        return widest

    widths = profile(heights)
    rise = profile(heights + _SLOPE_STEP) - profile(heights - _SLOPE_STEP)
    slopes = -np.arctan2(rise, 2 * _SLOPE_STEP)
    # At a pole the profile is vertical, where a central difference fails, so its normals are known.
    poles = widths < _POLE_RADIUS
    slopes[poles] = np.where(heights[poles] < CLUB_CENTRE, -np.pi / 2, np.pi / 2)

    # A band has a pole only where it is an end of the club.
    triangles = _closed_bands(len(heights), begins_at_pole=poles[0], ends_at_pole=poles[-1])
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


FINEST_UP_TO = 2
FINER_UP_TO = 20
"""Models of at most so many jugglers have the finest, or the middle, level of detail."""

_SAMPLE_POSES = 64
_MAX_SAMPLE_TURN = 0.4  # rad, about each axis of a segment in a sample pose
_RIGID_TOLERANCE = 0.006  # m; a limb that stays this near to a segment moves rigidly with it
_STEADY_TOLERANCE = 1e-4  # m, and of rotations; a bone that moves less is one piece with a segment
_MIN_WEIGHT = 0.1  # of a second segment; less is not worth a joint

# Axes of the rest pose about which a segment turns in sample poses.
_ALL_AXES = (1.0, 1.0, 1.0)
_FREE_AXES = {
    "pelvis": (0.0, 1.0, 0.0),
    "head": (0.0, 0.0, 0.0),
    **dict.fromkeys(("palm", "fingers", "index", "ring", "little", "middle"), (0.0, 0.0, 1.0)),
}
_YAW_ONLY = (0.0, 1.0, 0.0)

_UP = (0.0, 1.0, 0.0)
_START_JOINTS = np.array([segment.joint for segment in SEGMENTS])
_END_JOINTS = np.array(list(ENDS))
_SKELETON_JOINTS = len(SEGMENTS) + len(ENDS)


@dataclass(frozen=True)
class Carriers:
    """The joints of a model that carry a surface: segments, then ends of the skeleton, then
    helpers.

    Args:
        inverse_binds: shape (N, 4, 4) for N joints, inverse bind matrices: each takes world points
            of the pose in which the surface was made to the frame of its joint.
        helpers: shape (H,) for H helpers, ascending indices into `scene.skin.BONES` of the bones
            that are joints of their own.
        parents: shape (H,), for each helper the index in `SEGMENTS` of the segment it hangs on.
        joint_of_bone: shape (bones,), for each bone of `scene.skin` the index from 0 to N − 1 of
            the joint that moves with it; empty if the surface is a solid figure.
    """

    inverse_binds: Floats
    helpers: Integers
    parents: Integers
    joint_of_bone: Integers

    @property
    def names(self) -> list[str]:
        """Names of the helpers, in their order, such as "left_elbow_upper_skin"."""
        return [
            f"{BONES[bone].name.replace(',', '').replace(' ', '_')}_skin" for bone in self.helpers
        ]

    def motion(self, joints: Floats, gaze: Floats, lids: Floats | float) -> tuple[Floats, Floats]:
        """Return rotations and positions of helpers, relative to the segments that they hang on.

        A segment is a rigid part of the exported skeleton, such as a forearm. Helpers are joints of
        the exported skeleton beside those of the body, as of eyelids.

        Args:
            joints: joints in the world, shape (..., `JOINTS`, 3), [m].
            gaze: direction in which the eyes look, in the world, shape (..., 3).
            lids: closure of the lids, 0 (open) to 1, shape (...).

        Returns:
            Rotations, shape (..., H, 3, 3) for H helpers, and positions, shape (..., H, 3), [m].
        """
        # The inverse of a rotation is its transpose.
        to_parent = world_rotations(joints)[..., self.parents, :, :].swapaxes(-1, -2)
        rotations, starts = _bone_frames(joints, gaze, self.helpers, lids)
        offsets = starts - joints[..., _START_JOINTS[self.parents], :]
        return to_parent @ rotations, (to_parent @ offsets[..., None])[..., 0]


def _skeleton_carriers() -> Carriers:
    """Return the joints of the skeleton alone, which carry solid figures made in the rest pose."""
    inverse_binds = np.tile(np.eye(4), (_SKELETON_JOINTS, 1, 1))
    inverse_binds[:, :3, 3] = -REST[[*_START_JOINTS, *_END_JOINTS]]
    none = np.zeros(0, dtype=np.intp)
    return Carriers(inverse_binds, helpers=none, parents=none, joint_of_bone=none)


SKELETON_CARRIERS = _skeleton_carriers()
"""The joints that carry solid figures."""


@lru_cache(maxsize=1)
def smooth_carriers() -> Carriers:
    """Return the joints that carry the smooth body.

    A bone of the skin whose transform relative to a segment is the same in all sample poses needs
    no joint of its own: that segment carries its share of the surface.
    """
    bodies = sample_bodies()
    # Random gazes, so that no eye seems to be one piece with the head.
    gaze = np.random.default_rng(0).normal(size=(len(bodies), 3))
    rotations, starts = _bone_frames(bodies, gaze, np.arange(len(BONES)))
    to_segment = world_rotations(bodies).swapaxes(-1, -2)[:, :, None]
    offsets = starts[:, None] - bodies[:, _START_JOINTS, None]
    # Each bone in the frame of each segment, shape (poses, segments, bones, 3, 4).
    relative = np.concatenate(
        [to_segment @ rotations[:, None], to_segment @ offsets[..., None]], axis=-1
    )
    steady = np.ptp(relative, axis=0).max(axis=(-2, -1)) < _STEADY_TOLERANCE  # (segments, bones)

    # Bones that are steady in no segment become helpers, numbered behind the skeleton's joints.
    # `argmax` gives the first segment in which a bone is steady; its 0 for helpers is overwritten.
    helpers = np.flatnonzero(~steady.any(axis=0))
    joint_of_bone = steady.argmax(axis=0)
    joint_of_bone[helpers] = _SKELETON_JOINTS + np.arange(len(helpers))
    # A helper hangs on the first segment that begins at the helper's own joint.
    parents = np.array([_START_JOINTS.tolist().index(BONES[bone].joint) for bone in helpers])

    # Where each joint is in the pose in which the surface was made. Ends turn with the segments
    # that carry them; helpers keep the identity rotation, as the skin's bones are unturned there.
    rest = load_skin().skeleton.joints
    transforms = np.tile(np.eye(4), (_SKELETON_JOINTS + len(helpers), 1, 1))
    segment_rotations = world_rotations(rest)
    transforms[:_SKELETON_JOINTS, :3, :3] = segment_rotations[
        [*range(len(SEGMENTS)), *END_SEGMENTS]
    ]
    _rotations, helper_starts = _bone_frames(rest, None, helpers)
    transforms[:, :3, 3] = np.concatenate([rest[[*_START_JOINTS, *_END_JOINTS]], helper_starts])
    return Carriers(
        np.linalg.inv(transforms).astype(float),
        helpers=helpers,
        parents=parents,
        joint_of_bone=joint_of_bone,
    )


def _bone_frames(
    joints: Floats, gaze: Floats | None, bones: Integers, lids: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """Return rotations of bones of `scene.skin`, and where they begin.

    Args:
        joints: joints in the world, shape (..., `JOINTS`, 3), [m].
        gaze: direction in which the eyes look, in the world, shape (..., 3); None for straight out
            of the head.
        bones: indices into `scene.skin.BONES`, shape (N,) for N bones.
        lids: closure of the lids, 0 (open) to 1, shape (...).

    Returns:
        Rotations from the skin at rest to the pose, in the world, shape (..., N, 3, 3).
        Start points in the world, shape (..., N, 3), [m].
    """
    skeleton = load_skin().skeleton
    transforms = skeleton.transforms(joints, gaze, lids=lids)[..., bones, :, :].astype(float)
    # A transform is a rotation in columns 0 to 2 and a translation in column 3, (..., N, 3, 4). It
    # takes a bone's start in the skin at rest into the world.
    rotations = transforms[..., :3]
    starts = (rotations @ skeleton.starts[bones][..., None])[..., 0] + transforms[..., 3]
    return rotations, starts


def carriers_of(animation: Animation) -> Carriers:
    """Return the joints that carry the bodies of an animation."""
    return smooth_carriers() if animation.look.figure == PERSON else SKELETON_CARRIERS


@dataclass(frozen=True)
class BodyPart:
    """A part of a body at rest, with the joints that carry each corner.

    Args:
        part: the surface, with V corners.
        joints: indices into the joints of `Carriers`, shape (V, 2) in a solid figure and (V, 4) in
            a smooth one; 0 if the weight is 0.
        shares: weights of these joints, same shape; each row adds up to 1.
    """

    part: Part
    joints: Integers
    shares: Floats


def parts_of(animation: Animation, juggler: int) -> tuple[BodyPart, ...]:
    """Return the body of a juggler in parts of one material each.

    Jugglers who are the same person share their meshes (the same objects).

    Args:
        animation: the animation whose figure, people and colours are used.
        juggler: index from 0.
    """
    # A row for each of `COVERS`: red, green, blue and gloss.
    paint = animation.look.paint(animation.num_jugglers)[juggler].astype(float)
    if animation.look.figure != PERSON:
        colours = {cover: colour_of(row) for cover, row in zip(COVERS, paint, strict=True)}
        return tuple(
            replace(body, part=replace(body.part, colour=colours[body.part.name]))
            for body in body_parts()
        )
    # A person: the parts of clothes that are worn, as bits of a number, and whose body it is.
    people = animation.look.people
    worn = int(people_worn(people, animation.num_jugglers)[juggler])
    person = int(people_indices(people, animation.num_jugglers)[juggler])
    # Level of detail, of which 0 is the finest; each limit that the number of jugglers exceeds adds
    # 1.
    level = sum(animation.num_jugglers > limit for limit in (FINEST_UP_TO, FINER_UP_TO))
    return tuple(
        BodyPart(
            Part(
                mesh,
                colour=colour_of(paint[cover]),
                gloss=float(paint[cover, 3]),
                name=COVERS[cover],
            ),
            joints,
            shares,
        )
        for piece in (0, *(1 + part for part in parts_worn(worn)))  # the body first
        for cover, mesh, joints, shares in _smooth_meshes(level, piece=piece, person=person)
    )


@lru_cache(maxsize=64)
def _smooth_meshes(
    level_index: int, piece: int, person: int
) -> tuple[tuple[int, Mesh, Integers, Floats], ...]:
    """Return a piece of a person's smooth body, divided by covers.

    Args:
        level_index: level of detail, 0 is the finest.
        piece: 0 for the body, 1 + n for part n of `scene.skin.PARTS`.
        person: index from 0 in `PEOPLE`.

    Returns:
        For each cover of the piece, ascending: its index in `COVERS`, its mesh with V corners, the
        indices of the four joints that carry each corner, shape (V, 4), and their weights, which
        add up to 1, of the same shape.
    """
    skin = load_skin()
    # `people_girths` reads people as typed text, in which numbers count from 1.
    build = people_girths(f"{person + 1}", 1)[0]
    level = skin.levels[level_index]
    points = level.carried(skin.skeleton.transforms(skin.skeleton.joints, girths=build))
    # `parts` has where each part begins and, last, where all end, which is no place to split.
    triangles = np.split(level.triangles, level.parts[:-1])[piece]
    covers = level.covers[triangles[:, 0]]  # a triangle has the cover of its first corner
    meshes = []
    for cover in np.unique(covers):
        mesh, joints, shares = _smooth_mesh(level, points, triangles[covers == cover])
        meshes.append((int(cover), mesh, joints, shares))
    return tuple(meshes)


def _smooth_mesh(
    level: SkinLevel, points: Floats, triangles: Integers
) -> tuple[Mesh, Integers, Floats]:
    """Return the mesh of given triangles of a level of detail, with joints and shares.

    Args:
        level: the level whose normals, bones and weights are used.
        points: all points of the level, as the person is built, shape (V, 3) for V points, [m].
        triangles: indices of these points, shape (F, 3) for F triangles.

    Returns:
        The mesh, with only the points that the triangles use.
        Indices into the joints of `Carriers`, shape (points of the mesh, 4).
        Weights of these joints, same shape.
    """
    used, corner_index = np.unique(triangles, return_inverse=True)
    normals = unit(level.normals[used].astype(float))
    # Corners of triangles without area have a zero normal, but files must hold unit vectors.
    normals[(normals == 0.0).all(axis=1)] = _UP
    joints = smooth_carriers().joint_of_bone[level.bones[used]]
    shares = level.shares[used] / 255
    # Several bones may have become one joint, but a corner must not name a joint twice. So the
    # first column of each joint gets the sum of its weights.
    for column in range(1, joints.shape[1]):
        for earlier in range(column):
            same = joints[:, earlier] == joints[:, column]
            shares[same, earlier] += shares[same, column]
            shares[same, column] = 0.0
    # glTF prescribes index 0 for joints without weight.
    joints[shares == 0.0] = 0
    return Mesh(points[used], normals, corner_index.reshape(-1, 3)), joints, shares


@lru_cache(maxsize=1)
def body_parts() -> tuple[BodyPart, ...]:
    """Return a solid person at rest, one part for each cover such as skin or trousers.

    A limb is a round cone. Each corner of its mesh moves with the bones (segments) of the nearer
    end of the limb, with weights (shares) as in linear blend skinning. Covers come in the order in
    which `LIMBS` first names them. Colours are the figure's own defaults; `parts_of` replaces them
    by those of the juggler.
    """
    rows = figure_capsules(REST.reshape(1, 1, JOINTS, 3))[0].astype(float)
    segments, shares = skin_weights()
    # A row for each end of a limb: row 2 · limb is its start, and 2 · limb + 1 its end.
    segments = segments.reshape(-1, 2)
    shares = shares.reshape(-1, 2)
    covers = [limb.cover for limb in LIMBS]
    parts = []
    for cover in dict.fromkeys(covers):
        limbs = np.flatnonzero(np.array(covers) == cover)
        mesh, cone_ends = round_cones(rows[limbs, Cone.SHAPE])
        # Ends of cones are counted in the same way, but only among those of this cover.
        cone, is_end = np.divmod(cone_ends, 2)
        limb_end = 2 * limbs[cone] + is_end
        colour = colour_of(rows[limbs[0], Cone.COLOUR])
        gloss = float(rows[limbs[0], Cone.GLOSS])
        surface = Part(mesh, colour=colour, gloss=gloss, name=cover)
        parts.append(BodyPart(surface, segments[limb_end], shares[limb_end]))
    return tuple(parts)


@lru_cache(maxsize=1)
def skin_weights() -> tuple[Integers, Floats]:
    """Return which two segments carry the start of each limb, and which two its end, with weights.

    A segment is a rigid part of the exported skeleton, such as a forearm; a limb is a round cone of
    the drawn figure, whose ends need not lie on one segment. The segments are those that carry the
    ends nearest to their true places in random poses.

    Returns:
        Indices into `SEGMENTS`, shape (limbs, 2 ends, 2 segments), the main segment first; the
        second one is 0 if its weight is 0.
        Weights of these segments, same shape, which add up to 1 at each end.
    """
    rotations = _random_rotations()
    starts, joints = _joint_positions(rotations)  # starts of segments, shape (poses, S, 3)
    true_ends = _limb_ends(joints)  # shape (poses, limbs, 2, 3)

    # Where each segment alone would carry each end, shape (poses, limbs, 2, S, 3). Indices of the
    # sum: pose k, segment s, limb l, end e, and coordinates a and b.
    local_ends = _limb_ends(REST)[:, :, None] - REST[_START_JOINTS]
    carried = np.einsum("ksab,lesb->klesa", rotations, local_ends) + starts[:, None, None]
    # The greatest distance from there to the true place in any pose, shape (limbs, 2, S), [m].
    misses = np.linalg.norm(carried - true_ends[:, :, :, None], axis=-1).max(axis=0)

    # A limb is rigid if one segment carries both of its ends within the tolerance: then both are
    # bound to that segment alone. Otherwise each end has the segment that is best for it.
    limb_misses = misses.max(axis=1)  # the greater one of both ends, shape (limbs, S)
    rigid = limb_misses.min(axis=1) < _RIGID_TOLERANCE
    best = misses.argmin(axis=2)
    best[rigid] = limb_misses[rigid].argmin(axis=1)[:, None]
    second, second_weight = _second_segments(carried, true_ends, best)
    second_weight[rigid] = 0.0
    # glTF prescribes index 0 for segments without weight.
    segments = np.stack([best, np.where(second_weight > 0, second, 0)], axis=-1)
    return segments, np.stack([1 - second_weight, second_weight], axis=-1)


def sample_bodies() -> Floats:
    """Return bodies in random poses, the same on each call, shape (poses, `JOINTS`, 3), [m]."""
    return _joint_positions(_random_rotations())[1]


def _second_segments(carried: Floats, true_ends: Floats, best: Integers) -> tuple[Integers, Floats]:
    """Return the best second segment of each limb end and its weight.

    With weight w, an end is at first + w·(second − first); least squares over all poses give
    w = Σ d·m / Σ d·d, where d = second − first and m = true − first.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        carried: where segments carry ends, shape (poses, limbs, 2, S, 3), [m].
        true_ends: where ends are, shape (poses, limbs, 2, 3), [m].
        best: index of the first segment of each end, shape (limbs, 2).

    Returns:
        Index in `SEGMENTS` of the second segment, shape (limbs, 2).
        Its weight, 0 or above `_MIN_WEIGHT` and at most 1, same shape.
    """
    # All candidates for the second segment at once. The first one is among them; for it d is 0, and
    # the guard makes its weight 0. Indices: pose k, limb l, end e, segment s, coordinate a.
    first = np.take_along_axis(carried, best[None, :, :, None, None], axis=3)
    difference = carried - first
    offset = true_ends[:, :, :, None] - first
    square = np.einsum("klesa,klesa->les", difference, difference)
    product = np.einsum("klesa,klesa->les", difference, offset)
    weight = np.clip(product / np.maximum(square, 1e-12), 0.0, 1.0)
    residual = ((weight[..., None] * difference - offset) ** 2).sum(axis=(0, 4))
    second = residual.argmin(axis=2)
    chosen: Floats = np.take_along_axis(weight, second[..., None], axis=2)[..., 0]
    return second, np.where(chosen > _MIN_WEIGHT, chosen, 0.0)


def _limb_ends(joints: Floats) -> Floats:
    """Return starts and ends of limbs, shape (..., limbs, 2, 3), [m].

    Args:
        joints: shape (..., `JOINTS`, 3), [m].
    """
    rows = figure_capsules(joints.reshape(-1, 1, JOINTS, 3)).reshape(
        *joints.shape[:-2], -1, Cone.WIDTH
    )
    return np.stack([rows[..., Cone.START], rows[..., Cone.END]], axis=-2).astype(float)


def _random_rotations() -> Floats:
    """Return rotations of the segments in the world in random poses, shape (poses, S, 3, 3).

    The seed is fixed, so each call returns the same.

    A segment is a rigid part of the exported skeleton, such as a forearm.
    """
    # Axes are listed by the last word of a name: "left_palm" and "right_palm" have those of "palm".
    free_axes = [_FREE_AXES.get(name.split("_")[-1], _ALL_AXES) for name in NAMES]
    shape = (_SAMPLE_POSES, len(SEGMENTS), 3)
    random_angles = np.random.default_rng(0).uniform(-_MAX_SAMPLE_TURN, _MAX_SAMPLE_TURN, shape)
    vectors = random_angles * free_axes
    local = _rotations(vectors)
    world = np.empty_like(local)
    # Parents come before their children, so a parent's world rotation is known by then.
    for segment, parent in enumerate(PARENTS):
        above = world[:, parent] if parent >= 0 else np.eye(3)
        world[:, segment] = above @ local[:, segment]
        if NAMES[segment].endswith("ankle"):
            # Soles stay level: a foot turns only about +y, independently of the leg.
            world[:, segment] = _rotations(vectors[:, segment] * _YAW_ONLY)
    return world


def _joint_positions(rotations: Floats) -> tuple[Floats, Floats]:
    """Return where segments and joints are, from the rotations of segments.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        rotations: the rotations of segments in the world, from the rest pose, shape (poses, S, 3,
            3).

    Returns:
        Starts of segments, shape (poses, S, 3), [m].
        Joints, shape (poses, `JOINTS`, 3), [m]; each is the start of a segment or one of `ENDS`.
    """
    starts = np.empty(rotations.shape[:-1])
    joints = np.empty((len(rotations), JOINTS, 3))
    starts[:, 0] = OFFSETS[0]
    # Parents come before their children. The first segment has none, and never leaves its place.
    for index, segment in enumerate(SEGMENTS):
        if index:
            parent = PARENTS[index]
            starts[:, index] = starts[:, parent] + rotations[:, parent] @ OFFSETS[index]
        joints[:, segment.joint] = starts[:, index]
    for joint, index, bone in zip(ENDS, END_SEGMENTS, END_OFFSETS, strict=True):
        joints[:, joint] = starts[:, index] + rotations[:, index] @ bone
    return starts, joints


def _rotations(vectors: Floats) -> Floats:
    """Return rotations from rotation vectors by Rodrigues' formula, shape (..., 3, 3).

    R = I + (sin θ / θ)·K + ((1 − cos θ) / θ²)·K², where K is the cross-product matrix of the vector
    and θ its length; (1 − cos θ) / θ² = ½·(sin(θ/2) / (θ/2))². NumPy's sinc(t) is
    sin(πt) / (πt), 1 at t = 0, so no angle needs a special case.

    Args:
        vectors: shape (..., 3), [rad].
    """
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)[..., None]
    skew = cross_product_matrices(vectors)
    return (
        np.eye(3)
        + np.sinc(angle / np.pi) * skew
        + np.sinc(angle / (2 * np.pi)) ** 2 / 2 * (skew @ skew)
    )
