"""Rendering of a Scene with OpenGL, in a window or offscreen. Nothing here knows about juggling."""

from juggle_anim.render.offscreen import Offscreen
from juggle_anim.render.renderer import Renderer

__all__ = ["Offscreen", "Renderer"]
