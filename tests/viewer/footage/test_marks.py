import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.viewer.footage.footage import (
    FEWEST,
    Mark,
    marked_beats,
    rhythm_of,
    tempo_from_marks,
)

JITTER, RATE = 0.025, 30.0  # s of a person's marks, and pictures/s at which they are set


def marks_of(
    period: float, count: int, random: np.random.Generator, missing: float = 0.0
) -> np.ndarray:
    """Marks of a person at even beats, at pictures that are shown, some of them missing."""
    beats = np.arange(count)[random.random(count) >= missing]
    return np.floor((1.7 + period * beats + random.normal(0.0, JITTER, len(beats))) * RATE) / RATE


@given(st.floats(0.25, 2.0), st.integers(0, 1000))
def test_the_tempo_of_uneven_marks_is_found_within_two_percent(period: float, seed: int) -> None:
    rhythm = tempo_from_marks(marks_of(period, 30, np.random.default_rng(seed)))
    assert rhythm is not None
    assert rhythm.period == pytest.approx(period, rel=0.02)
    assert abs((rhythm.beat - 1.7 + period / 2) % period - period / 2) < 0.035
    assert rhythm.deviation < 2 * JITTER


@given(st.floats(0.3, 2.0), st.integers(0, 1000))
def test_missing_double_and_wrong_marks_do_no_harm(period: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    times = marks_of(period, 40, random, missing=0.15)
    doubles = times[random.random(len(times)) < 0.1] + 0.04
    wrong = times[5] + 0.5 * period
    rhythm = tempo_from_marks(random.permutation([*times, *doubles, wrong]))
    assert rhythm is not None
    assert rhythm.period == pytest.approx(period, rel=0.02)


@given(st.lists(st.floats(-1e4, 1e4), max_size=30))
def test_any_marks_give_a_finite_rhythm_or_none(times: list[float]) -> None:
    rhythm = tempo_from_marks(times)
    assert rhythm is None or (rhythm.period > 0 and np.isfinite([*vars(rhythm).values()]).all())


def test_exact_marks_give_the_exact_rhythm() -> None:
    rhythm = tempo_from_marks(0.4 + 0.3 * np.arange(FEWEST))
    assert rhythm is not None
    assert (rhythm.period, rhythm.beat % 0.3, rhythm.beats) == (
        pytest.approx(0.3),
        pytest.approx(0.1),
        FEWEST,
    )


def test_fewer_marks_give_none() -> None:
    assert tempo_from_marks(0.3 * np.arange(FEWEST - 1)) is None


@pytest.mark.parametrize(
    ("pattern", "hands", "beats"),
    [
        ("3", (0, 1), (0, 1)),
        ("3", (0,), (1, 2)),
        ("3", (1,), (0, 2)),
        ("531", (0, 1), (0, 1)),
        ("(4,4)", (0, 1), (0, 2)),
        ("(4,4)", (0,), (0, 2)),
        ("40", (0, 1), (0, 2)),
        ("522", (0, 1), (0, 3)),
        ("423", (0, 1), (0, 1)),
        ("252", (0, 1), (1, 3)),
        ("2", (0, 1), (0, 1)),
        ("<3p|3p>", (1,), (0, 2)),
    ],
)
def test_marks_are_on_the_beats_of_throws_that_are_seen(
    pattern: str, hands: tuple[int, ...], beats: tuple[int, int]
) -> None:
    made = animate(pattern).pattern
    assert made
    assert marked_beats(made, hands) == beats


def test_a_held_key_gives_the_dwell() -> None:
    marks = [Mark(0.6 * beat, 0.6 * beat + 0.4) for beat in range(8)]
    marks[3] = Mark(1.8, 0.2)  # the film began anew
    rhythm = rhythm_of(marks, held=True)
    assert rhythm is not None
    assert (rhythm.period, rhythm.hold) == (pytest.approx(0.6), pytest.approx(0.4))
    assert rhythm.beat % 0.6 == pytest.approx(0.4)


def test_taps_give_no_dwell() -> None:
    rhythm = rhythm_of([Mark(0.6 * beat, 0.6 * beat + 0.05) for beat in range(8)], held=True)
    assert rhythm is not None
    assert rhythm.hold == 0.0
