import contextlib
import subprocess
import sys

import numpy as np
import pytest
from drawn_scenes import GREEN, SCENE, scene, sphere
from paths import SUPPORT

from juggle_anim.errors import RenderError
from juggle_anim.render import Offscreen
from juggle_anim.render import offscreen as offscreen_module
from juggle_anim.render.context import EglContext
from juggle_anim.render.gl_objects import largest_size

BOTH = """
import ctypes
import sys
import numpy as np
sys.path.insert(0, {tests!r})
from drawn_scenes import SCENE

def offscreen_picture():
    from juggle_anim.render import Offscreen
    with Offscreen(321, 243) as offscreen:
        return offscreen.image(SCENE)

def window_picture(between=lambda: None):
    import pyglet
    pyglet.options["debug_gl"] = False
    window = pyglet.window.Window(321, 243)
    from juggle_anim.render import Renderer, gl
    from juggle_anim.render.gl_objects import RenderTarget
    renderer = Renderer()
    between()
    renderer.draw(SCENE, RenderTarget((321, 243)))
    rows = np.empty((243, 321, 3), np.uint8)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
    gl.glReadPixels(0, 0, 321, 243, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, ctypes.c_void_p(rows.ctypes.data))
    renderer.close()
    window.close()
    return rows[::-1]

{steps}
assert np.ptp(first) > 100
assert (first == second).all(), np.argwhere(first != second)
print("same")
"""


ORDERS = {
    "offscreen first": "first = offscreen_picture(); second = window_picture()",
    "window first": "first = window_picture(); second = offscreen_picture()",
    "offscreen while a window is open": """
kept = []
first = window_picture(lambda: kept.append(offscreen_picture()))
second = kept[0]""",
    "window while offscreen is open": """
from juggle_anim.render import Offscreen
from juggle_anim.render.context import EglContext
from juggle_anim.render.gl_objects import largest_size
kept = Offscreen(321, 243)
first = window_picture()
second = kept.image(SCENE)""",
}


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(steps, id=name, marks=pytest.mark.long if "first" in name else ())
        for name, steps in ORDERS.items()
    ],
)
def test_a_window_shows_the_same_pixels_in_either_order(
    display: dict[str, str], steps: str
) -> None:
    text = BOTH.format(tests=str(SUPPORT), steps=steps)
    done = subprocess.run(
        [sys.executable, "-c", text], env=display, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout.strip()) == (0, "same"), done.stderr


def test_two_of_them_draw_the_same_picture_whatever_they_drew_before() -> None:
    with Offscreen(160, 120) as one, Offscreen(160, 120) as two, Offscreen(97, 200) as other:
        first = one.image(SCENE)
        other.image(SCENE)
        two.image(scene())
        assert (two.image(SCENE) == first).all()
        assert (one.image(SCENE) == first).all()


def test_a_picture_is_read_into_the_array_given() -> None:
    out = np.zeros((60, 80, 3), dtype=np.uint8)
    with Offscreen(80, 60) as offscreen:
        offscreen.draw(SCENE)
        assert offscreen.read(out) is out
        assert (out == offscreen.image(SCENE)).all()


def test_the_top_row_comes_first() -> None:
    with Offscreen(80, 60) as offscreen:
        picture = offscreen.image(scene([sphere((0.0, 2.0, 0.0), 0.2, GREEN)])).astype(int)
    greenish = picture[..., 1] - picture[..., 0] > 50
    assert greenish[:30].any()
    assert not greenish[30:].any()


@pytest.mark.parametrize("size", [(0, 480), (640, -1), (10**6, 480), (640, 10**9)])
def test_a_size_that_cannot_be_drawn_is_refused_in_one_line(size: tuple[int, int]) -> None:
    with pytest.raises(RenderError, match="pixels") as refused:
        Offscreen(*size)
    assert "\n" not in str(refused.value)


