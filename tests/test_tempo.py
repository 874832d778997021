import pytest

from juggle_anim.choreography.choreograph import natural_tempo
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


def divided(parts: int, *values: int) -> Pattern:
    """One hand of one juggler that throws every so many parts of a beat as there are values, and once a beat."""
    throws = tuple(Throw(beat * parts, 0, RIGHT, value, 0, RIGHT) for beat, value in enumerate(values))
    return Pattern("", throws, parts * len(values), parts * len(values), division=parts)


@pytest.mark.parametrize(
    ("text", "bps"),
    [("3", 2.9), ("531", (4.1 + 2.9) / 2), ("2", 2.0), ("0", 2.0), ("744", (5.0 + 3.4 + 3.4) / 3), ("b", 5.5)],
)
def test_the_tempo_is_the_mean_of_what_suits_the_throws_above_two(text: str, bps: float) -> None:
    assert natural_tempo(read_siteswap(text), 1.3) == pytest.approx(bps)


def test_a_throw_that_would_fly_too_long_raises_the_tempo() -> None:
    assert natural_tempo(read_siteswap("z"), 1.3) == pytest.approx((35 - 1.3) / 2.6)


@pytest.mark.parametrize("text", ["3", "531", "z", "2"])
def test_dividing_the_beats_of_a_pattern_changes_nothing_about_its_tempo(text: str) -> None:
    pattern = read_siteswap(text)
    throws = tuple(throw._replace(beat=3 * throw.beat, value=3 * throw.value) for throw in pattern.throws)
    same = Pattern(text, throws, 3 * pattern.period, 3 * pattern.written_period, division=3)
    assert natural_tempo(same, 1.3) == pytest.approx(natural_tempo(pattern, 1.3))


def test_a_throw_of_broken_beats_stands_between_its_neighbours() -> None:
    # Thrown by one and caught by the other half a beat later than whole beats would have it.
    throws = (Throw(0, 0, RIGHT, 7, 1, LEFT), Throw(1, 1, LEFT, 7, 0, RIGHT))
    pattern = Pattern("3.5p", throws, 2, 2, jugglers=2, division=2)
    assert natural_tempo(pattern, 1.3) == pytest.approx((2.9 + 3.4) / 2)


def test_two_and_a_half_beats_count_as_a_throw_above_two() -> None:
    assert natural_tempo(divided(2, 4), 1.3) == 2.0
    throws = (Throw(0, 0, RIGHT, 5, 1, LEFT), Throw(1, 1, LEFT, 5, 0, RIGHT))
    pattern = Pattern("2.5p", throws, 2, 2, jugglers=2, division=2)
    assert natural_tempo(pattern, 1.3) == pytest.approx((2.0 + 2.9) / 2)
