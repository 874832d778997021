import subprocess
import sys

import pytest

# In a program of its own: pyglet wants a display as soon as it is asked for the names of keys.
SCRIPT = """
from types import SimpleNamespace
from imgui_bundle import imgui
from pyglet.window import key
from juggle_anim.viewer.input import Input

imgui.create_context()
imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures
keys = Input(SimpleNamespace())

def frame():
    keys.begin_frame(100, 100, 0.01)
    imgui.new_frame()
    seen = imgui.get_io().key_ctrl, imgui.is_key_pressed(imgui.Key.a, False)
    imgui.end_frame()
    return seen

CONTROL, A = key.LCTRL, key.A
"""


def seen(steps: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + steps], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "released",
    ["keys.key(CONTROL, 2, False); keys.key(A, 0, False)", "keys.key(A, 2, False); keys.key(CONTROL, 2, False)"],
)
def test_a_chord_let_go_within_a_frame_keeps_its_modifier(released: str, display: dict[str, str]) -> None:
    steps = f"""
keys.key(CONTROL, 0, True)
frame()
keys.key(A, 2, True); {released}
print(frame(), [frame() for _ in range(3)][-1])
"""
    assert seen(steps, display) == "(True, True) (False, False)"


def test_a_key_without_a_modifier_has_none(display: dict[str, str]) -> None:
    assert seen("keys.key(A, 0, True); keys.key(A, 0, False); print(frame())", display) == "(False, True)"
