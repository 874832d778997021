"""Every command and line of Python in the README runs as it stands."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [
    [shlex.split(line) for line in block.splitlines() if line.startswith("juggle-anim")]
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
]
WITHOUT_WINDOW = ("analyse", "arms", "batch", "check", "convert", "draw", "export", "list")
FILES = [[command for command in block if command[1] in WITHOUT_WINDOW] for block in BLOCKS]
WINDOWS = [(block, command) for block in BLOCKS for command in block if command[1] not in WITHOUT_WINDOW]


def program(command: list[str]) -> list[str]:
    return [sys.executable, "-m", "juggle_anim", *command[1:]]


@pytest.mark.parametrize("commands", [each for each in FILES if each], ids=lambda commands: commands[0][1])
def test_commands_without_a_window_end_as_they_should(commands: list[list[str]], tmp_path: Path) -> None:
    for command in commands:
        done = subprocess.run(program(command), cwd=tmp_path, capture_output=True, text=True, timeout=120)
        # The README checks a pattern that cannot be juggled, to show what is said of it.
        assert done.returncode == (2 if "543" in command else 0), done.stderr
        if command[1] in ("convert", "export"):
            assert command[3] == "-" or (tmp_path / command[3]).exists()
        if command[1] == "draw":
            assert (tmp_path / command[4]).exists()


@pytest.mark.parametrize(("block", "command"), WINDOWS, ids=lambda words: words[1] if words[0] == "juggle-anim" else "")
def test_commands_that_show_open_a_window(
    block: list[list[str]], command: list[str], display: dict[str, str], tmp_path: Path
) -> None:
    for earlier in block[: block.index(command)]:
        if earlier[1] == "convert":
            subprocess.run(program(earlier), cwd=tmp_path, check=True, timeout=120)
    shown = subprocess.Popen(program(command), cwd=tmp_path, env=display, stderr=subprocess.PIPE, text=True)
    try:
        search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "juggle-anim"]
        found = subprocess.run(search, env=display, capture_output=True, text=True, timeout=30)
        assert found.stdout.strip()
        assert shown.poll() is None
    finally:
        shown.kill()
        shown.communicate()


def test_the_lines_of_python_run(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    # A window would wait for somebody to close it; that it opens is tested elsewhere.
    stand_in = "juggle_anim.public.show = lambda animation: print('shown', animation.pattern.text)"
    script = f"import juggle_anim.public\n{stand_in}\n"
    done = subprocess.run(
        [sys.executable, "-c", script + block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "shown 531"
    assert len(list((tmp_path / "out" / "loop").glob("*.png"))) == 103


def test_every_file_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_shapes_it_states_are_true() -> None:
    import numpy as np

    import juggle_anim as ja

    animation = ja.animate("531", chicken_wing=30)
    times = np.linspace(0, animation.duration, 200)
    assert animation.sample(times).hands.shape == (200, 1, 2, 3)
    assert animation.sample(times).props.shape == (200, 3, 3)
    assert animation.pose(times).joints.shape == (200, 1, 29, 3)
