"""The program's commands, of which `show` is the usual one: a first word may also be a pattern."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any

import typer

from juggle_anim.cli.analyse import analyse, arms, optimise
from juggle_anim.cli.batch import batch
from juggle_anim.cli.check import check_patterns
from juggle_anim.cli.command import (
    ArgumentLine,
    Command,
    CommandGroup,
    translate_library,
    unwrapped,
)
from juggle_anim.cli.completion import completion
from juggle_anim.cli.convert import convert
from juggle_anim.cli.draw import draw, variations
from juggle_anim.cli.edit import OperationLine, edit
from juggle_anim.cli.export import export
from juggle_anim.cli.first_words import OTHER_WORDS, usual_words
from juggle_anim.cli.generate import generate
from juggle_anim.cli.language_option import FLAG, language_help
from juggle_anim.cli.list import list_patterns
from juggle_anim.cli.options import open_animation, take_parameters
from juggle_anim.cli.output import say
from juggle_anim.cli.serve import serve
from juggle_anim.cli.site import site
from juggle_anim.cli.transition import transition
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

_PATTERN = typer.Argument(
    metavar="PATTERN",
    help=_(
        "A siteswap, a name from `list`, pattern=531;dwell=1, or a file: "
        "tricks.jml#3. By default, the last one open."
    ),
    show_default=False,
)


# What the library that parses command lines says, and what people say.
_PLAIN_REASONS = {
    "Input should be a valid integer": N_("must be a whole number"),
    "Input should be a valid number": N_("must be a number"),
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
            except Exception as error:
                # Told by its name, since typer brings a copy of the library that raises it, or not,
                # by its version.
                if type(error).__name__ == "NoSuchOption":
                    self._suggest(error, ctx)
                raise

    def _suggest(self, error: Any, ctx: Any) -> None:
        """Add suggestions to the message of the error of an unknown option.

        Suggested are options of the command that are alike, or else other commands that have this
        option.

        Args:
            error: of the library that parses command lines; its message is changed.
            ctx: of this group.
        """
        typed = error.option_name
        command = error.ctx.command

        # Options that the word begins, or that are spelt much alike.
        similar = [
            name
            for name in _options(command)
            if name.startswith(typed) and len(typed) > _SHORT_OPTION
        ]
        similar = similar or difflib.get_close_matches(typed, _options(command), n=2, cutoff=0.8)

        # Other commands with exactly this option.
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        other_commands = [
            name
            for name, other in commands.items()
            if other is not command and typed in _options(other)
        ]

        # The library would add its own suggestions, in English.
        error.possibilities = None
        error.message = _("There is no option {typed}.", typed=typed)
        if similar:
            error.message += _(" Did you mean {near}?", near=either(similar[:2]))
        elif other_commands:
            error.message += _(" It is an option of {others}.", others=joined_names(other_commands))

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
    except Exception as error:
        if hasattr(error, "format_message"):
            error.show = partial(print_usage_error, error)  # type: ignore[attr-defined]
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
    name = getattr(error, "option_name", "")
    message = str(error.message or "")
    # By the name of the class, since typer brings a copy of the library, or not, by its version.
    match type(error).__name__:
        case "MissingParameter":
            # As the help shows it.
            return _(
                "{name} is missing",
                name=str(error.param.metavar or error.param.name).strip("{}").upper(),
            )
        case "BadParameter":
            flag = str(error.param_hint or (error.param.opts[0] if error.param else ""))
            # The message goes on with the value behind a comma.
            plain = _(_PLAIN_REASONS.get(message.partition(",")[0], ""))
            return f"{flag} {plain}" if plain else f"{flag}: {message}" if flag else message
        case "BadOptionUsage" if "requires" in message:
            return _("{name} needs a value", name=name)
        case "BadOptionUsage":
            return _("{name} takes no value", name=name)
        case "UsageError" if message.startswith("Got unexpected extra"):
            return _(
                "Unexpected arguments: {message}",
                message=message.partition("(s) (")[2].rstrip(")"),
            )
        case "UsageError" if message.startswith("No such command"):
            # The name stands between apostrophes.
            return _("There is no command {name}", name=message.split(chr(39))[1])
    return message.removesuffix(".")


app = typer.Typer(
    cls=_PatternFirst,
    name="juggle-anim",
    help=_("Type a siteswap, and a person in 3D juggles it."),
    epilog=_(_EXAMPLES),
    rich_markup_mode=None,  # plain help is quick to print, and any terminal shows it
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("show")
@take_parameters
def _show(
    words: Annotated[list[str] | None, _PATTERN] = None,
    safe: Annotated[
        bool, typer.Option("--safe", help=_("Start with default settings; favourites stay."))
    ] = False,
    welcome: Annotated[bool, typer.Option("--welcome", help=_("Show the welcome tour."))] = False,
    **flags: Any,
) -> None:
    """Open the viewer.

    The word show may be left out, and so may the pattern.
    """
    from juggle_anim.api import show as open_viewer
    from juggle_anim.notation.open import find_file_reference

    options: dict[str, Any] = {
        name: True for name, on in (("safe", safe), ("welcome", welcome)) if on
    }
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
            _("Planning the movements for {duration:.0f} s …", duration=animation.duration),
            err=True,
        )
    open_viewer(animation, **options)


app.command("export")(export)
app.command("batch")(batch)
app.command("list")(list_patterns)
app.command("generate", cls=ArgumentLine)(generate)
app.command("transition", cls=ArgumentLine)(transition)
app.command("variations")(variations)
app.command("check")(check_patterns)
app.command("convert")(convert)
app.command("edit", cls=OperationLine)(edit)
app.command("analyse")(analyse)
app.command("optimise")(optimise)
app.command("serve")(serve)
app.command("site")(site)
app.command("completion")(completion)
app.add_typer(arms, name="arms")
app.add_typer(draw, name="draw")


def _translate_help(program: typer.Typer) -> None:
    """Translate the help of commands, which in English are their docstrings."""
    for command in program.registered_commands:
        command.cls = command.cls if command.cls and issubclass(command.cls, Command) else Command
        command.help = _(unwrapped(command.help or getattr(command.callback, "__doc__", None)))
    for group in program.registered_groups:
        if group.typer_instance:
            _translate_help(group.typer_instance)


_translate_help(app)
translate_library()


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help=_("Show the version."))] = False,
    language: Annotated[
        str, typer.Option(FLAG, metavar="WORD", help=language_help(), show_default=False)
    ] = "",
) -> None:
    if version:
        from juggle_anim.resources import __version__

        say(__version__)
        raise typer.Exit


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
