import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.errors import NotationError
from juggle_anim.notation.hand_siteswap import (
    Hand,
    default_hands,
    read_handspec,
    read_plain_siteswap,
)
from juggle_anim.pattern import LEFT, RIGHT


def test_the_usual_hands_are_first_all_right_ones() -> None:
    assert default_hands(4) == ((0, RIGHT), (1, RIGHT), (0, LEFT), (1, LEFT))
    assert default_hands(3) == ((0, RIGHT), (1, RIGHT), (0, LEFT))
    assert default_hands(1) == ((0, RIGHT),)


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("(2,1)(4,3)", ((0, RIGHT), (0, LEFT), (1, RIGHT), (1, LEFT))),
        ("(1,)(,2)", ((0, LEFT), (1, RIGHT))),
        ("(2,1)(,3)", ((0, RIGHT), (0, LEFT), (1, RIGHT))),
        (" ( 02 , 1 ) ", ((0, RIGHT), (0, LEFT))),
    ],
)
def test_the_left_hand_of_each_juggler_is_named_first(text: str, hands: tuple[Hand, ...]) -> None:
    assert read_handspec(text, len(hands)) == hands


@given(st.permutations(range(6)), st.lists(st.booleans(), min_size=6, max_size=6))
def test_what_is_written_is_read(order: list[int], alone: list[bool]) -> None:
    expected: dict[int, Hand] = {}
    text, juggler, hands = "", 0, list(order)
    while hands:
        left = hands.pop()
        right = hands.pop() if hands and not alone[juggler] else None
        expected[left] = juggler, LEFT
        if right is not None:
            expected[right] = juggler, RIGHT
        text += f"({left + 1},{'' if right is None else right + 1})"
        juggler += 1
    assert read_handspec(text, 6) == tuple(expected[number] for number in range(6))


def test_throws_are_those_that_are_written_once() -> None:
    plain = read_plain_siteswap("5 (31^2) [50]", hands=False)
    assert [(each.throw.beat, each.throw.value, each.start) for each in plain.throws] == [
        (0, 5, 0),
        (1, 3, 3),
        (2, 1, 4),
        (3, 3, 3),
        (4, 1, 4),
        (5, 5, 10),
    ]
    assert plain.beats == 6


def test_an_open_throw_is_completed() -> None:
    assert read_plain_siteswap("4?3", hands=True).text == "423"


def test_the_average_of_hands_is_left_to_who_knows_hands() -> None:
    assert read_plain_siteswap("45", hands=True).beats == 2
    with pytest.raises(
        NotationError, match=r"average 4½\. It must be a whole number: the number of props"
    ):
        read_plain_siteswap("45", hands=False)


_OF_HANDS = [
    ("4 [44]", 2, "hands cannot throw a multiplex:"),
    ("44B", 2, "hands cannot bounce or be held"),
    ("4 {4}H", 5, "hands cannot bounce or be held"),
]


@pytest.mark.parametrize(("text", "index", "reason"), _OF_HANDS)
def test_what_only_props_can_do_is_refused_of_hands(text: str, index: int, reason: str) -> None:
    read_plain_siteswap(text, hands=False)
    _assert_refused(text, index, reason, hands=True)


def _assert_refused(text: str, index: int, reason: str, hands: bool) -> None:
    with pytest.raises(NotationError) as caught:
        read_plain_siteswap(text, hands=hands)
    assert caught.value.index == index
    assert caught.value.reason.startswith(reason)
    assert "hand siteswap" in caught.value.accepted
