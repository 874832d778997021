"""Text files: read whole within a limit, and decoded."""

from __future__ import annotations

import codecs
import difflib
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from juggle_anim.errors import FileError, printable
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import MAX_FILE_SIZE

_MAX_COMPARED_FILES = 10_000  # of a folder, where a name like a mistyped one is looked for
_MAX_COMPARED_LENGTH = 100  # characters of their names
_SHOWN_END = 100  # characters of a long path that are shown of its beginning and of its end
_MAX_PATH_LENGTH = 10_000  # characters

_BYTE_ORDER_MARKS = (
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
    r"ascii|utf-8|latin[-_]?1|iso8859-\d+|cp\d+|mac[-_]\w+|koi8-\w+"
    r"|shift_jis\w*|euc_\w+|gbk|gb2312|gb18030|big5\w*"
)

_JAPANESE_ESCAPE = b"\x1b$"  # changes to Japanese in ISO-2022-JP

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
            rb"PK\x03\x04|PK\x05\x06|\x1f\x8b|7z\xbc\xaf|BZh[1-9]1AY"
            rb"|\xfd7zXZ\0|Rar!\x1a|\x28\xb5\x2f\xfd",
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


def read_text_file(path: Path) -> str:
    """Read the text of a file.

    Its encoding is that of the byte order mark at its beginning, or else of its XML declaration.
    Without either it is UTF-8 if the bytes are valid in it; else an encoding of Japanese, if enough
    of the text is kana then; else windows-1252, which includes Latin-1.

    Raises:
        FileError: it is not there, not a file, too large, empty, not to be read, or holds no text.
    """
    return decoded_text(_read_bytes(path), shown_path(path))


def decoded_text(data: bytes, name: str) -> str:
    """Return the decoded text of a file's bytes.

    Args:
        data: the whole file.
        name: of the file, with which errors begin.

    Raises:
        FileError: the bytes are too many, or none, or hold no text of patterns.
    """
    if len(data) > MAX_FILE_SIZE:
        raise _too_large(name)
    _refuse_other_files(data[:_LOOKED_AT_BYTES], name)
    text = _decode(data)
    if text is not None:
        text = text.rstrip("\x1a")  # Ctrl-Z, which programs of DOS put behind a text
    if text is None or _NO_TEXT.search(text):
        raise FileError(_("{name}: has no text, so no patterns", name=name))
    if not text.strip():
        raise FileError(_("{name}: is empty", name=name))
    return text


def _refuse_other_files(start: bytes, name: str) -> None:
    """Raise a `FileError` if the first bytes are those of a picture, video or the like.

    Files that juggle-anim writes with the pattern in them have an error of their own, since the
    pattern must have been lost. It is not reached where the pattern was found.

    Args:
        start: the first bytes of the file.
        name: of the file, with which errors begin.
    """
    start = start.removeprefix(codecs.BOM_UTF8)
    kind = next((kind for pattern, kind in _OTHER_FILES if pattern.match(start)), "")
    if kind in _CARRIERS:
        raise FileError(
            _(
                "{name}: is {kind} with no pattern inside; if juggle-anim made it, another "
                "program has removed the pattern since",
                name=name,
                kind=kind,
            )
        )
    if kind:
        raise FileError(_("{name}: is {kind}, not a file of patterns", name=name, kind=_(kind)))


def shown_path(path: Path) -> str:
    """Return the name of a file as a terminal can show it, a long one without its middle."""
    name = printable(str(path), _MAX_PATH_LENGTH)
    return name if len(name) <= 2 * _SHOWN_END else f"{name[:_SHOWN_END]}…{name[-_SHOWN_END:]}"


def _missing_file(path: Path) -> FileError:
    """Return the error for a file that is not there.

    It names the folder if that is missing, or else the file in it with the most similar name.
    """
    nearest = _nearest_file(path)
    folder = path.parent
    # If the folder cannot be looked at, it may exist, so only the file is said to be missing.
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
        + (_("; did you mean {near}?", near=nearest) if nearest else "")
    )


def _nearest_file(path: Path) -> str:
    """Return the name in a file's folder that looks most like its own; empty if none does."""
    try:
        names = sorted(os.listdir(path.parent))[:_MAX_COMPARED_FILES]
    except (OSError, ValueError):
        return ""
    by_case = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(
        path.name.casefold()[:_MAX_COMPARED_LENGTH], by_case, n=1, cutoff=0.6
    )
    return shown_path(path.parent / by_case[near[0]]) if near else ""


def _read_bytes(path: Path) -> bytes:
    """Read the bytes of an ordinary file within the limit.

    Args:
        path: of the file.

    Raises:
        FileError: it is not there, no file, too large, or not to be read.
    """
    try:
        # Opening a named pipe blocks until something writes to it, unless O_NONBLOCK is given.
        # Windows has no such flag, and no such pipes.
        nonblocking = getattr(os, "O_NONBLOCK", 0)
        with open(
            path, "rb", opener=lambda name, flags: os.open(name, flags | nonblocking)
        ) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileError(_("{path}: is not a regular file", path=shown_path(path)))
            # The error for a large picture or video should be that it is no text, so its first
            # bytes are checked before its size is given as the reason.
            if status.st_size > MAX_FILE_SIZE:
                _refuse_other_files(file.read(_LOOKED_AT_BYTES), shown_path(path))
                raise _too_large(shown_path(path))
            # The file may have grown since its size was checked. One byte more than the limit is
            # read, which shows the caller that it is too large.
            return file.read(MAX_FILE_SIZE + 1)
    except FileNotFoundError as error:
        raise _missing_file(path) from error
    except (OSError, ValueError) as error:
        if isinstance(error, IsADirectoryError):
            raise FileError(
                _("{path}: is a folder; name a file in it", path=shown_path(path))
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
            "{name}: is larger than {max_file_size} MB, which is the limit",
            name=name,
            max_file_size=MAX_FILE_SIZE // 1_000_000,
        )
    )


def _decode(data: bytes) -> str | None:
    """Decode bytes by their mark, XML declaration or content; None where they are no text."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding)
    for encoding in (_declared_encoding(data), "utf-8"):
        text = _decode_as(data, encoding) if encoding else None
        if text is not None:
            # ISO-2022-JP has only bytes of ASCII, so it is valid UTF-8, too; its escape sequence
            # tells it apart.
            return _decode_japanese(data) if _JAPANESE_ESCAPE in data else text
    return _decode_japanese(data) or _decode_as(data, "windows-1252")


def _decode_japanese(data: bytes) -> str | None:
    """Decode bytes in an encoding of Japanese, if enough of the text is kana; None if not.

    Half-width kana do not count: in Shift JIS nearly each byte of another encoding would be one.
    """
    for encoding in ("iso2022_jp",) if _JAPANESE_ESCAPE in data else ("euc_jp", "cp932"):
        text = _decode_as(data, encoding)
        # Enough is more than a quarter of all characters beyond ASCII.
        if text is not None and 4 * len(_KANA.findall(text)) > len(_NOT_ASCII.findall(text)):
            return text
    return None


def _declared_encoding(data: bytes) -> str:
    """Return the encoding that an XML declaration names, if it is one of text.

    XML is never in UTF-16 without a mark.
    """
    declaration = _DECLARATION.match(data)
    if not declaration:
        return ""
    try:
        name = codecs.lookup(declaration[1].decode("ascii")).name
    except LookupError:
        return ""
    return name if _CHARSETS.fullmatch(name) else ""


def _decode_as(data: bytes, encoding: str) -> str | None:
    """Decode bytes; None where they are not of the encoding."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
