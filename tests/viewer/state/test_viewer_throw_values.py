import numpy as np
import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.viewer.state.beats import LitThrow, lit_throws, throw_values
from juggle_anim.viewer.state.playback import throw_times
from juggle_anim.viewer.state.undo import IdentityCache


def lit(animation: Animation, time: float) -> list[LitThrow]:
    return lit_throws(animation, throw_values(animation.score), time)


@pytest.mark.parametrize(
    ("pattern", "values"),
    [
        ("531", {"5", "3", "1"}),
        ("b97531", {"b", "9", "7", "5", "3", "1"}),
        ("(6x,4)*", {"6x", "4"}),
        ("<3p 3|3p 3>", {"3p", "3"}),
        ("<4p 3|3 4p>", {"4p", "3"}),
        ("423", {"4", "3"}),  # a 2 is held
        ("2", set()),
    ],
)
def test_values_are_those_that_one_types(pattern: str, values: set[str]) -> None:
    assert set(throw_values(animate(pattern).score)) == values


def test_throws_of_a_routine_have_the_values_of_its_patterns_in_their_order() -> None:
    animation = animate("531 1 loops\n51 1 loops\nstop\n")
    events, flights = animation.choreography.events, animation.choreography.flights
    order = np.argsort(events.time[flights.throw])
    values = "".join(throw_values(animation.score)[flight] for flight in order.tolist())
    assert values == "531" + "4" + "51" + "3", "the 4 leads there, and the 3 ends it"
    assert lit(animation, float(np.sort(events.time[flights.throw])[0]) + 0.01)[-1].text == "5"


@pytest.mark.parametrize("pattern", ["531", "97531", "(6x,4)*", "531;human=100;humanloops=3"])
def test_every_throw_lights_as_it_is_made_where_it_is_made(pattern: str) -> None:
    animation = animate(pattern)
    for time in throw_times(animation).tolist():
        frames = animation.sample(np.array([time + 1e-6]))
        fresh = [each for each in lit(animation, time + 1e-6) if each.glow > 1 - 1e-9]
        assert fresh
        for each in fresh:
            assert np.linalg.norm(frames.props[0] - each.place, axis=1).min() < 1e-4


def test_siteswaps_light_in_their_order() -> None:
    animation = animate("531")
    times = throw_times(animation)
    words = [max(lit(animation, time + 1e-6), key=lambda each: each.glow).text for time in times]
    assert "".join(words) in "531531531"


def test_what_is_thrown_at_once_is_one_number() -> None:
    animation = animate("[54]24")
    words = {
        each.text
        for time in np.linspace(0.0, animation.duration, 200)
        for each in lit(animation, float(time))
    }
    assert "[54]" in words
    assert "5" not in words


def test_a_number_fades_and_goes_and_each_hand_has_one_at_most() -> None:
    animation = animate("3")
    first = float(throw_times(animation)[0])
    glows = [max(each.glow for each in lit(animation, first + late)) for late in (1e-6, 0.1, 0.2)]
    assert glows[0] > glows[1] > glows[2] > 0
    for time in np.linspace(0.0, 3.0, 60).tolist():
        assert len(lit(animation, time)) <= 2
    slow = animate("3", bps=0.5)
    assert any(not lit(slow, time) for time in np.linspace(0.0, slow.duration, 60).tolist())


def test_it_has_the_colour_of_its_prop() -> None:
    animation = animate("pattern=3;colors={red}{blue}{green}")
    assert {each.colour for time in np.linspace(0, 2, 40) for each in lit(animation,
        float(time))} == {
        (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0),
    }  # fmt: skip


def test_two_animations_side_by_side_are_both_remembered() -> None:
    known, (one, other) = (
        IdentityCache(throw_values, 2),
        (animate(pattern).score for pattern in ("531", "441")),
    )
    first, second = known.of(one), known.of(other)
    assert known.of(one) is first
    assert known.of(other) is second
    assert first == throw_values(one)
