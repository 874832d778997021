"""All commands of the program."""

import functools

import click

from juggle_anim.language import speaking


@functools.cache
def all_commands() -> list[click.Command]:
    """The program and all commands below it.

    Helps are read once, in the language of that moment: here English, whatever a test speaks later.
    """
    with speaking("en"):
        from juggle_anim.cli.app import app

        commands: list[click.Command] = [app]
        for command in commands:
            assert command.params is not None
            if isinstance(command, click.Group):
                context = click.Context(command)
                inner = [
                    command.get_command(context, name) for name in command.list_commands(context)
                ]
                commands += filter(None, inner)
    return commands
