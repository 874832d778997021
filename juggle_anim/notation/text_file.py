"""Text files: read whole within a limit and decoded, and which kind of pattern file a text is."""

from __future__ import annotations

import codecs
import difflib
import os
import re
import stat
from contextlib import suppress
from enum import Enum
from pathlib import Path

from juggle_anim.errors import FileError, printable
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import MAX_FILE_SIZE
from juggle_anim.notation.routine_lines import LENGTH, UNITS
from juggle_anim.text_settings import BODY_CATCH_NAMES, BODY_THROW_NAMES

_MOST_NAMES = 10_000

_LONGEST_NAME = 100

_SHOWN = 100

_LONGEST_PATH = 10_000

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # its first half is the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_DECLARATION = re.compile(
    rb"""\s{0,99}<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']"""
)

# Python calls many things an encoding, and some take long or give no text.
_CHARSETS = re.compile(
    r"ascii|utf-8|latin[-_]?1|iso8859-\d+|cp\d+|mac[-_]\w+|koi8-\w+|shift_jis\w*|euc_\w+|gbk|gb2312|gb18030|big5\w*"
)

_ESCAPE = b"\x1b$"  # changes to Japanese in ISO-2022-JP

_KANA = re.compile(r"[\u3041-\u30ff]")

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")

_OTHER_FILES = tuple(
    (re.compile(start, re.DOTALL), kind)
    for start, kind in (
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
            rb"PK\x03\x04|PK\x05\x06|\x1f\x8b|7z\xbc\xaf|BZh[1-9]1AY|\xfd7zXZ\0|Rar!\x1a|\x28\xb5\x2f\xfd",
            N_("a packed file"),
        ),
        (rb"%PDF-", N_("a PDF document")),
        (rb"\x7fELF|MZ.{0,80}\0\0|\xca\xfe\xba\xbe", N_("a program")),
    )
)

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

# A passing siteswap begins with < too, and a multiplex or a throw in braces as JSON does.
_XML = re.compile(
    r"<(\?xml|!--|!DOCTYPE|(jml|pattern|patternlist|html|svg|rss)[\s/>])", re.IGNORECASE
)

# Throws between tags that say so; the pattern of a JML file holds elements.
_TAGGED = re.compile(
    r"<(siteswap|ss|notation)(\s[^<>]*)?>[^<]+</\1\s*>|<pattern>\s*[^<\s]", re.IGNORECASE
)

# Commands that begin lines; what begins with # in a list are words.
_JOEPASS = re.compile(
    r"^[^\S\n]*#[^\S\n]*((s[^\S\n]*[xb]|mhn\*|D[^\S\n]*[-+])[^\S\n]*(!|$)"
    r"|(juggler(StartLeft|Delay|Position)|object(Count|Color|Kind))[^\S\n]+\d)",
    re.MULTILINE | re.ASCII,
)

_LOOKED_AT = 5_000

_JSON = re.compile(r'\{\s*("|\}|$)|\[\s*(\{\s*"|(?:\[\s*)?")')

# A height or dwell, or a row of a style.
_JUGGLEMASTER = re.compile(
    r"^(?:#(?:[HDG][RA]|height|dwell)\s*=|\{[-\d,.\x20]{3,20}\}\x20?\{[-\d,.\x20]{3,20}\}\s*$)",
    re.MULTILINE,
)

# A named pattern that ends with a semicolon, or a row of a table of patterns in a source.
_SCREEN_SAVER = re.compile(
    r"""^"[^"\n]{1,200}"\s{0,20}[0-9A-Za-z][^"\n]{0,500};\s*$|\{\s{0,9}"\[[^"\[\]\n]{1,200}\]"|PatternText\[\]""",
    re.MULTILINE,
)


_BODY_WORDS = "|".join(word.replace("-", "[ -]") for word in (*BODY_THROW_NAMES, *BODY_CATCH_NAMES))

# Lines of a routine that need not say how long something is juggled.
_ROUTINE_WORDS = re.compile(
    r"\s*(?:start|stop(?:\s+[0-9.]+\s*\w+)?|repeat\s+[0-9]+(?:\s+times?)?|end|transition\s+\S+|"
    rf"(?:{_BODY_WORDS})(?:\s+(?:left|right))?)\s*",
    re.IGNORECASE,
)

_WORDS_BESIDE = re.compile(r"(?:^|\s)#.*")
_SETTING = re.compile(r"\s*(?!pattern\b)[a-z]+\s*=[^;]*", re.IGNORECASE)

