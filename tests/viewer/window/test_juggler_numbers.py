"""Numbers of jugglers while a diagram is open, in the real window."""

import shutil
from collections.abc import Callable

import numpy as np
import pytest
from driven_window import DrivenWindow

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


@pytest.mark.parametrize(("pattern", "numbered"), [("<3p 3|3p 3>", 2), ("3", 0)])
def test_a_diagram_brings_a_number_to_each_of_several_jugglers(
    open_window: Callable[..., DrivenWindow], pattern: str, numbered: int
) -> None:
    window = open_window(pattern=pattern, size=(1280, 800))
    assert len(window.state()["numbered"]) == numbered, "people who pass always have numbers"
    window.keys("y")
    state = window.wait(
        lambda state: state["diagram"] == "ladder" and state["settled"] and not state["awake"]
    )
    free_bottom = state["strip"][1]
    assert [words for words, *_ in state["numbered"]] == [str(n + 1) for n in range(numbered)]
    for _, x, y in state["numbered"]:
        assert 320 < x < 1280
        assert 70 < y < free_bottom
    across = [x for _, x, _ in state["numbered"]]
    assert len(across) < 2 or np.ptp(across) > 100


def test_passing_finds_two_people_and_who_throws_to_whom(
    open_window: Callable[..., DrivenWindow],
) -> None:
    window = open_window(size=(640, 480))
    window.keys("e")
    window.wait(lambda state: state["desk"]["ready"])
    window.type("passing")
    window.wait(lambda state: state["desk"]["words"] == "passing" and state["desk"]["found"])
    window.keys("Down", "Return")
    window.wait(lambda state: state["pattern"] == "One ball between two")
    window.keys("y")
    state = window.wait(lambda state: state["diagram"] == "ladder" and not state["awake"])
    assert [words for words, *_ in state["numbered"]] == ["1", "2"]
