import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from siteswap_strategies import vanilla_siteswaps

from juggle_anim.choreography.dwell import hand_dwells
from juggle_anim.notation.hand_siteswap import read_hand_siteswap


def dwells(pattern: str, hss: str, dwell: float = 1.3, *, dwellmax: bool = True) -> list[float]:
    found = hand_dwells(read_hand_siteswap(pattern, hss, dwellmax=dwellmax), dwell)
    return [round(found[beat], 9) for beat in sorted(found)]


def test_props_stay_until_seven_tenths_of_a_beat_after_the_last_turn_of_the_hand() -> None:
    assert dwells("7", "4") == [3.3] * 4
    assert dwells("7", "423", dwell=0.5) == [1.3, 3.3, 2.3, 1.3, 3.3, 2.3]


def test_a_low_throw_is_not_caught_before_it_has_flown() -> None:
    assert dwells("2", "4") == [1.3] * 4
    assert dwells("1", "3") == [0.3] * 3


def test_without_the_longest_dwell_it_is_the_one_asked_for() -> None:
    assert dwells("7", "4", dwell=1.1, dwellmax=False) == [1.1] * 4
    assert dwells("1", "4", dwell=1.1, dwellmax=False) == [0.3] * 4


def test_where_a_hand_throws_on_two_beats_running_it_is_short_for_all() -> None:
    assert set(dwells("7", "441", dwell=1.1, dwellmax=False)) == {0.3}


def test_catches_that_would_fall_together_are_moved_apart() -> None:
    # A 2 would stay for 1.3 beats, and just when it is caught so would be what is thrown two beats later.
    pattern = read_hand_siteswap("852", "4")
    found = hand_dwells(pattern, 1.3)
    moments = [round((beat - dwell) % pattern.period, 6) for beat, dwell in found.items()]
    assert len(set(moments)) == len(moments)
    assert set(dwells("852", "4")) == {1.6, 3.3}


@settings(max_examples=300)
@given(vanilla_siteswaps(9), vanilla_siteswaps(6).filter(lambda t: "0" not in t), st.floats(0.02, 1.98), st.booleans())
def test_a_hand_catches_after_its_last_turn_and_before_this_one(
    objects: str, hands: str, dwell: float, dwellmax: bool
) -> None:
    pattern = read_hand_siteswap(objects, hands, dwellmax=dwellmax)
    turns = {beat: (juggler, hand) for beat, juggler, hand in pattern.turns}
    for beat, found in hand_dwells(pattern, dwell).items():
        gap = next(gap for gap in range(1, pattern.period + 1) if turns[(beat - gap) % pattern.period] == turns[beat])
        assert 0 < found <= gap - 0.05 + 1e-9


@pytest.mark.parametrize("dwellmax", [True, False])
def test_a_multiplex_waits_as_its_lowest_throw_allows(dwellmax: bool) -> None:
    pattern = read_hand_siteswap("[71]", "4", dwellmax=dwellmax)
    assert list(hand_dwells(pattern, 1.3).values()) == pytest.approx([0.3] * 4)
