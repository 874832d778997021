"""The picture of a window: which animations are seen, where, and from which camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.scene import Camera
from juggle_anim.scene.stereo import OFF, is_pair, side_by_side
from juggle_anim.viewer.ahead import Ahead
from juggle_anim.viewer.camera_rig import CameraRig
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.model import LEFT, RIGHT, Model
from juggle_anim.viewer.orbit import Orbit

if TYPE_CHECKING:
    from juggle_anim.render import Renderer
    from juggle_anim.render.area import Area


LABEL = 40.0
"""What a label takes from the top of a half, at scale 1, [pixels]."""


_NARROWEST = 8  # pixels that are divided; a window may have next to none


@dataclass(frozen=True)
class Part:
    """A part of the window with a picture of its own.

    Args:
        animation: what is seen in it.
        rig: of its camera.
        area: where it is.
        layout: what is free in it, as if it were the whole window.
    """

    animation: Animation
    rig: CameraRig
    area: Area
    layout: Layout

    @property
    def sights(self) -> list[tuple[Camera, Area]]:
        """The cameras that see it, one or two side by side, and where."""
        camera, stereo = self.rig.camera, self.animation.parameters.stereo
        if not is_pair(stereo):
            return [(camera, self.area)]
        return list(zip(side_by_side(camera, stereo), self.area.halves, strict=True))


def parts(model: Model, layout: Layout) -> list[Part]:
    """The parts of the window, the model's own first.

    Pictures side by side are of the same size, and beside the panel; the first goes on behind it.
    """
    from juggle_anim.render.area import Area

    other, own = model.other, model.animation
    # A goal is shown alone: it is taken hold of in one picture.
    pair = is_pair(own.parameters.stereo) and model.lab is None
    left = int(layout.free.left)
    if ((other is None or model.lab) and not pair) or layout.width - left < _NARROWEST:
        return [Part(own, model.rig, Area(0, 0, layout.width, layout.height), layout)]
    whole = Area(left, 0, layout.width - left, layout.height, left)
    if other is None or model.lab:
        return [Part(own, model.rig, whole, _within(layout, whole))]
    halves, label = whole.halves, LABEL * layout.scale
    mine, others = halves[model.half], halves[RIGHT - model.half]
    return [
        Part(own, model.rig, mine, _within(layout, mine, label)),
        Part(other.animation, other.rig, others, _within(layout, others, label)),
    ]


def half_at(model: Model, layout: Layout, x: float) -> int:
    """The half in which a place is, [pixels] from the left edge of the window; of a single picture, the chosen one."""
    seen = parts(model, layout)
    if len(seen) == 1:
        return model.half
    return RIGHT if x >= max(part.area.left for part in seen) else LEFT


class Picture:
    """Aims the cameras of all parts, and draws these."""

    def __init__(self) -> None:
        self._ahead = Ahead(), Ahead()
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
        seen = parts(model, layout)
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
        for part, ahead in zip(parts(model, layout), self._ahead, strict=False):
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


def _within(layout: Layout, area: Area, label: float = 0.0) -> Layout:
    """What is free in an area below a label so high, as if the area were the whole window."""
    bar, strip = (replace(card, left=card.left - area.left) if card else None for card in (layout.bar, layout.strip))
    top = layout.free.top + label
    head = Rectangle(0.0, 0.0, area.width, top) if top else None
    return Layout(area.width, layout.height, layout.scale, None, bar, strip, head)
