"""The mark of a default: a stroke across the groove of a slider, which its knob hides while it stands there."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.theme import Theme


def draw_default_mark(look: Theme, x: float, middle: float) -> None:
    """Draw it across a groove whose middle is at a height, [pixels]."""
    half, tall = look.size(0.75), look.size(4.5)
    imgui.get_window_draw_list().add_rect_filled((x - half, middle - tall), (x + half, middle + tall), theme.MUTED)
