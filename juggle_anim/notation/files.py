"""Pattern files of any kind: read by their content, written by the ending of their name.

Pictures and films carry a `Record` of the animation that they show, so they can be read, too.

Text files: read whole within a limit, and decoded.

Opening patterns: a siteswap, a name of the library, settings or a file, whichever a text
means.
"""

from __future__ import annotations

import codecs
import dataclasses
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from juggle_anim.choreography import Score
from juggle_anim.errors import (
    FileError,
    JuggleError,
    MissingFileError,
    NotationError,
    printable,
)
from juggle_anim.formats import BY_ENDING as EXPORTED
from juggle_anim.formats import load
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.formats import BY_ENDING as PATTERN_FILES
from juggle_anim.notation.formats import LISTS, ROUTINE, PatternFormat, format_of_text
from juggle_anim.notation.limits import MAX_FILE_SIZE, whole_number
from juggle_anim.notation.pattern_list import Entry, Note, PatternList, WrittenText
from juggle_anim.notation.settings.settings import Settings, is_link, read_settings, write_settings
from juggle_anim.parameters import Parameters
from juggle_anim.resources import __version__

if TYPE_CHECKING:
    from juggle_anim.generator import Generated
    from juggle_anim.metadata.documents import Record


_MAX_COMPARED_FILES = 10_000  # of a folder, where a name like a mistyped one is looked for
_MAX_COMPARED_LENGTH = 100  # characters of their names
_SHOWN_END = 100  # characters of a long path that are shown of its beginning and of its end
_LONGEST_NAMED_PATH = 10_000  # characters

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # its first half is the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_DECLARATION = rb"""\s{0,99}<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']"""

# Python calls many things an encoding, and some take long or give no text.
_CHARSETS = (
    r"ascii|utf-8|latin[-_]?1|iso8859-\d+|cp\d+|mac[-_]\w+|koi8-\w+"
    r"|shift_jis\w*|euc_\w+|gbk|gb2312|gb18030|big5\w*"
)

_JAPANESE_ESCAPE = b"\x1b$"  # changes to Japanese in ISO-2022-JP

_KANA = r"[\u3041-\u30ff]"

_NOT_ASCII = r"[^\x00-\x7f]"

_NO_TEXT = r"[\x00-\x08\x0e-\x1f\x7f]"

_OTHER_FILES = (
    (
        rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|BM....\0\0\0\0|II\*\0|MM\0\*",
        N_("a picture"),
    ),
    (rb"....ftyp|\x1aE\xdf\xa3|RIFF....AVI |OggS\0|FLV\x01", N_("a video")),
    (rb"HIERARCHY\s", N_("a BVH without the table (…-props.csv) that carries its pattern")),
    (rb"glTF.\0\0\0|PXR-USDC|#usda ", N_("a 3D model")),
    (rb"\s*\{(?=.*\"(?:accessors|meshes|nodes)\"\s*:).*\"asset\"\s*:\s*\{", N_("a 3D model")),
    (
        rb"\s*(?:<!--.{0,999}?-->\s*)?<(?i:!doctype\s+html|html)[\s>](?!.*<(?i:siteswap)[\s>])",
        N_("a web page"),
    ),
    (rb"\s*(?:<[?!][^>]{0,999}>\s*)*<svg\s", N_("a drawing")),
    (rb"\"?time \[s\][\",;\t]|\s*\{.{0,9999}\"axes\"\s*:\s*\"\+y is up", N_("a table")),
    (rb"ID3[\x02-\x04]|fLaC|RIFF....WAVE", N_("a sound")),
    (
        rb"PK\x03\x04|PK\x05\x06|\x1f\x8b|7z\xbc\xaf|BZh[1-9]1AY"
        rb"|\xfd7zXZ\0|Rar!\x1a|\x28\xb5\x2f\xfd",
        N_("a packed file"),
    ),
    (rb"%PDF-", N_("a PDF document")),
    (rb"\x7fELF|MZ.{0,80}\0\0|\xca\xfe\xba\xbe", N_("a program")),
)
"""Patterns of the beginnings of files, in which a point is any byte, and what these are."""

_CARRIERS = (
    "a picture",
    "a video",
    "a 3D model",
    "a web page",
    "a drawing",
    "a table",
    "a PDF document",
)
"""What `export` and `draw` write, with the pattern in it."""

_LOOKED_AT_BYTES = 100_000


