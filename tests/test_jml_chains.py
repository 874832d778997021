import pytest
from jml_performances import LOOP, jml, read_one

from juggle_anim.errors import FileError


def event(time: float, hand: str, *doings: str) -> str:
    return f'<event x="0" t="{time}" hand="{hand}">{"".join(f"<{doing}/>" for doing in doings)}</event>'


def test_a_flight_ends_with_the_next_catch_and_a_carry_with_the_next_throw() -> None:
    shown = read_one(
        jml(
            event(0, "right", 'throw path="1"'),
            event(0.3, "left", 'catch path="1"'),
            event(0.4, "left", 'holding path="1"'),
            event(0.5, "left", 'throw path="1"'),
            event(0.9, "right", 'catch path="1"'),
        )
    )
    assert shown.flights.duration == pytest.approx([0.3, 0.4])
    assert shown.flights.carry == pytest.approx([0.2, 0.1])
    assert [(orbit.flights, orbit.props, orbit.hand) for orbit in shown.orbits] == [((0, 1), 1, 1)]


def test_a_prop_goes_on_in_the_next_loop_where_the_permutation_says() -> None:
    # Thrown on path 1 it is on path 1 until the loop ends, then where path 3 was, then where path 2 was.
    loop = '<symmetry type="delay" delay="1" pperm="(1,2,3)"/>'
    throw, catch = event(0.25, "right", 'throw path="1"'), event(0, "right", 'catch path="2"')
    shown = read_one(jml(throw, catch, setup='<setup paths="3"/>', loop=loop))
    assert shown.flights.duration == pytest.approx([1.75])
    assert shown.flights.carry == pytest.approx([1.25])
    assert shown.orbits[0].props == 3


def test_a_catch_and_a_throw_of_one_prop_may_be_one_event() -> None:
    doings = ['throw path="1"', 'catch path="1"']
    for order in (doings, doings[::-1]):
        shown = read_one(jml(event(0.5, "left", *order)))
        assert shown.flights.duration == pytest.approx([1.0])
        assert shown.flights.carry == pytest.approx([0.0])


def test_props_that_are_never_thrown_stay_in_their_hand() -> None:
    loop = '<symmetry type="delay" delay="1" pperm="(1,2)"/>'
    shown = read_one(jml(event(0, "left", 'holding path="1"'), setup='<setup paths="2"/>', loop=loop))
    assert [(orbit.flights, orbit.props, orbit.hand) for orbit in shown.orbits] == [((), 2, 0)]


@pytest.mark.parametrize(
    ("events", "line", "reason"),
    [
        ([], 2, "path 1 is never thrown, caught or held; an event that names path 1"),
        ([event(0, "left", 'throw path="1"')], 5, "path 1 is thrown, but nobody caught it since line 5; a catch"),
        ([event(0, "left", 'catch path="1"')], 5, "path 1 is caught, but nobody threw it since line 5; a throw"),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0.5, "left", 'catch path="1"'),
                event(0.6, "right", 'throw path="1"'),
            ],
            5,
            "path 1 is thrown, but nobody caught it since line 7",
        ),
        (
            [event(0, "left", 'throw path="1"'), event(0.5, "right", 'catch path="1"')],
            5,
            "path 1 is thrown by the left hand of juggler 1, but it is in the right hand of juggler 1 since line 6",
        ),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0.5, "left", 'catch path="1"'),
                event(0.6, "right", 'holding path="1"'),
            ],
            5,
            "path 1 is thrown by the left hand of juggler 1, but it is in the right hand of juggler 1 since line 7",
        ),
        (
            [event(0, "left", 'holding path="1"'), event(0.6, "right", 'holding path="1"')],
            5,
            "path 1 is held by the left hand of juggler 1, but it is in the right hand of juggler 1 since line 6",
        ),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0.1, "left", 'holding path="1"'),
                event(0.5, "left", 'catch path="1"'),
            ],
            6,
            "path 1 is held, but nobody caught it since line 5",
        ),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0, "right", 'catch path="1"'),
                event(0.5, "right", 'throw path="1"'),
                event(0.7, "left", 'catch path="1"'),
            ],
            6,
            "path 1 is caught at the moment when it is thrown; a later catch",
        ),
    ],
)
def test_a_prop_that_no_hand_can_have_is_refused(events: list[str], line: int, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        read_one(jml(*events, loop=LOOP))
    assert str(caught.value).startswith(f"file:{line}: {reason}")
