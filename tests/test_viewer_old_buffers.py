import subprocess
import sys
from types import SimpleNamespace

from juggle_anim.viewer.window_open import fix_window_recreation

# Turns full screen on and off, a picture in each, and tells how many pictures it shares with the X server after each.
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
for turn in range(60):
    window.set_fullscreen(turn % 2 == 0)
    show()
    counts.append(shared())
window.close()
print(*counts)
"""


def test_full_screen_and_back_leaves_no_buffers_of_old_windows(display: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=display, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    counts = done.stdout.split()
    assert len(counts) == 61
    assert set(counts) == {counts[0]}


def test_a_window_of_another_system_is_left_as_it_is() -> None:
    window = SimpleNamespace(context=object(), _create=len)
    fix_window_recreation(window)
    assert window._create is len
