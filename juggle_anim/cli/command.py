"""Commands that are made of functions: their arguments and options are in the annotations of a
function's parameters, and their help is in the present language throughout, also where the library
that prints it is English.

Exit codes: how a run of the program ends, with one clear message where it failed.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from itertools import islice, zip_longest
from types import MappingProxyType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, get_args, get_origin

import click

from juggle_anim.errors import ParameterError, either
from juggle_anim.language import N_, _, catalogue_folder
from juggle_anim.parameters import (
    CHOICES,
    OTHER_NAMES,
    SETTINGS,
    Quantity,
    in_unit,
    plain_value,
    throw_terms,
)

if TYPE_CHECKING:
    _Base = click.Command
else:
    _Base = object
import contextlib
import os
import re
import signal
import sys
from pathlib import Path
from types import FrameType

from juggle_anim.errors import JuggleError, NotationError, printable_lines

OF_LIBRARY = (
    N_("Options"),
    N_("Arguments"),
    N_("Commands"),
    N_("default: {default}"),
    N_("required"),
)
"""Texts of the library that parses command lines, which it looks up itself."""

DOMAIN_OF_LIBRARY = "command_line"
"""Domain of the catalogues that have only these texts, in files as the library opens them."""

Description = Callable[[inspect.Parameter, Any], click.Parameter]
"""Makes the argument or option of a function's parameter, of which the second argument is the type
without None.
"""


def translate_library() -> None:
    """Let the library that parses command lines find its texts in our catalogues."""
    from gettext import bindtextdomain, textdomain

    bindtextdomain(DOMAIN_OF_LIBRARY, str(catalogue_folder()))
    textdomain(DOMAIN_OF_LIBRARY)


def argument(**details: Any) -> Description:
    """Return the description of an argument, for the annotation of a parameter.

    Args:
        details: `metavar` and `help`, and others of `click.Argument`.
    """
    return partial(_argument, details)


def option(*names: str, show_default: bool | str = True, **details: Any) -> Description:
    """Return the description of an option, for the annotation of a parameter.

    Args:
        names: the names with their dashes; by default that of the parameter.
        show_default: whether the help tells the default, or what it tells instead.
        details: details of `click.Option`.
    """
    return partial(_option, names, {"show_default": show_default, **details})


def out_option(text: str, metavar: str = "FILE") -> Description:
    """Return the description of `--out`, the file in which a command saves its result.

    Args:
        text: its help, which names the endings.
        metavar: what stands for the file in the help.
    """
    return option("--out", "-o", metavar=metavar, help=text, show_default=False)


def _argument(details: dict[str, Any], entry: inspect.Parameter, kind: Any) -> click.Parameter:
    """Return the argument for a parameter that is annotated with `argument(**details)`."""
    return _Argument([entry.name], **details, **_values(entry, kind, "nargs", -1))


def _option(
    names: Sequence[str], details: dict[str, Any], entry: inspect.Parameter, kind: Any
) -> click.Parameter:
    """Return the option for a parameter that is annotated with `option(*names, **details)`."""
    declarations = [entry.name, *(names or [f"--{entry.name.replace('_', '-')}"])]
    if entry.default == "":
        details = {**details, "show_default": False}
    return _Option(declarations, **_values(entry, kind, "multiple", True) | details)


def _values(entry: inspect.Parameter, kind: Any, many: str, value: object) -> dict[str, Any]:
    """Return keyword arguments for a parameter of click that say which values it takes.

    Args:
        entry: the parameter of the function.
        kind: its type, without None.
        many: name of the argument that lets a list take several words, such as `nargs`.
        value: value of that argument for a list.
    """
    details: dict[str, Any] = {"type": kind}
    if kind is float:
        details["type"] = QuantityType()
    if kind is bool:
        details["is_flag"] = True
    if get_origin(kind) is list:
        # click gives the words as a tuple, which is empty if none was typed: make a list, or None.
        details = {
            "type": get_args(kind)[0],
            many: value,
            "callback": lambda _context, _parameter, values: list(values) or None,
        }
    if entry.default is entry.empty:
        return {**details, "required": True}
    return {**details, "required": False, "default": entry.default}


def parameters_of(function: Callable[..., Any]) -> list[click.Parameter]:
    """Return the arguments and options of a command.

    Args:
        function: the function of the command. Its parameters are annotated as `Annotated[type,
            description]`, with a description made by `argument` or `option`. If it takes `**`, its
            attribute `keyword_parameters` is a function that returns parameters in place of these.
    """
    entries = [*inspect.signature(function, eval_str=True).parameters.values()]
    if entries and entries[-1].kind is inspect.Parameter.VAR_KEYWORD:
        entries[-1:] = function.keyword_parameters()  # type: ignore[attr-defined]
    parameters = []
    for entry in entries:
        # The annotation is `Annotated[type, description]`: of a type such as `int | None` only
        # `int` counts, which words are read as. The description makes a parameter of the command
        # from it.
        kind, description = get_args(entry.annotation)
        if isinstance(kind, UnionType):
            (kind,) = (member for member in get_args(kind) if member is not NoneType)
        parameters.append(description(entry, kind))
    return parameters


class _Argument(click.Argument):
    """An argument that is explained in the help, as options are."""

    def __init__(self, names: Sequence[str], **details: Any) -> None:
        self._explanation = details.pop("help")
        super().__init__(names, **details)

    def get_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the argument as it stands in the line that says how a command is called."""
        dots = "..." if self.nargs != 1 else ""
        return [(f"{{{self.metavar}}}" if self.required else f"[{self.metavar}]") + dots]

    def get_help_record(self, ctx: Any) -> tuple[str, str]:
        """Return the argument's name and its explanation."""
        # As the library writes it after the explanations of options.
        required = f"  [{_('required')}]" if self.required else ""
        return str(self.metavar), self._explanation + required


