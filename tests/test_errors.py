import pytest

from juggle_anim.errors import NotationError


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
