"""Films that are watched at any time: a thread decodes ahead of what is shown, and keeps few
pictures.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ViewerError
from juggle_anim.language import _
from juggle_anim.viewer.footage.film_decoder import FilmDecoder

MEMORY = 64 << 20
"""How much the decoded pictures of a film take at most, [bytes]."""

# pictures that are kept
_FEWEST = 4
_MOST = 48
_JUMP = 1.0  # s; a farther picture is looked for from the key frame before it
_LATE = 0.4  # s behind at which decoding goes on from a later key frame
_STALL = 0.1  # s after which a late picture is shown rather than none
_POLITE = 5  # how far the priority of decoding is below that of pictures
_LARGEST_STEP = math.sqrt(2.0)  # from one size of decoded pictures to the next


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """A picture of a film.

    Args:
        start: when it is shown, [s] since the first picture.
        end: when the next one is shown, [s]; infinite for the last picture.
        pixels: shape (height, width, 4), red, green, blue and alpha, top row first.
    """

    start: float
    end: float
    pixels: Bytes


class Film:
    """A film that can be seen at any time, forward, backward and after jumps.

    Decoding begins at the key frame before a picture. Pictures are made in about the size in which
    they are shown, some of them ahead; the rest of `MEMORY` keeps those before.

    Args:
        path: of a file of any format that FFmpeg reads.

    Raises:
        ViewerError: the file cannot be opened, holds no pictures, or the first is broken.
    """

    def __init__(self, path: Path) -> None:
        self._changed = threading.Condition()
        self._opened: FilmDecoder | ViewerError | None = None
        self._frames: list[FilmFrame] = []
        self._latest: FilmFrame | None = None  # as it was shown, perhaps in another size
        self._time = 0.0
        self._backwards = False
        self._edges = (0, 0)
        self._jumped = self._closed = False
        self._thread = threading.Thread(target=self._run, args=(path,), name="film", daemon=True)
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._opened is not None)
        if isinstance(self._opened, ViewerError):
            raise self._opened
        assert self._opened
        self.size: tuple[int, int] = self._opened.size
        """Width and height, turned and stretched as it is to be shown, [pixels]."""
        self.duration: float = self._opened.duration
        """Of all pictures, [s]."""
        self.interval: float = self._opened.interval
        """The mean time between pictures, [s]."""

    def frame(self, at: float, size: tuple[float, float], wait: float = 0.0) -> FilmFrame | None:
        """Return the picture at a time, or the nearest before it that there is; None before there
        is any.

        Args:
            at: the time, [s].
            size: at which it is shown, width and height, [pixels].
            wait: how long to wait for it, [s].
        """
        with self._changed:
            self._aim(at, decoded_size(self.size, size))
            if wait:
                self._changed.wait_for(lambda: not self._is_decoding, wait)
            if self._frames:
                self._latest = self._frames[max(self._place(at), 0)]
            return self._latest

    @property
    def is_waiting(self) -> bool:
        """Whether the picture that was asked for last is still being decoded, or has come since
        `frame` was called.
        """
        with self._changed:
            if self._covers(self._time):
                return self._latest is not self._frames[self._place(self._time)]
            return self._is_decoding

    @property
    def _is_decoding(self) -> bool:
        return self._thread.is_alive() and not self._covers(self._time)

    @property
    def memory(self) -> int:
        """How much the decoded pictures take now, [bytes]."""
        with self._changed:
            return sum(frame.pixels.nbytes for frame in self._frames)

    def close(self) -> None:
        """End the thread, and let go of the file."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(5.0)
        self._frames = []
        self._latest = None

    def _aim(self, at: float, edges: tuple[int, int]) -> None:
        if edges != self._edges:
            self._frames.clear()
            self._edges = edges
            self._jumped = True
        elif at == self._time:
            return
        self._backwards = at < self._time and self._time - at < _JUMP
        self._jumped |= abs(at - self._time) > _JUMP
        self._time = at
        self._changed.notify_all()

    def _place(self, at: float) -> int:
        """Return the index of the last picture that begins at a time or before, −1 for none."""
        return bisect_right(self._frames, at, key=lambda frame: frame.start) - 1

    def _covers(self, at: float) -> bool:
        place = self._place(at)
        return place >= 0 and at < self._frames[place].end

    @property
    def _room(self) -> int:
        """How many pictures may be kept."""
        each = 4 * max(self._edges[0] * self._edges[1], 1)
        return min(max(MEMORY // each, _FEWEST), _MOST)

    def _missing(self) -> float | None:
        """Return the first time at which a picture is wanted and missing, [s]; None if there are
        enough.
        """
        if not self._edges[0]:
            return None
        if not self._backwards:
            return self._gap(self._time, self._room // 2)
        if not self._covers(self._time):
            low = self._time - self._room // 2 * self.interval
            return self._gap(max(low, 0.0), _MOST, self._time)
        first = place = self._place(self._time)
        while first > 0 and self._frames[first - 1].end == self._frames[first].start:
            first -= 1
        top = self._frames[first].start
        if place - first >= 2 or top <= 0.0:
            return None
        return self._gap(max(top - self._room // 2 * self.interval, 0.0), _MOST, top - 1e-6)

    def _gap(self, at: float, count: int, last: float = math.inf) -> float | None:
        """Return the first missing time of so many pictures from a time on, [s]; None if there is
        none up to `last`.
        """
        for _round in range(count):
            if at > last or at == math.inf:
                return None
            place = self._place(at)
            if place < 0 or at >= self._frames[place].end:
                return at
            at = self._frames[place].end
        return None

    def _run(self, path: Path) -> None:
        """Open the film, and decode what is missing until it is closed."""
        # Threads of the decoder take this over: the animation comes first.
        with contextlib.suppress(AttributeError, OSError):  # elsewhere than on Linux
            thread = os.PRIO_PROCESS, threading.get_native_id()
            os.setpriority(*thread, os.getpriority(*thread) + _POLITE)
        opened: FilmDecoder | ViewerError = ViewerError(
            _("no film can be read from {name}", name=path.name)
        )
        try:
            opened = FilmDecoder(path)
        except ViewerError as error:
            opened = error
        finally:
            with self._changed:
                self._opened = opened
                self._changed.notify_all()
        if isinstance(opened, FilmDecoder):
            with contextlib.closing(opened):
                self._work(opened)

    def _work(self, decoder: FilmDecoder) -> None:
        """Decode what is missing, until the film is closed."""
        shown = 0.0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._missing() is not None)
                missing = self._missing()
                edges = self._edges
                jumped = self._jumped
                self._jumped = False
            if self._closed or missing is None:
                return
            late = missing - decoder.start
            if (
                late < 0
                or (jumped and late > _JUMP)
                or (late > _LATE and decoder.has_key_frame(missing))
            ):
                decoder.seek(missing)
            begun, raw, end = decoder.next()
            now = time.monotonic()
            if end > missing or now - shown > _STALL:
                shown = now
                self._keep(FilmFrame(begun, end, decoder.pixels(raw, edges)), edges)

    def _keep(self, frame: FilmFrame, edges: tuple[int, int]) -> None:
        """Add a picture, and drop those that are farthest from what is shown."""
        with self._changed:
            if edges != self._edges:
                return
            others = [each for each in self._frames if each.start != frame.start]
            self._frames = sorted([*others, frame], key=lambda each: each.start)
            while len(self._frames) > self._room:
                self._frames.remove(max(self._frames, key=self._distance))
            self._changed.notify_all()

    def _distance(self, frame: FilmFrame) -> float:
        """How far a picture is from what is shown, [s]; farther where time leads away from it."""
        ahead = frame.start - self._time
        return abs(ahead) * (3.0 if (ahead < 0) != self._backwards else 1.0)


def decoded_size(film: tuple[int, int], shown: tuple[float, float]) -> tuple[int, int]:
    """Return the size at which pictures of a film are decoded, [pixels]; a few of them fit into
    `MEMORY`.

    Args:
        film: width and height of the film, [pixels].
        shown: width and height at which it is shown, [pixels]; as long as they are not less, it
            goes down by √2.
    """
    least = max(shown[0] / film[0], shown[1] / film[1], 1e-4)
    share = 1.0 / _LARGEST_STEP ** max(math.floor(math.log(1.0 / least, _LARGEST_STEP) + 1e-9), 0)
    while 4 * _FEWEST * film[0] * film[1] * share**2 > MEMORY:
        share /= _LARGEST_STEP
    return max(round(film[0] * share), 1), max(round(film[1] * share), 1)
