"""Footage: a film that follows the clock of the animation, and marks for tempo and dwell.

Films shown at any time: a thread decodes ahead of what is shown.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ViewerError, counted
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import quantity_named
from juggle_anim.viewer.footage.controls import (
    END,
    IN_STEP,
    LEFT_HAND,
    LOOP,
    MARKS,
    OPACITY,
    PLACE,
    RIGHT_HAND,
    START,
    THROWS,
    FilmClock,
    FilmControls,
    Marks,
    Pace,
    Rhythm,
    marked_beats,
)
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.state.keymap import FOOTAGE, Action, caption
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Purpose, home_path, is_film, local_path

if TYPE_CHECKING:
    from juggle_anim.render.backdrop import FilmLayer
    from juggle_anim.render.framebuffer import Viewport


class FootageView:
    """A film behind, beside or over the animation, and what its card and keys do.

    Args:
        model: model whose clock the film follows, and whose tempo and dwell marks can set.
        library: library whose prompt asks for the path of a film.
    """

    def __init__(self, model: Model, library: LibraryController) -> None:
        """Initialise without a film, and register the opening of films with the library.

        Args:
            model: model whose clock the film follows, and whose tempo and dwell marks can set.
            library: library whose prompt asks for the path of a film.
        """
        self.model = model
        self._library = library
        self.controls = FilmControls(model)
        self.film: Film | None = None
        self.path = Path()
        """Of its file."""
        self.shown_time = math.nan
        """When the picture that was drawn last begins, [s] of the film."""
        self._delay = 0.0  # how late that is, where decoding is slow, [s]
        self.marks = Marks()
        self._layer: FilmLayer | None = None
        self.clock = FilmClock(model, self.controls)
        library.open_film = self.open
        library.is_film = is_film

    @property
    def place(self) -> str:
        """Where the film is, a word of `PLACE`; empty without a film."""
        return str(self.controls.value(PLACE)) if self.film else ""

    @property
    def time(self) -> float:
        """The time of the film that is shown now, [s]."""
        return self.clock.time

    @property
    def is_waiting(self) -> bool:
        """Whether the picture of this time is still being decoded, or is not shown yet."""
        return self.film is not None and self.film.is_waiting

    def pixels(self, size: tuple[float, float]) -> Bytes | None:
        """Return the picture of this time, shape (height, width, 4); None if there is none yet.

        Args:
            size: size at which it is shown, width and height, [pixels].
        """
        frame = self.film.frame(self.time, size) if self.film else None
        self.shown_time = frame.start if frame else math.nan
        self._delay = max(self.time - frame.end, 0.0) if frame else 0.0
        return frame.pixels if frame else None

    def draw(self, layout: Layout, area: Viewport) -> None:
        """Draw the film's present picture into an area of the bound framebuffer.

        Args:
            layout: layout of the area, as if it were the whole window; the film fits into its free
                part, or beside that.
            area: the viewport.
        """
        from juggle_anim.render.backdrop import FilmLayer
        from juggle_anim.render.framebuffer import Viewport

        if self.film is None:
            return
        free = layout.film or layout.free
        # The picture of one eye is narrower than its part of the window.
        if area.width < layout.width and layout.film is None:
            free = replace(free, left=0.0, width=area.width)
        rectangle = self.controls.placed(free, self.film.size)
        pixels = self.pixels(rectangle.size)
        if pixels is not None:
            self._layer = self._layer or FilmLayer()
            # OpenGL counts rows from the lower edge.
            low = round(area.bottom + layout.height - rectangle.bottom)
            size = max(round(rectangle.width), 1), max(round(rectangle.height), 1)
            self._layer.draw(
                pixels,
                Viewport(round(area.left + rectangle.left), low, *size),
                area,
                self.controls.number(OPACITY) / 100.0,
            )

    def open(self, text: str) -> None:
        """Show a film from its beginning, while the pattern goes on; a film before is closed.

        Opens the card of films, and resets their controls.

        Args:
            text: path of the file; ~ is the home folder.

        Raises:
            ViewerError: it is no film that can be read.
        """
        path = home_path(text)
        if not path.is_file():
            raise ViewerError(
                _("{text} is a folder; type the path of a video", text=text)
                if path.exists()
                else _("{text} does not exist; type the path of a video", text=text)
            )
        # It is opened before the film that is there is closed, so that this one stays if the new
        # one cannot be read.
        film = Film(path)
        self.remove()
        self.film = film
        self.path = path
        # The controls get their defaults for so long a film, and its clock starts with the present
        # loop.
        self.controls.begin(film.duration)
        self.clock.begin(film.duration)
        self.controls.entry.cancel()
        self.model.cards.open(FOOTAGE)

    def take_files(self, paths: Sequence[str]) -> bool:
        """Show a film that was dropped on the window; return whether it was one.

        A film that this program exported is left to be opened as its pattern, unless the card of
        films is shown. Errors are shown to the user.

        Args:
            paths: dropped files; more than one are no film.
        """
        path = local_path(paths[0]) if len(paths) == 1 else ""
        if not is_film(path, ours=self.model.cards.panel == FOOTAGE):
            return False
        try:
            self.open(path)
        except ViewerError as error:
            self.model.show_error(error)
        return True

    def remove(self) -> None:
        """Take the film away, and its marks."""
        if self.film:
            self.film.close()
        self.film = None
        self.path = Path()
        self.marks = Marks()
        self.clock.end()

    def close(self) -> None:
        """Release everything; the OpenGL context of the window must be current."""
        self.remove()
        if self._layer:
            self._layer.close()

    def forget_layer(self) -> None:
        """Redraw from now on: OpenGL has lost what was loaded into it."""
        self._layer = None

    def go_to(self, time: float) -> None:
        """Go to a time of the film, [s], and to what the animation does then."""
        if self.film:
            self.clock.go_to(time)

    def synchronize(self) -> None:
        """Keep the film in step with jumps of the animation's clock and changes of its speed."""
        if self.film:
            self.clock.synchronize()

    @property
    def rhythm(self) -> Rhythm | None:
        """The rhythm of the marks; None if there are too few."""
        return self.marks.rhythm(held=self.controls.value(MARKS) != THROWS)

    @property
    def pace(self) -> Pace | None:
        """Return the tempo and the dwell that the marks give; None if there are too few marks.

        Returns:
            The tempo, [beats] per second of the film, and the dwell, [beats], both within the
            ranges of their parameters. If the marks give no dwell, it is the present one.
        """
        rhythm = self.rhythm
        bps = quantity_named("bps")
        dwell = quantity_named("dwell")
        if rhythm is None:
            return None
        _first, beats_per_mark = self._marked_beats
        beat = rhythm.period / beats_per_mark  # s of the film
        dwell_beats = rhythm.hold / beat if rhythm.hold else self.model.animation.parameters.dwell
        tempo = min(max(self.clock.speed / beat, bps.low), bps.high)
        return round(tempo, 4), round(min(max(dwell_beats, dwell.low), dwell.high), 2)

    @property
    def rhythm_text(self) -> str:
        """Return tempo, dwell and deviation that the marks give, in words for the user."""
        pace = self.pace
        rhythm = self.rhythm
        count = len(self.marks.made)
        if pace is None or rhythm is None:
            return (
                _("{marks}; add more to get the tempo", marks=counted(count, "mark"))
                if count
                else _("No marks yet")
            )
        # In [beats/s] and [beats]; `hold` is 0 for marks without a dwell.
        tempo, dwell_beats = pace
        dwell = _(", dwell {pace:.2f}", pace=dwell_beats) if rhythm.hold else ""
        return _(
            "{count} marks: {pace:.2f} beats/s{dwell}, ±{deviation:.0f} ms",
            count=count,
            pace=tempo,
            dwell=dwell,
            deviation=1000 * rhythm.deviation,
        )

    def press(self) -> None:
        """Handle a press of the key of marks."""
        if self._has_film():
            self.marks.press(self.time - self._delay)

    def release(self) -> None:
        """Handle a release of the key of marks."""
        self.marks.release(self.time - self._delay)
        if not self.model.cards.is_visible(FOOTAGE):  # the card would show it
            self.model.notice.say(self.rhythm_text)

    def unmark(self) -> None:
        """Take the last mark away."""
        if self.marks.made:
            self.marks.made.pop()
        else:
            self.model.notice.say(_("No marks to remove"))

    def use(self) -> None:
        """Set the pattern's tempo and dwell to those of the marks, and align throws with the marks.

        This is one undo step. If it is impossible, a notice says why.
        """
        pace = self.pace
        rhythm = self.rhythm
        model = self.model
        if not self._has_film():
            return
        if pace is None or rhythm is None:
            model.notice.say(
                _(
                    "Mark some throws first: press {key} while the video plays",
                    key=caption(Action.MARK_BEAT),
                ),
                bad=True,
            )
            return
        if model.animation.pattern is None:
            model.notice.say(_("Marks cannot change timed events"), bad=True)
            return
        # Synchronize before and after the change, which would look like a jump of the clock.
        self.synchronize()
        # For undo, the pace and start of the film before the change.
        before = self.clock.pace
        start = self.controls.number(START)
        # Seal before and after, so that the change is an undo step of its own.
        tempo, dwell = pace
        model.undo.seal()
        model.change(lambda animation: animation.replace(bps=tempo, dwell=dwell), "film")
        model.undo.seal()
        if model.error:
            model.notice.say(_("Not used: {error}", error=model.error), bad=True)
            return
        self.synchronize()
        # A repeating film stays in step only if it repeats after whole loops.
        if self.controls.value(END) == LOOP:
            self.controls.set_value(END, IN_STEP)
        first_beat, _beats_per_mark = self._marked_beats
        self.clock.align(rhythm, first_beat)
        self.clock.note_use(before, start)
        model.notice.say(
            _(
                "{pace:.2f} beats/s, dwell {pace2:.2f}. {key} to undo",
                pace=tempo,
                pace2=dwell,
                key=caption(Action.UNDO),
            )
        )

    def shift(self) -> None:
        """Let the film run a beat ahead, so that the other hand throws with it."""
        if self._has_film():
            self.clock.shift(1.0 / self.model.animation.choreography.bps)

    @property
    def _marked_beats(self) -> tuple[float, float]:
        """The first beat on which the marked hands throw, and the beats from a mark to the next."""
        marked = self.controls.value(MARKS)
        hands = {LEFT_HAND: (0,), RIGHT_HAND: (1,)}.get(str(marked), (0, 1))
        pattern = self.model.animation.pattern
        return marked_beats(pattern, hands) if pattern else (0.0, 2.0 / len(hands))

    def _has_film(self) -> bool:
        """Return whether there is a film; if not, a notice says how to open one."""
        if self.film is None:
            self.model.notice.say(
                _(
                    "No video yet: drop one here, or press {key} to open one",
                    key=caption(Action.FOOTAGE),
                ),
                bad=True,
            )
        return self.film is not None

    def toggle(self) -> None:
        """Show the card, or hide it; the film stays."""
        self.model.cards.toggle(FOOTAGE)
        self.controls.entry.cancel()

    def take_away(self) -> None:
        """Take the film away, as a key does."""
        if self._has_film():
            self.remove()
            self.model.notice.say(_("Video removed"))

    @property
    def actions(self) -> dict[Action, Callable[[], None]]:
        """What keys do wherever they are pressed."""
        return {
            Action.FOOTAGE: self.toggle,
            Action.REMOVE_FILM: self.take_away,
            Action.MARK_BEAT: self.press,
            Action.UNMARK: self.unmark,
            Action.USE_MARKS: self.use,
            Action.SHIFT_BEAT: self.shift,
        }

    @property
    def card_actions(self) -> dict[Action, Callable[[], None]]:
        """What keys do while its card takes them."""
        ask = partial(self._library.prompt.ask, Purpose.FILM, "")
        return {Action.OPEN_FILE: ask, Action.BACK: self.toggle, **self.controls.actions}


