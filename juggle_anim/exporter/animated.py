"""Animated pictures, which players repeat endlessly: GIF, WebP and APNG.

GIF has one palette for all frames, and delays in whole hundredths of a second whose sum is right.
The palette holds the 255 colours that suit all frames best, or 63 in a draft; one entry is left for
transparency.

WebP is small, with alpha, and shown by every browser (WebP container specification). The library
holds all frames of an animation until it is complete, so a long animation is joined from short
ones.

APNG has no loss (PNG specification, third edition, 11.3.6).
"""

from __future__ import annotations

import contextlib
import io
import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from juggle_anim.arrays import Bytes, Size
from juggle_anim.exporter.options import AddFrame, Quality, WriteOptions
from juggle_anim.exporter.stills import DrawnFrames, png_chunk, png_header, png_pixels, webp
from juggle_anim.exporter.video import frame_ticks
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.metadata.images import (
    PNG_SIGNATURE,
    PNG_TEXT_CHUNK,
    add_gif_comment,
    exif,
    png_text_content,
)

if TYPE_CHECKING:
    import av
    import av.filter


CENTISECOND = Fraction(1, 100)
"""The tick of GIF's clock, [s]."""

_PALETTE_FRAMES = 8  # from which the palette is made
_MAX_SAMPLED_PIXELS = 2_000_000  # of a frame that is kept until it is written
_COLOURS = 256  # of a palette, transparency among them
_DRAFT_COLOURS = 64
_VIVID_SPREAD = 70  # least difference between the strongest and the weakest of red, green and blue
_VIVID_COPIES = 16  # of a vivid pixel, among those from which the palette is made
_PALETTE_ROW = 1024  # pixels of a row of the picture that holds all of these


