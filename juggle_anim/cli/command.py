"""Commands whose help is in the present language throughout, also where the library that prints it
is English.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from typer.core import TyperCommand, TyperGroup

from juggle_anim.errors import ParameterError, either
from juggle_anim.language import N_, _, catalogue_folder

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


def translate_library() -> None:
    """Let the library that parses command lines find its texts in our catalogues."""
    from gettext import bindtextdomain, textdomain

    bindtextdomain(DOMAIN_OF_LIBRARY, str(catalogue_folder()))
    textdomain(DOMAIN_OF_LIBRARY)


if TYPE_CHECKING:
    _Base = TyperCommand
else:
    _Base = object


class _HelpInLanguage(_Base):
    """Translates what the library writes into a command's help without looking it up anywhere."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write how the command is called."""
        formatter.write_usage(
            ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix=_("Usage: ")
        )

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that shows the help."""
        option = super().get_help_option(ctx)
        if option:
            option.help = _("Show this help.")
        return option


OUT_FLAGS = ("-o", "--out", "--output")
"""What may stand before the file to write, where that is the last word of a command."""


class Command(_HelpInLanguage, TyperCommand):
    """A command whose help is in the present language throughout, and whose OUT may follow -o."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the line, with the file to write as the last argument."""
        own_options = {name for parameter in self.params for name in parameter.opts}
        takes_out = any(getattr(entry, "metavar", "") == "OUT" for entry in self.params)
        if takes_out and own_options.isdisjoint(OUT_FLAGS):
            args, out = without_out(args)
            args += out
        return super().parse_args(ctx, args)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first paragraph of the help, which the list of commands wraps."""
        return summary(self.help)


class CommandGroup(_HelpInLanguage, TyperGroup):
    """Commands with a name in common, whose help is in the present language."""

    other_words: ClassVar[Mapping[str, Sequence[str]]] = {}
    """What people type for each command, whose name they do not know."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command of the first word; where there is none, say where a pattern goes."""
        commands = self.list_commands(ctx)
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

    def refuse_misspelt(self, ctx: Any, word: str) -> None:
        """Refuse a word that means a command, or is spelt much like one, and name that."""
        meant = {name: name for name in self.list_commands(ctx)}
        meant |= {
            synonym: name for name, synonyms in self.other_words.items() for synonym in synonyms
        }
        nearest = difflib.get_close_matches(word.lower(), meant, n=1, cutoff=0.7)
        # check.jml is a file, not a mistyped command.
        if nearest and word.replace("-", "").isalpha():
            ctx.fail(
                _(
                    "There is no command {word}. Did you mean {near}?",
                    word=word,
                    near=meant[nearest[0]],
                )
            )

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first paragraph of the help, which the list of commands wraps."""
        return summary(self.help)


class ArgumentLine(Command):
    """A command whose words with one dash, such as `-m 2` and `-prime`, belong to its line.

    Its own options are excepted.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of this command, and leave all other words to its argument line."""
        line, options = split_options(self, args)
        # "--" between them keeps the library from reading the line as options.
        return super().parse_args(ctx, [*options, "--", *line])


def split_options(command: Any, words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split the words of a line into its arguments and the options of a command.

    Options are words that begin with two dashes, -h, and short options of the command; those that
    take a value take the next word as well.

    Args:
        command: of the library that parses command lines.
        words: after the name of the command.
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
            options += [word, *islice(remaining, 1 if word in options_with_value else 0)]
        else:
            arguments.append(word)
    return arguments, options


def without_out(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Take `-o FILE` out of the words of a line, also written as --out or --output.

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
            files += islice(remaining, 1)
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
