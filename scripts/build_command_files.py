"""Writes what shells and `man` know of the command line, from the command line itself.

    python scripts/build_command_files.py

The files lie in assets/desktop/ and go into the wheel; a test fails when they are not what this
writes. Static files answer at once, while a completion that asks the program would start Python at
every Tab.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "desktop"
NAME = "juggle-anim"


class Option(NamedTuple):
    """An option: its names, the words that may follow it, whether any must, and its help."""

    names: list[str]
    choices: list[str]
    takes_value: bool
    help: str
    shown: str


class Command(NamedTuple):
    """A command: its words after the program's name, its help, its usage and its options."""

    words: tuple[str, ...]
    help: str
    usage: str
    options: list[Option]
    arguments: list[tuple[str, str]]


def commands() -> list[Command]:
    """Return all commands, the program itself first."""
    from juggle_anim.cli.app import app

    return list(_walk((), app))


def _walk(words: tuple[str, ...], command: Any) -> Iterator[Command]:
    path = " ".join((NAME, *words))
    worded = _choices()
    context = command.make_context(path, [], resilient_parsing=True)
    options = []
    arguments = []
    for each in command.get_params(context):
        shown, said = each.get_help_record(context) or ("", "")
        if shown and each.param_type_name == "option":
            names = [*each.opts, *each.secondary_opts]
            choices = next((worded[name] for name in names if name in worded), [])
            takes = not (each.is_flag or each.count or "--help" in names)
            options.append(Option(names, choices, takes, " ".join(said.split()), shown))
        elif shown:
            arguments.append((shown, " ".join(said.split())))
    usage = " ".join(context.get_usage().removeprefix("Usage:").split())
    yield Command(words, command.help or "", usage, options, arguments)
    for name in sorted(getattr(command, "list_commands", lambda _context: [])(context)):
        yield from _walk((*words, name), command.get_command(context, name))


def _choices() -> dict[str, list[str]]:
    """The words that may follow an option, by its names."""
    from juggle_anim.parameters import ROWS, Choice

    rows = [row for row in ROWS if isinstance(row, Choice)]
    return {
        f"--{name.replace('_', '-')}": list(row.options)
        for row in rows
        for name in (row.name, row.key)
    }


def man_page(all_commands: list[Command]) -> str:
    """Return the manual page, in the macros of man(7)."""
    first, *others = all_commands
    lines = [
        '.TH JUGGLE-ANIM 1 "" "juggle-anim" "User Commands"',
        ".SH NAME",
        r"juggle\-anim \- animate juggling patterns in 3D",
        ".SH SYNOPSIS",
        r".B juggle\-anim",
        r"[\fIPATTERN\fR] [\fIOPTIONS\fR]",
        ".br",
        r".B juggle\-anim",
        r"\fICOMMAND\fR [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        _roff(first.help),
        "A pattern is a siteswap, a name from the library, a settings string, or a file.",
        "The first word may be a pattern: then the viewer shows it.",
        ".SH OPTIONS",
        *_options(first),
        ".SH COMMANDS",
    ]
    for command in others:
        lines += [
            f".SS {_roff(' '.join(command.words))}",
            f".B {_roff(command.usage)}",
            ".PP",
            *_paragraphs(command.help),
        ]
        for shown, said in command.arguments:
            lines += [".TP", f".I {_roff(' '.join(shown.split()))}", _roff(said)]
        lines += _options(command)
    lines += [
        ".SH EXIT STATUS",
        ".TP",
        "0",
        "Done.",
        ".TP",
        "1",
        "It failed.",
        ".TP",
        "2",
        "Bad input.",
    ]
    lines += [".TP", "130", "Stopped by Ctrl C."]
    return "\n".join(line for line in lines if line) + "\n"


def _options(command: Command) -> list[str]:
    return [
        line
        for each in command.options
        for line in (".TP", f".B {_roff(' '.join(each.shown.split()))}", _roff(each.help))
    ]


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        kept = paragraph.startswith("\b\n")
        body = [_roff(line) for line in paragraph.removeprefix("\b\n").splitlines()]
        lines += [".nf", *body, ".fi", ".PP"] if kept else [*body, ".PP"]
    return lines[:-1]


def _roff(text: str) -> str:
    plain = text.replace("\\", r"\e").replace("-", r"\-").strip()
    return r"\&" + plain if plain[:1] in (".", "'") else plain


