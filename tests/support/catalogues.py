"""Catalogues of translations: the texts of the program as a template, and those of a language, read
and written.
"""

from __future__ import annotations

import ast
import io
import tarfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from commands import all_commands

from juggle_anim.cli.command import DOMAIN_OF_LIBRARY, OF_LIBRARY
from juggle_anim.language import (
    CATALOGUES,
    CONTEXT_END,
    DOMAIN,
    FORM_END,
    LIBRARY_DOMAIN,
    TEXT_END,
    catalogue_folder,
    english,
)
from juggle_anim.language import LANGUAGES as ALL_LANGUAGES

LANGUAGES = tuple(code for code in ALL_LANGUAGES if code != "en")
"""Codes of the languages that have a catalogue."""

PACKAGE = Path(__file__).resolve().parents[2] / "juggle_anim"

_TEXTS_IN_CALLS = {"_": 1, "N_": 1, "ngettext": 2, "_thing": 2, "pgettext": 2}
"""How many arguments of a call are texts; of two, one is for one thing and the other for many."""

_WITH_CONTEXT = "pgettext"
"""The call whose first text is the context of the second."""

_HEADER = "# Translations of juggle-anim; see docs/translating.md."


def catalogue_path(code: str, domain: str = DOMAIN) -> Path:
    """A catalogue of a language, as people edit it: that of the program, or of the library."""
    return catalogue_folder() / code / "LC_MESSAGES" / f"{domain}.po"


def texts_of_library() -> Catalog:
    """What the library tells of its patterns."""
    from juggle_anim.notation.library import library

    found = Catalog(header_comment=_HEADER)
    for pattern in library():
        found.add(pattern.description, locations=[("patterns", None)])  # type: ignore[list-item]
    return found


def texts_of_program() -> Catalog:
    """All texts that are translated: those in calls, and those of tables, which are translated
    where they are shown.
    """
    found = Catalog(header_comment=_HEADER)
    for path, calls in calls_of_program().items():
        place = path.relative_to(PACKAGE).as_posix()
        for call in calls:
            message, context = _message(call)
            if message:
                found.add(message, context=context, locations=[(place, None)])  # type: ignore[list-item]
    for place, context, text in _texts_of_tables():
        if any(character.isalpha() for character in text):
            found.add(text, context=context, locations=[(place, None)])  # type: ignore[list-item]
    return found


