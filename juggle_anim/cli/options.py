"""Arguments and flags that commands share: the pattern, all parameters and text settings, picture
sizes, plots.

Output of commands: progress on standard error, tables for a terminal, and JSON for other
programs.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import click

from juggle_anim.cli.command import Description, QuantityType, argument, flag, option
from juggle_anim.errors import NotationError, ParameterError, printable, printable_lines
from juggle_anim.language import _
from juggle_anim.parameters import (
    ROWS,
    SIDED_PARAMETERS,
    TEXT_KEYS,
    TEXT_SETTINGS,
    Choice,
    Row,
    TextSetting,
    in_unit,
)

if TYPE_CHECKING:
    from rich.console import Console

    from juggle_anim.animation import Animation
    from juggle_anim.notation import Note


Report = Callable[[int, int], None]
"""Called with the number of frames, or of whatever is counted, that are done, and of all."""

_SLOW_RATE = 5.0  # 1/s, below which decimals are shown
_SECONDS_BETWEEN_LINES = 2.0  # of progress, at least
_MAX_NOTES = 20  # on what in a file is not read; more are only counted


def print_notes(file: str, notes: Sequence[Note]) -> None:
    """Say on standard error what in a file is not read, with the lines.

    Args:
        file: name of the file, with which each sentence begins.
        notes: notes on what is not read; only the first `_MAX_NOTES` sentences are printed.
    """
    if not notes:
        return
    from juggle_anim.notation import note_sentences

    # Lines with the same note share a sentence.
    sentences = note_sentences(notes)
    for sentence in sentences[:_MAX_NOTES]:
        say(f"{file}: {sentence}", err=True)
    if len(sentences) > _MAX_NOTES:
        say(
            _(
                "{file}: {count} more notes; check --json shows all",
                file=file,
                count=len(sentences) - _MAX_NOTES,
            ),
            err=True,
        )


def say(text: str, *, err: bool = False) -> None:
    """Print lines of text without characters that control the terminal, as names of files may."""
    click.echo(printable_lines(text), err=err)


@contextlib.contextmanager
def progress(*, quiet: bool, counted: str = "frames") -> Iterator[Report | None]:
    """Yield a function that shows progress: a bar in a terminal, plain lines elsewhere.

    Args:
        quiet: whether to show nothing; the function is then None.
        counted: what is counted, a noun in the plural.
    """
    if quiet:
        yield None
    elif sys.stderr and sys.stderr.isatty():
        with _bar(counted) as report:
            yield report
    else:
        yield _Lines(counted)


@contextlib.contextmanager
def _bar(counted: str) -> Iterator[Report]:
    """Yield a function that moves a bar on standard error, with rate and remaining time.

    Args:
        counted: what is counted, a noun in the plural.

    Yields:
        A function of two numbers: how many are done, and how many there are.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Task as RichTask
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: RichTask) -> Text:
            rate = task.finished_speed or task.speed
            return Text(_rate(rate))

    columns = (
        TextColumn(counted),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True))
    task = bar.add_task(counted)

    def report(done: int, total: int) -> None:
        # The bar appears with the first frame, so an earlier error has no empty bar above it.
        bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        # A bar that was never shown need not be stopped.
        if bar.finished or bar.tasks[task].completed:
            bar.stop()


class _Lines:
    """Prints a line every few seconds, for a log."""

    def __init__(self, counted: str) -> None:
        self._counted = counted
        self._began = time.monotonic()
        self._last_line_time = self._began
        self._first_done = 0

    def __call__(self, done: int, total: int) -> None:
        """Print a line, unless the last one was printed shortly before; the end is always told."""
        now = time.monotonic()
        if not self._first_done:
            # The rate is unknown yet, and the time before the first frame is setup.
            self._first_done = done
            self._began = now
        if done == total or now - self._last_line_time >= _SECONDS_BETWEEN_LINES:
            self._last_line_time = now
            print(self._line(done, total, now - self._began), file=sys.stderr, flush=True)

    def _line(self, done: int, total: int, elapsed: float) -> str:
        """Return a line such as `30/120 frames, 12/s, 8 s left`; `elapsed` is in s."""
        # What was done at the first report is not counted, as its time is unknown.
        rate = (done - self._first_done) / elapsed if elapsed > 0 else 0.0
        speed = f", {_rate(rate)}" if rate else ""
        left = (
            _(", {total} left", total=duration((total - done) / rate))
            if rate and done < total
            else ""
        )
        return f"{done}/{total} {self._counted}{speed}{left}"


