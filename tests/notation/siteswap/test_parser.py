import pytest

from juggle_anim.notation.limits import MAX_BOUNCES
from juggle_anim.notation.siteswap.syntax import (
    NEXT_JUGGLER,
    Group,
    Modifier,
    Pair,
    Passing,
    Single,
    Start,
    WrittenThrow,
    parse,
)
from juggle_anim.pattern import LEFT, RIGHT


def _values(text: str) -> list[int]:
    """Values of a string of single throws."""
    found = []
    for item in parse(text).items:
        assert isinstance(item, Single)
        found += [throw.value for throw in item.throws]
    return found


def test_the_tree_says_what_was_written_and_where() -> None:
    five, three, one = (
        (WrittenThrow(5, False, 0),),
        (WrittenThrow(3, False, 3),),
        (WrittenThrow(1, False, 16),),
    )
    multiplex = (WrittenThrow(6, True, 6), WrittenThrow(12, False, 8))
    repeat = Group((Single(one, LEFT),), swaps=False, times=2)
    expected = Group(
        (Single(five, None), Pair(three, multiplex, beats=2), repeat), swaps=False, times=1
    )
    assert parse("5 (3,[6x{12}])(L1^2)") == expected


def test_a_star_swaps_and_an_exclamation_mark_shortens_a_pair() -> None:
    assert parse("(4,2)!*") == Group(
        (Pair((WrittenThrow(4, False, 1),), (WrittenThrow(2, False, 3),), 1),), True, 1
    )


def test_a_slash_only_separates() -> None:
    assert [item.throws[0].value for item in parse("5/1").items if isinstance(item, Single)] == [
        5,
        1,
    ]
    assert parse("[3/4/]") == Group(
        (Single((WrittenThrow(3, False, 1), WrittenThrow(4, False, 3)), None),), False, 1
    )


def test_hand_specifiers_name_hands_before_throws_only() -> None:
    assert [item.hand for item in parse("R3L[34]5").items if isinstance(item, Single)] == [
        RIGHT,
        LEFT,
        None,
    ]
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
    ("text", "modifier"),
    [
        ("5B", Modifier(1, "lift")),
        ("5BB", Modifier(2, "lift")),
        ("5xBF", Modifier(1, "force")),
        ("A×BH", Modifier(1, "hyper_lift")),
        ("3 H", Modifier(held=True)),
        ("2T/", Modifier(held=False)),
    ],
)
def test_capital_letters_after_a_value_say_how_it_is_thrown(text: str, modifier: Modifier) -> None:
    (item,) = parse(text).items
    assert isinstance(item, Single)
    assert [throw.modifier for throw in item.throws] == [modifier]


def test_a_hand_specifier_after_a_modifier_is_told_from_it_by_a_space() -> None:
    assert [item.hand for item in parse("5B L5").items if isinstance(item, Single)] == [None, LEFT]
    assert [item.hand for item in parse("5BL5").items if isinstance(item, Single)] == [None, None]
    assert [item.hand for item in parse("5TR5").items if isinstance(item, Single)] == [None, RIGHT]


def test_sides_say_what_each_juggler_throws_and_to_whom() -> None:
    one = Single((WrittenThrow(3, False, 1, NEXT_JUGGLER),), None)
    other = Single((WrittenThrow(4, True, 4, 1, Modifier(2, "lift")),), None)
    assert parse("<3p|4xp1BB>").items == (Passing(((one,), (other,))),)


def test_a_number_belongs_to_a_pass_only_where_no_space_parts_them() -> None:
    (passing,) = parse("<3p 2 3p2 3p12|" + "|".join(["0000"] * 11) + ">").items
    assert isinstance(passing, Passing)
    throws = [
        throw for item in passing.sides[0] if isinstance(item, Single) for throw in item.throws
    ]
    assert [(throw.value, throw.receiver) for throw in throws] == [
        (3, NEXT_JUGGLER),
        (2, None),
        (3, 2),
        (3, 12),
    ]


def test_p_is_a_value_only_where_no_pass_can_be_meant() -> None:
    (passing,) = parse("<pp|p>").items
    assert passing == Passing(
        (
            (Single((WrittenThrow(25, False, 1, NEXT_JUGGLER),), None),),
            (Single((WrittenThrow(25, False, 4),), None),),
        )
    )


def test_a_throw_bounces_as_often_as_is_allowed() -> None:
    (single,) = parse(f"5{'B' * MAX_BOUNCES}").items
    assert isinstance(single, Single)
    assert single.throws[0].modifier.bounces == MAX_BOUNCES


def test_hands_may_be_named_before_the_throws() -> None:
    assert parse("<R|L><3|3>").items[0] == Passing(((Start(RIGHT),), (Start(LEFT),)))
    assert parse("L(4,2)").items[0] == Start(LEFT)
