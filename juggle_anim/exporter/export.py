"""Export: an animation written down."""

from __future__ import annotations

from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.exporter.jobs import jobs_for
from juggle_anim.exporter.options import ExportOptions, Progress


def export(animation: Animation, path: Path, options: ExportOptions) -> list[Path]:
    """Write an animation to files; see `juggle_anim.public.export`."""
    jobs = jobs_for(animation, path, options)
    written: list[Path] = []
    done = 0
    for number, job in enumerate(jobs, 1):
        later = sum(each.shots.frames for each in jobs[number:])
        counted = _Counted(options.progress, done, later)
        written += job.write(options.force, counted if options.progress else None, options)
        done = counted.done
    return written


class _Counted:
    """Progress of one job among several."""

    def __init__(self, progress: Progress | None, before: int, later: int) -> None:
        self._progress, self._before, self._later = progress, before, later
        self.done = before

    def __call__(self, done: int, total: int) -> None:
        self.done = self._before + done
        if self._progress:
            self._progress(self.done, self._before + total + self._later)
