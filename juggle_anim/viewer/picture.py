"""The picture of a window: which animations are seen, where, and from which camera.

MERGED: Scenes solved ahead: the next pictures of a pattern that plays are known, and many at once cost little more.

MERGED: The pixels of a window.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Bytes
from juggle_anim.scene import Camera, Scene, Scenes
from juggle_anim.scene.camera import OFF, is_side_by_side, side_by_side
from juggle_anim.viewer.cards.layout import Layout, Rectangle
from juggle_anim.viewer.state.camera_rig import CameraRig
from juggle_anim.viewer.state.model import LEFT, RIGHT, Model
from juggle_anim.viewer.state.orbit import Orbit

if TYPE_CHECKING:
    from juggle_anim.render import Renderer
    from juggle_anim.render.framebuffer import Viewport


LABEL_HEIGHT = 40.0
"""What a label takes from the top of a half, at scale 1, [pixels]."""

_NARROWEST = 8  # pixels that are divided; a window may have next to none

BATCH_SIZE = 16
"""Pictures that are solved together."""

_SAME_TIME = 1e-9

_STILL = 4  # pixels that a hand moves without meaning to


@dataclass(frozen=True)
class PicturePart:
    """A part of the window with a picture of its own.

    Args:
        animation: what is seen in it.
        rig: of its camera.
        area: where it is.
        layout: what is free in it, as if it were the whole window.
    """

    animation: Animation
    rig: CameraRig
    area: Viewport
    layout: Layout

    @property
    def sights(self) -> list[tuple[Camera, Viewport]]:
        """The cameras that see it, one or two side by side, and where."""
        camera, stereo = self.rig.camera, self.animation.parameters.stereo
        if not is_side_by_side(stereo):
            return [(camera, self.area)]
        return list(zip(side_by_side(camera, stereo), self.area.halves, strict=True))


def picture_parts(model: Model, layout: Layout) -> list[PicturePart]:
    """The parts of the window, the model's own first.

    Pictures side by side are of the same size, and beside the panel; the first goes on behind it.
    """
    from juggle_anim.render.framebuffer import Viewport

    other, own = model.other, model.animation
    # A goal is shown alone: it is taken hold of in one picture.
    pair = is_side_by_side(own.parameters.stereo) and model.lab is None
    left = int(layout.free.left)
    if ((other is None or model.lab) and not pair) or layout.width - left < _NARROWEST:
        return [PicturePart(own, model.rig, Viewport(0, 0, layout.width, layout.height), layout)]
    whole = Viewport(left, 0, layout.width - left, layout.height, left)
    if other is None or model.lab:
        return [PicturePart(own, model.rig, whole, _within(layout, whole))]
    halves, label = whole.halves, LABEL_HEIGHT * layout.scale
    mine, others = halves[model.half], halves[RIGHT - model.half]
    return [
        PicturePart(own, model.rig, mine, _within(layout, mine, label)),
        PicturePart(other.animation, other.rig, others, _within(layout, others, label)),
    ]


def half_at(model: Model, layout: Layout, x: float) -> int:
    """The half in which a place is, [pixels] from the left edge of the window; of a single picture, the chosen one."""
    seen = picture_parts(model, layout)
    if len(seen) == 1:
        return model.half
    return RIGHT if x >= max(part.area.left for part in seen) else LEFT


class Picture:
    """Aims the cameras of all parts, and draws these."""

    def __init__(self) -> None:
        self._ahead = ScenePrefetch(), ScenePrefetch()
        self._was: tuple[CameraRig, Orbit] | None = None
        self._aimed: list[CameraRig] = []

    def settled(self, model: Model) -> bool:
        """Whether the cameras of all that is seen have come to rest."""
        return model.rig.settled and all(rig.settled for rig in self._aimed)

    def aim(self, model: Model, layout: Layout, elapsed: float) -> None:
        """Bring the cameras nearer to their goals; that of the other half moves as the model's own was moved."""
        other = model.other
        if other:
            before = self._was[1] if self._was and self._was[0] is model.rig else model.rig.orbit
            _go_along(other.rig, model.rig, before)
        seen = picture_parts(model, layout)
        for part in seen:
            part.rig.aim(part.animation, part.layout, elapsed, model.playback.time)
        self._aimed = [part.rig for part in seen]
        self._was = model.rig, model.rig.orbit

    def draw(self, renderer: Renderer, model: Model, layout: Layout) -> None:
        """Draw all parts into the window."""
        size, lab = (layout.width, layout.height), model.lab
        if lab:
            lab.show(model.animation, model.playback.time)
            lab.run()
            renderer.draw(replace(lab.scene(model.rig.camera), stereo=OFF), *size)
            return
        step = model.playback.step_at(model.animation.parameters.speed)
        for part, ahead in zip(picture_parts(model, layout), self._ahead, strict=False):
            scene = ahead.scene(part.animation, model.playback.time, step, part.rig.camera)
            renderer.draw(scene, *size, area=part.area)


