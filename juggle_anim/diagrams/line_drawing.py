"""Line drawings of a scene: the outlines of limbs and props as polygons, drawn from the back to the
front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body import HEIGHT, Joint
from juggle_anim.diagrams.drawing import PRINT_INK, Colour, Drawing, Polygon
from juggle_anim.errors import printable
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import CLUB_PARTS, LIMBS, Camera, Cone, Ring, Scene, Sphere
from juggle_anim.scene import GHOST_COLOUR as GHOST
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
_RING_CORNERS = 64
_HULL_DIRECTIONS = 180

_CONES_AT_ONCE = 256


def figure_lines(scene: Scene, jugglers: int, aspect: float, title: str = "") -> Drawing:
    """Return the line drawing of a scene, in which nearer items cover those behind them.

    Args:
        scene: items and camera.
        jugglers: number of jugglers.
        aspect: width of the sheet over its height.
        title: title of the drawing.
    """
    paper = PaperProjection(scene.camera, WIDTH, WIDTH / aspect)
    # Painter's algorithm: the farthest item is drawn first. Ghosts (bodies of another arm solver)
    # are outlines on top of everything.
    items = sorted(_items(scene, jugglers, paper), key=lambda item: -item.depth)
    line_width = _line_width(items, paper)
    marks = [mark for item in items for layer in item.layers for mark in layer.marks(line_width)]
    ghosts = [
        Polygon((outline,), fill=None, outline=GHOST, width=line_width)
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

    def marks(self, line_width: float) -> Iterator[Polygon]:
        """Yield the polygons of the layer, from the back to the front.

        Outlines of double width come first. The fills then cover their inner halves, and all lines
        between the parts.

        Args:
            line_width: line width of outlines and folds, [mm].
        """
        if self.outlined:
            for part in self.parts:
                yield Polygon(part, fill=None, outline=PRINT_INK, width=2 * line_width)
        yield from (Polygon(part, fill) for part, fill in zip(self.parts, self.fills, strict=True))
        if self.folds:
            yield Polygon(self.folds, fill=None, outline=PRINT_INK, width=line_width, closed=False)


@dataclass(frozen=True)
class _Item:
    """Something drawn as a whole: its depth [m], and its layers from the back to the front."""

    depth: float
    layers: list[_Layer]


def _items(scene: Scene, jugglers: int, paper: PaperProjection) -> Iterator[_Item]:
    """Yield all items of a scene except its ghosts, in any order.

    An item is drawn as a whole, by its depth: a body, a limb, a club, a ball and so on.

    Args:
        scene: its `capsules` hold limbs, then standing things, then parts of clubs.
        jugglers: number of jugglers.
        paper: projection of the world.
    """
    # Jugglers: smooth bodies, or limbs.
    if len(scene.bodies):
        yield from _bodies(scene, paper)
    else:
        yield from _limbs(scene, jugglers, paper)

    # Round cones that are no limbs: one item of all that stands there, and one for each club.
    cones = _Cones(paper, scene.capsules.astype(float))
    first_club_part = len(scene.capsules) - scene.club_parts
    standing = range(scene.limb_count, first_club_part)
    if standing:
        yield _Item(cones.depth(standing), [cones.layer(standing)])
    for knob in range(first_club_part, len(scene.capsules), CLUB_PARTS):
        # The top of a club, its last part, is drawn first, since the body covers its lower part.
        top = knob + CLUB_PARTS - 1
        parts = [top, *range(knob, top)]
        yield _Item(cones.depth(parts), [cones.layer(parts)])

    # Balls, rings and boxes.
    balls = scene.spheres.astype(float)
    centres = paper.to_camera(balls[:, Sphere.CENTRE])
    outlines = paper.balls(centres, balls[:, Sphere.RADIUS])
    for outline, row, depth in zip(outlines, balls, camera_depths(centres).tolist(), strict=True):
        yield _Item(depth, [_Layer([(outline,)], [_colour(row[Sphere.COLOUR])])])
    yield from _rings(scene.rings.astype(float), paper)
    for row in scene.boxes.astype(float):
        yield _box(row, paper)


class _Cones:
    """The outlines, colours and depths of round cones."""

    def __init__(self, paper: PaperProjection, rows: Floats) -> None:
        self._cone_outlines = _cone_outlines(paper, rows)
        self._colours = rows[:, Cone.COLOUR]
        self._depths = camera_depths(paper.to_camera((rows[:, Cone.START] + rows[:, Cone.END]) / 2))

    def depth(self, parts: Sequence[int]) -> float:
        """Return the mean distance of cones from the camera, along its axis, [m]."""
        return float(self._depths[list(parts)].mean())

    def layer(
        self, parts: Sequence[int], paleness: float = 0.0, *, outlined: bool = True
    ) -> _Layer:
        """Return a layer of cones.

        Args:
            parts: their row indices.
            paleness: share of white in their colours.
            outlined: whether there is a line around them.
        """
        return _Layer(
            parts=[(_without_repeats(self._cone_outlines[part]),) for part in parts],
            fills=[_colour(self._colours[part], paleness) for part in parts],
            outlined=outlined,
        )


def _limbs(scene: Scene, jugglers: int, paper: PaperProjection) -> Iterator[_Item]:
    """Yield jugglers made of round limbs: full figures, or stick figures as one item each.

    Args:
        scene: its first capsules, or those that are see-through, are the limbs.
        jugglers: number of jugglers.
        paper: projection of the world.
    """
    limbs = np.concatenate([scene.capsules[: scene.limb_count], scene.see_through]).astype(float)
    if not jugglers or not len(limbs):
        return
    cones = _Cones(paper, limbs)
    # All jugglers have the same number of limbs, by which a full figure is told from sticks.
    limbs_per_juggler = len(limbs) // jugglers
    for juggler in range(jugglers):
        first = juggler * limbs_per_juggler
        if limbs_per_juggler == len(LIMBS):
            yield from _figure(cones, first)
        else:
            sticks = range(first, first + limbs_per_juggler)
            yield _Item(cones.depth(sticks), [cones.layer(sticks)])


def _figure(cones: _Cones, first: int) -> Iterator[_Item]:
    """Yield the items of a full figure: trunk, arms and other parts, then hips and legs.

    An item is drawn as a whole, in the order of depth; its layers are drawn one over another.

    Args:
        cones: the round cones of all figures, as outlines on the sheet.
        first: index of the cone of the first limb; the others follow in the order of `LIMBS`.
    """

    def cones_of(limbs: list[int]) -> list[int]:
        """Return the indices of the cones of some limbs, given as indices into `LIMBS`."""
        return [first + limb for limb in limbs]

    for limbs in (_FIGURE_PARTS.trunk, *_FIGURE_PARTS.others):
        part = cones_of(limbs)
        yield _Item(cones.depth(part), [cones.layer(part, _PALENESS)])
    hips = cones_of(_FIGURE_PARTS.hips)
    legs = [cones_of(leg) for leg in _FIGURE_PARTS.legs]
    far, near = sorted(legs, key=cones.depth, reverse=True)
    # There is no line between hips and legs, but the near leg has an outline over the far one.
    layers = [
        cones.layer(hips + far, _PALENESS),
        cones.layer(near, _PALENESS),
        cones.layer(hips, _PALENESS, outlined=False),
    ]
    yield _Item(cones.depth([*hips, *far, *near]), layers)


def _bodies(scene: Scene, paper: PaperProjection) -> Iterator[_Item]:
    """Yield the smooth bodies of a scene as items to draw: filled pieces with outlines.

    Args:
        scene: its bodies, with their gaze, lids, girths, paint and clothes.
        paper: projection of the world.

    Returns:
        Items with their depth, such as a sleeve or the hair; near ones are drawn last.
    """
    # A transform for each bone of each body; `worn` are the clothes of each.
    bones = load_skin().skeleton.transforms(scene.bodies, scene.gaze, scene.girths, scene.lids)
    paints = scene.paint.astype(float)
    for joints, transforms, paint, worn in zip(
        scene.bodies, bones, paints, scene.worn.tolist(), strict=True
    ):
        # The level of detail that is visible at the distance of the pelvis.
        pelvis_depth = float(camera_depths(paper.to_camera(joints[Joint.PELVIS])))
        distance = paper.parallel_distance or max(pelvis_depth, NEAREST)
        skin = pieced_skin(paper.scale / distance, worn)
        points = paper.to_camera(skin.level.carried(transforms))
        point_depths = camera_depths(points)
        # Points behind the camera cannot be projected, so they are moved in front of it. Their
        # triangles are left out because of their depths.
        points[:, 2] = np.minimum(points[:, 2], -NEAREST)
        for piece in skin.visible_pieces(paper.to_paper(points), point_depths):
            # Paleness is the share of white that is mixed into a colour.
            paleness = _HAIR_PALENESS if piece.cover == _HAIR else _PALENESS
            fill = _colour(paint[piece.cover, :3], paleness)
            # Specks are too small for a line around them.
            layers = (
                _Layer([piece.lines.outlines], [fill], folds=piece.lines.folds),
                _Layer([piece.lines.specks], [fill], outlined=False),
            )
            yield _Item(piece.depth, [layer for layer in layers if layer.parts[0]])


class _FigureParts(NamedTuple):
    """Parts of a full figure, each with one outline: lists of limbs, as indices into `LIMBS`."""

    trunk: list[int]
    hips: list[int]
    legs: list[list[int]]
    others: list[list[int]]


def _figure_parts() -> _FigureParts:
    """Group the limbs of a full figure into parts, by what covers them.

    This relies on the order of `LIMBS`: first the trunk, which is shirt except for the first
    trousers, the hips; then the head, which begins with the first skin; then for each side the arm
    and, in one run, the trousers of the leg.
    """
    trunk: list[int] = []
    trousers = []
    others = []
    is_after_trunk = False
    # Each run is of successive limbs with the same cover.
    for cover, run in groupby(range(len(LIMBS)), key=lambda limb: LIMBS[limb].cover):
        limbs = list(run)
        if cover == "skin":
            is_after_trunk = True
        if cover == "trousers":
            trousers.append(limbs)
        elif is_after_trunk:
            others.append(limbs)
        elif cover == "shirt":
            trunk += limbs
    hips, *legs = trousers
    return _FigureParts(trunk, hips, legs, others)


_FIGURE_PARTS = _figure_parts()


def _rings(rows: Floats, paper: PaperProjection) -> Iterator[_Item]:
    """Yield rings as flat discs with a hole.

    Args:
        rows: rows of upright rings, laid out as `Ring`.
        paper: projection of the world.
    """
    angles = np.linspace(0.0, 2 * np.pi, _RING_CORNERS, endpoint=False)
    for row in rows:
        centre = row[Ring.CENTRE]
        normal = row[Ring.AXIS]
        # Rings stand upright, so up is in their plane.
        up = np.array([0.0, 1.0, 0.0])
        circle = np.cos(angles)[:, None] * up + np.sin(angles)[:, None] * np.cross(normal, up)
        outer = paper.to_paper(paper.to_camera(centre + row[Ring.RADIUS] * circle))
        inner = paper.to_paper(paper.to_camera(centre + row[Ring.HOLE] * circle))
        # The inner outline runs in the opposite direction, which makes it a hole.
        layer = _Layer([(outer, inner[::-1])], [_colour(row[Ring.COLOUR])])
        yield _Item(float(camera_depths(paper.to_camera(centre))), [layer])


def _box(row: Floats, paper: PaperProjection) -> _Item:
    """Return the faces of an upright cube that are turned to the camera, as one item.

    Args:
        row: row of the cube, laid out as `Sphere`, whose radius is half the edge.
        paper: projection of the world.
    """
    centre = row[Sphere.CENTRE]
    half_edge = row[Sphere.RADIUS]
    axes = np.eye(3)
    layers = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            across = axes[(axis + 1) % 3]
            along = axes[(axis + 2) % 3]
            # The corners around the face, relative to its centre, in units of half an edge.
            corners = [-across - along, across - along, across + along, -across + along]
            face = paper.to_camera(centre + half_edge * (side * axes[axis] + np.array(corners)))
            # The normal in camera axes. A face is visible if it points against the line of sight.
            normal = paper.to_camera(centre + side * axes[axis]) - paper.to_camera(centre)
            if normal @ paper.sight_lines(face[0]) < 0:
                layers.append(_Layer([(paper.to_paper(face),)], [_colour(row[Sphere.COLOUR])]))
    return _Item(float(camera_depths(paper.to_camera(centre))), layers)


def _cone_outlines(paper: PaperProjection, rows: Floats) -> Floats:
    starts = paper.to_camera(rows[:, Cone.START])
    ends = paper.to_camera(rows[:, Cone.END])
    return paper.round_cones(starts, rows[:, Cone.START_RADIUS], ends, rows[:, Cone.END_RADIUS])


def _without_repeats(outline: Floats) -> Floats:
    """Return an outline in which no corner follows itself.

    Args:
        outline: N corners of a closed polygon, shape (N, 2).
    """
    return outline[(outline != np.roll(outline, 1, axis=0)).any(axis=1)]


def _colour(colour: Floats, paleness: float = 0.0) -> Colour:
    """Return a colour, shape (3,), mixed with a share of white (`paleness`), 0 to 1."""
    red, green, blue = (colour * (1 - paleness) + paleness).tolist()
    return red, green, blue


def _line_width(items: list[_Item], paper: PaperProjection) -> float:
    """Return the width of a finger at the median depth, within limits, [mm]."""
    depth = float(np.median([item.depth for item in items])) if items else 1.0
    finger_width = _FINGER_WIDTH * paper.scale / (paper.parallel_distance or depth)
    return float(np.clip(finger_width, *_LINE_WIDTH_LIMITS))


def camera_depths(points: Floats) -> Floats:
    """Return how far points in camera axes, shape (…, 3), are before the camera, shape (…), [m]."""
    return -points[..., 2]  # the camera looks along −z


class PaperProjection:
    """Projection of the world onto a sheet of paper.

    Args:
        camera: the camera that sees it.
        width, height: width and height of the paper, [mm].
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

    def sight_lines(self, points: Floats) -> Floats:
        """Return the directions from the camera to points in its axes, same shape (…, 3)."""
        return np.broadcast_to((0.0, 0.0, -1.0), points.shape) if self.parallel_distance else points

    def to_paper(self, points: Floats) -> Floats:
        """Return points in camera axes as right and down on the paper, shape (…, 2), [mm]."""
        # The camera looks along its negative third axis; its second one is up, the paper's down.
        distance = self.parallel_distance or -points[..., 2:]
        on_paper: Floats = self._middle + self.scale * points[..., :2] * (1.0, -1.0) / distance
        return on_paper

    def balls(self, centres: Floats, radii: Floats) -> Floats:
        """Return outlines of balls on the paper, shape (N, corners, 2), [mm].

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
        # (r/d)²; it is at most 1, also for a camera inside a ball.
        squared_ratio = np.minimum(radii**2 / (centres**2).sum(axis=1), 1.0)[:, None]
        # Two unit vectors at right angles to the line of sight to the centre: the circle of
        # touching points lies in their plane.
        across = np.cross(centres, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        up = np.cross(across, centres)
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        rim = np.cos(angles)[:, None] * across[:, None] + np.sin(angles)[:, None] * up[:, None]
        rim_radii = radii[:, None] * np.sqrt(1 - squared_ratio)
        rim_centres = centres * (1 - squared_ratio)
        return self.to_paper(rim_centres[:, None] + rim_radii[:, None] * rim)

    def round_cones(
        self, starts: Floats, start_radii: Floats, ends: Floats, end_radii: Floats
    ) -> Floats:
        """Return outlines of round cones on paper, shape (N, corners, 2), [mm]; corners may repeat.

        A round cone is the convex hull of the balls at its ends, so its outline is the hull of
        theirs. The corners of the hull are the farthest points in many directions.

        Args:
            starts, ends: shape (N, 3), in the axes of the camera, [m].
            start_radii, end_radii: shape (N,), [m].
        """
        corners = np.concatenate(
            [self.balls(starts, start_radii), self.balls(ends, end_radii)], axis=1
        )
        angles = np.linspace(0.0, 2 * np.pi, _HULL_DIRECTIONS, endpoint=False)
        directions = np.stack([np.cos(angles), np.sin(angles)])
        hull = np.empty((len(corners), _HULL_DIRECTIONS, 2))
        # Some cones are done at a time, so that even a hundred people fit in memory.
        for first in range(0, len(corners), _CONES_AT_ONCE):
            chunk = slice(first, first + _CONES_AT_ONCE)
            farthest = (corners[chunk] @ directions).argmax(axis=1)
            hull[chunk] = np.take_along_axis(corners[chunk], farthest[..., None], axis=1)
        return hull


_Outlines = tuple[Floats, ...]

# Scales from which on the finest and the middle level of detail are used, [mm on paper per metre].
_LEVEL_SCALES = 40.0, 10.0

NEAREST = 0.02
"""What is nearer to the camera is not drawn, [m]."""

_SIDES = "left", "right"
_IN_PAIRS = "skin", "shoes", "soles"  # left and right are pieces of their own
_ON_HEAD = "hair", "eyes", "irises", "pupils", "lips", "mouth"
_DRAWN_AS = {"sleeves": "shirt", "trim": "shirt", "stubble": "hair"}  # no line is between them
_HEAD_ORDER = "shirt", "skin", *_ON_HEAD  # each of which covers those before it

_FOLD_DEPTH = 0.012  # m, between the nearer and the farther part of a piece on both sides of a fold
_OUTSIDE_SHARE = 0.005  # how far outside of a line that is wanted, of a body's size on paper
_SAME_DEPTH = 0.002  # m; a surface nearer than a line by no more than this lies beside it
_CELL_SHARE = 0.015  # of a grid on which pieces are compared, of a body's size on paper
_FULL_COVER_DEPTH = 0.01  # m, by which a piece must be nearer to count in full
_CERTAIN_COVER = 1e6  # more than the grid can ever say
# Shorter lines are not drawn within or around a piece, as shares of a body's size on paper.
_SHORTEST_FOLD_SHARE = 0.012
_SPECK_SHARE = 0.08
_PAIRS_AT_ONCE = 500_000


class PieceLines(NamedTuple):
    """The lines of a piece of a body, each of shape (N, 2), [mm].

    Attributes:
        outlines: outlines of the surface that faces the camera, around holes in the other
            direction.
        specks: likewise, but too small for a line around them.
        folds: open lines within, where a nearer part of it ends before a farther one.
    """

    outlines: _Outlines
    specks: _Outlines
    folds: _Outlines


@dataclass(frozen=True)
class Piece:
    """A piece of a body as it is seen.

    Args:
        cover: its number in `skin.COVERS`.
        depth: distance from the camera plane, [m]; never less than that of a piece drawn later.
        lines: its outlines and folds.
    """

    cover: int
    depth: float
    lines: PieceLines


class PiecedSkin:
    """A level of detail of the skin, cut into pieces; skin within clothes is cut away.

    A piece is a part of the skin with lines around it, such as a sleeve, the hair or a shoe.

    Args:
        level: the level of detail.
    """

    def __init__(self, level: SkinLevel) -> None:
        """Cut the skin at clothes and sleeves, and sort its triangles into pieces.

        Args:
            level: the skin in this level of detail.
        """
        self.level = level
        # Several points, with different normals, may be at the same place: they get one number.
        _, places = np.unique(level.points, axis=0, return_inverse=True)
        # Triangles that cross an edge of clothes are divided there.
        triangles = level.triangles.astype(np.intp)
        self._cut = cut_skin(triangles, cutting_values(level), places.ravel())
        self._collar = Collar.from_level(level)

        # A point for each triangle after the cut, of which its piece has the traits: the first
        # corner of the whole triangle.
        trait_points = level.triangles[self._cut.sources, 0]
        names = _piece_names(level, trait_points, self._cut.beyond)
        # Triangles with the same name are a piece, which has the cover of its first triangle.
        unique_names, first_triangles, pieces = np.unique(
            names, return_index=True, return_inverse=True
        )
        # Name and number in `COVERS` of each piece, and for each triangle the index of its piece.
        self._names: list[str] = unique_names.tolist()
        self._covers = level.covers[trait_points[first_triangles]].tolist()
        self._piece_of_triangle: Integers = pieces.ravel()

    def visible_pieces(self, on_paper: Floats, depths: Floats) -> list[Piece]:
        """Return the pieces of a body from the back to the front, without those that face away.

        Args:
            on_paper: shape (V, 2), where the points of the skin are on the sheet, right and down,
                [mm].
            depths: shape (V,), from the camera, [m].
        """
        points = self._cut.extended(np.column_stack([on_paper, depths]))
        corners = points[self._cut.triangles]
        # Triangles that face the camera, by piece. The piece without a name is within clothes.
        is_facing = (_doubled_area(corners) < 0) & (corners[..., 2].min(axis=1) > NEAREST)
        faces = self._cut.triangles[is_facing]
        pieces = self._piece_of_triangle[is_facing]
        parts = {name: faces[pieces == piece] for piece, name in enumerate(self._names) if name}
        parts = self._without_hidden(parts, points)
        if not parts:
            return []
        parts, points, places = self._under_collar(parts, points)
        order = _back_to_front({name: points[part] for name, part in parts.items()})
        means = np.array([points[parts[name], 2].mean() for name in order])
        # Depths must not increase in this order. The running minimum of the means, and their
        # running maximum from the end, are two such sequences, of which the mean is taken.
        below = np.minimum.accumulate(means)
        above = np.maximum.accumulate(means[::-1])[::-1]
        ordered_depths = (below + above) / 2
        return [
            Piece(
                cover=self._covers[self._names.index(name)],
                depth=depth,
                lines=_piece_lines(parts[name], points, places),
            )
            for name, depth in zip(order, ordered_depths.tolist(), strict=True)
        ]

    @staticmethod
    def _without_hidden(parts: dict[str, Integers], points: Floats) -> dict[str, Integers]:
        """Return the pieces without hair and parts of the face on the far side of the head.

        Args:
            parts: triangles of each piece by name, shape (F, 3), indices of points.
            points: right and down on the sheet [mm], and depth [m], shape (V, 3).

        Returns:
            The triangles that are left, without empty pieces.
        """
        head = points[parts["skin"]]
        visible = {}
        for name, triangles in parts.items():
            if name in _ON_HEAD:
                # A triangle is hidden if there is skin in front of its middle.
                is_hidden = _overlaps(points[triangles].mean(axis=1), head).has_before
                triangles = triangles[~is_hidden]
            if len(triangles):
                visible[name] = triangles
        return visible

    def _under_collar(
        self, parts: dict[str, Integers], points: Floats
    ) -> tuple[dict[str, Integers], Floats, Integers]:
        """Return the pieces without the part of the neck that the collar hides.

        Args:
            parts: triangles of each piece by name, shape (F, 3), indices of points.
            points: right and down on the sheet [mm], and depth [m], shape (V, 3).

        Returns:
            parts: triangles of each piece by name, without hidden ones; empty pieces are dropped.
            points: all points, with those added by the cut, in the same axes.
            places: a number for each point, the same for points at the same position.
        """
        # The body's extent on the sheet over its height, [mm on paper per metre].
        scale = float(np.ptp(points[:, :2], axis=0).max()) / HEIGHT
        # Skin is cut at the zero line of the values, which are negative where the collar hides it.
        cut = cut_skin(
            parts["skin"], self._collar.collar_signed_distances(points, scale), self._cut.places
        )
        remaining = parts | {"skin": cut.triangles[~cut.beyond]}

        return (
            {name: triangles for name, triangles in remaining.items() if len(triangles)},
            cut.extended(points),
            cut.places,
        )


def pieced_skin(scale: float, worn: int) -> PiecedSkin:
    """Return the skin, cut into pieces, in as much detail as shows at a scale; cached.

    Args:
        scale: scale of the body, [mm on paper per metre].
        worn: a number from `skin.worn_number`.
    """
    level = sum(scale < least_scale for least_scale in _LEVEL_SCALES)
    return _pieced_skin(level, worn)


def _piece_lines(faces: Integers, points: Floats, places: Integers) -> PieceLines:
    """Return the outlines, specks and folds of a piece, as lines on the sheet, [mm].

    An outline is a closed border of the visible triangles, a speck a border shorter than
    `_SPECK_SHARE` of the body's size. A fold is a part of an outline behind which the surface of
    the piece continues.

    Args:
        faces: triangles of the piece that face the camera, shape (F, 3), indices of points.
        points: right and down on the sheet [mm], and depth [m], shape (V, 3).
        places: one number for all points at one place, shape (V,).
    """
    ends = _border(faces, places)  # both ends of each edge of the border
    # The body's size on paper, [mm]; the shares below are parts of it.
    size = float(np.ptp(points[:, :2], axis=0).max())
    # Each edge of the border has two test points: its middle, and a point a little outside. Near
    # its rim a surface falls away steeply, so it continues behind an edge only if it is also behind
    # the outer point.
    middles = points[ends].mean(axis=1)
    beyond = middles.copy()
    beyond[:, :2] += _OUTSIDE_SHARE * size * _outward(points[ends, :2])
    # An edge is a fold if there is surface well behind both points, and none in front of it.
    overlaps = _overlaps(middles, points[faces])
    goes_on_behind = _overlaps(beyond, points[faces]).has_behind
    is_fold = overlaps.has_behind & goes_on_behind & ~overlaps.has_before
    outlines: list[Floats] = []
    specks: list[Floats] = []
    folds: list[Floats] = []
    for loop in _loops(places[ends]):
        corners = points[ends[loop, 0], :2]
        if _length(corners) < _SPECK_SHARE * size:
            specks.append(corners)
            continue
        outlines.append(corners)
        folds += [
            line
            for line in _runs(corners, is_fold[loop])
            if _length(line) > _SHORTEST_FOLD_SHARE * size
        ]
    return PieceLines(outlines=tuple(outlines), specks=tuple(specks), folds=tuple(folds))


@lru_cache(maxsize=12)
def _pieced_skin(level: int, worn: int) -> PiecedSkin:
    # A shirt is one piece, however its parts are dyed.
    skin = load_skin().levels[level].wearing(worn)
    drawn_as = np.arange(len(COVERS), dtype=np.uint8)
    for cover, drawn_cover in _DRAWN_AS.items():
        drawn_as[COVERS.index(cover)] = COVERS.index(drawn_cover)
    covers = drawn_as[skin.covers]
    return PiecedSkin(replace(skin, covers=covers))


def _piece_names(level: SkinLevel, trait_points: Integers, is_beyond_cut: Booleans) -> list[str]:
    """Return the name of the piece of each of F triangles; empty for those within clothes.

    Args:
        level: the skin.
        trait_points: index of the point whose cover, main bone and side of the body each triangle
            has, shape (F,).
        is_beyond_cut: whether each is on a sleeve or within clothes, shape (F,).
    """
    traits = zip(
        level.covers[trait_points],
        level.bones[trait_points, 0],  # the bone that moves the point most
        level.points[trait_points, 0] > 0,  # left is at positive x
        is_beyond_cut,
        strict=True,
    )
    return [
        _piece_name(COVERS[cover], NAMES[bone], is_left=is_left, is_beyond_cut=is_beyond)
        for cover, bone, is_left, is_beyond in traits
    ]


def _piece_name(cover: str, bone: str, *, is_left: bool, is_beyond_cut: bool) -> str:
    """Return the name of the piece that a triangle belongs to; empty if it is within clothes.

    Args:
        cover: a name in `skin.COVERS`.
        bone: the one that moves it most, such as "left foot".
        is_left: whether it is on the left side of the body.
        is_beyond_cut: whether it is on a sleeve or within clothes, beyond the cut of the skin.
    """
    if is_beyond_cut:
        if cover != "shirt":
            return ""
        return "left sleeve" if is_left else "right sleeve"
    side, _space, _name = bone.partition(" ")
    if cover in _IN_PAIRS and side in _SIDES:
        return f"{side} {cover}"
    return cover


def _doubled_area(triangles: Floats) -> Floats:
    """Return twice the signed areas of triangles, shape (…, 3, 2 or more) to (…).

    An area is negative if the corners run counterclockwise on paper, where y is down.
    """
    first_corner = triangles[..., 0, :2]
    first_edge = triangles[..., 1, :2] - first_corner
    second_edge = triangles[..., 2, :2] - first_corner
    area: Floats = (
        first_edge[..., 0] * second_edge[..., 1] - first_edge[..., 1] * second_edge[..., 0]
    )
    return area


def _back_to_front(parts: dict[str, Floats]) -> list[str]:
    """Return the names of parts in drawing order, from back to front.

    Parts are compared by depth on a grid, in the cells that both touch. The next part in the order
    is the one that covers least of the remaining ones; among equals, the farthest.

    Args:
        parts: by name the F triangles of a part, shape (F, 3, 3): right and down [mm], depth [m].
    """
    # Corners of the triangles and middles of their edges, shape (6 F, 3) for each part.
    samples = []
    for corners in parts.values():
        middles = (corners + np.roll(corners, 1, axis=1)) / 2
        samples.append(np.concatenate([corners, middles], axis=1).reshape(-1, 3))
    places = np.concatenate(samples)[:, :2]
    low = places.min(axis=0)
    extent = np.ptp(places, axis=0)
    # Cells of the grid on which pieces are compared have `_CELL_SHARE` of the body's size on paper.
    cell_size = _CELL_SHARE * float(extent.max())
    columns, rows = (extent / cell_size).astype(int) + 1

    # Least depth of each part in each cell, shape (parts, cells); infinite where it has no sample.
    least_depths = np.full((len(parts), rows * columns), np.inf)
    for part_depths, part_samples in zip(least_depths, samples, strict=True):
        column, row = ((part_samples[:, :2] - low) / cell_size).astype(int).T
        np.minimum.at(part_depths, row * columns + column, part_samples[:, 2])

    # `covers[i, j]`: the number of cells in which part i is in front of part j, minus the reverse.
    touched = np.isfinite(least_depths)
    depths = np.where(touched, least_depths, 0.0)
    # A part that is nearer by `_FULL_COVER_DEPTH`, [m], or more counts in full.
    nearer = np.clip((depths[None] - depths[:, None]) / _FULL_COVER_DEPTH, -1.0, 1.0)
    covers = np.where(touched[None] & touched[:, None], nearer, 0.0).sum(axis=2)
    # The parts of a head are too close to be sorted by depth, so they have a fixed order.
    names = list(parts)
    head_parts = [names.index(name) for name in _HEAD_ORDER if name in parts]
    rank = np.arange(len(head_parts))
    covers[np.ix_(head_parts, head_parts)] = _CERTAIN_COVER * np.sign(rank[:, None] - rank)

    mean_depths = [float(part_samples[:, 2].mean()) for part_samples in samples]
    remaining = list(range(len(parts)))

    def cover_and_nearness(part: int) -> tuple[float, float]:
        """Return how much of the remaining parts a part covers, and then how near it is."""
        # The sum is rounded, so that nearness decides between sums that differ by rounding errors.
        cover = float(np.maximum(covers[part, remaining], 0.0).sum().round(3))
        return cover, -mean_depths[part]

    order = []
    while remaining:
        next_part = min(remaining, key=cover_and_nearness)
        order.append(names[next_part])
        remaining.remove(next_part)
    return order


def _border(faces: Integers, place: Integers) -> Integers:
    """Return the border edges of a mesh, shape (E, 2), in the direction of their triangles.

    Args:
        faces: triangles, shape (F, 3), indices of points.
        place: a number for each of V points, the same for points at the same place, shape (V,).
    """
    edges = np.stack([faces.ravel(), faces[:, [1, 2, 0]].ravel()], axis=-1)
    # An inner edge belongs to two triangles, so it also occurs in the reverse direction. Pairs of
    # places are compared as single numbers.
    start, end = place[edges].T
    size = int(place.max()) + 1
    border: Integers = edges[~np.isin(start * size + end, end * size + start)]
    return border


def _loops(ends: Integers) -> Iterator[Integers]:
    """Yield the closed loops that edges make, each as indices of edges in order.

    Args:
        ends: number of the first and the second place of each edge, shape (E, 2). As many edges
            begin at each place as end there.
    """
    # Sorted by place, the edges that end and those that begin correspond one for one.
    by_start = np.argsort(ends[:, 0], kind="stable")
    by_end = np.argsort(ends[:, 1], kind="stable")
    next_edge = np.empty_like(by_start)
    next_edge[by_end] = by_start
    unvisited = np.ones(len(ends), dtype=bool)
    for first in range(len(ends)):
        loop = []
        edge = first
        while unvisited[edge]:
            unvisited[edge] = False
            loop.append(edge)
            edge = int(next_edge[edge])
        if loop:
            yield np.array(loop)


def _outward(edges: Floats) -> Floats:
    """Return the outward unit normals of edges of triangles, on paper.

    On paper x points right and y down. Triangles that face the camera wind counterclockwise there,
    so their outside is to the right of each edge: direction (dx, dy) has the normal (−dy, dx).

    Args:
        edges: edges of triangles that face the camera, each from its first to its second point in
            the order of the triangle, shape (E, 2 ends, 2).

    Returns:
        Normals away from the triangles, shape (E, 2).
    """
    along = edges[:, 1] - edges[:, 0]
    lengths = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    outward: Floats = along[:, ::-1] * (-1.0, 1.0) / lengths
    return outward


class _Overlaps(NamedTuple):
    """Of each place, shape (E,): whether a triangle lies well behind it, and one before it."""

    has_behind: Booleans
    has_before: Booleans


def _overlaps(places: Floats, triangles: Floats) -> _Overlaps:
    """Return for each place whether there are triangles behind it and in front of it, on the sheet.

    A place is within a triangle if all its barycentric coordinates are positive.

    Args:
        places: E places, right and down on the sheet [mm], and depth [m], shape (E, 3).
        triangles: F triangles with corners in the same coordinates, shape (F, 3, 3).
    """
    low = triangles[..., :2].min(axis=1)
    high = triangles[..., :2].max(axis=1)
    doubled_areas = _doubled_area(triangles)
    has_behind = np.zeros(len(places), dtype=bool)
    has_before = np.zeros(len(places), dtype=bool)
    # Some places are done at a time, to limit the memory for all pairs.
    step = max(1, _PAIRS_AT_ONCE // max(len(triangles), 1))
    for first in range(0, len(places), step):
        # P pairs of a place and a triangle whose bounding box contains it.
        x, y = places[first : first + step, :2].T[..., None]
        in_box = (low[:, 0] < x) & (x < high[:, 0]) & (low[:, 1] < y) & (y < high[:, 1])
        place, triangle = np.nonzero(in_box)
        place += first
        corners = triangles[triangle]
        pair_places = places[place]
        # Barycentric coordinates of the places, shape (P, 3): the share of each corner is the area
        # of the triangle of the place and the two other corners, over the whole area.
        to_corners = corners[..., :2] - pair_places[:, None, :2]
        next_corner = np.roll(to_corners, -1, axis=1)
        last_corner = np.roll(to_corners, -2, axis=1)
        shares = (
            next_corner[..., 0] * last_corner[..., 1] - next_corner[..., 1] * last_corner[..., 0]
        ) / doubled_areas[triangle, None]
        # Depth of the triangle there minus that of the place, [m]; 0 outside the triangle.
        differences = np.where(
            (shares > 0).all(axis=1),
            (shares * corners[..., 2]).sum(axis=1) - pair_places[:, 2],
            0.0,
        )
        has_behind[place[differences > _FOLD_DEPTH]] = True
        # Depths that differ by less than `_SAME_DEPTH`, [m], count as equal.
        has_before[place[differences < -_SAME_DEPTH]] = True
    return _Overlaps(has_behind, has_before)


def _length(line: Floats) -> float:
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


def _runs(corners: Floats, is_chosen: Booleans) -> list[Floats]:
    """Return the runs of chosen edges of a closed line, as open lines of shape (N, 2).

    A run is a longest sequence of chosen edges, one after another.

    Args:
        corners: corners of the line, shape (E, 2).
        is_chosen: whether each edge is chosen, shape (E,); edge i begins at corner i.
    """
    if not is_chosen.any():
        return []
    if is_chosen.all():
        return [np.concatenate([corners, corners[:1]])]
    # The line is rotated so that it begins with an edge that is not chosen, and no run crosses its
    # end.
    shift = -int(np.argmin(is_chosen))
    rotated = np.roll(corners, shift, axis=0)
    closed = np.concatenate([rotated, rotated[:1]])
    # Changes come in pairs: the first edge of a run, and the edge behind its last one.
    changes = np.flatnonzero(np.diff(np.roll(is_chosen, shift), append=False)) + 1
    return [closed[start : end + 1] for start, end in changes.reshape(-1, 2)]


_SLEEVES = "deltoid", "upper arm", "upper arm, untwisted"
_CLOTHES = "shirt", "trousers"
_SMOOTHING_DISTANCE = 0.008  # m; standard deviation of the weights of cloth around a point
# The space of a neck: its radius, and how far it reaches below and above its joint, [m].
_NECK_RADIUS = 0.1
_NECK_BELOW = 0.16
_NECK_ABOVE = 0.12
_BESIDE_NECK = 0.25  # share of its width by which a collar hides a neck beside it
_WITHIN_COLLAR = 0.004  # m; how far a neck goes on below the top of its collar
_POINTS_AT_ONCE = 500
_SECTORS = 24  # of a collar, in each of which its top is looked for
_HARMONICS = 3  # of the curve through these


def cutting_values(level: SkinLevel) -> Floats:
    """Return values at the V points of a skin, shape (V,), along whose zero line it is cut.

    The skin is a triangle mesh of body and clothes. It is cut so that a line drawing has an outline
    at each hem. Values are negative on sleeves, and on everything within clothes.

    Args:
        level: a level of detail of the skin.
    """
    # Points at rest, [m]; middles and outward normals of triangles.
    points: Floats = level.points.astype(float) * float(UNIT)
    # Each point has the cover of its part of the body: skin, shirt, trousers and so on.
    is_shirt = level.covers == COVERS.index("shirt")
    corners = points[level.triangles]
    middles = corners.mean(axis=1)
    covers = level.covers[level.triangles[:, 0]]
    normals = unit(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    values = np.ones(len(points))

    # For points near a garment, the value is the height above it, [m].
    for cover in (COVERS.index(name) for name in _CLOTHES):
        cloth = middles[covers == cover]
        cloth_normals = normals[covers == cover]
        is_near = ((points > cloth.min(axis=0)) & (points < cloth.max(axis=0))).all(axis=1)
        near_points = np.flatnonzero((level.covers != cover) & ~is_shirt & is_near)
        # Some points are done at a time, to limit the memory for all pairs.
        chunk_count = len(near_points) // _POINTS_AT_ONCE + 1
        for chunk in np.array_split(near_points, chunk_count):
            heights = _heights_above_cloth(points[chunk], cloth, cloth_normals)
            values[chunk] = np.minimum(values[chunk], heights)

    # For the neck, it is the height above the collar, [m].
    is_neck = _around_neck(points) & (level.covers == COVERS.index("skin"))
    values[is_neck] = Collar.from_level(level).heights(points[is_neck]) + _WITHIN_COLLAR

    # For the shirt, it is negative where the bones of the arm have more than half of the skinning
    # weights, which are in 255ths.
    is_arm_bone = np.array([name.partition(" ")[2] in _SLEEVES for name in NAMES])
    influence_of_arm = (level.shares * is_arm_bone[level.bones])[is_shirt].sum(axis=1) / 255
    values[is_shirt] = 0.5 - influence_of_arm
    return values


def _heights_above_cloth(points: Floats, cloth: Floats, normals: Floats) -> Floats:
    """Return the heights of points above a cloth, shape (N,), [m]; negative within it.

    It is the mean of the heights above the planes of all triangles, weighted by a Gaussian function
    of the distance from their middles, with the standard deviation `_SMOOTHING_DISTANCE`, [m].

    Args:
        points: shape (N, 3), [m].
        cloth: middles of its triangles, shape (F, 3), [m].
        normals: normals of these, outward unit vectors, shape (F, 3).
    """
    # All distances at once: |p − q|² = p² + q² − 2 p·q.
    squared_distances = (
        (points**2).sum(axis=1)[:, None] + (cloth**2).sum(axis=1) - 2 * points @ cloth.T
    )
    # The least square is subtracted, so that not all weights of a point round to 0. This scales
    # them all by the same factor.
    least_squared = squared_distances.min(axis=1, keepdims=True)
    weights = np.exp((least_squared - squared_distances) / (2 * _SMOOTHING_DISTANCE**2))
    # The height of p above the plane through q with normal n is (p − q)·n.
    heights = points @ normals.T - (cloth * normals).sum(axis=1)
    mean_heights: Floats = (weights * heights).sum(axis=1) / weights.sum(axis=1)
    return mean_heights


@dataclass(frozen=True)
class Collar:
    """The top of a shirt's collar: a ring, whose normals do not tell which points are within it.

    Args:
        axis: its middle, (3,), [m].
        tops: numbers of points on it, in order around the neck.
        coefficients: coefficients of `_fourier_terms`, for how high it is at an angle around the
            axis, [m].
    """

    axis: Floats
    tops: Integers
    coefficients: Floats

    @classmethod
    def from_level(cls, level: SkinLevel) -> Collar:
        """Return the collar of a level of detail: the shirt's highest points around the neck.

        Args:
            level: level of the skin; points are in units of `UNIT`, [m], and `covers` says what
                covers each.
        """
        # Points of the shirt near the neck, at rest, [m].
        points: Floats = level.points.astype(float) * float(UNIT)
        ring = np.flatnonzero((level.covers == COVERS.index("shirt")) & _around_neck(points))
        near = points[ring]
        # The upright axis of the neck goes through the mean of the upper half of them.
        axis: Floats = near[near[:, 1] > np.median(near[:, 1])].mean(axis=0)
        # The highest point in each sector around the axis. Through their heights goes a smooth
        # curve: a Fourier series of the angle, fitted by least squares.
        angles = _angles_around(axis, near)
        sectors = ((angles / (2 * np.pi) + 0.5) * _SECTORS).astype(int) % _SECTORS
        points_of_sectors = (np.flatnonzero(sectors == sector) for sector in np.unique(sectors))
        tops = np.array([members[near[members, 1].argmax()] for members in points_of_sectors])
        coefficients, *_residuals = np.linalg.lstsq(_fourier_terms(angles[tops]), near[tops, 1])
        return cls(axis=axis, tops=ring[tops], coefficients=coefficients)

    def heights(self, points: Floats) -> Floats:
        """Return heights of points at rest above the collar, shapes (N, 3) to (N,), [m]."""
        angles = _angles_around(self.axis, points)
        heights: Floats = points[:, 1] - _fourier_terms(angles) @ self.coefficients
        return heights

    def collar_signed_distances(self, points: Floats, scale: float) -> Floats:
        """Return signed distances of V points from what the nearer half of the collar hides, (V,).

        A point is hidden if it is below the rim of the collar on paper, behind the rim in depth,
        and within the width of the rim. The value is the greatest of these three signed distances,
        [mm]; it is negative for a hidden point.

        Args:
            points: all points of the skin, right and down on the sheet [mm], and their depths [m],
                shape (V, 3).
            scale: scale of the body, [mm on paper per metre].
        """
        # The nearer half of the rim, from left to right.
        rim = points[self.tops]
        rim = rim[rim[:, 2] <= rim[:, 2].mean()]
        rim = rim[np.argsort(rim[:, 0])]
        # Distances of each point above the rim, in front of it, and to the side of it, [mm].
        x, y, depths = points.T
        above = np.interp(x, rim[:, 0], rim[:, 1]) - y
        before = scale * (np.interp(x, rim[:, 0], rim[:, 2]) - depths)
        # A neck is a little wider than its collar, which hides the neck beside it by `_BESIDE_NECK`
        # of its width.
        margin = _BESIDE_NECK * (rim[-1, 0] - rim[0, 0])
        beside = np.maximum(rim[0, 0] - x, x - rim[-1, 0]) - margin
        return np.maximum(np.maximum(above, before), beside)


def _around_neck(points: Floats) -> Booleans:
    """Return whether points of the body at rest, shape (N, 3), are in the space of its neck."""
    x, y, z = points.T
    neck_x, neck_y, neck_z = load_skin().skeleton.joints[Joint.NECK]
    near_axis: Booleans = np.hypot(x - neck_x, z - neck_z) < _NECK_RADIUS
    return near_axis & (y > neck_y - _NECK_BELOW) & (y < neck_y + _NECK_ABOVE)


def _angles_around(axis: Floats, points: Floats) -> Floats:
    """Return angles of points, shape (N, 3), around an upright axis through a point, shape (3,)."""
    return np.arctan2(points[:, 0] - axis[0], points[:, 2] - axis[2])


def _fourier_terms(angles: Floats) -> Floats:
    """Return 1, and cosines and sines of multiples of angles, shape (N, 2 · `_HARMONICS` + 1)."""
    multiples = angles[:, None] * np.arange(1, _HARMONICS + 1)
    return np.hstack([np.ones((len(angles), 1)), np.cos(multiples), np.sin(multiples)])


@dataclass(frozen=True)
class SkinCut:
    """Triangles after a cut.

    Args:
        triangles: shape (F, 3), numbers of points, of which there are more than before.
        sources: shape (F,), index of the triangle before the cut of which each is a part.
        beyond: shape (F,), whether it is on the side of the cut where the values are negative.
        between: shape (N, 2), the points between which each further point lies.
        shares: shape (N, 1), how far it is on the way to the second.
        places: shape (V + N,), one number for all points at one place.
    """

    triangles: Integers
    sources: Integers
    beyond: Booleans
    between: Integers
    shares: Floats
    places: Integers

    def extended(self, points: Floats) -> Floats:
        """Return all points, from those before the cut; shapes (V, 3) and (V + N, 3)."""
        start, end = (points[self.between[:, side]] for side in (0, 1))
        return np.concatenate([points, start + self.shares * (end - start)])


def cut_skin(triangles: Integers, values: Floats, places: Integers) -> SkinCut:
    """Return triangles split along the zero line of a function, given at points, linear on edges.

    A triangle with a lone corner on one side becomes three: the part at that corner, and two that
    make up the quadrilateral on the other side.

    Args:
        triangles: shape (F, 3), indices of points.
        values: values of all V points, shape (V,).
        places: shape (V,); points at the same position have the same number.

    Returns:
        All triangles, first those that are not split, each with its source triangle and whether its
        values are negative; and the new points on edges, with indices from V on.
    """
    is_negative = values[triangles] < 0
    negative_corners = is_negative.sum(axis=1)
    is_crossed = negative_corners % 3 > 0  # 1 or 2 corners of 3
    crossed = np.flatnonzero(is_crossed)
    whole = np.flatnonzero(~is_crossed)
    # The lone corner is the negative one if there is just one, else the positive one. Corners are
    # rotated so that it comes first, by which triangles keep their orientation.
    is_lone = is_negative[crossed] == (negative_corners[crossed, None] == 1)
    lone_corner = is_lone.argmax(axis=1)
    order = (lone_corner[:, None] + np.arange(3)) % 3
    lone, second, third = np.take_along_axis(triangles[crossed], order, axis=1).T

    # New points where the value is 0, on both edges at the lone corner. Two triangles with a common
    # edge have each a point there, with the same place number.
    between = np.concatenate([np.stack([lone, second], axis=-1), np.stack([lone, third], axis=-1)])
    share = values[between[:, 0]] / (values[between[:, 0]] - values[between[:, 1]])
    _edges, new_places = np.unique(np.sort(places[between], axis=1), axis=0, return_inverse=True)
    new_points = len(places) + np.arange(len(between))
    on_second = new_points[: len(crossed)]
    on_third = new_points[len(crossed) :]

    at_lone_corner = np.stack([lone, on_second, on_third], axis=-1)
    at_second_corner = np.stack([on_second, second, third], axis=-1)
    at_third_corner = np.stack([on_second, third, on_third], axis=-1)
    is_lone_negative = is_negative[crossed, lone_corner]
    return SkinCut(
        triangles=np.concatenate(
            [triangles[whole], at_lone_corner, at_second_corner, at_third_corner]
        ),
        sources=np.concatenate([whole, crossed, crossed, crossed]),
        beyond=np.concatenate(
            [is_negative[whole, 0], is_lone_negative, ~is_lone_negative, ~is_lone_negative]
        ),
        between=between,
        shares=share[:, None],
        places=np.concatenate([places, places.max() + 1 + new_places.ravel()]),
    )
