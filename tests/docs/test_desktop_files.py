"""What desktops, shells and `man` know of the program is true, and goes into the wheel."""

import configparser
import json
import os
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from paths import ROOT

import juggle_anim as ja
from juggle_anim.notation.jml import write_jml
from juggle_anim.notation.pattern_list import list_of_one

FOLDER = ROOT / "assets" / "desktop"
FREEDESKTOP = "{http://www.freedesktop.org/standards/shared-mime-info}"


def entry(name: str) -> configparser.SectionProxy:
    """The one section of a file of a desktop."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read(FOLDER / name)
    (section,) = parser.sections()
    return parser[section]


def test_manual_and_completions_are_of_the_command_line_as_it_is() -> None:
    # In a process of its own, which speaks English whatever tests before have chosen.
    script = (
        "import json, build_command_files; print(json.dumps(build_command_files.command_files()))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT / "scripts",
        env={**os.environ, "LANGUAGE": "en"},
        capture_output=True,
        check=True,
    )
    old = [
        name
        for name, content in json.loads(ran.stdout).items()
        if (FOLDER / name).read_text() != content
    ]
    assert old == [], "python scripts/build_command_files.py"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("juggle-anim ex", "export"),
        ("juggle-anim draw la", "ladder"),
        ("juggle-anim export 531 --supers", "--supersampling"),
        ("juggle-anim 531 --chicken", "--chicken-wing --chickenwing"),
        ("juggle-anim export 531 --stage g", "gym"),
        ("juggle-anim check tri", ""),
    ],
)
def test_bash_completes(typed: str, offered: str) -> None:
    *before, last = typed.split(" ")
    program = (
        f'source "{FOLDER}/juggle-anim.bash"; COMP_WORDS=({" ".join(before)} "{last}"); '
        f"COMP_CWORD={len(before)}; "
        '_juggle_anim; echo "${COMPREPLY[*]}"'
    )
    ran = subprocess.run(["bash", "-c", program], capture_output=True, text=True)
    assert (ran.stdout.strip(), ran.stderr) == (offered, "")


def test_a_desktop_opens_each_kind_of_file_that_is_declared() -> None:
    declared = ElementTree.parse(FOLDER / "juggle-anim.mime.xml").getroot()
    kinds = {each.attrib["type"] for each in declared}
    assert {each.attrib["pattern"] for each in declared.iter(f"{FREEDESKTOP}glob")} == {
        "*.jml",
        "*.jif",
        "*.pass",
    }
    for name in ("juggle-anim.desktop", "juggle-anim.thumbnailer"):
        assert set(entry(name)["MimeType"].strip(";").split(";")) == kinds
    told = ElementTree.parse(FOLDER / "org.juggle_anim.JuggleAnim.metainfo.xml").getroot()
    assert {each.text for each in told.iter("mediatype")} == kinds
    assert told.findtext("launchable") == "juggle-anim.desktop"


def test_the_thumbnailer_draws_a_file(tmp_path: Any) -> None:
    listed = ja.animate("531")
    (tmp_path / "a pattern.jml").write_text(write_jml(list_of_one(listed.score, listed.parameters)))
    command = entry("juggle-anim.thumbnailer")["Exec"]
    for sign, value in (
        ("%i", f"'{tmp_path}/a pattern.jml'"),
        ("%o", f"'{tmp_path}/thumbnail'"),
        ("%s", "64"),
    ):
        command = command.replace(sign, value)
    environment = {"PATH": f"{ROOT}/.venv/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    ran = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "thumbnail").read_bytes().startswith(b"\x89PNG")


def test_what_the_wheel_shares_is_there() -> None:
    shared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"][
        "targets"
    ]["wheel"]
    files = [*FOLDER.iterdir(), *(ROOT / "assets" / "icon").iterdir()]
    assert set(shared["shared-data"]) == {path.relative_to(ROOT).as_posix() for path in files}
