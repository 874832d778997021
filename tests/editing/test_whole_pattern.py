"""Operations on whole patterns."""

from __future__ import annotations

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.animation import Animation
from juggle_anim.errors import EditError

PATTERNS = [
    "531",
    "(6x,4)*",
    "[54]24",
    "<3p 3|3p 3>",
    "<3p [34]2|3p 3 3>",
    "726 for 2",
    "5B31",
    "Mills mess",
    "pattern=441;catches=palm,claw,penguin;body=(0).(90)(20).(180).",
    "pattern=(6x,4)*;hands=(10)c(20)(3).(30)(20).",
]


@pytest.mark.parametrize(
    ("text", "beat", "expected"),
    [
        ("531", 0, "3531"),
        ("531", 1, "6231"),
        ("97531", 10, "975315"),
        ("(6x,4)*", 0, "(6,4)(6x,4)*"),
        ("[54]24", 1, "[54]524"),
        ("<3p 3|3p 3>", 1, "<3p 3 3|3p 3 3>"),
        ("726 for 2", 3, "8273"),
    ],
)
def test_an_inserted_beat_keeps_the_number_of_props_and_is_taken_back(
    text: str, beat: int, expected: str
) -> None:
    animation = ja.animate(text)
    edited = animation.edit().insert_beat(beat)
    assert edited.pattern is not None
    assert edited.pattern.text == expected
    assert edited.score.props == animation.score.props
    assert animation.pattern is not None
    back = edited.edit().delete_beat(min(beat, animation.pattern.written_period))
    assert back.pattern is not None
    assert (back.pattern.throws, back.pattern.period) == (
        animation.pattern.throws,
        animation.pattern.period,
    )


def test_paths_of_hands_and_bodies_stay_with_their_throws_when_beats_come_and_go() -> None:
    mess = ja.animate("pattern=3;hands=(-25)(2.5).(25)(-2.5).(-25)(0).;style=natural")
    longer = mess.edit().insert_beat(1)
    assert longer.settings == "pattern=3;hands=(-25)(2.5)..(25)(-2.5).(-25)(0).;style=natural"
    assert longer.edit().delete_beat(1).score.staging == mess.score.staging
    turned = ja.animate("pattern=3;body=(0).(90).(180).").edit().delete_beat(1)
    assert turned.settings == "pattern=3;body=(0).(180)."


def test_the_only_beat_is_not_deleted() -> None:
    with pytest.raises(EditError, match="only beat"):
        ja.animate("3").edit().delete_beat(0)
    with pytest.raises(EditError, match="no beat 7"):
        ja.animate("531").edit().insert_beat(7)


@pytest.mark.parametrize("text", PATTERNS)
def test_a_mirror_shows_the_same_motion_on_the_other_side(text: str) -> None:
    animation = ja.animate(text)
    mirrored = animation.edit().mirror()
    times = np.linspace(0.0, animation.duration, 23)
    before, after = animation.sample(times), mirrored.sample(times)
    np.testing.assert_allclose(after.hands[..., ::-1, :], before.hands * (-1, 1, 1), atol=1e-5)
    there, here = (np.sort(each.props.reshape(len(times), -1), axis=1) for each in (before, after))
    assert here.shape == there.shape
    assert _same(mirrored.edit().mirror(), animation, places=False)


@pytest.mark.parametrize("text", PATTERNS)
@pytest.mark.parametrize("operation", ["swap_hands", "reverse"])
def test_what_is_done_twice_is_as_before(text: str, operation: str) -> None:
    animation = ja.animate(text)
    once = getattr(animation.edit(), operation)()
    assert once.score.props == animation.score.props
    assert _same(getattr(once.edit(), operation)(), animation)


def _same(one: Animation, other: Animation, *, places: bool = True) -> bool:
    """Whether throws, and what is said of hands and catches, are the same; whether of bodies
    too.
    """
    assert one.pattern is not None
    assert other.pattern is not None
    staging = [each.score.staging for each in (one, other)]
    moves = [each.body and each.body.beats for each in staging]
    return (
        (one.pattern.throws, one.pattern.period) == (other.pattern.throws, other.pattern.period)
        and next(each.hands and each.hands.beats for each in staging)
        == (staging[1].hands and staging[1].hands.beats)
        and staging[0].catches == staging[1].catches
        and (not places or moves[0] == moves[1])
    )


