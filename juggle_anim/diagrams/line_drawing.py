"""The figure in lines: one moment of an animation, drawn from the back to the front.

MERGED: Silhouettes: the outlines of round things as a camera sees them, exact but for the number of their corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.diagrams.drawing import Colour, Drawing, Polygon
from juggle_anim.diagrams.nodes import PRINT_INK
from juggle_anim.errors import printable
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.aids import GHOST_COLOUR as GHOST
from juggle_anim.scene.limbs import LIMBS
from juggle_anim.scene.props import PARTS
from juggle_anim.scene.rows import Cone, Ring, Sphere

WIDTH = 180.0
"""Of the sheet, [mm]."""

Outline = tuple[Floats, ...]

_PALE = 0.72

_FINGER, _LINES = 0.011, (0.15, 0.5)

# With three directions to each corner of a ball none is left out, and outlines are exact to 3 ‰ of a radius, also
# where a wide lens stretches them.
_AROUND, _DIRECTIONS = 60, 180

_AT_ONCE = 256


def figure_lines(scene: Scene, jugglers: int, aspect: float, title: str = "") -> Drawing:
    """A line drawing of a scene; what is nearer covers what is behind it.

    Args:
        scene: what is seen, and from where.
        jugglers: how many there are.
        aspect: width of the sheet over its height.
        title: what it shows.
    """
    lens = PaperProjection(scene.camera, WIDTH, WIDTH / aspect)
    things = sorted(_items(scene, jugglers, lens), key=lambda thing: -thing.depth)
    line = _line(things, lens)
    marks = [mark for thing in things for layer in thing.layers for mark in layer.marks(line)]
    ghosts = [Polygon((each,), None, GHOST, line) for each in _outlines(lens, scene.ghosts.astype(float))]
    return Drawing(WIDTH, WIDTH / aspect, (*marks, *ghosts), printable(title, 70))


@dataclass(frozen=True)
class _Layer:
    """Parts of which only the outline around all of them is seen.

    Args:
        parts: outlines of each, [mm].
        fills: of each.
        outlined: whether there is a line around them.
    """

    parts: list[Outline]
    fills: list[Colour]
    outlined: bool = True

    def marks(self, line: float) -> Iterator[Polygon]:
        """Half of each line lies within, and is covered again."""
        if self.outlined:
            yield from (Polygon(part, None, PRINT_INK, 2 * line) for part in self.parts)
        yield from (Polygon(part, fill) for part, fill in zip(self.parts, self.fills, strict=True))


@dataclass(frozen=True)
class _Item:
    """What is as far away as a whole: its depth [m], and its layers from the back to the front."""

    depth: float
    layers: list[_Layer]


def _items(scene: Scene, jugglers: int, lens: PaperProjection) -> Iterator[_Item]:
    rows = scene.capsules.astype(float)
    cones = _Cones(lens, rows)
    for juggler in range(jugglers):
        yield from _figure(cones, juggler * len(LIMBS))
    for first in range(jugglers * len(LIMBS), len(rows), PARTS):
        # The top is put on before the belly, out of which it stands.
        parts = [first + PARTS - 1, *range(first, first + PARTS - 1)]
        yield _Item(cones.depth(parts), [cones.layer(parts)])
    balls = scene.spheres.astype(float)
    seen = lens.to_camera(balls[:, Sphere.CENTRE])
    for outline, row, depth in zip(lens.balls(seen, balls[:, Sphere.RADIUS]), balls, -seen[:, 2], strict=True):
        yield _Item(float(depth), [_Layer([(outline,)], [_colour(row[Sphere.COLOUR])])])
    yield from _rings(scene.rings.astype(float), lens)
    for row in scene.boxes.astype(float):
        yield _box(row, lens)


class _Cones:
    """Round cones by their numbers."""

    def __init__(self, lens: PaperProjection, rows: Floats) -> None:
        self._outlines, self._colours = _outlines(lens, rows), rows[:, Cone.COLOUR]
        self._depths = -lens.to_camera((rows[:, Cone.START] + rows[:, Cone.END]) / 2)[:, 2]

    def depth(self, parts: Sequence[int]) -> float:
        """How far some of them are in the mean, [m]."""
        return float(self._depths[list(parts)].mean())

    def layer(self, parts: Sequence[int], pale: float = 0.0, outlined: bool = True) -> _Layer:
        """Some of them, paler than they are."""
        fills = [_colour(self._colours[part], pale) for part in parts]
        return _Layer([(_without_repeats(self._outlines[part]),) for part in parts], fills, outlined)


def _figure(cones: _Cones, first: int) -> Iterator[_Item]:
    """A person, whose limbs begin at a number."""
    trunk, hips, legs, others = ([[first + each for each in part] for part in kind] for kind in _PARTS)
    for part in trunk + others:
        yield _Item(cones.depth(part), [cones.layer(part, _PALE)])
    far, near = sorted(legs, key=cones.depth, reverse=True)
    # No seam shows between the hips and either leg, but the near leg's edge before the far one does.
    layers = [cones.layer(hips[0] + far, _PALE), cones.layer(near, _PALE), cones.layer(hips[0], _PALE, outlined=False)]
    yield _Item(cones.depth([*hips[0], *far, *near]), layers)


def _figure_parts() -> tuple[list[list[int]], ...]:
    """Which limbs are drawn as one: the trunk, the hips, the legs, and all else."""
    runs = [
        (cover, [number for number, _ in run])
        for cover, run in groupby(enumerate(LIMBS), key=lambda numbered: numbered[1].cover)
    ]
    trousers = [run for cover, run in runs if cover == "trousers"]
    head = next(run[0] for cover, run in runs if cover == "skin")
    trunk = [number for cover, run in runs for number in run if cover == "shirt" and number < head]
    others = [run for cover, run in runs if cover != "trousers" and run[0] >= head]
    return [trunk], trousers[:1], trousers[1:], others


_PARTS = _figure_parts()


def _rings(rows: Floats, lens: PaperProjection) -> Iterator[_Item]:
    turn = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)
    for row in rows:
        normal = row[Ring.AXIS]
        up = np.array([0.0, 1.0, 0.0])  # rings stand upright
        circle = np.cos(turn)[:, None] * up + np.sin(turn)[:, None] * np.cross(normal, up)
        outer, inner = (
            lens.to_paper(lens.to_camera(row[Ring.CENTRE] + radius * circle))
            for radius in (row[Ring.RADIUS], row[Ring.HOLE])
        )
        layer = _Layer([(outer, inner[::-1])], [_colour(row[Ring.COLOUR])])
        yield _Item(-float(lens.to_camera(row[Ring.CENTRE])[2]), [layer])


def _box(row: Floats, lens: PaperProjection) -> _Item:
    """A cube by the faces that are turned to the camera."""
    centre, half = row[Sphere.CENTRE], row[Sphere.RADIUS]
    axes = np.eye(3)
    layers = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            first, second = axes[(axis + 1) % 3], axes[(axis + 2) % 3]
            corners = [first * a + second * b for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            face = lens.to_camera(centre + half * (side * axes[axis] + np.array(corners)))
            ahead = lens.to_camera(centre + side * axes[axis]) - lens.to_camera(centre)
            if ahead @ lens.sight_lines(face[0]) < 0:
                layers.append(_Layer([(lens.to_paper(face),)], [_colour(row[Sphere.COLOUR])]))
    return _Item(-float(lens.to_camera(centre)[2]), layers)


def _outlines(lens: PaperProjection, rows: Floats) -> Floats:
    starts, ends = lens.to_camera(rows[:, Cone.START]), lens.to_camera(rows[:, Cone.END])
    return lens.round_cones(starts, rows[:, Cone.START_RADIUS], ends, rows[:, Cone.END_RADIUS])


def _without_repeats(outline: Floats) -> Floats:
    """A corner that is the farthest point in several directions once."""
    return outline[(outline != np.roll(outline, 1, axis=0)).any(axis=1)]


def _colour(colour: Floats, pale: float = 0.0) -> Colour:
    red, green, blue = (colour * (1 - pale) + pale).tolist()
    return red, green, blue


def _line(things: list[_Item], lens: PaperProjection) -> float:
    """As thick as a finger of a person in the middle, within reason, [mm]."""
    depth = float(np.median([thing.depth for thing in things])) if things else 1.0
    return float(np.clip(_FINGER * lens.scale / (lens.flat or depth), *_LINES))


class PaperProjection:
    """A camera with a sheet of paper.

    Args:
        camera: where it stands.
        width, height: of the paper, [mm].
    """

    def __init__(self, camera: Camera, width: float, height: float) -> None:
        self._view = camera.view()
        self._middle = np.array([width / 2, height / 2])
        self.scale = height / 2 / float(np.tan(camera.field_of_view / 2))
        """How large something of 1 m is at 1 m, [mm]."""
        self.flat = camera.distance if camera.orthographic else 0.0
        """How far away things are that are drawn as large by parallel lines of sight, [m]; 0 where these meet."""

    def to_camera(self, points: Floats) -> Floats:
        """Points of the world [m] in the axes of the camera: right, up and back, same shape (…, 3)."""
        turned: Floats = points @ self._view[:3, :3].T + self._view[:3, 3]
        return turned

    def sight_lines(self, seen: Floats) -> Floats:
        """Which way points are looked at that the camera sees, in its axes, same shape (…, 3)."""
        return np.broadcast_to((0.0, 0.0, -1.0), seen.shape) if self.flat else seen

    def to_paper(self, seen: Floats) -> Floats:
        """Where points that the camera sees lie on the paper, shape (…, 2), [mm]."""
        flat: Floats = self._middle + self.scale * seen[..., :2] * (1.0, -1.0) / (self.flat or -seen[..., 2:])
        return flat

    def balls(self, centres: Floats, radii: Floats) -> Floats:
        """Outlines of balls, shape (N, corners, 2), [mm].

        Lines of sight that touch a ball do so on a circle: seen from a distance d, it is nearer by r²/d, and its radius
        is r·√(1 − r²/d²).

        Args:
            centres: shape (N, 3), in the axes of the camera, [m].
            radii: shape (N,), [m].
        """
        turn = np.linspace(0.0, 2 * np.pi, _AROUND, endpoint=False)
        if self.flat:
            round_it = np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=-1)
            return self.to_paper(centres[:, None] + radii[:, None, None] * round_it)
        share = np.minimum(radii**2 / (centres**2).sum(axis=1), 1.0)[:, None]
        across = np.cross(centres, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        up = np.cross(across, centres)
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        rim = np.cos(turn)[:, None] * across[:, None] + np.sin(turn)[:, None] * up[:, None]
        reach = radii[:, None] * np.sqrt(1 - share)
        return self.to_paper((centres * (1 - share))[:, None] + reach[:, None] * rim)

    def round_cones(self, starts: Floats, start_radii: Floats, ends: Floats, end_radii: Floats) -> Floats:
        """Outlines of round cones, shape (N, corners, 2), [mm].

        A round cone is the hull of the balls at its ends, so its outline is the hull of theirs; the hull's corners are
        the farthest points in many directions.

        Args:
            starts, ends: shape (N, 3), in the axes of the camera, [m].
            start_radii, end_radii: shape (N,), [m].
        """
        both = np.concatenate([self.balls(starts, start_radii), self.balls(ends, end_radii)], axis=1)
        turn = np.linspace(0.0, 2 * np.pi, _DIRECTIONS, endpoint=False)
        normals = np.stack([np.cos(turn), np.sin(turn)])
        hull = np.empty((len(both), _DIRECTIONS, 2))
        for first in range(0, len(both), _AT_ONCE):  # so that a hundred people fit in memory
            some = slice(first, first + _AT_ONCE)
            farthest = (both[some] @ normals).argmax(axis=1)
            hull[some] = np.take_along_axis(both[some], farthest[..., None], axis=1)
        return hull
