import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation.siteswap.parser import parse
from juggle_anim.notation.siteswap.placement import place_throws
from juggle_anim.notation.siteswap.read import check_average


def _check(text: str) -> None:
    check_average(text, place_throws(text, parse(text)))


@pytest.mark.parametrize("text", ["3", "531", "0", "(6x,4)*", "[34]23", "(4,2)(2,4)"])
def test_a_whole_average_passes(text: str) -> None:
    _check(text)


@pytest.mark.parametrize(
    ("text", "index", "reason", "totals"),
    [
        ("431", 0, "the throws 4, 3, 1 average 2⅔,", "6 or 9, but not to 8"),
        (" 54", 1, "the throws 5, 4 average 4½,", "8 or 10, but not to 9"),
        ("10", 0, "the throws add up to 1 over 2 beats: on average ½,", "to 2, but not to 1"),
        ("54315", 0, "average 3 3/5,", "15 or 20"),
        ("[54]23", 0, "the throws add up to 14 over 3 beats: on average 4⅔,", "12 or 15"),
        ("(6,6)(4,2)(2,3x)*", 0, "the throws 6, 6, 4, 2, 2, 3 average 3 5/6,", "18 or 24"),
        ("33333333332333", 0, "the throws add up to 41 over 14 beats: on average 2 13/14,", "28 or 42"),
    ],
)
def test_a_broken_average_is_told_with_the_nearest_totals(text: str, index: int, reason: str, totals: str) -> None:
    with pytest.raises(NotationError) as caught:
        _check(text)
    assert caught.value.index == index
    assert reason in caught.value.reason
    assert totals in caught.value.accepted


def test_more_than_five_thousand_props_are_too_many() -> None:
    _check(f"[{'{1000}' * 5}]")
    with pytest.raises(NotationError, match="5001 props"):
        _check(f"[{'{1000}' * 5}1]")


def test_props_of_all_jugglers_are_added_up() -> None:
    _check("<3p|2p>")
    with pytest.raises(NotationError, match="the throws add up to 11 over 2 beats: on average 5½"):
        _check("<3p 2|3p 3>")


def test_hands_without_throws_are_refused() -> None:
    with pytest.raises(NotationError, match="nobody throws"):
        _check("<R|L>")
