"""Pictures without a window."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import TracebackType

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import RenderError
from juggle_anim.render import gl
from juggle_anim.render.context import EglContext, HiddenWindow
from juggle_anim.render.framebuffer import Canvas
from juggle_anim.render.renderer import Renderer
from juggle_anim.scene.scene import Scene


class Offscreen:
    """Draws scenes into memory: `with Offscreen(640, 480) as offscreen: picture = offscreen.image(scene)`.

    It has an OpenGL context of its own, which is current only inside its methods: a window open in the same process
    keeps working.

    Args:
        width, height: of the pictures, [pixels].
        transparent: whether pictures have a fourth channel, alpha, and nothing behind people and props. Their colours
            are premultiplied by it.

    Raises:
        RenderError: no OpenGL 3.3, or a size that the driver refuses.
    """

    def __init__(self, width: int, height: int, transparent: bool = False) -> None:
        self.width, self.height, self.transparent = width, height, transparent
        if width < 1 or height < 1:
            raise RenderError(f"a picture cannot be {width}×{height} pixels: each edge must be at least 1")
        self._context: EglContext | HiddenWindow = EglContext() if sys.platform.startswith("linux") else HiddenWindow()
        try:
            with self._context:
                self._canvases = [Canvas(width, height)]
                self._renderer = Renderer()
        except BaseException:
            self._context.close()
            raise

    def image(self, scene: Scene) -> Bytes:
        """Picture of a scene: shape (height, width, 3; 4 where transparent), sRGB, top row first."""
        with self._context:
            self.draw(scene)
            return self.read()

    def images(self, scenes: Iterable[Scene]) -> Iterator[Bytes]:
        """Pictures of scenes, as `image` gives them.

        While one is read, the driver draws the next already, so that this takes less time than one by one; unless they
        are so large that two would fill the memory. Nothing else may be drawn until this ends or is closed.
        """
        if self.width * self.height > _LARGE:
            yield from map(self.image, scenes)
            return
        before: Canvas | None = None
        for scene in scenes:
            with self._context:
                canvas = self._other_than(before)
                self._draw(scene, canvas)
                gl.glFlush()
                picture = self._read(before, self._empty()) if before else None
            before = canvas
            if picture is not None:
                yield picture
        if before:
            with self._context:
                picture = self._read(before, self._empty())
            yield picture

    def draw(self, scene: Scene) -> None:
        """Draw a scene, to be read afterwards."""
        with self._context:
            self._draw(scene, self._canvases[0])

    def read(self, out: Bytes | None = None) -> Bytes:
        """The picture that `draw` drew last.

        Args:
            out: array to fill, shape (height, width, 3 or 4); without it a new one is made.

        Returns:
            That array: sRGB, top row first.
        """
        with self._context:
            return self._read(self._canvases[0], self._empty() if out is None else out)

    def close(self) -> None:
        """Give everything back; a second time does nothing."""
        if self._context.closed:
            return
        with self._context:
            self._renderer.close()
            for canvas in self._canvases:
                canvas.close()
        self._context.close()

    def __enter__(self) -> Offscreen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _draw(self, scene: Scene, canvas: Canvas) -> None:
        self._renderer.draw(scene, self.width, self.height, canvas.framebuffer, self.transparent)

    def _read(self, canvas: Canvas, out: Bytes) -> Bytes:
        canvas.read(out)
        return out

    def _empty(self) -> Bytes:
        return np.empty((self.height, self.width, 4 if self.transparent else 3), dtype=np.uint8)

    def _other_than(self, canvas: Canvas | None) -> Canvas:
        """A canvas to draw into while that one is read."""
        if canvas is None:
            return self._canvases[0]
        if len(self._canvases) == 1:
            self._canvases.append(Canvas(self.width, self.height))
        return self._canvases[canvas is self._canvases[0]]


_LARGE = 16_000_000
"""More pixels than this are drawn one picture at a time."""
