import io
import pickle
from pathlib import Path
from types import SimpleNamespace

import pytest

import juggle_anim as ja
from juggle_anim.metadata.record import read_metadata, read_record
from juggle_anim.viewer import background_export
from juggle_anim.viewer.editor.film_camera import film_question
from juggle_anim.viewer.screenshot import FilmCamera, WantedExport
from juggle_anim.viewer.state.camera_rig import CameraRig


def test_enter_films_what_the_window_shows_and_escape_films_nothing() -> None:
    asked: list[FilmCamera] = []
    question = film_question("a.mp4", CameraRig(), asked.append)
    for key in ("enter", "escape"):
        answer = question.press(key)
        assert answer
        answer.do()
    assert asked == [FilmCamera.HERE]


def test_a_camera_that_was_turned_can_come_from_the_front() -> None:
    asked: list[FilmCamera] = []
    rig = CameraRig()
    assert film_question("a.mp4", rig, asked.append).type("f") is None
    rig.fly("left")
    for key in ("o", "f"):
        answer = film_question("a.mp4", rig, asked.append).type(key)
        assert answer
        answer.do()
    assert asked == [FilmCamera.TURNTABLE, FilmCamera.FROM_FRONT]


@pytest.mark.parametrize(
    ("camera", "seen"),
    [
        (FilmCamera.HERE, "90,10"),
        (FilmCamera.TURNTABLE, "turntable"),
        (FilmCamera.FROM_FRONT, "front@0 90.0,10.0@0.80"),
    ],
)
def test_a_film_is_seen_from_where_the_answer_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: FilmCamera, seen: str
) -> None:
    animation = ja.animate("(2x,2x)", bps=2.0 / 0.5)
    path = tmp_path / "a.gif"
    task = pickle.dumps((animation.score, animation.parameters, WantedExport(path, camera), "90.0,10.0"))
    # In this process, which does not step back; that one beside the window writes is seen by tests of the window.
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(task)))
    monkeypatch.setattr(background_export, "step_back", lambda: None)
    monkeypatch.setattr(background_export, "_SMALL", (64, 48))
    background_export.work()
    record = read_record(read_metadata(path) or "")
    assert record
    assert record.picture["camera"] == seen
