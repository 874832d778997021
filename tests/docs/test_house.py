"""The Makefile and its set-up are run as they are, in a folder where Python, apt-get and sudo are
stand-ins.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from paths import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# Writes down how it was called, and answers what set-up and `make run` ask of Python.
PYTHON = """#!/bin/sh
printf '%s\\n' "$*" >>calls
case "$1 $2" in
    "- libEGL.so.1") [ ! -f missing ] || cat missing ;;
    "-m juggle_anim") shift 2; printf '<%s>' "$@" ;;
esac
"""


class Checkout:
    """A folder with our Makefile, ready set up with a stand-in for Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "programs"
        for name in ("Makefile", "pyproject.toml", "scripts/setup.sh"):
            self.write(name, (ROOT / name).read_text())
        self.write(".venv/bin/python", PYTHON)
        self.write(".venv/bin/pip", f"#!{folder.resolve()}/.venv/bin/python\n")
        stamp = subprocess.run(
            ["cksum"], input=(ROOT / "pyproject.toml").read_bytes(), capture_output=True
        ).stdout
        self.write(".venv/installed-dev", stamp.decode())

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def make(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        found_first = f"{self.programs}:{os.environ['PATH']}"
        return subprocess.run(
            ["make", *words],
            cwd=self.folder,
            env={**outside_make(os.environ), "PATH": found_first, **environment},
            capture_output=True,
            text=True,
        )

    def calls(self) -> str:
        return (self.folder / "calls").read_text()


def outside_make(environment: Mapping[str, str]) -> dict[str, str]:
    """What a user's shell would hand over: nothing of the make that runs these tests, and no
    display.
    """
    ours = ("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "PATTERN", "PYTHON", "DISPLAY")
    return {name: value for name, value in environment.items() if name not in ours}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "a folder with spaces")


def as_a_user_without_sudo(checkout: Checkout) -> None:
    checkout.write("programs/id", "#!/bin/sh\necho 1000\n")
    checkout.write("programs/sudo", "#!/bin/sh\nexit 1\n")
    checkout.write("programs/apt-get", '#!/bin/sh\necho "$*" >>calls\n')


def test_the_top_entry_of_the_changelog_is_this_version() -> None:
    top = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert top is not None
    assert top[1] == PYPROJECT["project"]["version"]


def test_the_installed_package_carries_its_licence_and_version() -> None:
    metadata = importlib.metadata.metadata("juggle-anim")
    assert metadata["License-Expression"] == "MIT"
    assert "LICENSE" in (metadata.get_all("License-File") or [])
    assert metadata["Version"] == PYPROJECT["project"]["version"]


def test_help_lists_every_command(checkout: Checkout) -> None:
    phony = re.search(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None
    assert re.findall(r"^  make ([\w-]+)", checkout.make().stdout, re.MULTILINE) == phony[1].split()


def test_run_shows_531_when_no_pattern_is_named(checkout: Checkout) -> None:
    assert checkout.make("run", DISPLAY=":0").stdout == "<531>"


@pytest.mark.parametrize(
    "pattern",
    [
        "(6x,4)*",
        "[34]23",
        "it's",
        'a "b" c',
        "$HOME",
        "$$",
        "$(touch x)",
        "`x`;x",
        "#1",
        "a\\b",
        "%",
        "",
    ],
)
def test_a_pattern_reaches_the_program_letter_by_letter(checkout: Checkout, pattern: str) -> None:
    assert checkout.make("run", f"PATTERN={pattern}", DISPLAY=":0").stdout == f"<{pattern}>"


def test_a_pattern_may_also_come_from_the_environment(checkout: Checkout) -> None:
    assert checkout.make("run", PATTERN="(4x,2x)*$HOME", DISPLAY=":0").stdout == "<(4x,2x)*$HOME>"


def test_run_without_a_display_writes_frames_and_a_video_and_names_them(checkout: Checkout) -> None:
    said = checkout.make("run", "PATTERN=(6x,4)*").stdout
    assert "No display" in said
    assert "<export><(6x,4)*><out/frames><--force>" in said
    assert "<export><(6x,4)*><out/video.mp4><--force>" in said
    assert said.endswith("Frames: out/frames  Video: out/video.mp4\n")


def test_a_failing_program_fails_make(checkout: Checkout) -> None:
    checkout.write(".venv/bin/python", PYTHON.replace("shift 2;", "exit 2;"))
    assert checkout.make("run").returncode != 0
    assert checkout.make("run", DISPLAY=":0").returncode != 0


def test_setup_installs_nothing_when_nothing_has_changed(checkout: Checkout) -> None:
    assert checkout.make("run").stderr == ""
    assert "pip install" not in checkout.calls()


def test_setup_installs_again_when_the_dependencies_have_changed(checkout: Checkout) -> None:
    with (checkout.folder / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    checkout.make("run")
    checkout.make("run")
    assert checkout.calls().count("-m pip install") == 1


def test_setup_does_without_the_accelerator_where_it_has_no_wheel(checkout: Checkout) -> None:
    shutil.rmtree(checkout.folder / ".venv")
    without_wheel = PYTHON + 'case "$*" in *accelerate*) echo no wheel >&2; exit 1 ;; esac\n'
    checkout.write(".venv/bin/python", without_wheel)
    checkout.write(".venv/bin/pip", f"#!{checkout.folder.resolve()}/.venv/bin/python\n")
    made = checkout.make("run")
    assert made.returncode == 0
    assert "no wheel" not in made.stderr
    assert re.findall(r"-e (.*)", checkout.calls()) == [
        ".[accelerate,optimise,plots]",
        ".[optimise,plots]",
    ]


def test_setup_makes_the_environment_anew_when_the_checkout_has_moved(checkout: Checkout) -> None:
    checkout.write(".venv/bin/pip", "#!/where/it/was/before/.venv/bin/python\n")
    checkout.write("programs/python3", PYTHON)
    checkout.make("run", PYTHON="python3")
    assert "-m venv .venv" in checkout.calls()


def test_setup_names_the_python_it_cannot_use(checkout: Checkout) -> None:
    shutil.rmtree(checkout.folder / ".venv")
    made = checkout.make("run", PYTHON="false")
    assert made.returncode != 0
    assert made.stderr.splitlines()[0] == "false is not a Python of version 3.11 or newer."


def test_setup_prints_one_command_where_it_may_not_install(checkout: Checkout) -> None:
    as_a_user_without_sudo(checkout)
    checkout.write("missing", "libegl1\nlibgl1\n")
    made = checkout.make("run")
    assert made.returncode != 0
    commands = [line.strip() for line in made.stderr.splitlines() if line.startswith("    ")]
    install = "sudo apt-get install -y --no-install-recommends libegl1 libgl1"
    assert commands == [f"sudo apt-get update && {install}"]
    assert "juggle_anim" not in checkout.calls()


def test_setup_installs_missing_libraries_where_it_may(checkout: Checkout) -> None:
    as_a_user_without_sudo(checkout)
    checkout.write(
        "programs/sudo", '#!/bin/sh\nshift "$([ "$1" = -n ] && echo 1 || echo 0)"\nexec "$@"\n'
    )
    checkout.write("missing", "libegl1\n")
    assert checkout.make("run").returncode == 0
    assert re.search(r"install -y --no-install-recommends libegl1$", checkout.calls(), re.MULTILINE)


@pytest.mark.parametrize("broken", ["lint", "test", "neither"])
def test_the_check_runs_both_and_fails_when_either_fails(checkout: Checkout, broken: str) -> None:
    checkout.write(".ci/run", (ROOT / ".ci" / "run").read_text())
    checkout.write("programs/make", f'#!/bin/sh\necho "make $1" >>calls\n[ "$1" != {broken} ]\n')
    path = f"{checkout.programs}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", checkout.folder / ".ci" / "run"], env={**os.environ, "PATH": path}
    )
    assert checkout.calls() == "make lint\nmake test\n"
    assert (ran.returncode == 0) == (broken == "neither")
