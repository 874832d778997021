import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation.hand_siteswap.handspec import read_plain_siteswap


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
    with pytest.raises(NotationError, match="the average is the number of props"):
        read_plain_siteswap("45", hands=False)


_CARETS = [
    ("5x", 1, "where a throw lands"),
    ("{12} ×", 5, "where a throw lands"),
    (" <3p|3p>", 1, "jugglers and passes"),
    ("33(4,4)", 2, "beside a hand siteswap one hand throws at a time"),
    ("3([33],4)", 1, "beside a hand siteswap one hand throws at a time"),
    ("3 R3", 2, "which hand throws"),
    ("L(531^2)", 0, "which hand throws"),
    ("531*", 3, "hands that follow a hand siteswap cannot be swapped"),
    ("(51*^2)", 3, "hands that follow a hand siteswap cannot be swapped"),
]
_OF_HANDS = [
    ("4 [44]", 2, "hands make no multiplex"),
    ("44B", 2, "hands neither bounce nor are held"),
    ("4 {4}H", 5, "hands neither bounce nor are held"),
]


@pytest.mark.parametrize("hands", [False, True])
@pytest.mark.parametrize(("text", "index", "reason"), _CARETS)
def test_what_says_which_hand_throws_is_refused_where_it_stands(
    text: str, index: int, reason: str, hands: bool
) -> None:
    _assert_refused(text, index, reason, hands)


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
