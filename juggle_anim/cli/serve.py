"""The command `serve`: a page and pictures for browsers and other programs."""

from __future__ import annotations

from typing import Annotated

import click

from juggle_anim.cli.command import Command, option
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
