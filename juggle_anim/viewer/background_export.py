"""Exports beside the window: a process writes a film, a picture or a model while one goes on."""

from __future__ import annotations

import math
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError
from juggle_anim.formats import EXPORTS, MODELS
from juggle_anim.language import _
from juggle_anim.parameters import Parameters
from juggle_anim.viewer.recording import RATE
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
    from juggle_anim.exporter.export import Job
    from juggle_anim.exporter.options import ExportOptions

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
        view: from which the window looks, as exports take it.
        time: of the window's picture, [s].
        size: of a film of a session, width and height, [pixels].
        seconds: its duration, [s].
    """

    score: Score
    parameters: Parameters
    wanted: WantedExport
    view: str = "default"
    time: float = 0.0
    size: tuple[int, int] | None = None
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

    def advance(self, model: Model, size: tuple[int, int]) -> bool:
        """Begin an export that the model wants, and say what became of those that are done.

        Args:
            model: of the viewer; its wishes are reset, and its notice tells the outcomes.
            size: of the window, width and height, [pixels].

        Returns:
            Whether to draw anew.
        """
        for writer in self._writers:
            if writer.saving.cancelled:
                writer.stop()
        done = [writer for writer in self._writers if not writer.is_alive()]
        self._writers = [writer for writer in self._writers if writer not in done]
        for writer in done:
            model.notice.say(writer.outcome, bad=bool(writer.trouble))
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
        shown = [saving.words for saving in model.screen.saving]
        is_changed = shown != self._shown
        self._shown = shown
        return bool(done) or is_changed

    def _begin_session(self, model: Model, size: tuple[int, int]) -> None:
        """Begin to write a film, and a JML file, of all patterns since the last cut."""
        routine = model.live.last.routine
        if routine is None:
            model.notice.say(
                _(
                    "There is only one pattern so far; press {key} to save it",
                    key=caption(Action.SAVE_FILE),
                )
            )
            return
        until = max(model.playback.clock, routine.parts[-1].ends)
        is_short = len(routine.parts) <= _FEW_PATTERNS
        count = len(routine.parts)
        title = routine.title if is_short else _("{count} patterns", count=count)
        film = free_path(picture_folder(), title, ".mp4")
        if any(writer.saving.name == film.name for writer in self._writers):
            model.notice.say(_("A video of this is already being saved"))
            return

        def lay_out() -> Task:
            """Lay the patterns out as one animation."""
            animation = routine.as_animation(until)
            even_size = (max(size[0] // 2 * 2, 2), max(size[1] // 2 * 2, 2))
            return Task(
                animation.score,
                animation.parameters,
                WantedExport(film),
                size=even_size,
                seconds=until / animation.parameters.speed,
            )

        self._writers.append(_Writer(film, lay_out))


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
        """Begin to write.

        Args:
            path: of the file.
            make_task: returns what to write; it may take a while, and raise a `JuggleError`.
        """
        super().__init__(name="export")
        self.trouble = ""
        self.saving = Saving(path.name)
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

    def stop(self) -> None:
        """Give the file up."""
        self._process.terminate()

    def run(self) -> None:
        """Have the process write it, and follow how far it is."""
        process = self._process
        assert process.stdin
        assert process.stdout
        with process:
            try:
                task = self._make_task()
                with process.stdin:
                    pickle.dump(task, process.stdin)
                if task.seconds is not None:
                    self._outcome = _(
                        "Saved as {film} and {name}", film=task.wanted.path, name=task.events.name
                    )
                self._follow()
            except JuggleError as error:
                self.trouble = str(error)
            # The process has died, or was stopped.
            except (OSError, EOFError, pickle.UnpicklingError):
                self.trouble = self.trouble or _("the export stopped unexpectedly")

    def _follow(self) -> None:
        """Read messages of the process: numbers of frames, and at last why it failed, or nothing.

        Raises:
            EOFError: the process ends without a last word.
        """
        assert self._process.stdout
        began = 0.0
        first = 0
        while isinstance(message := pickle.load(self._process.stdout), tuple):
            done, total = message
            self.saving.done = done
            self.saving.total = total
            # The first frame also has all preparations: the rate is that of those after it.
            if done > first > 0:
                rate = (done - first) / (perf_counter() - began)
                self.saving.remaining = (total - done) / rate
            elif not first:
                began = perf_counter()
                first = done
        self.trouble = message


def _loops_along(keys: str, job: Job) -> int:
    """As many loops as a film usually has, or more of these until its camera has arrived."""
    arrives = float(keys.rpartition("@")[2])
    return job.request.loops * max(1, math.ceil(arrives / job.request.duration))


def work() -> None:
    """Main function of the process that exports: reads its `Task` from standard input.

    Writes to standard output, pickled, pairs of the number of frames done and of all, and at last
    the reason why writing failed, or an empty text.
    """
    step_back()
    end_cleanly()
    output = sys.stdout.buffer

    def tell(message: object) -> None:
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
    from juggle_anim.exporter.export import export
    from juggle_anim.exporter.view import read_view
    from juggle_anim.notation import write_file
    from juggle_anim.notation.pattern_list import list_of_one
    from juggle_anim.prints import print_picture

    animation = Animation(task.score, task.parameters)
    path = task.wanted.path
    if kind := task.wanted.picture:
        view = read_view(task.view) if kind in _SEEN else None
        time = task.time if kind == "lines" else None
        print_picture(kind, animation, path, view=view, time=time, force=True)
        return
    if task.seconds is not None:
        write_file(list_of_one(task.score, task.parameters), task.events)
    export(animation, path, replace(_options(animation, task), progress=progress))


def _options(animation: Animation, task: Task) -> ExportOptions:
    """Return the options of the export of a task."""
    from juggle_anim.exporter.export import export_jobs
    from juggle_anim.exporter.options import TURNTABLE, ExportOptions

    path, camera, keys, _picture = task.wanted
    ending = path.suffix.casefold()
    # Whether it may replace a file was asked already.
    if task.seconds is not None:
        return ExportOptions(size=task.size or _DEFAULT_SIZE, fps=RATE, seconds=task.seconds)
    if ending in MODELS and not MODELS[ending].scene:
        return ExportOptions(force=True)  # there is no camera in it
    size = _GIF_SIZE if EXPORTS[ending].repeats else _DEFAULT_SIZE
    options = ExportOptions(size=size, cameras=(task.view,), force=True)
    # Cameras as the option of exports writes them: one view, or views at times on a path.
    if camera is FilmCamera.TURNTABLE:
        return replace(options, cameras=(TURNTABLE,))
    if camera is FilmCamera.FROM_FRONT:
        (job,) = export_jobs(animation, path, options)
        keys = f"front@0 {task.view}@{_ARRIVAL_SHARE * job.duration:.2f}"
        return replace(options, cameras=(keys,))
    if camera is FilmCamera.PATH:
        (job, *_others) = export_jobs(animation, path, options)
        return replace(options, cameras=(keys,), loops=_loops_along(keys, job))
    return options
