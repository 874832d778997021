import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.errors import NotationError
from juggle_anim.notation.hand_siteswap.handspec import Hand, default_hands, read_handspec
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


@pytest.mark.parametrize(
    ("text", "index", "reason"),
    [
        ("", 0, "a ( is expected here, but the text ends"),
        ("12", 0, "a ( is expected here, not 12"),
        ("(1 2)", 3, "a comma is expected here, not 2"),
        ("(1,2", 4, "a ) is expected here, but the text ends"),
        ("(1,2 3)", 5, "a ) is expected here, not 3"),
        ("(1,2)x", 5, "a ( is expected here, not x"),
        ("(1,2)(,)", 5, "juggler 2 has no hand"),
        ("(1,2)(3,5)", 8, "there is no hand 5"),
        ("(0,2)", 1, "there is no hand 0"),
        ("(1,٣)", 3, "a ) is expected here, not ٣"),
        ("(1,2)( 1,3)", 7, "hand 1 is here twice"),
        ("(1,2)", 5, "hand 3 is nobody's"),
        ("(1," + "9" * 5_000 + ")", 3, "there is no hand 999999999999"),
        ("(1,2)" * 5_000, 20_000, "this text is 25000 characters long"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_the_caret_stands_under_what_is_wrong(text: str, index: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_handspec(text, 4)
    assert (caught.value.index, caught.value.reason) == (index, reason)
    assert caught.value.accepted
