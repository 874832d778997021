"""Events written to JML and read again are shown as they were, by an instruction that other
programs skip.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jml_performances import choreographies, jml, read_one, score_of, write_one
from long_cases import sampled
from shared_plans import plan_without_arms
from work import ONE_SECOND, at_most

from juggle_anim import animate
from juggle_anim.animation import Animation, animated
from juggle_anim.body import pose
from juggle_anim.choreography import Choreography, Score
from juggle_anim.notation import Entry, PatternList, Settings, open_patterns
from juggle_anim.notation.jml import read_jml, write_jml
from juggle_anim.notation.pattern_list import list_of_one
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import Parameters

HELD_LEFT = '<event x="0" t="0" hand="left"><holding path="1"/></event>'

NEAR = 1e-6
"""Much less than the tenth of a millimetre that nobody sees, [m]."""

# One of each kind; with human, throws are numbered as they were, or else they would vary otherwise.
KINDS = [
    "(4,2x)*;human=100",
    "[34]1;human=150;seed=3;colors=mixed",
    "<3p 3 3|3p 3 3|3p 3 3>",
    "786;hss=4;handspec=(1,2)(3,4)",
    "7B5B;bouncefrac=0.8;bps=5;style=natural",
    "b97531;prop=club;spins=2;colors=orbits",
    "744;prop=club;throwspins=1.5,-",
    "441;prop=ring,ball;colors={red}{blue};propdiam=9.5",
    "3;catches=claw,palm|penguin",
    "531;throws=underleg-inside,-,claw;catches=palm,overhead,palm|palm",
    *("3;throws=underleg", "3;throws=albert", "3;throws=trebla,-;prop=club", "531"),
    "423;hands=(10,5,3)(32.5).(20)(-30).;style=natural",
    "Mills mess",
    "<3p 3 3|3p 3 3>;body=(90).|(270,125).",
    "3;body=(0,0,0)..(30,0,50,20).;feet=glide",
    "531;chickenwing=70;leftwing=10;arms=two-link;softness=20;scoop=50;handpath=over;bodymotion=0;headmotion=50",
    "60;human=100;gravity=700",
    "[44]0",
    "1[35]0;human=100",
    "2",
    "531;style=juggling-lab;chickenwing=60",
]

SOME_KINDS = (
    "(4,2x)*;human=100",
    "<3p 3 3|3p 3 3|3p 3 3>",
    "7B5B;bouncefrac=0.8;bps=5;style=natural",
    "744;prop=club;throwspins=1.5,-",
    "3;catches=claw,palm|penguin",
    "423;hands=(10,5,3)(32.5).(20)(-30).;style=natural",
    "3;body=(0,0,0)..(30,0,50,20).;feet=glide",
    "1[35]0;human=100",
)

PLANNED_ANEW = ("<3p 3 3|3p 3 3|3p 3 3>", "423;hands=(10,5,3)(32.5).(20)(-30).;style=natural")


def reopened(animation: Animation) -> Animation:
    """The animation with its events as its score, written to a list and read again."""
    patterns, failed = with_events(list_of_one(animation.score, animation.parameters))
    assert failed == ()
    listed = read_jml(write_jml(replace(patterns, single=False)), "f")
    assert listed.notes == ()
    found = listed.patterns[0].settings
    assert found is not None
    return animated(found)


def assert_shown_alike(one: Animation, other: Animation, own_plans: bool = True) -> None:
    times = np.linspace(0.0, 2.7 * one.duration, 37)
    mine, theirs = one.sample(times), other.sample(times)
    np.testing.assert_allclose(theirs.hands, mine.hands, rtol=0, atol=NEAR)
    np.testing.assert_allclose(theirs.props, mine.props, rtol=0, atol=NEAR)
    events = one.choreography.events
    np.testing.assert_array_equal(other.choreography.events.manners, events.manners)
    # Plans of arms turn what rounding leaves between places into up to a millimetre. They take
    # longest to make, so that bodies at ease may do: what a plan reads has been compared.
    ease = None if own_plans else plan_without_arms(one.motion, one.parameters)
    joints, others = (
        pose(frames, each.motion, each.parameters, ease or each.plan).joints
        for frames, each in ((mine, one), (theirs, other))
    )
    np.testing.assert_allclose(others, joints, rtol=0, atol=2e-3)
    np.testing.assert_array_equal(other.prop_colours, one.prop_colours)
    assert other.choreography.bps == pytest.approx(one.choreography.bps)


@pytest.mark.parametrize("text", sampled(KINDS, *SOME_KINDS))
def test_events_written_and_read_again_are_shown_as_they_were(text: str) -> None:
    animation = animate(text)
    again = reopened(animation)
    assert_shown_alike(animation, again, text in PLANNED_ANEW)
    twice = reopened(again)
    assert twice.parameters == again.parameters
    times = np.linspace(0.0, animation.duration, 23)
    np.testing.assert_allclose(
        twice.sample(times).props, animation.sample(times).props, rtol=0, atol=NEAR
    )


def test_a_variant_of_a_throw_that_is_gone_is_the_throw_itself() -> None:
    before = animate("3;throws=underleg,-;prop=ring")
    patterns, _ = with_events(list_of_one(before.score, before.parameters))
    text = write_jml(patterns)
    assert 'throw="underleg"' in text
    older = read_jml(text.replace('throw="underleg"', 'throw="underleg of rings"'), "f")
    assert older.notes == ()
    found = older.patterns[0].settings
    assert found is not None
    assert_shown_alike(before, animated(found), own_plans=False)


def test_a_change_of_one_number_by_hand_changes_nothing_else() -> None:
    before = animate("(6x,4)*;catches=claw;chickenwing=40;human=50")
    patterns, _ = with_events(list_of_one(before.score, before.parameters))
    text = write_jml(patterns)
    moved = re.sub(r'z="[0-9.]+"', 'z="12.25"', text, count=1)
    found = read_jml(moved, "f").patterns[0].settings
    assert found is not None
    changed = animated(found)
    assert changed.parameters == before.parameters
    rows = (
        np.abs(changed.choreography.events.position - before.choreography.events.position).max(
            axis=1
        )
        > NEAR
    )
    # An event and its image under the symmetry of the pattern.
    assert rows.sum() == 2
    assert changed.choreography.events.grasp is not None
    assert before.choreography.events.grasp is not None
    assert changed.choreography.events.grasp.tolist() == before.choreography.events.grasp.tolist()
    assert_shown_alike(changed, reopened(changed))


def test_parameters_turned_after_events_were_read_are_kept() -> None:
    turned = reopened(animate("531;prop=club;gravity=500")).replace(
        gravity=700.0, right_wing=5.0, people="3", bps=None
    )
    again = reopened(turned)
    assert again.parameters == turned.parameters
    assert_shown_alike(turned, again)
    assert (
        reopened(again.replace(gravity=980.0, right_wing=None, people="varied")).parameters
        == Parameters()
    )


@settings(max_examples=40)
@given(choreographies(), st.sampled_from([0.3, 3.7]), st.booleans())
def test_any_events_are_numbered_as_they_were(
    choreography: Choreography, bps: float, as_juggling_lab: bool
) -> None:
    once = read_one(
        write_one(Score(placed=replace(choreography, as_juggling_lab=as_juggling_lab, bps=bps)))
    )
    assert (once.as_juggling_lab, once.bps) == (as_juggling_lab, bps)
    twice = read_one(write_one(Score(placed=once)))
    assert [orbit.flights for orbit in twice.orbits] == [orbit.flights for orbit in once.orbits]
    assert twice.flights.throw.tolist() == once.flights.throw.tolist()
    assert twice.looks == once.looks


def test_files_of_other_programs_are_read_as_juggling_lab_shows_them_and_get_no_instruction() -> (
    None
):
    placed = read_one(jml(HELD_LEFT))
    assert placed.as_juggling_lab
    assert "<?juggle-anim" not in write_one(Score(placed=placed))
    foreign = jml(HELD_LEFT, '<?other style="natural"?>').replace(
        "<jml", '<?juggle-anim style="natural"?><jml'
    )
    assert read_one(foreign).as_juggling_lab


@pytest.mark.parametrize(
    ("said", "note"),
    [
        (
            'style="naturl"',
            "style in <?juggle-anim?>, 'naturl', is ignored: there is natural, juggling-lab",
        ),
        (
            'stile="natural"',
            "stile in <?juggle-anim?>, 'natural', is ignored: did you mean style?",
        ),
        (
            "style=natural",
            "'style=natural' in <?juggle-anim?> is ignored: it is not key=\"value\"",
        ),
        (
            'style="juggling-lab" style="natural"',
            '\'style="natural"\' in <?juggle-anim?> is ignored: it is not key="value"',
        ),
        (
            'settings="spin=2"',
            ("settings in <?juggle-anim?>, 'spin=2', is ignored: there is no setting 'spin'; did"),
        ),
        (
            'settings="spins=x"',
            "settings in <?juggle-anim?>, 'spins=x', is ignored: spins is 'x', which is",
        ),
        ('settings="bps=0"', "settings in <?juggle-anim?>, 'bps=0', is ignored: bps is 0"),
        (
            'settings="3"',
            "settings in <?juggle-anim?>, '3', is ignored: a value has no key",
        ),
        (
            'throws="0 x"',
            "throws in <?juggle-anim?>, '0 x', is ignored: there is a number for each throw",
        ),
        (
            'first="-1"',
            (
                "first in <?juggle-anim?>, '-1', is ignored: there is the number of a throw for each orbit"
            ),
        ),
    ],
)
def test_what_cannot_be_read_is_left_out_and_said(said: str, note: str) -> None:
    listed = read_jml(jml(HELD_LEFT, f"<?juggle-anim {said}?>"), "f")
    ((line, text),) = listed.notes
    assert line == 6
    assert text.startswith(note)
    found = listed.patterns[0].settings
    assert found is not None
    assert found.parameters == {}
    assert found.score.placed is not None
    assert found.score.placed.as_juggling_lab


def test_a_penguin_that_a_file_calls_a_grasp_is_one() -> None:
    patterns, _ = with_events(list_of_one(animate("3", catches="penguin").score, Parameters()))
    written = write_jml(replace(patterns, single=False))
    assert 'catch="penguin"' in written
    listed = read_jml(written.replace('catch="penguin"', 'grasp="penguin"'), "f")
    assert listed.notes == ()
    found, wanted = (each.patterns[0].settings for each in (listed, read_jml(written, "f")))
    assert found is not None
    assert wanted is not None
    assert found.score.placed is not None
    assert wanted.score.placed is not None
    assert (found.score.placed.events.manners == wanted.score.placed.events.manners).all()


@pytest.mark.parametrize(
    "said",
    [
        "a" * 1_000_000,
        'x="' * 300_000,
        'a=""' * 200_000,
        f'throws="{"1 " * 400_000}"',
        "a" + " " * 10**6,
    ],
)
def test_long_instructions_are_soon_left_out(said: str) -> None:
    with at_most(ONE_SECOND):
        listed = read_jml(
            jml(HELD_LEFT, f"<?juggle-anim {said}?>", *["<?juggle-anim x?>"] * 500), "f"
        )
    assert len(listed.notes) == 100


def test_numbers_that_do_not_fit_the_throws_change_nothing() -> None:
    patterns, _ = with_events(open_patterns("1[35]0"))
    text = write_jml(patterns)
    right = score_of(text)
    numbers = re.search(r'throws="[^"]*" first="[^"]*"', text)
    assert numbers
    for said in (
        'throws="5"',
        'throws="9 9 9 9" first="7 7"',
        'first="99999"',
        'throws="" first=""',
    ):
        wrong = score_of(text.replace(numbers[0], said))
        assert right.placed
        assert wrong.placed
        assert wrong.placed.events.time.tolist() == right.placed.events.time.tolist()
        assert [len(orbit.flights) for orbit in wrong.placed.orbits] == [2, 2, 2]
        Animation(wrong).sample(np.linspace(0.0, 1.0, 9))


def test_an_event_of_a_hand_at_work_is_never_idle() -> None:
    patterns, _ = with_events(open_patterns("3"))
    text = write_jml(patterns)
    marked = re.sub(r"(<event [^/>]*>)", r'\1<?juggle-anim idle="true" grasp="claw"?>', text)
    before, after = read_one(text), read_one(marked)
    assert after.events.time.tolist() == before.events.time.tolist()
    assert after.events.grasp is not None
    assert set(after.events.grasp.tolist()) == {1}


def test_settings_say_all_that_events_are_shown_with() -> None:
    score = replace(score_of(jml(HELD_LEFT)), base=("siteswap", "pattern=3;chickenwing=70"))
    entry = Entry("x", Settings(score, {"spins": 2.0, "dwell": 1.0, "volume": None}))
    text = write_jml(PatternList((entry,), single=True))
    assert '<?juggle-anim style="juggling-lab" settings="spins=2"?>' in text
    found = read_jml(text, "f").patterns[0].settings
    assert found is not None
    assert found.parameters == {"spins": 2.0}
