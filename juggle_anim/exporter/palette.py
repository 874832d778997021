"""The palette of a GIF: the 255 colours that serve all its pictures best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.exporter.shots import Shots

if TYPE_CHECKING:
    import av
    import av.filter

CENTISECOND = Fraction(1, 100)
"""The tick of GIF's clock, [s]."""


def palette_of(shots: Shots) -> av.VideoFrame:
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


def pixel_form(shots: Shots) -> str:
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


_SAMPLES = 8
_VIVID = 70  # how much brighter the strongest of red, green and blue is than the weakest
_AGAIN = 16
_WIDTH = 1024
