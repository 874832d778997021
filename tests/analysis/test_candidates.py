"""Which pairs are searched for collisions, when, and how their gaps grow as a prop moves."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import juggle_anim as ja
from juggle_anim.analysis.collisions import PARTS, BodyPairs
from juggle_anim.analysis.encounters import Candidates, Discs, RoundCones, TimeGrid
from juggle_anim.analysis.prop_solids import PropPairs

LAST = TimeGrid.STEPS - 1

blocks_of_candidates = st.lists(
    st.dictionaries(
        st.integers(0, 3),
        st.tuples(st.sampled_from([0.0, 0.1, 0.2, 0.3]), st.booleans()),
        max_size=4,
    ),
    min_size=1,
    max_size=6,
)


def candidates(blocks: list[dict[int, tuple[float, bool]]]) -> Candidates:
    return Candidates.from_blocks(
        (
            np.array(list(block), dtype=np.intp),
            np.array([bound for bound, _needed in block.values()]),
            np.array([needed for _bound, needed in block.values()], dtype=bool),
        )
        for block in blocks
    )


@given(blocks_of_candidates, st.sampled_from([0.1, 0.2]), st.sampled_from([-math.inf, 0.0, 0.1]))
def test_what_is_near_is_searched_and_a_step_before_and_after(
    blocks: list[dict[int, tuple[float, bool]]], reach: float, beyond: float
) -> None:
    found = candidates(blocks)
    assert sorted(zip(found.pair, found.block, strict=True)) == list(
        zip(found.pair, found.block, strict=True)
    )
    near = {
        (pair, number)
        for number, block in enumerate(blocks)
        for pair, (bound, needed) in block.items()
        if needed and beyond < bound <= reach
    }
    expected = {}
    for number, block in enumerate(blocks):
        for pair in block:
            steps = set(range(TimeGrid.STEPS)) if (pair, number) in near else set()
            steps |= {0} if (pair, number - 1) in near else set()
            steps |= {LAST} if (pair, number + 1) in near else set()
            if steps:
                expected[pair, number] = steps
    within = found.within(reach, beyond)
    rows = zip(within.pair.tolist(), within.block.tolist(), within.steps, strict=True)
    searched = {(pair, block): set(np.flatnonzero(steps).tolist()) for pair, block, steps in rows}
    assert searched == expected


def test_a_gap_grows_as_fast_as_a_prop_moves_away() -> None:
    animation = ja.animate("<3p|3p>;prop=ball,ring,club")
    motion = animation.motion
    random = np.random.default_rng(3)
    times = random.uniform(0.0, animation.duration, 40)
    count = motion.choreography.props
    first, second = random.integers(0, count - 1, 40), np.full(40, count - 1)
    props, bodies = PropPairs(motion), BodyPairs(animation)
    limbs = random.integers(0, 2 * len(PARTS), 40)
    for slopes in (
        props.slopes(first * count + second, times),
        bodies.slopes(first * 2 * len(PARTS) + limbs, times),
    ):
        assert slopes.shape == (2, 40, 3)
        length = np.linalg.norm(slopes, axis=-1)
        # Where a gap has a slope in all directions, it grows by a metre for each metre away; no
        # gap grows faster. Rings are level across, so a step may be partly along them.
        assert np.all(np.abs(slopes) <= 1 + 1e-3)
        smooth = np.abs(slopes[0] - slopes[1]).max(axis=-1) < 1e-3
        assert smooth.sum() > 20
        assert np.median(length[0][smooth]) == pytest.approx(1.0, abs=1e-2)


def test_balls_part_along_the_line_between_them() -> None:
    motion = ja.animate("3").motion
    times = np.linspace(0.0, 0.5, 7)
    pairs = PropPairs(motion)
    places = motion.sample(times).props
    for first, second in ((0, 1), (0, 2), (1, 2)):
        apart = places[:, first] - places[:, second]
        distance = np.linalg.norm(apart, axis=-1)
        pair = np.full(len(times), first * 3 + second)
        gap = distance - motion.shapes.size[[first, second]].sum() / 2
        assert pairs.gap(pair, times) == pytest.approx(gap, abs=1e-9)
        forward, backward = pairs.slopes(pair, times)
        assert forward == pytest.approx(apart / distance[:, None], abs=1e-3)
        assert backward == pytest.approx(apart / distance[:, None], abs=1e-3)


def test_some_of_many_solids_are_those_rows() -> None:
    random = np.random.default_rng(1)
    starts, ends = random.normal(size=(2, 9, 3))
    radii, sizes = random.uniform(0.01, 0.1, (2, 9))
    rows = np.array([4, 0, 7])
    cones = RoundCones(starts, radii, ends, sizes).select(rows)
    assert np.array_equal(cones.start, starts[rows])
    assert np.array_equal(cones.end, ends[rows])
    assert np.array_equal(cones.start_radius, radii[rows])
    assert np.array_equal(cones.end_radius, sizes[rows])
    discs = Discs(starts, ends, radii).select(rows)
    assert np.array_equal(discs.centre, starts[rows])
    assert np.array_equal(discs.across, ends[rows])
    assert np.array_equal(discs.radius, radii[rows])
