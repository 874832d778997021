import dataclasses

import numpy as np
import pytest
from brute_collisions import brute_bodies, brute_props
from hypothesis import given, settings
from hypothesis import strategies as st
from long_cases import sampled
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

import juggle_anim as ja
from juggle_anim.analysis.collisions import (
    _FIRST_REACH,
    PARTS,
    BodyPairs,
    Collision,
    NearMiss,
    _search_until_miss,
    find_collisions,
)
from juggle_anim.analysis.encounters import time_grid
from juggle_anim.analysis.prop_solids import PropPairs
from juggle_anim.errors import JuggleError

SAMPLES = 2_000
# Two props that meet head-on may be so much deeper between two samples, [m/s].
FASTEST = 15.0


def animation_of(text: str, kinds: str, most: int) -> ja.Animation | None:
    """None for what cannot bounce in its time, or would take the slow way too long."""
    try:
        animation = ja.animate(text, prop=kinds)
        return animation if animation.choreography.props <= most and animation.motion else None
    except JuggleError:
        return None


def agree(animation: ja.Animation, found: Collision, time: float, depth: float) -> bool:
    step = animation.duration / SAMPLES
    half = animation.duration / 2
    apart = abs((found.time - time + half) % animation.duration - half)
    return apart < 2 * step and -1e-6 <= found.overlap - depth < max(1e-4, FASTEST * step)


random_patterns = st.one_of(valid_siteswaps(max_props=7), valid_passing_siteswaps(max_jugglers=3))


@settings(max_examples=8, derandomize=True)
@given(random_patterns)
def test_props_collide_just_where_thousands_of_samples_say(text: str) -> None:
    animation = animation_of(text, "ball", 10)
    if animation is not None:
        assert_agrees_with_the_slow_way(animation)


@settings(max_examples=4, derandomize=True)
@given(random_patterns, st.sampled_from(["club", "ring", "club,ball,ring"]))
def test_clubs_and_rings_collide_just_where_thousands_of_samples_say(text: str, kinds: str) -> None:
    animation = animation_of(text, kinds, 5)
    if animation is not None:
        assert_agrees_with_the_slow_way(animation)


def between_props(animation: ja.Animation) -> tuple[list[Collision], NearMiss | None]:
    """What is found of props alone, for which nobody has to be posed."""
    grid = time_grid(animation.duration)
    return _search_until_miss(PropPairs(animation.motion), grid, _FIRST_REACH)


def assert_agrees_with_the_slow_way(animation: ja.Animation) -> None:
    ours, narrowest = between_props(animation)
    collisions, finest, miss = brute_props(animation, SAMPLES)
    assert all(
        any(agree(animation, each, slow.time, slow.depth) for each in ours) for slow in collisions
    )
    # A touch that is too short for the samples is not deep.
    deep = [each for each in ours if each.overlap > 2e-5]
    assert all(
        any(agree(animation, each, slow.time, slow.depth) for slow in collisions) for each in deep
    )
    # A dip that is shorter than the steps of the search may be passed over, but no other.
    assert miss is None or (narrowest is not None and narrowest.gap <= miss.depth + 1e-4)
    assert narrowest is None or (finest is not None and narrowest.gap >= finest.depth - 1e-4)


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            *("[34]23", "pattern=<3p|3p>;body=(90).(0,0,50).|(270,-150)."),
            *("pattern=3;prop=club", "pattern=[31];prop=ring"),
            "51;human=200;humanloops=3;propdiam=12",
        ],
        *("[34]23", "pattern=3;prop=club"),
    ),
)
def test_props_hit_bodies_just_where_thousands_of_samples_say(text: str) -> None:
    animation = ja.animate(text)
    ours = [each for each in find_collisions(animation).collisions if each.juggler >= 0]
    slow = brute_bodies(animation, SAMPLES)
    step, loop = animation.duration / SAMPLES, animation.duration
    for each in slow:
        part = each.who[3].rpartition(" ")[0]
        like = [own for own in ours if (own.juggler, own.part) == (each.who[2], part)]
        assert any(
            own.start - 2 * step <= time <= own.end + 2 * step and own.overlap > each.depth - 1e-4
            for own in like
            for time in (each.time, each.time + loop)
        )
    for own in ours:
        assert any(agree(animation, own, each.time, each.depth) for each in slow)


def test_a_cascade_collides_with_nothing() -> None:
    found = find_collisions(ja.animate("3"))
    assert found.collisions == ()
    assert found.miss is not None
    assert found.miss.gap > 0.01


def test_larger_props_come_nearer_until_they_collide() -> None:
    small, large = (between_props(ja.animate("5", prop_diameter=size))[1] for size in (5.0, 9.0))
    assert small is not None
    assert large is not None
    assert small.gap > large.gap
    huge = find_collisions(ja.animate("5", prop_diameter=40.0))
    assert any(each.other >= 0 for each in huge.collisions)
    assert [each for each in huge.collisions if each.other >= 0] == sorted(
        between_props(ja.animate("5", prop_diameter=40.0))[0],
        key=lambda hit: (hit.start, hit.prop, hit.other),
    )


