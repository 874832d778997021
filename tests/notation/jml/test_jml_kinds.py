import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from jml_performances import jml, read_one

from juggle_anim.choreography import EventKind
from juggle_anim.notation.jml.conversion import covered

THROW = '<event x="20" t="0.1" hand="right"><throw path="1"/></event>'
CATCH = '<event x="30" t="0.6" hand="right"><catch path="1"/></event>'


def test_what_a_hand_does_follows_from_what_it_holds() -> None:
    moves = [
        f'<event x="0" t="{time}" hand="{hand}"/>'
        for time, hand in ((0.05, "right"), (0.3, "right"), (0.7, "left"))
    ]
    shown = read_one(jml(THROW, CATCH, *moves))
    kinds = dict(zip(shown.events.time.tolist(), shown.events.kind.tolist(), strict=True))
    # From 0.6 the right hand carries the prop, over the end of the loop until 0.1.
    assert kinds == {
        0.05: EventKind.HOLD,
        0.1: EventKind.THROW,
        0.3: EventKind.MOVE,
        0.6: EventKind.CATCH,
        0.7: EventKind.MOVE,
    }


def test_an_event_that_throws_and_catches_throws() -> None:
    both = '<event x="0" t="0" hand="left"><catch path="1"/><throw path="2"/></event>'
    other = '<event x="0" t="0.5" hand="left"><catch path="2"/><throw path="1"/></event>'
    assert (
        read_one(jml(both, other, setup='<setup paths="2"/>')).events.kind.tolist()
        == [EventKind.THROW] * 2
    )


SPANS = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 20)), max_size=5)


@given(st.lists(st.integers(0, 15), max_size=16).map(sorted), SPANS)
def test_a_time_is_covered_by_the_spans_that_hold_it_in_any_loop(
    times: list[int], spans: list[tuple[int, int]]
) -> None:
    expected = [any((time - start) % 16 < length for start, length in spans) for time in times]
    starts, lengths = (np.array([span[part] for span in spans], dtype=float) for part in (0, 1))
    assert covered(np.array(times, dtype=float), starts, lengths, 16.0).tolist() == expected
