"""GIF: one palette for all pictures, and pauses in whole hundredths of a second whose sum is right.

MERGED: The palette of a GIF: the 255 colours that serve all its pictures best.
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
from juggle_anim.exporter.film import Add, ticks
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.metadata.images import add_gif_comment

if TYPE_CHECKING:
    import av
    import av.filter


CENTISECOND = Fraction(1, 100)
"""The tick of GIF's clock, [s]."""

_SAMPLES = 8

_VIVID = 70  # how much brighter the strongest of red, green and blue is than the weakest

_AGAIN = 16

_WIDTH = 1024


@contextlib.contextmanager
def gif(shots: FrameRequest, draft: Path, manner: WriteOptions, words: str) -> Iterator[Add]:
    """Begin a GIF that players repeat without end."""
    import av

    times = ticks(shots, CENTISECOND.denominator).tolist()
    reducer = _Reducer(shots, palette_of(shots), manner.dither)
    options = {"loop": "0", "final_delay": str(times[-1] - times[-2])}
    with av.open(str(draft), "w", format="gif", options=options) as container:
        # Where little changes, only that is written.
        stream = container.add_stream("gif", rate=100, options={"gifflags": "+offsetting+transdiff"})
        stream.width, stream.height = shots.size
        stream.pix_fmt = "pal8"
        stream.codec_context.time_base = CENTISECOND
        coming = iter(times)

        def add(image: Bytes) -> None:
            container.mux(stream.encode(reducer.reduced(image, next(coming))))

        yield add
        container.mux(stream.encode(None))
    add_gif_comment(draft, words)


class _Reducer:
    """Brings pictures to the colours of a palette."""

    def __init__(self, shots: FrameRequest, palette: av.VideoFrame, dither: bool) -> None:
        import av
        import av.filter

        self._form = pixel_form(shots)
        # FFmpeg's parts of a graph don't keep it alive, so it is kept here.
        self._graph = graph = av.filter.Graph()
        self._source = source_of(graph, shots.size, self._form)
        colours = source_of(graph, (palette.width, palette.height), palette.format.name)
        use = graph.add("paletteuse", f"dither={'sierra2_4a' if dither else 'none'}")
        self._sink = graph.add("buffersink")
        self._source.link_to(use, 0, 0)
        colours.link_to(use, 0, 1)
        use.link_to(self._sink)
        graph.configure()
        palette.pts = 0
        colours.push(palette)
        colours.push(None)

    def reduced(self, image: Bytes, time: int) -> av.VideoFrame:
        """A picture with an index into the palette for each pixel, at a time [cs]."""
        import av

        frame = av.VideoFrame.from_ndarray(image, format=self._form)
        frame.pts, frame.time_base = time, CENTISECOND
        self._source.push(frame)
        reduced = self._sink.pull()
        assert isinstance(reduced, av.VideoFrame)
        reduced.pts, reduced.time_base = time, CENTISECOND
        return reduced


def palette_of(shots: FrameRequest) -> av.VideoFrame:
    """The palette for some shots, from pictures of half their width and height, spread over them.

    One entry of 256 is left for what is transparent.
    """
    some = np.unique(np.linspace(0, shots.frames, _SAMPLES, endpoint=False).astype(int))
    width, height = (max(1, edge // 2) for edge in shots.size)
    small = replace(shots, size=(width, height))
    return _generated(weighed(small.images(some.tolist())), pixel_form(shots))


def weighed(images: Iterable[Bytes]) -> Bytes:
    """All pixels of some pictures in one, the vivid ones again and again.

    Props are small and what one looks at; by their area alone, hardly any colours would be left for them.
    """
    pixels = np.concatenate([image.reshape(-1, image.shape[2]) for image in images])
    red, green, blue = np.ascontiguousarray(pixels[:, :3].T)
    strongest, weakest = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    vivid = pixels[strongest - weakest > _VIVID]
    every = np.concatenate([pixels, *[vivid] * _AGAIN])
    # The rest of the last row is filled with the first pixels.
    return np.resize(every, (-(-len(every) // _WIDTH), _WIDTH, every.shape[1]))


def pixel_form(shots: FrameRequest) -> str:
    """FFmpeg's name for the form of their pixels."""
    return "rgba" if shots.transparent else "rgb24"


def source_of(graph: av.filter.Graph, size: tuple[int, int], form: str) -> av.filter.FilterContext:
    """Where pictures of one size and form go into a graph of filters."""
    from av import VideoFormat

    width, height = size
    pixels = VideoFormat(form, width, height)
    return graph.add_buffer(width=width, height=height, format=pixels, time_base=CENTISECOND)


def _generated(image: Bytes, form: str) -> av.VideoFrame:
    import av
    import av.filter

    graph = av.filter.Graph()
    source = source_of(graph, (image.shape[1], image.shape[0]), form)
    generate = graph.add("palettegen", "reserve_transparent=1")
    sink = graph.add("buffersink")
    source.link_to(generate)
    generate.link_to(sink)
    graph.configure()
    source.push(av.VideoFrame.from_ndarray(image, format=form))
    source.push(None)
    palette = sink.pull()
    assert isinstance(palette, av.VideoFrame)
    return palette
