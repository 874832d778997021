"""The first look around: when it goes on, what ends it, and when it comes."""

from pathlib import Path

import pytest

from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.learning.welcome import STOPS, Welcome
from juggle_anim.viewer.session.file import open_session_file


@pytest.fixture
def turned() -> list[bool]:
    return []


@pytest.fixture
def welcome(turned: list[bool]) -> Welcome:
    welcome = Welcome(lambda is_there, _: turned.append(is_there), lambda: None)
    welcome.begin()
    return welcome


def test_enter_goes_through_all_stops_and_backspace_back(welcome: Welcome) -> None:
    for number in range(len(STOPS)):
        assert welcome.number == number
        assert welcome.press("enter")
    assert not welcome.shown
    welcome.begin()
    welcome.go_on()
    assert welcome.press("backspace")
    assert (welcome.shown, welcome.number) == (True, 0)


@pytest.mark.parametrize(
    ("key", "swallowed"), [("escape", True), ("space", True), ("5", False), ("ctrl+o", False)]
)
def test_any_other_key_ends_it_and_does_what_it_does(
    welcome: Welcome, key: str, swallowed: bool
) -> None:
    assert welcome.press(key) == swallowed
    assert not welcome.shown


def test_a_key_that_is_held_for_another_one_does_not_end_it(welcome: Welcome) -> None:
    assert not welcome.press("shift+lshift")
    assert welcome.shown


def test_the_slider_is_turned_while_its_stop_is_shown(welcome: Welcome, turned: list[bool]) -> None:
    assert turned == []
    welcome.go_on()
    assert turned == [True]
    welcome.go_on()
    assert turned == [True, False]
    welcome.go_on(-1)
    welcome.leave()
    assert turned == [True, False] * 2
    welcome.leave()
    assert len(turned) == 4


def test_a_click_beside_its_words_ends_it(welcome: Welcome) -> None:
    welcome.box = Rectangle(100.0, 100.0, 50.0, 50.0)
    welcome.click(120, 120)
    assert welcome.shown
    welcome.click(20, 120)
    assert not welcome.shown


def test_only_where_no_session_was_kept_is_the_first_one(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    first = open_session_file(path)
    assert first.is_first
    first.write(first.state, closing=True)
    first.replace(first.state)
    assert not open_session_file(path).is_first
    path.write_text("{")
    assert not open_session_file(path).is_first
