"""Next throws are those that the hands then make."""

import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.notation.lessons import lesson
from juggle_anim.parameters import DEFAULTS
from juggle_anim.viewer.learning.lesson_card import NextThrow, next_throws
from juggle_anim.viewer.state.beats import throw_values


def coming(animation: Animation, time: float) -> list[NextThrow]:
    return next_throws(animation, throw_values(animation.score), time)


def a_step() -> Animation:
    settings = lesson("531").steps[3].settings
    return Animation(settings.score, settings.applied_to(DEFAULTS))


@pytest.mark.parametrize(
    "animation", [animate("531"), animate("(6x,4)*"), a_step()], ids=["531", "sync", "step"]
)
def test_a_hand_throws_what_was_announced_when_it_was_announced(animation: Animation) -> None:
    events, flights = animation.performance.events, animation.performance.flights
    for time in np.linspace(-1.013, 1.983 * animation.duration, 23).tolist():
        throws = coming(animation, time)
        assert [each.hand for each in throws] == [0, 1]
        soonest = min(each.wait for each in throws)
        assert [each.is_next for each in throws] == [each.wait < soonest + 1e-4 for each in throws]
        for each in throws:
            own = events.time[flights.throw][events.hand[flights.throw] == each.hand]
            off = (own - time - each.wait + 1e-4) % animation.duration
            assert off.min() == pytest.approx(1e-4, abs=1e-6), "it is made then"
            assert not ((own - time) % animation.duration < each.wait - 1e-4).any(), (
                "and none before"
            )


def test_values_and_colours_come_in_the_order_of_the_siteswap() -> None:
    animation, time, said, colours = animate("531"), 0.01, "", []
    for _ in range(6):
        each = next(each for each in coming(animation, time) if each.is_next)
        said += each.text
        before = animation.sample(np.array([time + each.wait - 1e-4])).holders[0]
        (held,) = np.flatnonzero(before == each.hand)
        assert each.colour == tuple(animation.prop_colours[held].tolist())
        colours.append(each.colour)
        time += each.wait + 0.01
    assert said == "315315"
    assert len(set(colours)) == 3


def test_a_multiplex_says_all_its_values() -> None:
    assert {each.text for each in coming(animate("[54]24"), 0.0)} >= {"[54]"}


def test_a_hand_that_never_throws_announces_nothing() -> None:
    assert [each.hand for each in coming(animate("40"), 0.1)] == [1]
    assert coming(animate("2"), 0.1) == []


def test_the_colour_is_that_of_the_prop_in_the_hand() -> None:
    animation = animate("3")
    colours = [tuple(colour) for colour in animation.prop_colours.tolist()]
    for time in np.linspace(0.0, 3 * animation.duration, 20).tolist():
        for throw in next_throws(animation, throw_values(animation.score), time):
            before = np.array([time + throw.wait - 1e-3])
            (holders,) = animation.sample(before).holders
            assert holders[colours.index(throw.colour)] == throw.hand
