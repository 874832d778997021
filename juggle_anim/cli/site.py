"""The command `site`: the program as files for any web host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from juggle_anim.cli.command import Command, argument, option
from juggle_anim.cli.output import progress, say
from juggle_anim.language import _


@click.command("site", cls=Command)
def site(
    folder: Annotated[Path, argument(metavar="OUT", help=_("Folder to write into."))],
    pyodide: Annotated[
        Path | None,
        option(
            metavar="DIR",
            help=_("Folder with Pyodide, to copy; by default browsers load it from its makers."),
        ),
    ] = None,
    quiet: Annotated[bool, option("--quiet", "-q", help=_("Suppress output."))] = False,
) -> None:
    """Write the animator as a web site without a server.

    Any web host can serve the folder; try it with `python -m http.server -d OUT`. The program runs
    in the browser, on phones too, and works offline after the first visit.
    """
    from juggle_anim.site.build import write_site

    with progress(quiet=quiet, counted="patterns") as report:
        write_site(folder, pyodide, progress=report)
    say(_("{path} is ready. Try it: python -m http.server -d {path}", path=folder))