# Asked in a process of its own, since libraries are loaded once.
MISSING = """
import ctypes
from juggle_anim.errors import RenderError
from juggle_anim.render import Offscreen
from juggle_anim.render.context import EglContext
from juggle_anim.render.gl_objects import largest_size
def missing(name):
    raise OSError(f"{name}: cannot open shared object file")
ctypes.CDLL = missing
try:
    Offscreen(64, 48)
except RenderError as error:
    print(error)
"""


def test_missing_libraries_are_named_in_a_line_with_the_way_to_get_them() -> None:
    done = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
    assert "apt-get install libegl1 libgl1" in done.stdout


def test_it_may_be_closed_twice() -> None:
    with Offscreen(16, 16) as other:
        offscreen = Offscreen(16, 16)
        offscreen.close()
        offscreen.close()
        assert other.image(SCENE).shape == (16, 16, 3)


@pytest.mark.parametrize(
    "environment", [{}, {"PYOPENGL_PLATFORM": "osmesa", "WAYLAND_DISPLAY": "wayland-0"}]
)
def test_it_works_without_a_display_and_leaves_pyglet_unloaded(environment: dict[str, str]) -> None:
    text = (
        "import sys; sys.path.insert(0, sys.argv[1]); from drawn_scenes import SCENE\n"
        "from juggle_anim.render import Offscreen\n"
        "with Offscreen(64, 48) as offscreen: offscreen.image(SCENE)\n"
        "assert not any(name.startswith('pyglet') for name in sys.modules)"
    )
    command = [sys.executable, "-c", text, str(SUPPORT)]
    done = subprocess.run(
        command,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def test_many_pictures_are_those_that_are_drawn_one_by_one() -> None:
    scenes = [scene([sphere((0.1 * number, 1.0, 0.0), 0.2, GREEN)]) for number in range(5)]
    for transparent in (False, True):
        with Offscreen(160, 120, transparent) as offscreen:
            single = [offscreen.image(each) for each in scenes]
            many = list(offscreen.images(scenes))
            assert all((one == other).all() for one, other in zip(single, many, strict=True))
            assert len({each.ctypes.data for each in many}) == len(scenes)
            assert list(offscreen.images([])) == []


def test_drawing_many_pictures_may_end_before_its_time() -> None:
    with Offscreen(160, 120) as offscreen:
        first = offscreen.image(SCENE)
        pictures = offscreen.images([SCENE] * 4)
        assert (next(pictures) == first).all()
        pictures.close()
        assert (offscreen.image(SCENE) == first).all()


def test_pictures_too_large_for_two_come_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("juggle_anim.render.offscreen.LARGE", 10)
    with Offscreen(160, 120) as offscreen:
        assert all((each == offscreen.image(SCENE)).all() for each in offscreen.images([SCENE] * 2))


def test_a_context_within_another_gives_the_outer_one_back() -> None:
    outer, inner = EglContext(), EglContext()
    with outer:
        with inner:
            pass
        assert largest_size() > 0, "without a context nothing is known of any size"
    inner.close()
    outer.close()


def test_the_next_pictures_are_drawn_in_the_same_context_but_not_after_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, new = [], offscreen_module._new_renderer
    monkeypatch.setattr(offscreen_module, "_IDLE_RENDERERS", [])
    monkeypatch.setattr(offscreen_module, "_new_renderer", lambda: made.append(new()) or made[-1])
    with Offscreen(160, 120) as first:
        expected = first.image(SCENE)
    with Offscreen(40, 30, transparent=True) as other:
        other.image(scene([sphere((0.1, 1.0, 0.0), 0.2, GREEN)]))
    with contextlib.suppress(KeyError), Offscreen(160, 120) as again:
        assert (again.image(SCENE) == expected).all()
        raise KeyError
    assert len(made) == 1
    with Offscreen(160, 120) as fresh:
        assert (fresh.image(SCENE) == expected).all()
    assert len(made) == 2
