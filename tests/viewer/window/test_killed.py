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
from juggle_anim.viewer.session.recovery import Autosave
from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")

EDITS = keys_for(Action.TURN_DOWN, Action.TURN_UP, Action.TURN_DOWN_FINE, Action.TURN_UP_FINE, Action.UNDO)
LOST_AT_MOST = 2.0  # s
UNEDITED: list[float] = []


def edit_and_kill(window: DrivenWindow, rng: Random) -> list[list[float]]:
    """Edit by keys for some seconds, and kill the program at a random moment.

    Returns:
        The times of all events, [s], after the last edit that may not be lost, and after each one since; `UNEDITED`
        where all was undone.
    """
    window.keys(*keys_for(Action.EDIT, Action.HANDLE_AFTER))
    window.wait(lambda state: state["handles"])
    done: list[tuple[float, list[float]]] = []
    end = time.monotonic() + rng.uniform(2.2, 5.0)
    while time.monotonic() < end:
        window.keys(rng.choice(EDITS))
        state = window.state()
        done.append((time.monotonic(), state["events"] if state["desk"]["edited"] else UNEDITED))
        time.sleep(rng.uniform(0.05, 0.4))
    killed = time.monotonic()
    window.process.kill()
    window.process.wait()
    first = sum(when < killed - LOST_AT_MOST for when, _ in done) - 1
    assert first >= 0
    return [events for _, events in done[first:]]


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
def test_a_window_that_is_killed_loses_nothing_that_was_edited_two_seconds_before(
    new_window: Opener, tmp_path: Path, kills: int
) -> None:
    rng, memory, recovery = Random(kills), tmp_path / "viewer.json", tmp_path / "recovery"
    for number in range(kills):
        lately = edit_and_kill(new_window(memory), rng)
        folders = Autosave(recovery).abandoned()
        if not folders:
            assert UNEDITED in lately, "all was undone"
            continue
        (folder,) = folders
        (work,), _ = folder.read()
        found = Animation(work.score, work.parameters).choreography.events.time
        errors = [np.abs(found - times).max() if times else np.inf for times in lately]
        print(f"kill {number + 1}: found what was there {len(errors) - 1 - int(np.argmin(errors))} edits before")
        assert min(errors) < 1e-4
        (folder.release if kills == 1 else folder.remove)()
    if kills == 1:
        window = new_window(memory)
        window.wait(lambda state: "which was not saved?" in state["desk"]["question"])
        assert not Autosave(recovery).abandoned()  # another window does not take it
        window.keys("o")
        state = window.wait(lambda state: state["desk"]["edited"] and not state["desk"]["question"])
        assert np.abs(found - state["events"]).max() < 1e-4
