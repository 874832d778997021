"""Line drawings of a scene: the outlines of limbs and props as polygons, drawn from the back to the
front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import HEIGHT
from juggle_anim.diagrams.drawing import PRINT_INK, Colour, Drawing, Polygon
from juggle_anim.errors import printable
from juggle_anim.scene import Camera, Scene
from juggle_anim.scene.aids import GHOST_COLOUR as GHOST
from juggle_anim.scene.figure import LIMBS
from juggle_anim.scene.props import PARTS
from juggle_anim.scene.scene import Cone, Ring, Sphere
from juggle_anim.scene.skin import COVERS, NAMES, UNIT, SkinLevel, load_skin
from juggle_anim.vectors import cross, unit

WIDTH = 180.0
"""Width of the sheet, [mm]."""

Outline = tuple[Floats, ...]

_PALENESS = 0.72  # share of white in the colours of bodies
_HAIR_PALENESS = 0.35
_HAIR = COVERS.index("hair")
_FINGER_WIDTH = 0.011  # m
_LINE_WIDTH_LIMITS = (0.15, 0.5)  # mm

# With three directions for each corner of a ball no corner is left out, and outlines are exact to 3
# ‰ of a radius, even where a wide field of view stretches them.
_BALL_CORNERS = 60
_HULL_DIRECTIONS = 180

_CONES_AT_ONCE = 256


def figure_lines(scene: Scene, jugglers: int, aspect: float, title: str = "") -> Drawing:
    """Line drawing of a scene, in which nearer items cover those behind them.

    Args:
        scene: items and camera.
        jugglers: their number.
        aspect: width of the sheet over its height.
        title: of the drawing.
    """
    paper = PaperProjection(scene.camera, WIDTH, WIDTH / aspect)
    # Painter's algorithm: the farthest item first. Ghosts are outlines on top of all.
    items = sorted(_items(scene, jugglers, paper), key=lambda item: -item.depth)
    line = _line_width(items, paper)
    marks = [mark for item in items for layer in item.layers for mark in layer.marks(line)]
    ghosts = [
        Polygon((outline,), None, GHOST, line)
        for outline in _cone_outlines(paper, scene.ghosts.astype(float))
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
        """Yield the polygons of the layer, for an outline of a width in mm.

        Lines of double width come first; the fills cover their inner halves, and all lines between
        the parts.
        """
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
    """Yield all items of a scene but its ghosts, in any order.

    Args:
        scene: its `capsules` hold limbs, then standing things, then parts of clubs.
        jugglers: their number.
        paper: projection of the world.
    """
    # Jugglers: smooth bodies, or limbs.
    if len(scene.bodies):
        yield from _bodies(scene, paper)
    else:
        yield from _limbs(scene, jugglers, paper)

    # Round cones that are no limbs: one item of all that stands there, and one for each club.
    cones = _Cones(paper, scene.capsules.astype(float))
    standing = range(scene.limb_count, len(scene.capsules) - scene.club_parts)
    if standing:
        yield _Item(cones.depth(standing), [cones.layer(standing)])
    for first in range(len(scene.capsules) - scene.club_parts, len(scene.capsules), PARTS):
        # The top of a club is drawn before the body, which covers the lower part of it.
        parts = [first + PARTS - 1, *range(first, first + PARTS - 1)]
        yield _Item(cones.depth(parts), [cones.layer(parts)])

    # Balls, rings and boxes.
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
        self._cone_outlines = _cone_outlines(paper, rows)
        self._colours = rows[:, Cone.COLOUR]
        self._depths = -paper.to_camera((rows[:, Cone.START] + rows[:, Cone.END]) / 2)[:, 2]

    def depth(self, parts: Sequence[int]) -> float:
        """Mean distance of some cones from the camera, along its axis, [m]."""
        return float(self._depths[list(parts)].mean())

    def layer(self, parts: Sequence[int], pale: float = 0.0, outlined: bool = True) -> _Layer:
        """Layer of some cones.

        Args:
            parts: their row indices.
            pale: share of white in their colours.
            outlined: whether there is a line around them.
        """
        fills = [_colour(self._colours[part], pale) for part in parts]
        return _Layer(
            [(_without_repeats(self._cone_outlines[part]),) for part in parts], fills, outlined
        )


def _limbs(scene: Scene, jugglers: int, paper: PaperProjection) -> Iterator[_Item]:
    """Yield jugglers made of round limbs: full figures, or stick figures as one item each."""
    limbs = np.concatenate([scene.capsules[: scene.limb_count], scene.see_through]).astype(float)
    cones = _Cones(paper, limbs)
    # All jugglers have equally many limbs; of a full figure the number is known.
    limbs_per_juggler = len(limbs) // max(jugglers, 1)
    for first in range(0, jugglers * limbs_per_juggler, max(limbs_per_juggler, 1)):
        if limbs_per_juggler == len(LIMBS):
            yield from _figure(cones, first)
        else:
            sticks = range(first, first + limbs_per_juggler)
            yield _Item(cones.depth(sticks), [cones.layer(sticks)])


def _figure(cones: _Cones, first: int) -> Iterator[_Item]:
    """Yield the items of a full figure, whose limbs are the cones from index `first` on."""
    trunk, hips, legs, others = (
        [[first + limb for limb in part] for part in kind] for kind in _PARTS
    )
    for part in trunk + others:
        yield _Item(cones.depth(part), [cones.layer(part, _PALENESS)])
    far, near = sorted(legs, key=cones.depth, reverse=True)
    # No line shows between the hips and the legs, but the near leg has its line where it covers the
    # far one.
    layers = [
        cones.layer(hips[0] + far, _PALENESS),
        cones.layer(near, _PALENESS),
        cones.layer(hips[0], _PALENESS, outlined=False),
    ]
    yield _Item(cones.depth([*hips[0], *far, *near]), layers)


def _bodies(scene: Scene, paper: PaperProjection) -> Iterator[_Item]:
    """Yield smooth bodies, piece by piece."""
    bones = load_skin().skeleton.transforms(scene.bodies, scene.gaze, scene.girths)
    paints = scene.paint.astype(float)
    for joints, transforms, paint, hair in zip(
        scene.bodies, bones, paints, scene.hair.tolist(), strict=True
    ):
        # As much detail as shows at the distance of the pelvis.
        distance = paper.parallel_distance or max(
            -float(paper.to_camera(joints[Joint.PELVIS])[2]), NEAREST
        )
        skin = pieced_skin(paper.scale / distance, hair)
        seen = paper.to_camera(skin.level.carried(transforms))
        depths = -seen[:, 2]
        # Points behind the camera cannot be projected; their triangles are left out by depth.
        seen[:, 2] = np.minimum(seen[:, 2], -NEAREST)
        for piece in skin.seen(paper.to_paper(seen), depths):
            fill = _colour(
                paint[piece.cover, :3], _HAIR_PALENESS if piece.cover == _HAIR else _PALENESS
            )
            # Specks are too small for a line around them.
            layers = (
                _Layer([piece.outlines], [fill], folds=piece.folds),
                _Layer([piece.specks], [fill], outlined=False),
            )
            yield _Item(piece.depth, [layer for layer in layers if layer.parts[0]])


def _figure_parts() -> tuple[list[list[int]], ...]:
    """Groups of limbs that are drawn as one part each: of trunk, hips, legs, and all others.

    A part is a list of indices into `LIMBS`.
    """
    # Runs of limbs with the same cover: the first trousers are the hips, then come the legs. The
    # head is the first skin; shirt before it is the trunk, and after it the arms.
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
    """Yield rings as flat discs with a hole; `rows` are laid out as `Ring`."""
    angles = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)
    for row in rows:
        normal = row[Ring.AXIS]
        # Rings stand upright, so up is in their plane.
        up = np.array([0.0, 1.0, 0.0])
        circle = np.cos(angles)[:, None] * up + np.sin(angles)[:, None] * np.cross(normal, up)
        outer, inner = (
            paper.to_paper(paper.to_camera(row[Ring.CENTRE] + radius * circle))
            for radius in (row[Ring.RADIUS], row[Ring.HOLE])
        )
        # In the opposite direction, the inner outline is a hole.
        layer = _Layer([(outer, inner[::-1])], [_colour(row[Ring.COLOUR])])
        yield _Item(-float(paper.to_camera(row[Ring.CENTRE])[2]), [layer])


def _box(row: Floats, paper: PaperProjection) -> _Item:
    """The faces of a cube that are turned to the camera; `row` is laid out as `Sphere`."""
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
            # The normal of the face in camera axes. It must point against the line of sight.
            normal = paper.to_camera(centre + side * axes[axis]) - paper.to_camera(centre)
            if normal @ paper.sight_lines(face[0]) < 0:
                layers.append(_Layer([(paper.to_paper(face),)], [_colour(row[Sphere.COLOUR])]))
    return _Item(-float(paper.to_camera(centre)[2]), layers)


def _cone_outlines(paper: PaperProjection, rows: Floats) -> Floats:
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
    return float(
        np.clip(
            _FINGER_WIDTH * paper.scale / (paper.parallel_distance or depth), *_LINE_WIDTH_LIMITS
        )
    )


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
        """Places on the paper of points in camera axes, right and down, shape (…, 2), [mm]."""
        # The camera looks along its negative third axis; its second one is up, the paper's down.
        flat: Floats = self._middle + self.scale * seen[..., :2] * (1.0, -1.0) / (
            self.parallel_distance or -seen[..., 2:]
        )
        return flat

    def balls(self, centres: Floats, radii: Floats) -> Floats:
        """Outlines of balls on the paper, shape (N, corners, 2), [mm].

        Lines of sight that touch a ball do so on a circle: seen from a distance d, it is nearer by
        r²/d, and its radius is r·√(1 − r²/d²).

        Args:
            centres: shape (N, 3), in the axes of the camera, [m].
            radii: shape (N,), [m].
        """
        angles = np.linspace(0.0, 2 * np.pi, _BALL_CORNERS, endpoint=False)
        if self.parallel_distance:
            circle = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=-1)
            return self.to_paper(centres[:, None] + radii[:, None, None] * circle)
        # (r/d)², at most 1 for a camera inside a ball.
        share = np.minimum(radii**2 / (centres**2).sum(axis=1), 1.0)[:, None]
        # Two unit vectors at right angles to the line of sight to the centre, which the circle of
        # touching points turns about.
        across = np.cross(centres, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        up = np.cross(across, centres)
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        rim = np.cos(angles)[:, None] * across[:, None] + np.sin(angles)[:, None] * up[:, None]
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
        turn = np.linspace(0.0, 2 * np.pi, _HULL_DIRECTIONS, endpoint=False)
        normals = np.stack([np.cos(turn), np.sin(turn)])
        hull = np.empty((len(both), _HULL_DIRECTIONS, 2))
        for first in range(0, len(both), _CONES_AT_ONCE):  # so that a hundred people fit in memory
            some = slice(first, first + _CONES_AT_ONCE)
            farthest = (both[some] @ normals).argmax(axis=1)
            hull[some] = np.take_along_axis(both[some], farthest[..., None], axis=1)
        return hull


_Outlines = tuple[Floats, ...]

_FROM = 40.0, 10.0  # scales of the finest and the middle level of detail, [mm on paper per metre]

NEAREST = 0.02
"""What is nearer to the camera is not drawn, [m]."""

_SIDES = "left", "right"
_IN_PAIRS = "skin", "shoes", "soles"  # left and right are pieces of their own
_ON_HEAD = "hair", "eyes", "irises", "pupils", "lips"
_HEAD = "shirt", "skin", *_ON_HEAD  # each of which covers those before it

# a line is drawn within a piece where so much lies between its nearer and its farther part, [m]
_DEEP = 0.012
_OUTSIDE = (
    0.005  # how far outside of a line that is looked for, as a share of a body's size on paper
)
_BESIDE_BORDER = 0.002  # what is so little nearer than a line lies beside it, [m]
_CELL = 0.015  # of a grid on which pieces are compared, as a share of a body's size on paper
_CLEARLY = 0.01  # whatever is nearer by more than this is as near, [m]
_SURELY = 1e6
# shorter lines are not drawn within or around a piece, as shares of a body's size on paper
_SHORT = 0.012
_SPECK = 0.08
_SKIN_PIECES_AT_ONCE = 500_000


@dataclass(frozen=True)
class Piece:
    """A piece of a body as it is seen.

    Args:
        cover: its number in `skin.COVERS`.
        depth: from the camera, [m]; never less than that of a piece which is drawn later.
        outlines: of what faces the camera, around holes in the other direction, each of shape (N,
            2), [mm].
        specks: likewise, but too small for a line around them.
        folds: open lines within, where a nearer part of it ends before a farther one, [mm].
    """

    cover: int
    depth: float
    outlines: _Outlines
    specks: _Outlines
    folds: _Outlines


class PiecedSkin:
    """A level of detail of the skin, cut into pieces; what is within clothes is cut away.

    Args:
        level: the level of detail.
    """

    def __init__(self, level: SkinLevel) -> None:
        self.level = level
        _, places = np.unique(level.points, axis=0, return_inverse=True)
        self._cut = cut = cut_skin(
            level.triangles.astype(np.intp), cutting_values(level), places.ravel()
        )
        self._collar = Collar.of(level)
        first = level.triangles[cut.sources, 0]
        names = [
            _piece_name(COVERS[cover], NAMES[bone], left, beyond)
            for cover, bone, left, beyond in zip(
                level.covers[first],
                level.bones[first, 0],
                level.points[first, 0] > 0,
                cut.beyond,
                strict=True,
            )
        ]
        known, start, pieces = np.unique(names, return_index=True, return_inverse=True)
        self._names: list[str] = known.tolist()
        self._covers = level.covers[first[start]].tolist()
        self._pieces: Integers = pieces.ravel()

    def seen(self, paper: Floats, depths: Floats) -> list[Piece]:
        """Return the pieces of a body from the back to the front, without those that face away.

        Args:
            paper: shape (V, 2), where the points of the skin are on the sheet, right and down,
                [mm].
            depths: shape (V,), from the camera, [m].
        """
        points = self._cut.extended(np.column_stack([paper, depths]))
        corners = points[self._cut.triangles]
        facing = (_area(corners) < 0) & (corners[..., 2].min(axis=1) > NEAREST)
        faces = self._cut.triangles[facing]
        pieces = self._pieces[facing]
        parts = {name: faces[pieces == number] for number, name in enumerate(self._names) if name}
        parts = self._without_hidden(parts, points)
        if not parts:
            return []
        parts, points, places = self._under_collar(parts, points)
        order = _back_to_front({name: points[part] for name, part in parts.items()})
        means = np.array([points[parts[name], 2].mean() for name in order])
        # In this order, and as near to the means as that allows.
        keys = (np.minimum.accumulate(means) + np.maximum.accumulate(means[::-1])[::-1]) / 2
        return [
            Piece(
                self._covers[self._names.index(name)], depth, *_lines(parts[name], points, places)
            )
            for name, depth in zip(order, keys.tolist(), strict=True)
        ]

    @staticmethod
    def _without_hidden(parts: dict[str, Integers], points: Floats) -> dict[str, Integers]:
        """The triangles of pieces by name, without hair and parts of a face on the far side of the
        head.
        """
        head = points[parts["skin"]]
        left = {
            name: part[~_overlaps(points[part].mean(axis=1), head)[1]] if name in _ON_HEAD else part
            for name, part in parts.items()
        }
        return {name: part for name, part in left.items() if len(part)}

    def _under_collar(
        self, parts: dict[str, Integers], points: Floats
    ) -> tuple[dict[str, Integers], Floats, Integers]:
        """Triangles of pieces without a neck that the collar hides; then all points, and their
        places.
        """
        scale = float(np.ptp(points[:, :2], axis=0).max()) / HEIGHT
        cut = cut_skin(parts["skin"], self._collar.hides(points, scale), self._cut.places)
        left = parts | {"skin": cut.triangles[~cut.beyond]}
        return (
            {name: part for name, part in left.items() if len(part)},
            cut.extended(points),
            cut.places,
        )


def pieced_skin(scale: float, hair: int) -> PiecedSkin:
    """Return the skin, cut into pieces, in as much detail as is seen.

    Args:
        scale: of the body, [mm on paper per metre].
        hair: a number of `skin.HAIR_CUTS`.
    """
    return _pieced_skin(sum(scale < least for least in _FROM), hair)


def _lines(
    faces: Integers, points: Floats, places: Integers
) -> tuple[_Outlines, _Outlines, _Outlines]:
    """The outlines, specks and folds of a piece."""
    ends = _border(faces, places)
    size = float(np.ptp(points[:, :2], axis=0).max())
    middles = points[ends].mean(axis=1)
    beyond = points[ends].mean(axis=1)
    # Along the rim of a piece its own surface falls away steeply; it is only behind a line if it
    # goes on outside.
    beyond[:, :2] += _OUTSIDE * size * _outward(points[ends, :2])
    behind, before = _overlaps(middles, points[faces])
    behind &= _overlaps(beyond, points[faces])[0]
    outlines: list[Floats] = []
    specks: list[Floats] = []
    folds: list[Floats] = []
    for loop in _loops(places[ends]):
        corners = points[ends[loop, 0], :2]
        if _length(corners) < _SPECK * size:
            specks.append(corners)
            continue
        outlines.append(corners)
        folds += [
            line
            for line in _runs(corners, (behind & ~before)[loop])
            if _length(line) > _SHORT * size
        ]
    return tuple(outlines), tuple(specks), tuple(folds)


@lru_cache(maxsize=12)
def _pieced_skin(level: int, hair: int) -> PiecedSkin:
    return PiecedSkin(load_skin().levels[level].with_hair(hair))


def _piece_name(cover: str, bone: str, left: bool, beyond: bool) -> str:
    """The name of the piece that a triangle belongs to; empty where it is not seen."""
    if beyond:
        return f"{'left' if left else 'right'} sleeve" if cover == "shirt" else ""
    side, _, _ = bone.partition(" ")
    return f"{side} {cover}" if cover in _IN_PAIRS and side in _SIDES else cover


def _area(triangles: Floats) -> Floats:
    """Twice the areas of triangles, shape (…, 3, 2 or more) to (…); negative if they run
    counterclockwise on paper.
    """
    one, other = (triangles[..., corner, :2] - triangles[..., 0, :2] for corner in (1, 2))
    area: Floats = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return area


def _back_to_front(parts: dict[str, Floats]) -> list[str]:
    """The order in which parts, triangles of shape (F, 3, 3) each, cover each other, as seen on a
    grid where they meet.

    The next part is always the one that covers least of those left; of several, the farthest.
    """
    corners = parts.values()
    samples = [
        np.concatenate([each, (each + np.roll(each, 1, axis=1)) / 2], axis=1).reshape(-1, 3)
        for each in corners
    ]
    places = np.concatenate(samples)[:, :2]
    low = places.min(axis=0)
    size = np.ptp(places, axis=0)
    cell = _CELL * float(size.max())
    columns, rows = (size / cell).astype(int) + 1
    near = np.full((len(parts), rows * columns), np.inf)
    for depths, each in zip(near, samples, strict=True):
        column, row = ((each[:, :2] - low) / cell).astype(int).T
        np.minimum.at(depths, row * columns + column, each[:, 2])
    meet = np.isfinite(near)
    depths = np.where(meet, near, 0.0)
    nearer = np.clip((depths[None] - depths[:, None]) / _CLEARLY, -1.0, 1.0)
    covers = np.where(meet[None] & meet[:, None], nearer, 0.0).sum(
        axis=2
    )  # how far the first covers the second
    names = list(parts)
    heads = [names.index(each) for each in _HEAD if each in parts]
    rank = np.arange(len(heads))
    covers[np.ix_(heads, heads)] = _SURELY * np.sign(rank[:, None] - rank)
    means = [float(each[:, 2].mean()) for each in samples]
    left = list(range(len(parts)))
    order = []
    while left:
        least = min(
            left,
            key=lambda part: (np.maximum(covers[part, left], 0.0).sum().round(3), -means[part]),
        )
        order.append(names[least])
        left.remove(least)
    return order


def _border(faces: Integers, place: Integers) -> Integers:
    """The edges around triangles, shape (E, 2), as they run along their triangles."""
    edges = np.stack([faces.ravel(), faces[:, [1, 2, 0]].ravel()], axis=-1)
    start, end = place[edges].T
    size = int(place.max()) + 1
    alone: Integers = edges[~np.isin(start * size + end, end * size + start)]
    return alone


def _loops(ends: Integers) -> Iterator[Integers]:
    """Numbers of edges in closed loops; every place, of which edges have the numbers, ends as many
    as it begins.
    """
    start = np.argsort(ends[:, 0], kind="stable")
    end = np.argsort(ends[:, 1], kind="stable")
    following = np.empty_like(start)
    following[end] = start
    left = np.ones(len(ends), dtype=bool)
    for first in range(len(ends)):
        loop = []
        while left[first]:
            left[first] = False
            loop.append(first)
            first = int(following[first])
        if loop:
            yield np.array(loop)


def _outward(edges: Floats) -> Floats:
    """Directions away from the triangles that face the camera along whose edges these run, (E, 2,
    2) to (E, 2).
    """
    along = edges[:, 1] - edges[:, 0]
    away: Floats = (
        along[:, ::-1]
        * (-1.0, 1.0)
        / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    )
    return away


def _overlaps(places: Floats, triangles: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether triangles lie well behind places, and before them; shapes (E, 3) and (F, 3, 3) to
    (E,).
    """
    low = triangles[..., :2].min(axis=1)
    high = triangles[..., :2].max(axis=1)
    areas = _area(triangles)
    found = np.zeros((2, len(places)), dtype=bool)
    step = max(1, _SKIN_PIECES_AT_ONCE // max(len(triangles), 1))
    for first in range(0, len(places), step):
        x, y = places[first : first + step, :2].T[..., None]
        near = (low[:, 0] < x) & (x < high[:, 0]) & (low[:, 1] < y) & (y < high[:, 1])
        place, triangle = np.nonzero(near)
        place += first
        corners = triangles[triangle]
        here = places[place]
        away = corners[..., :2] - here[:, None, :2]
        one = np.roll(away, -1, axis=1)
        other = np.roll(away, -2, axis=1)
        shares = (one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) / areas[
            triangle, None
        ]  # barycentric
        depths = np.where(
            (shares > 0).all(axis=1), (shares * corners[..., 2]).sum(axis=1) - here[:, 2], 0.0
        )
        found[0, place[depths > _DEEP]] = True
        found[1, place[depths < -_BESIDE_BORDER]] = True
    return found[0], found[1]


def _length(line: Floats) -> float:
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


def _runs(corners: Floats, chosen: NDArray[np.bool_]) -> list[Floats]:
    """The chosen edges of a closed line as open lines; an edge begins at its corner."""
    if not chosen.any():
        return []
    if chosen.all():
        return [np.concatenate([corners, corners[:1]])]
    turn = -int(np.argmin(chosen))
    chosen = np.roll(chosen, turn)
    corners = np.roll(corners, turn, axis=0)
    corners = np.concatenate([corners, corners[:1]])
    changes = np.flatnonzero(np.diff(chosen, append=False)) + 1
    return [corners[start : end + 1] for start, end in changes.reshape(-1, 2)]


_SLEEVES = "deltoid", "upper arm", "upper arm, untwisted"
_CLOTHES = "shirt", "trousers"
_SMOOTH = 0.008  # what is so near to the nearest cloth counts as well, [m]
# room for a neck: its radius, and below and above its joint, [m]
_NECK_WIDE = 0.1
_NECK_LOW = 0.1
_NECK_HIGH = 0.12
_BESIDE_NECK = 0.25  # share of its width by which a collar hides a neck beside it
# of a collar, in which its top is looked for, and of the curve through these
_SECTORS = 24
_WAVES = 3


def cutting_values(level: SkinLevel) -> Floats:
    """Where the skin is cut: numbers that are negative on sleeves, and on what is within clothes,
    shape (V,).
    """
    points: Floats = level.points.astype(float) * float(UNIT)
    shirt = level.covers == COVERS.index("shirt")
    corners = points[level.triangles]
    middles = corners.mean(axis=1)
    covers = level.covers[level.triangles[:, 0]]
    normals = unit(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    values = np.ones(len(points))
    for number in (COVERS.index(each) for each in _CLOTHES):
        cloth = middles[covers == number]
        normal = normals[covers == number]
        low = cloth.min(axis=0)
        high = cloth.max(axis=0)
        others = np.flatnonzero(
            (level.covers != number) & ~shirt & ((points > low) & (points < high)).all(axis=1)
        )
        for some in np.array_split(others, len(others) // 500 + 1):
            squares = (
                (points[some] ** 2).sum(axis=1)[:, None]
                + (cloth**2).sum(axis=1)
                - 2 * points[some] @ cloth.T
            )
            near = np.exp((squares.min(axis=1, keepdims=True) - squares) / (2 * _SMOOTH**2))
            heights = points[some] @ normal.T - (cloth * normal).sum(axis=1)
            values[some] = np.minimum(values[some], (near * heights).sum(axis=1) / near.sum(axis=1))
    neck = _around_neck(points) & (level.covers == COVERS.index("skin"))
    values[neck] = Collar.of(level).heights(points[neck])
    arms = np.array([name.partition(" ")[2] in _SLEEVES for name in NAMES])
    values[shirt] = 0.5 - (level.shares * arms[level.bones])[shirt].sum(axis=1) / 255
    return values


@dataclass(frozen=True)
class Collar:
    """The top of a shirt's collar: a ring, whose normals say nothing of what is within it.

    Args:
        axis: its middle, (3,), [m].
        tops: numbers of points on it, in turn around the neck.
        curve: how high it is at a turn, see `_waves`, [m].
    """

    axis: Floats
    tops: Integers
    curve: Floats

    @classmethod
    def of(cls, level: SkinLevel) -> Collar:
        """The collar of a level of detail."""
        points: Floats = level.points.astype(float) * float(UNIT)
        ring = np.flatnonzero((level.covers == COVERS.index("shirt")) & _around_neck(points))
        near = points[ring]
        axis: Floats = near[near[:, 1] > np.median(near[:, 1])].mean(axis=0)
        turns = _turns(near, axis)
        sectors = ((turns / (2 * np.pi) + 0.5) * _SECTORS).astype(int) % _SECTORS
        of_sectors = (np.flatnonzero(sectors == each) for each in np.unique(sectors))
        tops = np.array([some[near[some, 1].argmax()] for some in of_sectors])
        return cls(axis, ring[tops], np.linalg.lstsq(_waves(turns[tops]), near[tops, 1])[0])

    def heights(self, points: Floats) -> Floats:
        """How high points at rest are above it, shapes (N, 3) to (N,), [m]."""
        found: Floats = points[:, 1] - _waves(_turns(points, self.axis)) @ self.curve
        return found

    def hides(self, points: Floats, scale: float) -> Floats:
        """Numbers that are negative where its nearer half hides what is seen.

        Args:
            points: all points of the skin, right and down on the sheet [mm], and their depths [m],
                shape (V, 3).
            scale: of the body, [mm on paper per metre].
        """
        seen = points[self.tops]
        half = seen[seen[:, 2] <= seen[:, 2].mean()]
        half = half[np.argsort(half[:, 0])]
        x, y, depths = points.T
        higher = np.interp(x, half[:, 0], half[:, 1]) - y
        nearer = scale * (np.interp(x, half[:, 0], half[:, 2]) - depths)
        margin = _BESIDE_NECK * (
            half[-1, 0] - half[0, 0]
        )  # a neck is a little wider than its collar
        beside = np.maximum(half[0, 0] - x, x - half[-1, 0]) - margin
        return np.maximum(np.maximum(higher, nearer), beside)


def _around_neck(points: Floats) -> Booleans:
    joint = load_skin().skeleton.joints[Joint.NECK]
    inside: Booleans = np.hypot(points[:, 0] - joint[0], points[:, 2] - joint[2]) < _NECK_WIDE
    return inside & (points[:, 1] > joint[1] - _NECK_LOW) & (points[:, 1] < joint[1] + _NECK_HIGH)


def _turns(points: Floats, axis: Floats) -> Floats:
    return np.arctan2(points[:, 0] - axis[0], points[:, 2] - axis[2])


def _waves(turns: Floats) -> Floats:
    """Cosines and sines of multiples of angles, shape (N, 2 · `_WAVES` + 1)."""
    several = turns[:, None] * np.arange(1, _WAVES + 1)
    return np.hstack([np.ones((len(turns), 1)), np.cos(several), np.sin(several)])


@dataclass(frozen=True)
class SkinCut:
    """Triangles after a cut.

    Args:
        triangles: shape (F, 3), numbers of points, of which there are more than before.
        sources: shape (F,), of which triangle each is a part.
        beyond: shape (F,), whether it lies on the negative side.
        between: shape (N, 2), the points between which each further point lies.
        shares: shape (N, 1), how far it is on the way to the second.
        places: shape (V + N,), one number for all points at one place.
    """

    triangles: Integers
    sources: Integers
    beyond: NDArray[np.bool_]
    between: Integers
    shares: Floats
    places: Integers

    def extended(self, points: Floats) -> Floats:
        """Return all points, from those before the cut; shapes (V, 3) and (V + N, 3)."""
        one, other = (points[self.between[:, end]] for end in range(2))
        return np.concatenate([points, one + self.shares * (other - one)])


def cut_skin(triangles: Integers, values: Floats, places: Integers) -> SkinCut:
    """Cut triangles where values at their corners change their sign.

    Args:
        triangles: shape (F, 3), numbers of points.
        values: of all points, shape (V,).
        places: shape (V,), one number for all points at one place.
    """
    negative = values[triangles] < 0
    count = negative.sum(axis=1)
    crossed = np.flatnonzero((count == 1) | (count == 2))
    whole = np.flatnonzero((count == 0) | (count == 3))
    # The corner that lies alone on its side comes first.
    alone = np.where(count[crossed, None] == 1, negative[crossed], ~negative[crossed]).argmax(
        axis=1
    )
    lone, second, third = (triangles[crossed, (alone + n) % 3] for n in range(3))
    between = np.concatenate([np.stack([lone, second], axis=-1), np.stack([lone, third], axis=-1)])
    share = values[between[:, 0]] / (values[between[:, 0]] - values[between[:, 1]])
    _, there = np.unique(np.sort(places[between], axis=1), axis=0, return_inverse=True)
    new = len(places) + np.arange(len(between)).reshape(2, -1)
    parts = [(lone, new[0], new[1]), (new[0], second, third), (new[0], third, new[1])]
    first = negative[crossed, alone]
    return SkinCut(
        np.concatenate([triangles[whole], *(np.stack(part, axis=-1) for part in parts)]),
        np.concatenate([whole, *[crossed] * 3]),
        np.concatenate([negative[whole, 0], first, ~first, ~first]),
        between,
        share[:, None],
        np.concatenate([places, places.max() + 1 + there.ravel()]),
    )
