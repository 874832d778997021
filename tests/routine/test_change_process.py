"""Changes of a routine that another process prepares."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from held_memory import held_memory
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.errors import JuggleError
from juggle_anim.routine import Routine, change_process
from juggle_anim.routine.bridge import Bridge
from juggle_anim.routine.change_process import ChangeProcess, prepared_change

CHANGES = [(1.0, "51"), (1.2, "[34]1"), (20.0, "(2x,4)*")]
"""When, [s], and what: throws in turn, of several props, and at the same time. One comes while the
one before is going on; props come and go.
"""


@pytest.fixture(scope="module")
def process() -> Iterator[ChangeProcess]:
    found = ChangeProcess()
    assert found.wait()
    yield found
    found.close()


@pytest.mark.parametrize(
    "changes", [CHANGES[:2], pytest.param(CHANGES, marks=pytest.mark.long)], ids=len
)
def test_a_change_is_the_same_from_the_process_as_from_here(
    process: ChangeProcess, changes: list[tuple[float, str]]
) -> None:
    here = there = Routine.of(ja.animate("3"))
    for start, text in changes:
        before, pattern = there, ja.animate(text)
        here = prepared_change(here, start, ja.animate(text))
        changed = process.change(there, start, pattern)
        assert changed is not None
        there = changed
        times = start + np.linspace(-1.0, 3.0, 11)
        assert np.array_equal(there.sample(times).props, here.sample(times).props)
        assert np.array_equal(there.pose(times).joints, here.pose(times).joints)
        assert (there.title, there.looks, str(there.rests)) == (
            here.title,
            here.looks,
            str(here.rests),
        )
        # What was there before is shared, and the animation is the one that was given.
        assert there.parts[-1].animation is pattern
        assert set(there.spans[:-2]) <= set(before.spans)
        assert there.spans[-2].before in before.spans
        assert there.span_animation(-1).score is pattern.score


def test_changes_may_follow_each_other_before_they_are_through(
    process: ChangeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_process, "_SECONDS_SENT", 4.0)
    routine = Routine.of(ja.animate("3"))
    for start in range(1, 5):
        changed = process.change(routine, float(start), ja.animate("51" if start % 2 else "3"))
        assert changed is not None
        routine = changed
    assert sum(isinstance(span.line, Bridge) for span in routine.spans) == 4


@pytest.mark.long
def test_two_routines_are_changed_in_turn(process: ChangeProcess) -> None:
    routines = [Routine.of(ja.animate(text)) for text in ("3", "<3p|3p>")]
    for start, texts in enumerate((("51", "<3p 3|3p 3>"), ("441", "<3p|3p>")), 1):
        for number, text in enumerate(texts):
            changed = process.change(routines[number], float(start), ja.animate(text))
            assert changed is not None
            routines[number] = changed
    assert [each.title for each in routines] == ["3 → 51 → 441", "<3p|3p> → <3p 3|3p 3> → <3p|3p>"]


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere nothing tells what another program holds"
)
@pytest.mark.long
def test_what_a_change_needs_for_a_moment_is_given_back(process: ChangeProcess) -> None:
    assert process._process
    routine, time_asked = Routine.of(ja.animate("3")), 1.0
    held = []
    for text in ("51", "3", "b97531", "3", "51"):
        changed = process.change(routine, time_asked, ja.animate(text))
        assert changed is not None
        routine = changed
        time_asked = routine.parts[-1].ends + 15.0
        wait_until(lambda: held_memory(process._process.pid) < 45.0)
        held.append(held_memory(process._process.pid))
    assert max(held) - held[0] < 15.0


def wait_until(settled: Callable[[], bool]) -> None:
    """Wait for what a process does after its answer; at most ten seconds."""
    for _round in range(200):
        if settled():
            return
        time.sleep(0.05)


def test_a_change_without_a_transition_says_why(process: ChangeProcess) -> None:
    changed = process.change(Routine.of(ja.animate("3")), 1.0, ja.animate("<3p|3p>"))
    assert changed is not None
    assert changed.parts[-1].reason == "1 and 2 jugglers"


def test_an_impossible_pattern_is_an_error_and_the_process_goes_on(process: ChangeProcess) -> None:
    before = Routine.of(ja.animate("3"))
    with pytest.raises(JuggleError, match="cannot bounce between these hands"):
        process.change(before, 1.0, ja.animate("pattern=3B;bps=8;hands=(20,-150)(20,-150)."))
    assert process.change(before, 1.0, ja.animate("51")) is not None


def test_what_depends_on_long_ago_is_left_to_the_caller(
    process: ChangeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    routine = Routine.of(ja.animate("3"))
    for start in (1.0, 1.3, 1.6):
        routine = prepared_change(routine, start, ja.animate("51"))
    monkeypatch.setattr(change_process, "_SECONDS_SENT", 0.0)
    assert process.change(routine, 1.9, ja.animate("3")) is None
    monkeypatch.undo()
    assert process.change(routine, 1.9, ja.animate("3")) is not None


def test_a_closed_process_is_gone_and_leaves_changes_to_the_caller() -> None:
    process = ChangeProcess()
    assert (
        process.change(Routine.of(ja.animate("3")), 1.0, ja.animate("51")) is None
    )  # it was not started
    assert process.wait()
    process.close()
    assert process.change(Routine.of(ja.animate("3")), 1.0, ja.animate("51")) is None


def test_the_process_ends_with_the_program_that_has_started_it() -> None:
    program = (
        "import os; from juggle_anim.routine.change_process import ChangeProcess as C; c = C(); "
        "assert c.wait(); "
        "print(c._process.pid, flush=True); os._exit(1)"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    ).stdout
    for _ in range(200):
        if not is_running(int(told)):
            break
        time.sleep(0.05)
    assert not is_running(int(told))


def is_running(process: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("text", sampled(["0", "<3|3>"], "<3|3>"))
def test_any_pattern_may_follow_one_without_props(process: ChangeProcess, text: str) -> None:
    routine = Routine.of(ja.animate("<0|0>" if text.startswith("<") else "0"))
    changed = process.change(routine, 0.7, ja.animate(text))
    assert changed is not None
    assert changed.sample(np.array([5.0])).props.shape[1] == ja.animate(text).score.props
