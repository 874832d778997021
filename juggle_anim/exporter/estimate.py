"""Estimates: what an export will cost, from the first frames of it, which are written and thrown away."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from juggle_anim.exporter.jobs import Job
from juggle_anim.exporter.manner import Manner


@dataclass(frozen=True)
class Estimate:
    """What an export will cost.

    Args:
        frames: how many, exactly.
        duration: of what is to be seen, [s].
        size: of all files, about, [bytes].
        seconds: that it will take, about.
    """

    frames: int
    duration: float
    size: float
    seconds: float


def estimate(job: Job, manner: Manner) -> Estimate:
    """What a job will cost on this machine.

    Raises:
        JuggleError: whatever the job itself would end in, but for what stands in its way on the disk.
    """
    shots = job.shots
    if shots.frames <= _SOME:
        trial = _tried(job, manner, shots.frames)
        return Estimate(shots.frames, shots.duration, trial.size, trial.seconds)
    half, whole = _tried(job, manner, _SOME // 2), _tried(job, manner, _SOME)
    left = shots.frames - _SOME
    # The first frame is the largest, and much is done once: only what the later ones add goes on.
    size = whole.size + max(whole.size - half.size, 0) / (_SOME - _SOME // 2) * left
    return Estimate(shots.frames, shots.duration, size, whole.seconds + whole.a_frame * left)


@dataclass(frozen=True)
class _Trial:
    """What the first frames cost: size [bytes], time in all and for each but the first [s]."""

    size: int
    seconds: float
    a_frame: float


def _tried(job: Job, manner: Manner, some: int) -> _Trial:
    if some < job.shots.frames:
        job = replace(job, shots=replace(job.shots, seconds=some / job.shots.fps))
    moments = [time.perf_counter()]

    def note(_done: int, _total: int) -> None:
        moments.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        written = job.within(Path(folder)).write(True, note, replace(manner, resume=False))
        size = sum(path.stat().st_size for path in written)
    seconds = time.perf_counter() - moments[0]
    return _Trial(size, seconds, (moments[-1] - moments[1]) / max(some - 1, 1))


_SOME = 24
