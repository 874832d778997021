import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.rewriting import (
    PermutationError,
    Powers,
    cycles,
    inverse,
    order,
    read_jugglers,
    read_paths,
    write_jugglers,
    write_paths,
)

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
        assert Powers(step).image(number, times) == expected


def test_numbers_beyond_a_permutation_stay() -> None:
    assert Powers((1, 0)).image(7, 3) == 7


TURNS = st.integers(1, 8).flatmap(
    lambda count: st.tuples(
        st.permutations(range(count)), st.lists(st.booleans(), min_size=count, max_size=count)
    )
)


def test_cycles_and_a_mapping_say_the_same() -> None:
    assert read_paths("(1,3)(2)", 3) == read_paths("3,2,1", 3) == (2, 1, 0)


def test_a_path_that_no_cycle_names_stays() -> None:
    assert read_paths(" ( 1 , 3 ) ", 4) == (2, 1, 0, 3)
    assert read_paths("", 2) == (0, 1)


def test_a_star_exchanges_the_hands_and_the_way_back_does_so_too() -> None:
    assert read_jugglers("(1,1*)", 1) == ((0, True),)
    assert read_jugglers("(1,2*)", 2) == ((1, True), (0, True))
    assert read_jugglers("(1,2,1*,2*)", 2) == ((1, False), (0, True))


def test_a_juggler_that_no_cycle_names_has_no_part_in_it() -> None:
    assert read_jugglers("(1,3)", 3) == ((2, False), None, (0, False))


@pytest.mark.parametrize(
    ("text", "size", "order_of_it"),
    [
        ("(1,1*)", 1, 2),
        ("(1,2,3)", 3, 3),
        ("(1,2*)", 2, 2),
        ("(1,2,1*,2*)", 2, 4),
        ("(1,2)(3,4,5)", 5, 6),
        ("", 3, 1),
    ],
)
def test_the_order_counts_until_all_hands_are_themselves(
    text: str, size: int, order_of_it: int
) -> None:
    assert order(read_jugglers(text, size)) == order_of_it


@pytest.mark.parametrize(
    "text",
    [
        "(1,2",
        "1,2)",
        "(1,1)",
        "(1)(1)",
        "(0)",
        "(4)",
        "1,2",
        "1,1,2",
        "x",
        "(1;2)",
        "(1,,2)",
        "((1))",
        "(1*,2)",
    ],
)
def test_a_text_that_is_no_permutation_of_three_paths_is_refused(text: str) -> None:
    with pytest.raises(PermutationError):
        read_paths(text, 3)


@pytest.mark.parametrize("text", ["(1,2)(1*,1)", "(1,2)(1*)", "(1,2)(3*,2*)", "(1**)", "1,1"])
def test_a_text_that_is_no_permutation_of_hands_is_refused(text: str) -> None:
    with pytest.raises(PermutationError):
        read_jugglers(text, 3)


def test_a_text_of_millions_of_cycles_is_refused_unread() -> None:
    with pytest.raises(PermutationError, match="characters"):
        read_paths("()" * 1_000_000, 3)


@given(st.integers(0, 12).flatmap(lambda count: st.permutations(range(count))))
def test_paths_written_are_read_as_they_were(paths: list[int]) -> None:
    assert read_paths(write_paths(tuple(paths)), len(paths)) == tuple(paths)


@given(TURNS)
def test_jugglers_written_are_read_as_they_were(turns: tuple[list[int], list[bool]]) -> None:
    jugglers = tuple(zip(*turns, strict=True))
    assert read_jugglers(write_jugglers(jugglers), len(jugglers)) == jugglers
