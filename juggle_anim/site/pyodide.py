"""Pyodide, the Python that runs in browsers: the one release that a site runs on.

It is the MPL-2.0 distribution of https://pyodide.org; a site takes it from there or has a copy.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from juggle_anim.errors import ParameterError
from juggle_anim.language import _

VERSION = "0.27.7"
PYTHON = (3, 12)
"""The version of its Python, whose compiled modules it reads."""

PUBLIC = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
"""Where its makers publish it."""

NUMPY = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"

PILLOW = "pillow-10.2.0-cp312-cp312-pyodide_2024_0_wasm32.whl"

FILES = {
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    PILLOW: "43eab147a9355385a99eeac18fb577d4af2fe4bd0bbd23d3ba3ddb92e72c2815",
    NUMPY: "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
}
"""The files that are used, with their SHA-256."""

LOCK = {
    "info": {
        "abi_version": "2024_0",
        "arch": "wasm32",
        "platform": "emscripten_3_1_58",
        "python": "3.12.7",
        "version": VERSION,
    },
    "packages": {},
}
"""What Pyodide reads of its packages; it is given numpy by itself."""


_PACKED = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
"""Files that a copy has compressed: they take a third, and many hosts would send them as they are.
"""

_RUN = (".py", ".so")
"""Endings of files that run; the others are for those who build with numpy, or test it."""


def told(address: str, copied: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what the worker must know to load the release, as JSON values.

    Args:
        address: of the folder of all files.
        copied: the files of `read_copy`, by name; empty for the public ones.
    """
    digests = {name: bytes.fromhex(digest) for name, digest in FILES.items()}
    names = {
        name: next((given for given in copied if given.startswith(name)), name) for name in FILES
    }
    for name, content in copied.items():
        digests[name] = hashlib.sha256(content).digest()
    return {
        "address": address,
        "lock": LOCK,
        "numpy": NUMPY,
        "pillow": PILLOW,
        # What stands for each file, and what it must be: browsers check it before they run it.
        "files": {
            name: {
                "name": given,
                "integrity": f"sha256-{base64.b64encode(digests[given]).decode()}",
            }
            for name, given in names.items()
        },
    }


def read_copy(folder: Path) -> dict[str, bytes]:
    """Return the files of a copy of the release by name.

    Some are compressed, as `NAME.gz`; modules are compiled, where that can be done.

    Raises:
        ParameterError: a file is missing, or is of another release.
    """
    contents = {}
    for name, digest in FILES.items():
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise ParameterError(
                _(
                    "{path} cannot be read ({reason}); Pyodide {version} has it",
                    path=folder / name,
                    reason=error.strerror,
                    version=VERSION,
                )
            ) from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise ParameterError(
                _("{path} is not that of Pyodide {version}", path=folder / name, version=VERSION)
            )
        if name in _PACKED:
            contents[f"{name}.gz"] = gzip.compress(content, mtime=0)
        else:
            # Most of the time in which Python starts is that of compiling modules.
            contents[name] = _compiled(content, docstrings=name == NUMPY)
    return contents


def _compiled(archive: bytes, *, docstrings: bool) -> bytes:
    """Return an archive with its modules compiled, and nothing but what runs.

    Args:
        archive: a zip file.
        docstrings: as of `compile_modules`; numpy writes its own anew.
    """
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            packed.extractall(root)
        if not compile_modules(root, docstrings=docstrings):
            return archive
        for path in root.rglob("*"):
            if path.is_file() and not path.name.endswith((".pyc", *_RUN)):
                path.unlink()
        return zipped(root)


def compile_modules(root: Path, *, docstrings: bool) -> bool:
    """Compile all modules of a folder in the place of their sources.

    Args:
        root: the folder.
        docstrings: whether they are kept, as some libraries read them.

    Returns:
        Whether a Python of the version that does so is here.
    """
    python = sys.executable if sys.version_info[:2] == PYTHON else shutil.which("python3.12")
    if python is None:
        return False
    level = "0" if docstrings else "2"
    options = ["-q", "-b", "-o", level, "-s", str(root), "--invalidation-mode", "unchecked-hash"]
    command = [python, "-I", "-m", "compileall", *options, str(root)]
    # pyenv puts `python3.12` into the path, which fails unless that version is chosen.
    environment = {**os.environ, "PYENV_VERSION": ".".join(map(str, PYTHON))}
    if subprocess.run(command, capture_output=True, check=False, env=environment).returncode:
        return False
    for source in root.rglob("*.py"):
        source.unlink()
    return True


def zipped(root: Path) -> bytes:
    """Return an archive of all files of a folder; the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(root).as_posix())
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
