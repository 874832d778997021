import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from paths import ROOT

from juggle_anim.cli.completion import SCRIPTS


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our wheel, built with what is installed here: no network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the wheel in it, as pip unpacks it, far from the checkout."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # -P keeps the current folder out of the path; PYTHONPATH stands before the checkout, which is
    # installed too.
    command = [sys.executable, "-P", "-m", "juggle_anim", *words]
    environment = {"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin", "HOME": str(installed)}
    return subprocess.run(command, cwd=installed, env=environment, capture_output=True, text=True)


def test_it_carries_code_shaders_patterns_assets_and_licences_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    carried = {
        "py.typed",
        *of(
            ROOT / "juggle_anim",
            "*.py",
            "*.glsl",
            "*.vert",
            "*.frag",
            "*.html",
            "*.css",
            "*.js",
            "*.svg",
        ),
    }
    carried |= {
        f"{folder}/{name}" for folder in ("patterns", "assets") for name in of(ROOT / folder, "*")
    }
    # Beside the package, and there alone, but for completions, which a command prints as well.
    shared = {
        name
        for name in carried
        if name.startswith("assets/desktop/") and Path(name).name not in SCRIPTS.values()
    }
    for_developers = {name for name in carried if name.startswith("measure/")}
    assert {f"juggle_anim/{name}" for name in carried - shared - for_developers} <= names
    assert not {f"juggle_anim/{name}" for name in for_developers} & names
    assert not {f"juggle_anim/{name}" for name in shared} & names
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0].rpartition(".")[2] for name in names} == {
        "juggle_anim",
        "dist-info",
        "data",
    }
    assert wheel.stat().st_size < 3.65e6
    assert not any(name.startswith("tests") or "__pycache__" in name for name in names)


def of(folder: Path, *kinds: str) -> set[str]:
    found = {path for kind in kinds for path in folder.rglob(kind) if path.is_file()}
    return {
        path.relative_to(folder).as_posix() for path in found if "__pycache__" not in path.parts
    }


def test_installed_outside_the_checkout_it_finds_its_patterns_and_draws(
    installed: Path, tmp_path: Path
) -> None:
    ran = run(
        installed,
        "export",
        "Cascade",
        str(tmp_path / "out"),
        "--size",
        "64x48",
        "--fps",
        "2",
        "--quiet",
    )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "out" / "frame_00000.png").stat().st_size > 500


def test_what_ran_was_the_installed_one(installed: Path) -> None:
    code = (
        "import juggle_anim, juggle_anim.resources as r; print(juggle_anim.__file__, "
        "r.resource('assets'))"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(installed)},
        cwd=installed,
        capture_output=True,
        text=True,
    )
    assert ran.stdout.split() == [
        str(installed / "juggle_anim/__init__.py"),
        str(installed / "juggle_anim/assets"),
    ]


def test_installed_outside_the_checkout_it_writes_web_pages(
    installed: Path, tmp_path: Path
) -> None:
    ran = run(installed, "export", "Cascade", str(tmp_path / "a.html"))
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "a.html").stat().st_size > 500_000
