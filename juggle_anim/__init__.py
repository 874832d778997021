"""Juggling patterns, animated: type a siteswap, and a person in 3D juggles it.

>>> import juggle_anim as ja
>>> animation = ja.animate("531", chicken_wing=30)
>>> ja.export(animation, "out/frames")  # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from juggle_anim.resources import __version__ as __version__

if TYPE_CHECKING:
    from juggle_anim.animation import Animation, animate
    from juggle_anim.api import (
        analyse,
        draw,
        draw_states,
        export,
        generate,
        lesson,
        optimise,
        read,
        show,
        transitions,
        variations,
        widget,
        write,
    )
    from juggle_anim.body import get_elbow_position
    from juggle_anim.body.arms.chicken_wing import original_axes
    from juggle_anim.body.arms.own_solver import register_solver
    from juggle_anim.errors import JuggleError
    from juggle_anim.routine import Routine

__all__ = [
    "Animation",
    "JuggleError",
    "Routine",
    "analyse",
    "animate",
    "draw",
    "draw_states",
    "export",
    "generate",
    "get_elbow_position",
    "lesson",
    "optimise",
    "original_axes",
    "read",
    "register_solver",
    "show",
    "transitions",
    "variations",
    "widget",
    "write",
]

# Where each public name lives; it is imported when first used, so that `import juggle_anim` costs
# nothing.
_HOMES = {
    "Animation": "animation",
    "JuggleError": "errors",
    "Routine": "routine",
    "analyse": "api",
    "animate": "animation",
    "draw": "api",
    "draw_states": "api",
    "export": "api",
    "generate": "api",
    "get_elbow_position": "body",
    "lesson": "api",
    "optimise": "api",
    "original_axes": "body.arms.chicken_wing",
    "read": "api",
    "register_solver": "body.arms.own_solver",
    "show": "api",
    "transitions": "api",
    "variations": "api",
    "widget": "api",
    "write": "api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'juggle_anim' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"juggle_anim.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
