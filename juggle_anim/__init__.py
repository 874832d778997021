"""Juggling patterns, animated: type a siteswap and watch a person juggle it in 3D.

>>> import juggle_anim as ja
>>> animation = ja.animate("531", chicken_wing=30)
>>> ja.export(animation, "out/frames")  # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from juggle_anim.resources import __version__ as __version__

if TYPE_CHECKING:
    from juggle_anim.animation import Animation, animate
    from juggle_anim.animation import Animation as Pattern
    from juggle_anim.api import (
        Routine,
        analyse,
        draw,
        draw_states,
        elbow_solvers,
        export,
        generate,
        ground_state,
        is_valid,
        lesson,
        library,
        optimise,
        picture,
        read,
        save,
        show,
        state_graph,
        transition,
        transitions,
        variations,
        widget,
        write,
    )
    from juggle_anim.body import get_elbow_position
    from juggle_anim.body.arms.closed_form import original_axes
    from juggle_anim.body.arms.own_solver import register_solver
    from juggle_anim.errors import JuggleError
    from juggle_anim.errors import NotationError as SiteswapError

__all__ = [
    "Animation",
    "JuggleError",
    "Pattern",
    "Routine",
    "SiteswapError",
    "analyse",
    "animate",
    "draw",
    "draw_states",
    "elbow_solvers",
    "export",
    "generate",
    "get_elbow_position",
    "ground_state",
    "is_valid",
    "lesson",
    "library",
    "optimise",
    "original_axes",
    "picture",
    "read",
    "register_solver",
    "save",
    "show",
    "state_graph",
    "transition",
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
    "Pattern": "animation:Animation",
    "Routine": "api",
    "SiteswapError": "errors:NotationError",
    "analyse": "api",
    "animate": "animation",
    "draw": "api",
    "draw_states": "api",
    "elbow_solvers": "api",
    "export": "api",
    "generate": "api",
    "get_elbow_position": "body",
    "ground_state": "api",
    "is_valid": "api",
    "lesson": "api",
    "library": "api",
    "optimise": "api",
    "original_axes": "body.arms.closed_form",
    "picture": "api",
    "read": "api",
    "register_solver": "body.arms.own_solver",
    "save": "api",
    "show": "api",
    "state_graph": "api",
    "transition": "api",
    "transitions": "api",
    "variations": "api",
    "widget": "api",
    "write": "api",
}

_OTHER_NAMES = {"get_pattern": "animate", "load": "animate", "parse": "animate"}
"""What people call them, too."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "render":
        return import_module("juggle_anim.render")
    public = _OTHER_NAMES.get(name, name)
    if public not in _HOMES:
        # Python suggests the name that is most like it.
        module = import_module(__name__)
        raise AttributeError(
            f"module 'juggle_anim' has no attribute {name!r}", name=name, obj=module
        )
    home, _colon, attribute = _HOMES[public].partition(":")
    return getattr(import_module(f"juggle_anim.{home}"), attribute or public)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
