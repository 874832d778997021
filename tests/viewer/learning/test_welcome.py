"""The first look around: when it goes on, what ends it, and when it comes."""

from pathlib import Path

import pytest

from juggle_anim.viewer.learning.welcome import DURATION, STOPS, Welcome, prefers_reduced_motion
from juggle_anim.viewer.session.file import open_session_file


def begun(still: bool = False) -> Welcome:
    welcome = Welcome()
    welcome.begin(still)
    return welcome


def test_it_goes_through_all_stops_in_ten_seconds() -> None:
    welcome, seen = begun(), []
    for _ in range(round(DURATION / 0.1) + 5):
        if welcome.shown:
            seen.append(welcome.number)
        welcome.advance(0.1)
    assert sorted(set(seen)) == list(range(len(STOPS)))
    assert len(seen) == pytest.approx(DURATION / 0.1, abs=5)
    assert not welcome.shown


@pytest.mark.parametrize(
    ("key", "swallowed"), [("escape", True), ("space", True), ("5", False), ("ctrl+o", False)]
)
def test_any_key_ends_it_and_does_what_it_does(key: str, swallowed: bool) -> None:
    welcome = begun()
    assert welcome.press(key) == swallowed
    assert not welcome.shown


def test_a_key_that_is_held_for_another_one_does_not_end_it() -> None:
    welcome = begun()
    assert not welcome.press("shift+lshift")
    assert welcome.shown


def test_where_motion_is_reduced_it_waits_for_a_key_at_each_stop() -> None:
    welcome = begun(still=True)
    assert not welcome.advance(100.0)
    for number in range(len(STOPS)):
        assert welcome.number == number
        assert welcome.press("enter")
    assert not welcome.shown
    welcome = begun(still=True)
    assert not welcome.press("e")
    assert not welcome.shown


def test_the_desktop_says_whether_motion_is_reduced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not prefers_reduced_motion()
    program = tmp_path / "gsettings"
    for answer, reduced in (("false", True), ("true", False)):
        program.write_text(f"#!/bin/sh\necho {answer}\n")
        program.chmod(0o755)
        assert prefers_reduced_motion() == reduced


def test_only_where_no_session_was_kept_is_the_first_one(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    first = open_session_file(path)
    assert first.is_first
    first.write(first.state, closing=True)
    first.replace(first.state)
    assert not open_session_file(path).is_first
    path.write_text("{")
    assert not open_session_file(path).is_first
