"""The program works with the oldest version of each library that pyproject.toml allows; needs the
package index.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FOR_DEVELOPERS = ("dev", "docs")
OLDEST_PYTHON = PROJECT["requires-python"].removeprefix(">=")


def oldest(requirement: str) -> str:
    """The requirement of the lowest version that another one allows."""
    bounds = re.match(r"([\w.-]+(?:\[\w+\])?)>=([\w.]+)", requirement)
    assert bounds, f"{requirement} has no lower bound"
    return f"{bounds[1]}=={bounds[2]}"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in an environment of its own with the oldest libraries."""
    # For a newer Python there are no packages of libraries that are older than it.
    is_oldest = f"{sys.version_info.major}.{sys.version_info.minor}" == OLDEST_PYTHON
    python = sys.executable if is_oldest else shutil.which(f"python{OLDEST_PYTHON}")
    assert python, f"needs Python {OLDEST_PYTHON}, the oldest that is allowed"
    folder = tmp_path_factory.mktemp("oldest")
    optional = PROJECT["optional-dependencies"]
    extras = [
        requirement
        for name in optional.keys() - set(FOR_DEVELOPERS)
        for requirement in optional[name]
    ]
    requirements = [oldest(requirement) for requirement in (*PROJECT["dependencies"], *extras)]
    subprocess.run([python, "-m", "venv", folder / "env"], check=True)
    for what in (requirements, ["--no-deps", str(ROOT)]):
        install = [
            folder / "env/bin/python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            *what,
        ]
        installed = subprocess.run(install, capture_output=True, text=True)
        assert installed.returncode == 0, installed.stderr
    return folder / "env/bin/juggle-anim"


def run(program: Path, folder: Path, *words: str) -> str:
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
    ran = subprocess.run(
        [program, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "export --help",
        "check 531",
        "list",
        "draw ladder 531 a.pdf",
        "analyse 531 --plot a.png",
        "optimise 561",
    ],
)
def test_commands_run(program: Path, tmp_path: Path, command: str) -> None:
    said = run(program, tmp_path, *command.split())
    assert said or list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["a.png", "a.mp4", "a.gif", "a.webp", "a.exr", "a.html", "a.glb", "a.usdz", "a.npz"]
)
def test_files_are_exported_and_opened_again(program: Path, tmp_path: Path, name: str) -> None:
    small = () if name.endswith((".html", ".glb", ".usdz", ".npz")) else ("--size", "64x48")
    run(program, tmp_path, "export", "531", name, "--quiet", *small)
    assert "531" in run(program, tmp_path, "check", name)


def test_a_window_opens(program: Path, display: dict[str, str], tmp_path: Path) -> None:
    environment = {**display, "HOME": str(tmp_path)}
    with subprocess.Popen([program, "531"], env=environment) as running:
        try:
            search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "juggle-anim"]
            assert subprocess.run(
                search, env=display, capture_output=True, text=True, timeout=120
            ).stdout.strip()
            time.sleep(3)  # helpers start a second after the first picture
            assert running.poll() is None
        finally:
            running.kill()


def test_pages_are_served_and_widgets_made(program: Path, tmp_path: Path) -> None:
    code = (
        "import juggle_anim as ja\n"
        "from juggle_anim.server.serve import make_app\n"
        "widget = ja.widget('531')\n"
        "widget.bps = 4\n"
        "print(widget.animation.settings, make_app().routes)\n"
    )
    python = program.with_name("python")
    ran = subprocess.run(
        [python, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert "pattern=531;bps=4" in ran.stdout, ran.stderr
