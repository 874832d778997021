"""The gizmo: arrows, and rings where it can be turned, with which the mouse drags a goal."""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import imgui
from imgui_bundle.imguizmo import im_guizmo

from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera
from juggle_anim.viewer.arm_lab import ArmLab
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.theme import Theme

SIZE = 60.0
"""Length of its arrows at scale 1, [pixels]."""

_RINGS = 46.0
_MARGIN = 1.25  # what lies within this many lengths of its middle is no place to take the camera


def draw_gizmo(lab: ArmLab, look: Theme, layout: Layout, camera: Camera) -> None:
    """Draw the gizmo at the goal and move the goal as the mouse asks."""
    im_guizmo.begin_frame()
    im_guizmo.set_orthographic(camera.orthographic)
    im_guizmo.set_drawlist(imgui.get_background_draw_list())
    im_guizmo.set_rect(0.0, 0.0, layout.width, layout.height)
    _style(look)
    if lab.turning and lab.iterative:
        _manipulate(lab, layout, camera, im_guizmo.OPERATION.rotate, look.size(_RINGS))
    _manipulate(lab, layout, camera, im_guizmo.OPERATION.translate, look.size(SIZE))


def _manipulate(lab: ArmLab, layout: Layout, camera: Camera, operation: im_guizmo.OPERATION, size: float) -> None:
    place = np.eye(4)
    place[:3, :3], place[:3, 3] = lab.turn, lab.goal
    matrix = _matrix(place)
    view, projection = _matrix(camera.view()), _matrix(camera.projection(layout.width / layout.height))
    im_guizmo.set_gizmo_size_clip_space(2 * size / layout.width)
    im_guizmo.push_id(operation.value)
    turns = operation == im_guizmo.OPERATION.rotate
    mode = im_guizmo.MODE.local if turns else im_guizmo.MODE.world
    if im_guizmo.manipulate(view, projection, operation, mode, matrix):
        moved = np.asarray(matrix.values, dtype=float).reshape(4, 4).T
        lab.place(moved[:3, 3], _rotation(moved[:3, :3]) if turns else None)
    im_guizmo.pop_id()


def covers(lab: ArmLab, layout: Layout, camera: Camera, x: float, y: float) -> bool:
    """Whether a place in the window belongs to the gizmo, [pixels] from the upper left corner."""
    left, top = on_screen(lab.goal, layout, camera)
    return math.hypot(x - left, y - top) < _MARGIN * SIZE * layout.scale


def on_screen(point: Floats, layout: Layout, camera: Camera) -> tuple[float, float]:
    """Where a point of the world is in the window, [pixels] from the upper left corner."""
    clip = camera.projection(layout.width / layout.height) @ camera.view() @ np.append(point, 1.0)
    across, up = clip[:2] / clip[3]
    return (1 + across) / 2 * layout.width, (1 - up) / 2 * layout.height


def _matrix(rows: Floats) -> im_guizmo.Matrix16:
    return im_guizmo.Matrix16(rows.T.ravel().tolist())


def _rotation(matrix: Floats) -> Floats:
    """The rotation nearest to a matrix: the library adds up small errors."""
    left, _, right = np.linalg.svd(matrix)
    return np.asarray(left @ right)


def _style(look: Theme) -> None:
    style = im_guizmo.get_style()
    style.translation_line_thickness = look.size(3.5)
    style.translation_line_arrow_size = look.size(7)
    style.rotation_line_thickness = look.size(2.5)
    style.center_circle_size = look.size(6)
