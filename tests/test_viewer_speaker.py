import subprocess
import sys

# Asks for sound twice, as somebody does who is told that there is no device.
PROGRAM = """
from juggle_anim.animation import animate
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.window import Viewer

viewer = Viewer(animate("3"), size=(320, 240))
for _ in range(2):
    viewer.model.sound.on = False
    viewer.controller.perform(Action.SOUND)
    print(viewer.model.notice.text)
viewer.close()
"""


def test_with_a_device_or_without_nothing_is_written_to_the_terminal(display: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=display, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first == second
    assert first == "Sound is on" or first.startswith("No sound:")
