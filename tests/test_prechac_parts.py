from juggle_anim.notation.prechac.parser import parse_prechac
from juggle_anim.notation.prechac.syntax import CatchSlots, PrechacThrow, landing_hand
from juggle_anim.pattern import LEFT, RIGHT


def _thrown(text: str) -> tuple[CatchSlots, list[PrechacThrow]]:
    line = parse_prechac(text).lines[0]
    return CatchSlots(line, line.beats), [throw for slot in line.slots for throw in slot.throws]


def test_a_line_catches_as_many_as_it_throws() -> None:
    assert _thrown("[4 3p] 0 1")[0].free == {(0, None): 2, (1, None): 0, (2, None): 1}
    assert _thrown("(4, 0)")[0].free == {(0, LEFT): 1, (0, RIGHT): 0}


def test_where_hands_take_turns_the_next_one_catches_and_nothing_crosses() -> None:
    room, (plain, crossing, _) = _thrown("3p 3xp 3")
    assert room.place(4, RIGHT, plain) == (1, None)
    assert room.place(4, RIGHT, crossing) is None


def test_where_both_hands_catch_odd_throws_and_x_go_across() -> None:
    _, throws = _thrown("(4p, 5p) (4xp, 5xp)")
    assert [landing_hand(LEFT, throw) for throw in throws] == [LEFT, RIGHT, RIGHT, LEFT]
