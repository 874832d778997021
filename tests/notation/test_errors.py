"""Every error that reading can end in: what is wrong, where the caret stands, and what would be
accepted instead.

The tables are complete: each place in the readers that raises an error is tried, and each sentence
is said.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import error_rows_files
import error_rows_patterns
import pytest
from error_rows_files import OPENED, CallRow, OpenRow
from error_rows_jif import JIF
from error_rows_jml import JML, FileRow
from error_rows_joepass import JOEPASS
from error_rows_prechac import PRECHAC
from error_rows_settings import SETTINGS
from error_rows_siteswap import SITESWAPS, Row
from marked_language import marking, unmarked

import juggle_anim
from juggle_anim.errors import FileError, JuggleError, NotationError
from juggle_anim.notation import open_pattern, read_prechac, read_settings, read_siteswap
from juggle_anim.notation.jif import read_jif
from juggle_anim.notation.jml import read_jml
from juggle_anim.notation.joepass import read_joepass
from juggle_anim.notation.limits import MAX_LIST_WORK
from juggle_anim.notation.rewriting import PermutationError

CARET = "‸"
PACKAGE = Path(juggle_anim.__file__).parent
READERS = sorted(
    path
    for place in ("notation/**/*.py", "pattern/*.py", "choreography/*.py", "parameters.py")
    for path in PACKAGE.glob(place)
    if "writ" not in path.name and not path.name.startswith(("facts", "__init__"))
)
OTHER_WORDS = [
    *(
        PACKAGE / "notation" / name
        for name in (
            "checks.py",
            "listing.py",
            "files.py",
            "search.py",
            "lessons.py",
            "text_list.py",
            "jif/props.py",
            "jif/scores.py",
        )
    ),
    *(PACKAGE / "notation" / "joepass" / name for name in ("read.py", "document.py")),
    *(
        PACKAGE / "notation" / name
        for name in (
            "jugglemaster.py",
            "list_lines.py",
            "screen_savers.py",
        )
    ),
    PACKAGE / "notation" / "jml" / "extension.py",
    PACKAGE / "choreography" / "body_throws.py",
    PACKAGE / "parameters.py",
]
"""Files with sentences that are no errors; each place in them that makes an error is tried all the
same.
"""


def refusal(read: Callable[[], object]) -> JuggleError:
    with pytest.raises(JuggleError) as caught:
        read()
    return caught.value


def refused_text(read: Callable[[str], object], row: Row) -> JuggleError:
    return refusal(lambda: read(row.text.replace(CARET, "")))


def refused_file(read: Callable[[str, str], Any], row: FileRow) -> JuggleError:
    """What a file is refused with, or the first broken entry of its list."""
    try:
        found = read(row.text, "f")
    except FileError as error:
        return error
    return next(entry.error for entry in found.entries if entry.error)


def opened(row: OpenRow, folder: Path) -> JuggleError:
    with open(folder / row.name, "wb") as file:
        file.write(row.holds) if isinstance(row.holds, bytes) else file.truncate(row.holds)
    return refusal(lambda: open_pattern(row.opened))


TEXTS = [
    *((read_siteswap, row) for row in SITESWAPS),
    *((read_prechac, row) for row in PRECHAC),
    *((read_settings, row) for row in SETTINGS),
]


class Tried(NamedTuple):
    """What the tables make of the readers.

    Args:
        texts, files, opened, calls: what each row is refused with.
        lines: where an error was made or asked for, by file and line.
    """

    texts: list[JuggleError]
    files: list[JuggleError]
    opened: list[JuggleError]
    calls: list[JuggleError]
    lines: set[tuple[str, int]]

    def said(self) -> str:
        return "\n".join(map(str, [*self.texts, *self.files, *self.opened, *self.calls]))


CALLS = [*error_rows_files.CALLS, *error_rows_patterns.CALLS]

FILES = [
    *((read_jml, row) for row in JML),
    *((read_jif, row) for row in JIF),
    *((read_joepass, row) for row in JOEPASS),
]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    lines: set[tuple[str, int]] = set()

    def recorded(kind: type[Exception], *arguments: object, **__: object) -> Exception:
        frame = inspect.currentframe()
        while frame:
            if frame.f_code.co_filename.startswith(str(PACKAGE)):
                lines.add((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        # An error that is also one of the system is made as such.
        base = OSError if issubclass(kind, OSError) else BaseException
        return base.__new__(kind, *arguments)

    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        for kind in (JuggleError, PermutationError):
            patch.setattr(kind, "__new__", recorded)
        patch.setattr("juggle_anim.notation.pattern_list.MAX_LIST_WORK", MAX_LIST_WORK / 10)
        patch.chdir(folder)
        return Tried(
            [refused_text(read, row) for read, row in TEXTS],
            [refused_file(read, row) for read, row in FILES],
            [opened(row, folder) for row in OPENED],
            [called(row, folder / str(number)) for number, row in enumerate(CALLS)],
            lines,
        )


def called(row: CallRow, folder: Path) -> Exception:
    folder.mkdir()
    with contextlib.chdir(folder), pytest.raises(row.error) as caught:
        row.call()
    return caught.value


def test_a_mistake_is_told_with_the_caret_under_it(tried: Tried) -> None:
    for (_, row), error in zip(TEXTS, tried.texts, strict=True):
        assert isinstance(error, NotationError), row
        assert error.text[: error.index] + CARET + error.text[error.index :] == row.text
        assert error.reason.startswith(row.reason), row
        assert error.accepted.startswith(row.accepted), row
        assert row.accepted, f"every error says what would be accepted: {row}"
        shown, caret = str(error).splitlines()[1:3]
        assert (shown + " ")[caret.index("^")] == _printable((error.text + " ")[error.index]), row


def test_a_file_is_refused_in_one_line(tried: Tried) -> None:
    for (read, row), error in zip(FILES, tried.files, strict=True):
        assert str(error).startswith(("f:", "f: ")[read is read_jif] + row.message), row
        assert "\n" not in str(error), row


def test_what_is_opened_is_refused(tried: Tried) -> None:
    for row, error in zip(OPENED, tried.opened, strict=True):
        assert str(error).startswith(row.message), row.opened


def test_a_call_is_refused(tried: Tried) -> None:
    for row, error in zip(CALLS, tried.calls, strict=True):
        assert type(error) is row.error, row.message
        assert str(error).startswith(row.message)


def test_no_sentence_of_an_error_stays_english() -> None:
    sentence = re.compile(r"[a-z]{2,} [a-z]{2,}")
    with marking():
        errors = [refused_text(read, row) for read, row in TEXTS]
        said = [
            f"{error.reason}\n{error.accepted}"
            for error in errors
            if isinstance(error, NotationError)
        ]
        said += [str(refused_file(read, row)) for read, row in FILES]
    left = [unmarked(words.replace("\n", " ")) for words in said]
    assert [words for words in left if sentence.search(words)] == []


def _printable(character: str) -> str:
    return character if character.isprintable() else " "


def test_every_place_that_makes_an_error_is_tried_in_the_tables(tried: Tried) -> None:
    untried = [
        f"{path}:{call.lineno}"
        for path in READERS
        for call in _error_calls(ast.parse(path.read_text()))
        if not any(
            (str(path), line) in tried.lines
            for line in range(call.lineno, (call.end_lineno or 0) + 1)
        )
    ]
    assert untried == []


def test_every_sentence_of_an_error_is_said_in_the_tables(tried: Tried) -> None:
    paths, said = [path for path in READERS if path not in OTHER_WORDS], tried.said()
    unsaid = [
        f"{path.name}: {words}" for path in paths for words in _sentences(path) if words not in said
    ]
    assert unsaid == []


def _error_calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            # Python itself makes some errors, of which no table can tell where.
            is_own = name not in ("AttributeError", "KeyError")
            if (name.lower().endswith("error") and is_own) or name == "unknown":
                yield node


def _sentences(path: Path) -> Iterator[str]:
    """The texts of several words in a file, less documentation and what is only compared or never
    seen.
    """
    left_out: set[int] = set()
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert | ast.Compare) or (
            isinstance(node, ast.Expr) and _text(node.value)
        ):
            left_out |= set(map(id, ast.walk(node)))
        elif (text := _text(node)) and id(node) not in left_out:
            yield from (words.strip() for words in _pieces(text) if len(words.split()) > 2)


def _pieces(text: str) -> list[str]:
    """What stands between the values of a message, as {name!r} or {duration:.2f}."""
    try:
        parsed = list(Formatter().parse(text))
    except ValueError:
        return [text]
    if not all(name is None or name.isidentifier() for _, name, _, _ in parsed):
        return [text]
    return "".join(
        words + ("\0" if name is not None else "") for words, name, _, _ in parsed
    ).split("\0")


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
