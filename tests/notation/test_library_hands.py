"""Where the hands of the library's patterns throw and catch is what their names promise."""

from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.analysis.collisions import find_collisions
from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.body.planning.plan import draft_plan
from juggle_anim.body.planning.trunk_plan import TrunkPlan
from juggle_anim.body.pose import BodyPlan, pose
from juggle_anim.body.trunk_and_legs import TRUNK_CHANNELS
from juggle_anim.choreography import Choreography, choreograph
from juggle_anim.motion.piecewise import PeriodicSpline
from juggle_anim.notation import read_settings
from juggle_anim.notation.library import library
from juggle_anim.parameters import Parameters

SAMPLES = 60
LEFT, RIGHT = 0, 1


def opened(name: str) -> Choreography:
    settings = read_settings(name)
    return choreograph(settings.score, settings.applied_to(Parameters()))


def flown(name: str) -> tuple[Floats, Floats]:
    """How far to the left each flight begins and ends, each of shape (F,)."""
    made = opened(name)
    left = made.events.position[:, 0]
    return left[made.flights.throw], left[made.flights.catch]


def outward(name: str) -> tuple[Floats, Floats]:
    """How far out on its own side of the body each hand throws, and where it catches."""
    made = opened(name)
    side = np.where(made.events.hand % 2 == 0, 1.0, -1.0)
    out = made.events.position[:, 0] * side
    return out[made.flights.throw], out[made.flights.catch]


@pytest.mark.parametrize(("every", "posed"), [(5, 10), pytest.param(1, 40, marks=pytest.mark.long)])
def test_every_pattern_of_the_library_is_choreographed_and_posed_with_its_hands_within_reach(
    every: int,
    posed: int,
) -> None:
    places, hands, owners = [], [], []
    for pattern in library()[::every]:
        made = opened(pattern.settings_text)
        assert (made.props, made.jugglers) == (pattern.props, pattern.jugglers), pattern.name
        places.append(made.events.position)
        hands.append(made.events.hand)
        owners += len(made.events.hand) * [pattern.name]
    mirror = np.where(np.concatenate(hands) % 2 == 0, 1.0, -1.0)[:, None] * (1.0, 0.0, 0.0) + (
        0.0,
        1.0,
        1.0,
    )
    # Many throw and catch at the same places, which are posed once, by somebody who stands upright.
    each, first = np.unique((np.concatenate(places) * mirror).round(2), axis=0, return_index=True)
    animation = animate("3")
    upright = BodyPlan(
        TrunkPlan(PeriodicSpline(np.zeros((4, 1, TRUNK_CHANNELS)), 1.0), np.zeros(1)), None, None
    )
    both = np.stack([each, each * (-1.0, 1.0, 1.0)], axis=1)[:, None]
    frames = replace(animation.sample(np.zeros(len(each))), hands=both)
    beyond = pose(frames, animation.motion, Parameters(), upright).gaps.max(axis=(1, 2))
    # Whoever comes to the farthest places by leaning comes to all that are nearer.
    farthest = {owners[first[place]] for place in np.argsort(beyond)[-posed:]}
    for leaning in map(animate, farthest):
        # A leg that is lifted is in the full plan alone.
        around = leaning.score.staging.throws
        plan = leaning.plan if around else draft_plan(leaning.motion, leaning.parameters, upright)
        frames = leaning.sample(np.arange(SAMPLES) * (leaning.duration / SAMPLES))
        assert pose(frames, leaning.motion, leaning.parameters, plan).gaps.max() < 0.015, (
            leaning.title
        )


@pytest.mark.parametrize(
    "name",
    [
        "Boston mess", "Right middle left", "Pistons", "Synchronous columns",
        "Synchronous columns, side by side",
        "Split columns", "Six-ball columns", "Columns in one hand", "Three columns in one hand",
        "Yo-yo",
        "Fake columns",
    ],
)  # fmt: skip
def test_what_is_called_columns_goes_straight_up(name: str) -> None:
    begin, end = flown(name)
    np.testing.assert_allclose(begin, end, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "columns"), [("Boston mess", 3), ("Right middle left", 3), ("Pistons", 4)]
)
def test_there_are_as_many_columns_as_props(name: str, columns: int) -> None:
    assert len(np.unique(flown(name)[0].round(6))) == columns


def test_a_reverse_cascade_is_thrown_outside_and_caught_inside() -> None:
    thrown, caught = outward("reverse cascade")
    assert (thrown > 0.3).all()
    assert (caught < 0.15).all()


def test_in_a_half_shower_one_hand_throws_outside_the_other() -> None:
    thrown, _ = outward("three-ball half shower")
    assert len(np.unique(thrown.round(6))) == 2


@pytest.mark.parametrize(
    "name", ["Mills mess", "Reverse Mills mess", "Four-ball Mills mess", "Burke's barrage"]
)
def test_in_mills_mess_arms_cross_and_uncross(name: str) -> None:
    thrown, caught = outward(name)
    out = np.concatenate([thrown, caught])
    assert out.min() < -0.15
    assert out.max() > 0.15


def test_mills_mess_backwards_throws_where_mills_mess_catches() -> None:
    thrown, caught = outward("mills mess")
    back_thrown, back_caught = outward("reverse mills mess")
    np.testing.assert_allclose(np.sort(back_thrown), np.sort(caught), atol=1e-9)
    np.testing.assert_allclose(np.sort(back_caught), np.sort(thrown), atol=1e-9)


