"""A window that is never shown: an OpenGL context where there is no EGL (macOS, Windows)."""

from __future__ import annotations

from typing import Any

from juggle_anim.errors import RenderError


class HiddenWindow:
    """An OpenGL 3.3 core context. Used like `EglContext`.

    Raises:
        RenderError: no window can be made, or it has no OpenGL 3.3.
    """

    def __init__(self) -> None:
        import pyglet  # slow to load, and not wanted where EGL serves

        self._gl = pyglet.gl
        self._before: list[Any] = []
        before = pyglet.gl.current_context
        try:
            config = pyglet.gl.Config(major_version=3, minor_version=3, double_buffer=False)
            self._window = pyglet.window.Window(16, 16, visible=False, config=config, caption="juggle-anim")
        except Exception as error:  # each platform raises its own
            raise RenderError(f"OpenGL 3.3 is not available: {error}") from error
        self.closed = False
        if before:
            before.set_current()

    def __enter__(self) -> HiddenWindow:
        self._before.append(self._gl.current_context)
        self._window.switch_to()
        return self

    def __exit__(self, *_: object) -> None:
        before = self._before.pop()
        if before and before is not self._window.context:
            before.set_current()

    def close(self) -> None:
        """Close the window."""
        self._window.close()
        self.closed = True
