"""Steps of undo and history: two hundred, fewer of patterns that are large, never none."""

import pytest

from juggle_anim.animation import animate
from juggle_anim.viewer.state import undo
from juggle_anim.viewer.state.undo import MAX_STEPS, MAX_THROWS, Step, latest, step_of


def steps_of(text: str, count: int) -> list[Step]:
    """Steps of patterns that are alike, each opened anew."""
    return [step_of(animate(text), text) for _ in range(count)]


@pytest.fixture(scope="module")
def crowd() -> list[Step]:
    return steps_of("<" + "|".join(["531"] * 200) + ">", 60)


def test_of_small_patterns_the_last_two_hundred_are_kept() -> None:
    steps = steps_of("3", 3) * 100
    assert latest(steps) == steps[-MAX_STEPS:]


def test_of_crowds_as_many_are_kept_as_their_throws_allow(crowd: list[Step]) -> None:
    pattern = crowd[0].score.pattern
    assert pattern
    kept = latest(crowd)
    assert kept == crowd[-len(kept) :]
    assert len(kept) == MAX_THROWS // len(pattern.throws)


def test_steps_of_one_pattern_share_it(crowd: list[Step]) -> None:
    assert len(latest(crowd[:1] * 150)) == 150


def test_the_last_step_is_kept_whatever_it_is(crowd: list[Step], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo, "MAX_THROWS", 5)
    assert latest(crowd) == crowd[-1:]
