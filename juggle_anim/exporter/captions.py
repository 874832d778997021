"""Captions: the throws of each beat, painted over pictures, and in files for players and editors.

SubRip (.srt) and WebVTT (.vtt; W3C, "WebVTT: The Web Video Text Tracks Format") are short, so a
file that is there is compared with the text to write, rather than with a record in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from juggle_anim.animation import Animation
from juggle_anim.arrays import Pixels, Singles, Size
from juggle_anim.atomic_file import atomic_file, cannot_write, prepare_folder, refuse_existing
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import other_content_error
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.formats import SUBTITLES, load
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import BeatText, Span, beat_at, beat_text
from juggle_anim.resources import bold_font
from juggle_anim.scene import FREE_BELOW, is_side_by_side

_TIME_TOLERANCE = 1e-6  # s; captions that change within this time of each other change at once


LIT = "#ffc933"
"""The colour of what is thrown now."""


@dataclass(frozen=True)
class Caption:
    """The text at a time.

    Args:
        text: the throws of a pattern, a line of a routine, or a name.
        lit: the spans of the text that are thrown on this beat, each start and end of characters,
            end excluded; ascending and apart.
        title: the name of the pattern, shown above; empty if it has none but its throws.
        is_throws: whether the text is throws, whose letters stand apart.
    """

    text: str
    lit: tuple[Span, ...] = ()
    title: str = ""
    is_throws: bool = False

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The text in successive pieces, none empty, each with whether it is lit."""
        parts = [
            (self.text[start:end], is_lit)
            for start, end, is_lit in spans_with_lit(self.lit, len(self.text))
        ]
        return [(text, is_lit) for text, is_lit in parts if text]


def spans_with_lit(lit: Iterable[Span], length: int) -> Iterator[tuple[int, int, bool]]:
    """Divide a text into lit spans and the spans between them, which may be empty.

    Args:
        lit: start and end of each lit span, indices of characters, end excluded; ascending and
            apart.
        length: length of the text, characters.

    Yields:
        Start and end of each span, and whether it is lit.
    """
    end_before = 0
    for start, end in lit:
        yield end_before, start, False
        yield start, end, True
        end_before = end
    yield end_before, length, False


