"""Random inputs for half a minute; `make soak` makes them for half an hour."""

import shutil
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from soak import Soaked, soak
from soak_inputs import Input, inputs, write_files

from juggle_anim.viewer.state.keymap import BINDINGS

_SECONDS, _REST = 30.0, 7.5
_MOST_GROWTH = 60.0  # MB; much is loaded in the first minutes


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> list[Input]:
    files = write_files(tmp_path_factory.mktemp("soak") / "files")
    return list(islice(inputs(Random("0"), files), 36_000))


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb: apt-get install xvfb")
def test_the_viewer_bears_random_inputs_at_twenty_times_speed() -> None:
    soaked = soak("short", _SECONDS, _REST)
    soaked.judge(_REST, _MOST_GROWTH)
    assert not soaked.faults, "\n".join(soaked.faults)
    assert sum(soaked.made.values()) > 100
    assert soaked.rests[-1]["frames"] > 50


def test_a_soak_tries_every_key_and_every_kind_of_input(given: list[Input]) -> None:
    keys = {words[0] for word, *words in given if word in ("key", "hold")}
    assert keys >= {binding.chord for binding in BINDINGS}
    assert {word for word, *_ in given} == {
        *(
            "key",
            "hold",
            "let go",
            "type",
            "clip",
            "drop",
            "move",
            "press",
            "release",
            "wheel",
            "size",
        ),
        *("hide", "show", "blur", "focus", "leave", "wait", "close"),
    }


def test_what_is_held_is_let_go(given: list[Input]) -> None:
    counts = [
        sum(word == wanted for word, *_ in given)
        for wanted in ("press", "release", "hold", "let go")
    ]
    assert abs(counts[0] - counts[1]) <= 1
    assert abs(counts[2] - counts[3]) <= 1


def test_a_seed_gives_the_same_inputs_again(given: list[Input], tmp_path: Path) -> None:
    files = write_files(tmp_path / "files")
    kinds = [word for word, *_ in given[:2_000]]
    assert [word for word, *_ in islice(inputs(Random("0"), files), 2_000)] == kinds
    assert [word for word, *_ in islice(inputs(Random("1"), files), 2_000)] != kinds


def rests(*memories: float, files: int = 7, beside: float = 0.0) -> Soaked:
    """A soak with a rest each minute, between which the process beside the window gains so much,
    [MB].
    """
    each = [
        {"seconds": 60.0 * (number + 1), "memory": memory, "threads": 1}
        for number, memory in enumerate(memories)
    ]
    return Soaked(
        [
            {**rest, "files": files if rest is each[-1] else 7, "beside": 40 + beside * number}
            for number, rest in enumerate(each)
        ]
    )


def test_memory_and_files_that_grow_after_the_first_minutes_are_faults() -> None:
    good = rests(100, 150, 190, 200, 205, 204)
    good.judge(180.0)
    assert good.faults == []
    leaking = rests(100, 120, 140, 160, 180, 200, files=9, beside=15)
    leaking.judge(180.0)
    assert [fault.split()[0] for fault in leaking.faults] == ["memory", "beside", "files"]
    short = rests(100)
    short.judge(60.0)
    assert "before anything could be compared" in short.faults[0]
