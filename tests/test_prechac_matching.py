from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.prechac.matching import SearchBudget, match

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
def test_all_find_a_place_whenever_that_is_possible(options: list[list[int]], sizes: dict[int, int]) -> None:
    room = Counter(sizes)
    found = match(options, room, SearchBudget(10_000))
    assert (found is not None) == _possible(options, room)
    if found is not None:
        taken = Counter(places[number] for places, number in zip(options, found, strict=True))
        assert all(count <= room[place] for place, count in taken.items())