class _Option(click.Option):
    """An option whose help tells a default in words without brackets of its own."""

    def get_help_extra(self, ctx: Any) -> Any:
        """Return what the help adds to the explanation."""
        extra = super().get_help_extra(ctx)
        if isinstance(self.show_default, str):
            extra["default"] = self.show_default
        return extra


class _HelpInLanguage(_Base):
    """Translates what the library writes into a command's help without looking it up anywhere."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write how the command is called."""
        formatter.write_usage(
            ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix=_("Usage: ")
        )

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, and the options."""
        for heading, kind in ((_("Arguments"), "argument"), (_("Options"), "option")):
            records = [
                parameter.get_help_record(ctx)
                for parameter in self.get_params(ctx)
                if parameter.param_type_name == kind
            ]
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that shows the help."""
        option = super().get_help_option(ctx)
        if option:
            option.help = _("Show this help.")
        return option

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first paragraph of the help, which the list of commands wraps."""
        return summary(self.help)


OTHER_OPTIONS = {
    "--balls": "--props",
    "--contain": "-i",
    "--containing": "-i",
    "--contains": "-i",
    "--cores": "--workers",
    "--count": "-no",
    "--cycles": "--loops",
    "--dark": "--stage dark",
    "--duration": "--seconds",
    "--excited": "-ng",
    "--exclude": "-x",
    "--export": "--format",
    "--file": "",
    "--flip": "--mirror on",
    "--floor": "--ground on",
    "--from-above": "--camera top",
    "--front": "--camera front",
    "--full": "--fullscreen",
    "--gif": "--format gif",
    "--glb": "--format glb",
    "--ground": "-g",
    "--ground-state": "-g",
    "--height": "--max",
    "--highlight": "--pattern",
    "--html": "--format html",
    "--include": "-i",
    "--input": "",
    "--jif": "--format jif",
    "--jml": "--format jml",
    "--jobs": "--workers",
    "--jpg": "--format jpg",
    "--jugglers": "-j",
    "--length": "--period",
    "--limit": "--most",
    "--loop": "--loops all",
    "--max-height": "--max",
    "--max-throw": "--max",
    "--maximized": "--fullscreen",
    "--mirrored": "--mirror on",
    "--mp4": "--format mp4",
    "--multiplex": "-m 2",
    "--no-floor": "--ground off",
    "--no-zeros": "-x 0",
    "--objects": "--props",
    "--orbit": "--turntable",
    "--orthographic": "--projection orthographic",
    "--overwrite": "--force",
    "--parallel": "--workers",
    "--passing": "-j 2",
    "--playlist": "",
    "--png": "--format png",
    "--prime": "-prime",
    "--processes": "--workers",
    "--resolution": "--size",
    "--rotate": "--turntable",
    "--save": "--out",
    "--side": "--camera side",
    "--slow": "--speed 0.5",
    "--slow-mo": "--speed 0.5",
    "--slow-motion": "--speed 0.5",
    "--steps": "",
    "--stick": "--figure stick",
    "--sync": "-s",
    "--threads": "--workers",
    "--time": "--start",
    "--to": "--format",
    "--top": "--camera top",
    "--view": "--camera",
    "--webm": "--format webm",
    "--without": "-x",
    "-d": "--seconds",
    "-f": "--format",
    "-r": "--fps",
    "-s": "--size",
    "-t": "--start",
    "-w": "--width",
}
"""What people type for options of commands, and of argument lines, whose names they do not know; an
empty one is what happens anyway. Settings have other names in `text_settings`.
"""

NEAR_OPTIONS = {
    "--background": "--stage",
    "--back": "--throws",
    "--behind-back": "--throws",
    "--facing": "--body",
    "--formation": "--body",
    "--easy": "--difficulty easy",
    "--every": "--throws",
    "--hard": "--difficulty hard",
    "--hide-body": "--figure",
    "--hide-person": "--figure",
    "--json": "--format",
    "--kind": "--sync",
    "--left-hand": "--mirror",
    "--left-handed": "--mirror",
    "--lefty": "--mirror",
    "--paper": "--layout",
    "--play": "--open",
    "--show": "--open",
    "--sort": "--csv",
    "--suggest": "--all",
    "--sync": "--tag sync",
    "--under-leg": "--throws",
}
"""Options that do what others, which there are not, are typed for, and that take other values; one
with its value is what is meant.
"""

OUT_FLAGS = ("-o", "--out", "--output", "--dir", "--folder", "--outdir", "--output-dir")
"""Words that may be before the file to write, where that is the last word of a command."""


class Command(_HelpInLanguage, click.Command):
    """A command that is made of a function, whose OUT may follow -o.

    In English its help is the docstring.
    """

    def __init__(self, name: str, **details: Any) -> None:
        self._parameters: list[click.Parameter] | None = None
        details["help"] = _(unwrapped(details["help"]))
        super().__init__(name, **details)

    @property
    def params(self) -> list[click.Parameter]:
        """The arguments and options; read when first needed, as most commands of a run are not."""
        if self._parameters is None:
            assert self.callback
            self._parameters = parameters_of(self.callback)
        return self._parameters

    @params.setter
    def params(self, _parameters: list[click.Parameter]) -> None:
        """Take none of the library, which knows no annotations."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the line, with the file to write as the last argument."""
        args = list(plain_options(self, args))
        own_options = {name for parameter in self.params for name in parameter.opts}
        takes_out = any(getattr(entry, "metavar", "") == "OUT" for entry in self.params)
        if takes_out and own_options.isdisjoint(OUT_FLAGS):
            args, out = without_out(args)
            args += out
        for word, follower in zip_longest(args, args[1:], fillvalue="--"):
            # The library would take the next option for the value.
            if follower.partition("=")[0] in {*own_options, "--"} and takes_value(self, word):
                raise click.BadOptionUsage(word, "requires an argument", ctx)
        unread = super().parse_args(ctx, args)
        typed = [ctx.params[entry.name] for entry in self.params if entry.metavar == "OUT"]
        typed_files = [file for out in typed for file in (out if isinstance(out, list) else [out])]
        # Folders are made, which may not be what somebody who mistypes one expects.
        for file in filter(None, typed_files):
            folder = Path(file).parent
            if not folder.exists():
                click.echo(printable_lines(_("new folder: {folder}", folder=folder)), err=True)
        return unread


