import pytest
from marked import unmarked

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_SETTINGS_LENGTH
from juggle_anim.notation.settings.moves import RepeatExpander


def unroll(text: str, limit: int = 100) -> str:
    """A text of letters with the repeats in it written out."""
    unrolled: RepeatExpander[str] = RepeatExpander(text, limit, "letters", "(ab)^2")
    for index, character in enumerate(text):
        if character == "(":
            unrolled.open(index)
        elif character == ")":
            count = text[index + 2 :]
            unrolled.close(index, count[: len(count) - len(count.lstrip("0123456789"))])
        elif character.isalpha():
            unrolled.add(index, character)
    return "".join(unrolled.items())


def test_brackets_with_a_count_repeat_what_they_hold() -> None:
    assert unroll("a(bc)^2d") == "abcbcd"
    assert unroll("((a)^2b)^3") == "aabaabaab"
    assert unroll("a()^5") == "a"


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("a§)^2", "nothing was opened"),
        ("(a§)", "no count"),
        ("(a§)^0", "no times"),
        ("a(b(c)^2(d§(e", "never closed"),
        ("(a§)^101", "more than 100 letters"),
        ("(a§)^999999999999999999999", "more than 100 letters"),
        ("((((a)^9)^9§)^9)^9", "more than 100 letters"),
        ("(" * 20 + "§(", "nested more than 20 deep"),
    ],
)
def test_a_wrong_bracket_is_shown_in_its_place(marked: str, words: str) -> None:
    text, index = unmarked(marked)
    with pytest.raises(NotationError, match=words) as caught:
        unroll(text)
    assert caught.value.index == index


def test_items_outside_the_open_brackets_count_too() -> None:
    with pytest.raises(NotationError, match="more than 100 letters") as caught:
        unroll("aaaa(" * 19 + "b" * 60)
    assert caught.value.index == 19 * 5 + 24


def test_a_text_that_is_too_long_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match=f"{MAX_SETTINGS_LENGTH + 1} characters long"):
        RepeatExpander("(" * (MAX_SETTINGS_LENGTH + 1), 5, "letters", "(ab)^2")
