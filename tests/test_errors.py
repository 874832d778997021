import pytest
from work import ONE_SECOND, at_most

from juggle_anim.errors import NotationError, character_name, did_you_mean, joined_names, printable


def shown(error: NotationError) -> tuple[str, int]:
    _, line, caret, *_ = str(error).split("\n")
    return line, caret.index("^")


@pytest.mark.parametrize("index", [0, 3, 5])
def test_the_caret_stands_under_its_character(index: int) -> None:
    line, caret = shown(NotationError("53?1x", index, "reason"))
    assert line[2:] == "53?1x"
    assert caret == index + 2


@pytest.mark.parametrize("index", [0, 10, 250, 499])
def test_a_long_text_is_shown_around_the_caret(index: int) -> None:
    text = "".join(chr(ord("a") + k % 26) for k in range(500))
    line, caret = shown(NotationError(text, index, "reason"))
    assert len(line) < 110
    assert line[caret] == text[index]


def test_unprintable_characters_take_one_column() -> None:
    line, caret = shown(NotationError("5\t\x1b31", 3, "reason"))
    assert line[caret] == "3"
    assert "\x1b" not in line


def test_what_would_be_accepted_stands_last() -> None:
    assert str(NotationError("", 0, "nothing was typed", "try 531")).endswith("\ntry 531")


def test_the_caret_stands_under_its_place_also_behind_wide_signs() -> None:
    assert str(NotationError("二三x", 2, "no")).splitlines()[2] == "  " + " " * 4 + "^"
    assert str(NotationError("e\u0301x", 2, "no")).splitlines()[2] == "  " + " " * 1 + "^"


def test_signs_that_steer_a_terminal_become_blanks() -> None:
    assert printable("3 × \x1b[2J\r\n5\u202e") == "3 ×  [2J  5 "


def test_a_long_text_is_cut_off() -> None:
    assert printable("3" * 12, longest=10) == "3" * 10 + "…"
    assert printable("3" * 10, longest=10) == "3" * 10


def test_a_text_without_a_limit_is_shown_whole() -> None:
    assert printable("3" * 5000, longest=None) == "3" * 5000


def test_a_character_that_cannot_be_seen_is_named_by_its_number() -> None:
    assert character_name("×") == "×"
    assert character_name("\x07") == "character U+0007"


def test_of_many_things_the_first_and_the_last_are_named() -> None:
    assert joined_names(["a"]) == "a"
    assert joined_names(["a", "b", "c"]) == "a, b and c"
    assert joined_names([str(number) for number in range(1, 7)]) == "1, 2, 3, 4, 5 and 6"
    assert joined_names([str(number) for number in range(1, 101)]) == "1, 2, 3, 4, 5 and 95 more"


def test_the_nearest_word_is_suggested() -> None:
    assert did_you_mean("clubb", ("ball", "club", "ring")) == "did you mean club?"


def test_where_no_word_is_near_all_are_named() -> None:
    assert did_you_mean("torch", ("ball", "ring")) == "there are ball, ring"
    assert did_you_mean("torch", ("ball", "ring"), "write ball") == "write ball"


def test_words_of_a_mapping_stand_for_its_values() -> None:
    assert did_you_mean("mills mes", {"mills mess": "Mills mess"}) == "did you mean Mills mess?"
    assert did_you_mean("torch", {"mills mess": "Mills mess"}) == "there are Mills mess"
    assert did_you_mean("swap", ("swap-landings", "swap-hands", "mirror")) == (
        "did you mean swap-landings, swap-hands?"
    )


def test_it_can_be_said_how_alike_words_must_be() -> None:
    assert did_you_mean("dwel time", ("dwell",)) == "there are dwell"
    assert did_you_mean("dwel time", ("dwell",), alike=0.5) == "did you mean dwell?"


def test_a_hostile_word_is_not_compared_for_long() -> None:
    with at_most(ONE_SECOND):
        did_you_mean("club" * 1_000_000, ("ball", "club"))