def _go_along(rig: CameraRig, own: CameraRig, before: Orbit) -> None:
    """Move a camera as another one was moved by hand, or send it where that one was sent."""
    now, orbit = own.orbit, rig.orbit
    if own.held and (now != before or not rig.held):
        x, y, z = (at + to - was for at, to, was in zip(orbit.target, now.target, before.target, strict=True))
        distance = orbit.distance * now.distance / before.distance
        rig.hold(Orbit((x, y, z), distance, now.azimuth, now.elevation, orbit.field_of_view))
    elif not own.held and (rig.held or rig.view != own.view):
        rig.fly(own.view)
    if rig.following != own.following:
        rig.following, rig.settled = own.following, False


def _within(layout: Layout, area: Viewport, label: float = 0.0) -> Layout:
    """What is free in an area below a label so high, as if the area were the whole window."""
    bar, strip = (replace(card, left=card.left - area.left) if card else None for card in (layout.bar, layout.strip))
    top = layout.free.top + label
    head = Rectangle(0.0, 0.0, area.width, top) if top else None
    return Layout(area.width, layout.height, layout.scale, None, bar, strip, head)


class ScenePrefetch:
    """Gives the scenes of an animation that is mostly asked for in even steps of time."""

    def __init__(self) -> None:
        self._animation: Animation | None = None
        self._scenes: Scenes | None = None
        self._first = self._step = self._last = 0.0

    def scene(self, animation: Animation, time: float, step: float, camera: Camera) -> Scene:
        """The scene at one time, from what was solved ahead if it is there.

        Args:
            animation: what plays; another one than last time makes all that was solved void.
            time: [s] of the pattern's own time.
            step: how far time goes on from picture to picture while it plays, or back, [s].
            camera: where the picture is taken from.
        """
        if self._scenes is None or animation is not self._animation or step != self._step:
            self._solve(animation, time, step, 1, camera)
        elif self._place(time) is None:
            goes_on = step != 0 and 0 < (time - self._last) / step < BATCH_SIZE / 2
            self._solve(animation, time, step, BATCH_SIZE if goes_on else 1, camera)
        self._last = time
        place, scenes = self._place(time), self._scenes
        assert place is not None
        assert scenes is not None
        return replace(scenes[place], camera=camera)

    def _place(self, time: float) -> int | None:
        """Where among the scenes solved this time is, if it is there."""
        place = round((time - self._first) / self._step) if self._step else 0
        there = abs(self._first + place * self._step - time) < _SAME_TIME
        return place if there and 0 <= place < len(self._scenes or ()) else None

    def _solve(self, animation: Animation, time: float, step: float, count: int, camera: Camera) -> None:
        self._animation, self._first, self._step = animation, time, step
        self._scenes = animation.scenes(time + step * np.arange(float(count)), camera)


def read_pixels(width: int, height: int) -> Bytes:
    """What was drawn into the current window, and is not shown yet: shape (height, width, 3), sRGB, top row first."""
    # It chooses how to load OpenGL by whether there is a window.
    from juggle_anim.render import gl

    rows = np.empty((height, width, 3), dtype=np.uint8)
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, 0)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glReadPixels(0, 0, width, height, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, ctypes.c_void_p(rows.ctypes.data))
    return rows[::-1]


class ClickDetector:
    """Tells a click on the picture from the beginning of a drag."""

    def __init__(self) -> None:
        self._at: tuple[float, float] | None = None

    def press(self, x: float, y: float) -> None:
        """A button goes down on the picture, [pixels]."""
        self._at = x, y

    def move(self, x: float, y: float) -> None:
        """The mouse moves with the button down."""
        if self._at and max(abs(x - self._at[0]), abs(y - self._at[1])) > _STILL:
            self._at = None

    def release(self) -> bool:
        """The button comes up; return whether that was a click."""
        clicked, self._at = self._at is not None, None
        return clicked
