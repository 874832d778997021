"""Captions: the throws of each beat, and files of them for players and editors.

SubRip (.srt) and WebVTT (.vtt; W3C, "WebVTT: The Web Video Text Tracks Format") are short, so a
file that is there is compared with what would be written, rather than with a record in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file, cannot_write, prepare_folder, refuse_existing
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import other_content_error
from juggle_anim.formats import SUBTITLES, load
from juggle_anim.language import _
from juggle_anim.notation.beat_text import BeatText, Span, beat_at, beat_text

_SAME = 1e-6  # [s]


LIT = "#ffc933"
"""The colour of what is thrown now."""


@dataclass(frozen=True)
class Caption:
    """What is said at a time.

    Args:
        text: the throws, a line of a routine, or a name.
        lit: the parts of it that are thrown on this beat.
        title: the name of the pattern; empty where it has none but its throws.
        is_throws: whether the text is throws, whose letters stand apart.
    """

    text: str
    lit: tuple[Span, ...] = ()
    title: str = ""
    is_throws: bool = False

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is lit."""
        cuts = [0, *(cut for span in self.lit for cut in span), len(self.text)]
        pieces = itertools.pairwise(cuts)
        return [(self.text[a:b], bool(number % 2)) for number, (a, b) in enumerate(pieces) if a < b]


@dataclass(frozen=True)
class Captions:
    """The captions of an animation."""

    animation: Animation

    def at(self, time: float) -> Caption:
        """The caption at a time of the pattern, [s]."""
        score = self.animation.score
        if score.pattern:
            beat = beat_at(score.pattern, time, self.animation.choreography.bps)
            return Caption(self.text.text, self.text.spans[beat], self._title, True)
        if score.routine:
            now = time % self.animation.duration + _SAME
            first, *others = (line for line in score.routine.lines if line.number)
            return Caption(
                [first, *(line for line in others if line.begins <= now)][-1].text.strip()
            )
        return Caption(self.animation.title)

    def changes(self, first: float, last: float) -> Iterator[float]:
        """Times of the pattern at which the caption may change, after the first and before the
        last, ascending, [s].
        """
        score = self.animation.score
        animation = self.animation
        if score.pattern:
            period = 1 / (animation.choreography.bps * score.pattern.division)
            within = [0.0]
        elif score.routine:
            period = animation.duration
            within = sorted(
                {0.0, *(line.begins % period for line in score.routine.lines if line.number)}
            )
        else:
            return
        for round_ in range(int(np.floor(first / period)), int(np.ceil(last / period)) + 1):
            yield from (
                time
                for each in within
                if first + _SAME < (time := round_ * period + each) < last - _SAME
            )

    @cached_property
    def text(self) -> BeatText:
        """The throws, if they are on beats."""
        assert self.animation.pattern
        return beat_text(self.animation.pattern)

    @property
    def _title(self) -> str:
        title = self.animation.score.title
        return "" if title == self.text.text else title


@dataclass(frozen=True)
class _Cue:
    """A caption in a film.

    Args:
        begins, ends: since the beginning of the film, [s].
        caption: what is said.
    """

    begins: float
    ends: float
    caption: Caption


def _cues(request: FrameRequest) -> Iterator[_Cue]:
    """Yield the captions of a film one after another, in time with its frames; what stays the same
    is one cue.
    """
    captions = Captions(request.animation)
    step = request.step
    first = float(request.times[0])
    last = first + request.frames * step

    def played(time: float) -> float:
        return (time - first) / step / request.fps

    begins = first
    shown = captions.at(first)
    for time in captions.changes(first, last):
        following = captions.at(time)
        if following != shown:
            yield _Cue(played(begins), played(time), shown)
            begins = time
            shown = following
    yield _Cue(played(begins), played(last), shown)


def write_subtitles(
    request: FrameRequest,
    path: Path,
    force: bool,
    progress: Progress | None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the captions of a film in the format that the ending names.

    Args:
        request: the frames of the film.
        path: the file; its folder is created.
        force: whether an existing file may be replaced.
        progress: called with the number of frames done and of all frames.
        options: how to write; with `resume`, an existing file must be of this same export, and may
            be cut short.

    Raises:
        ExportError: the file exists and `force` is not set, it is another one, or it cannot be
            written.
    """
    text: str = load(SUBTITLES[path.suffix.casefold()].subtitles)(request, options)
    content = text.encode("utf-8")
    refuse_existing(path, force or options.resume)
    with cannot_write(path):
        there = path.read_bytes() if options.resume and path.exists() else b""
    if not content.startswith(there):
        raise other_content_error(path, _("of another export"))
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
    for number, cue in enumerate(_cues(request), 1):
        times = f"{_clock(cue.begins, ',')} --> {_clock(cue.ends, ',')}"
        blocks.append(f"{number}\n{times}\n{_srt_words(cue.caption)}\n")
    return "\n".join(blocks)


def vtt(request: FrameRequest, options: WriteOptions) -> str:
    """The content of a WebVTT file, with the settings in a comment at its beginning."""
    record = request.record(options).text.replace(">", "\\u003e")  # no comment may hold an arrow
    blocks = ["WEBVTT\n", f"NOTE {record}\n"]  # FFmpeg 5 reads nothing behind a block of styles
    for cue in _cues(request):
        blocks.append(
            f"{_clock(cue.begins, '.')} --> {_clock(cue.ends, '.')}\n{_vtt_words(cue.caption)}\n"
        )
    return "\n".join(blocks)


def _clock(time: float, point: str) -> str:
    whole, thousandths = divmod(round(1000 * time), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}{point}{thousandths:03d}"


def _srt_words(caption: Caption) -> str:
    """The text with the present throws bold and in a colour; SubRip has no escape for the brackets
    of passing.
    """
    pieces = ((text.translate(_GUILLEMETS), lit) for text, lit in caption.parts)
    text = "".join(
        f'<b><font color="{LIT}">{text}</font></b>' if lit else text for text, lit in pieces
    )
    return f"{caption.title.translate(_GUILLEMETS)}\n{text}" if caption.title else text


def _vtt_words(caption: Caption) -> str:
    pieces = ((text.translate(_ESCAPED), lit) for text, lit in caption.parts)
    text = "".join(f"<c.yellow><b>{text}</b></c>" if lit else text for text, lit in pieces)
    return f"{caption.title.translate(_ESCAPED)}\n{text}" if caption.title else text


_GUILLEMETS = str.maketrans("<>\n", "‹› ")
_ESCAPED = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "\n": " "})
