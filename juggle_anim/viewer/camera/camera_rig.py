"""The camera rig: frames the pattern, follows a juggler, or obeys the mouse."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from juggle_anim.animation import AZIMUTH, ELEVATION, HEADROOM, Animation
from juggle_anim.arrays import Floats
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera, Framing, frame_above_floor
from juggle_anim.scene.camera import CAMERA_PRESETS, EYE_VIEW, aspect_per_eye
from juggle_anim.scene.framing import circling
from juggle_anim.viewer.camera.orbit import Glide, Orbit
from juggle_anim.viewer.layout import Layout, Rectangle

DEFAULT_VIEW = "default"
"""The name of the view of a new window, one of `CAMERA_PRESETS`."""

_APPROACH_RATE = 11.0  # rate at which the camera approaches its goal, [1/s]

Vector = tuple[float, float, float]

_JUGGLER_HALF_WIDTH = 0.75  # m, to the sides with elbows and hands
_HEAD_HEIGHT = 1.9  # m
_JUGGLER_MARGIN = 0.12  # around these, [m]
_EDITING_HEADROOM = 0.05  # above heads while one edits, [m]

# Corners of a box around a juggler, and of the same box rotated by 90°: jugglers may face any
# direction.
_UPRIGHT_BOX_CORNERS = np.array(
    [(x, y, z) for x in (-1.0, 1.0) for y in (0.0, 1.0) for z in (-0.7, 0.7)]
)
_BOX_CORNERS = np.concatenate([_UPRIGHT_BOX_CORNERS, _UPRIGHT_BOX_CORNERS[:, [2, 1, 0]]])

_HASTE = 0.3  # seconds after which a camera that flies into a head is twice as quick, and so on
_ARRIVAL_TOLERANCE = 0.02  # metres and radians, of a camera that flies into a head
_HEAD_EXIT_DISTANCE = 0.5  # of the eye from what it turns around as it leaves a head, [m]
_HEAD_HIDE_DISTANCE = 0.3  # of where the eyes are, [m]; from farther away a head is seen


class CameraRig:
    """The camera of a window; `aim` updates `camera` for each frame."""

    def __init__(self) -> None:
        """Begin with the default view; the first `aim` puts the camera there at once."""
        self.is_manual = False
        """Whether the user has moved the camera, so that it no longer frames the pattern by itself.
        """
        self.settled = False
        """Whether the camera has come to rest."""
        self.is_still = False
        """Whether it is where it belongs at once, and does not fly there."""
        self._glide = Glide()
        self.view = DEFAULT_VIEW
        """Name of the standpoint from which it frames the pattern."""
        self.following: int | None = None
        """Which juggler it follows, counted from 0; None for all of them."""
        self.camera: Camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))
        self._orbit = Orbit.from_camera(self.camera)
        self._shift = (0.0, 0.0)
        # The camera that framed the pattern last, and what it was computed from.
        self._framed_camera = self.camera
        self._framed_animation: Animation | None = None
        self._framed_key: tuple[Layout, str, JugglerPlace | None, bool] | None = None
        self._aimed: tuple[Animation, Layout] | None = None
        self._size = (0, 0)
        self._last_place: JugglerPlace | None = None
        self._in_eyes = False
        self._flight_time = 0.0
        """Since the camera left for the eyes of a juggler, [s]."""

    @property
    def orbit(self) -> Orbit:
        """The orbit that the camera stands on."""
        return self._orbit

    def hold(self, orbit: Orbit) -> None:
        """Put the camera on an orbit, as if the user had moved it there."""
        self._orbit = orbit
        self.is_manual = True
        self.settled = False

    def circle(self, angles: Floats, azimuth: float, elevation: float) -> None:
        """Look from one point of a camera path, from so far that all of the path sees the pattern.

        Args:
            angles: azimuths and elevations along the path, shape (N, 2), [rad].
            azimuth, elevation: from where to look now, [rad].
        """
        orbit = self._orbit
        # Before the first picture nothing is known to be framed.
        if self._aimed:
            animation, layout = self._aimed
            free = FreeView.from_layout(animation, layout)
            cameras = [
                free.frame(animation, path_azimuth, path_elevation)
                for path_azimuth, path_elevation in angles.tolist()
            ]
            target, distance = circling(cameras)
            orbit = replace(orbit, target=target, distance=distance)
        self.hold(replace(orbit, azimuth=azimuth, elevation=elevation).above_floor())

    def rotate(self, across: float, down: float) -> None:
        """Rotate around the target by a drag of the mouse, in heights of the window."""
        self._glide.drag(across, down)
        self._rotate(across, down)

    def catch(self) -> None:
        """Stop a camera that goes on turning by itself."""
        self._glide.stop()

    def let_go(self, *, glides: bool) -> None:
        """The mouse ends a drag; the camera may go on turning, and comes to rest slowly."""
        if glides:
            self._glide.let_go()
            self.settled = self.settled and not self._glide.is_moving
        else:
            self._glide.stop()

    def _rotate(self, across: float, down: float) -> None:
        self.hold(self._orbit_in_hand().rotated(self._unmirrored(across), down))

    def pan(self, across: float, down: float) -> None:
        """Pan by a drag of the mouse, in heights of the window."""
        self.hold(self._orbit_in_hand().panned(self._unmirrored(across), down))

    def zoom(self, clicks: float, place: tuple[float, float] | None = None) -> None:
        """Zoom in by some clicks of the wheel.

        Args:
            clicks: negative to zoom out.
            place: what stays where it is, right and up from the middle of the picture, in half
                heights of it; by default the target of the orbit.
        """
        self.hold(self._orbit_in_hand().zoomed(clicks, self._point_at(*place) if place else None))

    def release(self) -> None:
        """Frame the pattern again, from the default view."""
        self.fly(DEFAULT_VIEW)

    def fly(self, view: str) -> None:
        """Move to a view: one of `CAMERA_PRESETS`, or `EYE_VIEW`."""
        self.view = view
        self.is_manual = False
        self.settled = False
        self._in_eyes = False
        self._glide.stop()

    def follow(self, jugglers: int) -> None:
        """Follow the next of so many jugglers; after the last one, frame them all."""
        after = 0 if self.following is None else self.following + 1
        self.following = within_jugglers(after, jugglers)
        self.is_manual = False
        self.settled = False
        self._in_eyes = False

    def framing_orbit(
        self, animation: Animation, layout: Layout, time: float = 0.0, *, people: bool = False
    ) -> Orbit | None:
        """Return the orbit from which the camera would frame an animation.

        Args:
            animation, layout, time, people: as for `aim`.

        Returns:
            None while a user moves the camera, or it is in a juggler's eyes.
        """
        if self.is_manual or self.view == EYE_VIEW:
            return None
        following = within_jugglers(self.following, animation.jugglers)
        place = juggler_place(animation, following, time) if following is not None else None
        return self._goal_orbit(
            animation, self._framing_camera(animation, layout, place, people=people), place
        )

    def aim(
        self,
        animation: Animation,
        layout: Layout,
        elapsed: float,
        time: float = 0.0,
        *,
        people: bool = False,
        wanted: Orbit | None = None,
    ) -> None:
        """Move the camera toward its goal: smoothly, or at once in a new or resized window.

        It updates `camera` and `settled`.

        Args:
            animation: to be framed.
            layout: of the window.
            elapsed: since the last call, [s].
            time: of the picture, [s].
            people: whether people alone are framed, and closely, whatever the parameters say.
            wanted: from where it frames the animation; by default from as near as it can.
        """
        self.following = within_jugglers(self.following, animation.jugglers)
        self._aimed = (animation, layout)
        across, down = self._glide.advance(elapsed)
        if across or down:
            self._rotate(across, down)

        # The goal: the orbit of the camera in a juggler's eyes, or of one that frames the pattern,
        # or, moved by a user, where it is.
        place = (
            juggler_place(animation, self.following, time) if self.following is not None else None
        )
        through_eyes = self.view == EYE_VIEW and not self.is_manual
        framed = (
            self.camera
            if through_eyes or self.is_manual
            else self._framing_camera(animation, layout, place, people=people)
        )
        seen = self._eye_camera(animation, layout, time) if through_eyes else framed
        goal = wanted or self._goal_orbit(animation, seen, place)
        shift = (0.0, 0.0) if through_eyes else layout.shift

        # Go there by a share of the way, as an exponential approach.
        size = layout.width, layout.height
        # A head moves on meanwhile: a camera of one rate would never be where its eyes are.
        self._flight_time = self._flight_time + elapsed if through_eyes else 0.0
        rate = _APPROACH_RATE * (1.0 + self._flight_time / _HASTE)
        share = 1.0 if size != self._size or self.is_still else 1.0 - math.exp(-rate * elapsed)
        self._size = size
        self._last_place = place
        # The camera follows the mouse at once, and so does one in a head, which moves smoothly
        # itself.
        self._in_eyes = through_eyes and (self._in_eyes or share == 1.0)
        self._orbit = goal if self.is_manual or self._in_eyes else self._orbit.toward(goal, share)
        right, up = self._shift
        goal_right, goal_up = shift
        self._shift = right + share * (goal_right - right), up + share * (goal_up - up)

        # Near enough to the goal it is put there exactly.
        self.settled = self._orbit.close_to(goal) and math.dist(self._shift, shift) < 1e-3
        self.settled = self.settled and not self._glide.is_moving
        if self.settled:
            self._orbit = goal
            self._shift = shift
        self._in_eyes = through_eyes and (
            self._in_eyes or self._orbit.close_to(goal, _ARRIVAL_TOLERANCE)
        )
        if self._in_eyes:
            self.camera = seen
            return

        # If nothing covers the picture, this is exactly the camera of an export.
        whole_window = Rectangle(0.0, 0.0, layout.width, layout.height)
        is_export_view = (
            self.settled
            and not (self.is_manual or through_eyes or wanted)
            and layout.free == whole_window
        )
        # Eyes always see in perspective.
        flat = animation.parameters.projection == "orthographic" and not through_eyes
        self.camera = (
            framed
            if is_export_view
            else self._orbit.camera(
                self._shift, mirrored=_is_mirrored(animation), orthographic=flat
            )
        )
        # On its way into or out of a head, a near camera would see that from inside.
        if through_eyes and math.dist(self.camera.eye, seen.eye) < _HEAD_HIDE_DISTANCE:
            self.camera = replace(self.camera, inside=seen.inside)

    def _orbit_in_hand(self) -> Orbit:
        """Return the orbit that a hand moves, and leave a head if the camera is in one.

        There it turns around a point close ahead of the eye, not around the far target.
        """
        if not self._in_eyes:
            return self._orbit
        eye = np.array(self.camera.eye)
        target = np.array(self._orbit.target)
        x, y, z = (eye + _HEAD_EXIT_DISTANCE / self._orbit.distance * (target - eye)).tolist()
        self._in_eyes = False
        return replace(self._orbit, target=(x, y, z), distance=_HEAD_EXIT_DISTANCE)

    def _goal_orbit(self, animation: Animation, seen: Camera, place: JugglerPlace | None) -> Orbit:
        """Return the orbit that the camera approaches.

        Args:
            animation: its parameters say the field of view and the projection.
            seen: the camera that frames the pattern, or that is in a juggler's eyes.
            place: of the juggler who is followed; None if all are.
        """
        field_of_view = math.radians(animation.parameters.field_of_view)
        if self.is_manual:
            # Move along with the followed juggler.
            dx, dy, dz = (
                place.moved_since(self._last_place)
                if place and self._last_place
                else (0.0, 0.0, 0.0)
            )
            x, y, z = self._orbit.target
            held = replace(self._orbit, target=(x + dx, y + dy, z + dz))
            flat = animation.parameters.projection == "orthographic"
            return held.widened(field_of_view).above_floor(orthographic=flat)
        # Eyes have a field of view of their own; that of a framed part of the window is narrower
        # than that of the whole.
        if self.view == EYE_VIEW:
            return Orbit.from_camera(seen)
        return replace(Orbit.from_camera(seen), field_of_view=field_of_view)

    def _eye_camera(self, animation: Animation, layout: Layout, time: float) -> Camera:
        """Return the camera in the eyes of the followed juggler, or of the first.

        Args:
            animation: with the juggler.
            layout: of the window; straight ahead is in the middle of its free part.
            time: of the picture, [s].
        """
        times = np.array([time])
        juggler = self.following or 0
        eyes = animation.eyes(times, juggler)[0]
        shift_right, _shift_up = layout.shift
        if not shift_right:
            return eyes
        # The camera turns to the side, by the angle at which the middle of the free part is seen.
        aside = math.atan(shift_right * math.tan(eyes.field_of_view / 2))
        return animation.eyes(times, juggler, -aside if eyes.mirrored else aside)[0]

    def _point_at(self, right: float, up: float) -> Vector:
        """Return the point in the world at a place in the picture, [m].

        It is as far away as the target, or on the floor where that is nearer.

        Args:
            right, up: from the middle of the picture, in half heights of it.
        """
        # In the plane through the target parallel to the picture.
        half_height = self._orbit.distance * math.tan(self._orbit.field_of_view / 2)
        shift_right, shift_up = self._shift
        across = self._unmirrored(right - shift_right)
        above = up - shift_up
        point = self._orbit.beside(across * half_height, above * half_height)

        # Where the line of sight meets the floor y = 0. It starts at the eye, or, in an
        # orthographic picture, as far before the point as the eye is before the target.
        camera = self.camera
        start = np.array(camera.eye)
        if camera.orthographic:
            start = np.array(point) + start - camera.target
        if point[1] < 0 < start[1]:
            point = tuple(start + start[1] / (start[1] - point[1]) * (point - start))
        return point

    def _unmirrored(self, across: float) -> float:
        return -across if self.camera.mirrored else across

    def _framing_camera(
        self, animation: Animation, layout: Layout, place: JugglerPlace | None, *, people: bool
    ) -> Camera:
        """Return the camera that frames the whole pattern in the free part of the window.

        The last one is cached, as framing takes longer than a picture.

        Args:
            animation, layout, people: as for `aim`.
            place: of the juggler who is framed alone; None for all.
        """
        key = layout, self.view, place, people
        # Animations are compared by identity, which is quick.
        if self._framed_animation is not animation or self._framed_key != key:
            free = FreeView.from_layout(animation, layout)
            headroom = _EDITING_HEADROOM if people else None
            self._framed_camera = _framed_camera(animation, self.view, place, free, headroom)
            self._framed_animation = animation
            self._framed_key = key
        return self._framed_camera


@dataclass(frozen=True)
class FreeView:
    """What no card covers of a window's picture.

    Args:
        aspect: its width over its height; of one eye, in stereo.
        field_of_view: vertical, [rad].
        aside: its middle from that of the window, as the camera sees right and up, in half heights
            of it.
    """

    aspect: float
    field_of_view: float
    aside: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def from_layout(cls, animation: Animation, layout: Layout) -> FreeView:
        """Return the free part of a window that shows an animation in a layout."""
        free = layout.free
        # The parameter is the field of view of the whole window, and the shift is in half heights
        # of that; both become those of the free part.
        angle = math.radians(animation.parameters.field_of_view)
        if free.height != layout.height:
            angle = 2 * math.atan(math.tan(angle / 2) * free.height / layout.height)
        right, up = (shift * layout.height / free.height for shift in layout.shift)
        aside = (-right if _is_mirrored(animation) else right), up
        return cls(
            aspect_per_eye(animation.parameters.stereo, free.width / free.height), angle, aside
        )

    def frame(
        self,
        animation: Animation,
        azimuth: float,
        elevation: float | None,
        headroom: float | None = None,
    ) -> Camera:
        """Return the camera that frames a pattern in it, arguments as for `Animation.camera`."""
        return animation.camera(
            self.aspect,
            azimuth,
            elevation,
            field_of_view=self.field_of_view,
            headroom=headroom,
            aside=self.aside,
        )


def _framed_camera(
    animation: Animation,
    view: str,
    place: JugglerPlace | None,
    free: FreeView,
    headroom: float | None = None,
) -> Camera:
    """Return the camera of a preset that frames one juggler, or all of them.

    Args:
        animation: what to frame.
        view: one of `CAMERA_PRESETS`.
        place: of the one juggler; None for all.
        free: what is seen of the picture.
        headroom: as for `Animation.camera`.
    """
    azimuth, elevation = (
        None if angle is None else math.radians(angle) for angle in CAMERA_PRESETS[view]
    )
    # A preset may leave angles to the defaults.
    around = AZIMUTH if azimuth is None else azimuth
    if place is None:
        return free.frame(animation, around, elevation, headroom)
    elevation = ELEVATION if elevation is None else elevation
    return frame_juggler(animation, place, free, around, elevation, headroom)


def _is_mirrored(animation: Animation) -> bool:
    return animation.parameters.mirror == "on"


@dataclass(frozen=True)
class JugglerPlace:
    """Where a juggler stands.

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
    """Return the juggler to follow, counted from 0; None for all, if there are not so many."""
    return following if following is not None and following < jugglers else None


