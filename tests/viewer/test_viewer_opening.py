import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

PROGRAM = """
import os
import sys
from juggle_anim.animation import animate
from juggle_anim.errors import ViewerError
from juggle_anim.viewer import show
animation = animate("531")
assert not {"pyglet", "imgui_bundle"} & set(sys.modules), "only show loads them"
for changed in ENVIRONMENTS:
    os.environ.update(changed)
    try:
        show(animation)
    except ViewerError as error:
        print(error)
"""


HIDE_A_LIBRARY = """
import pyglet.lib
load = pyglet.lib.loader.load_library

def load_others(*names, **options):
    if {library!r} in names:
        raise ImportError('Library "' + names[0] + '" not found.')
    return load(*names, **options)

pyglet.lib.load_library = load_others
"""


def said(
    program: str = PROGRAM, changed: Iterable[dict[str, str]] = ({},), **first: str
) -> list[str]:
    """What is said of a try to show a window in an environment, and after each of some changes of
    it.
    """
    ours = ("DISPLAY", "WAYLAND_DISPLAY", "PYGLET_HEADLESS")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        [sys.executable, "-c", program.replace("ENVIRONMENTS", repr(list(changed)))],
        env={**environment, **first},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert all("juggle-anim export" in line for line in lines)
    return lines


def test_without_a_display_one_line_says_why_and_what_to_do() -> None:
    bare, wayland, silent = said(
        changed=({}, {"WAYLAND_DISPLAY": "wayland-0"}, {"DISPLAY": ":4711"})
    )
    assert bare.startswith("no display: DISPLAY is not set")
    assert wayland.startswith("a window needs X11, but this desktop has only Wayland")
    assert silent.startswith("the display :4711 does not answer")
    (headless,) = said(PYGLET_HEADLESS="1")
    assert headless.startswith("pyglet is set to open no windows")


@pytest.mark.parametrize("library", ["GL", pytest.param("Xrender", marks=pytest.mark.long)])
def test_a_missing_system_library_is_named_with_the_way_to_get_it(
    display: dict[str, str], library: str
) -> None:
    program = PROGRAM.replace("for changed", HIDE_A_LIBRARY.format(library=library) + "for changed")
    (line,) = said(program, DISPLAY=display["DISPLAY"])
    assert "apt-get install libx11-6 libxrender1 libgl1" in line


def test_libraries_of_a_desktop_that_the_panel_wants_are_named(tmp_path: Path) -> None:
    (tmp_path / "imgui_bundle.py").write_text(
        "raise ImportError('libxcb.so.1: cannot open shared object file')"
    )
    (line,) = said(PYTHONPATH=str(tmp_path))
    assert "apt-get install libx11-6" in line


ICON = """
from juggle_anim.viewer.window_open import give_icon, open_window
window = open_window("531")
take, sizes = window.set_icon, []
def taken(*images):
    sizes.extend((each.width, each.height) for each in images)
    take(*images)
window.set_icon = taken
give_icon(window)
print(sizes)
"""


def test_a_window_gets_its_icon_in_four_sizes(display: dict[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", ICON], env=display, capture_output=True, text=True, timeout=300
    )
    assert (ran.stdout.strip(), ran.stderr) == ("[(16, 16), (32, 32), (48, 48), (128, 128)]", "")
