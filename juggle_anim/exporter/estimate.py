"""The estimated cost of an export: its first frames are written to a temporary folder."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean

from juggle_anim.exporter.export import Job
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.lazy_dataclass import dataclass

TRIAL_FRAMES = 24
"""Frames that are written to estimate the cost of all."""


@dataclass(frozen=True)
class Estimate:
    """The estimated cost of an export.

    Args:
        frames: their exact number.
        duration: playing time, of a web page that of its loop; 0 of a still picture, [s].
        size: of all files, approximately, [bytes].
        seconds: time to write them, approximately, [s].
    """

    frames: int
    duration: float
    size: float
    seconds: float


def estimate(job: Job, options: WriteOptions, trial: int = TRIAL_FRAMES) -> Estimate:
    """Estimate what a job will cost on this machine.

    Args:
        job: the files to write.
        options: how to write them.
        trial: number of frames that are written to measure their cost; at least 2. Jobs of no more
            frames are written whole.

    Raises:
        JuggleError: the job itself would fail; files that already exist are not checked.
    """
    request = job.request
    if request.frames <= trial:
        cost = run_trial(job, options, request.frames)
        return Estimate(request.frames, job.duration, size=cost.size, seconds=cost.seconds)

    # Two trials of different length. The first frame is the largest, and its time includes the
    # setup, so that only the cost of later frames is extrapolated: the bytes that the longer trial
    # has more, and the time from frame to frame. By chance the longer one may be no larger: then
    # later frames count as 0 bytes.
    first_half = run_trial(job, options, trial // 2)
    both_halves = run_trial(job, options, trial)
    frames_left = request.frames - trial
    size_per_frame = max(both_halves.size - first_half.size, 0) / (trial - trial // 2)
    size = both_halves.size + size_per_frame * frames_left
    seconds = both_halves.seconds + both_halves.per_frame * frames_left
    return Estimate(request.frames, job.duration, size=size, seconds=seconds)


@dataclass(frozen=True)
class Trial:
    """The cost of the first frames.

    Args:
        size: of all files, [bytes].
        seconds: time to write them, [s].
        per_frame: mean time for each frame while frames are drawn and written at once, [s].
        size_per_frame: mean size of the frames after the first, [bytes]; None where a file does not
            have one size for each frame, or there is only one.
    """

    size: int
    seconds: float
    per_frame: float
    size_per_frame: float | None


def run_trial(job: Job, options: WriteOptions, frames: int) -> Trial:
    """Write the first frames of a job to a temporary folder, and measure their cost.

    Args:
        job: the files to write.
        options: how to write them.
        frames: number of frames, at least 1 and at most those of the job.

    Raises:
        JuggleError: the job itself would fail.
    """
    if frames < job.request.frames:
        job = replace(job, request=replace(job.request, seconds=frames / job.request.fps))
    # The start, and then the time at which each frame is reported as done, [s].
    times = [time.perf_counter()]

    def record_time(_done: int, _total: int) -> None:
        times.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        written = job.in_folder(Path(folder)).write(
            force=True, progress=record_time, options=replace(options, resume=False, subtitles="")
        )
        seconds = time.perf_counter() - times[0]
        sizes = _sizes(written) if job.kind in ("frames", "video") else []
        size = sum(path.stat().st_size for path in written)

    # Mean time from frame to frame, from the first one on, whose own time includes the setup. The
    # last `job.waiting` frames are left out as well: they are drawn already while they wait for the
    # writer, so that they are reported faster than others. At least two times are kept where there
    # are as many.
    steady = times[1 : max(len(times) - job.waiting, 3)]
    per_frame = (steady[-1] - steady[0]) / max(len(steady) - 1, 1)
    # Some films merge or add packets: only where there is one for each frame, its size is known.
    mean_size = mean(sizes[1:]) if len(sizes) == frames > 1 else None
    return Trial(size, seconds, per_frame=per_frame, size_per_frame=mean_size)


def _sizes(paths: list[Path]) -> list[int]:
    """Return the size of each file, or where there is only one, of each of its frames, [bytes].

    Args:
        paths: the files of pictures, or a single film; not empty.
    """
    if len(paths) > 1:
        return [path.stat().st_size for path in paths]
    import av

    with av.open(str(paths[0])) as container:
        return [packet.size for packet in container.demux(video=0) if packet.size]