def juggler_place(animation: Animation, juggler: int, time: float) -> JugglerPlace:
    """Return the place of a juggler, counted from 0, at a time, [s]."""
    x, _, z, facing = animation.motion.bodies.places(np.array([time]))[0, juggler].tolist()
    return JugglerPlace((x, 0.0, z), facing)


def frame_juggler(
    animation: Animation,
    place: JugglerPlace,
    free: FreeView,
    azimuth: float,
    elevation: float,
    headroom: float | None = None,
) -> Camera:
    """Return the nearest camera that frames one juggler, and all throws above them.

    With a limited headroom, higher throws leave the picture.

    Args:
        animation: with the juggler.
        place: where the juggler stands.
        free: what is seen of the picture.
        azimuth: relative to the juggler, 0 in front of them, [rad].
        elevation, headroom: as for `Animation.camera`.
    """
    highest = animation.motion.flight_paths.parabolas.apexes()[:, 1].max(initial=_HEAD_HEIGHT)
    if animation.parameters.framing == "people" or headroom is not None:
        highest = min(highest, _HEAD_HEIGHT + (HEADROOM if headroom is None else headroom))
    # Two boxes crosswise, for whichever way the juggler faces.
    points = _BOX_CORNERS * (_JUGGLER_HALF_WIDTH, highest, _JUGGLER_HALF_WIDTH) + place.floor
    flat = animation.parameters.projection == "orthographic"
    framing = Framing(
        free.aspect,
        azimuth + place.facing,
        elevation,
        field_of_view=free.field_of_view,
        orthographic=flat,
        aside=free.aside,
    )
    camera = frame_above_floor(points, _JUGGLER_MARGIN, framing)
    return replace(camera, mirrored=_is_mirrored(animation))
