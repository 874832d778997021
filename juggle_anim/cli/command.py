"""Commands whose help is in the present language throughout, also where the library that prints it
is English.
"""

from __future__ import annotations

import inspect
from itertools import islice
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

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
            option.help = _("Show this message and exit.")
        return option


class Command(_HelpInLanguage, TyperCommand):
    """A command whose help is in the present language throughout."""


class CommandGroup(_HelpInLanguage, TyperGroup):
    """Commands with a name in common, whose help is in the present language."""


class ArgumentLine(Command):
    """A command whose words with one dash, such as `-m 2` and `-prime`, belong to its line.

    Its own options are excepted.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of this command, and leave all other words to its argument line.

        Options are words that begin with two dashes, -h, and short options of this command; those
        that take a value take the next word as well.
        """
        options = []
        line = []
        words = iter(args)
        options_with_value = {
            name
            for parameter in self.params
            if not getattr(parameter, "is_flag", True)
            for name in parameter.opts
        }
        for word in words:
            if word.startswith("--") or word == "-h" or word in options_with_value:
                options += [word, *islice(words, 1 if word in options_with_value else 0)]
            else:
                line.append(word)
        # "--" between them keeps the library from reading the line as options.
        return super().parse_args(ctx, [*options, "--", *line])


def unwrapped(docstring: str | None) -> str:
    """Return the text of a docstring, each of its paragraphs in one line."""
    paragraphs = inspect.cleandoc(docstring or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
