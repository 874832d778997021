"""The files for conda-forge and Flatpak say of libraries, names and licences what pyproject.toml
says.
"""

import re
import tomllib
import xml.etree.ElementTree as ElementTree
from typing import Any

import yaml
from paths import ROOT

import juggle_anim

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RECIPE: dict[str, Any] = yaml.safe_load((ROOT / "packaging/conda-forge/recipe.yaml").read_text())
FLATPAK: dict[str, Any] = yaml.safe_load(
    (ROOT / "packaging/flatpak/org.juggle_anim.JuggleAnim.yaml").read_text()
)

OTHER_NAMES = {"isal": "python-isal", "matplotlib": "matplotlib-base"}
"""Libraries that have another name at conda-forge."""


def split(requirement: str) -> tuple[str, str]:
    name, versions = re.match(r"([\w-]+) ?(.*)", requirement).groups()  # type: ignore[union-attr]
    return OTHER_NAMES.get(name, name).lower(), versions


def test_the_recipe_asks_for_the_libraries_and_versions_of_the_program() -> None:
    plots = PROJECT["optional-dependencies"]["plots"]
    asked = dict(map(split, RECIPE["requirements"]["run"]))
    assert asked.pop("python") == ">=${{ python_min }}"
    assert asked == dict(map(split, [*PROJECT["dependencies"], *plots]))
    assert RECIPE["about"]["summary"] == PROJECT["description"]
    assert RECIPE["about"]["license_file"] == PROJECT["license-files"]
    (script,) = RECIPE["build"]["python"]["entry_points"]
    assert script == f"juggle-anim = {PROJECT['scripts']['juggle-anim']}"


def test_every_description_names_the_version_of_the_program() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    told = ElementTree.parse(
        ROOT / "assets/desktop/org.juggle_anim.JuggleAnim.metainfo.xml"
    ).getroot()
    newest = told.find("releases/release")
    assert newest is not None
    named = [
        PROJECT["version"],
        RECIPE["context"]["version"],
        cited["version"],
        newest.get("version"),
    ]
    assert named == 4 * [juggle_anim.__version__]


def test_the_flatpak_has_the_name_that_desktops_know_and_builds_what_is_there() -> None:
    told = ElementTree.parse(
        ROOT / "assets/desktop/org.juggle_anim.JuggleAnim.metainfo.xml"
    ).getroot()
    assert FLATPAK["id"] == told.findtext("id")
    assert FLATPAK["rename-desktop-file"] == told.findtext("launchable")
    (module,) = FLATPAK["modules"]
    (source,) = module["sources"]
    assert (ROOT / "packaging/flatpak" / source["path"]).resolve() == ROOT
    assert "--constraint constraints.txt" in module["build-commands"][0]
    assert (ROOT / "constraints.txt").exists()