@pytest.mark.parametrize("name", ["Windmill", "Reverse windmill"])
def test_in_a_windmill_all_props_fly_the_same_way(name: str) -> None:
    begin, end = flown(name)
    assert len(set(np.sign(end - begin))) == 1


def test_the_two_windmills_turn_opposite_ways() -> None:
    one, other = (np.subtract(*flown(name))[0] for name in ("Windmill", "Reverse windmill"))
    assert one * other < 0


def test_arms_that_stay_crossed_never_come_to_their_own_side() -> None:
    named = [pattern.name for pattern in library() if pattern.name.startswith("Crossed-arm")]
    # That of the factory crosses and uncrosses.
    crossed = [name for name in named if name != "Crossed-arm factory"]
    assert len(crossed) == 5
    for name in crossed:
        assert max(side.max() for side in outward(name)) < 0


def test_the_crossed_arm_factory_catches_what_it_drops_under_the_other_arm() -> None:
    made = opened("Crossed-arm factory")
    (drop,) = np.flatnonzero(made.events.hand[made.flights.throw] == LEFT)
    thrown, caught = made.flights.throw[drop], made.flights.catch[drop]
    assert made.events.hand[caught] == LEFT
    height = made.events.position[:, 1]
    assert height[thrown] - height[caught] > 0.4
    hands = animate("Crossed-arm factory").motion.sample_hands(made.events.time[[caught]])[0, 0]
    assert hands[LEFT, 0] < hands[RIGHT, 0] - 0.15
    assert hands[LEFT, 1] < hands[RIGHT, 1] - 0.1


def test_the_hand_that_draws_a_figure_eight_is_under_each_prop_that_peaks() -> None:
    animation = animate("Figure eight")
    flights, events = animation.choreography.flights, animation.choreography.events
    peaks = events.time[flights.throw] + flights.duration / 2
    frames = animation.sample(peaks)
    carrying = frames.hands[:, 0, RIGHT]
    for moment, flight in enumerate(flights.throw):
        peak = frames.props[moment][frames.holders[moment] < 0]
        prop = peak[np.abs(peak[:, 0] - events.position[flight, 0]).argmin()]
        assert abs(carrying[moment, 0] - prop[0]) < 0.08
        assert 0.08 < prop[1] - carrying[moment, 1] < 0.3


def test_a_ball_handed_behind_the_back_is_thrown_and_caught_there() -> None:
    made = opened("Ball handed behind the back")
    forward = made.events.position[:, 2]
    low = made.flights.duration < made.flights.duration.max() / 2
    assert low.sum() * 3 == len(low)
    assert (
        max(forward[made.flights.throw[low]].max(), forward[made.flights.catch[low]].max()) < -0.15
    )
    assert (
        min(forward[made.flights.throw[~low]].min(), forward[made.flights.catch[~low]].min()) > 0.15
    )


def test_the_crane_of_relfs_factory_drops_on_the_far_side_and_snatches_high_on_its_own() -> None:
    thrown, caught = outward("Relf's factory")
    made = opened("Relf's factory")
    height = made.events.position[:, 1]
    drops = height[made.flights.throw] > height.min() + 0.4
    assert drops.sum() * 4 == len(drops)
    assert (thrown[drops] < -0.15).all()
    snatches = height[made.flights.catch] > height.min() + 0.4
    assert snatches.sum() * 4 == len(snatches)
    assert (caught[snatches] > 0.1).all()


def test_the_factory_backwards_throws_where_the_factory_catches() -> None:
    thrown, caught = (np.sort(side) for side in outward("Factory"))
    back_thrown, back_caught = (np.sort(side) for side in outward("Reverse factory"))
    np.testing.assert_allclose(back_thrown, caught, atol=1e-9)
    np.testing.assert_allclose(back_caught, thrown, atol=1e-9)


def test_in_penmans_box_every_third_throw_comes_from_under_the_other_arm() -> None:
    thrown, _ = outward("Penman's box")
    assert (thrown < -0.25).sum() * 4 == len(thrown)


@pytest.mark.parametrize("name", ["Feed", "Typewriter feed", "Feed of four"])
def test_who_feeds_and_is_fed_face_each_other(name: str) -> None:
    bodies = opened(name).bodies
    ahead = np.stack([np.sin(bodies.facing), np.cos(bodies.facing)], axis=-1)
    feeder, fed = bodies.position[0, [0, 2]], bodies.position[1:, [0, 2]]
    to_feeder = feeder - fed
    to_feeder /= np.linalg.norm(to_feeder, axis=-1, keepdims=True)
    assert (np.sum(ahead[1:] * to_feeder, axis=-1) > 0.999).all()
    assert (np.sum(-to_feeder * ahead[0], axis=-1) > 0.7).all()


@pytest.mark.long
def test_props_of_tricks_with_hands_of_their_own_touch_neither_each_other_nor_anybody() -> None:
    alone = [
        pattern
        for pattern in library()
        if pattern.jugglers == 1 and "hands" in dict(pattern.settings)
    ]
    touching = {
        pattern.name: find_collisions(animate(pattern.name)).collisions for pattern in alone
    }
    assert {name: collisions for name, collisions in touching.items() if collisions} == {}
