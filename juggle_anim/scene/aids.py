"""Aids that show how arms and props move: traces, axes of joints, spheres of reach, and the arms of
a second solver as ghosts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.body.anatomy import GHOST_FOREARM_RADII, GHOST_UPPER_ARM_RADII
from juggle_anim.body.arm import arm_axes
from juggle_anim.body.skeleton import FOREARM, UPPER_ARM
from juggle_anim.motion import Motion
from juggle_anim.motion.flight import FlightPaths
from juggle_anim.scene.palette import STANDARD, Colour, Palette
from juggle_anim.scene.scene import Bubble, Cone, cones, no_rows

RED = (0.86, 0.10, 0.12)
GREEN = (0.24, 0.80, 0.32)
BLUE = (0.16, 0.40, 0.96)
"""Colours of the axes x, y and z, sRGB; green is the lightest, for red-green blind eyes."""

REACH = UPPER_ARM + FOREARM
"""From shoulder to wrist of a straight arm, [m]."""

REACH_COLOUR = (0.36, 0.56, 0.80)
"""Colour of a sphere of reach, sRGB."""

NEAR = 0.88
LIMIT = 0.975
BEYOND = 0.004
"""Shares of the reach from which a wrist counts as near the limit, and as at it; and the gap to its
place from which it counts as out of reach, [m].
"""

# [m]
_LENGTHS = np.array([0.17, 0.15, 0.13])
_HEAD_LENGTH = 0.045

# Radii of shafts and of heads at their begins and ends, [m].
_BEGIN = np.array([0.0065, 0.017])
_END = np.array([0.0065, 0.002])

_AID_GLOSS = 0.1
_JOINTS = [
    [Joint[f"{side}_{name}"] for name in ("SHOULDER", "ELBOW", "WRIST")]
    for side in ("LEFT", "RIGHT")
]

GHOST_COLOUR = STANDARD.ghost
"""A magenta that no prop and no part of the figure has, sRGB."""

_GHOST_GLOSS = 0.25

# Upper arm and forearm of the left and the right ghost: their joints, and radii at both ends.
_GHOST_STARTS = [joint for arm in _JOINTS for joint in arm[:2]]
_GHOST_ENDS = [joint for arm in _JOINTS for joint in arm[1:]]
_GHOST_RADII = np.array([GHOST_UPPER_ARM_RADII, GHOST_FOREARM_RADII] * 2)  # shape (4, 2), [m]


_LINE_RADIUS = 0.0055
"""Radius of a path, [m]."""

_GLOSS = 0.1
_MOST = 8_192  # tubes of all paths; each path has fewer and longer ones where there are many
# at most; of a hand
_TUBES_OF_A_THROW = 24
_TUBES_A_SECOND = 48
# most and fewest tubes of a trail
_FINE = 40
_COARSE = 6
# radius at the start of a trail, as a share of the prop's radius, and at most [m]
_SHARE = 0.45
_WIDEST = 0.016
# most and fewest tubes of an arc, most of all arcs
_TUBES_OF_AN_ARC = 24
_FEWEST = 6
_MOST_OF_ARCS = 8_192
_BEHIND = 0.62  # share of a palette's `thrown` in the colour of an arc behind its prop


def axis_arrows(joints: Floats) -> Singles:
    """Return arrows along the axes of the joints of every arm.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].

    Returns:
        Shape (T, J · 36, 12), rows of `Cone`: shaft and head of each axis.
    """
    along = np.moveaxis(arm_axes(joints), -1, -2)
    start = joints[..., _JOINTS, :][..., None, :]
    end = start + _LENGTHS[:, None, None] * along
    neck = end - _HEAD_LENGTH * along
    starts = np.stack(np.broadcast_arrays(start, neck), axis=-2)
    ends = np.stack([neck, end], axis=-2)
    rows = cones(starts, _BEGIN, ends, _END, np.array([RED, GREEN, BLUE])[:, None], _AID_GLOSS)
    return rows.reshape(len(joints), -1, Cone.WIDTH)


def reach_bubbles(pose: Pose) -> Singles:
    """Return a sphere around every shoulder, as far as its wrist can reach.

    Returns:
        Shape (T, J · 2, 12), rows of `Bubble`.
    """
    shoulders, _, wrists = (pose.joints[..., list(pair), :] for pair in zip(*_JOINTS, strict=True))
    rows = np.empty((*shoulders.shape[:-1], Bubble.WIDTH), dtype=np.float32)
    rows[..., Bubble.CENTRE], rows[..., Bubble.RADIUS] = shoulders, REACH
    rows[..., Bubble.PLACE], rows[..., Bubble.COLOUR] = wrists, REACH_COLOUR
    near = (np.linalg.norm(wrists - shoulders, axis=-1) / REACH - NEAR) / (LIMIT - NEAR)
    rows[..., Bubble.NEAR], rows[..., Bubble.BEYOND] = (
        np.clip(near, 0.0, 1.0),
        np.clip(pose.gaps / BEYOND, 0.0, 1.0),
    )
    return rows.reshape(len(shoulders), -1, Bubble.WIDTH)


def ghost_arms(joints: Floats, colour: Colour = GHOST_COLOUR) -> Singles:
    """Return the arms of ghosts.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].
        colour: sRGB.

    Returns:
        Shape (T, J · limbs, 12), rows of `Cone`.
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
        motion: of props and hands.
        trails: duration of the trails of props, [s]; 0 for none.
        paths: an option of the parameter `paths`.
        colours: of the props, shape (P, 3), sRGB.
        palette: of all else.
    """

    motion: Motion
    trails: float
    paths: str
    colours: Singles
    palette: Palette = STANDARD

    def rows(self, times: Floats) -> Singles:
        """Return rows of `Cone`, shape (T, N, 12), at some times, shape (T,), [s]."""
        parts = [np.broadcast_to(self._still, (len(times), *self._still.shape))]
        if self.paths == "flying":
            parts.append(self._arcs.rows(times))
        if self.trails:
            parts.append(self._trails(times))
        return np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]

    def _trails(self, times: Floats) -> Singles:
        props = self.motion.choreography.props
        bends = max(_COARSE, min(_FINE, _MOST // max(props, 1)))
        ago = np.linspace(0.0, self.trails, bends + 1)
        points = self.motion.sample((times[:, None] - ago).ravel()).props
        points = points.reshape(len(times), bends + 1, props, 3)
        begin = np.minimum(_SHARE * self.motion.shapes.size / 2, _WIDEST)
        radii = begin * (1 - ago / self.trails)[:, None]
        rows = cones(points[:, :-1], radii[:-1], points[:, 1:], radii[1:], self.colours, _GLOSS)
        return rows.reshape(len(times), -1, Cone.WIDTH)

    @property
    def _thin(self) -> float:
        """Radius of a path, [m]."""
        return _LINE_RADIUS * self.palette.line_scale

    @cached_property
    def _arcs(self) -> FlightArcs:
        return FlightArcs(self.motion, self.colours, self.palette)

    @cached_property
    def _still(self) -> Singles:
        parts = [no_rows(0, Cone.WIDTH)]
        if self.paths in ("throws", "both"):
            parts.append(self._throws())
        if self.paths in ("hands", "both"):
            parts.append(self._hands())
        return np.concatenate(parts)

    def _throws(self) -> Singles:
        """The parabola of every leg of every flight."""
        flying = self.motion.flight_paths
        bends = max(4, min(_TUBES_OF_A_THROW, _MOST // max(len(flying.parabolas.flight), 1)))
        points = _leg_points(flying, bends)
        rows = cones(points[:-1], self._thin, points[1:], self._thin, self.palette.thrown, _GLOSS)
        return rows.reshape(-1, Cone.WIDTH)

    def _hands(self) -> Singles:
        jugglers = self.motion.choreography.jugglers
        duration = self.motion.duration
        bends = max(8, min(round(duration * _TUBES_A_SECOND), _MOST // (2 * jugglers)))
        points = self.motion.sample(np.linspace(0.0, duration, bends + 1)).hands
        sides = self.palette.left, self.palette.right
        return cones(points[:-1], self._thin, points[1:], self._thin, sides, _GLOSS).reshape(
            -1, Cone.WIDTH
        )


@dataclass(frozen=True)
class FlightArcs:
    """The arcs of the props in flight, from throw to catch.

    Args:
        motion: of the props.
        colours: of the props, shape (P, 3), sRGB.
        palette: of all else.
    """

    motion: Motion
    colours: Singles
    palette: Palette = STANDARD

    def rows(self, times: Floats) -> Singles:
        """Return whole arcs in the colours of the props, paler behind them.

        Args:
            times: shape (T,), [s].

        Returns:
            Shape (T, N, 12), rows of `Cone`; for props that are held they have no width.
        """
        flight, ago, share = self.motion.thrown(times)
        if not len(self._numbers):
            return no_rows(len(times), 0, Cone.WIDTH)
        leg = np.where(((flight >= 0) & (share < 1.0))[..., None], self._numbers[flight], -1)
        points = self._points[leg]
        begun = self._begun[leg]
        behind = np.where(begun < ago[..., None, None], _BEHIND, 0.0)[..., None]
        paint = (1 - behind) * self.colours[:, None, None] + behind * np.array(self.palette.thrown)
        width = np.where(leg >= 0, _LINE_RADIUS * self.palette.line_scale, 0.0)[..., None]
        rows = cones(points[..., :-1, :], width, points[..., 1:, :], width, paint, _GLOSS)
        rows = rows.reshape(len(times), -1, Cone.WIDTH)
        return rows[:, rows[0, :, Cone.START_RADIUS] > 0] if len(times) == 1 else rows

    @cached_property
    def _numbers(self) -> Integers:
        """Indices of the legs of each flight, shape (flights, most legs), −1 for none."""
        legs = self.motion.flight_paths.parabolas
        counts = np.bincount(legs.flight, minlength=1)
        numbers = np.full((len(legs.first), counts.max(initial=1)), -1)
        rows = np.arange(len(legs.flight))
        numbers[legs.flight, rows - legs.first[legs.flight]] = rows
        return numbers

    @cached_property
    def _bends(self) -> int:
        arcs = max(self.motion.choreography.props * self._numbers.shape[1], 1)
        return max(_FEWEST, min(_TUBES_OF_AN_ARC, _MOST_OF_ARCS // arcs))

    @cached_property
    def _points(self) -> Floats:
        """Points along each leg, shape (legs, bends + 1, 3), [m]."""
        return np.moveaxis(_leg_points(self.motion.flight_paths, self._bends), 0, 1)

    @cached_property
    def _begun(self) -> Floats:
        """Time from its throw until a prop comes to each tube, shape (legs, bends), [s]."""
        legs = self.motion.flight_paths.parabolas
        return legs.since[:, None] + legs.lasts[:, None] * (np.arange(self._bends) / self._bends)


def _leg_points(flying: FlightPaths, bends: int) -> Floats:
    """Return points along every leg of every flight, shape (bends + 1, legs, 3), [m]."""
    legs = flying.parabolas
    time = np.linspace(0.0, legs.lasts, bends + 1)[..., None]
    fall = legs.gravity[:, None] * (0.0, 0.5, 0.0)
    points: Floats = legs.position + legs.velocity * time - fall * time**2
    return points
