"""A recording: pictures that become an MP4 while they come, in a thread of its own."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.notation import record_of
from juggle_anim.whole_file import whole_file

if TYPE_CHECKING:
    from juggle_anim.exporter.film import Add

RATE, SLOWER_RATE, MANY = 30, 15, 3_000_000
"""Pictures a second, and for windows of more pixels than that."""

_WAITING = 3  # pictures at most; where no more can be written in time, one stands for several


class Recording:
    """Writes what a window shows to a file, in real time and at an even rate.

    Args:
        animation: that is shown at its beginning, which the file opens again.
        path: of the file, which appears when it is whole.
        size: of the window, width and height, [pixels]; pictures of another size are fitted into it.
        start: of the animation, [s] as it is played.
        moment: when it begins, [s] of any steady clock.
    """

    def __init__(
        self, animation: Animation, path: Path, size: tuple[int, int], start: float = 0.0, moment: float = 0.0
    ) -> None:
        self.path, self.trouble = path, ""
        """Its file, and why there is none."""
        self.size = max(size[0] // 2 * 2, 2), max(size[1] // 2 * 2, 2)
        self.rate = RATE if size[0] * size[1] <= MANY else SLOWER_RATE
        self._animation, self._start, self._began = animation, start, moment
        self._pictures: queue.SimpleQueue[tuple[int, Bytes | None]] = queue.SimpleQueue()
        self._next = 0
        self._thread = threading.Thread(target=self._run, name="recording")
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the file is whole, or given up."""
        return not self._thread.is_alive()

    def lasts(self, moment: float) -> float:
        """How long it has been going on, [s]."""
        return max(moment - self._began, 0.0)

    def due(self, moment: float) -> bool:
        """Whether it wants a picture."""
        return self._number(moment) >= self._next and self._pictures.qsize() < _WAITING

    def add(self, image: Bytes, moment: float) -> None:
        """Take what is shown, shape (height, width, 3); nobody may change it later."""
        self._next = self._number(moment) + 1
        self._pictures.put((self._next, image))

    def end(self, moment: float) -> None:
        """Stop; the last picture lasts until then. The file appears a little later."""
        self._pictures.put((max(self._number(moment), self._next, 1), None))

    def wait(self) -> None:
        """Wait until the file is there, or given up."""
        self._thread.join()

    def _number(self, moment: float) -> int:
        return int(self.lasts(moment) * self.rate)

    def _run(self) -> None:
        try:
            self._write()
        except Exception as error:  # whatever it is, the animation goes on, and nobody else would tell
            self.trouble = " ".join(str(error).split()) or type(error).__name__

    def _write(self) -> None:
        # They bring a library of videos, which few want, and which takes a while to load.
        from juggle_anim.exporter.film import open_film
        from juggle_anim.exporter.manner import PLAIN
        from juggle_anim.exporter.shots import Shots
        from juggle_anim.exporter.video import check_film
        from juggle_anim.formats import FILMS

        shots = Shots(self._animation, self.size, self.rate, seconds=1.0)
        check_film(FILMS[self.path.suffix], shots, PLAIN)
        with whole_file(self.path) as draft:
            draft.touch()  # FFmpeg would tell only later that it cannot write there
            with open_film(shots, self.path, draft, PLAIN, self._words) as add:
                self._write_pictures(add)

    @property
    def _words(self) -> str:
        animation = self._animation
        picture = {"size": list(self.size), "fps": self.rate, "start": self._start, "recorded": True}
        return record_of(animation.score, animation.parameters, picture).text

    def _write_pictures(self, add: Add) -> None:
        written, last = 0, np.zeros((self.size[1], self.size[0], 3), dtype=np.uint8)
        while True:
            until, picture = self._pictures.get()
            shown = last if picture is None else fitted(picture, self.size)
            if picture is not None and written == 0:
                last = shown
            # What was shown before stood until this picture came.
            for _ in range(written, until - (picture is not None)):
                add(last)
            if picture is None:
                return
            add(shown)
            written, last = until, shown


def fitted(image: Bytes, size: tuple[int, int]) -> Bytes:
    """A picture in another size, as large as it can be seen whole, with black beside it."""
    height, width = image.shape[:2]
    if (width - width % 2, height - height % 2) == size:
        return np.ascontiguousarray(image[: size[1], : size[0]])
    from PIL import Image

    scale = min(size[0] / width, size[1] / height)
    inner = max(round(width * scale), 1), max(round(height * scale), 1)
    whole = Image.new("RGB", size)
    small = Image.fromarray(image).resize(inner, Image.Resampling.BILINEAR)
    whole.paste(small, ((size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2))
    return np.array(whole)
