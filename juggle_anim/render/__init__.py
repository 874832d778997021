"""Rendering of a Scene with OpenGL, in a window or offscreen. Nothing here knows about juggling."""

import sys
from types import ModuleType
from typing import Any

from juggle_anim.formats import load
from juggle_anim.render.offscreen import Offscreen
from juggle_anim.render.renderer import Renderer

__all__ = ["Offscreen", "Renderer"]


class _Callable(ModuleType):
    """This package, which draws one picture where it is called as a function."""

    def __call__(self, *positional: Any, **keywords: Any) -> Any:
        """Draw one picture; see `juggle_anim.picture`."""
        return load("api:picture")(*positional, **keywords)


sys.modules[__name__].__class__ = _Callable
