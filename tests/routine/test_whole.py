"""A routine as one animation of events: it is what was juggled, and goes back to its first
pattern.
"""

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.errors import ParameterError
from juggle_anim.routine import Routine


def routine(first: str, *following: str) -> tuple[Routine, float]:
    """Patterns one after another, each for a second alone, and when that is over."""
    found, time = Routine.of(animate(first)), 0.5
    for text in following:
        found = found.changed(time, animate(text))
        time = found.parts[-1].ends + 1.0
    return found, time


@pytest.mark.parametrize(
    "texts", [("3", "51", "441", "3"), ("3", "4", "(4,2x)*"), ("<3p|3p>", "<3p 3|3p 3>")]
)
def test_a_routine_as_one_animation_juggles_the_same(texts: tuple[str, ...]) -> None:
    found, end = routine(*texts)
    whole = found.as_animation(end)
    times = np.linspace(0.0, end, 200)
    hands, props = whole.sample(times).hands - found.sample(times).hands, whole.sample(times).props
    assert np.median(np.abs(hands)) < 1e-5
    assert whole.duration > end
    seen = found.sample(times).props
    # Each prop has its colour, whatever its number.
    own = [look.colour for look in whole.choreography.looks]
    drawn = found._drawn_looks(found.spans[0])
    for number, colour in enumerate(own):
        there = next(place for place, look in enumerate(drawn) if look.colour == colour)
        apart = np.abs(props[:, number] - seen[:, there]).max(axis=1)
        assert np.median(apart) < 1e-5


def test_what_is_changed_on_the_way_is_one_animation_too() -> None:
    found = Routine.of(animate("3")).changed(0.5, animate("51"))
    found = found.changed(found.parts[-1].begins + 0.3, animate("441"))
    whole = found.as_animation()
    times = np.linspace(0.0, found.parts[-1].ends, 100)
    assert np.median(np.abs(whole.sample(times).hands - found.sample(times).hands)) < 1e-5


def test_a_routine_with_a_cut_is_none() -> None:
    with pytest.raises(ParameterError, match="cannot lead to 441"):
        Routine.of(animate("3")).cut(1.0, animate("441")).as_animation(3.0)


@pytest.mark.parametrize(
    ("patterns", "seconds"),
    [
        # A prop that is put down and picked up again lies on the table in the end.
        (["[43]23", "(6x,4)*", "(6x,4)*", "5", "40"], [4.2, 1.0, 2.4, 3.9]),
        (["55500", "633", "40", "744", "(6x,4)*"], [3.5, 2.8, 2.6, 3.8]),
        # A hand picks up a new prop before the first throw that differs.
        (["441", "5", "55500", "[43]23"], [4.35, 1.32, 3.6]),
    ],
)
def test_props_that_come_and_go_are_in_one_animation(patterns: list[str], seconds: list[float]):
    whole = Routine.through(patterns, seconds).as_animation()
    begin, end = whole.sample(np.array([0.0, whole.duration])).props.round(6)
    # Each prop is where another one was a loop before.
    assert sorted(map(tuple, begin)) == sorted(map(tuple, end))
