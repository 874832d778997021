"""Large arrays are given back, in the viewer's process."""

import ctypes
import shutil
import subprocess
import sys
from ctypes import POINTER, c_char_p, c_ubyte, cast
from types import SimpleNamespace

import pytest
from driven_window import DrivenWindow
from long_cases import sampled

from juggle_anim.errors import ViewerError
from juggle_anim.viewer import window_open
from juggle_anim.viewer.window_open import dpi_in, fix_window_recreation


def set_resources(display: dict[str, str], text: str) -> None:
    from pyglet.libs.x11 import xlib  # only now: not every machine has the libraries of X

    server = xlib.XOpenDisplay(display["DISPLAY"].encode())
    data = cast(c_char_p(text.encode()), POINTER(c_ubyte))
    xlib.XChangeProperty(server, xlib.XDefaultRootWindow(server), 23, 31, 8, 0, data, len(text))
    xlib.XCloseDisplay(server)


def test_dots_are_read_from_resources() -> None:
    assert dpi_in("Xft.antialias:\t1\nXft.dpi:\t192\n") == 192
    assert dpi_in("Xft.dpi: 144.5") == 144.5
    for none in ("", "Xcursor.size:\t24\n", "Xft.dpi: many", "Xft.dpi: -3", "Xft.dpi: nan"):
        assert dpi_in(none) is None


@pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")
def test_another_scale_is_taken_while_the_window_is_open(
    display: dict[str, str], window: DrivenWindow
) -> None:
    window.afresh(size=(1280, 960))
    before = window.wait(lambda state: state["settled"] and state["rows"])["rows"]["chicken_wing"]
    try:
        set_resources(display, "Xft.dpi:\t192\n")
        after = window.wait(lambda state: state["rows"]["chicken_wing"][3] > 1.9 * before[3])
        assert after["rows"]["chicken_wing"][2] <= 1280 / 2
        assert after["size"] == [1280, 960]
    finally:
        set_resources(display, "")
    window.wait(lambda state: state["rows"]["chicken_wing"] == before)


SCRIPT = """
import numpy as np
from juggle_anim.viewer.window_open import release_large_arrays

def held():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

release_large_arrays()
del (larger := [np.ones(2_000_000)])[:]  # from then on the C library itself would put as much into the heap
before, come, stay = held(), [], []
for _ in range(40):
    come.append(np.ones(500_000))
    stay.append(bytearray(100_000))
del come[:]
print(held() - before)
"""


@pytest.mark.skipif(
    not (sys.platform.startswith("linux") and hasattr(ctypes.CDLL(None), "gnu_get_libc_version")),
    reason="other C libraries keep large arrays apart of themselves",
)
def test_of_large_arrays_among_small_ones_nothing_is_held_once_they_are_gone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 20_000_000, "160 MB came and went, 4 MB stay"


# Turns full screen on and off, a picture in each, and tells how many pictures it shares with the X
# server after each.
PROGRAM = """
from pathlib import Path
from juggle_anim.viewer.window_open import open_window

window = open_window("a window", (640, 480))

def show():
    from juggle_anim.render import gl
    for _ in range(3):
        window.switch_to()
        window.dispatch_events()
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        window.flip()

def shared():
    return sum("/SYSV" in line for line in Path("/proc/self/maps").read_text().splitlines())

show()
counts = [shared()]
for turn in range(20):
    window.set_fullscreen(turn % 2 == 0)
    show()
    counts.append(shared())
window.close()
print(*counts)
"""


def test_full_screen_and_back_leaves_no_buffers_of_old_windows(display: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=display, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    counts = done.stdout.split()
    assert len(counts) == 21
    assert set(counts) == {counts[0]}


def test_a_window_of_another_system_is_left_as_it_is() -> None:
    window = SimpleNamespace(context=object(), _create=len)
    fix_window_recreation(window)
    assert window._create is len


FILLED = """
import numpy as np
from PIL import ImageGrab
from juggle_anim.viewer.window_open import open_window

window = open_window("first", (320, 240), (0.2, 0.6, 1.0))
(left, top), size = window.get_location(), window.get_size()
seen = ImageGrab.grab((left, top, left + size[0], top + size[1])).convert("RGB")
pixels = np.asarray(seen)
rows, columns = np.nonzero((pixels != (51, 153, 255)).any(axis=2))
print(len(rows), rows.min(), rows.max(), columns.min(), columns.max(), *pixels.min(axis=(0, 1)))
window.close()
"""


def test_a_new_window_has_the_colour_of_its_stage_and_a_word_before_anything_is_drawn(
    display: dict[str, str],
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FILLED], env=display, check=True, capture_output=True, text=True
    )
    count, top, bottom, left, right, *ink = map(int, done.stdout.split())
    assert 100 < count < 0.02 * 320 * 240
    assert abs(top + bottom - 240) < 12
    assert abs(left + right - 320) < 12
    assert right - left > 50
    assert ink == [45, 50, 56]


def test_a_library_without_which_pyglet_has_no_windows_is_named_by_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lacking() -> None:
        return None.XRenderFindVisualFormat  # type: ignore[attr-defined]

    monkeypatch.setattr(window_open, "_import_pyglet", lacking)
    with pytest.raises(ViewerError, match=r"missing .*\(XRenderFindVisualFormat\); .*libxrender1"):
        window_open.open_window("531")


KEPT = """
import sys
import numpy as np
from juggle_anim.animation import animate
from juggle_anim.viewer.window import Viewer

viewer = Viewer(animate(sys.argv[1]), size=(640, 480))
viewer.model.playback.frame_time = 1 / 60
rig = viewer.model.rig
if sys.argv[2] == "near":
    rig.zoom(6, (0.0, 0.0))
    rig.pan(-0.6, 0.0)

def play(ticks):
    for _ in range(ticks):
        viewer.window.dispatch_events()
        viewer.tick(1 / 60)

play(60)
kept = 0
for _ in range(2):
    play(7)
    columns = viewer._picture.kept[0]
    kept += columns > 0
    seen = viewer._picture.read().astype(int)
    viewer._pacing.wake()
    viewer._render(0.0)
    assert not viewer._picture.kept[0]
    off = np.abs(viewer._picture.read() - seen)
    assert not off[:, columns:].any()
    # The panel lets hardly anything through of shadows that move behind it.
    assert off.max() <= 6, off.max()
    play(12)
viewer.close()
print(kept)
"""


@pytest.mark.parametrize(
    ("text", "place", "kept"),
    sampled(
        [
            ("531", "far", 2),
            ("531", "near", 0),  # people stand behind the panel
            ("pattern=531;stereo=parallel", "far", 2),
            ("pattern=531;stereo=anaglyph", "far", 0),
            ("<3p|3p|3p|3p>", "far", 2),
        ],
        ("531", "far", 2),
        arguments=3,
    ),
)
def test_a_panel_that_nobody_touches_keeps_its_pixels_while_a_pattern_plays(
    display: dict[str, str], text: str, place: str, kept: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KEPT, text, place], env=display, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(kept)]
