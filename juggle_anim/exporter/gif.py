"""GIF: one palette for all pictures, and pauses in whole hundredths of a second whose sum is right."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from juggle_anim.arrays import Bytes
from juggle_anim.embedded.gif_comment import add_gif_comment
from juggle_anim.exporter.clock import ticks
from juggle_anim.exporter.film import Add
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.palette import CENTISECOND, palette_of, pixel_form, source_of
from juggle_anim.exporter.shots import Shots

if TYPE_CHECKING:
    import av


@contextlib.contextmanager
def gif(shots: Shots, draft: Path, manner: Manner, words: str) -> Iterator[Add]:
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

    def __init__(self, shots: Shots, palette: av.VideoFrame, dither: bool) -> None:
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
