import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from driven_window import DrivenWindow

from juggle_anim.viewer.window_open import dpi_in

SETTER = """
import sys
from ctypes import POINTER, c_char_p, c_ubyte, cast
from pyglet.libs.x11 import xlib

display, text = xlib.XOpenDisplay(None), sys.argv[1].encode()
data = cast(c_char_p(text), POINTER(c_ubyte))
xlib.XChangeProperty(display, xlib.XDefaultRootWindow(display), 23, 31, 8, 0, data, len(text))
xlib.XSync(display, False)
"""


def set_resources(display: dict[str, str], text: str) -> None:
    subprocess.run([sys.executable, "-c", SETTER, text], env=display, timeout=30, check=True)


def test_dots_are_read_from_resources() -> None:
    assert dpi_in("Xft.antialias:\t1\nXft.dpi:\t192\n") == 192
    assert dpi_in("Xft.dpi: 144.5") == 144.5
    for none in ("", "Xcursor.size:\t24\n", "Xft.dpi: many", "Xft.dpi: -3", "Xft.dpi: nan"):
        assert dpi_in(none) is None


@pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")
def test_another_scale_is_taken_while_the_window_is_open(display: dict[str, str], tmp_path: Path) -> None:
    with DrivenWindow(display, tmp_path, size=(1280, 960)) as window:
        before = window.wait(lambda state: state["settled"] and state["rows"])["rows"]["chicken_wing"]
        try:
            set_resources(display, "Xft.dpi:\t192\n")
            after = window.wait(lambda state: state["rows"]["chicken_wing"][3] > 1.9 * before[3])
            assert after["rows"]["chicken_wing"][2] <= 1280 / 2
            assert after["size"] == [1280, 960]
        finally:
            set_resources(display, "")
        window.wait(lambda state: state["rows"]["chicken_wing"] == before)
