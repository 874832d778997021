import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow

from juggle_anim.animation import Animation
from juggle_anim.viewer.session.session import Autosave, WorkFolder
from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

EDITS = keys_for(
    Action.TURN_DOWN, Action.TURN_UP, Action.TURN_DOWN_FINE, Action.TURN_UP_FINE, Action.UNDO
)
LOST_AT_MOST = 2.0  # s
UNEDITED: list[float] = []


def begin_to_edit(window: DrivenWindow) -> None:
    window.keys(*keys_for(Action.EDIT, Action.HANDLE_AFTER))
    window.wait(lambda state: state["handles"])


def kill(window: DrivenWindow) -> None:
    window.process.kill()
    window.process.wait()


def times_in(folder: WorkFolder) -> list[float]:
    """The times of all events that are kept in a folder, [s]."""
    (work,), _ = folder.read()
    return Animation(work.score, work.parameters).choreography.events.time.tolist()


def are_same(one: list[float], other: list[float]) -> bool:
    return len(one) == len(other) and np.allclose(one, other, rtol=0.0, atol=1e-4)


def test_edits_of_a_window_that_was_killed_are_offered_by_the_next_and_taken_by_no_other(
    new_window: Opener, tmp_path: Path
) -> None:
    memory, recovery = tmp_path / "viewer.json", tmp_path / "recovery"
    window = new_window(memory)
    begin_to_edit(window)
    window.keys(*keys_for(Action.TURN_UP, Action.TURN_UP, Action.TURN_UP_FINE))
    edited = window.wait(lambda state: state["desk"]["edited"])["events"]
    window.wait(
        lambda _: any(
            are_same(times_in(WorkFolder(path, None)), edited) for path in recovery.glob("*/")
        )
    )
    assert not Autosave(recovery).abandoned()
    kill(window)
    window = new_window(memory)
    window.wait(lambda state: "Recover unsaved" in state["desk"]["question"])
    assert not Autosave(recovery).abandoned()
    window.keys("o")
    window.wait(lambda state: state["desk"]["edited"] and not state["desk"]["question"])
    # The present pattern goes on until the recovered one is prepared.
    window.wait(lambda state: are_same(state["events"], edited))


def edit_and_kill(window: DrivenWindow, rng: Random) -> list[list[float]]:
    """Edit by keys for some seconds, and kill the program at a random moment.

    Returns:
        The times of all events, [s], after the last edit that may not be lost, and after each one
        since; `UNEDITED` where all was undone.
    """
    begin_to_edit(window)
    done: list[tuple[float, list[float]]] = []
    seconds = rng.uniform(LOST_AT_MOST, 2.5 * LOST_AT_MOST)
    while not done or time.monotonic() < done[0][0] + seconds:
        window.keys(rng.choice(EDITS))
        state = window.state()
        done.append((time.monotonic(), state["events"] if state["desk"]["edited"] else UNEDITED))
        time.sleep(rng.uniform(0.05, 0.4))
    killed = time.monotonic()
    kill(window)
    first = max(sum(when < killed - LOST_AT_MOST for when, _ in done) - 1, 0)
    return [events for _, events in done[first:]]


@pytest.mark.long
def test_a_window_that_is_killed_loses_nothing_that_was_edited_two_seconds_before(
    new_window: Opener, tmp_path: Path
) -> None:
    rng, memory = Random(20), tmp_path / "viewer.json"
    for number in range(20):
        lately = edit_and_kill(new_window(memory), rng)
        folders = Autosave(tmp_path / "recovery").abandoned()
        found = times_in(folders[0]) if folders else UNEDITED
        same = [are_same(found, times) for times in lately]
        print(
            f"kill {number + 1}: of {len(same) - 1} edits in the last two seconds "
            f"{same[::-1].index(True)} were lost"
        )
        for folder in folders:
            folder.remove()