def test_props_side_by_side_in_a_hand_do_not_collide() -> None:
    assert find_collisions(ja.animate("4", prop_diameter=7.0)).collisions == ()
    assert between_props(ja.animate("[33]"))[0] == []


def test_what_is_only_held_neither_collides_nor_passes() -> None:
    found = find_collisions(ja.animate("2"))
    assert found == dataclasses.replace(found, collisions=(), miss=None, body_miss=None)


def test_a_prop_thrown_through_a_body_hits_it() -> None:
    # The third stands between the two who pass.
    between = "pattern=<3p2|3p1|3>;body=(90,-150,0).|(270,150,0).|(0,0,0)."
    found = find_collisions(ja.animate(between)).collisions
    hit = next(each for each in found if each.juggler == 2)
    assert hit.part == "head"
    assert hit.overlap > 0.05


def test_a_collision_begins_and_ends_where_surfaces_touch() -> None:
    animation = ja.animate("[34]23")
    hit = find_collisions(animation).collisions[0]
    times = np.array([hit.start, hit.time, hit.end])
    props = animation.sample(times).props
    gaps = np.linalg.norm(props[:, hit.prop] - props[:, hit.other], axis=1) - 0.07
    assert gaps == pytest.approx([0.0, -hit.overlap, 0.0], abs=2e-5)


@pytest.mark.parametrize(
    "text",
    ["531;prop=club", "<3p 3|3p 3>;prop=ball,ring,square", "3;body=(0)..(90)..(180)..(270).."],
)
def test_props_never_come_nearer_to_limbs_than_the_bounds_by_which_they_are_left_out(
    text: str,
) -> None:
    animation = ja.animate(text)
    grid, pairs = time_grid(animation.duration), BodyPairs(animation)
    found = pairs.near_candidates(0.1, grid)
    inside = np.linspace(0.0, 1.0, 14)
    gaps = [pairs.gap(found.pair, (found.block + share) * grid.block_duration) for share in inside]
    assert np.all(np.min(gaps, axis=0) >= found.bound)
    left_out = ~found.needed
    allowed = [
        pairs.contact_allowed(found.pair, (found.block + share) * grid.block_duration)
        for share in inside[1:-1]
    ]
    assert np.all(np.array(allowed)[:, left_out])
    # Few of them are near, and only those are gone through step by step.
    near = found.within(0.02)
    assert 0 < len(near.pair) < 0.5 * len(found.pair)
    assert (near.needed & (near.bound <= 0.02)).sum() == (
        found.needed & (found.bound <= 0.02)
    ).sum()


def test_limbs_that_a_crowd_shares_are_hit_as_those_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    animation = ja.animate(f"<{'|'.join(['3p 3 3'] * 6)}>", prop_diameter=16.0)
    found = []
    for crowd in (1, 99):
        monkeypatch.setattr("juggle_anim.analysis.collisions._FEWEST_SHARING_LIMBS", crowd)
        assert len(BodyPairs(animation)._limbs.limbs[0]) == (1 if crowd == 1 else 6) * len(PARTS)
        found.append(find_collisions(animation))
    shared, own = (
        {
            (each.prop, each.juggler, each.part, round(each.start, 3)): each
            for each in one.collisions
        }
        for one in found
    )
    assert shared.keys() == own.keys()
    assert len(own) > 6
    for who, each in shared.items():
        assert (each.end, each.overlap) == pytest.approx((own[who].end, own[who].overlap), abs=1e-5)
    assert found[0].body_miss.gap == pytest.approx(found[1].body_miss.gap, abs=1e-5)


@pytest.mark.parametrize("crowd", [1, 99])
def test_boxes_around_limbs_hold_them_throughout_their_span(
    crowd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("juggle_anim.analysis.collisions._FEWEST_SHARING_LIMBS", crowd)
    limbs = BodyPairs(ja.animate(f"<{'|'.join(['3p 3 3'] * 5)}>"))._limbs
    limb = np.arange(5 * len(PARTS))
    start, end = 0.31, 0.35
    boxes, speeds = limbs.boxes_and_speeds(start, end)
    times = np.linspace(start, end, 30)
    ends = []
    for time in times:
        cones = limbs.cones(limb, np.full(len(limb), time))
        for middle, radius in (
            (cones.start, cones.start_radius),
            (cones.end, cones.end_radius),
        ):
            assert np.all(middle - radius[:, None] >= boxes.low - 1e-4)
            assert np.all(middle + radius[:, None] <= boxes.high + 1e-4)
        ends.append(np.stack([cones.start, cones.end]))
    moved = np.linalg.norm(np.diff(ends, axis=0), axis=-1).max(axis=(0, 1))
    assert np.all(moved <= speeds * (times[1] - times[0]) + 1e-4)
    # Five people stand around a circle two metres wide at least; a limb's box is no wider than it
    # is long, turned, and moves by.
    assert (boxes.high - boxes.low).max() < 1.0
