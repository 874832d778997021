"""The command `show`: a pattern in the viewer."""

from __future__ import annotations

from typing import Annotated, Any

import click

from juggle_anim.cli.command import Command, argument, option
from juggle_anim.cli.options import open_animation, say, take_parameters
from juggle_anim.language import _

_PATTERN = argument(
    metavar="PATTERN",
    help=_(
        "A siteswap, a name from `list`, pattern=531;dwell=1, or a file: "
        "tricks.jml#3. By default, the last one open."
    ),
)


@click.command("show", cls=Command)
@take_parameters
def show(
    words: Annotated[list[str] | None, _PATTERN] = None,
    safe: Annotated[
        bool, option("--safe", help=_("Start with default settings; favourites stay."))
    ] = False,
    welcome: Annotated[bool, option("--welcome", help=_("Show the welcome tour."))] = False,
    fullscreen: Annotated[
        bool, option("--full-screen", "--fullscreen", help=_("Fill the screen."))
    ] = False,
    camera: Annotated[
        str, option(metavar="VIEW", help=_("Where to look from, such as side or top."))
    ] = "",
    **flags: Any,
) -> None:
    """Open the viewer.

    The word show is optional, and so is the pattern.
    """
    # Imported here: other commands start without them.
    from juggle_anim.api import show as open_viewer
    from juggle_anim.notation import find_file_reference

    switches = {"safe": safe, "welcome": welcome, "fullscreen": fullscreen}
    options: dict[str, Any] = {name: True for name, on in switches.items() if on}
    if camera:
        options["camera"] = camera
    # Nothing typed: the viewer opens what was open last.
    if not words and not flags:
        open_viewer(None, **options)
        return
    pattern = " ".join(words or ["cascade"])  # a name of several words needs no quotes
    animation = open_animation(pattern, flags)
    # The viewer lists the other patterns of a file beside.
    if find_file_reference(pattern):
        options["listed"] = pattern
    # Planning bodies over a routine takes a while, before the window opens.
    if animation.score.routine:
        say(
            _("Planning {duration:.0f} s of motion …", duration=animation.duration),
            err=True,
        )
    open_viewer(animation, **options)