_MOST_LINES = 200  # by which a routine is known


def read_text_file(path: Path) -> str:
    """The text of a file.

    The byte order mark at its beginning says how it is encoded, or else its XML declaration; what
    neither decides is UTF-8 where it can be, an encoding of Japanese where that gives kana, and
    windows-1252, which Latin-1 is a part of, where not.

    Raises:
        FileError: it is not there, not a file, too large, empty, not to be read, or holds no text.
    """
    return decoded_text(_bytes(path), shown_path(path))


def decoded_text(data: bytes, name: str) -> str:
    """Return the decoded text of a file's bytes.

    Raises:
        FileError: they are too many, or none, or hold no text; it begins with `name`.
    """
    if len(data) > MAX_FILE_SIZE:
        raise _too_large(name)
    _refuse_other_files(data[:_LOOKED_AT_BYTES], name)
    text = _decoded(data)
    # Old programs end a text with this character.
    text = text and text.rstrip("\x1a")
    if text is None or _NO_TEXT.search(text):
        raise FileError(_("{name}: holds no text, so no patterns", name=name))
    if not text.strip():
        raise FileError(_("{name}: is empty", name=name))
    return text


def _refuse_other_files(start: bytes, name: str) -> None:
    """Refuse what is no text of patterns, as its first bytes tell."""
    start = start.removeprefix(codecs.BOM_UTF8)
    kind = next((kind for pattern, kind in _OTHER_FILES if pattern.match(start)), "")
    if kind in _CARRIERS:
        raise FileError(
            _(
                "{name}: is {kind} that carries no pattern; if juggle-anim wrote it, a program "
                "that saved or "
                "sent it since has dropped what it carried",
                name=name,
                kind=kind,
            )
        )
    if kind:
        raise FileError(_("{name}: is {kind}, and no file of patterns", name=name, kind=_(kind)))


def shown_path(path: Path) -> str:
    """Return the name of a file as a terminal can show it, shortened in the middle where it is
    long.
    """
    name = printable(str(path), _LONGEST_PATH)
    return name if len(name) <= 2 * _SHOWN else f"{name[:_SHOWN]}…{name[-_SHOWN:]}"


def _missing_file(path: Path) -> FileError:
    """The error for a file that is not there, with the nearest that is."""
    near = _nearest_file(path)
    folder = path.parent
    with suppress(OSError, ValueError):
        if not folder.is_dir():
            return FileError(
                _(
                    "{path}: there is no folder {folder}",
                    path=shown_path(path),
                    folder=shown_path(folder),
                )
            )
    return FileError(
        _("{path}: there is no such file", path=shown_path(path))
        + (_("; did you mean {near}?", near=near) if near else "")
    )


def _nearest_file(path: Path) -> str:
    """The name in a file's folder that looks most like its own; empty if none does."""
    try:
        names = sorted(os.listdir(path.parent))[:_MOST_NAMES]
    except (OSError, ValueError):
        return ""
    by_case = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(path.name.casefold()[:_LONGEST_NAME], by_case, n=1, cutoff=0.6)
    return shown_path(path.parent / by_case[near[0]]) if near else ""


def _bytes(path: Path) -> bytes:
    try:
        # Opening a pipe without a writer would block.
        nonblocking = getattr(os, "O_NONBLOCK", 0)
        with open(
            path, "rb", opener=lambda name, flags: os.open(name, flags | nonblocking)
        ) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileError(_("{path}: is no ordinary file", path=shown_path(path)))
            if status.st_size > MAX_FILE_SIZE:
                _refuse_other_files(file.read(_LOOKED_AT_BYTES), shown_path(path))
                raise _too_large(shown_path(path))
            return file.read(MAX_FILE_SIZE + 1)
    except FileNotFoundError as error:
        raise _missing_file(path) from error
    except (OSError, ValueError) as error:
        if isinstance(error, IsADirectoryError):
            raise FileError(
                _("{path}: is a folder; name a file in it", path=shown_path(path))
            ) from error
        reason = error.strerror if isinstance(error, OSError) else _("no file has such a name")
        raise FileError(
            _("{path}: cannot be read: {reason}", path=shown_path(path), reason=reason)
        ) from error


def _too_large(name: str) -> FileError:
    return FileError(
        _(
            "{name}: is larger than {max_file_size} MB, the most that is read",
            name=name,
            max_file_size=MAX_FILE_SIZE // 1_000_000,
        )
    )


