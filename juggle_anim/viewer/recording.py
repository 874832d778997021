"""Recordings of a window as MP4.

Exports beside the window: a process writes a film, a picture or a model while one goes on.
"""

from __future__ import annotations

import math
import pickle
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes, Size
from juggle_anim.atomic_file import atomic_file
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError, one_line
from juggle_anim.formats import EXPORTS, MODELS, VIDEOS
from juggle_anim.language import _
from juggle_anim.notation import record_of
from juggle_anim.parameters import Parameters
from juggle_anim.viewer.cards.notice import RecordingMark
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.screenshot import (
    FilmCamera,
    Saving,
    WantedExport,
    free_path,
    picture_folder,
)
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.worker_process import end_cleanly, start_worker, step_back

if TYPE_CHECKING:
    from juggle_anim.exporter import AddFrame, ExportOptions, Job


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

    def advance(self, model: Model, size: Size) -> bool:
        """Start or end a recording as requested by the model; called once a tick of the window.

        After it was ended, a recording is still written for a while; a new one waits for it.

        Args:
            model: the model with the request in `screen`, which is reset if recording is
                impossible.
            size: size of the window, width and height, [pixels].

        Returns:
            Whether to redraw: a recording was started or ended, or the mark has to blink.
        """
        now = time.perf_counter()
        if self._recording is None:
            if not model.screen.recording_wanted:
                return False
            self._begin(model, size, now)
            return True
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
        # The mark in the window says that it is recorded, and for how long. While nothing moves, it
        # alone is drawn now and then.
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

    def _begin(self, model: Model, size: Size, now: float) -> None:
        """Start a recording in a new file of the pictures folder, or show why it is impossible.

        Args:
            model: model of the viewer.
            size: size of the window, width and height, [pixels].
            now: time of the start, [s] of `time.perf_counter`.
        """
        animation = model.animation
        try:
            path = free_path(picture_folder(), animation.title, ".mp4")
        except OSError as error:
            model.screen.recording_wanted = False
            model.notice.say(_("Cannot record: {strerror}", strerror=error.strerror), bad=True)
            return
        # Playing time: at half the speed, the animation takes twice its own time.
        start = model.playback.time / animation.parameters.speed
        self._recording = Recording(animation, path, size, start=start, moment=now)

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
        path: path of the file, which appears when it is complete.
        size: size of the window, width and height, [pixels]; pictures of another size are fitted
            into it.
        start: start of the animation, in playing time, [s].
        moment: moment of the start, [s] of any steady clock.
    """

    def __init__(
        self,
        animation: Animation,
        path: Path,
        size: Size,
        start: float = 0.0,
        moment: float = 0.0,
    ) -> None:
        """Start recording, in a thread that writes the file.

        Args:
            animation: what is shown at the start. It is stored in the file, so that the file can be
                opened like a pattern.
            path: path of the file, which appears when it is complete.
            size: size of the window, width and height, [pixels].
            start: time of the animation when the recording starts, in playing time, [s].
            moment: time on a steady clock at which the recording starts, [s].
        """
        self.path = path
        self.trouble = ""
        """The file, and why there is none."""
        width, height = size
        # Videos need even numbers of pixels.
        self.size = max(width // 2 * 2, 2), max(height // 2 * 2, 2)
        self.rate = RATE if width * height <= SLOW_PIXELS else SLOW_RATE
        self._animation = animation
        self._start = start
        self._began_at = moment
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
        return max(moment - self._began_at, 0.0)

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
            self.trouble = one_line(error)

    def _write(self) -> None:
        """Write the video while pictures come from the window; runs in the recording's thread."""
        # Imported when first used: they load a video library, which is rarely needed and takes a
        # while.
        from juggle_anim.exporter import (
            DEFAULT_OPTIONS,
            DrawnFrames,
            FrameRequest,
            check_video,
            open_video,
        )

        # Whether the format can have this size and rate; the duration, which is not known yet, does
        # not matter for that.
        request = FrameRequest(self._animation, self.size, self.rate, seconds=1.0)
        check_video(VIDEOS[self.path.suffix], request, DEFAULT_OPTIONS)
        with atomic_file(self.path) as draft:
            draft.touch()  # FFmpeg would report only later that it cannot write there
            # The file stores its pattern and what it shows of it, so that it can be opened in place
            # of the pattern.
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
        """Write the video with a constant frame rate from pictures at any rate, until the end.

        The window queues pictures as it draws them, each with the number of video frames up to it,
        itself included. Gaps are filled with the picture before. The end is queued as None, with
        the number of all frames.

        Args:
            add: appends a frame to the video.
        """
        written_count = 0
        width, height = self.size
        last_frame = np.zeros((height, width, 3), dtype=np.uint8)  # black if there is no picture
        while True:
            frame_count, picture = self._pictures.get()
            if picture is None:
                for _frame in range(written_count, frame_count):
                    add(last_frame)
                return
            frame = fit_image(picture, self.size)
            # The picture before was shown until this one came; before the first, show the first.
            filling = last_frame if written_count else frame
            for _frame in range(written_count, frame_count - 1):
                add(filling)
            add(frame)
            written_count = frame_count
            last_frame = frame


