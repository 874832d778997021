from pathlib import Path
from typing import Any

import pytest

from juggle_anim.animation import animate
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.jobs import Job, export_jobs
from juggle_anim.exporter.options import ALL_PROPS, ExportOptions
from juggle_anim.exporter.resume import Template
from juggle_anim.exporter.view import MIN_VIDEO_SECONDS
from juggle_anim.formats import VIDEOS

ANIMATION = animate("531")


def jobs(path: str, **given: Any) -> list[Job]:
    return export_jobs(ANIMATION, Path(path), ExportOptions(**{"size": (16, 12), **given}))


def job(path: str, **given: Any) -> Job:
    (only,) = jobs(path, **given)
    return only


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("out", "frames"),
        ("a_###.jpg", "frames"),
        ("out/%04d.TIF", "frames"),
        ("a.mp4", "video"),
        ("a.GIF", "video"),
        ("a.webp", "video"),
        ("a.png", "still"),
        ("a.JPG", "still"),
        ("a.glb", "model"),
        ("out/a.CSV", "model"),
    ],
)
def test_the_path_says_what_is_written(path: str, kind: str) -> None:
    assert job(path).kind == kind


@pytest.mark.parametrize("path", ["a_##.gif", "a_##", "a_##.mp4"])
def test_numbered_frames_that_are_no_pictures_are_refused(path: str) -> None:
    with pytest.raises(ParameterError, match=r"frames are pictures; use \.png, \.jpg.*\.exr$"):
        jobs(path)


@pytest.mark.parametrize("path", ["a.avi", "a.mp3"])
def test_an_ending_that_nothing_has_is_refused_with_those_there_are(path: str) -> None:
    with pytest.raises(ParameterError, match=r"cannot save .*; use \.mp4, \.webm.*shot_####\.png"):
        jobs(path)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a.svg", "juggle-anim draw does"),
        ("a.PDF", "juggle-anim draw does"),
        ("a.jml", "juggle-anim convert does"),
        (".gif", "write one before the ending, such as a.gif"),
    ],
)
def test_a_path_that_means_something_else_is_answered_with_what_it_may_mean(
    path: str, words: str
) -> None:
    with pytest.raises(ParameterError, match=words):
        jobs(path)


@pytest.mark.parametrize(
    ("path", "fps"), [("out", 60), ("a.mp4", 60), ("a.gif", 100 / 3), ("a.apng", 30), ("a.png", 60)]
)
def test_each_kind_has_its_usual_rate(path: str, fps: float) -> None:
    assert job(path).request.fps == fps
    assert job(path, fps=20).request.fps == 20


def test_frames_are_one_loop_and_films_bring_every_prop_back() -> None:
    back = job("out", loops=ALL_PROPS).request.loops
    assert job("out").request.loops == 1
    assert job("out", loops=2).request.loops == 2
    for ending, film in VIDEOS.items():
        shots = job(f"a{ending}").request
        assert shots.loops % back == 0
        assert (shots.loops == back) if film.repeats else (shots.duration >= MIN_VIDEO_SECONDS)
        assert job(f"a{ending}", loops=1).request.loops == 1
    assert job("a.glb").request.loops == back
    assert job("a.glb", seconds=1).request.loops == 1


def test_a_still_is_the_picture_of_its_time() -> None:
    shots = job("a.png", start=0.3).request
    assert (shots.frames, list(shots.times)) == (1, [0.3])


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("a.gif", ["a-front.gif", "a-30,10.gif"]),
        ("b/a.png", ["b/a-front.png", "b/a-30,10.png"]),
        ("{camera}/a.mp4", ["front/a.mp4", "30,10/a.mp4"]),
        ("out", ["out/front", "out/30,10"]),
        ("out/a##.png", ["out/front/a07.png", "out/30,10/a07.png"]),
        ("out/{camera}_##.png", ["out/front_07.png", "out/30,10_07.png"]),
    ],
)
def test_each_of_several_cameras_has_files_of_its_own(path: str, places: list[str]) -> None:
    found = [each.destination for each in jobs(path, cameras=("front", "30,10", "front"))]
    assert [str(each.path(7) if isinstance(each, Template) else each) for each in found] == places


def test_one_camera_changes_no_name() -> None:
    assert job("a.gif", cameras=("left",)).destination == Path("a.gif")
    assert job("a.gif", cameras=("left",)).request.view.name == "left"
    assert job("{camera}.gif").destination == Path("default.gif")


def test_loops_are_a_number_or_all() -> None:
    with pytest.raises(
        ParameterError, match="loops is 'many', but must be a whole number, 1 or more, or all"
    ):
        jobs("out", loops="many")


def test_a_time_and_loops_together_are_refused() -> None:
    with pytest.raises(ParameterError, match="use either seconds or loops, not both"):
        jobs("a.gif", loops=2, seconds=1.0)


@pytest.mark.parametrize("path", ["a.webp", "a_##.webp"])
def test_a_webp_larger_than_its_format_allows_is_refused_before_anything_is_written(
    path: str, tmp_path: Path
) -> None:
    (large,) = export_jobs(ANIMATION, tmp_path / "new" / path, ExportOptions(size=(16_384, 2)))
    with pytest.raises(ParameterError, match="at most 16383 pixels"):
        large.write()
    assert list(tmp_path.iterdir()) == []
