"""The program's commands, of which `show` is the usual one: a first word may also be a pattern.

What people type before they know the commands: commands by other names, pictures that are saved
without `export`, and props by a flag of their own.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from juggle_anim.cli.command import (
    INTERRUPTED,
    NEAR_OPTIONS,
    OTHER_OPTIONS,
    OUT_FLAGS,
    CommandGroup,
    flag,
    option,
    option_names,
    parameters_of,
    plain_options,
    split_options,
    takes_option,
    translate_library,
    without_out,
)
from juggle_anim.cli.language_option import FLAG, language_help
from juggle_anim.cli.options import IN_TURN, patterns_in_turn, say
from juggle_anim.errors import FileError, ParameterError, either, joined_names, printable
from juggle_anim.formats import BY_ENDING as EXPORTED
from juggle_anim.formats import DRAWINGS, EXPORTS
from juggle_anim.language import N_, _
from juggle_anim.notation import FILE_WORDS, LISTS, WRITTEN, ending_of
from juggle_anim.parameters import (
    BODY_CATCH_NAMES,
    BODY_THROW_NAMES,
    DECIDED_BY,
    OTHER_NAMES,
    OTHER_TRICK_NAMES,
    ROWS,
    TEXT_KEYS,
    Quantity,
    same_name,
    setting_named,
    synonyms,
)

_COMMANDS = {
    "analyse": "analyse", "animate": "show", "arms": "arms compare", "collision": "analyse",
    "causal": "draw causal", "compare": "arms compare", "completions": "completion",
    "drawing": "draw ladder", "elbow": "arms compare", "elbow solver": "arms compare",
    "export": "export", "facts": "check", "frames": "export",
    "generate": "generate", "graph": "draw states", "hand position": "export --format csv",
    "ladder": "draw ladder", "library": "list", "lines": "draw lines",
    "pass": "show", "passing": "show",
    "lesson": "learn",
    "optimise": "optimise", "orbits": "check", "period": "check", "poster": "draw poster",
    "position": "export --format csv", "record": "export --format mp4", "render": "export",
    "routine": "show",
    "save": "export", "sheet": "draw sheet", "show": "show", "solver": "arms compare",
    "state graph": "draw states", "states": "draw states", "strobe": "draw strobe",
    "transition": "transition", "server": "serve", "valid": "check", "variations": "variations",
    "write": "export",
}  # fmt: skip
"""What words mean that are no commands, or have synonyms."""

OTHER_WORDS = {
    word: line
    for word, line in (
        *((word, f"export --format {ending_of(word)[1:]}") for word in FILE_WORDS),
        *((word, line) for known, line in _COMMANDS.items() for word in synonyms(known)),
    )
    if word not in line.split()[:1]
}
"""What people type for a command whose name they do not know, and what it means."""

_COUNT = r"[x*×](?=\d+$)"
"""Between a pattern of a routine and the number of its loops."""

_LOOPS = "4"
"""How often each pattern of a routine is juggled where its line does not say it."""

_DOT = {"--format", "dot", "gv", "--dot"}
"""Words for a state graph in the language of Graphviz."""

_MIN_PREFIX = 3
"""The fewest letters of a word that stand for it, if all words that begin so mean the same."""

_SETTINGS_ARE = N_(
    "Settings are options, such as `juggle-anim 531 --prop club`; `juggle-anim show -h` lists all. "
    "The window keeps its own in the folder juggle-anim of your settings, ~/.config on Linux."
)

_ELSEWHERE = {
    "config": _SETTINGS_ARE,
    "settings": _SETTINGS_ARE,
    "random": N_(
        "Nothing is chosen at random: `juggle-anim generate 4 7 5` finds all patterns, and "
        "`juggle-anim list --props 4` those with names."
    ),
}
"""Words for what no command does, and where it is."""

_LOOP_FLAGS = ("--each", "--repeat", "--repeats", "--times")
"""Options before the number of loops of each pattern of a routine."""

_TRICK_FLAGS = {f"--{word}": word for word in (*BODY_THROW_NAMES, *BODY_CATCH_NAMES)}
_TRICK_FLAGS |= {f"--{name.replace(' ', '-')}": word for name, word in OTHER_TRICK_NAMES.items()}

_PROP_FLAGS = {
    f"--{kind}{plural}": kind for kind in ("ball", "club", "ring") for plural in ("", "s")
}


def usual_words(context: Any, group: Any, words: list[str]) -> list[str]:
    """Translate common forms of a command line into our commands.

    For example `help` becomes `--help`, and a pattern without a command is exported if a file or an
    export option follows it.

    Args:
        context: context of the program.
        group: the commands of the program.
        words: the words as typed, after the name of the program.

    Returns:
        The words of the command line; they begin with a command, a pattern or an option.

    Raises:
        ParameterError: an option belongs to the window alone, or words contradict each other.
    """
    match words:
        case ["help" | "examples" | "--usage" | "man" | "-?"]:
            return ["--help"]
        case ["help" | "man", *command]:
            line = _as_command(context, group, command)
            export = group.get_command(context, "export")
            if line[0] not in group.list_commands(context) and not _names_a_pattern(export, line):
                if text := _help_of_setting(export, line[0]):
                    say(text)
                    raise click.exceptions.Exit(0)
                group.refuse_misspelt(context, line[0])
                raise ParameterError(
                    _(
                        "there is no command or setting {word}; run `juggle-anim -h`",
                        word=printable(line[0], 40),
                    )
                )
            return [*line[: 1 + (line[0] in ("draw", "arms"))], "--help"]
        case ["version" | "-V" | "-v"]:
            return ["--version"]
        case ["from", start, "to", end] | [start, "to", end] if not _file_named(start, end):
            return ["transition", start, end]
        case [command, "help"] if command in group.list_commands(context):
            return [command, "--help"]
        case ["serve" | "server", port] if port.isdecimal():
            return ["serve", "--port", port]
        case [pattern, "help"]:
            return [pattern, "--help"]
        case ["--install-completion" | "--show-completion", *shell]:
            return ["completion", *shell]
    if not words or words[0] in context.help_option_names:
        return words
    if same_name(words[0], ["settings"]) and len(words) == 2:
        words = words[1:]
    # Words for what no command does are answered by where it is.
    if elsewhere := same_name(words[0], _ELSEWHERE):
        arguments, _options = split_options(group.get_command(context, "export"), words[1:])
        raise ParameterError(_(_ELSEWHERE[elsewhere], pattern=" ".join(arguments) or "cascade"))

    # Loops of each pattern of a routine; empty where the line need not be a routine.
    loops = ""
    if same_name(words[0], ["routine"]):
        words, loops = _without_loops(words)
    # The first word may be another name of a command.
    commands = group.list_commands(context)
    if words[0] not in commands:
        words = _as_command(context, group, words)
    command = words[:1] if words[0] in commands else []
    # `transition from 3 to 51` is `transition 3 51`.
    if command == ["transition"]:
        return [word for word in words if word.lstrip("-") not in ("from", "to", "and", ">")]
    export = group.get_command(context, "export")
    words = _with_drawing(export, words)
    # What follows concerns only commands that take a pattern and perhaps a file.
    if command and command[0] not in ("show", "export", "convert"):
        return words
    typed = ["--format" if word == "-f" else word for word in words[len(command) :]]
    if "to" in typed[1:-1]:
        # `531 to gif` is saved under its own name.
        index = typed.index("to")
        file = _file_named(typed[index - 1], typed[index + 1])
        typed[index : index + 2] = ["-o", file]
    typed = _with_props(export, list(plain_options(export, typed)))
    if not (command or _names_a_pattern(export, typed)):
        _refuse_setting(export, typed)
        group.refuse_misspelt(context, typed[0])
        # Other programs take `-i` before their input; here the pattern follows without it.
        typed = [word for word in typed if word != "-i"]
    saved = _saved(export, typed, command, loops)
    if not saved and command != ["export"] and "--loops" in typed:
        # A window goes on anyway.
        index = typed.index("--loops")
        del typed[index : index + 2]
    return saved or [*command, *typed]


def _without_loops(words: list[str]) -> tuple[list[str], str]:
    """Take the option for the number of loops out of the words of a routine.

    Args:
        words: the words after the name of the program.

    Returns:
        The other words, and the number of loops of each pattern, in digits; the usual number
        without the option.

    Raises:
        ParameterError: the option stands without a number.
    """
    for index, word in enumerate(words):
        name, equals, number = word.partition("=")
        if name not in _LOOP_FLAGS:
            continue
        remaining = words[index + 1 :]
        # Without `=` the next word is the number; empty if there is none.
        if not equals:
            number = "".join(remaining[:1])
            remaining = remaining[1:]
        if not number.isdecimal():
            raise ParameterError(_("{name} needs a value", name=name))
        return words[:index] + remaining, number
    return words, _LOOPS


def _file_named(pattern: str, word: str) -> str:
    """Return the file for a pattern that a word names: itself, or a format; "" for another word."""
    if Path(word).suffix:
        return word
    from juggle_anim.batch.plan import safe_name

    ending = ending_of(word.removeprefix("."))
    return ending and f"{safe_name(pattern)}{ending}"


def _refuse_setting(export: Any, words: list[str]) -> None:
    """Raise an error for a line that is only the name of a setting; it tells the option instead.

    Args:
        export: the command that saves a pattern, which has all settings.
        words: the words of a line without a command, at least one.

    Raises:
        ParameterError: there is such a setting.
    """
    if len(words) == 1 and words[0].isalpha() and (text := _help_of_setting(export, words[0])):
        raise ParameterError(text)


def _help_of_setting(export: Any, word: str) -> str:
    """Return what the option of a setting does, in a line; "" if there is no such setting."""
    name = word.lstrip("-").replace("-", "_")
    options = {flag(setting_named(name)), flag(name.removesuffix("s"))}
    shown = (entry for entry in export.params if not options.isdisjoint(entry.opts))
    return next((_option_help(entry, click.Context(export)) for entry in shown), "")


def _as_command(context: Any, group: Any, words: list[str]) -> list[str]:
    """Return a line with the usual name of its command in front; the same line without a command.

    The command may be meant by the first word, which is one of `OTHER_WORDS` or the beginning of
    such a word or of a command, or by a flag, as `--ladder`. A name of the library is no command. A
    drawing for which no file is named is saved as a file named after its kind.

    Args:
        context: context of the program.
        group: the commands of the program.
        words: the words as typed, at least one.
    """
    export = group.get_command(context, "export")
    if words[0].isidentifier() and _names_a_pattern(export, words):
        return words
    # What each known word means: the beginning of a command line.
    meant = OTHER_WORDS | {name: name for name in group.list_commands(context)}
    own_options = (option_names(group.get_command(context, name)) for name in ("export", "show"))
    others = {name for name, option in OTHER_OPTIONS.items() if takes_option(export, option)}
    options = others.union(NEAR_OPTIONS, *own_options)
    options |= set(map(flag, OTHER_NAMES))
    flags = [word for word in words if word.startswith("--") and word not in options]
    flags = [word for word in flags if not word.startswith("--no-")]
    for word in (words[0], *flags):
        if word in options:
            continue
        name = _named_command(word.removeprefix("--"), meant)
        # The beginnings of command lines that are meant by known words which begin so.
        completed = {line for known, line in meant.items() if known.startswith(name)}
        is_prefix = word == words[0] and len(name) >= _MIN_PREFIX and len(completed) == 1
        if name in meant or is_prefix:
            command = meant.get(name) or completed.pop()
            # Further flags that mean the same command are no options, as in `compare --solvers`.
            repeated = [
                typed_flag
                for typed_flag in flags
                if meant.get(_named_command(typed_flag.removeprefix("--"), meant)) == command
            ]
            arguments = [typed for typed in words if typed not in (word, *repeated)]
            patterns, _options_typed = split_options(export, arguments)
            if name == "compare" and len(patterns) != 1 and not _names_a_pattern(export, patterns):
                command = "analyse --table"  # patterns are compared, not elbow solvers
            line = [*command.split(), *arguments]
            # What is told of states is a text, unless a file is named.
            return _with_drawing(export, line, "-" if name == "states" else "")
    return words


def _with_drawing(export: Any, line: list[str], out: str = "") -> list[str]:
    """Return a line with a file for its drawing, if it is one that names none.

    Args:
        export: the command that saves a pattern, which has all options that take a value.
        line: the words; of a drawing the second one is its kind.
        out: the file; empty for one that is named after the kind.
    """
    is_drawing = line[:1] == ["draw"] and " ".join(line[:2]) in _COMMANDS.values()
    if not is_drawing or len(line) < 3:
        return line
    if line[1] == "states" and _DOT & {*line}:
        line = [*(word for word in line if word not in _DOT), "--dot"]
        out = "-"
    elif line[1] == "states" and "--json" in line:
        out = "-"
    # The first word of a line is no file to draw, which it could only be read from.
    _first, *files = [word for word in line[2:] if not word.startswith("--")] or [""]
    names_a_file = any(re.match(r"\.[A-Za-z]", Path(word).suffix) for word in files)
    stops = {*OUT_FLAGS, "-", "-h", "--help"}
    # A name of several words needs no quotes.
    arguments, options = split_options(export, line[2:])
    out_words = arguments[-1:] if names_a_file else []
    names = arguments[: len(arguments) - len(out_words)]
    if len(names) > 1 and _names_a_pattern(export, names):
        line = [*line[:2], " ".join(names), *out_words, *options]
    if names_a_file or any(word.partition("=")[0] in stops for word in line[2:]):
        return line
    return [*line, "-o", out or f"{line[1]}.svg"]


def _named_command(name: str, meant: Collection[str]) -> str:
    """Return the known word that a name means, or else the name.

    As in `to-gif`, `export_csv` and `check-collisions`, a verb may be before what is written.
    """
    if name in meant or not name[:1].isalpha():
        return name
    after_verb = name.partition("-")[2]
    return same_name(name, meant) or same_name(after_verb, meant) or after_verb or name


def _names_a_pattern(export: Any, words: list[str]) -> bool:
    """Return whether the words of a line without a command name a pattern of the library.

    `shower` does, while `shwo` is a misspelt `show`. A text that begins with no letter is taken for
    a siteswap, which does not count.

    Args:
        export: the command that saves a pattern, which has all options that take a value.
        words: the words of the line, perhaps with options and a file.
    """
    typed, _files = without_out(words)
    arguments, _options = split_options(export, typed)
    name = " ".join(word for word in arguments if not _is_file_to_write(word))
    if not name[:1].isalpha():
        return False
    from juggle_anim.notation import find_pattern

    return find_pattern(name) is not None


def _with_props(export: Any, words: list[str]) -> list[str]:
    """Replace `--clubs` by `--prop club`, `--clubs 5` by the pattern 5 with clubs, and `--albert`
    by the word for the trick, as in `531 albert`.

    Args:
        export: the command that saves a pattern, which has all options that take a value.
        words: the words after the name of the command.

    Returns:
        The words with usual options. Without a pattern the number of props stands first, as the
        pattern.

    Raises:
        ParameterError: a number of props is given beside a pattern, whose throws determine it.
    """
    others: list[str] = []
    count = ""  # digits of the number of props; empty if none is typed
    remaining = list(words)
    while remaining:
        name, equals, value = remaining.pop(0).partition("=")
        name = _TRICK_FLAGS.get(name, name)
        if name not in _PROP_FLAGS:
            others.append(name + equals + value)
            continue
        others += ["--prop", _PROP_FLAGS[name]]
        if equals:
            count = value
        elif remaining and remaining[0].isdecimal() and len(remaining[0]) < 3:
            count = remaining.pop(0)
    if not count:
        return others
    arguments, _options = split_options(export, others)
    pattern = [word for word in arguments if not _is_file_to_write(word)]
    if pattern and pattern[0] != count:
        raise ParameterError(
            _(
                "{count} is not needed: the throws of {pattern} set the number of props",
                count=count,
                pattern=" ".join(pattern),
            )
        )
    return others if pattern else [count, *others]


def _listed_texts(word: str) -> list[str]:
    """Return the patterns of a file that lists several; anything else stands for itself."""
    from juggle_anim.notation import find_file_reference, listed_in_file

    reference = find_file_reference(word)
    if reference is None or reference.choice or not reference.path.exists():
        return [word]
    texts = [listed.text for listed in listed_in_file(word) if listed.text]
    return texts if len(texts) > 1 else [word]


def _is_file_to_write(word: str) -> bool:
    """Whether a word is the name of a file that is not there yet, in a format that is written."""
    return _has_written_ending(word) and not Path(word).exists()


def _has_written_ending(word: str) -> bool:
    """Whether a word ends as a file in a format that is written."""
    return Path(word).suffix.casefold() in {*EXPORTED, *WRITTEN}


def _split_off_files(words: list[str], command: list[str]) -> tuple[list[str], list[str]]:
    """Split words into those of a pattern and the files to write, which come last.

    Args:
        words: typed words without options.
        command: the typed name of a command; empty without one.

    Raises:
        FileError: the only word is the name of a file that is not there.
    """
    if len(words) == 1 and _is_file_to_write(words[0]):
        # A single word must be an existing file.
        last = Path(words[0])
        if last.suffix.casefold() in EXPORTED:
            raise FileError(
                _(
                    "{path}: there is no such file; `juggle-anim export {pattern} {path}` "
                    "creates it",
                    path=last,
                    pattern=last.stem,
                )
            )
    if len(words) < 2:
        return words, []
    # `convert` takes - for standard output by itself.
    if words[-1] == "-" and command != ["convert"]:
        return words[:-1], words[-1:]
    first_file = len(words)
    # The last word may also be a file that is there already, to be replaced.
    if _has_written_ending(words[-1]):
        first_file -= 1
        while first_file > 1 and _is_file_to_write(words[first_file - 1]):
            first_file -= 1
    return words[:first_file], words[first_file:]


def _saved(export: Any, words: list[str], command: list[str], loops: str) -> list[str]:
    """Return a complete command line from a pattern and a file to write, or from a routine.

    Args:
        export: the command `export`, which has all options with a value.
        words: typed words without the name of a command.
        command: the typed name of a command; empty without one.
        loops: the number of loops of each word of a routine that has none of its own; empty if the
            words are a routine only if they are patterns to juggle in turn, as `3x8 441`.

    Returns:
        The words of a command line; empty if there is neither a file nor a routine.
    """
    # Split the words into files of `-o`, the pattern, and options.
    typed, files = without_out(words)
    pattern, options = split_options(export, typed)
    if not files:
        pattern, files = _split_off_files(pattern, command)
    # A format that only other commands write, as a list of patterns, names the file.
    if not files and command != ["convert"] and "--format" in options[:-1]:
        form = options[options.index("--format") + 1]
        if f".{form}" in {*WRITTEN, *DRAWINGS} - EXPORTS.keys():
            options = [word for word in options if word not in ("--format", form)]
            files = [_file_named(" ".join(pattern), f".{form}")]
    if loops:
        # A list in a file stands for all of its patterns.
        pattern = [text for word in pattern for text in _listed_texts(word)]
    # Of `export` without a file the last word is a folder.
    has_folder = command == ["export"] and not (files or "--format" in options)
    has_folder = has_folder and not re.search(_COUNT, " ".join(pattern))
    routine = "" if has_folder else _routine(export, pattern, loops)
    if routine:
        pattern = [routine]
    elif (
        "--format" in options
        and files
        and not Path(files[-1]).suffix
        and any(len(_listed_texts(word)) > 1 for word in pattern)
    ):
        # A folder is meant for a file of each pattern.
        return ["batch", *pattern, files[-1], *options]
    if files or ("--format" in options and command != ["convert"]):
        # The command depends on the ending of the file: `convert` for lists of patterns, `draw` for
        # line drawings, else `export`.
        suffix = Path(files[-1]).suffix.casefold() if files else ""
        drawn = ["draw", "lines"] if suffix in DRAWINGS.keys() - EXPORTS.keys() else ["export"]
        # What `export` writes itself is no list of patterns, as a table that ends in .json.
        written = {"convert": LISTS, "export": WRITTEN.keys() - EXPORTS.keys()}.get(
            "".join(command), WRITTEN
        )
        command = ["convert"] if suffix in written else drawn
    elif routine:
        command = command or ["show"]
    else:
        return []
    if len(files) > 1 and command != ["export"]:
        raise ParameterError(_("One file at a time, not {files}", files=joined_names(files)))
    # A list takes each word for a pattern, all others all words for one.
    texts = pattern if command == ["convert"] else [" ".join(pattern)]
    return [*command, *(filter(None, texts) or ["cascade"]), *files, *options]


def _routine(export: Any, words: list[str], loops: str) -> str:
    """Return a routine of several patterns, a line for each; empty if the words are no routine.

    Args:
        export, loops: as of `_saved`.
        words: patterns, each perhaps with its number of loops after an x.
    """
    texts: list[str] = []
    for part in words if loops else (" ".join(words),):
        # A quoted name of several words is one pattern.
        # Others may have commas between them, and a blank before their number of loops.
        texts += (
            [part]
            if loops and _names_a_pattern(export, [part])
            else re.split(IN_TURN, re.sub(r"\s+(?=[x*×]\s*\d)", "", part.strip()))
        )
    # Each pattern, and its own number of loops.
    counted = [re.split(_COUNT, text) for text in texts]
    if not loops and patterns_in_turn(" ".join(words), [pattern for pattern, *_count in counted]):
        loops = _LOOPS
    if len(texts) < 2 or not loops:
        return ""
    return "\n".join(f"{pattern} {''.join(count) or loops} loops" for pattern, *count in counted)


# \b keeps the lines as they are.
_EXAMPLES = N_("""\b
Examples:
  juggle-anim 531                             watch the pattern 531
  juggle-anim "(6x,4)*" --chicken-wing 45     quote brackets and stars
  juggle-anim export 531 out/frames --size 1280x720 --fps 60  PNG frames
  juggle-anim tricks.jml#3                    the third pattern of a file
  juggle-anim routine 3x8 441x4 51x4          patterns one after another
