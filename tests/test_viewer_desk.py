from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.notation import open_pattern, open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.desk import Desk
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.path_prompt import Purpose, guess, local_path


@pytest.fixture
def model() -> Model:
    model = Model(animate("531"))
    model.desk.advance(0.1)
    return model


@pytest.fixture
def desk(model: Model) -> Desk:
    return model.desk


def test_patterns_that_are_skimmed_are_not_in_the_history(model: Model, desk: Desk) -> None:
    model.perform(Action.BROWSE)
    desk.browser.seek("mills mess")
    for _ in range(3):
        model.perform(Action.CHOOSE_NEXT)
        desk.advance(0.1)
    model.perform(Action.TYPE_VALUE)
    desk.advance(0.1)
    assert not desk.browser.shown
    last = model.shown
    model.perform(Action.PATTERN_BEFORE)
    assert model.shown == "531"
    model.perform(Action.PATTERN_AFTER)
    assert model.shown == last


def test_a_pattern_that_is_watched_in_the_browser_is_in_the_history(model: Model, desk: Desk) -> None:
    model.perform(Action.BROWSE)
    desk.browser.seek("cascade")
    model.perform(Action.CHOOSE_NEXT)
    desk.advance(2.0)
    assert desk.browser.recent == [model.shown, "531"]


def test_going_back_can_be_undone(model: Model) -> None:
    model.type_pattern("441")
    model.desk.advance(0.1)
    model.perform(Action.PATTERN_BEFORE)
    assert model.shown == "531"
    model.perform(Action.UNDO)
    assert model.shown == "441"


def test_parameters_stay_while_one_goes_through_the_library(model: Model, desk: Desk) -> None:
    model.type_pattern("pattern=531;chickenwing=55")
    model.perform(Action.BROWSE)
    desk.browser.seek("441")
    model.perform(Action.CHOOSE_NEXT)
    assert model.shown == "441"
    assert model.animation.parameters.chicken_wing == 55


def test_enter_opens_what_the_library_does_not_have(model: Model, desk: Desk) -> None:
    model.perform(Action.BROWSE)
    desk.browser.seek("(6x,4)(4,2x)(4,6x)(2x,4)")
    assert desk.browser.found == ()
    model.perform(Action.TYPE_VALUE)
    assert model.shown == "(6x,4)(4,2x)(4,6x)(2x,4)"
    model.perform(Action.BROWSE)
    desk.browser.seek("zzzqqq")
    model.perform(Action.TYPE_VALUE)
    assert desk.browser.shown
    assert desk.notice.bad
    assert model.pattern_error is None


def test_what_is_copied_gives_the_same_animation(model: Model, desk: Desk) -> None:
    copied: list[str] = []
    desk.write_clipboard = copied.append
    model.type_pattern("pattern=(6x,4)*;gravity=500;title=Low")
    model.perform(Action.COPY)
    again = animate(copied[0])
    assert (again.score, again.parameters) == (model.animation.score, model.animation.parameters)


