"""Opening what was typed where a pattern is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from juggle_anim.animation import Animation

PatternText = Annotated[
    str,
    typer.Argument(
        metavar="PATTERN", help="A siteswap, a name from `list`, pattern=531;dwell=1, or a file: tricks.jml#3."
    ),
]
"""The argument that stands for one pattern."""


def open_animation(text: str, given: dict[str, Any]) -> Animation:
    """The animation of what was typed, with the flags that were given.

    Where it is a file of several patterns, their number is said.
    """
    from juggle_anim.animation import animated
    from juggle_anim.notation import open_first

    settings, count = open_first(text)
    if count > 1:
        typer.echo(f"{text}: holds {count} patterns, and this is the first; the last is {text}#{count}", err=True)
    return animated(settings, **given)
