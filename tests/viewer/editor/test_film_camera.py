import io
import pickle
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image, ImageSequence

import juggle_anim as ja
from juggle_anim.metadata.record import read_metadata, read_record
from juggle_anim.viewer import background_export
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.editor.files import film_question
from juggle_anim.viewer.screenshot import FilmCamera, WantedExport

KEYS = "0.0,8.0@0 90.0,8.0@2 20.0,30.0@4.5"


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


def test_enter_follows_a_camera_path_where_there_is_one() -> None:
    asked: list[FilmCamera] = []
    for key in ("enter", "h"):
        question = film_question("a.mp4", CameraRig(), asked.append, has_path=True)
        answer = question.press(key) or question.type(key)
        assert answer
        answer.do()
    assert asked == [FilmCamera.PATH, FilmCamera.HERE]


@pytest.mark.parametrize(
    ("camera", "seen"),
    [
        (FilmCamera.HERE, "90,10"),
        (FilmCamera.TURNTABLE, "turntable"),
        (FilmCamera.FROM_FRONT, "front@0 90.0,10.0@0.80"),
        (FilmCamera.PATH, KEYS),
    ],
)
def test_a_film_is_seen_from_where_the_answer_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: FilmCamera, seen: str
) -> None:
    animation = ja.animate("(2x,2x)", bps=2.0 / 0.5)
    path = tmp_path / "a.gif"
    task = pickle.dumps(
        (animation.score, animation.parameters, WantedExport(path, camera, KEYS), "90.0,10.0")
    )
    # In this process, which does not step back; that one beside the window writes is seen by tests
    # of the window.
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(task)))
    monkeypatch.setattr(background_export, "step_back", lambda: None)
    monkeypatch.setattr(background_export, "_GIF_SIZE", (64, 48))
    background_export.work()
    record = read_record(read_metadata(path) or "")
    assert record
    assert record.picture["camera"] == seen
    if camera is FilmCamera.PATH:
        with Image.open(path) as film:
            lasts = sum(frame.info["duration"] for frame in ImageSequence.Iterator(film)) / 1000
        assert lasts > 4.5  # the camera arrives