def fit_image(image: Bytes, size: Size) -> Bytes:
    """Return a picture scaled to fit into a size, centred, with black beside it.

    Args:
        image: shape (height, width, 3), sRGB.
        size: width and height of the result, both even, [pixels].

    Returns:
        Shape (height, width, 3). A picture of the right size, or one pixel larger as videos need
        even sizes, is only cropped.
    """
    target_width, target_height = size
    height, width, _channels = image.shape
    if (width // 2 * 2, height // 2 * 2) == size:
        return np.ascontiguousarray(image[:target_height, :target_width])
    from PIL import Image

    scale = min(target_width / width, target_height / height)
    fitted_width = max(round(width * scale), 1)
    fitted_height = max(round(height * scale), 1)
    whole = Image.new("RGB", size)  # black
    fitted = Image.fromarray(image).resize((fitted_width, fitted_height), Image.Resampling.BILINEAR)
    whole.paste(fitted, ((target_width - fitted_width) // 2, (target_height - fitted_height) // 2))
    return np.array(whole)


# pixels of films that repeat, as GIF, which grow large; and of all else
_GIF_SIZE = (640, 480)
_DEFAULT_SIZE = (1280, 720)
_ARRIVAL_SHARE = 0.8  # share of a film's time in which its camera comes from the front
_MAX_ELEVATION = 85.0  # degrees above the horizon from which exports look
_FEW_PATTERNS = 6  # more are no name for a file
_SEEN = ("lines", "sheet", "strobe")  # prints that a camera sees


class Task(NamedTuple):
    """What a process writes.

    Attributes:
        score, parameters: of the animation.
        wanted: the file.
        view: view from which the window looks, as exports take it.
        time: time of the window's picture, [s].
        size: size of a film of a session, width and height, [pixels].
        seconds: its duration, [s].
    """

    score: Score
    parameters: Parameters
    wanted: WantedExport
    view: str = "default"
    time: float = 0.0
    size: Size | None = None
    seconds: float | None = None

    @property
    def events(self) -> Path:
        """The JML file beside a film of a session."""
        return self.wanted.path.with_suffix(".jml")


class BackgroundExports:
    """Writes the files that the model wants, one process for each."""

    def __init__(self) -> None:
        self._writers: list[_Writer] = []
        self._shown: list[str] = []  # how far they are, as the window shows it

    def advance(self, model: Model, size: Size) -> bool:
        """Start requested exports, and show the results of those that have ended.

        Called in each tick of the window. Each export is written by a process of its own, for which
        a thread (`_Writer`) waits.

        Args:
            model: the model with the requests in `screen`, which are reset, and the notice for
                results.
            size: size of the window, width and height, [pixels].

        Returns:
            Whether to redraw.
        """
        for writer in self._writers:
            if writer.saving.cancelled:
                writer.stop()
        ended = [writer for writer in self._writers if not writer.is_alive()]
        self._writers = [writer for writer in self._writers if writer not in ended]
        for writer in ended:
            is_saved = not (writer.trouble or writer.saving.cancelled)
            offer = (_("Show folder"), writer.show_folder) if is_saved else None
            model.notice.say(writer.outcome, bad=bool(writer.trouble), offer=offer)
        wanted = model.screen.export_wanted
        model.screen.export_wanted = None
        if wanted:
            chosen = model.live.chosen.animation
            task = Task(
                chosen.score, chosen.parameters, wanted, _export_view(model), model.playback.time
            )
            self._writers.append(_Writer(wanted.path, lambda: task))
        if model.screen.session_wanted:
            model.screen.session_wanted = False
            self._begin_session(model, size)
        model.screen.saving = tuple(writer.saving for writer in self._writers)
        # The window shows the progress of each file as text: redraw if that has changed.
        progress = [saving.words for saving in model.screen.saving]
        is_changed = progress != self._shown
        self._shown = progress
        return bool(ended) or is_changed

    def _begin_session(self, model: Model, size: Size) -> None:
        """Write a film and a JML file of all patterns since the last cut, in the background.

        A routine is patterns juggled one after another, joined by transitions; a cut begins a new
        one. If there was only one pattern, or the film is being written already, show a notice
        instead.

        Args:
            model: the model with the routine in `model.live.last`.
            size: width and height of the window, [pixels].
        """
        routine = model.live.last.routine
        if routine is None:
            model.notice.say(
                _(
                    "There is only one pattern so far; press {key} to save it",
                    key=caption(Action.SAVE_FILE),
                )
            )
            return
        # The film ends now, but not before the transition into the last pattern has ended.
        duration = max(model.playback.clock, routine.parts[-1].ends)
        pattern_count = len(routine.parts)
        # The title names all patterns, which is too long for many.
        title = routine.title
        if pattern_count > _FEW_PATTERNS:
            title = _("{count} patterns", count=pattern_count)
        film = free_path(picture_folder(), title, ".mp4")
        # A file that is being written does not exist yet, so that its path still counts as free.
        if any(writer.saving.name == film.name for writer in self._writers):
            model.notice.say(_("A video of this is already being saved"))
            return

        def film_task() -> Task:
            """Return the task of the film, with all patterns one after another in one animation."""
            animation = routine.as_animation(duration)
            width, height = size
            # Videos need even numbers of pixels.
            even_size = (max(width // 2 * 2, 2), max(height // 2 * 2, 2))
            return Task(
                animation.score,
                animation.parameters,
                WantedExport(film),
                size=even_size,
                seconds=duration / animation.parameters.speed,
            )

        # The patterns are laid out in the thread of the writer, since that may take a while.
        self._writers.append(_Writer(film, film_task))


def _export_view(model: Model) -> str:
    """Return the direction from which the window looks, as exports take it."""
    if not model.rig.is_manual:
        return model.rig.view
    orbit = model.rig.orbit
    elevation = min(max(math.degrees(orbit.elevation), -_MAX_ELEVATION), _MAX_ELEVATION)
    return f"{math.degrees(orbit.azimuth):.1f},{elevation:.1f}"


class _Writer(threading.Thread):
    """A process that writes a file, and the thread that waits for it."""

    def __init__(self, path: Path, make_task: Callable[[], Task]) -> None:
        """Start to write a file in another process, whose progress this thread reads.

        Args:
            path: path of the file.
            make_task: returns what to write. It is called in this thread, may take a while, and
                raise a `JuggleError`.
        """
        super().__init__(name="export")
        self.trouble = ""
        self.path = path
        self.saving = Saving(path.name, perf_counter())
        self._outcome = _("Saved as {path}", path=path)
        self._make_task = make_task
        self._process = start_worker(__name__)
        self.start()

    @property
    def outcome(self) -> str:
        """What became of it."""
        if self.saving.cancelled:
            return _("Cancelled; {name} was not saved", name=self.saving.name)
        return _("Not saved: {trouble}", trouble=self.trouble) if self.trouble else self._outcome

    def show_folder(self) -> None:
        """Open the folder of the file in the desktop's file manager."""
        import webbrowser  # few need it

        webbrowser.open(self.path.absolute().parent.as_uri())

    def stop(self) -> None:
        """Give the file up."""
        self._process.terminate()

    def run(self) -> None:
        """Send the task to the writing process, and read its progress until it ends.

        Sets `_outcome` to the message of success, or `trouble` to the message of an error.
        """
        process = self._process
        assert process.stdin
        assert process.stdout
        with process:
            try:
                # A task may take a while to make, so it is made in this thread.
                task = self._make_task()
                with process.stdin:
                    pickle.dump(task, process.stdin)
                # A film of a session has a second file, with its events, beside it.
                if task.seconds is not None:
                    self._outcome = _(
                        "Saved as {film} and {name}", film=task.wanted.path, name=task.events.name
                    )
                self._follow()
            except JuggleError as error:
                self.trouble = str(error)
            except (OSError, EOFError, pickle.UnpicklingError):
                # The process has died, or was stopped.
                self.trouble = self.trouble or _("the export stopped unexpectedly")

    def _follow(self) -> None:
        """Read the messages of the process, which set the progress in `saving`, and `trouble`.

        A message is the number of frames done and of all frames; the last message is a text that
        says why the export has failed, empty if it has not.

        Raises:
            EOFError: the process ends without its last message.
        """
        assert self._process.stdout
        first_done_count = 0  # at the first message
        first_message_at = 0.0  # s
        while isinstance(message := pickle.load(self._process.stdout), tuple):
            done_count, total_count = message
            self.saving.done = done_count
            self.saving.total = total_count
            if first_done_count == 0:
                first_done_count = done_count
                first_message_at = perf_counter()
            elif done_count > first_done_count:
                # The time up to the first message includes all preparations, so the rate is that of
                # the frames after it.
                elapsed = perf_counter() - first_message_at
                frames_per_second = (done_count - first_done_count) / elapsed
                self.saving.remaining = (total_count - done_count) / frames_per_second
        self.trouble = message


def _loops_along(keys: str, job: Job) -> int:
    """Return the number of loops of a film that is long enough for a camera path.

    Args:
        keys: the path as exports take it, `view@seconds` after `view@seconds`.
        job: the export without the path. Its number of loops is multiplied.
    """
    _keys_before, _at, arrival = keys.rpartition("@")
    repeat_count = math.ceil(float(arrival) / job.request.duration)
    return job.request.loops * max(1, repeat_count)


def work() -> None:
    """Export a file, as the main function of a process: read a `Task` from standard input.

    Writes to standard output, pickled, pairs of the number of frames done and of all frames, and at
    last a text that says why the export has failed; empty if it has not.
    """
    step_back()  # lowers the priority of this process
    end_cleanly()  # without a traceback when it is stopped
    output = sys.stdout.buffer

    def tell(message: object) -> None:
        """Send a message to the process of the window."""
        pickle.dump(message, output)
        output.flush()

    task: Task = pickle.load(sys.stdin.buffer)
    try:
        write_task(task, lambda done, total: tell((done, total)))
    except JuggleError as error:
        tell(str(error))
    else:
        tell("")


def write_task(task: Task, progress: Callable[[int, int], None]) -> None:
    """Write the file of a task.

    Args:
        task: what to write.
        progress: called with the number of frames done and of all, after each.

    Raises:
        JuggleError: it cannot be written.
    """
    from juggle_anim.exporter import export, read_view
    from juggle_anim.notation import list_of_one, write_file
    from juggle_anim.prints import print_picture

    animation = Animation(task.score, task.parameters)
    path = task.wanted.path
    # A print, such as a line drawing or a ladder. Some kinds show people from a camera, and one of
    # these a single moment.
    if kind := task.wanted.picture:
        view = read_view(task.view) if kind in _SEEN else None
        time = task.time if kind == "lines" else None
        counted = progress if kind == "sheet" else None
        print_picture(kind, animation, path, view=view, time=time, force=True, progress=counted)
        return
    # A film of all patterns since the last cut has a file with their events beside it.
    if task.seconds is not None:
        write_file(list_of_one(task.score, task.parameters), task.events)
    export(animation, path, replace(_options(animation, task), progress=progress))


def _options(animation: Animation, task: Task) -> ExportOptions:
    """Return the options of the export of a task.

    Args:
        animation: what is shown.
        task: the task with the file and the camera that were chosen, and the view of the window.
    """
    from juggle_anim.exporter import TURNTABLE, ExportOptions, export_jobs

    path, camera, camera_path, _picture = task.wanted
    ending = path.suffix.casefold()
    # A film of a session gets a new name. All other files may replace one (`force`), as the user
    # was asked already.
    if task.seconds is not None:
        return ExportOptions(size=task.size or _DEFAULT_SIZE, fps=RATE, seconds=task.seconds)
    if ending in MODELS and not MODELS[ending].scene:
        return ExportOptions(force=True)  # motion data have no camera
    size = _GIF_SIZE if EXPORTS[ending].repeats else _DEFAULT_SIZE
    options = ExportOptions(size=size, cameras=(task.view,), force=True)
    # Cameras as the option of exports writes them: one view, or a path, `view@seconds` after
    # `view@seconds`. One camera makes one job, which tells how long the film would be.
    if camera is FilmCamera.TURNTABLE:
        return replace(options, cameras=(TURNTABLE,))
    if camera is FilmCamera.FROM_FRONT:
        (job,) = export_jobs(animation, path, options)
        arrival = _ARRIVAL_SHARE * job.duration  # s
        return replace(options, cameras=(f"front@0 {task.view}@{arrival:.2f}",))
    if camera is FilmCamera.PATH:
        (job,) = export_jobs(animation, path, options)
        loops = _loops_along(camera_path, job)
        return replace(options, cameras=(camera_path,), loops=loops)
    return options
