"""Parts of the picture: one, halves of a split view, one for each eye, or nine of a sheet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import (
    Camera,
    Cone,
    Scene,
    Sphere,
    Viewport,
    is_side_by_side,
    light_axes,
    side_by_side,
)
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.layout import Layout, Rectangle, project_points
from juggle_anim.viewer.state.live_change import LEFT, RIGHT, LiveChange
from juggle_anim.viewer.state.model import Model

LABEL_HEIGHT = 40.0
"""Height of a label above a half, at scale 1, [pixels]."""

_WIDEST_SOLID = 0.2  # m, radius of limbs and props
_MIN_SPLIT_WIDTH = 8  # pixels; a narrower window is not split
_SHEET_SIDE = 3  # pictures in each row and column of the sheet
_SHEET_GAP = 6.0  # between the pictures of a sheet, at scale 1, [pixels]


@dataclass(frozen=True)
class PicturePart:
    """A part of the window with a picture of its own.

    Args:
        animation: shown in it.
        live: what is juggled there.
        rig: rig of its camera.
        area: area in the window.
        layout: its free space, as if it were the whole window.
    """

    live: LiveChange
    rig: CameraRig
    area: Viewport
    layout: Layout

    @property
    def animation(self) -> Animation:
        """What is shown there."""
        return self.live.now.animation

    @property
    def views(self) -> list[tuple[Camera, Viewport]]:
        """Its cameras, one or two side by side, and their areas."""
        camera = self.rig.camera
        stereo = self.animation.parameters.stereo
        if not is_side_by_side(stereo):
            return [(camera, self.area)]
        return list(zip(side_by_side(camera, stereo), self.area.halves, strict=True))


def picture_parts(model: Model, layout: Layout) -> list[PicturePart]:
    """Return the parts of the window that show an animation each: two in a split view, else one.

    The active half of a split view comes first. A single picture fills the window, also behind the
    cards. Pictures side by side, of a split view or for two eyes, share the area right of the panel
    in equal halves; the left one continues behind the panel. A narrow window shows one picture.

    Args:
        model: model of the viewer: its animations, and whether pictures are stereoscopic.
        layout: layout of the window.
    """
    other = model.other
    own = model.animation
    # The arm lab has a single picture, in which its goal is dragged.
    has_halves = other is not None and not model.lab
    has_eyes = is_side_by_side(own.parameters.stereo) and model.lab is None
    left = int(layout.free.left)
    is_narrow = layout.width - left < _MIN_SPLIT_WIDTH
    if is_narrow or not (has_halves or has_eyes):
        return [
            PicturePart(
                model.live,
                model.rig,
                area=Viewport(0, 0, layout.width, layout.height),
                layout=layout,
            )
        ]
    whole = Viewport(left, 0, layout.width - left, layout.height, left)
    if other is None or model.lab:
        # One animation, whose pictures for two eyes share its area.
        return [PicturePart(model.live, model.rig, whole, _layout_within(layout, whole))]
    # Each half has room for a label at the top. `half` is 0 for the left one, and `RIGHT`, which is
    # 1, for the right one.
    halves = whole.halves
    label_height = LABEL_HEIGHT * layout.scale
    own_area = halves[model.half]
    other_area = halves[RIGHT - model.half]
    return [
        PicturePart(
            model.live, model.rig, own_area, _layout_within(layout, own_area, label_height)
        ),
        PicturePart(
            other.live, other.rig, other_area, _layout_within(layout, other_area, label_height)
        ),
    ]


def sheet_areas(layout: Layout) -> list[Viewport]:
    """Return areas of nine pictures in three rows of the free part of the window.

    They go from left to right and from the top down, with gaps between and around them that are
    equal except for rounding to pixels.

    Args:
        layout: layout of the window, whose free part is divided.

    Returns:
        Nine areas, [pixels], whose rows count from the lower edge of the window, as in OpenGL.
    """
    free = layout.free  # its `top` counts from the upper edge of the window
    gap = _SHEET_GAP * layout.scale
    gaps = _SHEET_SIDE + 1
    width = (free.width - gaps * gap) / _SHEET_SIDE
    height = (free.height - gaps * gap) / _SHEET_SIDE
    lefts = [free.left + gap + column * (width + gap) for column in range(_SHEET_SIDE)]
    tops = [free.top + gap + row * (height + gap) for row in range(_SHEET_SIDE)]
    size = max(int(width), 1), max(int(height), 1)
    return [
        Viewport(int(left), layout.height - int(top) - size[1], *size)
        for top in tops
        for left in lefts
    ]


def sheet_place_at(layout: Layout, x: float, y: float) -> int | None:
    """Return the index of the sheet's picture at a point of the window, [pixels]."""
    from_below = layout.height - y
    for number, area in enumerate(sheet_areas(layout)):
        if 0 <= x - area.left < area.width and 0 <= from_below - area.bottom < area.height:
            return number
    return None


