"""The command `completion`: what shells know of the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import click

from juggle_anim.cli.command import Command, argument
from juggle_anim.cli.options import say
from juggle_anim.errors import ParameterError
from juggle_anim.language import _

SCRIPTS = {"bash": "juggle-anim.bash", "zsh": "_juggle-anim", "fish": "juggle-anim.fish"}
"""Files of `assets/desktop` by shells."""


@click.command("completion", cls=Command)
def completion(
    shell: Annotated[
        str,
        argument(metavar="bash|zsh|fish", help=_("Your shell by default.")),
    ] = "",
) -> None:
    """Print a script that completes commands and options in a shell.

    \b
      source <(juggle-anim completion bash)                       now
      juggle-anim completion bash >> ~/.bashrc                    always
      juggle-anim completion zsh > ~/.zfunc/_juggle-anim
      juggle-anim completion fish > ~/.config/fish/completions/juggle-anim.fish
    """
    from juggle_anim.resources import resource

    name = shell or Path(os.environ.get("SHELL", "bash")).name
    if name not in SCRIPTS:
        raise ParameterError.of("shell", name, ", ".join(SCRIPTS))
    say(resource("assets", f"desktop/{SCRIPTS[name]}").read_text(encoding="utf-8"))
