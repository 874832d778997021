import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.notation import open_pattern, open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.session.session import Autosave, offer_recovered
from juggle_anim.viewer.state.controller import Controller


def edited(*patterns: str) -> Controller:
    """A viewer in which patterns were opened and then edited by hand."""
    controller = Controller(animate("531"))
    for pattern in patterns:
        controller.model.type_pattern("3")
        edit(controller, pattern)
    return controller


def edit(controller: Controller, pattern: str) -> None:
    score = open_pattern(pattern).score
    controller.model.change(
        lambda animation: Animation(score, animation.parameters), f"edit {pattern}"
    )


def work_files(root: Path) -> list[Path]:
    return sorted(root.glob("*/work.json"))


def give_up(autosave: Autosave) -> None:
    """What the system does to the locks of a window that is killed."""
    assert autosave._folder
    autosave._folder.release()


def reopened(root: Path, answer: str) -> tuple[Controller, Autosave]:
    controller, autosave = Controller(animate("3")), Autosave(root)
    offer_recovered(controller, autosave)
    question = controller.library.files.question
    assert question
    controller.library.files.answer(next(each for each in question.answers if each.label == answer))
    return controller, autosave


def test_work_is_written_once_a_second_while_it_changes_and_removed_once_it_is_saved(
    tmp_path: Path,
) -> None:
    now = [0.0]
    controller, autosave = edited(), Autosave(tmp_path, lambda: now[0])
    documents = controller.model.documents
    written = []
    for pattern in ("441", "441", "423", "51"):
        edit(controller, pattern)
        now[0] += 0.6
        autosave.advance(documents.unsaved)
        if autosave._thread:
            autosave._thread.join()
        written.append(work_files(tmp_path)[0].read_text())
    assert [text.split("pattern=")[1].split('"')[0] for text in written] == [
        "441",
        "441",
        "423",
        "423",
    ]
    documents.of(controller.model.chosen_step).saved = controller.model.chosen_step
    autosave.end(documents.unsaved)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_where_nothing_was_edited(tmp_path: Path) -> None:
    controller, autosave = edited(), Autosave(tmp_path / "recovery")
    controller.model.type_pattern("97531")
    autosave.advance(controller.model.documents.unsaved)
    autosave.end(controller.model.documents.unsaved)
    assert not (tmp_path / "recovery").exists()


def test_all_unsaved_patterns_of_a_window_that_was_killed_are_opened_and_kept_on(
    tmp_path: Path,
) -> None:
    controller, autosave = edited("441", "51"), Autosave(tmp_path)
    autosave.flush(controller.model.documents.unsaved)
    give_up(autosave)
    again, other = reopened(tmp_path, "Open")
    unsaved = again.model.documents.unsaved
    assert [document.latest.score.pattern.text for document in unsaved] == ["441", "51"]
    assert again.model.animation.pattern.text == "51"
    assert len(work_files(tmp_path)) == 1  # of the new window
    give_up(other)
    assert [
        each.latest.score.name for each in reopened(tmp_path, "Open")[0].model.documents.unsaved
    ] == ["441", "51"]


def test_recovered_work_is_discarded_or_offered_again_later(tmp_path: Path) -> None:
    controller, autosave = edited("441"), Autosave(tmp_path)
    autosave.flush(controller.model.documents.unsaved)
    give_up(autosave)
    reopened(tmp_path, "Later")
    again, _ = reopened(tmp_path, "Discard")
    assert not again.model.documents.unsaved
    assert work_files(tmp_path) == []


def test_events_their_file_and_parameters_are_recovered(tmp_path: Path) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4)"))
    path = tmp_path / "box.jml"
    write_file(patterns, path)
    controller, autosave = Controller(animate("3")), Autosave(tmp_path / "recovery")
    controller.library.open_text(str(path))
    controller.model.step_value(3)
    events = open_pattern(str(path)).score
    assert events.placed
    events.placed.events.position[0] += 0.1
    controller.model.change(lambda animation: Animation(events, animation.parameters), "edit")
    autosave.end(controller.model.documents.unsaved)  # as at a signal
    again, _ = reopened(tmp_path / "recovery", "Open")
    (document,) = again.model.documents.unsaved
    assert document.path == path
    assert not document.has_newer_file
    assert document.latest.parameters == controller.model.animation.parameters
    recovered = document.latest.score.placed
    assert recovered
    assert np.abs(recovered.events.position - events.placed.events.position).max() < 1e-4


def test_the_work_of_a_window_that_still_lives_is_not_offered(tmp_path: Path) -> None:
    controller, autosave = edited("441"), Autosave(tmp_path)
    autosave.flush(controller.model.documents.unsaved)
    program = (
        "from pathlib import Path; from juggle_anim.viewer.session.session import Autosave;"
        f"print(len(Autosave(Path({str(tmp_path)!r})).abandoned()))"
    )
    offered = [
        subprocess.check_output([sys.executable, "-c", program], text=True) for _ in range(2)
    ]
    assert offered == ["0\n", "0\n"]
    give_up(autosave)
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "1\n"


def test_work_that_cannot_be_read_is_kept_under_another_name_and_said_once(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "work.json").write_text('{"work": [{"settings": "999x9"}]}')
    controller = Controller(animate("3"))
    offer_recovered(controller, Autosave(tmp_path))
    assert f"kept in {tmp_path / 'broken.json'}" in controller.model.notice.text
    assert controller.library.files.question is None
    assert "999x9" in (tmp_path / "broken.json").read_text()
    offer_recovered(again := Controller(animate("3")), Autosave(tmp_path))
    assert again.model.notice.text == ""


GOOD: dict[str, object] = {"settings": "pattern=531", "parameters": {}, "path": None, "stamp": None}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "5",
        "null",
        '{"work": 5}',
        '{"work": {"settings": "3"}}',
        '{"work": [5]}',
        "[" * 100_000,
        '{"work": [{"parameters": {}}]}',
        *(
            json.dumps({"work": [GOOD, {**GOOD, **part}]})
            for part in (
                {"parameters": 5},
                {"parameters": None},
                {"parameters": {"dwell": "wide"}},
                {"parameters": {"dwell": [1]}},
                {"settings": 5},
                {"settings": "pattern=532"},
                {"path": 5},
                {"path": ["a"]},
                {"stamp": 5},
                {"stamp": [1]},
                {"stamp": ["a", None]},
            )
        ),
        *(
            json.dumps({"work": [{"parameters": {}, **part}]})
            for part in (
                {"jml": 5},
                {"jml": ""},
                {"jml": "<jml version='3'><patternlist></patternlist></jml>"},
                {"routine": 5, "title": ""},
                {"routine": "531 2 loops"},
                {"routine": "stop", "title": ""},
            )
        ),
    ],
)
def test_no_file_of_work_keeps_a_window_from_opening(tmp_path: Path, content: str) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "work.json").write_text(content)
    controller = Controller(animate("3"))
    offer_recovered(controller, Autosave(tmp_path))
    assert "kept in" in controller.model.notice.text
    assert "object" not in controller.model.notice.text, "the notice is for jugglers"
    assert (tmp_path / "broken.json").read_text() == content
    assert not (tmp_path / "broken").exists()


def test_a_full_disk_is_said_and_work_is_written_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    controller, autosave = edited("441"), Autosave(tmp_path, lambda: now[0])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert not autosave.flush(controller.model.documents.unsaved)
    assert "No space left on device" in autosave.error
    now[0] += 20
    autosave.advance(controller.model.documents.unsaved)
    autosave.end(controller.model.documents.unsaved)
    assert autosave.error == ""
    assert len(work_files(tmp_path)) == 1