@pytest.mark.parametrize(
    ("words", "backward"),
    [
        ("catches=claw", "catches=claw"),
        ("catches=claw;throws=palm", "throws=claw"),
        ("catches=behind;throws=claw", "catches=claw;throws=backcross"),
        # No throw is the reverse of a catch at the neck, so the usual one takes its place.
        ("catches=neck;throws=claw", "catches=claw;throws=palm"),
        ("catches=neck", ""),
    ],
)
def test_catches_and_throws_exchange_roles_in_reversed_time(words: str, backward: str) -> None:
    animation = ja.animate(f"pattern=3;{words}").edit().reverse()
    assert animation.settings == ja.animate(f"pattern=3;{backward}").settings


def test_time_runs_backward() -> None:
    animation = ja.animate("pattern=534;hands=(10)(32).(25)(12)(5).(0)(10)c(20)(0).;dwell=1")
    back = animation.edit().reverse()
    first, then = animation.choreography, back.choreography
    # Throws and catches change places, so beats are early by the dwell, which is the same for all
    # of these.
    late = 1.0 / first.bps
    for there, here in (
        (first.flights.throw, then.flights.catch),
        (first.flights.catch, then.flights.throw),
    ):
        times = np.sort((late - first.events.time[there]) % first.duration)
        np.testing.assert_allclose(
            np.sort(then.events.time[here] % then.duration), times, atol=1e-9
        )
        places = [
            np.sort(each.events.position[at], axis=0) for each, at in ((first, there), (then, here))
        ]
        np.testing.assert_allclose(*places, atol=1e-6)


@pytest.mark.parametrize(
    ("operation", "text", "expected"),
    [
        ("inverse", "[54]24", "54[42]"),
        ("inverse", "(8,2x)(2x,4)(0,2x)(2x,4)", "(8,2x)(2x,4)(0,2x)(2x,4)"),
        ("dual", "531", "420"),
        ("dual", "726 for 2", "501"),
        ("reverse", "531", "153"),
        ("reverse", "5BF31", "15B3"),
        ("swap_hands", "531", "L531"),
        ("swap_hands", "(6x,4)*", "(4,6x)*"),
    ],
)
def test_related_patterns_have_the_names_that_facts_give(
    operation: str, text: str, expected: str
) -> None:
    edited = getattr(ja.animate(text).edit(), operation)()
    assert edited.pattern.text == expected


def test_the_loop_begins_later() -> None:
    assert ja.animate("531").edit().rotate(1).text == "315"
    assert ja.animate("531").edit().rotate(-1).text == "153"
    assert ja.animate("(6x,4)*").edit().rotate(2).text == "(4,6x)*"
    turned = (
        ja.animate("pattern=441;hands=(10)(20).(30)(20).(5)(6).;body=(0).(90).(180).")
        .edit()
        .rotate(1)
    )
    assert turned.settings == "pattern=414;hands=(30)(20).(5)(6).(10)(20).;body=(90).(180).(0)."
    with pytest.raises(EditError, match="even number"):
        ja.animate("(4,4)").edit().rotate(1)


@pytest.mark.parametrize(
    "text", ["3", "531", "(6x,4)*", "<3p 3|3p 3>", "4p 2 3", "726 for 2", "L51"]
)
def test_one_repeat_of_a_repeated_pattern_changes_by_itself(text: str) -> None:
    animation = ja.animate(text)
    repeated = animation.edit().repeat(3)
    assert animation.pattern is not None
    assert repeated.pattern is not None
    assert repeated.pattern.written_period % (3 * animation.pattern.written_period) == 0
    longer = repeated.edit().add_period(0)
    assert longer.score.props == animation.score.props + 1


def test_props_change_by_orbit_by_themselves_and_all_at_once() -> None:
    edit = ja.animate("531").edit()
    assert edit.set_props("club").settings == "pattern=531;prop=club"
    assert (
        edit.set_props(colour="red", orbit=0).settings
        == "pattern=531;colors={#ff0000}{default}{default}"
    )
    red = edit.set_props("ring", "red", prop=1)
    assert [(look.kind, look.colour) for look in red.choreography.looks] == [
        ("ball", None),
        ("ring", (1.0, 0.0, 0.0)),
        ("ball", None),
    ]
    assert ja.animate(red.settings).choreography.looks == red.choreography.looks
    with pytest.raises(EditError, match="club"):
        edit.set_props("clubb")
    with pytest.raises(EditError, match="no orbit 3"):
        edit.set_props("club", orbit=3)


EVENTS = [
    "531",
    "(6x,4)*",
    "[54]24",
    "<3p 3|3p 3>",
    "pattern=5BF31;colors=orbits",
    "pattern=[54]24;colors=mixed;catches=claw",
]


