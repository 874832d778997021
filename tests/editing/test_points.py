"""Operations on paths of hands, catches and dwell."""

from __future__ import annotations

import numpy as np
import pytest
from edit_laws import assert_events_fit, assert_motion_is_lawful

import juggle_anim as ja
from juggle_anim.choreography import CatchStyle, Grasp
from juggle_anim.choreography.score import THROW
from juggle_anim.editing.symmetry import THROW_APART, event_at
from juggle_anim.errors import EditError, ParameterError

HANDS = "pattern=333;hands=(10,5)(0,40)(-20)c(25)(30,5).(15)(30)..;style=natural"


def throws_of(animation: ja.Animation, hand: int) -> list[int]:
    events = animation.choreography.events
    return np.flatnonzero((events.hand == hand) & (events.kind == THROW)).tolist()


def outward_path(animation: ja.Animation, throw: int, count: int) -> np.ndarray:
    """Places of an event and those that follow it in its hand, outward, shape (count, 3)."""
    events = animation.choreography.events
    mine = np.flatnonzero(events.hand == events.hand[throw])
    rows = np.roll(mine, -int(np.flatnonzero(mine == throw)[0]))[:count]
    return events.position[rows] * (1.0 if events.hand[throw] % 2 == 0 else -1.0, 1.0, 1.0)


def test_a_copied_path_is_mirrored_in_the_other_hand_and_stays_settings() -> None:
    animation = ja.animate(HANDS)
    source, target = throws_of(animation, 1)[0], throws_of(animation, 0)[0]
    assert not np.allclose(outward_path(animation, source, 5), outward_path(animation, target, 5))
    copied = animation.edit().copy_path(source, target)
    assert copied.edit().kind() == "settings"
    (time,) = animation.choreography.events.time[[target]]
    there = event_at(copied.choreography, 0, float(time))
    expected = outward_path(animation, source, 5)
    assert np.abs(outward_path(copied, there, 5) - expected).max() < 1e-4
    assert_events_fit(copied)


def test_a_path_copied_without_mirroring_crosses_over() -> None:
    animation = ja.animate(HANDS)
    source, target = throws_of(animation, 1)[0], throws_of(animation, 0)[0]
    time = float(animation.choreography.events.time[target])
    copied = animation.edit().copy_path(source, target, mirrored=False)
    there = event_at(copied.choreography, 0, time)
    places = [
        each.choreography.events.position[row]
        for each, row in ((copied, there), (animation, source))
    ]
    assert np.abs(places[0] - places[1]).max() < 1e-4


def test_claws_are_said_by_settings_and_taken_back() -> None:
    animation = ja.animate("3")
    catch = int(animation.choreography.flights.catch[0])
    clawed = animation.edit().set_catch(catch, "claw")
    assert clawed.settings == "pattern=3;catches=claw"
    assert clawed.edit().set_catch(catch, "palm").score == animation.score
    one = animation.edit().set_catch(catch, "penguin", symmetric=False)
    assert sorted(one.score.staging.catches) == [("palm",), ("penguin",)]
    two = ja.animate("531").edit().set_catch(0, "claw", symmetric=False)
    grasps = two.choreography.events.grasp
    assert grasps is not None
    assert (grasps == Grasp.CLAW).sum() == 2


def test_soft_catches_make_events() -> None:
    grabbed = ja.animate("3").edit().set_catch(0, "grab")
    assert grabbed.edit().losses() == ("kinds of 2 flights",)
    assert {style.caught for style in grabbed.choreography.flights.style} == {CatchStyle.GRAB}
    assert grabbed.edit().set_catch(0, "natural").edit().kind() == "settings"


def test_the_dwell_of_all_is_a_setting_and_that_of_one_moves_its_catch() -> None:
    animation = ja.animate("531")
    assert animation.edit().set_dwell(beats=1.0).settings == "pattern=531;dwell=1;style=natural"
    catch = int(animation.choreography.flights.catch[0])
    carry = animation.choreography.flights.carry
    edited = animation.edit().set_dwell(catch, seconds=0.2)
    assert edited.edit().losses() == ("times of 2 catches",)
    after = edited.choreography.flights
    assert np.abs(after.carry - 0.2).min() < 1e-9
    assert after.duration.sum() + after.carry.sum() == pytest.approx(
        animation.choreography.flights.duration.sum() + carry.sum()
    )
    every = edited.edit().set_dwell(seconds=0.25)
    assert np.abs(every.choreography.flights.carry - 0.25).max() < 1e-9
    assert_events_fit(every)
    assert_motion_is_lawful(every)


@pytest.mark.parametrize(
    ("edit", "error", "reason"),
    [
        (
            lambda editor: editor.copy_path(0, 1),
            EditError,
            "event 1 is not a throw; a path goes from one throw to the next",
        ),
        (
            lambda editor: editor.set_catch(0, "glove"),
            EditError,
            "palm, claw, penguin, behind, overhead, neck, natural",
        ),
        (
            lambda editor: editor.set_dwell(0),
            EditError,
            "give the dwell in seconds or in beats, not both",
        ),
        (lambda editor: editor.set_dwell(beats=99.0), ParameterError, "dwell is 99"),
        (
            lambda editor: editor.add_point(1, 0.1).edit().set_catch(1, "claw"),
            EditError,
            "event 1 is a point on a hand's path; choose a catch or a throw",
        ),
    ],
)
def test_what_is_impossible_is_refused_with_a_reason(
    edit: object, error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        edit(ja.animate("531").edit())  # type: ignore[operator]


def test_points_that_find_no_time_are_refused() -> None:
    animation = ja.animate("531")
    for time in (0.02, 0.04, 0.06, 0.08, 0.10, 0.12):
        animation = animation.edit().add_point(1, time, symmetric=False)
    source, target = throws_of(animation, 1)[:2]
    soon = float(animation.choreography.events.time[target]) + THROW_APART
    hurried = animation.edit().move_event(target + 2, time=soon, symmetric=False)
    with pytest.raises(EditError, match="no time for 6 points"):
        hurried.edit().copy_path(source, throws_of(hurried, 1)[1], symmetric=False)


def test_a_catch_that_settings_cannot_say_of_all_rounds_makes_events() -> None:
    assert ja.animate("41[54]01").edit().set_catch(4, "penguin").edit().kind() == "events"