# Of a mistyped word and a command, as difflib measures it: from 0 to 1, where they are equal.
_MIN_SIMILARITY = 0.7


class CommandGroup(_HelpInLanguage, click.Group):
    """Commands with a name in common, whose help is in the present language.

    Args:
        places: where commands are that are imported when first needed, by their names: the module
            in `cli/` and its attribute.
        details: details of `click.Group`.
    """

    command_class = Command
    other_words: ClassVar[dict[str, str]] = {}
    """What people type for commands whose names they do not know, and what it means."""

    def __init__(
        self, name: str, places: Mapping[str, str] = MappingProxyType({}), **details: Any
    ) -> None:
        super().__init__(name, **details)
        self._places = places

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return [*self._places] or [*self.commands]

    def get_command(self, ctx: Any, cmd_name: str) -> click.Command | None:
        """Return a command by its name; None if there is none."""
        if cmd_name in self._places and cmd_name not in self.commands:
            module, _colon, attribute = self._places[cmd_name].partition(":")
            self.commands[cmd_name] = getattr(import_module(f"juggle_anim.cli.{module}"), attribute)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command of the first word.

        Args:
            ctx: click's context.
            args: words of the command line; the first names a command.

        Raises:
            ParameterError: there is no such command; the error says where a pattern goes.
        """
        commands = self.list_commands(ctx)
        if args[0] not in commands and len(commands) == 1:
            args = [*commands, *args]
        if args[0] not in commands:
            self.refuse_misspelt(ctx, args[0])
            raise ParameterError(
                _(
                    "{group} needs one of {commands} before the pattern, as in "
                    "`{group} {first} {words}`",
                    group=ctx.command_path,
                    commands=either(commands),
                    first=commands[0],
                    words=" ".join(args),
                )
            )
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, and the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def refuse_misspelt(self, ctx: Any, word: str) -> None:
        """Raise a usage error for a word that is similar to a command, and suggest that command.

        A word that is similar to none is accepted.

        Args:
            ctx: click's context.
            word: the first word of a line.
        """
        # Not a mistyped command, but a file, as check.jml, or throws, as 531.
        if not word.replace("-", "").isalpha():
            return
        # The command of each name, and of each word that people may type in its place.
        command_of_word = {name: name for name in self.list_commands(ctx)} | self.other_words
        nearest = difflib.get_close_matches(
            word.lower(), command_of_word, n=3, cutoff=_MIN_SIMILARITY
        )
        # Names of the same letters in another order come first: `lsit` is list, not site.
        nearest.sort(key=lambda name: sorted(name) != sorted(word.lower()))
        if nearest:
            ctx.fail(
                _(
                    "There is no command {word}. Did you mean {near}?",
                    word=word,
                    near=command_of_word[nearest[0]],
                )
            )


class ArgumentLine(Command):
    """A command whose words with one dash, such as `-m 2` and `-prime`, belong to its line.

    Its own options are excepted.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of this command, and leave all other words to its argument line."""
        line, options = split_options(self, list(plain_options(self, args)))
        # "--" between them keeps the library from reading the line as options.
        return super().parse_args(ctx, [*options, "--", *line])


def takes_value(command: Any, name: str) -> bool:
    """Return whether a name is that of an option of a command which takes a value."""
    return any(
        name in entry.opts and not getattr(entry, "is_flag", True) for entry in command.params
    )


def option_names(command: Any) -> set[str]:
    """Return the names of all options of a command, with their dashes."""
    return {name for entry in command.params for name in (*entry.opts, *entry.secondary_opts)}


def plain_options(command: Any, words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a command line with options renamed to those of the command.

    Settings under names of other programs are renamed, and their values converted. All other words
    are unchanged.

    Args:
        command: command of the parsing library.
        words: the words after the name of the command.
    """
    own_options = option_names(command)
    remaining = [*words]
    while remaining:
        word = remaining.pop(0)
        name, equals, value = word.partition("=")
        switch = name.replace("--no-", "--", 1)
        if switch in own_options and switch != name and switch in _SWITCHES:
            yield from (switch, "off")
            continue
        guess = name[2:].replace("-", "_")
        setting = OTHER_NAMES.get(guess, "")
        flag = f"--{setting.replace('_', '-')}"
        meant = _option_meant(command, name)
        if name in OUT_FLAGS and "-o" in own_options:
            meant = "-o"
        if name in own_options:
            yield word
            # A switch alone is on; a word or 0 or 1 behind it is its value.
            if word in _SWITCHES and not re.match(r"[a-z]+$|[01]$", "".join(remaining[:1]), re.I):
                yield "on"
        elif meant is not None:
            # `meant` is an option, perhaps with a value that a number behind the word replaces.
            option, _blank, usual_value = meant.partition(" ")
            if option:
                yield option
            if option in ("-x", "-i") and not usual_value:
                # The throws of a text become words of their own, as in `-x 0 2`.
                yield from throw_terms(value if equals else "".join(remaining[:1]))
                del remaining[: not equals]
            elif equals:
                yield str(plain_value(guess, value))
            elif usual_value and _is_number(remaining[:1]):
                yield str(plain_value(guess, remaining.pop(0)))
            elif usual_value:
                yield usual_value
        elif flag in own_options:
            # The value stands behind `=`, or is the next word, which is then taken.
            typed = value if equals else "".join(remaining[:1])
            del remaining[: not equals]
            yield from (flag, _plain_setting(guess, typed))
        else:
            yield word


