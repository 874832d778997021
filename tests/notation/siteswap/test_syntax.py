import pytest
from hypothesis import given
from siteswap_strategies import any_text, valid_passing_siteswaps, valid_siteswaps

from juggle_anim.notation.siteswap.syntax import (
    PLAIN,
    Modifier,
    Token,
    beats_of,
    modifier_at,
    parse,
    place_throws,
    tokenize,
)


@pytest.mark.parametrize(
    ("text", "beats"),
    [("531", 3), ("(4,2)[34]", 3), ("(4,2)!", 1), ("((51^3)5*^2)", 28), ("<R|L><3p(4,4)|333>", 3)],
)
def test_beats_are_counted_with_repeats_written_out(text: str, beats: int) -> None:
    assert beats_of(parse(text).items) == beats


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_beats_are_those_that_throws_are_placed_on(text: str) -> None:
    tree = parse(text)
    assert beats_of(tree.items) == place_throws(text, tree).written_period


@pytest.mark.parametrize(
    ("letters", "modifier"),
    [
        ("B", Modifier(1, "lift")),
        ("BL", Modifier(1, "lift")),
        ("BBB", Modifier(3, "lift")),
        ("BF", Modifier(1, "force")),
        ("F", Modifier(1, "force")),
        ("BBF", Modifier(2, "force")),
        ("BH", Modifier(1, "hyper_lift")),
        ("BHL", Modifier(1, "hyper_lift")),
        ("BHF", Modifier(1, "hyper_force")),
        ("BFH", Modifier(1, "hyper_force")),
        ("H", Modifier(held=True)),
        ("T", Modifier(held=False)),
    ],
)
def test_letters_say_how_a_prop_is_thrown(letters: str, modifier: Modifier) -> None:
    assert modifier_at(f"5{letters} 3", 1) == (modifier, 1 + len(letters))


@pytest.mark.parametrize("text", ["5", "53", "5L3", "5 B"])
def test_without_letters_nothing_is_read(text: str) -> None:
    assert modifier_at(text, 1) == (PLAIN, 1)


def test_tokens_know_where_they_stood_and_the_last_one_is_empty() -> None:
    expected = [
        Token("{12}", 0),
        Token("×", 4),
        Token("(", 6),
        Token("é", 7),
        Token("{3", 8),
        Token("", 10),
    ]
    assert tokenize("{12}× (é{3") == expected


@given(any_text())
def test_no_character_but_spaces_is_lost(text: str) -> None:
    assert "".join(token.text for token in tokenize(text)) == "".join(text.split())
