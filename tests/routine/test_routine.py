"""Laws of routines: the past stays, nothing jumps, props keep their colours, and none comes after
its rethrow.
"""

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.animation import animate
from juggle_anim.notation import open_patterns
from juggle_anim.notation.files import write_patterns
from juggle_anim.notation.formats import JML
from juggle_anim.notation.rewriting import with_events
from juggle_anim.routine import Routine
from juggle_anim.routine.bridge import Bridge

STEP = 1e-3
PATTERNS = [
    ("3", "531", "51", "3"),
    ("5", "771", "5"),
    ("4", "(4,4)"),
    ("42", "3", "42"),
    ("<3p|3p>", "<33|33>"),
    ("3", "4", "5", "3"),
    ("[43]23", "5", "[43]23"),
    ("<3p|3p>", "<4p|4p>", "<3p|3p>"),
    ("pattern=5;prop=club", "pattern=3;prop=club", "pattern=4;prop=club"),
    ("<3p|3p>", "<3.5p|3.5p>"),
    ("3", "pattern=441;human=1"),
    ("3", "pattern=3;catches=overhead"),
]


@pytest.fixture(scope="module")
def routines():
    return {patterns: routine(*patterns) for patterns in PATTERNS}


def routine(*patterns, first=2.0, apart=1.3):
    found = Routine.of(animate(patterns[0]))
    for number, pattern in enumerate(patterns[1:]):
        found = found.changed(first + apart * number, animate(pattern))
    return found


@pytest.mark.parametrize("patterns", PATTERNS, ids="→".join)
def test_nothing_jumps_in_place_or_velocity(routines, patterns):
    found = routines[patterns]
    times = np.arange(1.7, found.parts[-1].ends + 0.7, STEP)
    places, velocities = found.sample(times), found.sample(times, 1)
    for place, velocity in ((places.hands, velocities.hands), (places.props, velocities.props)):
        middle = (velocity[1:] + velocity[:-1]) / 2 * STEP
        # Props come to rest in hands within some hundredths of a second.
        assert np.abs(place[1:] - place[:-1] - middle).max() < 8e-5
        assert np.abs(np.diff(velocity, axis=0)).max() < 0.7


@pytest.mark.parametrize("patterns", PATTERNS, ids="→".join)
def test_no_prop_comes_after_its_rethrow_and_none_is_lost(routines, patterns):
    for span in routines[patterns].spans:
        if isinstance(span.line, Bridge):
            flights = span.line.loop.choreography.flights
            assert flights.carry.min() > 0.02
            assert flights.duration.min() > 0.03
        assert len(set(span.props)) == len(span.props)
        assert min(span.props) >= 0


@pytest.mark.parametrize(
    "patterns",
    [
        *PATTERNS[:4:2],
        *(pytest.param(each, marks=pytest.mark.long) for each in (*PATTERNS[4:9:2], PATTERNS[-1])),
    ],
    ids="→".join,
)
def test_joints_do_not_jump_and_bones_keep_their_length(routines, patterns):
    found = routines[patterns]
    arm = [ja.animate("3").pose(np.zeros(1)).joints[0, 0, [5, 7]]]
    for span in found.spans[1:]:
        joints = found.pose(span.start + np.arange(-3, 4) * STEP).joints
        assert np.abs(np.diff(joints, n=2, axis=0)).max() < 5e-4
        lengths = np.linalg.norm(joints[:, 0, 5] - joints[:, 0, 7], axis=-1)
        assert np.abs(lengths - np.linalg.norm(arm[0][0] - arm[0][1])).max() < 1e-9


def test_the_past_stays_the_same_bit_for_bit():
    before = routine("3", "5")
    after = before.changed(3.0, animate("4"))
    times = np.linspace(-1.0, 2.999, 100)
    assert np.array_equal(before.sample(times).props, after.sample(times).props)
    assert np.array_equal(before.pose(times).joints, after.pose(times).joints)


@pytest.mark.parametrize(
    ("patterns", "throws"),
    [
        (("3", "51"), ("4",)),
        (("51", "3"), ("2",)),
        (("5", "771"), ("6", "6")),
        (("51", "441"), ()),
        (("91", "5"), ("2", "3", "4")),
        (("3", "4"), ()),
        (("5", "3"), ("0", "0")),
    ],
)
def test_a_transition_is_as_short_as_it_can_be_and_of_low_throws(patterns, throws):
    assert routine(*patterns).parts[-1].throws == throws


def test_props_are_picked_up_and_put_down_where_they_lie_until_needed():
    found = routine("3", "4", "3", first=2.0, apart=5.0)
    (appeared, picked, down) = found.rests[0].shown, found.rests[0].until, found.rests[-1]
    assert appeared == 2.0 < picked < found.parts[1].ends < 7.0 < down.since < found.parts[2].ends
    assert {rest.prop for rest in found.rests[:1]} == {3}
    later = found.sample(np.array([down.since + 0.1, down.since + 9.0])).props[:, down.prop]
    assert np.abs(later[1] - later[0]).max() < 2e-3
    again = found.changed(20.0, animate("4"))
    assert len(again.looks) == 4
    assert again.rests[-1].prop == down.prop
    assert np.isfinite(again.rests[-1].until)


