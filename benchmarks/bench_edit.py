"""Editing by hand: what one move of a handle costs before the motion through it, 2 and 9 ms on a quiet core."""

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
