"""Editing by hand: what one move of a handle, an arrow or a beat costs before the motion through
it.
"""

from typing import Any

import pytest

from juggle_anim.animation import animate

PATTERNS = {"531": "531", "ten jugglers": "<" + "|".join(["3p 3 3"] * 10) + ">"}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_throw_dragged_to_another_place(benchmark: Any, name: str) -> None:
    animation = animate(PATTERNS[name])
    position = tuple(animation.choreography.events.position[0] + 0.05)
    benchmark(lambda: animation.edit().move_event(0, position=position))


@pytest.mark.parametrize("name", PATTERNS)
def test_a_throw_dragged_in_time(benchmark: Any, name: str) -> None:
    animation = animate(PATTERNS[name])
    benchmark(lambda: animation.edit().move_event(0, time=0.03))


@pytest.mark.parametrize("name", PATTERNS)
def test_a_body_dragged(benchmark: Any, name: str) -> None:
    animation = animate(PATTERNS[name])
    benchmark(lambda: animation.edit().move_body(0, position=(0.1, 0.0, 0.2)))


@pytest.mark.parametrize("name", PATTERNS)
def test_an_arrow_dragged_to_another_landing(benchmark: Any, name: str) -> None:
    animation = animate(PATTERNS[name])
    benchmark(lambda: animation.edit().aim_throw(0, (4, 0, 1)))


@pytest.mark.parametrize("name", PATTERNS)
def test_all_landings_of_an_arrow(benchmark: Any, name: str) -> None:
    animation = animate(PATTERNS[name])
    benchmark(lambda: animation.edit().landings_of(0))


@pytest.mark.parametrize("name", PATTERNS)
def test_a_beat_inserted(benchmark: Any, name: str) -> None:
    animation = animate(PATTERNS[name])
    benchmark(lambda: animation.edit().insert_beat(1))