def bash_completion(all_commands: list[Command]) -> str:
    """Return the completion for bash."""
    lines = [
        "# Completion of juggle-anim for bash.",
        "_juggle_anim() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}"',
    ]
    lines += ['    local before="${COMP_WORDS[COMP_CWORD-1]}" command="" words="" values="" index']
    groups = sorted({command.words[0] for command in all_commands if len(command.words) > 1})
    lines += [
        "    for ((index = 1; index < COMP_CWORD && index < 3; index++)); do",
        '        case "$command/${COMP_WORDS[index]}" in',
    ]
    lines += [
        f'            "/{command.words[0]}") command={command.words[0]} ;;'
        for command in all_commands
        if len(command.words) == 1
    ]
    lines += [
        f'            "{"/".join(each.words)}") command="{" ".join(each.words)}" ;;'
        for each in all_commands
        if len(each.words) > 1
    ]
    lines += ["        esac", "    done"]
    # A first word that is no command is a pattern, and what follows are options of show.
    lines += ["    [[ -z $command && COMP_CWORD -gt 1 ]] && command=show", '    case "$command" in']
    for command in all_commands:
        words = [name for each in command.options for name in each.names]
        below = [
            each.words[-1]
            for each in all_commands
            if each.words[:-1] == command.words and each.words
        ]
        lines += [f'        "{" ".join(command.words)}") words="{" ".join([*below, *words])}" ;;']
    lines += ["    esac", '    case "$command $before" in']
    for command in all_commands:
        for each in command.options:
            if each.choices:
                cases = "|".join(f'"{" ".join(command.words)} {name}"' for name in each.names)
                lines += [f'        {cases}) values="{" ".join(each.choices)}" ;;']
    lines += [
        "    esac",
        '    if [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$word"))',
        "    elif [[ $word == -* || ( -z $command && COMP_CWORD -eq 1 )"
        + "".join(f" || $command == {name}" for name in groups)
        + ' ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "    fi",
        "}",
        "complete -o default -F _juggle_anim juggle-anim",
    ]
    return "\n".join(lines) + "\n"


def zsh_completion(all_commands: list[Command]) -> str:
    """Return the completion for zsh."""
    lines = ["#compdef juggle-anim", "# Completion of juggle-anim for zsh.", 'local command=""']
    lines += ['case "$words[2] $words[3]" in']
    lines += [
        f'    "{" ".join(each.words)}") command="{" ".join(each.words)}" ;;'
        for each in all_commands
        if len(each.words) > 1
    ]
    singles = "|".join(each.words[0] for each in all_commands if len(each.words) == 1)
    lines += [
        "esac",
        f'if [[ -z $command ]]; then case "$words[2]" in {singles}) command=$words[2] ;; esac; fi',
        "[[ -z $command ]] && (( CURRENT > 2 )) && command=show",
        'case "$command" in',
    ]
    for command in all_commands:
        rows = [_zsh_option(name, each) for each in command.options for name in each.names]
        below = [each for each in all_commands if each.words and each.words[:-1] == command.words]
        named = " ".join(f"{each.words[-1]}" for each in below)
        rest = (
            f"'*:word:({named})'"
            if len(command.words) == 1 and below
            else "'*:pattern or file:_files'"
        )
        if not command.words:
            rest = f"'1:command or pattern:({named})' '*:file:_files'"
        lines += [f'    "{" ".join(command.words)}") _arguments {" ".join(rows)} {rest} ;;']
    return "\n".join([*lines, "esac"]) + "\n"


def _zsh_option(name: str, option: Option) -> str:
    said = "".join(sign for sign in option.help if sign not in "[]':\\`$\"")
    value = (
        f":value:({' '.join(option.choices)})"
        if option.choices
        else ":value:_files"
        if option.takes_value
        else ""
    )
    return f"'{name}[{said}]{value}'"


def fish_completion(all_commands: list[Command]) -> str:
    """Return the completion for fish."""
    lines = ["# Completion of juggle-anim for fish."]
    for command in all_commands:
        below = [each for each in all_commands if each.words and each.words[:-1] == command.words]
        here = _fish_condition(command.words, [each.words[-1] for each in below])
        if command.words == ("show",):  # the word show may be left out
            named = " ".join(each.words[0] for each in all_commands if len(each.words) == 1)
            here = f"'__fish_seen_subcommand_from show; or not __fish_seen_subcommand_from {named}'"
        for each in below:
            lines += [
                f"complete -c juggle-anim -n {here} -a {each.words[-1]} -d {_fish_text(each.help)}"
            ]
        for option in command.options:
            names = [
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            ]
            value = (
                f" -x -a '{' '.join(option.choices)}'"
                if option.choices
                else " -r"
                if option.takes_value
                else ""
            )
            lines += [
                f"complete -c juggle-anim -n {here} {' '.join(names)}{value} -d "
                f"{_fish_text(option.help)}"
            ]
    return "\n".join(lines) + "\n"


def _fish_condition(words: tuple[str, ...], below: list[str]) -> str:
    if not words:
        return "__fish_use_subcommand"
    conditions = [f"__fish_seen_subcommand_from {word}" for word in words]
    conditions += [f"not __fish_seen_subcommand_from {' '.join(below)}"] if below else []
    return "'" + "; and ".join(conditions) + "'"


def _fish_text(text: str) -> str:
    first = text.strip().splitlines()[0] if text.strip() else ""
    return "'" + first.replace("\\", "\\\\").replace("'", "\\'") + "'"


def command_files() -> dict[str, str]:
    """Return the content of each file, by its name."""
    known = commands()
    return {
        "juggle-anim.1": man_page(known),
        "juggle-anim.bash": bash_completion(known),
        "_juggle-anim": zsh_completion(known),
        "juggle-anim.fish": fish_completion(known),
    }


if __name__ == "__main__":
    for name, content in command_files().items():
        (FOLDER / name).write_text(content, encoding="utf-8")
