"""The commands `list` and `learn`: patterns of the library and of files, and lessons."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from juggle_anim.cli.command import FAILED, Command, argument, option, out_option
from juggle_anim.cli.options import (
    Force,
    JsonList,
    json_list,
    print_notes,
    print_table,
    save_text,
    say,
    table_width,
)
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.language import _
from juggle_anim.parameters import PROP_KINDS

if TYPE_CHECKING:
    from juggle_anim.notation import ListedPattern


_STEP_FIELDS = ("title", "advice", "trouble", "gravity")


@click.command("list", cls=Command)
def list_patterns(
    words: Annotated[
        list[str] | None,
        argument(
            metavar="WORDS",
            help=_("Words of a name, tag, siteswap or description; a file name can come first."),
        ),
    ] = None,
    tag: Annotated[
        list[str] | None,
        option(metavar="TAG", help=_("Filter by tag; can be repeated.")),
    ] = None,
    props: Annotated[
        str, option(metavar="N", help=_("Filter by number of props, or by their kind."))
    ] = "",
    jugglers: Annotated[
        int | None, option(metavar="N", help=_("Filter by number of jugglers."))
    ] = None,
    difficulty: Annotated[
        str | None,
        option(
            metavar="LEVEL",
            help=_("Filter by difficulty: easy, medium, hard, or 1 to 10."),
            show_default=False,
        ),
    ] = None,
    file: Annotated[
        str | None,
        option(metavar="FILE", help=_("Search this file."), show_default=False),
    ] = None,
    json: JsonList = False,
    out: Annotated[
        str | None,
        out_option(_("Save a list: .txt, .csv, .jml or .json.")),
    ] = None,
    force: Force = False,
) -> None:
    """Search the library, or the patterns of a file.

    The best match comes first; typing errors are forgiven. Patterns of a file are numbered: open
    one as FILE#3. The exit code is 1 if nothing is found.
    """
    from juggle_anim.notation import (
        difficulty_range,
        english_query,
        listed_in_file,
        listed_in_library,
        search_listed,
    )

    number = int(props) if props.isdecimal() else None
    # A kind of prop is a word to search for.
    kind = [] if number is not None or not props else [props]
    if kind and props.removesuffix("s") not in PROP_KINDS:
        accepted = _("a whole number, or one of {kinds}", kinds=", ".join(PROP_KINDS))
        raise ParameterError.of("--props", props, accepted)

    # Where to look: in a file, or the library.
    source, text = _file_and_words([*(words or []), *kind], file)
    patterns = listed_in_file(source) if source else listed_in_library()
    print_notes(source, patterns[0].notes)

    # All words must match, and all limits hold.
    levels = difficulty_range(difficulty)
    keys = {_known_tag(text_of_tag, patterns) for text_of_tag in tag or []}
    text_matches = search_listed(english_query(text), patterns)
    matches = [
        listed
        for listed in text_matches
        if keys <= listed.pattern.tag_keys
        and listed.pattern.difficulty in levels
        and _counts_fit(listed, number, jugglers)
    ]
    if not matches:
        say(_nothing_found(text, text_matches, patterns), err=True)
        sys.exit(FAILED)
    data = json_list(listed.as_data() for listed in matches)
    if out:
        _save_matches(matches, data, Path(out), force=force)
    elif json:
        click.echo(data)
    else:
        _print_matches(matches)


def _save_matches(matches: Sequence[ListedPattern], data: str, path: Path, *, force: bool) -> None:
    """Save patterns as a list with their names, or as JSON data."""
    from juggle_anim.notation import Entry, PatternList, open_pattern, write_file

    if path.suffix.casefold() == ".json":
        save_text(f"{data}\n", path, force=force)
        return
    valid = (listed for listed in matches if not listed.reason)
    entries = (Entry(listed.pattern.name, open_pattern(listed.text)) for listed in valid)
    write_file(PatternList(tuple(entries)), path, force)
    say(str(path))


def _file_and_words(words: Sequence[str], file: str | None) -> tuple[str, str]:
    """Return the file to look in, if any, and the words to look for."""
    from juggle_anim.notation import find_file_reference

    if file is None and words and find_file_reference(words[0]):
        return words[0], " ".join(words[1:])
    return file or "", " ".join(words)


def _counts_fit(listed: ListedPattern, props: int | None, jugglers: int | None) -> bool:
    if listed.reason:
        return props is None and jugglers is None
    return props in (None, listed.pattern.props) and jugglers in (None, listed.pattern.jugglers)


def _print_matches(matches: Sequence[ListedPattern]) -> None:
    """Print patterns as a table, with descriptions where there is room for them.

    Patterns of a file have their numbers before the names.

    Args:
        matches: patterns of one file or of the library, at least one.
    """
    headings = [_("Name"), _("Siteswap"), _("Props"), _("Difficulty")]
    rows = [_cells(listed) for listed in matches]
    if matches[0].number:  # they are of a file
        headings.insert(0, "#")
        for row, listed in zip(rows, matches, strict=True):
            row.insert(0, str(listed.number))
    if table_width() >= _ROOM_TO_DESCRIBE:
        headings.append(_("Description"))
        for row, listed in zip(rows, matches, strict=True):
            row.append(listed.pattern.shown_description or listed.reason)
    shown = [[printable(cell) for cell in row] for row in rows]
    print_table(
        headings,
        shown,
        numbers=("#", _("Props"), _("Difficulty")),
        cut={_("Name"): 40, _("Siteswap"): 30},
    )


def _cells(listed: ListedPattern) -> list[str]:
    pattern = listed.pattern
    props = _("not valid") if listed.reason else str(pattern.props)
    return [pattern.name, pattern.siteswap, props, str(pattern.difficulty or "")]


def _nothing_found(
    text: str, fit: Sequence[ListedPattern], patterns: Sequence[ListedPattern]
) -> str:
    """Return the message for a search without a result, with what was probably meant.

    Args:
        text: text that was searched for.
        fit: patterns that match the text, but not the filters by props, tags and so on.
        patterns: all patterns that were searched, whose names are suggested.
    """
    from juggle_anim.notation import nearest_names

    if fit:
        first_names = ", ".join(listed.pattern.name for listed in fit[:3])
        if not text:
            return _("nothing found with these filters")
        return _("nothing found with these filters; without them: {some}", some=first_names)
    names = [
        name for listed in patterns for name in (*listed.pattern.names, listed.pattern.siteswap)
    ]
    nearest = ", ".join(nearest_names(text, names, count=3, alike=0.4))
    if not nearest:
        return _("nothing found; try fewer words")
    return _("nothing found; did you mean {near}?", near=nearest)


def _known_tag(tag: str, patterns: Sequence[ListedPattern]) -> str:
    """Return the key of a tag, by which patterns are compared.

    Args:
        tag: the tag as typed.
        patterns: the patterns that may have it.

    Raises:
        ParameterError: no pattern has the tag, which is more likely mistyped than rare.
    """
    from juggle_anim.notation import tag_key

    # The tags of all patterns as they are written there, by their keys.
    spelling_by_key = {
        tag_key(spelled): spelled for listed in patterns for spelled in listed.pattern.tags
    }
    if tag_key(tag) in spelling_by_key:
        return tag_key(tag)
    hint = did_you_mean(
        tag_key(tag),
        spelling_by_key,
        _("there are {values}", values=", ".join(sorted(spelling_by_key.values())) or _("none")),
    )
    raise ParameterError(_("tag {tag!r} does not exist: {others}", tag=tag, others=hint), "tag")


_ROOM_TO_DESCRIBE = 110  # characters; in less, descriptions would wrap to single words


@click.command("learn", cls=Command)
def learn(
    pattern: Annotated[list[str], argument(metavar="PATTERN", help=_("What to learn."))],
    json: Annotated[bool, option("--json", help=_("Print the lesson as JSON."))] = False,
    out: Annotated[
        Path | None,
        out_option(_("Save the lesson: .txt, .md, .html or .json.")),
    ] = None,
    force: Force = False,
) -> None:
    """Print a lesson: a pattern in steps, from one prop to all of them.

    In the viewer, Ctrl J plays each step, slowly at first.
    """
    from juggle_anim.notation import lesson

    if out is None and len(pattern) > 1 and Path(pattern[-1]).suffix in _LESSON_ENDINGS:
        out = Path(pattern.pop())
    course = lesson(" ".join(pattern))
    ending = out.suffix.casefold() if out else ""
    if json or ending == ".json":
        steps = (
            {name: getattr(step, name) for name in (*_STEP_FIELDS, "text")} for step in course.steps
        )
        text = json_list(steps)
    else:
        text = course.wrapped(table_width())
    if out is None:
        say(text)
        return
    if ending not in _LESSON_ENDINGS:
        accepted = _("a file that ends in .txt, .md, .html or .json")
        raise ParameterError.of("out", out, accepted)
    save_text(course.to_html() if ending == ".html" else f"{text}\n", out, force=force)


_LESSON_ENDINGS = (".txt", ".md", ".html", ".json")
"""Files to which a lesson is saved."""
