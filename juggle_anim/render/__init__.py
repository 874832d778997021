"""Pixels: a Scene drawn with OpenGL, in a window or into memory. Nothing here knows of juggling."""

from juggle_anim.render.offscreen import Offscreen
from juggle_anim.render.renderer import Renderer

__all__ = ["Offscreen", "Renderer"]
