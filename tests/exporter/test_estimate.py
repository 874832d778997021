from pathlib import Path

import pytest
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.exporter.jobs import estimate, export_jobs
from juggle_anim.exporter.options import DEFAULT_OPTIONS, ExportOptions


@pytest.mark.parametrize(
    "name",
    sampled(
        ["frames", "a_###.jpg", "a.mp4", "a.gif", "a.png", "a.apng"],
        "frames",
        "a.gif",
        "a.png",
    ),
)
def test_an_estimate_is_near_what_the_export_comes_to(tmp_path: Path, name: str) -> None:
    (job,) = export_jobs(
        animate("531"), tmp_path / "out" / name, ExportOptions(size=(64, 48), fps=30)
    )
    expected = estimate(job, DEFAULT_OPTIONS)
    assert list(tmp_path.iterdir()) == []
    written = job.write()
    assert expected.frames == job.request.frames
    assert expected.duration == pytest.approx(0.0 if name == "a.png" else job.request.duration)
    assert expected.size == pytest.approx(sum(path.stat().st_size for path in written), rel=0.4)
    assert expected.seconds > 0


def test_more_of_the_same_takes_longer_and_more_room(tmp_path: Path) -> None:
    costs = []
    for loops in (1, 40):
        (job,) = export_jobs(
            animate("531"), tmp_path / "a.gif", ExportOptions(size=(64, 48), fps=30, loops=loops)
        )
        costs.append(estimate(job, DEFAULT_OPTIONS))
    assert costs[1].size > 20 * costs[0].size
    assert costs[1].seconds > costs[0].seconds


def test_frames_that_are_there_are_no_matter(tmp_path: Path) -> None:
    (tmp_path / "frame_00000.png").write_bytes(b"mine")
    options = ExportOptions(size=(16, 12), fps=10, resume=True)
    (job,) = export_jobs(animate("3"), tmp_path, options)
    assert estimate(job, options).frames == job.request.frames
    assert [path.name for path in tmp_path.iterdir()] == ["frame_00000.png"]
