"""Operations on events: throws, catches and points in time and place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from edit_laws import assert_events_fit, assert_motion_is_lawful
from hypothesis import example, given, settings
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

import juggle_anim as ja
from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.editing.symmetry import THROW_APART, event_at
from juggle_anim.errors import EditError

PLACE = (-0.05, 1.3, 0.35)


def test_a_moved_throw_and_its_repeats_are_written_as_hands() -> None:
    edited = ja.animate("531").edit().move_event(0, position=PLACE)
    assert edited.settings == "pattern=531;hands=(5,13.636,5)-...;style=natural"
    events = edited.choreography.events
    thrown = (events.hand == 1) & (events.time == 0.0)
    assert events.position[thrown].tolist() == [pytest.approx(PLACE, abs=1e-5)]
    again = ja.animate(edited.settings)
    assert np.abs(again.choreography.events.position - events.position).max() < 1e-12


def test_one_throw_alone_moves_on_demand() -> None:
    edited = ja.animate("3").edit().move_event(0, position=PLACE, symmetric=False)
    assert edited.pattern
    assert edited.choreography.events.position[:2, 0].tolist() == pytest.approx(
        [-0.05, -0.19], abs=1e-5
    )


def test_mills_mess_is_made_of_a_cascade_by_six_places() -> None:
    wanted = ja.animate("pattern=333;hands=Mills mess;style=natural").choreography.events
    edited, moved = ja.animate("333"), 0
    for event in range(len(wanted.time)):
        if np.abs(edited.choreography.events.position[event] - wanted.position[event]).max() > 1e-5:
            edited, moved = (
                edited.edit().move_event(event, position=wanted.position[event].tolist()),
                moved + 1,
            )
    assert moved == 6
    assert edited.edit().kind() == "settings"
    assert np.abs(edited.choreography.events.position - wanted.position).max() < 2e-5


def test_a_throw_moved_in_time_makes_events_that_say_what_going_back_would_lose() -> None:
    edited = ja.animate("531;title=mine").edit().move_event(0, time=0.05)
    assert (edited.edit().kind(), edited.title) == ("events", "mine")
    assert edited.edit().losses() == ("times of 2 throws",)
    assert edited.edit().back_to_settings().settings == "pattern=531;title=mine"
    # Its flight is as much shorter as the carry before it is longer.
    before = ja.animate("531").choreography.flights
    after = edited.choreography.flights
    assert sorted(np.round(before.duration - after.duration, 6).tolist()) == [
        0,
        0,
        0,
        0,
        0.05,
        0.05,
    ]
    assert (before.duration + before.carry).sum() == pytest.approx(
        (after.duration + after.carry).sum()
    )


def test_events_made_of_settings_move_the_same_and_go_back() -> None:
    animation = ja.animate("pattern=423;catches=claw,palm;dwell=1.1;trails=1")
    events = animation.edit().to_events()
    times = np.linspace(0.0, animation.duration, 50)
    assert np.abs(events.sample(times).hands - animation.sample(times).hands).max() == 0.0
    assert np.abs(events.pose(times).joints - animation.pose(times).joints).max() == 0.0
    assert events.edit().losses() == ()
    assert events.edit().back_to_settings().settings == animation.settings


def test_a_time_beyond_the_limits_is_the_nearest_that_is_free() -> None:
    editor = ja.animate("531").edit()
    limits = editor.time_limits(0)
    catch = 0.151515
    assert any(start == pytest.approx(catch - THROW_APART, abs=1e-4) for start, _ in limits.taken)
    times = [
        editor.move_event(0, time=time).choreography.events.time
        for time in (catch - 0.01, catch + 0.02, -9.0)
    ]
    for found, expected in zip(
        times, (catch - THROW_APART, catch + THROW_APART, limits.earliest), strict=True
    ):
        assert np.abs((found - expected) % editor.draft.score.jugglers).min() < 1e-4 or expected < 0
    # A throw cannot come before its prop was caught.
    kept = editor.move_event(0, time=-9.0).choreography.flights.carry
    assert kept.min() == pytest.approx(THROW_APART)


def test_a_point_is_on_the_path_unless_it_is_said_where_and_can_be_taken_away() -> None:
    animation = ja.animate("531")
    middle = float(animation.choreography.events.time[1]) / 2
    pointed = animation.edit().add_point(1, middle)
    assert pointed.edit().kind() == "settings"
    number = event_at(pointed.choreography, 1, middle)
    there = animation.motion.hand_place(1, middle)
    assert np.abs(pointed.choreography.events.position[number] - there).max() < 1e-5
    assert len(pointed.choreography.events.time) == len(animation.choreography.events.time) + 2
    assert pointed.edit().remove_point(number).score == animation.score
    odd = animation.edit().add_point(1, 0.1)
    assert odd.edit().losses() == ("1 point of the left hand", "1 point of the right hand")


def test_colours_stay_with_their_props_when_a_throw_goes_into_the_loop_before() -> None:
    animation = ja.animate("531;colors=mixed")
    edited = animation.edit().move_event(0, time=-0.02, symmetric=False)
    time = np.array([0.9])
    before, after = (
        dict(zip(map(str, each.prop_colours), each.sample(time).props[0], strict=True))
        for each in (animation, edited)
    )
    assert len(before) == 3
    for colour, place in before.items():
        assert np.linalg.norm(after[colour] - place) < 0.2


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda editor: editor.move_event(99, time=0.1), "there is no event 99"),
        (lambda editor: editor.move_event(0, time=float("nan")), "nan is not a time"),
        (lambda editor: editor.move_event(0, position=(0.0, 1.0)), "three numbers"),
        (
            lambda editor: editor.move_event(0, position=(0.0, 1000.0, 0.0)),
            "a position can be at most 10 m away; this is 1000 m",
        ),
        (lambda editor: editor.add_point(7, 0.1), "there is no hand 7"),
        (lambda editor: editor.add_point(1, 0.0), "within 0.01 s"),
        (lambda editor: editor.remove_point(0), "only points"),
    ],
)
def test_what_is_impossible_is_refused_with_a_reason(edit: object, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        edit(ja.animate("531").edit())  # type: ignore[operator]


def test_a_bounce_keeps_the_time_that_it_needs() -> None:
    with pytest.raises(EditError, match="cannot bounce"):
        ja.animate("5BB").edit().move_event(0, time=9.0)


def test_events_of_a_file_without_a_pattern_have_nothing_to_go_back_to() -> None:
    animation = ja.animate("3").edit().to_events()
    bare = Animation(Score(placed=animation.score.placed), animation.parameters)
    assert bare.edit().losses() == ("the pattern",)
    with pytest.raises(EditError, match="no settings to go back to"):
        bare.edit().back_to_settings()


def test_events_as_juggling_lab_writes_them_go_back_to_its_style() -> None:
    animation = ja.animate("pattern=531;style=juggling-lab").edit().to_events()
    written = Animation(
        replace(animation.score, base=("siteswap", "pattern=531")), animation.parameters
    )
    assert written.edit().losses() == ()
    assert written.edit().back_to_settings().settings == "pattern=531;style=juggling-lab"


def test_catches_that_settings_cannot_move_together_move_one_by_one() -> None:
    animation = ja.animate("([2x2x],2x)*")
    places = animation.choreography.events.position
    edited = animation.edit().move_event(3, position=[*places[3, :2], 0.5])
    moved = edited.choreography.events.position != places
    assert moved.any(axis=1).tolist() == [row == 3 for row in range(len(places))]
    assert edited.edit().move_event(3, position=places[3].tolist()).score == animation.score
    several = animation.edit().move_events([3], offset=[0.0, 0.0, 0.3])
    moved = several.choreography.events.position != places
    assert moved.any(axis=1).tolist() == [row == 3 for row in range(len(places))]


patterns = st.one_of(
    valid_siteswaps(6),
    valid_passing_siteswaps(3).filter(lambda text: not {"B", "F"} & set(text)),
    st.sampled_from(
        [
            "5B",
            "3BL",
            "pattern=[43]23;style=juggling-lab",
            "pattern=3;hands=Mills mess;style=natural",
        ]
    ),
)
shares = st.floats(-1.0, 1.0)


@given(patterns, st.integers(0, 99), st.tuples(shares, shares, shares, shares), st.booleans())
@example("([2x2x],2x)*", 53, (0.0, 0.0, 1.0, 0.0), True)
@settings(max_examples=25)
def test_what_is_moved_is_kept_and_what_is_moved_back_is_as_before(
    text: str, number: int, way: tuple[float, float, float, float], symmetric: bool
) -> None:
    animation = ja.animate(text)
    events = animation.choreography.events
    if not len(events.time):
        return
    event = number % len(events.time)
    hand, time = int(events.hand[event]), float(events.time[event])
    wanted = events.position[event] + 0.3 * np.array(way[:3])
    edited = animation.edit().move_event(event, position=wanted.tolist(), symmetric=symmetric)
    moved = event_at(edited.choreography, hand, time)
    assert np.abs(edited.choreography.events.position[moved] - wanted).max() < 2e-5
    back = edited.edit().move_event(
        moved, position=events.position[event].tolist(), symmetric=symmetric
    )
    assert back.score == animation.score
    try:
        later = edited.edit().move_event(moved, time=time + 0.5 * way[3], symmetric=symmetric)
    except EditError:
        return
    assert_events_fit(later)
    assert_motion_is_lawful(later)
    assert later.score.props == animation.score.props
    lost = later.edit().back_to_settings()
    assert (
        np.abs(
            np.sort(lost.choreography.events.time) - np.sort(edited.choreography.events.time)
        ).max()
        < 1e-5
    )