@dataclass(frozen=True)
class Captions:
    """The captions of an animation."""

    animation: Animation

    def at(self, time: float) -> Caption:
        """Return the caption at a time of the pattern, [s].

        It shows the throws of a pattern, with those of the present beat lit; or the present line of
        a routine; or the title of timed events.
        """
        score = self.animation.score
        if score.pattern:
            beat = beat_at(score.pattern, time, self.animation.choreography.bps)
            return Caption(
                self.text.text, lit=self.text.spans[beat], title=self._title, is_throws=True
            )
        if score.routine:
            # With the tolerance a line that begins at this time counts as begun despite rounding.
            now = time % self.animation.duration + _TIME_TOLERANCE
            # The present line is the last one that has begun; before all of them it is the first.
            # Lines without a number are not in the text of the routine; at least one has a number.
            present, *later = (line for line in score.routine.lines if line.number)
            for line in later:
                if line.begins <= now:
                    present = line
            return Caption(present.text.strip())
        return Caption(self.animation.title)

    def changes(self, start: float, end: float) -> Iterator[float]:
        """Yield the times at which the caption may change, ascending, [s] of the pattern.

        The caption shows the siteswap with the throws of the present beat lit, or the present line
        of a routine. It may also stay the same at such a time. Choreographies of timed events, with
        neither, have one caption only, and no times.

        Args:
            start, end: the times lie between these, [s]; neither they nor times closer to them than
                `_TIME_TOLERANCE` are yielded.
        """
        animation = self.animation
        score = animation.score

        # The caption may change at these offsets in each period, [s].
        if score.pattern:
            # The unit of time of the throws: a beat, or a part of a beat.
            period = 1 / (animation.choreography.bps * score.pattern.division)
            offsets = [0.0]
        elif score.routine:
            # A routine changes where a line of its text begins (lines without a number are not in
            # the text), and at 0, where it starts over with its first line.
            period = animation.duration
            offsets = sorted(
                {0.0, *(line.begins % period for line in score.routine.lines if line.number)}
            )
        else:
            return
        first_period = math.floor(start / period)
        last_period = math.ceil(end / period)
        for period_number in range(first_period, last_period + 1):
            for offset in offsets:
                time = period_number * period + offset
                if start + _TIME_TOLERANCE < time < end - _TIME_TOLERANCE:
                    yield time

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
        begins, ends: times since the beginning of the film, [s].
        caption: the caption to draw.
    """

    begins: float
    ends: float
    caption: Caption


def _cues(request: FrameRequest) -> Iterator[_Cue]:
    """Yield the captions of a film one after another, in time with its frames.

    A cue is a caption with the times at which it appears and vanishes. The first cue begins at
    0 s, each begins where the one before it ends, and the last ends with the film. Successive equal
    captions are one cue.

    Args:
        request: the frames of the film: their times in the pattern, their number and rate.
    """
    captions = Captions(request.animation)
    step = request.step  # s of the pattern from frame to frame
    first = float(request.times[0])
    last = first + request.frames * step

    def film_time(time: float) -> float:
        """Return the time in the film, [s], at which a time of the pattern, [s], is shown."""
        return (time - first) / step / request.fps

    start = first
    caption = captions.at(first)
    for time in captions.changes(first, last):
        next_caption = captions.at(time)
        if next_caption != caption:
            yield _Cue(film_time(start), film_time(time), caption)
            start = time
            caption = next_caption
    yield _Cue(film_time(start), film_time(last), caption)


def write_subtitles(
    request: FrameRequest,
    path: Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the captions of a film in the format that the ending names.

    Args:
        request: the frames of the film.
        path: the file; its folder is created.
        force: whether an existing file may be replaced; if not, it is an error.
        progress: called with the number of frames done and of all frames.
        options: how to write; with `resume`, an existing file must be of this same export, and may
            be cut short: a whole one is kept.

    Returns:
        The path.

    Raises:
        ExportError: the file exists and neither `force` nor `resume` is set, with `resume` it is
            of another export, or it cannot be written.
    """
    text: str = load(SUBTITLES[path.suffix.casefold()].subtitles)(request, options)
    content = text.encode("utf-8")
    refuse_existing(path, force or options.resume)

    # With `resume`, an existing file must be the beginning of this text. Otherwise any file is
    # replaced, as though it were empty.
    with cannot_write(path):
        existing = path.read_bytes() if options.resume and path.exists() else b""
    if not content.startswith(existing):
        raise other_content_error(path, _("from another export"))
    if existing != content:
        prepare_folder(path)
        with atomic_file(path, replaces=force or options.resume) as draft:
            draft.write_bytes(content)
        if progress:
            progress(request.frames, request.frames)
    return path


def srt(request: FrameRequest, _options: WriteOptions) -> str:
    """Return the content of a SubRip file: a number, times and text for each cue."""
    blocks = []
    for number, cue in enumerate(_cues(request), 1):
        times = f"{_clock(cue.begins, ',')} --> {_clock(cue.ends, ',')}"
        text = _cue_text(cue.caption, _GUILLEMETS, lit=f'<b><font color="{LIT}">{{}}</font></b>')
        blocks.append(f"{number}\n{times}\n{text}\n")
    return "\n".join(blocks)


def vtt(request: FrameRequest, options: WriteOptions) -> str:
    """Return the content of a WebVTT file, with the record in a comment at its beginning.

    Args:
        request: the frames of the film.
        options: how the film is written, for the record.
    """
    # A comment must not contain an arrow, so > is escaped in the JSON of the record.
    record = request.record(options).text.replace(">", "\\u003e")
    # There are no styles, since FFmpeg 5 reads nothing behind a block of styles.
    blocks = ["WEBVTT\n", f"NOTE {record}\n"]
    for cue in _cues(request):
        text = _cue_text(cue.caption, _ESCAPED, lit="<c.yellow><b>{}</b></c>")
        blocks.append(f"{_clock(cue.begins, '.')} --> {_clock(cue.ends, '.')}\n{text}\n")
    return "\n".join(blocks)


def _clock(time: float, point: str) -> str:
    """Format a time [s] as 00:01:02.345, with this decimal point."""
    whole, thousandths = divmod(round(1000 * time), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}{point}{thousandths:03d}"


def _cue_text(caption: Caption, escapes: dict[int, str], lit: str) -> str:
    """Return the text of a cue, below the title if there is one.

    Args:
        caption: the text with the present throws, and the title.
        escapes: what is written in place of characters with a meaning of their own, by their codes.
        lit: the format of present throws, with {} in place of their text.
    """
    text = "".join(
        (lit if is_lit else "{}").format(part.translate(escapes)) for part, is_lit in caption.parts
    )
    return f"{caption.title.translate(escapes)}\n{text}" if caption.title else text