def read_text_file(path: Path) -> str:
    """Read the text of a file, in the encoding that its bytes show.

    A byte order mark or an XML declaration names the encoding. Without either it is UTF-8 if the
    bytes are valid in it; else a Japanese encoding, if enough of the text is kana then; else
    windows-1252, which includes Latin-1.

    Raises:
        FileError: the path does not exist, is not a file, is too large, empty or unreadable, or
            holds no text.
    """
    return decoded_text(_read_bytes(path), shown_path(path))


def decoded_text(data: bytes, name: str) -> str:
    """Return the decoded text of a file's bytes.

    Args:
        data: the whole file.
        name: the name of the file, with which errors begin.

    Raises:
        FileError: there are too many bytes, or none, or they hold no text of patterns.
    """
    if len(data) > MAX_FILE_SIZE:
        raise _too_large(name)
    _refuse_other_files(data[:_LOOKED_AT_BYTES], name)
    text = _decode(data)
    if text is not None:
        text = text.rstrip("\x1a")  # Ctrl-Z, which programs of DOS put behind a text
    if text is None or re.search(_NO_TEXT, text):
        raise FileError(_("{name} has no text, so no patterns", name=name))
    if not text.strip():
        raise FileError(_("{name} is empty", name=name))
    return text


def _refuse_other_files(start: bytes, name: str) -> None:
    """Raise an error if the first bytes of a file are those of a picture, video or the like.

    This is called for files in which no pattern is embedded. For kinds in which juggle-anim embeds
    patterns, the error says that it may have been lost.

    Args:
        start: the first bytes of the file.
        name: the name of the file, with which errors begin.

    Raises:
        FileError: the file is of such a kind.
    """
    start = start.removeprefix(codecs.BOM_UTF8)
    kind = next((kind for pattern, kind in _OTHER_FILES if re.match(pattern, start, re.DOTALL)), "")
    if kind in _CARRIERS:
        raise FileError(
            _(
                "{name} is {kind} with no pattern inside; if juggle-anim made it, another "
                "program has removed the pattern since",
                name=name,
                kind=_(kind),
            )
        )
    if kind:
        raise FileError(_("{name} is {kind}, not a file of patterns", name=name, kind=_(kind)))


def shown_path(path: Path) -> str:
    """Return the name of a file as a terminal can show it, a long one without its middle."""
    name = printable(str(path), _LONGEST_NAMED_PATH)
    return name if len(name) <= 2 * _SHOWN_END else f"{name[:_SHOWN_END]}…{name[-_SHOWN_END:]}"


def _missing_file(path: Path) -> MissingFileError:
    """Return the error for a file that does not exist.

    It names the folder if that is missing, or else the file in it with the most similar name.
    """
    nearest = _nearest_file(path)
    folder = path.parent
    # A folder that cannot be examined may exist, so then only the file is said to be missing.
    with suppress(OSError, ValueError):
        if not folder.is_dir():
            return MissingFileError(
                _(
                    "{path}: there is no folder {folder}",
                    path=shown_path(path),
                    folder=shown_path(folder),
                )
            )
    return MissingFileError(
        _("{path}: there is no such file", path=shown_path(path))
        + (_("; did you mean {near}?", near=nearest) if nearest else "")
    )


def _nearest_file(path: Path) -> str:
    """Return the name in a file's folder that looks most like its own; empty if none does."""
    import difflib

    try:
        names = sorted(os.listdir(path.parent))[:_MAX_COMPARED_FILES]
    except (OSError, ValueError):
        return ""
    by_case = {name.casefold(): name for name in names}
    similar_names = difflib.get_close_matches(
        path.name.casefold()[:_MAX_COMPARED_LENGTH], by_case, n=1, cutoff=0.6
    )
    return shown_path(path.parent / by_case[similar_names[0]]) if similar_names else ""


