"""A viewer that sits for its portraits. It needs a display of 96 dpi (xvfb-run will do)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import TracebackType

from imgui_bundle import imgui
from pyglet.window import mouse

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.parameters import row_named
from juggle_anim.viewer.panel.controls import PresetList
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.window import Viewer

_FRAME = 0.63  # s; cameras arrive within a few of these, and carets stand as in the stored pictures
_MIN_FRAMES = 3  # until a window has come to rest
_TIMEOUT = 30.0  # s; on a busy machine a diagram may take long


class Sitter:
    """One window for many pictures: it is paused and restores no session, so that its pictures are
    the same each time.

    Args:
        size: of the window, width and height, [pixels].
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._viewer = Viewer(animate("3"), paused=True, size=size)
        self._folder = TemporaryDirectory()
        self._unpainted = False
        self._drawn = self._viewer.layout

    def __enter__(self) -> Sitter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._viewer.close()
        self._folder.cleanup()

    @property
    def presets(self) -> Path:
        """The file of its own presets."""
        return Path(self._folder.name) / "presets.json"

    def show(
        self, pattern: str, time: float, *actions: Action, **parameters: float | str
    ) -> Controller:
        """Begin anew with a pattern, as if the window had just been opened, and perform actions.

        Args:
            pattern: a siteswap, a name or settings.
            time: of the picture, [s].
            actions: performed one after the other.
            parameters: set in the panel before.
        """
        imgui.internal.clear_active_id()
        self._viewer.input_events.on_mouse_leave(0, 0)
        controller = self._viewer.controller = Controller(animate(pattern), time, paused=True)
        model = controller.model
        model.preset_list = PresetList(lambda: self.presets)
        for name, value in parameters.items():
            model.set_value(row_named(name), value)
        for action in actions:
            controller.perform(action)
        return controller

    def type(self, text: str) -> None:
        """Type into the field that is about to have the keyboard."""
        self._draw(_MIN_FRAMES)
        for character in text:
            self._viewer.input_events.on_text(character)
            self._draw(1)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Let the mouse go down at a place, [pixels] from the upper left corner, and hold it at
        another one.
        """
        viewer, (x, y), (right, down) = self._viewer, start, end
        top = viewer.window.height - 1
        viewer.input_events.on_mouse_motion(round(x), round(top - y), 0, 0)
        self._draw(2)
        viewer.input_events.on_mouse_press(round(x), round(top - y), mouse.LEFT, 0)
        self._draw(2)
        viewer.input_events.on_mouse_drag(round(right), round(top - down), 0, 0, mouse.LEFT, 0)
        self._draw(2)

    def drop(self) -> None:
        """Let the mouse go up."""
        self._viewer.input_events.on_mouse_release(0, 0, mouse.LEFT, 0)
        self._draw(2)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window another size, width and height, [pixels]."""
        window = self._viewer.window
        window.set_size(*size)
        end = monotonic() + _TIMEOUT
        while window.get_framebuffer_size() != size:
            _check_time(end, f"the window does not get the size {size}")
            window.dispatch_events()

    def portrait(self) -> Bytes:
        """Return what the window shows once nothing moves any more, shape (height, width, 3)."""
        self._draw(_MIN_FRAMES)
        end = monotonic() + _TIMEOUT
        while self._moving:
            _check_time(end, "the window does not come to rest")
            self._draw(1)
        return self._viewer.grab()

    @property
    def _moving(self) -> bool:
        model = self._viewer.model
        rigs = [model.rig, *([model.other.rig] if model.other else [])]
        return (
            model.diagrams.is_waiting
            or self._viewer.layout != self._drawn  # a diagram has come since
            or self._viewer.controller.footage.is_waiting
            or bool(model.lab and model.lab.is_moving)
            or not all(rig.settled for rig in rigs)
        )

    @contextmanager
    def unpainted(self) -> Iterator[None]:
        """Let frames do all that they do, but for their pixels, which software OpenGL takes long
        to paint.
        """
        if self._unpainted:
            yield
            return
        # Only now: it chooses how to load OpenGL by whether there is a window.
        from juggle_anim.render import gl

        viewer, renderer = self._viewer, self._viewer._renderer
        self._unpainted = True
        viewer.draw, renderer.draw = viewer._render, _draw_nothing  # type: ignore[method-assign]
        gl.glEnable(gl.GL_RASTERIZER_DISCARD)
        try:
            yield
        finally:
            gl.glDisable(gl.GL_RASTERIZER_DISCARD)
            del viewer.draw, renderer.draw
            self._unpainted = False

    def _draw(self, frames: int) -> None:
        controller = self._viewer.controller
        # In a drag, cards keep the pixels of the frame before, and a film is read as it is painted.
        painted = controller.editor.is_dragging or controller.footage.film
        with nullcontext() if painted else self.unpainted():
            for _ in range(frames):
                self._drawn = self._viewer.layout
                self._viewer.draw(_FRAME)


def _draw_nothing(*_: object, **__: object) -> None:
    """A renderer's `draw` where nobody looks."""


def _check_time(end: float, message: str) -> None:
    if monotonic() > end:
        raise RuntimeError(message)