@cache
def syntax_of_program() -> dict[Path, list[ast.AST]]:
    """All nodes of the syntax of each file of the program."""
    return {
        path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def calls_of_program() -> dict[Path, list[ast.Call]]:
    """All calls in each file of the program."""
    return {
        path: [node for node in nodes if isinstance(node, ast.Call)]
        for path, nodes in syntax_of_program().items()
    }


def called(call: ast.Call) -> str:
    """The name of the function that is called."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _message(call: ast.Call) -> tuple[str | tuple[str, ...], str | None]:
    """The text of a call, or that for one thing and that for many, and its context; an empty text
    where a call has none that stands in the program.
    """
    count = _TEXTS_IN_CALLS.get(called(call), 0)
    texts = tuple(
        argument.value
        for argument in call.args[:count]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    )
    if not count or len(texts) < count:
        return "", None
    if called(call) == _WITH_CONTEXT:
        return texts[1], texts[0]
    return texts if count > 1 else texts[0], None


def _texts_of_tables() -> Iterator[tuple[str, str | None, str]]:
    from juggle_anim import parameters
    from juggle_anim.viewer.state.keymap import (
        _HINTS,
        _NAMES,
        _SHORT_HINTS,
        ACTIONS,
        HELP,
        TERMS,
        FixedKey,
    )
    from juggle_anim.viewer.state.prompt import Purpose

    yield from _texts_of_rows()
    for setting in parameters.TEXT_SETTINGS:
        yield "text_settings.py", None, english(setting, "help")
    for names in (parameters.BODY_THROW_NAMES, parameters.BODY_CATCH_NAMES):
        yield from (("text_settings.py", None, name) for name in names.values())
    keymap = "viewer/state/keymap.py"
    for told in (*TERMS.values(), *ACTIONS.values()):
        yield from ((keymap, None, text) for text in told)
    yield from ((keymap, None, text) for text in (*_HINTS.values(), *_SHORT_HINTS.values()))
    yield from ((keymap, None, name) for name in _NAMES.values())
    for title, lines in HELP.items():
        yield keymap, None, title
        for keys, words in lines:
            yield keymap, None, words
            name = (
                keys.name if isinstance(keys, FixedKey) else keys if isinstance(keys, str) else ""
            )
            yield keymap, None, name
    for purpose in Purpose:
        yield from (("viewer/state/prompt.py", None, text) for text in purpose.value)
    yield from _texts_of_cards()
    yield from _texts_of_commands()
    yield from _texts_of_patterns()


def _texts_of_cards() -> Iterator[tuple[str, str | None, str]]:
    from juggle_anim.viewer.learning.welcome import STOPS
    from juggle_anim.viewer.state.generator import _controls
    from juggle_anim.viewer.state.split import _KINDS

    for stop in STOPS:
        yield from (
            ("viewer/learning/welcome.py", None, english(stop, name)) for name in ("title", "text")
        )
    yield from (("viewer/state/split.py", "choice", kind) for kind in _KINDS)
    for control in _controls():
        yield from (
            ("viewer/state/generator.py", "choice", words) for words, _value in control.values
        )


def _texts_of_patterns() -> Iterator[tuple[str, str | None, str]]:
    """Tags of the library, less those that count, and advice of lessons."""
    from juggle_anim.notation.lessons import all_advice
    from juggle_anim.notation.library import library

    tags = {tag for pattern in library() for tag in pattern.tags if not tag[:1].isdigit()}
    yield from (("patterns", "tag", tag) for tag in tags)
    for words in all_advice().values():
        yield from (
            ("patterns/lessons", None, english(words, name))
            for name in ("begin", "look", "wrong", "mend")
        )


def _texts_of_commands() -> Iterator[tuple[str, str | None, str]]:
    """What commands say of themselves, and operations of editing: their docstrings."""
    from juggle_anim.cli.edit import summary
    from juggle_anim.editing.editor import operations

    yield from (("cli/app.py", None, command.help or "") for command in all_commands())
    yield from (("cli/edit.py", None, summary(each)) for each in operations().values())


def _texts_of_rows() -> Iterator[tuple[str, str | None, str]]:
    """Labels, units, words and helps of parameters and of all that is turned like them."""
    from juggle_anim.parameters import ROWS, Choice, Group
    from juggle_anim.viewer.footage.footage import ROWS as FILM_ROWS
    from juggle_anim.viewer.panel.controls import BY_HAND, CONTROLS, WINDOW_CONTROLS
    from juggle_anim.viewer.panel.values import _SHOWN_OPTIONS

    place = "parameters.py"
    yield from ((place, None, group.value) for group in Group)
    for row in (*ROWS, *CONTROLS, *WINDOW_CONTROLS, *FILM_ROWS):
        yield from ((place, None, english(row, name)) for name in ("label", "help"))
        if isinstance(row, Choice):
            shown = (_SHOWN_OPTIONS.get(option, option) for option in row.options)
            yield from ((place, "choice", option) for option in shown)
        else:
            yield place, None, row.unit
    yield "viewer/panel/window_controls.py", "choice", BY_HAND


TEXTS = {DOMAIN: texts_of_program, LIBRARY_DOMAIN: texts_of_library}
"""What gives the texts of each catalogue."""


def read_catalogue(code: str, domain: str = DOMAIN) -> Catalog:
    """A catalogue of a language."""
    with catalogue_path(code, domain).open("rb") as file:
        return read_po(file, locale=code)


def written(catalogue: Catalog) -> bytes:
    """A catalogue as it stands in its file, the same whenever the same is written."""
    catalogue.header_comment = _HEADER
    file = io.BytesIO()
    write_po(file, catalogue, width=120, sort_output=True, include_lineno=False, omit_header=False)
    lines = file.getvalue().splitlines(keepends=True)
    volatile = (
        b'"POT-Creation-Date',
        b'"PO-Revision-Date',
        b'"Generated-By',
        b'"Last-Translator',
        b'"Report-Msgid',
    )
    return b"".join(line for line in lines if not line.startswith(volatile))


def packed(catalogue: Catalog) -> bytes:
    """A catalogue as the program reads it, of which `CATALOGUES` tells the form."""
    # Fuzzy translations are not sure, and the text with an empty id is the head of the file.
    messages = [m for m in catalogue if m.id and m.string and not m.fuzzy]
    pairs = {}
    for message in messages:
        forms = message.id if message.pluralizable else (message.id,)
        translations = message.string if message.pluralizable else (message.string,)
        context = f"{message.context}{CONTEXT_END}" if message.context else ""
        pairs[context + FORM_END.join(forms)] = FORM_END.join(translations)
    texts = sorted(pairs)
    return TEXT_END.join([*texts, *(pairs[text] for text in texts)]).encode()


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as the library of the command line reads it."""
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def compiled_for_command_line(code: str) -> bytes:
    """The few texts that the library of the command line looks up itself."""
    catalogue = read_catalogue(code)
    few = Catalog(code)
    for text in OF_LIBRARY:
        few.add(text, catalogue[text].string)
    return compiled(few)


def command_line_path(code: str) -> Path:
    """The file of these texts, where the library of the command line looks for it."""
    return catalogue_path(code, DOMAIN_OF_LIBRARY).with_suffix(".mo")


def compiled_catalogues() -> dict[str, bytes]:
    """All catalogues as the program reads them, by their names in the archive."""
    return {
        f"{code}/{domain}": packed(read_catalogue(code, domain))
        for domain in TEXTS
        for code in LANGUAGES
    }


def write_archive(catalogues: Mapping[str, bytes]) -> None:
    """Write all catalogues, the same bytes whenever the same is written."""
    with tarfile.open(catalogue_folder() / CATALOGUES, "w:xz", preset=9) as archive:
        for name, content in catalogues.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def archived_catalogues() -> dict[str, bytes]:
    """What the archive holds, by name."""
    with tarfile.open(catalogue_folder() / CATALOGUES) as archive:
        files = {name: archive.extractfile(name) for name in archive.getnames()}
        return {name: file.read() for name, file in files.items() if file}
