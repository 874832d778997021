"""Decoding of films: pictures one after another, and jumps to key frames."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ViewerError
from juggle_anim.language import _

_MARGINS = 0.0, 1.0, 10.0  # s; a key frame may be shown later than its place in the file says
_MOST_THREADS = 4
_USUAL_RATE = 25.0  # pictures/s, where a file says nothing


class FilmDecoder:
    """Decodes the pictures of a file one after another; each ends where the next one begins.

    Times count from the first picture, [s].
    """

    def __init__(self, path: Path) -> None:
        import av
        from av.video.reformatter import VideoReformatter

        self._path, self._scaler = path, VideoReformatter()
        self._errors = av.error.FFmpegError, OSError, ValueError, EOFError
        self._origin = 0.0
        self._pictures: Iterator[Any] = iter(())
        self.start = 0.0
        """When the next picture to be returned begins, [s]."""
        try:
            self._open()
            raw = next(self._pictures, None)
        except self._errors as error:
            reason = (
                getattr(error, "strerror", None)
                or " ".join(str(error).split())
                or type(error).__name__
            )
            raise ViewerError(
                _("no film can be read from {name}: {reason}", name=path.name, reason=reason)
            ) from error
        if raw is None:
            self.close()
            raise ViewerError(
                _("no picture can be read from {name}; a film or a GIF is wanted", name=path.name)
            )
        self._raw = raw
        rate = self._stream.average_rate or self._stream.guessed_rate or _USUAL_RATE
        self.interval = 1.0 / float(rate)
        self._origin = self._time(raw)
        self._turns = round(raw.rotation / 90) % 4
        aspect = float(self._stream.sample_aspect_ratio or 1)
        wide = max(round(raw.width * aspect), 1)
        high = raw.height
        self.size = (high, wide) if self._turns % 2 else (wide, high)
        self.duration = max(self._duration(), self.interval)

    def next(self) -> tuple[float, Any, float]:
        """Return when the next picture begins, the picture, and when it ends; the last one again at
        the end.
        """
        begun = self.start
        raw = self._raw
        for picture in self._pictures:
            at = self._time(picture)
            if at > begun:
                self.start = at
                self._raw = picture
                return begun, raw, at
        return begun, raw, math.inf

    def seek(self, at: float) -> None:
        """Go to a key frame at a time or before, [s]; to the first picture where none is found."""
        first = None
        with contextlib.suppress(*self._errors):
            for margin in _MARGINS:
                self._container.seek(self._stamp(at - margin), stream=self._stream)
                self._pictures = self._decode()
                first = next(self._pictures, None)
                if first is None or self._time(first) <= at:
                    break
        if first is None or self._time(first) > at:
            first = self._restart()
        if first is not None:
            self.start = max(self._time(first), 0.0)
            self._raw = first

    def has_key_frame(self, until: float) -> bool:
        """Whether the file is known to have a key frame between the next picture and a time,
        [s].
        """
        entries = self._stream.index_entries
        place = entries.search_timestamp(self._stamp(until))
        return bool(
            place >= 0 and entries[place].timestamp > self._stamp(self.start + self.interval)
        )

    def _stamp(self, at: float) -> int:
        """Return a time, [s], in the units of the file."""
        return int((max(at, 0.0) + self._origin) / self._stream.time_base)

    def pixels(self, raw: Any, edges: tuple[int, int]) -> Bytes:
        """Return a picture in a size, turned as it is to be shown, shape (height, width, 4)."""
        wide, high = edges[::-1] if self._turns % 2 else edges
        try:
            pixels: Any = self._scaler.reformat(
                raw, wide, high, "rgba", interpolation="BILINEAR"
            ).to_ndarray()
        except self._errors:  # of a size or a format that cannot be converted
            pixels = np.zeros((high, wide, 4), dtype=np.uint8)
        return np.ascontiguousarray(np.rot90(pixels, self._turns))

    def close(self) -> None:
        """Let go of the file."""
        self._pictures = iter(())
        self._container.close()

    def _open(self) -> None:
        import av

        # A list of other files must not lead to the network.
        self._container: Any = av.open(str(self._path), options={"protocol_whitelist": "file"})
        covers = av.stream.Disposition.attached_pic
        streams = [
            stream for stream in self._container.streams.video if not stream.disposition & covers
        ]
        if not streams:
            self._pictures = iter(())
            return
        self._stream: Any = streams[0]
        self._stream.thread_type = "AUTO"
        self._stream.codec_context.thread_count = min(os.cpu_count() or 1, _MOST_THREADS)
        self._pictures = self._decode()

    def _restart(self) -> Any:
        """Open the file again, and return its first picture; None if that fails."""
        try:
            self.close()
            self._open()
            return next(self._pictures, None)
        except self._errors:
            self._pictures = iter(())
            return None

    def _decode(self) -> Iterator[Any]:
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets)
            except (
                StopIteration,
                *self._errors,
            ):  # a file that was cut off ends with its last good picture
                return
            # A broken part is left out.
            with contextlib.suppress(*self._errors):
                yield from packet.decode()

    def _time(self, raw: Any) -> float:
        """Return when a decoded picture is shown, [s]; where the file does not say it, after the
        one before.
        """
        stamp = raw.pts if raw.pts is not None else raw.dts
        return (
            self.start + self.interval
            if stamp is None
            else float(stamp * raw.time_base) - self._origin
        )

    def _duration(self) -> float:
        """Return the duration of all pictures, [s], from the head of the file or from all its
        packets.
        """
        if self._stream.duration:
            return float(self._stream.duration * self._stream.time_base)
        if self._container.duration:
            return float(self._container.duration / 1e6)
        import av

        last = 0.0
        with contextlib.suppress(*self._errors), av.open(str(self._path)) as container:
            for packet in container.demux(video=0):
                if packet.pts is not None:
                    last = max(
                        last,
                        float((packet.pts + (packet.duration or 0)) * packet.time_base)
                        - self._origin,
                    )
        return last
