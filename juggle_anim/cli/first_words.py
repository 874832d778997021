"""What people type before they know the commands: commands by other names, pictures that are saved
without `export`, and props by a flag of their own.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from juggle_anim.cli.command import (
    OTHER_OPTIONS,
    option_names,
    plain_options,
    split_options,
    without_out,
)
from juggle_anim.errors import FileError, ParameterError
from juggle_anim.formats import BY_ENDING as EXPORTED
from juggle_anim.formats import DRAWINGS, EXPORTS
from juggle_anim.language import N_, _
from juggle_anim.notation.formats import WRITTEN

OTHER_WORDS = {
    "play": "show", "watch": "show", "view": "show", "animate": "show", "juggle": "show",
    "open": "show", "run": "show", "start": "show", "routine": "show", "passing": "show",
    "library": "list", "search": "list", "find": "list", "patterns": "list", "browse": "list",
    "tricks": "list", "render": "export", "save": "export", "write": "export",
    "validate": "check", "verify": "check", "valid": "check", "is-valid": "check",
    "info": "check", "analyze": "analyse", "explain": "analyse", "describe": "analyse",
    "measure": "analyse", "stats": "analyse", "collisions": "analyse", "collision": "analyse",
    "optimize": "optimise", "vary": "variations", "variation": "variations",
    "transitions": "transition", "connect": "transition", "server": "serve",
    "completions": "completion", "ladder": "draw ladder", "causal": "draw causal",
    "lines": "draw lines", "sheet": "draw sheet", "strobe": "draw strobe",
    "poster": "draw poster", "states": "draw states", "graph": "draw states",
    "film": "export --format mp4", "movie": "export --format mp4", "mp4": "export --format mp4",
    "record": "export --format mp4", "video": "export --format mp4",
    "gif": "export --format gif", "image": "export --format png",
    "photo": "export --format png", "picture": "export --format png",
    "screenshot": "export --format png", "png": "export --format png",
}  # fmt: skip
"""What people type for a command whose name they do not know, and what it means."""

_LOOPS = "4"
"""How often each pattern of a routine is juggled where its line does not say it."""

_MIN_PREFIX = 3
"""The fewest letters of a word that stand for it, if all words that begin so mean the same."""

_VIEWER_ONLY = {
    ("learn", "lesson", "teach", "tutorial"): N_(
        "Lessons are in the viewer: run `juggle-anim {pattern}`, then press Ctrl J."
    ),
}
"""Words for what only the viewer does, and where it is."""

_PROP_FLAGS = {
    f"--{kind}{plural}": kind for kind in ("ball", "club", "ring") for plural in ("", "s")
}


def usual_words(context: Any, group: Any, words: list[str]) -> list[str]:
    """Return the words of a command line as the commands take them.

    Args:
        context: of the program.
        group: the commands of the program.
        words: as typed, after the name of the program.
    """
    match words:
        case ["help" | "examples" | "--usage" | "man" | "-?", *command]:
            return [*command, "--help"]
        case ["version" | "-V"]:
            return ["--version"]
        case ["--install-completion" | "--show-completion", *shell]:
            return ["completion", *shell]
    if not words or words[0] in context.help_option_names:
        return words
    for others, hint in _VIEWER_ONLY.items():
        if words[0] in others:
            raise ParameterError(_(hint, pattern=" ".join(words[1:]) or "cascade"))

    routine = words[0] == "routine"
    commands = group.list_commands(context)
    if words[0] not in commands:
        words = _as_command(context, group, words)
    command = words[:1] if words[0] in commands else []
    if command and command[0] not in ("show", "export", "convert"):
        return words
    export = group.get_command(context, "export")
    typed = _with_props(export, list(plain_options(export, words[len(command) :])))
    if not (command or _names_a_pattern(export, typed)):
        group.refuse_misspelt(context, typed[0])
        typed = [word for word in typed if word != "-i"]
    return _saved(export, typed, command, routine=routine) or [*command, *typed]


def _as_command(context: Any, group: Any, words: list[str]) -> list[str]:
    """Return a line with the command that a word in it means; the same where there is none.

    The first word may be one of `OTHER_WORDS`, or the beginning of one or of a command; others may
    be flags, as `--ladder`. A name of the library is no command. A drawing without a file is saved
    under its kind.

    Args:
        context: of the program.
        group: the commands of the program.
        words: as typed, at least one.
    """
    export = group.get_command(context, "export")
    if words[0].isidentifier() and _names_a_pattern(export, words):
        return words
    meant = {name: name for name in group.list_commands(context)} | OTHER_WORDS
    options = option_names(export) | OTHER_OPTIONS.keys()
    flags = [word for word in words if word.startswith("--") and word not in options]
    for word in (words[0], *flags):
        name = word.removeprefix("--")
        begun = {meant[other] for other in meant if other.startswith(name)}
        is_prefix = word == words[0] and len(name) >= _MIN_PREFIX and len(begun) == 1
        if name in meant or is_prefix:
            line = [*(meant.get(name) or begun.pop()).split(), *words]
            line.remove(word)
            drawn = line[0] == "draw" and not any(Path(file).suffix for file in line)
            return [*line, "-o", f"{line[1]}.svg"] if drawn else line
    return words


def _names_a_pattern(export: Any, words: list[str]) -> bool:
    """Whether words without a command are a name of the library, as `shower` is, and not `show`.

    Args:
        export: the command that saves a pattern, which has all options that take a value.
        words: without the name of a command.
    """
    typed, _files = without_out(words)
    arguments, _options = split_options(export, typed)
    name = " ".join(word for word in arguments if not _is_file_to_write(word))
    # Siteswaps need no look into the library.
    if not name[:1].isalpha():
        return False
    from juggle_anim.notation.library import find_pattern

    return find_pattern(name) is not None


def _with_props(export: Any, words: list[str]) -> list[str]:
    """Replace `--clubs` by `--prop club`, and `--clubs 5` by the pattern 5 with clubs.

    Args:
        export: the command that saves a pattern, which has all options that take a value.
        words: after the name of the command.
    """
    others: list[str] = []
    count = ""
    remaining = list(words)
    while remaining:
        name, equals, value = remaining.pop(0).partition("=")
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
                "{count} is not needed: the throws of {pattern} say how many props there are",
                count=count,
                pattern=" ".join(pattern),
            )
        )
    return others if pattern else [count, *others]


def _is_file_to_write(word: str) -> bool:
    """Whether a word is the name of a file that is not there yet, in a format that is written."""
    path = Path(word)
    return path.suffix.casefold() in {*EXPORTED, *WRITTEN} and not path.exists()


def _saved(export: Any, words: list[str], command: list[str], *, routine: bool) -> list[str]:
    """Return the line that saves a pattern, where a pattern and a file to write were typed.

    Args:
        export: the command that saves a pattern, which has all options that take a value.
        words: without the name of a command.
        command: its name, if there is one.
        routine: whether each word is a pattern of a routine; so are words such as `3x8 441x4`.

    Returns:
        A line of a command; empty where nothing is to be saved.
    """
    typed, files = without_out(words)
    pattern, options = split_options(export, typed)
    if not files and pattern and _is_file_to_write(pattern[-1]):
        last = Path(pattern[-1])
        if len(pattern) > 1:
            files = [pattern.pop()]
        elif last.suffix.casefold() in EXPORTED:
            raise FileError(
                _(
                    "{path}: there is no such file; `juggle-anim export {pattern} {path}` makes it",
                    path=last,
                    pattern=last.stem,
                )
            )
    parts = [re.split(r"[x*×](?=\d+$)", word) for word in " ".join(pattern).split()]
    is_routine = len(parts) > 1 and (routine or all(len(part) > 1 for part in parts))
    if is_routine:
        pattern = ["\n".join(f"{part[0]} {[*part, _LOOPS][1]} loops" for part in parts)]
    if files or ("--format" in options and command != ["convert"]):
        suffix = Path(files[-1]).suffix.casefold() if files else ""
        drawn = ["draw", "lines"] if suffix in DRAWINGS.keys() - EXPORTS.keys() else ["export"]
        command = ["convert"] if suffix in WRITTEN else drawn
    elif is_routine:
        command = command or ["show"]
    else:
        return []
    return [*command, " ".join(pattern) or "cascade", *files[-1:], *options]
