"""Juggling patterns, animated: type a siteswap and watch a person juggle it in 3D.

>>> import juggle_anim as ja
>>> animation = ja.animate("531", chicken_wing=30)
>>> ja.export(animation, "out/frames")  # doctest: +SKIP
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from juggle_anim.resources import __version__ as __version__

if TYPE_CHECKING:
    from juggle_anim.animation import Animation as Animation
    from juggle_anim.animation import animate as animate
    from juggle_anim.api import Routine as Routine
    from juggle_anim.api import analyse as analyse
    from juggle_anim.api import check as check
    from juggle_anim.api import compare as compare
    from juggle_anim.api import compare_arms as compare_arms
    from juggle_anim.api import diagram as diagram
    from juggle_anim.api import draw as draw
    from juggle_anim.api import draw_states as draw_states
    from juggle_anim.api import edit as edit
    from juggle_anim.api import elbow_solvers as elbow_solvers
    from juggle_anim.api import export as export
    from juggle_anim.api import generate as generate
    from juggle_anim.api import ground_state as ground_state
    from juggle_anim.api import is_valid as is_valid
    from juggle_anim.api import lesson as lesson
    from juggle_anim.api import library as library
    from juggle_anim.api import optimise as optimise
    from juggle_anim.api import picture as picture
    from juggle_anim.api import read as read
    from juggle_anim.api import save as save
    from juggle_anim.api import save_all as save_all
    from juggle_anim.api import show as show
    from juggle_anim.api import state_graph as state_graph
    from juggle_anim.api import throw_height as throw_height
    from juggle_anim.api import transition as transition
    from juggle_anim.api import transitions as transitions
    from juggle_anim.api import variations as variations
    from juggle_anim.api import widget as widget
    from juggle_anim.api import write as write
    from juggle_anim.body import JOINT_NAMES as JOINT_NAMES
    from juggle_anim.body import get_elbow_position as get_elbow_position
    from juggle_anim.body import original_axes as original_axes
    from juggle_anim.body import register_solver as register_solver
    from juggle_anim.errors import JuggleError as JuggleError
    from juggle_anim.errors import NotationError
    from juggle_anim.parameters import SETTINGS as SETTINGS

    Pattern = Animation
    SiteswapError = NotationError

# Where each public name lives; it is imported when first used, so that `import juggle_anim` costs
# nothing.
_HOMES = {
    "animation": "Animation Pattern=Animation animate",
    "api": "Routine analyse check compare compare_arms diagram draw draw_states edit "
    "elbow_solvers export generate ground_state is_valid lesson library optimise picture read save "
    "save_all show state_graph throw_height transition transitions variations widget write",
    "body": "JOINT_NAMES get_elbow_position",
    "body.arms.closed_form": "original_axes",
    "body.arms.own_solver": "register_solver",
    "errors": "JuggleError SiteswapError=NotationError",
    "parameters": "SETTINGS",
}

_PLACES = {
    name: (home, attribute or name)
    for home, names in _HOMES.items()
    for name, _equals, attribute in (entry.partition("=") for entry in names.split())
}

__all__ = sorted(_PLACES)


class _CalledModule(ModuleType):
    """A part of the package with a noun as its name, which may be called like a function."""

    def __call__(self, *positional: Any, **keywords: Any) -> Any:
        """Call the function that the noun stands for, as `picture` for `render`."""
        return _guessed(self.__name__.rpartition(".")[2])(*positional, **keywords)


class _Package(ModuleType):
    """The package, of which some parts may be called."""

    _CALLED = (
        "analysis",
        "animation",
        "batch",
        "generator",
        "optimiser",
        "pattern",
        "render",
        "routine",
    )

    def __setattr__(self, name: str, value: Any) -> None:
        # A part becomes an attribute when it is first imported.
        if name in self._CALLED and isinstance(value, ModuleType):
            value.__class__ = _CalledModule
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    from importlib import import_module

    if name in _PLACES:
        home, attribute = _PLACES[name]
        return getattr(import_module(f"juggle_anim.{home}"), attribute)
    from importlib.util import find_spec

    if find_spec(f"juggle_anim.{name}"):
        return import_module(f"juggle_anim.{name}")
    return _guessed(name)


def _guessed(name: str) -> Any:
    """Return what has another name than somebody guessed; see `juggle_anim.api.guessed`."""
    from juggle_anim.api import guessed

    return guessed(name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
