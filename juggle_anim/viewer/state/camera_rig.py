"""The camera rig: frames the pattern, follows a juggler, looks through their eyes, or is moved by the mouse."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.animation import AZIMUTH, ELEVATION, Animation
from juggle_anim.body import Joint
from juggle_anim.scene import Camera, frame_points
from juggle_anim.scene.camera import CAMERA_PRESETS, aspect_per_eye
from juggle_anim.viewer.cards.layout import Layout, Rectangle
from juggle_anim.viewer.state.orbit import Orbit

DEFAULT_VIEW, EYE_VIEW = "usual", "eyes"
"""Names of the view of a new window, and of a juggler's eyes; all others are in `CAMERA_PRESETS`."""

_SPEED = 11.0  # rate at which the camera approaches its goal, [1/s]

Vector = tuple[float, float, float]

_HALF_WIDTH, _HEAD_HEIGHT = 0.75, 1.9  # of a juggler: to the sides with elbows and hands, and upward, [m]
_MARGIN = 0.12  # around these, [m]

# Corners of a box around a juggler, and of the same box rotated by 90°: jugglers may face any direction.
_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (0.0, 1.0) for z in (-0.7, 0.7)])
_BOX = np.concatenate([_CORNERS, _CORNERS[:, [2, 1, 0]]])

FIELD_OF_VIEW = math.radians(100.0)
"""Vertical field of view of a juggler, [rad]: a bit more than eyes see well without moving."""

EYE_PITCH = math.radians(14.0)
"""Pitch of the eyes above the head's direction, [rad]: eyes turn farther toward the apexes than heads do."""

_EYE_OFFSET = 0.13  # in front of the middle of the head, past the nose, [m]
_EYE_DISTANCE = 0.5  # from the eyes to the target of the orbit, [m]


class CameraRig:
    """The camera of a window; `aim` updates `camera` for each frame."""

    def __init__(self) -> None:
        self.is_manual = False
        """Whether the user has moved the camera, so that it no longer frames the pattern by itself."""
        self.settled = False
        """Whether the camera has come to rest."""
        self.view = DEFAULT_VIEW
        """Name of the standpoint from which it frames the pattern."""
        self.following: int | None = None
        """Which juggler it follows, counted from 0; None for all of them."""
        self.camera: Camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))
        self._orbit = Orbit.of(self.camera)
        self._shift = (0.0, 0.0)
        self._framed_view: tuple[Animation, Layout, str, JugglerPlace | None, Camera] | None = None
        self._size = (0, 0)
        self._last_place: JugglerPlace | None = None

    @property
    def orbit(self) -> Orbit:
        """The orbit that the camera stands on."""
        return self._orbit

    def hold(self, orbit: Orbit) -> None:
        """Put the camera on an orbit, as if the user had moved it there."""
        self._orbit, self.is_manual, self.settled = orbit, True, False

    def rotate(self, across: float, down: float) -> None:
        """Rotate around the target by a drag of the mouse, in heights of the window."""
        self.hold(self._orbit.rotated(self._unmirrored(across), down))

    def pan(self, across: float, down: float) -> None:
        """Pan by a drag of the mouse, in heights of the window."""
        self.hold(self._orbit.panned(self._unmirrored(across), down))

    def zoom(self, clicks: float) -> None:
        """Zoom in by some clicks of the wheel."""
        self.hold(self._orbit.zoomed(clicks))

    def release(self) -> None:
        """Frame the pattern again, from the default view."""
        self.fly(DEFAULT_VIEW)

    def fly(self, view: str) -> None:
        """Move to a view: one of `CAMERA_PRESETS`, or `EYE_VIEW`."""
        self.view, self.is_manual, self.settled = view, False, False

    def follow(self, jugglers: int) -> None:
        """Follow the next of so many jugglers; after the last one, frame them all."""
        after = 0 if self.following is None else self.following + 1
        self.following, self.is_manual, self.settled = within_jugglers(after, jugglers), False, False

    def aim(self, animation: Animation, layout: Layout, elapsed: float, time: float = 0.0) -> None:
        """Move the camera toward its goal, smoothly, or at once in a window that is new or has another size.

        Args:
            animation: to be framed.
            layout: of the window.
            elapsed: since the last call, [s].
            time: of the picture, [s].
        """
        self.following = within_jugglers(self.following, animation.jugglers)
        place = juggler_place(animation, self.following, time) if self.following is not None else None
        eyes = self.view == EYE_VIEW and not self.is_manual
        framed = self.camera if eyes or self.is_manual else self._frame(animation, layout, place)
        goal, shift = self._goal(animation, layout, framed, time, place), (0.0, 0.0) if eyes else layout.shift
        size = layout.width, layout.height
        share = 1.0 if size != self._size else 1.0 - math.exp(-_SPEED * elapsed)
        self._size, self._last_place = size, place
        # The camera follows the mouse at once.
        self._orbit = goal if self.is_manual else self._orbit.toward(goal, share)
        (x, y), (right, up) = self._shift, shift
        self._shift = x + share * (right - x), y + share * (up - y)
        self.settled = self._orbit.close_to(goal) and math.dist(self._shift, shift) < 1e-3
        if self.settled:
            self._orbit, self._shift = goal, shift
        # If nothing covers the picture, this is exactly the camera of an export.
        whole = Rectangle(0.0, 0.0, layout.width, layout.height)
        bare = self.settled and not self.is_manual and not eyes and layout.free == whole
        # Eyes always see in perspective.
        flat = animation.parameters.projection == "orthographic" and not eyes
        self.camera = framed if bare else self._orbit.camera(self._shift, _mirrored(animation), flat)

    def _goal(
        self, animation: Animation, layout: Layout, framed: Camera, time: float, place: JugglerPlace | None
    ) -> Orbit:
        angle = math.radians(animation.parameters.field_of_view)
        if self.is_manual:
            # Move along with the followed juggler.
            x, y, z = place.moved_since(self._last_place) if place and self._last_place else (0.0, 0.0, 0.0)
            target = self._orbit.target
            return replace(self._orbit, target=(target[0] + x, target[1] + y, target[2] + z)).widened(angle)
        if self.view == EYE_VIEW:
            # The direction straight ahead is in the middle of the free part.
            aside = math.atan(layout.shift[0] * math.tan(FIELD_OF_VIEW / 2))
            return eye_orbit(animation, self.following or 0, time, -aside if _mirrored(animation) else aside)
        return replace(Orbit.of(framed), field_of_view=angle)

    def _unmirrored(self, across: float) -> float:
        return -across if self.camera.mirrored else across

    def _frame(self, animation: Animation, layout: Layout, place: JugglerPlace | None) -> Camera:
        """The camera that frames the whole pattern in the free part of the window."""
        seen = animation, layout, self.view, place
        known = self._framed_view
        if known is None or known[0] is not animation or known[1:4] != seen[1:]:
            free, angle = layout.free, math.radians(animation.parameters.field_of_view)
            if free.height != layout.height:
                angle = 2 * math.atan(math.tan(angle / 2) * free.height / layout.height)
            self._framed_view = *seen, _framed_camera(animation, self.view, place, free.width / free.height, angle)
            return self._framed_view[4]
        return known[4]


