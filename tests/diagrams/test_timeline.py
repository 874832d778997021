from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

import juggle_anim as ja
from juggle_anim.diagrams.timeline import NO_ORBIT, Timeline

PATTERNS = st.one_of(valid_siteswaps(), valid_passing_siteswaps())


def timeline(text: str, loops: int = 2) -> Timeline:
    animation = ja.animate(text)
    return Timeline(animation.score, animation.choreography, loops)


@settings(max_examples=60)
@given(PATTERNS, st.floats(0.0, 1.999))
def test_each_prop_is_in_one_hand_or_flies_at_any_time(text: str, share: float) -> None:
    seen = timeline(text)
    time = share * seen.span / 2
    changes = [edge for stay in seen.holds for edge in (stay.start, stay.end)]
    assume(all(abs(time - edge) > 1e-6 for edge in changes))
    held = [stay.prop for stay in seen.holds if stay.start <= time < stay.end]
    flying = [flown.prop for flown in seen.flights if flown.throw_time <= time < flown.catch_time]
    assert sorted(held + flying) == list(range(seen.choreography.props))


@settings(max_examples=60)
@given(PATTERNS)
def test_props_in_one_hand_lie_beside_each_other(text: str) -> None:
    lanes: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for stay in timeline(text).holds:
        lanes.setdefault((stay.hand, stay.lane), []).append((stay.start, stay.end))
    for spans in lanes.values():
        spans.sort()
        assert all(before[1] <= after[0] + 1e-6 for before, after in pairwise(spans))


@settings(max_examples=60)
@given(PATTERNS)
def test_a_prop_is_thrown_from_the_lane_in_which_it_lay(text: str) -> None:
    seen = timeline(text)
    ends = {(stay.prop, round(stay.end, 6)): stay for stay in seen.holds}
    starts = {(stay.prop, round(stay.start, 6)): stay for stay in seen.holds}
    for flown in seen.flights:
        if flown.throw_time >= 0 and (before := ends.get((flown.prop, round(flown.throw_time, 6)))):
            assert (before.hand, before.lane, before.orbit) == (flown.hand, flown.lane, flown.orbit)
        if after := starts.get((flown.prop, round(flown.catch_time, 6))):
            assert (after.hand, after.lane) == (flown.to_hand, flown.to_lane)


@pytest.mark.parametrize(
    "text", ["531", "(6x,4)*", "[34]23", "mills mess", "<3p 3|3p 3>", "4p 2 3", "3.5p 3 3"]
)
def test_hands_hold_the_props_that_the_motion_puts_there(text: str) -> None:
    animation = ja.animate(text)
    seen = Timeline(animation.score, animation.choreography, 3)
    times = np.random.default_rng(1).uniform(0.0, seen.span, 50)
    holders = animation.motion.sample(times).holders
    for time, row in zip(times, holders, strict=True):
        mine = {stay.prop: stay.hand for stay in seen.holds if stay.start <= time < stay.end}
        assert {prop: hand for prop, hand in enumerate(row.tolist()) if hand >= 0} == mine


def test_throws_are_written_as_in_a_siteswap() -> None:
    assert {flown.text for flown in timeline("(6x,4)*").flights} == {"6x", "4"}
    assert {flown.text for flown in timeline("b97531").flights} == {"b", "9", "7", "5", "3", "1"}
    assert {flown.text for flown in timeline("<3p 3|3p 3>").flights} == {"3p", "3"}
    assert {flown.text for flown in timeline("3.5p 3 3").flights} == {"3.5p", "3"}


def test_holds_and_empty_hands_are_written_on_their_beat() -> None:
    seen = timeline("[34]23", loops=1)
    beat = seen.beat or 0.0
    assert [(round(each.time / beat, 6), each.hand, each.text) for each in seen.rests] == [
        (1, 0, "2"),
        (4, 1, "2"),
    ]
    empty = timeline("(4,0)", loops=1).rests
    assert [(each.hand, each.text, each.orbit) for each in empty] == [(1, "0", NO_ORBIT)]
