"""Marks at the upper edge of a picture, below props that fly higher than it shows."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.render.backdrop import FilmLayer
from juggle_anim.render.framebuffer import RenderTarget, Viewport
from juggle_anim.resources import resource
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.palette import Colour
from juggle_anim.scene.scene import Flying, Scene, Stage

_ROWS = 3  # of marks at most, so that they leave people free
_LETTER_SHARE = 0.023  # height of letters, over the shorter edge of the picture
_LEAST_LETTERS = 10  # pixels, below which digits are not read
_ARROW_FINER = 8  # arrows are drawn so many times as large and averaged
_DARK_INK = (45, 50, 56, 255)  # sRGB and opacity, on bright stages
_LIGHT_INK = (225, 230, 236, 255)
_BRIGHT = 0.5  # backdrops that are brighter in any channel have dark ink


class EdgeMarks:
    """Draws the marks: an arrow in the colour of the prop, and the time until it is caught, [s]."""

    def __init__(self) -> None:
        """Build no program before the first mark is drawn."""
        self._layer: FilmLayer | None = None

    def draw(self, scene: Scene, camera: Camera, target: RenderTarget, area: Viewport) -> None:
        """Draw the marks of a scene into the bound framebuffer, without depth.

        Args:
            scene: whose props fly.
            camera: of the picture, which in stereo is that of one eye.
            target: the framebuffer, and how to draw into it.
            area: the viewport of the camera.
        """
        visible = Viewport(*area.drawn(target.kept))
        top = area.bottom + area.height - target.covered
        letters = max(round(_LETTER_SHARE * min(area.width, area.height)), _LEAST_LETTERS)
        ink = _ink(scene.stage)
        # In each row the left and right ends of marks. Those that overlap go below, and those that
        # come back last have none where rows are full.
        rows: list[list[tuple[int, int]]] = [[] for _row in range(_ROWS)]
        for seconds, middle, colour in _marks(scene, camera, area, target.covered):
            self._layer = self._layer or FilmLayer()
            label = _label(f"{seconds:.1f} s", colour, letters, ink)
            height, width = label.shape[:2]
            left = max(min(middle - letters // 2, area.left + area.width - width), area.left)
            for row, taken in enumerate(rows):
                if all(left >= end or left + width <= start for start, end in taken):
                    taken.append((left, left + width))
                    place = Viewport(left, top - (row + 1) * height, width, height)
                    self._layer.draw(label, place, visible, 1.0)
                    break

    def close(self) -> None:
        """Delete all OpenGL objects."""
        if self._layer:
            self._layer.close()


def _marks(
    scene: Scene, camera: Camera, area: Viewport, covered: int
) -> list[tuple[float, int, Colour]]:
    """Return the times that marks say, the first to come back first, where, and of what colour.

    Args:
        scene, camera, area: as of `EdgeMarks.draw`.
        covered: how many rows at the top are covered, [pixels].

    Returns:
        Of each mark [s], the column of pixels, and sRGB from 0 to 1.
    """
    flying = scene.flying[scene.flying[:, Flying.UNTIL] > 0.0]
    if not len(flying):
        return []
    projection = camera.projection(area.width / area.height)
    centres = np.column_stack([flying[:, Flying.CENTRE], np.ones(len(flying))])
    across, up, _depth, away = projection @ camera.view() @ centres.T
    # A prop is above the picture if even its lowest point is.
    low = up - projection[1, 1] * flying[:, Flying.RADIUS]
    edge = 1.0 - 2.0 * covered / area.height
    above = (away > 0.0) & (low > edge * away) & (np.abs(across) < away)
    columns = area.left + 0.5 * area.width * (1.0 + across[above] / away[above])
    flying = flying[above]
    return sorted(
        (until, round(column), tuple(colour))
        for column, colour, until in zip(
            columns.tolist(),
            flying[:, Flying.COLOUR].tolist(),
            flying[:, Flying.UNTIL].tolist(),
            strict=True,
        )
    )


def _ink(stage: Stage) -> tuple[int, int, int, int]:
    """The colour of letters before a stage."""
    return _DARK_INK if max(stage.backdrop_top) > _BRIGHT else _LIGHT_INK


@lru_cache(maxsize=256)
def _label(text: str, colour: Colour, letters: int, ink: tuple[int, int, int, int]) -> Bytes:
    """Return the picture of a mark, shape (height, width, 4), straight alpha.

    Args:
        text: beside the arrow.
        colour: of the arrow, sRGB from 0 to 1.
        letters: height of the letters, [pixels].
        ink: their colour.
    """
    # Pillow is loaded at the first mark: most pictures have none.
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(
        str(resource("assets", "fonts/Inter-SemiBold.ttf")),
        letters,
        layout_engine=ImageFont.Layout.BASIC,
    )
    gap = letters // 3
    size = letters + 2 * gap + round(font.getlength(text)), letters + 2 * gap
    image = Image.new("RGBA", size, (*ink[:3], 0))
    ImageDraw.Draw(image).text((letters + gap, gap + letters), text, ink, font, anchor="ls")

    # An arrow that points up, as wide as high, its edges smoothed.
    edge = _ARROW_FINER * letters
    mask = Image.new("L", (edge, edge))
    corners = [(0, 0.93 * edge), (edge / 2, 0.07 * edge), (edge, 0.93 * edge)]
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    mask = mask.resize((letters, letters), Image.Resampling.BOX)
    red, green, blue = (round(255 * part) for part in colour)
    image.paste((red, green, blue, 255), (0, gap), mask)
    pixels: Bytes = np.asarray(image)
    return pixels
