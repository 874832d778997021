"""The scene: all that is drawn at one time, as arrays; and the stages around the jugglers.

A row of an array is one instance for the graphics card, made of vec4s; `Ball`, `Cone` and so on
name its columns. All lengths are in [m]; colours are sRGB, and gloss is 0 (dull) to 1 (polished).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import JOINTS
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene.camera import OFF, Camera
from juggle_anim.scene.palette import Colour
from juggle_anim.short_repr import ShortRepr

BALL = slice(0, 4)
"""Columns that every kind of row has: the centre or the start, and a radius."""


class Sphere:
    """Columns of a ball or a cube, of which the radius is half an edge; `WIDTH` of them."""

    CENTRE = slice(0, 3)
    RADIUS = 3
    COLOUR = slice(4, 7)
    GLOSS = 7
    WIDTH = 8


class Ball(Sphere):
    """Columns of a ball with panels.

    `AIM` is yaw and pitch as of a club, [rad], and `TONE` that of every other panel: from −1,
    black, through 0, the colour itself, to 1, white. The last column is not used.
    """

    AIM = slice(8, 10)
    TONE = 10
    WIDTH = 12


class Cone:
    """Columns of a round cone: a limb, a part of a club, a tube.

    `SHAPE` are all but its `PAINT`.
    """

    START = slice(0, 3)
    START_RADIUS = 3
    END = slice(4, 7)
    END_RADIUS = 7
    COLOUR = slice(8, 11)
    GLOSS = 11
    WIDTH = 12
    START_BALL = slice(0, 4)
    END_BALL = slice(4, 8)
    RADII = slice(3, 8, 4)
    SHAPE = slice(0, 8)
    PAINT = slice(8, 12)


class Ring:
    """Columns of a ring.

    `AXIS` is the normal of its plane, `HOLE` the inner radius, `TONE` that of its stripe, as of a
    `Ball`. The last three columns are not used.
    """

    CENTRE = slice(0, 3)
    RADIUS = 3
    AXIS = slice(4, 7)
    HOLE = 7
    COLOUR = slice(8, 11)
    GLOSS = 11
    TONE = 12
    WIDTH = 16


class Flying(Sphere):
    """Columns of a prop, a ball around its centre, and `UNTIL` it is caught, [s]; 0 if held."""

    UNTIL = 7


class Bubble:
    """Columns of a bubble and of the point that it limits.

    `NEAR` is how near to the sphere the point is, and `BEYOND` whether it should be beyond it, 0 to
    1.
    """

    CENTRE = slice(0, 3)
    RADIUS = 3
    PLACE = slice(4, 7)
    NEAR = 7
    COLOUR = slice(8, 11)
    BEYOND = 11
    WIDTH = 12


def cones(
    start: Floats,
    start_radius: Floats | float,
    end: Floats,
    end_radius: Floats | float,
    colour: object,
    gloss: float,
) -> Singles:
    """Return rows of `Cone`: round cones between two balls, shape (…, 12).

    Args:
        start, end: centres of the balls at the ends, both of shape (…, 3), [m].
        start_radius, end_radius: of these balls, any shape that broadcasts to (…), [m].
        colour: sRGB from 0 to 1, any shape that broadcasts to (…, 3).
        gloss: of all, 0 (dull) to 1 (polished).
    """
    rows = np.empty((*start.shape[:-1], Cone.WIDTH), dtype=np.float32)
    rows[..., Cone.START] = start
    rows[..., Cone.START_RADIUS] = start_radius
    rows[..., Cone.END] = end
    rows[..., Cone.END_RADIUS] = end_radius
    rows[..., Cone.COLOUR] = np.asarray(colour)
    rows[..., Cone.GLOSS] = gloss
    return rows


def spheres(centres: Floats, diameters: Floats, colours: Singles, gloss: float) -> Singles:
    """Return rows of `Sphere`: N balls or cubes, for example at each of several times.

    Args:
        centres: shape (…, N, 3), [m].
        diameters: of balls, or edges of cubes, shape (N,), [m].
        colours: shape (N, 3), sRGB from 0 to 1.
        gloss: of all, 0 (dull) to 1 (polished).
    """
    # Shape (…, N, 8).
    rows = np.empty((*centres.shape[:-1], Sphere.WIDTH), dtype=np.float32)
    rows[..., Sphere.CENTRE] = centres
    rows[..., Sphere.RADIUS] = diameters / 2
    rows[..., Sphere.COLOUR] = colours
    rows[..., Sphere.GLOSS] = gloss
    return rows


def no_rows(*shape: int) -> Singles:
    """Return a read-only array without rows, by its shape, in which at least one number is 0.

    The last number of the shape is the width of a row.
    """
    none = np.zeros(shape, dtype=np.float32)
    none.setflags(write=False)
    return none


NO_CONES = no_rows(0, Cone.WIDTH)
NO_SPHERES = no_rows(0, Sphere.WIDTH)
NO_LOW_DETAIL = no_rows(0, 0, Cone.WIDTH)
NO_BODIES = np.zeros((0, JOINTS, 3))
NO_GAZE = np.zeros((0, 3))
NO_LIDS = np.zeros(0)
NO_PAINT = no_rows(0, 0, 4)
NO_GIRTHS = np.zeros((0, 0, 3))
NOT_WORN = np.zeros(0, dtype=np.intp)

BRIGHT_STAGE = "studio"
"""The name of the stage whose colours suit paper."""

PENUMBRA = 0.12
"""Growth of half the blur of a shadow with the distance from the solid to the floor."""

PLAIN = "PLAIN"
COVE = "COVE"
HALL = "HALL"
SPOT = "SPOT"
BARE = "BARE"
"""What is around jugglers: a floor, a cove without a horizon, a sports hall, darkness around a pool
of light, or nothing.
"""


@dataclass(frozen=True, repr=False)
class Scene(ShortRepr):
    """All that a picture shows.

    Each row of an array is one instance for the graphics card.

    Args:
        spheres: shape (N, 12), rows of `Ball`.
        capsules: shape (M, 12), rows of `Cone`: limbs first, then clubs. The radii at the ends
            differ by less than the length.
        camera: from where the scene is seen.
        stage: floor, backdrop and light.
        rings: shape (R, 16), rows of `Ring`.
        boxes: shape (B, 8), rows of `Sphere`: cubes with edges along the world's axes; the radius
            is half an edge.
        ghosts: shape (G, 12), rows of `Cone`: translucent limbs over everything, without shadows.
        traces: shape (K, 12), rows of `Cone`: tubes without shadows.
        arcs: shape (Q, 12), rows of `Cone`: translucent tubes that solids may hide.
        see_through: shape (V, 12), rows of `Cone`: translucent limbs that solids may hide.
        axes: shape (A, 12), rows of `Cone`: arrows over everything, without shadows.
        bubbles: shape (U, 12), rows of `Bubble`: translucent spheres.
        low_detail: shape (F, S, 12), rows of `Cone`: each figure with fewer limbs, for small
            figures.
        club_parts: how many capsules, at the end, are parts of clubs, `props.PARTS` each.
        limb_count: how many capsules, from the first on, are limbs.
        limbs_each: how many limbs each figure has, in capsules or in see_through.
        head_limbs: which of them are its head, counted within the figure.
        bodies: shape (F, `JOINTS`, 3), joints of figures that are smooth bodies, drawn in place of
            their limbs, [m].
        paint: shape (F, covers, 4), colours of these, sRGB, and gloss, in the order of
            `skin.COVERS`.
        gaze: shape (F, 3), unit vectors in which they look.
        lids: shape (F,), how far their lids are closed, from 0 to 1.
        girths: shape (F, bones, 3), of their bones, as of `skin.bone_girths`.
        worn: shape (F,), what they wear, numbers as of `skin.worn_number`.
        stereo: an option of the parameter `stereo`; the camera stands between the eyes.
        flying: shape (P, 8), rows of `Flying`: props that are marked where they fly above the
            picture.
    """

    spheres: Singles
    capsules: Singles
    camera: Camera
    stage: Stage
    rings: Singles = field(default_factory=lambda: NO_CONES)
    boxes: Singles = field(default_factory=lambda: NO_SPHERES)
    ghosts: Singles = field(default_factory=lambda: NO_CONES)
    traces: Singles = field(default_factory=lambda: NO_CONES)
    arcs: Singles = field(default_factory=lambda: NO_CONES)
    see_through: Singles = field(default_factory=lambda: NO_CONES)
    stereo: str = OFF
    axes: Singles = field(default_factory=lambda: NO_CONES)
    bubbles: Singles = field(default_factory=lambda: NO_CONES)
    low_detail: Singles = field(default_factory=lambda: NO_LOW_DETAIL)
    club_parts: int = 0
    limb_count: int = 0
    limbs_each: int = 0
    head_limbs: tuple[int, ...] = ()
    bodies: Floats = field(default_factory=lambda: NO_BODIES)
    paint: Singles = field(default_factory=lambda: NO_PAINT)
    gaze: Floats = field(default_factory=lambda: NO_GAZE)
    lids: Floats = field(default_factory=lambda: NO_LIDS)
    girths: Floats = field(default_factory=lambda: NO_GIRTHS)
    worn: NDArray[np.intp] = field(default_factory=lambda: NOT_WORN)
    flying: Singles = field(default_factory=lambda: NO_SPHERES)


@dataclass(frozen=True)
class Stage:
    """Floor, backdrop and light; colours are sRGB, 0 to 1, and light is linear.

    Args:
        backdrop_top, backdrop_bottom: of what is behind, high up and low down.
        floor, line: of the floor and of the lines on it.
        light: points from the floor to the key light; shadows fall on the floor y = 0.
        scenery: what is around: `PLAIN`, `COVE`, `HALL`, `SPOT` or `BARE`.
        key: what the key light gives to a white surface that faces it.
        sky, ground: what surfaces that face up and down get from all around.
        fill: brightness of a soft light that comes from the side which the key light leaves dark.
        rim: of a light from behind, which draws a fine bright line around people and props.
    """

    backdrop_top: Colour
    backdrop_bottom: Colour
    floor: Colour
    line: Colour
    light: tuple[float, float, float]
    scenery: str = PLAIN
    key: Colour = (0.82, 0.78, 0.72)
    sky: Colour = (0.26, 0.29, 0.34)
    ground: Colour = (0.22, 0.20, 0.20)
    fill: float = 0.12
    rim: Colour = (0.14, 0.14, 0.14)


STUDIO = Stage(
    backdrop_top=(0.80, 0.815, 0.83),
    backdrop_bottom=(0.945, 0.94, 0.925),
    floor=(0.90, 0.885, 0.865),
    line=(0.855, 0.84, 0.822),
    light=(0.55, 0.85, 0.70),
    scenery=COVE,
)
"""A bright neutral photo studio."""

GYM = Stage(
    backdrop_top=(0.83, 0.85, 0.84),
    backdrop_bottom=(0.91, 0.90, 0.87),
    floor=(0.86, 0.77, 0.66),
    line=(0.93, 0.92, 0.88),
    light=(0.45, 0.90, 0.55),
    scenery=HALL,
    key=(0.88, 0.80, 0.69),
    sky=(0.29, 0.315, 0.355),
    ground=(0.24, 0.205, 0.165),
    fill=0.13,
    rim=(0.20, 0.19, 0.17),
)
"""A sports hall with a wooden floor, a light wall with windows, and lamps high above."""

DARK = Stage(
    backdrop_top=(0.045, 0.055, 0.075),
    backdrop_bottom=(0.115, 0.130, 0.165),
    floor=(0.15, 0.165, 0.195),
    line=(0.17, 0.185, 0.2175),
    light=(0.45, 0.90, 0.65),
    scenery=SPOT,
    key=(1.12, 1.04, 0.92),
    sky=(0.19, 0.215, 0.27),
    ground=(0.12, 0.115, 0.12),
    fill=0.17,
    rim=(0.62, 0.70, 0.84),
)
"""A dark stage with a pool of light."""

STAGES = {"studio": STUDIO, "gym": GYM, "dark": DARK}
"""Stages by name."""

# Weights of red, green and blue in the brightness of a colour.
_LUMA = np.array([0.30, 0.59, 0.11])


def light_axes(stage: Stage) -> Floats:
    """Return three unit vectors at right angles, the rows of an array of shape (3, 3).

    They are a level one across the key light's direction, another across it, and the one toward
    the light.
    """
    toward = np.asarray(stage.light, dtype=np.float64)
    toward = toward / np.linalg.norm(toward)
    level = np.array([toward[2], 0.0, -toward[0]])
    size = np.linalg.norm(level)
    # A light straight above has no level direction, and x will do.
    level = level / size if size > 1e-9 else np.array([1.0, 0.0, 0.0])
    return np.array([level, np.cross(toward, level), toward])


def fill_direction(axes: Floats) -> Floats:
    """Return the unit vector toward the fill light, opposite to the key light and lower.

    Args:
        axes: as of `light_axes`.
    """
    # Away from the key light, and with a fixed height of its own.
    away = np.array([-axes[2, 0], 0.30, -axes[2, 2]])
    return away / np.linalg.norm(away)


def brightness(stage: Stage) -> float:
    """Return the mean brightness of what is behind people: the luma of sRGB, 0 to 1."""
    return float(np.mean([stage.backdrop_top, stage.backdrop_bottom, stage.floor], axis=0) @ _LUMA)
