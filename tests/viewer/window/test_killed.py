import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from driven_window import DrivenWindow

import juggle_anim as ja
from juggle_anim.viewer.session.recovery import Autosave

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")

PATTERNS = list(ja.generate(3, 7, (4, 5)))
LOST_AT_MOST = 2.0  # s


def edit_and_kill(window: DrivenWindow, rng: Random) -> tuple[list[str], str]:
    """Edit for some seconds, and kill the program; return the edits that may be lost, and the last that may not."""
    patterns = rng.sample(PATTERNS, len(PATTERNS))
    done: list[tuple[float, str]] = []
    end = time.monotonic() + rng.uniform(2.2, 5.0)
    while time.monotonic() < end:
        window.edit(patterns.pop())
        done.append((time.monotonic(), window.state()["pattern"]))
        time.sleep(rng.uniform(0.05, 0.4))
    window.process.kill()
    window.process.wait()
    killed = time.monotonic()
    kept = [pattern for when, pattern in done if when < killed - LOST_AT_MOST]
    return [pattern for when, pattern in done if when >= killed - LOST_AT_MOST], kept[-1]


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
def test_a_window_that_is_killed_loses_nothing_that_was_edited_two_seconds_before(
    new_window: Opener, tmp_path: Path, kills: int
) -> None:
    rng, memory, recovery = Random(kills), tmp_path / "viewer.json", tmp_path / "recovery"
    for _ in range(kills):
        lately, kept = edit_and_kill(new_window(memory), rng)
        (folder,) = autosave = Autosave(recovery).abandoned()
        (work,), _ = folder.read()
        assert work.score.pattern
        assert work.score.pattern.text in (kept, *lately)
        (folder.release if kills == 1 else folder.remove)()
        assert len(autosave) == 1
    if kills == 1:
        window = new_window(memory)
        window.wait(lambda state: work.score.name in state["desk"]["question"])
        assert not Autosave(recovery).abandoned()  # another window does not take it
        window.keys("o")
        window.wait(lambda state: state["pattern"] == work.score.name and state["desk"]["edited"])
