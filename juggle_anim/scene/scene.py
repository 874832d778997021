"""The scene: all that is drawn at one time, as arrays; and the stages around the jugglers.

A row of an array is one instance for the graphics card, made of vec4s; `Ball`, `Cone` and so on
name its columns. All lengths are in [m]; colours are sRGB, and gloss is 0 (dull) to 1 (polished).

Aids that show how arms and props move: traces, joint axes, spheres of reach, and ghost arms.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import (
    FOREARM,
    GHOST_FOREARM_RADII,
    GHOST_UPPER_ARM_RADII,
    JOINTS,
    UPPER_ARM,
    Joint,
    Pose,
    arm_axes,
)
from juggle_anim.lazy_dataclass import ShortRepr, dataclass
from juggle_anim.motion import FlightPaths, Motion
from juggle_anim.scene.camera import OFF, Camera
from juggle_anim.scene.people import STANDARD, Colour, Palette

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

    `AIM` is yaw and pitch as for a club, [rad], and `TONE` that of every other panel: from −1,
    black, through 0, the colour itself, to 1, white. The last column is not used.
    """

    AIM = slice(8, 10)
    TONE = 10
    WIDTH = 12


class Cone:
    """Columns of a round cone: a limb, a part of a club, a tube.

    `SHAPE` are all except its `PAINT`.
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
    """Columns of a prop, a ball around its centre.

    `UNTIL` is the time until it is caught, [s], 0 if held, and `KIND` an index in `KINDS`.
    """

    UNTIL = 7
    KIND = 8
    WIDTH = 9
    KINDS = "ball", "square", "ring", "club"


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
        start_radius, end_radius: radii of these balls, any shape that broadcasts to (…), [m].
        colour: sRGB from 0 to 1, any shape that broadcasts to (…, 3).
        gloss: gloss of all, 0 (dull) to 1 (polished).
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
        diameters: diameters of balls, or edges of cubes, shape (N,), [m].
        colours: shape (N, 3), sRGB from 0 to 1.
        gloss: gloss of all, 0 (dull) to 1 (polished).
    """
    # Shape (…, N, 8).
    rows = np.empty((*centres.shape[:-1], Sphere.WIDTH), dtype=np.float32)
    rows[..., Sphere.CENTRE] = centres
    rows[..., Sphere.RADIUS] = diameters / 2
    rows[..., Sphere.COLOUR] = colours
    rows[..., Sphere.GLOSS] = gloss
    return rows


