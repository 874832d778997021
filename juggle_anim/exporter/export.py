"""Export: an animation written down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.jobs import Job, Progress, jobs_for
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.quality import read_quality


def export(
    animation: Animation,
    path: Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
    **given: Any,
) -> list[Path]:
    """Write an animation to files; see `juggle_anim.public.export`, which hands everything on."""
    jobs, manner = planned(animation, path, **given)
    if force and manner.resume:
        raise ParameterError("--force replaces what is there, and --resume keeps it: give one of them")
    written: list[Path] = []
    done = 0
    for number, job in enumerate(jobs, 1):
        later = sum(each.shots.frames for each in jobs[number:])
        counted = _Counted(progress, done, later)
        written += job.write(force, counted if progress else None, manner)
        done = counted.done
    return written


def planned(animation: Animation, path: Path, **given: Any) -> tuple[list[Job], Manner]:
    """What an export will write and how, from what is given to it."""
    how = {name: given.pop(name) for name in ("resume", "first", "dither", "sound") if name in given}
    manner = Manner(quality=read_quality(given.pop("quality", "good")), **how)
    return jobs_for(animation, path, **{"fps": None, "loops": None, "cameras": (), **given}), manner


class _Counted:
    """Progress of one job among several."""

    def __init__(self, progress: Progress | None, before: int, later: int) -> None:
        self._progress, self._before, self._later = progress, before, later
        self.done = before

    def __call__(self, done: int, total: int) -> None:
        self.done = self._before + done
        if self._progress:
            self._progress(self.done, self._before + total + self._later)