MEMORY = 64 << 20
"""How much the decoded pictures of a film take at most, [bytes]."""

_MIN_FRAMES_KEPT = 4  # pictures
_MAX_FRAMES_KEPT = 48
_SEEK_DISTANCE = 1.0  # s; a farther picture is looked for from the key frame before it
_MAX_DELAY = 0.4  # s behind at which decoding goes on from a later key frame
_MAX_WAIT = 0.1  # s after which a late picture is shown rather than none
_PRIORITY_DROP = 5  # how far the priority of decoding is below that of pictures
_SIZE_STEP = math.sqrt(2.0)  # from one size of decoded pictures to the next
_BEHIND_WEIGHT = 3.0  # of pictures that were shown already, which are dropped first


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
        path: path of a file of any format that FFmpeg reads.

    Raises:
        ViewerError: the file cannot be opened, holds no pictures, or the first is broken.
    """

    def __init__(self, path: Path) -> None:
        """Start the decoding thread, and wait until it has opened the file.

        Args:
            path: path of a file of any format that FFmpeg reads.

        Raises:
            ViewerError: the file cannot be opened, holds no pictures, or the first is broken.
        """
        self._changed = threading.Condition()  # guards all that follows
        self._opened: FilmDecoder | ViewerError | None = None
        self._frames: list[FilmFrame] = []  # decoded, by time
        self._latest: FilmFrame | None = None  # as it was shown, perhaps in another size
        self._time = 0.0  # s, that was requested last
        self._backwards = False
        self._edges = (0, 0)  # width and height of decoded pictures, [pixels]; 0 before a request
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

    def frame(self, time: float, size: tuple[float, float], wait: float = 0.0) -> FilmFrame | None:
        """Picture at a time, or the nearest one before that is decoded; requests the right one.

        Args:
            time: time of the film, [s].
            size: size at which it is shown, width and height, [pixels]; another size has all
                pictures decoded again.
            wait: how long to wait until the right one is decoded, [s].

        Returns:
            The picture; None before any has been decoded.
        """
        with self._changed:
            self._request(time, decoded_size(self.size, size))
            if wait:
                self._changed.wait_for(lambda: not self._is_decoding, wait)
            if self._frames:
                self._latest = self._frames[max(self._frame_index(time), 0)]
            return self._latest

    @property
    def is_waiting(self) -> bool:
        """Whether the last requested picture is still being decoded, or is not shown yet."""
        with self._changed:
            if self._covers(self._time):
                return self._latest is not self._frames[self._frame_index(self._time)]
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

    def _request(self, time: float, edges: tuple[int, int]) -> None:
        if edges != self._edges:
            self._frames.clear()
            self._edges = edges
            self._jumped = True
        elif time == self._time:
            return
        self._backwards = time < self._time and self._time - time < _SEEK_DISTANCE
        self._jumped |= abs(time - self._time) > _SEEK_DISTANCE
        self._time = time
        self._changed.notify_all()

    def _frame_index(self, time: float) -> int:
        """Return the index of the last picture that begins at a time or before, −1 for none."""
        return bisect_right(self._frames, time, key=lambda frame: frame.start) - 1

    def _covers(self, time: float) -> bool:
        index = self._frame_index(time)
        return index >= 0 and time < self._frames[index].end

    @property
    def _max_frames(self) -> int:
        """How many pictures may be kept."""
        frame_bytes = 4 * max(self._edges[0] * self._edges[1], 1)
        return min(max(MEMORY // frame_bytes, _MIN_FRAMES_KEPT), _MAX_FRAMES_KEPT)

    def _first_missing_time(self) -> float | None:
        """Return the first time at which a needed picture is not decoded yet, [s]; None if none is.

        Forward, half as many pictures as can be kept are needed from the present on. Backward, some
        pictures before the earliest one are needed.
        """
        # No picture has been requested yet.
        if not self._edges[0]:
            return None
        if not self._backwards:
            return self._first_gap(self._time, self._max_frames // 2)
        # Backward, from a key frame some pictures before the present one.
        if not self._covers(self._time):
            low = self._time - self._max_frames // 2 * self.interval
            return self._first_gap(max(low, 0.0), _MAX_FRAMES_KEPT, self._time)
        # The earliest picture without a gap up to the present one.
        first = present_index = self._frame_index(self._time)
        while first > 0 and self._frames[first - 1].end == self._frames[first].start:
            first -= 1
        earliest = self._frames[first].start
        # Two pictures before the present one are enough; before the start there is none.
        if present_index - first >= 2 or earliest <= 0.0:
            return None
        return self._first_gap(
            max(earliest - self._max_frames // 2 * self.interval, 0.0),
            _MAX_FRAMES_KEPT,
            earliest - 1e-6,
        )

    def _first_gap(self, time: float, count: int, last: float = math.inf) -> float | None:
        """Return the first time without a picture, among so many pictures from a time on, [s].

        Args:
            time: where to begin, [s].
            count: count of pictures in a row that are looked at.
            last: time up to which gaps count, [s].

        Returns:
            The time; None if there is no gap.
        """
        for _round in range(count):
            if time > last or time == math.inf:
                return None
            index = self._frame_index(time)
            if index < 0 or time >= self._frames[index].end:
                return time
            time = self._frames[index].end
        return None

    def _run(self, path: Path) -> None:
        """Body of the decoding thread: open the film, and decode until it is closed.

        `_opened` becomes the decoder, or the error for which there is none.

        Args:
            path: path of the film.
        """
        # Threads of the decoder take this over: the animation comes first.
        with contextlib.suppress(AttributeError, OSError):  # elsewhere than on Linux
            # A priority is a "nice" value: higher numbers run later.
            thread = os.PRIO_PROCESS, threading.get_native_id()
            os.setpriority(*thread, os.getpriority(*thread) + _PRIORITY_DROP)
        opened: FilmDecoder | ViewerError = ViewerError(
            _("cannot read a video from {name}", name=path.name)
        )
        try:
            opened = FilmDecoder(path)
        except ViewerError as error:
            opened = error
        finally:
            # `_changed` is a condition, on which those who need the decoder wait.
            with self._changed:
                self._opened = opened
                self._changed.notify_all()
        if isinstance(opened, FilmDecoder):
            with contextlib.closing(opened):
                self._decode_missing(opened)

    def _decode_missing(self, decoder: FilmDecoder) -> None:
        """Decode missing pictures one after another, until the film is closed; runs in a thread.

        Pictures between the position of the decoder and the missing one have to be decoded, too;
        they are kept only if no other picture has been kept for a while.

        Args:
            decoder: decoder of the film, used by this thread alone.
        """
        last_kept = 0.0
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._closed or self._first_missing_time() is not None
                )
                # Read together, as other threads change them: the time of the next picture that
                # is wanted, [s], the size of pictures, width and height in [pixels], and whether
                # the film has jumped.
                missing = self._first_missing_time()
                edges = self._edges
                jumped = self._jumped
                self._jumped = False
            if self._closed or missing is None:
                return
            # Seek backward, far ahead after a jump, or a little ahead past a key frame; else decode
            # the next picture.
            distance = missing - decoder.start  # s
            if (
                distance < 0
                or (jumped and distance > _SEEK_DISTANCE)
                or (distance > _MAX_DELAY and decoder.has_key_frame(missing))
            ):
                decoder.seek(missing)
            # The next picture, shown from `start` to `end`, [s].
            start, raw, end = decoder.next()
            now = time.monotonic()
            if end > missing or now - last_kept > _MAX_WAIT:
                last_kept = now
                self._keep(FilmFrame(start, end, decoder.pixels(raw, edges)), edges)

    def _keep(self, frame: FilmFrame, edges: tuple[int, int]) -> None:
        """Add a decoded picture to the cache, and drop those that are farthest from the shown one.

        Args:
            frame: the picture; it replaces one with the same start time.
            edges: width and height of the picture, [pixels].
        """
        with self._changed:
            # Another size has been requested meanwhile.
            if edges != self._edges:
                return
            other_frames = [known for known in self._frames if known.start != frame.start]
            self._frames = sorted([*other_frames, frame], key=lambda known: known.start)
            while len(self._frames) > self._max_frames:
                self._frames.remove(max(self._frames, key=self._distance_from_shown))
            self._changed.notify_all()

    def _distance_from_shown(self, frame: FilmFrame) -> float:
        """Return the distance of a picture from what is shown, [s]; weighted if it is behind it."""
        ahead = frame.start - self._time
        is_behind = (ahead < 0) != self._backwards
        return abs(ahead) * (_BEHIND_WEIGHT if is_behind else 1.0)


def decoded_size(film: tuple[int, int], shown: tuple[float, float]) -> tuple[int, int]:
    """Return the size at which pictures of a film are decoded, width and height, [pixels].

    It is the smallest in steps of √2 below the film's size that is not smaller than shown, so that
    small changes of the window keep it; smaller still if `MEMORY` has no room for a few pictures.

    Args:
        film: width and height of the film, [pixels].
        shown: width and height at which it is shown, [pixels].
    """
    least = max(shown[0] / film[0], shown[1] / film[1], 1e-4)
    share = 1.0 / _SIZE_STEP ** max(math.floor(math.log(1.0 / least, _SIZE_STEP) + 1e-9), 0)
    while 4 * _MIN_FRAMES_KEPT * film[0] * film[1] * share**2 > MEMORY:
        share /= _SIZE_STEP
    return max(round(film[0] * share), 1), max(round(film[1] * share), 1)


_SEEK_MARGINS = 0.0, 1.0, 10.0  # s; a key frame may be shown later than its place in the file says
_MAX_THREADS = 4
_DEFAULT_FRAME_RATE = 25.0  # pictures/s, where a file says nothing


class FilmDecoder:
    """Decodes the pictures of a file one after another; each ends where the next one begins.

    Times count from the first picture, [s].
    """

    def __init__(self, path: Path) -> None:
        """Open a file and decode its first picture, from which times count.

        Args:
            path: path of a file of any format that FFmpeg reads.

        Raises:
            ViewerError: the file cannot be opened, holds no pictures, or the first is broken.
        """
        import av
        from av.video.reformatter import VideoReformatter

        self._path = path
        self._scaler = VideoReformatter()
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
                _("cannot read a video from {name}: {reason}", name=path.name, reason=reason)
            ) from error
        if raw is None:
            self.close()
            raise ViewerError(_("cannot read {name}; choose a video or GIF", name=path.name))
        # The decoded picture that is to be returned next.
        self._raw = raw
        rate = self._stream.average_rate or self._stream.guessed_rate or _DEFAULT_FRAME_RATE
        self.interval = 1.0 / float(rate)
        self._origin = self._time(raw)
        # Size as shown: turned by quarter turns, as phones say it, and with square pixels.
        self._turns = round(raw.rotation / 90) % 4
        aspect = float(self._stream.sample_aspect_ratio or 1)
        width = max(round(raw.width * aspect), 1)
        height = raw.height
        self.size = (height, width) if self._turns % 2 else (width, height)
        self.duration = max(self._duration(), self.interval)

    def next(self) -> tuple[float, Any, float]:
        """Return the next picture; at the end of the film the last one again.

        Returns:
            When the picture begins, [s], the picture of the decoder, and when it ends, which is
            when the one after it begins, [s]; infinite for the last one.
        """
        start = self.start
        raw = self._raw
        for picture in self._pictures:
            start_of_next = self._time(picture)
            # Broken files may have pictures out of order; they are left out.
            if start_of_next > start:
                self.start = start_of_next
                self._raw = picture
                return start, raw, start_of_next
        return start, raw, math.inf

    def seek(self, time: float) -> None:
        """Seek to a key frame at a time or before; to the first picture if none is found.

        The picture there becomes the next one.

        Args:
            time: time of the film, [s].
        """
        first = None
        # A seek may end later than asked for: again with wider margins.
        with contextlib.suppress(*self._errors):
            # Seconds before the wanted time: a key frame may be shown later than the file says.
            for margin in _SEEK_MARGINS:
                self._container.seek(self._file_timestamp(time - margin), stream=self._stream)
                self._pictures = self._decode()
                first = next(self._pictures, None)
                if first is None or self._time(first) <= time:
                    break
        # Where no seek ends early enough: from the first picture again.
        if first is None or self._time(first) > time:
            first = self._restart()
        if first is not None:
            self.start = max(self._time(first), 0.0)
            self._raw = first

    def has_key_frame(self, until: float) -> bool:
        """Return whether a key frame is known between the next picture and a time, [s]."""
        entries = self._stream.index_entries
        index = entries.search_timestamp(self._file_timestamp(until))
        return bool(
            index >= 0
            and entries[index].timestamp > self._file_timestamp(self.start + self.interval)
        )

    def _file_timestamp(self, time: float) -> int:
        """Return a time, [s], in the units of the file."""
        return int((max(time, 0.0) + self._origin) / self._stream.time_base)

    def pixels(self, raw: Any, edges: tuple[int, int]) -> Bytes:
        """Convert a decoded picture to RGBA of a size, turned as it is to be shown.

        Args:
            raw: picture of the decoder.
            edges: width and height as shown, [pixels].

        Returns:
            Shape (height, width, 4); transparent black if it cannot be converted.
        """
        width, height = edges[::-1] if self._turns % 2 else edges
        try:
            pixels: Any = self._scaler.reformat(
                raw, width, height, "rgba", interpolation="BILINEAR"
            ).to_ndarray()
        except self._errors:  # of a size or a format that cannot be converted
            pixels = np.zeros((height, width, 4), dtype=np.uint8)
        return np.ascontiguousarray(np.rot90(pixels, self._turns))

    def close(self) -> None:
        """Let go of the file."""
        self._pictures = iter(())
        self._container.close()

    def _open(self) -> None:
        """Open the file at its first video stream; without one there are no pictures.

        Raises:
            FFmpegError, OSError, ValueError: the file cannot be opened.
        """
        import av

        # A list of other files must not lead to the network.
        self._container: Any = av.open(str(self._path), options={"protocol_whitelist": "file"})
        # Covers of albums are streams, too.
        covers = av.stream.Disposition.attached_pic
        streams = [
            stream for stream in self._container.streams.video if not stream.disposition & covers
        ]
        if not streams:
            self._pictures = iter(())
            return
        self._stream: Any = streams[0]
        self._stream.thread_type = "AUTO"
        self._stream.codec_context.thread_count = min(os.cpu_count() or 1, _MAX_THREADS)
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
        """Yield the decoded pictures in order, up to the end or a break of the file."""
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets)
            except (StopIteration, *self._errors):
                # A file that was cut off ends with its last good picture.
                return
            # A broken part is left out.
            with contextlib.suppress(*self._errors):
                yield from packet.decode()

    def _time(self, raw: Any) -> float:
        """Time at which a decoded picture is shown, [s] from the first picture.

        Where the file does not say it, the picture comes one mean interval after the one before.
        """
        stamp = raw.pts if raw.pts is not None else raw.dts
        return (
            self.start + self.interval
            if stamp is None
            else float(stamp * raw.time_base) - self._origin
        )

    def _duration(self) -> float:
        """Return the duration of the film, [s]: as the file says, or the end of its last picture.

        0 if it can neither be told nor read.
        """
        # In units of the stream's time base, [s].
        if self._stream.duration:
            return float(self._stream.duration * self._stream.time_base)
        if self._container.duration:
            return float(self._container.duration / 1e6)  # from µs
        import av

        last = 0.0
        with contextlib.suppress(*self._errors), av.open(str(self._path)) as container:
            # The file is opened again, as reading packets would move the decoder; `pts` is when a
            # picture is shown, in units of the time base.
            for packet in container.demux(video=0):
                if packet.pts is not None:
                    end = float((packet.pts + (packet.duration or 0)) * packet.time_base)
                    last = max(last, end - self._origin)
        return last