def half_at(model: Model, layout: Layout, x: float) -> int:
    """Return the half at x, [pixels] from the left edge of the window.

    The chosen half if the window is not split.
    """
    seen = picture_parts(model, layout)
    if len(seen) == 1:
        return model.half
    return RIGHT if x >= max(part.area.left for part in seen) else LEFT


def place_at(model: Model, layout: Layout, x: float, y: float) -> tuple[float, float]:
    """Return the coordinates of a point of the window in the picture that is there.

    In a stereoscopic view it is the picture of one eye.

    Args:
        model, layout: the model and the layout of the window.
        x, y: the point, [pixels] from the upper left corner of the window.

    Returns:
        x to the right and y up from the middle of that picture, in half heights of the picture.
    """
    areas = [area for part in picture_parts(model, layout) for _, area in part.views]
    # Outside all pictures, as over the panel, use the first one.
    area = next((area for area in areas if 0 <= x - area.left < area.width), areas[0])
    half = area.height / 2
    return (x - area.left - area.width / 2) / half, (half - y) / half


def _layout_within(layout: Layout, area: Viewport, label: float = 0.0) -> Layout:
    """Return the layout of an area below a label, as if the area were the window."""
    bar, strip = (
        replace(card, left=card.left - area.left) if card else None
        for card in (layout.bar, layout.strip)
    )
    top = layout.free.top + label
    head = Rectangle(0.0, 0.0, area.width, top) if top else None
    return Layout(area.width, layout.height, layout.scale, bar=bar, strip=strip, head=head)


def may_move_behind(part: PicturePart, scene: Scene, panel: Rectangle) -> bool:
    """Return whether something that moves in a scene may be seen behind the panel or left of it.

    If not, the pixels of the panel can be kept. Shadows count only left of the panel, as they are
    hardly seen through it.

    Args:
        part: the part of the window that shows the scene.
        scene: what is drawn there.
        panel: place of the panel in the window, [pixels].
    """
    # Bodies are represented by their figures of low detail in place of all limbs; capsules after
    # the limbs are parts of clubs. Cones have two ends, balls and boxes a centre.
    cones = (scene.capsules[scene.limb_count :], scene.arcs, scene.traces, scene.ghosts)
    figures = scene.low_detail.reshape(-1, Cone.WIDTH)
    balls = (scene.spheres, scene.rings, scene.boxes, scene.bubbles)
    points = np.concatenate(
        [rows[:, Sphere.CENTRE] for rows in (*balls, figures, *cones)]
        + [rows[:, Cone.END] for rows in (figures, *cones)]
    )
    # Shadows on the floor, y = 0: along the light from each point.
    to_light = light_axes(scene.stage)[2]
    shadows = points - points[:, 1:2] * (to_light / to_light[1])
    # Solids are wider than these points: move all to the left in the picture, by the radius of the
    # widest solid, [m].
    camera = part.rig.camera
    right_axis = camera.view()[0, :3] * (-1.0 if camera.mirrored else 1.0)
    left_edges = np.concatenate([points, shadows]) - _WIDEST_SOLID * right_axis
    seen = project_points(left_edges, camera, part.layout.place_of(part.area))
    # Points have to be right of the panel, and shadows right of its left edge.
    bounds = np.repeat((panel.right, panel.left), len(points))
    # Points behind the camera are NaN, which is not greater than any bound, so they count too.
    return not bool((seen[:, 0] > bounds).all())
