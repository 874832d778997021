import pytest
from marked import assert_refused

from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.notation.library import LibraryPattern
from juggle_anim.notation.settings.settings import pattern_texts, read_pattern_settings
from juggle_anim.notation.settings.syntax import Setting
from juggle_anim.pattern import Pattern


def read(**texts: str) -> Pattern:
    pattern = read_pattern_settings({key: Setting(text, 0, text) for key, text in texts.items()})
    assert isinstance(pattern, Pattern)
    return pattern


def test_hands_may_follow_a_siteswap_of_their_own() -> None:
    assert read(pattern="5", hss="4") == read_hand_siteswap("5", "4")
    assert read(pattern="5", hss="123", handspec="(1,)(,2)").jugglers == 2
    on = read(pattern="6", hss="6", hold="YES", dwellmax=" 0 ").hand_siteswap
    assert on
    assert (on.hold, on.dwellmax) == (True, False)


@pytest.mark.parametrize(
    "texts",
    [
        {"pattern": "531"},
        {"pattern": "5", "hss": "4"},
        {"pattern": "7", "hss": "426", "handspec": "(2,1)(3,)(,4)", "hold": "true", "dwellmax": "false"},
        {"pattern": "<3p 3|3p 3>"},
    ],
    ids=str,
)
def test_a_pattern_is_written_as_it_is_read(texts: dict[str, str]) -> None:
    assert pattern_texts(read(**texts)) == texts


def test_jugglers_share_a_line_of_passing_notation() -> None:
    pattern = read(pattern="4p 2 3", jugglers=" 3 ")
    assert pattern.jugglers == 3
    assert read(**pattern_texts(pattern)) == pattern


def test_a_number_of_jugglers_that_is_right_anyway_may_be_said() -> None:
    assert read(pattern="531", jugglers="1") == read_siteswap("531")
    assert read(pattern="<3p|3p>", jugglers="2") == read_siteswap("<3p|3p>")


def test_switches_that_say_what_is_usual_need_no_siteswap_of_the_hands() -> None:
    assert read(pattern="531", hold="false", dwellmax="true") == read_siteswap("531")


def test_a_siteswap_that_is_its_own_name_is_just_the_siteswap(monkeypatch: pytest.MonkeyPatch) -> None:
    known = LibraryPattern("Tower", "b97531", (), 9, "High.", aliases=("b97531",))
    monkeypatch.setattr("juggle_anim.notation.search.find_pattern", lambda _: known)
    assert read(pattern="b97531") == read_siteswap("b97531")
    assert read_settings("tower").score.title == "Tower"


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("pattern=53§x;hss=4", "x"),
        ("pattern=5;hss=43§x", "x"),
        ("hss=§43;pattern=5", "average"),
        ("pattern=5;hss=4;handspec=(1,2)(3,§5)", "no hand 5"),
        ("pattern=5;handspec=§(1,2)", "with a siteswap of the hands only"),
        ("pattern=5;hold= §true", "hold goes with"),
        ("pattern=5;dwellmax=§no", "dwellmax goes with"),
        ("pattern=5;hss=4;hold= §maybe", "maybe is neither true nor false"),
        ("pattern=5;hss=4;hold=§", "this is neither true nor false"),
        ("pattern=5;jugglers= §2", "this pattern is for 1 juggler, not for 2"),
        ("pattern=<3p|3p>;jugglers=§3", "this pattern is for 2 jugglers, not for 3"),
        ("pattern=5;jugglers=§0", "1 to 1000"),
        ("pattern=5;jugglers=§²", "no number"),
        ("pattern=5;jugglers=§" + "9" * 5000, "no number"),
        ("pattern=5§43;hss=4;title=x", "both land"),
    ],
    ids=lambda text: text[:40],
)
def test_a_mistake_is_shown_in_its_place_in_the_whole_text(marked: str, words: str) -> None:
    assert_refused(read_settings, marked, words)
