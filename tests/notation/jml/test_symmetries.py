import pytest
from hypothesis import given
from hypothesis import strategies as st
from jml_performances import assert_same, extracted, jml, read_one, score_of, write_one

from juggle_anim.notation.jml.conversion import from_choreography
from juggle_anim.notation.jml.document import JmlPattern
from juggle_anim.notation.jml.symmetries import PathStep, match_paths, with_symmetries
from juggle_anim.notation.rewriting import Powers, write_jugglers


def found(pattern: JmlPattern) -> list[tuple[str, str]]:
    """The symmetries by their kind and what they do to jugglers."""
    return [
        ("switchdelay" if symmetry.delayed else "switch", write_jugglers(symmetry.jugglers))
        for symmetry in pattern.symmetries
    ]


@pytest.mark.parametrize(
    ("text", "symmetries", "events"),
    [
        ("pattern=3", [("switchdelay", "(1,1*)")], 2),
        ("pattern=531", [("switchdelay", "(1,1*)")], 6),
        ("pattern=441", [("switchdelay", "(1,1*)")], 6),
        ("pattern=(4,4)", [("switch", "(1,1*)")], 2),
        ("pattern=(6x,4)*", [("switchdelay", "(1,1*)")], 4),
        ("pattern=51", [], 4),
        ("pattern=[33]", [("switchdelay", "(1,1*)")], 3),
        ("pattern=2", [("switch", "(1,1*)")], 1),
        ("pattern=<3p 3|3p 3>", [("switch", "(1,2)")], 4),
        ("pattern=<3p|3p>", [("switchdelay", "(1,1*)(2,2*)"), ("switch", "(1,2)")], 2),
        (
            "pattern=<3p2 3 3p3 3|3p3 3 3p1 3|3p1 3 3p2 3>",
            [("switchdelay", "(1)(2,3)"), ("switch", "(1,2,3)")],
            4,
        ),
        ("pattern=<(4p,4p)|(4p,4p)>", [("switch", "(1,1*)(2,2*)"), ("switch", "(1,2)")], 2),
        (
            "pattern=<3p|3p|3p|3p>",
            [("switchdelay", "(1,1*)(2,2*)(3,3*)(4,4*)"), ("switch", "(1,2,3,4)")],
            2,
        ),
    ],
)
def test_symmetries_are_found_again(
    text: str, symmetries: list[tuple[str, str]], events: int
) -> None:
    pattern = with_symmetries(extracted(text))
    assert found(pattern) == symmetries
    assert len(pattern.events) == events


def test_jugglers_who_do_the_same_one_after_the_other_are_found() -> None:
    later = '<symmetry type="switchdelay" jperm="(1,2,3)" pperm="(1,2,3)"/>'
    events = [
        f'<event x="{x}" t="{x / 100}" hand="1:{hand}"/>'
        for x, hand in ((10, "right"), (25, "left"), (30, "left"))
    ]
    held = '<event x="5" t="0" hand="1:left"><holding path="1"/></event>'
    score = score_of(jml(later, *events, held, setup='<setup jugglers="3" paths="3"/>'))
    pattern = with_symmetries(from_choreography(score))
    assert found(pattern) == [("switchdelay", "(1,2,3)")]
    assert len(pattern.events) == 4


@pytest.mark.parametrize("change", ["t", "x", "mod", "kind", "path"])
def test_what_differs_a_little_is_no_symmetry(change: str) -> None:
    mirrored = [
        '<event x="10" t="0.1" hand="right"><throw path="1"/></event>',
        '<event x="-10" t="0.6" hand="left"><throw path="2"/></event>',
        '<event x="30" t="0.9" hand="right"><catch path="1"/></event>',
        '<event x="-30" t="0.4" hand="left"><catch path="2"/></event>',
    ]
    assert found(
        with_symmetries(from_choreography(score_of(jml(*mirrored, setup='<setup paths="2"/>'))))
    )
    changed = {
        "t": mirrored[3].replace("0.4", "0.401"),
        "x": mirrored[3].replace("-30", "-30.01"),
        "mod": mirrored[3].replace("<catch", "<softcatch"),
        "kind": mirrored[3] + '<event x="0" t="0.5" hand="left"/>',
        "path": mirrored[3].replace("/></event>", '/><holding path="3"/></event>'),
    }[change]
    text = jml(*mirrored[:3], changed, setup=f'<setup paths="{3 if change == "path" else 2}"/>')
    assert not found(with_symmetries(from_choreography(score_of(text))))
    assert_same(read_one(write_one(score_of(text))), read_one(text))


def test_hands_that_agree_while_the_props_do_not_make_no_symmetry() -> None:
    # Both hands throw and catch alike, but what the right hand throws comes back and what the left
    # throws goes twice.
    events = [
        f'<event x="{x}" t="{time}" hand="{hand}"><{doing} path="{path}"/></event>'
        for x, time, hand, doing, path in (
            (10, 0.0, "right", "throw", 1),
            (30, 0.3, "right", "catch", 1),
            (-10, 0.5, "left", "throw", 2),
            (-30, 0.8, "left", "catch", 3),
        )
    ]
    loop = '<symmetry type="delay" delay="1" pperm="(1)(2,3)"/>'
    assert not found(
        with_symmetries(
            from_choreography(score_of(jml(*events, setup='<setup paths="3"/>', loop=loop)))
        )
    )


LOOPS = st.integers(1, 6).flatmap(
    lambda count: st.tuples(
        st.permutations(range(count)),
        st.integers(0, 5),
        st.lists(
            st.frozensets(st.tuples(st.integers(0, 2), st.just("")), max_size=2),
            min_size=count,
            max_size=count,
        ),
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
def test_parts_that_go_some_loops_on_are_found_again(
    loop: tuple[list[int], int, list[frozenset[PathStep]]],
) -> None:
    paths, loops, parts = loop
    later = [Powers(tuple(paths)).image(path, loops) for path in range(len(parts))]
    images = [list(parts[later.index(path)]) for path in range(len(parts))]
    found = match_paths([list(part) for part in parts], images, tuple(paths))
    assert found is not None
    assert sorted(found) == list(range(len(parts)))
    assert all(set(images[found[path]]) == set(part) for path, part in enumerate(parts))
    assert all(found[paths[path]] == paths[found[path]] for path in range(len(parts)))
