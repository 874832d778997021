import numpy as np
import pytest
from jml_performances import LOOP, jml, read_one

from juggle_anim.choreography import CatchStyle, EventKind, FlightStyle
from juggle_anim.errors import FileError

THROW = '<event x="20" y="5" z="-10" t="0.1" hand="right"><throw path="1"/></event>'


CATCH = '<event x="30" t="0.6" hand="right"><catch path="1"/></event>'


def test_places_are_metres_to_the_left_up_and_forward_of_the_feet() -> None:
    shown = read_one(jml(THROW, CATCH))
    np.testing.assert_allclose(
        shown.events.position, [[-0.2, 0.9, 0.35], [-0.3, 1.0, 0.3]], atol=1e-12
    )
    assert shown.duration == 1.0


def test_a_hand_that_does_nothing_rests_where_its_only_event_is() -> None:
    shown = read_one(jml(THROW, CATCH, '<event x="-50" t="0.3" hand="left"/>'))
    np.testing.assert_allclose(shown.rest[0], [0.5, 1.0, 0.3], atol=1e-12)
    np.testing.assert_allclose(
        read_one(jml(THROW, CATCH)).rest, [[0.25, 1.0, 0.3], [-0.25, 1.0, 0.3]], atol=1e-12
    )


def test_gravity_and_bounce_that_all_share_belong_to_the_whole() -> None:
    moon = THROW.replace("/></event>", ' mod="g=162"/></event>')
    shown = read_one(jml(moon, CATCH))
    assert (shown.gravity, shown.bounce_fraction, shown.flights.style) == (1.62, 0.9, ())
    two = [text.replace("right", "left").replace('"1"', '"2"') for text in (THROW, CATCH)]
    shown = read_one(jml(moon, CATCH, *two, setup='<setup paths="2"/>'))
    assert shown.gravity == 9.8
    assert set(shown.flights.style) == {FlightStyle(gravity=1.62), FlightStyle()}


def test_catches_and_bounces_have_their_style() -> None:
    bounce = THROW.replace("/></event>", ' type="bounce" mod="bounces=2;bouncefrac=0.5"/></event>')
    for text, style in (
        ("<softcatch", CatchStyle.SOFT),
        ("<grabcatch", CatchStyle.GRAB),
        ("<catch", CatchStyle.NATURAL),
    ):
        shown = read_one(jml(bounce, CATCH.replace("<catch", text)))
        assert shown.flights.style == (FlightStyle(bounces=2, caught=style),)
        assert shown.bounce_fraction == 0.5


def test_props_look_as_their_path_says_in_the_order_of_the_orbits() -> None:
    loop = '<symmetry type="delay" delay="1" pperm="(1,2)(3)"/>'
    props = [f'<prop mod="diam={size}"/>' for size in (1, 2, 3)]
    held = '<event x="0" t="0" hand="left"><holding path="3"/></event>'
    shown = read_one(
        jml(*props, THROW, CATCH, held, setup='<setup paths="3" props="3,1,2"/>', loop=loop)
    )
    # The prop that now is on path 1 goes first; that on path 2 is a loop ahead.
    assert [look.diameter for look in shown.looks] == [0.03, 0.01, 0.02]
    assert read_one(jml("<prop/>", THROW, CATCH)).looks == ()


def test_the_prop_that_is_thrown_in_this_loop_goes_first() -> None:
    loop = '<symmetry type="delay" delay="1" pperm="(1,2)"/>'
    props = [f'<prop mod="diam={size}"/>' for size in (1, 2)]
    on_second = [text.replace('"1"', '"2"') for text in (THROW, CATCH)]
    shown = read_one(jml(*props, *on_second, setup='<setup paths="2" props="1,2"/>', loop=loop))
    assert [look.diameter for look in shown.looks] == [0.02, 0.01]
    assert shown.flights.carry.tolist() == [1.5]


def test_the_tempo_is_that_of_the_base_pattern_or_of_the_throws() -> None:
    base = "<basepattern>pattern=1;BPS= 2.5;dwell=1</basepattern>"
    assert read_one(jml(base, THROW, CATCH)).bps == 2.5
    assert read_one(jml(THROW, CATCH)).bps == 1.0


def test_a_pattern_without_props_is_one() -> None:
    shown = read_one(jml('<event x="0" t="0" hand="left"/>', setup='<setup paths="0"/>'))
    assert (shown.props, shown.orbits, shown.events.kind.tolist()) == (0, (), [EventKind.MOVE])


def event(time: float, hand: str, *doings: str) -> str:
    return (
        f'<event x="0" t="{time}" '
        f'hand="{hand}">{"".join(f"<{doing}/>" for doing in doings)}</event>'
    )


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
    # Thrown on path 1 it is on path 1 until the loop ends, then where path 3 was, then where path 2
    # was.
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
    shown = read_one(
        jml(event(0, "left", 'holding path="1"'), setup='<setup paths="2"/>', loop=loop)
    )
    assert [(orbit.flights, orbit.props, orbit.hand) for orbit in shown.orbits] == [((), 2, 0)]


@pytest.mark.parametrize(
    ("events", "line", "reason"),
    [
        ([], 2, "path 1 is never thrown, caught or held; an event that names path 1"),
        (
            [event(0, "left", 'throw path="1"')],
            5,
            "path 1 is thrown, but not caught since line 5; a catch",
        ),
        (
            [event(0, "left", 'catch path="1"')],
            5,
            "path 1 is caught, but not thrown since line 5; a throw",
        ),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0.5, "left", 'catch path="1"'),
                event(0.6, "right", 'throw path="1"'),
            ],
            5,
            "path 1 is thrown, but not caught since line 7",
        ),
        (
            [event(0, "left", 'throw path="1"'), event(0.5, "right", 'catch path="1"')],
            5,
            "path 1 is thrown by the left hand of juggler 1, but it is in the right hand of "
            "juggler 1 since line 6",
        ),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0.5, "left", 'catch path="1"'),
                event(0.6, "right", 'holding path="1"'),
            ],
            5,
            "path 1 is thrown by the left hand of juggler 1, but it is in the right hand of "
            "juggler 1 since line 7",
        ),
        (
            [event(0, "left", 'holding path="1"'), event(0.6, "right", 'holding path="1"')],
            5,
            "path 1 is held by the left hand of juggler 1, but it is in the right hand of juggler "
            "1 since line 6",
        ),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0.1, "left", 'holding path="1"'),
                event(0.5, "left", 'catch path="1"'),
            ],
            6,
            "path 1 is held, but not caught since line 5",
        ),
        (
            [
                event(0, "left", 'throw path="1"'),
                event(0, "right", 'catch path="1"'),
                event(0.5, "right", 'throw path="1"'),
                event(0.7, "left", 'catch path="1"'),
            ],
            6,
            "path 1 is caught at the moment it is thrown; a later catch",
        ),
    ],
)
def test_a_prop_that_no_hand_can_have_is_refused(events: list[str], line: int, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        read_one(jml(*events, loop=LOOP))
    assert str(caught.value).startswith(f"file:{line}: {reason}")
