import pytest
from hypothesis import given
from siteswap_strategies import vanilla_siteswaps

from juggle_anim.errors import NotationError
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.hand_siteswap.handspec import read_plain_siteswap
from juggle_anim.notation.hand_siteswap.read import HandOrder, hand_order


def order_of(text: str) -> HandOrder:
    return hand_order(read_plain_siteswap(text, hands=True))


def test_hands_are_numbered_in_the_order_of_their_first_throws() -> None:
    assert order_of("423").numbers(6) == [0, 1, 2, 1, 0, 2]
    assert order_of("8404").numbers(8) == [0, 1, None, 2, 3, 1, None, 2]


def test_hands_are_where_they_were_when_all_orbits_are_through() -> None:
    assert [order_of(text).beats for text in ("4", "423", "22286", "51")] == [4, 6, 10, 6]


@given(vanilla_siteswaps())
def test_there_are_as_many_hands_as_there_would_be_props(text: str) -> None:
    order = order_of(text)
    assert order.hands == read_siteswap(text).props


@given(vanilla_siteswaps())
def test_a_hand_throws_again_when_its_throw_says(text: str) -> None:
    order = order_of(text)
    numbers = order.numbers(2 * order.beats)
    assert {number for number in numbers if number is not None} == set(range(order.hands))
    for beat, number in enumerate(numbers):
        value = order.values[beat % len(order.values)]
        later = [number, *numbers[beat + 1 :], *numbers[:beat], number]
        assert (later[1:].index(number) + 1 == value) if value else number is None


@pytest.mark.parametrize(
    ("text", "index", "reason"),
    [
        ("4 5", 0, "the throws add up to 9 over 2 beats, and their average is the number of hands"),
        ("0", 0, "this is a siteswap of no hands"),
        (
            "00ae00",
            2,
            "the hand that throws on beat 3, a 10, would throw next on beat 13, on which no hand throws",
        ),
        (
            "5 4 3",
            2,
            "the hands that throw on beats 1 and 2, a 5 and a 4, would both throw next on beat 6",
        ),
        (
            "3 5 1",
            2,
            "the hands that throw on beats 4 and 2, a 3 and a 5, would both throw next on beat 7",
        ),
    ],
)
def test_what_no_hands_can_do_is_refused(text: str, index: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        order_of(text)
    assert (caught.value.index, caught.value.reason) == (index, reason)
    assert caught.value.accepted
