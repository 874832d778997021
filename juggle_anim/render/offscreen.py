"""Pictures without a window."""

from __future__ import annotations

import sys
from types import TracebackType

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import RenderError
from juggle_anim.render.canvas import Canvas
from juggle_anim.render.egl import EglContext
from juggle_anim.render.hidden_window import HiddenWindow
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
                self._canvas = Canvas(width, height)
                self._renderer = Renderer()
        except BaseException:
            self._context.close()
            raise

    def image(self, scene: Scene) -> Bytes:
        """Picture of a scene: shape (height, width, 3; 4 where transparent), sRGB, top row first."""
        with self._context:
            self.draw(scene)
            return self.read()

    def draw(self, scene: Scene) -> None:
        """Draw a scene, to be read afterwards."""
        with self._context:
            self._renderer.draw(scene, self.width, self.height, self._canvas.framebuffer, self.transparent)

    def read(self, out: Bytes | None = None) -> Bytes:
        """The picture drawn last.

        Args:
            out: array to fill, shape (height, width, 3 or 4); without it a new one is made.

        Returns:
            That array: sRGB, top row first.
        """
        shape = (self.height, self.width, 4 if self.transparent else 3)
        filled = np.empty(shape, dtype=np.uint8) if out is None else out
        with self._context:
            self._canvas.read(filled)
        return filled

    def close(self) -> None:
        """Give everything back; a second time does nothing."""
        if self._context.closed:
            return
        with self._context:
            self._renderer.close()
            self._canvas.close()
        self._context.close()

    def __enter__(self) -> Offscreen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