def _rate(rate: float | None) -> str:
    return (f"{rate:.0f}/s" if rate >= _SLOW_RATE else f"{rate:.2g}/s") if rate else ""


def duration(seconds: float) -> str:
    """Format a duration [s]: 8 s, 3:05, 1:02:03."""
    whole_seconds = round(seconds)
    if whole_seconds < 60:
        return f"{whole_seconds} s"
    minutes, second = divmod(whole_seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Collection[str] = (),
    cut: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Print rows under headings: aligned in a terminal, with tabs between cells for other programs.

    Args:
        headings: headings of the columns.
        rows: rows of the table, each with a text for each column.
        numbers: headings of columns that are aligned to the right and never wrapped.
        cut: by their headings, the greatest widths, in characters, of columns whose texts are cut
            with … in a terminal; texts of other columns wrap.
    """
    # None if output goes to another program.
    console = _console()
    if console is None:
        for line in (headings, *rows):
            click.echo("\t".join(printable(cell.replace("\n", " "), None) for cell in line))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        number = heading in numbers
        table.add_column(
            heading,
            justify="right" if number else "left",
            no_wrap=number,
            max_width=cut.get(heading),
        )
    for row in rows:
        cells = zip(headings, map(printable_lines, row), strict=True)
        table.add_row(
            *(
                Text(cell, no_wrap=True if heading in cut else None, overflow="ellipsis")
                for heading, cell in cells
            )
        )
    console.print(table)


def table_width() -> int:
    """Return the greatest width of a table, in characters; other programs take any."""
    console = _console()
    return console.width if console else sys.maxsize


def _console() -> Console | None:
    """Return the terminal; None if a file or another program takes the output."""
    # A terminal that is written to a file for people sets its width.
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return None
    from rich.console import Console

    return Console(highlight=False, markup=False)


def json_list(objects: Iterable[dict[str, Any]]) -> str:
    """Return a JSON list with an object in each line."""
    import json

    return "[\n" + ",\n".join(map(json.dumps, objects)) + "\n]"


_FLAG_NAMES = (*(row.name for row in ROWS), *TEXT_KEYS)

PatternText = Annotated[
    str,
    argument(
        metavar="PATTERN",
        help=_("A siteswap, a name from `list`, pattern=531;dwell=1, or a file: tricks.jml#3."),
    ),
]
"""The argument for one pattern."""

PatternTexts = Annotated[
    list[str],
    argument(
        metavar="PATTERN",
        help=_(
            "One or several siteswaps, names or files, all of whose patterns are taken; - is "
            "standard input."
        ),
    ),
]
"""The argument for one or several patterns."""

Force = Annotated[bool, option("--force", help=_("Overwrite existing files."))]
JsonList = Annotated[
    bool, option("--json", help=_("Print a JSON list, an object for each pattern."))
]
Quiet = Annotated[bool, option("--quiet", "-q", help=_("Suppress output."))]
DryRun = Annotated[bool, option("--dry-run", help=_("Estimate size and time; write nothing."))]


def take_parameters(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command that takes `**parameters`: it gets a flag for each parameter and setting.

    The command receives the values of the flags that were typed. A value for both arms, such as
    `--chicken-wing 10,30`, arrives as two parameters, `left_wing` and `right_wing`.

    A flag is the name with dashes: `chicken_wing` is `--chicken-wing`. The key of settings strings,
    where it differs, is a flag too: `--chickenwing`. An on-off setting also has a flag that begins
    with `--no-`.

    Args:
        command: the function of the command.
    """

    @functools.wraps(command)
    def wrapper(**arguments: Any) -> None:
        # A flag that was not typed is None. The command's own arguments are passed in any case.
        typed = {
            name: value
            for name, value in arguments.items()
            if name not in _FLAG_NAMES or value is not None
        }
        command(**_split_sides(typed))

    # `command.py` calls this in place of reading `**parameters` from the signature, and only when
    # the command is called or its help is shown, since there are many flags.
    wrapper.keyword_parameters = _flag_parameters  # type: ignore[attr-defined]
    return wrapper


@functools.cache
def _flag_parameters() -> tuple[inspect.Parameter, ...]:
    """Return the parameters of a command from which the library makes all flags."""
    return (*map(_flag, ROWS), *map(_text_flag, TEXT_SETTINGS))


def _flag(row: Row) -> inspect.Parameter:
    """Return the function parameter from which the library makes the flag of a table row.

    A choice takes a word, a quantity a number; the help ends with the accepted values.

    Args:
        row: a parameter of the table: a choice, or a quantity with a range.
    """
    # The names of the flag: the name with dashes, and the key of settings if it differs.
    names = dict.fromkeys((flag(row.name), flag(row.key)))
    if isinstance(row, Choice):
        accepted = _(
            "{options}; default {default}", options=", ".join(row.options), default=row.default
        )
        unit = "WORD"
    else:
        follows = (
            # A quantity without a default of its own follows another one, or the throws.
            _("as {follows}", follows=row.follows.replace("_", "-"))
            if row.follows
            else _("set by the pattern")
        )
        default = follows if row.default is None else f"{row.default:g}"
        accepted = _(
            "{low:g} to {high:g}, default {default}", low=row.low, high=row.high, default=default
        )
        unit = row.unit or "NUMBER"

    # A parameter for both sides may have two numbers, so it is read as text.
    if row.name in SIDED_PARAMETERS:
        unit += "|LEFT,RIGHT"
    is_text = isinstance(row, Choice) or row.name in SIDED_PARAMETERS
    kind: dict[str, Any] = {} if is_text else {"type": QuantityType()}
    described = option(
        *names, metavar=unit, help=f"{row.help} [{accepted}]", show_default=False, **kind
    )
    return flag_parameter(row.name, str | None if is_text else float | None, described)


def flag_parameter(
    name: str, kind: Any, description: Description, default: object = None
) -> inspect.Parameter:
    """Return a parameter of a command's function, from which the library makes a flag.

    Args:
        name: name of the parameter.
        kind: type as which the value is read.
        description: the flag, as `option` describes it.
        default: value without the flag.
    """
    annotated: Any = Annotated  # for mypy, which takes no variables within brackets of types
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=annotated[kind, description],
    )


