"""Offscreen rendering: scenes drawn into arrays, without a window."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import RenderError
from juggle_anim.language import _
from juggle_anim.render import gl
from juggle_anim.render.context import EglContext, HiddenWindow
from juggle_anim.render.gl_objects import Canvas, RenderTarget
from juggle_anim.render.renderer import Renderer
from juggle_anim.scene import Scene


class Offscreen:
    """Draws scenes into arrays.

    Use it as `with Offscreen(640, 480) as offscreen: picture = offscreen.image(scene)`.

    Its OpenGL context is current only inside its methods, so a window in the same process keeps
    working.

    Args:
        width, height: of the pictures, [pixels].
        transparent: whether pictures have an alpha channel in place of a backdrop; colours are
            premultiplied.
        shadows: whether they have shadows on the floor.
        deep: whether pictures are of 16-bit numbers, `Words` wherever `Bytes` stands here.

    Raises:
        RenderError: OpenGL 3.3 is not available, or the driver refuses the size.
    """

    def __init__(
        self,
        width: int,
        height: int,
        transparent: bool = False,
        shadows: bool = True,
        deep: bool = False,
    ) -> None:
        """Create a context without a window, and a canvas in it.

        Args:
            width, height: of pictures, [pixels].
            transparent: whether the background is transparent.
            shadows: whether shadows are drawn.
            deep: whether colours have 16 bits a channel instead of 8.

        Raises:
            RenderError: an edge is below 1 pixel, or the driver refuses the size.
        """
        self.width = width
        self.height = height
        self.transparent = transparent
        self.shadows = shadows
        self.deep = deep
        # Before anything is made; whether the size is too large is known only with a context.
        if width < 1 or height < 1:
            raise RenderError(
                _(
                    "a picture cannot be {width}×{height} pixels: each edge must be at least 1",
                    width=width,
                    height=height,
                )
            )
        self._context: EglContext | HiddenWindow
        # An idle context of earlier pictures, with its programs, or a new one.
        self._context, self._renderer = (
            _IDLE_RENDERERS.pop() if _IDLE_RENDERERS else _new_renderer()
        )
        self._closed = False
        # Also after Ctrl-C, no context is left behind.
        try:
            with self._context:
                self._canvases = [Canvas(width, height, deep=deep)]
        except BaseException:
            self._context.close()
            raise

    def image(self, scene: Scene) -> Bytes:
        """Return the picture of a scene, sRGB, top row first, shape (height, width, 3 or 4)."""
        with self._context:
            self.draw(scene)
            return self.read()

    def images(self, scenes: Iterable[Scene]) -> Iterator[Bytes]:
        """Yield a picture of each scene.

        While one is read back, the driver draws the next, which is faster than one by one; very
        large pictures are drawn one by one to save memory. Nothing else may be drawn until the
        iterator ends or is closed.

        Args:
            scenes: any number; the next one is taken before the picture of one is yielded.
        """
        if self.width * self.height > LARGE:
            yield from map(self.image, scenes)
            return
        # Two canvases take turns: one is drawn into while the one before is read.
        previous: Canvas | None = None
        for scene in scenes:
            with self._context:
                canvas = self._other_canvas(previous)
                self._draw(scene, canvas)
                gl.glFlush()  # the driver begins to draw, without a wait for the end
                picture = self._read(previous, self._empty_picture()) if previous else None
            previous = canvas
            # Outside of the context, which the caller does not expect to be current.
            if picture is not None:
                yield picture
        # The last picture.
        if previous:
            with self._context:
                picture = self._read(previous, self._empty_picture())
            yield picture

    def draw(self, scene: Scene) -> None:
        """Draw a scene; `read` gives its picture."""
        with self._context:
            self._draw(scene, self._canvases[0])

    def read(self, out: Bytes | None = None) -> Bytes:
        """Return the picture that `draw` drew last, sRGB, top row first.

        Args:
            out: array to fill, shape (height, width, 3 or 4); None for a new one.
        """
        with self._context:
            return self._read(self._canvases[0], self._empty_picture() if out is None else out)

    def close(self) -> None:
        """Delete all OpenGL objects and the context, or keep some for the next pictures.

        A second call does nothing.
        """
        self._close(may_keep=True)

    def __enter__(self) -> Offscreen:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After an error their state is unknown.
        self._close(may_keep=error is None)

    def _close(self, *, may_keep: bool) -> None:
        """Delete canvases, and context and renderer unless they are kept for the next pictures.

        Args:
            may_keep: whether they may be kept: small EGL ones are, up to `_MAX_IDLE` of them.
        """
        if self._closed:
            return
        self._closed = True
        is_small = self.width * self.height <= _LARGEST_KEPT
        is_kept = (
            may_keep
            and is_small
            and isinstance(self._context, EglContext)
            and len(_IDLE_RENDERERS) < _MAX_IDLE
        )
        # OpenGL objects can be deleted only while their context is current.
        with self._context:
            for canvas in self._canvases:
                canvas.close()
            if not is_kept:
                self._renderer.close()
        if is_kept:
            _IDLE_RENDERERS.append((self._context, self._renderer))
        else:
            self._context.close()

    def _draw(self, scene: Scene, canvas: Canvas) -> None:
        target = RenderTarget(
            (self.width, self.height),
            canvas.framebuffer,
            transparent=self.transparent,
            shadows=self.shadows,
            deep=self.deep,
        )
        self._renderer.draw(scene, target)

    def _read(self, canvas: Canvas, out: Bytes) -> Bytes:
        canvas.read(out)
        return out

    def _empty_picture(self) -> Bytes:
        """An array for a picture."""
        component: Any = np.uint16 if self.deep else np.uint8
        channels = 4 if self.transparent else 3
        return np.empty((self.height, self.width, channels), dtype=component)

    def _other_canvas(self, canvas: Canvas | None) -> Canvas:
        """A canvas to draw into while another one is read; the second is made at first need."""
        if canvas is not self._canvases[0]:
            return self._canvases[0]
        if len(self._canvases) == 1:
            self._canvases.append(Canvas(self.width, self.height, deep=self.deep))
        return self._canvases[1]


LARGE = 16_000_000
"""Pictures of more pixels are drawn one by one."""

# Making a context and building its programs takes longer than drawing a few pictures, so some are
# kept for the next exports; not those whose textures are large.
_IDLE_RENDERERS: list[tuple[EglContext | HiddenWindow, Renderer]] = []
_MAX_IDLE = 2
_LARGEST_KEPT = 4_000_000  # pixels
# A forked process cannot use the contexts of its parent.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE_RENDERERS.clear)


def _new_renderer() -> tuple[EglContext | HiddenWindow, Renderer]:
    context = EglContext() if sys.platform.startswith("linux") else HiddenWindow()
    try:
        with context:
            return context, Renderer()
    except BaseException:
        context.close()
        raise
