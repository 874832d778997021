"""Pyodide, the Python that runs in browsers: the one release that a site runs on.

It is the MPL-2.0 distribution of https://pyodide.org; a site takes it from there or has a copy.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
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

FILES = {
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
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


def told(address: str, copied: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what the worker must know to load the release, as JSON values.

    Args:
        address: of the folder of all files.
        copied: the files of `read_copy`, by name; empty for the public ones.
    """
    digests = {name: bytes.fromhex(digest) for name, digest in FILES.items()}
    packed = [name for name in _PACKED if f"{name}.gz" in copied]
    for name in packed:
        digests[name] = hashlib.sha256(copied[f"{name}.gz"]).digest()
    return {
        "address": address,
        "packed": packed,
        "numpy": NUMPY,
        "lock": LOCK,
        # As browsers check it before they run a file.
        "files": {
            name: f"sha256-{base64.b64encode(digest).decode()}" for name, digest in digests.items()
        },
    }


def read_copy(folder: Path) -> dict[str, bytes]:
    """Return the files of a copy of the release by name, some of them compressed, as `NAME.gz`.

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
            contents[name] = content
    return contents
