"""Patterns with divided beats, written so that they are read back."""

import pytest

from juggle_anim.errors import PatternError
from juggle_anim.notation.prechac import read_prechac
from juggle_anim.notation.prechac.write import write_prechac
from juggle_anim.pattern import RIGHT, Pattern, Throw

TEXTS = [
    "<4.5p 3 3|3 4 3.5p>",
    "2.5p 2 2.5p 1 2",
    "3.6p 3",
    "[4 3.5p] 2 1",
    "3.5p 3 3",
    "3.5pb 3 3",
    "2.5p 0 3",
    "<L 4.5p 3 3|3 4 3.5p>",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_written_is_read_back_as_the_same_throws(text: str) -> None:
    pattern = read_prechac(text)
    again = read_prechac(write_prechac(pattern))
    assert (again.throws, again.period, again.division) == (
        pattern.throws,
        pattern.period,
        pattern.division,
    )


def test_a_line_is_written_once_where_it_repeats() -> None:
    assert write_prechac(read_prechac("<4.5p 3 3|3 4 3.5p>")) == "<4.5p 3 3|3 4 3.5p>"


def test_what_the_notation_does_not_say_is_refused() -> None:
    alone = Pattern("", (Throw(0, 0, RIGHT, 3, 0, RIGHT),), 3, 3, division=2)
    with pytest.raises(PatternError, match="these 1 throws cannot be written in prechac notation"):
        write_prechac(alone)


def test_delays_of_jugglers_who_do_not_pass_are_written() -> None:
    assert write_prechac(read_prechac("{0,0.5}<4|3>")) == "{0,0.5}<4|3>"