def _read_bytes(path: Path) -> bytes:
    """Read the bytes of an ordinary file within the limit.

    Args:
        path: the path of the file.

    Raises:
        FileError: the path does not exist, is not a file, is too large, or cannot be read.
    """
    try:
        # Opening a named pipe blocks until something writes to it, unless O_NONBLOCK is given.
        # Windows has neither this flag nor such pipes.
        nonblocking = getattr(os, "O_NONBLOCK", 0)
        with open(
            path, "rb", opener=lambda name, flags: os.open(name, flags | nonblocking)
        ) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileError(_("{path} is not a regular file", path=shown_path(path)))
            # For a large picture or video the reason should be that it is no text, so its first
            # bytes are checked before its size is given as the reason.
            if status.st_size > MAX_FILE_SIZE:
                _refuse_other_files(file.read(_LOOKED_AT_BYTES), shown_path(path))
                raise _too_large(shown_path(path))
            # The file may have grown since its size was checked. So one byte more than the limit is
            # read, by which the caller sees that it is too large.
            return file.read(MAX_FILE_SIZE + 1)
    except FileNotFoundError as error:
        raise _missing_file(path) from error
    except (OSError, ValueError) as error:
        if isinstance(error, IsADirectoryError):
            raise FileError(
                _("{path} is a folder; name a file in it", path=shown_path(path))
            ) from error
        # A ValueError is raised for a null character in the name.
        reason = (
            error.strerror if isinstance(error, OSError) else _("this is not a valid file name")
        )
        raise FileError(
            _("{path}: cannot read this file: {reason}", path=shown_path(path), reason=reason)
        ) from error


def _too_large(name: str) -> FileError:
    return FileError(
        _(
            "{name} is larger than the limit of {max_file_size} MB",
            name=name,
            max_file_size=MAX_FILE_SIZE // 1_000_000,
        )
    )


def _decode(data: bytes) -> str | None:
    """Decode the bytes of a file to text; None if they are not text.

    The encoding is found from, in this order:

    - a byte order mark;
    - the encoding that an XML declaration names;
    - the content: UTF-8 if it is valid, else a Japanese encoding, else Windows-1252.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding)
    declared = _declared_encoding(data)
    text = _decode_as(data, declared) if declared else None
    if text is None:
        text = _decode_as(data, "utf-8")
    if text is None:
        return _decode_japanese(data) or _decode_as(data, "windows-1252")
    # Text in ISO-2022-JP consists of bytes of ASCII, so it is valid UTF-8, too; but it has an
    # escape sequence that no other text has.
    return _decode_japanese(data) if _JAPANESE_ESCAPE in data else text


def _decode_japanese(data: bytes) -> str | None:
    """Decode bytes in a Japanese encoding; None if too little of the resulting text is kana.

    Half-width kana do not count, since in Shift JIS nearly any byte of another encoding is one.
    """
    for encoding in ("iso2022_jp",) if _JAPANESE_ESCAPE in data else ("euc_jp", "cp932"):
        text = _decode_as(data, encoding)
        # Enough is more than a quarter of all characters that are not ASCII.
        if text is not None and 4 * len(re.findall(_KANA, text)) > len(
            re.findall(_NOT_ASCII, text)
        ):
            return text
    return None


def _declared_encoding(data: bytes) -> str:
    """Return the text encoding that an XML declaration names; empty if there is none.

    XML in UTF-16 always has a byte order mark. So `_CHARSETS`, the encodings that are believed, are
    without UTF-16.

    Args:
        data: the first bytes of a file.
    """
    declaration = re.match(_DECLARATION, data)
    if not declaration:
        return ""
    try:
        name = codecs.lookup(declaration[1].decode("ascii")).name
    except LookupError:
        return ""
    return name if re.fullmatch(_CHARSETS, name) else ""


def _decode_as(data: bytes, encoding: str) -> str | None:
    """Decode bytes; None if they are not of the encoding."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


_TITLE = re.compile(r"^\s*title\s*=", re.IGNORECASE | re.MULTILINE)


def read_file(path: str | Path) -> PatternList:
    """Read all patterns of a file in any format; a broken one becomes an entry with its error.

    A picture or a video exported by juggle-anim gives the animation that made it.

    Raises:
        FileError: the file cannot be read, or has none of these formats.
    """
    path = Path(path)
    if recorded := read_exported(path):
        return recorded
    return read_text(read_text_file(path), shown_path(path), path)


def read_stream(stream: BinaryIO, name: str) -> PatternList:
    """Read all patterns of a stream, in the format that its text shows; plain text if none.

    Raises:
        FileError: the file is not a text, or its format is unknown; the message begins with `name`.
    """
    return read_text(decoded_text(stream.read(MAX_FILE_SIZE + 1), name), name, Path())


def read_text(text: str, name: str, path: Path) -> PatternList:
    """Read all patterns of a file's text, in the format that the text or the file's ending shows.

    A broken pattern becomes an entry with its error.

    Args:
        text: the text of a file.
        name: name of the file, with which error messages begin.
        path: the path of the file, of which only the ending counts; it is not opened.

    Raises:
        FileError: the file's format is unknown.
    """
    patterns: PatternList = load(format_of_text(text, path).reader)(text, name)
    return patterns


