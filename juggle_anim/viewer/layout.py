"""Layout: places of the panel and cards, the free part, and projected points."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera, Viewport

Point = tuple[float, float]
"""x and y in the window, [pixels] from its upper left corner."""


@dataclass(frozen=True)
class Rectangle:
    """A rectangle in the window, [pixels] from the upper left corner of the window."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge, [pixels]."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge, [pixels]."""
        return self.top + self.height

    @property
    def middle(self) -> float:
        """The y of its middle, [pixels]."""
        return self.top + self.height / 2

    @property
    def centre(self) -> float:
        """The x of its middle, [pixels]."""
        return self.left + self.width / 2

    @property
    def size(self) -> tuple[float, float]:
        """Its width and height, [pixels]."""
        return self.width, self.height

    @property
    def low(self) -> Point:
        """Its upper left corner, [pixels]."""
        return self.left, self.top

    @property
    def high(self) -> Point:
        """Its lower right corner, [pixels]."""
        return self.right, self.bottom

    def inset(self, by: float) -> Rectangle:
        """Return the rectangle without a margin along its edges, [pixels]; negative to add one."""
        return Rectangle(self.left + by, self.top + by, self.width - 2 * by, self.height - 2 * by)

    def on_pixels(self) -> Rectangle:
        """Return the rectangle with its edges on whole pixels, as those of a card always are."""
        left = round(self.left)
        top = round(self.top)
        return Rectangle(left, top, round(self.right) - left, round(self.bottom) - top)

    def covers(self, x: float, y: float) -> bool:
        """Return whether a point is in it."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def contains(self, other: Rectangle) -> bool:
        """Return whether another rectangle lies in it, up to its edges."""
        is_within_width = self.left <= other.left and other.right <= self.right
        return is_within_width and self.top <= other.top and other.bottom <= self.bottom

    def overlaps(self, other: Rectangle) -> bool:
        """Return whether it has points in common with another rectangle."""
        is_beside = other.right <= self.left or self.right <= other.left
        return not (is_beside or other.bottom <= self.top or self.bottom <= other.top)