def _option_meant(command: Any, name: str) -> str | None:
    """Return the option of a command that a word with dashes means, perhaps with its value.

    "" stands for what happens anyway; None for no such option.
    """
    near = NEAR_OPTIONS.get(name)
    meant = [OTHER_OPTIONS.get(name), None if near and " " not in near else near]
    return next(
        (option for option in meant if option is not None and takes_option(command, option)), None
    )


def _plain_setting(guess: str, typed: str) -> str:
    """Return the value of a setting that was typed under another name, one of `OTHER_NAMES`.

    Raises:
        ParameterError: a quantity does not take the number; the error has the name as typed.
    """
    value = plain_value(guess, typed)
    row = SETTINGS[OTHER_NAMES[guess]]
    if isinstance(row, Quantity) and isinstance(value, float) and not row.accepts(value):
        raise ParameterError.of(guess, typed, row.accepted)
    return str(value)


class QuantityType(click.types.FloatParamType):
    """The type of options for numbers, which may have their unit."""

    _UNITS: ClassVar[dict[str, str]] = {"CM": "cm", "SECONDS": "s"}
    """Units of what stands for the value in the help."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number in the unit of the option."""
        number = plain_value(param.name, value)
        with contextlib.suppress(ValueError):
            number = in_unit(number, self._UNITS.get(param.metavar, ""))
        return super().convert(number, param, ctx)


