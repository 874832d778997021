"""Moving pictures: all of them in one file, which appears when it is whole."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.film import open_film
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.frames import overlapped
from juggle_anim.exporter.options import DEFAULT_OPTIONS, WriteOptions
from juggle_anim.exporter.resume import claim, provenance
from juggle_anim.exporter.stills import check_edges
from juggle_anim.formats import FILMS, Format


def write_video(
    shots: FrameRequest,
    path: Path,
    force: bool,
    progress: Callable[[int, int], None] | None,
    manner: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the pictures as one file of the kind that its ending names.

    Args:
        shots: what to write.
        path: the file; its folder is made.
        force: whether a file that is there may be replaced.
        progress: called with the number of frames written and of all frames.
        manner: how; when resumed, a file that is there is kept once it has proved to be of this very export.

    Raises:
        ParameterError: this kind of file cannot have such a size, rate, transparency or sound.
        ExportError: the file exists and `force` is not given, it cannot be written, or a codec is missing.
    """
    import av

    film = FILMS[path.suffix.casefold()]
    check_film(film, shots, manner)
    shots = in_time(film, shots)
    words = provenance(shots, manner).text
    if not claim(path, words, force, manner.resume):
        return path
    try:
        with atomic_file(path) as draft, open_film(shots, path, draft, manner, words) as add:
            for done, _ in enumerate(overlapped(add, shots.images()), 1):
                if progress:
                    progress(done, shots.frames)
    except av.error.FFmpegError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror}") from error
    return path


def check_film(film: Format, shots: FrameRequest, manner: WriteOptions) -> None:
    """Refuse what a kind of film cannot show.

    Raises:
        ParameterError: such a size, rate, transparency or sound.
        ExportError: the library that writes videos lacks a codec.
    """
    width, height = shots.size
    check_edges(film, shots.size)
    if film.even and (width % 2 or height % 2):
        raise ParameterError(f"{width}x{height}: a video's width and height must be even")
    if shots.fps > film.fastest:
        raise ParameterError(f"{shots.fps:g} frames a second cannot be: {film.name} shows at most {film.fastest:g}")
    if shots.transparent and not film.alpha:
        kinds = ", ".join(ending for ending, each in FILMS.items() if each.alpha)
        raise ParameterError(f"{film.name} cannot be transparent; {kinds} can")
    if manner.sound and not film.sound:
        kinds = ", ".join(ending for ending, each in FILMS.items() if each.sound)
        raise ParameterError(f"{film.name} cannot have a sound; {kinds} can")
    _check_codecs(film)


def in_time(film: Format, shots: FrameRequest) -> FrameRequest:
    """These shots, with a picture less where rounding made them a little faster than a film's clock goes."""
    most = math.floor(shots.duration * film.fastest + 1e-6)
    if shots.seconds is None and 0 < most < shots.frames:
        return replace(shots, fps=most / shots.duration)
    return shots


def _check_codecs(film: Format) -> None:
    import av

    for codec in film.codecs:
        if codec not in av.codecs_available:
            raise ExportError(f"{film.name} needs the codec {codec}, which this build of PyAV lacks: pip install av")