@dataclass(frozen=True)
class Layout:
    """Places in a window of `width` × `height` pixels.

    Args:
        scale: size of texts and gaps over their size at 96 dpi.
        panel: room for the panel; None if it is hidden.
        bar: bar of the transport; None if it is hidden.
        strip: strip of plots, a diagram or the arm lab, above the bar; None if there is none.
        head: of the beats, at the top of the picture; None if there are none.
        film: area of a film beside the picture; None if there is none.
    """

    width: int
    height: int
    scale: float
    panel: Rectangle | None = None
    bar: Rectangle | None = None
    strip: Rectangle | None = None
    head: Rectangle | None = None
    film: Rectangle | None = None

    @property
    def window(self) -> Rectangle:
        """The whole window."""
        return Rectangle(0.0, 0.0, float(self.width), float(self.height))

    def place_of(self, area: Viewport) -> Rectangle:
        """Return the rectangle of a viewport, whose rows OpenGL counts from below, [pixels]."""
        top = self.height - area.bottom - area.height
        return Rectangle(area.left, top, area.width, area.height)

    @property
    def free(self) -> Rectangle:
        """The part that neither a card nor a film beside it covers."""
        left = self.film.right if self.film else self.panel.right if self.panel else 0.0
        lowest = self.strip or self.bar
        bottom = lowest.top if lowest else float(self.height)
        top = self.head.bottom if self.head else 0.0
        return Rectangle(left, top, self.width - left, bottom - top)

    @property
    def shift(self) -> tuple[float, float]:
        """Offset of the free part's middle, right and up, in half heights of the window."""
        free = self.free
        half = self.height / 2
        return (free.centre - self.width / 2) / half, (half - free.middle) / half

    def with_film(self) -> Layout:
        """Return the layout with a film in the left half of the free part."""
        free = self.free
        return replace(self, film=replace(free, width=free.width // 2))


WIDTH = 1280
HEIGHT = 800
"""The size of a new window on a screen that is large enough, at 96 dpi, [pixels]."""

MIN_SIZE = 440, 330
"""A window smaller than this, [pixels], shows the picture alone."""

BEATS_HEIGHT = 40.0
"""Height of the beats, at scale 1, [pixels]."""

# All at scale 1, [pixels].
_BAR_WIDTH = 620.0
_MIN_SPACE_BESIDE_BAR = 90.0  # with less, the bar takes all of the width
_BAR_HEIGHT = 44.0
_PANEL_WIDTHS = 236.0, 300.0
_STRIP_HEIGHTS = 132.0, 216.0
_WIDE_WINDOW = 900.0  # from this width on, gaps are larger

# Shares of the window.
_PANEL_SHARE = 0.3
_STRIP_SHARE = 0.3
_MAX_DIAGRAM_SHARE = 0.38


def scale_in_window(screen_scale: float, width: int, height: int) -> float:
    """Return the usual size of texts and gaps in a window over that at 96 dpi.

    Of how much larger than a new window it is, texts and the room for them each take the root.

    Args:
        screen_scale: scale of its screen, 1 at 96 dpi.
        width, height: size of the window, [pixels].
    """
    largeness = min(width / WIDTH, height / HEIGHT) / screen_scale
    return screen_scale * math.sqrt(max(largeness, 1.0))


def arrange(
    width: int,
    height: int,
    text_scale: float,
    *,
    shown: bool,
    plots: bool = False,
    beats: bool = False,
    diagram_height: float = 0.0,
) -> Layout:
    """Return the layout of a window: the panel at the left, all other cards right of it.

    Args:
        width, height: size of the window, [pixels].
        text_scale: preferred ratio of the size of texts and gaps to that at 96 dpi; reduced where
            the window has no room for it.
        shown: whether there are cards at all; in a window smaller than `MIN_SIZE` there are none.
        plots: whether there is a strip above the bar, for plots or diagrams.
        beats: whether there is a line of beats, the head, at the upper edge.
        diagram_height: preferred height of a diagram in the strip, at scale 1, [pixels]; 0 for
            plots.
    """
    # 640 by 480 pixels have just room for all cards at scale 1.
    scale = min(text_scale, width / 640, height / 480)
    if not shown or width < MIN_SIZE[0] or height < MIN_SIZE[1]:
        return Layout(width, height, scale)
    unscaled_width = width / scale
    gap = scale * (8 if unscaled_width < _WIDE_WINDOW else 14)
    # The panel takes a share of the width, within bounds at scale 1, [pixels].
    narrowest, widest = _PANEL_WIDTHS
    panel_width = scale * min(max(_PANEL_SHARE * unscaled_width, narrowest), widest)
    panel = Rectangle(gap, gap, panel_width, height - 2 * gap)
    # The area right of the panel has the bar at the bottom, the strip above it, and the head with
    # the beats at the top. A bar that would leave only a narrow space beside it takes it all.
    left = panel.right + gap
    free_width = width - left - gap
    has_space_beside_bar = free_width >= (_BAR_WIDTH + _MIN_SPACE_BESIDE_BAR) * scale
    bar_width = _BAR_WIDTH * scale if has_space_beside_bar else free_width
    bar_height = _BAR_HEIGHT * scale
    bar = Rectangle(
        left + (free_width - bar_width) / 2, height - gap - bar_height, bar_width, bar_height
    )
    strip = None
    if plots:
        lowest, highest = (scale * limit for limit in _STRIP_HEIGHTS)
        preferred_height = _STRIP_SHARE * height
        if diagram_height:  # diagrams may be higher than plots
            preferred_height = diagram_height * scale
            highest = max(_MAX_DIAGRAM_SHARE * height, lowest)
        strip_height = min(max(preferred_height, lowest), highest)
        strip = Rectangle(left, bar.top - gap - strip_height, free_width, strip_height)
    head = Rectangle(bar.left, gap, bar_width, BEATS_HEIGHT * scale) if beats else None
    return Layout(width, height, scale, panel=panel, bar=bar, strip=strip, head=head)


def project_points(
    points: Floats, camera: Camera, place: Rectangle, matrix: Floats | None = None
) -> Floats:
    """Project points of the world into a picture that is somewhere in the window.

    Args:
        points: shape (N, 3), in the world, [m].
        camera: camera of the picture.
        place: place of the picture in the window, [pixels].
        matrix: the camera's projection times view, shape (4, 4); None to compute it here.

    Returns:
        Shape (N, 2), [pixels] from the window's upper left corner; NaN behind the camera.
    """
    if matrix is None:
        matrix = camera.projection(place.width / place.height) @ camera.view()
    clip = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    # Normalized device coordinates, −1 to 1 in the picture, are clip coordinates divided by w. In
    # perspective w is the depth, [m], and points before the near plane have no image. In an
    # orthographic projection w is 1.
    depth = clip[:, 3:]
    if not camera.orthographic:
        depth = np.where(depth > camera.near, depth, np.nan)
    ndc_x, ndc_y = (clip[:, :2] / depth).T
    x = (1 + ndc_x) / 2 * place.width
    y = (1 - ndc_y) / 2 * place.height
    return np.column_stack([place.left + x, place.top + y])