# SubRip has no escape for the brackets of passing, which are guillemets there.
_GUILLEMETS = str.maketrans({"<": "‹", ">": "›", "\n": " "})
_ESCAPED = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "\n": " "})


_LETTER_SHARE = 0.052  # height of letters, as a share of the picture's shorter edge
_MIN_LETTERS = 15  # pixels, of letters in small pictures
_MAX_LETTER_SHARE = 0.14  # of the shorter edge, never more
_LONG_TEXT_SHARE = 0.6  # of the usual letters, the smallest in long texts
_TITLE_SHARE = 0.62  # of the usual letters, in titles
_READABLE = 12  # pixels, the smallest letters in long texts
_LETTER_SPACING = 0.12  # between throws, as a share of the letters' size
_WIDTH_SHARE = 0.92  # of the picture, which a caption may take
_BOTTOM_SHARE = 0.03  # of the height, which is free below

# RGBA
_GROUND = (18, 22, 32, 190)
_INK = (255, 255, 255, 255)
_MUTED = (208, 214, 224, 255)
_LIT = (255, 201, 51, 255)
_ON_LIT = (18, 22, 32, 255)

_SUPERSAMPLING = 4  # of round corners
_MAX_LAYERS = 64  # kept; each belongs to one beat


class _Layer(NamedTuple):
    """A caption as painted.

    Args:
        left, top: its upper left corner, [pixels].
        colours: RGBA from 0 to 1, premultiplied by alpha, shape (height, width, 4).
    """

    left: int
    top: int
    colours: Singles


