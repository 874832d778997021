"""Captions: the throws of each beat, and files of them for players and editors.

SubRip (.srt) and WebVTT (.vtt; W3C, "WebVTT: The Web Video Text Tracks Format") are short, so a
file that is there is compared with what would be written, rather than with a record in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from juggle_anim.animation import Animation
from juggle_anim.arrays import Pixels, Singles
from juggle_anim.atomic_file import atomic_file, cannot_write, prepare_folder, refuse_existing
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import other_content_error
from juggle_anim.formats import SUBTITLES, load
from juggle_anim.language import _
from juggle_anim.notation.beat_text import BeatText, Span, beat_at, beat_text
from juggle_anim.resources import resource
from juggle_anim.scene.camera import is_side_by_side
from juggle_anim.scene.framing import MARGIN

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
                for offset in within
                if first + _SAME < (time := round_ * period + offset) < last - _SAME
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


# height of letters as a share of the shorter edge, and at least [pixels]…
_TALL = 0.052
_LEAST = 15
_MOST = 0.14  # …but never more than this share of it
# long texts, and titles, as shares of that
_SMALLEST = 0.6
_TITLE = 0.62
_ROOM = 0.92  # share of the width that a caption may take
_GROUND = (18, 22, 32, 190)
_INK = (255, 255, 255, 255)
_MUTED = (208, 214, 224, 255)
_LIT = (255, 201, 51, 255)
_ON_LIT = (18, 22, 32, 255)
_APART = 0.12  # between letters of throws, as a share of their size
_READABLE = 12  # the smallest letters, [pixels]
_BELOW = 0.03  # share of the height that is free below
_FINER = 4  # pixels along an edge of each that shapes are drawn with
_KEPT = 64  # layers; each belongs to one beat


class _Layer(NamedTuple):
    """A caption as painted: its upper left corner, and colours from 0 to 1 multiplied by alpha,
    shape (h, w, 4).
    """

    left: int
    top: int
    colours: Singles


class CaptionPainter:
    """Paints captions over pictures of an animation; side by side, each eye has its own.

    Args:
        animation: what is juggled.
        size: width and height of the pictures, [pixels].
    """

    def __init__(self, animation: Animation, size: tuple[int, int]) -> None:
        eyes = 2 if is_side_by_side(animation.parameters.stereo) else 1
        self._captions = Captions(animation)
        self._size = (max(size[0] // eyes, 1), size[1])
        self._lefts = [eye * self._size[0] for eye in range(eyes)]
        self._layer = lru_cache(_KEPT)(self._painted)

    def paint(self, picture: Pixels, time: float) -> None:
        """Paint the caption of a time over a picture, in place.

        Args:
            picture: shape (height, width, 3; 4 with straight alpha), of whole numbers up to the
                greatest of their kind.
            time: of the pattern, [s].
        """
        left, top, colours = self._layer(self._captions.at(time))
        for first in self._lefts:
            rows = slice(top, top + len(colours))
            columns = slice(first + left, first + left + colours.shape[1])
            _lay_over(picture[rows, columns], colours)

    @property
    def room(self) -> float:
        """The share of the height, above the usual margin, that captions take."""
        high = self._size[1]
        return min(
            max((high - self._layer(self._captions.at(0.0)).top) / high - MARGIN / 2, 0.0), 0.5
        )

    def _painted(self, caption: Caption) -> _Layer:
        width, height = self._size
        drawn = _drawn(caption, _letters(min(self._size)), _ROOM * width)
        left = (width - drawn.width) // 2
        top = max(height - drawn.height - round(_BELOW * height), 0)
        drawn = drawn.crop(
            (max(-left, 0), 0, max(-left, 0) + min(drawn.width, width), min(drawn.height, height))
        )
        colours = np.asarray(drawn, dtype=np.float32) / np.float32(255)
        colours[..., :3] *= colours[..., 3:]
        return _Layer(max(left, 0), top, colours)


def _letters(edge: int) -> int:
    """The size of letters in a picture with this shorter edge, [pixels]."""
    return max(round(min(max(_TALL * edge, _LEAST), _MOST * edge)), 2)


def _drawn(caption: Caption, letters: int, room: float) -> Image.Image:
    """A caption on its ground, RGBA.

    Args:
        caption: what is said.
        letters: their size, which is smaller where the text is long, [pixels].
        room: the greatest width, [pixels].
    """
    pad = max(round(0.5 * letters), 1)
    gap = max(round(0.1 * letters), 1)
    page = _Page.of(caption, letters, room - 2 * pad)
    title = _TextRow(round(_TITLE * letters))
    name = title.shortened(caption.title, room - 2 * pad)
    wide = round(max(page.row.width(page.text), title.width(name)) + 2 * pad)
    top = pad // 2 + gap + (title.high if name else 0)
    image = Image.new("RGBA", (wide, top + page.row.high + gap + pad // 2), (*_GROUND[:3], 0))
    _fill(image, (0, 0, wide, image.height), letters // 3, _GROUND)
    title.draw(image, (wide - title.width(name)) / 2, pad // 2, name, _MUTED)
    left = (wide - page.row.width(page.text)) / 2
    for start, end in page.lit:
        low, high = (left + page.row.width(page.text[:at]) for at in (start, end))
        _fill(image, (low, top - gap, high, top + page.row.high + gap), 2 * gap, _LIT)
    for number, (start, end) in enumerate(
        pairwise([0, *(cut for span in page.lit for cut in span), len(page.text)])
    ):
        ink = _ON_LIT if number % 2 else _INK
        page.row.draw(
            image, left + page.row.width(page.text[:start]), top, page.text[start:end], ink
        )
    return image


def _fill(
    image: Image.Image, box: tuple[float, ...], radius: int, colour: tuple[int, int, int, int]
) -> None:
    """Fill a box with round corners, whose edges are smooth."""
    left = int(box[0])
    top = int(box[1])
    size = int(box[2] + 1) - left, int(box[3] + 1) - top
    mask = Image.new("L", (size[0] * _FINER, size[1] * _FINER))
    corners = [_FINER * (value - (left, top)[number % 2]) for number, value in enumerate(box)]
    corners[2:] = corners[2] - 1, corners[3] - 1
    ImageDraw.Draw(mask).rounded_rectangle(corners, _FINER * radius, colour[3])
    image.paste(colour[:3] + (255,), (left, top), mask.resize(size, Image.Resampling.BOX))


@lru_cache(maxsize=32)
def _font(size: int) -> ImageFont.FreeTypeFont:
    path = str(resource("assets", "fonts/Inter-SemiBold.ttf"))
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@dataclass(frozen=True)
class _TextRow:
    """Letters of one size, [pixels], and how far they stand apart, as a share of it."""

    size: int
    apart: float = 0.0

    @property
    def font(self) -> ImageFont.FreeTypeFont:
        return _font(max(self.size, 1))

    @property
    def high(self) -> int:
        return sum(self.font.getmetrics())

    def width(self, text: str) -> float:
        if not self.apart:
            return self.font.getlength(text)
        return sum(map(self.font.getlength, text)) + self.apart * self.size * len(text)

    def shortened(self, text: str, room: float) -> str:
        if self.width(text) <= room:
            return text
        while text and self.width(f"{text}…") > room:
            text = text[:-1].rstrip()
        return f"{text}…"

    def draw(
        self, image: Image.Image, left: float, top: float, text: str, ink: tuple[int, int, int, int]
    ) -> None:
        draw = ImageDraw.Draw(image)
        if not self.apart:
            draw.text((left, top), text, ink, self.font)
            return
        for letter in text:
            draw.text((left + self.apart * self.size / 2, top), letter, ink, self.font)
            left += self.width(letter)


@dataclass(frozen=True)
class _Page:
    """The part of a text that is shown, with the parts of it that are lit."""

    row: _TextRow
    text: str
    lit: list[Span]

    @classmethod
    def of(cls, caption: Caption, letters: int, room: float) -> _Page:
        """The page with what is lit, in letters that are smaller if the whole text fits then."""
        apart = _APART if caption.is_throws else 0.0
        row = _TextRow(letters, apart)
        smallest = max(round(_SMALLEST * letters), min(letters, _READABLE))
        while row.width(caption.text) > room and row.size > smallest:
            row = _TextRow(row.size - 1, apart)
        first, last = cls._part(row, caption, room)
        before = "…" if first else ""
        after = "…" if last < len(caption.text) else ""
        spans = [
            (max(a, first) - first + len(before), min(b, last) - first + len(before))
            for a, b in caption.lit
        ]
        return cls(
            row, before + caption.text[first:last] + after, [(a, b) for a, b in spans if a < b]
        )

    @staticmethod
    def _part(row: _TextRow, caption: Caption, room: float) -> Span:
        """Where the page begins and ends."""
        text = caption.text
        wanted = caption.lit[0][0] if caption.lit else 0
        first = 0
        while True:
            dots = row.width("…") * bool(first)
            last = first + 1
            if row.width(text[first:]) + dots <= room:
                return first, len(text)
            while last < len(text) and row.width(text[first : last + 1] + "…") + dots <= room:
                last += 1
            space = text.rfind(" ", first, last)
            last = space + 1 if space > (first + last) // 2 else last
            if wanted < last or last == len(text):
                return first, last
            first = last


def _lay_over(picture: Pixels, colours: Singles) -> None:
    """Lay premultiplied colours over a part of a picture, in place."""
    most = np.float32(np.iinfo(picture.dtype).max)
    below = picture.astype(np.float32) / most
    alpha = colours[..., 3:]
    if picture.shape[2] == 3:
        mixed = colours[..., :3] + below * (1 - alpha)
    else:
        under = below[..., 3:] * (1 - alpha)
        both = alpha + under
        mixed = np.concatenate(
            [(colours[..., :3] + below[..., :3] * under) / np.maximum(both, 1e-6), both], axis=2
        )
    picture[...] = np.rint(np.clip(mixed, 0.0, 1.0) * most)
