from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.prechac.parser import (
    PassingPattern,
    SearchBudget,
    delays,
    match,
    parse_prechac,
    resolve_shared_line,
)

_OPTIONS = st.lists(st.lists(st.integers(0, 4), max_size=3, unique=True), max_size=6)


def _possible(options: list[list[int]], room: Counter[int]) -> bool:
    """Whether all find a place, by trying everything."""
    if not options:
        return True
    first, *rest = options
    return any(room[place] > 0 and _possible(rest, room - Counter([place])) for place in first)


def test_first_options_are_taken_where_they_are_free() -> None:
    assert match([[1, 2], [2, 1]], Counter({1: 1, 2: 1}), SearchBudget(100)) == [0, 0]


def test_who_is_in_the_way_moves_on() -> None:
    assert match([[1, 2], [1]], Counter({1: 1, 2: 1}), SearchBudget(100)) == [1, 0]


def test_a_place_may_take_several() -> None:
    assert match([[1], [1]], Counter({1: 2}), SearchBudget(100)) == [0, 0]
    assert match([[1], [1]], Counter({1: 1}), SearchBudget(100)) is None


def test_a_search_that_takes_too_long_is_given_up() -> None:
    effort = SearchBudget(3)
    assert match([[1, 2], [1, 2], [1, 2, 3]], Counter({1: 1, 2: 1, 3: 1}), effort) is None
    assert effort.exhausted


@given(_OPTIONS, st.dictionaries(st.integers(0, 4), st.integers(1, 2)))
def test_all_find_a_place_whenever_that_is_possible(
    options: list[list[int]], sizes: dict[int, int]
) -> None:
    room = Counter(sizes)
    found = match(options, room, SearchBudget(10_000))
    assert (found is not None) == _possible(options, room)
    if found is not None:
        taken = Counter(places[number] for places, number in zip(options, found, strict=True))
        assert all(count <= room[place] for place, count in taken.items())


def _cast(text: str, jugglers: int) -> PassingPattern | None:
    return resolve_shared_line(parse_prechac(text).lines[0], jugglers, SearchBudget(1_000))


def _places(cast: PassingPattern | None) -> list[int]:
    """How many places on the first juggler throws."""
    assert cast is not None
    return [made.receiver for made in cast.throws if made.juggler == 0]


@pytest.mark.parametrize(
    ("text", "jugglers", "starts"),
    [
        ("3 3 3 1p", 2, ["0", "2"]),
        ("2.5p", 2, ["0", "1/2"]),
        ("3.6p 3", 3, ["0", "2/3", "4/3"]),
        ("3p 3 3", 2, ["0", "0"]),
        ("(4, 4) (3p, 3p) (2, 2)", 2, ["0", "3"]),
    ],
)
def test_jugglers_share_out_the_length_of_the_line_unless_only_together_fits(
    text: str, jugglers: int, starts: list[str]
) -> None:
    cast = _cast(text, jugglers)
    assert cast is not None
    assert [part.start for part in cast.juggler_lines] == [Fraction(start) for start in starts]


def test_pairs_may_need_every_second_juggler_to_swap_hands() -> None:
    cast = _cast("(6p, 4xp) (2, 4x)", 2)
    assert cast is not None
    assert [part.mirrored for part in cast.juggler_lines] == [False, True]
    assert not any(delay.mirrored for delay in delays(parse_prechac("3p 3").lines[0], 2))


def test_passes_go_to_the_nearest_juggler_for_whom_all_fit() -> None:
    assert _places(_cast("2p 1 1", 3)) == [1, 0, 0, 1, 0, 0]
    assert _places(_cast("4.3p 3", 3)) == [2, 0]
    assert _places(_cast("5p 3 3 3", 6)) == [3, 0, 0, 0]


def test_passes_go_to_different_jugglers_only_if_they_must() -> None:
    assert _places(_cast("2p 1p 0", 3)) == [1, 2, 1, 2]


def test_a_line_that_fits_no_way_has_no_cast() -> None:
    assert _cast("3p 4 4", 2) is None
    assert _cast("4 3 3p", 2) is None