def _is_number(words: Sequence[str]) -> bool:
    """Return whether there is a word, and it is a number such as 0.5."""
    return any(re.fullmatch(r"\d+(\.\d+)?", word) for word in words)


def takes_option(command: Any, option: str) -> bool:
    """Return whether a command takes an option, perhaps with a value after a blank; "" always.

    Argument lines of Juggling Lab read options with one dash themselves.
    """
    return (
        not option
        or option.partition(" ")[0] in option_names(command)
        or (isinstance(command, ArgumentLine) and not option.startswith("--"))
    )


_SWITCHES = {
    name
    for row in CHOICES
    if {*row.options} == {"on", "off"}
    for name in (f"--{row.name.replace('_', '-')}", f"--{row.key}")
}
"""Options for settings that are on or off."""


def split_options(command: Any, words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split the words of a line into its arguments and the options of a command.

    Options are words that begin with two dashes, -h, and short options of the command; those that
    take a value take the next word as well.

    Args:
        command: command of the library that parses command lines.
        words: the words after the name of the command.

    Returns:
        The arguments; and the options, each followed by its value if it takes one.
    """
    own_options = {*OUT_FLAGS, *(name for entry in command.params for name in entry.opts)}
    options_with_value = {
        *OUT_FLAGS,
        *(
            name
            for parameter in command.params
            if not getattr(parameter, "is_flag", True)
            for name in parameter.opts
        ),
    }
    arguments = []
    options = []
    remaining = iter(words)
    for word in remaining:
        if word.startswith("--") or word == "-h" or word in own_options:
            options.append(word)
            if word in options_with_value:
                # The next word, if there is one.
                options += islice(remaining, 1)
        else:
            arguments.append(word)
    return arguments, options


def without_out(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Take each `-o FILE`, also written as --out or --output, out of the words of a line.

    Args:
        words: the words of the line.

    Returns:
        The other words, and the files.
    """
    others = []
    files = []
    remaining = iter(words)
    for word in remaining:
        name, equals, value = word.partition("=")
        if name not in OUT_FLAGS:
            others.append(word)
        elif equals:
            files.append(value)
        else:
            files += islice(remaining, 1)  # the next word, if there is one
    return others, files


def summary(text: str | None) -> str:
    """Return the first paragraph of a help text in one line, without its full stop."""
    return " ".join((text or "").partition("\n\n")[0].split()).removesuffix(".")


def unwrapped(docstring: str | None) -> str:
    """Return the text of a docstring, each of its paragraphs in one line.

    Those that begin with a line `\\b` keep their lines.
    """
    paragraphs = inspect.cleandoc(docstring or "").split("\n\n")
    return "\n\n".join(
        paragraph if paragraph.startswith("\b") else " ".join(paragraph.split())
        for paragraph in paragraphs
    )


FAILED = 1
WRONG_USAGE = 2
_SIGNALLED = 128  # the number of the signal is added, as shells do it
INTERRUPTED = _SIGNALLED + signal.SIGINT
TERMINATED = _SIGNALLED + signal.SIGTERM

_EXPECTED_ERRORS = (JuggleError, MemoryError, OSError)


@contextlib.contextmanager
def exit_codes() -> Iterator[None]:
    """End the program with an exit code and without a traceback, whatever happens.

    The codes are 0, 1 for a pattern that is not valid or a run that fails, 2 for wrong usage of the
    command line, and 130 for Ctrl-C.

    `python -X dev -m juggle_anim` shows the traceback of an unexpected error.
    """
    _open_closed_streams()
    _replace_unprintable()
    # A terminal that is closed ends the program, too, but not where `nohup` says otherwise.
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _hang_up)
    with _signals() as signals:
        try:
            yield
        except KeyboardInterrupt:
            _end("", INTERRUPTED)
        except Exception as error:
            # During a call into a library, or while a class is made, the exception of a signal may
            # surface as another error.
            if signals:
                _end("", _SIGNALLED + signals[0])
            if sys.flags.dev_mode and not isinstance(error, _EXPECTED_ERRORS):
                raise
            _end(*_message_and_code(error))


