import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import LITTLE, at_most

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_SETTINGS_LENGTH
from juggle_anim.notation.settings.syntax import Setting, escaped, split_settings, unescaped

KNOWN = ("pattern", "colors", "title")


def split(text: str) -> dict[str, str]:
    return {key: setting.text for key, setting in split_settings(text, KNOWN).items()}


def test_keys_are_read_in_any_case_and_values_as_they_stand() -> None:
    assert split(" Pattern= 3 ;; TITLE =a=b; ") == {"pattern": " 3 ", "title": "a=b"}


def test_colours_may_be_spelled_with_a_u() -> None:
    assert split("Colours=red") == {"colors": "red"}


def test_a_value_knows_its_place() -> None:
    setting = split_settings("title=a; pattern = 35", KNOWN)["pattern"]
    assert setting.whole[setting.start :] == setting.text == " 35"
    assert (setting.indent, setting.error(2, "", "").index) == (1, 20)


def test_a_value_that_stands_first_has_the_first_key() -> None:
    assert split_settings(" 531 ;title=a", KNOWN)["pattern"] == Setting(" 531 ;title=a", 0, " 531 ")


@given(st.one_of(st.text("\\;=a \n", max_size=8), st.text(max_size=8)))
def test_any_value_survives_with_what_follows_it(value: str) -> None:
    found = split(f"title={escaped(value)};pattern=3")
    assert unescaped(found["title"]) == value
    assert found["pattern"] == "3"


def test_backslashes_are_left_alone_where_nothing_is_escaped() -> None:
    assert escaped("\\o/ and \\n") == unescaped("\\o/ and \\n") == "\\o/ and \\n"


@pytest.mark.parametrize("unit", [";", "a", "\\", "\\;", "=", "a=b;", "é\n"])
def test_long_texts_are_split_or_refused_with_little_work(unit: str) -> None:
    for length, calls in (
        (MAX_SETTINGS_LENGTH // 10, 2 * LITTLE),
        (2 * MAX_SETTINGS_LENGTH, LITTLE),
    ):
        text = "title=" + unit * (length // len(unit))
        with at_most(calls), contextlib.suppress(NotationError):
            split_settings(text[:length], KNOWN)
