from pathlib import Path

import numpy as np
import pytest
from foreign_programs import probed
from PIL import Image

import juggle_anim as ja
from juggle_anim.animation import animate
from juggle_anim.choreography import EventKind
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.view import FrameRequest, moments
from juggle_anim.render import Offscreen

FIVE = animate("531", bps=4.0)  # a loop of 1.5 s


def test_beats_are_even_and_throws_and_catches_are_those_of_the_events() -> None:
    assert moments(FIVE, "beats", 0.0, 1.5) == pytest.approx(np.arange(6) / 4)
    assert moments(FIVE, "beats", 0.3, 1.5) == pytest.approx(np.arange(2, 8) / 4)
    events = FIVE.choreography.events
    for name, kind in (("throws", EventKind.THROW), ("catches", EventKind.CATCH)):
        wanted = events.time[events.kind == kind]
        assert moments(FIVE, name, 0.0, 3.0) == pytest.approx(np.sort([*wanted, *(wanted + 1.5)]))
    assert len(moments(animate("(4,4)"), "throws", 0.0, animate("(4,4)").duration)) == 1


def test_each_picture_is_that_of_its_moment(tmp_path: Path) -> None:
    how = {"size": (64, 48), "cameras": ("front",)}
    paths = ja.export(FIVE, tmp_path / "a_##.png", at="catches", **how)  # type: ignore[arg-type]
    times = moments(FIVE, "catches", 0.0, 1.5)
    assert len(paths) == len(times) == 6
    with Offscreen(64, 48) as offscreen:
        for path, time in zip(paths, times, strict=True):
            drawn = offscreen.image(FIVE.scene(float(time), FIVE.camera(4 / 3, 0.0)))
            assert (np.asarray(Image.open(path)) == drawn).all()
    assert probed(paths[0])["streams"][0]["width"] == 64
    assert ja.export(FIVE, tmp_path / "a_##.png", at="catches", resume=True, **how) == paths  # type: ignore[arg-type]


def test_slow_motion_and_spans_count_in_time_as_played() -> None:
    shots = FrameRequest(FIVE.replace(speed=0.5), (8, 8), 60, start=1.0, seconds=1.0, at="beats")
    assert shots.times == pytest.approx([0.5, 0.75])
    assert shots.duration == 1.0


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    for how, said in (
        (
            {"path": "a.mp4"},
            r"at works only for separate pictures, such as a_##\.png or a folder",
        ),
        ({"path": "a", "at": "catch"}, "did you mean catches"),
        ({"path": "a", "at": "catches", "seconds": 0.001}, "have no catches"),
    ):
        options = {"size": (8, 8), "at": "beats", **how}
        with pytest.raises(ParameterError, match=said):
            ja.export("3", tmp_path / str(options.pop("path")), **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