def _message_and_code(error: Exception) -> tuple[str, int]:
    """Return the message of an error in the words of the command line, and the exit code.

    The code is `WRONG_USAGE` where the command line itself is wrong, and else `FAILED`.
    """
    match error:
        case ParameterError() if error.name:
            # As it was typed: chicken_wing has the flag --chicken-wing.
            return f"{flag(error.name)}{str(error)[len(error.name) :]}", WRONG_USAGE
        case NotationError() if error.key:
            return f"--{error.key}: {error}", WRONG_USAGE
        case JuggleError():
            # Python's keyword arguments are flags here: --force for force=True.
            message = re.sub(r"\b(force|resume)=True\b", r"--\1", str(error))
            return message, WRONG_USAGE if isinstance(error, ParameterError) else FAILED
        case MemoryError():
            return _("not enough memory"), FAILED
        case BrokenPipeError():
            return "", FAILED  # the reader has closed the pipe
        case OSError():
            return _("the system reported an error: {error}", error=error), FAILED
    return _(
        "internal error in juggle-anim: {name}: {error}",
        name=type(error).__name__,
        error=error,
    ), FAILED


def flag(parameter: str) -> str:
    """Return the flag of a parameter: `--chicken-wing` for chicken_wing.

    Width is `--hand-width`, since `--width` of pictures is in pixels.
    """
    name = "hand_width" if parameter == "width" else parameter
    return f"--{name.replace('_', '-')}"


@contextlib.contextmanager
def _signals() -> Iterator[list[int]]:
    """Yield a list to which the number of each signal that ends the program is appended.

    A signal raises an exception, which a library may catch; the list still tells of it.
    """
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        _end_import(number, frame)
        signal.default_int_handler(number, frame)

    def terminate(number: int, frame: FrameType | None) -> None:
        received.append(number)
        _end_import(number, frame)
        raise SystemExit(TERMINATED)

    # Like Ctrl-C, SIGTERM must leave no partial files behind.
    signal.signal(signal.SIGTERM, terminate)
    # Background jobs of a shell ignore Ctrl-C, and go on doing so.
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield received
    finally:
        if handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_import(number: int, frame: FrameType | None) -> None:
    """End the program at once if a library in C is being imported, which prints exceptions.

    Args:
        number: of the signal.
        frame: what Python is doing.
    """
    while frame:
        if isinstance(frame.f_locals.get("self"), ExtensionFileLoader):
            os._exit(_SIGNALLED + number)
        frame = frame.f_back


def _open_closed_streams() -> None:
    """Open streams that were closed when the program started.

    Else a file that is written would take their numbers.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _replace_unprintable() -> None:
    """Replace characters that the terminal's encoding lacks, such as °."""
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _hang_up(_signal: int, _frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGTERM)


def _end(message: str, code: int) -> None:
    """Print a message on standard error, flush all output, and exit with a code.

    Output that cannot be written any more, as to a closed pipe, is dropped.

    Args:
        message: message to print; empty for none.
        code: exit code of the program.
    """
    with contextlib.suppress(OSError):
        if message and sys.stderr:
            print(printable_lines(message), file=sys.stderr, flush=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except OSError:
            # Python would flush again at its end, and print another error: lead the output nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
