"""GIF: one palette for all frames, and delays in whole hundredths of a second whose sum is right.

The palette holds the 255 colours that suit all frames best, or 63 in a draft; one entry is left for
transparency.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.drawn_frames import DrawnFrames
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import AddFrame, Quality, WriteOptions
from juggle_anim.exporter.video import frame_ticks
from juggle_anim.metadata.images import add_gif_comment

if TYPE_CHECKING:
    import av
    import av.filter


CENTISECOND = Fraction(1, 100)
"""The tick of GIF's clock, [s]."""

_PALETTE_FRAMES = 8
_LARGEST_KEPT = 2_000_000  # pixels of frames that are kept from then on until they are written
# transparency among them
_COLOURS = 256
_DRAFT_COLOURS = 64
_VIVID_SPREAD = 70  # least difference between the strongest and the weakest of red, green and blue
_VIVID_COPIES = 16
_PALETTE_ROW = 1024


@contextlib.contextmanager
def gif(
    frames: DrawnFrames, partial: Path, options: WriteOptions, metadata: str
) -> Iterator[AddFrame]:
    """Open a GIF that players repeat endlessly."""
    import av

    request = frames.request
    times = frame_ticks(request, CENTISECOND.denominator).tolist()
    mapper = _PaletteMapper(request, palette_of(frames, options.quality), options.dither)
    container_options = {"loop": "0", "final_delay": str(times[-1] - times[-2])}
    with av.open(str(partial), "w", format="gif", options=container_options) as container:
        # Only the changed part of a frame is written.
        stream = container.add_stream(
            "gif", rate=100, options={"gifflags": "+offsetting+transdiff"}
        )
        stream.width, stream.height = request.size
        stream.pix_fmt = "pal8"
        stream.codec_context.time_base = CENTISECOND
        coming = iter(times)

        def add(image: Bytes) -> None:
            container.mux(stream.encode(mapper.mapped(image, next(coming))))

        yield add
        container.mux(stream.encode(None))
    add_gif_comment(partial, metadata)


class _PaletteMapper:
    """Maps frames to the colours of a palette."""

    def __init__(self, request: FrameRequest, palette: av.VideoFrame, dither: bool) -> None:
        import av
        import av.filter

        self._pixels = pixel_format(request)
        # FFmpeg's filters don't keep their graph alive, so it is kept here.
        self._graph = graph = av.filter.Graph()
        self._source = add_source(graph, request.size, self._pixels)
        colours = add_source(graph, (palette.width, palette.height), palette.format.name)
        use = graph.add("paletteuse", f"dither={'sierra2_4a' if dither else 'none'}")
        self._sink = graph.add("buffersink")
        self._source.link_to(use, 0, 0)
        colours.link_to(use, 0, 1)
        use.link_to(self._sink)
        graph.configure()
        palette.pts = 0
        colours.push(palette)
        colours.push(None)

    def mapped(self, image: Bytes, time: int) -> av.VideoFrame:
        """The frame shown from `time` [cs] on, with a palette index for each pixel."""
        import av

        frame = av.VideoFrame.from_ndarray(image, format=self._pixels)
        frame.pts = time
        frame.time_base = CENTISECOND
        self._source.push(frame)
        mapped = self._sink.pull()
        assert isinstance(mapped, av.VideoFrame)
        mapped.pts = time
        mapped.time_base = CENTISECOND
        return mapped


def palette_of(frames: DrawnFrames, quality: str = Quality.GOOD) -> av.VideoFrame:
    """The palette of an export, from every other pixel along both edges of a few frames; smaller in
    a draft.
    """
    request = frames.request
    numbers = np.unique(
        np.linspace(0, request.frames, _PALETTE_FRAMES, endpoint=False).astype(int)
    ).tolist()
    width, height = request.size
    if width * height <= _LARGEST_KEPT:
        images = [image[::2, ::2] for image in frames.sample(numbers)]
    else:
        halved = replace(request, size=(width // 2, height // 2))
        images = list(DrawnFrames(halved).images(numbers))
    colours = _DRAFT_COLOURS if quality == Quality.DRAFT else _COLOURS
    return _generate_palette(weighted_pixels(images), pixel_format(request), colours)


def weighted_pixels(images: Iterable[Bytes]) -> Bytes:
    """All pixels of some pictures in one picture, with vivid pixels repeated.

    Props are small but draw the eye; by area alone they would get hardly any colours.
    """
    pixels = np.concatenate([image.reshape(-1, image.shape[2]) for image in images])
    red, green, blue = np.ascontiguousarray(pixels[:, :3].T)
    strongest = np.maximum(np.maximum(red, green), blue)
    weakest = np.minimum(np.minimum(red, green), blue)
    vivid = pixels[strongest - weakest > _VIVID_SPREAD]
    every = np.concatenate([pixels, *[vivid] * _VIVID_COPIES])
    # The first pixels fill the rest of the last row.
    return np.resize(every, (-(-len(every) // _PALETTE_ROW), _PALETTE_ROW, every.shape[1]))


def pixel_format(request: FrameRequest) -> str:
    """FFmpeg's name of the pixel format."""
    return "rgba" if request.transparent else "rgb24"


def add_source(
    graph: av.filter.Graph, size: tuple[int, int], pixels: str
) -> av.filter.FilterContext:
    """Add the input of a filter graph, for pictures of one size and pixel format."""
    from av import VideoFormat

    width, height = size
    video_format = VideoFormat(pixels, width, height)
    return graph.add_buffer(width=width, height=height, format=video_format, time_base=CENTISECOND)


def _generate_palette(image: Bytes, pixels: str, colours: int) -> av.VideoFrame:
    import av
    import av.filter

    graph = av.filter.Graph()
    source = add_source(graph, (image.shape[1], image.shape[0]), pixels)
    generate = graph.add("palettegen", f"reserve_transparent=1:max_colors={colours}")
    sink = graph.add("buffersink")
    source.link_to(generate)
    generate.link_to(sink)
    graph.configure()
    source.push(av.VideoFrame.from_ndarray(image, format=pixels))
    source.push(None)
    palette = sink.pull()
    assert isinstance(palette, av.VideoFrame)
    return palette
