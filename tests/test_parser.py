import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation.parser import parse
from juggle_anim.notation.syntax import Group, Pair, Single, WrittenThrow
from juggle_anim.pattern import LEFT, RIGHT


def _values(text: str) -> list[int]:
    """Values of a string of single throws."""
    found = []
    for item in parse(text).items:
        assert isinstance(item, Single)
        found += [throw.value for throw in item.throws]
    return found


def test_the_tree_says_what_was_written_and_where() -> None:
    five, three, one = (WrittenThrow(5, False, 0),), (WrittenThrow(3, False, 3),), (WrittenThrow(1, False, 16),)
    multiplex = (WrittenThrow(6, True, 6), WrittenThrow(12, False, 8))
    repeat = Group((Single(one, LEFT),), swaps=False, times=2)
    expected = Group((Single(five, None), Pair(three, multiplex, beats=2), repeat), swaps=False, times=1)
    assert parse("5 (3,[6x{12}])(L1^2)") == expected


def test_a_star_swaps_and_an_exclamation_mark_shortens_a_pair() -> None:
    assert parse("(4,2)!*") == Group((Pair((WrittenThrow(4, False, 1),), (WrittenThrow(2, False, 3),), 1),), True, 1)


def test_a_slash_only_separates() -> None:
    assert [item.throws[0].value for item in parse("5/1").items if isinstance(item, Single)] == [5, 1]
    assert parse("[3/4/]") == Group((Single((WrittenThrow(3, False, 1), WrittenThrow(4, False, 3)), None),), False, 1)


def test_hand_specifiers_name_hands_before_throws_only() -> None:
    assert [item.hand for item in parse("R3L[34]5").items if isinstance(item, Single)] == [RIGHT, LEFT, None]
    assert _values("[ZSLE7]") == [35, 28, 21, 14, 7]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("sixth", [28, 18, 33, 29, 17]),
        ("x", [33]),
        ("op", [24, 25]),
        ("A262", [10, 2, 6, 2]),
        ("VOHA3", [31, 24, 17, 10, 3]),
        ("ZYXWV", [35, 34, 33, 32, 31]),
        ("{007}", [7]),
    ],
)
def test_letters_are_values_where_no_modifier_is_meant(text: str, values: list[int]) -> None:
    assert _values(text) == values


@pytest.mark.parametrize("text", ["5x", "5 x", "5×", "5X", "{5}x", "A×", "R5x", "Rax"])
def test_an_x_after_a_value_is_a_crossing_flag(text: str) -> None:
    (item,) = parse(text).items
    assert isinstance(item, Single)
    assert [throw.crossing for throw in item.throws] == [True]


@pytest.mark.parametrize(
    ("text", "index", "reason"),
    [
        ("", 0, "nothing is typed"),
        ("  ", 0, "nothing is typed"),
        ("53é", 2, "the é means nothing"),
        ("5\x00", 1, "character U\\+0000 means nothing"),
        ("3 ７", 2, "the ７ means nothing"),
        ("(4,2", 0, "this \\( is never closed"),
        ("3[34", 1, "this \\[ is never closed"),
        ("[34)", 3, "the \\) does not close the \\["),
        ("(4,2]", 4, "the \\] does not close the \\("),
        ("([34,2)", 4, "the , cannot stand here"),
        ("[3(4)]", 2, "the \\( cannot stand here"),
        ("[]", 1, "a throw is missing here"),
        ("(,4)", 1, "a throw is missing here"),
        ("(4,)", 3, "a throw is missing here"),
        ("(4,2,2)", 4, "the , cannot stand here"),
        ("((4,2),2)", 6, "what comes before this comma"),
        ("(4*,2)", 3, "what comes before this comma"),
        ("(L4,2)", 3, "what comes before this comma"),
        ("(53,2)", 3, "what comes before this comma"),
        ("(531)", 4, "neither a pair nor a repeat"),
        ("531)", 3, "nothing was opened"),
        ("3]", 1, "nothing was opened"),
        ("3,5", 1, "a comma stands only between"),
        ("(4x,6)*(6,4x)", 7, "the \\* ends a pattern"),
        ("531**", 4, "the \\* ends a pattern"),
        ("*3", 0, "the \\* must follow"),
        ("531!", 3, "a ! follows a pair only"),
        ("5^2", 1, "repeats what stands in brackets"),
        ("(5^)", 3, "does not close the \\("),
        ("(5^0)", 3, "cannot be repeated so often"),
        ("(5^99999)", 3, "cannot be repeated so often"),
        ("×5", 0, "marks a throw as crossing"),
        ("3.5", 1, "throws are whole beats"),
        ("-3", 0, "no throw is negative"),
        ("3{12", 1, "is never closed"),
        ("3{}", 1, "no value in these"),
        ("3{1001}", 1, "no throw can be so high"),
        ("5B", 1, "bounces .* not read yet"),
        ("5xH", 2, "holds .* not read yet"),
        ("2T", 1, "not read yet"),
        ("<3p|3p>", 0, "passing .* not read yet"),
        ("3?", 1, "not read yet"),
        ("3;dwell=1", 1, "settings .* not read yet"),
        ("(" * 30, 20, "nested more than 20 deep"),
        ("3" * 5_001, 5_000, "5001 characters long"),
    ],
)
def test_an_error_points_at_its_place_and_says_why(text: str, index: int, reason: str) -> None:
    with pytest.raises(NotationError, match=reason) as caught:
        parse(text)
    assert caught.value.index == index
    assert caught.value.accepted
