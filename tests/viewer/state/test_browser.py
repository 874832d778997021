from pathlib import Path

import pytest

import juggle_anim
from juggle_anim.animation import animate
from juggle_anim.errors import FileError, counted
from juggle_anim.language import speaking
from juggle_anim.notation.library import library
from juggle_anim.notation.search import tag_words
from juggle_anim.viewer.session.file import MAX_RECENT
from juggle_anim.viewer.state.browser import MAX_FILES, Browser, level_words, listed_in_files
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action


def names(browser: Browser) -> list[str]:
    return [listed.pattern.name for listed in browser.results]


def test_the_whole_library_is_listed_where_nothing_is_looked_for() -> None:
    assert len(Browser().results) == len(library())


def test_words_find_patterns_best_first_and_nothing_is_chosen_by_that() -> None:
    browser = Browser()
    browser.search("mills mess")
    assert names(browser)[0] == "Mills mess"
    assert browser.chosen is None
    chosen = browser.move(1)
    assert chosen
    assert chosen.pattern.name == "Mills mess"
    assert browser.move(-1) == chosen
    assert browser.move(9999) == browser.results[-1]


def test_where_nothing_fits_the_name_that_looks_most_like_it_is_suggested() -> None:
    browser = Browser()
    browser.search("rbnstnrvng")
    assert (names(browser), browser.suggestion) == ([], "Rubenstein's revenge")
    browser.search("box")
    assert browser.suggestion == ""


def test_a_mistyped_name_is_suggested_and_taken() -> None:
    browser = Browser()
    browser.search("mils mess")
    assert browser.suggestion == "Mills mess"
    taken = browser.take_suggestion()
    assert taken
    assert (taken.pattern.name, browser.query, browser.suggestion) == (
        "Mills mess",
        "Mills mess",
        "",
    )
    for typed in ("mills mess", "millsmess", "cascade", "5 clubs", "441", "passing feed"):
        browser.search(typed)
        assert browser.suggestion == ""


def test_filters_go_together_and_with_the_words() -> None:
    browser = Browser()
    browser.props.index = browser.props.options.index("5")
    assert {listed.pattern.props for listed in browser.results} == {5}
    browser.level.index = browser.level.options.index("hard")
    assert min(listed.pattern.difficulty for listed in browser.results) >= 7
    browser.tag.index = browser.tag.options.index("shower")
    assert all("shower" in listed.pattern.tags for listed in browser.results)
    browser.search("half 5 balls")
    assert names(browser)[:2] == ["Five-ball half shower", "Five-ball bounce half shower"]
    browser.search("half clubs")
    assert names(browser) == ["Five-club half shower"]
    assert browser.is_filtered
    browser.clear()
    assert not browser.is_filtered
    assert len(browser.results) == len(library())


def test_favourites_and_recent_ones_are_shelves_of_their_own() -> None:
    browser = Browser(
        recent=["531", "pattern=441;dwell=1", "/gone/tricks.jml#3"], favourites=["Mills mess"]
    )
    browser.choose_filter(0, 1)
    assert names(browser) == ["Mills mess"]
    assert browser.star("b97531")
    assert names(browser) == ["b97531", "Mills mess"]
    assert not browser.star("Mills mess")
    assert names(browser) == ["b97531"]
    browser.choose_filter(0, 2)
    assert [browser.text_of(listed) for listed in browser.results] == browser.recent
    assert names(browser)[2] == "tricks.jml #3"


def test_what_is_opened_again_is_recent_once_and_the_list_stays_short() -> None:
    browser = Browser()
    for number in range(MAX_RECENT + 5):
        browser.add_recent(str(number))
    browser.add_recent("9")
    assert browser.recent[0] == "9"
    assert len(browser.recent) == len(set(browser.recent)) == MAX_RECENT


def test_words_of_the_present_language_find_what_english_ones_do() -> None:
    browser = Browser()
    browser.search("shower 4 balls")
    english = names(browser)
    assert english[0] == "Four-ball shower"
    queries = {
        "de": "Dusche 4 Bälle",
        "es": "ducha 4 pelotas",
        "fr": "4 balles douche",
        "pt": "chuveiro 4 bolas",
    }
    for code, query in queries.items():
        with speaking(code):
            browser.search(query)
            assert names(browser) == english, code
            assert browser.suggestion == ""
            assert browser.props.words("4") == counted(4, "prop") == tag_words("4 props")
    assert browser.props.words("4") == "4 props"


def test_the_patterns_of_a_file_are_listed_in_its_order_and_opened_from_it(tmp_path: Path) -> None:
    path = tmp_path / "tricks.txt"
    path.write_text("b97531\n999x9\n441\n")
    browser = Browser()
    assert browser.list_file(str(path))
    assert browser.wants_focus
    assert [browser.text_of(listed) for listed in browser.results] == [
        f"{path}#{number}" for number in (1, 2, 3)
    ]
    assert browser.results[1].reason
    assert browser.props.options == ("any props", "3", "6")
    browser.list_library()
    assert len(browser.results) == len(library())


def test_a_file_of_one_pattern_leaves_the_list_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("b97531\n")
    browser = Browser()
    assert not browser.list_file(str(path))
    assert not browser.wants_focus
    with pytest.raises(FileError):
        browser.list_file(str(tmp_path / "none.txt"))


def test_the_present_pattern_is_chosen_where_it_is_among_them() -> None:
    browser = Browser()
    browser.choose_text("531")
    assert browser.chosen
    assert browser.chosen.pattern.name == "531"
    browser.choose_text("<no such>")
    assert browser.chosen is None


def files(folder: Path) -> list[str]:
    (folder / "any.bin").write_bytes(bytes(range(256)))
    (folder / "many.txt").write_text("441\nb97531  # eleven\n")
    (folder / "one.txt").write_text("pattern=97531;gravity=500\n")
    juggle_anim.export("pattern=51;dwell=1", folder / "picture.png", size=(32, 24))
    return [
        str(folder / name) for name in ("any.bin", "many.txt", "one.txt", "picture.png", "gone.jml")
    ]


def test_all_patterns_of_all_files_are_listed_and_what_cannot_be_read_says_why(
    tmp_path: Path,
) -> None:
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


def test_a_folder_that_cannot_be_read_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_folder: Path) -> None:
        raise PermissionError("no access")

    monkeypatch.setattr(Path, "iterdir", refuse)
    (listed,) = listed_in_files([str(tmp_path)])
    assert (listed.pattern.name, listed.reason) == (tmp_path.name, "no access")


def test_the_first_that_is_valid_plays_and_arrows_go_through_all_files(tmp_path: Path) -> None:
    controller = Controller(animate("531"))
    model = controller.model
    browser = controller.library.browser
    controller.library.take_files(files(tmp_path))
    assert (controller.library.is_browsing, browser.file, model.text) == (True, "5 files", "441")
    seen = []
    for _ in range(3):
        controller.perform(Action.CHOOSE_NEXT)
        assert model.animation.pattern
        seen.append((model.animation.pattern.text, model.animation.parameters.gravity))
    assert seen == [("b97531", 980.0), ("97531", 500.0), ("51", 980.0)]
    controller.perform(Action.CHOOSE_NEXT)
    assert "Invalid" in model.notice.text


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


def test_a_difficulty_is_told_as_a_level() -> None:
    words = [level_words(difficulty) for difficulty in (0, 1, 3, 4, 7, 10)]
    assert words == ["", "easy", "easy", "medium", "hard", "hard"]