def test_a_prop_has_its_colour_through_a_change():
    found = routine("3", "531")
    scenes = found.scenes(np.array([1.9, found.parts[-1].ends + 0.1]), animate("3").camera(1.0))
    for scene, time in zip(scenes, (1.9, found.parts[-1].ends + 0.1), strict=True):
        places, colours = found.sample(np.array([time])).props[0], scene.spheres[:, 4:7]
        order = [int(np.abs(scene.spheres[:, :3] - place).max(axis=1).argmin()) for place in places]
        assert np.abs(colours[order] - scenes[0].spheres[:, 4:7]).max() < 1e-6


def test_body_throws_last_until_a_change_and_begin_with_it():
    before, after = animate("pattern=3;throws=backcross"), animate("pattern=531;catches=behind")
    bridge = Routine.of(before).changed(2.0, after).spans[1].line
    assert isinstance(bridge, Bridge)
    shown = {row for each in (before, after) for row in each.choreography.events.manners[:, 1]}
    assert set(bridge.loop.choreography.events.manners[:, 1]) == shown
    assert len(shown) == 3


def test_what_cannot_be_joined_is_cut_and_says_why():
    part = routine("3", "<3p|3p>").parts[-1]
    assert "jugglers" in part.reason
    assert part.begins == part.start


def test_a_routine_becomes_one_animation_that_goes_back_and_repeats():
    found = ja.Routine.through(["3", "4"], seconds=2.0)
    whole = found.as_animation()
    assert whole.choreography.props == 4
    times = np.linspace(3.2, found.parts[-1].ends, 50)
    assert np.median(np.abs(whole.sample(times).hands - found.sample(times).hands)) < 1e-3
    ends = whole.motion.sample(np.array([0.0, whole.duration]), 1).hands
    assert np.abs(ends[1] - ends[0]).max() < 1e-6


@pytest.mark.parametrize("after", ["3;throws=albert,-", "3;throws=backcross"])
def test_no_hand_hurries_around_its_body_into_a_pattern_that_is_chosen_while_another_one_plays(
    after: str,
) -> None:
    pattern = animate(after)
    routine = Routine.of(animate("3")).changed(2.0, pattern)
    fastest = [
        np.linalg.norm(np.diff(each.sample(times).hands, axis=0), axis=-1).max()
        for each, times in (
            (pattern, np.arange(0.0, pattern.duration, 0.01)),
            (routine, np.arange(1.0, 9.0, 0.01)),
        )
    ]
    assert fastest[1] < 1.1 * fastest[0]


def whole_height(sample, lasts: float) -> tuple[float, float, float]:
    """The highest place of a prop, the lowest of a hand, [m], and the highest speed of a hand,
    [m/s].
    """
    frames = sample(np.arange(0.0, lasts, 1 / 100))
    speed = np.linalg.norm(np.diff(frames.hands, axis=0), axis=-1).max() * 100
    return float(frames.props[..., 1].max()), float(frames.hands[..., 1].min()), float(speed)


@pytest.mark.parametrize(
    ("before", "after"), [("3", "97531"), ("3", "51"), ("2", "97531"), ("40", "7"), ("3", "b97531")]
)
def test_a_quicker_pattern_begins_in_its_own_tempo_and_throws_no_higher_than_alone(before, after):
    found = Routine.of(animate(before)).changed(1.0, animate(after))
    patterns = [animate(text) for text in (before, after)]
    alone = [whole_height(each.sample, each.duration) for each in patterns]
    high, low, quick = whole_height(found.sample, 9.0)
    assert high < 1.0 + 1.1 * (max(each[0] for each in alone) - 1.0)
    assert low > 0.7
    assert quick < 1.25 * max(each[2] for each in alone)


def test_a_new_prop_lies_where_it_will_be_picked_up_together_with_one_that_was_put_down():
    """Which of both a hand picks up first must not change which of them flies before."""
    found = Routine.of(animate("[43]"))
    for time, pattern in ((2.08, "441"), (2.9, "([44],[44])")):
        found = found.changed(time, animate(pattern))
    old, new = found.sample(np.linspace(2.95, 4.0, 100)).props[:, [0, 7]].swapaxes(0, 1)
    assert np.ptp(new, axis=0).max() < 0.05
    assert np.ptp(old, axis=0).max() > 0.5


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("3", "<3p|3p>", "1 and 2 jugglers"),
        ("<3p|3p>", "3", "2 and 1 jugglers"),
        ("3", "pattern=3;prop=club", "different kinds"),
        ("pattern=3;prop=ring", "pattern=3;prop=club", "different kinds"),
    ],
)
def test_a_cut_says_what_keeps_throws_from_leading_over(before, after, why):
    part = routine(before, after).parts[-1]
    assert why in part.reason
    assert part.begins == part.start


def test_no_throws_lead_to_events_with_their_own_times_or_from_them(tmp_path):
    path = tmp_path / "events.jml"
    path.write_text(write_patterns(with_events(open_patterns("3"))[0], JML).text)
    events = animate(str(path))
    assert events.score.pattern is None
    for before, after in ((animate("3"), events), (events, animate("3")), (events, events)):
        assert "timed events" in Routine.of(before).changed(2.0, after).parts[-1].reason


def test_what_comes_next_is_joined_to_the_last_pattern_whatever_was_before():
    parts = routine("3", "<3p|3p>", "<4p|4p>", "pattern=3;prop=club", "pattern=5;prop=club").parts
    assert [bool(part.reason) for part in parts[1:]] == [True, False, True, False]
