from pathlib import Path

import juggle_anim
from juggle_anim.animation import animate
from juggle_anim.viewer.state.actions import Controller
from juggle_anim.viewer.state.browser import MAX_FILES, listed_in_files
from juggle_anim.viewer.state.keymap import Action


def files(folder: Path) -> list[str]:
    (folder / "any.bin").write_bytes(bytes(range(256)))
    (folder / "many.txt").write_text("441\nb97531  # eleven\n")
    (folder / "one.txt").write_text("pattern=97531;gravity=500\n")
    juggle_anim.export("pattern=51;dwell=1", folder / "picture.png", size=(32, 24))
    return [str(folder / name) for name in ("any.bin", "many.txt", "one.txt", "picture.png", "gone.jml")]


def test_all_patterns_of_all_files_are_listed_and_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    listed = listed_in_files(files(tmp_path))
    assert [each.pattern.name for each in listed] == [
        "any.bin",
        "441",
        "eleven",
        "pattern=97531;gravity=500",
        "51",
        "gone.jml",
    ]
    assert [bool(each.reason) for each in listed] == [True, False, False, False, False, True]


def test_the_first_that_is_valid_plays_and_arrows_go_through_all_files(tmp_path: Path) -> None:
    controller = Controller(animate("531"))
    model = controller.model
    browser = controller.library.browser
    controller.library.take_files(files(tmp_path))
    assert (browser.shown, browser.file, model.text) == (True, "5 files", "441")
    seen = []
    for _ in range(3):
        controller.perform(Action.CHOOSE_NEXT)
        assert model.animation.pattern
        seen.append((model.animation.pattern.text, model.animation.parameters.gravity))
    assert seen == [("b97531", 980.0), ("97531", 500.0), ("51", 980.0)]
    controller.perform(Action.CHOOSE_NEXT)
    assert "Not valid" in model.notice.text


def test_files_of_which_none_is_valid_leave_the_pattern(tmp_path: Path) -> None:
    controller = Controller(animate("531"))
    model = controller.model
    controller.library.take_files([str(tmp_path / "gone.jml"), str(tmp_path / "away.jml")])
    assert (model.text, model.notice.is_error) == ("531", True)


def test_of_very_many_files_the_first_are_listed(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("441\n")
    controller = Controller(animate("531"))
    model = controller.model
    controller.library.take_files([str(tmp_path / "one.txt")] * (MAX_FILES + 1))
    assert len(controller.library.browser.results) == MAX_FILES
    assert str(MAX_FILES) in model.notice.text
