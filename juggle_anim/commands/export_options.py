"""The options of `export`, for other commands that export."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from juggle_anim.commands.export import export, read_loops
from juggle_anim.commands.picture_size import picture_size

OPTIONS: dict[str, inspect.Parameter] = {
    name: entry
    for name, entry in inspect.signature(inspect.unwrap(export), eval_str=True).parameters.items()
    if name not in {"pattern", "path", "given", "force", "resume", "dry_run", "quiet"}
}
"""Those that say how files are made, by name."""


def take_export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all of them in place of its `wanted`, which becomes what `juggle_anim.public.export` takes."""

    @functools.wraps(command)
    def wrapper(**arguments: Any) -> None:
        options = {name: arguments.pop(name) for name in OPTIONS}
        command(wanted=wanted_of(options), **arguments)

    signature = inspect.signature(command, eval_str=True)
    own = [entry for name, entry in signature.parameters.items() if name != "wanted"]
    options = [entry.replace(kind=inspect.Parameter.KEYWORD_ONLY) for entry in OPTIONS.values()]
    rest = [entry for entry in own if entry.kind is inspect.Parameter.VAR_KEYWORD]
    entries = [*(entry for entry in own if entry not in rest), *options, *rest]
    wrapper.__signature__ = signature.replace(parameters=entries)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {entry.name: entry.annotation for entry in entries}
    return wrapper


def wanted_of(options: dict[str, Any]) -> dict[str, Any]:
    """What `juggle_anim.public.export` takes, from options as they are typed."""
    wanted = {name: value for name, value in options.items() if name not in ("size", "loops", "camera")}
    return {
        **wanted,
        "size": picture_size(options["size"]),
        "loops": read_loops(options["loops"]),
        "cameras": tuple(options["camera"] or ()),
    }
