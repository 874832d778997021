"""The command `show`: the viewer."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from juggle_anim.cli.options import open_animation, take_parameters

_PATTERN = typer.Argument(
    metavar="PATTERN",
    help="A siteswap, a name from `list`, pattern=531;dwell=1, or a file: tricks.jml#3. "
    "Without one, what was open last.",
    show_default=False,
)


@take_parameters
def show(
    pattern: Annotated[str | None, _PATTERN] = None,
    safe: Annotated[bool, typer.Option("--safe", help="Begin with defaults; favourites stay.")] = False,
    **given: Any,
) -> None:
    """Open the viewer; the word show may be left out, and the pattern."""
    from juggle_anim.api import show as open_viewer
    from juggle_anim.notation.open import find_file_reference

    options: dict[str, Any] = {"safe": True} if safe else {}
    if pattern is None and not given:
        open_viewer(None, **options)
        return
    pattern = pattern or "cascade"
    animation = open_animation(pattern, given)
    if find_file_reference(pattern):
        options["listed"] = pattern
    open_viewer(animation, **options)
