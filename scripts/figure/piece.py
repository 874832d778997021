"""A piece of the figure: a closed surface of one material."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from figure.shapes import Chain, Distance, Shape, union
from juggle_anim.arrays import Floats


@dataclass(frozen=True)
class Piece:
    """A closed surface of one material.

    Args:
        cover: what it is made of.
        shapes: that it is the union of.
        low, high: corners of a box around it, [m].
        step: of the grid, [m].
        triangles: how many it has in each level of detail.
        mirrored: whether there is another on the right.
        whole: the distance of all of them together, if that is not their smooth union.
        over: distances of what it lies on: what is inside these is cut off.
        clear: how far above these it ends, so that its edge shows, [m].
        lift: how far out it is moved in each level of detail, [m].
        laid_on: distance of what its edge is laid down on; None for an edge that is left as it is.
        hems: heights above edges of cloth, which are turned in.
        under: distance of the skin that cloth which is turned in ends on; None for none.
        dyed: covers of parts of it, and distances of these; earlier ones go before later ones.
        evened: width over which weights of bones are evened out along the surface, as cloth hands
            on what pulls it, [m].
        follows: a call for the weights of bones of what it lies on, and by which share it has these
            at points, shape (N, 3) to (N,); None for a piece that moves by its own.
        lit: the distance of another shape that light falls on it as on; None for its own.
        lit_over: how far to either side light falls on it as on one form, as a share of the sides
            of its triangles: what is finer than these would be single bright and dark ones.
        facing: the way that it faces at points, shape (N, 3) both, as light falls on it; edges of
            its triangles run along that form. None for the slope of `lit`.
        sharp: whether it has sharp edges.
        part: the one of `skin.PARTS` that it belongs to; None for what all people show.
    """

    cover: str
    shapes: Sequence[Shape]
    low: Floats | Sequence[float]
    high: Floats | Sequence[float]
    step: float
    triangles: tuple[int, int, int]
    mirrored: bool = False
    whole: Distance | None = None
    over: tuple[Distance, ...] = ()
    clear: float = 0.0006
    lift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    laid_on: Distance | None = None
    hems: tuple[Distance, ...] = ()
    under: Distance | None = None
    dyed: tuple[tuple[str, Distance], ...] = ()
    evened: float = 0.0
    follows: tuple[Callable[[], Chain], Callable[[Floats], Floats]] | None = None
    lit: Distance | None = None
    lit_over: float = 0.0
    facing: Callable[[Floats], Floats] | None = None
    sharp: bool = False
    part: str | None = None

    def distance(self, points: Floats) -> Floats:
        """The signed distance of points."""
        return self.whole(points) if self.whole else union(self.shapes, points)
