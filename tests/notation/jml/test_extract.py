from jml_performances import extracted, jml, score_of

from juggle_anim.notation.jml.conversion import from_choreography
from juggle_anim.notation.jml.document import JmlPattern, TransitionKind


def doings(pattern: JmlPattern) -> list[tuple[int, TransitionKind, int]]:
    return [
        (event.hand, transition.kind, transition.path)
        for event in pattern.events
        for transition in event.transitions
    ]


def test_every_event_of_the_loop_is_listed_and_the_loop_is_the_only_symmetry() -> None:
    pattern = extracted("pattern=3;bps=2")
    assert (pattern.delay, pattern.paths, pattern.symmetries) == (1.0, (1, 2, 0), ())
    assert sorted(event.hand for event in pattern.events) == [0, 0, 1, 1]


def test_a_hand_without_events_is_said_to_rest() -> None:
    pattern = extracted("pattern=40;bps=2")
    (idle,) = (event for event in pattern.events if event.side == 0)
    assert (idle.time, idle.place, idle.transitions) == (0.0, (-25.0, 0.0, 0.0), ())


def test_a_prop_that_is_never_thrown_is_held() -> None:
    assert [
        row for row in doings(extracted("pattern=42;bps=2")) if row[1] is TransitionKind.HOLDING
    ] == [(0, TransitionKind.HOLDING, 2)]


def test_a_hand_that_passes_a_place_with_props_holds_them_there() -> None:
    hold = '<event x="0" t="0.7" hand="left"><holding path="1"/></event>'
    throw, catch = (
        f'<event x="0" t="{time}" hand="left"><{doing} path="1"/></event>'
        for time, doing in ((0, "throw"), (0.5, "catch"))
    )
    assert (0, TransitionKind.HOLDING, 0) in doings(
        from_choreography(score_of(jml(throw, catch, hold)))
    )
    assert (0, TransitionKind.HOLDING, 0) not in doings(
        from_choreography(score_of(jml(throw, catch)))
    )