def _split_sides(flags: dict[str, Any]) -> dict[str, Any]:
    """Replace texts of parameters for both sides, `left,right`, by a number for each side.

    A single number stays one for both sides.

    Args:
        flags: the values of typed flags by the names of parameters; changed in place.

    Returns:
        The same `flags`.

    Raises:
        click.BadParameter: there are more than two numbers, others than numbers, or a side that has
            a flag of its own besides.
    """
    for name in SIDED_PARAMETERS.keys() & flags.keys():
        texts = flags.pop(name).split(",")
        # Sides may be named, as right=10,left=30: in alphabetical order the left is first.
        if all("=" in text for text in texts):
            texts = [text.partition("=")[2] for text in sorted(texts)]
        hint = flag(name)
        # The parameter itself, or those of the left and the right side.
        names = (name,) if len(texts) == 1 else SIDED_PARAMETERS[name]
        if len(texts) > len(names):
            raise click.BadParameter(
                _("{texts!r} has more than two numbers (left,right)", texts=",".join(texts)),
                param_hint=hint,
            )
        if twice := [side_name for side_name in names if side_name in flags]:
            raise click.BadParameter(
                _("sets {twice} a second time; set each once", twice=twice[0]), param_hint=hint
            )
        flags |= {
            side_name: _number(hint, text) for side_name, text in zip(names, texts, strict=True)
        }
    return flags


def _number(hint: str, text: str) -> float:
    try:
        return in_unit(text, "°")
    except ValueError as error:
        raise click.BadParameter(
            _("{text!r} is not a number", text=text), param_hint=hint
        ) from error


def _text_flag(setting: TextSetting) -> inspect.Parameter:
    """Return the parameter of a command from which the library makes the flag for a text setting.

    A setting without a form of its value is a switch, which also has a flag `--no-…`.

    Args:
        setting: a setting of a pattern that is written as text.
    """
    switch = not setting.form
    described = option(
        f"--{setting.name}/--no-{setting.name}" if switch else f"--{setting.name}",
        metavar=setting.form or None,
        help=setting.help,
        show_default=False,
    )
    return flag_parameter(setting.name, bool | None if switch else str | None, described)


def refuse_existing(path: Path, force: bool) -> None:
    """Raise an `ExportError` if a file exists that may not be replaced."""
    from juggle_anim.atomic_file import refuse_existing as refuse

    refuse(path, force)


