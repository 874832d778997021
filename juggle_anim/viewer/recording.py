"""Recordings of a window as MP4."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.atomic_file import atomic_file
from juggle_anim.language import _
from juggle_anim.notation import record_of
from juggle_anim.viewer.cards.notice import RecordingMark
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.screenshot import free_path, picture_folder
from juggle_anim.viewer.state.model import Model

if TYPE_CHECKING:
    from juggle_anim.exporter.options import AddFrame


_MARK_INTERVAL = 0.5  # s between two drawings of the mark if nothing moves

RATE = 30
SLOW_RATE = 15
SLOW_PIXELS = 3_000_000
"""Pictures a second, and those of a window of more pixels than the last number."""

_MAX_QUEUED = 3  # pictures; if they are written too slowly, one stands for several


class Recorder:
    """Records a window while the model wants it.

    Args:
        read: returns what the window is about to show, shape (height, width, 3).
    """

    def __init__(self, read: Callable[[], Bytes]) -> None:
        self._read = read
        self._recording: Recording | None = None
        self._ending = False
        self._mark: RecordingMark | None = None
        self._last_mark = 0.0

    @property
    def recording(self) -> Recording | None:
        """The present recording."""
        return None if self._ending else self._recording

    def advance(self, model: Model, size: tuple[int, int]) -> bool:
        """Begin or end a recording as the model wants; call it once a tick.

        A recording that was ended is still written for a while; a new one waits for it.

        Args:
            model: of the viewer; its wish is taken back if nothing can be recorded.
            size: of the window, width and height, [pixels].

        Returns:
            Whether to draw anew: something was begun or ended, or the mark has to blink.
        """
        now = time.perf_counter()
        if self._recording is None:
            return model.screen.recording_wanted and self._begin(model, size, now)
        # The file is complete, or writing it has failed.
        if self._recording.done:
            self._say_outcome(model, self._recording)
            self._recording = None
            self._ending = False
            return True
        if not self._ending and not model.screen.recording_wanted:
            self._recording.end(now)
            self._ending = True
            return True
        # While nothing moves, the mark alone is drawn now and then, with the time in it.
        if now - self._last_mark < _MARK_INTERVAL:
            return False
        self._last_mark = now
        return not self._ending

    def take(self, layout: Layout) -> None:
        """Record what was just drawn, then draw the mark over it."""
        if self.recording is None:
            return
        now = time.perf_counter()
        if self.recording.due(now):
            self.recording.add(self._read(), now)
        if self._mark is None:
            self._mark = RecordingMark()
        self._mark.draw(layout, self.recording.elapsed(now))

    def finish(self) -> None:
        """End at once and wait until the file is complete."""
        if self._recording:
            if not self._ending:
                self._recording.end(time.perf_counter())
            self._recording.wait()
            self._recording = None

    def close(self) -> None:
        """Release what OpenGL holds; the recording goes on."""
        if self._mark:
            self._mark.close()
            self._mark = None

    def _begin(self, model: Model, size: tuple[int, int], now: float) -> bool:
        """Begin a recording in a new file of the pictures folder, or say why there is none.

        Args:
            model: of the viewer.
            size: of the window, width and height, [pixels].
            now: time of the start, [s] of `time.perf_counter`.

        Returns:
            True, as the window has to show either.
        """
        animation = model.animation
        try:
            path = free_path(picture_folder(), animation.title, ".mp4")
        except OSError as error:
            model.screen.recording_wanted = False
            model.notice.say(_("Cannot record: {strerror}", strerror=error.strerror), bad=True)
            return True
        start = model.playback.time / animation.parameters.speed
        self._recording = Recording(animation, path, size, start=start, moment=now)
        return True

    def _say_outcome(self, model: Model, recording: Recording) -> None:
        if recording.trouble:
            model.screen.recording_wanted = model.screen.recording_wanted and self._ending
            model.notice.say(_("Not recorded: {trouble}", trouble=recording.trouble), bad=True)
        else:
            model.notice.say(_("Saved as {path}", path=recording.path))


class Recording:
    """Writes what a window shows to a file, in real time and at an even rate.

    Args:
        animation: shown at the start; the file opens it again.
        path: of the file, which appears when it is complete.
        size: of the window, width and height, [pixels]; pictures of another size are fitted into
            it.
        start: of the animation, in playing time, [s].
        moment: of the start, [s] of any steady clock.
    """

    def __init__(
        self,
        animation: Animation,
        path: Path,
        size: tuple[int, int],
        start: float = 0.0,
        moment: float = 0.0,
    ) -> None:
        """Begin to record, in a thread that writes the file.

        Args:
            animation: shown at the start; the file opens it again.
            path: of the file, which appears when it is complete.
            size: of the window, width and height, [pixels].
            start: of the animation, in playing time, [s].
            moment: of the start, [s] of any steady clock.
        """
        self.path = path
        self.trouble = ""
        """The file, and why there is none."""
        # Videos need even numbers of pixels.
        self.size = max(size[0] // 2 * 2, 2), max(size[1] // 2 * 2, 2)
        self.rate = RATE if size[0] * size[1] <= SLOW_PIXELS else SLOW_RATE
        self._animation = animation
        self._start = start
        self._began = moment
        self._pictures: queue.SimpleQueue[tuple[int, Bytes | None]] = queue.SimpleQueue()
        self._next = 0  # number of the next picture that is needed
        self._thread = threading.Thread(target=self._run, name="recording")
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the file is complete or has failed."""
        return not self._thread.is_alive()

    def elapsed(self, moment: float) -> float:
        """Return the time since the start, [s]."""
        return max(moment - self._began, 0.0)

    def due(self, moment: float) -> bool:
        """Return whether it needs a picture."""
        return self._picture_number(moment) >= self._next and self._pictures.qsize() < _MAX_QUEUED

    def add(self, image: Bytes, moment: float) -> None:
        """Take what is shown, shape (height, width, 3); the array must not be changed later."""
        self._next = self._picture_number(moment) + 1
        self._pictures.put((self._next, image))

    def end(self, moment: float) -> None:
        """Stop; the last picture lasts until then. The file appears a little later."""
        self._pictures.put((max(self._picture_number(moment), self._next, 1), None))

    def wait(self) -> None:
        """Wait until the file is complete or has failed."""
        self._thread.join()

    def _picture_number(self, moment: float) -> int:
        return int(self.elapsed(moment) * self.rate)

    def _run(self) -> None:
        try:
            self._write()
        except Exception as error:  # the animation goes on, and this thread alone can report it
            self.trouble = " ".join(str(error).split()) or type(error).__name__

    def _write(self) -> None:
        """Write the video while pictures come from the window; runs in the recording's thread."""
        # Imported when first used: they load a video library, which is rarely needed and takes a
        # while.
        from juggle_anim.exporter.drawn_frames import DrawnFrames
        from juggle_anim.exporter.frame_request import FrameRequest
        from juggle_anim.exporter.options import DEFAULT_OPTIONS
        from juggle_anim.exporter.video import check_video, open_video
        from juggle_anim.formats import VIDEOS

        request = FrameRequest(self._animation, self.size, self.rate, seconds=1.0)
        check_video(VIDEOS[self.path.suffix], request, DEFAULT_OPTIONS)
        with atomic_file(self.path) as draft:
            draft.touch()  # FFmpeg would report only later that it cannot write there
            picture = {
                "size": list(self.size),
                "fps": self.rate,
                "start": self._start,
                "recorded": True,
            }
            record = record_of(self._animation.score, self._animation.parameters, picture)
            frames = DrawnFrames(request)
            with open_video(
                frames, self.path, draft=draft, options=DEFAULT_OPTIONS, metadata=record.text
            ) as add:
                self._write_pictures(add)

    def _write_pictures(self, add: AddFrame) -> None:
        """Add each picture to the video as often as it was shown, until the recording ends.

        The window draws at any rate, the video has an even one: pictures come with the count of
        video frames up to and with them, and gaps are filled with the picture before.

        Args:
            add: appends a frame to the video.
        """
        written = 0
        last = np.zeros((self.size[1], self.size[0], 3), dtype=np.uint8)
        while True:
            until, picture = self._pictures.get()
            shown = last if picture is None else fit_image(picture, self.size)
            # Frames before the first picture show that one, too.
            if picture is not None and written == 0:
                last = shown
            # The picture before was shown until this one came.
            for _round in range(written, until - (picture is not None)):
                add(last)
            if picture is None:
                return
            add(shown)
            written = until
            last = shown


def fit_image(image: Bytes, size: tuple[int, int]) -> Bytes:
    """Scale a picture to fit into a size, centred, with black beside it.

    Args:
        image: shape (height, width, 3), sRGB.
        size: width and height of the result, both even, [pixels].

    Returns:
        Shape (height, width, 3). A picture of the right size, or one pixel larger as videos need
        even sizes, is only cropped.
    """
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