def write_file(patterns: PatternList, path: str | Path, force: bool = False) -> tuple[str, ...]:
    """Write patterns to a file, whole or not at all, as the ending of its name says.

    Args:
        patterns: what to write.
        path: a file that ends in .jml, .jif, .pass, .json, .xml, .txt or .csv; for a routine also
            .routine.
        force: whether an existing file may be replaced; if not, it is an error.

    Returns:
        What the format cannot hold, a sentence for each.

    Raises:
        FileError: no format has this ending, or it holds just one pattern where there are several.
        ExportError: the file exists and `force` is not given, or it cannot be written.
    """
    path = Path(path)
    ending = path.suffix.casefold()
    file_format = LISTS.get(ending)
    # A .txt file is usually a list of patterns. But a routine is written to it in its own format,
    # and is read back as a routine.
    if ending in ROUTINE.written and write_routine(patterns):
        file_format = ROUTINE
    if file_format is None:
        raise FileError(
            _(
                "{path}: unknown file ending; use {kinds}",
                path=shown_path(path),
                kinds=", ".join(LISTS),
            )
        )
    from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing

    refuse_existing(path, force, shown_path(path))
    # The text is made before the folder and the file, so that an error leaves neither behind.
    text_and_losses = write_patterns(patterns, file_format)
    prepare_folder(path)
    with atomic_file(path) as draft:
        draft.write_text(text_and_losses.text, encoding="utf-8", newline="\n")
    return text_and_losses.left_out


def write_routine(patterns: PatternList) -> str:
    """Write the lines of the routine that a list is; empty if it is something else."""
    settings = patterns.patterns[0].settings if patterns.single and patterns.patterns else None
    if settings is None or settings.score.routine is None:
        return ""
    from juggle_anim.notation.routine import with_parameters

    return with_parameters(settings.score.routine.text, settings.parameters)


