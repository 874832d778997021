from pathlib import Path

import pytest
from long_cases import sampled
from PIL import Image, ImageSequence

import juggle_anim as ja
from juggle_anim.formats import EXPORTS
from juggle_anim.metadata.documents import read_metadata, read_record
from juggle_anim.viewer import recording
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.editor.files import film_question, offered_cameras
from juggle_anim.viewer.recording import Task, write_task
from juggle_anim.viewer.screenshot import FilmCamera, WantedExport
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.prompt import SAVE_KINDS, SaveKind

KEYS = "0.0,8.0@0 90.0,8.0@2 20.0,30.0@4.5"


def test_enter_films_what_the_window_shows_and_escape_films_nothing() -> None:
    asked: list[FilmCamera] = []
    question = film_question("a.mp4", offered_cameras(CameraRig()), asked.append)
    for key in ("enter", "escape"):
        answer = question.press(key)
        assert answer
        answer.do()
    assert asked == [FilmCamera.HERE]


def test_a_camera_that_was_turned_can_come_from_the_front() -> None:
    asked: list[FilmCamera] = []
    rig = CameraRig()
    assert film_question("a.mp4", offered_cameras(rig), asked.append).type("f") is None
    rig.fly("left")
    for key in ("o", "f"):
        answer = film_question("a.mp4", offered_cameras(rig), asked.append).type(key)
        assert answer
        answer.do()
    assert asked == [FilmCamera.TURNTABLE, FilmCamera.FROM_FRONT]


def test_enter_follows_a_camera_path_where_there_is_one() -> None:
    asked: list[FilmCamera] = []
    for key in ("enter", "h"):
        question = film_question("a.mp4", offered_cameras(CameraRig(), has_path=True), asked.append)
        answer = question.press(key) or question.type(key)
        assert answer
        answer.do()
    assert asked == [FilmCamera.PATH, FilmCamera.HERE]


def test_films_ask_for_their_camera_once_and_again_where_one_is_replaced(
    controller: Controller, tmp_path: Path
) -> None:
    files, screen = controller.library.files, controller.model.screen

    def save(name: str, key: str = "") -> FilmCamera | None:
        """Return with which camera a film is written once a key has answered, if it is."""
        screen.export_wanted = None
        path = tmp_path / name
        for _time in range(1 + path.exists()):  # again to replace it
            files.save_to(path, str(path))
        if files.question:
            files.answer(files.question.type(key) or files.question.press("escape"))
        return screen.export_wanted and screen.export_wanted.camera

    assert save("a.gif") is None, "it asks"
    assert save("a.gif", "o") is FilmCamera.TURNTABLE
    assert save("b.gif") is FilmCamera.TURNTABLE
    (tmp_path / "b.gif").touch()
    assert save("b.gif") is None
    controller.model.rig.fly("left")
    assert save("c.mp4") is None, "another camera is offered now"


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
    wanted = WantedExport(path, camera, KEYS)
    monkeypatch.setattr(recording, "_GIF_SIZE", (64, 48))
    told: list[tuple[int, int]] = []
    write_task(
        Task(animation.score, animation.parameters, wanted, "90.0,10.0"),
        lambda done, total: told.append((done, total)),
    )
    total = told[-1][1]
    assert told == [(done, total) for done in range(1, total + 1)]
    record = read_record(read_metadata(path) or "")
    assert record
    assert record.picture["camera"] == seen
    if camera is FilmCamera.PATH:
        with Image.open(path) as film:
            lasts = sum(frame.info["duration"] for frame in ImageSequence.Iterator(film)) / 1000
        assert lasts > 4.5  # the camera arrives


QUICK = ("Ladder", "Line drawing", "Contact sheet")


@pytest.mark.parametrize(
    "kind",
    sampled(SAVE_KINDS[3:], *(kind for kind in SAVE_KINDS if kind.name in QUICK)),
    ids=lambda kind: kind.name,
)
def test_every_kind_is_saved_from_a_camera_that_was_turned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: SaveKind
) -> None:
    monkeypatch.setattr(recording, "_DEFAULT_SIZE", (64, 48))
    animation = ja.animate("(2x,2x)")
    # Drawings are written to all their endings in one way: the ladder, the quickest, has them all.
    for ending in (".png",) if kind.picture not in ("", "ladder") else kind.endings:
        if EXPORTS.get(ending) and EXPORTS[ending].require and ending != ".exr":
            continue  # a library that not everybody has
        path = tmp_path / f"a{ending}"
        wanted = WantedExport(path, picture=kind.picture)
        task = Task(animation.score, animation.parameters, wanted, "90.0,10.0", time=0.1)
        write_task(task, lambda *_: None)
        assert list(tmp_path.glob(f"*{ending}"))
