"""The camera rig: frames the pattern in the free part of the window, until a hand takes the camera."""

from __future__ import annotations

import math
from dataclasses import replace

from juggle_anim.animation import AZIMUTH, ELEVATION, Animation
from juggle_anim.scene import Camera
from juggle_anim.scene.standpoints import STANDPOINTS
from juggle_anim.scene.stereo import aspect_of_one
from juggle_anim.viewer.eyes import FIELD_OF_VIEW, seen_by
from juggle_anim.viewer.following import Following, Place, frame_juggler
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.orbit import Orbit

USUAL, EYES = "usual", "eyes"
"""Views: the one that a new window has, and what a juggler sees; all others are in `STANDPOINTS`."""

_HASTE = 11.0  # how fast a camera goes to its goal, [1/s]


class CameraRig:
    """Holds the camera of a window. Its `camera` is what `aim` found last."""

    def __init__(self) -> None:
        self.held = False
        """Whether a hand has moved the camera, so that it no longer frames the pattern by itself."""
        self.settled = False
        """Whether the camera has come to rest."""
        self.view = USUAL
        """From where it frames the pattern."""
        self.following = Following()
        self.camera: Camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))
        self._orbit = Orbit.of(self.camera)
        self._shift = (0.0, 0.0)
        self._framed: tuple[Animation, Layout, str, Place | None, Camera] | None = None
        self._size = (0, 0)
        self._stood: Place | None = None

    @property
    def orbit(self) -> Orbit:
        """Where the camera is."""
        return self._orbit

    def hold(self, orbit: Orbit) -> None:
        """Put the camera somewhere, as if a hand had moved it there."""
        self._take(orbit)

    def turn(self, across: float, down: float) -> None:
        """Turn around the target, as a hand drags, in heights of the window."""
        self._take(self._orbit.turned(self._seen(across), down))

    def move(self, across: float, down: float) -> None:
        """Move sideways, as a hand drags, in heights of the window."""
        self._take(self._orbit.moved(self._seen(across), down))

    def zoom(self, clicks: float) -> None:
        """Go nearer by some clicks of the wheel."""
        self._take(self._orbit.zoomed(clicks))

    def release(self) -> None:
        """Frame the pattern again, from where it usually is seen."""
        self.fly(USUAL)

    def fly(self, view: str) -> None:
        """Go to a view: one of `STANDPOINTS`, or `EYES`."""
        self.view, self.held, self.settled = view, False, False

    def follow(self, jugglers: int) -> None:
        """Go along with the next of so many jugglers; after the last one, see them all."""
        self.following, self.held, self.settled = self.following.next(jugglers), False, False

    def aim(self, animation: Animation, layout: Layout, elapsed: float, time: float = 0.0) -> None:
        """Bring the camera nearer to its goal, smoothly, or at once where the window is new or has another size.

        Args:
            animation: what is to be seen.
            layout: of the window.
            elapsed: since the last time, [s].
            time: of the picture, [s].
        """
        self.following = self.following.within(animation.jugglers)
        place = self.following.place(animation, time) if self.following.juggler is not None else None
        eyes = self.view == EYES and not self.held
        framed = self.camera if eyes or self.held else self._frame(animation, layout, place)
        goal, shift = self._goal(animation, layout, framed, time, place), (0.0, 0.0) if eyes else layout.shift
        size = layout.width, layout.height
        share = 1.0 if size != self._size else 1.0 - math.exp(-_HASTE * elapsed)
        self._size, self._stood = size, place
        # What a hand holds obeys at once.
        self._orbit = goal if self.held else self._orbit.toward(goal, share)
        self._shift = _between(self._shift, shift, share)
        self.settled = self._orbit.close_to(goal) and math.dist(self._shift, shift) < 1e-3
        if self.settled:
            self._orbit, self._shift = goal, shift
        # Where nothing covers the picture, it is the very camera of an export.
        whole = Rectangle(0.0, 0.0, layout.width, layout.height)
        bare = self.settled and not self.held and not eyes and layout.free == whole
        # Nobody's eyes see without a perspective.
        flat = animation.parameters.projection == "orthographic" and not eyes
        self.camera = framed if bare else self._orbit.camera(self._shift, _mirrored(animation), flat)

    def _goal(self, animation: Animation, layout: Layout, framed: Camera, time: float, place: Place | None) -> Orbit:
        angle = math.radians(animation.parameters.field_of_view)
        if self.held:
            # Along with whom it follows, by what they moved.
            x, y, z = place.since(self._stood) if place and self._stood else (0.0, 0.0, 0.0)
            target = self._orbit.target
            return replace(self._orbit, target=(target[0] + x, target[1] + y, target[2] + z)).widened(angle)
        if self.view == EYES:
            # What is right ahead is seen in the middle of the free part.
            aside = math.atan(layout.shift[0] * math.tan(FIELD_OF_VIEW / 2))
            return seen_by(animation, self.following.juggler or 0, time, -aside if _mirrored(animation) else aside)
        return replace(Orbit.of(framed), field_of_view=angle)

    def _seen(self, across: float) -> float:
        return -across if self.camera.mirrored else across

    def _take(self, orbit: Orbit) -> None:
        self._orbit, self.held, self.settled = orbit, True, False

    def _frame(self, animation: Animation, layout: Layout, place: Place | None) -> Camera:
        """The camera that sees the whole pattern in the free part, which it takes for the whole picture."""
        seen = animation, layout, self.view, place
        known = self._framed
        if known is None or known[0] is not animation or known[1:4] != seen[1:]:
            free, angle = layout.free, math.radians(animation.parameters.field_of_view)
            if free.height != layout.height:
                angle = 2 * math.atan(math.tan(angle / 2) * free.height / layout.height)
            self._framed = *seen, _framing(animation, self.view, place, free.width / free.height, angle)
            return self._framed[4]
        return known[4]


def _framing(animation: Animation, view: str, place: Place | None, aspect: float, field_of_view: float) -> Camera:
    aspect = aspect_of_one(animation.parameters.stereo, aspect)
    azimuth, elevation = (None if angle is None else math.radians(angle) for angle in STANDPOINTS[view])
    around = AZIMUTH if azimuth is None else azimuth
    if place is None:
        return animation.camera(aspect, around, elevation, field_of_view)
    return frame_juggler(animation, place, aspect, around, ELEVATION if elevation is None else elevation, field_of_view)


def _mirrored(animation: Animation) -> bool:
    return animation.parameters.mirror == "on"


def _between(first: tuple[float, float], second: tuple[float, float], share: float) -> tuple[float, float]:
    return first[0] + share * (second[0] - first[0]), first[1] + share * (second[1] - first[1])
