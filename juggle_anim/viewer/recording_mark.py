"""The mark of a recording: a red dot and how long it has been going on."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.keys import Action, caption
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.theme import Theme, load_theme

_HEIGHT, _MARGIN, _INSET, _DOT = 28.0, 14.0, 11.0, 5.0


class RecordingMark:
    """Draws it when all else has been drawn, so that pictures taken before are without it."""

    def __init__(self) -> None:
        before = imgui.get_current_context()
        # A frame of this library is drawn as a whole; what comes later is a frame of another context.
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        imgui.get_io().set_ini_filename("")
        imgui.backends.opengl3_init("#version 330")
        self._theme: Theme | None = None
        imgui.set_current_context(before)

    def draw(self, layout: Layout, lasts: float) -> None:
        """Draw it into the lower right corner of the picture.

        Args:
            layout: of the window.
            lasts: how long the recording has been going on, [s].
        """
        before = imgui.get_current_context()
        imgui.set_current_context(self._context)
        if self._theme is None or self._theme.scale != layout.scale:
            self._theme = load_theme(layout.scale)
        io = imgui.get_io()
        io.display_size, io.delta_time = imgui.ImVec2(layout.width, layout.height), 1 / 60
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        _draw(self._theme, layout, f"{words(lasts)}   {caption(Action.RECORD)} ends it")
        imgui.render()
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
        imgui.set_current_context(before)

    def close(self) -> None:
        """Give everything back."""
        before = imgui.get_current_context()
        imgui.set_current_context(self._context)
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)
        imgui.set_current_context(before)


def words(lasts: float) -> str:
    """A time as clocks of cameras show it: `0:07`."""
    return f"{int(lasts) // 60}:{int(lasts) % 60:02d}"


def _draw(look: Theme, layout: Layout, said: str) -> None:
    inset, dot, tall = look.size(_INSET), look.size(_DOT), look.size(_HEIGHT)
    wide = 2 * inset + 2 * dot + look.size(7) + look.measure(said, theme.SMALL, strong=True)[0]
    free, margin = layout.free, look.size(_MARGIN)
    left, top = free.right - margin - wide, free.bottom - margin - tall
    draw = imgui.get_foreground_draw_list()
    draw.add_rect_filled((left, top), (left + wide, top + tall), theme.VEIL_STRONG, tall / 2)
    draw.add_circle_filled((left + inset + dot, top + tall / 2), dot, theme.RECORDING)
    place = (
        round(left + inset + 2 * dot + look.size(7)),
        round(top + (tall - look.size(theme.SMALL)) / 2 - look.size(1)),
    )
    draw.add_text(look.strong, look.size(theme.SMALL), place, theme.ON_VEIL, said)
