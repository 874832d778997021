import pytest

from juggle_anim.notation.prechac.parser import parse_prechac
from juggle_anim.notation.prechac.syntax import Line
from juggle_anim.pattern import LEFT, RIGHT


def _line(text: str) -> Line:
    return parse_prechac(text).lines[0]


@pytest.mark.parametrize(
    ("text", "loop"), [("3p 3", 2), ("3p 3 3", 6), ("3p 3*", 2), ("(4p, 4)", 2), ("(4p, 4)*", 4), ("3p (4, 4)", 3)]
)
def test_a_line_begins_again_once_both_hands_do(text: str, loop: int) -> None:
    assert _line(text).loop == loop


def test_hands_take_turns_through_all_rounds() -> None:
    hands = [hand for _, hand, _ in _line("3p 3 3").until(6)]
    assert hands == [RIGHT, LEFT] * 3
    assert [hand for _, hand, _ in _line("L3p 3 3").until(6)] == [LEFT, RIGHT] * 3


def test_a_star_swaps_the_hands_of_every_second_round() -> None:
    thrown = [(beat, hand, slot.throws[0].text) for beat, hand, slot in _line("(4p, 2)*").until(4)]
    assert thrown == [(0, LEFT, "4p"), (0, RIGHT, "2"), (2, RIGHT, "4p"), (2, LEFT, "2")]


def test_zeros_are_not_thrown() -> None:
    assert [[throw.text for throw in slot.thrown] for slot in _line("0 [0 3p] 3").slots] == [[], ["3p"], ["3"]]
