"""The command `optimise`: other places of throws and catches, so that props pass each other with more room."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juggle_anim.cli.options import PatternText, open_animation, take_parameters

if TYPE_CHECKING:
    from juggle_anim.optimiser import Optimised


@take_parameters
def optimise(
    pattern: PatternText,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the result to a .jml, .jif or .txt file.", show_default=False),
    ] = None,
    goal: Annotated[float, typer.Option(metavar="CM", help="The clearance that is wanted between props.")] = 10.0,
    budget: Annotated[float, typer.Option(metavar="CM", help="How far a throw or catch may move.")] = 15.0,
    like_juggling_lab: Annotated[
        bool, typer.Option("--like-juggling-lab", help="Sideways, as far as can be, in its hand style.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="A JSON object with the figures; SI units.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    **given: Any,
) -> None:
    """Move throws and catches so that props have more room.

    Says what room there was and is, and the settings of the result.
    """
    from json import dumps

    from juggle_anim.api import optimise as move_places
    from juggle_anim.atomic_file import refuse_existing

    if out:
        refuse_existing(out, force)
    animation = open_animation(pattern, given)
    found = move_places(animation, goal=goal / 100, budget=budget / 100, like_juggling_lab=like_juggling_lab)
    typer.echo(dumps(found.as_data(), indent=1) if json else found.as_text())
    if out:
        _write(found, out, force)
        typer.echo(str(out), err=json)


def _write(found: Optimised, path: Path, force: bool) -> None:
    from juggle_anim.errors import printable
    from juggle_anim.notation.files import write_file
    from juggle_anim.notation.pattern_list import list_of_one

    for sentence in write_file(list_of_one(found.animation.score, found.animation.parameters), path, force):
        typer.echo(printable(sentence), err=True)
