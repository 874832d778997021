from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.permutations import Powers, cycles, inverse

PERMUTATIONS = st.integers(1, 9).flatmap(lambda count: st.permutations(range(count))).map(tuple)


@given(PERMUTATIONS)
def test_cycles_hold_each_number_once_and_follow_the_steps(step: tuple[int, ...]) -> None:
    found = cycles(step)
    assert sorted(number for cycle in found for number in cycle) == list(range(len(step)))
    for cycle in found:
        assert cycle[0] == min(cycle)
        assert [step[number] for number in cycle] == [*cycle[1:], cycle[0]]


@given(PERMUTATIONS, st.integers(-20, 20))
def test_powers_are_steps_there_and_steps_back(step: tuple[int, ...], times: int) -> None:
    once = step if times > 0 else inverse(step)
    for number in range(len(step)):
        expected = number
        for _ in range(abs(times)):
            expected = once[expected]
        assert Powers(step).of(number, times) == expected


def test_numbers_beyond_a_permutation_stay() -> None:
    assert Powers((1, 0)).of(7, 3) == 7