def _framed_camera(
    animation: Animation, view: str, place: JugglerPlace | None, aspect: float, field_of_view: float
) -> Camera:
    aspect = aspect_per_eye(animation.parameters.stereo, aspect)
    azimuth, elevation = (None if angle is None else math.radians(angle) for angle in CAMERA_PRESETS[view])
    around = AZIMUTH if azimuth is None else azimuth
    if place is None:
        return animation.camera(aspect, around, elevation, field_of_view)
    return frame_juggler(animation, place, aspect, around, ELEVATION if elevation is None else elevation, field_of_view)


def _mirrored(animation: Animation) -> bool:
    return animation.parameters.mirror == "on"


@dataclass(frozen=True)
class JugglerPlace:
    """Return where a juggler stands.

    Args:
        floor: the point under their feet, at the height of the floor, [m].
        facing: turn about +y, 0 faces +z, [rad].
    """

    floor: Vector
    facing: float

    def moved_since(self, before: JugglerPlace) -> Vector:
        """Displacement from an earlier place, [m]."""
        x, y, z = (now - then for now, then in zip(self.floor, before.floor, strict=True))
        return x, y, z


def within_jugglers(following: int | None, jugglers: int) -> int | None:
    """The juggler to follow, counted from 0; None, for all of them, if there are not so many."""
    return following if following is not None and following < jugglers else None


def juggler_place(animation: Animation, juggler: int, time: float) -> JugglerPlace:
    """The place of a juggler, counted from 0, at a time, [s]."""
    x, _, z, facing = animation.motion.bodies.places(np.array([time]))[0, juggler].tolist()
    return JugglerPlace((x, 0.0, z), facing)


def frame_juggler(
    animation: Animation, place: JugglerPlace, aspect: float, azimuth: float, elevation: float, field_of_view: float
) -> Camera:
    """The nearest camera that frames one juggler and the highest prop.

    Args:
        animation: with the juggler.
        place: where the juggler stands.
        aspect, elevation, field_of_view: as for `juggle_anim.scene.frame_points`.
        azimuth: relative to the juggler, 0 in front of them, [rad].
    """
    highest = animation.motion.flight_paths.apexes()[:, 1].max(initial=_HEAD_HEIGHT)
    points = _BOX * (_HALF_WIDTH, highest, _HALF_WIDTH) + place.floor
    flat = animation.parameters.projection == "orthographic"
    camera = frame_points(points, _MARGIN, aspect, azimuth + place.facing, elevation, field_of_view, flat)
    return replace(camera, mirrored=animation.parameters.mirror == "on")


def eye_orbit(animation: Animation, juggler: int, time: float, aside: float = 0.0) -> Orbit:
    """The orbit camera at a juggler's eyes.

    Args:
        animation: with the juggler.
        juggler: counted from 0.
        time: [s].
        aside: angle to the left of the juggler's direction, [rad].
    """
    joints = animation.pose(np.array([time])).joints[0, juggler]
    head = joints[Joint.HEAD]
    x, y, z = (joints[Joint.FACE] - head).tolist()
    azimuth = math.atan2(x, z) + aside
    elevation = math.atan2(y, math.hypot(x, z)) + EYE_PITCH
    level = math.cos(elevation)
    ahead = np.array([math.sin(azimuth) * level, math.sin(elevation), math.cos(azimuth) * level])
    eye = head + _EYE_OFFSET * (joints[Joint.FACE] - head) / math.hypot(x, y, z)
    target = eye + _EYE_DISTANCE * ahead
    # An orbit's angles give the direction from the target to the camera.
    x, y, z = target.tolist()
    return Orbit((x, y, z), _EYE_DISTANCE, azimuth + math.pi, -elevation, FIELD_OF_VIEW)