@contextlib.contextmanager
def gif(
    frames: DrawnFrames, draft: Path, options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    """Open a new GIF for writing, which players repeat endlessly.

    Args:
        frames: frames of the film; a few of them are drawn first, from which the palette is made.
        draft: the file to write.
        options: how to write.
        metadata: text that the file carries as a comment, in ASCII.

    Yields:
        A function that adds the next frame; the file is complete when the context ends.
    """
    # Imported only when a film is written, as FFmpeg takes long to load.
    import av

    request = frames.request
    # Start times of the frames, and the end of the last one, in ticks of 1/100 s.
    times_cs = frame_ticks(request, CENTISECOND.denominator).tolist()
    mapper = _PaletteMapper(request, palette_of(frames, options.quality), dither=options.dither)
    # A loop count of 0 means endless. FFmpeg takes the delay of a frame from the start of the next
    # one, which the last frame lacks, so its delay is given.
    container_options = {"loop": "0", "final_delay": str(times_cs[-1] - times_cs[-2])}
    with av.open(str(draft), "w", format="gif", options=container_options) as container:
        # With these flags only the rectangle that changes is written, with unchanged pixels
        # transparent.
        stream = container.add_stream(
            "gif", rate=100, options={"gifflags": "+offsetting+transdiff"}
        )
        stream.width, stream.height = request.size
        stream.pix_fmt = "pal8"
        stream.codec_context.time_base = CENTISECOND
        start_times_cs = iter(times_cs)

        def add(image: Bytes) -> None:
            container.mux(stream.encode(mapper.mapped(image, next(start_times_cs))))

        yield add
        container.mux(stream.encode(None))  # flush the encoder
    add_gif_comment(draft, metadata)


class _PaletteMapper:
    """Maps frames to the colours of a palette."""

    def __init__(self, request: FrameRequest, palette: av.VideoFrame, *, dither: bool) -> None:
        """Build FFmpeg's filter graph, which maps the colours of frames to those of a palette.

        Args:
            request: the frames, with their size and transparency.
            palette: the palette of all frames.
            dither: whether colours between those of the palette are mixed pixel by pixel.
        """
        import av
        import av.filter

        self._pixel_format = pixel_format(request)
        # Filters do not keep their graph in memory, so it is an attribute.
        self._graph = av.filter.Graph()
        graph = self._graph
        self._source = add_source(graph, request.size, self._pixel_format)
        palette_source = add_source(graph, (palette.width, palette.height), palette.format.name)
        mapping = graph.add("paletteuse", f"dither={'sierra2_4a' if dither else 'none'}")
        self._sink = graph.add("buffersink")
        self._source.link_to(mapping, 0, 0)
        palette_source.link_to(mapping, 0, 1)
        mapping.link_to(self._sink)
        graph.configure()

        # The palette is the same for all frames, so it is pushed once, and its input is ended.
        palette.pts = 0
        palette_source.push(palette)
        palette_source.push(None)

    def mapped(self, image: Bytes, time_cs: int) -> av.VideoFrame:
        """Return a frame with a palette index for each pixel.

        Args:
            image: shape (height, width, 3; 4 with alpha), bytes.
            time_cs: time from which on the frame is shown, [cs].
        """
        import av

        frame = av.VideoFrame.from_ndarray(image, format=self._pixel_format)
        frame.pts = time_cs
        frame.time_base = CENTISECOND
        # FFmpeg's filter graph maps colours to the palette: a frame goes in, another comes out.
        self._source.push(frame)
        mapped = self._sink.pull()
        assert isinstance(mapped, av.VideoFrame)
        mapped.pts = time_cs
        mapped.time_base = CENTISECOND
        return mapped


def palette_of(frames: DrawnFrames, quality: str = Quality.GOOD) -> av.VideoFrame:
    """Return the palette of a GIF, which has fewer colours in a draft.

    It is made from a few frames, evenly spread over the film, with half the width and height.

    Args:
        frames: frames of the film; those that are drawn here may be kept in them until they are
            written.
        quality: a value of `Quality`.

    Returns:
        A picture of 16 × 16 pixels, one for each colour, as FFmpeg has palettes.
    """
    request = frames.request
    # If the film has fewer frames than that, some would occur twice, so they are made distinct.
    frame_numbers = np.unique(
        np.linspace(0, request.frames, _PALETTE_FRAMES, endpoint=False).astype(int)
    ).tolist()
    width, height = request.size
    if width * height <= _MAX_SAMPLED_PIXELS:
        # Frames of this size are drawn in full and kept in memory, so that they need not be drawn
        # again when they are written. Every second row and column gives half the size.
        images = [image[::2, ::2] for image in frames.sample(frame_numbers)]
    else:
        # Larger ones would take too much memory, so they are drawn at half the size.
        halved = replace(request, size=(width // 2, height // 2))
        images = list(DrawnFrames(halved).images(frame_numbers))
    colours = _DRAFT_COLOURS if quality == Quality.DRAFT else _COLOURS
    return _generate_palette(
        weighted_pixels(images), format_name=pixel_format(request), colour_count=colours
    )


def weighted_pixels(images: Iterable[Bytes]) -> Bytes:
    """Return all pixels of several pictures in one picture, with vivid pixels repeated.

    The colours of a palette are distributed by numbers of pixels. Props are small but draw the eye;
    by area alone they would get hardly any colours.

    Args:
        images: bytes, each shape (height, width, 3 or 4), all with the same number of channels; at
            least one.

    Returns:
        Shape (rows, `_PALETTE_ROW`, 3 or 4), pixels in no particular order.
    """
    pixels = np.concatenate([image.reshape(-1, image.shape[2]) for image in images])
    red, green, blue = np.ascontiguousarray(pixels[:, :3].T)
    strongest = np.maximum(np.maximum(red, green), blue)
    weakest = np.minimum(np.minimum(red, green), blue)
    vivid = pixels[strongest - weakest > _VIVID_SPREAD]
    weighted = np.concatenate([pixels, *[vivid] * _VIVID_COPIES])
    # The number of rows, a / b rounded up; `np.resize` fills the last row with the first pixels.
    rows = -(-len(weighted) // _PALETTE_ROW)
    return np.resize(weighted, (rows, _PALETTE_ROW, weighted.shape[1]))


def pixel_format(request: FrameRequest) -> str:
    """Return FFmpeg's name of the pixel format."""
    return "rgba" if request.transparent else "rgb24"


def add_source(graph: av.filter.Graph, size: Size, format_name: str) -> av.filter.FilterContext:
    """Add the input of a filter graph, for pictures of one size and pixel format."""
    from av import VideoFormat

    width, height = size
    video_format = VideoFormat(format_name, width, height)
    return graph.add_buffer(width=width, height=height, format=video_format, time_base=CENTISECOND)


def _generate_palette(image: Bytes, format_name: str, colour_count: int) -> av.VideoFrame:
    """Return the palette that FFmpeg makes for a picture, as a picture of its own.

    Args:
        image: shape (height, width, 3 or 4).
        format_name: FFmpeg's name of its pixel format.
        colour_count: number of colours in the palette, transparency among them.
    """
    import av
    import av.filter

    graph = av.filter.Graph()
    source = add_source(graph, (image.shape[1], image.shape[0]), format_name)
    generate = graph.add("palettegen", f"reserve_transparent=1:max_colors={colour_count}")
    sink = graph.add("buffersink")
    source.link_to(generate)
    generate.link_to(sink)
    graph.configure()
    source.push(av.VideoFrame.from_ndarray(image, format=format_name))
    source.push(None)  # the palette comes at the end of the input
    palette = sink.pull()
    assert isinstance(palette, av.VideoFrame)
    return palette


FRAMES_PER_PART = 256
"""The most frames in one short animation…"""

MAX_PIXELS_PER_PART = 64_000_000
"""…and the most pixels of transparent ones, each of which the library keeps whole."""

_WEBP_TICK = Fraction(1, 1000)

_WEBP_OPTIONS: dict[str, dict[str, str]] = {
    Quality.DRAFT: {"quality": "70", "compression_level": "1"},
    Quality.GOOD: {"quality": "90", "compression_level": "2"},
    Quality.BEST: {"lossless": "1", "compression_level": "4"},
}

# Flags of a WebP file, and of one of its frames.
_HAS_ANIMATION = 0x02
_HAS_ALPHA = 0x10
_HAS_EXIF = 0x08
_REPLACES_CANVAS = 0x02
_CLEARS_CANVAS = 0x01

_DURATION_BYTES = slice(12, 15)  # the duration in a frame's header
_FRAME_HEADER = 16  # bytes before the chunks of a frame
_FLAGS_POSITION = 20  # position of the flags of VP8X in a file
_LOSSLESS_ALPHA = 0x10  # in the fifth byte of a lossless picture
_IMAGE_CHUNKS = (b"ALPH", b"VP8 ", b"VP8L")


@contextlib.contextmanager
def animated_webp(
    frames: DrawnFrames, draft: Path, options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    """Open an animated WebP that players repeat endlessly.

    The encoder keeps all frames in memory until its file is complete. So a long film is encoded in
    parts, which are joined in one file.

    Args:
        frames: frames of the film.
        draft: the file to write.
        options: how to write.
        metadata: text that the file carries as EXIF, in ASCII.

    Yields:
        A function that adds the next frame; the file is complete when the context ends.
    """
    request = frames.request
    # Start times of the frames, and the end of the last one, [ms].
    times_ms = frame_ticks(request, _WEBP_TICK.denominator).tolist()
    part_length = frames_per_part(request)
    with draft.open("w+b") as file:
        joiner = WebpJoiner(file, request.size)
        frames_added = 0
        part: _Part | None = None

        def end_part() -> None:
            """Append the present part, if there is one, and leave none."""
            nonlocal part
            if part:
                # `times_ms[frames_added]` is the end of the last frame added.
                joiner.add(part.complete(), times_ms[frames_added] - times_ms[part.first_frame])
            part = None

        def add(image: Bytes) -> None:
            """Add the next frame to the present part, and end the part if it is full.

            Without a present part, the frame begins one.
            """
            nonlocal frames_added, part
            delay_ms = times_ms[frames_added + 1] - times_ms[frames_added]
            is_last_of_part = frames_added % part_length == part_length - 1
            if is_last_of_part and request.transparent:
                # An animation assumes that its canvas is clear when it begins. Opaque parts cover
                # the whole canvas, but transparent ones do not. So the last frame of a transparent
                # part is appended as a still, which replaces the canvas and clears it at its end.
                end_part()
                joiner.add(webp(image, options.quality, metadata=""), delay_ms, clears=True)
            else:
                part = part or _Part(request, options, first_frame=frames_added)
                part.add(image, times_ms[frames_added] - times_ms[part.first_frame], delay_ms)
            frames_added += 1
            if is_last_of_part:
                end_part()

        try:
            yield add
            end_part()
        finally:
            # There is a part left only if the export was interrupted.
            if part:
                part.close()
        joiner.close(metadata)


def frames_per_part(request: FrameRequest) -> int:
    """Return the most frames in one short animation.

    The encoder keeps each transparent frame whole, so these are limited by memory as well. They are
    at least two, as the last frame of a transparent part is a still of its own.
    """
    if not request.transparent:
        return FRAMES_PER_PART
    return min(FRAMES_PER_PART, max(2, MAX_PIXELS_PER_PART // (request.size[0] * request.size[1])))


class _Part(contextlib.ExitStack):
    """A short animation in memory, beginning with the frame of number `first_frame`."""

    def __init__(self, request: FrameRequest, options: WriteOptions, first_frame: int) -> None:
        """Open an encoder that writes a part of an animated WebP into memory.

        Args:
            request: the frames of the film.
            options: how to write.
            first_frame: number of the first frame of the part, from 0.
        """
        import av

        super().__init__()
        self.first_frame = first_frame
        self._file = io.BytesIO()
        self._container = self.enter_context(
            av.open(self._file, "w", format="webp", options={"loop": "0"})
        )
        self._stream = self._container.add_stream(
            "libwebp_anim", rate=1000, options=dict(_WEBP_OPTIONS[options.quality])
        )
        self._stream.width, self._stream.height = request.size
        self._stream.pix_fmt = "bgra"
        # A tick is a millisecond, the unit of WebP's durations.
        self._stream.codec_context.time_base = _WEBP_TICK

    def add(self, image: Bytes, time_ms: int, duration_ms: int) -> None:
        """Encode a frame, and add it to the part.

        Args:
            image: shape (height, width, 3; 4 with alpha), bytes.
            time_ms: start of the frame since that of the part, [ms].
            duration_ms: duration of the frame, [ms].
        """
        import av

        frame = av.VideoFrame.from_ndarray(image, format="rgb24" if image.shape[2] == 3 else "rgba")
        frame = frame.reformat(format="bgra", threads=1)
        frame.pts = time_ms
        frame.time_base = _WEBP_TICK
        frame.duration = duration_ms
        self._container.mux(self._stream.encode(frame))

    def complete(self) -> bytes:
        """Finish the animation, and return it as the content of a file."""
        self._container.mux(self._stream.encode(None))
        self.close()
        return self._file.getvalue()


class WebpJoiner:
    """A file to which animations are appended; none of them stays in memory.

    Args:
        file: empty, writable and seekable.
        size: width and height of all frames, [pixels].
    """

    def __init__(self, file: BinaryIO, size: Size) -> None:
        self._file = file
        self._size = size
        self._has_alpha = False
        unknown_size = 0  # until `close` writes it
        file.write(struct.pack("<4sI4s", b"RIFF", unknown_size, b"WEBP"))
        self._add(b"VP8X", struct.pack("<I", _HAS_ANIMATION) + _dimensions(size))
        self._add(b"ANIM", struct.pack("<IH", 0, 0))  # a transparent background, endless loop

    def add(self, content: bytes, duration_ms: int, *, clears: bool = False) -> None:
        """Append an animation.

        Args:
            content: a WebP file of the joiner's size: an animation or a still, which becomes one
                frame that replaces the canvas. The library also makes a still of an animation whose
                frames are all equal.
            duration_ms: duration of all its frames together, [ms]. The library guesses the
                duration of the last frame, so that frame gets the rest instead.
            clears: whether the canvas is cleared after a still; unused for an animation.
        """
        # Frames are chunks ANMF: a header with position, size, duration and flags, in this order,
        # and the chunks of a picture.
        frame_chunks = [chunk for kind, chunk in _chunks(content) if kind == b"ANMF"]
        if not frame_chunks:
            # A still becomes a frame at position (0, 0), whose duration is set below.
            still = b"".join(
                _chunk(kind, chunk) for kind, chunk in _chunks(content) if kind in _IMAGE_CHUNKS
            )
            flags = _REPLACES_CANVAS | (_CLEARS_CANVAS if clears else 0)
            position = bytes(6)
            no_duration = bytes(3)
            header = position + _dimensions(self._size) + no_duration + bytes([flags])
            frame_chunks = [header + still]

        # The last frame gets what the others leave of the duration.
        *earlier, last = frame_chunks
        remaining_ms = duration_ms - sum(
            int.from_bytes(chunk[_DURATION_BYTES], "little") for chunk in earlier
        )
        before_duration = last[: _DURATION_BYTES.start]
        after_duration = last[_DURATION_BYTES.stop :]
        last = before_duration + remaining_ms.to_bytes(3, "little") + after_duration
        for chunk in (*earlier, last):
            self._add(b"ANMF", chunk)
            self._has_alpha |= any(
                _has_alpha(kind, image) for kind, image in _chunks(chunk, _FRAME_HEADER)
            )

    def close(self, metadata: str) -> None:
        """Complete the file: write metadata in ASCII, its size and its flags, known only now."""
        self._add(b"EXIF", exif(metadata).tobytes().removeprefix(b"Exif\0\0"))
        # The end of the file; RIFF counts the bytes behind its signature and size.
        size = self._file.seek(0, 2)
        self._file.seek(4)
        self._file.write(struct.pack("<I", size - 8))
        # Frames of opaque pictures have alpha, too, where they keep pixels of the frame before. A
        # browser that is not told of it shows white there.
        self._file.seek(_FLAGS_POSITION)
        alpha = _HAS_ALPHA if self._has_alpha else 0
        self._file.write(bytes([_HAS_ANIMATION | _HAS_EXIF | alpha]))

    def _add(self, kind: bytes, content: bytes) -> None:
        self._file.write(_chunk(kind, content))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", kind, len(content)) + content + bytes(len(content) % 2)


def _chunks(content: bytes, position: int = 12) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and content of each chunk of a file, from a position on.

    By default that is the first chunk, behind the 12 bytes of RIFF, size and WEBP. A chunk is its
    kind, the length of its content, and the content, padded to an even number of bytes.
    """
    while position < len(content):
        kind, length = struct.unpack_from("<4sI", content, position)
        yield kind, content[position + 8 : position + 8 + length]
        position += 8 + length + length % 2


def _has_alpha(kind: bytes, content: bytes) -> bool:
    """Return whether a chunk of a frame's picture says that it has alpha.

    Beside a lossy picture alpha is a chunk of its own, ALPH. A lossless picture (VP8L) has it in a
    bit of its header, the fifth byte.
    """
    return kind == b"ALPH" or (kind == b"VP8L" and bool(content[4] & _LOSSLESS_ALPHA))


def _dimensions(size: Size) -> bytes:
    return b"".join((edge - 1).to_bytes(3, "little") for edge in size)


# An APNG frame stays on the canvas, and the next replaces the pixels of its rectangle.
_KEEP = 0
_REPLACE = 0

_MAX_DELAY_PART = 65_535  # numerator and denominator of a delay have 16 bits


@contextlib.contextmanager
def apng(
    frames: DrawnFrames, draft: Path, _options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    """Open an APNG that players repeat endlessly.

    Args:
        frames: frames of the film.
        draft: the file to write.
        _options: unused, as nothing is lossy; the signature is that of other videos.
        metadata: text that the file carries, in ASCII.

    Yields:
        A function that adds the next frame; the file is complete when the context ends.
    """
    with draft.open("wb") as file:
        writer = _ApngWriter(file, frames.request, metadata)
        yield writer.add
        file.write(png_chunk(b"IEND", b""))


class _ApngWriter:
    """Writes the frames of an APNG one by one."""

    def __init__(self, file: BinaryIO, request: FrameRequest, metadata: str) -> None:
        self._file = file
        self._metadata = metadata
        self._frame_count = request.frames
        self._delay = Fraction(request.duration / request.frames).limit_denominator(_MAX_DELAY_PART)
        self._next_sequence_number = 0
        self._previous: Bytes | None = None  # the picture before

    def add(self, image: Bytes) -> None:
        """Write the next frame: all of the first one, of others the rectangle that changes.

        Args:
            image: shape (height, width, 3 or 4).
        """
        if self._previous is None:
            self._write_header(image)
            height, width, _channels = image.shape
            self._write_control((0, 0, width, height))
            # The first frame is also the picture of players that know no animation.
            self._file.write(png_chunk(b"IDAT", png_pixels(image)))
        else:
            left, top, width, height = changed_rectangle(self._previous, image)
            self._write_control((left, top, width, height))
            changed = np.ascontiguousarray(image[top : top + height, left : left + width])
            # Later frames are chunks fdAT, which begin with a sequence number. Control chunks have
            # numbers of the same sequence; the first frame has none.
            content = struct.pack(">I", self._take_sequence_number()) + png_pixels(changed)
            self._file.write(png_chunk(b"fdAT", content))
        self._previous = image

    def _write_header(self, image: Bytes) -> None:
        endless = 0  # in place of a number of repeats
        self._file.write(
            PNG_SIGNATURE
            + png_header(image)
            + png_chunk(b"acTL", struct.pack(">II", self._frame_count, endless))
        )
        self._file.write(png_chunk(PNG_TEXT_CHUNK, png_text_content(self._metadata)))

    def _write_control(self, part: tuple[int, int, int, int]) -> None:
        """Write the chunk before a frame, given its left, top, width and height, [pixels]."""
        left, top, width, height = part
        sequence_number = self._take_sequence_number()
        delay = self._delay.numerator, self._delay.denominator
        control = struct.pack(
            ">IIIIIHHBB", sequence_number, width, height, left, top, *delay, _KEEP, _REPLACE
        )
        self._file.write(png_chunk(b"fcTL", control))

    def _take_sequence_number(self) -> int:
        self._next_sequence_number += 1
        return self._next_sequence_number - 1


def changed_rectangle(before: Bytes, image: Bytes) -> tuple[int, int, int, int]:
    """Return the smallest rectangle in which two pictures differ, at least one pixel.

    Args:
        before, image: two images of the same shape (height, width, channels).

    Returns:
        Left, top, width and height, [pixels]; the top left pixel alone where they do not differ.
    """
    differs = (before != image).any(axis=2)
    rows = np.flatnonzero(differs.any(axis=1))
    columns = np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        # The pictures are equal, but no frame of the file may be empty.
        return 0, 0, 1, 1
    left = int(columns[0])
    top = int(rows[0])
    return left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1
