"""The program's commands, of which `show` is the usual one: a first word may also be a pattern."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any

import click

from juggle_anim.cli.command import (
    NEAR_OPTIONS,
    CommandGroup,
    option,
    parameters_of,
    translate_library,
)
from juggle_anim.cli.exit_codes import INTERRUPTED
from juggle_anim.cli.first_words import OTHER_WORDS, usual_words
from juggle_anim.cli.language_option import FLAG, language_help
from juggle_anim.cli.output import say
from juggle_anim.errors import either, joined_names
from juggle_anim.language import N_, _

# \b keeps the lines as they are.
_EXAMPLES = N_("""\b
Examples:
  juggle-anim 531                             watch the pattern 531
  juggle-anim "(6x,4)*" --chicken-wing 45     brackets and stars want quotes
  juggle-anim export 531 out/frames --size 1280x720 --fps 60  PNG frames
  juggle-anim tricks.jml#3                    the third pattern of a file
""")

# What is no valid number, as the library that parses command lines calls it, and as people say.
_PLAIN_REASONS = {
    "integer": N_("must be a whole number"),
    "float": N_("must be a number"),
}

_SHORT_OPTION = 4  # characters, with its dashes; the ends of shorter ones are not guessed


class _PatternFirst(CommandGroup):
    """A group whose first word may also be a pattern to show, or a flag of show.

    Alone, it opens the viewer; where there is no display, it shows its help instead.
    """

    other_words = OTHER_WORDS

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `show` before the words of a line that has no command: none, or flags first."""
        if not args and _has_display():
            args = ["show"]
        with _usage_errors():
            args = usual_words(ctx, self, args)
        if (
            args
            and args[0].startswith("-")
            and args[0] not in (*ctx.help_option_names, "--version")
        ):
            args = ["show", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and let its usage errors be printed in our own words."""
        with _usage_errors():
            try:
                return super().invoke(ctx)
            except click.NoSuchOption as error:
                raise self._with_suggestions(error, ctx) from error
            except KeyboardInterrupt:
                # The library would print an empty line, and that it aborts.
                raise click.exceptions.Exit(INTERRUPTED) from None

    def _with_suggestions(self, error: click.NoSuchOption, ctx: Any) -> click.UsageError:
        """Return the error of an unknown option with suggestions in its message.

        Suggested are options of the command that are alike, or else other commands that have this
        option.

        Args:
            error: as the library has it, whose own suggestions are English.
            ctx: of this group.
        """
        typed = error.option_name
        assert error.ctx
        command = error.ctx.command

        # Options that do it, that the word begins, or that are spelt much alike.
        near = NEAR_OPTIONS.get(typed, "")
        similar = (
            [near]
            if near in _options(command)
            else [
                name
                for name in _options(command)
                if name.startswith(typed) and len(typed) > _SHORT_OPTION
            ]
        )
        similar = similar or difflib.get_close_matches(typed, _options(command), n=2, cutoff=0.8)

        # Other commands with exactly this option.
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        other_commands = [
            name
            for name, other in commands.items()
            if other is not command and typed in _options(other)
        ]

        message = _("There is no option {typed}.", typed=typed)
        if similar:
            message += _(" Did you mean {near}?", near=either(similar[:2]))
            # With what it takes.
            context = click.Context(command)
            shown = [
                entry.get_help_record(context) for entry in command.params if near in entry.opts
            ]
            message += "".join(f"\n{names}: {told}" for names, told in filter(None, shown))
        elif other_commands:
            message += _(" It is an option of {others}.", others=joined_names(other_commands))
        return click.UsageError(message, error.ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Take a first word that is no command as a pattern, unless it is like a command."""
        word = args[0]
        if self.get_command(ctx, word) is None:
            args = ["show", *args]
        return super().resolve_command(ctx, args)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Let usage errors be printed in our own words."""
    try:
        yield
    except click.ClickException as error:
        error.show = partial(print_usage_error, error)  # type: ignore[method-assign]
        raise


def print_usage_error(error: Any) -> None:
    """Print what is wrong with the words of a command line, and where to find more."""
    lines = [usage_reason(error)]
    if error.ctx:
        lines.append(
            _("`{command_path} -h` shows what there is", command_path=error.ctx.command_path)
        )
    say("\n".join(lines), err=True)


def usage_reason(error: Any) -> str:
    """Return what is wrong with the words of a command line, in the present language.

    Args:
        error: of the library that parses them; one that is not known here keeps its message.
    """
    message = str(error.message or "")
    match error:
        case click.MissingParameter():
            # As the help shows it.
            return _("{name} is missing", name=error.param.metavar if error.param else "")
        case click.BadParameter():
            flag = str(error.param_hint or (error.param.opts[0] if error.param else ""))
            # The message ends with what the value is not.
            kind = message.partition(" is not a valid ")[2].partition(" ")[0].rstrip(".")
            plain = _(_PLAIN_REASONS.get(kind, ""))
            return f"{flag} {plain}" if plain else f"{flag}: {message}" if flag else message
        case click.BadOptionUsage() if "requires" in message:
            return _("{name} needs a value", name=error.option_name)
        case click.BadOptionUsage():
            return _("{name} takes no value", name=error.option_name)
        case click.UsageError() if message.startswith("Got unexpected extra"):
            return _(
                "Unexpected arguments: {message}",
                message=message.partition(" (")[2].rstrip(".)"),
            )
        case click.UsageError() if message.startswith("No such command"):
            # The name stands between apostrophes.
            return _("There is no command {name}", name=message.split(chr(39))[1])
    return message.removesuffix(".")


def _version(
    version: Annotated[bool, option("--version", help=_("Show the version."))] = False,
    language: Annotated[
        str, option(FLAG, metavar="WORD", help=language_help(), show_default=False)
    ] = "",
) -> None:
    if version:
        from juggle_anim.resources import __version__

        say(__version__)
        raise click.exceptions.Exit


translate_library()

app = _PatternFirst(
    "juggle-anim",
    {
        "show": "show:show",
        "export": "export:export",
        "batch": "batch:batch",
        "list": "list:list_patterns",
        "generate": "generate:generate",
        "transition": "transition:transition",
        "variations": "draw:variations",
        "check": "check:check_patterns",
        "convert": "convert:convert",
        "edit": "edit:edit",
        "analyse": "analyse:analyse",
        "optimise": "analyse:optimise",
        "serve": "serve:serve",
        "site": "site:site",
        "completion": "completion:completion",
        "arms": "analyse:arms",
        "draw": "draw:draw",
    },
    callback=_version,
    params=parameters_of(_version),
    help=_("Type a siteswap, and a person in 3D juggles it."),
    epilog=_(_EXAMPLES),
    invoke_without_command=True,
    no_args_is_help=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _options(command: Any) -> list[str]:
    """Return all options of a command, with two dashes."""
    return [
        name
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    ]


def _has_display() -> bool:
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY"))