def save_text(text: str, path: Path, *, force: bool) -> None:
    """Write a text to a file as a whole or not at all, and print the name of the file.

    Raises:
        ExportError: the file exists and `force` is not given, or it cannot be written.
    """
    from juggle_anim.atomic_file import atomic_file

    refuse_existing(path, force)
    with atomic_file(path) as draft:
        draft.write_text(text, encoding="utf-8")
    say(str(path))


def save_pattern(animation: Animation, path: Path, *, force: bool) -> None:
    """Write a pattern to a file, and say on standard error what the format lost."""
    from juggle_anim.notation import list_of_one, write_file

    for sentence in write_file(
        list_of_one(animation.score, animation.parameters), path, force=force
    ):
        say(sentence, err=True)


def lines_of_input() -> list[str]:
    """Return the patterns that standard input has, one a line.

    Raises:
        ParameterError: there are none.
    """
    lines = [line.strip() for line in sys.stdin if line.strip()]
    if not lines:
        raise ParameterError(_("standard input has no patterns; write one a line"))
    # `generate` writes a pattern between the throws into it and out of it.
    return [re.sub(r"^\S+ {2}(\S+) {2}\S+$", r"\1", line) for line in lines]


def texts_of_patterns(word: str) -> list[str]:
    """Return a text that opens each of the patterns that a word stands for.

    Args:
        word: a pattern, which stands for itself; a file; or - for lines of standard input.
    """
    from juggle_anim.notation import find_file_reference, listed_in_file

    if word == "-":
        return lines_of_input()
    reference = find_file_reference(word)
    if reference is None or reference.choice:
        return [word]
    return [f"{word}#{listed.number}" for listed in listed_in_file(word) if not listed.reason]


_FOR_ALL = {
    "export": "batch",
    **dict.fromkeys(("ladder", "causal", "lines", "sheet", "strobe"), "draw poster"),
    "compare": "analyse",
    "optimise": "analyse",
}
"""Commands that open one pattern, and those that take all patterns of a file."""


def texts_of_words(words: Sequence[str]) -> list[str]:
    """Return a text that opens each of the patterns that are typed, as of `texts_of_patterns`."""
    from juggle_anim.notation import find_pattern

    # A name of several words needs no quotes.
    name = " ".join(words)
    named = [name] if find_pattern(name) else words
    return [text for word in named for text in texts_of_patterns(word)]


IN_TURN = r"\s*->\s*|\s*→\s*|\s+(?:then|and|>)\s+|,\s+|,(?![^(<{\[]*[)>}\]])|\s+"
"""Signs and words between patterns that are juggled in turn; commas in brackets are theirs."""


def patterns_in_turn(line: str, patterns: Sequence[str]) -> bool:
    """Return whether a line is no pattern, while what stands in it are patterns to juggle in turn.

    Args:
        line: the words as typed, perhaps several throws with blanks between them.
        patterns: the parts of the line.
    """
    from juggle_anim.notation import check

    if len(patterns) < 2 or check(line):
        return False
    scores = [check(text).score for text in patterns]
    # Single throws are those of a pattern that is not valid.
    periods = [score.pattern.written_period for score in scores if score and score.pattern]
    return len(periods) == len(patterns) and max(periods) > 1


def open_animation(text: str, flags: dict[str, Any]) -> Animation:
    """Open a typed pattern with the given flags.

    Messages on standard error tell how many patterns a file of several holds, and what of it is not
    read.

    Args:
        text: the text as typed.
        flags: flags for parameters and settings that were typed, by name.
    """
    from juggle_anim.animation import animated
    from juggle_anim.notation import open_first

    # - is standard input, one pattern.
    try:
        settings, count, notes = open_first(sys.stdin.read().strip() if text == "-" else text)
    except NotationError as error:
        words = re.split(IN_TURN, text.strip())
        if error.text != text or not patterns_in_turn(text, words):
            raise
        line = f'juggle-anim routine "{", ".join(words)}"'
        hint = _("{accepted}\nto juggle them in turn: {line}", accepted=error.accepted, line=line)
        raise NotationError(text, error.index, error.reason, hint) from error
    if count > 1:
        message = _(
            "{text}: showing the first of {count} patterns; {text}#{count} is the last",
            text=text,
            count=count,
        )
        # Name the command that takes all of them, if there is one like the present command.
        context = click.get_current_context(silent=True)
        for_all = _FOR_ALL.get(context.info_name or "", "") if context else ""
        if for_all:
            message += _("; `juggle-anim {command} {text}` takes all", command=for_all, text=text)
        say(message, err=True)
    print_notes(text, notes)
    return animated(settings, **flags)