""")

_OWN_HELP = {
    "compare": N_(
        "Compare patterns in a table. Of a single pattern, compare the elbows of all solvers, as "
        "`juggle-anim arms compare` does."
    ),
    "routine": N_(
        "Juggle patterns one after another, in the viewer or, with -o FILE and the options of "
        "`export`, in a file. `3x8` is the pattern 3 eight times; --repeat N is for patterns "
        "without a number, 4 by default."
    ),
}
"""Help of what is a command of its own only in name."""

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
        """Put `show` before the words of a line without a command, then parse it.

        That is a line without words, where a window can be opened, or one that begins with options.

        Args:
            ctx: click's context.
            args: words after the name of the program.
        """
        # Without words the window opens; without a display the help is shown.
        if not args and _has_display():
            args = ["show"]
        ctx.meta["typed"] = next((word for word in args if word not in ("help", "man")), "")
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

        Suggestions are similar options of the command, or else other commands with this option.

        Args:
            error: error of the library, whose own suggestions are in English.
            ctx: context of this group.
        """
        typed = error.option_name
        assert error.ctx
        command = error.ctx.command
        # A command, or a format, that was typed as an option, as `--ladder` or `--mp4`.
        word = _named_command(typed[2:], self.other_words)
        if elsewhere := same_name(word, _ELSEWHERE):
            return click.UsageError(_(_ELSEWHERE[elsewhere]), error.ctx)
        same_effect = _option_of_same_effect(command, typed)
        similar = [same_effect] if same_effect else _similar_options(command, typed, word)
        if not similar and self._is_command(word) and self.other_words[word] != command.name:
            similar = [f"{ctx.command_path} {self.other_words[word]}"]

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
            # Add the help of an option that does the same.
            context = click.Context(command)
            shown = [entry for entry in command.params if same_effect in entry.opts]
            message += "".join(f"\n{_option_help(entry, context)}" for entry in shown)
        elif other_commands:
            message += _(" It is an option of {others}.", others=joined_names(other_commands))
        else:
            # The options that only this command has, and no setting of a pattern.
            settings = {flag(name) for name in (*(row.name for row in ROWS), *TEXT_KEYS)}
            own = [
                next((name for name in entry.opts if name.startswith("--")), "")
                for entry in command.params
                if settings.isdisjoint(entry.opts)
            ]
            own.sort(key="--out".__eq__)  # those of this command alone first
            message += _(" Options: {names}.", names=", ".join(filter(None, [*own, FLAG])))
        return click.UsageError(message, error.ctx)

    def _is_command(self, word: str) -> bool:
        """Return whether a word stands for a command, and not only for a format of `export`."""
        return "--format" not in self.other_words.get(word, "--format").split()

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Take a first word that is no command as a pattern, unless it is like a command."""
        word = args[0]
        if self.get_command(ctx, word) is None:
            args = ["show", *args]
        name, command, remaining = super().resolve_command(ctx, args)
        # Help and errors call a command as it was typed, if it is one word by any name.
        typed = ctx.meta.get("typed", "")
        line = OTHER_WORDS.get(typed, "").split()
        if (typed == "compare" and name == "analyse") or line == [name]:
            name = typed
        if typed in _OWN_HELP:
            command = copy(command)
            command.help = _(_OWN_HELP[typed])
        return name, command, remaining


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
        lines.append(_("run `{command_path} -h` for help", command_path=error.ctx.command_path))
    say("\n".join(lines), err=True)


def usage_reason(error: Any) -> str:
    """Return the message of an error in a command line, in the present language.

    Args:
        error: error of the parsing library; the message of an unknown kind of error is not
            translated.
    """
    message = str(error.message or "")
    match error:
        case click.MissingParameter():
            # The name as in the help.
            return _("{name} is missing", name=error.param.metavar if error.param else "")
        case click.BadParameter():
            flag = str(error.param_hint or (error.param.opts[0] if error.param else ""))
            # For a setting with a range, tell the values that it accepts. The library's message
            # has the typed value between apostrophes.
            name = error.param.name if error.param else ""
            row = next((row for row in ROWS if row.name == name), None)
            if isinstance(row, Quantity):
                value = message.split(chr(39))[1]
                reason = str(ParameterError.of(row.name, value, row.accepted))
                return f"{flag}{reason[len(row.name) :]}"
            # The message ends with the expected kind of value.
            kind = message.partition(" is not a valid ")[2].partition(" ")[0].rstrip(".")
            plain = _(_PLAIN_REASONS.get(kind, ""))
            if plain:
                return f"{flag} {plain}"
            return f"{flag}: {message}" if flag else message
        case click.BadOptionUsage() if "requires" in message:
            needed = _("{name} needs a value", name=error.option_name)
            context = error.ctx
            entries = context.command.params if context else ()
            shown = [entry for entry in entries if error.option_name in entry.opts]
            return "\n".join((needed, *(_option_help(entry, context) for entry in shown)))
        case click.BadOptionUsage():
            return _("{name} takes no value", name=error.option_name)
        case click.UsageError() if message.startswith("Got unexpected extra"):
            return _(
                "Unexpected arguments: {message}\n"
                "One pattern is taken, in quotes if it has blanks; `juggle-anim batch` saves many.",
                message=message.partition(" (")[2].rstrip(".)"),
            )
        case click.UsageError() if message.startswith("No such command"):
            # The name stands between apostrophes.
            return _("There is no command {name}", name=message.split(chr(39))[1])
    return message.removesuffix(".")


def _option_help(entry: Any, context: Any) -> str:
    """Return an option, its values and what it does in one line."""
    return "{}: {}".format(*entry.get_help_record(context))


def _version(
    version: Annotated[bool, option("--version", help=_("Show the version."))] = False,
    language: Annotated[
        str, option(FLAG, metavar="WORD", help=language_help(), show_default=False)
    ] = "",
) -> None:
    if version:
        from juggle_anim.resources import __version__

        say(f"juggle-anim {__version__}")
        raise click.exceptions.Exit


translate_library()

app = _PatternFirst(
    "juggle-anim",
    {
        "show": "show:show",
        "export": "export:export",
        "batch": "batch:batch",
        "list": "list:list_patterns",
        "learn": "list:learn",
        "generate": "generate:generate",
        "transition": "generate:transition",
        "variations": "draw:variations",
        "check": "check:check_patterns",
        "convert": "convert:convert",
        "edit": "edit:edit",
        "analyse": "analyse:analyse",
        "optimise": "analyse:optimise",
        "serve": "serve:serve",
        "site": "serve:site",
        "completion": "completion:completion",
        "arms": "analyse:arms",
        "draw": "draw:draw",
    },
    callback=_version,
    params=parameters_of(_version),
    help=_("Type a siteswap and watch a person juggle it in 3D."),
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


def _option_of_same_effect(command: Any, typed: str) -> str:
    """Return the option of a command that does what an unknown one would do; empty if none does.

    Args:
        command: a command of the library that parses command lines.
        typed: the unknown option, with its dashes.
    """
    near = NEAR_OPTIONS.get(typed, "")
    if near and takes_option(command, OTHER_OPTIONS.get(near, near)):
        return near
    # Some traits have no option: others decide them, as `--people` decides the age.
    decisive = flag(DECIDED_BY.get(typed[2:].replace("-", "_"), ""))
    return decisive if decisive in _options(command) else ""


def _similar_options(command: Any, typed: str, word: str) -> list[str]:
    """Return options of a command whose names are near an unknown one, the most similar first.

    They begin as it does; or else their spelling is similar; or else it is the name of a format,
    and they save a file in this format.

    Args:
        command: a command of the library that parses command lines.
        typed: the unknown option, with its dashes.
        word: the option as a word of the program, such as the name of a format.
    """
    options = [*_options(command), FLAG]
    similar: list[str] = []
    if len(typed) > _SHORT_OPTION:
        similar = [name for name in options if name.startswith(typed)]
    if not similar:
        similar = difflib.get_close_matches(typed, options, n=2, cutoff=0.8)
    ending = ending_of(word)
    if not similar and ending:
        if "--out" in options:
            similar = [f"-o NAME{ending}"]
        elif "--format" in options:
            similar = [f"--format {ending[1:]}"]
    return similar


def _has_display() -> bool:
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY"))