class CaptionPainter:
    """Paints captions over pictures of an animation; side by side, each eye has its own.

    Args:
        animation: the animation.
        size: width and height of the pictures, [pixels].
    """

    def __init__(self, animation: Animation, size: Size) -> None:
        eyes = 2 if is_side_by_side(animation.parameters.stereo) else 1
        self._captions = Captions(animation)
        self._size = (max(size[0] // eyes, 1), size[1])
        self._eye_lefts = [eye * self._size[0] for eye in range(eyes)]
        self._layer_of = lru_cache(_MAX_LAYERS)(self._painted)

    def paint(self, picture: Pixels, time: float) -> None:
        """Paint the caption of a time over a picture, in place.

        Args:
            picture: shape (height, width, 3; 4 with straight alpha), of whole numbers up to the
                greatest of their kind.
            time: time of the pattern, [s].
        """
        left, top, colours = self._layer_of(self._captions.at(time))
        height, width, _channels = colours.shape
        rows = slice(top, top + height)
        # In stereo each eye has a picture with a caption.
        for eye_left in self._eye_lefts:
            columns = slice(eye_left + left, eye_left + left + width)
            _lay_over(picture[rows, columns], colours)

    @property
    def height_share(self) -> float:
        """The share of the height that captions need at the bottom, from 0 to 0.5.

        Of the margin that pictures leave free there anyway, captions use half, and the other half
        stays free above them.
        """
        # The caption at time 0 stands for all.
        height = self._size[1]
        taken = (height - self._layer_of(self._captions.at(0.0)).top) / height
        return min(max(taken - FREE_BELOW / 2, 0.0), 0.5)

    def _painted(self, caption: Caption) -> _Layer:
        """Return a caption as a layer in the middle of one eye's picture, near the lower edge.

        Args:
            caption: the text, and the title above it, if any.

        Returns:
            The layer, cropped to that picture: its left and top edge in it, [pixels], and its RGBA
            colours from 0 to 1, premultiplied by alpha.
        """
        width, height = self._size
        image = _drawn(caption, _letter_size(min(self._size)), _WIDTH_SHARE * width)
        left = (width - image.width) // 2  # negative if the caption is wider than the picture
        top = max(height - image.height - round(_BOTTOM_SHARE * height), 0)

        # A caption that is too wide is cut at both sides, and one that is too high at the bottom.
        crop_left = max(-left, 0)
        crop_right = crop_left + min(image.width, width)
        image = image.crop((crop_left, 0, crop_right, min(image.height, height)))

        colours = np.asarray(image, dtype=np.float32) / np.float32(255)
        colours[..., :3] *= colours[..., 3:]  # premultiplied by alpha
        return _Layer(max(left, 0), top, colours)


def _letter_size(edge: int) -> int:
    """Return the size of letters in a picture with this shorter edge, [pixels]."""
    size = min(max(_LETTER_SHARE * edge, _MIN_LETTERS), _MAX_LETTER_SHARE * edge)
    return max(round(size), 2)


def _drawn(caption: Caption, letter_size: int, max_width: float) -> Image.Image:
    """Draw a caption on a rounded background, as an RGBA image of just its size.

    Args:
        caption: the text, and the title above it, if any.
        letter_size: height of the letters, [pixels]; long texts have smaller ones.
        max_width: the greatest width of the picture, [pixels].
    """
    padding = max(round(0.5 * letter_size), 1)  # around the text
    gap = max(round(0.1 * letter_size), 1)  # by which lit boxes are higher than the text

    # The part of the text that is shown, and the title above it, cut if it is too long.
    page = _Page.fitting(caption, letter_size, max_width - 2 * padding)
    title = _TextRow(round(_TITLE_SHARE * letter_size))
    name = title.shortened(caption.title, max_width - 2 * padding)
    row = page.row
    width = round(max(row.width(page.text), title.width(name)) + 2 * padding)
    top = padding // 2 + gap + (title.height if name else 0)
    bottom = top + row.height

    # The ground, and the title on it.
    image = Image.new("RGBA", (width, bottom + gap + padding // 2), (*_GROUND[:3], 0))
    _fill(image, (0, 0, width, image.height), radius=letter_size // 3, colour=_GROUND)
    title.draw(image, name, (width - title.width(name)) / 2, padding // 2, colour=_MUTED)

    # Bright boxes behind the throws of the present beat, and then all of the text over them.
    left = (width - row.width(page.text)) / 2

    def left_of(character: int) -> float:
        """Return the left edge of a character of the text, by its index, [pixels]."""
        return left + row.width(page.text[:character])

    for start, end in page.lit:
        box = left_of(start), top - gap, left_of(end), bottom + gap
        _fill(image, box, radius=2 * gap, colour=_LIT)
    for start, end, is_lit in spans_with_lit(page.lit, len(page.text)):
        colour = _ON_LIT if is_lit else _INK
        row.draw(image, page.text[start:end], left_of(start), top, colour=colour)
    return image


def _fill(
    image: Image.Image, box: tuple[float, ...], radius: int, colour: tuple[int, int, int, int]
) -> None:
    """Fill a box with round corners and smooth edges, replacing the image there.

    Args:
        image: RGBA, changed in place.
        box: left, top, right and bottom, not always whole, [pixels].
        radius: radius of the corners, [pixels].
        colour: RGBA.
    """
    left, top, right, bottom = box
    # The whole pixels that the box touches.
    pixel_left = int(left)
    pixel_top = int(top)
    size = width, height = int(right + 1) - pixel_left, int(bottom + 1) - pixel_top

    # The mask is drawn `finer` times as large and averaged, which makes edges smooth. For Pillow
    # the last row and column belong to a box, so 1 is subtracted.
    finer = _SUPERSAMPLING
    mask = Image.new("L", (width * finer, height * finer))
    corners = [
        finer * (left - pixel_left),
        finer * (top - pixel_top),
        finer * (right - pixel_left) - 1,
        finer * (bottom - pixel_top) - 1,
    ]
    opacity = colour[3]
    ImageDraw.Draw(mask).rounded_rectangle(corners, finer * radius, opacity)
    mask = mask.resize(size, Image.Resampling.BOX)
    image.paste(colour[:3] + (255,), (pixel_left, pixel_top), mask)


_font = lru_cache(maxsize=32)(bold_font)


@dataclass(frozen=True)
class _TextRow:
    """Letters of one size in a row.

    Args:
        size: [pixels].
        spacing: more space between letters than usual, as a share of the size.
    """

    size: int
    spacing: float = 0.0

    @property
    def font(self) -> ImageFont.FreeTypeFont:
        return _font(max(self.size, 1))

    @property
    def height(self) -> int:
        return sum(self.font.getmetrics())

    def width(self, text: str) -> float:
        if not self.spacing:
            return self.font.getlength(text)
        return sum(map(self.font.getlength, text)) + self.spacing * self.size * len(text)

    def shortened(self, text: str, max_width: float) -> str:
        """Return a text that is at most `max_width` [pixels] wide, cut with … where it is too long.

        At the least it is … alone, even where that does not fit.
        """
        if self.width(text) <= max_width:
            return text
        while text and self.width(f"{text}…") > max_width:
            text = text[:-1].rstrip()
        return f"{text}…"

    def draw(
        self,
        image: Image.Image,
        text: str,
        left: float,
        top: float,
        colour: tuple[int, int, int, int],
    ) -> None:
        """Draw a text, letter by letter where they are spaced out.

        Args:
            image: RGBA, changed in place.
            text: text of one line.
            left, top: upper left corner of the text, [pixels].
            colour: RGBA.
        """
        draw = ImageDraw.Draw(image)
        if not self.spacing:
            draw.text((left, top), text, colour, self.font)
            return
        # Half of the space is on each side of a letter; `width` has all of it.
        for letter in text:
            draw.text((left + self.spacing * self.size / 2, top), letter, colour, self.font)
            left += self.width(letter)


@dataclass(frozen=True)
class _Page:
    """The part of a text that is shown.

    Args:
        row: size and spacing of its letters.
        text: the part, with an ellipsis at each end where more of the whole text is.
        lit: spans of this text that are lit, end excluded.
    """

    row: _TextRow
    text: str
    lit: list[Span]

    @classmethod
    def fitting(cls, caption: Caption, letter_size: int, max_width: float) -> _Page:
        """Return a page: the whole text, or the part with its first highlighted span.

        The letter size is reduced until the whole text fits, down to a readable size; if it still
        does not fit, a part of it is shown at that size.

        Args:
            caption: the whole text with its highlighted (lit) spans.
            letter_size: the greatest letter size, [pixels].
            max_width: greatest width of the page, [pixels].
        """
        spacing = _LETTER_SPACING if caption.is_throws else 0.0
        row = _TextRow(letter_size, spacing)
        smallest = max(round(_LONG_TEXT_SHARE * letter_size), min(letter_size, _READABLE))
        while row.width(caption.text) > max_width and row.size > smallest:
            row = _TextRow(row.size - 1, spacing)
        # Start and end of the page in the text; ellipses stand for the text before and after.
        page_start, page_end = cls._span(row, caption, max_width)
        before = "…" if page_start else ""
        after = "…" if page_end < len(caption.text) else ""
        text = before + caption.text[page_start:page_end] + after

        # Clip the lit spans to the page, drop those outside, which become empty, and shift the
        # others from indices in the caption to those in the page's text.
        shift = len(before) - page_start
        clipped = [(max(start, page_start), min(end, page_end)) for start, end in caption.lit]
        lit = [(start + shift, end + shift) for start, end in clipped if start < end]
        return cls(row, text, lit)

    @staticmethod
    def _span(row: _TextRow, caption: Caption, max_width: float) -> Span:
        """Return start and end of the page with the first lit character, or of the first page.

        A text that is too wide for the picture is shown page by page. The characters of the throws
        that are made now are lit. Pages divide the text from its start, so that they do not change
        while the lit span moves.

        Args:
            row: measures texts.
            caption: the whole text.
            max_width: greatest width of a page with its ellipses, [pixels].

        Returns:
            Indices of characters, end excluded.
        """
        text = caption.text
        first_lit = caption.lit[0][0] if caption.lit else 0
        # Pages are filled one after another, until one contains the first lit character.
        start = 0
        while True:
            ellipsis_width = row.width("…") if start else 0.0
            if row.width(text[start:]) + ellipsis_width <= max_width:
                return start, len(text)
            # The page takes as many characters as fit with an ellipsis behind them, at least one.
            end = start + 1
            while (
                end < len(text)
                and row.width(text[start : end + 1] + "…") + ellipsis_width <= max_width
            ):
                end += 1
            # A page ends between words, unless its last word is longer than half of it.
            space = text.rfind(" ", start, end)
            if space > (start + end) // 2:
                end = space + 1
            if first_lit < end or end == len(text):
                return start, end
            start = end


def _lay_over(picture: Pixels, colours: Singles) -> None:
    """Lay premultiplied colours over a part of a picture, in place (Porter and Duff's "over").

    Args:
        picture: shape (height, width, 3; 4 with straight alpha), of whole numbers up to the
            greatest of their type.
        colours: RGBA from 0 to 1, shape (height, width, 4).
    """
    max_value = np.float32(np.iinfo(picture.dtype).max)
    below = picture.astype(np.float32) / max_value
    alpha = colours[..., 3:]
    if picture.shape[2] == 3:  # opaque
        mixed = colours[..., :3] + below * (1 - alpha)
    else:
        alpha_below = below[..., 3:] * (1 - alpha)
        alpha_mixed = alpha + alpha_below
        premultiplied = colours[..., :3] + below[..., :3] * alpha_below
        # Back to straight alpha; where all is transparent, the colour does not matter.
        mixed = np.concatenate([premultiplied / np.maximum(alpha_mixed, 1e-6), alpha_mixed], axis=2)
    picture[...] = np.rint(np.clip(mixed, 0.0, 1.0) * max_value)
