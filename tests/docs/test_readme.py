"""Every command in the README runs as it stands, and what it states of arrays is true."""

import re
import shlex
import subprocess
import sys

import pytest
from paths import ROOT
from program import Program

import juggle_anim as ja

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [
    [shlex.split(line) for line in block.splitlines() if line.startswith("juggle-anim")]
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
]
WITHOUT_WINDOW = (
    "analyse",
    "arms",
    "batch",
    "check",
    "convert",
    "draw",
    "edit",
    "export",
    "learn",
    "list",
)
FILES = [[command for command in block if command[1] in WITHOUT_WINDOW] for block in BLOCKS]
WINDOWS = [command for block in BLOCKS for command in block if command[1] not in WITHOUT_WINDOW]


@pytest.mark.parametrize(
    "commands", [each for each in FILES if each], ids=lambda commands: commands[0][1]
)
def test_commands_without_a_window_end_as_they_should(
    commands: list[list[str]], program: Program
) -> None:
    for command in commands:
        drawn = command[1] in ("batch", "export") and not command[3].endswith(".html")
        # Of what is said twice, the last counts: as many and as large pictures take their time and
        # tell no more.
        ran = program(*command[1:], *(("--size", "64x48", "--fps", "5") if drawn else ()))
        # The README checks a pattern that cannot be juggled, to show what is said of it.
        assert ran.code == (1 if "543" in command else 0), ran.err
        if command[1] in ("convert", "export"):
            assert command[3] == "-" or (program.folder / command[3]).exists()
        if command[1] == "draw":
            assert (program.folder / command[4]).exists()


def test_commands_that_show_open_a_window(
    program: Program, monkeypatch: pytest.MonkeyPatch, display: dict[str, str]
) -> None:
    program("convert", "mills mess", "tricks.jml", "--events")
    with monkeypatch.context() as patched:
        shown: list[ja.Animation] = []
        patched.setattr("juggle_anim.api.show", lambda animation, **_: shown.append(animation))
        for command in WINDOWS:
            assert program(*command[1:]).code == 0, command
    assert len(shown) == len(WINDOWS) > 5
    command = [sys.executable, "-m", "juggle_anim", *WINDOWS[0][1:]]
    with subprocess.Popen(command, env=display, stderr=subprocess.PIPE, text=True) as running:
        try:
            search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "juggle-anim"]
            assert subprocess.run(
                search, env=display, capture_output=True, text=True, timeout=300
            ).stdout.strip()
            assert running.poll() is None
        finally:
            running.kill()


def test_every_file_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_shapes_it_states_are_true() -> None:
    import numpy as np

    animation = ja.animate("531", chicken_wing=30)
    times = np.linspace(0, animation.duration, 200)
    assert animation.sample(times).hands.shape == (200, 1, 2, 3)
    assert animation.sample(times).props.shape == (200, 3, 3)
    assert animation.pose(times).joints.shape == (200, 1, 47, 3)