def no_rows(*shape: int) -> Singles:
    """Return a read-only, empty array of a shape in which at least one number is 0.

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


def _constant(rows: object) -> Any:
    """Return a field whose default is an array, which all objects share."""
    return field(default_factory=lambda: rows)


@dataclass(frozen=True, repr=False)
class Scene(ShortRepr):
    """All that a picture shows.

    Each row of an array is one instance for the graphics card.

    Args:
        spheres: shape (N, `Ball.WIDTH`), rows of `Ball`.
        capsules: shape (M, `Cone.WIDTH`), rows of `Cone`: limbs first, then clubs. The radii at the
            ends differ by less than the length.
        camera: the camera that sees the scene.
        stage: floor, backdrop and light.
        rings: shape (R, `Ring.WIDTH`), rows of `Ring`.
        boxes: shape (B, `Sphere.WIDTH`), rows of `Sphere`: cubes with edges along the world's axes;
            the radius is half an edge.
        ghosts: shape (G, `Cone.WIDTH`), rows of `Cone`: translucent limbs over everything, without
            shadows.
        traces: shape (K, `Cone.WIDTH`), rows of `Cone`: tubes without shadows.
        arcs: shape (Q, `Cone.WIDTH`), rows of `Cone`: translucent tubes that solids may hide.
        see_through: shape (V, `Cone.WIDTH`), rows of `Cone`: translucent limbs that solids may
            hide.
        axes: shape (A, `Cone.WIDTH`), rows of `Cone`: arrows over everything, without shadows.
        bubbles: shape (U, `Bubble.WIDTH`), rows of `Bubble`: translucent spheres.
        low_detail: shape (F, S, `Cone.WIDTH`) for F figures, rows of `Cone`: each figure with fewer
            limbs, for small figures.
        club_parts: number of capsules, at the end, that are parts of clubs, `CLUB_PARTS` for each.
        limb_count: number of capsules, from the first on, that are limbs.
        limbs_each: number of limbs of each figure, in capsules or in see_through.
        unseen_limbs: the limbs that it does not see of itself, counted within the figure.
        bodies: shape (F, `JOINTS`, 3), joints of figures that are smooth bodies, drawn in place of
            their limbs, [m].
        paint: shape (F, covers, 4), colours of these, sRGB, and gloss, in the order of
            `skin.COVERS`.
        gaze: shape (F, 3), unit vectors in which they look.
        lids: shape (F,), how far their lids are closed, from 0 to 1.
        girths: shape (F, bones, 3), of their bones, see `skin.bone_girths`.
        worn: shape (F,), the clothes of each figure as a number, see `skin.worn_number`.
        stereo: an option of the parameter `stereo`; the camera stands between the eyes.
        flying: shape (P, `Flying.WIDTH`), rows of `Flying`: props that are marked where they fly
            above the picture.
    """

    spheres: Singles
    capsules: Singles
    camera: Camera
    stage: Stage
    rings: Singles = _constant(NO_CONES)
    boxes: Singles = _constant(NO_SPHERES)
    ghosts: Singles = _constant(NO_CONES)
    traces: Singles = _constant(NO_CONES)
    arcs: Singles = _constant(NO_CONES)
    see_through: Singles = _constant(NO_CONES)
    stereo: str = OFF
    axes: Singles = _constant(NO_CONES)
    bubbles: Singles = _constant(NO_CONES)
    low_detail: Singles = _constant(NO_LOW_DETAIL)
    club_parts: int = 0
    limb_count: int = 0
    limbs_each: int = 0
    unseen_limbs: tuple[int, ...] = ()
    bodies: Floats = _constant(NO_BODIES)
    paint: Singles = _constant(NO_PAINT)
    gaze: Floats = _constant(NO_GAZE)
    lids: Floats = _constant(NO_LIDS)
    girths: Floats = _constant(NO_GIRTHS)
    worn: NDArray[np.intp] = _constant(NOT_WORN)
    flying: Singles = _constant(NO_SPHERES)


@dataclass(frozen=True)
class Stage:
    """Floor, backdrop and light; colours are sRGB, 0 to 1, and light is linear.

    Args:
        backdrop_top, backdrop_bottom: colour of the background, high up and low down.
        floor, line: colours of the floor and of the lines on it.
        light: points from the floor to the key light; shadows fall on the floor y = 0.
        scenery: the surroundings: `PLAIN`, `COVE`, `HALL`, `SPOT` or `BARE`.
        key: light on a white surface that faces the key light.
        sky, ground: ambient light on white surfaces that face up and down.
        fill: brightness of a soft light above the camera.
        rim: colour of a light from behind, which draws a fine bright line around people and props.
    """

    backdrop_top: Colour
    backdrop_bottom: Colour
    floor: Colour
    line: Colour
    light: tuple[float, float, float]
    scenery: str = PLAIN
    key: Colour = (0.82, 0.78, 0.72)
    sky: Colour = (0.235, 0.265, 0.315)
    ground: Colour = (0.18, 0.165, 0.168)
    fill: float = 0.15
    rim: Colour = (0.14, 0.14, 0.14)


STUDIO = Stage(
    backdrop_top=(0.776, 0.777, 0.766),
    backdrop_bottom=(0.870, 0.870, 0.858),
    floor=(0.93, 0.905, 0.875),
    line=(0.885, 0.862, 0.835),
    light=(0.55, 0.85, 0.70),
    scenery=COVE,
    key=(0.92, 0.83, 0.72),
    sky=(0.215, 0.26, 0.325),
    ground=(0.21, 0.18, 0.165),
    fill=0.21,
    rim=(0.19, 0.20, 0.22),
)
"""A bright photo studio: a warm lamp, and a cove that fades from cream to light grey."""

GYM = Stage(
    backdrop_top=(0.69, 0.765, 0.805),
    backdrop_bottom=(0.855, 0.864, 0.862),
    floor=(0.86, 0.77, 0.66),
    line=(0.93, 0.92, 0.88),
    light=(0.45, 0.90, 0.55),
    scenery=HALL,
    key=(1.08, 0.93, 0.73),
    sky=(0.26, 0.30, 0.36),
    ground=(0.24, 0.20, 0.15),
    fill=0.29,
    rim=(0.34, 0.32, 0.27),
)
"""A sports hall with a wooden floor, a light wall with windows, and lamps high above."""

DARK = Stage(
    backdrop_top=(0.030, 0.040, 0.085),
    backdrop_bottom=(0.095, 0.125, 0.215),
    floor=(0.14, 0.165, 0.225),
    line=(0.165, 0.19, 0.25),
    light=(0.45, 0.90, 0.65),
    scenery=SPOT,
    key=(1.10, 0.97, 0.80),
    sky=(0.16, 0.195, 0.28),
    ground=(0.10, 0.085, 0.085),
    fill=0.30,
    rim=(0.62, 0.78, 1.05),
)
"""A dark stage with a pool of light."""

STAGES = {"studio": STUDIO, "gym": GYM, "dark": DARK}
"""Stages by name."""

FILL_DIRECTION = (0.0, 0.24, 0.97)
"""Toward the fill light, in the axes of the camera, above which it stands: faces that are seen are
never without light, and forms are darker where they turn from the eye.
"""

# Weights of red, green and blue in the brightness of a colour.
_LUMA = np.array([0.30, 0.59, 0.11])


@lru_cache(maxsize=16)
def light_axes(stage: Stage) -> Floats:
    """Return three unit vectors at right angles to each other, one of them toward the key light.

    Args:
        stage: `light` is the direction toward the key light, in the world, of any length.

    Returns:
        The rows of a read-only array of shape (3, 3): a level vector, the vector at right angles to
        it and to the light, and the vector toward the light.
    """
    toward = np.asarray(stage.light, dtype=np.float64)
    toward = toward / np.linalg.norm(toward)
    level = np.array([toward[2], 0.0, -toward[0]])
    level_length = np.linalg.norm(level)
    # A light straight above has no level direction, and x will do.
    level = level / level_length if level_length > 1e-9 else np.array([1.0, 0.0, 0.0])
    axes = np.array([level, np.cross(toward, level), toward])
    axes.setflags(write=False)
    return axes


def brightness(stage: Stage) -> float:
    """Return the mean brightness of the background behind people: the luma of sRGB, 0 to 1."""
    return float(np.mean([stage.backdrop_top, stage.backdrop_bottom, stage.floor], axis=0) @ _LUMA)


RED = (0.86, 0.10, 0.12)
GREEN = (0.24, 0.80, 0.32)
BLUE = (0.16, 0.40, 0.96)
"""Colours of the axes x, y and z, sRGB; green is the lightest, for red-green blind eyes."""

REACH = UPPER_ARM + FOREARM
"""From shoulder to wrist of a straight arm, [m]."""

REACH_COLOUR = (0.36, 0.56, 0.80)
"""Colour of a sphere of reach, sRGB."""

_STRETCHED_FROM = 0.88  # share of the reach from which a wrist counts as near the limit
_STRETCHED_UP_TO = 0.975  # share of the reach from which it counts as at the limit
_FAR_MISS = 0.004  # m, from a hand to its place, from which the place counts as out of reach

_ARROW_LENGTHS = np.array([0.17, 0.15, 0.13])  # m, at shoulder, elbow and wrist
_ARROW_HEAD_LENGTH = 0.045  # m

# Radii of the shaft and of the head of an arrow, at their starts and at their ends, [m].
_ARROW_START_RADII = np.array([0.0065, 0.017])
_ARROW_END_RADII = np.array([0.0065, 0.002])

_AID_GLOSS = 0.1
_ARM_JOINTS = [
    [Joint[f"{side}_{name}"] for name in ("SHOULDER", "ELBOW", "WRIST")]
    for side in ("LEFT", "RIGHT")
]

GHOST_COLOUR = STANDARD.ghost
"""A magenta that no prop and no part of the figure has, sRGB."""

_GHOST_GLOSS = 0.25

# Upper arm and forearm of the left and the right ghost: their joints, and radii at both ends.
_GHOST_STARTS = [joint for arm in _ARM_JOINTS for joint in arm[:2]]
_GHOST_ENDS = [joint for arm in _ARM_JOINTS for joint in arm[1:]]
_GHOST_RADII = np.array([GHOST_UPPER_ARM_RADII, GHOST_FOREARM_RADII] * 2)  # shape (4, 2), [m]


_LINE_RADIUS = 0.0055  # m, of a path
_LINE_GLOSS = 0.1

# Paths are made of tubes; each path has fewer and longer ones where there are many paths.
_MAX_TUBES = 8_192  # of all throws, all paths of hands, all trails, or all arcs
_MAX_TUBES_OF_THROW = 24  # of each parabola
_MIN_TUBES_OF_THROW = 4
_HAND_TUBES_PER_SECOND = 48
_MIN_TUBES_OF_HAND = 8

_MAX_TUBES_OF_TRAIL = 40
_MIN_TUBES_OF_TRAIL = 6
_TRAIL_SHARE = 0.45  # of a prop's radius, that its trail has at its start
_MAX_TRAIL_RADIUS = 0.016  # m

_MAX_TUBES_OF_ARC = 24
_MIN_TUBES_OF_ARC = 6
_PALENESS_BEHIND = 0.62  # share of a palette's `thrown` in the colour of an arc behind its prop


def axis_arrows(joints: Floats) -> Singles:
    """Return arrows along the axes of shoulder, elbow and wrist of every arm.

    Args:
        joints: joints of J jugglers at T times, shape (T, J, `JOINTS`, 3), [m].

    Returns:
        Shape (T, J · 36, `Cone.WIDTH`), rows of `Cone`: for each of 2 arms, 3 joints and 3 axes a
        shaft and a head.
    """
    # `arm_axes` returns rotations, whose columns are the axes. Transposed, they have the axes in
    # rows: shape (T, J, 2 arms, 3 joints, 3 axes, 3).
    axes = np.swapaxes(arm_axes(joints), -1, -2)
    joint = joints[..., _ARM_JOINTS, :][..., None, :]  # all three axes begin there
    # Lengths differ from shoulder to elbow to wrist, [m].
    tip = joint + _ARROW_LENGTHS[:, None, None] * axes
    head_start = tip - _ARROW_HEAD_LENGTH * axes
    shaft_start = np.broadcast_to(joint, tip.shape)
    # A new axis before the last has the two cones of each arrow: its shaft and its head.
    starts = np.stack([shaft_start, head_start], axis=-2)
    ends = np.stack([head_start, tip], axis=-2)
    axis_colours = np.array([RED, GREEN, BLUE])[:, None]  # for both cones of an arrow
    rows = cones(starts, _ARROW_START_RADII, ends, _ARROW_END_RADII, axis_colours, _AID_GLOSS)
    return rows.reshape(len(joints), -1, Cone.WIDTH)


def reach_bubbles(pose: Pose) -> Singles:
    """Return a sphere around every shoulder, as far as its wrist can reach.

    Args:
        pose: the pose of J jugglers at T times, with the distances of hands from their places.

    Returns:
        Shape (T, J · 2, `Bubble.WIDTH`), rows of `Bubble`. Its column `NEAR` grows from 0 to 1 as
        an arm is stretched from the share `_STRETCHED_FROM` of its reach to `_STRETCHED_UP_TO`. Its
        column `BEYOND` grows from 0 to 1 with the distance by which a hand misses its place, up to
        `_FAR_MISS` (4 mm).
    """
    # Shape (T, J, 2 arms, 3 joints, 3), so shoulders and wrists have shape (T, J, 2, 3).
    arms = pose.joints[..., _ARM_JOINTS, :]
    shoulders = arms[..., 0, :]
    wrists = arms[..., 2, :]
    rows = np.empty((*shoulders.shape[:-1], Bubble.WIDTH), dtype=np.float32)
    rows[..., Bubble.CENTRE] = shoulders
    rows[..., Bubble.RADIUS] = REACH
    rows[..., Bubble.PLACE] = wrists
    rows[..., Bubble.COLOUR] = REACH_COLOUR
    reach_share = np.linalg.norm(wrists - shoulders, axis=-1) / REACH
    stretched_share = (reach_share - _STRETCHED_FROM) / (_STRETCHED_UP_TO - _STRETCHED_FROM)
    rows[..., Bubble.NEAR] = np.clip(stretched_share, 0.0, 1.0)
    rows[..., Bubble.BEYOND] = np.clip(pose.gaps / _FAR_MISS, 0.0, 1.0)
    return rows.reshape(len(shoulders), -1, Bubble.WIDTH)


def ghost_arms(joints: Floats, colour: Colour = GHOST_COLOUR) -> Singles:
    """Return the arms of ghosts, an upper arm and a forearm on each side.

    Args:
        joints: joints of J ghosts at T times, shape (T, J, `JOINTS`, 3), [m].
        colour: sRGB, 0 to 1.

    Returns:
        Shape (T, J · 4, `Cone.WIDTH`), rows of `Cone`.
    """
    rows = cones(
        joints[..., _GHOST_STARTS, :],
        _GHOST_RADII[:, 0],
        joints[..., _GHOST_ENDS, :],
        _GHOST_RADII[:, 1],
        colour,
        _GHOST_GLOSS,
    )
    return rows.reshape(len(joints), -1, Cone.WIDTH)


@dataclass(frozen=True)
class Traces:
    """The traces of a motion.

    Args:
        motion: the motion of props and hands.
        trails: duration of the trails of props, [s]; 0 for none.
        paths: an option of the parameter `paths`: "throws", "hands" or "both" for fixed lines,
            "flying" for the whole arcs of props in flight, "arcs" for the part of each arc behind
            its prop; any other for none.
        colours: colours of the props, shape (P, 3) for P props, sRGB.
        palette: colours of everything else.
    """

    motion: Motion
    trails: float
    paths: str
    colours: Singles
    palette: Palette = STANDARD

    def rows(self, times: Floats) -> Singles:
        """Return the tubes of all traces at T times.

        Args:
            times: T times, shape (T,), [s].

        Returns:
            Shape (T, N, `Cone.WIDTH`), rows of `Cone`: paths that do not change, then arcs, then
            trails.
        """
        # Fixed rows, of paths that are drawn whole ("throws", "hands" or "both"), are the same at
        # all times: a view that repeats them, without copies.
        parts = [np.broadcast_to(self._fixed_rows, (len(times), *self._fixed_rows.shape))]
        if self.paths == "flying":
            parts.append(self._arcs.rows(times))
        if self.trails:  # their duration, [s]
            parts.append(self._trail_tubes(times))
        return np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]

    def arcs(self, times: Floats) -> Singles:
        """Return tubes along the path of each flying prop since its throw, thinner at the throw.

        Args:
            times: T times, shape (T,), [s].

        Returns:
            Shape (T, N, `Cone.WIDTH`), rows of `Cone`; N is 0 if `paths` is not "arcs".
        """
        if self.paths != "arcs":
            return no_rows(len(times), 0, Cone.WIDTH)
        return self._arcs.flown_tubes(times, _trail_radius(self.motion))

    def _trail_tubes(self, times: Floats) -> Singles:
        """Return tubes of the trails behind props, which get thinner toward the past.

        `trails`, their duration, must be above 0.

        Args:
            times: T times, shape (T,), [s].

        Returns:
            Shape (T, tubes of a trail · props, `Cone.WIDTH`), rows of `Cone`.
        """
        prop_count = self.motion.choreography.props
        tube_count = _tubes_per_path(prop_count, _MIN_TUBES_OF_TRAIL, _MAX_TUBES_OF_TRAIL)
        # The ages of points of a trail, [s]: 0 at the prop, the duration at the tail.
        duration = self.trails
        ages = np.linspace(0.0, duration, tube_count + 1)
        # Where each of P props was at each age, shape (T, tubes + 1, P, 3).
        points = self.motion.sample((times[:, None] - ages).ravel()).props
        points = points.reshape(len(times), tube_count + 1, prop_count, 3)
        # Radii (P,) at the props shrink to 0 at the tails, shape (tubes + 1, P).
        radii = _trail_radius(self.motion) * (1 - ages / duration)[:, None]
        rows = cones(
            points[:, :-1], radii[:-1], points[:, 1:], radii[1:], self.colours, _LINE_GLOSS
        )
        return rows.reshape(len(times), -1, Cone.WIDTH)

    @property
    def _line_radius(self) -> float:
        """Radius of a path, [m]."""
        return _LINE_RADIUS * self.palette.line_scale

    @cached_property
    def _arcs(self) -> FlightArcs:
        return FlightArcs(self.motion, self.colours, self.palette)

    @cached_property
    def _fixed_rows(self) -> Singles:
        """Tubes of the paths that do not change, shape (N, `Cone.WIDTH`), rows of `Cone`."""
        parts = [no_rows(0, Cone.WIDTH)]
        if self.paths in ("throws", "both"):
            parts.append(self._throw_tubes())
        if self.paths in ("hands", "both"):
            parts.append(self._hand_tubes())
        return np.concatenate(parts)

    def _throw_tubes(self) -> Singles:
        """Tubes along all parabolas of all flights: rows of `Cone`, shape (N, `Cone.WIDTH`)."""
        flight_paths = self.motion.flight_paths
        # A leg is the parabola between two bounces or ends of a flight.
        leg_count = len(flight_paths.parabolas.flight)
        tube_count = _tubes_per_path(leg_count, _MIN_TUBES_OF_THROW, _MAX_TUBES_OF_THROW)
        points = _leg_points(flight_paths, tube_count)  # shape (tubes + 1, legs, 3)
        rows = cones(
            points[:-1],
            self._line_radius,
            points[1:],
            self._line_radius,
            self.palette.thrown,
            _LINE_GLOSS,
        )
        return rows.reshape(-1, Cone.WIDTH)

    def _hand_tubes(self) -> Singles:
        """Tubes of the paths of hands over the loop, shape (N, `Cone.WIDTH`), rows of `Cone`.

        Left and right hands have a colour each.
        """
        # Each hand has a fixed number of tubes per second, but fewer and longer ones in a long loop
        # or with many jugglers.
        hand_count = 2 * self.motion.choreography.jugglers
        duration = self.motion.duration
        wanted_tubes = round(duration * _HAND_TUBES_PER_SECOND)
        tube_count = _tubes_per_path(hand_count, _MIN_TUBES_OF_HAND, wanted_tubes)
        # Shape (tubes + 1, J, 2, 3) for J jugglers with a left and a right hand.
        points = self.motion.sample(np.linspace(0.0, duration, tube_count + 1)).hands
        # Shape (2, 3), which broadcasts to the hands of all jugglers.
        colours = self.palette.left, self.palette.right
        rows = cones(
            points[:-1], self._line_radius, points[1:], self._line_radius, colours, _LINE_GLOSS
        )
        return rows.reshape(-1, Cone.WIDTH)


@dataclass(frozen=True)
class FlightArcs:
    """The arcs of the props in flight, from throw to catch.

    Args:
        motion: the motion of the props.
        colours: colours of the props, shape (P, 3) for P props, sRGB.
        palette: colours of everything else.
    """

    motion: Motion
    colours: Singles
    palette: Palette = STANDARD

    def rows(self, times: Floats) -> Singles:
        """Return the arc of each prop in flight, from throw to catch, paler behind the prop.

        An arc has up to L legs, parabolas between bounces, and each leg the same number of tubes.

        Args:
            times: T times, shape (T,), [s].

        Returns:
            Shape (T, N, `Cone.WIDTH`), N tubes of all P props, rows of `Cone`. N is the same at
            every time, P · L · tubes per leg, so tubes that are not needed, such as those of props
            that are held, have a radius of 0; for a single time they are left out.
        """
        if not len(self._legs_of_flights):  # nothing is ever thrown
            return no_rows(len(times), 0, Cone.WIDTH)
        # `leg`, shape (T, P, L), are indices of legs, −1 where the prop is held or its flight has
        # fewer legs than L. As an index, −1 takes the last leg; its tubes get a radius of 0.
        leg, since_throw = self._legs_of_present_flights(times)
        radius = np.where(leg >= 0, _LINE_RADIUS * self.palette.line_scale, 0.0)[..., None]
        points = self._arc_points[leg]  # shape (T, P, L, tubes + 1, 3)

        # Tubes have the prop's colour; for those that it has passed, this is mixed with the
        # palette's colour of throws.
        is_behind = self._tube_times[leg] < since_throw[..., None, None]  # (T, P, L, tubes)
        paleness = np.where(is_behind, _PALENESS_BEHIND, 0.0)[..., None]
        pale = paleness * np.array(self.palette.thrown)
        tube_colours = (1 - paleness) * self.colours[:, None, None] + pale
        arc_rows = cones(
            points[..., :-1, :], radius, points[..., 1:, :], radius, tube_colours, _LINE_GLOSS
        )
        arc_rows = arc_rows.reshape(len(times), -1, Cone.WIDTH)
        if len(times) != 1:
            return arc_rows
        is_visible = arc_rows[0, :, Cone.START_RADIUS] > 0
        return arc_rows[:, is_visible]

    def flown_tubes(self, times: Floats, radius: Floats) -> Singles:
        """Return tubes along the path of each flying prop since its throw, thinner at the throw.

        The radius of a path grows from 0 at the throw in proportion to the time since. The arc of a
        flight has up to L legs, parabolas between bounces, and each leg the same number of tubes,
        so N is P · L · that number for P props.

        Args:
            times: T times, shape (T,), [s].
            radius: radius at each prop, shape (P,), [m].

        Returns:
            Shape (T, N, `Cone.WIDTH`), rows of `Cone`; tubes that are not needed, such as those of
            props that are held, have a radius of 0.
        """
        if not len(self._legs_of_flights):  # nothing is ever thrown
            return no_rows(len(times), 0, Cone.WIDTH)
        # Axes: times, props, legs, tubes, coordinates. Legs are indices, shape (T, P, L); −1, for
        # no leg, takes the data of the last one, which `is_begun` rules out.
        leg, since_throw = self._legs_of_present_flights(times)
        elapsed = np.maximum(since_throw, 1e-6)[..., None, None]  # (T, P, 1, 1), [s], not 0
        points = self._arc_points[leg]  # (T, P, L, tubes + 1, 3)
        props = self.motion.sample(times).props[:, :, None, None]  # (T, P, 1, 1, 3)

        # When the prop enters and leaves each tube, as shares of the time since the throw, 1 being
        # now: (T, P, L, tubes).
        leg_durations = self.motion.flight_paths.parabolas.duration[leg]
        start_share = self._tube_times[leg] / elapsed
        end_share = start_share + (leg_durations / self._tubes)[..., None] / elapsed
        is_begun = (leg >= 0)[..., None] & (start_share < 1.0)
        is_passed = is_begun & (end_share <= 1.0)

        # A tube that the prop is in ends at the prop. Tubes ahead of it have both ends there and a
        # radius of 0.
        starts = np.where(is_begun[..., None], points[..., :-1, :], props)
        ends = np.where(is_passed[..., None], points[..., 1:, :], props)
        widest = np.where(is_begun, radius[:, None, None], 0.0)
        rows = cones(
            starts,
            widest * np.clip(start_share, 0.0, 1.0),
            ends,
            widest * np.clip(end_share, 0.0, 1.0),
            self.colours[:, None, None],
            _LINE_GLOSS,
        )
        return rows.reshape(len(times), -1, Cone.WIDTH)

    def _legs_of_present_flights(self, times: Floats) -> tuple[Integers, Floats]:
        """Return the legs of the present flight of each of P props at T times, −1 for none.

        A leg is a parabola between two bounces or ends of a flight. Some prop must be thrown.

        Args:
            times: T times, shape (T,), [s].

        Returns:
            Indices of the legs of the whole flight, shape (T, P, L), −1 for no leg: for a prop
            that is held, and beyond the legs of a flight with fewer than L; and the time since the
            last throw of each prop, shape (T, P), [s].
        """
        # The flight that began with the last throw, −1 for none, and the share of it that is over.
        flight, since_throw, flight_share = self.motion.last_throws_at(times)
        is_flying = (flight >= 0) & (flight_share < 1.0)
        return np.where(is_flying[..., None], self._legs_of_flights[flight], -1), since_throw

    @cached_property
    def _legs_of_flights(self) -> Integers:
        """Indices of the legs of each flight among all legs, shape (F, L), −1 for none.

        A leg is a parabola between two bounces or ends of a flight, so a flight with n bounces has
        n + 1 legs. F is the number of flights, and L the most legs of any flight; L is 1 without
        any flights.
        """
        # Legs are sorted by flight and time. `legs.flight` has the flight of each leg, and
        # `legs.first` the index of the first leg of each flight.
        legs = self.motion.flight_paths.parabolas
        leg_counts = np.bincount(legs.flight)
        legs_of_flight = np.full((len(legs.first), leg_counts.max(initial=1)), -1)
        leg = np.arange(len(legs.flight))
        number_in_flight = leg - legs.first[legs.flight]
        legs_of_flight[legs.flight, number_in_flight] = leg
        return legs_of_flight

    @cached_property
    def _tubes(self) -> int:
        """Number of tubes of each leg of a flight."""
        legs = self.motion.choreography.props * self._legs_of_flights.shape[1]
        return _tubes_per_path(legs, _MIN_TUBES_OF_ARC, _MAX_TUBES_OF_ARC)

    @cached_property
    def _arc_points(self) -> Floats:
        """Points along each leg, shape (legs, tubes + 1, 3), [m]."""
        return np.moveaxis(_leg_points(self.motion.flight_paths, self._tubes), 0, 1)

    @cached_property
    def _tube_times(self) -> Floats:
        """Time from the throw until a prop comes to each tube, shape (legs, tubes), [s]."""
        legs = self.motion.flight_paths.parabolas
        return legs.since[:, None] + legs.duration[:, None] * (np.arange(self._tubes) / self._tubes)


def _tubes_per_path(path_count: int, least: int, most: int) -> int:
    """The number of tubes with which each of some paths is drawn, from `least` to `most`.

    It is the greatest with which all paths have `_MAX_TUBES` at most, or else `least`.
    """
    affordable = _MAX_TUBES // max(path_count, 1)
    return max(least, min(most, affordable))


def _trail_radius(motion: Motion) -> Floats:
    """Radius of a trail at its prop, shape (P,) for P props, [m]."""
    return np.minimum(_TRAIL_SHARE * motion.shapes.size / 2, _MAX_TRAIL_RADIUS)


def _leg_points(flight_paths: FlightPaths, part_count: int) -> Floats:
    """Return points along every leg of every flight, evenly spaced in time.

    Args:
        flight_paths: the flights, each of one or more legs, which are parabolas between bounces.
        part_count: into how many parts each leg is divided.

    Returns:
        Shape (part_count + 1, legs, 3), both ends of each leg included, in the world, [m].
    """
    legs = flight_paths.parabolas
    # Time from the start of each leg, shape (part_count + 1, legs, 1), [s].
    time = np.linspace(0.0, legs.duration, part_count + 1)[..., None]
    gravity = legs.gravity[:, None] * (0.0, -1.0, 0.0)  # downward, shape (legs, 3)
    points: Floats = legs.position + legs.velocity * time + 0.5 * gravity * time**2
    return points
