"""Captions as files of their own, for players and editors: SubRip (.srt) and WebVTT (.vtt; W3C, "WebVTT: The Web Video
Text Tracks Format").

Both are short, so a file that is there is compared with what would be written, rather than with a record in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.atomic_file import atomic_file, cannot_write, prepare_folder, refuse_existing
from juggle_anim.errors import ExportError
from juggle_anim.exporter.captions import Caption, Captions
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import provenance
from juggle_anim.formats import SUBTITLES, load
from juggle_anim.language import _

LIT = "#ffc933"
"""The colour of what is thrown now."""


@dataclass(frozen=True)
class Cue:
    """A caption in a film.

    Args:
        begins, ends: since the beginning of the film, [s].
        caption: what is said.
    """

    begins: float
    ends: float
    caption: Caption


def cues(request: FrameRequest) -> Iterator[Cue]:
    """Yield the captions of a film one after another, in time with its frames; what stays the same is one cue."""
    captions, step = Captions(request.animation), request.step
    first = float(request.times[0])
    last = first + request.frames * step

    def played(time: float) -> float:
        return (time - first) / step / request.fps

    begins, shown = first, captions.at(first)
    for time in captions.changes(first, last):
        following = captions.at(time)
        if following != shown:
            yield Cue(played(begins), played(time), shown)
            begins, shown = time, following
    yield Cue(played(begins), played(last), shown)


def write_subtitles(
    request: FrameRequest, path: Path, force: bool, progress: Progress | None, options: WriteOptions = DEFAULT_OPTIONS
) -> Path:
    """Write the captions of a film in the format that the ending names.

    Args:
        request: the frames of the film.
        path: the file; its folder is created.
        force: whether an existing file may be replaced.
        progress: called with the number of frames done and of all frames.
        options: how to write; with `resume`, an existing file must be of this same export, and may be cut short.

    Raises:
        ExportError: the file exists and `force` is not set, it is another one, or it cannot be written.
    """
    text: str = load(SUBTITLES[path.suffix.casefold()].subtitles)(request, options)
    content = text.encode("utf-8")
    refuse_existing(path, force or options.resume)
    with cannot_write(path):
        there = path.read_bytes() if options.resume and path.exists() else b""
    if not content.startswith(there):
        what = _("of another export")
        raise ExportError(
            _(
                "{path}: is {what}; choose another name, or --force in place of --resume replaces it",
                path=path,
                what=what,
            )
        )
    if there != content:
        prepare_folder(path)
        with atomic_file(path, replaces=force or options.resume) as partial:
            partial.write_bytes(content)
        if progress:
            progress(request.frames, request.frames)
    return path


def srt(request: FrameRequest, _options: WriteOptions) -> str:
    """The content of a SubRip file: a number, times and text for each cue."""
    blocks = []
    for number, cue in enumerate(cues(request), 1):
        times = f"{_clock(cue.begins, ',')} --> {_clock(cue.ends, ',')}"
        blocks.append(f"{number}\n{times}\n{_srt_words(cue.caption)}\n")
    return "\n".join(blocks)


def vtt(request: FrameRequest, options: WriteOptions) -> str:
    """The content of a WebVTT file, with the settings in a comment at its beginning."""
    record = provenance(request, options).text.replace(">", "\\u003e")  # no comment may hold an arrow
    blocks = ["WEBVTT\n", f"NOTE {record}\n"]  # FFmpeg 5 reads nothing behind a block of styles
    for cue in cues(request):
        blocks.append(f"{_clock(cue.begins, '.')} --> {_clock(cue.ends, '.')}\n{_vtt_words(cue.caption)}\n")
    return "\n".join(blocks)


def _clock(time: float, point: str) -> str:
    whole, thousandths = divmod(round(1000 * time), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}{point}{thousandths:03d}"


def _srt_words(caption: Caption) -> str:
    """The text with the present throws bold and in a colour; SubRip has no escape for the brackets of passing."""
    pieces = ((text.translate(_GUILLEMETS), lit) for text, lit in caption.parts)
    text = "".join(f'<b><font color="{LIT}">{text}</font></b>' if lit else text for text, lit in pieces)
    return f"{caption.title.translate(_GUILLEMETS)}\n{text}" if caption.title else text


def _vtt_words(caption: Caption) -> str:
    pieces = ((text.translate(_ESCAPED), lit) for text, lit in caption.parts)
    text = "".join(f"<c.yellow><b>{text}</b></c>" if lit else text for text, lit in pieces)
    return f"{caption.title.translate(_ESCAPED)}\n{text}" if caption.title else text


_GUILLEMETS = str.maketrans("<>\n", "‹› ")
_ESCAPED = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "\n": " "})
