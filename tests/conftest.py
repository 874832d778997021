import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

# Before the first import of OpenGL: in tests, every call is checked.
os.environ.setdefault("PYOPENGL_ERROR_CHECKING", "1")


@pytest.fixture(scope="session")
def display() -> Iterator[dict[str, str]]:
    """The environment for a subprocess that opens windows: an X server of its own, 1920×1200 pixels."""
    if not shutil.which("Xvfb"):
        pytest.skip("needs Xvfb: apt-get install xvfb")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        number = server.stdout.readline().strip()
        environment = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
        environment.pop("PYOPENGL_PLATFORM", None)
        yield {**environment, "DISPLAY": f":{number}"}
        server.terminate()
