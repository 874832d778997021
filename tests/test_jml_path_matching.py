from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.jml.symmetry_search import PathStep, match_paths
from juggle_anim.notation.permutations import Powers

LOOPS = st.integers(1, 6).flatmap(
    lambda count: st.tuples(
        st.permutations(range(count)),
        st.integers(0, 5),
        st.lists(st.frozensets(st.tuples(st.integers(0, 2), st.just("")), max_size=2), min_size=count, max_size=count),
    )
)


def test_paths_with_the_same_part_go_together() -> None:
    one: list[PathStep] = [(0, "throw")]
    other: list[PathStep] = [(1, "throw")]
    assert match_paths([one, other, []], [[], one, other], (0, 1, 2)) == (1, 2, 0)
    assert match_paths([one, one], [one, other], (0, 1)) is None


def test_paths_are_told_apart_by_what_they_do_in_later_loops() -> None:
    one: list[PathStep] = [(0, "throw")]
    # Nothing happens to paths 1 and 2 now; path 1 does in the next loop what path 0 does now.
    assert match_paths([one, [], []], [[], one, []], (1, 2, 0)) == (1, 2, 0)


def test_whole_cycles_go_to_whole_cycles() -> None:
    assert match_paths([[]] * 3, [[]] * 3, (0, 2, 1)) == (0, 1, 2)


@given(LOOPS)
def test_parts_that_go_some_loops_on_are_found_again(loop: tuple[list[int], int, list[frozenset[PathStep]]]) -> None:
    paths, loops, parts = loop
    later = [Powers(tuple(paths)).of(path, loops) for path in range(len(parts))]
    images = [list(parts[later.index(path)]) for path in range(len(parts))]
    found = match_paths([list(part) for part in parts], images, tuple(paths))
    assert found is not None
    assert sorted(found) == list(range(len(parts)))
    assert all(set(images[found[path]]) == set(part) for path, part in enumerate(parts))
    assert all(found[paths[path]] == paths[found[path]] for path in range(len(parts)))
