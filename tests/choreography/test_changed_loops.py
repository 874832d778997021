"""A choreography mirrored, begun later, run backward, gone through again, with landings exchanged."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, EventKind, choreograph
from juggle_anim.choreography.unroll import (
    mirrored,
    reversed_in_time,
    unroll,
    with_exchanged_landings,
    with_later_start,
)
from juggle_anim.motion import Motion, move
from juggle_anim.notation import read_settings
from juggle_anim.parameters import Parameters

TEXTS = ["531", "[54]24", "(6x,4)*", "<3p 3|3p 3>", "2", "7;body=(0).(90).(180).(270)."]
MIRROR = np.array([-1.0, 1.0, 1.0])

Flown = list[tuple[object, ...]]


def choreographed(text: str) -> Choreography:
    settings = read_settings(text)
    return choreograph(settings.score, Parameters())


def moved(choreography: Choreography) -> Motion:
    return move(choreography, Parameters())


def in_order(props: Floats) -> Floats:
    """Places of props at each time, whichever prop is where."""
    rows = props.round(6) + 0.0
    return np.array([moment[np.lexsort(moment.T)] for moment in rows])


def props_at(choreography: Choreography, times: Floats) -> Floats:
    return in_order(moved(choreography).sample(times).props)


def flown(choreography: Choreography, *, since: float = 0.0, backward: bool = False) -> Flown:
    """From where and when to where and when each prop flies, within the loop, in a fixed order."""
    events, flights = choreography.events, choreography.flights
    found = []
    ends = (flights.throw, flights.catch)
    for first, last, duration in zip(
        *(ends[::-1] if backward else ends), flights.duration, strict=True
    ):
        start = -events.time[first] if backward else events.time[first]
        start = round((start - since) % choreography.duration, 6)
        start *= start < choreography.duration - 2e-6
        places = (tuple(np.round(events.position[row], 6) + 0.0) for row in (first, last))
        hands = int(events.hand[first]), int(events.hand[last])
        found.append((start, round(float(duration), 6), *hands, *places))
    return sorted(found)


def stances(choreography: Choreography, *, shift: float = 0.0, backward: bool = False) -> Flown:
    """Where each juggler stands, and faces, at which time in the loop, in a fixed order."""
    loop, bodies = choreography.duration, choreography.bodies
    rows = []
    for juggler in np.unique(bodies.juggler).tolist():
        own = np.flatnonzero(bodies.juggler == juggler)
        for row in own.tolist():
            time = (-1 if backward else 1) * float(bodies.time[row]) - shift
            # One who stays in one place does so at any time.
            time = round(time % loop, 6) % round(loop, 6) if len(own) > 1 else 0.0
            rows.append((juggler, time, *bodies.position[row].round(6), bodies.facing[row]))
    return sorted(rows)


@pytest.mark.parametrize("text", TEXTS)
def test_in_a_mirror_props_and_hands_are_on_the_other_side(text: str) -> None:
    choreography = choreographed(text)
    times = np.linspace(0.0, choreography.duration, 23)
    image = mirrored(choreography)
    assert props_at(image, times) == pytest.approx(
        in_order(moved(choreography).sample(times).props * MIRROR), abs=2e-6
    )
    hands = moved(choreography).sample(times).hands
    assert moved(image).sample(times).hands == pytest.approx(hands[:, :, ::-1] * MIRROR, abs=1e-9)
    assert mirrored(image).events.position == pytest.approx(choreography.events.position)
    assert np.array_equal(mirrored(image).events.hand, choreography.events.hand)
    # On the spot, bodies stay, and their hands do the same things on the other side of them.
    on_the_spot = mirrored(choreography, bodies=False)
    assert on_the_spot.bodies is choreography.bodies
    assert np.array_equal(on_the_spot.events.position, image.events.position)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("share", [0.0, 0.37, -0.6, 1.0, 2.5])
def test_a_loop_begun_later_has_each_flight_that_much_earlier(text: str, share: float) -> None:
    choreography = choreographed(text)
    seconds = share * choreography.duration
    later = with_later_start(choreography, seconds)
    assert flown(later) == flown(choreography, since=seconds)
    assert flown(with_later_start(later, -seconds)) == flown(choreography)
    assert stances(later) == stances(choreography, shift=seconds)
    starts = later.events.time[later.flights.throw] % later.duration
    assert np.all(np.diff(starts) >= 0)


@example("7;body=(0).(90).(180).(270).")
@given(valid_siteswaps() | valid_passing_siteswaps())
def test_backward_each_prop_flies_to_where_it_was_thrown(text: str) -> None:
    choreography = choreographed(text)
    backward = reversed_in_time(choreography)
    assert flown(backward) == flown(choreography, backward=True)
    assert flown(reversed_in_time(backward)) == flown(choreography)
    assert stances(backward) == stances(choreography, backward=True)
    assert backward.props == choreography.props
    # A throw is a throw, and a catch a catch, but where a prop is caught and thrown at once.
    flights, kind = backward.flights, backward.events.kind
    assert np.all(kind[flights.throw] == EventKind.THROW)
    assert np.all(np.isin(kind[flights.catch], [EventKind.CATCH, EventKind.THROW]))


@pytest.mark.parametrize("text", TEXTS)
def test_a_loop_gone_through_several_times_shows_the_same(text: str) -> None:
    choreography = choreographed(text)
    longer = unroll(choreography, 3)
    times = np.linspace(0.0, 3 * choreography.duration, 41)
    assert longer.duration == pytest.approx(3 * choreography.duration)
    assert props_at(longer, times) == pytest.approx(props_at(choreography, times), abs=2e-6)


@given(valid_siteswaps(), st.data())
def test_landings_that_are_exchanged_twice_are_as_before(text: str, data: st.DataObject) -> None:
    choreography = choreographed(text)
    flights, events = choreography.flights, choreography.events
    if len(flights.throw) < 2:
        return
    first, second = data.draw(st.permutations(range(len(flights.throw))))[:2]
    starts = events.time[flights.throw]
    ends = starts + flights.duration
    if ends[first] <= starts[second] or ends[second] <= starts[first]:
        return
    exchanged = with_exchanged_landings(choreography, first, second)
    assert exchanged.props == choreography.props
    again = with_exchanged_landings(exchanged, first, second)
    assert flown(again) == flown(choreography)
    assert sorted(orbit.props for orbit in again.orbits) == sorted(
        orbit.props for orbit in choreography.orbits
    )
    # Each flies to the catch of the other, and comes there when that one came.
    new = exchanged.flights
    for one, other in ((first, second), (second, first)):
        assert new.catch[one] == flights.catch[other]
        assert starts[one] + new.duration[one] == pytest.approx(ends[other])


def test_props_keep_their_colours_by_what_is_thrown_next() -> None:
    choreography = animate("531;colors={red}{green}{blue}").choreography
    flights, events = choreography.flights, choreography.events
    assert len({look.colour for look in choreography.looks}) == 3
    for first in range(len(flights.throw)):
        for second in range(first):
            starts = events.time[flights.throw]
            ends = starts + flights.duration
            if ends[first] > starts[second] and ends[second] > starts[first]:
                exchanged = with_exchanged_landings(choreography, first, second)
                assert sorted(exchanged.looks, key=repr) == sorted(choreography.looks, key=repr)


@pytest.mark.parametrize("text", ["5B", "3BF", "3BL", "5B3B1", "3BHL", "3BHF", "7BB"])
def test_backward_what_is_thrown_down_is_caught_rising_and_what_rises_is_thrown_down(
    text: str,
) -> None:
    choreography = choreographed(text)
    backward = reversed_in_time(choreography)
    styles = choreography.flights.style
    assert any(style.bounces for style in styles)
    # Of each flight, by how long it lasts: the speeds at both ends are exchanged and turned round.
    for given_loop, other in ((choreography, backward), (backward, choreography)):
        ways = {
            round(float(duration), 6): (not style.falling, not style.forced)
            for style, duration in zip(
                given_loop.flights.style, given_loop.flights.duration, strict=True
            )
            if style.bounces
        }
        for style, duration in zip(other.flights.style, other.flights.duration, strict=True):
            if style.bounces:
                assert (style.forced, style.falling) == ways[round(float(duration), 6)]
