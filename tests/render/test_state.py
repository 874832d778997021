import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from drawn_scenes import SCENE

from juggle_anim.render import Offscreen, Renderer, gl
from juggle_anim.render.context import EglContext
from juggle_anim.render.gl_objects import Canvas, RenderTarget

DIRT = {
    "blending": lambda: (
        gl.glEnable(gl.GL_BLEND),
        gl.glBlendEquation(gl.GL_MAX),
        gl.glBlendFunc(gl.GL_ZERO, gl.GL_ONE),
    ),
    "culling": lambda: (gl.glEnable(gl.GL_CULL_FACE), gl.glCullFace(gl.GL_FRONT_AND_BACK)),
    "depth": lambda: (
        gl.glEnable(gl.GL_DEPTH_TEST),
        gl.glDepthFunc(gl.GL_NEVER),
        gl.glDepthMask(0),
        gl.glClearDepth(0.0),
    ),
    "scissor": lambda: (gl.glEnable(gl.GL_SCISSOR_TEST), gl.glScissor(3, 3, 5, 5)),
    "viewport": lambda: gl.glViewport(7, 7, 3, 3),
    "masks": lambda: (
        gl.glColorMask(0, 0, 0, 0),
        gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_LINE),
    ),
    "bindings": lambda: (
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, 5, 0),
        gl.glActiveTexture(gl.GL_TEXTURE0 + 3),
        gl.glBindTexture(gl.GL_TEXTURE_2D, 0),
        gl.glBindVertexArray(0),
        gl.glUseProgram(0),
    ),
    "packing": lambda: (
        gl.glPixelStorei(gl.GL_PACK_ROW_LENGTH, 7),
        gl.glPixelStorei(gl.GL_PACK_SKIP_ROWS, 2),
    ),
}


@pytest.fixture
def context() -> Iterator[None]:
    held = EglContext()
    with held:
        yield
    held.close()


@pytest.mark.parametrize("dirt", DIRT.values(), ids=DIRT.keys())
def test_state_that_an_overlay_leaves_behind_changes_nothing(context: None, dirt: object) -> None:
    renderer, canvas = Renderer(), Canvas(90, 70)
    pictures = np.zeros((2, 70, 90, 3), dtype=np.uint8)
    for picture in pictures:
        renderer.draw(SCENE, RenderTarget((90, 70), canvas.framebuffer))
        canvas.read(picture)
        assert callable(dirt)
        dirt()
    assert np.ptp(pictures[0]) > 50
    assert (pictures[0] == pictures[1]).all()
    renderer.close()


def test_a_minimised_window_gets_nothing(context: None) -> None:
    renderer, canvas = Renderer(), Canvas(90, 70)
    renderer.draw(SCENE, RenderTarget((0, 0), canvas.framebuffer))
    picture = np.ones((70, 90, 3), dtype=np.uint8)
    canvas.read(picture)
    assert not picture.any()
    renderer.close()


def test_drawing_does_not_change_the_scene() -> None:
    before = SCENE.spheres.copy(), SCENE.capsules.copy()
    with Offscreen(32, 32) as offscreen:
        offscreen.image(SCENE)
    assert (before[0] == SCENE.spheres).all()
    assert (before[1] == SCENE.capsules).all()


def test_an_opengl_that_cannot_be_loaded_is_an_error_of_ours() -> None:
    text = (
        "import sys; sys.modules['OpenGL.raw'] = None\n"
        "from juggle_anim.errors import RenderError\n"
        "try: import juggle_anim.render\n"
        "except RenderError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300)
    assert "apt-get install libegl1 libgl1" in done.stdout, done.stderr
    assert done.stdout.count("\n") == 1
