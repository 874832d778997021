"""What people type before they know the commands: commands by other names, pictures that are saved
without `export`, and props by a flag of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from juggle_anim.cli.command import split_options, without_out
from juggle_anim.errors import FileError, ParameterError
from juggle_anim.formats import BY_ENDING as EXPORTED
from juggle_anim.language import N_, _
from juggle_anim.notation.formats import WRITTEN

OTHER_WORDS = {
    "show": ("play", "watch", "view", "animate", "juggle", "open", "run"),
    "list": ("library", "search", "find", "patterns", "browse", "tricks"),
    "export": ("render", "save", "record", "film", "gif", "write", "image"),
    "check": ("validate", "verify", "valid"),
    "analyse": (
        "explain", "describe", "measure", "stats", "collisions", "collision",
    ),
    "variations": ("vary", "variation"),
    "transition": ("transitions", "connect"),
    "serve": ("server",),
    "completion": ("completions",),
}  # fmt: skip
"""What people type for a command whose name they do not know; none of these words is a siteswap."""

_SAME_COMMANDS = {"analyze": "analyse", "optimize": "optimise"}
"""Commands in American English."""

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
        case ["help" | "--usage" | "man" | "-?", *command]:
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
    if words[0] in _SAME_COMMANDS:
        words = [_SAME_COMMANDS[words[0]], *words[1:]]
    command = words[:1] if words[0] in group.list_commands(context) else []
    if command not in ([], ["show"]) and _PROP_FLAGS.keys().isdisjoint(words):
        return words
    export = group.get_command(context, "export")
    typed = _with_props(export, words[len(command) :])
    if not command and typed and not _names_a_pattern(export, typed):
        group.refuse_misspelt(context, typed[0])
    if command in ([], ["show"]):
        return _saved(export, typed) or [*command, *typed]
    return [*command, *typed]


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


def _saved(export: Any, words: list[str]) -> list[str]:
    """Return the line that saves a pattern, where a pattern and a file to write were typed.

    Args:
        export: the command that saves a pattern, which has all options that take a value.
        words: without the name of a command.

    Returns:
        A line of `export` or `convert`; empty where nothing is to be saved.
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
    if not files:
        return []
    command = "convert" if Path(files[-1]).suffix.casefold() in WRITTEN else "export"
    return [command, " ".join(pattern) or "cascade", files[-1], *options]
