"""The command `serve`: a page and pictures for browsers and other programs.

The command `site`: the program as files for any web host.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from juggle_anim.cli.command import Command, argument, option
from juggle_anim.cli.options import Quiet, progress, say
from juggle_anim.language import _


@click.command("serve", cls=Command)
def serve(
    host: Annotated[
        str,
        option(
            metavar="ADDRESS",
            help=_("Address to listen on; 0.0.0.0 serves the whole network."),
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        option(metavar="N", help=_("Port; 0 picks a free one."), type=click.IntRange(0, 65535)),
    ] = 8000,
) -> None:
    """Serve the animator as a web page.

    Pictures have addresses such as anim?pattern=531;width=400;height=450. Only this computer can
    open them, unless --host says otherwise. Press Ctrl-C to stop.
    """
    from juggle_anim.server.serve import serve as listen

    listen(
        host,
        port,
        ready=lambda address: click.echo(
            _("Serving at {address}  (press Ctrl-C to stop)", address=address)
        ),
    )


@click.command("site", cls=Command)
def site(
    folder: Annotated[Path, argument(metavar="OUT", help=_("Folder to write into."))],
    pyodide: Annotated[
        Path | None,
        option(
            metavar="DIR",
            help=_(
                "Folder with Pyodide to copy; by default, browsers load it from its own server."
            ),
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Build a web site that needs no server.

    Any web host can serve the folder; try it with `python -m http.server -d OUT`. The program runs
    in the browser, on phones too, and works offline after the first visit.
    """
    from juggle_anim.site.build import write_site

    with progress(quiet=quiet, counted="patterns") as report:
        write_site(folder, pyodide, progress=report)
    say(_("{path} is ready. Try it: python -m http.server -d {path}", path=folder))