def write_found(patterns: Iterable[Generated], path: str | Path, force: bool = False) -> None:
    """Write the generator's patterns as a list that can be opened again, completely or not at all.

    Args:
        patterns: any number of patterns; they need not fit in memory for a .txt.
        path: a file that ends in .txt, .csv, .jml, or .json: a list of objects with a pattern, and
            the throws into it and out of it.
        force: whether an existing file may be replaced; if not, it is an error.

    Raises:
        FileError: the name has another ending.
        ExportError: the file exists and `force` is not given, or it cannot be written.
    """
    path = Path(path)
    ending = path.suffix.casefold()
    if ending not in (".txt", ".csv", ".jml", ".json"):
        raise FileError(
            _(
                "{path}: save a list of patterns as .txt, .csv, .jml or .json",
                path=shown_path(path),
            )
        )
    import json

    from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing

    refuse_existing(path, force, shown_path(path))
    prepare_folder(path)
    with atomic_file(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        # Lines are written while patterns are being found; the other formats take all at once.
        if ending == ".txt":
            file.writelines(f"{generated.pattern}\n" for generated in patterns)
        elif ending == ".json":
            rows = (json.dumps(generated._asdict()) for generated in patterns)
            file.write("[\n" + ",\n".join(rows) + "\n]\n")
        else:
            texts = (generated.pattern for generated in patterns)
            entries = tuple(Entry(text, text=text) for text in texts)
            file.write(write_patterns(PatternList(entries), LISTS[ending]).text)


def write_patterns(patterns: PatternList, file_format: PatternFormat) -> WrittenText:
    """Write patterns as a text of a given format.

    Args:
        patterns: the list to write.
        file_format: the format of the text; `writer` and `rewrite` are references to functions.

    Returns:
        The text, and a sentence for each broken pattern and each thing that the format cannot hold.

    Raises:
        FileError: the format is only read, or holds just one pattern where there are several.
    """
    if not file_format.writer:
        raise FileError(
            _(
                "{value} files can only be opened; use {kinds}",
                value=_(file_format.name),
                kinds=", ".join(LISTS),
            )
        )
    # The patterns are first rewritten to a form that the format can hold.
    rewritten, losses = (
        load(file_format.rewrite)(patterns) if file_format.rewrite else (patterns, ())
    )
    text_and_losses = load(file_format.writer)(rewritten)
    if isinstance(text_and_losses, str):
        text_and_losses = WrittenText(text_and_losses)
    return WrittenText(
        text_and_losses.text, (*_sentences_on_broken(patterns), *losses, *text_and_losses.left_out)
    )


def _sentences_on_broken(patterns: PatternList) -> Iterator[str]:
    """Yield a sentence for each broken pattern, which is written as it stands in the file."""
    for entry in patterns.entries:
        if entry.error:
            stays = _("is saved unchanged") if entry.text else _("only its name is saved")
            yield _(
                "{display}: it is not valid, and {stays}: {error}",
                display=_("line {line}, {name}", line=entry.line, name=entry.display)
                if entry.line
                else entry.display,
                stays=stays,
                error=str(entry.error).splitlines()[0],
            )


def record_of(score: Score, parameters: Parameters, picture: Mapping[str, Any]) -> Record:
    """Return the record of an animation that is embedded in an exported file.

    `read_exported` reads the animation back from it.

    Args:
        score: the pattern, the routine or the events that are animated.
        parameters: the parameters of the animation.
        picture: size, frame rate, camera and other options of the picture, as JSON values by name.
    """
    from juggle_anim.metadata.documents import Record

    # A pattern on beats is recorded as a settings string, which has all of its parameters.
    if score.pattern:
        return Record(write_settings(score, parameters), picture=picture, version=__version__)

    # A routine is recorded as its lines, and other events as JML. These texts do not hold all
    # parameters, so those that are not at their defaults are recorded beside them.
    changed = parameters.changed
    if score.routine:
        text = score.routine.text
        lines = text if _TITLE.search(text) else f"title={score.title}\n{text}"
        return Record(routine=lines, parameters=changed, picture=picture, version=__version__)
    from juggle_anim.notation.jml import write_jml

    jml = write_jml(PatternList((Entry(score.name, Settings(score)),), single=True))
    return Record(jml=jml, parameters=changed, picture=picture, version=__version__)


def read_exported(path: Path) -> PatternList | None:
    """Read the animation that is embedded in a picture or a video, as a list of one pattern.

    Args:
        path: the path of a file of any kind.

    Returns:
        None if the file is something else or holds no animation.

    Raises:
        FileError: the metadata cannot be read.
    """
    from juggle_anim.metadata.documents import read_metadata, read_record

    try:
        metadata = read_metadata(path)
    except (OSError, ValueError):
        return None  # reading it as text raises the error
    record = read_record(metadata) if metadata else None
    if record is None:
        return None
    try:
        settings = _recorded_settings(record, shown_path(path))
    except JuggleError as error:
        # Only the first line of the error is the reason; further ones point to a place in the text.
        # As no user has typed this text, they are left out.
        reason, *_text_and_caret = str(error).split("\n")
        raise FileError(
            _(
                "{path} has an animation that cannot be read: {error}",
                path=shown_path(path),
                error=reason,
            )
        ) from error
    return PatternList((Entry(settings.score.name, settings, text=record.settings),), single=True)


def _recorded_settings(record: Record, name: str) -> Settings:
    """Read the settings, routine or events of a record, with its parameters.

    Args:
        record: the record that a file carries; exactly one of the three is set.
        name: the name of the file, for errors.

    Raises:
        JuggleError: the settings or a parameter are not valid.
    """
    if record.routine:
        from juggle_anim.notation.routine import read_routine

        patterns = read_routine(record.routine, name).patterns
    elif record.jml:
        from juggle_anim.notation.jml import read_jml

        patterns = read_jml(record.jml, name).patterns
    else:
        return read_settings(record.settings)
    settings = patterns[0].settings if patterns else None
    if settings is None:
        raise FileError(_("its events are broken"))
    Parameters().replace(**record.parameters)  # raises for an unknown name or value
    return dataclasses.replace(settings, parameters=dict(record.parameters), complete=True)


# Files, lists and the search of names are loaded when first needed, since most runs read siteswaps
# only.

_MAX_PATH_LENGTH = 4_096  # characters; longer paths exist on no system
_SHOWN_NAME_LENGTH = 100  # characters of a name in an error


@dataclass(frozen=True)
class FileReference:
    """A file of patterns, and which of its patterns is meant.

    Args:
        path: the path of a file.
        choice: one of its patterns, as a number from 1 or a name; None for the whole file.
    """

    path: Path
    choice: str | None = None

    def numbered(self) -> NumberedPatterns:
        """Read the patterns that are meant, at least one, with their numbers in the file.

        Raises:
            FileError: the file cannot be read, or holds no such pattern.
        """
        file = read_file(self.path)
        # One pattern of the file, with the notes on its own line only.
        if self.choice is not None:
            number = _chosen_number(file.patterns, self.choice, shown_path(self.path))
            entry = file.patterns[number - 1]
            notes = tuple(note for note in file.notes if note.line == entry.line)
            return NumberedPatterns(((number, entry),), notes)
        if not file.patterns:
            raise FileError(
                _(
                    "{path} has no patterns: no line is, starts with or ends with one",
                    path=shown_path(self.path),
                )
            )
        return NumberedPatterns(tuple(enumerate(file.patterns, start=1)), file.notes)


class NumberedPatterns(NamedTuple):
    """Patterns of a file.

    Args:
        patterns: each with its number in the file, from 1.
        notes: tell which parts of the entries are not read; for a whole file, also parts between
            them.
    """

    patterns: tuple[tuple[int, Entry], ...]
    notes: tuple[Note, ...] = ()


class Opened(NamedTuple):
    """The first of the patterns that a text stands for.

    Args:
        settings: the pattern as settings.
        total: number of patterns.
        notes: what is not read in them.
    """

    settings: Settings
    total: int = 1
    notes: tuple[Note, ...] = ()


def open_pattern(text: str) -> Settings:
    """Open the one pattern that a text stands for.

    Args:
        text: a siteswap, a name of the library, settings, or a file of patterns: `tricks.jml#3` is
            its third, `tricks.jml#box` the one of that name, and `tricks.jml` its first. Where a
            file has the name of a siteswap, the siteswap is meant. Lines of a routine may stand for
            themselves.

    Raises:
        NotationError: the text is not a valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    return open_first(text).settings


def open_first(text: str) -> Opened:
    """Open the first of the patterns that a text stands for.

    Args:
        text: a siteswap, a name of the library, settings, lines of a routine, or a file, of which
            `tricks.jml#3` chooses one pattern.

    Raises:
        NotationError: the text is not a valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    # A file, or a pattern in one.
    reference = find_file_reference(text)
    if reference is not None:
        numbered, notes = reference.numbered()
        _first_number, entry = numbered[0]
        if entry.settings is None:
            raise broken_entry_error(entry, reference.path)
        # The pattern has the name that the list shows.
        named = load("notation.rewriting:with_titles")(PatternList((entry,))).entries[0]
        return Opened(named.settings, len(numbered), notes)

    # Lines of a routine.
    if isinstance(text, str) and "\n" in text and ROUTINE.claims(text):
        routine = load(ROUTINE.reader)(text).patterns[0].settings
        assert routine is not None, "a routine is one pattern or an error"
        return Opened(routine)

    # A siteswap, a name or settings.
    settings = read_settings(text)
    return Opened(settings, notes=_notes(settings))


def open_patterns(text: str) -> PatternList:
    """Open all patterns that a text stands for.

    Args:
        text: a siteswap, a name of the library, settings, lines of a routine, or a file, of which
            `tricks.jml#3` chooses one pattern; a file without a choice stands for all of its
            patterns.

    Raises:
        NotationError: the text is not a valid pattern.
        FileError: the file cannot be read, or holds no such pattern.
    """
    # None if the text does not name a file. Without a choice it names the whole file.
    reference = find_file_reference(text)
    if reference is not None and reference.choice is None:
        return read_file(reference.path)
    if reference is not None:
        numbered, notes = reference.numbered()
        return PatternList(tuple(entry for _number, entry in numbered), single=True, notes=notes)
    opened = open_first(text)
    # Settings may be typed over several lines; an entry of a list is one line.
    line = " ".join(text.strip().splitlines())
    entry = Entry(opened.settings.score.title or line, opened.settings, text=line)
    return PatternList((entry,), single=True, notes=opened.notes)


def _notes(settings: Settings) -> tuple[Note, ...]:
    """Return the notes on unread parts of typed settings, which have no line number."""
    if not settings.notes:
        return ()

    return tuple(Note(0, text) for text in settings.notes)


def find_file_reference(text: str) -> FileReference | None:
    """Return the file that a text names, `tricks.jml` or `tricks.jml#3`, whether it exists or not.

    Behind the # is the choice of a pattern in it, by its number or name.

    Returns:
        The file; None if the text stands for a pattern by itself: throws, settings or a name of the
        library. None also for what is not a text, which the caller refuses.
    """
    if not isinstance(text, str) or not text.strip():
        return None
    # No file has so long a name, and a link has the pattern in itself.
    if len(text) > _MAX_PATH_LENGTH or is_link(text):
        return None

    # First, the whole text may be the name of a file, with or without a # in it, and no pattern is
    # chosen. Second, it may be such a name, a # and a choice. The order matters below.
    choice_by_name: dict[str, str | None] = {text: None}
    name_before_mark, _mark, choice = text.rpartition("#")
    if name_before_mark:
        choice_by_name[name_before_mark] = choice.strip()
    existing = [name for name in choice_by_name if _file_exists(name)]
    file_like = [name for name in choice_by_name if _looks_like_file(name)]
    if not (existing or file_like):
        return None

    # A file may by chance have a name such as 531. It is meant only if the name also looks like
    # that of a file, or if the text is not a pattern.
    is_plainly_file = bool(existing) and existing[0] in file_like
    if not is_plainly_file and _is_pattern(text):
        return None
    # Of two files that exist the whole text is meant. If none exists, reading it raises an error,
    # which should name the file without the choice, if that looks like a file's name.
    name = existing[0] if existing else file_like[-1]
    return FileReference(_path(name), choice_by_name[name])


def broken_entry_error(entry: Entry, path: Path) -> JuggleError:
    """Return the error for an entry that is not a valid pattern, with the file and the line."""
    # An error that names the file already is not made longer.
    if isinstance(entry.error, FileError) and str(entry.error).startswith(shown_path(path)):
        return entry.error
    line = _(", line {line}", line=entry.line) if entry.line else ""
    return FileError(f"{shown_path(path)}{line}: {entry.error}")


def _chosen_number(entries: Sequence[Entry], choice: str, file: str) -> int:
    """Return the number, from 1, of the pattern that a choice means.

    Args:
        entries: the patterns of a file, in order.
        choice: a number from 1, or else a name, in any case and with any accents.
        file: the name of the file, with which errors begin.

    Raises:
        FileError: there is no such pattern.
    """
    from juggle_anim.notation.library import name_key
    from juggle_anim.notation.search import nearest_names

    if choice.isascii() and choice.isdigit() and (number := whole_number(choice, len(entries))):
        return number
    for number, entry in enumerate(entries, start=1):
        if choice and name_key(choice) in map(name_key, _names(entry)):
            return number

    # No pattern was found. The error suggests the most similar name, or else says which numbers
    # there are.
    names = [name for entry in entries for name in _names(entry)]
    nearest = () if choice.isdigit() else nearest_names(choice, names, alike=0.5)
    if nearest:
        hint = _("did you mean #{near}?", near=printable(nearest[0], _SHOWN_NAME_LENGTH))
    elif entries:
        hint = _("there are #1 to #{count}", count=len(entries))
    else:
        hint = _("it has none")
    raise FileError(
        _(
            "{file} has no pattern #{choice}; {hint}",
            file=file,
            choice=printable(choice, _SHOWN_NAME_LENGTH),
            hint=hint,
        )
    )


def _names(entry: Entry) -> tuple[str, ...]:
    """Return the names of an entry: its words, title and text."""
    title = entry.settings.score.title if entry.settings else ""
    return tuple(name for name in (entry.display.strip(), title, entry.text) if name)


def _path(text: str) -> Path:
    """Return the path of a name with ~ expanded."""
    try:
        return Path(text).expanduser()
    except (RuntimeError, ValueError):  # the user does not exist
        return Path(text)


def _file_exists(name: str) -> bool:
    """Return whether a file exists, in a tenth of the time that a Path takes."""
    try:
        return os.path.exists(os.path.expanduser(name))
    except ValueError:  # there can be no such user
        return False


def _looks_like_file(text: str) -> bool:
    """Return whether a text has the form of a file's name.

    Settings have an =, and siteswaps a / only in brackets.
    """
    if "pattern=" in text.casefold():
        return False
    ending = Path(text).suffix.casefold()
    if ending in PATTERN_FILES or ending in EXPORTED:
        return True
    return os.sep in text and not any(sign in text for sign in "[=<")


def _is_pattern(text: str) -> bool:
    """Return whether a text is read as a pattern that stands in no file."""
    try:
        read_settings(text)
    except NotationError:
        return False
    return True
