import subprocess
import sys
from collections.abc import Callable

import pytest

# Sets a resource, opens a window while the server keeps it, and tells how large it has become.
PROGRAM = """
import sys
from ctypes import POINTER, c_char_p, c_ubyte, cast
from pyglet.libs.x11 import xlib

def set_resources(text):
    display, value = xlib.XOpenDisplay(None), text.encode()
    data = cast(c_char_p(value), POINTER(c_ubyte))
    xlib.XChangeProperty(display, xlib.XDefaultRootWindow(display), 23, 31, 8, 0, data, len(value))
    xlib.XSync(display, False)

set_resources(sys.argv[1])
from juggle_anim.viewer.window_open import open_window
try:
    window = open_window("a window")
    print(window.dpi, *window.get_size())
    window.close()
finally:
    set_resources("")
"""

Opened = Callable[[str], tuple[int, ...]]


@pytest.fixture
def opened(display: dict[str, str]) -> Opened:
    def run(resources: str) -> tuple[int, ...]:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, resources],
            env=display,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return tuple(map(int, done.stdout.split()))

    return run


@pytest.mark.parametrize(
    ("resources", "dots"),
    [
        ("Xft.antialias: 1\nXft.dpi: 115.2\n", 115),
        ("Xft.dpi: -5\n", 96),
    ],
)
def test_a_window_opens_whatever_the_desktop_says_of_dots(
    opened: Opened, resources: str, dots: int
) -> None:
    assert opened(resources) == (dots, round(1280 * dots / 96), round(800 * dots / 96))
