"""The recorder: begins and ends recordings of a window, and gives them what it shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from juggle_anim.arrays import Bytes
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.recording import Recording
from juggle_anim.viewer.screen import free_path, picture_folder

if TYPE_CHECKING:
    from juggle_anim.viewer.recording_mark import RecordingMark

_TOLD = 0.5  # s; so often the mark is drawn anew where nothing moves


class Recorder:
    """Records a window whenever the model wants it.

    Args:
        read: gives what the window is about to show, shape (height, width, 3).
    """

    def __init__(self, read: Callable[[], Bytes]) -> None:
        self._read = read
        self._recording: Recording | None = None
        self._ending = False
        self._mark: RecordingMark | None = None
        self._told = 0.0

    @property
    def recording(self) -> Recording | None:
        """What is being recorded now."""
        return None if self._ending else self._recording

    def advance(self, model: Model, size: tuple[int, int]) -> bool:
        """Begin or end as the model wants it; returns whether something is to be drawn anew.

        Args:
            model: of the viewer.
            size: of the window, width and height, [pixels].
        """
        now = time.perf_counter()
        if self._recording is None:
            return model.screen.recording_wanted and self._begin(model, size, now)
        if self._recording.done:
            self._tell(model, self._recording)
            self._recording, self._ending = None, False
            return True
        if not self._ending and not model.screen.recording_wanted:
            self._recording.end(now)
            self._ending = True
            return True
        if now - self._told < _TOLD:
            return False
        self._told = now
        return not self._ending

    def take(self, layout: Layout) -> None:
        """Record what was just drawn, and draw the mark over it that is not recorded."""
        if self.recording is None:
            return
        now = time.perf_counter()
        if self.recording.due(now):
            self.recording.add(self._read(), now)
        self._marked().draw(layout, self.recording.lasts(now))

    def finish(self) -> None:
        """End at once, the file whole."""
        if self._recording:
            if not self._ending:
                self._recording.end(time.perf_counter())
            self._recording.wait()
            self._recording = None

    def close(self) -> None:
        """Give back what OpenGL holds; what is recorded goes on."""
        if self._mark:
            self._mark.close()
            self._mark = None

    def _marked(self) -> RecordingMark:
        if self._mark is None:
            # What draws panels chooses how to load OpenGL by whether there is a window.
            from juggle_anim.viewer.recording_mark import RecordingMark

            self._mark = RecordingMark()
        return self._mark

    def _begin(self, model: Model, size: tuple[int, int], now: float) -> bool:
        animation = model.animation
        try:
            path = free_path(picture_folder(), animation.title, ".mp4")
        except OSError as error:
            model.screen.recording_wanted = False
            model.notice.say(f"Nothing is recorded: {error.strerror}", bad=True)
            return True
        start = model.playback.time / animation.parameters.speed
        self._recording = Recording(animation, path, size, start, now)
        return True

    def _tell(self, model: Model, recording: Recording) -> None:
        if recording.trouble:
            model.screen.recording_wanted = model.screen.recording_wanted and self._ending
            model.notice.say(f"Not recorded: {recording.trouble}", bad=True)
        else:
            model.notice.say(f"Kept as {recording.path}")