def test_settings_paths_and_addresses_can_be_pasted(model: Model, desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "a trick.txt"
    path.write_text("b97531\n")
    for text, shown in (("pattern=441;dwell=1", "441"), (f" {path}\n", "b97531"), (path.as_uri(), "b97531")):
        model.type_pattern("3")
        desk.read_clipboard = lambda text=text: text
        model.perform(Action.PASTE)
        assert model.animation.pattern
        assert model.animation.pattern.text == shown
    desk.read_clipboard = str
    model.perform(Action.PASTE)
    assert desk.notice.bad
    desk.read_clipboard = lambda: "54f"
    model.perform(Action.PASTE)
    assert model.line == "54f"
    assert model.pattern_error


def test_a_file_of_many_patterns_is_listed_however_it_is_opened(model: Model, desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("441\nb97531\n")
    assert model.type_pattern(str(path))
    assert (desk.browser.shown, desk.browser.file, model.shown) == (True, str(path), "441")
    model.perform(Action.CHOOSE_NEXT)
    assert model.shown == "b97531"
    desk.browser.shown = False
    model.type_pattern(f"{path}#1")
    assert not desk.browser.shown


def test_a_folder_of_exported_frames_opens_as_what_made_them(model: Model, desk: Desk, tmp_path: Path) -> None:
    import juggle_anim

    juggle_anim.export("pattern=441;dwell=1", tmp_path / "frames", size=(32, 24), fps=2)
    desk.take_files([str(tmp_path / "frames")])
    assert model.shown == "441"
    assert model.animation.parameters.dwell == 1


def test_a_file_that_cannot_be_opened_is_said_and_the_pattern_stays(model: Model, desk: Desk, tmp_path: Path) -> None:
    desk.take_files([str(tmp_path / "nothing.jml")])
    assert "nothing.jml" in desk.notice.words
    assert (model.shown, model.line, model.pattern_error) == ("531", "531", None)


@pytest.mark.parametrize("ending", ["txt", "jml", "jif"])
def test_a_pattern_is_saved_with_its_parameters(model: Model, desk: Desk, tmp_path: Path, ending: str) -> None:
    model.type_pattern("pattern=441;gravity=500")
    desk.prompt.ask(Purpose.SAVE, "")
    desk.apply_prompt(str(tmp_path / f"saved.{ending}"))
    assert desk.prompt.purpose is None
    assert desk.notice.words.startswith("Saved to")
    saved = open_pattern(str(tmp_path / f"saved.{ending}"))
    assert saved.score.pattern
    assert saved.score.pattern.text == "441"
    assert saved.parameters["gravity"] == 500


def test_events_are_saved_to_jml_and_not_copied(model: Model, desk: Desk, tmp_path: Path) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    model.type_pattern(str(tmp_path / "box.jml"))
    model.perform(Action.COPY)
    assert desk.notice.bad
    desk.prompt.ask(Purpose.SAVE, "")
    desk.apply_prompt(str(tmp_path / "again.jml"))
    assert (tmp_path / "again.jml").read_text() == (tmp_path / "box.jml").read_text()


def test_a_path_that_cannot_be_is_refused_with_the_reason(model: Model, desk: Desk, tmp_path: Path) -> None:
    desk.prompt.ask(Purpose.SAVE, "")
    for path in ("", str(tmp_path / "x.gif"), str(tmp_path / "x"), "/proc/none/x.jml", str(tmp_path)):
        desk.apply_prompt(path)
        assert desk.prompt.error, path
    desk.prompt.ask(Purpose.OPEN, "")
    for path in ("", str(tmp_path), "/nowhere.jml", "54f"):
        desk.apply_prompt(path)
        assert desk.prompt.error, path
    assert model.shown == "531"
    assert model.pattern_error is None


def test_a_guess_of_a_path_is_the_name_of_a_file() -> None:
    assert guess("(6x,4)*", Path("/a")) == "/a/(6x,4)_.jml"
    assert guess("../../etc/passwd\n", Path("/a")) == "/a/_.._etc_passwd_.jml"
    assert guess("...", Path("/a")) == "/a/pattern.jml"
    assert local_path("file:///a/my%20trick.jml\r\n") == "/a/my trick.jml"


def test_the_pattern_that_is_shown_is_starred(model: Model, desk: Desk) -> None:
    model.perform(Action.STAR)
    assert desk.browser.favourites == ["531"]
    model.perform(Action.STAR)
    assert desk.browser.favourites == []


def test_a_home_that_nobody_has_is_refused_and_can_be_mended() -> None:
    model = Model(animate("3"))
    for ask in (model.desk.ask_to_open, model.desk.ask_to_save):
        ask()
        model.desk.apply_prompt("~nobody-here/tricks.jml")
        assert "there is no home ~nobody-here" in model.desk.prompt.error
        assert model.desk.prompt.purpose