def _decoded(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _try(data[len(mark) :], encoding)
    for encoding in (_declared(data), "utf-8"):
        if encoding and (text := _try(data, encoding)) is not None:
            return None if _ESCAPE in data and (text := _japanese(data)) is None else text
    return _japanese(data) or _try(data, "windows-1252")


def _japanese(data: bytes) -> str | None:
    """The text that bytes are in an encoding of Japanese, if enough of it is kana; None if not.

    The half-width kana of Shift JIS do not count: each byte of other encodings is one.
    """
    for encoding in ("iso2022_jp",) if _ESCAPE in data else ("euc_jp", "cp932"):
        text = _try(data, encoding)
        if text is not None and 4 * len(_KANA.findall(text)) > len(_NOT_ASCII.findall(text)):
            return text
    return None


def _declared(data: bytes) -> str:
    """The encoding that an XML declaration names, if it is one of text; XML is never in UTF-16
    without a mark.
    """
    found = _DECLARATION.match(data)
    if not found:
        return ""
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
    except LookupError:
        return ""
    return name if _CHARSETS.fullmatch(name) else ""


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


class FileKind(Enum):
    """The formats of pattern files."""

    JML = "JML"
    JIF = "JIF"
    JOEPASS = "JoePass!"
    TEXT = N_("plain text")
    ROUTINE = N_("routines")
    JUGGLEMASTER = "JuggleMaster"
    SCREEN_SAVER = N_("screen-saver lists")


def kind_of_name(path: Path) -> FileKind | None:
    """Return the kind that belongs to the ending of a file's name; None for any other ending."""
    return (KINDS | ONLY_READ).get(path.suffix.casefold())


def kind_of_text(text: str, path: Path) -> FileKind:
    """Return the kind of a text: by its beginning where that is certain, or else by the file's
    name.
    """
    start = text.lstrip("\ufeff \t\r\n")[:200]
    if _JSON.match(start):
        return FileKind.JIF
    if _TAGGED.search(text, 0, _LOOKED_AT_BYTES) and not start.startswith("<jml"):
        return FileKind.TEXT
    if _XML.match(start):
        return FileKind.JML
    if _JOEPASS.search(text, 0, _LOOKED_AT):
        return FileKind.JOEPASS
    kind = kind_of_name(path)
    if kind in (None, FileKind.TEXT) and _JUGGLEMASTER.search(text):
        return FileKind.JUGGLEMASTER
    if kind in (None, FileKind.TEXT) and _SCREEN_SAVER.search(text):
        return FileKind.SCREEN_SAVER
    if kind in (None, FileKind.TEXT) and is_routine(text):
        return FileKind.ROUTINE
    return kind or FileKind.TEXT


def is_routine(text: str) -> bool:
    """Whether most lines of a text say what to juggle for how long, and at least two do; settings
    do not count.
    """
    lines = [_WORDS_BESIDE.sub("", line) for line in text.splitlines()[:_MOST_LINES]]
    lines = [line for line in lines if line.strip() and not _SETTING.fullmatch(line)]
    timed = sum(_is_routine_line(line) for line in lines)
    return timed >= 2 and 2 * timed > len(lines)


def _is_routine_line(line: str) -> bool:
    """Whether a line says how long something is juggled, however long it is itself, or is a word of
    a routine.
    """
    length = LENGTH.search(line)
    if length and length[2].casefold() in UNITS and line[: length.start()].strip():
        return True
    return _ROUTINE_WORDS.fullmatch(line) is not None


KINDS = {
    ".jml": FileKind.JML,
    ".xml": FileKind.JML,
    ".jif": FileKind.JIF,
    ".json": FileKind.JIF,
    ".pass": FileKind.JOEPASS,
    ".txt": FileKind.TEXT,
}
"""By the ending of the name, in small letters; those that are written, too."""

ROUTINE_ENDINGS = (".routine", ".txt")
"""Endings of files to which a routine is written as its lines."""

ONLY_READ = {
    ".routine": FileKind.ROUTINE,
    ".jm": FileKind.JUGGLEMASTER,
    ".jmp": FileKind.JUGGLEMASTER,
    ".jap": FileKind.TEXT,
    ".csv": FileKind.TEXT,
    ".tsv": FileKind.TEXT,
    ".md": FileKind.TEXT,
}
"""The same for endings to which no patterns are written; a routine is written to its own."""
