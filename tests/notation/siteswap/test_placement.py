import pytest
from hypothesis import given
from siteswap_strategies import vanilla_siteswaps

from juggle_anim.errors import NotationError
from juggle_anim.notation.siteswap.syntax import Placement, parse, place_throws
from juggle_anim.pattern import LEFT, RIGHT


def _place(text: str) -> Placement:
    return place_throws(text, parse(text))


def _hands(text: str) -> str:
    """Which hand throws, throw after throw, of one loop."""
    return "".join("LR"[placed.throw.hand] for placed in _place(text).throws)


def _throws(text: str) -> list[tuple[int, ...]]:
    return [tuple(placed.throw[:6]) for placed in _place(text).throws]


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("51", "RL"),
        ("531", "RLRLRL"),
        ("531*", "RLRLRL"),
        ("333333*", "RLRLRL"),
        ("(3*^2)", "RLRL"),
        ("3(51^2)", "RLRLRLRLRL"),
        ("R3R3xL3L3x", "RRLL"),
        ("L33", "LR"),
        ("3R33", "RRL"),
        ("R3*", "RL"),
        ("R3R3*", "RRLL"),
        ("3(4,4)1", "RLRL"),
        ("R3", "RL"),
        ("L531", "LRLRLR"),
        ("L33*", "LR"),
        ("R3x", "R"),
        ("L(4,4)3", "LRL"),
        ("33L3", "RLL"),
        ("<3p|3p>", "RRLL"),
        ("<R|L><3|3>", "RLLR"),
        ("<R|L><4xp 3 3|3 4xp 3>", "RLLRRL"),
        ("<3|3><R|L>", "RR"),
        ("<3 3|L3 R3>", "RLLR"),
        ("<(2x,2x)|22>*", "LRRLLRLR"),
        ("(<3|L3>^2)", "RLLL"),
    ],
)
def test_which_hand_throws(text: str, hands: str) -> None:
    assert _hands(text) == hands


def test_an_odd_value_crosses_an_even_one_does_not_and_x_turns_this_round() -> None:
    ends = [(placed.throw.hand, placed.throw.to_hand) for placed in _place("(4,5)(4x,5x)").throws]
    assert ends == [(LEFT, LEFT), (RIGHT, LEFT), (LEFT, RIGHT), (RIGHT, RIGHT)]


def test_the_left_hand_of_a_pair_is_written_first_and_a_pair_takes_two_beats() -> None:
    assert [
        (placed.throw.beat, placed.throw.hand, placed.throw.value)
        for placed in _place("(6,4)(2,8)").throws
    ] == [
        (0, LEFT, 6),
        (0, RIGHT, 4),
        (2, LEFT, 2),
        (2, RIGHT, 8),
    ]
    assert _place("(6,4)(2,8)!").period == 3


def test_a_star_after_pairs_repeats_them_with_the_hands_swapped() -> None:
    assert _throws("(6x,4)*") == _throws("(6x,4)(4,6x)")
    assert _throws("((6x,4)*^2)") == _throws("(6x,4)(4,6x)(6x,4)(4,6x)")


@given(vanilla_siteswaps())
def test_a_repeat_is_what_it_writes_out(text: str) -> None:
    assert _throws(f"({text}^3)") == _throws(text * 3)


@given(vanilla_siteswaps())
def test_a_star_adds_nothing_to_alternating_throws(text: str) -> None:
    assert _throws(f"{text}*") == _throws(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2x0*", "R2x0L2x0"),
        ("[2x2x]0*", "R[2x2x]0L[2x2x]0"),
        ("3x1x*", "R3x1xL3x1x"),
        ("L2x0*", "L2x0R2x0"),
        ("(2x0*^2)", "(R2x0L2x0^2)"),
        ("<2x 0|2x 0>*", "<R2x 0 L2x 0|R2x 0 L2x 0>"),
        ("<6xp 0|6xp 0>*", "<R6xp 0 L6xp 0|R6xp 0 L6xp 0>"),
        ("<R|L><2x 0|2x 0>*", "<R2x 0 L2x 0|L2x 0 R2x 0>"),
    ],
)
def test_a_star_after_single_throws_with_an_x_repeats_them_with_the_hands_swapped(
    text: str, written: str
) -> None:
    assert _throws(text) == _throws(written)


def test_a_star_after_an_odd_number_of_single_throws_adds_nothing_with_an_x_either() -> None:
    assert _throws("4x02*") == _throws("4x02")
    assert _throws("0x4*") == _throws("04")


def test_empty_hands_are_no_throws_but_take_their_beats() -> None:
    assert _throws("4[00]") == [(0, 0, RIGHT, 4, 0, RIGHT)]
    assert _place("4[00]").period == 2


def test_every_throw_knows_where_it_is_written() -> None:
    assert [placed.start for placed in _place(" 5[3 1]").throws] == [1, 3, 5]
    assert [placed.start for placed in _place("3 1 5").throws] == [0, 2, 4, 0, 2, 4]


@pytest.mark.parametrize(
    ("text", "reason"), [("((3^99)^99)", "2000 beats"), ("([3333333333]^1999)", "10000 throws")]
)
def test_repeats_have_a_limit(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        _place(text)


@given(vanilla_siteswaps())
def test_a_star_in_a_group_of_alternating_throws_adds_them_once_more(text: str) -> None:
    assert _throws(f"({text}*^2)") == _throws(text * 4)


def test_a_pass_goes_to_the_next_juggler_or_to_the_one_named() -> None:
    receivers = [placed.throw.to_juggler for placed in _place("<3p 3p3|3p 3p2|3p 3p1>").throws]
    assert receivers == [1, 2, 0, 2, 1, 0]


def test_a_pass_lands_in_the_hand_that_a_throw_to_oneself_would_land_in() -> None:
    ends = [placed.throw[1:6] for placed in _place("<(4p,5p)|(4xp,5xp)>").throws]
    assert ends == [
        (0, LEFT, 4, 1, LEFT),
        (0, RIGHT, 5, 1, LEFT),
        (1, LEFT, 4, 0, RIGHT),
        (1, RIGHT, 5, 0, RIGHT),
    ]


def test_passing_parts_follow_one_another() -> None:
    assert _throws("<3p|3p><3 2|3 2>") == _throws("<3p 3 2|3p 3 2>")
    assert _throws("(<3p 3|3p 3>^2)") == _throws("<(3p 3^2)|3p 3 3p 3>")
    assert _place("<3p 3|3p 3>").jugglers == 2


def test_a_star_swaps_the_hands_of_all_jugglers() -> None:
    assert _throws("<(4xp,2)|(4xp,2)>*") == _throws("<(4xp,2)(2,4xp)|(4xp,2)(2,4xp)>")


def test_how_a_prop_is_thrown_is_kept_when_hands_swap() -> None:
    how = [placed.throw[6:] for placed in _place("(5BHF,3H)(2T,4BB)*").throws]
    assert how == [
        (1, "hyper_force", None),
        (0, "", True),
        (0, "", False),
        (2, "lift", None),
        (0, "", True),
        (1, "hyper_force", None),
        (2, "lift", None),
        (0, "", False),
    ]
