"""The command `serve`: a page and pictures for browsers and other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from juggle_anim.language import _


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help=_(
                "Where to listen, and by which name to be asked; 0.0.0.0 lets everyone ask by any."
            ),
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(metavar="N", help=_("The port; 0 for any that is free."), min=0, max=65535),
    ] = 8000,
) -> None:
    """Serve a page to type patterns into, and pictures by address:
    anim?pattern=531;width=400;height=450.

    Only this machine can ask, unless --host says otherwise. Ctrl-C ends it.
    """
    from juggle_anim.server import serve as listen

    listen(
        host,
        port,
        ready=lambda address: typer.echo(
            _("Serving at {address}  (Ctrl-C ends it)", address=address)
        ),
    )