@pytest.mark.parametrize("text", EVENTS)
def test_events_are_mirrored_with_the_settings_that_they_come_from(text: str) -> None:
    animation = ja.animate(text).edit().to_events()
    mirrored = animation.edit().mirror()
    times = np.linspace(0.0, animation.duration, 23)
    before, after = animation.sample(times), mirrored.sample(times)
    np.testing.assert_allclose(after.hands[..., ::-1, :], before.hands * (-1, 1, 1), atol=1e-9)
    np.testing.assert_allclose(after.props, before.props * (-1, 1, 1), atol=1e-9)
    assert mirrored.edit().losses() == ()
    assert mirrored.edit().back_to_settings().pattern == ja.animate(text).edit().mirror().pattern


@pytest.mark.parametrize("text", EVENTS)
def test_events_run_exactly_backward(text: str) -> None:
    animation = ja.animate(text).edit().to_events()
    back = animation.edit().reverse()
    first, then = animation.choreography, back.choreography
    for there, here in (
        (first.flights.throw, then.flights.catch),
        (first.flights.catch, then.flights.throw),
    ):
        times = np.sort(-first.events.time[there] % first.duration)
        np.testing.assert_allclose(np.sort(then.events.time[here]), times, atol=1e-12)
    # Props fly back along their ways, but those that lose energy on the floor or share a hand.
    if "B" not in text and "[" not in text:
        times = np.linspace(0.0123, animation.duration - 0.0071, 41)
        before, after = animation.sample(-times), back.sample(times)
        for row in range(len(times)):
            flown = [each.props[row][each.holders[row] < 0] for each in (before, after)]
            np.testing.assert_allclose(
                *(each[np.lexsort(np.round(each.T, 4))] for each in flown), atol=1e-6
            )
    again = back.edit().reverse().choreography
    np.testing.assert_allclose(again.events.time, first.events.time, atol=1e-12)
    assert again.looks == first.looks


def test_events_begin_later_and_are_repeated() -> None:
    animation = ja.animate("pattern=531;colors=mixed").edit().to_events()
    later = animation.edit().rotate(1)
    times = np.linspace(0.0, animation.duration, 23)
    shifted = animation.sample(times + 1 / animation.choreography.bps)
    np.testing.assert_allclose(later.sample(times).hands, shifted.hands, atol=1e-9)
    np.testing.assert_allclose(later.sample(times).props, shifted.props, atol=1e-9)
    assert later.score.base == ("siteswap", "pattern=L315;colors={#00ff00}{#0000ff}{#ff0000}")
    assert later.edit().losses() == ()
    twice = animation.edit().repeat(2)
    assert twice.duration == pytest.approx(2 * animation.duration)
    np.testing.assert_allclose(twice.sample(times).props, animation.sample(times).props, atol=1e-9)


def test_an_inverse_or_a_beat_more_of_events_is_refused() -> None:
    edit = ja.animate("531").edit().to_events().edit()
    for refused in (
        edit.inverse,
        edit.dual,
        lambda: edit.insert_beat(0),
        lambda: edit.add_period(0),
    ):
        with pytest.raises(EditError, match="no beats"):
            refused()


@pytest.mark.parametrize(
    ("operation", "arguments", "settings"),
    [
        ("rotate", (1,), "pattern=315;colors={#00ff00}{#0000ff}{#ff0000}"),
        ("insert_beat", (0,), "pattern=3531;colors={#0000ff}{#ff0000}{#00ff00}"),
        ("delete_beat", (1,), "pattern=51;colors={#ff0000}{#0000ff}{#00ff00}"),
        ("swap_landings", (0, 1), "pattern=441;colors={red}{green}{blue}"),
        ("mirror", (), "pattern=L531;colors={red}{green}{blue}"),
    ],
)
def test_props_keep_their_colours(
    operation: str, arguments: tuple[int, ...], settings: str
) -> None:
    animation = ja.animate("pattern=531;colors={red}{green}{blue}")
    assert getattr(animation.edit(), operation)(*arguments).settings == settings


@pytest.mark.parametrize("text", ["0", "(0,0)", "<0|0>"])
@pytest.mark.parametrize("look", [{"colour": "red"}, {"colour": "default"}, {"kind": "club"}])
def test_props_of_a_pattern_without_any_may_get_a_look(text: str, look: dict[str, str]) -> None:
    changed = ja.animate(text).edit().set_props(**look)
    assert changed.prop_colours.shape == (0, 3)
