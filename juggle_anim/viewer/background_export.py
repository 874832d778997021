"""Exports beside the window: a process writes a film, a picture or a model while one goes on."""

from __future__ import annotations

import math
import pickle
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.formats import EXPORTS
from juggle_anim.language import _
from juggle_anim.viewer.screenshot import FilmCamera, WantedExport
from juggle_anim.viewer.state.model import Model
from juggle_anim.worker_process import start_worker, step_back

if TYPE_CHECKING:
    from juggle_anim.exporter.export import Job

# pixels of films that repeat, as GIF, which grow large; and of all else
_GIF_SIZE = (640, 480)
_DEFAULT_SIZE = (1280, 720)
_ARRIVAL_SHARE = 0.8  # share of a film's time in which its camera comes from the front
_MAX_ELEVATION = 85.0  # degrees above the horizon from which exports look


class BackgroundExports:
    """Writes the files that the model wants, one process for each."""

    def __init__(self) -> None:
        self._writers: list[_Writer] = []

    @property
    def is_working(self) -> bool:
        """Whether a file is being written."""
        return bool(self._writers)

    def advance(self, model: Model) -> bool:
        """Begin an export that the model wants, and say what became of those that are done.

        Args:
            model: of the viewer; its wish is reset, and its notice tells the outcomes.

        Returns:
            Whether to draw anew.
        """
        done = [writer for writer in self._writers if not writer.is_alive()]
        self._writers = [writer for writer in self._writers if writer not in done]
        for writer in done:
            outcome = (
                _("Not saved: {trouble}", trouble=writer.trouble)
                if writer.trouble
                else _("Saved as {path}", path=writer.path)
            )
            model.notice.say(outcome, bad=bool(writer.trouble))
        wanted = model.screen.export_wanted
        model.screen.export_wanted = None
        if wanted:
            self._writers.append(_Writer(model.live.chosen.animation, wanted, _export_view(model)))
            model.notice.say(_("Saving {name} …", name=wanted.path.name))
        return bool(done or wanted)


def _export_view(model: Model) -> str:
    """Return the direction from which the window looks, as exports take it."""
    if not model.rig.is_manual:
        return model.rig.view
    orbit = model.rig.orbit
    elevation = min(max(math.degrees(orbit.elevation), -_MAX_ELEVATION), _MAX_ELEVATION)
    return f"{math.degrees(orbit.azimuth):.1f},{elevation:.1f}"


class _Writer(threading.Thread):
    """A process that writes a file, and the thread that waits for it."""

    def __init__(self, animation: Animation, wanted: WantedExport, view: str) -> None:
        super().__init__(name="export")
        self.path = wanted.path
        self.trouble = ""
        self._task = pickle.dumps((animation.score, animation.parameters, wanted, view))
        self.start()

    def run(self) -> None:
        """Have the process write it."""
        process = start_worker(__name__)
        output = process.communicate(self._task)[0].decode(errors="replace")
        if process.returncode:
            self.trouble = output or _("the export stopped unexpectedly")


def _loops_along(keys: str, job: Job) -> int:
    """As many loops as a film usually has, or more of these until its camera has arrived."""
    arrives = float(keys.rpartition("@")[2])
    return job.request.loops * max(1, math.ceil(arrives / job.request.duration))


def work() -> None:
    """Main function of the process that exports: reads its task from standard input.

    The task is a pickled tuple of score, parameters, `WantedExport` and the window's view. If
    writing fails, prints the reason to standard output and exits with 1.
    """
    from juggle_anim.exporter.export import export, export_jobs
    from juggle_anim.exporter.options import TURNTABLE, ExportOptions

    step_back()
    score, parameters, (path, camera, keys), view = pickle.load(sys.stdin.buffer)
    size = _GIF_SIZE if EXPORTS[path.suffix.casefold()].repeats else _DEFAULT_SIZE
    animation = Animation(score, parameters)
    try:
        # Whether it may replace a file was asked already.
        options = ExportOptions(size=size, cameras=(view,), force=True)
        # Cameras as the option of exports writes them: one view, or views at times on a path.
        if camera is FilmCamera.TURNTABLE:
            options = replace(options, cameras=(TURNTABLE,))
        elif camera is FilmCamera.FROM_FRONT:
            (job,) = export_jobs(animation, path, options)
            options = replace(
                options, cameras=(f"front@0 {view}@{_ARRIVAL_SHARE * job.duration:.2f}",)
            )
        elif camera is FilmCamera.PATH:
            (job, *_others) = export_jobs(animation, path, options)
            options = replace(options, cameras=(keys,), loops=_loops_along(keys, job))
        export(animation, path, options)
    except JuggleError as error:
        sys.stdout.write(str(error))
        sys.exit(1)
