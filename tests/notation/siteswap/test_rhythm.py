from fractions import Fraction

import numpy as np
import pytest
from work import ONE_SECOND, at_most

import juggle_anim as ja
from juggle_anim.errors import NotationError
from juggle_anim.notation import read_settings, read_siteswap
from juggle_anim.notation.settings.settings import write_settings
from juggle_anim.pattern import LEFT, RIGHT


def _times(text: str, hand: int) -> list[Fraction]:
    """When a hand throws, [beats]."""
    pattern = read_siteswap(text)
    return [
        Fraction(throw.beat, pattern.division) for throw in pattern.throws if throw.hand == hand
    ]


def _beats(*values: float) -> list[Fraction]:
    return [Fraction(value).limit_denominator(12) for value in values]


@pytest.mark.parametrize(
    "text",
    [
        "(4,5.3x) 4 5.3x 4 5.3x 4",
        "(4,5.3x)45.3x 45.3x 4",
        "(4,5.33x) 4 5.33x 4 5.33x 4",
        "(4,5.3x) 4 5.3x 4",
    ],
)
def test_four_throws_of_one_hand_last_as_long_as_three_of_the_other(text: str) -> None:
    pattern = read_siteswap(text)
    assert (pattern.props, Fraction(pattern.period, pattern.division)) == (4, 8)
    assert _times(text, LEFT) == _beats(0, 2, 4, 6)
    assert _times(text, RIGHT) == _beats(0, 8 / 3, 16 / 3)
    assert all(throw.hand == throw.to_hand for throw in pattern.throws)


@pytest.mark.parametrize(
    ("text", "props", "left", "right"),
    [
        ("(5.3x,4) 4 5.3x 4", 4, (0, 8 / 3, 16 / 3), (0, 2, 4, 6)),
        ("(4,2.7) 2.7 4 2.7", 4, (0, 2), (0, 4 / 3, 8 / 3)),
        ("(3x,4.5) 3x 4.5 3x", 4, (0, 1.5, 3), (0, 2.25)),
        ("(4,3.2x) 3.2x 4 3.2x 4 3.2x 4 3.2x", 4, (0, 2, 4, 6), (0, 1.6, 3.2, 4.8, 6.4)),
    ],
)
def test_hands_of_a_polyrhythm_throw_evenly(
    text: str, props: int, left: tuple[float, ...], right: tuple[float, ...]
) -> None:
    assert read_siteswap(text).props == props
    assert (_times(text, LEFT), _times(text, RIGHT)) == (_beats(*left), _beats(*right))


@pytest.mark.parametrize(
    ("text", "props", "left", "right"),
    [
        ("3.5 2.5", 3, (1.5,), (0,)),
        ("2.5 3.5", 3, (0.5,), (0,)),
        ("4.5 3.5", 4, (0.5,), (0,)),
        ("3.3 2.7", 3, (4 / 3,), (0,)),
        ("L3.5 2.5", 3, (0,), (1.5,)),
        ("[3.5 3.5] [2.5 2.5]", 6, (1.5, 1.5), (0, 0)),
        ("5.5 5 5 4.5", 5, (1.5, 3.5), (0, 2.5)),
    ],
)
def test_a_gallop_is_as_uneven_as_its_throws_say(
    text: str, props: int, left: tuple[float, ...], right: tuple[float, ...]
) -> None:
    assert read_siteswap(text).props == props
    assert (_times(text, LEFT), _times(text, RIGHT)) == (_beats(*left), _beats(*right))


def test_throws_of_parts_of_beats_lead_into_a_gallop_and_out_of_it() -> None:
    text = "(4^4)4.5 4 4.5(4^4)4.5 4 4.5"
    pattern = read_siteswap(text)
    assert (pattern.props, Fraction(pattern.period, pattern.division)) == (4, Fraction(29, 2))
    assert _times(text, RIGHT) == _beats(0, 2, 4, 6, 8.5, 10.5, 12.5)
    assert _times(text, LEFT) == _beats(1, 3, 5, 7, 9, 11, 13)


@pytest.mark.parametrize(
    ("text", "throw"),
    [
        ("1.5", "1.5"),
        ("3.5", "3.5"),
        ("4.5", "4.5"),
        ("2.5 3", "2.5"),
        ("4.5 4", "4.5"),
        ("0.5 1.5", "0.5"),
        ("(4,5.3x)", "5.3x"),
        ("5.3x 4", "5.3x"),
    ],
)
def test_throws_that_no_hand_would_meet_are_refused_under_the_first(text: str, throw: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_siteswap(text)
    assert f"the {throw} lands between the juggler's own beats" in caught.value.reason


@pytest.mark.parametrize(
    "text", ["(4.5 3.7^900)", "6.5 5 5 5 4.5 " * 10, "4.5 3.7 2.1 3 " * 14, "[4.5 3.7 9.1]2 " * 30]
)
def test_looking_for_a_rhythm_ends_soon(text: str) -> None:
    with at_most(ONE_SECOND), pytest.raises(NotationError):
        read_siteswap(text)


@pytest.mark.parametrize("text", ["(4,5.3x) 4 5.3x 4", "3.5 2.5"])
def test_a_rhythm_is_juggled_and_written_back(text: str) -> None:
    animation = ja.animate(text)
    assert np.isfinite(animation.pose(np.linspace(0.0, 3.0, 30)).joints).all()
    assert (
        read_settings(write_settings(animation.score, animation.parameters)).score.pattern
        == animation.pattern
    )
