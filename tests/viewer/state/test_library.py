from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.notation import open_pattern, open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.panel.controls import CONTROLS, JUGGLERS
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Purpose, local_path, suggest_path


@pytest.fixture
def desk(controller: Controller) -> LibraryController:
    return controller.library


def test_patterns_that_are_skimmed_are_not_in_the_history(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    model.live_change = (
        False  # the way from one to the other takes long, and history knows nothing of it
    )
    controller.perform(Action.BROWSE)
    desk.browser.search("mills mess")
    for _ in range(3):
        controller.perform(Action.CHOOSE_NEXT)
        desk.advance(0.1)
    controller.perform(Action.TYPE_VALUE)
    desk.advance(0.1)
    assert not desk.is_browsing
    last = model.text
    controller.perform(Action.PATTERN_BEFORE)
    assert model.text == "531"
    controller.perform(Action.PATTERN_AFTER)
    assert model.text == last


def test_a_pattern_that_is_watched_in_the_browser_is_in_the_history(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    controller.perform(Action.BROWSE)
    desk.browser.search("cascade")
    controller.perform(Action.CHOOSE_NEXT)
    desk.advance(2.0)
    assert desk.browser.recent == [model.text, "531"]


def test_going_back_can_be_undone(model: Model, controller: Controller) -> None:
    model.type_pattern("441")
    controller.library.advance(0.1)
    controller.perform(Action.PATTERN_BEFORE)
    assert model.text == "531"
    controller.perform(Action.UNDO)
    assert model.text == "441"


def test_parameters_stay_while_one_goes_through_the_library(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    model.type_pattern("pattern=531;chickenwing=55")
    controller.perform(Action.BROWSE)
    desk.browser.search("441")
    controller.perform(Action.CHOOSE_NEXT)
    assert model.text == "441"
    assert model.animation.parameters.chicken_wing == 55


def test_enter_opens_what_the_library_does_not_have(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    controller.perform(Action.BROWSE)
    desk.browser.search("(6x,4)(4,2x)(4,6x)(2x,4)")
    assert desk.browser.results == ()
    controller.perform(Action.TYPE_VALUE)
    assert model.text == "(6x,4)(4,2x)(4,6x)(2x,4)"
    controller.perform(Action.BROWSE)
    desk.browser.search("zzzqqq")
    controller.perform(Action.TYPE_VALUE)
    assert desk.is_browsing
    assert model.notice.is_error
    assert model.pattern_error is None


def test_what_is_copied_gives_the_same_animation(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    copied: list[str] = []
    desk.write_clipboard = copied.append
    model.type_pattern("pattern=(6x,4)*;gravity=500;title=Low")
    controller.perform(Action.COPY)
    again = animate(copied[0])
    assert (again.score, again.parameters) == (model.animation.score, model.animation.parameters)


def test_settings_paths_and_addresses_can_be_pasted(
    model: Model, controller: Controller, desk: LibraryController, tmp_path: Path
) -> None:
    path = tmp_path / "a trick.txt"
    path.write_text("b97531\n")
    for text, shown in (
        ("pattern=441;dwell=1", "441"),
        (f" {path}\n", "b97531"),
        (path.as_uri(), "b97531"),
    ):
        model.type_pattern("3")
        desk.read_clipboard = lambda text=text: text
        controller.perform(Action.PASTE)
        assert model.animation.pattern
        assert model.animation.pattern.text == shown
    desk.read_clipboard = str
    controller.perform(Action.PASTE)
    assert model.notice.is_error
    desk.read_clipboard = lambda: "54f"
    controller.perform(Action.PASTE)
    assert model.line == "54f"
    assert model.pattern_error


def test_a_file_of_many_patterns_is_listed_however_it_is_opened(
    model: Model, controller: Controller, desk: LibraryController, tmp_path: Path
) -> None:
    path = tmp_path / "many.txt"
    path.write_text("441\nb97531\n")
    assert desk.open_text(str(path))
    assert (desk.is_browsing, desk.browser.file, model.text) == (True, str(path), "441")
    controller.perform(Action.CHOOSE_NEXT)
    assert model.text == "b97531"
    desk.close_browser()
    model.type_pattern(f"{path}#1")
    assert not desk.is_browsing


def test_a_folder_of_exported_frames_opens_as_what_made_them(
    model: Model, desk: LibraryController, tmp_path: Path
) -> None:
    import juggle_anim

    juggle_anim.export("pattern=441;dwell=1", tmp_path / "frames", size=(32, 24), fps=2)
    desk.take_files([str(tmp_path / "frames")])
    assert model.text == "441"
    assert model.animation.parameters.dwell == 1


def test_a_file_that_cannot_be_opened_is_said_and_the_pattern_stays(
    model: Model, desk: LibraryController, tmp_path: Path
) -> None:
    desk.take_files([str(tmp_path / "nothing.jml")])
    assert "nothing.jml" in model.notice.text
    assert (model.text, model.line, model.pattern_error) == ("531", "531", None)


@pytest.mark.parametrize("ending", ["txt", "jml", "jif"])
def test_a_pattern_is_saved_with_its_parameters(
    model: Model, desk: LibraryController, tmp_path: Path, ending: str
) -> None:
    model.type_pattern("pattern=441;gravity=500")
    desk.prompt.ask(Purpose.SAVE, "")
    desk.apply_prompt(str(tmp_path / f"saved.{ending}"))
    assert desk.prompt.purpose is None
    assert model.notice.text.startswith("Saved to")
    saved = open_pattern(str(tmp_path / f"saved.{ending}"))
    assert saved.score.pattern
    assert saved.score.pattern.text == "441"
    assert saved.parameters["gravity"] == 500


def test_events_are_saved_to_jml_and_not_copied(
    model: Model, controller: Controller, desk: LibraryController, tmp_path: Path
) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    model.type_pattern(str(tmp_path / "box.jml"))
    controller.perform(Action.COPY)
    assert model.notice.is_error
    desk.prompt.ask(Purpose.SAVE, "")
    desk.apply_prompt(str(tmp_path / "again.jml"))
    assert (tmp_path / "again.jml").read_text() == (tmp_path / "box.jml").read_text()


def test_a_path_that_cannot_be_is_refused_with_the_reason(
    model: Model, desk: LibraryController, tmp_path: Path
) -> None:
    desk.prompt.ask(Purpose.SAVE, "")
    for path in (
        "",
        str(tmp_path / "x.gif"),
        str(tmp_path / "x"),
        "/proc/none/x.jml",
        str(tmp_path),
    ):
        desk.apply_prompt(path)
        assert desk.prompt.error, path
    desk.prompt.ask(Purpose.OPEN, "")
    for path in ("", str(tmp_path), "/nowhere.jml", "54f"):
        desk.apply_prompt(path)
        assert desk.prompt.error, path
    assert model.text == "531"
    assert model.pattern_error is None


def test_a_guess_of_a_path_is_the_name_of_a_file() -> None:
    assert suggest_path("(6x,4)*", Path("/a")) == "/a/(6x,4).jml"
    assert suggest_path("<531|531>", Path("/a")) == "/a/531-531.jml"
    assert suggest_path("../../etc/passwd\n", Path("/a")) == "/a/etc-passwd.jml"
    assert suggest_path("...", Path("/a")) == "/a/pattern.jml"
    assert local_path("file:///a/my%20trick.jml\r\n") == "/a/my trick.jml"


def test_the_pattern_that_is_shown_is_starred(
    controller: Controller, desk: LibraryController
) -> None:
    controller.perform(Action.STAR)
    assert desk.browser.favourites == ["531"]
    controller.perform(Action.STAR)
    assert desk.browser.favourites == []


def test_a_pattern_that_was_starred_in_the_list_has_its_star_with_the_props_that_one_has(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    model.type_pattern("531;prop=club")
    controller.perform(Action.BROWSE)
    desk.browser.search("four ball shower")
    controller.perform(Action.CHOOSE_NEXT)
    controller.perform(Action.STAR)
    controller.perform(Action.BROWSE)
    assert not desk.is_browsing
    assert desk.is_favourite
    controller.perform(Action.STAR)
    assert desk.browser.favourites == []
    assert not desk.is_favourite


def test_a_search_without_filters_finds_what_filters_left_out(desk: LibraryController) -> None:
    desk.browser.search("passing")
    count = len(desk.browser.results)
    desk.browser.choose_filter(1, 1)
    desk.browser.search_unfiltered("passing")
    assert len(desk.browser.results) == count


def test_a_home_that_nobody_has_is_refused_and_can_be_mended() -> None:
    controller = Controller(animate("3"))
    for ask in (controller.library.ask_to_open, controller.library.ask_to_save):
        ask()
        controller.library.apply_prompt("~nobody-here/tricks.jml")
        assert "no home folder ~nobody-here" in controller.library.prompt.error
        assert controller.library.prompt.purpose


def tune(model: Model, name: str, value: float | str) -> None:
    model.set_value(next(row for row in CONTROLS if row.name == name), value)


def test_what_was_turned_is_kept_among_the_recent_patterns(
    model: Model, desk: LibraryController
) -> None:
    tune(model, "dwell", 0.8)
    desk.advance(0.1)
    tune(model, "chicken_wing", 60.0)
    tuned = model.animation
    desk.advance(0.1)
    model.type_pattern("pattern=441")
    desk.advance(0.1)
    assert desk.browser.recent == ["441", tuned.settings]
    desk.browser.open()
    desk.browser.shelf.index = desk.browser.shelf.options.index("Recent")
    assert desk.browser.results[1].pattern.name == "531 · elbow lift 60°, dwell 0.8 beats"
    desk.play(desk.browser.results[1])
    assert (model.text, model.animation.parameters) == ("531", tuned.parameters)


def test_a_recent_pattern_stands_there_once_however_often_it_is_turned(
    model: Model, desk: LibraryController
) -> None:
    for dwell in (1.0, 0.9, 0.8):
        tune(model, "dwell", dwell)
        desk.advance(0.1)
        desk.visited.note_recent()
    assert desk.browser.recent == [model.animation.settings]
    model.reset_all()
    desk.advance(0.1)
    desk.visited.note_recent()
    assert desk.browser.recent == ["531"]


def test_patterns_to_which_one_goes_back_are_turned_in_their_place(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    for text in ("441", "b97531"):
        model.type_pattern(text)
        desk.advance(0.1)
    controller.perform(Action.PATTERN_BEFORE)
    tune(model, "dwell", 1.0)
    desk.advance(0.1)
    tuned = model.animation.settings
    controller.perform(Action.PATTERN_AFTER)
    desk.advance(0.1)
    desk.visited.note_recent()
    assert desk.browser.recent == ["b97531", tuned, "531"]


def test_each_half_of_a_split_view_has_its_own_recent_text(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    model.type_pattern("441")
    desk.advance(0.1)
    controller.perform(Action.SPLIT)
    tune(model, "dwell", 1.0)
    desk.advance(0.1)
    tuned = model.animation.settings
    controller.perform(Action.OTHER_HALF)
    tune(model, "dwell", 0.9)
    desk.advance(0.1)
    desk.visited.note_recent()
    assert set(desk.browser.recent) == {tuned, model.animation.settings}
    assert model.text == "531"


def test_what_another_window_put_before_it_stays_when_a_pattern_is_turned(
    model: Model, desk: LibraryController
) -> None:
    desk.browser.recent = ["97531", "531", "3"]
    tune(model, "dwell", 1.0)
    desk.advance(0.1)
    desk.visited.note_recent()
    assert desk.browser.recent == ["97531", model.animation.settings, "3"]


def test_a_star_on_a_tuned_pattern_brings_it_back_as_it_was(
    model: Model, controller: Controller, desk: LibraryController
) -> None:
    tune(model, "dwell", 0.8)
    tuned = model.animation
    controller.perform(Action.STAR)
    assert desk.browser.favourites == [tuned.settings]
    assert "531 · dwell 0.8 beats added to favourites" in model.notice.text
    model.type_pattern("pattern=3")
    controller.perform(Action.SHELF)
    assert model.drop_downs.now
    assert model.drop_downs.now.options[1][:2] == ("Favourites", "1")
    model.drop_downs.now.take(1)
    controller.perform(Action.CHOOSE_NEXT)
    assert (model.text, model.animation.parameters) == ("531", tuned.parameters)
    controller.perform(Action.BACK)
    controller.perform(Action.BACK)
    controller.perform(Action.STAR)
    assert desk.browser.favourites == []


def test_the_present_pattern_is_chosen_where_recent_ones_are_listed_as_they_were_turned(
    model: Model, controller: Controller
) -> None:
    tune(model, "dwell", 0.8)
    controller.library.browser.shelf.index = 2
    controller.perform(Action.BROWSE)
    assert controller.library.browser.chosen
    assert controller.library.browser.chosen.text == model.animation.settings


def test_events_that_were_turned_come_back_from_recent_and_favourite_ones(
    model: Model,
    controller: Controller,
    desk: LibraryController,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    monkeypatch.chdir(tmp_path)
    model.type_pattern("box.jml")
    desk.advance(0.1)
    assert desk.browser.recent[0] == str(tmp_path / "box.jml")
    tune(model, "prop", "club")
    tune(model, "gravity", 500.0)
    desk.advance(0.1)
    controller.perform(Action.STAR)
    model.type_pattern("pattern=3")
    desk.advance(0.1)
    text = f"{tmp_path / 'box.jml'};gravity=500;prop=club"
    assert (desk.browser.favourites, desk.browser.recent) == ([text], ["3", text, "531"])
    desk.browser.open()
    desk.browser.choose_filter(0, 1)
    assert desk.browser.results[0].pattern.name == "box.jml · gravity 500 cm/s², prop club"
    assert desk.play(desk.browser.results[0])
    assert model.animation.parameters.gravity == 500
    assert model.value(next(row for row in CONTROLS if row.name == "prop")) == "club"
    (tmp_path / "box.jml").unlink()
    model.type_pattern("pattern=3")
    assert not desk.play(desk.browser.results[0])
    assert model.notice.is_error
    assert model.text == "3"


def test_events_of_which_nobody_knows_the_file_are_not_starred(tmp_path: Path) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "box.jml")
    controller = Controller(animate(str(tmp_path / "box.jml")))
    model = controller.model
    controller.library.advance(0.1)
    controller.perform(Action.STAR)
    assert (
        controller.library.browser.favourites,
        controller.library.browser.recent,
        model.notice.is_error,
    ) == (
        [],
        [],
        True,
    )
    model.name_events(str(tmp_path / "box.jml"))
    controller.perform(Action.STAR)
    assert controller.library.browser.favourites == [str(tmp_path / "box.jml")]


def test_what_is_not_read_of_an_opened_list_is_said(
    model: Model, desk: LibraryController, tmp_path: Path
) -> None:
    (tmp_path / "a.jm").write_text("#BC=000\n#HR=tall\n3\tCascade\n51\n")
    desk.take_files([str(tmp_path / "a.jm")])
    assert model.animation.score.title == "Cascade"
    assert model.notice.text.startswith(
        "Line 1: picture and sound settings of that program are ignored; and 1"
    )


def test_a_pattern_of_balls_tells_that_other_props_are_kept(controller: Controller) -> None:
    notice = controller.model.notice
    assert controller.library.open_text("Four-ball shower")
    assert not notice.text
    controller.model.change(lambda animation: animation.replace(prop="club"), "prop")
    assert controller.library.open_text("Five-ball cascade")
    assert controller.model.live.chosen.animation.score.staging.props.kinds == ("club",)
    assert notice.text == "You chose clubs; this is a ball pattern."
    assert notice.offer
    assert notice.refusal
    assert notice.refusal[0] == "Keep clubs"
    notice.offer[1]()
    assert controller.model.live.chosen.animation.score.staging.props.kinds == ("ball",)


def test_who_keeps_other_props_is_not_asked_again(controller: Controller) -> None:
    notice = controller.model.notice
    controller.model.change(lambda animation: animation.replace(prop="club"), "prop")
    controller.library.open_text("Five-ball cascade")
    assert notice.refusal
    notice.refusal[1]()
    notice.text = ""
    controller.library.open_text("Four-ball shower")
    assert not notice.text
    assert controller.model.live.chosen.animation.score.staging.props.kinds == ("club",)


def test_several_who_juggle_alone_are_told_of_passing_and_keep_the_star(
    controller: Controller,
) -> None:
    model = controller.model
    desk = controller.library
    desk.open_text("Four-ball shower")
    desk.star()
    model.chosen = JUGGLERS
    model.notice.text = ""
    for count in (2, 3):
        model.set_value(JUGGLERS, count)
        desk.advance(0.1)
        assert desk.is_favourite
        assert model.notice.text == "Each juggles alone."
    assert model.notice.offer
    find_passing = model.notice.offer[1]
    desk.star()
    assert not desk.browser.favourites, "the star is that of the pattern of one"
    find_passing()
    assert (desk.is_browsing, desk.browser.query) == (True, "passing")
