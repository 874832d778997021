"""What stands on a drawing, for tests that look at it."""

from itertools import combinations

import numpy as np

from juggle_anim.diagrams import Diagram, Drawing, Label, Pill, Stroke

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, [mm]."""


def nodes(drawing: Drawing) -> dict[tuple[float, float], str]:
    """Words in frames, by their places."""
    framed = {mark.centre for mark in drawing.marks if isinstance(mark, Pill) and mark.outline}
    return {
        mark.at: mark.text
        for mark in drawing.marks
        if isinstance(mark, Label) and mark.at in framed
    }


def words(drawing: Drawing) -> list[str]:
    """All words, in their order."""
    return [mark.text for mark in drawing.marks if isinstance(mark, Label)]


def overlaps(drawing: Drawing) -> list[tuple[str, str]]:
    """Pairs of words that lie over each other, frames counted to their words."""
    boxes = [(mark.text, _box(mark, drawing)) for mark in drawing.marks if isinstance(mark, Label)]
    return [(one, other) for (one, a), (other, b) in combinations(boxes, 2) if _meet(a, b)]


def outside(drawing: Drawing) -> list[str]:
    """What lies beyond the edge of the sheet."""
    boxes = [(mark.text, _box(mark, drawing)) for mark in drawing.marks if isinstance(mark, Label)]
    for mark in drawing.marks:
        if isinstance(mark, Stroke):
            boxes += [("line", (x, y, x, y)) for x, y in (mark.points[0], mark.points[-1])]
    sheet = drawing.width, drawing.height
    return [
        name for name, box in boxes if min(box[:2]) < 0 or box[2] > sheet[0] or box[3] > sheet[1]
    ]


def beyond_rows(diagram: Diagram) -> list[Stroke]:
    """Curves that leave the rows."""
    share = np.linspace(0.0, 1.0, 50)[:, None]
    basis = np.hstack(
        [(1 - share) ** 3, 3 * (1 - share) ** 2 * share, 3 * (1 - share) * share**2, share**3]
    )
    side = 0 if diagram.down else 1
    edges = [(row.corner[side] - 1e-6, row.corner[side] + row.depth + 1e-6) for row in diagram.rows]
    curves = [
        mark for mark in diagram.drawing.marks if isinstance(mark, Stroke) and len(mark.points) == 4
    ]
    ways = [(curve, (basis @ np.array(curve.points))[:, side]) for curve in curves]
    return [
        curve
        for curve, way in ways
        if not any(low <= way.min() and way.max() <= high for low, high in edges)
    ]


def _box(label: Label, drawing: Drawing) -> Box:
    for mark in drawing.marks:
        if isinstance(mark, Pill) and mark.outline and mark.centre == label.at:
            width, height = mark.width, mark.height
            break
    else:
        # Letters of Inter are this wide in the mean.
        width, height = 0.5 * label.size * len(label.text), 0.75 * label.size
    left = label.at[0] - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.align]
    return left, label.at[1] - height / 2, left + width, label.at[1] + height / 2


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
