import os
import subprocess
import sys

PROGRAM = """
import sys
from juggle_anim.animation import animate
from juggle_anim.errors import ViewerError
from juggle_anim.viewer import show
animation = animate("531")
assert not {"pyglet", "imgui_bundle"} & set(sys.modules), "only show loads them"
try:
    show(animation)
except ViewerError as error:
    print(error)
"""


def test_without_a_display_one_line_says_what_to_do() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert "no display" in done.stdout
    assert "juggle-anim export" in done.stdout
