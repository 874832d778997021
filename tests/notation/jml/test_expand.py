from itertools import pairwise

import pytest
from jml_performances import LOOP, jml

from juggle_anim.errors import FileError
from juggle_anim.notation.jml.document import JmlEvent, read_tree
from juggle_anim.notation.jml.read import read_pattern
from juggle_anim.notation.jml.symmetries import expand_symmetries

Row = tuple[float, str, float, list[int]]


def rows(*inner: str, setup: str = '<setup paths="3"/>', loop: str = LOOP) -> list[Row]:
    """Of each event of the loop the time, the hand, how far right it is, and the paths named, from
    1.
    """
    return [
        _row(event)
        for event in expand_symmetries(
            read_pattern(read_tree(jml(*inner, setup=setup, loop=loop), "f").children[0], (3,))
        )
    ]


def _row(event: JmlEvent) -> Row:
    hand = f"{event.juggler + 1}{'LR'[event.side]}"
    return (
        round(event.time, 9),
        hand,
        event.place[0],
        [transition.path + 1 for transition in event.transitions],
    )


def event(time: float, hand: str, *paths: int, x: float = 10) -> str:
    held = "".join(f'<holding path="{path}"/>' for path in paths)
    return f'<event x="{x}" t="{time}" hand="{hand}">{held}</event>'


TURNING = '<symmetry type="delay" delay="1" pperm="(1,2,3)"/>'


def test_an_event_outside_the_loop_comes_into_it_with_the_paths_of_that_loop() -> None:
    # What path 1 does in this loop path 2 does in the next and path 3 in the one after it.
    assert rows(event(0.25, "left", 1), loop=TURNING) == [(0.25, "1L", 10, [1])]
    assert rows(event(1.25, "left", 2), loop=TURNING) == [(0.25, "1L", 10, [1])]
    assert rows(event(-0.75, "left", 3), loop=TURNING) == [(0.25, "1L", 10, [1])]
    assert rows(event(1e6 + 0.25, "left", 2), loop=TURNING) == [(0.25, "1L", 10, [1])]


def test_an_event_at_the_end_of_the_loop_is_at_its_start() -> None:
    assert rows(event(1, "left", 2), loop=TURNING) == [(0.0, "1L", 10, [1])]
    assert rows(event(0.9999999999, "left", 2), loop=TURNING) == [(0.0, "1L", 10, [1])]


def test_a_switch_does_the_same_at_once_with_the_other_hand_mirrored() -> None:
    switch = '<symmetry type="switch" jperm="(1,1*)" pperm="(1,3)"/>'
    assert rows(event(0.5, "right", 1, 2), switch) == [
        (0.5, "1L", -10, [3, 2]),
        (0.5, "1R", 10, [1, 2]),
    ]


def test_a_switchdelay_does_the_same_half_a_loop_later() -> None:
    later = '<symmetry type="switchdelay" jperm="(1,1*)" pperm="(1,3,2)"/>'
    expected = [(0.25, "1R", 10, [1]), (0.75, "1L", -10, [3])]
    assert rows(event(0.25, "right", 1), later, loop=TURNING) == expected
    assert rows(event(0.75, "left", 3, x=-10), later, loop=TURNING) == expected


def test_three_jugglers_in_turn_divide_the_loop_in_three() -> None:
    later = '<symmetry type="switchdelay" jperm="(1,2,3)" pperm="(1,2,3)"/>'
    setup = '<setup jugglers="3" paths="3"/>'
    assert rows(event(0.5, "2:left", 2), later, setup=setup) == [
        (round(0.5 - 1 / 3, 9), "1L", 10, [1]),
        (0.5, "2L", 10, [2]),
        (round(0.5 + 1 / 3, 9), "3L", 10, [3]),
    ]


def test_symmetries_work_together() -> None:
    both = [
        '<symmetry type="switchdelay" jperm="(1,1*)(2,2*)" pperm="(1,2)(3,4)"/>',
        '<symmetry type="switch" jperm="(1,2)" pperm="(1,3)(2,4)"/>',
    ]
    found = rows(event(0, "1:right", 1), *both, setup='<setup jugglers="2" paths="4"/>')
    assert found == [
        (0, "1R", 10, [1]),
        (0, "2R", 10, [3]),
        (0.5, "1L", -10, [2]),
        (0.5, "2L", -10, [4]),
    ]


def test_delays_of_different_orders_divide_the_loop_by_both() -> None:
    both = [
        '<symmetry type="switchdelay" jperm="(1,1*)"/>',
        '<symmetry type="switchdelay" jperm="(2,3,4)"/>',
    ]
    found = rows(
        event(0, "1:left"), event(0, "2:left"), *both, setup='<setup jugglers="4" paths="0"/>'
    )
    assert [(time, hand) for time, hand, _, _ in found] == [
        (0, "1L"),
        (0, "2L"),
        (round(1 / 3, 9), "3L"),
        (0.5, "1R"),
        (round(2 / 3, 9), "4L"),
    ]


def test_a_juggler_not_named_is_left_alone() -> None:
    switch = '<symmetry type="switch" jperm="(1,1*)"/>'
    found = rows(
        event(0, "1:left", 1),
        event(0, "2:left", 2),
        switch,
        setup='<setup jugglers="2" paths="3"/>',
    )
    assert [hand for _, hand, _, _ in found] == ["1L", "1R", "2L"]


def test_events_of_one_hand_at_one_time_are_one() -> None:
    assert rows(event(0, "left", 1, 2), event(1, "left", 2, 3)) == [(0, "1L", 10, [1, 2, 3])]


def test_an_event_listed_beside_the_one_it_follows_from_changes_nothing() -> None:
    later = '<symmetry type="switchdelay" jperm="(1,1*)"/>'
    assert rows(event(0, "left", 1), event(0.5, "right", 1, x=-10), later) == rows(
        event(0, "left", 1), later
    )


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (
            [event(0.5, "left"), event(0.5, "left", x=11)],
            (
                "f:6: the left hand of juggler 1 is in two places at time 0.5, here and on line "
                "5; one place at a time"
            ),
        ),
        (
            [
                event(0, "left", 1).replace("holding", kind)
                for kind in ("throw", 'throw type="bounce"')
            ],
            (
                "f:6: at time 0 path 1 goes two ways, here and on line 5; one throw or catch per "
                "path at a time"
            ),
        ),
        (
            [event(0, "left"), '<symmetry type="switch" jperm="(1,1*)" pperm="(1,2,3)"/>'],
            "f:2: the symmetries of the pattern contradict each other; pperm and jperm that go "
            "together",
        ),
        (
            [event(0, "left"), '<symmetry type="switchdelay" jperm="(1,1*)" pperm="(1,2)"/>'] * 2,
            "f:2: the symmetries of the pattern contradict each other; pperm and jperm that go "
            "together",
        ),
    ],
)
def test_what_goes_against_itself_is_refused(inner: list[str], reason: str) -> None:
    with pytest.raises(FileError) as caught:
        rows(*inner, loop=TURNING if "switch" in inner[1] else LOOP)
    assert str(caught.value) == reason


def test_symmetries_that_never_end_are_refused() -> None:
    bounds = [0, 2, 5, 10, 17, 28, 41, 58, 77]
    turns = [range(low + 1, high + 1) for low, high in pairwise(bounds)]
    text = "".join(f"({','.join(map(str, turn))})" for turn in turns)
    with pytest.raises(FileError, match="divide its loop too often"):
        rows(
            event(0, "left"),
            f'<symmetry type="switchdelay" jperm="{text}"/>',
            setup='<setup jugglers="77" paths="0"/>',
        )
