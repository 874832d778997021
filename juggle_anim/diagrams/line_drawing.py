"""Line drawings of a scene: the outlines of limbs and props as polygons, drawn from the back to the
front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.diagrams.body_outlines import NEAREST, pieced_skin
from juggle_anim.diagrams.drawing import PRINT_INK, Colour, Drawing, Polygon
from juggle_anim.errors import printable
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.aids import GHOST_COLOUR as GHOST
from juggle_anim.scene.figure import LIMBS
from juggle_anim.scene.props import PARTS
from juggle_anim.scene.scene import Cone, Ring, Sphere
from juggle_anim.scene.skin import COVERS, load_skin

WIDTH = 180.0
"""Width of the sheet, [mm]."""

Outline = tuple[Floats, ...]

_PALE = 0.72
_PALE_HAIR = 0.35
_HAIR = COVERS.index("hair")
_FINGER = 0.011
_LINES = (0.15, 0.5)

# With three directions for each corner of a ball no corner is left out, and outlines are exact to 3
# ‰ of a radius, even where a wide field of view stretches them.
_AROUND = 60
_DIRECTIONS = 180

_AT_ONCE = 256


def figure_lines(scene: Scene, jugglers: int, aspect: float, title: str = "") -> Drawing:
    """Return a line drawing of a scene, in which nearer items cover those behind them.

    Args:
        scene: items and camera.
        jugglers: their number.
        aspect: width of the sheet over its height.
        title: of the drawing.
    """
    paper = PaperProjection(scene.camera, WIDTH, WIDTH / aspect)
    items = sorted(_items(scene, jugglers, paper), key=lambda item: -item.depth)
    line = _line_width(items, paper)
    marks = [mark for item in items for layer in item.layers for mark in layer.marks(line)]
    ghosts = [
        Polygon((each,), None, GHOST, line) for each in _outlines(paper, scene.ghosts.astype(float))
    ]
    return Drawing(WIDTH, WIDTH / aspect, (*marks, *ghosts), printable(title, 70))


@dataclass(frozen=True)
class _Layer:
    """Parts with one outline around all of them.

    Args:
        parts: outlines of each, [mm].
        fills: colour of each.
        outlined: whether the outline is drawn.
        folds: open lines within, [mm].
    """

    parts: list[Outline]
    fills: list[Colour]
    outlined: bool = True
    folds: Outline = ()

    def marks(self, line: float) -> Iterator[Polygon]:
        """Lines of double width first, whose inner halves the fills cover."""
        if self.outlined:
            yield from (Polygon(part, None, PRINT_INK, 2 * line) for part in self.parts)
        yield from (Polygon(part, fill) for part, fill in zip(self.parts, self.fills, strict=True))
        if self.folds:
            yield Polygon(self.folds, None, PRINT_INK, line, closed=False)


@dataclass(frozen=True)
class _Item:
    """Something drawn as a whole: its depth [m], and its layers from the back to the front."""

    depth: float
    layers: list[_Layer]


def _items(scene: Scene, jugglers: int, paper: PaperProjection) -> Iterator[_Item]:
    if len(scene.bodies):
        yield from _bodies(scene, paper)
    else:
        yield from _limbs(scene, jugglers, paper)
    cones = _Cones(paper, scene.capsules.astype(float))
    standing = range(scene.limb_count, len(scene.capsules) - scene.club_parts)
    if standing:
        yield _Item(cones.depth(standing), [cones.layer(standing)])
    for first in range(len(scene.capsules) - scene.club_parts, len(scene.capsules), PARTS):
        # The top of a club is drawn before the body, which covers the lower part of it.
        parts = [first + PARTS - 1, *range(first, first + PARTS - 1)]
        yield _Item(cones.depth(parts), [cones.layer(parts)])
    balls = scene.spheres.astype(float)
    seen = paper.to_camera(balls[:, Sphere.CENTRE])
    for outline, row, depth in zip(
        paper.balls(seen, balls[:, Sphere.RADIUS]), balls, -seen[:, 2], strict=True
    ):
        yield _Item(float(depth), [_Layer([(outline,)], [_colour(row[Sphere.COLOUR])])])
    yield from _rings(scene.rings.astype(float), paper)
    for row in scene.boxes.astype(float):
        yield _box(row, paper)


class _Cones:
    """The outlines, colours and depths of round cones."""

    def __init__(self, paper: PaperProjection, rows: Floats) -> None:
        self._outlines = _outlines(paper, rows)
        self._colours = rows[:, Cone.COLOUR]
        self._depths = -paper.to_camera((rows[:, Cone.START] + rows[:, Cone.END]) / 2)[:, 2]

    def depth(self, parts: Sequence[int]) -> float:
        """Return the mean depth of some of them, [m]."""
        return float(self._depths[list(parts)].mean())

    def layer(self, parts: Sequence[int], pale: float = 0.0, outlined: bool = True) -> _Layer:
        """Return a layer of some of them, mixed with a share of white."""
        fills = [_colour(self._colours[part], pale) for part in parts]
        return _Layer(
            [(_without_repeats(self._outlines[part]),) for part in parts], fills, outlined
        )


def _limbs(scene: Scene, jugglers: int, paper: PaperProjection) -> Iterator[_Item]:
    """Figures of round limbs."""
    limbs = np.concatenate([scene.capsules[: scene.limb_count], scene.see_through]).astype(float)
    cones = _Cones(paper, limbs)
    each = len(limbs) // max(jugglers, 1)
    for first in range(0, jugglers * each, max(each, 1)):
        if each == len(LIMBS):
            yield from _figure(cones, first)
        else:
            sticks = range(first, first + each)
            yield _Item(cones.depth(sticks), [cones.layer(sticks)])


def _figure(cones: _Cones, first: int) -> Iterator[_Item]:
    """A juggler whose limbs begin at an index."""
    trunk, hips, legs, others = (
        [[first + each for each in part] for part in kind] for kind in _PARTS
    )
    for part in trunk + others:
        yield _Item(cones.depth(part), [cones.layer(part, _PALE)])
    far, near = sorted(legs, key=cones.depth, reverse=True)
    # No line shows between the hips and the legs, but the near leg has its line where it covers the
    # far one.
    layers = [
        cones.layer(hips[0] + far, _PALE),
        cones.layer(near, _PALE),
        cones.layer(hips[0], _PALE, outlined=False),
    ]
    yield _Item(cones.depth([*hips[0], *far, *near]), layers)


def _bodies(scene: Scene, paper: PaperProjection) -> Iterator[_Item]:
    """Smooth bodies."""
    bones = load_skin().skeleton.transforms(scene.bodies, scene.gaze, scene.girths)
    paints = scene.paint.astype(float)
    for joints, carrying, paint, hair in zip(
        scene.bodies, bones, paints, scene.hair.tolist(), strict=True
    ):
        distance = paper.parallel_distance or max(
            -float(paper.to_camera(joints[Joint.PELVIS])[2]), NEAREST
        )
        skin = pieced_skin(paper.scale / distance, hair)
        seen = paper.to_camera(skin.level.carried(carrying))
        depths = -seen[:, 2]
        seen[:, 2] = np.minimum(seen[:, 2], -NEAREST)
        for piece in skin.seen(paper.to_paper(seen), depths):
            fill = _colour(paint[piece.cover, :3], _PALE_HAIR if piece.cover == _HAIR else _PALE)
            layers = (
                _Layer([piece.outlines], [fill], folds=piece.folds),
                _Layer([piece.specks], [fill], outlined=False),
            )
            yield _Item(piece.depth, [layer for layer in layers if layer.parts[0]])


def _figure_parts() -> tuple[list[list[int]], ...]:
    """The limbs that are drawn as one: the trunk, the hips, the legs, and all others."""
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


def _rings(rows: Floats, paper: PaperProjection) -> Iterator[_Item]:
    turn = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)
    for row in rows:
        normal = row[Ring.AXIS]
        up = np.array([0.0, 1.0, 0.0])  # rings stand upright
        circle = np.cos(turn)[:, None] * up + np.sin(turn)[:, None] * np.cross(normal, up)
        outer, inner = (
            paper.to_paper(paper.to_camera(row[Ring.CENTRE] + radius * circle))
            for radius in (row[Ring.RADIUS], row[Ring.HOLE])
        )
        layer = _Layer([(outer, inner[::-1])], [_colour(row[Ring.COLOUR])])
        yield _Item(-float(paper.to_camera(row[Ring.CENTRE])[2]), [layer])


def _box(row: Floats, paper: PaperProjection) -> _Item:
    """The faces of a cube that are turned to the camera."""
    centre = row[Sphere.CENTRE]
    half = row[Sphere.RADIUS]
    axes = np.eye(3)
    layers = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            first = axes[(axis + 1) % 3]
            second = axes[(axis + 2) % 3]
            corners = [first * a + second * b for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            face = paper.to_camera(centre + half * (side * axes[axis] + np.array(corners)))
            ahead = paper.to_camera(centre + side * axes[axis]) - paper.to_camera(centre)
            if ahead @ paper.sight_lines(face[0]) < 0:
                layers.append(_Layer([(paper.to_paper(face),)], [_colour(row[Sphere.COLOUR])]))
    return _Item(-float(paper.to_camera(centre)[2]), layers)


def _outlines(paper: PaperProjection, rows: Floats) -> Floats:
    starts = paper.to_camera(rows[:, Cone.START])
    ends = paper.to_camera(rows[:, Cone.END])
    return paper.round_cones(starts, rows[:, Cone.START_RADIUS], ends, rows[:, Cone.END_RADIUS])


def _without_repeats(outline: Floats) -> Floats:
    """An outline in which no corner follows itself."""
    return outline[(outline != np.roll(outline, 1, axis=0)).any(axis=1)]


def _colour(colour: Floats, pale: float = 0.0) -> Colour:
    red, green, blue = (colour * (1 - pale) + pale).tolist()
    return red, green, blue


def _line_width(items: list[_Item], paper: PaperProjection) -> float:
    """The width of a finger at the median depth, within limits, [mm]."""
    depth = float(np.median([item.depth for item in items])) if items else 1.0
    return float(np.clip(_FINGER * paper.scale / (paper.parallel_distance or depth), *_LINES))


class PaperProjection:
    """Projection of the world onto a sheet of paper.

    Args:
        camera: from where it is seen.
        width, height: of the paper, [mm].
    """

    def __init__(self, camera: Camera, width: float, height: float) -> None:
        self._view = camera.view()
        self._middle = np.array([width / 2, height / 2])
        self.scale = height / 2 / float(np.tan(camera.field_of_view / 2))
        """Size on paper of 1 m at a distance of 1 m, [mm]."""
        self.parallel_distance = camera.distance if camera.orthographic else 0.0
        """For an orthographic camera, the distance at which perspective has the same scale, [m]; 0
        for perspective.
        """

    def to_camera(self, points: Floats) -> Floats:
        """Return points of the world in camera axes (right, up, back), same shape (…, 3), [m]."""
        turned: Floats = points @ self._view[:3, :3].T + self._view[:3, 3]
        return turned

    def sight_lines(self, seen: Floats) -> Floats:
        """Return the directions from the camera to points in its axes, same shape (…, 3)."""
        return np.broadcast_to((0.0, 0.0, -1.0), seen.shape) if self.parallel_distance else seen

    def to_paper(self, seen: Floats) -> Floats:
        """Return places on the paper of points in camera axes, shape (…, 2), [mm]."""
        flat: Floats = self._middle + self.scale * seen[..., :2] * (1.0, -1.0) / (
            self.parallel_distance or -seen[..., 2:]
        )
        return flat

    def balls(self, centres: Floats, radii: Floats) -> Floats:
        """Return outlines of balls, shape (N, corners, 2), [mm].

        Lines of sight that touch a ball do so on a circle: seen from a distance d, it is nearer by
        r²/d, and its radius is r·√(1 − r²/d²).

        Args:
            centres: shape (N, 3), in the axes of the camera, [m].
            radii: shape (N,), [m].
        """
        turn = np.linspace(0.0, 2 * np.pi, _AROUND, endpoint=False)
        if self.parallel_distance:
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

    def round_cones(
        self, starts: Floats, start_radii: Floats, ends: Floats, end_radii: Floats
    ) -> Floats:
        """Return outlines of round cones, shape (N, corners, 2), [mm].

        A round cone is the convex hull of the balls at its ends, so its outline is the hull of
        theirs. The corners of the hull are the farthest points in many directions.

        Args:
            starts, ends: shape (N, 3), in the axes of the camera, [m].
            start_radii, end_radii: shape (N,), [m].
        """
        both = np.concatenate(
            [self.balls(starts, start_radii), self.balls(ends, end_radii)], axis=1
        )
        turn = np.linspace(0.0, 2 * np.pi, _DIRECTIONS, endpoint=False)
        normals = np.stack([np.cos(turn), np.sin(turn)])
        hull = np.empty((len(both), _DIRECTIONS, 2))
        for first in range(0, len(both), _AT_ONCE):  # so that a hundred people fit in memory
            some = slice(first, first + _AT_ONCE)
            farthest = (both[some] @ normals).argmax(axis=1)
            hull[some] = np.take_along_axis(both[some], farthest[..., None], axis=1)
        return hull
