from pathlib import Path

import pytest
from long_cases import sampled
from PIL import Image, ImageSequence

import juggle_anim as ja
from juggle_anim.formats import EXPORTS
from juggle_anim.metadata.documents import read_metadata, read_record
from juggle_anim.viewer import recording
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.editor.files import offered_cameras
from juggle_anim.viewer.recording import Task, write_task
from juggle_anim.viewer.screenshot import FilmCamera, WantedExport
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.prompt import SAVE_KINDS, SaveKind

KEYS = "0.0,8.0@0 90.0,8.0@2 20.0,30.0@4.5"


def test_a_camera_that_was_turned_can_come_from_the_front() -> None:
    rig = CameraRig()
    usual = FilmCamera.HERE, FilmCamera.TURNTABLE
    assert offered_cameras(rig) == usual
    assert offered_cameras(rig, has_path=True) == (FilmCamera.PATH, *usual)
    rig.fly("left")
    assert offered_cameras(rig) == (*usual, FilmCamera.FROM_FRONT)


@pytest.mark.parametrize("has_dialog", [False, True])
def test_the_prompt_offers_cameras_and_the_chosen_one_stays(
    controller: Controller, tmp_path: Path, has_dialog: bool
) -> None:
    files, screen = controller.library.files, controller.model.screen
    prompt = controller.library.prompt

    def save(name: str, camera: FilmCamera | None = None) -> FilmCamera | None:
        """Return with which camera a film is written, if it is."""
        screen.export_wanted = None
        controller.perform(Action.SAVE_FILE)
        prompt.text = str(tmp_path / name)
        if has_dialog:
            prompt.kind = None
        if camera:
            files.film_camera = camera
        controller.library.apply_prompt(prompt.text)
        return screen.export_wanted and screen.export_wanted.camera

    if has_dialog:
        assert save("a.gif") is None, "the prompt follows the dialog"
        assert prompt.is_film
        controller.library.apply_prompt(prompt.text)
        assert screen.export_wanted
        assert screen.export_wanted.camera is FilmCamera.HERE
    assert save("a.gif", FilmCamera.TURNTABLE) is FilmCamera.TURNTABLE
    assert save("b.gif") is FilmCamera.TURNTABLE
    assert prompt.purpose is None
    controller.perform(Action.SAVE_FILE)
    prompt.text = prompt.take_kind(SAVE_KINDS[0], prompt.text)
    assert not prompt.is_film, "a pattern needs no camera"


@pytest.mark.parametrize(
    ("camera", "seen"),
    [
        (FilmCamera.HERE, "90,10"),
        (FilmCamera.TURNTABLE, "turntable"),
        (FilmCamera.FROM_FRONT, "front@0 90.0,10.0@0.80"),
        (FilmCamera.PATH, KEYS),
    ],
)
def test_a_film_is_seen_from_where_the_choice_says(
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


QUICK = ("Ladder",)


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
