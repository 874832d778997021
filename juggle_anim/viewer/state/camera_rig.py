"""The camera rig: frames the pattern in the free part of the window, until a hand takes the camera.

MERGED: Following: a camera that goes along with one juggler.

MERGED: What a juggler sees: a camera between their eyes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.animation import AZIMUTH, ELEVATION, Animation
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.scene import Camera, frame_points
from juggle_anim.scene.camera import CAMERA_PRESETS, aspect_per_eye
from juggle_anim.viewer.cards.layout import Layout, Rectangle
from juggle_anim.viewer.state.orbit import Orbit

USUAL, EYES = "usual", "eyes"
"""Views: the one that a new window has, and what a juggler sees; all others are in `STANDPOINTS`."""

_HASTE = 11.0  # how fast a camera goes to its goal, [1/s]

Vector = tuple[float, float, float]

_WIDE, _HEAD = 0.75, 1.9  # how far elbows and hands reach, and how high a head may be, [m]

_MARGIN = 0.12  # around these, [m]

# Corners of a box around a juggler, and those of one that is turned by a quarter: they may face any way.
_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (0.0, 1.0) for z in (-0.7, 0.7)])

_BOX = np.concatenate([_CORNERS, _CORNERS[:, [2, 1, 0]]])

FIELD_OF_VIEW = math.radians(100.0)
"""Upright, [rad]: what people see well without moving their eyes, and some more."""

UP = math.radians(14.0)
"""How far above where the head points eyes look, [rad]: they turn farther toward the tops of throws than heads do."""

_AHEAD = 0.13  # of the middle of the head, past the nose, [m]

_LOOK = 0.5  # how far ahead the point is that is looked at, [m]


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
    aspect = aspect_per_eye(animation.parameters.stereo, aspect)
    azimuth, elevation = (None if angle is None else math.radians(angle) for angle in CAMERA_PRESETS[view])
    around = AZIMUTH if azimuth is None else azimuth
    if place is None:
        return animation.camera(aspect, around, elevation, field_of_view)
    return frame_juggler(animation, place, aspect, around, ELEVATION if elevation is None else elevation, field_of_view)


def _mirrored(animation: Animation) -> bool:
    return animation.parameters.mirror == "on"


def _between(first: tuple[float, float], second: tuple[float, float], share: float) -> tuple[float, float]:
    return first[0] + share * (second[0] - first[0]), first[1] + share * (second[1] - first[1])


@dataclass(frozen=True)
class Place:
    """Where a juggler stands.

    Args:
        floor: the point under their feet, at the height of the floor, [m].
        facing: turn about +y, 0 faces +z, [rad].
    """

    floor: Vector
    facing: float

    def since(self, before: Place) -> Vector:
        """How far it moved, [m]."""
        x, y, z = (now - then for now, then in zip(self.floor, before.floor, strict=True))
        return x, y, z


@dataclass(frozen=True)
class Following:
    """Which juggler the camera goes along with.

    Args:
        juggler: counted from 0; None where it sees all of them.
    """

    juggler: int | None = None

    def next(self, jugglers: int) -> Following:
        """The next juggler, and after the last one nobody."""
        after = 0 if self.juggler is None else self.juggler + 1
        return Following(after if after < jugglers else None)

    def within(self, jugglers: int) -> Following:
        """The same where there are so many jugglers; nobody where that one is not there."""
        return self if self.juggler is not None and self.juggler < jugglers else Following()

    def place(self, animation: Animation, time: float) -> Place:
        """Where that juggler stands at a time, [s]."""
        assert self.juggler is not None
        x, _, z, facing = animation.motion.bodies.places(np.array([time]))[0, self.juggler]
        return Place((float(x), 0.0, float(z)), float(facing))


def frame_juggler(
    animation: Animation, place: Place, aspect: float, azimuth: float, elevation: float, field_of_view: float
) -> Camera:
    """The nearest camera that sees one juggler, and how high props fly.

    Args:
        animation: what is juggled.
        place: where the juggler stands.
        aspect, elevation, field_of_view: as for `juggle_anim.scene.frame_points`.
        azimuth: seen from the juggler, 0 before them, [rad].
    """
    highest = animation.motion.flying.apexes()[:, 1].max(initial=_HEAD)
    points = _BOX * (_WIDE, highest, _WIDE) + place.floor
    flat = animation.parameters.projection == "orthographic"
    camera = frame_points(points, _MARGIN, aspect, azimuth + place.facing, elevation, field_of_view, flat)
    return replace(camera, mirrored=animation.parameters.mirror == "on")


def seen_by(animation: Animation, juggler: int, time: float, aside: float = 0.0) -> Orbit:
    """The camera of a juggler.

    Args:
        animation: what they juggle.
        juggler: counted from 0.
        time: [s].
        aside: how far to the left of that the camera is turned, [rad].
    """
    joints = animation.pose(np.array([time])).joints[0, juggler]
    head = joints[Joint.HEAD]
    x, y, z = (joints[Joint.FACE] - head).tolist()
    azimuth = math.atan2(x, z) + aside
    elevation = math.atan2(y, math.hypot(x, z)) + UP
    level = math.cos(elevation)
    ahead = np.array([math.sin(azimuth) * level, math.sin(elevation), math.cos(azimuth) * level])
    eye = head + _AHEAD * (joints[Joint.FACE] - head) / math.hypot(x, y, z)
    target = eye + _LOOK * ahead
    # An orbit tells where its camera is, seen from what it looks at.
    return Orbit(_point(target), _LOOK, azimuth + math.pi, -elevation, FIELD_OF_VIEW)


def _point(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
